"""The explorer of stack and flatten: step from two tables to one matrix, the right way and other ways."""

from typing import Any

from pe_lib.explorers.explorer import Explorer, choice, slider
from pe_lib.pictures.stack_and_flatten import ENDINGS, LAST, StackAndFlatten


def explore_stacking(
    step: int = 0,
    *,
    ending: str = ENDINGS[0],
    length: int = 4,
    d_model: int = 6,
    row: int = 1,
    column: int = 2,
) -> Explorer:
    """Step from the sines and the cosines of an encoding to the matrix that NumPy makes of them.

    Parameters
    ----------
    step : int
        Where to start: 0 shows the two tables, 10 the stacked array, 20 the matrix.
    ending : {"stack axis=2", "stack axis=1", "stack axis=0", "concatenate"}
        How the halves are put together.
    length : int
        The number of positions, 2 to 10.
    d_model : int
        The width of the encoding; even, 2 to 8.
    row, column : int
        The number to follow: the one the encoding has in this row and column, counted from 0.

    Returns
    -------
    Explorer
        With the presets "two tables", "stacked", "flattened", "axis 0" (what the matrix is with the wrong axis) and
        "ten rows" (the halves of ten positions, to step through). The step can play.

    Raises
    ------
    TypeError, ValueError
        If there is no such step, ending, shape or number.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> explorer = explore_stacking(length=10)
    >>> explorer.preset("axis 0").picture.verdict
    '✗ Not the encoding: row 1 holds the sines of positions 2 and 3'
    """
    picture = StackAndFlatten(step=step, ending=ending, length=length, d_model=d_model, row=row, column=column)
    controls = {
        "step": slider("step", step, 0, LAST),
        "ending": choice("ending", ending, ENDINGS),
        "length": slider("length", length, 2, 10),
        "d_model": slider("d_model", d_model, 2, 8, 2),
        "row": slider("row", row, 0, length - 1),
        "column": slider("column", column, 0, d_model - 1),
    }
    presets: dict[str, dict[str, Any]] = {
        "two tables": {"step": 0},
        "stacked": {"step": LAST // 2, "ending": "stack axis=2"},
        "flattened": {"step": LAST, "ending": "stack axis=2"},
        "axis 0": {"step": LAST, "ending": "stack axis=0"},
        "ten rows": {"step": 0, "ending": "stack axis=2", "length": 10, "d_model": 6},
    }
    return Explorer(picture, controls, presets, play="step")
