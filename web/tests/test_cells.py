"""Cells on pages: loops, reloads, marks, pictures, a lost network, a folder, keys, phones."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from python_for_pages import ADDRESS
from test_cells_run import NOTEBOOKS, page_of
from test_site_pages import THEMES

import pe_pictures
from pe_exercises import exercises

TEXTS = {path: path.read_text("utf-8") for path in NOTEBOOKS}
LESSON = page_of(  # one that doesn't wait for matplotlib
    next(path for path, text in TEXTS.items() if "def " in text and "check(" in text and "matplotlib" not in text)
)
LIVE = page_of(next(path for path, text in TEXTS.items() if "explore_number(" in text))
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
ASKED = "[...document.querySelectorAll('[data-exercise]')].map((one) => one.dataset.exercise)"
WATCH = """() => {
  const state = document.querySelector('[data-own] .pe-state')
  window.said = []
  new MutationObserver(() => window.said.push(state.textContent)).observe(state, { childList: true })
}"""


class Cell:
    """A cell of a page."""

    def __init__(self, page, selector: str) -> None:
        self.root = page.locator(f".pe-cell{selector}").first
        self.page, self.area = page, self.root.locator("textarea")
        self.out, self.state = self.root.locator(".pe-out"), self.root.locator(".pe-state")

    def button(self, name: str):
        return self.root.locator(".pe-bar button", has_text=name)

    def run(self, code: str | None = None) -> str:
        """Run it, with other code in it if there is some, and return what it puts out."""
        self.begin(code)
        self.button("Run").wait_for(timeout=60_000)
        return self.out.inner_text().rstrip("\n") if self.out.is_visible() else ""

    def begin(self, code: str | None = None) -> None:
        if code is not None:
            self.area.fill(code)
        self.button("Run").click()


@pytest.fixture(scope="module")
def awake(open_page, address, with_python):
    """Return a page for all tests that need none of their own: starting Python takes a while."""
    page = with_python(open_page(viewport={"width": 1280, "height": 720}))
    page.goto(address + LESSON)
    page.evaluate("name => localStorage.setItem('pe-solved', JSON.stringify([name]))", page.evaluate(ASKED)[0])
    return page


@pytest.fixture
def own(awake) -> Iterator[Cell]:
    """Yield the empty cell at the end of that page, which nothing may trouble."""
    cell = Cell(awake, "[data-own]")
    cell.area.fill("")
    cell.area.blur()
    yield cell
    troubles, awake.troubles = awake.troubles, []
    assert troubles == []


def test_a_page_that_is_only_read_fetches_no_python_and_keeps_nothing(page, address):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address + LESSON)
    page.wait_for_load_state("networkidle")
    passed = set()
    for _ in range(60):  # as somebody without a mouse would: Tab leads through the cells and changes none
        page.keyboard.press("Tab")
        passed.add(page.evaluate("document.activeElement.ariaLabel"))
    assert {"Cell 1", "Run: Cell 1", "Cell 2"} <= passed
    assert not page.locator("mjx-container[tabindex='0']").count()
    assert not [url for url in asked if not url.startswith(address) or "library-" in url]
    assert page.evaluate("localStorage.length") == 0


def test_python_comes_from_one_address_and_a_lost_network_costs_nothing(page, address, python_at):
    asked, lost = set(), True

    def answer(route) -> None:
        asked.add(route.request.url)
        name = route.request.url.removeprefix(ADDRESS)
        if lost:
            route.abort()
        else:
            route.fulfill(response=page.request.get(python_at + name))

    page.on("request", lambda request: asked.add(request.url))
    page.route(f"{ADDRESS}**", answer)
    page.goto(address + LESSON)
    cell = Cell(page, "[data-own]")
    assert cell.run("6 * 7") == ""
    assert "could not be fetched" in cell.state.inner_text()
    lost, page.troubles = False, []
    page.evaluate(WATCH)
    assert cell.run() == "42"
    assert any(re.match(r"Fetching Python: [1-9] of about 10 MB", words) for words in page.evaluate("window.said"))
    assert all(url.startswith((address, ADDRESS, "blob:")) for url in asked)
    page.troubles = [trouble for trouble in page.troubles if ADDRESS not in trouble]


def test_what_a_cell_puts_out_is_shown_as_in_jupyterlab(own):
    assert own.run("print('a'); print('b')\n'c'") == "a\nb\n'c'"
    assert own.run("1;") == ""
    assert own.run("def halve(x):\n    return x / 0\n\n\nhalve(1)") == (
        "  line 5, in <module>\n    halve(1)\n    ~~~~~^^^\n  line 2, in halve\n    return x / 0\n           ~~^~~\n"
        "ZeroDivisionError: division by zero"
    )
    assert "SyntaxError" in own.run("if True\n")
    assert "recursion" in own.run("def f():\n    f()\n\n\nf()")
    assert "No module named 'torch'" in own.run("import torch")
    own.run("import matplotlib.pyplot as plt\n\nplt.plot([1, 4, 9])\nplt.show()")
    image = own.out.locator("img")
    assert image.count() == 1
    assert image.evaluate("img => img.decode().then(() => img.naturalWidth)") > 200
    table = "type('Table', (), {'_repr_html_': lambda self: '<a href=\"a.ipynb\">a.ipynb</a>'})()"
    own.run(table)
    assert own.out.locator("a").evaluate("link => [link.getAttribute('href'), link.textContent]") == [
        "a.html",
        "a.ipynb",
    ]
    told = own.run("from pe_exercises import solved\n\nsolved()").replace(", solved", "")
    assert f"● {own.page.evaluate(ASKED)[0]}" in " ".join(told.split()), "what the browser keeps, Python knows"
    assert own.out.locator("table a").first.get_attribute("href").endswith(".html")


def test_loops_end_and_python_lives_on(own):
    own.begin("while True:\n    pass")
    own.button("Stop").click(timeout=60_000)
    assert "starts again" in own.state.inner_text()
    for flood in ("print('again and again')", "try:\n        print('again')\n    except Exception:\n        pass"):
        assert "characters; is there a loop" in own.run(f"while True:\n    {flood}")
    assert "characters" in own.run("list(range(10**6))")
    assert len(own.run("raise ValueError('x' * 10**6)")) < 20_000
    assert "can't ask" in own.run("input('Your name? ')")
    assert own.run("6 * 7") == "42"
    name = next(name for name in own.page.evaluate(ASKED) if exercises()[name].inputs)
    exercise = Cell(own.page, f"[data-exercise='{name}']")
    said = exercise.run(f'def loop(*_):\n    while True:\n        pass\n\n\ncheck("{name}", loop)')
    assert "seconds" in said  # the library's sentence, and no need of Stop
    assert own.run("6 * 7") == "42"


def test_a_key_that_is_held_presses_once(own):
    own.area.fill("runs = globals().get('runs', 0) + 1\nruns")
    own.area.focus()
    own.page.keyboard.down("Control")
    for _ in range(5):
        own.page.keyboard.down("Enter")
    own.page.keyboard.up("Enter")
    own.page.keyboard.up("Control")
    own.button("Run").wait_for(timeout=60_000)
    assert own.out.inner_text().strip() == "1"
    own.button("Run").focus()
    for _ in range(30):
        own.page.keyboard.down("Enter")
        own.page.wait_for_timeout(30)
    own.page.keyboard.up("Enter")
    own.button("Run").wait_for()
    assert own.out.inner_text().strip() == "2"
    assert own.state.inner_text() == ""


def test_answers_and_marks_are_kept_and_start_again_gives_the_original_back(lesson, address):
    lesson.goto(address + LESSON)
    name, *_ = names = lesson.evaluate(ASKED)
    cell, exercise = Cell(lesson, f"[data-exercise='{name}']"), exercises()[name]
    original = cell.area.input_value()
    answer = re.match(r"def (\w+)", exercise.solution.code)[1] + ("" if exercise.inputs else "()")
    code = f'{exercise.solution.code}\n\n\ncheck("{name}", {answer})'
    assert cell.run(code).startswith("Right. ")
    for again in (LESSON, "workbench.html"):
        lesson.goto(address + again)
        assert lesson.locator(".sidebar-tree .pe-ticks").all_inner_texts() == ["●" + "○" * (len(names) - 1)]
    lesson.goto(address + LESSON)
    assert cell.area.input_value() == code
    assert cell.root.locator(".pe-mark").is_visible()
    assert lesson.locator(".toc-tree .pe-ticks").count() == 1
    own = Cell(lesson, "[data-own]")
    own.root.get_by_label("Your name").fill("Ada")
    own.button("Copy my results").click()
    in_all = rf"in all 1 of {len(exercises())} \| 20\d\d-\d\d-\d\d"
    expect(own.state).to_have_text(re.compile(rf"Ada \| .* \| solved 1 of {len(names)}: {name} \| {in_all}"))
    cell.button("Start again").click()
    assert cell.area.input_value() == original
    lesson.keyboard.press("Control+z")
    assert cell.area.input_value() == code
    cell.button("Start again").click()
    lesson.reload()
    assert cell.area.input_value() == original
    assert not cell.button("Start again").is_visible()


def test_an_explorer_takes_a_sentence_of_ones_own(own):
    own.run("from pe_pictures import explore_number\n\nexplore_number()")
    panel = own.out.locator(".pe-explorer")
    panel.locator(".pe-stage[data-shown]").wait_for()
    box = box_in(panel)
    box.fill("Ada wrote programs")
    box.press("Enter")
    own.page.wait_for_function("() => document.querySelector('.pe-out .pe-sheet').ariaLabel.includes('Ada')")
    words = panel.locator(".pe-sheet").get_attribute("aria-label")
    assert words == pe_pictures.explore_number("Ada wrote programs").picture.describe()


def words_box(page, address):
    """Return a picture of a page that has not been run, and the box for its words."""
    page.goto(address)
    panel = page.locator(".pe-cell [data-explorer^=explainthisnumber]").first
    panel.scroll_into_view_if_needed()
    panel.locator(".pe-stage[data-shown]").wait_for()
    return panel, box_in(panel)


def box_in(panel):
    box = panel.get_by_label("sentence", exact=True)
    if not box.is_visible():
        panel.get_by_role("button", name="More").click()
    return box


def test_typing_into_a_picture_brings_python_and_its_address_opens_it_again(lesson, address):
    lesson.context.grant_permissions(["clipboard-read", "clipboard-write"])
    panel, box = words_box(lesson, address + LIVE)
    box.click()
    lesson.keyboard.press("Control+a")
    lesson.keyboard.type("Ada wrote программы", delay=50)
    live = lesson.locator(".pe-out .pe-explorer")
    live.wait_for(timeout=60_000)
    assert not panel.is_visible()
    lesson.keyboard.type(" שלום")  # the focus has come along
    box = live.get_by_label("sentence", exact=True)
    expect(box).to_have_value("Ada wrote программы שלום")
    expect(live.locator(".pe-stage")).to_have_attribute("data-shown", re.compile("программы.*שלום"))
    state = json.loads(live.locator(".pe-stage").get_attribute("data-shown"))
    picture = pe_pictures.explore_number().picture
    picture.update(**state)
    words = picture.describe()
    expect(live.locator(".pe-sheet")).to_have_attribute("aria-label", words)
    live.get_by_role("button", name="Copy link").click()
    live.get_by_role("button", name="Copied").wait_for()
    copied = lesson.evaluate("navigator.clipboard.readText()")
    lesson.goto("about:blank")
    panel, _ = words_box(lesson, copied)
    assert "once you press Run" in panel.get_by_role("alert").inner_text()
    cell = lesson.locator(".pe-cell", has=lesson.locator("[data-explorer^=explainthisnumber]")).first
    cell.get_by_role("button", name="Run").click()
    expect(live.locator(".pe-sheet")).to_have_attribute("aria-label", words, timeout=60_000)


def test_interact_moves_a_plot_of_ones_own(own):
    own.run("from ipywidgets import interact\n\ninteract(lambda n, how: print(how * n), n=(0, 4), how=['a', 'b']);")
    inner = own.out.locator(".pe-explorer > div").last
    expect(inner).to_have_text("aa")
    own.out.get_by_label("n, typed").fill("3")
    own.page.keyboard.press("Enter")
    expect(inner).to_have_text("aaa")
    own.out.locator("select").select_option("b")
    expect(inner).to_have_text("bbb")


def test_save_puts_what_was_written_into_the_notebook(lesson, address, tmp_path):
    lesson.goto(address + LESSON)
    first, own = Cell(lesson, ""), Cell(lesson, "[data-own]")
    lesson.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('full') } }")
    first.area.fill("import numpy as np  # mine")
    assert "doesn't keep this" in first.state.inner_text()
    own.area.fill("np.pi")
    with lesson.expect_download() as download:
        own.button("Save").click()
    download.value.save_as(tmp_path / "saved.ipynb")
    saved = nbformat.read(tmp_path / "saved.ipynb", as_version=4)
    nbformat.validate(saved)
    there = nbformat.read(next(path for path in NOTEBOOKS if path.stem == Path(LESSON).stem), as_version=4)
    code = [cell.source for cell in there.cells if cell.cell_type == "code"]
    assert [cell.source for cell in saved.cells if cell.cell_type == "code"] == [
        first.area.input_value(),
        *code[1:],
        "np.pi",
    ]


def test_the_keyboard_alone_is_enough(own):
    page, area = own.page, own.area
    area.focus()
    hint = own.root.locator(".pe-hint")
    assert not hint.is_visible()
    page.keyboard.type("for k in range(2):")
    page.keyboard.press("Enter")
    page.keyboard.type("print(k)")
    assert area.input_value() == "for k in range(2):\n    print(k)"
    assert "Escape" in hint.inner_text()
    page.keyboard.press("Shift+Tab")
    assert area.input_value().endswith("\nprint(k)")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+Enter")
    own.out.wait_for(timeout=60_000)
    own.button("Run").wait_for()
    assert own.out.inner_text().strip() == "0\n1"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert own.button("Run").evaluate("button => button === document.activeElement")


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_it_fits_a_phone_and_is_in_order_for_everybody(lesson, address):
    lesson.goto(address + LESSON)
    own = Cell(lesson, "[data-own]")
    own.run("print('long ' * 60)\n1 / 0")
    own.area.fill("x = " + " + ".join(["1"] * 60))
    page = own.page
    name = page.evaluate(ASKED)[0]
    Cell(page, f"[data-exercise='{name}']").run()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert own.area.evaluate("area => getComputedStyle(area).fontSize") == "16px", "or a phone zooms in"
    low = page.locator("article :is(button, summary, .pe-choice):visible, .mobile-header :is(button, label):visible")
    assert [one for one in low.all() if one.bounding_box()["height"] < 44] == []
    for scheme, rules in THEMES.items():
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options=rules).response["violations"]
        assert [(fault["id"], fault["nodes"][0]["html"][:150]) for fault in found] == []
