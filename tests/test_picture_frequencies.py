"""The picture of scaled frequencies says the wavelengths of the formulas, and marks which pairs were kept."""

import math

import numpy as np
import pytest
from sheets import random_state, texts

from pe_lib.pictures.colours import BLUE, ORANGE, PURPLE
from pe_lib.pictures.frequencies import SCALINGS, Frequencies
from pe_lib.pictures.scene import Group, Shape


def some_state(seed):
    return random_state(Frequencies, seed)


def said(picture, hidden="question"):
    return [text.text for text in texts(picture, hidden)]


def marks(picture):
    """Return of each row, by its height, how many marks there are of each colour."""
    parts = list(picture.lay())
    parts += [part for group in parts if isinstance(group, Group) for part in group.parts]
    found = {}
    for part in parts:
        if isinstance(part, Shape) and part.edge in (BLUE, PURPLE, ORANGE) and len(part.path.vertices) % 2 == 0:
            row = round(part.path.vertices[:2, 1].mean())
            found.setdefault(row, {})[part.edge] = len(part.path.vertices) // 2
    return [found[row] for row in sorted(found)[: len(SCALINGS)]]


def divisor(scaling, state):
    """Write the divisors out in plain Python."""
    d_model, factor, pair = state["d_model"], state["factor"], state["pair"]
    turns = state["trained"] / (2 * math.pi) * state["base"] ** (-2 * pair / d_model)
    if scaling == "NTK-aware":
        return factor ** (2 * pair / (d_model - 2))
    if scaling in ("YaRN", "Llama 3"):
        kept = (turns - 1) / ((32 if scaling == "YaRN" else 4) - 1)
        kept = min(max(kept, 0), 1)
        return 1 / (kept + (1 - kept) / factor)
    return 1 if scaling == "none" else factor


def test_a_click_chooses_the_scaling_and_the_pair():
    picture = Frequencies(d_model=16, pair=2)
    chosen = {(target.sets["scaling"], bool(target.across)) for target in picture.targets()}
    assert chosen == {(name, False) for name in SCALINGS} | {(name, True) for name in SCALINGS[:3]}
    rows = dict(zip(picture.lengths, picture._pane().y(np.arange(len(SCALINGS))), strict=True))
    for target in picture.targets():
        assert target.box[1] + target.box[3] / 2 == pytest.approx(rows[target.sets["scaling"]])
        if target.across:
            name, pairs = target.across
            assert (name, [*pairs]) == ("pair", [*range(8)])
            xs = picture._pane().x(np.log10(picture.lengths[target.sets["scaling"]]))
            left, _, wide, _ = target.box
            assert [int(share) for share in (xs - left) / wide * 8] == [*range(8)]


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"scaling": "yarn"}, ValueError, "scaling must be one of 'none', 'interpolation'"),
        ({"pair": 64}, ValueError, "pair must lie between 0 and 63, got 64"),
        ({"d_model": 5}, ValueError, "d_model must be even, got 5"),
        ({"d_model": 2}, ValueError, "d_model must lie between 4 and 512, got 2"),
        ({"d_model": 64}, ValueError, "pair must lie between 0 and 31, got 33"),
        ({"factor": 0.5}, ValueError, "factor must be 1 or more"),
        ({"factor": 65}, ValueError, "factor must be at most 64"),
        ({"trained": 15}, ValueError, "trained must lie between 16"),
        ({"base": 1}, ValueError, "base must be 1.01 or more"),
        ({"base": 1e10}, ValueError, "base must be at most"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture = Frequencies()
    before = picture.frame()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.frame() == before


def test_presets_show_what_they_are_named_for():
    start = Frequencies().frame()
    seen = {name: Frequencies(**state) for name, state in Frequencies.presets.items()}
    assert start not in [picture.frame() for picture in seen.values()]
    assert seen["fastest pair"].divisors["YaRN"] == 1
    assert seen["slowest pair"].divisors["YaRN"] == pytest.approx(4)
    assert 1 < seen["one base for all"].divisors["NTK-aware"] < 4
