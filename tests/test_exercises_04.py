"""Promise: what learners get wrong in notebook 04 is told to them in words that fit."""

import numpy as np
import pytest
from exercise_answers import taken, told

from pe_lib import check, sinusoidal_encoding, wavelengths

TURN = 2 * np.pi


def slow(rows):
    return 100 * (np.arctan2(rows[:, 2], rows[:, 3]) % TURN)


def fast(rows):
    return np.arctan2(rows[:, 0], rows[:, 1]) % TURN


def both(rows):
    return fast(rows) + TURN * np.round((slow(rows) - fast(rows)) / TURN)


def nearest(rows):
    """Look each row up in the table, the way of someone who wants no angles."""
    table = sinusoidal_encoding(628, 4)
    return [np.linalg.norm(table - row, axis=1).argmin() for row in rows]


def only_the_first_six_hundred(rows):
    return np.where(both(rows) > 600.5, 3.0, both(rows))


WRONG = [
    ("name the column", 2, "nearly", "column 2 starts at 0"),
    ("name the column", 1, "wrong", "did you mean pair 1?"),
    ("name the column", 4, "wrong", "If you counted from 1"),
    ("name the column", 5, "wrong", "repeats after 2916.4 positions"),
    ("name the column", 135.4, "wrong", "It is not 135.4."),
    ("name the column", [2, 3], "wrong", "A single number is asked for"),
    ("the longest wave", lambda _, base: TURN * base, "wrong", "whatever the width"),
    ("the longest wave", lambda d, base: base ** ((d - 2) / d), "nearly", "That is the last divisor."),
    ("the longest wave", lambda d, base: base ** -((d - 2) / d), "wrong", "That is the last frequency"),
    ("the longest wave", lambda d, base: TURN * base ** ((d / 2 - 1) / d), "nearly", "its exponent is twice as large"),
    ("the longest wave", lambda d, base: TURN * base ** ((d - 1) / d), "nearly", "the number of the last column"),
    ("the longest wave", lambda d, base: TURN * base ** (d - 2) / d, "nearly", "Brackets help."),
    ("the longest wave", lambda d, base: wavelengths(d, base), "wrong", "A single number is asked for"),
    (
        "the longest wave",
        lambda d, _: TURN * 10000 ** ((d - 2) / d),
        "nearly",
        "Right for base 10000",
    ),
    ("the longest wave", lambda d, base: TURN * base ^ ((d - 2) // d), "wrong", "TypeError"),
    ("the longest wave", lambda *_: [...], "unanswered", ""),
    ("the longest wave", lambda _, base: TURN * base ** (6 / 8), "nearly", "a number in your code"),
    ("the longest wave", lambda d, base: TURN * base ** (2 * (d - 1) / d), "nearly", "It counts pairs"),
    ("the longest wave", lambda base, d: TURN * base ** ((d - 2) / d), "nearly", "have changed places"),
    ("the longest wave", lambda d, base: TURN * base ** (2 / d), "wrong", "the wave of pair 1"),
    ("the longest wave", lambda d, base: np.pi * base ** ((d - 2) / d), "nearly", "That is half of it."),
    ("the longest wave", lambda d, base: 360 * base ** ((d - 2) / d), "nearly", "360 degrees"),
    ("the longest wave", lambda d, base: round(TURN * base ** ((d - 2) / d)), "nearly", "behind the point"),
    ("a base to order", 100, "wrong", "if waves went up to 2π times the base"),
    ("a base to order", 100 ** (4 / 6), "nearly", "100 to the power 4/6"),
    ("a base to order", (200 * np.pi) ** 1.5, "nearly", "the wavelength was taken for the divisor"),
    ("a base to order", 10**6, "wrong", "pair 1"),
    ("a base to order", 10_000, "wrong", "With base 10000 the longest wave has 2916.396 positions."),
    ("a base to order", 999, "nearly", "With base 999 the longest wave has 627.8996 positions."),
    ("a base to order", 0.5, "wrong", "It is not 0.5."),
    ("a base to order", -1000, "nearly", "its sign"),
    ("the double", 274, "nearly", "the double for the *sine*"),
    ("the double", 354, "wrong", "points the opposite way"),
    ("the double", 668, "wrong", "beyond 627"),
    ("the double", 627 - 40, "nearly", "A turn is 200π positions"),
    ("the double", 200 * np.pi - 40, "nearly", "Which whole position is nearest to it?"),
    ("the double", 588.32, "nearly", "Which whole position is nearest to it?"),
    ("the double", 41, "wrong", "41 is where the hand is near 40"),
    ("the double", 500, "wrong", "At position 500 column 3 holds 0.2837, and at 40 0.9211."),
    ("the double", 5.88, "wrong", "A whole position from 0 to 627"),
    ("the double", [588, 40], "wrong", "A single number is asked for"),
    ("read the clock", slow, "nearly", "588 of 628 positions are right. That is the slow hand alone"),
    ("read the clock", lambda rows: slow(rows).round(), "nearly", "That is the slow hand alone"),
    ("read the clock", fast, "wrong", "7 of 628 positions are right. That is the fast hand alone"),
    ("read the clock", lambda rows: 100 * np.arctan2(rows[:, 2], rows[:, 3]), "wrong", "come out below 0"),
    ("read the clock", lambda rows: slow(rows) / 100, "wrong", "These are the angles of the slow hand"),
    ("read the clock", lambda rows: 100 * np.arcsin(rows[:, 2]), "wrong", "One shadow leaves two hands"),
    ("read the clock", lambda rows: slow(rows[:, [0, 1, 3, 2]]), "wrong", "are exchanged"),
    ("read the clock", lambda rows: fast(rows) + TURN * (slow(rows) // TURN), "nearly", "turns were miscounted"),
    ("read the clock", lambda rows: both(rows).astype(int), "nearly", "lose what is behind the point"),
    (
        "read the clock",
        lambda rows: both(rows)[:, np.newaxis],
        "nearly",
        "The positions are right. An array of shape (628,)",
    ),
    ("read the clock", lambda rows: both(rows) + 1, "nearly", "Each is 1 too large"),
    ("read the clock", lambda rows: both(rows) - 1, "nearly", "Each is 1 too small"),
    ("read the clock", lambda rows: np.degrees(slow(rows) / 100), "wrong", "in degrees"),
    ("read the clock", lambda rows: slow(rows) % TURN, "nearly", "a remainder was taken too late"),
    ("read the clock", lambda rows: 100 * np.arctan(rows[:, 2] / rows[:, 3]), "wrong", "`np.arctan` cannot tell"),
    ("read the clock", lambda _: np.arange(628), "wrong", "and you read 0."),
    (
        "read the clock",
        lambda rows: both(rows)[0],
        "wrong",
        "An array of shape (628,) is asked for, and yours is a single number.",
    ),
    ("read the clock", only_the_first_six_hundred, "wrong", "601 of 628 positions are right."),
    (
        "read the clock",
        lambda _: np.random.default_rng(0).permutation(628),
        "nearly",
        "a number in your code",
    ),
]


test_a_wrong_answer_is_told_what_to_look_at = told(WRONG)


test_another_way_to_the_right_answer_is_right = taken(
    [
        ("name the column", np.int64(3)),
        ("the longest wave", lambda d_model, base: wavelengths(d_model, base).max()),
        ("the longest wave", lambda d, base: np.float32(TURN * base ** (1 - 2 / d))),
        ("a base to order", 100**1.5),
        ("the double", np.float64(588)),
        ("read the clock", both),
        ("read the clock", lambda rows: both(rows).round().astype(int)),
        ("read the clock", nearest),
    ]
)


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_every_misreading_of_the_clock_is_told_in_its_own_words():
    from pe_lib.exercises.notebook_04 import ROWS, _misreadings

    said = [feedback.text for _, feedback in ((each.value, each.feedback) for each in _misreadings(ROWS))]
    for k, says in enumerate(said):
        feedback = check("read the clock", lambda rows, k=k: list(_misreadings(rows))[k].value)
        assert says in feedback.text
        assert feedback.text[0].isdigit()
