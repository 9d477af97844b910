"""Every pair of columns as a clock: a hand that turns with the position, and its two shadows, a sine and a cosine."""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from pe_lib.encoding import BASE, frequencies
from pe_pictures.colours import COSINE, GREY, PAPER, SINE
from pe_pictures.fields import Integer, Number, State
from pe_pictures.panes import Dial, Pane, tiles
from pe_pictures.parts import Place, below, dot, encoded, face, hand, spot, vector, wedge
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import DASHED, T1, T2, Elements, discs, line, text
from pe_pictures.writing import evenly, here, hold, ordinal, rounded, short_length, some_of

DIALS = 8  # shown at most; of more pairs, some are shown
RANGES = (63, 630, 6283, 10_000)  # how far the slider goes: as far as the position needs
SHADOW = 6.0  # how thick the sine and the cosine under a hand are
WEDGE = 0.4  # the radius of the wedge between two hands, in parts of the dial's


class Clock(NamedTuple):
    """Where a clock stands: its dial, its two cells, and the middle of its words."""

    dial: Dial
    cells: tuple[Place, Place]
    words: tuple[float, float]


def _range(state: State) -> int:
    """Return the last position of the slider."""
    return next(end for end in RANGES if state["position"] <= end)


class Clocks(Picture):
    """Show every pair of columns as a clock hand at the angle w_i·pos, with its sine and its cosine as its shadows.

    A hand starts at the right and turns counter-clockwise. Its shadow on the vertical axis is the sine, column 2i,
    that on the horizontal axis the cosine, column 2i+1. An arc shows how far round it is. With an offset k, a second
    hand shows position pos + k: from hand to hand it is w_i·k, wherever pos is.

    {parameters}

    Examples
    --------
    >>> picture = Clocks(position=2, d_model=4)
    >>> picture.pairs, picture.numbers.round(4)
    (array([0, 1]), array([ 0.9093, -0.4161,  0.02  ,  0.9998]))
    """

    fields: ClassVar = (
        Integer("d_model", 8, 2, 512, reach=(2, 2 * DIALS), step=2, about="The width, even; of many pairs 8 are shown"),
        Number("base", BASE, 1, 1e12, about="The number that is raised to a power"),
        Integer("position", 5, 0, RANGES[-1], moves=True, reach=(0, _range), about="What the hands show"),
        Integer("offset", 0, 0, 1000, reach=(0, 20), about="How many positions the second hand is ahead"),
    )
    shown: ClassVar = ("offset", "d_model", "base")
    play: ClassVar = "position"
    longest: ClassVar = 30.0
    presets: ClassVar = {
        "start": {"position": 0},
        "one fast turn": {"position": 6},
        "one slower turn": {"position": 63},
        "position 3000": {"position": 3000},
        "one hand": {"offset": 0},
        "and 3 ahead": {"offset": 3},
    }
    pages: ClassVar = (
        {"position": range(64), "d_model": (4, 8)},
        {"position": (*range(80, 631, 50), 214, *range(1000, 6283, 500)), "d_model": (4, 8)},
        {"position": range(21), "offset": (3, 6)},
        {"position": range(21), "d_model": (16,)},
    )
    question: ClassVar = "Why isn't one clock hand enough?"

    @property
    def pairs(self) -> np.ndarray:
        """The pairs that are shown, the fastest first: integers, shape (hands,)."""
        return np.array(evenly(self.state["d_model"] // 2, DIALS))

    @property
    def numbers(self) -> np.ndarray:
        """The encoding of the position in their columns: float64, shape (2 · hands,)."""
        return encoded(self.state, self.state["position"]).reshape(-1, 2)[self.pairs].ravel()

    @property
    def turns(self) -> np.ndarray:
        """How many turns each hand has made: float64, shape (hands,)."""
        return self.state["position"] * self._w / (2 * np.pi)

    def behind(self) -> tuple[Any, ...]:
        return *super().behind(), _range(self.state)

    def says(self) -> str:
        pos, k, fast, slow = self.state["position"], self.state["offset"], self.turns[0], self.turns[-1]
        at = here(f"position {pos}")
        if k:
            turned = hold(_degrees(k * self._w[0]))
            hand = "the fast hand" if len(self.turns) > 1 else "the hand"
            return f"From {at} to {pos + k} {hand} turns by {turned}, as from any position."
        if pos == 0:
            return f"At {at} every hand points to the right: the sine is 0, the cosine 1."
        if len(self.turns) == 1:
            return f"At {at} the only hand has made {hold(rounded(fast, 2))} turns: one hand repeats itself."
        if fast < 1:
            behind = hold(_degrees(2 * np.pi * slow))
            return f"At {at} the fast hand has made {hold(rounded(fast, 2))} of a turn, the slowest has moved {behind}."
        if pos <= RANGES[0]:
            return f"At {at} the fast hand is in its {hold(ordinal(int(fast) + 1))} turn: only slower ones tell which."
        return f"At {at} the fast hand has made {hold(_count(fast))} turns, the slowest {hold(rounded(slow, 2))}."

    def words(self) -> str:
        s, k = self.state, self.state["offset"]
        ahead = f" A second hand is {k} position{'s' * (k != 1)} ahead." * bool(k)
        by_pair = zip(self.pairs, self.numbers.reshape(-1, 2), strict=True)
        said = "; ".join(f"pair {i}: {hold(rounded(a))}, {hold(rounded(b))}" for i, (a, b) in by_pair)
        return (
            f"{some_of(len(self.pairs), s['d_model'] // 2).capitalize()} clock hands at position {s['position']} (base "
            f"{s['base']:.12g}), one for each pair of columns.{ahead} Sine and cosine of {said}."
        )

    def lay(self) -> Elements:
        for i, (dial, cells, (middle, top)), w in zip(self.pairs, self._clocks, self._w, strict=True):
            yield from face(dial)
            length = short_length(2 * np.pi / w)
            takes = f"a turn: {length}" if self.tall or self._compact else f"a turn takes {length} positions"
            yield text(middle, top + (28 if self.tall else 23), takes, T1, GREY)
            for k, (left, above, wide, high) in enumerate(cells):
                name, under = ("sine", "cosine")[k], above + high + (18 if self.tall else 16)
                if not self._compact:
                    yield text(left + wide / 2, under, name if self.tall else f"{2 * i + k} {name}", T1, GREY)
        end, (wide, high) = _range(self.state), self.size
        pane = Pane(self.axis()[0], 0, self.axis()[1] - self.axis()[0], high, (0, end), (0, 1))
        yield from below(pane, [end * part // 3 for part in range(4)], high - 12)

    def move(self) -> Elements:
        s, k = self.state, self.state["offset"]
        for clock, angle, w, turns in zip(self._clocks, s["position"] * self._w, self._w, self.turns, strict=True):
            dial, (x, y, _), (tip_x, tip_y) = clock.dial, clock.dial, clock.dial.at(angle)
            yield line(*dial.at(np.linspace(0, min(angle, 2 * np.pi), 37)), GREY, 3.5, opacity=0.5)
            if k:
                yield wedge(dial, angle + min(k * w, 2 * np.pi) * np.linspace(0, 1, 31), WEDGE)
                ahead = dial.at(angle + k * w)
                yield hand([x, ahead[0]], [y, ahead[1]], GREY)
                yield discs(*ahead, 6, PAPER, GREY, 3)
            yield line([x, tip_x, tip_x], [tip_y, tip_y, y], GREY, 1, (2, 4))
            yield line([x, x], [y, tip_y], SINE, SHADOW)
            yield line([x, tip_x], [y, y], COSINE, SHADOW, DASHED)
            yield hand([x, tip_x], [y, tip_y])
            yield dot(tip_x, tip_y)
            yield text(*clock.words, f"{_count(turns)} turns", T1 if self.tall else T2, weight="bold")
        yield spot(*self._clocks[0].dial.at(s["position"] * self._w[0]))
        cells = [cell for clock in self._clocks for cell in clock.cells]
        yield from vector(cells, self.numbers, T1 if self.tall else T2, 2 if self.tall or self._compact else 4)

    def targets(self) -> Targets:
        for clock, w in zip(self._clocks, self._w, strict=True):
            yield Target(clock.dial.box(16), around=("position", float(2 * np.pi / w)))

    def axis(self) -> tuple[float, float]:
        return (70.0, 500.0) if self.tall else (60.0, 1040.0)

    # Where everything is drawn.

    @property
    def _w(self) -> np.ndarray:
        return frequencies(self.state["d_model"], self.state["base"])[self.pairs]

    @property
    def _compact(self) -> bool:
        """Whether there are so many hands that their cells stand next to the dials."""
        return len(self.pairs) > 4

    @property
    def _clocks(self) -> list[Clock]:
        """Where the clocks stand, the fastest first."""
        wide, high = self.size
        places = tiles((0, 0, wide, high - 32), len(self.pairs), 1.3 if self._compact else 0.68)
        return [self._clock(*place) for place in places]

    def _clock(self, left: float, top: float, wide: float, high: float) -> Clock:
        middle, cell = left + wide / 2, (118.0, 52.0) if self.tall else (117.0, 42.0)
        if self._compact:
            r = min(high / 2 - 12, wide / 4 - 6) if self.tall else min(high / 2 - 12, wide / 3.2)
            x, y = left + r + 10, top + high / 2
            at, size = x + r + 12, (left + wide - x - r - 20, 40.0 if self.tall else 36.0)
            cells = (at, y - 18, *size), (at, y - 14 + size[1], *size)
            return Clock(Dial(x, y, r), cells, (at + size[0] / 2, y - 64))
        r = min(wide / 2 - (42 if self.tall else 25), high / 2 - 90, 114)
        y = top + r + (12 if self.tall else 14)
        words = y + r + (32 if self.tall else 30)
        row = words + (48 if self.tall else 52)
        cells = (middle - cell[0] - 2, row, *cell), (middle + 2, row, *cell)
        return Clock(Dial(middle, y, r), cells, (middle, words))


def _count(turns: float) -> str:
    """Write a number of turns, which has as many digits as it needs."""
    return f"{turns:,.{2 if turns < 10 else 1 if turns < 100 else 0}f}"


def _degrees(angle: float) -> str:
    """Write an angle in degrees, with one digit after the point."""
    return f"{np.degrees(angle):,.1f}°"
