"""Measure how fast each picture moves in the kernel, beside drawing it anew, and how much memory an explorer takes.

Every step moves the field that plays; `anew` draws background and moving layer, `png` the picture that is stored. The
milliseconds are processor time, medians. Nothing is asserted.
"""

import itertools
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import numpy as np

import pe_lib
from pe_lib.explorers.explorer import Explorer

EXPLORERS = [name for name in pe_lib.__all__ if name.startswith("explore_")]
STEPS = 100
MEMORY = """
import re, sys
def pss():
    return int(re.search(r"^Pss:\\s+(\\d+) kB", open("/proc/self/smaps_rollup").read(), re.M)[1]) / 1024
import ipykernel.kernelapp, numpy
before = pss()
explorer = getattr(__import__("pe_lib"), sys.argv[1])()
explorer._repr_mimebundle_()
first = pss()
limits = explorer.answer({"fresh": True})["limits"][explorer.play]
for value in list(range(limits["least"], min(limits["greatest"], limits["least"] + 50) + 1)) * 2:
    explorer.answer({"set": {explorer.play: value}})
print(before, first, pss())
"""


def milliseconds(calls: list[Callable[[], Any]]) -> float:
    """Return the median processor time of some calls."""
    took = []
    for call in calls:
        before = time.process_time()
        call()
        took.append(time.process_time() - before)
    return 1e3 * statistics.median(took)


def measure(explorer: Explorer) -> str:
    """Return a row: milliseconds to move, to draw anew and to store, and the bytes of both layers and the PNG."""
    picture, field = explorer.picture, explorer.fields[str(explorer.play)]
    least, greatest = field.limits(picture.state) or (0, 0)
    there = range(least, min(greatest, least + 60) + 1, getattr(field, "step", 1))
    picture.frame()
    around = itertools.islice(itertools.cycle([*there, *reversed(there)]), STEPS)
    moved = milliseconds([lambda k=k: picture.update(**{field.name: k}).frame() for k in around])  # type: ignore[misc]
    anew = milliseconds([lambda: type(picture)(**picture.state).frame()] * 10)
    png = milliseconds([picture.png] * 3)
    sizes = [len(layer) / 1000 for layer in picture.frame()] + [len(picture.png()) / 1000]
    return f"{moved:7.1f}{anew:7.1f}{png:7.0f}   {'  '.join(f'{size:6.1f}' for size in sizes)}"


def main() -> None:
    """Print a table over all explorers."""
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, matplotlib {mpl.__version__}")
    print(f"{'':13} moved   anew    png   kB: background, moving, png   MiB: before, shown, after 100 moves")
    for name in EXPLORERS:
        row = measure(getattr(pe_lib, name)())
        memory = subprocess.run([sys.executable, "-c", MEMORY, name], capture_output=True, text=True, check=True).stdout
        mebibytes = "  ".join(f"{float(x):.0f}" for x in memory.split())
        print(f"{name.removeprefix('explore_'):13}{row}      {mebibytes}", flush=True)


if __name__ == "__main__":
    main()
