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


def columns_recur(x: np.ndarray, unit: float) -> bool:
    """Say whether every column goes on as a sine of equal steps does, apart from rounding."""
    if len(x) < 3:
        return False
    left = recurrence(x)[1]
    allowed = 3 * unit + limits.EVEN * np.sqrt((x * x).mean(0))
    return bool((np.sqrt((left * left).mean(0)) <= allowed).all())


def laws_and_steps(x: np.ndarray, w: np.ndarray, q: np.ndarray, unit: float) -> Iterator[tuple[int, float]]:
    """Yield the laws that turn as a table does, by number, with step 1 or a plain one, forwards and backwards.

    Parameters
    ----------
    x : ndarray of shape (rows, columns)
        Some columns of a table, rows in a row, each number known to within `unit`.
    w, q : ndarray of shape (n, columns)
        The frequencies of n laws, and the functions in quarter turns. Of laws that make the same, the first is yielded.
    """
    turn, off = column_turns(x[: limits.LONGEST], unit)
    with np.errstate(all="ignore"):
        told = off < limits.TOLD_TURN * turn
        turn, off, speed = turn[told], off[told], np.abs(w[:, told])
        if not told.any():
            return
        slowest = np.argmin(np.where(speed > 0, speed, np.inf), axis=1)
        step = turn[slowest] / speed[np.arange(len(w)), slowest]
        plain = np.where(step > 1, np.round(step), 1 / np.round(1 / step))  # whole, or an equal part of 1
        plain = np.where(np.abs(plain / step - 1) < limits.PLAIN_STEP, plain, 1.0)
    steps, tried = np.stack([np.ones(len(w)), plain], axis=1), set[bytes]()
    folded = np.abs(wrap(steps[:, :, np.newaxis] * speed[:, np.newaxis]))  # (n, 2, columns)
    alike = (np.abs(folded - turn) <= 5 * off + limits.LIKE_TURN * turn).mean(2) >= limits.LIKE_TURNS
    for n, k in np.argwhere(alike):
        for one in (steps[n, k], -steps[n, k]):
            key = (w[n] * one).tobytes() + (q[n] % 4).tobytes()
            if key not in tried:
                tried.add(key)
                yield int(n), float(one)


def first_position(
    x: np.ndarray, w: np.ndarray, q: np.ndarray, step: float, storage: Storage, reach: tuple[int, int]
) -> float | None:
    """Return the position nearest to 0 from which a law, in steps, makes the table; None if none does."""
    unit, last = min(1.0, abs(step)), len(x) - 1  # in equal parts of 1, starts are as fine as the steps
    starts = unit * np.arange(*reach)
    for row in dict.fromkeys((0, last, last // 2)):
        for j in np.argsort(-np.abs(w))[:: 1 + len(w) // 16]:  # fast ones leave fewer starts
            angles = (starts + step * row) * w[j]
            near = 2 * storage.half_unit(x[row, j]) + storage.lost(angles, w[j])
            starts = starts[np.abs(x[row, j] - np.sin(angles + q[j] * np.pi / 2)) <= near]
            if not len(starts):
                return None
    start = float(starts[np.argmin(np.abs(starts))])
    others = 2 * abs(start) / unit * _chance(x[[0, last // 2, last]], w, start, storage)
    return start if others < limits.BY_CHANCE else None


def _chance(x: np.ndarray, w: np.ndarray, start: float, storage: Storage) -> float:
    """Return how likely another start, no further from 0, makes the same rows: columns of one speed count once."""
    allowed = 2 * storage.half_unit(x) + storage.lost(start * w, w)
    left = np.arcsin(np.clip(x + allowed, -1, 1)) - np.arcsin(np.clip(x - allowed, -1, 1))  # radians that stay open
    speeds = np.abs(w)
    share = np.minimum(1, left.min(0) / (2 * np.clip(abs(start) * speeds, 1e-9, np.pi)))
    return float(np.prod([share[speeds == speed].min() for speed in np.unique(speeds)]))
