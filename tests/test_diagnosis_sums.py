"""Promise: of what was added to embeddings it is said which row each token was given, and how it was added."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_diagnosis import diagnose_sum
from pe_lib import sinusoidal_encoding

B, L, D = 3, 10, 16
RNG = np.random.default_rng(0)
X = RNG.normal(size=(B, L, D))
TABLE, LONG = sinusoidal_encoding(L, D), sinusoidal_encoding(60, D)
SQUARE = RNG.normal(size=(L, L, D))
LENGTHS = np.array([10, 6, 8])[:, np.newaxis]
ENDS = (np.arange(L) < LENGTHS)[..., np.newaxis]  # words first, then padding
FRONT = ENDS[:, ::-1]
PAD = L - LENGTHS
DROPPED = np.random.default_rng(1).random(X.shape) > 0.1


def turned(x, positions, base=10_000.0, layout="halves"):
    """Turn queries and keys as RoPE does."""
    angles = positions[:, np.newaxis] * base ** (-np.arange(x.shape[-1] // 2) * 2.0 / x.shape[-1])
    half = x.shape[-1] // 2
    one, other = (x[..., :half], x[..., half:]) if layout == "halves" else (x[..., 0::2], x[..., 1::2])
    new = one * np.cos(angles) - other * np.sin(angles), other * np.cos(angles) + one * np.sin(angles)
    return np.concatenate(new, -1) if layout == "halves" else np.stack(new, -1).reshape(x.shape)


RIGHT = {  # name: (x, y, what is said)
    "a batch": (X, X + TABLE, set()),
    "one sentence": (X[0], X[0] + TABLE, set()),
    "embeddings of zero": (0 * X, 0 * X + TABLE, set()),
    "times the root of d_model": (X, 4 * X + TABLE, {"embeddings-scaled"}),
    "halves": (X, X + sinusoidal_encoding(L, D, layout="halves"), {"halves"}),
    "padding masked": (X * ENDS, (X + TABLE) * ENDS, set()),
    "padding not masked": (X * ENDS, X * ENDS + TABLE, {"padding-not-masked"}),
    "padding in front, counted": (X * FRONT, (X + TABLE) * FRONT, set()),
    "padding in front, not counted": (
        X * FRONT,
        (X + LONG[np.maximum(np.arange(L) - PAD, 0)]) * FRONT,
        {"left-padding"},
    ),
    "padding in front, three in every sentence": (
        X * (np.arange(L) > 2)[:, np.newaxis],
        (X + LONG[np.maximum(np.arange(L) - 3, 0)]) * (np.arange(L) > 2)[:, np.newaxis],
        {"start"},
    ),
    "padding in front, counted from 1": (
        X * FRONT,
        (X + LONG[np.maximum(np.arange(L) - PAD, 0) + 1]) * FRONT,
        {"left-padding"},
    ),
    "seven in a cache": (X, X + LONG[7 : 7 + L], {"start"}),
    "RoPE": (X, turned(X, np.arange(L)), {"rope"}),
    "RoPE, pairs side by side, base 500000": (X, turned(X, np.arange(L), 5e5, "pairs"), {"rope", "base"}),
    "RoPE, from 12": (X, turned(X, 12 + np.arange(L)), {"rope", "start"}),
}
WRONG = {
    "the silent one": (SQUARE, SQUARE + TABLE[:, np.newaxis], {"sentence-as-position"}),
    "along the batch": (X, X + TABLE[:B, np.newaxis], {"sentence-as-position"}),
    "one mask for all": (X * ENDS, X * ENDS + TABLE * ENDS[1], {"tokens-left-out"}),
    "the mask inverted": (X * ENDS, X * ENDS + TABLE * ~ENDS, {"mask-inverted", "padding-not-masked"}),
    "one token left out": (X, X + TABLE * (np.arange(B * L).reshape(B, L, 1) != 15), {"tokens-left-out"}),
    "one sentence left out": (X, X + TABLE * np.array([1, 0, 1])[:, np.newaxis, np.newaxis], {"tokens-left-out"}),
    "nothing added": (X, X.copy(), {"not-added"}),
    "scaled alone": (X, 4 * X, {"not-added"}),
    "added twice": (X, X + 2 * TABLE, {"added-twice"}),
    "x counted twice": (X, 2 * X + TABLE, {"embeddings-scaled"}),
    "subtracted, or x and y exchanged": (X + TABLE, X, {"subtracted"}),
    "the mean of both": (X, (X + TABLE) / 2, {"sum-scaled"}),
    "a weight of its own": (X, X + 0.37 * TABLE, {"scale"}),
    "the table alone": (X, 0 * X + TABLE, {"table-alone"}),
    "concatenated": (X, np.concatenate([X, 0 * X + TABLE], -1), {"concatenated"}),
    "concatenated in front": (X[0], np.concatenate([X[0], TABLE]), {"concatenated"}),
    "dropout of the encoding": (X[0], X[0] + TABLE * DROPPED[0] / 0.9, {"dropout"}),
    "row 0 for all": (X, X + TABLE[0], {"same-row"}),
    "numbered on": (X, X + LONG[: B * L].reshape(B, L, D), {"sentences-differ"}),
    "another base": (X, X + sinusoidal_encoding(L, D, base=1e3), {"base"}),
    "whole numbers": (np.arange(L * D).reshape(L, D), np.trunc(np.arange(L * D).reshape(L, D) + TABLE), {"integers"}),
    "row 0 left out": (X, X + TABLE * (np.arange(L) > 0)[:, np.newaxis], {"tokens-left-out"}),
    "positions that begin late": (X, X + np.roll(TABLE, 2, 0) * (np.arange(L) > 1)[:, np.newaxis],
                                  {"tokens-left-out", "start"}),
}  # fmt: skip
STORED = {"float64": lambda x: x, "float32": np.float32}


def codes(found):
    return {one.code for one in found.findings if one.kind != "note"} | ({"padding-not-masked"} & set(found.codes))


@pytest.mark.parametrize("stored", STORED)
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_sum_is_right(name, stored):
    x, y, said = RIGHT[name]
    found = diagnose_sum(STORED[stored](x), STORED[stored](y))
    assert found.ok, found
    assert codes(found) == said


@pytest.mark.parametrize("stored", STORED)
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_sum_is_named(name, stored):
    x, y, said = WRONG[name]
    found = diagnose_sum(STORED[stored](x), STORED[stored](y))
    assert not found.ok
    assert codes(found) == said, found


@pytest.mark.parametrize("name", ["a batch", "one sentence", "halves", "padding masked"])
def test_a_right_sum_is_right_with_four_decimals(name):
    x, y, said = RIGHT[name]
    found = diagnose_sum(x, y.round(4))
    assert found.ok, found
    assert codes(found) == said


def test_x_and_y_may_both_be_printed_with_four_decimals():
    x = X.round(4)
    assert diagnose_sum(x, (4 * X + TABLE).round(4)).codes == ("embeddings-scaled",)
    found = diagnose_sum(x, (X + TABLE * np.array([1, 0, 1])[:, np.newaxis, np.newaxis]).round(4))
    assert found.codes[0] == "tokens-left-out"


@pytest.mark.parametrize("x", [X, X[0], X * ENDS], ids=["a batch", "one sentence", "padding"])
def test_of_what_dropout_leaves_it_is_said_how_much_is_0(x):
    found = diagnose_sum(x, (x + TABLE) * DROPPED[0] / 0.9)
    assert [one.kind for one in found.findings] == ["unresolved", "note"]
    assert "of the numbers of y are 0. Was dropout left on?" in found.advice
    assert "dropout" not in diagnose_sum(x, np.tanh(x)).advice


@given(
    batch=st.integers(1, 4), length=st.integers(3, 20), half=st.integers(2, 12), start=st.integers(0, 30),
    size=st.sampled_from([0.02, 1.0, 20.0]), stored=st.sampled_from(sorted(STORED)),
)  # fmt: skip
@settings(max_examples=15, deadline=None)
def test_a_right_sum_of_any_shape_is_never_accused(batch, length, half, start, size, stored):
    x = size * np.random.default_rng(length).normal(size=(batch, length, 2 * half))
    found = diagnose_sum(STORED[stored](x), STORED[stored](x + sinusoidal_encoding(length, 2 * half, start=start)))
    assert found.ok, found


@given(start=st.integers(0, 500), step=st.sampled_from([1, 2, 0.25]), base=st.sampled_from([1e3, 1e4, 5e5]))
@settings(max_examples=10, deadline=None)
def test_the_turns_of_rope_are_stated_and_not_judged(start, step, base):
    found = diagnose_sum(X, turned(X, start + step * np.arange(L), base))
    assert found.ok, found
    assert "as RoPE does" in " ".join(found.advice.split())
    assert (found.start, found.base) == (start, pytest.approx(base))


@pytest.mark.parametrize("step", [2, 2.5, 20])
def test_the_step_of_turns_is_a_note(step):
    found = diagnose_sum(X, turned(X, 3 + step * np.arange(L)))
    assert found.ok
    assert f"- Note: The positions go up in steps of {step}" in found.advice


def test_how_near_a_sum_comes_is_measured_on_the_sum():
    x, halves = np.float32(X), sinusoidal_encoding(L, D, layout="halves")
    found = diagnose_sum(x, x + np.float32(halves))
    off = np.abs(x + np.float32(halves) - np.float64(x) - found.rebuilt)
    assert (found.within, found.explained) == (off.max(), 1)
    assert 1e-9 < found.within < 1e-6
    assert "What was added is what this makes, to within" in str(found)


def test_both_readings_of_a_cache_are_said():
    seven, same = (" ".join(diagnose_sum(X, X + rows).advice.split()) for rows in (LONG[7 : 7 + L], TABLE[0]))
    assert "counted from 7" in seven
    assert "a cache that already holds that many" in seven
    assert "A cache that numbers every new token 0 does the same" in same


def test_two_columns_are_enough_to_see_a_turn():
    found = diagnose_sum(X[..., :2], turned(X[..., :2], np.arange(L)))
    assert found.ok
    assert "rope" in found.codes


def test_another_base_is_right_beside_x_where_it_is_asked_for():
    beside = np.concatenate([X, 0 * X + sinusoidal_encoding(L, D, base=500.0)], -1)
    assert diagnose_sum(X, beside, base=500.0).codes == ("concatenated",)


def test_new_tokens_after_a_cache_are_read_by_their_positions():
    one = X[:, :1]
    found = diagnose_sum(one, one + LONG[[4, 3, 8]][:, np.newaxis])
    assert "sentence 2 counts from 8. That is right if as many tokens" in " ".join(found.advice.split())


def test_what_is_wrong_with_the_rows_is_said_where_sentences_count_from_different_numbers():
    rows = np.stack([sinusoidal_encoding(L, D, base=1e3, start=start, layout="halves") for start in (0, 3, 5)])
    found = diagnose_sum(X, X + rows)
    assert set(found.codes) == {"sentences-differ", "base", "halves"}
    assert found.base == 1000


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (1e5, {"right": (), "base": ("other-width", "base"), "minus": ("subtracted",)}),
        (1e7, {"right": ("hides",), "base": ("hides",), "minus": ("subtracted", "hides")}),
        (1e8, {"right": ("hides",), "base": ("hides",), "minus": ("hides",)}),
        (1e9, {"right": ("hides", "hides"), "base": ("hides", "hides"), "minus": ("hides", "hides")}),
    ],
)
def test_of_large_numbers_in_float32_it_is_said_what_rounding_hides(size, said):
    large = np.float32(size * np.random.default_rng(0).normal(size=(2, 12, 24)))
    added = {"right": 1, "base": 1, "minus": -1}
    for name, codes_of in said.items():
        table = sinusoidal_encoding(12, 24, base=1e3 if name == "base" else 1e4)
        found = diagnose_sum(large, large + np.float32(added[name] * table))
        assert tuple(one.removeprefix("rounding-") for one in found.codes) == codes_of
        assert found.ok == (name == "right" and size < 1e9)


def test_with_other_layers_between_it_is_unresolved():
    wiped = np.tanh(X) * (np.arange(L) != 4)[:, np.newaxis]
    for y in (
        wiped,
        np.sign(X),
        np.tanh((X + TABLE) @ RNG.normal(size=(D, D))),
        (X + TABLE)[::-1],
        RNG.normal(size=X.shape),
    ):
        found = diagnose_sum(X, y)
        assert not found.ok
        assert any(one.kind == "unresolved" for one in found.findings)


def test_what_was_added_has_a_recipe():
    found = diagnose_sum(X, X + sinusoidal_encoding(L, D, base=1000.0))
    exec(found.recipe, names := {})
    np.testing.assert_allclose(X + names["matrix"], X + sinusoidal_encoding(L, D, base=1000.0), atol=1e-12)
    assert "What was added is what this makes" in str(found)


@pytest.mark.parametrize(
    ("x", "y", "error", "says"),
    [
        ([1.0], [1.0], ValueError, "x must have shape"),
        (np.zeros((2, 0, 4)), np.zeros((2, 0, 4)), ValueError, "with numbers in it"),
        ([["a"]], [[1.0]], TypeError, "x must be an array of real numbers"),
        ([[1.0]], None, TypeError, "y must be an array of real numbers"),
    ],
)
def test_what_is_no_sum_is_refused(x, y, error, says):
    with pytest.raises(error, match=says):
        diagnose_sum(x, y)


@pytest.mark.parametrize(
    ("x", "y", "code"),
    [
        (X, X[:, :4], "wrong-shape"),
        (X, np.full_like(X, np.nan), "sum-not-finite"),
        (1e15 * X, 1e15 * X + TABLE, "sum-too-large"),
    ],
)
def test_what_cannot_be_a_sum_is_said_at_the_door(x, y, code):
    found = diagnose_sum(x, y)
    assert (found.ok, found.codes) == (False, (code,))
