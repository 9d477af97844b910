"""What an exercise expects: ways to compare an answer with the right one, and to recognise a wrong one.

Each has a `read`, which makes plain numbers or plain Python of whatever was handed over, and a `judge`, which is given
what `read` made and, where the answer is a function, the inputs it was called with.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from pe_lib.exercises import comparing, plain_values
from pe_lib.exercises.comparing import agrees, apart, of_another_shape
from pe_lib.exercises.feedback import RIGHT, Feedback, nearly, wrong


@dataclass(frozen=True)
class Answer:
    """An answer that learners give, and what is said to it: as it is, the right one.

    >>> Answer(360).wrong("That would be degrees.").feedback
    Not yet. That would be degrees.
    """

    value: Any
    feedback: Feedback = RIGHT

    def nearly(self, says: str) -> Self:
        """Return it as one that is not quite right."""
        return replace(self, feedback=nearly(says))

    def wrong(self, says: str) -> Self:
        """Return it as one that is wrong."""
        return replace(self, feedback=wrong(says))


class When(Answer):
    """What may be true of an answer, and what is said if it is: as it is, that the answer is right."""


Answers = Iterator[Answer]


def first_said(cases: Answers) -> Feedback | None:
    """Return what is said where one is true, the first of them; those behind it are not computed.

    >>> first_said(iter([When(2 > 3).wrong("So much?"), When(True).nearly("A little less.")]))
    Nearly. A little less.
    """
    return next((case.feedback for case in cases if case.value), None)


class Expectation(Protocol):
    """What all have in common; but for `Choice` they read numbers."""

    def read(self, answer: Any) -> Any:
        """Make a plain value of an answer."""
        return plain_values.numbers(answer)

    def judge(self, value: Any, *inputs: Any) -> Feedback:
        """Say what a value is that was read; a right one needs no text."""


@dataclass(frozen=True)
class Numbers(Expectation):
    """Expect a number or an array of numbers.

    `answers` is given the inputs and yields an `Answer` for each that is known: the right one, whose shape is the shape
    asked for, then wrong ones; the first that fits is said. `otherwise` is given any other of
    that shape, the right one and the inputs, and yields a `When` for each thing that may be true of it.

    >>> Numbers(lambda: iter([Answer([1, 10, 100, 1000])])).judge(np.array([1, 10, 1000, 100]))
    Nearly. The right numbers, in another order.
    """

    answers: Callable[..., Answers]
    otherwise: Callable[..., Answers] | None = None

    def judge(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Compare with the right answer, then with the mistakes, then look for what is right about it."""
        known = self.answers(*inputs)
        right = np.asarray(next(known).value)
        if agrees(value, right):
            return RIGHT
        typed = not agrees(value, right, typed=True)  # else a mistake must fit better than the right answer does
        for each in known:
            if agrees(value, each.value, typed=typed):
                return replace(each.feedback, known=True)
        if lost := comparing.not_finite(value):
            return wrong(lost)
        if said := comparing.nearly_the_same(value, right) or self.reordered(value, right):
            return nearly(said)
        if (
            self.otherwise
            and value.shape == right.shape
            and (found := first_said(self.otherwise(value, right, *inputs)))
        ):
            return found
        return self.in_general(value, right, inputs)

    def reordered(self, value: np.ndarray, right: np.ndarray) -> str:
        """Say what is in another order, or nothing."""
        return comparing.reordered(value, right)

    def in_general(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Say what can be said of an answer that nothing is known about."""
        if value.shape != right.shape:
            return wrong(of_another_shape(value, right, returned=bool(inputs)))
        fits = comparing.close(value, right)
        place = tuple(int(k) for k in np.argwhere(~np.atleast_1d(fits))[0])[: right.ndim]
        found, asked = apart(float(value[place]), float(right[place]), 6)
        if not right.ndim:
            return wrong(f"It is not {found}. Have a look at the hint below the cell.")
        expected = f", and {asked} is expected there" if inputs else ""
        first = f"The first that is not stands {comparing.in_words(place)}: it is {found}{expected}."
        return wrong(f"{comparing.of_them(fits, 'numbers')} right. {first}")


class Encoding(Numbers):
    """Expect the matrix of an encoding, and have a wrong one diagnosed; most mistakes need no words of their own."""

    def reordered(self, value: np.ndarray, right: np.ndarray) -> str:
        """Leave the order of columns to the diagnosis, which knows halves from swapped sines and cosines."""
        said = super().reordered(value, right)
        return said if "rows" in said else ""

    def in_general(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Add what the diagnosis finds in the matrix."""
        found = seen_in(value)
        shape = "" if value.shape == right.shape else of_another_shape(value, right, returned=bool(inputs))
        return found.against(shape) if found.says else super().in_general(value, right, inputs)

    def judge_again(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Compare number by number: what was right for other inputs is an encoding, and needs no diagnosis."""
        return Numbers(self.answers, self.otherwise).judge(value, *inputs)


class Seen(NamedTuple):
    """What the diagnosis sees: whether a matrix is right or a variant of that, its sentences, and any doubt."""

    ok: bool
    says: tuple[str, ...]
    doubtful: bool

    def against(self, before: str = "") -> Feedback:
        """Make of it what is said to an answer that is not the one asked for, after another sentence against it."""
        convention = "That is another convention than the one asked for." if self.ok else ""
        said = "\n".join(filter(None, [before, convention, *self.says]))
        return Feedback("nearly" if self.ok and not before else "wrong", said)


def seen_in(matrix: np.ndarray) -> Seen:
    """Ask the diagnosis; notes on what a matrix is too small to show are left out where there is nothing else."""
    from pe_lib.diagnosis import diagnose

    if matrix.ndim != 2 or not matrix.size:
        return Seen(ok=False, says=(), doubtful=False)
    found = diagnose(matrix)
    kinds = {each.kind for each in found.findings}
    says = (f"{'Perhaps: ' * (each.kind == 'undecided')}{each.message}" for each in found.findings)
    return Seen(found.ok, tuple(says) if kinds - {"note"} else (), "undecided" in kinds)


@dataclass(frozen=True)
class Choice(Expectation):
    """Expect a word, a truth, a whole number to the last digit, or a tuple of such things.

    `answers` yields as for `Numbers`; `otherwise` is said to any other, or yields a `When` for it.

    >>> Choice(lambda: iter([Answer((False, True))]), "What has the first row seen?").judge((True, True))
    Not yet. What has the first row seen?
    """

    answers: Callable[[], Answers]
    otherwise: str | Callable[[Any], Answers] = "Read the question again, and have a look at the hint."

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
                return replace(each.feedback, known=True)
        if said == (right,):
            return nearly("The right answer, in a list. Hand over what stands in it.")
        if callable(self.otherwise):
            return first_said(self.otherwise(value)) or wrong("")
        if isinstance(right, tuple) and (not isinstance(said, tuple) or len(said) != len(right)):
            return wrong(f"A list of {len(right)} answers is asked for.")
        if said == _folded(right, str):
            return nearly("That is it, as a text. Leave the quotation marks out.")
        if isinstance(said, str) and not isinstance(right, str):
            return wrong(f"What stands in quotation marks is a text, and none is asked for here. {self.otherwise}")
        return wrong(self.otherwise)


@dataclass(frozen=True)
class Accepted(Expectation):
    """Expect any of several right answers.

    `cases` is given the array and the inputs, and yields a `When` for each thing that may be true; if none is, it is
    right.
    """

    cases: Callable[..., Answers]

    def judge(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Say what is to be said to the first that is true."""
        return first_said(self.cases(value, *inputs)) or RIGHT


def _folded(value: Any, leaf: Callable[[Any], Any] = lambda value: value) -> Any:
    """Return texts without capitals and blanks at their ends, lists as tuples."""
    if isinstance(value, list | tuple):
        return tuple(_folded(item, leaf) for item in value)
    value = leaf(value)
    return value.strip().casefold() if isinstance(value, str) else value
