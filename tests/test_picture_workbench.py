"""The workbench shows the matrix it diagnoses, the frequencies that are in it, and the diagnosis, whole or cut."""

import itertools
import math
import random
import re

import numpy as np
import pytest
from matplotlib import colormaps
from picture_states import workbench

from pe_lib import SideBySide, Workbench, case, explore_workbench, sinusoidal_encoding
from pe_lib.clinic import RULES, broken_encoding
from pe_lib.diagnosis import diagnose
from pe_lib.pictures.workbench import IMAGE, LEFT_IMAGE, LINE, RIGHT_IMAGE, WORDS, _width, wrapped

SEEDS = pytest.mark.parametrize("seed", range(20))


def colours(numbers):
    """Return the red, green and blue of numbers between -1 and 1."""
    return np.array(colormaps["RdBu_r"]((np.asarray(numbers) + 1) / 2, bytes=True))[..., :3].astype(int)


def middles(picture, box, shape):
    """Return the colours in the middles of the cells of an image."""
    left, top, width, height = box
    rows, columns = (np.arange(n) for n in shape)
    down, across = top + (rows + 0.5) * height / shape[0], left + (columns + 0.5) * width / shape[1]
    return picture.pixels()[down.astype(int)[:, np.newaxis], across.astype(int), :3].astype(int)


def drawn_frequencies(picture):
    """Return the dots of a picture: pair to frequency."""
    picture.pixels()
    return dict(zip(*picture._dots.get_data(), strict=True))


def crossed(picture):
    """Return the pairs that have a cross."""
    picture.pixels()
    return picture._crosses.get_xdata().tolist()


@pytest.mark.parametrize("letter", ["A", "B", "D", "J"])
def test_the_two_images_hold_the_colours_of_their_numbers(letter):
    matrix = case(letter, 20, 16)
    picture = SideBySide(matrix=matrix)
    assert np.abs(middles(picture, RIGHT_IMAGE, (20, 16)) - colours(matrix)).max() <= 6
    assert np.abs(middles(picture, LEFT_IMAGE, (20, 16)) - colours(sinusoidal_encoding(20, 16))).max() <= 6


@pytest.mark.parametrize("state", [{}, {"start": 3, "layout": "halves"}, {"rule": "upside down", "base": 100.0}])
def test_the_image_of_the_workbench_holds_the_colours_of_its_numbers(state):
    picture = Workbench(length=20, d_model=16, **state)
    expected = broken_encoding(20, 16, **state)
    np.testing.assert_array_equal(picture.numbers, expected)
    assert np.abs(middles(picture, IMAGE, (20, 16)) - colours(expected)).max() <= 6


def test_what_is_not_a_number_is_grey():
    matrix = sinusoidal_encoding(4, 4)
    matrix[2, 1] = math.nan
    picture = Workbench(matrix=matrix)
    assert middles(picture, IMAGE, (4, 4))[2, 1].tolist() == [128, 128, 128]
    assert crossed(picture) == [0]
    assert not picture.diagnosis.ok


@SEEDS
def test_a_dot_stands_at_the_frequency_of_each_whole_pair(seed):
    choose = random.Random(seed)
    base, scale, start = choose.choice([50.0, 1e4, 1e5]), choose.choice([0.25, 1.0, 7.0]), choose.choice([0, 2, -9])
    layout, d_model = choose.choice(["interleaved", "halves", "cosines first", "swapped"]), choose.choice([2, 8, 34])
    picture = Workbench(length=30, d_model=d_model, base=base, scale=scale, start=start, layout=layout)
    expected = {i: base ** (-2 * i / d_model) for i in range(d_model // 2)}
    dots = drawn_frequencies(picture)
    assert list(dots) == list(expected)
    np.testing.assert_allclose(list(dots.values()), list(expected.values()), rtol=1e-6)
    assert crossed(picture) == []


def test_a_cross_stands_where_two_columns_do_not_share_an_angle():
    assert crossed(Workbench(rule="2i doubled for cosines", d_model=8, base=100.0)) == [1, 2, 3]
    assert crossed(Workbench(transposed=True))[:2] == [0, 1]
    assert drawn_frequencies(Workbench(length=1)) == {}
    assert drawn_frequencies(Workbench(matrix=case("I")))[0] == pytest.approx(1), "one blank row hides no pair"


def test_the_line_is_that_of_the_paper_whatever_is_wrong():
    picture = Workbench(rule="ln under 10 to the power", d_model=8, base=100.0)
    picture.pixels()
    np.testing.assert_allclose(picture._paper.get_ydata(), [1, 0.1, 0.01, 0.001])
    still = Workbench(rule="ln under 10 to the power", d_model=64, base=1e12)
    still.pixels()
    assert len(still._below.get_xdata()) > 5, "frequencies below the axis are marked at its lower end"


@SEEDS
def test_verdict_and_words_are_those_of_the_diagnosis(seed):
    picture = Workbench(**workbench(random.Random(seed)))
    picture.pixels()
    found = diagnose(picture.numbers)
    assert picture.diagnosis.codes == found.codes
    mark = picture._verdict.get_text()[0]
    undecided = "undecided" in [finding.kind for finding in found.findings]
    assert mark == ("?" if undecided else "✓" if found.ok else "✗")
    shown = " ".join(picture._words.get_text().split())
    whole = " ".join(str(found).split())
    assert shown.removesuffix("…").strip() in whole
    assert found.ok or len(shown) > 20
    for finding in found.findings[:2]:
        assert " ".join(finding.message.split())[:20] in shown


@SEEDS
def test_the_words_stay_within_their_box(seed):
    picture = Workbench(**workbench(random.Random(seed)))
    picture.pixels()
    box = picture._words.get_window_extent()
    height = picture.pixels().shape[0]
    assert box.x0 >= WORDS[0] - 2
    assert box.x1 <= WORDS[0] + WORDS[2] + 2
    assert height - box.y1 >= WORDS[1] - 2
    assert height - box.y0 <= WORDS[1] + WORDS[3] + 2


def test_a_text_is_broken_between_words_and_cut_with_an_ellipsis():
    words = [f"word{k}" for k in range(100)]
    lines = wrapped([" ".join(words), "another paragraph"], 400, 50)
    assert " ".join(lines) == " ".join([*words, "another paragraph"])
    assert all(_width(line) <= 400 for line in lines)
    assert lines[-1] == "another paragraph"
    cut = wrapped([" ".join(words)], 400, 3)
    assert cut[:2] == lines[:2]
    assert cut[2].endswith(" …")
    assert _width(cut[2]) <= 400
    assert len(cut) == 3
    assert wrapped(["x" * 300], 400, 3) == ["x" * 300], "a word of its own is never broken"
    assert WORDS[3] // LINE >= 7, "there is room for seven lines"


def test_the_description_says_how_it_is_made_and_the_whole_diagnosis():
    words = Workbench(rule="each column its own", base=1000.0, start=2).describe()
    assert words.startswith(
        "An encoding with frequencies each column its own, base 1000, interleaved, positions from 2, scale 1, float64: "
        "50 rows, 32 columns. ✗"
    )
    for finding in Workbench(rule="each column its own", base=1000.0, start=2).diagnosis.findings:
        assert " ".join(finding.message.split())[:60] in words
    assert (
        "16 of 16 pairs of columns are sine and cosine of one angle; the first frequencies measured: 1.0000, 0.5623"
        in (Workbench().describe())
    )
    assert Workbench(matrix=case("C")).describe().startswith("A matrix: 50 rows, 32 columns. ✗")


def test_the_description_of_two_images_says_their_first_rows():
    words = SideBySide(matrix=case("H", 5, 4), name="Case H").describe()
    assert "on the right Case H" in words
    assert "row 0: 0.0000, 1.0000, 0.0000, 1.0000 on the left, 0.9093, -0.4161, 0.0200, 0.9998 on the right" in words
    share = re.search(r"(\d+) percent of the numbers differ", words)
    assert int(share[1]) == round(100 * np.mean(np.abs(case("H", 5, 4) - sinusoidal_encoding(5, 4)) > 0.01))


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"length": 0}, ValueError, "length must be a positive integer"),
        ({"length": 513}, ValueError, "length must be at most 512, got 513"),
        ({"d_model": 1.5}, TypeError, "d_model must be a positive integer"),
        ({"rule": "none"}, ValueError, "rule must be one of"),
        ({"layout": "none"}, ValueError, "layout must be one of 'interleaved'"),
        ({"numbers": "int"}, ValueError, "numbers must be one of"),
        ({"transposed": 1}, TypeError, "transposed must be True or False"),
        ({"base": -1.0}, ValueError, "base must be"),
        ({"scale": math.inf}, ValueError, "scale must be a finite number"),
        ({"matrix": [1.0, 2.0]}, ValueError, r"matrix must have 1 to 512 rows .* got shape \(2,\)"),
        ({"matrix": [["a"]]}, TypeError, "matrix must be an array of real numbers"),
        ({"colour": 1}, TypeError, "has no 'colour'"),
    ],
)
def test_what_cannot_be_shown_is_refused_and_the_picture_stays(state, error, says):
    picture = Workbench()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.state == Workbench().state


def test_two_images_refuse_what_is_not_finite_and_a_name_that_is_no_text():
    with pytest.raises(ValueError, match="matrix must be finite"):
        SideBySide(matrix=[[0, math.nan]])
    with pytest.raises(TypeError, match="name must be a text"):
        SideBySide(name=3)


def test_a_matrix_is_copied():
    matrix = sinusoidal_encoding(4, 4)
    for picture in (SideBySide(matrix=matrix), Workbench(matrix=matrix)):
        matrix[0] = 9
        assert picture.state["matrix"].max() <= 1
        with pytest.raises(ValueError, match="read-only"):
            picture.state["matrix"][0] = 1
        matrix[:] = sinusoidal_encoding(4, 4)


def test_each_rule_and_each_setting_gives_another_picture():
    picture = Workbench()
    states = [{"rule": rule} for rule in RULES]
    states += [{"rule": "as in the paper"} | more for more in ({"start": 1}, {"layout": "halves"}, {"scale": 2.0})]
    seen = [picture.update(**{**Workbench.defaults, **state}).pixels().tobytes() for state in states]
    same = [(a, b) for (a, one), (b, other) in itertools.combinations(enumerate(seen), 2) if one == other]
    assert not same


def test_presets_show_what_their_names_say():
    explorer = explore_workbench()
    found = {name: explorer.preset(name).picture.diagnosis for name in explorer.presets}
    assert not explorer.message
    assert found["most copied"].codes == ("column-as-pair",)
    assert found["power of ten"].codes == ("ln-under-power-of-ten",)
    assert set(found["two at once"].codes) == {"own-frequencies", "base"}
    assert found["variant"].ok
    assert set(found["variant"].codes) == {"halves", "timescales"}
    assert set(found["many"].codes) == {"swapped", "base", "start", "scale"}
    assert not [finding for finding in found["too little to tell"].findings if finding.kind == "mistake"]
