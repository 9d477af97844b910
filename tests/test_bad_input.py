"""Promise: a wrong argument is met at the door by one sentence that names it, says what came and what is allowed."""

import re
from fractions import Fraction

import numpy as np
import pytest

from pe_lib import (
    ROUTES,
    Explanation,
    _memory,
    add_positional_encoding,
    bit_periods,
    bits,
    bits_that_flip,
    distance,
    dot_product,
    dot_product_law,
    encode_positions,
    explain,
    first_rise,
    frequencies,
    place_values,
    shift_rotation,
    sinusoidal_encoding,
    wavelengths,
)
from pe_lib.examples import Example

NAN, INF = float("nan"), float("inf")

# a call that is right but for one argument, which is given by name
TAKES_D_MODEL = {
    "frequencies": lambda d_model: frequencies(d_model),
    "encode_positions": lambda d_model: encode_positions([0, 1], d_model),
    "sinusoidal_encoding": lambda d_model: sinusoidal_encoding(3, d_model),
    "shift_rotation": lambda d_model: shift_rotation(1, d_model),
    "explain": lambda d_model: explain(0, 0, d_model),
    "place_values": lambda d_model: place_values(d_model),
    "wavelengths": lambda d_model: wavelengths(d_model),
    "dot_product": lambda d_model: dot_product(1, d_model),
    "distance": lambda d_model: distance(1, d_model),
    "dot_product_law": lambda d_model: dot_product_law(1, d_model),
    "first_rise": lambda d_model: first_rise(d_model),
    **{name: lambda d_model, route=route: route(3, d_model) for name, route in ROUTES.items()},
}

TAKES_LENGTH = {
    "sinusoidal_encoding": lambda length: sinusoidal_encoding(length, 4),
    **{name: lambda length, route=route: route(length, 4) for name, route in ROUTES.items()},
}

TAKES_BASE = {
    "frequencies": lambda base: frequencies(6, base),
    "encode_positions": lambda base: encode_positions([0, 1], 6, base=base),
    "sinusoidal_encoding": lambda base: sinusoidal_encoding(3, 6, base=base),
    "add_positional_encoding": lambda base: add_positional_encoding(np.zeros((3, 6)), base=base),
    "shift_rotation": lambda base: shift_rotation(1, 6, base=base),
    "explain": lambda base: explain(1, 2, 6, base=base),
    "place_values": lambda base: place_values(6, base),
    "wavelengths": lambda base: wavelengths(6, base),
    "dot_product": lambda base: dot_product(1, 6, base),
    "distance": lambda base: distance(1, 6, base),
    "dot_product_law": lambda base: dot_product_law(1, 6, base),
    "first_rise": lambda base: first_rise(6, base),
    **{name: lambda base, route=route: route(3, 6, base) for name, route in ROUTES.items()},
}

TAKES_LAYOUT_AND_DTYPE = {
    "encode_positions": lambda **options: encode_positions([0, 1], 6, **options),
    "sinusoidal_encoding": lambda **options: sinusoidal_encoding(3, 6, **options),
}

TAKES_OFFSETS = {
    "dot_product": lambda offset: dot_product(offset, 6),
    "distance": lambda offset: distance(offset, 6),
    "dot_product_law": lambda offset: dot_product_law(offset, 6),
}

NO_INTEGERS = [2.0, 2.5, "4", None, True, np.True_, NAN, [4], (4,), 4j, Fraction(4), np.float64(4), np.array([4])]
NO_NUMBERS = ["10000", None, True, np.True_, 1j, [10_000.0], np.array([2.0])]


def the_sentence(call, kind, *parts):
    """Return what a call raises, after checking that it is one plain sentence holding all the parts."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert len(sentence) < 200
    assert re.search("must|takes .* of memory", sentence), sentence
    for part in parts:
        assert part in sentence
    return sentence


def came(value):
    """Return how a message shows a value: its repr, which may be cut short."""
    return repr(value)[:57]


def each(calls, values):
    return [pytest.param(call, value, id=f"{name}({value!r})") for name, call in calls.items() for value in values]


# ------------------------------------------------------------------ sizes


@pytest.mark.parametrize(("call", "value"), each(TAKES_D_MODEL, [0, -1, -512, np.int64(0)]))
def test_a_width_below_1_is_refused(call, value):
    the_sentence(lambda: call(value), ValueError, "d_model must be a positive integer, got", str(int(value)))


@pytest.mark.parametrize(("call", "value"), each(TAKES_D_MODEL, NO_INTEGERS))
def test_a_width_that_is_no_integer_is_refused(call, value):
    the_sentence(lambda: call(value), TypeError, "d_model must be a positive integer, got", came(value))


@pytest.mark.parametrize(("call", "value"), each(TAKES_LENGTH, [-1, -512, np.int8(-1)]))
def test_a_length_below_0_is_refused(call, value):
    the_sentence(lambda: call(value), ValueError, "length must be an integer of 0 or more, got", str(int(value)))


@pytest.mark.parametrize(("call", "value"), each(TAKES_LENGTH, NO_INTEGERS))
def test_a_length_that_is_no_integer_is_refused(call, value):
    the_sentence(lambda: call(value), TypeError, "length must be an integer of 0 or more, got", came(value))


@pytest.mark.parametrize("value", NO_INTEGERS)
def test_a_start_that_is_no_integer_is_refused(value):
    call = lambda: sinusoidal_encoding(3, 4, start=value)  # noqa: E731
    the_sentence(call, TypeError, "start must be an integer, got", came(value))


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1, 10**400])
def test_a_start_float64_cannot_count_is_refused(value):
    call = lambda: sinusoidal_encoding(3, 4, start=value)  # noqa: E731
    with pytest.raises(ValueError, match=r"^start must lie between -2\*\*53 and 2\*\*53, .* got -?\d+"):
        call()


def test_a_table_that_ends_beyond_what_float64_counts_is_refused():
    the_sentence(lambda: sinusoidal_encoding(3, 4, start=2**53 - 1), ValueError, "start + length must lie between")


@pytest.mark.parametrize(
    ("name", "call", "least"),
    [
        ("n_bits", bit_periods, 1),
        ("n_bits", lambda value: bits([0], value), 1),
        ("number", bits_that_flip, 0),
        ("up_to", lambda value: first_rise(6, up_to=value), 1),
        ("column", lambda value: explain(0, value, 6), 0),
    ],
    ids=["bit_periods", "bits", "bits_that_flip", "first_rise", "explain"],
)
def test_the_other_whole_numbers_are_checked_alike(name, call, least):
    for value in NO_INTEGERS:
        the_sentence(lambda value=value: call(value), TypeError, f"{name} must be a", came(value))
    the_sentence(lambda: call(least - 1), ValueError, f"{name} must be a", f"got {least - 1}")


# ------------------------------------------------------------------ base, layout, dtype


@pytest.mark.parametrize(("call", "value"), each(TAKES_BASE, [0, 0.0, -1, -10_000.0, NAN, INF, -INF, 5e-324]))
def test_a_base_that_is_not_above_0_and_finite_is_refused(call, value):
    the_sentence(lambda: call(value), ValueError, "base must be a finite number", "got", came(value))


@pytest.mark.parametrize(("call", "value"), each(TAKES_BASE, NO_NUMBERS))
def test_a_base_that_is_no_number_is_refused(call, value):
    the_sentence(lambda: call(value), TypeError, "base must be a number, got", came(value))


def test_a_base_too_large_for_a_float_is_refused():
    the_sentence(lambda: frequencies(6, 10**400), ValueError, "base must be a finite number, got inf")


@pytest.mark.parametrize("call", [dot_product_law], ids=["dot_product_law"])
@pytest.mark.parametrize("base", [1, 1.0, 0.5])
def test_a_base_of_1_or_less_has_no_logarithmic_law(call, base):
    the_sentence(lambda: call(1, 6, base), ValueError, "base must be above 1", f"got {float(base)}")


def test_a_base_so_small_that_angles_overflow_is_refused():
    for call in (
        lambda: sinusoidal_encoding(10, 64, base=1e-307, start=10**12),
        lambda: encode_positions(1e12, 64, base=1e-307),
    ):
        the_sentence(call, ValueError, "base must be larger", "got 1e-307")


@pytest.mark.parametrize(
    ("call", "layout"), each(TAKES_LAYOUT_AND_DTYPE, ["", "Interleaved", "half", "halves ", "concatenated"])
)
def test_an_unknown_layout_is_refused(call, layout):
    the_sentence(lambda: call(layout=layout), ValueError, "layout must be one of 'interleaved', 'halves'", came(layout))


@pytest.mark.parametrize(("call", "layout"), each(TAKES_LAYOUT_AND_DTYPE, [None, 0, True, ["halves"], b"halves"]))
def test_a_layout_that_is_no_text_is_refused(call, layout):
    the_sentence(lambda: call(layout=layout), TypeError, "layout must be one of 'interleaved', 'halves'", came(layout))


@pytest.mark.parametrize(
    ("call", "dtype"),
    each(TAKES_LAYOUT_AND_DTYPE, [int, "int64", bool, complex, np.complex64, object, str, "U3", np.longdouble]),
)
def test_a_type_that_is_not_one_of_the_three_is_refused(call, dtype):
    if np.dtype(dtype) == np.float64:
        pytest.skip("long double is double on this machine")
    the_sentence(lambda: call(dtype=dtype), ValueError, "dtype must be float16, float32 or float64, got", came(dtype))


@pytest.mark.parametrize(("call", "dtype"), each(TAKES_LAYOUT_AND_DTYPE, [None, "bfloat16", "half precision", 32]))
def test_what_is_no_type_is_refused(call, dtype):
    the_sentence(lambda: call(dtype=dtype), TypeError, "dtype must be float16, float32 or float64, got", came(dtype))


# ------------------------------------------------------------------ arrays

NO_REAL_ARRAYS = [
    pytest.param([[1j, 2]], "complex128", id="complex"),
    pytest.param(np.array([[1, None]], object), "object", id="object"),
    pytest.param([["1", "2"]], "<U1", id="text"),
    pytest.param([[True, False]], "bool", id="boolean"),
    pytest.param(np.array([["2020-01-01"]], "datetime64[D]"), "datetime64", id="dates"),
    pytest.param(None, "object", id="None"),
]

TAKES_ARRAY = {
    "positions": lambda values: encode_positions(values, 4),
    "x": lambda values: add_positional_encoding(values),
    "offset": lambda values: dot_product(values, 4),
    "numbers": lambda values: bits(values, 4),
}


@pytest.mark.parametrize(("values", "dtype"), NO_REAL_ARRAYS)
@pytest.mark.parametrize("name", TAKES_ARRAY)
def test_an_array_that_is_not_real_is_refused(name, values, dtype):
    call = TAKES_ARRAY[name]
    the_sentence(lambda: call(values), TypeError, f"{name} must be an array of real numbers, got dtype {dtype}")


@pytest.mark.parametrize("name", TAKES_ARRAY)
def test_rows_of_different_lengths_are_refused(name):
    call = TAKES_ARRAY[name]
    the_sentence(
        lambda: call([[1, 2], [3]]), TypeError, f"{name} must be an array of real numbers, got rows of different"
    )


@pytest.mark.parametrize("values", [NAN, [0, NAN], [INF, 1], [[0.0], [-INF]], 2.0**53 + 2, -1e300])
def test_positions_float64_cannot_count_are_refused(values):
    worst = next(x for x in np.ravel(values) if not abs(x) <= 2**53)
    the_sentence(lambda: encode_positions(values, 4), ValueError, "positions must be finite and lie", f"got {worst}")


@pytest.mark.parametrize(("call", "value"), each(TAKES_OFFSETS, [NAN, INF, -INF, [1.0, NAN]]))
def test_offsets_that_are_not_finite_are_refused(call, value):
    worst = next(x for x in np.ravel(value) if not np.isfinite(x))
    the_sentence(lambda: call(value), ValueError, "offset must be finite, got", f"{worst}")


@pytest.mark.parametrize("value", [0, -1, [1, 0], [3.0, -0.5]])
def test_offsets_without_a_logarithm_are_refused_by_the_law(value):
    the_sentence(
        lambda: dot_product_law(value, 6), ValueError, "offset must be above 0 for the law", f"got {np.min(value)}"
    )


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_an_offset_to_rotate_by_must_be_a_number(value):
    the_sentence(lambda: shift_rotation(value, 4), TypeError, "offset must be a number, got", came(value))


@pytest.mark.parametrize("value", [NAN, INF])
def test_an_offset_to_rotate_by_must_be_finite(value):
    the_sentence(lambda: shift_rotation(value, 4), ValueError, f"offset must be a finite number, got {value}")


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_a_position_to_explain_must_be_a_number(value):
    the_sentence(lambda: explain(value, 0, 4), TypeError, "position must be a number, got", came(value))


@pytest.mark.parametrize("value", [NAN, INF])
def test_a_position_to_explain_must_be_finite(value):
    the_sentence(lambda: explain(value, 0, 4), ValueError, f"position must be a finite number, got {value}")


@pytest.mark.parametrize("value", [2.0**53 + 2, -(2.0**60)])
@pytest.mark.parametrize(
    ("name", "call"),
    [("position", lambda value: explain(value, 0, 4)), ("offset", lambda value: shift_rotation(value, 4))],
    ids=["explain", "shift_rotation"],
)
def test_a_lone_position_or_offset_beyond_what_float64_counts_is_refused(name, call, value):
    the_sentence(lambda: call(value), ValueError, f"{name} must", "2**53", f"got {value}")


@pytest.mark.parametrize(("column", "d_model"), [(6, 6), (1, 1), (512, 4), (10**30, 6)])
def test_a_column_beyond_the_width_cannot_be_explained(column, d_model):
    the_sentence(
        lambda: explain(0, column, d_model),
        ValueError,
        f"column must lie between 0 and {d_model - 1} for d_model {d_model}, got {column}",
    )


@pytest.mark.parametrize("shape", [(), (4,), (2, 2, 2, 2)])
def test_embeddings_of_another_rank_are_refused(shape):
    the_sentence(
        lambda: add_positional_encoding(np.zeros(shape)),
        ValueError,
        "x must have shape (L, d_model) or (B, L, d_model), d_model above 0, got shape",
        str(shape),
    )


@pytest.mark.parametrize("shape", [(3, 0), (2, 3, 0)])
def test_embeddings_without_a_width_are_refused(shape):
    the_sentence(
        lambda: add_positional_encoding(np.zeros(shape)),
        ValueError,
        "x must have",
        "d_model above 0",
        f"got shape {shape}",
    )


@pytest.mark.parametrize("scale", [1, 0, 2.0, "yes", None, [True]])
def test_a_scale_that_is_not_true_or_false_is_refused(scale):
    the_sentence(
        lambda: add_positional_encoding(np.zeros((3, 4)), scale=scale),
        TypeError,
        "scale must be True or False, got",
        came(scale),
    )


# ------------------------------------------------------------------ masks


@pytest.mark.parametrize(
    ("x_shape", "mask_shape"),
    [
        ((3, 4), ()),
        ((3, 4), (4,)),
        ((3, 4), (3, 4)),
        ((3, 4), (1, 3)),
        ((2, 3, 4), (3,)),
        ((2, 3, 4), (2,)),
        ((2, 3, 4), (1, 3)),
        ((2, 3, 4), (3, 2)),
        ((2, 3, 4), (2, 3, 1)),
        ((2, 3, 4), (2, 1, 3)),
        ((3, 3, 4), (3,)),
    ],
)
def test_a_mask_of_another_shape_is_refused(x_shape, mask_shape):
    the_sentence(
        lambda: add_positional_encoding(np.zeros(x_shape), mask=np.ones(mask_shape)),
        ValueError,
        f"mask must have shape {x_shape[:-1]}",
        f"got shape {mask_shape}",
    )


@pytest.mark.parametrize("value", [2, -1, 0.5, NAN, INF, 255])
def test_a_mask_of_other_values_than_0_and_1_is_refused(value):
    the_sentence(
        lambda: add_positional_encoding(np.zeros((3, 4)), mask=[1, value, 0]),
        ValueError,
        f"mask must hold only 0 (padding) and 1 (token), got {value}",
    )


@pytest.mark.parametrize("mask", [["1", "1", "0"], "110", [1, 1j, 0], [1, None, 0]])
def test_a_mask_of_text_and_the_like_is_refused(mask):
    the_sentence(
        lambda: add_positional_encoding(np.zeros((3, 4)), mask=mask), TypeError, "mask must hold 0 and 1, got dtype"
    )


def test_a_ragged_mask_is_refused():
    the_sentence(lambda: add_positional_encoding(np.zeros((2, 3, 4)), mask=[[1, 1, 0], [1]]), TypeError, "mask must")


# ------------------------------------------------------------------ odd widths where pairs are needed

NEEDS_PAIRS = {
    name: TAKES_D_MODEL[name] for name in ("shift_rotation", "dot_product", "distance", "dot_product_law", "first_rise")
}


@pytest.mark.parametrize(("call", "value"), each(NEEDS_PAIRS, [1, 5, 511]))
def test_an_odd_width_is_refused_where_every_sine_needs_its_cosine(call, value):
    the_sentence(lambda: call(value), ValueError, f"d_model must be even, got {value}: ", "cosine")


# ------------------------------------------------------------------ bits


@pytest.mark.parametrize(("numbers", "n_bits", "worst"), [([16], 4, 16), ([0, 2], 1, 2), (-1, 4, -1), ([3, -7], 4, -7)])
def test_numbers_that_do_not_fit_the_bits_are_refused(numbers, n_bits, worst):
    the_sentence(
        lambda: bits(numbers, n_bits),
        ValueError,
        f"numbers must lie between 0 and {2**n_bits - 1} to fit in {n_bits} bits, got {worst}",
    )


@pytest.mark.parametrize("numbers", [1.0, [0.5], [NAN]])
def test_numbers_that_are_not_whole_have_no_bits(numbers):
    the_sentence(lambda: bits(numbers, 4), TypeError, "numbers must be integers, got dtype float64")


@pytest.mark.parametrize("call", [bit_periods, lambda n_bits: bits([0], n_bits)], ids=["bit_periods", "bits"])
def test_more_bits_than_an_integer_has_are_refused(call):
    the_sentence(lambda: call(63), ValueError, "n_bits must be at most 62, got 63")


# ------------------------------------------------------------------ memory


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sinusoidal_encoding(10**9, 10**6), ["1000000000 × 1000000 float64", "7,276 TiB"]),
        (lambda: sinusoidal_encoding(10**9, 10**6, dtype="f2"), ["float16", "1,819 TiB"]),
        (lambda: sinusoidal_encoding(10**6, 10**9), ["1000000 × 1000000000 float64"]),
        (lambda: sinusoidal_encoding(2**52, 2**20), ["4503599627370496 × 1048576 float64"]),
        (lambda: encode_positions(np.zeros((1000, 1000)), 10**9), ["1000 × 1000 × 1000000000 float64"]),
        (lambda: frequencies(10**18), ["500000000000000000 float64"]),
        (lambda: wavelengths(10**18), ["500000000000000000 float64"]),
        (lambda: shift_rotation(1, 10**8), ["100000000 × 100000000 float64"]),
        *((lambda route=route: route(10**9, 10**6), ["1000000000 × 1000000 float64"]) for route in ROUTES.values()),
    ],
)
def test_a_table_larger_than_the_memory_says_how_large_it_would_be(monkeypatch, call, words):
    monkeypatch.setattr(_memory.np, "empty", refuse_large(np.empty))
    the_sentence(call, ValueError, "a table of ", " of memory", "ask for fewer rows or columns", *words)


def test_a_table_as_large_as_the_memory_is_made_and_a_larger_one_refused(monkeypatch):
    monkeypatch.setattr(_memory, "_memory", lambda: 2**20)
    assert sinusoidal_encoding(2**15, 4).nbytes == 2**20
    the_sentence(lambda: sinusoidal_encoding(2**15 + 1, 4), ValueError, "32769 × 4", "there is 1 MiB")


def test_what_a_hub_allows_a_student_is_the_memory_there_is(monkeypatch):
    monkeypatch.setenv("MEM_LIMIT", str(2**20))
    assert _memory._memory.__wrapped__() == 2**20


def refuse_large(real):
    """Return np.empty as it is, but for arrays of more than 100 MB, which no test of a refusal should ask for."""

    def empty(shape, *args, **kwargs):
        made = real(0, *args, **kwargs)
        assert np.prod(np.atleast_1d(shape).astype(float)) * made.itemsize < 1e8
        return real(shape, *args, **kwargs)

    return empty


def test_a_table_refused_by_the_system_says_how_large_it_would_be(monkeypatch):
    def none_left(*_):
        raise MemoryError

    monkeypatch.setattr(_memory.np, "empty", none_left)
    the_sentence(lambda: sinusoidal_encoding(1024, 1024), ValueError, "takes", "of memory, more than is free here")


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (10_240_000, "9.766 MiB"), (2**40, "1 TiB")],
)
def test_sizes_are_written_in_the_unit_that_suits_them(size, words):
    assert _memory._in_words(size) == words


# ------------------------------------------------------------------ examples


def test_an_example_whose_tokens_do_not_name_its_rows_is_refused():
    the_sentence(lambda: Example("two", ("a", "b", "c"), np.zeros((2, 4))), ValueError, "tokens must name each row")


def test_an_example_with_another_sentences_mask_is_refused():
    the_sentence(lambda: Example("two", ("a", "b"), np.zeros((2, 4)), mask=[1]), ValueError, "mask must have shape")


# ------------------------------------------------------------------ a failed call loses nothing


def test_a_failed_sum_leaves_its_inputs_as_they_were():
    x, mask = np.ones((3, 4), np.float32), np.array([1, 1, 2])
    with pytest.raises(ValueError, match="mask"):
        add_positional_encoding(x, mask=mask, scale=True)
    assert np.array_equal(x, np.ones((3, 4)))
    assert mask.tolist() == [1, 1, 2]


def test_failed_positions_and_numbers_are_left_as_they_were():
    positions, numbers = np.array([1.0, NAN]), np.array([1, 16])
    with pytest.raises(ValueError, match="positions"):
        encode_positions(positions, 4)
    with pytest.raises(ValueError, match="numbers"):
        bits(numbers, 4)
    assert np.array_equal(positions, [1.0, NAN], equal_nan=True)
    assert numbers.tolist() == [1, 16]


def test_the_next_call_after_a_failed_one_is_right():
    with pytest.raises(ValueError, match="d_model"):
        sinusoidal_encoding(3, 0)
    assert sinusoidal_encoding(1, 4).tolist() == [[0, 1, 0, 1]]


def test_an_explanation_cannot_be_changed_by_accident():
    found = explain(2, 3, 6)
    with pytest.raises(AttributeError, match="value"):
        found.value = 0.0
    assert isinstance(found, Explanation)


def test_a_long_value_is_cut_short_in_the_message():
    sentence = the_sentence(lambda: frequencies("x" * 1000), TypeError, "d_model must be", "...")
    assert len(sentence) < 120
