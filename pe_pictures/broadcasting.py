"""Embeddings plus encoding by broadcasting: which row of the encoding lands on which word, and what the shapes say."""

import textwrap
from typing import ClassVar

import numpy as np

from pe_lib.encoding import sinusoidal_encoding
from pe_pictures.cells import Place
from pe_pictures.colours import BAND, COSINE, GREY, HERE, INK, LINE
from pe_pictures.fields import Choice, Integer
from pe_pictures.parts import link
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import CORNER, T1, T2, T3, Curves, Dash, Element, Elements, answer, area, box, text
from pe_pictures.writing import here, hold, rounded

CODE = {  # what makes the encoding of each shape from a table of shape (positions, d_model)
    "(1, L, d)": "table[None, :{length}]",
    "(L, d)": "table[:{length}]",
    "(L, 1, d)": "table[:{length}, None]",
    "(B, 1, d)": "table[:{batch}, None]",
}
SHAPES = tuple(CODE)
TINTS = ("minus", "plus", COSINE, GREY)  # of the rows of positions 0 to 3, as thin as TINT
TINT = 0.22
BETWEEN = 10.0  # from one sentence to the next
TOP = 52.0  # how far down the blocks begin: x, the encoding and their sum
WIDE = [(left, TOP, 330.0, 310.0) for left in (10.0, 385.0, 760.0)]
TALL = [(left, TOP, 148.0, 400.0) for left in (8.0, 186.0, 364.0)]


class Broadcasting(Picture):
    """Add the encoding to a batch of embeddings by broadcasting, in the right shape or in a wrong one.

    The embeddings count on in tenths, ``x[b, t, j] = b + (t·d_model + j + 1)/10``, so that x of shape (2, 3, 4) is the
    worked example `TWO_SENTENCES`; padding is all zeros. Rows that are stored are filled, those that are used again
    have a dashed rim. A row of the sum has the tint of the position whose row it was given, and a cross if that is not
    its own. The sum is that of Vaswani et al. (2017), section 3.5; Harris et al. (2020), "Array programming with
    NumPy", Nature 585, tell of broadcasting. Where NumPy refuses, its message stands in place of the sum.

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
        Integer("length", 3, 1, 4, about="How many words each has, L"),
        Integer("d_model", 4, 1, 4, about="The width of x, d"),
        Choice("shape", SHAPES[0], SHAPES, about="The shape of the encoding; the last two take the axes of x amiss"),
        Integer("padding", 0, 0, lambda s: s["length"] - 1, about="Tokens of padding at the end of the last sentence"),
        Integer("sentence", 0, 0, lambda s: s["batch"] - 1, moves=True, about="The sentence of the marked word"),
        Integer("position", 1, 0, lambda s: s["length"] - 1, moves=True, about="The position of that word"),
    )
    shown: ClassVar = ("shape", "batch", "sentence")
    play: ClassVar = "position"
    pace: ClassVar = 1.0
    up_down: ClassVar = "sentence"
    # Their names say what goes in, not what comes out, which may be covered.
    presets: ClassVar = {
        "one table": {"batch": 2, "length": 3, "shape": "(1, L, d)", "padding": 0},
        "four sentences": {"batch": 4, "length": 3, "shape": "(1, L, d)", "padding": 0},
        "positions first": {"batch": 2, "length": 3, "shape": "(L, 1, d)", "padding": 0},
        "positions first, B = L": {"batch": 3, "length": 3, "shape": "(L, 1, d)", "padding": 0},
        "cut at B": {"batch": 2, "length": 3, "shape": "(B, 1, d)", "padding": 0},
        "padding": {"batch": 2, "length": 3, "shape": "(1, L, d)", "padding": 1, "sentence": 1, "position": 2},
    }
    pages: ClassVar = (
        {"batch": (1, 2, 3, 4), "shape": SHAPES, "position": range(3)},
        {"batch": (2,), "shape": SHAPES, "sentence": range(2), "position": range(3)},
        {"batch": (3,), "shape": SHAPES, "sentence": range(3), "position": range(3)},
        {"batch": (4,), "shape": SHAPES[:1], "sentence": range(4), "position": range(3)},
        {"batch": (1, 2, 3, 4), "length": range(1, 5), "shape": ("(B, 1, d)",), "position": range(4)},
        {"padding": range(3), "sentence": range(2), "position": range(3)},
        {"length": (3, 4), "d_model": (2, 4), "position": range(4)},
    )
    question: ClassVar = "Which row does each word get?"

    @property
    def embeddings(self) -> np.ndarray:
        """What the encoding is added to: (B, L, d_model)."""
        b, length, d = (self.state[name] for name in ("batch", "length", "d_model"))
        x = np.arange(b)[:, np.newaxis, np.newaxis] * 10 + np.arange(1, length * d + 1).reshape(length, d)
        return np.where(self.mask[..., np.newaxis], x / 10, 0.0)  # (B, L, d_model)

    @property
    def mask(self) -> np.ndarray:
        """1 for a word and 0 for padding, a row for each sentence: (B, L)."""
        mask = np.ones((self.state["batch"], self.state["length"]), int)
        mask[-1, self.state["length"] - self.state["padding"] :] = 0
        return mask

    @property
    def encoding(self) -> np.ndarray:
        """The encoding in the shape that the state names."""
        table = sinusoidal_encoding(max(self._stored), self.state["d_model"])
        return table if self.state["shape"] == "(L, d)" else table.reshape(*self._stored, -1)

    @property
    def total(self) -> np.ndarray | None:
        """The sum as NumPy makes it of these shapes, or None if it refuses."""
        return self._added()[0]

    @property
    def error(self) -> str:
        """What NumPy says to these shapes; empty if it adds them."""
        return self._added()[1]

    @property
    def landed(self) -> np.ndarray:
        """The position whose row lands on each word of the sum, -1 for none: (its sentences, L); empty without one."""
        if self.error:
            return np.empty((0, self.state["length"]), int)
        return np.where(self.mask, np.arange(max(self._stored)).reshape(self._stored), -1)

    @property
    def right(self) -> bool:
        """Whether every word gets the row of its own position."""
        landed, (b, length) = self.landed, self.mask.shape
        return len(landed) == b and bool(np.all((landed < 0) | (landed == np.arange(length))))

    def says(self) -> str:
        s, b, t = self.state, self.state["sentence"], self.state["position"]
        word, row, sheets = here(f"Word {t} of sentence {b}"), here(f"Row {t}"), self._stored[0]
        if self.error:
            return f"Sentences: {s['batch']} in x and {sheets} in PE. They differ, so {hold('NumPy refuses to add')}."
        if not self.mask[b, t]:
            return f"{word} is padding: {hold('it gets no row')}, because its mask is 0."
        if sheets > s["batch"]:
            return f"No error, but wrong: {hold(f'one sentence goes in and {sheets} come out')}."
        got = int(self.landed[b, t])
        if not self.right:
            if got == t:
                return f"{word} gets {hold(f'row {got} by chance')}: its number was taken from the sentence."
            like = "like every word of its sentence" if s["length"] > 1 else "the number of its sentence"
            return f"{word} gets {hold(f'row {got}')}, {like}, and no error tells you."
        if s["padding"]:
            return f"{row} is stored once and added to {hold(f'every word {t}')}, but never to padding."
        if s["batch"] == 1:
            return f"{row} is added to {hold(f'word {t}')}. More sentences would share the same table."
        if s["shape"] == "(L, d)":
            return f"The missing axis counts as 1, so {here(f'row {t}')} goes to {hold(f'word {t} of every sentence')}."
        count = "both" if s["batch"] == 2 else f"all {s['batch']}"
        return f"{row} is stored once and added to {hold(f'word {t} of {count} sentences')}."

    def words(self) -> str:
        s, total = self.state, self.total
        code = CODE[s["shape"]].format(**s)
        shapes = f"x of shape {self.embeddings.shape} plus PE of shape {self.encoding.shape}, made as {code}"
        if total is None:
            return f"{shapes}: {hold(f'NumPy says: {self.error}')}."
        (x, row, result), got = (_written(numbers) for numbers in self._terms()), self.landed[self._chosen]
        name = f"row {got} of PE, {row}," if got >= 0 else "nothing, because it is padding,"
        came, added = f"the sum has shape {total.shape}", f"{name} is added and makes {result}"
        return f"{shapes}: {hold(came)}. Sentence {s['sentence']}, word {s['position']}: x is {x}; {hold(added)}."

    def lay(self) -> Elements:
        (b, length), stored = self.mask.shape, self._stored
        yield from self._heads()
        x, table, total = self.embeddings, self.encoding.reshape(*stored, -1), self.total
        for at in np.ndindex(b, length):
            yield from self._row(0, at, x[at], f"{at[0]}, {at[1]}", "" if self.mask[at] else "none")
        for at in np.ndindex(stored):
            yield from self._row(1, at, table[at], f"row {sum(at)}", TINTS[sum(at)])
        again: list[Element] = []  # what is used again
        came = [*self._refused()]  # what comes of it
        for at in np.ndindex(*self.landed.shape):
            got = int(self.landed[at])
            if at[0] >= b:
                again += self._row(0, at, x[0, at[1]], f"0, {at[1]}", "again" if got >= 0 else "none")
            if at[0] >= stored[0] or at[1] >= stored[1]:
                row = np.broadcast_to(table, self._shape_of_sum)[at]
                again += self._row(1, at, row, f"row {got}" if got >= 0 else "no row", "again" if got >= 0 else "none")
            assert total is not None
            said_of = "padding" if got < 0 else f"row {got}" + " ×" * (got != at[1])
            came += self._row(2, at, total[at], said_of, TINTS[got] if got >= 0 else "none")
        yield from answer(box(*self._blocks[2], kind="veil", radius=CORNER), *again, *came)
        yield from self._shapes_below()

    def move(self) -> Elements:
        at, total = self._chosen, self.total
        x = self._place(0, at)
        yield _rim(x, HERE, 3)
        if total is not None:
            result = self._place(2, at)
            row = self._place(1, self._from) if self.mask[at] else result  # padding is given none
            ends = [(x, row), (row, result)] if self.mask[at] else []
            for one, other in ends or [(result, result)] * 2:
                start = one[0] + (one[2] if ends else 0)
                heights = [place[1] + place[3] / 2 for place in (one, other)]
                yield from answer(link([start, other[0]], heights))
            yield from answer(_rim(row, HERE, 3), _rim(result, HERE, 3))
        if self.tall:
            yield from self._numbers_below()

    def targets(self) -> Targets:
        b, length = self.mask.shape
        for block, sheet in [(block, sheet) for block in (0, 2) for sheet in range(b)]:
            yield Target(self._sheet(block, sheet, length), down=("position", range(length)), sets={"sentence": sheet})
        if self._stored[1] > 1:
            yield Target(self._sheet(1, 0, length), down=("position", range(length)))
        elif not self.error:
            for sheet in range(min(b, self._stored[0])):
                yield Target(self._sheet(1, sheet, 1), sets={"sentence": sheet})

    # What NumPy makes of it.

    @property
    def _stored(self) -> tuple[int, int]:
        """How many sheets of how many rows the encoding has; one of the two is 1."""
        b, length = self.state["batch"], self.state["length"]
        return {"(L, 1, d)": (length, 1), "(B, 1, d)": (b, 1)}.get(self.state["shape"], (1, length))

    @property
    def _shape_of_sum(self) -> tuple[int, ...]:
        return (max(self.state["batch"], self._stored[0]), self.state["length"], self.state["d_model"])

    def _added(self) -> tuple[np.ndarray | None, str]:
        """Return the sum, if the shapes go together, and what NumPy says if they do not."""
        x, rows = self.embeddings, self.encoding
        try:
            return x + (rows * self.mask[..., np.newaxis] if self.state["padding"] else rows), ""
        except ValueError as trouble:
            return None, str(trouble).strip()

    @property
    def _chosen(self) -> tuple[int, int]:
        """Sentence and position of the marked word."""
        return self.state["sentence"], self.state["position"]

    @property
    def _from(self) -> tuple[int, int]:
        """Sheet and row of the encoding that it gets: on an axis of length 1 always the first."""
        (b, t), (sheets, rows) = self._chosen, self._stored
        return (b if sheets > 1 else 0), (t if rows > 1 else 0)

    def _terms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the numbers of the marked word, those added to it, and their sum: nan where there is none."""
        x, total, none = self.embeddings[self._chosen], self.total, np.full(self.state["d_model"], np.nan)
        row = self.encoding.reshape(*self._stored, -1)[self._from] if total is not None else none
        return x, row * self.mask[self._chosen], none if total is None else total[self._chosen]

    # Where everything is drawn.

    @property
    def _blocks(self) -> list[Place]:
        return TALL if self.tall else WIDE

    def _place(self, block: int, at: tuple[int, int]) -> Place:
        """Return the place of a row of a block: of which sheet, and which row."""
        count, length = max(self.state["batch"], self._stored[0]), self.state["length"]
        left, top, wide, room = self._blocks[block]
        high = min(56.0, (room - BETWEEN * (count - 1)) / (count * length))
        top += (room - count * (length * high + BETWEEN) + BETWEEN) / 2
        return left, top + at[0] * (length * high + BETWEEN) + at[1] * high + 1, wide, high - 2

    def _sheet(self, block: int, sheet: int, rows: int) -> Place:
        """Return the place of the first rows of a sheet."""
        left, top, wide, high = self._place(block, (sheet, 0))
        return left, top - 1, wide, (high + 2) * rows

    def _heads(self) -> Elements:
        """Yield the names of the blocks, and what is between them."""
        code = "" if self.tall else f" = {CODE[self.state['shape']].format(**self.state)}"
        names, blocks, y = ("x", f"PE{code}", "x + PE"), self._blocks, TOP - 26
        for k, (left, _, wide, _) in enumerate(blocks):
            yield text(left + wide / 2, y, names[k], T2, INK, "middle", "bold", most=wide)
            if k:
                yield text((blocks[k - 1][0] + wide + left) / 2, y, " +="[k], T3)
        if not self.tall:
            yield text(blocks[0][0] + 10, y, "sentence, word", T1, GREY, "start")

    def _refused(self) -> Elements:
        """Yield what NumPy says, in place of a sum that it refuses."""
        if not self.error:
            return
        left, top, wide, high = self._blocks[2]
        yield box(left, top, wide, high, BAND, LINE, 1, radius=CORNER)
        said = ["ValueError:", *textwrap.wrap(self.error, 14 if self.tall else 30, break_long_words=False)]
        for k, part in enumerate(said):
            y, size = top + high / 2 + 30 * (k - (len(said) - 1) / 2), T1 if self.tall else T2
            yield text(left + wide / 2, y, part, size, INK, "middle", "normal" if k else "bold")

    def _row(self, block: int, at: tuple[int, int], numbers: np.ndarray, tag: str, look: str) -> Elements:
        """Yield a row with its tag and, on a wide sheet, its numbers; it may be used "again", or be "none" at all."""
        left, top, wide, high = self._place(block, at)
        y, stored = top + high / 2, look not in ("again", "none")
        if stored:
            yield box(left, top, wide, high, BAND, radius=CORNER)
            if look:
                yield box(left, top, wide, high, look, opacity=TINT, radius=CORNER)
        else:
            yield _rim((left, top, wide, high), GREY, 1, (5, 4) if look == "again" else (1, 4), -0.5)
        ink = INK if stored else GREY
        if self.tall:
            yield text(left + wide / 2, y, tag, T1, ink, most=wide - 8)
            return
        yield text(left + 10, y, tag, T1, ink, "start", "bold" if "×" in tag else "normal")
        if look != "none" or block != 1:
            cell = min(80.0, (wide - 78) / len(numbers))
            for j, number in enumerate(numbers.tolist()):
                yield text(left + 78 + (j + 1) * cell - 8, y, rounded(number, 2), T2 if high > 24 else T1, ink, "end")

    def _shapes_below(self) -> Elements:
        """Yield the length of every axis of the three, below their blocks; a missing axis is left empty."""
        y, b, sheets = TOP + self._blocks[0][3] + 26, self.state["batch"], self._stored[0]
        refused = ["≠" if self.tall else f"{b} ≠ {sheets}", "", ""]
        result = refused if self.total is None else [*map(str, self._shape_of_sum)]
        encoding = [""] * (3 - self.encoding.ndim) + [*map(str, self.encoding.shape)]
        step = 37.0 if self.tall else 70.0
        shapes = [*map(str, self.embeddings.shape)], encoding, result
        for (left, _, wide, _), shape in zip(self._blocks, shapes, strict=True):
            for axis, length in enumerate(shape):
                x = left + wide / 2 + (axis - 1) * step
                yield text(x, y, "BLd"[axis], T1, GREY)
                if shape is result:
                    veil = box(x - 17, y + 14, 34, 32, kind="veil", radius=CORNER)
                    yield from answer(veil, text(x, y + 30, length, T3, INK, "middle", "bold"))
                else:
                    yield text(x, y + 30, length, T3)

    def _numbers_below(self) -> Elements:
        """Yield the numbers of the marked word, those of its row, and their sum, one below the other."""
        left, got, given = 112.0, sum(self._from), bool(self.mask[self._chosen])
        cell = (self.size[0] - left - 8) / self.state["d_model"]
        names = f"x[{self._chosen[0]}, {self._chosen[1]}]", f"+ row {got}" if given else "no row", "= sum"
        for k, (name, numbers) in enumerate(zip(names, self._terms(), strict=True)):
            y, there = 572.0 + 62 * k, k == 0 or self.total is not None
            tint, kind = TINTS[got] if k and given else BAND, "" if there else "veil"
            parts: list[Element] = [text(8, y, name if there else "", T1, INK, "start", most=left - 12)]
            for j, number in enumerate(numbers.tolist()):
                place = left + j * cell + 2, y - 24, cell - 4, 48.0
                parts.append(box(*place, BAND, radius=CORNER, kind=kind))
                parts.append(box(*place, tint, opacity=TINT, radius=CORNER, kind=kind))
                parts.append(text(left + (j + 0.5) * cell, y, rounded(number) if there else "", T2, most=cell - 8))
            yield from answer(*parts) if k else parts


def _written(numbers: np.ndarray) -> str:
    """Write a row of numbers in words for a screen reader."""
    return f"({', '.join(map(rounded, numbers.tolist()))})"


def _rim(place: Place, edge: str, width: float, dash: Dash = (), out: float = 1.5) -> Curves:
    """Return the rim of a place, that far outside; a path and no box, so that a cover leaves nothing of it."""
    left, top, wide, high = place
    xs, ys = [left - out, left + wide + out], [top - out, top + high + out]
    return area(np.array(xs)[[0, 1, 1, 0]], np.array(ys)[[0, 0, 1, 1]], "", edge, width, dash=dash)
