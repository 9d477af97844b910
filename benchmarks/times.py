"""Measure an import, a step of a picture and a training, each beside something else: `python benchmarks/times.py`.

Two ways take turns, and their medians are printed with the ratio.
"""

import itertools
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import pe_lib
import pe_pictures
from pe_lib import Run, train

EXPLORERS = ("explore_clocks", "explore_waves", "explore_heatmap", "explore_scores", "explore_workbench")


def milliseconds(call: Callable[[], object]) -> float:
    """Time one call."""
    before = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - before)


def compare(what: str, ours: Callable[[], object], beside: str, other: Callable[[], object], rounds: int = 9) -> None:
    """Let two ways take turns, and print their medians."""
    ours(), other()  # what is done only once, is done
    took = [(milliseconds(ours), milliseconds(other)) for _ in range(rounds)]
    mine, theirs = (statistics.median(column) for column in zip(*took, strict=True))
    print(f"| {what} | {mine:.1f} ms | {beside} | {theirs:.1f} ms | {mine / theirs:.2f} |", flush=True)


def imported(name: str) -> None:
    """Import a module in a Python of its own."""
    subprocess.run([sys.executable, "-c", f"import {name}"], check=True)


def main() -> None:
    """Print a table."""
    print("| | median | beside | median | ratio |\n|---|--:|---|--:|--:|")
    compare("`import pe_lib`", lambda: imported("pe_lib"), "`import numpy`", lambda: imported("numpy"))
    for name in EXPLORERS:
        explorer = getattr(pe_pictures, name)()
        here = explorer.picture.state[explorer.play]
        places = itertools.cycle([here + 1, here])
        step = partial(
            lambda explorer, places: explorer.answer({"set": {explorer.play: next(places)}}), explorer, places
        )
        compare(f"a step of `{name}`", step, "the same picture by matplotlib", explorer.picture.png)
    words = np.random.default_rng(0).integers(len(pe_lib.WORDS), size=(32, 32))
    forward = Run().network.forward
    compare(
        "200 steps of a training",
        lambda: train(Run(steps=200)),
        "the network run 200 times without learning",
        lambda: [forward(words) for _ in range(200)],
    )


if __name__ == "__main__":
    main()
