"""How finely numbers are written: the floating type that holds them, and the steps to which they were rounded."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pe_lib.diagnosis.recipe import Line
from pe_lib.diagnosis.report import count

BITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}  # binary digits of a number
LEAST_SIZE = 1e-3  # of the greatest number: larger ones tell whether digits were kept
FINEST = 1e-7  # step of which it is asked whether numbers were cut off to it, and not rounded
FEW_STEPS = 8  # to either side of 0, or fewer: whole numbers of which each may be many
COARSE = ("bfloat16", "float16")
USUAL = 0.9  # of the numbers are no larger than is meant by size
TELLING = 0.01  # or larger are numbers that need all their digits
FIRST = 20  # numbers are asked before all: they mostly say no
MISTYPED = 0.05  # of the numbers, or fewer, may have more decimals than the others
FEWEST = 10  # numbers, or more: one of them may
# of the size of the numbers, the greatest that is not whole, if they are said to be rounded; more in few digits
LEAST_TOLD, MOST_TOLD = 1e-4, 2e-3
LEAST = {"bfloat16": -126, "float16": -14, "float32": -126, "float64": -1022}  # exponent of the smallest normal number


@dataclass(frozen=True)
class Grain:
    """How finely some numbers are written."""

    dtype: str  # of the array
    held_by: str  # the smallest type that holds every one of the numbers
    stored: Line | None = None  # the line that rounds as these numbers were rounded, if they were
    step: float = 0.0  # between two neighbours after that rounding; 0 without
    floor: float = 0.0  # how far numbers may be off for another reason, such as a subtraction of larger ones
    whole: bool = False  # they came in a type of whole numbers
    nearly: "Grain | None" = None  # how all of them are written but a few, which may be mistyped
    cut: str = ""  # how they came to their steps where they were not rounded: trunc, floor or ceil

    @property
    def noise(self) -> float:
        """How far a number near 1 may be from what was meant."""
        return max(2.0 ** -BITS[self.held_by], self.step / 2, self.floor, 4e-15)

    @property
    def even(self) -> bool:
        """Whether all steps are of one size."""
        stored = self.stored
        return stored is not None and "unit" not in stored.code and stored.finding != "low-precision"

    def middle(self, values: np.ndarray) -> np.ndarray:
        """Return what numbers most likely were before they were cut off: half a step from where they are."""
        if not self.cut:
            return values
        way = {"trunc": np.sign(values), "floor": 1.0, "ceil": -1.0}[self.cut]
        found: np.ndarray = values + self.step / 2 * way
        return found

    def otherwise(self) -> Iterator["Grain"]:
        """Yield the ways in which numbers may have come to these steps: held in few digits before, or cut off."""
        if self.stored is None or not self.even or self.step < FINEST:
            return
        ending = self.stored.code.removeprefix("matrix = matrix")
        for name in COARSE if ending.startswith(".round") else ():
            if self.step < 4 * 2.0 ** -BITS[name]:
                code = f"matrix = np.float64({'np.' * (name == 'float16')}{name}(matrix)){ending}"
                words = self.stored.words | {"so": f", after {name} had held them"}
                yield replace(self, held_by=name, stored=replace(self.stored, code=code, words=words))
        parts = round(1 / self.step)
        for function, how in (("trunc", "cut off"), ("floor", "rounded down"), ("ceil", "rounded up")):
            code = f"np.{function}(matrix)" if parts == 1 else f"np.{function}(matrix * {parts}) / {parts}"
            finding = "integers" if parts == 1 else "truncated"
            line = Line("stored", f"matrix = {code}", finding, words=self.stored.words | {"how": how}, cost=0.5)
            yield replace(self, stored=line, cut=function)

    def room(self, values: np.ndarray) -> np.ndarray:
        """Return for each number how far it may be from what was stored."""
        if self.stored is not None and self.held_by in COARSE:
            return np.zeros(values.shape)  # the line that stores them rounds as they were rounded
        least = max(LEAST[self.held_by], LEAST[self.dtype] + BITS[self.held_by] - BITS[self.dtype])
        found: np.ndarray = np.abs(values)
        np.maximum(found, 2.0**least, out=found)
        found *= 1.6 * 2.0 ** -BITS[self.held_by]
        found += self.floor
        return found


def grain_of(values: np.ndarray, dtype: str) -> Grain:
    """Measure how finely the numbers of a matrix are written."""
    in_whole_numbers = dtype not in BITS
    dtype = "float64" if in_whole_numbers else dtype
    some = values.ravel()[:: max(1, values.size // 4096)]  # mostly a few are enough to say no
    held_by = next(name for name in BITS if name == dtype or (_holds(name, some) and _holds(name, values)))
    held_by = min(held_by, dtype, key=lambda name: BITS[name])
    ways = _roundings(some, values, held_by)
    whole = np.all(some == np.rint(some))
    finest = 2.0 ** -BITS["float16"] * min(abs(some).max(), 1.0)
    fine = held_by == dtype and not whole and (not ways or ways[0][1] < finest)
    told = np.unique(some[(abs(some) > TELLING) & (some != np.rint(some))])
    if fine and len(told) >= FEW_STEPS and _as_printed(told[:FIRST]) and _as_printed(np.unique(values)):
        code, said = (
            "np.float16(matrix).astype(str).astype(float)",
            "The numbers have the digits that float16 is printed with.",
        )
        return Grain(dtype, "float16", _few_digits(code, said), 2.0 ** (1 - BITS["float16"]))
    if held_by in COARSE and dtype not in COARSE and not ways and not whole and len(np.unique(some)) > 8:
        code = f"{'np.' * (held_by == 'float16')}{held_by}(matrix)"
        said = f"The numbers have no more digits than {held_by} holds, although they come in {dtype}."
        return Grain(dtype, held_by, _few_digits(code, said), 2.0 ** (1 - BITS[held_by]))
    plain = Grain(dtype, held_by, whole=in_whole_numbers)
    found, *nearly = [replace(plain, stored=line, step=step) for line, step in ways] or [plain]
    return replace(found, nearly=nearly[0]) if nearly else found


def _as_printed(values: np.ndarray) -> bool:
    """Say whether numbers are written with the digits that a float16 is printed with."""
    with np.errstate(over="ignore"):
        return bool(np.array_equal(values.astype(np.float16).astype(str).astype(float), values))


def _few_digits(code: str, said: str) -> Line:
    return Line("stored", f"matrix = {code}", "low-precision", "note", {"words": said}, 0.1)


def _to_decimals(decimals: int) -> Line:
    return _rounded(f"matrix = matrix.round({decimals})", count(decimals, "decimal"))


def _rounded(code: str, to: str) -> Line:
    return Line("stored", code, "rounded", "note", {"to": to, "so": ""}, 0.1)


def _holds(name: str, values: np.ndarray) -> bool:
    """Say whether every number is one of the type."""
    mantissa, _ = np.frexp(values)
    scaled = np.ldexp(mantissa, BITS[name])
    fraction = scaled != np.rint(scaled)
    if not fraction.any():
        return True
    if name == "bfloat16":
        return False
    with np.errstate(over="ignore"):
        return bool(np.array_equal(values.astype(name).astype(np.float64), values))  # small numbers have fewer digits


def _roundings(some: np.ndarray, values: np.ndarray, held_by: str) -> list[tuple[Line, float]]:
    """Return the line by which numbers were rounded, the coarsest that may have been, and its step; none if none was.

    Behind one that keeps digits, also that to decimals which all but a few have: these may be mistyped.
    """
    told = some[some != np.rint(some)]
    size = float(abs(some).max())
    if not len(told) and FEW_STEPS < size < 1e7 and np.all(values == np.rint(values)):
        return [(Line("stored", "matrix = np.round(matrix)", "integers", words={"how": "rounded"}, cost=0.5), 1.0)]
    if len(told) < 2 or values.size < 4 or not 1e-6 < size < 1e6:
        return []
    slack = 2.0 ** -BITS[held_by] * size
    least = LEAST_TOLD if held_by == "float64" else MOST_TOLD
    if abs(told - np.rint(told)).max() < least * min(size, 1.0):
        return []  # multiples of one small frequency have few digits, and their sines are as they
    nearly: list[tuple[Line, float]] = []
    for line, step, first, digits in sorted(_ways(float(np.quantile(abs(told), USUAL))), key=lambda way: -way[1]):
        if step < 64 * slack:
            break
        decimals = "matrix.round" in line.code
        if not decimals and len(np.unique((told[abs(told) > LEAST_SIZE * size] / size).round(6))) < FEW_STEPS:
            continue  # so few large ones have few digits as it is
        if _beside(told[:FIRST], BITS[held_by], step, first, digits) > 1:
            continue
        others = _beside(values, BITS[held_by], step, first, digits)
        if not others:
            found = [(_coarse(line, step, values), step)]
            return nearly or found if decimals else found + nearly
        if decimals and not nearly and others <= max(MISTYPED * len(told), len(told) >= FEWEST):
            nearly = [(line, step)]
    return nearly


def _coarse(line: Line, step: float, values: np.ndarray) -> Line:
    """Return a line that rounds, as a mistake if it leaves one digit, or rows that cannot be told apart."""
    so = ""
    if step == 0.1 and "matrix.round" in line.code and len(np.unique(values, axis=0)) < len(values):
        so = ", so coarsely that rows run together"
    one_digit = line.words["to"] == count(1, "significant digit")
    return replace(line, kind="mistake", words=line.words | {"so": so}) if so or one_digit else line


def _ways(large: float) -> Iterator[tuple[Line, float, float, int]]:
    """Yield lines that round, the size of their steps, or of large ones, where they begin, and to how many digits."""
    yield from ((_to_decimals(decimals), 10.0**-decimals, 0.0, 0) for decimals in range(1, 9))
    code = "matrix = np.round((matrix + 1) * 127.5) / 127.5 - 1"
    yield _rounded(code, "one of 256 steps from -1 to 1, as uint8 holds them"), 2 / 255, -1.0, 0
    for parts in (7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 256, 32767):
        to = f"multiples of 1/{parts}, as whole numbers from -{parts} to {parts} hold them"
        yield _rounded(f"matrix = np.round(matrix * {parts}) / {parts}", to), 1 / parts, 0.0, 0
    for digits in range(1, 7):
        unit = f"unit = 10.0 ** (np.floor(np.log10(abs(matrix) + 1e-300)) - {digits - 1}); "
        line = _rounded(f"{unit}matrix = np.round(matrix / unit) * unit", count(digits, "significant digit"))
        yield line, 10.0 ** (np.ceil(np.log10(large) - 1e-6) - digits), 0.0, digits


def _beside(values: np.ndarray, bits: int, step: float, first: float, digits: int) -> int:
    """Return how many numbers are no multiples of a step from a first one on, or have more digits, if any are told."""
    sizes = abs(values) + 1e-300
    unit = 10.0 ** (np.floor(np.log10(sizes) + 1e-12) + 1 - digits) if digits else step
    parts = (values - first) / unit
    return int(np.count_nonzero(abs(parts - np.rint(parts)) * unit > 8 * 2.0**-bits * sizes + 1e-15))
