"""The columns of the encoding as waves: one position is one x on all of them, and its encoding is read there."""

from typing import Any, ClassVar

import numpy as np

from pe_lib.pictures.colours import BAND, BLUE, GREEN, GREY, INK, ORANGE
from pe_lib.pictures.fields import Integer, Number, Sentence, State
from pe_lib.pictures.parts import below, encoded, level, spaced, vector
from pe_lib.pictures.picture import Pane, Picture, Target, Targets, evenly, hold, one_line, rounded, short_length
from pe_lib.pictures.scene import SMALL, TALK, Elements, answer, area, box, discs, line, text, width_of
from pe_lib.properties import wavelengths

MOST = 512  # columns, and positions
WIDTHS = (*range(1, 17), 32, 64, 128, 256, MOST)
PAIRS = 8  # shown at a time; of more, some are shown
LENGTH = "How many positions there are: as many as words, or else 1 to 512"
SPAN = 7  # positions on the axis at least, so that the fastest wave is seen to repeat
LEFT, RIGHT, TOP, BOTTOM = 250.0, 915.0, 56.0, 388.0  # of the waves
VECTOR = (966.0, 96.0)  # where the vector begins, and how wide it is


def _words(state: State) -> int:
    return len(state["tokens"] or ())


class Waves(Picture):
    """Show the columns of the encoding as waves, slow ones on top, and read off the encoding of one position.

    Examples
    --------
    >>> picture = Waves(tokens="Dan loves icecream", position=1)
    >>> picture.state["length"], picture.vector.round(4)
    (3, array([0.8415, 0.5403, 0.01  , 1.    ]))
    """

    fields: ClassVar = (
        Sentence("tokens", label="sentence", most=MOST, optional=True, about="Up to 512 words, one for each position"),
        Integer("d_model", 4, 1, MOST, options=WIDTHS, about="The width; of many columns 16 are shown"),
        Integer("length", 16, lambda s: _words(s) or 1, lambda s: _words(s) or MOST, follows="tokens", about=LENGTH),
        Number("base", 10_000.0, 1, about="The number that is raised to a power"),
        Integer("position", 2, 0, lambda s: s["length"] - 1, moves=True, about="The chosen position, from 0"),
    )
    shown: ClassVar = ("d_model", "base")
    play: ClassVar = "position"
    presets: ClassVar = {
        "middle": {"position": 8},
        "base 100": {"base": 100.0},
        "16 columns": {"d_model": 16},
        "512 columns": {"d_model": MOST, "length": 64},
        "512 positions": {"length": MOST, "position": 300, "tokens": None},
    }
    pages: ClassVar = (
        {"position": range(16), "d_model": (4, 6, 8, 16), "base": (10.0, 100.0, 10_000.0)},
        {"position": range(64)},
        {"d_model": (32, 64, 128, 256, MOST), "base": (100.0, 10_000.0)},
        {"position": range(0, 64, 2), "d_model": (MOST,), "length": (64,)},
        {"position": range(0, MOST, 20), "length": (MOST,), "tokens": (None,)},
    )

    @property
    def columns(self) -> np.ndarray:
        """The columns that are shown, from the lowest wave to the highest: integers, shape (rows,)."""
        d_model = self.state["d_model"]
        columns = np.array([2 * i + half for i in evenly((d_model + 1) // 2, PAIRS) for half in (0, 1)])
        return np.extract(columns < d_model, columns)

    @property
    def vector(self) -> np.ndarray:
        """What is read off at the chosen position, one number for each column that is shown: float64, shape (rows,)."""
        return self._encoded(self.state["position"])

    def words(self) -> str:
        s, columns = self.state, self.columns
        word = f", the word “{one_line(s['tokens'][s['position']])}”," if s["tokens"] else ""
        lengths = "; ".join(f"{i}: {short_length(length)}" for i, length in self._pairs().items())
        readings = ", ".join(f"{j}: {rounded(x)}" for j, x in zip(columns, self.vector, strict=True))
        return (
            f"Waves of {len(columns)} of {s['d_model']} columns over positions 0 to {s['length'] - 1}, base "
            f"{s['base']:.12g}: even columns are sines, odd ones cosines. Wavelengths, from the bottom, by pair: "
            f"{lengths}. A line at position {s['position']}{word} meets each wave in a dot and reads there the vector "
            f"PE({s['position']}), by column: {hold(readings)}."
        )

    def lay(self) -> Elements:
        """Yield the waves, their names and wavelengths, and the axis."""
        s, columns, pane, pairs = self.state, self.columns, self._pane(), self._pairs()
        slot, size = pane.x(1) - pane.x(0), TALK if pane.y(0) - pane.y(1) >= 30 else SMALL
        yield text(36, 34, "pair i", SMALL, GREY)
        yield text(158, 34, "wavelength", SMALL, GREY, "end")
        for n, (i, length) in enumerate(pairs.items()):
            bottom, top = pane.y(np.flatnonzero(columns // 2 == i)[[0, -1]] + [-0.5, 0.5])
            if n % 2:
                yield box(10, top, 1080, bottom - top, BAND)
            yield text(36, (bottom + top) / 2, f"{i}", size)
            yield text(158, (bottom + top) / 2, short_length(length), size, align="end", most=104)
        xs = np.linspace(0, pane.across[1], max(401, round(4 * pane.across[1])))
        for row, (j, values) in enumerate(zip(columns, self._encoded(xs).T, strict=True)):
            name, colour = ("cos", GREEN) if j % 2 else ("sin", BLUE)
            dash = (8, 3) if j % 2 and pairs[j // 2] * slot >= 24 else ()  # of a faster wave they could not be followed
            yield text(180, pane.y(row), f"{j} {name}", size, colour, "start", "bold")
            yield level(pane, row)
            yield line(pane.x(xs), pane.y(row + 0.4 * values), colour, 2.2, dash)
        yield from below(pane, spaced(s["length"], 16), BOTTOM + 16, "pos", 16)
        words, room = s["tokens"] or () if slot >= 60 else (), slot - 10
        taken = np.pad(np.minimum([width_of(word, TALK) for word in words], room), 1)  # by each, and its neighbours
        for pos, word in enumerate(words):
            most = 2 * room - max(taken[pos], taken[pos + 2])
            yield text(pane.x(pos), 422, word, TALK, most=most)

    def move(self) -> Elements:
        """Yield the chosen position, its dots on the waves, and its vector."""
        s, pane, (left, wide) = self.state, self._pane(), VECTOR
        rows, x = np.arange(len(self.columns)), pane.x(s["position"])
        ys = pane.y(rows + 0.4 * self.vector)
        yield line(x, [TOP - 4, BOTTOM], ORANGE, 3)
        word = f" “{one_line(s['tokens'][s['position']], 24)}”" if s["tokens"] else ""
        yield text(x, 34, f"pos {s['position']}{word}", weight="bold", most=RIGHT - LEFT, within=(LEFT, RIGHT))
        yield text(left + wide / 2, 34, f"PE({s['position']})", weight="bold", most=1100 - left)
        tall = min(pane.y(0) - pane.y(1) - 4, 44)
        places = [(left, y - tall / 2, wide, tall) for y in pane.y(rows)]
        yield from answer(
            line([x, left - 12], ys[:, np.newaxis], ORANGE, 1.5, (2, 4)),
            *[area([left - 4, left - 13, left - 13], [y, y - 5, y + 5], ORANGE) for y in ys],
            discs(x, ys, 7, ORANGE, INK, 1.2),
        )
        yield from vector(places, self.vector, min(TALK, max(SMALL, tall * 0.72)))

    def targets(self) -> Targets:
        """Yield the waves: a click chooses the position below it."""
        pane, length = self._pane(), self.state["length"]
        left, right = pane.x(-0.5), pane.x(length - 0.5)
        yield Target((left, TOP, right - left, 440 - TOP), across=("position", range(length)))

    def _pane(self) -> Pane:
        """Return where the waves are: positions across, rows upward."""
        span = max(self.state["length"], SPAN) - 1
        margin = max(0.5, 0.02 * span)
        rows = (-0.5, len(self.columns) - 0.5)
        return Pane(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, (-margin, span + margin), rows)

    def _pairs(self) -> dict[int, float]:
        """Return the wavelength of each pair that is shown, the fastest first."""
        lengths = wavelengths(self.state["d_model"], self.state["base"])
        return {int(i): float(lengths[i]) for i in np.unique(self.columns // 2)}

    def _encoded(self, positions: Any) -> np.ndarray:
        """Return the encoding of positions in the columns that are shown: shape (*positions.shape, rows)."""
        return encoded(self.state, positions)[..., self.columns]
