"""The exercises of the notebooks: `check` answers an answer, `hint` helps on.

Each notebook's exercises live in a module of their own, `notebook_02` and so on, one function for each: it yields the
answers that are known, or what may be true of any, and `exercise` says what stands around them.
"""

import functools
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from pe_lib.exercises.former.expectations import Choice, Numbers
from pe_lib.exercises.former.feedback import Feedback, one_line
from pe_lib.exercises.former.plain_values import has_ellipsis
from pe_lib.exercises.former.running import Outcome, Trial, try_out
from pe_lib.exercises.progress import remember

UNANSWERED = Feedback("unanswered", "Put your answer in place of the ... and run the cell again.")
NO_FUNCTION = "A function is asked for: give its name, without brackets and arguments behind it."
FIXED = "What is new in the second one? A number in your code where an argument belongs would show there, too."


@dataclass(frozen=True)
class Exercise:
    """One exercise: what is expected, and what is said on the way.

    `name` is the title in small letters, `hint` the folded hint of the notebook, word for word, `why` is said to a
    right answer, `notebook` is a number such as "02". Where the answer is a function, `inputs` are the arguments of
    every call: first small ones, which wrong answers are told about, then others that a fixed number would not pass.
    """

    name: str
    hint: str
    why: str
    expect: Numbers | Choice
    inputs: Sequence[tuple[Any, ...]]
    notebook: str

    def check(self, answer: Any) -> Feedback:
        """Say what an answer is; no answer makes it raise."""
        if self.inputs and not callable(answer):
            return UNANSWERED if has_ellipsis(answer) else Feedback("wrong", NO_FUNCTION)
        trial, first = try_out(answer if self.inputs else lambda: answer, self.inputs or [()], self.expect.read), None
        for outcome in trial.outcomes:
            feedback = self._judged(trial, outcome, first)
            if feedback.kind != "right":
                return feedback
            first = first or outcome
        if any(outcome.changed for outcome in trial.outcomes):
            return Feedback("nearly", "The result is right, but the function changes what it is given. Work on a copy.")
        return Feedback("right", self.why + " (The function also prints something; it need not.)" * bool(trial.printed))

    def _judged(self, trial: Trial, outcome: Outcome, first: Outcome | None = None) -> Feedback:
        """Judge one outcome; a wrong one is told what else was noticed, and that the first was right, if one was."""
        if outcome.unanswered:
            return UNANSWERED
        judge = getattr(self.expect, "judge_again", self.expect.judge) if first else self.expect.judge
        with np.errstate(all="ignore"):  # a learner's numbers may be as large as they like
            trouble = outcome.trouble and Feedback("wrong", outcome.trouble)
            feedback = trouble or judge(outcome.value, *outcome.inputs)
        if feedback.kind == "right":
            return feedback
        notes = [feedback.text]
        if trial.printed:
            nothing = outcome.trouble.startswith("It is None")
            must = ": it must return its result" if nothing else ""
            notes.append(f"The function {'' if nothing else 'also '}prints, and what is printed does not count{must}.")
        if outcome.changed:
            notes.append("It also changes what it is given. Work on a copy.")
        if trial.warned and not outcome.trouble:
            notes.append(f"On the way there was a warning: {trial.warned}.")
        if first:
            right = f"The result of {first.call} is right, that of {outcome.call} is not yet."
            if first.call == outcome.call:  # two arrays of one shape look the same in words
                right = f"The result of {first.call} is right for the first numbers tried, and not for others."
            notes.insert(0, right if feedback.known else f"{right} {FIXED}")
            return Feedback(feedback.kind if feedback.known else "nearly", "\n".join(notes), feedback.known)
        if self.inputs:
            notes.append(f"Tried with {outcome.call}.")
        return Feedback(feedback.kind, "\n".join(notes), feedback.known)


def exercise(
    *,
    hint: str,
    why: str,
    name: str = "",
    inputs: Sequence[tuple[Any, ...]] = (),
    expect: Callable[..., Numbers | Choice] = Numbers,
    **details: Any,
) -> Callable[[Callable[..., Any]], Exercise]:
    """Make an exercise of the function below, which yields what `expect` asks for.

    The parameters are those of `Exercise`, except that `expect` is a class, made with the function and the `details`,
    and that without a `name` the function's own is taken.
    """

    def made_of(function: Callable[..., Any]) -> Exercise:
        called = name or function.__name__.replace("_", " ")
        expected = expect(function, **details)
        return Exercise(called, one_line(hint), one_line(why), expected, inputs, function.__module__[-2:])

    return made_of


def check(name: str, answer: Any) -> Feedback:
    """Say whether an answer is right, and why, or what to look at.

    `name` is that of an exercise, as it stands in the notebook; ValueError if there is none. `answer` is a value or a
    function, as the exercise asks; functions are called with several inputs, and no answer makes `check` raise. What is
    returned shows itself as text; its `.kind` is "unanswered", "right", "nearly" or "wrong".

    >>> check("the divisors of eight columns", ...)
    Not answered yet. Put your answer in place of the ... and run the cell again.
    """
    asked = _named(name)
    try:
        feedback = asked.check(answer)
    except Exception as error:  # whatever it is, a learner can do nothing about a traceback of this package
        fault = type(error).__name__
        return Feedback("wrong", f"This answer could not be judged ({fault}). Is it made of plain numbers?")
    if feedback.kind == "right":
        remember(name)
    return feedback


def hint(name: str) -> Feedback:
    """Return the hint of an exercise; ValueError if there is none of that name.

    >>> hint("the divisors of eight columns")
    Hint. Ten to the power 4 is 10000, so its fourth root is a number you know.
    """
    return Feedback("hint", _named(name).hint)


@functools.cache
def exercises() -> dict[str, Exercise]:
    """Return all exercises by name, in the order of the notebooks; ValueError if two have one name."""
    package = import_module("pe_lib.exercises")
    names = sorted(each.name for each in pkgutil.iter_modules(package.__path__) if each.name.startswith("notebook_"))
    modules = [import_module(f"pe_lib.exercises.{name}") for name in names]
    found = [each for module in modules for each in vars(module).values() if isinstance(each, Exercise)]
    by_name = {each.name: each for each in found}
    if len(by_name) < len(found):
        raise ValueError("two exercises have the same name")
    return by_name


def _named(name: str) -> Exercise:
    if not isinstance(name, str):
        raise TypeError(f'the name of the exercise comes first: check("a whole turn", …), got {name!r:.60}')
    if name in exercises():
        return exercises()[name]
    from difflib import get_close_matches

    close = get_close_matches(name, exercises(), n=3, cutoff=0.4)
    nearest = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    raise ValueError(f"there is no exercise {name!r}.{nearest}")
