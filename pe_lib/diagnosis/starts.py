"""Find the position at which clock hands of known frequencies stand at given angles."""

from itertools import pairwise

import numpy as np

from pe_lib._checks import LARGEST_POSITION
from pe_lib.diagnosis.grain import ANGLE_ERROR, BITS
from pe_lib.diagnosis.reading import wrap

NEAR = np.arange(-64.0, 257.0)  # positions that are tried one by one
TURNS = 20_000  # of the slowest hand, to either side: so far positions are looked for beyond
ENOUGH = 0.75  # of eight hands and more must agree


def first_positions(
    phase: np.ndarray, w: np.ndarray, level: str, far: bool, noise: np.ndarray, chances: float
) -> list[float]:
    """Return positions at which hands of frequencies `w` stand at these angles: near 0, or within many turns.

    Far away the slowest hand tells the position roughly, but for whole turns, and each faster hand makes it finer. Left
    out is a position if so many others up to it, or more, would agree by chance.
    """
    if not far:
        found = _agreed(NEAR, phase, w, level, noise)
        if level in ("float64", "float32"):
            return found
        return [q for q in found if _by_chance(q, w, level, noise) < chances]
    told = np.argsort(w)[np.count_nonzero(w < 1e-12) :]
    if not len(told):
        return []
    at = (phase[told[0]] + 2 * np.pi * np.arange(-TURNS, TURNS + 1)) / w[told[0]]
    for slower, i in pairwise(told):
        at = at + wrap(phase[i] - w[i] * at) / w[i]
        missed = abs(wrap(phase[slower] - w[slower] * at))
        off = missed > 6 * noise[slower] + abs(at) * w[i] * ANGLE_ERROR[level]
        at = at[np.lexsort((abs(at), off))[: max(200, min(200_000 // len(w), np.count_nonzero(~off)))]]
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
            if len(w) == 1:  # one hand alone stands nearly right at many positions
                good, off = exact, off[off <= 0.6]
            nearest = [some[np.argsort(abs(tried[some]), kind="stable")[:4]] for some in (exact, good)]
            closest = good[np.argsort(off, kind="stable")[: 4 if len(w) > 1 else 64]]
            return list(dict.fromkeys((tried[np.concatenate([*nearest, closest])] + 0.0).tolist()))
    return []
