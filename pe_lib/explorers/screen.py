"""What an explorer shows in the browser: one image with alternative text, and names for the controls around it."""

from base64 import b64encode
from pathlib import Path

import anywidget
from ipywidgets import Widget, widget_serialization
from traitlets import Enum, Instance, List, Unicode


class Screen(anywidget.AnyWidget):
    """An image that is replaced only when the next is ready to be shown, so that the page never blinks.

    The image widget of ipywidgets has no alternative text, and its sliders have no name for a screen reader; the
    script beside this file gives them both.
    """

    # Its text, not its path: for a path, anywidget would keep every screen there ever was, to tell it of changes.
    _esm = Path(__file__).with_name("screen.js").read_text(encoding="utf-8")
    even = Unicode().tag(sync=True)  # an image in base64, as its address holds it
    odd = Unicode().tag(sync=True)  # another: one of them is shown, and the next is put into the other
    shown = Enum(("even", "odd"), "even").tag(sync=True)
    words = Unicode().tag(sync=True)
    played = List(Instance(Widget)).tag(sync=True, **widget_serialization)  # a slider, and the buttons that play it

    @property
    def png(self) -> str:
        """The image that is shown, in base64."""
        return str(getattr(self, self.shown))

    def load(self, png: bytes) -> None:
        """Send an image to the browser that is likely to be shown next."""
        self.set_trait(self._hidden, b64encode(png).decode())

    def show(self, png: bytes, words: str) -> None:
        """Show an image and say what is to be seen in it, in one message: a short one if the image is there already."""
        with self.hold_sync():
            if b64encode(png).decode() != self.png:
                self.load(png)
                self.shown = self._hidden
            self.words = words

    @property
    def _hidden(self) -> str:
        return "odd" if self.shown == "even" else "even"
