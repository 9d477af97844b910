"""What is left over once most numbers are explained: rows, columns and cells by themselves."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pe_lib.diagnosis.measure import Sight, order_of
from pe_lib.diagnosis.positions import known_rows, position_lines
from pe_lib.diagnosis.prove import Proof
from pe_lib.diagnosis.recipe import Line, Recipe
from pe_lib.diagnosis.report import some

BROKEN = 0.3  # of the numbers in a row or column that do not fit: it is looked at as a whole
MOST_ROWS = 0.9  # of all rows: if more are broken, it is by their columns
MOST_LINES = 6  # of code about single rows and columns: beyond, they are counted


def repaired(proof: Proof, sight: Sight) -> Iterator[Recipe]:
    """Yield the recipe with lines that say what became of rows, then of columns too."""
    turned = sight.turned
    view, made, bad = ((x.T if turned else x) for x in (proof.values, proof.rebuilt, ~proof.fits))
    room = float(np.median(proof.room[:: max(1, len(proof.room) // 64)]))
    recipe = proof.recipe
    rows = np.flatnonzero(bad.mean(axis=1) > BROKEN)
    if len(rows) > MOST_ROWS * len(bad):  # then it is the columns, if they are empty
        rows, columns_told = rows[:0], ~view.any(axis=0)
    else:
        columns_told = np.ones(view.shape[1], bool)
    good = np.setdiff1d(np.arange(len(bad)), rows)
    columns = np.flatnonzero((bad[good].mean(axis=0) > BROKEN) & columns_told)
    if len(columns) > 0.75 * bad.shape[1] or proof.level == "noisy":
        columns = columns[:0]
    if len(rows) and len(rows) < 0.97 * len(view):
        recipe = _rows(recipe, sight, view, rows, room)
        yield recipe
    if len(columns):
        good = np.setdiff1d(np.arange(len(view)), rows)
        lines = tuple(_columns(view[good], made[good], columns, room))
        if lines:
            yield recipe.with_(*lines)


def _rows(recipe: Recipe, sight: Sight, view: np.ndarray, rows: np.ndarray, room: float) -> Recipe:
    """Return the recipe in which rows of zeros are zero, and others hold the position that they hold."""
    zero = rows[~view[rows].any(axis=1)]
    lines = []
    if len(zero):
        if len(zero) == 1 and zero[0] == 0:
            lines.append(Line("damage", "matrix[0] = 0", "row-zeroed"))
        else:
            many = f"Row {zero[0]} is" if len(zero) == 1 else f"{len(zero)} rows ({some(zero)}) are"
            kind = "variant" if zero.tolist() == [1] else "mistake"  # where programs keep the row of padding
            lines.append(Line("damage", f"matrix[{_listed(zero)}] = 0", "rows-zeroed", kind, {"many": many}))
    moved = np.setdiff1d(rows, zero)
    if len(moved) and recipe.length == len(view):  # else the rows of the recipe stand elsewhere
        found = known_rows(recipe, sight.target, moved, max(room / abs(sight.scale), 4 * sight.noise) + 1e-9)
        if found is not None and np.isfinite(found).any():
            plain = replace(recipe, changed=tuple(line for line in recipe.changed if line.slot == "pos"))
            positions = plain.names(np.arange(len(view)), np.arange(1))["pos"][:, 0].astype(float)
            positions[moved[np.isfinite(found)]] = found[np.isfinite(found)]
            line = position_lines(positions)
            recipe = recipe.with_(line) if line else recipe.without(*(x for x in recipe.changed if x.slot == "pos"))
        elif len(moved) == 1:
            flipped = int(moved[0])
            lines += _factor(view[flipped], recipe, flipped, sight, room)
    return recipe.with_(*lines)


def _factor(row: np.ndarray, recipe: Recipe, at: int, sight: Sight, room: float) -> list[Line]:
    """Return the line that multiplies one row, if that gives it."""
    made = recipe.run(np.array([at]))[0]
    if len(made) != len(row):
        return []
    whole = np.empty(len(made))
    whole[order_of(sight.layout, len(made))] = made * sight.scale + sight.offset
    factor = float(row @ whole / (whole @ whole)) if whole.any() else 0.0
    if abs(factor) > 1e-9 and np.all(abs(row - factor * whole) <= 4 * room + 1e-9):
        factor = float(f"{factor:.6g}")
        return [Line("damage", f"matrix[{at}] *= {factor!r}", "row-scaled", words={"at": at, "by": f"{factor:g}"})]
    return []


def _columns(view: np.ndarray, made: np.ndarray, columns: np.ndarray, room: float) -> Iterator[Line]:
    """Yield the lines that say what became of some columns."""
    room = 4 * room + 1e-12
    groups: dict[tuple[str, str], list[int]] = {}
    for j in columns.tolist():
        groups.setdefault(_column(view[:, j], made, j, view, room), []).append(j)
        if len(groups) > MOST_LINES or len(groups.get(("", ""), ())) > MOST_LINES:
            return
    if sum(finding in ("columns-multiplied", "columns-shifted") for _, finding in groups) > 1:
        return
    for (code, finding), at in groups.items():
        if not code:
            continue
        each = [code.replace("{j}", str(j)) for j in at] if "{j}" in code else [code]
        for one in each[:MOST_LINES]:
            where = some(at)
            what = f"Column {where} is" if len(at) == 1 else f"{len(at)} columns ({where}) are"
            words = {"what": what, "at": at[0], "words": one.partition("] ")[2]}
            cost = 2.0 if finding in ("columns-multiplied", "columns-shifted") else 1.0
            yield Line("damage", one.replace("{at}", _listed(np.array(at))), finding, words=words, cost=cost)


def _column(y: np.ndarray, made: np.ndarray, j: int, view: np.ndarray, room: float) -> tuple[str, str]:
    """Return the line that makes a column of what it should be, and what is said of it; "" if there is none."""
    x = made[:, j]
    if np.all(abs(y - y[0]) <= 1e-12 * (1 + abs(y[0]))):
        value = float(y[0])
        return f"matrix[:, {{at}}] = {int(value) if value == round(value) else value!r}", (
            "columns-empty" if value == 0 else "columns-still"
        )
    if np.all(abs(y + x) <= room):
        return "matrix[:, {at}] *= -1", "columns-negated"
    factor = float(x @ y / (x @ x)) if x @ x else 0.0
    if abs(factor) > 1e-9 and np.all(abs(y - factor * x) <= room):
        return f"matrix[:, {{at}}] *= {float(f'{factor:.9g}')!r}", "columns-multiplied"
    shift = float(np.median(y - x))
    if np.all(abs(y - x - shift) <= room):
        return f"matrix[:, {{at}}] += {float(f'{shift:.9g}')!r}", "columns-shifted"
    return _moved_column(y, made, j, view, room)


def _moved_column(y: np.ndarray, made: np.ndarray, j: int, view: np.ndarray, room: float) -> tuple[str, str]:
    """Return the line that brings another column, or another row of this one, to where it stands."""
    for k in np.flatnonzero(np.all(abs(y[:, np.newaxis] - made) <= room, axis=0)).tolist():
        if k != j and np.all(abs(view[:, k] - made[:, j]) <= room):  # said once for both
            return f"matrix[:, [{{j}}, {k}]] = matrix[:, [{k}, {{j}}]]" * (k > j), "columns-exchanged"
        if k != j:
            return f"matrix[:, {{j}}] = matrix[:, {k}]", "column-wrong"
    for by in (1, -1):
        if len(y) > 6 and np.all(abs(np.roll(made[:, j], by) - y) <= room):
            return f"matrix[:, {{at}}] = np.roll(matrix[:, {{at}}], {by}, axis=0)", "columns-rolled"
    return "", ""


def _listed(at: np.ndarray) -> str:
    """Write indices as Python does, a run of them as a slice."""
    if len(at) == 1:
        return str(int(at[0]))
    steps = np.unique(np.diff(at))
    if len(at) > 2 and len(steps) == 1:
        step = f":{steps[0]}" if steps[0] > 1 else ""
        return f"{at[0]}:{at[-1] + 1}{step}"
    return str([int(k) for k in at])
