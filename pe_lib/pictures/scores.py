"""The scores of one relative of the encoding: a map of queries and keys, and a row of it as a curve over the offset."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pe_lib.encoding import frequencies
from pe_lib.pictures.colours import BAND, BLUE, GREY, INK, ORANGE, PALE, PAPER
from pe_lib.pictures.fields import Choice, Integer, Number, Tick
from pe_lib.pictures.picture import Pane, Picture, Target, evenly, hold, round_numbers, rounded
from pe_lib.pictures.scene import SMALL, Element, answer, area, box, cells, discs, line, text, width_of
from pe_lib.relatives import (
    SCHEMES,
    alibi_slopes,
    attention_scores,
    ntk_aware_scaling,
    position_interpolation,
    yarn_attention_factor,
    yarn_scaling,
)

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
    "T5": "q · k + number of the offset's bucket",
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
    minus query, with rows of other queries in grey: where the offset alone decides, all lie on one curve.

    Parameters
    ----------
    relative : str
        A name in `SCHEMES`, or RoPE with its frequencies scaled: "RoPE, interpolated", "RoPE, NTK-aware", "RoPE, YaRN".
        The rows of "learned" and the numbers of "T5" are random here; a model learns them.
    content : {"random", "zero", "1, 0, 1, 0, …"}
        The query and the key, before positions have their say.
    head : int
        One of eight, 0 to 7: it has its own random query and key, slope (ALiBi) and numbers (T5).
    d_model : int
        The width of the head, even, 4 to 512.
    length : int
        How many positions there are, 2 to 512.
    base : float
        The number that is raised to a power, 0.01 or more.
    scale : float
        The wanted length over the trained one, 1 to 64, for scaled RoPE. For YaRN length / scale was trained.
    causal : bool
        Whether keys to the right are masked.
    query, key : int
        The chosen cell, from 0.

    Raises
    ------
    TypeError, ValueError
        If a value is not as described.

    References
    ----------
    See `attention_scores` and, for the scaled ones, `position_interpolation`, `ntk_aware_scaling` and `yarn_scaling`.

    Examples
    --------
    >>> Scores("ALiBi", content="zero", query=20, key=12).score
    -4.0
    >>> Scores("sinusoidal").alike, Scores("RoPE").alike
    (False, True)
    """

    fields: ClassVar = (
        Choice(name="relative", default="RoPE", options=RELATIVES),
        Choice(name="content", default="random", options=CONTENTS, label="query and key"),
        Integer(name="head", default=0, greatest=HEADS - 1),
        Integer(name="d_model", default=32, least=4, greatest=MOST, step=2, options=WIDTHS),
        Integer(name="length", default=32, least=2, greatest=MOST, options=(8, 16, 32, 64, 128, 256, MOST)),
        Number(name="base", default=10_000.0, least=0.01),
        Number(name="scale", default=4.0, least=1, greatest=64, options=(1.0, 2.0, 4.0, 8.0, 16.0, 32.0)),
        Tick(name="causal", default=False),
        Integer(name="query", default=20, moves=True, greatest=lambda s: s["length"] - 1),
        Integer(name="key", default=12, moves=True, greatest=lambda s: s["length"] - 1),
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

    def __init__(self, relative: str = "RoPE", **state: Any) -> None:
        super().__init__(relative=relative, **state)

    @property
    def scores(self) -> np.ndarray:
        """The scores before the softmax, query before key: shape (length, length), -inf where masked."""
        return _scores(*(self.state[name] for name in _READ))

    @property
    def score(self) -> float:
        """The score of the chosen query with the chosen key."""
        return float(self.scores[self.state["query"], self.state["key"]])

    @property
    def alike(self) -> bool:
        """Whether every query has the same curve over the offset."""
        return _alike(*(self.state[name] for name in _READ))

    def words(self) -> str:
        """Say in words what is to be seen."""
        s, scores = self.state, self.scores
        keys = [key for key in (s["query"] + step for step in range(-2, 3)) if 0 <= key < s["length"]]
        near = ", ".join(f"key {key}: {_said(scores[s['query'], key])}" for key in keys)
        mask = ", later keys masked" if s["causal"] else ""
        return (
            f"Scores of {s['length']} queries with as many keys under {self._name()}: {self._formula()}. The same "
            f"query and key at every position ({s['content']}), head {s['head']} of {HEADS}, h = {s['d_model']}, base "
            f"{s['base']:g}{mask}. Query {s['query']} with key {s['key']}, offset {s['key'] - s['query']}: "
            f"{hold(_said(self.score))}. Near the query: {hold(near)}. {hold(self._verdict())}."
        )

    def lay(self) -> Iterator[Element]:
        """Yield the map, the axes, and the curves of some queries."""
        s, scores, n = self.state, self.scores, self.state["length"]
        table, pane = self._panes()
        known = np.isfinite(scores)
        beyond = np.where(known, scores - scores[known].mean(), 0.0)
        far = np.abs(beyond).max()
        yield text(24, 26, self._name(), align="start", weight="bold")
        given = f"head {s['head']} of {HEADS}, h = {s['d_model']}, base {s['base']:g}"
        yield text(TABLE[0], NAMES, given, SMALL, GREY, "start")
        yield text(24, 58, self._formula(), align="start")
        yield from answer(*cells(beyond / far if far > ALIKE else 0 * beyond, *TABLE), question=[box(*TABLE, BAND)])
        if s["causal"]:
            steps = np.repeat(np.arange(n + 1), 2)
            xs, ys = table.x(np.append(steps[1:], n) - 0.5), table.y(np.append(steps[:-1], 0) - 0.5)
            yield area(xs, ys, PALE)
            yield text(TABLE[0] + 0.75 * TABLE[2], TABLE[1] + 0.25 * TABLE[3], "masked")
        yield box(*TABLE, edge=GREY, width=1)
        yield text(TABLE[0] - 12, NAMES, "query", SMALL, GREY, "end")
        yield text(TABLE[0] - 12, TICKS, "key", SMALL, GREY, "end")
        step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if (n - 1) // step < 9)
        for k in range(0, n, step):
            yield text(TABLE[0] - 12, table.y(k), f"{k}", SMALL, GREY, "end")
            yield text(table.x(k), TICKS, f"{k}", SMALL, GREY)
        yield text(CURVE[0] - 12, TICKS, "offset", SMALL, GREY, "end")
        for offset in round_numbers(*pane.across):
            if offset % 1 == 0 and pane.x(offset) > CURVE[0] + 24:
                yield text(pane.x(offset), TICKS, _plain(offset), SMALL, GREY)
        yield line([pane.x(0)] * 2, [CURVE[1], CURVE[1] + CURVE[3]], PALE, 1)
        axis: list[Element] = []
        for number in round_numbers(*pane.up):
            axis.append(line([CURVE[0], CURVE[0] + CURVE[2]], [pane.y(number)] * 2, PALE, 1))
            axis.append(text(CURVE[0] - 12, pane.y(number), _plain(number), SMALL, GREY, "end"))
        others = [self._points(query) for query in evenly(n, 17)]
        grey = [line(pane.x(offsets), pane.y(row), GREY, 1) for offsets, row in others]
        yield from answer(*axis, *grey)

    def move(self) -> Iterator[Element]:
        """Yield the chosen row and cell, its number, and the curve of the row."""
        s, (table, pane) = self.state, self._panes()
        query, key = s["query"], s["key"]
        number = _said(self.score)
        yield from answer(
            text(EDGE, 42, number, LARGEST, align="end", weight="bold"),
            question=[text(EDGE, 42, "?", LARGEST, align="end", weight="bold")],
        )
        beside = EDGE - 20 - width_of(number, LARGEST, "bold")
        yield text(beside, 26, f"query {query}, key {key}", align="end")
        yield text(beside, 58, f"offset {_plain(key - query)}", align="end", weight="bold")
        side = TABLE[2] / s["length"]
        for colour, width in ((PAPER, 5.0), (INK, 2.5)):
            yield box(TABLE[0] - 2, table.y(query - 0.5) - 2, TABLE[2] + 4, side + 4, edge=colour, width=width)
        cell = max(side, 8)
        for colour, width in ((PAPER, 6.0), (ORANGE, 3.5)):
            place = table.x(key) - cell / 2, table.y(query) - cell / 2, cell, cell
            yield box(*place, edge=colour, width=width)
        yield line([pane.x(key - query)] * 2, [CURVE[1], CURVE[1] + CURVE[3]], ORANGE, 2, (3, 4))
        offsets, row = self._points(query)
        drawn: list[Element] = [line(pane.x(offsets), pane.y(row), BLUE, 3)]
        if s["length"] <= 64:
            drawn.append(discs(pane.x(offsets), pane.y(row), 4, BLUE))
        if np.isfinite(self.score):
            drawn.append(discs(pane.x(key - query), pane.y(self.score), 8, ORANGE, INK, 1.5))
        drawn.append(text(CURVE[0], NAMES, self._verdict(), align="start"))
        middle = text(CURVE[0] + CURVE[2] / 2, CURVE[1] + CURVE[3] / 2, "?", LARGEST)
        asked = text(CURVE[0], NAMES, "one curve for all queries?", align="start")
        yield from answer(*drawn, question=[middle, asked])

    def targets(self) -> Iterator[Target]:
        """Yield the cells of the map, and the keys along the curve."""
        indices = range(self.state["length"])
        yield Target(TABLE, across=("key", indices), down=("query", indices))
        _, pane = self._panes()
        keys = [key for key in indices if key <= self.state["query"] or not self.state["causal"]]
        left, right = (pane.x(keys[end] - self.state["query"] + side) for end, side in ((0, -0.5), (-1, 0.5)))
        yield Target((left, CURVE[1], right - left, 440 - CURVE[1]), across=("key", keys))

    def _panes(self) -> tuple[Pane, Pane]:
        """Return where the map and the curve are."""
        n, scores = self.state["length"], self.scores
        known = scores[np.isfinite(scores)]
        margin = max(0.06 * np.ptp(known), 0.06 * (1 if np.ptp(known) < ALIKE else 0))
        up = float(known.min() - margin), float(known.max() + margin)
        across = 0.5 - n, 0.5 if self.state["causal"] else n - 0.5
        return Pane(*TABLE, (-0.5, n - 0.5), (n - 0.5, -0.5)), Pane(*CURVE, across, up)

    def _points(self, query: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the offsets of the keys that a query sees, and its scores with them."""
        row = self.scores[query]
        seen = np.flatnonzero(np.isfinite(row))
        return seen - query, row[seen]

    def _name(self) -> str:
        relative: str = self.state["relative"]
        return f"{relative}, factor {self.state['scale']:g}" if relative in STRETCHED else relative

    def _formula(self) -> str:
        relative = self.state["relative"].split(",")[0]
        slope = alibi_slopes(HEADS)[self.state["head"]]
        return FORMULAS.get(relative, f"q · k / √h − {slope:.4g} · distance")

    def _verdict(self) -> str:
        return "one curve for all queries" if self.alike else "each query has a curve of its own"


_READ = [field.name for field in Scores.fields if not field.moves]  # what the scores depend on


@lru_cache(maxsize=4)
def _scores(
    relative: str, content: str, head: int, d_model: int, length: int, base: float, scale: float, causal: bool
) -> np.ndarray:
    """Return the scores, not to be written to."""
    if content == "random":
        q, k = np.random.default_rng(head).normal(size=(2, d_model))
    else:
        q = k = np.tile([0.0 if content == "zero" else 1.0, 0.0], d_model // 2)
    w = frequencies(d_model, base)
    if relative in STRETCHED:
        scaled = position_interpolation, ntk_aware_scaling, yarn_scaling
        way = scaled[STRETCHED.index(relative)]
        more = (max(1, length / scale),) if way is yarn_scaling else ()
        w = way(w, scale, *more)
        if way is yarn_scaling:
            q, k = q * yarn_attention_factor(scale), k * yarn_attention_factor(scale)
    table: Any = ()
    if relative == "learned":  # rows as long as those of the sinusoids
        table = np.random.default_rng(HEADS).normal(scale=np.sqrt(0.5), size=(MOST, d_model))
    elif relative == "T5":
        table = np.random.default_rng(HEADS).normal(size=(BUCKETS, HEADS))
    scheme = relative.split(",")[0]
    scores = attention_scores(scheme, q, k, length, w=w, table=table, head=head, heads=HEADS, causal=causal)
    scores.flags.writeable = False
    return scores


@lru_cache(maxsize=4)
def _alike(*state: Any) -> bool:
    """Say whether all scores at the same offset are equal."""
    scores = _scores(*state)
    diagonals = (scores.diagonal(offset) for offset in range(1 - len(scores), len(scores)))
    return all(np.ptp(found) < ALIKE for found in diagonals if np.isfinite(found[0]))


def _said(score: float) -> str:
    return _plain(rounded(score, 3)) if np.isfinite(score) else "−∞"


def _plain(number: Any) -> str:
    """Write a number with a minus as long as a plus."""
    said = number if isinstance(number, str) else f"{number:g}"
    return said.replace("-", "−")
