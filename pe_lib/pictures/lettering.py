"""Numbers as pictures write them, and letters as outlines: many outlines are drawn as quickly as a single Text."""

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D, Transform


def rounded(number: float, digits: int = 4) -> str:
    """Write a number with so many digits after the point, and zero without a sign.

    >>> rounded(-0.00001), rounded(0.125, 1)
    ('0.0000', '0.1')
    """
    return f"{round(number, digits) + 0.0:.{digits}f}"


class Letters(PathCollection):
    """Lines of text as one artist, each in the middle of its place or beginning there; `.shown` holds their words."""

    def __init__(self, size: float, weight: str, places: Transform, inches: Transform, align: str = "center") -> None:
        super().__init__([], edgecolors="none", offset_transform=places, clip_on=False, zorder=6)
        self.set_transform(Affine2D().scale(size / 72) + inches)
        self._weight, self._align = weight, align
        self.shown: Sequence[str] = ()

    def show(self, texts: Sequence[str], places: Sequence[tuple[float, float]], colours: Sequence[str]) -> None:
        """Write texts at these places, in these colours."""
        self.shown = texts
        self.set_paths([outline(text, self._weight, self._align) for text in texts])
        self.set_offsets(places if len(places) else np.empty((0, 2)))
        self.set_facecolor(colours)


@lru_cache(maxsize=1024)
def outline(text: str, weight: str = "normal", align: str = "center") -> Path:
    """Return the outline of a line, 1 high to the next; its middle is at the origin, or if "left", its beginning."""
    glyphs = [_glyph(character, weight) for character in text]
    starts = np.cumsum([0.0, *(advance for _, advance in glyphs)])
    lefts = starts if align == "left" else starts - starts[-1] / 2
    shifts = np.stack([lefts, np.full(len(starts), -0.365)], axis=-1)  # digits are 0.73 high
    vertices = [np.add(path.vertices, shift) for (path, _), shift in zip(glyphs, shifts, strict=False)]
    return Path(np.concatenate(vertices), np.concatenate([path.codes for path, _ in glyphs]))


@cache
def _glyph(character: str, weight: str) -> tuple[Path, float]:
    """Return the outline of a character 1 high, and how far it is to the next."""
    properties = FontProperties(family="DejaVu Sans", weight=weight)
    font = get_font(findfont(properties))
    font.set_size(100, 72)
    advance = font.load_char(ord(character)).linearHoriAdvance / 65536 / 100
    if character == " ":
        return Path(np.empty((0, 2)), np.empty(0, np.uint8)), advance
    return TextPath((0, 0), character, size=1, prop=properties), advance
