"""Pictures of the encoding: each is built once for a state and then moved to another."""

from pe_lib.pictures.beyond import Beyond
from pe_lib.pictures.binary_counter import BinaryCounter
from pe_lib.pictures.broadcasting import Broadcasting
from pe_lib.pictures.clocks import Clocks
from pe_lib.pictures.explain_this_number import ExplainThisNumber
from pe_lib.pictures.frequencies import Frequencies
from pe_lib.pictures.heatmap import Heatmap
from pe_lib.pictures.look_back import LookBack
from pe_lib.pictures.picture import Picture
from pe_lib.pictures.rounding_errors import RoundingErrors
from pe_lib.pictures.scores import Scores
from pe_lib.pictures.similarity import Similarity
from pe_lib.pictures.stack_and_flatten import StackAndFlatten
from pe_lib.pictures.training import Training
from pe_lib.pictures.waves import Waves
from pe_lib.pictures.workbench import SideBySide, Workbench

__all__ = [
    "Beyond",
    "BinaryCounter",
    "Broadcasting",
    "Clocks",
    "ExplainThisNumber",
    "Frequencies",
    "Heatmap",
    "LookBack",
    "Picture",
    "RoundingErrors",
    "Scores",
    "SideBySide",
    "Similarity",
    "StackAndFlatten",
    "Training",
    "Waves",
    "Workbench",
]
