"""The search for the programs that make a matrix: first on a few of its numbers, then proved on all of them.

What can be listed is tried: orders, layouts, frequencies, bases, first positions. What is continuous is solved: the
base from how fast columns turn, the position of every row from the angles of all pairs, scale and offset by least
squares. A number that was measured is replaced by the simplest number near it with which no cell is off by more than
rounding allows.

A `Search` has methods that yield programs, and one, `prove`, that runs them and keeps those that make the matrix.
`from_views` goes through the readings of the matrix (`View`); on each it tries all frequencies (`Law`), with positions
from 0 or 1 and with positions as the angles say them. `anywhere` asks single columns, and finds any first position.
`forward` runs the lines of angles and values on the usual encodings. A number of the matrix that is nan says nothing:
any program makes it.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np

from pe_diagnosis import limits
from pe_diagnosis.anywhere import first_position, laws_and_steps
from pe_diagnosis.catalogue import Entry, choices, common
from pe_diagnosis.lines import Guess, position_lines, start_entry
from pe_diagnosis.measure import spread
from pe_diagnosis.program import ERRORS, Names, Part, Program, evaluated
from pe_diagnosis.rounding import Storage
from pe_diagnosis.views import Law, Undone, View, laws_of, scope_of, usual_programs

Guesses = Iterator[Program | Guess]


class Search:
    """The programs that make one matrix, and those that nearly make it.

    Only `prove` changes anything: a program that makes all numbers joins `survivors`, and one that makes some joins
    `near`, with their share among the numbers looked at, which of a large matrix may be a part. The other methods are
    generators of guesses. After each guess they look again at `best`, the least cost so far, and leave out what has
    become too dear: so pass them to `prove` lazily, as they are.
    """

    def __init__(self, matrix: np.ndarray, asked: float, storage: Storage | None = None) -> None:
        self.matrix, self.asked, self.storage = matrix, asked, storage or Storage(matrix)
        self.survivors: list[Program] = []
        self.near: list[tuple[float, Program]] = []
        self._tried: set[tuple[object, ...]] = set()  # programs
        self._settled: set[tuple[object, ...]] = set()  # and guesses, whose numbers were made plain
        part = spread(len(matrix), 2 * limits.ROWS), spread(matrix.shape[1], 2 * limits.COLUMNS)
        self.part = part if matrix.size > 4 * len(part[0]) * len(part[1]) else None  # of a large matrix: proved first
        self.told = ~np.isnan(matrix)  # the numbers that say something
        self._without_zeros = matrix.copy()  # but with nan in rows and columns of zeros
        for axis in (0, 1):
            empty = ~np.any(matrix, axis=1 - axis)
            if empty.mean() < limits.BLANK:  # else little would be left
                np.moveaxis(self._without_zeros, axis, 0)[empty] = np.nan

    # ------------------------------------------------------------------ proof

    @property
    def best(self) -> float:
        """The least cost of a program that makes all numbers; DEAREST before there is one."""
        return min((one.cost for one in self.survivors), default=limits.DEAREST)

    def prove(self, guesses: Iterable[Program | Guess]) -> list[Program]:
        """Run programs, and return all that make every number, those of earlier calls too."""
        for guess in guesses:
            tried, most = (self._settled, limits.ATTEMPTS) if isinstance(guess, Guess) else (self._tried, np.inf)
            if guess.key in tried or len(tried) >= most or guess.cost > self.best + limits.ALIKE:
                continue
            tried.add(guess.key)
            if isinstance(guess, Guess):
                self.prove(guess.settled(self.storage))
                continue
            share = self._share(guess)
            if share == 1:
                self.survivors.append(guess)
            elif share > 0:
                self.near.append((share, guess))
        return self.survivors

    def _share(self, program: Program) -> float:
        """Return the share of numbers that a program makes: of a part of a large matrix, where that refuses it."""
        parts = (self.part, None) if self.part is not None and program.cellwise else (None,)
        for part in parts:
            fits, _ = self.compare(program, part)
            if not fits.all():
                return float(fits[self.told if part is None else self.told[np.ix_(*part)]].mean())
        return 1.0

    def compare(self, program: Program, part: Part | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return which numbers a program makes, on a part of the cells or on all, and the table that it makes.

        A program that fails, or makes another shape, makes no number: then the table is the matrix itself.
        """
        matrix = self.matrix if part is None else self.matrix[np.ix_(*part)]
        try:
            names = program.run(part)
            table = np.asarray(names["matrix"], float)
            if table.shape == matrix.shape:
                with np.errstate(invalid="ignore"):
                    fits = np.abs(matrix - table) <= self._allowed(program, names, table)
                    return fits | np.isnan(matrix), table
        except ERRORS:
            pass
        return np.zeros(matrix.shape, bool), matrix

    def _allowed(self, program: Program, names: Names, table: np.ndarray) -> np.ndarray:
        """Return how far each number of a table may be off, by its storage and by the way in which it was computed."""
        lost = self.storage.lost(names["angles"], names["w"])
        if program.values is not None:
            lost = lost * limits.STRETCHED * np.maximum(1.0, np.abs(names["before_order"]))
        elif program.scale is not None or program.other is not None:  # of two scales, the larger
            lost = lost * max(1.0, float(np.ptp(names["before_order"])) / 2)
        if program.order.cost:
            lost = evaluated(program.order.line, {**names, "matrix": lost})
        if lost.shape != table.shape:
            lost = np.full(table.shape, lost.max(initial=0))
        return np.asarray(self.storage.half_unit(table) + lost)

    # ------------------------------------------------------------------ all readings of the matrix

    @cached_property
    def tables(self) -> list[Undone]:
        """The matrix as it is, and before each order that may have been put on it.

        If it turns evenly as it is, only orders before which it did so as well are asked.
        """
        found: list[Undone] = []
        for order in choices("order"):
            try:
                table = evaluated(order.undo, {"np": np, "matrix": self._without_zeros})
            except ERRORS:
                continue
            if table.ndim == 2 and min(table.shape) > 0 and np.isfinite(table).any():
                one = Undone(order, table, self.storage)
                if not found or not found[0].turns_evenly or one.turns_evenly:
                    found.append(one)
        return found

    @property
    def turns_evenly(self) -> bool:
        """Whether all columns of the matrix turn evenly from row to row."""
        return bool(self.tables) and self.tables[0].turns_evenly

    @cached_property
    def views(self) -> list[View]:
        """All readings of the matrix, the cheapest first, each layout of an order once."""
        found: list[View] = []
        seen: set[tuple[str | bytes, ...]] = set()  # (order, q, i) of each view, and (order, q)
        for undone in self.tables:
            order, table = undone.order, undone.table
            known = np.isfinite(table).any(0)
            layouts = common("columns") if order.cost else choices("columns")
            for columns in layouts:
                scope = scope_of(*table.shape, columns.line)
                if scope is None:
                    continue
                key = order.line, *(scope[name][known].tobytes() for name in "qi")
                if key not in seen:
                    program = Program(len(table), table.shape[1], self.asked, columns=columns, order=order)
                    found.append(View(undone, program, scope["i"], scope["q"], key[:2] not in seen))
                    seen.update([key, key[:2]])
        return sorted(found, key=lambda one: one.program.cost)

    def from_views(self, above: float = -1.0, up_to: float = limits.DEAREST, most: float = limits.DEAREST) -> Guesses:
        """Yield what laws make of the views that cost more than `above` and no more than `up_to`, the cheapest first.

        Their programs cost no more than `most`.
        """
        for view in self.views:
            cost = view.program.cost
            if cost > min(self.best, up_to):
                return
            if cost > above:
                yield from self._of_view(view, most)

    def _of_view(self, view: View, most: float) -> Guesses:
        """Yield what all laws make of one view: with positions from 0 and from 1, and with those of the angles."""
        laws, w = self._laws(view, most)
        if not laws:
            return
        twice = np.concatenate([w, w])  # from 0, and from 1
        counted = view.rows + np.repeat([[0], [1]], len(w), axis=0)
        for scaled in (False, True):
            if self.best + limits.ALIKE >= view.program.cost + limits.MEASURED_SCALE * scaled:
                for n, scale in view.agreeing(twice, counted, scaled):
                    yield view.guess(laws[n % len(w)], start_entry(n // len(w)), scale)
        if len(view.pairs) > 1:
            yield from self._with_decoded_positions(view, laws, w)

    def _with_decoded_positions(self, view: View, laws: list[Law], w: np.ndarray) -> Guesses:
        """Yield the laws whose positions, as the angles of the pairs say them, make the cells."""
        costs = np.array([view.program.cost + law.cost for law in laws])
        cheap = costs + limits.MEASURED_SCALE * view.needs_scale < self.best  # what positions cost comes on top
        some = np.flatnonzero(view.pairs_share_speeds(w) & cheap)
        for n, scale, positions, off in view.decoded(w[some]):
            law, enough = laws[some[n]], len(view.pairs) > 2
            for line in position_lines(positions, off, view.program.d_model, free=law.cost < 1 and enough):
                # With two pairs, a measured base always fits.
                if isinstance(line, Entry) or (view.tells_steps(w[some[n]]) and (enough or law.base is None)):
                    yield view.guess(law, line, scale)

    def anywhere(self) -> Guesses:
        """Yield what laws with one mistake at most make from any first position on, if all columns turn evenly."""
        if not self.turns_evenly:
            return
        laws, (rows, columns) = self._laws_as_it_is(), self.tables[0].filled
        w, q = (np.array(some)[:, columns] for some in ([w for *_, w in laws], [view.q for view, *_ in laws]))
        x, best_before = self._without_zeros[np.ix_(rows, columns)], self.best
        turning = list(laws_and_steps(x, w, q, self.storage.unit))[: limits.MOST_LAWS]
        for reach, dearest in limits.STARTS:
            for n, step in turning:
                view, law, _ = laws[n]
                if view.program.cost + law.cost + (step < 0) > min(self.best, dearest):  # counting down is a mistake
                    continue
                start = first_position(x, w[n], q[n], step, self.storage, reach)
                if start is not None:
                    yield view.guess(law, (step, start - step * rows[0]))
            # Starts further off are tried where nothing is known, or only a start that may stand for one there.
            if self.best < best_before or limits.STOP_BELOW <= self.best < limits.DEAREST:
                return

    def _laws_as_it_is(self) -> list[tuple[View, Law, np.ndarray]]:
        """Return the laws with one mistake at most, and their frequencies, in all layouts, the cheapest first."""
        found = []
        for view in self.views:
            cost = view.program.cost
            if not view.program.order.cost and cost <= limits.DEAREST_ANYWHERE:
                laws, w = self._laws(view, with_measured=cost < 1 and len(view.pairs) > 2)
                some = zip(laws, w, strict=True)
                found += [(view, *one) for one in some if cost + one[0].frequencies.cost <= limits.DEAREST_ANYWHERE]
        return sorted(found, key=lambda one: one[0].program.cost + one[1].cost)

    def _laws(
        self, view: View, most: float = limits.DEAREST, with_measured: bool = True
    ) -> tuple[list[Law], np.ndarray]:
        """Return the laws that aren't too dear, those of measured bases among them, and their frequencies.

        A law of columns makes the same in all layouts with the same functions: it's asked in the first.
        """
        laws, w, _ = laws_of(*view.undone.table.shape, view.program.columns.line, self.asked)
        rest = min(self.best, most) - view.program.cost
        if with_measured and rest >= limits.MEASURED_BASE and view.measured_laws:
            laws, w = [*laws, *view.measured_laws], np.concatenate([w, [*view.measured_laws.values()]])
        cheap = [n for n, law in enumerate(laws) if law.cost <= rest and (view.first_with_q or law.of_pairs)]
        return [laws[n] for n in cheap], w[cheap]

    # ------------------------------------------------------------------ lines that can't be undone

    def forward(self) -> Iterator[Program]:
        """Yield the usual encodings from 0 and from 1, and each with the lines of angles and values that make most."""
        length, d_model = self.matrix.shape
        looks = {
            "cell": (spread(length, limits.ROWS), spread(d_model, limits.COLUMNS)),
            "row": (spread(length, limits.ROWS), np.arange(d_model)),
            "column": (np.arange(length), spread(d_model, 8)),
        }
        for usual in usual_programs(length, d_model, self.asked):
            for start in (0, 1):
                program = usual.but(positions=start_entry(start))
                yield program
                for sees, part in looks.items():
                    if program.cost + 1 <= self.best + limits.ALIKE:
                        yield from self._with_lines(program, sees, part)

    def _with_lines(self, program: Program, sees: str, part: Part) -> Iterator[Program]:
        """Yield a program with each line of angles or values that sees so much of a table and makes most cells."""
        names, cells = program.run(part), self.matrix[np.ix_(*part)]
        lost = limits.STRETCHED * self.storage.lost(names["angles"], names["w"])
        for entry in (*choices("angles"), *choices("values")):
            if not entry.cost or entry.sees != sees:
                continue
            try:
                made = np.asarray(evaluated(entry.line, names))
            except ERRORS:
                continue
            with np.errstate(all="ignore"):
                made = np.sin(made + names["q"] * np.pi / 2) if entry.slot == "angles" else made
                if made.shape != cells.shape:
                    continue
                allowed = self.storage.half_unit(made) + lost * np.maximum(1.0, np.abs(made))
                near = (np.abs(cells - made) <= allowed) | np.isnan(cells)
            if near.mean() >= limits.AGREEING:
                yield program.but(**{entry.slot: entry})
