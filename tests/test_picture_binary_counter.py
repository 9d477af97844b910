"""The binary counter shows the right bits, sines and steps, and says what it shows."""

import math

import numpy as np
import pytest
from sheets import faults

from pe_lib.pictures.binary_counter import BinaryCounter
from pe_lib.pictures.scene import Group

STATES = [
    {},
    {"number": 0},
    {"number": 15},
    {"number": 3, "n_bits": 2, "d_model": 2},
    {"number": 16, "n_bits": 5, "base": 1e12},
    {"number": 20, "n_bits": 6, "d_model": 1024, "base": 12_345.678},
    {"number": 63, "n_bits": 6, "d_model": 12},
    {"number": 5, "n_bits": 3, "base": 1.0},
]
EACH = pytest.mark.parametrize("state", STATES, ids=str)


def row(pos: int, d_model: int, base: float) -> list[float]:
    """Return one row of the encoding, from the formula."""
    angles = [pos / base ** (2 * (j // 2) / d_model) for j in range(d_model)]
    return [math.cos(angle) if j % 2 else math.sin(angle) for j, angle in enumerate(angles)]


def numbers_on_the_page(state: dict) -> range:
    first = state["number"] // 16 * 16
    return range(first, min(first + 16, 2 ** state["n_bits"]))


def middle(text) -> tuple[float, float]:
    return text.left + text.box[2] / 2, text.base - 0.365 * text.size


def held(elements) -> list:
    """Return what a cover hides."""
    return [part for e in elements if isinstance(e, Group) and e.kind == "answer" for part in e.parts]


@EACH
def test_everything_can_be_read(state):
    assert faults(BinaryCounter(**state)) == []


def test_the_steps_from_0_to_15_are_those_of_a_ruler_and_the_encoding_takes_the_same_step_each_time():
    picture = BinaryCounter()
    assert [picture.update(number=n).flips for n in range(16)] == [1, 2, 1, 3, 1, 2, 1, 4, 1, 2, 1, 3, 1, 2, 1, 4]
    assert {round(picture.update(number=n).step, 4) for n in range(16)} == {0.9641}


def test_a_page_follows_its_number_and_within_it_the_background_stays():
    picture = BinaryCounter(n_bits=5, number=10)
    frames = [picture.update(number=n).frame() for n in range(10, 22)]
    assert len({frame.moving for frame in frames}) == 12
    assert [frame.background == frames[0].background for frame in frames] == [n < 16 for n in range(10, 22)]
    assert frames[-1] == BinaryCounter(n_bits=5, number=21).frame()
    assert BinaryCounter(number=np.uint8(15)).frame() == BinaryCounter(number=15).frame()
    frames = {BinaryCounter(**state).frame() for state in ({}, *BinaryCounter.presets.values())}
    assert len(frames) == 1 + len(BinaryCounter.presets)


def test_a_click_chooses_the_number_at_its_place():
    picture = BinaryCounter(n_bits=5, number=20)
    (target,) = picture.targets()
    name, values = target.across
    left, _, wide, _ = target.box
    for k, value in enumerate(values):
        assert left + (k + 0.5) * wide / len(values) == pytest.approx(picture._panes()[0].x(value))
        assert BinaryCounter(n_bits=5).update(**{name: value}).state["number"] == value


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"number": 16}, ValueError, "number must lie between 0 and 15, got 16"),
        ({"number": -1}, ValueError, "number must lie between 0 and 15, got -1"),
        ({"number": 1.0}, TypeError, "number must be an integer"),
        ({"n_bits": 2}, ValueError, "number must lie between 0 and 3, got 7"),
        ({"n_bits": 7}, ValueError, "n_bits must lie between 2 and 6, got 7"),
        ({"n_bits": "4"}, TypeError, "n_bits must be an integer"),
        ({"d_model": 7}, ValueError, "d_model must be even, got 7"),
        ({"d_model": 0}, ValueError, "d_model must lie between 2 and 1024, got 0"),
        ({"d_model": 1026}, ValueError, "d_model must lie between 2 and 1024, got 1026"),
        ({"d_model": 8.0}, TypeError, "d_model must be"),
        ({"base": 0.5}, ValueError, "base must be 1 or more to be drawn, got 0.5"),
        ({"base": 1e13}, ValueError, "base must be at most 1e[+]12 to be drawn, got 1e[+]13"),
        ({"base": 0}, ValueError, "base must be a finite number above 0"),
        ({"base": None}, TypeError, "base must be a number"),
        ({"bits": 4}, TypeError, "has no 'bits'"),
    ],
)
def test_what_cannot_be_counted_is_refused_and_the_picture_stays(state, error, says):
    picture = BinaryCounter()
    before = dict(picture.state)
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.state == before
