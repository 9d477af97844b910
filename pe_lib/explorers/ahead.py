"""Draw the picture a slider will ask for next, while the kernel has nothing else to do.

Who has moved a slider by one step will often move it by one step more, or back. A picture drawn beforehand is there as
soon as it is asked for. What takes long, or cannot be drawn, is not drawn ahead.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import ipywidgets as widgets

from pe_lib.pictures.picture import Picture

PAUSE = 0.01  # seconds without a move, after which to begin


class Ahead:
    """The last pictures of an explorer and the one it will show next, as PNG and words, by the controls' values."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._left_at: Mapping[str, Any] | None = None
        self._kept: deque[tuple[Mapping[str, Any], tuple[bytes, str]]] = deque(maxlen=64)
        self._next: asyncio.Handle | None = None

    def draw(self, values: Mapping[str, Any]) -> tuple[bytes, str]:
        """Move the picture to the controls' values, and return what is to be seen there."""
        self.stop()
        if self._picture.state is not self._left_at:
            self._kept.clear()  # it was moved by other hands, so that the same values may mean another picture
        self._picture.update(**values)
        shown = self._found(values)
        if shown is None:
            shown = self._picture.png(), self._picture.describe()
            self._keep(values, shown)
        self._left_at = self._picture.state
        return shown

    def expect(self, values: Mapping[str, Any], send: Callable[[bytes], None]) -> None:
        """Draw and send what is to be seen at these values as soon as there is time, if it is quickly drawn."""
        with suppress(RuntimeError):  # without a loop that waits for messages there is no time between them
            self._next = asyncio.get_running_loop().call_later(PAUSE, self._glimpse, values, send)

    def stop(self) -> None:
        """Expect nothing."""
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def _found(self, values: Mapping[str, Any]) -> tuple[bytes, str] | None:
        return next((shown for kept, shown in self._kept if kept == values), None)

    def _keep(self, values: Mapping[str, Any], shown: tuple[bytes, str]) -> None:
        if self._picture.lasting:
            self._kept.append((values, shown))

    def _glimpse(self, values: Mapping[str, Any], send: Callable[[bytes], None]) -> None:
        if self._picture.state is not self._left_at:
            return
        shown = self._found(values)
        if shown is None:
            with suppress(Exception):  # should the slider really go there, the explorer will say why it cannot be drawn
                shown = self._picture.glimpse(**values)
            if shown is None:
                return
            self._keep(values, shown)
        send(shown[0])


def one_step_on(slider: Any, old: Any) -> Any:
    """Return the value one step beyond a slider's value, in the direction it came from `old`; None if there is none."""
    if isinstance(slider, widgets.IntSlider):
        step = slider.step if slider.value > old else -slider.step
        return slider.value + step if slider.min <= slider.value + step <= slider.max else None
    if isinstance(slider, widgets.SelectionSlider):
        values = [value for _, value in slider._options_full]
        k = slider.index + (1 if old in values[: slider.index] else -1)
        return values[k] if 0 <= k < len(values) else None
    return None
