"""Embeddings plus encoding by broadcasting: which row of the encoding lands on which token, and what the shapes say."""

import textwrap
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.text import Text

from pe_lib import _checks
from pe_lib.encoding import sinusoidal_encoding
from pe_lib.pictures.lettering import rounded
from pe_lib.pictures.picture import BLUE, DPI, GREEN, GREY, INK, ORANGE, PALE, Picture, shrink

SHAPES = ("(1, L, d)", "(L, d)", "(L, 1, d)", "(B, 1, d)")
LARGEST = {"batch": 4, "length": 6, "d_model": 8}
MOST_NUMBERS = 32  # in a block
SHOWN = 4  # how many numbers of a row are written out
AXES = ("sentences", "tokens", "numbers")  # what the axes of x count
WHY = {
    "(1, L, d)": "an axis of 1 in front, for every sentence",
    "(L, d)": "the missing axis in front counts as a 1",
    "(L, 1, d)": "meant for x of shape (L, B, d)",
    "(B, 1, d)": "meant for (L, B, d), cut at x.shape[0]",
}
RULES = """Shapes are lined up from the right.
A missing axis counts as 1.
Equal lengths stay, a 1 is stretched.
Anything else is an error."""
OF_POSITION = (BLUE, "#f0e442", GREEN, "#cc79a7", "#56b4e9", "#e69f00")  # colours of Okabe and Ito (2008)

# Places are in pixels from the upper left corner of the figure.
LEFT, RIGHT = 92, 700  # the sheets lie between them
ROWS_FROM = {"x": 112, "PE": 314, "sum": 516}  # where the rows of each block begin
HIGH = 150  # the room for the rows of a block
GAP = 20  # between two sheets
PANEL = 730  # where shapes and numbers begin
AXIS_AT = (852, 948, 1044)  # the columns of the shapes
TERM_AT = (856, 964, 1070)  # the right ends of the terms of the sum
SIGN_AT = (867, 978)
TERMS_FROM = 542  # the top of the first

CODE: dict[str, Any] = {"family": "DejaVu Sans Mono", "fontsize": 13}
LINES: dict[str, Any] = {"va": "top", "fontsize": 13.5, "linespacing": 1.35}

Box = tuple[float, float, float, float]  # left, top, width, height
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class _Sheets:
    """Where the sheets of a block lie, how large their rows and cells are, and the tag at the end of a row."""

    count: int
    length: int
    d_model: int

    @property
    def pitch(self) -> float:
        """From one sheet to the next."""
        return (RIGHT - LEFT) / self.count

    @property
    def is_wide(self) -> bool:
        """Whether a tag has room for a word."""
        return self.count <= 4

    @property
    def tag(self) -> float:
        """The width of a tag."""
        return 58 if self.is_wide else 22

    @property
    def cell(self) -> float:
        """The width of a cell."""
        return min(58.0, (self.pitch - GAP - self.tag) / self.d_model)

    @property
    def row(self) -> float:
        """The height of a row."""
        return min(46.0, HIGH / self.length)

    @property
    def has_room_for_numbers(self) -> bool:
        """Whether a number fits into a cell, and they are not too many to be read and to be drawn quickly."""
        return self.cell >= 48 and self.count * self.length * self.d_model <= MOST_NUMBERS

    def left(self, sheet: int) -> float:
        """Return where a sheet begins."""
        return LEFT + sheet * self.pitch

    def rows(self, block: str, sheet: int, first: int, count: int = 1, *, tag: bool = True) -> Box:
        """Return the box round some rows of a sheet."""
        left, top = self.left(sheet), ROWS_FROM[block] + first * self.row
        return left, top, self.d_model * self.cell + (self.tag if tag else 0), count * self.row

    def tag_of(self, block: str, sheet: int, row: int) -> Box:
        """Return the box at the end of a row that says which position it encodes."""
        left, top, width, height = self.rows(block, sheet, row, tag=False)
        return left + width, top, self.tag, height


@dataclass(frozen=True)
class _Drawn:
    """What the background is to hold, gathered before it is handed to its few artists."""

    fills: list[tuple[Box, Colour]]
    pads: list[Box]
    cuts: list[list[tuple[float, float]]]
    dashed: list[Box]
    solid: list[Box]


class Broadcasting(Picture):
    """Add the encoding to a batch of embeddings by broadcasting, in the right shape or in a wrong one.

    The embeddings count on in tenths, ``x[b, t, j] = b + (t·d_model + j + 1)/10``, so that x of shape (2, 3, 4) is the
    worked example `TWO_SENTENCES`; padding is all zeros.

    Parameters
    ----------
    batch, length, d_model : int
        The shape of x: B from 1 to 4, L from 1 to 6 and d from 1 to 8.
    shape : {"(1, L, d)", "(L, d)", "(L, 1, d)", "(B, 1, d)"}
        The shape of the encoding. The last two have the positions where x has its sentences.
    padding : int
        How many tokens at the end of the last sentence are padding, fewer than L; they get no encoding.
    sentence, position : int
        The token whose sum is shown in numbers, both from 0.

    Raises
    ------
    TypeError, ValueError
        If there is no such batch or token. Shapes that NumPy refuses are shown, with its message in place of the sum.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5. Harris et al. (2020), "Array programming with
    NumPy", Nature 585, on broadcasting.

    Examples
    --------
    >>> Broadcasting(sentence=1, position=2).total[1, 2].round(4)
    array([2.8093, 1.5839, 2.12  , 3.1998])
    >>> Broadcasting(shape="(L, 1, d)").error
    'operands could not be broadcast together with shapes (2,3,4) (3,1,4)'
    """

    defaults: ClassVar = {
        "batch": 2,
        "length": 3,
        "d_model": 4,
        "shape": "(1, L, d)",
        "padding": 0,
        "sentence": 0,
        "position": 1,
    }
    size: ClassVar = (11.0, 6.8)

    @property
    def embeddings(self) -> np.ndarray:
        """What the encoding is added to: (B, L, d_model)."""
        b, length, d = self._sizes()
        within = np.arange(1, length * d + 1).reshape(length, d)
        x = (10 * np.arange(b)[:, np.newaxis, np.newaxis] + within) / 10  # (B, L, d_model)
        x[self.mask == 0] = 0.0
        return x

    @property
    def mask(self) -> np.ndarray:
        """1 for a token and 0 for padding, a row for each sentence: (B, L)."""
        b, length, _ = self._sizes()
        mask = np.ones((b, length), int)
        mask[-1, length - self.state["padding"] :] = 0
        return mask

    @property
    def encoding(self) -> np.ndarray:
        """The encoding in the shape that the state names."""
        sheets, rows = self._stored()
        d = self.state["d_model"]
        table = sinusoidal_encoding(sheets * rows, d)
        return table if self.state["shape"] == "(L, d)" else table.reshape(sheets, rows, d)

    @property
    def total(self) -> np.ndarray | None:
        """The sum as NumPy makes it of these shapes, or None if it refuses."""
        try:
            return self._add()
        except ValueError:
            return None

    @property
    def error(self) -> str:
        """What NumPy says to these shapes; empty if it adds them."""
        try:
            self._add()
        except ValueError as trouble:
            return str(trouble).strip()
        return ""

    def describe(self) -> str:
        """Say in words what is to be seen."""
        axes = "; ".join(
            f"axis {axis}, {name}: {' and '.join(map(str, lengths))}, {verdict}".replace("\n", " ")
            for axis, name, lengths, verdict in zip(range(3), AXES, self._lengths(), self._verdicts(), strict=True)
        )
        total = self.total
        came = f"NumPy says: {self.error}" if total is None else f"The sum has shape {total.shape}"
        heading, terms = self._chosen()
        named = [f"{name} ({', '.join(_written(numbers))})" for name, numbers in terms]
        added = f"{' + '.join(named[:-1])} = {named[-1]}" if total is not None else named[0]
        return (
            f"{self._title()}. x of shape {self.embeddings.shape} plus PE of shape {self.encoding.shape}, made as "
            f"{self._code()}. {axes[0].upper()}{axes[1:]}. {came}. {heading}: {added}."
        )

    def limits(self, state: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
        """Return how far each number may go."""
        return {name: (1, most) for name, most in LARGEST.items()} | {
            "padding": (0, state["length"] - 1),
            "sentence": (0, state["batch"] - 1),
            "position": (0, state["length"] - 1),
        }

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        shape = state["shape"]
        if not isinstance(shape, str) or shape not in SHAPES:
            kind = ValueError if isinstance(shape, str) else TypeError
            raise kind(f"shape must be one of {', '.join(map(repr, SHAPES))}, got {_checks.shown(shape)}")
        plain = {name: _checks.integer(name, value) for name, value in state.items() if name != "shape"}
        return self._within_limits({**state, **plain})

    def _key(self) -> Hashable:
        return tuple(self.state[name] for name in ("batch", "length", "d_model", "shape", "padding"))

    def _sizes(self) -> tuple[int, int, int]:
        """Return B, L and d_model."""
        return self.state["batch"], self.state["length"], self.state["d_model"]

    def _stored(self) -> tuple[int, int]:
        """Return how many sheets of how many rows the encoding has; one of the two is 1."""
        b, length, _ = self._sizes()
        return {"(L, 1, d)": (length, 1), "(B, 1, d)": (b, 1)}.get(self.state["shape"], (1, length))

    def _code(self) -> str:
        """Return what makes the encoding from a table of shape (positions, d_model)."""
        b, length, _ = self._sizes()
        return {
            "(1, L, d)": f"table[None, :{length}]",
            "(L, d)": f"table[:{length}]",
            "(L, 1, d)": f"table[:{length}, None]",
            "(B, 1, d)": f"table[:{b}, None]",
        }[self.state["shape"]]

    def _add(self) -> np.ndarray:
        """Return the sum; ValueError if the shapes do not go together."""
        total: np.ndarray
        if self.state["padding"]:
            total = self.embeddings + np.where(self.mask[..., np.newaxis], self.encoding, 0.0)
        else:
            total = self.embeddings + self.encoding
        return total

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes that meet; a missing axis is the 1 that NumPy puts in its place."""
        b, length, d = self._sizes()
        shapes: dict[str, tuple[int, ...]] = {"x": (b, length, d), "PE": (*self._stored(), d)}
        return shapes | {"mask": (b, length, 1)} if self.state["padding"] else shapes

    def _lengths(self) -> list[tuple[int, ...]]:
        """Return for each axis the lengths that meet on it."""
        return list(zip(*self._shapes().values(), strict=True))

    def _verdicts(self) -> list[str]:
        """Return what the rules of broadcasting say of each axis."""
        return [
            "differ:\nerror" if len(set(n) - {1}) > 1 else "equal" if len(set(n)) == 1 else "1 is\nstretched"
            for n in self._lengths()
        ]

    def _landed(self) -> np.ndarray:
        """Return the position whose row lands on each token of the sum, -1 for none: (sheets of the sum, L)."""
        sheets, rows = self._stored()
        shape = (max(sheets, self.state["batch"]), self.state["length"])
        positions = np.arange(sheets * rows).reshape(sheets, rows)
        return np.where(np.broadcast_to(self.mask, shape), np.broadcast_to(positions, shape), -1)

    def _wrong(self) -> np.ndarray:
        """Return where a token of the sum gets the row of another position; all False where there is no sum."""
        if self.total is None:
            return np.zeros((1, self.state["length"]), bool)
        landed = self._landed()
        wrong: np.ndarray = (landed >= 0) & (landed != np.arange(self.state["length"]))
        return wrong

    def _title(self) -> str:
        """Say in one sentence what comes of these shapes."""
        b, length, _ = self._sizes()
        sheets, _ = self._stored()
        if self.error:
            return f"Error: {b} and {sheets} differ, and neither is 1"
        if sheets > b:
            return f"No error, and wrong: 1 sentence goes in, {sheets} come out"
        if self._wrong().any():
            why = "No error, because B = L, and wrong" if self.state["shape"] == "(L, 1, d)" else "No error, and wrong"
            same = "every token of a sentence gets the same row"
            return f"{why}: {same if length > 1 else 'each sentence gets another row'}"
        whole = "Every token gets the row of its position"
        if self.state["padding"]:
            return f"{whole}, and padding gets none"
        return f"{whole}, in every sentence" if b > 1 else whole

    def _chosen(self) -> tuple[str, list[tuple[str, np.ndarray]]]:
        """Return what becomes of the chosen token, and the terms of its sum, the last being the sum itself."""
        b, t = self.state["sentence"], self.state["position"]
        total, token, x = self.total, f"Sentence {b}, token {t}", (f"x[{b}, {t}]", self.embeddings[b, t])
        if total is None:
            return f"{token}: no sum", [x]
        landed, added = int(self._landed()[b, t]), (f"sum[{b}, {t}]", total[b, t])
        if landed < 0:
            return f"{token}: padding", [x, ("no row", np.zeros(self.state["d_model"])), added]
        index = self._index(b, t)[3 - self.encoding.ndim :]
        row = f"PE[{', '.join(map(str, index))}]", self.encoding[index]
        return f"{token}: pos {landed}{'' if landed == t else ', wrong'}", [x, row, added]

    def _index(self, sentence: int, position: int) -> tuple[int, int]:
        """Return the sheet and the row of the encoding that a token gets: on an axis of length 1 always the first."""
        sheets, rows = self._stored()
        return sentence if sheets > 1 else 0, position if rows > 1 else 0

    def _sheets(self) -> _Sheets:
        b, length, d = self._sizes()
        return _Sheets(max(b, self._stored()[0]), length, d)

    def _build(self) -> None:
        self._page = a = self.figure.add_axes((0, 0, 1, 1))
        a.set(xlim=(0, self.size[0] * DPI), ylim=(self.size[1] * DPI, 0))
        a.set_axis_off()
        a.plot([PANEL - 18] * 2, [72, 662], color=PALE)
        self._fills = PolyCollection([], linewidths=0)
        self._pads = PolyCollection([], facecolors="white", edgecolors="#9a9a9a", linewidths=0)
        self._pads.set_hatch("///")
        self._cuts = LineCollection([], colors="white", linewidths=1.5)
        self._dashed = PolyCollection([], facecolors="none", edgecolors=GREY, linewidths=1.5)
        self._dashed.set_linestyle((0, (4, 3)))
        self._solid = PolyCollection([], facecolors="none", edgecolors=INK, linewidths=2)
        for zorder, collection in enumerate((self._fills, self._cuts, self._pads, self._dashed, self._solid)):
            collection.set_zorder(1 + zorder / 10)
            a.add_collection(collection)
        (self._crosses,) = a.plot([], [], "X", color=ORANGE, markersize=11, markeredgewidth=0)
        halo = [withStroke(linewidth=6, foreground="white")]
        self._frames = [Rectangle((0, 0), 1, 1, fill=False, edgecolor=ORANGE, linewidth=3.5) for _ in range(4)]
        for frame in self._frames:
            frame.set(path_effects=halo, zorder=6)
            a.add_patch(frame)
        head: dict[str, Any] = {"va": "center", "fontsize": 13.5}
        self._heading = a.text(PANEL, TERMS_FROM - 46, "", **head)
        self._names = [a.text(x, TERMS_FROM - 16, "", ha="right", **head) for x in TERM_AT]
        self._terms = [a.text(x, TERMS_FROM, "", ha="right", **LINES) for x in TERM_AT]

    def _lay(self) -> None:
        for text in list(self.figure.texts):
            text.remove()
        drawn = _Drawn([], [], [], [], [])
        self._lay_title()
        self._lay_blocks(drawn)
        self._lay_shapes(drawn)
        self._fills.set_verts([_corners(box) for box, _ in drawn.fills])
        self._fills.set_facecolor([colour for _, colour in drawn.fills])
        for collection, boxes in ((self._pads, drawn.pads), (self._dashed, drawn.dashed), (self._solid, drawn.solid)):
            collection.set_verts([_corners(box) for box in boxes])
        self._cuts.set_segments(drawn.cuts)

    def _lay_title(self) -> None:
        """Say in one sentence what comes of these shapes, and name the three blocks."""
        title, total, pe = self._title(), self.total, self.encoding
        text = self._write(28, 32, title, color=INK if title.startswith("Every") else ORANGE)
        shrink(text, 18, 1040)
        where = " where mask is 1" if self.state["padding"] else ""
        again = "   dashed: stored once, used again" if total is not None and total.size > pe.size else ""
        if total is None:
            again = f"   {len(pe)} sheets of one row, for {len(self.embeddings)} sentences"
        wrong = "   crossed: the row of another position" if self._wrong().any() else ""
        says = {
            "x": f"{self.embeddings.shape}   embeddings, a sheet for each sentence",
            "+ PE": f"{pe.shape}{where}{again}",
            "= sum": "" if total is None else f"{total.shape}{wrong}",
        }
        for (name, said), top, higher in zip(says.items(), ROWS_FROM.values(), (42, 20, 20), strict=True):
            self._write(28, top - higher, name, fontsize=15, weight="bold")
            self._write(114, top - higher, said, color=GREY)

    def _lay_blocks(self, drawn: _Drawn) -> None:
        """Draw the sheets of embeddings, encoding and sum; where there is no sum, what is stored and why not."""
        x, total, stored = self.embeddings, self.total, self._stored()
        tokens = self.mask - 1  # 0 for a token, -1 for padding
        if total is None:
            positions = np.arange(stored[0] * stored[1]).reshape(stored)
            self._lay_block(drawn, "x", tokens, x, tokens.shape)
            self._lay_block(drawn, "PE", positions, self.encoding, stored)
            self._lay_error(drawn)
        else:
            landed = self._landed()
            self._lay_block(
                drawn, "x", np.broadcast_to(tokens, landed.shape), np.broadcast_to(x, total.shape), tokens.shape
            )
            self._lay_block(drawn, "PE", landed, np.broadcast_to(self.encoding, total.shape), stored)
            self._lay_block(drawn, "sum", landed, total, landed.shape)
        tags = [self._sheets().tag_of("sum", sheet, row) for sheet, row in np.argwhere(self._wrong())]
        self._crosses.set_data([tag[0] + tag[2] + 10 for tag in tags], [tag[1] + tag[3] / 2 for tag in tags])

    def _lay_block(
        self, drawn: _Drawn, block: str, landed: np.ndarray, numbers: np.ndarray, stored: tuple[int, ...]
    ) -> None:
        """Draw sheets of rows; what is stored in a solid frame, what is used again in a dashed one."""
        place, (sheets, rows) = self._sheets(), landed.shape
        for sheet, row in np.ndindex(sheets, rows):
            kept = sheet < stored[0] and row < stored[1]
            self._lay_row(drawn, (block, sheet, row), int(landed[sheet, row]), numbers[sheet, row], kept)
        for sheet in range(sheets):
            kept_rows = stored[1] if sheet < stored[0] else 0
            for frames, first, count in ((drawn.dashed, kept_rows, rows - kept_rows), (drawn.solid, 0, kept_rows)):
                frames += [place.rows(block, sheet, first, count, tag=block != "x")] if count else []
            drawn.cuts.extend(_grid(place.rows(block, sheet, 0, rows, tag=False), rows, place.d_model))
            if block == "x":
                name = f"sentence {sheet}" if kept_rows else "again"
                self._write(place.left(sheet), ROWS_FROM["x"] - 16, name, fontsize=12.5)
        for row in range(rows if block != "PE" else 0):
            y = ROWS_FROM[block] + (row + 0.5) * place.row
            self._write(LEFT - 8, y, f"token {row}", ha="right", fontsize=12.5)

    def _lay_row(
        self, drawn: _Drawn, where: tuple[str, int, int], position: int, numbers: np.ndarray, kept: bool
    ) -> None:
        """Draw a row in the colour of its position, which stands in a tag at its end; hatched if it is padding."""
        place, of_token = self._sheets(), where[0] == "x"
        box, tag = place.rows(*where, tag=False), place.tag_of(*where)
        middle = tag[0] + tag[2] / 2, tag[1] + tag[3] / 2
        if position < 0:
            drawn.pads.append(box)
            if of_token:  # beside the row, where nothing else stands
                self._write(tag[0] + 6, middle[1], "pad", fontsize=12.5)
            else:
                self._write(*middle, "pad" if place.is_wide else "–", ha="center", fontsize=12.5)
            return
        colour = "#b0b0b0" if of_token else OF_POSITION[position]
        drawn.fills.append((box, _paler(colour, 0.45 if kept else 0.15)))
        if not of_token:
            drawn.fills.append((tag, _paler(colour, 1.0 if kept else 0.3)))
            name = f"pos {position}" if place.is_wide else f"{position}"
            self._write(*middle, name, ha="center", fontsize=12.5, color="white" if kept and position == 0 else INK)
        for j, number in enumerate(numbers if place.has_room_for_numbers else ()):
            x, said = box[0] + (j + 0.5) * place.cell, f"{round(number, 2) + 0.0:.2f}"
            self._write(x, middle[1], said, ha="center", fontsize=12.5, color=INK if kept else GREY)

    def _lay_error(self, drawn: _Drawn) -> None:
        """Show which sheets have no partner, and NumPy's words in place of the sum."""
        place, (sheets, rows) = self._sheets(), self._stored()
        b, length, _ = self._sizes()
        for block, first, high in (("x", b, length), ("PE", sheets, rows)):
            for sheet in range(first, place.count):
                box = place.rows(block, sheet, 0, high, tag=False)
                drawn.dashed.append(box)
                self._write(box[0] + box[2] / 2, box[1] + box[3] / 2, "none", ha="center", color=GREY, fontsize=12.5)
        top = ROWS_FROM["sum"]
        drawn.fills.append(((LEFT, top, RIGHT - LEFT - GAP, 70), _paler(ORANGE, 0.15)))
        self._write(LEFT + 14, top + 35, textwrap.fill(f"ValueError: {self.error}", 54), linespacing=1.4)

    def _lay_shapes(self, drawn: _Drawn) -> None:
        """Write the shapes one above the other, and what the rules of broadcasting say of each axis."""
        self._write(PANEL, 84, f"PE = {self._code()}", **CODE)
        self._write(PANEL, 108, "x + np.where(mask, PE, 0)" if self.state["padding"] else "x + PE", **CODE)
        self._write(PANEL, 134, WHY[self.state["shape"]], color=GREY, fontsize=12.5)
        for axis, (x, name) in enumerate(zip(AXIS_AT, AXES, strict=True)):
            self._write(x, 176, f"axis {axis}\n{name}", ha="center", fontsize=12.5, color=GREY)
        y, verdicts, total = 214.0, self._verdicts(), self.total
        for name, shape in self._shapes().items():
            added = 3 - self.encoding.ndim if name == "PE" else 0
            self._lay_shape(y, name, [f"({n})" if axis < added else f"{n}" for axis, n in enumerate(shape)])
            for x, n, verdict in zip(AXIS_AT, shape, verdicts, strict=True):
                if n == 1 and "stretched" in verdict:
                    drawn.dashed.append((x - 18, y - 13, 36, 25))
            y += 28
        for x, verdict in zip(AXIS_AT, verdicts, strict=True):
            drawn.fills.append(((x - 45, y - 9, 90, 44), _paler(ORANGE if "differ" in verdict else GREY, 0.15)))
            self._write(x, y + 13, verdict, ha="center", fontsize=12.5)
        y += 56
        self._lay_shape(
            y, "sum", ["error" if "differ" in v else "" for v in verdicts] if total is None else total.shape
        )
        self._write(PANEL, y + 65, RULES, fontsize=12.5, color=GREY, linespacing=1.25)
        shown = min(self.state["d_model"], SHOWN)
        columns = [*map(str, range(shown)), *["…"] * (shown < self.state["d_model"])]
        self._write(PANEL + 4, TERMS_FROM - 16, "j", color=GREY, fontsize=13.5)
        self._write(PANEL, TERMS_FROM, "\n".join(columns), color=GREY, **LINES)
        for x, sign in zip(SIGN_AT, "+=", strict=True):
            self._write(x, TERMS_FROM, "\n".join([sign] * shown) if total is not None else "", **LINES)

    def _lay_shape(self, y: float, name: str, lengths: Iterable[object]) -> None:
        """Write a shape with each length under its axis."""
        self._write(PANEL, y, name, fontsize=15, weight="bold")
        for x, n in zip(AXIS_AT, lengths, strict=True):
            self._write(x, y, f"{n}", ha="center", fontsize=15)

    def _write(self, x: float, y: float, words: str, **style: Any) -> Text:
        """Write a text of the background, at the height of its middle unless the style says otherwise."""
        return self.figure.text(
            x, y, words, transform=self._page.transData, **{"va": "center", "fontsize": 13, **style}
        )

    def _move(self) -> list[Artist]:
        heading, terms = self._chosen()
        self._heading.set_text(heading)
        for k, (head, lines) in enumerate(zip(self._names, self._terms, strict=True)):
            name, numbers = terms[k] if k < len(terms) else ("", np.zeros(0))
            head.set_text(name)
            lines.set_text("\n".join(_written(numbers)))
        boxes = self._boxes_of_the_chosen()
        for k, frame in enumerate(self._frames):
            frame.set_visible(k < len(boxes))
            if k < len(boxes):
                frame.set_bounds(*boxes[k])
        return [*self._frames, self._heading, *self._names, *self._terms]

    def _boxes_of_the_chosen(self) -> list[Box]:
        """Return the rows that are framed: of x, of the sum, of the encoding where it lands and where it is stored."""
        place, b, t = self._sheets(), self.state["sentence"], self.state["position"]
        x = place.rows("x", b, t, tag=False)
        if self.total is None:
            return [x]
        boxes = [x, place.rows("sum", b, t), place.rows("PE", b, t)]
        at = self._index(b, t)
        return boxes if at == (b, t) or not self.mask[b, t] else [*boxes, place.rows("PE", *at)]


def _corners(box: Box) -> list[tuple[float, float]]:
    """Return the corners of a box."""
    left, top, width, height = box
    return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]


def _grid(box: Box, rows: int, columns: int) -> list[list[tuple[float, float]]]:
    """Return the lines between the cells of a box."""
    left, top, width, height = box
    across = [top + height * k / rows for k in range(1, rows)]
    down = [left + width * k / columns for k in range(1, columns)]
    return [[(left, y), (left + width, y)] for y in across] + [[(x, top), (x, top + height)] for x in down]


def _paler(colour: str, part: float) -> Colour:
    """Return a colour of which so large a part is left, the rest being white."""
    red, green, blue = (1 - part + part * c for c in to_rgb(colour))
    return red, green, blue


def _written(numbers: np.ndarray) -> list[str]:
    """Write the first four numbers to four digits, never a negative zero."""
    return [rounded(number) for number in numbers[:SHOWN].tolist()]
