"""The exercises of notebook 08, *Find out how far it counts*."""

import numpy as np

from pe_lib.encoding import encode_positions, sinusoidal_encoding
from pe_lib.exercises.engine import Exercise
from pe_lib.exercises.expectations import Accepted, Choice, Encoding, Mistake, Numbers
from pe_lib.exercises.feedback import Feedback
from pe_lib.properties import distance

HALF_A_STEP = 2.0**-12  # how far rounding to float16 moves a number below 1, at most
FLOAT32_ANGLES = 2e-3  # more than angles in float32 add to that in a table of 5000 positions


def _nearest(d_model: int, up_to: int) -> int:
    return 1 + int(distance(np.arange(1, up_to + 1), d_model).argmin())


def _kept(x: np.ndarray, bits: int) -> np.ndarray:
    significand, exponent = np.frexp(x)
    kept: np.ndarray = np.ldexp(np.round(np.ldexp(significand, bits)), exponent - bits)
    return kept


def _cut_off(x: np.ndarray, bits: int) -> np.ndarray:
    significand, exponent = np.frexp(x)
    kept: np.ndarray = np.ldexp(np.trunc(np.ldexp(significand, bits)), exponent - bits)
    return kept


def _ties_upward(x: np.ndarray, bits: int) -> np.ndarray:
    significand, exponent = np.frexp(x)
    kept: np.ndarray = np.ldexp(np.floor(np.ldexp(significand, bits) + 0.5), exponent - bits)
    return kept


def _backward(length: int, d_model: int) -> np.ndarray:
    return encode_positions(-np.arange(length), d_model)


def _cosines_first(length: int, d_model: int) -> np.ndarray:
    return sinusoidal_encoding(length, d_model).reshape(length, -1, 2)[..., ::-1].reshape(length, -1)


def _judge_half(answer: np.ndarray, length: int, d_model: int) -> Feedback:
    """Say how far a table is from the exact one, and whether it is stored as asked."""
    if answer.shape != (length, d_model):
        return Feedback("wrong", f"An array of shape {(length, d_model)} is asked for, and yours has {answer.shape}.")
    errors = np.nan_to_num(np.abs(answer.astype(np.float64) - sinusoidal_encoding(length, d_model)), nan=2.0)
    row, column = (int(k) for k in np.unravel_index(errors.argmax(), errors.shape))
    worst = f"The greatest error is {errors.max():.2g}, in row {row}, column {column}."
    if errors[0].max() > HALF_A_STEP:
        return Feedback(
            "wrong", f"{worst} Row 0 is off already, and its angles are 0. Where do sines and cosines stand?"
        )
    if errors.max() > FLOAT32_ANGLES:
        return Feedback("wrong", f"{worst} It grows from row to row: which numbers were rounded before the sines?")
    if errors.max() > 1.001 * HALF_A_STEP:
        return Feedback("nearly", f"{worst} Rounding alone makes 0.00024 at most. In which type are your angles?")
    if answer.dtype != np.float16:
        return Feedback("nearly", f"The numbers are right, and stored as {answer.dtype}; float16 is asked for.")
    return Feedback("right")


EXERCISES = (
    Exercise(
        "the end of counting in float32",
        hint="float16 has 11 significant bits and loses its first position after 2048. float32 has 24.",
        why="2^24 = 16777216 takes its 1 and 24 zeros, and the next number needs a 25th bit. From there on, odd "
        "positions go to a neighbour, and two words share a row.",
        expect=Choice(  # exact, where Numbers would let a millionth pass
            2**24,
            mistakes=(
                Mistake(2**24 + 1, "That is the second of the two. Which is the first?", "nearly"),
                Mistake(2**24 - 1, "That is 24 ones, all kept. Is the number after it a float32 too?", "nearly"),
                Mistake(2**23, "That is 2^23, and 2^23 + 1 still has its place. Count the bits of each.", "nearly"),
                Mistake(2**25, "That is 2^25. Some were lost before it: is 2^24 + 1 a float32?", "nearly"),
                Mistake(2**32, "All 32 bits? One is for the sign, and eight are for the exponent."),
                Mistake(2048, "That is float16, with its 11 bits."),
            ),
            otherwise="How many significant bits has float32? Which whole number is the first that needs one more?",
        ),
    ),
    Exercise(
        "the nearest return",
        hint="Make an array of the offsets themselves, beginning with 1, and one of their distances. `argmin` gives "
        "the place of the smallest distance, and the offset is what stands at this place in the first array.",
        why="Within 50 positions one hand comes nearest at 44, which is 7 turns. With 512 columns the nearest is the "
        "neighbour: many hands are not back at once by chance.",
        expect=Numbers(
            _nearest,
            mistakes=(
                Mistake(0, "Offset 0 is the position itself. Begin with 1."),
                Mistake(
                    lambda d_model, up_to: _nearest(d_model, up_to) - 1,
                    "One too small. `argmin` counts places from 0: which offset stands at place 0 of your array?",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, up_to: _nearest(d_model, up_to - 1),
                    "The last offset, `up_to` itself, has not been tried. Where does your array end?",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, up_to: distance(_nearest(d_model, up_to), d_model),
                    "That is how near it comes. Asked for is the offset at which it does.",
                    "nearly",
                ),
            ),
        ),
        inputs=((2, 50), (2, 710), (4, 700), (6, 200), (512, 100)),
    ),
    Exercise(
        "any number of bits",
        hint="`np.frexp(x)` takes numbers apart: a part between 0.5 and 1 and an exponent of 2. `np.ldexp(part, "
        "exponent)` puts them together again. Move the point of the part by `bits` places, round, and move it "
        "back.",
        why="The exponent keeps the size of the number apart, so that every number has the same count of digits. "
        "`np.round` sends ties to the even neighbour, as the types do, and 8 bits give bfloat16.",
        expect=Numbers(
            _kept,
            mistakes=(
                Mistake(
                    _cut_off,
                    "The bits are cut off. Rounded, 259 becomes 260: it goes to the nearer one, and of two "
                    "equally near ones to the even.",
                    "nearly",
                ),
                Mistake(
                    _ties_upward,
                    "Ties go upward here. 257 lies halfway between 256 and 258 and goes to the one whose last bit "
                    "is 0.",
                    "nearly",
                ),
                Mistake(
                    lambda x, bits: np.round(x * 2.0**bits) / 2.0**bits,
                    "This keeps so many places behind the point, whatever the size of the number. Where does a "
                    "number's first 1 stand?",
                ),
                Mistake(
                    lambda x, bits: _kept(x, bits + 1),
                    "These have one bit more than was asked for. The first 1 counts as a bit too.",
                    "nearly",
                ),
                Mistake(
                    lambda x, bits: _kept(x, bits - 1),
                    "These have one bit less than was asked for. Between which bounds does the part lie that you "
                    "round?",
                    "nearly",
                ),
                Mistake(
                    lambda x, _: x,
                    "Hardly anything has been rounded. Should you have used `np.round(part, bits)`, "
                    "it counts decimal places, not bits.",
                ),
            ),
        ),
        inputs=(
            (np.array([255.0, 256.0, 257.0, 258.0, 259.0, np.pi, 1e-3]), 8),
            (np.array([2047.0, 2049.0, 2051.0, -0.1, 0.0, 1.0]), 11),
            (np.array([[5.0, -7.0], [9.0, 0.3]]), 2),
        ),
    ),
    Exercise(
        "a table worth its bits",
        hint="float16 is asked for in one place only. Let positions, frequencies, angles and sines be float64, as "
        "NumPy makes them unless told otherwise, and give the table its type when all is done.",
        why="Sines are never above 1, and rounding them to 11 bits moves them by 0.00024 at most, at every position. "
        "The angles were full size when they were needed.",
        expect=Accepted(_judge_half),
        inputs=((2500, 16), (600, 64)),  # longer than float16 counts, so that positions rounded to it show
    ),
    Exercise(
        "doubling",
        hint="Keep the hands as complex numbers, a row of `1j` for position 0. With n rows there, `np.exp(-1j * n * "
        "w)` turns each of them on by n positions: `np.concatenate` the old and the new, until there are enough, "
        "and leave out what is too much.",
        why="Each step turns all the rows there are by as many positions as there are rows. A table of 4096 takes 12 "
        "such steps, with one row of sines and cosines for each.",
        expect=Encoding(
            mistakes=(
                Mistake(
                    _backward,
                    "The hands turn the wrong way: row 1 is that of position -1. Which sign has the exponent?",
                    "nearly",
                ),
                Mistake(
                    _cosines_first,
                    "Cosines stand where sines should. Which of the two is the real part of your hands?",
                    "nearly",
                ),
            ),
        ),
        inputs=((8, 6), (10, 6), (1, 4), (300, 16)),
    ),
)
