"""The colours of the pictures: each has a name and two values, one for light pages and one for dark ones.

Orange says *you are here*, and nothing else. Words are ink or grey, on every cell; a sine is solid and a cosine dashed,
so that the hue only helps.
"""

import numpy as np

LEVELS = 20  # steps of colour from zero to either end
PAPER, BAND, LINE, GREY, INK, HERE = "paper", "band", "line", "grey", "ink", "here"
SINE, COSINE = "sine", "cosine"
GONE = f"n{LEVELS + 1}"  # what is no number

COLOURS = {  # on light pages and on dark ones
    PAPER: ("#ffffff", "#14171b"),
    BAND: ("#f4f5f7", "#1d2127"),  # a quiet ground
    LINE: ("#d7dce2", "#363d46"),  # hairlines; never words
    GREY: ("#5a6470", "#a0a9b4"),  # ticks, notes, tools
    INK: ("#1a1f26", "#eceff3"),  # words, hands, digits
    HERE: ("#c2450a", "#ff9d4f"),  # you are here
    SINE: ("#2f4f6e", "#a8c6e4"),
    COSINE: ("#3d6a58", "#9ad0b4"),
    "zero": ("#f4f5f7", "#20252b"),  # of values from -1 to 1
    "plus": ("#ec8e8b", "#8a4448"),  # rose, the quieter end: slow cosines fill half of every matrix with +1
    "minus": ("#598ec8", "#366aa2"),
}
# Between linear light and OKLab (Ottosson 2020): from sRGB to the cone responses, and from their roots to L, a, b.
_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)


def _roots(colour: str) -> np.ndarray:
    """Return the roots of the cone responses to #rrggbb; straight lines between them are straight in OKLab too."""
    c = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.cbrt(_CONES @ np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4))


def mixed(one: str, other: str, share: float) -> str:
    """Return the colour that far on the way from one to another, in OKLab.

    >>> mixed("#f4f5f7", "#ec8e8b", 0.5)
    '#f3c2c0'
    """
    light = np.linalg.solve(_CONES, ((1 - share) * _roots(one) + share * _roots(other)) ** 3).clip(0, 1)
    c = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * float(x)):02x}" for x in c)


for _level in range(-LEVELS, LEVELS + 1):
    _end = "plus" if _level > 0 else "minus"
    _day, _night = (mixed(COLOURS["zero"][k], COLOURS[_end][k], abs(_level) / LEVELS) for k in (0, 1))
    COLOURS[f"n{_level}"] = _day, _night
COLOURS[GONE] = COLOURS[GREY]
PALETTES = [[COLOURS[f"n{k}"][dark] for k in range(-LEVELS, LEVELS + 2)] for dark in (0, 1)]  # light, dark
SHADES = [  # of shares, from 0 to 1 in as many steps: ink on a quiet ground; light, dark
    [*(mixed(COLOURS[BAND][dark], COLOURS[INK][dark], k / (2 * LEVELS)) for k in range(2 * LEVELS + 1)), "#808080"]
    for dark in (0, 1)
]


def colour_of(number: float) -> str:
    """Return the name of the colour of a number: blue at -1, rose at 1, between them nearly the page at 0."""
    return f"n{round(max(-1.0, min(1.0, number)) * LEVELS)}"


def levels_of(numbers: np.ndarray) -> np.ndarray:
    """Return the levels in the names of the colours of numbers, from -20 to 20; 21 for what is none."""
    return np.nan_to_num(np.rint(np.clip(numbers, -1, 1) * LEVELS), nan=LEVELS + 1).astype(int)
