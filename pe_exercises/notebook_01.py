"""The exercises of notebook 01, *See why word order needs help*."""

import numpy as np

from pe_exercises.comparing import apart
from pe_exercises.engine import exercise
from pe_lib.encoding import sinusoidal_encoding
from pe_lib.examples import DOG_BITES_MAN

WORDS = DOG_BITES_MAN.embeddings
SLACK = 2e-3  # what rounding to float16, or to four decimals, may add to a step


def attention(query, key, value):
    powers = np.exp(query @ key.T / np.sqrt(key.shape[1]))
    return powers / powers.sum(axis=1, keepdims=True) @ value


OUT = attention(WORDS, WORDS, WORDS)


@exercise(
    hint="The words come in the order 2, 0, 1. You can index an array with a list.",
    wrong=[
        (OUT, "That is `out` as it was: its first row belongs to “dog”."),
        (OUT[[1, 2, 0]], "The right rows, in the order “bites man dog”. Which row goes to each position?"),
        ([2, 0, 1], "That's the right order. Now take the rows of `out` in this order."),
        (attention(OUT, OUT, OUT)[[2, 0, 1]], "The right order, but `out` went through attention once more."),
        (WORDS[[2, 0, 1]], "The right order, but these are the rows of `x`. Take them from `out`."),
        (OUT[::-1], "That is “man bites dog”. “dog” and “bites” have to change places."),
        (OUT[:, [2, 0, 1]], "You chose columns instead of rows. The row index comes first."),
    ],
)
def another_order():
    """Attention gives each word the same row, wherever the word is. The rows of `out`, put into the order of the
    words, are the answer, and there is nothing to compute again.

    Attention is permutation-equivariant: the rows come out in the order they went in.
    """
    x = DOG_BITES_MAN.embeddings
    out = attention(x, x, x)
    return out[[2, 0, 1]]


@exercise(
    hint="""`rows.mean(axis=1, keepdims=True)` has one number for each row, in a shape that you can subtract from
        `rows`.""",
    inputs=[(WORDS,), (WORDS + np.arange(3)[:, np.newaxis],), (np.arange(16.0).reshape(4, 4) ** 2,)],
    wrong=[
        (lambda rows: rows - rows.mean(axis=0), "Each column gave up its mean here. Each row should give up its own."),
        (lambda rows: rows - rows.mean(), "All rows gave up the mean of the whole matrix. Each has a mean of its own."),
        (
            lambda rows: (rows - rows.mean(axis=1, keepdims=True)) / rows.std(axis=1, keepdims=True),
            "That's layer normalisation with its second step, the division. Do only the first.",
        ),
        (lambda rows: rows, "These are the rows as they came. You subtracted nothing."),
        (
            lambda rows: rows - np.arange(len(rows))[:, np.newaxis],
            """You subtracted 0, 1, 2 and so on. But `centred` isn't told which numbers were added: it gets the rows
            alone, and each row has a mean.""",
        ),
        (lambda rows: rows.mean(axis=1), "These are the means. Subtract them from the rows."),
        (lambda rows: rows.mean(axis=1, keepdims=True), "These are the means. Subtract them from the rows."),
    ],
)
def what_layer_normalisation_leaves(rows):
    """Each row gives up its own mean. A number added to a whole row raises that mean by as much, and is lost with it:
    `centred(x + position)` is `centred(x)`, and nothing is left of the numbers 0, 1, 2.

    The second step, dividing by the spread of the row, can't bring them back. If a network normalises before its
    first attention, that attention sees nothing of such positions. The encoding of the paper doesn't vanish, because
    its numbers differ from column to column.
    """
    return rows - rows.mean(axis=1, keepdims=True)


@exercise(
    hint="""After one layer, which words has the row of the first word seen, and which the row of the second? The second
        layer mixes these rows.""",
    wrong=[
        ([True, True], "Right for two. In one layer, does attention know in which order three words come?"),
        (
            [False, False],
            """Right for one layer. But after it, is the row of “dog” the same in both sentences? In one of them
            it comes first, and sees nothing but itself.""",
        ),
        ([True, False], "Can rows that differ after one layer be the same again after two?"),
    ],
    otherwise="""The exercise asks for a list of two, each True or False without quotation marks, the first for one
        layer and the second for two.""",
)
def the_last_word_behind_a_mask():
    """In the first layer the last word mixes the same three rows in both sentences, and a mix has no order. But the
    first word has seen itself alone and the second has seen both: after one layer *their* rows tell the order,
    and the second layer passes it on.

    After two layers the numbers in column 0 differ by 0.1988. A causal mask and depth together carry order, with no
    encoding at all (Haviv et al. 2022).
    """

    def masked(rows):
        powers = np.exp(rows @ rows.T / np.sqrt(4)) * np.tri(3)
        return powers / powers.sum(axis=1, keepdims=True) @ rows

    x = DOG_BITES_MAN.embeddings
    other = x[[1, 0, 2]]  # the first two words have changed places
    one_layer = masked(x)[2] - masked(other)[2]
    two_layers = masked(masked(x))[2] - masked(masked(other))[2]
    return [not np.allclose(one_layer, 0), not np.allclose(two_layers, 0)]


@exercise(
    hint="""`np.linalg.norm(rows[1:] - rows[0], axis=1)` holds ten distances, and the first of them belongs to position
        1.""",
    wrong=[
        (1, "That's the natural guess. Compute all ten distances: is the first the smallest?"),
        (5, "Index 5 in the list of ten distances, perhaps? Its first entry belongs to position 1."),
        (7, "Position 7 is the second closest. Or did you count one too many?"),
        (0, "Position 0 is at distance 0 from itself. Leave it out: the question is about 1 to 10."),
        (0.2885, "That's the smallest distance. Which position does it belong to?"),
    ],
)
def the_nearest_row():
    """The first two columns make a turn in about 6.28 positions, and after 6 they are nearly back; the other two
    have hardly moved. That's why “farther is farther” fails with four columns. “unique” holds here: no distance is 0.

    Position 6 is at a distance of 0.2885, position 1 at 0.9589.
    """
    rows = sinusoidal_encoding(11, 4)
    away = np.linalg.norm(rows[1:] - rows[0], axis=1)
    return 1 + away.argmin()


def look_at_the_wishes(rows, length):
    largest = np.abs(rows).max(axis=1)
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    different, first, which = np.unique(rows.round(6), axis=0, return_index=True, return_inverse=True)
    failed = []
    if largest.max() > 1 + SLACK:
        row = int(largest.argmax())
        failed.append(f"bounded: row {row} holds {rows[row][np.abs(rows[row]).argmax()]:.6g}, outside -1 to 1")
    if len(different) < length:
        again = int(np.flatnonzero(first[which.ravel()] != np.arange(length))[0])
        failed.append(f"all different: row {again} is row {first[which.ravel()[again]]} over again")
    if np.ptp(steps) > SLACK:
        k, m = int(steps.argmin()), int(steps.argmax())
        short, long = apart(steps[k], steps[m], 6)
        failed.append(f"the same step: it is {short} from row {k} to {k + 1}, and {long} from row {m} to {m + 1}")
    if steps.min() < 0.1 - SLACK:
        failed.append(f"a step of at least 0.1: the smallest is {apart(steps.min(), 0.1, 2)[0]}")
    fulfilled = ["None of the four wishes is", "One of four wishes is", "Two of four wishes are", "Three of four are"]
    if not failed:
        return ""
    return f"{fulfilled[4 - len(failed)]} fulfilled. Not yet {'; not yet '.join(failed)}."


@exercise(
    hint="""On a straight line you have to stop, or to turn back. On what path can you walk for ever, in equal steps,
        and never get far?""",
    inputs=[(1000,), (12,)],
    judge=look_at_the_wishes,
)
def an_encoding_of_your_own(length):
    """All four wishes hold for a thousand rows: bounded, all different, the same step everywhere, and a step that can
    be seen. A straight line wouldn't do: with four numbers between -1 and 1 it is 4 long at most, and ends after 40
    steps of 0.1.

    Walk in a circle instead: a sine and a cosine are a point on it, and four numbers have room for the circle twice.
    After 44 steps, which is seven turns, the walker is nearly back. Let the second circle turn 100 times more slowly,
    with `np.sin(pos / 100)` and its cosine, and this is the encoding of the paper for four columns.
    """
    pos = np.arange(length)
    return np.stack([np.sin(pos), np.cos(pos), np.sin(pos), np.cos(pos)], axis=1)
