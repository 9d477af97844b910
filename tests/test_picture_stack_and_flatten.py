"""The picture of stack and flatten shows what NumPy really makes of the two halves, with every ending."""

import itertools
import math
import random
import re

import numpy as np
import pytest
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from picture_states import stack_and_flatten

from pe_lib.explorers.stacking import explore_stacking
from pe_lib.pictures.lettering import outline
from pe_lib.pictures.picture import DPI
from pe_lib.pictures.stack_and_flatten import ENDINGS, StackAndFlatten

SHAPES = [(2, 2), (5, 4), (10, 6)]
EVERY_ENDING = pytest.mark.parametrize("ending", ENDINGS)
EVERY_SHAPE = pytest.mark.parametrize(("length", "d_model"), SHAPES)
STACKED = [ending for ending in ENDINGS if ending != "concatenate"]


def formula(pos: int, j: int, d_model: int) -> float:
    angle = pos / 10_000 ** (2 * (j // 2) / d_model)
    return math.cos(angle) if j % 2 else math.sin(angle)


def shown_lines(picture: StackAndFlatten) -> list[str]:
    """Return the lines of NumPy on the cards, without their shapes."""
    texts = [text.get_text() for text in picture._axes.texts]
    return [re.sub(r"  \(.*\)$", "", text) for text in texts if re.match(r"\w+ +=", text)]


def run(lines: list[str], length: int, d_model: int) -> dict:
    """Run the very lines that the picture shows, and return the arrays by name."""
    angle = np.array([[pos / 10_000 ** (2 * i / d_model) for i in range(d_model // 2)] for pos in range(length)])
    arrays = {"np": np, "angle": angle}
    for line in lines:
        exec(line, arrays)
    return arrays


def normal(path: Path) -> np.ndarray:
    """Return the corners of an outline, wherever it stands and however large it is."""
    corners = path.vertices[path.codes != Path.CLOSEPOLY]
    return (corners - corners.min(axis=0)) / np.ptp(corners[:, 1])


OUTLINES = [(k / 100, normal(outline(f"{k / 100:.2f}"))) for k in range(-100, 101)]


def read(path: Path) -> float:
    """Read a number of two digits from its outline."""
    drawn = normal(path)
    (found,) = (
        number for number, shape in OUTLINES if shape.shape == drawn.shape and np.abs(shape - drawn).max() < 1e-6
    )
    return found


def cells(picture: StackAndFlatten) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the numbers drawn, whether their cells are round, and their places, read line by line."""
    picture.pixels()
    paths, places = picture._cells.get_paths(), np.asarray(picture._cells.get_offsets())
    assert np.array_equal(places[::2], places[1::2]), "a number lies outside its cell"
    order = np.lexsort([places[::2, 0], places[::2, 1]])
    numbers = np.array([read(path) for path in paths[1::2]])
    is_round = np.array([len(path.vertices) > 5 for path in paths[::2]])
    return numbers[order], is_round[order], places[::2][order]


@EVERY_ENDING
@EVERY_SHAPE
def test_the_cells_stand_as_the_lines_shown_put_them(ending, length, d_model):
    picture = StackAndFlatten(ending=ending, length=length, d_model=d_model, column=0)
    numbers, is_round, _ = cells(picture)
    lines = shown_lines(picture)
    arrays = run(lines, length, d_model)
    pairs = np.concatenate([arrays["even"], arrays["odd"]], axis=1)
    assert np.allclose(numbers.reshape(length, d_model), pairs, atol=0.00501)
    assert np.array_equal(is_round.reshape(length, d_model), [[0] * (d_model // 2) + [1] * (d_model // 2)] * length)

    numbers, is_round, _ = cells(picture.update(step=20))
    assert np.allclose(numbers.reshape(length, d_model), arrays["pe"], atol=0.00501)
    kinds = {"np": np, "even": np.zeros((length, d_model // 2)), "odd": np.ones((length, d_model // 2))}
    for line in lines[2:]:
        exec(line, kinds)
    assert np.array_equal(is_round.reshape(length, d_model), kinds["pe"])

    if ending in STACKED:
        numbers, is_round, _ = cells(picture.update(step=10))
        assert np.allclose(numbers, arrays["stacked"].ravel(), atol=0.00501)
        assert np.array_equal(is_round, kinds["stacked"].ravel())


@EVERY_ENDING
@EVERY_SHAPE
def test_the_shapes_and_places_on_the_cards_are_those_of_the_arrays(ending, length, d_model):
    row, column = length - 1, d_model // 2
    picture = StackAndFlatten(step=20, ending=ending, length=length, d_model=d_model, row=row, column=column)
    picture.pixels()
    texts = [text.get_text() for text in picture._axes.texts]
    assert shown_lines(picture) == [code for code, _ in picture._lines()]
    arrays = run(shown_lines(picture), length, d_model)
    assert [text for text in texts if text.startswith("(")] == [
        str(arrays[name].shape) for name in ("stacked", "pe") if name in arrays
    ]
    assert sum(text.endswith(f"  {arrays['even'].shape}") for text in texts) == 2
    places = [re.findall(r"\w+\[[\d, ]+\]", text) for text in texts if "[" in text and "np." not in text]
    assert len(places) == (3 if ending in STACKED else 2)
    for place, *_ in places:
        assert math.isclose(eval(place, arrays), formula(row, column, d_model)), place
    assert [place for _, *others in places for place in others] == (
        [] if places[-1][0] == f"pe[{row}, {column}]" else [f"pe[{row}, {column}]"]
    )


@EVERY_ENDING
def test_the_verdict_is_true(ending):
    picture = StackAndFlatten(ending=ending)
    for length, d_model in itertools.product(range(2, 11), (2, 4, 6, 8)):
        picture.update(length=length, d_model=d_model, row=length // 2, column=0)
        matrix = run([code for code, _ in picture._lines()], length, d_model)["pe"]
        assert np.allclose(picture.matrix, matrix, rtol=0, atol=1e-12)
        wanted = np.array([[formula(pos, j, d_model) for j in range(d_model)] for pos in range(length)])
        assert picture.verdict.startswith("✓") == np.allclose(matrix, wanted)
        if ending in ("stack axis=1", "concatenate") and d_model > 2:
            assert "halves" in picture.verdict
            assert np.allclose(matrix, np.concatenate([wanted[:, 0::2], wanted[:, 1::2]], axis=1))
        if ending == "stack axis=0":
            said = re.fullmatch(r"✗ Not the encoding: row (\d+) holds (.*)", picture.verdict)
            assert said
            assert np.allclose(matrix[int(said[1])], numbers_named(said[2], wanted))


def numbers_named(words: str, encoding: np.ndarray) -> np.ndarray:
    """Return the numbers that a verdict names, like "the sines of positions 2 and 3"."""
    named = []
    for kind, positions in re.findall(r"the (sines|cosines) of positions? (\d+(?: and \d+)?)", words):
        named += [encoding[int(pos), int(kind == "cosines") :: 2] for pos in positions.split(" and ")]
    return np.concatenate(named)


def test_one_pair_alone_has_no_halves():
    assert StackAndFlatten(ending="stack axis=1", d_model=2, column=0).verdict.startswith("✓")


@pytest.mark.parametrize("seed", range(12))
def test_the_frame_lies_on_the_number_to_follow_and_the_description_tells_its_value(seed):
    state = stack_and_flatten(random.Random(seed))
    picture = StackAndFlatten(**state)
    numbers, is_round, places = cells(picture)
    value = formula(state["row"], state["column"], state["d_model"])
    frame = picture._frame
    middle = frame.get_x() + frame.get_width() / 2, frame.get_y() + frame.get_height() / 2
    (there,) = np.flatnonzero(np.all(places == middle, axis=1))[-1:]  # on the way, one cell may lie on another
    assert abs(numbers[there] - value) <= 0.00501
    assert is_round[there] == state["column"] % 2
    words = picture.describe()
    said = re.search(r"PE\((\d), (\d)\) = (-?\d\.\d{4}), is", words)
    assert said
    assert (int(said[1]), int(said[2])) == (state["row"], state["column"])
    assert abs(float(said[3]) - value) <= 0.000051
    assert words.startswith(f"Step {state['step']} of 20.")
    assert (picture.verdict in words) == (state["step"] == 20)
    assert len(words) < 900


def test_the_description_tells_the_chosen_row_as_each_array_has_it():
    picture = StackAndFlatten(row=2)
    assert "even[2] is [0.91, 0.09, 0.00] and odd[2] is [-0.42, 1.00, 1.00]" in picture.describe()
    assert "stacked[2] is [[0.91, -0.42], [0.09, 1.00], [0.00, 1.00]]" in picture.update(step=10).describe()
    assert "pe[2] is [0.91, -0.42, 0.09, 1.00, 0.00, 1.00]" in picture.update(step=20).describe()
    mixed = picture.update(step=10, ending="stack axis=0").describe()
    assert "stacked[:, 2] is [[0.91, 0.09, 0.00], [-0.42, 1.00, 1.00]]" in mixed
    assert "30% of the way from stacked to pe" in picture.update(step=13).describe()
    assert "65% of the way from even and odd to pe" in picture.update(ending="concatenate").describe()


@pytest.mark.slow
@EVERY_ENDING
def test_cells_at_rest_never_overlap_and_their_numbers_are_large_enough_and_inside(ending):
    zero = TextPath((0, 0), "0", size=12 * DPI / 72).get_extents().height
    for (length, d_model), step in [((2, 2), 10), ((10, 8), 0), ((10, 8), 10), ((10, 8), 20)]:
        if ending == "concatenate" and step == 10:
            continue  # on the way
        picture = StackAndFlatten(step=step, ending=ending, length=length, d_model=d_model, row=0, column=1)
        picture.pixels()
        boxes = [path.get_extents() for path in picture._cells.get_paths()]
        places = np.asarray(picture._cells.get_offsets())[::2]
        for cell, number in zip(boxes[::2], boxes[1::2], strict=True):
            assert number.height >= 0.99 * zero
            assert number.width <= cell.width - 4
            assert number.height <= cell.height - 4
        for a, b in itertools.combinations(places, 2):
            assert np.any(np.abs(a - b) >= [boxes[0].width, boxes[0].height])


def test_every_step_has_a_picture_of_its_own():
    picture = StackAndFlatten()
    seen = {picture.update(step=step).pixels().tobytes() for step in range(21)}
    assert len(seen) == 21


@pytest.mark.slow
def test_every_ending_and_every_number_has_a_picture_of_its_own():
    picture = StackAndFlatten()
    seen = {picture.update(ending=ending).pixels().tobytes() for ending in ENDINGS}
    assert len(seen) == 4
    seen = {picture.update(row=row, column=column).pixels().tobytes() for row in range(4) for column in range(6)}
    assert len(seen) == 24


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"step": 21}, ValueError, "step must lie between 0 and 20, got 21"),
        ({"step": 0.5}, TypeError, "step must be an integer"),
        ({"ending": "stack axis=3"}, ValueError, "ending must be one of stack axis=2, .*got 'stack axis=3'"),
        ({"ending": 2}, TypeError, "ending must be one of"),
        ({"ending": ["concatenate"]}, TypeError, "ending must be one of"),
        ({"length": 1}, ValueError, "length must lie between 2 and 10, got 1"),
        ({"length": "4"}, TypeError, "length must be an integer"),
        ({"length": True}, TypeError, "length must be an integer"),
        ({"d_model": 5}, ValueError, "d_model must be even, got 5: np.stack takes as many sines as cosines"),
        ({"d_model": 10}, ValueError, "d_model must lie between 2 and 8"),
        ({"row": 4}, ValueError, "row must lie between 0 and 3, got 4"),
        ({"column": 6}, ValueError, "column must lie between 0 and 5, got 6"),
        ({"d_model": 2}, ValueError, "column must lie between 0 and 1, got 2"),
        ({"base": 10.0}, TypeError, "has no 'base'"),
    ],
)
def test_what_cannot_be_stacked_is_refused_and_the_picture_stays(state, error, says):
    picture = StackAndFlatten()
    before = picture.pixels()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert np.array_equal(picture.pixels(), before)


def test_integers_of_numpy_are_integers():
    state = {"step": np.int64(10), "length": np.uint8(10), "d_model": np.int32(6), "row": np.int8(9)}
    assert np.array_equal(StackAndFlatten(**state).pixels(), StackAndFlatten(step=10, length=10, row=9).pixels())


def test_every_preset_of_the_explorer_can_be_reached_from_everywhere():
    explorer = explore_stacking(step=7, ending="concatenate", length=10, d_model=8, row=9, column=7)
    start = dict(explorer.picture.state)
    for name, state in explorer.presets.items():
        explorer.preset(name)
        assert explorer.message == ""
        assert state.items() <= explorer.picture.state.items()
    explorer.reset()
    assert explorer.picture.state == start
    explorer.controls["d_model"].value = 2
    explorer.controls["length"].value = 2
    assert explorer.message == ""
    assert (explorer.picture.state["row"], explorer.picture.state["column"]) == (1, 1)
