"""The exercises of notebook 01, *See why word order needs help*."""

import numpy as np

from pe_lib.encoding import sinusoidal_encoding
from pe_lib.examples import CAT_CHASED_MOUSE
from pe_lib.exercises.former.comparing import apart, tolerance, unfit
from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import GIVEN, Answer, Answers, Choice, When

WORDS = CAT_CHASED_MOUSE.embeddings
POSITION = np.arange(3)[:, np.newaxis]


def _attention(rows: np.ndarray) -> np.ndarray:
    """Mix the rows as the notebook does, where queries, keys and values are the rows themselves."""
    powers = np.exp(rows @ rows.T / np.sqrt(rows.shape[1]))
    mixed: np.ndarray = powers / powers.sum(axis=1, keepdims=True) @ rows
    return mixed


@exercise(
    hint="The words come in the order 2, 0, 1. An array can be indexed with a list.",
    why="""Attention gives each word the same row, wherever it stands. So the rows of `out`, put into the order of the
        words, are the answer, and nothing has to be computed again.""",
)
def another_order() -> Answers:
    out = _attention(WORDS)
    yield Answer(out[[2, 0, 1]])
    yield Answer(out).wrong("That is `out` as it was: its first row belongs to “cat”.")
    yield Answer(out[[1, 2, 0]]).nearly("Right rows, in the order “chased mouse cat”. Which row goes to each place?")
    yield Answer([2, 0, 1]).nearly("The right order. Now take the rows of `out` in it.")
    yield Answer(_attention(out)[[2, 0, 1]]).nearly("The right order, but `out` went through attention once more.")
    yield Answer(WORDS[[2, 0, 1]]).nearly("The right order, but these are the rows of `x`. Take them from `out`.")
    yield Answer(out[::-1]).wrong("That is “mouse chased cat”: both “cat” and “chased” have to move on.")
    yield Answer(out[:, [2, 0, 1]]).wrong("Here columns were chosen, not rows. Rows come first among the indices.")


@exercise(
    hint="""`rows.mean(axis=1, keepdims=True)` has one number for each row, in a shape that can be subtracted from
        `rows`.""",
    why="""Each row gives up its own mean. A number added to a whole row raises that mean by as much, and goes with it:
        `centred(x + position)` is `centred(x)`, and nothing is left of the numbers 0, 1, 2.""",
    inputs=((WORDS,), (WORDS + POSITION,), (np.arange(16.0).reshape(4, 4) ** 2,)),
)
def what_layer_normalisation_leaves(rows: np.ndarray) -> Answers:
    means = rows.mean(axis=1, keepdims=True)
    yield Answer(rows - means)
    yield Answer(rows - rows.mean(axis=0)).wrong("Here each column gave up its mean. Each row should give up its own.")
    yield Answer(rows - rows.mean()).wrong("All rows gave up the mean of the whole matrix. Each has a mean of its own.")
    yield Answer((rows - means) / rows.std(axis=1, keepdims=True)).nearly("""That is layer normalisation with its second
        step, the division. Only the first is asked for.""")
    yield Answer(rows).wrong("These are the rows as they came. Nothing was subtracted.")
    yield Answer(rows - np.arange(len(rows))[:, np.newaxis]).wrong("""Here 0, 1, 2 and so on were subtracted. `centred`
        is not told which numbers were added: it has the rows alone, and each row has a mean.""")
    for shape in (len(rows), means.shape):
        yield Answer(means.reshape(shape)).wrong("These are the means. They are to be subtracted from the rows.")


@exercise(
    hint="""After one layer, which words has the row of the first word seen, and which the row of the second? The second
        layer mixes these rows.""",
    why="""In the first layer the last word mixes the same three rows in both sentences, and a mix has no order. But the
        first word has seen itself alone and the second has seen both, so after one layer *their* rows tell the order,
        and the second layer passes it on.""",
    expect=Choice,
    otherwise="""A list of two is asked for, each True or False without quotation marks, the first for one layer and the
        second for two.""",
)
def the_last_word_behind_a_mask() -> Answers:
    yield Answer((False, True))
    yield Answer((True, True)).nearly("Right for two. In one, does attention know in which order three words come?")
    yield Answer((False, False)).nearly("""Right for one layer. But after it, is the row of “cat” the same in both
        sentences? In one of them it stands first, and sees nothing but itself.""")
    yield Answer((True, False)).wrong("Can rows that differ after one layer be the same again after two?")


@exercise(
    hint="""`np.linalg.norm(rows[1:] - rows[0], axis=1)` holds ten distances, and the first of them belongs to position
        1.""",
    why="""The first two columns make a turn in about 6.28 positions, and after 6 they are nearly back; the other two
        have hardly moved. So “farther is farther” fails with four columns, while “unique” holds: no distance is 0.""",
)
def the_nearest_row() -> Answers:
    rows = sinusoidal_encoding(11, 4)
    away = np.linalg.norm(rows[1:] - rows[0], axis=1)
    yield Answer(6)
    yield Answer(1).wrong("That is the natural guess. Compute all ten distances: is the first the smallest?")
    yield Answer(5).nearly("Index 5 in the list of ten distances, perhaps? Its first entry belongs to position 1.")
    yield Answer(7).nearly("Position 7 is the second nearest. Or did you count one too many?")
    yield Answer(0).wrong("Position 0 is its own nearest. Leave it out: the question is about 1 to 10.")
    yield Answer(away.min()).nearly("That is the smallest distance. Which position does it belong to?")


@exercise(
    hint="""On a straight line you have to stop, or to turn round. On which path can you walk for ever, in equal steps,
        and stay in one place?""",
    why="""All four wishes hold for a thousand rows: bounded, all different, the same step everywhere, and not too small
        a one. A straight line would not do: with four numbers between -1 and 1 it is 4 long at most, and ends after 40
        steps of 0.1.""",
    inputs=((1000,), (12,)),
)
def an_encoding_of_your_own(length: int) -> Answers:
    rows = yield GIVEN
    yield When(said := unfit(rows, (length, 4))).wrong(said)
    slack, largest = 10 * tolerance(rows), np.abs(rows).max(axis=1)  # for all that a step is made of
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    different, first, which = np.unique(rows.round(6), axis=0, return_index=True, return_inverse=True)
    failed = []
    if largest.max() > 1 + slack:
        row = int(largest.argmax())
        failed.append(f"bounded: row {row} holds {rows[row][np.abs(rows[row]).argmax()]:.6g}, outside -1 to 1")
    if len(different) < length:
        again = int(np.flatnonzero(first[which.ravel()] != np.arange(length))[0])
        failed.append(f"all different: row {again} is row {first[which.ravel()[again]]} over again")
    if np.ptp(steps) > slack:
        k, m = int(steps.argmin()), int(steps.argmax())
        short, long = apart(steps[k], steps[m], 6)
        failed.append(f"the same step: it is {short} from row {k} to {k + 1}, and {long} from row {m} to {m + 1}")
    if steps.min() < 0.1 - slack:
        failed.append(f"a step of at least 0.1: the smallest is {apart(steps.min(), 0.1, 2)[0]}")
    fulfilled = ["none is", "one is", "two are", "three are", "all are"][4 - len(failed)]
    text = f"Of four wishes, {fulfilled} fulfilled. Not yet {'; not yet '.join(failed)}."
    yield When(failed).wrong(text, nearly_if=len(failed) == 1)
