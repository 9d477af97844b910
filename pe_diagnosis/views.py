"""What a few numbers of a matrix say of all laws at once, for each reading of the matrix.

A `Law` is a line of frequencies with a base. A `View` is a reading: an order of rows and columns undone, and a layout
of the columns. It says which laws make most of its cells, with positions from a given start on, or with those that the
angles of its pairs give. `speeds` are what a law says, some of its frequencies `w`; turns per row are measured.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from pe_diagnosis import limits
from pe_diagnosis.anywhere import column_turns, columns_recur
from pe_diagnosis.catalogue import Entry, choices, common
from pe_diagnosis.lines import Guess, Pace
from pe_diagnosis.measure import bases, circle, decode, pairs_of, scales, spread, turns
from pe_diagnosis.program import ERRORS, Names, Part, Program, compiled, evaluated, names_of
from pe_diagnosis.rounding import Storage


@dataclass(frozen=True)
class Law:
    """A line of frequencies, with the base asked for (None) or with one that was measured."""

    frequencies: Entry
    base: float | None = None

    @cached_property
    def cost(self) -> float:
        """What both cost together, at least."""
        return self.frequencies.cost + limits.MEASURED_BASE * (self.base is not None)

    @cached_property
    def of_pairs(self) -> bool:
        """Whether the frequencies depend on the pair: if not, they are the same in many layouts."""
        return re.search(r"\bi\b", self.frequencies.line) is not None


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
    """Return all laws that need no measuring, their frequencies (n, d_model), and the exponents of those to fit.

    The line of columns has to have a meaning.
    """
    scope = {**(scope_of(length, d_model, columns) or {}), "base": asked}  # {} for mypy alone
    laws, w, exponents = [], [], []
    for entry in choices("frequencies"):
        try:
            speeds = np.broadcast_to(evaluated(entry.line, scope), d_model)
        except ERRORS:
            continue
        laws.append(Law(entry))
        w.append(speeds)
        if entry.fit:
            with np.errstate(divide="ignore"):  # base e makes exp(-exponent)
                exponents.append((entry, -np.log(evaluated(entry.line, {**scope, "base": np.e}))))
    found = np.array(w, float)
    return laws, np.where(np.isfinite(found), found, 0), exponents


@lru_cache(maxsize=16)
def usual_programs(length: int, d_model: int, asked: float) -> list[Program]:
    """Return the encodings in wide use, from position 0, each layout once."""
    layouts: dict[bytes, Entry] = {}
    for columns in common("columns"):
        if (scope := scope_of(length, d_model, columns.line)) is not None:
            layouts.setdefault(np.stack([scope["i"], scope["q"]]).tobytes(), columns)
    return [
        Program(length, d_model, asked, columns=columns, frequencies=frequencies)
        for columns in layouts.values()
        for frequencies in common("frequencies")
    ]


@dataclass(frozen=True)
class Undone:
    """The matrix as it was before it was put in an order."""

    order: Entry
    table: np.ndarray  # with nan in rows and columns that hold nothing but zeros
    storage: Storage

    @cached_property
    def filled(self) -> tuple[np.ndarray, np.ndarray]:
        """Which are looked at: all rows from the first to the last that holds something, and some columns that do."""
        rows, columns = (np.flatnonzero(np.isfinite(self.table).any(axis)) for axis in (1, 0))
        return np.arange(rows[0], rows[-1] + 1), columns[spread(len(columns), 2 * limits.COLUMNS)]

    @cached_property
    def turns_evenly(self) -> bool:
        """Whether all columns turn evenly from row to row, apart from rows and columns of zeros."""
        rows, columns = self.filled
        x = self.table[np.ix_(rows[: limits.LONGEST], columns)]
        return bool(np.isfinite(x).all()) and columns_recur(x, self.storage.unit)

    @cached_property
    def measured_turns(self) -> np.ndarray:
        """How far some columns turn per row, nan where they don't say."""
        found, columns = np.full(self.table.shape[1], np.nan), self.filled[1]
        turn, off = column_turns(self.table[: limits.LONGEST, columns], self.storage.unit)
        found[columns] = np.where(off < limits.TOLD_TURN * turn, turn, np.nan)
        return found


Scale = tuple[float, float] | None  # a scale and an offset; None where neither is needed


@dataclass(frozen=True)
class View:
    """One reading of the matrix: an order undone, and one layout of the columns."""

    undone: Undone
    program: Program  # with this order and this layout
    i: np.ndarray  # the pair of each column
    q: np.ndarray  # the function of each column, in quarter turns
    first_with_q: bool  # whether no cheaper layout has the same functions

    @cached_property
    def pairs(self) -> np.ndarray:
        """The columns of some pairs, (n, 2)."""
        found = pairs_of(self.i, self.q)
        found = found[np.isfinite(self.undone.table).any(0)[found].any(1)]
        return np.asarray(found[spread(len(found), limits.COLUMNS // 2)])

    @cached_property
    def rows(self) -> np.ndarray:
        """The rows that are looked at."""
        return spread(len(self.undone.table), limits.ROWS)

    @cached_property
    def columns(self) -> np.ndarray:
        """The columns that are looked at."""
        return np.union1d(self.pairs, spread(self.undone.table.shape[1], limits.COLUMNS)).astype(int)

    @cached_property
    def cells(self) -> np.ndarray:
        """The numbers that are looked at."""
        return np.asarray(self.undone.table[np.ix_(self.rows, self.columns)])

    def guess(self, law: Law, positions: Entry | Pace, scale: Scale = None) -> Program | Guess:
        """Return the program of a law, with a line for the positions, or with their step and first position."""
        numbers = {"base": None if law.base is None else (law.base,), "scale": scale, "positions": positions}
        measured = tuple((slot, some) for slot, some in numbers.items() if isinstance(some, tuple))
        program = self.program.but(frequencies=law.frequencies)
        if isinstance(positions, Entry):
            program = program.but(positions=positions)
        return Guess(program, self.undone.table, measured) if measured else program

    # ------------------------------------------------------------------ what its pairs say

    @cached_property
    def circle(self) -> tuple[float, float]:
        """Offset and radius of the circles that the pairs draw."""
        if not len(self.pairs):
            return 0.0, 1.0
        x, y = (self.undone.table[np.ix_(self.rows, side)] for side in self.pairs.T)
        return circle(x, y, self.undone.storage.unit)

    @cached_property
    def angles(self) -> np.ndarray:
        """The angles of the pairs in all rows, (rows, n)."""
        x, y = (self.undone.table[:, side] - self.circle[0] for side in self.pairs.T)
        return np.asarray(np.arctan2(x, y) - self.q[self.pairs[:, 0]] * np.pi / 2)

    def turns_by_column_and_pair(self) -> Iterator[np.ndarray]:
        """Yield how far columns turn per row: each by itself, and then pair by pair, which damage disturbs less."""
        yield self.undone.measured_turns
        if len(self.pairs):
            of_pairs = np.full(self.undone.table.shape[1], np.nan)
            of_pairs[self.pairs.ravel()] = np.repeat(np.abs(turns(self.angles[: limits.LONGEST])), 2)
            yield of_pairs

    @cached_property
    def measured_laws(self) -> dict[Law, np.ndarray]:
        """The laws of bases that follow from how fast the columns turn, and their frequencies."""
        asked, shape = self.program.asked, self.undone.table.shape
        exponents = laws_of(*shape, self.program.columns.line, asked)[2]
        found: dict[Law, np.ndarray] = {}
        for turn in self.turns_by_column_and_pair():
            for entry, exponent in exponents:
                for base in bases(turn, exponent):
                    if abs(base / asked - 1) > 1e-9:  # the first of several that differ in the last digits
                        found.setdefault(Law(entry, float(f"{base:.9e}")), base**-exponent)
        return found

    def decoded(self, w: np.ndarray) -> Iterator[tuple[int, Scale, np.ndarray, float]]:
        """Let laws say the positions of all rows, and yield those whose positions make most cells.

        With each comes its scale, the positions, nan where a row doesn't say, and how far off they may be.
        """
        speeds, told = w[:, self.pairs[:, 0]], np.isfinite(self.undone.table).any(1)
        for n, scale in self.agreeing(w, decode(self.angles[self.rows], speeds), self.needs_scale):
            positions = np.where(told, decode(self.angles, speeds[n][np.newaxis])[0], np.nan)
            off = 4 * self.largest_error / self.circle[1] / np.abs(speeds[n]).max()  # what the fastest pair leaves open
            yield n, scale, positions, off + 20 * self.undone.storage.eps * float(np.nanmax(np.abs(positions)))

    @cached_property
    def largest_error(self) -> float:
        """By how much a number of the largest size may be off."""
        return float(self.undone.storage.half_unit(self.circle[1])) + 8 * self.undone.storage.eps

    @property
    def needs_scale(self) -> bool:
        """Whether the circles of the pairs differ from those of sines and cosines."""
        offset, radius = self.circle
        return max(abs(radius - 1), abs(offset)) > 3 * self.largest_error

    def tells_steps(self, w: np.ndarray) -> bool:
        """Say whether each pair leaves little open of the next faster one's turns: if not, any step and start fit.

        A pair tells its angle to within its error, and so that of one which turns `leap` times as fast to within `leap`
        times as much.
        """
        speeds = np.sort(np.abs(w[self.pairs[:, 0]]))
        speeds = speeds[speeds > 0]
        leap = float((speeds[1:] / speeds[:-1]).max(initial=1.0))
        return self.largest_error / self.circle[1] * leap < limits.LEAP

    def pairs_share_speeds(self, w: np.ndarray) -> np.ndarray:
        """Say which laws give both columns of each pair one speed: in other laws, the angle of a pair says nothing."""
        first, second = (w[:, side] for side in self.pairs.T)
        return (np.abs(first - second) <= 1e-12).all(1) & (np.abs(first) > 1e-11).any(1)

    # ------------------------------------------------------------------ some cells, all laws at once

    def agreeing(self, w: np.ndarray, p: np.ndarray, scaled: bool) -> Iterator[tuple[int, Scale]]:
        """Yield which laws make most of the cells at positions p (laws, rows), with their scale and offset.

        The best come first. Without `scaled`, numbers are compared as they are, and None is yielded for the scale.
        Sixty cells are asked before all that are looked at.
        """
        some = np.arange(len(w))
        sixty = spread(len(self.rows), 6), spread(len(self.columns), 10)
        every = np.arange(len(self.rows)), np.arange(len(self.columns))
        for part, least in ((sixty, limits.HALF), (every, limits.AGREEING if scaled else limits.ENOUGH)):
            share, fitted = self._shares(w[some], p[some], part, scaled)
            some, share, fitted = (one[share >= least] for one in (some, share, fitted))
        for n in np.argsort(-share, kind="stable")[: limits.MOST_AGREEING]:
            scale = (float(fitted[n, 0]), float(fitted[n, 1])) if scaled else None
            if scale is None or self._is_scale(*scale):
                yield int(some[n]), scale

    def _shares(self, w: np.ndarray, p: np.ndarray, part: Part, scaled: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return the share of some cells that each law makes, and the scale and offset, (n, 2), with which it does."""
        storage, cells, at = self.undone.storage, self.cells[np.ix_(*part)], self.columns[part[1]]
        known = np.isfinite(cells) & ((cells != 0) | (not scaled))  # zeros may be those of dropout
        if not len(w) or not known.any():
            return np.zeros(len(w)), np.zeros((len(w), 2))
        speeds = w[:, np.newaxis, at]
        angles = p[:, part[0], np.newaxis] * speeds
        made = np.sin(angles + self.q[at] * np.pi / 2)
        fitted = scales(cells[known], made[:, known]) if scaled else np.tile([1.0, 0.0], (len(w), 1))
        # Measured bases and positions aren't exact yet, and 3 times as much is allowed as once they are.
        lost = np.minimum(storage.lost(angles, speeds) + 1e-6 * np.abs(angles), limits.MOST_LOST / 3)
        with np.errstate(all="ignore"):
            made = fitted[:, :1, np.newaxis] * made + fitted[:, 1:, np.newaxis]
            near = np.abs(cells - made) <= 3 * (storage.half_unit(made) + lost)
        return (near & known).sum((1, 2)) / known.sum(), fitted

    def _is_scale(self, scale: float, offset: float) -> bool:
        """Say whether a scale and an offset are more than rounding, and not a sign that the layout says already."""
        coarse = float(self.undone.storage.half_unit(scale)) > 0.05 * abs(scale)  # fits whatever was rounded
        needed = max(abs(scale - 1), abs(offset)) > 3 * self.undone.storage.unit
        sign = scale < 0 and self.program.columns.cost >= 1
        return limits.SCALES[0] < abs(scale) < limits.SCALES[1] and needed and not coarse and not sign
