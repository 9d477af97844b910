"""Promise: the exercises of notebook 02 tell the wrong answers that learners give what to look at."""

import numpy as np
from exercise_answers import taken, told

from pe_lib import sinusoidal_encoding


def column_as_pair(length, d_model):
    j = np.arange(d_model)
    angle = np.arange(length)[:, np.newaxis] / 10000 ** (2 * j / d_model)
    return np.where(j % 2 == 0, np.sin(angle), np.cos(angle))


def without_the_two(length, d_model):
    j = np.arange(d_model)
    angle = np.arange(length)[:, np.newaxis] / 10000 ** ((j // 2) / d_model)
    return np.where(j % 2 == 0, np.sin(angle), np.cos(angle))


def from_position_one(length, d_model):
    return sinusoidal_encoding(length, d_model, start=1)


def sine_and_cosine_swapped(length, d_model):
    j = np.arange(d_model)
    angle = np.arange(length)[:, np.newaxis] / 10000 ** (2 * (j // 2) / d_model)
    return np.where(j % 2 == 1, np.sin(angle), np.cos(angle))


def in_halves(length, d_model):
    return sinusoidal_encoding(length, d_model, layout="halves")


def stacked_and_flattened(length, d_model):
    angle = np.arange(length)[:, np.newaxis] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(length, -1)


def cut_from_six(length, d_model):
    return sinusoidal_encoding(length, d_model + 1)[:, :d_model]


def even_and_odd_positions(length, d_model):
    pos, j = np.arange(length)[:, np.newaxis], np.arange(d_model)
    angle = pos / 10000 ** (2 * (j // 2) / d_model)
    return np.where(pos % 2 == 0, np.sin(angle), np.cos(angle))


def six_in_the_exponent(length, d_model):
    j = np.arange(d_model)
    angle = np.arange(length)[:, np.newaxis] / 10000 ** (2 * (j // 2) / 6)
    return np.where(j % 2 == 0, np.sin(angle), np.cos(angle))


def four_in_the_exponent(length, d_model):
    pe, angle = np.empty((length, d_model)), np.arange(length)[:, np.newaxis] / 10000 ** (np.arange(0, d_model, 2) / 4)
    pe[:, 0::2], pe[:, 1::2] = np.sin(angle), np.cos(angle[:, : d_model // 2])
    return pe


def the_last_two_cosines(length, d_model):
    angle = np.arange(length)[:, np.newaxis] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    pe = np.empty((length, d_model))
    pe[:, 0::2], pe[:, 1::2] = np.sin(angle), np.cos(angle[:, 1:])
    return pe


def fails_with_odd(length, d_model):
    angle = np.arange(length)[:, np.newaxis] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    pe = np.empty((length, d_model))
    pe[:, 0::2] = np.sin(angle)
    pe[:, 1::2] = np.cos(angle)
    return pe


def one_column_short(length, d_model):
    return sinusoidal_encoding(length, d_model)[:, :-1]


test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        ("the divisors of eight columns", [1, 0.1, 0.01, 0.001], "nearly", "one over the divisors"),
        ("the divisors of eight columns", [1, 100, 10_000, 1_000_000], "wrong", "he column was taken for the pair"),
        ("the divisors of eight columns", [1, 1, 10, 10, 100, 100, 1000, 1000], "nearly", "Columns 2i and 2i+1 share"),
        ("the divisors of eight columns", 10_000 ** (np.arange(4) / 3), "nearly", "as for six columns"),
        ("the divisors of eight columns", [10, 100, 1000, 10_000], "nearly", "Which exponent comes first?"),
        ("the divisors of eight columns", [10, 100, 1000], "nearly", "the first one, 1, belongs to them"),
        ("the divisors of eight columns", 10_000 ** (np.arange(4) / 8), "nearly", "there is a 2"),
        ("the divisors of eight columns", [1, 21.5443, 464.1589], "wrong", "the divisors of six columns"),
        ("one formula for all columns", even_and_odd_positions, "wrong", "the choice goes by rows"),
        ("one formula for all columns", six_in_the_exponent, "nearly", "and 0.0998334 is expected there"),
        ("one formula for all columns", lambda *shape: sinusoidal_encoding(*shape)[0], "wrong", "the first row alone"),
        ("one formula for all columns", column_as_pair, "wrong", "Use the pair i = j // 2"),
        ("one formula for all columns", without_the_two, "wrong", "The 2 of 2i/d_model is missing"),
        ("one formula for all columns", from_position_one, "wrong", "Row 0 holds position 1"),
        ("one formula for all columns", sine_and_cosine_swapped, "wrong", "Exchange 0::2 and 1::2"),
        ("one formula for all columns", in_halves, "nearly", "All sines stand before all cosines"),
        ("five columns", stacked_and_flattened, "nearly", "there is a sixth"),
        ("five columns", cut_from_six, "wrong", "exponents are divided by 6"),
        ("five columns", fails_with_odd, "wrong", "ValueError: could not broadcast input array from shape (10,3) into"),
        ("five columns", four_in_the_exponent, "wrong", "divided by 4"),
        ("five columns", the_last_two_cosines, "nearly", "Which angle does a cosine share"),
        ("five columns", one_column_short, "nearly", "one column is missing"),
    ]
)


test_a_right_answer_is_right_in_whatever_form = taken(
    [
        ("the divisors of eight columns", (1, 10, 100, 1000)),
        ("the divisors of eight columns", 10.0 ** np.arange(4)),
        ("one formula for all columns", lambda *shape: sinusoidal_encoding(*shape).tolist()),
        ("five columns", lambda length, d_model: stacked_and_flattened(length, d_model)[:, :d_model]),
        ("five columns", lambda *shape: sinusoidal_encoding(*shape, dtype=np.float32)),
    ]
)
