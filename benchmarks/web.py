"""How smoothly the built pages move, and how soon after opening: `make web` first, then `python benchmarks/web.py`.

120 steps of the played control through pictures shown before, one for each frame of the screen; other states of the
pack, shown for the first time; and pages opened from this machine with nothing kept. `python benchmarks/web.py waves`
measures some explorers only.
"""

import argparse
import os
import statistics
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "tools"), str(ROOT / "web")]

from lab import launch  # noqa: E402
from serve import OUT, serving  # noqa: E402

ROUNDS = 3
SETTINGS = ((1, 1), (2, 1), (2, 4))  # the pixel ratio, and how many times slower the processor is made
MOVED = """
async () => {
  const host = document.querySelector('[data-explorer]'), stage = host.querySelector('.pe-stage')
  const range = host.querySelector('.pe-played input[type=range]')
  const frame = () => new Promise(requestAnimationFrame), rest = (ms) => new Promise((done) => setTimeout(done, ms))
  const go = (k) => { range.value = k; range.dispatchEvent(new Event('input', { bubbles: true })) }
  const { spec, states } = await unpacked(host.dataset.explorer), most = Math.min(Number(range.max), 19)

  for (let k = most; k >= 0; k--) { go(k); await rest(60) }
  let inTime = 0
  await frame()
  for (let step = 1; step <= 120; step++) {
    const at = step % (2 * most), before = stage.dataset.shown
    go(at <= most ? at : 2 * most - at)
    await frame()
    inTime += stage.dataset.shown !== before
  }

  const others = []
  for (let k = 1; k <= 12; k++) {
    const values = states[(k * 7919) % states.length][0]
    const state = Object.fromEntries(spec.controls.map(({ name }, at) => [name, values[at]]))
    const wanted = JSON.stringify(Object.entries(state).sort())
    if (stage.dataset.shown === wanted) continue
    await rest(50)
    await frame()
    host.explorer.goTo(state)
    let frames = 0
    do { await frame(); frames++ } while (stage.dataset.shown !== wanted && frames < 60)
    others.push(frames)
  }
  return [inTime, Math.max(...others)]
}
"""
OPENED = """
window.opened = new Promise((done) => {
  let still, picture
  const look = () => {
    const host = document.querySelector('[data-explorer]')
    if (host && !still) {
      for (let fold = host; (fold = fold.parentElement); ) if (fold.tagName === 'DETAILS') fold.open = true
      still = host.querySelector('img')
      still.decode().then(() => requestAnimationFrame(() => (picture = performance.now())))
    }
    host?.scrollIntoView({ behavior: 'instant' })
    if (picture && host.querySelector('.pe-stage[data-shown]')) done([picture, performance.now()])
    else requestAnimationFrame(look)
  }
  look()
})
"""


def opened(browser: Any, address: str, ratio: int = 1, slower: int = 1) -> Any:
    """Open a page with nothing kept, on a processor that is so many times slower."""
    context = browser.new_context(viewport={"width": 1120, "height": 700}, device_scale_factor=ratio)
    context.add_init_script(OPENED)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(address, wait_until="commit")
    return page


def load() -> str:
    """Say how many programs have been running or waiting, on average, in the last minute."""
    return f"load {os.getloadavg()[0]:.1f}"


def main() -> None:
    """Measure the files of single explorers, then the start of some pages."""
    parser = argparse.ArgumentParser(description="Measure the built pages in a browser.")
    parser.add_argument("explorers", nargs="*", metavar="waves")
    names = parser.parse_args().explorers or sorted(path.stem for path in (OUT / "explore").glob("*.html"))
    lessons = sorted(path.relative_to(OUT).as_posix() for path in (OUT / "notebooks").glob("*.html"))
    with sync_playwright() as play, serving(OUT) as site:
        browser = launch(play)
        print(f"Chromium {browser.version}; at ratio 1, at 2, and at 2 with the processor slowed four times:")
        print("steps in time of 120, and the most frames until another state is shown")
        for name in names:
            found = []
            for ratio, slower in SETTINGS:
                page = opened(browser, f"{site}explore/{name}.html", ratio, slower)
                page.wait_for_selector(".pe-stage[data-shown]")
                found.append(page.evaluate(MOVED))
                page.context.close()
            steps, others = zip(*found, strict=True)
            print(f"{name:14}{', '.join(map(str, steps)):16}{', '.join(map(str, others)):10}{load()}", flush=True)
        print(f"milliseconds from opening to the first picture, and until it moves; medians of {ROUNDS}")
        for name in ("index.html", *lessons, "explore/waves.html"):
            times = []
            for _ in range(ROUNDS):
                page = opened(browser, f"{site}{name}")
                times.append(page.evaluate("window.opened"))
                page.context.close()
            picture, moving = (statistics.median(column) for column in zip(*times, strict=True))
            print(f"{name:48}{picture:6.0f}{moving:6.0f}   {load()}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
