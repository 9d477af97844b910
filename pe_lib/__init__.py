"""Everything that the notebooks use, to be imported from here.

Read `encoding` first, then `routes`, six ways to make the same table, and `examples`. Importing this package brings
NumPy alone; matplotlib and ipywidgets follow when the first picture or explorer is shown.
"""

# ruff: noqa: F401

import importlib
import types
import typing

from pe_lib.binary import bit_periods, bits, bits_that_flip, place_values
from pe_lib.clinic import broken_encoding, case, pair_lengths, pair_turns
from pe_lib.diagnosis import Diagnosis, Finding, diagnose, diagnose_sum
from pe_lib.encoding import add_positional_encoding, encode_positions, frequencies, shift_rotation, sinusoidal_encoding
from pe_lib.examples import (
    CAT_CHASED_MOUSE,
    DAN_LOVES_ICECREAM,
    HELLO_WORLD_PAD,
    I_LIKE_DEEP_LEARNING,
    MOUSE_CHASED_CAT,
    TWO_SENTENCES,
    Example,
)
from pe_lib.exercises import check, hint, solution, solved
from pe_lib.experiments import (
    Run,
    bands,
    by_position,
    held,
    networks,
    offset_share,
    position_scores,
    race,
    read_off,
    right_by,
    scores_by_offset,
    train,
)
from pe_lib.network import ENCODINGS, WORDS, Encoding, Network, hands
from pe_lib.precision import round_to
from pe_lib.properties import distance, dot_product, dot_product_law, first_rise, wavelengths
from pe_lib.relatives import (
    SCHEMES,
    alibi_bias,
    alibi_slopes,
    attention_scores,
    learned_encoding,
    rotate,
    t5_bias,
    t5_buckets,
)
from pe_lib.rope_scaling import (
    ntk_aware_scaling,
    position_interpolation,
    scaled_wavelengths,
    yarn_attention_factor,
    yarn_scaling,
)
from pe_lib.routes import ROUTES, by_rotation, cell_by_cell, even_odd_slices, exp_log, pair_index, stack_and_flatten
from pe_lib.walkthrough import Explanation, explain
from pe_lib.wishes import wish_board, wishes

if typing.TYPE_CHECKING:
    from pe_lib.explorers import *  # noqa: F403
    from pe_lib.pictures import *  # noqa: F403

_ON_FIRST_USE = {
    name: module
    for module, names in {
        "pe_lib.pictures": """
            BinaryCounter Board Broadcasting Clocks ExplainThisNumber Frequencies Heatmap LookBack Rotation
            RoundingErrors Scores SideBySide Similarity StackAndFlatten Training Waves Workbench
        """,
        "pe_lib.explorers": """
            Explorer explore_all explore_binary explore_broadcasting explore_clocks explore_frequencies explore_heatmap
            explore_look_back explore_number explore_rotation explore_rounding explore_scores explore_similarity
            explore_stacking explore_training explore_waves explore_workbench predict
        """,
    }.items()
    for name in names.split()
}

# The public names are those imported above, without the modules among them, and those that are imported on first use.
__all__ = [name for name, value in globals().items() if name[0] != "_" and not isinstance(value, types.ModuleType)]
__all__ += _ON_FIRST_USE


def __getattr__(name: str) -> typing.Any:
    """Import pictures and explorers when they are first asked for."""
    if name in _ON_FIRST_USE:
        return getattr(importlib.import_module(_ON_FIRST_USE[name]), name)
    raise AttributeError(f"module 'pe_lib' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
