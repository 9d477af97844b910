"""Several pictures of one number on one sheet: one sentence, one position, one column, one width, one base for all."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from pe_lib.pictures.cells import Cells
from pe_lib.pictures.clocks import Clocks
from pe_lib.pictures.colours import BAND, GREY, INK, ORANGE, PALE, PAPER
from pe_lib.pictures.explain_this_number import ExplainThisNumber
from pe_lib.pictures.fields import Choice, Integer, Number, Sentence, State
from pe_lib.pictures.fonts import width_of
from pe_lib.pictures.heatmap import Heatmap
from pe_lib.pictures.panes import cell, grid
from pe_lib.pictures.parts import below, encoded, equation
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import (
    SMALL,
    T2,
    TALK,
    WIDTH,
    Element,
    Elements,
    Group,
    Text,
    answer,
    box,
    discs,
    line,
    text,
)
from pe_lib.pictures.scores import Scores
from pe_lib.pictures.similarity import Similarity
from pe_lib.pictures.waves import Waves
from pe_lib.pictures.writing import hold, one_line, rounded, short_length
from pe_lib.properties import wavelengths

PICTURES: Mapping[str, type[Picture]] = {
    "number": ExplainThisNumber,
    "waves": Waves,
    "clocks": Clocks,
    "heatmap": Heatmap,
    "similarity": Similarity,
    "scores": Scores,
}
OWN: Mapping[str, Mapping[str, Any]] = {"scores": {"relative": "sinusoidal", "content": "zero"}}  # not shared
NAMED = {"query": "position"}  # what a picture calls otherwise than the board
PLACES = {"first": (0.0, 0.0), "second": (550.0, 0.0), "third": (0.0, 222.0)}  # left and top of each
SHARED = (550.0, 222.0)  # of the fourth, which says what all share
HALF, LARGE = 0.489, 0.96  # the scale of a picture, and of one that is enlarged
WORDS = ("the", "cat", "chased", "the", "mouse", "and", "the", "dog")
MOST = 512  # words
TOKENS = "Up to 512 words, one for each position; without words there are 64 positions"
WITHOUT_WORDS = 64  # positions where there is no sentence
NONE = "none"
STRIP = 8  # columns of the row that are shown at a time
ROW = (564.0, 378.0, 320.0, 32.0)  # left, top, width, height of that row
CHOOSER = (924.0, 272.0, 28.0)  # left and top of the names, and the height of each
DOTS = (1028.0, 1056.0, 1084.0)  # of the three places


def _length(state: State) -> int:
    return len(state["tokens"] or " " * WITHOUT_WORDS)


class Board(Picture):
    """Show three pictures at a time of one number of the encoding; one of them may be enlarged.

    What the pictures share is said once, and each follows by the names of its own fields.

    {parameters}

    Examples
    --------
    >>> board = Board(tokens="I like deep learning", d_model=6, position=2, column=3)
    >>> round(board.value, 4), round(float(board.panel("waves").vector[3]), 4)
    (0.9957, 0.9957)
    """

    fields: ClassVar = (
        Sentence("tokens", WORDS, MOST, optional=True, label="sentence", about=TOKENS),
        Integer("d_model", 8, 4, 512, step=2, options=(4, 6, 8, 16, 32, 64, 128, 512), about="The width, even"),
        Number("base", 10_000.0, 1, 1e12, about="The number that is raised to a power"),
        Integer("position", 4, 0, lambda s: _length(s) - 1, moves=True, about="The row of the number, from 0"),
        Integer("column", 2, 0, lambda s: s["d_model"] - 1, moves=True, about="The column of the number, from 0"),
        Integer("offset", 1, 0, 100, about="How far ahead the second position of clocks, similarity and scores lies"),
        Choice("first", "number", tuple(PICTURES), label="top left", about="The picture at the top left"),
        Choice("second", "waves", tuple(PICTURES), label="top right", about="The picture at the top right"),
        Choice("third", "heatmap", tuple(PICTURES), label="below", about="The picture below"),
        Choice("enlarged", NONE, (NONE, *PICTURES), about="The picture that fills the sheet"),
    )
    shown: ClassVar = ("column", "d_model", "base", "tokens")
    play: ClassVar = "position"
    presets: ClassVar = {
        "first word": {"position": 0},
        "slowest wave": {"column": 6},
        "base 100": {"base": 100.0},
        "3 ahead": {"offset": 3, "first": "clocks", "second": "similarity", "third": "scores"},
        "64 positions": {"tokens": None, "d_model": 64, "position": 20, "column": 20},
        "512 columns": {"tokens": None, "d_model": 512, "position": 20, "column": 100, "offset": 43}
        | {"first": "waves", "second": "similarity", "third": "heatmap"},
    }
    pages: ClassVar = (
        {"position": range(8), "column": range(8)},
        {"position": range(8), "second": ("waves", "clocks"), "third": ("heatmap", "similarity", "scores")},
        {"position": range(8), "enlarged": tuple(PICTURES)},
        {"position": range(8), "base": (100.0,)},
        {"position": range(8), "d_model": (4, 16)},
        {"position": range(8), "offset": (3, 6), "first": ("clocks",), "second": ("similarity",), "third": ("scores",)},
        {"offset": range(13), "first": ("clocks",), "second": ("similarity",), "third": ("scores",)},
        {"position": range(0, 64, 4), "tokens": (None,), "d_model": (64,), "column": (20,)},
        {"position": range(0, 64, 10), "tokens": (None,), "d_model": (512,), "column": (100,), "offset": (43,)}
        | {"first": ("waves",), "second": ("similarity",), "third": ("heatmap",)},
    )
    height: ClassVar = 444.0

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        self._panels: dict[str, tuple[Mapping[str, Any], Picture]] = {}  # each with the shared state that it follows

    @property
    def value(self) -> float:
        """The number that all pictures speak of."""
        return float(self._row()[self.state["column"]])

    @property
    def standing(self) -> dict[str, tuple[str, float, float, float]]:
        """The pictures that are to be seen, by their place: name, left, top and scale."""
        s = self.state
        if s["enlarged"] != NONE:
            return {"enlarged": (s["enlarged"], 0.0, 0.0, LARGE)}
        return {place: (s[place], left, top + 5, HALF) for place, (left, top) in PLACES.items()}

    def panel(self, name: str) -> Any:
        """Return a picture in the state that follows from the shared one.

        Fields of the same name have its values; the query of the scores is the position, their key lies the offset
        ahead, also of the last word.
        """
        s, (followed, picture) = self.state, self._panels.get(name) or ({}, PICTURES[name]())
        if followed is not s:
            shared = {**s, "length": _length(s), "query": s["position"], "key": s["position"] + s["offset"]}
            if name == "number" and not s["tokens"]:
                shared["tokens"] = tuple(f"{pos}" for pos in range(_length(s)))
            if name == "scores":
                shared["length"] = min(_length(s) + s["offset"], MOST)
            own = {field.name: field.default for field in picture.fields} | dict(OWN.get(name, {}))
            picture.state = picture.nearest({field: shared.get(field, value) for field, value in own.items()})
            self._panels[name] = s, picture
        return picture

    def behind(self) -> tuple[Any, ...]:
        """Return what the background depends on: the places, the row that is shown, and what is behind the pictures."""
        places = tuple(self.state[name] for name in (*PLACES, "enlarged", "d_model"))
        return *places, *(self.panel(name).behind() for name, *_ in self.standing.values())

    def words(self) -> str:
        s, names = self.state, [name for name, *_ in self.standing.values()]
        said = " ".join(f"{name.capitalize()}: {self.panel(name).words()}" for name in dict.fromkeys(names))
        word = f" “{one_line(s['tokens'][s['position']])}”" if s["tokens"] else ""
        number = f"PE({s['position']}, {s['column']}) = {hold(rounded(self.value))}"
        return f"Position {s['position']}{word}, column {s['column']}: {number}. {said}"

    def lay(self) -> Elements:
        """Yield the backgrounds of the pictures, lines between them, and the names to choose from."""
        for name, left, top, scale in self.standing.values():
            yield Group("picture", _legible(self.panel(name).lay(), scale), (left, top, scale))
        sides = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])[:, :, np.newaxis]  # (corners, across and down, 1)
        for x, y in self._buttons().values():  # four corners are the sign of what can be enlarged
            yield line(x + sides[:, 0] * [2, 5, 5], y + sides[:, 1] * [5, 5, 2], GREY, 2)
        if self.state["enlarged"] == NONE:
            left, top = SHARED
            yield line([[left, left], [0, WIDTH]], [[0, self.height], [top, top]], PALE, 1)
            yield from self._chooser()

    def _chooser(self) -> Elements:
        """Yield the names of the pictures, and for each place a ring, filled where the picture stands there."""
        left, top, high = CHOOSER
        for x, (across, down) in zip(DOTS, PLACES.values(), strict=True):
            yield box(x - 10, top - 36, 20, 16, edge=GREY, width=1)
            yield box(x - 10 + 10 * bool(across), top - 36 + 8 * bool(down), 10, 8, GREY)
        for k, name in enumerate(PICTURES):
            y = top + (k + 0.5) * high
            chosen = [self.state[place] == name for place in PLACES]
            yield text(left, y, name, SMALL, INK, "start", "bold" if any(chosen) else "normal")
            yield discs(DOTS, y, 7, PAPER, GREY, 1.5)
            if any(chosen):
                yield discs(np.extract(chosen, DOTS), y, 5, INK)

    def move(self) -> Elements:
        """Yield what moves in the pictures, and the number that they share."""
        for name, left, top, scale in self.standing.values():
            yield Group("picture", _legible(self.panel(name).move(), scale), (left, top, scale))
        if self.state["enlarged"] == NONE:
            yield from self._number()

    def _number(self) -> Elements:
        """Yield word, column, number, and the part of the row in which it stands."""
        s, (left, top) = self.state, SHARED
        x, pos, (pair, odd) = left + 14, s["position"], divmod(s["column"], 2)
        word = f" “{s['tokens'][pos]}”" if s["tokens"] else ""
        yield text(x, top + 26, f"pos {pos}{word}", TALK, INK, "start", "bold", most=340)
        of = f"column {s['column']}: {'cosine' if odd else 'sine'} of pair {pair}"
        yield text(x, top + 58, of, SMALL + 2, GREY, "start")
        length = short_length(wavelengths(s["d_model"], s["base"])[pair])
        yield text(x, top + 82, f"wavelength {length}", SMALL + 2, GREY, "start")
        entry = f"PE({pos}, {s['column']}) = "
        size = 32 * min(1.0, 350 / width_of(f"{entry}-0.0000", 32, "bold"))
        yield from equation(x, top + 122, entry, rounded(self.value), size, ORANGE)
        pane, strip = grid(ROW, range(1), self._strip()), self._strip()
        yield Cells(self._row()[np.newaxis, strip], ROW)
        yield from below(pane, strip, ROW[1] + ROW[3] + 16)
        chosen = cell(pane, 0, s["column"])
        yield from answer(question=[box(*chosen, BAND)])
        yield box(*chosen, edge=ORANGE, width=3.5)

    def targets(self) -> Targets:
        """Yield what can be clicked in the pictures, and the board's own buttons."""
        for place, (x, y) in self._buttons().items():
            name = self.standing[place][0]
            yield Target((x - 12, y - 12, 24, 24), sets={"enlarged": NONE if place == "enlarged" else name})
        if self.state["enlarged"] == NONE:
            yield Target(ROW, ("column", self._strip()))
            left, top, high = CHOOSER
            for k, name in enumerate(PICTURES):
                yield Target((left - 10, top + k * high, DOTS[0] - left - 10, high), sets={"enlarged": name})
                for x, place in zip(DOTS, PLACES, strict=True):
                    swapped = {other: self.state[place] for other in PLACES if self.state[other] == name}
                    yield Target((x - 13, top + k * high, 26, high), sets={**swapped, place: name})
        for name, left, top, scale in self.standing.values():
            for target in map(self._shared, self.panel(name).targets()):
                if target.across or target.down or target.sets:
                    x, y, wide, high = (scale * side for side in target.box)
                    yield target._replace(box=(left + x, top + y, wide, high))

    def _shared(self, target: Target) -> Target:
        """Return what a click in a picture moves of what is shared; nothing beyond its limits."""
        limits = {
            field.name: range(ends[0], ends[1] + 1) for field in self.fields if (ends := field.limits(self.state))
        }

        def shared(side: tuple[str, Sequence[int]] | None) -> tuple[str, list[int]] | None:
            name = NAMED.get(side[0], side[0]) if side else ""
            return (name, [min(value, limits[name][-1]) for value in side[1]]) if side and name in limits else None

        within = all(value in limits.get(name, ()) for name, value in target.sets.items())
        return Target(target.box, shared(target.across), shared(target.down), target.sets if within else {})

    def _buttons(self) -> dict[str, tuple[float, float]]:
        """Return where each picture's button stands that enlarges it, or leads back."""
        return {place: (left + WIDTH * scale + 6, top + 12) for place, (_, left, top, scale) in self.standing.items()}

    def _strip(self) -> range:
        """Return the columns of the row that are shown."""
        first = self.state["column"] // STRIP * STRIP
        return range(first, min(first + STRIP, self.state["d_model"]))

    def _row(self) -> np.ndarray:
        return encoded(self.state, self.state["position"])


def _legible(parts: Elements, scale: float) -> tuple[Element, ...]:
    """Return parts without the texts that would be too small; a formula stays whole."""
    return tuple(
        Group(part.kind, _legible(part.parts, scale)) if isinstance(part, Group) and part.kind != "formula" else part
        for part in parts
        if not isinstance(part, Text) or part.size >= T2 or scale == LARGE
    )
