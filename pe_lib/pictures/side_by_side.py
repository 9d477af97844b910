"""A matrix beside what the formula gives."""

from typing import ClassVar

import numpy as np

from pe_lib.encoding import BASE, sinusoidal_encoding
from pe_lib.pictures.cells import Cells, Place
from pe_lib.pictures.colours import INK, LINE
from pe_lib.pictures.fields import Matrix, Number, Sentence
from pe_lib.pictures.panes import cell, grid
from pe_lib.pictures.parts import below, beside, framed, number
from pe_lib.pictures.picture import Picture
from pe_lib.pictures.scene import T2, T3, WIDTH, Elements, box, text
from pe_lib.pictures.writing import one_line, rounded

OFF = 0.01  # from here on a number differs
LEFT, RIGHT = (56, 38, 484, 336), (612, 38, 484, 336)  # left, top, width, height


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
        Number("base", BASE, about="The base of the encoding on the left"),
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
            f"−{greatest(matrix):.3g} to rose for {greatest(matrix):.3g}. {told}, {first}."
        )

    def says(self) -> str:
        """Say how many numbers differ."""
        return f"{one_line(self._name(), 40)}: {self._difference()[0]}."

    def lay(self) -> Elements:
        """Yield both tables, where they differ first, and the two numbers there."""
        matrix, (_, first, where) = self.state["matrix"], self._difference()
        names = f"the encoding, base {number(self.state['base'])}", self._name()
        for place, name, numbers in zip((LEFT, RIGHT), names, (self.right, matrix), strict=True):
            pane = grid(place, *map(range, matrix.shape))
            yield text(pane.middle[0], 18, name, T2, INK, "middle", "bold", most=pane.wide)
            yield from table(numbers, greatest(matrix), place)
            yield from beside(pane, sorted({0, len(matrix) - 1}))
            yield from below(pane, sorted({0, matrix.shape[1] - 1}), pane.bottom + 16)
            for row, column in where:
                yield from framed(cell(pane, row, column, 10), colour=INK)
        yield text(WIDTH / 2, 420, first, T3, most=1080)

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


def table(numbers: np.ndarray, end: float, place: Place) -> Elements:
    """Yield numbers as coloured cells; what is no number is grey."""
    yield Cells(np.where(np.isfinite(numbers), numbers, np.nan) / end, place)
    yield box(*place, edge=LINE, width=1)
