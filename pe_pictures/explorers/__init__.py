"""The explorers of the notebooks: each is a picture in its first state, with the controls that the picture declares.

They are not written, they follow from their picture: its fields are their arguments, and are refused as it refuses
them. With ``cover=True`` the answer is held back, in the picture and in words, until it is asked for.

Examples
--------
>>> explorer = explore_waves("Dan loves icecream", position=1, d_model=4)
>>> explorer.picture.vector.round(4)
array([0.8415, 0.5403, 0.01  , 1.    ])
>>> explorer.preset("640 positions").picture.state["length"]
640
>>> [explore_binary(number).picture.flips for number in (0, 7)]
[1, 4]
>>> explorer = explore_rounding("bfloat16", "positions")
>>> [explorer.picture.update(position=pos).error > 0 for pos in (200, 256, 257)]
[False, False, True]
>>> explore_training("none").picture.state["step"]
200
"""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from pe_pictures.binary_counter import BinaryCounter
from pe_pictures.board import Board
from pe_pictures.broadcasting import Broadcasting
from pe_pictures.clocks import Clocks
from pe_pictures.explain_this_number import ExplainThisNumber
from pe_pictures.explorers.explorer import Explorer as Explorer
from pe_pictures.explorers.prediction import Prediction as Prediction
from pe_pictures.explorers.prediction import predict as predict
from pe_pictures.frequencies import Frequencies
from pe_pictures.heatmap import Heatmap
from pe_pictures.look_back import LookBack
from pe_pictures.picture import PARAMETERS, Picture
from pe_pictures.rotation import Rotation
from pe_pictures.rounding_errors import RoundingErrors
from pe_pictures.scores import Scores
from pe_pictures.similarity import Similarity
from pe_pictures.stack_and_flatten import StackAndFlatten
from pe_pictures.training import Training
from pe_pictures.waves import Waves
from pe_pictures.who_bites import WhoBites
from pe_pictures.workbench import Workbench

MORE = (  # among the parameters
    "cover : bool\n    Whether the answer is held back until it is asked for.\n"
    "tasks : Tasks or str\n    Tasks that tick below the picture, or the name of the notebooks' own.\n"
)


def _explorer(name: str, picture: type[Picture], *first: str, **start: Any) -> Callable[..., Explorer]:
    """Return the function of this name, which makes a picture of a kind with controls.

    The `first` arguments may be given by place; `start` has those that differ from the picture's own.
    """
    fields = {"sentence" if field.name == "tokens" else field.name: field for field in picture.fields}
    order = [*first, *(name for name in fields if name not in first), "cover", "tasks"]
    defaults = {name: field.default for name, field in fields.items()} | start | {"cover": False, "tasks": ""}
    kinds = dict.fromkeys(first, Parameter.POSITIONAL_OR_KEYWORD)
    taken = Signature([Parameter(n, kinds.get(n, Parameter.KEYWORD_ONLY), default=defaults[n]) for n in order])

    def explore(*args: Any, **kwargs: Any) -> Explorer:
        given = {**start, **taken.bind(*args, **kwargs).arguments}
        more = {name: given.pop(name) for name in ("cover", "tasks") if name in given}
        return Explorer(picture(**{fields[name].name: value for name, value in given.items()}), **more)

    explore.__name__ = explore.__qualname__ = name
    explore.__signature__ = taken  # type: ignore[attr-defined]
    about = picture.about.partition(PARAMETERS)[0]
    explore.__doc__ = f"{about}{picture.parameters(tokens='sentence')}\n{MORE}"
    return explore


explore_number = _explorer("explore_number", ExplainThisNumber, "sentence", "position", "column")
explore_waves = _explorer("explore_waves", Waves, "sentence", position=0)
explore_heatmap = _explorer("explore_heatmap", Heatmap)
explore_clocks = _explorer("explore_clocks", Clocks, "position")
explore_rotation = _explorer("explore_rotation", Rotation, "position", "offset")
explore_binary = _explorer("explore_binary", BinaryCounter, "number")
explore_stacking = _explorer("explore_stacking", StackAndFlatten, "step")
explore_broadcasting = _explorer("explore_broadcasting", Broadcasting)
explore_similarity = _explorer("explore_similarity", Similarity, "offset", "position")
explore_look_back = _explorer("explore_look_back", LookBack, "token")
explore_rounding = _explorer("explore_rounding", RoundingErrors, "kind", "rounded", position=201)
explore_workbench = _explorer("explore_workbench", Workbench)
explore_scores = _explorer("explore_scores", Scores, "relative")
explore_frequencies = _explorer("explore_frequencies", Frequencies, "scaling", "pair")
explore_all = _explorer("explore_all", Board, "sentence", "position", "column")
explore_training = _explorer("explore_training", Training, "run")
explore_who_bites = _explorer("explore_who_bites", WhoBites, "head", "position")
