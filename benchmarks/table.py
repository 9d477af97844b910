"""Measure the table of encodings beside the form that most people write, and its errors against 50 digits.

Both ways take turns, so that what else the machine does meets both; a ratio divides two times of the same round.
"""

import time

import mpmath
import numpy as np

from pe_lib import sinusoidal_encoding

ROUNDS = {(1, 512): 500, (64, 64): 500, (128, 128): 300, (512, 512): 60, (8192, 512): 9, (131_072, 512): 7}


def textbook(length: int, d_model: int, dtype: str) -> np.ndarray:
    """Fill the table by sines and cosines of float64 angles, assigned to every other column."""
    position = np.arange(length)[:, np.newaxis]
    angles = position / 10000 ** (np.arange(0, d_model, 2) / d_model)
    table = np.zeros((length, d_model), dtype)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def ours(length: int, d_model: int, dtype: str) -> np.ndarray:
    """Fill the table as the library does."""
    return sinusoidal_encoding(length, d_model, dtype=dtype)


def seconds(fill, *arguments) -> float:
    """Time one call; giving the memory back is not counted."""
    begin = time.perf_counter()
    table = fill(*arguments)
    taken = time.perf_counter() - begin
    del table
    return taken


def greatest_error(dtype: str, start: int) -> float:
    """Return the error of two blocks of rows from `start` on, at several widths, against 50 digits."""
    worst = 0.0
    for d_model in (1, 5, 64, 512):
        rows = sinusoidal_encoding(128, d_model, start=start, dtype=dtype)[::21].astype(float)
        with mpmath.workdps(50):
            w = [mpmath.mpf(10_000) ** (-mpmath.mpf(j // 2 * 2) / d_model) for j in range(d_model)]
            for r, row in enumerate(rows):
                exact = [(mpmath.cos if j % 2 else mpmath.sin)((start + 21 * r) * w[j]) for j in range(d_model)]
                worst = max(worst, np.abs(row - np.array(exact, float)).max())
    return worst


if __name__ == "__main__":
    print(f"NumPy {np.__version__}\n\ntable         dtype     textbook        ours   ratio: median and quartiles")
    for shape, rounds in ROUNDS.items():
        for dtype in ("float64", "float32"):
            times = np.array([[seconds(fill, *shape, dtype) for fill in (textbook, ours)] for _ in range(rounds)])
            low, ratio, high = np.quantile(times[:, 0] / times[:, 1], (0.25, 0.5, 0.75))
            before, now = 1e3 * np.median(times, axis=0)
            size = " × ".join(map(str, shape))
            print(f"{size:13} {dtype}  {before:8.3f} ms {now:8.3f} ms   {ratio:5.2f}  ({low:.2f} to {high:.2f})")
    print("\ngreatest error at positions around  0          1,000,000   -1,000,000")
    for dtype in ("float64", "float32", "float16"):
        errors = [greatest_error(dtype, start) for start in (0, 999_900, -1_000_000)]
        print(f"{dtype:35} " + "    ".join(f"{error:.2e}" for error in errors))
