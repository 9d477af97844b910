"""The exercises of notebook 05, *Count in binary*."""

import numpy as np

from pe_exercises.comparing import PRINTED, apart, rounded_to
from pe_exercises.engine import exercise
from pe_lib.binary import bits
from pe_lib.encoding import frequencies

PLACES = np.array([8, 4, 2, 1])  # of four bits, and the divisors of base 16 and eight columns, the slowest first
ALMOST_ZERO = 1e-9  # a sine so small is a zero that was rounded


def look_at_the_ratio(base):
    if base <= 0:
        return "A base is a number above 0."
    if base < 1:
        return "With a base below 1 each hand is slower than the next: the last is the fastest."
    ratio, asked = apart(float(base) ** 0.25, 60)
    return f"With base {base:.10g} each hand is {ratio} times as fast as the next, not {asked} times."


@exercise(
    hint="The ratio is `base ** (2 / 8)`. What power undoes a fourth root?",
    wrong=[
        (60, "60 should be the ratio. With base 60 it's 2.783, since only a root of the base counts."),
        (60**3, "That's the ratio of the first hand's speed to the last's. The base has one more factor of 60."),
        (60**8, "The exponent of the ratio is 2/8. You undid 1/8."),
        (60**2, "With base 3600 the ratio is 7.746. You undid a square root; what root is 2/8?"),
        (240, "Four times 60? From hand to hand the speeds are multiplied, not added."),
        (60**0.25, "That's the fourth root of 60. The ratio is a fourth root; what is the base?"),
    ],
    otherwise=look_at_the_ratio,
)
def hands_like_those_of_a_wall_clock():
    """The ratio is the fourth root of the base, and 60 to the power 4 is 12960000. The hour hand of a wall clock
    wouldn't fit in, because the minute hand is only 12 times as fast.

    The slowest hand completes a turn after 1357168 positions, the fastest after 6.3, as with any base.
    """
    return 60**4


def sines_and_cosines(w, length):
    angle = np.multiply.outer(np.arange(length), w)
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)


def same_products(one, other):
    off = 1e-3 if one.dtype == np.float16 else PRINTED
    return np.allclose(one @ one.T, other @ other.T, rtol=0, atol=2 * off * other.shape[1])


def look_at_the_dot_products(rows, w, length):
    right = sines_and_cosines(w, length)
    if same_products(rows, right):
        return ""
    for k in (1, 2, 3):
        if np.array_equal(rows, rows.round(k)) and np.allclose(rows @ rows.T, right @ right.T, atol=len(w) / 10**k):
            return rounded_to(k)
    for other, says in (
        (frequencies(2 * len(w)), "These are the paper's frequencies. Take the ones in `w`."),
        (1 / w, "You divided a position by `w`, as if these were divisors. They are frequencies."),
        (np.degrees(w), "These are angles in degrees. Sines and cosines take radians, like `w`."),
        (np.radians(w), "You took these angles for degrees, but they are radians already."),
        (1e-4**w, "You raised 10000 to `w`. The numbers in `w` are frequencies already."),
        (2 * np.pi * w, "Leave out the factor 2π: `w` says by how many radians a hand turns."),
    ):
        if same_products(rows, sines_and_cosines(other, length)):
            return says
    factor = rows[0] @ rows[0] / len(w)
    if factor > 0 and same_products(rows / np.sqrt(factor), right):
        return f"All dot products are {apart(factor, 1)[0]} times what they should be. Leave the factor out."
    products, expected = rows @ rows.T, right @ right.T
    p, q = np.unravel_index(np.abs(products - expected).argmax(), products.shape)
    found, asked = apart(products[p, q], expected[p, q])
    return f"""The dot product of rows {p} and {q} is {found}, but the cosines of all `w_i * {p - q}` add up to
        {asked}. Does each frequency in `w` have a sine and a cosine of the same angle?"""


@exercise(
    hint="""`np.arange(length)[:, np.newaxis] * w` has an angle for every position and every frequency. Sines and
        cosines may come in any order of columns, because a dot product ignores the order.""",
    inputs=[(np.array([1.0, 0.3]), 3), (np.random.default_rng(5).uniform(0, 1, size=4), 16), (np.array([0.7]), 30)],
    wrong=[
        (
            lambda w, length: sines_and_cosines(w, length) @ sines_and_cosines(w, length).T,
            "These are the dot products of the rows. Return the rows themselves.",
        ),
        (
            lambda w, length: sines_and_cosines(w, length).reshape(length, 2, -1).swapaxes(1, 2),
            "These are the right numbers, but each position should have a single row of them.",
        ),
        (
            lambda w, length: np.sin(np.multiply.outer(np.arange(length), w)),
            "These are the sines alone. How many columns does each frequency need?",
        ),
        (
            lambda w, length: np.concatenate(np.split(sines_and_cosines(w, length), 2, axis=1)),
            "The cosines belong next to the sines, not below them.",
        ),
    ],
    judge=look_at_the_dot_products,
)
def random_frequencies(w, length):
    """For the angles a and b of a hand at two positions, sin a sin b + cos a cos b = cos(a - b), and a - b is w_i times
    the offset. Whatever the frequencies are, the dot product depends on the offset alone, and all steps are equally
    long.

    The frequencies decide how fast the dot product falls. Drawn uniformly up to π, they leave neighbours hardly more
    similar than rows far apart. The paper's are at most 1, and most of them far smaller.
    """
    angle = np.arange(length)[:, np.newaxis] * w
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)


def look_at_the_steps(codes):
    if (codes % 1).any():
        return "Some of these numbers aren't whole."
    numbers = [int(code) for code in codes]
    missing = sorted(set(range(16)) - set(numbers))
    if missing and max(numbers) > 9 and all(set(str(number)) <= {"0", "1"} for number in numbers):
        return "Python reads 11 as eleven. Write 0b11, or 3, for the bits 11."
    if missing:
        are = "One number is missing:" if len(missing) == 1 else f"{len(missing)} numbers are missing; the first is"
        return f"Each of 0 to 15 has to come once. {are} {missing[0]}."
    flips = np.abs(np.diff(bits(numbers, 4), axis=0)).sum(axis=1)
    if (flips == 1).all():
        return ""
    k, single = int(np.argmax(flips != 1)), int(np.sum(flips == 1))
    one, other = numbers[k : k + 2]
    return f"""At {single} of 15 steps a single bit changes. The first exception leads from {one} to {other},
        {one:04b} to {other:04b}: {flips[k]} bits."""


@exercise(
    hint="""With two bits: 00, 01, 11, 10. For three, write these four with a 0 in front, then the same four backwards
        with a 1 in front.""",
    wrong=[
        (
            bits([n ^ (n >> 1) for n in range(16)], 4),
            "These are rows of bits. What numbers are they?",
        ),
        (
            [0, 1, 3, 2],
            "Right for two bits. Append these backwards, each with a 1 bit in front. Then do that again.",
        ),
        ([0, 1, 3, 2, 6, 7, 5, 4], "Right for three bits. Append these backwards, each with a 1 bit in front."),
    ],
    judge=look_at_the_steps,
)
def bits_that_do_not_jump():
    """Every step changes one bit: a Gray code. And three steps apart? Whichever such order you found, some pairs
    differ in three bits and some in one. The encoding has one distance for each offset, wherever you start.

    Each doubling writes the list once more, backwards, with a 1 in front. Where the two halves meet, only the new bit
    differs. Within each half, neighbours differ as in the shorter list.
    """
    codes = [0]
    for bit in (1, 2, 4, 8):
        codes += [bit + code for code in reversed(codes)]
    return codes  # the same as [n ^ (n >> 1) for n in range(16)]


def signs_of_sines(positions):
    return (np.sin(positions[..., np.newaxis] / PLACES) < 0) @ PLACES  # the bits of a number


def look_at_the_signs(value, n):
    positions = value.astype(np.float64)
    found, smallest = signs_of_sines(positions), np.abs(np.sin(positions[:, np.newaxis] / PLACES)).min(axis=1)
    changing = smallest <= ALMOST_ZERO
    if not changing.any() and np.array_equal(found, n):
        return ""
    for factor, says in (
        (1, "The fastest sine repeats after 2π, and the last bit after 2. Are your positions stretched?"),
        (2 * np.pi, "From one number to the next the fastest sine makes a whole turn. How far should it go?"),
        (180, "Half a turn is 180 degrees, but a position over its divisor is an angle in radians."),
    ):
        if np.allclose(np.diff(positions), factor * np.diff(n)):
            return says
    if changing.any():
        return f"""For n = {n[smallest.argmin()]} a sine is 0, apart from rounding. It changes sign there, and leaves
            you no sign to read."""
    for other, says in (
        ((n - 1) % 16, "The signs are the bits of n - 1: you read half a step before the right place."),
        ((n + 1) % 16, "The signs are the bits of n + 1: you read too far along."),
        (15 - n, "All the signs are the other way round: 0 is for positive, 1 for negative."),
    ):
        if np.array_equal(found, other):
            return says
    k = int(np.argmax(found != n))
    return f"For n = {n[k]} the signs read {found[k]:04b}, which is {found[k]}."


@exercise(
    hint="""The rightmost bit has period 2 and the fastest sine 2π. Stretch the positions to match. Then
        the sine is 0 at `n` = 0, 1, 2 …, and a sign is best read halfway between two zeros.""",
    inputs=[(np.arange(16),), (np.array([9, 2, 14, 5]),)],
    judge=look_at_the_signs,
)
def where_the_signs_are_bits(n):
    """The fastest sine changes its sign every π positions, and the last bit changes at every number. Stretch the
    positions by π, and the signs change as often as the bits.

    At π times n the fastest sine is always 0. Half a step later it is 1, -1, 1, -1, and its signs are 0 1 0 1. The
    next sine runs half as fast, and its signs are 0 0 1 1. Any fraction between 0 and 1 will do instead of a half.
    Read this encoding at such positions, keep only the signs, and a binary counter is what remains.
    """
    return np.pi * (n + 0.5)
