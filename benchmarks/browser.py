"""How soon a moved slider shows its picture in JupyterLab, and how smoothly a page steps through pictures.

Beside every explorer stand, in the same notebook and measured in turn: (a) the picture drawn anew by `interact`,
and (b) a bare ipywidgets slider whose value comes back to a label. `python benchmarks/browser.py explore_waves`
measures some explorers only.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import pe_lib
from pe_lib.explorers.live import SCRIPT, STYLE
from pe_lib.explorers.pack import script

sys.path.append(str(Path(__file__).parent.parent / "tools"))
from lab import launch, open_and_run, running_lab, write_notebook

EXPLORERS = [name for name in pe_lib.__all__ if name.startswith("explore_")]
PRESSES, LATER = 30, 25  # for each median; milliseconds that a picture may come after the bare text
ALL_AT_ONCE = 100  # milliseconds from the key in which all pictures of the board have to move
IMPORTS = """
import io, ipywidgets, matplotlib.pyplot as plt
from IPython.display import Image, display
from pe_lib import *
def drawn(Kind, name):
    return lambda value: display(Image(Kind(**{name: value}).png(), width=1100))
"""
OURS = """
{name}_ = {name}()
type({name}_.picture).lasting = False  # the page keeps nothing, and asks each time
if {name}_.picture.work:  # is done before it is measured: here training
    {name}_.answer({{"set": {{{name}_.play: {name}_.answer({{"fresh": True}})["limits"][{name}_.play]["greatest"]}}}})
{name}_
"""
INTERACT = """
name, ends = {name}_.play, {name}_.answer({{"fresh": True}})["limits"][{name}_.play]
slider = ipywidgets.IntSlider({name}_.picture.state[name], min=ends["least"], max=ends["greatest"])
ipywidgets.interact(drawn(type({name}_.picture), name), value=slider);
"""
BARE = """
slider, label = ipywidgets.IntSlider(0, max=60), ipywidgets.Label("0")
slider.observe(lambda change: setattr(label, "value", str(change.new)), "value")
ipywidgets.VBox([slider, label])
"""
BENCH = """
window.bench = {
  area: (cell) => document.querySelectorAll('.jp-CodeCell')[cell].querySelector('.jp-OutputArea'),
  seen(cell) {
    const stage = bench.area(cell).querySelector('.pe-stage'), image = bench.area(cell).querySelector('img')
    if (stage) return stage.dataset.shown
    return image ? image.src.slice(-4000) : [...bench.area(cell).querySelectorAll('.widget-label')].at(-1).textContent
  },
  press(cell) {
    const own = bench.area(cell).querySelector('.pe-played input[type=range]'), state = (bench.ways ??= {})
    const handle = own ?? bench.area(cell).querySelector('[role=slider]')
    const at = own ? Number(own.value) : Number(handle.getAttribute('aria-valuenow'))
    const least = Number(own ? own.min : handle.getAttribute('aria-valuemin'))
    const most = Number(own ? own.max : handle.getAttribute('aria-valuemax'))
    if (at >= most) state[cell] = -1
    if (at <= least) state[cell] = 1
    const way = (state[cell] ??= 1)
    if (own) { own.value = at + way * Number(own.step); own.dispatchEvent(new Event('input', {bubbles: true})) }
    else {
      const key = way > 0 ? 'ArrowRight' : 'ArrowLeft'
      handle.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))
    }
  },
  frame: () => new Promise(requestAnimationFrame),
  async once(cell) {
    const before = bench.seen(cell), start = performance.now()
    const took = new Promise((done) => {
      const look = () => bench.seen(cell) !== before && (watch.disconnect(), done(performance.now() - start))
      const watch = new MutationObserver(look)
      watch.observe(bench.area(cell), {subtree: true, childList: true, characterData: true, attributes: true})
      setTimeout(() => (watch.disconnect(), done(5000)), 5000)
    })
    bench.press(cell)
    const result = await took
    await new Promise((done) => setTimeout(done, 150))
    return result
  },
  async burst(cell) {
    let shown = 0, pressed = 0, last = bench.seen(cell), blank = 0
    const start = performance.now()
    while (performance.now() - start < 2600) {
      while (pressed < 60 && pressed * 2000 / 60 <= performance.now() - start) { bench.press(cell); pressed++ }
      await bench.frame()
      const now = bench.seen(cell), images = bench.area(cell).querySelectorAll('.pe-sheet img')
      if ([...images].some((image) => !image.complete || !image.naturalWidth)) blank++
      if (now !== last) { shown++; last = now }
    }
    return {shown, blank}
  },
}
"""
STEPS = """
async () => {
  const stage = document.querySelector('.pe-stage'), range = document.querySelector('.pe-played input[type=range]')
  const frame = () => new Promise(requestAnimationFrame), most = Math.min(Number(range.max), 59)
  const go = (k) => { range.value = k; range.dispatchEvent(new Event('input', {bubbles: true})) }
  for (let k = 0; k <= most; k++) { go(k); await new Promise((done) => setTimeout(done, 60)) }
  const turned = (at) => (at <= most ? at : 2 * most - at)
  const order = Array.from({length: 120}, (_, k) => turned(k % (2 * most)))
  let late = 0, seen = stage.dataset.shown
  go(order[0]); await new Promise((done) => setTimeout(done, 200))
  for (const k of order.slice(1)) {
    seen = stage.dataset.shown
    await frame()
    go(k)
    await frame()
    if (stage.dataset.shown === seen) late++
  }
  return 120 - late
}
"""


def medians(page: Any, cells: dict[str, int]) -> dict[str, float]:
    """Press each slider in turn; return the median milliseconds from the key to what it shows."""
    took: dict[str, list[float]] = {way: [] for way in cells}
    for _ in range(PRESSES // 5):
        for way, cell in cells.items():
            page.evaluate(f"bench.area({cell}).scrollIntoView({{block: 'center'}})")
            page.evaluate(f"bench.once({cell})")
            took[way] += [page.evaluate(f"bench.once({cell})") for _ in range(5)]
    return {way: statistics.median(times) for way, times in took.items()}


def steps_in_time(browser: Any, name: str, folder: Path) -> list[int]:
    """Step through frames that a page has; return how many of 120 stood there in time, at pixel ratio 1 and 2."""
    (folder / "pack.js").write_text(script(name, getattr(pe_lib, name)()))
    (folder / "script.js").write_text(f"globalThis.pePage = true;\n{SCRIPT}")
    (folder / "page.html").write_text(
        f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><div data-explorer={name}></div>"
        "<script src=pack.js></script><script src=script.js></script>"
    )
    found = []
    for ratio in (1, 2):
        page = browser.new_page(viewport={"width": 1120, "height": 700}, device_scale_factor=ratio)
        page.goto(f"file://{folder}/page.html")
        page.wait_for_selector(".pe-stage[data-shown]")
        found.append(page.evaluate(STEPS))
        page.close()
    return found


def _met(well: bool) -> str:
    return "met" if well else "MISSED"


def main() -> None:
    """Write the notebook, open it, and measure every explorer in it."""
    parser = argparse.ArgumentParser(description="Measure sliders in JupyterLab in a real browser.")
    parser.add_argument("explorers", nargs="*", metavar="explore_…")
    names = parser.parse_args().explorers or EXPLORERS
    cells = [IMPORTS, BARE]
    for name in names:
        cells += [OURS.format(name=name), INTERACT.format(name=name)]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        write_notebook(Path(folder) / "bench.ipynb", *cells)
        with running_lab(Path(folder)) as lab:
            browser = launch(play)
            print(f"Chromium {browser.version}; milliseconds from the key, medians of {PRESSES}")
            print(
                f"{'':13} ours  (a)  (b)  ours-(b)     pictures of 60, ours and (b)     in time of 120, ratio 1 and 2"
            )
            page = browser.new_page(viewport={"width": 1500, "height": 1300})
            open_and_run(page, lab, "bench.ipynb")
            page.evaluate(BENCH)
            page.wait_for_timeout(2000)
            for k, name in enumerate(names):
                ways = {"ours": 2 + 2 * k, "interact": 3 + 2 * k, "bare": 1}
                took = medians(page, ways)
                bursts = {way: page.evaluate(f"bench.burst({ways[way]})") for way in ("ours", "bare")}
                later, (ours, bare) = took["ours"] - took["bare"], (bursts[way]["shown"] for way in ("ours", "bare"))
                soon = took["ours"] <= ALL_AT_ONCE if name == "explore_all" else later <= LATER
                steps = steps_in_time(browser, name, Path(folder))
                print(
                    f"{name.removeprefix('explore_'):13}{took['ours']:5.0f}{took['interact']:5.0f}{took['bare']:5.0f}"
                    f"{later:7.0f} {_met(soon):8} {ours:4} {bare:4} {_met(ours >= 0.75 * bare):7}"
                    f" blank {bursts['ours']['blank']:2}       {steps} {_met(min(steps) >= 118)}",
                    flush=True,
                )
            browser.close()


if __name__ == "__main__":
    main()
