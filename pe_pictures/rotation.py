"""Two positions that move together: their hands turn, and the angle between the hands stays."""

from typing import ClassVar

import numpy as np

from pe_lib.encoding import BASE, frequencies
from pe_pictures.colours import GREY, HERE, INK, PAPER, SINE
from pe_pictures.fields import Integer, Number
from pe_pictures.panes import Dial, Pane
from pe_pictures.parts import below, beside, dot, encoded, face, hand, level, link, spot, wedge
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T2, T3, Elements, answer, discs, line, text
from pe_pictures.writing import here, hold, rounded

LAST = 24  # the last position that is shown
CURVE_POINTS = 150  # points of a curve
ARC = 0.34  # the radius of the arc between the hands, in parts of the dial's


class Rotation(Picture):
    """Show two positions that stay `offset` apart as two hands of one pair, and what stays when both move.

    The heights of the hands rise and fall, but both hands turn by the same angle, so the angle between them depends on
    the offset alone. The dot product of the two rows in this pair of columns is its cosine.

    {parameters}

    Examples
    --------
    >>> picture = Rotation(position=2, offset=3)
    >>> round(picture.product, 4), round(picture.update(position=20).product, 4)
    (-0.99, -0.99)
    """

    fields: ClassVar = (
        Integer("d_model", 8, 2, 512, reach=(2, 64), step=2, about="The width of the encoding, even"),
        Number("base", BASE, about="The number that is raised to a power"),
        Integer("position", 0, 0, LAST, moves=True, about="Where the first of the two is"),
        Integer("offset", 3, 1, 24, moves=True, about="How far ahead of it the second is"),
        Integer("pair", 0, 0, lambda s: s["d_model"] // 2 - 1, moves=True, about="The pair of columns, from 0"),
    )
    shown: ClassVar = ("offset", "pair")
    play: ClassVar = "position"
    presets: ClassVar = {
        "1 step apart": {"offset": 1},
        "3 steps": {"offset": 3},
        "6 steps": {"offset": 6},
        "fast hand": {"pair": 0},
        "slower hand": {"pair": 1},
    }
    pages: ClassVar = ({"position": range(LAST + 1), "offset": (1, 2, 3, 6, 12), "pair": (0, 1)},)
    question: ClassVar = "Both words move. What stays?"
    opens: ClassVar = True

    @property
    def heights(self) -> np.ndarray:
        """The sine of the pair at the two positions: float64, shape (2,)."""
        return self._rows[:, 0]

    @property
    def product(self) -> float:
        """The dot product of the two rows in the columns of the pair: the cosine of the angle between the hands."""
        return float(self._rows[0] @ self._rows[1])

    @property
    def angle(self) -> float:
        """The smaller angle from the first hand to the second: radians, negative where it leads clockwise."""
        turned = self.state["offset"] * self._w
        return float(turned - 2 * np.pi * np.round(turned / (2 * np.pi)))

    def says(self) -> str:
        s, angle = self.state, hold(f"{abs(np.degrees(self.angle)):.1f}°")
        first, second = here(f"{s['position']}"), s["position"] + s["offset"]
        if s["position"] == 0:
            return f"Words {first} and {second}: their hands are {angle} apart. Now move both words."
        if s["position"] == LAST:
            return f"Words {first} and {second}, and still {angle}: the hands forgot where they are."
        return f"Words {first} and {second}: both hands turn, the angle between them stays {angle}."

    def words(self) -> str:
        s, (one, other) = self.state, map(rounded, self.heights)
        return (
            f"Two hands of pair {s['pair']}, at positions {s['position']} and {s['position'] + s['offset']}: their "
            f"heights are {hold(one)} and {hold(other)}, and the cosine of the angle between them is "
            f"{hold(rounded(self.product))} at every position."
        )

    def lay(self) -> Elements:
        yield from face(self._dial)
        names = "height of the two hands", "cosine of the angle between them"
        for pane, name in zip(self._panes, names, strict=True):
            yield text(pane.left, pane.top - (26 if self.tall else 20), name, T1, align="start")
            for number in (-1, 0, 1):
                yield level(pane, number)
            yield from beside(pane, (-1, 0, 1), 12)
        yield from below(self._panes[1], range(0, LAST + 1, 4), self.size[1] - 14, "" if self.tall else "position", 26)

    def move(self) -> Elements:
        s, dial, (upper, lower) = self.state, self._dial, self._panes
        first, between = s["position"] * self._w, self.angle
        swept = first + between * np.linspace(0, 1, 41)
        yield wedge(dial, swept, 1.0)
        yield line(*dial.at(swept, ARC), INK, 2)
        tips = dial.at(first + np.array([0, between]))
        yield hand([dial.x, tips[0][1]], [dial.y, tips[1][1]], GREY)
        yield hand([dial.x, tips[0][0]], [dial.y, tips[1][0]])
        yield discs(tips[0][1], tips[1][1], 7, PAPER, GREY, 3)
        yield spot(tips[0][0], tips[1][0])
        yield dot(tips[0][0], tips[1][0])
        yield from self._names(first, between)
        xs = np.linspace(0, LAST, CURVE_POINTS)
        for ahead, colour, width in ((s["offset"], GREY, 1.75), (0, SINE, 2.5)):
            yield line(upper.x(xs), upper.y(np.sin(self._w * (xs + ahead))), colour, width)
        x, (one, other), level_of = upper.x(s["position"]), self.heights, lower.y(self.product)
        yield link(x, [upper.top - 6, upper.bottom + 6])
        yield link(x, [lower.top - 6, lower.bottom + (24 if self.tall else 28)])
        yield discs(x, upper.y(other), 6, PAPER, GREY, 2.5)
        yield dot(x, upper.y(one))
        side = 24 if self.product > 0.5 or -0.5 < self.product < 0 else -20
        yield from answer(
            line([lower.left, lower.right], level_of, INK, 3, cap="round"),
            dot(x, level_of),
            text(lower.right, level_of + side, f"always {rounded(self.product, 2)}", T3, INK, "end", "bold", halo=True),
        )

    def _names(self, first: float, between: float) -> Elements:
        """Yield the positions at the tips of the hands, and the angle between them."""
        s, dial, away = self.state, self._dial, 1 + 24 / self._dial.radius
        near = 2 * away * dial.radius * abs(np.sin(between / 2)) < 36  # the two names would touch
        yield text(*dial.at(first, away), f"{s['position']}", T2, HERE, weight="bold")
        second = "" if near else f"{s['position'] + s['offset']}"
        yield text(*dial.at(first + between, away), second, T2, GREY)
        part = 0.74 if abs(between) < 0.7 else 0.62
        said = text(*dial.at(first + between / 2, part), f"{abs(np.degrees(between)):.1f}°", T2, INK, halo=True)
        yield from answer(said)

    def targets(self) -> Targets:
        (upper, lower), positions = self._panes, range(LAST + 1)
        yield Target(self._dial.box(30), around=("position", float(2 * np.pi / self._w)))
        yield Target(upper.strip(positions, 0, lower.bottom - upper.bottom), ("position", positions))

    # Where everything is drawn.

    @property
    def _w(self) -> float:
        return float(frequencies(self.state["d_model"], self.state["base"])[self.state["pair"]])

    @property
    def _rows(self) -> np.ndarray:
        """The two columns of the pair at both positions: shape (2, 2)."""
        s = self.state
        return encoded(s, s["position"] + np.array([0, s["offset"]]))[:, 2 * s["pair"] : 2 * s["pair"] + 2]

    @property
    def _dial(self) -> Dial:
        return Dial(260, 178, 138) if self.tall else Dial(186, 206, 152)

    @property
    def _panes(self) -> tuple[Pane, Pane]:
        """Where the waves are, and below them the line."""
        left, right, places = (70, 500, ((420, 120), (614, 104))) if self.tall else (430, 1060, ((44, 144), (250, 116)))
        panes = [Pane(left, top, right - left, high, (0, LAST), (-1, 1)) for top, high in places]
        return panes[0], panes[1]
