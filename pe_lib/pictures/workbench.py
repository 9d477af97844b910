"""Matrices in question: one beside what the formula gives, and one with its frequencies and what is wrong with it."""

from collections.abc import Hashable
from functools import cache, lru_cache
from typing import Any, ClassVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.font_manager import findfont, get_font
from matplotlib.lines import Line2D
from matplotlib.text import Text

from pe_lib import _checks
from pe_lib.clinic import LAYOUTS, broken_encoding
from pe_lib.diagnosis import Diagnosis, diagnose
from pe_lib.encoding import frequencies, sinusoidal_encoding
from pe_lib.pictures.heatmap import COLOURS, resized, shades_of
from pe_lib.pictures.picture import BLUE, DPI, GREY, INK, ORANGE, SIGNED, Picture, fit, one_line, printable, shrink

LARGEST = 512  # rows and columns
LEAST_SHOWN, MOST_SHOWN = 1e-9, 10.0  # frequencies, radians per position
TELLING = 0.8  # of the rows, from which on a pair of columns is taken for the sine and cosine of one angle
FONT, LINE, BELOW = 14, 23, 6  # of the diagnosis: points, pixels from line to line, and those below the letters' feet

# Where the parts lie, in pixels: left, top, width, height.
LEFT_IMAGE, RIGHT_IMAGE, BAR = (74, 86, 460, 368), (602, 86, 460, 368), (338, 512, 460, 9)
IMAGE, FREQUENCIES, WORDS = (74, 92, 384, 320), (560, 110, 500, 302), (30, 496, 1040, 190)


class _Matrix(Artist):
    """A matrix as an image whose pixels are those of the figure; `.pixels` has shape (height, width, 4), uint8."""

    def __init__(self, left: int, below: int) -> None:
        super().__init__()
        self.set_zorder(-1)
        self.pixels = np.zeros((1, 1, 4), np.uint8)
        self._place = left, below

    def draw(self, renderer: Any) -> None:
        """Draw the image."""
        renderer.draw_image(renderer.new_gc(), *self._place, np.ascontiguousarray(self.pixels[::-1]))


class _Words(Text):
    """Lines of text pasted together from letters that are drawn once: a long diagnosis is there as fast as a short one.

    It stands where a Text with these lines stands, so that it can be measured as one.
    """

    def draw(self, renderer: Any) -> None:
        """Draw the lines, LINE pixels apart."""
        lines = self.get_text().split("\n")
        wide = max(map(_width, lines))
        inked = np.zeros((len(lines) * LINE, int(wide) + LINE), np.uint8)
        for k, line in enumerate(lines):
            at = 0.0
            for character in line:
                letter, below, before = _letter(character)
                high, broad = letter.shape
                top, left = (k + 1) * LINE - BELOW + below - high, max(round(at) + before, 0)
                place = inked[top : top + high, left : left + broad]
                np.maximum(place, letter, out=place)
                at += _advance(character)
        pixels = np.zeros((*inked.shape, 4), np.uint8)
        pixels[..., :3] = int(INK[1:3], 16)  # ink is a grey
        pixels[..., 3] = inked
        left, top = self.get_transform().transform(self.get_position())
        renderer.draw_image(renderer.new_gc(), round(left), round(top) - len(inked), pixels[::-1].copy())


class _Images(Picture):
    """What both pictures need: matrices placed to the pixel, axes around them, and texts."""

    def _image(self, box: tuple[int, int, int, int]) -> tuple[_Matrix, Axes]:
        """Return a matrix that is still empty, and bare axes around it."""
        left, top, _, height = box
        matrix = _Matrix(left, round(self.size[1] * DPI) - top - height)
        self.figure.add_artist(matrix)
        axes = self.figure.add_axes(self._box(*box))
        axes.patch.set_visible(False)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        return matrix, axes

    def _box(self, left: float, top: float, width: float, height: float) -> tuple[float, float, float, float]:
        """Return a box given in pixels from the upper left corner in parts of the figure, from its lower left."""
        across, down = self.size[0] * DPI, self.size[1] * DPI
        return left / across, 1 - (top + height) / down, width / across, height / down

    def _text(self, left: float, top: float, words: str = "", **style: Any) -> Text:
        """Return a text at a place given in pixels from the upper left corner."""
        x, y, _, _ = self._box(left, top, 0, 0)
        return self.figure.text(x, y, words, **{"va": "center", "zorder": 9, **style})


class SideBySide(_Images):
    """Show a matrix beside the encoding it should be, in the same colours.

    Parameters
    ----------
    matrix : array_like of shape (L, d_model)
        Finite numbers, up to 512 rows and columns; copied.
    base : float
        The base of the encoding on the left.
    name : str, optional
        A title for the matrix.

    Raises
    ------
    TypeError, ValueError
        If the matrix cannot be drawn.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> picture = SideBySide(matrix=[[1, 0], [0.5403, 0.8415]], name="Sine and cosine exchanged")
    >>> picture.right.round(4)
    array([[0.    , 1.    ],
           [0.8415, 0.5403]])
    """

    defaults: ClassVar = {"matrix": ((0.0, 1.0),), "base": 10_000.0, "name": None}
    size: ClassVar = (11.0, 5.6)

    @property
    def right(self) -> np.ndarray:
        """The encoding on the left, as it should be: shape (L, d_model), float64."""
        return sinusoidal_encoding(*self.state["matrix"].shape, base=self.state["base"])

    def describe(self) -> str:
        """Say in words what is to be seen."""
        matrix, right = self.state["matrix"], self.right
        name = one_line(self.state["name"]) if self.state["name"] else "the matrix in question"
        off = 100 * np.mean(np.abs(matrix - right) > 0.01)
        rows = "; ".join(
            f"row {pos}: {_first(right[pos])} on the left, {_first(matrix[pos])} on the right"
            for pos in range(min(3, len(matrix)))
        )
        return (
            f"Two images of {matrix.shape[0]} rows and {matrix.shape[1]} columns. On the left the encoding, base "
            f"{self.state['base']:g}; on the right {name}. Colours go from blue for -{_end(self._greatest):g} over "
            f"white for 0 to red. {off:.0f} percent of the numbers differ by more than 0.01. The first rows: {rows}."
        )

    @property
    def _greatest(self) -> float:
        return max(1.0, float(np.abs(self.state["matrix"]).max()))

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        if state["name"] is not None and not isinstance(state["name"], str):
            raise TypeError(f"name must be a text, got {_checks.shown(state['name'])}")
        given = _checks.finite_array("matrix", state["matrix"])
        return {**state, "matrix": _own(given), "base": _checks.positive_base(state["base"])}

    def _key(self) -> Hashable:
        return id(self.state["matrix"]), self.state["base"], self.state["name"]

    def _build(self) -> None:
        self._pictures = [self._image(LEFT_IMAGE), self._image(RIGHT_IMAGE)]
        self._titles = [self._text(box[0], 34, fontsize=17, weight="bold") for box in (LEFT_IMAGE, RIGHT_IMAGE)]
        for box in (LEFT_IMAGE, RIGHT_IMAGE):
            self._text(box[0], 66, "a row for each position, columns from left to right", fontsize=13, color=GREY)
        bar = self.figure.add_axes(self._box(*BAR))
        bar.imshow(np.linspace(-1, 1, 255)[np.newaxis], SIGNED, aspect="auto", extent=(-1, 1, 0, 1))
        bar.spines[:].set(visible=True, linewidth=0.8)
        bar.tick_params(length=3, width=0.8)
        bar.set(yticks=[])
        self._bar = bar

    def _lay(self) -> None:
        matrix = self.state["matrix"]
        self._titles[0].set_text(f"The encoding, base {self.state['base']:g}")
        self._titles[1].set_text(printable(self.state["name"] or "The matrix in question"))
        fit(self._titles[1], RIGHT_IMAGE[2])
        for (image, axes), numbers in zip(self._pictures, (self.right, matrix), strict=True):
            image.pixels = _coloured(numbers, self._greatest, LEFT_IMAGE)
            _number_rows_and_columns(axes, matrix.shape)
        end = f"{_end(self._greatest):g}"
        self._bar.set_xticks((-1, 0, 1), labels=(f"−{end}", "0", end))


class Workbench(_Images):
    """Show a matrix, the frequencies measured in it beside the right ones, and what `diagnose` says of it.

    A frequency is measured from the turns of a pair from row to row, with the columns paired as `layout` says. A cross
    stands where two columns are not the sine and cosine of one angle.

    Parameters
    ----------
    length, d_model, rule, base, layout, start, scale, numbers, transposed
        What is right and wrong with the encoding shown, as for `broken_encoding`; up to 512 rows and columns.
    matrix : array_like of shape (L, d_model), optional
        Numbers to show in place of it; copied. Of the others, only `layout` is looked at.

    Raises
    ------
    TypeError, ValueError
        If there is no such matrix.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> Workbench().diagnosis.ok
    True
    >>> [finding.code for finding in Workbench(start=1).diagnosis.findings]
    ['start']
    """

    defaults: ClassVar = {
        "length": 50,
        "d_model": 32,
        "rule": "as in the paper",
        "base": 10_000.0,
        "layout": "interleaved",
        "start": 0,
        "scale": 1.0,
        "numbers": "float64",
        "transposed": False,
        "matrix": None,
    }
    size: ClassVar = (11.0, 7.0)
    _seen_for: dict[str, Any] | None = None

    @property
    def numbers(self) -> np.ndarray:
        """The matrix shown: float64, not to be written to."""
        return self._seen()[0]

    @property
    def diagnosis(self) -> Diagnosis:
        """What `diagnose` says of the matrix."""
        return self._seen()[1]

    @property
    def measured(self) -> tuple[np.ndarray, np.ndarray]:
        """The frequency measured for each pair, and whether it is one: two arrays of shape (columns // 2,)."""
        return self._seen()[2:]

    def describe(self) -> str:
        """Say in words what is to be seen, with the whole diagnosis."""
        numbers, diagnosis, measured, are_pairs = self._seen()
        what = "A matrix" if self.state["matrix"] is not None else f"An encoding with {self._in_words()}"
        said = " ".join(_paragraphs(diagnosis))
        frequency = f"{are_pairs.sum()} of {len(measured)} pairs of columns are sine and cosine of one angle"
        if are_pairs.any():
            shown = ", ".join(_short(w) for w in np.abs(measured[are_pairs])[:4])
            frequency += f"; the first frequencies measured: {shown}"
        return (
            f"{what}: {numbers.shape[0]} rows, {numbers.shape[1]} columns. {_verdict(diagnosis)}. {frequency}. "
            f"diagnose says: {one_line(said, 900)}"
        )

    def _in_words(self) -> str:
        """Say how the encoding is made."""
        s = self.state
        turned = ", transposed" if s["transposed"] else ""
        return (
            f"frequencies {s['rule']}, base {s['base']:g}, {s['layout']}, positions from {s['start']}, "
            f"scale {s['scale']:.4g}, {s['numbers']}{turned}"
        )

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        if state["layout"] not in LAYOUTS:
            raise ValueError(f"layout must be one of {', '.join(map(repr, LAYOUTS))}, got {state['layout']!r}")
        if state["matrix"] is not None:
            return {**state, "matrix": _own(_checks.real_array("matrix", state["matrix"]))}
        for name in ("length", "d_model"):
            state[name] = _checks.integer(name, state[name], at_least=1)
            if state[name] > LARGEST:
                raise ValueError(f"{name} must be at most {LARGEST}, got {state[name]}")
        if not isinstance(state["transposed"], bool):
            raise TypeError(f"transposed must be True or False, got {_checks.shown(state['transposed'])}")
        broken_encoding(1, 1, **{name: state[name] for name in BROKEN})
        return state

    def _seen(self) -> tuple[np.ndarray, Diagnosis, np.ndarray, np.ndarray]:
        """Return the matrix, its diagnosis and what is measured in it, made once for each state."""
        if self._seen_for is not self.state:
            s = self.state
            numbers = s["matrix"]
            if numbers is None:
                numbers = broken_encoding(s["length"], s["d_model"], **{name: s[name] for name in BROKEN})
                numbers.flags.writeable = False
            self._what = numbers, diagnose(numbers), *_turns(numbers, s["layout"])
            self._seen_for = s
        return self._what

    def _key(self) -> Hashable:
        return self.numbers.shape

    def _build(self) -> None:
        self._image_shown, self._image_axes = self._image(IMAGE)
        self._verdict = self._text(30, 34, fontsize=20, weight="bold")
        self._size = self._text(IMAGE[0], 72, fontsize=13, color=GREY)
        self._text(WORDS[0], WORDS[1] - 22, "What diagnose says:", fontsize=13, color=GREY)
        self._words = _Words(*self._box(*WORDS[:2], 0, 0)[:2], va="top", fontsize=FONT, zorder=9)
        self._words.set(transform=self.figure.transFigure, linespacing=LINE / (FONT * DPI / 72) / 1.16)
        self.figure.add_artist(self._words)
        self._build_frequencies(self.figure.add_axes(self._box(*FREQUENCIES)))

    def _build_frequencies(self, axes: Axes) -> None:
        left, top = FREQUENCIES[:2]
        self._text(left - 70, 72, "Frequency of each pair, in radians per position", fontsize=15)
        axes.set(yscale="log", ylim=(LEAST_SHOWN / 3, MOST_SHOWN * 2))
        powers = range(-9, 2)
        axes.set_yticks([10.0**n for n in powers], labels=[_power(n) if n % 2 == 0 else "" for n in powers])
        axes.minorticks_off()
        axes.grid(axis="y", color="#e8e8e8", linewidth=0.8)
        axes.set_axisbelow(True)
        axes.set_xlabel("pair", labelpad=4)
        (self._paper,) = axes.plot([], [], "-", color=BLUE, linewidth=2, markersize=15, fillstyle="none", zorder=3)
        (self._dots,) = axes.plot([], [], "o", color=ORANGE, markeredgecolor=INK, markeredgewidth=0.8, zorder=4)
        (self._crosses,) = axes.plot([], [], "x", color=INK, markeredgewidth=1.6, zorder=4)
        (self._below,) = axes.plot([], [], "v", color=ORANGE, markeredgecolor=INK, markeredgewidth=0.8, zorder=4)
        for line in (self._dots, self._crosses, self._below):
            line.set_clip_on(False)
        self._frequency_axes = axes
        self._legend(left - 70, top - 12)

    def _legend(self, left: float, top: float) -> None:
        """Write what line, dot, cross and triangle stand for, on one line."""
        marks: list[tuple[str, dict[str, Any]]] = [
            ("as in the paper", {"color": BLUE, "linewidth": 2}),
            ("measured", {"marker": "o", "color": ORANGE, "markeredgecolor": INK, "markersize": 8, "linewidth": 0}),
            ("no pair", {"marker": "x", "color": INK, "markeredgewidth": 1.6, "markersize": 8, "linewidth": 0}),
            ("below 10⁻⁹", {"marker": "v", "color": ORANGE, "markeredgecolor": INK, "markersize": 8, "linewidth": 0}),
        ]
        for words, style in marks:
            wide = 28 if style["linewidth"] else 12
            x0, y, _, _ = self._box(left, top, 0, 0)
            x1 = self._box(left + wide, top, 0, 0)[0]
            ends = [x0, x1] if style["linewidth"] else [(x0 + x1) / 2]
            self.figure.add_artist(Line2D(ends, [y] * len(ends), transform=self.figure.transFigure, **style))
            text = self._text(left + wide + 7, top, words, fontsize=13, color=GREY)
            left += wide + 7 + text.get_window_extent().width + 24

    def _lay(self) -> None:
        rows, columns = self.numbers.shape
        _number_rows_and_columns(self._image_axes, (rows, columns))
        pairs = columns // 2
        self._frequency_axes.set_xlim(-0.6, max(pairs, 2) - 0.4)
        self._frequency_axes.set_xticks(_ticks(pairs, 12) if pairs else [])
        expected = frequencies(columns)[:pairs] if pairs else np.empty(0)
        self._paper.set_data(np.arange(pairs), np.maximum(expected, LEAST_SHOWN))
        self._paper.set_marker("o" if pairs == 1 else "")  # a line of one point would not be seen
        marker = 8 if pairs <= 32 else 5
        for line in (self._dots, self._crosses, self._below):
            line.set_markersize(marker)

    def _move(self) -> list[Artist]:
        numbers, diagnosis, measured, are_pairs = self._seen()
        finite = np.abs(numbers[np.isfinite(numbers)])
        greatest = max(1.0, float(finite.max(initial=0.0)))
        self._image_shown.pixels = _coloured(numbers, greatest, IMAGE)
        self._verdict.set_text(_verdict(diagnosis))
        shrink(self._verdict, 20, WORDS[2], smallest=14)
        end = "" if greatest == 1 else f", up to {_end(greatest):g}"
        self._size.set_text(f"{_count(numbers.shape[0], 'row')} × {_count(numbers.shape[1], 'column')}{end}")
        i, w = np.arange(len(measured)), np.abs(measured)
        seen = are_pairs & (w >= LEAST_SHOWN)
        self._dots.set_data(i[seen], w[seen])
        self._below.set_data(i[are_pairs & ~seen], np.full((are_pairs & ~seen).sum(), LEAST_SHOWN))
        self._crosses.set_data(i[~are_pairs], np.full((~are_pairs).sum(), MOST_SHOWN))
        self._words.set_text("\n".join(wrapped(_paragraphs(diagnosis), WORDS[2], WORDS[3] // LINE)))
        return [
            self._image_shown,
            self._verdict,
            self._size,
            self._dots,
            self._below,
            self._crosses,
            self._words,
        ]


BROKEN = ("rule", "base", "layout", "start", "scale", "numbers", "transposed")


def wrapped(paragraphs: list[str], width: float, most: int) -> list[str]:
    """Break paragraphs into lines at most so many pixels wide, and so many lines in all; an ellipsis ends a cut one."""
    lines: list[str] = []
    for paragraph in paragraphs:
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}".lstrip()
            if line and _width(longer) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    if len(lines) > most:
        last = lines[most - 1]
        while last and _width(f"{last} …") > width:
            last = last.rpartition(" ")[0]
        lines = [*lines[: most - 1], f"{last} …"]
    return lines


def _turns(matrix: np.ndarray, layout: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean turn of each pair from row to row, and whether the pair keeps its length in (nearly) all rows."""
    pairs = matrix.shape[1] // 2
    if layout in ("interleaved", "swapped"):
        one, other = matrix[:, 0 : 2 * pairs : 2], matrix[:, 1 : 2 * pairs : 2]
    else:
        half = (matrix.shape[1] + 1) // 2 if layout == "halves" else pairs
        one, other = matrix[:, :pairs], matrix[:, half : half + pairs]
    with np.errstate(invalid="ignore"):
        hands = other + 1j * one
        lengths = np.abs(hands)
        usual = np.median(lengths, axis=0)
        same = np.mean(np.abs(lengths - usual) <= 1e-3 * usual, axis=0) >= TELLING
        turns = np.angle((hands[1:] * hands[:-1].conj()).sum(axis=0))
    are_pairs = same & (usual > 0) & np.isfinite(turns) & (len(matrix) > 1)
    return np.where(are_pairs, turns, 0.0), are_pairs


def _own(given: np.ndarray) -> np.ndarray:
    """Return a copy of a matrix that nobody can write to, or the matrix if it is such a copy."""
    if given.ndim != 2 or not 1 <= min(given.shape) <= max(given.shape) <= LARGEST:
        raise ValueError(f"matrix must have 1 to {LARGEST} rows and as many columns, got shape {given.shape}")
    if given.dtype == np.float64 and not given.flags.writeable and given.base is None:
        return given
    own = given.astype(np.float64)
    own.flags.writeable = False
    return own


def _verdict(diagnosis: Diagnosis) -> str:
    """Say in a few words what the diagnosis comes to: its first line, with a mark before it."""
    head = diagnosis.advice.partition("\n")[0].rstrip(":")
    if "undecided" in [finding.kind for finding in diagnosis.findings]:
        return f"? {head}"
    if diagnosis.ok:
        return "✓ No mistake" if diagnosis.findings else "✓ This is the encoding"
    return f"✗ {head}"


def _paragraphs(diagnosis: Diagnosis) -> list[str]:
    """Return what the diagnosis says below its first line, or all of it, each finding on one line."""
    found: list[str] = []
    for line in diagnosis.advice.splitlines():
        if found and not line.startswith("- "):
            found[-1] += f" {line.strip()}"
        else:
            found.append(line)
    head_is_verdict = found[0].endswith(":")
    return [printable(line) for line in (found[1:] if head_is_verdict else found)]


def _coloured(numbers: np.ndarray, greatest: float, box: tuple[int, int, int, int]) -> np.ndarray:
    """Return a matrix as pixels that fill a box, shape (height, width, 4), uint8; what is not a number is grey."""
    known = np.isfinite(numbers)
    colours = COLOURS[shades_of(np.where(known, numbers, 0.0) / greatest), :3]
    colours = np.where(known[..., np.newaxis], colours, np.uint8(128))
    pixels = np.full((box[3], box[2], 4), 255, np.uint8)
    pixels[..., :3] = resized(resized(colours, box[3]).swapaxes(0, 1), box[2]).swapaxes(0, 1)
    return pixels


def _number_rows_and_columns(axes: Axes, shape: tuple[int, int]) -> None:
    rows, columns = shape
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    axes.set_xticks(_ticks(columns, 9))
    axes.set_yticks(_ticks(rows, 9))
    axes.set_xlabel("column", labelpad=4)
    axes.set_ylabel("row", labelpad=6)


def _ticks(n: int, most: int) -> range:
    """Return indices below n, evenly spaced, and no more than so many."""
    return range(0, n, next(step for step in (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100) if (n - 1) // step < most))


@lru_cache(maxsize=1024)
def _width(words: str) -> float:
    """Return how wide a text of the diagnosis is, in pixels."""
    return sum(map(_advance, words))


def _font() -> Any:
    font = get_font(findfont("DejaVu Sans"))
    font.set_size(FONT, DPI)
    return font


@cache
def _advance(character: str) -> float:
    """Return how far it is from a letter to the next, in pixels."""
    return float(_font().load_char(ord(character)).linearHoriAdvance / 65536)


@cache
def _letter(character: str) -> tuple[np.ndarray, int, int]:
    """Return a letter as inked pixels, how far it reaches below its line, and how far it begins from its place."""
    font = _font()
    font.set_text(character)
    font.draw_glyphs_to_bitmap(antialiased=True)
    return np.array(font.get_image()), round(font.get_descent() / 64), round(font.get_bitmap_offset()[0] / 64)


def _power(n: int) -> str:
    """Write a power of ten."""
    return {0: "1", 1: "10", -1: "0.1", -2: "0.01"}.get(n) or "10" + f"{n}".translate(RAISED)


RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _short(x: float) -> str:
    """Write a frequency in a few digits."""
    return f"{x:.4f}" if x >= 0.01 else f"{x:.2e}"


def _end(x: float) -> float:
    """Round the end of the colours to three digits."""
    return float(f"{x:.3g}")


def _first(row: np.ndarray) -> str:
    """Write the first numbers of a row."""
    return ", ".join(f"{round(x, 4) + 0.0:.4f}" for x in row[:6].tolist()) + (", …" if len(row) > 6 else "")


def _count(n: int, what: str) -> str:
    """Write how many there are of something."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
