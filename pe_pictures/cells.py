"""Maps: tables of numbers in their colours, as an image with a pixel for each cell."""

import base64
import functools
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pe_pictures.colours import LEVELS, PALETTES, SHADES, levels_of

# Units of the sheet: of thinner cells, some would be left out on a narrow page, and stripes seen that are none.
FINE = 2
COLOURS, INKS = (
    [np.array([[*bytes.fromhex(colour[1:])] for colour in palette], np.uint8) for palette in palettes]
    for palettes in (PALETTES, SHADES)
)

Place = tuple[float, float, float, float]  # left, top, width, height


@dataclass(frozen=True)
class Cells:
    """A table of coloured cells: numbers of shape (rows, columns), each between -1 and 1, or nan, which is grey.

    Where they are `shares`, from 0 to 1, they are ink.

    Neighbours that are too thin to be told apart share a cell, in the colour of their mean.
    """

    numbers: np.ndarray
    box: Place
    shares: bool = False

    def svg(self, _tall: bool) -> Iterator[str]:
        """Yield the image in dark colours, and over it the one in light colours, which dark pages mask."""
        left, top, width, height = self.box
        place = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" preserveAspectRatio="none"'
        day, night = (_png(self._key(), self.colours[dark].tobytes()) for dark in (0, 1))
        yield f'<image {place} href="{night}"/>'
        yield '<mask id="day"><rect x="0" y="0" width="1100" height="1100"/></mask>'
        yield f'<image {place} href="{day}" mask="url(#day)"/>'

    def levels(self) -> np.ndarray:
        """Return the level of each cell that is drawn."""
        numbers = 2 * self.numbers - 1 if self.shares else self.numbers
        for axis, step in enumerate(self.shared):
            starts = np.arange(0, numbers.shape[axis], step)
            sums = np.add.reduceat(numbers, starts, axis=axis)
            many = np.diff(starts, append=numbers.shape[axis])
            numbers = sums / (many[:, np.newaxis] if axis == 0 else many)
        return levels_of(numbers)

    @property
    def colours(self) -> list[np.ndarray]:
        """The colours of the levels on light pages and on dark ones: each of shape (levels, 3)."""
        return INKS if self.shares else COLOURS

    @property
    def shared(self) -> tuple[int, int]:
        """How many rows, and how many columns, share a cell."""
        (rows, columns), (*_, width, height) = self.numbers.shape, self.box
        return int(np.ceil(FINE * rows / height)), int(np.ceil(FINE * columns / width))

    def _key(self) -> tuple[tuple[int, ...], bytes]:
        codes = (self.levels() + LEVELS).astype(np.uint8)
        return codes.shape, codes.tobytes()


@functools.lru_cache(maxsize=64)
def _png(key: tuple[tuple[int, int], bytes], palette: bytes) -> str:
    """Return the address that holds an image of levels in the colours of a palette."""
    (rows, columns), codes = key
    lines = b"".join(b"\0" + codes[k * columns : (k + 1) * columns] for k in range(rows))  # 0: a line as it is
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0),  # 8 bits a pixel, and a palette
        b"PLTE": palette,
        b"IDAT": zlib.compress(lines, 9),
        b"IEND": b"",
    }
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts.items()
    )
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"
