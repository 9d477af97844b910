"""Promise: a number rounded to a type is the nearest that the type has, and of two equally near ones the even one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import encode_positions, frequencies, round_to
from pe_lib.precision import encode_rounding

EVERY_BFLOAT16 = (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32)
FINITE = np.sort(EVERY_BFLOAT16[np.isfinite(EVERY_BFLOAT16)].astype(np.float64))
ONCE = FINITE[np.append(True, np.diff(FINITE) > 0)]  # 0 and -0 are one number


def test_every_bfloat16_number_stays_what_it_is():
    assert np.array_equal(round_to(FINITE, "bfloat16"), FINITE)


def test_between_two_bfloat16_numbers_the_nearer_one_is_taken_and_of_a_tie_the_even_one():
    lower, upper = ONCE[:-1], ONCE[1:]
    normal = np.minimum(abs(lower), abs(upper)) >= 2.0**-126
    lower, upper = lower[normal], upper[normal]
    for share, nearer in ((0.25, lower), (0.75, upper)):
        assert np.array_equal(round_to(lower + share * (upper - lower), "bfloat16"), nearer)
    middle = round_to(lower + (upper - lower) / 2, "bfloat16")
    assert np.all((middle == lower) | (middle == upper))
    assert not (middle.astype(np.float32).view(np.uint32) >> 16 & 1).any()


def test_the_least_bit_of_a_float64_decides_a_tie():
    assert np.array_equal(round_to([257 + 1e-9, -259 + 1e-9], "bfloat16"), [258, -258])
    assert np.array_equal(round_to([2049 + 1e-9], "float16"), [2050])


def test_one_step_is_rounded_and_the_others_are_not():
    positions = [0, 257, 1000]
    exact = encode_positions(positions, 6)
    assert np.array_equal(encode_rounding(positions, 6, "float16", "sines"), round_to(exact, "float16"))
    assert np.array_equal(encode_rounding([257], 6, "bfloat16", "positions"), encode_positions([256], 6))
    w = round_to(frequencies(6), "float16")
    angles = np.outer(positions, w)
    assert np.array_equal(encode_rounding(positions, 6, "float16", "frequencies")[:, 0::2], np.sin(angles))
    angles = round_to(np.outer(positions, frequencies(6)), "float16")
    assert np.array_equal(encode_rounding(positions, 6, "float16", "angles")[:, 1::2], np.cos(angles))


def test_everything_rounds_at_each_step():
    angles = round_to(256 * round_to(frequencies(5), "bfloat16"), "bfloat16")
    rows = encode_rounding([257], 5, "bfloat16", "everything")
    assert np.array_equal(rows[0, 0::2], round_to(np.sin(angles), "bfloat16"))
    assert np.array_equal(rows[0, 1::2], round_to(np.cos(angles[:2]), "bfloat16"))


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
