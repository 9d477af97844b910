"""The exercises of notebook 06, *Add it by broadcasting*."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pe_lib.encoding import add_positional_encoding, sinusoidal_encoding
from pe_lib.exercises import reading
from pe_lib.exercises.engine import Exercise
from pe_lib.exercises.expectations import Mistake, Numbers, diagnosed, of_them
from pe_lib.exercises.feedback import Feedback, Kind

X = (8, 20, 64)  # the shape of x in the first exercise, and below it the five shapes with their sums
SUMS = {(64,): X, (20, 64): X, (8, 20): "error", (8, 20, 1): X, (5, 1, 1, 64): (5, *X)}
LOOK = {
    (64,): "It has one axis, and what is missing on the left counts as 1.",
    (20, 64): "Counted from the right, which lengths of `x` does it meet?",
    (8, 20): "Write it flush right below (8, 20, 64): the shapes are lined up from there, not from the left.",
    (8, 20, 1): "A 1 is stretched to the other length, on whichever axis it stands.",
    (5, 1, 1, 64): "It has one axis more than `x`. So it is `x` that gets a 1 in front.",
}


@dataclass(frozen=True)
class Shapes:
    """Expect the shapes of the five sums, and say of the first wrong one where to look."""

    def read(self, answer: Any) -> Any:
        """Make plain Python of an answer."""
        return reading.plain(answer)

    def judge(self, value: Any, *_: Any) -> Feedback:
        """Compare sum by sum."""
        if not isinstance(value, tuple) or len(value) != len(SUMS):
            return Feedback("wrong", 'A list of five is asked for, each a shape such as (8, 20, 64), or "error".')
        said = [item.strip().casefold() if isinstance(item, str) else item for item in value]
        wrong = [(given, item) for given, item in zip(SUMS, said, strict=True) if item != SUMS[given]]
        if not wrong:
            return Feedback("right")
        given, item = wrong[0]
        kind: Kind = "nearly" if len(wrong) == 1 else "wrong"
        if isinstance(item, str) and item != "error":
            look = 'A shape is written without quotation marks; a text is for "error" alone.'
        elif not isinstance(item, str | tuple):
            look = 'Its answer is to be a shape, such as (8, 20, 64), or "error".'
        elif item == given:
            look = f"You gave back what is added. Which shape has the sum? {LOOK[given]}"
        else:
            look = LOOK[given]
        are = "is" if len(wrong) == 4 else "are"
        return Feedback(
            kind, f"{5 - len(wrong)} of 5 {are} right. The first that is not is that of shape {given}. {look}"
        )


@dataclass(frozen=True)
class TokensInFront(Numbers):
    """Expect a sum with the tokens on axis 0, and have a wrong one diagnosed."""

    def otherwise(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Add what the diagnosis finds in what was added."""
        if value.shape != right.shape:
            return super().otherwise(value, right, inputs)
        from pe_lib.diagnosis import diagnose_sum

        (x,) = inputs
        if np.allclose(value - x, (value - x)[0]):
            return Feedback("wrong", "What was added is the same at every token: nothing is said of their order.")
        found = diagnose_sum(x.swapaxes(0, 1), value.swapaxes(0, 1))
        return diagnosed(found) if found.findings else super().otherwise(value, right, inputs)


def _in_front(x: np.ndarray) -> np.ndarray:
    return add_positional_encoding(x.swapaxes(0, 1)).swapaxes(0, 1)


def _added_in_front(x: np.ndarray) -> np.ndarray:
    return np.broadcast_to(sinusoidal_encoding(len(x), x.shape[2])[:, np.newaxis], x.shape)


def _reshaped(x: np.ndarray) -> np.ndarray:
    return add_positional_encoding(x.reshape(x.shape[1], x.shape[0], -1)).reshape(x.shape)


@dataclass(frozen=True)
class Masked(Numbers):
    """Expect the encodings of a batch with zeros, and no negative ones, for the padding."""

    def judge(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Look at the signs of the zeros too."""
        feedback = super().judge(value, *inputs)
        masks = inputs[0]
        if feedback.kind == "right" and np.signbit(value)[masks == 0].any():
            b, t, j = np.argwhere(np.signbit(value) & (masks == 0)[..., np.newaxis])[0]
            return Feedback(
                "nearly",
                f"All numbers are equal to the right ones, but in sentence {b}, token {t}, column {j} there is a -0.0. "
                "A negative number times 0 is one. Choose in place of multiplying.",
            )
        return feedback

    def reordered(self, value: np.ndarray, right: np.ndarray) -> str:  # noqa: ARG002
        """Leave the order of columns to the diagnosis."""
        return ""

    def otherwise(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Look at the padding, then at the words, then have the encoding diagnosed."""
        if value.shape != right.shape:
            return super().otherwise(value, right, inputs)
        masks, _ = inputs
        given = value.any(axis=2)
        for wrong, says in (
            (given & (masks == 0), "is padding, and has numbers other than 0"),
            (~given & (masks == 1), "is a word, and has nothing but zeros"),
        ):
            if wrong.any():
                b, t = (int(k) for k in np.argwhere(wrong)[0])
                return Feedback("wrong", f"In sentence {b}, token {t} {says}.")
        from pe_lib.diagnosis import diagnose

        found = diagnose(value[0][masks[0] == 1])
        if not found.findings:
            return super().otherwise(value, right, inputs)
        feedback = diagnosed(found)
        return Feedback(feedback.kind, f"The zeros are where they should be.\n{feedback.text}")


def _masked(masks: np.ndarray, d_model: int) -> np.ndarray:
    return add_positional_encoding(np.zeros((*masks.shape, d_model)), mask=masks)


@dataclass(frozen=True)
class Weights(Numbers):
    """Expect the matrix that adds, and say of another one what becomes of a single number."""

    def otherwise(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Look at the first row that is wrong."""
        if value.shape != right.shape:
            return super().otherwise(value, right, inputs)
        wrong = ~np.isclose(value, right).all(axis=1)
        k = int(np.flatnonzero(wrong)[0])
        source = f"P[:, {k - 6}]" if k >= 6 else f"E[:, {k}]"
        return Feedback(
            "wrong",
            f"{of_them(~wrong, 'rows')} right. Row {k} is the first that is not: it says what becomes of "
            f"`{source}`. Into which number of the sum does that go, and how many times?",
        )


@dataclass(frozen=True)
class RowNumbers(Numbers):
    """Expect the number of a row for each token, and know a distance from it."""

    def otherwise(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Look whether the numbers are whole."""
        if not value.size:
            return Feedback("wrong", "To the last digit no row equals what was added. Take the nearest.")
        if np.array_equal(value, np.round(value)):
            return super().otherwise(value, right, inputs)
        kind: Kind = "nearly" if value.shape == right.shape else "wrong"
        return Feedback(
            kind, "The number of a row is whole, and these are not. Are they distances? Which rows are they of?"
        )


def _away(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the squared distances of what was added from every row of the table, (B, L, L)."""
    table = sinusoidal_encoding(*x.shape[1:])
    away: np.ndarray = (((y - x)[:, :, np.newaxis] - table) ** 2).sum(axis=-1)
    return away


def _given(x: np.ndarray, rows: np.ndarray, noise: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return x and a sum in which each token was given one of the rows of the table."""
    table = sinusoidal_encoding(*x.shape[1:])
    return x, x + table[rows] + noise * np.random.default_rng(0).normal(size=x.shape)


COUNTING = np.arange(48).reshape(2, 4, 6) / 10

EXERCISES = (
    Exercise(
        "five shapes",
        hint="Write each shape below (8, 20, 64), flush right, and put a 1 where nothing stands.",
        why="Lined up from the right, (8, 20) alone has unequal lengths, 20 below 64. Of the four that go, only "
        "(20, 64) can be an encoding of positions that serves all sentences.",
        expect=Shapes(),
    ),
    Exercise(
        "tokens in front",
        hint="What stands below what: `x` is (L, B, d), and the table must be the same for every sentence. Where does "
        "its axis of 1 belong now?",
        why="The table is stretched over the sentences, which are on axis 1 here, so it has the shape (L, 1, d): the "
        "one that is a mistake when the sentences stand in front.",
        expect=TokensInFront(
            _in_front,
            mistakes=(
                Mistake(
                    add_positional_encoding,
                    "Here all tokens of a sentence were given the same row, and each sentence another one. On which "
                    "axis are the tokens, and how many rows does the table need?",
                ),
                Mistake(
                    lambda x: add_positional_encoding(x.swapaxes(0, 1)),
                    "The right sums, with the sentences in front. The result is to have the shape of `x`.",
                    "nearly",
                ),
                Mistake(
                    _reshaped,
                    "Reshaping does not exchange axes: it reads the numbers in the same order, and tokens of one "
                    "sentence come into another.",
                ),
                Mistake(lambda x: x, "This is `x` as it came. Nothing was added."),
                Mistake(_added_in_front, "This is what is to be added. Add it to `x`.", "nearly"),
                Mistake(
                    lambda x: sinusoidal_encoding(len(x), x.shape[2])[:, np.newaxis],
                    "This is the table, in the right shape. Add it to `x`.",
                    "nearly",
                ),
                Mistake(
                    lambda x: x * np.sqrt(x.shape[2]) + _added_in_front(x),
                    "`x` was made larger first, as the paper does. Here it is to stay as it is.",
                    "nearly",
                ),
                Mistake(
                    lambda x: x * _added_in_front(x), "The right rows, multiplied. They are to be added.", "nearly"
                ),
                Mistake(lambda x: x + 2 * _added_in_front(x), "The right rows, and each was added twice.", "nearly"),
                Mistake(
                    lambda x: np.concatenate([x, _added_in_front(x)], axis=2),
                    "The rows stand beside the words. They are to be added to them.",
                ),
            ),
        ),
        inputs=(
            (np.arange(60).reshape(5, 2, 6) / 10,),
            (np.arange(36).reshape(3, 3, 4) / 10,),
            (np.full((1, 4, 6), 0.5),),
            (np.full((7, 1, 2), 0.5),),
        ),
    ),
    Exercise(
        "a mask for each sentence",
        hint="`np.where` broadcasts its three arguments by the same rules as a sum. `masks[..., np.newaxis]` has shape "
        "(B, L, 1).",
        why="The masks have shape (B, L, 1), the table (L, d), and 0.0 no axes at all. Lined up from the right they "
        "make (B, L, d), and a zero that is chosen has no sign.",
        expect=Masked(
            _masked,
            mistakes=(
                Mistake(
                    lambda masks, d_model: _masked(np.ones_like(masks), d_model),
                    "Every token has its row, and the padding has too. What do the masks say?",
                ),
                Mistake(
                    lambda masks, d_model: _masked(np.broadcast_to(masks[-1], masks.shape), d_model),
                    "Every sentence has the mask of the last one. Each needs its own.",
                ),
                Mistake(
                    lambda masks, d_model: sinusoidal_encoding(masks.shape[1], d_model),
                    "This is one table, without padding. Each sentence needs its own, with zeros for its padding.",
                ),
                Mistake(
                    lambda masks, d_model: _masked(masks, d_model)[-1],
                    "This is the encoding of the last sentence alone. In a loop each round may have written over the "
                    "one before it.",
                ),
                Mistake(
                    lambda masks, d_model: _masked(1 - masks, d_model),
                    "The other way round: here the words have zeros. A 1 in a mask stands for a word.",
                    "nearly",
                ),
                Mistake(
                    lambda masks, d_model: np.where(
                        masks[..., np.newaxis] == 1, sinusoidal_encoding(masks.shape[1], d_model), -np.inf
                    ),
                    "Minus infinity is for the scores of attention. In the encoding, padding has zeros.",
                    "nearly",
                ),
                Mistake(
                    lambda masks, d_model: np.broadcast_to(masks[..., np.newaxis], (*masks.shape, d_model)),
                    "These are the masks, stretched over the columns. Where is the encoding?",
                ),
            ),
        ),
        inputs=(
            (np.array([[1, 1, 1, 1], [1, 1, 0, 0]]), 6),
            (np.array([[1, 1, 0], [1, 1, 1], [1, 0, 0]]), 4),
            (np.array([[1, 1, 1, 1, 0, 0]]), 6),
        ),
    ),
    Exercise(
        "weights that add",
        hint="Each number of the result is one number of `E` plus one of `P`. Which matrix of shape (6, 6) leaves a "
        "row as it is?",
        why="The upper half lets E through, the lower half P, and the product adds what comes. So concatenating, with "
        "weights after it, can do all that adding can.",
        expect=Weights(
            np.concatenate([np.eye(6), np.eye(6)]),
            mistakes=(
                Mistake(np.eye(12, 6), "With this `W` the product is `E`, and `P` is lost: its half is all zeros."),
                Mistake(np.eye(12, 6, -6), "With this `W` the product is `P`, and `E` is lost: its half is all zeros."),
                Mistake(np.ones((12, 6)), "Each number of the product is the sum of all twelve now."),
                Mistake(
                    np.repeat(np.eye(6), 2, axis=0),
                    "This adds neighbours: columns 0 and 1 of `E`, 2 and 3, and so on. How far apart do two numbers "
                    "stand in `[E, P]` that belong together?",
                    "nearly",
                ),
                Mistake(np.eye(6), "This leaves a row of six as it is. `[E, P]` has rows of twelve.", "nearly"),
                Mistake(np.concatenate([np.eye(6), np.eye(6)]) / 2, "This gives the mean of the two.", "nearly"),
                Mistake(np.concatenate([np.eye(6), -np.eye(6)]), "With this `W` the product is `E - P`.", "nearly"),
                Mistake(np.eye(12), "This leaves all twelve numbers as they are. Six are to come out."),
            ),
        ),
    ),
    Exercise(
        "which row did each token get?",
        hint="Compare what was added with every row at once: give it an axis of 1 before the last, (B, L, 1, d), "
        "subtract the table, (L, d), and see what shape that makes. Then `argmin`.",
        why="Each token was compared with all rows at once, in an array of shape (B, L, L, d). A nearest row is always "
        "found, so look at how near it is as well before you believe it.",
        expect=RowNumbers(
            lambda x, y: _away(x, y).argmin(axis=2),
            mistakes=(
                Mistake(
                    lambda x, _: np.broadcast_to(np.arange(x.shape[1]), x.shape[:2]),
                    "These are the places where the tokens stand. Which rows were really added is to be read from "
                    "`y - x`.",
                ),
                Mistake(
                    lambda x, y: _away(np.zeros_like(x), y).argmin(axis=2),
                    "Here `y` itself was compared with the table. What was added is only a part of it.",
                ),
                Mistake(
                    lambda x, y: _away(x, y).argmax(axis=2),
                    "These are the rows that are farthest away. Is it `argmax`, or `x - y` in place of `y - x`?",
                    "nearly",
                ),
                Mistake(
                    lambda x, y: _away(x, y).argmin(axis=1),
                    "For each row of the table you have the token nearest to it. It is asked the other way round: "
                    "along which axis do the rows stand?",
                    "nearly",
                ),
                Mistake(
                    lambda x, y: np.abs((y - x)[:, :, np.newaxis] - sinusoidal_encoding(*x.shape[1:])).argmin(axis=2),
                    "There is a row number for each column now. A distance takes all the numbers of a row together: "
                    "sum over the last axis first.",
                    "nearly",
                ),
                Mistake(
                    lambda x, y: _away(x, y).argmin(axis=2) + 1,
                    "Each is 1 too large: rows are counted from 0.",
                    "nearly",
                ),
                Mistake(
                    lambda x, y: ((y - x)[:, :, np.newaxis] - sinusoidal_encoding(*x.shape[1:])).sum(-1).argmin(-1),
                    "Differences were added up with their signs, and they cancel. A distance has no negative parts.",
                    "nearly",
                ),
                Mistake(
                    lambda x, _: np.zeros(x.shape[:2]),
                    "All are 0. If you look for a row that is equal to what was added: none is to the last digit. Take "
                    "the nearest.",
                ),
                Mistake(
                    lambda x, y: _away(x, y).argmin(),
                    "Without an axis, `argmin` looks through the whole array, and one number comes of it.",
                ),
            ),
        ),
        inputs=(
            _given(COUNTING, np.array([[2, 0, 1, 3], [1, 1, 0, 2]]), noise=0.02),
            _given(COUNTING, np.array([[0], [1]])),
            _given(COUNTING, np.arange(4)),
            _given(np.ones((3, 5, 8)), np.array([[4, 3, 2, 1, 0], [0, 0, 0, 4, 4], [1, 3, 0, 2, 4]]), noise=0.02),
        ),
    ),
)
