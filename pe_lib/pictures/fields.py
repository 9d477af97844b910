"""The fields of a picture: what its state consists of, said once; checks, limits and controls follow from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pe_lib import _checks

State = Mapping[str, Any]
Bound = int | Callable[[State], int]  # a number, or what the fields before this one make of it


@dataclass(frozen=True, kw_only=True)
class Field:
    """One part of a picture's state.

    `default` is its value at first; `moves` says that the background stays when it changes; `label` names its control
    where the name is not plain enough; `hidden` fields have no control.
    """

    name: str
    default: Any = None
    moves: bool = False
    label: str = ""
    hidden: bool = False

    @property
    def given(self) -> bool:
        """Whether it is given from outside: all are that do not follow from others, unseen."""
        return not (self.hidden and getattr(self, "follows", False))

    def check(self, value: Any, state: State) -> Any:
        """Return the value in its plain form; TypeError or ValueError says why it cannot be drawn."""
        del state
        return value

    def limits(self, state: State) -> tuple[int, int] | None:
        """Return the least and the greatest whole number, given the fields before; None for other kinds."""
        del state
        return None

    def control(self, state: State) -> dict[str, Any]:
        """Return what the script needs to draw the control in a state."""
        del state
        return {"name": self.name, "label": self.label or self.name}


@dataclass(frozen=True, kw_only=True)
class Integer(Field):
    """A whole number between two bounds.

    `reach` is how far its slider goes, if less far; `options` are what it offers instead; one that `follows` comes to
    its bounds where it lies beyond them, others are refused there.
    """

    least: Bound = 0
    greatest: Bound = 2**53
    reach: tuple[int, Bound] | None = None
    step: int = 1
    options: Sequence[int] = ()
    follows: bool = False

    def check(self, value: Any, state: State) -> int:
        """Return the value as an int."""
        number = _checks.integer(self.name, value)
        least, greatest = self.limits(state)
        if self.follows:
            return min(max(number, least), greatest)
        if not least <= number <= greatest:
            raise ValueError(f"{self.name} must lie between {least} and {greatest}, got {number}")
        if (number - least) % self.step:
            raise ValueError(
                f"{self.name} must be {'even' if self.step == 2 else f'a multiple of {self.step}'}, got {number}"
            )
        return number

    def limits(self, state: State) -> tuple[int, int]:
        """Return the least and the greatest value."""
        ends = (bound(state) if callable(bound) else bound for bound in (self.least, self.greatest))
        return next(ends), next(ends)

    def control(self, state: State) -> dict[str, Any]:
        """Return a slider; what is chosen now lies within its reach."""
        value, (least, greatest) = state[self.name], self.limits(state)
        if self.options:
            return super().control(state) | {"kind": "steps", "options": sorted({*self.options, value})}
        if self.reach:
            end = self.reach[1](state) if callable(self.reach[1]) else self.reach[1]
            least, greatest = max(least, min(self.reach[0], value)), min(greatest, max(end, value))
        return super().control(state) | {"kind": "slider", "least": least, "greatest": greatest, "step": self.step}


@dataclass(frozen=True, kw_only=True)
class Number(Field):
    """A finite number between two bounds; its slider runs over `options`, or else in steps; others can be typed."""

    least: float = -np.inf
    greatest: float = np.inf
    options: Sequence[float] = (10.0, 100.0, 1000.0, 10_000.0, 100_000.0)
    step: float = 0.1

    def check(self, value: Any, state: State) -> float:
        """Return the value as a float."""
        del state
        number = _checks.positive_base(value) if self.name == "base" else _checks.finite_number(self.name, value)
        if number < self.least:
            raise ValueError(f"{self.name} must be {self.least:g} or more to be drawn, got {number:g}")
        if number > self.greatest:
            raise ValueError(f"{self.name} must be at most {self.greatest:g} to be drawn, got {number:g}")
        return number

    def control(self, state: State) -> dict[str, Any]:
        """Return a slider over the options, or from end to end."""
        if not self.options:
            ends = {"least": self.least, "greatest": self.greatest, "step": self.step}
            return super().control(state) | {"kind": "slider"} | ends
        return super().control(state) | {"kind": "steps", "options": sorted({*self.options, state[self.name]})}


@dataclass(frozen=True, kw_only=True)
class Choice(Field):
    """One of some values, most often names."""

    options: Sequence[Any] = ()

    def check(self, value: Any, state: State) -> Any:
        """Return the value if it is one of those."""
        del state
        if not isinstance(value, str) and all(isinstance(option, str) for option in self.options):
            raise TypeError(
                f"{self.name} must be one of {', '.join(map(repr, self.options))}, got {_checks.shown(value)}"
            )
        if value not in self.options:
            raise ValueError(
                f"{self.name} must be one of {', '.join(map(repr, self.options))}, got {_checks.shown(value)}"
            )
        return value

    def control(self, state: State) -> dict[str, Any]:
        """Return a list to choose from."""
        return super().control(state) | {"kind": "choice", "options": list(self.options)}


@dataclass(frozen=True, kw_only=True)
class Tick(Field):
    """True or False."""

    def check(self, value: Any, state: State) -> bool:
        """Return the value as a bool."""
        del state
        if not isinstance(value, bool | np.bool_):
            raise TypeError(f"{self.name} must be True or False, got {_checks.shown(value)}")
        return bool(value)

    def control(self, state: State) -> dict[str, Any]:
        """Return a box to tick."""
        return super().control(state) | {"kind": "tick"}


@dataclass(frozen=True, kw_only=True)
class Sentence(Field):
    """Words: a text that is split at its spaces, or a sequence of words; `optional` ones may be none."""

    most: int = 10_000
    optional: bool = False

    def check(self, value: Any, state: State) -> tuple[str, ...] | None:
        """Return the words; None where there are none and need not be."""
        del state
        if value is None and self.optional:
            return None
        words = tuple(value.split()) if isinstance(value, str) else value
        if not isinstance(words, Sequence) or not all(isinstance(word, str) for word in words):
            raise TypeError(f"{self.name} must be a text or a sequence of words, got {_checks.shown(value)}")
        if not words and not self.optional:
            raise ValueError(f"{self.name} must hold at least one word, got none")
        if len(words) > self.most:
            raise ValueError(f"{self.name} must hold at most {self.most} words, got {len(words)}")
        return tuple(words) or None

    def control(self, state: State) -> dict[str, Any]:
        """Return a box to type into."""
        return super().control(state) | {"kind": "text"}


@dataclass(frozen=True, kw_only=True)
class Matrix(Field):
    """A table of finite numbers, or None; it is compared by identity, and so never copied."""

    most: int = 512
    hidden: bool = True

    def check(self, value: Any, state: State) -> np.ndarray | None:
        """Return the table as an array of shape (rows, columns)."""
        del state
        if value is None:
            return None
        array = _checks.finite_array(self.name, value)
        if array.ndim != 2 or not array.size or max(array.shape) > self.most:
            raise ValueError(f"{self.name} must have 1 to {self.most} rows and columns, got shape {array.shape}")
        return array
