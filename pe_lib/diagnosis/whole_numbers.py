"""Recognise an encoding that was stored in an integer type: its sines and cosines cut down to -1, 0 and 1."""

from itertools import product

import numpy as np

from pe_lib.diagnosis.causes import finding, known_scales
from pe_lib.diagnosis.report import Diagnosis
from pe_lib.encoding import sinusoidal_encoding

CASTS = {"cut off": np.trunc, "rounded": np.rint, "rounded down": np.floor}


def read_whole_numbers(values: np.ndarray, base: float) -> Diagnosis | None:
    """Return a diagnosis if the matrix is the encoding with its decimals gone, None otherwise."""
    if not np.all(values == np.rint(values)) or not 1 <= abs(values).max() <= 64:
        return None
    largest = float(abs(values).max())
    scales = sorted(
        {1.0, largest, *(scale for _, scale in known_scales(values.shape[1]) if largest <= scale < largest + 1)}
    )
    ways = product((False, True), ("interleaved", "halves"), (0, 1, 2), scales, CASTS)
    for transposed, layout, start, scale, words in ways:
        view = values.T if transposed else values
        exact = sinusoidal_encoding(*view.shape, start=start, base=base, layout=layout)
        if abs(view - exact).max() < 1e-9:
            return None  # zeros and ones are all there is to it, as in position 0
        if np.mean(CASTS[words](scale * exact.round(12)) == view) >= 0.999:
            found = [finding("integers", words=words)]
            found += [finding("transposed")] if transposed else []
            found += [finding("start", row=0, at=0, first=start, start=start, why="")] if start else []
            found += [finding("scale", scale=f"{scale:.6g}", words="")] if scale != 1 else []
            found += [finding("halves")] if layout == "halves" else []
            return Diagnosis(False, tuple(found), base, layout, float(start), scale, values.shape)
    return None
