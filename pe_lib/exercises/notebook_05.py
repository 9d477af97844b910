"""The exercises of notebook 05, *Count in binary*."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pe_lib.binary import bits
from pe_lib.encoding import frequencies
from pe_lib.exercises.engine import Exercise
from pe_lib.exercises.expectations import Accepted, Mistake, Numbers
from pe_lib.exercises.feedback import Feedback, Kind
from pe_lib.exercises.reading import NotReadableError

PLACES = np.array([8, 4, 2, 1])  # of four bits, and the divisors of base 16 and eight columns, the slowest first
ALMOST_ZERO = 1e-9  # a sine so small is a zero that was rounded


@dataclass(frozen=True)
class Base(Numbers):
    """Expect the base of eight columns, and say of another one which ratio it gives."""

    def otherwise(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Say how much faster each hand is than the next."""
        if value.ndim:
            return super().otherwise(value, right, inputs)
        if value <= 0:
            return Feedback("wrong", "A base is a number above 0.")
        if value < 1:
            return Feedback("wrong", "With a base below 1 each hand is slower than the next: the last is the fastest.")
        base, ratio = float(value), float(value) ** 0.25
        kind: Kind = "nearly" if abs(ratio - 60) < 0.5 else "wrong"
        said = f"{ratio:.10g}" if kind == "nearly" else f"{ratio:.4g}"
        return Feedback(kind, f"With base {base:.10g} each hand is {said} times as fast as the next, and not 60 times.")


def _sines_and_cosines(w: np.ndarray, length: int) -> np.ndarray:
    angle = np.arange(length)[:, np.newaxis] * w
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)


def _same(one: np.ndarray, other: np.ndarray, tolerance: float = 1e-6) -> bool:
    """Say whether the rows of two matrices have the same dot products."""
    return bool(np.allclose(one @ one.T, other @ other.T, rtol=0, atol=tolerance * other.shape[1]))


def judge_dot_products(rows: np.ndarray, w: np.ndarray, length: int) -> Feedback:
    """Judge rows by their dot products, which see no order of columns, against the sum over all cosines."""
    right = _sines_and_cosines(w, length)
    if rows.shape != right.shape:
        return _of_another_shape(rows, w, right)
    if not np.isfinite(rows).all():
        return Feedback("wrong", "There are numbers among them that are not finite.")
    tolerance = {2: 1e-2, 4: 1e-5}.get(rows.dtype.itemsize, 1e-6) if rows.dtype.kind == "f" else 1e-6
    rows = rows.astype(np.float64)
    if _same(rows, right, tolerance):
        return Feedback("right")
    for other, says in (
        (frequencies(2 * len(w)), "These are the paper's frequencies. Take the ones that stand in `w`."),
        (1 / w, "Here a position is divided by `w`, as if these were divisors. What does one do with a frequency?"),
        (np.degrees(w), "These are angles in degrees. Sines and cosines are taken of radians, and `w` is in radians."),
        (np.radians(w), "These angles were taken for degrees. They are radians already: leave the conversion out."),
        (1e-4**w, "Here 10000 is raised to `w`. The numbers in `w` are the frequencies as they are."),
        (2 * np.pi * w, "The factor 2π is too much: `w` says how many radians a hand turns at each step."),
    ):
        if _same(rows, _sines_and_cosines(other, length), tolerance):
            return Feedback("nearly", says)
    factor = rows[0] @ rows[0] / len(w)
    if factor > 0 and _same(rows / np.sqrt(factor), right, tolerance):
        return Feedback("nearly", f"All dot products are {factor:.4g} times what they should be: leave the factor out.")
    found, sums = rows @ rows.T, right @ right.T
    p, q = (int(k) for k in np.argwhere(np.abs(found - sums) > tolerance * right.shape[1])[0])
    return Feedback(
        "wrong",
        f"The dot product of rows {p} and {q} is {found[p, q]:.4g}, and the cosines of w_i times the offset "
        f"{p - q} add up to {sums[p, q]:.4g}. Has each frequency in `w` a sine and a cosine of the same angle?",
    )


def _of_another_shape(rows: np.ndarray, w: np.ndarray, right: np.ndarray) -> Feedback:
    """Say how rows of another shape may have come about."""
    length, columns = right.shape
    if rows.shape == (length, length) and np.allclose(rows, right @ right.T):
        return Feedback("nearly", "These are the dot products of the rows. The rows themselves are asked for.")
    if rows.shape == (columns, length) and _same(rows.T, right):
        return Feedback("nearly", "Rows and columns are exchanged: each position is to have a row.")
    if (
        rows.ndim == 3
        and rows.shape[0] == length
        and rows.size == right.size
        and _same(rows.reshape(length, -1), right)
    ):
        return Feedback("nearly", f"The right numbers, in shape {rows.shape}: let each position have one row of them.")
    said = f"Shape {right.shape} is asked for, and yours is {rows.shape}."
    if rows.ndim == 3:
        said += " Each position is to have one row, with all its sines and cosines."
    if rows.shape == (length, len(w)):
        said += " That is one column for each frequency. How many does a frequency need?"
    if rows.shape == (2 * length, len(w)):
        said += " The cosines stand below the sines; along which axis do they stand beside them?"
    return Feedback("wrong", said)


class Codes(Accepted):
    """Expect an order of numbers, and know their bits when they are written as texts."""

    def read(self, answer: Any) -> np.ndarray:
        """Make an array of an answer that is not of texts."""
        if isinstance(answer, list | tuple) and answer and all(isinstance(item, str) for item in answer):
            raise NotReadableError(
                "These are texts. Write the numbers that stand for them: the bits 11 are the number 3, or 0b11."
            )
        return super().read(answer)


def _flips(codes: np.ndarray) -> np.ndarray:
    """Count the bits that change at each step."""
    flips: np.ndarray = np.abs(np.diff(bits(codes.astype(int), 4), axis=0)).sum(axis=1)
    return flips


def judge_steps(codes: np.ndarray) -> Feedback:
    """Judge an order of the numbers 0 to 15 by how many bits change at each step."""
    if codes.shape == (16, 4):
        return Feedback("nearly", "These are rows of bits. Write the numbers that they stand for.")
    if (
        codes.shape in ((4,), (8,))
        and np.array_equal(np.sort(codes), np.arange(codes.size))
        and (_flips(codes) == 1).all()
    ):
        return Feedback("nearly", f"An order of {codes.size} numbers. The step that doubled it doubles it once more.")
    if codes.shape != (16,):
        return Feedback("wrong", f"A list of sixteen numbers is asked for, and yours has shape {codes.shape}.")
    if not np.array_equal(codes, np.round(codes)):  # not a number is not equal to itself
        return Feedback("wrong", "There are numbers among them that are not whole.")
    numbers = [int(code) for code in codes]
    missing = sorted(set(range(16)) - set(numbers))
    if missing and all(set(str(number)) <= {"0", "1"} for number in numbers):
        return Feedback("nearly", "Python reads 11 as eleven. Write 0b11, or 3, for the number with the bits 11.")
    if missing:
        if len(missing) == 1:
            return Feedback("wrong", f"Each of 0 to 15 comes once. One number is missing: {missing[0]}.")
        return Feedback(
            "wrong", f"Each of 0 to 15 comes once. {len(missing)} numbers are missing; the first is {missing[0]}."
        )
    flips = _flips(codes)
    if (flips == 1).all():
        return Feedback("right")
    k = int(np.flatnonzero(flips != 1)[0])
    one, other = numbers[k : k + 2]
    single = int(np.sum(flips == 1))
    return Feedback(
        "nearly" if single == 14 else "wrong",
        f"At {single} of 15 steps a single bit changes. The first at which it does not leads from {one} to {other}, "
        f"{one:04b} to {other:04b}: {flips[k]} bits.",
    )


def _number_in_signs(positions: np.ndarray) -> np.ndarray:
    """Read the signs of the four sines as the bits of a number."""
    signs: np.ndarray = (np.sin(positions[..., np.newaxis] / PLACES) < 0) @ PLACES
    return signs


def judge_signs(positions: np.ndarray, n: np.ndarray) -> Feedback:
    """Judge positions by the number that the signs of the sines make there."""
    if positions.shape != n.shape:
        return Feedback(
            "wrong", f"A position for each number in `n` is asked for, shape {n.shape}, and yours is {positions.shape}."
        )
    if not np.isfinite(positions).all():
        return Feedback("wrong", "There are positions among them that are not finite.")
    positions = positions.astype(np.float64)
    found = _number_in_signs(positions)
    smallest = np.abs(np.sin(positions[:, np.newaxis] / PLACES)).min(axis=1)
    if (smallest > ALMOST_ZERO).all() and np.array_equal(found, n):
        return Feedback("right")
    stretched = np.diff(positions) / np.diff(n)
    for factor, says in (
        (1, "The fastest sine repeats after 2π, and the last bit after 2. Are your positions stretched?"),
        (2 * np.pi, "From one number to the next the fastest sine makes a whole turn. How far must it come?"),
        (180, "Half a turn is 180 degrees, and a position over its divisor is an angle in radians."),
    ):
        if stretched.size and np.allclose(stretched, factor):
            return Feedback("wrong", says)
    if (smallest <= ALMOST_ZERO).any():
        k = int(smallest.argmin())
        return Feedback(
            "nearly" if np.array_equal(_number_in_signs(positions + np.pi / 2), n) else "wrong",
            f"For n = {n[k]} a sine is 0, but for rounding: it is changing its sign there, and none can be read.",
        )
    for other, says in (
        ((n - 1) % 16, "The signs are the bits of n - 1: you read half a step before the right place."),
        ((n + 1) % 16, "The signs are the bits of n + 1: you read too far on."),
        (15 - n, "All the signs are the other way round: 0 is for positive, 1 for negative."),
    ):
        if np.array_equal(found, other):
            return Feedback("nearly", says)
    k = int(np.flatnonzero(found != n)[0])
    return Feedback("wrong", f"For n = {n[k]} the signs read {found[k]:04b}, which is {found[k]}.")


EXERCISES = (
    Exercise(
        "hands like those of a wall clock",
        hint="The ratio is `base ** (2 / 8)`. Which power undoes a fourth root?",
        why="The ratio is the fourth root of the base, and 60 to the power 4 is 12960000. (The hour hand of a wall "
        "clock would not fit in: the minute hand is 12 times as fast as that.)",
        expect=Base(
            60**4,
            mistakes=(
                Mistake(60, "60 is to be the ratio. With base 60 it is 2.783, since only a root of the base counts."),
                Mistake(
                    60**3,
                    "That is how much faster the first hand is than the last, and there is one step more in the base: "
                    "count the exponents 0, 1/4, 2/4, 3/4.",
                    "nearly",
                ),
                Mistake(60**8, "The exponent of the ratio is 2/8. You undid 1/8.", "nearly"),
                Mistake(60**2, "With base 3600 the ratio is 7.746. You undid a square root; which root is 2/8?"),
                Mistake(240, "Four times 60? From hand to hand the speeds are multiplied, not added."),
                Mistake(60**0.25, "That is the fourth root of 60. The ratio is the root; the base is what it is of."),
            ),
        ),
    ),
    Exercise(
        "random frequencies",
        hint="`np.arange(length)[:, np.newaxis] * w` has an angle for every position and every frequency. Sines and "
        "cosines may stand in any order of columns: a dot product does not see it.",
        why="For each frequency sin a sin b + cos a cos b = cos(a - b), and a - b is w_i times the offset, whatever "
        "w_i is. So the sense of relative distance does not hang on the paper's choice; only how fast the dot "
        "product falls does.",
        expect=Accepted(judge_dot_products),
        inputs=(
            (np.array([1.0, 0.3]), 3),
            (np.random.default_rng(5).uniform(0, 1, size=4), 16),
            (np.array([0.7]), 30),
        ),
    ),
    Exercise(
        "bits that do not jump",
        hint="With two bits: 00, 01, 11, 10. For three, write these four with a 0 in front, then the same four "
        "backwards with a 1 in front.",
        why="Every step changes one bit: a Gray code. And three places apart? Whichever such order you found, some "
        "pairs differ in three bits and some in one, so the Hamming distance still depends on where they stand.",
        expect=Codes(judge_steps),
    ),
    Exercise(
        "where the signs are bits",
        hint="The rightmost bit has the period 2 and the fastest sine 2π, so positions must be stretched. Then look at "
        "where the sine is 0 at `n` = 0, 1, 2 …: a sign is read best halfway between two zeros.",
        why="The sine of π·t is negative where the whole part of t is odd. At π times n and a fraction, divided by a "
        "place value, this whole part is `n // place`: odd or even, that is the bit.",
        expect=Accepted(judge_signs),
        inputs=((np.arange(16),), (np.array([9, 2, 14, 5]),)),
    ),
)
