"""Promise: the exercises of notebook 06 tell the wrong answers that learners give what to look at."""

import numpy as np
import pytest
from exercise_answers import taken, told

from pe_lib import add_positional_encoding, check, sinusoidal_encoding

X = (8, 20, 64)
RIGHT_SHAPES = [X, X, "error", X, (5, *X)]
ONE = np.eye(6)


def but(place, shape):
    """Return the right shapes with another one in one place."""
    return [shape if k == place else right for k, right in enumerate(RIGHT_SHAPES)]


def table(x, **other):
    """Return the table of an x with the tokens in front, ready to be added."""
    return sinusoidal_encoding(len(x), x.shape[2], **other)[:, np.newaxis]


def where(masks, d_model, otherwise=0.0, **other):
    return np.where(masks[..., np.newaxis] == 1, sinusoidal_encoding(masks.shape[1], d_model, **other), otherwise)


def last_mask_wins(masks, d_model):
    for mask in masks:
        encoding = where(mask[np.newaxis], d_model)[0]
    return encoding


def differences(x, y):
    return (y - x)[:, :, np.newaxis] - sinusoidal_encoding(*x.shape[1:])


def away(x, y):
    return np.linalg.norm(differences(x, y), axis=-1)


SHAPES, FRONT, MASKS = "five shapes", "tokens in front", "a mask for each sentence"
WEIGHTS, ROWS = "weights that add", "which row did each token get?"


test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        (SHAPES, but(2, X), "nearly", "The first that is not is that of shape (8, 20). Write it"),
        (SHAPES, but(2, X), "nearly", "4 of 5 sums are right."),
        (SHAPES, but(3, "error"), "nearly", "A 1 is stretched"),
        (SHAPES, but(4, "error"), "nearly", "one axis more"),
        (SHAPES, but(4, (5, 1, 20, 64)), "nearly", "one axis more"),
        (SHAPES, but(1, (20, 64)), "nearly", "You gave back what is added."),
        (SHAPES, but(0, 64), "nearly", "Its answer is to be a shape"),
        (SHAPES, [True, True, False, True, True], "wrong", "0 of 5 sums are right"),
        (SHAPES, ["(8, 20, 64)"] * 5, "wrong", "without quotation marks"),
        (SHAPES, ["error"] * 5, "wrong", "1 of 5 sums is right. The first that is not is that of shape (64,)."),
        (FRONT, add_positional_encoding, "wrong", "On which axis are the tokens"),
        (FRONT, lambda x: x + sinusoidal_encoding(*x.shape[1:]), "wrong", "On which axis are the tokens"),
        (FRONT, lambda x: x + table(x)[:, 0], "wrong", "operands could not be broadcast together"),
        (FRONT, lambda x: add_positional_encoding(x.swapaxes(0, 1)), "nearly", "with the sentences in front"),
        (FRONT, lambda x: x * table(x), "nearly", "multiplied"),
        (FRONT, table, "nearly", "Add it to `x`."),
        (FRONT, lambda x: x, "wrong", "Nothing was added."),
        (FRONT, lambda x: x.__iadd__(table(x)), "nearly", "changes what it is given"),
        (FRONT, lambda x: x + table(x, start=1), "wrong", "from 1"),
        (FRONT, lambda x: x + table(x, base=100), "wrong", "as if the base were 100"),
        (FRONT, lambda x: x + table(x, layout="halves"), "nearly", "another convention"),
        (FRONT, lambda x: x + table(x)[1], "wrong", "the same at every token"),
        (FRONT, lambda x: np.sqrt(x.shape[2]) * x + table(x), "nearly", "as the paper does"),
        (FRONT, lambda x: x + table(x) / 2, "wrong", "multiplied by 0.5"),
        (MASKS, lambda masks, d: sinusoidal_encoding(4, d) * masks[..., np.newaxis], "nearly", "a -0.0"),
        (MASKS, last_mask_wins, "wrong", "was each written over the one before it"),
        (MASKS, lambda masks, d: where(masks[-1:].repeat(len(masks), 0), d), "wrong", "the mask of the last one"),
        (MASKS, lambda masks, d: where(masks | 1, d), "wrong", "the padding has too"),
        (MASKS, lambda masks, d: where(1 - masks, d), "nearly", "The other way round"),
        (MASKS, lambda masks, d: where(masks, d, -np.inf), "nearly", "Minus infinity is for the scores"),
        (MASKS, lambda masks, d: where(masks, d, 1.0), "wrong", "In sentence 1, token 2 is padding"),
        (MASKS, lambda masks, d: np.zeros((*masks.shape, d)), "wrong", "In sentence 0, token 0 is a word"),
        (MASKS, lambda masks, d: where(masks, d, layout="halves"), "nearly", "another convention"),
        (MASKS, lambda masks, d: where(masks, d, start=1), "wrong", "The zeros are where they should be."),
        (MASKS, lambda masks, d: np.where(masks == 1, sinusoidal_encoding(4, d), 0.0), "wrong", "broadcast together"),
        (WEIGHTS, np.eye(12, 6), "wrong", "`P` is lost"),
        (WEIGHTS, np.ones((12, 6)), "wrong", "the sum of all twelve"),
        (WEIGHTS, np.hstack([ONE, ONE]), "nearly", "Rows and columns are exchanged"),
        (WEIGHTS, ONE, "nearly", "rows of twelve"),
        (WEIGHTS, np.repeat(ONE, 2, axis=0), "nearly", "This adds neighbours"),
        (WEIGHTS, np.vstack([ONE, 2 * ONE]), "wrong", "6 of 12 rows are right. Row 6 is the first that is not"),
        (WEIGHTS, np.vstack([ONE, 2 * ONE]), "wrong", "`P[:, 0]`"),
        (
            ROWS,
            lambda x, _: np.broadcast_to(np.arange(x.shape[1]), x.shape[:2]),
            "wrong",
            "the places where the tokens",
        ),
        (ROWS, lambda x, _: [[[] for _ in row] for row in x], "wrong", "To the last digit no row equals"),
        (ROWS, lambda x, y: away(0 * x, y).argmin(-1), "wrong", "`y` itself was compared"),
        (ROWS, lambda x, y: away(x, y).argmin(1), "nearly", "asked the other way round"),
        (ROWS, lambda x, y: away(x, y).argmax(-1), "nearly", "farthest away"),
        (ROWS, lambda x, y: away(x, y).argmin(), "wrong", "Without an axis"),
        (ROWS, lambda x, y: abs(differences(x, y)).argmin(2), "nearly", "sum over the last axis first"),
        (ROWS, lambda x, y: differences(x, y).sum(-1).argmin(-1), "nearly", "they cancel"),
        (ROWS, lambda x, y: away(x, y).min(-1), "nearly", "Which rows are they of?"),
        (ROWS, away, "wrong", "Which rows are they of?"),
        (ROWS, lambda x, y: (differences(x, y) == 0).all(-1).argmax(-1), "wrong", "Take the nearest"),
        (ROWS, lambda x, y: away(x, y).argmin(-1) + 1, "nearly", "counted from 0"),
    ]
)


test_a_right_answer_is_right_in_whatever_form = taken(
    [
        (SHAPES, RIGHT_SHAPES),
        (SHAPES, tuple(list(shape) if isinstance(shape, tuple) else " Error" for shape in RIGHT_SHAPES)),
        (FRONT, lambda x: x + table(x)),
        (FRONT, lambda x: (x + table(x)).astype(np.float32)),
        (FRONT, lambda x: np.stack([add_positional_encoding(sentence) for sentence in x.swapaxes(0, 1)], axis=1)),
        (MASKS, where),
        (MASKS, lambda masks, d: np.array([where(mask[np.newaxis], d)[0] for mask in masks])),
        (MASKS, lambda masks, d: sinusoidal_encoding(masks.shape[1], d) * masks[..., np.newaxis] + 0.0),
        (WEIGHTS, np.vstack([ONE, ONE]).tolist()),
        (WEIGHTS, np.tile(np.eye(6, dtype=int), (2, 1))),
        (ROWS, lambda x, y: away(x, y).argmin(-1)),
        (ROWS, lambda x, y: abs(differences(x, y)).sum(-1).argmin(-1).astype(float)),
        (ROWS, lambda x, y: ((y - x) @ sinusoidal_encoding(*x.shape[1:]).T).argmax(-1)),
    ]
)


@pytest.mark.parametrize("name", [SHAPES, FRONT, MASKS, WEIGHTS, ROWS])
@pytest.mark.parametrize(
    "answer", [5, 2.5, "error", None, True, {"a": 1}, [X, 5, None], [[1, 2], [3]], np.eye, object()]
)
def test_an_answer_of_the_wrong_kind_is_told_so_in_plain_words(name, answer):
    for tried in (answer, lambda *_: answer):
        feedback = check(name, tried)
        assert feedback.kind == "wrong"
        assert "stops with" not in feedback.text or tried is np.eye  # which is a function, and cannot take these inputs
        for numpys in ("operands", "inhomogeneous", "ufunc", "setting an array element"):
            assert numpys not in feedback.text


def test_the_five_sums_are_what_numpy_says():
    from pe_lib.exercises.notebook_06 import SUMS

    for shape, right in SUMS.items():
        try:
            found = np.broadcast_shapes(X, shape)
        except ValueError:
            found = "error"
        assert found == right
    assert list(SUMS.values()) == RIGHT_SHAPES
