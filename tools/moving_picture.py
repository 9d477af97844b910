"""Draw the moving picture of the README, a frame for each word: `python tools/moving_picture.py`."""

import io
from pathlib import Path

from PIL import Image, ImageOps

from pe_lib import ExplainThisNumber

PLACE = Path(__file__).resolve().parent.parent / "explain_this_number.gif"
WORDS = "dog bites man man bites dog"
WIDE = 1100  # pixels
MARGIN = 24
HELD = 900  # milliseconds a word; twice as long for the last

frames = []
for position in range(len(WORDS.split())):
    drawn = Image.open(io.BytesIO(ExplainThisNumber(WORDS, d_model=8, position=position).png())).convert("RGB")
    drawn = drawn.resize((WIDE, round(drawn.height * WIDE / drawn.width)), Image.Resampling.LANCZOS)
    frames.append(ImageOps.expand(drawn, MARGIN, "white"))
times = [HELD] * (len(frames) - 1) + [2 * HELD]
frames[0].save(PLACE, save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True)
