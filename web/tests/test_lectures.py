"""The lectures in a browser, from a folder: they fit, move, hold answers back, begin anew, and can be printed."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from slides import slides

SIZES = ((1280, 720), (1920, 1080))
DECKS = {45: "lecture-45.html", 90: "lecture-90.html"}
NOW = "Reveal.getCurrentSlide()"
ANSWERED = f"""() => {{
  const {{ then }} = JSON.parse({NOW}.querySelector('.vote').dataset.vote)
  const shown = {NOW}.querySelector('.pe-stage')?.dataset.shown
  return shown && JSON.parse(shown).every(([name, value]) => !(name in then) || then[name] === value)
}}"""  # the picture has gone where the answer lies
VALUE = re.compile(r"-?\d+\.\d{4}")  # of an encoding or a share; wavelengths have fewer decimals
SHOWN = f"{NOW}.querySelector('.pe-stage[data-shown]')"
WIDE = f"{NOW}.querySelector('.pe-stage').offsetWidth"  # from here on what has 16 pixels of 1100 has 18 of 1280
OUTSIDE = """() => {
  const slide = Reveal.getCurrentSlide(), wide = innerWidth, high = innerHeight
  const beyond = (element) => {
    const box = element.getBoundingClientRect()
    const more = element.closest('.pe-items, .notes, [hidden]')
    return !more && box.width && (box.right > wide + 1 || box.bottom > high + 1 || box.left < -1 || box.top < -1)
  }
  return [...slide.querySelectorAll('*')].filter(beyond).map((element) => element.outerHTML.slice(0, 80))
}"""
CAPITALS = """() => {
  const slide = Reveal.getCurrentSlide(), pen = document.createElement('canvas').getContext('2d')
  const words = [...slide.querySelectorAll('h1, h2, li, .question, .choice, .said')].filter((one) => one.offsetParent)
  return Reveal.getScale() * Math.min(...words.map((one) => {
    pen.font = getComputedStyle(one).font
    return pen.measureText('H').actualBoundingBoxAscent
  }))
}"""


@pytest.fixture(scope="session")
def lectures(site) -> Path:
    """Return the folder of the built lectures."""
    return site / "lectures"


def entered(page, number: int) -> None:
    """Go to a slide, and wait for its picture."""
    page.evaluate(f"Reveal.slide({number})")
    page.wait_for_function(f"!{NOW}.querySelector('[data-explorer]') || {NOW}.querySelector('.vote') || {SHOWN}")


def opened(page, lectures: Path, deck: int, query: str = "") -> int:
    page.goto((lectures / DECKS[deck]).as_uri() + query)
    page.wait_for_function("globalThis.Reveal?.isReady() && !document.querySelector('[data-vote]:empty')")
    return page.evaluate("Reveal.getTotalSlides()")


def state(page) -> tuple[str, str]:
    """Return what a slide shows: its picture in words, and what is asked and answered."""
    sheet = page.evaluate(f"{NOW}.querySelector('.pe-sheet')?.ariaLabel ?? ''")
    return sheet, page.evaluate(f"{NOW}.querySelector('.vote')?.className ?? ''")


def told_keys(page, slide) -> None:
    """Look whether the keys that the notes name are those of the presets."""
    for key, name in re.findall(r"[Kk]ey (\d), \*([^*]+)\*", slide.notes):
        assert page.locator(f"section.present button[title='key {key}']").text_content() == name, slide.title


@pytest.mark.parametrize("page", [{"viewport": {"width": w, "height": h}} for w, h in SIZES], indirect=True)
def test_every_slide_fits_and_moves_and_every_answer_is_hidden_until_asked_for(page, lectures):
    total = opened(page, lectures, 90)
    deck = list(slides(90))
    assert total == len(deck)
    least = 18 * page.viewport_size["height"] / 720
    for number, slide in enumerate(deck):
        entered(page, number)
        assert page.evaluate(OUTSIDE) == [], slide.title
        assert page.evaluate(CAPITALS) >= least - 0.5, slide.title
        if slide.vote:
            held = page.locator("section.present .said, section.present .pe-place")
            assert not any(one.is_visible() for one in held.all()), slide.title
            before = page.locator("section.present img.pe-still").get_attribute("alt")
            for field in page.locator("section.present .vote ol input").all():
                field.fill("38")  # hands
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("ArrowRight")  # as a clicker does
            page.wait_for_function(ANSWERED)
            told = {*VALUE.findall(state(page)[0])} & {*VALUE.findall(slide.notes)}
            assert not told & {*VALUE.findall(before)}, slide.title
            assert page.evaluate(WIDE) >= 1237.5, slide.title
            assert slide.vote.right in page.locator("section.present .said").inner_text()
            page.wait_for_timeout(100)
            assert page.evaluate(OUTSIDE) == [], slide.title
            told_keys(page, slide)
        elif "{explorer}" in slide.text:
            assert page.evaluate(WIDE) >= 1237.5, slide.title
            told_keys(page, slide)
            first = state(page)
            page.locator("section.present .pe-sheet").focus()
            for key in "123":
                page.keyboard.press(key)
                page.wait_for_timeout(60)
                if state(page) != first:
                    break
            else:
                pytest.fail(f"nothing moves on {slide.title!r}")
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


def test_a_slide_that_is_entered_again_is_as_it_was(page, lectures):
    opened(page, lectures, 45)
    for number, slide in enumerate(slides(45)):
        entered(page, number)
        before = state(page)
        if slide.vote:
            page.locator("section.present .vote input").first.fill("12")
            page.keyboard.press("PageDown")  # flips from inside a field too
            page.wait_for_function(f"{NOW}.querySelector('.answered')")
        elif "{explorer}" in slide.text:
            page.locator("section.present .pe-sheet").focus()
            page.keyboard.press("2")
        page.wait_for_timeout(60)
        page.evaluate(f"Reveal.slide({number + 1 if number == 0 else 0})")
        page.evaluate(f"Reveal.slide({number})")
        page.wait_for_timeout(150)
        assert state(page)[1] == before[1], slide.title
        if not slide.vote:
            assert state(page) == before, slide.title
        assert page.locator("section.present .vote input").first.input_value() == "" if slide.vote else True


def test_keys_flip_slides_unless_a_control_has_the_focus(page, lectures):
    opened(page, lectures, 45)
    at = "Reveal.getIndices().h"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    assert page.evaluate(at) == 1
    entered(page, 0)
    page.locator("section.present .pe-sheet").click(position={"x": 3, "y": 3})
    before = state(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"before => {NOW}.querySelector('.pe-sheet').ariaLabel !== before", arg=before[0])
    assert page.evaluate(at) == 0
    page.keyboard.press("PageDown")
    assert page.evaluate(at) == 1
    page.keyboard.press("ArrowRight")  # the focus has been left behind
    assert page.evaluate(at) == 2
    page.keyboard.press("a")
    page.wait_for_function(f"{NOW}.querySelector('.answered')")
    page.locator("section.present .vote button", has_text="Back to the question").click()
    assert not page.locator("section.present .answered").count()


def test_counts_are_drawn_as_bars(page, lectures):
    opened(page, lectures, 45)
    entered(page, next(k for k, slide in enumerate(slides(45)) if slide.vote))
    fields = page.locator("section.present .vote input")
    fields.nth(0).fill("10")
    fields.nth(1).fill("40")
    first, second = (page.locator("section.present .bar").nth(k).bounding_box()["width"] for k in (0, 1))
    assert second > 100
    assert first == pytest.approx(second / 4, abs=1)


@pytest.mark.parametrize("deck", DECKS)
def test_print_has_a_page_for_each_slide_and_none_is_blank(page, lectures, deck):
    opened(page, lectures, deck, "?print-pdf")
    page.wait_for_selector(".pdf-page")  # reveal.js counts no slides any more once they are pages
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    pages, total = page.locator(".pdf-page"), len(list(slides(deck)))
    assert pages.count() == total
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == total
    page.emulate_media(media="print")
    for number, slide in enumerate(slides(deck)):
        one = pages.nth(number)
        ink = np.asarray(Image.open(io.BytesIO(one.screenshot())).convert("L")) < 128
        assert ink.mean() > 0.004, f"{slide.title!r} is blank"
        seen = one.locator(".pe-still").filter(visible=True).count()
        if slide.vote and seen and "explore_" in slide.text:
            still = one.locator(".pe-still").get_attribute("src")
            assert 'class="covered"' in (lectures / still).read_text("utf-8"), f"{slide.title!r} tells its answer"
        if seen:
            still, box = one.locator(".pe-still").bounding_box(), one.bounding_box()
            assert still["y"] + still["height"] <= box["y"] + box["height"] + 1, f"{slide.title!r} is cut"


@pytest.mark.parametrize(("sheet", "most"), [("handout", 2), ("plan-45", 1), ("plan-90", 1)])
def test_the_sheets_have_their_pages(page, lectures, sheet, most):
    page.goto((lectures / f"{sheet}.html").as_uri())
    assert page.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
    for pdf in (page.pdf(prefer_css_page_size=True), (lectures / f"{sheet}.pdf").read_bytes()):
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == most


def test_a_screen_reader_finds_its_way(page, address):
    page.goto(f"{address}lectures/{DECKS[45]}")
    page.wait_for_function("globalThis.Reveal?.isReady()")
    for number in (0, 2):
        entered(page, number)
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
