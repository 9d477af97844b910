"""How finely numbers are written: the floating type that holds them, and whether they were rounded to decimals."""

from dataclasses import dataclass

import numpy as np

BITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}  # binary digits of a number
LEAST = {"bfloat16": -133, "float16": -24, "float32": -149, "float64": -1074}  # exponent of the smallest step
# How far an angle computed in a type may be off, relative to the angle. Frequencies are mostly computed as
# exp(-ln(base)·2i/d_model), and rounding that exponent, up to 14 for base 1e6, makes the largest part of the error.
ANGLE_ERROR = {"float64": 1e-13, "float32": 2e-6, "float16": 1.5e-2, "bfloat16": 8e-2}


@dataclass(frozen=True)
class Grain:
    """How finely some numbers are written.

    Attributes
    ----------
    dtype : str
        The type the array has.
    held_by : str
        The smallest type that holds every one of the numbers.
    decimals : int or None
        The number of decimals they were rounded to, if they were.
    floor : float
        How far numbers may be off for another reason, such as a subtraction of larger ones.
    """

    dtype: str
    held_by: str
    decimals: int | None
    floor: float = 0.0

    @property
    def coarse(self) -> bool:
        """Whether the numbers have no more than eleven binary digits."""
        return self.held_by in ("float16", "bfloat16")

    def noise(self, scale: float, level: str = "float64") -> float:
        """Return how far one number may be from what was meant, in units of the scale.

        `level` is the type in which angles were computed. Sines and cosines of that type, multiplied by something, do
        not look like numbers of that type any more; where nothing was multiplied, they would.
        """
        rounding = 0.0 if self.decimals is None else 0.5 * 10.0**-self.decimals / scale
        coarse = 2.0 ** -BITS[level] if level != "float64" and abs(abs(scale) - 1) > 1e-2 else 0.0
        return max(2.0 ** -BITS[self.held_by], rounding, self.floor / abs(scale), 4e-15, coarse)


def grain_of(array: np.ndarray, values: np.ndarray) -> Grain:
    """Measure how finely the numbers of an array, given as float64 too, are written."""
    dtype = array.dtype.name if array.dtype.name in BITS else "float64"
    held_by = next(name for name in BITS if name == dtype or _holds(name, values))
    return Grain(dtype, min(held_by, dtype, key=lambda name: BITS[name]), _decimals(values, held_by))


def steps(values: np.ndarray, name: str) -> np.ndarray:
    """Return for each number how far the next one of the type is."""
    exponents = np.frexp(values)[1]
    found: np.ndarray = np.ldexp(1.0, np.maximum(exponents - BITS[name], LEAST[name]))
    return found


def _holds(name: str, values: np.ndarray) -> bool:
    """Say whether every number is one of the type."""
    for some in (values[:4], values):  # mostly a few rows are enough to say no
        step = steps(some, name)
        with np.errstate(over="ignore", invalid="ignore"):
            held = np.all(np.rint(some / step) * step == some)
        if not held:
            return False
    return True


def _decimals(values: np.ndarray, held_by: str) -> int | None:
    """Return to how many decimals, 1 to 6, the numbers were rounded; None if they were not."""
    told = values[values != np.rint(values)][:4096]
    for decimals in range(1, 7) if len(told) >= 2 else ():
        slack = 2 * steps(told, held_by).max() * 10**decimals
        if slack > 0.05:
            return None
        scaled = told * 10**decimals
        if np.all(np.abs(scaled - np.rint(scaled)) <= slack + 1e-9):
            return decimals
    return None
