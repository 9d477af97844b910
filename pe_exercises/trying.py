"""Call a learner's function: it may loop for ever, and it may raise an error; both become a sentence."""

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any

import numpy as np

SECONDS = 4.0
HOUSE = Path(__file__).resolve().parent.parent
OURS = (str(HOUSE / name) for name in ("pe_lib", "pe_diagnosis", "pe_exercises", "pe_pictures"))
LIBRARIES = ("site-packages", "<frozen", *OURS)


class TooLongError(BaseException):
    """Raised in a function whose time is up; `except Exception` does not catch it."""


class NotReadableError(Exception):
    """The answer is not of a kind that we can compare; the message tells the learner why."""


def in_time(function: Callable[..., Any], *inputs: Any) -> Any:
    """Call a function, and raise TooLongError inside it when its time is up.

    Python looks at the clock before every step of the learner's code. That takes no thread and no signal, and works
    on every system and in a browser. It cannot interrupt one long call of NumPy, or a loop with a bare `except:`.

    >>> in_time(sum, [1, 2])
    3
    """
    end, before = monotonic() + SECONDS, sys.gettrace()

    def look(frame: FrameType, event: str, _: Any) -> Any:
        if event == "call":
            if any(each in frame.f_code.co_filename for each in LIBRARIES):
                return None
            frame.f_trace_opcodes = True  # Python 3.11 sends no line event within `while True: pass` on one line
        if monotonic() > end:
            raise TooLongError
        return look

    sys.settrace(look)
    try:
        return function(*inputs)
    finally:
        sys.settrace(before)


def told(error: BaseException) -> str:
    """Describe an error in a sentence, and quote the learner's line that raised it.

    >>> told(ZeroDivisionError("division by zero"))
    'It stops with ZeroDivisionError: division by zero.'
    """
    if isinstance(error, NotReadableError):
        return str(error)
    message = " ".join(str(error).split()).rstrip(".")
    said = f"It stops with {type(error).__name__}{': ' * bool(message)}{message[:200]}."
    if isinstance(error, TooLongError):
        said = f"It was still running after {SECONDS:g} seconds. Is there a loop that never stops?"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [each for each in frames if not any(part in each.filename for part in LIBRARIES)]
    own = [each for each in lines if each.filename == lines[0].filename]  # the first is the learner's function
    if own:
        said += f" That is in line {own[-1].lineno}{f': `{own[-1].line}`' if own[-1].line else ' of its cell'}."
    if isinstance(error, TypeError) and ("for ^" in message or "bitwise_xor" in message):
        said += " In Python a power is written `**`; `^` is something else."
    return said


def called(function: Callable[..., Any], inputs: tuple[Any, ...]) -> str:
    """Write down a call.

    >>> called(max, (2, np.zeros((3, 4))))
    'max(2, array of shape (3, 4))'
    """
    name = getattr(function, "__name__", "")
    shown = (f"array of shape {each.shape}" if isinstance(each, np.ndarray) else repr(each) for each in inputs)
    return f"{name if name.isidentifier() else 'your function'}({', '.join(shown)})"
