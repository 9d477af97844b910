"""Guess the bases of rounded numbers, which leave open by a little which it is."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from pe_lib.diagnosis.frame import Guess, framed
from pe_lib.diagnosis.laws import base_line
from pe_lib.diagnosis.measure import Sight, View, evenly
from pe_lib.diagnosis.plain_numbers import plainest

ROUND = [digit * 10.0**power for power in range(1, 7) for digit in range(1, 10)]
BASES = np.sort(np.r_[ROUND, np.geomspace(2, 1e7, 800)])  # that rounded numbers may have
FINELY = 1.02  # times as large as one of them is the next, or less
EXACTLY = 1.001  # times the least, or less, is the greatest of those that are said to be one
COMPARED = 32  # rows, and columns, that tell a base


def bases_left_open(view: View) -> Iterator[Guess]:
    """Yield the encodings of other bases that give all rounded numbers: the plainest of them, with how far they go."""
    for sight in view.upright if view.grain.step else ():
        fitting = _giving(sight, BASES)
        if len(fitting) and not fitting[0] <= sight.base <= fitting[-1]:
            finer = np.geomspace(fitting[0] / FINELY, fitting[-1] * FINELY, len(BASES))
            least, most = _giving(sight, np.sort(np.r_[fitting, finer]))[[0, -1]].tolist()
            power = 10.0 ** math.ceil(math.log10(least))
            base = power if power <= most else plainest(least, most)
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
