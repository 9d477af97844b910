"""Counting in bits beside the encoding: both have slow and fast columns; bits jump and carry, sines glide."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.path import Path
from matplotlib.text import Text

from pe_lib import _checks
from pe_lib.binary import bit_periods, bits, bits_that_flip, place_values
from pe_lib.encoding import encode_positions
from pe_lib.pictures.lettering import Letters, outline, rounded
from pe_lib.pictures.picture import BLUE, DPI, GREY, INK, ORANGE, PALE, Picture
from pe_lib.properties import distance, wavelengths

ROWS = 16  # numbers on a page
POINTS = 12  # of a sine, from one position to the next
FEWEST_BITS, MOST_BITS, MOST_COLUMNS, MOST_BASE = 2, 6, 1024, 1e12
ORDINALS = {3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}
ZERO_CELL, ONE_CELL = "#f4f4f4", "#c5e0f2"

# Where things stand, in pixels from the left and from the top.
WIDTH, HEIGHT = 1100, 680
LABELS, NUMBERS, OVERFLOW, RIGHT = 16, 118, 138, 800
BITS, SINES = (152, 372), (394, 796)
FLIPS, DISTANCES = (826, 902), (940, 998)
WIDEST_BIT, WIDEST_BAR = 64, 20
TITLES, HEADINGS, TOP, BOTTOM, SUMS, NOTES = 88, (114, 135, 156), 169, 579, (597, 616), (645, 665)
DIGIT, LOW, HIGH = 0.3, 0.6, 0.88  # in a column of bits: where the digit stands, and the square wave of a 0 and of a 1


class BinaryCounter(Picture):
    """Count in binary beside the encoding of the same numbers: bits that flip, sines that glide, and their steps.

    The rows are numbers and run downward through all parts of the picture. The slowest column stands first in both:
    the bit of the largest place, and its cousin, the sine of the pair of the same index. The cousins' periods differ.
    The last row is the number after the page, so that every number of the page has its next one below it.

    Parameters
    ----------
    number : int
        The number, 0 to 2**n_bits - 1; also the position that is encoded.
    n_bits : int
        How many places the binary number has, 2 to 6. Of more than 16 numbers, the page of 16 around it is shown.
    d_model : int
        The width of the encoding, even, 2 to 1024. As many pairs are shown as there are bits, from pair 0 on.
    base : float
        The number that is raised to a power, 1 to 1e12: below 1, pair 0 would not be the fastest.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5: the wavelengths form a geometric progression. The
    comparison with binary numbers is not the paper's.

    Examples
    --------
    >>> picture = BinaryCounter(number=7)
    >>> picture.flips, round(picture.step, 4)
    (4, 0.9641)
    >>> picture = picture.update(number=0)
    >>> picture.flips, round(picture.step, 4)
    (1, 0.9641)
    """

    defaults: ClassVar = {"number": 7, "n_bits": 4, "d_model": 8, "base": 10_000.0}
    size: ClassVar = (WIDTH / DPI, HEIGHT / DPI)

    @property
    def flips(self) -> int:
        """How many of the n_bits bits change from the number to the next; from the last number, all of them do."""
        return int(self._flips_from([self.state["number"]])[0])

    @property
    def step(self) -> float:
        """The distance between the encodings of the number and of the next."""
        n = self.state["number"]
        return float(self._steps_through([n, n + 1])[0])

    def describe(self) -> str:
        """Say in words what is to be seen."""
        s, page, pairs = self.state, self._page(), range(self._pairs())
        n, last = s["number"], page[-2]
        divisors, lengths = place_values(s["d_model"], s["base"]), wavelengths(s["d_model"], s["base"])
        sines = self._sines(n)
        return (
            f"Row {n} of {page[0]} to {last} in {s['n_bits']} bits is framed. {self._headline()}. "
            f"The columns of bits repeat every {_listed(bit_periods(s['n_bits']))} numbers. "
            f"The steps from {page[0]} to {last} to the next flip {_listed(self._flips_from(page[:-1]))} bits. "
            f"Beside them run sines, {self._which_pairs()}, pair 0 the fastest: "
            f"divisors {_listed(_divisor(divisors[i]) for i in pairs)}; "
            f"wavelengths {_listed(_wavelength(lengths[i]) for i in pairs)}; "
            f"at position {n} they are {_listed(rounded(sines[i], 3) for i in pairs)}. {self._second_line()}."
        )

    def limits(self, state: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
        """Return how far the number may go."""
        return {"number": (0, 2 ** state["n_bits"] - 1)}

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        n_bits = _checks.integer("n_bits", state["n_bits"])
        if not FEWEST_BITS <= n_bits <= MOST_BITS:
            raise ValueError(f"n_bits must lie between {FEWEST_BITS} and {MOST_BITS}, got {n_bits}")
        d_model = _checks.even_d_model(state["d_model"], "without the last cosine the steps are unequal")
        if d_model > MOST_COLUMNS:
            raise ValueError(f"d_model must be at most {MOST_COLUMNS} here, got {d_model}")
        base = _checks.positive_base(state["base"])
        if not 1 <= base <= MOST_BASE:
            raise ValueError(f"base must lie between 1 and {MOST_BASE:g} here, got {base:g}")
        number = _checks.integer("number", state["number"])
        return self._within_limits({"number": number, "n_bits": n_bits, "d_model": d_model, "base": base})

    def _key(self) -> Hashable:
        s = self.state
        return s["number"] // ROWS, s["n_bits"], s["d_model"], s["base"]

    def _build(self) -> None:
        self._paper = self.figure.add_axes((0, 0, 1, 1))  # in pixels both ways
        self._paper.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
        self._rows = self.figure.add_axes((0, 1 - BOTTOM / HEIGHT, 1, (BOTTOM - TOP) / HEIGHT))  # down it run numbers
        self._rows.set(xlim=(0, WIDTH))
        self._paper.set_axis_off()
        self._rows.set_axis_off()
        self._words: list[Text] = []  # of the background, written anew with it
        self._build_background(self._rows)
        self._build_what_moves(self._rows)

    def _build_background(self, axes: Axes) -> None:
        self._cells = _added(axes, PolyCollection([], edgecolors="white", linewidths=1.5, zorder=0))
        self._too_many = Rectangle((0, 0), 0, 0, fill=False, edgecolor=INK, linewidth=1.5, linestyle="--")
        axes.add_patch(self._too_many)
        self._guides = _added(axes, LineCollection([], colors=PALE, linewidths=1, zorder=0))
        self._waves = _added(axes, LineCollection([], colors=BLUE, linewidths=2, zorder=2))
        self._dots = _marks(axes, "o", BLUE, 5)
        self._digits = [_marks(axes, outline("0"), GREY, 10), _marks(axes, outline("1"), INK, 10)]
        self._bars = _added(axes, LineCollection([], colors=PALE, capstyle="butt", zorder=1))
        self._counts = [_marks(axes, outline(str(k)), GREY, 9.5) for k in range(1, MOST_BITS + 1)]

    def _build_what_moves(self, axes: Axes) -> None:
        paper = self._paper
        self._headline_text = paper.text(LABELS, 26, "", fontsize=18, weight="bold", va="center")
        self._now = axes.text(LABELS, 0, "now", fontsize=13, weight="bold", va="center_baseline")
        self._next = axes.text(LABELS, 0, "next", fontsize=13, weight="bold", va="center_baseline")
        self._frame = Rectangle((86, 0), 712, 1, fill=False, edgecolor=INK, linewidth=2, zorder=5, clip_on=False)
        axes.add_patch(self._frame)
        self._boxes = _added(axes, LineCollection([], colors=ORANGE, linewidths=2.5, zorder=6))
        self._pieces = _added(axes, LineCollection([], colors=ORANGE, linewidths=5, capstyle="round", zorder=6))
        self._bars_now = _added(axes, LineCollection([], colors=ORANGE, capstyle="butt", zorder=6))
        self._points = _marks(axes, "o", ORANGE, 10)
        self._points.set(markeredgecolor=INK, zorder=7)
        white = {"facecolor": "white", "edgecolor": "none", "pad": 1}  # covers the count below it
        self._count = axes.text(0, 0, "", fontsize=14, weight="bold", ha="center", va="center_baseline", bbox=white)
        self._distance = axes.text(DISTANCES[1] + 6, 0, "", fontsize=13, weight="bold", va="center_baseline")
        self._sum = paper.text(0, SUMS[0], "", fontsize=12.5, ha="center", va="center")
        self._angles, self._values = (
            _added(paper, Letters(12.5, "normal", paper.transData, self.figure.dpi_scale_trans)) for _ in SUMS
        )

    def _lay(self) -> None:
        page = self._page()
        self._rows.set_ylim(page[-1] + 0.5, page[0] - 0.5)
        for text in self._words:
            text.remove()
        self._words = []
        self._lay_words()
        self._lay_bits()
        self._lay_sines()
        self._lay_steps()

    def _lay_words(self) -> None:
        s, page, pairs = self.state, self._page(), self._pairs()
        titles = {
            LABELS: f"Bits jump ({_part(page[0], page[-2], 2 ** s['n_bits'] - 1)})",
            SINES[0]: f"Sines glide ({self._which_pairs()})",
            FLIPS[0]: "Each step, compared",
        }
        self._write(LABELS, 54, self._second_line(), fontsize=16)
        for x, title in titles.items():
            self._write(x, TITLES, title, fontsize=15)
        periods = bit_periods(s["n_bits"])[::-1]
        divisors, lengths = place_values(s["d_model"], s["base"]), wavelengths(s["d_model"], s["base"])
        self._write_lines(LABELS, "index i", "place value", "repeats every", color=GREY)
        for i, period in enumerate(periods):
            self._write_lines(self._bit_x(i, 0.5), str(i), str(period // 2), str(period), ha="center")
        for i in range(s["n_bits"]):
            here = (f"÷{_divisor(divisors[i])}", _wavelength(lengths[i])) if i < pairs else ("no pair", "")
            self._write_lines(self._sine_x(i, 0), str(i), *here, ha="center", color=INK if i < pairs else GREY)
        self._write_lines(FLIPS[0], "", "bits", "that flip")
        self._write_lines(DISTANCES[0], "", "distance to", "the next PE")
        for words, y in zip(("angle: position ÷ divisor", "sine of the angle"), SUMS, strict=True):
            self._write(RIGHT, y, words, color=GREY)
        for note, y in zip(self._notes(), NOTES, strict=True):
            self._write(LABELS, y, note, color=GREY)
        for k in page:
            colour = GREY if k == page[-1] else INK
            label = self._rows.text(NUMBERS, k, str(k), color=colour, fontsize=13, ha="right", va="center_baseline")
            self._words.append(label)

    def _lay_bits(self) -> None:
        n_bits, page = self.state["n_bits"], self._page()
        table = bits(page, n_bits + 1)[:, ::-1]  # (rows, n_bits + 1): bit i in column i, last the one too many
        corners = np.array([(0, -0.5), (1, -0.5), (1, 0.5), (0, 0.5)])
        lefts, rows = np.meshgrid([self._bit_x(i, 0) for i in range(n_bits)], page)
        cells = np.stack([lefts, rows], axis=-1).reshape(-1, 1, 2)
        self._cells.set_verts(cells + corners * [self._bit_width(), 1])
        self._cells.set_facecolor([ONE_CELL if bit else ZERO_CELL for bit in table[:, :n_bits].ravel()])
        height = 22 / self._row_height()
        full = page[-1] == 2**n_bits  # then the last row needs the bit too many, in a cell of its own
        self._too_many.set_bounds(OVERFLOW - 10, page[-1] - height / 2, 20 * full, height * full)
        xs = np.array([*(self._bit_x(i, DIGIT) for i in range(n_bits)), OVERFLOW])
        for digit, marks in enumerate(self._digits):
            shown = table == digit
            shown[:, n_bits] &= digit == 1  # no leading zeros
            row, i = np.nonzero(shown)
            marks.set_data(xs[i], page[row])

    def _lay_sines(self) -> None:
        n_bits, page, pairs = self.state["n_bits"], self._page(), self._pairs()
        top, bottom = page[0] - 0.5, page[-1] + 0.5
        self._guides.set_segments(
            [[(self._sine_x(i, v), y) for y in (top, bottom)] for i in range(pairs) for v in (-1, 0, 1)]
        )
        squares = [self._square(i, page, 0.5) for i in range(n_bits)]
        self._waves.set_segments(squares + self._curves(max(top, 0.0), bottom))
        self._dots.set_data(self._sine_x(np.arange(pairs), self._sines(page)).ravel(), np.repeat(page, pairs))

    def _lay_steps(self) -> None:
        numbers = self._page()[:-1]
        self._bars.set_segments([bar for n in numbers for bar in self._bars_at(n)])
        self._bars.set_linewidth(self._bar_width())
        flips = self._flips_from(numbers)
        for count, marks in enumerate(self._counts, 1):
            there = numbers[flips == count]
            marks.set_data([self._bars_at(n)[0][1][0] + 12 for n in there], there + 0.5)

    def _move(self) -> list[Artist]:
        n = self.state["number"]
        self._headline_text.set_text(self._headline())
        self._now.set_y(n)
        self._next.set_y(n + 1)
        self._frame.set_y(n - 0.5)
        words = [self._headline_text, self._now, self._next]
        return [*words, self._frame, *self._move_columns(n), *self._move_steps(n)]

    def _move_columns(self, n: int) -> list[Artist]:
        """Mark the digits that flip, and on every sine the piece from the number to the next."""
        n_bits, pairs = self.state["n_bits"], self._pairs()
        boxes = []
        for i in range(self.flips):  # the bits that flip are always the fastest
            left, right = self._bit_x(i, DIGIT) - 9, self._bit_x(i, DIGIT) + 9
            top, bottom = n - 10 / self._row_height(), n + 1 + 10 / self._row_height()
            boxes.append([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)])
        self._boxes.set_segments(boxes)
        self._pieces.set_segments(self._curves(n, n + 1))
        sines = self._sines(n)
        self._points.set_data([self._sine_x(i, sines[i]) for i in range(pairs)], [n] * pairs)
        angles = n / place_values(self.state["d_model"], self.state["base"])
        for letters, y, words in (
            (self._angles, SUMS[0], [_angle(angles[i]) for i in range(pairs)]),
            (self._values, SUMS[1], [rounded(sines[i], 3) for i in range(pairs)]),
        ):
            letters.show(words, [(float(self._sine_x(i, 0)), y) for i in range(pairs)], [INK] * pairs)
        ones = [str(2**i) for i in reversed(range(n_bits)) if n >> i & 1]
        self._sum.set_x(self._bit_x(0, 1) - n_bits * self._bit_width() / 2)
        self._sum.set_text(f"{' + '.join(ones)} = {n}" if n else "no ones: 0")
        return [self._boxes, self._pieces, self._points, self._angles, self._values, self._sum]

    def _move_steps(self, n: int) -> list[Artist]:
        self._bars_now.set_segments(self._bars_at(n))
        self._bars_now.set_linewidth(self._bar_width())
        self._count.set_text(str(self.flips))
        self._count.set_position((self._bars_at(n)[0][1][0] + 12, n + 0.5))
        self._distance.set_text(f"{self.step:.4f}")
        self._distance.set_y(n + 0.5)
        return [self._bars_now, self._count, self._distance]

    def _headline(self) -> str:
        """Return what happens to the bits at the next step."""
        n, n_bits = self.state["number"], self.state["n_bits"]
        if n == 2**n_bits - 1:
            return (
                f"{n} → {n + 1} needs a {ORDINALS[n_bits + 1]} bit: the {n_bits} bits all flip back to {'0' * n_bits}"
            )
        return f"{n} → {n + 1} flips {self.flips} bit{'s' * (self.flips > 1)}: {n:0{n_bits}b} → {n + 1:0{n_bits}b}"

    def _second_line(self) -> str:
        """Return what happens to the encoding, at this step as at every other."""
        s = self.state
        same = float(distance(1, s["d_model"], s["base"]))
        return (
            f"The encoding moves by {same:.4f}, as it does at every step (d_model {s['d_model']}, base {s['base']:g})"
        )

    def _notes(self) -> tuple[str, str]:
        """Return how the cousins compare."""
        ratio = self.state["base"] ** (2 / self.state["d_model"])
        sine = f"a sine's wavelength by {ratio:.3g}" if self._pairs() > 1 else "and there is only one sine"
        return (
            f"One column to the left, a bit's period is multiplied by 2, {sine}.",
            "Cousins, not twins: bits carry, sines do not. Each sine has its cosine, which the distance counts too.",
        )

    def _page(self) -> np.ndarray:
        """Return the numbers of the rows: those of the page, and the one after it."""
        first = self.state["number"] // ROWS * ROWS
        return np.arange(first, first + min(ROWS, 2 ** self.state["n_bits"]) + 1)

    def _which_pairs(self) -> str:
        """Say which pairs are shown."""
        pairs = self.state["d_model"] // 2
        return f"pairs {_part(0, self._pairs() - 1, pairs - 1)}" if pairs > 1 else "pair 0"

    def _pairs(self) -> int:
        """Return how many pairs are shown."""
        return int(min(self.state["n_bits"], self.state["d_model"] // 2))

    def _sines(self, positions: Any) -> np.ndarray:
        """Return the sines of the pairs shown: shape (*positions.shape, pairs)."""
        return self._encode(positions)[..., : 2 * self._pairs() : 2]

    def _encode(self, positions: Any) -> np.ndarray:
        return encode_positions(positions, self.state["d_model"], base=self.state["base"])

    def _steps_through(self, positions: Any) -> np.ndarray:
        """Return the distances between the encodings of neighbours."""
        distances: np.ndarray = np.linalg.norm(np.diff(self._encode(positions), axis=0), axis=1)
        return distances

    def _flips_from(self, numbers: Iterable[int]) -> np.ndarray:
        """Return how many of the n_bits bits flip in the step from each number to the next."""
        return np.array([min(bits_that_flip(int(n)), self.state["n_bits"]) for n in numbers])

    def _bit_width(self) -> float:
        return float(min(WIDEST_BIT, (BITS[1] - BITS[0]) / self.state["n_bits"]))

    def _bit_x(self, i: Any, part: Any) -> Any:
        """Return where, in parts of its width, a place in the column of bit i lies across the picture."""
        return BITS[0] + (self.state["n_bits"] - 1 - i + part) * self._bit_width()

    def _sine_x(self, i: Any, value: Any) -> Any:
        """Return where a value of the sine of pair i lies across the picture."""
        width = (SINES[1] - SINES[0]) / self.state["n_bits"]
        return SINES[1] - (i + 0.5 - 0.42 * value) * width

    def _square(self, i: int, numbers: np.ndarray, reach: float) -> np.ndarray:
        """Return the square wave of bit i, halfway between numbers from one to the next, as points of a line."""
        bit = bits(numbers, self.state["n_bits"] + 1)[:, -1 - i]
        downward = np.stack([numbers - 0.5, numbers + 0.5], axis=-1).ravel()
        downward[0], downward[-1] = numbers[0] - reach, numbers[-1] + reach
        return np.column_stack([np.repeat(self._bit_x(i, np.where(bit, HIGH, LOW)), 2), downward])

    def _curves(self, first: float, last: float) -> list[np.ndarray]:
        """Return the sine of each pair shown, as points of a line."""
        downward = np.linspace(first, last, round((last - first) * POINTS) + 1)
        sines = self._sines(downward)
        return [np.column_stack([self._sine_x(i, sines[:, i]), downward]) for i in range(self._pairs())]

    def _bars_at(self, n: int) -> list[list[tuple[float, float]]]:
        """Return the bars of the step from a number to the next: its flips, and the distance of the encodings."""
        s = self.state
        flips = (FLIPS[1] - FLIPS[0]) * self._flips_from([n])[0] / s["n_bits"]
        whole = distance(1, s["d_model"], s["base"])  # what the law says that every step is
        moved = (DISTANCES[1] - DISTANCES[0]) * self._steps_through([n, n + 1])[0] / whole
        lengths = ((FLIPS[0], flips), (DISTANCES[0], moved))
        return [[(left, n + 0.5), (left + length, n + 0.5)] for left, length in lengths]

    def _bar_width(self) -> float:
        """Return a little over half the height of a row, in points."""
        return min(WIDEST_BAR, 0.55 * self._row_height()) * 72 / DPI

    def _row_height(self) -> float:
        return (BOTTOM - TOP) / len(self._page())

    def _write(self, x: float, y: float, words: str, **style: Any) -> None:
        """Write on the background."""
        self._words.append(self._paper.text(x, y, words, **{"fontsize": 12.5, "va": "center", **style}))

    def _write_lines(self, x: float, *lines: str, **style: Any) -> None:
        """Write the lines of a heading."""
        for words, y in zip(lines, HEADINGS, strict=True):
            if words:
                self._write(x, y, words, **style)


def _added(axes: Axes, lines: Any) -> Any:
    axes.add_collection(lines, autolim=False)
    return lines


def _marks(axes: Axes, marker: Any, colour: str, size: float) -> Line2D:
    """Return marks on axes, as one artist."""
    marks = Line2D([], [], linestyle="none", marker=marker, color=colour, markersize=size, zorder=3)
    marks.set_markeredgewidth(0 if isinstance(marker, Path) else 1)
    return axes.add_line(marks)


def _part(first: int, last: int, end: int) -> str:
    """Say which of 0 … end are shown."""
    return f"{first}–{last}" + (f" of 0–{end}" if (first, last) != (0, end) else "")


def _listed(words: Iterable[Any]) -> str:
    return ", ".join(map(str, words))


def _angle(x: float) -> str:
    """Write a position divided by a divisor in at most seven signs."""
    return f"{x:.3g}" if x == 0 or x >= 1e-3 else f"{x:.1e}".replace("e-0", "e-")


def _divisor(x: float) -> str:
    return f"{x:.3g}" if x < 999.5 else _large(x)


def _wavelength(x: float) -> str:
    return f"{x:.1f}" if x < 999.95 else _large(x)


def _large(x: float) -> str:
    """Write a number from 1000 on in at most six signs."""
    if x < 99_999.5:
        return f"{x:.0f}"
    digits, power = f"{x:.1e}".split("e")
    return f"{digits.removesuffix('.0')}e{int(power)}"
