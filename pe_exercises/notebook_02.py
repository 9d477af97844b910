"""The exercises of notebook 02, *Build the table, and break it without an error*."""

import numpy as np

from pe_exercises.comparing import diagnosed
from pe_exercises.engine import exercise
from pe_lib.encoding import sinusoidal_encoding


@exercise(
    hint="Ten to the power 4 is 10000. What, then, is the fourth root of 10000?",
    wrong=[
        ([1, 0.1, 0.01, 0.001], "These are frequencies, one over the divisors. What divides a position?"),
        ([1, 100, 10_000, 1_000_000], "You took the column for the pair, which doubles the exponents."),
        (np.repeat([1, 10, 100, 1000], 2), "That's one for each column, but columns 2i and 2i+1 share theirs."),
        (10_000 ** (np.arange(4) / 3), "These are powers of a cube root, as for six columns. And for eight?"),
        ([0, 0.25, 0.5, 0.75], "These are the exponents. What number do you raise to them?"),
        ([10, 100, 1000, 10_000], "These have the exponents 1/4 to 4/4. What exponent comes first?"),
        ([10, 100, 1000], "These are right, but there are four, and the first one is 1."),
        (10_000 ** (np.arange(4) / 8), "The exponents are halved. In 2i/`d_model` there's a 2."),
        (10_000 ** (np.arange(3) / 3), "These are the divisors of six columns. What are those of eight?"),
    ],
)
def the_divisors_of_eight_columns():
    """The fourth root of 10000 is 10, and from pair to pair the exponent grows by a fourth, which makes each divisor
    ten times the one before.

    They are powers of ten, like the place values of a decimal number.
    """
    return 10000 ** (np.arange(0, 8, 2) / 8)


def angles(length, d_model, width=0):
    return np.arange(length)[:, np.newaxis] / 10_000 ** (np.arange(0, d_model, 2) / (width or d_model))


def even_and_odd_positions(length, d_model):
    angle, odd = angles(length, d_model).repeat(2, axis=1), np.arange(length)[:, np.newaxis] % 2
    return np.where(odd, np.cos(angle), np.sin(angle))


@exercise(
    hint="""`np.where(j % 2 == 0, np.sin(angle), np.cos(angle))` chooses column by column, if `angle` has a column for
        every `j`.""",
    inputs=[(10, 6), (7, 8), (40, 2)],
    wrong=[
        (
            even_and_odd_positions,
            """Even *positions* have sines here, and odd positions cosines: you chose by rows. It's the column that is
            even or odd.""",
        ),
        (
            lambda length, d_model: angles(length, d_model).repeat(2, axis=1),
            "These are the angles. Take their sines and cosines.",
        ),
        (
            lambda length, d_model: sinusoidal_encoding(length, d_model)[0],
            "This is only the first row. A `return` in a loop ends the loop; without a loop, an axis may be missing.",
        ),
    ],
    otherwise=diagnosed,
)
def one_formula_for_all_columns(length, d_model):
    """`j // 2` gives both columns of a pair the same divisor. One expression makes all the angles, and the
    choice between sine and cosine comes last.

    Each column of angles is used once, as a sine or as a cosine.
    """
    j = np.arange(d_model)
    angle = np.arange(length)[:, np.newaxis] / 10000 ** (2 * (j // 2) / d_model)
    return np.where(j % 2 == 0, np.sin(angle), np.cos(angle))


def taking_turns(angle):
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(len(angle), -1)


def the_last_cosines(length, d_model):
    table = sinusoidal_encoding(length, d_model)
    table[:, 1::2] = np.cos(angles(length, d_model)[:, d_model % 2 :])
    return table


@exercise(
    hint="""There are three sines and only two cosines. How many columns does `1::2` take from five, and how many angles
        do you give it?""",
    inputs=[(10, 5), (6, 7), (4, 1), (10, 6)],
    wrong=[
        (
            lambda length, d_model: taking_turns(angles(length, d_model)),
            "There's a sixth column, the cosine of the last angle. Five columns have no room for it.",
        ),
        (
            lambda length, d_model: sinusoidal_encoding(length, d_model)[:, : d_model - d_model % 2],
            "You have whole pairs only. One column is missing: column 4 is a sine.",
        ),
        (
            lambda length, d_model: taking_turns(angles(length, d_model, d_model + d_model % 2))[:, :d_model],
            "The exponents are divided by 6, as for six columns. Divide them by the `d_model` we ask for.",
        ),
        (
            lambda length, d_model: taking_turns(angles(length, d_model, d_model - d_model % 2))[:, :d_model],
            "The exponents are divided by 4, as for four columns. Divide them by the `d_model` we ask for.",
        ),
        (
            the_last_cosines,
            "A cosine has the angle of the sine on its left. Yours have that of the sine on their right.",
        ),
    ],
    otherwise=diagnosed,
)
def five_columns(length, d_model):
    """Five columns have three sines and two cosines. The sines use all three angles, the cosines the first two of
    them, and each exponent is divided by the `d_model` we asked for.

    `1::2` takes two columns of five. `np.cos(angle)` has three, which don't fit, and the line stops with an error.
    """
    angle = np.arange(length)[:, np.newaxis] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    PE = np.empty((length, d_model))
    PE[:, 0::2] = np.sin(angle)
    PE[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return PE
