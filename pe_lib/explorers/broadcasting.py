"""The explorer of broadcasting: change the shapes, and see which row of the encoding lands on which token."""

from pe_lib.explorers.explorer import Explorer, choice, slider
from pe_lib.pictures.broadcasting import LARGEST, SHAPES, Broadcasting


def explore_broadcasting(
    *,
    batch: int = 2,
    length: int = 3,
    d_model: int = 4,
    shape: str = "(1, L, d)",
    padding: int = 0,
    sentence: int = 0,
    position: int = 1,
) -> Explorer:
    """Add the encoding to a batch by broadcasting, with sliders for the sizes and a choice of shapes, wrong ones too.

    Parameters
    ----------
    batch, length, d_model : int
        The shape of the embeddings: up to 4 sentences of up to 6 tokens of up to 8 numbers.
    shape : {"(1, L, d)", "(L, d)", "(L, 1, d)", "(B, 1, d)"}
        The shape of the encoding. The last two have the positions where the embeddings have their sentences.
    padding : int
        How many tokens at the end of the last sentence are padding.
    sentence, position : int
        The token whose sum is shown in numbers, both from 0.

    Returns
    -------
    Explorer
        With the presets "worked example", "error", "silent mistake", "never an error", "padding".

    Raises
    ------
    TypeError, ValueError
        If there is no such batch or token.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> explorer = explore_broadcasting()
    >>> explorer.preset("error").picture.error
    'operands could not be broadcast together with shapes (2,3,4) (3,1,4)'
    """
    picture = Broadcasting(
        batch=batch,
        length=length,
        d_model=d_model,
        shape=shape,
        padding=padding,
        sentence=sentence,
        position=position,
    )
    controls = {
        "sentence": slider("sentence", sentence, 0, batch - 1),
        "position": slider("position", position, 0, length - 1),
        "shape": choice("shape", shape, SHAPES),
        "batch": slider("batch", batch, 1, LARGEST["batch"]),
        "length": slider("length", length, 1, LARGEST["length"]),
        "d_model": slider("d_model", d_model, 1, LARGEST["d_model"]),
        "padding": slider("padding", padding, 0, length - 1),
    }
    worked = {"batch": 2, "length": 3, "d_model": 4, "padding": 0, "sentence": 1, "position": 2}
    presets = {
        "worked example": {**worked, "shape": "(1, L, d)"},
        "error": {**worked, "shape": "(L, 1, d)"},
        "silent mistake": {**worked, "shape": "(L, 1, d)", "batch": 3},
        "never an error": {**worked, "shape": "(B, 1, d)"},
        "padding": {**worked, "shape": "(1, L, d)", "padding": 1},
    }
    return Explorer(picture, controls, presets, play="position")
