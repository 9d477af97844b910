"""How alike two encodings are: a dot product that their offset alone decides, and a difference that turns."""

from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pe_lib.encoding import encode_positions
from pe_lib.pictures.colours import BLUE, GREY, INK, ORANGE, PALE, PAPER
from pe_lib.pictures.fields import Integer, Number, Tick, frozen
from pe_lib.pictures.panes import Pane
from pe_lib.pictures.parts import bars, below, beside, encoded, equation, level, upright
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import Elements, answer, area, box, boxes, discs, line, text
from pe_lib.pictures.writing import evenly, hold, round_numbers, rounded
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
    When the position moves, the left stands still and the right turns (Vaswani et al. 2017, section 3.5).

    {parameters}

    Examples
    --------
    >>> picture = Similarity(d_model=6, offset=3)
    >>> round(picture.similarity, 4), round(picture.distance, 4)
    (1.0003, 1.9998)
    """

    fields: ClassVar = (
        Integer("d_model", 64, 2, 1024, step=2, options=(6, *(2**n for n in range(1, 11))), about="The width, even"),
        # Below this base, angles grow too large for the digits shown.
        Number("base", 10_000.0, 0.01, about="The number that is raised to a power"),
        Integer("up_to", 100, 10, 20_000, options=(20, 50, 100, 200, 1000, 5000, 20_000), about="The greatest offset"),
        Tick("log", False, label="logarithmic axis", about="Whether the axis is logarithmic; it then begins at 1"),
        Integer("offset", 1, lambda s: int(s["log"]), lambda s: s["up_to"], moves=True, about="How far apart both are"),
        Integer("position", 0, 0, 1_000_000, moves=True, reach=(0, 1000), about="The first of the two"),
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
    def similarity(self) -> float:
        """The dot product of the two encodings."""
        return float(dot_product(self.state["offset"], self.state["d_model"], self.state["base"]))

    @property
    def distance(self) -> float:
        """The length of the difference of the two encodings."""
        return float(distance(self.state["offset"], self.state["d_model"], self.state["base"]))

    def words(self) -> str:
        s, k, pos, rise = self.state, self.state["offset"], self.state["position"], self._first_rise()
        rises = "never rises" if rise is None else f"first rises from k = {rise} to {rise + 1}"
        negative = np.flatnonzero(self._values() < 0)
        sign = f"is first below zero at k = {negative[0]}" if len(negative) else "stays above zero"
        law = f" The dashed line is the {self._law()}." if s["base"] > 1 else ""
        starts = {p: ", ".join(map(rounded, some[:4])) for p, some in zip((pos, 0), self._differences(), strict=True)}
        bars = ", ".join(f"PE({p + k}) - PE({p}) begins with {hold(said)}" for p, said in starts.items())
        return (
            f"d_model {s['d_model']}, base {s['base']:g}: encodings of positions {pos} and {pos + k}, k = {k} apart. "
            f"The same at every position: both have the length {rounded(np.sqrt(s['d_model'] / 2))}, their dot product "
            f"g({k}) is {hold(rounded(self.similarity))}, their distance {hold(rounded(self.distance))}. The curve of "
            f"g(k){' on a logarithmic axis' * s['log']} {rises}, {sign} and ends at k = {s['up_to']}.{law} {bars}: "
            "each pair of columns keeps its length."
        )

    def lay(self) -> Elements:
        """Yield the curve, its law and its first rise, and the axes of the difference."""
        s, (pane, plane), (columns, places) = self.state, self._panes(), self._columns()
        bottom, left = pane.bottom + 17, plane.left
        for of, heights in ((pane, round_numbers(*pane.up)), (plane, range(-2, 3))):
            yield from (level(of, y, PALE if y else GREY) for y in heights)
            yield from beside(of, heights)
        decades = [n * 10**power for power in range(5) for n in ((1, 2, 5) if s["up_to"] <= 200 else (1,))]
        numbers = decades if s["log"] else round_numbers(0, s["up_to"])
        ticks = {self._place(k): f"{k:,.0f}" for k in numbers if k == round(k) <= s["up_to"]}
        yield from below(pane, ticks, bottom, "k", 22, ticks.__getitem__)
        ks = np.arange(int(s["log"]), s["up_to"] + 1)
        xs, ys = pane.x(self._place(ks)), pane.y(self._values()[ks])
        yield area(*_outline(xs, ys, 2 * pane.wide), BLUE, BLUE, 2.5)
        apart = np.diff(xs, append=2 * xs[-1] - xs[-2]) > DOTS_APART
        if apart.any():
            yield discs(xs[apart], ys[apart], 3.5, BLUE)
        yield from self._marks(pane)
        names = dict(zip(places, map(str, columns), strict=True))
        yield from below(plane, [*names][:: 1 if len(names) <= 10 else 6], bottom, "column", 8, names.__getitem__)
        yield discs(left + 8, 394, 6, BLUE)
        yield box(left + 98, 388, 12, 12, PAPER, BLUE, 2)
        yield box(left + 226, 384, 16, 20, PALE, GREY, 1)
        yield line([left, left + 16], [[421], [431]], INK, 2)
        for x, words in ((22, "sine"), (120, "cosine"), (252, "same k at pos 0")):
            yield text(left + x, 394, words, align="start")
        yield text(left + 22, 426, "length of each pair", align="start")

    def _marks(self, pane: Pane) -> Elements:
        """Yield the law and the first rise of the curve, each with its words below."""
        s, left, room = self.state, pane.left, BARS[0] - pane.left - 62
        if s["base"] > 1:
            some = np.geomspace(1, min(s["up_to"], s["base"]), 120)
            law = dot_product_law(some, s["d_model"], s["base"])
            law[law > pane.up[1]] = np.nan
            yield line(pane.x(self._place(some)), pane.y(law), INK, 2, (8, 4))
            yield line([left, left + 36], 394, INK, 2, (8, 4))
            yield text(left + 46, 394, self._law(), align="start", most=room)
        if (k := self._first_rise()) is not None:
            low, high = self._values()[k : k + 2]
            for x, y in ((pane.x(self._place(k)), pane.y(low) + 10), (left + 18, 418)):  # its tip, below the dot
                yield area([x, x - 8, x + 8], [y, y + 15, y + 15], PAPER, INK, 2)
            rise = f"first rise: g({k + 1}) − g({k}) = {high - low:.2g}"
            yield text(left + 46, 426, rise, align="start", most=room)

    def move(self) -> Elements:
        """Yield the two positions, their dot product and distance, the dot on the curve, and the difference."""
        s, (pane, plane), k = self.state, self._panes(), self.state["offset"]
        first, second = f"PE({s['position']:,})", f"PE({s['position'] + k:,})"
        x = self._place(k)
        yield upright(pane, x, ORANGE, 2.5, (3, 4))
        yield from answer(discs(pane.x(x), pane.y(self.similarity), 9, ORANGE, INK, 1.5))
        for left, name, number, of in (
            (pane.left, f"g({k:,}) = ", self.similarity, f"= {first} · {second}"),
            (plane.left, "distance ", self.distance, f"= |{second} − {first}|"),
        ):
            yield from equation(left, 28, name, rounded(number), LARGE)
            yield text(left, 66, of, align="start")
        yield from self._difference(plane)

    def _difference(self, pane: Pane) -> Elements:
        """Yield the difference, over that at position 0, between the lengths of its pairs."""
        (_, xs), (now, at_zero) = self._columns(), self._differences()
        room = pane.x(1) - pane.x(0)  # from one column of a pair to the other
        yield bars(pane, xs, at_zero, PALE, min(0.9 * room, 26))
        lengths = np.hypot(at_zero[0::2], at_zero[1::2])  # the same at both positions: a turn keeps a length
        ends = np.stack([xs[0::2] - 0.5, xs[1::2] + 0.5], axis=1)  # (pairs, 2)
        sides = pane.y(np.concatenate([lengths, -lengths]))[:, np.newaxis]
        yield line(pane.x(np.concatenate([ends, ends])), sides, INK, 2)
        yield bars(pane, xs, now, BLUE, min(0.36 * room, 8))
        radius = min(0.45 * room, 6)
        yield discs(pane.x(xs[0::2]), pane.y(now[0::2]), radius, BLUE)
        marks = zip(pane.x(xs[1::2]) - radius, pane.y(now[1::2]) - radius, strict=True)
        yield boxes([(left, top, 2 * radius, 2 * radius) for left, top in marks], PAPER, BLUE, 2)

    def targets(self) -> Targets:
        """Yield the offsets along the curve, the first rise, and the grey bars of position 0."""
        s, (pane, plane) = self.state, self._panes()
        places = np.linspace(*pane.across, 2 * int(pane.wide) + 1)[1::2]  # the middles of pixels
        ks = np.rint(10**places if s["log"] else places).clip(int(s["log"]), s["up_to"])
        yield Target(CURVE, ("offset", ks.astype(int).tolist()))
        if (k := self._first_rise()) is not None:
            yield Target((pane.left, 412, pane.wide, 28), sets={"offset": k})
        yield Target((plane.left + 222, 380, 224, 28), sets={"position": 0})

    def _values(self) -> np.ndarray:
        return _curve(self.state["d_model"], self.state["base"], self.state["up_to"])

    def _place(self, k: Any) -> Any:
        """Return where an offset lies on the axis."""
        return np.log10(k) if self.state["log"] else k

    def _panes(self) -> tuple[Pane, Pane]:
        """Return where the curve and the bars of the difference are."""
        s = self.state
        highest, lowest = s["d_model"] / 2, min(0.0, float(self._values().min()))
        start, end = self._place(int(s["log"])), self._place(s["up_to"])
        above, aside = 0.05 * (highest - lowest), 0.02 * (end - start)
        curve = Pane(*CURVE, (start - aside, end + aside), (lowest - above, highest + above))
        return curve, Pane(*BARS, (-1.0, float(self._columns()[1][-1]) + 1), (-2.1, 2.1))

    def _columns(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the columns that the difference shows, and where they lie on their axis, pair by pair."""
        pairs = np.array(evenly(self.state["d_model"] // 2, PAIRS))[:, np.newaxis]
        return (2 * pairs + [0, 1]).ravel(), (PAIR_STEP * np.arange(len(pairs))[:, np.newaxis] + [0, 1]).ravel()

    def _differences(self) -> np.ndarray:
        """Return the difference at the position and at position 0 in these columns: shape (2, columns)."""
        s, starts = self.state, np.array([self.state["position"], 0])
        before, after = (encoded(s, pos) for pos in (starts, starts + s["offset"]))
        return np.take(after - before, self._columns()[0], axis=1)

    def _first_rise(self) -> int | None:
        """Return the offset of the first rise that lies on the axis."""
        return first_rise(self.state["d_model"], self.state["base"], self.state["up_to"] - 1)

    def _law(self) -> str:
        return f"law: {self.state['d_model'] // 2} · (1 − (ln k + 0.577) / ln {self.state['base']:.12g})"


@lru_cache(maxsize=16)
def _curve(d_model: int, base: float, up_to: int) -> np.ndarray:
    """Return the dot products for the offsets 0 to `up_to`.

    They are those of encodings at the negative positions -a·n with ones at the positions b < n, for a·n + b is the
    offset between the two: one product of two small tables, where a sum over pairs would take ten times as long.
    """
    n = int(np.sqrt(up_to)) + 1
    behind, ahead = (encode_positions(p, d_model, base=base) for p in (-n * np.arange(n), np.arange(n)))
    return frozen((behind @ ahead.T).ravel()[: up_to + 1])


def _outline(xs: np.ndarray, ys: np.ndarray, bins: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the outline of a curve: the least number in each bin, and back along the greatest.

    Where every bin holds one number at most, the way back is the way there and the outline is a line.
    """
    bin_of = np.minimum(np.floor((xs - xs[0]) / (xs[-1] - xs[0]) * bins), bins - 1)
    starts = np.flatnonzero(np.diff(bin_of, prepend=-1))
    lows, highs = np.minimum.reduceat(ys, starts), np.maximum.reduceat(ys, starts)
    return np.concatenate([xs[starts], xs[starts][::-1]]), np.concatenate([lows, highs[::-1]])
