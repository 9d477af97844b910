"""What an exercise expects: ways to compare an answer with the right one, and to recognise a wrong one.

Each has a `read`, which makes plain numbers or plain Python of whatever was handed over, and a `judge`, which is given
what `read` made and, where the answer is a function, the inputs it was called with.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from pe_lib.exercises import plain_values
from pe_lib.exercises.comparing import (
    agrees,
    apart,
    close,
    in_words,
    nearly_the_same,
    not_finite,
    of_another_shape,
    of_them,
    reordered,
)
from pe_lib.exercises.feedback import RIGHT, Feedback, nearly, one_line, wrong
from pe_lib.exercises.seen import seen_in


@dataclass(frozen=True)
class Answer:
    """An answer that learners give, and what is said to it: as it is, the right one.

    >>> Answer(360).wrong("That would be degrees.").feedback
    Not yet. That would be degrees.
    """

    value: Any
    feedback: Feedback = RIGHT

    def nearly(self, says: str) -> "Answer":
        """Return it as one that is not quite right."""
        return Answer(self.value, Feedback("nearly", one_line(says), known=True))

    def wrong(self, says: str) -> "Answer":
        """Return it as one that is wrong."""
        return Answer(self.value, Feedback("wrong", one_line(says), known=True))


class Expectation(Protocol):
    """What `Numbers`, `Encoding`, `Choice` and `Accepted` have in common."""

    def read(self, answer: Any) -> Any:
        """Make a plain value of an answer."""

    def judge(self, value: Any, *inputs: Any) -> Feedback:
        """Say what a value is that was read; a right one needs no text."""


@dataclass(frozen=True)
class Numbers:
    """Expect a number or an array of numbers.

    `answers` is given the inputs and yields an `Answer` for each that is known: the right one, whose shape is the shape
    asked for, then wrong ones; the first that fits is said. `otherwise` is given any other array, the right one and the
    inputs, and returns a Feedback, or None for what is said in general.

    >>> Numbers(lambda: iter([Answer([1, 10, 100, 1000])])).judge(np.array([1, 10, 1000, 100]))
    Nearly. The right numbers, in another order.
    """

    answers: Callable[..., Iterator[Answer]]
    otherwise: Callable[..., Feedback | None] | None = None

    def read(self, answer: Any) -> np.ndarray:
        """Make an array of an answer."""
        return plain_values.numbers(answer)

    def judge(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Compare with the right answer, then with the mistakes, then look for what is right about it."""
        known = self.answers(*inputs)
        right = np.asarray(next(known).value)
        if agrees(value, right):
            return RIGHT
        typed = not agrees(value, right, typed=True)  # else a mistake must fit better than the right answer does
        for each in known:
            if agrees(value, each.value, typed=typed):
                return each.feedback
        if lost := not_finite(value):
            return wrong(lost)
        if said := nearly_the_same(value, right) or self.reordered(value, right):
            return nearly(said)
        return (self.otherwise and self.otherwise(value, right, *inputs)) or self.in_general(value, right, inputs)

    def reordered(self, value: np.ndarray, right: np.ndarray) -> str:
        """Say what is in another order, or nothing."""
        return reordered(value, right)

    def in_general(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Say what can be said of an answer that nothing is known about."""
        if value.shape != right.shape:
            return wrong(of_another_shape(value, right, returned=bool(inputs)))
        if not right.ndim:
            return wrong(
                f"It is not {apart(float(value), float(right), 6)[0]}. Have a look at the hint below the cell."
            )
        fits = close(value, right)
        place = tuple(int(k) for k in np.argwhere(~fits)[0])
        found, asked = apart(float(value[place]), float(right[place]), 6)
        expected = f", and {asked} is expected there" if inputs else ""
        return wrong(f"""{of_them(fits, "numbers")} right. The first that is not stands {in_words(place)}:
            it is {found}{expected}.""")


class Encoding(Numbers):
    """Expect the matrix of an encoding, and have a wrong one diagnosed; most mistakes need no words of their own."""

    def reordered(self, value: np.ndarray, right: np.ndarray) -> str:
        """Leave the order of columns to the diagnosis, which knows halves from swapped sines and cosines."""
        said = reordered(value, right)
        return said if "rows" in said else ""

    def in_general(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Add what the diagnosis finds in the matrix."""
        sized = value.shape == right.shape
        found = seen_in(value) if value.ndim == 2 and value.size else None
        if found is None or not found.says:
            return super().in_general(value, right, inputs)
        return found.against(*([] if sized else [of_another_shape(value, right, returned=bool(inputs))]))

    def judge_again(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Compare number by number: what was right for other inputs is an encoding, and needs no diagnosis."""
        return Numbers(self.answers, self.otherwise).judge(value, *inputs)


@dataclass(frozen=True)
class Choice:
    """Expect a word, a truth, a whole number to the last digit, or a tuple of such things.

    `answers` yields as for `Numbers`; `otherwise` is said to any other, or makes a Feedback of it.

    >>> Choice(lambda: iter([Answer((False, True))]), "What has the first row seen?").judge((True, True))
    Not yet. What has the first row seen?
    """

    answers: Callable[[], Iterator[Answer]]
    otherwise: str | Callable[[Any], Feedback] = "Read the question again, and have a look at the hint."

    def read(self, answer: Any) -> Any:
        """Make plain Python of an answer."""
        return plain_values.plain(answer)

    def judge(self, value: Any, *_: Any) -> Feedback:
        """Compare with the right answer, then with the mistakes, then without brackets and quotation marks."""
        known, said = self.answers(), _folded(value)
        right = _folded(next(known).value)
        if said == right:
            return RIGHT
        for each in known:
            if said == _folded(each.value):
                return each.feedback
        if said == (right,):
            return nearly("The right answer, in a list. Hand over what stands in it.")
        if callable(self.otherwise):
            return self.otherwise(value)
        if isinstance(right, tuple) and (not isinstance(said, tuple) or len(said) != len(right)):
            return wrong(f"A list of {len(right)} answers is asked for.")
        if said == _folded(right, str):
            return nearly("That is it, as a text. Leave the quotation marks out.")
        if isinstance(said, str) and not isinstance(right, str):
            return wrong(f"What stands in quotation marks is a text, and none is asked for here. {self.otherwise}")
        return wrong(self.otherwise)


@dataclass(frozen=True)
class Accepted:
    """Expect whatever passes a test, where more than one answer is right: it is given the array and the inputs."""

    test: Callable[..., Feedback]

    def read(self, answer: Any) -> np.ndarray:
        """Make an array of an answer."""
        return plain_values.numbers(answer)

    def judge(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Ask the test."""
        return self.test(value, *inputs)


def _folded(value: Any, leaf: Callable[[Any], Any] = lambda value: value) -> Any:
    """Return texts without capitals and blanks at their ends, lists as tuples."""
    if isinstance(value, list | tuple):
        return tuple(_folded(item, leaf) for item in value)
    value = leaf(value)
    return value.strip().casefold() if isinstance(value, str) else value
