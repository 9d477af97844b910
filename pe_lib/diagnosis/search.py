"""The search: programs of the catalogue on a few cells, those that agree on the whole matrix.

What is discrete is tried by force. What is continuous is solved: scale and offset from the circles that pairs of
columns draw, bases from how fast they turn, and the position of every row from the angles of all pairs. Numbers that
were measured so are settled once, on the plainest that every cell allows (`Search._settled`), so that one tolerance
proves all programs.
"""

import re
from collections.abc import Callable, Iterator, Sequence
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
    known_positions,
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
SMALLEST_PHASE = 1e-4  # that is told from rounding
MOST_LOST = 0.02  # that a sine may be off: beyond, anything would fit
MEASURED_BASE = 1.1  # what a base costs at least that was measured
DEAREST = 3.4  # the cost of the dearest program that is believed
ATTEMPTS = 60  # at programs with measured numbers
CORRECTIONS = 5  # of measured numbers
STARTS = np.arange(-200, 10_000)  # tried one by one
STEPPED = {"truncated", "rounded-digits", "rounded-steps", "integers", "signs-alone"}  # where an edge may be missed


class Law(NamedTuple):
    """A line of frequencies with a base: the one asked for, an entry's, or one that was measured."""

    frequencies: Entry
    base: Entry | float | None

    @property
    def cost(self) -> float:
        """What both cost together."""
        return self.frequencies.cost + (
            0.0 if self.base is None else self.base.cost if isinstance(self.base, Entry) else 1.1
        )


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
        if entry.numbered:
            continue
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
        return circle(x, y)

    def seen(self, rows: int | None = None) -> np.ndarray:
        """Return the angles of the pairs in all rows, or in the first so many, (rows, n)."""
        middle = self.circle[0]
        x, y = (self.table[:rows, side] - middle for side in self.pairs.T)
        return np.asarray(np.arctan2(x, y) - self.q[self.pairs[:, 0]] * np.pi / 2)

    def whole(self, storage: Storage) -> bool:
        """Say whether most pairs have length 1, as far as storage lets it be seen."""
        if not len(self.pairs):
            return True
        x, y = (self.table[np.ix_(self.rows, side)] for side in self.pairs.T)
        off = np.abs(np.hypot(x, y) - 1)
        good = np.isfinite(off)
        return bool((off[good] <= 4 * storage.unit + 1e-9).sum() > ENOUGH * good.sum())

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
        plain = program.but(order=choices("order")[0])
        table = self.undone(program.order) if program.order.cost else self.matrix
        if self.part is None or not plain.cellwise or table is None:
            return np.array([True])
        part = self.part
        if program.order.cost:
            part = spread(len(table), 2 * ROWS), spread(table.shape[1], 2 * COLUMNS)
            table = np.where(np.isnan(table), 0, table)  # rows and columns of zeros
        return self.compare(plain, part, table)[0]

    def _note(self, program: Program, fits: np.ndarray) -> None:
        if fits.mean() > 0.01:
            self.near.append((float(fits.mean()), program))

    def compare(
        self, program: Program, part: Part | None = None, given: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return which numbers a program makes, on a part of the cells or on all, and the table that it makes."""
        matrix = self.matrix if given is None else given
        matrix = matrix if part is None else matrix[np.ix_(*part)]
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
            lost = lost * _sensitivity(program.values, names["before"], names["sines"])
        elif program.scale is not None:
            lost = lost * max(1.0, float(np.ptp(names["before"])) / 2)
        if program.order.cost:
            lost = evaluated(program.order.line, {**names, "matrix": lost})
        if lost.shape != table.shape:
            lost = np.full(table.shape, lost.max(initial=0))
        with np.errstate(invalid="ignore"):
            fits = np.abs(matrix - table) <= self.storage.half_unit(table) + lost
            if program.values is not None and program.values.cause in STEPPED and not fits.all():
                for nudged in (names["sines"] - lost, names["sines"] + lost):  # on the edge of a step, either will do
                    made = evaluated(program.values.line, {**names, "matrix": nudged})
                    fits |= np.abs(matrix - made) <= 1e-6 * np.maximum(1, np.abs(made))
        return np.asarray(fits)

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
        view = View(table, program, scope["i"], scope["q"], alone, first)
        known.add(key)
        missing = view.columns[np.isnan(alone[view.columns])]
        alone[missing] = column_turns(np.nan_to_num(table[:LONGEST, missing]))
        return view

    def _one_view(self, view: View) -> None:
        """Try all frequencies and positions on one view."""
        found = self._candidates(view)
        for start in (0, 1):
            self._counting(view, found, start)
        columns, order = view.program.columns, view.program.order
        if self.best > 1 and columns.cost + order.cost < 1 and view.whole(self.storage):
            self._from_far(view)
            self._ahead(view)
        if len(view.pairs) > 1:
            self._decoded(view, found)
        if not len(view.pairs) or self.best > view.program.cost + 1.5:
            self._stepping(view, found)

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

    def _counting(self, view: View, found: Candidates, start: int) -> None:
        """Compare laws on positions that count from `start`: as they are, and with a scale and an offset."""
        if not len(found.laws):
            return
        plainly, alike = self._hopeful(view, found.w, start)
        self._on_cells(view, found, start, np.flatnonzero(plainly), scaled=False)
        if self.best > view.program.cost + 0.5:
            self._on_cells(view, found, start, np.flatnonzero(alike & ~found.whole), scaled=True)

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

    def _on_cells(self, view: View, found: Candidates, start: int, at: np.ndarray, *, scaled: bool) -> None:
        """Compare some laws on all cells that are looked at, and prove the best."""
        if not len(at):
            return
        angles = (view.rows + start)[None, :, None] * found.w[at][:, None, view.columns]
        made = np.sin(angles + view.q[view.columns] * np.pi / 2)
        affine = np.tile([1.0, 0.0], (len(at), 1))
        if scaled:
            affine = scales(np.where(view.cells == 0, np.nan, view.cells), made)  # zeros may be those of dropout
            made = affine[:, 0, None, None] * made + affine[:, 1, None, None]
        allowed = self.storage.half_unit(made) + self.storage.lost(angles, found.w[at][:, None, view.columns])
        with np.errstate(invalid="ignore"):
            near = np.abs(view.cells - made) <= (3 if scaled else 1) * (allowed + 1e-6 * np.abs(angles))
        told = np.isfinite(view.cells) & ((view.cells != 0) | (not scaled))
        share = (near & told).sum((1, 2)) / max(1, told.sum())
        for n in np.argsort(-share, kind="stable")[:12]:
            if share[n] < (0.9 if scaled else ENOUGH):
                break
            scale, offset = map(float, affine[n])
            if scaled and float(self.storage.half_unit(scale)) > 0.05 * abs(scale):
                continue  # a scale near 0 fits whatever was rounded
            if scaled and max(abs(scale - 1), abs(offset)) <= 3 * self.storage.unit:
                continue
            if scale < 0 and view.program.columns.cost >= 1:
                continue  # a sign is said once
            found.whole[at[n]] |= share[n] == 1
            program = view.program.but(positions=started(start))
            self._prove_measured(view, program, found.laws[at[n]], **({"scale": (scale, offset)} if scaled else {}))

    def _from_far(self, view: View) -> None:
        """Try every whole start with the usual frequencies, nearest to 0 first, on ever more cells."""
        columns, last = view.columns, len(view.rows) - 1
        looks = (
            (0, slice(None, None, 6), 0.6),
            (0, slice(None), 0.9),
            (last // 2, slice(None), 0.9),
            (last, slice(None), 0.9),
        )
        scope = scope_of(*view.table.shape, view.program.columns.line)
        for law in common("frequencies"):
            w = evaluated(law.line, {**(scope or {}), "base": self.asked}) + 0.0 * view.q
            starts = STARTS
            for row, some, share in looks:
                at = columns[some]
                angles = (starts + view.rows[row])[:, None] * w[at]
                off = np.abs(view.cells[row][some] - np.sin(angles + view.q[at] * np.pi / 2))
                allowed = 2 * self.storage.unit + self.storage.lost(angles, w[at]) + 1e-9
                starts = starts[np.where(np.isnan(off), True, off <= allowed).mean(1) >= share]
            for start in sorted(starts, key=abs)[:2]:
                self.prove(view.program.but(frequencies=law, positions=started(int(start))))

    def _ahead(self, view: View) -> None:
        """Try the usual frequencies with one and the same angle added to all of them."""
        if len(view.pairs) < 2:
            return
        scope = scope_of(*view.table.shape, view.program.columns.line)
        seen = np.nan_to_num(view.seen()[view.rows])
        for law in common("frequencies"):
            w = evaluated(law.line, {**(scope or {}), "base": self.asked}) + 0.0 * view.q
            turned = np.exp(1j * (seen - np.outer(view.rows, w[view.pairs[:, 0]])))
            phase = float(np.angle(np.mean(turned)))
            beside = abs(phase / (np.pi / 2) - round(phase / (np.pi / 2)))  # quarter turns are layouts
            if abs(np.mean(turned)) > 1 - SMALLEST_PHASE and beside > SMALLEST_PHASE:
                self._prove_measured(view, view.program, Law(law, None), angles=(phase,))

    def _decoded(self, view: View, found: Candidates) -> None:
        """Let every law say the positions of the rows, and prove those whose positions make the cells looked at."""
        one, two = (found.w[:, side] for side in view.pairs.T)
        costs = np.array([view.program.cost + law.cost for law in found.laws])
        even = (np.abs(one - two) <= 1e-12).all(1) & (np.abs(one) > 1e-11).any(1) & ~found.whole
        if not (even & (costs < self.best)).any():
            return
        middle, radius = view.circle
        coarse = float(self.storage.half_unit(radius))
        if abs(radius - 1) > 1e-3 and coarse > 0.05 * radius:
            return
        unit = coarse + 8 * self.storage.eps
        scale = {"scale": (radius, middle)} if max(abs(radius - 1), abs(middle)) > 3 * unit else {}
        at = np.flatnonzero(even & (costs + 0.9 * bool(scale) < self.best))
        if not len(at):
            return
        seen = view.seen()
        p = decode(np.nan_to_num(seen[view.rows]), one[at])
        angles = p[:, :, None] * found.w[at][:, None, view.columns]
        made = radius * np.sin(angles + view.q[view.columns] * np.pi / 2) + middle
        lost = self.storage.lost(angles, found.w[at][:, None, view.columns]) + 1e-6 * np.abs(angles)
        allowed = self.storage.half_unit(made) + np.minimum(lost, MOST_LOST / 3)
        with np.errstate(invalid="ignore"):
            near = np.abs(view.cells - made) <= 3 * allowed
        share = near.sum((1, 2)) / max(1, np.isfinite(view.cells).sum())
        for n in np.argsort(-share, kind="stable")[:8]:
            if share[n] < ENOUGH:
                break
            law, w = found.laws[at[n]], one[at[n]]
            p = np.where(np.isfinite(view.table).any(1), decode(np.nan_to_num(seen), w[None])[0], np.nan)
            off = 4 * (coarse / radius + 8 * self.storage.eps) / np.abs(w).max() + 20 * self.storage.eps * np.nanmax(
                np.abs(p)
            )
            free = law.cost < 1 and len(view.pairs) > 2
            lines = position_lines(p, float(off), view.program.d_model, free)
            for positions in lines:
                self._prove_measured(view, view.program.but(positions=positions), law, **scale)
            step, start, steady = pace(p, float(off))
            named = any(one.cost and one in choices("positions") for one in lines) and abs(start) <= off
            if steady > ENOUGH and not named:
                self._prove_measured(view, view.program, law, **scale, positions=(step, start))

    def _stepping(self, view: View, found: Candidates) -> None:
        """Where a sine and its cosine turn apart: the step of the positions from how fast the columns turn."""
        for law, w in zip(found.laws, found.w, strict=True):
            with np.errstate(all="ignore"):
                ratio = (view.alone / w)[view.columns]
            ratio = ratio[np.isfinite(ratio)]
            if view.program.cost + law.cost + 1 > self.best or len(ratio) < max(4, len(view.columns) // 2):
                continue
            if np.ptp(ratio[: len(ratio) // 2 + 1]) > 1e-3 * abs(ratio[0]):
                continue
            step = float(np.median(ratio))
            if abs(step - 1) > 1e-5:
                for start in (0.0, step):
                    self._prove_measured(view, view.program, law, positions=(step, start))

    # ------------------------------------------------------------------ numbers that were measured

    def _prove_measured(self, view: View, program: Program, law: Law, **measured: tuple[float, ...]) -> None:
        """Prove a program with a law, and with the plainest numbers for those that were measured.

        `measured` are, for some slots, the numbers in their lines: scale and offset, step and first position, phase.
        """
        program = program.but(frequencies=law.frequencies, base=law.base if isinstance(law.base, Entry) else None)
        base = isinstance(law.base, float)
        if isinstance(law.base, float):
            measured = {"base": (law.base,), **measured}
        if not measured:
            self.prove(program)
            return
        if program.cost + MEASURED_BASE * base + 0.9 * ("scale" in measured) > self.best + 0.1:
            return
        if base and "positions" in measured and len(view.pairs) < 3:
            return  # two numbers make any two frequencies
        makers: dict[str, Callable[..., Entry | None]] = {
            "base": self._base,
            "scale": self._scaled,
            "positions": paced,
            "angles": _phased,
        }

        def with_numbers(numbers: Sequence[Number]) -> Program:
            rest = iter(numbers)
            return program.but(**{slot: makers[slot](*(next(rest) for _ in some)) for slot, some in measured.items()})

        self.attempts += 1
        numbers = (
            self._settled(view, with_numbers, np.array(sum(measured.values(), ())))
            if self.attempts <= ATTEMPTS
            else None
        )
        if numbers is not None and not (base and (numbers[0].value <= 0 or numbers[0].value == 1)):
            self.prove(with_numbers(numbers))
            if base and not law.frequencies.cost:
                self._prove_width(with_numbers(numbers), numbers[0].value)

    def _prove_width(self, program: Program, base: float) -> None:
        """Prove the width of another table where its base makes the frequencies that a measured one makes."""
        width = program.d_model * float(np.log(self.asked) / np.log(base))
        for entry in choices("frequencies"):
            if entry.numbered and 0 < width < 1e6 and abs(width - round(width)) <= 1e-3 * width:
                self.prove(program.but(base=None, frequencies=entry.numbered_by(round(width))))

    def _settled(
        self, view: View, with_numbers: Callable[[Sequence[Number]], Program], measured: np.ndarray
    ) -> list[Number] | None:
        """Return the plainest numbers with which a program makes the cells that it nearly makes; None if it makes few.

        The numbers are brought near first, step by step (Gauss and Newton), with what is far off left out as damage.
        """
        part = spread(view.table.shape[0], 2 * ROWS), spread(view.table.shape[1], 2 * COLUMNS)
        given, x, before = view.table[np.ix_(*part)], measured, np.inf
        for correction in range(CORRECTIONS):
            names = self._run_on(part, with_numbers, x)
            if names is None:
                return None
            made = names["matrix"]
            steps = 1e-6 * np.maximum(np.abs(x), 1e-3)
            nearby = [one for step in np.diag(steps) if (one := self._run_on(part, with_numbers, x + step)) is not None]
            if len(nearby) < len(x):
                return None
            missing = given - made
            lost = np.minimum(self.storage.lost(names["angles"], names["w"]), MOST_LOST)
            allowed = self.storage.half_unit(made) + lost * max(1.0, float(np.ptp(made)) / 2)
            with np.errstate(invalid="ignore"):
                good = np.abs(missing) <= 6 * np.nanquantile(np.abs(missing), ENOUGH) + 3 * allowed
            slopes = np.array([(one["matrix"] - made)[good] / step for one, step in zip(nearby, steps, strict=True)])
            change = np.linalg.lstsq((slopes / allowed[good]).T, missing[good] / allowed[good], rcond=None)[0]
            if correction == CORRECTIONS - 1 or np.abs(slopes.T @ change / allowed[good]).max() < 0.1:
                break
            miss = float(np.nanquantile(np.abs(missing / allowed), ENOUGH))
            x = x + change
            if x[0] <= 0 < measured[0] or (miss > HOPELESS and miss > before / 4):
                return None  # it leads nowhere
            before = miss
        if good.sum() == np.isfinite(given).sum() and room(missing[good], slopes, allowed[good])[1] > HOPELESS:
            return None
        return plainest(x, missing[good], slopes, allowed[good])

    def _run_on(self, part: Part, with_numbers: Callable[[Sequence[Number]], Program], x: np.ndarray) -> Names | None:
        """Run a program with some numbers on a part of the cells, in the order of rows and columns it was read in."""
        try:
            program = with_numbers([Number(repr(float(one)), float(one)) for one in x])
            return program.but(order=choices("order")[0]).run(part)
        except ERRORS:
            return None

    def _base(self, number: Number) -> Entry:
        """Return the line of a base that was measured."""
        said = f"The base is {number.value:.7g} and should be {self.asked:g}. Was a number mistyped, or an exponent?"
        return Entry("base", 1 + price(repr(number.value)), "base", repr(number.value), said)

    def _scaled(self, scale: Number, offset: Number) -> Entry | None:
        """Return the line that multiplies by a scale and adds an offset; None where neither is needed."""
        a, m = scale.value, offset.value
        line = "matrix" if a == 1 else f"{scale.text} * matrix"
        line += f" {'+' if m > 0 else '-'} {offset.text.lstrip('-')}" if m else ""
        if line == "matrix":
            return None
        cause = "scale-offset" if a != 1 and m else "offset" if m else "scale"
        cost = (0.8 + 0.3 * (a < 0) + price(scale.text)) * (a != 1) + (0.9 + price(offset.text)) * (m != 0)
        said = [f"multiplied by {a:.6g}"] * (a != 1) + [f"{'raised' if m > 0 else 'lowered'} by {abs(m):.6g}"] * (
            m != 0
        )
        done = f"All numbers are {' and '.join(said)}. Leave them as they are, between -1 and 1."
        return Entry("scale", cost, cause, line, done)

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
                    if not start and self.best > 1:
                        self._forward_positions(program)

    def _forward(self, program: Program, sees: str, part: Part) -> None:
        """Run all lines that see so much of a table on one program, and prove those that agree in most cells."""
        names = program.run(part)
        cells = self.matrix[np.ix_(*part)]
        for entry in choices("angles") if sees == "cell" else ():
            try:
                made = evaluated(entry.line, names)
            except ERRORS:
                continue
            if entry.cost and self._agrees(entry, cells, np.sin(made + names["q"] * np.pi / 2), names):
                self.prove(program.but(angles=entry))
        for entry in choices("values"):
            if entry.sees == sees:
                self._forward_values(program, entry, names, cells)

    def _forward_positions(self, program: Program) -> None:
        """Run all lines of positions on one program: those whose positions are too far apart to be decoded."""
        rows, columns = spread(self.matrix.shape[0], 8), spread(self.matrix.shape[1], 12)
        names = program.run((rows, columns))
        known = known_positions(*self.matrix.shape)
        lines = np.array([line[rows] for _, line in known])
        made = np.sin(lines[..., np.newaxis] * names["w"] + names["q"] * np.pi / 2)
        allowed = self.storage.half_unit(made) + MOST_LOST
        share = (np.abs(self.matrix[np.ix_(rows, columns)] - made) <= allowed).mean((1, 2))
        for n in np.flatnonzero(share >= 0.85):
            self.prove(program.but(positions=known[n][0]))

    def _forward_values(self, program: Program, entry: Entry, names: Names, cells: np.ndarray) -> None:
        try:
            made = evaluated(entry.line, names)
        except ERRORS:
            return
        if np.shape(made) == cells.shape and self._agrees(entry, cells, made, names):
            self.prove(program.but(values=entry))

    def _agrees(self, entry: Entry, cells: np.ndarray, made: np.ndarray, names: Names) -> bool:
        """Say whether most cells are as they were made."""
        with np.errstate(all="ignore"):
            lost = np.minimum(self.storage.lost(names["angles"], names["w"]), MOST_LOST)
            lost = lost * _sensitivity(entry, made, names["sines"])
            return bool((np.abs(cells - made) <= self.storage.half_unit(made) + lost).mean() >= 0.85)


def _sensitivity(values: Entry, table: np.ndarray, sines: np.ndarray) -> np.ndarray:
    """Return how much more a table may be off than its sines: what a line stretches, it stretches with all errors."""
    if values.sees == "cell" or table.shape != sines.shape:
        return np.asarray(8 * np.maximum(1.0, np.abs(table)))
    axis = {"column": 0, "row": 1}.get(values.sees)
    stretched = np.ptp(table, axis, keepdims=True) / np.maximum(np.ptp(sines, axis, keepdims=True), 1e-300)
    return np.asarray(8 * np.maximum(1.0, stretched))


def scales(cells: np.ndarray, made: np.ndarray) -> np.ndarray:
    """Return scale and offset (n, 2) by least squares for n tables: an offset only where it is needed."""
    good = np.isfinite(cells)
    y, x = cells[good], made[:, good]
    with np.errstate(all="ignore"):
        mean_x, mean_y = x.mean(1), y.mean()
        scale = ((x * y).mean(1) - mean_x * mean_y) / ((x * x).mean(1) - mean_x * mean_x)
        offset = mean_y - scale * mean_x
        alone = (x * y).sum(1) / (x * x).sum(1)
        off = np.abs(y - alone[:, None] * x).max(1)
        enough = off <= np.abs(y - scale[:, None] * x - offset[:, None]).max(1) * 1.5 + 1e-12
    return np.asarray(np.nan_to_num(np.stack([np.where(enough, alone, scale), np.where(enough, 0, offset)], 1)))


def _phased(number: Number) -> Entry:
    """Return the line that adds a number to all angles."""
    said = f"{number.value:.6g} is added to all angles. Position 0 should have the angle 0."
    cost = 0.8 + price(number.text)
    return Entry("angles", cost, "phase", f"pos[:, np.newaxis] * w + {number.text}", said)


def usual_programs(length: int, d_model: int, asked: float) -> list[Program]:
    """Return the encodings in wide use, from position 0."""
    return [
        Program(length, d_model, asked, columns=columns, frequencies=law)
        for columns in common("columns")
        for law in common("frequencies")
    ]
