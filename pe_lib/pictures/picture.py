"""What all pictures share: one figure, a state, a quick way from state to state, and words for those who cannot see it.

A picture draws in two layers. The background holds what most changes of state leave alone; it is drawn once and kept
as pixels. Over it come the artists that move, drawn anew each time in the order of their z-order. A new picture takes
the same way, so a picture moved to a state has the same pixels as one built for it.
"""

import base64
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, ClassVar

import matplotlib as mpl
import numpy as np
from imagecodecs import png_encode
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.text import Text

from pe_lib import _checks

DPI = 100

# Colours of Okabe and Ito (2008), told apart by colour-blind readers too; nothing is said by colour alone.
INK, GREY, PALE, BLUE, GREEN, ORANGE = "#1b1b1b", "#595959", "#d9d9d9", "#0072b2", "#009e73", "#d55e00"
SIGNED = "RdBu_r"  # the colour map of signed values, with white at zero

STYLE: dict[str, Any] = {
    "axes.edgecolor": GREY,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlepad": 10.0,
    "axes.titlesize": 15,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that a picture is the same everywhere
    "font.size": 14,
    "mathtext.fontset": "dejavusans",
    "text.color": INK,
    "text.parse_math": False,  # what a learner types is shown as it stands; formulas ask for math themselves
    "xtick.labelsize": 13,
    "ytick.labelsize": 13,
}


class Picture:
    """A figure that shows a state and can be moved to another.

    A kind of picture names its state in `defaults` and fills in four methods: `_checked` (refuse what cannot be drawn),
    `_build` (make the artists, once), `_lay` (set what belongs to the background) and `_move` (set what moves, and
    return it); `_key` says what the background depends on, `limits` how far each number of the state may go.

    Parameters
    ----------
    **state
        Values that differ from `defaults`.

    Raises
    ------
    TypeError, ValueError
        If a name is unknown or a value cannot be drawn; a picture keeps its last good state then.
    """

    defaults: ClassVar[Mapping[str, Any]] = {}
    size: ClassVar[tuple[float, float]] = (11.0, 6.6)  # inches
    lasting: ClassVar[bool] = True  # whether a state looks the same whenever it is drawn

    def __init__(self, **state: Any) -> None:
        self.state = self._complete(self.defaults, state)
        with self._style():
            self.figure = Figure(figsize=self.size, dpi=DPI, facecolor="white")
            self._canvas = FigureCanvasAgg(self.figure)
            self._build()
        self._background: Any = None
        self._background_key: Hashable = None

    def update(self, **state: Any) -> "Picture":
        """Move the picture to another state; what is not named stays. Returns the picture."""
        self.state = self._complete(self.state, state)
        return self

    def describe(self) -> str:
        """Say in words what is to be seen."""
        raise NotImplementedError

    def limits(self, state: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
        """Return the least and the greatest value of each number that depends on the rest of the state, by its name."""
        del state
        return {}

    def pixels(self) -> np.ndarray:
        """Draw the state and return it: shape (height, width, 4), uint8, red, green, blue, alpha."""
        with self._style():
            key = self._key()
            if self._background is None or key != self._background_key:
                self._background = None  # should laying fail halfway, it is laid anew next time
                self._lay()
                for artist in self._move():
                    artist.set_animated(True)  # the canvas leaves animated artists out
                self._canvas.draw()
                self._background = self._canvas.copy_from_bbox(self.figure.bbox)
                self._background_key = key
            self._canvas.restore_region(self._background)
            for artist in sorted(self._move(), key=lambda a: a.get_zorder()):
                self.figure.draw_artist(artist)
            return np.array(self._canvas.buffer_rgba())

    def png(self, compress_level: int = 1) -> bytes:
        """Draw the state and return it as a PNG file; level 1 is quick, level 9 small."""
        # Lines and letters on white compress best unfiltered; trying out filters would take most of the time.
        return bytes(png_encode(self.pixels(), level=compress_level, filter=0))

    def glimpse(self, **state: Any) -> tuple[bytes, str] | None:
        """Draw another state and come back; return its PNG and words, or None if the background had to be laid anew."""
        here = self.state
        try:
            self.update(**state)
            return (self.png(), self.describe()) if self._key() == self._background_key else None
        finally:
            self.state = here

    def rest(self) -> None:
        """Give back the memory of the drawing; what is needed is made again when the picture is next shown."""
        self._background = None
        self._canvas = FigureCanvasAgg(self.figure)

    def __repr__(self) -> str:
        return self.describe()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Show the picture as a PNG, with its description as the alternative text."""
        del include, exclude  # a PNG and its words are all there is
        words = self.describe()
        width = round(self.size[0] * DPI)
        data = {"image/png": base64.b64encode(self.png(9)).decode(), "text/plain": words}
        return data, {"image/png": {"alt": words, "width": width}}

    def _complete(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
        """Return the old state with the new values in it, checked."""
        for name in new:
            if name not in self.defaults:
                raise TypeError(f"{type(self).__name__} has no {name!r}: it takes {', '.join(self.defaults)}")
        return self._checked({**old, **new})

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return the state in plain form, or raise a sentence that says what cannot be drawn."""
        return state

    def _within_limits(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return the state if each number in it that has limits is an integer between them; raise otherwise."""
        for name, (least, greatest) in self.limits(state).items():
            value = _checks.integer(name, state[name])
            if not least <= value <= greatest:
                raise ValueError(f"{name} must lie between {least} and {greatest}, got {value}")
        return state

    def _key(self) -> Hashable:
        """Return what the background depends on."""
        return None

    def _build(self) -> None:
        """Make axes and artists."""

    def _lay(self) -> None:
        """Set the artists of the background."""

    def _move(self) -> list[Artist]:
        """Set the artists that move, and return them."""
        return []

    @staticmethod
    @contextmanager
    def _style() -> Iterator[None]:
        """Let this picture's style hold for a while, whatever the learner has set."""
        theirs = mpl.rcParams.copy()
        dict.update(mpl.rcParams, _WHOLE_STYLE)  # as rc_context would, which takes its time to check them all again
        try:
            yield
        finally:
            dict.update(mpl.rcParams, theirs)


def words_of(sentence: Any) -> tuple[str, ...]:
    """Return the words of a text, split at its spaces, or a sequence of words as it is; TypeError otherwise."""
    if isinstance(sentence, str):
        return tuple(sentence.split())
    if not isinstance(sentence, Sequence) or not all(isinstance(word, str) for word in sentence):
        raise TypeError(f"tokens must be a text or a sequence of words, got {_checks.shown(sentence)}")
    return tuple(sentence)


def printable(text: str) -> str:
    """Return text on one line, with an empty box for each character the pictures' font cannot draw."""
    return "".join((c if ord(c) in _GLYPHS else "▯") if c.isprintable() else " " for c in text)


@lru_cache(maxsize=4096)  # looking the colour up takes as long as drawing a number
def readable_on(number: float) -> str:
    """Return white or ink, whichever stands out more on the colour of a number, by the contrast ratio of WCAG 2.1."""
    red_green_blue = np.array(colormaps[SIGNED]((number + 1) / 2)[:3])
    linear = np.where(red_green_blue <= 0.04045, red_green_blue / 12.92, ((red_green_blue + 0.055) / 1.055) ** 2.4)
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    return "white" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.06 else INK


def spread(pairs: int, most: int) -> np.ndarray:
    """Return at most so many of the pairs 0, 1, …, evenly spread, the first and the last among them: integers."""
    chosen: np.ndarray = np.linspace(0, pairs - 1, min(pairs, most)).round().astype(int)
    return chosen


def short_length(x: float) -> str:
    """Write a wavelength in a few digits."""
    return f"{x:,.1f}" if 0.1 <= x < 1e6 else f"{x:.2g}"


def one_line(text: str, most: int = 40) -> str:
    """Return text for a description: on one line, and cut after so many characters."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return line if len(line) <= most else line[: most - 1] + "…"


def fit(text: Text, most: float) -> None:
    """Shorten a text on the figure with an ellipsis until it is at most so many pixels wide."""
    whole = text.get_text()
    kept = min(len(whole), 80)
    text.set_text(whole if kept == len(whole) else whole[:kept] + "…")
    while kept > 1 and text.get_window_extent().width > most:
        kept -= 1
        text.set_text(whole[:kept] + "…")


def shrink(text: Text, largest: float, most: float, smallest: float = 0.0) -> None:
    """Set a text as large as it may be for at most so many pixels of width, but not below the smallest size."""
    text.set_fontsize(largest)
    width = text.get_window_extent().width
    if width > most:
        text.set_fontsize(max(smallest, largest * most / width))


_GLYPHS = frozenset(get_font(findfont("DejaVu Sans")).get_charmap())
_PLAIN: Any = {k: v for k, v in mpl.rcParamsDefault.items() if not k.startswith("backend")} | STYLE
with mpl.rc_context(_PLAIN):  # checks the values and puts them into the form that matplotlib keeps
    _WHOLE_STYLE: Any = {k: v for k, v in mpl.rcParams.items() if k in _PLAIN}
