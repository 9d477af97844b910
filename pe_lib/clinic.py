"""Encodings that are not the paper's: mistakes and variants, each as it was met, and one that is broken on purpose.

Right is what Vaswani et al. (2017), "Attention Is All You Need", section 3.5, write: columns 2i and 2i+1 hold sine and
cosine of pos · w_i with w_i = 10000 ** (-2i / d_model). Notebook 12 says where cases were met.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.encoding import BASE

# How the frequency of column j of d_model comes about; j // 2 is its pair. The first is right.
RULES: dict[str, Callable[[np.ndarray, int, float], np.ndarray]] = {
    "as in the paper": lambda j, d, base: base ** (-2 * (j // 2) / d),
    "column for pair": lambda j, d, base: base ** (-2 * j / d),
    "each column its own": lambda j, d, base: base ** (-j / d),
    "2i doubled": lambda j, d, base: base ** (-4 * (j // 2) / d),
    "2 forgotten": lambda j, d, base: base ** (-(j // 2) / d),
    "2i doubled for cosines": lambda j, d, base: base ** (-2 * (1 + j % 2) * (j // 2) / d),
    "pairs from 1": lambda j, d, base: base ** (-2 * (j // 2 + 1) / d),
    "down to 1/base": lambda j, d, base: base ** (-(j // 2) / max((d + 1) // 2 - 1, 1)),
    "integer division": lambda j, d, base: base ** (-(2 * (j // 2) // d).astype(float)),
    "floor of a quotient": lambda j, d, base: np.exp(2 * (j // 2) * (-np.log(base) / d // 2)),
    "upside down": lambda j, d, base: base ** (2 * (j // 2) / d),
    "degrees": lambda j, d, base: np.radians(base ** (-2 * (j // 2) / d)),
    "log10 as the exponent of e": lambda j, d, base: np.exp(-2 * (j // 2) / d * np.log10(base)),
    "ln as the exponent of ten": lambda j, d, base: 10.0 ** (-2 * (j // 2) / d * np.log(base)),
}
LAYOUTS = ("interleaved", "halves", "cosines first", "swapped")
NUMBERS = ("float64", "float32", "float16", "integers")

# What broken_encoding is asked for in each case, in the order of the notebook; a letter does not tell what is wrong.
CASES: dict[str, dict[str, Any]] = {
    "A": {"rule": "floor of a quotient"},  # -ln(base) / d // 2 for -ln(base) / (d // 2): -0.3 is rounded down to -1
    "B": {"rule": "column for pair"},
    "C": {"rule": "integer division"},  # a fraction that becomes the whole number 0
    "D": {"rule": "upside down"},  # divided by frequencies as if they were divisors
    "E": {"rule": "ln as the exponent of ten"},
    "F": {"rule": "log10 as the exponent of e"},  # -4 for -9.21, minus the natural logarithm of 10000
    "G": {"rule": "each column its own", "base": 1000.0},
    "H": {"start": 2},  # a convention: 1 is kept for padding, and the words come after it
    "I": {},  # row 0 is blanked, as the row that padding looks up, and then given to the first token
    "J": {"layout": "halves"},  # a variant
    "K": {"rule": "down to 1/base", "layout": "halves"},  # a variant: the last frequency is one step lower
    "L": {"rule": "pairs from 1"},
    "M": {"rule": "2i doubled for cosines"},
}


def broken_encoding(
    length: int,
    d_model: int,
    *,
    rule: str = "as in the paper",
    base: float = BASE,
    layout: str = "interleaved",
    start: int = 0,
    scale: float = 1.0,
    numbers: str = "float64",
    transposed: bool = False,
) -> np.ndarray:
    """Make an encoding with as many mistakes as you like; without any, it is the paper's.

    Parameters
    ----------
    length, d_model : int
        How many positions and columns, 1 or more.
    rule : str
        How frequencies come about: a name in `pe_lib.clinic.RULES`.
    base : float
        What is raised to a power; above 0.
    layout : {"interleaved", "halves", "cosines first", "swapped"}
        sin, cos, sin, cos, … · all the sines, then all the cosines · the other way round · cos, sin, cos, sin, …
    start : int
        The position of the first row.
    scale : float
        What everything is multiplied by.
    numbers : {"float64", "float32", "float16", "integers"}
        The type that angles, sines and cosines are computed in; with "integers", the finished numbers lose what is
        after the point.
    transposed : bool
        Columns and rows exchanged.

    Returns
    -------
    ndarray of shape (length, d_model), or (d_model, length) if transposed, float64
        With nan where an angle is too large for float16.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> broken_encoding(2, 4, start=1, layout="halves").round(4)
    array([[ 0.8415,  0.01  ,  0.5403,  1.    ],
           [ 0.9093,  0.02  , -0.4161,  0.9998]])
    """
    length = _checks.integer("length", length, at_least=1)
    j = np.arange(_checks.integer("d_model", d_model, at_least=1))
    pos = _checks.position_number("start", start) + np.arange(length, dtype=float)[:, np.newaxis]  # (length, 1)
    w = RULES[_checks.one_of("rule", rule, RULES)](j, len(j), _checks.positive_base(base))
    layout, numbers = _checks.one_of("layout", layout, LAYOUTS), _checks.one_of("numbers", numbers, NUMBERS)
    dtype = "float64" if numbers == "integers" else numbers
    with np.errstate(over="ignore", invalid="ignore"):  # an angle that does not fit becomes nan, and is seen
        angles = pos.astype(dtype) * w.astype(dtype)  # (length, d_model)
        is_cosine = (j % 2 == 1) != (layout == "swapped")
        table: np.ndarray = np.where(is_cosine, np.cos(angles), np.sin(angles)).astype(float)
    if layout in ("halves", "cosines first"):
        table = table[:, np.argsort(j % 2 == (layout == "halves"), kind="stable")]
    table *= _checks.finite_number("scale", scale)
    if numbers == "integers":
        table = np.trunc(table) + 0.0  # without -0.0
    return table.T if transposed else table


def case(letter: str, length: int = 50, d_model: int = 32) -> np.ndarray:
    """Return the matrix of one of the notebook's cases, by its letter: a key of `pe_lib.clinic.CASES`.

    `length` is 1 or more, `d_model` even. Returns shape (length, d_model), float64; raises TypeError or ValueError
    where there is no such case, or no such matrix.

    >>> case("H", 2, 4).round(4)
    array([[ 0.9093, -0.4161,  0.02  ,  0.9998],
           [ 0.1411, -0.99  ,  0.03  ,  0.9996]])
    """
    asked = CASES[_checks.one_of("letter", letter, CASES)]
    table = broken_encoding(length, _checks.even_d_model(d_model, "a case is made of whole pairs"), **asked)
    if letter == "I":
        table[0] = 0.0
    return table


def pair_speeds(matrix: ArrayLike) -> np.ndarray:
    """Measure the frequency of each pair: by how much its hand turns from row 0 to row 1.

    `matrix` has two rows and two columns or more, of finite numbers; TypeError or ValueError otherwise. Columns 2i and
    2i+1 are taken for sine and cosine of one angle, whatever they are; the last of an odd number is left out. Returns
    shape (d_model // 2,), float64, in radians between -π and π: whole turns leave no trace in two rows.

    >>> pair_speeds([[0, 1, 0, 1], [0.841471, 0.540302, 0.01, 0.99995]]).round(4)
    array([1.  , 0.01])
    """
    sines, cosines = _pairs(matrix)
    (s0, s1), (c0, c1) = sines[:2], cosines[:2]
    return np.arctan2(s1 * c0 - c1 * s0, c1 * c0 + s1 * s0)


def pair_lengths(matrix: ArrayLike) -> np.ndarray:
    """Measure the length of every hand, the root of sine squared plus cosine squared: 1 where both have one angle.

    Argument and errors are as for `pair_speeds`; returns shape (L, d_model // 2), float64.

    >>> pair_lengths([[0, 1], [0.841471, 0.995004]]).round(4)  # sine of 1, cosine of 0.1
    array([[1.    ],
           [1.3031]])
    """
    return np.hypot(*_pairs(matrix))


def _pairs(matrix: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the even and the odd columns of a matrix, as many of both."""
    table = _checks.finite_array("matrix", matrix).astype(np.float64)
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError(f"matrix must have two rows and two columns at least, got shape {table.shape}")
    whole = table[:, : table.shape[1] // 2 * 2]
    return whole[:, 0::2], whole[:, 1::2]
