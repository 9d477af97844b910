"""Compute: the encoding, the worked examples, and all else that the notebooks compute with. It needs NumPy alone.

Read `encoding` first, then `routes`, six ways to make the same table, `examples` and `walkthrough`; these are the
library. The rest is a laboratory, a module for each notebook or two: `binary` for 05, `properties` for 04, 07 and 08,
`network` and `experiments` for 09 and 10, `relatives` for 10 and 14, `rope_scaling` for 10, `wishes` from 01 on,
`precision` for 11, `clinic` for 12.
"""

# ruff: noqa: F401

import types
import typing

from pe_lib._moved import MOVED as _MOVED
from pe_lib.binary import bit_periods, bits, bits_that_flip, place_values
from pe_lib.clinic import broken_encoding, case, pair_lengths, pair_speeds
from pe_lib.encoding import add_positional_encoding, encode_positions, frequencies, shift_rotation, sinusoidal_encoding
from pe_lib.examples import (
    DAN_LOVES_ICECREAM,
    DOG_BITES_MAN,
    HELLO_WORLD_PAD,
    I_LIKE_DEEP_LEARNING,
    MAN_BITES_DOG,
    TWO_SENTENCES,
    Example,
)
from pe_lib.experiments import (
    Run,
    bands,
    by_position,
    networks,
    offset_r2,
    position_scores,
    put_back,
    race,
    right_by,
    scores_by_offset,
    train,
)
from pe_lib.network import ENCODINGS, WORDS, Encoding, Network, hands
from pe_lib.precision import round_to
from pe_lib.properties import distance, dot_product, dot_product_law, wavelengths
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

# The public names are those imported above, without the modules among them.
__all__ = [name for name, value in globals().items() if name[0] != "_" and not isinstance(value, types.ModuleType)]


def __getattr__(name: str) -> typing.Any:
    """Say where a name is that used to be here; ImportError, since `from pe_lib import …` hides the words of others."""
    if name in _MOVED:
        raise ImportError(f"pe_lib has no {name!r} any more. {_MOVED[name]}", name="pe_lib")
    raise AttributeError(f"module 'pe_lib' has no attribute {name!r}")
