"""Look for the recipe of a matrix: the plain ones first, then those that are measured, then two lines at once.

Whatever is proposed here is only a guess; `prove` decides.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from pe_lib.diagnosis.catalogue import OTHERS, VALUES, core_lines, place_lines
from pe_lib.diagnosis.grain import COARSE, Grain
from pe_lib.diagnosis.laws import FIXED, LAWS, fitting, law_line, round_number, values_of, written
from pe_lib.diagnosis.measure import (
    Sight,
    circles,
    column_frequencies,
    far_positions,
    near_positions,
    order_of,
    phases,
    plain_sights,
    turns,
    wrap,
)
from pe_lib.diagnosis.positions import known_rows, position_lines
from pe_lib.diagnosis.recipe import Line, Recipe, evaluated

CLEAN = 3e-6  # how far the points of a pair may lie off their circle, in float32 and finer
ROWS, COLUMNS = 8, 24  # of a matrix are enough to refuse a recipe by
RELATIVE = (1e-13, 2e-6, 2e-2)  # how far angles may be off, for their size: in float64, float32 and coarser types
HALVES = Line("order", "matrix = np.hstack([matrix[:, 0::2], matrix[:, 1::2]])", "halves", "variant", cost=0.5)
COSINES_FIRST = Line(
    "order", "matrix = np.hstack([matrix[:, 1::2], matrix[:, 0::2]])", "cosines-first", "variant", cost=0.5
)
EXCHANGED = Line("order", "matrix = matrix[:, j ^ 1]", "swapped")
ORDERS = {"interleaved": None, "halves": HALVES, "cosines-first": COSINES_FIRST, "swapped": EXCHANGED}
SWAPPED = Line("matrix", "matrix = np.where(j % 2 == 0, np.cos(angles), np.sin(angles))", "swapped")
TRANSPOSED = Line("turned", "matrix = matrix.T", "transposed")
# The eight ways in which a pair (first column, second column) can stand for an angle, by what the columns hold: sign of
# the angle, quarter turns added to it, whether sine and cosine are swapped, and the signs of the first and the second.
ROLES = (
    (1, 0, False, 1, 1), (-1, 1, True, 1, 1), (-1, 0, False, -1, 1), (-1, 2, False, 1, -1),
    (1, 2, False, -1, -1), (1, 1, True, 1, -1), (1, -1, True, -1, 1), (-1, -1, True, -1, -1),
)  # fmt: skip
Guess = tuple[Sight, Recipe]
Positions = Callable[[np.ndarray, np.ndarray, float, float], Iterator[float]]


def guesses(values: np.ndarray, grain: Grain, base: float) -> Iterator[Guess]:
    """Yield recipes that may make a matrix, each with the sight under which it was found."""
    sights = list(plain_sights(values, grain.noise))
    if np.all(values == np.rint(values)):
        yield from _values_changed(sights, grain, base)
    yield from _single_lines(values, sights, grain, base)
    yield from _values_changed(sights, grain, base)
    yield from _places(values, grain, base)
    if values.shape[1] > 3 and values.shape[1] % 2 and not values[:, -1].any():
        yield from _without_last(values, grain, base)
    round_ones = [] if len(values) > 1 and np.all(values == values[0]) else circles(values, grain.noise)
    turnings = [sight for sight in sights if sight.layout == "interleaved"]
    clean = [one for one in round_ones if one.noise <= 30 * grain.noise / abs(one.scale) + CLEAN]
    noisy = [one for one in round_ones if one not in clean]
    yield from _of_all_pairs(clean, base)
    for sight in turnings:
        yield from _of_columns(sight, base)
    yield from _same_rows(values, grain, base)
    for sight in clean[:2]:
        yield from _of_rows(sight, base)
    for cheap, sight in product((True, False), round_ones[:2] if grain.held_by in COARSE or noisy else ()):
        yield from _of_pairs(sight, base, RELATIVE[2], cheap)
    yield from _of_all_pairs(noisy[:2], base)
    for sight in noisy[:1]:
        yield from _of_rows(sight, base)
    yield from _factors(sights, base)
    for sight in round_ones[:2]:
        yield from _free(sight, base)
    yield from _two_lines(sights, base)
    for sight in sights[:2]:
        yield from _columns_mixed(sight, grain, base)
    for sight in sights:
        yield from _free_columns(sight, base)
    yield sights[0], Recipe(*values.shape, base)


def _of_all_pairs(sights: list[Sight], base: float) -> Iterator[Guess]:
    """Yield what the pairs in some sights tell, with angles as fine as float64, then as float32."""
    for cheap, relative in product((True, False), RELATIVE[:2]):
        for sight in sights:
            yield from _of_pairs(sight, base, relative, cheap)


class Trial:
    """Some rows and columns of a target, against which recipes are tried quickly."""

    def __init__(self, sight: Sight, noise: float | None = None) -> None:
        length, d_model = sight.target.shape
        self.noise = sight.noise if noise is None else noise
        rows = sight.rows if len(sight.rows) else np.arange(length)
        self.rows = np.unique(np.r_[rows[:5], rows[np.linspace(0, len(rows) - 1, min(len(rows), 4)).astype(int)]])
        few = np.linspace(0, d_model - 1, min(d_model, COLUMNS - 8)).astype(int)
        self.columns = np.unique(np.r_[: min(d_model, 8), few])
        self.wanted = sight.target[np.ix_(self.rows, self.columns)]
        self.spread = np.ptp(self.wanted, axis=0)

    def near(self, recipe: Recipe, needed: float = 0.75) -> bool:
        """Say whether a recipe gives enough of the numbers."""
        try:
            names = recipe.names(self.rows, self.columns)
        except (ValueError, IndexError, ZeroDivisionError, OverflowError, TypeError):
            return False
        return self.agrees(names["matrix"], names["w"], needed)

    def agrees(self, made: np.ndarray, w: np.ndarray, needed: float) -> bool:
        """Say whether enough of the numbers are these, which columns of some frequencies give."""
        with np.errstate(all="ignore"):
            room = 8 * self.noise + 4e-6 * (1 + abs(w) * (1 + self.rows[:, np.newaxis]))
            fits = abs(made - self.wanted) <= np.fmin(room, 0.3 + 8 * self.noise)
        share = np.count_nonzero(fits) / fits.size
        if share < needed:
            return False
        told = self.spread > 20 * np.nanmax(room)
        return bool(not told.any() or np.mean(fits[:, told]) >= needed - 0.15)


def framed(recipe: Recipe, sight: Sight) -> Recipe:
    """Return the recipe with the lines of its sight: how columns stood, what numbers were multiplied by, which way."""
    lines = []
    both = [line for line in recipe.changed if line.finding in ("swapped", "pairs-reversed")]
    if len(both) == 2 and sight.layout == "interleaved" and recipe.d_model % 2 == 0:
        recipe = recipe.without(*both)
        lines.append(Line("order", "matrix = matrix[:, ::-1]", "columns-reversed"))
    if sight.layout == "halves":
        swapped = any(line.finding == "swapped" for line in recipe.changed)
        if swapped and recipe.d_model % 2 == 0:
            recipe = recipe.without(*(line for line in recipe.changed if line.finding == "swapped"))
            lines.append(COSINES_FIRST)
        else:
            lines.append(HALVES)
    elif sight.layout != "interleaved":
        lines += [line for line in (ORDERS[sight.layout],) if line is not None]
    lines += scale_lines(recipe, sight)
    if sight.turned:
        lines.append(TRANSPOSED)
    return recipe.with_(*lines)


def scale_lines(recipe: Recipe, sight: Sight) -> list[Line]:
    """Return the lines for scale and offset, both measured anew against what the recipe makes."""
    length, d_model = sight.target.shape
    rows = np.unique(np.linspace(0, length - 1, min(length, 64)).astype(int))
    if sight.scale == 1.0 and sight.offset == 0.0:
        return []
    try:
        made = np.asarray(recipe.run(rows), float)
    except (ValueError, IndexError):
        return []
    given = sight.target[rows] * sight.scale + sight.offset
    use = (abs(sight.target[rows] - made) <= 8 * sight.noise + 1e-3) & (
        sight.target[rows] != -sight.offset / sight.scale
    )
    if use.sum() < 2:
        return []
    x, y = made[use], given[use]
    scale, offset = float(x @ y / (x @ x)) if x.any() else 1.0, 0.0
    if sight.offset:
        scale, offset = (float(k) for k in np.linalg.lstsq(np.column_stack([x, np.ones(len(x))]), y, rcond=None)[0])
    loose = max(4 * sight.noise / math.sqrt(len(x)), 3e-8 if sight.noise > 1e-9 else 1e-12)
    lines = []
    if abs(scale - 1) > loose:
        lines.append(_scale_line(scale, loose, d_model))
    if abs(offset) > loose * abs(scale):
        shown = round_number(abs(offset), loose * abs(scale / offset), 6) or abs(offset)
        words = {"what": f"{math.copysign(shown, offset):.6g}"}
        lines.append(Line("values", f"matrix = matrix {'+' if offset > 0 else '-'} {shown!r}", "offset", words=words))
    return lines


def _scale_line(scale: float, loose: float, d_model: int) -> Line:
    named = {
        "matrix = 2 * matrix": (2.0, ", as if the encoding had been added twice"),
        "matrix = -matrix": (-1.0, ""),
        "matrix = matrix / np.sqrt(d_model)": (d_model**-0.5, ", which is 1/sqrt(d_model)"),
        "matrix = np.sqrt(2 / d_model) * matrix": (
            math.sqrt(2 / d_model), ", which is sqrt(2/d_model) and gives every row the length 1"),
        "matrix = np.sqrt(d_model) * matrix": (
            math.sqrt(d_model), ", which is sqrt(d_model): in the paper the embeddings are multiplied by it"),
    }  # fmt: skip
    for code, (number, words) in named.items():
        if abs(scale - number) <= 2 * loose * abs(number):
            return Line("values", code, "scale", words={"scale": f"{number:.6g}", "words": words, "number": number})
    plain = math.copysign(round_number(abs(scale), max(loose, 1e-12), 6) or abs(scale), scale)
    return Line(
        "values", f"matrix = {plain!r} * matrix", "scale", words={"scale": f"{plain:.6g}", "words": "", "number": plain}
    )


def _start(recipe: Recipe, start: float, length: int) -> Recipe:
    line = position_lines(start + np.arange(length)) if length > 1 or start else None
    if length == 1 and start:
        words = {"at": 0, "first": f"{start:g}", "start": f"{start:g}", "why": ""}
        line = Line("pos", f"pos = np.array([[{start!r}]])", "start", words=words)
    return recipe.with_(line) if line else recipe


def _single_lines(values: np.ndarray, sights: list[Sight], grain: Grain, base: float) -> Iterator[Guess]:
    """Yield the encoding itself, then those that differ from it in one line that is known."""
    for sight, start in product(sights, (0, 1)):
        recipe, trial = _start(Recipe(*sight.target.shape, base), start, len(sight.target)), Trial(sight)
        if trial.near(recipe, 0.4 if start == 0 and not sight.turned else 0.6):
            yield sight, framed(recipe, sight)
        elif sight.layout == "halves" and trial.near(recipe.with_(SWAPPED), 0.6):
            yield sight, framed(recipe.with_(SWAPPED), sight)
    for sight in (sight for sight in sights if not sight.turned):
        recipe, trial = Recipe(*sight.target.shape, base), Trial(sight)
        laws = (law_line(code, law) for code, law, _ in written(recipe) if code)
        for line in (*laws, *core_lines()):
            if trial.near(recipe.with_(line), 0.97):
                yield sight, framed(recipe.with_(line), sight)
    recipe, size = Recipe(*values.shape, base), max(1.0, float(abs(values).max()))
    trial = Trial(sights[0], grain.noise * size)
    for how, code in OTHERS.items():
        line = Line("matrix", f"matrix = {code}", "other-encoding", words={"how": how})
        if trial.near(recipe.with_(line), 0.99):
            yield sights[0], recipe.with_(line)
    slope = float(values[0, -1]) / (values.shape[1] - 1) if values.shape[1] > 1 else 0.0
    line = Line("matrix", f"matrix = {slope!r} * abs(pos - j)", "alibi", words={"slope": f"{slope:.6g}"})
    if slope and slope not in (1.0, -1.0) and trial.near(recipe.with_(line), 0.99):
        yield sights[0], recipe.with_(line)


def _without_last(values: np.ndarray, grain: Grain, base: float) -> Iterator[Guess]:
    """Yield the recipes of the columns before one that is empty, with the line that adds it."""
    for sight, guess in guesses(values[:, :-1], grain, base):
        if not sight.turned:
            kind = "variant" if any(line.finding == "timescales" for line in guess.changed) else "mistake"
            code = "matrix = np.hstack([matrix, np.zeros((length, 1))])"
            yield sight, guess.with_(Line("turned", code, "extra-column-empty", kind))
        if sight.noise > 1e-3 or guess.cost > 3:
            return


def _of_pairs(sight: Sight, base: float, relative: float, cheap: bool) -> Iterator[Guess]:
    """Yield recipes by the turns of hands: a law for their frequencies, what columns hold, and the first position."""
    length, d_model = sight.target.shape
    recipe = Recipe(length, d_model, base)
    delta, uncertain = turns(sight, 4 if relative > 1e-3 else 1 << 30)
    error = 4 * uncertain + abs(delta) * relative + (6 * sight.noise if relative > 1e-3 else 0.0) + 1e-13
    laws = []
    for sign in (1, -1):
        w, errors = (np.resize(np.repeat(of_pair, 2), d_model) for of_pair in (sign * delta, error))
        if d_model % 2:
            errors[-1] = np.inf
        fitted = [(cost, lines, sign) for cost, lines in fitting(recipe, w, errors) if (cost <= CHEAP) == cheap]
        laws += fitted[: 6 if relative < 1e-3 else 12]
    laws.sort(key=lambda one: one[0])
    for positions in (near_positions, far_positions) if relative < 1e-3 else (near_positions,):
        for _, lines, sign in laws if positions is near_positions else laws[: 1 + cheap]:
            with_law = recipe.with_(*lines)
            per_pair = _turning(with_law)[1 : 2 * len(delta) : 2]
            for found in _placed(sight, with_law, sign, per_pair, relative, positions):
                yield sight, found


CHEAP = 1.35  # what a law costs that has a name, or a base with few digits


def _turning(recipe: Recipe) -> np.ndarray:
    """Return by how much the angle of each column grows from row to row."""
    rows = np.arange(2)
    angles = recipe.with_(Line("matrix", "matrix = angles + 0.0 * j")).run(rows) if recipe.length > 1 else None
    found: np.ndarray = recipe.frequencies() if angles is None else np.diff(angles, axis=0)[0]
    return found


def _placed(
    sight: Sight, recipe: Recipe, sign: int, w: np.ndarray, relative: float, positions: Positions = near_positions
) -> Iterator[Recipe]:
    """Yield recipes of one law: for each way in which columns may hold sine and cosine, the first positions."""
    length = len(sight.target)
    coarse = relative > 1e-3
    phase = phases(sight, sign * w, 4 if coarse else 64)
    noise = sight.noise + (0.02 if coarse else 0.0)
    placed = False
    for its_sign, quarter, swapped, first, second in ROLES:
        if its_sign != sign or (length == 1 and -1 in (first, second)):
            continue  # a single row does not show in which sense hands turn
        if positions is far_positions and -1 in (first, second):
            continue
        stands = wrap(phase - quarter * np.pi / 2) * sign
        function = [SWAPPED] if swapped else []
        turned = sight
        if first == second == -1:
            turned = replace(sight, scale=-sight.scale, target=-sight.target)
        sine_negated = first != second and (first < 0) != swapped
        trial = Trial(turned, noise)
        for start in [*([0.0] if coarse else []), *positions(stands, w, noise, relative)]:
            guess = _start(recipe.with_(*function), start, length)
            if first != second:
                guess = guess.with_(_sign_line(first, swapped))
            if sine_negated and start:  # sin(-a) is -sin(a), cos(-a) is cos(a): positions run backwards
                line = position_lines(-(start + np.arange(length)))
                guess = recipe.with_(*function, *([line] if line else []))
            if trial.near(guess, 0.6):
                placed = True
                yield framed(guess, turned)
    stands = wrap(phase) * sign
    if not placed and positions is far_positions and len(w) > 1 and noise < 1e-3 and abs(stands).max() > 20 * noise:
        yield framed(recipe.with_(_phase_line(stands, sight)), sight)


def _phase_line(stands: np.ndarray, sight: Sight) -> Line:
    """Return the line that adds the angles at which pairs begin, one for all or one for each."""
    noise, d_model = sight.noise, sight.target.shape[1]
    added = float(np.median(stands))
    if np.ptp(stands) < 6 * noise + 1e-9:
        shown = round_number(abs(added), 4 * noise + 1e-9, 4) or abs(added)
        code = f"angles = pos * w {'+' if added > 0 else '-'} {shown!r}"
        return Line("angles", code, "phase", words={"phase": f"{added:.6g}"})
    listed = [float(f"{x:.12g}") for x in np.append(stands, [0.0] * (d_model % 2))]
    words = {"words": ", ".join(f"{x:.4g}" for x in listed[:5]) + (", …" if len(listed) > 5 else "")}
    code = f"angles = pos * w + np.repeat({listed}, 2)[:d_model]"
    return Line("angles", code, "phases", words=words, cost=4)


def _sign_line(first: int, swapped: bool) -> Line:
    """Return the line that negates the first or the second column of each pair."""
    which = "sine" if (first < 0) != swapped else "cosine"
    parity = 0 if first < 0 else 1
    code = f"matrix = matrix * np.where(j % 2 == {parity}, -1, 1)"
    return Line("coarser", code, "sign", words={"which": which, "column": parity})


def _of_columns(sight: Sight, base: float) -> Iterator[Guess]:
    """Yield recipes by the frequencies of single columns, where sine and cosine of a pair do not turn together."""
    length, d_model = sight.target.shape
    if length < 2:
        return
    few = np.unique(np.r_[: min(d_model, 8), np.linspace(0, d_model - 1, min(d_model, COLUMNS)).astype(int)])
    for scale, start in _column_starts(sight):
        noise = max(sight.noise / abs(scale), 4e-15)
        scaled = replace(sight, target=sight.target / scale, scale=scale, noise=noise)
        told = np.stack([_told(scaled, few, np.full(len(few), kind), start) for kind in (False, True)])
        if np.mean(told.any(axis=0)) < 0.75:
            continue
        w, uncertain = (
            np.stack(both)
            for both in zip(
                *(column_frequencies(scaled.target, np.full(d_model, kind), start, noise) for kind in (False, True)),
                strict=True,
            )
        )
        for layout in ORDERS:
            if d_model % 2 and layout in ("cosines-first", "swapped"):
                continue
            order = order_of(layout, d_model)
            first = np.isin(few, order[0::2])
            for kinds in KINDS:
                if any(
                    part.any() and told[int(kind), part].mean() < 0.7
                    for kind, part in zip(kinds, (first, ~first), strict=True)
                ):
                    continue
                chosen = np.resize(np.array(kinds, int), d_model), order
                turned = replace(scaled, layout=layout, target=scaled.target[:, order])
                yield from _by_columns(turned, w[chosen], uncertain[chosen], kinds, start, base)


KINDS = {
    (False, True): None,
    (True, False): SWAPPED,
    (False, False): Line("matrix", "matrix = np.sin(angles)", "sines-alone"),
    (True, True): Line("matrix", "matrix = np.cos(angles)", "cosines-alone"),
}


def _by_columns(
    sight: Sight, w: np.ndarray, uncertain: np.ndarray, kinds: tuple[bool, bool], start: float, base: float
) -> Iterator[Guess]:
    """Yield the recipes by laws that give the frequencies of all columns."""
    length, d_model = sight.target.shape
    function, trial = KINDS[kinds], Trial(sight)
    recipe = Recipe(length, d_model, base).with_(*([function] if function else []))
    for relative in RELATIVE[:2]:
        for _, lines in fitting(recipe, w, 4 * uncertain + abs(w) * relative + 1e-13)[:4]:
            guess = _start(recipe.with_(*lines), start, length)
            if trial.near(guess, 0.6):
                yield sight, framed(guess, sight)


def _column_starts(sight: Sight) -> Iterator[tuple[float, float]]:
    """Yield scales and first positions by the first column, taken for a wave of frequency 1."""
    rows = np.arange(min(len(sight.target), 64))
    y = sight.target[: len(rows), 0]
    waves = np.column_stack([np.sin(rows), np.cos(rows)])
    (a, b), *_ = np.linalg.lstsq(waves, y, rcond=None)
    scale = float(np.hypot(a, b))
    found: list[tuple[float, float]] = []
    if scale > 1e-9 and np.median(abs(waves @ (a, b) - y)) <= 8 * sight.noise + 1e-6 * scale:
        scale = 1.0 if abs(scale - 1) < 8 * sight.noise + 1e-6 else scale
        loose = 16 * sight.noise / scale + 1e-7
        tried = np.arange(-64.0, 300.0)
        for quarter in range(4):  # sine, cosine, and both with a minus sign
            good = tried[abs(wrap(tried - np.arctan2(b, a) + quarter * np.pi / 2)) <= loose]
            found += [((1 if quarter < 2 else -1) * scale, float(start)) for start in good[np.argsort(abs(good))][:2]]
    yield from dict.fromkeys([*found, (1.0, 0.0), (1.0, 1.0)])


def _told(sight: Sight, few: np.ndarray, cosine: np.ndarray, start: float) -> np.ndarray:
    """Say of some columns whether they are waves of any frequency, as sines or cosines of these positions."""
    part = sight.target[: min(len(sight.target), 10), few]
    w, _ = column_frequencies(part, cosine, start, sight.noise)
    angles = (start + np.arange(len(part)))[:, np.newaxis] * w
    off = abs(np.where(cosine, np.cos(angles), np.sin(angles)) - part)
    found: np.ndarray = np.mean(off <= 16 * sight.noise + 1e-5 * (1 + abs(angles)), axis=0) >= 0.75
    return found


def _same_rows(values: np.ndarray, grain: Grain, base: float) -> Iterator[Guess]:
    """Yield the recipe in which every row is that of one position."""
    if len(values) < 2 or not np.all(values == values[0]):
        return
    for sight in circles(values[:1], grain.noise):
        for _, one in _of_pairs(sight, base, RELATIVE[0], True):
            start = next((float(line.words["first"]) for line in one.changed if line.slot == "pos"), 0.0)
            line = position_lines(np.full(len(values), start))
            if line is not None:
                yield replace(sight, target=values), replace(one, length=len(values)).with_(line)


def _of_rows(sight: Sight, base: float) -> Iterator[Guess]:
    """Yield recipes in which each row has a position of its own."""
    length, d_model = sight.target.shape
    if d_model < 4 or length < 3 or length > 6000:
        return
    rows = sight.rows
    few = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), 8)).astype(int))]
    plain = Recipe(length, d_model, base)
    for code, law, _ in written(plain):
        if code in FIXED or code in ("inverse", "to-degrees"):
            continue
        for recipe in (plain, plain.with_(SWAPPED)):
            guess = recipe.with_(law_line(code, law)) if code else recipe
            room = 8 * sight.noise + 1e-5
            found = known_rows(guess, sight.target, few, room)
            if found is None or np.mean(np.isfinite(found)) < 0.7:
                continue
            found = known_rows(guess, sight.target, rows, room)
            if found is None or np.mean(np.isfinite(found)) < 0.7:
                continue
            positions = np.arange(length, dtype=float)
            positions[rows] = np.where(np.isfinite(found), found, rows)
            line = position_lines(positions)
            yield sight, framed(guess.with_(line) if line else guess, sight)


def _values_changed(sights: list[Sight], grain: Grain, base: float) -> Iterator[Guess]:
    """Yield recipes in which something was made of all the numbers."""
    for sight, start in product((sight for sight in sights if not sight.turned), (0, 1)):
        length, d_model = sight.target.shape
        if min(length, d_model) < 3:
            continue
        recipe = _start(Recipe(length, d_model, base), start, length)
        rows = np.unique(np.linspace(0, length - 1, min(length, ROWS)).astype(int))
        columns = np.unique(np.linspace(0, d_model - 1, min(d_model, ROWS)).astype(int))
        by_row = recipe.run(rows)
        by_column = recipe.run(np.arange(length), columns)
        w, pos = recipe.frequencies(), (start + rows)[:, np.newaxis]
        for code, (finding, axis, how) in (VALUES | _measured_changes(sight.target, grain)).items():
            made, wanted = (by_row, sight.target[rows]) if axis == "rows" else (by_column, sight.target[:, columns])
            with np.errstate(all="ignore"):
                changed = evaluated(code, {"np": np, "matrix": made, "pos": pos, "w": w})
                size = max(1.0, float(np.nan_to_num(abs(changed)).max()))
                loose = 1e-9 if finding == "truncated" else 8 * grain.noise * size + 1e-6 * size
                fits = abs(changed - wanted) <= loose
            if np.mean(fits) >= 0.97 and np.ptp(wanted) > 0:
                line = Line("values", f"matrix = {code}", finding, words={"how": how})
                yield sight, framed(recipe.with_(line), sight)


def _measured_changes(values: np.ndarray, grain: Grain) -> dict[str, tuple[str, str, str]]:
    """Return changes with a number in them: numbers cut off at a bound, and decimals cut off."""
    found = {}
    least, greatest = float(values.min()), float(values.max())
    at_bounds = np.count_nonzero(values == least) + np.count_nonzero(values == greatest)
    if at_bounds > 4 and -1 <= least < greatest <= 1 and (least, greatest) != (-1, 1):
        found[f"np.clip(matrix, {least!r}, {greatest!r})"] = ("clipped", "rows", f"{least:.4g} … {greatest:.4g}")
    if grain.stored is not None and grain.stored.finding == "rounded":
        for decimals in range(1, 7):
            parts = 10**decimals
            how = f"{decimals} decimal{'s' * (decimals > 1)}"
            found[f"np.trunc(matrix * {parts}) / {parts}"] = ("truncated", "rows", how)
            found[f"np.floor(matrix * {parts}) / {parts}"] = ("truncated", "rows", how)
    return found


def _places(values: np.ndarray, grain: Grain, base: float) -> Iterator[Guess]:
    """Yield recipes in which the right numbers came to other places."""
    rng = np.random.default_rng(0)
    cells = rng.integers(0, values.shape[0], 64), rng.integers(0, values.shape[1], 64)
    for line, (length, d_model), places in place_lines(values.shape):
        recipe = Recipe(length, d_model, base)
        at = places[cells]
        rows, where = np.unique(at // d_model, return_inverse=True)
        for start in (0, 1):
            its = _start(recipe, start, length)
            made = its.run(np.maximum(rows, 0))[where, at % d_model]
            fits = abs(np.where(at < 0, 0.0, made) - values[cells]) <= 16 * grain.noise + 1e-5
            if np.mean(fits) >= 0.97:
                words = line.words | {"d_model": values.shape[1], "width": d_model}
                if line.finding == "one-half" or line.finding == "rope-cache":
                    words["how"] = "sines" if "0::2" in line.code else "cosines"
                yield Sight(False, "interleaved", values), its.with_(replace(line, words=words))


def _two_lines(sights: list[Sight], base: float) -> Iterator[Guess]:
    """Yield recipes with a known line for frequencies and another for angles or functions."""
    for sight in (sight for sight in sights if not sight.turned):
        recipe, trial = Recipe(*sight.target.shape, base), Trial(sight)
        for code, law, _ in written(recipe):
            if code and code not in LIKELY:
                continue
            guess = recipe.with_(law_line(code, law)) if code else recipe
            names = guess.names(trial.rows, trial.columns)
            for line in core_lines():
                expression = line.code.partition(" = ")[2]
                with np.errstate(all="ignore"):
                    made = evaluated(expression, names)
                    if line.slot == "angles":
                        made = np.where(names["j"] % 2 == 0, np.sin(made), np.cos(made))
                if trial.agrees(made, names["w"], 0.97):
                    yield sight, framed(guess.with_(line), sight)


LIKELY = {"exponent-doubled", "exponent-halved", "column-as-pair", "own-frequencies", "all-one", "integer-division",
          "columns-repeat", "inverse"}  # fmt: skip


def _columns_mixed(sight: Sight, grain: Grain, base: float) -> Iterator[Guess]:
    """Yield the recipe in which each column is one of the right ones, at another place."""
    length, d_model = sight.target.shape
    if d_model < 3 or length < 3 or d_model > 1024:
        return
    rows = np.unique(np.linspace(0, length - 1, min(length, 12)).astype(int))
    for start in (0, 1):
        recipe = _start(Recipe(length, d_model, base), start, length)
        made, wanted = recipe.run(rows), sight.target[rows]
        squares = (made**2).sum(axis=0)[:, np.newaxis] - 2 * made.T @ wanted
        nearest = squares.round(10).argmin(axis=0)
        if np.mean(abs(made[:, nearest] - wanted).max(axis=0) <= 8 * grain.noise + 1e-5) < 0.95:
            continue
        taken = nearest[np.argsort(order_of(sight.layout, d_model))]
        at = int((taken != np.arange(d_model)).argmax())
        shown = ", ".join(map(str, taken[:10])) + (", …" if d_model > 10 else "")
        words = {"shown": f"columns {shown}", "at": at, "which": int(taken[at])}
        listed = [int(k) for k in taken]
        ones = sorted(listed) == list(range(d_model))
        line = Line(
            "order",
            f"matrix = matrix[:, {listed}]",
            "columns-out-of-order" if ones else "columns-taken",
            words=words,
            cost=3,
        )
        yield sight, recipe.with_(line, *([TRANSPOSED] if sight.turned else []))


def _free(sight: Sight, base: float) -> Iterator[Guess]:
    """Yield the recipe in which each pair has the frequency that was measured in it."""
    length, d_model = sight.target.shape
    if length < 5 or d_model < 4 or d_model % 2 or sight.noise > 1e-3:
        return
    w, uncertain = turns(sight)
    w = np.where(abs(w) <= 3 * uncertain, 0.0, w)
    swapped = np.median(w) < 0 and bool(np.mean(w < -1e-9) > 0.9)  # all turn the other way
    line = _listed(abs(w) if swapped else w, "frequencies", "np.repeat({listed}, 2)", 5)
    recipe = Recipe(length, d_model, base)
    right, plain = recipe.frequencies()[::2], [round_number(abs(1 / x), 1e-11, 7) if x else None for x in w]
    if all(x is not None and abs(x * y - 1) < 0.05 for x, y in zip(plain, right, strict=True)):
        line = Line("w", f"w = 1 / np.repeat({plain}, 2)", "divisors-rounded-off", cost=2)
    recipe = recipe.with_(line)
    for positions in (near_positions, far_positions):
        for found in _placed(sight, recipe, -1 if swapped else 1, abs(w) if swapped else w, 1e-13, positions):
            yield sight, found


def _factors(sights: list[Sight], base: float) -> Iterator[Guess]:
    """Yield recipes in which every row or every column is multiplied by a number of its own, or columns are shifted too."""
    for sight in (sight for sight in sights if not sight.turned):
        length, d_model = sight.target.shape
        if length < 4 or d_model < 4 or length * d_model > 400_000:
            continue
        recipe, y = Recipe(length, d_model, base), sight.target
        x = recipe.run(np.arange(length))
        size, loose = float(abs(y).max()), 1e-9 + 16 * sight.noise
        for axis, along in ((1, "rows"), (0, "columns")):
            factors = (x * y).sum(axis=axis, keepdims=True) / (x * x).sum(axis=axis, keepdims=True)
            if np.all(abs(factors * x - y) <= loose * size) and np.ptp(factors) > 1e-6:
                yield sight, framed(recipe.with_(_factor_line(factors.ravel(), along)), sight)
        x0, y0 = x - x.mean(axis=0), y - y.mean(axis=0)
        factors = (x0 * y0).sum(axis=0) / np.maximum((x0 * x0).sum(axis=0), 1e-300)
        shifts = y.mean(axis=0) - factors * x.mean(axis=0)
        if np.all(abs(factors * x + shifts - y) <= 100 * loose * size) and np.ptp(shifts) > 1e-6 and size < 1e3:
            code = f"matrix = matrix * {_numbers(factors)} + {_numbers(shifts)}"
            words = {"how": "by a factor and a shift of its own"}
            yield sight, framed(recipe.with_(Line("values", code, "columns-scaled", words=words, cost=5)), sight)


def _factor_line(factors: np.ndarray, along: str) -> Line:
    shown = ", ".join(f"{x:.4g}" for x in factors[:5]) + ", …"
    if along == "rows":
        code, words = f"matrix = matrix * {_numbers(factors)}[:, np.newaxis]", {"how": f"a number of its own: {shown}"}
        return Line("values", code, "rows-scaled", words=words, cost=4)
    even, odd = factors[0], factors[1]
    if np.ptp(factors[0::2]) < 1e-6 and np.ptp(factors[1::2]) < 1e-6:
        even, odd = (round_number(abs(x), 1e-6, 6) or abs(x) for x in (even, odd))
        code = f"matrix = matrix * np.where(j % 2 == 0, {even!r}, {odd!r})"
        return Line("values", code, "sines-scaled", words={"how": f"{even:.6g} and {odd:.6g}"})
    words = {"how": f"by a factor of its own: {shown}"}
    return Line("values", f"matrix = matrix * {_numbers(factors)}", "columns-scaled", words=words, cost=4)


def _numbers(values: np.ndarray) -> str:
    return f"np.array({[float(f'{x:.15g}') for x in values]})"


def _free_columns(sight: Sight, base: float) -> Iterator[Guess]:
    """Yield the recipe in which each column has the frequency that was measured in it."""
    length, d_model = sight.target.shape
    if length < 6 or d_model < 3 or sight.noise > 1e-3:
        return
    few = np.unique(np.linspace(0, d_model - 1, min(d_model, COLUMNS)).astype(int))
    for start, swapped in product((0.0, 1.0), (False, True)):
        cosine = (np.arange(d_model) % 2 == 1) != swapped
        if np.mean(_told(sight, few, cosine[few], start)) < 0.9:
            continue
        w, _ = column_frequencies(sight.target, cosine, start, sight.noise)
        line = _listed(w, "column-frequencies", "np.array({listed})", 6)
        guess = _start(Recipe(length, d_model, base).with_(line, *([SWAPPED] if swapped else [])), start, length)
        if Trial(sight).near(guess, 0.9):
            yield sight, framed(guess, sight)


def _listed(w: np.ndarray, finding: str, code: str, cost: float) -> Line:
    """Return the line that holds frequencies as they were measured."""
    listed = [float(f"{x:.15g}") for x in w]
    shown = ", ".join(f"{x:.4g}" for x in listed[:6]) + (", …" if len(listed) > 6 else "")
    return Line("w", f"w = {code.format(listed=listed)}", finding, words={"words": shown}, cost=cost)
