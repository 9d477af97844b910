"""How alike two encodings are: a dot product that their offset alone decides, and a difference that turns."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pe_lib.encoding import encode_positions
from pe_lib.pictures.colours import BLUE, GREY, INK, ORANGE, PALE, PAPER
from pe_lib.pictures.fields import Integer, Number, Tick
from pe_lib.pictures.picture import Pane, Picture, Target, evenly, hold, round_numbers, rounded
from pe_lib.pictures.scene import SMALL, TALK, Element, answer, area, box, boxes, discs, line, text, width_of
from pe_lib.properties import distance, dot_product, dot_product_law, first_rise

PAIRS = 16  # how many pairs of columns the difference shows; of a wider encoding, so many evenly spaced ones
PAIR_STEP = 2.7  # from one pair to the next, where its two columns are 1 apart
DOTS_APART = 9.0  # pixels between whole offsets from which on each gets a dot of its own
CURVE, BARS = (76.0, 92.0, 466.0, 256.0), (636.0, 92.0, 446.0, 256.0)  # left, top, width, height
LARGE = 36.0  # letters of the answer


class Similarity(Picture):
    """Show what the offset between two positions decides about their encodings, and what it does not.

    On the left is the dot product g(k) of PE(pos) and PE(pos + k) against the offset k, with the law it follows on the
    whole, meant for 1 ≪ k ≪ base. On the right is their difference, column by column, over the same at position 0.
    When the position moves, the left stands still and the right turns. Where several offsets lie on one pixel, the
    curve fills it from the least of their numbers to the greatest.

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

    fields: ClassVar = (
        Integer(name="d_model", default=64, least=2, greatest=1024, step=2, options=(6, *(2**n for n in range(1, 11)))),
        Number(name="base", default=10_000.0, least=0.01),  # below it, angles grow too large for the digits shown
        Integer(name="up_to", default=100, least=10, greatest=20_000, options=(20, 50, 100, 200, 1000, 5000, 20_000)),
        Tick(name="log", default=False, label="logarithmic axis"),
        Integer(name="offset", default=1, moves=True, least=lambda s: int(s["log"]), greatest=lambda s: s["up_to"]),
        Integer(name="position", default=0, moves=True, greatest=1_000_000, reach=(0, 1000)),
    )
    shown: ClassVar = ("offset", "d_model", "base")
    play: ClassVar = "position"
    presets: ClassVar = {
        "neighbours": {"offset": 1, "position": 1},
        "position 1000": {"position": 1000},
        "6 columns": {"d_model": 6, "base": 10_000.0, "offset": 3, "up_to": 20, "log": False},
        "first rise": {"d_model": 512, "base": 10_000.0, "offset": 43, "up_to": 100, "log": False},
        "20,000 offsets": {"d_model": 512, "base": 10_000.0, "offset": 3284, "up_to": 20_000, "log": True},
    }
    pages: ClassVar = (
        {"position": range(61)},
        {"offset": range(101)},
        {"d_model": (6, 8, 16, 32, 64, 128, 256), "offset": (1, 3, 5, 43)},
        {"d_model": (512,), "offset": (0, 1, 2, 5, 10, 20, 42, 43, 44, 60, 80, 100), "position": (0, 1)},
        {"d_model": (512,), "offset": (1, 43), "position": range(0, 61, 4)},
        {"d_model": (6,), "up_to": (20,), "offset": range(21), "position": (0, 1, 2)},
        {"d_model": (6,), "up_to": (20,), "offset": (3,), "position": range(21)},
        {"d_model": (512,), "up_to": (20_000,), "log": (True,)}
        | {"offset": (1, 10, 100, 1000, 3283, 3284, 3285, 10_000, 20_000), "position": (0, 1, 10, 100, 1000)},
    )

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

    def words(self) -> str:
        """Say in words what is to be seen."""
        s = self.state
        k, first, second = s["offset"], s["position"], s["position"] + s["offset"]
        return (
            f"d_model {s['d_model']}, base {s['base']:g}: encodings of positions {first} and {second}, k = {k} apart. "
            f"The same at every position: both have the length {rounded(self.length)}, their dot product g({k}) is "
            f"{hold(rounded(self.similarity))}, their distance {hold(rounded(self.distance))}. "
            f"{self._curve_in_words()} {self._difference_in_words()}"
        )

    def lay(self) -> Iterator[Element]:
        """Yield the curve, its law and its first rise, and the axes of the difference."""
        s, pane, bars = self.state, self._curve_pane(), self._bars_pane()
        left, top, wide, high = CURVE
        bottom = top + high + 17
        for y in round_numbers(*pane.up):
            yield line([left, left + wide], [pane.y(y)] * 2, PALE if y else GREY, 1)
            yield text(left - 8, pane.y(y), f"{y:g}", SMALL, GREY, "end")
        decades = [n * 10**power for power in range(5) for n in ((1, 2, 5) if s["up_to"] <= 200 else (1,))]
        for k in decades if s["log"] else round_numbers(0, s["up_to"]):
            if k == round(k) <= s["up_to"]:
                yield text(pane.x(self._place(k)), bottom, f"{k:,.0f}", SMALL, GREY)
        yield text(left - 22, bottom, "k", SMALL, GREY, "end")
        ks = np.arange(int(s["log"]), s["up_to"] + 1)
        xs, ys = pane.x(self._place(ks)), pane.y(self._values()[ks])
        yield area(*_outline(xs, ys, 2 * wide), BLUE, BLUE, 2.5)
        apart = np.diff(xs, append=2 * xs[-1] - xs[-2]) > DOTS_APART
        if apart.any():
            yield discs(xs[apart], ys[apart], 3.5, BLUE)
        yield from self._marks(pane)
        for y in range(-2, 3):
            yield line([BARS[0], BARS[0] + BARS[2]], [bars.y(y)] * 2, PALE if y else GREY, 1)
            yield text(BARS[0] - 8, bars.y(y), f"{y}", SMALL, GREY, "end")
        columns = self._columns()
        for x, j in list(zip(self._bar_places(), columns, strict=True))[:: 1 if len(columns) <= 10 else 6]:
            yield text(bars.x(x), bottom, f"{j}", SMALL, GREY)
        yield text(BARS[0] - 8, bottom, "column", SMALL, GREY, "end")
        yield discs(BARS[0] + 8, 394, 6, BLUE)
        yield box(BARS[0] + 98, 388, 12, 12, PAPER, BLUE, 2)
        yield box(BARS[0] + 226, 384, 16, 20, PALE, GREY, 1)
        yield line([[BARS[0], BARS[0] + 16]] * 2, [[421, 421], [431, 431]], INK, 2)
        for x, words in ((22, "sine"), (120, "cosine"), (252, "same k at pos 0")):
            yield text(BARS[0] + x, 394, words, align="start")
        yield text(BARS[0] + 22, 426, "length of each pair: never changes", align="start")

    def _marks(self, pane: Pane) -> Iterator[Element]:
        """Yield the law and the first rise of the curve, each with its words below."""
        s, (left, _, wide, _) = self.state, CURVE
        if s["base"] > 1:
            some = np.geomspace(1, min(s["up_to"], s["base"]), 120)
            law = dot_product_law(some, s["d_model"], s["base"])
            law[law > pane.up[1]] = np.nan
            yield line(pane.x(self._place(some)), pane.y(law), INK, 2, (8, 4))
            yield line([left, left + 36], [394, 394], INK, 2, (8, 4))
            yield text(left + 46, 394, self._law(), TALK, INK, "start", most=wide - 20, least=SMALL)
        if (k := self._first_rise()) is not None:
            low, high = self._values()[k : k + 2]
            for x, y in ((pane.x(self._place(k)), pane.y(low) + 10), (left + 18, 418)):  # its tip, below the dot
                yield area([x, x - 8, x + 8], [y, y + 15, y + 15], PAPER, INK, 2)
            words = f"first rise: g({k + 1}) − g({k}) = {high - low:.2g}"
            yield text(left + 46, 426, words, TALK, INK, "start", most=wide - 20, least=SMALL)

    def move(self) -> Iterator[Element]:
        """Yield the two positions, their dot product and distance, the dot on the curve, and the difference."""
        s, pane = self.state, self._curve_pane()
        k, first, second = s["offset"], f"PE({s['position']:,})", f"PE({s['position'] + s['offset']:,})"
        shown: list[Element] = []
        hidden: list[Element] = []
        for left, name, number in ((CURVE[0], f"g({k:,}) = ", self.similarity), (BARS[0], "distance ", self.distance)):
            after = left + width_of(name, LARGE, "bold")
            yield text(left, 28, name, LARGE, INK, "start", "bold")
            shown.append(text(after, 28, rounded(number), LARGE, INK, "start", "bold"))
            hidden.append(text(after, 28, "?", LARGE, INK, "start", "bold"))
        yield text(CURVE[0], 66, f"= {first} · {second}", TALK, INK, "start")
        yield text(BARS[0], 66, f"= |{second} − {first}|", TALK, INK, "start")
        x = pane.x(self._place(k))
        yield line([x, x], [CURVE[1], CURVE[1] + CURVE[3]], ORANGE, 2.5, (3, 4))
        shown.append(discs(x, pane.y(self.similarity), 9, ORANGE, INK, 1.5))
        yield from answer(*shown, question=hidden)
        yield from self._difference(self._bars_pane())

    def _difference(self, pane: Pane) -> Iterator[Element]:
        """Yield the difference, over that at position 0, between the lengths of its pairs."""
        xs, (now, at_zero) = self._bar_places(), self._differences()[:, self._columns()]
        room = pane.x(1) - pane.x(0)  # from one column of a pair to the other
        places, far = np.stack([xs, xs], axis=1), np.array([0.0, 1.0])  # of each bar, its foot and its end
        yield line(pane.x(places), pane.y(at_zero[:, np.newaxis] * far), PALE, min(0.9 * room, 26))
        lengths = np.hypot(at_zero[0::2], at_zero[1::2])  # the same at both positions: a turn keeps a length
        ends = np.stack([xs[0::2] - 0.5, xs[1::2] + 0.5], axis=1)  # (pairs, 2)
        sides = pane.y(np.concatenate([lengths, -lengths]))[:, np.newaxis]
        yield line(pane.x(np.concatenate([ends, ends])), sides, INK, 2)
        yield line(pane.x(places), pane.y(now[:, np.newaxis] * far), BLUE, min(0.36 * room, 8))
        radius = min(0.45 * room, 6)
        yield discs(pane.x(xs[0::2]), pane.y(now[0::2]), radius, BLUE)
        marks = zip(pane.x(xs[1::2]) - radius, pane.y(now[1::2]) - radius, strict=True)
        yield boxes([(left, top, 2 * radius, 2 * radius) for left, top in marks], PAPER, BLUE, 2)

    def targets(self) -> Iterator[Target]:
        """Yield the offsets along the curve, the first rise, and the grey bars of position 0."""
        left, _, wide, _ = CURVE
        pane, pixels = self._curve_pane(), np.arange(wide) + 0.5
        places = pane.across[0] + pixels * (pane.across[1] - pane.across[0]) / wide
        ks = np.rint(10**places if self.state["log"] else places)
        least, most = int(self.state["log"]), self.state["up_to"]
        yield Target(CURVE, across=("offset", ks.clip(least, most).astype(int).tolist()))
        if (k := self._first_rise()) is not None:
            yield Target((left, 412, wide, 28), sets={"offset": k})
        yield Target((BARS[0] + 222, 380, 224, 28), sets={"position": 0})

    def _values(self) -> np.ndarray:
        return _curve(self.state["d_model"], self.state["base"], self.state["up_to"])

    def _place(self, k: Any) -> Any:
        """Return where an offset lies on the axis."""
        return np.log10(k) if self.state["log"] else k

    def _curve_pane(self) -> Pane:
        s = self.state
        highest, lowest = s["d_model"] / 2, min(0.0, float(self._values().min()))
        start, end = self._place(int(s["log"])), self._place(s["up_to"])
        above, beside = 0.05 * (highest - lowest), 0.02 * (end - start)
        return Pane(*CURVE, (start - beside, end + beside), (lowest - above, highest + above))

    def _bars_pane(self) -> Pane:
        return Pane(*BARS, (-1.0, float(self._bar_places()[-1]) + 1), (-2.1, 2.1))

    def _columns(self) -> np.ndarray:
        """Return the columns that the difference shows."""
        return np.array([2 * i + half for i in evenly(self.state["d_model"] // 2, PAIRS) for half in (0, 1)])

    def _bar_places(self) -> np.ndarray:
        """Return where the columns that are shown lie on their axis, pair by pair."""
        return np.array([PAIR_STEP * n + half for n in range(len(self._columns()) // 2) for half in (0, 1)])

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

    def _law(self) -> str:
        return f"law: {self.state['d_model'] // 2} · (1 − (ln k + 0.577) / ln {self.state['base']:g})"

    def _curve_in_words(self) -> str:
        s, rise, values = self.state, self._first_rise(), self._values()
        start, least, below = int(s["log"]), int(np.argmin(values)), np.flatnonzero(values < 0)
        said = {k: hold(rounded(values[k])) if k == s["offset"] else rounded(values[k]) for k in (start, least)}
        axis = " on a logarithmic axis" if s["log"] else ""
        law = f" The dashed line is the {self._law()}." if s["base"] > 1 else ""
        return (
            f"The curve of g(k){axis} falls from {said[start]} at k = {start}, "
            f"{'never rises' if rise is None else f'first rises from k = {rise} to {rise + 1}'}, "
            f"{f'is first below zero at k = {below[0]}' if len(below) else 'stays above zero'} "
            f"and is least at k = {least}, with {said[least]}; it ends at k = {s['up_to']}.{law}"
        )

    def _difference_in_words(self) -> str:
        k, first = self.state["offset"], self.state["position"]
        now, at_zero = self._differences()[:, self._columns()]
        if k == 0:
            return f"The difference of an encoding and itself is {hold('0')} in every column."
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


def _outline(xs: np.ndarray, ys: np.ndarray, bins: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the outline of a curve: the least number in each bin, and back along the greatest.

    Where every bin holds one number at most, the way back is the way there and the outline is a line.
    """
    bin_of = np.minimum(np.floor((xs - xs[0]) / (xs[-1] - xs[0]) * bins), bins - 1)
    starts = np.flatnonzero(np.diff(bin_of, prepend=-1))
    lows, highs = np.minimum.reduceat(ys, starts), np.maximum.reduceat(ys, starts)
    return np.concatenate([xs[starts], xs[starts][::-1]]), np.concatenate([lows, highs[::-1]])
