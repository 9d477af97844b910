"""Explorers: pictures with sliders around them."""

from pe_lib.explorers.explorer import Explorer
from pe_lib.explorers.number import explore_number
from pe_lib.explorers.quiz import predict

__all__ = ["Explorer", "explore_number", "predict"]
