"""The exercises of notebook 10, *See whether it helps*."""

import numpy as np

from pe_lib.exercises.former.comparing import unfit
from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import GIVEN, Answer, Answers, When
from pe_lib.experiments import accuracies
from pe_lib.network import D_MODEL, LARGEST, TRIED, WORDS

LONGEST = max(TRIED)  # rows that a training is given
LEARNED, TWICE, ENOUGH = 0.8, 64, 0.6  # the shares asked for at the trained length, and at this one beyond it


@exercise(
    hint="The loss is the mean of -ln(probability of the right word). Here all twelve have the same probability.",
    why="""-ln(1/12) = ln 12 = 2.48, the dotted line under the curve. A network whose loss lies above it is surer
        of wrong words than one that knows nothing.""",
)
def the_loss_of_a_guess() -> Answers:
    guess = 1 / len(WORDS)
    yield Answer(-np.log(guess))
    yield Answer(np.log(guess)).nearly("The logarithm of a number below 1 is negative. A loss has the other sign.")
    yield Answer(-np.log(0.08)).nearly("0.08 is rounded. Each of the twelve words has 1/12.")
    yield Answer(-np.log2(guess)).nearly("That is in bits. The loss takes the natural logarithm, `np.log`.")
    yield Answer(-np.log10(guess)).nearly("The loss takes the natural logarithm, `np.log`.")
    yield Answer(guess).wrong("That is the probability of each word. The loss is made of its logarithm.")
    yield Answer(1 - guess).wrong("That is how often a guess is wrong. The loss is made of a logarithm.")


@exercise(
    hint="""How many answers are asked for in one sentence, how many of them lie up to position 31, and how many beyond?
        From `share` follows how many are right altogether.""",
    why="""With 40 words, 39 answers are asked for, and 31 of them are in the range that was trained. All of those right
        and no other makes 0.79: a share over all positions flatters.""",
    inputs=((0.9, 41), (0.75, 49), (0.6, 66), (1.0, 33)),  # whole numbers of right answers
)
def only_what_lies_beyond(share: float, length: int) -> Answers:
    yield Answer((share * (length - 1) - 31) / (length - 32))
    yield Answer((share * length - 32) / (length - 32)).nearly("Nothing stands before position 0 that could be asked.")
    yield Answer((share * length - 31) / (length - 32)).nearly("How many answers make the whole `share`?")
    yield Answer((share * (length - 1) - 32) / (length - 32)).nearly("How many of the right answers lie before 32?")
    yield Answer(share * (length - 32) / length).wrong("The right ones up to position 31 are to be taken away first.")


def _back(words: np.ndarray, k: int, at_first: int = -1) -> np.ndarray:
    answers = np.full_like(words, at_first)
    answers[:, k:] = words[:, :-k]
    return answers


@exercise(
    hint="""Begin with `np.full_like(words, -1)`. Which columns of the answers get something, and which columns of the
        words is it?""",
    why="The words have moved two columns to the right, and the first two columns hold -1: nothing is asked there.",
    inputs=((np.array([[3, 1, 4, 1, 5]]),), (np.array([[2, 7, 1, 8], [2, 8, 4, 5], [9, 0, 4, 6]]),)),
)
def two_words_back(words: np.ndarray) -> Answers:
    yield Answer(_back(words, 2))
    yield Answer(_back(words, 1)).nearly("That is the word before. Two places before is asked for.")
    yield Answer(np.roll(words, 2, axis=1)).nearly("`np.roll` brings the last words to the front. There, -1 is due.")
    yield Answer(_back(words, 2, 0)).nearly("0 is a word too. Where nothing is asked, the answer is -1.")
    yield Answer(_back(words[:, ::-1], 2)[:, ::-1]).wrong("That is two words *after*. In which direction must they go?")
    yield Answer(words).wrong("Those are the words themselves.")


@exercise(
    hint="""What has the head seen in training, and what is new to it at position 40? Numbers that go on as they did
        before surprise it less than numbers that come round. How large may they become beside the words?""",
    why="""It was trained on your rows up to position 31 and asked beyond. Put your function into `accuracies`, with
        three seeds and with 256 words: does it hold?""",
    inputs=((LONGEST, D_MODEL),),
)
def rows_that_go_on(length: int, d_model: int) -> Answers:
    table = yield GIVEN
    yield When(table.shape != (length, d_model)).wrong(unfit(table, (length, d_model)))
    yield When(not np.abs(table).max() <= LARGEST).wrong("Some numbers are not finite, or too large to compute with.")
    (shares,) = accuracies(lambda rows, _: table[:rows], [32, TWICE], seeds=[0], steps=300)
    said = f"Trained at 32, it is right in {shares[32]:.2f} there, and in {shares[TWICE]:.2f} beyond, at {TWICE} words."
    yield When(shares[32] < LEARNED).wrong(f"""{said} At 32 words 0.8 is asked for. How far are the first 32 of the
        {length} rows apart, and how large are they beside the words?""")
    yield When(shares[TWICE] <= ENOUGH).nearly(f"{said} More than 0.6 is asked for.")
