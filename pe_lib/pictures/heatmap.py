"""The encoding as a map, a row for each position, with one row drawn out as a vector and one column as a wave."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pe_lib import _checks
from pe_lib.encoding import encode_positions, frequencies
from pe_lib.pictures.colours import BAND, GREY, INK, ORANGE, PALE, PAPER, colour_of, on
from pe_lib.pictures.fields import Choice, Field, Integer, Matrix, Number, State
from pe_lib.pictures.picture import Pane, Picture, Target, hold, one_line, rounded, short_length
from pe_lib.pictures.scene import SMALL, TALK, Element, Shape, answer, box, cells, discs, line, text, width_of
from pe_lib.properties import wavelengths

MOST = 512  # rows, and columns
MAP = (76.0, 60.0, 512.0, 272.0)  # left, top, width, height; whole pixels for each column where d_model divides 512
ROW = (76.0, 364.0, 512.0, 54.0)  # beneath the map, from -1 to 1
WAVE = (660.0, 60.0, 420.0, 272.0)  # at its side
BESIDE = 614.0  # where words to the right of the map begin
LEAST_CELL = 11.0  # pixels of the frame around the chosen cell, at least
NUMBERED = (40.0, 20.0)  # width and height of a cell from which on it holds its number, if that finds room
SHADES = 4  # of the bars, from zero to either end: more would take longer to draw than they are worth
DENSEST, THIN = 4.0, 24.0  # pixels of a wavelength from which on the curve is drawn, and up to which it is thin


@dataclass(frozen=True, kw_only=True)
class _Side(Integer):
    """How many rows or columns there are: what the matrix has, if there is one."""

    axis: int

    def check(self, value: Any, state: State) -> int:
        return super().check(value, state) if state["matrix"] is None else self.limits(state)[0]

    def limits(self, state: State) -> tuple[int, int]:
        return (1, MOST) if state["matrix"] is None else (state["matrix"].shape[self.axis],) * 2


@dataclass(frozen=True, kw_only=True)
class _Own(Matrix):
    """A matrix of which the picture has a copy that nobody can write to."""

    def check(self, value: Any, state: State) -> np.ndarray | None:
        own = super().check(value, state)
        if own is not None and (own.flags.writeable or not own.flags.owndata or own.dtype != np.float64):
            own = own.astype(np.float64)
            own.flags.writeable = False
        return own


class _Title(Field):
    """A text, or None."""

    def check(self, value: Any, state: State) -> str | None:
        if value is None or isinstance(value, str):
            return super().check(value, state)  # type: ignore[no-any-return]
        raise TypeError(f"{self.name} must be a text, got {_checks.shown(value)}")


class Heatmap(Picture):
    """Show the encoding, or a matrix of one's own, as a map of positions × columns.

    One row and one column are marked. The row is drawn out beneath the map, the column at its side, as bars in the
    colours of their cells; where the wave between the positions is known and not too narrow, it is drawn too. Small
    tables hold their numbers in the cells.

    Parameters
    ----------
    length, d_model : int
        How many positions and columns, 1 to 512.
    base : float
        The number that is raised to a power, 1e-6 or more.
    layout : {"interleaved", "halves"}
        sin, cos, sin, cos, … as in the paper, or all the sines followed by all the cosines.
    position, column : int
        The row and the column that are marked, from 0.
    matrix : array_like of shape (length, d_model), optional
        Finite numbers to show in place of the encoding; copied. Its shape is taken for `length` and `d_model`, while
        `base` and `layout` are not looked at. The colours reach as far as its greatest absolute value, and at least
        to 1.
    name : str, optional
        A title for what is shown.

    Raises
    ------
    TypeError, ValueError
        If there is no such row or column, or the matrix cannot be drawn.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> round(Heatmap(length=10, d_model=6, position=2, column=3).value, 4)
    0.9957
    >>> Heatmap(matrix=[[0, 1], [2, -3]], position=1, column=1).value
    -3.0
    """

    fields: ClassVar = (
        _Own(name="matrix", most=MOST),
        _Title(name="name", hidden=True),
        _Side(name="length", default=50, axis=0),
        _Side(name="d_model", default=64, axis=1),
        Number(name="base", default=10_000.0, least=1e-6),  # below it, angles grow too large for four digits of sines
        Choice(name="layout", default="interleaved", options=("interleaved", "halves")),
        Integer(name="position", default=17, moves=True, greatest=lambda s: s["length"] - 1),
        Integer(name="column", default=8, moves=True, greatest=lambda s: s["d_model"] - 1),
    )
    shown: ClassVar = ("column", "base", "layout")
    play: ClassVar = "position"
    presets: ClassVar = {
        "row 0": {"position": 0},
        "slowest wave": {"d_model": 64, "layout": "interleaved", "column": 62},
        "base 100": {"base": 100.0},
        "sines left": {"layout": "halves"},
        "60 numbers": {"length": 10, "d_model": 6, "position": 2, "column": 3},
        "512 × 512": {"length": MOST, "d_model": MOST, "position": 300, "column": 100},
    }
    pages: ClassVar = (
        {"position": range(50), "column": (0, 8, 62)},
        {"column": range(64)},
        {"layout": ("halves",), "column": range(0, 64, 4)},
        {"layout": ("halves",), "position": range(0, 50, 2)},
        {"base": (10.0, 100.0, 1000.0), "column": range(0, 64, 8)},
        {"base": (100.0,), "position": range(0, 50, 2)},
        {"length": (10,), "d_model": (6,), "position": range(10), "column": range(6)},
        {"length": (MOST,), "d_model": (MOST,), "position": range(0, MOST, 30), "column": (100,)},
    )

    @property
    def numbers(self) -> np.ndarray:
        """What is shown: shape (length, d_model), float64, not to be written to."""
        s = self.state
        if s["matrix"] is not None:
            matrix: np.ndarray = s["matrix"]
            return matrix
        return _encoding(s["length"], s["d_model"], s["base"], s["layout"])

    @property
    def value(self) -> float:
        """The number where the marked row and column cross."""
        return float(self.numbers[self.state["position"], self.state["column"]])

    @property
    def greatest(self) -> float:
        """The value at the end of the colours: the greatest absolute value of a matrix, and at least 1."""
        return 1.0 if self.state["matrix"] is None else max(1.0, float(np.abs(self.state["matrix"]).max()))

    def controlled(self) -> list[Field]:
        """Return the fields that have a control: of one's own matrix, the row and the column alone."""
        return [field for field in super().controlled() if field.moves or self.state["matrix"] is None]

    def words(self) -> str:
        """Say in words what is to be seen."""
        s, numbers, end = self.state, self.numbers, f"{self.greatest:.3g}"
        position, column = s["position"], s["column"]
        name = f" “{one_line(s['name'])}”," if s["name"] else ""
        what, wave = f"a matrix of shape {numbers.shape}", ""
        if s["matrix"] is None:
            order = "sines and cosines in turn" if s["layout"] == "interleaved" else "all sines, then all cosines"
            what = f"the encoding of {s['length']} positions, d_model {s['d_model']}, base {s['base']:g}, {order}"
            of, pair, length = self._wave()
            wave = f", the {of} of pair {pair} with wavelength {short_length(length)} positions,"
        return (
            f"Map of{name} {what}. Colours go from blue for -{end} over pale for 0 to red for {end}. "
            f"Row {position} is marked and drawn out beneath: {_first(numbers[position], column)}. "
            f"Column {column}{wave} is marked and drawn out at the side: {_first(numbers[:, column], position)}. "
            f"They cross at {self._entry()} = {hold(_four(self.value))}."
        )

    def lay(self) -> Iterator[Element]:
        """Yield the map, and the axes of the row and the wave."""
        s, (plane, row, wave), end = self.state, self._panes(), f"{self.greatest:.3g}"
        left, top, wide, high = MAP
        yield from cells(self.numbers / self.greatest, *MAP)
        if numbers := tuple(self._numbers(plane)):
            yield from answer(*numbers)
        for pos in _ticks(s["length"], high / 24):
            yield text(left - 8, plane.y(pos), f"{pos}", SMALL, GREY, "end")
        for j in _ticks(s["d_model"], wide / 40):
            yield text(plane.x(j), 429, f"{j}", SMALL, GREY)
        yield text(left - 14, top + high + 14, "pos" if s["matrix"] is None else "row", SMALL, GREY, "end")
        yield text(left - 14, 429, "column", SMALL, GREY, "end")
        for value, said, align in ((-1, f"-{end}", "start"), (1, end, "end"), (0, "0", "middle")):
            yield line([left, left + wide], [row.y(value)] * 2, PALE if value else GREY, 1)
            yield line([wave.x(value)] * 2, [top, top + high], PALE if value else GREY, 1)
            yield text(wave.x(value), top + high + 26, said, SMALL, GREY, align)
        yield from cells(np.linspace(-1, 1, 51)[np.newaxis], wave.x(-1), top + high + 5, wave.x(1) - wave.x(-1), 9)
        if s["name"]:
            yield text(BESIDE, 424, one_line(s["name"], 60), TALK, GREY, "start", most=1090 - BESIDE)

    def move(self) -> Iterator[Element]:
        """Yield the value, the cross on the map, the row as a vector and the column as a wave."""
        s, (plane, row, wave), shares = self.state, self._panes(), self.numbers / self.greatest
        position, column, (left, top, wide, high) = s["position"], s["column"], MAP
        x, y, share = plane.x(column), plane.y(position), shares[position, column]
        entry, number = f"{self._entry()} = ", _four(self.value)
        size = 36 * min(1, 570 / width_of(entry + number, 36, "bold"))
        after = left + width_of(entry, size, "bold")
        yield text(left, 30, entry, size, INK, "start", "bold")
        shown, hidden = (text(after, 30, said, size, INK, "start", "bold") for said in (number, "?"))
        yield from answer(shown, question=[hidden])
        if s["matrix"] is None:
            of, pair, length = self._wave()
            yield text(wave.x(-1), 17, f"column {column}: {of} of pair {pair}", TALK, INK, "start")
            yield text(wave.x(-1), 44, f"wavelength {short_length(length)}", TALK, INK, "start")
            yield text(BESIDE, 388, f"row {position}: the vector PE({position})", TALK, INK, "start")
        across, down = max(wide / s["d_model"], LEAST_CELL), max(high / s["length"], LEAST_CELL)
        cell = (x - across / 2, y - down / 2, across, down)
        yield from answer(question=[box(*cell, BAND), *[text(x, y, "?")] * (min(across, down) >= 20)])
        for colour, width in ((PAPER, 3.4), (INK, 1.4)):
            yield box(left - 1, cell[1], wide + 2, down, "", colour, width)
            yield box(cell[0], top - 1, across, high + 2, "", colour, width)
        for colour, width in ((PAPER, 6.0), (ORANGE, 3.5)):
            yield box(*cell, "", colour, width)
        yield text(BESIDE + 8, y, f"{position}", weight="bold")
        yield text(x, top + high + 14, f"{column}", weight="bold")
        yield line([wave.x(-1), wave.x(1)], [y, y], ORANGE, 2, (3, 4))
        yield line([x, x], [row.y(1), row.y(-1)], ORANGE, 2, (3, 4))
        yield from self._bars(row, shares[position], column, upright=True)
        yield from self._bars(wave, shares[:, column], position, upright=False)
        yield from answer(*self._curve(wave), discs([x, wave.x(share)], [row.y(share), y], 6, ORANGE, INK, 1.2))

    def targets(self) -> Iterator[Target]:
        """Yield the cells of the map, the columns beneath it, and the positions at its side."""
        columns, positions = ("column", range(self.state["d_model"])), ("position", range(self.state["length"]))
        yield Target(MAP, across=columns, down=positions)
        yield Target((ROW[0], ROW[1], ROW[2], 440 - ROW[1]), across=columns)
        yield Target(WAVE, down=positions)

    def _numbers(self, plane: Pane) -> Iterator[Element]:
        """Yield the numbers in the cells, where they find room there."""
        wide, high = MAP[2] / self.state["d_model"], MAP[3] / self.state["length"]
        if wide < NUMBERED[0] or high < NUMBERED[1]:
            return
        said = [f"{round(number, 2) + 0.0:.2f}" for number in self.numbers.flat]
        size = min(TALK, 0.72 * high, SMALL * (wide - 6) / max(width_of(number, SMALL) for number in said))
        if size < SMALL:
            return
        for number, ((pos, j), value) in zip(said, np.ndenumerate(self.numbers), strict=True):
            yield text(plane.x(j), plane.y(pos), number, size, on(value / self.greatest))

    @staticmethod
    def _bars(pane: Pane, values: np.ndarray, chosen: int, upright: bool) -> Iterator[Element]:
        """Yield a bar for each value, or for one in each pixel; the chosen one is part of the answer."""
        at = pane.x(np.arange(len(values))) if upright else pane.y(np.arange(len(values)))
        width = (pane.wide if upright else pane.high) / len(values)
        others = np.arange(len(values)) % np.ceil(1 / width) == 0
        others[chosen] = False
        shades = np.rint(values * SHADES).astype(int)

        def bars(some: Any, shade: int) -> Shape:
            along, far = np.repeat(at[some, np.newaxis], 2, axis=1), values[some, np.newaxis] * [0, 1]  # (bars, 2)
            xs, ys = (along, pane.y(far)) if upright else (pane.x(far), along)
            return line(xs, ys, colour_of(shade / SHADES), 0.8 * width if width >= 5 else max(width, 1))

        for shade in np.unique(shades[others]):
            yield bars(others & (shades == shade), shade)
        yield from answer(bars([chosen], shades[chosen]))

    def _curve(self, wave: Pane) -> Iterator[Element]:
        """Yield the wave between the positions, where it is known and wide enough to be seen."""
        s = self.state
        if s["matrix"] is not None:
            return
        of, pair, length = self._wave()
        pixels = length * wave.high / s["length"]  # of one wavelength
        if pixels >= DENSEST:
            points = min(2 * wave.high, 32 + 24 * wave.high / pixels)
            positions = np.linspace(0, s["length"] - 1, round(points))
            angles = frequencies(s["d_model"], s["base"])[pair] * positions
            values = np.cos(angles) if of == "cosine" else np.sin(angles)
            yield line(wave.x(values), wave.y(positions), INK, 1.0 if pixels < THIN else 1.8)

    def _panes(self) -> tuple[Pane, Pane, Pane]:
        """Return where the map, the row and the wave are; cells lie around whole numbers."""
        columns, rows = (-0.5, self.state["d_model"] - 0.5), (self.state["length"] - 0.5, -0.5)
        return Pane(*MAP, columns, rows), Pane(*ROW, columns, (-1.0, 1.0)), Pane(*WAVE, (-1.05, 1.05), rows)

    def _wave(self) -> tuple[str, int, float]:
        """Return which function the marked column of the encoding is, its pair and its wavelength."""
        s = self.state
        half = (s["d_model"] + 1) // 2
        pair, odd = divmod(s["column"], 2) if s["layout"] == "interleaved" else divmod(s["column"], half)[::-1]
        return "cosine" if odd else "sine", pair, float(wavelengths(s["d_model"], s["base"])[pair])

    def _entry(self) -> str:
        position, column = self.state["position"], self.state["column"]
        return f"PE({position}, {column})" if self.state["matrix"] is None else f"matrix[{position}, {column}]"


@lru_cache(maxsize=2)
def _encoding(length: int, d_model: int, base: float, layout: str) -> np.ndarray:
    """Return the encoding, made once for as long as it is shown."""
    numbers = encode_positions(np.arange(length), d_model, base=base, layout=layout)
    numbers.flags.writeable = False
    return numbers


def _ticks(n: int, most: float) -> range:
    """Return indices below n, a round number apart, and no more than so many."""
    return range(0, n, next(step for step in (1, 2, 5, 10, 20, 50, 100) if (n - 1) // step < most))


def _four(x: float) -> str:
    """Write a number with four decimals, a larger one in five digits."""
    return rounded(x) if abs(x) < 9.99995 else f"{x:.5g}"


def _first(numbers: np.ndarray, chosen: int, most: int = 6) -> str:
    """Write the first few numbers of a row or column, the chosen one as part of the answer."""
    said = [hold(_four(x)) if k == chosen else _four(x) for k, x in enumerate(numbers[:most].tolist())]
    return ", ".join(said) + (", …" if len(numbers) > most else "")
