"""The heatmap shows each number in its place and colour, draws the marked row and column out, and owns its matrix."""

import itertools
import math
import re

import numpy as np
import pytest
from sheets import faults, levels, texts

from pe_lib.pictures.cells import Cells
from pe_lib.pictures.colours import ORANGE, colour_of
from pe_lib.pictures.heatmap import MAP, ROW, WAVE, Heatmap
from pe_lib.pictures.scene import Group, Shape


def encoded(pos, column, d_model, base=10_000.0, layout="interleaved"):
    """Write one number of the encoding out from the formula."""
    if layout == "interleaved":
        pair, is_cosine = column // 2, column % 2 == 1
    else:
        half = (d_model + 1) // 2
        pair, is_cosine = column % half, column >= half
    return (math.cos if is_cosine else math.sin)(pos / base ** (2 * pair / d_model))


def some_state(seed):
    """Return a state picked at random: for odd seeds, of a matrix."""
    choose = np.random.default_rng(seed)
    length, d_model = (int(n) for n in choose.choice([1, 2, 3, 6, 10, 11, 16, 50, 300, 511, 512], 2))
    return {
        "length": length,
        "d_model": d_model,
        "layout": str(choose.choice(["interleaved", "halves"])),
        "position": int(choose.integers(length)),
        "column": int(choose.integers(d_model)),
        "matrix": choose.normal(scale=10.0 ** (seed % 5), size=(length, d_model)) if seed % 2 else None,
    }


def said(picture, hidden="question"):
    return [text.text for text in texts(picture, hidden)]


def answers(picture):
    """Return the parts of the moving layer that a covered picture holds back."""
    held = [group.parts for group in picture.move() if isinstance(group, Group) and group.kind == "answer"]
    return [part for parts in held for part in parts]


@pytest.mark.parametrize("seed", range(12))
def test_the_description_says_the_numbers_of_the_formula(seed):
    state = {**some_state(seed), "matrix": None, "base": 10_000.0}
    words = Heatmap(**state).describe()
    pos, column, d_model, layout = (state[name] for name in ("position", "column", "d_model", "layout"))
    crossing = re.search(r"They cross at PE\((\d+), (\d+)\) = (-?\d\.\d{4})\.$", words)
    assert (int(crossing[1]), int(crossing[2])) == (pos, column)
    assert float(crossing[3]) == pytest.approx(encoded(pos, column, d_model, layout=layout), abs=0.51e-4)
    row = re.search(rf"Row {pos} is marked and drawn out beneath: ([-\d., ]+)(, …)?\. Column", words)
    wave = re.search(rf"Column {column}, .* at the side: ([-\d., ]+)(, …)?\. They", words)
    for j, number in enumerate(row[1].split(", ")):
        assert float(number) == pytest.approx(encoded(pos, j, d_model, layout=layout), abs=0.51e-4)
    for p, number in enumerate(wave[1].split(", ")):
        assert float(number) == pytest.approx(encoded(p, column, d_model, layout=layout), abs=0.51e-4)
    assert faults(Heatmap(**state)) == []


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"column": 8}, "the sine of pair 4 with wavelength 19.9 positions"),
        ({"column": 9}, "the cosine of pair 4 with wavelength 19.9 positions"),
        ({"layout": "halves", "column": 4}, "the sine of pair 4 with wavelength 19.9 positions"),
        ({"layout": "halves", "column": 36}, "the cosine of pair 4 with wavelength 19.9 positions"),
        ({"layout": "halves", "d_model": 7, "column": 3}, "the sine of pair 3"),
        ({"layout": "halves", "d_model": 7, "column": 4}, "the cosine of pair 0 with wavelength 6.3 positions"),
        ({}, "sines and cosines in turn"),
        ({"layout": "halves"}, "all sines, then all cosines"),
        ({"matrix": [[0.0, 5.5]], "position": 0, "column": 1}, "Map of a matrix of shape (1, 2)."),
        ({"matrix": [[0.0, 5.5]], "position": 0, "column": 1}, "for -5.5 over the page's colour for 0 to red for 5.5"),
        ({"matrix": [[0.0, 5.5]], "position": 0, "column": 1, "name": "mine"}, "Map of “mine”, a matrix"),
    ],
)
def test_the_description_says_what_is_shown(state, says):
    assert says in Heatmap(**state).describe()


def test_of_a_matrix_it_does_not_say_what_it_cannot_know():
    picture = Heatmap(matrix=np.zeros((4, 4)), position=1, column=1)
    for words in (picture.describe(), *said(picture)):
        assert not re.search(r"sine|wave|PE\(|base|d_model|pos", words), words


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize(("length", "d_model"), [(13, 11), (50, 64), (512, 512)])
def test_every_cell_has_the_colour_of_its_number(length, d_model, layout):
    picture = Heatmap(length=length, d_model=d_model, layout=layout, position=0, column=0)
    cells = [element for element in picture.lay() if isinstance(element, Cells)]
    found = levels(picture.lay(), MAP, (length, d_model))
    for pos, j in itertools.product(range(0, length, 1 + length // 9), range(0, d_model, 1 + d_model // 11)):
        expected = encoded(pos, j, d_model, layout=layout)
        if cells:
            assert cells[0].numbers[pos, j] == pytest.approx(expected, abs=1e-12)
            assert (cells[0].box, cells[0].numbers.shape) == (MAP, (length, d_model))
        else:
            assert found[pos, j] == round(25 * expected)


@pytest.mark.parametrize(("length", "d_model"), [(10, 6), (10, 10), (12, 4), (3, 4)])
def test_the_cells_of_a_small_table_hold_their_numbers(length, d_model):
    picture = Heatmap(length=length, d_model=d_model, position=2, column=3)
    held = next(group.parts for group in picture.lay() if isinstance(group, Group))
    expected = [encoded(pos, j, d_model) for pos in range(length) for j in range(d_model)]
    assert [float(text.text) for text in held] == pytest.approx(expected, abs=0.0051)
    assert all(re.fullmatch(r"-?\d\.\d\d", text.text) and text.text != "-0.00" for text in held)


@pytest.mark.parametrize("state", [{"length": 17, "d_model": 4}, {}, {"matrix": [[1e300, 1.0]] * 3}])
def test_a_larger_table_or_longer_numbers_leave_the_cells_empty(state):
    assert not [part for part in Heatmap(**{"position": 0, "column": 0, **state}).lay() if isinstance(part, Group)]


@pytest.mark.parametrize("seed", range(10))
def test_the_dots_lie_at_the_number_where_row_and_column_cross(seed):
    state = some_state(seed)
    picture = Heatmap(**state)
    pos, j, numbers = state["position"], state["column"], picture.numbers
    rows, columns = numbers.shape
    share = numbers[pos, j] / max(1.0, np.abs(numbers).max())
    dots = next(part for part in answers(picture) if isinstance(part, Shape) and part.fill == ORANGE)
    in_row, in_wave = (half.mean(axis=0) for half in np.split(dots.path.vertices, 2))
    x, y = MAP[0] + (j + 0.5) * MAP[2] / columns, MAP[1] + (pos + 0.5) * MAP[3] / rows
    assert in_row == pytest.approx([x, ROW[1] + ROW[3] * (1 - share) / 2], abs=1)
    assert in_wave == pytest.approx([WAVE[0] + WAVE[2] * (share + 1.05) / 2.1, y], abs=1)
    entry = f"matrix[{pos}, {j}] = " if seed % 2 else f"PE({pos}, {j}) = "
    assert entry in said(picture)
    assert float(answers(picture)[0].text) == pytest.approx(numbers[pos, j], rel=1e-4, abs=5e-5)


def test_a_bar_ends_where_its_number_lies_and_has_its_colour():
    numbers = [1.0, -1.0, 0.5, -0.25, 0.0, 2.0]
    picture = Heatmap(matrix=[numbers], position=0, column=4)
    bars = {}
    for shape in picture.move():
        if isinstance(shape, Shape) and re.fullmatch(r"n-?\d+", shape.edge):
            for (x, zero), (_, end) in shape.path.vertices.reshape(-1, 2, 2).tolist():
                bars[int((x - ROW[0]) * 6 / ROW[2])] = shape.edge, (zero - end) * 2 / ROW[3]
    bars = {j: bar for j, bar in bars.items() if j in range(6)}
    assert sorted(bars) == [0, 1, 2, 3, 5]  # the bar of the marked column is part of the answer
    for j, (colour, share) in bars.items():
        assert share == pytest.approx(numbers[j] / 2)
        assert colour == colour_of(round(numbers[j] * 2) / 4)


def test_the_curve_is_the_wave_between_the_positions():
    curve = answers(Heatmap(column=9))[-2]
    xs, ys = curve.path.vertices.T
    positions = (ys - MAP[1]) * 50 / MAP[3] - 0.5
    assert positions[[0, -1]] == pytest.approx([0, 49])
    expected = [encoded(pos, 9, 64) for pos in positions]
    assert (xs - WAVE[0]) * 2.1 / WAVE[2] - 1.05 == pytest.approx(expected, abs=1e-9)
    for state in ({"base": 1e-4, "column": 63}, {"matrix": np.zeros((50, 64))}):  # too fast, or unknown
        assert len(answers(Heatmap(**state))) == len(answers(Heatmap(column=9))) - 1


@pytest.mark.parametrize("state", [{}, {"length": 10, "d_model": 6, "position": 2, "column": 0}, {"column": 3}])
def test_covered_it_holds_the_value_back(state):
    picture = Heatmap(**state)
    value = f"{picture.value:.4f}"
    assert value in said(picture)
    assert picture.describe().count(value) >= 1
    assert value not in picture.describe(covered=True)
    assert not [text for text in said(picture, "answer") if value in text or text == value[:-2]]
    assert "?" in said(picture, "answer")


def test_the_two_numbers_of_the_last_cell_stand_apart():
    assert not faults(Heatmap(length=512, d_model=512, position=511, column=511))
    row, column = (text.box for text in texts(Heatmap(length=512, d_model=512, position=511, column=511))[-2:])
    assert column[0] + column[2] < row[0]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, np.float16])
def test_the_matrix_is_copied_whatever_it_is_made_of(dtype):
    given = np.arange(12).reshape(4, 3).astype(dtype)
    picture = Heatmap(matrix=given, position=3, column=2)
    before = picture.frame()
    given[:] = 0
    assert picture.frame() == before
    assert picture.update(position=2).value == 8.0
    with pytest.raises(ValueError, match="read-only"):
        picture.numbers[0, 0] = 1
    assert (picture.state["length"], picture.state["d_model"]) == (4, 3)


def test_one_matrix_after_another_is_never_taken_for_the_last():
    picture = Heatmap(matrix=np.zeros((3, 3)), position=0, column=0)
    for n in range(1, 4):
        for sign in (1, -1):
            matrix = np.full((3, 3), sign * n / 9)
            assert picture.update(matrix=matrix).frame() == Heatmap(matrix=matrix, position=0, column=0).frame()
    assert picture.update(matrix=None, length=50, d_model=64, position=17, column=8).frame() == Heatmap().frame()


def test_a_click_chooses_what_lies_under_it():
    places = {target.box: target for target in Heatmap(length=10, d_model=6, position=2, column=3).targets()}
    assert places[MAP].across == places[(*ROW[:3], 440 - ROW[1])].across == ("column", range(6))
    assert places[MAP].down == places[WAVE].down == ("position", range(10))


@pytest.mark.parametrize("preset", Heatmap.presets)
@pytest.mark.parametrize("start", [{}, {"column": 0}])
def test_every_preset_shows_something_else(preset, start):
    picture = Heatmap(**start)
    before = picture.frame()
    assert picture.update(**Heatmap.presets[preset]).frame() != before
    assert faults(picture) == []


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"position": 50}, ValueError, "position must lie between 0 and 49, got 50"),
        ({"position": 1.5}, TypeError, "position must be an integer"),
        ({"column": 64}, ValueError, "column must lie between 0 and 63"),
        ({"length": 17}, ValueError, "position must lie between 0 and 16, got 17"),
        ({"length": 513}, ValueError, "length must lie between 1 and 512, got 513"),
        ({"d_model": 0}, ValueError, "d_model must lie between 1 and 512, got 0"),
        ({"base": 1e-7}, ValueError, "base must be 1e-06 or more to be drawn, got 1e-07"),
        ({"layout": "thirds"}, ValueError, "layout must be one of 'interleaved', 'halves'"),
        ({"name": 3}, TypeError, "name must be a text"),
        ({"matrix": [1, 2]}, ValueError, r"matrix must have 1 to 512 rows and columns, got shape \(2,\)"),
        ({"matrix": np.zeros((513, 64))}, ValueError, r"got shape \(513, 64\)"),
        ({"matrix": np.zeros((0, 4))}, ValueError, r"got shape \(0, 4\)"),
        ({"matrix": [["a"]]}, TypeError, "matrix must be an array of real numbers"),
        ({"matrix": [[math.nan]]}, ValueError, "matrix must be finite, got nan"),
        ({"matrix": np.zeros((17, 64))}, ValueError, "position must lie between 0 and 16, got 17"),
        ({"colour": 1}, TypeError, "has no 'colour'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture = Heatmap()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.state == Heatmap().state
