"""The explorer of clocks: move the position, and see fast hands jump, slow hands creep, and their shadows."""

from pe_lib import _checks
from pe_lib.explorers.explorer import Explorer, base_slider, slider
from pe_lib.pictures.clocks import RANGES, Clocks

WIDEST = 16  # d_model, up to which every pair has a dial


def explore_clocks(
    position: int = 5,
    *,
    d_model: int = 8,
    base: float = 10_000.0,
    trail: int = 12,
    offset: int = 0,
    last: int = 200,
) -> Explorer:
    """Turn the clock hands of an encoding, one for each pair of columns, with a slider for the position.

    Parameters
    ----------
    position : int
        Where to start, 0 to 1,000,000.
    d_model : int
        The width of the encoding to start with, 1 to 512; the slider goes from 2 to 16, or as far as this.
    base : float
        The number that is raised to a power to start with, 1 to 1e12; the slider offers it beside powers of ten.
    trail : int
        How many earlier positions leave a dot, 0 to 64.
    offset : int
        How many positions a second, dashed hand is ahead, 0 to 1000; 0 for none. The slider goes to 20, or as far as
        this.
    last : int
        The last position of the slider, 0 to 1,000,000; where `position` lies beyond, the slider ends there.

    Returns
    -------
    Explorer
        With the presets "start", "one turn of the fastest" (position 6, just short of 2·pi), "far out" (the last
        position) and "shift by 3" (a dashed hand 3 positions ahead). The position can play.

    Raises
    ------
    TypeError, ValueError
        If a value is not as described.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> explorer = explore_clocks(position=2, d_model=4)
    >>> explorer.picture.numbers.round(4)
    array([ 0.9093, -0.4161,  0.02  ,  0.9998])
    """
    last, farthest = _checks.integer("last", last, at_least=0), RANGES["position"][1]
    if last > farthest:
        raise ValueError(f"last must be at most {farthest}, got {last}")
    picture = Clocks(position=position, d_model=d_model, base=base, trail=trail, offset=offset)
    controls = {
        "position": slider("position", position, 0, max(last, position)),
        "d_model": slider("d_model", d_model, min(2, d_model), max(WIDEST, d_model)),
        "base": base_slider(base),
        "trail": slider("trail", trail, *RANGES["trail"]),
        "offset": slider("offset", offset, 0, max(20, offset)),
    }
    presets = {
        "start": {"position": 0, "offset": 0},
        "one turn of the fastest": {"position": 6, "offset": 0},
        "far out": {"position": max(last, position), "offset": 0},
        "shift by 3": {"offset": 3},
    }
    return Explorer(picture, controls, presets, play="position")
