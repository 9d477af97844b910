"""The exercises of notebook 07, *See that a shift is a rotation*."""

import numpy as np

from pe_lib.encoding import shift_rotation, sinusoidal_encoding
from pe_lib.exercises.former.comparing import apart, not_finite, unfit
from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import GIVEN, Answer, Answers, When
from pe_lib.relatives import rotate

POSITIONS = 100  # the positions that the scores of "which comes first" are tried at


@exercise(
    hint="""The first row makes the new sine out of the old sine and the old cosine, the second row the new cosine. For
        `k = 0` nothing must change.""",
    why="""The formulas for the sine and the cosine of a sum, read row by row. pos does not occur, so one matrix serves
        every position.""",
    inputs=((3, 0.1), (1, 1.0), (-40, 0.01)),
)
def turn_one_pair(k: float, w: float) -> Answers:  # of two columns the only frequency is 1, so k * w is the angle
    yield Answer(shift_rotation(k * w, 2))
    yield Answer(shift_rotation(-k * w, 2)).nearly("This one turns back, by -k. Which of the two sines has the minus?")
    yield Answer(shift_rotation(k, 2)).wrong("This is right for w = 1 alone. By which angle does this pair turn?")
    yield Answer(shift_rotation(w, 2)).wrong("This takes one step. By which angle does the pair turn in k steps?")
    yield Answer(shift_rotation(k * w, 2)[:, ::-1]).wrong("Sine and cosine are exchanged. k = 0 must change nothing.")


@exercise(
    hint="A rotation by `-k` undoes one by `k`, and it is the transpose. The rows stand in front of the matrix.",
    why="""The inverse of a rotation is its transpose. With rows in front, `rows @ rotation.T` goes on and `rows @
        rotation` goes back: nothing had to be inverted.""",
    inputs=(
        (sinusoidal_encoding(3, 4, start=2), shift_rotation(2, 4)),
        (sinusoidal_encoding(5, 8, start=17), shift_rotation(-6, 8)),
        (sinusoidal_encoding(6, 6, start=100), shift_rotation(30, 6)),
    ),
)
def step_back(rows: np.ndarray, rotation: np.ndarray) -> Answers:
    yield Answer(rows @ rotation)
    yield Answer(rows @ rotation.T).nearly("These rows have gone on by k once more. What does the transpose do?")
    yield Answer(rows).wrong("These are the rows as they came. Turn each by -k.")


@exercise(
    hint="""`np.arange(len(queries))` holds the positions. Turn both, then take the dot product of every query with
        every key.""",
    why="""Where both are turned, each by its own position, a score depends on the offset alone. The weights that made
        queries and keys did not matter.""",
    inputs=tuple(tuple(np.random.default_rng(h).normal(size=(2, length, h))) for length, h in ((3, 6), (5, 8), (2, 4))),
)
def scores_that_know_the_offset(queries: np.ndarray, keys: np.ndarray) -> Answers:
    pos, added = np.arange(len(queries)), sinusoidal_encoding(*queries.shape)
    turned, turned_keys = rotate(queries, pos), rotate(keys, pos)
    scores, other_way = turned @ turned_keys.T, rotate(queries, -pos) @ rotate(keys, -pos).T
    yield Answer(scores)
    yield Answer(other_way).nearly("""Here both are turned the other way, as R moves an encoding. That knows the offset
        as well, but RoPE turns as `rotate` does, and a model must keep to one way.""")
    yield Answer(scores / np.sqrt(queries.shape[1])).nearly("These are the scores, divided by the root of the width.")
    yield Answer(queries @ keys.T).wrong("Nothing has been turned here: these scores know no position.")
    yield Answer(turned @ keys.T).wrong("The keys have not been turned: a score knows the position of its query alone.")
    yield Answer(queries @ turned_keys.T).wrong("The queries have not been turned: the key's position alone counts.")
    yield Answer(turned @ rotate(keys, -pos).T).wrong("""The keys are turned the other way, so the angles add up: the
        score knows the sum of the two positions, not the offset.""")
    yield Answer((queries + added) @ (keys + added).T).wrong("The encoding has been added. RoPE adds nothing.")


@exercise(
    hint="""`sinusoidal_encoding(length, d_model)` are the keys. The queries are the same rows, moved on by 2. Then
        scores, times something large, and the softmax along each row.""",
    why="""Moved on by 2, the query of a token is the encoding of the token two further on, and no other key is as like
        it. The sharpness turns a small lead into a large share.""",
    inputs=((10, 64), (6, 32), (30, 128)),
)
def look_two_ahead(length: int, _: int) -> Answers:
    value = yield GIVEN
    yield When(value.shape != (length, length)).wrong(unfit(value, (length, length)))
    shares, key = value[:-2].astype(np.float64), np.arange(2, length)  # the last two tokens may do as they like
    yield When(not_finite(shares)).wrong("Not finite. Does `exp` overflow? Take the largest score of each row off.")
    yield When((shares < 0).any()).wrong("Shares are numbers from 0 to 1. Were these put through the softmax?")
    peaks, sums = value.argmax(axis=1), shares.sum(axis=1)
    missed = peaks[:-2] != key
    yield When(np.array_equal(peaks[2:], key - 2) and missed.any()).nearly("""This head looks two back. Which sign has
        the offset, and is the matrix on the right side?""")
    off = np.abs(sums - 1)
    yield When(off.max() > 1e-3 and np.allclose(value.sum(axis=0), 1, atol=1e-3)).nearly("""The columns add up to 1,
        and the rows should. Along which axis does the softmax run?""")
    row = int(off.argmax())
    yield When(off.max() > 1e-3).wrong(f"""Each row must add up to 1; row {row} adds up to {apart(sums[row], 1, 3)[0]}.
        The softmax divides each row by its own sum, which has the shape for that with `keepdims=True`.""")
    row = int(missed.argmax())
    yield When(missed.any()).wrong(f"Token {row} gives its largest share to token {peaks[row]}, not to {row + 2}.")
    least = float(shares[key - 2, key].min())
    yield When(least <= 0.9).nearly(f"One of the largest is only {apart(least, 0.9, 2)[0]}. What makes a head sharper?")


@exercise(
    hint="""The block `[[0, 1], [-1, 0]]` of pair `i` gives the sine of w_i (p - q). It has the sign of p - q for as
        long as w_i (p - q) is less than half a turn. Columns 2i and 2i+1 belong to pair `i`.""",
    why="""At an offset of 99 the slow sines, of pairs 2 and 3, have not reached half a wavelength. A faster pair, added
        in full, would spoil that.""",
)
def which_comes_first() -> Answers:
    matrix = yield GIVEN
    yield When(said := unfit(matrix, (8, 8))).wrong(said)
    encoding, pos = sinusoidal_encoding(POSITIONS, 8), np.arange(POSITIONS)
    scores = encoding @ (matrix / (np.abs(matrix).max() or 1)).astype(np.float64) @ encoding.T
    smallest = 1e-9 * np.abs(scores).max()  # what is below it is 0, but for rounding
    yield When(not smallest > 0).wrong("All scores are 0. Which block gives a sine of the offset?")
    signs, apart_by = np.where(np.abs(scores) < smallest, 0, np.sign(scores)), np.subtract.outer(pos, pos)
    failed = signs != np.sign(apart_by)
    yield When(not failed.any())
    yield When(np.array_equal(signs, -np.sign(apart_by))).nearly("All right, with the signs the other way round.")
    yield When(np.allclose(scores, scores.T, rtol=0, atol=smallest)).wrong("""The scores of (p, q) and of (q, p) are the
        same, so they hold no direction. A matrix that is equal to its own transpose cannot give one.""")
    yield When(signs.diagonal().any()).wrong("""For p = q the score should be 0, since neither comes first. So what
        M[a, b] adds, M[b, a] must take off, and the diagonal must be empty.""")
    p, q = min(np.argwhere(failed).tolist(), key=lambda place: abs(place[0] - place[1]))
    found = f"for p = {p} and q = {q} the score is {scores[p, q]:.3g}"
    yield When(abs(p - q) == 1).wrong(f"Even for neighbours the sign is not always right: {found}.")
    below = f"At offsets below {abs(p - q)} all signs are right; {found}."
    yield When(True).nearly(f"{below} A sine changes its sign after half a wavelength: which pair has one long enough?")
