"""In a browser, on the built site: controls, addresses, questions, themes, print, phones, frames, and no scripts."""

import io
import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
from explorers_on_pages import still
from PIL import Image
from playwright.sync_api import expect

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
    """Return what moves a control, out of *More* if need be, with the focus on it."""
    panel = one.panel
    found = panel.locator(".pe-field").get_by_label(label, exact=True)
    found = found.or_(panel.locator("label.pe-field", has_text=label).locator("select, input"))

    def has_the_keys() -> bool:  # a picture that learns its room late may have moved it under More
        if not found.is_visible():
            panel.get_by_role("button", name="More").click()
        found.focus()
        return found.evaluate("one => one === document.activeElement")

    until(one.page, has_the_keys, "the control to take the keys")
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
    control(one, label)
    page.keyboard.press(key)
    until(page, lambda: one.state[label] != before, "the control to move the picture")
    explorer = getattr(pe_pictures, f"explore_{file}")()
    explorer.answer({"set": one.state})
    assert one.words == explorer.picture.describe()


def test_the_focus_stays_where_it_is_when_the_controls_find_other_room(page, address):
    one = opened(page, address + WAVES)
    control(one, "d_model")
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


HEARD = """panel => {
  window.heard = { says: [], status: [] }
  for (const [name, list] of Object.entries(window.heard)) {
    const one = panel.querySelector(name === 'says' ? '.pe-says' : '.pe-says + [role=status]')
    new MutationObserver(() => one.textContent === list.at(-1) || list.push(one.textContent))
      .observe(one, { childList: true, subtree: true, characterData: true })
  }
}"""


def test_one_message_a_change_is_read_aloud_and_the_headline_says_where_it_goes(page, address):
    one = opened(page, address + "explore/number.html")
    assert one.panel.get_attribute("aria-label") == pe_pictures.ExplainThisNumber.question
    last = int(one.axis.get_attribute("max"))
    one.press("End")
    one.until(position=last)
    page.wait_for_timeout(500)
    one.panel.evaluate(HEARD)
    for k, key in enumerate(("ArrowLeft", "Home", "End", "ArrowLeft"), 1):
        page.keyboard.press(key)
        one.at_rest()
        until(page, lambda k=k: len(page.evaluate("window.heard.status")) == k, "the message")
    heard = page.evaluate("window.heard")
    assert heard["says"] == heard["status"], "no headline but those of the goals, each once"
    word = pe_pictures.explore_number().picture.update(position=last - 1).title()[0][0].strip("“”")
    assert one.axis.get_attribute("aria-valuetext") == f"position {last - 1}, {word}"


def test_search_leads_to_the_section_that_answers(page, site):
    searched = (site / "search.html").as_uri()  # from a folder too
    for query, title in {
        "ViT+2D": "How do I encode two dimensions",
        "why+sine": "Why both sine and cosine?",
        "KV+cache": "KV cache",
    }.items():
        page.goto(f"{searched}?q={query}")
        assert title in page.locator("#results li > a").first.inner_text()
    page.locator("#results li > a").first.click()
    assert "KV cache" in page.locator(":target").inner_text()
    for query, said in {"": "Type a word", "nosuchword": "Nothing here has"}.items():
        page.goto(f"{searched}?q={query}")
        assert said in page.get_by_role("status").inner_text()


SPOILED = """() => {
  for (const [key, value] of Object.entries({
    'pe-solved': '7', 'pe-done': '{"the waves": 7}', 'pe-code 04_read_the_waves': '{"x": 1}', theme: '{}',
  })) localStorage.setItem(key, value)
}"""


def test_a_spoiled_or_denied_storage_and_a_strange_address_change_nothing(page, address):
    lesson = address + LESSON
    page.goto(lesson)
    page.evaluate(SPOILED)
    for strange in ("waves.d_model=Infinity", "waves.position=1e999", "waves.position=-5&waves.base=%"):
        page.goto("about:blank")
        one = opened(page, f"{lesson}#{strange}")
        assert one.state["position"] == 0
        assert page.locator(".pe-bar button", has_text="Run").first.is_visible()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied') } })"
    )
    page.goto(address + "search.html?q=sine")
    assert page.locator("#results li").count() > 10
    assert page.locator(".theme-toggle:visible").count() == 1
    assert opened(page, lesson).state["position"] == 0


def test_a_picture_that_was_never_seen_says_so_offline_and_wakes_with_the_network(page, address):
    page.goto(address + LESSON)
    host = page.locator("[data-explorer^=heatmap]").first
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    host.scroll_into_view_if_needed()
    expect(host.get_by_role("status")).to_contain_text("could not be fetched")
    page.context.set_offline(False)
    host.locator(".pe-stage[data-shown]").wait_for()
    assert not host.locator(".pe-message:visible").count()
    page.troubles = [trouble for trouble in page.troubles if "ERR_INTERNET_DISCONNECTED" not in trouble]


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


def test_formulas_are_drawn_on_a_page_from_a_folder_and_let_pictures_go_first(page, site):
    packs, formulas = [], []
    page.route("**/packs/*.js", lambda route: packs.append(route))
    page.on("request", lambda request: formulas.append(request.url) if "mathjax" in request.url else None)
    page.goto(f"file://{site}/{FORMULAS}")
    page.locator("[data-explorer]").first.scroll_into_view_if_needed()
    until(page, lambda: packs, "a picture to ask for its pack")
    page.wait_for_timeout(500)
    assert not formulas, "the largest file of a page waits for the first picture"
    for route in packs:
        route.continue_()
    page.unroute("**/packs/*.js")
    page.locator("mjx-container svg, mjx-container mjx-math").first.wait_for(state="attached")


@pytest.mark.parametrize(
    ("page", "name"),
    [({"java_script_enabled": False}, WAVES), ({**PHONE, "java_script_enabled": False}, LESSON)],
    indirect=["page"],
    ids=["wide", "upright"],
)
def test_with_scripts_off_text_and_first_pictures_are_there(page, address, name):
    page.goto(f"{address}{name}")
    still = page.locator("div.pe-still").first
    box = still.locator(".pe-sheet:visible").bounding_box()
    assert (box["height"] > box["width"]) == (name == LESSON), "a phone gets the upright one"
    still.scroll_into_view_if_needed()
    assert still.locator(".pe-says").inner_text()
    pixels = np.asarray(Image.open(io.BytesIO(still.locator(".pe-sheet:visible").screenshot())).convert("L"))
    assert pixels.std() > 20
    if name == LESSON:
        assert "Two, far apart" in page.locator("article").inner_text()


def test_hostile_sentences_in_first_pictures_are_words_and_nothing_else(open_page, tmp_path):
    stills = "".join(still(pe_pictures.ExplainThisNumber(sentence, position=0)) for sentence in HOSTILE)
    (tmp_path / "index.html").write_text(f"<!doctype html><meta charset=utf-8>{stills}", errors="replace")
    page = open_page()
    page.goto(f"file://{tmp_path}/index.html")
    assert page.locator(".pe-sheet").count() == 2 * len(HOSTILE)  # one for wide pages, one for phones
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
        parts = [host.locator(part).bounding_box() for part in (".pe-says", ".pe-sheet:visible")]
        places.append([(box["x"], box["y"] - top, box["width"], box["height"]) for box in parts])
        page.close()
    assert np.abs(np.subtract(*places)).max() <= 1


MARKS = """sheet => [...sheet.shadowRoot.querySelectorAll('circle:is(.f-here, .e-here):not(.spot), rect.e-here')]
  .map((mark) => mark.getBoundingClientRect().toJSON()).filter(({ width }) => width)"""


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_upright_a_picture_is_drawn_for_the_phone_and_lets_a_finger_scroll(page, address):
    page.goto(address + LESSON)
    page.add_style_tag(content="html { scroll-behavior: auto !important }")
    touch = page.context.new_cdp_session(page)

    def swipe(x, y, across=0.0, down=0.0) -> None:
        for k in range(12):
            at = {"x": x + across * k / 11, "y": y + down * k / 11}
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove" if k else "touchStart", "touchPoints": [at]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(50)

    page.locator("[data-explorer^=heatmap]").first.scroll_into_view_if_needed()
    one = Seen(page, page.locator("[data-explorer^=heatmap] .pe-explorer").first)
    sheet, state, tried = one.panel.locator(".pe-sheet"), one.state, 0
    wide, high = (sheet.bounding_box()[side] for side in ("width", "height"))
    assert high > 1.4 * wide
    for down, across in itertools.product((0.15, 0.35, 0.55, 0.75), (0.2, 0.5, 0.8)):
        page.evaluate(f"scrollBy(0, {sheet.bounding_box()['y'] + down * high - 500})")
        box, top = sheet.bounding_box(), page.evaluate("scrollY")
        x, y = box["x"] + across * wide, box["y"] + down * high
        beside = [max(m["left"] - x, x - m["right"], m["top"] - y, y - m["bottom"]) for m in sheet.evaluate(MARKS)]
        if min(beside) >= 30:
            tried += 1
            swipe(x, y, down=-110)
            assert page.evaluate("scrollY") - top > 60, f"a finger at {across, down} cannot scroll on"
    assert tried >= 8
    assert one.state == state, "a finger that scrolls changes nothing"
    sheet.scroll_into_view_if_needed()
    mark, top = sheet.evaluate(MARKS)[0], page.evaluate("scrollY")
    swipe((mark["left"] + mark["right"]) / 2, (mark["top"] + mark["bottom"]) / 2, down=60)
    until(page, lambda: one.state != state, "the handle to move the picture")
    assert page.evaluate("scrollY") == top
    one.at_rest()
    before, box = one.state, sheet.bounding_box()
    page.touchscreen.tap(box["x"] + 0.5 * wide, box["y"] + 0.2 * high)
    until(page, lambda: one.state != before, "a tap to choose a cell")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("page", [LYING], indirect=True)
def test_lying_down_picture_and_slider_fit(page, address):
    one = opened(page, address + WAVES)
    axis = one.panel.locator(".pe-axis").bounding_box()
    assert axis["y"] + axis["height"] <= 390
    assert one.panel.locator(".pe-sheet").bounding_box()["width"] >= 700


def test_a_column_of_text_gives_the_picture_more_room_than_it_has(page, address):
    one = opened(page, address + LESSON)
    text = page.locator("article section > p").first.bounding_box()
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
