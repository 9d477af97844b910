"""The broken encodings are broken as they say and nowhere else, and the measurements find what they should."""

import math
import random

import numpy as np
import pytest

from pe_diagnosis import diagnose
from pe_lib import pair_lengths, pair_speeds, sinusoidal_encoding
from pe_lib.clinic import CASES, RULES, broken_encoding, case

# The frequency of column j of d columns, as the threads have it that the notebook names, and what the diagnosis says.
FREQUENCY = {
    "A": lambda j, _: math.exp(-2 * (j // 2)),
    "B": lambda j, d: 10_000 ** (-2 * j / d),
    "C": lambda _j, _d: 1.0,
    "D": lambda j, d: 10_000 ** (2 * (j // 2) / d),
    "E": lambda j, d: 1.62308166562810e9 ** (-2 * (j // 2) / d),
    "F": lambda j, d: math.exp(4) ** (-2 * (j // 2) / d),
    "G": lambda j, d: 1000 ** (-j / d),
    "L": lambda j, d: 10_000 ** (-2 * (j // 2 + 1) / d),
    "M": lambda j, d: 10_000 ** (-2 * (j // 2) / (d / 2 if j % 2 else d)),
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
# The rules that are in no case.
RULED = {
    "2i doubled": lambda j, d: 10_000 ** (-4 * (j // 2) / d),
    "2 forgotten": lambda j, d: 10_000 ** (-(j // 2) / d),
    "degrees": lambda j, d: math.pi / 180 * 10_000 ** (-2 * (j // 2) / d),
}


def table(length, d_model, frequency):
    """Write an interleaved matrix out cell by cell, with a frequency for each column."""
    return [
        [(math.cos if j % 2 else math.sin)(pos * frequency(j, d_model)) for j in range(d_model)]
        for pos in range(length)
    ]


@pytest.mark.parametrize(("length", "d_model"), [(50, 32), (7, 16)])
def test_frequencies_are_those_of_the_threads(length, d_model):
    for letter, frequency in FREQUENCY.items():
        assert np.allclose(case(letter, length, d_model), table(length, d_model, frequency), rtol=0, atol=1e-10)
    for rule, frequency in RULED.items():
        made = broken_encoding(length, d_model, rule=rule)
        assert np.allclose(made, table(length, d_model, frequency), rtol=0, atol=1e-10)


def test_the_cases_that_are_not_frequencies():
    right = sinusoidal_encoding(52, 32)
    assert np.allclose(case("H"), right[2:], rtol=0, atol=1e-12)
    assert not case("I")[0].any()
    assert np.allclose(case("I")[1:], right[1:50], rtol=0, atol=1e-12)
    assert np.allclose(case("J"), sinusoidal_encoding(50, 32, layout="halves"), rtol=0, atol=1e-12)
    angles = np.outer(range(50), 10_000 ** (-np.arange(16) / 15))  # as tensor2tensor spaces them
    assert np.allclose(case("K"), np.concatenate([np.sin(angles), np.cos(angles)], axis=1), rtol=0, atol=1e-12)


@pytest.mark.parametrize("letter", CASES)
def test_each_case_is_named(letter):
    for length, d_model in ((50, 32), (20, 16)):
        found = diagnose(case(letter, length, d_model))
        assert {finding.code for finding in found.findings} == CODES[letter]
        assert found.ok == (letter in "HIJK")


@pytest.mark.parametrize(("length", "d_model"), [(1, 1), (5, 1), (4, 7), (50, 32)])
def test_without_a_mistake_it_is_the_encoding(length, d_model):
    assert np.allclose(broken_encoding(length, d_model), sinusoidal_encoding(length, d_model), rtol=0, atol=1e-12)
    for layout in ("interleaved", "halves"):
        made = {"start": -3, "base": 50.0, "layout": layout}
        found = broken_encoding(length, d_model, **made)
        assert np.allclose(found, sinusoidal_encoding(length, d_model, **made), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_every_setting_does_what_it_says_and_no_more(seed):
    choose = random.Random(seed)
    length, d_model = choose.randint(1, 30), choose.randint(1, 33)
    made = {"rule": choose.choice(list(RULES)), "base": choose.choice([10.0, 1e5]), "start": choose.choice([0, -3, 9])}
    plain, even, odd = broken_encoding(length, d_model, **made), slice(0, None, 2), slice(1, None, 2)
    sines_first = np.concatenate([plain[:, even], plain[:, odd]], axis=1)
    cosines_first = np.concatenate([plain[:, odd], plain[:, even]], axis=1)
    assert np.array_equal(broken_encoding(length, d_model, **made, layout="halves"), sines_first)
    assert np.array_equal(broken_encoding(length, d_model, **made, layout="cosines first"), cosines_first)
    assert np.array_equal(broken_encoding(length, d_model, **made, scale=0.5), plain / 2)
    assert np.array_equal(broken_encoding(length, d_model, **made, transposed=True), plain.T)
    whole = broken_encoding(length, d_model, **made, scale=2.0, numbers="integers")
    assert np.array_equal(whole, np.trunc(2 * plain))
    assert not np.signbit(whole[whole == 0]).any()


def test_swapped_columns_hold_the_other_function_of_the_same_angle():
    plain, swapped = broken_encoding(9, 8, start=1), broken_encoding(9, 8, start=1, layout="swapped")
    assert np.array_equal(swapped.reshape(9, 4, 2)[..., ::-1], plain.reshape(9, 4, 2))


def test_angles_in_a_narrow_type_are_off_more_and_more_and_fall_out_of_float16():
    right = broken_encoding(5000, 8)
    for numbers, least, most in (("float32", 1e-6, 1e-3), ("float16", 0.01, 2.0)):
        off = np.abs(broken_encoding(5000, 8, numbers=numbers) - right).max(axis=1)
        assert least < off[-1000:].max() < most
        assert off[:10].max() < off[-1000:].max()
    too_large = broken_encoding(50, 32, rule="upside down", base=1e5, numbers="float16")
    assert np.isnan(too_large[-1, -1])
    assert np.isfinite(too_large[:, :20]).all()


@pytest.mark.parametrize("seed", range(5))
def test_turns_and_lengths_are_those_of_the_hands_wherever_one_looks_and_at_any_scale(seed):
    choose = random.Random(seed)
    w = [choose.uniform(-math.pi, math.pi) for _ in range(choose.randint(1, 9))]
    start, scale = choose.uniform(-50, 50), choose.uniform(0.1, 9)
    rows = [[scale * f((start + pos) * each) for each in w for f in (math.sin, math.cos)] for pos in range(2 + seed)]
    assert np.allclose(pair_speeds(rows), w, rtol=0, atol=1e-9)
    assert np.allclose(pair_lengths(rows), np.full((len(rows), len(w)), scale), rtol=1e-12, atol=0)


def test_the_last_of_an_odd_number_of_columns_is_left_out():
    assert pair_speeds(sinusoidal_encoding(2, 7)).shape == (3,)
    assert pair_lengths(sinusoidal_encoding(2, 7)).shape == (2, 3)
