"""How far the encoding is off when some of its numbers are stored in a type with few bits."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pe_lib.encoding import encode_positions, frequencies
from pe_lib.pictures.colours import BLUE, GREY, INK, ORANGE, PALE, YELLOW
from pe_lib.pictures.fields import Choice, Integer, frozen
from pe_lib.pictures.fonts import width_of
from pe_lib.pictures.panes import Pane
from pe_lib.pictures.parts import asked, upright
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, TALK, Elements, Shape, Text, answer, box, discs, line, text
from pe_lib.pictures.writing import hold
from pe_lib.pictures.writing import rounded as written
from pe_lib.precision import KINDS, STEPS, encode_rounding, round_to

FARTHEST = 60_000  # the greatest position
POSITIONS = np.unique(np.geomspace(1, FARTHEST, 160).astype(int))
DECADES = (1, 10, 100, 1000, 10_000, 60_000)
BOTTOM, TOP = -9.6, 0.6  # powers of ten; errors that are smaller lie at the bottom, as 0 does
LINES = {0: "1", -2: "0.01", -4: "10⁻⁴", -6: "10⁻⁶", -8: "10⁻⁸", BOTTOM: "0"}
BITS = {"float32": 24, "float16": 11, "bfloat16": 8}
# Marks are short lines, which look like dashes, dots (the one with round ends) and squares: their length and width.
MARKS = {"float32": (9.0, 2.5), "float16": (0.1, 7.0), "bfloat16": (6.0, 6.0)}
PLOT = Pane(74.0, 52.0, 616.0, 312.0, (-0.05, float(np.log10(FARTHEST)) + 0.05), (BOTTOM - 0.25, TOP))
NAMES, TICKS, BELOW = 26.0, 378.0, 416.0  # the heights of the types, the positions and the steps
WAY = (*STEPS, "everything")
TYPES = {kind: (PLOT.left + 4 + 208 * k, NAMES - 18, 196.0, 36.0) for k, kind in enumerate(KINDS)}  # over the plot
SIDES = (16.0, 142.0), (168.0, 328.0), (353.0, 447.0), (473.0, 549.0), (575.0, 723.0)  # of the steps, under it
PLACES = {step: (left, BELOW - 18, right - left, 36.0) for step, (left, right) in zip(WAY, SIDES, strict=True)}
BETWEEN = {"frequencies": "×", "angles": "→", "sines": "→"}  # what stands before a step
LEFT, RIGHT = 744.0, 1084.0  # of the words at the side
LARGEST = 68.0  # the size of the number that matters
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class RoundingErrors(Picture):
    """Show the greatest error in the row of each position, when one step of the encoding is rounded to a type.

    Both axes go up by powers of ten. The type that is chosen is drawn in blue over the other two in grey. One position
    is marked, and at the side stands what has become of the number in its row that is off the most.

    {parameters}

    Examples
    --------
    >>> RoundingErrors(kind="bfloat16", rounded="positions", position=256).error
    0.0
    >>> round(RoundingErrors(kind="bfloat16", rounded="sines", position=256).error, 4)
    0.0019
    """

    fields: ClassVar = (
        Choice("kind", "float16", KINDS, about="The type"),
        Choice("rounded", "angles", WAY, about="Which numbers are stored in it; cosines are meant with the sines"),
        Integer("d_model", 64, 1, 1024, options=(2, 4, 8, 16, 64, 128, 512), about="The width of the encoding"),
        Integer("position", 200, 1, FARTHEST, moves=True, reach=(1, 3000), about="The position that is marked"),
    )
    shown: ClassVar = ("kind", "rounded")
    play: ClassVar = "position"
    presets: ClassVar = {
        "positions": {"kind": "bfloat16", "rounded": "positions", "position": 257},
        "angles": {"kind": "bfloat16", "rounded": "angles", "position": 214},
        "sines": {"kind": "bfloat16", "rounded": "sines", "position": 2999},
        "far out": {"position": FARTHEST},
    }
    pages: ClassVar = (
        {"kind": KINDS, "rounded": WAY, "position": (*DECADES[1:], 201, 214)},
        {"kind": ("bfloat16",), "rounded": ("positions",), "position": range(246, 266)},
        {"position": range(196, 216)},
    )

    @property
    def error(self) -> float:
        """The greatest error in the row of the marked position."""
        return float(np.abs(np.subtract(*self._rows())).max())

    @property
    def column(self) -> int:
        """The column in which it is."""
        return int(np.abs(np.subtract(*self._rows())).argmax())

    def words(self) -> str:
        s, errors = self.state, _errors(*self.behind())
        off = "; ".join(f"{name}: should be {was} and is {now}" for name, was, now in self._becomes())
        off = f"off by {_power(self.error)} at most; {off}" if self.error else "not off at all"
        some = ", ".join(f"{_power(errors[p >= POSITIONS].max())} up to {p:,}" for p in DECADES[1:])
        return (
            f"d_model {s['d_model']}, {s['rounded']} rounded to {s['kind']}: pos {s['position']:,}: "
            f"{hold(f'{off}. Greatest error among the positions drawn: {some}')}."
        )

    def lay(self) -> Elements:
        """Yield the errors of all positions in the three types, the axes, and the steps of the way."""
        s = self.state
        heights = PLOT.y(np.array([*LINES]))
        yield line([PLOT.left, PLOT.right], heights[:, np.newaxis], PALE, 1)
        for height, name in (*zip(heights, LINES.values(), strict=True), (TICKS, "pos"), (NAMES, "error")):
            yield text(PLOT.left - 10, height, name, SMALL, GREY, "end")
        for pos in DECADES:
            yield text(min(PLOT.x(np.log10(pos)), PLOT.right - 14), TICKS, f"{pos:,}", SMALL, GREY)
        for kind in sorted(KINDS, key=lambda kind: kind == s["kind"]):  # the chosen one over the others
            errors, colour = _errors(kind, s["rounded"], s["d_model"]), BLUE if kind == s["kind"] else PALE
            marks = _marks(kind, PLOT.x(np.log10(POSITIONS)), _height(errors), colour)
            yield from answer(marks) if kind == s["kind"] else (marks,)
        for kind, (left, *_) in TYPES.items():
            colour, weight = (BLUE, "bold") if kind == s["kind"] else (GREY, "normal")
            yield _marks(kind, left + 8, NAMES, colour)
            yield text(left + 22, NAMES, kind, TALK, colour, "start", weight)
            yield text(left + 30 + width_of(kind, TALK, "bold"), NAMES, f"{BITS[kind]} bits", SMALL, GREY, "start")
        for step, place in PLACES.items():
            lit = s["rounded"] in (step, "everything")
            yield box(*place, YELLOW if lit else "", INK if lit else PALE, 2 if lit else 1, radius=6)
            yield text(place[0] + place[2] / 2, BELOW, step, weight="bold" if lit else "normal")
            if step in BETWEEN:
                yield text(place[0] - 13, BELOW, BETWEEN[step], TALK, GREY)

    def move(self) -> Elements:
        """Yield the marked position, its error, and the number that is off the most."""
        s, error = self.state, self.error
        disc = discs(PLOT.x(np.log10(s["position"])), _height(error), 9, ORANGE, INK, 1.5)
        yield upright(PLOT, np.log10(s["position"]), ORANGE, 2.5)
        yield text(LEFT, NAMES, f"pos {s['position']:,}", align="start", weight="bold")
        yield text(LEFT, 60, "greatest error in its row", SMALL, GREY, "start")
        said = [*self._compared()] if error else [text(RIGHT, 186, "no number is off", align="end")]
        yield from asked(RIGHT, 108, _power(error), LARGEST, INK, "end", "bold", most=RIGHT - LEFT)
        yield from answer(disc, *said)

    def _compared(self) -> Iterator[Text]:
        """Yield two numbers as they should be and, under it, as they are: in orange from where the digits differ."""
        for y, (name, was, now) in zip((186, 312), self._becomes(), strict=True):
            same = next((k for k, (one, other) in enumerate(zip(was, now, strict=False)) if one != other), len(now))
            yield text(LEFT, y, name, align="start", weight="bold")
            for below, label, number in ((34, "should be", was), (68, "has become", now)):
                yield text(LEFT, y + below, label, TALK, GREY, "start")
                at, kept = RIGHT - width_of(number, TALK), number[: same if number == now else None]
                yield text(at, y + below, kept, align="start")
                yield text(at + width_of(kept, TALK), y + below, number[len(kept) :], TALK, ORANGE, "start")

    def targets(self) -> Targets:
        """Yield the types, the steps, and the plot, where a click chooses the position."""
        for field, places in (("kind", TYPES), ("rounded", PLACES)):
            for name, place in places.items():
                yield Target(place, sets={field: name})
        first, last = PLOT.x(0), PLOT.x(np.log10(FARTHEST))
        positions = np.rint(FARTHEST ** ((np.arange(150) + 0.5) / 150)).astype(int).tolist()
        yield Target((first, PLOT.top, last - first, PLOT.high), across=("position", positions))

    def _rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the row of the marked position as it should be, and as it is."""
        s = self.state
        found = encode_rounding([s["position"]], s["d_model"], s["kind"], s["rounded"])
        return encode_positions(s["position"], s["d_model"]), found[0]

    def _becomes(self) -> Iterator[tuple[str, str, str]]:
        """Yield the number that is off the most, and the angle it came of: their names, what should be, and what is."""
        s, j, (exact, found) = self.state, self.column, self._rows()

        def after(step: str, number: float) -> float:
            return float(round_to(number, s["kind"])) if s["rounded"] in (step, "everything") else number

        yield f"column {j}, a {'cosine' if j % 2 else 'sine'}", *_both(exact[j], found[j])
        p, w = float(s["position"]), float(frequencies(s["d_model"])[j // 2])
        yield "its angle", *_both(p * w, after("angles", after("positions", p) * after("frequencies", w)))


@lru_cache(maxsize=32)
def _errors(kind: str, rounded: str, d_model: int) -> np.ndarray:
    """Return the greatest error in the row of each position that is drawn; not to be written to."""
    rows, exact = encode_rounding(POSITIONS, d_model, kind, rounded), encode_positions(POSITIONS, d_model)
    return frozen(np.abs(rows - exact).max(axis=1))


def _height(error: Any) -> Any:
    """Return how far down an error lies, or an array of them."""
    return PLOT.y(np.log10(np.maximum(error, 10**BOTTOM)))


def _marks(kind: str, xs: np.ndarray | float, ys: np.ndarray | float, colour: str) -> Shape:
    """Return the marks of a type at these places."""
    length, width = MARKS[kind]
    across = np.atleast_1d(xs)[:, np.newaxis] + [-length / 2, length / 2]
    return line(across, np.atleast_1d(ys)[:, np.newaxis], colour, width, cap="butt" if length > 1 else "round")


def _power(error: float) -> str:
    """Write an error in two digits, a small one with its power of ten."""
    number, _, power = f"{error:#.2g}".partition("e-") if error else ("0", "", "")
    return f"{number}×10⁻{power.lstrip('0').translate(RAISED)}" if power else number


def _both(one: float, other: float) -> tuple[str, str]:
    """Write two numbers with as many digits as tell the first from its neighbours in float32, or up to 4 more."""
    least = 8 if abs(one) < 10 else 4
    apart = (n for n in range(least, least + 4) if one == other or written(one, n) != written(other, n))
    digits = next(apart, least + 4)
    return written(one, digits), written(other, digits)
