"""How numbers are stored, how far a right program may be from them, and which plain number was meant."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pe_diagnosis import limits
from pe_lib.precision import round_to

DOUBLE, SINGLE = 2.0**-52, 2.0**-23  # the relative steps of float64 and float32
HALF_STEP = {"float16": 2.0**-10.99, "bfloat16": 2.0**-7.99}  # of a number near 1, and a little more


class Storage:
    """The type, or the number of decimals, in which a matrix is kept.

    A right program may be off by `half_unit`, what storing a number rounds away, and by `lost`, what computing it does.
    `single` says that numbers were computed in float32, even where they are no numbers of that type.

    Attributes
    ----------
    name : str
        "float64", "float32", "float16" or "bfloat16".
    decimals : int or None
        To how many the numbers were rounded afterwards, if they were.
    digits : int or None
        To how many they were rounded instead, each number to as many, as in scientific notation.
    eps : float
        The relative step of the type in which the angles may have been computed.
    floor : float
        How far a right program may be from any number, however small its angle.
    noise : float
        A further error of every number, as a difference has: what rounding left of its terms.
    """

    def __init__(self, matrix: np.ndarray, noise: float = 0.0, single: bool = False) -> None:
        x = matrix[np.isfinite(matrix)][: limits.SAMPLE]
        with np.errstate(over="ignore"):
            fits = bool(np.array_equal(x.astype(np.float32), x))
            decimals = _decimals(x, fits)
            small = [name for name in HALF_STEP if _held(x, round_to(x, name), decimals)]
        # The last of the small types: what bfloat16 holds, float16 may hold too. A difference is kept in no type.
        self.name = "float64" if noise else small[-1] if small else "float32" if fits else "float64"
        self.decimals = None if noise or (fits and small) else decimals  # a small type has few decimals anyway
        self.digits = None if noise or fits else _digits(x, self.decimals)
        self.noise = noise
        printed = self.digits is not None or (self.decimals or 10) < 10  # perhaps of numbers in float32
        self.eps = SINGLE if fits or single or printed else DOUBLE
        self.floor = 8 * SINGLE if fits or single else 1e-12

    def half_unit(self, x: np.ndarray | float) -> np.ndarray:
        """Return by how much a number near x may have been rounded: half a last digit; in float32 and 64, a step."""
        fixed = self.noise + (2.0**-25 if self.name == "float16" else 0.0)  # whatever the number is
        relative = HALF_STEP.get(self.name, self.eps)
        if self.digits is not None:
            relative += 0.5001 * 10.0 ** (1 - self.digits)
        elif self.decimals is not None:
            fixed += 0.5001 * 10.0**-self.decimals
        return np.asarray(fixed + np.abs(x) * relative)

    @property
    def unit(self) -> float:
        """`half_unit` of a number near 1: what all numbers are known to within, where sizes don't matter."""
        return float(self.half_unit(1.0))

    def lost(self, angles: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return how far the sines of angles may be off: frequencies and angles are as good as their type.

        A power or an exponential loses the more, the smaller it comes out. What would fit anything is cut off.
        """
        with np.errstate(divide="ignore"):
            steps = 3 + 1.5 * np.abs(np.log(np.where(w == 0, 1, np.abs(w))))
        return np.minimum(np.abs(angles) * (steps * self.eps) + self.floor, limits.MOST_LOST)


def _held(x: np.ndarray, held: np.ndarray, decimals: int | None) -> bool:
    """Say whether numbers are as a type holds them, or as it holds them and then printed with four decimals or more.

    Of the latter only numbers beyond 0.25 tell: below, float16 holds any four decimals. Eight aren't so by chance.
    """
    if decimals is not None and decimals >= limits.PRINTED and np.count_nonzero(np.abs(x) > 0.25) >= 8:
        held = np.round(held, decimals)
    return bool(np.array_equal(held, x))


def _decimals(x: np.ndarray, single: bool) -> int | None:
    """Return to how many decimals all numbers are rounded; None for whole numbers, and where they aren't."""
    if not x.size or np.array_equal(np.round(x), x):
        return None
    for n in range(1, 5 if single else 13):  # one number in 500 is so by chance at the last, and in 50 beyond
        scaled = x * 10.0**n
        size = np.maximum(10.0**n, np.abs(scaled))
        if (np.abs(scaled - np.round(scaled)) <= size * (SINGLE if single else 4 * DOUBLE)).all():
            return n
    return None


def _digits(x: np.ndarray, decimals: int | None) -> int | None:
    """Return to how many digits all numbers are rounded, where that says more than how many decimals they have."""
    x = x[x != np.round(x)][: limits.SOME]
    with np.errstate(all="ignore"):
        size = np.floor(np.log10(np.abs(x)))
        for n in range(limits.PRINTED, 10 if len(x) else 0):
            scaled = x * 10.0 ** (n - 1 - size)
            if (np.abs(scaled - np.round(scaled)) <= np.abs(scaled) * 4 * DOUBLE).all():
                as_decimals = np.inf if decimals is None else decimals + 1 + size.max()  # digits of the largest number
                return n if n < as_decimals else None
    return None


# ------------------------------------------------------------------ numbers that were measured

CONSTANTS = {np.pi: "np.pi", 2 * np.pi: "2 * np.pi", np.e: "np.e", np.pi / 2: "np.pi / 2", np.pi / 180: "np.pi / 180"}


class Number(NamedTuple):
    """A number as it is written in a line, and its value."""

    text: str
    value: float


NEUTRAL = [Number("0", 0.0), Number("1", 1.0)]  # to add, and to multiply by


def price(text: str) -> float:
    """Return what a number costs that was measured: the more, the more digits it needs."""
    digits = len(re.sub(r"\D", "", text.partition("e")[0]).strip("0"))
    return 0.1 if digits <= 2 else 0.2 if digits <= 6 else 0.4


def spelled(x: float, off: float = 0.0) -> Iterator[Number]:
    """Yield ever less plain numbers near x, the last of them x itself.

    First 0, multiples of pi and e, and short decimals, then equal parts of 1 and roots, and last all digits. `off` is
    how far x may be off: a part or a root that is no nearer than chance would bring it is left out.

    >>> [number.text for number in spelled(1 / 3, 1e-8)][:4]
    ['0', '0.3', '0.33', '1 / 3']
    """
    yield Number("0", 0.0)
    sign, size = ("-" if x < 0 else ""), abs(x)
    for value, text in CONSTANTS.items():
        if abs(value - size) <= 1e-4 * value:
            yield Number(sign + text, float(np.copysign(value, x)))
    decimals = list(dict.fromkeys(float(f"{x:.{digits}e}") for digits in range(17)))
    yield from (Number(f"{value:g}", value) for value in decimals[:2])
    for power, form in ((-1, "1 / {}"), (2, "np.sqrt({})"), (-2, "1 / np.sqrt({})")):
        n = round(size**power) if 1e-3 < size < 1e3 else 0
        if 2 < n < limits.LARGEST_DENOMINATOR and 20 * n * off < size:
            yield Number(sign + form.format(n), float(np.copysign(n ** (1 / power), x)))
    yield from (Number(f"{value:g}", value) for value in decimals[2:] if float(f"{value:g}") == value)
    yield from (Number(repr(value), value) for value in decimals if float(f"{value:g}") != value)


def best_change(missing: np.ndarray, slopes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the least-squares change of some numbers, and the worst miss it leaves, as a share of what's allowed.

    Parameters
    ----------
    missing, allowed : ndarray of shape (n,)
        What n cells lack, and how much they may lack.
    slopes : ndarray of shape (k, n)
        By how much each cell changes with each of k numbers.
    """
    a, b = (slopes / allowed).T, missing / allowed
    change = np.linalg.lstsq(a, b, rcond=None)[0]
    if len(change) == 1 and (told := np.abs(a[:, 0]) > 1e-12).any():  # in the middle of the bounds that cells set
        ends = np.sort([(b - 1)[told] / a[told, 0], (b + 1)[told] / a[told, 0]], axis=0)
        change[0] = (ends[0].max() + ends[1].min()) / 2
    return change, float(np.abs(b - a @ change).max(initial=0))


def plainest(x: np.ndarray, missing: np.ndarray, slopes: np.ndarray, allowed: np.ndarray) -> list[Number]:
    """Return the plainest numbers near x that leave no cell further off than is allowed: parameters of `best_change`.

    First those that can be 0 or 1 are settled, then the rest is spelled, both times from the last one to the first.
    As long as others are free, cells may be a little further off: least squares don't make the greatest miss smallest.
    """
    settled: dict[int, Number] = {}
    for neutral in (True, False):
        for k in reversed(range(len(x))):
            if k in settled:
                continue
            rest = [n for n in range(len(x)) if n not in settled and n != k]
            best = float(x[k] + best_change(missing, slopes[[k, *rest]], allowed)[0][0])
            off = float(np.min(allowed / np.maximum(np.abs(slopes[k]), 1e-300), initial=np.inf))
            candidates = NEUTRAL if neutral else spelled(best, off)
            for number in candidates:
                left = missing - slopes[k] * (number.value - x[k])
                share = best_change(left, slopes[rest], allowed)[1]
                if number.value == best or share <= (limits.HOPELESS if rest else 1):
                    settled[k], missing = number, left
                    break
    return [settled[k] for k in range(len(x))]
