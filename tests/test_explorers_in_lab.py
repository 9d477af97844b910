"""In JupyterLab, in a real browser: controls move their pictures, and keys stay where they belong."""

import re
import shutil

import pytest
from conftest import NOTEBOOKS
from lab import open_and_run, running_lab, write_notebook

import pe_lib

Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe

ALL_EXPLORERS = "all_explorers.ipynb"
EXPLORERS = [name for name in pe_lib.__all__ if name.startswith("explore_")]
OWN = "Explorer(lambda axes, n: axes.plot(range(n)), {'n': __import__('ipywidgets').IntSlider(2, 2, 9)})"
HOW_MANY_WIDGETS = "from ipywidgets.widgets import widget; print(len(widget._instances), 'widgets')"
IS_DARK = "document.body.dataset.jpThemeLight === 'false'"
TYPED = {
    "HTML": "<b>bold</b> <img src=x onerror=alert(1)> <script>alert(1)</script>",
    "LaTeX": "$x^2$ \\frac{1}{2} $$",
    "emoji and Hebrew": "smile 😀 שלום עולם",
    "10,000 characters": "x" * 10_000,
}

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab") / "notebooks"
    shutil.copytree(NOTEBOOKS, folder)
    cells = [f"{name}()" for name in EXPLORERS]
    write_notebook(folder / ALL_EXPLORERS, "from pe_lib import *", *cells, OWN, HOW_MANY_WIDGETS)
    with running_lab(folder) as address:
        yield address


@pytest.fixture(scope="module")
def explorers(open_page, lab):
    """Open one page with all explorers on it."""
    page = open_page()
    open_and_run(page, lab, ALL_EXPLORERS)
    return page


@pytest.fixture(params=EXPLORERS)
def panel(explorers, request):
    """Return the panel of one explorer, in its first state."""
    found = explorers.locator(".pe-explorer").nth(EXPLORERS.index(request.param))
    found.scroll_into_view_if_needed()
    found.locator(".pe-sheet").focus()
    explorers.keyboard.press("0")
    until(explorers, lambda: words(found) == repr(getattr(pe_lib, request.param)()), "the first picture")
    return found


def words(panel) -> str:
    return panel.locator(".pe-sheet").get_attribute("aria-label")


def until(page, reached, what: str) -> None:
    for _ in range(300):
        if reached():
            return
        page.wait_for_timeout(30)
    pytest.fail(f"waited in vain for {what}")


def played(panel):
    return panel.locator(".pe-played input[type=range]")


def test_the_keys_of_the_played_slider_move_the_picture_and_the_page_does_not_jump(explorers, panel):
    handle, before, top = played(panel), words(panel), panel.locator(".pe-sheet").bounding_box()["y"]
    handle.focus()
    explorers.keyboard.press("ArrowLeft" if handle.input_value() == handle.get_attribute("max") else "ArrowRight")
    until(explorers, lambda: words(panel) != before, "the picture to move")
    assert panel.get_by_role("alert").count() == 0
    assert panel.locator(".pe-sheet").bounding_box()["y"] == top, "the page jumped"
    assert panel.locator(".pe-sheet img").count() == 2
    assert explorers.troubles == []


def test_the_mouse_takes_a_slider_to_its_end(explorers, panel):
    handle, before = played(panel), words(panel)
    box = handle.bounding_box()
    explorers.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    until(explorers, lambda: handle.input_value() == handle.get_attribute("max"), "the slider to reach its end")
    until(explorers, lambda: words(panel) != before, "the picture to move")
    assert explorers.troubles == []


def test_jupyterlab_takes_no_key_from_an_explorer(explorers, panel):
    cells = explorers.locator(".jp-Cell").count()
    for part in (panel.locator(".pe-sheet"), played(panel), panel.get_by_role("button", name="More")):
        part.focus()
        for key in "abxdd":
            explorers.keyboard.press(key)
    explorers.keyboard.press("a")  # five times in all, and so open again
    assert explorers.locator(".jp-Cell").count() == cells
    assert explorers.troubles == []


def test_what_can_play_plays_on_from_where_it_is_and_pauses(explorers, panel):
    handle = played(panel)
    handle.focus()
    explorers.keyboard.press("Home")
    explorers.keyboard.press("ArrowRight")
    here = int(handle.input_value())
    explorers.keyboard.press("Space")
    seen = [here]
    until(explorers, lambda: seen.append(int(handle.input_value())) or len({*seen}) >= 2, "it to play")
    steps = list(dict.fromkeys(seen))
    assert steps == sorted(steps)
    if panel.get_by_role("button", name=re.compile("^(Pause|Stop)$")).count():  # where there are few, it has ended
        explorers.keyboard.press("Space")
    assert panel.get_by_role("button", name=re.compile("^(Play|Train)$")).count() == 1
    assert explorers.troubles == []


def test_a_key_moves_all_pictures_of_the_board_at_once(explorers):
    panel = explorers.locator(".pe-explorer").nth(EXPLORERS.index("explore_all"))
    panel.scroll_into_view_if_needed()
    panel.locator(".pe-sheet").focus()
    explorers.keyboard.press("0")
    board = pe_lib.Board()
    until(explorers, lambda: words(panel) == board.describe(), "the first picture")
    seen = explorers.evaluate(
        """(k) => new Promise((done) => {
        const panel = document.querySelectorAll(".pe-explorer")[k], stage = panel.querySelector(".pe-stage")
        const sources = () => [...stage.querySelectorAll("img")].map(({ src }) => decodeURIComponent(src.split(",")[1]))
        const frames = [], start = performance.now()
        const look = () => {
            const now = [stage.dataset.shown, ...sources()]
            if (JSON.stringify(now) !== JSON.stringify(frames.at(-1))) frames.push(now)
            performance.now() - start < 2000 ? requestAnimationFrame(look) : done(frames)
        }
        look()
        const slider = panel.querySelector(".pe-played input[type=range]")
        slider.stepUp()
        slider.dispatchEvent(new Event("input", { bubbles: true }))
    })""",
        EXPLORERS.index("explore_all"),
    )
    assert [tuple(frame[1:]) for frame in seen] == [board.update(position=position).frame() for position in (4, 5)]
    assert '["position",5]' in seen[-1][0]
    assert explorers.troubles == []


def test_the_panels_have_no_serious_fault_of_accessibility(explorers):
    found = Axe().run(explorers, context=".pe-explorer").response
    serious = [fault for fault in found["violations"] if fault["impact"] in ("serious", "critical")]
    assert not serious, [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in serious]
    assert len(found["passes"]) > 5, "the check has hardly looked at anything"


@pytest.mark.parametrize("typed", TYPED.values(), ids=TYPED)
def test_what_is_typed_is_shown_as_text_and_the_panel_keeps_its_shape(explorers, typed):
    panel = explorers.locator(".pe-explorer").nth(EXPLORERS.index("explore_number"))
    panel.scroll_into_view_if_needed()
    dialogs = []
    explorers.once("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    box, shape, before = panel.locator(".pe-text input"), panel.locator(".pe-sheet").bounding_box(), words(panel)
    box.fill(typed)
    until(explorers, lambda: words(panel) != before, "the picture to change")
    assert box.input_value() == typed
    assert panel.locator(".pe-sheet").bounding_box() == shape
    assert panel.locator("script, img[src=x], b").count() == 0
    assert (dialogs, explorers.troubles) == ([], [])
    before = words(panel)
    panel.locator(".pe-sheet").focus()
    explorers.keyboard.press("0")
    until(explorers, lambda: words(panel) != before, "the first picture to come back")


OUTSIDE = """() => [...document.querySelectorAll(".pe-explorer")].flatMap((panel) => {
    const row = panel.querySelector(".pe-items"), end = row.getBoundingClientRect().right + 1;
    return [...row.children].filter((one) => one.getBoundingClientRect().right > end).map((one) => one.textContent);
})"""


def test_no_control_is_lost_when_the_theme_changes(explorers):
    for theme in ("Dark", "Light"):
        explorers.evaluate(
            "(name) => window.jupyterapp.commands.execute('apputils:change-theme', { theme: `JupyterLab ${name}` })"
            ".then(() => null)",
            theme,
        )
        until(explorers, lambda dark=theme == "Dark": dark == explorers.evaluate(IS_DARK), f"the {theme} theme")
        explorers.wait_for_timeout(1000)  # while what the style sheets move settles
        assert explorers.evaluate(OUTSIDE) == []
    assert explorers.troubles == []


def test_a_widget_of_the_learners_own_moves_the_picture(explorers):
    panel = explorers.locator(".pe-explorer").last
    assert words(panel).endswith("n 2")
    handle = explorers.locator(".noUi-handle, [role=slider]").last
    handle.focus()
    explorers.keyboard.press("ArrowRight")
    until(explorers, lambda: words(panel).endswith("n 3"), "the drawing to change")


def test_a_network_is_trained_before_ones_eyes_and_the_page_can_be_used_meanwhile(explorers):
    _run_cell(explorers, 1 + EXPLORERS.index("explore_training"))  # another has been trained
    panel = explorers.locator(".pe-explorer").nth(EXPLORERS.index("explore_training"))
    other = explorers.locator(".pe-explorer").nth(EXPLORERS.index("explore_waves"))
    panel.scroll_into_view_if_needed()
    until(explorers, lambda: "Step 0 of 300" in (words(panel) or ""), "the first picture")
    panel.get_by_role("button", name="Train").click()
    seen = []
    until(explorers, lambda: seen.append(words(panel)) or len({*seen}) >= 5, "steps to come")
    before = words(other)
    played(other).focus()
    explorers.keyboard.press("ArrowRight")
    until(explorers, lambda: words(other) != before, "another explorer to move meanwhile")
    stop = panel.get_by_role("button", name="Stop")
    if stop.count():
        stop.click()
    explorers.wait_for_timeout(300)
    here, trained = words(panel), panel.locator("progress").evaluate("one => one.value")
    explorers.wait_for_timeout(300)
    assert words(panel) == here, "it has gone on"
    played(panel).focus()
    explorers.keyboard.press("Home")
    until(explorers, lambda: "Step 0 of 300" in words(panel), "the first step once more")
    assert panel.locator("progress").evaluate("one => one.value") == trained > 2
    panel.get_by_role("button", name="Train").click()
    until(explorers, lambda: "Step 300 of 300" in words(panel), "the end of the training")
    until(explorers, lambda: panel.get_by_role("button", name="Train").count() == 1, "it to say that it has ended")
    assert explorers.troubles == []


def test_a_cell_run_ten_times_leaves_as_many_widgets_as_run_once(explorers):
    once = _widgets_in_the_kernel(explorers)
    shown = explorers.locator(".pe-stage[data-shown]")
    for _ in range(10):
        _run_cell(explorers, 1)
        until(explorers, lambda: shown.count() == len(EXPLORERS) + 1, "all pictures")
    assert _widgets_in_the_kernel(explorers) == once
    assert explorers.locator(".pe-explorer").count() == len(EXPLORERS) + 1
    assert explorers.troubles == []


def test_at_the_end_an_explorer_says_when_its_kernel_is_gone(explorers):
    explorers.evaluate("window.jupyterapp.shell.currentWidget.context.sessionContext.shutdown().then(() => null)")
    panel = explorers.locator(".pe-explorer").first
    played(panel).focus()
    explorers.keyboard.press("ArrowRight")
    until(explorers, lambda: panel.get_by_role("alert").count() == 1, "the words about the kernel")
    assert "kernel has not answered" in panel.get_by_role("alert").inner_text()


def _run_cell(page, index: int) -> None:
    """Run one cell again, and wait until it has a new number."""
    prompt = page.locator(".jp-CodeCell .jp-InputArea-prompt").nth(index)
    number = prompt.inner_text()
    page.evaluate(
        "(k) => { const notebook = window.jupyterapp.shell.currentWidget.content; notebook.activeCellIndex = k;"
        " void window.jupyterapp.commands.execute('notebook:run-cell') }",
        index,
    )
    until(page, lambda: prompt.inner_text() not in (number, "[*]:", "[ ]:"), f"cell {index} to run again")


def _widgets_in_the_kernel(page) -> str:
    _run_cell(page, len(EXPLORERS) + 2)
    return page.locator(".jp-CodeCell").last.locator(".jp-OutputArea-output").inner_text()
