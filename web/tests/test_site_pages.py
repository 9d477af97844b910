"""Every page opens without trouble and asks nobody else; links, headings, folds and words for pictures are in order."""

import doctest
import functools
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import build
import nbformat
import notebooks_as_pages
import pytest
import sharing
from axe_playwright_python.sync_playwright import Axe
from minutes import FILES, LESSONS, ROOT
from playwright.sync_api import expect

PAGES = [path.relative_to(ROOT).with_suffix(".html").as_posix() for path in FILES]
OTHERS = ["questions.html", "workbench.html", "benchmarks/README.html", "explore/waves.html"]
WALKED = (
    "index.html",
    PAGES[0],
    PAGES[7],
    PAGES[8],
    "questions.html",
    "workbench.html",
    "explore/waves.html",
    "search.html",
)  # through all widths
CUT = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const least = Math.max(0, document.querySelector('.sidebar-drawer')?.getBoundingClientRect().right ?? 0)
  const most = document.documentElement.clientWidth
  const faults = document.documentElement.scrollWidth > most ? ['the page scrolls sideways'] : []
  const all = '.pe-explorer, .pe-prediction, .pe-still, .pe-cell, .pe-files li, article :is(img, table), mjx-container'
  for (const one of document.querySelectorAll(all)) {
    let { left, right, width } = one.getBoundingClientRect(), [from, to] = [least, most]
    for (let box = one.parentElement; width && !box.matches('.content, body'); box = box.parentElement) {
      const how = getComputedStyle(box).overflowX, { left: first, right: last } = box.getBoundingClientRect()
      if (/auto|scroll/.test(how)) [left, right] = [first, last] // it scrolls in a box of its own
      else if (/hidden|clip/.test(how)) [from, to] = [Math.max(from, first), Math.min(to, last)]
    }
    const cut = width ? left < from - 1 || right > to + 1 : one.localName === 'img'
    if (cut) faults.push(one.className + one.textContent.slice(0, 40))
  }
  return faults
}"""
PADDED = """() => [...document.querySelectorAll('article img.pe-still')].filter((one) => {
  const { offsetWidth: wide, offsetHeight: high, naturalWidth, naturalHeight } = one
  return wide && Math.abs(high - (wide * naturalHeight) / naturalWidth) > 2
}).map((one) => one.alt)"""
LOOKED_AT = ("index.html", PAGES[0], PAGES[8], "explore/waves.html")  # by axe
THEMES = {"light": {}, "dark": {"runOnly": {"type": "rule", "values": ["color-contrast"]}}}  # the rest is the same


class Seen(HTMLParser):
    """What a page has: its headings, links, anchors, images."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.headings, self.links, self.anchors, self.images = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors.add(found.get("id"))
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        elif tag == "a" and found.get("href"):
            self.links.append(found["href"])
        elif tag == "img":
            self.images.append(found)


@functools.cache
def seen_in(path: Path) -> Seen:
    """Return what a built page has, read once."""
    return Seen(path.read_text(encoding="utf-8"))


def body(site: Path, name: str) -> str:
    """Return the part of a page that is its own."""
    return (site / name).read_text(encoding="utf-8").split('id="furo-main-content"')[1].split("</article>")[0]


@pytest.mark.parametrize("name", ["index.html", *PAGES, *OTHERS, "search.html"])
def test_a_page_opens_moves_and_asks_nobody_else(page, address, name):
    page.goto(address + name)
    page.evaluate("for (const fold of document.querySelectorAll('article details')) fold.open = true")
    for host in page.locator("[data-explorer]").all():
        host.scroll_into_view_if_needed()
        host.locator(".pe-stage[data-shown]").wait_for()
        assert not host.locator(".pe-still").count()
    page.evaluate("scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })")
    assert page.locator("[data-question]").count() == page.locator(".pe-prediction").count()
    for width in range(320, 1601, 64) if name in WALKED else (1280,):
        page.set_viewport_size({"width": width, "height": 720})
        assert page.evaluate(CUT) == [], f"cut, or below the sidebar, at {width} pixels"
    assert page.evaluate(PADDED) == [], "a plot keeps room for nothing but itself"
    assert page.evaluate("document.cookie") == ""
    for scheme, rules in THEMES.items() if name in LOOKED_AT else ():
        page.emulate_media(color_scheme=scheme)
        for explorer in page.locator(".pe-explorer, .pe-prediction").all():  # they follow the page with its next frame
            expect(explorer).to_have_css("color-scheme", scheme)
        found = Axe().run(page, options=rules).response["violations"]
        faults = [(fault["id"], fault["nodes"][0]["html"][:150]) for fault in found]
        assert faults == [], scheme


@pytest.mark.parametrize("name", ["index.html", *PAGES])
def test_links_headings_and_pictures_are_in_order(site, name):
    seen = Seen(body(site, name))
    for link in seen_in(site / name).links:
        parts = urlsplit(link)
        if parts.scheme:
            continue
        target = ((site / name).parent / unquote(parts.path)).resolve() if parts.path else site / name
        assert target.is_file(), f"{link} leads nowhere"
        if parts.fragment and target.suffix == ".html":
            assert unquote(parts.fragment) in seen_in(target).anchors, f"{link}: no such place"
    assert seen.headings[0] == 1
    assert seen.headings.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(seen.headings)), seen.headings
    assert all("alt" in image for image in seen.images)
    for address in (image["src"] for image in seen.images):
        assert address.startswith("data:") or ((site / name).parent / address).is_file(), address
    stills = [image for image in seen.images if image.get("class") == "pe-still"]
    assert all(len(image["alt"].split()) > 3 for image in stills)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_its_notebook_and_folds_what_it_folds(site, name):
    path = (ROOT / name).with_suffix(".ipynb")
    notebook = nbformat.read(path, as_version=4)
    text = body(site, name)
    hidden = [cell.metadata.get("jupyter", {}) for cell in notebook.cells]
    own = sum(cell.source.count("<details>") for cell in notebook.cells)
    asked = [cell for cell in notebook.cells if re.search(r"^check\(", cell.source, re.MULTILINE)]
    folds = own + sum(how.get("outputs_hidden", False) + how.get("source_hidden", False) for how in hidden)
    folds += 2 * len(asked)  # a hint and a solution
    assert len(re.findall(r"<details\b", text)) == text.count("</details>") == folds
    assert text.count('data-question="') == sum(cell.source.startswith("predict(") for cell in notebook.cells)
    live = [cell for cell in notebook.cells if re.search(r"^(explore_\w+|Explorer)\(", cell.source, re.MULTILINE)]
    assert text.count('data-explorer="') == len(live)
    assert text.count("data-exercise=") == text.count("<summary>Hint</summary>") == len(asked)
    assert bool(asked) == (path in LESSONS)
    for heading in (
        cell.source.split("\n")[0].translate(str.maketrans("", "", "`*"))
        for cell in notebook.cells
        if cell.source.startswith("## ")
    ):
        assert f'id="{heading[3:].replace(" ", "-")}"' in text or heading[3:] in text, heading


def test_a_notebook_may_word_a_sentence_for_pages():
    failed, tried = doctest.testmod(notebooks_as_pages)
    assert (failed, tried) == (0, 1)


def told(text: str, pattern: str) -> list[str]:
    """Return what a page says of itself by tags."""
    return re.findall(pattern, text.split("</head>")[0])


def test_every_page_has_a_title_and_a_description_of_its_own_and_names_no_address(site):
    files = [site / name for name in ("index.html", "workbench.html", *PAGES)] + sorted(site.glob("explore/*.html"))
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    for pattern in ("<title>(.+?)</title>", '<meta name="description" content="(.+?)"'):
        found = [told(text, pattern) for text in texts.values()]
        assert all(len(one) == 1 for one in found)
        assert len({one[0] for one in found}) == len(found)
    for path, text in texts.items():
        assert 'property="og:' not in text, path
        assert path.parent.name != "explore" or f"Part of “{sharing.WHOLE}”" in text


def test_with_an_address_of_the_site_a_file_has_a_preview_and_a_way_home(tmp_path, monkeypatch):
    monkeypatch.setattr(sharing, "SITE", "https://pages.example/course")
    monkeypatch.setattr(build, "OUT", tmp_path)
    text = build.one_file("explore_clocks").read_text(encoding="utf-8")
    assert '<a href="https://pages.example/course/">' in text
    assert told(text, 'og:image" content="(.+?)"') == ["https://pages.example/course/explore/clocks.png"]
    assert told(text, 'og:url" content="(.+?)"') == ["https://pages.example/course/explore/clocks.html"]
    assert (tmp_path / "explore/clocks.png").read_bytes().startswith(b"\x89PNG")


def test_files_on_github_can_be_opened_on_binder_and_others_are_named():
    assert "/v2/gh/ada/course/HEAD?labpath=notebooks%2F00_start" in build.files_at("https://github.com/ada/course")
    assert build.files_at("https://git.example/course") == "<https://git.example/course>."
