"""The picture of stack and flatten shows what NumPy really makes of the two halves, with every ending."""

import itertools
import math
import random
import re

import numpy as np
import pytest
from sheets import faults, texts

from pe_lib.pictures.scene import Shape
from pe_lib.pictures.stack_and_flatten import ENDINGS, StackAndFlatten

EVERY_ENDING = pytest.mark.parametrize("ending", ENDINGS)
EVERY_SHAPE = pytest.mark.parametrize(("length", "d_model"), [(2, 2), (5, 4), (6, 6)])
SEEDS = pytest.mark.parametrize("seed", range(12))


def formula(pos: int, j: int, d_model: int) -> float:
    angle = pos / 10_000 ** (2 * (j // 2) / d_model)
    return math.cos(angle) if j % 2 else math.sin(angle)


def anywhere(seed: int) -> StackAndFlatten:
    """Return a picture in a state of chance."""
    choose = random.Random(seed)
    length, d_model = choose.choice([2, 3, 4, 7, 9, 10]), choose.choice([2, 4, 6, 8])
    return StackAndFlatten(
        step=choose.choice([0, 10, 20, choose.randrange(21)]),
        ending=choose.choice(ENDINGS),
        length=length,
        d_model=d_model,
        row=choose.randrange(length),
        column=choose.randrange(d_model),
    )


def run(picture: StackAndFlatten) -> dict:
    """Run the lines that the picture shows, and return the arrays by name."""
    length, d_model = picture.state["length"], picture.state["d_model"]
    angle = np.array([[pos / 10_000 ** (2 * i / d_model) for i in range(d_model // 2)] for pos in range(length)])
    arrays = {"np": np, "even": np.sin(angle), "odd": np.cos(angle)}
    for line in re.findall(r"((?:stacked|pe) = .*?) has shape", picture.describe()):
        assert line.split(" = ")[1] in [text.text for text in texts(picture)]
        exec(line, arrays)
    return arrays


def cells(picture: StackAndFlatten) -> list[float]:
    """Return the numbers in the cells, read line by line."""
    found = [text for text in texts(picture) if re.fullmatch(r"-?\d\.\d\d", text.text)]
    return [float(text.text) for text in sorted(found, key=lambda text: (round(text.base), text.left))]


@EVERY_ENDING
@EVERY_SHAPE
def test_the_cells_stand_as_the_lines_shown_put_them(ending, length, d_model):
    picture = StackAndFlatten(ending=ending, length=length, d_model=d_model, column=0)
    arrays = run(picture)
    pairs = np.concatenate([arrays["even"], arrays["odd"]], axis=1)
    assert np.allclose(cells(picture), pairs.ravel(), atol=0.00501)
    assert np.allclose(cells(picture.update(step=20)), arrays["pe"].ravel(), atol=0.00501)
    if "stacked" in arrays:
        assert np.allclose(cells(picture.update(step=10)), arrays["stacked"].ravel(), atol=0.00501)


@EVERY_ENDING
@EVERY_SHAPE
def test_the_shapes_and_places_shown_are_those_of_the_arrays(ending, length, d_model):
    row, column = length - 1, d_model // 2
    picture = StackAndFlatten(step=20, ending=ending, length=length, d_model=d_model, row=row, column=column)
    arrays, said = run(picture), [text.text for text in texts(picture)]
    assert f"2 × {arrays['even'].shape}" in said
    assert {str(arrays[name].shape) for name in ("stacked", "pe") if name in arrays} <= set(said)
    (way,) = re.findall(r", is (.*?\])\. [✓✗A]", picture.describe())
    places = way.split(", then ")
    assert len(places) == (2 if ending == "concatenate" else 3)
    for place in places:
        assert math.isclose(eval(place, arrays), formula(row, column, d_model)), place
    wanted = f"pe[{row}, {column}]"
    assert f"PE({row}, {column}) is {places[0]}" in said
    assert (places[-1] if places[-1] == wanted else f"{places[-1]}, not {wanted}") in said


@EVERY_ENDING
def test_the_verdict_is_true(ending):
    picture = StackAndFlatten(ending=ending)
    for length, d_model in itertools.product((2, 3, 5, 10), (2, 4, 6, 8)):
        picture.update(length=length, d_model=d_model, row=length // 2, column=0)
        matrix = run(picture)["pe"]
        assert np.allclose(picture.matrix, matrix, rtol=0, atol=1e-12)
        wanted = np.array([[formula(pos, j, d_model) for j in range(d_model)] for pos in range(length)])
        assert picture.verdict.startswith("✓") == np.allclose(matrix, wanted)
        if ending in ("stack axis=1", "concatenate") and d_model > 2:
            assert "halves" in picture.verdict
            assert np.allclose(matrix, np.concatenate([wanted[:, 0::2], wanted[:, 1::2]], axis=1))
        if ending == "stack axis=0":
            said = re.fullmatch(r"✗ Not the encoding: row (\d+) holds (.*)", picture.verdict)
            assert np.allclose(matrix[int(said[1])], numbers_named(said[2], wanted))


def numbers_named(words: str, encoding: np.ndarray) -> np.ndarray:
    """Return the numbers that a verdict names, like "sin of pos 2, cos of 0"."""
    named = []
    for kind, positions in re.findall(r"(sin|cos) of (?:pos )?(\d+(?:, \d+)*)", words):
        named += [encoding[int(pos), int(kind == "cos") :: 2] for pos in positions.split(", ")]
    return np.concatenate(named)


@SEEDS
def test_the_frame_lies_on_the_number_to_follow_and_the_description_tells_its_value(seed):
    picture = anywhere(seed)
    s = picture.state
    value = formula(s["row"], s["column"], s["d_model"])
    parts = [part for element in picture.move() for part in getattr(element, "parts", [element])]
    (frame,) = [part.path.get_extents() for part in parts if isinstance(part, Shape) and part.edge == "orange"]
    inside = [t for t in texts(picture) if frame.contains(t.left + 1, t.base - 5) and frame.contains(*_end(t))]
    assert [abs(float(t.text) - value) <= 0.00501 for t in inside] in ([True], [])  # none where cells are low
    words = picture.describe()
    said = re.search(r"PE\((\d), (\d)\) = (-?\d\.\d{4}), is", words)
    assert (int(said[1]), int(said[2])) == (s["row"], s["column"])
    assert abs(float(said[3]) - value) <= 0.000051
    assert words.startswith(f"Step {s['step']} of 20.")
    assert (picture.verdict in words) == (s["step"] == 20)
    assert not faults(picture)


def _end(text) -> tuple[float, float]:
    left, _, wide, _ = text.box
    return left + wide - 1, text.base - 5


@SEEDS
def test_covered_nothing_tells_what_comes_of_the_last_line(seed):
    picture = anywhere(seed).update(step=20)
    said = [text.text for text in texts(picture, "answer")]
    assert "?" in said
    for secret in (picture.verdict, "✗", "✓", "pe[", "row "):
        assert not any(secret in text for text in [*said, picture.describe(covered=True)[60:]]), secret
    assert not [text for text in said if re.fullmatch(r"-?\d\.\d\d", text)]


def test_covered_the_endings_that_make_one_shape_look_alike():
    asked = {
        tuple(line for e in StackAndFlatten(step=20, ending=f"stack axis={axis}", length=6).move()
              if getattr(e, "kind", "") == "question" for line in e.svg())
        for axis in (1, 2)
    }  # fmt: skip
    assert len(asked) == 1


def test_the_description_tells_the_chosen_row_as_each_array_has_it():
    picture = StackAndFlatten(row=2)
    assert "even[2] is [0.91, 0.09, 0.00] and odd[2] is [-0.42, 1.00, 1.00]" in picture.describe()
    assert "stacked[2] is [[0.91, -0.42], [0.09, 1.00], [0.00, 1.00]]" in picture.update(step=10).describe()
    assert "pe[2] is [0.91, -0.42, 0.09, 1.00, 0.00, 1.00]" in picture.update(step=20).describe()
    mixed = picture.update(step=10, ending="stack axis=0").describe()
    assert "stacked[:, 2] is [[0.91, 0.09, 0.00], [-0.42, 1.00, 1.00]]" in mixed
    assert "30% of the way from stacked to pe" in picture.update(step=13).describe()
    assert "65% of the way from even and odd to pe" in picture.update(ending="concatenate").describe()


@EVERY_ENDING
def test_a_click_follows_the_number_in_the_cell(ending):
    for step in (0, 10):
        picture = StackAndFlatten(step=step, ending=ending, length=3, d_model=4)
        for target in picture.targets():
            (across, columns), (down, rows) = target.across, target.down
            left, top, wide, high = target.box
            for (j, column), (r, row) in itertools.product(enumerate(columns), enumerate(rows)):
                picture.update(**{across: column, down: row})
                frames = [p for p in picture.move() if isinstance(p, Shape) and p.edge == "orange"]
                middle = left + wide * (j + 0.5) / len(columns), top + high * (r + 0.5) / len(rows)
                assert frames[0].path.get_extents().contains(*middle)


def test_a_click_on_the_matrix_asks_for_the_place_whatever_landed_there():
    targets = [list(StackAndFlatten(step=20, ending=ending).targets()) for ending in ENDINGS]
    assert all([(t.across, t.down) for t in found] == [(("column", range(6)), ("row", range(4)))] for found in targets)


def test_every_part_of_the_state_is_seen_and_presets_change_something():
    states = [
        *({"step": step} for step in range(21)),
        *({"ending": ending} for ending in ENDINGS[1:]),
        *({"row": row, "column": column} for row in (0, 2, 3) for column in range(6)),
        {"length": 5},
        {"d_model": 8},
        *(preset for name, preset in StackAndFlatten.presets.items() if name not in ("stacked", "flattened")),
    ]
    assert len({StackAndFlatten(**state).frame() for state in states}) == len(states)


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"step": 21}, ValueError, "step must lie between 0 and 20, got 21"),
        ({"step": 0.5}, TypeError, "step must be an integer"),
        ({"ending": "stack axis=3"}, ValueError, "ending must be one of 'stack axis=2', .*got 'stack axis=3'"),
        ({"ending": 2}, TypeError, "ending must be one of"),
        ({"ending": ["concatenate"]}, TypeError, "ending must be one of"),
        ({"length": 1}, ValueError, "length must lie between 2 and 10, got 1"),
        ({"length": True}, TypeError, "length must be an integer"),
        ({"d_model": 5}, ValueError, "d_model must be even, got 5"),
        ({"d_model": 10}, ValueError, "d_model must lie between 2 and 8"),
        ({"row": 4}, ValueError, "row must lie between 0 and 3, got 4"),
        ({"column": 6}, ValueError, "column must lie between 0 and 5, got 6"),
        ({"d_model": 2}, ValueError, "column must lie between 0 and 1, got 2"),
        ({"base": 10.0}, TypeError, "has no 'base'"),
    ],
)
def test_what_cannot_be_stacked_is_refused_and_the_picture_stays(state, error, says):
    picture = StackAndFlatten()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.state == StackAndFlatten().state
