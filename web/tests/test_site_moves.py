"""In a browser, on the built site: controls, addresses, questions, themes, print, phones, frames, and no scripts."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from explorers_on_pages import still
from PIL import Image

import pe_pictures

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))
from hostile import ALARM, HOSTILE
from panels import ALLOWED, Seen, until

CLOCKS, WAVES = "explore/clocks.html", "explore/waves.html"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LYING = {**PHONE, "viewport": {"width": 844, "height": 390}}
STILL = {"div", "p", "span"}  # what a picture that does not move is made of, around its sheet
LESSON = "notebooks/04_read_the_waves.html"
FORMULAS = "notebooks/00_start_here.html"


def opened(page, address: str) -> Seen:
    """Open a page; return its first explorer."""
    page.goto(address)
    page.locator("[data-explorer]").first.scroll_into_view_if_needed()
    return Seen(page, page.locator(".pe-explorer").first)


def control(one: Seen, label: str):
    """Return what moves a control, out of *More* if need be."""
    panel = one.panel
    found = panel.locator(".pe-field").get_by_label(label, exact=True)
    found = found.or_(panel.locator("label.pe-field", has_text=label).locator("select, input"))
    if not found.is_visible():
        panel.get_by_role("button", name="More").click()
    return found


@pytest.mark.parametrize(
    ("file", "label", "key"),
    [
        ("waves", "d_model", "ArrowRight"),
        ("rounding", "kind", "b"),
        ("workbench", "transposed", " "),
    ],
    ids=["slider", "choice", "tick"],
)
def test_each_kind_of_control_is_moved_by_keys(page, address, file, label, key):
    one = opened(page, f"{address}explore/{file}.html")
    before = one.state[label]
    control(one, label).focus()
    page.keyboard.press(key)
    until(page, lambda: one.state[label] != before, "the control to move the picture")
    explorer = getattr(pe_pictures, f"explore_{file}")()
    explorer.answer({"set": one.state})
    assert one.words == explorer.picture.describe()


def test_the_focus_stays_where_it_is_when_the_controls_find_other_room(page, address):
    one = opened(page, address + WAVES)
    control(one, "d_model").focus()
    for wide in (1000, 1280):
        page.set_viewport_size({"width": wide, "height": 720})
        page.wait_for_timeout(200)
        assert page.evaluate("document.activeElement.ariaLabel") == "d_model"


def test_a_number_can_be_typed_and_the_nearest_state_is_shown(page, address):
    one = opened(page, address + WAVES)
    control(one, "position, typed").fill("7")
    page.keyboard.press("Enter")
    one.until(position=7)
    control(one, "base, typed").fill("9000")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert one.words == pe_pictures.explore_waves(position=7).picture.describe()


@pytest.mark.parametrize("page", [{}, PHONE], indirect=True, ids=["mouse", "touch"])
def test_the_slider_is_moved_by_pointing(page, address, request):
    one = opened(page, address + WAVES)
    point = page.touchscreen.tap if "touch" in request.node.name else page.mouse.click
    box, before = one.axis.bounding_box(), one.state
    point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(page, lambda: one.state != before, "the picture to move")
    one.at_rest()
    assert one.state["position"] in (31, 32)


def test_an_address_says_what_is_shown_and_can_be_copied(page, address):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one = opened(page, f"{address}{CLOCKS}#position=3")
    assert one.state["position"] == 3
    one.press("ArrowRight")
    page.wait_for_function("location.hash === '#position=4'")
    one.panel.get_by_role("button", name="Copy link").click()
    until(page, lambda: one.panel.get_by_role("button", name="Copied").count(), "the copy")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{address}{CLOCKS}#position=4"
    one.press("0")
    page.wait_for_function("location.hash === ''")
    page.evaluate("location.hash = '#position=6'")  # as a link to another state of the same file does
    one.until(position=6)
    page.goto("about:blank")
    assert opened(page, copied).state["position"] == 4


def test_questions_wait_for_a_choice_and_answers_are_closed(page, address):
    page.goto(address + LESSON)
    question = pe_pictures.predict("one column tells the position")
    asked = page.locator(".pe-prediction", has_text=question.question)
    output = page.locator(".pe-answer").first
    output.locator("summary").click()
    assert not output.evaluate("one => one.open")
    asked.get_by_text(next(iter(question.choices))).click()
    asked.get_by_role("button", name="Lock it in").click()
    assert next(iter(question.choices.values())) in asked.get_by_role("status").inner_text()
    assert output.evaluate("one => one.open")
    page.reload()
    folds = page.locator("article details:not(.pe-answer, .pe-prediction *)")
    assert folds.evaluate_all("all => all.every((one) => !one.open)")
    inside = folds.first.locator("pre, p").first
    assert not inside.is_visible()
    folds.first.locator("summary").click()
    assert inside.is_visible()


def brightness(locator) -> float:
    return float(np.median(np.asarray(Image.open(io.BytesIO(locator.screenshot())).convert("L"))))


def test_the_theme_button_turns_pictures_too_and_is_all_that_is_kept(page, address):
    one = opened(page, address + LESSON)
    seen = {}
    for _ in range(3):
        page.locator(".theme-toggle:visible").first.click()
        page.wait_for_timeout(300)
        seen[page.evaluate("document.body.dataset.theme")] = brightness(one.panel)
    assert seen["light"] > 200 > 60 > seen["dark"]
    assert page.evaluate("Object.keys(localStorage)") == ["theme"]
    assert page.context.cookies() == []


def test_search_finds_a_word(page, address):
    page.goto(f"{address}search.html?q=odometer")
    page.locator("#search-results li a", has_text="Count in binary").first.wait_for()


@pytest.mark.parametrize("name", [LESSON, WAVES])
def test_pages_print(page, address, name):
    one = opened(page, f"{address}{name}")
    page.emulate_media(media="print")
    assert one.panel.locator(".pe-sheet").is_visible()
    assert not one.panel.locator(".pe-foot").is_visible()
    pdf = page.pdf(format="A4", print_background=True)
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") == 1 or name == LESSON


@pytest.mark.parametrize("name", ["index.html", LESSON, WAVES])
def test_pages_open_from_a_folder(page, site, name):
    one = opened(page, f"file://{site}/{name}")
    before = one.state
    one.press("ArrowRight")
    until(page, lambda: one.state != before, "the picture to move")


def test_formulas_are_drawn_on_a_page_from_a_folder(page, site):
    page.goto(f"file://{site}/{FORMULAS}")
    page.locator("mjx-container svg, mjx-container mjx-math").first.wait_for(state="attached")


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
@pytest.mark.parametrize("name", [LESSON, WAVES])
def test_with_scripts_off_text_and_first_pictures_are_there(page, address, name):
    page.goto(f"{address}{name}")
    still = page.locator("div.pe-still").first
    still.scroll_into_view_if_needed()
    assert still.locator(".pe-says").inner_text()
    pixels = np.asarray(Image.open(io.BytesIO(still.locator(".pe-sheet").screenshot())).convert("L"))
    assert pixels.std() > 20
    if name == LESSON:
        assert "Three, one for each word" in page.locator("article").inner_text()


def test_hostile_sentences_in_first_pictures_are_words_and_nothing_else(open_page, tmp_path):
    stills = "".join(still(pe_pictures.ExplainThisNumber(sentence, position=0)) for sentence in HOSTILE)
    (tmp_path / "index.html").write_text(f"<!doctype html><meta charset=utf-8>{stills}", errors="replace")
    page = open_page()
    page.goto(f"file://{tmp_path}/index.html")
    assert page.locator(".pe-sheet").count() == len(HOSTILE)
    inside = "[...document.querySelectorAll('.pe-sheet')].flatMap((one) => [...one.shadowRoot.querySelectorAll('*')])"
    around = "[...document.body.querySelectorAll('*')]"
    for elements, allowed in ((inside, {*ALLOWED, "div", "style"}), (around, STILL)):
        assert {*page.evaluate(f"{elements}.map((one) => one.localName)")} <= allowed
        names = page.evaluate(f"{elements}.flatMap((one) => one.getAttributeNames())")
        assert not [name for name in names if name.startswith("on")]
    assert page.evaluate(ALARM.partition(" ")[0]) is None
    assert page.troubles == []
    page.close()


@pytest.mark.parametrize("kind", [{}, PHONE], ids=["wide", "upright"])
def test_nothing_jumps_when_the_picture_comes_to_life(open_page, address, kind):
    places = []
    for scripts in (False, True):
        page = open_page(**{"viewport": {"width": 1280, "height": 720}, **kind, "java_script_enabled": scripts})
        page.goto(address + LESSON)
        host = page.locator(".pe-place[data-explorer]").first
        host.scroll_into_view_if_needed()
        if scripts:
            Seen(page, host.locator(".pe-explorer"))
        top = host.bounding_box()["y"]
        parts = [host.locator(part).bounding_box() for part in (".pe-says", ".pe-sheet")]
        places.append([(box["x"], box["y"] - top, box["width"], box["height"]) for box in parts])
        page.close()
    assert np.abs(np.subtract(*places)).max() <= 1


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_upright_a_picture_is_drawn_for_the_phone(page, address):
    one = opened(page, address + LESSON)
    sheet = one.panel.locator(".pe-sheet").bounding_box()
    assert sheet["height"] > 1.4 * sheet["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("page", [LYING], indirect=True)
def test_lying_down_picture_and_slider_fit(page, address):
    one = opened(page, address + WAVES)
    axis = one.panel.locator(".pe-axis").bounding_box()
    assert axis["y"] + axis["height"] <= 390
    assert one.panel.locator(".pe-sheet").bounding_box()["width"] >= 700


def test_a_column_of_text_gives_the_picture_more_room_than_it_has(page, address):
    one = opened(page, address + LESSON)
    text = page.locator("article p").first.bounding_box()
    assert one.panel.bounding_box()["width"] >= text["width"] + 48 > 900


def test_in_a_frame_that_refuses_full_screen_it_fills_the_frame(page, address):
    page.goto(address + "index.html")
    page.set_content(f"<iframe sandbox=allow-scripts width=1000 height=560 src='{address}{WAVES}'></iframe>")
    frame = page.frame_locator("iframe")
    frame.locator(".pe-stage[data-shown]").wait_for()
    frame.locator(".pe-axis input").focus()
    page.keyboard.press("f")
    whole = frame.locator(".pe-whole")
    whole.wait_for()
    assert whole.bounding_box()["height"] == pytest.approx(560, abs=6)
    page.troubles = [trouble for trouble in page.troubles if "fullscreen is not allowed" not in trouble]
