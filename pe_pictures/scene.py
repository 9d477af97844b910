"""What pictures are made of: lines, boxes, discs, maps and words, written as SVG.

Places and sizes are units of the sheet, counted from its top left corner: 1100 wide, or 520 where it is tall. A colour
is a name, and the name stands in the SVG as a class, so that one SVG serves light pages and dark ones. Words are text,
with the width that they have in the font of the pictures. Nothing here needs more than NumPy.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

import numpy as np

from pe_pictures.cells import Cells, Place
from pe_pictures.colours import INK
from pe_pictures.fonts import width_of

WIDTH = 1100.0  # of a wide sheet
TALL = (520.0, 760.0)  # the sheet of a narrow panel
T1, T2, T3, T4 = SIZES = (16.0, 19.0, 24.0, 36.0)  # ticks and notes; labels and digits; words; the one number
TALL_SIZES = (22.0, 25.0, 30.0, 45.0)  # the same four on a tall sheet, which is shown smaller
SLIDE_SIZES = (19.0, 22.0, 27.0, 40.0)  # and on a slide, which is read from the last row,
IN_CELLS = 16.0  # with a fifth for what would not fit its cell
ALL_SIZES = {  # by the kind of a sheet and the number of a size
    "wide": dict(enumerate(SIZES, 1)),
    "tall": dict(enumerate(TALL_SIZES, 1)),
    "slide": dict(enumerate((IN_CELLS, *SLIDE_SIZES))),
}
DIGIT = 0.325  # half the height of a digit, in parts of the size
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}  # what part of a text lies before its x
CORNER = 3.0  # the radius of the corners of cells
Dash = tuple[float, ...]  # how much is drawn and left out in turn
Cap = Literal["butt", "round"]
DASHED: Dash = (6, 5)  # what a cosine is, whatever its colour


_slides = ContextVar("slides", default=False)


@contextmanager
def for_slides() -> Iterator[None]:
    """Draw wide sheets with the words of slides, as long as this lasts.

    >>> with for_slides():
    ...     pixels(T1, tall=False)
    19.0
    """
    before = _slides.set(True)
    try:
        yield
    finally:
        _slides.reset(before)


def kind_of(tall: bool) -> str:
    """Return which words a sheet has: "tall", "slide" or "wide"."""
    return "tall" if tall else "slide" if _slides.get() else "wide"


def size_class(size: float) -> int:
    """Return which of the four sizes a text has, 1 to 4: the largest that is not larger."""
    return max(1, sum(size >= least - 1.5 for least in SIZES))


def pixels(size: float, tall: bool) -> float:
    """Return how large a text is on a sheet, in its units."""
    return ALL_SIZES[kind_of(tall)][size_class(size)]


def _attributes(**values: Any) -> str:
    """Write those attributes that are not what SVG has anyway."""
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in values.items() if value not in ("", None))


@dataclass(frozen=True)
class Shape:
    """What is filled, or has an edge, or both."""

    fill: str = ""
    edge: str = ""
    width: float = 0.0
    dash: Dash = ()
    cap: Cap = "butt"
    opacity: float = 1.0
    kind: str = ""  # a class of its own, such as "spot"

    def look(self) -> str:
        """Return the attributes that say how it looks."""
        kinds = " ".join(filter(None, [self.fill and f"f-{self.fill}", self.edge and f"e-{self.edge}", self.kind]))
        return f' class="{kinds}"' + _attributes(
            stroke_width=f"{self.width:g}" if self.edge else "",
            stroke_dasharray=" ".join(f"{length:g}" for length in self.dash),
            stroke_linecap=self.cap if self.cap != "butt" else "",
            opacity=f"{self.opacity:g}" if self.opacity < 1 else "",
        )


@dataclass(frozen=True, kw_only=True)
class Curves(Shape):
    """Lines through points, each of shape (points, 2), open or closed; a `bent` one is a cubic with four of them."""

    curves: Sequence[np.ndarray]
    closed: bool = False
    bent: bool = False

    def svg(self, _tall: bool) -> Iterator[str]:
        """Yield them as one path."""
        end = "Z" if self.closed else ""
        bend = "C" if self.bent else " "
        parts = ((curve[:1], curve[1:]) for curve in self.curves if len(curve))
        d = "".join(f"M{_numbers(first)}{bend}{_numbers(rest)}{end}" for first, rest in parts)
        yield f'<path{self.look()} d="{d}"/>'


@dataclass(frozen=True, kw_only=True)
class Boxes(Shape):
    """Boxes that look the same: left, top, width and height of each."""

    places: Sequence[Place]
    radius: float = 0.0

    def svg(self, _tall: bool) -> Iterator[str]:
        """Yield each as a rectangle."""
        look = self.look() + _attributes(rx=f"{self.radius:g}" if self.radius else "")
        for left, top, wide, high in self.places:
            yield f'<rect{look} x="{left:.1f}" y="{top:.1f}" width="{max(wide, 0):.1f}" height="{max(high, 0):.1f}"/>'


@dataclass(frozen=True, kw_only=True)
class Discs(Shape):
    """Discs of one size that look the same, around these points: shape (discs, 2)."""

    centres: np.ndarray
    radius: float

    def svg(self, _tall: bool) -> Iterator[str]:
        """Yield each as a circle."""
        for x, y in self.centres.tolist():
            yield f'<circle{self.look()} cx="{x:.1f}" cy="{y:.1f}" r="{self.radius:g}"/>'


@dataclass(frozen=True)
class Text:
    """A line of text; `x` is where it starts, its middle or where it ends, `y` the middle of its digits.

    One that is wider than `most` is set in a smaller size, and what is still too long ends in an ellipsis. One stays
    `within` two ends, or else on the sheet. A `halo` of paper lifts it off lines that it crosses.
    """

    text: str
    x: float
    y: float
    size: float = T2
    colour: str = INK
    align: str = "middle"
    weight: str = "normal"
    most: float = np.inf
    within: tuple[float, float] | None = None
    halo: bool = False

    def fitted(self, tall: bool = False) -> tuple[str, int, Place]:
        """Return what is written, in which of the four sizes, and its box: left, top, width and height."""
        # Control characters and halves of characters are no XML, and are in no font.
        said = self.text if self.text.isprintable() else "".join(c if c.isprintable() else " " for c in self.text)
        sizes = ALL_SIZES[kind_of(tall)]
        for number in range(size_class(self.size), min(sizes) - 1, -1):
            px = sizes[number]
            if (wide := width_of(said, px, self.weight)) <= self.most:
                break
        else:
            shorter = (said[:n] + "…" for n in range(min(len(said), 300) - 1, -1, -1))
            said = next((some for some in shorter if width_of(some, px, self.weight) <= self.most), "…")
            wide = width_of(said, px, self.weight)
        first, last = self.within or (0.0, TALL[0] if tall else WIDTH)
        left = max(min(self.x - ANCHORS[self.align] * wide, last - wide), first)
        return said, number, (left, self.y - px / 2, wide, px)

    def svg(self, tall: bool) -> Iterator[str]:
        """Yield the text as SVG: as wide as it is in the font of the pictures, in whatever font there is."""
        said, number, (left, _, wide, px) = self.fitted(tall)
        more = {"middle": " m", "end": " e"}.get(self.align, "") + " b" * (self.weight == "bold") + " halo" * self.halo
        x = left + ANCHORS[self.align] * wide
        look = f'class="f-{self.colour} t{number}{more}" x="{x:.1f}" y="{self.y + DIGIT * px:.1f}"'
        if not said:
            yield f"<text {look}></text>"
            return
        yield f'<text {look} textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs">{escape(said, quote=False)}</text>'


@dataclass(frozen=True)
class Group:
    """What belongs together: an "answer", which a cover holds back; or a picture within a picture.

    `place` is where a picture stands on the sheet: left, top, scale.
    """

    kind: str
    parts: Sequence[Any]
    place: tuple[float, float, float] = (0.0, 0.0, 1.0)

    def svg(self, tall: bool) -> Iterator[str]:
        """Yield the parts, in a group that bears its kind as its class."""
        left, top, scale = self.place
        moved = f' transform="translate({left:g} {top:g}) scale({scale:g})"' if self.place != (0, 0, 1) else ""
        yield f'<g class="{self.kind}"{moved}>'
        for part in self.parts:
            yield from part.svg(tall)
        yield "</g>"


Element = Curves | Boxes | Discs | Text | Cells | Group
Elements = Iterable[Element]


def answer(*parts: Element) -> Iterator[Group]:
    """Yield what a cover holds back: of its boxes it leaves the grey places, and nothing of the rest."""
    yield Group("answer", parts)


def line(
    xs: Any, ys: Any, colour: str = INK, width: float = 2.0, dash: Dash = (), cap: Cap = "butt", **more: Any
) -> Curves:
    """Return a line through points; of shape (curves, points), as many lines. It breaks where a number is nan.

    Of what is the same for all points or all curves, one is enough.
    """
    across, down = np.broadcast_arrays(np.atleast_2d(np.asarray(xs, float)), np.atleast_2d(np.asarray(ys, float)))
    points = np.stack([across, down], axis=-1)  # (curves, points, 2)
    there = np.isfinite(points).all(axis=-1)
    if there.all():
        curves = list(points)
    else:
        runs = (np.flatnonzero(np.diff(np.r_[False, row, False])).reshape(-1, 2) for row in there)
        curves = [curve[a:b] for curve, ends in zip(points, runs, strict=True) for a, b in ends]
    return Curves(edge=colour, width=width, dash=dash, cap=cap, curves=curves, **more)


def arc(points: Sequence[tuple[float, float]], colour: str, width: float, **more: Any) -> Curves:
    """Return the cubic from the first of four points to the last, drawn towards the two between them."""
    return Curves(edge=colour, width=width, curves=[np.array(points)], bent=True, **more)


def area(xs: Any, ys: Any, fill: str, edge: str = "", width: float = 0.0, **more: Any) -> Curves:
    """Return a closed area with these corners."""
    return Curves(fill=fill, edge=edge, width=width, curves=[np.stack([xs, ys], axis=-1)], closed=True, **more)


def boxes(places: Iterable[Place], fill: str = "", edge: str = "", width: float = 0.0, **more: Any) -> Boxes:
    """Return boxes that look the same; `radius` rounds their corners."""
    return Boxes(fill=fill, edge=edge, width=width, places=list(places), **more)


def box(
    left: float, top: float, wide: float, high: float, fill: str = "", edge: str = "", width: float = 0.0, **more: Any
) -> Boxes:
    """Return one box; see `boxes`."""
    return boxes([(left, top, wide, high)], fill, edge, width, **more)


def discs(xs: Any, ys: Any, radius: float, fill: str = "", edge: str = "", width: float = 0.0, **more: Any) -> Discs:
    """Return discs of one size around these points."""
    centres = np.stack(np.broadcast_arrays(xs, ys), axis=-1).reshape(-1, 2).astype(float)
    return Discs(fill=fill, edge=edge, width=width, centres=centres, radius=radius, **more)


def text(
    x: float, y: float, said: str, size: float = T2, colour: str = INK, align: str = "middle", *look: Any, **more: Any
) -> Text:
    """Return a line of text whose digits have their middle at height y; see `Text`."""
    return Text(said, x, y, size, colour, align, *look, **more)


def svg(elements: Elements, width: float, height: float) -> str:
    """Write elements as an SVG of its own, an element a line."""
    tall = width < WIDTH
    body = "\n".join(part for element in elements for part in element.svg(tall))
    root = f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind_of(tall)}" viewBox="0 0 {width:g} {height:g}">'
    return f"{root}\n{body}\n</svg>\n"


def _numbers(points: np.ndarray) -> str:
    """Write points as SVG does, with one digit after the point."""
    return " ".join(["%.1f"] * points.size) % tuple(points.ravel().tolist())
