"""The search for the programs that make a matrix: first on a few of its numbers, then proved on all of them.

What can be listed is tried: orders, layouts, frequencies, bases, first positions. What is continuous is solved: the
base from how fast columns turn, the position of every row from the angles of all pairs, scale and offset by least
squares. A number that was measured so is replaced by the simplest number near it with which
no cell is off by more than rounding allows. So one question proves every program: does it make the matrix?

`Search.measured` goes through the readings of the matrix (`View`), each an order of rows and columns with a layout.
On each it tries all frequencies (`Law`), with positions that count from 0 or 1 and then with positions as the angles
say them. `Search.forward` runs the lines of angles, values and positions on the usual encodings.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from pe_diagnosis.catalogue import Entry, choices, common
from pe_diagnosis.measure import (
    ENOUGH,
    bases,
    circle,
    column_turns,
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
from pe_diagnosis.rounding import HOPELESS, Number, Storage, best_change, plainest, price

# How much is looked at.
ROWS, COLUMNS = 24, 32  # of a view, first
LONGEST = 2048  # rows from which turns are measured
STARTS = np.arange(-200, 10_000)  # first positions, tried one by one
ATTEMPTS = 60  # at programs with measured numbers, for one matrix
CORRECTIONS = 5  # of measured numbers, for one program
# How much has to agree before a program is run on all numbers.
HALF = 0.5  # of sixty cells
MOST = 0.85  # of the cells, for lines of angles and values
FITTED = 0.9  # of the cells, where scale and offset were fitted to them
# How far numbers may be off.
MOST_LOST = 0.02  # a sine: beyond, anything would fit
STRETCHED = 8  # times what a sine may be off, after a line of values
SCALES = 1e-3, 1e3  # a scale beyond makes straight lines of sines, or nothing
# Costs.
MEASURED_BASE = 1.1  # the least for a base that was measured
MEASURED_SCALE = 0.9  # the least for a scale or an offset
DEAREST = 3.4  # the most for a program that is believed
ALIKE = 0.1  # two programs that cost no more apart are both kept


class Law(NamedTuple):
    """A line of frequencies with a base: the one asked for (None), an entry's, or one that was measured."""

    frequencies: Entry
    base: Entry | float | None

    @property
    def cost(self) -> float:
        """What both cost together, at least."""
        if isinstance(self.base, float):
            return self.frequencies.cost + MEASURED_BASE
        return self.frequencies.cost + (self.base.cost if self.base else 0.0)


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
class View:
    """One reading of the matrix: an order undone, and one layout of the columns."""

    table: np.ndarray  # with nan in rows and columns that hold nothing but zeros
    program: Program  # with this order and this layout
    i: np.ndarray  # the pair of each column
    q: np.ndarray  # the function of each column, in quarter turns
    speeds: np.ndarray  # how far each column turns per row, nan where it does not say
    unit: float  # by how much a number near 1 may have been rounded
    new_functions: bool  # whether no view before had the same function in every column

    @cached_property
    def pairs(self) -> np.ndarray:
        """The columns of some pairs, (n, 2)."""
        found = pairs_of(self.i, self.q)
        return np.asarray(found[spread(len(found), COLUMNS // 2)])

    @cached_property
    def rows(self) -> np.ndarray:
        """The rows that are looked at first."""
        return spread(len(self.table), ROWS)

    @cached_property
    def columns(self) -> np.ndarray:
        """The columns that are looked at first."""
        return np.union1d(self.pairs, spread(self.table.shape[1], COLUMNS)).astype(int)

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
        return circle(x, y, self.unit)

    def angles(self, rows: int | None = None) -> np.ndarray:
        """Return the angles of the pairs in all rows, or in the first so many, (rows, n)."""
        middle = self.circle[0]
        x, y = (self.table[:rows, side] - middle for side in self.pairs.T)
        return np.asarray(np.arctan2(x, y) - self.q[self.pairs[:, 0]] * np.pi / 2)

    def turn_rates(self) -> Iterator[np.ndarray]:
        """Yield how fast the columns turn: each by itself, and then each pair together."""
        yield self.speeds
        if len(self.pairs):
            rates = np.full(self.table.shape[1], np.nan)
            rates[self.pairs.ravel()] = np.repeat(np.abs(turns(self.angles(LONGEST))), 2)
            yield rates


class Seen(NamedTuple):
    """What is known of the matrix in one order: it grows from view to view."""

    layouts: set[tuple[bytes, bytes]]  # the pairs and the functions of all columns
    speeds: np.ndarray  # how far each column turns per row, nan where it was not measured


class Search:
    """The programs that make one matrix, and those that nearly make it."""

    def __init__(self, matrix: np.ndarray, asked: float, storage: Storage | None = None) -> None:
        self.matrix, self.asked, self.storage = matrix, asked, storage or Storage(matrix)
        self.survivors: list[Program] = []
        self.near: list[tuple[float, Program]] = []  # with the share of numbers that each makes
        self.best = DEAREST  # the least cost so far
        self._attempts = 0  # at numbers that were measured
        self._tried: set[tuple[str, ...]] = set()  # programs, by their lines
        self._seen: dict[str, Seen] = {}  # for each order, by its line
        part = spread(len(matrix), 2 * ROWS), spread(matrix.shape[1], 2 * COLUMNS)
        self.part = part if matrix.size > 4 * len(part[0]) * len(part[1]) else None  # of a large matrix: proved first
        self._known = matrix.copy()  # with nan in rows and columns of zeros
        for axis in (0, 1):
            empty = ~np.any(matrix, axis=1 - axis)
            if empty.mean() < 0.97:  # else little would be left
                np.moveaxis(self._known, axis, 0)[empty] = np.nan

    # ------------------------------------------------------------------ proof

    def prove(self, program: Program) -> None:
        """Run a program and keep it if it makes every number, or note how many it makes."""
        key = (str(program.length), *(entry.line for entry in program.slots()))
        if key in self._tried or program.cost > self.best + ALIKE:
            return
        self._tried.add(key)
        if self.part is not None and program.cellwise:
            fits, _ = self.compare(program, self.part)
            if not fits.all():
                self._note(program, fits)
                return
        fits, _ = self.compare(program)
        if fits.all():
            self.survivors.append(program)
            self.best = min(self.best, program.cost)
        else:
            self._note(program, fits)

    def _note(self, program: Program, fits: np.ndarray) -> None:
        if fits.mean() > 0.01:
            self.near.append((float(fits.mean()), program))

    def compare(self, program: Program, part: Part | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return which numbers a program makes, on a part of the cells or on all, and the table that it makes."""
        matrix = self.matrix if part is None else self.matrix[np.ix_(*part)]
        try:
            names = program.run(part)
            table = np.asarray(names["matrix"], float)
            if table.shape == matrix.shape:
                with np.errstate(invalid="ignore"):
                    return np.abs(matrix - table) <= self._allowed(program, names, table), table
        except ERRORS:
            pass
        return np.zeros(matrix.shape, bool), matrix

    def _allowed(self, program: Program, names: Names, table: np.ndarray) -> np.ndarray:
        """Return how far each number of a table may be off, by its storage and by the way in which it was computed."""
        lost = np.minimum(self.storage.lost(names["angles"], names["w"]), MOST_LOST)
        if program.values is not None:
            lost = lost * STRETCHED * np.maximum(1.0, np.abs(names["before"]))
        elif program.scale is not None:
            lost = lost * max(1.0, float(np.ptp(names["before"])) / 2)
        if program.order.cost:
            lost = evaluated(program.order.line, {**names, "matrix": lost})
        if lost.shape != table.shape:
            lost = np.full(table.shape, lost.max(initial=0))
        return np.asarray(self.storage.half_unit(table) + lost)

    # ------------------------------------------------------------------ all readings of the matrix

    def measured(self, dearest_view: float = 2.0) -> None:
        """Try all views, the cheapest first, with every law; a view that was tried before is left out."""
        todo = []
        for order in choices("order"):
            table = self.undone(order)
            if table is not None:
                layouts = choices("columns") if not order.cost else common("columns")
                todo += [(order.cost + columns.cost, order, columns, table) for columns in layouts]
        for cost, order, columns, table in sorted(todo, key=lambda one: one[0]):
            if cost > min(self.best, dearest_view):
                break
            view = self._view(order, columns, table)
            if view is not None:
                self._try_view(view)

    def undone(self, order: Entry) -> np.ndarray | None:
        """Return the matrix as it was before it was put in this order, if it can have been."""
        try:
            table = evaluated(order.undo, {"np": np, "matrix": self._known})
        except ERRORS:
            return None
        return table if table.ndim == 2 and min(table.shape) > 0 and np.isfinite(table).any() else None

    def _view(self, order: Entry, columns: Entry, table: np.ndarray) -> View | None:
        """Return the view of these two choices; None if there is none, or it was there before."""
        seen = self._seen.setdefault(order.line, Seen(set(), np.full(table.shape[1], np.nan)))
        scope = scope_of(*table.shape, columns.line)
        if scope is None or (layout := (scope["i"].tobytes(), scope["q"].tobytes())) in seen.layouts:
            return None
        program = Program(table.shape[0], table.shape[1], self.asked, columns=columns, order=order)
        new_functions = all(functions != layout[1] for _, functions in seen.layouts)
        view = View(table, program, scope["i"], scope["q"], seen.speeds, self.storage.unit, new_functions)
        seen.layouts.add(layout)
        missing = view.columns[np.isnan(seen.speeds[view.columns])]  # the view shares these speeds
        seen.speeds[missing] = column_turns(np.nan_to_num(table[:LONGEST, missing]))
        return view

    def _try_view(self, view: View) -> None:
        """Try all laws and positions on one view."""
        laws, w = self._laws(view)
        if not laws:
            return
        for start in (0, 1):
            plain, scaled = self._hopeful(view, w, start)
            counted = np.broadcast_to(view.rows + start, (len(w), len(view.rows)))
            program = view.program.but(positions=started(start))
            for n, scale in self._agreeing(view, w, np.flatnonzero(plain), counted, scaled=False):
                self._prove_measured(view, program, laws[n], scale)
            if self.best > view.program.cost + MEASURED_SCALE / 2:
                for n, scale in self._agreeing(view, w, np.flatnonzero(scaled), counted, scaled=True):
                    self._prove_measured(view, program, laws[n], scale)
        narrow = np.pi * self.asked ** (1 - 2 / view.program.d_model) < STARTS[-1]
        if narrow and self.best > 1 and view.program.cost < 1:
            self._from_far(view)
        if len(view.pairs) > 1:
            self._decoded(view, laws, w)

    def _laws(self, view: View) -> tuple[list[Law], np.ndarray]:
        """Return the laws that are not too dear, those of measured bases among them, and their frequencies."""
        laws, w, exponents = laws_of(*view.table.shape, view.program.columns.line, self.asked)
        if not view.new_functions:  # a line without i gives what it gave on the view with the same functions
            of_pairs = [n for n, law in enumerate(laws) if re.search(r"\bi\b", law.frequencies.line)]
            laws, w = [laws[n] for n in of_pairs], w[of_pairs]
        rest = min(self.best, DEAREST) - view.program.cost
        fitted: dict[tuple[Entry, str], tuple[Law, np.ndarray]] = {}
        for rates in view.turn_rates() if rest >= MEASURED_BASE else ():
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
        return near.sum((1, 2)) >= HALF * good.sum(), np.abs(correlation) > 0.9

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
        made = fitted[:, 0, None, None] * made + fitted[:, 1, None, None]
        lost = np.minimum(self.storage.lost(angles, speeds) + 1e-6 * np.abs(angles), MOST_LOST / 3)
        with np.errstate(invalid="ignore"):
            near = np.abs(view.cells - made) <= 3 * (self.storage.half_unit(made) + lost)
        share = (near & known).sum((1, 2)) / known.sum()
        for n in np.argsort(-share, kind="stable")[:12]:
            if share[n] < (FITTED if scaled else ENOUGH):
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
        return SCALES[0] < abs(scale) < SCALES[1] and needed and not coarse and not sign

    def _from_far(self, view: View) -> None:
        """Try every whole start with the usual frequencies: in narrow tables, every pair soon comes round."""
        last, scope = len(view.rows) - 1, scope_of(*view.table.shape, view.program.columns.line) or {}
        for law in common("frequencies"):
            w = evaluated(law.line, {**scope, "base": self.asked}) + 0.0 * view.q
            starts = STARTS
            for row, every in ((0, 6), (0, 1), (last // 2, 1), (last, 1)):  # ever more cells for ever fewer starts
                columns = view.columns[::every]
                angles = (starts + view.rows[row])[:, np.newaxis] * w[columns]
                off = np.abs(view.cells[row, ::every] - np.sin(angles + view.q[columns] * np.pi / 2))
                allowed = 2 * self.storage.unit + self.storage.lost(angles, w[columns]) + 1e-9
                starts = starts[(np.isnan(off) | (off <= allowed)).mean(1) >= 0.6]
            for start in sorted(starts, key=abs)[:2]:
                self.prove(view.program.but(frequencies=law, positions=started(int(start))))

    def _decoded(self, view: View, laws: list[Law], w: np.ndarray) -> None:
        """Let every law say the positions of the rows, and prove those whose positions make the cells."""
        first, second = (w[:, side] for side in view.pairs.T)  # the speeds of both columns of a pair
        costs = np.array([view.program.cost + law.cost for law in laws])
        middle, radius = view.circle
        coarse = float(self.storage.half_unit(radius)) + 8 * self.storage.eps
        scaled = max(abs(radius - 1), abs(middle)) > 3 * coarse
        paired = (np.abs(first - second) <= 1e-12).all(1) & (np.abs(first) > 1e-11).any(1)
        some = np.flatnonzero(paired & (costs + MEASURED_SCALE * scaled < self.best))
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
                self._prove_measured(view, view.program.but(positions=line), law, scale)
            step, start, steady = pace(positions, off)
            named = any(line.cost and line in choices("positions") for line in lines) and abs(start) <= off
            if steady > ENOUGH and not named and abs(step - 1) <= off and abs(start - round(start)) <= off:
                self._prove_measured(view, view.program.but(positions=started(round(start))), law, scale)
            elif steady > ENOUGH and not named:
                self._prove_measured(view, view.program, law, scale, (step, start))

    # ------------------------------------------------------------------ numbers that were measured

    def _prove_measured(
        self,
        view: View,
        program: Program,
        law: Law,
        scale: tuple[float, float] | None,
        positions: tuple[float, float] | None = None,
    ) -> None:
        """Prove a program with a law, and with the plainest numbers near those that were measured.

        `scale` is scale and offset, and `positions` step and first position, where they were measured.
        """
        program = program.but(frequencies=law.frequencies, base=law.base if isinstance(law.base, Entry) else None)
        measured: list[tuple[str, Callable[..., Entry | None], tuple[float, ...]]] = []
        if isinstance(law.base, float):
            measured.append(("base", self._base, (law.base,)))
        if scale is not None:
            measured.append(("scale", _scaled, scale))
        if positions is not None:
            measured.append(("positions", paced, positions))
        if not measured:
            self.prove(program)
            return
        least = program.cost + MEASURED_BASE * isinstance(law.base, float) + MEASURED_SCALE * (scale is not None)
        if least > self.best + ALIKE or self._attempts >= ATTEMPTS:
            return
        if isinstance(law.base, float) and positions is not None and len(view.pairs) < 3:
            return  # two numbers make any two speeds
        self._attempts += 1

        def with_numbers(numbers: Iterable[Number]) -> Program:
            rest = iter(numbers)
            return program.but(**{slot: line(*(next(rest) for _ in some)) for slot, line, some in measured})

        numbers = self._plain_numbers(view, with_numbers, np.concatenate([some for _, _, some in measured]))
        if numbers is not None:
            self.prove(with_numbers(numbers))

    def _plain_numbers(
        self, view: View, with_numbers: Callable[[Iterable[Number]], Program], x: np.ndarray
    ) -> list[Number] | None:
        """Return the plainest numbers near x with which a program makes the cells; None if it makes too few.

        They are brought nearer first, step by step (Gauss and Newton), with cells that are far off left out as damage.
        """
        part = spread(view.table.shape[0], 2 * ROWS), spread(view.table.shape[1], 2 * COLUMNS)
        given = view.table[np.ix_(*part)]

        def made_with(numbers: np.ndarray) -> Names:
            program = with_numbers([Number(repr(float(one)), float(one)) for one in numbers])
            return program.but(order=choices("order")[0]).run(part)

        for _ in range(CORRECTIONS):
            steps = 1e-6 * np.maximum(np.abs(x), 1e-3)
            try:
                names, *nearby = (made_with(one) for one in (x, *(x + np.diag(steps))))
            except ERRORS:
                return None
            made = names["matrix"]
            lost = np.minimum(self.storage.lost(names["angles"], names["w"]), MOST_LOST)
            allowed = self.storage.half_unit(made) + lost * max(1.0, float(np.ptp(made)) / 2)
            missing = given - made
            good = np.abs(missing) <= 6 * np.nanquantile(np.abs(missing), ENOUGH) + 3 * allowed
            slopes = np.array([(one["matrix"] - made)[good] / step for one, step in zip(nearby, steps, strict=True)])
            missing, allowed = missing[good], allowed[good]
            if not np.isfinite(slopes).all():
                return None
            change = np.linalg.lstsq((slopes / allowed).T, missing / allowed, rcond=None)[0]
            if np.abs(slopes.T @ change / allowed).max() < 0.1:
                break
            x = x + change
        no_damage = good.sum() == np.isfinite(given).sum()
        if no_damage and best_change(missing, slopes, allowed)[1] > HOPELESS:
            return None
        return plainest(x, missing, slopes, allowed)

    def _base(self, number: Number) -> Entry:
        """Return the line of a base that was measured."""
        said = f"The base is {number.value:.7g} and should be {self.asked:g}. Was a number mistyped, or an exponent?"
        return Entry("base", 1 + price(repr(number.value)), "base", repr(number.value), said)

    # ------------------------------------------------------------------ lines that cannot be undone

    def forward(self) -> None:
        """Run every line of angles and values on the usual encodings, from position 0 and from 1, and all positions."""
        length, d_model = self.matrix.shape
        looks = {
            "cell": (spread(length, ROWS), spread(d_model, COLUMNS)),
            "row": (spread(length, ROWS), np.arange(d_model)),
            "column": (np.arange(length), spread(d_model, 8)),
        }
        for usual in usual_programs(length, d_model, self.asked):
            for start in (0, 1):
                program = usual.but(positions=started(start))
                self.prove(program)
                if not start and self.best > 1:
                    self._forward_positions(program)
                for sees, part in looks.items():
                    if program.cost + 1 <= self.best + ALIKE:
                        self._forward(program, sees, part)

    def _forward_positions(self, program: Program) -> None:
        """Run all lines of positions on one program: those whose positions grow too large to be decoded."""
        rows, columns = spread(len(self.matrix), 8), spread(self.matrix.shape[1], 12)
        lines = known_positions(*self.matrix.shape)
        names = program.run((rows, columns))
        positions = np.array([made[rows] for _, made in lines])
        made = np.sin(positions[:, :, np.newaxis] * names["w"] + names["q"] * np.pi / 2)
        near = np.abs(self.matrix[np.ix_(rows, columns)] - made) <= self.storage.half_unit(made) + MOST_LOST
        for n in np.flatnonzero(near.mean((1, 2)) >= MOST):
            self.prove(program.but(positions=lines[n][0]))

    def _forward(self, program: Program, sees: str, part: Part) -> None:
        """Run all lines that see so much of a table on one program, and prove those that agree in most cells."""
        names, cells = program.run(part), self.matrix[np.ix_(*part)]
        lost = STRETCHED * np.minimum(self.storage.lost(names["angles"], names["w"]), MOST_LOST)
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
                near = np.abs(cells - made) <= allowed
            if near.mean() >= MOST:
                self.prove(program.but(**{entry.slot: entry}))


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
