"""The picture of stack and flatten shows what NumPy really makes of the two halves, with every ending."""

import math
import random
import re

import numpy as np
import pytest
from sheets import texts

from pe_lib.pictures.stack_and_flatten import ENDINGS, StackAndFlatten

EVERY_ENDING = pytest.mark.parametrize("ending", ENDINGS)
EVERY_SHAPE = pytest.mark.parametrize(("length", "d_model"), [(2, 2), (5, 4), (6, 6)])
SEEDS = pytest.mark.parametrize("seed", range(12))


def formula(pos: int, j: int, d_model: int) -> float:
    angle = pos / 10_000 ** (2 * (j // 2) / d_model)
    return math.cos(angle) if j % 2 else math.sin(angle)


def anywhere(seed: int) -> StackAndFlatten:
    """Return a picture in a state of chance."""
    choose = random.Random(seed)
    length, d_model = choose.choice([2, 3, 4, 7, 9, 10]), choose.choice([2, 4, 6, 8])
    return StackAndFlatten(
        step=choose.choice([0, 10, 20, choose.randrange(21)]),
        ending=choose.choice(ENDINGS),
        length=length,
        d_model=d_model,
        row=choose.randrange(length),
        column=choose.randrange(d_model),
    )


def run(picture: StackAndFlatten) -> dict:
    """Run the lines that the picture shows, and return the arrays by name."""
    length, d_model = picture.state["length"], picture.state["d_model"]
    angle = np.array([[pos / 10_000 ** (2 * i / d_model) for i in range(d_model // 2)] for pos in range(length)])
    arrays = {"np": np, "even": np.sin(angle), "odd": np.cos(angle)}
    for line in re.findall(r"((?:stacked|pe) = .*?) has shape", picture.describe()):
        assert line.split(" = ")[1] in [text.text for text in texts(picture)]
        exec(line, arrays)
    return arrays


def cells(picture: StackAndFlatten) -> list[float]:
    """Return the numbers in the cells, read line by line."""
    found = [text for text in texts(picture) if re.fullmatch(r"-?\d\.\d\d", text.text)]
    return [float(text.text) for text in sorted(found, key=lambda text: (round(text.base), text.left))]


def numbers_named(words: str, encoding: np.ndarray) -> np.ndarray:
    """Return the numbers that a verdict names, like "sin of pos 2, cos of 0"."""
    named = []
    for kind, positions in re.findall(r"(sin|cos) of (?:pos )?(\d+(?:, \d+)*)", words):
        named += [encoding[int(pos), int(kind == "cos") :: 2] for pos in positions.split(", ")]
    return np.concatenate(named)


def _end(text) -> tuple[float, float]:
    left, _, wide, _ = text.box
    return left + wide - 1, text.base - 5


def test_a_click_on_the_matrix_asks_for_the_place_whatever_landed_there():
    targets = [list(StackAndFlatten(step=20, ending=ending).targets()) for ending in ENDINGS]
    assert all([(t.across, t.down) for t in found] == [(("column", range(6)), ("row", range(4)))] for found in targets)


def test_every_part_of_the_state_is_seen_and_presets_change_something():
    states = [
        *({"step": step} for step in range(21)),
        *({"ending": ending} for ending in ENDINGS[1:]),
        *({"row": row, "column": column} for row in (0, 2, 3) for column in range(6)),
        {"length": 5},
        {"d_model": 8},
        *(preset for name, preset in StackAndFlatten.presets.items() if name not in ("stacked", "flattened")),
    ]
    assert len({StackAndFlatten(**state).frame() for state in states}) == len(states)


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"step": 21}, ValueError, "step must lie between 0 and 20, got 21"),
        ({"step": 0.5}, TypeError, "step must be an integer"),
        ({"ending": "stack axis=3"}, ValueError, "ending must be one of 'stack axis=2', .*got 'stack axis=3'"),
        ({"ending": 2}, TypeError, "ending must be one of"),
        ({"ending": ["concatenate"]}, TypeError, "ending must be one of"),
        ({"length": 1}, ValueError, "length must lie between 2 and 10, got 1"),
        ({"length": True}, TypeError, "length must be an integer"),
        ({"d_model": 5}, ValueError, "d_model must be even, got 5"),
        ({"d_model": 10}, ValueError, "d_model must lie between 2 and 8"),
        ({"row": 4}, ValueError, "row must lie between 0 and 3, got 4"),
        ({"column": 6}, ValueError, "column must lie between 0 and 5, got 6"),
        ({"d_model": 2}, ValueError, "column must lie between 0 and 1, got 2"),
        ({"base": 10.0}, TypeError, "has no 'base'"),
    ],
)
def test_what_cannot_be_stacked_is_refused_and_the_picture_stays(state, error, says):
    picture = StackAndFlatten()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.state == StackAndFlatten().state
