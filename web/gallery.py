"""The gallery of the first page: each explorer as a question, with a small drawing of the one thing that it shows.

The drawings are made for their size, 202 by 126, of the library's own numbers and in the colours of its pictures.
"""

import html
from collections.abc import Callable
from typing import Any

import numpy as np
from docutils import nodes
from notebooks_as_pages import title_of
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import pe_lib
import pe_pictures
from pe_pictures.colours import BAND, GREY, HERE, INK, LINE, PAPER, SINE
from pe_pictures.parts import dot, hand, link, wave
from pe_pictures.scene import T3, Elements, Shape, arc, boxes, discs, line, svg, text
from pe_pictures.style import RULES

SIZE = (202, 126)


def dial(x: float, y: float, radius: float, angle: float, *, marked: bool = True) -> Elements:
    """Yield a dial and its hand, with the dot at its tip."""
    tip = x + radius * np.cos(angle), y - radius * np.sin(angle)
    yield discs(x, y, radius, edge=GREY, width=1.25, opacity=0.6)
    yield hand([x, tip[0]], [y, tip[1]])
    if marked:
        yield dot(*tip, 6)


def curve(of: Callable[[Any], Any], ends: tuple[float, float], left: float, step: float, *at: float) -> Shape:
    """Return a wave from one place to another, `step` wide for each; `at` is the height of its zero, and of a one."""
    xs = np.linspace(*ends, 100)
    return wave(left + step * xs, at[0] - at[1] * of(xs))


def pale(shape: Shape) -> Shape:
    """Return a curve in pale grey."""
    return line(*shape.curves[0].T, GREY, 2, opacity=0.45)  # type: ignore[attr-defined]


def cells(numbers: Any, left: float, top: float, step: tuple[float, float], gap: float = 1.0) -> Elements:
    """Yield a table of coloured cells."""
    for r, row in enumerate(np.atleast_2d(numbers)):
        for j, number in enumerate(row.tolist()):
            place = (left + j * step[0], top + r * step[1], step[0] - gap, step[1] - gap)
            yield boxes([place], f"n{round(20 * number)}", radius=2.0 if gap > 1 else 0.0)


def framed(left: float, top: float, wide: float, high: float) -> Elements:
    """Yield an orange frame on a halo of paper."""
    for colour, width in ((PAPER, 6.0), (HERE, 2.5)):
        yield boxes([(left, top, wide, high)], edge=colour, width=width, radius=3.0)


def number() -> Elements:
    """Yield a hand and the wave that it has drawn so far."""
    height = 62 - 30 * np.sin(2.4)
    yield pale(curve(np.sin, (2.4, 6), 96, 16, 62, 30))
    yield curve(np.sin, (0, 2.4), 96, 16, 62, 30)
    yield from dial(48, 62, 30, 2.4)
    yield link([48 + 30 * np.cos(2.4), 134.4], [height, height])
    yield dot(134.4, height, 6)


def waves() -> Elements:
    """Yield three waves, and one position on all of them."""
    yield link([76, 76], [8, 118])
    for k, w in enumerate((2.1, 0.7, 0.2)):
        yield curve(lambda x, w=w: np.sin(w * x), (0, 10), 14, 17.2, 28 + 34 * k, 13)
        yield dot(76, 28 + 34 * k - 13 * np.sin(w * 62 / 17.2), 5)


def clocks() -> Elements:
    """Yield three hands, each slower than the one before."""
    for k, w in enumerate(pe_lib.frequencies(6)):
        yield from dial(38 + 62 * k, 63, 26, 5.0 * float(w))


def heatmap() -> Elements:
    """Yield the table, and one cell of it."""
    yield from cells(pe_lib.encode_positions(1.6 * np.arange(12), 18, base=400), 12, 9, (10, 9), 0)
    yield from framed(52, 54, 10, 9)


def binary() -> Elements:
    """Yield the bits of eight numbers above a wave."""
    for bit in range(3):
        for pos, on in enumerate(pe_lib.bits(range(8), 3)[:, bit]):
            yield boxes([(14 + 22 * pos, 14 + 20 * bit, 18, 16)], INK if on else LINE, radius=2.0)
    yield curve(lambda x: -np.sin(np.pi * x / 4), (0, 7.6), 23, 22, 96, 16)
    yield dot(89, 96 + 16 * np.sin(3 * np.pi / 4), 6)


def stacking() -> Elements:
    """Yield sines and cosines in two rows, and in one."""
    row = pe_lib.encode_positions([1.2], 8, base=10)
    yield from cells(row[:, 0::2], 20, 18, (22, 24), 3)
    yield from cells(row[:, 1::2], 20, 42, (22, 24), 3)
    yield line([118, 140, 152, 156], [40, 44, 56, 77], GREY, 2)
    yield line([149, 156, 163], [70, 78, 70], GREY, 2)
    yield from cells(row, 14, 88, (22, 22), 3)


def broadcasting() -> Elements:
    """Yield a batch of sentences, and the one table that all of them get."""
    for sentence in (2, 1, 0):
        places = [(22 + 12 * sentence, 44 + 18 * r - 12 * sentence, 62, 15) for r in range(3)]
        yield boxes(places, PAPER, GREY, 1.25, radius=2.0)
    yield text(126, 64, "+", T3, GREY, "middle", "bold")
    yield from cells(pe_lib.encode_positions(range(1, 4), 3, base=9), 144, 36, (16, 18), 3)


def similarity() -> Elements:
    """Yield the dot product over the offset, with its rise to 44."""
    g = np.array([pe_lib.dot_product(k, 64) / 32 for k in range(60)])
    yield line([14, 188], [104, 104], GREY, 1)
    yield wave(14 + 2.9 * np.arange(60), 104 - 92 * g)
    yield dot(14 + 2.9 * 44, 104 - 92 * g[44], 6)


def look_back() -> Elements:
    """Yield words, and an arc from each to the one before."""
    across = np.linspace(0, np.pi, 30)
    for k in range(6):
        here = k == 4
        yield boxes([(14 + 30 * k, 86, 22, 10)], HERE if here else GREY, radius=5.0)
        if k:
            arc = 10 + 30 * k + 15 * np.cos(across), 80 - 34 * np.sin(across)
            yield line(*arc, INK, 5) if here else line(*arc, GREY, 1.5, opacity=0.5)


def rounding() -> Elements:
    """Yield a wave, and the steps that a few digits leave of it."""
    yield pale(curve(np.sin, (0, 6.3), 14, 27.5, 63, 38))
    steps = 63 - 38 * np.sin(0.525 * (np.arange(12) + 0.5))
    yield wave(14 + 14.4 * np.repeat(np.arange(13), 2)[1:-1], np.repeat(steps, 2))
    yield dot(122, steps[7], 6)


def workbench() -> Elements:
    """Yield a table, one row of which does not fit."""
    table = pe_lib.sinusoidal_encoding(7, 10, base=40)
    table[4] = table[0]
    yield from cells(table, 15, 14, (17, 14))
    yield from framed(13, 69, 174, 15)


def scores() -> Elements:
    """Yield scores that depend on where the words are, and scores that do not."""
    for k in range(4):
        yield pale(curve(lambda t, k=k: 0.8 * np.cos(t + 0.9 * k), (0, 5), 14, 15.5, 63, 32))
    yield curve(np.cos, (0, 5), 108, 15.5, 63, 32)


def frequencies() -> Elements:
    """Yield the wavelengths of nine pairs, in steps of one length."""
    yield line([14, 188], [100, 100], GREY, 1)
    for i, length in enumerate(np.log(pe_lib.wavelengths(18))):
        x, y = 20 + 20 * i, 98 - 8 * length
        yield line([x, x], [100, y], GREY, 1.5)
        yield dot(x, y, 6) if i == 5 else discs(x, y, 4.5, SINE)


def training() -> Elements:
    """Yield the map of a head that looks one word back, and a little elsewhere."""
    spread = np.random.default_rng(0).uniform(0, 0.25, (10, 10))
    for r in range(10):
        for j in range(r + 1):
            share = 0.8 if j == max(r - 1, 0) else float(spread[r, j])
            yield boxes([(45 + 11 * j, 8 + 11 * r, 11, 11)], INK, opacity=round(share, 2))


def all_() -> Elements:
    """Yield a hand, its wave and a row of the table."""
    yield curve(np.sin, (0, 6.3), 96, 14, 38, 20)
    yield from dial(50, 38, 20, 1.1)
    yield dot(111.4, 38 - 20 * np.sin(1.1), 5)
    yield from cells(pe_lib.encode_positions([1.1], 10, base=40), 15, 84, (17, 26), 2)


def rotation() -> Elements:
    """Yield two hands, and the angle between them."""
    turned = np.linspace(0.5, 1.7, 30)
    yield line(101 + 24 * np.cos(turned), 63 - 24 * np.sin(turned), GREY, 2)
    yield from dial(101, 63, 46, 1.7, marked=False)
    yield from dial(101, 63, 46, 0.5)


def who_bites() -> Elements:
    """Yield an arc from past the line back over it, where two back would have stayed."""
    yield boxes([(12, 14, 118, 96)], BAND)
    yield line([130, 130], [14, 110], LINE, 1)
    yield discs(np.arange(20, 176, 13), 92, 3, GREY)
    yield arc([(163, 86), (163, 52), (137, 52), (137, 86)], GREY, 2, opacity=0.45)
    yield arc([(163, 86), (163, 0), (85, 0), (85, 86)], INK, 6)
    yield dot(163, 92, 6)


ORDER = (  # as the course meets them
    *(number, waves, clocks, heatmap, binary, rotation, similarity, look_back),
    *(training, who_bites, scores, frequencies, rounding, stacking, broadcasting, workbench, all_),
)


class Gallery(SphinxDirective):
    """List the explorers that are files of their own, each by its question and its drawing."""

    def run(self) -> list[nodes.Node]:
        """Return the list; ValueError if an explorer has no drawing."""
        named = {draw.__name__.rstrip("_"): draw for draw in ORDER}
        explored = {name.removeprefix("explore_") for name in pe_pictures.__all__ if name.startswith("explore_")}
        if missing := explored - set(named):
            raise ValueError(f"no drawing of {sorted(missing)}")
        items = []
        for name, draw in named.items():
            explorer = getattr(pe_pictures, f"explore_{name}")()
            asked = html.escape(explorer.picture.question or title_of(explorer))
            drawn = svg(draw(), *SIZE).replace("<svg ", '<svg aria-hidden="true" ').replace("\n", "")
            items.append(f'<li><a href="explore/{name}.html">{drawn}{asked}</a></li>')
        style = f"<style>.pe-files svg{{{RULES}}}</style>"
        return [nodes.raw("", f'{style}<ul class="pe-files">{"".join(items)}</ul>', format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the gallery."""
    app.add_directive("gallery", Gallery)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
