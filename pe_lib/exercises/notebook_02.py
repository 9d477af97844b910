"""The exercises of notebook 02, *Build it from even and odd indices*."""

import numpy as np

from pe_lib.encoding import sinusoidal_encoding
from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import Answer, Answers, Encoding


def _angles(length: int, d_model: int, width: int = 0) -> np.ndarray:
    """Return the angle of every position and every pair, with exponents over another width if one is given."""
    return np.arange(length)[:, np.newaxis] / 10_000 ** (np.arange(0, d_model, 2) / (width or d_model))


def _taking_turns(angle: np.ndarray) -> np.ndarray:
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(len(angle), -1)


@exercise(
    hint="Ten to the power 4 is 10000, so its fourth root is a number you know.",
    why="""The fourth root of 10000 is 10, and from pair to pair the exponent grows by a fourth. So each divisor is ten
        times the one before.""",
)
def the_divisors_of_eight_columns() -> Answers:
    yield Answer([1, 10, 100, 1000])
    yield Answer([1, 0.1, 0.01, 0.001]).nearly("These are frequencies, one over the divisors. What divides a position?")
    yield Answer([1, 100, 10_000, 1_000_000]).wrong("The column was taken for the pair: the exponents are doubled.")
    yield Answer(np.repeat([1, 10, 100, 1000], 2)).nearly("One for each column. Columns 2i and 2i+1 share theirs.")
    yield Answer(10_000 ** (np.arange(4) / 3)).nearly("Powers of a cube root, as for six columns. And for eight?")
    yield Answer([0, 0.25, 0.5, 0.75]).wrong("These are the exponents. Which number is raised to them?")
    yield Answer([10, 100, 1000, 10_000]).nearly("These have the exponents 1/4 to 4/4. Which exponent comes first?")
    yield Answer([10, 100, 1000]).nearly("Right, and four are asked for: the first one, 1, belongs to them.")
    yield Answer(10_000 ** (np.arange(4) / 8)).nearly("The exponents are halved. In 2i/`d_model` there is a 2.")
    yield Answer(10_000 ** (np.arange(3) / 3)).wrong("These are the divisors of six columns. And eight?")


@exercise(
    hint="""`np.where(j % 2 == 0, np.sin(angle), np.cos(angle))` chooses column by column, if `angle` has a column for
        every `j`.""",
    why="""`j // 2` gives both columns of a pair the same divisor, so one expression makes all the angles, and the
        choice between sine and cosine is left for the end.""",
    expect=Encoding,
    inputs=((10, 6), (7, 8), (40, 2)),
)
def one_formula_for_all_columns(length: int, d_model: int) -> Answers:
    angle, odd = _angles(length, d_model).repeat(2, axis=1), np.arange(length)[:, np.newaxis] % 2 == 1
    yield Answer(sinusoidal_encoding(length, d_model))
    yield Answer(np.where(odd, np.cos(angle), np.sin(angle))).wrong("""Even *positions* have sines here, and odd
        positions cosines: the choice goes by rows. It is the column that is even or odd.""")
    yield Answer(angle).nearly("These are the angles. Take their sines and cosines.")


@exercise(
    hint="""There are three sines and only two cosines. How many columns does `1::2` take from five, and how many angles
        do you hand it?""",
    why="""Five columns have three sines and two cosines. All three angles are used for the sines, the first two of them
        for the cosines, and each exponent is divided by the `d_model` that was asked for.""",
    expect=Encoding,
    inputs=((10, 5), (6, 7), (4, 1), (10, 6)),
)
def five_columns(length: int, d_model: int) -> Answers:
    right, even = sinusoidal_encoding(length, d_model), d_model - d_model % 2
    angle, late = _angles(length, d_model), right.copy()
    late[:, 1::2] = np.cos(angle[:, d_model % 2 :])
    yield Answer(right)
    yield Answer(_taking_turns(angle)).nearly("There is a sixth, the cosine of the last angle. Five have no place.")
    yield Answer(right[:, :even]).nearly("Whole pairs alone, so one column is missing: column 4 is a sine.")
    for width in (d_model + d_model % 2, even):
        yield Answer(_taking_turns(_angles(length, d_model, width))[:, :d_model]).wrong(f"""The exponents are divided by
            {width}, as for {width} columns. Divide them by the `d_model` that was asked for.""")
    yield Answer(late).nearly("The cosines have the last two of the three angles. Which angle does a cosine share?")
