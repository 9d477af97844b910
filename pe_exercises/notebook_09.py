"""The exercises of notebook 09, *See whether training finds it*."""

import numpy as np

from pe_exercises.engine import exercise
from pe_lib.experiments import by_position, networks

SHOWN, FARTHEST = 32, 95  # words in a sentence of training, and the last of `starts` that leaves a cliff to see
LEARNED, TWICE, ENOUGH = 0.8, 64, 0.6  # the shares asked for at the trained length, and at this one beyond it


def train_from(answer):
    if (answer % 1).any() or answer.min() < 0:
        return "We ask for two whole numbers of 0 or more, `starts` and `cliff`."
    starts, cliff = map(int, answer)
    seen = starts + SHOWN - 1
    if seen < 63:
        return f"""Training sees positions up to {seen}, and we ask for 63. Where does a sentence
            that begins at `starts` end?"""
    if starts > FARTHEST:
        return "With these `starts` no cliff is left before 128. Try less."
    if abs(cliff - seen - 1) > 2:
        share = by_position(networks(starts=starts, steps=300, seeds=3)).mean(axis=0)
        after = np.mean(share[seen + 1 : seen + 17])
        within = np.nanmean(share[:64])
        return f"""We trained three networks with these `starts`. They get {within:.2f} of all answers right
            up to 63, and {after:.2f} at the 16 positions after {seen}. Where do they begin to fail?"""
    return ""


@exercise(
    hint="""A sentence has 32 words. If it begins at `starts`, where does its last word lie? The network has to have
        seen 63, and it fails where it has seen nothing.""",
    wrong=[
        ((16, 48), "The cliff is where you say, but we ask for every position up to 63."),
        ((32, 63), "63 is the last position training has shown. What's the first one it hasn't?"),
        ((32, 32), "That's the old cliff. Sentences reach farther now. Where does one that begins at `starts` end?"),
        ((63, 64), "Sentences that *begin* at 63 end much farther out, so this cliff lies beyond 64."),
    ],
    judge=train_from,
)
def move_the_cliff():
    """The cliff begins at `starts` + 32, where you sent it. With 32, say, a sentence ends at 63 at the latest, and
    at 64 the answers begin to fail.

    Nothing else has changed, neither the rows nor the network.
    """
    starts = 32
    return starts, starts + 32


@exercise(
    hint="The loss is the mean of -ln(probability of the right word). Here all twelve have the same probability.",
    wrong=[
        (-np.log(12), "Close. The logarithm of a number below 1 is negative. A loss has the other sign."),
        (-np.log(0.08), "Close. 0.08 is rounded. Each of the twelve words has 1/12."),
        (np.log2(12), "That's in bits. The loss takes the natural logarithm, `np.log`."),
        (np.log10(12), "The loss takes the natural logarithm, `np.log`."),
        (1 / 12, "That's the probability of each word. The loss is made of its logarithm."),
        (11 / 12, "That's how often a guess is wrong. The loss is made of a logarithm."),
    ],
)
def the_loss_of_a_guess():
    """-ln(1/12) = ln 12 = 2.48, the dashed line in the picture of the training. A network whose loss is above
    that line is surer of wrong words than one that knows nothing.
    """
    return np.log(12)


def back(words, k, at_first=-1):
    answers = np.full_like(words, at_first)
    answers[:, k:] = words[:, :-k]
    return answers


@exercise(
    hint="""Begin with `np.full_like(words, -1)`. Which columns of the answers get something, and from which columns of
        the words?""",
    inputs=[(np.array([[3, 1, 4, 1, 5]]),), (np.array([[2, 7, 1, 8], [2, 8, 4, 5], [9, 0, 4, 6]]),)],
    wrong=[
        (lambda words: back(words, 1), "Close. That's the word before. We ask for two before."),
        (
            lambda words: np.roll(words, 2, axis=1),
            "`np.roll` brings the last words to the front. Those columns should hold -1.",
        ),
        (lambda words: back(words, 2, 0), "0 is a word too. Where nothing is asked, the answer is -1."),
        (
            lambda words: back(words[:, ::-1], 2)[:, ::-1],
            "That's two words *after*. In what direction must they go?",
        ),
        (lambda words: words, "Those are the words themselves."),
    ],
)
def two_words_back(words):
    """The words have moved two columns to the right, and the first two columns hold -1: nothing is asked there.

    Moving the words is all it takes to make a task. You can make others in the same way.
    """
    answers = np.full_like(words, -1)
    answers[:, 2:] = words[:, :-2]
    return answers


@exercise(
    hint="""How many answers does one sentence ask for, how many of them are up to position 31, and how many beyond?
        `share` tells how many are right altogether.""",
    inputs=[(0.9, 41), (0.75, 49), (0.6, 66), (1.0, 33)],  # whole numbers of right answers
    wrong=[
        (
            lambda share, length: (share * length - 32) / (length - 32),
            "There's no word before position 0, and nothing is asked there.",
        ),
        (
            lambda share, length: (share * length - 31) / (length - 32),
            "Over how many answers is `share` taken?",
        ),
        (
            lambda share, length: (share * (length - 1) - 32) / (length - 32),
            "How many of the right answers are before 32?",
        ),
        (
            lambda share, length: share * (length - 32) / length,
            "Take away the right ones up to position 31 first.",
        ),
    ],
)
def only_what_lies_beyond(share, length):
    """With 40 words there are 39 answers, and 31 of them are in the trained range. If
    those are right and no others, the share is 0.79: a share over all positions flatters.

    A share of 0.85 over all 40 words means just over a quarter beyond 31.
    """
    right = share * (length - 1)
    return (right - 31) / (length - 32)


def train_with(rows, length, _):
    if np.abs(rows).max() > 1e6:
        return "Some numbers are too large to compute with."
    trained = networks(lambda words, _: rows[:words], words_back=1, seeds=1)
    shares = {32: np.nanmean(by_position(trained, 32)), TWICE: np.nanmean(by_position(trained, TWICE)[:, 32:])}
    said = f"At 32 words it gets {shares[32]:.2f} right, and at {TWICE} words, beyond position 31, {shares[TWICE]:.2f}."
    if shares[32] < LEARNED:
        return f"""{said} At 32 words we ask for 0.8. How far apart are the first 32 of the {length} rows, and how large
            are they relative to the words?"""
    return f"{said} We ask for more than 0.6." if shares[TWICE] <= ENOUGH else ""


@exercise(
    hint="""What has the head seen in training, and what is new to it at position 40? Numbers that go on as they did
        before surprise it less than numbers that turn back. How large may they get relative to the words?""",
    inputs=[(128, 32)],
    judge=train_with,
)
def rows_that_go_on(length, d_model):
    """A network trained on your rows up to position 31 was tested past it. Does it hold with three seeds, and with 128
    words? Give your function to `networks`, and what that returns to `by_position`.

    This is one straight line in all columns. At position 63 it's larger than anything in training, in the same
    direction: the head has learned "the later, the better", and that goes on. A slow sine will do as
    well, `np.sin(pos / 100)`, which is nearly straight where training sees it. Neither goes on forever: the line is
    right less and less often, and the sine fails after its top at position 157. And neither is an encoding for real
    text: this task asks for nothing but the word before.
    """
    return np.tile(np.arange(length)[:, np.newaxis] / 100, d_model)
