"""The sinusoidal positional encoding, for the notebooks beside this package: numbers, explanations, pictures, sliders.

Importing this package brings NumPy alone; matplotlib and ipywidgets are imported by the first picture or explorer used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pe_lib.binary import bit_periods, bits, bits_that_flip, place_values
from pe_lib.clinic import broken_encoding, case, pair_lengths, pair_turns
from pe_lib.diagnosis import Diagnosis, Finding, diagnose, diagnose_sum
from pe_lib.encoding import (
    add_positional_encoding,
    encode_positions,
    frequencies,
    shift_rotation,
    sinusoidal_encoding,
)
from pe_lib.examples import (
    CAT_CHASED_MOUSE,
    DAN_LOVES_ICECREAM,
    HELLO_WORLD_PAD,
    I_LIKE_DEEP_LEARNING,
    MOUSE_CHASED_CAT,
    TWO_SENTENCES,
    Example,
)
from pe_lib.exercises import check, hint, solved
from pe_lib.experiments import Run, Task, accuracies, accuracy, train, which_came_first, word_at, word_before
from pe_lib.network import ENCODINGS, WORDS, Encoding, Network
from pe_lib.precision import round_to
from pe_lib.properties import distance, dot_product, dot_product_law, first_rise, wavelengths
from pe_lib.relatives import (
    SCHEMES,
    alibi_bias,
    alibi_slopes,
    attention_scores,
    learned_encoding,
    ntk_aware_scaling,
    position_interpolation,
    rotate,
    scaled_wavelengths,
    t5_bias,
    t5_buckets,
    yarn_attention_factor,
    yarn_scaling,
)
from pe_lib.routes import (
    ROUTES,
    by_rotation,
    cell_by_cell,
    even_odd_slices,
    exp_log,
    pair_index,
    stack_and_flatten,
)
from pe_lib.walkthrough import Explanation, explain
from pe_lib.wishes import wishes

if TYPE_CHECKING:
    from pe_lib.explorers import *  # noqa: F403
    from pe_lib.pictures import *  # noqa: F403

_ON_FIRST_USE = {
    name: module
    for module, names in {
        "pe_lib.pictures": """
            Beyond BinaryCounter Board Broadcasting Clocks ExplainThisNumber Frequencies Heatmap LookBack RoundingErrors
            Scores SideBySide Similarity StackAndFlatten Training Waves Workbench
        """,
        "pe_lib.explorers": """
            Explorer explore_all explore_binary explore_broadcasting explore_clocks explore_frequencies explore_heatmap
            explore_look_back explore_number explore_rounding explore_scores explore_similarity explore_stacking
            explore_training explore_waves explore_workbench predict
        """,
    }.items()
    for name in names.split()
}

__all__ = [
    "CAT_CHASED_MOUSE",
    "DAN_LOVES_ICECREAM",
    "ENCODINGS",
    "HELLO_WORLD_PAD",
    "I_LIKE_DEEP_LEARNING",
    "MOUSE_CHASED_CAT",
    "ROUTES",
    "SCHEMES",
    "TWO_SENTENCES",
    "WORDS",
    "Diagnosis",
    "Encoding",
    "Example",
    "Explanation",
    "Finding",
    "Network",
    "Run",
    "Task",
    "accuracies",
    "accuracy",
    "add_positional_encoding",
    "alibi_bias",
    "alibi_slopes",
    "attention_scores",
    "bit_periods",
    "bits",
    "bits_that_flip",
    "broken_encoding",
    "by_rotation",
    "case",
    "cell_by_cell",
    "check",
    "diagnose",
    "diagnose_sum",
    "distance",
    "dot_product",
    "dot_product_law",
    "encode_positions",
    "even_odd_slices",
    "exp_log",
    "explain",
    "first_rise",
    "frequencies",
    "hint",
    "learned_encoding",
    "ntk_aware_scaling",
    "pair_index",
    "pair_lengths",
    "pair_turns",
    "place_values",
    "position_interpolation",
    "rotate",
    "round_to",
    "scaled_wavelengths",
    "shift_rotation",
    "sinusoidal_encoding",
    "solved",
    "stack_and_flatten",
    "t5_bias",
    "t5_buckets",
    "train",
    "wavelengths",
    "which_came_first",
    "wishes",
    "word_at",
    "word_before",
    "yarn_attention_factor",
    "yarn_scaling",
    *_ON_FIRST_USE,
]


def __getattr__(name: str) -> Any:
    """Import pictures and explorers when they are first asked for."""
    if name in _ON_FIRST_USE:
        return getattr(import_module(_ON_FIRST_USE[name]), name)
    raise AttributeError(f"module 'pe_lib' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
