"""Letters as outlines: what words are written with, the same on every machine and quick to write as SVG."""

import functools
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple
from unicodedata import bidirectional

import numpy as np
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.path import Path
from matplotlib.textpath import TextPath

EM = 400  # units in which outlines of letters are written
_LETTERS: dict[Any, str] = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C"}
_POINTS: dict[Any, int] = {Path.MOVETO: 1, Path.LINETO: 1, Path.CURVE3: 2, Path.CURVE4: 3, Path.CLOSEPOLY: 1}


def written(path: Any) -> str:
    """Write a path as SVG does, with one digit after the point."""
    codes = np.asarray(path.codes, np.uint8)
    return _form(codes.tobytes()) % tuple(path.vertices.ravel().tolist())


@functools.lru_cache(maxsize=1024)
def _form(codes: bytes) -> str:
    """Return how paths with these codes are written, with a place for each number; that of a closing is left out."""
    out, at, last = [], 0, 0
    while at < len(codes):
        code, count = codes[at], _POINTS[codes[at]]
        points = " ".join(["%.1f %.1f"] * count)
        out.append("Z%.0s%.0s" if code == Path.CLOSEPOLY else (" " if code == last else _LETTERS[code]) + points)
        at, last = at + count, code
    return "".join(out)


def _written_letter(path: Path) -> str:
    """Write the outline of a letter as SVG does, in whole units and counted from point to point."""
    out, here, start = [], (0, 0), (0, 0)
    for vertices, code in path.iter_segments(simplify=False, curves=True):
        if code == Path.CLOSEPOLY:
            out.append("z")
            here = start
            continue
        points = [(round(x), round(y)) for x, y in vertices.reshape(-1, 2).tolist()]
        out.append(_LETTERS[code].lower() + " ".join(f"{x - here[0]} {y - here[1]}" for x, y in points))
        here = points[-1]
        start = here if code == Path.MOVETO else start
    return "".join(out).replace(" -", "-")


class _Glyph(NamedTuple):
    path: Path
    d: str  # as SVG writes it
    advance: float  # to the next


def letters(text: str, weight: str) -> Iterator[tuple[_Glyph, float]]:
    """Yield the outline of each letter from the left, and where it begins."""
    runs = itertools.groupby(text, lambda character: bidirectional(character) in ("R", "AL"))
    shown = (character for turned, run in runs for character in ([*run][::-1] if turned else run))  # as Hebrew is read
    glyphs = [_glyph(character, weight) for character in shown]
    return zip(glyphs, itertools.accumulate((glyph.advance for glyph in glyphs), initial=0.0), strict=False)


@functools.lru_cache(maxsize=8192)
def outline(text: str, weight: str) -> tuple[str, float]:
    """Return a line of text as SVG writes it, on its baseline, and its width, in units of the font."""
    placed = [*letters(text, weight)]
    width = placed[-1][1] + placed[-1][0].advance if placed else 0.0
    return "".join(f"M{at:.0f} 0{glyph.d}" for glyph, at in placed), width


@functools.cache
def _glyph(character: str, weight: str) -> _Glyph:
    """Return the outline of a character; an empty box where no font here has it."""
    character = character if character.isprintable() else " "
    first = findfont(FontProperties(family="DejaVu Sans", weight=weight))  # which comes with matplotlib
    file = next((file for file in (first, *_other_fonts()) if ord(character) in _characters(file)), None)
    if file is None:
        return _glyph("▯", weight)
    font = get_font(file)
    font.set_size(EM, 72)
    advance = font.load_char(ord(character)).linearHoriAdvance / 65536
    if character.isspace():
        return _Glyph(Path(np.empty((0, 2))), "", advance)
    path = TextPath((0, 0), character, size=EM, prop=FontProperties(fname=file))
    return _Glyph(path, _written_letter(path), advance)


@functools.cache
def _other_fonts() -> tuple[str, ...]:
    return tuple(sorted({entry.fname for entry in fontManager.ttflist if entry.style == "normal"}))


@functools.cache
def _characters(file: str) -> frozenset[int]:
    """Return the characters of a font file; none of one that holds no outlines."""
    try:
        font = get_font(file)
        font.set_size(EM, 72)
        return frozenset(font.get_charmap()) if font.scalable else frozenset()
    except (OSError, RuntimeError):  # a font of bitmaps, or a broken file
        return frozenset()
