"""Guess a recipe by its pairs, by how far hands turn and where they stand first; or by single columns."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from pe_lib.diagnosis.catalogue import FIXED
from pe_lib.diagnosis.frame import ORDERS, SWAPPED, TYPES, Guess, Trial, framed, started
from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.laws import LIKELY, PAPER, fitting, law_lines, listed_line, written
from pe_lib.diagnosis.measure import (
    COLUMNS,
    FAR,
    PAIRS,
    SOME,
    Sight,
    View,
    column_frequencies,
    evenly,
    far_positions,
    near_positions,
    order_of,
    phases,
    turns,
    wrap,
)
from pe_lib.diagnosis.plain_numbers import round_number
from pe_lib.diagnosis.positions import known_rows, position_lines
from pe_lib.diagnosis.prove import MOST_FLOAT32, UNITS
from pe_lib.diagnosis.recipe import Line, Recipe

RELATIVE = (1e-13, 2e-6, 2e-2)  # how far angles may be off, for their size: in float64, float32 and coarser types
# The eight ways in which a pair (first column, second column) can stand for an angle, by what the columns hold: sign of
# the angle, quarter turns added to it, whether sine and cosine are swapped, and the signs of the first and the second.
ROLES = (
    (1, 0, False, 1, 1), (-1, 1, True, 1, 1), (-1, 0, False, -1, 1), (-1, 2, False, 1, -1),
    (1, 2, False, -1, -1), (1, 1, True, 1, -1), (1, -1, True, -1, 1), (-1, -1, True, -1, -1),
)  # fmt: skip
CHEAP = 1.35  # what a law costs that has a name, or a base with few digits
HANDS = 16  # are enough to know the first position by
LEAST_CHANCE = 0.02  # that another position gives the same numbers: then it cannot be told
COARSE_NOISE = 1e-7  # of numbers that were rounded, or come in a type of few digits
MOST_STEP = 4  # from exponent to exponent, or of the first
SURELY = 0.2  # is a whole number known, or better
TOLD = 0.75  # of some columns are waves of the kind that a layout has there
AS_ZERO = 0.05  # of an angle, where hands stand as at position 0
STARTS = 4  # first positions that one column tells are asked of the others
MOST_ROOM = 0.02  # of an angle, if it is to tell one of a million positions
FARTHEST = 1e6  # a position up to it may stand at any angles, if pairs are few or their numbers coarse
KINDS = {
    (False, True): None,
    (True, False): SWAPPED,
    (False, False): Line("matrix", "matrix = np.sin(angles)", "sines-alone"),
    (True, True): Line("matrix", "matrix = np.cos(angles)", "cosines-alone"),
}
Law = tuple[float, tuple[Line, ...], int]


def of_pairs(sights: list[Sight], relatives: tuple[float, ...] = RELATIVE[:2]) -> Iterator[Guess]:
    """Yield recipes by the turns of hands: a law for their frequencies, what columns hold, and the first position.

    First by the laws that are plain, in all sights and however fine angles are.
    """
    fitted = []
    for relative, sight in product(relatives, sights):
        laws = _laws(sight, relative)
        fitted.append((sight, relative, laws))
        yield from _by_laws(sight, relative, laws, True)
    for sight, relative, laws in fitted:
        yield from _by_laws(sight, relative, laws, False)


def _laws(sight: Sight, relative: float) -> list[Law]:
    """Return the laws that give the turns of hands, and in which sense they turn."""
    d_model = sight.target.shape[1]
    delta, uncertain = sight.turns if relative < 1e-3 else turns(sight, np.arange(d_model // 2), 4)
    error = 4 * uncertain + abs(delta) * relative + (6 * sight.noise if relative > 1e-3 else 0.0) + 1e-13
    laws: list[Law] = []
    for sign in (1, -1):
        w, errors = (np.resize(np.repeat(of_pair, 2), d_model) for of_pair in (sign * delta, error))
        errors[~np.isin(np.arange(d_model) // 2, sight.hands)] = np.inf
        laws += [(cost, lines, sign) for cost, lines in fitting(sight.recipe, w, errors, relative)]
    return laws


def _by_laws(sight: Sight, relative: float, laws: list[Law], cheap: bool) -> Iterator[Guess]:
    """Yield the recipes of the laws that are plain, or of the others."""
    most = 6 if relative < 1e-3 else 12
    of_sign = ([law for law in laws if law[2] == sign and (law[0] <= CHEAP) == cheap][:most] for sign in (1, -1))
    laws = sorted((law for both in of_sign for law in both), key=lambda law: law[0])
    for far in (False, True)[: 1 + (relative < 1e-3)]:
        for _, lines, sign in laws[: 1 + cheap] if far else laws:
            with_law = sight.recipe.with_(*lines)
            per_pair = turning(with_law)[1 : sight.target.shape[1] : 2]
            for found in _placed(sight, with_law, sign, per_pair, relative, far):
                yield sight, found


def turning(recipe: Recipe) -> np.ndarray:
    """Return by how much the angle of each column grows from a row to the next, where rows stand in their order."""
    rows = np.arange(2)
    recipe = recipe.without(*(line for line in recipe.changed if line.slot == "pos" and line.finding != "step"))
    angles = recipe.with_(Line("matrix", "matrix = angles + 0.0 * j")).run(rows) if recipe.length > 1 else None
    found: np.ndarray = recipe.frequencies() if angles is None else np.diff(angles, axis=0)[0]
    return found


def _placed(sight: Sight, recipe: Recipe, sign: int, w: np.ndarray, relative: float, far: bool) -> Iterator[Recipe]:
    """Yield recipes of one law: for each way in which columns may hold sine and cosine, the first positions."""
    length = len(sight.target)
    coarse = relative > 1e-3
    hands = sight.hands[evenly(len(sight.hands), HANDS)]
    phase = phases(sight, hands, sign * w[hands], 4 if coarse else SOME)
    noise = sight.noise + (0.02 if coarse else 0.0)
    placed = False
    for quarter, swapped, first, second in _roles(sign, length, far, sight.noise < COARSE_NOISE and len(hands) > 1):
        stands = wrap(phase - quarter * np.pi / 2) * sign
        starts = (far_positions if far else near_positions)(stands, w[hands], noise, relative)
        if not starts:
            continue
        turned = replace(sight, scale=-sight.scale, target=-sight.target) if first == second == -1 else sight
        trial = Trial(turned, noise)
        mirrored = first != second and (first < 0) != swapped and "frequencies" in recipe.said
        for start in starts:
            if mirrored and abs(wrap(start * w[hands])).max() < AS_ZERO:
                continue  # frequencies of their own may be below 0, and say the same
            guess = _signed(recipe.with_(*([SWAPPED] if swapped else [])), start, swapped, first, second)
            between = start != round(start)
            if abs(start) > (HANDS if between else FAR) and (sight.noise > COARSE_NOISE or (between and len(w) < 3)):
                guess = _perhaps(guess)
            if trial.near(guess, 0.6):
                placed = True
                yield framed(guess, turned)
    if placed or not far or min(len(w), len(sight.rows)) < 2:
        return
    recipe = recipe if sign > 0 else recipe.with_(SWAPPED)
    stands = wrap(phases(sight, np.arange(len(w)), sign * w) - (sign < 0) * np.pi / 2) * sign
    if starts := near_positions(stands, w, noise, relative):  # that of most rows; the first ones have others
        yield framed(started(recipe, starts[0]), sight)
        return
    one = sign > 0 or (np.ptp(stands) < 6 * noise + 1e-9 and "frequencies" not in recipe.said)  # else: the other sense
    by_chance = 2 * FARTHEST * min(6 * noise / np.pi, 1.0) ** len(w)
    if one and sight.moves and by_chance < 1e-3 and abs(stands).max() > 20 * noise:
        yield framed(recipe.with_(_phase_line(stands, sight)), sight)


def _roles(sign: int, length: int, far: bool, clear: bool) -> Iterator[tuple[int, bool, int, int]]:
    """Yield the roles of a sense; with a minus sign where it tells something: of one row none does, of far ones few."""
    for its_sign, quarter, swapped, first, second in ROLES:
        backwards = first != second and (first < 0) != swapped  # as positions that fall from row to row
        told = first == second == 1 or (length > 1 and (not far or (backwards and clear)))
        if its_sign == sign and told:
            yield quarter, swapped, first, second


def _perhaps(recipe: Recipe) -> Recipe:
    """Return the recipe with a first position of which there may be others."""
    found = (line for line in recipe.changed if line.slot == "pos")
    return recipe.with_(*(replace(line, kind="undecided", cost=max(1.0, line.cost)) for line in found))


def _signed(recipe: Recipe, start: float, swapped: bool, first: int, second: int) -> Recipe:
    """Return the recipe with a first position, and a minus sign before the first or the second column of each pair."""
    if first == second:
        return started(recipe, start)
    if start and (first < 0) != swapped:  # sin(-a) is -sin(a), cos(-a) is cos(a): positions run backwards
        line = position_lines(-(start + np.arange(recipe.length)))
        return recipe.with_(line) if line else recipe
    return started(recipe, start).with_(sign_line("sine" if (first < 0) != swapped else "cosine", int(first > 0)))


def sign_line(which: str, parity: int) -> Line:
    """Return the line that puts a minus sign before the sines or the cosines, in even or odd columns."""
    code = f"matrix = matrix * np.where(j % 2 == {parity}, -1, 1)"
    return Line("coarser", code, "sign", words={"which": which, "column": parity})


def _phase_line(stands: np.ndarray, sight: Sight) -> Line:
    """Return the line that adds the angles at which pairs begin, one for all or one for each."""
    noise, d_model = sight.noise, sight.target.shape[1]
    added = float(np.median(stands))
    if np.ptp(stands) < 6 * noise + 1e-9:
        shown = round_number(abs(added), 4 * noise + 1e-9, 4) or abs(added)
        code = f"angles = pos * w {'+' if added > 0 else '-'} {shown!r}"
        return Line("angles", code, "phase", words={"phase": f"{math.copysign(shown, added):.6g}"})
    stands = np.where(abs(stands) <= 6 * noise, 0.0, stands)
    listed = [float(f"{x:.15g}") for x in np.append(stands, [0.0] * (d_model % 2))]
    first = int(np.flatnonzero(stands)[0])
    angles = [f"{x:.4g}" for x in listed[first : first + 5]] + ["…"] * (len(listed) > first + 5)
    words = {"words": f"from pair {first} on, " * (first > 0) + ", ".join(angles)}
    code = f"angles = pos * w + np.repeat({listed}, 2)[j]"
    return Line("angles", code, "phases", words=words, cost=4)


def of_far_rows(sight: Sight, grain: Grain) -> Iterator[Guess]:
    """Yield the encoding from any whole position, also where even the slowest hand has come round many times.

    Where other positions give the same numbers as well, the first of them may have been found by chance: it is
    undecided.
    """
    length, d_model = sight.target.shape
    if length < 2:
        return
    recipe, rows, columns = sight.recipe, np.arange(length), evenly(d_model, HANDS)
    waves = np.column_stack([np.cos(rows), np.sin(rows)])
    (a, b), *_ = np.linalg.lstsq(waves, sight.target[:, 0], rcond=None)  # sin(p + r) = sin p cos r + cos p sin r
    first, room = np.arctan2(a, b), 8 * sight.noise + 1e-9
    unit = 2.0 ** (-24 if COARSE_NOISE / 4 < sight.noise <= COARSE_NOISE else -53)  # as angles may be in float32, too
    if room > MOST_ROOM or abs(first) <= room or abs(waves @ (a, b) - sight.target[:, 0]).max() > 8 * room:
        return
    pairs = evenly(d_model // 2, HANDS)  # from wherever it begins, each turns by its own frequency
    turned = sight.points(rows[1:2], pairs) * sight.points(rows[:1], pairs).conj()
    if np.any(abs(turned - np.exp(1j * recipe.frequencies()[2 * pairs])) > 8 * room + 4 * MOST_FLOAT32):
        return
    stands = first + 2 * np.pi * np.arange(-FARTHEST // 6, FARTHEST // 6 + 1)
    tried = np.rint(stands)[abs(stands - np.rint(stands)) <= room]
    tried = tried[abs(tried) <= FARTHEST]
    for at in (rows[:2], rows[-2:], rows[:: 1 + length // 64]):
        angles = (tried[:, np.newaxis] + at)[..., np.newaxis] * recipe.frequencies()[columns]
        made = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))  # (positions, rows, columns)
        near = grain.room(made) + 0.51 * grain.step + np.minimum(UNITS * unit * (1 + abs(angles)), MOST_FLOAT32)
        tried = tried[np.all(abs(made - sight.target[np.ix_(at, columns)]) <= near, axis=(1, 2))]
    if not len(tried):
        return
    start = float(tried[abs(tried).argmin()])
    by_chance = (2 * abs(start) + 1) * (len(tried) - 1) / (2 * FARTHEST)
    guess = started(recipe, start)
    if by_chance > LEAST_CHANCE or (abs(start) > FAR and sight.noise > COARSE_NOISE):
        guess = _perhaps(guess)
    yield sight, framed(guess, sight)


def of_rows(sight: Sight, known: bool = True) -> Iterator[Guess]:
    """Yield recipes in which each row has a position of its own, under the encoding's frequencies or known others."""
    length, d_model = sight.target.shape
    rows = sight.rows
    if d_model < 4 or length < 3 or length > 6000 or (known and sight.even):
        return
    few = rows[evenly(len(rows), 8)]
    plain = sight.recipe
    for code, law, _ in written(plain):
        if code and (not known or code in FIXED or code not in LIKELY):
            continue
        for recipe in (plain, plain.with_(SWAPPED)):
            guess = recipe.with_(*law_lines(code, law))
            room = 8 * sight.noise + 1e-6 * (10 + length)  # of angles in float32, too
            found = known_rows(guess, sight.target, few, room, 8)
            if found is None or np.mean(np.isfinite(found)) < 0.7:
                continue
            if not known and np.ptp((found - few)[np.isfinite(found)]) == 0:
                continue  # rows in their order are known by the first ones
            found = known_rows(guess, sight.target, rows, room)
            if found is None or np.mean(np.isfinite(found)) < 0.7:
                continue
            positions = np.arange(length, dtype=float)
            positions[rows] = np.where(np.isfinite(found), found, rows)
            line = position_lines(positions)
            yield sight, framed(guess.with_(line) if line else guess, sight)


def of_same_rows(view: View) -> Iterator[Guess]:
    """Yield the recipe in which every row is that of one position."""
    values = view.values
    if not view.still:
        return
    for sight, one in of_pairs(replace(view, values=values[:1]).circles, RELATIVE[:1]):
        start = next((float(line.words["first"]) for line in one.changed if line.slot == "pos"), 0.0)
        line = position_lines(np.full(len(values), start))
        if line is not None:
            yield replace(sight, target=values), replace(one, length=len(values)).with_(line)


def of_free_pairs(sight: Sight) -> Iterator[Guess]:
    """Yield the recipe in which each pair has the frequency that was measured in it."""
    length, d_model = sight.target.shape
    if length < 5 or d_model < 4 or d_model % 2 or sight.noise > 1e-3 or not sight.even:
        return
    w, uncertain = turns(sight, np.arange(d_model // 2))
    w = np.where(abs(w) <= 3 * uncertain, 0.0, w)
    if not w.any():
        return
    recipe, right = sight.recipe, sight.recipe.frequencies()[::2]
    rounded = np.all(abs(abs(w) - right) < 0.05 * right)
    plain = [round_number(abs(1 / x), 1e-11, 7) for x in w] if rounded else [None]
    if rounded:  # in a type of few digits, perhaps
        yield sight, framed(recipe, sight)
    senses = (1, -1) if np.mean(w > 0) >= np.mean(w < 0) else (-1, 1)  # whichever has more that are above 0
    for far in (False, True):
        found: list[Recipe] = []
        for sense in senses:
            line = listed_line(sense * w + 0.0)
            if all(plain):
                line = Line("w", f"w = 1 / np.repeat({plain}, 2)[j]", "divisors-rounded-off", cost=2)
            found += _placed(sight, recipe.with_(line), sense, sense * w, 1e-13, far)
        yield from ((sight, guess) for guess in sorted(found, key=lambda guess: guess.cost))


def of_columns(sight: Sight) -> Iterator[Guess]:
    """Yield recipes by the frequencies of single columns, where sine and cosine of a pair do not turn together."""
    length, d_model = sight.target.shape
    if length < 2 or sight.noise > TYPES[1]:
        return
    few = np.unique(np.r_[: min(d_model, 8), evenly(d_model, COLUMNS)])
    for scale, start in _column_starts(sight):
        target = sight.target if scale == 1.0 else sight.target / scale
        scaled = replace(sight, target=target, scale=scale, noise=max(sight.noise / abs(scale), 4e-15))
        told = np.stack([_told(scaled, few, cosine, start) for cosine in (False, True)])
        for layout, kinds in product(ORDERS, KINDS):
            if layout in ("cosines-first", "swapped") and (d_model % 2 or kinds != (False, True)):
                continue  # with sine and cosine exchanged, these are the others
            order = order_of(layout, d_model)
            cosine = np.resize(kinds, d_model)[np.argsort(order)[few]]
            if told[cosine.astype(int), np.arange(len(few))].mean() >= TOLD:
                yield from _by_columns(replace(scaled, layout=layout), order, kinds, start)


def _by_columns(sight: Sight, order: np.ndarray, kinds: tuple[bool, bool], start: float) -> Iterator[Guess]:
    """Yield the recipes by laws that give the frequencies of all columns in an order."""
    d_model = len(order)
    some = np.isin(np.arange(d_model) // 2, evenly((d_model + 1) // 2, PAIRS))
    at = np.flatnonzero(some & np.isin(order, sight.filled))
    w, uncertain = np.zeros(d_model), np.full(d_model, np.inf)
    cosine = np.resize(kinds, d_model)[at]
    w[at], uncertain[at] = column_frequencies(sight.target[:, order[at]], cosine, start, sight.noise)
    function = KINDS[kinds]
    recipe = sight.recipe.with_(*([function] if function else []))
    fine, loose = (4 * uncertain + abs(w) * relative + 1e-13 for relative in RELATIVE[:2])
    near = [lines for _, lines in fitting(recipe, w, loose)[:4]]
    laws = [*(lines for _, lines in (fitting(recipe, w, fine)[:4] if near else [])), *near]
    laws = laws or ([(of_both,)] if not function and (of_both := _two_laws(recipe, w, loose)) else [])
    if laws:
        sight = replace(sight, target=sight.target[:, order])
        trial = Trial(sight)
        guesses = (started(recipe.with_(*lines), start) for lines in laws)
        yield from ((sight, framed(guess, sight)) for guess in guesses if trial.near(guess, 0.6))


def _two_laws(recipe: Recipe, w: np.ndarray, error: np.ndarray) -> Line | None:
    """Return the line in which sines have the frequencies of one law or base, and cosines of another."""
    written = []
    for parity in (0, 1):
        of_one = np.where(np.arange(len(w)) % 2 == parity, error, np.inf)
        found = fitting(recipe, w, of_one) if np.count_nonzero(of_one < abs(w)) > 2 else []
        lines = found[0][1] if found else ()
        by_slot = {line.slot: line.code.partition(" = ")[2] for line in lines}
        if found and by_slot.keys() <= {"w", "base"} and "one-frequency" not in {line.finding for line in lines}:
            law: str | None = by_slot.get("w", PAPER).replace("base", by_slot.get("base", "base"))
        else:
            law = _whole(recipe, w, of_one)
        if law is None:
            return None
        written.append(law)
    sines, cosines = written
    words = {"sines": sines, "cosines": cosines}
    return Line("w", f"w = np.where(j % 2 == 0, {sines}, {cosines})", "column-frequencies", words=words, cost=3.1)


def _whole(recipe: Recipe, w: np.ndarray, error: np.ndarray) -> str | None:
    """Return the line of frequencies whose exponents are whole numbers that grow evenly, divided by d_model."""
    if recipe.base <= 1:
        return None
    scale = recipe.d_model / math.log(recipe.base)
    told = np.flatnonzero((error * scale < SURELY * w) & (w > 0))
    if len(set(told // 2)) < 2:
        return None
    exponents, room = -np.log(w[told]) * scale, error[told] / w[told] * scale
    slope, first = np.rint(np.polyfit(told // 2, exponents, 1, w=1 / room)).astype(int).tolist()
    near = abs(exponents - slope * (told // 2) - first) <= room + 1e-9
    if np.mean(near) < TOLD or not 0 < slope <= MOST_STEP or abs(first) > MOST_STEP:
        return None
    return f"base ** (-({slope} * (j // 2) {'+' if first >= 0 else '-'} {abs(first)}) / d_model)"


def _column_starts(sight: Sight) -> Iterator[tuple[float, float]]:
    """Yield scales and first positions by a column that begins a layout, taken for a wave of frequency 1."""
    rows, half = np.arange(min(len(sight.target), SOME)), sight.target.shape[1] // 2
    waves = np.column_stack([np.sin(rows), np.cos(rows)])
    found: list[tuple[float, float]] = []
    for y in sight.target[: len(rows), sorted({0, min(1, half), half})].T:
        (a, b), *_ = np.linalg.lstsq(waves, y, rcond=None)
        scale = float(np.hypot(a, b))
        if scale <= 1e-9 or np.median(abs(waves @ (a, b) - y)) > 8 * sight.noise + 1e-6 * scale:
            continue
        scale = 1.0 if abs(scale - 1) < 8 * sight.noise + 1e-6 else scale
        for quarter in range(4):  # sine, cosine, and both with a minus sign
            stands = np.array([np.arctan2(b, a) - quarter * np.pi / 2])
            starts = near_positions(stands, np.ones(1), 3 * sight.noise / scale, 1e-7)
            found += [((1 if quarter < 2 else -1) * scale, start) for start in starts]
    nearest = sorted(found, key=lambda one: abs(one[1]))[:STARTS]
    yield from dict.fromkeys([*nearest, (1.0, 0.0), (1.0, 1.0)])


def _told(sight: Sight, few: np.ndarray, cosine: bool, start: float) -> np.ndarray:
    """Say of some columns whether they are waves of any frequency, as sines or cosines of these positions."""
    part = sight.target[: min(len(sight.target), 10), few]
    w, _ = column_frequencies(part, cosine, start, sight.noise)
    angles = (start + np.arange(len(part)))[:, np.newaxis] * w
    off = abs(np.where(cosine, np.cos(angles), np.sin(angles)) - part)
    found: np.ndarray = np.mean(off <= 16 * sight.noise + 1e-5 * (1 + abs(angles)), axis=0) >= 0.75
    return found
