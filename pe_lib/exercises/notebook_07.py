"""The exercises of notebook 07, *See that a shift is a rotation*."""

import numpy as np

from pe_lib.encoding import shift_rotation, sinusoidal_encoding
from pe_lib.exercises.comparing import apart
from pe_lib.exercises.engine import exercise
from pe_lib.relatives import rotate

POSITIONS = 100  # the positions that we try the scores of "which comes first" at


@exercise(
    hint="""The first row makes the new sine out of the old sine and the old cosine, the second row the new cosine. For
        `k = 0` nothing must change.""",
    inputs=[(3, 0.1), (1, 1.0), (-40, 0.01)],
    wrong=[  # of two columns the only frequency is 1, so k * w is the angle
        (
            lambda k, w: shift_rotation(-k * w, 2),
            "Nearly. This one turns back, by -k. Which of the two sines has the minus?",
        ),
        (lambda k, _: shift_rotation(k, 2), "This is right for w = 1 alone. By which angle does this pair turn?"),
        (lambda _, w: shift_rotation(w, 2), "This takes one step. By which angle does the pair turn in k steps?"),
        (
            lambda k, w: shift_rotation(k * w, 2)[:, ::-1],
            "Sine and cosine have changed places. k = 0 must change nothing.",
        ),
    ],
)
def turn_one_pair(k, w):
    """The formulas for the sine and the cosine of a sum, read row by row. pos does not occur, so one matrix serves
    every position.

    Two checks need no computer: k = 0 gives the identity, and at position 0, where the sine is 0 and the cosine 1, the
    second column must come out, which is sine and cosine of `w * k`.
    """
    c, s = np.cos(w * k), np.sin(w * k)
    return np.array([[c, s], [-s, c]])


@exercise(
    hint="A rotation by `-k` undoes one by `k`, and it is the transpose. The rows are to the left of the matrix.",
    inputs=[
        (sinusoidal_encoding(3, 4, start=2), shift_rotation(2, 4)),
        (sinusoidal_encoding(5, 8, start=17), shift_rotation(-6, 8)),
        (sinusoidal_encoding(6, 6, start=100), shift_rotation(30, 6)),
    ],
    wrong=[
        (
            lambda rows, rotation: rows @ rotation.T,
            "Nearly. These rows have gone on by k once more. What does the transpose do?",
        ),
        (lambda rows, _: rows, "These are the rows as they came. Turn each by -k."),
    ],
)
def step_back(rows, rotation):
    """The inverse of a rotation is its transpose. With rows on the left, `rows @ rotation.T` goes on and `rows @
    rotation` goes back: there is nothing to invert.

    `np.linalg.inv(rotation)` is the same matrix as `rotation.T`, with more work.
    """
    return rows @ rotation


def turned(rows, way=1):
    return rotate(rows, way * np.arange(len(rows)))


def with_encoding(rows):
    return rows + sinusoidal_encoding(*rows.shape)


@exercise(
    hint="""`np.arange(len(queries))` holds the positions. Turn both, then take the dot product of every query with
        every key.""",
    inputs=[tuple(np.random.default_rng(h).normal(size=(2, length, h))) for length, h in ((3, 6), (5, 8), (2, 4))],
    wrong=[
        (
            lambda queries, keys: turned(queries, -1) @ turned(keys, -1).T,
            """Nearly. You turned both the other way, as R moves an encoding. That knows the offset as well, but RoPE
            turns as `rotate` does, and a model must keep to one way.""",
        ),
        (
            lambda queries, keys: turned(queries) @ turned(keys).T / np.sqrt(queries.shape[1]),
            "Nearly. These are the scores, divided by the root of the width.",
        ),
        (lambda queries, keys: queries @ keys.T, "You have turned nothing here: these scores know no position."),
        (
            lambda queries, keys: turned(queries) @ keys.T,
            "You have not turned the keys, so a score knows the position of its query alone.",
        ),
        (
            lambda queries, keys: queries @ turned(keys).T,
            "You have not turned the queries, so only the position of the key counts.",
        ),
        (
            lambda queries, keys: turned(queries) @ turned(keys, -1).T,
            """You turned the keys the other way, so the angles add up: the score knows the sum of the two positions,
            not the offset.""",
        ),
        (
            lambda queries, keys: with_encoding(queries) @ with_encoding(keys).T,
            "You added the encoding. RoPE adds nothing.",
        ),
    ],
)
def scores_that_know_the_offset(queries, keys):
    """Where both are turned, each by its own position, a score depends on the offset alone. It does not matter which
    weights made the queries and keys.

    Give every token the same query and the same key to see it: each diagonal of the scores is then one number repeated,
    because the offset decides, and it counts with its sign.
    """
    pos = np.arange(len(queries))
    return rotate(queries, pos) @ rotate(keys, pos).T


def look_at_the_shares(value, length, _):
    shares, key = value[:-2].astype(np.float64), np.arange(2, length)  # the last two tokens may do as they like
    if not np.isfinite(shares).all():
        return "Not finite. Does `exp` overflow? Subtract the largest score of each row first."
    if (shares < 0).any():
        return "Shares are numbers from 0 to 1. Did these go through the softmax?"
    peaks, sums = value.argmax(axis=1), shares.sum(axis=1)
    missed, off = peaks[:-2] != key, np.abs(sums - 1)
    if np.array_equal(peaks[2:], key - 2) and missed.any():
        return "Nearly. This head looks two back. Which sign has the offset, and is the matrix on the right side?"
    if off.max() > 1e-3 and np.allclose(value.sum(axis=0), 1, atol=1e-3):
        return "Nearly. The columns add up to 1, and the rows should. Along which axis does the softmax run?"
    if off.max() > 1e-3:
        row = int(off.argmax())
        return f"""Each row must add up to 1, but row {row} adds up to {apart(sums[row], 1, 3)[0]}. The softmax divides
            each row by its own sum, which has the shape for that with `keepdims=True`."""
    if missed.any():
        row = int(missed.argmax())
        return f"Token {row} gives its largest share to token {peaks[row]}, not to {row + 2}."
    least = float(shares[key - 2, key].min())
    few = f"Nearly. One of the largest is only {apart(least, 0.9, 2)[0]}. What makes a head sharper?"
    return few if least <= 0.9 else ""


@exercise(
    hint="""`sinusoidal_encoding(length, d_model)` are the keys. The queries are the same rows, moved on by 2. Then
        scores, times something large, and the softmax along each row.""",
    inputs=[(10, 64), (6, 32), (30, 128)],
    judge=look_at_the_shares,
    finite=False,
)
def look_two_ahead(length, d_model):
    """Moved on by 2, the query of a token is the encoding of the token two further on, and no other key is as like
    it. The sharpness turns a small lead into a large share.

    `sinusoidal_encoding(length, d_model, start=2)` are the same queries before you multiply them by 50: turned rows are
    rows of the table. The last two tokens look for positions that are not there, and settle for the nearest one.
    """
    keys = sinusoidal_encoding(length, d_model)
    queries = 50 * keys @ shift_rotation(2, d_model).T
    powers = np.exp(queries @ keys.T / np.sqrt(d_model))
    return powers / powers.sum(axis=1, keepdims=True)


def look_at_the_signs(matrix):
    encoding, pos = sinusoidal_encoding(POSITIONS, 8), np.arange(POSITIONS)
    scores = encoding @ (matrix / (np.abs(matrix).max() or 1)).astype(np.float64) @ encoding.T
    smallest = 1e-9 * np.abs(scores).max()  # what is below it is 0, but for rounding
    if not smallest > 0:
        return "All scores are 0. Which block gives a sine of the offset?"
    signs, apart_by = np.where(np.abs(scores) < smallest, 0, np.sign(scores)), np.subtract.outer(pos, pos)
    failed = signs != np.sign(apart_by)
    if not failed.any():
        return ""
    if np.array_equal(signs, -np.sign(apart_by)):
        return "Nearly. All is right, but with the signs the other way round."
    if np.allclose(scores, scores.T, rtol=0, atol=smallest):
        return """The scores of (p, q) and of (q, p) are the same, so they hold no direction. A matrix that is equal to
            its own transpose cannot give one."""
    if signs.diagonal().any():
        return """For p = q the score should be 0, since neither comes first. So what M[a, b] adds, M[b, a] must
            subtract, and the diagonal must be empty."""
    p, q = min(np.argwhere(failed).tolist(), key=lambda place: abs(place[0] - place[1]))
    found = f"for p = {p} and q = {q} the score is {scores[p, q]:.3g}"
    if abs(p - q) == 1:
        return f"Even for neighbours the sign is not always right: {found}."
    return f"""Nearly. At offsets below {abs(p - q)} all signs are right; {found}. A sine changes its sign after half a
        wavelength: which pair has one long enough?"""


@exercise(
    hint="""The block `[[0, 1], [-1, 0]]` of pair `i` gives the sine of w_i (p - q). It has the sign of p - q for as
        long as w_i (p - q) is less than half a turn. Columns 2i and 2i+1 belong to pair `i`.""",
    judge=look_at_the_signs,
)
def which_comes_first():
    """At an offset of 99 the slow sines, of pairs 2 and 3, have not reached half a wavelength. A faster pair, added
    in full, would spoil that.

    Half a wavelength is 3.1 positions for pair 0, 31 for pair 1, 314 for pair 2 and 3142 for pair 3, so pairs 2 and 3
    will do, alone or together. The slowest pair tells direction farthest, but its scores for near positions are
    fainter.
    """
    M = np.zeros((8, 8))
    M[4, 5], M[5, 4] = 1, -1
    return M
