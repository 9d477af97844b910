"""The exercises of notebook 00, *Start here*."""

import numpy as np

from pe_exercises.engine import exercise
from pe_lib.encoding import sinusoidal_encoding


@exercise(
    hint="The first word has position 0. Divide it, then take sines and cosines: which two numbers come out?",
    wrong=[
        (0, "That's the sum of ten sines. What do the odd columns hold, at an angle of 0?"),
        (1, "That's the sum of one pair. How many pairs do ten columns make?"),
        (3, "That's the sum of six columns. How many pairs do ten columns make?"),
        (10, "That's the sum of ten cosines. What do the even columns hold, at an angle of 0?"),
    ],
)
def the_sum_of_the_first_row():
    """Position 0 makes every angle 0. Five columns hold sin 0, which is 0, and five hold cos 0, which is 1. No word
    changes that.

    The width decides how many ones there are: half of the columns, whatever the base.
    """
    return sinusoidal_encoding(1, 10)[0].sum()


@exercise(
    hint="""The first number is 0: is that the sine or the cosine of 0? Then, at *position* 3, click on the cell of each
        column that's left, and read the number in the formula.""",
    wrong=[
        (0, "Column 0 begins with 0 too, but at position 1 it has already reached 0.8415."),
        (1, "Is 1 the pair, perhaps? The exercise asks for the column. Column 1 itself begins with 1."),
        (3, "Column 3 has the right speed, but it holds a cosine. What is its first number?"),
        (4, "Column 4 begins with 0 too, but how far has it come by position 3?"),
        (6, "Column 6 begins with 0 too, but how far has it come by position 3?"),
        (5, "Column 5 begins with 1, and these numbers begin with 0."),
        (7, "Column 7 begins with 1, and these numbers begin with 0."),
    ],
)
def the_column_that_was_cut_out():
    """The first number is 0, which makes it a column of sines, an even one. At position 3 the sines are 0.1411, 0.2955,
    0.0300 and 0.0030: one of them is yours.

    Column 0 has been up to 0.9093 by then and is on its way down again. Columns 2, 4 and 6 keep climbing, each ten
    times slower than the one before, because eight columns have the divisors 1, 10, 100 and 1000.
    """
    last_row = sinusoidal_encoding(4, 8)[3]
    return abs(last_row - 0.2955).argmin()


@exercise(
    hint="""The fastest hand turns by 1 radian from word to word, and a whole turn is 2π radians. Drag along the ten
        words of the picture, and watch the hand pass its start.""",
    wrong=[
        (6, "Close. At position 6 the hand has turned by 6 radians. Is that already a whole turn, 2π?"),
        (2 * np.pi, "That's a whole turn, but it ends between two words. What's the first position past it?"),
        (6.28, "That's a whole turn, but it ends between two words. What's the first position past it?"),
        (8, "At position 8 the hand is well past its start. Is there an earlier position past it?"),
        (9, "At position 9 the hand is well past its start. Is there an earlier position past it?"),
        (360, "That would be degrees. The angle of column 0 is the position itself, in radians."),
        (4, "At position 4 the hand has passed half a turn, which is about 3.14 radians."),
    ],
)
def a_whole_turn():
    """The hand of columns 0 and 1 has the divisor 1. It turns by 1 radian for each position, and 2π is about
    6.28. At position 6 it's a little short of its start, at position 7 it has passed it.

    After 7 positions it has made 1.1141 turns. No whole number of turns ever ends on a word, because π is irrational.
    This hand never points in the same direction at two different words.
    """
    turns = [position / 6.2832 for position in range(10)]
    return next(position for position in range(10) if turns[position] >= 1)
