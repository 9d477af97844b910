"""The explorer of the waves: move a position along them, and change how many there are and how fast they are."""

from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets

from pe_lib.explorers.explorer import Explorer, base_slider, sentence_box, slider
from pe_lib.pictures.waves import MOST, Waves

WIDTHS = (*range(1, 17), 32, 64, 128, 256, 512)


def explore_waves(
    sentence: str | Sequence[str] | None = None,
    *,
    d_model: int = 4,
    length: int = 16,
    base: float = 10_000.0,
    position: int = 0,
) -> Explorer:
    """Read the encoding of a position off its waves, with sliders for the position, d_model, the length and the base.

    Parameters
    ----------
    sentence : str or sequence of str, optional
        A text, split at its spaces, or a list of tokens; there are as many positions as tokens then. A text can be
        changed, or deleted, in a box.
    d_model : int
        The width of the encoding to start with, 1 to 512; of more than 16 columns 16 are shown.
    length : int
        How many positions there are where there is no sentence, 1 to 512.
    base : float
        The number that is raised to a power to start with, 1 or more; the slider offers it beside powers of ten.
    position : int
        The position to start with, counted from 0.

    Returns
    -------
    Explorer
        With the presets "first position", "base 100", "many columns", "long"; the position can play.

    Raises
    ------
    TypeError, ValueError
        If a value is not as described.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> explorer = explore_waves("Dan loves icecream", position=1)
    >>> explorer.picture.vector.round(4)
    array([0.8415, 0.5403, 0.01  , 1.    ])
    >>> explorer.preset("long").picture.state["length"]
    512
    """
    picture = Waves(tokens=sentence, d_model=d_model, length=length, base=base, position=position)
    words = picture.state["tokens"] or ()
    controls = {
        "position": slider("position", position, 0, picture.state["length"] - 1),
        "d_model": _width_slider(picture.state["d_model"]),
        "length": slider("length", picture.state["length"], 1, MOST),
        "base": base_slider(base),
    }
    long: dict[str, Any] = {"length": MOST}
    if tuple(" ".join(words).split()) == words:  # else the box would split words that hold spaces
        controls["tokens"] = sentence_box("sentence", words)
        long["tokens"] = ""
    presets: dict[str, dict[str, Any]] = {
        "first position": {"position": 0},
        "base 100": {"base": 100.0},
        "many columns": {"d_model": MOST},
        "long": long,
    }
    return Explorer(picture, controls, presets, play="position")


def _width_slider(d_model: int) -> widgets.SelectionSlider:
    """Return a slider over small widths, powers of two, and the width to begin with."""
    shown = [(str(d), d) for d in sorted({*WIDTHS, d_model})]
    look = {"layout": widgets.Layout(width="320px"), "style": {"description_width": "80px"}}
    return widgets.SelectionSlider(options=shown, value=d_model, description="d_model", tooltip="d_model", **look)
