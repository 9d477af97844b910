"""What an exercise expects: ways to compare an answer with the right one, and to recognise a wrong one.

Each has a `read`, which makes plain numbers or plain Python of whatever was handed over, and a `judge`, which is given
what `read` made and, where the answer is a function, the inputs it was called with.
"""

from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from pe_lib.exercises.former import comparing, plain_values
from pe_lib.exercises.former.comparing import agrees, apart, of_another_shape
from pe_lib.exercises.former.feedback import RIGHT, Feedback, one_line


@dataclass(frozen=True)
class Answer:
    """An answer that learners give, and what is said to it: as it is, the right one.

    >>> Answer(360).wrong("That would be degrees.").feedback
    Not yet. That would be degrees.
    """

    value: Any
    feedback: Feedback = RIGHT

    def nearly(self, says: str) -> Self:
        """Return it as one that is not quite right; the text may be written over several lines."""
        return replace(self, feedback=Feedback("nearly", one_line(says)))

    def wrong(self, says: str, *, nearly_if: Any = False) -> Self:
        """Return it as one that is wrong, or not quite right if that is true."""
        return self.nearly(says) if nearly_if else replace(self, feedback=Feedback("wrong", one_line(says)))


class When(Answer):
    """What may be true of an answer, and what is said if it is: as it is, that the answer is right."""


# The right answer, then wrong ones. Where none of them fits, `yield GIVEN` returns what was handed over, and a `When`
# follows for each thing that may be true of that.
Answers = Generator[Answer | None, Any, None]
GIVEN = None


def said_of(value: Any, answers: Answers) -> Feedback | None:
    """Return what is said of a value by the first `When` that is true; those after it are not computed."""
    case: Answer | None
    with suppress(StopIteration):
        case = answers.send(value)
        while case and not case.value:
            case = next(answers)
        return case.feedback if case else None
    return None


@dataclass(frozen=True)
class Numbers:
    """Expect a number or an array of numbers.

    `answers` is given the inputs. What is said is the first that fits; only what has the shape of the right one is
    looked at after `GIVEN`. If no answer stands before that, all is right of which no `When` is true.

    >>> def tens():
    ...     yield Answer([1, 10, 100, 1000])
    ...     value = yield GIVEN
    ...     yield When(value[0] == 0).wrong("Which power is 0?")
    >>> Numbers(tens).judge(np.array([1, 10, 1000, 100])), Numbers(tens).judge(np.array([0, 10, 20, 30]))
    (Nearly. The right numbers, in another order., Not yet. Which power is 0?)
    """

    answers: Callable[..., Answers]
    read = staticmethod(plain_values.numbers)

    def judge(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Compare with the right answer, then with the mistakes, then look for what is right about it."""
        known = self.answers(*inputs)
        if not (first := next(known)):
            return said_of(value, known) or RIGHT
        right = np.asarray(first.value)
        if agrees(value, right):
            return RIGHT
        typed = not agrees(value, right, typed=True)  # else a mistake must fit better than the right answer does
        for each in iter(known.__next__, GIVEN):
            if agrees(value, each.value, typed=typed):
                return replace(each.feedback, known=True)
        if lost := comparing.not_finite(value):
            return Feedback("wrong", lost)
        if said := comparing.nearly_the_same(value, right) or self.reordered(value, right):
            return Feedback("nearly", said)
        if value.shape == right.shape and (found := said_of(value, known)):
            return found
        return self.in_general(value, right, inputs)

    def reordered(self, value: np.ndarray, right: np.ndarray) -> str:
        """Say what is in another order, or nothing."""
        return comparing.reordered(value, right)

    def in_general(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Say what can be said of an answer that nothing is known about."""
        if value.shape != right.shape:
            return Feedback("wrong", of_another_shape(value, right, returned=bool(inputs)))
        fits = comparing.close(value, right)
        place = tuple(int(k) for k in np.argwhere(~np.atleast_1d(fits))[0])[: right.ndim]
        found, asked = apart(float(value[place]), float(right[place]), 6)
        if not right.ndim:
            return Feedback("wrong", f"It is not {found}. Have a look at the hint below the cell.")
        expected = f", and {asked} is expected there" if inputs else ""
        first = f"The first that is not stands {comparing.in_words(place)}: it is {found}{expected}."
        return Feedback("wrong", f"{comparing.of_them(fits, 'numbers')} right. {first}")


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
        return Numbers(self.answers).judge(value, *inputs)


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
class Choice:
    """Expect a word, a truth, a whole number to the last digit, or a tuple of such things.

    `answers` yields as for `Numbers`; `otherwise` is said to any other.

    >>> Choice(lambda: (Answer(each) for each in [(False, True)]), "What has the first row seen?").judge((True, True))
    Not yet. What has the first row seen?
    """

    answers: Callable[[], Answers]
    otherwise: str = "Read the question again, and have a look at the hint."
    read = staticmethod(plain_values.plain)

    def judge(self, value: Any, *_: Any) -> Feedback:
        """Compare with the right answer, then with the mistakes, then without brackets and quotation marks."""
        known, said = self.answers(), _folded(value)
        first, *others = iter(known.__next__, GIVEN)
        right = _folded(first.value)
        if said == right:
            return RIGHT
        for each in others:
            if said == _folded(each.value):
                return replace(each.feedback, known=True)
        if said == (right,):
            return Feedback("nearly", "The right answer, in a list. Hand over what stands in it.")
        if found := said_of(value, known):
            return found
        if isinstance(right, tuple) and (not isinstance(said, tuple) or len(said) != len(right)):
            return Feedback("wrong", f"A list of {len(right)} answers is asked for.")
        if said == _folded(right, str):
            return Feedback("nearly", "That is it, as a text. Leave the quotation marks out.")
        quoted = isinstance(said, str) and not isinstance(right, str)
        before = "What stands in quotation marks is a text, and none is asked for here. " if quoted else ""
        return Feedback("wrong", one_line(before + self.otherwise))


def _folded(value: Any, leaf: Callable[[Any], Any] = lambda value: value) -> Any:
    """Return texts without capitals and blanks at their ends, lists as tuples."""
    if isinstance(value, list | tuple):
        return tuple(_folded(item, leaf) for item in value)
    value = leaf(value)
    return value.strip().casefold() if isinstance(value, str) else value
