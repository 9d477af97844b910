"""The explorer of binary counting: count on, and see bits flip while the sines of the encoding glide."""

from typing import Any

from pe_lib.explorers.explorer import BASES, Explorer, base_slider, slider
from pe_lib.pictures.binary_counter import FEWEST_BITS, MOST_BITS, BinaryCounter


def explore_binary(number: int = 7, *, n_bits: int = 4, d_model: int = 8, base: float = 10_000.0) -> Explorer:
    """Count in binary beside the encoding, with sliders for the number, its bits, the width and the base.

    Parameters
    ----------
    number : int
        Where to start, 0 to 2**n_bits - 1; it can also count on by itself.
    n_bits : int
        How many places the binary number has, 2 to 6.
    d_model : int
        The width of the encoding, even.
    base : float
        The number that is raised to a power to start with; the slider offers it beside 16 and powers of ten.

    Returns
    -------
    Explorer
        With the presets "0 → 1", "7 → 8", "15, the last", "six bits", and "doubling" with d_model 8 and base 16, where
        wavelengths double from pair to pair as periods do from bit to bit.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5; the comparison with bits is not the paper's.

    Examples
    --------
    >>> explorer = explore_binary()
    >>> [explorer.preset(name).picture.flips for name in ("0 → 1", "7 → 8")]
    [1, 4]
    """
    picture = BinaryCounter(number=number, n_bits=n_bits, d_model=d_model, base=base)
    controls = {
        "number": slider("number", number, *picture.limits(picture.state)["number"]),
        "n_bits": slider("n_bits", n_bits, FEWEST_BITS, MOST_BITS),
        "d_model": slider("d_model", d_model, 2, max(64, d_model), 2),
        "base": base_slider(base, (16.0, *BASES)),
    }
    presets: dict[str, dict[str, Any]] = {
        "0 → 1": {"number": 0},
        "7 → 8": {"number": 7, "n_bits": 4},
        "15, the last": {"number": 15, "n_bits": 4},
        "six bits": {"number": 31, "n_bits": 6, "d_model": 12},
        "doubling": {"number": 7, "n_bits": 4, "d_model": 8, "base": 16.0},
    }
    return Explorer(picture, controls, presets, play="number")
