"""Embeddings plus encoding by broadcasting: which row of the encoding lands on which token, and what the shapes say."""

import math
import textwrap
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from pe_lib.encoding import sinusoidal_encoding
from pe_lib.pictures.colours import BAND, GREY, INK, ORANGE, PALE, PAPER
from pe_lib.pictures.fields import Choice, Integer
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, TALK, Element, Elements, answer, box, boxes, line, text
from pe_lib.pictures.writing import hold, rounded

CODE = {  # what makes the encoding of each shape from a table of shape (positions, d_model)
    "(1, L, d)": "table[None, :{length}]",
    "(L, d)": "table[:{length}]",
    "(L, 1, d)": "table[:{length}, None]",
    "(B, 1, d)": "table[:{batch}, None]",
}
SHAPES = tuple(CODE)
AXES = ("sentences", "tokens", "numbers")  # what the axes of x count
OF_POSITION = ("n-8", "n8", "n-14", "n14", "n-4", "n4")  # the colours of rows, and those of words on them
ON_POSITION = (INK,) * 6
LEFTS = {"x": 14.0, "PE": 383.0, "sum": 752.0}  # where each block begins
WIDE, TOP, HIGH, TAG = 336.0, 74.0, 208.0, 48.0  # of a block, and how wide the tags of its rows are
SHAPE_AT = (106, 142, 178)  # the columns of the shapes
NUMBERS, END = 338.0, 1090.0  # between them stand the numbers of the chosen token
_WORKED: Mapping[str, Any] = {"batch": 2, "length": 3, "d_model": 4, "padding": 0, "sentence": 1, "position": 2}


class Broadcasting(Picture):
    """Add the encoding to a batch of embeddings by broadcasting, in the right shape or in a wrong one.

    The embeddings count on in tenths, ``x[b, t, j] = b + (t·d_model + j + 1)/10``, so that x of shape (2, 3, 4) is the
    worked example `TWO_SENTENCES`; padding is all zeros. What is stored is filled, what is used again is outlined. The
    sum is that of Vaswani et al. (2017), section 3.5; Harris et al. (2020), "Array programming with NumPy", Nature 585,
    tell of broadcasting. Shapes that NumPy refuses are shown, with its message in place of the sum.

    {parameters}

    Examples
    --------
    >>> Broadcasting(sentence=1, position=2).total[1, 2].round(4)
    array([2.8093, 1.5839, 2.12  , 3.1998])
    >>> Broadcasting(shape="(L, 1, d)").error
    'operands could not be broadcast together with shapes (2,3,4) (3,1,4)'
    """

    fields: ClassVar = (
        Integer("batch", 2, 1, 4, about="How many sentences x holds, B"),
        Integer("length", 3, 1, 6, about="How many tokens each has, L"),
        Integer("d_model", 4, 1, 8, about="The width of x, d"),
        Choice("shape", SHAPES[0], SHAPES, about="The shape of the encoding; the last two take the axes of x amiss"),
        Integer("padding", 0, 0, lambda s: s["length"] - 1, about="Tokens of padding at the end of the last sentence"),
        Integer("sentence", 0, 0, lambda s: s["batch"] - 1, moves=True, about="The sentence of the token in numbers"),
        Integer("position", 1, 0, lambda s: s["length"] - 1, moves=True, about="The position of that token"),
    )
    shown: ClassVar = ("shape", "batch", "sentence")
    play: ClassVar = "position"
    # Their names say what goes in, not what comes out, which may be covered.
    presets: ClassVar = {
        "last token": {**_WORKED, "shape": "(1, L, d)"},
        "positions first": {**_WORKED, "shape": "(L, 1, d)"},
        "positions first, B = L": {**_WORKED, "shape": "(L, 1, d)", "batch": 3},
        "cut at B": {**_WORKED, "shape": "(B, 1, d)"},
        "padding": {**_WORKED, "shape": "(1, L, d)", "padding": 1},
        "4 × 6 tokens": {**_WORKED, "shape": "(1, L, d)", "batch": 4, "length": 6},
    }
    pages: ClassVar = (
        {"batch": (1, 2, 3, 4), "shape": SHAPES, "position": range(3)},
        {"batch": (2,), "shape": SHAPES, "sentence": (0, 1), "position": range(3)},
        {"batch": (3,), "shape": SHAPES, "sentence": range(3), "position": range(3)},
        {"batch": (1, 2, 3, 4), "length": range(1, 7), "shape": ("(B, 1, d)",), "position": range(6)},
        {"batch": (4,), "length": (6,), "sentence": range(4), "position": range(6)},
        {"padding": (0, 1, 2), "sentence": (0, 1), "position": range(3)},
        {"length": (3, 4, 6), "d_model": (2, 4, 8), "position": range(6)},
    )

    @property
    def embeddings(self) -> np.ndarray:
        """What the encoding is added to: (B, L, d_model)."""
        b, length, d = (self.state[name] for name in ("batch", "length", "d_model"))
        x = np.arange(b)[:, np.newaxis, np.newaxis] * 10 + np.arange(1, length * d + 1).reshape(length, d)
        return np.where(self.mask[..., np.newaxis], x / 10, 0.0)  # (B, L, d_model)

    @property
    def mask(self) -> np.ndarray:
        """1 for a token and 0 for padding, a row for each sentence: (B, L)."""
        mask = np.ones((self.state["batch"], self.state["length"]), int)
        mask[-1, self.state["length"] - self.state["padding"] :] = 0
        return mask

    @property
    def encoding(self) -> np.ndarray:
        """The encoding in the shape that the state names."""
        sheets, rows = self._stored()
        table = sinusoidal_encoding(sheets * rows, self.state["d_model"])
        return table if self.state["shape"] == "(L, d)" else table.reshape(sheets, rows, -1)

    @property
    def total(self) -> np.ndarray | None:
        """The sum as NumPy makes it of these shapes, or None if it refuses."""
        return self._added()[0]

    @property
    def error(self) -> str:
        """What NumPy says to these shapes; empty if it adds them."""
        return self._added()[1]

    @property
    def verdict(self) -> str:
        """What comes of these shapes, in one sentence."""
        b, length, sheets = self.state["batch"], self.state["length"], self._stored()[0]
        if self.error:
            return f"Error: {b} and {sheets} differ, and neither is 1"
        if sheets > b:
            return f"No error, and wrong: 1 sentence goes in, {sheets} come out"
        if np.any((self._landed() >= 0) & (self._landed() != np.arange(length))):
            why = ", because B = L, and wrong" if self.state["shape"] == "(L, 1, d)" else ", and wrong"
            what = "every token of a sentence gets the same row" if length > 1 else "each sentence gets another row"
            return f"No error{why}: {what}"
        which = ", and padding gets none" if self.state["padding"] else ", in every sentence" if b > 1 else ""
        return f"Every token gets the row of its position{which}"

    def words(self) -> str:
        s, total = self.state, self.total
        axes = "; ".join(
            f"axis {k}, {AXES[k]}: {' and '.join(map(str, lengths))}{hold(f', {verdict}')}"
            for k, (lengths, verdict) in enumerate(self._axes())
        )
        came = f"NumPy says: {self.error}" if total is None else f"The sum has shape {total.shape}"
        x, *others = [f"{name} ({', '.join(map(rounded, row.tolist()))})" for name, row in self._terms()]
        added = f" + {' = '.join(others)}" if others else ", no sum"
        return (
            f"{hold(self.verdict)}. x of shape {self.embeddings.shape} plus PE of shape {self.encoding.shape}, made as "
            f"{CODE[s['shape']].format(**s)}. A{axes[1:]}. {hold(came)}. Sentence {s['sentence']}, token "
            f"{s['position']}: {x}{hold(added)}."
        )

    def lay(self) -> Elements:
        """Yield the three blocks, and the shapes one above the other."""
        x, total, stored = self.embeddings, self.total, self._stored()
        for sign, (name, left) in zip(" +=", LEFTS.items(), strict=True):
            yield text(left - 17, TOP + HIGH / 2, sign, 30)
            yield text(left + TAG / 2, 56, "b, t" if name == "x" else "pos", SMALL, GREY)
            yield text(left + (WIDE + TAG) / 2, 56, name, weight="bold")
        for b, t in np.ndindex(self.mask.shape):
            yield from self._row("x", b, t, int(self.mask[b, t]) - 1, x[b, t])
        table = self.encoding.reshape(*stored, -1)
        alone = [part for b, t in np.ndindex(stored) for part in self._row("PE", b, t, b + t, table[b, t])]
        colour = INK if self.verdict.startswith("Every") else ORANGE
        parts: list[Element] = [text(550, 20, self.verdict, colour=colour, weight="bold", most=1080)]
        x_middle, y_middle = LEFTS["sum"] + WIDE / 2, TOP + HIGH / 2
        if total is None:
            parts += [*alone, box(LEFTS["sum"], TOP, WIDE, HIGH, edge=ORANGE, width=3, radius=8)]
            for k, said in enumerate(["ValueError:", *textwrap.wrap(self.error, 24)]):
                parts.append(text(x_middle, y_middle + 30 * (k - 1.5), said))
        else:
            landed = self._landed()
            for b, t in np.ndindex(landed.shape):
                pos, row = int(landed[b, t]), np.broadcast_to(table, total.shape)[b, t]
                if b >= len(x):
                    parts += self._row("x", b, t, int(pos >= 0) - 1, x[0, t], kept=False)
                parts += self._row("PE", b, t, pos, row, kept=b < stored[0] and t < stored[1])
                parts += self._row("sum", b, t, pos, total[b, t])
        yield from answer(*parts, question=[*alone, text(x_middle, y_middle, "?", 120, GREY)])
        yield from self._shapes_in_columns()

    def _shapes_in_columns(self) -> Elements:
        """Yield the shapes that meet, axis under axis, and what comes of them."""
        ys, total, missing = self._ys(), self.total, 3 - self.encoding.ndim
        yield text(END, 295, f"PE = {CODE[self.state['shape']].format(**self.state)}", SMALL, GREY, "end")
        yield line([14, END], ys["sum"] - 16, GREY, 1.5)
        yield from (text(14, y, name, align="start") for name, y in ys.items())
        for axis, (x, (lengths, verdict)) in enumerate(zip(SHAPE_AT, self._axes(), strict=True)):
            yield text(x, 295, "BLd"[axis], SMALL, GREY)
            came = f"{total.shape[axis]}" if total is not None else "✗" if "error" in verdict else ""
            marks: list[Element] = [text(x, ys["sum"], came, weight="bold")]
            for name, n in zip(ys, lengths, strict=False):
                yield text(x, ys[name], f"({n})" if name == "PE" and axis < missing else f"{n}")
                place = x - 18, ys[name] - 13, 36, 26
                if "stretched" in verdict and n == 1:
                    marks.append(box(*place, edge=GREY, width=1.5, dash=(4, 3)))
                if "error" in verdict and n != 1:
                    marks.append(box(*place, edge=ORANGE, width=3))
            yield from answer(*marks, question=[text(x, ys["sum"], "?")])

    def move(self) -> Elements:
        """Yield the chosen token: its rows framed, and their numbers."""
        (at, index), d, ys, parts = self._chosen(), self.state["d_model"], self._ys(), []
        pitch = min(180.0, (END - NUMBERS) / d)
        size = min(28.0, pitch / 4.2)
        for name, (said, numbers) in zip(LEFTS, self._terms(), strict=False):
            wrong = name == "PE" and self._landed()[at] not in (-1, at[1])
            weight = "bold" if name == "sum" and d < 7 else "normal"
            row = [text(NUMBERS - 8, ys[name], said, colour=ORANGE if wrong else INK, align="end")]
            for j, n in enumerate(numbers.tolist(), 1):
                row.append(text(NUMBERS + j * pitch, ys[name], rounded(n), size, align="end", weight=weight))
            parts.append(row)
        yield box(*self._box("x", *at), edge=ORANGE, width=4)
        yield from parts[0]
        framed = {("PE", *at), ("sum", *at), ("PE", *(index if self.mask[at] else at))}
        held = [box(*self._box(*row), edge=ORANGE, width=4) for row in sorted(framed)] if parts[1:] else []
        asked = [text(NUMBERS + pitch / 2, ys[name], "?", size) for name in ("PE", "sum")]
        yield from answer(*held, *[part for row in parts[1:] for part in row], question=asked)

    def targets(self) -> Targets:
        """Yield the sentences of x and of the sum: a click on a row chooses its token."""
        length = self.state["length"]
        for block, b in [(block, b) for block in ("x", "sum") for b in range(self.state["batch"])]:
            left, top, wide, high = self._box(block, b, 0)
            yield Target((left, top, wide, high * length), down=("position", range(length)), sets={"sentence": b})

    def _stored(self) -> tuple[int, int]:
        """Return how many sheets of how many rows the encoding has; one of the two is 1."""
        b, length = self.state["batch"], self.state["length"]
        return {"(L, 1, d)": (length, 1), "(B, 1, d)": (b, 1)}.get(self.state["shape"], (1, length))

    def _added(self) -> tuple[np.ndarray | None, str]:
        """Return the sum, if the shapes go together, and what NumPy says if they do not."""
        x, rows = self.embeddings, self.encoding
        try:
            return x + (rows * self.mask[..., np.newaxis] if self.state["padding"] else rows), ""
        except ValueError as trouble:
            return None, str(trouble).strip()

    def _axes(self) -> list[tuple[tuple[int, ...], str]]:
        """Return for each axis the lengths that meet, and what the rules of broadcasting say of them."""
        b, length, d = self.embeddings.shape
        shapes = [(b, length, d), (*self._stored(), d), (b, length, 1)][: 3 if self.state["padding"] else 2]
        says = ("", "equal", "1 is stretched")
        return [(n, "differ: error" if len({*n} - {1}) > 1 else says[len({*n})]) for n in zip(*shapes, strict=True)]

    def _landed(self) -> np.ndarray:
        """Return the position whose row lands on each token of the sum, -1 for none: (its sheets, L)."""
        return np.where(self.mask, np.arange(max(self._stored())).reshape(self._stored()), -1)

    def _chosen(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return sentence and position of the token, and sheet and row of the encoding that it gets."""
        (b, t), (sheets, rows) = (self.state["sentence"], self.state["position"]), self._stored()
        return (b, t), (b if sheets > 1 else 0, t if rows > 1 else 0)  # on an axis of length 1 always the first

    def _terms(self) -> list[tuple[str, np.ndarray]]:
        """Return the terms of the chosen token's sum, the last being the sum itself; x alone where there is none."""
        total, (at, index), missing = self.total, self._chosen(), 3 - self.encoding.ndim
        x = (f"x{list(at)}", self.embeddings[at])
        if total is None:
            return [x]
        row = (f"PE{list(index[missing:])}", self.encoding[index[missing:]])
        return [x, row if self.mask[at] else ("no row", 0 * x[1]), (f"sum{list(at)}", total[at])]

    def _ys(self) -> dict[str, float]:
        """Return the heights of the lines of the table below."""
        names = ["x", "PE", *["mask"] * (self.state["padding"] > 0), "sum"]
        return dict(zip(names, np.linspace(323, 417, len(names)).tolist(), strict=True))

    def _box(self, block: str, sheet: int, row: int) -> tuple[float, float, float, float]:
        """Return the box around a row, its tag included; sheets stand below each other, and in up to three columns."""
        length, count = self.state["length"], max(self.state["batch"], self._stored()[0])
        columns = math.ceil(count / max(9 // length, math.ceil(count / 3)))
        below = math.ceil(count / columns)
        wide, high = (WIDE - 8 * (columns - 1)) / columns, min(40.0, (HIGH - 10 * (below - 1)) / (below * length))
        column, place = divmod(sheet, below)
        cell = min(72.0, (wide - TAG) / self.state["d_model"])
        top = TOP + place * (length * high + 10) + row * high
        return LEFTS[block] + column * (wide + 8), top, TAG + cell * self.state["d_model"], high

    def _row(self, block: str, sheet: int, row: int, position: int, numbers: np.ndarray, kept: bool = True) -> Elements:
        """Yield a row: its tag in the colour of its position, its cells, and where there is room its numbers."""
        left, top, wide, high = self._box(block, sheet, row)
        y, cell, size = top + high / 2, (wide - TAG) / len(numbers), min(TALK, max(SMALL, 0.78 * high))
        colour, ink = (PALE if kept else PAPER, INK) if block == "x" else (OF_POSITION[position], ON_POSITION[position])
        wrong = block == "sum" and position != row
        name = f"{sheet}, {row}" if block == "x" else f"{position}{' ✗' * wrong}"
        if position < 0:
            yield box(left + TAG, top + 2, wide - TAG - 1, high - 4, edge=GREY, width=1, dash=(2, 4))
            yield text(left + TAG / 2, y, name if block == "x" else "pad", size, GREY, most=TAG - 4)
            return
        filled = kept and block == "PE"
        look = (colour if filled else BAND,) if kept else (PAPER, PALE, 1.5)
        yield boxes([(left + TAG, top + 1, wide - TAG, high - 2)], *look)
        yield box(left, top + 1, TAG, high - 2, colour)
        yield text(left + TAG / 2, y, name, size, ink, most=TAG - 4)
        xs = left + TAG + cell * np.arange(len(numbers))
        yield line(xs[:, np.newaxis], [top + 1, top + high - 1], PAPER, 1.5)
        for x, number in zip(xs, numbers.tolist() if cell >= 2.75 * SMALL and high >= 20 else (), strict=False):
            ink = ink if filled else INK if kept else GREY
            yield text(x + cell / 2, y, rounded(number, 2), min(size, cell / 2.75), ink)
