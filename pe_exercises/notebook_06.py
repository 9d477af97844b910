"""The exercises of notebook 06, *The right shape and the wrong sum*."""

import numpy as np

from pe_exercises.comparing import diagnosed, plain, same
from pe_exercises.engine import exercise
from pe_lib.encoding import add_positional_encoding, sinusoidal_encoding

X = (8, 20, 64)  # the shape of x in the first exercise
LOOK_AT = [
    "Look at (64,). It has one axis, and every axis that is missing on the left counts as 1.",
    "Look at (20, 64). Counted from the right, which lengths of `x` does it meet?",
    "Look at (8, 20). Write it flush right below (8, 20, 64): NumPy lines the shapes up from there, not from the left.",
    "Look at (8, 20, 1). A 1 stretches to the other length, on whichever axis it is.",
    "Look at (5, 1, 1, 64). It has one axis more than `x`: this time `x` gets a 1 in front.",
]


def look_at_the_first_wrong(sums):
    right = plain(five_shapes.right())
    if not isinstance(sums, tuple | np.ndarray) or not np.iterable(sums) or len(sums) != 5:
        return 'The exercise asks for a list of five, each a shape such as (8, 20, 64), or "error".'
    fits = [same(plain(each), shape) for each, shape in zip(sums, right, strict=True)]
    return f"{'Close. ' * (sum(fits) == 4)}Right so far: {sum(fits)} of 5. {LOOK_AT[fits.index(False)]}"


@exercise(
    hint="Write each shape below (8, 20, 64), flush right, and put a 1 in each gap.",
    wrong=[
        (
            [X, (20, 64), "error", X, (5, *X)],
            "For (20, 64) you gave the shape of what we add. What shape does the sum have?",
        ),
        ([64, X, "error", X, (5, *X)], "64 is a number. Write a shape, such as (8, 20, 64)."),
        (["(8, 20, 64)"] * 5, 'Write shapes without quotation marks. Only "error" is a string.'),
    ],
    otherwise=look_at_the_first_wrong,
)
def five_shapes():
    """Lined up from the right, only (8, 20) fails: its 20 meets a 64. Of the four that work, only (20, 64) can
    be an encoding of positions that serves all sentences.

    (64,) gives every token the same row, (8, 20, 1) gives each token one number, and (5, 1, 1, 64) makes five batches:
    it has one axis more than x, and x counts as (1, 8, 20, 64).
    """
    return [(8, 20, 64), (8, 20, 64), "error", (8, 20, 64), (5, 8, 20, 64)]


def rows_of(x):
    return sinusoidal_encoding(len(x), x.shape[2])[:, np.newaxis]  # (L, 1, d)


def look_at_what_was_added(y, x):
    added = y - x
    if np.allclose(added, added[0]):
        return "You added the same row to every token. Nothing tells their order."
    return diagnosed(added[:, 0]) if np.allclose(added, added[:, :1]) else ""


@exercise(
    hint="""Line the shapes up: `x` is (L, B, d), and the table must be the same for every sentence. Where does its
        axis of 1 belong now?""",
    inputs=[(np.arange(60).reshape(5, 2, 6) / 10,), (np.arange(36).reshape(3, 3, 4) / 10,)],
    wrong=[
        (
            add_positional_encoding,
            """Here all tokens of a sentence were given the same row, and each sentence a different one. On which axis
            are the tokens, and how many rows does the table need?""",
        ),
        (
            lambda x: add_positional_encoding(x.swapaxes(0, 1)),
            "These are the right sums with the sentences in front. Keep `x`'s shape.",
        ),
        (
            lambda x: add_positional_encoding(x.reshape(x.shape[1], x.shape[0], -1)).reshape(x.shape),
            "Reshaping does not exchange axes: tokens of one sentence end up in another.",
        ),
        (lambda x: x, "This is `x` as it came. Nothing was added."),
        (rows_of, "This is the table, in the right shape. Add it to `x`."),
        (lambda x: 0 * x + rows_of(x), "This is what you have to add. Add it to `x`."),
        (
            lambda x: x * np.sqrt(x.shape[2]) + rows_of(x),
            "You made `x` larger first, as the paper does. Here, leave it as it is.",
        ),
        (lambda x: x * rows_of(x), "These are the right rows, multiplied. Add them."),
        (lambda x: x + 2 * rows_of(x), "These are the right rows, but you added each twice."),
        (
            lambda x: np.concatenate([x, 0 * x + rows_of(x)], axis=2),
            "This puts the rows next to the words. Add them.",
        ),
    ],
    otherwise=look_at_what_was_added,
)
def tokens_in_front(x):
    """The table has to stretch over the sentences, which are on axis 1 here, and gets the shape (L, 1, d). When the
    sentences come first, that same shape is a mistake.
    """
    length, _, d_model = x.shape
    return x + sinusoidal_encoding(length, d_model)[:, np.newaxis, :]


def masked(masks, d_model):
    return add_positional_encoding(np.zeros((*masks.shape, d_model)), mask=masks)


def look_at_the_padding(encodings, masks, d_model):
    filled = encodings.any(axis=2)
    for failed, says in (
        (filled & (masks == 0), "is padding, but has numbers other than 0"),
        (~filled & (masks == 1), "is a word, but has nothing except zeros"),
    ):
        if failed.any():
            b, t = np.argwhere(failed)[0]
            return f"In sentence {b}, token {t} {says}."
    if not same(encodings, masked(masks, d_model)):
        return f"{diagnosed(encodings[0][masks[0] == 1])} The zeros are where they should be."
    if (np.signbit(encodings) & (encodings == 0))[masks == 0].any():
        return """Close. All numbers equal the right ones, but among the padding there is a -0.0: a negative number
            times 0. Choose between two numbers instead of multiplying."""
    return ""


@exercise(
    hint="""`np.where` broadcasts its three arguments by the same rules as a sum. `masks[..., np.newaxis]` has shape
        (B, L, 1).""",
    inputs=[(np.array([[1, 1, 1, 1], [1, 1, 0, 0]]), 6), (np.array([[1, 1, 0], [1, 1, 1], [1, 0, 0]]), 4)],
    wrong=[
        (lambda masks, d: masked(masks | 1, d), "Every token has its row, and the padding has one too."),
        (lambda masks, d: masked(0 * masks + masks[-1], d), "Every sentence has the mask of the last one."),
        (
            lambda masks, d: sinusoidal_encoding(len(masks[0]), d),
            "This is one table. Each sentence needs its own, with zeros for its padding.",
        ),
        (
            lambda masks, d: masked(masks, d)[-1],
            "This is the last sentence alone. Was each written over the one before it?",
        ),
        (lambda masks, d: masked(1 - masks, d), "The other way round: a 1 in a mask means a word."),
        (
            lambda masks, d: np.where(masks[..., np.newaxis], sinusoidal_encoding(len(masks[0]), d), -np.inf),
            "Minus infinity is for the scores of attention. In the encoding, padding has zeros.",
        ),
        (
            lambda masks, d: np.repeat(masks[..., np.newaxis], d, axis=2),
            "These are the masks, stretched over the columns. Where is the encoding?",
        ),
    ],
    judge=look_at_the_padding,
)
def a_mask_for_each_sentence(masks, d_model):
    """The masks have shape (B, L, 1), the table (L, d), and 0.0 no axes at all. Lined up from the right they make
    (B, L, d), and the zeros that `np.where` puts there have no minus sign.

    Multiplying the table by the masks gives numbers that compare equal, but a negative sine times 0 is -0.0.
    """
    table = sinusoidal_encoding(masks.shape[1], d_model)
    return np.where(masks[..., np.newaxis] == 1, table, 0.0)


@exercise(
    hint="""Each number of the result is one number of `E` plus one of `P`. Which matrix of shape (6, 6) leaves a row as
        it is?""",
    wrong=[
        (np.eye(12, 6), "With this `W` the product is `E`, and `P` is lost: its half is all zeros."),
        (np.eye(12, 6, -6), "With this `W` the product is `P`, and `E` is lost: its half is all zeros."),
        (np.ones((12, 6)), "Each number of the product is now the sum of all twelve."),
        (
            np.repeat(np.eye(6), 2, axis=0),
            """This adds neighbours: columns 0 and 1 of `E`, 2 and 3, and so on. How far apart in `[E, P]` are
            two numbers that belong together?""",
        ),
        (np.eye(6), "This leaves a row of six as it is. The rows of `[E, P]` have twelve."),
        (np.tile(np.eye(6), (2, 1)) / 2, "This gives the mean of the two."),
        (np.concatenate([np.eye(6), -np.eye(6)]), "With this `W` the product is `E - P`."),
        (np.eye(12), "This leaves all twelve numbers as they are. Six should come out."),
    ],
)
def weights_that_add():
    """The upper half lets E through, the lower half P, and the product adds the two: concatenating, with a matrix
    after it, can do all that adding can.

    No other matrix does this for all E and P. To see why, let a row of [E, P] be 1 in one column and 0 elsewhere: then
    the product is one row of W, and the sum says what that row must be.
    """
    return np.concatenate([np.eye(6), np.eye(6)])


def with_rows(x, rows):
    table = sinusoidal_encoding(*x.shape[1:])
    return x, x + table[rows] + 0.02 * np.random.default_rng(0).normal(size=x.shape)


def differences(x, y):
    return (y - x)[:, :, np.newaxis] - sinusoidal_encoding(*x.shape[1:])  # (B, L, L, d)


def away(x, y):
    return np.linalg.norm(differences(x, y), axis=-1)


@exercise(
    name="which row did each token get?",
    hint="""Compare what was added with every row at once: give it an axis of 1 before the last, (B, L, 1, d), subtract
        the table, (L, d), and see what shape that makes. Then `argmin`.""",
    inputs=[
        with_rows(np.arange(48).reshape(2, 4, 6) / 10, np.array([[2, 0, 1, 3], [1, 1, 0, 2]])),
        with_rows(np.ones((3, 5, 8)), np.array([[4, 3, 2, 1, 0], [0, 0, 0, 4, 4], [1, 3, 0, 2, 4]])),
    ],
    wrong=[
        (
            lambda x, _: np.broadcast_to(np.arange(x.shape[1]), x.shape[:2]),
            "These are the positions of the tokens. Read from `y - x` which rows were really added.",
        ),
        (lambda x, y: away(0 * x, y).argmin(-1), "You compared `y` itself with the table. What was added is `y - x`."),
        (lambda x, y: away(x, y).argmax(-1), "These rows are farthest away. Did you use `argmax`, or `x - y`?"),
        (lambda x, y: away(x, y).argmin(1), "You took the nearest token for each row. On which axis are the rows?"),
        (lambda x, y: away(x, y).argmin(-1) + 1, "Close. Each is 1 too large: we count rows from 0."),
        (
            lambda x, y: np.abs(differences(x, y)).argmin(2),
            "That's a row index for each column. Sum over the last axis first.",
        ),
        (
            lambda x, y: differences(x, y).sum(-1).argmin(-1),
            "You summed differences with their signs, and they cancel. A distance has no sign.",
        ),
        (away, "These are distances. Which rows do they belong to?"),
        (lambda x, y: away(x, y).min(-1), "These are the smallest distances. Which rows do they belong to?"),
        (lambda x, _: np.zeros(x.shape[:2]), "No row is exactly what was added. Take the nearest."),
        (lambda x, _: np.zeros((*x.shape[:2], 0)), "No row is exactly what was added. Take the nearest."),
        (lambda x, y: away(x, y).argmin(), "Without an axis, `argmin` searches the whole array and gives one number."),
    ],
)
def which_row_did_each_token_get(x, y):
    """Comparing every token with all rows at once takes an array of shape (B, L, L, d). There is always a nearest
    row. Before you use it, look at how close it is.

    If you give the table the shape (B, 1, d) by mistake, sentence 0 gets row 0 for all its tokens, and sentence 1
    gets row 1. With the encoding of another base the rows look right, but the distances are large.
    """
    table = sinusoidal_encoding(*x.shape[1:])
    distances = np.linalg.norm((y - x)[:, :, np.newaxis] - table, axis=-1)  # (B, L, L)
    return distances.argmin(axis=-1)
