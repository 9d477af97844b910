"""Promise: the exercises of notebook 12 tell the wrong answers that learners give what to look at."""

import numpy as np
from exercise_answers import taken, told

from pe_lib import dot_product, sinusoidal_encoding, wavelengths

test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        ("the lowest number", 35, "nearly", "one wavelength away"),
        ("the lowest number", 5, "wrong", "the wave is highest"),
        ("the lowest number", 20, "wrong", "It is not 20."),
        ("the best look-alike", 6, "nearly", "the second highest"),
        ("the best look-alike", 1, "wrong", "peaks that are higher"),
        ("the best look-alike", 0, "wrong", "with itself"),
        ("a wave slow enough", 10, "nearly", "9,958.2"),
        ("a wave slow enough", 16, "nearly", "leaves some widths out"),
        ("a wave slow enough", 8, "wrong", "6,283.2"),
        ("a wave slow enough", 4, "wrong", "It is not 4."),
    ]
)


test_a_right_answer_is_right_in_whatever_form = taken(
    [
        ("the lowest number", np.int64(15)),
        ("the best look-alike", 63.0),
        ("a wave slow enough", 12),
    ]
)


def test_what_the_exercises_say_is_so():
    column = sinusoidal_encoding(64, 64)[:, 8]
    assert [*np.argsort(column)[:3]] == [15, 35, 55]
    assert column[[15, 35, 55]].round(4).tolist() == [-0.9995, -0.9974, -0.9935]
    assert column[:14].argmax() == 5
    assert wavelengths(64)[4].round(1) == 19.9
    alike = np.array([dot_product(k, 8) for k in range(101)])
    assert [*np.argsort(-alike)[:6]] == [0, 63, 6, 69, 57, 1]
    assert alike[[63, 6, 69, 57, 1]].round(4).tolist() == [3.7918, 3.7837, 3.578, 3.5749, 3.5353]
    slowest = [float(wavelengths(d_model)[-1].round(1)) for d_model in (8, 10, 12)]
    assert slowest == [6283.2, 9958.2, 13536.7]
    assert wavelengths(512)[-1] < 2 * np.pi * 10_000 < 62_831.9
