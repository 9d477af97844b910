"""The exercises of notebook 07, *See that a shift is a rotation*."""

import numpy as np

from pe_exercises.engine import exercise
from pe_lib.encoding import shift_rotation, sinusoidal_encoding

POSITIONS = 100  # the positions that we try the scores of "which comes first" at


@exercise(
    hint="""The first row makes the new sine out of the old sine and the old cosine, the second row the new cosine. With
        `k = 0` nothing changes.""",
    inputs=[(3, 0.1), (1, 1.0), (-40, 0.01)],
    wrong=[  # of two columns the only frequency is 1, so k * w is the angle
        (
            lambda k, w: shift_rotation(-k * w, 2),
            "Close. This one rotates backwards, by -k. Which of the two sines has the minus?",
        ),
        (lambda k, _: shift_rotation(k, 2), "This is right for w = 1 alone. By what angle does this pair turn?"),
        (lambda _, w: shift_rotation(w, 2), "This takes one step. By what angle does the pair turn in k steps?"),
        (
            lambda k, w: shift_rotation(k * w, 2)[:, ::-1],
            "Sine and cosine have changed places. With k = 0 nothing changes.",
        ),
    ],
)
def turn_one_pair(k, w):
    """The formulas for the sine and the cosine of a sum, read row by row. pos doesn't occur: one matrix serves
    every position.

    Two checks need no computer. k = 0 gives the identity. At position 0 the sine is 0 and the cosine 1, and the second
    column comes out, the sine and the cosine of `w * k`.
    """
    c, s = np.cos(w * k), np.sin(w * k)
    return np.array([[c, s], [-s, c]])


@exercise(
    hint="A rotation by `-k` undoes a rotation by `k`, and is its transpose. The rows are to the left of the matrix.",
    inputs=[
        (sinusoidal_encoding(3, 4, start=2), shift_rotation(2, 4)),
        (sinusoidal_encoding(5, 8, start=17), shift_rotation(-6, 8)),
        (sinusoidal_encoding(6, 6, start=100), shift_rotation(30, 6)),
    ],
    wrong=[
        (
            lambda rows, rotation: rows @ rotation.T,
            "These rows have moved on by k once more. What does the transpose do?",
        ),
        (lambda rows, _: rows, "These are the rows as they came. Rotate each by -k."),
    ],
)
def step_back(rows, rotation):
    """The inverse of a rotation is its transpose. With rows on the left, `rows @ rotation.T` goes on and `rows @
    rotation` goes back. There's nothing to invert.

    `np.linalg.inv(rotation)` is the same matrix as `rotation.T`, with more work.
    """
    return rows @ rotation


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
        return "Close. Everything is right, except that all signs are the other way round."
    if np.allclose(scores, scores.T, rtol=0, atol=smallest):
        return """The scores of (p, q) and of (q, p) are the same. They don't say which comes first. A matrix that
            equals its own transpose can't."""
    if signs.diagonal().any():
        return """For p = q the score should be 0, since neither comes first. What M[a, b] adds, M[b, a] has
            to subtract, and the diagonal has to be 0."""
    p, q = min(np.argwhere(failed).tolist(), key=lambda place: abs(place[0] - place[1]))
    found = f"for p = {p} and q = {q} the score is {scores[p, q]:.3g}"
    if abs(p - q) == 1:
        return f"Even for neighbours the sign is not always right: {found}."
    return f"""At offsets below {abs(p - q)} all signs are right; {found}. A sine changes its sign after half a
        wavelength: which pair has one long enough?"""


@exercise(
    hint="""The block `[[0, 1], [-1, 0]]` of pair `i` gives the sine of w_i (p - q). It has the sign of p - q for as
        long as w_i (p - q) is less than half a turn. Columns 2i and 2i+1 belong to pair `i`.""",
    judge=look_at_the_signs,
)
def which_comes_first():
    """At an offset of 99 the slow sines, of pairs 2 and 3, haven't reached half a wavelength. A faster pair at full
    weight would spoil that.

    Half a wavelength is 3.1 positions for pair 0, 31 for pair 1, 314 for pair 2 and 3142 for pair 3: pairs 2 and 3
    will do, alone or together. The slowest reaches farthest, but its scores for near positions are smaller.
    """
    M = np.zeros((8, 8))
    M[4, 5], M[5, 4] = 1, -1
    return M
