"""What each kind of argument may be: every check returns the value in its plain form, or raises one clear sentence."""

import math
import operator
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

FLOAT_TYPES = (np.dtype("float16"), np.dtype("float32"), np.dtype("float64"))
LAYOUTS = ("interleaved", "halves")  # the two orders of columns
LARGEST_POSITION = 2**53  # beyond it float64 cannot tell neighbouring positions apart
LARGEST_TABLE = 2**28  # numbers, which are 2 GiB in float64
SMALLEST_BASE = 1e-100  # below it angles would overflow


def shown(value: object) -> str:
    """Write a value as an error message shows it: its repr, cut short, with its type where that may be the trouble."""
    text = repr(value)
    text = text if len(text) <= 60 else text[:57] + "..."
    return text if type(value) in (int, str) else f"{text} ({type(value).__name__})"


def integer(name: str, value: Any, at_least: int | None = None) -> int:
    """Return `value` as an int; TypeError for anything that is not a whole number, ValueError below `at_least`."""
    words = {None: "an integer", 0: "an integer of 0 or more", 1: "a positive integer"}
    allowed = words.get(at_least, f"an integer of at least {at_least}")
    if isinstance(value, bool):
        raise TypeError(f"{name} must be {allowed}, got {shown(value)}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be {allowed}, got {shown(value)}") from None
    if at_least is not None and number < at_least:
        raise ValueError(f"{name} must be {allowed}, got {number}")
    return number


def position_number(name: str, value: Any) -> int:
    """Return `value` as an int that float64 holds exactly."""
    number = integer(name, value)
    if abs(number) > LARGEST_POSITION:
        raise ValueError(f"{name} must lie between -2**53 and 2**53, where float64 counts exactly, got {number}")
    return number


def finite_number(name: str, value: Any, at_least: float = -math.inf) -> float:
    """Return `value` as a finite float; TypeError unless it is one real number, ValueError for nan, inf and less."""
    number = value[()] if isinstance(value, np.ndarray) else value  # an array without axes is a number too
    if isinstance(number, bool) or not isinstance(number, Real):
        raise TypeError(f"{name} must be a number, got {shown(value)}")
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {number}")
    if number < at_least:
        raise ValueError(f"{name} must be {at_least:g} or more, got {number}")
    return float(number)


def positive_base(base: Any) -> float:
    """Return `base` as a float above 0."""
    number = finite_number("base", base)
    if number < SMALLEST_BASE:
        raise ValueError(f"base must be a finite number above 0, from {SMALLEST_BASE:g} on, got {shown(base)}")
    return number


def truth_value(name: str, value: Any) -> bool:
    """Return `value` if it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def one_of(name: str, value: Any, names: Iterable[str]) -> str:
    """Return `value` if it is one of some names; TypeError unless it is a text, ValueError for another one."""
    if isinstance(value, str) and value in names:
        return value
    error = ValueError if isinstance(value, str) else TypeError
    raise error(f"{name} must be one of {', '.join(map(repr, names))}, got {shown(value)}")


def float_dtype(dtype: Any) -> np.dtype[Any]:
    """Return `dtype` as one of the three floating types a table comes in."""
    try:
        found: np.dtype[Any] = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"dtype must be float16, float32 or float64, got {shown(dtype)}") from None
    if found not in FLOAT_TYPES:
        raise ValueError(f"dtype must be float16, float32 or float64, got {shown(dtype)}")
    return found


def real_array(name: str, values: Any, kinds: str = "iuf") -> np.ndarray:
    """Return `values` as an array of integers or floats, or of other `kinds`; TypeError for text, objects and so on."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise TypeError(f"{name} must be an array of real numbers, got rows of different lengths") from None
    if array.dtype.kind not in kinds:
        raise TypeError(f"{name} must be an array of real numbers, got dtype {array.dtype}")
    return array


def finite_array(name: str, values: Any) -> np.ndarray:
    """Return `values` as an array of integers or finite floats."""
    array = real_array(name, values)
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite, got {array[~np.isfinite(array)][0]}")
    return array


def position_array(name: str, values: Any) -> np.ndarray:
    """Return `values` as float64 positions, none of them larger than float64 counts exactly."""
    array = real_array(name, values).astype(np.float64)
    beyond = array[~(np.abs(array) <= LARGEST_POSITION)]  # nan among them
    if beyond.size:
        raise ValueError(f"{name} must be finite and lie between -2**53 and 2**53, got {beyond[0]}")
    return array


def whole_numbers(name: str, values: Any) -> np.ndarray:
    """Return `values` as an array of integers that float64 counts exactly."""
    array = position_array(name, values)
    fractions = array[array != np.round(array)]
    if fractions.size:
        raise ValueError(f"{name} must be whole numbers, got {fractions[0]}")
    return array.astype(np.int64)


def frequency_array(w: Any, at_least: int = 1) -> np.ndarray:
    """Return `w` as float64 frequencies, a row of so many at least."""
    found = finite_array("w", w)
    if found.ndim != 1 or len(found) < at_least or found.min() <= 0:
        raise ValueError(f"w must be a row of {at_least} or more frequencies above 0, got {shown(w)}")
    return found.astype(np.float64)


def even_d_model(d_model: Any, why: str) -> int:
    """Return `d_model` as a positive even int; `why` ends the sentence that refuses an odd one."""
    number = integer("d_model", d_model, at_least=1)
    if number % 2:
        raise ValueError(f"d_model must be even, got {number}: {why}")
    return number


def table_size(*shape: int) -> None:
    """Raise if a table would be larger than anyone means."""
    if math.prod(shape) > LARGEST_TABLE:
        size = " × ".join(map(str, shape))
        raise ValueError(f"a table of {size} numbers is larger than 2**28: ask for fewer rows or columns")
