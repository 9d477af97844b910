"""Read a matrix column by column, where sine and cosine of a pair do not turn together.

Each column is compared with sines and cosines of all frequencies; the best one is then made finer with ever later
rows. What the frequencies have in common, from column to column, tells what went wrong.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pe_lib.diagnosis.grain import ANGLE_ERROR, BITS, Grain
from pe_lib.diagnosis.hands import columns_of
from pe_lib.diagnosis.laws import Law, digits, fitted_laws, log_bases, named_laws, round_number
from pe_lib.diagnosis.pairs import ALL, COARSE, ENOUGH, agrees
from pe_lib.diagnosis.reading import PHASES, Reading, wrap

EARLY = 12  # rows compared with all frequencies
SLOW = np.r_[0.0, np.geomspace(1e-7, 0.1, 60)]


OTHER = {
    "cosine-exponent": "sine-exponent",
    "sine-exponent": "cosine-exponent",
    "cosine-exponent-halved": "sine-exponent-halved",
    "sine-exponent-halved": "cosine-exponent-halved",
}


@dataclass(frozen=True)
class _Waves:
    """What each column holds, with which frequency, and how steeply its numbers change with that."""

    kinds: tuple[str, ...]
    w: np.ndarray
    steep: np.ndarray
    positions: np.ndarray  # some, of those that were measured
    seen: np.ndarray  # the numbers there

    def fits(self, noise: float, level: str) -> np.ndarray:
        """Say for each column whether it is such a wave, were angles computed in a type."""
        angle = np.outer(self.positions, self.w)
        room = 8 * noise + abs(angle) * ANGLE_ERROR[level]
        missed = abs(self.seen - np.sin(angle + np.array([PHASES[kind] for kind in self.kinds])))
        found: np.ndarray = np.mean((missed <= room) | (room > 0.5), axis=0) >= ENOUGH
        return found

    def uncertain(self, noise: float) -> np.ndarray:
        """Return how far each frequency may be off."""
        with np.errstate(divide="ignore"):
            return np.where(self.steep > 0, 4 * noise / np.sqrt(self.steep), np.inf)


def read_columns(
    values: np.ndarray, grain: Grain, base: float, needed: float, levels: tuple[str, ...], free: bool = False
) -> Reading | None:
    """Read the columns one by one, in the matrix as it stands or transposed.

    With `free`, each column may have any frequency, and angles are taken to be exact.
    """
    for transposed, view in ((False, values), (True, values.T)):
        if len(view) < 3 or view.shape[1] < 2:
            continue
        rows = np.flatnonzero(np.any(view != 0, axis=1))
        if len(rows) < (3 if free else 2):
            continue
        some = np.unique(np.linspace(0, view.shape[1] - 1, min(view.shape[1], 24)).astype(int))
        for scale, start in _anchors(view, rows):
            waves = _measure(view[:, some] / scale, rows, start, levels)
            if np.mean(waves.fits(grain.noise(scale, levels[-1]), levels[-1])) < 0.5:
                continue  # a few columns are mostly enough to say no
            waves = _measure(view / scale, rows, start, levels)
            positions = np.full(len(view), np.nan)
            positions[rows] = rows + start
            plain = Reading(transposed, "", waves.kinds, waves.w, positions, scale)
            found = (
                _free(plain, waves, view, grain) if free else _lawful(plain, waves, view, grain, base, needed, levels)
            )
            if found is not None:
                return found
    return None


def _free(plain: Reading, waves: _Waves, view: np.ndarray, grain: Grain) -> Reading | None:
    """Return the reading with a frequency of its own for each column, if all columns are waves."""
    if not np.all(waves.fits(grain.noise(plain.scale), "float64")):
        return None
    law = Law(("column-frequencies",), None, 0, 0.0, math.nan)
    found = plain.with_(layout=_layout(waves.kinds), laws=(law,))
    return found if agrees(found, view, np.flatnonzero(np.isfinite(plain.positions)), grain, ALL) else None


def _lawful(
    plain: Reading,
    waves: _Waves,
    view: np.ndarray,
    grain: Grain,
    base: float,
    needed: float,
    levels: tuple[str, ...],
) -> Reading | None:
    """Return the reading with a law that frequencies follow, for the finest angles that allow one."""
    for level in levels:
        noise = grain.noise(plain.scale, level)
        fits = waves.fits(noise, level)
        if np.mean(fits) >= ENOUGH:
            named = _named(plain.with_(level=level), waves.uncertain(noise), fits, view, grain, base, needed)
            if named is not None:
                return named
    return None


def _layout(kinds: tuple[str, ...]) -> str:
    """Return the layout in which sines and cosines stand, or "" where they follow neither."""
    bare = [kind.removeprefix("-") for kind in kinds]
    for layout in ("interleaved", "halves"):
        first, second = columns_of(layout, len(bare))
        if all(bare[j] == "sin" for j in first) and all(bare[j] == "cos" for j in second):
            return layout
    return ""


def _anchors(view: np.ndarray, rows: np.ndarray) -> list[tuple[float, int]]:
    """Return what scale and first position may be, from the first row and from the first column."""
    found = []
    scale = float(abs(view[0]).max())
    if scale > 0 and np.mean((abs(view[0]) <= 1e-6 * scale) | (abs(abs(view[0]) - scale) <= 1e-3 * scale)) >= ENOUGH:
        found.append((float(np.median(abs(view[0][abs(view[0]) > 0.5 * scale]))), 0))
    r = rows[:64].astype(float)
    waves = np.column_stack([np.sin(r), np.cos(r)])
    for column in dict.fromkeys((0, 1, (view.shape[1] + 1) // 2)):  # a wave of frequency 1, whichever phase it has
        if column >= view.shape[1] or len(r) < 3:
            continue
        along, across = np.linalg.lstsq(waves, view[rows[:64], column], rcond=None)[0]
        missed = abs(waves @ [along, across] - view[rows[:64], column]).max()
        size = math.hypot(along, across)
        if size > 1e-3 and missed <= 0.02 * size:
            for quarter in (0.0, np.pi / 2):
                at = math.atan2(across, along) - quarter
                near = [k for k in range(-64, 513) if abs(wrap(np.array(k - at))) < max(1e-6, 3 * missed / size)]
                found += [(size, k) for k in sorted(near, key=abs)[:2]]
    if len(view) < 16:
        found += [(1.0, 0), (1.0, 1)]
    found = [(scale, k) for scale, k in found if scale > 1e-6 * abs(view).max()]
    return list({(round(scale, 6), k): (scale, k) for scale, k in reversed(found)}.values())[::-1][:6]


def _measure(view: np.ndarray, rows: np.ndarray, start: int, levels: tuple[str, ...]) -> _Waves:
    """Measure each column: by the nearest of many waves in the first rows, made finer with ever later rows."""
    early = rows[: EARLY + min(abs(start), 128)]  # far from 0, more rows are needed to tell frequencies apart
    kinds, w = _nearest((early + start).astype(float), view[early])
    phases, steep = np.array([PHASES[kind] for kind in kinds]), np.zeros(len(w))
    for until in (EARLY, *(2**n for n in range(4, 20) if 2**n < 2 * len(rows))):
        some = rows[np.unique(np.linspace(0, min(until, len(rows)) - 1, min(until, len(rows), 32)).astype(int))]
        q = (some + start)[:, np.newaxis]
        for _ in range(4):
            angle = q * w
            slope = q * np.cos(angle + phases)
            if levels[-1] in COARSE:  # later rows are too coarse to say anything
                slope = slope * (angle * ANGLE_ERROR[levels[-1]] < 0.2)
            steepness = (slope**2).sum(axis=0)
            with np.errstate(divide="ignore", invalid="ignore"):
                step = (slope * (view[some] - np.sin(angle + phases))).sum(axis=0) / steepness
            w = abs(w + np.clip(np.nan_to_num(step), -0.5 * w - 1e-4, 0.5 * w + 1e-4))
        steep = np.maximum(steep, steepness)
    some = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), 48)).astype(int))]
    return _Waves(kinds, w, steep, some + start, view[some])


def _nearest(positions: np.ndarray, x: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """Return for each column the nearest of many waves: what it is, and its frequency."""
    columns = np.arange(x.shape[1])
    grid = np.unique(np.r_[SLOW, np.linspace(0.0, np.pi, int(12 * abs(positions).max()) + 32)])
    best, kinds, w = np.full(len(columns), np.inf), np.full(len(columns), "sin", object), np.zeros(len(columns))
    for kind, phase in PHASES.items():
        table = np.sin(np.outer(grid, positions) + phase)  # (frequencies, early rows)
        distance = (table**2).sum(axis=1)[:, np.newaxis] - 2 * table @ x  # but for the norm of x, the same for all
        nearest = distance.argmin(axis=0)
        better = distance[nearest, columns] < best - 1e-6
        best, w = np.where(better, distance[nearest, columns], best), np.where(better, grid[nearest], w)
        kinds[better] = kind
    return tuple(kinds), w


def _named(
    reading: Reading,
    uncertain: np.ndarray,
    fits: np.ndarray,
    view: np.ndarray,
    grain: Grain,
    base: float,
    needed: float,
) -> Reading | None:
    """Return the reading with the plainest law that its frequencies follow, and what the columns hold by the way."""
    d_model, rows = len(reading.w), np.flatnonzero(np.isfinite(reading.positions))
    room = 6 * uncertain + reading.w * (ANGLE_ERROR[reading.level] + 1e-9) + 1e-12
    if reading.level != "float64":
        room = room + reading.w * 2.0 ** (1 - BITS[reading.level])
    # coarse angles under fine numbers would fit too much, and under coarse numbers they are plainer than another base
    any_law = reading.level in COARSE if grain.coarse else BITS[reading.level] >= BITS[grain.held_by]
    named, table = _named_laws(d_model, base)
    close = np.mean((abs(reading.w - table) <= room) & fits, axis=1) >= ENOUGH
    candidates = [named[k] for k in np.flatnonzero(close)]
    measured = _measured_laws(reading, uncertain, base) if any_law else ()
    candidates += [one for one in measured if np.mean((abs(reading.w - one.w) <= room) & fits) >= ENOUGH]
    found: list[tuple[_ColumnLaw, Reading]] = []
    for one in sorted(candidates, key=lambda one: one.cost):
        if found and one.cost > found[0][0].cost + 0.05:
            break
        kinds = _kinds(reading.roles, *columns_of(one.layout, d_model), fits & (one.w > 3 * uncertain))
        codes = one.codes
        if codes and kinds[0].endswith("cos") and not kinds[-1].endswith("cos"):  # then second columns are the sines
            codes = tuple(OTHER.get(code, code) for code in codes)
        candidate = reading.with_(layout=one.layout, roles=kinds, w=one.w, laws=(one.law,), codes=codes)
        if agrees(candidate, view, rows, grain, needed):
            found.append((one, candidate))
    if not found:
        return None
    ways = [(*candidate.codes, *candidate.laws[0].codes) for _, candidate in found]
    return found[0][1].with_(choices=tuple(way for way in dict.fromkeys(ways) if way != ways[0]))


def _kinds(roles: tuple[str, ...], first: np.ndarray, second: np.ndarray, told: np.ndarray) -> tuple[str, ...]:
    """Return what first and second columns hold, each by the majority of those that tell it."""
    kinds = np.array(roles, object)
    for columns in (first, second):
        if len(columns):
            sure = columns[told[columns]] if told[columns].any() else columns
            names, counts = np.unique([str(kinds[j]) for j in sure], return_counts=True)
            kinds[columns] = str(names[counts.argmax()])
    return tuple(kinds)


# Each way to tear pairs apart: by what the slope of the law is multiplied in first and in second columns, and how many
# pairs later first and second columns stand on the law.
TORN = (
    ((), 1.0, 1.0, 0.0, 0.0),
    (("cosine-exponent",), 1.0, 2.0, 0.0, 0.0),
    (("sine-exponent",), 2.0, 1.0, 0.0, 0.0),
    (("cosine-exponent-halved",), 1.0, 0.5, 0.0, 0.0),
    (("sine-exponent-halved",), 0.5, 1.0, 0.0, 0.0),
    (("column-as-pair",), 2.0, 2.0, 0.0, 0.5),
    (("own-frequencies",), 1.0, 1.0, 0.0, 0.5),
    (("column-as-pair",), 2.0, 2.0, 0.5, 0.0),  # laid out after that as cosine, sine
    (("own-frequencies",), 1.0, 1.0, 0.5, 0.0),
    (("first-column-missing",), 1.0, 1.0, 0.0, 1.0),
    (("column-as-pair",), 1.0, 1.0, 0.0, math.inf),  # the number of the column runs on through the second half
    (("own-frequencies",), 0.5, 0.5, 0.0, math.inf),
)


@dataclass(frozen=True)
class _ColumnLaw:
    """The frequency of each column by a law and a way to tear pairs apart, and how far-fetched that is."""

    cost: float
    layout: str
    codes: tuple[str, ...]
    law: Law
    w: np.ndarray


@lru_cache(maxsize=8)  # a matrix is diagnosed again and again while it is changed
def _named_laws(d_model: int, base: float) -> tuple[tuple[_ColumnLaw, ...], np.ndarray]:
    """Return all ways to tear pairs apart with the laws of at most one mistake, and their frequencies as a table."""
    laws = [(float(len(law.codes)), law) for law in named_laws(d_model, base) if len(law.codes) < 2]
    found = tuple(_with_all_ways(laws, d_model))
    return found, np.array([one.w for one in found])


def _measured_laws(reading: Reading, uncertain: np.ndarray, base: float) -> Iterator[_ColumnLaw]:
    """Yield the ways to tear pairs apart with the laws that the frequencies of first columns suggest."""
    d_model, laws = len(reading.w), []
    groups = [group for layout in ("interleaved", "halves") for group in columns_of(layout, d_model)]
    for group in (group for group in groups if len(group) > 1):
        for law in fitted_laws(reading.w[group], uncertain[group], d_model, base):
            if len(group) > 2 or "step" not in law.codes:
                laws.append((1.0 + len(law.codes) + 0.1 * digits(law.base or 1.0), law))
                codes = _base_codes(law.slope * d_model / 4, base)
                root = None if law.base is None else round_number(math.sqrt(law.base), 1e-9, 8) or math.sqrt(law.base)
                halved = Law((*codes, *law.codes[1:]), root, law.width, law.shift, law.slope / 2)
                # of two equally plain bases the smaller: the column taken for the pair is the commoner mistake
                laws.append((0.94 + len(halved.codes) + 0.1 * digits(root or 1.0), halved))
    yield from _with_all_ways(laws, d_model)


def _with_all_ways(laws: list[tuple[float, Law]], d_model: int) -> Iterator[_ColumnLaw]:
    """Yield each law with each way to tear pairs apart."""
    for cost, law in laws:
        for codes, *torn in TORN:
            for layout in ("interleaved", "halves") if math.isfinite(torn[-1]) else ("halves",):
                w = _torn(d_model, layout, torn, law)
                if codes != ("first-column-missing",):
                    yield _ColumnLaw(cost + len(codes) + 0.5 * (layout == "halves"), layout, codes, law, w)
                elif law.codes == ("missing-column",):  # then it is the first one that is missing, and no other
                    yield _ColumnLaw(1.5, layout, codes, replace(law, codes=()), w)


def _torn(d_model: int, layout: str, torn: list[float], law: Law) -> np.ndarray:
    """Return the frequency of each column by a law and a mistake that tears pairs apart."""
    first, second = columns_of(layout, d_model)
    of_first, of_second, first_later, second_later = torn
    if math.isinf(second_later):
        second_later = len(first)
    w = np.empty(d_model)
    with np.errstate(over="ignore"):
        w[first] = np.exp(law.shift - law.slope * of_first * (np.arange(len(first)) + first_later))
        w[second] = np.exp(law.shift - law.slope * of_second * (np.arange(len(second)) + second_later))
    return np.minimum(w, 1e300)


def _base_codes(log_base: float, base: float) -> tuple[str, ...]:
    """Name a base by its logarithm."""
    for code, log in log_bases(base).items():
        if abs(log - log_base) <= 1e-6 * max(1.0, abs(log)):
            return (code,) if code else ()
    return ("base",)
