"""Promise: whatever it is given, the diagnosis answers in clear sentences, invents no cause and changes nothing."""

import itertools
import math
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pe_lib import diagnose, diagnose_sum, encode_positions, sinusoidal_encoding

steady = settings(deadline=None, max_examples=20)

# What may be said of a matrix that nobody made as an encoding.
NO_CAUSE = {
    "not-an-encoding",
    "other-encoding",
    "not-finite",
    "wrong-shape",
    "too-small",
    "same-row",
    "integers",
    "row-zeroed",
}


def check_the_answer(found, shape):
    """Check what holds for every answer: it is made of sentences that name what they speak of."""
    assert isinstance(found.ok, bool)
    for finding in found.findings:
        assert finding.kind in ("mistake", "variant", "undecided", "note")
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", finding.code)
        assert finding.message.strip() == finding.message != ""
        assert re.match(r"[^a-z]|[xy] ", finding.message), finding.message
        assert finding.message.endswith((".", "?", ")", "…")), finding.message
        assert not re.search(r"\bnan\b|\bNone\b|\binf\b", finding.message) or finding.code == "not-finite", (
            finding.message
        )
        if finding.column is not None:
            assert 0 <= finding.column < max(shape)
        if finding.row is not None:
            assert 0 <= finding.row < max(shape)
        if finding.code in ("column-wrong", "cell-wrong", "not-finite"):
            assert re.search(rf"\b[Cc]olumn {finding.column}\b", finding.message), finding.message
        if finding.code in ("row-wrong", "cell-wrong", "not-finite"):
            assert re.search(rf"\b[Rr]ow {finding.row}\b", finding.message), finding.message
    if any(finding.kind == "mistake" for finding in found.findings):
        assert not found.ok
    assert str(found).strip()
    assert not re.search(r"\bNone\b", str(found)), str(found)


def answer_for(matrix):
    """Diagnose a matrix with warnings as errors, and check what holds for every answer."""
    before = np.array(matrix, copy=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = diagnose(matrix)
    check_the_answer(found, np.shape(matrix))
    assert np.array_equal(before, np.asarray(matrix), equal_nan=before.dtype.kind == "f")
    return found


# ------------------------------------------------------------------ right ones

bases = st.one_of(st.just(10_000.0), st.floats(2, 1e6))
starts = st.one_of(st.integers(-2000, 2000), st.integers(-(10**6), 10**6))


@steady
@given(
    st.integers(1, 30),
    st.integers(1, 30),
    st.integers(0, 3),
    st.sampled_from([np.float16, np.float32, np.float64]),
    st.randoms(use_true_random=False),
    st.sampled_from([0.05, -0.1, 0.5, 2.0]),
)
def test_a_table_with_one_wrong_number_is_never_called_right(length, d_model, start, dtype, random, by):
    table = sinusoidal_encoding(length, d_model, start=start, dtype=dtype)
    table[random.randrange(length), random.randrange(d_model)] += by
    assert not diagnose(table).ok


def test_digits_lost_in_two_columns_are_seen():
    table = sinusoidal_encoding(300, 2, dtype=np.float32)
    table[5, 0] += 3e-7
    assert diagnose(table).codes[0] == "low-precision"


@steady
@given(
    st.integers(1, 80),
    st.integers(1, 80),
    starts,
    bases,
    st.sampled_from(["interleaved", "halves"]),
    st.sampled_from([np.float16, np.float32, np.float64]),
)
def test_a_right_table_is_never_accused(length, d_model, start, base, layout, dtype):
    table = sinusoidal_encoding(length, d_model, start=start, base=base, layout=layout, dtype=dtype)
    found = diagnose(table, base=base)
    check_the_answer(found, table.shape)
    accused = {finding.code for finding in found.findings if finding.kind == "mistake"}
    assert accused <= ({"start"} if start else set()), (accused, found)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize(
    ("length", "d_model", "start", "base", "layout"),
    [
        (50, 58, 982_376, 2.0, "interleaved"),
        (6, 59, -913_541, 8.0, "interleaved"),
        (40, 15, -934_327, 12.0, "halves"),
        (9, 12, 986_190, 3.0, "halves"),
        (3, 7, 907_013, 171_467.4, "interleaved"),
        (45, 7, 660_431, 1e4, "halves"),
    ],
)
def test_a_right_table_in_which_every_hand_has_come_round_is_told_its_start(
    length, d_model, start, base, layout, dtype
):
    table = sinusoidal_encoding(length, d_model, start=start, base=base, layout=layout, dtype=dtype)
    found = diagnose(table, base=base)
    assert found.codes == ("start", "halves")[: 1 + (layout == "halves")], found
    assert f"np.arange({start}, length " in found.recipe


@pytest.mark.parametrize("d_model", range(1, 9))
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_small_right_table_is_right_or_too_small(d_model, dtype):
    for length, layout in itertools.product(range(1, 6), ("interleaved", "halves")):
        found = answer_for(sinusoidal_encoding(length, d_model, layout=layout, dtype=dtype))
        said = {finding.code for finding in found.findings}
        assert said <= {"too-small"} | ({"halves"} if layout == "halves" and d_model > 2 else set()), found


@pytest.mark.parametrize("d_model", [4, 6, 16])
def test_the_worked_examples_of_the_notebooks_are_right(d_model):
    for length in (3, 4, 10):
        assert diagnose(sinusoidal_encoding(length, d_model)).ok


# ------------------------------------------------------------------ what is no encoding

numbers = st.floats(allow_nan=True, allow_infinity=True, width=64)
shapes = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9)


@steady
@given(hnp.arrays(np.float64, shapes, elements=numbers))
def test_any_numbers_get_a_clear_answer(matrix):
    found = answer_for(matrix)
    if not np.isfinite(matrix).all():
        assert "not-finite" in {finding.code for finding in found.findings}
        assert not found.ok


@steady
@given(hnp.arrays(st.sampled_from([np.int8, np.uint8, np.int64, np.float16, np.float32]), shapes))
def test_any_type_of_real_numbers_gets_a_clear_answer(matrix):
    answer_for(matrix)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("spread", [1e-3, 1.0, 50.0])
def test_noise_is_no_encoding_and_has_no_invented_cause(seed, spread):
    rng = np.random.default_rng(seed)
    length, d_model = rng.integers(4, 40, 2)
    for matrix in (rng.normal(0, spread, (length, d_model)), rng.uniform(-spread, spread, (length, d_model))):
        found = answer_for(matrix)
        assert not found.ok
        assert {finding.code for finding in found.findings} <= NO_CAUSE, found


STRANGE = {
    "zeros": np.zeros((5, 6)),
    "ones": np.ones((5, 6)),
    "constant": np.full((5, 6), 0.3),
    "huge": np.full((5, 6), 1e300) * np.arange(1, 31).reshape(5, 6),
    "huge with signs": 1e300 * np.random.default_rng(0).normal(size=(8, 8)),
    "the largest float": np.full((5, 6), np.finfo(float).max),
    "subnormal": np.full((5, 6), 5e-324),
    "subnormal noise": np.random.default_rng(0).integers(-9, 9, (6, 8)) * 5e-324,
    "counting": np.arange(30).reshape(5, 6),
    "identity": np.eye(6),
    "first column alone set": np.outer(np.arange(6), [1, 0, 0, 0]),
    "alternating": np.indices((6, 6)).sum(0) % 2,
    "negative zeros": -np.zeros((4, 4)),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_matrix_is_not_called_right_and_has_no_invented_cause(name):
    found = answer_for(STRANGE[name])
    assert not found.ok
    assert {finding.code for finding in found.findings} <= NO_CAUSE | {"scale"}, found


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_not_finite_is_shown_with_its_place(value):
    for row, column in [(0, 0), (3, 2), (8, 5)]:
        table = sinusoidal_encoding(9, 6)
        table[row, column] = value
        found = answer_for(table)
        (finding,) = [finding for finding in found.findings if finding.code == "not-finite"]
        assert (finding.row, finding.column) == (row, column)


@pytest.mark.parametrize("shape", [(), (4,), (0,), (0, 4), (4, 0), (0, 0), (2, 3, 4), (1, 2, 3, 4)])
def test_what_is_not_a_matrix_is_told_its_shape(shape):
    for matrix in (np.zeros(shape), np.ones(shape, np.float32)):
        found = answer_for(matrix)
        assert not found.ok
        assert {finding.code for finding in found.findings} <= {"wrong-shape", "too-small"}
        assert found.findings


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (1, 2), (2, 1), (2, 2), (1, 64), (64, 1)])
def test_one_row_or_one_column_gets_an_answer(shape):
    rng = np.random.default_rng(0)
    answer_for(np.zeros(shape))
    answer_for(sinusoidal_encoding(*shape))
    assert not answer_for(rng.normal(0, 3, shape) + 2).ok


@pytest.mark.parametrize(
    "matrix",
    [
        [[1j, 2], [3, 4]],
        [["a", "b"], ["c", "d"]],
        "matrix",
        b"matrix",
        [[True, False], [False, True]],
        np.array([[1, None], [2, 3]], object),
        np.array([["2020-01-01"]], "datetime64[D]"),
        None,
        ...,
        {},
        {1, 2},
        [[1, 2], [3]],
        [[1, 2], [3, "4"]],
        math.sin,
        np.array([(1, 2)], dtype=[("a", int), ("b", int)]),
    ],
    ids=str,
)
def test_what_holds_no_real_numbers_is_refused_by_a_sentence(matrix):
    with pytest.raises((TypeError, ValueError)) as caught:
        diagnose(matrix)
    assert len(str(caught.value)) < 200
    assert "matrix" in str(caught.value)


@pytest.mark.parametrize("base", [0, -1.0, np.nan, np.inf, "10000", None, True])
def test_a_base_that_is_none_is_refused(base):
    with pytest.raises((TypeError, ValueError), match="base must be"):
        diagnose(sinusoidal_encoding(4, 6), base=base)
    with pytest.raises((TypeError, ValueError), match="base must be"):
        diagnose_sum(np.zeros((4, 6)), np.ones((4, 6)), base=base)


# ------------------------------------------------------------------ how it is held does not matter


def same(found, other):
    return str(found) == str(other) and found.findings == other.findings


@pytest.mark.parametrize("wrong", [False, True])
def test_the_answer_is_the_same_however_the_numbers_are_held(wrong):
    table = encode_positions(np.arange(20), 12, base=1000.0 if wrong else 10_000.0)
    expected = diagnose(table)
    read_only = table.copy()
    read_only.flags.writeable = False
    wide = np.zeros((40, 36))
    wide[::2, ::3] = table
    for held in (
        table.tolist(),
        tuple(map(tuple, table.tolist())),
        read_only,
        np.asfortranarray(table),
        wide[::2, ::3],
        table[::-1][::-1],
        table.astype(">f8"),
        np.ma.masked_array(table),
        table.view(np.matrix) if hasattr(np, "matrix") else table,
    ):
        found = answer_for(held)
        assert same(found, expected), type(held)


def test_masked_numbers_get_an_answer_or_are_refused():
    masked = np.ma.masked_array(sinusoidal_encoding(6, 6), mask=np.eye(6, dtype=bool))
    try:
        found = diagnose(masked)
    except (TypeError, ValueError) as refused:
        assert "mask" in str(refused)  # noqa: PT017
    else:
        check_the_answer(found, masked.shape)


@steady
@given(hnp.arrays(np.float64, shapes, elements=st.floats(-2, 2)))
def test_the_same_matrix_gets_the_same_answer(matrix):
    assert same(diagnose(matrix), diagnose(matrix.copy()))


# ------------------------------------------------------------------ acting on the advice


@steady
@given(
    st.integers(8, 40),
    st.integers(4, 24).map(lambda pairs: 2 * pairs),
    st.integers(-50, 50),
    st.floats(60, 9e6),
    st.sampled_from(["interleaved", "halves"]),
    st.sampled_from([0.1, 0.5, 1.0, 2.0, 10.0]),
)
def test_what_is_recovered_makes_the_table_again(length, d_model, start, base, layout, scale):
    table = scale * sinusoidal_encoding(length, d_model, start=start, base=base, layout=layout)
    found = diagnose(table)
    base = found.base ** (d_model / (d_model - 2)) if "timescales" in found.codes else found.base  # where both are one
    again = found.scale * sinusoidal_encoding(length, d_model, start=int(found.start), base=base, layout=found.layout)
    assert np.allclose(again, table, rtol=0, atol=1e-6 * scale)


# ------------------------------------------------------------------ sums


@steady
@given(
    hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=6), elements=numbers),
    st.randoms(use_true_random=False),
)
def test_any_sum_gets_a_clear_answer(x, random):
    rng = np.random.default_rng(random.getrandbits(32))
    for y in (x, rng.normal(size=x.shape)):
        before = x.copy(), y.copy()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = diagnose_sum(x, y)
        check_the_answer(found, x.shape)
        assert found.findings
        assert not found.ok or x.shape[-1] * x.shape[-2] <= 4
        assert np.array_equal(before[0], x, equal_nan=True)
        assert np.array_equal(before[1], y, equal_nan=True)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ((4, 6), (5, 6)),
        ((4, 6), (4, 5)),
        ((2, 4, 6), (4, 6)),
        ((6,), (6,)),
        ((2, 2, 4, 6), (2, 2, 4, 6)),
        ((0, 6), (0, 6)),
    ],
)
def test_sums_of_shapes_that_do_not_fit_are_told_so(x, y):
    try:
        found = diagnose_sum(np.zeros(x), np.ones(y))
    except ValueError as refused:
        assert "shape" in str(refused)  # noqa: PT017
    else:
        assert not found.ok
        assert found.findings


@pytest.mark.parametrize("strange", [None, "x", [[1j]], [[True]], [["a"]]], ids=str)
def test_sums_of_what_is_no_number_are_refused(strange):
    for x, y in [(strange, np.zeros((3, 4))), (np.zeros((3, 4)), strange)]:
        with pytest.raises((TypeError, ValueError)):
            diagnose_sum(x, y)
