"""The waves read right: what they show and say is the formula, written out here once more."""

import itertools
import math
import random
import re
from functools import cache

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.textpath import TextPath
from picture_states import waves

from pe_lib.explorers.waves import explore_waves
from pe_lib.pictures.lettering import outline
from pe_lib.pictures.waves import HEIGHT, Waves

SEEDS = pytest.mark.parametrize("seed", range(8))


def pe(pos: int, j: int, d_model: int, base: float) -> float:
    angle = pos / base ** (2 * (j // 2) / d_model)
    return math.cos(angle) if j % 2 else math.sin(angle)


@cache
def drawn(seed: int) -> Waves:
    picture = Waves(**waves(random.Random(seed)))
    picture.pixels()
    return picture


@cache
def first() -> tuple[Waves, np.ndarray]:
    picture = Waves()
    return picture, picture.pixels()


def readings(picture: Waves) -> list[float]:
    s = picture.state
    return [pe(s["position"], j, s["d_model"], s["base"]) for j in picture.columns]


def curves(*lines) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Return the curves of lines with breaks between: x, and height over the middle of the row, by row."""
    found = {}
    for line in lines:
        xs, ys = (np.asarray(data, float) for data in line.get_data())
        for end in np.flatnonzero(np.isnan(ys)):
            start = np.flatnonzero(np.isnan(ys[:end]))[-1] + 1 if np.isnan(ys[:end]).any() else 0
            row = round(float(ys[start:end].mean()))
            found[row] = xs[start:end], ys[start:end] - row
    return found


def words_on(picture: Waves) -> list[str]:
    return [text.get_text() for text in picture.figure.findobj(mpl.text.Text) if text.get_visible()]


@SEEDS
def test_the_vector_is_the_encoding_of_the_position(seed):
    picture = drawn(seed)
    expected = readings(picture)
    assert np.allclose(picture.vector, expected, atol=1e-12)
    assert [float(number) for number in picture._numbers.shown] == pytest.approx(expected, abs=0.5001e-4)
    assert all(re.fullmatch(r"-?[01]\.\d{4}", number) for number in picture._numbers.shown)
    assert "-0.0000" not in picture._numbers.shown
    colours = mpl.colormaps["RdBu_r"]((np.array(expected) + 1) / 2)
    assert np.allclose(picture._colours.get_facecolor(), colours, atol=0.03)  # neighbouring shades lie .02 apart
    assert picture._title.shown == [f"PE({picture.state['position']})"]


@SEEDS
def test_dots_and_waves_lie_where_the_formula_says(seed):
    picture = drawn(seed)
    s, columns = picture.state, picture.columns
    xs, ys = picture._readings.get_data()
    assert set(xs) == {s["position"]} == set(picture._line.get_xdata())
    assert np.allclose((ys - np.arange(len(columns))) / HEIGHT, readings(picture), atol=1e-12)
    whole = np.reshape(picture._dots.get_ydata(), (len(columns), -1))[:, :-1]
    assert whole.shape[1] == s["length"]
    for row, j in enumerate(columns):
        expected = [pe(pos, j, s["d_model"], s["base"]) for pos in range(s["length"])]
        assert np.allclose((whole[row] - row) / HEIGHT, expected, atol=1e-12)


@SEEDS
def test_sines_and_cosines_are_drawn_apart(seed):
    picture = drawn(seed)
    d_model, base = picture.state["d_model"], picture.state["base"]
    sines, cosines = curves(picture._sines), curves(picture._cosines, picture._fast_cosines)
    assert sorted([*sines, *cosines]) == list(range(len(picture.columns)))
    for row, (xs, heights) in (sines | cosines).items():
        j = picture.columns[row]
        assert (row in cosines) == (j % 2 == 1)
        assert xs[0] == 0
        assert xs[-1] >= picture.state["length"] - 1
        expected = [pe(x, j, d_model, base) for x in xs[::50]]
        assert np.allclose(heights[::50] / HEIGHT, expected, atol=1e-12)
    assert picture._sines.get_color() != picture._cosines.get_color()
    assert not picture._sines.is_dashed()
    assert picture._cosines.is_dashed()


@SEEDS
def test_each_wave_has_its_column_and_wavelength_beside_it_slow_ones_on_top(seed):
    picture = drawn(seed)
    s = picture.state
    labels = [(text.get_text(), text.get_position()) for text in picture._waves.texts]
    rows = [(number, row) for number, (x, row) in labels if x == 0.957]
    assert sorted(rows, key=lambda r: r[1]) == [(str(j), row) for row, j in enumerate(picture.columns)]
    names = [name for name, (_, row) in sorted(labels, key=lambda label: label[1][1]) if name in ("sin", "cos")]
    assert names == ["cos" if j % 2 else "sin" for j in picture.columns]
    beside = [(float(text.replace(",", "")), row) for text, (x, row) in labels if x == 0.155]
    pairs = sorted({int(j) // 2 for j in picture.columns})
    for (shown, _), i in zip(sorted(beside, key=lambda label: label[1]), pairs, strict=True):
        assert shown == pytest.approx(2 * math.pi * s["base"] ** (2 * i / s["d_model"]), rel=0.05)


@pytest.mark.parametrize(
    ("d_model", "columns"),
    [
        (1, [0]),
        (5, [0, 1, 2, 3, 4]),
        (16, list(range(16))),
        (17, [0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16]),
        (512, [0, 1, 72, 73, 146, 147, 218, 219, 292, 293, 364, 365, 438, 439, 510, 511]),
    ],
)
def test_of_many_columns_some_are_shown_the_first_and_last_with_them(d_model, columns):
    picture = Waves(d_model=d_model)
    picture.pixels()
    assert list(picture.columns) == columns
    part = f"{len(columns)} of {d_model} columns"
    assert any(part in text for text in words_on(picture)) == (len(columns) < d_model)
    assert (part in picture.describe()) == (len(columns) < d_model)


@SEEDS
def test_the_description_says_what_is_read(seed):
    picture = drawn(seed)
    s, words = picture.state, picture.describe()
    said = re.search(rf"the vector PE\({s['position']}\), by column: (.*)\.$", words)
    assert said
    by_column = dict(part.split(": ") for part in said[1].split(", "))
    assert list(map(int, by_column)) == list(picture.columns)
    assert [float(number) for number in by_column.values()] == pytest.approx(readings(picture), abs=0.5001e-4)
    lengths = re.search(r"by column: (.*?)\. A vertical", words)
    assert lengths
    top = lengths[1].split("; ")[0]
    slowest = 2 * math.pi * s["base"] ** (2 * (picture.columns[-1] // 2) / s["d_model"])
    assert top.startswith(f"{picture.columns[-1]}")
    assert float(top.split(": ")[1].replace(",", "")) == pytest.approx(slowest, rel=0.05)
    assert f"d_model {s['d_model']}, base " in words
    assert ("the word" in words) == (s["tokens"] is not None)
    assert len(words) < 900


def test_every_position_has_a_picture_of_its_own():
    picture = Waves(tokens="Dan loves icecream")
    assert len({picture.update(position=pos).pixels().tobytes() for pos in range(3)}) == 3
    picture = Waves(length=40)
    assert len({picture.update(position=pos).pixels().tobytes() for pos in range(0, 40, 3)}) == 14


def test_every_part_of_the_state_is_seen():
    states = [{}, {"d_model": 5}, {"length": 17}, {"base": 100}, {"position": 3}, {"tokens": ["a"] * 16}]
    seen = [Waves(**state).pixels().tobytes() for state in states]
    assert len(set(seen)) == len(states)


def test_tokens_decide_how_many_positions_there_are():
    assert Waves(tokens="Dan loves icecream", length=40).state["length"] == 3
    assert Waves(length=40, tokens="").state == Waves(length=40).state == Waves(length=40, tokens=()).state
    assert Waves().limits({**Waves.defaults, "tokens": "Dan loves icecream"}) == {"length": (3, 3), "position": (0, 2)}
    assert Waves().limits({**Waves.defaults, "length": 9}) == {"length": (1, 512), "position": (0, 8)}


def test_words_stand_under_their_positions_where_there_is_room():
    few = Waves(tokens="Dan loves icecream")
    few.pixels()
    assert {"Dan", "loves", "icecream", "pos 2, “icecream”"} <= set(words_on(few))
    assert few._word.get_visible()
    many = Waves(tokens=[f"word{pos}" for pos in range(23)], position=22)
    many.pixels()
    assert [text for text in words_on(many) if "word" in text] == ["pos 22, “word22”"]
    assert not many._word.get_visible()


@pytest.mark.parametrize("number", ["0.9093", "-0.4161", "1.0000", "-0.0025"])
def test_numbers_are_drawn_as_the_text_that_they_are(number):
    drawn, expected = outline(number), TextPath((0, 0), number, size=1, prop={"family": "DejaVu Sans"})
    moved = drawn.vertices[drawn.codes != 79] - expected.vertices[expected.codes != 79]  # 79 closes, and has no place
    assert np.allclose(moved, moved[0], atol=0.02)


@pytest.mark.parametrize("d_model", [1, 4, 16, 511])
def test_numbers_stand_in_the_middle_of_their_cells(d_model):
    picture = Waves(d_model=d_model, position=2)
    picture.pixels()
    to_pixels = picture._cells.transData
    cells = picture._colours.get_paths()
    for cell, path, offset in zip(cells, picture._numbers.get_paths(), picture._numbers.get_offsets(), strict=True):
        box = cell.get_extents(to_pixels)
        number = path.get_extents(picture._numbers.get_transform()).translated(*to_pixels.transform(offset))
        assert box.x0 + 3 < number.x0 < number.x1 < box.x1 - 3
        assert number.y1 - box.y1 < -3
        assert abs((number.y0 + number.y1) - (box.y0 + box.y1)) < 3
        assert number.height > 12


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"d_model": 0}, ValueError, "d_model must be a positive integer, got 0"),
        ({"d_model": 513}, ValueError, "d_model must be at most 512, got 513"),
        ({"d_model": 4.0}, TypeError, "d_model must be a positive integer"),
        ({"length": 0}, ValueError, "length must lie between 1 and 512, got 0"),
        ({"length": 513}, ValueError, "length must lie between 1 and 512, got 513"),
        ({"length": "9"}, TypeError, "length must be an integer"),
        ({"length": 2}, ValueError, "position must lie between 0 and 1, got 2"),
        ({"position": 16}, ValueError, "position must lie between 0 and 15, got 16"),
        ({"position": -1}, ValueError, "position must lie between 0 and 15, got -1"),
        ({"position": True}, TypeError, "position must be an integer"),
        ({"base": 0}, ValueError, "base must be a finite number above 0"),
        ({"base": 0.5}, ValueError, "base must be 1 or more to be drawn as waves, got 0.5"),
        ({"base": "e"}, TypeError, "base must be a number"),
        ({"tokens": 3}, TypeError, "tokens must be a text or a sequence of words"),
        ({"tokens": ["a", 1]}, TypeError, "tokens must be a text or a sequence of words"),
        ({"tokens": "a " * 513}, ValueError, "tokens must hold at most 512 words, got 513"),
        ({"tokens": "a b"}, ValueError, "position must lie between 0 and 1, got 2"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture, before = first()
    with pytest.raises(error, match=re.escape(says)):
        picture.update(**state)
    assert np.array_equal(picture.pixels(), before)


@pytest.mark.parametrize("arguments", [{"d_model": 48}, {"sentence": "Dan loves icecream", "position": 2}])
def test_every_preset_of_the_explorer_is_drawn(arguments):
    explorer = explore_waves(**arguments)
    start = dict(explorer.picture.state)
    for name, wanted in {
        "first position": {"position": 0},
        "base 100": {"base": 100.0},
        "many columns": {"d_model": 512},
        "long": {"length": 512, "tokens": None},
    }.items():
        assert explorer.preset(name).picture.state == start | wanted
        assert explorer.message == ""
    assert explorer.reset().picture.state == start


@pytest.mark.slow
def test_the_explorer_is_drawn_at_every_end_of_every_control():
    explorer = explore_waves("Dan loves icecream")
    for d_model, base, text in itertools.product([1, 512], [10.0, 100_000.0], ["", "a b c " * 9]):
        explorer.controls["d_model"].value = d_model
        explorer.controls["base"].value = base
        explorer.controls["tokens"].value = text
        for name, end in itertools.product(["length", "position"], ["min", "max"]):
            control = explorer.controls[name]
            control.value = getattr(control, end)
            state = explorer.picture.state
            assert explorer.message == ""
            assert (state["length"], state["position"]) == tuple(
                explorer.controls[n].value for n in ("length", "position")
            )


def test_a_sentence_sets_the_length_and_an_empty_one_gives_it_back():
    explorer = explore_waves(length=40, position=39)
    explorer.controls["tokens"].value = "Dan loves icecream"
    assert (explorer.picture.state["length"], explorer.picture.state["position"]) == (3, 2)
    assert explorer.controls["length"].value == 3
    explorer.controls["tokens"].value = ""
    assert explorer.picture.state["tokens"] is None
    explorer.controls["length"].value = 512
    assert explorer.picture.state["length"] == 512


def test_words_that_hold_spaces_stay_whole():
    explorer = explore_waves(["New York", "is", "big"])
    assert "tokens" not in explorer.controls
    assert explorer.preset("long").picture.state["tokens"] == ("New York", "is", "big")
