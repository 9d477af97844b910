"""Six routes to one matrix, each the shortest readable form of its idea.

All give the interleaved encoding of positions 0 … length-1 (Vaswani et al. 2017, section 3.5) in float64, shape
(length, d_model), odd d_model included. They take the number of positions (0 or more), the width (1 or more) and the
base (above 0), and raise TypeError or ValueError for anything else. We wrote them to be read; the function to use is
`sinusoidal_encoding`.
"""

import functools
import math
from collections.abc import Callable

import numpy as np

from pe_lib import _checks, encoding
from pe_lib.encoding import BASE, frequencies

ROUTES: dict[str, Callable[..., np.ndarray]] = {}


def _route(build: Callable[[int, int, float], np.ndarray]) -> Callable[..., np.ndarray]:
    """Check the arguments of a route before it builds the matrix, and enter it in `ROUTES`."""

    @functools.wraps(build)
    def checked(length: int, d_model: int, base: float = BASE) -> np.ndarray:
        length = _checks.integer("length", length, at_least=0)
        d_model = _checks.integer("d_model", d_model, at_least=1)
        _checks.table_size(length, d_model)
        return build(length, d_model, _checks.positive_base(base))

    ROUTES[build.__name__] = checked
    return checked


@_route
def cell_by_cell(length: int, d_model: int, base: float = BASE) -> np.ndarray:
    """Fill every cell by the formula as the paper prints it.

    >>> cell_by_cell(2, 4).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.01  , 1.    ]])
    """
    pe = np.empty((length, d_model))
    for pos in range(length):
        for j in range(d_model):
            i = j // 2
            angle = pos / base ** (2 * i / d_model)
            pe[pos, j] = math.sin(angle) if j % 2 == 0 else math.cos(angle)
    return pe


@_route
def pair_index(length: int, d_model: int, base: float = BASE) -> np.ndarray:
    """Give every column j its pair i = j // 2, then choose sine or cosine by whether j is even.

    >>> np.allclose(pair_index(10, 6), cell_by_cell(10, 6))
    True
    """
    pos = np.arange(length)[:, np.newaxis]  # (L, 1)
    j = np.arange(d_model)  # (d_model,)
    angle = pos / base ** (2 * (j // 2) / d_model)  # (L, d_model)
    return np.where(j % 2 == 0, np.sin(angle), np.cos(angle))


even_odd_slices = _route(encoding.even_odd_slices)  # sines into columns 0::2, cosines into columns 1::2


@_route
def stack_and_flatten(length: int, d_model: int, base: float = BASE) -> np.ndarray:
    """Stack sines and cosines on a new last axis, then flatten it into the columns.

    >>> np.allclose(stack_and_flatten(10, 6), cell_by_cell(10, 6))
    True
    """
    pos = np.arange(length)[:, np.newaxis]  # (L, 1)
    angle = pos / base ** (np.arange(0, d_model, 2) / d_model)  # (L, pairs)
    stacked = np.stack([np.sin(angle), np.cos(angle)], axis=2)  # (L, pairs, 2)
    return stacked.reshape(length, 2 * angle.shape[1])[:, :d_model]


@_route
def exp_log(length: int, d_model: int, base: float = BASE) -> np.ndarray:
    """Take the frequencies as exp(-2i/d_model · ln base), the form that most code uses.

    >>> np.allclose(exp_log(10, 6), cell_by_cell(10, 6))
    True
    """
    w = np.exp(np.arange(0, d_model, 2) * (-math.log(base) / d_model))  # (pairs,)
    angle = np.arange(length)[:, np.newaxis] * w  # (L, pairs)
    pe = np.empty((length, d_model))
    pe[:, 0::2] = np.sin(angle)
    pe[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return pe


@_route
def by_rotation(length: int, d_model: int, base: float = BASE) -> np.ndarray:
    """Start with sin 0 and cos 0, and turn every pair by its own w_i to get the next row.

    >>> np.allclose(by_rotation(10, 6), cell_by_cell(10, 6))
    True
    """
    turn = np.exp(-1j * frequencies(d_model, base))  # (pairs,)
    hands = np.full((length, len(turn)), 1j)  # sin + i·cos of angle 0
    for pos in range(1, length):
        hands[pos] = hands[pos - 1] * turn
    return hands.view(np.float64)[:, :d_model]
