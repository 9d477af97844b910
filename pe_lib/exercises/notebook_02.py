"""The exercises of notebook 02, *Build it from even and odd indices*."""

import numpy as np

from pe_lib.encoding import sinusoidal_encoding
from pe_lib.exercises.engine import Exercise
from pe_lib.exercises.expectations import Encoding, Mistake, Numbers


def _angles(length: int, d_model: int, width: int = 0) -> np.ndarray:
    """Return the angle of every position and every column, with exponents over another width if one is given."""
    j = np.arange(d_model)
    angle: np.ndarray = np.arange(length)[:, np.newaxis] / 10_000 ** (j // 2 * 2 / (width or d_model))
    return angle


def _chosen(odd: np.ndarray, angle: np.ndarray) -> np.ndarray:
    chosen: np.ndarray = np.where(odd, np.cos(angle), np.sin(angle))
    return chosen


def _last_cosines(length: int, d_model: int) -> np.ndarray:
    """Give the cosines of odd widths the last angles, where they should have the first."""
    right: np.ndarray = sinusoidal_encoding(length, d_model).copy()
    if d_model % 2:
        right[:, 1::2] = np.cos(_angles(length, d_model)[:, 2::2])
    return right


def _a_cosine_too_many(length: int, d_model: int) -> np.ndarray:
    """Stack and flatten, which makes whole pairs."""
    angle = np.arange(length)[:, np.newaxis] / 10_000 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(length, -1)


EXERCISES = (
    Exercise(
        "the divisors of eight columns",
        hint="Ten to the power 4 is 10000, so its fourth root is a number you know.",
        why="The fourth root of 10000 is 10, and from pair to pair the exponent grows by a fourth. So each divisor is "
        "ten times the one before.",
        expect=Numbers(
            [1, 10, 100, 1000],
            mistakes=(
                Mistake(
                    [1, 0.1, 0.01, 0.001],
                    "These are the frequencies w_i, one over the divisors. A position is divided by a divisor.",
                    "nearly",
                ),
                Mistake(
                    [1, 100, 10_000, 1_000_000],
                    "Here the column was taken for the pair: the exponents are 0, 2/4, 4/4 and 6/4. They should be 0, "
                    "1/4, 2/4 and 3/4.",
                ),
                Mistake(
                    np.repeat([1, 10, 100, 1000], 2),
                    "There is one for each of the eight columns. Columns 2i and 2i+1 share theirs, so four are enough.",
                    "nearly",
                ),
                Mistake(
                    10_000 ** (np.arange(4) / 3),
                    "These were powers of the cube root of 10000, as for six columns. Which root is it for eight?",
                    "nearly",
                ),
                Mistake([0, 0.25, 0.5, 0.75], "These are the exponents. Which number is raised to them?"),
                Mistake(
                    [10, 100, 1000, 10_000],
                    "One step too far on: these have the exponents 1/4 to 4/4. Which exponent comes first?",
                    "nearly",
                ),
                Mistake([10, 100, 1000], "Right, and four are asked for: the first one, 1, belongs to them.", "nearly"),
                Mistake(
                    10_000 ** (np.arange(4) / 8),
                    "Here the exponents are 0, 1/8, 2/8 and 3/8, half as large as they should be. In 2i/`d_model` "
                    "there is a 2.",
                    "nearly",
                ),
                Mistake(
                    10_000 ** (np.arange(3) / 3),
                    "These are the three divisors of six columns. How many pairs have eight columns?",
                ),
            ),
        ),
    ),
    Exercise(
        "one formula for all columns",
        hint="`np.where(j % 2 == 0, np.sin(angle), np.cos(angle))` chooses column by column, if `angle` has a column "
        "for every `j`.",
        why="`j // 2` gives both columns of a pair the same divisor, so one expression makes all the angles, and the "
        "choice between sine and cosine is left for the end.",
        expect=Encoding(
            mistakes=(
                Mistake(
                    lambda length, d_model: _chosen(
                        np.arange(length)[:, np.newaxis] % 2 == 1, _angles(length, d_model)
                    ),
                    "Even *positions* have sines here, and odd positions cosines: the choice goes by rows. It is the "
                    "column that is even or odd.",
                ),
                Mistake(
                    _angles,
                    "These are the angles. The sines and cosines are still to be taken of them.",
                    "nearly",
                ),
            )
        ),
        inputs=((10, 6), (7, 8), (40, 2)),
    ),
    Exercise(
        "five columns",
        hint="There are three sines and only two cosines. How many columns does `1::2` take from five, and how many "
        "angles do you hand it?",
        why="Five columns have three sines and two cosines. All three angles are used for the sines, the first two of "
        "them for the cosines, and each exponent is divided by the `d_model` that was asked for.",
        expect=Encoding(
            mistakes=(
                Mistake(
                    _a_cosine_too_many,
                    "The five are right, and there is a sixth: the cosine of the last angle. Five columns have no "
                    "place for it.",
                    "nearly",
                ),
                Mistake(
                    lambda length, d_model: sinusoidal_encoding(length, d_model)[:, : d_model - d_model % 2],
                    "Whole pairs alone, so one column is missing: the formula has a sine for column 4.",
                    "nearly",
                ),
                Mistake(
                    lambda length, d_model: sinusoidal_encoding(length, d_model + d_model % 2)[:, :d_model],
                    "These are the first five columns of a wider encoding: it divides its exponents by 6. Divide "
                    "them by the `d_model` that was asked for.",
                ),
                Mistake(
                    lambda length, d_model: _chosen(
                        np.arange(d_model) % 2 == 1, _angles(length, d_model, d_model - d_model % 2)
                    ),
                    "The exponents are divided by 4, as for four columns. Divide them by the `d_model` that was asked "
                    "for.",
                ),
                Mistake(
                    _last_cosines,
                    "The cosines have the last two of the three angles. Which angle does a cosine share with the sine "
                    "before it?",
                    "nearly",
                ),
            )
        ),
        inputs=((10, 5), (6, 7), (4, 1), (10, 6)),
    ),
)
