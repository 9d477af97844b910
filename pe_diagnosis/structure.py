"""What one program doesn't make alone: damage, columns of two lines, and tables made of a smaller one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from pe_diagnosis import limits
from pe_diagnosis.catalogue import Entry
from pe_diagnosis.program import Program, cheapest, evaluated
from pe_diagnosis.search import Search

VERBS = ({"be": "is", "have": "has", "hold": "holds"}, {"be": "are", "have": "have", "hold": "hold"})

Look = Callable[[np.ndarray], list[Program]]  # the programs that make a smaller table


# ------------------------------------------------------------------ damage


def damaged_programs(search: Search) -> list[Program]:
    """Return the programs that make all but a part of the matrix, with lines for that part."""
    coarse = (search.storage.decimals or 9) < limits.PRINTED  # for damage beside a mistake
    most = min(search.best + limits.ALIKE, limits.DEAREST)
    # Those that make most, and cost little: a mistake more has to make a tenth of the numbers more.
    near = [one for _, one in sorted(search.near, key=lambda one: 0.1 * one[1].cost - one[0])]
    hopeful = [one for one in near if one.cost <= most and (one.cost < 1 or not coarse)]
    paper = Program(len(search.matrix), search.matrix.shape[1], search.asked)
    found = [_with_lines_for_damage(search, program) for program in (paper, *hopeful[: limits.HURT])]
    return [one for one in found if one is not None and one.cost <= most]


def _with_lines_for_damage(search: Search, program: Program) -> Program | None:
    """Return the program with lines for its damage, or None where the damage is too much to be called so."""
    fits, table = search.compare(program)
    matrix, bad = search.matrix, ~fits
    zero_rows, zero_columns = ~np.any(matrix, axis=1), ~np.any(matrix, axis=0)
    # Rows that are half wrong are told as rows, columns that are half wrong in the other rows as columns.
    rows = np.flatnonzero((bad.mean(1) > 0.5) | (zero_rows & bad.any(1)))
    if len(rows) == len(matrix):
        return None
    left = np.delete(bad, rows, 0)
    columns = np.flatnonzero((left.mean(0) > 0.5) | (zero_columns & left.any(0)))
    filled = (~zero_rows[rows]).sum(), (~zero_columns[columns]).sum()  # with numbers other than 0
    if _too_much(program, bad, *filled) or not shows_its_law(search, program, fits):
        return None
    lines = _entries_of(search, "row", rows, table) + _entries_of(search, "column", columns, table)
    if program.values is not None and not all(one.line for one in lines):
        return None  # with a line of values, much fits by chance
    bad[rows] = False
    bad[:, columns] = False
    if bad.any():  # what is left is single numbers
        dropped = _dropout(program, matrix, bad)
        far = np.abs(matrix - table)[bad].min() > limits.FAR_OFF * search.storage.half_unit(table)[bad].max()
        cells = dropped or _entry_of_numbers(bad, far)
        if cells is None:
            return None
        if dropped and program.scale is not None:  # zeros and scale are one thing
            program = program.but(scale=replace(program.scale, cause="dropout", sentence="", cost=0.1))
        lines.append(cells)
    if not lines or len(lines) > limits.MOST_LINES:
        return None
    before = [Entry("damage", 0, "", "whole = matrix.copy()")] if any("whole" in one.line for one in lines) else []
    return program.but(afterwards=(*before, *lines))


def shows_its_law(search: Search, program: Program, fits: np.ndarray) -> bool:
    """Say whether the numbers that a program makes show its frequencies, where these are no usual ones.

    Angles so large that their type leaves the sine open show nothing, nor do columns that stand still.
    """
    if program.frequencies.cost < 1 and program.base is None:
        return True
    names = program.but(order=Program.order).run()
    table = names["matrix"]
    if table.shape != fits.shape or not fits.any():
        return True
    still = np.ptp(table, axis=0) <= 2 * search.storage.half_unit(np.abs(table).max(0))
    vague = still | (search.storage.lost(names["angles"], names["w"]) >= limits.MOST_LOST)
    return bool(vague[fits].mean() <= limits.ENOUGH)


def _too_much(program: Program, bad: np.ndarray, rows: int, columns: int) -> bool:
    """Say whether there are too many rows and columns of other numbers; empty ones aren't counted among these."""
    of_rows, of_columns = rows / len(bad), columns / bad.shape[1]
    beside = program.cost >= 1 and of_columns > limits.DAMAGED_BESIDE
    return bool(max(of_rows, of_columns) > limits.DAMAGED or beside or rows + columns > limits.MOST_DAMAGED)


def _entries_of(search: Search, kind: str, numbers: np.ndarray, table: np.ndarray) -> list[Entry]:
    """Return entries for rows, or columns, that hold something else; those with the same are told together."""
    given, made = (search.matrix, table) if kind == "row" else (search.matrix.T, table.T)
    groups: dict[Entry, list[int]] = {}
    for n in numbers:
        groups.setdefault(_entry_of_row_or_column(search, kind, given[n], made, int(n)), []).append(int(n))
    found = []
    for one, several in groups.items():
        place = f"matrix[{_indices(several)}]" if kind == "row" else f"matrix[:, {_indices(several)}]"
        said = f"{in_words(kind, several).capitalize()} {one.sentence.format(**VERBS[len(several) > 1])}"
        found.append(Entry("damage", one.cost, one.cause, one.line.replace("{place}", place), said))
    return found


def in_words(kind: str, numbers: Sequence[int]) -> str:
    """Write which rows or columns are meant, many of them briefly.

    >>> in_words("row", [4]), in_words("column", [2, 3, 4]), in_words("row", [1, 5])
    ('row 4', 'columns 2 to 4', 'rows 1 and 5')
    """
    if len(numbers) == 1:
        return f"{kind} {numbers[0]}"
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{kind}s {numbers[0]} to {numbers[-1]}"
    if len(numbers) > limits.MOST_LISTED:
        first, more = numbers[: limits.MOST_LISTED], len(numbers) - limits.MOST_LISTED
        return f"{kind}s {', '.join(map(str, first))} and {more} more"
    return f"{kind}s {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _indices(numbers: list[int]) -> str:
    """Write row or column numbers as they are indexed: a slice where they are one."""
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1, step)):
        return f"{numbers[0]}:{numbers[-1] + 1}" + (f":{step}" if step != 1 else "")
    return str(numbers[0]) if len(numbers) == 1 else str(numbers)


def _entry_of_row_or_column(search: Search, kind: str, given: np.ndarray, made: np.ndarray, n: int) -> Entry:
    """Return what became of row or column n, without a line where that isn't known.

    {place} in the line and a verb such as {be} in the sentence are filled in once it's known how many became the same.
    """

    def near(a: np.ndarray, b: np.ndarray) -> bool:
        size = np.abs(b).max(initial=0)
        allowed = 2 * search.storage.half_unit(b) + 2000 * search.storage.eps * max(1, size)  # angles lose so much
        return bool(np.all(np.abs(a - b) <= allowed) and size > 10 * allowed.max())  # else they may as well be 0

    if np.abs(given).max() <= 2 * search.storage.noise + 1e-12:
        alone = n == 1 and search.matrix[2:3].any()  # as where 1 is the index of padding
        empty = ~np.any(search.matrix, axis=1)  # in front, or at the end, where most rows hold something
        padding = kind == "row" and (alone or empty[: n + 1].all() or (empty[n:].all() and empty.mean() < 0.5))
        why = ", as for padding." if padding else f". Was a {'mask applied' if kind == 'row' else 'line never run'}?"
        cause = "row-zeroed" if padding and search.matrix[1].any() else f"{kind}s-empty"  # row 0 alone, or the end
        return Entry("damage", 0.6 if padding else 1.0, cause, "{place} = 0", f"{{be}} all 0{why}")
    if near(given, -made[n]):
        return Entry("damage", 1, f"{kind}s-negated", "{place} *= -1", "{have} the other sign. Look for a minus.")
    if np.ptp(given) <= 1e-9 and kind == "column":
        said = f"{{hold}} {given[0]:.6g} in every row. Was a line never run?"
        return Entry("damage", 1, "columns-still", f"{{place}} = {float(given[0])!r}", said)
    others = np.argsort(np.abs(made[: limits.LONGEST] - given).max(1))[:2]  # itself may be the nearest
    same = [m for m in others if m != n and near(given, made[m])]
    if same:
        line = f"{{place}} = whole[{same[0]}]" if kind == "row" else f"{{place}} = whole[:, {same[0]}]"
        return Entry("damage", 1, f"{kind}-wrong", line, f"{{hold}} the numbers of {kind} {same[0]}.")
    return Entry("damage", 1.6, f"{kind}-wrong", "", "{hold} numbers that nothing explains.")


def _dropout(program: Program, matrix: np.ndarray, bad: np.ndarray) -> Entry | None:
    """Return the entry for dropout that was left on: zeros here and there, and a scale that makes up for them."""
    scale = program.scale
    if scale is None or scale.cause != "scale" or bad.sum() <= 3 or matrix[bad].any() or bad.mean() > limits.DROPPED:
        return None
    factor = float(evaluated(scale.line, {"np": np, "matrix": 1.0}))
    if factor < limits.LEAST_DROPOUT:
        return None
    said = (
        f"Dropout is left on: {bad.sum()} numbers are 0 at random places, and the others are {factor:.4g} times as "
        f"large as they should be, which is 1/(1 - p) for p = {1 - 1 / factor:.2g}. Set the module to evaluation."
    )
    return Entry("damage", 1, "dropout", "", said)


def _entry_of_numbers(bad: np.ndarray, far: bool) -> Entry | None:
    """Return the entry for single numbers that are others; None where they are too many.

    Where they aren't `far` off, none of them is wrong: the program isn't quite the right one.
    """
    count = int(bad.sum())
    row, column = np.argwhere(bad)[0]
    if not far or bad.mean() > limits.WRONG:
        return None
    which = f"{count} numbers are" if count > 1 else f"The number in row {row}, column {column} is"
    said = f"{which} not what the others say" + f"; the first is in row {row}, column {column}" * (count > 1) + "."
    return Entry("damage", 1.1, "cell-wrong", "", said)


# ------------------------------------------------------------------ columns that come from two lines


def joined(search: Search) -> Iterator[Program]:
    """Yield programs of two halves of the columns that are made apart: every other one, or the first and the second."""
    half = (search.matrix.shape[1] + 1) // 2
    for left, right in (("0::2", "1::2"), (f":{half}", f"{half}:")):
        if (first := _of_some_columns(search, left)) and (second := _of_some_columns(search, right)):
            both = [sorted([(a, left), (b, right)], key=lambda one: one[0].cost) for a in first for b in second]
            found = [one.but(other=other, slices=(theirs, own)) for (one, own), (other, theirs) in both]
            yield from cheapest(found, limits.TOLD_APART)[: limits.MOST_MEANINGS]


def _of_some_columns(search: Search, part: str) -> list[Program]:
    """Return the programs that make some columns, the others left out; none if these don't turn evenly."""
    matrix, columns = np.full_like(search.matrix, np.nan), evaluated(f"np.s_[{part}]", {"np": np})
    matrix[:, columns] = search.matrix[:, columns]
    one = Search(matrix, search.asked, search.storage)
    if one.turns_evenly:
        one.prove(one.from_views(up_to=limits.USUAL_VIEWS))
        if one.best >= limits.STOP_BELOW:
            one.prove(one.anywhere())
    few = [each for each in one.survivors if each.cost <= limits.ONE_MISTAKE and _is_shown(each, columns)]
    few = [each for each in few if shows_its_law(one, each, one.told)]
    return cheapest(few, limits.ALIKE)


def _is_shown(program: Program, columns: slice) -> bool:
    """Say whether columns show a program: three show layout and law, and three speeds a measured base or a start."""
    speeds, measured = program.run()["w"][columns], program.base is not None or program.positions.cost > 0
    return len(speeds) > 2 and (not measured or len(np.unique(speeds)) > 2)


# ------------------------------------------------------------------ tables made of a smaller table


def repetition(x: np.ndarray) -> tuple[int, int]:
    """Return (a, b) where row n of x is the row n // a % b of x[::a]; (1, len(x)) where rows don't repeat so."""
    same = (x == x[0]).all(1)
    a = len(x) if same.all() else int(np.argmin(same))
    again = np.flatnonzero(same[a:])
    b = (int(again[0]) + a) // a if len(again) else -(-len(x) // a)
    return (a, b) if np.array_equal(x, x[np.arange(len(x)) // a % b * a]) else (1, len(x))


def made_of_smaller(matrix: np.ndarray, look: Look) -> list[Program]:
    """Return programs of a smaller table, with the line that repeats its rows, or sets it next to itself.

    Each of n equal blocks of columns has to hold rows of one table: all of them for the heads of attention, some of
    them, each several times, for the axes of a grid. A single block is a table whose rows repeat.
    """
    if first := int(np.argmax(matrix.any(1))):
        code = f"matrix = np.vstack([np.zeros(({first}, matrix.shape[1])), matrix])"
        said = f"{in_words('row', range(first)).capitalize()} hold{'s' * (first == 1)} zeros only, as of a class token."
        token = Entry("repeated", 0.2, "class-token", code, said)
        return [one.but(afterwards=(*one.afterwards, token)) for one in made_of_smaller(matrix[first:], look)]
    length, width = matrix.shape
    for n in range(width // limits.NARROWEST, 0, -1):
        if width % n or not np.array_equal(matrix[:1, : width // n], matrix[:1, -(width // n) :]):
            continue
        blocks = np.split(matrix, n, axis=1)
        repeats = [repetition(block) for block in blocks]
        tables = [block[: a * b : a] for block, (a, b) in zip(blocks, repeats, strict=True)]
        table = max(tables, key=len)
        alike = all(len(one) > 1 and np.array_equal(one, table[: len(one)]) for one in tables)
        if alike and len(table) >= limits.FEWEST_ROWS and table.size < matrix.size:
            again = _repeating([_index(length, a, b) for a, b in repeats])
            return [one.but(afterwards=(*one.afterwards, again)) for one in look(table)]
    return []


def _index(length: int, a: int, b: int) -> str:
    """Write the table with its rows taken n // a % b times, without what changes nothing."""
    index = f" // {a}" * (a > 1) + f" % {b}" * (a * b < length)
    return f"matrix[np.arange({length}){index}]" if index else "matrix"


def _repeating(blocks: list[str]) -> Entry:
    """Return the line that makes such blocks of a table."""
    n = len(blocks)
    if n == 1:
        said = "Rows are repeated: // is how many copies stand together, % after how many they begin again."
        cause = "rows-repeated" if "//" in blocks[0] else "positions-restart"
        return Entry("repeated", 1, cause, f"matrix = {blocks[0]}", said)
    if len(set(blocks)) == 1:
        said = f"One table stands {n} times side by side, as for the heads of attention. Compute all columns at once."
        return Entry("repeated", 1, "tiled", f"matrix = np.hstack([{blocks[0]}] * {n})", said)
    said = (
        f"It is made of {n} tables side by side, one for each axis of a grid. This isn't a mistake where positions "
        f"have {n} numbers, as the pixels of an image have two."
    )
    return Entry("repeated", 0.3, "grid", f"matrix = np.hstack([{', '.join(blocks)}])", said)
