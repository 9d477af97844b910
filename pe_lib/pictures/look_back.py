"""Attention by position alone: a head whose queries are rotated, so that each token finds the one before it."""

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.text import Text

from pe_lib import _checks
from pe_lib.encoding import encode_positions, frequencies
from pe_lib.pictures.lettering import rounded
from pe_lib.pictures.picture import BLUE, DPI, GREY, INK, ORANGE, Picture

RANGES = {
    "length": (2, 64),
    "back": (-20, 20),
    "sharpness": (0, 1000),
    "d_model": (2, 512),
    "start": (0, 1_000_000),
}
SMALLEST_BASE = 0.01  # below it, angles at far positions are too large to keep the digits shown
COLOURS = colormaps["Blues"](np.arange(256), bytes=True)  # for shares from 0 to 1
TIED = 1e-9  # shares as near as this to the largest are as large

# Where the parts lie, in pixels: left, top, width, height.
IMAGE, BAR, ROW = (100, 158, 400, 400), (512, 158, 10, 400), (622, 158, 440, 310)
LOWEST, HIGHEST = -0.1, 1.14  # the axis of shares: below 0 is room for the mark, above 1 for the number
LABEL = 42  # pixels from the middle of the number over a bar to its end
DOT: Any = {"color": "white", "markeredgecolor": INK}
DASHED: Any = {"color": ORANGE, "linestyle": "--", "linewidth": 2}
TRIANGLE: Any = {"color": "white", "markersize": 11, "markeredgecolor": INK, "markeredgewidth": 2}


class _Cells(Artist):
    """Shares as an image, a cell for each, whose pixels are those of the figure: far quicker than one of matplotlib."""

    def __init__(self) -> None:
        super().__init__()
        self.set_zorder(1)
        self.shares = np.zeros((1, 1))

    def draw(self, renderer: Any) -> None:
        """Draw the cells."""
        _, top, width, height = IMAGE
        cells = np.arange(width) * len(self.shares) // width  # of each pixel
        shades = (self.shares[::-1] * 255).round().astype(int)  # from the lowest row of pixels up
        below = round(LookBack.size[1] * DPI) - top - height
        renderer.draw_image(renderer.new_gc(), IMAGE[0], below, COLOURS[shades][cells][:, cells])


class LookBack(Picture):
    """Show the attention of a head that knows positions alone: every query is an encoding, rotated so many steps back.

    On the left are the shares of all tokens, a row for each query and a column for each key; a dashed line runs where
    key = query - back, and a dot marks the largest share of each row. The marked row is drawn out on the right. The
    scores are sharpness · <R(-back) PE(query), PE(key)> / √d_model, and softmax turns each row of them into shares.

    Parameters
    ----------
    token : int
        The query whose row is drawn out, counted from the first token: 0 to `length` - 1.
    back : int
        How many positions the head looks back, -20 to 20; ahead where it is negative.
    sharpness : int
        What the scores are multiplied by, 0 to 1000.
    length : int
        How many tokens there are, 2 to 64.
    d_model : int
        The width of the encoding, even, 2 to 512.
    start : int
        The position of the first token, 0 to 1,000,000.
    base : float
        The number that is raised to a power, 0.01 or more.

    Raises
    ------
    TypeError, ValueError
        If there is no such picture.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5: a shift is a linear map, supposed to make it easy
    to attend by relative positions.

    Examples
    --------
    >>> picture = LookBack(token=5, back=1)
    >>> picture.peak, picture.shares[5].round(4).tolist()[3:6]
    (4, [0.0166, 0.9667, 0.0166])
    """

    defaults: ClassVar = {
        "token": 5,
        "back": 1,
        "sharpness": 30,
        "length": 16,
        "d_model": 64,
        "start": 0,
        "base": 10_000.0,
    }
    size: ClassVar = (11.0, 6.9)

    @property
    def shares(self) -> np.ndarray:
        """What each token gives to each: shape (length, length), rows for queries, each of them adding up to 1."""
        s = self.state
        return _shares(s["length"], s["d_model"], s["start"], s["base"], s["back"], s["sharpness"])

    @property
    def peak(self) -> int | None:
        """The token that the marked one gives its largest share to; None where several have it."""
        (key,) = _peaks(self.shares[[self.state["token"]]])
        return key

    @property
    def wanted(self) -> int | None:
        """The token that the marked one looks for; None where there is none in this place."""
        there = int(self.state["token"] - self.state["back"])
        return there if 0 <= there < self.state["length"] else None

    def describe(self) -> str:
        """Say in words what is to be seen."""
        s, row = self.state, self.shares[self.state["token"]]
        first, pos = s["start"], s["start"] + s["token"]
        names = ", ".join(f"token {k} with {rounded(row[k])}" for k in _largest(row))
        right = sum(key == query - s["back"] for query, key in enumerate(_peaks(self.shares)))
        most = "no single token gets most" if self.peak is None else "most goes to the first of these"
        nowhere = "" if self.wanted is not None else ", where no token is"
        return (
            f"Attention of {s['length']} tokens at positions {first} to {first + s['length'] - 1}, d_model "
            f"{s['d_model']}, base {s['base']:g}. Each query is rotated to look {self._direction()}; the scores are "
            f"multiplied by {s['sharpness']} and divided by √{s['d_model']}. Token {s['token']}, at position {pos}, "
            f"looks for position {pos - s['back']}{nowhere}; {most}: {names}. "
            f"In {right} of {s['length']} rows the largest share goes to the token that is looked for."
        )

    def limits(self, state: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
        """Return how far the marked token may go."""
        return {"token": (0, state["length"] - 1)}

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        _checks.even_d_model(state["d_model"], "the last column is then a sine whose cosine is missing")
        for name, (least, greatest) in RANGES.items():
            state[name] = _checks.integer(name, state[name])
            if not least <= state[name] <= greatest:
                raise ValueError(f"{name} must lie between {least} and {greatest}, got {state[name]}")
        state["base"] = _checks.positive_base(state["base"])
        if state["base"] < SMALLEST_BASE:
            raise ValueError(f"base must be at least {SMALLEST_BASE} to be drawn, got {state['base']:g}")
        return {**self._within_limits(state), "token": int(state["token"])}

    def _key(self) -> Hashable:
        s = self.state
        return s["length"], s["d_model"], s["base"]

    def _build(self) -> None:
        self._says = self._text(IMAGE[0] - 70, 36, fontsize=21, weight="bold")
        self._looks = self._text(IMAGE[0] - 70, 74, fontsize=14)
        self._given = self._text(ROW[0] + ROW[2], 36, ha="right", color=GREY)
        self._sharpness = self._text(ROW[0] + ROW[2], 74, ha="right", color=GREY)
        self._text(IMAGE[0], 113, fontsize=15).set_text("Shares of attention")
        self._text(IMAGE[0], 137, fontsize=13, color=GREY).set_text("each row is a token that asks")
        self._text(ROW[0], 113, fontsize=15).set_text("The row in the frame")
        self._text(ROW[0], 137, fontsize=13, color=GREY).set_text("what it gives to each token, 1 in all")
        self._build_image(self.figure.add_axes(self._box(*IMAGE)))
        self._build_row(self.figure.add_axes(self._box(*ROW)))
        self._build_colour_bar(self.figure.add_axes(self._box(*BAR)))
        self._list = self._text(ROW[0], 556, fontsize=14)
        self._rest = self._text(ROW[0], 582, fontsize=13, color=GREY)
        self._build_legends(self.figure.add_axes(self._box(0, 618, round(self.size[0] * DPI), 60)))

    def _build_image(self, axes: Axes) -> None:
        self._cells = _Cells()
        self.figure.add_artist(self._cells)
        axes.patch.set_visible(False)
        axes.spines[:].set(visible=True, color=GREY)
        axes.set_xlabel("key: token", labelpad=3)
        axes.set_ylabel("query: token", labelpad=4)
        (self._diagonal,) = axes.plot([], [], **DASHED, zorder=3)
        (self._dots,) = axes.plot([], [], "o", **DOT, zorder=5)  # over the frame, whose row may be as thin as they are
        self._frame = Rectangle((0, 0), 1, 1, fill=False, edgecolor=INK, linewidth=2, clip_on=False, zorder=4)
        self._frame.set_path_effects([withStroke(linewidth=4, foreground="white")])
        axes.add_patch(self._frame)
        self._image_axes = axes

    def _build_row(self, axes: Axes) -> None:
        axes.set(ylim=(LOWEST, HIGHEST), yticks=(0, 0.5, 1))
        axes.set_xlabel("key: token", labelpad=3)
        axes.hlines((0, 1), 0, 1, color=(GREY, "#e4e4e4"), linewidth=1, transform=axes.get_yaxis_transform(), zorder=0)
        self._bars = PolyCollection([], facecolors=BLUE, edgecolors=INK, linewidths=0.5, zorder=2)
        axes.add_collection(self._bars, autolim=False)
        (self._equal,) = axes.plot([], [], ":", color=INK, linewidth=2, zorder=3)
        (self._point,) = axes.plot([], [], "o", **DOT, markersize=10, markeredgewidth=2, clip_on=False, zorder=5)
        (self._mark,) = axes.plot([], [], "^", **TRIANGLE, clip_on=False, zorder=5)
        self._number = axes.text(0, 0, "", ha="center", va="bottom", fontsize=15, weight="bold", zorder=6)
        self._row_axes = axes

    @staticmethod
    def _build_colour_bar(axes: Axes) -> None:
        axes.imshow(COLOURS[::-1, np.newaxis], aspect="auto", extent=(0, 1, 0, 1))
        axes.spines[:].set(visible=True, linewidth=0.8)
        axes.tick_params(length=3, width=0.8)
        axes.yaxis.tick_right()
        axes.set(xticks=[], yticks=(0, 0.5, 1))

    def _build_legends(self, axes: Axes) -> None:
        axes.set_axis_off()
        axes.set(xlim=(0, self.size[0] * DPI), ylim=(60, 0))
        axes.plot([98], [18], "o", **DOT, markersize=9, markeredgewidth=2)
        axes.text(114, 18, "largest share of its row", va="center", fontsize=13)
        axes.plot([84, 108], [44, 44], **DASHED)
        axes.text(114, 44, "looked for: key = query", va="center", fontsize=13)
        self._away = axes.text(330, 44, "", va="center", fontsize=13)
        axes.plot([632], [18], "^", **TRIANGLE)
        axes.text(650, 18, "the token that is looked for", va="center", fontsize=13)
        axes.plot([620, 644], [44, 44], ":", color=INK, linewidth=2)
        self._equal_words = axes.text(650, 44, "", va="center", fontsize=13)

    def _lay(self) -> None:
        n, d_model, base = self.state["length"], self.state["d_model"], self.state["base"]
        self._given.set_text(f"d_model {d_model} · base {base:g}")
        ticks = range(0, n, next(step for step in (1, 2, 5, 10) if (n - 1) // step < 11))
        self._image_axes.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), xticks=ticks, yticks=ticks)
        self._dots.set(markersize=min(8.0, 0.45 * IMAGE[2] / n), markeredgewidth=1.0 if n > 32 else 1.5)
        self._row_axes.set(xlim=(-0.7, n - 0.3), xticks=ticks)
        self._equal.set_data([-0.7, n - 0.3], [1 / n, 1 / n])
        self._equal_words.set_text(f"equal shares: 1 / {n} = {rounded(1 / n)}")

    def _move(self) -> list[Artist]:
        s, shares, pos = self.state, self.shares, self.state["start"] + self.state["token"]
        row, peak = shares[s["token"]], self.peak
        self._says.set_text(
            f"Token {s['token']}: no largest share"
            if peak is None
            else f"Token {s['token']} gives {rounded(row[peak])} to token {peak}"
        )
        there = "" if self.wanted is not None else ", where no token is"
        aim = f"looks {self._direction()}, for pos {pos - s['back']:,}{there}"
        self._looks.set_text(f"pos {pos:,} {aim}")
        self._sharpness.set_text(f"sharpness {s['sharpness']}")
        self._away.set_text("" if s["back"] == 0 else f"{'−' if s['back'] > 0 else '+'} {abs(s['back'])}")
        texts = [self._says, self._looks, self._sharpness, self._away]
        return [*texts, *self._move_image(shares), *self._move_row(row), *self._move_list(row)]

    def _move_image(self, shares: np.ndarray) -> list[Artist]:
        s, n = self.state, self.state["length"]
        self._cells.shares = shares
        peaks = [(key, query) for query, key in enumerate(_peaks(shares)) if key is not None]
        self._dots.set_data(*np.reshape(peaks, (-1, 2)).T)
        ends = np.array([max(0, s["back"]) - 0.5, min(n, n + s["back"]) - 0.5])  # of the queries that find a key
        self._diagonal.set_data(ends - s["back"], ends)
        self._frame.set_bounds(-0.5, s["token"] - 0.5, n, 1)
        return [self._cells, self._diagonal, self._dots, self._frame]

    def _move_row(self, row: np.ndarray) -> list[Artist]:
        keys, peak, n = np.arange(len(row)), self.peak, len(row)
        sides = keys[:, np.newaxis] + [-0.4, -0.4, 0.4, 0.4]  # (keys, corners)
        tops = row[:, np.newaxis] * [0, 1, 1, 0]
        self._bars.set_verts([*np.stack([sides, tops], axis=-1)])
        self._bars.set_facecolor([ORANGE if key == peak else BLUE for key in keys])
        self._point.set_data(([], []) if peak is None else ([peak], [row[peak]]))
        self._mark.set_data(([], []) if self.wanted is None else ([self.wanted], [LOWEST / 2]))
        self._number.set_text("" if peak is None else rounded(row[peak]))
        margin = LABEL * (n + 0.4) / ROW[2]
        self._number.set_x(min(max(peak or 0, margin - 0.7), n - 0.3 - margin))
        self._number.set_y(0 if peak is None else row[peak] + 0.03)
        return [self._bars, self._equal, self._point, self._mark, self._number]

    def _move_list(self, row: np.ndarray) -> list[Artist]:
        most = _largest(row)
        self._list.set_text("token " + "  ·  ".join(f"{key}: {rounded(row[key])}" for key in most))
        left = len(row) - len(most)
        self._rest.set_text(f"{left} more: {rounded(1 - row[most].sum())}" if left else "")
        return [self._list, self._rest]

    def _direction(self) -> str:
        """Say how far the head looks, and where to."""
        back = self.state["back"]
        return f"{abs(back)} {'back' if back > 0 else 'ahead'}" if back else "at itself"

    def _text(self, left: float, top: float, **style: Any) -> Text:
        """Return an empty text at a place given in pixels from the upper left corner."""
        x, y, _, _ = self._box(left, top, 0, 0)
        return self.figure.text(x, y, "", va="center", zorder=9, **style)

    def _box(self, left: float, top: float, width: float, height: float) -> tuple[float, float, float, float]:
        """Return a box given in pixels from the upper left corner in parts of the figure, from its lower left."""
        across, down = self.size[0] * DPI, self.size[1] * DPI
        return left / across, 1 - (top + height) / down, width / across, height / down


@lru_cache(maxsize=4)
def _similarities(length: int, d_model: int, start: int, base: float, back: int) -> np.ndarray:
    """Return the dot products of the rotated queries with the keys: shape (length, length), over √d_model."""
    keys = encode_positions(start + np.arange(length), d_model, base=base)
    # Sine and cosine of a pair as one complex number, cos + i·sin: to turn it back is to multiply it.
    turned = (keys[:, 1::2] + 1j * keys[:, 0::2]) * np.exp(-1j * back * frequencies(d_model, base))
    queries = np.stack([turned.imag, turned.real], axis=-1).reshape(length, d_model)
    similarities: np.ndarray = queries @ keys.T / np.sqrt(d_model)
    return similarities


@lru_cache(maxsize=4)
def _shares(length: int, d_model: int, start: int, base: float, back: int, sharpness: int) -> np.ndarray:
    """Return the softmax of the scores, row by row; not to be written to."""
    scores = sharpness * _similarities(length, d_model, start, base, back)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
    shares.flags.writeable = False
    return shares


def _peaks(shares: np.ndarray) -> list[int | None]:
    """Return the key with the largest share of each row, None where several have it."""
    alone = (shares > shares.max(axis=1, keepdims=True) - TIED).sum(axis=1) == 1
    return [int(key) if one else None for key, one in zip(shares.argmax(axis=1), alone, strict=True)]


def _largest(row: np.ndarray) -> np.ndarray:
    """Return the keys of the three largest shares, of equal ones the earlier first."""
    keys: np.ndarray = np.argsort(-row.round(9), kind="stable")[:3]
    return keys
