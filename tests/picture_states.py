"""Random states of every picture, wider than its explorer can reach, for the tests that sweep them."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from pe_lib import I_LIKE_DEEP_LEARNING, ExplainThisNumber, Run, which_came_first, word_at
from pe_lib.clinic import CASES, LAYOUTS, NUMBERS, RULES, case
from pe_lib.pictures.beyond import Beyond
from pe_lib.pictures.binary_counter import BinaryCounter
from pe_lib.pictures.broadcasting import SHAPES, Broadcasting
from pe_lib.pictures.clocks import Clocks
from pe_lib.pictures.frequencies import SCALINGS, Frequencies
from pe_lib.pictures.heatmap import Heatmap
from pe_lib.pictures.look_back import LookBack
from pe_lib.pictures.picture import Picture
from pe_lib.pictures.rounding_errors import RoundingErrors
from pe_lib.pictures.scores import CONTENTS, RELATIVES, Scores
from pe_lib.pictures.side_by_side import SideBySide
from pe_lib.pictures.similarity import Similarity
from pe_lib.pictures.stack_and_flatten import ENDINGS, StackAndFlatten
from pe_lib.pictures.training import Training
from pe_lib.pictures.waves import Waves
from pe_lib.pictures.workbench import Workbench

SENTENCES = [
    I_LIKE_DEEP_LEARNING.tokens,
    ("alone",),
    tuple(f"word{pos}" for pos in range(8)),
    tuple(f"word{pos}" for pos in range(23)),
    ("<b>bold</b>", "$x^2$", "\\frac{", "smile 😀", "שלום", "two\nlines", "", "x" * 10_000),
]
BASES = [1.5, 10.0, 100.0, 10_000.0, 1e5, 12_345.678]


def explain_this_number(choose: Random) -> dict[str, Any]:
    tokens, d_model = choose.choice(SENTENCES), choose.choice([1, 2, 5, 6, 8, 9, 64, 512])
    return {
        "tokens": tokens,
        "d_model": d_model,
        "base": choose.choice(BASES),
        "position": choose.randrange(len(tokens)),
        "column": choose.randrange(d_model),
    }


def binary_counter(choose: Random) -> dict[str, Any]:
    n_bits = choose.choice([2, 3, 4, 5, 6])
    return {
        "number": choose.choice([0, 2**n_bits - 1, choose.randrange(2**n_bits)]),
        "n_bits": n_bits,
        "d_model": choose.choice([2, 4, 6, 8, 10, 12, 16, 64, 512, 1024]),
        "base": choose.choice([*BASES, 1.0, 1.0001, 2.0, 16.0, 1.62308e9, 9.8765e11, 1e12]),
    }


def similarity(choose: Random) -> dict[str, Any]:
    up_to, log = choose.choice([10, 20, 45, 100, 846, 5000, 20_000]), choose.random() < 0.5
    return {
        "d_model": choose.choice([2, 4, 6, 8, 16, 32, 34, 64, 510, 512, 1024]),
        "base": choose.choice([*BASES, 0.01, 0.5, 1.0, 1.0001, 1e300]),
        "offset": choose.choice([int(log), up_to, choose.randint(1, up_to)]),
        "position": choose.choice([0, 1, 1000, 1_000_000, choose.randrange(1000)]),
        "up_to": up_to,
        "log": log,
    }


def beyond(choose: Random) -> dict[str, Any]:
    trained, count = choose.choice([1, 8, 32, 512]), choose.choice([0, 1, 2, 3, 8])
    lengths = sorted(
        {max(1, round(trained * factor)) for factor in choose.choice([(1,), (1.25, 2, 4, 8), (0.5, 1, 16)])}
    )
    runs = choose.choice([1, 3, 8])
    shares = [[{length: choose.choice([0.0, 1.0, choose.random()]) for length in lengths} for _ in range(runs)]] * count
    names = ["none", "sinusoidal", "random starts", "x" * 400, "$x^2$", "שלום", "two\nlines", "ALiBi"]
    return {
        "results": dict(zip(names, shares, strict=False)),
        "trained": trained,
        "chance": choose.choice([0, 1 / 12, 1]),
    }


def stack_and_flatten(choose: Random) -> dict[str, Any]:
    length, d_model = choose.choice([2, 3, 4, 7, 9, 10]), choose.choice([2, 4, 6, 8])
    return {
        "step": choose.choice([0, 10, 20, choose.randrange(21)]),
        "ending": choose.choice(ENDINGS),
        "length": length,
        "d_model": d_model,
        "row": choose.randrange(length),
        "column": choose.randrange(d_model),
    }


def waves(choose: Random) -> dict[str, Any]:
    tokens, length = choose.choice([None, None, *SENTENCES]), choose.choice([1, 2, 3, 7, 8, 16, 17, 53, 60, 165, 512])
    return {
        "d_model": choose.choice([1, 2, 3, 4, 5, 6, 9, 15, 16, 17, 18, 64, 511, 512]),
        "length": length,
        "base": choose.choice([*BASES, 1.0, 1.0001, 1e9, 1e300]),
        "position": choose.randrange(len(tokens) if tokens else length),
        "tokens": tokens,
    }


def broadcasting(choose: Random) -> dict[str, Any]:
    batch, length = choose.choice([(1, 1), (1, 6), (4, 6), (3, 3), (choose.randint(1, 4), choose.randint(1, 6))])
    return {
        "batch": batch,
        "length": length,
        "d_model": choose.randint(1, 8),
        "shape": choose.choice(SHAPES),
        "padding": choose.choice([0, length - 1, choose.randrange(length)]),
        "sentence": choose.randrange(batch),
        "position": choose.randrange(length),
    }


def clocks(choose: Random) -> dict[str, Any]:
    return {
        "d_model": choose.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 64, 511, 512]),
        "base": choose.choice([*BASES, 1.0, 1.0001, 2.0, 500_000.0, 9.8765e11, 1e12, choose.uniform(1, 20_000)]),
        "position": choose.choice([0, 1, 5, 6, 999_999, 1_000_000, choose.randrange(200), choose.randrange(100_000)]),
        "trail": choose.choice([0, 1, 2, 12, 64]),
        "offset": choose.choice([0, 0, 1, 3, 6, 7, 44, 1000, choose.randrange(1000)]),
    }


def heatmap(choose: Random) -> dict[str, Any]:
    sizes = [1, 2, 3, 6, 10, 11, 16, 17, 50, 64, 300, 511, 512]
    length, d_model = choose.choice(sizes), choose.choice(sizes)
    scale = choose.choice([0.1, 1.0, 22.6, 12_345.6, 1e300])
    numbers = np.random.default_rng(choose.randrange(1000)).normal(scale=scale, size=(length, d_model))
    return {
        "length": length,
        "d_model": d_model,
        "base": choose.choice([*BASES, 1e-4, 0.5, 1.0, 1e300]),
        "layout": choose.choice(["interleaved", "halves"]),
        "position": choose.choice([0, length - 1, choose.randrange(length)]),
        "column": choose.choice([0, d_model - 1, choose.randrange(d_model)]),
        "matrix": choose.choice([None, None, numbers, numbers.astype(np.float32) if scale < 1e30 else numbers]),
        "name": choose.choice([None, "positions from 1", *SENTENCES[-1]]),
    }


def look_back(choose: Random) -> dict[str, Any]:
    length = choose.choice([2, 3, 11, 12, 16, 33, 63, 64, choose.randint(2, 64)])
    return {
        "token": choose.choice([0, length - 1, choose.randrange(length)]),
        "back": choose.choice([-63, -8, -1, 0, 1, 1, 2, 8, 63]),
        "sharpness": choose.choice([0, 1, 10, 30, 50, 100, 1000]),
        "length": length,
        "d_model": choose.choice([2, 4, 6, 8, 16, 64, 510, 512]),
        "start": choose.choice([0, 1, 10, 99_990, 1_000_000]),
        "base": choose.choice([*BASES, 0.01, 0.5, 1.0, 1.0001, 1e300]),
    }


def rounding_errors(choose: Random) -> dict[str, Any]:
    return {
        "kind": choose.choice(["float32", "float16", "bfloat16"]),
        "rounded": choose.choice(["positions", "frequencies", "angles", "sines", "everything"]),
        "position": choose.choice([1, 256, 257, 60_000, choose.randint(1, 60_000)]),
        "d_model": choose.choice([1, 2, 5, 8, 64, 511, 1024]),
    }


def scores(choose: Random) -> dict[str, Any]:
    length = choose.choice([2, 3, 11, 12, 32, 34, 35, 64, 65, 511, 512])
    return {
        "relative": choose.choice(RELATIVES),
        "content": choose.choice(CONTENTS),
        "head": choose.randrange(8),
        "d_model": choose.choice([4, 6, 32, 64, 512]),
        "length": length,
        "base": choose.choice([*BASES, 0.01, 1.0, 1.0001, 1e300]),
        "scale": choose.choice([1.0, 1.5, 4.0, 64.0]),
        "causal": choose.random() < 0.5,
        "query": choose.choice([0, length - 1, choose.randrange(length)]),
        "key": choose.choice([0, length - 1, choose.randrange(length)]),
    }


def scaled_frequencies(choose: Random) -> dict[str, Any]:
    d_model = choose.choice([4, 6, 8, 64, 128, 510, 512])
    return {
        "scaling": choose.choice(SCALINGS),
        "factor": choose.choice([1.0, 1.01, 3.7, 8.0, 64.0]),
        "trained": choose.choice([16, 100, 4096, 131_072, 2**20]),
        "d_model": d_model,
        "base": choose.choice([1.01, 1.5, 10.0, 10_000.0, 5e5, 1e9]),
        "pair": choose.choice([0, d_model // 2 - 1, choose.randrange(d_model // 2)]),
    }


RUNS = [
    Run(steps=60, record=range(0, 61, 20)),
    Run("none", which_came_first(), steps=2, length=2),
    Run(lambda length, d_model: np.zeros((length, d_model)), word_at(3), steps=3, length=5, record=[1, 3]),
    Run("ALiBi", steps=10, length=64),
]


def training(choose: Random) -> dict[str, Any]:
    run = choose.choice(RUNS)
    places = [0, run.length - 1, choose.randrange(run.length)]
    return {"run": run, "step": choose.choice(run.record), "place": choose.choice(places)}


def workbench(choose: Random) -> dict[str, Any]:
    length, d_model = choose.choice([1, 2, 3, 8, 50, 96, 512]), choose.choice([1, 2, 3, 4, 7, 16, 32, 96, 511])
    matrix = np.random.default_rng(choose.randrange(1000)).normal(scale=choose.choice([0.1, 1, 1e6]), size=(length, 6))
    matrix[0, 0] = choose.choice([0.0, np.nan, np.inf])
    return {
        "length": length,
        "d_model": d_model,
        "rule": choose.choice(["as in the paper", *RULES]),
        "base": choose.choice([*BASES, 1.0, 1e12]),
        "layout": choose.choice(LAYOUTS),
        "start": choose.choice([0, 0, 1, 2, -3, 1_000_000]),
        "scale": choose.choice([1.0, 1.0, 0.25, -1.0, 22.6, 0.0]),
        "numbers": choose.choice(["float64", *NUMBERS]),
        "transposed": choose.random() < 0.2,
        "matrix": choose.choice([None, None, None, None, matrix]),
    }


def side_by_side(choose: Random) -> dict[str, Any]:
    shape = choose.choice([1, 2, 9, 10, 64, 512]), choose.choice([2, 4, 10, 32, 512])
    numbers = np.random.default_rng(choose.randrange(1000)).normal(scale=choose.choice([0.1, 1, 1e9]), size=shape)
    return {
        "matrix": choose.choice([numbers, case(choose.choice(list(CASES)), *shape)]),
        "base": choose.choice([*BASES, 1.0, 1e12]),
        "name": choose.choice([None, "Case A", *SENTENCES[-1]]),
    }


STATES: dict[type[Picture], Callable[[Random], dict[str, Any]]] = {
    Beyond: beyond,
    Broadcasting: broadcasting,
    BinaryCounter: binary_counter,
    Clocks: clocks,
    ExplainThisNumber: explain_this_number,
    Frequencies: scaled_frequencies,
    Heatmap: heatmap,
    LookBack: look_back,
    RoundingErrors: rounding_errors,
    Scores: scores,
    SideBySide: side_by_side,
    Similarity: similarity,
    StackAndFlatten: stack_and_flatten,
    Training: training,
    Waves: waves,
    Workbench: workbench,
}
