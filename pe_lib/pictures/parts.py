"""What stands in several pictures: axes, frames, cells that hold numbers, and answers with a mark in their place."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from pe_lib.encoding import encode_positions
from pe_lib.pictures.cells import Place as Place
from pe_lib.pictures.colours import BAND, GREY, INK, ORANGE, PALE, PAPER, colour_of, on
from pe_lib.pictures.fields import State
from pe_lib.pictures.picture import Pane, round_step, rounded
from pe_lib.pictures.scene import SMALL, Dash, Elements, Shape, answer, box, boxes, line, text, width_of

Write = Callable[[float], str]  # how the numbers of an axis are written


def encoded(state: State, positions: Any) -> np.ndarray:
    """Return the encoding of positions, as wide as a state says and to its base: shape (*positions.shape, d_model)."""
    return encode_positions(positions, state["d_model"], base=state["base"])


def grid(place: Place, rows: range, columns: range) -> Pane:
    """Return the pane of a table whose cells lie around whole numbers: these rows downward, these columns across."""
    return Pane(*place, (columns[0] - 0.5, columns[-1] + 0.5), (rows[-1] + 0.5, rows[0] - 0.5))


def cell(pane: Pane, row: float, column: float, least: float = 0.0) -> Place:
    """Return the place of a cell of a table, at least so many pixels wide and high."""
    wide = max(pane.wide / (pane.across[1] - pane.across[0]), least)
    high = max(pane.high / (pane.up[0] - pane.up[1]), least)
    return pane.x(column) - wide / 2, pane.y(row) - high / 2, wide, high


def spaced(count: int, most: int) -> range:
    """Return some of the numbers 0, 1, …, count - 1, a round number apart, and no more than so many."""
    return range(0, count, max(1, int(round_step(count / most))))


def level(pane: Pane, y: float, colour: str = PALE, width: float = 1.0, dash: Dash = ()) -> Shape:
    """Return a line across a pane, at a number of its upward axis."""
    return line([pane.left, pane.right], pane.y(y), colour, width, dash)


def upright(pane: Pane, x: float, colour: str = PALE, width: float = 1.0, dash: Dash = ()) -> Shape:
    """Return a line from the top of a pane to its bottom, at a number of its axis across."""
    return line(pane.x(x), [pane.top, pane.bottom], colour, width, dash)


def beside(pane: Pane, numbers: Iterable[float], gap: float = 8.0, write: Write = "{:g}".format) -> Elements:
    """Yield numbers at the left of a pane, so many pixels away from it."""
    for number in numbers:
        yield text(pane.left - gap, pane.y(number), write(number), SMALL, GREY, "end")


def below(
    pane: Pane, numbers: Iterable[float], y: float, name: str = "", gap: float = 12.0, write: Write = "{:g}".format
) -> Elements:
    """Yield numbers below a pane, at height y, and what they count, so many pixels to the left of it."""
    if name:
        yield text(pane.left - gap, y, name, SMALL, GREY, "end")
    for number in numbers:
        yield text(pane.x(number), y, write(number), SMALL, GREY)


def bars(pane: Pane, at: np.ndarray, values: np.ndarray, colour: str, width: float, sideways: bool = False) -> Shape:
    """Return bars from 0 to each value: upward at these places across, or `sideways` at these heights."""
    places, far = at[:, np.newaxis], values[:, np.newaxis] * [0.0, 1.0]  # (bars, 1), (bars, 2)
    xs, ys = (far, places) if sideways else (places, far)
    return line(pane.x(xs), pane.y(ys), colour, width)


def share_bars(pane: Pane, row: np.ndarray, part: float) -> Elements:
    """Yield the shares that one gives to others, as bars in their colours, each on so large a part of its place."""
    slot = pane.wide / len(row)
    for k, (share, y) in enumerate(zip(row, pane.y(row), strict=True)):
        yield box(pane.x(k) - part / 2 * slot, y, part * slot, pane.y(0) - y, colour_of(share), GREY, 1)


def framed(*places: Place, colour: str = ORANGE, width: float = 3.5) -> Iterator[Shape]:
    """Yield frames around these places, edged with paper, so that they stand out on every colour."""
    yield boxes(places, edge=PAPER, width=width + 2.5)
    yield boxes(places, edge=colour, width=width)


def asked(x: float, y: float, said: str, *look: Any, mark: str = "?", **more: Any) -> Elements:
    """Yield a text that is an answer, and the mark that stands in its place where it is covered; see `text`."""
    yield from answer(text(x, y, said, *look, **more), question=[text(x, y, mark, *look, **more)])


def equation(x: float, y: float, name: str, said: str, size: float, colour: str = INK) -> Elements:
    """Yield a name in bold letters, and after it what it is: an answer."""
    yield text(x, y, name, size, INK, "start", "bold")
    yield from asked(x + width_of(name, size, "bold"), y, said, size, colour, "start", "bold")


def in_cells(place: Place, numbers: np.ndarray, size: float, end: float = 1.0) -> Elements:
    """Yield the numbers of a table in its cells, with two decimals; `end` is the one whose colour is the strongest."""
    pane, most = grid(place, *map(range, numbers.shape)), place[2] / numbers.shape[1] - 5
    for (row, column), number in np.ndenumerate(numbers):
        colour = on(number / end)
        yield text(pane.x(column), pane.y(row), rounded(number, 2), size, colour, most=most)


def vector(places: Sequence[Place], numbers: np.ndarray, size: float, empty: str = BAND) -> Elements:
    """Yield boxes that hold numbers, in their colours: an answer; covered, each is empty but for a mark."""
    middles = [(left + wide / 2, top + high / 2) for left, top, wide, high in places]
    filled = [boxes([place], colour_of(x), GREY, 1) for place, x in zip(places, numbers, strict=True)]
    said = [text(*at, rounded(x), size, on(round(x, 2))) for at, x in zip(middles, numbers, strict=True)]
    marks = [text(*at, "?", size) for at in middles]
    yield from answer(*filled, *said, question=[boxes(places, empty, GREY, 1), *marks])
