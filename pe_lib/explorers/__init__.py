"""Explorers: pictures with sliders around them."""

from pe_lib.explorers.binary import explore_binary
from pe_lib.explorers.broadcasting import explore_broadcasting
from pe_lib.explorers.clocks import explore_clocks
from pe_lib.explorers.explorer import Explorer
from pe_lib.explorers.heatmap import explore_heatmap
from pe_lib.explorers.look_back import explore_look_back
from pe_lib.explorers.number import explore_number
from pe_lib.explorers.quiz import predict
from pe_lib.explorers.rounding import explore_rounding
from pe_lib.explorers.similarity import explore_similarity
from pe_lib.explorers.stacking import explore_stacking
from pe_lib.explorers.waves import explore_waves
from pe_lib.explorers.workbench import explore_workbench

__all__ = [
    "Explorer",
    "explore_binary",
    "explore_broadcasting",
    "explore_clocks",
    "explore_heatmap",
    "explore_look_back",
    "explore_number",
    "explore_rounding",
    "explore_similarity",
    "explore_stacking",
    "explore_waves",
    "explore_workbench",
    "predict",
]
