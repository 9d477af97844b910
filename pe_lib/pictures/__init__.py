"""Pictures of the encoding: each is built once for a state and then moved to another.

A new one is a class in a file of its own here, its name in this file and in `pe_lib/__init__.py`, and a line in
`pe_lib/explorers/__init__.py` if it is to be explored. `clocks.py` shows how one is made.
"""

from pe_lib.pictures.binary_counter import BinaryCounter as BinaryCounter
from pe_lib.pictures.board import Board as Board
from pe_lib.pictures.broadcasting import Broadcasting as Broadcasting
from pe_lib.pictures.clocks import Clocks as Clocks
from pe_lib.pictures.explain_this_number import ExplainThisNumber as ExplainThisNumber
from pe_lib.pictures.frequencies import Frequencies as Frequencies
from pe_lib.pictures.heatmap import Heatmap as Heatmap
from pe_lib.pictures.look_back import LookBack as LookBack
from pe_lib.pictures.picture import Picture as Picture
from pe_lib.pictures.rotation import Rotation as Rotation
from pe_lib.pictures.rounding_errors import RoundingErrors as RoundingErrors
from pe_lib.pictures.scores import Scores as Scores
from pe_lib.pictures.side_by_side import SideBySide as SideBySide
from pe_lib.pictures.similarity import Similarity as Similarity
from pe_lib.pictures.stack_and_flatten import StackAndFlatten as StackAndFlatten
from pe_lib.pictures.training import Training as Training
from pe_lib.pictures.waves import Waves as Waves
from pe_lib.pictures.workbench import Workbench as Workbench
