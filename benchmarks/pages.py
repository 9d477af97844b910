"""Measure Python in the pages: `make web`, then `python benchmarks/pages.py`; it needs the Pyodide of the tests.

What is waited for in a browser, beside what the same takes in this Python; and how much is loaded. Nothing crosses a
network here: add to what is cold the time that 10 MB take.
"""

import contextlib
import gzip
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import sync_playwright

import pe_pictures
from pe_exercises import exercises

sys.path.append(str(Path(__file__).parent.parent / "tools"))
sys.path.append(str(Path(__file__).parent.parent / "web"))
from lab import launch
from python_for_pages import ADDRESS, FOLDER, PACKAGES, PARTS, wheels
from serve import Quiet, serving

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "web" / "_build"
TRAINING = 'from pe_lib.experiments import networks\nlen(networks("none", seeds=3, steps=150))'
RUN = """async ([own, code, wanted]) => { // milliseconds from Run to what is wanted
  const root = own ? document.querySelector('[data-own]')
    : [...document.querySelectorAll('.pe-cell')].find((one) => one.querySelector('textarea').value.includes(code))
  const area = root.querySelector('textarea'), [run] = root.querySelectorAll('.pe-bar button')
  if (own) (area.value = code), area.dispatchEvent(new Event('input'))
  const start = performance.now()
  run.click()
  while (run.hidden || !root.querySelector(`.pe-out ${wanted}`)) await new Promise((later) => setTimeout(later, 2))
  return performance.now() - start
}"""
MOVED = """async ([selector, act]) => { // milliseconds to the picture that follows
  const stage = document.querySelector('.pe-out .pe-stage'), before = stage.dataset.shown
  const control = document.querySelector(selector), start = performance.now()
  new Function('control', act)(control)
  while (stage.dataset.shown === before) await new Promise((later) => setTimeout(later, 1))
  const took = performance.now() - start
  await new Promise((later) => setTimeout(later, 500))
  return took
}"""
KEY = "control.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }))"
WORDS = "control.value += ' x'; control.dispatchEvent(new Event('input'))"


class Open(Quiet):
    """Serves to pages of any origin."""

    def end_headers(self) -> None:
        """Let any page read it."""
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


def page_with(line: str) -> tuple[str, str]:
    """Return the page of the first notebook one of whose cells has a line that begins like this, and that line."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            for found in cell.source.split("\n") if cell.cell_type == "code" else ():
                if found.startswith(line):
                    return f"notebooks/{path.stem}.html", found
    raise LookupError(line)


def here(act: Callable[[], object], times: int = 7) -> float:
    """Return the milliseconds that something takes in this Python, the median of some times."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        took.append(1000 * (time.perf_counter() - began))
    return statistics.median(took)


def times(browser: Any, site: str, python: str) -> None:
    """Print what is waited for."""
    script = (SITE / "_static" / "cells.js").read_text(encoding="utf-8").replace(ADDRESS, python)
    lesson, check = page_with("check(")
    picture, explore = page_with("explore_number(")

    def opened(context: Any, name: str) -> Any:
        page = context.new_page()
        page.route("**/_static/cells.js*", lambda route: route.fulfill(body=script, content_type="text/javascript"))
        page.goto(site + name)
        return page

    def row(what: str, took: float, beside: float | None = None) -> None:
        ratio = f"{beside:.1f} ms | {took / beside:.1f}" if beside else " | "
        print(f"| {what} | {took:.0f} ms | {ratio} |", flush=True)

    print("| from Run, or from a key | in a page | in this Python | ratio |\n|---|--:|--:|--:|")
    asked = [False, check, "pre"]
    name = check.split('"')[1]
    exercise = exercises()[name]
    value = re.findall(r"^def (\w+)", exercise.solution.code)[0] + ("" if exercise.inputs else "()")
    imports = "import numpy as np\nfrom pe_lib import *\nfrom pe_pictures import *"
    answer = f'{imports}\n\n{exercise.solution.code}\n\ncheck("{name}", {value})'
    context = browser.new_context()
    cold = opened(context, lesson)
    row("an exercise, with nothing in the cache", cold.evaluate(RUN, asked))
    cold.close()
    warm = [opened(context, lesson).evaluate(RUN, asked) for _ in range(3)]
    row("an exercise, Python in the cache", statistics.median(warm))
    page = opened(context, lesson)
    page.evaluate(
        "document.querySelector('[data-own] textarea').dispatchEvent(new Event('input'))"
    )  # as the first letter does
    page.wait_for_timeout(15_000)
    row("an exercise, 15 s after the first letter", page.evaluate(RUN, asked))
    later = statistics.median(page.evaluate(RUN, [True, answer, "pre"]) for _ in range(9))
    row("each later check", later, here(lambda: exec(answer, {})))
    row("150 steps of a training", page.evaluate(RUN, [True, TRAINING, "pre"]), here(lambda: exec(TRAINING, {}), 1))
    page.close()
    page = opened(context, picture)
    row(f"`{explore}`, the first picture, Python in the cache", page.evaluate(RUN, [False, explore, "[data-shown]"]))
    more = page.locator(".pe-out [aria-expanded]")
    more.click()
    explorer = eval(explore, {"explore_number": pe_pictures.explore_number})
    states = iter([{"tokens": ("a", "b", *"x" * k)} for k in range(1, 9)])
    beside = here(lambda: explorer.answer({"set": next(states), "fresh": True}))
    word = [page.evaluate(MOVED, [".pe-out .pe-words input", WORDS]) for _ in range(7)]
    row("a key that changes the sentence", statistics.median(word), beside)
    keys = [page.evaluate(MOVED, [".pe-out .pe-axis input", KEY]) for _ in range(5)]
    row("an arrow key", statistics.median(keys))


def sizes() -> None:
    """Print what is loaded."""
    print("\n| loaded | as it lies | gzipped |\n|---|--:|--:|")
    static = SITE / "_static"
    lock = json.loads((FOLDER / "pyodide-lock.json").read_text())
    numpy = lock["packages"]["numpy"]["file_name"]
    drawing = wheels(lock) - {numpy}
    for what, files in {
        "with every page that has cells": [static / "cells.js", static / "cells.css"],
        "with the first Run": [*static.glob("library-*.js"), *(FOLDER / name for name in PARTS), FOLDER / numpy],
        f"with the first plot: {PACKAGES[1]} and what it needs": [FOLDER / name for name in drawing],
    }.items():
        texts = [file.read_bytes() for file in files]
        gzipped = sum(len(gzip.compress(text)) for text in texts)
        print(f"| {what} | {sum(map(len, texts)) / 1e3:,.0f} kB | {gzipped / 1e3:,.0f} kB |")


if __name__ == "__main__":
    with serving(SITE) as site, serving(FOLDER, Open) as python, sync_playwright() as play:
        browser = launch(play)
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # where it is noted what is solved
            times(browser, site, python)
        browser.close()
    sizes()
