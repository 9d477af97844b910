"""How smoothly the built pages move, and how soon after opening: `make web` first, then `python benchmarks/web.py`.

A step of the played control through pictures shown before, one each frame of the screen, 120 of them; other states,
chosen for the first time; and a page opened from this machine with nothing kept. `python benchmarks/web.py waves`
measures some.
"""

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

from browser import STEPS
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "tools"), str(ROOT / "web")]

from lab import launch  # noqa: E402
from serve import OUT, serving  # noqa: E402

ROUNDS = 5
OTHERS = """
async () => {
  const stage = document.querySelector('.pe-stage')
  const presets = [...document.querySelectorAll('.pe-explorer button[aria-pressed]')]
  const frame = () => new Promise(requestAnimationFrame), found = []
  for (const button of presets.filter((one) => !/answer|Cover/.test(one.textContent))) {
    const before = stage.dataset.shown
    await frame()
    button.click()
    let frames = 0
    while (stage.dataset.shown === before && frames < 60) { await frame(); frames++ }
    if (frames < 60) found.push(frames)
    await new Promise((done) => setTimeout(done, 200))
  }
  return found
}
"""
OPENED = """
() => new Promise((done) => {
  const look = () => document.querySelector('.pe-stage[data-shown]') ? done(performance.now()) : setTimeout(look, 5)
  look()
})
"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def opened(browser: Any, address: str, ratio: int = 1, slower: int = 1) -> Any:
    """Open a page with nothing kept, on a processor that is so many times slower."""
    context = browser.new_context(viewport={"width": 1120, "height": 700}, device_scale_factor=ratio)
    page = context.new_page()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(address, wait_until="commit")
    return page


def main() -> None:
    """Measure the files of single explorers, then the start of some pages."""
    parser = argparse.ArgumentParser(description="Measure the built pages in a browser.")
    parser.add_argument("explorers", nargs="*", metavar="waves")
    names = parser.parse_args().explorers or sorted(path.stem for path in (OUT / "explore").glob("*.html"))
    with sync_playwright() as play, serving(OUT) as site:
        browser = launch(play)
        print(f"Chromium {browser.version}; at ratio 1, at 2, and at 2 with the processor slowed four times:")
        print("steps in time of 120, and the most frames until another state is shown")
        for name in names:
            steps, others = [], []
            for ratio, slower in ((1, 1), (2, 1), (2, 4)):
                page = opened(browser, f"{site}explore/{name}.html", ratio, slower)
                page.wait_for_selector(".pe-stage[data-shown]")
                steps.append(page.evaluate(STEPS) if page.locator(".pe-played").count() else "-")
                others.append(max(page.evaluate(OTHERS), default=0))
                page.context.close()
            print(f"{name:14}{steps}   most frames {others}", flush=True)
        print("milliseconds from opening to the first picture, and until it moves; medians")
        for name in ("index.html", "notebooks/04_read_the_waves.html", "explore/waves.html"):
            times = []
            for _ in range(ROUNDS):
                page = opened(browser, f"{site}{name}")
                page.wait_for_selector("[data-explorer]", state="attached")
                page.evaluate("document.querySelector('[data-explorer]').scrollIntoView({behavior: 'instant'})")
                moving = page.evaluate(OPENED)
                times.append((page.evaluate(PAINTED), moving))
                page.context.close()
            painted, moving = (statistics.median(column) for column in zip(*times, strict=True))
            print(f"{name:36}{painted:6.0f}{moving:6.0f}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
