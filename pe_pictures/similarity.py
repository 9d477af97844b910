"""How similar two encodings are: a dot product that their offset alone decides, and a difference that turns."""

from functools import lru_cache
from typing import ClassVar

import numpy as np

from pe_lib.encoding import BASE
from pe_lib.properties import distance, dot_product, dot_product_law
from pe_pictures.colours import BAND, GREY, HERE, INK, LINE, SINE
from pe_pictures.fields import Integer, Number, frozen
from pe_pictures.panes import Dial, Pane, tiles
from pe_pictures.parts import below, beside, dot, encoded, hand, level, link, ring, spot
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T2, Elements, answer, boxes, discs, kind_of, line, text
from pe_pictures.writing import evenly, here, hold, round_numbers, rounded

PAIRS = 8  # how many pairs of columns the difference shows; of a wider encoding, so many evenly spaced ones
REACH = 2.05  # the radius of an arrow's circle, in lengths of a hand: no difference is longer than 2


class Similarity(Picture):
    """Show what the offset between two positions decides about their encodings, and what it does not.

    On the left is the dot product g(k) of PE(pos) and PE(pos + k) against the offset k, with the law it follows on the
    whole, meant for 1 ≪ k ≪ base; offsets at which it rises are shaded. On the right is the difference of the two rows,
    an arrow for each pair of columns. When the position moves, the left stands still and the arrows turn (Vaswani et
    al. 2017, section 3.5).

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
        Number("base", BASE, 0.01, about="The number that is raised to a power"),
        Integer("up_to", 100, 10, 1000, options=(20, 50, 100, 200, 512, 1000), about="The greatest offset"),
        Integer("offset", 44, 0, lambda s: s["up_to"], moves=True, about="How far apart both are"),
        Integer("position", 0, 0, 1_000_000, moves=True, reach=(0, 1000), about="The first of the two"),
    )
    shown: ClassVar = ("position", "d_model", "up_to", "base")
    play: ClassVar = "offset"
    longest: ClassVar = 20.0
    up_down: ClassVar = "position"
    presets: ClassVar = {
        "neighbours": {"offset": 1},
        "first rise": {"d_model": 512, "offset": 44, "up_to": 100},
        "6 columns": {"d_model": 6, "offset": 6, "up_to": 20},
        "64 columns": {"d_model": 64, "up_to": 100},
        "position 0": {"position": 0},
        "position 1000": {"position": 1000},
    }
    pages: ClassVar = (
        {"offset": range(101)},
        {"d_model": (6, 16, 64, 512), "offset": (0, 1, 2, 3, 4, 5, 6, *range(10, 101, 10), 42, 43, 44, 45)},
        {"position": (0, 1, 2, 3, 10, 100, 1000), "offset": (1, 3, 6, 43, 44)},
        {"d_model": (6,), "up_to": (20,), "offset": range(21)},
    )
    question: ClassVar = "Is a closer word always more similar?"

    @property
    def similarity(self) -> float:
        """The dot product of the two encodings."""
        return float(dot_product(self.state["offset"], self.state["d_model"], self.state["base"]))

    @property
    def distance(self) -> float:
        """The length of the difference of the two encodings."""
        return float(distance(self.state["offset"], self.state["d_model"], self.state["base"]))

    @property
    def rises(self) -> np.ndarray:
        """The offsets k on the axis with g(k) above g(k - 1): integers."""
        return np.flatnonzero(np.diff(self._values) > 0) + 1

    @property
    def pairs(self) -> np.ndarray:
        """The pairs of columns that have an arrow, of the faster half where there are many: integers."""
        pairs = self.state["d_model"] // 2
        return np.array(evenly(min(pairs, max(PAIRS, pairs // 2)), PAIRS))

    def says(self) -> str:
        k, pos = self.state["offset"], self.state["position"]
        first, second = f"{pos:,}", here(f"{pos + k:,}")
        if k == 0:
            return f"Position {second} and itself: {hold(rounded(self.similarity, 2))}, the most there can be."
        now, before = float(self._values[k]), float(self._values[k - 1])
        digits = 2 if rounded(now, 2) != rounded(before, 2) else 4
        if now > before:
            against = f"{hold(rounded(now, digits))} against {hold(rounded(before, digits))}"
            return f"Position {second} is more similar to {first} than {pos + k - 1:,} is: {against}."
        if pos:
            return f"Positions {first} and {second}: {hold(rounded(now, 2))}, as for any two rows {k} apart."
        return (
            f"Position {second} is less similar to {first} than {pos + k - 1:,} is: g({k}) = {hold(rounded(now, 2))}."
        )

    def words(self) -> str:
        s, k, pos = self.state, self.state["offset"], self.state["position"]
        rises = f"rises {len(self.rises)} times, first to k = {self.rises[0]}" if len(self.rises) else "never rises"
        return (
            f"Positions {pos} and {pos + k}, {k} apart (d_model {s['d_model']}, base {s['base']:g}): their dot product "
            f"g({k}) is {hold(rounded(self.similarity))} and their distance {hold(rounded(self.distance))}, at every "
            f"position. Up to k = {s['up_to']} the curve of g {rises}."
        )

    def lay(self) -> Elements:
        s, pane = self.state, self._pane
        slot = pane.x(1) - pane.x(0)
        if len(self.rises):
            yield boxes([(pane.x(k) - slot, pane.top, slot, pane.high) for k in self.rises], BAND)
        for y in round_numbers(*pane.up):
            yield level(pane, y, LINE if y else GREY)
        yield from beside(pane, round_numbers(*pane.up))
        ends = round_numbers(0, s["up_to"])
        yield from below(pane, ends, self.size[1] - 14, "" if self.tall else "offset", 12)
        yield text(pane.left, pane.top - 12, "dot product of two rows k apart", T1, INK, "start")
        if s["base"] > 1:
            ks = np.geomspace(1, min(s["up_to"], s["base"]), 120)
            law = dot_product_law(ks, s["d_model"], s["base"])
            law[(law > pane.up[1]) | (law < pane.up[0])] = np.nan
            yield line(pane.x(ks), pane.y(law), GREY, 2, (2, 5), "round")
        yield line(pane.x(np.arange(s["up_to"] + 1)), pane.y(self._values), SINE, 2.5)
        said = f"shaded: it rises, at {len(self.rises)} steps" if len(self.rises) else "it never rises"
        yield text(pane.right, pane.top + 16, said, T1, GREY, "end", halo=True)
        yield text(pane.right, pane.top + (46 if self.tall else 38), "dotted: the law", T1, GREY, "end", halo=True)
        left, name = (0.0, "their difference") if self.tall else (690.0, "the difference of the two rows")
        top = self._dials[0].y - self._dials[0].radius - (20 if self.tall else 22)
        yield text(left, top, f"{name}, by pairs", T1, INK, "start")
        for (x, y, r), i in zip(self._dials, self.pairs, strict=True):
            yield ring(x, y, r)
            yield text(x, y + r + (16 if self.tall else 14), f"pair {i}", T1, GREY)

    def move(self) -> Elements:
        s, pane, k = self.state, self._pane, self.state["offset"]
        x, y = pane.x(k), pane.y(self.similarity)
        yield link([x, x], [pane.top, pane.bottom + 10])
        yield from answer(dot(x, y))
        yield spot(x, y)
        dials = self._dials
        for (cx, cy, r), now, then in zip(dials, *self._differences(), strict=True):
            tip, dotted = ((cx + r / REACH * cosine, cy - r / REACH * sine) for sine, cosine in (now, then))
            yield line([cx, dotted[0]], [cy, dotted[1]], GREY, 3, (2, 4))
            yield hand([cx, tip[0]], [cy, tip[1]])
            yield discs(*tip, 4, INK)
        said = f"distance {rounded(self.distance, 2)}, always"
        x, y = (520.0, dials[0].y - dials[0].radius - 20) if self.tall else (1090.0, self.size[1] - 40)
        yield from answer(text(x, y, said, T1 if self.tall else T2, INK, "end", "bold"))
        if not self.tall:
            yield text(690, y + 26, f"from {s['position']:,} to {s['position'] + k:,}", T1, HERE, "start")
            same = "" if kind_of(self.tall) == "slide" else "the same "
            yield text(x, y + 26, f"dotted: {same}from position 0" if s["position"] else "", T1, GREY, "end")

    def targets(self) -> Targets:
        offsets = range(self.state["up_to"] + 1)
        yield Target(self._pane.strip(offsets, 0, 12), across=("offset", offsets))

    # Where everything is drawn.

    @property
    def _values(self) -> np.ndarray:
        """The dot products for the offsets 0 to `up_to`."""
        return _curve(self.state["d_model"], self.state["base"], self.state["up_to"])

    @property
    def _pane(self) -> Pane:
        highest, lowest = self.state["d_model"] / 2, min(0.0, float(self._values.min()))
        above = 0.05 * (highest - lowest)
        place: tuple[float, float, float, float] = (70, 350, 424, 360) if self.tall else (76, 28, 560, 372)
        across = 0, self.state["up_to"]
        return Pane(*place, across, (lowest - above, highest + above))

    @property
    def _dials(self) -> list[Dial]:
        """Where the arrows turn."""
        place: tuple[float, float, float, float] = (0, 28, 520, 280) if self.tall else (684, 26, 416, 340)
        found = tiles(place, len(self.pairs), 0.86)
        return [Dial(left + w / 2, top + h / 2 - 8, min(w / 2 - 8, h / 2 - 22)) for left, top, w, h in found]

    def _differences(self) -> np.ndarray:
        """Return the difference at the position and at position 0, by pairs: shape (2, pairs, 2)."""
        s, starts = self.state, np.array([self.state["position"], 0])
        before, after = (encoded(s, pos) for pos in (starts, starts + s["offset"]))
        return (after - before).reshape(2, -1, 2)[:, self.pairs]


@lru_cache(maxsize=16)
def _curve(d_model: int, base: float, up_to: int) -> np.ndarray:
    """Return the dot products for the offsets 0 to `up_to`."""
    return frozen(dot_product(np.arange(up_to + 1), d_model, base))
