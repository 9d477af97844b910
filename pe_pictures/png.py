"""Pictures as PNG files, for pages without a kernel: drawn by matplotlib's Agg, in light colours."""

import functools
import io
import warnings
from collections.abc import Iterable
from itertools import groupby, pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgb
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.patheffects import PathEffectRenderer, withStroke
from matplotlib.transforms import Affine2D, Transform
from PIL import Image

from pe_pictures.cells import Cells
from pe_pictures.colours import COLOURS, INK, LEVELS, PAPER
from pe_pictures.fonts import FONT, WEIGHTS, width_of, widths
from pe_pictures.scene import DIGIT, WIDTH, Boxes, Curves, Discs, Element, Group, Shape, Text, box

ELSEWHERE = FontProperties(family="DejaVu Sans")  # of characters that the font lacks; it comes with matplotlib


def png(elements: Iterable[Element], height: float, covered: bool = False, zoom: float = 2.0) -> bytes:
    """Draw the elements of a wide sheet as a PNG with a palette of 128 colours, `zoom` pixels for each of its units."""
    renderer = RendererAgg(round(WIDTH * zoom), round(height * zoom), 72)
    sheet = Affine2D().scale(zoom, -zoom).translate(0, round(height * zoom))
    with mpl.rc_context({"path.simplify": True, "agg.path.chunksize": 0}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of characters that no font has
        _draw([box(0, 0, WIDTH, height, PAPER), *elements], renderer, sheet, zoom, covered, within=False)
    file = io.BytesIO()
    in_few_colours(np.asarray(renderer.buffer_rgba())).save(file, "PNG", compress_level=8)
    return file.getvalue()


def _draw(
    elements: Iterable[Element], renderer: RendererAgg, sheet: Transform, zoom: float, covered: bool, *, within: bool
) -> None:
    """Draw elements; `within` says that they are part of a covered answer, of which the boxes are left, in grey."""
    for element in elements:
        if isinstance(element, Group):
            left, top, scale = element.place
            at = Affine2D().scale(scale).translate(left, top) + sheet
            held = within or (covered and element.kind == "answer")
            _draw(element.parts, renderer, at, zoom * scale, covered, within=held)
        elif within and not isinstance(element, Boxes):
            continue
        elif isinstance(element, Text):
            _draw_text(element, renderer, sheet, zoom)
        elif isinstance(element, Cells):
            _draw_cells(element, renderer, sheet, zoom)
        elif element.kind not in ("veil", "spot") or (covered and element.kind == "veil"):
            _draw_shape(element, renderer, sheet, zoom, "line" if within else element.fill)


def _draw_shape(shape: Shape, renderer: RendererAgg, sheet: Transform, zoom: float, fill: str) -> None:
    gc = renderer.new_gc()
    gc.set_alpha(shape.opacity)
    gc.set_linewidth(shape.width * zoom if shape.edge else 0)
    gc.set_foreground(to_rgb(COLOURS[shape.edge or INK][0]))
    gc.set_capstyle(shape.cap)
    gc.set_joinstyle("round")
    if shape.cap == "round":
        gc.set_snap(False)  # a dot, a line with next to no length, would be snapped to none
    if shape.dash:
        gc.set_dashes(0, [length * zoom for length in shape.dash])
    for path in _paths(shape):
        renderer.draw_path(gc, path, sheet, (*to_rgb(COLOURS[fill][0]), shape.opacity) if fill else None)


def _paths(shape: Shape) -> Iterable[Path]:
    """Yield the outlines of a shape."""
    if isinstance(shape, Curves):
        for curve in shape.curves:
            if shape.bent:
                yield Path(curve, [Path.MOVETO, *[Path.CURVE4] * 3])
            elif len(curve):
                yield Path(np.r_[curve, curve[:1]], closed=True) if shape.closed else Path(curve)
    elif isinstance(shape, Boxes):
        unit = Path.unit_rectangle()
        for left, top, wide, high in shape.places:
            if shape.radius:
                yield _rounded(left, top, wide, high, min(shape.radius, wide / 2, high / 2))
            else:
                yield Affine2D().scale(wide, high).translate(left, top).transform_path(unit)
    elif isinstance(shape, Discs):
        for x, y in shape.centres:
            yield Path.circle((x, y), shape.radius)


def _rounded(left: float, top: float, wide: float, high: float, r: float) -> Path:
    """Return the outline of a box with round corners."""
    corners = [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
    points, codes = [(left + r, top)], [Path.MOVETO]
    for (x0, y0), (x1, y1) in pairwise([*corners, corners[0]]):
        along = np.sign([x1 - x0, y1 - y0]) * r
        turn = np.array([-along[1], along[0]])
        points += [(x1 - along[0], y1 - along[1]), (x1, y1), (x1 + turn[0], y1 + turn[1])]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path(points, codes)


@functools.cache
def _font(weight: str) -> FontProperties:
    return FontProperties(fname=FONT / f"SourceSans3-{WEIGHTS[weight]}.ttf")


def _draw_text(text: Text, renderer: RendererAgg, sheet: Transform, zoom: float) -> None:
    """Draw a text, and what its font lacks in another, at the widths that the page has them in."""
    said, _, (left, _, _, px) = text.fitted()
    gc: Any = renderer.new_gc()
    gc.set_foreground(to_rgb(COLOURS[text.colour][0]))
    target: Any = renderer
    if text.halo:
        halo = withStroke(linewidth=5 * zoom, foreground=to_rgb(COLOURS[PAPER][0]))
        target = PathEffectRenderer([halo], renderer)
    known = widths(text.weight)
    for there, run in groupby(said, known.__contains__):
        part = "".join(run)
        font = (_font(text.weight) if there else ELSEWHERE).copy()
        font.set_size(px * zoom)
        x, y = sheet.transform((left, text.y + DIGIT * px))
        target.draw_text(gc, x, renderer.height - y, part, font, 0)
        left += width_of(part, px, text.weight)


def _draw_cells(cells: Cells, renderer: RendererAgg, sheet: Transform, zoom: float) -> None:
    """Draw a map, each pixel in the colour of the cell it lies in."""
    width, height = (round(side * zoom) for side in cells.box[2:])
    left, top = (round(place) for place in sheet.transform(cells.box[:2]))
    levels = cells.levels()
    at = np.ix_(*(np.arange(size) * many // size for size, many in zip((height, width), levels.shape, strict=True)))
    colours = np.insert(cells.colours[0], 3, 255, axis=1)
    renderer.draw_image(renderer.new_gc(), left, top - height, colours[levels[at] + LEVELS][::-1])


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
