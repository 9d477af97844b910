"""How far the encoding is off when some of its numbers are stored in a type with few bits."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pe_lib.encoding import encode_positions, frequencies
from pe_lib.precision import KINDS, STEPS, encode_rounding, round_to
from pe_pictures.colours import GREY, INK, SINE
from pe_pictures.fields import Choice, Integer, frozen
from pe_pictures.fonts import width_of
from pe_pictures.panes import Pane
from pe_pictures.parts import dot, held, level, link, spot
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T2, T3, Curves, Elements, answer, line, pixels, text
from pe_pictures.writing import here, hold
from pe_pictures.writing import rounded as written

FARTHEST = 60_000  # the greatest position
POSITIONS = np.unique(np.geomspace(1, FARTHEST, 160).astype(int))
DECADES = (1, 10, 100, 1000, 10_000, 60_000)
BOTTOM, TOP = -9.6, 0.6  # powers of ten; errors that are smaller lie at the bottom, as 0 does
LINES = {0: "1", -2: "0.01", -4: "10⁻⁴", -6: "10⁻⁶", -8: "10⁻⁸", BOTTOM: "0"}
BITS = {"float32": 24, "float16": 11, "bfloat16": 8}
WAY = (*STEPS, "everything")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class RoundingErrors(Picture):
    """Show the greatest error in the row of each position, when one step of the encoding is rounded to a type.

    Both axes go up by powers of ten. The type that is chosen is drawn in blue over the other two in grey. One position
    is marked, and next to the plot stands what has become of the number in its row that is off the most: digits that
    are still right are grey.

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
    question: ClassVar = "How far out do a few digits still tell positions apart?"

    @property
    def error(self) -> float:
        """The greatest error in the row of the marked position."""
        return float(np.abs(np.subtract(*self._rows())).max())

    @property
    def column(self) -> int:
        """The column in which it is."""
        return int(np.abs(np.subtract(*self._rows())).argmax())

    def says(self) -> str:
        s, error = self.state, hold(_power(self.error))
        pos, step = s["position"], "numbers" if s["rounded"] == "everything" else s["rounded"]
        at, stored = here(f"position {pos:,}"), float(round_to(pos, s["kind"]))
        if not self.error:
            return f"In {s['kind']}, {at} {hold('loses nothing')}: no number in its row is off."
        if s["rounded"] == "positions" and stored != pos:
            return f"In {s['kind']}, {at} becomes {hold(f'{stored:,.0f}')}, so two words share a row."
        if self.error >= 0.1:
            return f"At {at} the {step} in {s['kind']} spoil the row: a number is off by {error}."
        return f"At {at}, rounding {s['rounded']} to {s['kind']} moves no number by more than {error}."

    def words(self) -> str:
        s, errors = self.state, _errors(*self.behind())
        off = "; ".join(f"{name}: should be {was} and is {now}" for name, was, now in self._becomes())
        off = f"off by {_power(self.error)} at most; {off}" if self.error else "not off at all"
        some = ", ".join(f"{_power(errors[p >= POSITIONS].max())} up to {p:,}" for p in DECADES[1:])
        return (
            f"d_model {s['d_model']}, {s['rounded']} rounded to {s['kind']}: position {s['position']:,}: "
            f"{hold(f'{off}. Greatest error among the positions drawn: {some}')}."
        )

    def lay(self) -> Elements:
        s, pane = self.state, self._pane
        yield text(0, 12, "greatest error in the row of a position", T1, GREY, "start")
        for power, name in LINES.items():
            yield level(pane, power)
            yield text(pane.left - 10, pane.y(power), name, T1, GREY, "end")
        y = pane.bottom + (26 if self.tall else 22)
        for pos in DECADES:
            # The last two would touch on a tall sheet.
            if not (self.tall and pos == DECADES[-2]):
                yield text(pane.x(np.log10(pos)), y, f"{pos:,}", T1, GREY)
        found = {kind: _errors(kind, s["rounded"], s["d_model"]) for kind in KINDS}
        for kind in sorted(KINDS, key=lambda kind: kind == s["kind"]):  # the chosen one over the others
            marks = self._marks(self._height(found[kind]), kind == s["kind"])
            yield from answer(marks) if kind == s["kind"] else (marks,)
        ends = {kind: float(self._height(errors[-12:]).mean()) for kind, errors in found.items()}
        gap, after = 30.0 if self.tall else 24.0, pane.top
        names = list[tuple[str, float]]()
        for kind in sorted(KINDS, key=lambda kind: ends[kind]):
            after = max(ends[kind], after)
            names.append((kind, after))
            after += gap
        over = max(0.0, names[-1][1] - pane.bottom)  # names that lie at the bottom together are moved up
        for kind, y in names:
            colour, weight = (SINE, "bold") if kind == s["kind"] else (GREY, "normal")
            said = kind if self.tall else f"{kind}, {BITS[kind]} bits"
            yield text(pane.right + 8, y - over, said, T1, colour, "start", weight)

    def move(self) -> Elements:
        s, pane, error = self.state, self._pane, self.error
        x, y = pane.x(np.log10(s["position"])), self._height(error)
        yield link(x, [pane.top, pane.bottom + 8])
        yield spot(x, y)
        yield from answer(dot(x, y))
        left, right, tops = (0, 500, (486, 626)) if self.tall else (780, 1090, (84, 230))
        for top, (name, was, now) in zip(tops, self._becomes(), strict=True):
            first, second = top + 40, top + 78
            same = next((k for k, (one, other) in enumerate(zip(was, now, strict=False)) if one != other), len(now))
            yield text(left, top, name, T1, GREY, "start")
            yield text(left, first, "should be", T2, INK, "start")
            yield text(left, second, "has become", T2, INK, "start")
            yield held(text(right, first, was, T3, INK, "end", "bold"), tall=self.tall)
            kept, wrong = now[:same], now[same:]
            end = right - width_of(wrong, pixels(T3, self.tall), "bold")
            some = text(end, second, kept, T3, GREY, "end", "bold")
            yield held(some, text(right, second, wrong, T3, INK, "end", "bold"), tall=self.tall)

    def targets(self) -> Targets:
        pane = self._pane
        first, last = pane.x(0), pane.x(np.log10(FARTHEST))
        positions = np.rint(FARTHEST ** ((np.arange(150) + 0.5) / 150)).astype(int).tolist()
        yield Target((first, pane.top, last - first, pane.high), across=("position", positions))

    # Where everything is drawn.

    @property
    def _pane(self) -> Pane:
        place = (70.0, 32.0, 346.0, 372.0) if self.tall else (62.0, 34.0, 520.0, 362.0)
        return Pane(*place, (-0.05, float(np.log10(FARTHEST)) + 0.05), (BOTTOM - 0.25, TOP))

    def _height(self, error: Any) -> Any:
        """Return how far down an error lies, or an array of them."""
        return self._pane.y(np.log10(np.maximum(error, 10**BOTTOM)))

    def _marks(self, ys: np.ndarray, chosen: bool) -> Curves:
        """Return the dots of a type at the positions that are drawn."""
        across = self._pane.x(np.log10(POSITIONS))[:, np.newaxis] + [-0.1, 0.1]
        colour, width = (SINE, 6.5) if chosen else (GREY, 4)
        return line(across, ys[:, np.newaxis], colour, width, cap="round", opacity=1.0 if chosen else 0.35)

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
