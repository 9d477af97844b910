"""Where things stand on a sheet: parts of it with axes of their own, dials, tables, tiles."""

from typing import Any, NamedTuple

import numpy as np

from pe_pictures.cells import Place


class Pane(NamedTuple):
    """A part of the sheet with axes of its own: `x` and `y` carry numbers to places, single ones or arrays."""

    left: float
    top: float
    wide: float
    high: float
    across: tuple[float, float]  # the numbers at the left and the right end
    up: tuple[float, float]  # the numbers at the lower and the upper end

    def x(self, number: Any) -> Any:
        """Return how far from the left a number lies."""
        return self.left + self.wide * (number - self.across[0]) / (self.across[1] - self.across[0])

    def y(self, number: Any) -> Any:
        """Return how far from the top a number lies."""
        return self.top + self.high * (self.up[1] - number) / (self.up[1] - self.up[0])

    @property
    def box(self) -> Place:
        """Left, top, width and height."""
        return self[:4]

    @property
    def right(self) -> float:
        """Where the pane ends."""
        return self.left + self.wide

    @property
    def bottom(self) -> float:
        """Where it ends, downward."""
        return self.top + self.high

    @property
    def middle(self) -> tuple[float, float]:
        """How far from the left and from the top its middle lies."""
        return self.left + self.wide / 2, self.top + self.high / 2

    def strip(self, numbers: range, above: float = 0.0, below: float = 0.0) -> Place:
        """Return the place around whole numbers across, half a step wider at either end, so far above and below."""
        left, right = self.x(numbers[0] - 0.5), self.x(numbers[-1] + 0.5)
        return left, self.top - above, right - left, self.high + above + below


class Dial(NamedTuple):
    """Where hands turn: the middle, and the radius."""

    x: float
    y: float
    radius: float

    def at(self, angle: Any, part: float = 1.0) -> tuple[Any, Any]:
        """Return where hands at these angles end, across and down; or a part of the way from the middle to there."""
        return self.x + part * self.radius * np.cos(angle), self.y - part * self.radius * np.sin(angle)

    def box(self, more: float) -> Place:
        """Return the square around it, so much larger at each side, but not beyond the sheet's top and left."""
        half = min(self.radius + more, self.x, self.y)
        return self.x - half, self.y - half, 2 * half, 2 * half


def grid(place: Place, rows: range, columns: range) -> Pane:
    """Return the pane of a table whose cells lie around whole numbers: these rows downward, these columns across."""
    return Pane(*place, (columns[0] - 0.5, columns[-1] + 0.5), (rows[-1] + 0.5, rows[0] - 0.5))


def cell(pane: Pane, row: float, column: float, least: float = 0.0) -> Place:
    """Return the place of a cell of a table, at least so many pixels wide and high."""
    wide = max(pane.wide / (pane.across[1] - pane.across[0]), least)
    high = max(pane.high / (pane.up[0] - pane.up[1]), least)
    return pane.x(column) - wide / 2, pane.y(row) - high / 2, wide, high


def tiles(place: Place, count: int, shape: float) -> list[Place]:
    """Return the places of so many tiles, as large as can be if their width should be `shape` times their height."""
    left, top, wide, high = place

    def size(columns: int) -> float:
        return min(wide / columns / shape, high / -(-count // columns))

    columns = max(range(1, count + 1), key=size)
    across, down = wide / columns, high / -(-count // columns)
    return [(left + k % columns * across, top + k // columns * down, across, down) for k in range(count)]
