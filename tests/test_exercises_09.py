"""What is said to wrong answers that learners give to the exercises of notebook 09."""

import numpy as np
import pytest
from exercise_answers import told

from pe_lib import broken_encoding, check, pair_turns, sinusoidal_encoding


def ratio_of_neighbours(two_rows):
    return pair_turns(two_rows)[0] / pair_turns(two_rows)[1]


def one_step_for_each_column(two_rows):
    return ratio_of_neighbours(two_rows) ** two_rows.shape[1]


def from_the_second_row_alone(two_rows):
    with np.errstate(invalid="ignore"):
        return np.abs(np.arcsin(two_rows[1, 2])) ** (-two_rows.shape[1] / 2)


def of_an_angle(angle):
    def base(two_rows):
        before, after = angle(two_rows[:, 2], two_rows[:, 3])
        return (after - before) ** (-two_rows.shape[1] / 2)

    return base


def of_both_angles(two_rows):
    turns = np.diff(np.arctan(two_rows[:, 0::2] / two_rows[:, 1::2]), axis=0)[0]
    return (turns[0] / turns[1]) ** (two_rows.shape[1] / 2)


def always_ten_thousand(_):
    return 10_000


def unchanged(length, d_model):
    pos, i = np.arange(length)[:, np.newaxis], np.arange(d_model // 2)
    table = np.empty((length, d_model))
    table[:, 0::2] = np.sin(pos / 10_000 ** (2 * i / d_model))
    table[:, 1::2] = np.cos(pos / 10_000 ** (2 * i / (d_model / 2)))
    return table


def the_wrong_line_mended(length, d_model):
    return broken_encoding(length, d_model, rule="2i doubled")


def halved_in_both(length, d_model):
    return broken_encoding(length, d_model, rule="2 forgotten")


test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        ("name two mistakes", ["cosine-exponent", "pair-from-one"], "nearly", "in the other order"),
        ("name two mistakes", ["base", "cosine-exponent"], "nearly", "look at the turn of pair 0"),
        ("name two mistakes", ["pair-from-one", "own-frequencies"], "nearly", "L is right"),
        ("name two mistakes", ["exponent-doubled", "cosine-exponent"], "nearly", "divide each by the one before"),
        ("name two mistakes", ["own-frequencies", "cosine-exponent"], "nearly", "M is right. For L, measure the hands"),
        ("name two mistakes", ["base", "base"], "wrong", "are the hands whole"),
        ("name two mistakes", "pair-from-one", "wrong", "A list of 2 answers"),
        ("the base from two rows", ratio_of_neighbours, "nearly", "How many steps make the base?"),
        ("the base from two rows", one_step_for_each_column, "nearly", "square of the base"),
        ("the base from two rows", from_the_second_row_alone, "wrong", "only if the first row is position 0"),
        (
            "the base from two rows",
            of_an_angle(lambda sine, cosine: np.arctan(sine / cosine)),
            "nearly",
            "the angle that you measure jumps",
        ),
        ("the base from two rows", of_an_angle(np.arctan2), "nearly", "the angle that you measure jumps"),
        ("the base from two rows", of_both_angles, "nearly", "the angle that you measure jumps"),
        ("the base from two rows", always_ten_thousand, "nearly", "a number in your code"),
        ("the base from two rows", lambda rows: pair_turns(rows), "wrong", "A single number is asked for"),
        ("repair the note's formula", unchanged, "wrong", "Nothing has changed yet"),
        ("repair the note's formula", the_wrong_line_mended, "nearly", "the sine was the right one"),
        ("repair the note's formula", halved_in_both, "wrong", "exponents are half as large"),
        ("another order, and right", sinusoidal_encoding(6, 8), "nearly", "it is the paper's own"),
        ("another order, and right", sinusoidal_encoding(6, 8).round(1), "nearly", "it is the paper's own"),
        ("another order, and right", broken_encoding(6, 8, layout="swapped"), "nearly", "Which order had case J?"),
        ("another order, and right", sinusoidal_encoding(6, 8)[:, ::-1], "nearly", "All columns are the right ones"),
        ("another order, and right", 2 * sinusoidal_encoding(6, 8), "wrong", "multiplied by 2"),
        ("another order, and right", sinusoidal_encoding(8, 6, layout="halves"), "wrong", "shape (6, 8) is asked for"),
        ("another order, and right", sinusoidal_encoding(6, 8, base=50, layout="halves"), "wrong", "base is 50"),
    ]
)


@pytest.mark.parametrize("layout", ["halves", "cosines first"])
def test_other_orders_are_right(layout):
    assert check("another order, and right", broken_encoding(6, 8, layout=layout)).kind == "right"


def test_other_ways_to_the_base_are_right():
    def by_the_slope(two_rows):
        w = pair_turns(two_rows)
        return np.exp(-np.polyfit(np.arange(len(w)), np.log(w), 1)[0] * len(w))

    def from_the_second_pair(two_rows):
        return pair_turns(two_rows)[1] ** (-two_rows.shape[1] / 2)

    def by_an_angle_brought_between_0_and_a_turn(two_rows):
        before, after = np.arctan2(two_rows[:, 2], two_rows[:, 3])
        return ((after - before) % (2 * np.pi)) ** (-two_rows.shape[1] / 2)

    for answer in (by_the_slope, from_the_second_pair, by_an_angle_brought_between_0_and_a_turn):
        assert check("the base from two rows", answer).kind == "right"
