"""Whatever an answer does to Python while it is tried out is undone: nothing of it gets out."""

import builtins
import contextlib
import gc
import io
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

# In these modules and the public ones right below them every name is looked after: `np.sin`, `np.linalg.norm`, `print`.
MODULES = {"builtins", "cmath", "math", "numpy", "os", "pe_lib", "random", "sys", "time"}


def _environment(before: dict[str, str]) -> None:
    if dict(os.environ) != before:
        os.environ.clear()
        os.environ.update(before)


STATES: tuple[tuple[Callable[[], Any], Callable[[Any], object]], ...] = (  # how to take each, and how to put it back
    (os.getcwd, os.chdir),
    (lambda: dict(os.environ), _environment),
    (lambda: dict(sys.modules), sys.modules.update),
    (lambda: list(sys.path), lambda before: sys.path.__setitem__(slice(None), before)),
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (sys.getswitchinterval, sys.setswitchinterval),
    (random.getstate, random.setstate),
    (np.random.get_state, np.random.set_state),
    (np.get_printoptions, lambda before: np.set_printoptions(**before)),
    (np.geterr, lambda before: np.seterr(**before)),
    (gc.isenabled, lambda before: gc.enable() if before else gc.disable()),
)


class StoppedError(SystemExit):
    """Raised inside a learner's loop when its time is over: no `except Exception` catches it, no thread reports it."""


class Kept:
    """How things were before an answer was tried out.

    >>> kept = Kept()
    >>> np.pi = 3
    >>> kept.put_back()
    >>> np.pi
    3.141592653589793
    """

    def __init__(self) -> None:
        self._names, self._states = [], []
        for name, module in list(sys.modules.items()):
            first, _, rest = name.partition(".")
            if first in MODULES and "." not in rest and rest[:1] != "_" and isinstance(module, ModuleType):
                self._names.append((vars(module), dict(vars(module))))
        for take, put in STATES:
            with contextlib.suppress(OSError):  # a working folder that is gone
                self._states.append((put, take()))

    def names(self) -> None:
        """Put back what each name stands for, without a function that may have been replaced itself."""
        for now, before in self._names:
            now.update(before)

    def put_back(self) -> None:
        """Put back names, then settings."""
        self.names()
        for put, before in self._states:
            with contextlib.suppress(OSError, RecursionError):
                put(before)


@contextlib.contextmanager
def as_it_was() -> Iterator[tuple[Kept, io.StringIO, list[warnings.WarningMessage]]]:
    """Catch what is printed and warned, and put back in the end whatever has been changed."""
    ask, unraisable, output = builtins.input, sys.unraisablehook, io.StringIO()

    def nobody_answers(*_: object) -> str:
        raise RuntimeError("there is nobody to answer `input` here; use the arguments")

    def without_stopped(lost: Any) -> None:
        # A StoppedError may hit where Python can only report an error: in `__del__`, or in a callback of the garbage
        # collector, which runs in whatever thread is about. It is raised again until the thread has ended.
        if not issubclass(lost.exc_type, StoppedError):
            unraisable(lost)

    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        builtins.input, sys.unraisablehook = nobody_answers, without_stopped
        kept = Kept()
        try:
            yield kept, output, caught
        finally:
            kept.put_back()
            builtins.input, sys.unraisablehook = ask, unraisable
