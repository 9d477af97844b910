"""Guess what was made of all the numbers: functions of them, factors and shifts of rows or columns, dropout."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pe_lib.diagnosis.catalogue import VALUES
from pe_lib.diagnosis.frame import Guess, framed, started
from pe_lib.diagnosis.measure import View, evenly, narrowed
from pe_lib.diagnosis.plain_numbers import plainest, round_number
from pe_lib.diagnosis.prove import Proof
from pe_lib.diagnosis.recipe import Line, Recipe, evaluated

MOST_MOVED = 400_000  # numbers: of more, it is not asked what became of each
CLEAR_NOISE = 1e-3  # or less, if every row or column is to tell a factor
FEW_ROWS = 16  # or more tell a factor and a shift of numbers in few digits
ROWS = 8  # of a matrix are enough to refuse a recipe by
LEAST_DROPPED, TOLD = 0.03, 0.05  # of the numbers, or less, are none by chance; a number that tells a scale
COMPARED = 32  # numbers along a row or column, of which all were needed to change them


def values_changed(view: View) -> Iterator[Guess]:
    """Yield recipes in which something was made of all the numbers."""
    length, d_model = view.values.shape
    if min(length, d_model) < 3:
        return
    rows, columns, tall, wide = (evenly(size, most) for most in (ROWS, COMPARED) for size in (length, d_model))
    room = min(8 * view.grain.noise + 1e-6 * (length if view.grain.noise > 1e-8 else 1), 0.3)  # angles in float32, too
    plain = replace(view.upright[0].recipe, length=length + 2)
    changes, down = VALUES | _measured_changes(view), plain.run(columns=columns)
    of_rows, of_columns = (
        [sight.target[np.ix_(*at)] for sight in view.upright] for at in ((rows, wide), (tall, columns))
    )
    for start in (0, 1):
        names = {"np": np, "pos": start + rows[:, np.newaxis], "w": plain.frequencies()}
        tables = {
            "rows": plain.run(start + rows),
            "columns": down[start:][:length],
            "longer": down[start:][: length + 1],
        }
        for code, (finding, axis, how) in changes.items():
            made = tables[axis]
            with np.errstate(all="ignore"):
                changed = evaluated(code, names | {"matrix": made})
            part = changed[:, wide] if axis == "rows" else changed[tall]
            size = max(1.0, float(np.fmax.reduce(abs(changed), axis=None)))
            for sight, target in zip(view.upright, of_rows if axis == "rows" else of_columns, strict=True):
                if np.mean(abs(part - target) <= room * size) >= 0.97 and not _multiplied(changed, made):
                    recipe = started(replace(plain, length=length + (axis == "longer")), start)
                    line = Line("values", f"matrix = {code}", finding, words={"how": how})
                    yield sight, framed(recipe.with_(line), sight)


def _multiplied(changed: np.ndarray, made: np.ndarray) -> bool:
    """Say whether a change only multiplies all numbers: that is a scale."""
    if changed.shape != made.shape:
        return False
    largest = abs(made).argmax()
    return bool(np.all(abs(changed - changed.flat[largest] / made.flat[largest] * made) <= 1e-12))


def _measured_changes(view: View) -> dict[str, tuple[str, str, str]]:
    """Return changes with a number in them: numbers cut off at a bound."""
    found, values = {}, view.values
    least, greatest = float(values.min()), float(values.max())
    at_bounds = np.count_nonzero(values == least) + np.count_nonzero(values == greatest)
    if at_bounds > 4 and -1 <= least < greatest <= 1 and (least, greatest) != (-1, 1):
        found[f"np.clip(matrix, {least!r}, {greatest!r})"] = ("clipped", "rows", f"{least:.4g} … {greatest:.4g}")
    return found


def absolute(proof: Proof) -> Iterator[Recipe]:
    """Yield the recipe of the absolute values of what a recipe makes, where no number is negative and they are many."""
    told = proof.values.min() >= 0 and len(np.unique(proof.values[:ROWS])) > ROWS
    if told and not any(line.slot == "values" for line in proof.recipe.changed):
        words = {"how": VALUES["np.abs(matrix)"][2]}
        yield proof.recipe.with_(Line("values", "matrix = np.abs(matrix)", "changed", words=words))


def dropped_out(view: View) -> Iterator[Guess]:
    """Yield the encoding with the scale of the numbers that are not 0, where more of them are than a sine makes."""
    for sight in view.upright:
        rows, columns = evenly(len(sight.target), COMPARED), sight.filled[evenly(len(sight.filled), COMPARED)]
        part, made = sight.target[np.ix_(rows, columns)], sight.recipe.run(rows, columns)
        told = (part != 0) & (abs(made) > TOLD)
        if np.any(told) and LEAST_DROPPED < np.mean(part[made != 0] == 0) < 1 - LEAST_DROPPED:
            scale = float(np.median(part[told] / made[told]))
            if scale > 1 and np.mean(abs(part - scale * made)[told] <= scale * (8 * sight.noise + 1e-6)) > 0.97:
                yield sight, framed(sight.recipe, replace(sight, scale=scale, target=sight.target / scale))


def factors(view: View) -> Iterator[Guess]:
    """Yield recipes in which every row or column is multiplied by a number of its own, or columns are shifted too."""
    length, d_model = view.values.shape
    least = 6 if view.grain.noise < 1e-12 else FEW_ROWS
    if length < least or d_model < 4 or length * d_model > MOST_MOVED or view.grain.noise > CLEAR_NOISE:
        return
    few = evenly(length, COMPARED), evenly(d_model, COMPARED)
    for sight in view.upright:
        loose = (4e-15 + 16 * sight.noise) * float(abs(sight.target).max())
        for along, shifted in (("rows", False), ("columns", False), ("columns", True)):
            for at, room in ((few, 8 * loose), ((np.arange(length), np.arange(d_model)), loose)):
                x, y = sight.recipe.run(*at), sight.target[np.ix_(*at)]
                found = _stretched(*((x.T, y.T) if along == "rows" else (x, y)), shifted, room, sight.half)
                if found is None:
                    break
            moved = found is not None and np.ptp(found[shifted]) > max(1e-6, 8 * sight.noise)
            if found and moved and abs(found[0]).min() > 1e-6 and abs(found[1]).max() < 1e3:
                yield sight, framed(sight.recipe.with_(_stretch_line(*found, along)), sight)


def _stretched(
    x: np.ndarray, y: np.ndarray, shifted: bool, loose: float, half: float = 0.0
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the factors and shifts of columns that make y of x, rounded to steps of twice `half`, if there are any."""
    means = (x.mean(axis=0), y.mean(axis=0)) if shifted else (0.0 * x[0], 0.0 * y[0])
    x0, y0 = x - means[0], y - means[1]
    factors = (x0 * y0).sum(axis=0) / np.maximum((x0 * x0).sum(axis=0), 1e-300)
    if shifted and np.all(abs(x0 - y0) <= loose):
        return np.ones(x.shape[1]), means[1] - means[0]
    good = np.all(abs(factors * x0 - y0) <= loose)
    if half and not shifted:  # of the factors that give all of the rounded numbers, the plainest
        least, most = narrowed(y, x, half)
        some = (least <= most) & np.isfinite(least) & np.isfinite(most)
        factors[some] = [plainest(*ends) for ends in zip(least[some], most[some], strict=True)]
    return (factors, means[1] - factors * means[0]) if good else None


def _stretch_line(factors: np.ndarray, shifts: np.ndarray, along: str) -> Line:
    even, odd = factors[0], factors[1]
    each = list(dict.fromkeys(f"{x:.6g}" for x in factors))
    own = len(np.unique(factors.round(12))) > len(each)
    shown = ", ".join(each[:5]) + (", …" if len(each) > 5 else "")
    code = f"matrix = matrix * {_numbers(factors)}"
    if along == "rows":
        how = f"one of {len(each)} numbers" if len(each) <= 5 and not own else "a number of its own"
        return Line("values", f"{code}[:, np.newaxis]", "rows-scaled", words={"how": f"{how}: {shown}"}, cost=4)
    if shifts.any() and np.all(factors == 1):
        words = {"shown": ", ".join(f"{x:.4g}" for x in shifts[:5]) + (", …" if len(shifts) > 5 else "")}
        return Line("values", f"matrix = matrix + {_numbers(shifts)}", "vector-added", words=words, cost=4)
    if shifts.any():
        words = {"how": "by a factor and a shift of its own"}
        return Line("values", f"{code} + {_numbers(shifts)}", "columns-scaled", words=words, cost=5)
    if np.ptp(factors[0::2]) < 1e-6 and np.ptp(factors[1::2]) < 1e-6:
        even, odd = (round_number(abs(x), 1e-6, 6) or abs(x) for x in (even, odd))
        code = f"matrix = matrix * np.where(j % 2 == 0, {even!r}, {odd!r})"
        return Line("values", code, "sines-scaled", words={"how": f"{even:.6g} and {odd:.6g}"})
    return Line("values", code, "columns-scaled", words={"how": f"by a factor of its own: {shown}"}, cost=4)


def _numbers(values: np.ndarray) -> str:
    return f"np.array({[float(f'{x:.15g}') for x in values]})"
