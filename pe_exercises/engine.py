"""The exercises of the notebooks: `check` judges an answer, `hint` gives a clue, `solution` shows one way.

Each exercise is one decorated function in the module of its notebook. The body of the function is the right answer, the
docstring says why, and the decorator has the hint and the wrong answers that we know learners give.
"""

import ast
import copy
import functools
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from pe_exercises.comparing import difference, nearly, not_finite, plain, same
from pe_exercises.progress import Solved, remember, stored
from pe_exercises.trying import TooLongError, called, in_time, told

OPENINGS = {"unanswered": "Not answered yet", "right": "Right", "nearly": "Close", "wrong": "Not yet", "hint": "Hint"}
CLOSE = re.compile(rf"^(?:{OPENINGS['nearly']}\. )+")  # begins a reply about a slip of one step
WIDTH = 100  # characters in a line, as many as a cell shows without scrolling


@dataclass(frozen=True, repr=False)
class Feedback:
    """What you are told about an answer. Programs read its `kind`, one of `OPENINGS`; people read the sentences.

    >>> Feedback("wrong", "That would be degrees.")
    Not yet. That would be degrees.
    """

    kind: str
    text: str

    def __str__(self) -> str:  # a page breaks the lines itself
        return f"{OPENINGS[self.kind]}. {self.text}"

    def __repr__(self) -> str:
        return "\n".join(textwrap.fill(line, WIDTH) for line in str(self).splitlines())


@dataclass(frozen=True, repr=False)
class Solution:
    """One right answer: `why` it is right, and the `code` of a function that returns it, ready to be pasted."""

    why: str
    code: str

    def __repr__(self) -> str:
        return "\n".join([*(textwrap.fill(line, WIDTH) for line in self.why.splitlines()), "", self.code])

    def _repr_markdown_(self) -> str:
        return f"{self.why}\n\n```python\n{self.code}\n```"


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Parameters
    ----------
    right : function
        Returns the right answer. The first paragraph of its docstring is what a right answer is told.
    hint : str
        Helps a learner on.
    wrong : pairs of (answer, str)
        Wrong answers that learners give, and what each is told; "Close." at its beginning is for a slip of one step.
    inputs : sequence of tuples
        If the exercise asks for a function, the arguments of its calls: small ones first, then others that catch a
        number which should have been an argument. The wrong answers are functions too.
    judge : function
        For an exercise with many right answers. It gets any other answer of the right shape, also one that equals the
        right one, and the inputs; it returns what the answer is told, or nothing if it is right.
    finite : bool
        Whether the judge is spared answers with a number that is not finite.
    otherwise : str or function
        What any other wrong answer is told, or a function of the answer and the inputs that returns it.
    name : str
        What the notebook calls the exercise, if that is not the name of the function.
    """

    right: Callable[..., Any]
    hint: str
    wrong: Sequence[tuple[Any, str]] = ()
    inputs: Sequence[tuple[Any, ...]] = ()
    judge: Callable[..., str] | None = None
    finite: bool = True
    otherwise: str | Callable[..., str] = ""
    name: str = ""

    @property
    def notebook(self) -> str:
        """The number of the notebook, such as "06"."""
        return self.right.__module__[-2:]

    @property
    def solution(self) -> Solution:
        """The docstring of the function, and the function without it."""
        source = inspect.getsource(self.right)
        (function,) = ast.parse(source).body
        lines, docstring = source.splitlines(), function.body[0]  # type: ignore[attr-defined]
        body = "\n".join(lines[docstring.end_lineno :]).lstrip("\n")
        why = "\n\n".join(map(one_line, (self.right.__doc__ or "").split("\n\n")))
        return Solution(why, f"{lines[function.lineno - 1]}\n{body}")

    def check(self, answer: Any) -> Feedback:
        """Judge an answer: a value, or a function that we call with each of the inputs."""
        if _has_ellipsis(answer):
            return self._unanswered()
        if callable(answer) != bool(self.inputs):
            asked = "The exercise asks for a function: give its name, without brackets after it."
            return Feedback("wrong", asked if self.inputs else "This is a function. Call it, and give its result.")
        changed, first = "", ""
        for inputs in self.inputs or [()]:
            given, call = copy.deepcopy(inputs), called(answer, inputs)
            try:
                value = in_time(answer, *given) if self.inputs else answer
                if _has_ellipsis(value):
                    return self._unanswered()
                value = plain(value)
            except (TooLongError, Exception) as error:
                said = told(error)
            else:
                with np.errstate(all="ignore"):  # a learner's numbers may be as large as they like
                    said = self._said_to(value, inputs, again=bool(first))
            if not all(map(np.array_equal, given, inputs)):
                changed = "The function changes what it is given. Work on a copy."
            if said:
                return _feedback(f"Close. {said}" if first else said, changed, self._tried(said, call, first))
            first = first or call
        if changed:
            return Feedback("nearly", f"The result is right. {changed}")
        return Feedback("right", self.solution.why.split("\n")[0])

    def _tried(self, said: str, call: str, first: str) -> str:
        """Tell with which call an answer was wrong, and that the first call was right if it was."""
        if not first:
            return f"Tried with {call}." if self.inputs else ""
        right = f"The result of {first} is right, but that of {call} is not."
        if call == first:  # two arrays of one shape look the same in words
            right = "The result is right for the first numbers, but not for others."
        known = any(one_line(says) == said for _, says in self.wrong)
        return right if known else f"{right} Is there a number in your code where an argument belongs?"

    def _said_to(self, value: Any, inputs: tuple[Any, ...], *, again: bool) -> str:
        """Return what a plain answer is told if it is not right, or nothing; `again` after a right one."""
        right = plain(self.right(*inputs))
        fits = isinstance(right, tuple) or getattr(value, "shape", None) == getattr(right, "shape", None)
        if same(value, right):
            return one_line(self.judge(value, *inputs)) if self.judge else ""
        for answer, says in self.wrong:
            if same(value, plain(answer(*inputs) if callable(answer) else answer)):
                return one_line(says)
        if self.finite and (lost := not_finite(value)):
            return lost
        if self.judge and fits:
            return one_line(self.judge(value, *inputs))
        said = nearly(value, right)
        if not said and callable(self.otherwise):
            said = self.otherwise(value, *inputs) if fits and not again else ""
        elif not said:
            said = str(self.otherwise)
        return one_line(said) or difference(value, right, reveal=bool(self.inputs))

    def _unanswered(self) -> Feedback:
        calls = f'hint("{self.name}") gives a clue.\nsolution("{self.name}") shows one way.'
        return Feedback("unanswered", f"Replace the ... with your answer and run the cell again.\n{calls}")


def exercise(**details: Any) -> Callable[[Callable[..., Any]], Exercise]:
    """Make an exercise of the function below. The function is the right answer; `details` are those of `Exercise`."""

    def made_of(right: Callable[..., Any]) -> Exercise:
        return Exercise(right, **{"name": right.__name__.replace("_", " "), **details})

    return made_of


def check(name: str, answer: Any) -> Feedback:
    """Tell you whether an answer is right, and why, or where to look.

    `name` is that of an exercise, as the notebook has it; ValueError if there is no such exercise. `answer` is a value
    or a function, whichever the exercise asks for. The result shows itself as text, and its `.kind` is "unanswered",
    "right", "nearly" or "wrong".

    >>> check("weights that add", [[1, 0], [0, 1]])
    Not yet. The exercise asks for an array of shape (12, 6), and yours is an array of shape (2, 2).
    """
    asked = _named(name)
    try:
        feedback = asked.check(answer)
    except Exception as error:  # a traceback of this package would not help a learner
        fault = type(error).__name__
        return Feedback("wrong", f"We could not judge this answer ({fault}). Is it made of plain numbers?")
    if feedback.kind == "right":
        remember(name)
    return feedback


def hint(name: str) -> Feedback:
    """Return the hint of an exercise; ValueError if there is no exercise of that name.

    >>> hint("five shapes")
    Hint. Write each shape below (8, 20, 64), flush right, and put a 1 in each gap.
    """
    return Feedback("hint", one_line(_named(name).hint))


def solution(name: str) -> Solution:
    """Return one way to solve an exercise, and why it is right; ValueError if there is no exercise of that name."""
    return _named(name).solution


@functools.cache
def exercises() -> dict[str, Exercise]:
    """Return all exercises by name, in the order of the notebooks."""
    package = import_module("pe_exercises")
    names = sorted(each.name for each in pkgutil.iter_modules(package.__path__) if each.name.startswith("notebook_"))
    modules = [vars(import_module(f"pe_exercises.{name}")) for name in names]
    return {each.name: each for module in modules for each in module.values() if isinstance(each, Exercise)}


def solved() -> Solved:
    """Show which exercises have been solved in the notebooks of the working folder.

    >>> str(solved()).splitlines()[0].split()
    ['00', 'Start', 'here', '○○○', '0', 'of', '3']
    """
    done, table = stored(), Solved()
    files = {path.name[:2]: path.name for path in sorted(Path().glob("[0-9][0-9]_*.ipynb"))}
    for each in exercises().values():
        table.setdefault(files.get(each.notebook, each.notebook), {})[each.name] = each.name in done
    return table


def one_line(text: str) -> str:
    """Return a text that was written over several lines as one line, with single blanks."""
    return " ".join(text.split())


def _feedback(said: str, *more: str) -> Feedback:
    text = CLOSE.sub("", said)
    return Feedback("wrong" if text == said else "nearly", "\n".join(filter(None, [text, *more])))


def _named(name: str) -> Exercise:
    if name in exercises():
        return exercises()[name]
    close = get_close_matches(str(name), exercises(), n=3, cutoff=0.4)
    nearest = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    raise ValueError(f"there is no exercise {name!r:.60}.{nearest}")


def _has_ellipsis(answer: Any) -> bool:
    return answer is ... or (isinstance(answer, list | tuple) and any(map(_has_ellipsis, answer)))
