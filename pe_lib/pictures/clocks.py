"""Every pair of columns as a clock: a hand that turns with the position, and its two shadows, a sine and a cosine."""

from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from pe_lib.encoding import frequencies
from pe_lib.pictures.colours import BAND, BLUE, GREEN, GREY, INK, ORANGE, PALE, PAPER, PURPLE, YELLOW
from pe_lib.pictures.fields import Integer, Number
from pe_lib.pictures.parts import Place, encoded, vector
from pe_lib.pictures.picture import Picture, Target, Targets, evenly, hold, round_step, rounded, short_length
from pe_lib.pictures.scene import SMALL, TALK, WIDTH, Elements, area, boxes, discs, line, text, width_of

DIALS, IN_A_ROW = 8, 5  # shown at most (of more pairs, some are shown), and in one row; more stand in two
FARTHEST = 1_000_000  # position
TOP = 42.0  # of the cards, below the heading
SECTOR = 0.4  # the radius of the arc between two hands, in parts of the dial's
SHADES = 5  # sizes of the dots that a hand leaves


class Clocks(Picture):
    """Show every pair of columns as a clock hand at the angle w_i·pos, with its sine and its cosine as its shadows.

    A hand starts at the right and turns counter-clockwise. Its shadow on the vertical axis is the sine, column 2i,
    that on the horizontal axis the cosine, column 2i+1 (Vaswani et al. 2017, section 3.5). Dots on the rim show where
    the tip was before; the numbers around the rim are the positions of the first turn. With an offset k, a dashed hand
    shows position pos + k: from hand to hand it is w_i·k, wherever pos is.

    Examples
    --------
    >>> picture = Clocks(position=2, d_model=4)
    >>> picture.pairs, picture.numbers.round(4)
    (array([0, 1]), array([ 0.9093, -0.4161,  0.02  ,  0.9998]))
    """

    fields: ClassVar = (
        Integer("d_model", 8, 1, 512, reach=(2, 2 * DIALS), about="The width; of many pairs 8 are shown"),
        # Below this base, hands would turn too fast to be followed.
        Number("base", 10_000.0, 1, 1e12, about="The number that is raised to a power"),
        Integer("last", 200, 0, FARTHEST, moves=True, hidden=True, about="How far the slider of the position goes"),
        Integer("position", 5, 0, FARTHEST, moves=True, reach=(0, lambda s: s["last"]), about="What the hands show"),
        Integer("trail", 12, 0, 64, moves=True, about="How many earlier positions leave a dot"),
        Integer("offset", 0, 0, 1000, reach=(0, 20), about="How many positions the dashed hand is ahead"),
    )
    shown: ClassVar = ("d_model", "base", "offset")
    play: ClassVar = "position"
    presets: ClassVar = {
        "start at the right": {"position": 0, "offset": 0},
        "nearly one turn": {"position": 6, "offset": 0},
        "position 200": {"position": 200, "offset": 0},
        "3 ahead of 20": {"position": 20, "offset": 3},
        "6 ahead of 20": {"position": 20, "offset": 6},
        "8 hands": {"d_model": 16},
    }
    pages: ClassVar = (
        {"position": range(61), "d_model": (4, 8)},
        {"position": (*range(80, 701, 20), 214), "d_model": (4, 8)},
        {"position": range(21), "offset": (3, 6)},
        {"position": range(21), "base": (100.0,)},
        {"position": range(21), "d_model": (16,)},
    )

    @property
    def pairs(self) -> np.ndarray:
        """The pairs that are shown, the fastest first: integers, shape (hands,)."""
        return np.array(evenly((self.state["d_model"] + 1) // 2, DIALS))

    @property
    def columns(self) -> np.ndarray:
        """The columns of these pairs: integers, shape (numbers,)."""
        columns = (2 * self.pairs[:, np.newaxis] + [0, 1]).ravel()
        return np.extract(columns < self.state["d_model"], columns)

    @property
    def numbers(self) -> np.ndarray:
        """The encoding of the position in these columns: float64, shape (numbers,)."""
        return np.take(encoded(self.state, self.state["position"]), self.columns)

    def words(self) -> str:
        s, k, w = self.state, self.state["offset"], self._frequencies()
        number, said = dict(zip(self.columns, map(rounded, self.numbers), strict=True)), []
        for i, angle in zip(self.pairs, w, strict=True):
            cosine = f"cos {hold(number[2 * i + 1])}" if 2 * i + 1 in number else "its cosine in no column"
            arc = f", arc {_angle(k * angle)}" if k else ""
            said.append(f"{i} ({short_length(2 * np.pi / angle)}): sin {hold(number[2 * i])}, {cosine}{arc}")
        ahead = f" Dashed hands at position {s['position'] + k} are further by an arc that no pos changes." if k else ""
        return (
            f"{len(w)} of {(s['d_model'] + 1) // 2} clock hands at position {s['position']}, one for each pair of "
            f"columns (base {s['base']:.12g}). Earlier positions, as dots: {min(s['trail'], s['position'])}.{ahead} "
            f"Pair (one turn in so many positions): shadows. {'; '.join(said)}."
        )

    def lay(self) -> Elements:
        """Yield the dials, their names and numbers, and what the boxes are called."""
        cards, k, w = _cards(len(self.pairs)), self.state["offset"], self._frequencies()
        r, (x, y) = cards.radius, cards.centres.T
        yield text(WIDTH - 10, 20, "around a dial: the positions of its first turn", SMALL, GREY, "end")
        if len(w) < (hands := (self.state["d_model"] + 1) // 2):
            yield text(700, 20, f"{len(w)} of {hands} pairs", align="end")
        yield boxes([(left, top, cards.wide, cards.high) for left, top in cards.corners], BAND, radius=10)
        yield discs(x, y, r, PAPER, GREY, 1.5)
        yield line(np.r_[np.c_[x - r, x + r], np.c_[x, x]], np.r_[np.c_[y, y], np.c_[y - r, y + r]], PALE, 1.2)
        if (whole := k * w >= 2 * np.pi).any():
            yield discs(x[whole], y[whole], SECTOR * r, "", PURPLE, 2)
        for position, at in self._rim():
            yield text(*at, _short(position), SMALL, GREY)
        names = [f"pair {i}" for i in self.pairs]
        angles = [f"+ {_angle(k * angle)}" if k else f"{_angle(angle)}/step" for angle in w]
        longest = max(width_of(a, TALK, "bold") + width_of(b, TALK) for a, b in zip(names, angles, strict=True))
        size = TALK * min(1.0, (cards.wide - 28) / longest)
        lengths, ((a, b), (c, d)) = [short_length(length) for length in 2 * np.pi / w], cards.turn
        turn = TALK * min(1.0, (cards.wide - c) / max(width_of(length, TALK) for length in lengths))
        for (left, top), name, angle, length in zip(cards.corners, names, angles, lengths, strict=True):
            yield text(left + 10, top + 19, name, size, align="start", weight="bold")
            yield text(left + cards.wide - 10, top + 19, angle, size, PURPLE if k else INK, "end")
            yield text(left + a, top + b, "turn in", turn, GREY, "start")
            yield text(left + c, top + d, length, turn, align="start")
        size = min(TALK, 0.8 * cards.label)
        for n, (left, top, *_) in enumerate(cards.boxes):
            j, kind, colour = 2 * self.pairs[n // 2] + n % 2, *(("cos", GREEN) if n % 2 else ("sin", BLUE))
            name, colour = (f"{j} {kind}", colour) if j < self.state["d_model"] else ("no cos", GREY)
            yield text(left, top - cards.label / 2, name, size, colour, "start", "bold")

    def move(self) -> Elements:
        """Yield the position, the hands with their shadows, dots and arcs, and the numbers."""
        s, cards, w = self.state, _cards(len(self.pairs)), self._frequencies()
        numbers, angles, (x, y) = self.numbers, s["position"] * w, cards.centres.T
        tip_x, tip_y = cards.at(angles)
        yield (name := text(10, 20, f"pos {s['position']}", 30, align="start", weight="bold"))
        if s["offset"]:
            left = name.left + name.box[2] + 24
            yield line([left, left + 44], 20, PURPLE, 3, (8, 5))
            yield text(left + 54, 20, f"pos {s['position'] + s['offset']}", 30, PURPLE, "start")
            turned = s["offset"] * w  # from hand to hand; of whole turns there is a circle in the background
            arcs = cards.at(angles + turned % (2 * np.pi) * np.linspace(0, 1, 31)[:, np.newaxis], SECTOR)
            sectors = np.concatenate([arcs, cards.centres.T[:, np.newaxis]], axis=1)  # (2, 32, hands)
            yield from (area(xs, ys, YELLOW, PURPLE, 1.5) for xs, ys in sectors.transpose(2, 0, 1))
            ahead_x, ahead_y = cards.at(angles + turned)
            yield line(np.c_[x, ahead_x], np.c_[y, ahead_y], PURPLE, 3, (8, 5))
            yield discs(ahead_x, ahead_y, 6, PAPER, PURPLE, 2.5)
        yield line(np.c_[tip_x, tip_x, x], np.c_[y, tip_y, tip_y], GREY, 1.5, (2, 4))
        yield line(np.c_[x], np.c_[y, tip_y], BLUE, 8)
        full = len(numbers) // 2  # hands whose cosine has a column
        yield line(np.c_[x, tip_x][:full], np.c_[y][:full], GREEN, 8, (4, 2))
        earlier = np.arange(max(0, s["position"] - s["trail"]), s["position"])
        for n, positions in enumerate(np.array_split(earlier, SHADES)):
            if len(positions):  # a short stroke with round ends is a dot, and quicker written than a disc
                across, down = (places.ravel() for places in cards.at(positions[:, np.newaxis] * w))
                yield line(np.c_[across - 0.1, across + 0.1], np.c_[down], GREY, 3 + 1.2 * n, (), "round")
        yield line(np.c_[x, tip_x], np.c_[y, tip_y], INK, 4.5, (), "round")
        yield discs(tip_x, tip_y, 7, ORANGE, INK, 1.2)
        places = cards.boxes[: len(numbers)]
        yield from vector(places, numbers, min(0.75 * places[0][3], places[0][2] / 4.15), PAPER)

    def targets(self) -> Targets:
        """Yield the numbers of the rims: a click turns that hand there."""
        half = 0.34 * _cards(len(self.pairs)).radius
        for position, (x, y) in self._rim():
            if position <= FARTHEST:
                yield Target((x - half, y - half, 2 * half, 2 * half), sets={"position": position})

    def _rim(self) -> Iterator[tuple[int, tuple[float, float]]]:
        """Yield positions of the first turns, and where they stand around the dials, like the hours."""
        cards, lengths = _cards(len(self.pairs)), 2 * np.pi / self._frequencies()
        for (left, _), (x, y), length in zip(cards.corners, cards.centres, lengths, strict=True):
            for position in np.arange(0, length, max(1, round_step(length / 8))):
                angle = 2 * np.pi * position / length
                if not angle or (2 * np.pi - angle) * cards.radius >= 26:  # else it would stand on the 0
                    across, up = np.cos(angle), np.sin(angle)
                    half = width_of(_short(position), SMALL) / 2
                    within = (x - left - half - 1) / max(-across, 1e-9)  # the card
                    away = min(cards.radius + 14 + abs(across) * half, within)
                    yield int(position), (x + away * across, y - away * up)

    def _frequencies(self) -> np.ndarray:
        """Return the frequencies of the pairs that are shown."""
        return np.take(frequencies(self.state["d_model"], self.state["base"]), self.pairs)


class _Cards(NamedTuple):
    """Where things stand on the sheet: a card with a dial for each hand, and two boxes for each."""

    corners: np.ndarray  # (hands, 2)
    wide: float
    high: float
    radius: float
    centres: np.ndarray  # (hands, 2)
    boxes: list[Place]
    label: float  # room for the name over a box
    turn: tuple[tuple[float, float], tuple[float, float]]  # where within a card the wavelength's words begin

    def at(self, angles: np.ndarray, part: Any = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Return places at these angles, hands last: across, down; `part` is their share of the radius."""
        x, y = self.centres.T
        return x + part * self.radius * np.cos(angles), y - part * self.radius * np.sin(angles)


@cache
def _cards(hands: int) -> _Cards:
    """Decide where the dials stand and how large they are, with their boxes at the side where there is room."""
    in_a_row = hands if hands <= IN_A_ROW else -(-hands // 2)
    across, down = WIDTH / in_a_row, (Picture.height - TOP) / -(-hands // in_a_row)
    corners = np.array([(k % in_a_row * across + 3, TOP + k // in_a_row * down) for k in range(hands)])
    wide, high = across - 6, down - 6
    if wide > 1.3 * high:
        radius = high / 2 - 45
        dial = 2 * radius + 76
        each, tall = min(wide - dial - 8, 130), min(high / 2 - 65, 62)
        label, left = min(30.0, 0.7 * tall), (wide - dial - 8 - each) / 2
        right = left + dial + min(left, 22)
        middle, turn = (left + 46 + radius, high / 2 + 16), ((right, 45), (right, 66))
        places = [(right, high - 8 - (2 - n) * tall - (1 - n) * label) for n in (0, 1)]
    else:
        radius, each, tall, label = min(high / 2 - 94, wide / 2 - 42), wide / 2 - 14, 46, 30
        middle, turn = (wide / 2, high / 2 - 9), ((10, 47), (92, 47))
        places = [(10 + n * (each + 8), high - 54) for n in (0, 1)]
    found = [(x + left, y + top, each, tall) for x, y in corners for left, top in places]
    return _Cards(corners, wide, high, radius, corners + np.array(middle), found, label, turn)


def _short(position: float) -> str:
    """Write a round position in four characters at most: 500, 1.5k, 200k, 2M."""
    thousands = max(0, int(np.log10(max(position, 1)) // 3))
    return f"{position / 1000**thousands:g}{'kMGT'[thousands - 1] if thousands else ''}"


def _angle(radians: float) -> str:
    """Write an angle in whole turns and degrees."""
    degrees = float(np.degrees(radians))
    if degrees < 360:
        return f"{degrees:.1f}°" if degrees >= 9.995 else f"{degrees:.3g}°"
    turns, rest = divmod(round(degrees, 1 if degrees < 3600 else None), 360)
    return f"{turns:.0f} turn{'s' * (turns > 1)} {rest:.4g}°"
