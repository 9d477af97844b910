"""What was never filled in, and what is left over once most numbers are explained: rows and columns by themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.measure import FAR, Sight
from pe_lib.diagnosis.positions import known_rows, position_lines
from pe_lib.diagnosis.prove import Proof, attempt
from pe_lib.diagnosis.recipe import Line, Recipe
from pe_lib.diagnosis.report import some

BROKEN = 0.3  # of the numbers in a row or column that do not fit: it is looked at as a whole
MOST_ROWS = 0.9  # of all rows: if more are broken, it is not by themselves
NEAR_ONE = 1e-3  # so near 1 are no factors that anybody multiplied by: a slow column has another frequency
LISTED = 2.0  # or more positions cost that are a list
MOST_LINES = 6  # of code about single rows and columns: beyond, they are counted


def emptied(recipe: Recipe, sight: Sight, values: np.ndarray, grain: Grain) -> Recipe:
    """Return the recipe with lines for the rows and columns of the matrix that hold nothing but zeros."""
    if grain.whole or {"row-zeroed", "rows-zeroed", "columns-empty"} & recipe.said:
        return recipe
    made = attempt(recipe) if grain.step else None
    made = values + 1 if made is None or made.shape != values.shape else made
    rows, columns = (_empty(values, made, axis) for axis in ((0, 1) if sight.turned else (1, 0)))
    lines = []
    if len(rows):
        kind = "variant" if rows.tolist() == [1] else "mistake"  # where programs keep the row of padding
        finding = "row-zeroed" if rows.tolist() == [0] else "rows-zeroed"
        lines.append(Line("damage", f"matrix[{_listed(rows)}] = 0", finding, kind, {"many": _counted("Row", rows)}))
    if len(columns):
        words = {"what": _counted("Column", columns)}
        lines.append(Line("damage", f"matrix[:, {_listed(columns)}] = 0", "columns-empty", words=words))
    return recipe.with_(*lines)


def _empty(values: np.ndarray, made: np.ndarray, axis: int) -> np.ndarray:
    """Return which rows or columns hold zeros alone, without those that come to 0 by themselves as they are rounded."""
    empty = np.flatnonzero(~np.any(values, axis=axis))
    filled = np.intersect1d(empty, np.flatnonzero(np.any(made, axis=axis)))
    run = len(empty) > 2 and np.ptp(empty) == len(empty) - 1 and 2 * len(filled) >= len(empty)  # one slice
    return empty if run else filled


def of_held(proof: Proof) -> Proof:
    """Return the proof with its line of positions told of the rows that hold one: not the empty or broken ones."""
    recipe, told = proof.recipe, ("start", "rows-repeated", "rows-out-of-order")
    line = next((one for one in recipe.changed if one.slot == "pos" and one.finding in told), None)
    if line is None or recipe.length != len(proof.values) or any(one.slot == "turned" for one in recipe.changed):
        return proof
    held = (~proof.fits).mean(axis=1) <= BROKEN
    held &= proof.values.any(axis=1)
    if held.all() or not held.any():
        return proof
    rows = np.arange(len(held))
    positions = recipe.names(rows, rows[:1])["pos"][:, 0]
    if line.cost > LISTED:  # rows that hold nothing may have any position, also that which the next ones leave them
        beside = np.flatnonzero(held)[abs(np.flatnonzero(held) - rows[:, np.newaxis]).argmin(axis=1)]
        plainer = position_lines(np.where(held, positions, positions[beside] + rows - beside))
        if plainer is not None and plainer.cost < line.cost:
            return replace(proof, recipe=recipe.with_(plainer))
    at, ahead = int(held.argmax()), positions - rows
    words = {"at": at, "first": f"{positions[at]:.10g}"}
    if at and positions[at] == 0 and not np.ptp(ahead[held]):
        words["many"] = "A row stands" if at == 1 else f"{at} rows stand"
        words["how"] = "all zeros" if not proof.values[:at].any() else "with other numbers"
        finding = "row-blank-before" if at == 1 and not proof.values[0].any() else "rows-before"
        line = replace(line, finding=finding, words=words)
        if held[at:].all():  # said already
            empty = ("row-zeroed", "rows-zeroed")
            kept = (replace(one, finding="") if one.finding in empty else one for one in recipe.changed)
            recipe = replace(recipe, changed=tuple(kept))
    elif line.finding == "start":
        line = replace(line, words=line.words | words)
    elif len(np.unique(positions[held])) == held.sum():
        shown = ", ".join(f"{p:.10g}" if here else "none" for p, here in zip(positions[:8], held[:8], strict=True))
        line = replace(line, finding="rows-out-of-order", words=line.words | {"shown": shown + ", …" * (len(held) > 8)})
    return replace(proof, recipe=recipe.with_(line))


def repaired(proof: Proof, sight: Sight) -> Iterator[Recipe]:
    """Yield the recipe with lines that say what became of rows, then of columns too."""
    turned = sight.turned
    view, made, off, bad = ((x.T if turned else x) for x in (proof.values, proof.rebuilt, proof.off, ~proof.fits))
    room = float(np.median(proof.room[:: max(1, len(proof.room) // 64)]))
    recipe = proof.recipe
    rows = np.flatnonzero(bad.mean(axis=1) > BROKEN)
    whole = np.flatnonzero(bad.mean(axis=0) > BROKEN)
    still = len(view) > 1 and not np.ptp(view[:, whole], axis=0).any()
    if still and len(whole) <= MOST_ROWS * bad.shape[1] and not np.delete(bad, whole, axis=1).any():
        rows = rows[:0]  # it is columns alone that are broken
    if len(rows) > MOST_ROWS * len(bad):
        return
    good = np.setdiff1d(np.arange(len(bad)), rows)
    columns = np.flatnonzero(bad[good].mean(axis=0) > BROKEN)
    if len(rows):
        recipe = _rows(recipe, sight, view, made, rows, float(proof.room.max()), columns)
        yield recipe
    if len(columns):
        near = 8 * float(np.delete(off[good], columns, axis=1).max(initial=0.0))  # as the other columns are
        lines = tuple(_columns(view[good], made[good], columns, min(4 * room, near) + 1e-14, bool(sight.half)))
        if lines:
            yield recipe.with_(*lines)


def _rows(
    recipe: Recipe,
    sight: Sight,
    view: np.ndarray,
    made: np.ndarray,
    moved: np.ndarray,
    room: float,
    broken: np.ndarray,
) -> Recipe:
    """Return the recipe in which rows hold the position that they hold, but for broken columns, or a multiple."""
    if recipe.length != len(view):  # the rows of the recipe stand elsewhere
        return recipe
    found = known_rows(
        recipe, sight.target, moved, max(room / abs(sight.scale), 4 * sight.noise) + 1e-9, left_out=broken
    )
    if found is not None and np.isfinite(found).any():
        plain = replace(recipe, changed=tuple(line for line in recipe.changed if line.slot == "pos"))
        positions = plain.names(np.arange(len(view)), np.arange(1))["pos"][:, 0].astype(float)
        positions[moved[np.isfinite(found)]] = found[np.isfinite(found)]
        if np.ptp(positions) > FAR + 2 * len(positions):
            return recipe  # some of them, or the others, stand there by chance
        line = position_lines(positions)
        return recipe.with_(line) if line else recipe.without(*(x for x in recipe.changed if x.slot == "pos"))
    at, row, whole = int(moved[0]), view[moved[0]], made[moved[0]]
    factor = float(f"{row @ whole / (whole @ whole):.6g}") if whole @ whole else 0.0
    if len(moved) == 1 and abs(factor) > 1e-9 and np.all(abs(row - factor * whole) <= 4 * room + 1e-9):
        words = {"at": at, "by": f"{factor:g}"}
        return recipe.with_(Line("damage", f"matrix[{at}] *= {factor!r}", "row-scaled", words=words))
    return recipe


def _columns(view: np.ndarray, made: np.ndarray, columns: np.ndarray, room: float, rounded: bool) -> Iterator[Line]:
    """Yield the lines that say what became of some columns."""
    groups: dict[tuple[str, str], list[int]] = {}
    for j in columns.tolist():
        groups.setdefault(_column(view[:, j], made[:, j], room, rounded), []).append(j)
        if len(groups) > MOST_LINES or len(groups.get(("", ""), ())) > MOST_LINES:
            return
    measured = [key for key in groups if key[1] in ("columns-multiplied", "columns-shifted")]
    groups.pop(("", ""), None)
    if len(measured) > 1:
        return
    for (code, finding), at in groups.items():
        words = {"what": _counted("Column", at), "words": code}
        cost = 2.0 if (code, finding) in measured else 1.0
        yield Line("damage", f"matrix[:, {_listed(np.array(at))}] {code}", finding, words=words, cost=cost)


def _column(y: np.ndarray, x: np.ndarray, room: float, rounded: bool) -> tuple[str, str]:
    """Return what makes a column of what it should be, and what is said of it; "" if nothing does."""
    negated = np.all(abs(x + y) <= room) and abs(x).max() > 2 * room
    if not negated and np.all(abs(y - y[0]) <= 1e-14 * (1 + abs(y[0]))):
        return f"= {int(y[0]) if y[0] == round(y[0]) else float(y[0])!r}", "columns-still"
    factor, shift = (float(f"{number:.15g}") for number in (x @ y / max(x @ x, 1e-300), np.median(y - x)))
    by_chance = rounded or abs(factor - 1) < NEAR_ONE or np.count_nonzero(abs(x) > room) < 3
    ways = [("*= -1", "columns-negated", -x), (f"+= {shift!r}", "columns-shifted", x + shift)]
    ways += [] if by_chance else [(f"*= {factor!r}", "columns-multiplied", factor * x)]
    return next(((code, finding) for code, finding, changed in ways if np.all(abs(y - changed) <= room)), ("", ""))


def _counted(what: str, at: Sequence[int] | np.ndarray) -> str:
    """Write the one row or column that something is said of, or how many they are."""
    return f"{what} {at[0]} is" if len(at) == 1 else f"{len(at)} {what.lower()}s ({some(at)}) are"


def _listed(at: np.ndarray) -> str:
    """Write indices as Python does, a run of them as a slice."""
    if len(at) == 1:
        return str(int(at[0]))
    steps = np.unique(np.diff(at))
    if len(at) > 2 and len(steps) == 1:
        step = f":{steps[0]}" if steps[0] > 1 else ""
        return f"{at[0]}:{at[-1] + 1}{step}"
    return str([int(k) for k in at])
