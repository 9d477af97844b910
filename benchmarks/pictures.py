"""Measure how fast each picture moves in the kernel, beside drawing it anew, and how much memory an explorer takes.

    python benchmarks/pictures.py [--rounds 100]

A round moves the first slider of the explorer by one step and encodes the picture as PNG, as a slider does; every
fifth round the same state is also drawn anew, as a notebook without a persistent figure does: a new figure, all its
artists, a PNG with a tight bounding box. Nothing is asserted: the targets are printed beside what was measured.
"""

import argparse
import io
import itertools
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from ipywidgets import IntSlider

import pe_lib
from pe_lib.pictures.picture import Picture

EXPLORERS = [name for name in pe_lib.__all__ if name.startswith("explore_")]
TARGETS = {"Waves": 8.0}  # how many times as fast as anew; 5 for all others
MEMORY = """
import os, re, sys
def pss():
    text = open("/proc/self/smaps_rollup").read()
    return int(re.search(r"^Pss:\\s+(\\d+) kB", text, re.M)[1]) / 1024
import ipykernel.kernelapp, numpy
before = pss()
explorer = getattr(__import__("pe_lib"), sys.argv[1])()
explorer._repr_mimebundle_()
first = pss()
control = next(c for c in explorer.controls.values() if hasattr(c, "min"))
for value in list(range(control.min, min(control.max, control.min + 50) + 1)) * 2:
    control.value = value
print(before, first, pss())
"""


def anew(picture: Picture) -> bytes:
    """Draw the state of a picture in a new figure, as a PNG with a tight bounding box."""
    out = io.BytesIO()
    new = type(picture)(**picture.state)
    with new._style():
        new._lay()
        new._move()
        new.figure.savefig(out, format="png", bbox_inches="tight")
    return out.getvalue()


def seconds(call: Any) -> float:
    """Time one call."""
    before = time.perf_counter()
    call()
    return time.perf_counter() - before


def times(explorer: Any, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the times of the moves, and of drawing anew every fifth of them, in milliseconds."""
    picture = explorer.picture
    name, control = next((n, c) for n, c in explorer.controls.items() if isinstance(c, IntSlider))
    most = min(control.max, control.min + 50)
    there_and_back = [*range(control.min, most), *range(most, control.min, -1)]
    moved, drawn = [], []
    picture.png()
    for k, value in zip(range(rounds), itertools.cycle(there_and_back[1:] + there_and_back[:1]), strict=False):
        moved.append(seconds(lambda value=value: picture.update(**{name: value}).png()))
        if k % 5 == 0:
            drawn.append(seconds(lambda: anew(picture)))
    return np.array(moved) * 1e3, np.array(drawn) * 1e3


def memory_in_words(name: str) -> str:
    """Say how much of the memory a new process takes, in three steps; nothing where no one counts it."""
    if not Path("/proc/self/smaps_rollup").exists():
        return "–"
    done = subprocess.run([sys.executable, "-c", MEMORY, name], capture_output=True, text=True, check=True)
    modules, explorer, moves = np.diff([0.0, *map(float, done.stdout.split())])
    return f"{modules:.0f} + {explorer:.0f} + {moves:.0f} MiB"


def median_and_decile(times: np.ndarray) -> str:
    """Write a median, with the ninth decile behind it."""
    return f"{np.median(times):.1f} ({np.quantile(times, 0.9):.1f}) ms"


def main() -> None:
    """Measure all explorers, and print a line for each."""
    parser = argparse.ArgumentParser(description="Measure how fast pictures move, and the memory they take.")
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, matplotlib {mpl.__version__}; {rounds} moves")
    print(f"{'picture':18}{'moved':>18}{'anew':>20}{'times as fast':>15}{'target':>9}{'memory':>28}")
    for name in EXPLORERS:
        explorer = getattr(pe_lib, name)()
        kind = type(explorer.picture).__name__
        moved, drawn = times(explorer, rounds)
        ratio, target = np.median(drawn) / np.median(moved), TARGETS.get(kind, 5.0)
        print(
            f"{kind:18}{median_and_decile(moved):>18}{median_and_decile(drawn):>20}{ratio:15.1f}{target:9g} "
            f"{'met' if ratio >= target else 'missed':6}{memory_in_words(name):>24}"
        )
    print("Times are medians, in brackets the ninth decile.")
    print("Memory (PSS): a kernel's modules, + the first explorer and its libraries, + 100 moves.")


if __name__ == "__main__":
    main()
