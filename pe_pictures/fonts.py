"""How wide words are in Source Sans 3, the one face of pictures, pages and slides; its licence lies beside it."""

import functools
import json
from pathlib import Path
from unicodedata import combining, east_asian_width

FONT = Path(__file__).with_name("font")
WEIGHTS = {"normal": "Regular", "bold": "Semibold"}
ELSEWHERE = {"F": 1.0, "W": 1.0}  # the width, in sizes, of characters of other fonts; else .6


@functools.cache
def widths(weight: str) -> dict[str, float]:
    """Return the width of each character of the font, in parts of its size."""
    stored = json.loads((FONT / "widths.json").read_text("utf-8"))
    return {character: width / 1000 for character, width in stored[WEIGHTS[weight]].items()}


@functools.lru_cache(maxsize=8192)
def width_of(text: str, size: float, weight: str = "normal") -> float:
    """Return how wide a text is, in units of the sheet; a character that the font lacks counts by its kind.

    >>> round(width_of("−0.96", 20), 2), round(width_of("−0.96", 20, "bold"), 2)
    (44.74, 46.54)
    """
    known = widths(weight)
    return sum(known[c] if c in known else _elsewhere(c) for c in text) * size


def _elsewhere(character: str) -> float:
    return 0.0 if combining(character) else ELSEWHERE.get(east_asian_width(character), 0.6)
