"""The exercises of notebook 08, *Build a head that looks back*."""

import numpy as np

from pe_exercises.comparing import apart
from pe_exercises.engine import exercise
from pe_lib.encoding import shift_rotation, sinusoidal_encoding
from pe_lib.relatives import rotate


def rotated(rows, way=1):
    return rotate(rows, way * np.arange(len(rows)))


def with_encoding(rows):
    return rows + sinusoidal_encoding(*rows.shape)


@exercise(
    hint="""`np.arange(len(queries))` holds the positions. Rotate both, then take the dot product of every query with
        every key.""",
    inputs=[tuple(np.random.default_rng(h).normal(size=(2, length, h))) for length, h in ((3, 6), (5, 8), (2, 4))],
    wrong=[
        (
            lambda queries, keys: rotated(queries, -1) @ rotated(keys, -1).T,
            """You rotated both by minus their positions. Such scores know the offset too, but
            `rotate` goes the other way, and a model must keep to one direction.""",
        ),
        (
            lambda queries, keys: rotated(queries) @ rotated(keys).T / np.sqrt(queries.shape[1]),
            "We asked for the scores themselves. You divided them by the square root of the width.",
        ),
        (lambda queries, keys: queries @ keys.T, "You've rotated nothing here: these scores know no position."),
        (
            lambda queries, keys: rotated(queries) @ keys.T,
            "You haven't rotated the keys, so a score knows the position of its query alone.",
        ),
        (
            lambda queries, keys: queries @ rotated(keys).T,
            "You haven't rotated the queries, so only the position of the key counts.",
        ),
        (
            lambda queries, keys: rotated(queries) @ rotated(keys, -1).T,
            """You rotated the keys the other way, and the angles add up: the score knows the sum of the two positions,
            not the offset.""",
        ),
        (
            lambda queries, keys: with_encoding(queries) @ with_encoding(keys).T,
            "You added the encoding. RoPE adds nothing.",
        ),
    ],
)
def scores_that_know_the_offset(queries, keys):
    """Where both are rotated, each by its own position, a score knows only the offset of the two, whatever weights
    made the queries and keys.

    Give every word the same query and the same key to see it: each diagonal of the scores is then one number repeated.
    """
    pos = np.arange(len(queries))
    return rotate(queries, pos) @ rotate(keys, pos).T


def look_at_the_weights(value, length, _):
    weights, key = value[:-2].astype(np.float64), np.arange(2, length)  # the last two words may do as they like
    if not np.isfinite(weights).all():
        return "Not finite. Does `exp` overflow? Subtract the largest score of each row first."
    if (weights < 0).any():
        return "Attention weights are numbers from 0 to 1. Did these go through the softmax?"
    peaks, sums = value.argmax(axis=1), weights.sum(axis=1)
    missed, off = peaks[:-2] != key, np.abs(sums - 1)
    if np.array_equal(peaks[2:], key - 2) and missed.any():
        return "This head looks two back. What sign does the offset have, and does `shift_rotation` need a `.T`?"
    if off.max() > 1e-3 and np.allclose(value.sum(axis=0), 1, atol=1e-3):
        return "The columns add up to 1, and the rows should. Along which axis, 0 or 1, does the softmax run?"
    if off.max() > 1e-3:
        row = int(off.argmax())
        return f"""Each row must add up to 1, but row {row} adds up to {apart(sums[row], 1, 3)[0]}. The softmax divides
            each row by its own sum, which has the shape for that with `keepdims=True`."""
    if missed.any():
        row = int(missed.argmax())
        return f"The largest attention weight of word {row} is on word {peaks[row]}, not on {row + 2}."
    least = float(weights[key - 2, key].min())
    few = f"One word gets only {apart(least, 0.9, 2)[0]}. What makes a head sharper?"
    return few if least <= 0.9 else ""


@exercise(
    hint="""`sinusoidal_encoding(length, d_model)` are the keys. The queries are the same rows, moved on by 2. Then
        scores, times something large, and the softmax along each row.""",
    inputs=[(10, 64), (6, 32), (30, 128)],
    judge=look_at_the_weights,
    finite=False,
)
def look_two_ahead(length, d_model):
    """Moved on by 2, the query of a word is the position row of the word two ahead, and no other key is as
    similar. The sharpness turns a small lead into a large attention weight.

    `sinusoidal_encoding(length, d_model, start=2)` are the same queries before you multiply them by 50: rotated rows
    are rows of the table. The last two words look for positions that aren't there, and take the most similar row.
    """
    keys = sinusoidal_encoding(length, d_model)
    queries = 50 * keys @ shift_rotation(2, d_model).T
    powers = np.exp(queries @ keys.T / np.sqrt(d_model))
    return powers / powers.sum(axis=1, keepdims=True)


def flat(first, then):
    joined = np.concatenate([first, then], axis=-1)
    return joined.reshape(len(joined), -1)


def by_head(W, h):
    return W.reshape(len(W), -1, h)  # (d_model, heads, h)


@exercise(
    hint="""Make it (d_model, heads, h), take the even columns of the last axis and then the odd ones, and make it flat
        again.""",
    inputs=[(np.random.default_rng(h).normal(size=(d, 2 * h)), h) for d, h in ((3, 6), (4, 8), (2, 10))],
    wrong=[
        (
            lambda W, h: flat(by_head(W, h)[..., 1::2], by_head(W, h)[..., 0::2]),
            "Close. Odd columns first? The even ones come first.",
        ),
        (lambda W, _: flat(W[:, 0::2], W[:, 1::2]), "Two heads are mixed. Reorder each by itself."),
        (
            lambda W, h: W.reshape(len(W), -1, 2, h // 2).swapaxes(2, 3).reshape(W.shape),
            "That's the way back, from halves to pairs side by side.",
        ),
        (lambda W, _: W, "Nothing has moved: each pair is still side by side."),
    ],
)
def from_one_layout_to_the_other(W, h):
    """Within each head the columns 0, 2, 4, … come first, then 1, 3, 5, …. Queries and keys reordered in this way
    have the scores they had, and the values need no new order.
    """
    heads = W.reshape(len(W), -1, h)  # (d_model, heads, h)
    return np.concatenate([heads[..., 0::2], heads[..., 1::2]], axis=-1).reshape(W.shape)
