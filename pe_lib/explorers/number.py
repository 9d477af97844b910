"""The explorer of one number: move word and column, and see its formula, wave, clock hand and cell."""

from collections.abc import Sequence

from pe_lib.examples import I_LIKE_DEEP_LEARNING
from pe_lib.explorers.explorer import Explorer, base_slider, sentence_box, slider
from pe_lib.pictures.explain_this_number import ExplainThisNumber


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
    picture = ExplainThisNumber(tokens=sentence, position=position, column=column, d_model=d_model, base=base)
    words = picture.state["tokens"]
    last = len(words) - 1
    controls = {
        "position": slider("position", position, 0, last),
        "column": slider("column", column, 0, d_model - 1),
        "base": base_slider(base),
    }
    if tuple(" ".join(words).split()) == words:  # else the box would split words that hold spaces
        controls["tokens"] = sentence_box("sentence", words)
    slowest = (d_model - 1) // 2 * 2
    presets = {
        "first word": {"position": 0},
        "last word": {"position": last},
        "fastest wave": {"position": last, "column": 0},
        "slowest wave": {"position": last, "column": slowest},
    }
    return Explorer(picture, controls, presets, play="position")
