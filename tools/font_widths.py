"""Write how wide the characters in the pictures' font are, for when it has changed."""

import json
from pathlib import Path

from matplotlib.ft2font import FT2Font, LoadFlags

FONT = Path(__file__).resolve().parent.parent / "pe_pictures" / "font"
UNSCALED = LoadFlags.NO_SCALE | LoadFlags.NO_HINTING


def widths(weight: str) -> dict[str, int]:
    """Return the width of each character in thousandths of the font's size."""
    font = FT2Font(FONT / f"SourceSans3-{weight}.ttf")
    codes = sorted(font.get_charmap())
    return {chr(code): int(font.load_char(code, flags=UNSCALED).horiAdvance) for code in codes if code >= 32}


if __name__ == "__main__":
    found = {weight: widths(weight) for weight in ("Regular", "Semibold")}
    (FONT / "widths.json").write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
