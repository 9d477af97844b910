"""Ways to stretch RoPE beyond the length it was trained at: each makes other frequencies of w.

Frequencies are in radians per position, one for each pair of columns; results are float64. `factor` is the length you
want over the trained length, 1 or more.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks


def position_interpolation(w: ArrayLike, factor: float) -> np.ndarray:
    """Divide all frequencies by `factor`, so that position p turns as p/factor did.

    `w` has shape (pairs,) and is above 0. Returns shape (pairs,); raises TypeError or ValueError for other arguments.
    Chen et al. (2023), "Extending Context Window of Large Language Models via Positional Interpolation", section 2.3,
    equation 4.

    >>> position_interpolation([1, 0.1, 0.01, 0.001], 4)
    array([0.25   , 0.025  , 0.0025 , 0.00025])
    """
    return _checks.frequency_array(w) / _checks.finite_number("factor", factor, at_least=1)


def ntk_aware_scaling(w: ArrayLike, factor: float) -> np.ndarray:
    """Divide the frequency of pair i by factor**(i/(pairs-1)): the first by 1, the last by `factor`.

    A greater base, base · factor**(h/(h-2)), would do the same. Arguments and errors are those of
    `position_interpolation`, with two pairs or more. Peng et al. (2023), section 3.1, equation 16, after a post by
    bloc97 (2023).

    >>> ntk_aware_scaling([1, 0.1, 0.01], 4)
    array([1.    , 0.05  , 0.0025])
    """
    w = _checks.frequency_array(w, at_least=2)
    return w / _checks.finite_number("factor", factor, at_least=1) ** np.linspace(0, 1, len(w))


def yarn_scaling(
    w: ArrayLike, factor: float, trained_length: float, *, slow: float = 1, fast: float = 32, ramp: str = "turns"
) -> np.ndarray:
    """Keep the frequency of a pair that turned often within the trained length, and divide that of a slow one.

    Peng et al. (2023), "YaRN: Efficient Context Window Extension of Large Language Models", equations 17 to 20;
    scaled_rope/LlamaYaRNScaledRotaryEmbedding.py in the repository jquesnelle/yarn; apply_scaling in
    models/llama3/model.py of meta-llama/llama-models, which has the ramp "turns" and fast=4.

    Parameters
    ----------
    w : array_like of shape (pairs,)
        The frequencies, above 0.
    factor : float
        What the slow ones are divided by, 1 or more.
    trained_length : float
        In positions, 1 or more.
    slow, fast : float
        A pair that turned `slow` times or less is divided by `factor`; one that turned `fast` times or more is kept.
    ramp : {"turns", "pairs"}
        How much is kept of the pairs between: it grows with their turns, as in the paper, or from pair to pair by
        equal steps, as in the authors' code and what was built on it. The second needs the frequencies of one base, two
        pairs or more.

    Returns
    -------
    ndarray of shape (pairs,), float64

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> yarn_scaling([1, 0.1, 0.01], 4, 2048).round(5)
    array([1.     , 0.1    , 0.00305])
    """
    ramp = _checks.one_of("ramp", ramp, ("turns", "pairs"))
    w = _checks.frequency_array(w, at_least=1 if ramp == "turns" else 2)
    factor = _checks.finite_number("factor", factor, at_least=1)
    turns = _checks.finite_number("trained_length", trained_length, at_least=1) * w / (2 * np.pi)
    slow, fast = _checks.finite_number("slow", slow), _checks.finite_number("fast", fast)
    if not 0 < slow < fast:
        raise ValueError(f"slow must be above 0 and below fast, got {slow:g} and {fast:g}")
    if ramp == "turns":
        kept = np.clip((turns - slow) / (fast - slow), 0, 1)
    else:
        pair_of_fast, pair_of_slow = np.log(turns[0] / np.array([fast, slow])) / math.log(w[0] / w[1])
        last_kept = max(math.floor(pair_of_fast), 0)
        first_divided = min(math.ceil(pair_of_slow), 2 * len(w) - 1)  # h - 1, as the code has it
        kept = 1 - np.clip((np.arange(len(w)) - last_kept) / max(first_divided - last_kept, 1), 0, 1)
    return w * kept + w / factor * (1 - kept)


def yarn_attention_factor(factor: float) -> float:
    """Return what YaRN multiplies queries and keys by, 0.1 · ln(factor) + 1; a score is multiplied by its square.

    Peng et al. (2023), equations 21 and 22. Raises TypeError or ValueError for a `factor` that is not 1 or more.

    >>> round(yarn_attention_factor(16), 4)
    1.2773
    """
    return 0.1 * math.log(_checks.finite_number("factor", factor, at_least=1)) + 1


def scaled_wavelengths(w: ArrayLike, factor: float, trained_length: float) -> dict[str, np.ndarray]:
    """Return after how many positions each pair repeats, 2·pi / w_i, as it was trained and after each scaling.

    A pair whose wavelength is above `trained_length` completed no turn in training. Arguments and errors are those of
    `yarn_scaling`, with two pairs or more. Each array has the shape of `w`.

    >>> [f"{name}: {row[-1]:.0f}" for name, row in scaled_wavelengths([1, 0.1, 0.01], 4, 256).items()]
    ['none: 628', 'interpolation: 2513', 'NTK-aware: 2513', 'YaRN: 2513', 'Llama 3.1: 2513']
    """
    w = _checks.frequency_array(w, at_least=2)
    scaled = {
        "none": w,
        "interpolation": position_interpolation(w, factor),
        "NTK-aware": ntk_aware_scaling(w, factor),
        "YaRN": yarn_scaling(w, factor, trained_length),
        "Llama 3.1": yarn_scaling(w, factor, trained_length, fast=4),
    }
    return {name: 2 * np.pi / frequency for name, frequency in scaled.items()}
