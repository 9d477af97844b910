"""The search for the programs that make a matrix: first on a few of its numbers, then proved on all of them.

What can be listed is tried: orders, layouts, frequencies, bases, first positions. What is continuous is solved: the
base from how fast columns turn, the position of every row from the angles of all pairs, scale and offset by least
squares. A number that was measured is replaced by the simplest number near it with which no cell is off by more than
rounding allows.

A `Search` has methods that yield programs, and one, `prove`, that runs them and keeps those that make the matrix.
`measured` goes through the readings of the matrix (`View`), each an order of rows and columns with a layout; on each it
tries all frequencies (`Law`), with positions from 0 or 1 and with positions as the angles say them. `anywhere` asks
single columns, and finds any first position. `forward` runs the lines of angles, values and positions on the usual
encodings. A number of the matrix that is nan says nothing: any program makes it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

import numpy as np

from pe_diagnosis import limits
from pe_diagnosis.anywhere import column_turns, laws_and_starts, turns_evenly
from pe_diagnosis.catalogue import Entry, choices, common
from pe_diagnosis.measure import (
    bases,
    circle,
    decode,
    known_positions,
    pace,
    paced,
    pairs_of,
    position_lines,
    spread,
    started,
    turns,
)  # fmt: skip
from pe_diagnosis.program import ERRORS, Names, Part, Program, compiled, evaluated, names_of
from pe_diagnosis.rounding import Number, Storage, best_change, plainest, price


class Law(NamedTuple):
    """A line of frequencies with a base: the one asked for (None), an entry's, or one that was measured."""

    frequencies: Entry
    base: Entry | float | None

    @property
    def cost(self) -> float:
        """What both cost together, at least."""
        if isinstance(self.base, float):
            return self.frequencies.cost + limits.MEASURED_BASE
        return self.frequencies.cost + (self.base.cost if self.base else 0.0)

    @property
    def plain_cost(self) -> float:
        """What it costs without a base that was measured."""
        return self.frequencies.cost if isinstance(self.base, float) else self.cost


@lru_cache(maxsize=256)
def scope_of(length: int, d_model: int, columns: str) -> Names | None:
    """Return the names that there are once the line of columns is run; None where it has no meaning."""
    names = names_of(length, d_model)
    try:
        with np.errstate(all="raise"):
            exec(compiled(f"i, q = {columns}"), names)
    except ERRORS:
        return None
    names["i"], names["q"] = names["i"] + 0 * names["j"], names["q"] * np.ones(d_model)
    return names


@lru_cache(maxsize=256)
def laws_of(
    length: int, d_model: int, columns: str, asked: float
) -> tuple[list[Law], np.ndarray, list[tuple[Entry, np.ndarray]]]:
    """Return all laws that need no measuring, their frequencies (n, d_model), and the exponents of those to fit."""
    scope = {**(scope_of(length, d_model, columns) or {}), "base": asked}
    laws, w, exponents = [], [], []
    for entry in choices("frequencies"):
        try:
            speeds = np.broadcast_to(evaluated(entry.line, scope), d_model)
        except ERRORS:
            continue
        laws.append(Law(entry, None))
        w.append(speeds)
        if entry.fit:
            with np.errstate(divide="ignore"):
                exponents.append((entry, -np.log(evaluated(entry.line, {**scope, "base": np.e}))))
            for slip in slips(asked):
                laws.append(Law(entry, slip))
                slipped = evaluated(slip.line, {"np": np})
                w.append(np.broadcast_to(evaluated(entry.line, {**scope, "base": slipped}), d_model))
    found = np.array(w, float)
    return laws, np.where(np.isfinite(found), found, 0), exponents


@lru_cache(maxsize=16)
def slips(asked: float) -> list[Entry]:
    """Return the bases that a slip makes of the one asked for."""
    found = []
    for entry in choices("base"):
        line = entry.line.replace("{base}", repr(asked))
        said = entry.sentence.replace("{number}", f"{evaluated(line, {'np': np}):.6g}")
        found.append(Entry("base", entry.cost, entry.cause, line, said))
    return found


def usual_programs(length: int, d_model: int, asked: float) -> list[Program]:
    """Return the encodings in wide use, from position 0."""
    return [
        Program(length, d_model, asked, columns=columns, frequencies=law)
        for columns in common("columns")
        for law in common("frequencies")
    ]


@dataclass(frozen=True)
class Undone:
    """The matrix as it was before it was put in an order."""

    order: Entry
    table: np.ndarray  # with nan in rows and columns that hold nothing but zeros
    unit: float  # by how much a number near 1 may have been rounded

    @cached_property
    def filled(self) -> tuple[np.ndarray, np.ndarray]:
        """All rows from the first to the last that hold something, and some columns that do."""
        rows, columns = (np.flatnonzero(np.isfinite(self.table).any(axis)) for axis in (1, 0))
        return np.arange(rows[0], rows[-1] + 1), columns[spread(len(columns), 2 * limits.COLUMNS)]

    @cached_property
    def even(self) -> bool:
        """Whether all columns turn evenly from row to row, apart from rows and columns of zeros."""
        rows, columns = self.filled
        x = self.table[np.ix_(rows[: limits.LONGEST], columns)]
        return bool(np.isfinite(x).all()) and turns_evenly(x, self.unit)

    @cached_property
    def speeds(self) -> np.ndarray:
        """How far some columns turn per row, nan where they don't say."""
        speeds, columns = np.full(self.table.shape[1], np.nan), self.filled[1]
        speeds[columns] = column_turns(np.nan_to_num(self.table[: limits.LONGEST, columns]))[0]
        return speeds


@dataclass(frozen=True)
class View:
    """One reading of the matrix: an order undone, and one layout of the columns."""

    undone: Undone
    program: Program  # with this order and this layout
    i: np.ndarray  # the pair of each column
    q: np.ndarray  # the function of each column, in quarter turns
    new_functions: bool  # whether no view before had the same function in every column

    @property
    def table(self) -> np.ndarray:
        """The matrix before it was put in this order."""
        return self.undone.table

    @cached_property
    def pairs(self) -> np.ndarray:
        """The columns of some pairs, (n, 2)."""
        found = pairs_of(self.i, self.q)
        found = found[np.isfinite(self.table).any(0)[found].any(1)]
        return np.asarray(found[spread(len(found), limits.COLUMNS // 2)])

    @cached_property
    def rows(self) -> np.ndarray:
        """The rows that are looked at first."""
        return spread(len(self.table), limits.ROWS)

    @cached_property
    def columns(self) -> np.ndarray:
        """The columns that are looked at first."""
        return np.union1d(self.pairs, spread(self.table.shape[1], limits.COLUMNS)).astype(int)

    @cached_property
    def cells(self) -> np.ndarray:
        """The numbers that are looked at first."""
        return np.asarray(self.table[np.ix_(self.rows, self.columns)])

    @cached_property
    def circle(self) -> tuple[float, float]:
        """Offset and radius of the circles that the pairs draw."""
        if not len(self.pairs):
            return 0.0, 1.0
        x, y = (self.table[np.ix_(self.rows, side)] for side in self.pairs.T)
        return circle(x, y, self.undone.unit)

    def angles(self, rows: int | None = None) -> np.ndarray:
        """Return the angles of the pairs in all rows, or in the first so many, (rows, n)."""
        middle = self.circle[0]
        x, y = (self.table[:rows, side] - middle for side in self.pairs.T)
        return np.asarray(np.arctan2(x, y) - self.q[self.pairs[:, 0]] * np.pi / 2)

    def turn_rates(self) -> Iterator[np.ndarray]:
        """Yield how fast the columns turn: each by itself, and then each pair together."""
        yield self.undone.speeds
        if len(self.pairs):
            rates = np.full(self.table.shape[1], np.nan)
            rates[self.pairs.ravel()] = np.repeat(np.abs(turns(self.angles(limits.LONGEST))), 2)
            yield rates


class Search:
    """The programs that make one matrix, and those that nearly make it.

    Whatever changes, changes while `prove` runs. A program that makes all numbers joins `survivors`, and lowers `best`
    if it costs less than all before; one that makes some joins `near`, with their share among the numbers looked at,
    which of a large matrix may be a part. The methods that yield programs read `best` between two yields, and leave
    out what has become too dear: give them to `prove` as they are, and don't make lists of them.
    """

    def __init__(self, matrix: np.ndarray, asked: float, storage: Storage | None = None) -> None:
        self.matrix, self.asked, self.storage = matrix, asked, storage or Storage(matrix)
        self.survivors: list[Program] = []
        self.near: list[tuple[float, Program]] = []
        self.best = limits.DEAREST  # the least cost so far
        self._tried: set[tuple[str, ...]] = set()  # programs, by their lines
        self._measured: set[tuple[object, ...]] = set()  # programs, and the measured numbers that were made plain
        part = spread(len(matrix), 2 * limits.ROWS), spread(matrix.shape[1], 2 * limits.COLUMNS)
        self.part = part if matrix.size > 4 * len(part[0]) * len(part[1]) else None  # of a large matrix: proved first
        self.told = ~np.isnan(matrix)  # the numbers that say something
        self._known = matrix.copy()  # with nan in rows and columns of zeros
        for axis in (0, 1):
            empty = ~np.any(matrix, axis=1 - axis)
            if empty.mean() < 0.97:  # else little would be left
                np.moveaxis(self._known, axis, 0)[empty] = np.nan

    # ------------------------------------------------------------------ proof

    def prove(self, programs: Iterable[Program]) -> list[Program]:
        """Run programs, and return all that make every number, those of earlier calls too."""
        for program in programs:
            key = program.key
            if key in self._tried or program.cost > self.best + limits.ALIKE:
                continue
            self._tried.add(key)
            share = self._share(program)
            if share == 1:
                self.survivors.append(program)
                self.best = min(self.best, program.cost)
            elif share > 0.01:
                self.near.append((share, program))
        return self.survivors

    def _share(self, program: Program) -> float:
        """Return the share of numbers that a program makes: of a part of a large matrix, where that refuses it."""
        for part in (self.part, None) if self.part is not None and program.cellwise else (None,):
            fits, _ = self.compare(program, part)
            if not fits.all():
                return float(fits[self.told if part is None else self.told[np.ix_(*part)]].mean())
        return 1.0

    def compare(self, program: Program, part: Part | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return which numbers a program makes, on a part of the cells or on all, and the table that it makes."""
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
        lost = np.minimum(self.storage.lost(names["angles"], names["w"]), limits.MOST_LOST)
        if program.values is not None:
            lost = lost * limits.STRETCHED * np.maximum(1.0, np.abs(names["before"]))
        elif program.scale is not None:
            lost = lost * max(1.0, float(np.ptp(names["before"])) / 2)
        if program.order.cost:
            lost = evaluated(program.order.line, {**names, "matrix": lost})
        if lost.shape != table.shape:
            lost = np.full(table.shape, lost.max(initial=0))
        return np.asarray(self.storage.half_unit(table) + lost)

    # ------------------------------------------------------------------ all readings of the matrix

    @cached_property
    def tables(self) -> list[Undone]:
        """The matrix as it was before each order that it can have been put in: if it turns evenly, it did so then."""
        found: list[Undone] = []
        for order in choices("order"):
            try:
                table = evaluated(order.undo, {"np": np, "matrix": self._known})
            except ERRORS:
                continue
            if table.ndim == 2 and min(table.shape) > 0 and np.isfinite(table).any():
                one = Undone(order, table, self.storage.unit)
                if not found or not found[0].even or one.even:
                    found.append(one)
        return found

    @property
    def even(self) -> bool:
        """Whether all columns of the matrix turn evenly from row to row."""
        return any(not one.order.cost and one.even for one in self.tables)

    @cached_property
    def views(self) -> list[View]:
        """All readings of the matrix, the cheapest first, each layout of an order once."""
        todo = [
            (one.order.cost + columns.cost, one, columns)
            for one in self.tables
            for columns in (choices("columns") if not one.order.cost else common("columns"))
        ]
        found: list[View] = []
        layouts, functions = set(), set()
        for _, undone, columns in sorted(todo, key=lambda one: one[0]):
            order, table = undone.order, undone.table
            scope = scope_of(*table.shape, columns.line)
            if scope is None:
                continue
            known = np.isfinite(table).any(0)
            i, q = (scope[name][known].tobytes() for name in "iq")
            if (order.line, i, q) not in layouts:
                new = (order.line, q) not in functions
                program = Program(len(table), table.shape[1], self.asked, columns=columns, order=order)
                found.append(View(undone, program, scope["i"], scope["q"], new))
                layouts.add((order.line, i, q))
                functions.add((order.line, q))
        return found

    def measured(self, beyond: float = -1.0, dearest: float = 2.0, most: float = limits.DEAREST) -> Iterator[Program]:
        """Yield what laws make of the views that cost more than `beyond`, the cheapest first, for `most` in all."""
        for view in self.views:
            cost = view.program.cost
            if cost > min(self.best, dearest):
                return
            if cost > beyond:
                yield from self._of_view(view, most)

    def _of_view(self, view: View, most: float) -> Iterator[Program]:
        """Yield what all laws make of one view: with positions from 0 and from 1, and with those of the angles."""
        laws, w = self._laws(view, most)
        if not laws:
            return
        for start in (0, 1):
            plain, scaled = self._hopeful(view, w, start)
            counted = np.broadcast_to(view.rows + start, (len(w), len(view.rows)))
            program = view.program.but(positions=started(start))
            for n, scale in self._agreeing(view, w, np.flatnonzero(plain), counted, scaled=False):
                yield from self._with_numbers(view, program, laws[n], scale)
            if self.best + limits.ALIKE >= view.program.cost + limits.MEASURED_SCALE:
                for n, scale in self._agreeing(view, w, np.flatnonzero(scaled), counted, scaled=True):
                    yield from self._with_numbers(view, program, laws[n], scale)
        if len(view.pairs) > 1:
            yield from self._decoded(view, laws, w)

    def anywhere(self) -> Iterator[Program]:
        """Yield what laws with one mistake at most make from any first position on, if all columns turn evenly."""
        if not self.even:
            return
        rows, columns = self.tables[0].filled
        laws = []
        for view in self.views:
            if not view.program.order.cost and view.program.cost <= limits.DEAREST_ANYWHERE:
                some, w = self._laws(view, with_measured=view.program.cost < 1)
                laws += [(view, law, w[n]) for n, law in enumerate(some)]
        laws = [one for one in laws if one[0].program.cost + one[1].plain_cost <= limits.DEAREST_ANYWHERE]
        laws.sort(key=lambda one: one[0].program.cost + one[1].cost)
        if not laws:
            return
        w, q = (np.array(some)[:, columns] for some in ([w for *_, w in laws], [view.q for view, *_ in laws]))
        x, before = self._known[np.ix_(rows, columns)], self.best
        for reach in limits.STARTS:  # in small tables, some far start will make nearly any numbers
            for n, step, start in laws_and_starts(x, w, q, self.storage, reach):
                view, law, _ = laws[n]
                yield from self._with_numbers(view, view.program, law, None, (step, start - step * rows[0]))
            if self.best < before:
                return

    def _laws(
        self, view: View, most: float = limits.DEAREST, with_measured: bool = True
    ) -> tuple[list[Law], np.ndarray]:
        """Return the laws that are not too dear, those of measured bases among them, and their frequencies."""
        laws, w, exponents = laws_of(*view.table.shape, view.program.columns.line, self.asked)
        if not view.new_functions:  # a line without i gives what it gave on the view with the same functions
            of_pairs = [n for n, law in enumerate(laws) if re.search(r"\bi\b", law.frequencies.line)]
            laws, w = [laws[n] for n in of_pairs], w[of_pairs]
        rest = min(self.best, most) - view.program.cost
        fitted: dict[tuple[Entry, str], tuple[Law, np.ndarray]] = {}
        for rates in view.turn_rates() if with_measured and rest >= limits.MEASURED_BASE else ():
            for entry, exponent in exponents:
                for base in bases(rates, exponent):
                    if abs(base / self.asked - 1) > 1e-9:
                        fitted.setdefault((entry, f"{base:.9e}"), (Law(entry, base), base**-exponent))
        laws = laws + [law for law, _ in fitted.values()]
        w = np.concatenate([w, [speeds for _, speeds in fitted.values()]]) if fitted else w
        cheap = [n for n, law in enumerate(laws) if law.cost <= rest]
        return [laws[n] for n in cheap], w[cheap]

    # ------------------------------------------------------------------ some cells, all laws at once

    def _hopeful(self, view: View, w: np.ndarray, start: int) -> tuple[np.ndarray, np.ndarray]:
        """Say from sixty cells which laws make half of them, and which would with some scale and offset."""
        rows, columns = spread(len(view.rows), 6), spread(len(view.columns), 10)
        cells, at = view.cells[np.ix_(rows, columns)], view.columns[columns]
        good = np.isfinite(cells)
        filled = good & (cells != 0)
        if not filled.any():
            return np.zeros(len(w), bool), np.zeros(len(w), bool)
        angles = (view.rows[rows] + start)[None, :, None] * w[:, None, at]
        made = np.sin(angles + view.q[at] * np.pi / 2)
        with np.errstate(all="ignore"):
            near = np.abs(cells - made) <= 2 * self.storage.unit + 1e-4 * np.abs(angles) + 1e-6
            y, x = cells[filled] - cells[filled].mean(), made[:, filled] - made[:, filled].mean(1, keepdims=True)
            correlation = (x @ y) / np.sqrt((x * x).sum(1) * (y @ y))
        return near.sum((1, 2)) >= limits.HALF * good.sum(), np.abs(correlation) > 0.9

    def _agreeing(
        self, view: View, w: np.ndarray, some: np.ndarray, p: np.ndarray, *, scaled: bool
    ) -> Iterator[tuple[int, tuple[float, float] | None]]:
        """Yield which of some laws make most of the cells at positions p (laws, rows), with their scale and offset.

        The best come first. Without `scaled`, numbers are compared as they are, and None is yielded for the scale.
        """
        known = np.isfinite(view.cells) & ((view.cells != 0) | (not scaled))  # zeros may be those of dropout
        if not len(some) or not known.any():
            return
        speeds = w[some][:, np.newaxis, view.columns]
        angles = p[some][:, :, np.newaxis] * speeds
        made = np.sin(angles + view.q[view.columns] * np.pi / 2)
        fitted = scales(view.cells[known], made[:, known]) if scaled else np.tile([1.0, 0.0], (len(some), 1))
        lost = np.minimum(self.storage.lost(angles, speeds) + 1e-6 * np.abs(angles), limits.MOST_LOST / 3)
        with np.errstate(all="ignore"):
            made = fitted[:, 0, None, None] * made + fitted[:, 1, None, None]
            near = np.abs(view.cells - made) <= 3 * (self.storage.half_unit(made) + lost)
        share = (near & known).sum((1, 2)) / known.sum()
        for n in np.argsort(-share, kind="stable")[:12]:
            if share[n] < (limits.FITTED if scaled else limits.ENOUGH):
                break
            scale, offset = map(float, fitted[n])
            if not scaled:
                yield int(some[n]), None
            elif self._is_scale(view, scale, offset):
                yield int(some[n]), (scale, offset)

    def _is_scale(self, view: View, scale: float, offset: float) -> bool:
        """Say whether a scale and an offset are more than rounding, and not a sign that the layout says already."""
        coarse = float(self.storage.half_unit(scale)) > 0.05 * abs(scale)  # fits whatever was rounded
        needed = max(abs(scale - 1), abs(offset)) > 3 * self.storage.unit
        sign = scale < 0 and view.program.columns.cost >= 1
        return limits.SCALES[0] < abs(scale) < limits.SCALES[1] and needed and not coarse and not sign

    def _decoded(self, view: View, laws: list[Law], w: np.ndarray) -> Iterator[Program]:
        """Let every law say the positions of the rows, and yield those whose positions make the cells."""
        first, second = (w[:, side] for side in view.pairs.T)  # the speeds of both columns of a pair
        costs = np.array([view.program.cost + law.cost for law in laws])
        middle, radius = view.circle
        coarse = float(self.storage.half_unit(radius)) + 8 * self.storage.eps
        scaled = max(abs(radius - 1), abs(middle)) > 3 * coarse
        # The two columns of a pair have to share a speed, else its angle says nothing.
        paired = (np.abs(first - second) <= 1e-12).all(1) & (np.abs(first) > 1e-11).any(1)
        some = np.flatnonzero(paired & (costs + limits.MEASURED_SCALE * scaled < self.best))
        if not len(some):
            return
        angles, p = view.angles(), np.zeros((len(w), len(view.rows)))
        p[some] = decode(angles[view.rows], first[some])
        for n, scale in self._agreeing(view, w, some, p, scaled=scaled):
            law, speeds = laws[n], first[n]
            positions = np.where(np.isfinite(view.table).any(1), decode(angles, speeds[np.newaxis])[0], np.nan)
            off = 4 * coarse / radius / np.abs(speeds).max()  # what the fastest pair leaves open
            off += 20 * self.storage.eps * float(np.nanmax(np.abs(positions)))
            lines = position_lines(positions, off, view.program.d_model, free=law.cost < 1 and len(view.pairs) > 2)
            for line in lines:
                yield from self._with_numbers(view, view.program.but(positions=line), law, scale)
            step, start, steady = pace(positions, off)
            named = any(line.cost and line in choices("positions") for line in lines) and abs(start) <= off
            # A whole start needs no measuring, which with a measured base takes three pairs at least.
            if steady > limits.ENOUGH and not named and abs(step - 1) <= off and abs(start - round(start)) <= off:
                yield from self._with_numbers(view, view.program.but(positions=started(round(start))), law, scale)
            elif steady > limits.ENOUGH and not named and coarse / radius * _longest_leap(speeds) < limits.LEAP:
                yield from self._with_numbers(view, view.program, law, scale, (step, start))

    # ------------------------------------------------------------------ numbers that were measured

    def _with_numbers(
        self,
        view: View,
        program: Program,
        law: Law,
        scale: tuple[float, float] | None,
        positions: tuple[float, float] | None = None,
    ) -> Iterator[Program]:
        """Yield a program with a law, and with the plainest numbers near those that were measured.

        `scale` is scale and offset, and `positions` step and first position, where they were measured.
        """
        program = program.but(frequencies=law.frequencies, base=law.base if isinstance(law.base, Entry) else None)
        measured: list[tuple[str, Callable[..., Entry | None], tuple[float, ...]]] = []
        if isinstance(law.base, float):
            measured.append(("base", self._base, (law.base,)))
        if scale is not None:
            measured.append(("scale", _scaled, scale))
        if positions is not None:
            measured.append(("positions", partial(paced, length=program.length), positions))
        if not measured:
            yield program
            return
        least = program.cost + limits.MEASURED_BASE * isinstance(law.base, float)
        least += limits.MEASURED_SCALE * (scale is not None)
        key = (program.key, law.base, scale, positions)
        if least > self.best + limits.ALIKE or key in self._measured or len(self._measured) >= limits.ATTEMPTS:
            return
        if isinstance(law.base, float) and positions is not None and len(view.pairs) < 3:
            return  # two numbers make any two speeds
        self._measured.add(key)

        def with_numbers(numbers: Iterable[Number]) -> Program:
            rest = iter(numbers)
            return program.but(**{slot: line(*(next(rest) for _ in some)) for slot, line, some in measured})

        numbers = self._plain_numbers(view, with_numbers, np.concatenate([some for _, _, some in measured]))
        if numbers is not None:
            yield with_numbers(numbers)

    def _plain_numbers(
        self, view: View, with_numbers: Callable[[Iterable[Number]], Program], x: np.ndarray
    ) -> list[Number] | None:
        """Return the plainest numbers near x with which a program makes the cells; None if it makes too few.

        They are brought nearer first, step by step (Gauss and Newton), with cells that are far off left out as damage.
        """
        part = spread(view.table.shape[0], 2 * limits.ROWS), spread(view.table.shape[1], 2 * limits.COLUMNS)
        given = view.table[np.ix_(*part)]

        def made_with(numbers: np.ndarray) -> Names:
            program = with_numbers([Number(repr(float(one)), float(one)) for one in numbers])
            return program.but(order=choices("order")[0]).run(part)

        for _ in range(limits.CORRECTIONS):
            steps = 1e-6 * np.maximum(np.abs(x), 1e-3)
            try:
                names, *nearby = (made_with(one) for one in (x, *(x + np.diag(steps))))
            except ERRORS:
                return None
            made = names["matrix"]
            lost = np.minimum(self.storage.lost(names["angles"], names["w"]), limits.MOST_LOST)
            allowed = self.storage.half_unit(made) + lost * max(1.0, float(np.ptp(made)) / 2)
            missing = given - made
            good = np.abs(missing) <= 6 * np.nanquantile(np.abs(missing), limits.ENOUGH) + 3 * allowed
            slopes = np.array([(one["matrix"] - made)[good] / step for one, step in zip(nearby, steps, strict=True)])
            missing, allowed = missing[good], allowed[good]
            if not np.isfinite(slopes).all():
                return None
            change = np.linalg.lstsq((slopes / allowed).T, missing / allowed, rcond=None)[0]
            if np.abs(slopes.T @ change / allowed).max() < 0.1:
                break
            x = x + change
        no_damage = good.sum() == np.isfinite(given).sum()
        if no_damage and best_change(missing, slopes, allowed)[1] > limits.HOPELESS:
            return None
        return plainest(x, missing, slopes, allowed)

    def _base(self, number: Number) -> Entry:
        """Return the line of a base that was measured."""
        said = f"The base is {number.value:.7g} and should be {self.asked:g}. Was a number mistyped, or an exponent?"
        return Entry("base", 1 + price(repr(number.value)), "base", repr(number.value), said)

    # ------------------------------------------------------------------ lines that cannot be undone

    def forward(self) -> Iterator[Program]:
        """Yield the lines of angles, values and positions that make most cells of a usual encoding from 0 or from 1."""
        length, d_model = self.matrix.shape
        looks = {
            "cell": (spread(length, limits.ROWS), spread(d_model, limits.COLUMNS)),
            "row": (spread(length, limits.ROWS), np.arange(d_model)),
            "column": (np.arange(length), spread(d_model, 8)),
        }
        for usual in usual_programs(length, d_model, self.asked):
            for start in (0, 1):
                program = usual.but(positions=started(start))
                yield program
                if not start and self.best > 1:
                    yield from self._with_positions(program)
                for sees, part in looks.items():
                    if program.cost + 1 <= self.best + limits.ALIKE:
                        yield from self._with_lines(program, sees, part)

    def _with_positions(self, program: Program) -> Iterator[Program]:
        """Yield a program with lines of positions: those whose positions grow too large to be decoded."""
        rows, columns = spread(len(self.matrix), 8), spread(self.matrix.shape[1], 12)
        lines = known_positions(*self.matrix.shape)
        names, cells = program.run((rows, columns)), self.matrix[np.ix_(rows, columns)]
        positions = np.array([made[rows] for _, made in lines])
        made = np.sin(positions[:, :, np.newaxis] * names["w"] + names["q"] * np.pi / 2)
        near = np.abs(cells - made) <= self.storage.half_unit(made) + limits.MOST_LOST
        for n in np.flatnonzero((near | np.isnan(cells)).mean((1, 2)) >= limits.AGREEING):
            yield program.but(positions=lines[n][0])

    def _with_lines(self, program: Program, sees: str, part: Part) -> Iterator[Program]:
        """Yield a program with each line of angles or values that sees so much of a table and makes most cells."""
        names, cells = program.run(part), self.matrix[np.ix_(*part)]
        lost = limits.STRETCHED * np.minimum(self.storage.lost(names["angles"], names["w"]), limits.MOST_LOST)
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


def _longest_leap(w: np.ndarray) -> float:
    """Return how many times as fast as the pair before it a pair is, at most, from slow ones to fast ones."""
    speeds = np.sort(np.abs(w[w != 0]))
    return float((speeds[1:] / speeds[:-1]).max(initial=1.0))


def scales(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return scale and offset (n, 2) of y = scale · x[n] + offset by least squares: an offset only where needed."""
    with np.errstate(all="ignore"):
        mean_x, mean_y = x.mean(1), y.mean()
        scale = ((x * y).mean(1) - mean_x * mean_y) / ((x * x).mean(1) - mean_x * mean_x)
        offset = mean_y - scale * mean_x
        alone = (x * y).sum(1) / (x * x).sum(1)
        off = np.abs(y - alone[:, None] * x).max(1)
        enough = off <= np.abs(y - scale[:, None] * x - offset[:, None]).max(1) * 1.5 + 1e-12
    return np.asarray(np.nan_to_num(np.stack([np.where(enough, alone, scale), np.where(enough, 0, offset)], 1)))


def _scaled(scale: Number, offset: Number) -> Entry | None:
    """Return the line that multiplies by a scale and adds an offset; None where neither is needed."""
    a, m = scale.value, offset.value
    line = "matrix" if a == 1 else f"{scale.text} * matrix"
    line += f" {'+' if m > 0 else '-'} {offset.text.lstrip('-')}" if m else ""
    if line == "matrix":
        return None
    cause = "scale-offset" if a != 1 and m else "offset" if m else "scale"
    cost = (0.8 + 0.3 * (a < 0) + price(scale.text)) * (a != 1) + (0.9 + price(offset.text)) * (m != 0)
    said = [f"multiplied by {a:.6g}"] * (a != 1) + [f"{'raised' if m > 0 else 'lowered'} by {abs(m):.6g}"] * (m != 0)
    return Entry("scale", cost, cause, line, f"All numbers are {' and '.join(said)}. Leave them as they are.")
