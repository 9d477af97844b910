"""The encoding as a map, a row for each position, with one row drawn out as a vector and one column as a wave."""

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import numpy as np

from pe_lib.encoding import encode_positions
from pe_lib.pictures.cells import Cells
from pe_lib.pictures.colours import BAND, GREY, INK, ORANGE, PALE, colour_of
from pe_lib.pictures.fields import Choice, Field, Integer, Matrix, Number, Sentence, State, frozen
from pe_lib.pictures.fonts import width_of
from pe_lib.pictures.panes import Pane, cell, grid
from pe_lib.pictures.parts import bars, below, beside, equation, framed, in_cells, level, upright
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, TALK, Elements, answer, box, discs, line, text
from pe_lib.pictures.writing import hold, one_line, rounded, short_length, spaced
from pe_lib.properties import wavelengths

MOST = 512  # rows, and columns
MAP = (76.0, 60.0, 512.0, 272.0)  # left, top, width, height; whole pixels for each column where d_model divides 512
ROW = (76.0, 364.0, 512.0, 54.0)  # beneath the map, from -1 to 1
WAVE = (660.0, 60.0, 420.0, 272.0)  # at its side
BESIDE = 614.0  # where words to the right of the map begin
LEAST_CELL = 11.0  # pixels of the frame around the chosen cell, at least
SHADES = 4  # of the bars, from zero to either end: more would take longer to draw than they are worth
DENSEST, THIN = 4.0, 24.0  # pixels of a wavelength from which on the curve is drawn, and up to which it is thin


def _side(axis: int, otherwise: int) -> Callable[[State], int]:
    """Return a bound: how many rows or columns the matrix has, if there is one."""
    return lambda s: otherwise if s["matrix"] is None else s["matrix"].shape[axis]


class Heatmap(Picture):
    """Show the encoding (Vaswani et al. 2017, section 3.5), or a matrix of one's own, as a map of positions × columns.

    One row and one column are marked. The row is drawn out beneath the map, the column at its side, as bars in the
    colours of their cells; where the wave between the positions is known and not too narrow, it is drawn too. Small
    tables hold their numbers in the cells; in large ones, neighbours share a cell in the colour of their mean.

    {parameters}

    Examples
    --------
    >>> round(Heatmap(length=10, d_model=6, position=2, column=3).value, 4)
    0.9957
    >>> Heatmap(matrix=[[0, 1], [2, -3]], position=1, column=1).value
    -3.0
    """

    fields: ClassVar = (
        Matrix("matrix", about="Numbers to show in place of the encoding; they are copied"),
        Sentence("name", hidden=True, optional=True, about="A title for what is shown"),
        Integer("length", 50, _side(0, 1), _side(0, MOST), follows="matrix", about="How many positions, 1 to 512"),
        Integer("d_model", 64, _side(1, 1), _side(1, MOST), follows="matrix", about="How many columns, 1 to 512"),
        # Below this base, angles grow too large for four digits of sines.
        Number("base", 10_000.0, 1e-6, about="The number that is raised to a power"),
        Choice("layout", "interleaved", ("interleaved", "halves"), about="As in the paper, or all sines first"),
        Integer("position", 17, 0, lambda s: s["length"] - 1, moves=True, about="The row that is marked"),
        Integer("column", 8, 0, lambda s: s["d_model"] - 1, moves=True, about="The column that is marked"),
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
        return _encoding(s["length"], s["d_model"], s["base"], s["layout"]) if s["matrix"] is None else s["matrix"]

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
        s, numbers, end = self.state, self.numbers, f"{self.greatest:.3g}"
        position, column, what, wave = s["position"], s["column"], f"a matrix of shape {numbers.shape}", ""
        name = f" “{one_line(' '.join(s['name']))}”," if s["name"] else ""
        if s["matrix"] is None:
            order = "sines and cosines in turn" if s["layout"] == "interleaved" else "all sines, then all cosines"
            what = f"the encoding of {s['length']} positions, d_model {s['d_model']}, base {s['base']:.12g}, {order}"
            of, length = self._wave()
            wave = f", the {of} with wavelength {short_length(length)} positions,"
        return (
            f"Map of{name} {what}. Colours go from blue for -{end} over the page's colour for 0 to red for {end}. "
            f"Row {position} is marked and drawn out beneath: {_first(numbers[position], column)}. "
            f"Column {column}{wave} is marked and drawn out at the side: {_first(numbers[:, column], position)}. "
            f"They cross at {self._entry()} = {hold(_four(self.value))}."
        )

    def lay(self) -> Elements:
        """Yield the map, and the axes of the row and the wave."""
        s, (plane, row, wave), end = self.state, self._panes(), f"{self.greatest:.3g}"
        left, top, wide, high = MAP
        yield (cells := Cells(self.numbers / self.greatest, MAP))
        if np.prod(cells.shared) > 1:
            said = "each colour of the map: the mean of {} × {} numbers".format(*cells.shared)
            yield text(BESIDE, 400 if s["name"] else 424, said, SMALL, GREY, "start")
        across, down = wide / s["d_model"], high / s["length"]
        if across >= 40 and down >= 20:  # cells hold their numbers, if these find room
            widest = max(width_of(rounded(number, 2), SMALL) for number in self.numbers.flat)
            if (size := min(TALK, 0.72 * down, SMALL * (across - 6) / widest)) >= SMALL:
                yield from answer(*in_cells(MAP, self.numbers, size))
        yield text(left - 14, top - 13, "pos" if s["matrix"] is None else "row", SMALL, GREY, "end")
        yield from beside(plane, spaced(s["length"], 12))
        yield from below(plane, spaced(s["d_model"], 13), 429, "column", 14)
        for value, said, align in ((-1, f"-{end}", "start"), (1, end, "end"), (0, "0", "middle")):
            colour = PALE if value else GREY
            yield from (level(row, value, colour), upright(wave, value, colour))
            yield text(wave.x(value), top + high + 26, said, SMALL, GREY, align)
        yield Cells(np.linspace(-1, 1, 51)[np.newaxis], (wave.x(-1), top + high + 5, wave.x(1) - wave.x(-1), 9))
        if s["name"]:
            yield text(BESIDE, 424, one_line(" ".join(s["name"]), 60), TALK, GREY, "start", most=1090 - BESIDE)

    def move(self) -> Elements:
        """Yield the value, the cross on the map, the row as a vector and the column as a wave."""
        s, (plane, row, wave), shares = self.state, self._panes(), self.numbers / self.greatest
        position, column, (left, top, wide, high) = s["position"], s["column"], MAP
        x, y, share = plane.x(column), plane.y(position), shares[position, column]
        entry, number, curve = f"{self._entry()} = ", _four(self.value), []
        yield from equation(left, 30, entry, number, 36 * min(1, 570 / width_of(entry + number, 36, "bold")))
        if s["matrix"] is None:  # then the wave between the positions is known
            of, length = self._wave()
            yield text(wave.x(-1), 17, f"column {column}: {of}", align="start")
            yield text(wave.x(-1), 44, f"wavelength {short_length(length)}", align="start")
            yield text(BESIDE, 388, f"row {position}: the vector PE({position})", align="start")
            pixels = length * wave.high / s["length"]  # of one wavelength
            if pixels >= DENSEST:
                ys = np.linspace(0, s["length"] - 1, round(min(2 * wave.high, 32 + 24 * wave.high / pixels)))
                values = (np.cos if of.startswith("cosine") else np.sin)(2 * np.pi / length * ys)
                curve.append(line(wave.x(values), wave.y(ys), INK, 1.0 if pixels < THIN else 1.8))
        chosen = cell(plane, position, column, LEAST_CELL)
        yield from answer(question=[box(*chosen, BAND), *[text(x, y, "?")] * (min(chosen[2:]) >= 20)])
        cross = (left - 1, chosen[1], wide + 2, chosen[3]), (chosen[0], top - 1, chosen[2], high + 2)
        yield from framed(*cross, colour=INK, width=1.4)
        yield from framed(chosen)
        yield text(BESIDE + 8, y, f"{position}", weight="bold")
        yield text(x, top + high + 14, f"{column}", weight="bold", within=(left - 8, left + wide + 2))
        yield line([wave.x(-1), wave.x(1)], y, ORANGE, 2, (3, 4))
        yield upright(row, column, ORANGE, 2, (3, 4))
        yield from _bars(row, shares[position], column, row.wide, sideways=False)
        yield from _bars(wave, shares[:, column], position, wave.high, sideways=True)
        yield from answer(*curve, discs([x, wave.x(share)], [row.y(share), y], 6, ORANGE, INK, 1.2))

    def targets(self) -> Targets:
        """Yield the cells of the map, the columns beneath it, and the positions at its side."""
        columns, positions = ("column", range(self.state["d_model"])), ("position", range(self.state["length"]))
        yield Target(MAP, across=columns, down=positions)
        yield Target((ROW[0], ROW[1], ROW[2], 440 - ROW[1]), across=columns)
        yield Target(WAVE, down=positions)

    def _panes(self) -> tuple[Pane, Pane, Pane]:
        """Return where the map, the row and the wave are."""
        plane = grid(MAP, range(self.state["length"]), range(self.state["d_model"]))
        return plane, Pane(*ROW, plane.across, (-1.0, 1.0)), Pane(*WAVE, (-1.05, 1.05), plane.up)

    def _wave(self) -> tuple[str, float]:
        """Return which wave the marked column of the encoding is, and its length."""
        s = self.state
        half = (s["d_model"] + 1) // 2
        pair, odd = divmod(s["column"], 2) if s["layout"] == "interleaved" else divmod(s["column"], half)[::-1]
        return f"{'cosine' if odd else 'sine'} of pair {pair}", float(wavelengths(s["d_model"], s["base"])[pair])

    def _entry(self) -> str:
        position, column = self.state["position"], self.state["column"]
        return f"PE({position}, {column})" if self.state["matrix"] is None else f"matrix[{position}, {column}]"


@lru_cache(maxsize=2)
def _encoding(length: int, d_model: int, base: float, layout: str) -> np.ndarray:
    """Return the encoding, made once for as long as it is shown."""
    return frozen(encode_positions(np.arange(length), d_model, base=base, layout=layout))


def _bars(pane: Pane, values: np.ndarray, chosen: int, room: float, sideways: bool) -> Elements:
    """Yield a bar for each value, or for one in each pixel; the chosen one is part of the answer."""
    at, width, shades = np.arange(len(values)), room / len(values), np.rint(values * SHADES) / SHADES
    wide = 0.8 * width if width >= 5 else width * np.ceil(1 / width) + 0.1  # without seams
    others = (at % np.ceil(1 / width) == 0) & (at != chosen)
    for shade in np.unique(shades[others]):
        some = others & (shades == shade)
        yield bars(pane, at[some], values[some], colour_of(shade), wide, sideways)
    yield from answer(bars(pane, at[[chosen]], values[[chosen]], colour_of(shades[chosen]), wide, sideways))


def _four(x: float) -> str:
    """Write a number with four decimals, a larger one in five digits."""
    return rounded(x) if abs(x) < 9.99995 else f"{x:.5g}"


def _first(numbers: np.ndarray, chosen: int, most: int = 6) -> str:
    """Write the first few numbers of a row or column, the chosen one as part of the answer."""
    said = [hold(_four(x)) if k == chosen else _four(x) for k, x in enumerate(numbers[:most].tolist())]
    return ", ".join(said) + (", …" if len(numbers) > most else "")
