"""What the tests ask of a picture in a state: its texts and their boxes, and what is wrong with them."""

import itertools
import re
from collections.abc import Iterable

import numpy as np
from matplotlib.path import Path

from pe_lib.pictures.cells import Cells
from pe_lib.pictures.picture import Picture
from pe_lib.pictures.scene import SMALL, WIDTH, Element, Group, Shape, Text


def texts(picture: Picture, hidden: str = "question") -> list[Text]:
    """Return all texts that can be seen in a state; groups of the `hidden` kind cannot, nor what lies under a box."""
    return _texts([*picture.lay(), *picture.move()], hidden)


def levels(
    elements: Iterable[Element],
    place: tuple[float, float, float, float],
    shape: tuple[int, int],
    hidden: str = "question",
) -> np.ndarray:
    """Return the level of colour of each cell of a table written as lines in this place, nan where none is seen."""
    (left, top, wide, high), (rows, columns), found = place, shape, np.full(shape, np.nan)
    for table in _seen(elements, hidden):
        if isinstance(table, Cells) and table.box == place:
            for level, down in re.findall(r'class="e-n(-?\d+)".* d="(.*)"', "\n".join(table.svg())):
                for x, y0, y1 in re.findall(r"M(\S+) ([^V]+)V([\d.]+)", down):
                    first, last = (round((float(y) - top) * rows / high) for y in (y0, y1))
                    column = int((float(x) - left) * columns / wide)
                    assert np.isnan(found[first:last, column]).all()
                    found[first:last, column] = int(level)
    return found


def _texts(elements, hidden):
    found: list[Text] = []
    for element in _seen(elements, hidden):
        if isinstance(element, Shape) and element.fill:
            found = _beside(element.path, found)
        elif isinstance(element, Text) and element.text.strip():
            found.append(element)
    return found


def _seen(elements, hidden):
    for element in elements:
        if not isinstance(element, Group):
            yield element
        elif element.kind != hidden:
            yield from _seen(element.parts, hidden)


def _beside(path: Path, seen: list[Text]) -> list[Text]:
    """Return the texts that do not lie within a path."""
    ends = path.vertices.min(axis=0, initial=np.inf), path.vertices.max(axis=0, initial=-np.inf)
    (left, top), (right, bottom) = ends[0].tolist(), ends[1].tolist()
    found = []
    for text in seen:
        x, y, wide, high = text.box
        corners = list(itertools.product((x, x + wide), (y + 0.2 * high, y + 0.8 * high)))
        near = all(left <= u <= right and top <= v <= bottom for u, v in corners)
        if not (near and path.contains_points(corners).all()):
            found.append(text)
    return found


def faults(picture: Picture) -> list[str]:
    """Return what a reader would stumble over: texts that overlap, that are cut at the edge, that are too small."""
    found, drawn = [], [*picture.lay(), *picture.move()]
    for hidden in ("question", "answer"):
        seen = [(text, text.box) for text in _texts(drawn, hidden)]
        for text, (left, top, wide, high) in seen:
            if text.size < SMALL - 0.01:
                found.append(f"{text.text!r} is {text.size:.1f} pixels small")
            if left < 0 or left + wide > WIDTH or top < -3 or top + high > picture.height + 3:
                found.append(f"{text.text!r} is cut at the edge: {[round(side) for side in text.box]}")
        for (one, (x, y, w, h)), (other, (u, v, s, t)) in itertools.combinations(seen, 2):
            wide = min(x + w, u + s) - max(x, u)
            high = min(y + 0.8 * h, v + 0.8 * t) - max(y + 0.2 * h, v + 0.2 * t)  # capitals and digits
            if min(wide, high) >= 1.5:
                found.append(f"{one.text!r} and {other.text!r} overlap by {wide:.0f} × {high:.0f} pixels")
    said = picture.describe(), picture.describe(covered=True)
    odd = re.compile(r"[\n\x02\x03]|\bnan\b|\binf\b|0x[0-9a-f]{6}|-0\.0+\b(?!\d)")
    found += [f"described as {words!r}" for words in said if odd.search(words) or not 0 < len(words) < 1500]
    return found
