"""Measure the frequencies in a matrix: of pairs, as clock hands that turn from row to row, or column by column.

The pair (cosine, sine) is a point on a circle. Norms show which columns belong together and the scale; how far hands
turn from a row to the next shows their frequencies, and where they stand in row 0 the first position.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from pe_lib._checks import LARGEST_POSITION
from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.plain_numbers import plainest
from pe_lib.diagnosis.recipe import Recipe

PAIRS = 48  # are enough to know the line by that gives their frequencies
COLUMNS = 24  # are enough to know a matrix by
SOME = 64  # rows or hands that are enough to measure by
MOVING = 0.1  # of the radius: hands that move less tell nothing
ROUNDED = 1e-4  # or coarser: slow sines come out as 0
FLAT = 0.01  # of the greatest number: rows that differ by less are nearly the same
COARSEST = 0.05  # half of a step, or less, shows which columns were filled
CLEAN = 3e-6  # how far the points of a pair may lie off their circle, in float32 and finer
NEAR = np.arange(-256.0, 257.0)  # first positions that are tried one by one
FAR = 1000.0  # beyond, a first position that rounded numbers tell may be one of many
TURNS = 20_000  # of the slowest hand, to either side: so far positions are looked for


def evenly(count: int, most: int) -> np.ndarray:
    """Return whole numbers from 0 to below a count, so many at most, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(int))


@dataclass(frozen=True, eq=False)
class Sight:
    """One way to look at a matrix: turned or not, its columns put back in the order sin, cos, sin, cos, …."""

    turned: bool  # positions lie along the second axis of the matrix as given
    layout: str  # how columns stood
    target: np.ndarray  # (L, d_model), what lies in the rows of positions, less the offset, divided by the scale
    base: float  # the one that it is meant to have
    scale: float = 1.0
    offset: float = 0.0
    noise: float = 4e-15  # how far a number of the target may be from what was meant
    cut: bool = False  # the numbers had been cut off, not rounded
    half: float = 0.0  # of the step between two neighbours, to which the numbers given were rounded

    @property
    def recipe(self) -> Recipe:
        """The encoding of this shape."""
        return Recipe(len(self.target), self.target.shape[1], self.base)

    @cached_property
    def rows(self) -> np.ndarray:
        """Rows that hold more than one and the same number; all if none does."""
        found = np.flatnonzero(np.ptp(self.target, axis=1))
        return found if len(found) else np.arange(len(self.target))

    @cached_property
    def filled(self) -> np.ndarray:
        """Columns that hold something else than zeros, or slow sines that may have been rounded to it; else all."""
        found, columns = np.flatnonzero(self.target.any(axis=0)), np.arange(self.target.shape[1])
        coarse = self.noise >= ROUNDED
        if len(self.target) == 1 or not len(found) or (coarse and not 0 < self.half <= COARSEST):
            return columns
        return np.union1d(found, columns[::2]) if coarse else found

    @cached_property
    def some(self) -> tuple[np.ndarray, np.ndarray]:
        """Some rows that hold more than one number, and some columns that were filled."""
        rows, filled = self.rows, self.filled
        few = np.unique(np.r_[: min(len(filled), 8), evenly(len(filled), COLUMNS - 8)])
        return rows[np.unique(np.r_[: min(len(rows), 5), evenly(len(rows), 4)])], filled[few]

    @cached_property
    def hands(self) -> np.ndarray:
        """Pairs that were filled in, or all if none was."""
        found = np.intersect1d(self.filled[self.filled % 2 == 0] // 2, self.filled[self.filled % 2 == 1] // 2)
        return found if len(found) else np.arange(self.target.shape[1] // 2)

    @cached_property
    def turns(self) -> tuple[np.ndarray, np.ndarray]:
        """How far some hands turn from a row to the next, and how uncertain that is: infinitely of the others."""
        count, pairs = self.target.shape[1] // 2, self.hands[evenly(len(self.hands), PAIRS)]
        delta, uncertain = np.zeros(count), np.full(count, np.inf)
        delta[pairs], uncertain[pairs] = turns(self, pairs)
        return delta, uncertain

    @property
    def moves(self) -> bool:
        """Whether any hand turns so far that rows differ by more than what a few digits leave."""
        delta, uncertain = self.turns
        return bool(abs(delta[np.isfinite(uncertain)]).max(initial=0.0) * len(self.target) > MOVING)

    @cached_property
    def even(self) -> bool:
        """Whether all hands that were measured turn evenly from row to row: so they do where rows stand in order."""
        delta, uncertain = self.turns
        told = np.flatnonzero(np.isfinite(uncertain))
        if len(told) < len(self.hands[evenly(len(self.hands), PAIRS)]) / 2:
            return False
        few, beside = told[evenly(len(told), 8)], np.diff(self.rows) == 1
        z = self.points(self.rows, few)
        room = 16 * self.noise + 0.01 * abs(delta[few]).max()  # a row elsewhere is off by as much as hands turn
        return bool(np.all(abs(z[1:] - z[:-1] * np.exp(1j * delta[few]))[beside] <= room))

    @property
    def alike(self) -> bool:
        """Whether the points of all pairs lie about as far off their circles."""
        off = np.median(abs(abs(self.points(self.rows[:SOME], self.hands)) - 1), axis=0)
        return bool(np.ptp(off) < 0.7 * off.max())

    def points(self, rows: np.ndarray, pairs: np.ndarray) -> np.ndarray:
        """Return some pairs of some rows as points, cosine + i·sine, shape (rows, pairs)."""
        found: np.ndarray = self.target[np.ix_(rows, 2 * pairs + 1)] + 1j * self.target[np.ix_(rows, 2 * pairs)]
        return found


def order_of(layout: str, d_model: int) -> np.ndarray:
    """Return which columns of the matrix hold sin, cos, sin, cos, …: of halves and five columns, 0 3 1 4 2."""
    j, half = np.arange(d_model), (d_model + 1) // 2
    if layout == "cosines-first":
        return np.where(j % 2 == 1, j // 2, half + j // 2)
    if layout == "swapped":
        return j ^ 1
    return j if layout == "interleaved" else np.where(j % 2 == 0, j // 2, half + j // 2)


@dataclass(frozen=True, eq=False)
class View:
    """A matrix to look at: its numbers, how finely they are written, and the base it is meant to have."""

    values: np.ndarray
    grain: Grain
    base: float

    @cached_property
    def whole(self) -> bool:
        """Whether all its numbers are whole."""
        return all(bool(np.all(some == np.rint(some))) for some in (self.values[:COLUMNS], self.values))

    @cached_property
    def still(self) -> bool:
        """Whether all its rows are the same, as nearly as numbers are written."""
        even = self.grain.step or self.grain.floor  # else small numbers have as many digits as large ones
        times = 1 if self.grain.even else 4  # the noise: what was rounded is the same, or a step apart
        for some in (self.values[:SOME], self.values):
            size = 1.0 if even else abs(some).max(axis=0)
            if len(some) < 2 or np.any(np.ptp(some, axis=0) > times * self.grain.noise * size + 1e-15):
                return False
        return True

    @cached_property
    def upright(self) -> list[Sight]:
        """The ways to look at it as it stands."""
        return self._ways(turned=False)

    @cached_property
    def turned(self) -> list[Sight]:
        """The ways to look at it turned; none where all rows are nearly the same, as no positions are."""
        flat = len(self.values) > 1 and np.ptp(self.values, axis=0).max() < FLAT * abs(self.values).max()
        return [] if flat else self._ways(turned=True)

    def _ways(self, turned: bool) -> list[Sight]:
        values = self.grain.middle(self.values)
        cut, half = self.grain.cut != "", self.grain.step / 2 if self.grain.even else 0.0
        target = values.T if turned else values
        found = [Sight(turned, "interleaved", target, self.base, noise=self.grain.noise, cut=cut, half=half)]
        if (d_model := target.shape[1]) > 2:
            order = order_of("halves", d_model)
            ordered = values[order].T if turned else np.take(values, order, 1)  # take is slow where columns are rows
            found.append(replace(found[0], layout="halves", target=ordered))
        return found

    def sights(self) -> Iterator[Sight]:
        """Yield the ways to look at it, those that turn it only if asked for."""
        yield from self.upright
        yield from self.turned

    @cached_property
    def circles(self) -> list[Sight]:
        """The sights in which pairs lie on one circle, the most exact first, with its radius and its centre."""
        if self.still:
            return []
        found = [circle for sight in self.upright for circle in _circles(sight)]
        if not any(self.is_clean(sight) for *_, sight in found):
            found += [circle for sight in self.turned for circle in _circles(sight)]
        return [sight for *_, sight in sorted(found, key=lambda one: one[:2])]

    def is_clean(self, circle: Sight) -> bool:
        """Say whether pairs lie on a circle as nearly as the numbers are written."""
        return circle.noise <= 30 * self.grain.noise / abs(circle.scale) + CLEAN

    @property
    def clean(self) -> list[Sight]:
        """Those of the circles on which pairs lie so."""
        return [one for one in self.circles if self.is_clean(one)]

    @property
    def noisy(self) -> list[Sight]:
        """The others."""
        return [one for one in self.circles if not self.is_clean(one)]


def _circles(sight: Sight) -> Iterator[tuple[int, bool, Sight]]:
    """Yield circles on which the pairs of a sight lie: how exactly, whether some are broken, and the sight from it."""
    rows, noise = sight.rows, sight.noise
    if sight.target.shape[1] < 2:
        return
    z = sight.points(rows[evenly(len(rows), SOME)], sight.hands[evenly(len(sight.hands), SOME)])
    for centre in (0.0, _centre(z)):
        if centre is None:
            continue
        scale = float(np.median(abs(z - centre * (1 + 1j))))
        if not 1e-12 < scale < 1e12:
            continue
        off = abs(abs(z - centre * (1 + 1j)) / scale - 1)
        moving = abs(z - z[0]).max(axis=0) > MOVING * scale  # the others are exact in every type
        off = off[:, moving] if moving.any() else off
        spread = float(np.median(off))
        if spread > 0.12 or np.mean(off <= 8 * spread + 6 * noise / scale + 1e-12) < 0.6:
            continue
        scale = 1.0 if abs(scale - 1) <= 1e-15 else scale
        target = sight.target if (scale, centre) == (1.0, 0.0) else (sight.target - centre) / scale
        near = replace(sight, target=target, scale=scale, offset=centre, noise=max(noise / scale, 1.5 * spread))
        broken = float(np.mean(off > 8 * near.noise)) > 0.02
        yield round(np.log2(near.noise)) + 3 * bool(centre), broken, near
        if spread <= 4 * noise / scale:
            break


def _centre(z: np.ndarray) -> float | None:
    """Return the offset of all numbers, from the circle of the pair that turns most; None if it cannot be told."""
    if len(z) < 4:
        return None
    best = z[:, np.argmax(np.abs(np.diff(z, axis=0)).sum(axis=0))]
    equations = np.column_stack([best.real + best.imag, np.ones(len(best))])
    both = np.column_stack([best.real, best.imag, np.ones(len(best))])
    (a, b, _), _, rank, _ = np.linalg.lstsq(both, abs(best) ** 2, rcond=None)
    if rank < 3 or abs(a - b) > 0.2 * (abs(a) + abs(b)):
        return None
    (a, _), *_ = np.linalg.lstsq(equations, abs(best) ** 2, rcond=None)
    return round(float(a) / 2, 12) or None


def turns(sight: Sight, hands: np.ndarray, most: int = 1 << 30) -> tuple[np.ndarray, np.ndarray]:
    """Measure how far hands turn from a row to the next: the angle in radians, and how uncertain it is.

    First from row to row, then over two, four, eight … rows, as one reads a vernier: each step makes it finer.
    """
    rows, length = sight.rows, len(sight.target)
    delta, uncertain = np.zeros(len(hands)), np.full(len(hands), np.inf)
    going, lag = np.ones(len(hands), bool), 1
    present = np.zeros(length + 1, bool)
    present[rows] = True
    while len(rows) and lag <= min(most, rows[-1] - rows[0]) and going.any():
        here = rows[present[np.minimum(rows + lag, length)]][: SOME if lag == 1 else SOME // 2]
        if len(here):
            turned = sight.points(here + lag, hands) * sight.points(here, hands).conj()
            middle = _middle(turned)
            error = wrap(np.angle(middle) - lag * delta)
            going &= abs(middle) > MOVING**2  # near the centre no angle can be told
            if lag > 1:
                going &= abs(error) <= np.minimum(1.0, 6 * lag * uncertain + 0.02)
            delta = np.where(going, delta + error / lag, delta)
            uncertain = np.where(going, (2 * sight.noise + 4e-16) / lag, uncertain)
        lag *= 2
    return delta, uncertain


def phases(sight: Sight, pairs: np.ndarray, w: np.ndarray, few: int = SOME) -> np.ndarray:
    """Return where hands of these frequencies stand at row 0, from some rows."""
    rows = sight.rows[:few]
    back = sight.points(rows, pairs) * np.exp(-1j * np.outer(rows, w))
    found: np.ndarray = np.angle(_middle(back))
    return found


def _middle(points: np.ndarray) -> np.ndarray:
    """Return the median of points, shape (rows, pairs), in each coordinate by itself."""
    parts = np.sort(points.view(np.float64), axis=0)
    found: np.ndarray = ((parts[len(parts) // 2] + parts[(len(parts) - 1) // 2]) / 2).view(np.complex128)
    return found


def near_positions(phase: np.ndarray, w: np.ndarray, noise: float, relative: float) -> list[float]:
    """Return positions near 0 at which hands of frequencies `w` stand at these angles."""
    return _agreed(NEAR, phase, w, noise, relative)


def far_positions(phase: np.ndarray, w: np.ndarray, noise: float, relative: float) -> Iterator[float]:
    """Yield positions at which hands of frequencies `w` stand at these angles, within many turns.

    Far away the slowest hand tells the position roughly, but for whole turns, and each faster hand makes it finer. Left
    out is a far position if another one up to it would agree as well by chance.
    """
    told = np.argsort(w)[np.count_nonzero(w < 1e-12) :]
    if not len(told) or noise > 0.01:
        return
    room = max(6 * noise, 1e-9)
    at = (phase[told[0]] + 2 * np.pi * np.arange(-TURNS, TURNS + 1)) / w[told[0]]
    for slower, i in pairwise(told):
        at = at + wrap(phase[i] - w[i] * at) / w[i]
        off = abs(wrap(phase[slower] - w[slower] * at)) > room + abs(at) * w[i] * relative
        many = max(200, min(1000, int(np.count_nonzero(~off))))
        at = at[np.argpartition(abs(at) + 1e12 * off, many)[:many]] if many < len(at) else at
    at = at[abs(at) < LARGEST_POSITION]
    between = _agreed(at[abs(at) < FAR], phase, w, noise, relative)[:1]
    between = [plainest(p - 2 * noise, p + 2 * noise) for p in between]
    found = _agreed(np.rint(at), phase, w, noise, relative)
    found = found if found and (not between or abs(found[0]) < FAR) else between + found
    found = found or _agreed(at, phase, w, noise, relative)
    for position in found:
        size = 6 * noise + abs(position) * w * relative
        by_chance = (2 * abs(position) + 1) * np.prod(np.minimum(size / np.pi, 1.0))
        if by_chance < 1e-3 or (len(w) > 3 and by_chance < 1):
            yield position


def _agreed(tried: np.ndarray, phase: np.ndarray, w: np.ndarray, noise: float, relative: float) -> list[float]:
    """Return a few positions on which hands agree, the nearest to 0 first; of eight hands, a few may be broken."""
    missed = abs(wrap(phase - np.multiply.outer(tried, w)))
    room = 6 * noise + np.multiply.outer(abs(tried), w) * relative + relative
    share = np.mean(missed <= room, axis=1)
    good = np.flatnonzero(share >= (0.7 if len(w) >= 8 else 1.0))
    good = good[np.argsort(abs(tried[good]) - 1e9 * (share[good] > 0.999), kind="stable")]
    return list(dict.fromkeys((tried[good[:4]] + 0.0).tolist()))


def column_frequencies(
    target: np.ndarray, cosine: np.ndarray | bool, start: float, noise: float
) -> tuple[np.ndarray, np.ndarray]:
    """Measure the frequency of each column alone, a sine or a cosine of positions from `start`, and its uncertainty.

    From positions 1, 2, 4, …, each making finer what the ones before told; of two angles with the same sine, the one
    that the next rows agree with.
    """
    positions = start + np.arange(len(target))
    order = np.argsort(abs(positions), kind="stable")
    order = order[positions[order] != 0]
    p, size = positions[order[0]], _angle(target[order[0]], cosine)
    tries = [turn / p for turn in (size, np.pi - size, -size, 2 * np.pi - size, np.pi + size)]
    if len(target) > 2:  # sin(a + w) + sin(a - w) is 2 cos(w) sin(a)
        y = target[:SOME]
        squares = np.maximum((y[1:-1] ** 2).sum(axis=0), 1e-300)
        tries.append(np.arccos(np.clip(((y[2:] + y[:-2]) * y[1:-1]).sum(axis=0) / squares / 2, -1, 1)))
    best = np.zeros(target.shape[1])
    least = np.full(target.shape[1], np.inf)
    few = order[:8]
    for w in tries:
        angles = positions[few, np.newaxis] * w
        made = np.where(cosine, np.cos(angles), np.sin(angles))
        off = np.sort(abs(made - target[few]), axis=0)[len(few) // 2] + 1e-15 * abs(w) + np.where(w < -1e-12, 10.0, 0.0)
        better = off < least - 1e-14
        best, least = np.where(better, w, best), np.where(better, off, least)
    uncertain, lag = np.full(len(best), np.inf), 0
    while lag < len(order):
        p, turn = positions[order[lag]], _angle(target[order[lag]], cosine)
        angle = best * p
        off = wrap(np.stack([turn, np.where(cosine, 0.0, np.pi) - turn]) - angle)
        nearest = np.where(abs(off[0]) <= abs(off[1]), *off)
        slope = abs(np.where(cosine, np.sin(angle), np.cos(angle)))
        error = 2 * noise / np.maximum(slope, np.sqrt(2 * noise)) / abs(p)
        use = (error < uncertain) & (abs(nearest) < 0.8) & (slope > 0.2) | (error < 0.1 * uncertain)
        use &= abs(nearest / p) <= 8 * uncertain + 1e-3
        best, uncertain = np.where(use, best + nearest / p, best), np.where(use, error, uncertain)
        lag += 1 + lag // 3
    return best, uncertain


def _angle(values: np.ndarray, cosine: np.ndarray | bool) -> np.ndarray:
    """Return an angle with these sines or cosines."""
    kept = np.clip(values, -1, 1)
    found: np.ndarray = np.where(cosine, np.arccos(kept), np.arcsin(kept))
    return found


def narrowed(values: np.ndarray, slopes: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
    """Return between which two factors, for each column, slopes give values that were rounded to steps of 2 half."""
    with np.errstate(all="ignore"):
        ends = (values - half) / slopes, (values + half) / slopes
    return np.minimum(*ends).max(axis=0), np.maximum(*ends).min(axis=0)


def wrap(angle: np.ndarray) -> np.ndarray:
    """Return the angle between -pi and pi that points the same way."""
    found: np.ndarray = angle - 2 * np.pi * np.rint(angle / (2 * np.pi))
    return found
