"""The exercises of notebook 11, *Does it ever repeat?*."""

import numpy as np

from pe_exercises.comparing import apart, diagnosed
from pe_exercises.engine import exercise
from pe_lib.encoding import encode_positions, frequencies, sinusoidal_encoding
from pe_lib.properties import distance

HALF_A_STEP = 2.0**-12  # how far rounding to float16 moves a number below 1, at most
FLOAT32_ANGLES = 2e-3  # above what float32 angles add to it in a table of 5000 positions


@exercise(
    hint="float16 has 11 significant bits and loses its first position after 2048. float32 has 24.",
    wrong=[
        (2**24 + 1, "Close. That's the second of the two. What is the first?"),
        (2**24 - 1, "That's 24 ones, all kept. Is the number after it a float32 too?"),
        (2**23, "That's 2^23, and 2^23 + 1 is still a float32. Count the bits of each."),
        (2**25, "That's 2^25. Some were lost before it: is 2^24 + 1 a float32?"),
        (2**32, "All 32 bits? Count only the significant bits: see the table."),
        (2048, "That's float16, with its 11 bits."),
    ],
    otherwise="How many significant bits does float32 have? What is the first whole number that needs one more?",
)
def the_end_of_counting_in_float32():
    """2^24 = 16777216 is a 1 and 24 zeros, and the next number needs a 25th bit. From there onward odd
    positions go to a neighbour, and words share a row.

    All positions before it are kept: float32 has every whole number up to 2^24.
    """
    return 2**24


def nearest(d_model, up_to):
    return 1 + distance(np.arange(1, up_to + 1), d_model).argmin()


@exercise(
    hint="""Make an array of the offsets themselves, beginning with 1, and one of their distances. `argmin` gives the
        index of the smallest distance, and the offset is at this index in the first array.""",
    inputs=[(2, 50), (2, 710), (4, 700), (6, 200), (512, 100)],
    wrong=[
        (lambda *_: 0, "Offset 0 is the position itself. Begin with 1."),
        (
            lambda d_model, up_to: nearest(d_model, up_to) - 1,
            "Close. One too small. `argmin` counts from 0: what offset is at that index?",
        ),
        (
            lambda d_model, up_to: nearest(d_model, up_to - 1),
            "You haven't tried the last offset, `up_to` itself.",
        ),
        (
            lambda d_model, up_to: distance(nearest(d_model, up_to), d_model),
            "That's how close it comes. We ask for the offset.",
        ),
    ],
)
def the_nearest_return(d_model, up_to):
    """Within 50 positions one hand comes closest at 44, which is 7 turns. With 512 columns the closest is the
    neighbour: many hands rarely align by chance.

    You can do without `distance`: compare all rows of a table with row 0, and count from row 1. Keep the array of
    offsets next to the array of distances, because `argmin` gives an index, not a value.
    """
    k = np.arange(1, up_to + 1)
    return k[distance(k, d_model).argmin()]


def kept(x, bits, rounded=np.round):
    part, exponent = np.frexp(x)
    return np.ldexp(rounded(np.ldexp(part, bits)), exponent - bits)


@exercise(
    hint="""`np.frexp(x)` splits numbers into `part * 2**exponent`, with the part between 0.5 and 1.
        `np.ldexp(part, exponent)` puts them together again. Shift the part by `bits` binary places, round, and
        shift it back.""",
    inputs=[
        (np.array([255.0, 256.0, 257.0, 258.0, 259.0, np.pi, 1e-3]), 8),
        (np.array([2047.0, 2049.0, 2051.0, -0.1, 0.0, 1.0]), 11),
        (np.array([[5.0, -7.0], [9.0, 0.3]]), 2),
    ],
    wrong=[
        (
            lambda x, bits: kept(x, bits, np.trunc),
            "You cut the bits off. 259 is a tie and goes to 260, whose last kept bit is 0.",
        ),
        (
            lambda x, bits: kept(x, bits, lambda part: np.floor(part + 0.5)),
            "Ties go upward here. 257, between 256 and 258, goes to 256, whose last kept bit is 0.",
        ),
        (
            lambda x, bits: np.round(x * 2.0**bits) / 2.0**bits,
            """This keeps that many digits after the point, whatever the size of the number. Where is a number's first
            1?""",
        ),
        (
            lambda x, bits: kept(x, bits + 1),
            "These have one bit more than we ask for. The first 1 counts as a bit too.",
        ),
        (
            lambda x, bits: kept(x, bits - 1),
            "These have one bit less than we ask for. Between which numbers is the part?",
        ),
        (lambda x, _: x, "You've hardly rounded anything. (`np.round(part, bits)` counts decimal places.)"),
    ],
)
def any_number_of_bits(x, bits):
    """The exponent holds the size of the number separately, and every number keeps `bits` digits.
    `np.round` sends ties to the even neighbour, as the types do, and 8 bits give bfloat16.

    In binary the part has its first 1 right after the point: its first `bits` digits are those to keep. With 24
    bits this is float32, as long as the numbers stay within the range of the type.
    """
    part, exponent = np.frexp(x)
    return np.ldexp(np.round(np.ldexp(part, bits)), exponent - bits)


def look_at_the_errors(table, length, d_model):
    exact = sinusoidal_encoding(length, d_model)
    errors = np.abs(table.astype(np.float64) - exact)
    greatest, (row, column) = errors.max(), np.unravel_index(errors.argmax(), errors.shape)
    found, allowed = apart(greatest, HALF_A_STEP, 2)
    worst = f"The greatest error is {found}, in row {row}, column {column}."
    if greatest > HALF_A_STEP:
        for k in range(1, 6):
            if np.array_equal(table, np.round(exact, k).astype(table.dtype)):
                return f"{worst} You rounded to {k} decimal{'s' * (k > 1)}. Let the type do the rounding."
    if errors[0].max() > HALF_A_STEP:
        return f"{worst} Row 0 is off already, at angle 0. Where do the sines go?"
    if greatest > FLOAT32_ANGLES:
        return f"{worst} It grows from row to row: what did you round before the sines?"
    if greatest > 1.003 * HALF_A_STEP:
        return f"{worst} Rounding alone costs {allowed} at most. What type are your angles?"
    right = "Close. The numbers are right"
    return "" if table.dtype == np.float16 else f"{right}, but you stored them as {table.dtype}. We ask for float16."


@exercise(
    hint="""Only the table needs float16. Let positions, frequencies, angles and sines be float64, as NumPy makes
        them unless you tell it otherwise, and give the table its type at the end.""",
    inputs=[(2500, 16), (600, 64)],  # longer than float16 counts, so that positions rounded to it show
    judge=look_at_the_errors,
)
def a_table_worth_its_bits(length, d_model):
    """Sines are never above 1, and rounding them to 11 bits moves them by 0.00024 at most, at every position. The
    angles had all their digits when you needed them.

    Angles in float32 are good enough for short tables: up to a thousand positions they hardly make a difference, but
    at 100,000 the angles do more harm than float16 does.
    """
    angle = np.arange(length)[:, np.newaxis] * frequencies(d_model)
    table = np.empty((length, d_model), dtype=np.float16)
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return table


@exercise(
    hint="""Keep the hands as complex numbers; row 0 is all ones. Once you have n rows, `np.exp(1j * n * w)`
        rotates each of them by n positions: `np.concatenate` the old and the new until there are enough, and cut
        off the extra. The sines are the imaginary parts.""",
    inputs=[(8, 6), (10, 6), (1, 4), (300, 16)],
    wrong=[
        (
            lambda length, d_model: encode_positions(-np.arange(length), d_model),
            "Close. The hands turn the wrong way. What sign does the exponent have?",
        ),
        (
            lambda length, d_model: np.roll(sinusoidal_encoding(length, d_model).reshape(-1, 2), 1, 1).reshape(
                length, -1
            ),
            "Cosines are where sines should be. What is the real part of your hands?",
        ),
    ],
    otherwise=diagnosed,
)
def doubling(length, d_model):
    """Each step rotates all the rows you have by as many positions as there are rows. A table of 4096 takes 12 such
    steps, with one row of sines and cosines for each.

    Position 5 is 4 + 1, and its row is row 0 rotated by 1 and then by 4: once for each 1 of the position in binary.
    That is at most 12 times in a table of 4096 rows, and hardly any error can add up.
    """
    w = frequencies(d_model)
    hands = np.ones((1, len(w)), dtype=complex)  # position 0: cosine 1, sine 0
    while len(hands) < length:
        hands = np.concatenate([hands, hands * np.exp(1j * len(hands) * w)])
    table = np.empty((length, d_model))
    table[:, 0::2], table[:, 1::2] = hands[:length].imag, hands[:length].real
    return table
