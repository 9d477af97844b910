"""In JupyterLab, in a real browser: notebooks run, controls move their pictures, and nothing leaves this machine."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lab import launch, open_and_run, running_lab, write_notebook

import pe_lib

playwright_api = pytest.importorskip("playwright.sync_api")
Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
ALL_EXPLORERS = "all_explorers.ipynb"
EXPLORERS = [name for name in pe_lib.__all__ if name.startswith("explore_")]
HOW_MANY_WIDGETS = "from ipywidgets.widgets import widget; print(len(widget._instances), 'widgets')"
TYPED = {
    "HTML": "<b>bold</b> <img src=x onerror=alert(1)> <script>alert(1)</script>",
    "LaTeX": "$x^2$ \\frac{1}{2} $$",
    "emoji and Hebrew": "smile 😀 שלום עולם",
    "10,000 characters": "x" * 10_000,
}

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("lab") / "notebooks"
    shutil.copytree(NOTEBOOKS, folder)
    cells = [f"{name}()" for name in EXPLORERS]
    write_notebook(folder / ALL_EXPLORERS, "from pe_lib import *", *cells, HOW_MANY_WIDGETS)
    with running_lab(folder) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Start the browser of this machine; where there is none, skip, or fail if PE_REQUIRE_BROWSER is set."""
    with playwright_api.sync_playwright() as play:
        try:
            started = launch(play)
        except playwright_api.Error as trouble:
            if os.environ.get("PE_REQUIRE_BROWSER"):
                pytest.fail(f"no browser to test in: {trouble}")
            pytest.skip("no Chromium or Chrome on this machine")
        yield started
        started.close()


@pytest.fixture
def page(browser) -> Iterator[object]:
    page = _watched_page(browser)
    yield page
    page.close()


@pytest.fixture(scope="module")
def explorers(browser, lab) -> Iterator[object]:
    """Open one page with all explorers on it."""
    page = _watched_page(browser)
    open_and_run(page, lab, ALL_EXPLORERS)
    yield page
    page.close()


@pytest.fixture(params=EXPLORERS)
def panel(explorers, request) -> object:
    """Return the panel of one explorer, in its first state."""
    panel = explorers.locator(".pe-explorer").nth(EXPLORERS.index(request.param))
    panel.scroll_into_view_if_needed()
    panel.get_by_role("button", name="Reset").click()
    first = repr(getattr(pe_lib, request.param)())
    _until(explorers, lambda: _seen(panel)[1] == first, "the first picture")
    return panel


def test_each_notebook_runs_whole_in_lab_without_a_fault(lab, page, notebook):
    open_and_run(page, lab, notebook)
    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert page.troubles == []


def test_the_first_picture_of_each_explorer_stays_until_something_is_moved(lab, page):
    open_and_run(page, lab, ALL_EXPLORERS)
    page.wait_for_timeout(2000)
    panels = page.locator(".pe-explorer").all()
    assert [_seen(panel)[1] for panel in panels] == [repr(getattr(pe_lib, name)()) for name in EXPLORERS]


def test_every_slider_moves_the_picture_by_its_keys_and_the_page_does_not_jump(explorers, panel):
    top = panel.locator("img").bounding_box()["y"]
    for handle in panel.get_by_role("slider").all():
        before, value = _seen(panel), _value(handle)
        handle.focus()
        explorers.keyboard.press("ArrowLeft" if value == _value(handle, "max") else "ArrowRight")
        _until(explorers, lambda handle=handle, value=value: _value(handle) != value, "the slider to move")
        _until_moved(explorers, panel, before, handle)
    assert panel.locator("img").bounding_box()["y"] == top, "the page jumped"
    assert explorers.troubles == []


def test_every_slider_follows_the_mouse_to_its_ends(explorers, panel):
    for handle in panel.get_by_role("slider").all():
        handle.scroll_into_view_if_needed()
        before, value, box = _seen(panel), _value(handle), handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        end = "min" if value == _value(handle, "max") else "max"
        explorers.mouse.move(x, y)
        explorers.mouse.down()
        explorers.mouse.move(x + (400 if end == "max" else -400), y, steps=6)  # past the end, where it stops
        explorers.mouse.up()
        _until(explorers, lambda h=handle, end=end: _value(h) == _value(h, end), "the slider to reach its end")
        _until_moved(explorers, panel, before, handle)
    assert explorers.troubles == []


def test_presets_change_the_picture_and_reset_brings_the_first_one_back(explorers, panel):
    first = _seen(panel)[1]
    seen = set()
    for button in panel.locator("button.widget-button:not(:has-text('Reset'))").all():
        button.click()
        explorers.wait_for_timeout(700)
        seen.add(_seen(panel)[1])
    assert len(seen - {first}) >= 2, "presets lead to different pictures, told apart by their descriptions"
    panel.get_by_role("button", name="Reset").click()
    _until(explorers, lambda: _seen(panel)[1] == first, "the first picture to come back")
    assert explorers.troubles == []


def test_what_can_play_plays_and_pauses(explorers, panel):
    panel.get_by_role("button", name="Back to the beginning").click()
    panel.get_by_role("button", name="Play").click()
    seen, wanted = set(), 2 if panel.locator("[role=slider][aria-valuemax='2.0']").count() else 3
    for _ in range(100):
        seen.add(_seen(panel)[1])
        if len(seen) >= wanted:
            break
        explorers.wait_for_timeout(50)
    assert len(seen) >= wanted
    if panel.get_by_role("button", name="Pause").count():  # where there are only a few, it has ended
        panel.get_by_role("button", name="Pause").click()
    explorers.wait_for_timeout(1000)
    still = _seen(panel)
    explorers.wait_for_timeout(1000)
    assert _seen(panel) == still
    assert explorers.troubles == []


@pytest.mark.parametrize("explorer", EXPLORERS)
def test_playing_goes_on_from_where_the_slider_was_moved_to(explorers, explorer):
    panel = explorers.locator(".pe-explorer").nth(EXPLORERS.index(explorer))
    panel.scroll_into_view_if_needed()
    panel.get_by_role("button", name="Reset").click()
    explorers.wait_for_timeout(500)
    played = panel.get_by_role("slider", name=getattr(pe_lib, explorer)()._play[1].description, exact=True)
    played.focus()
    explorers.keyboard.press("Home")
    explorers.keyboard.press("ArrowRight")
    here = _value(played, "min") + 1
    _until(explorers, lambda: _value(played) == here, "the slider to move")
    panel.get_by_role("button", name="Play").click()
    seen = []
    for _ in range(60):
        seen.append(_value(played))
        explorers.wait_for_timeout(20)
    steps = list(dict.fromkeys([here, *seen]))
    assert steps == [here + k for k in range(len(steps))], "step by step, from where it was, and never back"
    assert len(steps) > 1
    panel.get_by_role("button", name="Reset").click()
    assert explorers.troubles == []


def test_the_panels_have_no_serious_fault_of_accessibility(explorers):
    found = Axe().run(explorers, context=".pe-explorer").response
    serious = [fault for fault in found["violations"] if fault["impact"] in ("serious", "critical")]
    assert not serious, [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in serious]
    assert len(found["passes"]) > 5, "the check has hardly looked at anything"
    assert all(handle.get_attribute("aria-label") for handle in explorers.get_by_role("slider").all())


@pytest.mark.parametrize("typed", TYPED.values(), ids=TYPED)
@pytest.mark.parametrize("explorer", ["explore_number", "explore_waves"])
def test_what_is_typed_is_shown_as_text_and_the_panel_keeps_its_shape(explorers, explorer, typed):
    panel = explorers.locator(".pe-explorer").nth(EXPLORERS.index(explorer))
    panel.scroll_into_view_if_needed()
    dialogs = []
    explorers.once("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    box, shape = panel.locator("input[type=text]"), panel.locator("img").bounding_box()
    before = _seen(panel)
    box.fill(typed)
    _until(explorers, lambda: _seen(panel) != before, "the picture to change")
    assert box.input_value() == typed
    assert panel.locator("img").bounding_box() == shape
    assert panel.locator("script, img[src=x], b").count() == 0
    assert (dialogs, explorers.troubles) == ([], [])
    before = _seen(panel)
    panel.get_by_role("button", name="Reset").click()
    _until(explorers, lambda: _seen(panel) != before, "the first picture to come back")


def test_a_cell_run_ten_times_leaves_as_many_widgets_as_run_once(lab, page):
    open_and_run(page, lab, ALL_EXPLORERS)
    once = _widgets_in_the_kernel(page)
    for _ in range(10):
        _run_cell(page, 1)
    assert _widgets_in_the_kernel(page) == once
    assert page.locator(".pe-explorer").count() == len(EXPLORERS)
    panel = page.locator(".pe-explorer").first
    before, handle = _seen(panel), panel.get_by_role("slider").first
    handle.focus()
    page.keyboard.press("ArrowRight")
    _until_moved(page, panel, before, handle)
    assert page.troubles == []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "notebook" in metafunc.fixturenames:
        metafunc.parametrize(
            "notebook", sorted(path.relative_to(NOTEBOOKS).as_posix() for path in NOTEBOOKS.rglob("*.ipynb"))
        )


def _watched_page(browser) -> object:
    """Open a page that notes every error in its console and every request that leaves this machine."""
    page = browser.new_page(viewport={"width": 1500, "height": 1300})
    page.troubles = []
    page.on("console", lambda m: page.troubles.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: page.troubles.append(str(e)))
    page.on("request", lambda r: page.troubles.append(f"asked for {r.url}") if _leaves(r.url) else None)
    return page


def _seen(panel) -> tuple[str, str]:
    """Return the address of the picture, a new one for each, and its alternative text."""
    image = panel.locator("img")
    return image.get_attribute("src"), image.get_attribute("alt")


def _value(handle, which: str = "now") -> float:
    return float(handle.get_attribute(f"aria-value{which}"))


def _until(page, reached, what: str) -> None:
    for _ in range(200):
        if reached():
            return
        page.wait_for_timeout(50)
    pytest.fail(f"waited in vain for {what}")


def _until_moved(page, panel, before: tuple[str, str], handle) -> None:
    """Wait until the picture is another one, and no trouble is said."""
    _until(page, lambda: _seen(panel)[0] != before[0], f"{handle.get_attribute('aria-label')} to move the picture")
    assert panel.get_by_role("alert").count() == 0, panel.get_by_role("alert").inner_text()


def _run_cell(page, index: int) -> None:
    """Run one cell again, and wait until it has a new number."""
    prompt = page.locator(".jp-CodeCell .jp-InputArea-prompt").nth(index)
    number = prompt.inner_text()
    page.evaluate(
        "(k) => { const notebook = window.jupyterapp.shell.currentWidget.content; notebook.activeCellIndex = k;"
        " void window.jupyterapp.commands.execute('notebook:run-cell') }",
        index,
    )
    _until(page, lambda: prompt.inner_text() not in (number, "[*]:", "[ ]:"), f"cell {index} to run again")


def _widgets_in_the_kernel(page) -> str:
    _run_cell(page, len(EXPLORERS) + 1)
    return page.locator(".jp-CodeCell").last.locator(".jp-OutputArea-output").inner_text()


def _leaves(url: str) -> bool:
    """Say whether a request goes to another machine."""
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in ("127.0.0.1", "localhost", "::1")
