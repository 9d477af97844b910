"""Measure how pictures move in a browser: `python benchmarks/gliding.py`.

In JupyterLab, the time from a key to the first frame that has moved, beside a bare ipywidgets slider whose value comes
back as text, and where 60 keys in 2 s lead, also with a kernel that takes 100 ms. On a page, what a frame of a gliding
picture costs by the browser's own trace, and how many of 120 come in time, at pixel ratio 1 and 2.
"""

import itertools
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import pe_pictures
from pe_pictures.explorers.pack import script
from pe_pictures.explorers.script import SCRIPT, STYLE

sys.path.append(str(Path(__file__).parent.parent / "tools"))
from lab import launch, open_and_run, running_lab, write_notebook

EXPLORERS = {
    "explore_clocks": "explore_clocks(position=0)",
    "explore_waves": "explore_waves(d_model=16, length=400, position=0)",
    "explore_heatmap": "explore_heatmap()",
    "explore_look_back": "explore_look_back()",
}
SLOW = """import time
slow = {made}
answer = slow.answer
slow.answer = lambda request: time.sleep(0.1) or answer(request)
slow"""
BARE = """import ipywidgets
slider, label = ipywidgets.IntSlider(0, max=200), ipywidgets.Label("0")
slider.observe(lambda change: setattr(label, "value", str(change.new)), "value")
ipywidgets.VBox([slider, label])"""
IN_LAB = """() => {
    const area = (cell) => document.querySelectorAll(".jp-CodeCell")[cell].querySelector(".jp-OutputArea")
    const wait = (time) => new Promise((done) => setTimeout(done, time))
    const parts = (cell) => {
        const sheet = area(cell).querySelector(".pe-sheet")
        return sheet ? [area(cell).querySelector(".pe-axis input"), sheet.shadowRoot.querySelector(".move")]
            : [area(cell).querySelector("[role=slider]"), [...area(cell).querySelectorAll(".widget-label")].at(-1)]
    }
    const press = (handle, key = "ArrowRight") =>
        handle.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
    window.keyed = async (cell, k) => { // milliseconds from a key to the first change
        const [handle, seen] = parts(cell)
        if (!k) press(handle, "Home"), await wait(1500)
        const start = performance.now()
        const took = new Promise((done) => {
            const watch = new MutationObserver(() => (watch.disconnect(), done(performance.now() - start)))
            watch.observe(seen, { subtree: true, childList: true, characterData: true, attributes: true })
        })
        press(handle)
        const result = await took
        await wait(400)
        return result
    }
    window.sixty = async (cell) => { // keys in two seconds: how many places were shown, and where it came to
        const [handle, seen] = parts(cell), stage = area(cell).querySelector(".pe-stage"), shown = new Set()
        const now = () => (stage ? stage.dataset.shown : seen.textContent)
        const place = () => Number(handle.value ?? seen.textContent)
        press(handle, "Home")
        await wait(1500)
        const start = performance.now(), from = place()
        for (let pressed = 0; performance.now() - start < 3500; await new Promise(requestAnimationFrame)) {
            for (; pressed < 60 && pressed * 2000 / 60 <= performance.now() - start; pressed++) press(handle)
            shown.add(now())
        }
        return [shown.size - 1, place() - from]
    }
}"""
PLAYED = """async () => { // 120 frames while it plays
    const times = []
    document.querySelector(".pe-play").click()
    await new Promise((done) => {
        const look = (time) => (times.push(time), times.length > 130 ? done() : requestAnimationFrame(look))
        requestAnimationFrame(look)
    })
    document.querySelector(".pe-play").click()
    return times.slice(-121).map((time, k, all) => time - all[k - 1]).slice(1).filter((took) => took < 25).length
}"""
WORK = ("FunctionCall", "FireAnimationFrame", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit")


def in_lab(browser: Any, folder: Path) -> None:
    """Print what keys do in JupyterLab."""
    made = [*EXPLORERS.values(), SLOW.format(made=EXPLORERS["explore_waves"])]
    write_notebook(folder / "gliding.ipynb", "from pe_pictures import *", BARE, *made)
    with running_lab(folder) as lab:
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        open_and_run(page, lab, "gliding.ipynb")
        page.evaluate(IN_LAB)
        print("| JupyterLab | key to first change, median | 60 keys in 2 s: shown | lead on |\n|---|--:|--:|--:|")
        for cell, name in enumerate(["a bare slider", *EXPLORERS, "explore_waves, kernel of 100 ms"], 1):
            page.evaluate("(k) => document.querySelectorAll('.jp-CodeCell')[k].scrollIntoView({block: 'center'})", cell)
            page.wait_for_timeout(1000)
            took = statistics.median(page.evaluate(f"keyed({cell}, {k})") for k in range(12))
            shown, led = page.evaluate(f"sixty({cell})")
            print(f"| {name} | {took:.1f} ms | {shown} | {led:g} |", flush=True)
        page.close()


def on_a_page(browser: Any, folder: Path) -> None:
    """Print what a frame costs."""
    (folder / "script.js").write_text(f"globalThis.pePage = true;\n{SCRIPT}")
    head = f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>"
    print("\n| playing on a page | ratio | a frame, median | 95 % | in time, of 120 |\n|---|--:|--:|--:|--:|")
    for name, made in EXPLORERS.items():
        (folder / "pack.js").write_text(script(name, eval(made, {name: getattr(pe_pictures, name)})))
        (folder / "page.html").write_text(
            f"{head}<div data-explorer={name} data-pack=pack.js></div><script src=script.js></script>"
        )
        for ratio in (1, 2):
            page = browser.new_page(viewport={"width": 1280, "height": 720}, device_scale_factor=ratio)
            page.goto(f"file://{folder}/page.html")
            page.wait_for_selector(".pe-stage[data-shown]")
            page.keyboard.press("Tab")
            page.wait_for_timeout(500)
            frames, intime = traced(page, lambda page=page: page.evaluate(PLAYED))
            late = statistics.quantiles(frames, n=20)[-1]
            print(f"| {name} | {ratio} | {statistics.median(frames):.1f} ms | {late:.1f} ms | {intime} |", flush=True)
            page.close()


def traced(page: Any, act: Any) -> tuple[list[float], Any]:
    """Return the milliseconds that the main thread worked for each frame while something went on, and its result."""
    client, events, done = page.context.new_cdp_session(page), [], []
    client.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    client.on("Tracing.tracingComplete", lambda data: done.append(data))
    client.send("Tracing.start", {"transferMode": "ReportEvents", "categories": "devtools.timeline"})
    result = act()
    client.send("Tracing.end")
    while not done:
        page.wait_for_timeout(50)
    work = sorted((e["ts"], e["ts"] + e.get("dur", 0)) for e in events if e.get("ph") == "X" and e["name"] in WORK)
    begun = sorted(e["ts"] for e in events if e["name"] == "FireAnimationFrame")
    frames, until = [], 0
    for at, after in itertools.pairwise(begun):
        busy = 0
        for start, end in work:
            if at <= start < after and end > until:  # what lies within another is counted once
                busy, until = busy + end - max(start, until), end
        frames.append(busy / 1000)
    return [frame for frame in frames if frame > 0.05], result


def main() -> None:
    """Measure in JupyterLab, then on a page."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        browser = launch(play)
        on_a_page(browser, Path(folder))
        in_lab(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
