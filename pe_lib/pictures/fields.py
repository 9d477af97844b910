"""The fields of a picture: what its state consists of, said once; checks, limits, controls and words follow from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from textwrap import indent, wrap
from typing import Any, ClassVar

import numpy as np

from pe_lib import _checks

State = Mapping[str, Any]
Bound = int | Callable[[State], int]  # a number, or what the fields before this one make of it
UNBOUNDED = 2**53
LONGEST = 512  # rows or columns of a table


@dataclass(frozen=True)
class Field:
    """One part of a picture's state.

    `default` is its value at first; `moves` says that the background stays when it changes; `label` names its control
    where the name is not plain enough; `hidden` fields have no control. `about` is what the picture's docstring says
    of it, without its kind and its bounds.
    """

    kind: ClassVar[str] = "object"  # of its values, as a docstring names it
    drawn: ClassVar[str] = ""  # how the script draws its control
    name: str
    default: Any = None
    _: KW_ONLY
    moves: bool = False
    label: str = ""
    hidden: bool = False
    about: str = ""

    def documented(self) -> str:
        """Return the field as a parameter in a docstring, with its bounds where they are the same in every state."""
        ends, said = [getattr(self, end, None) for end in ("least", "greatest")], self.about
        if all(isinstance(end, int | float) for end in ends) and ends[0] != -np.inf:
            said += f", {ends[0]:,g} {'or more' if ends[1] in (UNBOUNDED, np.inf) else f'to {ends[1]:,.12g}'}"
        options = ", ".join(f'"{option}"' for option in getattr(self, "options", ()))
        kind = f"{self.kind or f'{{{options}}}'}{', optional' * (self.default is None)}"
        return f"{self.name} : {kind}\n" + indent("\n".join(wrap(f"{said}.", 108)), "    ")

    def check(self, value: Any, _state: State) -> Any:
        """Return the value in its plain form; TypeError or ValueError says why it cannot be drawn."""
        return value

    def limits(self, _state: State) -> tuple[int, int] | None:
        """Return the least and the greatest whole number, given the fields before; None for other kinds."""
        return None

    def control(self, _state: State) -> dict[str, Any]:
        """Return what the script needs to draw the control in a state."""
        return {"name": self.name, "label": self.label or self.name, "kind": self.drawn}


@dataclass(frozen=True)
class Integer(Field):
    """A whole number between two bounds.

    `reach` is how far its slider goes, if less far; `options` are what it offers instead; one that `follows` comes to
    its bounds where it lies beyond them, others are refused there.
    """

    kind: ClassVar = "int"
    least: Bound = 0
    greatest: Bound = UNBOUNDED
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
            allowed = "even" if self.step == 2 else f"a multiple of {self.step}"
            raise ValueError(f"{self.name} must be {allowed}, got {number}")
        return number

    def limits(self, state: State) -> tuple[int, int]:
        """Return the least and the greatest value."""
        return _number(self.least, state), _number(self.greatest, state)

    def control(self, state: State) -> dict[str, Any]:
        """Return a slider; what is chosen now lies within its reach."""
        value, (least, greatest) = state[self.name], self.limits(state)
        if self.options:
            return super().control(state) | {"kind": "steps", "options": sorted({*self.options, value})}
        if self.reach:
            least = max(least, min(self.reach[0], value))
            greatest = min(greatest, max(_number(self.reach[1], state), value))
        return super().control(state) | {"kind": "slider", "least": least, "greatest": greatest, "step": self.step}


def _number(bound: Bound, state: State) -> int:
    return bound(state) if callable(bound) else bound


@dataclass(frozen=True)
class Number(Field):
    """A finite number between two bounds; its slider runs over `options`, or else in steps; others can be typed."""

    kind: ClassVar = "float"
    least: float = -np.inf
    greatest: float = np.inf
    options: Sequence[float] = (10.0, 100.0, 1000.0, 10_000.0, 100_000.0)
    step: float = 0.1

    def check(self, value: Any, _state: State) -> float:
        """Return the value as a float."""
        number = _checks.positive_base(value) if self.name == "base" else _checks.finite_number(self.name, value)
        if number < self.least:
            raise ValueError(f"{self.name} must be {self.least:g} or more to be drawn, got {number:g}")
        if number > self.greatest:
            raise ValueError(f"{self.name} must be at most {self.greatest:g} to be drawn, got {number:g}")
        return number

    def control(self, state: State) -> dict[str, Any]:
        """Return a slider over the options, or from end to end."""
        if self.options:
            return super().control(state) | {"kind": "steps", "options": sorted({*self.options, state[self.name]})}
        ends = {"least": self.least, "greatest": self.greatest, "step": self.step}
        return super().control(state) | {"kind": "slider"} | ends


@dataclass(frozen=True)
class Choice(Field):
    """One of some values, most often names."""

    kind: ClassVar = ""  # its options
    drawn: ClassVar = "choice"
    options: Sequence[Any] = ()

    def check(self, value: Any, _state: State) -> Any:
        """Return the value if it is one of those."""
        names = all(isinstance(option, str) for option in self.options)
        wrong = TypeError if names and not isinstance(value, str) else ValueError
        if wrong is TypeError or value not in self.options:
            raise wrong(f"{self.name} must be one of {', '.join(map(repr, self.options))}, got {_checks.shown(value)}")
        return value

    def control(self, state: State) -> dict[str, Any]:
        """Return a list to choose from."""
        return super().control(state) | {"options": list(self.options)}


@dataclass(frozen=True)
class Tick(Field):
    """True or False."""

    kind: ClassVar = "bool"
    drawn: ClassVar = "tick"

    def check(self, value: Any, _state: State) -> bool:
        """Return the value as a bool."""
        return _checks.truth_value(self.name, value)


@dataclass(frozen=True)
class Sentence(Field):
    """Words: a text that is split at its spaces, or a sequence of words; `optional` ones may be none."""

    kind: ClassVar = "str or sequence of str"
    drawn: ClassVar = "text"
    most: int = 10_000
    optional: bool = False

    def check(self, value: Any, _state: State) -> tuple[str, ...] | None:
        """Return the words; None where there are none and need not be."""
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


def frozen(array: np.ndarray) -> np.ndarray:
    """Return an array that nobody can write to, as it is kept for other states."""
    array.flags.writeable = False
    return array


@dataclass(frozen=True)
class Matrix(Field):
    """A table of numbers, of which the picture has a copy that nobody can write to: it is compared by identity.

    It may be missing where it is so at first. One that need not be `finite` keeps the type it came in.
    """

    kind: ClassVar = "array_like of shape (rows, columns)"
    hidden: bool = True
    finite: bool = True

    def check(self, value: Any, _state: State) -> np.ndarray | None:
        """Return the table as an array of shape (rows, columns)."""
        if value is None and self.default is None:
            return None
        array = (_checks.finite_array if self.finite else _checks.real_array)(self.name, value)
        if array.ndim != 2 or not array.size or max(array.shape) > LONGEST:
            raise ValueError(f"{self.name} must have 1 to {LONGEST} rows and columns, got shape {array.shape}")
        dtype = np.dtype(np.float64) if self.finite else array.dtype
        own = not array.flags.writeable and array.flags.owndata and array.dtype == dtype
        return array if own else frozen(array.astype(dtype))
