"""Explorers: pictures with sliders around them."""

from pe_lib.explorers.explore import (
    explore_binary,
    explore_broadcasting,
    explore_clocks,
    explore_frequencies,
    explore_heatmap,
    explore_look_back,
    explore_number,
    explore_rounding,
    explore_scores,
    explore_similarity,
    explore_stacking,
    explore_training,
    explore_waves,
    explore_workbench,
)
from pe_lib.explorers.explorer import Explorer
from pe_lib.explorers.prediction import Prediction, predict

__all__ = [
    "Explorer",
    "Prediction",
    "explore_binary",
    "explore_broadcasting",
    "explore_clocks",
    "explore_frequencies",
    "explore_heatmap",
    "explore_look_back",
    "explore_number",
    "explore_rounding",
    "explore_scores",
    "explore_similarity",
    "explore_stacking",
    "explore_training",
    "explore_waves",
    "explore_workbench",
    "predict",
]
