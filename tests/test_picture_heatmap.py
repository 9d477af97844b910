"""The heatmap shows each number in its place and colour, draws the marked row and column out, and owns its matrix."""

import itertools
import math
import random
import re

import numpy as np
import pytest
from matplotlib import colormaps
from picture_states import heatmap

from pe_lib.explorers.heatmap import explore_heatmap
from pe_lib.pictures.heatmap import IMAGE, ROW, ROW_UNIT, WAVE, WAVE_UNIT, Heatmap


def encoded(pos, column, d_model, base=10_000.0, layout="interleaved"):
    """Write one number of the encoding out from the formula."""
    if layout == "interleaved":
        pair, is_cosine = column // 2, column % 2 == 1
    else:
        half = (d_model + 1) // 2
        pair, is_cosine = column % half, column >= half
    return (math.cos if is_cosine else math.sin)(pos / base ** (2 * pair / d_model))


def colours(numbers):
    """Return the red, green and blue of numbers between -1 and 1."""
    return np.array(colormaps["RdBu_r"]((np.asarray(numbers) + 1) / 2, bytes=True))[..., :3].astype(int)


def drawn(picture):
    """Return the pixels where the image is, with the frames over it."""
    left, top, width, height = IMAGE
    return picture.pixels()[top : top + height, left : left + width, :3].astype(int)


def middle(pos, j, picture):
    """Return where the middle of a cell lies in the image, in pixels from the top and from the left."""
    length, d_model = picture.numbers.shape
    return int((pos + 0.5) * IMAGE[3] / length), int((j + 0.5) * IMAGE[2] / d_model)


@pytest.mark.parametrize("seed", range(20))
def test_the_description_says_the_numbers_of_the_formula(seed):
    state = {**heatmap(random.Random(seed)), "matrix": None, "base": 10_000.0}
    words = Heatmap(**state).describe()
    pos, column, d_model, layout = (state[name] for name in ("position", "column", "d_model", "layout"))
    said = re.search(r"They cross at PE\((\d+), (\d+)\) = (-?\d\.\d{4})\.$", words)
    assert said
    assert (int(said[1]), int(said[2])) == (pos, column)
    assert float(said[3]) == pytest.approx(encoded(pos, column, d_model, layout=layout), abs=0.51e-4)
    row = re.search(rf"Row {pos} is marked and drawn out beneath: ([-\d., ]+)(, …)?\. Column", words)
    wave = re.search(rf"Column {column}, .* at the side: ([-\d., ]+)(, …)?\. They", words)
    assert row
    assert wave
    for j, number in enumerate(row[1].split(", ")):
        assert float(number) == pytest.approx(encoded(pos, j, d_model, layout=layout), abs=0.51e-4)
    for p, number in enumerate(wave[1].split(", ")):
        assert float(number) == pytest.approx(encoded(p, column, d_model, layout=layout), abs=0.51e-4)
    assert len(words) < 900


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"column": 8}, "the sine of pair 4 with wavelength 19.9 positions"),
        ({"column": 9}, "the cosine of pair 4 with wavelength 19.9 positions"),
        ({"layout": "halves", "column": 4}, "the sine of pair 4 with wavelength 19.9 positions"),
        ({"layout": "halves", "column": 36}, "the cosine of pair 4 with wavelength 19.9 positions"),
        ({"layout": "halves", "d_model": 7, "column": 3}, "the sine of pair 3"),
        ({"layout": "halves", "d_model": 7, "column": 4}, "the cosine of pair 0 with wavelength 6.3 positions"),
        ({}, "even columns are sines, odd columns cosines"),
        ({"layout": "halves"}, "columns 0–31 are sines, 32–63 cosines"),
        ({"layout": "halves", "d_model": 3, "column": 0}, "columns 0–1 are sines, column 2 a cosine"),
        ({"layout": "halves", "d_model": 2, "column": 0}, "column 0 is a sine, column 1 a cosine"),
        (
            {"d_model": 1, "column": 0, "length": 1, "position": 0},
            "1 position, d_model 1, base 10000: column 0 is a sine.",
        ),
        ({"matrix": [[0.0, 5.5]], "position": 0, "column": 1}, "Image of a matrix of 1 row and 2 columns."),
        ({"matrix": [[0.0, 5.5]], "position": 0, "column": 1}, "blue for -5.5 over white for 0 to red for 5.5"),
        ({"matrix": [[0.0, 5.5]], "position": 0, "column": 1, "name": "mine"}, "Image of “mine”, a matrix"),
    ],
)
def test_the_description_says_what_is_shown(state, says):
    assert says in Heatmap(**state).describe()


def test_of_a_matrix_it_does_not_say_what_it_cannot_know():
    picture = Heatmap(matrix=np.zeros((4, 4)), position=1, column=1)
    picture.pixels()
    words = [text.get_text() for text in picture.figure.findobj(lambda a: hasattr(a, "get_text")) if text.get_visible()]
    for said in (picture.describe(), *words):
        assert not re.search(r"sine|wave|PE\(|base|d_model|position", said), said


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize(("length", "d_model"), [(13, 11), (50, 64)])
def test_every_cell_has_the_colour_of_its_number(length, d_model, layout):
    picture = Heatmap(length=length, d_model=d_model, layout=layout, position=0, column=0)
    pixels = drawn(picture)
    for pos, j in itertools.product(range(3, length, 4), range(3, d_model, 3)):
        expected = colours(encoded(pos, j, d_model, layout=layout))
        assert np.abs(pixels[middle(pos, j, picture)] - expected).max() <= 1, (pos, j)


def test_in_the_widest_encoding_each_column_is_a_column_of_pixels():
    picture = Heatmap(length=400, d_model=512, position=399, column=511)
    numbers = [[encoded(pos, j, 512) for j in range(500)] for pos in range(390)]
    assert np.abs(drawn(picture)[:390, :500] - colours(numbers)).max() <= 4  # one step of the colour map


def test_a_pixel_has_the_mean_colour_of_the_cells_it_covers():
    matrix = np.where(np.arange(512) % 2, -1.0, 1.0)[:, np.newaxis] * np.ones(512)  # rows of 1 and -1 in turn
    pixels = drawn(Heatmap(matrix=matrix, position=511, column=511))[:380, :500]
    red, blue = colours([1.0, -1.0])
    for y in range(0, 380, 11):  # pixel y covers the rows from 1.28·y to 1.28·(y + 1)
        row = np.arange(512)
        share = np.clip(np.minimum(row + 1, 1.28 * (y + 1)) - np.maximum(row, 1.28 * y), 0, None) / 1.28
        expected = share[::2].sum() * red + share[1::2].sum() * blue
        assert np.abs(pixels[y] - expected).max() <= 1, y


@pytest.mark.parametrize(("length", "d_model"), [(10, 6), (10, 10), (16, 4), (3, 4)])
def test_the_cells_of_a_small_table_hold_their_numbers(length, d_model):
    picture = Heatmap(length=length, d_model=d_model, position=2, column=3)
    picture.pixels()
    cells = {text.get_position(): text.get_text() for text in picture._image_axes.texts}
    assert len(cells) == length * d_model
    for (j, pos), text in cells.items():
        assert re.fullmatch(r"-?\d\.\d\d", text)
        assert text != "-0.00"
        assert float(text) == pytest.approx(encoded(pos, j, d_model), abs=0.0051)


@pytest.mark.parametrize(
    "state", [{"length": 17, "d_model": 4}, {"length": 13, "d_model": 10}, {"length": 4, "d_model": 11}, {}]
)
def test_a_larger_table_or_longer_numbers_leave_the_cells_empty(state):
    picture = Heatmap(length=10, d_model=6, position=2, column=3)
    picture.pixels()
    picture.update(**{"length": 50, "d_model": 64, **state}).pixels()
    assert not picture._image_axes.texts
    picture.update(matrix=[[1e300, 1.0]] * 3, position=0, column=0).pixels()
    assert not picture._image_axes.texts


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_the_margins_draw_out_the_marked_row_and_column(seed):
    state = heatmap(random.Random(seed))
    picture = Heatmap(**state)
    picture.pixels()
    pos, j, numbers = state["position"], state["column"], picture.numbers
    if state["matrix"] is not None:
        assert np.array_equal(numbers, state["matrix"])
    scale = max(1.0, np.abs(numbers).max())
    assert np.array_equal(picture._row_bars.values, numbers[pos] / scale)
    assert np.array_equal(picture._wave_bars.values, numbers[:, j] / scale)
    assert picture._row_point.get_xydata().tolist() == [[j, numbers[pos, j] / scale]]
    assert picture._wave_point.get_xydata().tolist() == [[numbers[pos, j] / scale, pos]]
    assert picture._row_value.get_text() == picture._wave_value.get_text()
    value = picture._row_value.get_text()
    assert float(value) == pytest.approx(numbers[pos, j], rel=0.06 if scale > 1e5 else 1e-4, abs=5e-5)
    name = "PE({}, {})" if state["matrix"] is None else "matrix[{}, {}]"
    assert picture._value.get_text() == f"{name.format(pos, j)} = {value}"
    frame = picture._cell.get_bbox()
    assert frame.x0 < j < frame.x1
    assert frame.y0 < pos < frame.y1


def test_a_bar_is_as_long_as_its_number_and_has_its_colour():
    numbers = [[1.0, -1.0, 0.5, -0.25, 0.0, 2.0]]
    picture = Heatmap(matrix=numbers, position=0, column=4)
    pixels = picture.pixels()[..., :3].astype(int)
    left, top, width, _ = ROW
    zero = top + round(1.12 * ROW_UNIT)  # the first row of pixels below zero
    for j, number in enumerate(numbers[0]):
        x = left + int((j + 0.3) * width / 6)  # beside the stem
        up, down = pixels[zero - ROW_UNIT : zero - 1, x][::-1], pixels[zero + 1 : zero + ROW_UNIT, x]
        expected = colours(number / 2)
        for side, length in ((up, number / 2), (down, -number / 2)):
            filled = (side == expected).all(axis=1).sum() if number else 0
            assert filled == pytest.approx(max(0.0, length) * ROW_UNIT, abs=2), (j, number)


def test_the_wave_runs_downwards_from_position_0_with_positive_values_on_the_right():
    numbers = np.array([[1.0], [-1.0], [0.5], [-0.25], [0.0]])
    picture = Heatmap(matrix=numbers, position=4, column=0)
    pixels = picture.pixels()[..., :3].astype(int)
    left, top, _, height = WAVE
    zero = left + round(1.12 * WAVE_UNIT)
    for pos, number in enumerate(numbers[:, 0]):
        y = top + int((pos + 0.3) * height / 5)
        here, there = pixels[y, zero + 2 : zero + WAVE_UNIT], pixels[y, zero - WAVE_UNIT : zero - 2][::-1]
        for side, length in ((here, number), (there, -number)):
            filled = (side == colours(number)).all(axis=1).sum() if number else 0
            assert filled == pytest.approx(max(0.0, length) * WAVE_UNIT, abs=3), (pos, number)


def test_the_curve_is_the_wave_between_the_positions():
    picture = Heatmap(column=9)
    picture.pixels()
    values, positions = picture._curve.get_data()
    assert (positions[0], positions[-1]) == (0, 49)
    assert values == pytest.approx([encoded(p, 9, 64) for p in positions], abs=1e-12)
    for state in ({"base": 1e-4, "column": 63}, {"matrix": np.zeros((50, 64))}):  # too fast, or unknown
        picture.update(**state).pixels()
        assert len(picture._curve.get_xdata()) == 0


def test_the_colour_bars_say_how_far_the_colours_reach():
    for greatest, end in ((0.5, "1"), (-3, "3"), (22.627, "22.6"), (-1e300, "1e300"), (12_345, "12345")):
        picture = Heatmap(matrix=[[greatest, 0.1]], position=0, column=0)
        picture.pixels()
        for scale in (picture._row_scale, picture._wave_scale):
            assert [text.get_text() for text in scale.get_ticklabels()] == [f"−{end}", "0", end]
            assert list(scale.get_ticklocs()) == [-1, 0, 1]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, np.float16])
def test_the_matrix_is_copied_whatever_it_is_made_of(dtype):
    given = np.arange(12).reshape(4, 3).astype(dtype)
    picture = Heatmap(matrix=given, position=3, column=2)
    before = picture.pixels()
    given[:] = 0
    assert np.array_equal(picture.pixels(), before)
    assert np.array_equal(picture.update(position=2, column=2).numbers, np.arange(12.0).reshape(4, 3))
    assert picture.value == 8.0
    with pytest.raises(ValueError, match="read-only"):
        picture.numbers[0, 0] = 1
    assert (picture.state["length"], picture.state["d_model"]) == (4, 3)


def test_one_matrix_after_another_is_never_taken_for_the_last():
    picture = Heatmap(matrix=np.zeros((3, 3)), position=0, column=0)
    for n in range(1, 4):
        picture.update(matrix=np.full((3, 3), n / 9))
        picture.update(matrix=np.full((3, 3), -n / 9))
        assert np.array_equal(picture.pixels(), Heatmap(matrix=np.full((3, 3), -n / 9), position=0, column=0).pixels())
    back = picture.update(matrix=None, length=50, d_model=64, position=17, column=8)
    assert np.array_equal(back.pixels(), Heatmap().pixels())


@pytest.mark.slow
def test_different_states_look_different():
    states = [
        *({"position": pos} for pos in range(0, 50, 7)),
        *({"column": j} for j in range(0, 64, 9)),
        *({"base": base} for base in (10.0, 100.0, 1000.0)),
        *({"length": 49}, {"d_model": 63}, {"layout": "halves"}, {"name": "a title"}, {"matrix": Heatmap().numbers}),
    ]
    picture = Heatmap()
    start = picture.state
    assert len({picture.update(**{**start, **state}).pixels().tobytes() for state in states}) == len(states)


@pytest.fixture(scope="module")
def first():
    """Return a picture of the first state, and its pixels."""
    picture = Heatmap()
    return picture, picture.pixels()


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"position": 50}, ValueError, "position must lie between 0 and 49, got 50"),
        ({"position": -1}, ValueError, "position must lie between 0 and 49"),
        ({"position": 1.5}, TypeError, "position must be an integer"),
        ({"column": 64}, ValueError, "column must lie between 0 and 63"),
        ({"column": True}, TypeError, "column must be an integer"),
        ({"length": 17}, ValueError, "position must lie between 0 and 16, got 17"),
        ({"length": 0}, ValueError, "length must lie between 1 and 512, got 0"),
        ({"length": 513}, ValueError, "length must lie between 1 and 512, got 513"),
        ({"d_model": 513}, ValueError, "d_model must lie between 1 and 512, got 513"),
        ({"d_model": "6"}, TypeError, "d_model must be an integer"),
        ({"base": 0}, ValueError, "base must be"),
        ({"base": 1e-7}, ValueError, "base must be at least 1e-06"),
        ({"layout": "thirds"}, ValueError, "layout must be 'interleaved' or 'halves'"),
        ({"name": 3}, TypeError, "name must be a text"),
        ({"matrix": 3}, ValueError, r"matrix must have 1 to 512 rows and as many columns, got shape \(\)"),
        ({"matrix": [1, 2]}, ValueError, r"got shape \(2,\)"),
        ({"matrix": np.zeros((0, 4))}, ValueError, r"got shape \(0, 4\)"),
        ({"matrix": np.zeros((513, 64))}, ValueError, r"got shape \(513, 64\)"),
        ({"matrix": np.zeros((2, 2, 2))}, ValueError, r"got shape \(2, 2, 2\)"),
        ({"matrix": [[1, 2], [3]]}, TypeError, "matrix must be an array of real numbers"),
        ({"matrix": [["a"]]}, TypeError, "matrix must be an array of real numbers"),
        ({"matrix": [[True]]}, TypeError, "matrix must be an array of real numbers"),
        ({"matrix": [[1j]]}, TypeError, "matrix must be an array of real numbers"),
        ({"matrix": [[math.nan]]}, ValueError, "matrix must be finite, got nan"),
        ({"matrix": [[-math.inf]]}, ValueError, "matrix must be finite, got -inf"),
        ({"matrix": np.zeros((17, 64))}, ValueError, "position must lie between 0 and 16, got 17"),
        ({"colour": 1}, TypeError, "has no 'colour'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(first, state, error, says):
    picture, pixels = first
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert np.array_equal(picture.pixels(), pixels)


def test_the_explorer_presets_go_where_their_names_say():
    for layout, slowest in (("interleaved", 62), ("halves", 31)):
        explorer = explore_heatmap(layout=layout)
        assert explorer.preset("first row").picture.numbers[explorer.picture.state["position"]] == pytest.approx(
            [encoded(0, j, 64, layout=layout) for j in range(64)]
        )
        assert explorer.preset("fastest column").picture.state["column"] == 0
        assert explorer.preset("slowest column").picture.state["column"] == slowest
        assert explorer.preset("halves").picture.state["layout"] == "halves"
        assert explorer.preset("ten by six").picture.numbers.shape == (10, 6)
        assert explorer.message == ""


def test_the_explorer_of_a_matrix_moves_in_it_alone():
    explorer = explore_heatmap(matrix=np.arange(6).reshape(2, 3), position=0, column=0)
    assert list(explorer.controls) == ["position", "column"]
    assert (explorer.controls["position"].max, explorer.controls["column"].max) == (1, 2)
    assert explorer.preset("last row").picture.value == 3
    assert explorer.preset("last column").picture.value == 2
