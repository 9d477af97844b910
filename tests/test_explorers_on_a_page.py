"""On a page opened from a folder, without a kernel: size, sharpness, keys, clicks, covers, themes, full screen."""

import functools
import io
import itertools
import json
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from PIL import Image

import pe_lib
from pe_lib.explorers.live import SCRIPT, STYLE
from pe_lib.explorers.pack import script

EXPLORERS = [name for name in pe_lib.__all__ if name.startswith("explore_")]
HEIGHTS = {1100: 560, 848: 560, 673: 350}  # CSS pixels that controls and picture may take, by their width

CUT = """panel => [...panel.querySelectorAll('.pe-items > *')].filter((item) =>
    item.getBoundingClientRect().right > item.parentElement.getBoundingClientRect().right + 1).length"""
ROOM = """(box, digits) => {
  const value = box.value, before = box.style.getPropertyValue("--digits");
  box.style.setProperty("--digits", digits);
  box.value = "0".repeat(digits);
  const found = [box.clientWidth, box.scrollWidth];
  box.style.setProperty("--digits", before);
  box.value = value;
  return found;
}"""

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> str:
    """Write one page with all explorers in the states of their presets; return its address."""
    folder = tmp_path_factory.mktemp("pages")
    hosts, packs = [], []
    for name in EXPLORERS:
        explorer = getattr(pe_lib, name)()
        small = type(explorer.picture)
        whole, small.pages = small.pages, [{field: _some(explorer, field)} for field in _touched(explorer)]
        try:
            packs.append(script(name, explorer))
        finally:
            small.pages = whole
        hosts.append(f'<div data-explorer="{name}" style="margin: 20px 0"></div>')
    (folder / "packs.js").write_text("".join(packs))
    (folder / "script.js").write_text(f"globalThis.pePage = true;\n{SCRIPT}")
    asked = json.dumps(pe_lib.predict("count the waves").spec()).replace("'", "&#39;")
    (folder / "index.html").write_text(
        "<!doctype html><meta charset=utf-8><title>Explorers</title><meta name=color-scheme content='light dark'>"
        f"<style>{STYLE} p.plain {{ font: 22.5px sans-serif }}</style><body style='margin: 0'>"
        f"<p class=plain>HTML lies here</p><div data-question='{asked}'></div>{''.join(hosts)}"
        "<script src=packs.js></script><script src=script.js></script>"
    )
    return f"file://{folder}/index.html"


def _touched(explorer) -> set:
    """Return the fields that play or that a click moves."""
    targets = explorer.answer({"fresh": True})["targets"]
    sides = (target[side][0] for target in targets for side in ("across", "down") if side in target)
    return {explorer.play, *sides, *(name for target in targets for name in target["sets"])}


def _some(explorer, name: str) -> list:
    """Return some values of a field, around the first one."""
    first, field = explorer.picture.state[name], explorer.fields[name]
    limits = field.limits(explorer.picture.state)
    if limits is None:
        return list(getattr(field, "options", (False, True)))
    least, greatest = limits
    return [*range(max(least, first - 3 * field.step), min(greatest, first + 3 * field.step) + 1, field.step)]


@pytest.fixture(scope="module")
def page(open_page, address):
    return _opened(open_page, address, width=1100)


def _opened(open_page, address, width: int, names=EXPLORERS, **how):
    page = open_page(viewport={"width": width, "height": 720}, **how)
    page.goto(address)
    for name in names:
        host = page.locator(f"[data-explorer={name}]")
        host.scroll_into_view_if_needed()
        host.locator(".pe-stage[data-shown]").wait_for()
    return page


def panel_of(page, name: str):
    panel = page.locator(f"[data-explorer={name}] .pe-explorer")
    panel.scroll_into_view_if_needed()
    panel.locator(".pe-sheet").focus()
    if panel.get_by_role("button", name="Show the answer").count():
        page.keyboard.press("a")
    page.keyboard.press("0")
    page.wait_for_timeout(60)
    return panel


def words(panel) -> str:
    return panel.locator(".pe-sheet").get_attribute("aria-label")


def until_other(page, panel, before: str) -> str:
    for _ in range(100):
        if words(panel) != before:
            return words(panel)
        page.wait_for_timeout(20)
    pytest.fail("waited in vain for another picture")


@pytest.mark.parametrize(("ratio", "width"), [*itertools.product((1, 2), HEIGHTS)])
def test_controls_and_picture_fit_on_one_screen_and_are_sharp(open_page, address, ratio, width):
    page = _opened(open_page, address, width, device_scale_factor=ratio)
    plain = _steepest(page.locator("p.plain"))
    for name in EXPLORERS:
        panel = page.locator(f"[data-explorer={name}] .pe-explorer")
        assert panel.bounding_box()["height"] <= HEIGHTS[width], name
        rows = panel.locator(".pe-row:visible")
        assert rows.count() <= 2, name
        assert all(row.bounding_box()["height"] <= 40 for row in rows.all()), name
        cut = panel.evaluate(CUT)
        assert cut == 0, name
        if width == 1100:
            assert _steepest(panel.locator(".pe-sheet")) >= 0.8 * plain, name
    assert page.troubles == []
    page.close()


def _steepest(locator) -> int:
    """Return the greatest step of brightness between neighbouring pixels."""
    locator.scroll_into_view_if_needed()
    pixels = np.asarray(Image.open(io.BytesIO(locator.screenshot())).convert("L")).astype(int)
    return int(np.abs(np.diff(pixels, axis=1)).max())


@pytest.mark.parametrize("name", EXPLORERS)
def test_keys_move_choose_presets_and_hold_the_answer_back(page, name):
    panel = panel_of(page, name)
    first = words(panel)
    page.keyboard.press("ArrowRight" if not _at_the_end(panel) else "ArrowLeft")
    until_other(page, panel, first)
    page.keyboard.press("0")
    page.wait_for_timeout(100)
    assert words(panel) == first
    page.keyboard.press("1")
    until_other(page, panel, first)
    pressed = panel.locator("button[aria-pressed=true]")
    assert pressed.count() == 1
    page.keyboard.press("0")
    page.wait_for_timeout(100)
    explorer = getattr(pe_lib, name)()
    if repr(explorer) == explorer.picture.describe(covered=True):  # it has not come to its answer yet
        explorer.preset([*explorer.presets][1])
        page.keyboard.press("2")
        first = until_other(page, panel, first)
    open_picture = _image(panel)
    page.keyboard.press("a")
    covered = until_other(page, panel, first)
    assert covered == explorer.picture.describe(covered=True)
    page.wait_for_timeout(100)
    assert _image(panel) != open_picture
    page.keyboard.press("a")
    assert until_other(page, panel, covered) == first
    page.keyboard.press("?")
    assert panel.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert not panel.get_by_role("dialog").is_visible()
    assert page.troubles == []


def _at_the_end(panel) -> bool:
    handle = panel.locator(".pe-played input[type=range]")
    return handle.input_value() == handle.get_attribute("max")


def _image(panel) -> str:
    return "".join(image.get_attribute("src") for image in panel.locator(".pe-sheet img").all())


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_click_on_a_target_moves_a_control(page, name):
    panel = panel_of(page, name)
    box, first = panel.locator(".pe-sheet").bounding_box(), words(panel)
    height = getattr(pe_lib, name)().picture.height
    targets = getattr(pe_lib, name)().answer({"fresh": True})["targets"]
    for left, top, wide, high in [target["box"] for target in targets]:
        for across, down in itertools.product((0.05, 0.5, 0.95), (0.1, 0.5, 0.9)):
            x = box["x"] + (left + across * wide) * box["width"] / 1100
            y = box["y"] + (top + down * high) * box["height"] / height
            page.mouse.move(x, y)
            if panel.locator(".pe-stage").evaluate("stage => stage.style.cursor") != "pointer":
                continue  # the page has no such state
            page.mouse.click(x, y)
            page.wait_for_timeout(40)
            if words(panel) != first:
                assert page.troubles == []
                return
    pytest.fail("no click changed anything")


def test_the_frame_under_a_mouse_that_rests_follows_the_picture(page):
    panel = panel_of(page, "explore_waves")
    sheet, frame = panel.locator(".pe-sheet").bounding_box(), panel.locator(".pe-hover")
    target = next(target for target in pe_lib.Waves().targets() if target.across)
    left, top, wide, high = target.box
    scale, seen = sheet["width"] / 1100, "frame => [frame.title, frame.style.width, frame.style.left]"
    x, y = sheet["x"] + (left + 0.6 * wide) * scale, sheet["y"] + (top + high / 2) * scale
    page.mouse.move(x, y)
    first = frame.evaluate(seen)
    first_words = words(panel)
    panel.locator(".pe-sheet").focus()
    page.keyboard.press("4")  # more positions, and so narrower ones
    until_other(page, panel, first_words)
    other = frame.evaluate(seen)
    page.mouse.move(x + 1, y)
    page.mouse.move(x, y)
    assert frame.evaluate(seen) == other != first
    panel.evaluate("panel => panel.dispatchEvent(new KeyboardEvent('keydown', { key: 'f' }))")
    assert frame.is_hidden()
    page.keyboard.press("f")
    assert page.troubles == []


def test_a_key_moves_all_pictures_of_the_board_in_one_frame_and_they_are_those_of_the_library(page):
    panel = panel_of(page, "explore_all")
    first = words(panel)
    page.evaluate("""() => {
        const sheet = document.querySelector("[data-explorer=explore_all] .pe-sheet"), seen = (window.seen = new Set())
        const look = () => {
            seen.add([...sheet.querySelectorAll("img")].map(({ src, complete }) => complete && src).join(" "))
            if (window.seen === seen) requestAnimationFrame(look)
        }
        look()
    }""")
    page.keyboard.press("ArrowRight")
    until_other(page, panel, first)
    page.wait_for_function("() => window.seen.size > 1")
    page.wait_for_timeout(100)
    seen = page.evaluate("() => { const all = [...window.seen]; window.seen = undefined; return all }")
    shown = [[unquote(image.split(",", 1)[1]) for image in frame.split(" ")] for frame in seen]
    board = pe_lib.Board()
    frames = [list(board.update(position=position).frame()) for position in (4, 5)]
    assert shown == frames, "what was there, then all that comes next"
    assert page.troubles == []


def test_the_board_exchanges_its_pictures_enlarges_one_and_leads_back(page):
    panel = panel_of(page, "explore_all")
    sheet, board = panel.locator(".pe-sheet").bounding_box(), pe_lib.Board()

    def clicked(**sets) -> None:
        before = words(panel)
        left, top, wide, high = next(target.box for target in board.targets() if target.sets == sets)
        scale = sheet["width"] / 1100
        page.mouse.click(sheet["x"] + (left + wide / 2) * scale, sheet["y"] + (top + high / 2) * scale)
        board.update(**sets)
        assert until_other(page, panel, before) == board.describe()

    clicked(third="scores")
    assert ("Scores: " in words(panel), "Heatmap: " in words(panel)) == (True, False)
    clicked(third="heatmap")
    clicked(enlarged="waves")
    assert "Number: " not in words(panel)
    clicked(enlarged="none")
    assert page.troubles == []


def test_full_screen_holds_controls_and_picture_and_escape_leads_back(page):
    panel = panel_of(page, "explore_waves")
    page.keyboard.press("f")
    page.wait_for_function("document.querySelector('.pe-whole')")
    page.wait_for_timeout(200)
    sheet = panel.locator(".pe-sheet").bounding_box()
    window = page.evaluate("[innerWidth, innerHeight]")
    assert sheet["y"] + sheet["height"] <= window[1] + 1
    assert sheet["width"] >= 0.95 * window[0] or sheet["y"] + sheet["height"] >= window[1] - 24
    panel.locator(".pe-sheet").dispatch_event("keydown", {"key": "Escape", "bubbles": True})
    page.wait_for_function("!document.querySelector('.pe-whole')")
    assert page.troubles == []


def test_where_full_screen_is_refused_it_fills_the_frame(open_page, address):
    folder = Path(address.removeprefix("file://")).parent
    (folder / "course.html").write_text(
        "<title>Course</title><iframe sandbox=allow-scripts style='width: 1000px; height: 600px'"
        " src=index.html></iframe>"
    )
    handler = functools.partial(QuietHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = open_page(viewport={"width": 1100, "height": 640})
        page.goto(f"http://127.0.0.1:{server.server_port}/course.html")
        frame = page.frame_locator("iframe")
        frame.locator(".pe-sheet").first.scroll_into_view_if_needed()
        frame.locator(".pe-stage[data-shown]").first.wait_for()
        frame.locator(".pe-sheet").first.focus()
        page.keyboard.press("f")
        whole = frame.locator(".pe-whole")
        whole.wait_for()
        assert whole.bounding_box()["height"] == pytest.approx(600, abs=6)
        page.close()
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_one_frame_serves_light_and_dark(open_page, address):
    seen = {}
    for scheme in ("light", "dark"):
        page = _opened(open_page, address, 1100, ["explore_heatmap"], color_scheme=scheme)
        panel = page.locator("[data-explorer=explore_heatmap] .pe-explorer")
        panel.scroll_into_view_if_needed()
        pixels = np.asarray(Image.open(io.BytesIO(panel.screenshot())).convert("L"))
        seen[scheme] = (_image(panel), float(np.median(pixels)), int(pixels.max()) - int(pixels.min()))
        assert page.troubles == []
        page.close()
    assert seen["light"][0] == seen["dark"][0], "the same frames"
    assert seen["light"][1] > 150 > 100 > seen["dark"][1]
    assert seen["dark"][2] > 150, "words stand out on the dark page"


def test_a_prediction_takes_the_choice_first_and_answers_when_asked(page):
    question = pe_lib.predict("count the waves")
    asked = page.locator(".pe-prediction")
    asked.scroll_into_view_if_needed()
    button = asked.get_by_role("button", name="Show the answer")
    assert button.is_disabled()
    assert not any(reason in asked.inner_text() for reason in question.choices.values())
    asked.get_by_text("Three, one for each word").click()
    assert not any(reason in asked.inner_text() for reason in question.choices.values())
    button.click()
    assert all(reason in asked.inner_text() for reason in question.choices.values())
    assert asked.get_by_role("status").inner_text() == f"Not this time: it is “{question.right}”."
    assert page.troubles == []


@pytest.mark.parametrize("digits", [3, 6, 8])
def test_a_number_box_has_room_for_all_its_digits(page, digits):
    for name in EXPLORERS:
        for box in panel_of(page, name).locator(".pe-number").all():
            room, needed = box.evaluate(ROOM, digits)
            assert needed <= room, name


def test_a_number_box_says_what_is_shown_once_the_number_is_entered(page):
    panel = panel_of(page, "explore_clocks")
    box = panel.get_by_label("position, typed")
    first = float(box.input_value())
    for typed, ended in (("1e6", "Enter"), ("99999", "Tab"), ("abc", "Enter")):
        box.fill(typed)
        box.press(ended)
        page.wait_for_function("([box, typed]) => box.value !== typed", arg=[box.element_handle(), typed])
    values = panel.locator("[data-shown]").get_attribute("data-shown")
    assert dict(json.loads(values))["position"] == float(box.input_value().replace(",", "")) > first


def test_what_is_shown_can_be_saved(page):
    panel = panel_of(page, "explore_waves")
    panel.get_by_role("button", name="More").click()
    for kind, magic in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as download:
            panel.get_by_role("button", name=f"Save {kind}").click()
        saved = download.value.path().read_bytes()
        assert saved.startswith(magic)
        if kind == "SVG":
            assert b"MIT licence" in saved
            assert saved.count(b"<svg") == 1
        else:
            assert Image.open(io.BytesIO(saved)).size[0] == 2200
    panel.get_by_role("button", name="More").click()
