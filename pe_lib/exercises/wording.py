"""What is said of a call of a learner's function: how it was called, what it cannot take, and where it stopped."""

import inspect
import linecache
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

_OURS = str(Path(__file__).resolve().parent.parent)


def called(function: Callable[..., Any], inputs: tuple[Any, ...]) -> str:
    """Say how a function was called: `without_slices(10, 6)`.

    >>> called(max, (2, np.zeros((3, 4))))
    'max(2, array of shape (3, 4))'
    """
    name = getattr(function, "__name__", "")
    name = name if isinstance(name, str) and name.isidentifier() else "your function"
    shown = (f"array of shape {each.shape}" if isinstance(each, np.ndarray) else repr(each) for each in inputs)
    return f"{name}({', '.join(shown)})"


def wrong_arguments(function: Callable[..., Any], inputs: tuple[Any, ...]) -> str:
    """Say it in words when a function cannot take as many arguments as it will be given."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some of those written in C do not say what they take
        return ""
    try:
        signature.bind(*inputs)
    except TypeError:
        names = list(signature.parameters)
        takes = f"{len(names)}: {', '.join(names)}" if names else "none"
        return f"It is called with {len(inputs)} argument{'s' * (len(inputs) != 1)} and takes {takes}."
    return ""


def told(error: BaseException) -> str:
    """Say what an error is and in which of the learner's lines it was raised."""
    try:
        message = " ".join(str(error).split())
    except Exception:  # the message is the learner's own code too
        message = ""
    message = message if len(message) <= 200 else message[:199] + "…"
    said = f"It stops with {type(error).__name__}{': ' if message else ''}{message.rstrip('.')}."
    number, line = _where(error.__traceback__)
    if number:
        line = line if len(line) <= 80 else line[:79] + "…"
        said += f" That is in line {number}{': `' + line + '`' if line else ' of its cell'}."
    if isinstance(error, TypeError) and ("for ^" in message or "bitwise_xor" in message):
        said += " In Python a power is written `**`; `^` is something else."
    if isinstance(error, MemoryError):
        said += " No answer here needs that much memory. Is an array or a loop longer than you meant?"
    return said


def _where(traceback: TracebackType | None) -> tuple[int, str]:
    """Return number and text of the last line in the learner's own cell; 0 if it was none of theirs."""
    frames = []
    while traceback:
        file = traceback.tb_frame.f_code.co_filename
        if not file.startswith(_OURS) and "site-packages" not in file:
            frames.append((file, traceback.tb_lineno))
        traceback = traceback.tb_next
    own = [number for file, number in frames if file == frames[0][0]]  # the first is the learner's function
    return (own[-1], linecache.getline(frames[0][0], own[-1]).strip()) if own else (0, "")
