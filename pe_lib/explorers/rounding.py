"""The explorer of rounding: choose a type, what is stored in it, and a position, and see how far its row is off."""

from pe_lib.explorers.explorer import Explorer, choice, slider
from pe_lib.pictures.rounding_errors import RoundingErrors
from pe_lib.precision import KINDS, STEPS

WIDTHS = (2, 4, 8, 16, 64, 128, 512)
REACH = 3000  # how far the slider of positions goes; float16 loses the first of them at 2049


def explore_rounding(
    kind: str = "float16", rounded: str = "angles", *, position: int = 201, d_model: int = 64
) -> Explorer:
    """Store one step of the encoding in a type with few bits, and see how the error depends on the position.

    Parameters
    ----------
    kind : {"float32", "float16", "bfloat16"}
        The type to start with.
    rounded : {"positions", "frequencies", "angles", "sines", "everything"}
        What is stored in it to start with; cosines are meant with the sines.
    position : int
        The position that is marked at first, 1 to 60,000; the slider goes to 3000, or as far as this.
    d_model : int
        The width to start with, 1 to 1024; the list offers it beside powers of two.

    Returns
    -------
    Explorer
        With the presets "positions" (in bfloat16, at 257, where the first one is lost), "angles" (in bfloat16, at 214,
        where none is) and "sines" (in bfloat16, at 2999). The position can play.

    Raises
    ------
    TypeError, ValueError
        If there is no such picture.

    Examples
    --------
    >>> explorer = explore_rounding("bfloat16", "positions")
    >>> [explorer.picture.update(position=pos).error > 0 for pos in (200, 256, 257)]
    [False, False, True]
    """
    picture = RoundingErrors(kind=kind, rounded=rounded, position=position, d_model=d_model)
    controls = {
        "kind": choice("kind", kind, KINDS),
        "rounded": choice("rounded", rounded, (*STEPS, "everything")),
        "position": slider("position", position, 1, max(REACH, position)),
        "d_model": choice("d_model", d_model, sorted({*WIDTHS, d_model})),
    }
    presets = {
        "positions": {"kind": "bfloat16", "rounded": "positions", "position": 257},
        "angles": {"kind": "bfloat16", "rounded": "angles", "position": 214},
        "sines": {"kind": "bfloat16", "rounded": "sines", "position": 2999},
    }
    return Explorer(picture, controls, presets, play="position")
