"""How tests look at an explorer in a browser, and move it."""

import json
import math
from typing import Any

import pytest

import pe_pictures

EXPLORERS = [name for name in pe_pictures.__all__ if name.startswith("explore_")]
ALLOWED = {"svg", "g", "path", "rect", "circle", "text", "image", "mask"}
DRAWN = """panel => {
    const said = ({ attributes }) => Object.fromEntries([...attributes].map(({ name, value }) => [name, value]))
    const picture = panel.querySelector('.pe-sheet').shadowRoot.querySelector('.picture') // not one that fades away
    const nodes = picture.querySelectorAll('*')
    return [...nodes].map((node) => [node.localName, node.textContent, said(node)])
}"""


def until(page: Any, reached: Any, what: Any) -> None:
    """Wait until something is reached; fail with what it is that was waited for."""
    for _ in range(1500):  # long enough for a busy machine
        if reached():
            return
        page.wait_for_timeout(20)
    pytest.fail(f"waited in vain for {what() if callable(what) else what}")


def drag_round(page: Any, one: Any, dial: Any, angles: Any) -> None:
    """Take hold of a hand at the first angle and lead it through the others, never half a turn within one frame."""
    for k, angle in enumerate(angles):
        page.mouse.move(*one.point(dial, 0.5 + 0.4 * math.cos(angle), 0.5 - 0.4 * math.sin(angle)))
        if not k:
            page.mouse.down()
        if k % 8 == 7:  # a busy browser hears of the last move before a frame alone
            page.evaluate("new Promise(requestAnimationFrame).then(() => null)")


class Seen:
    """An explorer on a page."""

    def __init__(self, page: Any, panel: Any) -> None:
        self.page, self.panel = page, panel
        self.axis = panel.locator(".pe-axis input")
        panel.scroll_into_view_if_needed()
        until(page, lambda: panel.locator(".pe-stage[data-shown]").count(), "the first picture")

    @property
    def state(self) -> dict[str, Any]:
        """The state that is shown."""
        shown: dict[str, Any] = json.loads(self.panel.locator(".pe-stage").get_attribute("data-shown"))
        return shown

    @property
    def words(self) -> str:
        """What a screen reader says of the picture."""
        return str(self.panel.locator(".pe-sheet").get_attribute("aria-label"))

    @property
    def title(self) -> str:
        """The sentence above the picture."""
        return str(self.panel.locator(".pe-says").inner_text())

    @property
    def place(self) -> float:
        """Where the slider along the picture is, between whole places while it glides."""
        return float(self.axis.input_value())

    def drawn(self) -> list[tuple[str, str, dict[str, str]]]:
        """Return the elements of both layers: their names, what is written on them, their attributes."""
        return [tuple(node) for node in self.panel.evaluate(DRAWN)]

    def focus(self) -> None:
        """Give the picture the keys, until it keeps them: what still loads may take them away."""

        def kept() -> bool:
            had = self.axis.evaluate("axis => axis === document.activeElement")
            self.axis.focus()
            return bool(had)

        until(self.page, kept, "the picture to keep the keys")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        self.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def watch(self) -> Any:
        """Return what lists the states shown from now on: a busy machine may pass some between two looks."""
        stage = self.panel.locator(".pe-stage")
        stage.evaluate("""stage => {
            stage.seen = []
            new MutationObserver(() => stage.seen.push(JSON.parse(stage.dataset.shown)))
                .observe(stage, { attributeFilter: ["data-shown"] })
        }""")
        return lambda: stage.evaluate("stage => stage.seen")

    def until(self, **values: Any) -> None:
        """Wait until a state is shown, of which some values are named."""
        until(self.page, lambda: {**self.state, **values} == self.state, lambda: f"{values}, not {self.state}")

    def at_rest(self) -> None:
        """Wait until the picture stands at a whole place."""
        last = [None]

        def still() -> bool:
            last.append(self.drawn())
            return last[-1] == last[-2]

        until(self.page, still, "the picture to rest")

    def point(self, target: Any, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
        """Return where on the page a part of a target is."""
        sheet = self.panel.locator(".pe-sheet").bounding_box()
        left, top, wide, high = target["box"]
        scale = sheet["width"] / (520 if "pe-tall" in self.panel.get_attribute("class") else 1100)
        return sheet["x"] + (left + across * wide) * scale, sheet["y"] + (top + down * high) * scale
