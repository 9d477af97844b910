"""Compare an answer with the right one, and say in words how they differ."""

from typing import Any

import numpy as np

from pe_exercises.trying import NotReadableError

PRINTED = 6e-5  # how far a number may be off that was typed as it is printed, with four decimals


def plain(answer: Any) -> Any:
    """Return an answer as an array of numbers or, if there is more in it than numbers, as text, truth or tuple.

    NotReadableError, with a sentence for the learner, if it is none of these.

    >>> plain([1, 2.5]), plain(["Error ", True])
    (array([1. , 2.5]), ('error', True))
    """
    if answer is None:
        raise NotReadableError(
            "It is None. Did you forget to return? A function without `return` gives None, and so does `print`."
        )
    if isinstance(answer, str):
        return answer.strip().casefold()
    if isinstance(answer, bool | np.bool_):
        return bool(answer)
    try:
        array = np.asarray(answer)
        if array.dtype.kind == "O":  # integers beyond 64 bits, and fractions
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):  # rows of unequal length, among others
        array = np.asarray(None)
    if array.dtype.kind in "iuf":
        return array
    if isinstance(answer, list | tuple) or (array.dtype.kind in "bU" and array.ndim):
        return tuple(map(plain, answer))
    raise NotReadableError(f"It is of type {type(answer).__name__}. That cannot be an answer here.")


def same(value: Any, right: Any) -> bool:
    """Say whether two plain answers agree: numbers to the digits that we print, whole numbers exactly.

    >>> same(plain([0.1411]), plain([0.14112])), same(plain(2**24 + 1), plain(2**24))
    (True, False)
    """
    if isinstance(value, np.ndarray) and isinstance(right, np.ndarray):
        rtol = 0 if right.dtype.kind in "iu" else 1e-5
        return value.shape == right.shape and bool(np.allclose(value, right, rtol=rtol, atol=PRINTED))
    if isinstance(right, tuple):
        items = value.tolist() if isinstance(value, np.ndarray) else value  # 0 and 1 will do for False and True
        return isinstance(items, list | tuple) and len(items) == len(right) and all(map(same, items, right))
    return not isinstance(value, np.ndarray) and not isinstance(right, np.ndarray) and bool(value == right)


def nearly(value: Any, right: Any) -> str:
    """Say what is right about an answer that is not, or nothing."""
    if same(value, (right,)):
        return "Close. This is the right answer, in a list. Give what the list holds."
    if not isinstance(value, np.ndarray) or not isinstance(right, np.ndarray):
        return ""
    if value.ndim == right.ndim == 2 and same(value.T, right):
        return "Close. Rows and columns have changed places: the first axis should be the second."
    if value.shape != right.shape:
        return _nearly_of_another_shape(value, right)
    for decimals in (1, 2, 3):
        if np.round(right, decimals).any() and np.allclose(value, np.round(right, decimals), rtol=0, atol=1e-9):
            return rounded_to(decimals)
    if value.any() and any(map(np.array_equal, (value, value), (np.trunc(right), np.round(right)))):
        return "Close. The digits after the decimal point are gone. An array of integers loses them, for example."
    if same(value, np.asarray(-right)):
        return f"Close. {'All the signs are' if right.ndim else 'The sign is'} the wrong way round."
    if right.ndim and same(np.sort(value, axis=0), np.sort(right, axis=0)):
        return f"Close. These are the right {'rows' if right.ndim == 2 else 'numbers'} in another order."
    return ""


def rounded_to(decimals: int) -> str:
    """Say that an answer is right but for the decimals it has lost."""
    return f"Close. You rounded to {decimals} decimal{'s' * (decimals > 1)}. Keep all of them."


def _nearly_of_another_shape(value: np.ndarray, right: np.ndarray) -> str:
    if value.size == right.size and same(value.reshape(right.shape), right):
        if not right.ndim:
            return "Close. This is the right number, but in a list or an array. Give the number alone."
        return f"Close. These are the right numbers in shape {value.shape}; the exercise asks for {right.shape}."
    return ""


def difference(value: Any, right: Any, *, reveal: bool) -> str:
    """Say how an answer differs from the right one, and, if we may `reveal` it, what the right one is there."""
    if not isinstance(right, np.ndarray):
        return "Read the question again, and look at the hint."
    if not isinstance(value, np.ndarray):
        return "The exercise asks for numbers without quotation marks, in rows of the same length."
    if value.shape != right.shape:
        asked = f"an array of shape {right.shape}" if right.ndim else "a single number"
        given = f"an array of shape {value.shape}" if value.ndim else "a single number"
        return f"The exercise asks for {asked}, and yours is {given}."
    if not right.ndim:
        return f"It is not {value:.6g}. Look at the hint."
    fits = np.isclose(value, right, rtol=1e-5, atol=PRINTED)
    place = tuple(np.argwhere(~fits)[0].tolist())
    found, expected = apart(float(value[place]), float(right[place]))
    count = f"{fits.sum()} of {fits.size} numbers {'is' if fits.sum() == 1 else 'are'} right."
    return f"{count} The first wrong one is {_where(place)}: it is {found}{f', and it should be {expected}' * reveal}."


def diagnosed(matrix: np.ndarray, *_: Any) -> str:
    """Say what the diagnosis finds in a matrix that is not the one an exercise asks for."""
    from pe_diagnosis import diagnose

    found = diagnose(matrix)
    convention = "This is another convention than the exercise asks for." if found.ok else ""
    return " ".join([convention, *(each.message for each in found.findings)])


def not_finite(value: Any) -> str:
    """Say that there is a number in an answer that is not finite, or nothing."""
    if not isinstance(value, np.ndarray) or np.isfinite(value).all():
        return ""
    place = tuple(np.argwhere(~np.isfinite(value))[0].tolist())
    return f"A number is not finite: {value[place]}{' ' * bool(place)}{_where(place)}."


def _where(place: tuple[int, ...]) -> str:
    if len(place) == 2:
        return f"in row {place[0]}, column {place[1]}"
    return f"at index {', '.join(map(str, place))}" if place else ""


def apart(one: float, other: float, digits: int = 4) -> tuple[str, str]:
    """Write two numbers with enough digits to show that they differ, so that no sentence contradicts itself.

    >>> apart(1.4961, 1.4959), apart(2.0, 3.0)
    (('1.4961', '1.4959'), ('2', '3'))
    """
    pairs = [(f"{one:.{count}g}", f"{other:.{count}g}") for count in range(digits, 18)]
    return next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1])
