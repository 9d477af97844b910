"""See the encoding: pictures that are built once for a state and then moved to another, and explorers around them.

Read `clocks`, which shows how a picture is made, then `picture`, `fields` and `scene`, which it rests on, and
`explorers`, which adds the controls. A new picture is a class in a file of its own, its name here, and a line in
`explorers/__init__.py` if it is to be explored.
"""

from pe_pictures.binary_counter import BinaryCounter
from pe_pictures.board import Board
from pe_pictures.broadcasting import Broadcasting
from pe_pictures.clocks import Clocks
from pe_pictures.explain_this_number import ExplainThisNumber
from pe_pictures.explorers import (
    Explorer,
    explore_all,
    explore_binary,
    explore_broadcasting,
    explore_clocks,
    explore_frequencies,
    explore_heatmap,
    explore_look_back,
    explore_number,
    explore_rotation,
    explore_rounding,
    explore_scores,
    explore_similarity,
    explore_stacking,
    explore_training,
    explore_waves,
    explore_who_bites,
    explore_workbench,
    predict,
)
from pe_pictures.frequencies import Frequencies
from pe_pictures.heatmap import Heatmap
from pe_pictures.look_back import LookBack
from pe_pictures.picture import Picture
from pe_pictures.rotation import Rotation
from pe_pictures.rounding_errors import RoundingErrors
from pe_pictures.scores import Scores
from pe_pictures.similarity import Similarity
from pe_pictures.stack_and_flatten import StackAndFlatten
from pe_pictures.training import Training
from pe_pictures.waves import Waves
from pe_pictures.who_bites import WhoBites
from pe_pictures.workbench import Workbench

__all__ = [
    "BinaryCounter",
    "Board",
    "Broadcasting",
    "Clocks",
    "ExplainThisNumber",
    "Explorer",
    "Frequencies",
    "Heatmap",
    "LookBack",
    "Picture",
    "Rotation",
    "RoundingErrors",
    "Scores",
    "Similarity",
    "StackAndFlatten",
    "Training",
    "Waves",
    "WhoBites",
    "Workbench",
    "explore_all",
    "explore_binary",
    "explore_broadcasting",
    "explore_clocks",
    "explore_frequencies",
    "explore_heatmap",
    "explore_look_back",
    "explore_number",
    "explore_rotation",
    "explore_rounding",
    "explore_scores",
    "explore_similarity",
    "explore_stacking",
    "explore_training",
    "explore_waves",
    "explore_who_bites",
    "explore_workbench",
    "predict",
]
