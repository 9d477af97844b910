"""The explorer of one number: move word and column, and see its formula, wave, clock hand and cell."""

from collections.abc import Sequence

import ipywidgets as widgets

from pe_lib.examples import I_LIKE_DEEP_LEARNING
from pe_lib.explorers.explorer import Explorer
from pe_lib.pictures.explain_this_number import ExplainThisNumber

BASES = (10.0, 100.0, 1000.0, 10_000.0, 100_000.0)


def explore_number(
    sentence: str | Sequence[str] = I_LIKE_DEEP_LEARNING.name,
    position: int = 2,
    column: int = 3,
    *,
    d_model: int = 6,
    base: float = 10_000.0,
) -> Explorer:
    """Explain one number of the encoding of a sentence, with sliders for its position, its column and the base.

    Parameters
    ----------
    sentence : str or sequence of str
        A text, split at its spaces, or a list of tokens.
    position, column : int
        Where to start, counted from 0.
    d_model : int
        The width of the encoding.
    base : float
        The number that is raised to a power to start with; the slider offers it beside powers of ten.

    Returns
    -------
    Explorer
        With the presets "first word", "last word", "fastest wave", "slowest wave".

    Raises
    ------
    TypeError, ValueError
        If there is no such number.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> explorer = explore_number("Dan loves icecream", position=1, column=0, d_model=4)
    >>> round(explorer.picture.explanation.value, 4)
    0.8415
    """
    tokens = tuple(sentence.split()) if isinstance(sentence, str) else sentence
    picture = ExplainThisNumber(tokens=tokens, position=position, column=column, d_model=d_model, base=base)
    last, wide = len(picture.state["tokens"]) - 1, widgets.Layout(width="320px")
    style = {"description_width": "80px"}
    bases = sorted({*BASES, float(base)})
    controls = {
        "position": widgets.IntSlider(position, min=0, max=last, description="position", layout=wide, style=style),
        "column": widgets.IntSlider(column, min=0, max=d_model - 1, description="column", layout=wide, style=style),
        "base": widgets.SelectionSlider(
            options=[(f"{b:g}" if b != int(b) else str(int(b)), b) for b in bases],
            value=float(base),
            description="base",
            layout=wide,
            style=style,
        ),
    }
    slowest = (d_model - 1) // 2 * 2
    presets = {
        "first word": {"position": 0},
        "last word": {"position": last},
        "fastest wave": {"position": last, "column": 0},
        "slowest wave": {"position": last, "column": slowest},
    }
    return Explorer(picture, controls, presets)
