"""The exercises of notebook 10 know the answers that learners give, and say to each what to look at."""

import numpy as np
from exercise_answers import taken, told

from pe_lib import encode_positions, sinusoidal_encoding


def beyond(share, length, asked=1, within=31):
    return (share * (length - asked) - within) / (length - 32)


def back(words, k=2, at_first=-1):
    answers = np.full_like(words, at_first)
    answers[:, k:] = words[:, :-k]
    return answers


def line(length, d_model, divisor=100):
    return np.tile(np.arange(length)[:, np.newaxis] / divisor, d_model)


test_right_answers_are_taken = taken(
    [
        ("the loss of a guess", np.log(12)),
        ("the loss of a guess", 2.4849066),
        ("only what lies beyond", beyond),
        ("two words back", back),
        ("two words back", lambda words: np.pad(words, ((0, 0), (2, 0)), constant_values=-1)[:, :-2]),
        ("rows that go on", line),
        ("rows that go on", lambda length, d_model: np.sin(line(length, d_model))),
    ]
)

test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        ("the loss of a guess", -np.log(12), "nearly", "a loss has the other sign"),
        ("the loss of a guess", np.log2(12), "nearly", "in bits"),
        ("the loss of a guess", np.log10(12), "nearly", "natural logarithm"),
        ("the loss of a guess", 1 / 12, "wrong", "probability of each word"),
        ("the loss of a guess", 11 / 12, "wrong", "how often a guess is wrong"),
        ("only what lies beyond", lambda share, length: beyond(share, length, 0, 32), "nearly", "position 0"),
        ("only what lies beyond", lambda share, length: beyond(share, length, 0), "nearly", "the whole `share`"),
        ("only what lies beyond", lambda share, length: beyond(share, length, 1, 32), "nearly", "before 32"),
        ("only what lies beyond", lambda share, length: share * (length - 32) / length, "wrong", "taken away first"),
        ("two words back", lambda words: back(words, 1), "nearly", "Two places before"),
        ("two words back", lambda words: np.roll(words, 2, axis=1), "nearly", "-1 is due"),
        ("two words back", lambda words: back(words, 2, 0), "nearly", "0 is a word too"),
        ("two words back", lambda words: back(words[:, ::-1])[:, ::-1], "wrong", "which direction"),
        ("two words back", lambda words: words, "wrong", "the words themselves"),
        ("rows that go on", sinusoidal_encoding, "nearly", "More than 0.6 is asked for"),
        ("rows that go on", lambda length, d_model: np.zeros((length, d_model)), "wrong", "How far are the first 32"),
        ("rows that go on", lambda length, d_model: np.zeros((d_model, length)), "wrong", "shape (300, 32)"),
        (
            "rows that go on",
            lambda length, d_model: 1e9 * encode_positions([0] * length, d_model),
            "wrong",
            "too large",
        ),
    ]
)
