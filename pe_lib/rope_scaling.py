"""Ways to stretch RoPE beyond the length it was trained at: each makes other frequencies of w.

Frequencies are in radians per position, one for each pair of columns; results are float64.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks


def position_interpolation(w: ArrayLike, factor: float) -> np.ndarray:
    """Divide all frequencies by `factor`, so that position p turns as p/factor did.

    `w` has shape (pairs,) and is above 0; `factor`, the wanted length over the trained one, is 1 or more. Returns shape
    (pairs,); raises TypeError or ValueError otherwise. Chen et al. (2023), "Extending Context Window of Large Language
    Models via Positional Interpolation", section 2.3, equation 4.

    >>> position_interpolation([1, 0.1, 0.01, 0.001], 4)
    array([0.25   , 0.025  , 0.0025 , 0.00025])
    """
    return _checks.frequency_array(w) / _checks.finite_number("factor", factor, at_least=1)


def ntk_aware_scaling(w: ArrayLike, factor: float) -> np.ndarray:
    """Divide the frequency of pair i by factor**(i/(pairs-1)): the first by 1, the last by `factor`.

    That is what a greater base does, base · factor**(h/(h-2)). Arguments and errors as for `position_interpolation`,
    with two pairs or more. Peng et al. (2023), section 3.1, equation 16, after a post by bloc97 (2023).

    >>> ntk_aware_scaling([1, 0.1, 0.01], 4)
    array([1.    , 0.05  , 0.0025])
    """
    w = _checks.frequency_array(w, at_least=2)
    scaled: np.ndarray = w / _checks.finite_number("factor", factor, at_least=1) ** np.linspace(0, 1, len(w))
    return scaled


def yarn_scaling(
    w: ArrayLike, factor: float, trained_length: float, *, slow: float = 1, fast: float = 32, ramp: str = "turns"
) -> np.ndarray:
    """Keep the frequency of a pair that turned often within the trained length, and divide that of a slow one.

    A pair that turned `slow` times or less is divided by `factor`, one that turned `fast` times or more is kept. What
    is kept of the others grows with their turns, as in the paper, or with the ramp "pairs" by the same step from pair
    to pair, between whole pairs: so does the authors' code and what was built on it. That ramp needs two pairs or more,
    each slower than the one before by the same factor. Llama 3.1 scales with fast=4 and the first ramp.

    `w`, `factor` and what is returned are as for `position_interpolation`; `trained_length` is 1 or more. Raises
    TypeError or ValueError where an argument is not as described. Peng et al. (2023), "YaRN: Efficient Context Window
    Extension of Large Language Models", equations 17 to 20; scaled_rope/LlamaYaRNScaledRotaryEmbedding.py in the
    repository jquesnelle/yarn; apply_scaling in models/llama3/model.py of meta-llama/llama-models.

    >>> yarn_scaling([1, 0.1, 0.01], 4, 2048).round(5)
    array([1.     , 0.1    , 0.00305])
    """
    w, factor = _checks.frequency_array(w), _checks.finite_number("factor", factor, at_least=1)
    turns = _checks.finite_number("trained_length", trained_length, at_least=1) * w / (2 * np.pi)
    slow, fast = _checks.finite_number("slow", slow), _checks.finite_number("fast", fast)
    if not 0 < slow < fast:
        raise ValueError(f"slow must be above 0 and below fast, got {slow:g} and {fast:g}")
    if _checks.one_of("ramp", ramp, ("turns", "pairs")) == "turns":
        kept = np.clip((turns - slow) / (fast - slow), 0, 1)
    else:
        steps = np.diff(np.log(_checks.frequency_array(w, at_least=2)))
        if not (steps[0] < 0 and np.allclose(steps, steps[0])):
            raise ValueError("w must fall by the same factor from pair to pair for the ramp 'pairs'")
        last_kept = max(math.floor(math.log(fast / turns[0]) / steps[0]), 0)
        first_divided = min(math.ceil(math.log(slow / turns[0]) / steps[0]), 2 * len(w) - 1)
        kept = 1 - np.clip((np.arange(len(w)) - last_kept) / max(first_divided - last_kept, 1), 0, 1)
    scaled: np.ndarray = w * kept + w / factor * (1 - kept)
    return scaled


def yarn_attention_factor(factor: float) -> float:
    """Return by what YaRN multiplies queries and keys, 0.1 · ln(factor) + 1; a score is multiplied by its square.

    Peng et al. (2023), equations 21 and 22. Raises TypeError or ValueError for a `factor` that is not 1 or more.

    >>> round(yarn_attention_factor(16), 4)
    1.2773
    """
    return 0.1 * math.log(_checks.finite_number("factor", factor, at_least=1)) + 1


def scaled_wavelengths(w: ArrayLike, factor: float, trained_length: float) -> dict[str, np.ndarray]:
    """Return after how many positions each pair repeats, 2·pi / w_i, as it was trained and after each scaling.

    A pair whose wavelength is above `trained_length` was never seen to turn once. Arguments and errors as for
    `yarn_scaling`, with two pairs or more. Each array has the shape of `w`.

    >>> [f"{name}: {row[-1]:.0f}" for name, row in scaled_wavelengths([1, 0.1, 0.01], 4, 256).items()]
    ['none: 628', 'interpolation: 2513', 'NTK-aware: 2513', 'YaRN: 2513', 'Llama 3: 2513']
    """
    w = _checks.frequency_array(w, at_least=2)
    scaled = {
        "none": w,
        "interpolation": position_interpolation(w, factor),
        "NTK-aware": ntk_aware_scaling(w, factor),
        "YaRN": yarn_scaling(w, factor, trained_length),
        "Llama 3": yarn_scaling(w, factor, trained_length, fast=4),
    }
    return {name: 2 * np.pi / frequency for name, frequency in scaled.items()}
