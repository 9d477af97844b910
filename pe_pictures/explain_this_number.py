"""One number of the encoding seen from five sides: word, clock hand, wave, cell of the row, formula."""

import re
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pe_lib.encoding import BASE
from pe_lib.examples import I_LIKE_DEEP_LEARNING
from pe_lib.walkthrough import Explanation, explain
from pe_pictures.colours import COSINE, GREY, HERE, INK, PAPER, SINE
from pe_pictures.fields import Integer, Number, Sentence
from pe_pictures.fonts import width_of
from pe_pictures.panes import Dial, Pane
from pe_pictures.parts import Place, below, beside, encoded, face, framed, held, level, read_off, vector, wave
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T2, T3, Elements, box, discs, kind_of, line, pixels, text
from pe_pictures.writing import here, hold, one_line, rounded, short_length, spaced

CELLS = 8  # of the row are shown at a time; wider rows are paged
FEWEST = 4  # places along the wave, also for a shorter sentence
CURVE_POINTS = 100  # points of each half of the wave; two for each position of a longer sentence
KINDS = {"sin": "sine", "cos": "cosine"}
_explained = lru_cache(maxsize=64)(explain)


class ExplainThisNumber(Picture):
    """Explain one number of the encoding of a sentence (Vaswani et al. 2017, section 3.5).

    The hand of the column's pair, the dot on the column's wave, the chosen word and its cell hang on one line.

    {parameters}

    Examples
    --------
    >>> ExplainThisNumber(position=2, column=3).explanation.value.__round__(4)
    0.9957
    """

    fields: ClassVar = (
        Sentence("tokens", I_LIKE_DEEP_LEARNING.tokens, label="sentence", about="One word for each position"),
        Integer("d_model", 6, 1, reach=(1, 16), about="The width of the encoding; eight columns are shown"),
        Number("base", BASE, about="The number that is raised to a power"),
        Integer("position", 0, 0, lambda s: len(s["tokens"]) - 1, moves=True, about="The row"),
        Integer("column", 0, 0, lambda s: s["d_model"] - 1, moves=True, about="The column"),
    )
    shown: ClassVar = ("column", "tokens")
    play: ClassVar = "position"
    pace: ClassVar = 1.3
    longest: ClassVar = 16.0
    up_down: ClassVar = "column"
    presets: ClassVar = {
        "fastest hand": {"column": 0},
        "slower hand": {"column": 2},
        "third hand": {"column": 4},
        "its cosine": {"column": 1},
        "who bit whom?": {"tokens": "dog bites man man bites dog", "position": 0, "column": 0},
    }
    pages: ClassVar = (
        {"position": range(10), "column": range(6), "base": (100.0, 1000.0, BASE)},
        {"position": range(4), "d_model": range(2, 17, 2), "column": (0, 1, 2)},
        {"position": range(4), "d_model": (16,), "column": range(16)},
        {"tokens": ("dog bites man man bites dog",), "position": range(6), "column": range(6)},
    )
    question: ClassVar = "What number does this word get?"
    opens: ClassVar = True

    @property
    def explanation(self) -> Explanation:
        """The arithmetic behind the number."""
        s = self.state
        return _explained(s["position"], s["column"], s["d_model"], base=s["base"])

    @property
    def row(self) -> np.ndarray:
        """The encoding of the position in the columns that are shown: float64, shape (columns,)."""
        return encoded(self.state, self.state["position"])[list(self._columns)]

    def behind(self) -> tuple[Any, ...]:
        return *super().behind(), self._columns

    def says(self) -> str:
        s, e = self.state, self.explanation
        pos, j, tokens = s["position"], s["column"], s["tokens"]
        word, value = here(f"“{one_line(tokens[pos], 14)}”"), hold(rounded(e.value, 2))
        before = [k for k in range(pos) if tokens[k].lower() == tokens[pos].lower()]
        if pos == 0:
            return f"{word} comes first: the hand has not moved, and its number is {value}."
        if (len(tokens) - 1) / e.divisor < 0.15:
            count = len(tokens)
            return f"Column {j} is so slow that {count} words hardly move it: {word} gets {hold(rounded(e.value))}."
        if before:
            was = hold(rounded(float(encoded(s, before[-1])[j]), 2))
            return f"{word} again, but at position {pos} its number is {value}. At position {before[-1]} it was {was}."
        if e.function == "cos":
            return f"Column {j}, a cosine: the same hand, read across. {word} gets {value}."
        return f"{word}, at position {pos}: the hand has turned by {np.degrees(e.angle):,.0f}°, its number is {value}."

    def words(self) -> str:
        s, e, j = self.state, self.explanation, self.state["column"]
        steps = "; ".join(step.equation for step in e.steps[1:-1])
        return (
            f"Position {s['position']}, the word “{one_line(s['tokens'][s['position']])}”, column {j}, "
            f"d_model {s['d_model']}: {steps}; {hold(e.steps[-1].equation)}. The wave of column {j} is a "
            f"{KINDS[e.function]} of wavelength {short_length(2 * np.pi * e.divisor)}."
        )

    def lay(self) -> Elements:
        s, pane, cells = self.state, self._pane, self._cells
        yield from face(self._dial)
        for height in (-1, 0, 1):
            yield level(pane, height)
        right = pane._replace(left=pane.right + (26 if self.tall else 34))
        yield from beside(right, (-1, 0, 1), 0)
        down, gap = (32, pane.left) if self.tall else (23, 24)
        yield from below(pane, spaced(len(s["tokens"]), 12), self._below + down, "position", gap)
        for j, (at, top, wide, high) in zip(self._columns, cells, strict=True):
            name = f"{j}" if self.tall else f"{j} {'cos' if j % 2 else 'sin'}"
            yield text(at + wide / 2, top + high + (18 if self.tall else 15), name, T1, GREY)
        if self.tall:
            said = "Tap a cell to see its hand."
            yield text(0, cells[0][1] + cells[0][3] + 50, said, T1, GREY, "start")
        elif kind_of(self.tall) == "wide":
            yield text(1098, cells[0][1] + 10, "Click a cell", T1, GREY, "end")
            yield text(1098, cells[0][1] + 30, "to see its hand.", T1, GREY, "end")

    def move(self) -> Elements:
        s, e, pane, dial = self.state, self.explanation, self._pane, self._dial
        of, cosine = (np.cos, True) if e.function == "cos" else (np.sin, False)
        yield line(*dial.at(e.angle * np.linspace(0, 1, 73), 0.28), GREY, 1.5)
        count = max(CURVE_POINTS, round(2 * pane.across[1]))
        xs = np.linspace(0, pane.across[1], count)
        yield wave(pane.x(xs), pane.y(of(xs / e.divisor)), cosine)
        if self._slot >= 24:
            places = np.arange(len(s["tokens"]))
            radius = 5 if self.tall else 4
            yield discs(pane.x(places), pane.y(of(places / e.divisor)), radius, COSINE if cosine else SINE)
        x, height = pane.x(s["position"]), pane.y(e.value)
        # What is to come lies under a veil: the wave itself stays, so it is true between positions as well.
        yield box(x, pane.top - 10, pane.right + 6 - x, pane.high + 20, PAPER, opacity=0.62)
        yield from read_off(dial, e.angle, x, height, self._rail - 12, cosine)
        yield discs(dial.x, dial.y, 4, INK)
        yield from self._words()
        yield from self._row()
        yield from self._formula(e)

    def _words(self) -> Elements:
        """Yield the words along the wave; where they are too many, the chosen one alone."""
        s, chosen = self.state, self.state["position"]
        size = T2 if self.tall else T3
        for pos, word in enumerate(s["tokens"]):
            if self._slot >= 44 or pos == chosen:
                colour, weight = (HERE, "bold") if pos == chosen else (GREY, "normal")
                most = self._slot - 4 if self._slot >= 44 else 200.0
                yield text(self._pane.x(pos), self._below, word, size, colour, "middle", weight, most)

    def _row(self) -> Elements:
        """Yield the row that the word gets, with the chosen cell in a frame."""
        s, cells = self.state, self._cells
        name = f"Added to “{one_line(s['tokens'][int(s['position'])], 12)}”: row {s['position']:.0f}"
        top = cells[0][1] - 22 if self.tall else cells[0][1] + cells[0][3] / 2
        yield text(0, top, name, T2, INK, "start", most=520 if self.tall else cells[0][0] - 12)
        yield from vector(cells, self.row, T1 if self.tall else T2, 2)
        yield from framed(cells[s["column"] - self._columns[0]])

    def _formula(self, e: Explanation) -> Elements:
        """Yield PE(pos, j) = sin(pos / base^(2i/d)) = sin(angle) = value, on two lines of a tall sheet."""
        (_, *signs), angle = re.findall(r"=|\\approx", e.formula), e.steps[-2].equation.split()[-1]
        before, after = (sign.replace(r"\approx", "≈") for sign in signs)
        y, size = (self.size[1] - 86, T1) if self.tall else (self.size[1] - 24, T2)
        left = 0.0 if self.tall else self._cells[0][0]
        x, px = left, pixels(size, self.tall)
        if not self.tall:
            yield text(0, y, "Its formula", T2, GREY, "start")
        start = f"PE({e.position:g}, {e.column}) = {e.function}({e.position:g} / {e.base:.12g}"
        for said, up in ((start, 0), (f"2·{e.pair}/{e.d_model}", 9), (")", 0)):
            yield text(x, y - up, said, T1 if up else size, INK, "start")
            x += width_of(said, pixels(T1, self.tall) if up else px)
        if self.tall:
            x, y = left + width_of(f"PE({e.position:g}, {e.column}) ", px), y + 40
        said = f"{'' if self.tall else ' '}{before} {e.function}({angle}) {after} "
        yield text(x, y, said, size, INK, "start")
        x += width_of(said, px)
        yield held(text(x, y, e.shown.replace("-", "−"), size, INK, "start", "bold"), tall=self.tall)

    def targets(self) -> Targets:
        pane, positions = self._pane, range(len(self.state["tokens"]))
        if len(positions) > 1:
            yield Target(self._dial.box(14), around=("position", 2 * np.pi * self.explanation.divisor))
        yield Target(pane.strip(positions, 12, self._below + 24 - pane.bottom), across=("position", positions))
        cells = self._cells
        wide = cells[-1][0] + cells[-1][2] - cells[0][0]
        yield Target((cells[0][0], cells[0][1], wide, cells[0][3]), across=("column", self._columns))

    def axis(self) -> tuple[float, ...]:
        return *(super().axis() or ()), self._rail

    # Where everything is drawn.

    @property
    def _columns(self) -> range:
        """Which columns are shown."""
        count = min(CELLS, self.state["d_model"])
        first = min(self.state["column"] // CELLS * CELLS, self.state["d_model"] - count)
        return range(first, first + count)

    @property
    def _dial(self) -> Dial:
        return Dial(84.0, 124.0, 80.0) if self.tall else Dial(104.0, 112.0, 96.0)

    @property
    def _pane(self) -> Pane:
        """Where the wave is: as many places as words, and a little more."""
        last, (_, y, r) = max(FEWEST, len(self.state["tokens"])) - 1, self._dial
        left, right = (206.0, 476.0) if self.tall else (330.0, 1052.0)
        return Pane(left, y - r, right - left, 2 * r, (0, (1.03 if self.tall else 1.1) * last), (-1, 1))

    @property
    def _slot(self) -> float:
        """How much room a word has."""
        return float(self._pane.x(1) - self._pane.x(0))

    @property
    def _rail(self) -> float:
        """How far down the slider lies, between the wave and the words."""
        return self._pane.bottom + (46 if self.tall else 30)

    @property
    def _below(self) -> float:
        """How far down the words are."""
        return self._rail + (52 if self.tall else 34)

    @property
    def _cells(self) -> list[Place]:
        """Where the numbers of the row are."""
        left, top, wide, high, gap = (0.0, 446.0, 62.0, 56.0, 3.0) if self.tall else (316.0, 322.0, 74.0, 40.0, 4.0)
        return [(left + k * (wide + gap), top, wide, high) for k in range(len(self._columns))]
