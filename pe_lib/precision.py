"""Numbers with fewer digits: what is left of them in float32, float16 and bfloat16.

float32 keeps 24 significant bits, float16 keeps 11, and bfloat16 keeps 8 with the range of float32. NumPy has no
bfloat16 of its own, so we round the bits of a float64.
"""

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.encoding import frequencies

KINDS = ("float32", "float16", "bfloat16")
LARGEST = 65504  # the greatest float16
STEPS = ("positions", "frequencies", "angles", "sines")  # of the way to an encoding, in order


def round_to(values: ArrayLike, kind: str) -> np.ndarray:
    """Return numbers as they are after being stored in a type with fewer bits: "float32", "float16" or "bfloat16".

    Each goes to the nearest number of that `kind`, and of two equally near ones to the one whose last bit is 0.
    `values` are finite, in an array of any shape. Returns shape values.shape, float64, infinite beyond the range of the
    type, which ends at 65504 for float16; raises TypeError or ValueError for other arguments. Below 2**-126 a bfloat16
    has fewer than 8 bits; here it keeps them. IEEE 754 (2019), sections 3.6 and 4.3.1, for float32, float16 and the
    rounding.

    >>> round_to([255, 256, 257, 258, 259], "bfloat16")
    array([255., 256., 256., 258., 260.])
    >>> round_to([2047, 2048, 2049], "float16")
    array([2047., 2048., 2048.])
    """
    numbers = _checks.finite_array("values", values).astype(np.float64)
    _checks.one_of("kind", kind, KINDS)
    if kind == "bfloat16":  # 8 of the 53 significant bits of a float64 stay
        bits = numbers.view(np.uint64)
        just_below_half = 2**44 - 1 + (bits >> 45 & 1)  # or half, where the last bit that stays is 1
        numbers = (bits + just_below_half >> 45 << 45).view(np.float64)
        kind = "float32"  # has the same range
    with np.errstate(over="ignore", under="ignore"):
        return numbers.astype(kind).astype(np.float64)


def encode_rounding(positions: ArrayLike, d_model: int, kind: str, rounded: str) -> np.ndarray:
    """Encode positions in float64, but round the numbers of one step to a type with fewer bits.

    `positions` has shape (L,), with numbers up to 65504, where float16 ends, whatever the `kind`. `rounded` names one
    of `STEPS` ("sines" means the cosines too) or is "everything", which rounds at each of them. Returns shape
    (L, d_model), float64; raises TypeError or ValueError for other arguments.

    >>> encode_rounding([0, 257], 2, "bfloat16", "positions").round(4)
    array([[ 0.    ,  1.    ],
           [-0.9992, -0.0398]])
    >>> encode_rounding([0, 257], 2, "bfloat16", "sines").round(4)
    array([[ 0.    ,  1.    ],
           [-0.5742,  0.8203]])
    """
    positions = _checks.finite_array("positions", positions)
    if positions.ndim != 1 or (np.abs(positions) > LARGEST).any():
        raise ValueError(f"positions must be a row of numbers up to {LARGEST}, got {_checks.shown(positions)}")
    _checks.one_of("rounded", rounded, (*STEPS, "everything"))

    def after(step: str, values: np.ndarray) -> np.ndarray:
        return round_to(values, kind) if rounded in (step, "everything") else values

    p = after("positions", positions.astype(np.float64))
    angles = after("angles", p[:, np.newaxis] * after("frequencies", frequencies(d_model)))  # (L, pairs)
    both = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (L, pairs, 2)
    return after("sines", both.reshape(len(p), -1)[:, :d_model])
