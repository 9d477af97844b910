"""In a browser: each kind of control by keys, mouse and touch; questions, folds, themes, print, phones, frames."""

import io

import numpy as np
import pytest
from PIL import Image

import pe_lib

WAVES = "explore/waves.html"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LYING = {**PHONE, "viewport": {"width": 844, "height": 390}}
LESSON = "notebooks/04_read_the_waves.html"


def opened(page, address: str):
    """Open a page that is one explorer; return the explorer."""
    page.goto(address)
    page.locator("[data-explorer]").first.scroll_into_view_if_needed()
    page.locator(".pe-stage[data-shown]").first.wait_for()
    return page.locator(".pe-explorer").first


def words(panel) -> str:
    return panel.locator(".pe-sheet").get_attribute("aria-label")


def until_other(page, panel, before: str) -> str:
    page.wait_for_function(
        "([panel, before]) => panel.querySelector('.pe-sheet').ariaLabel !== before",
        arg=[panel.element_handle(), before],
    )
    return words(panel)


def control(panel, label: str):
    """Return what moves a control, out of *More* if need be."""
    found = panel.get_by_label(label, exact=True).or_(panel.locator("label", has_text=label).locator("select"))
    if not found.is_visible():
        panel.get_by_role("button", name="More").click()
    return found


@pytest.mark.parametrize(
    ("file", "label", "key", "value"),
    [
        ("waves", "position", "ArrowRight", {"position": 1}),
        ("waves", "d_model", "ArrowRight", {"d_model": 6}),
        ("rounding", "kind", "b", {"kind": "bfloat16"}),
        ("workbench", "transposed", " ", {"transposed": True}),
    ],
    ids=["slider", "steps", "choice", "tick"],
)
def test_each_kind_of_control_is_moved_by_keys(page, address, file, label, key, value):
    panel = opened(page, f"{address}explore/{file}.html")
    before = words(panel)
    control(panel, label).focus()
    page.keyboard.press(key)
    explorer = getattr(pe_lib, f"explore_{file}")()
    explorer.answer({"set": value})
    assert until_other(page, panel, before) == explorer.picture.describe()


def test_the_focus_stays_where_it_is_when_the_controls_find_other_room(page, address):
    panel = opened(page, f"{address}explore/workbench.html")
    for name, wide in (("scale", 1000), ("transposed", 1100)):
        found = control(panel, name)
        found.focus()
        before = words(panel)
        page.set_viewport_size({"width": wide, "height": 720})
        page.evaluate("() => new Promise((done) => setTimeout(done, 200))")
        page.keyboard.press("ArrowRight" if name == "scale" else "Space")
        until_other(page, panel, before)


def test_a_number_can_be_typed_and_the_nearest_state_is_shown(page, address):
    panel = opened(page, address + WAVES)
    before = words(panel)
    control(panel, "position, typed").fill("7")
    page.keyboard.press("Enter")
    assert until_other(page, panel, before) == pe_lib.explore_waves(position=7).picture.describe()
    control(panel, "base, typed").fill("9000")
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert words(panel) == pe_lib.explore_waves(position=7).picture.describe()


@pytest.mark.parametrize("page", [{}, PHONE], indirect=True, ids=["mouse", "touch"])
def test_controls_and_targets_are_moved_by_pointing(page, address, request):
    touch = "touch" in request.node.name
    panel = opened(page, address + WAVES)
    point = page.touchscreen.tap if touch else page.mouse.click
    explorer = pe_lib.explore_waves()
    slider, before = panel.get_by_label("position", exact=True).bounding_box(), words(panel)
    point(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
    middle = until_other(page, panel, before)
    assert middle in {explorer.picture.update(position=pos).describe() for pos in (7, 8)}
    left, top, wide, high = explorer.answer({"fresh": True})["targets"][0]["box"]
    sheet = panel.locator(".pe-sheet").bounding_box()
    scale = sheet["width"] / 1100
    point(sheet["x"] + (left + 0.15 * wide) * scale, sheet["y"] + (top + high / 2) * scale)
    assert until_other(page, panel, middle) in {explorer.picture.update(position=pos).describe() for pos in range(4)}


def test_it_plays_and_pauses(page, address):
    panel = opened(page, address + WAVES)
    panel.locator(".pe-sheet").focus()
    page.keyboard.press("Space")
    second = until_other(page, panel, words(panel))
    until_other(page, panel, second)
    page.keyboard.press("Space")
    page.wait_for_timeout(100)
    still = words(panel)
    page.wait_for_timeout(1000)
    assert words(panel) == still


def test_presets_cover_and_the_address(page, address):
    panel = opened(page, f"{address}{WAVES}#position=3&base=100")
    assert words(panel) == pe_lib.explore_waves(position=3, base=100.0).picture.describe()
    panel.locator(".pe-sheet").focus()
    before = words(panel)
    page.keyboard.press("2")
    assert until_other(page, panel, before) == pe_lib.explore_waves().preset("base 100").picture.describe()
    page.wait_for_function("location.hash === '#base=100'")
    page.keyboard.press("a")
    page.wait_for_timeout(100)
    assert words(panel) == pe_lib.explore_waves(base=100.0).picture.describe(covered=True)
    page.keyboard.press("0")
    page.wait_for_function("location.hash === ''")
    page.keyboard.press("a")
    before = words(panel)
    page.evaluate("location.hash = '#position=5'")  # as a link to another state of the same file does
    assert until_other(page, panel, before) == pe_lib.explore_waves(position=5).picture.describe()


def test_a_slider_that_leads_nowhere_looks_so_and_the_keys_go_on(page, address):
    panel = opened(page, f"{address}explore/heatmap.html")
    slider, play, first = panel.get_by_label("position", exact=True), panel.get_by_label("Play"), words(panel)
    slider.focus()
    page.evaluate("location.hash = '#column=20'")  # which the pack has at one position
    other = until_other(page, panel, first)
    assert slider.is_disabled()
    assert play.is_disabled()
    page.keyboard.press("0")
    assert until_other(page, panel, other) == first
    assert slider.is_enabled()
    assert play.is_enabled()


def test_a_click_leads_where_the_frame_beneath_the_pointer_says(page, address):
    panel = opened(page, f"{address}explore/heatmap.html")
    picture, before = pe_lib.explore_heatmap().picture, words(panel)
    (left, top, wide, high), *_ = next(iter(picture.targets()))
    sheet = panel.locator(".pe-sheet").bounding_box()
    scale = sheet["width"] / 1100
    at = sheet["x"] + (left + 0.63 * wide) * scale, sheet["y"] + (top + 0.61 * high) * scale
    page.mouse.move(*at)  # column 40, position 30: one of those that the pack has not
    said = dict(part.split(" ") for part in panel.locator(".pe-hover").get_attribute("title").split(", "))
    page.mouse.click(*at)
    state = {name: int(value) for name, value in said.items()}
    assert until_other(page, panel, before) == picture.update(**state).describe()


def test_questions_wait_for_a_choice_and_answers_are_closed(page, address):
    page.goto(address + LESSON)
    question = pe_lib.predict("count the waves")
    asked = page.locator(".pe-prediction", has_text=question.question)
    button = asked.get_by_role("button", name="Show the answer")
    assert button.is_disabled()
    asked.get_by_text(next(iter(question.choices))).click()
    button.click()
    assert all(reason in asked.inner_text() for reason in question.choices.values())
    folds = page.locator("article details")
    assert folds.count() > 10
    assert folds.evaluate_all("all => all.every((one) => !one.open)")
    inside = folds.first.locator("pre, p").first
    assert not inside.is_visible()
    folds.first.locator("summary").click()
    assert inside.is_visible()


def brightness(locator) -> float:
    return float(np.median(np.asarray(Image.open(io.BytesIO(locator.screenshot())).convert("L"))))


def test_the_theme_button_turns_pictures_too_and_is_all_that_is_kept(page, address):
    panel = opened(page, address + LESSON)
    panel.scroll_into_view_if_needed()
    seen = {}
    for _ in range(3):
        page.locator(".theme-toggle:visible").first.click()
        page.wait_for_timeout(200)
        seen[page.evaluate("document.body.dataset.theme")] = brightness(panel)
    assert seen["light"] > 200 > 60 > seen["dark"]
    assert page.evaluate("Object.keys(localStorage)") == ["theme"]
    assert page.context.cookies() == []


def test_search_finds_a_word(page, address):
    page.goto(f"{address}search.html?q=odometer")
    page.locator("#search-results li a", has_text="Count in binary").first.wait_for()


@pytest.mark.parametrize("name", [LESSON, WAVES])
def test_pages_print(page, address, name):
    panel = opened(page, f"{address}{name}")
    page.emulate_media(media="print")
    assert panel.locator(".pe-sheet").is_visible()
    assert not panel.locator(".pe-row").first.is_visible()
    pdf = page.pdf(format="A4", print_background=True)
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") == 1 or name == LESSON


@pytest.mark.parametrize("name", ["index.html", LESSON, WAVES])
def test_pages_open_from_a_folder(page, site, name):
    panel = opened(page, f"file://{site}/{name}")
    panel.locator(".pe-sheet").focus()
    before = words(panel)
    page.keyboard.press("ArrowRight")
    until_other(page, panel, before)
    if name == LESSON:
        page.locator("mjx-container svg, mjx-container mjx-math").first.wait_for(state="attached")


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
@pytest.mark.parametrize("name", [LESSON, WAVES])
def test_with_scripts_off_text_and_first_pictures_are_there(page, address, name):
    page.goto(f"{address}{name}")
    still = page.locator(".pe-still").first
    still.scroll_into_view_if_needed()
    pixels = np.asarray(Image.open(io.BytesIO(still.screenshot())).convert("L"))
    assert pixels.std() > 20
    if name == LESSON:
        assert "Three, one for each word" in page.locator("article").inner_text()


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_upright_a_picture_is_panned_at_a_readable_size(page, address):
    panel = opened(page, address + LESSON)
    stage = panel.locator(".pe-stage")
    assert stage.bounding_box()["width"] >= 700
    pan = panel.locator(".pe-pan")
    assert pan.evaluate("pan => (pan.scrollTo(300, 0), pan.scrollLeft)") == 300
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("page", [LYING], indirect=True)
def test_lying_down_controls_and_picture_fit(page, address):
    panel = opened(page, address + WAVES)
    box = panel.bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 390
    assert panel.locator(".pe-stage").bounding_box()["width"] >= 700


def test_in_a_frame_that_refuses_full_screen_it_fills_the_frame(page, address):
    page.goto(address + "index.html")
    page.set_content(f"<iframe sandbox=allow-scripts width=1000 height=560 src='{address}{WAVES}'></iframe>")
    frame = page.frame_locator("iframe")
    frame.locator(".pe-stage[data-shown]").wait_for()
    frame.locator(".pe-sheet").focus()
    page.keyboard.press("f")
    whole = frame.locator(".pe-whole")
    whole.wait_for()
    assert whole.bounding_box()["height"] == pytest.approx(560, abs=6)
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(500)
    assert frame.locator(".pe-sheet").get_attribute("aria-label") == pe_lib.explore_waves(position=1).picture.describe()
    page.troubles = [trouble for trouble in page.troubles if "fullscreen is not allowed" not in trouble]
