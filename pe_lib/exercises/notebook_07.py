"""The exercises of notebook 07, *See that a shift is a rotation*."""

import numpy as np

from pe_lib.encoding import shift_rotation, sinusoidal_encoding
from pe_lib.exercises.engine import Exercise
from pe_lib.exercises.expectations import Accepted, Mistake, Numbers
from pe_lib.exercises.feedback import Feedback

POSITIONS = 100  # the positions that the scores of "which comes first" are tried at


def turn(k: float, w: float) -> np.ndarray:
    """Return the rotation of one pair of frequency w by k positions."""
    sine, cosine = np.sin(w * k), np.cos(w * k)
    return np.array([[cosine, sine], [-sine, cosine]])


def two_ahead(shares: np.ndarray, length: int, d_model: int) -> Feedback:
    """Judge the shares of a head that is to look two tokens ahead."""
    del d_model
    if shares.shape != (length, length):
        return Feedback(
            "wrong", f"A share for each query and key is asked for, shape {(length, length)}, and {shares.shape} came."
        )
    if not np.isfinite(shares).all():
        return Feedback(
            "wrong",
            "Some of these are not finite numbers. Does the exponential overflow? Then take the largest score of each "
            "row off first.",
        )
    if (shares < 0).any():
        return Feedback(
            "wrong", "Shares are numbers from 0 to 1, and some of these are not. Were they put through the softmax?"
        )
    if not np.allclose(shares.sum(axis=1), 1, atol=1e-3):
        if np.allclose(shares.sum(axis=0), 1, atol=1e-3):
            return Feedback(
                "nearly", "The columns add up to 1, and the rows should. Along which axis does the softmax run?"
            )
        row = int(np.abs(shares.sum(axis=1) - 1).argmax())
        return Feedback(
            "wrong",
            f"Each row must add up to 1, and row {row} adds up to {shares[row].sum():.3g}. After the exponential, the "
            "softmax divides each row by its own sum; a sum has the shape for that with `keepdims=True`.",
        )
    peaks, query = shares.argmax(axis=1), np.arange(length)
    if np.array_equal(peaks[2:], query[:-2]) and not np.array_equal(peaks[:-2], query[2:]):
        return Feedback(
            "nearly", "This head looks two back. Which sign has the offset, and is the matrix on the right side?"
        )
    if not np.array_equal(peaks[:-2], query[2:]):
        row = int(np.flatnonzero(peaks[:-2] != query[2:])[0])
        return Feedback("wrong", f"Token {row} gives its largest share to token {peaks[row]}, not to token {row + 2}.")
    least = float(shares[query[:-2], query[2:]].min())
    if least <= 0.9:
        return Feedback(
            "nearly",
            f"The largest shares are where they should be, but one is only {least:.2f}. What makes a head sharper?",
        )
    return Feedback("right")


def which_comes_first(matrix: np.ndarray) -> Feedback:
    """Judge a matrix whose scores are to be positive where the first position is the later one."""
    if matrix.shape != (8, 8):
        return Feedback("wrong", f"A matrix of shape (8, 8) is asked for, and {matrix.shape} came.")
    if not np.isfinite(matrix).all() or not matrix.any():
        return Feedback("wrong", "All scores are 0 or not finite. Which block gives a sine of the offset?")
    encoding = sinusoidal_encoding(POSITIONS, 8)
    scores = encoding @ (matrix.astype(np.float64) / np.abs(matrix.astype(np.float64)).max()) @ encoding.T
    largest = np.abs(scores).max()
    if not largest > 0:
        return Feedback("wrong", "All scores are 0. Which block gives a sine of the offset?")
    signs = np.where(np.abs(scores) < 1e-9 * largest, 0, np.sign(scores))
    later = np.sign(np.subtract.outer(np.arange(POSITIONS), np.arange(POSITIONS)))
    if np.array_equal(signs, later):
        return Feedback("right")
    if np.array_equal(signs, -later):
        return Feedback("nearly", "It tells before from after, with the signs the other way round.")
    if np.allclose(scores, scores.T, rtol=0, atol=1e-9 * largest):
        return Feedback(
            "wrong",
            "The scores of (p, q) and of (q, p) are the same, so they hold no direction. A matrix that is equal to its "
            "own transpose cannot give one.",
        )
    if signs.diagonal().any():
        return Feedback(
            "wrong",
            "For p = q the score should be 0, since neither comes first. So what M[a, b] adds, M[b, a] must take off, "
            "and the diagonal must be empty.",
        )
    wrong = np.argwhere(signs != later)
    p, q = wrong[np.abs(wrong[:, 0] - wrong[:, 1]).argmin()].tolist()
    found = f"for p = {p} and q = {q} the score is {scores[p, q]:.3g}"
    if abs(p - q) == 1:
        return Feedback("wrong", f"Even for neighbours the sign is not always right: {found}.")
    return Feedback(
        "nearly",
        f"At offsets below {abs(p - q)} all signs are right; {found}. A sine changes its sign after half a wavelength: "
        "which pair has one that is long enough?",
    )


EXERCISES = (
    Exercise(
        "turn one pair",
        hint="The first row makes the new sine out of the old sine and the old cosine, the second row the new cosine. "
        "For `k = 0` nothing must change.",
        why="The formulas for the sine and the cosine of a sum, read row by row. pos does not occur, so one matrix "
        "serves every position.",
        expect=Numbers(
            turn,
            mistakes=(
                Mistake(
                    lambda k, w: turn(-k, w),
                    "This one turns back: it makes PE(pos) out of PE(pos + k). Which of the two sines has the minus?",
                    "nearly",
                ),
                Mistake(lambda k, _: turn(k, 1), "This is right for w = 1 alone. By which angle does this pair turn?"),
                Mistake(lambda _, w: turn(1, w), "This takes one step. By which angle does the pair turn in k steps?"),
                Mistake(
                    lambda k, w: turn(k, w)[:, ::-1],
                    "Sine and cosine are exchanged. With k = 0 nothing must change: which matrix is that?",
                ),
            ),
        ),
        inputs=((3, 0.1), (1, 1.0), (-40, 0.01)),
    ),
    Exercise(
        "step back",
        hint="A rotation by `-k` undoes one by `k`, and it is the transpose. The rows stand in front of the matrix.",
        why="The inverse of a rotation is its transpose. With rows in front, `rows @ rotation.T` goes on and "
        "`rows @ rotation` goes back: nothing had to be inverted.",
        expect=Numbers(
            lambda rows, rotation: rows @ rotation,
            mistakes=(
                Mistake(
                    lambda rows, rotation: rows @ rotation.T,
                    "These rows have gone on by k once more. Which of the matrix and its transpose goes back?",
                    "nearly",
                ),
                Mistake(lambda rows, _: rows, "These are the rows as they came. Turn each by -k."),
            ),
        ),
        inputs=(
            (sinusoidal_encoding(3, 4, start=2), shift_rotation(2, 4)),
            (sinusoidal_encoding(5, 8, start=17), shift_rotation(-6, 8)),
            (sinusoidal_encoding(6, 6, start=100), shift_rotation(30, 6)),
        ),
    ),
    Exercise(
        "the difference that turns",
        hint="Both encodings are turned by the same angle when `pos` grows, and with them their difference. "
        "`shift_rotation(pos, len(at_zero))` turns so.",
        why="PE(pos + k) - PE(pos) = R(pos) PE(k) - R(pos) PE(0): the difference at 0, turned. So it keeps its length, "
        "and its direction goes round with the position.",
        expect=Numbers(
            lambda pos, at_zero: shift_rotation(pos, len(at_zero)) @ at_zero,
            mistakes=(
                Mistake(
                    lambda _, at_zero: at_zero,
                    "This is the difference at position 0. At pos it has the same length and another direction.",
                ),
                Mistake(
                    lambda pos, at_zero: at_zero @ shift_rotation(pos, len(at_zero)),
                    "It is turned, but by -pos. A vector behind the matrix is a column, one in front of it a row.",
                    "nearly",
                ),
            ),
        ),
        inputs=(
            (7, sinusoidal_encoding(4, 6)[3] - sinusoidal_encoding(1, 6)[0]),
            (100, sinusoidal_encoding(2, 8)[1] - sinusoidal_encoding(1, 8)[0]),
            (1, sinusoidal_encoding(6, 2)[5] - sinusoidal_encoding(1, 2)[0]),
        ),
    ),
    Exercise(
        "look two ahead",
        hint="`sinusoidal_encoding(length, d_model)` are the keys. The queries are the same rows, moved on by 2. Then "
        "scores, times something large, and the softmax along each row.",
        why="Moved on by 2, the query of a token is the encoding of the token two further on, and no other key is as "
        "like it. The sharpness turns a small lead into a large share.",
        expect=Accepted(two_ahead),
        inputs=((10, 64), (6, 32), (30, 128)),
    ),
    Exercise(
        "which comes first",
        hint="The block `[[0, 1], [-1, 0]]` of pair `i` gives the sine of w_i (p - q). It has the sign of p - q for as "
        "long as w_i (p - q) is less than half a turn. Columns 2i and 2i+1 belong to pair `i`.",
        why="The score is a sine of the offset, and up to an offset of 99 it has not reached half its wavelength. "
        "Adding a faster pair would spoil that.",
        expect=Accepted(which_comes_first),
    ),
)
