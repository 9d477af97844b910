"""Promise: the exercises of notebook 00 tell the wrong answers that learners give what to look at."""

import numpy as np
from exercise_answers import taken, told

from pe_lib import sinusoidal_encoding

test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        ("the sum of the first row", 0, "wrong", "What do the odd columns hold"),
        ("the sum of the first row", 1, "nearly", "How many pairs"),
        ("the sum of the first row", 4, "wrong", "It is not 4."),
        ("the sum of the first row", [0, 1, 0, 1, 0, 1], "wrong", "A single number is asked for"),
        ("the column that was cut out", 0, "wrong", "0.8415"),
        ("the column that was cut out", 6, "wrong", "how far has it come"),
        ("the column that was cut out", 7, "wrong", "Column 7 begins with 1"),
        ("the column that was cut out", 1, "nearly", "Is 1 the pair, perhaps?"),
        ("the column that was cut out", 3, "nearly", "it holds a cosine"),
        ("a whole turn", 6, "nearly", "Is that a whole turn"),
        ("a whole turn", 2 * np.pi, "nearly", "between two words"),
        ("a whole turn", 5, "wrong", "It is not 5."),
        ("a whole turn", 9, "wrong", "Is there an earlier position"),
    ]
)


test_a_right_answer_is_right_in_whatever_form = taken(
    [("the sum of the first row", 5.0), ("the column that was cut out", np.int64(2)), ("a whole turn", np.array(7))]
)


def test_what_the_exercises_say_is_so():
    assert sinusoidal_encoding(1, 10).sum() == 5
    table = sinusoidal_encoding(4, 8)
    assert table[:, 2].round(4).tolist() == [0.0, 0.0998, 0.1987, 0.2955]
    assert table[3, 0::2].round(4).tolist() == [0.1411, 0.2955, 0.03, 0.003]
    assert table[1, 0].round(4) == 0.8415
    assert 6 < 2 * np.pi < 7
