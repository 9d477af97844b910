"""What the tests ask of a picture in a state: its texts and their boxes, and what is wrong with them."""

import itertools
import re

from pe_lib.pictures.picture import Picture
from pe_lib.pictures.scene import SMALL, WIDTH, Group, Text


def texts(picture: Picture, hidden: str = "question") -> list[Text]:
    """Return all texts of a state, but those of the groups that are hidden: the "question", or where covered the "answer"."""
    found, waiting = [], [*picture.lay(), *picture.move()]
    for element in waiting:
        if isinstance(element, Group) and element.kind != hidden:
            waiting.extend(element.parts)
        elif isinstance(element, Text) and element.text.strip():
            found.append(element)
    return found


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
    words = [picture.describe(), picture.describe(covered=True)]
    for said in words:
        if re.search(r"[\n\x02\x03]|\bnan\b|\binf\b|0x[0-9a-f]{6}|-0\.0+\b(?!\d)", said) or not 0 < len(said) < 1500:
            found.append(f"described as {said!r}")
    return found
