"""One number of the encoding seen from five sides: word, formula, wave, clock hand, cell of the matrix."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from pe_lib.encoding import encode_positions
from pe_lib.examples import I_LIKE_DEEP_LEARNING
from pe_lib.pictures.cells import Cells
from pe_lib.pictures.colours import BAND, BLUE, GREEN, GREY, INK, ORANGE, PALE, PAPER
from pe_lib.pictures.fields import Integer, Number, Sentence
from pe_lib.pictures.parts import Place, asked, below, beside, cell, framed, grid, in_cells, level, upright
from pe_lib.pictures.picture import Pane, Picture, Target, hold, one_line, short_length
from pe_lib.pictures.scene import SMALL, TALK, WIDTH, Element, Group, answer, box, boxes, discs, line, text, width_of
from pe_lib.properties import wavelengths
from pe_lib.walkthrough import Explanation, explain

ROWS, COLUMNS = 10, 6  # how many words, rows and columns are shown at a time; longer ones are paged
HEADS = 176.0  # how far down the three lower parts are named
CLOCK = (540.0, 312.0, 104.0)  # its middle and its radius
CELLS = (748.0, 218.0, 344.0, 212.0)  # left, top, width, height of the matrix
KINDS = {"sin": "sine", "cos": "cosine"}
NINE = "one two three four five six seven eight nine"


class ExplainThisNumber(Picture):
    """Explain one number of the encoding of a sentence (Vaswani et al. 2017, section 3.5).

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
        return *super().behind(), self._rows()[0], self._columns()[0]

    def words(self) -> str:
        s, e, j = self.state, self.explanation, self.state["column"]
        steps, length = "; ".join(step.equation for step in e.steps[1:-1]), wavelengths(s["d_model"], s["base"])[e.pair]
        return (
            f"Position {s['position']}, the word “{one_line(s['tokens'][s['position']])}”, column {j}, "
            f"d_model {s['d_model']}: {steps}; {hold(e.steps[-1].equation)}. The wave of column {j} is a "
            f"{KINDS[e.function]} of wavelength {length:,.2f}, and its point at position {s['position']} lies "
            f"at {hold(e.shown)}. The clock hand of pair {e.pair} has made {e.angle / (2 * np.pi):.4f} turns. "
            f"In the matrix, row {s['position']} is framed and the cell in column {j} marked."
        )

    def lay(self) -> Iterator[Element]:
        """Yield the words, the dial, the axis of the wave, and the matrix."""
        s, shown, pane, table, (x, y, r) = self.state, self._places(), self._pane(), self._table(), CLOCK
        yield boxes(shown.values(), BAND, radius=8)
        for pos, (left, _, wide, _) in shown.items():
            yield text(left + wide / 2, 25, s["tokens"][pos], TALK, most=wide - 12, least=SMALL)
            yield text(left + wide / 2, 59, f"pos {pos}", SMALL, GREY)
        for place, there in ((12.0, min(shown) > 0), (WIDTH - 12, max(shown) + 1 < len(s["tokens"]))):
            if there:
                yield text(place, 25, "…")
        yield level(pane, 0)
        yield from beside(pane, (-1, 0, 1))
        yield from below(pane, range(min(shown), int(pane.across[1]) + 1, 4), pane.top + pane.high + 16)
        numbers = encode_positions(np.array(self._rows()), s["d_model"], base=s["base"])[:, self._columns()]
        yield Cells(numbers, table.box)
        yield from in_cells(table.box, numbers, min(TALK, max(SMALL, 0.6 * table.high / len(numbers))))
        yield from beside(table, self._rows())
        for j in self._columns():
            name = f"{j} {'cos' if j % 2 else 'sin'}" if j < 100 else f"{j}"
            yield text(table.x(j), table.top - 12, name, SMALL, GREY)
        yield discs([x], [y], r, edge=GREY, width=1.5)
        yield line([[x - r - 10, x + r + 10], [x, x]], [[y, y], [y - r - 10, y + r + 10]], PALE, 1)
        yield text(x + r + 16, y, "cos", SMALL, GREY, "start")
        yield text(x + 10, y - r - 12, "sin", SMALL, GREY, "start")

    def move(self) -> Iterator[Element]:
        """Yield the chosen word, the formula, the curve and its point, the hand, and the chosen cell."""
        s, e, table = self.state, self.explanation, self._table()
        j, parity, colour = s["column"], *(("odd", GREEN) if s["column"] % 2 else ("even", BLUE))
        yield box(*self._places()[s["position"]], edge=ORANGE, width=4, radius=8)
        yield text(14, 96, f"column {j} is {parity}: {KINDS[e.function]}", 18, colour, "start")
        yield text(14, 128, f"pair i = {j} // 2 = {e.pair}", 18, INK, "start")
        yield Group("formula", tuple(self._formula(e)))
        yield from self._curve(e, colour)
        yield from self._hand(e)
        chosen = cell(table, s["position"], j)
        mark = text(table.x(j), table.y(s["position"]), "?", min(TALK, max(SMALL, 0.6 * chosen[3])))
        yield text(table.left, HEADS, f"row {s['position']} of the matrix, column {j}", SMALL, align="start")
        yield box(table.left, chosen[1], table.wide, chosen[3], edge=INK, width=2)
        yield from answer(question=[box(*chosen, PAPER), mark])
        yield from framed(chosen)

    def _formula(self, e: Explanation) -> Iterator[Element]:
        """Yield PE(pos, j) = sin(pos / base^(2i/d)) = sin(angle) = value, from left to right."""
        y, size, base, exponent = 112.0, 27.0, f"{e.base:.12g}", f"2·{e.pair}/{e.d_model}"
        sign, angle = "≈" if r"\approx" in e.formula else "=", e.steps[-2].equation.split()[-1]
        first, then = f"PE({e.position:g}, {e.column}) = {e.function}", f" {sign} {e.function}({angle}) {sign} "
        row = (first, size), ("(", 52.0), ("", 0.0), (")", 52.0), (then, size)  # the fraction in the middle
        wide = sum(width_of(*part) for part in (*row, (base, size), (exponent, 17.0)))
        wide += width_of(e.shown, 40.0, "bold")
        x, shrink = 290 + max(0.0, (770 - wide) / 2), min(1.0, 770 / wide)
        power, below_line = max(SMALL, 17 * shrink), shrink * width_of(base, size)
        for said, large in row:
            if said:
                yield (part := text(x, y, said, shrink * large, align="start"))
                x += part.box[2]
                continue
            right = x + below_line + width_of(exponent, power)
            yield line([x, right], [y, y], INK, 2)
            yield text((x + right) / 2, y - 19, f"{e.position:g}", shrink * size)
            yield text(x, y + 20, base, shrink * size, align="start")
            yield text(x + below_line, y + 12, exponent, power, align="start")
            x = right
        yield from asked(x, y, e.shown, 40 * shrink, ORANGE, "start", "bold")

    def _curve(self, e: Explanation, colour: str) -> Iterator[Element]:
        s, pane, of = self.state, self._pane(), np.sin if e.function == "sin" else np.cos
        xs, dots = np.linspace(*pane.across, 301), np.array(self._rows())
        length = short_length(wavelengths(s["d_model"], s["base"])[e.pair])
        yield text(40, HEADS, f"wave of column {s['column']}, wavelength {length}", SMALL, align="start")
        yield line(pane.x(xs), pane.y(of(xs / e.divisor)), colour, 2.5)
        yield discs(pane.x(dots), pane.y(of(dots / e.divisor)), 4, colour)
        yield upright(pane, s["position"], ORANGE, 2, (2, 4))
        x, half = pane.x(s["position"]), width_of(e.shown, TALK, "bold") / 2
        place = min(max(x, pane.left + half + 8), pane.left + pane.wide - half)
        yield from answer(
            discs([x], [pane.y(e.value)], 9, ORANGE, INK, 1.2),
            text(place, pane.top - 8, e.shown, TALK, ORANGE, weight="bold"),
        )

    def _hand(self, e: Explanation) -> Iterator[Element]:
        (x, y, r), degrees = CLOCK, np.degrees(e.angle)
        turned = f"{degrees:,.1f}" if 1 <= abs(degrees) < 1e6 else f"{degrees:.3g}"
        said = f"hand of pair {e.pair}: {e.angle:,.4g} rad, {turned}°"
        yield text(x, HEADS, said, SMALL, within=(386.0, CELLS[0] - 6))
        tip = x + r * np.cos(e.angle), y - r * np.sin(e.angle)
        end = (x, tip[1]) if e.function == "sin" else (tip[0], y)
        yield line([[tip[0], tip[0]], [x, tip[0]]], [[y, tip[1]], [tip[1], tip[1]]], GREY, 1.5, (2, 4))
        yield from answer(line([x, end[0]], [y, end[1]], ORANGE, 8))
        yield line([x, tip[0]], [y, tip[1]], INK, 4, cap="round")
        yield discs([tip[0]], [tip[1]], 6, INK)

    def targets(self) -> Iterator[Target]:
        """Yield the words, the wave and the cells."""
        for pos, place in self._places().items():
            yield Target(place, sets={"position": pos})
        yield Target(self._table().box, ("column", self._columns()), ("position", self._rows()))
        pane, rows = self._pane(), self._rows()
        left, right = pane.x(rows[0] - 0.5), pane.x(rows[-1] + 0.5)
        yield Target((left, pane.top, right - left, pane.high), ("position", rows))

    def _rows(self) -> range:
        """Return the positions that are shown."""
        first = self.state["position"] // ROWS * ROWS
        return range(first, min(first + ROWS, len(self.state["tokens"])))

    def _columns(self) -> range:
        """Return the columns of the matrix that are shown."""
        first = self.state["column"] // COLUMNS * COLUMNS
        return range(first, min(first + COLUMNS, self.state["d_model"]))

    def _places(self) -> dict[int, Place]:
        """Return the boxes of the words that are shown, by position."""
        rows = self._rows()
        room = min(1040 / len(rows), 240)
        left = (WIDTH - len(rows) * room) / 2
        return {pos: (left + k * room + 5, 4.0, room - 10, 42.0) for k, pos in enumerate(rows)}

    def _pane(self) -> Pane:
        """Return where the wave is."""
        first, n = self._rows()[0], len(self._rows())
        return Pane(48, 208, 330, 196, (first - 0.5, first + max(12, n + 1) + 0.5), (-1.1, 1.1))

    def _table(self) -> Pane:
        """Return where the cells are: no cell larger than can be looked over."""
        (left, top, wide, high), rows, columns = CELLS, self._rows(), self._columns()
        return grid((left, top, min(wide, 72.0 * len(columns)), min(high, 44.0 * len(rows))), rows, columns)
