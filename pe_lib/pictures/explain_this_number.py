"""One number of the encoding seen from five sides: word, formula, wave, clock hand, cell of the matrix."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from pe_lib.encoding import encode_positions
from pe_lib.examples import I_LIKE_DEEP_LEARNING
from pe_lib.pictures.colours import BAND, BLUE, GREEN, GREY, INK, ORANGE, PALE, PAPER, on
from pe_lib.pictures.fields import Integer, Number, Sentence
from pe_lib.pictures.picture import Pane, Picture, Target, hold, one_line, rounded, short_length
from pe_lib.pictures.scene import SMALL, TALK, WIDTH, Element, answer, box, boxes, cells, discs, line, text, width_of
from pe_lib.properties import wavelengths
from pe_lib.walkthrough import Explanation, explain

ROWS, COLUMNS = 10, 6  # how many words, rows and columns are shown at a time; longer ones are paged
HEADS = 176.0  # how far down the three lower parts are named
CLOCK = (540.0, 312.0, 104.0)  # its middle and its radius
CELLS = (748.0, 218.0, 344.0, 212.0)  # left, top, width, height of the matrix
NINE = "one two three four five six seven eight nine"


class ExplainThisNumber(Picture):
    """Explain the number in one row and column of the encoding of a sentence.

    Parameters
    ----------
    tokens : str or sequence of str
        A text, split at its spaces, or a list of words; one or more.
    d_model : int
        The width of the encoding.
    base : float
        The number that is raised to a power.
    position, column : int
        The row and column of the number, from 0.
    page, leaf : int
        Which ten rows and which six columns are shown; they follow from the others.

    Raises
    ------
    TypeError, ValueError
        If there is no such number.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> ExplainThisNumber(position=2, column=3).explanation.value.__round__(4)
    0.9957
    """

    fields: ClassVar = (
        Sentence(name="tokens", label="sentence", default=I_LIKE_DEEP_LEARNING.tokens),
        Integer(name="d_model", default=6, least=1, reach=(1, 16)),
        Number(name="base", default=10_000.0),
        Integer(name="position", default=2, moves=True, greatest=lambda s: len(s["tokens"]) - 1),
        Integer(name="column", default=3, moves=True, greatest=lambda s: s["d_model"] - 1),
        Integer(
            name="page",
            default=0,
            least=lambda s: s["position"] // ROWS,
            greatest=lambda s: s["position"] // ROWS,
            follows=True,
            hidden=True,
        ),
        Integer(
            name="leaf",
            default=0,
            least=lambda s: s["column"] // COLUMNS,
            greatest=lambda s: s["column"] // COLUMNS,
            follows=True,
            hidden=True,
        ),
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

    def words(self) -> str:
        """Say in words what is to be seen."""
        s, e = self.state, self.explanation
        steps = "; ".join(step.equation for step in e.steps[1:-1])
        return (
            f"Position {s['position']}, the word “{one_line(s['tokens'][s['position']])}”, column {s['column']}, "
            f"d_model {s['d_model']}: {steps}; {hold(e.steps[-1].equation)}. The wave of column {s['column']} is a "
            f"{self._wave()} of wavelength {self._wavelength():,.2f}, and its point at position {s['position']} lies "
            f"at {hold(e.shown)}. The clock hand of pair {e.pair} has made {e.angle / (2 * np.pi):.4f} turns. "
            f"In the matrix, row {s['position']} is framed and the cell in column {s['column']} marked."
        )

    def lay(self) -> Iterator[Element]:
        """Yield the words, the dial, the axis of the wave, and the matrix."""
        s = self.state
        shown = self._places()
        yield boxes(shown.values(), BAND, radius=8)
        for pos, (left, _, wide, _) in shown.items():
            yield text(left + wide / 2, 25, s["tokens"][pos], TALK, most=wide - 12, least=SMALL)
            yield text(left + wide / 2, 59, f"pos {pos}", SMALL, GREY)
        for place, there in ((12.0, s["page"] > 0), (WIDTH - 12, max(shown) + 1 < len(s["tokens"]))):
            if there:
                yield text(place, 25, "…")
        pane = self._pane()
        yield line([pane.left, pane.left + pane.wide], [pane.y(0)] * 2, PALE, 1)
        for number in (-1, 0, 1):
            yield text(pane.left - 8, pane.y(number), f"{number}", SMALL, GREY, "end")
        for pos in range(s["page"] * ROWS, int(pane.across[1]) + 1, 4):
            yield text(pane.x(pos), pane.top + pane.high + 16, f"{pos}", SMALL, GREY)
        yield from self._matrix()
        x, y, r = CLOCK
        yield discs([x], [y], r, edge=GREY, width=1.5)
        yield line([[x - r - 10, x + r + 10], [x, x]], [[y, y], [y - r - 10, y + r + 10]], PALE, 1)
        yield text(x + r + 16, y, "cos", SMALL, GREY, "start")
        yield text(x + 10, y - r - 12, "sin", SMALL, GREY, "start")

    def _matrix(self) -> Iterator[Element]:
        rows, columns, numbers = self._shown_cells()
        left, top, wide, high = self._table()
        yield from cells(numbers, left, top, wide, high)
        across, down = wide / len(columns), high / len(rows)
        for row, pos in enumerate(rows):
            yield text(left - 8, top + (row + 0.5) * down, f"{pos}", SMALL, GREY, "end")
            for k, number in enumerate(numbers[row]):
                place = left + (k + 0.5) * across, top + (row + 0.5) * down
                yield text(
                    *place,
                    rounded(number, 2),
                    min(TALK, max(SMALL, down * 0.6)),
                    on(number),
                    most=across - 6,
                    least=SMALL,
                )
        for k, j in enumerate(columns):
            yield text(
                left + (k + 0.5) * across, top - 12, f"{j} {'cos' if j % 2 else 'sin'}", SMALL, GREY, most=across
            )

    def move(self) -> Iterator[Element]:
        """Yield the chosen word, the formula, the curve and its point, the hand, and the chosen cell."""
        s, e = self.state, self.explanation
        yield box(*self._places()[s["position"]], edge=ORANGE, width=4, radius=8)
        colour = GREEN if s["column"] % 2 else BLUE
        yield text(
            14,
            96,
            f"column {s['column']} is {'odd' if s['column'] % 2 else 'even'}: {self._wave()}",
            18,
            colour,
            "start",
        )
        yield text(14, 128, f"pair i = {s['column']} // 2 = {e.pair}", 18, INK, "start")
        yield from self._formula(e)
        yield from self._curve(e, colour)
        yield from self._hand(e)
        yield from self._cell()

    def _formula(self, e: Explanation) -> Iterator[Element]:
        """Yield PE(pos, j) = sin(pos / base^(2i/d)) = sin(angle) = value, from left to right."""
        y, size = 112.0, 27.0
        angle, sign = e.steps[-2].equation.split()[-1], "≈" if r"\approx" in e.formula else "="
        exponent = f"2·{e.pair}/{e.d_model}"
        parts = f"PE({e.position:g}, {e.column}) = {e.function}", f"{sign} {e.function}({angle})", f"{e.base:.12g}"
        sizes = [width_of(part, size) for part in parts]
        result = 14 + width_of(f"{sign} ", size) + width_of(e.shown, 40, "bold")
        whole = sizes[0] + 50 + sizes[2] + width_of(exponent, 17) + sizes[1] + result
        shrink = min(1.0, 770 / whole)
        size, power = size * shrink, max(SMALL, 17 * shrink)
        under = sizes[2] * shrink + width_of(exponent, power)
        x = 290 + max(0.0, (770 - whole) / 2)
        yield text(x, y, parts[0], size, align="start")
        x += sizes[0] * shrink + 4
        yield text(x, y, "(", 52 * shrink, align="start")
        x += 20 * shrink
        yield line([x, x + under], [y, y], INK, 2)
        yield text(x + under / 2, y - 19, f"{e.position:g}", size)
        yield text(x, y + 20, parts[2], size, align="start")
        yield text(x + sizes[2] * shrink, y + 12, exponent, power, align="start")
        x += under
        yield text(x + 2, y, ")", 52 * shrink, align="start")
        x += 26 * shrink
        yield text(x, y, parts[1], size, align="start")
        x += sizes[1] * shrink + 14
        value = width_of(f"{sign} ", size)
        yield text(x, y, sign, size, align="start")
        yield from answer(
            text(x + value, y, e.shown, 40 * shrink, ORANGE, "start", "bold"),
            question=[text(x + value, y, "?", 40 * shrink, ORANGE, "start", "bold")],
        )

    def _curve(self, e: Explanation, colour: str) -> Iterator[Element]:
        s, pane = self.state, self._pane()
        of = np.sin if e.function == "sin" else np.cos
        xs = np.linspace(*pane.across, 301)
        dots = np.array(list(self._places()))
        name = f"wave of column {s['column']}, wavelength {short_length(self._wavelength())}"
        yield text(40, HEADS, name, SMALL, align="start")
        yield line(pane.x(xs), pane.y(of(xs / e.divisor)), colour, 2.5)
        yield discs(pane.x(dots), pane.y(of(dots / e.divisor)), 4, colour)
        x = pane.x(s["position"])
        yield line([x, x], [pane.top, pane.top + pane.high], ORANGE, 2, (2, 4))
        half = width_of(e.shown, TALK, "bold") / 2
        place = min(max(x, pane.left + half + 8), pane.left + pane.wide - half)
        yield from answer(
            discs([x], [pane.y(e.value)], 9, ORANGE, INK, 1.2),
            text(place, pane.top - 8, e.shown, TALK, ORANGE, weight="bold"),
        )

    def _hand(self, e: Explanation) -> Iterator[Element]:
        (x, y, r), cosine, sine = CLOCK, np.cos(e.angle), np.sin(e.angle)
        degrees = np.degrees(e.angle)
        turned = f"{degrees:,.1f}" if abs(degrees) >= 1 else f"{degrees:.3g}"
        yield text(x, HEADS, f"hand of pair {e.pair}: {e.angle:,.4g} rad, {turned}°", SMALL, most=280)
        tip = x + r * cosine, y - r * sine
        end = (x, tip[1]) if e.function == "sin" else (tip[0], y)
        yield line([[tip[0], tip[0]], [x, tip[0]]], [[y, tip[1]], [tip[1], tip[1]]], GREY, 1.5, (2, 4))
        yield from answer(line([x, end[0]], [y, end[1]], ORANGE, 8))
        yield line([x, tip[0]], [y, tip[1]], INK, 4, cap="round")
        yield discs([tip[0]], [tip[1]], 6, INK)

    def _cell(self) -> Iterator[Element]:
        s = self.state
        rows, columns, _ = self._shown_cells()
        left, top, wide, high = self._table()
        across, down = wide / len(columns), high / len(rows)
        row, k = s["position"] - rows[0], s["column"] - columns[0]
        place = left + k * across, top + row * down, across, down
        yield text(left, HEADS, f"row {s['position']} of the matrix, column {s['column']}", SMALL, align="start")
        yield box(left, top + row * down, wide, down, edge=INK, width=2)
        yield from answer(
            question=[
                box(*place, PAPER),
                text(place[0] + across / 2, place[1] + down / 2, "?", min(TALK, max(SMALL, down * 0.6))),
            ]
        )
        yield box(*place, edge=PAPER, width=6)
        yield box(*place, edge=ORANGE, width=3.5)

    def targets(self) -> Iterator[Target]:
        """Yield the words, the wave and the cells."""
        for pos, place in self._places().items():
            yield Target(place, sets={"position": pos})
        rows, columns, _ = self._shown_cells()
        yield Target(self._table(), ("column", [*columns]), ("position", [*rows]))
        pane, shown = self._pane(), list(self._places())
        left, right = pane.x(shown[0] - 0.5), pane.x(shown[-1] + 0.5)
        yield Target((left, pane.top, right - left, pane.high), ("position", shown))

    def _places(self) -> dict[int, tuple[float, float, float, float]]:
        """Return the boxes of the words that are shown, by position."""
        first = self.state["page"] * ROWS
        n = min(ROWS, len(self.state["tokens"]) - first)
        room = min(1040 / n, 240)
        left = (WIDTH - n * room) / 2
        return {first + k: (left + k * room + 5, 4.0, room - 10, 42.0) for k in range(n)}

    def _pane(self) -> Pane:
        first = self.state["page"] * ROWS
        last = first + max(12, len(self._places()) + 1)
        return Pane(48, 208, 330, 196, (first - 0.5, last + 0.5), (-1.1, 1.1))

    def _table(self) -> tuple[float, float, float, float]:
        """Return where the cells are: no cell larger than can be looked over."""
        rows, columns, _ = self._shown_cells()
        left, top, wide, high = CELLS
        return left, top, min(wide, 72.0 * len(columns)), min(high, 44.0 * len(rows))

    def _shown_cells(self) -> tuple[range, range, np.ndarray]:
        """Return the rows and columns of the matrix that are shown, and their numbers."""
        s = self.state
        rows = range(s["page"] * ROWS, min(s["page"] * ROWS + ROWS, len(s["tokens"])))
        columns = range(s["leaf"] * COLUMNS, min(s["leaf"] * COLUMNS + COLUMNS, s["d_model"]))
        return rows, columns, encode_positions(np.array(rows), s["d_model"], base=s["base"])[:, columns]

    def _wave(self) -> str:
        return "cosine" if self.state["column"] % 2 else "sine"

    def _wavelength(self) -> float:
        return float(wavelengths(self.state["d_model"], self.state["base"])[self.state["column"] // 2])
