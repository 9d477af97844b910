"""The explorer of the heatmap: move along rows and columns of the encoding, or of a matrix of one's own."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pe_lib.explorers.explorer import Explorer, base_slider, choice, slider
from pe_lib.pictures.heatmap import LARGEST, Heatmap
from pe_lib.properties import wavelengths


def explore_heatmap(
    *,
    length: int = 50,
    d_model: int = 64,
    base: float = 10_000.0,
    layout: str = "interleaved",
    position: int = 17,
    column: int = 8,
    matrix: ArrayLike | None = None,
) -> Explorer:
    """See the encoding as an image, and draw out any row as a vector and any column as a wave.

    Parameters
    ----------
    length, d_model : int
        How many positions and columns to start with, 1 to 512.
    base : float
        The number that is raised to a power to start with; the slider offers it beside powers of ten.
    layout : {"interleaved", "halves"}
        sin, cos, sin, cos, … as in the paper, or all the sines followed by all the cosines.
    position, column : int
        The row and column to start with, from 0.
    matrix : array_like of shape (length, d_model), optional
        Numbers to show in place of the encoding; then only position and column can be moved.

    Returns
    -------
    Explorer
        With the presets "first row", "fastest column", "slowest column", "halves" and "ten by six" (small enough to
        read its numbers); for a matrix, "first row", "last row", "first column" and "last column". The position can
        play.

    Raises
    ------
    TypeError, ValueError
        If there is no such row or column, or the matrix cannot be drawn.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> explorer = explore_heatmap()
    >>> explorer.preset("first row").picture.numbers[0, :4]
    array([0., 1., 0., 1.])
    >>> explore_heatmap(matrix=[[1, 2], [3, 4]], position=1, column=0).picture.value
    3.0
    """
    picture = Heatmap(
        length=length, d_model=d_model, base=base, layout=layout, position=position, column=column, matrix=matrix
    )
    s = picture.state
    rows, columns = s["length"], s["d_model"]
    controls: dict[str, Any] = {
        "position": slider("position", s["position"], 0, rows - 1),
        "column": slider("column", s["column"], 0, columns - 1),
    }
    if matrix is not None:
        presets: dict[str, dict[str, Any]] = {
            "first row": {"position": 0},
            "last row": {"position": rows - 1},
            "first column": {"column": 0},
            "last column": {"column": columns - 1},
        }
        return Explorer(picture, controls, presets, play="position")
    controls |= {
        "length": slider("length", rows, 1, LARGEST),
        "d_model": slider("d_model", columns, 1, LARGEST),
        "base": base_slider(s["base"]),
        "layout": choice("layout", s["layout"], ("interleaved", "halves")),
    }
    lengths, step = wavelengths(columns, s["base"]), 2 if s["layout"] == "interleaved" else 1
    presets = {
        "first row": {"position": 0},
        "fastest column": {"column": step * int(np.argmin(lengths))},
        "slowest column": {"column": step * int(np.argmax(lengths))},
        "halves": {"layout": "halves"},
        "ten by six": {"length": 10, "d_model": 6, "position": 2, "column": 3},
    }
    return Explorer(picture, controls, presets, play="position")
