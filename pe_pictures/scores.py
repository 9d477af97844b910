"""What two schemes of positions make of the scores: side by side, a map of each, and a row of it over the offset."""

from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from pe_lib import relatives, rope_scaling
from pe_lib.encoding import frequencies
from pe_lib.relatives import SCHEMES
from pe_pictures.cells import Cells
from pe_pictures.colours import GREY, INK, PAPER
from pe_pictures.fields import Choice, Integer, Number, Tick, frozen
from pe_pictures.panes import Pane, grid
from pe_pictures.parts import beside, dot, level, link, number, upright
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T2, T3, Elements, answer, discs, line, text
from pe_pictures.writing import evenly, here, hold, round_numbers, rounded

HEADS, BUCKETS = 8, 32  # of ALiBi and T5
STRETCHED = ("RoPE, interpolated", "RoPE, NTK-aware", "RoPE, YaRN")
RELATIVES = (*SCHEMES, *STRETCHED)
CONTENTS = ("random", "zero", "1, 0, 1, 0, …")
MOST_POSITIONS, ROWS = 256, 512  # positions, and rows of a learned table
WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512)
LENGTHS = (8, 16, 32, 64, 128, MOST_POSITIONS)
NAMES = {  # a title, and what a sentence says
    "none": ("No positions", "no positions"),
    "sinusoidal": ("Added: sinusoids", "added"),
    "learned": ("Added: learned rows", "learned"),
    "T5": ("T5: a number for each bucket", "T5"),
    "ALiBi": ("ALiBi: a slope for distance", "ALiBi"),
    "RoPE": ("Rotated: RoPE", "rotated"),
    "RoPE, interpolated": ("RoPE, interpolated", "interpolated"),
    "RoPE, NTK-aware": ("RoPE, NTK-aware", "NTK-aware"),
    "RoPE, YaRN": ("RoPE, YaRN", "YaRN"),
}
FORMULAS = {
    "none": "q · k / √width",
    "sinusoidal": "(q + PE(query)) · (k + PE(key)) / √width",
    "learned": "(q + row of query) · (k + row of key) / √width",
    "T5": "q · k + a number for the offset's bucket",
    "ALiBi": "q · k / √width − {slope:.4g} · distance",
    "RoPE": "(q, rotated) · (k, rotated) / √width",
}
QUERIES = 5  # have a grey curve
ALIKE = 1e-9  # scores as near as this are equal


class Side(NamedTuple):
    """One scheme, and where it is drawn."""

    relative: str
    scores: np.ndarray  # (queries, keys)
    alike: bool  # whether the offset alone decides
    table: Pane
    curve: Pane


class Scores(Picture):
    """Compare what two schemes of positions make of the scores of every query with every key.

    The same query and the same key stand at all positions, so that what differs is the work of the positions. On each
    side is a map, above its mean red and below it blue. The marked row is drawn out next to it over the offset, key
    minus query, with rows of other queries in grey: where the offset alone decides, all lie on one curve. For the
    sources see `attention_scores`, `position_interpolation`, `ntk_aware_scaling` and `yarn_scaling`.

    {parameters}

    Examples
    --------
    >>> Scores("ALiBi", content="zero", query=20, key=12).score
    -4.0
    >>> Scores("sinusoidal").alike, Scores("RoPE").alike
    (False, True)
    """

    fields: ClassVar = (
        Choice("relative", "RoPE", RELATIVES, about="The right scheme; learned rows and numbers of T5 are random"),
        Choice("against", "sinusoidal", RELATIVES, about="The left scheme, which it is compared with"),
        Choice("content", "random", CONTENTS, label="query and key", about="What both hold before positions come in"),
        Integer("head", 0, 0, HEADS - 1, about="Which head, with its own query, key and slope (ALiBi)"),
        Integer("d_model", 32, 4, 512, step=2, options=WIDTHS, about="The width of a head, even"),
        Integer("length", 32, 2, MOST_POSITIONS, options=LENGTHS, about="How many positions there are"),
        Number("base", 10_000.0, 0.01, about="The number that is raised to a power"),
        Number("scale", 4.0, 1, 64, (1.0, 2.0, 4.0, 8.0, 16.0, 32.0), about="The wanted length over the trained one"),
        Tick("causal", False, about="Whether later keys are masked"),
        Integer("query", 20, 0, lambda s: s["length"] - 1, moves=True, about="The query of the chosen cell"),
        Integer("key", 12, 0, lambda s: s["length"] - 1, moves=True, about="The key of the chosen cell"),
    )
    shown: ClassVar = ("key", "relative", "against")
    play: ClassVar = "query"
    presets: ClassVar = {
        "rotated": {"relative": "RoPE"},
        "ALiBi": {"relative": "ALiBi"},
        "T5's stairs": {"relative": "T5"},
        "stretched": {"relative": "RoPE, interpolated"},
        "with words": {"content": "random"},
        "positions alone": {"content": "zero"},
    }
    pages: ClassVar = (
        {"query": range(32)},
        {"query": range(0, 32, 2), "relative": RELATIVES},
        {"query": range(0, 32, 2), "relative": ("RoPE", "ALiBi", "T5"), "content": ("zero",)},
        {"key": range(0, 32, 4), "relative": SCHEMES},
        {"query": range(0, 32, 4), "against": ("none", "learned", "ALiBi")},
        {"relative": ("T5", "RoPE"), "length": (MOST_POSITIONS,)},
        {"scale": (1.0, 2.0, 4.0, 8.0, 16.0, 32.0), "relative": STRETCHED},
    )
    question: ClassVar = "Does it matter where two words stand, or only how far apart?"

    @property
    def scores(self) -> np.ndarray:
        """The scores of the right scheme before the softmax: shape (length, length), -inf where masked."""
        return self._found(self.state["relative"])[0]

    @property
    def score(self) -> float:
        """The score of the chosen query with the chosen key, under the right scheme."""
        return float(self.scores[self.state["query"], self.state["key"]])

    @property
    def alike(self) -> bool:
        """Whether every query has the same curve over the offset, under the right scheme."""
        return self._found(self.state["relative"])[1]

    def says(self) -> str:
        s, sides = self.state, self._sides
        offset = s["key"] - s["query"]
        cell = here(f"Query {s['query']}, key {s['key']}")
        if not np.isfinite(self.score):
            return f"{cell}: the key comes later, so it is masked: attention weight {hold('0')}."
        said = [f"{NAMES[side.relative][1]} {hold(self._number(side))}" for side in sides]
        if sides[0].alike == sides[1].alike:
            end = "the same wherever both stand" if sides[0].alike else "and both change if the words move"
            return f"{cell}: {said[0]} and {said[1]}, {hold(end)}."
        same, other = said if sides[0].alike else said[::-1]
        if offset == 0:
            itself = here(f"Query {s['query']} with itself")
            return f"{itself}: {same}, {hold('as everywhere')}; {other}, {hold('only here')}."
        return f"{cell}: {same}, {hold(f'as everywhere at offset {number(offset)}')}; {other}, {hold('only here')}."

    def words(self) -> str:
        s = self.state
        shown = "; ".join(
            f"{side.relative}: {hold(f'{self._number(side, 3)}, {_verdict(side)[:-1]}')}" for side in self._sides
        )
        return (
            f"Scores of {s['length']} queries with as many keys, the same query and key at every position "
            f"({s['content']}), head {s['head']} of {HEADS}, width {s['d_model']}, base {s['base']:.12g}"
            f"{', later keys masked' * s['causal']}. Query {s['query']} with key {s['key']}, offset "
            f"{number(s['key'] - s['query'])}: {shown}."
        )

    def lay(self) -> Elements:
        n = self.state["length"]
        for side in self._sides:
            scores, table, pane = side.scores, side.table, side.curve
            known = np.isfinite(scores)
            beyond = np.where(known, scores - scores[known].mean(), 0.0)
            colours = beyond / max(np.abs(beyond).max(), ALIKE)
            title, top = NAMES[side.relative][0], table.top
            left = table.left if self.tall else table.left - 46
            yield text(left, top - (62 if self.tall else 68), title, T2, INK, "start", "bold", most=470)
            if not self.tall:
                yield text(left, top - 42, self._formula(side), T1, GREY, "start", most=500)
            yield from answer(Cells(colours, table.box))
            down = table.bottom + (20 if self.tall else 17)
            for k in {0, n - 1}:
                yield text(table.left - 8, table.y(k), f"{k}", T1, GREY, "end")
                yield text(table.x(k), down, f"{k}", T1, GREY, within=(table.left - 6, table.right + 6))
            if n > 6:
                yield text(table.left - 8, table.middle[1], "query", T1, GREY, "end", within=(-1, table.right))
                yield text(table.middle[0], down, "key", T1, GREY)
            yield text(pane.left, top - (24 if self.tall else 16), "offset", T1, GREY, "start")
            ends = [1 - n, 0] if self.state["causal"] else [1 - n, 0, n - 1]
            for offset in ends if n > 2 else [0]:
                yield text(pane.x(offset), down, number(offset), T1, GREY, within=(pane.left - 12, pane.right))
            yield upright(pane, 0)
            others = [line(pane.x(np.arange(n) - k), pane.y(scores[k]), GREY, 1) for k in evenly(n, QUERIES)]
            levels = round_numbers(*pane.up)
            yield from answer(*(level(pane, y) for y in levels), *beside(pane, levels), *others)

    def move(self) -> Elements:
        s = self.state
        query, key, offset = s["query"], s["key"], s["key"] - s["query"]
        for side in self._sides:
            table, pane, there = side.table, side.curve, bool(np.isfinite(side.scores[query, key]))
            x, y = table.x(key), table.y(query)
            yield line([table.left, x], y, PAPER, 4.5)
            yield link([table.left, x], y, 2)
            yield dot(x, y, 7)
            yield link(pane.x(offset), [pane.top - 4, pane.bottom])
            row = side.scores[query]
            keys = np.minimum(np.arange(s["length"]), np.flatnonzero(np.isfinite(row))[-1])  # the last one again
            places, heights = pane.x(keys - query), pane.y(row[keys])
            few = slice(s["length"] if s["length"] <= 64 else 0)
            spots = discs(places[few], heights[few], 3, INK)
            score = pane.y(row[key]) if there else pane.bottom
            drawn = line(places, heights, INK, 2.5), spots, dot(pane.x(offset), score, 8 if there else 0)
            down, said = table.top - (26 if self.tall else 20), self._number(side)
            yield from answer(*drawn, text(pane.right, down, said, T3, INK, "end", "bold", halo=True))
            down = table.bottom + (58 if self.tall else 48)
            left = table.left if self.tall else table.left - 46
            yield from answer(text(left, down, _verdict(side), T2, INK, "start", most=500))

    def targets(self) -> Targets:
        s, indices = self.state, range(self.state["length"])
        keys = range(s["query"] + 1) if s["causal"] else indices
        for side in self._sides:
            yield Target(side.table.box, across=("key", indices), down=("query", indices))
            offsets = range(keys[0] - s["query"], keys[-1] - s["query"] + 1)
            yield Target(side.curve.strip(offsets), across=("key", keys))

    # What is drawn, and where.

    def _found(self, relative: str) -> tuple[np.ndarray, bool, tuple[float, float]]:
        """Return the scores of a scheme, whether all at the same offset are equal, and the ends of their axis."""
        s = self.state
        names = "content", "head", "d_model", "length", "base", "scale", "causal"
        return _scores(relative, *(s[name] for name in names))

    @property
    def _sides(self) -> list[Side]:
        """The two schemes: side by side, on a tall sheet one below the other."""
        s, n = self.state, self.state["length"]
        places = ((64, 84), (64, 466)) if self.tall else ((46, 92), (614, 92))
        size, gap, wide = (200.0, 58.0, 194.0) if self.tall else (252.0, 46.0, 188.0)
        sides = []
        for relative, (left, top) in zip((s["against"], s["relative"]), places, strict=True):
            scores, alike, up = self._found(relative)
            across = 0.5 - n, 0.5 if s["causal"] else n - 0.5
            table = grid((left, top, size, size), range(n), range(n))
            sides.append(Side(relative, scores, alike, table, Pane(left + size + gap, top, wide, size, across, up)))
        return sides

    def _number(self, side: Side, digits: int = 2) -> str:
        return rounded(float(side.scores[self.state["query"], self.state["key"]]), digits)

    def _formula(self, side: Side) -> str:
        slope = relatives.alibi_slopes(HEADS)[self.state["head"]]
        factor = f", factor {self.state['scale']:g}" if side.relative in STRETCHED else ""
        return FORMULAS[side.relative.split(",")[0]].format(slope=slope) + factor


def _verdict(side: Side) -> str:
    return "One curve for all queries." if side.alike else "Each query has a curve of its own."


@lru_cache(maxsize=4)
def _scores(
    relative: str, content: str, head: int, d_model: int, length: int, base: float, scale: float, causal: bool
) -> tuple[np.ndarray, bool, tuple[float, float]]:
    """Return the scores, not to be written to, whether all at the same offset are equal, and the ends of their axis."""
    scheme, _, scaling = relative.partition(", ")
    if content == "random":
        q, k = np.random.default_rng(head).normal(size=(2, d_model))
    else:
        q = k = np.tile([0.0 if content == "zero" else 1.0, 0.0], d_model // 2)
    w = frequencies(d_model, base)
    if scaling == "YaRN":
        w = rope_scaling.yarn_scaling(w, scale, max(1, length / scale))
        q, k = q * rope_scaling.yarn_attention_factor(scale), k * rope_scaling.yarn_attention_factor(scale)
    elif scaling:
        way = rope_scaling.position_interpolation if scaling == "interpolated" else rope_scaling.ntk_aware_scaling
        w = way(w, scale)
    # Of T5 a number for each bucket and head; of the learned ones rows, as long as those of the sinusoids.
    size, shape = (1.0, (BUCKETS, HEADS)) if relative == "T5" else (np.sqrt(0.5), (ROWS, d_model))
    table = np.random.default_rng(HEADS).normal(scale=size, size=shape)
    scores = relatives.attention_scores(scheme, q, k, length, w=w, table=table, head=head, heads=HEADS, causal=causal)
    diagonals = (scores.diagonal(offset) for offset in range(1 - length, length))
    alike = all(np.ptp(found) < ALIKE for found in diagonals if np.isfinite(found[0]))
    known = scores[np.isfinite(scores)]
    margin = 0.06 * (np.ptp(known) if np.ptp(known) >= ALIKE else 1)
    return frozen(scores), alike, (float(known.min() - margin), float(known.max() + margin))
