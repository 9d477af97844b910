"""The columns of the encoding as waves: one position is one x on all of them, and its encoding is read there."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from pe_lib.encoding import encode_positions
from pe_lib.pictures.colours import BAND, BLUE, GREEN, GREY, INK, ORANGE, PALE, colour_of, on
from pe_lib.pictures.fields import Integer, Number, Sentence
from pe_lib.pictures.picture import Pane, Picture, Target, evenly, hold, one_line, rounded, short_length
from pe_lib.pictures.scene import SMALL, TALK, Element, answer, area, box, boxes, discs, line, shortened, text, width_of
from pe_lib.properties import wavelengths

MOST = 512  # columns, and positions
PAIRS = 8  # shown at a time; of more, some are shown
SPAN = 7  # positions on the axis at least, so that the fastest wave is seen to repeat
LEFT, RIGHT, TOP, BOTTOM = 250.0, 915.0, 56.0, 388.0  # of the waves
VECTOR = (966.0, 96.0)  # where the vector begins, and how wide it is
STEPS = (1, 2, 5, 10, 20, 50)  # from one number on the axis to the next


def _words(state: Mapping[str, Any]) -> int:
    return len(state["tokens"] or ())


class Waves(Picture):
    """Show the columns of the encoding as waves, slow ones on top, and read off the encoding of one position.

    Parameters
    ----------
    tokens : str or sequence of str, optional
        A text, split at its spaces, or up to 512 words, one for each position; then `length` is their number.
    d_model : int
        The width of the encoding, 1 to 512. Of more than 16 columns 16 are shown, spread evenly over the pairs.
    length : int
        How many positions there are, 1 to 512.
    base : float
        The number that is raised to a power, 1 or more.
    position : int
        The chosen position, 0 to length - 1.

    Raises
    ------
    TypeError, ValueError
        If a value is not as described.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> picture = Waves(tokens="Dan loves icecream", position=1)
    >>> picture.state["length"], picture.vector.round(4)
    (3, array([0.8415, 0.5403, 0.01  , 1.    ]))
    """

    fields: ClassVar = (
        Sentence(name="tokens", label="sentence", most=MOST, optional=True),
        Integer(name="d_model", default=4, least=1, greatest=MOST, options=(*range(1, 17), 32, 64, 128, 256, 512)),
        Integer(
            name="length",
            default=16,
            least=lambda s: _words(s) or 1,
            greatest=lambda s: _words(s) or MOST,
            follows=True,
        ),
        Number(name="base", default=10_000.0, least=1),
        Integer(name="position", default=2, moves=True, greatest=lambda s: s["length"] - 1),
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
        """Say in words what is to be seen."""
        s, columns = self.state, self.columns
        of = f" of {s['d_model']}" if len(columns) < s["d_model"] else ""
        shown = f"{len(columns)}{of} columns" if s["d_model"] > 1 else "one column"
        word = f", the word “{one_line(s['tokens'][s['position']])}”," if s["tokens"] else ""
        lengths = [
            f"{' and '.join(f'{j}' for j in columns[::-1] if j // 2 == i)}: {short_length(length)}"
            for i, length in list(self._pairs().items())[::-1]
        ]
        readings = ", ".join(f"{j}: {rounded(x)}" for j, x in zip(columns, self.vector, strict=True))
        positions = f"positions 0 to {s['length'] - 1}" if s["length"] > 1 else "position 0"
        return (
            f"Waves of {shown} over {positions} (d_model {s['d_model']}, base {s['base']:.12g}), even columns sines, "
            f"odd ones cosines. Their wavelengths from the top, in positions, by column: {'; '.join(lengths)}. A "
            f"vertical line at position {s['position']}{word} meets each wave in a dot. What it reads there is the "
            f"vector PE({s['position']}), by column: {hold(readings)}."
        )

    def lay(self) -> Iterator[Element]:
        """Yield the waves, their names and wavelengths, and the axis."""
        columns, pane = self.columns, self._pane()
        rows, high = np.arange(len(columns)), self._row()
        size = TALK if high >= 30 else SMALL
        pairs = self._pairs()
        for i in list(pairs)[1::2]:
            ends = pane.y(rows[columns // 2 == i][[0, -1]] + [-0.5, 0.5])
            yield box(10, ends[1], 1080, ends[0] - ends[1], BAND)
        for x, name in ((36, "pair i"), (158, "wavelength")):
            yield text(x, 34, name, SMALL, GREY, "end" if x == 158 else "middle")
        for i, length in pairs.items():
            middle = pane.y(rows[columns // 2 == i].mean())
            yield text(36, middle, f"{i}", size)
            yield text(158, middle, short_length(length), size, align="end")
        for row, j in enumerate(columns):
            name, colour = f"{j} {'cos' if j % 2 else 'sin'}", GREEN if j % 2 else BLUE
            yield text(180, pane.y(row), name, size, colour, "start", "bold")
        yield line(np.tile([LEFT, RIGHT], (len(rows), 1)), pane.y(rows)[:, np.newaxis], PALE, 1)
        last = pane.across[1]
        xs = np.linspace(0, last, max(401, round(4 * last)))
        curves = pane.y(rows[:, np.newaxis] + 0.4 * self._encoded(xs).T)  # (rows, points)
        fast = np.array([pairs[j // 2] * (pane.x(1) - pane.x(0)) < 24 for j in columns])  # dashes could not be followed
        cosines = columns % 2 == 1
        waves = (~cosines, BLUE, ()), (cosines & ~fast, GREEN, (8, 3)), (cosines & fast, GREEN, ())
        for chosen, colour, dash in waves:
            if chosen.any():
                yield line(pane.x(xs), curves[chosen], colour, 2.2, dash)
        yield from self._axis(pane)

    def _axis(self, pane: Pane) -> Iterator[Element]:
        s = self.state
        step = next((n for n in STEPS if s["length"] <= 16 * n), STEPS[-1])
        yield text(LEFT - 16, BOTTOM + 16, "pos", SMALL, GREY, "end")
        for pos in range(0, s["length"], step):
            yield text(pane.x(pos), BOTTOM + 16, f"{pos}", SMALL, GREY)
        slot = pane.x(1) - pane.x(0)
        if s["tokens"] and slot >= 60:
            for pos, word in enumerate(s["tokens"]):
                yield text(pane.x(pos), 422, word, TALK, most=slot - 10, least=SMALL)

    def move(self) -> Iterator[Element]:
        """Yield the chosen position, its dots on the waves, and its vector."""
        s, columns, pane, vector, high = self.state, self.columns, self._pane(), self.vector, self._row()
        rows, x = np.arange(len(columns)), pane.x(s["position"])
        ys = pane.y(rows + 0.4 * vector)
        left, wide = VECTOR
        yield line([x, x], [TOP - 4, BOTTOM], ORANGE, 3)
        word = f" “{one_line(s['tokens'][s['position']], 24)}”" if s["tokens"] else ""
        name = f"pos {s['position']}{word}"
        name = shortened(name, RIGHT - LEFT, TALK, "bold")
        half = width_of(name, TALK, "bold") / 2
        yield text(min(max(x, LEFT + half), RIGHT - half), 34, name, weight="bold")
        yield text(left + wide / 2, 34, f"PE({s['position']})", weight="bold", most=1100 - left)
        tall = min(high - 4, 44)
        size = min(TALK, max(SMALL, tall * 0.72))
        places = [(left, y - tall / 2, wide, tall) for y in pane.y(rows)]
        yield from answer(
            line(np.tile([x, left - 12], (len(rows), 1)), ys[:, np.newaxis], ORANGE, 1.5, (2, 4)),
            *[area([left - 4, left - 13, left - 13], [y, y - 5, y + 5], ORANGE) for y in ys],
            discs(np.full(len(ys), x), ys, 7, ORANGE, INK, 1.2),
            *[
                part
                for place, number in zip(places, vector, strict=True)
                for part in (
                    box(*place, colour_of(number), GREY, 1),
                    text(left + wide / 2, place[1] + tall / 2, rounded(number), size, on(round(number, 2))),
                )
            ],
            question=[
                boxes(places, BAND, GREY, 1),
                *[text(left + wide / 2, place[1] + tall / 2, "?", size) for place in places],
            ],
        )

    def targets(self) -> Iterator[Target]:
        """Yield the waves: a click chooses the position below it."""
        pane, last = self._pane(), self.state["length"] - 1
        half = (pane.x(1) - pane.x(0)) / 2
        left = pane.x(0) - half
        yield Target((left, TOP, pane.x(last) + half - left, 440 - TOP), across=("position", range(last + 1)))

    def _pane(self) -> Pane:
        """Return where the waves are: positions across, rows upward."""
        span = max(self.state["length"], SPAN) - 1
        margin = max(0.5, 0.02 * span)
        bottom = BOTTOM
        return Pane(LEFT, TOP, RIGHT - LEFT, bottom - TOP, (-margin, span + margin), (-0.5, len(self.columns) - 0.5))

    def _row(self) -> float:
        return (BOTTOM - TOP) / len(self.columns)

    def _pairs(self) -> dict[int, float]:
        """Return the wavelength of each pair that is shown, the fastest first."""
        lengths = wavelengths(self.state["d_model"], self.state["base"])
        return {int(i): float(lengths[i]) for i in np.unique(self.columns // 2)}

    def _encoded(self, positions: Any) -> np.ndarray:
        """Return the encoding of positions in the columns that are shown: shape (*positions.shape, rows)."""
        return encode_positions(positions, self.state["d_model"], base=self.state["base"])[..., self.columns]
