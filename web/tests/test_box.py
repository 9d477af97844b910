"""Check my encoding: whoever pastes gets an answer to read, by mouse, keyboard or screen reader, on a phone as well."""

import re

import numpy as np
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from python_for_pages import ADDRESS
from test_site_pages import THEMES

from pe_diagnosis import diagnose
from pe_lib import broken_encoding

PAGE = "workbench.html"
DONE = {"timeout": 60_000}


class Box:
    """The box of the page."""

    def __init__(self, page) -> None:
        self.page, self.paste, self.go = page, page.get_by_label("Your table"), page.locator("button[name=diagnose]")
        self.status, self.said = page.locator("#pe-state"), page.locator(".pe-said")

    def ask(self, text: str) -> str:
        """Paste something, and return what a screen reader says of it."""
        self.paste.fill(text)
        self.go.click()
        return self.answer()

    def answer(self) -> str:
        expect(self.go).to_have_attribute("aria-disabled", "false", **DONE)
        return self.status.inner_text()


def test_a_paste_is_answered_to_read_hear_and_copy(lesson, address):
    page, box, base = lesson, Box(lesson), lesson.get_by_label("Base it should have")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    asked = []
    page.on("request", lambda sent: asked.append(sent.url))
    page.goto(address + PAGE)
    box.paste.press("Tab")
    assert not [url for url in asked if "library-" in url]
    for name, kind in (("a wrong one", "mistake"), ("another convention", "variant"), ("a right one", None)):
        page.get_by_role("button", name=name).click()
        said = box.answer()
        found = diagnose(box.paste.input_value())
        assert [one.kind for one in found.findings if one.kind != "note"] == [kind] * bool(kind)
        assert said.startswith(box.said.locator("h2").inner_text())
        assert box.said.locator("dd").all_inner_texts() == [line for pair in found.lines for line in pair]
        assert bool(kind) == bool(box.said.locator("dd mark").count())
        page.locator(".pe-answers .pe-stage[data-shown]").wait_for()
        page.get_by_role("button", name="Copy answer as text").click()
        page.get_by_role("button", name="Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == str(found)
    base.fill("100")
    box.paste.fill(str(broken_encoding(8, 16, base=100.0).tolist()))
    box.paste.press("Control+Enter")
    assert "sinusoidal encoding" in box.answer()
    expect(box.paste).to_have_attribute("aria-invalid", "false")
    assert "needs torch" in box.ask("import torch\n\nx = torch.zeros(3, 4)")
    expect(box.paste).to_have_attribute("aria-invalid", "true")
    assert page.evaluate("document.activeElement.name") == "diagnose"
    base.fill("-3")
    assert "base must be" in box.ask("[[0.0, 1.0], [0.8415, 0.5403]]")
    base.fill("10000")
    box.ask(str([broken_encoding(6, 8, rule="2 forgotten").tolist(), np.zeros((6, 8)).tolist()]))
    assert box.said.count() == 2
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for scheme, rules in THEMES.items():
        page.emulate_media(color_scheme=scheme)
        for explorer in page.locator(".pe-explorer").all():
            expect(explorer).to_have_css("color-scheme", scheme)
        violations = Axe().run(page, options=rules).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:150]) for one in violations] == []
    box.paste.fill("x = 1\nwhile True:\n    pass")
    box.go.click()
    page.get_by_role("button", name="Stop").click()
    assert box.answer() == "Stopped."


def test_without_a_network_it_says_so_and_loses_nothing(page, address):
    page.route(f"{ADDRESS}**", lambda route: route.abort())
    page.goto(address + PAGE)
    box = Box(page)
    assert re.match("Python could not be fetched.*Nothing you wrote is lost", box.ask("[[0, 1]]"))
    assert box.paste.input_value() == "[[0, 1]]"
    page.troubles = []
