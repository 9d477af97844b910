"""The broken encodings are broken as they say and nowhere else, and the measurements find what they should."""

import itertools
import math
import random
import re

import numpy as np
import pytest

from pe_lib import pair_lengths, pair_turns, sinusoidal_encoding
from pe_lib.clinic import CASES, LAYOUTS, NUMBERS, RULES, broken_encoding, case
from pe_lib.diagnosis import diagnose


def table(length, d_model, frequency, start=0):
    """Write an interleaved matrix out cell by cell, with a frequency for each column."""
    return [
        [(math.cos if j % 2 else math.sin)((start + pos) * frequency(j)) for j in range(d_model)]
        for pos in range(length)
    ]


# The frequency of column j of d columns, as the threads have it.
FREQUENCY = {
    "A": lambda j, _: math.exp(-2 * (j // 2)),
    "B": lambda j, d: 10_000 ** (-2 * j / d),
    "C": lambda _j, _d: 1.0,
    "D": lambda j, d: 10_000 ** (2 * (j // 2) / d),
    "E": lambda j, d: 1.62308166562810e9 ** (-2 * (j // 2) / d),
    "F": lambda j, d: math.exp(4) ** (-2 * (j // 2) / d),
    "G": lambda j, d: 1000 ** (-j / d),
    "H": lambda j, d: 10_000 ** (-2 * (j // 2) / d),
    "L": lambda j, d: 10_000 ** (-2 * (j // 2 + 1) / d),
    "M": lambda j, d: 10_000 ** (-2 * (j // 2) / (d / 2 if j % 2 else d)),
}
SAME_AS = {
    "A": {"rule": "floor of a quotient"},
    "B": {"rule": "column for pair"},
    "C": {"rule": "integer division"},
    "D": {"rule": "upside down"},
    "E": {"rule": "ln under 10 to the power"},
    "F": {"rule": "log10 under exp"},
    "G": {"rule": "each column its own", "base": 1000.0},
    "L": {"rule": "pairs from 1"},
    "M": {"rule": "2i doubled for cosines"},
}
CODES = {
    "A": {"floor-log"},
    "B": {"column-as-pair"},
    "C": {"all-one"},
    "D": {"inverse"},
    "E": {"ln-under-power-of-ten"},
    "F": {"log10"},
    "G": {"own-frequencies", "base"},
    "H": {"start"},
    "I": {"row-zeroed"},
    "J": {"halves"},
    "K": {"halves", "timescales"},
    "L": {"pair-from-one"},
    "M": {"cosine-exponent"},
}


@pytest.mark.parametrize("letter", FREQUENCY)
def test_a_case_is_what_its_line_of_code_gives(letter):
    start = 2 if letter == "H" else 0
    for length, d_model in ((50, 32), (7, 16), (20, 64)):
        made = case(letter, length, d_model)
        expected = table(length, d_model, lambda j, d=d_model: FREQUENCY[letter](j, d), start)
        assert made.shape == (length, d_model)
        np.testing.assert_allclose(made, expected, atol=1e-10)


def test_the_cases_that_are_not_frequencies():
    right = sinusoidal_encoding(50, 32)
    assert not case("I")[0].any()
    np.testing.assert_allclose(case("I")[1:], right[1:], atol=1e-12)
    np.testing.assert_allclose(case("J"), sinusoidal_encoding(50, 32, layout="halves"), atol=1e-12)
    w = 10_000 ** (-np.arange(16) / 15)  # as tensor2tensor spaces them
    angles = np.arange(50)[:, np.newaxis] * w
    np.testing.assert_allclose(case("K"), np.concatenate([np.sin(angles), np.cos(angles)], axis=1), atol=1e-12)


def test_the_letters_go_on_without_a_gap_and_each_case_says_where_it_was_met():
    assert list(CASES) == [chr(ord("A") + k) for k in range(len(CASES))]
    assert set(CODES) == set(CASES)
    for letter, each in CASES.items():
        assert re.search(r"#\d+ \(20\d\d\)|note", each.met), letter


@pytest.mark.parametrize("letter", SAME_AS)
def test_the_rules_of_the_workbench_make_the_cases(letter):
    np.testing.assert_allclose(broken_encoding(50, 32, **SAME_AS[letter]), case(letter), atol=1e-10)


@pytest.mark.parametrize("letter", CASES)
@pytest.mark.parametrize(("length", "d_model"), [(50, 32), (50, 64), (20, 16)])
def test_each_case_is_named(letter, length, d_model):
    found = diagnose(case(letter, length, d_model))
    assert {finding.code for finding in found.findings} == CODES[letter]
    assert found.ok == (letter in "HIJK")


def test_without_a_mistake_it_is_the_encoding():
    for length, d_model in ((1, 1), (5, 1), (4, 7), (50, 32)):
        np.testing.assert_allclose(broken_encoding(length, d_model), sinusoidal_encoding(length, d_model), atol=1e-12)
    halves = sinusoidal_encoding(9, 7, start=-3, base=50.0, layout="halves")
    np.testing.assert_allclose(broken_encoding(9, 7, start=-3, base=50.0, layout="halves"), halves, atol=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_every_setting_does_what_it_says_and_no_more(seed):
    choose = random.Random(seed)
    length, d_model = choose.randint(1, 30), choose.randint(1, 33)
    made = {
        "rule": choose.choice(list(RULES)),
        "base": choose.choice([10.0, 1e4, 1e5]),
        "start": choose.choice([0, 1, -3, 100]),
    }
    plain = broken_encoding(length, d_model, **made)
    columns = list(range(d_model))
    even, odd = columns[0::2], columns[1::2]
    np.testing.assert_array_equal(broken_encoding(length, d_model, **made, layout="halves"), plain[:, even + odd])
    np.testing.assert_array_equal(
        broken_encoding(length, d_model, **made, layout="cosines first"), plain[:, odd + even]
    )
    np.testing.assert_array_equal(broken_encoding(length, d_model, **made, scale=0.5), plain / 2)
    np.testing.assert_array_equal(broken_encoding(length, d_model, **made, transposed=True), plain.T)
    whole = broken_encoding(length, d_model, **made, scale=2.0, numbers="integers")
    np.testing.assert_array_equal(whole, np.trunc(2 * plain))
    assert not np.signbit(whole[whole == 0]).any()


def test_swapped_columns_hold_the_other_function_of_the_same_angle():
    plain, swapped = broken_encoding(9, 8, start=1), broken_encoding(9, 8, start=1, layout="swapped")
    np.testing.assert_allclose(swapped[:, 0::2], plain[:, 1::2], atol=1e-15)
    np.testing.assert_allclose(swapped[:, 1::2], plain[:, 0::2], atol=1e-15)


def test_angles_in_a_narrow_type_are_off_more_and_more_and_fall_out_of_float16():
    right = broken_encoding(5000, 8)
    for numbers, least, most in (("float32", 1e-6, 1e-3), ("float16", 0.01, 2.0)):
        off = np.abs(broken_encoding(5000, 8, numbers=numbers) - right).max(axis=1)
        assert least < off[-1000:].max() < most
        assert off[:10].max() < off[-1000:].max()
    too_large = broken_encoding(50, 32, rule="upside down", base=1e5, numbers="float16")
    assert np.isnan(too_large[-1, -1])
    assert np.isfinite(too_large[:, :20]).all()


def test_every_combination_can_be_made():
    for rule, layout, numbers, d_model in itertools.product(RULES, LAYOUTS, NUMBERS, (1, 2, 3, 10)):
        made = broken_encoding(3, d_model, rule=rule, layout=layout, numbers=numbers)
        assert made.shape == (3, d_model)
        assert made.dtype == np.float64


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"length": 0}, ValueError, "length must be a positive integer, got 0"),
        ({"d_model": 2.0}, TypeError, "d_model must be a positive integer"),
        ({"rule": "xor"}, ValueError, "rule must be one of 'as in the paper', 'column for pair'.*got 'xor'"),
        ({"rule": None}, TypeError, "rule must be one of"),
        ({"layout": "sideways"}, ValueError, "layout must be one of 'interleaved', 'halves'"),
        ({"numbers": float}, TypeError, "numbers must be one of 'float64'"),
        ({"base": 0}, ValueError, "base must be a finite number above 0"),
        ({"start": 0.5}, TypeError, "start must be an integer"),
        ({"scale": math.nan}, ValueError, "scale must be a finite number"),
    ],
)
def test_what_cannot_be_is_refused(arguments, error, says):
    with pytest.raises(error, match=says):
        broken_encoding(**{"length": 3, "d_model": 4, **arguments})


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (("Z",), ValueError, "letter must be one of 'A', 'B'.*got 'Z'"),
        ((1,), TypeError, "letter must be one of"),
        (("A", 0), ValueError, "length must be"),
        (("A", 5, 3), ValueError, "d_model must be even, got 3: a case is made of whole pairs"),
        (("A", 5, 0), ValueError, "d_model must be an integer of at least 2"),
    ],
)
def test_there_is_no_such_case(arguments, error, says):
    with pytest.raises(error, match=says):
        case(*arguments)


@pytest.mark.parametrize("seed", range(20))
def test_turns_and_lengths_are_those_of_the_hands_wherever_one_looks_and_at_any_scale(seed):
    choose = random.Random(seed)
    w = [choose.uniform(-math.pi, math.pi) for _ in range(choose.randint(1, 9))]
    start, scale = choose.uniform(-50, 50), choose.uniform(0.1, 9)
    rows = [
        [scale * f((start + pos) * each) for each in w for f in (math.sin, math.cos)]
        for pos in range(choose.randint(2, 5))
    ]
    np.testing.assert_allclose(pair_turns(rows), w, atol=1e-9)
    np.testing.assert_allclose(pair_lengths(rows), np.full((len(rows), len(w)), scale), rtol=1e-12)


def test_the_last_of_an_odd_number_of_columns_is_left_out():
    assert pair_turns(sinusoidal_encoding(2, 7)).shape == (3,)
    assert pair_lengths(sinusoidal_encoding(2, 7)).shape == (2, 3)


@pytest.mark.parametrize("measure", [pair_turns, pair_lengths])
@pytest.mark.parametrize(
    ("matrix", "error", "says"),
    [
        ([[0, 1]], ValueError, r"two rows and two columns at least, got shape \(1, 2\)"),
        ([[0], [1]], ValueError, r"got shape \(2, 1\)"),
        ([0, 1], ValueError, r"got shape \(2,\)"),
        ([[0, 1], [0, math.nan]], ValueError, "matrix must be finite"),
        ([["a", "b"]], TypeError, "matrix must be an array of real numbers"),
    ],
)
def test_what_has_no_pairs_is_not_measured(measure, matrix, error, says):
    with pytest.raises(error, match=says):
        measure(matrix)
