"""Promise: what is said is a program that makes the very numbers; what is no encoding gets no story."""

import re
from dataclasses import replace

import numpy as np
import pytest
from diagnosis_table import DAMAGE, FREQUENCIES, LAYOUTS, TABLE, VALUES, answer, make
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_diagnosis import diagnose
from pe_lib import encode_positions, sinusoidal_encoding
from pe_lib.clinic import CASES, case


def check_the_recipe(matrix, found):
    """Run the recipe by itself, and hold what it makes against the matrix and against what is promised of it."""
    exec(found.recipe, names := {})
    made = np.asarray(names["matrix"], float)
    np.testing.assert_array_equal(made, found.rebuilt)
    off = np.abs(made - matrix)
    assert np.mean(off <= found.within) == found.explained
    for wrong, right in found.lines:
        assert wrong in found.recipe
        assert right in found.recipe
    assert bool(found.lines) == bool(re.search("<-- here|a variant", found.recipe))


def fixed(recipe):
    """Return a recipe with the encoding's lines in place of those that are marked."""
    return re.sub(r".*  # .*?; the encoding(?:: (.*)| has no such line)", r"\1", recipe)


@pytest.mark.parametrize("name", TABLE)
def test_the_recipe_makes_the_matrix_and_fixed_the_encoding(name):
    found = answer(name, 10, 16)
    check_the_recipe(make(TABLE[name][0], 10, 16), found)
    exec(fixed(found.recipe), names := {})
    right = sinusoidal_encoding(names["length"], names["d_model"])
    np.testing.assert_allclose(names["matrix"], right, rtol=0, atol=1e-12)


def made_by(lines):
    """Run the lines of a recipe, and return the matrix."""
    exec("\n".join(lines), names := {})
    return np.asarray(names["matrix"], float)


def needless(matrix, found):
    """Return the lines of a recipe that the encoding's do for as well, on all numbers that no damage excuses."""
    lines = [one for one in found.recipe.splitlines() if not re.match(r"matrix\[|whole", one)]  # without damage
    near = found.within + 1e-12
    sure = abs(made_by(lines) - matrix) <= near
    marked = [n for n, one in enumerate(lines) if re.search("<-- here|a variant", one)]
    without = {n: made_by([*lines[:n], fixed(lines[n]), *lines[n + 1 :]]) for n in marked}
    return [
        lines[n]
        for n, made in without.items()
        if made.shape == sure.shape and sure[abs(made - matrix) > near].sum() == 0
    ]


def test_a_line_that_is_not_needed_is_seen():
    matrix = make("matrix[1:] = 0", 12, 16)
    found = diagnose(matrix)
    more = "base = 500.0  # <-- here; the encoding: base = 10000.0"  # row 0 is the same with any base
    assert needless(matrix, found) == []
    assert needless(matrix, replace(found, recipe=found.recipe.replace("base = 10000.0", more))) == [more]


MISTAKES = [*FREQUENCIES.items(), *LAYOUTS.items(), *VALUES.items()]


@pytest.mark.parametrize("damage", DAMAGE)
def test_beside_damage_nothing_is_told_that_the_other_numbers_do_not_need(damage):
    (line, _), first = DAMAGE[damage], 5 * [*DAMAGE].index(damage)
    for name, (mistake, _) in [("none", ("", ())), *MISTAKES[first::36]]:
        matrix = make(f"{mistake}; {line}", 12, 16)
        found = diagnose(matrix)
        assert found.recipe is None or not needless(matrix, found), (name, found)


@pytest.mark.parametrize("letter", CASES)
def test_the_cases_of_the_notebook_are_made_by_their_recipes(letter):
    found = diagnose(case(letter))
    check_the_recipe(case(letter), found)
    assert found.explained == 1
    assert found.within < 1e-8


@given(
    entry=st.sampled_from(sorted(TABLE)),
    length=st.integers(8, 24),
    half=st.integers(4, 10),
    decimals=st.sampled_from([None, 4, 6]),
)
@settings(max_examples=20, deadline=None)
def test_whatever_is_said_makes_the_numbers(entry, length, half, decimals):
    matrix = make(TABLE[entry][0], length, 2 * half)
    matrix = matrix if decimals is None else matrix.round(decimals)
    found = diagnose(matrix)
    if found.recipe is None:
        assert found.findings[0].kind == "unresolved"
        assert found.rebuilt is found.within is found.explained is None
    else:
        check_the_recipe(matrix, found)
        assert found.within <= 1e-4 + (decimals is None) * 1e-4


@pytest.mark.parametrize("name", [*TABLE][::6])
def test_two_spellings_of_the_same_numbers_get_one_answer(name):
    matrix = make(TABLE[name][0], 10, 16)
    noise = 1e-15 * np.random.default_rng(0).choice([-1, 0, 1], matrix.shape)
    assert diagnose(np.asfortranarray(matrix * (1 + noise)).tolist()).codes == answer(name, 10, 16).codes


def test_a_recipe_marks_the_line_and_shows_the_right_one():
    found = diagnose(case("B"))
    (line,) = [line for line in found.recipe.splitlines() if "<-- here" in line]
    assert line == "w = base ** (-2 * j / d_model)  # <-- here; the encoding: w = base ** (-2 * i / d_model)"
    assert "Your matrix is what this makes" in str(found)
    assert "It should be:\n    w = base ** (-2 * i / d_model)" in str(found)


def test_where_two_programs_make_the_numbers_both_are_told():
    found = diagnose(sinusoidal_encoding(40, 16) * np.tile([-1, 1], 8))
    assert {one.kind for one in found.findings} == {"undecided"}
    assert set(found.codes) == {"sign", "reversed"}
    assert "These numbers do not tell 2 causes apart" in str(found)


@pytest.mark.parametrize("parts", [(4, 3), (7, 5), (4, 5, 6)], ids=str)
def test_grids_of_any_sides_are_tables_side_by_side(parts):
    grid = [axis.ravel() for axis in np.meshgrid(*(np.arange(n) for n in parts), indexing="ij")]
    tables = [sinusoidal_encoding(max(parts), 8, layout="halves")[axis] for axis in grid]
    found = diagnose(np.hstack(tables))
    assert found.ok
    assert f"{len(parts)} tables side by side" in found.advice
    assert found.explained == 1


def test_tables_for_heads_and_repeated_rows_are_known():
    table = sinusoidal_encoding(30, 16)
    assert "tiled" in diagnose(np.tile(table, 4)).codes
    assert "rows-repeated" in diagnose(np.repeat(table, 6, axis=0)).codes


NOTHING = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "uniform": lambda rng, n, d: rng.random((n, d)),
    "learned": lambda rng, n, d: 0.02 * rng.normal(size=(n, d)),
    "a walk": lambda rng, n, d: np.cumsum(rng.normal(size=(n, d)), axis=0),
    "polynomials": lambda _, n, d: np.linspace(-1, 1, n)[:, np.newaxis] ** np.arange(d),
    "attention": lambda rng, n, d: (e := np.exp(rng.normal(size=(n, d)))) / e.sum(1, keepdims=True),
    "embeddings with the encoding": lambda rng, n, d: rng.normal(size=(n, d)) + sinusoidal_encoding(n, d),
    "an orthogonal matrix": lambda rng, n, d: np.linalg.qr(rng.normal(size=(max(n, d), d)))[0][:n],
}


@pytest.mark.parametrize("size", [(10, 16), (30, 8), (90, 64)], ids=str)
@pytest.mark.parametrize("kind", NOTHING)
def test_what_is_no_encoding_gets_no_story(kind, size):
    found = diagnose(NOTHING[kind](np.random.default_rng(size[0]), *size))
    assert not found.ok
    assert found.recipe is None
    assert found.findings[0].kind == "unresolved"
    assert "Unresolved: no program" in str(found)


def test_unresolved_says_what_was_measured():
    rng = np.random.default_rng(0)
    assert "beyond 1" in diagnose(3 * rng.normal(size=(30, 16))).advice
    assert "Only 8 of 16 columns are distinct." in diagnose(np.repeat(rng.random((30, 8)), 2, axis=1)).advice
    angles = np.cumsum(rng.random((60, 8)), axis=0)
    said = diagnose(np.hstack([np.sin(angles), np.cos(angles)])).advice
    assert "8 of 8 pairs of columns are sine and cosine of one angle, and turn but not evenly" in " ".join(said.split())
    noisy = diagnose(sinusoidal_encoding(40, 16) + rng.normal(0, 0.01, (40, 16)))
    assert noisy.codes == ("noisy",)
    assert "off by about 0.01" in " ".join(noisy.advice.split())


def test_a_cause_that_does_not_make_the_numbers_is_not_said():
    assert diagnose(np.zeros((10, 16))).codes == ("all-zero",)
    angles = np.arange(10)[:, np.newaxis] * 10_000.0 ** (-np.arange(0, 16, 2) / 16)
    twice = np.stack([np.sin(np.sin(angles)), np.cos(np.sin(angles))], -1).reshape(10, 16)
    assert "timescales" not in diagnose(twice).advice
    assert "2 · (j // 2)" not in diagnose(np.where(np.arange(16) % 2, np.cosh(twice), twice)).advice
    shortened = (np.float32(sinusoidal_encoding(10, 16)).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    assert [one.kind for one in diagnose(shortened).findings if one.kind != "note"] == ["unresolved"]


def test_sentences_are_whole():
    padding, masked, copied, wrong = (sinusoidal_encoding(10, 16) for _ in range(4))
    padding[1] = masked[7] = 0
    assert "Row 1 is all 0, as for padding." in diagnose(padding).advice
    assert "Row 7 is all 0. Was a mask applied?" in diagnose(masked).advice
    copied[4], wrong[3, 2] = copied[3], 0.5
    assert "- Row 4 holds the numbers of row 3." in diagnose(copied).advice
    assert str(diagnose(wrong)).endswith("- The number in row 3, column 2 is not what the others say.")
    assert "counted from 0.5, not from 0." in diagnose(encode_positions(np.arange(9) + 0.5, 16)).advice
    assert "position 0 comes after 100 rows" in diagnose(encode_positions(np.arange(-100, -70), 16)).advice
    assert "The number in row 0 and column 1 is not a number." in diagnose([[0.0, np.nan], [0.0, 1.0]]).advice


@pytest.mark.parametrize(
    ("bad", "code", "says"),
    [
        (3.0, "wrong-shape", "shape ()"),
        ([1.0, 2.0], "wrong-shape", "shape (2,)"),
        (np.zeros((2, 3, 4, 5)), "wrong-shape", "shape (2, 3, 4, 5)"),
        (np.zeros((0, 4)), "wrong-shape", "shape (0, 4)"),
        ([[0, 1], [np.nan, 1]], "not-finite", "row 1 and column 0 is not a number"),
        ([[0, np.inf]], "not-finite", "infinite"),
        (1e200 * np.ones((4, 4)), "not-an-encoding", "too far from 1"),
    ],
)
def test_what_cannot_be_an_encoding_is_said_at_the_door(bad, code, says):
    found = diagnose(bad)
    assert (found.ok, found.codes, found.recipe) == (False, (code,), None)
    assert says in " ".join(found.advice.split())


@pytest.mark.parametrize("bad", [["a"], [[1, 2], [3]], [[True]], [[1j]], None])
def test_what_is_no_array_of_numbers_is_refused(bad):
    with pytest.raises(TypeError, match="matrix must be an array of real numbers"):
        diagnose(bad)
    with pytest.raises(ValueError, match="base must be"):
        diagnose([[0, 1]], base=0)


def test_small_ones_say_what_they_cannot_show():
    found = diagnose(sinusoidal_encoding(1, 16))
    assert (found.ok, found.base) == (True, None)
    assert found.codes == ("too-small",)
    for length in range(1, 5):
        for d_model in range(1, 6):
            assert diagnose(sinusoidal_encoding(length, d_model)).ok
