"""One number of the encoding on one board: its place in the table, the hand of its pair, and the wave of its column."""

from typing import ClassVar

import numpy as np

from pe_lib.encoding import BASE, encode_positions
from pe_lib.properties import wavelengths
from pe_pictures.cells import Cells
from pe_pictures.colours import GREY, HERE, INK
from pe_pictures.fields import Integer, Number, Sentence, State
from pe_pictures.panes import Dial, Pane, cell, grid
from pe_pictures.parts import below, encoded, face, framed, held, in_cells, level, read_off, wave
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T2, T4, Elements, answer, boxes, text
from pe_pictures.writing import here, hold, one_line, rounded, short_length, spaced

WORDS = ("the", "dog", "bites", "the", "man", "and", "the", "cat")
WIDEST = 512  # words, and columns
WITHOUT_WORDS = 64  # positions where there is no sentence
TOKENS = "Up to 512 words, one for each position; without words there are 64 positions"


def _length(state: State) -> int:
    return len(state["tokens"] or " " * WITHOUT_WORDS)


class Board(Picture):
    """Show one number of the encoding in three ways at once: as a cell of the table, as a hand, and on its wave.

    One position and one column move all three (Vaswani et al. 2017, section 3.5).

    {parameters}

    Examples
    --------
    >>> board = Board(tokens="I like deep learning", d_model=6, position=2, column=3)
    >>> round(board.value, 4), board.table.shape
    (0.9957, (4, 6))
    """

    fields: ClassVar = (
        Sentence("tokens", WORDS, WIDEST, optional=True, label="sentence", about=TOKENS),
        Integer("d_model", 8, 4, WIDEST, step=2, options=(4, 6, 8, 16, 32, 64, 128, WIDEST), about="The width, even"),
        Number("base", BASE, 1, 1e12, about="The number that is raised to a power"),
        Integer("position", 4, 0, lambda s: _length(s) - 1, moves=True, about="The row of the number, from 0"),
        Integer("column", 2, 0, lambda s: s["d_model"] - 1, moves=True, about="The column of the number, from 0"),
    )
    shown: ClassVar = ("column", "tokens", "d_model", "base")
    play: ClassVar = "position"
    pace: ClassVar = 1.6
    longest: ClassVar = 16.0
    up_down: ClassVar = "column"
    presets: ClassVar = {
        "first word": {"position": 0},
        "slowest wave": {"column": 6},
        "base 100": {"base": 100.0},
        "base 10000": {"base": BASE},
        "8 words": {"tokens": WORDS, "d_model": 8, "position": 4, "column": 2},
        "64 positions": {"tokens": None, "d_model": 64, "position": 20, "column": 20},
    }
    pages: ClassVar = (
        {"position": range(8), "column": range(8), "base": (100.0, BASE)},
        {"position": range(8), "d_model": (4, 16)},
        {"position": range(0, 64, 4), "tokens": (None,), "d_model": (64,), "column": (0, 8, 20, 62)},
    )
    question: ClassVar = "Where is this number in the hand and on the wave?"

    @property
    def table(self) -> np.ndarray:
        """The encoding of all positions: float64, shape (length, d_model)."""
        s = self.state
        return encode_positions(np.arange(_length(s)), s["d_model"], base=s["base"])

    @property
    def value(self) -> float:
        """The number that all three speak of."""
        return float(encoded(self.state, self.state["position"])[self.state["column"]])

    def says(self) -> str:
        s, value = self.state, hold(rounded(self.value, 2))
        pos, j, at = s["position"], s["column"], here(f"Position {s['position']}")
        if not s["tokens"]:
            return f"{at}, column {j}: {value}, one number of {_length(s) * s['d_model']:,}, on a wave and a hand."
        word = f"“{one_line(s['tokens'][pos], 14)}”"
        if pos == 0:
            return f"{at}, {word}: every sine is 0 and every cosine is 1, whatever the word."
        if word in (f"“{one_line(other, 14)}”" for other in s["tokens"][:pos]):
            return f"{at}, {word} again: the same word, another row. Its number here is {value}."
        return f"{at}, {word}: the cell, the hand and the wave all say {value}."

    def words(self) -> str:
        s, (pair, odd) = self.state, divmod(self.state["column"], 2)
        word = f" “{one_line(s['tokens'][s['position']])}”" if s["tokens"] else ""
        return (
            f"Position {s['position']}{word}, column {s['column']} of {s['d_model']} (base {s['base']:.12g}): "
            f"{hold(rounded(self.value))}, in the table, as the {'reach' if odd else 'height'} of the hand of pair "
            f"{pair}, and on the wave of the column, which repeats every {self._length} positions."
        )

    def lay(self) -> Elements:
        s, (plane, side) = self.state, self._panes
        yield Cells(self.table, plane.box)
        if self._numbered:
            yield from answer(*in_cells(plane.box, self.table, T1, 1 if self.tall else 2))
        yield from below(plane, spaced(s["d_model"], 8), plane.bottom + (20 if self.tall else 18), "column", 14)
        yield from face(self._dial)
        yield level(side, 0)
        yield from below(side, spaced(_length(s), 5 if self.tall else 6), self.size[1] - 14)

    def move(self) -> Elements:
        s, (plane, side) = self.state, self._panes
        position, (pair, odd) = s["position"], divmod(s["column"], 2)
        yield from self._rows()
        chosen = cell(plane, position, s["column"], 8.0)
        yield boxes([(plane.left, chosen[1], plane.wide, chosen[3])], edge=INK, width=1.5)
        yield from framed(chosen)
        left, top = (12.0, 404.0) if self.tall else (674.0, 34.0)
        kind = f"column {s['column']}, {'cosine' if odd else 'sine'} of pair {pair}"
        yield text(left, top, kind, T2, INK, "start")
        yield text(left, top + (36 if self.tall else 26), f"repeats every {self._length} positions", T1, GREY, "start")
        x, y, digits, align = (self.size[0] - 12, top + 18, 2, "end") if self.tall else (left, top + 82, 4, "start")
        yield held(text(x, y, rounded(self.value, digits), T4, INK, align, "bold"), tall=self.tall)
        turn, xs = 2 * np.pi / self._wavelength, np.linspace(0, side.across[1], max(150, 2 * _length(s)))
        yield from answer(wave(side.x(xs), side.y((np.cos if odd else np.sin)(turn * xs)), bool(odd)))
        x, y = side.x(position), side.y(self.value)
        yield from read_off(self._dial, turn * position, x, y, side.bottom + 12, bool(odd))

    def _rows(self) -> Elements:
        """Yield the words beside the table, the chosen one marked; where there is no room, the numbers of some rows."""
        s, plane = self.state, self._panes[0]
        room = plane.high / _length(s) >= 18
        for pos in range(_length(s)) if room else spaced(_length(s), 12):
            colour, weight = (HERE, "bold") if pos == s["position"] else (GREY, "normal")
            said = f"{s['tokens'][pos]}  {pos}" if s["tokens"] and room else f"{pos}"
            size = T1 if self.tall else T2
            yield text(plane.left - 14, plane.y(pos), said, size, colour, "end", weight, plane.left - 18)

    def targets(self) -> Targets:
        s, (plane, side) = self.state, self._panes
        positions = "position", range(_length(s))
        yield Target(plane.box, across=("column", range(s["d_model"])), down=positions)
        yield Target((0, plane.top, plane.left, plane.high), down=positions)
        if _length(s) > 1:
            yield Target(self._dial.box(8), around=("position", self._wavelength))
        yield Target(side.strip(positions[1], 12, 12), across=positions)

    # Where everything is drawn.

    @property
    def _wavelength(self) -> float:
        s = self.state
        return float(wavelengths(s["d_model"], s["base"])[s["column"] // 2])

    @property
    def _length(self) -> str:
        return short_length(self._wavelength)

    @property
    def _numbered(self) -> bool:
        """Whether the cells have room for their numbers."""
        plane = self._panes[0]
        return bool(plane.wide / self.state["d_model"] >= 48 and plane.high / _length(self.state) >= 20)

    @property
    def _dial(self) -> Dial:
        return Dial(84.0, 598.0, 76.0) if self.tall else Dial(744.0, 292.0, 78.0)

    @property
    def _panes(self) -> tuple[Pane, Pane]:
        """Return where the table and the wave are."""
        rows, columns = range(_length(self.state)), range(self.state["d_model"])
        place = (104.0, 6.0, 404.0, 320.0) if self.tall else (140.0, 8.0, 480.0, 386.0)
        (_, y, r), (left, right) = self._dial, (204.0, 500.0) if self.tall else (872.0, 1078.0)
        side = Pane(left, y - r, right - left, 2 * r, (0, max(1, len(rows) - 1)), (-1, 1))
        return grid(place, rows, columns), side
