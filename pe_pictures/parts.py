"""What stands in several pictures: axes, hands, waves, the orange dot, cells that hold numbers."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from pe_lib.encoding import encode_positions
from pe_pictures.cells import Place as Place
from pe_pictures.colours import COSINE, GREY, HERE, INK, LINE, PAPER, SINE, colour_of
from pe_pictures.fields import State
from pe_pictures.panes import Dial, Pane, grid
from pe_pictures.scene import (
    CORNER,
    DASHED,
    T1,
    T2,
    Curves,
    Dash,
    Discs,
    Elements,
    Group,
    Text,
    answer,
    area,
    box,
    boxes,
    discs,
    line,
    text,
)
from pe_pictures.writing import rounded

Write = Callable[[float], str]  # how the numbers of an axis are written


def encoded(state: State, positions: Any) -> np.ndarray:
    """Return the encoding of positions, as wide as a state says and to its base: shape (*positions.shape, d_model)."""
    return encode_positions(positions, state["d_model"], base=state["base"])


# Axes. Lines are hairlines, numbers are small and grey.


def number(x: float) -> str:
    """Write the number of an axis.

    >>> number(-1.0), number(6400), number(0.5)
    ('−1', '6,400', '0.5')
    """
    return f"{x:,g}".replace("-", "−")


def level(pane: Pane, y: float, colour: str = LINE, width: float = 1.0, dash: Dash = ()) -> Curves:
    """Return a line across a pane, at a number of its upward axis."""
    return line([pane.left, pane.right], pane.y(y), colour, width, dash)


def upright(pane: Pane, x: float, colour: str = LINE, width: float = 1.0, dash: Dash = ()) -> Curves:
    """Return a line from the top of a pane to its bottom, at a number of its axis across."""
    return line(pane.x(x), [pane.top, pane.bottom], colour, width, dash)


def beside(pane: Pane, numbers: Iterable[float], gap: float = 8.0, write: Write = number) -> Elements:
    """Yield numbers at the left of a pane, so far away from it."""
    for x in numbers:
        yield text(pane.left - gap, pane.y(x), write(x), T1, GREY, "end")


def below(
    pane: Pane, numbers: Iterable[float], y: float, name: str = "", gap: float = 12.0, write: Write = number
) -> Elements:
    """Yield numbers below a pane, at height y, and what they count, so far to the left of it."""
    if name:
        yield text(pane.left - gap, y, name, T1, GREY, "end", within=(0, pane.right))
    for x in numbers:
        yield text(pane.x(x), y, write(x), T1, GREY)


# Waves and hands.


def wave(xs: Any, ys: Any, cosine: bool = False, width: float = 2.5) -> Curves:
    """Return a curve as sines are drawn, solid, or as cosines are, dashed."""
    return line(xs, ys, COSINE, width, DASHED) if cosine else line(xs, ys, SINE, width)


def ring(x: Any, y: Any, radius: float) -> Discs:
    """Return the rim of a dial, or of several."""
    return discs(x, y, radius, edge=LINE, width=1.5)


def face(dial: Dial) -> Elements:
    """Yield the rim of a dial, and the two lines that cross in its middle."""
    x, y, r = dial
    yield ring(x, y, r)
    yield line([[x - r, x + r], [x, x]], [[y, y], [y - r, y + r]], LINE, 1)


def hand(xs: Any, ys: Any, colour: str = INK) -> Curves:
    """Return the hand of a dial, or of several: from where to where, across and down."""
    return line(xs, ys, colour, 3, cap="round")


def wedge(dial: Dial, angles: np.ndarray, part: float) -> Curves:
    """Return the pale wedge from the middle of a dial to an arc between two hands, a part of the way to the rim."""
    xs, ys = dial.at(angles, part)
    return area(np.append(xs, dial.x), np.append(ys, dial.y), INK, opacity=0.09)


def read_off(dial: Dial, angle: float, x: float, y: float, down: float, cosine: bool) -> Elements:
    """Yield a hand and a point of a wave, at (x, y), that show the same number, and the line that links them.

    The number is the hand's shadow: its height, or for a cosine how far it reaches. The line goes on `down` to there.
    """
    (tip_x, tip_y), (cx, cy, _) = dial.at(angle), dial
    yield spot(x, y)
    yield from answer(link([x if cosine else tip_x, x, x], [y, y, down]))
    yield from answer(wave([cx, tip_x], [cy, cy], True, 6) if cosine else wave([cx, cx], [cy, tip_y], False, 6))
    yield hand([cx, tip_x], [cy, tip_y])
    yield dot(tip_x, tip_y)
    yield from answer(dot(x, y))


# You are here.


def dot(x: Any, y: Any, radius: float = 8.0) -> Discs:
    """Return the orange dot, on a halo of paper."""
    return discs(x, y, radius, HERE, PAPER, 2)


def hollow(x: Any, y: Any, radius: float = 5.5) -> Discs:
    """Return the orange dot of a cosine."""
    return discs(x, y, radius, PAPER, HERE, 2.5)


def spot(x: float, y: float) -> Discs:
    """Return the pale disc under a dot that says "take me"; it goes at the first touch."""
    return discs(x, y, 22, HERE, kind="spot")


def link(xs: Any, ys: Any, width: float = 1.5, **more: Any) -> Curves:
    """Return the thin orange line that links the places of one number."""
    return line(xs, ys, HERE, width, **more)


def framed(*places: Place, colour: str = HERE, width: float = 3.0) -> Elements:
    """Yield frames around these places, on halos of paper, so that they stand out on every colour."""
    yield boxes(places, edge=PAPER, width=width + 4, radius=CORNER)
    yield boxes(places, edge=colour, width=width, radius=CORNER)


# Numbers: digits are ink on every colour.


def vector(places: Sequence[Place], numbers: np.ndarray, size: float = T2, digits: int = 4) -> Elements:
    """Yield cells that hold numbers, in their colours: an answer, of which a cover leaves grey cells."""
    filled = [boxes([place], colour_of(x), radius=CORNER) for place, x in zip(places, numbers, strict=True)]
    said = [
        text(left + wide / 2, top + high / 2, rounded(x, digits), size, most=wide - 4)
        for (left, top, wide, high), x in zip(places, numbers, strict=True)
    ]
    yield from answer(*filled, *said)


def held(*texts: Text, tall: bool = False) -> Group:
    """Return texts that are an answer, each with a grey box that a cover shows in its place."""
    veils = [
        box(left, top - 2, wide, high + 4, kind="veil") for left, top, wide, high in (t.fitted(tall)[2] for t in texts)
    ]
    return Group("answer", [*veils, *texts])


def bars(pane: Pane, at: np.ndarray, values: np.ndarray, colour: str, width: float, sideways: bool = False) -> Curves:
    """Return bars from 0 to each value: upward at these places across, or `sideways` at these heights."""
    places, far = at[:, np.newaxis], values[:, np.newaxis] * [0.0, 1.0]  # (bars, 1), (bars, 2)
    xs, ys = (far, places) if sideways else (places, far)
    return line(pane.x(xs), pane.y(ys), colour, width)


def in_cells(place: Place, numbers: np.ndarray, size: float = T2, digits: int = 2) -> Elements:
    """Yield the numbers of a table in its cells."""
    pane, most = grid(place, *map(range, numbers.shape)), place[2] / numbers.shape[1] - 5
    for (row, column), x in np.ndenumerate(numbers):
        yield text(pane.x(column), pane.y(row), rounded(x, digits), size, most=most)
