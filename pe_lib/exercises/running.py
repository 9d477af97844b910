"""Trying out a learner's function: it may loop, print, raise or change what it is given, and nothing of it gets out.

It runs in a thread of its own, for Python can end a loop in another thread on every platform, and a signal cannot.
A thread that is busy outside Python, in a call that does not come back, is left behind; it ends with the kernel.
"""

import _thread
import builtins
import contextlib
import copy
import ctypes
import inspect
import io
import linecache
import random
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from pe_lib.exercises.reading import NotAnsweredError, NotReadableError

SECONDS = 2.0  # for all inputs of a function together
_OURS = str(Path(__file__).resolve().parent.parent)
PATIENCE = 1.0  # seconds in which a thread is asked again and again to stop


class StoppedError(SystemExit):
    """Raised inside a learner's loop when its time is over.

    No `except Exception` catches it, and a thread that ends with it ends without a word.
    """


@dataclass
class Outcome:
    """What came of one call: its `value`, or a sentence of `trouble`; `call` is how it was called, in words."""

    inputs: tuple[Any, ...]
    call: str
    value: Any = None
    trouble: str = ""
    unanswered: bool = False
    changed: bool = False


@dataclass
class Trial:
    """What came of all calls, up to the first that gave trouble, and what was printed and warned on the way."""

    outcomes: list[Outcome] = field(default_factory=list)
    printed: str = ""
    warned: str = ""


def try_out(function: Callable[..., Any], inputs: Sequence[tuple[Any, ...]], read: Callable[[Any], Any]) -> Trial:
    """Call a function once for each of the inputs, under a time limit, and read what it returns.

    Parameters
    ----------
    function : callable
        The learner's. It is given copies.
    inputs : sequence of tuples
        The arguments of each call.
    read : callable
        Makes a plain value of what comes back, or raises NotAnsweredError or NotReadableError.

    Returns
    -------
    Trial
        One outcome for each call, fewer if one gave trouble.

    Examples
    --------
    >>> try_out(lambda n: [n] * n, [(2,), (3,)], np.asarray).outcomes[1].value
    array([3, 3, 3])
    >>> try_out(lambda n: 1 / n, [(0,)], np.asarray).outcomes[0].trouble[:49]
    'It stops with ZeroDivisionError: division by zero'
    """
    trial = Trial()

    def work() -> None:
        for given in inputs:
            outcome = _attempt(function, given, read)
            trial.outcomes.append(outcome)
            if outcome.trouble or outcome.unanswered:
                return

    with _as_it_was() as (output, caught):
        finished = _within(SECONDS, work)
    trial = Trial(list(trial.outcomes))  # a thread that is left behind writes into the other one
    if not finished and len(trial.outcomes) < len(inputs):
        given = inputs[len(trial.outcomes)]
        trouble = f"It had not come to an end after {SECONDS:g} seconds. Is there a loop that never stops?"
        trial.outcomes.append(Outcome(given, called(function, given), trouble=trouble))
    trial.printed = output.getvalue()
    trial.warned = next((f"{each.category.__name__}: {each.message}" for each in caught), "")
    return trial


def _attempt(function: Callable[..., Any], inputs: tuple[Any, ...], read: Callable[[Any], Any]) -> Outcome:
    """Call the function once and read what it returns; every error becomes a sentence."""
    outcome = Outcome(inputs, called(function, inputs))
    given = copy.deepcopy(inputs)
    try:
        outcome.trouble = _wrong_arguments(function, inputs)
        if not outcome.trouble:
            outcome.value = read(function(*given))
            outcome.changed = not all(map(_same, given, inputs))
    except StoppedError:
        raise
    except NotAnsweredError:
        outcome.unanswered = True
    except NotReadableError as error:
        outcome.trouble = str(error)
    except BaseException as error:  # SystemExit and KeyboardInterrupt too: they are the learner's own here
        outcome.trouble = _told(error)
        outcome.unanswered = isinstance(error, TypeError) and "ellipsis" in outcome.trouble
    return outcome


def called(function: Callable[..., Any], inputs: tuple[Any, ...]) -> str:
    """Say how a function was called: `without_slices(10, 6)`.

    >>> called(max, (2, np.zeros((3, 4))))
    'max(2, array of shape (3, 4))'
    """
    name = getattr(function, "__name__", "")
    name = name if isinstance(name, str) and name.isidentifier() else "your function"
    return f"{name}({', '.join(map(_shown, inputs))})"


def _shown(value: Any) -> str:
    return f"array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)


def _wrong_arguments(function: Callable[..., Any], inputs: tuple[Any, ...]) -> str:
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


def _same(one: Any, other: Any) -> bool:
    """Say whether an input is still what it was, to the last bit."""
    if isinstance(other, np.ndarray):
        same_kind = one.shape == other.shape and one.dtype == other.dtype
        return bool(same_kind and one.tobytes() == other.tobytes())
    return bool(one == other)


def _told(error: BaseException) -> str:
    """Say what an error is and in which of the learner's lines it was raised."""
    try:
        message = " ".join(str(error).split())
    except Exception:  # the message is the learner's own code too
        message = ""
    power = isinstance(error, TypeError) and ("for ^" in message or "bitwise_xor" in message)
    message = message if len(message) <= 200 else message[:199] + "…"
    said = f"It stops with {type(error).__name__}{': ' if message else ''}{message.rstrip('.')}."
    number, line = _where(error.__traceback__)
    if number:
        line = line if len(line) <= 80 else line[:79] + "…"
        said += f" That is in line {number}{': `' + line + '`' if line else ' of its cell'}."
    return said + " In Python a power is written `**`; `^` is something else." * power


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


@contextlib.contextmanager
def _as_it_was() -> Iterator[tuple[io.StringIO, list[warnings.WarningMessage]]]:
    """Catch what is printed and warned, and put back the random numbers of NumPy and Python."""
    seeds, dice, ask = np.random.get_state(), random.getstate(), builtins.input  # noqa: NPY002 - the learner's may use it
    unraisable, output = sys.unraisablehook, io.StringIO()

    def without_stopped(lost: Any) -> None:
        # A StoppedError may hit where Python can only report an error: in `__del__`, or in a callback of the garbage
        # collector, which runs in whatever thread is about. It is raised again until the thread has ended.
        if not issubclass(lost.exc_type, StoppedError):
            unraisable(lost)

    try:
        builtins.input, sys.unraisablehook = _nobody_answers, without_stopped
        with (
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(output),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("always")
            yield output, caught
    finally:
        builtins.input, sys.unraisablehook = ask, unraisable
        np.random.set_state(seeds)  # noqa: NPY002
        random.setstate(dice)


def _nobody_answers(*_: object) -> str:
    raise RuntimeError("there is nobody to answer `input` here; use the arguments")


def _within(seconds: float, work: Callable[[], None]) -> bool:
    """Run some work in a thread; say whether it ended in time, and end it if it did not."""
    gate = threading.RLock()  # whoever holds it decides: the main thread raises, or this one ends
    ended = _thread.allocate_lock()
    ended.acquire()

    def until_ended() -> None:
        with contextlib.suppress(StoppedError):
            work()
        mine = False
        while not mine:
            with contextlib.suppress(StoppedError):  # one that was late
                mine = gate.acquire()
        ended.release()

    try:
        thread = _thread.start_new_thread(until_ended, ())
    except RuntimeError:  # Python in a browser has no threads, and so no time limit
        work()
        return True
    end, in_time = time.monotonic() + seconds, False
    try:
        while not in_time and (left := end - time.monotonic()) > 0:
            in_time = ended.acquire(timeout=min(left, 0.05))  # short, so that an interrupt gets through
    finally:
        if not in_time:
            _stop(thread, gate)
    return in_time


def _stop(thread: int, gate: threading.RLock) -> None:
    """Raise StoppedError in a thread until it has ended, or patience has.

    A loop may catch the error and go on. So the threads take turns in very short steps meanwhile: then one of many
    errors is raised where the loop does not catch it, between its `except` and its next round.
    """
    end, turn = time.monotonic() + PATIENCE, sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        while time.monotonic() < end and gate.acquire(blocking=False):
            found = ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(StoppedError))
            gate.release()
            if not found:
                return
            time.sleep(0)
    finally:
        sys.setswitchinterval(turn)
