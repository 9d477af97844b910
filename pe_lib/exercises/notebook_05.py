"""The exercises of notebook 05, *Count in binary*."""

import numpy as np

from pe_lib.binary import bits
from pe_lib.encoding import frequencies
from pe_lib.exercises.former.comparing import agrees, apart, not_finite, rounded_to, tolerance, unfit
from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import GIVEN, Answer, Answers, When

PLACES = np.array([8, 4, 2, 1])  # of four bits, and the divisors of base 16 and eight columns, the slowest first
ALMOST_ZERO = 1e-9  # a sine so small is a zero that was rounded


@exercise(
    hint="The ratio is `base ** (2 / 8)`. Which power undoes a fourth root?",
    why="""The ratio is the fourth root of the base, and 60 to the power 4 is 12960000. (The hour hand of a wall clock
        would not fit in: the minute hand is 12 times as fast as that.)""",
)
def hands_like_those_of_a_wall_clock() -> Answers:
    yield Answer(60**4)
    yield Answer(60).wrong("60 is to be the ratio. With base 60 it is 2.783, since only a root of the base counts.")
    yield Answer(60**3).nearly("That is the first hand over the last; the base has one step more: 0, 1/4, 2/4, 3/4.")
    yield Answer(60**8).nearly("The exponent of the ratio is 2/8. You undid 1/8.")
    yield Answer(60**2).wrong("With base 3600 the ratio is 7.746. You undid a square root; which root is 2/8?")
    yield Answer(240).wrong("Four times 60? From hand to hand the speeds are multiplied, not added.")
    yield Answer(60**0.25).wrong("That is the fourth root of 60. The ratio is the root; the base is what it is of.")
    base = yield GIVEN
    yield When(base <= 0).wrong("A base is a number above 0.")
    yield When(base < 1).wrong("With a base below 1 each hand is slower than the next: the last is the fastest.")
    ratio, asked = apart(float(base) ** 0.25, 60)
    text = f"With base {base:.10g} each hand is {ratio} times as fast as the next, and not {asked} times."
    yield When(True).wrong(text, nearly_if=abs(float(ratio) - 60) < 0.5)


def _sines_and_cosines(w: np.ndarray, length: int) -> np.ndarray:
    angle = np.multiply.outer(np.arange(length), w)
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)


def _same_products(one: np.ndarray, other: np.ndarray, off: float = 1e-6) -> bool:
    """Say whether the rows of two matrices have the same dot products, if each number of the first may be off."""
    return bool(np.allclose(one @ one.T, other @ other.T, rtol=0, atol=2 * off * other.shape[1]))


@exercise(
    hint="""`np.arange(length)[:, np.newaxis] * w` has an angle for every position and every frequency. Sines and
        cosines may stand in any order of columns: a dot product does not see it.""",
    why="""For each frequency sin a sin b + cos a cos b = cos(a - b), and a - b is w_i times the offset, whatever w_i
        is. So the sense of relative distance is not lost. What the choice decides is how fast the dot product falls:
        drawn evenly up to π, frequencies leave neighbours hardly more alike than strangers.""",
    inputs=((np.array([1.0, 0.3]), 3), (np.random.default_rng(5).uniform(0, 1, size=4), 16), (np.array([0.7]), 30)),
)
def random_frequencies(w: np.ndarray, length: int) -> Answers:
    value = yield GIVEN
    right, rows, off = _sines_and_cosines(w, length), value.astype(np.float64), tolerance(value)
    if rows.shape != right.shape:
        products = rows.shape == (length, length) and agrees(rows, right @ right.T)
        yield When(products).nearly("These are the dot products of the rows. The rows themselves are asked for.")
        exchanged = rows.shape == right.T.shape and _same_products(rows.T, right)
        yield When(exchanged).nearly("Rows and columns are exchanged: each position is to have a row.")
        beside = rows.ndim == 3 and len(rows) == length and rows.size == right.size
        yield When(beside and _same_products(rows.reshape(length, -1), right)).nearly(f"""The right numbers, in shape
            {rows.shape}: let each position have one row of them.""")
        said = f"Shape {right.shape} is asked for, and yours is {rows.shape}."
        yield When(rows.ndim == 3).wrong(f"{said} Each position is to have one row, with all its sines and cosines.")
        yield When(rows.shape == (length, len(w))).wrong(f"{said} How many columns does each frequency need?")
        yield When(rows.shape == (2 * length, len(w))).wrong(f"{said} The cosines belong beside the sines, not below.")
        yield When(True).wrong(said)
    yield When(lost := not_finite(rows)).wrong(lost)
    yield When(_same_products(rows, right, off))
    for k in (1, 2, 3):
        as_printed = np.array_equal(rows, rows.round(k)) and _same_products(rows, right, 10.0**-k)
        yield When(as_printed).nearly(f"The numbers are {rounded_to(k)}")
    for other, says in (
        (frequencies(2 * len(w)), "These are the paper's frequencies. Take the ones that stand in `w`."),
        (1 / w, "A position is divided by `w` here, as if these were divisors. They are frequencies."),
        (np.degrees(w), "These are angles in degrees. Sines and cosines take radians, like `w`."),
        (np.radians(w), "These angles were taken for degrees, and they are radians already."),
        (1e-4**w, "Here 10000 is raised to `w`. The numbers in `w` are the frequencies as they are."),
        (2 * np.pi * w, "The factor 2π is too much: `w` says by how many radians a hand turns."),
    ):
        yield When(_same_products(rows, _sines_and_cosines(other, length), off)).nearly(says)
    factor = rows[0] @ rows[0] / len(w)
    yield When(factor > 0 and _same_products(rows / np.sqrt(factor), right, off)).nearly(f"""All dot products are
        {apart(factor, 1)[0]} times what they should be: leave the factor out.""")
    products, expected = rows @ rows.T, right @ right.T
    p, q = np.argwhere(np.abs(products - expected) > 2 * off * right.shape[1])[0].tolist()
    found, asked = apart(products[p, q], expected[p, q])
    yield When(True).wrong(f"""The dot product of rows {p} and {q} is {found}, and the cosines of w_i times the offset
        {p - q} add up to {asked}. Has each frequency in `w` a sine and a cosine of the same angle?""")


def _flips(codes: np.ndarray) -> np.ndarray:
    """Count the bits that change at each step."""
    flips: np.ndarray = np.abs(np.diff(bits(codes.astype(int), 4), axis=0)).sum(axis=1)
    return flips


@exercise(
    hint="""With two bits: 00, 01, 11, 10. For three, write these four with a 0 in front, then the same four backwards
        with a 1 in front.""",
    why="""Every step changes one bit: a Gray code. And three places apart? Whichever such order you found, some pairs
        differ in three bits and some in one, so the Hamming distance still depends on where they stand.""",
)
def bits_that_do_not_jump() -> Answers:
    codes = yield GIVEN
    yield When(codes.shape == (16, 4)).nearly("These are rows of bits. Write the numbers that they stand for.")
    half = codes.shape in ((4,), (8,)) and np.array_equal(np.sort(codes), np.arange(codes.size))
    yield When(half and (_flips(codes) == 1).all()).nearly("The step that doubled this order doubles it once more.")
    yield When(codes.shape != (16,)).wrong(f"A list of sixteen numbers is asked for; yours has shape {codes.shape}.")
    yield When(not (codes % 1 == 0).all()).wrong("There are numbers among them that are not whole.")
    numbers = [int(code) for code in codes]
    missing = sorted(set(range(16)) - set(numbers))
    as_written = max(numbers) > 9 and all(set(str(number)) <= {"0", "1"} for number in numbers)
    yield When(missing and as_written).nearly("Python reads 11 as eleven. Write 0b11, or 3, for the bits 11.")
    are = "One number is missing:" if len(missing) == 1 else f"{len(missing)} numbers are missing; the first is"
    yield When(missing).wrong(f"Each of 0 to 15 comes once. {are} {min(missing, default=0)}.")
    flips = _flips(codes)
    yield When((flips == 1).all())
    k, single = int(np.argmax(flips != 1)), int(np.sum(flips == 1))
    one, other = numbers[k : k + 2]
    text = f"""At {single} of 15 steps a single bit changes. The first at which it does not leads from {one} to {other},
        {one:04b} to {other:04b}: {flips[k]} bits."""
    yield When(True).wrong(text, nearly_if=single == 14)


def _signs_of_sines(positions: np.ndarray) -> np.ndarray:
    """Read the signs of the four sines as the bits of a number."""
    signs: np.ndarray = (np.sin(positions[..., np.newaxis] / PLACES) < 0) @ PLACES
    return signs


@exercise(
    hint="""The rightmost bit has the period 2 and the fastest sine 2π, so positions must be stretched. Then look at
        where the sine is 0 at `n` = 0, 1, 2 …: a sign is read best halfway between two zeros.""",
    why="""The sine of π·t is negative where the whole part of t is odd. At π times n and a fraction, divided by a place
        value, this whole part is `n // place`: odd or even, that is the bit.""",
    inputs=((np.arange(16),), (np.array([9, 2, 14, 5]),)),
)
def where_the_signs_are_bits(n: np.ndarray) -> Answers:
    value = yield GIVEN
    yield When(said := unfit(value, n.shape)).wrong(f"{said} Each number in `n` is to have a position.")
    positions = value.astype(np.float64)
    found, smallest = _signs_of_sines(positions), np.abs(np.sin(positions[:, np.newaxis] / PLACES)).min(axis=1)
    changing = smallest <= ALMOST_ZERO
    yield When(not changing.any() and np.array_equal(found, n))
    for factor, says in (
        (1, "The fastest sine repeats after 2π, and the last bit after 2. Are your positions stretched?"),
        (2 * np.pi, "From one number to the next the fastest sine makes a whole turn. How far must it come?"),
        (180, "Half a turn is 180 degrees, and a position over its divisor is an angle in radians."),
    ):
        yield When(np.allclose(np.diff(positions), factor * np.diff(n))).wrong(says)
    k = int(smallest.argmin())
    text = f"For n = {n[k]} a sine is 0, but for rounding: it is changing its sign there, and none can be read."
    yield When(changing.any()).wrong(text, nearly_if=np.array_equal(_signs_of_sines(positions + np.pi / 2), n))
    for other, says in (
        ((n - 1) % 16, "The signs are the bits of n - 1: you read half a step before the right place."),
        ((n + 1) % 16, "The signs are the bits of n + 1: you read too far on."),
        (15 - n, "All the signs are the other way round: 0 is for positive, 1 for negative."),
    ):
        yield When(np.array_equal(found, other)).nearly(says)
    k = int(np.argmax(found != n))
    yield When(True).wrong(f"For n = {n[k]} the signs read {found[k]:04b}, which is {found[k]}.")
