"""Counting in bits over the encoding: both have slow and fast rows; bits jump and carry, sines glide."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import numpy as np

from pe_lib.binary import bit_periods, bits, bits_that_flip, place_values
from pe_lib.pictures.colours import BAND, BLUE, GREY, INK, ORANGE, PALE
from pe_lib.pictures.fields import Integer, Number
from pe_lib.pictures.panes import Pane
from pe_lib.pictures.parts import Place, asked, encoded
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, TALK, Elements, answer, box, boxes, discs, line, text
from pe_lib.pictures.writing import hold, rounded, short_length
from pe_lib.properties import distance

PAGE = 16  # numbers shown at a time
LEFT, RIGHT, TOP, BOTTOM = 280.0, 858.0, 36.0, 316.0  # of the numbers: one for each place across, bits and sines down
FLIPS, STEPS = (348.0, 384.0), (396.0, 436.0)  # top and bottom of the bars
SIDE, DIGITS, WIDE = 876.0, 62.0, 22.3  # where the large numbers begin, and the large digits, and how wide one is


class BinaryCounter(Picture):
    """Count in binary over the encoding of the same numbers: bits that flip, sines that glide, and their steps.

    The numbers run to the right, as positions do under waves, and a binary number is read downward. The slowest row
    stands on top in both parts: the bit of the largest place, and its cousin, the sine of the pair of the same index.
    The cousins' periods differ. The last number is the one after the page, so that every number has its next beside it.
    That wavelengths form a geometric progression is from Vaswani et al. (2017), section 3.5, the comparison is not.

    {parameters}

    Examples
    --------
    >>> picture = BinaryCounter(number=7)
    >>> picture.flips, round(picture.step, 4)
    (4, 0.9641)
    """

    fields: ClassVar = (
        Integer("n_bits", 4, 2, 6, about="How many places numbers have in binary"),
        # Even, since without the last cosine the steps would be unequal.
        Integer("d_model", 8, 2, 1024, reach=(2, 64), step=2, about="The width, even; as many pairs are shown as bits"),
        # Below this base, pair 0 would not be the fastest.
        Number("base", 10_000.0, 1, 1e12, (10.0, 16.0, 100.0, 1e3, 1e4, 1e5), about="What is raised to a power"),
        Integer("number", 7, 0, lambda s: 2 ** s["n_bits"] - 1, moves=True, about="The number, also a position"),
    )
    shown: ClassVar = ("n_bits", "d_model", "base")
    play: ClassVar = "number"
    presets: ClassVar = {
        "0 → 1": {"number": 0},
        "15 → 16": {"number": 15, "n_bits": 4},
        "31 → 32": {"number": 31, "n_bits": 6, "d_model": 12},
        "64 columns": {"d_model": 64},
        "base 16: doubling": {"base": 16.0},
    }
    pages: ClassVar = (
        {"number": range(16), "d_model": (4, 8, 64), "base": (16.0, 100.0, 10_000.0)},
        {"number": range(64), "n_bits": (6,), "d_model": (12,)},
        {"number": range(32), "n_bits": (5,)},
        {"number": range(8), "n_bits": (3,)},
    )

    @property
    def flips(self) -> int:
        """How many of the n_bits bits change from the number to the next; from the last number, all of them do."""
        return self._flips(self.state["number"])

    @property
    def step(self) -> float:
        """The distance between the encodings of the number and of the next, which is that of all neighbours."""
        return float(distance(1, self.state["d_model"], self.state["base"]))

    def behind(self) -> tuple[Any, ...]:
        """Return what the background depends on: the page as well."""
        return *super().behind(), self.state["number"] // PAGE

    def words(self) -> str:
        s, shown, divisors = self.state, self._numbers(), self._divisors()
        n, n_bits = s["number"], s["n_bits"]
        more = f", all of them, and bit {n_bits} is needed" if n + 1 == 2**n_bits else ""
        return (
            f"Numbers {shown[0]} to {shown[-2]} in {n_bits} bits; the rows repeat every {_listed(bit_periods(n_bits))} "
            f"numbers. Marked are {n}, {n:0{n_bits}b}, and {n + 1}, {n + 1:0{n_bits}b}. Bits that flip: "
            f"{hold(f'{self.flips}{more}')}; at each number: {hold(_listed(map(self._flips, shown[:-1])))}. Below "
            f"run sines of the first {len(divisors)} of {s['d_model'] // 2} pairs (d_model {s['d_model']}, base "
            f"{s['base']:.12g}), from pair 0 on: divisors {_listed(map(_short, divisors))}; wavelengths "
            f"{_listed(map(short_length, 2 * np.pi * divisors))}; at position {n} they are "
            f"{_listed(rounded(x, 3) for x in self._sines(n))}. The encoding moves from {n} to {n + 1} by "
            f"{hold(f'{self.step:.4f}, as at every step')}."
        )

    def lay(self) -> Elements:
        """Yield the bits and the sines of all numbers shown, and the bars of all steps."""
        n_bits, numbers, (binary, sines) = self.state["n_bits"], self._numbers(), self._panes()
        xs, high, last, divisors = binary.x(numbers), sines.high / n_bits, numbers[-1], self._divisors()
        slot, size = binary.wide / len(numbers), min(TALK, 0.8 * high)
        yield text(170, 18, "place", SMALL, GREY, "end")
        yield text(268, 18, "period", SMALL, GREY, "end")
        for k, x in zip(numbers, xs, strict=True):
            yield text(x, 18, f"{k}", colour=GREY if k == last else INK, most=slot - 7)
        *table, beyond = bits(numbers, n_bits + 1)[:, ::-1].T  # bit i in row i, and one too many
        for i, row in enumerate(table):
            edge = binary.y(i) + (0.5 - row) * (high - 4)  # over a one, under a zero
            yield boxes([(x - slot / 2, binary.y(i) - high / 2, slot, high) for x in xs[row == 1]], BAND)
            yield line(np.c_[xs - slot / 2, xs + slot / 2].ravel(), np.repeat(edge, 2), BLUE, 2)
            for k, x, bit in zip(numbers, xs, row, strict=True):
                yield text(x, binary.y(i), f"{bit}", size, INK if bit and k < last else GREY)
        if beyond[-1]:
            yield box(xs[-1] - 11, binary.top + 1, 22, high - 2, "", INK, 1.5, dash=(4, 3))
            yield text(xs[-1], binary.y(n_bits), "1", size, GREY)
        yield line([LEFT, RIGHT], sines.y(np.arange(len(divisors)))[:, np.newaxis], PALE, 1)
        points = np.linspace(numbers[0], last, 12 * (len(numbers) - 1) + 1)
        yield line(sines.x(points), self._curves(points), BLUE, 2)
        yield discs(xs, self._curves(numbers), 2.8, BLUE)
        named = [(binary.y(i), f"bit {i}", f"{2**i}", f"{2 ** (i + 1)}") for i in range(n_bits)]
        for i, divisor in enumerate(divisors):
            named.append((sines.y(i), f"pair {i}", f"÷{_short(divisor)}", short_length(2 * np.pi * divisor)))
        for y, name, place, period in named:
            yield text(10, y, name, size, align="start", weight="bold")
            yield text(170, y, place, size, align="end", most=82)
            yield text(268, y, period, size, align="end", most=88)
        yield text(268, sum(FLIPS) / 2, "bits that flip", align="end")
        yield text(268, sum(STEPS) / 2, "length of the step", align="end")
        counts = [text(binary.x(k + 0.5), FLIPS[0] - 12, f"{self._flips(k)}", 18, GREY) for k in numbers[:-1]]
        yield from answer(boxes(self._bars(numbers[:-1]), PALE), *counts)

    def move(self) -> Elements:
        """Mark the number and what changes to the next: bits, pieces of the sines, and the lengths of both steps."""
        n, n_bits, flips, (binary, sines) = self.state["number"], self.state["n_bits"], self.flips, self._panes()
        here, slot, high = binary.x(n), binary.x(1) - binary.x(0), sines.high / n_bits
        top = binary.y(flips - 0.5) + 2  # of the bits that flip
        yield box(here - slot / 2 + 1, 3, slot - 2, BOTTOM - 3, "", INK, 2.5, radius=5)
        points = np.linspace(n, n + 1, 13)
        pieces = self._curves(points)
        yield line(sines.x(points), pieces, ORANGE, 5, (), "round")
        yield discs(here, pieces[:, 0], 6, ORANGE, INK, 1.2)
        for i, (divisor, sine) in enumerate(zip(self._divisors(), self._sines(n), strict=True)):
            yield text(SIDE, sines.y(i), f"sin({n} ÷ {_short(divisor)})", SMALL, GREY, "start")
            yield text(1090, sines.y(i), rounded(sine, 3), min(TALK, 0.8 * high), align="end")
        for k, y in ((n, DIGITS), (n + 1, DIGITS + 46)):
            yield text(SIDE, y, f"{k}", 32, GREY, "start")
            yield text(1089, y, f"{k:0{n_bits}b}", 32, align="end", weight="bold")
        yield from answer(
            box(1076 - WIDE * (flips - 0.5), DIGITS - 21, WIDE * flips + 4, 88, "", ORANGE, 3, radius=5),
            box(here - slot / 2 + 4, top, 2 * slot - 8, flips * high - 4, "", ORANGE, 3, radius=5),
            boxes(self._bars([n]), ORANGE),
        )
        for said, ends in ((f"{flips}", FLIPS), (f"{self.step:.4f}", STEPS)):
            yield from asked(SIDE, sum(ends) / 2, said, 40, INK, "start", "bold")

    def targets(self) -> Targets:
        """Yield the numbers: a click chooses the one above or below."""
        numbers, pane = self._numbers()[:-1], self._panes()[0]
        yield Target((LEFT, 0, pane.x(numbers[-1] + 0.5) - LEFT, 440), across=("number", numbers.tolist()))

    def _numbers(self) -> np.ndarray:
        """Return the numbers shown: those of the page, and the one after it."""
        first = self.state["number"] // PAGE * PAGE
        return np.arange(first, first + min(PAGE, 2 ** self.state["n_bits"]) + 1)

    def _divisors(self) -> np.ndarray:
        """Return the divisors of the pairs shown, as many as there are bits, where there are."""
        return place_values(self.state["d_model"], self.state["base"])[: self.state["n_bits"]]

    def _panes(self) -> tuple[Pane, Pane]:
        """Return where the bits are, with a row for one too many, and the sines; slow ones stand higher."""
        numbers, n_bits = self._numbers(), self.state["n_bits"]
        high, across = (BOTTOM - TOP - 8) / (2 * n_bits + 1), (numbers[0] - 0.5, numbers[-1] + 0.5)
        binary = Pane(LEFT, TOP, RIGHT - LEFT, (n_bits + 1) * high, across, (-0.5, n_bits + 0.5))
        return binary, Pane(LEFT, BOTTOM - n_bits * high, RIGHT - LEFT, n_bits * high, across, (-0.5, n_bits - 0.5))

    def _bars(self, numbers: Iterable[int]) -> Iterator[Place]:
        """Yield the bars of the steps of numbers, each to its next: flips, and lengths, which are all the same."""
        pane = self._panes()[0]
        for k in numbers:
            for part, (top, bottom) in (self._flips(k) / self.state["n_bits"], FLIPS), (1.0, STEPS):
                high = part * (bottom - top)
                yield pane.x(k + 0.25), bottom - high, pane.x(0.5) - pane.x(0), high

    def _flips(self, number: int) -> int:
        """Return how many of the n_bits bits flip in the step from a number to the next."""
        return min(bits_that_flip(int(number)), int(self.state["n_bits"]))

    def _sines(self, positions: Any) -> np.ndarray:
        """Return the sines of the pairs shown: shape (*positions.shape, pairs)."""
        return encoded(self.state, positions)[..., : 2 * self.state["n_bits"] : 2]

    def _curves(self, positions: np.ndarray) -> np.ndarray:
        """Return how far down the sines run at positions, each in its row: shape (pairs, positions)."""
        sines = self._sines(positions)
        heights: np.ndarray = self._panes()[1].y(np.arange(sines.shape[1]) + 0.42 * sines).T
        return heights


def _listed(words: Any) -> str:
    return ", ".join(map(str, words))


def _short(x: float) -> str:
    """Write a divisor in a few digits."""
    return f"{x:.3g}" if x < 100 else f"{x:.0f}" if x < 1e5 else f"{x:.2g}"
