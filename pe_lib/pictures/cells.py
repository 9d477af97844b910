"""Tables of coloured cells, as lines or as an image."""

import base64
import io
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.transforms import Affine2D
from PIL import Image

from pe_lib.pictures.colours import LEVELS, PALETTES, levels_of

LARGE = 1200  # lines of cells, from which on they are written as one image
FINE = 2  # pixels: of thinner cells, some would be left out on a narrow page, and stripes seen that are none

Place = tuple[float, float, float, float]  # left, top, width, height


@dataclass(frozen=True)
class Cells:
    """A table of coloured cells: numbers of shape (rows, columns), each between -1 and 1, or nan, which is grey.

    Neighbours that are too thin to be told apart share a cell, in the colour of their mean.
    """

    numbers: np.ndarray
    box: Place

    def svg(self) -> Iterator[str]:
        """Yield lines as thick as a column, one for neighbours of one colour in it; where they are many, an image."""
        left, top, width, height = self.box
        levels = self._levels().T  # (columns, rows)
        across, down = width / len(levels), height / levels.shape[1]
        columns, rows = np.nonzero(np.diff(levels, axis=1, prepend=LEVELS + 2))
        if len(rows) >= LARGE:
            yield from self._images()
            return
        ends = np.append(rows[1:], 0)  # where the next begins, which may be in the next column
        ends = np.where(ends > rows, ends, levels.shape[1])
        lines: dict[int, str] = {}
        places = left + (columns + 0.5) * across, top + rows * down, top + ends * down
        for level, x, y, end in zip(levels[columns, rows].tolist(), *(at.tolist() for at in places), strict=True):
            lines[level] = f"{lines.get(level, '')}M{x:.1f} {y:.1f}V{end:.1f}"
        look = f'stroke-width="{across + 0.1:g}" shape-rendering="crispEdges"'  # so that no seam is between them
        for level, d in sorted(lines.items()):
            yield f'<path class="e-n{level}" {look} d="{d}"/>'

    @property
    def shared(self) -> tuple[int, int]:
        """How many rows, and how many columns, share a cell."""
        (rows, columns), (*_, width, height) = self.numbers.shape, self.box
        return int(np.ceil(FINE * rows / height)), int(np.ceil(FINE * columns / width))

    def _levels(self) -> np.ndarray:
        """Return the level of each cell that is drawn."""
        numbers = self.numbers
        for axis, step in enumerate(self.shared):
            starts = np.arange(0, numbers.shape[axis], step)
            sums = np.add.reduceat(numbers, starts, axis=axis)
            many = np.diff(starts, append=numbers.shape[axis])
            numbers = sums / (many[:, np.newaxis] if axis == 0 else many)
        return levels_of(numbers)

    def _images(self) -> Iterator[str]:
        """Yield the cells as an image twice, in light colours and in dark ones; a page shows one of them."""
        left, top, width, height = self.box
        place = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" preserveAspectRatio="none"'
        for dark, kind in enumerate(("day", "night")):
            colours = (self._levels() + LEVELS).astype(np.uint8)
            image = Image.frombytes("P", colours.shape[::-1], colours.tobytes())
            image.putpalette(sum(PALETTES[dark], ()))
            file = io.BytesIO()
            image.save(file, "PNG", optimize=True)
            data = base64.b64encode(file.getvalue()).decode()
            yield f'<image class="{kind}" {place} href="data:image/png;base64,{data}"/>'

    def draw(self, renderer: RendererAgg, sheet: Affine2D, zoom: float) -> None:
        """Draw the image, each pixel in the colour of the cell it lies in."""
        width, height = (round(side * zoom) for side in self.box[2:])
        left, top = (round(place) for place in sheet.transform(self.box[:2]))
        levels = self._levels()
        rows, columns = levels.shape
        at = np.ix_(np.arange(height) * rows // height, np.arange(width) * columns // width)
        colours = np.insert(PALETTES[0], 3, 255, axis=1).astype(np.uint8)
        renderer.draw_image(renderer.new_gc(), left, top - height, colours[levels[at] + LEVELS][::-1])
