"""How near two arrays are, said in words: as far as their type and their printed digits can tell."""

import numpy as np
from numpy.typing import ArrayLike

PRINTED = 4  # decimals to which the notebooks print, and with which an answer may be typed


def tolerance(value: np.ndarray, *, typed: bool = False) -> float:
    """Return how far numbers may be off: for their type, and if they are `typed`, rounded as they are printed.

    >>> tolerance(np.array([0.1411, 0.5])), tolerance(np.array([1 / 3])), tolerance(np.float32([np.pi]))
    (6e-05, 1e-06, 1e-05)
    """
    number = value.astype(np.float64)
    spare = np.abs(number) * (np.finfo(value.dtype).eps if value.dtype.kind == "f" else 0)
    for decimals in range(PRINTED, PRINTED + 3):  # with which all the numbers may be written
        if typed or (np.abs(number - np.round(number, decimals)) <= spare).all():
            return max(_relative(value), 0.6 * 10.0**-decimals)
    return _relative(value)


def close(value: np.ndarray, right: np.ndarray, *, typed: bool = False) -> np.ndarray:
    """Say for each number whether it is the right one, as far as it can tell."""
    found: np.ndarray = np.isclose(value.astype(float), right, _relative(value), tolerance(value, typed=typed))
    return found


def _relative(value: np.ndarray) -> float:
    return {"e": 4e-3, "f": 1e-5}.get(value.dtype.char, 1e-6)


def agrees(value: np.ndarray, right: ArrayLike, *, typed: bool = False) -> bool:
    """Say whether two arrays have one shape and the same numbers, as far as the first can tell.

    >>> agrees(np.float32([0.1, 0.2]), [0.1, 0.2]), agrees(np.array([0.1, 0.2]), [[0.1, 0.2]])
    (True, False)
    """
    return value.shape == np.shape(right) and bool(close(value, np.asarray(right), typed=typed).all())


def nearly_the_same(value: np.ndarray, right: np.ndarray) -> str:
    """Say what is right about an answer that is not, or nothing."""
    if value.shape != right.shape:
        return _nearly_of_that_shape(value, right)
    one = not right.ndim
    for k in range(1, PRINTED):
        if agrees(value, np.round(right, k)) and np.any(np.round(right, k)):
            return f"{'It is' if one else 'The numbers are'} {rounded_to(k)}"
    if one and value.any() and value in (np.trunc(right), np.round(right)) and right != np.round(right):
        return "What stands behind the point is lost. Keep all decimals, and round when you print."
    never_filled = value.dtype.kind == "f" and not value.any()  # a table of zeros is not one of integers
    if right.any() and not one and not never_filled and agrees(value, np.trunc(right)):
        return "All numbers are whole: what stood behind the point is lost. An array of integers loses it."
    if right.any() and agrees(value, -right):
        of_all = "The numbers are right, and all their signs are the other way round."
        return "The number is right, but its sign is not." if one else of_all
    return ""


def rounded_to(k: int) -> str:
    """Say to how many decimals something is rounded, and that it should not be."""
    return f"rounded to {k} decimal{'s' * (k > 1)}. Keep all of them, and round when you print."


def _nearly_of_that_shape(value: np.ndarray, right: np.ndarray) -> str:
    if value.ndim == right.ndim == 2 and agrees(value.T, right):
        return "Rows and columns are exchanged: the first axis is to be the second."
    if value.size == right.size and agrees(value.reshape(right.shape), right):
        if not right.ndim:
            return f"The right number, in an array or a list of shape {value.shape}. Hand over the number alone."
        return f"The right numbers, in shape {value.shape} where {right.shape} is asked for."
    if value.ndim != right.ndim:
        return ""
    part = tuple(slice(min(has, asked)) for has, asked in zip(value.shape, right.shape, strict=True))
    if right[part].size > 1 and agrees(value[part], right[part]):
        return f"Right as far as it goes, and of another size: {value.shape} where {right.shape} is asked for."
    return ""


def reordered(value: np.ndarray, right: np.ndarray) -> str:
    """Say what is in another order, or nothing."""
    if right.size < 2 or not agrees(np.sort(value, axis=None), np.sort(right, axis=None)):
        return ""
    if right.ndim == 2 and agrees(np.sort(value, axis=0), np.sort(right, axis=0)):
        return "The right rows, in another order."
    if right.ndim == 2 and agrees(np.sort(value, axis=1), np.sort(right, axis=1)):
        return "Each row has its right numbers, in another order."
    shapes = "" if value.shape == right.shape else f", and in shape {value.shape} where {right.shape} is asked for"
    return f"The right numbers, in another order{shapes}."


def of_another_shape(value: np.ndarray, right: np.ndarray, *, returned: bool) -> str:
    """Say which shape is asked for, and whether a function returned one row of many."""
    asked = f"an array of shape {right.shape} is asked for" if right.ndim else "a single number is asked for"
    has = f"yours has shape {value.shape}" if value.ndim else "yours is a single number"
    row = ""
    if returned and right.ndim == 2 and len(right) > 1 and agrees(value, right[0]):
        row = " It is the first row alone. A `return` within a loop ends it; without a loop, an axis may be missing."
    elif returned and right.ndim == 2 and agrees(value, right[-1]):
        row = " It is the last row alone: was each row written over the one before it?"
    return f"{asked.capitalize()}, and {has}.{row}"


def apart(one: float, other: float, digits: int = 4) -> tuple[str, str]:
    """Write two numbers with as many digits as show that they differ, so that no sentence contradicts itself.

    >>> apart(1.4961, 1.4959), apart(2.0, 3.0)
    (('1.4961', '1.4959'), ('2', '3'))
    """
    for count in range(digits, 18):
        pair = f"{one:.{count}g}", f"{other:.{count}g}"
        if pair[0] != pair[1]:
            break
    return pair


def unfit(value: np.ndarray, shape: tuple[int, ...]) -> str:
    """Say that an array is of another shape than it should be, or holds a number that is not finite; or nothing."""
    if value.shape != shape:
        return of_another_shape(value, np.empty(shape), returned=False)
    return not_finite(value)


def not_finite(value: np.ndarray) -> str:
    """Say where the first number stands that is not finite, or nothing."""
    if np.isfinite(value).all():
        return ""
    place = tuple(int(k) for k in np.argwhere(~np.isfinite(value))[0])
    where = f"There is a number that is not finite {in_words(place)}: " if place else "It is not finite: "
    return f"{where}{value[place]}."


def in_words(place: tuple[int, ...]) -> str:
    """Say where in an array something stands.

    >>> in_words((2, 3)), in_words((1,))
    ('in row 2, column 3', 'at index 1')
    """
    if len(place) == 2:
        return f"in row {place[0]}, column {place[1]}"
    return f"at index {place[0] if len(place) == 1 else place}" if place else "in it"


def of_them(right: np.ndarray, things: str) -> str:
    """Count what is right.

    >>> of_them(np.array([True, False, True]), "rows"), of_them(np.array([True, False]), "rows")
    ('2 of 3 rows are', '1 of 2 rows is')
    """
    return f"{np.sum(right)} of {right.size} {things} {'is' if np.sum(right) == 1 else 'are'}"
