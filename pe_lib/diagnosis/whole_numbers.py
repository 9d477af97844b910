"""Recognise an encoding that was stored in an integer type: its sines and cosines cut down to -1, 0 and 1."""

from itertools import product

import numpy as np

from pe_lib.diagnosis.causes import CAUSES
from pe_lib.diagnosis.report import Diagnosis, Finding
from pe_lib.encoding import sinusoidal_encoding

CASTS = {"cut off": np.trunc, "rounded": np.rint, "rounded down": np.floor}


def read_whole_numbers(values: np.ndarray, base: float) -> Diagnosis | None:
    """Return a diagnosis if the matrix is the encoding with its decimals gone, None otherwise."""
    if not np.all(values == np.rint(values)) or abs(values).max() > 1:
        return None
    for transposed, layout, start in product((False, True), ("interleaved", "halves"), (0, 1, 2)):
        view = values.T if transposed else values
        exact = sinusoidal_encoding(*view.shape, start=start, base=base, layout=layout)
        if abs(view - exact).max() < 1e-9:
            return None  # zeros and ones are all there is to it, as in position 0
        for words, cast in CASTS.items():
            if np.mean(cast(exact.round(12)) == view) >= 0.999:
                findings = [Finding("integers", CAUSES["integers"].format(words=words))]
                if transposed:
                    findings.append(Finding("transposed", CAUSES["transposed"]))
                if start:
                    findings.append(Finding("start", f"Row 0 holds position {start}: positions count from 0.", row=0))
                if layout == "halves":
                    findings.append(Finding("halves", CAUSES["halves"], kind="variant"))
                return Diagnosis(False, tuple(findings), base, layout, float(start), 1.0, values.shape)
    return None
