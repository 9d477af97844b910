"""Draw the moving picture of the README: `python tools/moving_picture.py`.

A hand turns from word to word, and the dot that copies its height draws a wave.
"""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from pe_lib.encoding import encode_positions
from pe_pictures.colours import GREY, HERE, INK, LINE
from pe_pictures.parts import dot, hand, link, ring, wave
from pe_pictures.png import png
from pe_pictures.scene import T2, T3, Element, line, text
from pe_pictures.writing import rounded

PLACE = Path(__file__).resolve().parent.parent / "moving_picture.gif"
WORDS = ["dog", "bites", "man", "man", "bites", "dog"]
SAID = "Each word gets the height of the hand, so the same words get other numbers."
HEIGHT, LEFT, STEP = 400.0, 340.0, 140.0  # of the sheet; where the first word is, and from word to word
MIDDLE = (130.0, 190.0, 110.0)  # of the dial, and its radius
SIZE, COLOURS = (880, 320), 32  # pixels
STEPS, MOVING, HELD = 10, 60, 700  # frames from word to word, and how many milliseconds each and each word take


def scene(pos: float) -> Iterator[Element]:
    """Yield the hand, the wave that it has drawn, and the words up to a position, with their numbers."""
    (x, y, r), ahead, done = MIDDLE, np.linspace(pos, 5.3, 100), np.linspace(0, pos, 100)
    tip, here = (x + r * np.cos(pos), y - r * np.sin(pos)), LEFT + STEP * pos
    yield text(24, 30, SAID, T3, INK, "start", "bold")
    yield ring(x, y, r)
    yield line([[x - r, x + r], [x, x]], [[y, y], [y - r, y + r]], LINE, 1)
    yield line([LEFT, LEFT + 5.3 * STEP], [y, y], LINE, 1)
    yield line(LEFT + STEP * ahead, y - r * np.sin(ahead), LINE, 2)
    yield wave(LEFT + STEP * done, y - r * np.sin(done))
    yield link([tip[0], here, here], [tip[1], tip[1], y + r + 14])
    yield hand([x, tip[0]], [y, tip[1]])
    yield dot(*tip)
    yield dot(here, tip[1])
    for k, word in enumerate(WORDS):
        chosen = k == round(pos)
        look = (HERE, "middle", "bold") if chosen else (GREY, "middle")
        yield text(LEFT + STEP * k, y + r + 36, word, T3, *look)
        if k <= pos:
            number = rounded(float(encode_positions([k], 2)[0, 0]), 2)
            yield text(LEFT + STEP * k, y + r + 68, number, T2, INK if chosen else GREY)


def frame(pos: float) -> Image.Image:
    """Return the picture at a position."""
    drawn = Image.open(io.BytesIO(png(scene(pos), HEIGHT))).convert("RGB")
    return drawn.resize(SIZE, Image.Resampling.LANCZOS)


positions, times = [0.0], [HELD]
for word in range(1, len(WORDS)):
    eased = (1 - np.cos(np.linspace(0, np.pi, STEPS + 1)[1:])) / 2
    positions += (word - 1 + eased).tolist()
    times += [MOVING] * (STEPS - 1) + [HELD]
times[-1] *= 3
frames = [frame(pos) for pos in positions]
palette = frames[-1].quantize(COLOURS)  # one for all, so that what stands still is stored once
first, *others = (each.quantize(palette=palette, dither=Image.Dither.NONE) for each in frames)
first.save(PLACE, save_all=True, append_images=others, duration=times, loop=0, optimize=True)
