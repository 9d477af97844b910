"""The clocks stand where the formula says, show its numbers, and keep the angle of a shift wherever the position is."""

import itertools

import numpy as np
import pytest
from sheets import drawn, numbers, texts

from pe_lib import encode_positions
from pe_pictures import Clocks
from pe_pictures.colours import COSINE, GREY, HERE, INK, SINE
from pe_pictures.scene import Curves, Discs

STATES = [
    {},
    {"position": 0},
    {"d_model": 2, "position": 7},
    {"d_model": 4, "position": 100, "offset": 3},
    {"d_model": 16, "base": 100.0, "position": 20, "offset": 6},
    {"d_model": 512, "base": 1e12, "position": 10_000},
]
EACH = pytest.mark.parametrize(("state", "tall"), [*itertools.product(STATES, (False, True))], ids=str)


def lines(picture, colour, width):
    """Return the ends of the lines of a colour and a width: an array of shape (lines, 2 ends, across and down)."""
    found = [e.curves[0] for e in drawn(picture) if isinstance(e, Curves) and (e.edge, e.width) == (colour, width)]
    return np.array(found)


def angles(picture, position):
    """Return the angles of the hands that are shown, written out from the formula."""
    s = picture.state
    return np.array([position / s["base"] ** (2 * i / s["d_model"]) for i in picture.pairs])


@EACH
def test_hands_and_shadows_end_where_the_formula_says(state, tall):
    picture = Clocks(**state)
    picture.tall = tall
    hands = lines(picture, INK, 3)
    middles, tips = hands[:, 0], hands[:, 1] - hands[:, 0]
    a = angles(picture, picture.state["position"])
    unit = np.stack([np.cos(a), -np.sin(a)], axis=1)
    assert tips / np.linalg.norm(tips, axis=1, keepdims=True) == pytest.approx(unit, abs=1e-7)
    assert lines(picture, SINE, 6)[:, 1] - middles == pytest.approx(tips * [0, 1], abs=1e-9)
    assert lines(picture, COSINE, 6)[:, 1] - middles == pytest.approx(tips * [1, 0], abs=1e-9)
    dots = [e.centres[0] for e in drawn(picture) if isinstance(e, Discs) and e.fill == HERE]
    assert np.array(dots) == pytest.approx(hands[:, 1])


@EACH
def test_the_cells_hold_the_numbers_of_the_encoding(state, tall):
    picture = Clocks(**state)
    picture.tall = tall
    s, pairs = picture.state, picture.pairs
    row = encode_positions(s["position"], s["d_model"], base=s["base"]).reshape(-1, 2)[pairs].ravel()
    assert picture.numbers == pytest.approx(row)
    digits = 2 if tall or len(pairs) > 4 else 4
    assert numbers(picture, rf"−?[01]\.\d{{{digits}}}") == pytest.approx(row, abs=0.51 * 10**-digits)


@pytest.mark.parametrize("position", [0, 17, 4321])
def test_the_second_hand_is_ahead_by_the_same_angle_wherever_the_position_is(position):
    picture = Clocks(position=position, offset=3)
    first, second = lines(picture, INK, 3), lines(picture, GREY, 3)
    towards = [np.arctan2(*(ends[:, 0] - ends[:, 1]).T[::-1] * [[1], [-1]]) for ends in (first, second)]
    turned = (towards[1] - towards[0]) % (2 * np.pi)
    assert turned == pytest.approx(angles(picture, 3) % (2 * np.pi))
    assert f"{np.degrees(3):.1f}°" in picture.says()


def test_a_drag_by_one_turn_of_a_dial_is_one_wavelength():
    picture = Clocks(d_model=4)
    assert [target.around for target in picture.targets()] == [
        ("position", pytest.approx(2 * np.pi)),
        ("position", pytest.approx(200 * np.pi)),
    ]


def test_the_arc_grows_until_the_turn_is_full_and_the_slider_reaches_as_far_as_it_must():
    arcs = [lines(Clocks(position=p), GREY, 3.5)[0] for p in (0, 3, 7, 63)]
    lengths = [np.linalg.norm(np.diff(arc, axis=0), axis=1).sum() for arc in arcs]
    assert lengths[0] == 0
    assert 0 < lengths[1] < lengths[2] == pytest.approx(lengths[3])
    for position, end in ((63, "63"), (64, "630"), (3000, "6,283")):
        assert end in texts(Clocks(position=position))
