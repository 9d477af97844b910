"""How far the encoding is off when some of its numbers are stored in a type with few bits."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from matplotlib.artist import Artist

from pe_lib import _checks
from pe_lib.encoding import encode_positions, frequencies
from pe_lib.pictures.lettering import Letters
from pe_lib.pictures.lettering import rounded as written
from pe_lib.pictures.picture import BLUE, GREY, INK, ORANGE, Picture
from pe_lib.precision import KINDS, STEPS, encode_rounding, round_to

FARTHEST, WIDEST = 60_000, 1024  # the greatest position and d_model
POSITIONS = np.unique(np.geomspace(1, FARTHEST, 160).astype(int))
DECADES = (1, 10, 100, 1000, 10_000, 60_000)
SMALLEST = 1e-9  # errors below it lie on the bottom line, where 0 does
BOTTOM, TOP = -9.6, 0.6  # powers of ten
MARKS = {"float32": "v", "float16": "o", "bfloat16": "s"}


class RoundingErrors(Picture):
    """Show the greatest error in the row of each position, when one step of the encoding is rounded to a type.

    Both axes go up by powers of ten. The type that is chosen is drawn in blue over the other two in grey. One position
    is marked, and on top stands what has become of the number in its row that is off the most.

    Parameters
    ----------
    kind : {"float32", "float16", "bfloat16"}
        The type.
    rounded : {"positions", "frequencies", "angles", "sines", "everything"}
        Which numbers are stored in it; cosines are meant with the sines.
    position : int
        The position that is marked, 1 to 60,000.
    d_model : int
        The width of the encoding, 1 to 1024.

    Raises
    ------
    TypeError, ValueError
        If there is no such picture.

    Examples
    --------
    >>> RoundingErrors(kind="bfloat16", rounded="positions", position=256).error
    0.0
    >>> round(RoundingErrors(kind="bfloat16", rounded="sines", position=256).error, 4)
    0.0019
    """

    defaults: ClassVar = {"kind": "float16", "rounded": "angles", "position": 200, "d_model": 64}
    size: ClassVar = (11.0, 6.4)

    @property
    def error(self) -> float:
        """The greatest error in the row of the marked position."""
        return float(np.abs(self._row() - self._exact()).max())

    @property
    def column(self) -> int:
        """The column in which it is."""
        return int(np.abs(self._row() - self._exact()).argmax())

    def describe(self) -> str:
        """Say in words what is to be seen."""
        s = self.state
        errors = _errors(s["kind"], s["rounded"], s["d_model"])
        some = ", ".join(f"{_short(errors[p >= POSITIONS].max())} up to {p:,}" for p in DECADES[1:])
        return (
            f"d_model {s['d_model']}, {s['rounded']} rounded to {s['kind']}: {self._title()}. {self._number()}. "
            f"{self._angle()}. Greatest error among the positions drawn: {some}."
        )

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        round_to(0, state["kind"])  # refuses what is no kind
        encode_rounding([0], 1, state["kind"], state["rounded"])
        for name, greatest in (("position", FARTHEST), ("d_model", WIDEST)):
            state[name] = _checks.integer(name, state[name])
            if not 1 <= state[name] <= greatest:
                raise ValueError(f"{name} must lie between 1 and {greatest}, got {state[name]}")
        return state

    def _key(self) -> Hashable:
        return self.state["kind"], self.state["rounded"], self.state["d_model"]

    def _build(self) -> None:
        f = self.figure
        self._says, self._becomes = (
            Letters(size, weight, f.transFigure, f.dpi_scale_trans, "left")
            for size, weight in ((20, "bold"), (14, "normal"))
        )
        f.add_artist(self._says)
        f.add_artist(self._becomes)
        self._given = f.text(0.97, 0.88, "", color=GREY, ha="right", va="center")
        axes = f.add_axes((0.115, 0.225, 0.855, 0.53))
        ticks = range(-8, 1, 2)
        axes.set(xlim=(-0.05, np.log10(FARTHEST) + 0.05), ylim=(BOTTOM - 0.25, TOP))
        axes.set_yticks(
            [BOTTOM, *ticks], ["0", *("1" if t == 0 else f"{10.0**t:g}".replace("e-0", "e-") for t in ticks)]
        )
        axes.set_xticks(np.log10(DECADES), [f"{p:,}" for p in DECADES])
        axes.hlines([BOTTOM, *ticks], 0, 1, color="#e4e4e4", transform=axes.get_yaxis_transform(), zorder=0)
        axes.set_xlabel("position", labelpad=2)
        f.text(0.03, 0.775, "greatest error in the row", color=GREY, fontsize=13, va="center")
        xs = np.log10(POSITIONS)
        self._behind = {k: axes.plot(xs, 0 * xs, MARKS[k], color="#c4c4c4", ms=3.5, zorder=1)[0] for k in KINDS}
        (self._dots,) = axes.plot(xs, 0 * xs, "o", color=BLUE, ms=5, clip_on=False, zorder=3)
        (self._stem,) = axes.plot([], [], ":", color=ORANGE, lw=2, zorder=4)
        (self._point,) = axes.plot([], [], "o", color=ORANGE, ms=13, mec=INK, clip_on=False, zorder=4)
        self._build_legend()

    def _build_legend(self) -> None:
        axes = self.figure.add_axes((0, 0.02, 1, 0.1))
        axes.set_axis_off()
        axes.set(xlim=(0, 1), ylim=(0, 1))
        self._signs = {}
        for x, kind, bits in ((0.06, "float32", 24), (0.3, "float16", 11), (0.54, "bfloat16", 8)):
            (self._signs[kind],) = axes.plot([x], [0.5], MARKS[kind], ms=9)
            axes.text(x + 0.018, 0.5, f"{kind}, {bits} bits", fontsize=13, va="center")
        axes.plot([0.785], [0.5], "o", color=ORANGE, ms=11, mec=INK)
        axes.text(0.803, 0.5, "marked position", fontsize=13, va="center")

    def _lay(self) -> None:
        s = self.state
        for kind, line in self._behind.items():
            line.set_ydata(_heights(_errors(kind, s["rounded"], s["d_model"])))
        self._dots.set_ydata(_heights(_errors(s["kind"], s["rounded"], s["d_model"])))
        self._dots.set_marker(MARKS[s["kind"]])
        for kind, sign in self._signs.items():
            sign.set_color(BLUE if kind == s["kind"] else "#c4c4c4")
        self._given.set_text(f"d_model {s['d_model']} · {s['rounded']} in {s['kind']}")

    def _move(self) -> list[Artist]:
        s = self.state
        self._says.show([self._title()], [(0.03, 0.945)], [INK])
        self._becomes.show([self._number(), self._angle()], [(0.03, 0.88), (0.03, 0.825)], [INK, INK])
        x, (y,) = np.log10(s["position"]), _heights(np.array([self.error]))
        self._stem.set_data([x, x], [BOTTOM, y])
        self._point.set_data([x], [y])
        return [self._says, self._becomes, self._stem, self._point]

    def _exact(self) -> np.ndarray:
        return _exact_row(self.state["position"], self.state["d_model"])

    def _row(self) -> np.ndarray:
        s = self.state
        return _row(s["position"], s["d_model"], s["kind"], s["rounded"])

    def _title(self) -> str:
        off = f"off by {_short(self.error)} at most" if self.error else "not off at all"
        return f"pos {self.state['position']:,}: {off}"

    def _number(self) -> str:
        """Say what the worst number of the row has become."""
        if self.error == 0:
            return "All numbers of its row are what they should be"
        j = self.column
        name = "cosine" if j % 2 else "sine"
        return f"column {j}, a {name}: {_five(self._exact()[j])} has become {_five(self._row()[j])}"

    def _angle(self) -> str:
        """Say what its angle has become."""
        s, i = self.state, self.column // 2
        p, w = float(s["position"]), frequencies(s["d_model"])[i]
        steps = STEPS[:3] if s["rounded"] == "everything" else (s["rounded"],)
        q = float(round_to(p, s["kind"])) if "positions" in steps else p
        v = float(round_to(w, s["kind"])) if "frequencies" in steps else float(w)
        angle = float(round_to(q * v, s["kind"])) if "angles" in steps else q * v
        if angle == p * w:
            return f"its angle is {_five(angle)}, as it should be"
        return f"its angle: {_five(p * w)} has become {_five(angle)}"


@lru_cache(maxsize=4)  # asked for by each number and sentence of a picture
def _exact_row(position: int, d_model: int) -> np.ndarray:
    row: np.ndarray = encode_positions(position, d_model)
    row.flags.writeable = False
    return row


@lru_cache(maxsize=4)
def _row(position: int, d_model: int, kind: str, rounded: str) -> np.ndarray:
    row: np.ndarray = encode_rounding([position], d_model, kind, rounded)[0]
    row.flags.writeable = False
    return row


@lru_cache(maxsize=32)
def _errors(kind: str, rounded: str, d_model: int) -> np.ndarray:
    """Return the greatest error in the row of each position that is drawn; not to be written to."""
    rows, exact = encode_rounding(POSITIONS, d_model, kind, rounded), encode_positions(POSITIONS, d_model)
    errors: np.ndarray = np.abs(rows - exact).max(axis=1)
    errors.flags.writeable = False
    return errors


def _heights(errors: np.ndarray) -> np.ndarray:
    """Return where errors lie on the axis: their powers of ten, and the bottom line for those of about 0."""
    heights: np.ndarray = np.log10(np.maximum(errors, SMALLEST))
    heights[errors < SMALLEST] = BOTTOM
    return heights


def _short(error: float) -> str:
    return f"{error:.2g}".replace("e-0", "e-")


def _five(number: float) -> str:
    """Write a number with as many digits as tell it from its neighbours in float32."""
    return written(number, 8 if abs(number) < 10 else 4)
