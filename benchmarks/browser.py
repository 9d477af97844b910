"""Measure in JupyterLab, in a real browser, how long a key press on a slider takes until the new picture is shown.

    python benchmarks/browser.py [--presses 30] [explore_waves …]

Four ways stand in one notebook: the explorer, which draws the next step ahead and keeps what it has drawn; the same
explorer made to draw each picture when it is asked for; (a) `interact` with `plt.show()` of the very same picture; (b)
a bare slider whose value goes to the kernel and comes back as a Label. They are pressed in turn, so that what else the
machine does meets each of them. Then 60 presses in 2 seconds: how many pictures were shown, was the last one the right
one, was a frame blank, did the page jump? Nothing is asserted: the targets are printed beside what was measured.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import pe_lib

sys.path.append(str(Path(__file__).parent.parent / "tools"))
from lab import launch, open_and_run, running_lab, write_notebook

EXPLORERS = [name for name in pe_lib.__all__ if name.startswith("explore_")]
IMPORTS = """
import ipywidgets, matplotlib.pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from pe_lib import *
import pe_lib.pictures.picture as house
"""
EXPLORER = "explorer = {name}(); explorer"
WHEN_ASKED = """
from collections import deque
later = {name}()
later._ahead._kept, later._ahead.expect = deque(maxlen=0), lambda *_: None
later
"""
INTERACT = """
def drawing(name, Kind, state):
    def draw(value):
        ours = house.Figure, house.FigureCanvasAgg
        house.Figure, house.FigureCanvasAgg = plt.figure, lambda figure: figure.canvas  # as pyplot makes them
        try:
            new = Kind(**{**state, name: value})
        finally:
            house.Figure, house.FigureCanvasAgg = ours
        with new._style():
            new._lay(); new._move()
            plt.show()
    return draw
name, control = next((n, c) for n, c in explorer.controls.items() if isinstance(c, ipywidgets.IntSlider))
draw = drawing(name, type(explorer.picture), explorer.picture.state)
ipywidgets.interact(draw, value=ipywidgets.IntSlider(control.value, min=control.min, max=control.max))
"""
BARE = """
slider, label = ipywidgets.IntSlider(0, max=60), ipywidgets.Label("0")
slider.observe(lambda change: setattr(label, "value", str(change.new)), "value")
ipywidgets.VBox([slider, label])
"""
SCRIPT = """
window.bench = {
    area: (cell) => document.querySelectorAll('.jp-CodeCell')[cell].querySelector('.jp-OutputArea'),
    handle: (cell) => bench.area(cell).querySelector('[role=slider]'),
    seen(cell) {  // the address of a picture holds or names it
        const image = bench.area(cell).querySelector('img')
        if (image) return image.complete && image.naturalWidth > 0 ? image.src : null
        return [...bench.area(cell).querySelectorAll('.widget-label')].at(-1).textContent
    },
    press(cell) {
        const handle = bench.handle(cell), at = (which) => Number(handle.getAttribute('aria-value' + which))
        if (at('now') >= at('max')) handle.dataset.way = 'ArrowLeft'
        if (at('now') <= at('min')) handle.dataset.way = 'ArrowRight'
        const key = handle.dataset.way ?? 'ArrowRight'
        handle.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))
    },
    turn_round(cell) {
        const handle = bench.handle(cell)
        handle.dataset.way = handle.dataset.way === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
    },
    frame: () => new Promise(requestAnimationFrame),
    async once(cell) {  // until another picture, decoded, or another text stands on the page
        const before = bench.seen(cell), start = performance.now()
        const took = new Promise((done) => {
            const look = () => {
                const now = bench.seen(cell), image = bench.area(cell).querySelector('img')
                if (now === null) image.addEventListener('load', look, {once: true})
                else if (now !== before) { watch.disconnect(); done(performance.now() - start) }
            }
            const watch = new MutationObserver(look)
            watch.observe(bench.area(cell), {subtree: true, childList: true, characterData: true, attributes: true})
            setTimeout(() => { watch.disconnect(); done(5000) }, 5000)
        })
        bench.press(cell)
        const result = await took
        await new Promise((done) => setTimeout(done, 120))
        return result
    },
    async burst(cell) {
        const box = () => bench.area(cell).querySelector('img')?.getBoundingClientRect()
        let blank = 0, frames = 0, jumps = 0, shown = 0, top = box()?.top, pressed = 0, last = bench.seen(cell)
        const start = performance.now()
        while (performance.now() - start < 2600) {
            while (pressed < 60 && pressed * 2000 / 60 <= performance.now() - start) { bench.press(cell); pressed++ }
            await bench.frame()
            frames++
            const now = bench.seen(cell)
            if (now === null || (top !== undefined && !box()?.height)) blank++
            else if (now !== last) { shown++; last = now }
            if (box() && Math.abs(box().top - top) > 0.5) jumps++
        }
        return {shown, blank, frames, jumps}
    },
    async pixels(cell) {
        const image = bench.area(cell).querySelector('img'), canvas = document.createElement('canvas')
        canvas.width = image.naturalWidth; canvas.height = image.naturalHeight
        canvas.getContext('2d').drawImage(image, 0, 0)
        return canvas.toDataURL()
    },
}
"""


def seconds_to_the_first_slider(browser: Any, lab: str) -> float:
    """Open the first notebook and run it, from an empty page to the first slider on it."""
    page = browser.new_page(viewport={"width": 1500, "height": 1300})
    start = time.perf_counter()
    open_and_run(page, lab, "00_start_here.ipynb")
    page.wait_for_selector("[role=slider]")
    took = time.perf_counter() - start
    page.close()
    return took


def the_last_is_right(page: Any, cell: int) -> bool:
    """Say whether the picture a burst ended in is the one that slow presses lead to."""
    after_the_burst = page.evaluate(f"bench.pixels({cell})")
    for _ in range(2):  # one step away, and one back
        page.evaluate(f"bench.turn_round({cell})")
        page.evaluate(f"bench.once({cell})")
        page.wait_for_timeout(700)
    return bool(after_the_burst == page.evaluate(f"bench.pixels({cell})"))


def measure(page: Any, name: str, cells: dict[str, int], presses: int) -> None:
    """Press the three sliders in turn, then in bursts, and print what was seen."""
    took: dict[str, list[float]] = {way: [] for way in cells}
    for _ in range(presses // 5):
        for way, cell in cells.items():
            page.evaluate(f"bench.area({cell}).scrollIntoView({{block: 'center'}})")
            page.evaluate(f"bench.once({cell})")
            took[way] += [page.evaluate(f"bench.once({cell})") for _ in range(5)]
    bursts, right = {}, {}
    for way, cell in cells.items():
        if way == "asked":
            continue
        page.evaluate(f"bench.area({cell}).scrollIntoView({{block: 'center'}})")
        page.wait_for_timeout(500)
        bursts[way] = page.evaluate(f"bench.burst({cell})")
        page.wait_for_timeout(1500)  # until the kernel has caught up
        right[way] = way == "bare" or the_last_is_right(page, cell)
    ours, asked, interact, bare = (statistics.median(took[way]) for way in ("ours", "asked", "interact", "bare"))
    most, seen, theirs = 1.6 if name == "explore_waves" else 2.0, bursts["ours"], bursts["interact"]
    shown = f"{seen['shown']} / {theirs['shown']} / {bursts['bare']['shown']}"
    print(
        f"{name.removeprefix('explore_'):13} {ours:5.0f} {asked:5.0f} {interact:5.0f} {bare:5.0f}"
        f"{interact / ours:8.1f} {_met(interact / ours >= 3.5)}{ours / bare:7.2f} {_met(ours / bare <= most)}"
        f"{shown:>15} {_met(seen['shown'] >= 2.5 * theirs['shown'])}{'yes' if right['ours'] else 'NO':>7}"
        f"{seen['blank']:>8} of {seen['frames']}{seen['jumps']:7}",
        flush=True,
    )


def _met(well: bool) -> str:
    return "met   " if well else "missed"


def main() -> None:
    """Write the notebook, open it, and measure every explorer in it."""
    parser = argparse.ArgumentParser(description="Measure sliders in JupyterLab in a real browser.")
    parser.add_argument("explorers", nargs="*", default=EXPLORERS, metavar="explore_…")
    parser.add_argument("--presses", type=int, default=30)
    given = parser.parse_args()
    names = given.explorers or EXPLORERS
    cells = [IMPORTS]
    for name in names:
        cells += [EXPLORER.format(name=name), WHEN_ASKED.format(name=name), INTERACT]
    cells.append(BARE)
    notebooks = Path(__file__).parent.parent / "notebooks"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        write_notebook(Path(folder) / "bench.ipynb", *cells)
        (Path(folder) / "00_start_here.ipynb").write_bytes((notebooks / "00_start_here.ipynb").read_bytes())
        with running_lab(Path(folder)) as lab:
            browser = launch(play)
            first = sorted(seconds_to_the_first_slider(browser, lab) for _ in range(3))
            print(f"Chromium {browser.version}")
            print(f"From opening Lab to the first slider: {', '.join(f'{t:.1f}' for t in first)} s")
            print(
                "                  median ms             (a)/ours      ours/(b)      pictures of 60       last  blank"
            )
            print(
                "               ours asked  (a)   (b)      ≥ 3.5"
                "      ≤ 2 (1.6)    ours/(a)/(b) ≥ 2.5   right  frames  jumps"
            )
            page = browser.new_page(viewport={"width": 1500, "height": 1300})
            open_and_run(page, lab, "bench.ipynb")
            page.evaluate(SCRIPT)
            page.wait_for_timeout(2000)
            for k, name in enumerate(names):
                at = 1 + 3 * k
                measure(
                    page, name, {"ours": at, "asked": at + 1, "interact": at + 2, "bare": len(cells) - 1}, given.presses
                )
            browser.close()


if __name__ == "__main__":
    main()
