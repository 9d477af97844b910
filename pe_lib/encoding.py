"""The sinusoidal positional encoding of Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    PE(pos, 2i)   = sin(pos / base**(2i/d_model))
    PE(pos, 2i+1) = cos(pos / base**(2i/d_model))        pos = 0, 1, 2, …    i = 0, 1, 2, …    base = 10000

Columns 2i and 2i+1 form pair i and share one frequency, w_i = base**(-2i/d_model). `even_odd_slices` says just that.
The functions below it take more, and check what they're given: they raise TypeError or ValueError for an argument that
isn't as described. Every angle is computed in float64, whatever type you ask for, and the result is cast last.
"""

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from pe_lib import _checks

BASE = 10_000.0  # the paper's
BLOCK = 64  # this many rows share one table of turns


def even_odd_slices(length: int, d_model: int, base: float = BASE) -> np.ndarray:
    """Return the encoding as the formula defines it: sines in columns 0, 2, 4, … and cosines in columns 1, 3, 5, ….

    >>> even_odd_slices(3, 4).round(4)
    array([[ 0.    ,  1.    ,  0.    ,  1.    ],
           [ 0.8415,  0.5403,  0.01  ,  1.    ],
           [ 0.9093, -0.4161,  0.02  ,  0.9998]])
    """
    pos = np.arange(length)[:, np.newaxis]  # (L, 1)
    angle = pos / base ** (np.arange(0, d_model, 2) / d_model)  # (L, pairs)
    pe = np.empty((length, d_model))
    pe[:, 0::2] = np.sin(angle)
    pe[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return pe


def sinusoidal_encoding(
    length: int,
    d_model: int,
    *,
    start: int = 0,
    base: float = BASE,
    layout: str = "interleaved",
    dtype: DTypeLike = np.float64,
) -> np.ndarray:
    """Return the table of encodings, fast: a row for each position start, start+1, …, start+length-1.

    Row pos holds sin(pos·w_0), cos(pos·w_0), sin(pos·w_1), cos(pos·w_1), … We compute few of them as sines and cosines,
    because a step of k positions turns pair i by the angle k·w_i (section 3.5 of the paper: "for any fixed offset k,
    PE(pos+k) can be represented as a linear function of PE(pos)"). Sines and cosines make every 64th row and the turns
    by 0 to 63 positions; the rest is each row times each turn, as complex numbers. A position has the same numbers in
    every table, to the last bit.

    Parameters
    ----------
    length : int
        How many positions, 0 or more.
    d_model : int
        The width of the encoding, 1 or more. If it is odd, the last column is a sine without its cosine.
    start : int
        The first position; may be negative. All positions lie between -2**53 and 2**53.
    base : float
        The number that is raised to a power: finite and above 0, 10000 in the paper.
    layout : {"interleaved", "halves"}
        sin, cos, sin, cos, … as in the paper, or all the sines followed by all the cosines.
    dtype : {float16, float32, float64}
        The type of the result.

    Returns
    -------
    ndarray of shape (length, d_model)
        Up to position 1e6 within 1e-9 of the exact values in float64, 3.1e-8 in float32 and 2.5e-4 in float16;
        beyond, the error grows as 2e-16 times the position.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the table would hold more than 2**28 numbers.

    Examples
    --------
    >>> sinusoidal_encoding(3, 4).round(4)
    array([[ 0.    ,  1.    ,  0.    ,  1.    ],
           [ 0.8415,  0.5403,  0.01  ,  1.    ],
           [ 0.9093, -0.4161,  0.02  ,  0.9998]])

    That's the table of the formula, to within what float64 loses in angles of up to 1000:

    >>> bool(abs(sinusoidal_encoding(1000, 512) - even_odd_slices(1000, 512)).max() < 1e-12)
    True
    """
    length = _checks.integer("length", length, at_least=0)
    start = _checks.position_number("start", start)
    stop = _checks.position_number("start + length", start + length)
    w = frequencies(d_model, base)  # (pairs,)
    layout = _checks.one_of("layout", layout, _checks.LAYOUTS)
    dtype = _checks.float_dtype(dtype)
    _checks.table_size(length, d_model)

    # A pair is one complex number, sin a + 1j·cos a = 1j·exp(-1j·a). Times exp(-1j·b) it is the pair of angle a + b.
    first = start // BLOCK * BLOCK  # blocks begin at multiples of 64, wherever the table begins
    within, asked = np.arange(BLOCK), slice(start - first, stop - first)
    if stop - first <= BLOCK:
        # A table within one block needs no other rows of it. One more row keeps its numbers the same to the last bit:
        # NumPy rounds the product of two single numbers in another way than that of two arrays.
        within, asked = np.arange(start - first, stop - first + 1), slice(length)
    firsts = np.arange(first, stop, BLOCK)[:, np.newaxis, np.newaxis]
    rows = 1j * np.exp(-1j * w * firsts)  # (blocks, 1, pairs)
    turns = np.exp(-1j * w * within[:, np.newaxis])  # (rows of a block, pairs)
    pairs = np.empty((len(firsts), len(within), len(w)), np.complex64 if dtype == np.float32 else np.complex128)
    np.multiply(rows, turns, out=pairs, casting="same_kind")  # computed as complex128, whatever it is stored as
    table = pairs.view(pairs.real.dtype).reshape(-1, 2 * len(w))[asked, :d_model]
    if layout == "halves":
        table = np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)
    return np.ascontiguousarray(table, dtype)


def frequencies(d_model: int, base: float = BASE) -> np.ndarray:
    """Return the frequency of every pair of columns, ``w_i = base ** (-2i/d_model)``, in radians per position.

    `d_model` is 1 or more, `base` above 0. Returns shape (ceil(d_model/2),), float64.

    >>> frequencies(8)
    array([1.   , 0.1  , 0.01 , 0.001])
    """
    d_model = _checks.integer("d_model", d_model, at_least=1)
    base = _checks.positive_base(base)
    _checks.table_size(d_model)
    return base ** (np.arange(0, -d_model, -2) / d_model)


def encode_positions(
    positions: ArrayLike,
    d_model: int,
    *,
    base: float = BASE,
    layout: str = "interleaved",
    dtype: DTypeLike = np.float64,
) -> np.ndarray:
    """Encode any real positions: whole, fractional or negative, in an array of any shape.

    Parameters
    ----------
    positions : array_like of integers or floats
        Finite, between -2**53 and 2**53.
    d_model, base, layout, dtype
        As for `sinusoidal_encoding`.

    Returns
    -------
    ndarray of shape (*positions.shape, d_model)

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the result would hold more than 2**28 numbers.

    Examples
    --------
    >>> encode_positions([0, 0.5, -1], 4).round(4)
    array([[ 0.    ,  1.    ,  0.    ,  1.    ],
           [ 0.4794,  0.8776,  0.005 ,  1.    ],
           [-0.8415,  0.5403, -0.01  ,  1.    ]])
    """
    positions = _checks.position_array("positions", positions)
    w = frequencies(d_model, base)
    layout = _checks.one_of("layout", layout, _checks.LAYOUTS)
    dtype = _checks.float_dtype(dtype)
    _checks.table_size(*positions.shape, d_model)
    sines, cosines = slice(0, None, 2), slice(1, None, 2)
    if layout == "halves":
        sines, cosines = slice(0, len(w)), slice(len(w), None)
    angles = positions[..., np.newaxis] * w  # (*positions.shape, pairs)
    encoded = np.empty((*positions.shape, d_model), dtype)
    encoded[..., sines] = np.sin(angles)
    encoded[..., cosines] = np.cos(angles[..., : d_model // 2])
    return encoded


def add_positional_encoding(
    x: ArrayLike, *, mask: ArrayLike | None = None, scale: bool = False, base: float = BASE
) -> np.ndarray:
    """Add the encoding of positions 0, 1, 2, … to embeddings, and return the sum as a new array.

    Parameters
    ----------
    x : array_like of shape (L, d_model) or (B, L, d_model)
        The embeddings, integers or floats; never changed in place.
    mask : array_like of shape (L,) for one sequence or (B, L) for a batch, optional
        1 for a token, 0 for padding. Where it is 0, no encoding is added.
    scale : bool
        Multiply `x` by the square root of d_model first, as the paper does (section 3.4).
    base : float
        As for `sinusoidal_encoding`.

    Returns
    -------
    ndarray of the shape of `x`
        float16, float32 and float64 stay what they are; integers are promoted to float64. The sum is computed in
        float64 and cast last.

    Raises
    ------
    TypeError, ValueError
        If `x` is not a real array of two or three dimensions, or `mask` does not fit it or holds other values
        than 0 and 1.

    Examples
    --------
    >>> add_positional_encoding([[0.5, 0.5], [0.5, 0.5], [0.0, 0.0]], mask=[1, 1, 0]).round(4)
    array([[0.5   , 1.5   ],
           [1.3415, 1.0403],
           [0.    , 0.    ]])
    """
    x = _checks.real_array("x", x)
    if x.ndim not in (2, 3) or x.shape[-1] == 0:
        raise ValueError(f"x must have shape (L, d_model) or (B, L, d_model), d_model above 0, got shape {x.shape}")
    scale = _checks.truth_value("scale", scale)
    length, d_model = x.shape[-2:]
    dtype = x.dtype if x.dtype in _checks.FLOAT_TYPES else np.dtype(np.float64)
    total = x.astype(np.float64)
    if scale:
        total *= np.sqrt(d_model)
    encoding = sinusoidal_encoding(length, d_model, base=base)
    if mask is None:
        total += encoding
    else:
        total += np.where(_checked_mask(mask, x.shape)[..., np.newaxis], encoding, 0.0)
    return total.astype(dtype, copy=False)


def shift_rotation(offset: float, d_model: int, *, base: float = BASE) -> np.ndarray:
    """Return the rotation R(offset) that moves every encoding by `offset` positions: PE(p + offset) = R(offset) PE(p).

    `offset` may be negative or fractional; `d_model` is even, because a sine without its cosine can't be rotated.
    Returns shape (d_model, d_model), float64: for each pair a block ``[[cos w_i k, sin w_i k], [-sin w_i k, cos w_i
    k]]`` on the diagonal, where k is the offset; orthogonal.

    >>> shift_rotation(1, 2).round(4)
    array([[ 0.5403,  0.8415],
           [-0.8415,  0.5403]])
    """
    offset = _checks.finite_number("offset", offset)
    d_model = _checks.even_d_model(d_model, "the last column is then a sine whose cosine is missing")
    _checks.table_size(d_model, d_model)
    angles = offset * frequencies(d_model, base)
    sines, cosines = np.sin(angles), np.cos(angles)
    rotation = np.zeros((d_model, d_model))
    even = np.arange(0, d_model, 2)
    rotation[even, even] = rotation[even + 1, even + 1] = cosines
    rotation[even, even + 1] = sines
    rotation[even + 1, even] = -sines
    return rotation


def _checked_mask(mask: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    """Return `mask` as booleans if it fits embeddings of this shape."""
    found = _checks.real_array("mask", mask, kinds="biuf")
    if found.shape != shape[:-1]:
        raise ValueError(
            f"mask must have shape {shape[:-1]}, one row of 0 and 1 for each sequence of x {shape}, "
            f"got shape {found.shape}"
        )
    if not np.all((found == 0) | (found == 1)):
        other = found[(found != 0) & (found != 1)].flat[0]
        raise ValueError(f"mask must hold only 0 (padding) and 1 (token), got {other}")
    return found.astype(bool)
