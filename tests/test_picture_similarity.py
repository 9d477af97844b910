"""The picture of similarity shows the numbers of the formulas, and stands still and turns where it says so."""

import math
import random
import re

import numpy as np
import pytest
from picture_states import similarity

from pe_lib.explorers.similarity import explore_similarity
from pe_lib.pictures.similarity import PAIRS, Similarity


def encoded(pos, d_model, base):
    """Write one encoding out from the formula."""
    return np.array([(math.cos if j % 2 else math.sin)(pos / base ** (j // 2 * 2 / d_model)) for j in range(d_model)])


def sum_of_cosines(k, d_model, base=10_000.0):
    return math.fsum(math.cos(k * base ** (-2 * i / d_model)) for i in range(d_model // 2))


def number_after(words, said):
    found = re.search(re.escape(words) + r" (-?[\d,]+\.\d{4})", said)
    assert found, said
    return float(found[1].replace(",", ""))


def heights(lines):
    """Return where the upright lines of a collection end."""
    return np.array([segment[1, 1] for segment in lines.get_segments()])


def shown_columns(d_model):
    """Return all columns of a narrow encoding, and 16 evenly spaced pairs of a wide one."""
    pairs = d_model // 2
    shown = range(pairs) if pairs <= PAIRS else [round(n * (pairs - 1) / (PAIRS - 1)) for n in range(PAIRS)]
    return [column for pair in shown for column in (2 * pair, 2 * pair + 1)]


@pytest.mark.parametrize("seed", range(12))
def test_the_description_says_the_numbers_of_the_formulas(seed):
    state = similarity(random.Random(seed))
    picture = Similarity(**state)
    said, k, d_model = picture.describe(), state["offset"], state["d_model"]
    g = sum_of_cosines(k, d_model, state["base"])
    assert number_after("both have the length", said) == pytest.approx(math.sqrt(d_model / 2), abs=0.51e-4)
    assert number_after(f"their dot product g({k}) is", said) == pytest.approx(g, abs=0.51e-4)
    assert number_after("their distance", said) == pytest.approx(math.sqrt(max(0, d_model - 2 * g)), abs=1e-4)
    first, second = (encoded(pos, d_model, state["base"]) for pos in (state["position"], state["position"] + k))
    assert first @ second == pytest.approx(g, abs=1e-6)  # what is said of every position holds at this one
    assert f"encodings of positions {state['position']} and {state['position'] + k}," in said
    assert len(said) < 900


def test_the_description_says_where_the_curve_rises_falls_below_zero_and_is_least():
    said = Similarity(d_model=512, up_to=20_000).describe()
    assert "falls from 256.0000 at k = 0, first rises from k = 43 to 44, is first below zero at k = 3284" in said
    assert "is least at k = 18469, with -37.9030; it ends at k = 20000" in said
    assert "The dashed line is the law: 256 · (1 − (ln k + 0.577) / ln 10000)." in said
    assert "never rises, stays above zero" in Similarity(d_model=512, up_to=10).describe()
    assert "law" not in Similarity(base=1.0).describe()


def test_the_description_compares_the_difference_with_that_at_position_0():
    said = Similarity(d_model=4, position=1).describe()
    assert "PE(2) - PE(1) is not PE(1) - PE(0): column 0 holds 0.0678, against 0.8415" in said
    assert "PE(1) - PE(0): 0.8415 in column 0, -0.4597 in column 1" in Similarity(d_model=4).describe()
    assert "is 0 in every column" in Similarity(offset=0, position=3).describe()


@pytest.mark.parametrize(
    ("d_model", "known", "digits"),
    [
        (512, {1: 249.10, 10: 173.79, 100: 111.95, 1000: 44.97}, 2),
        (512, {43: 134.7587, 44: 134.7704}, 4),
        (6, {0: 3, 1: 2.5392, 2: 1.5795, 3: 1.0003, 4: 1.3291}, 4),
    ],
)
def test_the_dot_products_are_the_known_ones_and_stand_in_the_band_and_at_the_dot(d_model, known, digits):
    picture = Similarity(d_model=d_model, up_to=1000)
    for offset, g in known.items():
        picture.update(offset=offset).pixels()
        assert round(picture.similarity, digits) == g
        assert picture._numbers[1].get_text() == picture._value.get_text() == f"{picture.similarity:.4f}"
        assert picture._point.get_xydata().tolist() == [[offset, picture.similarity]]


def test_the_numbers_in_the_band_follow_the_offset_and_never_the_position():
    picture = Similarity(offset=7)
    seen = set()
    for pos in (0, 1, 500, 1_000_000):
        picture.update(position=pos).pixels()
        seen.add(tuple(text.get_text() for text in picture._numbers))
        assert [text.get_text() for text in picture._given] == [f"{pos:,}", "7", f"{pos + 7:,}"]
    g = sum_of_cosines(7, 64)
    assert seen == {("5.6569", f"{g:.4f}", f"{math.sqrt(64 - 2 * g):.4f}")}


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(("d_model", "up_to"), [(2, 20_000), (6, 10), (64, 847), (1024, 20_000)])
def test_the_curve_reaches_every_whole_offset_and_goes_no_farther(d_model, up_to, log):
    picture = Similarity(d_model=d_model, up_to=up_to, log=log)
    picture.pixels()
    outline = picture._curve.get_xy()
    outline = outline[: len(outline) // 2 * 2]  # a polygon repeats its first point at the end where it has to
    there, back = outline[: len(outline) // 2], outline[len(outline) // 2 :][::-1]
    assert np.array_equal(there[:, 0], back[:, 0])
    ks = np.arange(int(log), up_to + 1)
    g = np.array([sum_of_cosines(k, d_model) for k in (ks if up_to <= 1000 else ks[:: up_to // 500])])
    xs = np.log10(ks) if log else ks
    in_bin = np.searchsorted(there[:, 0], xs, side="right") - 1
    some = in_bin if up_to <= 1000 else in_bin[:: up_to // 500]
    assert (g >= there[some, 1] - 1e-9).all()
    assert (g <= back[some, 1] + 1e-9).all()
    width = there[1:, 0].max() - there[0, 0]
    several = np.bincount(in_bin) > 1
    assert all(np.ptp(xs[in_bin == b]) < width / 800 for b in np.flatnonzero(several)[::50])
    single = np.flatnonzero(~several)
    assert np.array_equal(there[single, 1], back[single, 1])


def test_the_law_is_drawn_from_1_to_the_base_where_there_is_one():
    picture = Similarity(d_model=512, base=100.0, up_to=1000)
    picture.pixels()
    ks, law = picture._law.get_data()
    assert ks[[0, -1]].tolist() == pytest.approx([1, 100])
    assert law == pytest.approx(256 * (1 - (np.log(ks) + 0.5772156649) / math.log(100)))
    picture.update(log=True).pixels()
    assert picture._law.get_xdata()[[0, -1]].tolist() == pytest.approx([0, 2])
    assert picture._law.get_visible()
    picture.update(base=1.0).pixels()
    assert not picture._law.get_visible()
    assert picture._law_words.get_text() == "no law: the base is not above 1"


@pytest.mark.parametrize(("d_model", "k", "by"), [(6, 3, "0.33"), (64, 5, "0.055"), (512, 43, "0.012")])
def test_the_first_rise_is_marked_where_it_lies_on_the_axis(d_model, k, by):
    picture = Similarity(d_model=d_model)
    picture.pixels()
    [[where, value]] = picture._rise.get_xydata()
    assert (where, value) == (k, pytest.approx(sum_of_cosines(k, d_model)))
    assert picture._rise_words.get_text() == f"first rise: g({k + 1}) is {by} above g({k})"
    picture.update(d_model=512, up_to=10).pixels()
    assert not picture._rise.get_visible()
    assert picture._rise_words.get_text() == "no rise up to k = 10"


@pytest.mark.parametrize("d_model", [2, 6, 32, 34, 64, 1024])
def test_the_bars_are_the_difference_column_by_column(d_model):
    picture = Similarity(d_model=d_model)
    columns = shown_columns(d_model)
    assert picture._columns().tolist() == columns
    for position, offset in [(0, 1), (1, 1), (37, 100), (1_000_000, 3)]:
        picture.update(position=position, offset=offset).pixels()
        now, at_zero = (
            (encoded(pos + offset, d_model, 1e4) - encoded(pos, d_model, 1e4))[columns] for pos in (position, 0)
        )
        assert heights(picture._bars) == pytest.approx(now, abs=1e-8)
        assert heights(picture._at_zero) == pytest.approx(at_zero, abs=1e-8)
        assert picture._sines.get_ydata() == pytest.approx(now[0::2], abs=1e-8)
        assert picture._cosines.get_ydata() == pytest.approx(now[1::2], abs=1e-8)
        lengths = np.hypot(now[0::2], now[1::2])  # taken here, where the picture takes them at position 0
        assert heights(picture._pair_lengths) == pytest.approx([*lengths, *-lengths], abs=1e-8)


def test_a_move_of_the_position_turns_the_right_side_and_leaves_the_left_alone():
    picture = Similarity(offset=20)
    below_the_given, middle = 60, 560
    before = picture.pixels()[below_the_given:]
    for pos in (1, 20, 999):
        after = picture.update(position=pos).pixels()[below_the_given:]
        assert np.array_equal(after[:, :middle], before[:, :middle])
        assert not np.array_equal(after[:, middle:], before[:, middle:])
    after = picture.update(position=0, offset=21).pixels()[below_the_given:]
    assert not np.array_equal(after[:, :middle], before[:, :middle])


def test_every_part_of_the_state_is_seen():
    start = {"d_model": 64, "base": 10_000.0, "offset": 1, "position": 0, "up_to": 100, "log": False}
    others = {"d_model": 66, "base": 1000.0, "offset": 2, "position": 1, "up_to": 101, "log": True}
    seen = {Similarity(**{**start, name: value}).pixels().tobytes() for name, value in others.items()}
    assert len(seen | {Similarity(**start).pixels().tobytes()}) == 7


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"d_model": 5}, ValueError, "d_model must be even, got 5: "),
        ({"d_model": 0}, ValueError, "d_model must be a positive integer, got 0"),
        ({"d_model": 1026}, ValueError, "d_model must lie between 2 and 1024, got 1026"),
        ({"d_model": 6.0}, TypeError, "d_model must be"),
        ({"base": 0.001}, ValueError, "base must be at least 0.01"),
        ({"base": -1}, ValueError, "base must be a finite number above 0"),
        ({"base": "10"}, TypeError, "base must be a number"),
        ({"offset": 101}, ValueError, "offset must lie between 0 and 100, got 101"),
        ({"offset": -1}, ValueError, "offset must lie between 0 and 100, got -1"),
        ({"offset": 0, "log": True}, ValueError, "offset must lie between 1 and 100, got 0"),
        ({"offset": 0.5}, TypeError, "offset must be an integer"),
        ({"position": -1}, ValueError, "position must lie between 0 and 1000000, got -1"),
        ({"position": 10**7}, ValueError, "position must lie between 0 and 1000000"),
        ({"position": None}, TypeError, "position must be an integer"),
        ({"up_to": 9}, ValueError, "up_to must lie between 10 and 20000, got 9"),
        ({"up_to": 20_001}, ValueError, "up_to must lie between 10 and 20000, got 20001"),
        ({"up_to": True}, TypeError, "up_to must be an integer"),
        ({"log": 1}, TypeError, r"log must be True or False, got 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture = Similarity()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.state == Similarity.defaults


def test_the_explorer_reaches_its_presets_and_keeps_the_offset_on_the_axis():
    explorer = explore_similarity(d_model=30, base=50.0, up_to=70, offset=60)
    for name, where in [("neighbours", (1, 1)), ("first rise", (43, 0)), ("far", (3284, 0)), ("d_model 6", (3, 0))]:
        state = explorer.preset(name).picture.state
        assert explorer.message == ""
        assert (state["offset"], state["position"]) == where
    assert (state["d_model"], explorer.picture.similarity) == (6, pytest.approx(1.0003, abs=5e-5))
    explorer.controls["offset"].value = 0
    explorer.controls["log"].value = True
    assert (explorer.controls["offset"].value, explorer.message) == (1, "")
    explorer.reset()
    explorer.controls["up_to"].value = 20
    assert (explorer.picture.state["offset"], explorer.message) == (20, "")
    assert explorer.reset().picture.state == Similarity(d_model=30, base=50.0, up_to=70, offset=60).state


@pytest.mark.slow
def test_the_explorer_draws_at_both_ends_of_every_control():
    explorer = explore_similarity()
    for name, control in explorer.controls.items():
        options = getattr(control, "_options_full", None)
        ends = [value for _, value in options] if options else [getattr(control, "min", 0), getattr(control, "max", 1)]
        for value in (ends[0], ends[-1]):
            control.value = bool(value) if name == "log" else value
            assert (explorer.message, explorer.picture.state[name]) == ("", value)
