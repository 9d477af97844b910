"""Positions that begin anywhere: what single columns say of frequencies, step and first position. No pairs are needed.

How fast a column turns per row follows from three neighbouring rows, wherever they are: x[p + 1] + x[p - 1] is
2 cos(w · step) · x[p]. That leaves few laws of frequencies, each with its step. Then every whole first position is
tried on one number after the other, and hardly one is left after three.
"""

from collections.abc import Iterator

import numpy as np

from pe_diagnosis import limits
from pe_diagnosis.measure import recurrence, wrap
from pe_diagnosis.rounding import Storage


def column_turns(x: np.ndarray, unit: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return |turn per row| of single columns, nan where they don't say, and how far it may be off.

    x[p + m] + x[p - m] = 2 cos(m w) x[p] for m = 1, 2, 4, …: the turn comes from m = 1, and ever more exactly from rows
    further apart. Every number is known to within `unit`, and one that is nan says nothing.

    >>> turn, off = column_turns(np.sin(np.outer(np.arange(7, 30), [1, 0.5, 0.01])))
    >>> turn.round(6)
    array([1.  , 0.5 , 0.01])
    """
    turn = off = np.full(x.shape[1], np.nan)
    lag = 1
    while lag * 3 <= len(x):
        middle, sides = x[lag:-lag], x[2 * lag :] + x[: -2 * lag]
        known = np.isfinite(middle + sides)
        middle, sides = np.where(known, middle, 0), np.where(known, sides, 0)
        with np.errstate(all="ignore"):
            size = (middle**2).sum(0)
            c = (middle * sides).sum(0) / (2 * size)
            folded = np.arccos(np.where(np.abs(c) <= 1, c, np.nan))
            error = (unit / np.sqrt(size) / np.abs(np.sin(folded)) + 1e-15) / lag
            finer, measured = np.isfinite(folded), folded
            if lag > 1:
                finer, measured = (off * lag < 0.5) & (error < off), _unfolded(folded, turn * lag) / lag
        turn = np.where(finer, measured, turn)
        off = np.where(finer, error, off)
        lag *= 2
    return turn, off


def _unfolded(folded: np.ndarray, coarse: np.ndarray) -> np.ndarray:
    """Return the angle with the same cosine that is nearest to a coarse one."""
    around = 2 * np.pi
    up, down = (sign * folded + around * np.round((coarse - sign * folded) / around) for sign in (1, -1))
    return np.asarray(np.where(np.abs(up - coarse) <= np.abs(down - coarse), up, down))


def turns_evenly(x: np.ndarray, unit: float) -> bool:
    """Say whether every column goes on as a sine of equal steps does, apart from rounding."""
    if len(x) < 3:
        return False
    left = recurrence(x)[1]
    allowed = 3 * unit + limits.EVEN * np.sqrt((x * x).mean(0))
    return bool((np.sqrt((left * left).mean(0)) <= allowed).all())


def laws_and_starts(
    x: np.ndarray, w: np.ndarray, q: np.ndarray, storage: Storage, reach: tuple[int, int]
) -> Iterator[tuple[int, float, float]]:
    """Yield the number of each law that makes most of a table, with step and first position.

    Parameters
    ----------
    x : ndarray of shape (rows, columns)
        Some columns of a table, rows in a row.
    w, q : ndarray of shape (n, columns)
        The frequencies of n laws, cheap ones first, and the functions in quarter turns.
    reach : tuple of two int
        Between which first positions lie.
    """
    turn, off = column_turns(x[: limits.LONGEST], storage.unit)
    with np.errstate(invalid="ignore"):
        told = np.isfinite(turn) & (off < limits.TOLD_TURN * turn)
    tried: set[bytes] = set()
    for n, step in _laws_and_steps(turn, off, told, w):
        key = (w[n] * step).tobytes() + (q[n] % 4).tobytes()
        if key in tried:
            continue
        tried.add(key)
        if len(tried) > limits.MOST_LAWS:
            return
        for signed in (step, -step):
            start = _start(x, w[n], q[n], signed, storage, reach)
            if start is not None:
                yield n, signed, start
                break


def _laws_and_steps(turn: np.ndarray, off: np.ndarray, told: np.ndarray, w: np.ndarray) -> Iterator[tuple[int, float]]:
    """Yield the laws whose columns turn as measured, with step 1 or with a plain one."""
    turn, off, w = turn[told], off[told], np.abs(w[:, told])
    if not told.any():
        return
    slowest = np.argmin(np.where(w > 0, w, np.inf), axis=1)
    with np.errstate(all="ignore"):
        step = turn[slowest] / w[np.arange(len(w)), slowest]
        plain = np.where(step > 0.75, np.round(step), 1 / np.round(1 / step))  # whole, or an equal part of 1
        plain = np.where((np.abs(plain / step - 1) < 0.02) & (step > 1e-4) & (step < 1e4), plain, 1.0)
    steps = np.stack([np.ones(len(w)), plain])
    angles = steps[:, :, np.newaxis] * w  # (2, n, columns)
    folded = np.abs(wrap(angles))
    alike = (np.abs(folded - turn) <= 5 * off + 0.01 * turn + 1e-4).mean(2) >= limits.LIKE_TURNS
    for n, k in np.argwhere(alike.T):
        if k == 0 or steps[1, n] != 1:
            yield int(n), float(steps[k, n])


def _start(
    x: np.ndarray, w: np.ndarray, q: np.ndarray, step: float, storage: Storage, reach: tuple[int, int]
) -> float | None:
    """Return the first position nearest to 0 from which a law makes the table; None if there's none."""
    unit, last = min(1.0, abs(step)), len(x) - 1  # in equal parts of 1, starts are as fine as the steps
    # A number of row 0 leaves two angles in each turn, as wide as rounding makes them. `most` is how many starts they
    # hold, in each column, and `best` the column in which they are fewest.
    allowed = 2 * storage.half_unit(x[0]) + storage.floor
    left = _left_open(x[0], allowed)
    speed = np.abs(w) * unit
    most = np.maximum(1, speed * reach[1]) * np.where(speed > 0, 1 + left / np.maximum(speed, 1e-300), np.inf)
    best = int(np.argmin(most))
    if not most[best] < limits.MOST_STARTS:
        return None
    starts = unit * _whole_starts(x[0, best], w[best] * unit, q[best], allowed[best], storage, reach)
    for row in dict.fromkeys((0, last, last // 2)):
        for j in np.argsort(-speed)[:: 1 + len(w) // 16]:
            angles = (starts + step * row) * w[j]
            near = 2 * storage.half_unit(x[row, j]) + np.minimum(storage.lost(angles, w[j]), limits.MOST_LOST)
            starts = starts[np.abs(x[row, j] - np.sin(angles + q[j] * np.pi / 2)) <= near]
            if not len(starts):
                return None
    start = float(starts[np.argmin(np.abs(starts))])
    others = 2 * abs(start) / unit * _chance(x[[0, last // 2, last]], w, start, storage)
    return start if others < limits.BY_CHANCE else None


def _left_open(x: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Return how many radians sines leave open that are known to within what is allowed."""
    return np.asarray(np.arcsin(np.clip(x + allowed, -1, 1)) - np.arcsin(np.clip(x - allowed, -1, 1)))


def _chance(x: np.ndarray, w: np.ndarray, start: float, storage: Storage) -> float:
    """Return how likely another start, no further from 0, makes the same rows: each speed tells its own angle."""
    allowed = 2 * storage.half_unit(x) + np.minimum(storage.lost(start * w, w), limits.MOST_LOST)
    left = _left_open(x, allowed).min(0)
    left = left / (2 * np.clip(np.abs(start * w), 1e-9, np.pi))
    shares: dict[float, float] = {}
    for speed, share in zip(np.abs(w).tolist(), left.tolist(), strict=True):
        shares[speed] = min(shares.get(speed, 1.0), share)
    return float(np.prod([*shares.values()]))


def _whole_starts(m: float, w: float, q: float, allowed: float, storage: Storage, reach: tuple[int, int]) -> np.ndarray:
    """Return the whole numbers p between two for which sin(w · p + q · π/2) is m, to within what is allowed.

    >>> _whole_starts(np.sin(0.2 * 47), 0.2, 0, 1e-9, Storage(np.sin(np.arange(9.0)[:, None])), (0, 60))
    array([47])
    """
    # Of each turn in reach, the angles with this sine and around them; then the whole numbers among all of them.
    low, high = np.arcsin(np.clip([m - allowed, m + allowed], -1, 1))
    found, ends = [], np.sort(np.multiply(w, reach))
    for middle in ((low + high) / 2, np.pi - (low + high) / 2):
        least, most = np.floor((ends - middle) / (2 * np.pi))
        p = (middle - q * np.pi / 2 + 2 * np.pi * np.arange(least - 1, most + 3)) / w
        left = (high - low) / 2 + np.minimum(storage.lost(w * p, np.asarray(w)), limits.MOST_LOST)
        off = np.minimum(left, np.pi) / abs(w)
        first = np.maximum(np.ceil(p - off), reach[0]).astype(int)
        many = np.maximum(np.minimum(np.floor(p + off), reach[1]).astype(int) - first + 1, 0)
        # for every n, first[n], first[n] + 1, …, so many
        found.append(np.repeat(first - np.cumsum(many) + many, many) + np.arange(many.sum()))
    return np.unique(np.concatenate(found))
