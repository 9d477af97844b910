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
    from pe_lib.explorers import Explorer as Explorer
    from pe_lib.explorers import explore_binary as explore_binary
    from pe_lib.explorers import explore_broadcasting as explore_broadcasting
    from pe_lib.explorers import explore_clocks as explore_clocks
    from pe_lib.explorers import explore_frequencies as explore_frequencies
    from pe_lib.explorers import explore_heatmap as explore_heatmap
    from pe_lib.explorers import explore_look_back as explore_look_back
    from pe_lib.explorers import explore_number as explore_number
    from pe_lib.explorers import explore_rounding as explore_rounding
    from pe_lib.explorers import explore_scores as explore_scores
    from pe_lib.explorers import explore_similarity as explore_similarity
    from pe_lib.explorers import explore_stacking as explore_stacking
    from pe_lib.explorers import explore_training as explore_training
    from pe_lib.explorers import explore_waves as explore_waves
    from pe_lib.explorers import explore_workbench as explore_workbench
    from pe_lib.explorers import predict as predict
    from pe_lib.pictures import Beyond as Beyond
    from pe_lib.pictures import BinaryCounter as BinaryCounter
    from pe_lib.pictures import Broadcasting as Broadcasting
    from pe_lib.pictures import Clocks as Clocks
    from pe_lib.pictures import ExplainThisNumber as ExplainThisNumber
    from pe_lib.pictures import Frequencies as Frequencies
    from pe_lib.pictures import Heatmap as Heatmap
    from pe_lib.pictures import LookBack as LookBack
    from pe_lib.pictures import RoundingErrors as RoundingErrors
    from pe_lib.pictures import Scores as Scores
    from pe_lib.pictures import SideBySide as SideBySide
    from pe_lib.pictures import Similarity as Similarity
    from pe_lib.pictures import StackAndFlatten as StackAndFlatten
    from pe_lib.pictures import Training as Training
    from pe_lib.pictures import Waves as Waves
    from pe_lib.pictures import Workbench as Workbench

_ON_FIRST_USE = {
    "Beyond": "pe_lib.pictures",
    "BinaryCounter": "pe_lib.pictures",
    "Broadcasting": "pe_lib.pictures",
    "Clocks": "pe_lib.pictures",
    "ExplainThisNumber": "pe_lib.pictures",
    "Frequencies": "pe_lib.pictures",
    "Heatmap": "pe_lib.pictures",
    "LookBack": "pe_lib.pictures",
    "RoundingErrors": "pe_lib.pictures",
    "Scores": "pe_lib.pictures",
    "SideBySide": "pe_lib.pictures",
    "Similarity": "pe_lib.pictures",
    "StackAndFlatten": "pe_lib.pictures",
    "Training": "pe_lib.pictures",
    "Waves": "pe_lib.pictures",
    "Workbench": "pe_lib.pictures",
    "Explorer": "pe_lib.explorers",
    "explore_binary": "pe_lib.explorers",
    "explore_broadcasting": "pe_lib.explorers",
    "explore_clocks": "pe_lib.explorers",
    "explore_frequencies": "pe_lib.explorers",
    "explore_heatmap": "pe_lib.explorers",
    "explore_look_back": "pe_lib.explorers",
    "explore_number": "pe_lib.explorers",
    "explore_rounding": "pe_lib.explorers",
    "explore_scores": "pe_lib.explorers",
    "explore_similarity": "pe_lib.explorers",
    "explore_stacking": "pe_lib.explorers",
    "explore_training": "pe_lib.explorers",
    "explore_waves": "pe_lib.explorers",
    "explore_workbench": "pe_lib.explorers",
    "predict": "pe_lib.explorers",
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
