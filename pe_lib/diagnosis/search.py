"""The search: programs of the catalogue on a few cells, those that agree on the whole matrix.

What is discrete is tried by force. What is continuous is solved: scale and offset from the circles that pairs of
columns draw, bases from how fast they turn, and the position of every row from the angles of all pairs. Numbers that
were measured so are settled once, on the plainest that every cell allows (`Search._settled`), so that one tolerance
proves all programs.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from pe_lib.diagnosis.catalogue import Entry, choices, common
from pe_lib.diagnosis.measure import (
    ENOUGH,
    bases,
    circle,
    column_turns,
    decode,
    pace,
    paced,
    pairs_of,
    position_lines,
    spread,
    started,
    turns,
)  # fmt: skip
from pe_lib.diagnosis.program import ERRORS, Names, Part, Program, compiled, evaluated, names_of
from pe_lib.diagnosis.rounding import HOPELESS, Number, Storage, plainest, price, room

ROWS, COLUMNS = 24, 32  # cells that are looked at first
LONGEST = 2048  # rows from which turns are measured
MOST_LOST = 0.02  # that a sine may be off: beyond, anything would fit
MEASURED_BASE = 1.1  # what a base costs at least that was measured
DEAREST = 3.4  # the cost of the dearest program that is believed
MOST = 0.85  # of the cells must agree before a line of values is run on all
STARTS = np.arange(-200, 10_000)  # tried one by one
ATTEMPTS = 60  # at programs with measured numbers
CORRECTIONS = 5  # of measured numbers
STRETCHED = 8  # times what a sine may be off: what a line of values stretches, it stretches with all errors
SCALES = 1e-3, 1e3  # beyond, a sine is a straight line, or nothing


class Law(NamedTuple):
    """A line of frequencies with a base: the one asked for, an entry's, or one that was measured."""

    frequencies: Entry
    base: Entry | float | None

    @property
    def cost(self) -> float:
        """What both cost together."""
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
    names["q"] = names["q"] * np.ones(d_model)
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
            w.append(np.broadcast_to(evaluated(entry.line, scope), d_model))
        except ERRORS:
            continue
        laws.append(Law(entry, None))
        if entry.fit:
            with np.errstate(divide="ignore"):
                exponents.append((entry, -np.log(evaluated(entry.line, {**scope, "base": np.e}))))
            for slip in slips(asked):
                laws.append(Law(entry, slip))
                w.append(evaluated(entry.line, {**scope, "base": evaluated(slip.line, {"np": np})}))
    found = np.array(w, float)
    return laws, np.where(np.isfinite(found), found, 0), exponents


@lru_cache(maxsize=16)
def slips(asked: float) -> list[Entry]:
    """Return the bases that a slip makes of the one asked for."""
    found = []
    for entry in choices("base"):
        line = entry.line.replace("{base}", repr(asked))
        said = entry.sentence.format(number=evaluated(line, {"np": np}))
        if "10 ^ 4" not in line or asked == 1e4:
            found.append(Entry("base", entry.cost, entry.cause, line, said))
    return found


@dataclass(frozen=True)
class View:
    """One reading of the matrix: an order undone, and one arrangement of the columns."""

    table: np.ndarray  # with nan in rows and columns that say nothing
    program: Program
    i: np.ndarray
    q: np.ndarray
    alone: np.ndarray  # how far each column turns per row, nan where it does not say
    unit: float  # by how much a number may have been rounded
    first: bool  # whether no other reading before had the same functions in the same columns

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

    def seen(self, rows: int | None = None) -> np.ndarray:
        """Return the angles of the pairs in all rows, or in the first so many, (rows, n)."""
        middle = self.circle[0]
        x, y = (self.table[:rows, side] - middle for side in self.pairs.T)
        return np.asarray(np.arctan2(x, y) - self.q[self.pairs[:, 0]] * np.pi / 2)

    def turned(self) -> Iterator[np.ndarray]:
        """Yield how fast the columns turn, each by itself and each pair together."""
        yield self.alone
        if len(self.pairs):
            turn = np.full(self.table.shape[1], np.nan)
            turn[self.pairs.ravel()] = np.repeat(np.abs(turns(self.seen(LONGEST))), 2)
            yield turn


@dataclass(frozen=True)
class Candidates:
    """The laws that are tried on a view, and their frequencies (n, d_model)."""

    laws: list[Law]
    w: np.ndarray
    whole: np.ndarray  # which of them make all cells with a scale already


class Search:
    """The programs that make one matrix, and those that nearly make it."""

    def __init__(self, matrix: np.ndarray, asked: float, storage: Storage | None = None) -> None:
        self.matrix, self.asked, self.storage = matrix, asked, storage or Storage(matrix)
        self.survivors: list[Program] = []
        self.near: list[tuple[float, Program]] = []  # with the share of numbers that each makes
        self.best = DEAREST  # the least cost so far
        self.attempts = 0  # at numbers that were measured
        self._seen: set[tuple[str, ...]] = set()  # programs, by their lines
        # for each order, the readings that were tried, and how far each column turns
        self._views: dict[str, tuple[set[tuple[bytes, bytes]], np.ndarray]] = {}
        part = spread(len(matrix), 2 * ROWS), spread(matrix.shape[1], 2 * COLUMNS)
        self.part = part if matrix.size > 4 * len(part[0]) * len(part[1]) else None  # proved on first
        self.telling = matrix.copy()
        for axis in (0, 1):
            empty = ~np.any(matrix, axis=1 - axis)
            if empty.mean() < 0.97:
                np.moveaxis(self.telling, axis, 0)[empty] = np.nan

    def _program(self, **chosen: Any) -> Program:
        """Return a program for the whole matrix."""
        return Program(self.matrix.shape[0], self.matrix.shape[1], self.asked, **chosen)

    # ------------------------------------------------------------------ proof

    def prove(self, program: Program) -> None:
        """Run a program and keep it if it makes every number, or note how many it makes."""
        key = (str(program.length), *(entry.line for entry in program.slots()))
        if key in self._seen or program.cost > self.best + 0.1:
            return
        self._seen.add(key)
        fits = self._on_a_part(program)
        if not fits.all():
            self._note(program, fits)
            return
        fits, _ = self.compare(program)
        if fits.all():
            self.survivors.append(program)
            self.best = min(self.best, program.cost)
        else:
            self._note(program, fits)

    def _on_a_part(self, program: Program) -> np.ndarray:
        """Return which numbers of a part of a large matrix a program makes that works cell by cell; [True] else."""
        if self.part is None or not program.cellwise:
            return np.array([True])
        return self.compare(program, self.part)[0]

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
                return self._fits(program, names, table, matrix), table
        except ERRORS:
            pass
        return np.zeros(matrix.shape, bool), matrix

    def _fits(self, program: Program, names: Names, table: np.ndarray, matrix: np.ndarray) -> np.ndarray:
        """Say of every number whether it is as near as storage and reckoning allow."""
        lost = np.minimum(self.storage.lost(names["angles"], names["w"]), MOST_LOST)
        if program.values is not None:
            lost = lost * STRETCHED * np.maximum(1.0, np.abs(names["before"]))
        elif program.scale is not None:
            lost = lost * max(1.0, float(np.ptp(names["before"])) / 2)
        if program.order.cost:
            lost = evaluated(program.order.line, {**names, "matrix": lost})
        if lost.shape != table.shape:
            lost = np.full(table.shape, lost.max(initial=0))
        with np.errstate(invalid="ignore"):
            return np.asarray(np.abs(matrix - table) <= self.storage.half_unit(table) + lost)

    # ------------------------------------------------------------------ programs whose numbers are measured

    def measured(self, dearest: float = 2.0) -> None:
        """Try orders, columns, frequencies and bases, with positions, scale and offset as the numbers say them."""
        todo = []
        for order in choices("order"):
            table = self.undone(order)
            if table is not None:
                layouts = choices("columns") if not order.cost else common("columns")
                todo += [(order.cost + columns.cost, order, columns, table) for columns in layouts]
        for cost, order, columns, table in sorted(todo, key=lambda one: one[0]):
            if cost > min(self.best, dearest):
                break
            view = self._view(order, columns, table)
            if view is not None:
                self._one_view(view)

    def undone(self, order: Entry) -> np.ndarray | None:
        """Return the matrix as it was before it was put in this order, if it can have been."""
        try:
            table = evaluated(order.undo, {"np": np, "matrix": self.telling})
        except ERRORS:
            return None
        return table if table.ndim == 2 and min(table.shape) > 0 and np.isfinite(table).any() else None

    def _view(self, order: Entry, columns: Entry, table: np.ndarray) -> View | None:
        """Return the reading of the matrix with these two choices; None if there is none, or it was there before."""
        known, alone = self._views.setdefault(order.line, (set(), np.full(table.shape[1], np.nan)))
        scope = scope_of(*table.shape, columns.line)
        if scope is None or (key := (scope["i"].tobytes(), scope["q"].tobytes())) in known:
            return None
        program = Program(table.shape[0], table.shape[1], self.asked, columns=columns, order=order)
        first = all(functions != scope["q"].tobytes() for _, functions in known)
        view = View(table, program, scope["i"], scope["q"], alone, self.storage.unit, first)
        known.add(key)
        missing = view.columns[np.isnan(alone[view.columns])]
        alone[missing] = column_turns(np.nan_to_num(table[:LONGEST, missing]))
        return view

    def _one_view(self, view: View) -> None:
        """Try all frequencies and positions on one view."""
        found = self._candidates(view)
        if not len(found.laws):
            return
        for start in (0, 1):
            plainly, alike = self._hopeful(view, found.w, start)
            counted = np.broadcast_to(view.rows + start, (len(found.w), len(view.rows)))
            program = view.program.but(positions=started(start))
            for n, scale in self._agreeing(view, found, np.flatnonzero(plainly), counted, scaled=False):
                self._prove_measured(view, program, found.laws[n], **scale)
            if self.best > view.program.cost + 0.5:
                for n, scale in self._agreeing(view, found, np.flatnonzero(alike & ~found.whole), counted, scaled=True):
                    self._prove_measured(view, program, found.laws[n], **scale)
        narrow = np.pi * self.asked ** (1 - 2 / view.program.d_model) < STARTS[-1]
        if narrow and self.best > 1 and view.program.cost < 1:
            self._from_far(view)
        if len(view.pairs) > 1:
            self._decoded(view, found)

    def _candidates(self, view: View) -> Candidates:
        """Return the laws that are not too dear, those of measured bases among them."""
        laws, w, exponents = laws_of(*view.table.shape, view.program.columns.line, self.asked)
        rest = min(self.best, DEAREST) - view.program.cost
        if not view.first:  # where pairs do not matter, other pairs are no other program
            told = [n for n, law in enumerate(laws) if re.search(r"\bi\b", law.frequencies.line)]
            laws, w = [laws[n] for n in told], w[told]
        fitted: dict[tuple[Entry, str], tuple[Law, np.ndarray]] = {}
        for turn in view.turned() if rest >= MEASURED_BASE else ():
            for entry, exponent in exponents:
                for base in bases(turn, exponent):
                    if abs(base / self.asked - 1) > 1e-9:
                        fitted.setdefault((entry, f"{base:.9e}"), (Law(entry, base), base**-exponent))
        laws = laws + [law for law, _ in fitted.values()]
        w = np.concatenate([w, [speeds for _, speeds in fitted.values()]]) if fitted else w
        cheap = [n for n, law in enumerate(laws) if law.cost <= rest]
        return Candidates([laws[n] for n in cheap], w[cheap], np.zeros(len(cheap), bool))

    def _hopeful(self, view: View, w: np.ndarray, start: int) -> tuple[np.ndarray, np.ndarray]:
        """Say from sixty cells which laws make half of them, and which are alike but for scale and offset."""
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
            alike = np.abs(x @ y) / np.sqrt((x * x).sum(1) * (y @ y)) > 0.9
        return near.sum((1, 2)) >= 0.5 * good.sum(), alike

    def _agreeing(
        self, view: View, found: Candidates, at: np.ndarray, p: np.ndarray, *, scaled: bool
    ) -> Iterator[tuple[int, dict[str, tuple[float, float]]]]:
        """Yield the laws, of some, that make most of the cells at positions p (n, rows), and their scale and offset."""
        told = np.isfinite(view.cells) & ((view.cells != 0) | (not scaled))  # zeros may be those of dropout
        if not len(at) or not told.any():
            return
        w = found.w[at][:, np.newaxis, view.columns]
        angles = p[at][:, :, np.newaxis] * w
        made = np.sin(angles + view.q[view.columns] * np.pi / 2)
        affine = np.tile([1.0, 0.0], (len(at), 1))
        if scaled:
            affine = scales(view.cells[told], made[:, told])
            made = affine[:, 0, None, None] * made + affine[:, 1, None, None]
        lost = np.minimum(self.storage.lost(angles, w) + 1e-6 * np.abs(angles), MOST_LOST / 3)
        with np.errstate(invalid="ignore"):
            near = np.abs(view.cells - made) <= 3 * (self.storage.half_unit(made) + lost)
        share = (near & told).sum((1, 2)) / told.sum()
        for n in np.argsort(-share, kind="stable")[:12]:
            scale, offset = map(float, affine[n])
            if share[n] < (0.9 if scaled else ENOUGH):
                break
            if not scaled:
                yield int(at[n]), {}
            elif self._believed(view, scale, offset):
                found.whole[at[n]] |= share[n] == 1
                yield int(at[n]), {"scale": (scale, offset)}

    def _believed(self, view: View, scale: float, offset: float) -> bool:
        """Say whether a scale and an offset are more than rounding, and not a sign that is said already."""
        coarse = float(self.storage.half_unit(scale)) > 0.05 * abs(scale)  # fits whatever was rounded
        needed = max(abs(scale - 1), abs(offset)) > 3 * self.storage.unit
        return (
            SCALES[0] < abs(scale) < SCALES[1]
            and needed
            and not coarse
            and (scale > 0 or view.program.columns.cost < 1)
        )

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

    def _decoded(self, view: View, found: Candidates) -> None:
        """Let every law say the positions of the rows, and prove those whose positions make the cells looked at."""
        one, two = (found.w[:, side] for side in view.pairs.T)
        costs = np.array([view.program.cost + law.cost for law in found.laws])
        middle, radius = view.circle
        coarse = float(self.storage.half_unit(radius)) + 8 * self.storage.eps
        scaled = max(abs(radius - 1), abs(middle)) > 3 * coarse
        even = (np.abs(one - two) <= 1e-12).all(1) & (np.abs(one) > 1e-11).any(1) & ~found.whole
        at = np.flatnonzero(even & (costs + 0.9 * scaled < self.best))
        if not len(at):
            return
        seen, p = view.seen(), np.zeros((len(one), len(view.rows)))
        p[at] = decode(seen[view.rows], one[at])
        for n, scale in self._agreeing(view, found, at, p, scaled=scaled):
            law, w = found.laws[n], one[n]
            held = np.where(np.isfinite(view.table).any(1), decode(seen, w[np.newaxis])[0], np.nan)
            off = 4 * coarse / radius / np.abs(w).max() + 20 * self.storage.eps * float(np.nanmax(np.abs(held)))
            lines = position_lines(held, off, view.program.d_model, free=law.cost < 1 and len(view.pairs) > 2)
            for positions in lines:
                self._prove_measured(view, view.program.but(positions=positions), law, **scale)
            step, start, steady = pace(held, off)
            named = any(line.cost and line in choices("positions") for line in lines) and abs(start) <= off
            if steady > ENOUGH and not named:
                self._prove_measured(view, view.program, law, **scale, positions=(step, start))

    # ------------------------------------------------------------------ numbers that were measured

    def _prove_measured(self, view: View, program: Program, law: Law, **measured: tuple[float, ...]) -> None:
        """Prove a program with a law, and with the plainest numbers for those that were measured.

        `measured` are, for some slots, the numbers in their lines: scale and offset, step and first position.
        """
        program = program.but(frequencies=law.frequencies, base=law.base if isinstance(law.base, Entry) else None)
        if isinstance(law.base, float):
            measured = {"base": (law.base,), **measured}
            if "positions" in measured and len(view.pairs) < 3:
                return  # two numbers make any two frequencies
        if not measured:
            self.prove(program)
            return
        least = program.cost + MEASURED_BASE * ("base" in measured) + 0.9 * ("scale" in measured)
        if least > self.best + 0.1 or self.attempts >= ATTEMPTS:
            return
        self.attempts += 1
        makers: dict[str, Callable[..., Entry | None]] = {"base": self._base, "scale": _scaled, "positions": paced}

        def with_numbers(numbers: Iterable[Number]) -> Program:
            rest = iter(numbers)
            return program.but(**{slot: makers[slot](*(next(rest) for _ in some)) for slot, some in measured.items()})

        numbers = self._settled(view, with_numbers, np.array(sum(measured.values(), ())))
        if numbers is not None:
            self.prove(with_numbers(numbers))

    def _settled(
        self, view: View, with_numbers: Callable[[Iterable[Number]], Program], x: np.ndarray
    ) -> list[Number] | None:
        """Return the plainest numbers near x with which a program makes the cells that it nearly makes; None if few.

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
        if good.sum() == np.isfinite(given).sum() and room(missing, slopes, allowed)[1] > HOPELESS:
            return None
        return plainest(x, missing, slopes, allowed)

    def _base(self, number: Number) -> Entry:
        """Return the line of a base that was measured."""
        said = f"The base is {number.value:.7g} and should be {self.asked:g}. Was a number mistyped, or an exponent?"
        return Entry("base", 1 + price(repr(number.value)), "base", repr(number.value), said)

    # ------------------------------------------------------------------ programs that must be run forwards

    def forward(self) -> None:
        """Run every line of angles and values on the usual tables, from position 0 and from 1."""
        size = self.matrix.shape
        looks = {
            "cell": (spread(size[0], ROWS), spread(size[1], COLUMNS)),
            "row": (spread(size[0], ROWS), np.arange(size[1])),
            "column": (np.arange(size[0]), spread(size[1], 8)),
        }
        for columns in common("columns"):
            for law in common("frequencies"):
                for start in (0, 1):
                    program = self._program(columns=columns, frequencies=law, positions=started(start))
                    self.prove(program)
                    for sees, part in looks.items():
                        if program.cost + 1 <= self.best + 0.1:
                            self._forward(program, sees, part)

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


def usual_programs(length: int, d_model: int, asked: float) -> list[Program]:
    """Return the encodings in wide use, from position 0."""
    return [
        Program(length, d_model, asked, columns=columns, frequencies=law)
        for columns in common("columns")
        for law in common("frequencies")
    ]
