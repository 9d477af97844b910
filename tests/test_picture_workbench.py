"""The workbench shows the matrix it diagnoses, the frequencies in it, and the line that made it; or holds that back."""

import itertools
import math
import random

import numpy as np
import pytest
from sheets import faults, levels, texts

from pe_lib.clinic import LAYOUTS, NUMBERS, RULES, broken_encoding, case
from pe_lib.diagnosis import diagnose
from pe_lib.encoding import sinusoidal_encoding
from pe_lib.pictures.cells import Cells
from pe_lib.pictures.colours import COLOURS, GREY, LEVELS, ORANGE
from pe_lib.pictures.scene import Shape
from pe_lib.pictures.side_by_side import RIGHT, SideBySide
from pe_lib.pictures.workbench import BASES, SAID, TABLE, Workbench

SEEDS = pytest.mark.parametrize("seed", range(20))


def states(choose):
    """Return a state of the workbench, wider than its controls reach."""
    matrix = np.random.default_rng(choose.randrange(1000)).normal(size=(choose.choice([1, 3, 20]), 6))
    return {
        "length": choose.choice([1, 2, 3, 8, 50, 96]),
        "d_model": choose.choice([1, 2, 3, 4, 7, 16, 32, 96]),
        "rule": choose.choice(["as in the paper", *RULES]),
        "base": choose.choice([1.0, 12_345.678, 1e12, *BASES]),
        "layout": choose.choice(LAYOUTS),
        "start": choose.choice([0, 0, 1, 2, -3, 1_000_000]),
        "scale": choose.choice([1.0, 1.0, 0.25, -1.0, 22.6, 0.0]),
        "numbers": choose.choice(["float64", *NUMBERS]),
        "transposed": choose.random() < 0.2,
        "matrix": choose.choice([None, None, None, None, matrix]),
    }


def said(picture):
    """Return what can be read, from the top to the bottom; beside the tables, then in them."""
    middle = {text: round(text.base - 0.365 * text.size, 3) for text in texts(picture)}
    return [text.text for text in sorted(middle, key=lambda text: (text.left < SAID[0], middle[text], text.left))]


@SEEDS
def test_each_line_that_differs_stands_above_the_right_one_and_any_state_is_legible(seed):
    picture = Workbench(**states(random.Random(seed)))
    assert not faults(picture)
    found, read = diagnose(picture.numbers), said(picture)
    assert picture.diagnosis.codes == found.codes
    for wrong, right in found.lines:
        at = read.index(wrong)
        assert read[at - 1] in ("✗", "≠")
        assert read[at + 1 : at + 3] == ["✓", right or "the encoding has no such line"]
    if found.recipe is not None:
        assert {line.partition("  # ")[0] for line in found.recipe.splitlines()[2:]} <= set(read)
        assert any(text.startswith("This gives") for text in read)
    elif found.findings:
        assert " ".join(found.findings[0].message.split())[:30] in " ".join(read)


@pytest.mark.parametrize(
    ("state", "verdict"),
    [
        ({}, "✓ This is the encoding"),
        ({"layout": "halves"}, "✓ No mistake"),
        ({"start": 1}, "✗ This line made your matrix"),
        ({"start": 1, "scale": 2.0}, "✗ These 2 lines made your matrix"),
        ({"length": 1}, "? Too few numbers to tell"),
        ({"matrix": np.random.default_rng(0).normal(size=(20, 8))}, "✗ One thing to mend"),
    ],
)
def test_the_largest_words_are_the_verdict(state, verdict):
    picture = Workbench(**state)
    assert max(texts(picture), key=lambda text: text.size).text == verdict
    assert verdict in picture.describe()


@pytest.mark.parametrize("state", [{}, *Workbench.presets.values(), {"start": 3, "numbers": "float16"}])
def test_covered_it_says_nothing_of_what_made_the_matrix(state):
    picture = Workbench(**state)
    shown, covered = " ".join(text.text for text in texts(picture, "answer")), picture.describe(covered=True)
    for told in [word for line in picture.diagnosis.lines for word in line if word] + ["np.", "✗", "✓", "base"]:
        assert told not in shown
        assert told not in covered
    assert "What made this matrix?" in shown
    assert f"A matrix of 50 rows and {picture.numbers.shape[1]} columns" in covered


@SEEDS
def test_the_frequency_measured_is_that_of_each_whole_pair(seed):
    choose = random.Random(seed)
    base, scale, start = choose.choice([50.0, 1e4, 1e5]), choose.choice([0.25, 1.0, 7.0]), choose.choice([0, 2, -9])
    layout, d_model = choose.choice(LAYOUTS), choose.choice([2, 8, 34])
    picture = Workbench(length=30, d_model=d_model, base=base, scale=scale, start=start, layout=layout)
    turns, are_pairs = picture.measured
    np.testing.assert_allclose(np.abs(turns), base ** (-2 * np.arange(d_model // 2) / d_model), rtol=1e-6)
    assert are_pairs.all()
    pane = picture._pane()
    dots = next(s for s in picture.move() if isinstance(s, Shape) and s.fill == ORANGE).path.get_extents()
    assert dots.y0 + 5 == pytest.approx(pane.y(np.log10(np.abs(turns).max()))), "the fastest pair is the highest dot"


def test_columns_that_do_not_share_an_angle_are_no_pair():
    picture = Workbench(rule="2i doubled for cosines", d_model=8, base=100.0)
    assert picture.measured[1].tolist() == [True, False, False, False]
    assert not Workbench(length=1).measured[1].any()
    assert Workbench(matrix=case("I")).measured[0][0] == pytest.approx(1), "one blank row hides no pair"


def test_what_is_not_a_number_is_grey():
    matrix = sinusoidal_encoding(4, 4)
    matrix[2, 1] = math.nan
    picture = Workbench(matrix=matrix)
    found = levels(picture.move(), TABLE, (4, 4))
    assert found[2, 1] == LEVELS + 1
    assert COLOURS[f"n{LEVELS + 1}"] == COLOURS[GREY]
    assert np.array_equal(np.delete(found, 9), np.rint(25 * np.delete(matrix, 9)))
    assert picture.measured[1].tolist() == [False, True]
    assert not picture.diagnosis.ok


def test_the_cells_are_the_numbers():
    picture = Workbench(length=40, start=3, layout="halves", scale=2.0)
    cells = next(element for element in picture.move() if isinstance(element, Cells))
    expected = broken_encoding(40, 32, start=3, layout="halves", scale=2.0)
    np.testing.assert_array_equal(cells.numbers, expected / expected.max())
    assert "40 × 32 numbers, to 2" in said(picture)


def test_each_rule_and_each_setting_gives_another_frame():
    others = [{"rule": rule} for rule in RULES] + [{"start": 1}, {"layout": "halves"}, {"scale": 2.0}, {"length": 9}]
    frames = [Workbench(**state).frame() for state in others]
    assert all(one != other for one, other in itertools.combinations(frames, 2))


def test_presets_show_what_their_names_say():
    found = {name: Workbench(**state) for name, state in Workbench.presets.items()}
    codes = {name: set(picture.diagnosis.codes) for name, picture in found.items()}
    assert codes["most copied mistake"] == {"column-as-pair"}
    assert np.log10(np.abs(found["dots below the line"].measured[0][1:]) * 10_000 ** (np.arange(1, 16) / 16)).max() < 0
    kinds = {name: [f.kind for f in picture.diagnosis.findings] for name, picture in found.items()}
    assert kinds["two mistakes"] == ["mistake"] * 2
    assert kinds["four mistakes"] == ["mistake"] * 4
    assert found["two halves"].diagnosis.ok
    assert found["two columns"].numbers.shape == (50, 2)


def test_a_click_turns_the_matrix_over_or_sets_the_base():
    whole, lowest = Workbench().targets()
    assert Workbench(**whole.sets).numbers.shape == (32, 50)
    name, bases = lowest.down
    for k, base in enumerate(bases):
        y = lowest.box[1] + (k + 0.5) * lowest.box[3] / len(bases)
        pane = Workbench(**{name: base})._pane()
        assert pane.y(-np.log10(base)) == pytest.approx(y), "the click is as low as 1/base"
    assert not list(Workbench(matrix=case("A")).targets())


@pytest.mark.parametrize("letter", ["A", "D", "H"])
def test_two_tables_and_how_they_differ(letter):
    matrix = case(letter, 20, 16)
    picture = SideBySide(matrix=matrix, name=f"Case {letter}")
    off = np.abs(matrix - sinusoidal_encoding(20, 16)) > 0.01
    row, column = np.argwhere(off)[0]
    told = f"{off.sum()} of 320 numbers differ by more than 0.01"
    assert {told, f"Case {letter}", "the encoding, base 10000"} <= set(said(picture))
    assert f"{told}, first in row {row}, column {column}: {matrix[row, column] + 0.0:.4f}" in picture.describe()
    frames = [e.path.get_extents() for e in picture.lay() if isinstance(e, Shape) and e.edge == ORANGE]
    left, top, wide, high = RIGHT
    assert len(frames) == 2
    assert frames[1].contains(left + (column + 0.5) * wide / 16, top + (row + 0.5) * high / 20)
    assert not faults(picture)


def test_tables_that_agree_are_said_to():
    assert "All 12 numbers agree" in said(SideBySide(matrix=sinusoidal_encoding(3, 4).astype("float32")))


def test_a_new_matrix_is_a_new_frame_each_of_a_hundred_times():
    picture, random_numbers, last = SideBySide(), np.random.default_rng(0), None
    for _ in range(100):
        now = picture.update(matrix=random_numbers.normal(size=(3, 4))).frame()
        assert now == SideBySide(matrix=picture.state["matrix"]).frame()
        assert now != last
        last = now


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"length": 0}, ValueError, "length must lie between 1 and 512, got 0"),
        ({"length": 513}, ValueError, "length must lie between 1 and 512, got 513"),
        ({"d_model": 1.5}, TypeError, "d_model must be"),
        ({"rule": "none"}, ValueError, "rule must be one of"),
        ({"layout": np.array([1, 2])}, TypeError, "layout must be one of 'interleaved', .*'swapped', got"),
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


def test_two_tables_refuse_what_is_no_table_and_a_name_that_is_no_text():
    with pytest.raises(TypeError, match="matrix must be an array of real numbers"):
        SideBySide(matrix=None)
    with pytest.raises(TypeError, match="name must be a text"):
        SideBySide(name=3)


@pytest.mark.parametrize("picture", [SideBySide, Workbench])
def test_a_matrix_that_is_changed_later_changes_nothing_in_the_picture(picture):
    matrix = sinusoidal_encoding(8, 4).astype(np.float32)
    shown = picture(matrix=matrix)
    before = shown.frame(), shown.describe()
    matrix[2, 1] = np.nan
    assert (shown.frame(), shown.describe()) == before
    assert shown.state["matrix"].dtype == np.float32
