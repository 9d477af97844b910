"""Promise: the laws that the notebooks state hold for every shape, base, type, layout and start."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pe_lib import (
    ROUTES,
    add_positional_encoding,
    bit_periods,
    bits,
    bits_that_flip,
    distance,
    dot_product,
    encode_positions,
    frequencies,
    place_values,
    shift_rotation,
    sinusoidal_encoding,
    wavelengths,
)
from pe_lib.encoding import BLOCK

lengths = st.integers(0, 40)
widths = st.integers(1, 40)
even_widths = st.integers(1, 24).map(lambda pairs: 2 * pairs)
bases = st.one_of(st.just(10_000.0), st.floats(1.001, 1e8), st.floats(0.5, 1.0), st.integers(1, 10**6))
starts = st.one_of(st.integers(-2000, 2000), st.integers(-(10**6), 10**6), st.sampled_from([-513, -1, 0, 511, 512]))
layouts = st.sampled_from(["interleaved", "halves"])
dtypes = st.sampled_from([np.float16, np.float32, np.float64])

steady = settings(deadline=None, max_examples=80)


def rounding(dtype, angle=0.0):
    """Return how far two ways to one number may differ, angles up to `angle` being rounded to float64."""
    return np.finfo(dtype).eps + 4e-15 * max(1.0, abs(angle))


@steady
@given(lengths, widths, starts, bases, layouts, dtypes)
def test_every_number_lies_between_minus_1_and_1(length, d_model, start, base, layout, dtype):
    table = sinusoidal_encoding(length, d_model, start=start, base=base, layout=layout, dtype=dtype)
    assert (table.shape, table.dtype) == ((length, d_model), np.dtype(dtype))
    assert np.all(np.abs(table.astype(np.float64)) <= 1 + 1e-15)


@steady
@given(lengths, even_widths, starts, bases, layouts)
def test_every_row_has_the_norm_sqrt_of_half_the_width(length, d_model, start, base, layout):
    table = sinusoidal_encoding(length, d_model, start=start, base=base, layout=layout)
    assert np.allclose(np.linalg.norm(table, axis=1), math.sqrt(d_model / 2), rtol=1e-13, atol=0)


@steady
@given(lengths, st.integers(0, 24).map(lambda pairs: 2 * pairs + 1), starts)
def test_a_row_of_odd_width_is_shorter_than_that_by_its_missing_cosine(length, d_model, start):
    table = sinusoidal_encoding(length, d_model, start=start)
    squares = (d_model - 1) / 2 + table[:, -1] ** 2
    assert np.allclose(np.sum(table**2, axis=1), squares, rtol=1e-13, atol=0)


@steady
@given(lengths, widths, starts, bases, layouts, dtypes)
def test_the_table_is_its_positions_encoded(length, d_model, start, base, layout, dtype):
    options = {"base": base, "layout": layout, "dtype": dtype}
    table = sinusoidal_encoding(length, d_model, start=start, **options)
    encoded = encode_positions(np.arange(start, start + length), d_model, **options)
    from_its_block = abs(start) + length + BLOCK  # a row below 0 is turned from the first row of its block
    largest = from_its_block * frequencies(d_model, base).max()
    assert np.allclose(table, encoded, rtol=0, atol=rounding(dtype, largest))


@pytest.mark.parametrize("name", ROUTES)
@settings(deadline=None, max_examples=60)
@given(length=st.integers(0, 60), d_model=widths, base=bases)
@example(length=600, d_model=6, base=10_000.0)
@example(length=0, d_model=1, base=10_000.0)
def test_every_route_leads_to_the_table(name, length, d_model, base):
    by_route = ROUTES[name](length, d_model, base)
    assert (by_route.shape, by_route.dtype) == ((length, d_model), np.float64)
    largest = length * frequencies(d_model, base).max()
    # every turn of the rotation is rounded, and so is every exponential of a logarithm
    assert np.allclose(by_route, sinusoidal_encoding(length, d_model, base=base), rtol=0, atol=rounding(float, largest))


def test_there_are_six_routes_named_as_their_functions():
    names = ["cell_by_cell", "pair_index", "even_odd_slices", "stack_and_flatten", "exp_log", "by_rotation"]
    assert [route.__name__ for route in ROUTES.values()] == list(ROUTES) == names


@steady
@given(even_widths, bases, st.integers(-5000, 5000), st.integers(-5000, 5000), st.integers(-300, 300))
def test_the_dot_product_depends_on_the_offset_alone(d_model, base, p, q, offset):
    here, there = (encode_positions([a, a + offset], d_model, base=base) for a in (p, q))
    lost = d_model * rounding(float, 6000 * frequencies(d_model, base).max())
    assert abs(here[0] @ here[1] - there[0] @ there[1]) <= lost
    assert abs(here[0] @ here[1] - dot_product(offset, d_model, base)) <= lost
    assert abs(np.linalg.norm(here[1] - here[0]) - distance(offset, d_model, base)) <= lost


@steady
@given(even_widths, bases, st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
def test_a_shift_is_a_rotation(d_model, base, position, offset):
    rotation = shift_rotation(offset, d_model, base=base)
    moved = encode_positions(position + offset, d_model, base=base)
    lost = rounding(float, 4e4 * frequencies(d_model, base).max())
    assert np.allclose(rotation @ encode_positions(position, d_model, base=base), moved, rtol=0, atol=lost)
    assert np.allclose(rotation @ rotation.T, np.eye(d_model), rtol=0, atol=1e-14)


@steady
@given(even_widths, st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
def test_shifts_add_up_and_undo_each_other(d_model, a, b):
    forth, back = shift_rotation(a, d_model), shift_rotation(-a, d_model)
    assert np.allclose(forth @ back, np.eye(d_model), rtol=0, atol=1e-14)
    assert np.allclose(forth @ shift_rotation(b, d_model), shift_rotation(a + b, d_model), rtol=0, atol=1e-11)


@steady
@given(st.lists(st.floats(-1e6, 1e6), max_size=12), widths)
def test_mirrored_positions_have_mirrored_sines_and_the_same_cosines(positions, d_model):
    here, mirrored = encode_positions(positions, d_model), encode_positions(np.negative(positions), d_model)
    assert np.array_equal(here[:, 0::2], -mirrored[:, 0::2])
    assert np.array_equal(here[:, 1::2], mirrored[:, 1::2])


@steady
@given(widths, bases)
def test_frequencies_fall_geometrically_from_1_when_the_base_is_above_1(d_model, base):
    w = frequencies(d_model, base)
    assert w[0] == 1
    assert np.allclose(w[1:] / w[:-1], float(base) ** (-2 / d_model), rtol=1e-12, atol=0)
    assert np.array_equal(place_values(d_model, base), 1 / w)
    assert np.allclose(wavelengths(d_model, base) * w, 2 * math.pi, rtol=1e-15, atol=0)


@steady
@given(even_widths)
def test_no_wavelength_reaches_2_pi_times_10000(d_model):
    longest = wavelengths(d_model)[-1]
    assert longest < 2 * math.pi * 10_000
    assert longest == pytest.approx(2 * math.pi * 10_000 ** ((d_model - 2) / d_model), rel=1e-12)


@steady
@given(st.integers(1, 3), lengths, widths, st.randoms(use_true_random=False), st.booleans())
def test_the_sum_is_the_embeddings_and_the_encoding_where_the_mask_is_1(batch, length, d_model, random, scale):
    rng = np.random.default_rng(random.getrandbits(32))
    x, mask = rng.normal(size=(batch, length, d_model)), rng.integers(0, 2, (batch, length))
    total = add_positional_encoding(x, mask=mask, scale=scale)
    added = total - x * (math.sqrt(d_model) if scale else 1)
    expected = mask[..., np.newaxis] * sinusoidal_encoding(length, d_model)
    assert np.allclose(added, expected, rtol=0, atol=1e-14 * max(1, d_model))


@steady
@given(st.integers(1, 62).flatmap(lambda n: st.tuples(st.lists(st.integers(0, 2**n - 1), max_size=9), st.just(n))))
def test_bits_spell_their_number(case):
    numbers, n_bits = case
    places = bits(numbers, n_bits)
    assert places.shape == (len(numbers), n_bits)
    assert [int("".join(map(str, row)), 2) for row in places.tolist()] == numbers


@steady
@given(st.integers(1, 10), st.integers(0, 2000))
def test_every_column_of_bits_repeats_after_its_period_and_not_before(n_bits, number):
    periods = bit_periods(n_bits)
    assume(number + periods[0] < 2**12)
    low = bits(np.arange(number, number + 2 * periods[0]) % 2**n_bits, n_bits)
    for column, period in enumerate(periods):
        assert np.array_equal(low[period:, column], low[:-period, column])
        assert np.array_equal(low[period // 2 :, column], 1 - low[: -(period // 2), column])


@steady
@given(st.integers(0, 2**61))
def test_the_bits_that_flip_are_counted(number):
    before, after = bits([number, number + 1], 62)
    assert bits_that_flip(number) == np.count_nonzero(before != after)


@steady
@given(even_widths, st.lists(st.floats(-1e5, 1e5), min_size=1, max_size=9), bases)
def test_dot_product_and_distance_are_two_sides_of_one_thing(d_model, offsets, base):
    dot, far = dot_product(offsets, d_model, base), distance(offsets, d_model, base)
    assert np.all(np.abs(dot) <= d_model / 2)
    assert np.allclose(far**2, d_model - 2 * dot, rtol=0, atol=1e-13 * d_model)
