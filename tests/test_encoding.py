"""Promise: the encoding is right to the stated error at any position, width, base, layout and type."""

import functools
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
    frequencies,
    shift_rotation,
    sinusoidal_encoding,
    wavelengths,
)

WIDTHS = (1, 2, 5, 64, 511, 512)
BASES = (10_000.0, 2.0, 1.0, 0.5, 1e8)
DTYPES = (np.float16, np.float32, np.float64)
BOUNDS = {np.float64: 1e-9, np.float32: 3.1e-8, np.float16: 2.5e-4}  # as the docstring says


@functools.cache
def divisors(d_model, base):
    """Return base**(2i/d_model) for every pair, to 50 digits."""
    with mpmath.workdps(50):
        return [mpmath.mpf(base) ** (mpmath.mpf(2 * i) / d_model) for i in range((d_model + 1) // 2)]


@functools.cache
def exact_row(position, d_model, base):
    """Return one row of the encoding, computed to 50 digits and rounded once."""
    with mpmath.workdps(50):
        angles = [mpmath.mpf(position) / divisor for divisor in divisors(d_model, base)]
        return np.array([float((mpmath.cos if j % 2 else mpmath.sin)(angles[j // 2])) for j in range(d_model)])


def greatest_error(rows, positions, d_model, base=10_000.0):
    """Return how far rows are from the exact ones at their worst."""
    pairs = zip(rows.astype(np.float64), positions, strict=True)
    return max(np.abs(row - exact_row(position, d_model, float(base))).max() for row, position in pairs)


def the_same(a, b):
    """Say whether two arrays are the same bit for bit, signs of zeros included."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def halves_of(table):
    """Return the columns of an interleaved table, sines first."""
    return np.concatenate([table[..., 0::2], table[..., 1::2]], axis=-1)


# ------------------------------------------------------------------ against 50 digits


@pytest.mark.parametrize("d_model", WIDTHS)
@pytest.mark.parametrize("base", BASES)
def test_frequencies_are_right_to_float64(d_model, base):
    exact = np.array([float(1 / divisor) for divisor in divisors(d_model, base)])
    assert frequencies(d_model, base) == pytest.approx(exact, rel=1e-14, abs=0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("d_model", WIDTHS)
@pytest.mark.parametrize("start", [0, 999_936, -1_000_000])
def test_the_table_is_right_at_the_borders_of_its_blocks(start, d_model, dtype):
    rows = [0, 1, 31, 63, 64, 65, 127, 128, 199]
    table = sinusoidal_encoding(200, d_model, start=start, dtype=dtype)
    assert (table.shape, table.dtype) == ((200, d_model), dtype)
    assert greatest_error(table[rows], [start + row for row in rows], d_model) <= BOUNDS[dtype]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("d_model", WIDTHS)
def test_any_real_position_is_encoded_right(d_model, dtype):
    positions = [0.0, 0.5, -0.5, 1 / 3, -1.0, -512.125, 98765.4321, 1e6, -1e6]
    rows = encode_positions(positions, d_model, dtype=dtype)
    assert rows.dtype == dtype
    assert greatest_error(rows, positions, d_model) <= BOUNDS[dtype]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("d_model", [5, 64])
def test_any_base_is_taken(base, d_model):
    positions = [0, 1, 63, 64, 899]
    table = sinusoidal_encoding(900, d_model, base=base)
    assert greatest_error(table[positions], positions, d_model, base) < 1e-9
    assert greatest_error(encode_positions(positions, d_model, base=base), positions, d_model, base) < 1e-9


def test_beyond_1e6_the_error_grows_as_the_docstring_says():
    for position in (10**7, 10**9, 10**12):
        assert greatest_error(sinusoidal_encoding(1, 64, start=position), [position], 64) < 2e-16 * position * 2


# ------------------------------------------------------------------ shapes, layouts, types, starts


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3)])
def test_positions_of_any_shape_get_one_more_axis(shape):
    positions = np.arange(math.prod(shape)).reshape(shape)
    rows = encode_positions(positions, 5)
    assert rows.shape == (*shape, 5)
    assert the_same(rows.reshape(-1, 5), encode_positions(positions.ravel(), 5))


@pytest.mark.parametrize("dtype", ["float32", np.float32, np.dtype("float32"), "f4"])
def test_a_type_may_be_named_in_any_of_numpys_ways(dtype):
    assert the_same(sinusoidal_encoding(3, 4, dtype=dtype), sinusoidal_encoding(3, 4, dtype=np.float32))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("d_model", [1, 2, 5, 6])
def test_halves_is_a_permutation_of_the_columns(d_model, dtype):
    both = {"d_model": d_model, "dtype": dtype}
    table = sinusoidal_encoding(100, **both)
    assert the_same(sinusoidal_encoding(100, layout="halves", **both), halves_of(table))
    positions = [[0, -1, 2.5], [100, 1e6, 0.1]]
    assert the_same(
        encode_positions(positions, layout="halves", **both), halves_of(encode_positions(positions, **both))
    )


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("d_model", [7, 64])
def test_a_smaller_type_is_the_float64_table_cast_once(d_model, dtype):
    table = sinusoidal_encoding(1100, d_model, start=-20)
    assert the_same(sinusoidal_encoding(1100, d_model, start=-20, dtype=dtype), table.astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("d_model", [1, 2, 5, 6, 513])
def test_a_position_has_the_same_bits_in_every_table(d_model, layout, dtype):
    whole = sinusoidal_encoding(400, d_model, start=-200, layout=layout, dtype=dtype)
    for start in (-200, -129, -128, -65, -64, -63, -1, 0, 1, 5, 63, 64, 65):
        for length in (0, 1, 2, 63, 64, 65, 130):
            part = sinusoidal_encoding(length, d_model, start=start, layout=layout, dtype=dtype)
            assert the_same(part, whole[start + 200 :][:length]), (start, length)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("start", [0, -3, -64])
def test_row_0_is_exactly_0_1_0_1(start, dtype):
    for row in (
        sinusoidal_encoding(1 - start, 7, start=start, dtype=dtype)[-start],
        sinusoidal_encoding(100, 7, start=start, dtype=dtype)[-start],
        encode_positions(0, 7, dtype=dtype),
    ):
        assert row.tolist() == [0, 1, 0, 1, 0, 1, 0]
        assert not np.signbit(row).any()


def test_a_table_is_the_callers_own():
    first = sinusoidal_encoding(3, 5)
    first[:] = 7
    assert first.flags.c_contiguous
    assert sinusoidal_encoding(3, 4)[0].tolist() == [0, 1, 0, 1]


# ------------------------------------------------------------------ a shift is a rotation


def test_a_shift_is_good_to_4_5e13_up_to_position_2000():
    table = sinusoidal_encoding(3000, 512)
    for k in (1, 10, 100, 500, 1000):
        assert np.abs(table[:2000] @ shift_rotation(k, 512).T - table[k : k + 2000]).max() < 4.5e-13


def test_a_shift_takes_the_base_and_a_shift_by_nothing_changes_nothing():
    moved = shift_rotation(2.5, 6, base=50) @ encode_positions(3, 6, base=50)
    assert np.allclose(moved, encode_positions(5.5, 6, base=50), rtol=0, atol=1e-15)
    assert np.array_equal(shift_rotation(0, 6), np.eye(6))


# ------------------------------------------------------------------ the sum with the embeddings


@pytest.mark.parametrize(
    ("given", "returned"),
    [
        (np.float16, np.float16),
        (np.float32, np.float32),
        (np.float64, np.float64),
        (np.int8, float),
        (np.uint16, float),
    ],
)
@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (4, 4, 6), (3, 5), (3, 1), (2, 0, 4)])
@pytest.mark.parametrize("scale", [False, True])
def test_the_sum_is_computed_in_float64_and_cast_last(shape, given, returned, scale):
    x = (np.arange(math.prod(shape)) % 7).reshape(shape).astype(given)
    before = x.copy()
    total = add_positional_encoding(x, scale=scale)
    expected = x.astype(np.float64) * (math.sqrt(shape[-1]) if scale else 1.0) + sinusoidal_encoding(*shape[-2:])
    assert the_same(total, expected.astype(returned))
    assert the_same(x, before)
    assert not np.shares_memory(total, x)


@pytest.mark.parametrize("mask_type", [bool, np.int64, np.float32, list])
def test_every_sequence_has_its_own_mask(mask_type):
    x = np.ones((3, 3, 4))
    mask = [[1, 1, 0], [1, 1, 1], [0, 0, 0]]
    total = add_positional_encoding(x, mask=mask if mask_type is list else np.array(mask, mask_type))
    assert the_same(total, x + np.where(np.array(mask)[..., np.newaxis] == 1, sinusoidal_encoding(3, 4), 0.0))
    assert the_same(add_positional_encoding(x[0], mask=mask[0]), total[0])


def test_no_negative_zero_comes_to_a_masked_place():
    total = add_positional_encoding(np.zeros((40, 16)), mask=np.zeros(40))
    assert not total.any()
    assert not np.signbit(total).any()


def test_scale_multiplies_the_embeddings_and_not_the_encoding():
    x = np.full((3, 16), 0.25)
    assert np.array_equal(add_positional_encoding(x, scale=True), 1.0 + sinusoidal_encoding(3, 16))


def test_the_sum_takes_the_base():
    assert np.array_equal(add_positional_encoding(np.zeros((3, 6)), base=2), sinusoidal_encoding(3, 6, base=2))


# ------------------------------------------------------------------ the facts, to their printed digits

PRINTED = [
    (lambda: dot_product([1, 10, 100, 1000, 18469], 512), "249.10 173.79 111.95 44.97 -37.90", ".2f"),
    (lambda: dot_product(range(6), 6), "3.0000 2.5392 1.5795 1.0003 1.3291 2.2568", ".4f"),
    (lambda: dot_product([43, 44], 512), "134.7587 134.7704", ".4f"),
    (lambda: distance([44, 710], 2), "1.77e-02 6.03e-05", ".2e"),
    (lambda: distance([6, 84823], 4), "0.2885 0.0016", ".4f"),
    (lambda: distance([63, 169646], 8), "0.6453 0.0033", ".4f"),
    (lambda: distance([1, 596274], 16), "1.0147 0.9220", ".4f"),
    (lambda: distance([1, 62832], 512), "3.71 23.36", ".2f"),
    (lambda: dot_product_law([100, 1000], 512), "111.96 47.96", ".2f"),
    (
        lambda: [
            np.flatnonzero(np.diff(dot_product(range(300), d)) > 0)[0]
            for d in (2, 16, 32, 64, 128, 256, 512, 768, 1024, 2048, 4096)
        ],
        "3 3 4 5 11 24 43 43 68 131 244",
        "d",
    ),
    (lambda: [np.count_nonzero(np.diff(dot_product(np.arange(513), 512)) > 0)], "202", "d"),
    (lambda: [np.argmax(dot_product(np.arange(20_001), 512) < 0)], "3284", "d"),
    (lambda: [np.argmin(dot_product(np.arange(20_001), 512))], "18469", "d"),
    (lambda: [np.count_nonzero(wavelengths(512) > 5000)], "70", "d"),
    (lambda: [np.count_nonzero(sinusoidal_encoding(512, 512).std(axis=0) < 0.05)], "101", "d"),
]


@pytest.mark.parametrize(("computed", "printed", "form"), PRINTED, ids=[printed for _, printed, _ in PRINTED])
def test_a_fact_is_as_printed(computed, printed, form):
    assert [format(number, form) for number in computed()] == printed.split()


@pytest.mark.parametrize("offset", [30, 100, 1000])
def test_the_dot_product_swings_around_the_law(offset):
    around = np.arange(offset, 2 * offset)
    assert abs(np.mean(dot_product(around, 4096) - dot_product_law(around, 4096))) < 0.01 * 2048


@pytest.mark.parametrize("offset", [1e-12, 1e-7, 1e-3])
def test_a_tiny_distance_loses_no_digits(offset):
    assert distance(offset, 4) == pytest.approx(offset * math.sqrt(1 + 1e-4), rel=1e-6)


def test_99_percent_of_the_energy_lies_in_109_directions():
    energy = np.cumsum(np.linalg.svd(sinusoidal_encoding(512, 512), compute_uv=False) ** 2)
    assert int(np.argmax(energy >= 0.99 * energy[-1])) + 1 == 109


@pytest.mark.parametrize(
    ("angle_type", "up_to", "printed"),
    [
        (np.float32, 512, 3.0e-5),
        (np.float32, 5000, 3.9e-4),
        (np.float16, 100, 0.052),
        (np.float16, 512, 0.25),
        (np.float16, 5000, 2.0),
    ],
)
def test_angles_in_a_smaller_type_go_wrong_about_as_printed(angle_type, up_to, printed):
    """How much exactly depends on how the frequencies themselves were rounded: by power, by exp, or from float64."""
    positions = np.arange(up_to)
    angles = (positions.astype(angle_type)[:, np.newaxis] * frequencies(512).astype(angle_type)).astype(float)
    rows = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    assert np.abs(rows - encode_positions(positions, 512, layout="halves")).max() == pytest.approx(printed, rel=0.15)
