"""What an exercise expects: ready-made ways to compare an answer with the right one, and to name a wrong one.

Each has a `read`, which makes plain numbers or plain Python of whatever was handed over, and a `judge`, which is given
what `read` made and, where the answer is a function, the inputs it was called with.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from pe_lib.encoding import sinusoidal_encoding
from pe_lib.exercises import reading
from pe_lib.exercises.feedback import Feedback, Kind

if TYPE_CHECKING:
    from pe_lib.diagnosis import Diagnosis

TYPED = 4  # decimals by which a wrong answer is known that was typed from a printed one


class Mistake(NamedTuple):
    """A wrong answer that learners give: the answer (or a function of the inputs) and what to say to it."""

    answer: Any
    says: str
    kind: Kind = "wrong"


class Expectation(Protocol):
    """What `Numbers`, `Encoding`, `Choice` and `Accepted` have in common."""

    def read(self, answer: Any) -> Any:
        """Make a plain value of an answer."""

    def judge(self, value: Any, *inputs: Any) -> Feedback:
        """Say what a value is that was read; a right one needs no text."""


@dataclass(frozen=True)
class Numbers:
    """Expect a number or an array of numbers.

    Parameters
    ----------
    right : array_like or callable
        The right answer, or a function that returns it for the inputs. Its shape is the shape asked for.
    mistakes : sequence of Mistake
        Wrong answers with a sentence of their own; the first that fits is said.
    decimals : int, optional
        How many decimals are asked for, where a rounded answer is as good as a full one.

    Examples
    --------
    >>> Numbers([1, 10, 100, 1000]).judge(np.array([1, 10, 1000, 100]))
    Nearly. The right numbers, in another order.
    """

    right: Any
    mistakes: Sequence[Mistake] = ()
    decimals: int | None = None

    def read(self, answer: Any) -> np.ndarray:
        """Make an array of an answer."""
        return reading.numbers(answer)

    def judge(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Compare with the right answer, then with the mistakes, then look for what is right about it."""
        right = _of(self.right, inputs)
        if agrees(value, right, self.decimals):
            return Feedback("right")
        for mistake in self.mistakes if not agrees(value, right, TYPED) else ():
            if agrees(value, _of(mistake.answer, inputs), TYPED if self.decimals is None else self.decimals):
                return Feedback(mistake.kind, mistake.says, known=True)
        if not np.isfinite(value).all():
            place = tuple(int(k) for k in np.argwhere(~np.isfinite(value))[0])
            where = f"There is a number that is not finite {in_words(place)}: " if place else "It is not finite: "
            return Feedback("wrong", f"{where}{value[place]}.")
        close = nearly(value, right) or self.reordered(value, right)
        return Feedback("nearly", close) if close else self.otherwise(value, right, inputs)

    def reordered(self, value: np.ndarray, right: np.ndarray) -> str:
        """Say what is in another order, or nothing."""
        if right.size < 2 or not agrees(np.sort(value, axis=None), np.sort(right, axis=None)):
            return ""
        if right.ndim == 2 and agrees(np.sort(value, axis=0), np.sort(right, axis=0)):
            return "The right rows, in another order."
        if right.ndim == 2 and agrees(np.sort(value, axis=1), np.sort(right, axis=1)):
            return "Each row has its right numbers, in another order."
        shapes = "" if value.shape == right.shape else f", and in shape {value.shape} where {right.shape} is asked for"
        return f"The right numbers, in another order{shapes}."

    def otherwise(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Say what can be said of an answer that nothing is known about."""
        if value.shape != right.shape:
            return Feedback("wrong", _of_another_shape(value, right, returned=bool(inputs)))
        wrong = ~_close(value, right, self.decimals)
        if not right.ndim:
            return Feedback("wrong", f"It is not {value:.6g}. Have a look at the hint below the cell.")
        place = tuple(int(k) for k in np.argwhere(wrong)[0])
        expected = f", and {right[place]:.6g} is expected there" if inputs else ""
        return Feedback(
            "wrong",
            f"{of_them(~wrong, 'numbers')} right. The first that is not stands {in_words(place)}: "
            f"it is {value[place]:.6g}{expected}.",
        )


@dataclass(frozen=True)
class Encoding(Numbers):
    """Expect the matrix of an encoding, and have a wrong one diagnosed.

    Parameters
    ----------
    right : callable
        Returns the right matrix for the inputs; without it, they are the length and `d_model`.
    mistakes : sequence of Mistake
        As in `Numbers`; most mistakes need none, since the diagnosis knows them.
    base : float
        The base that is asked for.
    """

    right: Any = sinusoidal_encoding
    base: float = 10_000.0

    def reordered(self, value: np.ndarray, right: np.ndarray) -> str:
        """Leave the order of columns to the diagnosis, which knows halves from swapped sines and cosines."""
        said = super().reordered(value, right)
        return said if "rows" in said else ""

    def otherwise(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Add what the diagnosis finds in the matrix."""
        from pe_lib.diagnosis import diagnose

        size = [_of_another_shape(value, right, returned=bool(inputs))] if value.shape != right.shape else []
        if value.ndim != 2 or not value.size:
            return Feedback("wrong", size[0])
        found = diagnose(value, base=self.base)
        if not [each for each in found.findings if each.kind != "note"]:  # the diagnosis has nothing against it
            return Feedback("wrong", size[0]) if size else super().otherwise(value, right, inputs)
        return diagnosed(found, *size)

    def judge_again(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Compare number by number: what was right for other inputs is an encoding, and needs no diagnosis."""
        return Numbers(self.right, self.mistakes, self.decimals).judge(value, *inputs)


def diagnosed(found: "Diagnosis", *before: str) -> Feedback:
    """Make of a diagnosis what is said to an answer, after other sentences that stand against it."""
    said = [f"{'Perhaps: ' * (each.kind == 'undecided')}{each.message}" for each in found.findings]
    if not found.ok:
        return Feedback("wrong", "\n".join([*before, *said]))
    said = ["That is another convention than the one asked for.", *said]
    return Feedback("wrong" if before else "nearly", "\n".join([*before, *said]))


@dataclass(frozen=True)
class Choice:
    """Expect a word, a truth, or a list of such things.

    Parameters
    ----------
    right : bool, number, str, or tuples of these
        The right answer.
    mistakes : sequence of Mistake
        For each typical wrong answer, where to look.
    otherwise : str
        What to say to any other.

    Examples
    --------
    >>> Choice((False, True), otherwise="What has the first row seen?").judge((True, True))
    Not yet. What has the first row seen?
    """

    right: Any
    mistakes: Sequence[Mistake] = ()
    otherwise: str = "Read the question again, and have a look at the hint."

    def read(self, answer: Any) -> Any:
        """Make plain Python of an answer."""
        return reading.plain(answer)

    def judge(self, value: Any, *_: Any) -> Feedback:
        """Compare with the right answer, then with the mistakes."""
        if _folded(value) == _folded(self.right):
            return Feedback("right")
        for mistake in self.mistakes:
            if _folded(value) == _folded(mistake.answer):
                return Feedback(mistake.kind, mistake.says, known=True)
        if isinstance(self.right, tuple) and (not isinstance(value, tuple) or len(value) != len(self.right)):
            return Feedback("wrong", f"A list of {len(self.right)} answers is asked for.")
        return Feedback("wrong", self.otherwise)


@dataclass(frozen=True)
class Accepted:
    """Expect whatever passes a test, where more than one answer is right.

    Parameters
    ----------
    test : callable
        Is given the array and the inputs, and returns a Feedback; `Feedback("right")` for a right one.
    """

    test: Callable[..., Feedback]

    def read(self, answer: Any) -> np.ndarray:
        """Make an array of an answer."""
        return reading.numbers(answer)

    def judge(self, value: np.ndarray, *inputs: Any) -> Feedback:
        """Ask the test."""
        return self.test(value, *inputs)


def agrees(value: np.ndarray, right: ArrayLike, decimals: int | None = None) -> bool:
    """Say whether two arrays have one shape and the same numbers, as far as the type of the first can tell.

    >>> agrees(np.float32([0.1, 0.2]), [0.1, 0.2]), agrees(np.array([0.1, 0.2]), [[0.1, 0.2]])
    (True, False)
    """
    return value.shape == np.shape(right) and bool(_close(value, np.asarray(right), decimals).all())


def nearly(value: np.ndarray, right: np.ndarray) -> str:
    """Say what is right about an answer that is not, or nothing."""
    if value.shape != right.shape:
        return _nearly_of_that_shape(value, right)
    one = not right.ndim
    for decimals in (1, 2, 3, 4, 5):
        if agrees(value, np.round(right, decimals)) and np.any(np.round(right, decimals)):
            digits = f"{decimals} decimal{'s' * (decimals > 1)}"
            rounded = "It is rounded" if one else "The numbers are rounded"
            return f"{rounded} to {digits}. Keep all of them, and round when you print."
    if one and value.any() and value in (np.trunc(right), np.round(right)) and right != np.round(right):
        return "What stands behind the point is lost. Keep all decimals, and round when you print."
    never_filled = value.dtype.kind == "f" and not value.any()  # a table of zeros is not one of integers
    if right.any() and not one and not never_filled and agrees(value, np.trunc(right)) and not agrees(value, right):
        return "All numbers are whole: what stood behind the point is lost. An array of integers loses it."
    if right.any() and agrees(value, -right):
        return (
            "The number is right, but its sign is not."
            if one
            else "The numbers are right, and all their signs are the other way round."
        )
    return ""


def _nearly_of_that_shape(value: np.ndarray, right: np.ndarray) -> str:
    if value.ndim == right.ndim == 2 and agrees(value.T, right):
        return "Rows and columns are exchanged: the first axis is to be the second."
    if value.size == right.size and agrees(value.reshape(right.shape), right):
        if not right.ndim:
            return f"The right number, in an array or a list of shape {value.shape}. Hand over the number alone."
        return f"The right numbers, in shape {value.shape} where {right.shape} is asked for."
    if value.ndim != right.ndim:
        return ""
    part = tuple(slice(min(has, asked)) for has, asked in zip(value.shape, right.shape, strict=True))
    if right[part].size > 1 and agrees(value[part], right[part]):
        return f"Right as far as it goes, and of another size: {value.shape} where {right.shape} is asked for."
    return ""


def in_words(place: tuple[int, ...]) -> str:
    """Say where in an array something stands.

    >>> in_words((2, 3)), in_words((1,))
    ('in row 2, column 3', 'at index 1')
    """
    if len(place) == 2:
        return f"in row {place[0]}, column {place[1]}"
    return f"at index {place[0] if len(place) == 1 else place}" if place else "in it"


def _of_another_shape(value: np.ndarray, right: np.ndarray, *, returned: bool) -> str:
    """Say which shape is asked for, and whether a function returned one row of many."""
    asked = f"an array of shape {right.shape} is asked for" if right.ndim else "a single number is asked for"
    has = f"yours has shape {value.shape}" if value.ndim else "yours is a single number"
    row = ""
    if returned and right.ndim == 2 and len(right) > 1 and agrees(value, right[0]):
        row = " It is the first row alone: a `return` within a loop ends the loop."
    elif returned and right.ndim == 2 and agrees(value, right[-1]):
        row = " It is the last row alone: was each row written over the one before it?"
    return f"{asked.capitalize()}, and {has}.{row}"


def of_them(right: np.ndarray, things: str) -> str:
    """Count what is right.

    >>> of_them(np.array([True, False, True]), "rows"), of_them(np.array([True, False]), "rows")
    ('2 of 3 rows are', '1 of 2 rows is')
    """
    return f"{np.sum(right)} of {right.size} {things} {'is' if np.sum(right) == 1 else 'are'}"


def _of(answer: Any, inputs: tuple[Any, ...]) -> np.ndarray:
    """Return an answer that may be a function of the inputs."""
    return np.asarray(answer(*inputs) if callable(answer) else answer)


def _close(value: np.ndarray, right: np.ndarray, decimals: int | None = None) -> np.ndarray:
    """Say for each number whether it is the right one, as far as the type of the first array can tell."""
    relative = 1e-6 if value.dtype.kind in "iu" else {2: 4e-3, 4: 1e-5}.get(value.dtype.itemsize, 1e-6)
    absolute = relative if decimals is None else 0.6 * 10.0**-decimals
    close: np.ndarray = np.isclose(value.astype(np.float64), right, rtol=relative, atol=absolute)
    return close


def _folded(value: Any) -> Any:
    """Return texts without capitals and blanks at their ends, lists as tuples."""
    if isinstance(value, str):
        return value.strip().casefold()
    return tuple(map(_folded, value)) if isinstance(value, list | tuple) else value
