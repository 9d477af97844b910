"""Take what people have: a list, an array, a tensor of another library, with one axis too many."""

from typing import Any, NamedTuple

import numpy as np

from pe_lib import _checks


class Given(NamedTuple):
    """What was handed over: its numbers in float64, with two axes where that can be; its type, its shape."""

    values: np.ndarray
    dtype: str
    shape: tuple[int, ...]


def given(name: str, values: Any, axes: int = 2) -> Given:
    """Return numbers that were handed over, of a tensor too; an axis of length 1 beyond `axes` is taken off."""
    dtype = ""
    if hasattr(values, "detach") and hasattr(values, "cpu"):
        values = values.detach().cpu()
        dtype = str(values.dtype).rpartition(".")[2]
        values = (values.float() if dtype == "bfloat16" else values).numpy()
    array = _checks.real_array(name, values)
    numbers = np.asarray(array, np.float64)
    if numbers.ndim == axes + 1 and axes == 2 and 1 in numbers.shape[:2]:
        numbers = numbers[0] if numbers.shape[0] == 1 else numbers[:, 0]
    return Given(numbers, dtype or array.dtype.name, array.shape)
