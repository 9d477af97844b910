"""Look for the recipe of a matrix: the plain ones first, then those that are measured, then two lines at once.

Whatever is proposed here is only a guess; `prove` decides.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from pe_lib.diagnosis.catalogue import OTHERS, VALUES, core_lines, place_lines
from pe_lib.diagnosis.frame import SWAPPED, Guess, Trial, framed, started
from pe_lib.diagnosis.grain import COARSE
from pe_lib.diagnosis.laws import LIKELY, PAPER, base_line, law_line, round_number, values_of, written
from pe_lib.diagnosis.measure import Sight, View, evenly
from pe_lib.diagnosis.positions import in_order, nearest
from pe_lib.diagnosis.prove import LARGE
from pe_lib.diagnosis.recipe import Line, Recipe, evaluated
from pe_lib.diagnosis.report import count, some
from pe_lib.diagnosis.turning import (
    RELATIVE,
    of_columns,
    of_far_rows,
    of_free_pairs,
    of_pairs,
    of_rows,
    of_same_rows,
)

MOST_MOVED = 400_000  # numbers: of more, it is not asked where each came from
CLEAR_NOISE = 1e-3  # or less, if every row or column is to tell a factor
MOST_LISTED = 1000  # numbers in a line
FEW = 4  # numbers, or fewer: other functions are not looked for
ROWS = 8  # of a matrix are enough to refuse a recipe by
ROUND = [digit * 10.0**power for power in range(1, 7) for digit in range(1, 10)]
BASES = np.sort(np.r_[ROUND, np.geomspace(2, 1e7, 800)])  # that rounded numbers may have
FINELY = 1.02  # times as large as one of them is the next, or less
EXACTLY = 1.001  # times the least, or less, is the greatest of those that are said to be one
LEAST_DROPPED, TOLD = 0.03, 0.05  # of the numbers, or less, are none by chance; a number that tells a scale
COMPARED = 32  # numbers along a row or column, of which all were needed to change them


def line_guesses(view: View) -> Iterator[Guess]:
    """Yield recipes that differ from the encoding in a line that is known, or that pairs on circles tell."""
    yield from of_same_rows(view)
    others = chain(_other_encodings(view), _values_changed(view))
    if view.whole:
        yield from chain(others, _encodings(view), _known_lines(view), _of_hands(view))
    else:
        yield from chain(_encodings(view), _bases_left_open(view), _of_hands(view), _known_lines(view), others)


def change_guesses(view: View) -> Iterator[Guess]:
    """Yield recipes in which numbers came to other places."""
    if view.values.size <= MOST_MOVED:
        yield from _places(view)
        yield from _beside(view)
    if len(view.upright[0].filled) < view.values.shape[1] or view.values.size > LARGE:
        yield from column_guesses(view)


def moved_guesses(view: View) -> Iterator[Guess]:
    """Yield recipes in which rows stand at other places, for which all of them are needed."""
    for sight in view.upright:
        yield from of_rows(sight, known=False)


def _of_hands(view: View) -> Iterator[Guess]:
    """Yield what pairs that lie on circles tell."""
    yield from of_pairs(view.clean)
    values = view.values
    if values.shape[1] > 3 and values.shape[1] % 2 and not values[:, -1].any():
        yield from _without_last(view)


def measured_guesses(view: View) -> Iterator[Guess]:
    """Yield recipes with lines that were measured, then those with two lines at once."""
    clean, noisy = view.clean, view.noisy
    for sight in view.sights():
        if sight.layout == "interleaved":
            yield from of_columns(sight)
    for sight in clean[:2]:
        yield from of_rows(sight)
        yield from of_free_pairs(sight)
    yield from _dropped(view)
    yield from _factors(view)
    if min(view.values.shape) > 1:
        yield from _known_lines(view, two=True)
    if view.values.size <= LARGE:  # of larger ones it was asked before
        yield from column_guesses(view)
    # what follows is near at best
    if view.grain.held_by in COARSE or noisy:
        yield from of_pairs(view.circles[:2], RELATIVE[2:])
    yield from of_pairs(noisy[:2])
    for sight in noisy[:1]:
        yield from of_rows(sight)
    for sight in noisy[:2]:
        yield from of_free_pairs(sight)
    yield view.upright[0], view.upright[0].recipe


def _encodings(view: View) -> Iterator[Guess]:
    """Yield the encoding itself, from any position."""
    for sight in view.sights():
        trial = Trial(sight)
        for start in dict.fromkeys((_first_position(sight), 0, 1)):
            recipe = started(sight.recipe, start)
            names = recipe.names(trial.rows, trial.columns)
            if trial.agrees(names["matrix"], names["w"], 0.4 if start == 0 and not sight.turned else 0.6):
                yield sight, framed(recipe, sight)
            elif trial.agrees(_made(SWAPPED, names), names["w"], 0.6):
                yield sight, framed(recipe.with_(SWAPPED), sight)
    for sight in view.upright:
        yield from of_far_rows(sight, view.grain)


def _bases_left_open(view: View) -> Iterator[Guess]:
    """Yield the encodings of other bases that give all rounded numbers: the plainest of them, with how far they go."""
    for sight in view.upright if view.grain.step else ():
        if len(fitting := _giving(sight, BASES)):
            finer = np.geomspace(fitting[0] / FINELY, fitting[-1] * FINELY, len(BASES))
            least, most = _giving(sight, np.sort(np.r_[fitting, finer]))[[0, -1]].tolist()
            rounded = (float(f"{math.sqrt(least * most):.{kept}e}") for kept in range(16))
            base = next((x for x in (10.0 ** math.ceil(math.log10(least)), *rounded) if least <= x <= most), least)
            line, low, high = base_line(sight.recipe, base), _near(least, math.floor), _near(most, math.ceil)
            if most > EXACTLY * least:
                found = f"about {base:g}" if most < FINELY * least else f"somewhere from {low} to {high}"
                found = f"{low} or more" if most > BASES[-1] else found
                line = replace(line, words=line.words | {"found": found})
            yield sight, framed(sight.recipe.with_(line), sight)


def _near(number: float, rounded: Callable[[float], int]) -> str:
    """Write a number with two digits."""
    unit = 10.0 ** (math.floor(math.log10(number)) - 1)
    return f"{rounded(number / unit) * unit:g}"


def _giving(sight: Sight, bases: np.ndarray) -> np.ndarray:
    """Return those of some bases with which the encoding gives some rounded numbers."""
    rows = evenly(len(sight.target), COMPARED)
    for column in sight.filled[evenly(len(sight.filled), COMPARED)]:
        angles = rows * bases[:, np.newaxis] ** (-2 * (column // 2) / sight.target.shape[1])
        off = abs((np.cos if column % 2 else np.sin)(angles) - sight.target[rows, column])
        bases = bases[np.all(off <= sight.half * (1 + 1e-9), axis=1)]
    return bases


def _other_encodings(view: View) -> Iterator[Guess]:
    """Yield the encodings that have no sines and cosines."""
    values, sight = view.values, view.upright[0]
    lines = [Line("matrix", f"matrix = {code}", "other-encoding", words={"how": how}) for how, code in OTHERS.items()]
    slope = float(values[0, -1]) / (values.shape[1] - 1) if values.shape[1] > 1 else 0.0
    if slope and slope not in (1.0, -1.0):
        lines.append(Line("matrix", f"matrix = {slope!r} * abs(pos - j)", "alibi", words={"slope": f"{slope:.6g}"}))
    size = 1.0 if view.grain.step else max(1.0, float(abs(values).max()))
    trials = Trial(sight, 0.0), Trial(sight, view.grain.noise * size)  # rounding may hide what is not quite so
    with np.errstate(all="ignore"):
        names = sight.recipe.names(trials[0].rows, trials[0].columns)
        made = [evaluated(line.code.partition(" = ")[2], names) for line in lines]
    for trial in trials:
        near = (line for line, its in zip(lines, made, strict=True) if trial.agrees(its, names["w"], 0.99))
        yield from ((sight, sight.recipe.with_(line)) for line in near)


def _first_position(sight: Sight) -> int:
    """Return the position of row 0 as the slowest hand of the encoding tells it, which far on has come round."""
    pairs, d_model = sight.target.shape[1] // 2, sight.target.shape[1]
    slowest = sight.base ** (-2 * (pairs - 1) / d_model)
    found = float(np.angle(sight.points(np.arange(1), np.array([pairs - 1]))[0, 0])) / slowest if pairs else 0.0
    return round(found) if math.isfinite(found) else 0


def _known_lines(view: View, two: bool = False) -> Iterator[Guess]:
    """Yield the recipes with a known line for frequencies, angles or functions, or with two of them at once."""
    trials = [(sight, Trial(sight)) for sight in view.upright]
    full = len(view.upright[0].filled) == view.values.shape[1]  # what lines make is found once for all layouts
    for some_trials in [trials] if full else [[one] for one in trials]:
        yield from _near_lines(some_trials, two)


def _near_lines(trials: list[tuple[Sight, Trial]], two: bool) -> Iterator[Guess]:
    sight, trial = trials[0]
    recipe = sight.recipe
    names = recipe.names(trial.rows, trial.columns)
    row, column = trial.cells
    many = recipe.d_model > 1 and sight.target.size > FEW
    lines: list[Line | None] = [None, *(core_lines(recipe.d_model) if many else ())]
    laws = [(code, law) for code, law, _ in written(recipe) if not two or not code or code in LIKELY]
    w = np.stack([values_of(law, recipe.d_model, recipe.base)[trial.columns] for _, law in laws])
    near = np.zeros((len(laws), len(lines), len(trials)), bool)
    wanted, room = np.stack([each.wanted[each.cells] for _, each in trials]), 0.3 + 8 * trial.noise
    with np.errstate(all="ignore"):
        of_cells = names | {"pos": names["pos"][row, 0], "j": names["j"][column], "w": w[:, column]}
        of_cells["angles"] = of_cells["pos"] * of_cells["w"]
        for k, line in enumerate(lines):
            made = _made(line, of_cells).reshape(-1, 1, len(column))  # of each law, or the same of all
            near[:, k] = np.count_nonzero(abs(made - wanted) > room, axis=-1) <= 2
            # one function for all columns, what of it RoPE keeps, and what has an order of its own has no halves
            own_order = line is not None and ("j <" in line.code or line.finding == "pairs-for-parity")
            if line is not None and (own_order or "j" not in line.code):
                near[:, k] &= [each.layout != "halves" for each, _ in trials]
        if two:
            near[1:, 0] = False
        else:
            near[1:, 1:] = False
        for law_at, line_at, at in np.argwhere(near).tolist():
            (code, law), line, (one, tried) = laws[law_at], lines[line_at], trials[at]
            made = _made(line, names | {"w": w[law_at], "angles": names["pos"] * w[law_at]})
            if tried.agrees(made, w[law_at], 0.97):
                both = [law_line(code, law)] * bool(code) + ([line] if line else [])
                yield one, framed(recipe.with_(*both), one)


def _made(line: Line | None, names: dict[str, Any]) -> np.ndarray:
    """Return the numbers that a line for angles or functions makes, or the encoding's."""
    made = names["angles"] if line is None else evaluated(line.code.partition(" = ")[2], names)
    plain = line is None or line.slot == "angles"
    found: np.ndarray = np.where(names["j"] % 2 == 0, np.sin(made), np.cos(made)) if plain else made
    return found


def _without_last(view: View) -> Iterator[Guess]:
    """Yield the recipes of the columns before one that is empty, with the line that adds it."""
    before = replace(view, values=view.values[:, :-1])
    for sight, guess in line_guesses(before):
        if not sight.turned:
            kind = "variant" if any(line.finding == "timescales" for line in guess.changed) else "mistake"
            code = "matrix = np.hstack([matrix, np.zeros((length, 1))])"
            yield sight, guess.with_(Line("turned", code, "extra-column-empty", kind))
        if sight.noise > 1e-3 or guess.cost > 3:
            return


def _values_changed(view: View) -> Iterator[Guess]:
    """Yield recipes in which something was made of all the numbers."""
    length, d_model = view.values.shape
    if min(length, d_model) < 3:
        return
    sights, rows, columns = view.upright, evenly(length, ROWS // 2), evenly(d_model, ROWS)
    tall, wide = evenly(length, COMPARED), evenly(d_model, COMPARED)
    at = {"rows": (rows, wide), "columns": (tall, columns), "longer": (tall, columns)}
    targets = {axis: np.stack([sight.target[np.ix_(*places)] for sight in sights]) for axis, places in at.items()}
    loose = (1e-9 + 16 * view.grain.noise) * float(abs(targets["columns"]).max())
    room = min(8 * view.grain.noise + 1e-6 * (length if view.grain.noise > 1e-8 else 1), 0.3)  # angles in float32, too
    plain = replace(sights[0].recipe, length=length + 2)
    down = plain.run(np.arange(length + 2), columns)
    # from position 0 and from position 1: below one another where rows are changed, side by side where columns are
    made = {"rows": plain.run(np.r_[rows, 1 + rows]), "columns": np.hstack([down[:-2], down[1:-1]]),
            "longer": np.hstack([down[:-1], down[1:]])}  # fmt: skip
    stretched = any(_stretched(down[start + tall], y, True, loose) for start in (0, 1) for y in targets["columns"])
    names = {"np": np, "pos": np.r_[rows, 1 + rows][:, np.newaxis], "w": plain.frequencies()}
    for code, (finding, axis, how) in (VALUES | _measured_changes(view)).items():
        if finding == "columns-scaled" and not stretched:
            continue
        with np.errstate(all="ignore"):
            changed = evaluated(code, names | {"matrix": made[axis]})
        size = max(1.0, float(np.fmax.reduce(abs(changed), axis=None)))
        shape = (2, len(rows), d_model) if axis == "rows" else (-1, 2, len(columns))
        right, of_both = (x.reshape(shape) if axis == "rows" else x.reshape(shape).swapaxes(0, 1)
                          for x in (made[axis], changed))  # fmt: skip
        part = of_both[..., wide] if axis == "rows" else of_both[:, tall]
        near = np.mean(abs(part[:, np.newaxis] - targets[axis]) <= room * size, axis=(2, 3)) >= 0.97
        for start, k in np.argwhere(near).tolist():
            if not _multiplied(of_both[start], right[start]):
                recipe = started(replace(plain, length=length + (axis == "longer")), start)
                line = Line("values", f"matrix = {code}", finding, words={"how": how})
                yield sights[k], framed(recipe.with_(line), sights[k])


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


def _places(view: View) -> Iterator[Guess]:
    """Yield recipes in which the right numbers came to other places."""
    rng, values = np.random.default_rng(0), view.values
    cells = rng.integers(0, values.shape[0], 64), rng.integers(0, values.shape[1], 64)
    wanted, loose = values[cells], 16 * view.grain.noise + 1e-5
    for line, (length, d_model), at in place_lines(values.shape, cells):
        recipe, columns = Recipe(length, d_model, view.base), at % d_model
        w = values_of(PAPER, d_model, view.base)[columns]
        for start in (0, 1):
            angles = (start + at // d_model) * w
            made = np.where(at < 0, 0.0, np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))
            if np.mean(abs(made - wanted) <= loose) >= 0.97:
                words = line.words | {"d_model": values.shape[1], "width": d_model}
                words |= {"columns": count(values.shape[1], "column"), "last": d_model - 1}
                if line.finding == "first-column-missing":
                    words["columns"] = f"columns 1 to {values.shape[1]}" if values.shape[1] > 1 else "column 1"
                yield view.upright[0], started(recipe, start).with_(replace(line, words=words))


def _beside(view: View) -> Iterator[Guess]:
    """Yield the recipe of the other columns, with the line that puts one beside them that is none of theirs."""
    length, d_model = view.values.shape
    if length > MOST_LISTED or d_model < 5:
        return
    narrow = Line("w", "w = base ** (-2 * (j // 2) / (d_model - 1))")  # a column more of a narrower table
    if any(Trial(sight).near(sight.recipe.with_(narrow), 0.99) for sight in view.upright):
        return
    for at in ([d_model - 1], [0], [d_model - 2, d_model - 1], [0, 1]):
        for k, few in enumerate(replace(view, values=np.delete(view.values[:ROWS], at, axis=1)).upright):
            if Trial(few).near(few.recipe, 0.99):
                sight = replace(view, values=np.delete(view.values, at, axis=1)).upright[k]
                block = f"np.array({view.values[:, at].tolist()})"
                code = f"matrix = np.hstack([{f'{block}, matrix' if at[0] == 0 else f'matrix, {block}'}])"
                many = f"Column {at[0]} stands" if len(at) == 1 else f"Columns {at[0]} and {at[1]} stand"
                line = Line("turned", code, "column-beside", words={"many": many, "width": d_model - len(at)})
                yield sight, framed(sight.recipe, sight).with_(line)


def column_guesses(view: View) -> Iterator[Guess]:
    """Yield the recipe in which each column is one of the right ones, at another place."""
    length, d_model = view.values.shape
    if d_model < 3 or length < 3:
        return
    rows, sight = evenly(length, 12), view.upright[0]
    filled, empty = sight.filled, np.setdiff1d(np.arange(d_model), sight.filled)
    room = 8 * view.grain.noise + 1e-5
    for start in (0, 1):
        recipe = started(sight.recipe, start)
        made, wanted = recipe.run(rows).T, sight.target[rows].T
        few = wanted[filled[evenly(len(filled), ROWS)]]
        if np.mean(abs(made[nearest(made, few)] - few).max(axis=1) <= room) < 0.75:
            continue
        for taken in (in_order(made, wanted), nearest(made, wanted)):
            off = abs(made[taken] - wanted).max(axis=1)[filled]
            if np.mean(off <= room) < 0.95:
                continue
            taken[empty] = empty
            listed = taken[filled].tolist()
            twice = len(set(listed)) < len(listed)
            how = f"{'some are there more than once' if twice else 'at other places'}, and some are missing"
            at = int((taken != np.arange(d_model)).argmax())
            shown = f"columns {some(listed, 10)}" if at < 10 else f"column {at} is the encoding's {taken[at]}, for one"
            words = {"shown": shown, "at": at, "which": int(taken[at]), "how": how}
            finding = "columns-taken" if twice or len(empty) else "columns-out-of-order"
            code = f"matrix = matrix[:, {taken.tolist()}]"
            yield sight, recipe.with_(Line("order", code, finding, words=words, cost=1.2 if len(empty) else 3))
            break


def _dropped(view: View) -> Iterator[Guess]:
    """Yield the encoding with the scale of the numbers that are not 0, where more of them are than a sine makes."""
    for sight in view.upright:
        rows, columns = evenly(len(sight.target), COMPARED), sight.filled[evenly(len(sight.filled), COMPARED)]
        part, made = sight.target[np.ix_(rows, columns)], sight.recipe.run(rows, columns)
        told = (part != 0) & (abs(made) > TOLD)
        if np.any(told) and LEAST_DROPPED < np.mean(part[made != 0] == 0) < 1 - LEAST_DROPPED:
            scale = float(np.median(part[told] / made[told]))
            if scale > 1 and np.mean(abs(part - scale * made)[told] <= scale * (8 * sight.noise + 1e-6)) > 0.97:
                yield sight, framed(sight.recipe, replace(sight, scale=scale, target=sight.target / scale))


def _factors(view: View) -> Iterator[Guess]:
    """Yield recipes in which every row or column is multiplied by a number of its own, or columns are shifted too."""
    length, d_model = view.values.shape
    if length < 4 or d_model < 4 or length * d_model > MOST_MOVED or view.grain.noise > CLEAR_NOISE:
        return
    rows, columns = np.arange(length), np.arange(d_model)
    few = {"rows": (evenly(length, ROWS), columns), "columns": (rows, evenly(d_model, ROWS))}
    for sight in view.upright:
        recipe, y = sight.recipe, sight.target
        loose = (1e-9 + 16 * sight.noise) * float(abs(y).max())
        for along, shifted in (("rows", False), ("columns", False), ("columns", True)):
            found = None
            for at in (few[along], (rows, columns)):
                x, part = recipe.run(*at), y[np.ix_(*at)]
                x, part = (x.T, part.T) if along == "rows" else (x, part)
                found = _stretched(x, part, shifted, loose)
                if found is None:
                    break
            moved = found is not None and np.ptp(found[shifted]) > max(1e-6, 8 * sight.noise)
            if found and moved and abs(found[0]).min() > 1e-6 and abs(found[1]).max() < 1e3:
                yield sight, framed(recipe.with_(_stretch_line(found[0], found[1], along)), sight)


def _stretched(x: np.ndarray, y: np.ndarray, shifted: bool, loose: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the factors and shifts of columns that make y of x, if there are any."""
    means = (x.mean(axis=0), y.mean(axis=0)) if shifted else (0.0 * x[0], 0.0 * y[0])
    x0, y0 = x - means[0], y - means[1]
    factors = (x0 * y0).sum(axis=0) / np.maximum((x0 * x0).sum(axis=0), 1e-300)
    if shifted and np.all(abs(x0 - y0) <= loose):
        return np.ones(x.shape[1]), means[1] - means[0]
    good = np.all(abs(factors * x0 - y0) <= (100 if shifted else 1) * loose)
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
