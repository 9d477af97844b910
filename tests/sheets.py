"""What the tests ask of a picture in a state: random states, what is written and where, and what is wrong with it."""

import itertools
import re
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from pe_pictures import fields
from pe_pictures.cells import Cells
from pe_pictures.colours import LINE
from pe_pictures.picture import Picture
from pe_pictures.scene import Boxes, Discs, Group, Shape, Text

SENTENCES: list[Any] = [
    ("alone",),
    tuple(f"word{pos}" for pos in range(8)),
    ("<b>bold</b>", "$x^2$", "\\frac{", "smile 😀", "שלום", "two\nlines", "", "x" * 10_000, "\ud83d", "\x00"),
]
HOSTILE = ["<script>alert(1)</script>", "&amp;", "javascript:alert(1)", "\u202e", 'a" onload="alert(1)', "]]>", "{{x}}"]


def random_state(kind: type[Picture], seed: int) -> dict[str, Any]:
    """Return a state within the limits of the fields, also beyond what the controls reach; the ends come often."""
    choose, state = Random(seed), dict[str, Any]()
    for field in kind.fields:
        state[field.name] = field.check(_value(field, state | {field.name: field.default}, choose), state)
    return state


def _value(field: fields.Field, state: dict[str, Any], choose: Random) -> Any:
    if isinstance(field, fields.Integer):
        least, greatest = field.limits(state)
        ends = [field.reach[1], 600] if field.reach and isinstance(field.reach[1], int) else [600]
        far = min(greatest, max([least, choose.choice(ends), *field.options]))
        return least + choose.choice([0, far - least, choose.randint(0, far - least)]) // field.step * field.step
    if isinstance(field, fields.Number):
        options = [x for x in (*field.options, 12_345.678, field.default) if field.least <= x <= field.greatest]
        return choose.choice(options)
    if isinstance(field, fields.Choice):
        return choose.choice(field.options)
    if isinstance(field, fields.Tick):
        return choose.random() < 0.5
    if isinstance(field, fields.Sentence):
        return choose.choice([field.default, choose.choice(SENTENCES), HOSTILE])
    if isinstance(field, fields.Matrix):
        rng = np.random.default_rng(choose.randrange(99))
        return field.default or choose.choice([None, rng.normal(size=(choose.randint(1, 40), choose.randint(1, 40)))])
    return field.default


def drawn(picture: Picture, *, covered: bool = False) -> list[Any]:
    """Return all that can be seen in a state, one over the other, without the groups."""
    return [*_seen([*picture.lay(), *picture.move()], covered)]


def _seen(elements: Any, covered: bool) -> Any:
    for element in elements:
        if isinstance(element, Group):
            if element.kind == "answer" and covered:
                yield from (part for part in element.parts if isinstance(part, Boxes))
            else:
                yield from _seen(element.parts, covered)
        elif not isinstance(element, Shape) or element.kind not in ("veil", "spot"):
            yield element


def texts(picture: Picture, *, covered: bool = False) -> list[str]:
    """Return what is written in a state."""
    return [said for text in drawn(picture, covered=covered) if isinstance(text, Text) and (said := text.text.strip())]


def numbers(picture: Picture, form: str) -> list[float]:
    """Return the numbers among the texts that have a form, a regular expression, in the order they are drawn."""
    return [float(said.replace("−", "-").replace(",", "")) for said in texts(picture) if re.fullmatch(form, said)]


def ruler(picture: Picture, labels: dict[str, float], align: str = "middle") -> Callable[[Any], Any]:
    """Return where numbers lie on an axis, downward if its labels are aligned at their ends, from two labels of it."""
    axis = "y" if align == "end" else "x"
    said = [text for text in drawn(picture) if isinstance(text, Text) and text.align == align]
    first, last = (
        (number, next(getattr(t, axis) for t in said[::-1] if t.text == name)) for name, number in labels.items()
    )
    return lambda number: first[1] + (number - first[0]) * (last[1] - first[1]) / (last[0] - first[0])


def dials(picture: Picture) -> list[tuple[float, float, float]]:
    """Return the dials of a state: the middle of each, and its radius."""
    rims = [part for part in drawn(picture) if isinstance(part, Discs) and part.edge == LINE and not part.fill]
    return [(x, y, rim.radius) for rim in rims for x, y in rim.centres.tolist()]


def faults(picture: Picture) -> list[str]:
    """Return what a reader would stumble over: words that overlap, are cut at the edge, or use a hyphen as minus."""
    found, (wide, high) = [], picture.size
    fitted = [text.fitted(picture.tall) for text in drawn(picture) if isinstance(text, Text)]
    seen = [(said, box) for said, _, box in fitted if said.strip()]
    for said, (left, top, across, down) in seen:
        if left < -1 or left + across > wide + 1 or top < -3 or top + down > high + 3:
            found.append(f"{said!r} is cut at the edge: {left:.0f} {top:.0f} {across:.0f} {down:.0f}")
        if re.search(r"(^|[\s(=])-\d", said):
            found.append(f"{said!r} has a hyphen for a minus")
    for (one, (x, y, w, h)), (other, (u, v, s, t)) in itertools.combinations(seen, 2):
        beside, below = min(x + w, u + s) - max(x, u), min(y + 0.8 * h, v + 0.8 * t) - max(y + 0.2 * h, v + 0.2 * t)
        if min(beside, below) >= 1.5:
            found.append(f"{one!r} and {other!r} overlap by {beside:.0f} × {below:.0f}")
    return found


def kinds(elements: Any) -> list[str]:
    """Return the elements of a layer as a page sees them: which they are and in which order."""
    return re.findall(r"<(\w+)", "\n".join(line for element in elements for line in element.svg(False)))


def maps(picture: Picture) -> list[Cells]:
    """Return the maps of a state."""
    return [cells for cells in drawn(picture) if isinstance(cells, Cells)]
