"""The explorer of similarity: move the offset and the position, and see which numbers stand still and which turn."""

from typing import Any

from pe_lib.explorers.explorer import Explorer, base_slider, choice, slider, tick
from pe_lib.pictures.similarity import Similarity

WIDTHS = (2, 4, 6, 8, 16, 32, 64, 128, 256, 512, 1024)
REACHES = (20, 50, 100, 200, 500, 1000, 5000, 20_000)


def explore_similarity(
    offset: int = 1,
    position: int = 0,
    *,
    d_model: int = 64,
    base: float = 10_000.0,
    up_to: int = 100,
    log: bool = False,
) -> Explorer:
    """Compare two encodings that lie an offset apart: their dot product and distance, and their difference.

    Parameters
    ----------
    offset : int
        How far apart the two positions are, 0 to `up_to`; from 1 on a logarithmic axis.
    position : int
        The first of the two positions.
    d_model : int
        The width of the encoding to start with, even, 2 to 1024; the list offers it beside powers of two and 6.
    base : float
        The number that is raised to a power to start with; the slider offers it beside powers of ten.
    up_to : int
        The greatest offset on the axis to start with, 10 to 20,000.
    log : bool
        Whether the axis of offsets is logarithmic.

    Returns
    -------
    Explorer
        With the presets "neighbours" (PE(2) - PE(1) over PE(1) - PE(0)), "first rise" (k = 43 at d_model 512), "far"
        (where the dot product first falls below zero, k = 3284 at d_model 512) and "d_model 6" (small enough to check
        by hand). The position can play.

    Raises
    ------
    TypeError, ValueError
        If there is no such picture.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> explorer = explore_similarity(offset=2)
    >>> [round(explorer.picture.update(position=pos).distance, 4) for pos in (0, 1, 20)]
    [2.7189, 2.7189, 2.7189]
    """
    picture = Similarity(offset=offset, position=position, d_model=d_model, base=base, up_to=up_to, log=log)
    controls = {
        "offset": slider("offset", offset, 0, up_to),
        "position": slider("position", position, 0, max(1000, position)),
        "d_model": choice("d_model", d_model, sorted({*WIDTHS, d_model})),
        "base": base_slider(base),
        "up_to": choice("up_to", up_to, sorted({*REACHES, up_to})),
        "log": tick("logarithmic axis", log),
    }
    wide: dict[str, Any] = {"d_model": 512, "base": 10_000.0}
    presets = {
        "neighbours": {"offset": 1, "position": 1},
        "first rise": {**wide, "offset": 43, "up_to": 100, "log": False},
        "far": {**wide, "offset": 3284, "up_to": 20_000, "log": True},
        "d_model 6": {"d_model": 6, "base": 10_000.0, "offset": 3, "up_to": 20, "log": False},
    }
    return Explorer(picture, controls, presets, play="position")
