"""Measure how long a learner waits, each time beside something else: `python benchmarks/times.py`.

An import, a step of a picture, a training, and the time from a key to the picture in JupyterLab. Two ways take turns,
and their medians are printed with the ratio. `python benchmarks/times.py explore_scores` takes other explorers.
"""

import itertools
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import pe_lib
from pe_lib import Run, train

sys.path.append(str(Path(__file__).parent.parent / "tools"))
from lab import launch, open_and_run, running_lab, write_notebook

EXPLORERS = sys.argv[1:] or ["explore_clocks", "explore_waves", "explore_heatmap", "explore_scores"]
BARE = """
import ipywidgets
slider, label = ipywidgets.IntSlider(), ipywidgets.Label("0")
slider.observe(lambda change: setattr(label, "value", str(change.new)), "value")
ipywidgets.VBox([slider, label])
"""
INTERACT = """
import ipywidgets, matplotlib.pyplot as plt, pe_lib
def waves(position):
    plt.plot(pe_lib.sinusoidal_encoding(60, 8))
    plt.axvline(position)
ipywidgets.interact(waves, position=(0, 59));
"""
# Presses an arrow key in the output of a cell, and looks in each frame of the screen whether something else is shown.
KEY_TO_PICTURE = """async (cell) => {
    const area = document.querySelectorAll(".jp-CodeCell")[cell].querySelector(".jp-OutputArea")
    const sheet = area.querySelector(".pe-sheet"), frame = () => new Promise(requestAnimationFrame)
    const shown = () => sheet ? (sheet.shadowRoot ?? sheet).innerHTML
        : area.querySelector("img")?.src ?? [...area.querySelectorAll(".widget-label")].at(-1).textContent
    area.scrollIntoView({ block: "center" })
    await frame()
    const before = shown(), start = performance.now()
    const pressed = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true })
    void (sheet ?? area.querySelector("[role=slider]")).dispatchEvent(pressed)
    while (shown() === before && performance.now() - start < 5000) await frame()
    const took = performance.now() - start
    await new Promise((done) => setTimeout(done, 400))
    return took
}"""


def milliseconds(call: Callable[[], object]) -> float:
    """Time one call."""
    before = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - before)


def compare(what: str, ours: Callable[[], float], beside: str, other: Callable[[], float], rounds: int) -> None:
    """Let two ways take turns, each of which says how many milliseconds it took, and print their medians."""
    ours(), other()  # what is only done once, is done
    took = [(ours(), other()) for _ in range(rounds)]
    mine, theirs = (statistics.median(column) for column in zip(*took, strict=True))
    print(f"| {what} | {mine:.1f} ms | {beside} | {theirs:.1f} ms | {mine / theirs:.2f} |", flush=True)


def in_python() -> None:
    """Measure what needs no browser."""

    def imported(name: str) -> float:
        return milliseconds(lambda: subprocess.run([sys.executable, "-c", f"import {name}"], check=True))

    compare("import pe_lib", lambda: imported("pe_lib"), "import numpy", lambda: imported("numpy"), 9)
    for name in EXPLORERS:
        explorer = getattr(pe_lib, name)()
        here = explorer.picture.state[explorer.play]
        sets = itertools.cycle([{"set": {explorer.play: here + 1}}, {"set": {explorer.play: here}}])
        step = partial(lambda explorer, sets: milliseconds(lambda: explorer.answer(next(sets))), explorer, sets)
        png = partial(milliseconds, explorer.picture.png)
        compare(f"a step of {name}", step, "the same picture by matplotlib", png, 5)
    words = np.random.default_rng(0).integers(len(pe_lib.WORDS), size=(32, 32))
    forward = Run().network.forward
    compare(
        "200 steps of a training",
        lambda: milliseconds(lambda: train(Run(steps=200))),
        "200 times the network without learning",
        lambda: milliseconds(lambda: [forward(words) for _ in range(200)]),
        5,
    )


def in_lab() -> None:
    """Measure the time from a key to the picture in JupyterLab."""
    cells = [BARE, INTERACT, *(f"import pe_lib\npe_lib.{name}()" for name in EXPLORERS)]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        write_notebook(Path(folder) / "bench.ipynb", *cells)
        with running_lab(Path(folder)) as lab:
            page = launch(play).new_page(viewport={"width": 1500, "height": 1300})
            open_and_run(page, lab, "bench.ipynb")
            page.wait_for_timeout(2000)
            bare, interact, *ours = (partial(page.evaluate, KEY_TO_PICTURE, k) for k in range(len(cells)))
            compare("key to figure, `interact`", interact, "key to text, a bare slider", bare, 12)
            for name, key in zip(EXPLORERS, ours, strict=True):
                compare(f"key to picture, {name}", key, "key to text, a bare slider", bare, 12)


print("| | median | beside | median | ratio |\n|---|--:|---|--:|--:|")
in_python()
in_lab()
