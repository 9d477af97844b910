"""The columns of the encoding as waves: one position is one x on all of them, and its encoding is read there."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import FancyBboxPatch
from matplotlib.transforms import blended_transform_factory

from pe_lib import _checks
from pe_lib.encoding import encode_positions
from pe_lib.pictures.lettering import Letters, rounded
from pe_lib.pictures.picture import (
    BLUE,
    DPI,
    GREEN,
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
    spread,
    words_of,
)
from pe_lib.properties import wavelengths

MOST = 512  # columns, and positions
PAIRS = 8  # shown at a time; of more, some are shown
AXIS = 7  # positions on the x axis at least, so that the fastest wave is seen to repeat
HEIGHT = 0.4  # of a wave, where the rows are 1 apart
POINTS = 24  # along one wavelength of the fastest wave
SOLID = 24  # pixels of wavelength below which a dashed wave cannot be followed
LEFT, RIGHT, TOP = 0.255, 0.838, 0.815  # of the waves, in parts of the figure
CELLS = 0.868  # where the vector begins
GUTTER = {"pair i": 0.054, "wavelength": 0.155, "column j": 0.229}  # where the words at the left end
STEPS = (1, 2, 5, 10, 20, 50)  # from one number on the x axis to the next


class Waves(Picture):
    """Show the columns of the encoding as waves, slow ones on top, and read off the encoding of one position.

    Parameters
    ----------
    d_model : int
        The width of the encoding, 1 to 512. Of more than 16 columns 16 are shown: 8 pairs, spread evenly from the
        fastest to the slowest (15 columns if `d_model` is odd).
    length : int
        How many positions there are, 1 to 512. Where tokens are given there are as many positions as tokens, and
        what `length` says is left aside.
    base : float
        The number that is raised to a power; finite, 1 or more: below 1, the waves would be too fast to be followed
        from position to position.
    position : int
        The chosen position, 0 to length - 1.
    tokens : str or sequence of str, optional
        A text, split at its spaces, or up to 512 words: one for each position. None, or no words, for none.

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

    defaults: ClassVar = {"d_model": 4, "length": 16, "base": 10_000.0, "position": 2, "tokens": None}
    size: ClassVar = (11.0, 6.8)

    @property
    def columns(self) -> np.ndarray:
        """The columns that are shown, from the lowest wave to the highest: integers, shape (rows,)."""
        d_model = self.state["d_model"]
        pairs = (d_model + 1) // 2
        shown = spread(pairs, PAIRS)
        columns = np.stack([2 * shown, 2 * shown + 1], axis=-1).ravel()
        return np.extract(columns < d_model, columns)

    @property
    def vector(self) -> np.ndarray:
        """What is read off at the chosen position, one number for each column that is shown: float64, shape (rows,)."""
        return self._encoded(self.state["position"])

    def describe(self) -> str:
        """Say in words what is to be seen."""
        s, columns = self.state, self.columns
        of = f" of {s['d_model']}" if len(columns) < s["d_model"] else ""
        shown = f"{len(columns)}{of} columns" if s["d_model"] > 1 else "one column"
        word = f", the word “{one_line(s['tokens'][s['position']])}”," if s["tokens"] else ""
        pairs = [
            f"{' and '.join(f'{j}' for j in columns[::-1] if j // 2 == i)}: {short_length(self._wavelength(i))}"
            for i in self._pairs()[::-1]
        ]
        readings = ", ".join(f"{j}: {rounded(x)}" for j, x in zip(columns, self.vector, strict=True))
        return (
            f"Waves of {shown} over {self._positions()} (d_model {s['d_model']}, base "
            f"{s['base']:.12g}), even columns sines, odd ones cosines. Their wavelengths from the top, in "
            f"positions, by column: {'; '.join(pairs)}. A vertical line at position {s['position']}{word} meets each "
            f"wave in a dot. What it reads there is the vector PE({s['position']}), by column: {readings}."
        )

    def limits(self, state: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
        """Return how far length and position may go: tokens decide the length, and the length the last position."""
        words = len(_words(state["tokens"]) or ())
        return {"length": (words or 1, words or MOST), "position": (0, (words or state["length"]) - 1)}

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        tokens = _words(state["tokens"])
        if tokens is not None and len(tokens) > MOST:
            raise ValueError(f"tokens must hold at most {MOST} words, got {len(tokens)}")
        d_model = _checks.integer("d_model", state["d_model"], at_least=1)
        if d_model > MOST:
            raise ValueError(f"d_model must be at most {MOST}, got {d_model}")
        base = _checks.positive_base(state["base"])
        if base < 1:
            raise ValueError(f"base must be 1 or more to be drawn as waves, got {base:g}")
        length = _checks.integer("length", state["length"]) if tokens is None else len(tokens)
        plain = {"d_model": d_model, "length": length, "base": base, "tokens": tokens}
        return self._within_limits({**state, **plain})

    def _key(self) -> Hashable:
        s = self.state
        return s["d_model"], s["length"], s["base"], s["tokens"]

    def _build(self) -> None:
        f = self.figure
        self._waves = f.add_axes((LEFT, 0.1, RIGHT - LEFT, TOP - 0.1))
        self._cells = f.add_axes((CELLS, 0.1, 0.08, TOP - 0.1))
        f.text(
            0.015,
            0.963,
            "Each column is a wave, slow ones on top. One position is one x on all of them.",
            fontsize=17,
            va="center",
        )
        self._subtitle = f.text(0.015, 0.913, "", color=GREY, va="center")
        for name, end in GUTTER.items():
            f.text(end, TOP + 0.035, name, ha="right", va="center", color=GREY, fontsize=12.5)
        f.text(0.957, TOP + 0.035, "j", va="center", color=GREY, fontsize=12.5)
        self._build_waves(self._waves)
        self._build_vector(self._cells)
        self._labels: list[Artist] = []

    def _build_waves(self, axes: Axes) -> None:
        axes.spines[:].set_visible(False)
        axes.set_yticks([])
        axes.tick_params(axis="x", color=GREY)
        across = blended_transform_factory(self.figure.transFigure, axes.transData)
        self._bands = PolyCollection([], facecolors="#f2f2f2", transform=across, clip_on=False, zorder=0)
        axes.add_collection(self._bands, autolim=False)
        (self._zeros,) = axes.plot([], [], color=PALE, linewidth=1, zorder=1)
        (self._sines,) = axes.plot([], [], color=BLUE, linewidth=2, zorder=2)
        (self._cosines,) = axes.plot([], [], color=GREEN, linewidth=2, dashes=(4, 1.5), zorder=2)
        (self._fast_cosines,) = axes.plot([], [], color=GREEN, linewidth=2, zorder=2)
        (self._dots,) = axes.plot([], [], "o", color=GREY, markersize=4, zorder=3)
        (self._leaders,) = axes.plot([], [], color=ORANGE, linewidth=1.44, clip_on=False, zorder=4)
        self._leaders.set(linestyle=(0, (1, 2)), dash_capstyle="butt")  # 2 pixels in 6: even dots keep the PNG small
        self._leaders.set(marker=">", markevery=(1, 3))  # of start, end, break: an arrowhead at each end
        (self._line,) = axes.plot([], [], color=ORANGE, linewidth=2.5, zorder=5)
        (self._readings,) = axes.plot([], [], "o", color=ORANGE, markersize=10, markeredgecolor=INK, zorder=6)
        self._readings.set_clip_on(False)
        self._name = self.figure.text(
            0, TOP + 0.035, "", ha="center", va="center", fontsize=15, weight="bold", zorder=7
        )
        self._word = FancyBboxPatch((0, 0), 1, 1, "round,pad=0,rounding_size=0.006", facecolor="none", zorder=7)
        self._word.set(edgecolor=ORANGE, linewidth=2.5, transform=self.figure.transFigure)
        self.figure.add_artist(self._word)

    def _build_vector(self, axes: Axes) -> None:
        axes.set_axis_off()
        axes.set(xlim=(0, 1))
        self._colours = PolyCollection([], edgecolors=GREY, linewidths=0.8, clip_on=False, zorder=5)
        axes.add_collection(self._colours, autolim=False)
        self._numbers = Letters(13.5, "normal", axes.transData, self.figure.dpi_scale_trans)
        self._title = Letters(15, "bold", self.figure.transFigure, self.figure.dpi_scale_trans)
        axes.add_collection(self._numbers, autolim=False)
        self.figure.add_artist(self._title)

    def _lay(self) -> None:
        s, columns = self.state, self.columns
        while self._labels:
            self._labels.pop().remove()
        span = max(s["length"], AXIS) - 1
        margin = max(0.5, 0.02 * span)
        self._waves.set_xlim(-margin, span + margin)
        bottom = 0.135 if self._words_fit() else 0.085
        for axes in (self._waves, self._cells):
            box = axes.get_position()
            axes.set_position((box.x0, bottom, box.width, TOP - bottom))
            axes.set_ylim(-0.5, len(columns) - 0.5)
        step = next((n for n in STEPS if s["length"] <= 16 * n), STEPS[-1])
        self._waves.set_xticks(range(0, s["length"], step))
        more = f"{len(columns)} of {s['d_model']} columns, fastest to slowest"
        shown = more if len(columns) < s["d_model"] else f"d_model = {s['d_model']}"
        formula = f"wavelength = 2π · {s['base']:.12g}^(2i/{s['d_model']})"
        self._subtitle.set_text(f"{shown}    {self._positions()}    {formula}")
        shrink(self._subtitle, 14, 0.97 * self.size[0] * DPI, smallest=12.5)
        self._lay_waves()
        self._labels = [*self._row_labels(), *self._axis_labels(bottom)]

    def _lay_waves(self) -> None:
        s, columns = self.state, self.columns
        rows, last = np.arange(len(columns)), self._waves.get_xlim()[1]
        xs = np.linspace(0, last, max(601, round(POINTS * last / (2 * np.pi))))
        curves = self._encoded(xs).T * HEIGHT + rows[:, np.newaxis]  # (rows, points)
        self._sines.set_data(*_broken(xs, curves[columns % 2 == 0]))
        fast = wavelengths(s["d_model"], s["base"])[columns // 2] * self._slot() < SOLID
        self._cosines.set_data(*_broken(xs, curves[(columns % 2 == 1) & ~fast]))
        self._fast_cosines.set_data(*_broken(xs, curves[(columns % 2 == 1) & fast]))
        self._zeros.set_data(*_broken(np.array(self._waves.get_xlim()), np.stack([rows, rows], axis=-1)))
        positions = np.arange(s["length"])
        self._table = self._encoded(positions)  # (length, rows): what the moving position reads
        self._table_colours = colormaps[SIGNED]((self._table + 1) / 2)
        self._dots.set_data(*_broken(positions, self._table.T * HEIGHT + rows[:, np.newaxis]))
        self._dots.set(visible=self._slot() >= 12, markersize=min(self._slot() / 6, 5))
        shaded = [rows[columns // 2 == i] for i in self._pairs()[1::2]]
        self._bands.set_verts([_box(0.009, 0.991, row[0] - 0.5, row[-1] + 0.5) for row in shaded])
        self._colours.set_verts([_box(0, 1, row - 0.44, row + 0.44) for row in rows])

    def _row_labels(self) -> Iterable[Artist]:
        columns, across = self.columns, self._bands.get_transform()
        for row, j in enumerate(columns):
            style: dict[str, Any] = {"transform": across, "va": "center_baseline", "fontsize": 13}
            yield self._waves.text(0.191, row, f"{j}", ha="right", **style)
            yield self._waves.text(0.196, row, "cos" if j % 2 else "sin", weight="bold", **style)
            yield self._waves.text(0.957, row, f"{j}", **style)
            if len(columns) <= 5:
                yield self._waves.text(LEFT - 0.004, row + HEIGHT, "1", ha="right", **style | {"color": GREY})
                yield self._waves.text(LEFT - 0.004, row - HEIGHT, "-1", ha="right", **style | {"color": GREY})
        for i in self._pairs():
            middle = np.flatnonzero(columns // 2 == i).mean()
            yield self._waves.text(GUTTER["pair i"] - 0.012, middle, f"{i}", ha="right", **style)
            yield self._waves.text(GUTTER["wavelength"], middle, short_length(self._wavelength(i)), ha="right", **style)

    def _axis_labels(self, bottom: float) -> Iterable[Artist]:
        style: dict[str, Any] = {"ha": "right", "va": "center", "color": GREY}
        yield self.figure.text(GUTTER["column j"], bottom - 0.0285, "pos", **style)
        if self._words_fit():
            yield self.figure.text(GUTTER["column j"], 0.048, "token", **style)
            for position, word in enumerate(self.state["tokens"]):
                x = self._across(position)
                text = self.figure.text(x, 0.048, printable(word), ha="center", va="center", fontsize=13)
                fit(text, self._slot() - 8)
                yield text

    def _move(self) -> list[Artist]:
        s = self.state
        vector = self._table[s["position"]]
        rows = np.arange(len(vector))
        ys = rows + HEIGHT * vector
        self._line.set_data([s["position"]] * 2, [-0.5, len(rows) - 0.5])
        self._readings.set_data(np.full(len(rows), s["position"]), ys)
        self._leaders.set_data(
            *_broken(np.array([s["position"], self._at(CELLS - 0.005)]), np.stack([ys, ys], axis=-1))
        )
        self._colours.set_facecolor(self._table_colours[s["position"]])
        places = [(0.5, float(row)) for row in rows]
        self._numbers.show([rounded(x) for x in vector], places, [readable_on(round(x, 2)) for x in vector])
        self._title.show([f"PE({s['position']})"], [(CELLS + 0.04, TOP + 0.035)], [INK])
        word = f", “{one_line(printable(s['tokens'][s['position']]), 24)}”" if s["tokens"] else ""
        self._name.set_text(f"pos {s['position']}{word}")
        fit(self._name, (RIGHT - LEFT) * self.size[0] * DPI)
        half = self._name.get_window_extent().width / 2 / self.size[0] / DPI
        self._name.set_x(min(max(self._across(s["position"]), LEFT + half), RIGHT - half))
        slot = self._slot() / self.size[0] / DPI
        self._word.set_bounds(self._across(s["position"]) - slot / 2, 0.018, slot, 0.06)
        self._word.set_visible(self._words_fit())
        return [
            self._leaders,
            self._line,
            self._readings,
            self._colours,
            self._numbers,
            self._title,
            self._name,
            self._word,
        ]

    def _encoded(self, positions: Any) -> np.ndarray:
        """Return the encoding of positions in the columns that are shown: shape (*positions.shape, rows)."""
        return encode_positions(positions, self.state["d_model"], base=self.state["base"])[..., self.columns]

    def _pairs(self) -> np.ndarray:
        """Return the pairs that are shown, the fastest first."""
        return np.unique(self.columns // 2)

    def _wavelength(self, pair: int) -> float:
        return float(wavelengths(self.state["d_model"], self.state["base"])[pair])

    def _positions(self) -> str:
        last = self.state["length"] - 1
        return f"positions 0 to {last}" if last else "position 0"

    def _slot(self) -> float:
        """Return how many pixels lie between one position and the next."""
        left, right = self._waves.get_xlim()
        return (RIGHT - LEFT) * self.size[0] * DPI / (right - left)

    def _across(self, position: int) -> float:
        """Return where a position lies, in parts of the figure's width."""
        left, right = self._waves.get_xlim()
        return LEFT + (RIGHT - LEFT) * (position - left) / (right - left)

    def _at(self, across: float) -> float:
        """Return the position that lies so far across the figure."""
        left, right = self._waves.get_xlim()
        return left + (right - left) * (across - LEFT) / (RIGHT - LEFT)

    def _words_fit(self) -> bool:
        """Say whether there is room for a word under each position; the chosen word stands above the waves anyway."""
        words = self.state["tokens"]
        return words is not None and (len(words) <= 9 or 10 * max(map(len, words)) + 8 <= self._slot())


def _words(tokens: Any) -> tuple[str, ...] | None:
    """Return the words, or None where there are none."""
    return None if tokens is None else words_of(tokens) or None


def _broken(xs: np.ndarray, ys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of many curves over the same x, shape (curves, points), as one line with breaks between."""
    with_breaks = np.pad(ys.astype(float), ((0, 0), (0, 1)), constant_values=np.nan)
    return np.tile(np.append(xs, np.nan), len(ys)), with_breaks.ravel()


def _box(left: float, right: float, bottom: float, top: float) -> list[tuple[float, float]]:
    return [(left, bottom), (right, bottom), (right, top), (left, top)]
