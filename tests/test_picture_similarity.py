"""The picture of similarity shows the numbers of the formulas, and stands still and turns where it says so."""

import math
import re

import numpy as np
import pytest
from sheets import faults, texts

from pe_lib.pictures.colours import BLUE, ORANGE, PALE, PAPER
from pe_lib.pictures.scene import Group, Shape
from pe_lib.pictures.similarity import BARS, CURVE, PAIRS, Similarity


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


@pytest.mark.parametrize("seed", range(16))
def test_the_description_says_the_numbers_of_the_formulas(seed):
    state = some_state(seed)
    picture = Similarity(**state)
    words, k, d_model = picture.describe(), state["offset"], state["d_model"]
    g = sum_of_cosines(k, d_model, state["base"])
    assert number_after("both have the length", words) == pytest.approx(math.sqrt(d_model / 2), abs=0.51e-4)
    assert number_after(f"their dot product g({k}) is", words) == pytest.approx(g, abs=0.51e-4)
    assert number_after("their distance", words) == pytest.approx(math.sqrt(max(0, d_model - 2 * g)), abs=1e-4)
    first, second = (encoded(pos, d_model, state["base"]) for pos in (state["position"], state["position"] + k))
    assert first @ second == pytest.approx(g, abs=1e-6)  # what is said of every position holds at this one
    assert f"encodings of positions {state['position']} and {state['position'] + k}," in words
    assert faults(picture) == []


def test_the_description_says_where_the_curve_rises_falls_below_zero_and_ends():
    words = Similarity(d_model=512, up_to=20_000).describe()
    assert "g(k) first rises from k = 43 to 44, is first below zero at k = 3284 and ends at k = 20000." in words
    assert "The dashed line is the law: 256 · (1 − (ln k + 0.577) / ln 10000)." in words
    assert "never rises, stays above zero" in Similarity(d_model=512, up_to=10).describe()
    assert "law" not in Similarity(base=1.0).describe()


def test_the_description_compares_the_difference_with_that_at_position_0():
    words = Similarity(d_model=4, position=1).describe()
    assert "PE(2) - PE(1) begins with 0.0678, -0.9564, 0.0100, -0.0001," in words
    assert "PE(1) - PE(0) begins with 0.8415, -0.4597, 0.0100, 0.0000:" in words
    assert Similarity(d_model=4).describe().count("begins") == 1


@pytest.mark.parametrize(
    ("d_model", "known", "digits"),
    [
        (512, {1: 249.10, 10: 173.79, 100: 111.95, 1000: 44.97}, 2),
        (512, {43: 134.7587, 44: 134.7704}, 4),
        (6, {0: 3, 1: 2.5392, 2: 1.5795, 3: 1.0003, 4: 1.3291}, 4),
    ],
)
def test_the_dot_products_are_the_known_ones_and_the_dot_lies_on_the_curve(d_model, known, digits):
    picture = Similarity(d_model=d_model, up_to=1000)
    curve = shapes(picture.lay(), fill=BLUE, edge=BLUE)[0].path.vertices
    for offset, g in known.items():
        picture.update(offset=offset)
        assert round(picture.similarity, digits) == g
        assert f"{picture.similarity:.4f}" in said(picture)
        x, y = dot(picture)
        assert x == pytest.approx(CURVE[0] + CURVE[2] * (offset + 20) / 1040, abs=0.5)
        assert np.abs(curve - [x, y]).max(axis=1).min() < 1


def test_the_numbers_on_top_follow_the_offset_and_never_the_position():
    picture = Similarity(offset=7)
    g = sum_of_cosines(7, 64)
    for pos in (0, 1, 500, 1_000_000):
        words = said(picture.update(position=pos))
        assert {"g(7) = ", f"{g:.4f}", "distance ", f"{math.sqrt(64 - 2 * g):.4f}"} <= set(words)
        assert f"= PE({pos:,}) · PE({pos + 7:,})" in words


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(("d_model", "up_to"), [(2, 20_000), (6, 10), (64, 847), (1024, 20_000)])
def test_the_curve_reaches_every_whole_offset_and_goes_no_farther(d_model, up_to, log):
    outline = shapes(Similarity(d_model=d_model, up_to=up_to, log=log).lay(), fill=BLUE, edge=BLUE)[0].path.vertices
    points = outline[:-1]  # the last closes it
    there, back = points[: len(points) // 2], points[len(points) // 2 :][::-1]
    assert np.array_equal(there[:, 0], back[:, 0])
    ks = np.arange(up_to + 1)
    g = sum(np.cos(ks * 10_000 ** (-2 * i / d_model)) for i in range(d_model // 2))
    lowest, highest = min(0.0, g.min()), d_model / 2
    ks = ks[int(log) :: max(1, up_to // 500)]
    places, end = (np.log10(ks), math.log10(up_to)) if log else (ks, up_to)
    xs = CURVE[0] + CURVE[2] * (places / end + 0.02) / 1.04
    ys = CURVE[1] + CURVE[3] * ((highest - g[ks]) / (highest - lowest) + 0.05) / 1.1
    at = np.searchsorted(there[:, 0], xs + 1e-6, side="right") - 1
    low, high = np.minimum(there[at, 1], back[at, 1]), np.maximum(there[at, 1], back[at, 1])
    assert ((ys >= low - 1e-6) & (ys <= high + 1e-6)).all()
    assert outline[:, 0].max() == pytest.approx(CURVE[0] + CURVE[2] * 1.02 / 1.04, abs=0.6)


def test_the_law_is_drawn_where_there_is_one():
    picture = Similarity(d_model=512, base=100.0, up_to=1000)
    law = next(shape for shape in shapes(picture.lay()) if shape.dash).path.vertices
    assert law[-1, 0] == pytest.approx(CURVE[0] + CURVE[2] * 120 / 1040)  # to the base
    assert not [shape for shape in shapes(picture.update(base=1.0).lay()) if shape.dash]
    assert not [words for words in said(picture) if "law" in words]


@pytest.mark.parametrize(("d_model", "k", "by"), [(6, 3, "0.33"), (64, 5, "0.055"), (512, 43, "0.012")])
def test_the_first_rise_is_marked_where_it_lies_on_the_axis(d_model, k, by):
    picture = Similarity(d_model=d_model, offset=k)
    mark = next(shape for shape in shapes(picture.lay(), fill=PAPER) if len(shape.path.vertices) == 4).path.vertices[0]
    x, y = dot(picture)
    assert mark[0] == pytest.approx(x, abs=0.5)
    assert 5 < mark[1] - y < 15
    assert f"first rise: g({k + 1}) − g({k}) = {by}" in said(picture)
    assert not [words for words in said(Similarity(d_model=512, up_to=10)) if "rise" in words]


@pytest.mark.parametrize("d_model", [2, 6, 32, 34, 64, 1024])
def test_the_bars_are_the_difference_column_by_column(d_model):
    columns = shown_columns(d_model)
    for position, offset in [(0, 1), (1, 1), (37, 100), (1_000_000, 3)]:
        picture = Similarity(d_model=d_model, position=position, offset=offset)
        now, at_zero = ((encoded(pos + offset, d_model) - encoded(pos, d_model))[columns] for pos in (position, 0))
        assert differences(picture, BLUE) == pytest.approx(now, abs=1e-8)
        assert differences(picture, PALE) == pytest.approx(at_zero, abs=1e-8)


def test_a_move_of_the_position_turns_the_right_side_and_leaves_the_left_alone():
    picture = Similarity(offset=20)
    before, where = picture.frame(), dot(picture)
    for pos in (1, 20, 999):
        after = picture.update(position=pos).frame()
        assert after.background == before.background
        assert np.array_equal(dot(picture), where)
        assert not np.allclose(differences(picture, BLUE), differences(picture, PALE))
    assert not np.array_equal(dot(picture.update(offset=21)), where)


@pytest.mark.parametrize("state", [{}, {"offset": 0, "position": 3}, {"d_model": 512, "offset": 98}, {"offset": 100}])
def test_covered_it_holds_dot_product_and_distance_back(state):
    picture = Similarity(**state)
    for number in (f"{picture.similarity:.4f}", f"{picture.distance:.4f}"):
        assert number in said(picture)
        assert number in picture.describe()
        assert number not in said(picture, "answer")
        assert number not in picture.describe(covered=True)
    assert said(picture, "answer").count("?") == 2


@pytest.mark.parametrize("log", [False, True])
def test_a_click_on_the_curve_chooses_the_offset_below_it(log):
    picture = Similarity(log=log, up_to=1000)
    curve, rise, start = picture.targets()
    name, offsets = curve.across
    for n in range(0, len(offsets), 31):
        x, _ = dot(picture.update(**{name: offsets[n]}))
        below = curve.box[0] + curve.box[2] * (n + 0.5) / len(offsets)
        neighbour = dot(picture.update(offset=min(offsets[n] + 1, 1000)))[0]
        assert abs(x - below) <= max(10, neighbour - x)
    assert (rise.sets, start.sets) == ({"offset": 5}, {"position": 0})


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
