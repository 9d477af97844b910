"""The encoding as an image, one row for each position, with one row and one column of it drawn out at the margins."""

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.text import Text

from pe_lib import _checks
from pe_lib.encoding import encode_positions, frequencies
from pe_lib.pictures.picture import (
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
)
from pe_lib.properties import wavelengths

LARGEST = 512  # rows and columns
COLOURS = colormaps[SIGNED](np.arange(256), bytes=True)
SMALLEST_BASE = 1e-6  # below it, angles are too large to keep four digits of their sines
NUMBERED_ROWS, NUMBERED_CELLS = 16, 100  # up to so many, the cells hold their numbers, if those find room in
SMALLEST_FONT = 12.5

# Where the parts lie, in pixels: left, top, width, height. The image is as wide as the largest has columns: there, and
# wherever d_model divides 512, a column takes whole pixels and no stripes appear that are not in the numbers.
IMAGE = (104, 113, 512, 400)
ROW = (104, 525, 512, 142)
WAVE = (634, 113, 448, 400)
BAR = 9  # how wide a colour bar is
FREE = 1.12  # how far the axes of values reach beyond 1
ROW_UNIT, WAVE_UNIT = 50, 150  # pixels from 0 to 1; beyond -1 or 1 there is room for the number at the crossing
WITH_GAPS = 5  # pixels from one bar to the next from which on there are gaps between them
OPEN = 3  # pixels that a frame leaves open where a row or column is narrower
DENSEST, THIN = 4, 24  # pixels of a wavelength from which on the curve is drawn, and up to which it is thin


class _Bars(Artist):
    """Bars in the colours of their values, which lie between -1 and 1.

    They are drawn as one image whose pixels are those of the figure: that is far quicker than a line for each, and
    thin bars have neither seams nor overlaps.
    """

    def __init__(self, sideways: bool) -> None:
        super().__init__()
        self.set_zorder(2)
        self.values = np.zeros(1)
        self._sideways = sideways  # beginning at an upright axis, the first on top

    def draw(self, renderer: Any) -> None:
        """Draw the bars."""
        n = len(self.values)
        ends = ((-1, n - 0.5), (1, -0.5)) if self._sideways else ((-0.5, -1), (n - 0.5, 1))
        (left, bottom), (right, top) = self.axes.transData.transform(ends).round().astype(int)  # type: ignore[union-attr]
        if self._sideways:
            pixels = _bars(self.values, top - bottom, right - left).transpose(1, 0, 2)[::-1]
        else:
            pixels = _bars(self.values, right - left, top - bottom)
        renderer.draw_image(renderer.new_gc(), left, bottom, np.ascontiguousarray(pixels))


class Heatmap(Picture):
    """Show the encoding, or a matrix of one's own, as an image of positions × columns.

    One row and one column are marked in the image. The row is drawn out beneath it, the column at its side, as bars
    in the colours of their cells; where the wave between the positions is known and not too narrow, it is drawn too.
    Small tables hold their numbers in the cells. In large ones a pixel has the mean colour of the cells it covers, and
    of more than 400 rows the bars at the side leave some out.

    Parameters
    ----------
    length, d_model : int
        How many positions and columns, 1 to 512.
    base : float
        The number that is raised to a power, 1e-6 or more.
    layout : {"interleaved", "halves"}
        sin, cos, sin, cos, … as in the paper, or all the sines followed by all the cosines.
    position, column : int
        The row and the column that are marked, from 0.
    matrix : array_like of shape (length, d_model), optional
        Finite numbers to show in place of the encoding; copied. Its shape is taken for `length` and `d_model`, while
        `base` and `layout` are not looked at. The colours reach as far as its greatest absolute value, and at least
        to 1.
    name : str, optional
        A title for what is shown.

    Raises
    ------
    TypeError, ValueError
        If there is no such row or column, or the matrix cannot be drawn.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> round(Heatmap(length=10, d_model=6, position=2, column=3).value, 4)
    0.9957
    >>> Heatmap(matrix=[[0, 1], [2, -3]], position=1, column=1).value
    -3.0
    """

    defaults: ClassVar = {
        "length": 50,
        "d_model": 64,
        "base": 10_000.0,
        "layout": "interleaved",
        "position": 17,
        "column": 8,
        "matrix": None,
        "name": None,
    }
    size: ClassVar = (11.0, 7.0)

    @property
    def numbers(self) -> np.ndarray:
        """What is shown: shape (length, d_model), float64, not to be written to."""
        s = self.state
        if s["matrix"] is not None:
            matrix: np.ndarray = s["matrix"]
            return matrix
        return _encoding(s["length"], s["d_model"], s["base"], s["layout"])

    @property
    def value(self) -> float:
        """The number where the marked row and column cross."""
        return float(self.numbers[self.state["position"], self.state["column"]])

    @property
    def greatest(self) -> float:
        """The value at the end of the colours: the greatest absolute value shown, and at least 1."""
        return max(1.0, float(np.abs(self.numbers).max()))

    def describe(self) -> str:
        """Say in words what is to be seen."""
        s, numbers, end = self.state, self.numbers, _short(self.greatest)
        position, column = s["position"], s["column"]
        name = f" “{one_line(s['name'])}”," if s["name"] else ""
        what = f"the encoding of {_count(s['length'], 'position')}, d_model {s['d_model']}, base {s['base']:g}: "
        what += self._layout_in_words()
        wave = f", the {self._function()[2]} with wavelength {short_length(self._wavelength())} positions,"
        if s["matrix"] is not None:
            what, wave = f"a matrix of {_count(s['length'], 'row')} and {_count(s['d_model'], 'column')}", ""
        return (
            f"Image of{name} {what}. Colours go from blue for -{end} over white for 0 to red for {end}. "
            f"Row {position} is marked and drawn out beneath: {_first(numbers[position])}. "
            f"Column {column}{wave} is marked and drawn out at the side: {_first(numbers[:, column])}. "
            f"They cross at {self._entry()} = {_four(self.value)}."
        )

    def limits(self, state: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
        """Return how far position and column may go."""
        return {"position": (0, state["length"] - 1), "column": (0, state["d_model"] - 1)}

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        if state["name"] is not None and not isinstance(state["name"], str):
            raise TypeError(f"name must be a text, got {_checks.shown(state['name'])}")
        if state["matrix"] is not None:
            state["matrix"] = self._own(state["matrix"])
            state["length"], state["d_model"] = state["matrix"].shape
            return self._whole(state)
        for name in ("length", "d_model"):
            state[name] = _checks.integer(name, state[name])
            if not 1 <= state[name] <= LARGEST:
                raise ValueError(f"{name} must lie between 1 and {LARGEST}, got {state[name]}")
        state["base"] = _checks.positive_base(state["base"])
        if state["base"] < SMALLEST_BASE:
            raise ValueError(f"base must be at least {SMALLEST_BASE} to be drawn, got {state['base']:g}")
        state["layout"] = _checks.layout_name(state["layout"])
        return self._whole(state)

    def _whole(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return the state with position and column as plain integers, or raise if they are not in the matrix."""
        self._within_limits(state)
        return {**state, "position": int(state["position"]), "column": int(state["column"])}

    def _own(self, matrix: Any) -> np.ndarray:
        """Return a copy of a matrix that nobody can write to; the one of the last state is such a copy already."""
        if matrix is getattr(self, "state", self.defaults)["matrix"]:
            return matrix  # type: ignore[no-any-return]
        given = _checks.finite_array("matrix", matrix)
        if given.ndim != 2 or not 1 <= min(given.shape) <= max(given.shape) <= LARGEST:
            raise ValueError(f"matrix must have 1 to {LARGEST} rows and as many columns, got shape {given.shape}")
        own = given.astype(np.float64)
        own.flags.writeable = False
        return own

    def _key(self) -> Hashable:
        s = self.state
        # The matrix that was laid last is kept, so no other that is alive has its id.
        return s["length"], s["d_model"], s["base"], s["layout"], s["name"], id(s["matrix"])

    def _build(self) -> None:
        self._value = self._text(IMAGE[0], 33, fontsize=23, weight="bold")
        self._given = self._text(WAVE[0] + WAVE[2], 33, ha="right", color=GREY)
        self._title, self._subtitle = self._two_lines(IMAGE[0], 70)
        self._wave_title, self._wavelength_label = self._two_lines(WAVE[0], 70)
        self._wavelength_label.set_text("wavelength in positions:")
        after = WAVE[0] + self._wavelength_label.get_window_extent().width + 9
        self._wavelength_text = self._text(after, 93, fontsize=13, color=GREY)
        self._row_title, under = self._two_lines(WAVE[0], ROW[1] + 50)
        under.set_text("Each bar has the colour of its cell.")
        self._row_together = self._text(WAVE[0], ROW[1] + 94, fontsize=13, color=GREY)
        self._text(ROW[0] - 14, ROW[1] + ROW[3] + 15, ha="right", fontsize=13).set_text("column")
        self._build_image(self.figure.add_axes(self._box(*IMAGE)))
        self._build_row(self.figure.add_axes(self._box(*ROW)))
        self._build_wave(self.figure.add_axes(self._box(*WAVE)))

    def _build_image(self, axes: Axes) -> None:
        axes.set(xticks=[])
        axes.patch.set_visible(False)
        left, top, width, height = IMAGE  # an image of the figure is drawn pixel by pixel, one of axes is resampled
        below = round(self.size[1] * DPI) - top - height
        self._image = self.figure.figimage(np.zeros((height, width, 3)), left, below, origin="upper", zorder=-1)
        self._row_frame, self._column_frame = self._frame(axes, INK, 1.2, 5), self._frame(axes, INK, 1.2, 5)
        self._cell = self._frame(axes, ORANGE, 2.5, 6)
        self._bare(axes)
        self._image_axes = axes

    def _build_row(self, axes: Axes) -> None:
        axes.set(ylim=(FREE - ROW[3] / ROW_UNIT, FREE), yticks=[])
        axes.hlines((-1, 0, 1), 0, 1, color=(PALE, GREY, PALE), linewidth=1, transform=axes.get_yaxis_transform())
        self._row_stem, self._row_point = self._stem_and_point(axes)
        lane = (axes.get_ylim()[0] - 1) / 2
        self._row_value = axes.text(0, lane, "", ha="center", va="center", weight="bold", zorder=6)
        top = ROW[1] + (FREE - 1) * ROW_UNIT
        self._row_scale = self._colour_bar((ROW[0] - BAR - 3, top, BAR, 2 * ROW_UNIT))
        self._row_bars = _Bars(sideways=False)
        axes.add_artist(self._row_bars)
        self._bare(axes)
        self._row_axes = axes

    def _build_wave(self, axes: Axes) -> None:
        axes.set(xlim=(-FREE, WAVE[2] / WAVE_UNIT - FREE), xticks=[], yticks=[])
        axes.vlines((-1, 0, 1), 0, 1, color=(PALE, GREY, PALE), linewidth=1, transform=axes.get_xaxis_transform())
        self._wave_stem, self._wave_point = self._stem_and_point(axes)
        (self._curve,) = axes.plot([], [], color=INK, zorder=3)
        self._wave_value = axes.text(FREE, 0, "", va="center", weight="bold", zorder=6)
        left = WAVE[0] + (FREE - 1) * WAVE_UNIT
        self._wave_scale = self._colour_bar((left, WAVE[1] + WAVE[3] + 3, 2 * WAVE_UNIT, BAR))
        self._wave_bars = _Bars(sideways=True)
        axes.add_artist(self._wave_bars)
        self._bare(axes)
        self._wave_axes = axes

    @staticmethod
    def _frame(axes: Axes, colour: str, width: float, zorder: float) -> Rectangle:
        """Return a frame that is seen on red and blue alike."""
        frame = Rectangle((0, 0), 1, 1, fill=False, edgecolor=colour, linewidth=width, clip_on=False, zorder=zorder)
        frame.set_path_effects([withStroke(linewidth=width + 1.6, foreground="white")])
        axes.add_patch(frame)
        return frame

    @staticmethod
    def _stem_and_point(axes: Axes) -> tuple[Line2D, Line2D]:
        """Return a stem and the point it ends in."""
        (stem,) = axes.plot([], [], ":", color=ORANGE, linewidth=2.5, zorder=4)
        (point,) = axes.plot([], [], "o", color=ORANGE, markersize=11, markeredgecolor=INK, clip_on=False, zorder=5)
        return stem, point

    @staticmethod
    def _bare(axes: Axes) -> None:
        """Take the frame and the tick marks off axes."""
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)

    def _colour_bar(self, box: tuple[float, float, float, float]) -> Any:
        """Draw a colour bar along the axis of the values, and return its axis."""
        axes = self.figure.add_axes(self._box(*box))
        colours = np.linspace(-1, 1, 255)
        upright = box[3] > box[2]
        axes.imshow(
            colours[::-1, np.newaxis] if upright else colours[np.newaxis],
            SIGNED,
            aspect="auto",
            extent=(0, 1, -1, 1) if upright else (-1, 1, 0, 1),
        )
        axes.spines[:].set(visible=True, linewidth=0.8)
        axes.tick_params(length=3, width=0.8)
        axes.set(xticks=[], yticks=[])
        return axes.yaxis if upright else axes.xaxis

    def _text(self, left: float, top: float, **style: Any) -> Text:
        """Return an empty text at a place given in pixels from the upper left corner."""
        x, y, _, _ = self._box(left, top, 0, 0)
        return self.figure.text(x, y, "", va="center", zorder=9, **style)

    def _two_lines(self, left: float, top: float) -> tuple[Text, Text]:
        """Return a title and the grey line under it."""
        return self._text(left, top, fontsize=15), self._text(left, top + 23, fontsize=13, color=GREY)

    def _box(self, left: float, top: float, width: float, height: float) -> tuple[float, float, float, float]:
        """Return a box given in pixels from the upper left corner in parts of the figure, from its lower left."""
        across, down = self.size[0] * DPI, self.size[1] * DPI
        return left / across, 1 - (top + height) / down, width / across, height / down

    def _lay(self) -> None:
        s = self.state
        self._laid = s["matrix"]  # see _key
        length, d_model, known = s["length"], s["d_model"], s["matrix"] is None
        title = "Each row is a position, each column a wave" if known else "A matrix"
        self._title.set_text(printable(s["name"] or title))
        fit(self._title, IMAGE[2])
        size = f"{_count(length, 'row')} × {_count(d_model, 'column')}"
        self._subtitle.set_text(self._layout_in_words() if known else size)
        self._given.set_text(f"{_count(length, 'position')} · d_model {d_model} · base {s['base']:g}" if known else "")
        self._wavelength_label.set_visible(known)
        self._row_together.set_text("Together they are the vector of this position." if known else "")
        colours = COLOURS[shades_of(self.numbers / self.greatest), :3]
        self._image.set_data(resized(resized(colours, IMAGE[3]).swapaxes(0, 1), IMAGE[2]).swapaxes(0, 1))
        self._image_axes.set(xlim=(-0.5, d_model - 0.5), ylim=(length - 0.5, -0.5))
        self._image_axes.set_ylabel("position" if known else "row", labelpad=8)
        self._image_axes.set_yticks(_ticks(length, (1, 2, 5, 10, 20, 50, 100), 12))
        self._lay_numbers()
        self._row_axes.set_xlim(-0.5, d_model - 0.5)
        self._row_axes.set_xticks(_ticks(d_model, (1, 2, 4, 8, 16, 32, 64), 12))
        self._wave_axes.set_ylim(length - 0.5, -0.5)
        end = _short(self.greatest)
        for scale in (self._row_scale, self._wave_scale):
            scale.set_ticks((-1, 0, 1), labels=(f"−{end}", "0", end))

    def _lay_numbers(self) -> None:
        for old in list(self._image_axes.texts):
            old.remove()
        rows, columns = self.numbers.shape
        if rows > NUMBERED_ROWS or rows * columns > NUMBERED_CELLS:
            return
        shown = [[f"{round(number, 2) + 0.0:.2f}" for number in row] for row in self.numbers.tolist()]
        longest = max(len(text) for row in shown for text in row)
        room = IMAGE[2] / columns * 72 / DPI / (0.54 * longest)  # the font size at which it fills its cell
        if 0.92 * room < SMALLEST_FONT:
            return
        size = max(SMALLEST_FONT, min(0.8 * room, 0.5 * IMAGE[3] / rows * 72 / DPI, 18))
        shades = shades_of(self.numbers / self.greatest).tolist()
        for pos, row in enumerate(shown):
            for j, text in enumerate(row):
                colour = readable_on((2 * shades[pos][j] + 1) / 256 - 1)
                self._image_axes.text(j, pos, text, ha="center", va="center", fontsize=size, color=colour)

    def _move(self) -> list[Artist]:
        s = self.state
        position, column, known = s["position"], s["column"], s["matrix"] is None
        self._value.set_text(f"{self._entry()} = {_four(self.value)}")
        self._row_title.set_text(f"Row {position}")
        self._wave_title.set_text(f"Column {column}" + (f": {self._function()[2]}" if known else ""))
        self._wavelength_text.set_text(short_length(self._wavelength()) if known else "")
        texts = [self._value, self._row_title, self._wave_title, self._wavelength_text]
        return [*texts, *self._move_frames(), *self._move_row(), *self._move_wave()]

    def _move_frames(self) -> list[Artist]:
        s = self.state
        one = s["d_model"] / IMAGE[2], s["length"] / IMAGE[3]  # a pixel, in columns and rows
        # The line with its white edge, 2.8 points or 3.9 pixels, lies around what it marks.
        wide, high = (max(1.0, OPEN * pixel) + 4 * pixel for pixel in one)
        left, top = s["column"] - wide / 2, s["position"] - high / 2
        self._row_frame.set_bounds(-0.5 - 2 * one[0], top, s["d_model"] + 4 * one[0], high)
        self._column_frame.set_bounds(left, -0.5 - 2 * one[1], wide, s["length"] + 4 * one[1])
        self._cell.set_bounds(left, top, wide, high)
        return [self._row_frame, self._column_frame, self._cell]

    def _move_row(self) -> list[Artist]:
        position, column = self.state["position"], self.state["column"]
        row = self.numbers[position] / self.greatest
        self._row_bars.values = row
        self._row_stem.set_data([column, column], [FREE, row[column]])
        self._row_point.set_data([column], [row[column]])
        self._row_value.set_text(_four(self.value))
        margin = 50 / ROW[2] * len(row)
        self._row_value.set_x(min(max(column, margin - 0.5), len(row) - 0.5 - margin))
        return [self._row_bars, self._row_stem, self._row_point, self._row_value]

    def _move_wave(self) -> list[Artist]:
        s = self.state
        position, column = s["position"], s["column"]
        wave = self.numbers[:, column] / self.greatest
        self._wave_bars.values = wave
        self._curve.set_data(*self._between())
        narrow = s["matrix"] is None and self._wavelength() * WAVE[3] / s["length"] < THIN
        self._curve.set_linewidth(0.7 if narrow else 1.5)
        self._wave_stem.set_data([-FREE, wave[position]], [position, position])
        self._wave_point.set_data([wave[position]], [position])
        self._wave_value.set_text(_four(self.value))
        margin = 11 / WAVE[3] * len(wave)
        self._wave_value.set_y(min(max(position, margin - 0.5), len(wave) - 0.5 - margin))
        return [self._wave_bars, self._curve, self._wave_stem, self._wave_point, self._wave_value]

    def _between(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the curve between the positions, its values and where they lie; empty where it is not drawn."""
        s = self.state
        if s["matrix"] is not None or self._wavelength() * WAVE[3] / s["length"] < DENSEST:
            return np.empty(0), np.empty(0)
        of, pair, _ = self._function()
        positions = np.linspace(0, s["length"] - 1, 3 * WAVE[3] + 1)
        return of(frequencies(s["d_model"], s["base"])[pair] * positions), positions

    def _function(self) -> tuple[Any, int, str]:
        """Return the function, the pair and the name of the marked column of the encoding."""
        s = self.state
        half = (s["d_model"] + 1) // 2
        pair, odd = divmod(s["column"], 2) if s["layout"] == "interleaved" else divmod(s["column"], half)[::-1]
        return (np.cos, pair, f"cosine of pair {pair}") if odd else (np.sin, pair, f"sine of pair {pair}")

    def _layout_in_words(self) -> str:
        d_model = self.state["d_model"]
        half = (d_model + 1) // 2
        if d_model <= 2:
            return "column 0 is a sine, column 1 a cosine" if d_model == 2 else "column 0 is a sine"
        if self.state["layout"] == "interleaved":
            return "even columns are sines, odd columns cosines"
        cosines = "column 2 a cosine" if d_model == 3 else f"{half}–{d_model - 1} cosines"
        return f"columns 0–{half - 1} are sines, {cosines}"

    def _wavelength(self) -> float:
        return float(wavelengths(self.state["d_model"], self.state["base"])[self._function()[1]])

    def _entry(self) -> str:
        position, column = self.state["position"], self.state["column"]
        return f"PE({position}, {column})" if self.state["matrix"] is None else f"matrix[{position}, {column}]"


@lru_cache(maxsize=2)
def _encoding(length: int, d_model: int, base: float, layout: str) -> np.ndarray:
    """Return the encoding, made once for as long as it is shown."""
    numbers = encode_positions(np.arange(length), d_model, base=base, layout=layout)
    numbers.flags.writeable = False
    return numbers


def _ticks(n: int, steps: tuple[int, ...], most: int) -> range:
    """Return indices below n, evenly spaced, and no more than so many."""
    return range(0, n, next((step for step in steps if (n - 1) // step < most), steps[-1]))


def shades_of(numbers: np.ndarray) -> np.ndarray:
    """Return which of the 256 colours stands for each number between -1 and 1."""
    shades: np.ndarray = ((numbers + 1) * 128).astype(int).clip(0, 255)
    return shades


def resized(colours: np.ndarray, pixels: int) -> np.ndarray:
    """Return rows of colours as so many rows of pixels; each has the mean colour of what it covers.

    Colours are mixed, not numbers: a mean of 1 and -1 would look like 0, and stripes would come and go.
    """
    if pixels % len(colours) == 0:
        return np.repeat(colours, pixels // len(colours), axis=0)
    edges = np.linspace(0, len(colours), pixels + 1)  # of the pixels, in rows
    row = np.minimum(edges.astype(int), len(colours) - 1)
    sums = np.zeros((len(colours) + 1, *colours.shape[1:]), np.int64)
    np.cumsum(colours, axis=0, out=sums[1:])
    up_to = sums[row] + (edges - row)[:, np.newaxis, np.newaxis] * colours[row]
    means: np.ndarray = np.diff(up_to, axis=0) * pixels / len(colours)
    return means.round().astype(np.uint8)


def _bars(values: np.ndarray, width: int, height: int) -> np.ndarray:
    """Return bars side by side as pixels: shape (height, width, 4), uint8, the first row for -1, the last for 1."""
    places = (np.arange(width) + 0.5) * len(values) / width  # of each column of pixels, in bars
    bar = places.astype(int)
    reach = values[bar]
    if width >= WITH_GAPS * len(values):
        reach[np.abs(places - bar - 0.5) > 0.375] = 0.0
    level = (np.arange(height)[:, np.newaxis] + 0.5) * 2 / height - 1
    inside = (level * reach > 0) & (np.abs(level) < np.abs(reach))
    colours = COLOURS.view(np.uint32)[shades_of(values), 0][bar]  # four bytes in one number
    return np.where(inside, colours, np.uint32(0)).view(np.uint8).reshape(height, width, 4)


def _four(x: float) -> str:
    """Write a number with four decimals, a larger one in five digits or, far beyond, in two."""
    if abs(x) < 9.99995:
        return f"{round(x, 4) + 0.0:.4f}"
    return f"{x:.5g}" if abs(x) < 99_999 else f"{x:.1e}"


def _short(x: float) -> str:
    """Write the end of a colour bar in a few digits."""
    return f"{x:.3g}" if x < 999 else f"{x:.0f}" if x < 99_999 else f"{x:.0e}".replace("e+0", "e").replace("e+", "e")


def _count(n: int, what: str) -> str:
    """Write how many there are of something."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _first(numbers: np.ndarray, most: int = 6) -> str:
    """Write the first few numbers of a row or column."""
    return ", ".join(_four(x) for x in numbers[:most].tolist()) + (", …" if len(numbers) > most else "")
