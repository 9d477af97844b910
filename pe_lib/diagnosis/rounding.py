"""How numbers are stored, how far a right program may be from them, and which plain number was meant."""

from fractions import Fraction

import numpy as np

DOUBLE, SINGLE = 2.0**-52, 2.0**-23  # the relative steps of float64 and float32
SAMPLE = 200_000  # numbers that are looked at, at most, to see how all are stored
HALF_STEP = {"float16": 2.0**-10.99, "bfloat16": 2.0**-7.99}  # of a number near 1
MOST_DECIMALS = {False: 12, True: 4}  # that show: of numbers in float64, and in float32


def bfloat16(x: np.ndarray) -> np.ndarray:
    """Round to the eight bits of bfloat16."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)).view(np.float32).astype(float)


class Storage:
    """The type, or the number of decimals, in which a matrix is kept.

    Attributes
    ----------
    name : str
        "float64", "float32", "float16" or "bfloat16".
    decimals : int or None
        To how many the numbers were rounded afterwards, if they were.
    eps : float
        The relative step of the type in which the angles may have been computed.
    floor : float
        How far a right program may be from any number, however small its angle.
    noise : float
        By how much any number may be off beside: of a difference, what rounding left of its terms.
    """

    def __init__(self, matrix: np.ndarray, noise: float = 0.0, single: bool = False) -> None:
        x = matrix[np.isfinite(matrix)][:SAMPLE]
        with np.errstate(over="ignore"):
            fits = bool(np.array_equal(x.astype(np.float32), x))
            self.decimals = _decimals(x, fits)
            self.name = "float32" if fits else "float64"
            for name, held in (("float16", x.astype(np.float16).astype(float)), ("bfloat16", bfloat16(x))):
                if _held(x, held, self.decimals):
                    self.name = name  # what bfloat16 holds, float16 may hold too
        if noise:
            self.name, self.decimals = "float64", None  # a difference is kept in no type of its own
        elif fits and self.name != "float32":
            self.decimals = None  # few bits need few decimals
        self.noise = noise
        self.eps = SINGLE if fits or single or (self.decimals or 9) <= 6 else DOUBLE  # few decimals may be of float32
        self.floor = 8 * SINGLE if fits or single else 1e-12

    def half_unit(self, x: np.ndarray | float) -> np.ndarray:
        """Return by how much a number near x may have been rounded."""
        beside = self.noise + (0.0 if self.decimals is None else 0.5001 * 10.0**-self.decimals)
        return np.asarray(
            beside + np.abs(x) * HALF_STEP.get(self.name, self.eps) + (2.0**-25 if self.name == "float16" else 0)
        )

    @property
    def unit(self) -> float:
        """By how much a number near 1 may have been rounded."""
        return float(self.half_unit(1.0))

    def lost(self, angles: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return how far the sines of angles may be off: frequencies and angles are as good as their type.

        A power or an exponential loses the more, the smaller it comes out.
        """
        with np.errstate(divide="ignore"):
            steps = 3 + 1.5 * np.abs(np.log(np.where(w == 0, 1, np.abs(w))))
        return np.asarray(np.abs(angles) * (steps * self.eps) + self.floor)


def _held(x: np.ndarray, held: np.ndarray, decimals: int | None) -> bool:
    """Say whether numbers are as a type holds them, or as it holds them and then printed with four decimals or more."""
    if decimals is not None and decimals >= 4 and np.count_nonzero(np.abs(x) > 0.25) >= 8:
        held = np.round(held, decimals)
    return bool(np.array_equal(held, x))


def _decimals(x: np.ndarray, single: bool) -> int | None:
    """Return to how many decimals all numbers are rounded; None for whole numbers, and where they are not."""
    if not x.size or np.array_equal(np.round(x), x):
        return None
    for n in range(1, 1 + MOST_DECIMALS[single]):
        scaled = x * 10.0**n
        size = max(10.0**n, float(np.abs(scaled).max()))
        if np.abs(scaled - np.round(scaled)).max() <= size * (SINGLE if single else 4 * DOUBLE):
            return n
    return None


CONSTANTS = {np.pi: "np.pi", 2 * np.pi: "2 * np.pi", np.e: "np.e", np.pi / 2: "np.pi / 2", np.pi / 180: "np.pi / 180"}
LONGEST_FRACTION = 5000


def plain(x: float, off: float) -> tuple[str, float]:
    """Return the plainest number within `off` of x, as text and as a number.

    Tried in this order: multiples of pi and e, short decimals, fractions, roots of fractions, all digits of x.

    >>> plain(0.4999999, 1e-6), plain(6.2831853, 1e-6)[0], plain(1 / 3, 1e-8)[0]
    (('0.5', 0.5), '2 * np.pi', '1/3')
    """
    if abs(x) <= off:
        return "0", 0.0
    sign, size = ("-" if x < 0 else ""), abs(x)
    for number, text in CONSTANTS.items():
        if abs(number - size) <= min(off, 1e-4 * size):
            return sign + text, float(np.copysign(number, x))
    for digits in range(1, 7):
        near = float(f"{x:.{digits - 1}e}")
        if abs(near - x) <= off:
            return f"{near:g}", near
    for power, form in ((1, "{}"), (2, "np.sqrt({})")):
        fraction = Fraction(size**power).limit_denominator(LONGEST_FRACTION)
        near = float(fraction) ** (1 / power)
        if fraction > 0 and abs(near - size) <= off:
            return sign + form.format(fraction), float(np.copysign(near, x))
    return repr(float(x)), float(x)
