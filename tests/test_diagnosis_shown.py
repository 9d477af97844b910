"""Promise: what is said was shown: any start, two lines, no needless cause, nothing denied that rounding may hide."""

import numpy as np
import pytest

from pe_diagnosis import diagnose, diagnose_sum, limits
from pe_diagnosis.lines import Guess
from pe_diagnosis.program import Program
from pe_diagnosis.rounding import Storage
from pe_lib import broken_encoding, sinusoidal_encoding
from pe_lib.clinic import RULES

RNG = np.random.default_rng(3)


def angles(length, d_model, exponent=2.0, start=0, base=10_000.0):
    return np.arange(start, start + length)[:, np.newaxis] / base ** (exponent * np.arange(d_model // 2) / d_model)


def pairs(of_sines, of_cosines):
    return np.stack([np.sin(of_sines), np.cos(of_cosines)], -1).reshape(len(of_sines), -1)


def said(found):
    return " ".join(found.advice.split())


@pytest.mark.parametrize("start", [3, 40, 911])
@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("column for pair", "column-as-pair"),
        ("each column its own", "own-frequencies"),
        ("2i doubled for cosines", "cosine-exponent"),
        ("integer division", "all-one"),
        ("upside down", "inverse"),
    ],
)
def test_a_rule_is_named_from_any_start(rule, code, start):
    for length, d_model in ((8, 6), (40, 24)):
        found = diagnose(broken_encoding(length, d_model, rule=rule, start=start))
        assert (set(found.codes), found.start) == ({code, "start"}, start)


def test_each_column_its_own_with_another_base_and_start():
    w = RULES["each column its own"](np.arange(24), 24, 500.0)
    table = np.arange(12, 60)[:, np.newaxis] * w
    found = diagnose(np.where(np.arange(24) % 2, np.cos(table), np.sin(table)).round(4))
    assert {"own-frequencies", "base", "start"} <= set(found.codes)
    assert (found.base, found.start) == (500, 12)


def test_a_slip_of_the_base_is_named_from_any_start():
    w = RULES["column for pair"](np.arange(16), 16, np.exp(4))
    table = np.arange(7, 27)[:, np.newaxis] * w
    assert set(diagnose(np.where(np.arange(16) % 2, np.cos(table), np.sin(table))).codes) == {
        "column-as-pair",
        "log10",
        "start",
    }


@pytest.mark.parametrize("corrections", [1, 5])
def test_no_correction_of_a_measured_number_counts_twice(corrections, monkeypatch):
    monkeypatch.setattr(limits, "CORRECTIONS", corrections)
    twice = 2 * sinusoidal_encoding(30, 16)
    guess = Guess(Program(30, 16, 10_000.0), twice, (("scale", (2.01, 0.0)),))
    (program,) = guess.settled(Storage(twice))
    np.testing.assert_allclose(program.run()["matrix"], twice, rtol=0, atol=1e-9)


def test_two_pairs_are_enough_for_another_base_and_a_start():
    for table in (sinusoidal_encoding(30, 4, start=7, base=500.0), sinusoidal_encoding(30, 5, start=3, base=777.7)):
        found = diagnose(table)
        assert found.codes == ("base", "start")
        assert found.explained == 1


@pytest.mark.parametrize("start", [24_000, 65_536, 200_000])
def test_a_right_table_is_right_however_far_it_begins(start):
    for d_model, layout in ((24, "interleaved"), (96, "halves")):
        found = diagnose(sinusoidal_encoding(40, d_model, start=start, layout=layout))
        assert (found.ok, found.start) == (True, start)


TWO_LINES = {
    "the cosines of pos + 1": (
        pairs(angles(40, 24), angles(40, 24, start=1)),
        "columns 1, 3, 5, … are made with pos =",
    ),
    "cosines with base 500": (
        pairs(angles(40, 24), angles(40, 24, base=500.0)),
        "columns 1, 3, 5, … are made with base",
    ),
    "sines with half the exponent": (
        pairs(angles(12, 8, 1.0), angles(12, 8)),
        "columns 0, 2, 4 and 6 are made with w =",
    ),
    "the second half from 3": (
        np.hstack([np.sin(angles(40, 24)), np.cos(angles(40, 24, start=3))]),
        "columns 12 to 23 are made with pos = row + 3",
    ),
    "cosines with half the exponent": (pairs(angles(7, 6), angles(7, 6, 1.0)), "columns 1, 3 and 5 are made with w ="),
    "cosines of frequencies that fall evenly": (
        pairs(angles(40, 24), np.outer(np.arange(40), np.linspace(1, 1e-4, 12))),
        "columns 1, 3, 5, … are made with w = np.linspace(1, 1 / base, half)[i]",
    ),
}


@pytest.mark.parametrize("name", TWO_LINES)
def test_columns_that_come_from_two_lines_are_told_apart(name):
    table, where = TWO_LINES[name]
    found = diagnose(table)
    assert not found.ok
    assert "columns-apart" in found.codes
    assert where.lower() in said(found).lower()
    assert not {"cosine-exponent", "sine-exponent", "column-wrong", "tiled"} & set(found.codes)
    exec(found.recipe, names := {})
    np.testing.assert_allclose(names["matrix"], table, rtol=0, atol=1e-9)


@pytest.mark.parametrize("scale", [5, 50])
def test_float32_columns_with_a_large_scale_are_told_apart(scale):
    of_both = angles(50, 16).astype(np.float32)
    found = diagnose(pairs(of_both, of_both) * np.float32([1, scale] * 8))
    assert "columns-apart" in found.codes
    assert found.explained == 1


def test_a_single_sine_among_zeros_is_answered():
    table = np.zeros((6, 4))
    table[:, 1] = np.sin(np.arange(1, 7))
    assert not diagnose(table).ok


def test_a_cause_that_the_numbers_do_not_need_is_not_said():
    w = 1 / (1 + 10_000 * 2 * np.arange(12) / 24)
    odd = np.arange(40)[:, np.newaxis] * w
    assert "octaves" not in diagnose(pairs(odd, odd).astype(np.float16)).codes
    assert "d_model/2 - 1" not in said(diagnose(pairs(angles(7, 10, 6.0), angles(7, 10))))


def test_what_rounding_may_hide_is_not_denied():
    x = RNG.normal(size=(2, 12, 24))
    x[1, 3, 7] = -1e9  # a mask's value
    assert diagnose_sum(x, x + sinusoidal_encoding(12, 24)).ok
    assert "not-added" not in diagnose_sum(x, x + RNG.normal(size=x.shape)).codes
    assert diagnose_sum(x, x.copy()).codes == ("not-added",)
    for size, hidden in ((1e5, False), (1e8, False), (1e10, True)):  # of 1e8, the smallest numbers show it
        large = (size * np.random.default_rng(0).normal(size=(2, 12, 24))).astype(np.float32)
        found = diagnose_sum(large, large + sinusoidal_encoding(12, 24).astype(np.float32))
        assert "not-added" not in found.codes
        assert found.ok != hidden
        assert ("These numbers do not tell 2 causes apart" in str(found)) == hidden
        assert "Unresolved" not in str(found)
        other = diagnose_sum(large, large + sinusoidal_encoding(12, 24, base=1e3).astype(np.float32))
        assert not {"tokens-left-out", "not-added", "rope"} & set(other.codes)


def test_rivals_are_told_as_notes():
    found = diagnose(pairs(angles(30, 4, 4.0), angles(30, 4, 4.0)))
    assert found.ok
    assert found.codes == ("timescales", "rival")
    assert "twice as large" in said(found)
    for start in (0, 7):
        assert (
            "divided-positions"
            in diagnose(pairs(angles(40, 24, start=start) / 40, angles(40, 24, start=start) / 40)).codes
        )
    padding = np.arange(9)[:, np.newaxis] < 3
    x = np.where(padding, 0, RNG.normal(size=(9, 16)))
    assert "first word of sentence 0 has position 3" in said(
        diagnose_sum(x, np.where(padding, 0, x + sinusoidal_encoding(9, 16)))
    )


def test_hands_have_to_move_and_their_speeds_are_told():
    assert "sine and cosine" not in said(diagnose(np.repeat(np.arange(6.0)[np.newaxis], 20, 0)))
    assert "sine and cosine" not in said(diagnose(np.full((20, 6), 0.3) + 0.4 * (np.arange(6) > 2)))
    turning = np.outer(np.arange(40), [0.9, 0.77, 0.41])
    assert "turn evenly, by 0.9, 0.77, 0.41 radians per row" in said(diagnose(pairs(turning, turning)))


def test_rows_of_zeros_around_a_table_and_a_class_token_are_no_mistake():
    table, zeros = sinusoidal_encoding(30, 16), np.zeros((4, 16))
    assert diagnose(np.vstack([table, zeros])).ok
    assert diagnose(np.vstack([zeros, table])).ok
    y, x = np.divmod(np.arange(42), 7)
    grid = np.hstack([sinusoidal_encoding(7, 8, layout="halves")[axis] for axis in (x, y)])
    found = diagnose(np.vstack([np.zeros((1, 16)), grid]))
    assert found.ok
    assert {"grid", "class-token"} <= set(found.codes)
    assert diagnose(table[np.newaxis, np.newaxis]).ok
