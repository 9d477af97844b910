"""The explorers of the notebooks: each is a picture in its first state, with the controls that the picture declares.

Their arguments are those of the picture they show, and are refused as it refuses them. With ``cover=True`` the answer
is held back, in the picture and in words, until it is asked for.
"""

import dataclasses
from collections.abc import Sequence

from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.examples import I_LIKE_DEEP_LEARNING
from pe_lib.experiments import Run
from pe_lib.explorers.explorer import Explorer
from pe_lib.network import Encoding, Rows
from pe_lib.pictures.binary_counter import BinaryCounter
from pe_lib.pictures.broadcasting import Broadcasting
from pe_lib.pictures.clocks import Clocks
from pe_lib.pictures.explain_this_number import ExplainThisNumber
from pe_lib.pictures.fields import Integer
from pe_lib.pictures.frequencies import Frequencies
from pe_lib.pictures.heatmap import Heatmap
from pe_lib.pictures.look_back import LookBack
from pe_lib.pictures.rounding_errors import RoundingErrors
from pe_lib.pictures.scores import Scores
from pe_lib.pictures.similarity import Similarity
from pe_lib.pictures.stack_and_flatten import StackAndFlatten
from pe_lib.pictures.training import Training
from pe_lib.pictures.waves import Waves
from pe_lib.pictures.workbench import Workbench


def explore_number(
    sentence: str | Sequence[str] = I_LIKE_DEEP_LEARNING.name,
    position: int = 2,
    column: int = 3,
    *,
    d_model: int = 6,
    base: float = 10_000.0,
    cover: bool = False,
) -> Explorer:
    """Explain one number of the encoding of a sentence; see `ExplainThisNumber`. The position can play.

    >>> explore_number(position=2, column=3).picture.explanation.value.__round__(4)
    0.9957
    """
    picture = ExplainThisNumber(tokens=sentence, position=position, column=column, d_model=d_model, base=base)
    return Explorer(picture, cover=cover)


def explore_waves(
    sentence: str | Sequence[str] | None = None,
    *,
    d_model: int = 4,
    length: int = 16,
    base: float = 10_000.0,
    position: int = 0,
    cover: bool = False,
) -> Explorer:
    """Read the encoding of a position off its waves; see `Waves`. The position can play.

    >>> explorer = explore_waves("Dan loves icecream", position=1)
    >>> explorer.picture.vector.round(4)
    array([0.8415, 0.5403, 0.01  , 1.    ])
    >>> explorer.preset("512 positions").picture.state["length"]
    512
    """
    return Explorer(Waves(tokens=sentence, d_model=d_model, length=length, base=base, position=position), cover=cover)


def explore_heatmap(
    *,
    length: int = 50,
    d_model: int = 64,
    base: float = 10_000.0,
    layout: str = "interleaved",
    position: int = 17,
    column: int = 8,
    matrix: ArrayLike | None = None,
    cover: bool = False,
) -> Explorer:
    """See the encoding, or a matrix of your own, as an image; draw out any row and any column. See `Heatmap`.

    >>> explore_heatmap(position=0).picture.numbers[0, :4]
    array([0., 1., 0., 1.])
    >>> explore_heatmap(matrix=[[1, 2], [3, 4]], position=1, column=0).picture.value
    3.0
    """
    picture = Heatmap(
        length=length, d_model=d_model, base=base, layout=layout, position=position, column=column, matrix=matrix
    )
    if matrix is None:
        return Explorer(picture, cover=cover)
    last = {"position": picture.state["length"] - 1, "column": picture.state["d_model"] - 1}
    presets = {"first row": {"position": 0}, "last row": {"position": last["position"]}}
    presets |= {"first column": {"column": 0}, "last column": {"column": last["column"]}}
    return Explorer(picture, {name: (0, end) for name, end in last.items()}, presets, play="position", cover=cover)


def explore_clocks(
    position: int = 5,
    *,
    d_model: int = 8,
    base: float = 10_000.0,
    trail: int = 12,
    offset: int = 0,
    last: int = 200,
    cover: bool = False,
) -> Explorer:
    """Turn the clock hands of an encoding, one for each pair of columns; see `Clocks`. The position can play.

    `last` is the last position of the slider, 0 or more.

    >>> explore_clocks(position=2, d_model=4).picture.numbers.round(4)
    array([ 0.9093, -0.4161,  0.02  ,  0.9998])
    """
    _checks.integer("last", last, at_least=0)
    explorer = Explorer(Clocks(position=position, d_model=d_model, base=base, trail=trail, offset=offset), cover=cover)
    slider = explorer.fields["position"]
    if isinstance(slider, Integer):
        explorer.fields["position"] = dataclasses.replace(slider, reach=(0, last))
    return explorer


def explore_binary(
    number: int = 7, *, n_bits: int = 4, d_model: int = 8, base: float = 10_000.0, cover: bool = False
) -> Explorer:
    """Count in binary beside the encoding; see `BinaryCounter`. The number can play.

    >>> [explore_binary(number).picture.flips for number in (0, 7)]
    [1, 4]
    """
    return Explorer(BinaryCounter(number=number, n_bits=n_bits, d_model=d_model, base=base), cover=cover)


def explore_stacking(
    step: int = 0,
    *,
    ending: str = "stack axis=2",
    length: int = 4,
    d_model: int = 6,
    row: int = 1,
    column: int = 2,
    cover: bool = False,
) -> Explorer:
    """Step from the sines and the cosines to the matrix that NumPy makes of them; see `StackAndFlatten`.

    >>> explore_stacking(20, length=10, ending="stack axis=0").picture.verdict
    '✗ Not the encoding: row 1 holds the sines of positions 2 and 3'
    """
    picture = StackAndFlatten(step=step, ending=ending, length=length, d_model=d_model, row=row, column=column)
    return Explorer(picture, cover=cover)


def explore_broadcasting(
    *,
    batch: int = 2,
    length: int = 3,
    d_model: int = 4,
    shape: str = "(1, L, d)",
    padding: int = 0,
    sentence: int = 0,
    position: int = 1,
    cover: bool = False,
) -> Explorer:
    """Add the encoding to a batch by broadcasting, with right shapes and wrong ones; see `Broadcasting`.

    >>> explore_broadcasting(shape="(L, 1, d)").picture.error
    'operands could not be broadcast together with shapes (2,3,4) (3,1,4)'
    """
    sizes = {"batch": batch, "length": length, "d_model": d_model, "padding": padding}
    return Explorer(Broadcasting(**sizes, shape=shape, sentence=sentence, position=position), cover=cover)


def explore_similarity(
    offset: int = 1,
    position: int = 0,
    *,
    d_model: int = 64,
    base: float = 10_000.0,
    up_to: int = 100,
    log: bool = False,
    cover: bool = False,
) -> Explorer:
    """Compare two encodings that lie an offset apart; see `Similarity`. The position can play.

    >>> explorer = explore_similarity(offset=2)
    >>> [round(explorer.picture.update(position=pos).distance, 4) for pos in (0, 1, 20)]
    [2.7189, 2.7189, 2.7189]
    """
    picture = Similarity(offset=offset, position=position, d_model=d_model, base=base, up_to=up_to, log=log)
    return Explorer(picture, cover=cover)


def explore_look_back(
    token: int = 5,
    *,
    back: int = 1,
    sharpness: int = 30,
    length: int = 16,
    d_model: int = 64,
    start: int = 0,
    base: float = 10_000.0,
    cover: bool = False,
) -> Explorer:
    """Watch a head built by hand that looks some positions back, and knows nothing but positions; see `LookBack`.

    >>> explore_look_back(start=1_000_000).picture.peak
    4
    """
    sizes = {"token": token, "back": back, "sharpness": sharpness, "length": length, "d_model": d_model}
    return Explorer(LookBack(**sizes, start=start, base=base), cover=cover)


def explore_rounding(
    kind: str = "float16", rounded: str = "angles", *, position: int = 201, d_model: int = 64, cover: bool = False
) -> Explorer:
    """Store one step of the encoding in a type with few bits, and see the error; see `RoundingErrors`.

    >>> explorer = explore_rounding("bfloat16", "positions")
    >>> [explorer.picture.update(position=pos).error > 0 for pos in (200, 256, 257)]
    [False, False, True]
    """
    return Explorer(RoundingErrors(kind=kind, rounded=rounded, position=position, d_model=d_model), cover=cover)


def explore_workbench(
    *,
    length: int = 50,
    d_model: int = 32,
    rule: str = "as in the paper",
    base: float = 10_000.0,
    layout: str = "interleaved",
    start: int = 0,
    scale: float = 1.0,
    numbers: str = "float64",
    transposed: bool = False,
    cover: bool = False,
) -> Explorer:
    """Break an encoding, see its matrix, and read what `diagnose` finds; see `Workbench`.

    >>> explore_workbench().picture.diagnosis.ok, explore_workbench(rule="column for pair").picture.diagnosis.ok
    (True, False)
    """
    how = {"rule": rule, "base": base, "layout": layout, "start": start, "scale": scale, "numbers": numbers}
    return Explorer(Workbench(length=length, d_model=d_model, transposed=transposed, **how), cover=cover)


def explore_scores(
    relative: str = "RoPE",
    *,
    content: str = "random",
    head: int = 0,
    d_model: int = 32,
    length: int = 32,
    base: float = 10_000.0,
    scale: float = 4.0,
    causal: bool = False,
    query: int = 20,
    key: int = 12,
    cover: bool = False,
) -> Explorer:
    """See what a relative of the encoding makes of the scores of all queries and keys; see `Scores`. A query can play.

    >>> explore_scores("ALiBi", content="zero").picture.score
    -4.0
    """
    sizes = {"head": head, "d_model": d_model, "length": length, "base": base, "scale": scale}
    picture = Scores(relative, content=content, **sizes, causal=causal, query=query, key=key)
    return Explorer(picture, cover=cover)


def explore_frequencies(
    scaling: str = "YaRN",
    pair: int = 33,
    *,
    factor: float = 4.0,
    trained: int = 4096,
    d_model: int = 128,
    base: float = 10_000.0,
    cover: bool = False,
) -> Explorer:
    """See what each way to scale RoPE does to the wavelength of a pair; see `Frequencies`. The pair can play.

    >>> round(explore_frequencies("interpolation").picture.divisor, 6)
    4.0
    """
    picture = Frequencies(scaling=scaling, pair=pair, factor=factor, trained=trained, d_model=d_model, base=base)
    return Explorer(picture, cover=cover)


def explore_training(
    run: str | Encoding | Rows | Run = "sinusoidal", *, step: int | None = None, place: int = 7, cover: bool = False
) -> Explorer:
    """Train a network, and watch it learn; see `Training`. The step can play, and that is the training.

    `run` is what encodes positions, for a new training of 300 steps as `Run` does it; or a run, trained or not.

    >>> explore_training("none").picture.state["step"]
    0
    """
    picture = Training(run if isinstance(run, Run) else Run(run, steps=300), step=step, place=place)
    return Explorer(picture, cover=cover)
