"""Counting in bits over the encoding: both have slow and fast rows; bits jump and carry, waves glide."""

from typing import Any, ClassVar

import numpy as np

from pe_lib.binary import bit_periods, bits, bits_that_flip, place_values
from pe_lib.encoding import BASE
from pe_lib.properties import distance
from pe_pictures.colours import GREY, HERE, INK, LINE, SINE
from pe_pictures.fields import Integer, Number
from pe_pictures.panes import Pane, cell, grid
from pe_pictures.parts import below, dot, encoded, framed, level, link, spot, vector, wave
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T2, T3, T4, Elements, answer, boxes, line, text
from pe_pictures.writing import here, hold, rounded, short_length, spaced

COUNTS = "no", "one", "two", "three", "four", "five", "six"
CURVE_POINTS = 150  # points of a wave; of a fast one more, PER_ROUND for each round
PER_ROUND = 12


class BinaryCounter(Picture):
    """Count in binary over the encoding of the same numbers: bits that flip, waves that glide, and their steps.

    A column of tiles is a binary number, its largest place on top: a dark tile is a 1. Below run the sines of the first
    pairs, the slowest on top as well. After the last number the bits start again at 0, as a counter does. The encoding
    is from Vaswani et al. (2017), section 3.5, the comparison is not.

    {parameters}

    Examples
    --------
    >>> picture = BinaryCounter(number=7)
    >>> picture.flips, round(picture.step, 4)
    (4, 0.9641)
    """

    fields: ClassVar = (
        Integer("n_bits", 4, 2, 6, label="bits", about="How many places numbers have in binary"),
        # Even, since without the last cosine the steps would be unequal.
        Integer("d_model", 8, 2, 64, step=2, about="The width, even; at most as many pairs are shown as bits"),
        # Below this base, pair 0 would not be the fastest.
        Number("base", BASE, 1, 1e12, (10.0, 16.0, 100.0, 1e3, 1e4, 1e5), about="The number raised to a power"),
        Integer("number", 7, 0, lambda s: 2 ** s["n_bits"] - 1, moves=True, about="The number, also a position"),
    )
    shown: ClassVar = ("n_bits", "d_model", "base")
    play: ClassVar = "number"
    presets: ClassVar = {
        "0 → 1": {"number": 0, "n_bits": 4},
        "7 → 8": {"number": 7, "n_bits": 4},
        "15 → 16": {"number": 15, "n_bits": 4},
        "31 → 32": {"number": 31, "n_bits": 6},
        "64 columns": {"d_model": 64},
        "doubling": {"base": 16.0},
    }
    pages: ClassVar = (
        {"number": range(16), "d_model": (8, 64), "base": (16.0, BASE)},
        {"number": range(64), "n_bits": (6,)},
        {"number": range(32), "n_bits": (5,)},
    )
    question: ClassVar = "The bits jump from one number to the next. And the waves?"

    @property
    def flips(self) -> int:
        """How many of the n_bits bits change from the number to the next; from the last number, all of them do."""
        return min(bits_that_flip(self.state["number"]), int(self.state["n_bits"]))

    @property
    def step(self) -> float:
        """The distance between the encodings of the number and of the next, which is that of all neighbours."""
        return float(distance(1, self.state["d_model"], self.state["base"]))

    @property
    def sines(self) -> np.ndarray:
        """The sines of the pairs shown at the number, from pair 0 on: float64, shape (pairs,)."""
        return self._sines(self.state["number"])

    def says(self) -> str:
        n, flips, step = self.state["number"], self.flips, hold(rounded(self.step, 2))
        steps, flipped = f"From {here(f'{n}')} to {n + 1}", hold(COUNTS[flips])
        if n == 2 ** self.state["n_bits"] - 1:
            return f"{steps} all {flipped} bits flip and one more is needed; the encoding steps by {step}."
        if n == 0:
            return f"{steps} {flipped} bit flips, and the encoding takes a step of {step}. Now count on."
        if flips == 1:
            return f"{steps} only {flipped} bit flips, and still the encoding takes a step of {step}."
        at_once = " at once" if flips > 2 else ""
        return f"{steps} {flipped} bits flip{at_once}, but the encoding takes a step of {step}, as always."

    def words(self) -> str:
        s, n = self.state, self.state["number"]
        readings = ", ".join(f"pair {i}: {rounded(x, 3)}" for i, x in enumerate(self.sines))
        return (
            f"The numbers 0 to {2 ** s['n_bits'] - 1} in {s['n_bits']} bits, whose rows repeat every "
            f"{', '.join(map(str, bit_periods(s['n_bits'])))} numbers, over the sines of {len(self.sines)} of "
            f"{s['d_model'] // 2} pairs. {n} is {n:0{s['n_bits']}b} and {n + 1} is {n + 1:0{s['n_bits']}b}: "
            f"{hold(f'{self.flips}')} of the bits flip; the sines at {n} are {hold(readings)}, and the encoding moves "
            f"by {hold(rounded(self.step))}, as at every step."
        )

    def lay(self) -> Elements:
        s, n_bits, tiles, waves = self.state, self.state["n_bits"], self._tiles, self._waves
        table = bits(np.arange(2**n_bits), n_bits).T  # (n_bits, numbers), the largest place on top
        small, wide = T1 if self.tall or n_bits > 4 else T2, 0 if self.tall else 156
        for ones, fill in ((table == 0, ""), (table == 1, INK)):
            places = [self._tile(row, k) for row, k in np.argwhere(ones)]
            yield boxes(places, fill, "" if fill else LINE, 1, radius=2)
        for i in range(n_bits):
            y = tiles.y(n_bits - 1 - i)
            yield text(0, y, f"bit {i}", small, align="start")
            if not self.tall:
                yield text(wide, y, f"worth {2**i}", T1, GREY, "end")
        divisors = place_values(s["d_model"], s["base"])
        for i, pane in enumerate(waves):
            yield level(pane, 0)
            rounds = pane.across[1] / (2 * np.pi * divisors[i])
            xs = np.linspace(0, 2**n_bits, max(CURVE_POINTS, round(PER_ROUND * rounds)))
            yield wave(pane.x(xs), pane.y(np.sin(xs / divisors[i])))
            y = pane.middle[1]
            yield text(0, y, f"pair {i}", small, align="start")
            if not self.tall:
                yield text(wide, y, f"÷ {_short(divisors[i])}", T1, GREY, "end")
        flips, steps, lift = self._flips, self._steps, (16, 18) if self.tall else None
        for pane, name in ((flips, "tiles that flip"), (steps, "length of the step")):
            y = pane.top - lift[0] if lift else pane.middle[1]
            yield text(0, y, name, T1, GREY, "start")
            yield level(pane, 0)
        counts = np.minimum([bits_that_flip(k) for k in range(2**n_bits)], n_bits)
        yield from answer(
            boxes([self._bar(k, count) for k, count in enumerate(counts)], GREY, opacity=0.4),
            line([steps.left, steps.right], steps.y(1), SINE, 2.5),
        )
        yield from below(tiles, spaced(2**n_bits + 1, 5 if self.tall else 17), self.size[1] - 14)

    def move(self) -> Elements:
        n, n_bits, flips = self.state["number"], self.state["n_bits"], self.flips
        tiles, waves = self._tiles, self._waves
        slot, x = tiles.x(1) - tiles.x(0), tiles.x(n)
        top, bottom = tiles.y(n_bits - flips - 0.5), tiles.bottom
        yield link(x, [tiles.bottom, self._steps.bottom + 6])
        yield from answer(*framed((x - slot / 2, top, 2 * slot, bottom - top), colour=INK, width=2))
        yield from framed((x - slot / 2, tiles.top, slot, tiles.high))
        between = np.linspace(n, n + 1, 13)
        for pane, values in zip(waves, self._sines(between).T, strict=True):
            yield line(pane.x(between), pane.y(values), SINE, 6, cap="round")
        for pane, value in zip(waves, self.sines, strict=True):
            yield dot(x, pane.y(value), 7)
        yield spot(x, waves[0].y(self.sines[0]))
        yield from vector(self._cells, self.sines, T1 if self.tall or len(self.sines) > 4 else T2, 3)
        yield from self._written()
        yield from answer(boxes([self._bar(n, flips)], INK))
        yield from answer(dot(tiles.x(n + 0.5), self._steps.y(1), 7))
        (left, top), align = (520.0, -16), "end"
        for pane, said in ((self._flips, f"{flips}"), (self._steps, f"always {rounded(self.step)}")):
            y = pane.top + top if self.tall else pane.middle[1]
            at, end = (left, align) if self.tall else (self._cells[0][0], "start")
            yield from answer(text(at, y, said, T2, INK, end, "bold", halo=True))

    def _written(self) -> Elements:
        """Yield the number and the next one in large digits."""
        n, n_bits = self.state["number"], self.state["n_bits"]
        places = ((0.0, 216.0, 26.0), (262.0, 520.0, 26.0)) if self.tall else ((902, 1096, 34), (902, 1096, 84))
        for (left, right, y), k, colour in zip(places, (n, n + 1), (HERE, INK), strict=True):
            yield text(left, y, f"{k}", T3, colour, "start", "bold")
            yield text(right, y, f"{k:0{n_bits}b}", T4, INK, "end", "bold")

    def targets(self) -> Targets:
        tiles, numbers = self._tiles, range(2 ** self.state["n_bits"])
        yield Target(tiles.strip(numbers, 0, self._steps.bottom + 20 - tiles.bottom), across=("number", numbers))

    # Where everything is drawn. The numbers share one axis across, with room for the one after the last.

    @property
    def _ends(self) -> tuple[float, float]:
        """The left and the right end of everything that has the numbers across."""
        return (84.0, 426.0) if self.tall else (176.0, 880.0)

    def _pane(self, top: float, high: float, up: tuple[float, float]) -> Pane:
        left, right = self._ends
        return Pane(left, top, right - left, high, (-0.5, 2 ** self.state["n_bits"] + 0.5), up)

    @property
    def _tiles(self) -> Pane:
        """Where the bits are, a row for each place."""
        left, right = self._ends
        top, high = (62.0, 168.0) if self.tall else (4.0, 120.0)
        return grid((left, top, right - left, high), range(self.state["n_bits"]), range(2 ** self.state["n_bits"] + 1))

    def _tile(self, row: int, column: int) -> tuple[float, float, float, float]:
        left, top, wide, high = cell(self._tiles, row, column)
        gap = min(2.0, 0.1 * wide)
        return left + gap, top + gap, wide - 2 * gap, high - 2 * gap

    @property
    def _waves(self) -> list[Pane]:
        """Where the waves are, by pairs; slow ones stand higher."""
        count = min(self.state["n_bits"], self.state["d_model"] // 2)
        top, high = (252.0, 288.0) if self.tall else (138.0, 172.0)
        row = high / count
        return [self._pane(top + (count - 1 - i) * row + 5, row - 10, (-1, 1)) for i in range(count)]

    @property
    def _cells(self) -> list[tuple[float, float, float, float]]:
        """Where the sines of the number are written, by pairs."""
        left, wide, most = (438.0, 82.0, 44.0) if self.tall else (902.0, 92.0, 38.0)
        middles = [(pane.middle[1], min(most, pane.high + 6)) for pane in self._waves]
        return [(left, y - high / 2, wide, high) for y, high in middles]

    @property
    def _flips(self) -> Pane:
        return self._pane(*((584.0, 48.0) if self.tall else (322.0, 40.0)), (0, self.state["n_bits"]))

    @property
    def _steps(self) -> Pane:
        return self._pane(*((678.0, 28.0) if self.tall else (376.0, 28.0)), (0, 1.3))

    def _bar(self, number: int, count: int) -> tuple[float, float, float, float]:
        """Return the place of the bar of a step, between a number and the next."""
        pane = self._flips
        left, right, y = pane.x(number + 0.25), pane.x(number + 0.75), pane.y(count)
        return left, y, right - left, pane.bottom - y

    def _sines(self, positions: Any) -> np.ndarray:
        """Return the sines of the pairs shown: shape (*positions.shape, pairs)."""
        return encoded(self.state, positions)[..., : 2 * self.state["n_bits"] : 2]


def _short(divisor: float) -> str:
    """Write a divisor in a few digits, a whole one as such."""
    return f"{divisor:,.0f}" if abs(divisor - round(divisor)) < 1e-9 * divisor < 1e-3 else short_length(divisor)
