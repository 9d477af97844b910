"""Tell noise and dropout, which fall by chance, from what has a pattern."""

import math

import numpy as np

MANY_ROWS = 512
LEAST_TOLD = 12  # numbers, or more, show by which chance others were left out
BY_CHANCE = 3.5  # times its spread, at most, is what chance makes alike
LONGEST_TAIL, FEWEST = 6, 3  # times the spread, numbers that are off
MOST_NOISE = 0.12  # of the size of the numbers: beyond, they are not near anything
SMALL = 40  # numbers: so few show no pattern, and all of them are to be given
BETWEEN = 0.5  # of the numbers, which may all have been rounded otherwise


def like_noise(values: np.ndarray) -> bool:
    """Say whether neighbouring rows and columns have nothing in common, by the first of many rows."""
    values = values[:MANY_ROWS]
    centred = (values - values.mean()) / max(float(values.std()), 1e-300)
    neighbours = (centred[1:], centred[:-1]), (centred[:, 1:], centred[:, :-1])
    return all(
        abs(np.einsum("ij,ij", *both)) < 4 / math.sqrt(values.size) * max(both[0].size, 1) for both in neighbours
    )


def leaves_noise(values: np.ndarray, rebuilt: np.ndarray, before: np.ndarray) -> bool:
    """Say whether numbers are off by noise from what a recipe makes, or from what it makes before that is stored."""
    return like_noise(values - rebuilt) or (before is not rebuilt and like_noise(values - before))


def has_short_tails(off: np.ndarray, size: float) -> bool:
    """Say whether numbers are off by little here and there, and not by much in single places."""
    spread = math.sqrt(np.mean(off**2))
    few = np.count_nonzero(off) < FEWEST or off.size <= SMALL
    return not few and spread < MOST_NOISE * size and float(off.max()) <= LONGEST_TAIL * spread


def dropout(scale: float, zeros: np.ndarray, made: np.ndarray) -> float | None:
    """Return the p of a dropout that leaves numbers out of what was made, and scales the others; None if none does.

    Where they fell by chance, a zero says nothing of its neighbours, nor of the number that stood there.
    """
    told, p = made != 0, 1 - 1 / scale
    share = float(np.mean(zeros[told])) if told.any() else 0.0
    if told.sum() < LEAST_TOLD * (1 + 2 * (p == 0)) or zeros.sum() < FEWEST or (p == 0 and share > BETWEEN):
        return None  # without a scale, only the zeros tell
    if abs(share - p) > 4 * math.sqrt(p * (1 - p) / told.sum()) + 0.25 * p and scale != 1:
        return None
    around, number, size = (np.where(told, x - x[told].mean(), 0.0) for x in (zeros, made, abs(made)))
    sides = (around[1:], around[:-1]), (around[:, 1:], around[:, :-1]), (around, number), (around, size)
    alike = max(abs((x * y).sum()) / max(np.linalg.norm(x) * np.linalg.norm(y), 1e-9) for x, y in sides)
    return p or share if alike <= BY_CHANCE / math.sqrt(told.sum()) else None
