"""Read a matrix whose columns go together in twos, sine and cosine of one angle: clock hands that turn.

The pair (sine, cosine) is a point on a circle; its angle is w_i·position. Norms show which columns belong together and
the scale; how far the hands turn from row to row shows the frequencies; where they stand in a row, its position.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pe_lib._checks import LARGEST_POSITION
from pe_lib.diagnosis.grain import ANGLE_ERROR, BITS, Grain
from pe_lib.diagnosis.laws import Law, digits, fitted_laws, named_laws
from pe_lib.diagnosis.reading import ROLES, Reading, wrap

ALL = 0.999  # of the numbers agree with a reading that explains everything
ENOUGH = 0.75  # of the numbers must agree with one at least; the others are then looked at one by one
SOME = 64  # rows that are enough to measure by
TURNS = 20_000  # of the slowest hand, to either side: so far first positions are looked for
# In which order precision and laws are tried, the plainer explanation first: laws of known mistakes, laws with plain
# numbers in them, of two mistakes at once, any laws.
ATTEMPTS = (
    ("float64", "named"), ("float64", "plain"), ("float64", "combined"), ("float32", "named"), ("float32", "plain"),
    ("float32", "combined"), ("float64", "far"), ("float32", "far"), ("float64", "any"), ("float16", "named"), ("float16", "combined"),
    ("bfloat16", "named"), ("bfloat16", "combined"), ("float32", "any"), ("float16", "plain"), ("bfloat16", "plain"),
    ("float16", "any"), ("bfloat16", "any"),
)  # fmt: skip
FAR_NOISE = {"float64": 1e-6, "float32": 2e-4}  # how far angles may be off that were computed for positions far away
FREE = (("float64", "free"), ("float32", "free"), ("float16", "free"))


@dataclass(frozen=True)
class Hands:
    """The pairs of a matrix as points in the plane, cosine + i·sine, divided by the scale."""

    transposed: bool
    layout: str
    view: np.ndarray  # (L, d_model), positions along the first axis
    rows: np.ndarray  # the rows that are not all zero
    z: np.ndarray  # (len(rows), pairs), complex
    scale: float
    offsets: tuple[float, float]
    share: float  # of the points that lie on the circle
    noise: float


def columns_of(layout: str, d_model: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and the second column of each pair; of an odd width, the last first column has no second."""
    columns = np.arange(d_model)
    if layout == "interleaved":
        return columns[0::2], columns[1::2]
    half = (d_model + 1) // 2
    return columns[:half], columns[half:]


def hands(values: np.ndarray, grain: Grain, needed: float) -> list[Hands]:
    """Return the ways of taking columns in twos that put the pairs on one circle, the best first."""
    found = []
    for transposed, view in ((False, values), (True, values.T)):
        rows = np.flatnonzero(np.any(view != 0, axis=1))
        if view.shape[1] < 2 or not len(rows):
            continue
        some = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), SOME)).astype(int))]
        for layout in ("interleaved", "halves") if view.shape[1] > 2 else ("interleaved",):
            z = _points(view, some, layout)
            for centre in (lambda _: 0j, _centre):  # round zero, and only if that fails round another point
                offset = centre(z)
                scale = 0.0 if offset is None else float(np.median(abs(z - offset)))
                if offset is None or not scale > 0 or not math.isfinite(scale):
                    continue
                noise = grain.noise(scale)
                share = float(np.mean(abs(abs(z - offset) / scale - 1) <= 6 * noise + 1e-12))
                if share >= needed:
                    points = (_points(view, rows, layout) - offset) / scale
                    offsets = (offset.imag, offset.real)
                    found.append(Hands(transposed, layout, view, rows, points, scale, offsets, share, noise))
                    if share == 1.0 and not offset:
                        return found[-1:]
                    break
    return sorted(found, key=lambda one: (round(-one.share, 1), one.transposed, one.layout == "halves"))


def _points(view: np.ndarray, rows: np.ndarray, layout: str) -> np.ndarray:
    """Return the pairs of some rows as complex numbers, second column + i·first."""
    first, second = columns_of(layout, view.shape[1])
    return view[np.ix_(rows, second)] + 1j * view[np.ix_(rows, first[: len(second)])]


def _centre(z: np.ndarray) -> complex | None:
    """Return the centre of the circle on which the points of the pair that turns most lie; None if there is none."""
    best = z[:SOME, np.argmax(np.abs(np.diff(z[:SOME], axis=0)).sum(axis=0))] if len(z) > 3 else z[:0, 0]
    if len(best) < 4:
        return None
    equations = np.column_stack([best.real, best.imag, np.ones(len(best))])
    (a, b, _), _, rank, _ = np.linalg.lstsq(equations, abs(best) ** 2, rcond=None)
    centre = complex(round(a / 2, 12), round(b / 2, 12))
    return centre if rank == 3 and 0 < abs(centre) < 1e6 else None


def turns(hand: Hands) -> tuple[np.ndarray, np.ndarray]:
    """Measure how far each hand turns from a row to the next: the angle in radians, and how uncertain it is.

    First from row to row, then over two, four, eight … rows, as one reads a vernier: each step makes it finer.
    """
    z, rows = hand.z, hand.rows
    pairs = z.shape[1]
    delta, uncertain = np.zeros(pairs), np.full(pairs, np.inf)
    going, lag = np.ones(pairs, bool), 1
    while lag < (rows[-1] - rows[0] + 1 if len(rows) else 0) and going.any():
        at = np.searchsorted(rows, rows + lag)
        here = np.flatnonzero((at < len(rows)) & (rows[np.minimum(at, len(rows) - 1)] == rows + lag))
        if not len(here):
            lag *= 2
            continue
        here = here[: SOME if lag == 1 else SOME // 2]
        turned = z[at[here]] * z[here].conj()
        middle = np.median(turned.real, axis=0) + 1j * np.median(turned.imag, axis=0)
        error = wrap(np.angle(middle) - lag * delta)
        if lag > 1:
            going &= abs(error) <= np.minimum(1.0, 6 * lag * uncertain + 0.02)
        delta = np.where(going, delta + error / lag, delta)
        uncertain = np.where(going, (2 * hand.noise + 4e-16) / lag, uncertain)
        lag *= 2
    return delta, uncertain


def read_pairs(hand: Hands, grain: Grain, base: float, needed: float, free: bool = False) -> Reading | None:
    """Read the hands: the law of their frequencies, what each column holds, and the first position.

    With `free`, each pair may have any frequency.
    """
    delta, uncertain = turns(hand)
    measured = hand, uncertain
    d_model = hand.view.shape[1]
    named = named_laws(d_model, base)
    attempts = FREE if free else ATTEMPTS
    if grain.held_by in ("float16", "bfloat16") and not free:  # then coarse angles are plainer than another base
        attempts = (("float64", "named"), ("float32", "named"), (grain.held_by, "named"), *attempts)
    laws_of = {
        "named": [law for law in named if len(law.codes) < 2],
        "far": named,
        "combined": [law for law in named if len(law.codes) > 1],
    }
    single = not np.all(np.isfinite(uncertain))  # of one row nothing turns
    for level, kind in attempts:
        if (needed < ALL and (level not in ("float64", grain.held_by) or kind in ("combined", "far"))) or (
            single and (kind != "named" or level in ("float16", "bfloat16"))
        ):
            continue  # what leaves numbers unexplained, or has few, is not to be explained by too much else
        hand, uncertain = measured
        if kind == "far":
            hand = replace(hand, noise=max(hand.noise, FAR_NOISE[level]))
            uncertain = uncertain + 2 * FAR_NOISE[level]
        if kind not in laws_of and BITS[level] < BITS[grain.held_by]:
            continue  # coarse angles under fine numbers: with any law at all, they would fit too much
        laws = laws_of[kind] if kind in laws_of else _measured(kind, delta, uncertain, level, hand, base)
        accepted: list[tuple[tuple[int, float], Reading]] = []
        coarse = level in ("float16", "bfloat16")
        for law in laws:
            if accepted and len(law.codes) > len(accepted[0][1].laws[0].codes) + coarse:
                break
            for cost, reading in _placed(hand, law, level, delta, uncertain, grain, needed):
                accepted.append(((len(law.codes), cost), reading))
        if accepted:
            if coarse:
                accepted = _closest(accepted, hand, delta)
            accepted.sort(key=lambda pair: pair[0])
            best = accepted[0]
            same = {one.laws[0].codes: one.laws[0] for cost, one in accepted if cost == best[0]}
            return best[1].with_(laws=tuple(same.values()))
    return None


def _closest(
    accepted: list[tuple[tuple[int, float], Reading]], hand: Hands, delta: np.ndarray
) -> list[tuple[tuple[int, float], Reading]]:
    """Keep the readings whose frequencies come closest: where angles are coarse, neighbouring laws fit as well."""
    pairs = hand.z.shape[1]
    missed = []
    for _, one in accepted:
        w = one.laws[0].frequencies(pairs)
        missed.append(float(np.median(np.minimum(abs(wrap(delta - w)), abs(wrap(-delta - w))) / (w + 1e-6))))
    return [pair for pair, off in zip(accepted, missed, strict=True) if off <= 2 * min(missed) + 1e-3]


def _measured(
    kind: str, delta: np.ndarray, uncertain: np.ndarray, level: str, hand: Hands, base: float
) -> Iterator[Law]:
    """Yield laws that were measured: with plain numbers in them, with any, or each pair's frequency free."""
    sign = 1 if np.sum(np.sign(delta) * (abs(delta) > 3 * uncertain)) >= 0 else -1
    error = np.maximum(uncertain, abs(delta) * ANGLE_ERROR[level])
    if level != "float64":
        error = np.maximum(error, 2.0 ** -BITS[level] / max(1, min(len(hand.rows), 8)))
    if kind == "free":
        if len(hand.rows) > 2:
            yield Law(("frequencies",), None, hand.view.shape[1], 0.0, math.nan)
        return
    for law in fitted_laws(sign * delta, error, hand.view.shape[1], base):
        plain = "step" not in law.codes and ("base" not in law.codes or digits(law.base or 0.0) <= 3)
        if plain == (kind == "plain"):
            yield law


def _placed(
    hand: Hands, law: Law, level: str, delta: np.ndarray, uncertain: np.ndarray, grain: Grain, needed: float
) -> Iterator[tuple[float, Reading]]:
    """Yield readings by one law: for each way in which the columns may hold sine and cosine, the first position."""
    pairs = hand.z.shape[1]
    free = math.isnan(law.slope)
    w = abs(delta) if free else law.frequencies(pairs)
    if not np.all(np.isfinite(w)):
        return
    for sign in (1, -1):
        missed = abs(wrap(sign * delta - w))
        if free:
            missed = np.where(sign * delta > -3 * uncertain, 0.0, np.inf)
        room = 4 * uncertain + np.minimum(w * ANGLE_ERROR[level], 1.0)
        if level != "float64":
            room = room + 2.0 ** -BITS[level]
        if np.mean(missed <= room) < needed:
            continue
        few = SOME if level in ("float64", "float32") else 4  # where angles are coarse, they are best in the first rows
        turned = hand.z[:few] * np.exp(-1j * sign * np.outer(hand.rows[:few], w))
        phase = np.angle(np.median(turned.real, axis=0) + 1j * np.median(turned.imag, axis=0))
        fine = level in ("float64", "float32") and hand.noise < 1e-3 and len(law.codes) < 2
        for far in (False, True) if fine and (np.all(np.isfinite(uncertain)) or not law.codes) else (False,):
            found = False
            for (first, second), (its_sign, quarter) in ROLES.items():
                if its_sign != sign or (far and "-" in first + second):
                    continue
                room = hand.noise + ANGLE_ERROR[level] * w * few
                its_phase = wrap(phase - quarter * np.pi / 2) * sign
                plainest = not law.codes and (first, second) == ("sin", "cos")
                for start in first_positions(its_phase, w, level, far, room, 1.0 if not plainest else np.inf):
                    if pairs == 1 and "-" in first + second and abs(start) > 2:
                        continue  # one hand alone stands everywhere sooner or later
                    reading = _reading(hand, law, level, w, (first, second), start)
                    if agrees(reading, hand.view, hand.rows, grain, needed):
                        found = True
                        signs = first.startswith("-") + second.startswith("-")
                        yield signs + first.endswith("cos") + _cost_of_start(start), reading
                        break
            if found:
                break


def _cost_of_start(start: float) -> float:
    """Return how far-fetched a first position is."""
    if start != round(start):
        return 3.0
    return 0.0 if start == 0 else 0.5 if 0 < start <= 2 else 1.5 if abs(start) <= 100 else 2.5


def _reading(hand: Hands, law: Law, level: str, w: np.ndarray, roles: tuple[str, str], start: float) -> Reading:
    d_model = hand.view.shape[1]
    first, second = columns_of(hand.layout, d_model)
    kinds, of_column = np.empty(d_model, object), np.empty(d_model)
    kinds[first], kinds[second] = roles
    if len(first) > len(w):  # a sine without its cosine
        last = law.frequencies(len(first))[-1] if not math.isnan(law.slope) else w[-1]
        w = np.append(w, last)
    of_column[first], of_column[second] = w, w[: len(second)]
    positions = np.full(len(hand.view), np.nan)
    positions[hand.rows] = start + hand.rows
    return Reading(
        hand.transposed, hand.layout, tuple(kinds), of_column, positions, hand.scale, hand.offsets, (law,), (), level
    )


def agrees(reading: Reading, view: np.ndarray, rows: np.ndarray, grain: Grain, needed: float) -> bool:
    """Say whether enough numbers of a few rows are as the reading predicts."""
    some = np.linspace(0, len(rows) - 1, min(len(rows), 12)).astype(int)
    some = np.unique(
        np.r_[np.arange(min(len(rows), 6)), some, np.minimum(some + np.arange(len(some)) % 2, len(rows) - 1)]
    )
    rows = rows[some]  # some with even and some with odd positions
    allowed = reading.allowed(rows, grain)
    told = allowed < 0.5 * abs(reading.scale)
    if reading.level == "float32" and not told.all():
        return False
    fits = abs(view[rows] - reading.predicted(rows)) <= allowed
    return bool(told.any() and np.mean(fits[told]) >= needed)


def first_positions(
    phase: np.ndarray, w: np.ndarray, level: str, far: bool, noise: np.ndarray, chances: float
) -> list[float]:
    """Return positions at which hands of frequencies `w` stand at these angles: near 0, or within many turns of the slowest.

    Positions are left out if so many others, or more, would agree by chance. Far away the slowest hand tells it roughly, but for whole turns, and each faster hand makes it finer.
    """
    if not far:
        found = _agreed(np.arange(-64.0, 257.0), phase, w, level, noise)
        return (
            found if level in ("float64", "float32") else [q for q in found if _by_chance(q, w, level, noise) < chances]
        )
    told = np.argsort(w)[np.count_nonzero(w == 0) :]
    if not len(told):
        return []
    at = (phase[told[0]] + 2 * np.pi * np.arange(-TURNS, TURNS + 1)) / w[told[0]]
    for n, i in enumerate(told[1:], 2):
        at = at + wrap(phase[i] - w[i] * at) / w[i]
        if len(at) > 4096:  # keep those on which the hands agree so far
            missed = np.max(abs(wrap(phase[told[:n], np.newaxis] - np.outer(w[told[:n]], at))), axis=0)
            off = missed > 6 * noise.max() + abs(at) * w[told[:n]].max() * ANGLE_ERROR[level]
            at = at[np.lexsort((abs(at), off))[:4096]]
    at = at[abs(at) < LARGEST_POSITION]
    whole = _agreed(np.rint(at), phase, w, level, noise)
    found = whole or [q for q in _agreed(at, phase, w, level, noise) if abs(q) < 100]
    return [q for q in found if _by_chance(q, w, level, noise) < chances]


def _by_chance(position: float, w: np.ndarray, level: str, noise: np.ndarray) -> float:
    """Return how many of the positions up to this one would agree as well if hands stood anywhere."""
    room = 6 * noise + abs(position) * w * ANGLE_ERROR[level]
    return float((2 * abs(position) + 1) * np.prod(np.minimum(room / np.pi, 1.0)))


def _agreed(tried: np.ndarray, phase: np.ndarray, w: np.ndarray, level: str, noise: np.ndarray) -> list[float]:
    """Return a few positions on which all hands agree, near 0 or closely; of eight hands, a few may be broken."""
    angles = np.multiply.outer(tried, w)
    room = 6 * noise + abs(angles) * ANGLE_ERROR[level] + (2.0 ** -BITS[level] if level != "float64" else 0.0)
    missed = abs(wrap(phase - angles))
    share = np.mean(missed <= room, axis=1)
    for needed in (1.0, ENOUGH) if len(w) >= 8 else (1.0,):
        good = np.flatnonzero(share >= needed)
        if len(good):
            off = np.median(missed[good] / (noise + 1e-300), axis=1)
            exact = good[off <= 0.6]
            if len(w) == 1 and len(exact):  # one hand alone stands nearly right at many positions
                good, off = exact, off[off <= 0.6]
            nearest = [some[np.argsort(abs(tried[some]), kind="stable")[:4]] for some in (exact, good)]
            closest = good[np.argsort(off, kind="stable")[: 4 if len(w) > 1 else 64]]
            return list(dict.fromkeys((tried[np.concatenate([*nearest, closest])] + 0.0).tolist()))
    return []
