"""The exercises of notebook 00, *Start here*."""

import numpy as np

from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import Answer, Answers


@exercise(
    hint="The first word has position 0. Divide it, then take sines and cosines: which two numbers come out?",
    why="""Position 0 makes every angle 0. Five columns hold sin 0, which is 0, and five hold cos 0, which is 1. No word
        changes that.""",
)
def the_sum_of_the_first_row() -> Answers:
    yield Answer(5)
    yield Answer(0).wrong("That is the sum of ten sines. What do the odd columns hold, at an angle of 0?")
    yield Answer(1).nearly("That is the sum of one pair. How many pairs do ten columns make?")
    yield Answer(3).nearly("That is the sum of six columns. How many pairs do ten columns make?")
    yield Answer(10).wrong("That is the sum of ten cosines. What do the even columns hold, at an angle of 0?")


@exercise(
    hint="""The first number is 0: is that a sine or a cosine of 0? Then set *position* to 3, go through the columns
        that are left, and read the number in the formula.""",
    why="""The first number is 0, so the column holds sines and is even. At position 3 the sines are 0.1411, 0.2955,
        0.0300 and 0.0030: one of them is yours.""",
)
def the_column_that_was_cut_out() -> Answers:
    yield Answer(2)
    yield Answer(0).wrong("Column 0 begins with 0 too, but it has reached 0.8415 at position 1 already.")
    yield Answer(1).nearly("Is 1 the pair, perhaps? The column is asked for. Column 1 itself begins with 1.")
    yield Answer(3).nearly("Column 3 has the right speed. But it holds a cosine: what is its first number?")
    for slow in (4, 6):
        yield Answer(slow).wrong(f"Column {slow} begins with 0 too, but how far has it come at position 3?")
    for odd in (5, 7):
        yield Answer(odd).wrong(f"Column {odd} begins with 1, and these numbers begin with 0.")


@exercise(
    hint="""The fastest hand turns by 1 radian from word to word, and a whole turn is 2π radians. In the picture, type
        ten words into *sentence*, set *column* to 0, and watch the hand pass its start.""",
    why="""The hand of columns 0 and 1 has the divisor 1, so it turns by 1 radian for each position, and 2π is about
        6.28. At position 6 it is just short of its start, at position 7 just past it.""",
)
def a_whole_turn() -> Answers:
    yield Answer(7)
    yield Answer(6).nearly("At position 6 the hand has turned by 6 radians. Is that a whole turn, 2π, already?")
    yield Answer(2 * np.pi).nearly("That is a whole turn, but between two words. Which is the first word past it?")
    yield Answer(6.28).nearly("That is a whole turn, but between two words. Which is the first word past it?")
    yield Answer(8).nearly("At position 8 it is well past its start. Is there an earlier position where it is?")
    yield Answer(9).wrong("At position 9 it is well past its start. Is there an earlier position where it is?")
    yield Answer(360).wrong("That would be degrees. The angle of column 0 is the position itself, in radians.")
    yield Answer(4).wrong("At position 4 the hand has passed half a turn, which is about 3.14 radians.")
