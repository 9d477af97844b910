"""Promise: the exercises of notebook 01 tell the wrong answers that learners give what to look at."""

import numpy as np
from exercise_answers import taken, told

from pe_lib import CAT_CHASED_MOUSE, sinusoidal_encoding

X = CAT_CHASED_MOUSE.embeddings


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


OUT = softmax(X @ X.T / np.sqrt(4)) @ X


def along_a_line(length):
    return np.repeat(np.arange(length)[:, np.newaxis] / length, 4, axis=1)


def counted(length):
    return np.repeat(np.arange(length)[:, np.newaxis], 4, axis=1)


def to_and_fro(length):
    return np.repeat(np.arange(length)[:, np.newaxis] % 2, 4, axis=1)


def round_and_round(length):
    turn = 2 * np.pi * np.arange(length) / 8
    return np.stack([np.sin(turn), np.cos(turn), np.sin(turn), np.cos(turn)], axis=1)


def thrown(length):
    return np.random.default_rng(0).uniform(-1, 1, (length, 4))


def sines_alone(length):
    return sinusoidal_encoding(length, 8)[:, 0::2]


test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        ("another order", OUT, "wrong", "its first row belongs to “cat”"),
        ("another order", OUT[[1, 2, 0]], "nearly", "in the order “chased mouse cat”"),
        ("another order", X[[2, 0, 1]], "nearly", "Take them from `out`"),
        ("another order", OUT[[2, 1, 0]], "wrong", "both “cat” and “chased” have to move on"),
        ("another order", OUT[[0, 2, 1]], "nearly", "in another order"),
        (
            "what layer normalisation leaves",
            lambda rows: rows - rows.mean(axis=0),
            "wrong",
            "each column gave up its mean",
        ),
        ("what layer normalisation leaves", lambda rows: rows - rows.mean(), "wrong", "the mean of the whole matrix"),
        ("what layer normalisation leaves", lambda rows: rows - rows.mean(axis=1), "wrong", "operands could not be"),
        (
            "what layer normalisation leaves",
            lambda rows: rows.T - rows.mean(axis=1),
            "nearly",
            "Rows and columns are exchanged",
        ),
        (
            "what layer normalisation leaves",
            lambda rows: rows.__isub__(rows.mean(1)[:, np.newaxis]),
            "nearly",
            "changes",
        ),
        ("what layer normalisation leaves", lambda rows: rows, "wrong", "Nothing was subtracted"),
        ("what layer normalisation leaves", lambda rows: 0.0 * rows, "wrong", "0 of 12 numbers are right"),
        ("what layer normalisation leaves", lambda rows: rows - [[0], [1], [2]], "wrong", "`centred` is not told"),
        ("what layer normalisation leaves", lambda _: X - X.mean(1)[:, np.newaxis], "nearly", "a number in your code"),
        ("another order", [2, 0, 1], "nearly", "Now take the rows of `out`"),
        ("the last word behind a mask", ["False", "True"], "nearly", "Leave the quotation marks out"),
        ("the last word behind a mask", [True, True], "nearly", "does attention know in which order"),
        ("the last word behind a mask", (False, False), "nearly", "it stands first"),
        ("the last word behind a mask", [True, False], "wrong", "Can rows that differ after one layer"),
        ("the last word behind a mask", True, "wrong", "A list of 2"),
        ("the nearest row", 1, "wrong", "the natural guess"),
        ("the nearest row", 5, "nearly", "Its first entry belongs to position 1"),
        ("the nearest row", 0.2885388, "nearly", "the smallest distance"),
        ("an encoding of your own", along_a_line, "nearly", "not yet a step of at least 0.1: the smallest is 0.002"),
        ("an encoding of your own", counted, "nearly", "not yet bounded: row 999 holds 999, outside -1 to 1"),
        ("an encoding of your own", to_and_fro, "nearly", "not yet all different: row 2 is row 0 over again"),
        ("an encoding of your own", round_and_round, "nearly", "row 8 is row 0 over again"),
        ("an encoding of your own", thrown, "nearly", "not yet the same step"),
        ("an encoding of your own", sines_alone, "wrong", "not yet the same step"),
        (
            "an encoding of your own",
            lambda length: np.ones(length),
            "wrong",
            "shape (1000, 4) is asked for, and yours has shape (1000,)",
        ),
        ("an encoding of your own", lambda length: 2 * thrown(length), "wrong", "Of four wishes, two are"),
    ]
)


test_a_right_answer_is_right_in_whatever_form = taken(
    [
        ("another order", OUT[[2, 0, 1]].round(4).tolist()),
        ("what layer normalisation leaves", lambda rows: [[x - sum(row) / len(row) for x in row] for row in rows]),
        ("the last word behind a mask", np.array([0, 1])),
        ("the nearest row", 6.0),
        ("an encoding of your own", lambda length: sinusoidal_encoding(length, 4)),
        ("an encoding of your own", lambda length: sinusoidal_encoding(length, 4).round(4).tolist()),
        ("an encoding of your own", lambda length: sinusoidal_encoding(length, 4).astype(np.float32)),
        ("an encoding of your own", lambda length: sinusoidal_encoding(length, 4).astype(np.float16)),
        ("an encoding of your own", lambda length: np.roll(sinusoidal_encoding(length + 5, 4)[5:], 1, axis=1)),
    ]
)


def test_what_is_said_of_the_mask_is_so():
    def masked(rows):
        scores = np.where(np.tri(3) == 1, rows @ rows.T / np.sqrt(4), -np.inf)
        return softmax(scores) @ rows

    one, other = X, X[[1, 0, 2]]
    differs = []
    for _ in range(2):
        one, other = masked(one), masked(other)
        differs.append(not np.allclose(one[2], other[2]))
    assert differs == [False, True]


def test_what_is_said_of_the_nearest_row_is_so():
    away = np.linalg.norm(sinusoidal_encoding(11, 4)[1:] - sinusoidal_encoding(11, 4)[0], axis=1)
    assert (1 + np.argsort(away))[:2].tolist() == [6, 7]
    assert away.min() > 0
