"""The exercises of notebook 08, *Find out how far it counts*."""

from collections.abc import Callable

import numpy as np

from pe_lib.encoding import encode_positions, sinusoidal_encoding
from pe_lib.exercises.former.comparing import apart, unfit
from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import GIVEN, Answer, Answers, Choice, Encoding, When
from pe_lib.properties import distance

HALF_A_STEP = 2.0**-12  # how far rounding to float16 moves a number below 1, at most
FLOAT32_ANGLES = 2e-3  # more than angles in float32 add to that in a table of 5000 positions


def _nearest(d_model: int, up_to: int) -> int:
    return 1 + int(distance(np.arange(1, up_to + 1), d_model).argmin())


def _kept(x: np.ndarray, bits: int, rounded: Callable[[np.ndarray], np.ndarray] = np.round) -> np.ndarray:
    significand, exponent = np.frexp(x)
    kept: np.ndarray = np.ldexp(rounded(np.ldexp(significand, bits)), exponent - bits)
    return kept


@exercise(
    hint="float16 has 11 significant bits and loses its first position after 2048. float32 has 24.",
    why="""2^24 = 16777216 takes its 1 and 24 zeros, and the next number needs a 25th bit. From there on, odd positions
        go to a neighbour, and two words share a row.""",
    expect=Choice,  # exact, where Numbers would let a millionth pass
    otherwise="How many significant bits has float32? Which whole number is the first that needs one more?",
)
def the_end_of_counting_in_float32() -> Answers:
    yield Answer(2**24)
    yield Answer(2**24 + 1).nearly("That is the second of the two. Which is the first?")
    yield Answer(2**24 - 1).nearly("That is 24 ones, all kept. Is the number after it a float32 too?")
    yield Answer(2**23).nearly("That is 2^23, and 2^23 + 1 still has its place. Count the bits of each.")
    yield Answer(2**25).nearly("That is 2^25. Some were lost before it: is 2^24 + 1 a float32?")
    yield Answer(2**32).wrong("All 32 bits? One is for the sign, and eight are for the exponent.")
    yield Answer(2048).wrong("That is float16, with its 11 bits.")


@exercise(
    hint="""Make an array of the offsets themselves, beginning with 1, and one of their distances. `argmin` gives the
        place of the smallest distance, and the offset is what stands at this place in the first array.""",
    why="""Within 50 positions one hand comes nearest at 44, which is 7 turns. With 512 columns the nearest is the
        neighbour: many hands are not back at once by chance.""",
    inputs=((2, 50), (2, 710), (4, 700), (6, 200), (512, 100)),
)
def the_nearest_return(d_model: int, up_to: int) -> Answers:
    nearest = _nearest(d_model, up_to)
    yield Answer(nearest)
    yield Answer(0).wrong("Offset 0 is the position itself. Begin with 1.")
    yield Answer(nearest - 1).nearly("One too small. `argmin` counts places from 0: which offset stands there?")
    yield Answer(_nearest(d_model, up_to - 1)).nearly("The last offset, `up_to` itself, has not been tried.")
    yield Answer(distance(nearest, d_model)).nearly("That is how near it comes. The offset is asked for.")


@exercise(
    hint="""`np.frexp(x)` takes numbers apart: a part between 0.5 and 1 and an exponent of 2. `np.ldexp(part, exponent)`
        puts them together again. Move the point of the part by `bits` places, round, and move it back.""",
    why="""The exponent keeps the size of the number apart, so that every number has the same count of digits.
        `np.round` sends ties to the even neighbour, as the types do, and 8 bits give bfloat16.""",
    inputs=(
        (np.array([255.0, 256.0, 257.0, 258.0, 259.0, np.pi, 1e-3]), 8),
        (np.array([2047.0, 2049.0, 2051.0, -0.1, 0.0, 1.0]), 11),
        (np.array([[5.0, -7.0], [9.0, 0.3]]), 2),
    ),
)
def any_number_of_bits(x: np.ndarray, bits: int) -> Answers:
    yield Answer(_kept(x, bits))
    cut, upward = _kept(x, bits, np.trunc), _kept(x, bits, lambda part: np.floor(part + 0.5))
    yield Answer(cut).nearly("The bits are cut off. Rounded, 259 goes to the nearer 260, and ties go to the even one.")
    yield Answer(upward).nearly("Ties go upward here. 257, between 256 and 258, goes to the even one.")
    yield Answer(np.round(x * 2.0**bits) / 2.0**bits).wrong("""This keeps so many places behind the point, whatever the
        size of the number. Where does a number's first 1 stand?""")
    yield Answer(_kept(x, bits + 1)).nearly("These have one bit more than asked for. The first 1 counts as a bit too.")
    yield Answer(_kept(x, bits - 1)).nearly("These have one bit less than asked for. Where does the part lie?")
    yield Answer(x).wrong("Hardly anything has been rounded. (`np.round(part, bits)` counts decimal places.)")


@exercise(
    hint="""float16 is asked for in one place only. Let positions, frequencies, angles and sines be float64, as NumPy
        makes them unless told otherwise, and give the table its type when all is done.""",
    why="""Sines are never above 1, and rounding them to 11 bits moves them by 0.00024 at most, at every position. The
        angles were full size when they were needed.""",
    inputs=((2500, 16), (600, 64)),  # longer than float16 counts, so that positions rounded to it show
)
def a_table_worth_its_bits(length: int, d_model: int) -> Answers:
    table = yield GIVEN
    yield When(table.shape != (length, d_model)).wrong(unfit(table, (length, d_model)))
    exact = sinusoidal_encoding(length, d_model)
    errors = np.nan_to_num(np.abs(table.astype(np.float64) - exact), nan=2.0)
    greatest, (row, column) = errors.max(), np.unravel_index(errors.argmax(), errors.shape)
    found, allowed = apart(greatest, HALF_A_STEP, 2)
    worst = f"The greatest error is {found}, in row {row}, column {column}."
    for k in range(1, 6):
        rounded = greatest > HALF_A_STEP and np.array_equal(table, np.round(exact, k).astype(table.dtype))
        digits = f"{k} decimal{'s' * (k > 1)}"
        yield When(rounded).nearly(f"{worst} The numbers are rounded to {digits}. Let the type do the rounding.")
    yield When(errors[0].max() > HALF_A_STEP).wrong(f"{worst} Row 0 is off already, at angles 0. Where do sines stand?")
    yield When(greatest > FLOAT32_ANGLES).wrong(f"{worst} It grows from row to row: what was rounded before the sines?")
    asked = f"{worst} Rounding alone makes {allowed} at most. In which type are your angles?"
    yield When(greatest > 1.003 * HALF_A_STEP).nearly(asked)
    yield When(table.dtype != np.float16).nearly(f"Right, and stored as {table.dtype}; float16 is asked for.")


@exercise(
    hint="""Keep the hands as complex numbers, a row of 1 for position 0. With n rows there, `np.exp(1j * n * w)` turns
        each of them on by n positions: `np.concatenate` the old and the new, until there are enough, and leave out what
        is too much. The sines are the imaginary parts.""",
    why="""Each step turns all the rows there are by as many positions as there are rows. A table of 4096 takes 12 such
        steps, with one row of sines and cosines for each.""",
    expect=Encoding,
    inputs=((8, 6), (10, 6), (1, 4), (300, 16)),
)
def doubling(length: int, d_model: int) -> Answers:
    right, back = sinusoidal_encoding(length, d_model), encode_positions(-np.arange(length), d_model)
    exchanged = right.reshape(length, -1, 2)[..., ::-1].reshape(length, -1)
    yield Answer(right)
    yield Answer(back).nearly("The hands turn the wrong way. Which sign has the exponent?")
    yield Answer(exchanged).nearly("Cosines stand where sines should. Which is the real part of your hands?")
