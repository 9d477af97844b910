"""Measure how long a training run takes and in how much memory, beside the same network in PyTorch on the CPU.

    python benchmarks/training.py [--rounds 5] [--steps 600] [--seeds 5]

The two are trained in turn, from the same first numbers on the same sentences, each with as many threads as it takes
by itself and with one; then their losses are compared, to see that it was the same network. A ratio divides two times
of the same round. The memory is the greatest that a new process took for one training. Then each encoding is trained
with several seeds on 32 words and tested on more, counted beyond position 31. Nothing is asserted.
"""

import argparse
import importlib.util
import math
import multiprocessing
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from typing import Any

import numpy as np

from pe_lib import ENCODINGS, Encoding, Run, accuracy, train
from pe_lib.experiments import BATCH, BETAS, RATE, TINY

ENCODING = "sinusoidal"
LENGTHS = (40, 48, 64, 128, 256)
TRIED = (
    *ENCODINGS.values(),
    Encoding("learned, 256 rows", table=256),
    Encoding("learned, scale 1", table=32, scale=1),
    Encoding("learned, 256 rows, scale 1", table=256, scale=1),
)
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def ours(steps: int) -> float:
    """Train the network of this library, without a look at it on the way, and return the last loss."""
    return train(Run(ENCODING, steps=steps, record=[steps])).moments[-1].loss


def pytorch(steps: int) -> float:
    """Train the same network with PyTorch's gradients and PyTorch's Adam, and return the last loss."""
    import torch

    run = Run(ENCODING, steps=steps, record=[])
    p = {name: torch.tensor(values, requires_grad=True) for name, values in run.network.parameters.items()}
    rows = torch.tensor(run.network.rows(np.arange(run.length)))
    bias = torch.tensor(run.network.bias(np.arange(run.length)))
    adam = torch.optim.Adam(p.values(), lr=RATE, betas=BETAS, eps=TINY)
    rng = np.random.default_rng((0, 0))

    def loss_of(words: np.ndarray, answers: np.ndarray) -> "torch.Tensor":
        x = p["embedding"][torch.from_numpy(words)] + rows
        query, key, value = x @ p["query"], x @ p["key"], x @ p["value"]
        attention = torch.softmax(query @ key.transpose(1, 2) / x.shape[-1] ** 0.5 + bias, dim=-1)
        logits = attention @ value @ p["output"]
        return torch.nn.functional.cross_entropy(logits.transpose(1, 2), torch.from_numpy(answers), ignore_index=-1)

    for _ in range(steps):
        words, answers = run.task.sentences(rng, BATCH, run.length)
        rng.integers(1)  # where a run draws the start of its batch
        adam.zero_grad()
        loss_of(words, answers).backward()
        adam.step()
    with torch.no_grad():
        return float(loss_of(*run._held_out))


WAYS: dict[str, Callable[[int], float]] = {"this library": ours, "PyTorch": pytorch}


def seconds(call: Callable[[], object]) -> float:
    """Time one call."""
    before = time.perf_counter()
    call()
    return time.perf_counter() - before


def times(ways: list[str], rounds: int, steps: int) -> list[list[float]]:
    """Return how many seconds each way takes in each round."""
    for way in ways:
        WAYS[way](3)  # imports, and sets up what later calls find ready
    return [[seconds(lambda way=way: WAYS[way](steps)) for way in ways] for _ in range(rounds)]


def loss_and_memory(way: str, steps: int) -> tuple[float, float]:
    """Return the last loss of a training, and the greatest resident memory of this process in MiB, nan on Windows."""
    loss = WAYS[way](steps)
    try:
        import resource
    except ImportError:  # Windows
        return loss, math.nan
    unit = 1 if sys.platform == "darwin" else 1024
    return loss, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def in_a_new_process(threads: int | None, call: Callable[..., Any], *arguments: object) -> Any:
    """Return what a call returns in a process of its own, whose libraries use so many threads."""
    os.environ.update({} if threads is None else dict.fromkeys(THREADS, str(threads)))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as fresh:
        return fresh.submit(call, *arguments).result()


def compare(threads: int | None, rounds: int, steps: int, ways: list[str]) -> None:
    """Print a row for each way: its times, its memory and its last loss."""
    measured = np.array(in_a_new_process(threads, times, ways, rounds, steps))  # (rounds, ways)
    for way, own in zip(ways, measured.T, strict=True):
        ratios = own / measured[:, 0]
        loss, memory = in_a_new_process(threads, loss_and_memory, way, steps)
        print(
            f"| {way} | {threads or 'its own'} | {np.median(own):.2f} s | {np.median(ratios):.2f}"
            f" ({ratios.min():.2f}–{ratios.max():.2f}) | {memory:.0f} MiB | {loss:.6f} |"
        )


def print_reach(seeds: Iterable[int], steps: int) -> None:
    """Print how long each encoding trains, and its least and greatest share of right answers at other lengths."""
    print(
        "\n| encoding | median time | 32, all |",
        " | ".join(map(str, LENGTHS)),
        "|\n|---|" + "--:|" * (2 + len(LENGTHS)),
    )
    for encoding in TRIED:
        runs = [Run(encoding, steps=steps, seed=seed) for seed in seeds]
        own = [seconds(lambda run=run: train(run)) for run in runs]
        shares = [[*accuracy(run, [32], beyond=0).values(), *accuracy(run, LENGTHS).values()] for run in runs]
        spread = [f"{min(column):.2f}–{max(column):.2f}" for column in zip(*shares, strict=True)]
        print(f"| {encoding.name} | {statistics.median(own):.2f} s |", " | ".join(spread), "|")


def main() -> None:
    """Print the comparison, then the table of encodings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    ways = list(WAYS)
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} processors", end="")
    if importlib.util.find_spec("torch") is None:
        ways.remove("PyTorch")
        print("; PyTorch is not installed here, so its rows are left out.\n")
    else:
        print(f", PyTorch {version('torch')}\n")
    print(f"| {ENCODING}, {options.steps} steps | threads | median time | times ours | peak memory | last loss |")
    print("|---|--:|--:|--:|--:|--:|")
    for threads in (None, 1):
        compare(threads, options.rounds, options.steps, ways)
    print_reach(range(options.seeds), options.steps)


if __name__ == "__main__":
    main()
