"""One number of the encoding seen from five sides: word, formula, wave, clock hand, cell of the matrix."""

from collections.abc import Hashable, Mapping
from typing import Any, ClassVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle
from matplotlib.patheffects import withStroke

from pe_lib import _checks
from pe_lib.encoding import encode_positions
from pe_lib.examples import I_LIKE_DEEP_LEARNING
from pe_lib.pictures.picture import (
    BLUE,
    DPI,
    GREY,
    INK,
    ORANGE,
    PALE,
    SIGNED,
    Picture,
    fit,
    one_line,
    printable,
    readable_on,
    short_length,
    shrink,
    words_of,
)
from pe_lib.properties import wavelengths
from pe_lib.walkthrough import Explanation, explain

WORDS, ROWS, COLUMNS = 10, 10, 8  # how many the picture shows at a time; longer ones are paged
POINTS = 601  # along the wave
ROUNDED = "round,pad=0,rounding_size=0.012"


class ExplainThisNumber(Picture):
    """Explain the number in one row and column of the encoding of a sentence.

    Parameters
    ----------
    tokens : str or sequence of str
        A text, split at its spaces, or a list of words; one or more.
    d_model : int
        The width of the encoding.
    base : float
        The number that is raised to a power.
    position, column : int
        The row and column of the number, from 0.

    Raises
    ------
    TypeError, ValueError
        If there is no such number.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> ExplainThisNumber(position=2, column=3).explanation.value.__round__(4)
    0.9957
    """

    defaults: ClassVar = {
        "tokens": I_LIKE_DEEP_LEARNING.tokens,
        "d_model": 6,
        "base": 10_000.0,
        "position": 2,
        "column": 3,
    }
    size: ClassVar = (11.0, 6.8)

    @property
    def explanation(self) -> Explanation:
        """The arithmetic behind the number."""
        s = self.state
        return explain(s["position"], s["column"], s["d_model"], base=s["base"])

    def describe(self) -> str:
        """Say in words what is to be seen."""
        s, e = self.state, self.explanation
        turns = e.angle / (2 * np.pi)
        return (
            f"Position {s['position']}, the word “{one_line(s['tokens'][s['position']])}”, column {s['column']}, "
            f"d_model {s['d_model']}: {'; '.join(step.equation for step in e.steps[1:])}. "
            f"The wave of column {s['column']} is a {self._wave()} of wavelength {self._wavelength():,.2f}, "
            f"and its point at position {s['position']} lies at {e.shown}. "
            f"The clock hand of pair {e.pair} has made {turns:.4f} turns. "
            f"In the matrix, row {s['position']} is framed and the cell in column {s['column']} marked."
        )

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        tokens = words_of(state["tokens"])
        if not tokens:
            raise ValueError("tokens must hold at least one word, got none")
        _checks.integer("d_model", state["d_model"], at_least=1)
        _checks.positive_base(state["base"])
        return self._within_limits({**state, "tokens": tokens})

    def limits(self, state: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
        """Return how far position and column may go."""
        return {"position": (0, len(words_of(state["tokens"])) - 1), "column": (0, state["d_model"] - 1)}

    def _key(self) -> Hashable:
        s = self.state
        pages = s["position"] // WORDS, s["position"] // ROWS, s["column"] // COLUMNS
        return s["tokens"], s["d_model"], s["base"], pages

    def _build(self) -> None:
        f = self.figure
        self._words = f.add_axes((0.02, 0.85, 0.96, 0.14))
        self._words.set_axis_off()
        self._words.set(xlim=(0, 1), ylim=(0, 1))
        f.add_artist(Rectangle((0.02, 0.63), 0.96, 0.19, facecolor="#f4f4f4", edgecolor="none"))
        self._given = f.text(0.5, 0.789, "", ha="center", va="center", color=GREY)
        self._formula = f.text(0.5, 0.704, "", ha="center", va="center", parse_math=True)
        self._build_wave(f.add_axes((0.065, 0.115, 0.29, 0.39)))
        self._build_clock(f.add_axes((0.375, 0.115, 0.235, 0.39)))
        self._cells = f.add_axes((0.655, 0.115, 0.33, 0.34))
        self._cells_title = f.text(0.655, 0.547, "", fontsize=15, va="bottom")
        self._row = Rectangle((0, 0), 0, 1, fill=False, edgecolor=INK, linewidth=2.5, clip_on=False, zorder=5)
        self._cell = Rectangle((0, 0), 1, 1, fill=False, edgecolor=ORANGE, linewidth=3, clip_on=False, zorder=6)
        self._cell.set_path_effects([withStroke(linewidth=5, foreground="white")])  # seen on red and blue alike
        self._word = FancyBboxPatch((0, 0), 1, 1, ROUNDED, facecolor="none", edgecolor=ORANGE, linewidth=5)
        self._words.add_patch(self._word)

    def _build_wave(self, axes: Axes) -> None:
        axes.set(ylim=(-1.45, 1.45), yticks=(-1, 0, 1), xlabel="position")
        axes.ticklabel_format(useOffset=False, style="plain")
        axes.axhline(0, color=PALE, zorder=0)
        (self._curve,) = axes.plot([], [], color=BLUE, linewidth=2.5, zorder=2)
        (self._dots,) = axes.plot([], [], "o", color=BLUE, markersize=6, zorder=3)
        (self._stem,) = axes.plot([], [], ":", color=ORANGE, linewidth=2.5, zorder=3)
        (self._point,) = axes.plot([], [], "o", color=ORANGE, markersize=14, markeredgecolor=INK, zorder=4)
        self._value = axes.text(0, 1.3, "", va="center", fontsize=15, weight="bold", zorder=5)
        self._wave_title = self.figure.text(0.04, 0.547, "", fontsize=15, va="bottom")
        self._wave_axes = axes

    def _build_clock(self, axes: Axes) -> None:
        axes.set(xlim=(-1.45, 1.45), ylim=(-1.45, 1.45), aspect="equal")
        axes.set_axis_off()
        axes.add_patch(Circle((0, 0), 1, fill=False, edgecolor=GREY, linewidth=1.5))
        axes.plot([-1.15, 1.15], [0, 0], color=PALE, zorder=0)
        axes.plot([0, 0], [-1.15, 1.15], color=PALE, zorder=0)
        axes.text(1.27, -0.06, "cos", ha="center", va="top", color=GREY)
        axes.text(0, 1.2, "sin", ha="center", va="bottom", color=GREY)
        (self._hand,) = axes.plot([], [], color=INK, linewidth=4, solid_capstyle="round", zorder=4)
        (self._tip,) = axes.plot([], [], "o", color=INK, markersize=9, zorder=4)
        (self._across,) = axes.plot([], [], ":", color=GREY, linewidth=1.5, zorder=2)
        (self._down,) = axes.plot([], [], ":", color=GREY, linewidth=1.5, zorder=2)
        (self._shadow,) = axes.plot([], [], color=ORANGE, linewidth=7, solid_capstyle="butt", zorder=3)
        self._clock_title = self.figure.text(0.375, 0.547, "", fontsize=15, va="bottom")

    def _lay(self) -> None:
        s = self.state
        first = s["position"] // WORDS * WORDS
        for text in list(self._words.texts):
            text.remove()
        for patch in list(self._words.patches):
            if patch is not self._word:
                patch.remove()
        words = s["tokens"][first : first + WORDS]
        for k, word in enumerate(words):
            x, width = self._slot(first + k)
            self._words.add_patch(
                FancyBboxPatch((x, 0.36), width, 0.56, ROUNDED, facecolor="#eeeeee", edgecolor="none")
            )
            text = self._words.text(x + width / 2, 0.64, printable(word), ha="center", va="center", fontsize=18)
            shrink(text, 18, 0.85 * width * 0.96 * self.size[0] * DPI, smallest=13)
            fit(text, 0.92 * width * 0.96 * self.size[0] * DPI)
            self._words.text(x + width / 2, 0.12, f"pos {first + k}", ha="center", va="center", color=GREY, fontsize=13)
        for x, there in ((0.008, first > 0), (0.992, first + WORDS < len(s["tokens"]))):
            self._words.text(x, 0.64, "…" if there else "", ha="center", va="center", fontsize=18)
        last = max(12, len(words) + 1)
        self._wave_axes.set(xlim=(first - 0.5, first + last + 0.5))
        self._wave_axes.set_xticks(range(first, first + last + 1, 4))
        self._lay_cells()

    def _lay_cells(self) -> None:
        s, axes = self.state, self._cells
        top, left = s["position"] // ROWS * ROWS, s["column"] // COLUMNS * COLUMNS
        rows = np.arange(top, min(top + ROWS, len(s["tokens"])))
        columns = np.arange(left, min(left + COLUMNS, s["d_model"]))
        numbers = encode_positions(rows, s["d_model"], base=s["base"])[:, columns]
        axes.clear()
        axes.imshow(
            numbers,
            cmap=SIGNED,
            vmin=-1,
            vmax=1,
            aspect="auto",
            extent=(left - 0.5, columns[-1] + 0.5, rows[-1] + 0.5, top - 0.5),
        )
        for pos, numbers_of_row in zip(rows, numbers, strict=True):
            for j, number in zip(columns, numbers_of_row, strict=True):
                text, colour = f"{round(number, 2) + 0.0:.2f}", readable_on(number)
                axes.text(j, pos, text, ha="center", va="center", fontsize=12.5, color=colour)
        axes.set_xticks(columns, [f"{'cos' if j % 2 else 'sin'}\n{j}" for j in columns])
        axes.set_yticks(rows)
        axes.xaxis.tick_top()
        axes.tick_params(length=0, pad=7)
        axes.spines[:].set_visible(False)
        shown = f"rows {top}–{rows[-1]} of {len(s['tokens'])}, columns {left}–{columns[-1]} of {s['d_model']}"
        whole = len(rows) == len(s["tokens"]) and len(columns) == s["d_model"]
        caption = axes.set_xlabel("row: pos, column: j" if whole else shown, color=GREY, labelpad=8)
        shrink(caption, 13, 0.33 * self.size[0] * DPI)
        self._row.set_bounds(left - 0.5, 0, len(columns), 1)
        axes.add_patch(self._row)
        axes.add_patch(self._cell)

    def _move(self) -> list[Artist]:
        s, e = self.state, self.explanation
        position, column = s["position"], s["column"]
        x, width = self._slot(position)
        self._word.set_bounds(x, 0.36, width, 0.56)
        kind = "odd, so a cosine" if column % 2 else "even, so a sine"
        self._given.set_text(
            f"pos = {position}      j = {column}, {kind}      pair i = {column} // 2 = {e.pair}      "
            f"d_model = {s['d_model']}"
        )
        self._formula.set_text(f"${e.formula.replace(' -', ' {-}')}$")  # a minus sign, as matplotlib's TeX sets one
        shrink(self._given, 15, 0.94 * self.size[0] * DPI)
        shrink(self._formula, 19, 0.94 * self.size[0] * DPI)
        return [
            self._word,
            self._given,
            self._formula,
            *self._move_wave(e),
            *self._move_clock(e),
            *self._move_cells(),
        ]

    def _move_wave(self, e: Explanation) -> list[Artist]:
        s = self.state
        first, last = self._wave_axes.get_xlim()
        xs = np.linspace(first, last, POINTS)
        page = s["position"] // WORDS * WORDS
        dots = np.arange(page, min(page + WORDS, len(s["tokens"])))
        of = np.sin if e.function == "sin" else np.cos
        self._curve.set_data(xs, of(xs / e.divisor))
        self._dots.set_data(dots, of(dots / e.divisor))
        self._stem.set_data([s["position"]] * 2, [-1.45, 1.12])
        self._point.set_data([s["position"]], [e.value])
        self._value.set_text(e.shown)
        near_the_axis = s["position"] < first + 2  # where the number, centred, would lie across the axis
        self._value.set_x(first + 0.3 if near_the_axis else s["position"])
        self._value.set_horizontalalignment("left" if near_the_axis else "center")
        kind = f"{self._wave()}, wavelength {short_length(self._wavelength())}"
        self._wave_title.set_text(f"Wave of column {s['column']}\n{kind}")
        return [self._curve, self._dots, self._stem, self._point, self._value, self._wave_title]

    def _move_clock(self, e: Explanation) -> list[Artist]:
        cosine, sine = np.cos(e.angle), np.sin(e.angle)
        self._hand.set_data([0, cosine], [0, sine])
        self._tip.set_data([cosine], [sine])
        self._across.set_data([0, cosine], [sine, sine])
        self._down.set_data([cosine, cosine], [0, sine])
        self._shadow.set_data(([0, 0], [0, sine]) if e.function == "sin" else ([0, cosine], [0, 0]))
        degrees = np.degrees(e.angle)
        turned = f"{degrees:,.1f}" if abs(degrees) >= 1 else f"{degrees:.3g}"
        self._clock_title.set_text(f"Clock hand of pair {e.pair}\n{e.angle:,.4g} rad, {turned}°")
        return [self._hand, self._tip, self._across, self._down, self._shadow, self._clock_title]

    def _move_cells(self) -> list[Artist]:
        s = self.state
        self._row.set_y(s["position"] - 0.5)
        left, right = self._cells.get_xlim()
        bottom, top = self._cells.get_ylim()
        box = self._cells.get_position()
        x = 2 * (right - left) / (box.width * self.size[0] * DPI)  # two pixels, so that the number stays free
        y = 2 * (bottom - top) / (box.height * self.size[1] * DPI)
        self._cell.set_bounds(s["column"] - 0.5 - x, s["position"] - 0.5 - y, 1 + 2 * x, 1 + 2 * y)
        self._cells_title.set_text(f"Row {s['position']} of the matrix\nthe marked cell: column {s['column']}")
        return [self._row, self._cell, self._cells_title]

    def _slot(self, position: int) -> tuple[float, float]:
        """Return where a word's box begins and how wide it is, in parts of the line."""
        first = position // WORDS * WORDS
        n = min(WORDS, len(self.state["tokens"]) - first)
        room = min(0.97 / n, 0.24)
        return 0.5 + (position - first - n / 2) * room + 0.006, room - 0.012

    def _wave(self) -> str:
        return "cosine" if self.state["column"] % 2 else "sine"

    def _wavelength(self) -> float:
        return float(wavelengths(self.state["d_model"], self.state["base"])[self.state["column"] // 2])
