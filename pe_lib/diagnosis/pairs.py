"""Read a matrix whose columns go together in twos: by which law its clock hands turn, and where they start."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pe_lib.diagnosis.grain import ANGLE_ERROR, BITS, Grain
from pe_lib.diagnosis.hands import SOME, Hands, columns_of, turns
from pe_lib.diagnosis.laws import Law, digits, fitted_laws, named_laws
from pe_lib.diagnosis.reading import ROLES, Reading, wrap
from pe_lib.diagnosis.starts import first_positions

ALL = 0.999  # of the numbers agree with a reading that explains everything
ENOUGH = 0.75  # of the numbers must agree with one at least; the others are then looked at one by one
FINE, COARSE = ("float64", "float32"), ("float16", "bfloat16")  # types of angles
# In which order precision and laws are tried, the plainer explanation first: laws of one known mistake, laws with plain
# numbers in them, laws of two known mistakes, known mistakes at positions far away, any laws.
ATTEMPTS = (
    ("float64", "named"), ("float64", "plain"), ("float64", "combined"),
    ("float64", "far"), ("float32", "named"), ("float32", "plain"), ("float32", "combined"),
    ("float32", "far"), ("float64", "any"),
    ("float16", "named"), ("float16", "combined"), ("bfloat16", "named"), ("bfloat16", "combined"),
    ("float32", "any"), ("float16", "plain"), ("bfloat16", "plain"), ("float16", "any"), ("bfloat16", "any"),
)  # fmt: skip
FREE = (("float64", "free"), ("float32", "free"), ("float16", "free"))
FAR = 1e4
FAR_NOISE = {"float64": 1e-6, "float32": 2e-4}  # how far angles may be off that were computed for positions far away


def read_pairs(
    hand: Hands, grain: Grain, base: float, needed: float, levels: tuple[str, ...], free: bool = False
) -> Reading | None:
    """Read the hands: the law of their frequencies, what each column holds, and the first position.

    With `free`, each pair may have any frequency.
    """
    delta, uncertain = turns(hand)
    for level, kind in FREE if free else _attempts(grain, uncertain, needed):
        if (len(delta) == 1 and level in COARSE) or (len(hand.rows) < 3 and level != "float64"):
            continue  # so few coarse angles may stand for anything
        if level not in levels or (levels == FINE and kind in ("plain", "any") and grain.coarse):
            continue  # of coarse numbers, coarse angles are plainer than another base
        turning = _Turning(hand, delta, uncertain, level, grain, needed)
        if kind == "far":
            turning = replace(
                turning,
                hand=replace(hand, noise=max(hand.noise, FAR_NOISE[level])),
                uncertain=uncertain + 2 * FAR_NOISE[level],
            )
        reading = _plainest(turning, _laws(kind, turning, base))
        if reading is not None and (kind != "far" or np.nanmin(abs(reading.positions)) > FAR):
            return reading
    return None


@dataclass(frozen=True)
class _Turning:
    """Hands with how far they turn from a row to the next, and what is asked of a reading of them."""

    hand: Hands
    delta: np.ndarray
    uncertain: np.ndarray
    level: str
    grain: Grain
    needed: float

    @property
    def coarse(self) -> bool:
        return self.level in COARSE


def _attempts(grain: Grain, uncertain: np.ndarray, needed: float) -> Iterator[tuple[str, str]]:
    """Yield level and kind of law to try, the plainer first; what has few numbers is not explained by many causes."""
    if grain.coarse:
        yield from (("float64", "named"), ("float32", "named"), (grain.held_by, "named"))
    single_row = not np.all(np.isfinite(uncertain))
    # three pairs and more would not lie on a line by chance; two always do, so there it is the last thing to say
    attempts = ATTEMPTS if len(uncertain) < 3 else (*ATTEMPTS[:3], ("float64", "any"), *ATTEMPTS[3:])
    for level, kind in attempts:
        if single_row and (kind, level) != ("named", "float64"):
            continue
        if needed < ALL and (kind in ("combined", "far") or level not in ("float64", grain.held_by)):
            continue
        if kind in ("plain", "any") and BITS[level] < BITS[grain.held_by]:
            continue  # coarse angles under fine numbers: with any law at all, they would fit too much
        yield level, kind


def _laws(kind: str, turning: _Turning, base: float) -> Iterator[Law]:
    """Yield the laws of a kind, those of fewest mistakes first."""
    d_model = turning.hand.view.shape[1]
    if kind == "free":
        if len(turning.hand.rows) > 2:
            yield Law(("frequencies",), None, d_model, 0.0, math.nan)
    elif kind in ("named", "far", "combined"):
        for law in named_laws(d_model, base):
            if law.codes and len(turning.delta) == 1 and len(turning.hand.rows) == 1:
                return  # one hand seen once: nothing tells of frequencies
            if kind == "far" or (kind == "combined") == (len(law.codes) > 1):
                yield law
    else:
        delta, uncertain, level = turning.delta, turning.uncertain, turning.level
        sign = 1 if np.sum(np.sign(delta) * (abs(delta) > 3 * uncertain)) >= 0 else -1
        error = np.maximum(uncertain, abs(delta) * ANGLE_ERROR[level])
        if level != "float64":
            error = np.maximum(error, 2.0 ** -BITS[level] / max(1, min(len(turning.hand.rows), 8)))
        for law in fitted_laws(sign * delta, error, d_model, base):
            plain = "step" not in law.codes and ("base" not in law.codes or digits(law.base or 0.0) <= 3)
            if plain == (kind == "plain"):
                yield law


def _plainest(turning: _Turning, laws: Iterator[Law]) -> Reading | None:
    """Return the reading by the plainest of some laws, with all laws that give the same numbers as plainly."""
    accepted: list[tuple[tuple[int, float], Reading]] = []
    for law in laws:
        if accepted and len(law.codes) > len(accepted[0][1].laws[0].codes) + turning.coarse:
            break
        accepted += [((len(law.codes), cost), reading) for cost, reading in _placed(turning, law)]
    if not accepted:
        return None
    if turning.coarse and not math.isnan(accepted[0][1].laws[0].slope):
        accepted = _closest(accepted, turning)
    cost, best = min(accepted, key=lambda one: one[0])
    same = {one.laws[0].codes: one.laws[0] for its_cost, one in accepted if its_cost == cost}
    return best.with_(laws=tuple(same.values()))


def _closest(
    accepted: list[tuple[tuple[int, float], Reading]], turning: _Turning
) -> list[tuple[tuple[int, float], Reading]]:
    """Keep the readings whose frequencies come closest: where angles are coarse, neighbouring laws fit as well."""
    delta, missed = turning.delta, []
    for _, one in accepted:
        w = one.laws[0].frequencies(len(delta))
        missed.append(float(np.median(np.minimum(abs(wrap(delta - w)), abs(wrap(-delta - w))) / (w + 1e-6))))
    return [pair for pair, off in zip(accepted, missed, strict=True) if off <= 2 * min(missed) + 1e-3]


def _placed(turning: _Turning, law: Law) -> Iterator[tuple[float, Reading]]:
    """Yield readings by one law: for each way in which the columns may hold sine and cosine, the first position."""
    delta, uncertain, level = turning.delta, turning.uncertain, turning.level
    free = math.isnan(law.slope)
    w = abs(delta) if free else law.frequencies(len(delta))
    if not np.all(np.isfinite(w)) or (turning.coarse and np.mean(w * ANGLE_ERROR[level] < 0.5) < ENOUGH):
        return  # of fast hands, coarse angles tell nothing
    room = 4 * uncertain + np.minimum(w * ANGLE_ERROR[level], 1.0) + (2.0 ** -BITS[level] if level != "float64" else 0)
    for sign in (1, -1):
        missed = np.where(sign * delta > -3 * uncertain, 0.0, np.inf) if free else abs(wrap(sign * delta - w))
        if np.mean(missed <= room) < turning.needed:
            continue
        exact_enough = turning.hand.noise < (1e-3 if len(w) > 1 else 1e-5)  # one hand alone must be read finely
        exact_enough = exact_enough and (level == "float64" or not turning.grain.coarse)
        look_far = level in FINE and exact_enough and len(law.codes) < 2
        look_far = look_far and (not law.codes or bool(np.all(np.isfinite(uncertain))))
        for far in (False, True) if look_far else (False,):
            found = list(_from_a_start(turning, law, w, sign, far))
            yield from found
            if found:
                break


def _from_a_start(turning: _Turning, law: Law, w: np.ndarray, sign: int, far: bool) -> Iterator[tuple[float, Reading]]:
    """Yield readings, with what they cost, by a law and a sense of turning: one for each role of the columns."""
    hand, level = turning.hand, turning.level
    few = 4 if turning.coarse else SOME  # coarse angles are best in the first rows
    turned_back = hand.z[:few] * np.exp(-1j * sign * np.outer(hand.rows[:few], w))
    phase = np.angle(np.median(turned_back.real, axis=0) + 1j * np.median(turned_back.imag, axis=0))
    for roles, (its_sign, quarter) in ROLES.items():
        signs = sum(role.startswith("-") for role in roles)
        if its_sign != sign or (far and signs):
            continue
        chances = math.inf if not law.codes and roles == ("sin", "cos") else 1.0
        noise = hand.noise + ANGLE_ERROR[level] * w * few
        for start in first_positions(wrap(phase - quarter * np.pi / 2) * sign, w, level, far, noise, chances):
            if len(w) == 1 and signs and abs(start) > 2:
                continue  # one hand alone stands everywhere sooner or later
            if len(hand.rows) == 1 and start != round(start):
                continue  # of a single row, only whole positions are believed
            reading = _reading(hand, law, level, w, roles, start)
            if agrees(reading, hand.view, hand.rows, turning.grain, turning.needed):
                yield signs + roles[0].endswith("cos") + _cost_of_start(start), reading
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
    next_ones = np.minimum(some + np.arange(len(some)) % 2, len(rows) - 1)  # so that even and odd positions are there
    rows = rows[np.unique(np.r_[np.arange(min(len(rows), 6)), some, next_ones])]
    allowed = reading.allowed(rows, grain)
    told = allowed < 0.5 * abs(reading.scale)
    if reading.level == "float32" and not told.all():
        return False
    fits = abs(view[rows] - reading.predicted(rows)) <= allowed
    not_zero = told & (view[rows] != 0)  # zeros alone fit too much
    return bool(not_zero.any() and np.mean(fits[told]) >= needed and np.mean(fits[not_zero]) >= min(needed, 0.5))
