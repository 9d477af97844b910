"""Take what people have: a list, an array, a tensor of another library."""

from typing import Any

import numpy as np

from pe_lib import _checks


def given(name: str, values: Any) -> tuple[np.ndarray, str]:
    """Return numbers that were handed over, of a tensor too, in float64, and the type in which they came."""
    dtype = ""
    if hasattr(values, "detach") and hasattr(values, "cpu"):
        values = values.detach().cpu()
        dtype = str(values.dtype).rpartition(".")[2]
        values = (values.float() if dtype == "bfloat16" else values).numpy()
    array = _checks.real_array(name, values)
    return np.asarray(array, np.float64), dtype or array.dtype.name
