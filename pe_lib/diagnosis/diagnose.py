"""Diagnose a matrix: measure it, find the plainest reading that gives its numbers again, and say what that means.

A cause is named only if the encoding computed from it agrees with the matrix. What is left over (a row, a column, a
few cells) is then looked at by itself.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.diagnosis.causes import CAUSES
from pe_lib.diagnosis.columns import read_columns
from pe_lib.diagnosis.findings import findings_of
from pe_lib.diagnosis.grain import Grain, grain_of
from pe_lib.diagnosis.hands import hands
from pe_lib.diagnosis.likeness import closeness, likeness
from pe_lib.diagnosis.pairs import ALL, COARSE, ENOUGH, FINE, read_pairs
from pe_lib.diagnosis.reading import Reading, wrap
from pe_lib.diagnosis.report import Diagnosis, Finding
from pe_lib.diagnosis.rows import read_one_column, read_rows
from pe_lib.diagnosis.whole_numbers import read_whole_numbers
from pe_lib.encoding import frequencies


def diagnose(matrix: ArrayLike, *, base: float = 10_000.0) -> Diagnosis:
    """Say whether a matrix is a sinusoidal positional encoding, and if not, what went wrong and how to mend it.

    Parameters
    ----------
    matrix : array_like of shape (L, d_model)
        The encoding, a row for each position.
    base : float
        The base it is meant to have.

    Returns
    -------
    Diagnosis
        With `.ok`, `.findings`, and `.base`, `.layout`, `.start` and `.scale` as recovered from the numbers. Printed,
        it is advice. Numbers that are no encoding at all, are not finite or have the wrong shape are findings too.

    Raises
    ------
    TypeError, ValueError
        If `matrix` is no array of real numbers, or `base` not a finite number above 0.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> from pe_lib import sinusoidal_encoding
    >>> diagnose(sinusoidal_encoding(50, 16))
    This is the sinusoidal encoding: 50 positions from 0, 16 columns, interleaved, base 10000.
    >>> diagnose(sinusoidal_encoding(50, 16, start=1, base=1000)).codes
    ('base', 'start')
    """
    array = _checks.real_array("matrix", matrix)
    base = _checks.positive_base(base)
    trouble = _unreadable(array)
    if trouble is not None:
        return Diagnosis(ok=False, findings=(trouble,), shape=array.shape)
    return diagnose_values(array.astype(np.float64), grain_of(array, array.astype(np.float64)), base)


def diagnose_values(values: np.ndarray, grain: Grain, base: float) -> Diagnosis:
    """Return the diagnosis of finite numbers, not all the same, whose grain is known."""
    exponent = min(int(np.frexp(abs(values).max())[1]), 1023)
    unit = 2.0**exponent if abs(exponent) > 30 else 1.0  # numbers whose squares would be too large or too small
    values = values / unit
    whole = read_whole_numbers(values * unit, base)
    if whole is not None:
        return whole
    if len(values) > 2 and np.all(values == np.rint(values)) and not np.all(values == values[0]):
        made = likeness(values, grain, base) if unit == 1.0 else None
        return made or Diagnosis(False, (_finding("not-an-encoding", "whole-numbers"),), shape=values.shape)
    for reading in _readings(values, grain, base, ALL):
        found = findings_of(reading, values, grain, base, unit)
        if found is not None:
            return found
    alike = likeness(values, grain, base) if unit == 1.0 else None
    if alike is not None:
        return alike
    for reading in _last_readings(values, grain, base):
        found = findings_of(reading, values, grain, base, unit)
        if found is not None:
            return found
    finding = closeness(values * unit, base) or _uneven(values, grain, base) or _no_encoding(values * unit)
    return Diagnosis(False, (finding,), shape=values.shape)


def _readings(values: np.ndarray, grain: Grain, base: float, needed: float) -> Iterator[Reading]:
    """Yield readings by known laws that explain so much of the matrix, the plainest first."""
    if values.shape[1] == 1:
        yield from _if_any(read_one_column(values, grain, base))
    elif len(values) > 1 and np.all(values == values[0]):
        yield from _if_any(_read_same_rows(values, grain, base))
    else:
        found = hands(values, grain, needed)
        for levels in (FINE, (*FINE, *COARSE)):  # coarse angles fit much, so they come after everything with fine ones
            for hand in found:
                yield from _if_any(read_pairs(hand, grain, base, needed, levels))
            yield from _if_any(read_columns(values, grain, base, needed, FINE if levels == FINE else COARSE))
        for hand in found:
            yield from _if_any(read_rows(hand, base, needed))


def _last_readings(values: np.ndarray, grain: Grain, base: float) -> Iterator[Reading]:
    """Yield readings in which frequencies follow no law, and some that leave numbers unexplained."""
    for hand in hands(values, grain, ALL):
        yield from _if_any(read_pairs(hand, grain, base, ALL, (*FINE, *COARSE), free=True))
    yield from _readings(values, grain, base, ENOUGH)
    yield from _if_any(read_columns(values, grain, base, ALL, ("float64",), free=True))


def _if_any(reading: Reading | None) -> Iterator[Reading]:
    if reading is not None:
        yield reading


def _uneven(values: np.ndarray, grain: Grain, base: float) -> Finding | None:
    """Say which angles pairs have, where they lie on a circle but do not turn as they should."""
    found = [hand for hand in hands(values, grain, ALL) if not hand.transposed and not any(hand.offsets)]
    if not found or min(values.shape) < 4 or abs(found[0].scale - 1) > 1e-3 or len(found[0].rows) < len(values):
        return None
    angles = np.angle(found[0].z)
    right = np.outer(np.arange(len(values)), frequencies(values.shape[1], base)[: angles.shape[1]])
    off = wrap(angles - right)
    if np.ptp(off) < 1e-6:
        return _finding("phase", "phase", phase=f"{off.mean():.6g}")
    row, pair = (int(k) for k in np.unravel_index(int((abs(off) > 1e-3).argmax()), off.shape))
    words = {"r": row, "pair": pair, "angle": f"{angles[row, pair]:.4g}", "right": f"{wrap(right)[row, pair]:.4g}"}
    return replace(_finding("angles", "angles", **words), row=row)


def _read_same_rows(values: np.ndarray, grain: Grain, base: float) -> Reading | None:
    """Return the reading of a matrix whose rows are all the same, if that row is the encoding of a position."""
    for hand in hands(values[:1], grain, ALL):
        reading = None if hand.transposed else read_pairs(hand, grain, base, ALL, FINE)
        if reading is not None:
            return reading.with_(positions=np.repeat(reading.positions, len(values)))
    return None


def _unreadable(array: np.ndarray) -> Finding | None:
    """Return what makes it pointless to measure, if anything does."""
    if array.ndim != 2:
        cause = {0: "one-number", 1: "one-axis", 3: "three-axes"}.get(array.ndim, "many-axes")
        return _finding("wrong-shape", cause, shape=array.shape, axes=array.ndim)
    if array.size == 0:
        return _finding("wrong-shape", "no-numbers", shape=array.shape)
    if not np.all(np.isfinite(array)):
        wrong = np.argwhere(~np.isfinite(array))
        row, column = (int(k) for k in wrong[0])
        which = "infinite" if np.isinf(array[row, column]) else "not a number"
        words = {"count": len(wrong), "size": array.size, "r": row, "c": column, "which": which}
        return replace(_finding("not-finite", "not-finite", **words), row=row, column=column)
    if array.size == 1:
        return None  # sin 0, perhaps
    if not array.any():
        return _finding("not-an-encoding", "all-zero")
    if np.all(array == array.flat[0]):
        return _finding("not-an-encoding", "all-the-same", number=f"{float(array.flat[0]):g}")
    return None


def _no_encoding(values: np.ndarray) -> Finding:
    """Say what was measured where nothing fits, and invent no cause."""
    length, d_model = values.shape
    inside = abs(values).max() <= 1 + 1e-6
    if inside and (length < 3 or d_model < 4):
        return replace(_finding("too-small", "few-numbers", length=length, d_model=d_model), kind="undecided")
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(values, axis=1)
    words = f" Its rows have norms from {norms.min():.4g} to {norms.max():.4g}"
    if d_model % 2 == 0:
        words += f"; those of the encoding are all sqrt(d_model/2) = {math.sqrt(d_model / 2):.4g}"
    return _finding(
        "not-an-encoding", "not-an-encoding", least=values.min(), greatest=values.max(),
        norms=f"{words}." if np.isfinite(norms.max()) else "",
        inside=", as they should." if inside else ", and should lie between -1 and 1.",
    )  # fmt: skip


def _finding(code: str, cause: str, **words: object) -> Finding:
    return Finding(code, CAUSES[cause].format(**words))
