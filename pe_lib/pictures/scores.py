"""The scores of one relative of the encoding: a map of queries and keys, and a row of it as a curve over the offset."""

from functools import lru_cache
from typing import ClassVar

import numpy as np

from pe_lib import relatives, rope_scaling
from pe_lib.encoding import frequencies
from pe_lib.pictures.cells import Cells
from pe_lib.pictures.colours import BAND, BLUE, GREY, INK, ORANGE, PALE
from pe_lib.pictures.fields import Choice, Integer, Number, Tick, frozen
from pe_lib.pictures.fonts import width_of
from pe_lib.pictures.panes import Pane, cell, grid
from pe_lib.pictures.parts import asked, below, beside, framed, level, upright
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, Element, Elements, answer, area, box, discs, line, text
from pe_lib.pictures.writing import evenly, hold, round_numbers, spaced
from pe_lib.relatives import SCHEMES

HEADS, BUCKETS = 8, 32  # of ALiBi and T5
STRETCHED = ("RoPE, interpolated", "RoPE, NTK-aware", "RoPE, YaRN")
RELATIVES = (*SCHEMES, *STRETCHED)
CONTENTS = ("random", "zero", "1, 0, 1, 0, …")
MOST = 512  # positions, and columns
WIDTHS = (4, 8, 16, 32, 64, 128, 256, MOST)
FORMULAS = {
    "none": "q · k / √h",
    "sinusoidal": "(q + PE(query)) · (k + PE(key)) / √h",
    "learned": "(q + row of query) · (k + row of key) / √h",
    "T5": "q · k + a number for the offset's bucket",
    "ALiBi": "q · k / √h − {slope:.4g} · distance",
    "RoPE": "(q, turned) · (k, turned) / √h",
}
TABLE = (84.0, 104.0, 304.0, 304.0)  # left, top, width, height of the map
CURVE = (500.0, 104.0, 560.0, 304.0)  # and of the row that is drawn out
NAMES, TICKS = 84.0, 424.0  # the heights of the words over both, and of the numbers below
EDGE, LARGEST = 1084.0, 60.0  # where the large number ends, and its size
ALIKE = 1e-9  # scores as near as this are equal


class Scores(Picture):
    """Show what one scheme of positions makes of the scores of every query with every key.

    The same query and the same key stand at all positions, so that what differs is the work of the positions. On the
    left is the map, above its mean red and below it blue. The marked row is drawn out on the right over the offset, key
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
        Choice("relative", "RoPE", RELATIVES, about="A scheme; rows of “learned” and numbers of “T5” are random here"),
        Choice("content", "random", CONTENTS, label="query and key", about="What both hold before positions come in"),
        Integer("head", 0, 0, HEADS - 1, about="Which head, with its own query, key and slope (ALiBi)"),
        Integer("d_model", 32, 4, MOST, step=2, options=WIDTHS, about="The width of a head, even"),
        Integer("length", 32, 2, MOST, options=(8, 16, 32, 64, 128, 256, MOST), about="How many positions there are"),
        Number("base", 10_000.0, 0.01, about="The number that is raised to a power"),
        Number("scale", 4.0, 1, 64, (1.0, 2.0, 4.0, 8.0, 16.0, 32.0), about="The wanted length over the trained one"),
        Tick("causal", False, about="Whether later keys are masked"),
        Integer("query", 20, 0, lambda s: s["length"] - 1, moves=True, about="The query of the chosen cell"),
        Integer("key", 12, 0, lambda s: s["length"] - 1, moves=True, about="The key of the chosen cell"),
    )
    shown: ClassVar = ("relative", "key", "head")
    play: ClassVar = "query"
    presets: ClassVar = {
        "sinusoids and words": {"relative": "sinusoidal"},
        "sinusoids alone": {"relative": "sinusoidal", "content": "zero"},
        "ALiBi": {"relative": "ALiBi", "content": "zero"},
        "T5's stairs": {"relative": "T5", "length": 256, "query": 128, "key": 100},
        "RoPE, 256 places": {"length": 256, "query": 128, "key": 100},
        "RoPE, stretched": {"relative": "RoPE, interpolated", "length": 256, "query": 128, "key": 100},
    }
    pages: ClassVar = (
        {"query": range(0, 32, 2), "relative": RELATIVES},
        {"key": range(0, 32, 4), "relative": SCHEMES},
        {"head": range(HEADS), "relative": ("ALiBi", "T5", "RoPE"), "content": ("random", "zero")},
        {"query": range(0, 32, 4), "relative": ("sinusoidal", "ALiBi", "T5"), "content": ("zero",)},
        {"query": range(0, 32, 4), "relative": SCHEMES, "causal": (True,)},
        {"query": range(0, 256, 32), "relative": ("T5", "RoPE", STRETCHED[0]), "length": (256,), "key": (100,)},
        {"scale": (1.0, 2.0, 4.0, 8.0, 16.0, 32.0), "relative": STRETCHED},
    )

    @property
    def scores(self) -> np.ndarray:
        """The scores before the softmax, query before key: shape (length, length), -inf where masked."""
        return _scores(*self.behind())[0]

    @property
    def score(self) -> float:
        """The score of the chosen query with the chosen key."""
        return float(self.scores[self.state["query"], self.state["key"]])

    @property
    def alike(self) -> bool:
        """Whether every query has the same curve over the offset."""
        return _scores(*self.behind())[1]

    def words(self) -> str:
        s, scores = self.state, self.scores
        keys = [key for key in (s["query"] + step for step in range(-2, 3)) if 0 <= key < s["length"]]
        near = ", ".join(f"key {key}: {_said(scores[s['query'], key], '.3f')}" for key in keys)
        mask = ", later keys masked" if s["causal"] else ""
        return (
            f"Scores of {s['length']} queries with as many keys under {self._name()}: {self._formula()}. The same "
            f"query and key at every position ({s['content']}), head {s['head']} of {HEADS}, {self._size()}"
            f"{mask}. Query {s['query']} with key {s['key']}, offset {s['key'] - s['query']}: "
            f"{hold(_said(self.score, '.3f'))}. Near the query: {hold(near)}. Over the offset: {hold(self._verdict())}."
        )

    def lay(self) -> Elements:
        """Yield the map, the axes, and the curves of some queries."""
        s, scores, n = self.state, self.scores, self.state["length"]
        table, pane = self._panes()
        known = np.isfinite(scores)
        beyond = np.where(known, scores - scores[known].mean(), 0.0)
        colours = Cells(beyond / max(np.abs(beyond).max(), ALIKE), TABLE)
        yield (title := text(24, 26, self._name(), align="start", weight="bold"))
        yield text(24, 58, self._formula(), align="start")
        head = f"head {s['head']} of {HEADS}, " * (s["relative"] in ("ALiBi", "T5"))
        yield text(40 + title.box[2], 26, head + self._size(), SMALL, GREY, "start", most=560 - title.box[2])
        yield text(TABLE[0], NAMES, "red: above the mean, blue: below", SMALL, GREY, "start")
        yield from answer(colours, question=[box(*TABLE, BAND)])
        if s["causal"]:
            steps = np.repeat(np.arange(n + 1), 2)
            yield area(table.x(np.append(steps[1:], n) - 0.5), table.y(np.append(steps[:-1], 0) - 0.5), PALE)
            yield text(TABLE[0] + 0.75 * TABLE[2], TABLE[1] + 0.25 * TABLE[3], "masked")
        yield box(*TABLE, edge=GREY, width=1)
        yield text(table.left - 12, NAMES, "query", SMALL, GREY, "end")
        yield from (*beside(table, spaced(n, 9), 12), *below(table, spaced(n, 9), TICKS, "key"))
        offsets = [k for k in round_numbers(*pane.across) if k % 1 == 0 and pane.x(k) > CURVE[0] + 24]
        yield from below(pane, offsets, TICKS, "offset", write=_said)
        yield upright(pane, 0)
        axis = *(level(pane, y) for y in round_numbers(*pane.up)), *beside(pane, round_numbers(*pane.up), 12, _said)
        others = [line(pane.x(np.arange(n) - k), pane.y(scores[k]), GREY, 1) for k in evenly(n, 17)]
        yield from answer(*axis, *others)

    def move(self) -> Elements:
        """Yield the chosen row and cell, its number, and the curve of the row."""
        s, (table, pane), number = self.state, self._panes(), _said(self.score, ".3f")
        query, key, offset = s["query"], s["key"], s["key"] - s["query"]
        yield from asked(EDGE, 42, number, LARGEST, INK, "end", "bold")
        left = EDGE - 20 - width_of(number, LARGEST, "bold")
        yield text(left, 26, f"query {query}, key {key}", align="end")
        yield text(left, 58, f"offset {_said(offset)}", align="end", weight="bold")
        _, top, _, high = cell(table, query, key)
        yield from framed((TABLE[0] - 2, top - 2, TABLE[2] + 4, high + 4), colour=INK, width=2.5)
        yield from framed(cell(table, query, key, 8))
        yield upright(pane, offset, ORANGE, 2, (3, 4))
        seen = np.flatnonzero(np.isfinite(self.scores[query]))
        places, heights = pane.x(seen - query), pane.y(self.scores[query, seen])
        drawn: list[Element] = [line(places, heights, BLUE, 3)]
        if s["length"] <= 64:
            drawn.append(discs(places, heights, 4, BLUE))
        if key in seen:
            drawn.append(discs(pane.x(offset), pane.y(self.score), 8, ORANGE, INK, 1.5))
        yield from answer(*drawn, question=[text(*pane.middle, "?", LARGEST)])
        yield from asked(CURVE[0], NAMES, self._verdict(), align="start", mark="one curve for all queries?")

    def targets(self) -> Targets:
        """Yield the cells of the map, and the keys along the curve."""
        indices, query, (_, pane) = range(self.state["length"]), self.state["query"], self._panes()
        yield Target(TABLE, across=("key", indices), down=("query", indices))
        keys = range(query + 1) if self.state["causal"] else indices
        left, right = pane.x(keys[0] - query - 0.5), pane.x(keys[-1] - query + 0.5)
        yield Target((left, CURVE[1], right - left, 440 - CURVE[1]), across=("key", keys))

    def _panes(self) -> tuple[Pane, Pane]:
        """Return where the map and the curve are."""
        n, known = self.state["length"], self.scores[np.isfinite(self.scores)]
        margin = 0.06 * (np.ptp(known) if np.ptp(known) >= ALIKE else 1)
        up = float(known.min() - margin), float(known.max() + margin)
        across = 0.5 - n, 0.5 if self.state["causal"] else n - 0.5
        return grid(TABLE, range(n), range(n)), Pane(*CURVE, across, up)

    def _name(self) -> str:
        relative: str = self.state["relative"]
        return f"{relative}, factor {self.state['scale']:g}" if relative in STRETCHED else relative

    def _size(self) -> str:
        """Return the width of a head, and the base where there are frequencies."""
        base = f", base {self.state['base']:.12g}" * self.state["relative"].startswith(("sinusoidal", "RoPE"))
        return f"h = {self.state['d_model']}{base}"

    def _formula(self) -> str:
        slope = relatives.alibi_slopes(HEADS)[self.state["head"]]
        return FORMULAS[self.state["relative"].split(",")[0]].format(slope=slope)

    def _verdict(self) -> str:
        return "one curve for all queries" if self.alike else "each query has a curve of its own"


@lru_cache(maxsize=4)
def _scores(
    relative: str, content: str, head: int, d_model: int, length: int, base: float, scale: float, causal: bool
) -> tuple[np.ndarray, bool]:
    """Return the scores, not to be written to, and whether all at the same offset are equal."""
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
    size, shape = (1.0, (BUCKETS, HEADS)) if relative == "T5" else (np.sqrt(0.5), (MOST, d_model))
    table = np.random.default_rng(HEADS).normal(scale=size, size=shape)
    scores = relatives.attention_scores(scheme, q, k, length, w=w, table=table, head=head, heads=HEADS, causal=causal)
    diagonals = (scores.diagonal(offset) for offset in range(1 - length, length))
    return frozen(scores), all(np.ptp(found) < ALIKE for found in diagonals if np.isfinite(found[0]))


def _said(number: float, form: str = "g") -> str:
    """Write a number with a minus as long as a plus, and −∞ where a key is masked."""
    return f"{number:z{form}}".replace("-", "−").replace("inf", "∞")
