"""What an explorer shows in the browser: one image with alternative text, and names for the controls around it."""

from base64 import b64encode
from pathlib import Path

import anywidget
from traitlets import Unicode


class Screen(anywidget.AnyWidget):
    """An image that is replaced only when the next is ready to be shown, so that the page never blinks.

    The image widget of ipywidgets has no alternative text, and its sliders have no name for a screen reader; the
    script beside this file gives them both.
    """

    _esm = Path(__file__).parent / "screen.js"
    png = Unicode().tag(sync=True)  # in base64, as the address of an image holds it
    words = Unicode().tag(sync=True)

    def show(self, png: bytes, words: str) -> None:
        """Send an image and what is to be seen in it to the browser, in one message."""
        with self.hold_sync():
            self.png = b64encode(png).decode()
            self.words = words
