"""Plain values of answers: whatever was handed over becomes plain numbers or plain Python, or a sentence says why not.

These functions touch objects of any kind, so they run where the answer's own code runs, under a time limit.
"""

import collections.abc
import contextlib
from typing import Any

import numpy as np

MOST_NUMBERS = 1_000_000  # of an answer; no exercise asks for a hundredth of it
DEEPEST = 8  # lists within lists


class NotAnsweredError(Exception):
    """There is still a `...` in the answer."""


class NotReadableError(Exception):
    """The answer is not of the kind asked for; the message says so to the learner."""


def numbers(answer: Any) -> np.ndarray:
    """Return an answer as a new array of integers or floats, of whatever shape it has.

    NotAnsweredError if there is an Ellipsis in it, NotReadableError with a sentence for the learner if it is not made
    of real numbers.

    >>> numbers([1, 2.5])
    array([1. , 2.5])
    """
    _look_over(answer)
    try:
        array = np.asarray(answer)
    except ValueError:  # what NumPy says to lists of unequal length, and to lists too deep
        raise NotReadableError("NumPy cannot make an array of it: its rows are not all of the same length.") from None
    if array.dtype.kind == "O":  # fractions and the like are numbers too
        if any(item is ... for item in array.flat):
            raise NotAnsweredError
        if any(item is None for item in array.flat):  # NumPy would make them nan
            raise NotReadableError("It holds None where there should be a number.")
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            array = array.astype(np.float64)
    if array.dtype.kind in "iuf":
        return np.array(array, copy=True, subok=False)
    bits = array.dtype.kind == "U" and array.ndim > 0 and set("".join(array.flat)) <= {"0", "1"}
    text = f"It {'holds texts' if array.ndim else 'is a text'}. Numbers are asked for, without quotation marks"
    said = {
        "b": f"It is {'made of True and False' if array.ndim else array}, and numbers are asked for.",
        "c": "Its numbers are complex, and real numbers are asked for.",
        "O": f"It is {_kind_of(answer)}, and no number that NumPy can calculate with, or holds none.",
        "U": f"{text}{': the bits 11 are the number 3, or 0b11' * bits}.",
        "S": f"{text}.",
    }
    other = f"It is {_kind_of(answer)} of dtype {array.dtype}, and numbers are asked for."
    raise NotReadableError(said.get(array.dtype.kind, other))


def plain(answer: Any) -> Any:
    """Return an answer as a bool, a number, a text, or tuples of these; arrays and lists become tuples.

    Raises what `numbers` raises.

    >>> plain([np.True_, (8, np.int64(20)), "error"])
    (True, (8, 20), 'error')
    """
    _look_over(answer)
    return _plain(answer, DEEPEST)


def _plain(answer: Any, deeper: int) -> Any:
    if isinstance(answer, np.ndarray | np.generic):
        answer = answer.tolist()
    if answer is ...:
        raise NotAnsweredError
    if isinstance(answer, bool | int | float | str):
        return answer
    if isinstance(answer, list | tuple | range):
        if deeper == 0:
            raise NotReadableError("It holds lists within lists within lists, deeper than any answer here.")
        return tuple(_plain(item, deeper - 1) for item in answer)
    kind = "None" if answer is None else _kind_of(answer)
    raise NotReadableError(f"It is, or holds, {kind}: that is no answer here.")


def has_ellipsis(answer: Any, deeper: int = DEEPEST) -> bool:
    """Say whether there is a `...` in lists and tuples, anywhere in their first thousand entries.

    >>> has_ellipsis([1, (2, ...)])
    True
    """
    if type(answer) in (list, tuple) and deeper:
        return any(has_ellipsis(item, deeper - 1) for item in answer[:1000])
    return answer is ...


def _look_over(answer: Any) -> None:
    """Sort out what is no answer at all, before anything is made of it."""
    if has_ellipsis(answer):
        raise NotAnsweredError
    if answer is None:
        raise NotReadableError(
            "It is None. Did you forget to return? A function without `return` gives None, and so does `print`."
        )
    if callable(answer):
        raise NotReadableError("It is a function. Call it, and hand over what it returns.")
    if isinstance(answer, collections.abc.Coroutine | collections.abc.Generator):
        answer.close()  # or Python would complain later that it never ran
        raise NotReadableError("It is a generator: it has a recipe for numbers, and no numbers yet. Make a list of it.")
    if isinstance(answer, collections.abc.Iterator | collections.abc.Set | collections.abc.Mapping):
        raise NotReadableError(f"It is {_kind_of(answer)}. Make a list or an array of it.")
    if _size(answer, DEEPEST) > MOST_NUMBERS:
        raise NotReadableError(f"It has more than {MOST_NUMBERS} entries: far too many.")


def _size(answer: Any, deeper: int) -> int:
    """Count the entries of lists within lists, but not further than matters."""
    if isinstance(answer, np.ndarray):
        return answer.size
    if not isinstance(answer, list | tuple | range) or not deeper:
        return 1
    total = len(answer)
    for item in () if isinstance(answer, range) else answer:
        if total > MOST_NUMBERS:
            break
        total += _size(item, deeper - 1) - 1
    return total


def _kind_of(answer: Any) -> str:
    """Name the type of an answer with its article: a dict, an int."""
    name = type(answer).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
