"""Trying out a learner's function: it may loop, grow, print, raise or change what it is given, and nothing gets out.

It runs in a thread of its own, for Python can end a loop in another thread on every platform, and a signal cannot.
A thread that is busy outside Python, in a call that does not come back, is left behind; it ends with the kernel.
"""

import _thread
import contextlib
import copy
import ctypes
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic  # by name: what an answer does to the module does not reach the clock that stops it
from typing import Any

import numpy as np

from pe_lib import _memory
from pe_lib.exercises.plain_values import NotAnsweredError, NotReadableError
from pe_lib.exercises.restoring import Kept, StoppedError, as_it_was
from pe_lib.exercises.wording import called, told, wrong_arguments

SECONDS = 2.0  # for all inputs of a function together
PATIENCE = 1.0  # seconds in which a thread is asked again and again to stop
MEMORY = 2**28  # bytes that an answer may take; no exercise needs a hundredth of it
AT_ONCE = 3 * MEMORY  # beyond this the system refuses: a single call that wants it all cannot be stopped on its way
GLANCE = 0.01  # seconds between two looks at the clock and the memory; short, so that an interrupt gets through


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

    outcomes: list[Outcome]
    printed: str
    warned: str


def try_out(function: Callable[..., Any], inputs: Sequence[tuple[Any, ...]], read: Callable[[Any], Any]) -> Trial:
    """Call a function once for each of the inputs, under limits of time and memory, and read what it returns.

    The function is given copies. `read` makes a plain value of what comes back, or raises NotAnsweredError or
    NotReadableError. There is one outcome for each call, fewer if one gave trouble.

    >>> try_out(lambda n: [n] * n, [(2,), (3,)], np.asarray).outcomes[1].value
    array([3, 3, 3])
    >>> try_out(lambda n: 1 / n, [(0,)], np.asarray).outcomes[0].trouble[:49]
    'It stops with ZeroDivisionError: division by zero'
    """
    found: list[Outcome] = []
    with as_it_was() as (kept, output, caught):

        def work() -> None:
            for given in inputs:
                found.append(_attempt(function, given, read, kept))
                if found[-1].trouble or found[-1].unanswered:
                    return

        trouble = _within_limits(work)
    outcomes = found.copy()  # a thread that is left behind goes on writing into the other one
    if trouble and len(outcomes) < len(inputs):
        given = inputs[len(outcomes)]
        outcomes.append(Outcome(given, called(function, given), trouble=trouble))
    return Trial(outcomes, output.getvalue(), next((f"{e.category.__name__}: {e.message}" for e in caught), ""))


def _attempt(function: Callable[..., Any], inputs: tuple[Any, ...], read: Callable[[Any], Any], kept: Kept) -> Outcome:
    """Call the function once and read what it returns; every error becomes a sentence."""
    outcome = Outcome(inputs, called(function, inputs))
    given = copy.deepcopy(inputs)
    try:
        outcome.trouble = wrong_arguments(function, inputs)
        if not outcome.trouble:
            try:
                value = function(*given)
            finally:
                kept.names()  # already here: what reads the value is to find everything in its place
            outcome.value = read(value)
            outcome.changed = not all(map(np.array_equal, given, inputs))
    except StoppedError:
        raise
    except NotAnsweredError:
        outcome.unanswered = True
    except NotReadableError as error:
        outcome.trouble = str(error)
    except BaseException as error:  # SystemExit and KeyboardInterrupt too: they are the learner's own here
        outcome.trouble = told(error)
        outcome.unanswered = isinstance(error, TypeError) and "ellipsis" in outcome.trouble
    return outcome


def _within_limits(work: Callable[[], None]) -> str:
    """Run some work in a thread; return nothing if it ended in time, else end it and return what is to be said."""
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

    with _memory.refused_beyond(AT_ONCE):
        most, trouble = _memory.resident() + MEMORY, "interrupted"
        try:
            thread = _thread.start_new_thread(until_ended, ())
        except RuntimeError:  # Python in a browser has no threads, and so no limits
            work()
            return ""
        try:
            trouble = _watch(ended, most)
        finally:
            if trouble:
                _stop(thread, gate)
    return trouble


def _watch(ended: "_thread.LockType", most: int) -> str:
    """Wait until the work has ended and return nothing, or until it has gone too far and return what is to be said."""
    end, held = monotonic() + SECONDS, 0
    while not ended.acquire(timeout=GLANCE):
        with contextlib.suppress(Exception):  # an answer may have replaced what this is made of
            held = _memory.resident()
        if held > most:
            return f"It had taken {MEMORY >> 20} MB of memory and wanted more. Is there a loop that never stops?"
        if monotonic() > end:
            return f"It had not come to an end after {SECONDS:g} seconds. Is there a loop that never stops?"
    return ""


def _stop(thread: int, gate: threading.RLock) -> None:
    """Raise StoppedError in a thread until it has ended, or patience has.

    A loop may catch the error and go on. So the threads take turns in very short steps meanwhile: then one of many
    errors is raised where the loop does not catch it, between its `except` and its next round.
    """
    end, turn = monotonic() + PATIENCE, sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        while monotonic() < end and gate.acquire(blocking=False):
            found = ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(StoppedError))
            gate.release()
            if not found:
                return
            time.sleep(0)
    finally:
        sys.setswitchinterval(turn)
