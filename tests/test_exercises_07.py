"""The exercises of notebook 07 answer the wrong answers that learners give, and take every right one."""

import numpy as np
from exercise_answers import taken, told

from pe_lib import rotate, shift_rotation, sinusoidal_encoding


def rotated(k, w):
    return np.array([[np.cos(k * w), np.sin(k * w)], [-np.sin(k * w), np.cos(k * w)]])


def head(offset, sharpness=50, axis=1):
    """Return a function that makes the shares of a head that looks this far ahead."""

    def shares(length, d_model):
        keys = sinusoidal_encoding(length, d_model)
        queries = keys @ shift_rotation(offset, d_model).T
        powers = np.exp(sharpness * queries @ keys.T / np.sqrt(d_model))
        return powers / powers.sum(axis=axis, keepdims=True)

    return shares


def scores(queries, keys, of_queries=1, of_keys=1):
    """Return scores whose queries and keys were turned by so many times their position."""
    pos = np.arange(len(queries))
    return rotate(queries, of_queries * pos) @ rotate(keys, of_keys * pos).T


def scores_of_two_ahead(length, d_model):
    keys = sinusoidal_encoding(length, d_model)
    return keys @ shift_rotation(2, d_model).T @ keys.T


def without_keepdims(length, d_model):
    powers = np.exp(scores_of_two_ahead(length, d_model))
    return powers / powers.sum(axis=1)


def overflowing(length, d_model):
    with np.errstate(over="ignore", invalid="ignore"):
        powers = np.exp(1000 * scores_of_two_ahead(length, d_model))
        return powers / powers.sum(axis=1, keepdims=True)


def directed(*pairs, sign=1):
    """Return a matrix with the block that gives direction for these pairs."""
    matrix = np.zeros((8, 8))
    for i in pairs:
        matrix[2 * i, 2 * i + 1], matrix[2 * i + 1, 2 * i] = sign, -sign
    return matrix


test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        ("turn one pair", lambda k, w: rotated(k, w).T, "nearly", "This one turns back"),
        ("turn one pair", lambda k, _: rotated(k, 1), "wrong", "right for w = 1 alone"),
        ("turn one pair", lambda _, w: rotated(1, w), "wrong", "This takes one step"),
        ("turn one pair", lambda k, w: rotated(k, w)[:, ::-1], "wrong", "Sine and cosine are exchanged"),
        ("turn one pair", lambda k, w: rotated(k, w).ravel(), "nearly", "(2, 2) is asked for"),
        ("step back", lambda rows, turn: rows @ turn.T, "nearly", "gone on by k once more"),
        ("step back", lambda rows, turn: turn.T @ rows.T, "nearly", "Rows and columns are exchanged"),
        ("step back", lambda rows, _: rows, "wrong", "as they came"),
        ("step back", lambda rows, turn: turn.T @ rows, "wrong", "ValueError"),
        (
            "scores that know the offset",
            lambda q, k: scores(q, k, -1, -1),
            "nearly",
            "turned the other way, as R moves",
        ),
        ("scores that know the offset", lambda q, k: scores(q, k) / q.shape[1] ** 0.5, "nearly", "root of the width"),
        ("scores that know the offset", lambda q, k: scores(q, k).T, "nearly", "The right numbers, in another order"),
        ("scores that know the offset", lambda q, k: scores(q, k, 0, 0), "wrong", "Nothing has been turned"),
        ("scores that know the offset", lambda q, k: scores(q, k, 1, 0), "wrong", "The keys have not been turned"),
        ("scores that know the offset", lambda q, k: scores(q, k, 0, 1), "wrong", "The queries have not been turned"),
        ("scores that know the offset", lambda q, k: scores(q, k, 1, -1), "wrong", "the sum of the two positions"),
        (
            "scores that know the offset",
            lambda q, k: (q + sinusoidal_encoding(*q.shape)) @ (k + sinusoidal_encoding(*k.shape)).T,
            "wrong",
            "The encoding has been added",
        ),
        ("look two ahead", head(-2), "nearly", "This head looks two back"),
        ("look two ahead", head(2, sharpness=1), "nearly", "What makes a head sharper?"),
        ("look two ahead", head(2, axis=0), "nearly", "The columns add up to 1"),
        ("look two ahead", lambda length, _: np.eye(length, k=-2), "nearly", "This head looks two back"),
        ("look two ahead", lambda length, _: 1.004 * np.eye(length, k=2), "wrong", "row 0 adds up to 1.004"),
        (
            "look two ahead",
            lambda length, _: 0.8999 * np.eye(length, k=2) + 0.1001 * np.eye(length),
            "nearly",
            "only 0.8999.",
        ),
        ("look two ahead", head(1), "wrong", "Token 0 gives its largest share to token 1, not to 2"),
        ("look two ahead", scores_of_two_ahead, "wrong", "the softmax"),
        ("look two ahead", without_keepdims, "wrong", "divides each row by its own sum"),
        ("look two ahead", overflowing, "wrong", "take the largest score of each row off"),
        ("look two ahead", lambda *_: np.eye(3), "wrong", "shape (10, 10)"),
        ("which comes first", directed(2, sign=-1), "nearly", "the other way round"),
        ("which comes first", directed(0), "nearly", "At offsets below 4 all signs are right"),
        ("which comes first", directed(0, 1, 2, 3), "nearly", "At offsets below 4 all signs are right"),
        ("which comes first", directed(1), "nearly", "At offsets below 32"),
        ("which comes first", np.eye(8), "wrong", "hold no direction"),
        ("which comes first", shift_rotation(1, 8), "wrong", "the diagonal must be empty"),
        ("which comes first", directed(0, sign=-1), "wrong", "Even for neighbours"),
        ("which comes first", np.triu(directed(2)), "wrong", "M[b, a] must take off"),
        ("which comes first", np.zeros((8, 8)), "wrong", "All scores are 0"),
        ("which comes first", directed(2)[4:6, 4:6], "wrong", "shape (8, 8) is asked for"),
    ]
)


test_every_right_answer_is_taken_however_it_is_written = taken(
    [
        ("turn one pair", lambda k, w: shift_rotation(k * w, 2).tolist()),
        ("turn one pair", lambda k, w: shift_rotation(k * w, 2).astype(np.float32)),
        ("step back", lambda rows, turn: (np.linalg.inv(turn) @ rows.T).T),
        ("step back", lambda rows, turn: np.array([turn.T @ row for row in rows])),
        ("scores that know the offset", scores),
        (
            "scores that know the offset",
            lambda q, k: [
                [row @ shift_rotation(n - m, q.shape[1]).T @ other for n, other in enumerate(k)]
                for m, row in enumerate(q)
            ],
        ),
        ("look two ahead", head(2, sharpness=30)),
        ("look two ahead", lambda length, _: np.eye(length, k=2)),
        ("look two ahead", lambda length, _: np.eye(length, k=2, dtype=int).tolist()),
        ("look two ahead", lambda length, _: np.vstack([np.eye(length, k=2)[:-2], np.full((2, length), np.nan)])),
        (
            "look two ahead",
            lambda length, _: np.eye(length, k=2) + np.eye(length) * (np.arange(length) > length - 3),
        ),
        ("which comes first", directed(3)),
        ("which comes first", directed(2, 3)),
        ("which comes first", 1e300 * directed(2)),
        ("which comes first", directed(2).astype(int).tolist()),
    ]
)
