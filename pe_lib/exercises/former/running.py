"""Try out a learner's function for the exercises that are not decorated functions yet."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pe_lib.exercises.former.plain_values import NotAnsweredError, NotReadableError
from pe_lib.exercises.trying import TooLongError, called, in_time, told


@dataclass
class Outcome:
    """The `value` of one call, or a sentence of `trouble`; `call` is the call in words."""

    inputs: tuple[Any, ...]
    call: str
    value: Any = None
    trouble: str = ""
    unanswered: bool = False
    changed: bool = False


@dataclass
class Trial:
    """The outcomes of all calls, up to the first that gave trouble."""

    outcomes: list[Outcome]
    printed: str = ""
    warned: str = ""


def try_out(function: Callable[..., Any], inputs: Sequence[tuple[Any, ...]], read: Callable[[Any], Any]) -> Trial:
    """Call a function with copies of each of the inputs, and `read` what it returns."""
    found = []
    for each in inputs:
        found.append(outcome := Outcome(each, called(function, each)))
        given = copy.deepcopy(each)
        try:
            outcome.value = read(in_time(function, *given))
            outcome.changed = not all(map(np.array_equal, given, each))
        except NotAnsweredError:
            outcome.unanswered = True
        except NotReadableError as error:
            outcome.trouble = str(error)
        except (TooLongError, Exception) as error:
            outcome.trouble = told(error)
            outcome.unanswered = isinstance(error, TypeError) and "ellipsis" in outcome.trouble
        if outcome.trouble or outcome.unanswered:
            break
    return Trial(found)
