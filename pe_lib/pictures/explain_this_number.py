"""One number of the encoding seen from five sides: word, formula, wave, clock hand, cell of the matrix."""

import re
from typing import Any, ClassVar

import numpy as np

from pe_lib.examples import I_LIKE_DEEP_LEARNING
from pe_lib.pictures.cells import Cells
from pe_lib.pictures.colours import BAND, BLUE, GREEN, GREY, INK, ORANGE, PALE, PAPER
from pe_lib.pictures.fields import Integer, Number, Sentence
from pe_lib.pictures.fonts import width_of
from pe_lib.pictures.panes import Pane, cell, grid
from pe_lib.pictures.parts import Place, asked, below, beside, encoded, framed, in_cells, level, upright
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, TALK, WIDTH, Elements, Group, answer, box, boxes, discs, line, text
from pe_lib.pictures.writing import hold, one_line, short_length
from pe_lib.walkthrough import Explanation, explain

ROWS, COLUMNS = 10, 6  # how many words, rows and columns are shown at a time; longer ones are paged
HEADS = 176.0  # how far down the three lower parts are named
CLOCK = (540.0, 312.0, 104.0)  # its middle and its radius
CELLS = (748.0, 218.0, 344.0, 212.0)  # left, top, width, height of the matrix
KINDS = {"sin": "sine", "cos": "cosine"}
NINE = "one two three four five six seven eight nine"


class ExplainThisNumber(Picture):
    """Explain one number of the encoding of a sentence (Vaswani et al. 2017, section 3.5).

    {parameters}

    Examples
    --------
    >>> ExplainThisNumber(position=2, column=3).explanation.value.__round__(4)
    0.9957
    """

    fields: ClassVar = (
        Sentence("tokens", I_LIKE_DEEP_LEARNING.tokens, label="sentence", about="One word for each position"),
        Integer("d_model", 6, 1, reach=(1, 16), about="The width of the encoding"),
        Number("base", 10_000.0, about="The number that is raised to a power"),
        Integer("position", 2, 0, lambda s: len(s["tokens"]) - 1, moves=True, about="The row; ten are shown"),
        Integer("column", 3, 0, lambda s: s["d_model"] - 1, moves=True, about="The column; six are shown"),
    )
    shown: ClassVar = ("column", "tokens")
    play: ClassVar = "position"
    presets: ClassVar = {
        "first word": {"position": 0},
        "fastest wave": {"column": 0},
        "slowest wave": {"column": 5},
        "base 100": {"base": 100.0},
        "nine words": {"tokens": NINE, "position": 8, "column": 0},
    }
    pages: ClassVar = (
        {"position": range(10), "column": range(6), "base": (100.0, 1000.0, 10_000.0)},
        {"d_model": range(2, 17), "column": (0, 2)},
        {"d_model": (16,), "column": range(16)},
        {"tokens": (NINE,), "position": range(9), "column": range(6)},
    )

    @property
    def explanation(self) -> Explanation:
        """The arithmetic behind the number."""
        s = self.state
        return explain(s["position"], s["column"], s["d_model"], base=s["base"])

    def behind(self) -> tuple[Any, ...]:
        """Return what the background depends on: the rows and the columns shown as well."""
        return *super().behind(), *(shown[0] for shown in self._shown())

    def words(self) -> str:
        s, e, j = self.state, self.explanation, self.state["column"]
        steps = "; ".join(step.equation for step in e.steps[1:-1])
        return (
            f"Position {s['position']}, the word “{one_line(s['tokens'][s['position']])}”, column {j}, "
            f"d_model {s['d_model']}: {steps}; {hold(e.steps[-1].equation)}. The wave of column {j} is a "
            f"{KINDS[e.function]} of wavelength {2 * np.pi * e.divisor:,.2f}, and its point at position "
            f"{s['position']} lies at {hold(e.shown)}. The clock hand of pair {e.pair} has made "
            f"{e.angle / (2 * np.pi):.4f} turns. Marked in the matrix: row {s['position']}, column {j}."
        )

    def lay(self) -> Elements:
        """Yield the words, the dial, the axis of the wave, and the matrix."""
        s, (rows, columns), (words, pane, table), (x, y, r) = self.state, self._shown(), self._panes(), CLOCK
        yield boxes([_place(words, pos) for pos in rows], BAND, radius=8)
        for pos in rows:
            yield text(words.x(pos), 25, s["tokens"][pos], TALK, most=words.wide / len(rows) - 22)
            yield text(words.x(pos), 59, f"pos {pos}", SMALL, GREY)
        for place, there in ((12.0, rows[0] > 0), (WIDTH - 12, rows[-1] + 1 < len(s["tokens"]))):
            if there:
                yield text(place, 25, "…")
        yield level(pane, 0)
        yield from beside(pane, (-1, 0, 1))
        yield from below(pane, range(rows[0], int(pane.across[1]) + 1, 4), pane.bottom + 16)
        numbers = encoded(s, np.array(rows))[:, columns]
        yield Cells(numbers, table.box)
        yield from in_cells(table.box, numbers, min(TALK, max(SMALL, 0.6 * table.high / len(numbers))))
        yield from beside(table, rows)
        for j in columns:
            name = f"{j} {'cos' if j % 2 else 'sin'}" if j < 100 else f"{j}"
            yield text(table.x(j), table.top - 12, name, SMALL, GREY)
        yield discs(x, y, r, edge=GREY, width=1.5)
        yield line([[x - r - 10, x + r + 10], [x, x]], [[y, y], [y - r - 10, y + r + 10]], PALE, 1)
        yield text(x + r + 16, y, "cos", SMALL, GREY, "start")
        yield text(x + 10, y - r - 12, "sin", SMALL, GREY, "start")

    def move(self) -> Elements:
        """Yield the chosen word, the formula, the curve and its point, the hand, and the chosen cell."""
        s, e, (words, _, table) = self.state, self.explanation, self._panes()
        j, parity, colour = s["column"], *(("odd", GREEN) if s["column"] % 2 else ("even", BLUE))
        yield boxes([_place(words, s["position"])], edge=ORANGE, width=4, radius=8)
        yield text(14, 96, f"column {j} is {parity}: {KINDS[e.function]}", 18, colour, "start")
        yield text(14, 128, f"pair i = {j} // 2 = {e.pair}", 18, INK, "start")
        yield Group("formula", tuple(self._formula(e)))
        yield from self._curve(e, colour)
        yield from self._hand(e)
        chosen = cell(table, s["position"], j)
        mark = text(table.x(j), table.y(s["position"]), "?", min(TALK, max(SMALL, 0.6 * chosen[3])))
        columns = self._shown()[1]
        where = f" of the matrix, column {j}"
        if s["d_model"] > COLUMNS:
            where = f", columns {columns[0]}–{columns[-1]} of {s['d_model']}"
        yield text(table.left, HEADS, f"row {s['position']}{where}", SMALL, align="start")
        yield box(table.left, chosen[1], table.wide, chosen[3], edge=INK, width=2)
        yield from answer(question=[box(*chosen, PAPER), mark])
        yield from framed(chosen)

    def _formula(self, e: Explanation) -> Elements:
        """Yield PE(pos, j) = sin(pos / base^(2i/d)) = sin(angle) = value, from left to right."""
        (_, *signs), angle = re.findall(r"=|\\approx", e.formula), e.steps[-2].equation.split()[-1]
        before, after = (sign.replace(r"\approx", "≈") for sign in signs)
        row = (
            (f"PE({e.position:g}, {e.column}) = {e.function}({e.position:g} / {e.base:.12g}", 28.0, 112),
            (f"2·{e.pair}/{e.d_model}", 18.0, 102),
            (f") {before} {e.function}({angle}) {after} ", 28.0, 112),
        )
        wide = sum(width_of(said, size) for said, size, _ in row) + width_of(e.shown, 40.0, "bold")
        x, shrink = 270 + max(0.0, (810 - wide) / 2), min(1.0, 810 / wide)
        for said, size, y in row:
            yield (part := text(x, y, said, max(SMALL, shrink * size), align="start"))
            x += part.box[2]
        yield from asked(x, 112, e.shown, 40 * shrink, ORANGE, "start", "bold")

    def _curve(self, e: Explanation, colour: str) -> Elements:
        s, pane, of = self.state, self._panes()[1], np.sin if e.function == "sin" else np.cos
        xs, dots = np.linspace(*pane.across, 301), np.array(self._shown()[0])
        name = f"wave of column {s['column']}, wavelength {short_length(2 * np.pi * e.divisor)}"
        yield text(40, HEADS, name, SMALL, align="start")
        yield line(pane.x(xs), pane.y(of(xs / e.divisor)), colour, 2.5)
        yield discs(pane.x(dots), pane.y(of(dots / e.divisor)), 4, colour)
        yield upright(pane, s["position"], ORANGE, 2, (2, 4))
        x, ends = pane.x(s["position"]), (pane.left + 8, pane.right)
        yield from answer(
            discs(x, pane.y(e.value), 9, ORANGE, INK, 1.2),
            text(x, pane.top - 8, e.shown, TALK, ORANGE, weight="bold", within=ends),
        )

    def _hand(self, e: Explanation) -> Elements:
        (x, y, r), degrees = CLOCK, np.degrees(e.angle)
        turned = f"{degrees:,.1f}" if 1 <= abs(degrees) < 1e6 else f"{degrees:.3g}"
        said = f"hand of pair {e.pair}: {e.angle:,.4g} rad, {turned}°"
        yield text(x, HEADS, said, SMALL, within=(386.0, CELLS[0] - 6))
        right, up = x + r * np.cos(e.angle), y - r * np.sin(e.angle)
        yield line([[right, right], [x, right]], [[y, up], [up, up]], GREY, 1.5, (2, 4))
        end = (x, up) if e.function == "sin" else (right, y)
        yield from answer(line([x, end[0]], [y, end[1]], ORANGE, 8))
        yield line([x, right], [y, up], INK, 4, cap="round")
        yield discs(right, up, 6, INK)

    def targets(self) -> Targets:
        """Yield the words, the wave and the cells."""
        (rows, columns), (words, pane, table) = self._shown(), self._panes()
        yield Target(words.box, ("position", rows))
        yield Target(table.box, ("column", columns), ("position", rows))
        left, right = pane.x(rows[0] - 0.5), pane.x(rows[-1] + 0.5)
        yield Target((left, pane.top, right - left, pane.high), ("position", rows))

    def _shown(self) -> tuple[range, range]:
        """Return the positions and the columns that are shown."""
        s = self.state
        row, column = s["position"] // ROWS * ROWS, s["column"] // COLUMNS * COLUMNS
        return range(row, min(row + ROWS, len(s["tokens"]))), range(column, min(column + COLUMNS, s["d_model"]))

    def _panes(self) -> tuple[Pane, Pane, Pane]:
        """Return where the words are, the wave, and the cells: none larger than can be looked over."""
        (left, top, wide, high), (rows, columns) = CELLS, self._shown()
        room, across = min(1040, 240 * len(rows)), (rows[0] - 0.5, rows[0] + max(12, len(rows) + 1) + 0.5)
        words = grid(((WIDTH - room) / 2, 4, room, 42), range(1), rows)
        cells = left, top, min(wide, 72.0 * len(columns)), min(high, 44.0 * len(rows))
        return words, Pane(48, 208, 330, 196, across, (-1.1, 1.1)), grid(cells, rows, columns)


def _place(words: Pane, pos: int) -> Place:
    """Return the box of a word."""
    left, top, wide, high = cell(words, 0, pos)
    return left + 5, top, wide - 10, high
