"""What the tests ask of a picture in a state: its texts and their boxes, and what is wrong with them."""

import itertools
import re

from pe_lib.pictures.picture import Picture
from pe_lib.pictures.scene import SMALL, WIDTH, Group, Shape, Text


def texts(picture: Picture, hidden: str = "question") -> list[Text]:
    """Return all texts that can be seen in a state; groups of the `hidden` kind cannot, nor what lies under a box."""
    found: list[Text] = []
    for element in _seen([*picture.lay(), *picture.move()], hidden):
        if isinstance(element, Shape) and element.fill:
            found = [text for text in found if not _under(text, element)]
        elif isinstance(element, Text) and element.text.strip():
            found.append(element)
    return found


def _seen(elements, hidden):
    for element in elements:
        if not isinstance(element, Group):
            yield element
        elif element.kind != hidden:
            yield from _seen(element.parts, hidden)


def _under(text: Text, shape: Shape) -> bool:
    left, top, wide, high = text.box
    corners = [(x, y) for x in (left, left + wide) for y in (top + 0.2 * high, top + 0.8 * high)]
    return bool(shape.path.contains_points(corners).all())


def faults(picture: Picture) -> list[str]:
    """Return what a reader would stumble over: texts that overlap, that are cut at the edge, that are too small."""
    found = []
    for hidden in ("question", "answer"):
        seen = texts(picture, hidden)
        for text in seen:
            left, top, wide, high = text.box
            if text.size < SMALL - 0.01:
                found.append(f"{text.text!r} is {text.size:.1f} pixels small")
            if left < 0 or left + wide > WIDTH or top < -3 or top + high > picture.height + 3:
                found.append(f"{text.text!r} is cut at the edge: {[round(side) for side in text.box]}")
        for one, other in itertools.combinations(seen, 2):
            (x, y, w, h), (u, v, s, t) = one.box, other.box
            wide = min(x + w, u + s) - max(x, u)
            high = min(y + 0.8 * h, v + 0.8 * t) - max(y + 0.2 * h, v + 0.2 * t)  # capitals and digits
            if min(wide, high) >= 1.5:
                found.append(f"{one.text!r} and {other.text!r} overlap by {wide:.0f} × {high:.0f} pixels")
    said = picture.describe(), picture.describe(covered=True)
    odd = re.compile(r"[\n\x02\x03]|\bnan\b|\binf\b|0x[0-9a-f]{6}|-0\.0+\b(?!\d)")
    found += [f"described as {words!r}" for words in said if odd.search(words) or not 0 < len(words) < 1500]
    return found
