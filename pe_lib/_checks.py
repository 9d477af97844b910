"""What an argument may be, said once: every check returns the value in its plain form or raises one clear sentence."""

import math
import operator
import sys
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

FLOAT_TYPES = ("float16", "float32", "float64")
_FLOAT_DTYPES = tuple(np.dtype(name) for name in FLOAT_TYPES)
_BOOLEANS = (bool, np.bool_)
LAYOUTS = ("interleaved", "halves")  # the two orders of columns
LARGEST_POSITION = 2**53  # beyond it float64 cannot tell neighbouring positions apart


def shown(value: object) -> str:
    """Write a value as an error message shows it: its repr, cut short, with its type where that is the trouble."""
    text = repr(value)
    text = text if len(text) <= 60 else text[:57] + "..."
    return text if isinstance(value, int | str) and not isinstance(value, bool) else f"{text} ({type(value).__name__})"


def integer(name: str, value: Any, at_least: int | None = None) -> int:
    """Return `value` as an int; TypeError for anything that is not a whole number, ValueError below `at_least`."""
    try:
        number = None if isinstance(value, _BOOLEANS) else operator.index(value)
    except TypeError:
        number = None
    if number is not None and (at_least is None or number >= at_least):
        return number
    allowed = {None: "an integer", 0: "an integer of 0 or more", 1: "a positive integer"}.get(
        at_least, f"an integer of at least {at_least}"
    )
    if number is None:
        raise TypeError(f"{name} must be {allowed}, got {shown(value)}")
    raise ValueError(f"{name} must be {allowed}, got {number}")


def position_number(name: str, value: Any) -> int:
    """Return `value` as an int that float64 holds exactly."""
    number = integer(name, value)
    if abs(number) > LARGEST_POSITION:
        raise ValueError(f"{name} must lie between -2**53 and 2**53, where float64 counts exactly, got {number}")
    return number


def finite_number(name: str, value: Any, at_least: float = -math.inf) -> float:
    """Return `value` as a finite float; TypeError unless it is one real number, ValueError for nan, inf and less."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, _BOOLEANS) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {number}")
    if number < at_least:
        raise ValueError(f"{name} must be {at_least:g} or more, got {number:g}")
    return number


def real_position(name: str, value: Any) -> float:
    """Return `value` as a float no larger than float64 counts exactly."""
    number = finite_number(name, value)
    if abs(number) > LARGEST_POSITION:
        raise ValueError(f"{name} must lie between -2**53 and 2**53, where float64 counts exactly, got {number}")
    return number


def positive_base(base: Any) -> float:
    """Return `base` as a float above 0."""
    number = finite_number("base", base)
    if number < sys.float_info.min:
        raise ValueError(f"base must be a finite number above 0, got {shown(base)}")
    return number


def truth_value(name: str, value: Any) -> bool:
    """Return `value` if it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def one_of(name: str, value: Any, names: Iterable[str]) -> str:
    """Return `value` if it is one of some names; TypeError unless it is a text, ValueError for another one."""
    error: type[Exception] = ValueError if isinstance(value, str) else TypeError
    if not isinstance(value, str) or value not in names:
        raise error(f"{name} must be one of {', '.join(map(repr, names))}, got {shown(value)}")
    return value


def float_dtype(dtype: Any) -> np.dtype[Any]:
    """Return `dtype` as one of the three floating types a table comes in."""
    try:
        found: np.dtype[Any] | None = None if dtype is None else np.dtype(dtype)  # NumPy takes None for float64
    except TypeError:
        found = None
    if found is not None and found in _FLOAT_DTYPES:
        return found
    error = TypeError if found is None else ValueError
    raise error(f"dtype must be float16, float32 or float64, got {shown(dtype)}")


def real_array(name: str, values: Any) -> np.ndarray:
    """Return `values` as an array of integers or floats; TypeError for booleans, complex numbers, text and objects."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise TypeError(f"{name} must be an array of real numbers, got rows of different lengths") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be an array of real numbers, got dtype {array.dtype}")
    return array


def finite_array(name: str, values: Any) -> np.ndarray:
    """Return `values` as an array of integers or finite floats."""
    array = real_array(name, values)
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite, got {array[~np.isfinite(array)].flat[0]}")
    return array


def position_array(name: str, values: Any) -> np.ndarray:
    """Return `values` as float64 positions, none of them larger than float64 counts exactly."""
    array = real_array(name, values).astype(np.float64)
    if not np.all(np.abs(array) <= LARGEST_POSITION):  # nan fails this too
        worst = array[~(np.abs(array) <= LARGEST_POSITION)].flat[0]
        raise ValueError(f"{name} must be finite and lie between -2**53 and 2**53, got {worst}")
    return array


def frequency_array(w: Any, at_least: int = 1) -> np.ndarray:
    """Return `w` as float64 frequencies, a row of so many at least."""
    found = finite_array("w", w)
    if found.ndim != 1 or len(found) < at_least or found.min() <= 0:
        raise ValueError(f"w must be a row of {at_least} or more frequencies above 0, got {shown(w)}")
    return found.astype(np.float64)


def whole_numbers(name: str, values: Any) -> np.ndarray:
    """Return `values` as an array of integers that float64 counts exactly."""
    array = position_array(name, values)
    fractions = array[array != np.round(array)]
    if fractions.size:
        raise ValueError(f"{name} must be whole numbers, got {fractions[0]}")
    return array.astype(np.int64)


def even_d_model(d_model: Any, why: str) -> int:
    """Return `d_model` as a positive even int; `why` ends the sentence that refuses an odd one."""
    number = integer("d_model", d_model, at_least=1)
    if number % 2:
        raise ValueError(f"d_model must be even, got {number}: {why}")
    return number
