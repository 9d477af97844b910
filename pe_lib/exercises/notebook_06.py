"""The exercises of notebook 06, *Add it by broadcasting*."""

from typing import Any

import numpy as np

from pe_lib.encoding import add_positional_encoding, sinusoidal_encoding
from pe_lib.exercises.comparing import of_them
from pe_lib.exercises.engine import exercise
from pe_lib.exercises.expectations import GIVEN, Answer, Answers, Choice, Encoding, When, seen_in
from pe_lib.exercises.feedback import Feedback

X = (8, 20, 64)  # the shape of x in the first exercise, and below it the five shapes with their sums
SUMS = {(64,): X, (20, 64): X, (8, 20): "error", (8, 20, 1): X, (5, 1, 1, 64): (5, *X)}
LOOK = {
    (64,): "It has one axis, and what is missing on the left counts as 1.",
    (20, 64): "Counted from the right, which lengths of `x` does it meet?",
    (8, 20): "Write it flush right below (8, 20, 64): the shapes are lined up from there, not from the left.",
    (8, 20, 1): "A 1 is stretched to the other length, on whichever axis it stands.",
    (5, 1, 1, 64): "It has one axis more than `x`. So it is `x` that gets a 1 in front.",
}


@exercise(
    hint="Write each shape below (8, 20, 64), flush right, and put a 1 where nothing stands.",
    why="""Lined up from the right, (8, 20) alone has unequal lengths, 20 below 64. Of the four that go, only (20, 64)
        can be an encoding of positions that serves all sentences.""",
    expect=Choice,
)
def five_shapes() -> Answers:
    yield Answer(tuple(SUMS.values()))
    value = yield GIVEN
    five = isinstance(value, tuple) and len(value) == len(SUMS)
    yield When(not five).wrong('A list of five is asked for, each a shape such as (8, 20, 64), or "error".')
    said = [item.strip().casefold() if isinstance(item, str) else item for item in value]
    fits = np.array([item == right for item, right in zip(said, SUMS.values(), strict=True)])
    added, item = list(zip(SUMS, said, strict=True))[fits.argmin()]
    look = LOOK[added]
    if isinstance(item, str) and item != "error":
        look = 'A shape is written without quotation marks; a text is for "error" alone.'
    elif not isinstance(item, str | tuple):
        look = 'Its answer is to be a shape, such as (8, 20, 64), or "error".'
    elif item == added:
        look = f"You gave back what is added. Which shape has the sum? {look}"
    text = f"{of_them(fits, 'sums')} right. The first that is not is that of shape {added}. {look}"
    yield When(True).wrong(text, nearly_if=fits.sum() == 4)


@exercise(
    hint="""What stands below what: `x` is (L, B, d), and the table must be the same for every sentence. Where does its
        axis of 1 belong now?""",
    why="""The table is stretched over the sentences, which are on axis 1 here, so it has the shape (L, 1, d): the one
        that is a mistake when the sentences stand in front.""",
    inputs=tuple(
        (np.arange(np.prod(shape)).reshape(shape) / 10,) for shape in ((5, 2, 6), (3, 3, 4), (1, 4, 6), (7, 1, 2))
    ),
)
def tokens_in_front(x: np.ndarray) -> Answers:
    rows = np.broadcast_to(sinusoidal_encoding(len(x), x.shape[2])[:, np.newaxis], x.shape)
    reshaped = add_positional_encoding(x.reshape(x.shape[1], x.shape[0], -1)).reshape(x.shape)
    yield Answer(x + rows)
    yield Answer(add_positional_encoding(x)).wrong("""Here all tokens of a sentence were given the same row, and each
        sentence another one. On which axis are the tokens, and how many rows does the table need?""")
    yield Answer((x + rows).swapaxes(0, 1)).nearly("The right sums, with the sentences in front. Keep `x`'s shape.")
    yield Answer(reshaped).wrong("Reshaping does not exchange axes: tokens of one sentence come into another.")
    yield Answer(x).wrong("This is `x` as it came. Nothing was added.")
    yield Answer(rows).nearly("This is what is to be added. Add it to `x`.")
    yield Answer(rows[:, :1]).nearly("This is the table, in the right shape. Add it to `x`.")
    yield Answer(x * np.sqrt(x.shape[2]) + rows).nearly("`x` was made larger first, as the paper does. Leave it so.")
    yield Answer(x * rows).nearly("The right rows, multiplied. They are to be added.")
    yield Answer(x + 2 * rows).nearly("The right rows, and each was added twice.")
    yield Answer(np.concatenate([x, rows], axis=2)).wrong("The rows stand beside the words. Add them.")
    y = yield GIVEN
    added = y - x
    yield When(np.allclose(added, added[0])).wrong("What was added is the same at every token: it tells no order.")
    found = seen_in(added[:, 0])
    yield When(found.says and np.allclose(added, added[:, :1]), found.against())


def _masked(masks: np.ndarray, d_model: int) -> np.ndarray:
    return add_positional_encoding(np.zeros((*masks.shape, d_model)), mask=masks)


class Masked(Encoding):
    """Expect the encodings of a batch with zeros, and no negative ones, for the padding."""

    def judge(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Look at the signs of the zeros too."""
        feedback, negative = super().judge(value, *inputs), np.signbit(value) & (value == 0)
        if feedback.kind == "right" and negative[inputs[0] == 0].any():
            b, t, j = np.argwhere(negative & (inputs[0] == 0)[..., np.newaxis])[0]
            return (
                When(True)
                .nearly(f"""All numbers are equal to the right ones, but in sentence {b}, token {t}, column
                {j} there is a -0.0. A negative number times 0 is one. Choose in place of multiplying.""")
                .feedback
            )
        return feedback

    judge_again = judge


@exercise(
    hint="""`np.where` broadcasts its three arguments by the same rules as a sum. `masks[..., np.newaxis]` has shape (B,
        L, 1).""",
    why="""The masks have shape (B, L, 1), the table (L, d), and 0.0 no axes at all. Lined up from the right they make
        (B, L, d), and a zero that is chosen has no sign.""",
    expect=Masked,
    inputs=(
        (np.array([[1, 1, 1, 1], [1, 1, 0, 0]]), 6),
        (np.array([[1, 1, 0], [1, 1, 1], [1, 0, 0]]), 4),
        (np.array([[1, 1, 1, 1, 0, 0]]), 6),
    ),
)
def a_mask_for_each_sentence(masks: np.ndarray, d_model: int) -> Answers:
    table, last = sinusoidal_encoding(masks.shape[1], d_model), np.broadcast_to(masks[-1], masks.shape)
    yield Answer(_masked(masks, d_model))
    yield Answer(_masked(np.ones_like(masks), d_model)).wrong("Every token has its row, and the padding has too.")
    yield Answer(_masked(last, d_model)).wrong("Every sentence has the mask of the last one.")
    yield Answer(table).wrong("This is one table. Each sentence needs its own, with zeros for its padding.")
    yield Answer(_masked(masks, d_model)[-1]).wrong("The last sentence alone: was each written over the one before it?")
    yield Answer(_masked(1 - masks, d_model)).nearly("The other way round: a 1 in a mask stands for a word.")
    yield Answer(np.where(masks[..., np.newaxis] == 1, table, -np.inf)).nearly("""Minus infinity is for the scores of
        attention. In the encoding, padding has zeros.""")
    yield Answer(np.broadcast_to(masks[..., np.newaxis], (*masks.shape, d_model))).wrong("""These are the masks,
        stretched over the columns. Where is the encoding?""")
    value = yield GIVEN
    filled = value.any(axis=2)
    for failed, says in (
        (filled & (masks == 0), "is padding, and has numbers other than 0"),
        (~filled & (masks == 1), "is a word, and has nothing but zeros"),
    ):
        b, t = np.unravel_index(failed.argmax(), failed.shape)
        yield When(failed.any()).wrong(f"In sentence {b}, token {t} {says}.")
    found = seen_in(value[0][masks[0] == 1])
    said = found.against()
    yield When(found.says, Feedback(said.kind, f"The zeros are where they should be.\n{said.text}"))


@exercise(
    hint="""Each number of the result is one number of `E` plus one of `P`. Which matrix of shape (6, 6) leaves a row as
        it is?""",
    why="""The upper half lets E through, the lower half P, and the product adds what comes. So concatenating, with
        weights after it, can do all that adding can.""",
)
def weights_that_add() -> Answers:
    one = np.eye(6)
    yield Answer(np.concatenate([one, one]))
    yield Answer(np.eye(12, 6)).wrong("With this `W` the product is `E`, and `P` is lost: its half is all zeros.")
    yield Answer(np.eye(12, 6, -6)).wrong("With this `W` the product is `P`, and `E` is lost: its half is all zeros.")
    yield Answer(np.ones((12, 6))).wrong("Each number of the product is the sum of all twelve now.")
    yield Answer(np.repeat(one, 2, axis=0)).nearly("""This adds neighbours: columns 0 and 1 of `E`, 2 and 3, and so on.
        How far apart do two numbers stand in `[E, P]` that belong together?""")
    yield Answer(one).nearly("This leaves a row of six as it is. `[E, P]` has rows of twelve.")
    yield Answer(np.concatenate([one, one]) / 2).nearly("This gives the mean of the two.")
    yield Answer(np.concatenate([one, -one])).nearly("With this `W` the product is `E - P`.")
    yield Answer(np.eye(12)).wrong("This leaves all twelve numbers as they are. Six are to come out.")
    matrix = yield GIVEN
    fits = np.isclose(matrix, np.concatenate([one, one])).all(axis=1)
    k = int(fits.argmin())
    source = f"P[:, {k - 6}]" if k >= 6 else f"E[:, {k}]"
    yield When(True).wrong(f"""{of_them(fits, "rows")} right. Row {k} is the first that is not: it says what becomes of
        `{source}`. Into which number of the sum does that go, and how many times?""")


def _given(x: np.ndarray, rows: np.ndarray, noise: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return x and a sum in which each token was given one of the rows of the table."""
    table = sinusoidal_encoding(*x.shape[1:])
    return x, x + table[rows] + noise * np.random.default_rng(0).normal(size=x.shape)


COUNTING = np.arange(48).reshape(2, 4, 6) / 10


@exercise(
    name="which row did each token get?",
    hint="""Compare what was added with every row at once: give it an axis of 1 before the last, (B, L, 1, d), subtract
        the table, (L, d), and see what shape that makes. Then `argmin`.""",
    why="""Comparing every token with all rows at once takes an array of shape (B, L, L, d). A nearest row is always
        found, so look at how near it is as well before you believe it.""",
    inputs=(
        _given(COUNTING, np.array([[2, 0, 1, 3], [1, 1, 0, 2]]), noise=0.02),
        _given(COUNTING, np.array([[0], [1]])),
        _given(COUNTING, np.arange(4)),
        _given(np.ones((3, 5, 8)), np.array([[4, 3, 2, 1, 0], [0, 0, 0, 4, 4], [1, 3, 0, 2, 4]]), noise=0.02),
    ),
)
def which_row_did_each_token_get(x: np.ndarray, y: np.ndarray) -> Answers:
    table = sinusoidal_encoding(*x.shape[1:])
    off = (y - x)[:, :, np.newaxis] - table  # (B, L, L, d)
    away, of_y = (off**2).sum(axis=-1), ((y[:, :, np.newaxis] - table) ** 2).sum(axis=-1)
    yield Answer(away.argmin(axis=2))
    yield Answer(np.broadcast_to(np.arange(x.shape[1]), x.shape[:2])).wrong("""These are the places where the tokens
        stand. Which rows were really added is to be read from `y - x`.""")
    yield Answer(of_y.argmin(axis=2)).wrong("Here `y` itself was compared with the table: what was added is `y - x`.")
    yield Answer(away.argmax(axis=2)).nearly("These rows are farthest away. Is it `argmax`, or `x - y` for `y - x`?")
    yield Answer(away.argmin(axis=1)).nearly("It is asked the other way round: along which axis do the rows stand?")
    yield Answer(np.abs(off).argmin(axis=2)).nearly("A row number for each column: sum over the last axis first.")
    yield Answer(away.argmin(axis=2) + 1).nearly("Each is 1 too large: rows are counted from 0.")
    yield Answer(off.sum(-1).argmin(-1)).nearly("Signed differences: they cancel. A distance has no signs.")
    none = "To the last digit no row equals what was added. Take the nearest."
    yield Answer(np.zeros(x.shape[:2])).wrong(none)
    for empty in ((*x.shape[:2], 0), (0, 3), (0,)):
        yield Answer(np.empty(empty)).wrong(none)
    ask = "The number of a row is whole. Are these distances? Which rows are they of?"
    for distances in (np.sqrt(away), away, np.abs(off).sum(axis=-1)):
        yield Answer(distances.min(axis=2)).nearly(ask)
        yield Answer(distances).wrong(ask)
    yield Answer(away.argmin()).wrong("Without an axis, `argmin` looks through the whole array and gives one number.")
