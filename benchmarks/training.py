"""Measure how long a training run takes and in how much memory, beside the same network in PyTorch on the CPU.

    python benchmarks/training.py [--rounds 5] [--steps 600]

The two are trained in turn, from the same first numbers on the same sentences, each with as many threads as it takes
by itself and with one; then their losses are compared, to see that it was the same network. A ratio divides two times
of the same round. For the memory, each is run in a new process, which prints the greatest it ever took. Nothing is
asserted.
"""

import argparse
import importlib.util
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version

import numpy as np

from pe_lib import ENCODINGS, Run, train
from pe_lib.experiments import BATCH, BETAS, RATE, TINY

ENCODING = "sinusoidal"
WAYS = {"this library": "ours", "PyTorch": "pytorch"}


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


def seconds(call: Callable[[], object]) -> float:
    """Time one call."""
    before = time.perf_counter()
    call()
    return time.perf_counter() - before


def in_a_new_process(code: str, threads: int | None) -> list[float]:
    """Return the numbers that some code prints in a process of its own, with so many threads."""
    limit = {} if threads is None else {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r})\n{code}"]  # noqa: PTH120
    done = subprocess.run(command, env=os.environ | limit, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def compare(threads: int | None, rounds: int, steps: int, ways: dict[str, str]) -> None:
    """Print a row for each way: its times, its last loss and its memory."""
    calls = ", ".join(ways.values())
    timed = (
        f"from training import {calls}, seconds\nfor call in ({calls},): call(3)\n"
        f"for _ in range({rounds}): print(*(seconds(lambda call=call: call({steps})) for call in ({calls},)))"
    )
    times = np.reshape(in_a_new_process(timed, threads), (rounds, len(ways)))
    for (name, call), own in zip(ways.items(), times.T, strict=True):
        ratios = own / times[:, 0]
        measured = f"from training import {call}\nimport resource\nprint({call}({steps}))\n"
        measured += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
        loss, memory = in_a_new_process(measured, threads)
        print(
            f"| {name} | {'its own' if threads is None else threads} | {statistics.median(own):.2f} s |"
            f" {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}) | {memory:.0f} MiB | {loss:.2g} |"
        )


def main() -> None:
    """Print what was measured, and each encoding's time alone."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=600)
    options = parser.parse_args()
    ways = dict(WAYS)
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores", end="")
    if importlib.util.find_spec("torch") is None:
        del ways["PyTorch"]
        print("; PyTorch is not installed here, so its rows are left out.\n")
    else:
        print(f", PyTorch {version('torch')}\n")
    print(f"| {ENCODING}, {options.steps} steps | threads | median time | times ours | peak memory | last loss |")
    print("|---|---|--:|--:|--:|--:|")
    for threads in (None, 1):
        compare(threads, options.rounds, options.steps, ways)
    print("\n| encoding | median time |\n|---|--:|")
    times = [
        [seconds(lambda name=name: train(Run(name, steps=options.steps))) for name in ENCODINGS]
        for _ in range(options.rounds)
    ]
    for name, own in zip(ENCODINGS, zip(*times, strict=True), strict=True):
        print(f"| {name} | {statistics.median(own):.2f} s |")


if __name__ == "__main__":
    main()
