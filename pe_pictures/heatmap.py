"""The encoding as a map, a row for each position; one row is drawn out as bars, and one column as a wave."""

from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import numpy as np

from pe_lib.encoding import BASE, encode_positions
from pe_lib.properties import wavelengths
from pe_pictures.cells import Cells
from pe_pictures.colours import GREY, HERE, INK, PAPER, colour_of
from pe_pictures.fields import Choice, Field, Integer, Matrix, Number, Sentence, State, frozen
from pe_pictures.panes import Pane, cell, grid
from pe_pictures.parts import below, beside, dot, framed, in_cells, level, link, spot, upright, wave
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, Elements, answer, box, line, text
from pe_pictures.writing import here, hold, one_line, rounded, short_length, spaced

WIDEST = 512  # rows, and columns
CURVE_POINTS = 150  # points of the wave; of a long column two for each row
BARS = 96  # columns from which on the bars of the row are one grey path
LEAST = 10.0  # units of the sheet of the frame around the chosen cell, at least


def _side(axis: int, otherwise: int) -> Callable[[State], int]:
    """Return a bound: how many rows or columns the matrix has, if there is one."""
    return lambda s: otherwise if s["matrix"] is None else s["matrix"].shape[axis]


class Heatmap(Picture):
    """Show the encoding (Vaswani et al. 2017, section 3.5), or a matrix of one's own, as a map of positions × columns.

    One row and one column are marked: the row is drawn out below the map as bars, the column at its side as a wave.
    Small tables hold their numbers in the cells; in large ones, neighbours share a cell in the colour of their mean.

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
        Integer("length", 50, _side(0, 1), _side(0, WIDEST), follows="matrix", about="How many positions, 1 to 512"),
        Integer("d_model", 64, _side(1, 1), _side(1, WIDEST), follows="matrix", about="How many columns, 1 to 512"),
        # Below this base, angles grow too large for four digits of sines.
        Number("base", BASE, 1e-6, about="The number that is raised to a power"),
        Choice("layout", "interleaved", ("interleaved", "halves"), about="As in the paper, or all sines first"),
        Integer("position", 17, 0, lambda s: s["length"] - 1, moves=True, about="The row that is marked"),
        Integer("column", 8, 0, lambda s: s["d_model"] - 1, moves=True, about="The column that is marked"),
    )
    shown: ClassVar = ("base", "layout", "d_model", "length")
    play: ClassVar = "column"
    longest: ClassVar = 10.0
    up_down: ClassVar = "position"
    presets: ClassVar = {
        "fastest wave": {"column": 0},
        "middle": {"column": 20},
        "slowest wave": {"column": 62},
        "row 0": {"position": 0},
        "sines left": {"layout": "halves"},
        "in turn": {"layout": "interleaved"},
    }
    pages: ClassVar = (
        {"position": (0, 17, 49), "column": range(64)},
        {"position": range(50), "column": (0, 8, 62)},
        {"layout": ("halves",), "column": range(0, 64, 4)},
        {"base": (10.0, 100.0, 1000.0), "column": range(0, 64, 8)},
    )
    question: ClassVar = "Which column is this, by its wave alone?"

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

    def says(self) -> str:
        s, column = self.state, here(f"column {self.state['column']}")
        if s["matrix"] is not None:
            name = one_line(" ".join(s["name"]), 40) if s["name"] else "This table"
            return f"{name}: row {s['position']}, {column} holds {hold(_four(self.value))}."
        length, rows = self._wave()[1], s["length"]
        if length < 0.9 * rows:
            return (
                f"Down {column} the numbers repeat every {hold(short_length(length))} rows; further right, more slowly."
            )
        if length < 30 * rows:
            takes, part = hold(short_length(length)), hold(rounded(rows / length, 1 if length < 10 * rows else 2))
            return f"Down {column} one wave takes {takes} rows: the {rows} rows here show {part} of it."
        needs = hold(f"{length:,.0f}")
        return f"{column.replace('column', 'Column')} looks constant: its wave needs {needs} rows, and we see {rows}."

    def words(self) -> str:
        s, numbers, end = self.state, self.numbers, f"{self.greatest:.3g}"
        what, of = f"a matrix of shape {numbers.shape}", ""
        if s["matrix"] is None:
            order = "sines and cosines in turn" if s["layout"] == "interleaved" else "all sines, then all cosines"
            what = f"the encoding of {s['length']} positions, d_model {s['d_model']}, base {s['base']:.12g}, {order}"
            of = f", the {self._wave()[0]} with wavelength {short_length(self._wave()[1])},"
        column = hold(f"{s['column']}{of}")  # what the question asks for
        return (
            f"Map of {what}, from blue for −{end} to rose for {end}. Row {s['position']} is drawn out below, column "
            f"{column} at the side; they cross at {hold(_four(self.value))}."
        )

    def lay(self) -> Elements:
        s, (plane, row, side) = self.state, self._panes
        numbers, left = self.numbers, plane.left
        yield Cells(numbers / self.greatest, plane.box)
        if self._numbered:
            yield from answer(*in_cells(plane.box, numbers, T1))
        yield from beside(plane, spaced(s["length"], 6), 24)
        yield text(left - 10, row.y(0), "row", T1, GREY, "end")
        yield level(row, 0)
        name_at = (0.0, "start") if self.tall else (left - 10, "end")
        down = self.size[1] - (44 if self.tall else 14)
        yield text(name_at[0], down, "column", T1, GREY, name_at[1], within=(0, plane.right))
        yield from below(plane, spaced(s["d_model"], 6 if self.tall else 8), self.size[1] - 14)
        end = self.greatest
        for value in (-1, 0, 1):
            yield level(side, value) if self.tall else upright(side, value)
            said = rounded(value * end, 0 if end == int(end) else 1)
            place = (side.left - 12, side.y(value)) if self.tall else (side.x(value), side.bottom + 18)
            yield text(*place, said, T1, GREY, "end" if self.tall else "middle")

    def move(self) -> Elements:
        s, (plane, row, side), shares = self.state, self._panes, self.numbers / self.greatest
        position, column = s["position"], s["column"]
        share, chosen = shares[position, column], cell(plane, position, column, LEAST)
        x, y = plane.x(column), plane.y(position)
        yield from self._bars(row, shares[position])
        at, values, cosine = self._curve()
        curve = (side.x(at), side.y(values)) if self.tall else (side.x(values), side.y(at))
        yield from answer(wave(*curve, cosine, self._ink))
        end = (side.x(position), side.y(share)) if self.tall else (side.x(share), y)
        knob, far = plane.left - 10, plane.right if self.tall else end[0]
        bottom = row.bottom + 12 if self.tall else self.size[1] - 26
        # Where cells hold numbers, the lines leave them alone.
        near, under = (plane.right, plane.bottom) if self._numbered else (plane.left, y)
        yield line([near, plane.right], [y, y], PAPER, 4.5)
        yield line([x, x], [plane.top if under == y else plane.bottom, plane.bottom], PAPER, 4.5)
        yield from answer(link([[knob, plane.left], [min(near, far), far]], [[y, y], [y, y]], 2))
        yield link([x, x], [under, bottom], 2)
        if self._numbered:
            yield from framed(chosen)
        else:
            yield box(chosen[0] - 1.5, chosen[1] - 1.5, chosen[2] + 3, chosen[3] + 3, PAPER, radius=2)
            yield from answer(box(*chosen, colour_of(share)))
            yield box(*chosen, "", HERE, 2.5, radius=2)
        yield from answer(dot(x, row.y(share), 6), dot(*end))
        yield dot(knob, y, 9)
        yield spot(x, y)
        yield from self._names(side)

    def _names(self, side: Pane) -> Elements:
        """Yield what the wave at the side is, and its value in the chosen row."""
        s = self.state
        kind = (
            f"column {s['column']}, a {self._wave()[0].split()[0]}" if s["matrix"] is None else f"column {s['column']}"
        )
        x, y = (side.left, side.bottom + 24) if self.tall else (side.middle[0], side.bottom + 54)
        align = "start" if self.tall else "middle"
        yield text(x, y, kind, T1, INK, align)
        said = f"at position {s['position']}: {_four(self.value) if self.greatest > 1 else rounded(self.value, 2)}"
        yield from answer(text(x, y + (32 if self.tall else 23), said, T1, GREY, align))

    def _bars(self, pane: Pane, shares: np.ndarray) -> Elements:
        """Yield the row: a bar in the colour of each cell, or all of a wide one as one grey path."""
        slot = pane.wide / len(shares)
        if len(shares) > BARS:
            at = np.arange(len(shares))
            up_down = np.outer(shares, [0, 1])
            yield line(pane.x(at)[:, np.newaxis] + np.zeros(2), pane.y(up_down), GREY, max(0.8 * slot, 1))
            return
        for j, share in enumerate(shares):
            top, high = pane.y(max(share, 0)), max(1.0, abs(pane.y(share) - pane.y(0)))
            yield box(pane.x(j) - 0.4 * slot, top, 0.8 * slot, high, colour_of(share))

    def _curve(self) -> tuple[np.ndarray, np.ndarray, bool]:
        """Return the column drawn out: rows, shares of the greatest value, and whether it is a cosine.

        Between the rows of the encoding the wave is known; between those of a matrix of one's own the line is straight.
        """
        s = self.state
        if s["matrix"] is not None:
            return np.arange(s["length"]), self.numbers[:, s["column"]] / self.greatest, False
        of, length = self._wave()
        rows = np.linspace(0, s["length"] - 1, max(CURVE_POINTS, 2 * s["length"]))
        cosine = of.startswith("cosine")
        return rows, (np.cos if cosine else np.sin)(2 * np.pi / length * rows), cosine

    @property
    def _ink(self) -> float:
        """How thick the wave is: thin where its rounds are close together."""
        if self.state["matrix"] is not None:
            return 1.75
        side = self._panes[2]
        room = (side.wide if self.tall else side.high) * self._wave()[1] / self.state["length"]
        return 2.5 if room >= 24 else 1.25 if room >= 10 else 0.5

    def targets(self) -> Targets:
        plane, row, side = self._panes
        columns, positions = ("column", range(self.state["d_model"])), ("position", range(self.state["length"]))
        yield Target(plane.box, across=columns, down=positions)
        yield Target((plane.left, row.top, plane.wide, self.size[1] - row.top), across=columns)
        yield Target((0, plane.top, plane.left, plane.high), down=positions)
        away = 16
        if self.tall:
            yield Target((side.left, side.top - away, side.wide, side.high + 2 * away), across=positions)
        else:
            yield Target((side.left - away, side.top, side.wide + 2 * away, side.high), down=positions)

    @property
    def _numbered(self) -> bool:
        """Whether the cells of the map have room for their numbers."""
        pane = self._panes[0]
        across, down = pane.wide / self.state["d_model"], pane.high / self.state["length"]
        if down < 20 or across < 40:
            return False
        return bool(across >= 9 * max(len(rounded(x, 2)) for x in self.numbers.flat))

    @property
    def _panes(self) -> tuple[Pane, Pane, Pane]:
        """Return where the map, the row and the column are."""
        places = ((64, 8, 440, 350), (64, 372, 440, 60)) if self.tall else ((66, 8, 704, 320), (66, 342, 704, 60))
        plane = grid(places[0], range(self.state["length"]), range(self.state["d_model"]))
        rows = 0, max(1, self.state["length"] - 1)
        side = Pane(64, 480, 440, 112, rows, (-1, 1)) if self.tall else Pane(842, 8, 216, 320, (-1, 1), plane.up)
        return plane, Pane(*places[1], plane.across, (-1.0, 1.0)), side

    def _wave(self) -> tuple[str, float]:
        """Return which wave the marked column of the encoding is, and its length."""
        s = self.state
        half = (s["d_model"] + 1) // 2
        pair, odd = divmod(s["column"], 2) if s["layout"] == "interleaved" else divmod(s["column"], half)[::-1]
        return f"{'cosine' if odd else 'sine'} of pair {pair}", float(wavelengths(s["d_model"], s["base"])[pair])


@lru_cache(maxsize=2)
def _encoding(length: int, d_model: int, base: float, layout: str) -> np.ndarray:
    """Return the encoding, made once for as long as it is shown."""
    return frozen(encode_positions(np.arange(length), d_model, base=base, layout=layout))


def _four(x: float) -> str:
    """Write a number with four decimals, a larger one in five digits."""
    return rounded(x) if abs(x) < 9.99995 else f"{x:.5g}"
