"""What pictures are made of: lines, boxes, discs, cells and words, written as SVG, or drawn as PNG.

Places and sizes are CSS pixels on a sheet 1100 wide, counted from its top left corner. A colour is a name, and the name
stands in the SVG as a class, so that one SVG serves light pages and dark ones. Words are written as outlines, so that
they look the same on every machine; nothing here asks what a learner has set in matplotlib.
"""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgb
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Transform
from PIL import Image

from pe_lib.pictures.cells import Cells, Place
from pe_lib.pictures.colours import COLOURS, INK, PAPER
from pe_lib.pictures.letters import EM, letters, outline, written

WIDTH = 1100  # of every sheet
Dash = tuple[float, ...]  # how much is drawn and left out in turn
Cap = Literal["butt", "round"]
TALK, SMALL = 22.5, 15.5  # words whose capitals are 16 pixels high, for what a lesson speaks of, and 11, for the rest
SMALLEST = ContextVar("size", default=SMALL)  # of a text that is set smaller to fit


@dataclass(frozen=True)
class Shape:
    """A path with a fill and an edge."""

    path: Path
    fill: str = ""
    edge: str = ""
    width: float = 0.0
    dash: Dash = ()
    cap: Cap = "butt"

    def svg(self) -> Iterator[str]:
        """Yield the shape as SVG."""
        kinds = " ".join(f"{of}-{name}" for of, name in (("f", self.fill), ("e", self.edge)) if name)
        more = f' stroke-width="{self.width:g}"' if self.edge else ""
        more += f' stroke-dasharray="{" ".join(f"{length:g}" for length in self.dash)}"' if self.dash else ""
        more += f' stroke-linecap="{self.cap}"' if self.cap != "butt" else ""
        yield f'<path class="{kinds}"{more} d="{written(self.path)}"/>'

    def draw(self, renderer: RendererAgg, sheet: Transform, zoom: float) -> None:
        """Draw the shape into an image."""
        gc = renderer.new_gc()
        gc.set_linewidth(self.width * zoom if self.edge else 0)
        gc.set_foreground(to_rgb(COLOURS[self.edge or INK][0]))
        gc.set_capstyle(self.cap)
        gc.set_joinstyle("round")
        if self.cap == "round":
            gc.set_snap(False)  # a dot, a line with next to no length, would be snapped to none
        if self.dash:
            gc.set_dashes(0, [length * zoom for length in self.dash])
        renderer.draw_path(gc, self.path, sheet, to_rgb(COLOURS[self.fill][0]) if self.fill else None)


@dataclass(frozen=True)
class Text:
    """A line of text as outlines; `left` and `base` are where its baseline begins."""

    text: str
    left: float
    base: float
    size: float
    colour: str
    weight: str = "normal"

    @property
    def box(self) -> Place:
        """Left, top, width and height of the text: of its letters, which reach below the baseline as well."""
        wide = width_of(self.text, self.size, self.weight)
        return self.left, self.base - 0.76 * self.size, wide, self.size

    def svg(self) -> Iterator[str]:
        """Yield the text as SVG."""
        scale = f"{self.size / EM:.4g}"
        place = f"translate({self.left:.1f} {self.base:.1f}) scale({scale} -{scale})"
        shape, _ = outline(self.text, self.weight)
        yield f'<path class="f-{self.colour}" transform="{place}" d="{shape}"/>'

    def draw(self, renderer: RendererAgg, sheet: Transform, zoom: float) -> None:
        """Draw the text into an image."""
        own = Affine2D().scale(self.size / EM, -self.size / EM).translate(self.left, self.base)
        for glyph, at in letters(self.text, self.weight):
            Shape(glyph.path, self.colour).draw(renderer, Affine2D().translate(at, 0) + own + sheet, zoom)


@dataclass(frozen=True)
class Group:
    """What belongs together: an "answer", which can be covered, or the "question" that then stands in its place.

    Or a whole "picture"; `place` is where it stands on the sheet: left, top, scale.
    """

    kind: str
    parts: Sequence[Any]
    place: tuple[float, float, float] = (0.0, 0.0, 1.0)

    def svg(self) -> Iterator[str]:
        """Yield the parts, in a group that bears its kind as its class."""
        left, top, scale = self.place
        moved = f' transform="translate({left:g} {top:g}) scale({scale:g})"' if self.place != (0, 0, 1) else ""
        yield f'<g class="{self.kind}"{moved}>'
        for part in self.parts:
            yield from part.svg()
        yield "</g>"


Element = Shape | Text | Cells | Group
Elements = Iterable[Element]


def answer(*parts: Element, question: Elements = ()) -> Iterator[Group]:
    """Yield what a covered picture holds back, and what it shows in that place."""
    yield Group("answer", parts)
    if standing := tuple(question):
        yield Group("question", standing)


def line(xs: Any, ys: Any, colour: str = INK, width: float = 2.0, dash: Dash = (), cap: Cap = "butt") -> Shape:
    """Return a line through points; of shape (curves, points), as many lines. It breaks where a number is nan.

    Of what is the same for all points or all curves, one is enough.
    """
    across, down = np.broadcast_arrays(np.atleast_2d(np.asarray(xs, float)), np.atleast_2d(np.asarray(ys, float)))
    points = np.stack([across, down], axis=-1)  # (curves, points, 2)
    there = np.isfinite(points).all(axis=-1)
    starts = there.copy()
    starts[:, 1:] &= ~there[:, :-1]
    codes = np.where(starts, Path.MOVETO, Path.LINETO)
    return Shape(Path(points[there], codes[there]), edge=colour, width=width, dash=dash, cap=cap)


def area(xs: Any, ys: Any, fill: str, edge: str = "", width: float = 0.0) -> Shape:
    """Return a closed area with these corners."""
    corners = np.stack([xs, ys], axis=-1).astype(float)
    codes = [Path.MOVETO, *[Path.LINETO] * (len(corners) - 1), Path.CLOSEPOLY]
    return Shape(Path(np.concatenate([corners, corners[:1]]), codes), fill, edge, width)


def boxes(
    places: Iterable[Place], fill: str = "", edge: str = "", width: float = 0.0, dash: Dash = (), radius: float = 0.0
) -> Shape:
    """Return boxes as one shape; `radius` rounds their corners."""
    corners, codes, r, k = [], [], radius, 0.45 * radius
    for left, top, wide, high in places:
        right, bottom = left + wide, top + high
        if not r:
            corners += [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
            codes += [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY]
            continue
        corners += [
            (left + r, top), (right - r, top), (right - r + k, top), (right, top + r - k), (right, top + r),
            (right, bottom - r), (right, bottom - r + k), (right - r + k, bottom), (right - r, bottom),
            (left + r, bottom), (left + r - k, bottom), (left, bottom - r + k), (left, bottom - r),
            (left, top + r), (left, top + r - k), (left + r - k, top), (left + r, top), (left + r, top),
        ]  # fmt: skip
        codes += [Path.MOVETO, *[Path.LINETO, *[Path.CURVE4] * 3] * 4, Path.CLOSEPOLY]
    path = Path(np.reshape(np.array(corners, float), (-1, 2)), codes)
    return Shape(path, fill, edge, width, dash)


def box(
    left: float, top: float, wide: float, high: float, fill: str = "", edge: str = "", width: float = 0.0, **more: Any
) -> Shape:
    """Return one box; see `boxes`."""
    return boxes([(left, top, wide, high)], fill, edge, width, **more)


def discs(xs: Any, ys: Any, radius: float, fill: str = "", edge: str = "", width: float = 0.0) -> Shape:
    """Return discs of one size around these points, as one shape."""
    unit: Any = Path.unit_circle()
    centres = np.stack(np.broadcast_arrays(xs, ys), axis=-1).reshape(-1, 1, 2)
    vertices = (unit.vertices * radius + centres).reshape(-1, 2)
    return Shape(Path(vertices, np.tile(unit.codes, len(centres))), fill, edge, width)


def text(
    x: float,
    y: float,
    said: str,
    size: float = TALK,
    colour: str = INK,
    align: str = "middle",
    weight: str = "normal",
    *,
    most: float = np.inf,
    within: tuple[float, float] | None = None,
) -> Text:
    """Return a line of text whose digits have their middle at height y; x is its "start", "middle" or "end".

    A text wider than `most` is set smaller, down to SMALLEST, and what is still too long ends in an ellipsis.
    One in the middle of x stays `within` two ends.
    """
    if (wide := width_of(said, size, weight)) > most:
        size = max(min(size, SMALLEST.get()), size * most / wide)
        shorter = (said[:n] + "…" for n in range(min(len(said), 300), 0, -1))
        fits = (some for some in (said, *shorter) if width_of(some, size, weight) <= most + 1e-6)  # widths are rounded
        said = next(fits, "…")
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[align] * width_of(said, size, weight)
    x = min(max(x, within[0] + shift), within[1] - shift) if within else x
    return Text(said, x - shift, y + 0.365 * size, size, colour, weight)


def width_of(text: str, size: float, weight: str = "normal") -> float:
    """Return how many pixels wide a text is."""
    return outline(text, weight)[1] * size / EM


def svg(elements: Elements, height: float) -> str:
    """Write elements as an SVG of its own, an element a line, with the rules for the colours it uses."""
    body = "\n".join(part for element in elements for part in element.svg())
    used = sorted({*re.findall(r"\b([fe]-[\w-]+)", " ".join(re.findall(r'class="([^"]*)"', body)))})
    light, dark = (
        "".join(f".{k}{{{'fill' if k[0] == 'f' else 'stroke'}:{COLOURS[k[2:]][n]}}}" for k in used) for n in (0, 1)
    )
    rules = (
        "path{fill:none;stroke-linejoin:round}image{image-rendering:pixelated}.fine{image-rendering:auto}"
        ".question,.covered .answer,.night{display:none}.covered .question{display:inline}"
        f"{light}@media (prefers-color-scheme:dark){{.day{{display:none}}.night{{display:inline}}{dark}}}"
    )
    size = f'width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{rules}</style>\n{body}\n</svg>\n'


def png(elements: Elements, height: float, covered: bool, zoom: float = 2.0) -> bytes:
    """Draw elements in their light colours as a PNG with a palette of 128 colours, `zoom` pixels for each of CSS."""
    renderer = RendererAgg(round(WIDTH * zoom), round(height * zoom), 72)
    sheet = Affine2D().scale(zoom, -zoom).translate(0, round(height * zoom))
    hidden = "answer" if covered else "question"
    with mpl.rc_context({"path.simplify": True, "agg.path.chunksize": 0}):
        box(0, 0, WIDTH, height, PAPER).draw(renderer, sheet, zoom)
        waiting: list[tuple[Element, Any, float]] = [(element, sheet, zoom) for element in elements][::-1]
        while waiting:
            element, at, by = waiting.pop()
            if not isinstance(element, Group):
                element.draw(renderer, at, by)
            elif element.kind != hidden:
                left, top, scale = element.place
                at = Affine2D().scale(scale).translate(left, top) + at
                waiting += [(part, at, by * scale) for part in element.parts][::-1]
    file = io.BytesIO()
    in_few_colours(np.asarray(renderer.buffer_rgba())).save(file, "PNG", compress_level=8)
    return file.getvalue()


def in_few_colours(pixels: np.ndarray) -> Image.Image:
    """Return opaque pixels of shape (H, W, 4) in 128 colours: a median cut, by how often each is there."""
    code = pixels.view("<u4")[..., 0] & 0xFFFFFF
    found, counts = np.unique(code, return_counts=True)
    often = 1 + counts // 64  # roughly: a cut of all pixels takes four times as long
    colours = found.view(np.uint8).reshape(-1, 4)[:, :3]
    few = Image.fromarray(np.repeat(colours, often, axis=0)[np.newaxis]).quantize(128, dither=Image.Dither.NONE)
    number = np.empty(1 << 24, np.uint8)  # of each colour that is there
    number[found] = np.asarray(few)[0, np.cumsum(often) - 1]
    image = Image.fromarray(number[code])
    image.putpalette(few.getpalette() or ())
    return image
