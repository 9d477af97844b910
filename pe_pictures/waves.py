"""The columns of the encoding as waves: one position is one x on all of them, and its encoding is read there."""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from pe_lib.encoding import BASE
from pe_lib.properties import wavelengths
from pe_pictures.colours import GREY, HERE, INK, LINE, SINE
from pe_pictures.fields import Integer, Number, Sentence, State
from pe_pictures.panes import Dial, Pane
from pe_pictures.parts import Place, below, dot, encoded, hand, hollow, level, link, ring, spot, vector, wave
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T2, Elements, box, line, text
from pe_pictures.writing import evenly, here, hold, one_line, ordinal, rounded, short_length, some_of, spaced

WIDEST = 512  # columns, and words
LONGEST = 1024  # positions
PAIRS = 8  # shown at a time; of more, some are shown
LENGTH = "How many positions there are: as many as words, or else 2 to 1,024"
CURVE_POINTS = 150  # points of a curve; of a fast one more, PER_ROUND for each round
PER_ROUND = 12
THIN, DENSE = 24.0, 16.0  # units of the sheet: waves shorter than these are thin and without cosine, or a band


class Row(NamedTuple):
    """Where a pair stands: its dial, the pane of its waves, as high as the dial, its two cells, and its wavelength."""

    dial: Dial
    pane: Pane
    cells: list[Place]
    length: tuple[float, float, str]  # across, down, and what of the text is there


def _words(state: State) -> int:
    return len(state["tokens"] or ())


class Waves(Picture):
    """Show the columns of the encoding as waves, a sine and a cosine for each pair, and read off one position.

    The fastest pair is on top. The hand left of a pair draws its sine: its tip is as high as the wave.

    {parameters}

    Examples
    --------
    >>> picture = Waves(tokens="Dan loves icecream", position=1, d_model=4)
    >>> picture.state["length"], picture.vector.round(4)
    (3, array([0.8415, 0.5403, 0.01  , 1.    ]))
    """

    fields: ClassVar = (
        Sentence(
            "tokens", label="sentence", most=WIDEST, optional=True, about="Up to 512 words, one for each position"
        ),
        Integer(
            "d_model", 8, 2, WIDEST, step=2, options=(*range(2, 17, 2), 32, 64, 128, 256, WIDEST), about="The width"
        ),
        Integer("length", 64, lambda s: _words(s) or 2, lambda s: _words(s) or LONGEST, follows="tokens", about=LENGTH),
        Number("base", BASE, 1, about="The number that is raised to a power"),
        Integer("position", 17, 0, lambda s: s["length"] - 1, moves=True, about="The chosen position, from 0"),
    )
    shown: ClassVar = ("d_model", "length", "base")
    play: ClassVar = "position"
    pace: ClassVar = 1.0
    longest: ClassVar = 16.0
    presets: ClassVar = {
        "16 positions": {"length": 16, "tokens": None},
        "64 positions": {"length": 64, "tokens": None},
        "640 positions": {"length": 640, "tokens": None},
        "4 columns": {"d_model": 4},
        "8 columns": {"d_model": 8},
        "16 columns": {"d_model": 16},
    }
    pages: ClassVar = (
        {"position": range(16), "d_model": (4, 6, 8, 16), "base": (10.0, 100.0, BASE), "length": (16,)},
        {"position": range(64)},
        {"position": range(0, 64, 2), "d_model": (4, 16)},
        {"position": range(0, 640, 20), "length": (640,)},
        {"d_model": (32, 64, 128, 256, WIDEST), "base": (100.0, BASE)},
    )
    question: ClassVar = "Which wave tells 5 from 6?"

    @property
    def pairs(self) -> dict[int, float]:
        """The pairs that are shown, the fastest first, each with its wavelength."""
        lengths = wavelengths(self.state["d_model"], self.state["base"])
        return {i: float(lengths[i]) for i in evenly(self.state["d_model"] // 2, PAIRS)}

    @property
    def columns(self) -> np.ndarray:
        """The columns of these pairs: integers, shape (2 · pairs,)."""
        return np.array([2 * i + half for i in self.pairs for half in (0, 1)])

    @property
    def vector(self) -> np.ndarray:
        """What is read off at the chosen position, a number for each column that is shown: float64."""
        return self._encoded(self.state["position"])

    def says(self) -> str:
        pos, lengths = self.state["position"], [*self.pairs.values()]
        word = f", “{one_line(self.state['tokens'][pos], 24)}”," if self.state["tokens"] else ""
        at, rounds = here(f"position {pos}") + word, pos / np.array(lengths)
        if pos == 0:
            return f"At {at} every wave starts: a sine at 0, a cosine at 1."
        if len(lengths) == 1:
            return f"At {at} the only wave has made {hold(rounded(rounds[0], 2))} rounds: it soon repeats itself."
        if rounds[0] < 1:
            fast, slow = (hold(rounded(made, 2 if made > 0.02 else 3)) for made in rounds[:2])
            return f"At {at} the fast wave has made {fast} of a round, the next one only {slow}."
        lap = hold(ordinal(int(rounds[0]) + 1))
        if rounds[-1] < 0.25:
            risen = hold(rounded(np.sin(2 * np.pi * rounds[-1]), 3))
            return f"At {at} the fast wave is on its {lap} round; the slowest has climbed to {risen}."
        return f"At {at} the fast wave is on its {lap} round, the slowest on its {hold(ordinal(int(rounds[-1]) + 1))}."

    def words(self) -> str:
        s, columns, lengths = self.state, self.columns, [short_length(wave) for wave in self.pairs.values()]
        readings = ", ".join(f"{j}: {rounded(x)}" for j, x in zip(columns, self.vector, strict=True))
        return (
            f"Sines and cosines of {some_of(len(self.pairs), s['d_model'] // 2)} pairs of columns over positions 0 to "
            f"{s['length'] - 1}, base {s['base']:.12g}, the fastest on top, repeating every "
            f"{', '.join(lengths[:-1])}{' and ' * (len(lengths) > 1)}{lengths[-1]} positions. Read at position "
            f"{s['position']}, by column: {hold(readings)}."
        )

    def lay(self) -> Elements:
        s, rows = self.state, self._rows
        for k, name in enumerate(("sine", "cosine")):
            left = rows[0].cells[0 if self._stacked else k][0]
            if not self.tall:
                yield wave([left + 8, left + 32], [14, 14], bool(k))
                yield text(left + 38, 14, name, T1, align="start")
        for (i, length), (dial, pane, _, (across, down, form)) in zip(self.pairs.items(), rows, strict=True):
            yield ring(*dial)
            yield line([dial.x - dial.radius, pane.right], dial.y, LINE, 1)
            yield from self._waves(i, length, pane)
            yield text(across, down, form.format(short_length(length)), T1, GREY, "start")
            if self.tall and not self._stacked:  # left of the orange line, wherever that is
                yield text(across, down - 24, "a wave", T1, GREY, "start")
        if not self._slots:
            pane, down = rows[-1].pane, self.size[1] - 14
            yield from below(pane, spaced(s["length"], 5), down, "position", pane.left if self.tall else 24)

    def _waves(self, i: int, length: float, pane: Pane) -> Elements:
        """Yield the sine and the cosine of a pair, or what of them can be drawn."""
        s, last = self.state, self.state["length"] - 1
        slot = length * pane.wide / max(last, 1)
        if slot < DENSE:
            yield box(*pane.box, SINE, opacity=0.14)
            yield text(*pane.middle, "too fast to draw at this scale", T1)
            return
        xs = np.linspace(0, last, max(CURVE_POINTS, round(PER_ROUND * last / length)))
        sine, cosine = encoded(s, xs)[:, [2 * i, 2 * i + 1]].T
        yield level(pane, 0)
        if slot >= THIN:
            yield wave(pane.x(xs), pane.y(cosine), True, 2)
        yield wave(pane.x(xs), pane.y(sine), False, 2.5 if slot >= THIN else 1.2)

    def move(self) -> Elements:
        s, rows = self.state, self._rows
        x = rows[0].pane.x(s["position"])
        yield link(x, [16 if not self.tall else 0, self.size[1] - 28])
        for row, (sine, cosine) in zip(rows, self.vector.reshape(-1, 2), strict=True):
            tip, y = row.dial.x + row.dial.radius * cosine, row.pane.y(sine)
            yield link([tip, x], y, opacity=0.5)
            yield hand([row.dial.x, tip], [row.dial.y, y])
            yield dot(tip, y, 7)
            yield hollow(x, row.pane.y(cosine))
            yield dot(x, y)
        yield spot(x, rows[0].pane.y(self.vector[0]))
        cells, small = [cell for row in rows for cell in row.cells], self.tall or len(rows) > 4
        yield from vector(cells, self.vector, T1 if small else T2, 2 if small else 3)
        for pos, word in enumerate(s["tokens"] or () if self._slots else ()):
            colour, weight = (HERE, "bold") if pos == s["position"] else (INK, "normal")
            at = rows[0].pane.x(pos), self.size[1] - 14
            yield text(*at, word, T2, colour, "middle", weight, self._slots - 8)

    def targets(self) -> Targets:
        rows, positions = self._rows, range(self.state["length"])
        for row, length in zip(rows, self.pairs.values(), strict=True):
            yield Target(row.dial.box(6), around=("position", length))
        pane = rows[0].pane
        yield Target(pane.strip(positions, pane.top, self.size[1] - pane.bottom), across=("position", positions))

    # Where everything is drawn.

    @property
    def _stacked(self) -> bool:
        """Whether the cells of a pair lie one over the other."""
        return self.tall and len(self.pairs) > 4

    @property
    def _slots(self) -> float:
        """How much room each word has below the waves; 0 where there are none, or too many."""
        wide: float = self._rows[0].pane.wide / max(self.state["length"] - 1, 1)
        return wide if self.state["tokens"] and wide >= 56 else 0.0

    @property
    def _rows(self) -> list[Row]:
        """Where the pairs stand, the fastest first."""
        count, (wide, high) = len(self.pairs), self.size
        top, across = 6.0 if self.tall else 26.0, (0, max(1, self.state["length"] - 1))
        step = (high - 30 - top) / count
        rows: list[Row] = []
        for n in range(count):
            y = top + step * n
            if self._stacked:
                r, left, right = 0.36 * step, 0.72 * step + 22, wide - 140
                middle, tall = y + step / 2, min(36.0, step / 2 - 6)
                cells: list[Place] = [(wide - 118, middle - tall - 2 + k * (tall + 4), 118.0, tall) for k in (0, 1)]
                length = (wide, middle, "")
            elif self.tall:
                r = min(76.0, 0.26 * step)
                left, right = 2 * r + 26, wide - 12
                middle = y + r + 2
                cells = [(wide - 246 + k * 120, middle + r + 14, 116.0, 46.0) for k in (0, 1)]
                length = (0.0, middle + r + 49, "every {}")
            else:
                r = min(0.4 * step, 60.0)
                left, right, middle = 2 * r + 70, wide - 234, y + step / 2
                few = count <= 4
                size = (92.0, 38.0) if few else (64.0, step - 12)
                rise = 32 if few else size[1] / 2
                cells = [(wide - 196 + k * (size[0] + 4), middle - rise, *size) for k in (0, 1)]
                length = (wide - 196, middle + 24, "wavelength {} positions") if few else (wide - 54, middle, "{}")
            pane = Pane(left, middle - r, right - left, 2 * r, across, (-1, 1))
            rows.append(Row(Dial(r + 6, middle, r), pane, cells, length))
        return rows

    def _encoded(self, positions: Any) -> np.ndarray:
        """Return the encoding of positions in the columns that are shown: shape (*positions.shape, columns)."""
        return encoded(self.state, positions)[..., self.columns]
