"""The picture of similarity shows the numbers of the formulas, and stands still and turns where it says so."""

import math
import re

import numpy as np
import pytest
from sheets import faults, texts

from pe_lib.pictures.colours import ORANGE
from pe_lib.pictures.scene import Group, Shape
from pe_lib.pictures.similarity import BARS, PAIRS, Similarity


def encoded(pos, d_model, base=10_000.0):
    """Write one encoding out from the formula."""
    return np.array([(math.cos if j % 2 else math.sin)(pos / base ** (j // 2 * 2 / d_model)) for j in range(d_model)])


def sum_of_cosines(k, d_model, base=10_000.0):
    return math.fsum(math.cos(k * base ** (-2 * i / d_model)) for i in range(d_model // 2))


def some_state(seed):
    """Return a state picked at random."""
    choose = np.random.default_rng(seed)
    up_to, log = int(choose.choice([10, 45, 100, 846, 5000, 20_000])), bool(seed % 2)
    return {
        "d_model": int(choose.choice([2, 4, 6, 32, 34, 64, 512, 1024])),
        "base": float(choose.choice([0.01, 0.5, 1.0, 1.0001, 10.0, 10_000.0, 12_345.678, 1e300])),
        "offset": int(choose.choice([int(log), up_to, choose.integers(1, up_to)])),
        "position": int(choose.choice([0, 1, 1000, 1_000_000])),
        "up_to": up_to,
        "log": log,
    }


def number_after(words, said):
    found = re.search(re.escape(words) + r" (-?[\d,]+\.\d{4})", said)
    assert found, said
    return float(found[1].replace(",", ""))


def said(picture, hidden="question"):
    return [text.text for text in texts(picture, hidden)]


def shapes(elements, **wanted):
    """Return the shapes that have these properties."""
    found = [element for element in elements if isinstance(element, Shape)]
    return [shape for shape in found if all(getattr(shape, name) == value for name, value in wanted.items())]


def dot(picture):
    """Return where the dot on the curve lies."""
    held = next(element for element in picture.move() if isinstance(element, Group) and element.kind == "answer")
    return shapes(held.parts, fill=ORANGE)[0].path.vertices.mean(axis=0)


def differences(picture, colour):
    """Return the heights of the bars of a colour on the right, as numbers."""
    ends = shapes(picture.move(), edge=colour, fill="")[0].path.vertices.reshape(-1, 2, 2)[:, 1, 1]
    return 2.1 - (ends - BARS[1]) * 4.2 / BARS[3]


def shown_columns(d_model):
    """Return all columns of a narrow encoding, and 16 evenly spaced pairs of a wide one."""
    pairs = d_model // 2
    shown = range(pairs) if pairs <= PAIRS else [round(n * (pairs - 1) / (PAIRS - 1)) for n in range(PAIRS)]
    return [column for pair in shown for column in (2 * pair, 2 * pair + 1)]


def test_the_description_says_where_the_curve_rises_falls_below_zero_and_ends():
    words = Similarity(d_model=512, up_to=20_000).describe()
    assert "g(k) first rises from k = 43 to 44, is first below zero at k = 3284 and ends at k = 20000." in words
    assert "The dashed line is the law: 256 · (1 − (ln k + 0.577) / ln 10000)." in words
    assert "never rises, stays above zero" in Similarity(d_model=512, up_to=10).describe()
    assert "law" not in Similarity(base=1.0).describe()


@pytest.mark.parametrize("preset", Similarity.presets)
def test_every_preset_shows_something_else(preset):
    picture = Similarity()
    before = picture.frame()
    assert picture.update(**Similarity.presets[preset]).frame() != before
    assert faults(picture) == []


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"d_model": 5}, ValueError, "d_model must be even, got 5"),
        ({"d_model": 0}, ValueError, "d_model must lie between 2 and 1024, got 0"),
        ({"d_model": 1026}, ValueError, "d_model must lie between 2 and 1024, got 1026"),
        ({"d_model": 6.0}, TypeError, "d_model must be"),
        ({"base": 0.001}, ValueError, "base must be 0.01 or more to be drawn, got 0.001"),
        ({"base": -1}, ValueError, "base must be a finite number above 0"),
        ({"offset": 101}, ValueError, "offset must lie between 0 and 100, got 101"),
        ({"offset": 0, "log": True}, ValueError, "offset must lie between 1 and 100, got 0"),
        ({"offset": 0.5}, TypeError, "offset must be an integer"),
        ({"position": 10**7}, ValueError, "position must lie between 0 and 1000000"),
        ({"up_to": 9}, ValueError, "up_to must lie between 10 and 20000, got 9"),
        ({"up_to": True}, TypeError, "up_to must be an integer"),
        ({"log": 1}, TypeError, "log must be True or False, got 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture = Similarity()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.state == Similarity().state
