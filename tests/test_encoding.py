"""Promise: the encoding is right to the stated error at any position, width, base, layout and type."""

import functools
import itertools
import math

import mpmath
import numpy as np
import pytest

from pe_lib import (
    add_positional_encoding,
    distance,
    dot_product,
    dot_product_law,
    encode_positions,
    first_rise,
    frequencies,
    properties,
    shift_rotation,
    sinusoidal_encoding,
    wavelengths,
)

WIDTHS = (1, 2, 5, 6, 64, 511, 512)
BASES = (10_000.0, 2.0, 1.0, 0.5, 37.5, 1e8)
DTYPES = (np.float16, np.float32, np.float64)
BOUNDS = {np.float64: 1e-9, np.float32: 3.1e-8, np.float16: 2.0**-12 * 1.0001}  # half an ulp of numbers up to 1


@functools.cache
def divisors(d_model, base):
    """Return base**(2i/d_model) for every pair, to 50 digits."""
    with mpmath.workdps(50):
        return [mpmath.mpf(base) ** (mpmath.mpf(2 * i) / d_model) for i in range((d_model + 1) // 2)]


def exact_row(position, d_model, base=10_000.0):
    """Return one row of the encoding, computed to 50 digits and rounded once."""
    with mpmath.workdps(50):
        angles = [mpmath.mpf(position) / divisor for divisor in divisors(d_model, float(base))]
        return np.array([float((mpmath.cos if j % 2 else mpmath.sin)(angles[j // 2])) for j in range(d_model)])


def greatest_error(rows, positions, d_model, base=10_000.0):
    """Return how far rows are from the exact ones at their worst."""
    return max(
        np.abs(row.astype(np.float64) - exact_row(position, d_model, base)).max()
        for row, position in zip(rows, positions, strict=True)
    )


def the_same(a, b):
    """Say whether two arrays are the same bit for bit, signs of zeros included."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def no_negative_zero(array):
    return not np.any(np.signbit(array) & (array == 0))


# ------------------------------------------------------------------ against 50 digits


@pytest.mark.parametrize("d_model", WIDTHS)
@pytest.mark.parametrize("base", BASES)
def test_frequencies_are_right_to_float64(d_model, base):
    exact = np.array([float(1 / divisor) for divisor in divisors(d_model, base)])
    assert np.abs(frequencies(d_model, base) / exact - 1).max() < 1e-14
    assert frequencies(d_model, base).shape == exact.shape


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("d_model", WIDTHS)
def test_the_table_is_right_at_the_borders_of_its_blocks(d_model, dtype):
    positions = [0, 1, 2, 3, 510, 511, 512, 513, 1023, 1024, 1299]
    table = sinusoidal_encoding(1300, d_model, dtype=dtype)
    assert table.dtype == dtype
    assert greatest_error(table[positions], positions, d_model) <= BOUNDS[dtype]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("d_model", WIDTHS)
def test_the_table_is_right_around_position_1e6(d_model, dtype):
    start = 999_900
    rows = [0, 1, 36, 99, 100]  # 999936 begins a block
    table = sinusoidal_encoding(101, d_model, start=start, dtype=dtype)
    assert greatest_error(table[rows], [start + row for row in rows], d_model) <= BOUNDS[dtype]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("d_model", [5, 64])
def test_the_table_is_right_for_any_base(base, d_model):
    positions = [0, 1, 511, 512, 513, 899]
    assert greatest_error(sinusoidal_encoding(900, d_model, base=base)[positions], positions, d_model, base) < 1e-9


@pytest.mark.parametrize("start", [-1_000_000, -1025, -513, -512, -3])
def test_the_table_is_right_at_negative_positions(start):
    table = sinusoidal_encoding(4, 6, start=start)
    assert greatest_error(table, range(start, start + 4), 6) < 1e-9


@pytest.mark.parametrize("d_model", [510, 512, 514, 1023, 1026])
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_a_table_of_several_panels_is_right_in_all_its_columns(d_model, layout):
    positions = [0, 7, 511, 512, 514]
    table = sinusoidal_encoding(515, d_model, layout=layout)
    exact = encode_positions(positions, d_model, layout=layout)
    assert np.abs(table[positions] - exact).max() < 1e-12
    if layout == "interleaved":
        assert greatest_error(table[[7]], [7], d_model) < 1e-13


def test_beyond_1e6_the_error_grows_as_the_docstring_says():
    for position in (10**7, 10**9, 10**12):
        assert greatest_error(sinusoidal_encoding(1, 64, start=position), [position], 64) < 2e-16 * position * 2


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("d_model", WIDTHS)
def test_any_real_position_is_encoded_right(d_model, dtype):
    positions = [0.0, 0.5, -0.5, 1 / 3, -1.0, 2.75, -512.125, 98765.4321, 1e6, -1e6]
    rows = encode_positions(positions, d_model, dtype=dtype)
    assert rows.dtype == dtype
    assert greatest_error(rows, positions, d_model) <= BOUNDS[dtype]


@pytest.mark.parametrize("base", BASES)
def test_any_real_position_is_encoded_right_for_any_base(base):
    positions = [0.25, -3.5, 12345.678]
    assert greatest_error(encode_positions(positions, 7, base=base), positions, 7, base) < 1e-9


# ------------------------------------------------------------------ shapes, layouts, types, starts


@pytest.mark.parametrize(
    ("length", "d_model", "layout", "dtype"),
    list(itertools.product((0, 1, 2, 513), (1, 2, 3, 6), ("interleaved", "halves"), DTYPES)),
)
def test_a_table_has_the_shape_and_type_asked_for(length, d_model, layout, dtype):
    table = sinusoidal_encoding(length, d_model, layout=layout, dtype=dtype)
    assert (table.shape, table.dtype) == ((length, d_model), np.dtype(dtype))


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3,), (2, 3), (2, 0, 3), (2, 1, 3)])
def test_positions_of_any_shape_get_one_more_axis(shape):
    positions = np.arange(math.prod(shape)).reshape(shape)
    rows = encode_positions(positions, 5)
    assert rows.shape == (*shape, 5)
    assert the_same(rows.reshape(-1, 5), encode_positions(positions.ravel(), 5))


@pytest.mark.parametrize("positions", [3, 3.0, np.int8(3), np.uint64(3), np.float16(3), np.array(3), True + 2])
def test_a_lone_position_of_any_number_type_gives_a_row(positions):
    assert the_same(encode_positions(positions, 6), encode_positions([3], 6)[0])


@pytest.mark.parametrize("dtype", ["float32", np.float32, np.dtype("float32"), "f4"])
def test_a_type_may_be_named_in_any_of_numpys_ways(dtype):
    assert the_same(sinusoidal_encoding(3, 4, dtype=dtype), sinusoidal_encoding(3, 4, dtype=np.float32))


def halves_of(table):
    """Return the columns of an interleaved table, sines first."""
    return np.concatenate([table[..., 0::2], table[..., 1::2]], axis=-1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("d_model", [1, 2, 5, 6, 513, 514])
def test_halves_is_a_permutation_of_the_columns(d_model, dtype):
    interleaved = sinusoidal_encoding(600, d_model, dtype=dtype)
    halves = sinusoidal_encoding(600, d_model, dtype=dtype, layout="halves")
    assert np.allclose(halves, halves_of(interleaved), rtol=0, atol=1.01 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("d_model", [1, 2, 5, 6])
def test_halves_is_a_permutation_of_encoded_positions_bit_for_bit(d_model, dtype):
    positions = [[0, -1, 2.5], [100, 1e6, 0.1]]
    interleaved = encode_positions(positions, d_model, dtype=dtype)
    assert the_same(encode_positions(positions, d_model, dtype=dtype, layout="halves"), halves_of(interleaved))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_smaller_type_is_the_float64_table_cast_once(dtype):
    table = sinusoidal_encoding(1100, 7, start=-20)
    assert the_same(sinusoidal_encoding(1100, 7, start=-20, dtype=dtype), table.astype(dtype))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_an_even_table_of_a_smaller_type_is_the_float64_table_cast_once(dtype):
    table = sinusoidal_encoding(1100, 64, start=-20)
    assert the_same(sinusoidal_encoding(1100, 64, start=-20, dtype=dtype), table.astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("d_model", [1, 2, 5, 6, 513, 514])
def test_a_table_that_starts_later_holds_the_very_same_numbers(d_model, layout, dtype):
    whole = sinusoidal_encoding(2200, d_model, start=-1100, layout=layout, dtype=dtype)
    for start, length in [(-1100, 1), (-1099, 3), (-513, 514), (-1, 2), (0, 0), (0, 1), (3, 5), (511, 2), (300, 800)]:
        part = sinusoidal_encoding(length, d_model, start=start, layout=layout, dtype=dtype)
        assert the_same(part, whole[start + 1100 :][:length]), (start, length)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("d_model", [1, 2, 5, 64, 513, 514])
@pytest.mark.parametrize("start", [0, 1, 511, -300])
def test_a_table_holds_the_same_numbers_however_many_rows_are_asked_for(start, d_model, layout, dtype):
    """However it is filled: plainly, each block apart, or by turns that the blocks share."""
    whole = sinusoidal_encoding(1300, d_model, start=start, layout=layout, dtype=dtype)
    for length in (1, 2, 511, 512, 513, 63, 64, 65, 1025):
        table = sinusoidal_encoding(length, d_model, start=start, layout=layout, dtype=dtype)
        assert the_same(table, whole[:length]), length


def test_every_single_row_is_that_of_the_table():
    table = sinusoidal_encoding(1030, 6)
    assert all(the_same(sinusoidal_encoding(1, 6, start=p), table[p : p + 1]) for p in range(1030))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("start", [0, -3, -512])
@pytest.mark.parametrize("d_model", [1, 2, 5, 6, 1030])
def test_row_0_is_exactly_0_1_0_1(d_model, start, dtype):
    row = sinusoidal_encoding(1 - start, d_model, start=start, dtype=dtype)[-start]
    assert row.tolist() == [0.0, 1.0, 0.0, 1.0, 0.0, 1.0][:d_model] + [0.0, 1.0] * (d_model // 2 - 3)
    assert no_negative_zero(row)


@pytest.mark.parametrize("dtype", DTYPES)
def test_row_0_of_halves_is_exactly_zeros_and_ones(dtype):
    row = sinusoidal_encoding(1, 7, layout="halves", dtype=dtype)[0]
    assert row.tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert no_negative_zero(row)


def test_position_0_is_encoded_as_0_1_0_1_whatever_its_sign():
    assert encode_positions([0, 0.0], 4).tolist() == [[0, 1, 0, 1]] * 2
    assert np.array_equal(encode_positions(-0.0, 4), [0, 1, 0, 1])


def test_a_width_of_1_is_a_sine_and_of_2_a_sine_and_its_cosine():
    assert np.allclose(sinusoidal_encoding(9, 1)[:, 0], np.sin(np.arange(9)), rtol=0, atol=1e-15)
    assert np.allclose(
        sinusoidal_encoding(9, 2), np.transpose([np.sin(np.arange(9)), np.cos(np.arange(9))]), rtol=0, atol=1e-15
    )


def test_a_table_is_the_callers_own():
    first = sinusoidal_encoding(3, 4)
    first[:] = 7
    assert sinusoidal_encoding(3, 4)[0].tolist() == [0, 1, 0, 1]


# ------------------------------------------------------------------ a shift is a rotation


@pytest.mark.parametrize("d_model", [2, 6, 512])
@pytest.mark.parametrize("offset", [0, 1, -1, 2.5, 1000, -70_000])
def test_a_shift_is_orthogonal_and_keeps_the_orientation(d_model, offset):
    rotation = shift_rotation(offset, d_model)
    assert np.allclose(rotation @ rotation.T, np.eye(d_model), rtol=0, atol=1e-15 * 4)
    blocks = [np.linalg.det(rotation[i : i + 2, i : i + 2]) for i in range(0, d_model, 2)]
    assert np.allclose(blocks, 1, rtol=0, atol=1e-14)


@pytest.mark.parametrize("d_model", [2, 6, 64])
@pytest.mark.parametrize(("a", "b"), [(0, 0), (1, 2), (3, -3), (0.25, 7.5), (-100, 1001)])
def test_two_shifts_are_one_by_their_sum(d_model, a, b):
    both = shift_rotation(a, d_model) @ shift_rotation(b, d_model)
    assert np.allclose(both, shift_rotation(a + b, d_model), rtol=0, atol=1e-12)


@pytest.mark.parametrize("base", [10_000.0, 2.0, 1e6])
@pytest.mark.parametrize("offset", [1, -2, 13, 0.5])
def test_a_shift_moves_every_encoding_by_its_offset(offset, base):
    positions = np.arange(-20, 20)
    moved = encode_positions(positions, 6, base=base) @ shift_rotation(offset, 6, base=base).T
    assert np.allclose(moved, encode_positions(positions + offset, 6, base=base), rtol=0, atol=1e-13)


def test_a_shift_is_good_to_4_5e13_up_to_position_2000():
    table = sinusoidal_encoding(3000, 512)
    errors = [
        np.abs(table[:2000] @ shift_rotation(k, 512).T - table[k : k + 2000]).max() for k in (1, 10, 100, 500, 1000)
    ]
    assert max(errors) < 4.5e-13


def test_a_shift_by_nothing_changes_nothing():
    assert np.array_equal(shift_rotation(0, 6), np.eye(6))


# ------------------------------------------------------------------ the sum with the embeddings

FLOATS_AND_SUMS = [
    (np.float16, np.float16),
    (np.float32, np.float32),
    (np.float64, np.float64),
    (np.int8, np.float64),
    (np.uint16, np.float64),
    (np.int64, np.float64),
]


@pytest.mark.parametrize(("given", "returned"), FLOATS_AND_SUMS)
@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (3, 5), (1, 1), (0, 4), (2, 0, 4), (0, 3, 4)])
@pytest.mark.parametrize("scale", [False, True])
def test_the_sum_keeps_shape_and_float_types_and_promotes_integers(shape, given, returned, scale):
    x = (np.arange(math.prod(shape)) % 7).reshape(shape).astype(given)
    total = add_positional_encoding(x, scale=scale)
    factor = math.sqrt(shape[-1]) if scale else 1.0
    expected = x.astype(np.float64) * factor + sinusoidal_encoding(shape[-2], shape[-1])
    assert the_same(total, expected.astype(returned))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
@pytest.mark.parametrize("mask", [None, [1, 0, 1]])
@pytest.mark.parametrize("scale", [False, True])
def test_what_is_given_is_never_changed(dtype, mask, scale):
    x = np.arange(12).reshape(3, 4).astype(dtype)
    mask = None if mask is None else np.array(mask)
    before = x.copy(), None if mask is None else mask.copy()
    total = add_positional_encoding(x, mask=mask, scale=scale)
    assert the_same(x, before[0])
    assert mask is None or the_same(mask, before[1])
    assert not np.shares_memory(total, x)


def test_read_only_embeddings_are_taken():
    x = np.zeros((3, 4))
    x.flags.writeable = False
    total = add_positional_encoding(x)
    assert total.flags.writeable
    assert np.array_equal(total, sinusoidal_encoding(3, 4))


def test_lists_are_taken():
    assert np.array_equal(add_positional_encoding([[0, 0], [0, 0]]), sinusoidal_encoding(2, 2))


def test_the_same_encoding_is_added_to_every_sequence_without_a_mask():
    x = np.random.default_rng(1).normal(size=(4, 5, 6))
    added = add_positional_encoding(x) - x
    assert np.allclose(added, sinusoidal_encoding(5, 6), rtol=0, atol=1e-15)


def test_batch_as_long_as_the_sequence_is_encoded_along_the_sequence():
    added = add_positional_encoding(np.zeros((4, 4, 6)))
    assert all(np.array_equal(added[b], sinusoidal_encoding(4, 6)) for b in range(4))


@pytest.mark.parametrize("mask_type", [bool, np.int8, np.uint8, np.int64, np.float32])
def test_every_sequence_has_its_own_mask(mask_type):
    x = np.ones((3, 3, 4))
    mask = np.array([[1, 1, 0], [1, 1, 1], [0, 0, 0]], mask_type)
    total = add_positional_encoding(x, mask=mask)
    expected = x + np.where(mask.astype(bool)[..., np.newaxis], sinusoidal_encoding(3, 4), 0.0)
    assert the_same(total, expected)
    assert np.array_equal(total[0, 2], x[0, 2])
    assert not np.array_equal(total[1, 2], x[1, 2])


def test_a_batch_is_its_sequences_one_by_one():
    rng = np.random.default_rng(2)
    x, mask = rng.normal(size=(5, 7, 6)), rng.integers(0, 2, (5, 7))
    one_by_one = [add_positional_encoding(x[b], mask=mask[b], scale=True) for b in range(5)]
    assert the_same(add_positional_encoding(x, mask=mask, scale=True), np.stack(one_by_one))


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_negative_zero_comes_to_a_masked_place(dtype):
    x = np.zeros((40, 16), dtype)
    total = add_positional_encoding(x, mask=np.zeros(40))
    assert not total.any()
    assert no_negative_zero(total)


def test_a_padding_of_negative_zeros_comes_out_as_plain_zeros():
    assert no_negative_zero(add_positional_encoding(np.full((3, 4), -0.0), mask=[0, 0, 0]))


def test_scale_multiplies_the_embeddings_and_not_the_encoding():
    x = np.full((3, 16), 0.25)
    assert np.array_equal(add_positional_encoding(x, scale=True), 1.0 + sinusoidal_encoding(3, 16))


@pytest.mark.parametrize("base", [2.0, 100.0])
def test_the_sum_takes_the_base(base):
    assert np.array_equal(add_positional_encoding(np.zeros((3, 6)), base=base), sinusoidal_encoding(3, 6, base=base))


def test_float16_is_cast_last():
    x = np.random.default_rng(3).normal(size=(200, 16)).astype(np.float16)
    total = add_positional_encoding(x, scale=True)
    assert the_same(total, (x.astype(np.float64) * 4 + sinusoidal_encoding(200, 16)).astype(np.float16))
    cast_first = x * np.float16(4) + sinusoidal_encoding(200, 16, dtype=np.float16)
    assert not np.array_equal(total, cast_first)


# ------------------------------------------------------------------ the facts, to their printed digits


@pytest.mark.parametrize("d_model", [2, 6, 64, 512])
def test_every_row_has_the_norm_sqrt_of_half_the_width(d_model):
    assert np.allclose(np.linalg.norm(sinusoidal_encoding(2000, d_model), axis=1), math.sqrt(d_model / 2), rtol=1e-12)


@pytest.mark.parametrize("d_model", [2, 6, 64])
def test_dot_products_and_distances_depend_on_the_offset_alone(d_model):
    table = sinusoidal_encoding(300, d_model)
    offsets = np.subtract.outer(np.arange(300), np.arange(300))
    assert np.allclose(table @ table.T, dot_product(offsets, d_model), rtol=0, atol=1e-11)
    far = np.linalg.norm(table[:, np.newaxis] - table, axis=-1)
    assert np.allclose(far, distance(offsets, d_model), rtol=0, atol=1e-11)


@pytest.mark.parametrize("offset", [0, 1, 7.5, 1000])
def test_the_dot_product_knows_no_direction(offset):
    assert dot_product(offset, 64) == dot_product(-offset, 64)


@pytest.mark.parametrize("d_model", [2, 16, 512])
def test_a_squared_distance_is_the_width_less_two_dot_products(d_model):
    offsets = np.arange(2000)
    assert np.allclose(distance(offsets, d_model) ** 2, d_model - 2 * dot_product(offsets, d_model), rtol=0, atol=1e-9)


def test_the_difference_of_two_encodings_turns_with_the_position():
    zero, five = encode_positions([0, 5], 6)
    for position in (1, 17, 400):
        moved = encode_positions(position + 5, 6) - encode_positions(position, 6)
        assert np.allclose(moved, shift_rotation(position, 6) @ (five - zero), rtol=0, atol=1e-13)
        assert not np.allclose(moved, five - zero, rtol=0, atol=0.1)


@pytest.mark.parametrize(
    ("offset", "printed"), [(1, "249.10"), (10, "173.79"), (100, "111.95"), (1000, "44.97"), (18469, "-37.90")]
)
def test_the_dot_product_decays_as_printed(offset, printed):
    assert f"{dot_product(offset, 512):.2f}" == printed


def test_the_dot_product_is_first_negative_at_3284_and_least_at_18469():
    values = dot_product(np.arange(20_001), 512)
    assert int(np.argmax(values < 0)) == 3284
    assert int(np.argmin(values)) == 18469


@pytest.mark.parametrize("offset", [30, 100, 300, 1000])
def test_the_decay_is_logarithmic(offset):
    around = np.arange(offset, 2 * offset)
    swing = dot_product(around, 4096) / 2048 - dot_product_law(around, 4096) / 2048
    assert abs(swing.mean()) < 0.01


def test_the_law_is_what_its_formula_says():
    assert dot_product_law(100, 512) == pytest.approx(256 * (1 - (math.log(100) + 0.5772156649) / math.log(1e4)))


def test_the_dot_product_at_width_6_is_not_monotone():
    assert [f"{x:.4f}" for x in dot_product(range(6), 6)] == [
        "3.0000",
        "2.5392",
        "1.5795",
        "1.0003",
        "1.3291",
        "2.2568",
    ]


FIRST_RISES = {
    **dict.fromkeys((2, 4, 6, 8, 10, 12, 14, 16), 3),
    **dict(zip((32, 64, 128, 256, 512), (4, 5, 11, 24, 43), strict=True)),
    **dict(zip((768, 1024, 2048, 4096), (43, 68, 131, 244), strict=True)),
}


@pytest.mark.parametrize(("d_model", "offset"), list(FIRST_RISES.items()))
def test_the_dot_product_first_rises_where_printed(d_model, offset):
    assert first_rise(d_model) == offset


@pytest.mark.parametrize("offset", [1, 2, 63, 64, 65, 66, 191, 192, 193, 194, 448, 449])
def test_a_rise_is_found_wherever_the_search_pauses(monkeypatch, offset):
    monkeypatch.setattr(properties, "dot_product", lambda offsets, *_: np.abs(offsets - offset))
    assert first_rise(6, up_to=offset) == offset
    assert first_rise(6, up_to=1000) == offset
    assert offset == 1 or first_rise(6, up_to=offset - 1) is None


def test_the_rise_at_width_512_is_the_printed_one():
    assert [f"{x:.4f}" for x in dot_product([43, 44], 512)] == ["134.7587", "134.7704"]
    assert np.count_nonzero(np.diff(dot_product(np.arange(513), 512)) > 0) == 202


@pytest.mark.parametrize("up_to", [1, 2])
def test_no_rise_is_none(up_to):
    assert first_rise(6, up_to=up_to) is None
    assert first_rise(6, base=1e300, up_to=3) == 3


@pytest.mark.parametrize(
    ("d_model", "offset", "printed"),
    [
        (2, 44, ".0177"),
        (2, 710, "6.0e-05"),
        (4, 6, ".2885"),
        (4, 84823, ".0016"),
        (6, 132, ".3279"),
        (8, 63, ".6453"),
        (8, 169646, ".0033"),
        (16, 1, "1.0147"),
        (16, 596274, ".922"),
        (512, 1, "3.714"),
        (512, 62832, "23.36"),
    ],
)
def test_two_encodings_nearly_meet_as_printed(d_model, offset, printed):
    far = float(distance(offset, d_model))
    decimals = len(printed.partition(".")[2])
    text = f"{far:.1e}" if "e" in printed else f"{far:.{decimals}f}".lstrip("0" if printed.startswith(".") else "")
    assert text == printed


@pytest.mark.parametrize("offset", [1e-12, 1e-7, 1e-3])
def test_a_tiny_distance_loses_no_digits(offset):
    assert distance(offset, 2) == pytest.approx(offset, rel=1e-6)
    assert distance(offset, 4) == pytest.approx(offset * math.sqrt(1 + 1e-4), rel=1e-6)


@pytest.mark.parametrize(("d_model", "offset"), [(2, 44), (4, 6), (16, 596274)])
def test_no_smaller_offset_comes_as_near(d_model, offset):
    """At width 2 and 4 below all before; at width 16 below the distance of neighbours for the first time."""
    before = distance(np.arange(1, offset), d_model)
    limit = distance(1, d_model) if d_model == 16 else distance(offset, d_model)
    assert before[1 if d_model == 16 else 0 :].min() > limit > distance(offset, d_model) - 1e-15


def test_positions_stay_apart_beyond_the_longest_wavelength():
    assert 2 * math.pi * 10_000 < 62_832
    assert distance(62_832, 512) > 6 * distance(1, 512)
    assert wavelengths(512)[-1] < 2 * math.pi * 10_000


def test_70_of_256_wavelengths_exceed_5000():
    assert np.count_nonzero(wavelengths(512) > 5000) == 70


def test_101_columns_hardly_change_within_512_positions():
    assert np.count_nonzero(sinusoidal_encoding(512, 512).std(axis=0) < 0.05) == 101


def test_99_percent_of_the_energy_lies_in_109_directions():
    singular = np.linalg.svd(sinusoidal_encoding(512, 512), compute_uv=False)
    energy = np.cumsum(singular**2) / np.sum(singular**2)
    assert int(np.argmax(energy >= 0.99)) + 1 == 109


def error_of_angles_in(angle_type, positions):
    """Return the greatest error that angles computed in a type make, at width 512."""
    angles = positions.astype(angle_type)[:, np.newaxis] * frequencies(512).astype(angle_type)
    exact = encode_positions(positions, 512, layout="halves")
    return np.abs(np.concatenate([np.sin(angles.astype(float)), np.cos(angles.astype(float))], axis=1) - exact).max()


@pytest.mark.parametrize(
    ("angle_type", "up_to", "printed"),
    [
        (np.float32, 100, 6.6e-6),
        (np.float32, 512, 3.0e-5),
        (np.float32, 5000, 3.9e-4),
        (np.float16, 100, 0.052),
        (np.float16, 512, 0.25),
        (np.float16, 5000, 2.0),
    ],
)
def test_angles_in_a_smaller_type_go_wrong_about_as_printed(angle_type, up_to, printed):
    """How much exactly depends on how the frequencies themselves were rounded: by power, by exp, or from float64."""
    assert error_of_angles_in(angle_type, np.arange(up_to)) == pytest.approx(printed, rel=0.15)


@pytest.mark.parametrize("up_to", [100, 512, 5000])
def test_angles_in_float64_and_one_cast_stay_within_3e8(up_to):
    """A float32 number just below 1 lies up to 2**-25 = 2.98e-8 from what it stands for."""
    table = sinusoidal_encoding(up_to, 512, dtype=np.float32)
    assert np.abs(table - encode_positions(np.arange(up_to), 512)).max() < 3e-8
