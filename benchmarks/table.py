"""Measure how fast, in how much memory and how exactly the table of encodings is filled, beside other ways to fill it.

    python benchmarks/table.py [--rounds 15] [--length 131072] [--d-model 512]

All candidates run in one process, in turn: A B C …, A B C …, so that what else the machine does meets each of them.
A ratio compares two times of the same round. Nothing is asserted: the targets are printed beside what was measured.
Smaller tables follow, in float64 and float32, the library's way beside the textbook's alone.
"""

import argparse
import importlib.util
import math
import multiprocessing
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from pe_lib import sinusoidal_encoding

LENGTH, D_MODEL = 131_072, 512  # the size for which the targets are set
WARM_UP = 64  # positions in a first call, which imports and sets up what later calls find ready
CHUNK = 1024  # rows of the reference held at once
SMALLER = {  # shape: at most so many times the textbook's time
    (64, 64): 1.3,
    **dict.fromkeys([(256, 256), (512, 512), (513, 512), (600, 512), (1024, 1024)], 1.05),
}
AT_ONCE = 20_000  # numbers to fill between two looks at the clock, by several calls if the table is smaller


def textbook(length: int, d_model: int, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Fill the table as most people write it: float64 angles, sines and cosines assigned to slices."""
    position = np.arange(length)[:, np.newaxis]
    angles = position / 10000 ** (np.arange(0, d_model, 2) / d_model)
    table = np.zeros((length, d_model), dtype)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def textbook_float32(length: int, d_model: int) -> np.ndarray:
    """Fill the table in the same way, with float32 throughout."""
    position = np.arange(length, dtype=np.float32)[:, np.newaxis]
    angles = position / 10000 ** (np.arange(0, d_model, 2, dtype=np.float32) / d_model)
    table = np.zeros((length, d_model), dtype=np.float32)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def pytorch_tutorial(length: int, d_model: int) -> ArrayLike:
    """Fill the table in the form of PyTorch's tutorial on language modelling, on every processor."""
    import torch

    torch.set_num_threads(processors())
    position = torch.arange(length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe = torch.zeros(length, 1, d_model)
    pe[:, 0, 0::2] = torch.sin(position * div_term)
    pe[:, 0, 1::2] = torch.cos(position * div_term)
    return pe[:, 0]


def positional_encodings_package(length: int, d_model: int) -> ArrayLike:
    """Ask the package positional-encodings, on every processor; a new module each time, because a module caches."""
    import torch
    from positional_encodings.torch_encodings import PositionalEncoding1D

    torch.set_num_threads(processors())
    embeddings = torch.zeros(1).expand(1, length, d_model)  # only its shape and type are read; it takes no memory
    return PositionalEncoding1D(d_model)(embeddings)[0]


def ones(length: int, d_model: int) -> np.ndarray:
    """Write the memory of a table and nothing else."""
    return np.ones((length, d_model), dtype=np.float32)


def this_library(length: int, d_model: int, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Fill the table as the library does: plainly up to 512 rows, by rotation beyond."""
    return sinusoidal_encoding(length, d_model, dtype=dtype)


@dataclass(frozen=True)
class Candidate:
    """A way to fill the table, and the modules it needs."""

    fill: Callable[[int, int], ArrayLike]
    needs: tuple[str, ...] = ()

    def missing(self) -> list[str]:
        """Return the modules that are not installed here."""
        return [module for module in self.needs if importlib.util.find_spec(module) is None]


OURS = "sinusoidal_encoding"
CANDIDATES = {
    "textbook NumPy": Candidate(textbook),
    "textbook NumPy, float32": Candidate(textbook_float32),
    "PyTorch tutorial": Candidate(pytorch_tutorial, ("torch",)),
    "positional-encodings": Candidate(positional_encodings_package, ("torch", "positional_encodings")),
    "np.ones": Candidate(ones),
    OURS: Candidate(this_library),
}


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def seconds(name: str, length: int, d_model: int) -> float:
    """Time one call; giving the memory back is not counted."""
    before = time.perf_counter()
    table = CANDIDATES[name].fill(length, d_model)
    after = time.perf_counter()
    del table
    return after - before


def times_in_turn(names: Iterable[str], rounds: int, length: int, d_model: int) -> dict[str, np.ndarray]:
    """Return the time of every candidate in every round, in seconds, measured A B C …, A B C …."""
    times = np.array([[seconds(name, length, d_model) for name in names] for _ in range(rounds)])
    return dict(zip(names, times.T, strict=True))


def times_the_textbook(rounds: int, length: int, d_model: int, dtype: DTypeLike) -> np.ndarray:
    """Return in every round how many times as long as the textbook's way the library's takes."""
    calls = math.ceil(AT_ONCE / (length * d_model))
    ratios = np.empty(rounds)
    for k in range(rounds):
        times = {}
        for fill in (textbook, this_library) if k % 2 else (this_library, textbook):
            before = time.perf_counter()
            for _ in range(calls):
                fill(length, d_model, dtype)
            times[fill] = time.perf_counter() - before
        ratios[k] = times[this_library] / times[textbook]
    return ratios


def greatest_error(name: str, length: int, d_model: int) -> float:
    """Return the greatest distance from sines and cosines of float64 angles, exact to 1e-10 at this length."""
    table = np.asarray(CANDIDATES[name].fill(length, d_model))
    w = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    worst = 0.0
    for first in range(0, length, CHUNK):
        rows = table[first : first + CHUNK]
        angles = np.arange(first, first + len(rows))[:, np.newaxis] * w
        worst = max(worst, np.abs(rows[:, 0::2] - np.sin(angles)).max(), np.abs(rows[:, 1::2] - np.cos(angles)).max())
    return float(worst)


def peak_memory(name: str, length: int, d_model: int) -> float:
    """Return by how many bytes a call raises this process's greatest resident memory; nan where no one counts it."""
    try:
        import resource
    except ImportError:  # Windows
        return math.nan
    unit = 1 if sys.platform == "darwin" else 1024
    CANDIDATES[name].fill(WARM_UP, d_model)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    table = CANDIDATES[name].fill(length, d_model)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    del table
    return float(after - before) * unit


def peak_memories(names: Iterable[str], length: int, d_model: int) -> dict[str, float]:
    """Measure the peak memory of each candidate in a process of its own.

    On Linux a new process starts from its parent's greatest resident memory: call this before anything large is done.
    """
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh, max_tasks_per_child=1) as pool:
        return {name: pool.submit(peak_memory, name, length, d_model).result() for name in names}


def median_and_range(values: np.ndarray) -> str:
    """Write the median with the least and the greatest value."""
    return f"{np.median(values):.2f} ({values.min():.2f}–{values.max():.2f})"


def print_setting(rounds: int, length: int, d_model: int) -> None:
    """Say what is measured, and on what."""
    torch = f", PyTorch {version('torch')}" if importlib.util.find_spec("torch") else ""
    print(f"{length} × {d_model} float32, {length * d_model * 4 / 2**20:.4g} MiB; {rounds} rounds")
    print(f"Python {platform.python_version()}, NumPy {np.__version__}{torch}; {processors()} processors")
    for name, candidate in CANDIDATES.items():
        if missing := candidate.missing():
            print(
                f"{name}: not measured, because {' and '.join(missing)} cannot be imported (see benchmarks/README.md)"
            )


def print_results(times: dict[str, np.ndarray], memory: dict[str, float], errors: dict[str, float], size: int) -> None:
    """Print a line for each candidate; `size` is that of the result in bytes."""
    print()
    print(
        "                          median time   times ours, round by round    peak memory, of result    greatest error"
    )
    for name, measured in times.items():
        ratio = median_and_range(measured / times[OURS])
        peak = f"{memory[name] / 2**20:.0f} MiB, {memory[name] / size:.2f}"
        error = f"{errors[name]:.1e}" if name in errors else "–"
        print(f"{name:24}  {np.median(measured) * 1e3:8.1f} ms   {ratio:>27}    {peak:>22}    {error:>14}")
    print("Peak memory: what the call adds to the greatest resident memory of a new process (getrusage, ru_maxrss).")


def print_targets(times: dict[str, np.ndarray], memory: dict[str, float], size: int) -> None:
    """Print every target beside what was measured."""
    print(f"\nTargets, set for {LENGTH} × {D_MODEL}")
    ours = times[OURS]
    for name, least in (("textbook NumPy", 10.0), ("PyTorch tutorial", 1.5)):
        words = f"at least {least:g} times as fast as {name}"
        if name in times:
            print_target(words, median_and_range(times[name] / ours), bool(np.median(times[name] / ours) >= least))
        else:
            print_target(words, "not measured", None)
    above_ones = ours / times["np.ones"]
    print_target(
        "at most 2.5 times the time of np.ones", median_and_range(above_ones), bool(np.median(above_ones) <= 2.5)
    )
    peak = memory[OURS] / size
    met = None if math.isnan(peak) else peak <= 1.3
    print_target("peak memory at most 1.3 times the result", "not measured" if met is None else f"{peak:.2f}", met)


def print_smaller(rounds: int) -> None:
    """Print the targets for smaller tables beside what was measured."""
    print(f"\nSmaller tables: times as long as textbook NumPy of the same type; {rounds} rounds")
    for (length, d_model), most in SMALLER.items():
        for dtype in (np.float64, np.float32):
            ratios = times_the_textbook(rounds, length, d_model, dtype)
            words = f"{length} × {d_model} {dtype.__name__}, at most {most:g}"
            print_target(words, median_and_range(ratios), bool(np.median(ratios) <= most))


def print_target(words: str, measured: str, met: bool | None) -> None:
    """Print one target; `met` is None where nothing was measured."""
    print(f"  {words:46} {measured:>22}  {'' if met is None else 'met' if met else 'missed'}".rstrip())


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure ways to fill the table of encodings.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--length", type=int, default=LENGTH)
    parser.add_argument("--d-model", type=int, default=D_MODEL, help="even, as the textbook form asks")
    given = parser.parse_args()
    if min(given.rounds, given.length, given.d_model) < 1 or given.d_model % 2:
        parser.error("--rounds, --length and --d-model must be positive, and --d-model even")
    return given


def main() -> None:
    """Measure memory, then errors, then times, and print them."""
    given = arguments()
    shape = given.length, given.d_model
    size = given.length * given.d_model * 4
    names = [name for name, candidate in CANDIDATES.items() if not candidate.missing()]
    print_setting(given.rounds, *shape)
    memory = peak_memories(names, *shape)
    errors = {name: greatest_error(name, *shape) for name in names if name != "np.ones"}
    times = times_in_turn(names, given.rounds, *shape)
    print_results(times, memory, errors, size)
    print_targets(times, memory, size)
    print_smaller(10 * given.rounds)


if __name__ == "__main__":
    main()
