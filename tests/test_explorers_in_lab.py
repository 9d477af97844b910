"""In JupyterLab, with a real kernel: pictures move by keys, mouse and other views, and keys stay where they belong."""

import shutil

import numpy as np
import pytest
from conftest import NOTEBOOKS
from hostile import ALARM, HOSTILE
from lab import KERNEL_IS_IDLE, open_and_run, running_lab, write_notebook
from panels import ALLOWED, EXPLORERS, Seen, until

import pe_pictures

Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe

ALL_EXPLORERS, SLOW, COURSE = "all_explorers.ipynb", "slow.ipynb", "course.ipynb"
OWN = "Explorer(Waves(), {'position': __import__('ipywidgets').IntSlider(9, 0, 9)})"
HOW_MANY_WIDGETS = "from ipywidgets.widgets import widget; print(len(widget._instances), 'widgets')"
IS_DARK = "document.body.dataset.jpThemeLight === 'false'"
LATE = """import time
slow = explore_waves(d_model=16, length=400)
answer = slow.answer
pause = 0.1
slow.answer = lambda request: time.sleep(pause) or answer(request)
slow"""
TASKS = """from pe_pictures.explorers.tasks import Task, Tasks
by_key, by_drag = Task("Go to 6.", ({"position": 6},)), Task("Turn on, to 8.", ({"position": 8},))
by_preset = Task("Take 3 more.", ({"offset": 3},))
explore_clocks(tasks=Tasks("in lab", (by_key, by_drag, by_preset), "All three."))"""
# What JupyterLab itself throws now and then while it scrolls cells in and out (jupyterlab/jupyterlab#15415); no script
# of the pictures calls it.
OF_JUPYTERLAB = "Failed to execute 'removeChild' on 'Node'"
ONCE = "runs = globals().get('runs', 0) + 1\nassert runs < 2"
# A browser that is busy as widgets start: anywidget waits two seconds for each, and then lets no message through to it.
BUSY = """AbortSignal.timeout = () => {
    const control = new AbortController()
    queueMicrotask(() => control.abort())
    return control.signal
}"""
DEAF = "[anywidget] Failed to initialize model."  # what it says then
# In a page that is loaded anew, jupyter-widgets waits two seconds for a model by its clock, and does not look again at
# the end: if that is late by a long task, in which the model came, it gives up. Nothing of ours runs by then.
LATE_MODEL = "widget model not found"
SAVED = "path => fetch(`/api/contents/${path}?type=file&token=tried`).then(one => one.text())"
CELLS = "window.jupyterapp.shell.currentWidget.content.widgets"
UNSAVED = "window.jupyterapp.shell.currentWidget.context.model.dirty"
COUNTS = f"{CELLS}.map((cell) => cell.model.executionCount)"
# The pictures that, with their controls, are higher than the part of the notebook that is in sight, or upright.
TOO_HIGH = """[...document.querySelectorAll(".pe-explorer")].filter((one) => {
    const foot = one.querySelector(".pe-foot"), room = document.querySelector(".jp-WindowedPanel-outer").clientHeight
    return one.matches(".pe-narrow") || foot.offsetTop + foot.offsetHeight > room
}).map((one) => `${one.ariaLabel} ${one.className} ${one.querySelector(".pe-says").textContent}`)"""
# Every message that goes to a kernel, by what it asks for.
LISTEN = """() => {
    const send = WebSocket.prototype.send
    window.sent = []
    WebSocket.prototype.send = function (data) {
        const text = typeof data === 'string' ? data : new TextDecoder().decode(data)
        if (text.includes('comm_msg')) window.sent.push(text)
        return send.call(this, data)
    }
}"""
SIXTY = """async (axis) => {
    for (let k = 0; k < 60; k++) {
        await new Promise((done) => setTimeout(done, 33))
        axis.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }))
    }
}"""

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab") / "notebooks"
    shutil.copytree(NOTEBOOKS, folder)
    cells = [f"{name}()" for name in EXPLORERS]
    write_notebook(folder / ALL_EXPLORERS, "from pe_pictures import *", *cells, OWN, HOW_MANY_WIDGETS)
    write_notebook(folder / SLOW, "from pe_pictures import *", LATE)
    write_notebook(
        folder / COURSE,
        "from pe_pictures import *",
        TASKS,
        "predict('one column tells the position')",
        "print(4)",
        ONCE,
    )
    with running_lab(folder) as address:
        yield address


@pytest.fixture(scope="module")
def page(open_page, lab):
    """Open one page with all explorers on it."""
    page = open_page()
    open_and_run(page, lab, ALL_EXPLORERS)
    return page


@pytest.fixture(autouse=True)
def _nothing_goes_wrong(page):
    yield
    troubles, page.troubles = page.troubles, []
    assert [one for one in troubles if OF_JUPYTERLAB not in one] == []


def seen(page, name: str) -> Seen:
    """Return an explorer, in its first state and at rest."""
    found = Seen(page, page.locator(".pe-explorer").nth(EXPLORERS.index(name)))
    found.press("0")
    found.at_rest()
    return found


@pytest.mark.parametrize("name", EXPLORERS)
def test_keys_and_mouse_move_the_picture_and_the_page_does_not_jump(page, name):
    one, explorer, cells = seen(page, name), getattr(pe_pictures, name)(), page.locator(".jp-Cell").count()
    first, top = one.state, one.panel.bounding_box()["y"]
    assert one.words == explorer.picture.describe()
    one.press(
        "End"
        if first[explorer.play] != explorer.answer({"fresh": True})["limits"][explorer.play]["greatest"]
        else "Home"
    )
    until(page, lambda: one.state != first, "the picture to move by keys")
    one.at_rest()
    before = one.state
    box = one.axis.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for key in ("x", "d", "d"):  # these would take away the cell
        page.keyboard.press(key)
    until(page, lambda: one.state != before, "the picture to move by the mouse")
    one.at_rest()
    assert page.locator(".jp-Cell").count() == cells
    explorer.answer({"set": one.state})
    assert one.words == explorer.picture.describe()
    assert one.panel.get_by_role("alert").count() == 0
    assert one.panel.bounding_box()["y"] == top


@pytest.mark.parametrize("name", ["explore_clocks", "explore_number"])  # one is typed into as well
def test_jupyterlab_takes_no_key_from_a_picture_and_a_click_gives_it_the_keys(page, name):
    one, cells = seen(page, name), page.locator(".jp-Cell").count()
    page.evaluate("document.activeElement.blur()")
    box = one.panel.locator(".pe-sheet").bounding_box()
    page.mouse.click(box["x"] + 3, box["y"] + 3)
    for key in (*"aabxddzcvmyriiolsh", "Enter", "Delete"):
        page.keyboard.press(key)
    for part in (one.axis, one.panel.get_by_role("button", name="More", exact=True)):
        part.focus()
        for key in "bxdd":
            page.keyboard.press(key)
    assert page.locator(".jp-Cell").count() == cells


@pytest.fixture(scope="module")
def slow(open_page, lab):
    """Open a picture whose kernel takes a tenth of a second for an answer."""
    page = open_page()
    open_and_run(page, lab, SLOW)
    return page


def test_sixty_keys_in_two_seconds_lead_sixty_on(page, slow):
    for where in (page, slow):
        if where == slow:
            one = Seen(where, where.locator(".pe-explorer"))
        else:
            one = seen(where, "explore_waves")
            one.panel.get_by_role("button", name="640 positions").click()
        one.press("Home")
        one.until(position=0)
        where.evaluate(SIXTY, one.axis.element_handle())
        one.until(position=60)
        one.at_rest()
        assert one.place == 60
        one.press("Home")
        one.until(position=0)
        one.press("End", "Home")  # the last picture comes when it is no longer wanted
        where.wait_for_timeout(600)
        one.at_rest()
        assert one.place == one.state["position"] == 0
        assert where.troubles == []


def test_playing_goes_to_the_end_and_begins_again_and_nothing_is_asked_for_at_rest(page):
    one = seen(page, "explore_number")
    one.press("Home", "Space")
    last = int(one.axis.get_attribute("max"))
    one.until(position=last)
    until(page, lambda: one.place < last, "it to begin again")
    one.press("Space")
    one.at_rest()
    page.wait_for_timeout(800)  # then it has told the kernel where it stands
    page.evaluate(LISTEN)
    page.wait_for_timeout(1000)
    assert page.evaluate("window.sent") == []


def test_it_can_be_grabbed_after_two_steps(page):
    one = seen(page, "explore_clocks")
    one.press("ArrowRight", "ArrowRight")
    one.at_rest()
    before = one.state["position"]
    dial = pe_pictures.explore_clocks().answer({"set": one.state, "fresh": True})["targets"][0]
    page.mouse.move(*one.point(dial, 0.9, 0.5))
    page.mouse.down()
    page.mouse.move(*one.point(dial, 0.5, 0.1), steps=5)
    page.mouse.up()
    until(page, lambda: one.state["position"] != before, "the hand to move")


def test_fast_keys_to_and_fro_and_a_drag_out_of_the_picture(page):
    one = seen(page, "explore_waves")
    for _ in range(4):
        one.press(*["ArrowRight"] * 7, *["ArrowLeft"] * 6)
    one.until(position=4)
    box = one.panel.locator(".pe-sheet").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for step in range(12):
        page.mouse.move(box["x"] + box["width"] / 2 + 30 * step, box["y"] + 60 * step)
    page.mouse.up()
    one.at_rest()
    assert one.place == one.state["position"] > 4


def test_two_views_of_one_output_agree(page):
    page.evaluate(
        "(k) => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = k;"
        " return window.jupyterapp.commands.execute('notebook:create-output-view').then(() => null) }",
        1 + EXPLORERS.index("explore_clocks"),
    )
    views = [Seen(page, panel) for panel in page.get_by_role("group", name=pe_pictures.Clocks.question).all()]
    assert len(views) == 2
    for one, other in (views, views[::-1]):
        one.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
        until(page, lambda one=one, other=other: one.state == other.state, "both to show the same")
    page.evaluate("[...window.jupyterapp.shell.widgets('main')].slice(1).forEach((view) => view.dispose())")


def test_what_is_typed_is_words_and_nothing_else(page):
    one = seen(page, "explore_number")
    one.panel.get_by_role("button", name="More", exact=True).click()
    box = one.panel.locator(".pe-words input")
    shape = one.panel.locator(".pe-sheet").bounding_box()["width"]
    for sentence in HOSTILE[::3]:  # on a page all of them are tried
        box.fill(sentence)
        typed = box.input_value()
        until(page, lambda typed=typed: one.state["tokens"] == typed, sentence)
        nodes = one.drawn()
        assert {name for name, _, _ in nodes} <= {*ALLOWED, "div"}, sentence
        assert not [name for _, _, attributes in nodes for name in attributes if name.startswith("on")], sentence
        assert one.panel.locator("script, img, iframe, a").count() == 0, sentence
        assert one.panel.locator(".pe-sheet").bounding_box()["width"] == shape
    assert page.evaluate(ALARM.partition(" ")[0]) is None
    one.focus()


def test_the_panels_have_no_serious_fault_of_accessibility(page):
    found = Axe().run(page, context=".pe-explorer").response
    serious = [fault for fault in found["violations"] if fault["impact"] in ("serious", "critical")]
    assert not serious, [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in serious]
    assert len(found["passes"]) > 5, "the check has hardly looked at anything"


def test_dark_is_as_good_as_light_and_no_control_is_lost(page):
    one = seen(page, "explore_waves")
    for theme in ("Dark", "Light"):
        page.evaluate(
            "(name) => window.jupyterapp.commands.execute('apputils:change-theme', { theme: `JupyterLab ${name}` })"
            ".then(() => null)",
            theme,
        )
        until(page, lambda dark=theme == "Dark": dark == page.evaluate(IS_DARK), f"the {theme} theme")
        until(
            page, lambda theme=theme: one.panel.evaluate("one => one.style.colorScheme") == theme.lower(), "the picture"
        )
        foot = one.panel.locator(".pe-foot").evaluate("foot => [foot.scrollWidth, foot.clientWidth]")
        assert foot[0] <= foot[1]


def test_at_150_percent_a_picture_fits_the_notebook(page):
    seen(page, "explore_waves")
    size, toggle = page.viewport_size, "window.jupyterapp.commands.execute('application:toggle-left-area')"
    page.evaluate(f"{toggle}.then(() => null)")
    page.set_viewport_size({"width": 853, "height": 480})
    try:
        until(page, lambda: not page.evaluate(TOO_HIGH), lambda: f"to fit: {page.evaluate(TOO_HIGH)}")
    finally:  # the page is that of the tests below as well
        page.set_viewport_size(size)
        page.evaluate(f"{toggle}.then(() => null)")


def test_a_widget_of_the_learners_own_moves_the_picture(page):
    one = Seen(page, page.locator(".pe-explorer").last)
    before = one.words
    page.locator(".noUi-handle, [role=slider]").last.focus()
    page.keyboard.press("ArrowLeft")
    until(page, lambda: one.words != before, "the picture to change")
    assert one.words == pe_pictures.Waves(position=8).describe()


def test_training_opens_on_its_end_and_plays_from_the_noise(page):
    one = seen(page, "explore_training")
    assert one.place == float(one.axis.get_attribute("max"))
    one.press("Space")
    until(page, lambda: one.place < 40, "the noise")
    other = seen(page, "explore_waves")
    other.press("ArrowRight")
    other.until(position=1)
    one.press("Space")
    one.at_rest()
    assert one.panel.get_by_role("alert").count() == 0


def test_a_cell_run_again_and_again_leaves_as_many_widgets_as_run_once(page):
    once = _widgets_in_the_kernel(page)
    shown, panels = page.locator(".pe-stage[data-shown]"), page.locator(".pe-explorer").count()
    for _ in range(4):
        _run_cell(page, 1)
        until(page, lambda: shown.count() == panels, "all pictures")
    assert _widgets_in_the_kernel(page) == once


def test_a_kernel_that_takes_long_is_said_and_waited_for(slow):
    page = slow
    one = Seen(page, page.locator(".pe-explorer"))
    one.at_rest()
    page.evaluate("""async () => {
        const { kernel } = window.jupyterapp.shell.currentWidget.context.sessionContext.session
        await kernel.requestExecute({ code: "pause = 7" }).done
    }""")
    one.press("End")
    alert = one.panel.get_by_role("alert")
    until(page, alert.count, "the words about the kernel")
    assert "got no answer" in alert.inner_text()
    until(page, lambda: not alert.count(), "the answer")
    one.until(position=399)
    assert page.troubles == []


def test_at_the_end_a_picture_says_when_its_kernel_is_gone(page):
    one = seen(page, "explore_waves")
    page.evaluate("window.jupyterapp.shell.currentWidget.context.sessionContext.shutdown().then(() => null)")
    one.press("Home", "ArrowRight", "ArrowRight")
    until(page, lambda: one.panel.get_by_role("alert").count() == 1, "the words about the kernel")
    assert "got no answer" in one.panel.get_by_role("alert").inner_text()


@pytest.fixture(scope="module")
def busy(open_page, lab):
    """Open a notebook with tasks and a prediction in a busy browser, after *Run All*."""
    page = open_page()
    page.add_init_script(BUSY)
    open_and_run(page, lab, COURSE)
    assert any(DEAF in one for one in page.troubles), "the browser was not busy"
    return page


@pytest.fixture
def course(busy):
    """Return that notebook as the last test has left it; all goes well there but what makes widgets deaf."""
    busy.troubles.clear()
    yield busy
    assert [one for one in busy.troubles if DEAF not in one and LATE_MODEL not in one] == []


def test_tasks_tick_and_a_page_that_is_loaded_anew_shows_them_and_the_picture_where_they_were(course):
    one = Seen(course, course.locator(".pe-explorer"))
    items = one.panel.locator(".pe-tasks li")

    def ticks() -> list[bool]:
        return items.evaluate_all("all => all.map((one) => one.classList.contains('pe-done'))")

    one.press("ArrowRight")
    until(course, lambda: ticks() == [True, False, False], "the first tick, by a key")
    dial = pe_pictures.explore_clocks().answer({"set": one.state, "fresh": True})["targets"][0]
    for angle in (6, 6.5, 7, 7.5, 8):
        course.mouse.move(*one.point(dial, 0.5 + 0.4 * np.cos(angle), 0.5 - 0.4 * np.sin(angle)))
        course.mouse.down()
    course.mouse.up()
    until(course, lambda: ticks() == [True, True, False], "the second tick, by a drag")
    one.panel.get_by_role("button", name="and 3 ahead").click()
    until(course, lambda: ticks() == [True, True, True], "the third tick, by a preset")
    before = one.state
    course.evaluate("window.jupyterapp.commands.execute('docmanager:save').then(() => null)")
    course.wait_for_timeout(1000)
    for _ in range(3):
        course.reload()
        course.locator(".pe-explorer").or_(course.get_by_text("model not found")).first.wait_for(
            state="attached", timeout=60_000
        )
        if not course.get_by_text("model not found").count():
            break
    one = Seen(course, course.locator(".pe-explorer"))
    one.until(**before)
    assert one.panel.locator(".pe-done").count() == 3


def test_a_prediction_waits_for_the_choice_and_for_a_cell_and_tells_nothing_after_run_all(course):
    question = pe_pictures.predict("one column tells the position")
    asked, reasons = course.locator(".pe-prediction"), [*question.choices.values()]
    assert not any(reason in asked.inner_text() for reason in reasons)
    asked.get_by_role("radio").nth(0).check()
    asked.get_by_role("button", name="Lock it in").click()  # all cells have run
    until(course, lambda: reasons[0] in asked.get_by_role("status").inner_text(), "the verdict")
    _run_cell(course, 2)
    asked.get_by_role("radio").nth(0).wait_for()
    asked.get_by_role("radio").nth(0).focus()
    course.keyboard.press("Space")
    course.keyboard.press("ArrowDown")
    course.keyboard.press("Tab")
    course.keyboard.press("Enter")
    assert asked.get_by_role("status").inner_text() == "Locked in. Now run the next cell."
    _run_cell(course, 4)  # which fails, and so answers nothing
    assert asked.get_by_role("status").inner_text() == "Locked in. Now run the next cell."
    asked.get_by_role("button", name="Locked in").click(force=True)
    course.keyboard.press("Shift+Enter")
    until(course, lambda: reasons[1] in asked.get_by_role("status").inner_text(), "the verdict")
    assert reasons[0] not in asked.inner_text()


def test_the_notebooks_keys_stay_the_notebooks(course):
    panel, asked = course.locator(".pe-explorer"), course.locator(".pe-prediction")
    pressed = [
        panel.get_by_role("button", name="and 3 ahead"),
        panel.locator(".pe-sheet"),
        panel.locator(".pe-says"),
        panel.locator(".pe-axis input"),
        asked.locator("legend"),
        asked.get_by_role("radio").nth(1),
        asked.get_by_role("button"),
    ]
    _run_cell(course, 2)
    asked.get_by_role("button", name="Lock it in").wait_for()
    for k, part in enumerate(pressed):
        course.evaluate(f"{CELLS}[0].model.sharedModel.setSource('from pe_pictures import * # saved {k}')")
        part.click()
        course.keyboard.press("Control+s")
        until(course, lambda: not course.evaluate(UNSAVED), f"it to be saved after {part}")
        assert f"# saved {k}" in course.evaluate(SAVED, COURSE)
    assert asked.get_by_role("button").first.inner_text() == "Locked in"
    for part in pressed[:4]:
        part.click()
        before = course.evaluate(COUNTS)
        course.keyboard.press("Shift+Enter")
        until(course, lambda before=before: course.evaluate(COUNTS)[2] not in (before[2], None), "the next cell to run")
        assert course.evaluate(COUNTS)[1] == before[1], "its own has not"
    pressed[0].click()
    course.keyboard.press("Control+Enter")
    until(course, lambda: course.evaluate(COUNTS)[1] not in (before[1], None), "its own cell to run")
    Seen(course, course.locator(".pe-explorer")).at_rest()


def test_a_notebook_that_is_closed_and_opened_again_shows_the_picture_where_it_was(course):
    one = Seen(course, course.locator(".pe-explorer"))
    one.press("ArrowRight")
    one.at_rest()
    before, done = one.state, one.panel.locator(".pe-done").count()
    for command in ("docmanager:save", "application:close", "docmanager:open"):
        course.evaluate(f"window.jupyterapp.commands.execute('{command}', {{ path: '{COURSE}' }}).then(() => null)")
    course.wait_for_function(KERNEL_IS_IDLE, arg=COURSE, polling=50, timeout=60_000)
    one = Seen(course, course.locator(".pe-explorer"))
    one.until(**before)
    assert one.panel.locator(".pe-done").count() >= done


def _run_cell(page, index: int) -> None:
    """Run one cell again, and wait until it has a new number. JupyterLab may have put its element away."""
    count = f"{CELLS}[{index}].model.executionCount"
    number = page.evaluate(count)
    page.evaluate(
        "(k) => { const notebook = window.jupyterapp.shell.currentWidget.content; notebook.activeCellIndex = k;"
        " void window.jupyterapp.commands.execute('notebook:run-cell') }",
        index,
    )
    until(page, lambda: page.evaluate(count) not in (number, None), f"cell {index} to run again")


def _widgets_in_the_kernel(page) -> str:
    _run_cell(page, len(EXPLORERS) + 2)
    return str(page.locator(".jp-CodeCell").last.locator(".jp-OutputArea-output").inner_text())
