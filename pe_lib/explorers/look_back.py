"""The explorer of a head that looks back: move along the queries, and see where their attention goes."""

from pe_lib.explorers.explorer import Explorer, choice, slider
from pe_lib.pictures.look_back import RANGES, LookBack

WIDTHS = (2, 4, 6, 8, 16, 32, 64, 128, 256, 512)
STARTS = (0, 10, 1000, 100_000, 1_000_000)


def explore_look_back(
    token: int = 5,
    *,
    back: int = 1,
    sharpness: int = 30,
    length: int = 16,
    d_model: int = 64,
    start: int = 0,
    base: float = 10_000.0,
) -> Explorer:
    """Watch a head built by hand that looks some positions back, and knows nothing but positions.

    Parameters
    ----------
    token : int
        The query whose row is drawn out, counted from the first token.
    back : int
        How many positions it looks back, -20 to 20; the slider goes from 8 ahead to 8 back, or as far as this.
    sharpness : int
        What the scores are multiplied by, 0 to 1000; the slider goes to 100, or as far as this.
    length : int
        How many tokens there are, 2 to 64.
    d_model : int
        The width of the encoding to start with, even, 2 to 512; the list offers it beside powers of two and 6.
    start : int
        The position of the first token, 0 to 1,000,000; the list offers it beside others.
    base : float
        The number that is raised to a power.

    Returns
    -------
    Explorer
        With the presets "first token" (which has none before it), "as in attention" (sharpness 1), "two ahead", "eight
        columns" and "far out" (a million positions on). The token can play.

    Raises
    ------
    TypeError, ValueError
        If there is no such picture.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> explorer = explore_look_back()
    >>> explorer.preset("far out").picture.peak
    4
    """
    picture = LookBack(
        token=token, back=back, sharpness=sharpness, length=length, d_model=d_model, start=start, base=base
    )
    controls = {
        "token": slider("token", token, 0, length - 1),
        "back": slider("back", back, min(-8, back), max(8, back)),
        "sharpness": slider("sharpness", sharpness, 0, max(100, sharpness)),
        "length": slider("length", length, *RANGES["length"]),
        "d_model": choice("d_model", d_model, sorted({*WIDTHS, d_model})),
        "start": choice("start", start, sorted({*STARTS, start})),
    }
    presets = {
        "first token": {"token": 0},
        "as in attention": {"sharpness": 1},
        "two ahead": {"back": -2},
        "eight columns": {"d_model": 8},
        "far out": {"start": STARTS[-1]},
    }
    return Explorer(picture, controls, presets, play="token")
