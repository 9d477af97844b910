"""The picture of scaled frequencies says the wavelengths of the formulas, and marks which pairs were kept."""

import math
import random
import re

import numpy as np
import pytest
from picture_states import STATES
from sheets import faults, texts

from pe_lib.pictures.colours import BLUE, ORANGE, PURPLE
from pe_lib.pictures.frequencies import SCALINGS, Frequencies
from pe_lib.pictures.scene import Group, Shape


def some_state(seed):
    return STATES[Frequencies](random.Random(seed))


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


@pytest.mark.parametrize("seed", range(20))
def test_every_divisor_is_that_of_its_formula_and_stands_beside_its_row(seed):
    state = some_state(seed)
    picture = Frequencies(**state)
    for scaling in SCALINGS:
        by_hand = divisor(scaling, state)
        assert picture.update(scaling=scaling).divisors[scaling] == pytest.approx(by_hand)
        others = [end for end in (1, state["factor"]) if by_hand != pytest.approx(end, rel=1e-9)]
        digits = next((n for n in range(3, 7) if float(f"{by_hand:.{n}g}") not in others), 3)
        number = f"{by_hand:.{digits}g}"
        assert f"÷ {number}" in said(picture)
        assert number in said(picture)
        assert f"Chosen: {scaling}, {number}." in picture.describe()
    assert faults(picture) == []


def test_the_pairs_of_llama_2_under_yarn_and_of_llama_3_point_1():
    none, interpolated, ntk, yarn, _ = marks(Frequencies(factor=16.0))
    assert none == {BLUE: 64}
    assert interpolated == {ORANGE: 64}
    assert ntk == {BLUE: 1, PURPLE: 62, ORANGE: 1}
    assert yarn == {BLUE: 21, PURPLE: 25, ORANGE: 18}  # pairs 0-20 kept, 46-63 divided by 16
    llama = Frequencies(**Frequencies.presets["Llama 3.1"])
    assert marks(llama)[-1] == {BLUE: 29, PURPLE: 6, ORANGE: 29}  # 0-28 kept, 35-63 divided by 8
    assert llama.divisors["Llama 3"] == pytest.approx(2.0263, abs=1e-4)


@pytest.mark.parametrize("trained", [16, 256, 4096, 2**20])
def test_pairs_that_never_turned_once_are_counted_and_lie_beyond_the_line(trained):
    picture = Frequencies(trained=trained)
    never = sum(2 * math.pi * 10_000 ** (i / 64) > trained for i in range(64))
    assert f"{never} pairs never turned once" in picture.describe()
    (shape,) = [part for part in picture.lay() if isinstance(part, Shape) and part.edge == "ink" and not part.dash]
    x = shape.path.vertices[0, 0]
    places = picture._pane().x(np.log10(picture.lengths["none"]))
    assert (places > x).sum() == never
    assert 176 < x < 776, "the line stands beside the marks"


@pytest.mark.parametrize("state", [{}, {"pair": 63, "scaling": "NTK-aware"}, {"d_model": 4, "pair": 1}])
def test_covered_it_shows_what_was_trained_and_nothing_of_the_scalings(state):
    picture = Frequencies(**state)
    seen, words = said(picture, "answer"), picture.describe(covered=True)
    assert seen.count("?") == 8
    assert "÷ ?" in seen
    assert len([text for text in seen if re.fullmatch(r"[\d.,]+\d", text)]) >= 2  # wavelength and divisor of "none"
    assert not re.search(r"(interpolation|NTK-aware|YaRN|Llama 3): [\d÷]", words)
    open_marks = [part for part in picture.lay() if isinstance(part, Shape) and part.edge == PURPLE]
    assert len(open_marks) == 1  # of the key to the colours


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
