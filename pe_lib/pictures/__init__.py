"""Pictures of the encoding: each is built once for a state and then moved to another."""

from pe_lib.pictures.binary_counter import BinaryCounter
from pe_lib.pictures.broadcasting import Broadcasting
from pe_lib.pictures.clocks import Clocks
from pe_lib.pictures.explain_this_number import ExplainThisNumber
from pe_lib.pictures.heatmap import Heatmap
from pe_lib.pictures.picture import Picture
from pe_lib.pictures.similarity import Similarity
from pe_lib.pictures.stack_and_flatten import StackAndFlatten
from pe_lib.pictures.waves import Waves

__all__ = [
    "BinaryCounter",
    "Broadcasting",
    "Clocks",
    "ExplainThisNumber",
    "Heatmap",
    "Picture",
    "Similarity",
    "StackAndFlatten",
    "Waves",
]
