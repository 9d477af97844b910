"""Properties of the encoding as a whole: wavelengths, dot products, distances, and the laws that they follow.

All but `wavelengths` ask for an even d_model. Then every row has the norm sqrt(d_model/2), and the dot product and the
distance of PE(p) and PE(p+k) depend on the offset k alone, because a shift is a rotation (Vaswani et al. 2017, section
3.5).
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.encoding import BASE, frequencies

_WHY_EVEN = "without its cosine the last column makes norm and dot product depend on the position"


def wavelengths(d_model: int, base: float = BASE) -> np.ndarray:
    """Return the wavelength of each pair, 2·pi / w_i: it repeats after so many positions.

    `d_model` is 1 or more, `base` above 0; raises TypeError or ValueError otherwise. Returns shape
    (ceil(d_model/2),), float64, in positions. They grow from 2·pi to 2·pi·base**((d_model-2)/d_model) if `d_model` is
    even, which for a base above 1 is less than 2·pi·base.

    >>> wavelengths(4).round(1)
    array([  6.3, 628.3])
    """
    return 2 * np.pi / frequencies(d_model, base)


def dot_product(offset: ArrayLike, d_model: int, base: float = BASE) -> np.ndarray:
    """Return the dot product of two encodings `offset` positions apart: the sum of cos(w_i·offset).

    `offset` is an array of any shape, in positions; its sign does not matter. `d_model` is even, `base` above 0.
    Returns shape offset.shape, float64, between -d_model/2 and d_model/2; raises TypeError or ValueError otherwise.

    >>> dot_product([0, 1, 2, 3, 4], 6).round(4)
    array([3.    , 2.5392, 1.5795, 1.0003, 1.3291])
    """
    offset = _checks.finite_array("offset", offset)
    w = frequencies(_checks.even_d_model(d_model, _WHY_EVEN), base)
    total = np.zeros(offset.shape)
    for frequency in w:  # one pair at a time, since a table of offsets by pairs could be large
        total += np.cos(frequency * offset)
    return total


def distance(offset: ArrayLike, d_model: int, base: float = BASE) -> np.ndarray:
    """Return the distance between two encodings `offset` positions apart, sqrt(d_model - 2·dot_product).

    Arguments and errors are as for `dot_product`; returns shape offset.shape, float64. We add up the squares
    4·sin(w_i·offset/2)², which loses no digits where two encodings nearly meet.

    >>> distance([0, 1, 2], 4).round(5)
    array([0.     , 0.9589 , 1.68306])
    """
    offset = _checks.finite_array("offset", offset)
    w = frequencies(_checks.even_d_model(d_model, _WHY_EVEN), base)
    squares = np.zeros(offset.shape)
    for frequency in w:
        squares += (2 * np.sin(frequency * offset / 2)) ** 2
    return np.sqrt(squares)


def dot_product_law(offset: ArrayLike, d_model: int, base: float = BASE) -> np.ndarray:
    """Return the logarithmic law around which the dot product swings: d_model/2 · (1 - (ln offset + γ) / ln base).

    With many columns the sum over pairs is near an integral, d_model/2 · (Ci(offset) - Ci(offset/base)) / ln base. Its
    first cosine integral is near 0 for 1 ≪ offset, its second near γ + ln(offset/base) for offset ≪ base, where γ is
    Euler's constant, 0.5772….
    Arguments and errors are as for `dot_product`, with offsets above 0 and a base above 1; returns shape offset.shape.

    >>> [round(float(f(1000, 512)), 1) for f in (dot_product, dot_product_law)]
    [45.0, 48.0]
    """
    offset = _checks.finite_array("offset", offset)
    d_model = _checks.even_d_model(d_model, _WHY_EVEN)
    base = _checks.positive_base(base)
    if base <= 1:
        raise ValueError(f"base must be above 1 for the law to hold, got {base}")
    if offset.size and not offset.min() > 0:
        raise ValueError(f"offset must be above 0 for the law to hold, got {offset.min()}")
    return d_model / 2 * (1 - (np.log(offset) + np.euler_gamma) / math.log(base))
