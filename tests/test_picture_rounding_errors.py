"""The picture of rounding errors reads right: what it shows and says is computed here once more."""

import random

import numpy as np
import pytest
from sheets import texts

from pe_lib import encode_positions, round_to
from pe_lib.pictures.rounding_errors import BOTTOM, LEFT, PLOT, RoundingErrors
from pe_lib.pictures.scene import Group, Shape

SEEDS = pytest.mark.parametrize("seed", range(12))


def some_state(seed):
    choose = random.Random(seed)
    return {
        "kind": choose.choice(["float32", "float16", "bfloat16"]),
        "rounded": choose.choice(["positions", "frequencies", "angles", "sines", "everything"]),
        "position": choose.choice([1, 256, 257, 60_000, choose.randint(1, 60_000)]),
        "d_model": choose.choice([1, 2, 5, 8, 64, 511, 1024]),
    }


def row(position, d_model, kind, rounded):
    """Return a row of the encoding with one step rounded, computed column by column."""

    def kept(step, number):
        return float(round_to(number, kind)) if rounded in (step, "everything") else float(number)

    numbers = []
    for j in range(d_model):
        w = kept("frequencies", 10_000.0 ** (-2 * (j // 2) / d_model))
        angle = kept("angles", kept("positions", position) * w)
        numbers.append(kept("sines", np.cos(angle) if j % 2 else np.sin(angle)))
    return np.array(numbers)


def errors(state, position):
    made = row(position, state["d_model"], state["kind"], state["rounded"])
    return np.abs(made - encode_positions(position, state["d_model"]))


def held(layer):
    """Return the shapes that a covered picture holds back."""
    groups = [group for group in layer if isinstance(group, Group) and group.kind == "answer"]
    return [part for group in groups for part in group.parts if isinstance(part, Shape)]


def said(picture, hidden="question"):
    """Return the lines of words: what stands at one height at the side is one line."""
    lines = {}
    for text in texts(picture, hidden):
        key = (text.base, text.left < LEFT)
        lines[key] = lines.get(key, "") + text.text
    return [*lines.values()]


def height(error):
    return PLOT.y(np.log10(max(error, 10**BOTTOM)))


def test_the_presets_show_what_they_are_for():
    seen = {name: RoundingErrors(**{"position": 201, **state}) for name, state in RoundingErrors.presets.items()}
    assert seen["positions"].error > 0.4
    assert seen["angles"].error > 0.4
    assert seen["sines"].error < 0.002
    assert seen["far out"].error > 1


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"kind": "float8"}, ValueError, "kind must be one of 'float32'"),
        ({"kind": 16}, TypeError, "kind must be one of 'float32'"),
        ({"rounded": "tables"}, ValueError, "rounded must be one of 'positions'"),
        ({"position": 0}, ValueError, "position must lie between 1 and 60000"),
        ({"position": 70_000}, ValueError, "position must lie between 1 and 60000"),
        ({"d_model": 0}, ValueError, "d_model must lie between 1 and 1024"),
        ({"d_model": 2.5}, TypeError, "d_model must be an integer"),
    ],
)
def test_what_cannot_be_drawn_is_refused(state, error, says):
    with pytest.raises(error, match=says):
        RoundingErrors(**state)
