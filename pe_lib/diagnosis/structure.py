"""What one program does not make alone: damage, repeated rows or columns, tables side by side, the turns of RoPE."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pe_lib.diagnosis.catalogue import Entry
from pe_lib.diagnosis.program import Names, Program, Runs, cheapest, compiled, evaluated, names_of
from pe_lib.diagnosis.rounding import plainest
from pe_lib.diagnosis.search import Search

MOST_TABLES = 4  # side by side
DEAREST_BLOCK = 1.3  # one mistake, or one number that was measured
MOST_DAMAGED = 24  # rows and columns of numbers that nothing explains
DAMAGED = 0.34  # of the rows, or of the columns, at most
MOST_LINES = 4  # of damage
MOST_LISTED = 6  # rows or columns in a sentence
VERBS = ({"be": "is", "have": "has", "hold": "holds"}, {"be": "are", "have": "have", "hold": "hold"})
FAR = 20  # halves of the last digit by which a number that is called wrong differs, at least

Look = Callable[[np.ndarray], list[Runs]]  # the programs that make a smaller table


# ------------------------------------------------------------------ damage


def mended(search: Search) -> list[Program]:
    """Return the programs that make all but a part of the matrix, with lines for that part."""
    enough = 12 if search.matrix.size < 60_000 else 4
    near = [
        (share, one)
        for share, one in sorted(search.near, key=lambda one: 0.1 * one[1].cost - one[0])
        if one.cost + (0.3 if share > 0.9 else 1) <= search.best + 0.1
    ]
    if search.storage.decimals and search.storage.decimals < 4:  # too coarse for damage beside a mistake
        near = [(share, one) for share, one in near if one.cost < 1]
    found = [_with_damage(search, program) for _, program in near[:enough]]
    return [one for one in found if one is not None and one.cost <= search.best + 0.1]


def _with_damage(search: Search, program: Program) -> Program | None:
    """Return the program with lines for its damage, or None where the damage is too much to be called so."""
    fits, table = search.compare(program)
    matrix, bad = search.matrix, ~fits
    zero_rows, zero_columns = ~np.any(matrix, axis=1), ~np.any(matrix, axis=0)
    rows = np.flatnonzero((bad.mean(1) > 0.5) | (zero_rows & bad.any(1)))
    if len(rows) == len(matrix):
        return None
    left = np.delete(bad, rows, 0)
    columns = np.flatnonzero((left.mean(0) > 0.5) | (zero_columns & left.any(0)))
    filled = (~zero_rows[rows]).sum(), (~zero_columns[columns]).sum()
    if filled[0] > DAMAGED * len(matrix) or filled[1] > DAMAGED * matrix.shape[1] or sum(filled) > MOST_DAMAGED:
        return None
    if (bad.mean() > 0.4 and sum(filled)) or (program.columns.cost >= 1 and len(columns) > DAMAGED * matrix.shape[1]):
        return None
    lines = _of_lines(search, "row", rows, table) + _of_lines(search, "column", columns, table)
    bad[rows] = False
    bad[:, columns] = False
    if bad.any():
        dropped = _dropout(program, matrix, bad)
        far = np.abs(matrix - table)[bad].min() > FAR * search.storage.half_unit(table)[bad].max()
        cells = dropped or _of_cells(matrix, bad, far)
        if cells is None:
            return None
        if dropped and program.scale is not None:  # zeros and scale are one thing
            program = program.but(scale=replace(program.scale, cause="dropout", sentence="", cost=0.1))
        lines.append(cells)
    if not lines or len(lines) > MOST_LINES:
        return None
    before = [Entry("damage", 0.001, "", "whole = matrix.copy()")] if any("whole" in one.line for one in lines) else []
    return program.but(afterwards=(*before, *lines))


def _of_lines(search: Search, kind: str, numbers: np.ndarray, table: np.ndarray) -> list[Entry]:
    """Return entries for rows, or columns, that hold something else; those with the same are told together."""
    given, made = (search.matrix, table) if kind == "row" else (search.matrix.T, table.T)
    groups: dict[Entry, list[int]] = {}
    for n in numbers:
        groups.setdefault(_of_line(search, kind, given[n], made, int(n)), []).append(int(n))
    found = []
    for one, several in groups.items():
        place = f"matrix[{_indices(several)}]" if kind == "row" else f"matrix[:, {_indices(several)}]"
        said = f"{in_words(kind, several).capitalize()} {one.sentence.format(**VERBS[len(several) > 1])}"
        found.append(Entry("damage", one.cost, one.cause, one.line.replace("{}", place), said))
    return found


def in_words(kind: str, numbers: Sequence[int]) -> str:
    """Write which rows or columns are meant, many of them shortly.

    >>> in_words("row", [4]), in_words("column", [2, 3, 4]), in_words("row", [1, 5])
    ('row 4', 'columns 2 to 4', 'rows 1 and 5')
    """
    if len(numbers) == 1:
        return f"{kind} {numbers[0]}"
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{kind}s {numbers[0]} to {numbers[-1]}"
    if len(numbers) > MOST_LISTED:
        return f"{kind}s {', '.join(map(str, numbers[:MOST_LISTED]))} and {len(numbers) - MOST_LISTED} more"
    return f"{kind}s {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _indices(numbers: list[int]) -> str:
    """Write row or column numbers as they are indexed: a slice where they are one."""
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1, step)):
        return f"{numbers[0]}:{numbers[-1] + 1}" + (f":{step}" if step != 1 else "")
    return str(numbers[0]) if len(numbers) == 1 else str(numbers)


def _of_line(search: Search, kind: str, found: np.ndarray, made: np.ndarray, n: int) -> Entry:
    """Return what became of row or column n, with {} for the place, and without a line where that is not known."""
    due = made[n]

    def near(a: np.ndarray, b: np.ndarray) -> bool:
        allowed = 2 * search.storage.half_unit(b) + 2000 * search.storage.eps * max(1, np.abs(b).max(initial=0))
        return bool(np.all(np.abs(a - b) <= allowed))

    if near(found, 0 * due):
        alone = n == 1 and search.matrix[2:3].any()  # as where 1 is the index of padding
        padding = kind == "row" and (alone or not search.matrix[: n + 1].any())
        said = "{be} all 0, as for padding." if kind == "row" else "{be} all 0. Was a line never run?"
        cause = "row-zeroed" if padding and search.matrix[1].any() else f"{kind}s-empty"
        return Entry("damage", 0.6 if padding else 1.0, cause, "{} = 0", said)
    if near(found, -due):
        return Entry("damage", 1, f"{kind}s-negated", "{} *= -1", "{have} the other sign. Look for a minus.")
    if np.ptp(found) <= 1e-9 and kind == "column":
        said = f"{{hold}} {found[0]:.6g} in every row. Was a line never run?"
        return Entry("damage", 1, "columns-still", f"{{}} = {found[0]!r}", said)
    others = np.flatnonzero(np.abs(made[:600] - found).max(1) <= 0.02)
    same = [m for m in others if m != n and near(found, made[m])]
    if same:
        place = f"whole[{same[0]}]" if kind == "row" else f"whole[:, {same[0]}]"
        return Entry("damage", 1, f"{kind}-wrong", f"{{}} = {place}", f"{{hold}} the numbers of {kind} {same[0]}.")
    if len(found) > 3 and np.ptp(due) > 1e-6:
        at, slopes = np.polyfit(due, found, 1), np.array([due, np.ones(len(due))])
        a, m = plainest(at, found - at @ slopes, slopes, 2 * search.storage.half_unit(found) + 1e-12)
        if a.value and near(found, a.value * due + m.value):
            line = f"{{}} = {a.text} * {{}}" + (f" + {m.text}" if m.value else "")
            done = [f"multiplied by {a.value:.6g}"] * (a.value != 1) + [f"moved by {m.value:.6g}"] * (m.value != 0)
            return Entry("damage", 1.1, f"{kind}s-scaled", line, f"{{be}} {' and '.join(done)}.")
    return Entry("damage", 1.6, f"{kind}-wrong", "", "{hold} numbers that nothing explains.")


def _dropout(program: Program, matrix: np.ndarray, bad: np.ndarray) -> Entry | None:
    """Return the entry for dropout that was left on: zeros here and there, and a scale that makes up for them."""
    scale = program.scale
    if scale is None or scale.cause != "scale" or bad.sum() <= 3 or matrix[bad].any() or bad.mean() > 0.6:
        return None
    factor = float(evaluated(scale.line, {"np": np, "matrix": 1.0}))
    if factor < 1.005:
        return None
    said = (
        f"Dropout is left on: {bad.sum()} numbers are 0 at random places, and the others are {factor:.4g} times as "
        f"large as they should be, which is 1/(1 - p) for p = {1 - 1 / factor:.2g}. Set the module to evaluation."
    )
    return Entry("damage", 1, "dropout", "", said)


def _of_cells(matrix: np.ndarray, bad: np.ndarray, far: bool) -> Entry | None:
    """Return the entry for single numbers that are others; None where they are too many.

    Where they are not `far` off, none of them is wrong: the program is not quite the right one.
    """
    count, values = int(bad.sum()), matrix[bad]
    row, column = np.argwhere(bad)[0]
    zero = not values.any() and count > 3 and bad.mean() < 0.6
    if not zero and (not far or bad.mean() > 0.12 or (count > 12 and bad.mean() > 0.05)):
        return None
    what = "0" if zero else "not what the others say"
    said = (
        f"{count} numbers are {what}; the first is in row {row}, column {column}."
        if count > 1
        else f"The number in row {row}, column {column} is not what the others say."
    )
    return Entry("damage", 1.1, "cell-wrong", "", said)


# ------------------------------------------------------------------ rows or columns repeated


def rule(x: np.ndarray) -> tuple[int, int] | None:
    """Return (a, b) where row n of x is the row n // a % b of x[::a], with fewer such rows than x has; else None."""
    same = (x == x[0]).all(1)
    a = int(np.argmin(same)) if not same.all() else len(x)
    if a == 0:
        return None
    again = np.flatnonzero(same[a:])
    b = (int(again[0]) + a) // a if len(again) else -(-len(x) // a)
    fewer = a * min(a, b) > 0 and max(a, b) < len(x) and b > 1
    return (a, b) if fewer and np.array_equal(x, x[np.arange(len(x)) // a % b * a]) else None


def _repeating(size: int, a: int, b: int, kind: str, cost: float, cause: str) -> Entry:
    """Return the line that takes n // a % b of rows or columns, without what changes nothing."""
    index = f"np.arange({size})" + (f" // {a}" if a > 1 else "") + (f" % {b}" if a * b < size else "")
    said = [f"every {kind} is repeated {a} times"] * (a > 1) + [f"the {kind}s begin again every {a * b}"] * (
        a * b < size
    )
    said_all = " and ".join(said)
    place = f"matrix[{index}]" if kind == "row" else f"matrix[:, {index}]"
    return Entry("repeated", cost, cause, f"matrix = {place}", f"{said_all[0].upper()}{said_all[1:]}.")


def alike(matrix: np.ndarray, look: Look) -> list[Runs]:
    """Return programs for one of each of the rows or columns that are repeated, and the line that repeats them."""
    for axis, kind in ((1, "column"), (0, "row")):
        found = rule(matrix if axis == 0 else matrix.T)
        one_of_each = matrix if found is None else np.take(matrix, np.arange(found[1]) * found[0], axis)
        if found is None or min(one_of_each.shape) < 3:
            continue
        again = _repeating(matrix.shape[axis], *found, kind, 1, "rows-repeated" if axis == 0 else "tiled")
        tables = [one_of_each] if axis == 0 else [np.hstack([one_of_each] * 2), one_of_each]  # twice: RoPE's tables
        programs = [p for table in tables for p in look(table) if isinstance(p, Program) and p.cost <= 2.5]
        if programs:
            return [p.but(afterwards=(*p.afterwards, again)) for p in cheapest(programs, 0.1)]
    return []


# ------------------------------------------------------------------ tables side by side


@dataclass(frozen=True)
class SideBySide:
    """Programs of tables that stand side by side."""

    parts: tuple[Runs, ...]
    widths: tuple[int, ...]

    def chosen(self) -> list[Entry]:
        """Return the line that joins the tables, and the entries of each."""
        said = f"It is made of {len(self.parts)} tables side by side, as for the axes of a grid."
        found = [Entry("blocks", 0.3, "blocks", "matrix = np.hstack(tables)", said)]
        for last, width, part in zip(np.cumsum(self.widths), self.widths, self.parts, strict=True):
            where = f"Columns {last - width} to {last - 1}: " if width > 1 else f"Column {last - 1}: "
            found += [
                Entry(one.slot, one.cost, one.cause, one.line, where + one.sentence)
                for one in part.chosen()
                if one.sentence
            ]
        return found

    @property
    def cost(self) -> float:
        """How far-fetched it is."""
        return 0.3 + sum(one.cost for one in self.parts)

    def steps(self) -> Iterator[tuple[str, str, Entry | None]]:
        """Yield the lines of all tables, and the one that joins them."""
        yield "tables = []", "tables = []", None
        for one in self.parts:
            yield from one.steps()
            yield "tables.append(matrix)", "tables.append(matrix)", None
        yield "matrix = np.hstack(tables)", "matrix = np.hstack(tables)", None

    def run(self) -> Names:
        """Run all, and return the names of the first program with the whole matrix."""
        names = [one.run() for one in self.parts]
        return {**names[0], "matrix": np.hstack([one["matrix"] for one in names])}


@dataclass(frozen=True)
class Ramp:
    """A straight line beside a table, as Fourier features have it: the position itself."""

    length: int
    first: float
    last: float
    cost: float = 0.3

    def chosen(self) -> list[Entry]:
        """Return what is said of it."""
        said = f"numbers that rise evenly from {self.first:.4g} to {self.last:.4g}, as the positions themselves do."
        return [Entry("ramp", self.cost, "column-beside", self._line, said)]

    @property
    def _line(self) -> str:
        return f"matrix = np.linspace({self.first!r}, {self.last!r}, {self.length})[:, np.newaxis]"

    def steps(self) -> Iterator[tuple[str, str, Entry | None]]:
        """Yield its line."""
        yield self._line, self._line, None

    def run(self) -> Names:
        """Run it."""
        names = names_of(self.length, 1, angles=np.zeros((self.length, 1)), w=np.zeros(1))
        exec(compiled(self._line), names)
        return names


def blocks(matrix: np.ndarray, look: Look) -> list[Runs]:
    """Return programs for equal tables side by side (the axes of a grid), or for one with a straight line beside it."""
    width = matrix.shape[1]
    splits = [[width - 1], [1]] if width > 4 else []
    splits += [
        [width // n * k for k in range(1, n)] for n in range(2, MOST_TABLES + 1) if width % n == 0 and width // n >= 4
    ]
    for at in splits:
        tables, parts = np.split(matrix, at, axis=1), list[Runs]()
        for table in tables:
            found = _block(table, look)
            if not found:
                break
            parts += cheapest(found)[:1]
        else:
            return [SideBySide(tuple(parts), tuple(table.shape[1] for table in tables))]
    return []


def _block(table: np.ndarray, look: Look) -> list[Runs]:
    """Return the programs of one block, in which rows may be repeated, as on a grid."""
    if not np.ptp(table, axis=0).any():  # nothing to be told from
        return []
    length, width = table.shape
    if width == 1:
        first, last = float(table[0, 0]), float(table[-1, 0])
        straight = np.abs(table[:, 0] - np.linspace(first, last, length)).max() <= 1e-6 * np.ptp(table)
        return [Ramp(length, first, last)] if straight else []
    found = rule(table)
    if found is None:
        return [one for one in look(table) if one.cost <= DEAREST_BLOCK]
    a, b = found
    again = _repeating(length, a, b, "row", 0.3, "grid")
    smaller = [one for one in look(table[: a * b : a]) if isinstance(one, Program)]
    return [one.but(afterwards=(*one.afterwards, again)) for one in smaller if one.cost <= DEAREST_BLOCK]


# ------------------------------------------------------------------ RoPE


def turned(x: np.ndarray, y: np.ndarray) -> tuple[str, np.ndarray | None] | None:
    """Return the layout and the table of the turns where y is x with its pairs turned, as RoPE does.

    As complex numbers y = x · t, and t is a table of sines and cosines like any other. The table is None where turns
    differ from sentence to sentence; None is returned where pairs change their lengths. x and y: (B, length, d_model).
    """
    half = x.shape[-1] // 2
    single = all(np.array_equal(one.astype(np.float32), one) for one in (x, y))
    for layout, s, c in (
        ("halves", slice(half), slice(half, 2 * half)),
        ("interleaved", slice(0, 2 * half, 2), slice(1, 2 * half, 2)),
    ):
        before, after = (one[..., s] + 1j * one[..., c] for one in (x, y))
        told = np.abs(before) > 1e-3
        near = 1e-4 if single else 1e-9
        if not told.any() or np.abs(np.abs(after) - np.abs(before)).max() > near * np.abs(x).max():
            continue
        turn = (after * before.conj()).sum(0) / np.maximum((np.abs(before) ** 2).sum(0), 1e-30)
        if np.abs(after - before * turn).max() > 1e-3 * np.abs(x).max():
            return layout, None
        table = np.stack([turn.imag, turn.real], -1).reshape(len(turn), -1)
        return None if np.abs(turn - 1).max() < 1e-6 else (layout, table)
    return None
