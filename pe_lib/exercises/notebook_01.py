"""The exercises of notebook 01, *See why word order needs help*."""

import numpy as np

from pe_lib.encoding import sinusoidal_encoding
from pe_lib.examples import CAT_CHASED_MOUSE
from pe_lib.exercises.engine import Exercise
from pe_lib.exercises.expectations import Accepted, Choice, Mistake, Numbers
from pe_lib.exercises.feedback import Feedback

WORDS = CAT_CHASED_MOUSE.embeddings
POSITION = np.arange(3)[:, np.newaxis]


def _attention(rows: np.ndarray) -> np.ndarray:
    """Mix the rows as the notebook does, where queries, keys and values are the rows themselves."""
    powers = np.exp(rows @ rows.T / np.sqrt(rows.shape[1]))
    mixed: np.ndarray = powers / powers.sum(axis=1, keepdims=True) @ rows
    return mixed


def _centred(rows: np.ndarray) -> np.ndarray:
    centred: np.ndarray = rows - rows.mean(axis=1, keepdims=True)
    return centred


def _walked(rows: np.ndarray, length: int) -> Feedback:
    """Say which of the wishes of the last exercise some rows fulfil: bounded, unique, the same step, not too small."""
    if rows.shape != (length, 4):
        return Feedback("wrong", f"The rows have shape {rows.shape}, and ({length}, 4) is asked for.")
    if not np.isfinite(rows).all():
        return Feedback("wrong", "There are numbers among them that are not finite.")
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    failed = []
    if np.abs(rows).max() > 1 + 1e-6:
        row = int(np.abs(rows).max(axis=1).argmax())
        failed.append(f"bounded: row {row} holds {rows[row][np.abs(rows[row]).argmax()]:.6g}, outside -1 to 1")
    different, first, which = np.unique(rows.round(6), axis=0, return_index=True, return_inverse=True)
    if len(different) < length:
        again = int(np.flatnonzero(first[which.ravel()] != np.arange(length))[0])
        failed.append(f"all different: row {again} is row {first[which.ravel()[again]]} over again")
    exact = {2: 1e-2, 4: 1e-4}.get(rows.dtype.itemsize, 1e-6) if rows.dtype.kind == "f" else 1e-6
    if np.ptp(steps) > exact:
        short, long = int(steps.argmin()), int(steps.argmax())
        far = f"{steps[long]:.6g} from row {long} to {long + 1}"
        failed.append(f"the same step: it is {steps[short]:.6g} from row {short} to {short + 1}, and {far}")
    if steps.min() < 0.1 - 1e-6:
        failed.append(f"a step of at least 0.1: the smallest is {steps.min():.4f}")
    if not failed:
        return Feedback("right")
    fulfilled = {3: "three are", 2: "two are", 1: "one is", 0: "none is"}[4 - len(failed)]
    text = f"Of four wishes, {fulfilled} fulfilled. Not yet " + "; not yet ".join(failed) + "."
    return Feedback("nearly" if len(failed) == 1 else "wrong", text)


EXERCISES = (
    Exercise(
        "another order",
        hint="The words come in the order 2, 0, 1. An array can be indexed with a list.",
        why="Attention gives each word the same row, wherever it stands. So the rows of `out`, put into the order of "
        "the words, are the answer, and nothing has to be computed again.",
        expect=Numbers(
            _attention(WORDS)[[2, 0, 1]],
            decimals=4,
            mistakes=(
                Mistake(_attention(WORDS), "That is `out` as it was: its first row belongs to “cat”."),
                Mistake(
                    _attention(WORDS)[[1, 2, 0]],
                    "The right rows, in the order “chased mouse cat”. The list of indices says for each new place "
                    "which old row goes there.",
                    "nearly",
                ),
                Mistake([2, 0, 1], "The right order. Now take the rows of `out` in it.", "nearly"),
                Mistake(
                    _attention(_attention(WORDS))[[2, 0, 1]],
                    "The right order, but `out` went through attention once more. Its rows are the answer as they are.",
                    "nearly",
                ),
                Mistake(
                    WORDS[[2, 0, 1]],
                    "The right order, but these are the rows of `x`, the words before attention. Take them from `out`.",
                    "nearly",
                ),
                Mistake(
                    _attention(WORDS)[::-1], "That is “mouse chased cat”: both “cat” and “chased” have to move on."
                ),
                Mistake(
                    _attention(WORDS)[:, [2, 0, 1]],
                    "Here columns were chosen, not rows. Rows come first among the indices.",
                ),
            ),
        ),
    ),
    Exercise(
        "what layer normalisation leaves",
        hint="`rows.mean(axis=1, keepdims=True)` has one number for each row, in a shape that can be subtracted from "
        "`rows`.",
        why="Each row gives up its own mean. A number added to a whole row raises that mean by as much, and goes with "
        "it: `centred(x + position)` is `centred(x)`, and nothing is left of the numbers 0, 1, 2.",
        expect=Numbers(
            _centred,
            mistakes=(
                Mistake(
                    lambda rows: rows - rows.mean(axis=0),
                    "Here each column gave up its mean: its entries add up to 0. Each row should give up its own.",
                ),
                Mistake(
                    lambda rows: rows - rows.mean(),
                    "All rows gave up the same number, the mean of the whole matrix. Each has a mean of its own.",
                ),
                Mistake(
                    lambda rows: rows.mean(axis=1, keepdims=True) - rows,
                    "All signs are the other way round: subtract the mean from the row.",
                    "nearly",
                ),
                Mistake(
                    lambda rows: _centred(rows) / rows.std(axis=1, keepdims=True),
                    "That is layer normalisation with its second step, the division. Only the first is asked for.",
                    "nearly",
                ),
                Mistake(lambda rows: rows, "These are the rows as they came. Nothing was subtracted."),
                Mistake(
                    lambda rows: rows - np.arange(len(rows))[:, np.newaxis],
                    "Here 0, 1, 2 and so on were subtracted. `centred` is not told which numbers were added: it has "
                    "the rows alone, and each row has a mean.",
                ),
                Mistake(
                    lambda rows: rows.mean(axis=1), "These are the means. They are to be subtracted from the rows."
                ),
                Mistake(
                    lambda rows: rows.mean(axis=1, keepdims=True),
                    "These are the means. They are to be subtracted from the rows.",
                ),
            ),
        ),
        inputs=((WORDS,), (WORDS + POSITION,), (np.arange(16.0).reshape(4, 4) ** 2,)),
    ),
    Exercise(
        "the last word behind a mask",
        hint="After one layer, which words has the row of the first word seen, and which the row of the second? The "
        "second layer mixes these rows.",
        why="In the first layer the last word mixes the same three rows in both sentences, and a mix has no order. "
        "But the first word has seen itself alone and the second has seen both, so after one layer *their* rows "
        "tell the order, and the second layer passes it on.",
        expect=Choice(
            (False, True),
            mistakes=(
                Mistake(
                    (True, True),
                    "Right for two layers. In the first, the last word sees three embeddings: does attention know "
                    "in which order they come?",
                    "nearly",
                ),
                Mistake(
                    (False, False),
                    "Right for one layer. But after it, is the row of “cat” the same in both sentences? In one of "
                    "them it stands first, and sees nothing but itself.",
                    "nearly",
                ),
                Mistake(
                    (True, False),
                    "Can rows that differ after one layer be the same again after two? Look at each layer again.",
                ),
            ),
            otherwise="A list of two is asked for, each True or False without quotation marks, the first for one layer "
            "and the second for two.",
        ),
    ),
    Exercise(
        "the nearest row",
        hint="`np.linalg.norm(rows[1:] - rows[0], axis=1)` holds ten distances, and the first of them belongs to "
        "position 1.",
        why="The first two columns make a turn in about 6.28 positions, and after 6 they are nearly back; the other "
        "two have hardly moved. So “farther is farther” fails with four columns, while “unique” holds: no "
        "distance is 0.",
        expect=Numbers(
            6,
            mistakes=(
                Mistake(1, "That is the natural guess. Compute all ten distances: is the first the smallest?"),
                Mistake(
                    5, "Index 5 in the list of ten distances, perhaps? Its first entry belongs to position 1.", "nearly"
                ),
                Mistake(7, "Position 7 is the second nearest. Or did you count one too many?", "nearly"),
                Mistake(0, "Position 0 is its own nearest. Leave it out: the question is about 1 to 10."),
                Mistake(
                    np.linalg.norm(sinusoidal_encoding(11, 4)[1:] - sinusoidal_encoding(11, 4)[0], axis=1).min(),
                    "That is the smallest distance. Which position does it belong to?",
                    "nearly",
                ),
            ),
        ),
    ),
    Exercise(
        "an encoding of your own",
        hint="On a straight line you have to stop, or to turn round. On which path can you walk for ever, in equal "
        "steps, and stay in one place?",
        why="All four wishes hold for a thousand rows: bounded, all different, the same step everywhere, and not too "
        "small a one. A straight line would not do: with four numbers between -1 and 1 it is 4 long at most, and ends "
        "after 40 steps of 0.1.",
        expect=Accepted(_walked),
        inputs=((1000,), (12,)),
    ),
)
