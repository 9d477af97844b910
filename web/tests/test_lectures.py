"""The lectures in a browser, from a folder: a clicker walks every step, votes hold answers back, all prints."""

import itertools
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from directives import FARTHEST
from pictures import AddedOrTurned, Cliff, SwapWords, WordPlusPosition
from slides import question, read_questions, slides

from pe_lib import frequencies, sinusoidal_encoding
from pe_lib.network import Network
from pe_pictures import LookBack, Scores, WhoBites

NAMED = {
    "positional encoding": 1,
    "attention": 1,
    "embedding": 1,
    "Query": 2,
    "softmax": 2,
    "RoPE": 10,
    "GPT-2": None,
}  # by which slide
DECKS = {45: "lecture-45.html", 90: "lecture-90.html"}
NOW = "Reveal.getCurrentSlide()"
ROOT = f"{NOW}.querySelector('.steps, .vote')"
SHOWS = """(state) => {
  const shown = Reveal.getCurrentSlide().querySelector('.pe-stage')?.dataset.shown
  return shown && Object.entries(JSON.parse(shown)).every(([name, value]) => !(name in state) || state[name] === value)
}"""
OUTSIDE = """() => {
  const slide = Reveal.getCurrentSlide(), wide = innerWidth, high = innerHeight
  const beyond = (element) => {
    const box = element.getBoundingClientRect()
    const more = element.closest('.pe-foot, .pe-more, .notes, [hidden]')
    return !more && box.width && (box.right > wide + 1 || box.bottom > high + 1 || box.left < -1 || box.top < -1)
  }
  return [...slide.querySelectorAll('*')].filter(beyond).map((element) => element.outerHTML.slice(0, 80))
}"""
SMALL = """() => {
  const slide = Reveal.getCurrentSlide(), scale = document.querySelector('.slides').getBoundingClientRect().width / 1280
  const px = (one) => parseFloat(getComputedStyle(one).fontSize)
  const words = slide.querySelectorAll('h1, h2, li, p, td, th, pre, small, .choice, .pe-says')
  const sheets = [...slide.querySelectorAll('.pe-sheet')].filter((one) => one.offsetParent && one.shadowRoot)
  const texts = sheets.flatMap((one) => [...one.shadowRoot.querySelectorAll('svg text')])
  const drawn = texts.filter((one) => one.textContent)
  const shown = (one) => px(one) * one.getScreenCTM().a / scale
  const digits = /^[−.,≤%0-9⁻⁰¹²³⁴-⁹]+$/ // in cells and maps they may be smaller
  const small = [...words].filter((one) => one.offsetParent && px(one) < 20)
  small.push(...drawn.filter((one) => shown(one) < (digits.test(one.textContent) ? 17 : 20)))
  return small.map((one) => one.textContent)
}"""
WATCH = """() => {
  const seen = (globalThis.seen = new Set()), root = Reveal.getCurrentSlide().querySelector('.pe-sheet').shadowRoot
  const look = () => {
    seen.add(root.querySelector('.move').innerHTML)
    if (globalThis.seen === seen) requestAnimationFrame(look)
  }
  look()
}"""
AXE = """axe.run(
  {include: ['section.present'], exclude: ['section.present .pe-sheet']}, // pictures are tried on the pages
  {preload: false, resultTypes: ['violations']},
)"""
FADES = f"{NOW}.querySelector('.pe-sheet').shadowRoot.querySelector('.picture ~ .picture')"


@pytest.fixture(scope="session")
def lectures(site) -> Path:
    """Return the folder of the built lectures."""
    return site / "lectures"


def opened(page, lectures: Path, deck: int, query: str = "") -> int:
    page.goto((lectures / DECKS[deck]).as_uri() + query)
    page.wait_for_function("globalThis.Reveal?.isReady()")
    return page.evaluate("Reveal.getTotalSlides()")


def number_of(deck: int, title: str) -> int:
    return next(number for number, slide in enumerate(slides(deck)) if slide.title == title)


def has_picture(slide) -> bool:
    return bool(slide.vote) or "```{steps}" in slide.text


def states_of(page) -> list:
    """Return what the picture of this slide goes through, each with its caption."""
    data = page.evaluate(f"({{...{ROOT}.dataset}})")
    return json.loads(data["steps"]) if "steps" in data else json.loads(data["vote"])["states"]


LAPTOP, HALL = ({"viewport": {"width": wide, "height": high}} for wide, high in ((1280, 720), (1920, 1080)))


@pytest.mark.parametrize(("page", "deck", "scheme"), [(LAPTOP, 90, "dark"), (HALL, 45, "light")], indirect=["page"])
def test_a_clicker_walks_every_step_of_every_slide_and_back_and_each_fits(page, lectures, deck, scheme):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # or each step would take its second
    deck_of = list(slides(deck))
    listened = {slide.title for slide in deck_of} - ({slide.title for slide in slides(45)} if deck == 90 else set())
    assert opened(page, lectures, deck) == len(deck_of)
    page.evaluate(Axe().axe_script)
    for number, slide in enumerate(deck_of):
        assert page.evaluate("Reveal.getIndices().h") == number, slide.title
        states = states_of(page) if has_picture(slide) else []
        for stop in range(slide.stops + 1):
            if slide.vote:
                stage = page.evaluate(f"{ROOT}.dataset.stage")
                assert (stage, stop) in {("asked", 0), ("settled", slide.stops)} or 0 < stop < slide.stops, slide.title
                told = page.locator("section.present .said").inner_text()
                assert (slide.vote.right in told) == (stage in ("answered", "settled")), slide.title
            if states and (not slide.vote or stage in ("answered", "settled")):
                state, said = states[stage == "settled" if slide.vote else stop]
                page.wait_for_function(SHOWS, arg=state)
                page.locator("section.present .pe-says", has_text=said).wait_for()
            assert page.evaluate(OUTSIDE) == [], (slide.title, stop)
            assert page.evaluate(SMALL) == [], (slide.title, stop)
            if slide.title in listened and stop == slide.stops:  # as a screen reader does
                found = page.evaluate(AXE)["violations"]
                assert [(one["id"], one["nodes"][0]["html"][:90]) for one in found] == [], slide.title
            page.keyboard.press("PageDown")
    assert page.evaluate("Reveal.isLastSlide()")
    for number, slide in reversed([*enumerate(deck_of)]) if deck == 45 else ():
        assert page.evaluate("Reveal.getIndices().h") == number, slide.title
        assert page.locator("section.present .fragment.visible").count() == slide.stops, slide.title
        if has_picture(slide):
            page.wait_for_function(SHOWS, arg=states_of(page)[-1][0])
        for _ in range(slide.stops + 1):
            page.keyboard.press("PageUp")


def test_a_long_step_turns_through_all_that_lies_between(page, lectures):
    opened(page, lectures, 90)
    turned = 0
    for number, slide in enumerate(slides(90)):
        if not has_picture(slide):
            continue
        page.evaluate(f"Reveal.slide({number})")
        states = [state for state, _ in states_of(page)]
        for stop, (one, other) in enumerate(itertools.pairwise(states)):
            moved = [name for name in one if one[name] != other[name]]
            by = abs(one[moved[0]] - other[moved[0]]) if len(moved) == 1 and isinstance(one[moved[0]], int) else 0
            if 5 <= by <= FARTHEST:
                page.evaluate(f"Reveal.slide({number}, 0, {slide.stops - 2 if slide.vote else stop - 1})")
                page.wait_for_function(SHOWS, arg=one)
                page.wait_for_function(f"!{FADES}")
                page.evaluate(WATCH)
                page.keyboard.press("PageDown")
                frames = 10 if "explore_training" in slide.text else 20  # that one has recorded every fourth step
                page.wait_for_function("(least) => seen.size >= least", arg=frames, timeout=5000)
                turned += 1
    assert turned >= 8


def test_back_and_a_reload_find_the_answer_where_it_stood_and_the_counts_stay(page, lectures):
    opened(page, lectures, 45)
    number = next(number for number, slide in enumerate(slides(45)) if slide.rounds == 2)
    page.evaluate(f"Reveal.slide({number})")
    fields = page.locator("section.present .vote input")
    assert not fields.first.is_visible()
    page.keyboard.press("PageDown")
    fields.nth(0).fill("10")
    page.keyboard.press("PageDown")  # flips from inside a field too
    assert page.locator("section.present .talk").is_visible()
    assert not fields.nth(1).is_visible()
    page.keyboard.press("PageDown")
    fields.nth(1).fill("40")
    one, two = (page.locator("section.present .bar").nth(k).bounding_box() for k in (0, 1))
    assert two["x"] > one["x"]
    assert one["width"] == pytest.approx(two["width"] / 4, abs=1)
    page.keyboard.press("ArrowRight")  # a field has the focus and keeps it
    assert page.evaluate(f"{ROOT}.dataset.stage") == "again"
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    page.wait_for_function(SHOWS, arg=states_of(page)[1][0])
    picture = page.locator("section.present .pe-explorer")
    picture.locator("input").first.press("f")
    assert "pe-whole" in picture.get_attribute("class")
    page.keyboard.press("PageDown")
    assert page.locator(".pe-whole").count() == 0
    page.keyboard.press("PageUp")
    assert page.evaluate("Reveal.getIndices().h") == number
    assert page.evaluate(f"{ROOT}.dataset.stage") == "settled"
    page.wait_for_function(SHOWS, arg=states_of(page)[1][0])
    assert [fields.nth(k).input_value() for k in (0, 1)] == ["10", "40"]
    page.keyboard.press("PageUp")
    page.wait_for_function("location.hash.endsWith(`/${Reveal.getIndices().f}`)")  # reveal.js takes its time
    page.reload()
    page.wait_for_function(f"globalThis.Reveal?.isReady() && {ROOT}.dataset.stage === 'answered'")
    page.wait_for_function(SHOWS, arg=states_of(page)[0][0])
    page.keyboard.press("PageDown")
    assert page.evaluate(f"{ROOT}.dataset.stage") == "settled"
    assert page.locator("button", has_text="Copy").count() == 0  # the address is the slide's
    page.evaluate(f"Reveal.slide({number - 1})")
    page.evaluate(f"Reveal.slide({number})")
    assert page.evaluate(f"{ROOT}.dataset.stage") == "asked"
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf())) == 1  # says where the PDF is
    page.set_viewport_size({"width": 560, "height": 315})
    opened(page, lectures, 45, "?receiver")  # as the speaker's view shows it
    assert page.locator(".upright").count() == 0


def test_the_right_choices_are_spread_over_the_places_and_every_vote_is_asked():
    asked = {slide.vote.question: slide.vote for slide in slides(90) if slide.vote}
    names = read_questions(Path(__file__).parents[1] / "lectures" / "questions.toml")
    assert {question(name).question for name in names} == asked.keys()
    places = Counter([*vote.choices].index(vote.right) for vote in asked.values())
    assert {*places} == set(range(max(len(vote.choices) for vote in asked.values())))
    assert min(places.values()) >= 2


@pytest.mark.parametrize("deck", DECKS)
def test_the_minutes_add_up_with_the_votes_the_questions_and_what_is_said(deck):
    told = [slide for slide in slides(deck) if slide.minutes]
    backups = [slide for slide in slides(deck) if not slide.minutes]
    assert sum(slide.minutes for slide in told) == deck
    assert all(slide.minutes >= (0, 2.25, 5)[slide.rounds] for slide in told)
    assert all(10 < len(slide.notes.split()) < 130 * slide.minutes for slide in told)  # words in a minute
    assert told[-1].title == told[0].title
    assert told[-1].what == "questions"
    assert told[-1].minutes >= 3
    assert {"Why add, not concatenate?", "Why 10000?"} < {slide.title for slide in backups}
    assert deck == 45 or [slide.begins for slide in told if slide.title == "Break"] == [45]
    long = [number for number, slide in enumerate(told) if slide.rounds == 2]
    assert len(long) >= 2
    assert min(np.diff(long)) > 1


@pytest.mark.parametrize("deck", DECKS)
def test_what_it_is_about_is_named_on_slides_where_it_is_first_used(lectures, deck):
    assert "<title>Positional encoding" in (lectures / DECKS[deck]).read_text("utf-8")
    shown = [slide.text.replace(slide.notes, "") for slide in slides(deck)]
    first = {name: next((k for k, text in enumerate(shown, 1) if name in text), 0) for name in NAMED}
    assert {name: first[name] for name in NAMED if not 0 < first[name] <= (NAMED[name] or len(shown))} == {}
    formula = next(text for text in shown if 'class="formula' in text)
    assert all(f"</{tag}></td>" in formula for tag in ("span", "i"))  # pos and i, and d
    assert "```{steps}" not in formula


def test_the_numbers_on_slides_and_in_notes_are_those_of_the_library():
    texts = {slide.title: slide.text for slide in slides(90)}
    texts["the handout"] = (Path(__file__).parents[1] / "lectures" / "handout.md").read_text("utf-8")
    rows, four, six = (sinusoidal_encoding(1004, width) for width in (64, 8, 6))
    shares = Cliff().shares
    code = re.search(r'fragment">(pos, j .+?)</pre>', texts["The formula"], re.S)[1]
    made = {}
    exec(code, {"np": np}, made)
    assert np.allclose(made["rows"], six[:3])

    def zero(base):  # the first offset whose rows have a dot product of 0 or less
        return int(np.argmax(np.cos(np.outer(np.arange(7000), frequencies(64, base))).sum(axis=1) <= 0))

    computed = {
        "Attention: every word asks all the others": [*SwapWords().attention_weights[1], *SwapWords().rows[1]],
        "One number, with nothing left out": [f"{x:.4f}" for x in (six[1, 0], six[1, 2], six[2, 2])],
        "What does the hand do?": [f"{x:.4f}" for x in six[1, :2]],
        "Embedding + position row = what goes in": [WordPlusPosition("man bites dog", 2).sum[0]],
        "Or learn the rows": [f"{512 * 768:,}", f"{1024 * 768:,}"],
        "One hand is back too soon, so take several": np.linalg.norm(four[[1, 6]] - four[0], axis=1),
        "Can one column tell the position?": sinusoidal_encoding(215, 4)[[100, 100, 214, 214], [2, 3, 2, 3]],
        "64 waves side by side": [f"{2 * np.pi / frequencies(64)[16]:.1f}"],
        "Both positions move on by 1000": [
            rows[0] @ rows[3],
            rows[1000] @ rows[1003],
            np.linalg.norm(rows[0] - rows[3]),
        ],
        "Which position is most like position 0?": [f"{six[0] @ six[k]:.4f}" for k in (1, 3, 6)],
        "A head that looks one word back": [LookBack(sharpness=1).attention_weights[5, 4]],
        "RoPE: turn query and key instead": [AddedOrTurned(at).scores[k] for at in (2, 12, 24) for k in (0, 1)],
        "The scores that follow": [
            Scores(kind, query=q, key=q - 8).score for kind in ("sinusoidal", "RoPE") for q in (20, 28)
        ],
        "Trained on 32 words: who bit whom?": [
            f"{100 * shares[:, 39].mean():.0f} times of 100",
            f"{sum(part.size for part in Network('sinusoidal').parameters.values()):,} numbers",
        ],
        "the handout": [*six[2, :2], *six[1, :2], -six[1, 0], rows[0] @ rows[3], six[0] @ six[1], six[0] @ six[6]],
        "Where it looks instead": [f"{WhoBites(position=49).most} back", WhoBites(position=36).named],
        "And now swap them once more": [*SwapWords(0, "added").rows[1], *SwapWords(1, "added").rows[1]],
        "Why 10000?": [f"{2 * np.pi / frequencies(64, base)[-1]:,.0f}" for base in (100, 10_000, 1_000_000)]
        + [f"{zero(base):,} words apart" for base in (100, 10_000, 1_000_000)],
    }
    for title, numbers in computed.items():
        for number in numbers:
            said = number if isinstance(number, str) else f"{number:.2f}".replace("-", "−")
            assert said in texts[title], (title, said)
    assert shares[:, :32][:, 2:].min() == 1
    assert WhoBites(position=36).most == 8
    assert 50 * frequencies(64)[16:].max() / (2 * np.pi) < 0.1  # half of the hands, in 50 words


@pytest.mark.parametrize("deck", DECKS)
def test_the_pdf_has_a_page_for_each_slide_and_one_for_each_answer(lectures, deck):
    told, pdf = list(slides(deck)), (lectures / DECKS[deck]).with_suffix(".pdf").read_bytes()
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    assert pages == len(told) + sum(slide.vote is not None for slide in told)


@pytest.mark.parametrize(("sheet", "most"), [("handout", 4), ("plan-45", 1), ("plan-90", 1)])
def test_the_sheets_have_their_pages(page, lectures, sheet, most):
    page.goto((lectures / f"{sheet}.html").as_uri())
    assert page.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
    for pdf in (page.pdf(prefer_css_page_size=True), (lectures / f"{sheet}.pdf").read_bytes()):
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == most
    if sheet == "handout":  # its key is on a page of its own
        after = page.locator("section:has(> .next-page) + section")
        assert after.locator("h2").inner_text().startswith("Key")


PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_phone_shows_one_slide_above_the_other_and_walks_by_a_button(page, lectures):
    page.goto((lectures / DECKS[45]).as_uri())
    page.wait_for_selector(".upright .next")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    one = page.locator(".steps").nth(1)
    one.scroll_into_view_if_needed()
    one.locator(".next").tap()
    said = json.loads(one.get_attribute("data-steps"))[1][1]
    one.locator(".pe-says", has_text=said).wait_for()
    vote = page.locator(".vote").first
    assert vote.locator(".next").is_disabled()  # until one has chosen
    assert not vote.locator(".which").count()
    vote.locator("button.choice").nth(1).tap()
    for _ in range(2):
        vote.locator(".next").tap()
    assert vote.get_attribute("data-stage") == "settled"


def test_without_an_address_of_the_pages_no_slide_shows_one(lectures):
    assert not re.search('class="address"', (lectures / DECKS[45]).read_text("utf-8"))
