"""Every pair of columns as a clock: a hand that turns with the position, and its two shadows, a sine and a cosine."""

from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from pe_lib import _checks
from pe_lib.encoding import encode_positions, frequencies
from pe_lib.pictures.lettering import outline, rounded
from pe_lib.pictures.picture import (
    BLUE,
    DPI,
    GREEN,
    GREY,
    INK,
    PALE,
    SIGNED,
    Picture,
    readable_on,
    short_length,
    shrink,
    spread,
)
from pe_lib.properties import wavelengths

DIALS = 8  # shown at a time; of more pairs, some are shown
IN_A_ROW = 4  # dials that stand in one row; more stand in two
RANGES = {"d_model": (1, 512), "position": (0, 1_000_000), "trail": (0, 64), "offset": (0, 1000)}
LARGEST_BASE = 1e12
UNUSED = "#bdbdbd"  # the shadow that no column holds
COLOURS = colormaps[SIGNED]
STRIPES = (0, (0.45, 0.25))  # in line widths: the shadow of a cosine is striped, that of a sine whole
SECTOR = 0.4  # the radius of the arc between two hands, in parts of the dial's

# Where things stand, in pixels from the lower left.
WIDTH, HEIGHT, MARGIN = 1100, 680, 16
HEADING, SUBTITLE, LEGEND = 653, 621, 21
WIDEST = 360  # from one dial to the next


class Clocks(Picture):
    """Show every pair of columns as a clock hand at the angle w_i·pos, with its sine and its cosine as its shadows.

    The shadow on the upright axis is the sine, column 2i, that on the level axis the cosine, column 2i+1. Dots on the
    rim show where the tip of the hand was before; the numbers around the rim are the positions of the first turn. With
    an offset k, a dashed hand shows position pos + k: from hand to hand it is w_i·k, wherever pos is.

    Parameters
    ----------
    d_model : int
        The width of the encoding, 1 to 512. Of more than 8 pairs 8 are shown, spread evenly from the fastest to the
        slowest. If it is odd, the last hand has a sine only, and its other shadow is pale.
    base : float
        The number that is raised to a power, 1 to 1e12: below 1, hands would turn too fast to be followed from position
        to position.
    position : int
        The position the hands show, 0 to 1,000,000.
    trail : int
        How many earlier positions leave a dot, 0 to 64.
    offset : int
        How many positions the dashed hand is ahead, 0 to 1000; 0 for no dashed hand.

    Raises
    ------
    TypeError, ValueError
        If a value is not as described.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> picture = Clocks(position=2, d_model=4)
    >>> picture.pairs, picture.numbers.round(4)
    (array([0, 1]), array([ 0.9093, -0.4161,  0.02  ,  0.9998]))
    """

    defaults: ClassVar = {"d_model": 8, "base": 10_000.0, "position": 5, "trail": 12, "offset": 0}
    size: ClassVar = (WIDTH / DPI, HEIGHT / DPI)

    @property
    def pairs(self) -> np.ndarray:
        """The pairs that are shown, the fastest first: integers, shape (hands,)."""
        return spread(self._hands_in_all(), DIALS)

    @property
    def columns(self) -> np.ndarray:
        """The columns of these pairs: integers, shape (numbers,)."""
        columns: np.ndarray = np.repeat(2 * self.pairs, 2)
        columns[1::2] += 1
        return columns if columns[-1] < self.state["d_model"] else columns[:-1]

    @property
    def numbers(self) -> np.ndarray:
        """The encoding of the position in these columns: float64, shape (numbers,)."""
        s = self.state
        return np.take(encode_positions(s["position"], s["d_model"], base=s["base"]), self.columns)

    def describe(self) -> str:
        """Say in words what is to be seen."""
        s, k = self.state, self.state["offset"]
        number = dict(zip(self.columns, self.numbers, strict=True))
        said = []
        for i, length, turned in zip(self.pairs, self._wavelengths(), k * self._frequencies(), strict=True):
            cosine = f"cos {rounded(number[2 * i + 1])}" if 2 * i + 1 in number else "its cosine in no column"
            arc = f", arc {_angle(turned)}" if k else ""
            said.append(f"{i} ({short_length(length)}): sin {rounded(number[2 * i])}, {cosine}{arc}")
        some = f", {len(self.pairs)} of the hands shown" if len(self.pairs) < self._hands_in_all() else ""
        ahead = f" Dashed hands at position {s['position'] + k} are further by an arc that no pos changes." if k else ""
        return (
            f"Clock hands at position {s['position']}: {self._count()}{some} (d_model {s['d_model']}, base "
            f"{s['base']:.12g}). Dots on the rim: {_counted(len(self._earlier()), 'earlier position')}.{ahead} "
            f"Pair (one turn in so many positions): shadows. {'; '.join(said)}."
        )

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        for name, (least, greatest) in RANGES.items():
            state[name] = _checks.integer(name, state[name])
            if not least <= state[name] <= greatest:
                raise ValueError(f"{name} must lie between {least} and {greatest}, got {state[name]}")
        state["base"] = _checks.positive_base(state["base"])
        if not 1 <= state["base"] <= LARGEST_BASE:
            raise ValueError(f"base must lie between 1 and {LARGEST_BASE:g} here, got {state['base']:g}")
        return self._within_limits(state)

    def _key(self) -> Hashable:
        s = self.state
        return s["d_model"], s["base"], s["trail"], s["offset"]

    def _build(self) -> None:
        axes = self._axes = self.figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
        self._words: list[Text] = []  # of the background, written anew with it
        self._build_background(axes)
        self._build_what_moves(axes)

    def _build_background(self, axes: Axes) -> None:
        thick: dict[str, Any] = {"linewidths": 6, "capstyle": "butt", "zorder": 1}
        self._crosses = LineCollection([], colors=PALE, linewidths=1.2, zorder=0)
        self._rims = LineCollection([], colors=GREY, linewidths=1.5, zorder=1)
        self._sine_samples = LineCollection([], colors=BLUE, **thick)
        self._cosine_samples = LineCollection([], linestyles=[STRIPES], **thick)
        self._hand_sample = LineCollection([], colors=GREY, linewidths=2.5, linestyles="--", zorder=1)
        self._no_column = PolyCollection([], facecolors="none", edgecolors=GREY, linestyles=":", zorder=1)
        for shapes in (
            self._crosses,
            self._rims,
            self._sine_samples,
            self._cosine_samples,
            self._hand_sample,
            self._no_column,
        ):
            axes.add_collection(shapes, autolim=False)
        self._dot_sample = axes.scatter([], [], edgecolors="none", zorder=1)

    def _build_what_moves(self, axes: Axes) -> None:
        thick: dict[str, Any] = {"linewidths": 8, "capstyle": "butt", "zorder": 4}
        self._sectors = PolyCollection([], facecolors="#e4e4e4", zorder=2)
        self._drops = LineCollection([], colors=GREY, linewidths=1.5, linestyles=":", zorder=3)
        self._sines = LineCollection([], colors=BLUE, **thick)
        self._cosines = LineCollection([], linestyles=[STRIPES], **thick)
        self._arcs = LineCollection([], colors=INK, linewidths=2, zorder=6)
        self._ahead = LineCollection([], colors=GREY, linewidths=2.5, linestyles="--", zorder=7)
        self._hands = LineCollection([], colors=INK, linewidths=4, capstyle="round", zorder=8)
        self._cells = PolyCollection([], edgecolors="white", linewidths=1.5, zorder=10)
        for shapes in (
            self._sectors,
            self._drops,
            self._sines,
            self._cosines,
            self._arcs,
            self._ahead,
            self._hands,
            self._cells,
        ):
            axes.add_collection(shapes, autolim=False)
        self._trail = axes.scatter([], [], edgecolors="none", zorder=5)
        (self._tips_ahead,) = axes.plot([], [], "o", color=GREY, markerfacecolor="white", markersize=9, zorder=7)
        self._tips_ahead.set_markeredgewidth(2)
        (self._tips,) = axes.plot([], [], "o", color=INK, markersize=9, zorder=9)
        # Outlines of characters are drawn some ten times as fast as a Text for each number.
        self._readings = PathCollection([], edgecolors="none", offset_transform=axes.transData, zorder=11)
        axes.add_collection(self._readings, autolim=False)
        self._heading = axes.text(MARGIN, HEADING, "", fontsize=20, va="center", zorder=11)

    def _lay(self) -> None:
        for word in self._words:
            word.remove()
        self._words = []
        self._place()
        self._lay_heading()
        self._lay_dials()
        self._lay_labels()
        self._lay_legend()

    def _place(self) -> None:
        """Decide where the dials stand and the cells below them, and how large they are."""
        hands = len(self.pairs)
        self._small = hands > IN_A_ROW
        in_a_row = -(-hands // 2) if self._small else hands
        self._pitch = min((WIDTH - 20) / in_a_row, WIDEST)
        self._radius = 70.0 if self._small else min(self._pitch / 2 - 40, 130)
        k = np.arange(hands)
        x = WIDTH / 2 + (k % in_a_row - (in_a_row - 1) / 2) * self._pitch
        y = np.where(k < in_a_row, 467, 181) if self._small else np.full(hands, 345)
        self._centres = np.stack([x, y], axis=-1)  # (hands, 2)
        width, height, below = (self._pitch / 2 - 2, 25, 48) if self._small else (self._pitch / 2 - 3, 66, 76)
        left, top = np.stack([x - width, x], axis=-1).ravel(), np.repeat(y - self._radius - below, 2)
        self._boxes = np.stack([left, top - height, left + width, top], axis=-1)  # (2·hands, left bottom right top)
        points = 14 if self._small else 20
        self._readings.set_transform(Affine2D().scale(points / 72) + self.figure.dpi_scale_trans)

    def _lay_heading(self) -> None:
        s, k = self.state, self.state["offset"]
        some = f"{len(self.pairs)} of " if len(self.pairs) < self._hands_in_all() else ""
        words = f"{some}{self._count()} (d_model {s['d_model']}, base {s['base']:.6g})"
        shrink(self._write(WIDTH - MARGIN, HEADING, words, ha="right", color=GREY), 14, 530, smallest=12)
        what = (
            "Hand i: turned by w_i · pos, counter-clockwise from the right. Upright shadow: sine. Level shadow: cosine."
        )
        if k:
            what = f"Each dashed hand is w_i · {k} further. Move pos: both hands turn, the angle between them stays."
        self._write(MARGIN, SUBTITLE, what, color=GREY)

    def _lay_dials(self) -> None:
        r, k, w = self._radius, self.state["offset"], self._frequencies()
        above, between, size, smaller = (58, 20, 13, 12.5) if self._small else (84, 25, 15, 13)
        for (x, y), i, length, frequency in zip(self._centres, self.pairs, self._wavelengths(), w, strict=True):
            turned = f"+ {_angle(frequency * k)}" if k else f"{_angle(frequency)} a step"
            title = self._write(x, y + r + above, f"pair {i}: {turned}", ha="center", weight="bold")
            shrink(title, size, self._pitch - 14, smallest=12)
            words = f"one turn in {short_length(length)} positions"
            shrink(self._write(x, y + r + above - between, words, ha="center"), smaller, self._pitch - 10, smallest=12)
            self._number_the_rim(x, y, length)
        centres = self._centres[:, np.newaxis]  # (hands, 1, 2)
        circle = _direction(np.linspace(0, 2 * np.pi, 121))
        whole_turns = centres[k * w >= 2 * np.pi]
        self._rims.set_segments([*(centres + r * circle), *(whole_turns + SECTOR * r * circle)])
        level, upright = np.array([[[-r, 0], [r, 0]], [[0, -r], [0, r]]])
        self._crosses.set_segments([*(centres + level), *(centres + upright)])

    def _number_the_rim(self, x: float, y: float, wavelength: float) -> None:
        """Write the positions of the first turn around a dial, as the hours stand around a clock."""
        step = _round_step(wavelength / 8)
        for position in np.arange(0, wavelength, step):
            angle = 2 * np.pi * position / wavelength
            if angle and (2 * np.pi - angle) * self._radius < 24:
                continue  # it would stand on the 0
            text = _short(position)
            across, up = _direction(angle)
            away = self._radius + 12 + abs(across) * 5.4 * len(text) + abs(up) * 4
            self._write(x + away * across, y + away * up, text, ha="center", fontsize=12, color=GREY)

    def _lay_labels(self) -> None:
        """Write over every cell which column it is, with a sample of its shadow; say so where there is no column."""
        size, sample, name_at, column_at = (12.5, 17, 23, 62) if self._small else (14, 24, 34, 78)
        for k, (left, bottom, right, top) in enumerate(self._boxes):
            name, colour = ("cos", GREEN) if k % 2 else ("sin", BLUE)
            there = k < len(self.columns)
            self._write(left + name_at, top + 12, name, color=colour if there else GREY, weight="bold", fontsize=size)
            if there:
                self._write(left + column_at, top + 12, f"j = {self.columns[k]}", fontsize=size)
            else:
                middle = (left + right) / 2, (bottom + top) / 2
                self._write(*middle, "in no column", ha="center", color=GREY, fontsize=size)
        inside = np.array([2, 1, -2, -1])
        self._no_column.set_verts([_corners(box + inside) for box in self._boxes[len(self.columns) :]])
        upright = np.array([[sample / 2 + 2, 4], [sample / 2 + 2, 20]])
        level = np.array([[2, 12], [2 + sample, 12]])
        corners = self._boxes[:, np.newaxis, [0, 3]]  # the upper left ones: (2·hands, 1, 2)
        self._sine_samples.set_segments([*(corners[::2] + upright)])
        self._cosine_samples.set_segments([*(corners[1::2] + level)])
        for stripes in (self._cosine_samples, self._cosines):
            stripes.set_color([GREEN if 2 * i + 1 < self.state["d_model"] else UNUSED for i in self.pairs])

    def _lay_legend(self) -> None:
        """Say below what the dots, the dashed hands, the numbers of the rim and the boxes are."""
        trail, k = self.state["trail"], self.state["offset"]
        x = MARGIN + 30.0
        ages = np.array([0.8, 0.4, 0.0][3 - min(3, trail) :])
        self._dot_sample.set_offsets(np.stack([x - 13 - 22 * ages, np.full(len(ages), LEGEND)], axis=-1))
        self._dot_sample.set(sizes=_sizes(ages), facecolor=_shades(ages))
        self._hand_sample.set_segments([])
        if trail:
            x = self._explain(x, f"the tip at the last {trail} positions" if trail > 1 else "the tip one position ago")
        if k:
            self._hand_sample.set_segments([[(x, LEGEND), (x + 40, LEGEND)]])
            x = self._explain(x + 50, f"the hand at pos + {k}")
        x = self._explain(x, "around the rim: the positions of the first turn")
        if not k:
            self._explain(x, "boxes: row pos of the encoding")

    def _explain(self, x: float, words: str) -> float:
        """Write words of the legend, and return where the next may begin."""
        text = self._write(x, LEGEND, words, fontsize=13, color=GREY)
        return float(text.get_window_extent().x1) + 40

    def _move(self) -> list[Artist]:
        s = self.state
        angles = s["position"] * self._frequencies()
        moved = [*self._move_hands(angles), *self._move_trail(), *self._move_numbers()]
        return [*moved, *self._move_arcs(angles)] if s["offset"] else moved

    def _move_hands(self, angles: np.ndarray) -> list[Artist]:
        centres, tips = self._centres, self._tip(angles)
        below = np.stack([tips[:, 0], centres[:, 1]], axis=-1)
        beside = np.stack([centres[:, 0], tips[:, 1]], axis=-1)
        self._hands.set_segments(_lines(centres, tips))
        self._tips.set_data(*tips.T)
        self._sines.set_segments(_lines(centres, beside))
        self._cosines.set_segments(_lines(centres, below))
        self._drops.set_segments(_lines(below, tips, beside))
        return [self._drops, self._sines, self._cosines, self._hands, self._tips]

    def _move_trail(self) -> list[Artist]:
        s, earlier = self.state, self._earlier()
        dots = self._tip(earlier[:, np.newaxis] * self._frequencies())  # (positions, hands, 2)
        ages = np.repeat((s["position"] - 1 - earlier) / max(1, s["trail"]), len(self.pairs))
        self._trail.set_offsets(dots.reshape(-1, 2))
        self._trail.set(sizes=_sizes(ages), facecolor=_shades(ages))
        return [self._trail]

    def _move_arcs(self, angles: np.ndarray) -> list[Artist]:
        """Set the dashed hands, and the arcs that lead to them; whole turns are a circle in the background."""
        turned = self.state["offset"] * self._frequencies()
        tips = self._tip(angles + turned)
        self._ahead.set_segments(_lines(self._centres, tips))
        self._tips_ahead.set_data(*tips.T)
        rest = turned % (2 * np.pi)
        radius = SECTOR * self._radius
        sweep = angles[:, np.newaxis] + rest[:, np.newaxis] * np.linspace(0, 1, 61)
        arcs = self._centres[:, np.newaxis] + radius * _direction(sweep)  # (hands, 61, 2)
        self._sectors.set_verts([*np.concatenate([arcs, self._centres[:, np.newaxis]], axis=1)])
        back = np.minimum(9, 0.7 * radius * rest)[:, np.newaxis]  # how long the two strokes of an arrow's head are
        end, tip = angles + rest - np.pi / 2, arcs[:, -1]
        head = np.stack([tip + back * _direction(end + 0.5), tip, tip + back * _direction(end - 0.7)], axis=1)
        self._arcs.set_segments([*np.concatenate([arcs, head], axis=1)])
        return [self._sectors, self._arcs, self._ahead, self._tips_ahead]

    def _move_numbers(self) -> list[Artist]:
        s, numbers = self.state, self.numbers
        boxes = self._boxes[: len(numbers)]
        self._cells.set_verts([_corners(box) for box in boxes])
        self._cells.set_facecolor([*COLOURS((numbers + 1) / 2)])
        self._readings.set_paths([outline(rounded(number), "bold") for number in numbers])
        self._readings.set_offsets((boxes[:, :2] + boxes[:, 2:]) / 2)
        self._readings.set_facecolor([readable_on(round(number, 2)) for number in numbers])
        ahead = s["position"] + s["offset"]
        what = f", dashed: {ahead}" if s["offset"] else ""
        self._heading.set_text(f"Position {s['position']}{what}")
        return [self._cells, self._readings, self._heading]

    def _write(self, x: float, y: float, words: str, **style: Any) -> Text:
        """Write words into the background."""
        text = self._axes.text(x, y, words, va="center", **style)
        self._words.append(text)
        return text

    def _tip(self, angles: np.ndarray) -> np.ndarray:
        """Return where hands at these angles end: shape (*angles.shape, 2)."""
        return self._centres + self._radius * _direction(angles)

    def _earlier(self) -> np.ndarray:
        """Return the positions that leave a dot, the earliest first."""
        position = self.state["position"]
        return np.arange(max(0, position - self.state["trail"]), position)

    def _hands_in_all(self) -> int:
        return (int(self.state["d_model"]) + 1) // 2

    def _count(self) -> str:
        return f"{_counted(self._hands_in_all(), 'hand')}, {_counted(self.state['d_model'], 'number')}"

    def _frequencies(self) -> np.ndarray:
        """Return the frequencies of the pairs that are shown."""
        of_all = frequencies(self.state["d_model"], self.state["base"])
        return np.take(of_all, self.pairs)

    def _wavelengths(self) -> np.ndarray:
        """Return the wavelengths of the pairs that are shown."""
        of_all = wavelengths(self.state["d_model"], self.state["base"])
        return np.take(of_all, self.pairs)


def _direction(angles: Any) -> np.ndarray:
    """Return the points of the unit circle at these angles: shape (*angles.shape, 2)."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def _lines(*points: np.ndarray) -> list[np.ndarray]:
    """Return a line for each dial through these points of it, each of shape (hands, 2)."""
    return [*np.stack(points, axis=1)]


def _corners(box: np.ndarray) -> list[tuple[float, float]]:
    left, bottom, right, top = box
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


def _sizes(ages: np.ndarray) -> np.ndarray:
    """Return how large dots are, in square points; ages run from 0, the newest, to 1."""
    return 10 + 34 * (1 - ages) ** 2


def _shades(ages: np.ndarray) -> np.ndarray:
    """Return the greys of dots, the newest dark: shape (dots, 3)."""
    return np.repeat(0.25 + 0.5 * ages[:, np.newaxis], 3, axis=1)


def _round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20, 50, … that is no less."""
    ten = max(1.0, 10.0 ** np.floor(np.log10(least)))
    return float(next(step * ten for step in (1, 2, 5, 10) if step * ten >= least))


def _short(position: float) -> str:
    """Write a round position in four characters at most: 500, 1.5k, 200k, 2M."""
    thousands = max(0, int(np.log10(max(position, 1)) // 3))
    return f"{position / 1000**thousands:g}{'kMGT'[thousands - 1] if thousands else ''}"


def _angle(radians: float) -> str:
    """Write an angle in whole turns and degrees."""
    turns, degrees = divmod(float(np.degrees(radians)), 360)
    rest = f"{degrees:.1f}°" if degrees >= 9.995 else f"{degrees:.3g}°"
    return f"{_counted(int(turns), 'turn')} {rest}" if turns else rest


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
