"""Promise: a number rounded to a type is the nearest that the type has, and of two equally near ones the even one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import round_to

EVERY_BFLOAT16 = (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32)
FINITE = np.sort(EVERY_BFLOAT16[np.isfinite(EVERY_BFLOAT16)].astype(np.float64))
ONCE = FINITE[np.append(True, np.diff(FINITE) > 0)]  # 0 and -0 are one number


def test_every_bfloat16_number_stays_what_it_is():
    assert np.array_equal(round_to(FINITE, "bfloat16"), FINITE)


def test_between_two_bfloat16_numbers_the_nearer_one_is_taken_and_of_a_tie_the_even_one():
    lower, upper = ONCE[:-1], ONCE[1:]
    for share, nearer in ((0.25, lower), (0.75, upper)):
        assert np.array_equal(round_to(lower + share * (upper - lower), "bfloat16"), nearer)
    middle = round_to(lower + (upper - lower) / 2, "bfloat16")
    assert np.all((middle == lower) | (middle == upper))
    assert not (middle.astype(np.float32).view(np.uint32) >> 16 & 1).any()


def test_the_least_bit_of_a_float64_decides_a_tie():
    assert np.array_equal(round_to([257 + 1e-9, -259 + 1e-9], "bfloat16"), [258, -258])
    assert np.array_equal(round_to([2049 + 1e-9], "float16"), [2050])


def test_beyond_the_range_it_is_infinite():
    assert np.array_equal(round_to([65504, 65520, -1e6], "float16"), [65504, np.inf, -np.inf])
    assert np.array_equal(round_to([1e300, -1e39], "float32"), [np.inf, -np.inf])
    assert np.array_equal(round_to([1e300, -3.4e38, 3.39e38], "bfloat16"), [np.inf, -np.inf, FINITE.max()])


@given(st.floats(-6e4, 6e4))
def test_the_error_is_half_a_step_at_most(x):
    for kind, bits in (("float32", 24), ("float16", 11), ("bfloat16", 8)):
        assert abs(round_to(x, kind) - x) <= abs(x) * 2.0**-bits + 2.0**-25  # float16 has no steps below 2**-24


def test_the_shape_stays_and_the_values_are_left_alone():
    x = np.arange(250, 262).reshape(3, 4)
    before = x.copy()
    assert (round_to(x, "bfloat16").shape, round_to(x, "float16").dtype) == ((3, 4), np.float64)
    assert np.array_equal(x, before)
    assert round_to(257, "bfloat16").shape == ()


def test_what_cannot_be_rounded_is_refused():
    with pytest.raises(ValueError, match="values must be finite, got nan"):
        round_to([1.0, np.nan], "float16")
    with pytest.raises(TypeError, match="values must be an array of real numbers"):
        round_to(["1"], "float16")
    with pytest.raises(ValueError, match="kind must be one of 'float32', 'float16', 'bfloat16', got 'float8'"):
        round_to([1.0], "float8")
    with pytest.raises(TypeError, match="kind must be one of"):
        round_to([1.0], np.float16)
