"""Promise: what learners get wrong in notebook 03 is told to them in words that fit."""

import numpy as np
from exercise_answers import taken, told

from pe_lib import frequencies, sinusoidal_encoding

PE = sinusoidal_encoding(10, 6)
EVEN, ODD = PE[:, 0::2], PE[:, 1::2]


def stacked_on(axis, shape=(2, 10, 6)):
    return lambda angles: np.stack([np.sin(angles), np.cos(angles)], axis=axis).reshape(shape)


def table(length, d_model, axis=-1):
    """Return what stack and flatten gives with -1: for odd widths a column too many."""
    angle = np.arange(length)[:, np.newaxis] * frequencies(d_model)
    return np.stack([np.sin(angle), np.cos(angle)], axis=axis).reshape(length, -1)


def in_place(halves):
    """Write into what was handed over, over numbers that are still to be read."""
    pairs = halves.shape[1] // 2
    halves[:, 0::2] = halves[:, :pairs].copy()
    halves[:, 1::2] = halves[:, pairs:].copy()
    return halves


def of_six_columns(length, d_model):
    """Keep the exponents of six columns, as the cells of the notebook have them."""
    angle = np.arange(length)[:, np.newaxis] / 10000 ** (np.arange(0, 6, 2) / 6)
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(length, -1)[:, :d_model]


def to_the_width(length, d_model):
    return table(length, d_model).reshape(length, d_model)


WRONG = [
    ("take it apart", PE, "nearly", "in shape (10, 6) where (10, 3, 2) is asked for"),
    ("take it apart", PE.reshape(10, 2, 3), "nearly", "Two blocks of three"),
    ("take it apart", PE.reshape(2, 10, 3), "nearly", "in shape (2, 10, 3) where (10, 3, 2)"),
    ("take it apart", PE.reshape(10, 2, 3).transpose(0, 2, 1), "wrong", "taken for halves"),
    ("take it apart", PE.reshape(10, 3, 2, order="F"), "wrong", "taken for halves"),
    ("take it apart", np.stack([ODD, EVEN], axis=2), "nearly", "the cosine now comes first"),
    ("take it apart", [EVEN, ODD], "nearly", "stacked on `axis=0`"),
    ("take it apart", np.stack([EVEN, ODD], axis=1), "nearly", "stacked on `axis=1`"),
    ("take it apart", PE.T.reshape(3, 2, 10), "nearly", "in another order"),
    ("take it apart", PE.reshape(10, 3, 2).round(3), "nearly", "rounded to 3 decimals"),
    ("find a lost number", (7, 3), "wrong", "That is where it should be"),
    ("find a lost number", [7, 4], "wrong", "its place in halves"),
    ("find a lost number", divmod(7 * 3 + 1, 6), "wrong", "the place of the *sine*"),
    ("find a lost number", (4, 8), "nearly", "the row comes first"),
    ("find a lost number", divmod(30 + 7 * 3, 6), "nearly", "One too early"),
    ("find a lost number", divmod(30 + 7 * 3 + 2, 6), "nearly", "One too far"),
    ("find a lost number", divmod(30 + 8 * 3 + 1, 6), "nearly", "There is the cosine of position 8"),
    ("find a lost number", 52, "nearly", "number 52 in the order of reading"),
    ("find a lost number", (8, 1), "wrong", "1 of 2 numbers is right. The first that is not stands at index 1"),
    ("find a lost number", (8, ...), "unanswered", ""),
    ("two pieces of a text", stacked_on(2), "wrong", "Here it gives halves"),
    ("two pieces of a text", stacked_on(1), "wrong", "positions are mixed"),
    ("two pieces of a text", stacked_on(0), "wrong", "holds nothing but sines now"),
    ("two pieces of a text", stacked_on(-1, (2, 10, 3, 2)), "nearly", "in shape (2, 10, 3, 2) where (2, 10, 6)"),
    ("two pieces of a text", stacked_on(-1, (10, 6)), "wrong", "cannot reshape array of size 120 into shape (10,6)"),
    ("two pieces of a text", stacked_on(4), "wrong", "axis 4 is out of bounds for array of dimension 4"),
    (
        "two pieces of a text",
        lambda angles: np.concatenate([np.sin(angles), np.cos(angles)], axis=-1),
        "wrong",
        "Here it gives halves",
    ),
    (
        "two pieces of a text",
        lambda _: np.stack([PE, sinusoidal_encoding(10, 6, start=100)]),
        "nearly",
        "a number in your code",
    ),
    ("two pieces of a text", 3, "wrong", "A function is asked for"),
    ("from halves to taking turns", lambda halves: halves, "wrong", "come out as they went in"),
    (
        "from halves to taking turns",
        lambda halves: halves.reshape(len(halves), -1, 2).reshape(halves.shape),
        "wrong",
        "come out as they went in",
    ),
    ("from halves to taking turns", lambda halves: halves[:, [0, 2, 4, 1, 3, 5]], "wrong", "the way to halves"),
    (
        "from halves to taking turns",
        lambda halves: halves[:, [0, 3, 1, 4, 2, 5]],
        "nearly",
        "a number in your code",
    ),
    (
        "from halves to taking turns",
        lambda halves: sinusoidal_encoding(*halves.shape),
        "nearly",
        "computed anew, from position 0 on",
    ),
    (
        "from halves to taking turns",
        lambda halves: np.stack(np.hsplit(halves, 2), axis=2),
        "nearly",
        "in shape (10, 3, 2) where (10, 6) is asked for",
    ),
    ("from halves to taking turns", lambda halves: halves.T.reshape(halves.shape), "wrong", "Rows should stay rows"),
    (
        "from halves to taking turns",
        lambda halves: np.stack(np.hsplit(halves, 2), axis=0).reshape(halves.shape),
        "wrong",
        "Positions are mixed",
    ),
    (
        "from halves to taking turns",
        lambda halves: np.stack(np.hsplit(halves, 2)[::-1], axis=2).reshape(halves.shape),
        "nearly",
        "each pair begins with its cosine",
    ),
    ("from halves to taking turns", in_place, "wrong", "It also changes what it is given. Work on a copy."),
    ("any width", table, "nearly", "with a cosine too many at the end"),
    ("any width", lambda n, d: sinusoidal_encoding(n, d + d % 2)[:, :d], "nearly", "divided by the next even number"),
    (
        "any width",
        lambda n, d: table(n, d)[:, :-1],
        "nearly",
        "Right as far as it goes, and of another size: (7, 5) where (7, 6)",
    ),
    ("any width", lambda n, d: table(n, d)[:, :5], "nearly", "of another size: (12, 5) where (12, 7)"),
    ("any width", lambda n, d: table(n, d)[:, : d // 2 * 2], "nearly", "the last column is missing"),
    ("any width", lambda n, d: np.c_[sinusoidal_encoding(n, d)[:, :-1], np.zeros(n)], "nearly", "filled up with zeros"),
    ("any width", lambda n, d: table(n, d)[:, 1:], "nearly", "the first column that was cut off"),
    ("any width", lambda n, d: table(n, d).reshape(-1, d)[:n], "wrong", "cut into rows of five"),
    ("any width", lambda n, d: table(n, d, 0)[:, :d], "wrong", "Positions are mixed"),
    ("any width", lambda n, d: table(n, d, 1)[:, :d], "nearly", "All sines stand before all cosines"),
    ("any width", to_the_width, "wrong", "cannot reshape array of size 60 into shape (10,5)"),
    ("any width", of_six_columns, "nearly", "divided by the next even number"),
    ("any width", lambda n, d: table(n, d)[:5], "nearly", "(5, 6) where (10, 5) is asked for"),
]


test_a_wrong_answer_is_told_what_to_look_at = told(WRONG)


test_another_way_to_the_right_answer_is_right = taken(
    [
        ("take it apart", np.stack([EVEN, ODD], axis=-1)),
        ("take it apart", PE.reshape(-1, 3, 2).tolist()),
        ("take it apart", PE.reshape(10, 3, 2).round(4)),
        ("find a lost number", np.argwhere(np.stack([EVEN, ODD]).reshape(10, 6) == ODD[7, 1])[0]),
        ("find a lost number", [8.0, 4.0]),
        ("two pieces of a text", stacked_on(3)),
        ("two pieces of a text", stacked_on(-1, (2, 10, -1))),
        ("from halves to taking turns", lambda halves: np.stack(np.hsplit(halves, 2), axis=2).reshape(halves.shape)),
        (
            "from halves to taking turns",
            lambda halves: halves.reshape(len(halves), 2, -1).swapaxes(1, 2).reshape(halves.shape),
        ),
        ("any width", lambda length, d_model: table(length, d_model)[:, :d_model]),
        ("any width", sinusoidal_encoding),
    ]
)
