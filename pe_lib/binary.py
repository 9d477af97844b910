"""Counting in bits, the square-wave cousin of the encoding: each column has a period, the first one the longest.

The wavelengths of the encoding form a geometric progression (Vaswani et al. 2017, section 3.5), and so do the periods
2, 4, 8, 16 of the bits. The comparison is ours; the paper does not draw it.
"""

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.encoding import BASE, frequencies


def bits(numbers: ArrayLike, n_bits: int) -> np.ndarray:
    """Write whole numbers in binary, the largest place first.

    `numbers` are integers from 0 to 2**n_bits - 1 in an array of any shape, and `n_bits` is 1 to 62. Returns zeros and
    ones in shape (*numbers.shape, n_bits), int64; raises TypeError or ValueError for other arguments.

    >>> bits([7, 8], 4)
    array([[0, 1, 1, 1],
           [1, 0, 0, 0]])
    """
    n_bits = _places(n_bits)
    array = _checks.real_array("numbers", numbers)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"numbers must be integers, got dtype {array.dtype}")
    outside = array[(array < 0) | (array >= 2**n_bits)]
    if outside.size:
        raise ValueError(f"numbers must lie between 0 and {2**n_bits - 1} to fit in {n_bits} bits, got {outside[0]}")
    return array.astype(np.int64)[..., np.newaxis] >> np.arange(n_bits)[::-1] & 1


def bit_periods(n_bits: int) -> np.ndarray:
    """Return the period of each column of bits in numbers, the largest place first.

    `n_bits` is 1 to 62. Returns shape (n_bits,), int64; raises TypeError or ValueError otherwise.

    >>> bit_periods(4)
    array([16,  8,  4,  2])
    """
    return 2 ** np.arange(1, _places(n_bits) + 1, dtype=np.int64)[::-1]


def bits_that_flip(number: int) -> int:
    """Return how many bits change from `number` to `number + 1`.

    `number` is an integer of 0 or more; raises TypeError or ValueError otherwise.

    >>> [bits_that_flip(n) for n in (0, 1, 3, 7)]
    [1, 2, 3, 4]
    """
    number = _checks.integer("number", number, at_least=0)
    return (number ^ (number + 1)).bit_count()


def place_values(d_model: int, base: float = BASE) -> np.ndarray:
    """Return the place values of the encoding: the numbers base**(2i/d_model) that divide the position in each pair.

    `d_model` is 1 or more, `base` above 0. Returns shape (ceil(d_model/2),), float64, in positions per radian; raises
    TypeError or ValueError otherwise.

    >>> place_values(8).round(9)
    array([   1.,   10.,  100., 1000.])
    """
    return 1 / frequencies(d_model, base)


def _places(n_bits: int) -> int:
    """Return `n_bits` if that many places fit an int64."""
    n_bits = _checks.integer("n_bits", n_bits, at_least=1)
    if n_bits > 62:
        raise ValueError(f"n_bits must be at most 62, got {n_bits}")
    return n_bits
