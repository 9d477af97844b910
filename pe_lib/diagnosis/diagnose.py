"""Diagnose a matrix: measure it, find the plainest reading that gives its numbers again, and say what that means.

A cause is named only if the encoding computed from it agrees with the matrix. What is left over (a row, a column, a
few cells) is then looked at by itself.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.diagnosis.causes import CAUSES
from pe_lib.diagnosis.columns import read_columns
from pe_lib.diagnosis.findings import findings_of
from pe_lib.diagnosis.grain import Grain, grain_of
from pe_lib.diagnosis.hands import hands
from pe_lib.diagnosis.likeness import closeness, likeness
from pe_lib.diagnosis.pairs import ALL, ENOUGH, read_pairs
from pe_lib.diagnosis.reading import Reading
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
    trouble = unreadable(array)
    if trouble is not None:
        return Diagnosis(ok=False, findings=(trouble,), shape=array.shape)
    return diagnose_values(array.astype(np.float64), grain_of(array, array.astype(np.float64)), base)


def diagnose_values(values: np.ndarray, grain: Grain, base: float) -> Diagnosis:
    """Return the diagnosis of finite numbers, not all the same, whose grain is known."""
    exponent = int(np.frexp(abs(values).max())[1])
    unit = 2.0**exponent if abs(exponent) > 30 else 1.0  # numbers whose squares would be too large or too small
    values = values / unit
    whole = read_whole_numbers(values * unit, base)
    if whole is not None:
        return whole
    reading = _read(values, grain, base, ALL)
    if reading is None:
        alike = likeness(values, grain, base) if unit == 1.0 else None
        if alike is not None:
            return alike
        reading = (
            _read_pairs_freely(values, grain, base)
            or _read(values, grain, base, ENOUGH)
            or read_columns(values, grain, base, ALL, free=True)
        )
    found = None if reading is None else findings_of(reading, values, grain, base, unit)
    if found is not None:
        return found
    finding = closeness(values * unit, base) or _uneven(values, grain, base) or _no_encoding(values * unit)
    return Diagnosis(False, (finding,), shape=values.shape)


def _read(values: np.ndarray, grain: Grain, base: float, needed: float) -> Reading | None:
    """Return the plainest reading by known laws that explains so much of the matrix, None if there is none."""
    if values.shape[1] == 1:
        return read_one_column(values, grain, base)
    if len(values) > 1 and np.all(values == values[0]):
        return _read_same_rows(values, grain, base)
    found = hands(values, grain, needed)
    for hand in found:
        reading = read_pairs(hand, grain, base, needed)
        if reading is not None:
            return reading
    reading = read_columns(values, grain, base, needed)
    if reading is not None:
        return reading
    for hand in found:
        reading = read_rows(hand, grain, base, needed)
        if reading is not None:
            return reading
    return None


def _read_pairs_freely(values: np.ndarray, grain: Grain, base: float) -> Reading | None:
    """Return a reading in which the frequencies of pairs follow no law, None if there is none."""
    for hand in hands(values, grain, ALL):
        reading = read_pairs(hand, grain, base, ALL, free=True)
        if reading is not None:
            return reading
    return None


def _uneven(values: np.ndarray, grain: Grain, base: float) -> Finding | None:
    """Say which angles pairs have, where they lie on a circle but do not turn evenly."""
    found = [hand for hand in hands(values, grain, ALL) if not hand.transposed and not any(hand.offsets)]
    if not found or len(values) < 4 or not np.any(found[0].scale == 1.0 or abs(found[0].scale - 1) < 1e-3):
        return None
    angles, w = np.angle(found[0].z), frequencies(values.shape[1], base)
    pair = int(np.argmax(abs(np.diff(angles[:4], n=2, axis=0)).max(axis=0) > 1e-3))
    shown = ", ".join(f"{angle:.4g}" for angle in angles[:4, pair] + 0.0)
    right = ", ".join(f"{angle:.4g}" for angle in np.arange(4) * w[pair])
    return Finding("angles", CAUSES["angles"].format(pair=pair, shown=shown, right=right))


def _read_same_rows(values: np.ndarray, grain: Grain, base: float) -> Reading | None:
    """Return the reading of a matrix whose rows are all the same, if that row is the encoding of a position."""
    for hand in hands(values[:1], grain, ALL):
        reading = None if hand.transposed else read_pairs(hand, grain, base, ALL)
        if reading is not None:
            return reading.with_(positions=np.repeat(reading.positions, len(values)))
    return None


def unreadable(array: np.ndarray) -> Finding | None:
    """Return what makes it pointless to measure, if anything does."""
    if array.ndim != 2:
        cure = {
            0: "One number is not enough: give a table with a row for each position.",
            1: "One row is not enough to see frequencies: give the whole table, or matrix[np.newaxis] for a single row.",
            3: "Give the encoding of one sentence, for instance matrix[0], or matrix[:, 0] if positions come first.",
        }.get(array.ndim, "Give the table alone.")
        axes = "axis" if array.ndim == 1 else "axes"
        return Finding(
            "wrong-shape",
            f"It has {array.ndim} {axes} and shape {array.shape}, and an encoding has two, (L, d_model). {cure}",
        )  # noqa: E501
    if array.size == 0:
        return Finding("wrong-shape", f"It has shape {array.shape}: there is no number in it.")
    if array.dtype.kind == "f" and not np.all(np.isfinite(array)):
        row, column = (int(k) for k in np.argwhere(~np.isfinite(array))[0])
        count = int(np.count_nonzero(~np.isfinite(array)))
        which = "infinite" if np.isinf(array[row, column]) else "not a number"
        return Finding(
            "not-finite",
            f"{count} of its {array.size} numbers are not finite; the first, in row {row} and column {column}, is {which}. "
            "Look for a division by zero, a logarithm of 0, or a type too small for its numbers.",
            row=row, column=column,
        )  # fmt: skip
    if not array.any() and array.size > 1:  # a single 0 is sin 0
        return Finding(
            "not-an-encoding", "All its numbers are 0. Was a table made and never filled, or all of it masked?"
        )
    if np.ptp(array.astype(np.float64)) == 0 and array.size > 1:
        return Finding(
            "not-an-encoding", f"All its numbers are {float(array.flat[0]):g}: nothing in it depends on a position."
        )  # noqa: E501
    return None


def _no_encoding(values: np.ndarray) -> Finding:
    """Say what was measured where nothing fits, and invent no cause."""
    length, d_model = values.shape
    if (length < 3 or d_model < 4) and abs(values).max() <= 1 + 1e-6:
        return Finding(
            "too-small",
            f"{length} × {d_model} numbers are too few to say what they are. They may be sines and cosines of positions far "
            "from 0, or of other frequencies. Give more rows or columns, beginning with position 0.",
            kind="undecided",
        )
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(values, axis=1)
    lines = [
        "No sines and cosines were found that give these numbers.",
        f"They lie between {values.min():.4g} and {values.max():.4g}, and the encoding's lie between -1 and 1.",
        f"Their rows have norms from {norms.min():.4g} to {norms.max():.4g}"
        + ("." if d_model % 2 else f"; those of the encoding are all sqrt(d_model/2) = {math.sqrt(d_model / 2):.4g}."),
    ]
    if abs(values).max() <= 1 + 1e-6:
        lines[1] = f"They lie between {values.min():.4g} and {values.max():.4g}, as they should."
    if length < 3:
        lines.append("With fewer than three rows there is little to measure.")
    start = "Its first row would be 0 1 0 1 … for position 0."
    return Finding(
        "not-an-encoding",
        " ".join(
            [
                *lines,
                start,
                "Compare a row that you have worked out by hand, or, if this is a sum, ask diagnose_sum(x, y).",
            ]
        ),
    )
