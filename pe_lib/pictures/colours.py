"""The colours of the pictures: each has a name, and two values, one for light pages and one for dark ones."""

import numpy as np
from PIL.ImageColor import getrgb

LEVELS = 25  # steps of colour from zero to either end
STRONG = {-1: 0.85, 1: 0.6}  # from here on to either end, words on a cell are white, or black where the page is dark
BRIGHT = 0.55  # from here on they are black where the page is dark

PAPER, INK, GREY, PALE, BAND = "paper", "ink", "grey", "pale", "band"
BLUE, GREEN, ORANGE, PURPLE, YELLOW = "blue", "green", "orange", "purple", "yellow"
# On light pages and on dark ones. The hues are those of Okabe and Ito (2008), told apart by colour-blind readers too;
# nothing is said by colour alone.
COLOURS = {
    PAPER: ("#ffffff", "#151515"),
    INK: ("#1b1b1b", "#ececec"),
    GREY: ("#595959", "#b4b4b4"),
    PALE: ("#d9d9d9", "#4d4d4d"),
    BAND: ("#f2f2f2", "#262626"),
    BLUE: ("#0072b2", "#4fb3e8"),
    GREEN: ("#00805d", "#35c99b"),
    ORANGE: ("#d55e00", "#ff8c3a"),
    PURPLE: ("#9a4f84", "#e29bc9"),
    YELLOW: ("#fff0b8", "#4d4212"),
    "strong": ("#ffffff", "#101010"),
    "black": ("#1b1b1b", "#101010"),
    "white": ("#ffffff", "#ffffff"),  # paper that stays white
}
_ENDS = {-1: ((33, 102, 172), (109, 182, 255)), 1: ((178, 24, 43), (255, 138, 107))}  # of numbers: light, dark
_ZERO = ((247, 247, 247), (30, 30, 30))


def _level_colour(level: int, dark: int) -> str:
    """Return the colour of a number in 25ths from -25 to 25, as #rrggbb."""
    end, share = _ENDS[1 if level > 0 else -1][dark], (abs(level) / LEVELS) ** 0.8
    return "#" + "".join(f"{round(z + share * (e - z)):02x}" for z, e in zip(_ZERO[dark], end, strict=True))


COLOURS |= {f"n{k}": (_level_colour(k, 0), _level_colour(k, 1)) for k in range(-LEVELS, LEVELS + 1)}
COLOURS[f"n{LEVELS + 1}"] = COLOURS[GREY]  # what is no number


def colour_of(number: float) -> str:
    """Return the name of the colour of a number: blue at -1, red at 1, between them nearly the page at 0."""
    return f"n{round(max(-1.0, min(1.0, number)) * LEVELS)}"


def levels_of(numbers: np.ndarray) -> np.ndarray:
    """Return the levels in the names of the colours of numbers, from -25 to 25; 26 for what is none."""
    levels: np.ndarray = np.nan_to_num(np.rint(np.clip(numbers, -1, 1) * LEVELS), nan=LEVELS + 1).astype(int)
    return levels


def on(number: float) -> str:
    """Return the name of the colour in which words stand out on the cell of a number."""
    strong = STRONG[1 if number > 0 else -1]
    return "strong" if abs(number) > strong else "black" if abs(number) > BRIGHT else INK


PALETTES = [[getrgb(COLOURS[f"n{k}"][dark]) for k in range(-LEVELS, LEVELS + 2)] for dark in (0, 1)]  # light, dark
