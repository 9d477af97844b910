"""How alike two encodings are: a dot product that their offset alone decides, and a difference that turns."""

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Polygon, Rectangle
from matplotlib.ticker import MaxNLocator

from pe_lib import _checks
from pe_lib.encoding import encode_positions
from pe_lib.pictures.lettering import rounded
from pe_lib.pictures.picture import BLUE, DPI, GREY, INK, ORANGE, Picture, spread
from pe_lib.properties import distance, dot_product, dot_product_law, first_rise

WIDEST, LONGEST, FARTHEST = 1024, 20_000, 1_000_000  # the greatest d_model, up_to and position
SMALLEST_BASE = 0.01  # below it, angles at far positions are too large to keep the digits shown
PAIRS = 16  # how many pairs of columns the difference shows; of a wider encoding, so many evenly spaced ones
PAIR_STEP = 2.7  # from one pair to the next, where its two columns are 1 apart
DOTS_APART = 6.0  # pixels between whole offsets from which on each gets a dot of its own
CURVE, BARS = (0.075, 0.205, 0.39, 0.375), (0.57, 0.205, 0.41, 0.375)  # where the axes lie in the figure
TRIANGLE: Any = {"color": "white", "markersize": 11, "markeredgecolor": INK, "markeredgewidth": 2}
COSINE: Any = {"color": "white", "markeredgecolor": BLUE, "markeredgewidth": 2}
BEHIND = "#c4c4c4"  # the difference at position 0


class Similarity(Picture):
    """Show what the offset between two positions decides about their encodings, and what it does not.

    On top stand the length, dot product and distance of PE(pos) and PE(pos + k), which no position changes. On the left
    is the dot product g(k) against the offset k, on the right the difference PE(pos + k) - PE(pos), column by column,
    over the same difference at position 0. When the position moves, the left stands still and the right turns.

    The law that is drawn with the curve, d_model/2 · (1 - (ln k + γ) / ln base), is meant for 1 ≪ k ≪ base; it is
    drawn from k = 1 to the base, and for a base above 1. The curve passes through every whole offset; where several
    lie on one pixel, it fills the pixel from the least of them to the greatest.

    Parameters
    ----------
    d_model : int
        The width of the encoding, even, 2 to 1024. At 64 the curve both waves and follows its law.
    base : float
        The number that is raised to a power, 0.01 or more.
    offset : int
        How far apart the two positions are, 0 to `up_to`; from 1 on a logarithmic axis.
    position : int
        The first of the two positions, 0 to 1,000,000.
    up_to : int
        The greatest offset on the axis, 10 to 20,000.
    log : bool
        Whether the axis of offsets is logarithmic.

    Raises
    ------
    TypeError, ValueError
        If there is no such picture.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> picture = Similarity(d_model=6, offset=3)
    >>> [round(number, 4) for number in (picture.length, picture.similarity, picture.distance)]
    [1.7321, 1.0003, 1.9998]
    """

    defaults: ClassVar = {
        "d_model": 64,
        "base": 10_000.0,
        "offset": 1,
        "position": 0,
        "up_to": 100,
        "log": False,
    }
    size: ClassVar = (11.0, 6.8)

    @property
    def length(self) -> float:
        """The length of every encoding."""
        return float(np.sqrt(self.state["d_model"] / 2))

    @property
    def similarity(self) -> float:
        """The dot product of the two encodings."""
        return float(dot_product(self.state["offset"], self.state["d_model"], self.state["base"]))

    @property
    def distance(self) -> float:
        """The length of the difference of the two encodings."""
        return float(distance(self.state["offset"], self.state["d_model"], self.state["base"]))

    def describe(self) -> str:
        """Say in words what is to be seen."""
        s = self.state
        k, first, second = s["offset"], s["position"], s["position"] + s["offset"]
        return (
            f"d_model {s['d_model']}, base {s['base']:g}: encodings of positions {first} and {second}, k = {k} apart. "
            f"The same at every position: both have the length {rounded(self.length)}, their dot product g({k}) is "
            f"{rounded(self.similarity)}, their distance {rounded(self.distance)}. "
            f"{self._curve_in_words()} {self._difference_in_words()}"
        )

    def limits(self, state: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
        """Return how far the offset may go; a logarithmic axis has no place for 0."""
        return {"offset": (1 if state["log"] else 0, state["up_to"])}

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        _checks.even_d_model(state["d_model"], "a dot product that the offset decides needs a cosine for every sine")
        for name, least, greatest in (("d_model", 2, WIDEST), ("up_to", 10, LONGEST), ("position", 0, FARTHEST)):
            state[name] = _checks.integer(name, state[name])
            if not least <= state[name] <= greatest:
                raise ValueError(f"{name} must lie between {least} and {greatest}, got {state[name]}")
        state["base"] = _checks.positive_base(state["base"])
        if state["base"] < SMALLEST_BASE:
            raise ValueError(f"base must be at least {SMALLEST_BASE} to be drawn, got {state['base']:g}")
        if not isinstance(state["log"], bool | np.bool_):
            raise TypeError(f"log must be True or False, got {_checks.shown(state['log'])}")
        return self._within_limits(state)

    def _key(self) -> Hashable:
        s = self.state
        return s["d_model"], s["base"], s["up_to"], bool(s["log"])

    def _build(self) -> None:
        f = self.figure
        f.add_artist(Rectangle((0.02, 0.75), 0.96, 0.165, facecolor="#f4f4f4", edgecolor="none"))
        self._given = []
        for x, name in ((0.092, "pos ="), (0.285, "k ="), (0.503, "pos + k =")):
            f.text(x, 0.952, name, fontsize=17, ha="right", va="center")
            self._given.append(f.text(x + 0.008, 0.952, "", fontsize=17, va="center"))
        f.text(0.97, 0.952, "pos changes none of these three", color=GREY, ha="right", va="center")
        places = (0.17, 0.475, 0.81)
        self._captions = [f.text(x, 0.881, "", ha="center", va="center", color=GREY) for x in places]
        self._numbers = [f.text(x, 0.804, "", ha="center", va="center", fontsize=24, weight="bold") for x in places]
        f.text(0.03, 0.7, "Dot product of two encodings, k apart", fontsize=15, va="center")
        f.text(0.03, 0.658, "one curve for every pos", color=GREY, va="center")
        f.text(0.53, 0.7, "Difference PE(pos + k) − PE(pos)", fontsize=15, va="center")
        f.text(0.53, 0.658, "grey bars behind: the same k at pos 0", color=GREY, va="center")
        self._build_curve(f.add_axes(CURVE))
        self._build_bars(f.add_axes(BARS))
        self._build_legends(f.add_axes((0, 0.012, 1, 0.085)))

    def _build_curve(self, axes: Axes) -> None:
        axes.axhline(0, color=GREY, linewidth=1, zorder=0)
        self._curve = Polygon([(0, 0)], facecolor=BLUE, edgecolor=BLUE, linewidth=2.2, joinstyle="round", zorder=2)
        axes.add_patch(self._curve)
        (self._dots,) = axes.plot([], [], "o", color=BLUE, markersize=5, zorder=3)
        (self._law,) = axes.plot([], [], "--", color=INK, linewidth=2, zorder=4)
        (self._rise,) = axes.plot([], [], "^", **TRIANGLE, clip_on=False, zorder=5)
        (self._stem,) = axes.plot([], [], ":", color=ORANGE, linewidth=2.5, zorder=6)
        (self._point,) = axes.plot(
            [], [], "o", color=ORANGE, markersize=13, markeredgecolor=INK, clip_on=False, zorder=7
        )
        self._value = self.figure.text(0, 0.606, "", ha="center", va="center", fontsize=15, weight="bold", zorder=8)
        self._curve_axes = axes

    def _build_bars(self, axes: Axes) -> None:
        axes.set(ylim=(-2.1, 2.1), yticks=(-2, -1, 0, 1, 2))
        axes.axhline(0, color=GREY, linewidth=1, zorder=0)
        self._at_zero = LineCollection([], colors=BEHIND, zorder=1)
        self._pair_lengths = LineCollection([], colors=INK, linewidths=1.5, zorder=2)
        self._bars = LineCollection([], colors=BLUE, zorder=3)
        for lines in (self._at_zero, self._pair_lengths, self._bars):
            axes.add_collection(lines, autolim=False)
        (self._sines,) = axes.plot([], [], "o", color=BLUE, zorder=4)
        (self._cosines,) = axes.plot([], [], "s", **COSINE, zorder=4)
        self._bars_axes = axes

    def _build_legends(self, axes: Axes) -> None:
        axes.set_axis_off()
        axes.set(xlim=(0, 1), ylim=(0, 1))
        (self._law_sign,) = axes.plot([0.03, 0.065], [0.75, 0.75], "--", color=INK, linewidth=2)
        (self._rise_sign,) = axes.plot([0.0475], [0.25], "^", **TRIANGLE)
        self._law_words = axes.text(0.08, 0.75, "", va="center", fontsize=13)
        self._rise_words = axes.text(0.08, 0.25, "", va="center", fontsize=13)
        axes.plot([0.545], [0.75], "o", color=BLUE, markersize=8)
        axes.text(0.56, 0.75, "sine column", va="center", fontsize=13)
        axes.plot([0.71], [0.75], "s", **COSINE, markersize=8)
        axes.text(0.725, 0.75, "cosine column", va="center", fontsize=13)
        axes.plot([0.533, 0.557], [0.3, 0.3], color=INK, linewidth=1.5)
        axes.plot([0.533, 0.557], [0.14, 0.14], color=INK, linewidth=1.5)
        axes.text(0.57, 0.25, "length of each pair: the same at every pos", va="center", fontsize=13)

    def _lay(self) -> None:
        d_model = self.state["d_model"]
        self._captions[0].set_text(f"length of both = √({d_model} / 2)")
        self._captions[1].set_text("dot product g(k) = Σ cos(w_i k)")
        self._captions[2].set_text(f"distance = √({d_model} − 2 g(k))")
        self._numbers[0].set_text(rounded(self.length))
        self._lay_curve()
        self._lay_law_and_rise()
        self._lay_bars()

    def _lay_curve(self) -> None:
        s, axes = self.state, self._curve_axes
        ks = np.arange(1 if s["log"] else 0, s["up_to"] + 1)
        values, xs = _curve(s["d_model"], s["base"], s["up_to"])[ks], self._place(ks)
        pixels = CURVE[2] * self.size[0] * DPI
        self._curve.set_xy(_outline(xs, values, 2 * pixels))
        gaps = np.diff(xs, append=2 * xs[-1] - xs[-2]) * pixels / (xs[-1] - xs[0])
        self._dots.set_data(xs[gaps > DOTS_APART], values[gaps > DOTS_APART])
        highest, lowest = s["d_model"] / 2, min(0.0, float(values.min()))
        above, beside = 0.05 * (highest - lowest), 0.02 * (xs[-1] - xs[0])
        axes.set(ylim=(lowest - above, highest + above), xlim=(xs[0] - beside, xs[-1] + beside))
        heights = np.round(MaxNLocator(5).tick_values(lowest, highest), 9)  # so that 3.0000000000000004 stays within 3
        axes.set_yticks([y for y in heights if lowest <= y <= highest])
        ticks = _log_ticks(s["up_to"]) if s["log"] else MaxNLocator(5, integer=True).tick_values(0, s["up_to"])
        ticks = [int(k) for k in ticks if k <= s["up_to"]]
        axes.set_xticks(self._place(np.array(ticks)), [f"{k:,}" for k in ticks])
        axes.set_xlabel("offset k, logarithmic" if s["log"] else "offset k")

    def _lay_law_and_rise(self) -> None:
        s = self.state
        there = s["base"] > 1
        self._law.set_visible(there)
        self._law_sign.set_visible(there)
        self._law_words.set_text(self._law_formula() if there else "no law: the base is not above 1")
        if there:
            ks = np.geomspace(1, min(s["up_to"], s["base"]), 200)
            self._law.set_data(self._place(ks), dot_product_law(ks, s["d_model"], s["base"]))
        k = self._first_rise()
        self._rise.set_visible(k is not None)
        self._rise_sign.set_visible(k is not None)
        if k is None:
            self._rise_words.set_text(f"no rise up to k = {s['up_to']:,}")
        else:
            low, high = dot_product([k, k + 1], s["d_model"], s["base"])
            self._rise.set_data([self._place(k)], [low])
            self._rise_words.set_text(f"first rise: g({k + 1}) is {high - low:.2g} above g({k})")

    def _lay_bars(self) -> None:
        axes, columns, xs = self._bars_axes, self._columns(), self._bar_places()
        room = BARS[2] * self.size[0] * 72 / (xs[-1] + 2)  # points from one column of a pair to the other
        axes.set_xlim(-1, xs[-1] + 1)
        self._at_zero.set_linewidth(min(0.9 * room, 24))
        self._bars.set_linewidth(min(0.36 * room, 7))
        for marks in (self._sines, self._cosines):
            marks.set_markersize(min(0.75 * room, 10))
        step = 1 if len(columns) <= 10 else 2 if len(columns) <= 20 else 6
        axes.set_xticks(xs[::step], [str(j) for j in columns[::step]])
        pairs = self.state["d_model"] // 2
        axes.set_xlabel("column j" if pairs <= PAIRS else f"column j, {PAIRS} of the {pairs} pairs")

    def _move(self) -> list[Artist]:
        first, k, similarity = self.state["position"], self.state["offset"], self.similarity
        for text, number in zip(self._given, (first, k, first + k), strict=True):
            text.set_text(f"{number:,}")
        self._numbers[1].set_text(rounded(similarity))
        self._numbers[2].set_text(rounded(self.distance))
        return [*self._given, *self._numbers[1:], *self._move_point(k, similarity), *self._move_bars()]

    def _move_point(self, k: int, similarity: float) -> list[Artist]:
        left, right = self._curve_axes.get_xlim()
        place = self._place(k)
        self._stem.set_data([place, place], self._curve_axes.get_ylim())
        self._point.set_data([place], [similarity])
        self._value.set_text(rounded(similarity))
        self._value.set_x(CURVE[0] + CURVE[2] * (place - left) / (right - left))
        return [self._stem, self._point, self._value]

    def _move_bars(self) -> list[Artist]:
        xs = self._bar_places()
        now, at_zero = self._differences()[:, self._columns()]
        self._bars.set_segments(_upright(xs, now))
        self._at_zero.set_segments(_upright(xs, at_zero))
        lengths = np.hypot(at_zero[0::2], at_zero[1::2])  # the same at both positions: a turn keeps a length
        ends = np.stack([xs[0::2] - 0.5, xs[1::2] + 0.5], axis=1)  # (pairs, 2)
        sides = [np.stack([ends, np.stack([y, y], axis=1)], axis=-1) for y in (lengths, -lengths)]
        self._pair_lengths.set_segments([*sides[0], *sides[1]])
        self._sines.set_data(xs[0::2], now[0::2])
        self._cosines.set_data(xs[1::2], now[1::2])
        return [self._at_zero, self._pair_lengths, self._bars, self._sines, self._cosines]

    def _place(self, k: Any) -> Any:
        """Return where an offset lies on the axis."""
        return np.log10(k) if self.state["log"] else k

    def _columns(self) -> np.ndarray:
        """Return the columns that the difference shows."""
        pairs = self.state["d_model"] // 2
        shown = spread(pairs, PAIRS)
        return np.stack([2 * shown, 2 * shown + 1], axis=1).ravel()

    def _bar_places(self) -> np.ndarray:
        """Return where the columns that are shown lie on their axis, pair by pair."""
        pairs = np.arange(len(self._columns()) // 2)
        return np.stack([PAIR_STEP * pairs, PAIR_STEP * pairs + 1], axis=1).ravel()

    def _differences(self) -> np.ndarray:
        """Return the difference at the position and at position 0, of shape (2, d_model)."""
        s = self.state
        starts = np.array([s["position"], 0])
        ends = encode_positions(starts + s["offset"], s["d_model"], base=s["base"])
        differences: np.ndarray = ends - encode_positions(starts, s["d_model"], base=s["base"])
        return differences

    def _first_rise(self) -> int | None:
        """Return the offset of the first rise that lies on the axis."""
        return first_rise(self.state["d_model"], self.state["base"], self.state["up_to"] - 1)

    def _law_formula(self) -> str:
        return f"law: {self.state['d_model'] // 2} · (1 − (ln k + 0.577) / ln {self.state['base']:g})"

    def _curve_in_words(self) -> str:
        s, rise = self.state, self._first_rise()
        values = _curve(s["d_model"], s["base"], s["up_to"])
        start, least, below = int(s["log"]), int(np.argmin(values)), np.flatnonzero(values < 0)
        axis = " on a logarithmic axis" if s["log"] else ""
        law = f" The dashed line is the {self._law_formula()}." if s["base"] > 1 else ""
        return (
            f"The curve of g(k){axis} falls from {rounded(values[start])} at k = {start}, "
            f"{'never rises' if rise is None else f'first rises from k = {rise} to {rise + 1}'}, "
            f"{f'is first below zero at k = {below[0]}' if len(below) else 'stays above zero'} "
            f"and is least at k = {least}, with {rounded(values[least])}; it ends at k = {s['up_to']}.{law}"
        )

    def _difference_in_words(self) -> str:
        k, first = self.state["offset"], self.state["position"]
        now, at_zero = self._differences()[:, self._columns()]
        if k == 0:
            return "The difference of an encoding and itself is 0 in every column."
        if first == 0:
            return f"The bars show PE({k}) - PE(0): {rounded(now[0])} in column 0, {rounded(now[1])} in column 1, …"
        most = int(np.argmax(np.abs(now - at_zero)))
        return (
            f"The bars show that PE({first + k}) - PE({first}) is not PE({k}) - PE(0): column {self._columns()[most]} "
            f"holds {rounded(now[most])}, against {rounded(at_zero[most])}. Each pair of columns keeps its length."
        )


@lru_cache(maxsize=16)
def _curve(d_model: int, base: float, up_to: int) -> np.ndarray:
    """Return the dot products for the offsets 0 to `up_to`.

    They are those of encodings at the negative positions -a·n with ones at the positions b < n, for a·n + b is the
    offset between the two: one product of two small tables, where a sum over pairs would take ten times as long.
    """
    n = int(np.sqrt(up_to)) + 1
    behind, ahead = (encode_positions(p, d_model, base=base) for p in (-n * np.arange(n), np.arange(n)))
    values: np.ndarray = (behind @ ahead.T).ravel()[: up_to + 1]
    values.setflags(write=False)
    return values


def _outline(xs: np.ndarray, values: np.ndarray, bins: float) -> np.ndarray:
    """Return the outline of a curve, of shape (points, 2): the least value in each bin, and back along the greatest.

    Where every bin holds one value at most, the way back is the way there and the outline is a line.
    """
    bin_of = np.minimum(np.floor((xs - xs[0]) / (xs[-1] - xs[0]) * bins), bins - 1)
    starts = np.flatnonzero(np.diff(bin_of, prepend=-1))
    lows, highs = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
    along, heights = np.concatenate([xs[starts], xs[starts][::-1]]), np.concatenate([lows, highs[::-1]])
    return np.stack([along, heights], axis=1)


def _log_ticks(up_to: int) -> list[int]:
    """Return round numbers from 1 on, fewer of them on a longer axis."""
    steps = (1, 2, 5) if up_to <= 200 else (1,)
    return [step * 10**power for power in range(5) for step in steps]


def _upright(xs: np.ndarray, heights: np.ndarray) -> list[np.ndarray]:
    """Return a line from zero up or down to each height."""
    return [np.array([[x, 0.0], [x, height]]) for x, height in zip(xs, heights, strict=True)]
