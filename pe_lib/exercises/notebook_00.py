"""The exercises of notebook 00, *Start here*."""

import numpy as np

from pe_lib.exercises.engine import Exercise
from pe_lib.exercises.expectations import Mistake, Numbers

EXERCISES = (
    Exercise(
        "the sum of the first row",
        hint="At position 0 every angle is 0, whatever the divisor. What is sin 0, and what is cos 0?",
        why="Position 0 makes every angle 0. Three columns hold sin 0, which is 0, and three hold cos 0, which is 1. "
        "No word and no base changes that.",
        expect=Numbers(
            3,
            mistakes=(
                Mistake(
                    0, "That is the sum of six sines. What do the odd columns hold, and what is it at an angle of 0?"
                ),
                Mistake(1, "That is the sum of one pair. How many pairs do six columns make?", "nearly"),
                Mistake(2, "That is the sum of two pairs. How many pairs do six columns make?", "nearly"),
                Mistake(
                    6, "That is the sum of six cosines. What do the even columns hold, and what is it at an angle of 0?"
                ),
            ),
        ),
    ),
    Exercise(
        "the column that was cut out",
        hint="The first number is 0: is that a sine or a cosine of 0? Then set *position* to 3, go through the columns "
        "that are left, and read the number in the formula.",
        why="The first number is 0, so the column holds sines and is even. At position 3 the sines are 0.1411, 0.1388 "
        "and 0.0065: two decimals do not tell column 0 from column 2, four do.",
        expect=Numbers(
            2,
            mistakes=(
                Mistake(
                    0, "Its last number is 0.1411, close to the one you were given. Look at the two between.", "nearly"
                ),
                Mistake(1, "Is 1 the pair, perhaps? The column is asked for. Column 1 itself begins with 1.", "nearly"),
                Mistake(3, "Column 3 has the right speed. But it holds a cosine: what is its first number?", "nearly"),
                Mistake(4, "Column 4 begins with 0 too, but how far has it come at position 3?"),
                Mistake(5, "Column 5 begins with 1, and these numbers begin with 0."),
            ),
        ),
    ),
    Exercise(
        "a whole turn",
        hint="The fastest hand turns by 1 radian from word to word, and a whole turn is 2π radians. In the picture, "
        "type ten words into *sentence*, set *column* to 0, and watch the hand pass its start.",
        why="The hand of columns 0 and 1 has the divisor 1, so it turns by 1 radian for each position, and 2π is about "
        "6.28. At position 6 it is just short of its start, at position 7 just past it.",
        expect=Numbers(
            7,
            mistakes=(
                Mistake(
                    6, "At position 6 the hand has turned by 6 radians. Is that a whole turn, 2π, already?", "nearly"
                ),
                Mistake(
                    2 * np.pi,
                    "That is a whole turn exactly, but between two words. Which is the first word past it?",
                    "nearly",
                ),
                Mistake(
                    6.28, "That is a whole turn, but between two words. Which is the first word past it?", "nearly"
                ),
                Mistake(
                    8, "At position 8 it is well past its start. Is there an earlier position where it is?", "nearly"
                ),
                Mistake(9, "At position 9 it is well past its start. Is there an earlier position where it is?"),
                Mistake(360, "That would be degrees. The angle of column 0 is the position itself, in radians."),
                Mistake(4, "At position 4 the hand has passed half a turn, which is about 3.14 radians."),
            ),
        ),
    ),
)
