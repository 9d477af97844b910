"""A matrix beside what the formula gives."""

from typing import ClassVar

import numpy as np

from pe_lib.encoding import sinusoidal_encoding
from pe_lib.pictures.cells import Cells
from pe_lib.pictures.colours import GREY
from pe_lib.pictures.fields import Matrix, Number, Sentence
from pe_lib.pictures.panes import grid
from pe_lib.pictures.parts import below, beside, framed
from pe_lib.pictures.picture import Picture
from pe_lib.pictures.scene import Elements, box, text
from pe_lib.pictures.writing import one_line, rounded

OFF = 0.01  # from here on a number differs
HEAD = 32.0  # size of what matters most
LEFT, RIGHT = (56, 60, 470, 270), (614, 60, 470, 270)  # left, top, width, height


class SideBySide(Picture):
    """Show a matrix beside the encoding it should be, in the same colours, and where they differ first.

    {parameters}

    Examples
    --------
    >>> picture = SideBySide(matrix=[[1, 0], [0.5403, 0.8415]], name="Sine and cosine exchanged")
    >>> picture.right.round(4)
    array([[0.    , 1.    ],
           [0.8415, 0.5403]])
    """

    fields: ClassVar = (
        Matrix("matrix", ((0.0, 1.0),), finite=False, about="Numbers, up to 512 rows and columns"),
        Number("base", 10_000.0, about="The base of the encoding on the left"),
        Sentence("name", optional=True, about="A title for the matrix"),
    )

    @property
    def right(self) -> np.ndarray:
        """The encoding on the left, as it should be: shape (L, d_model), float64."""
        return sinusoidal_encoding(*self.state["matrix"].shape, base=self.state["base"])

    def words(self) -> str:
        matrix, (told, first, _) = self.state["matrix"], self._difference()
        return (
            f"Two tables of {matrix.shape[0]} rows and {matrix.shape[1]} columns. On the left the encoding, base "
            f"{self.state['base']:.12g}; on the right {one_line(self._name())}. Colours go from blue for "
            f"-{greatest(matrix):.3g} over the page's colour for 0 to red. {told}, {first}."
        )

    def lay(self) -> Elements:
        """Yield both tables, and how they differ."""
        matrix, (told, first, where) = self.state["matrix"], self._difference()
        names = f"the encoding, base {self.state['base']:.12g}", self._name()
        for place, name, numbers in zip((LEFT, RIGHT), names, (self.right, matrix), strict=True):
            left, top, wide, high = place
            yield text(left + wide / 2, 30, name, weight="bold", most=wide)
            yield from table(numbers, greatest(matrix), place)
            across, down = wide / matrix.shape[1], high / matrix.shape[0]
            for row, column in where:
                x, y = left + column * across - 3, top + row * down - 3
                yield from framed((x, y, max(across, 8) + 6, max(down, 8) + 6), width=4)
        yield text(550, 380, told, HEAD, weight="bold", most=1080)
        yield text(550, 418, first, most=1080)

    def _name(self) -> str:
        return " ".join(self.state["name"] or ("the matrix in question",))

    def _difference(self) -> tuple[str, str, np.ndarray]:
        """Say how many numbers differ, which is the first, and where that stands: shape (0 or 1, 2)."""
        matrix, right = self.state["matrix"], self.right
        off = np.abs(matrix - right)
        where = np.argwhere(~(off <= OFF))  # what is no number differs, too
        if not len(where):
            within = f"to within {off.max():.1g}" if off.any() else "digit by digit"
            return f"All {off.size:,} numbers agree", within, where
        at = tuple(where[0])
        told = f"{len(where):,} of {off.size:,} numbers differ{'s' * (len(where) == 1)} by more than {OFF}"
        numbers = f"{rounded(matrix[at])} where the encoding has {rounded(right[at])}"
        return told, f"first in row {at[0]}, column {at[1]}: {numbers}", where[:1]


def greatest(numbers: np.ndarray) -> float:
    """Return the end of the colours: 1, or the size of the greatest number."""
    return max(1.0, float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0)))


def table(numbers: np.ndarray, end: float, place: tuple[int, int, int, int]) -> Elements:
    """Yield numbers as coloured cells, with first and last row and column numbered; what is no number is grey."""
    pane = grid(place, *map(range, numbers.shape))
    yield Cells(np.where(np.isfinite(numbers), numbers, np.nan) / end, place)
    yield box(*place, edge=GREY, width=1)
    yield from beside(pane, sorted({0, len(numbers) - 1}))
    yield from below(pane, sorted({0, numbers.shape[1] - 1}), pane.bottom + 14)
