"""The explorer of the workbench: break an encoding in as many places as you like, and have it diagnosed."""

from typing import Any

from pe_lib.clinic import LAYOUTS, NUMBERS, RULES
from pe_lib.explorers.explorer import Explorer, base_slider, choice, slider, tick
from pe_lib.pictures.workbench import Workbench

LONGEST = 96  # rows and columns that the sliders offer
FIRST_POSITIONS = (-3, 20)
SCALES = (0.25, 0.5, 1.0, 2.0, 4.0)


def explore_workbench(
    *,
    length: int = 50,
    d_model: int = 32,
    rule: str = "as in the paper",
    base: float = 10_000.0,
    layout: str = "interleaved",
    start: int = 0,
    scale: float = 1.0,
    numbers: str = "float64",
    transposed: bool = False,
) -> Explorer:
    """Break an encoding, see the matrix and its frequencies, and read what `diagnose` finds.

    Parameters
    ----------
    length, d_model, rule, base, layout, start, scale, numbers, transposed
        What to begin with, as for `pe_lib.clinic.broken_encoding`; length and d_model 1 to 96, start -3 to 20, and a
        scale of 1/4, 1/2, 1, 2 or 4.

    Returns
    -------
    Explorer
        With the presets "most copied" (the column for the pair), "power of ten" (of a natural logarithm), "two at
        once", "variant", "too little to tell" and "many". The first position can play.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> explorer = explore_workbench()
    >>> explorer.picture.diagnosis.ok, explorer.preset("power of ten").picture.diagnosis.ok
    (True, False)
    """
    picture = Workbench(
        length=length,
        d_model=d_model,
        rule=rule,
        base=base,
        layout=layout,
        start=start,
        scale=scale,
        numbers=numbers,
        transposed=transposed,
    )
    least, greatest = FIRST_POSITIONS
    controls: dict[str, Any] = {
        "start": slider("start", start, min(start, least), max(start, greatest)),
        "rule": choice("rule", rule, tuple(RULES)),
        "base": base_slider(base),
        "layout": choice("layout", layout, LAYOUTS),
        "scale": choice("scale", scale, sorted({*SCALES, scale})),
        "numbers": choice("numbers", numbers, NUMBERS),
        "length": slider("length", length, 1, max(length, LONGEST)),
        "d_model": slider("d_model", d_model, 1, max(d_model, LONGEST)),
        "transposed": tick("transposed", transposed),
    }
    whole = {name: Workbench.defaults[name] for name in controls}
    presets = {
        "most copied": {**whole, "rule": "column for pair"},
        "power of ten": {**whole, "rule": "ln under 10 to the power"},
        "two at once": {**whole, "rule": "each column its own", "base": 1000.0},
        "variant": {**whole, "layout": "halves", "rule": "down to 1/base"},
        "too little to tell": {**whole, "d_model": 2, "base": 100.0},
        "many": {**whole, "layout": "swapped", "base": 1000.0, "start": 1, "scale": 2.0},
    }
    return Explorer(picture, controls, presets, play="start")
