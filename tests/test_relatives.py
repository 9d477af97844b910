"""Promise: each relative of the encoding is what its paper says, and what the code of its authors computes."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import (
    SCHEMES,
    alibi_bias,
    alibi_slopes,
    attention_scores,
    encode_positions,
    frequencies,
    learned_encoding,
    ntk_aware_scaling,
    position_interpolation,
    rotate,
    scaled_wavelengths,
    shift_rotation,
    t5_bias,
    t5_buckets,
    wavelengths,
    yarn_attention_factor,
    yarn_scaling,
)

even_widths = st.integers(1, 20).map(lambda pairs: 2 * pairs)
positions = st.integers(-(10**6), 10**6)


def numbers(*shape):
    return np.random.default_rng(3).normal(size=shape)


def near(a, b, tolerance=1e-12):
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=0, atol=tolerance)


def alike(a, b):
    return np.allclose(a, b, rtol=1e-12, atol=0)


# ------------------------------------------------------------------ RoPE


def test_the_rotation_of_the_paper_by_hand():
    """Su et al. (2021), section 3.2.2, equation 34."""
    six = np.arange(1, 7)
    assert near(rotate(six, 1), [-1.14264, 1.922076, 2.811172, 4.13489, 4.987062, 6.010758], 5e-6)
    assert near(rotate(six, 1, layout="halves"), [-2.825582, 1.76585, 2.987066, 3.00268, 5.087413, 6.006449], 5e-6)


@given(even_widths, positions)
def test_a_rotated_row_is_the_row_times_the_matrix_that_shifts_an_encoding(h, p):
    x = numbers(h)
    assert near(rotate(x, p), x @ shift_rotation(p, h))
    assert np.array_equal(rotate(x, 0), x)


@given(even_widths, st.lists(positions, min_size=1, max_size=5))
def test_interleaved_is_a_product_of_complex_numbers(h, at):
    """Meta's code for Llama reads pairs as complex numbers and multiplies them by those of the angles."""
    x = numbers(len(at), h)
    turned = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * np.outer(at, 10_000 ** (-np.arange(0, h, 2) / h)))
    assert near(rotate(x, at), np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape), 1e-8)


@given(even_widths, st.lists(st.integers(0, 5000), min_size=1, max_size=5))
def test_halves_is_rotate_half(h, at):
    """GPT-NeoX, and Llama in the library transformers: x · cos + (minus the second half, the first) · sin."""
    x, order = numbers(len(at), h), np.r_[0:h:2, 1:h:2]
    angles = np.tile(np.outer(at, 10_000 ** (-np.arange(0, h, 2) / h)), 2)
    half = np.roll(x, h // 2, axis=1) * np.repeat([-1, 1], h // 2)
    assert near(rotate(x, at, layout="halves"), x * np.cos(angles) + half * np.sin(angles), 1e-9)
    assert near(rotate(x[:, order], at, layout="halves"), rotate(x, at)[:, order])


def test_scores_depend_on_the_offset_alone_and_on_its_sign():
    """Su et al. (2021), equation 16."""
    up, down = np.arange(1, 7), np.arange(6, 0, -1)
    pairs = (2, 0), (5, 3), (102, 100), (3, 5)
    for layout, to_the_left in (("interleaved", 26.19403), ("halves", 9.290674)):
        scores = [rotate(up, m, layout=layout) @ rotate(down, n, layout=layout) for m, n in pairs]
        assert near(scores[:3], [to_the_left] * 3, 5e-6)
        assert abs(scores[3] - to_the_left) > 0.1
    mixed = [rotate(up, m) @ rotate(down, n, layout="halves") for m, n in pairs[:3]]
    assert near(mixed, [26.194, 1.825, 0.063], 5e-4)  # two layouts at once: relative no longer


def test_fewer_frequencies_turn_the_first_columns_alone():
    """GPT-J and GPT-NeoX turn a part of a head, with the frequencies of that part's width."""
    x = numbers(5, 7)
    for layout in ("interleaved", "halves"):
        turned = rotate(x, range(5), frequencies(4), layout=layout)
        assert near(turned[:, :4], rotate(x[:, :4], range(5), layout=layout))
        assert np.array_equal(turned[:, 4:], x[:, 4:])


def test_positions_may_be_shared_fractional_or_each_their_own():
    x = numbers(2, 3, 4, 6)  # (batch, head, position, column)
    turned = rotate(x, range(4))
    assert near(turned[1, 2], rotate(x[1, 2], range(4)))
    each = np.array([[0, 1, 2, 3], [-2, -1, 0, 1]])[:, np.newaxis]  # the second sequence is padded on the left
    assert near(rotate(x, each)[1, 0], rotate(x[1, 0], range(-2, 2)))
    assert near(rotate(x[0, 0], 0.5), x[0, 0] @ shift_rotation(0.5, 6))
    assert rotate([1, 0], np.arange(9)).shape == (9, 2)
    assert rotate(np.ones((1, 2), np.float16), [1]).dtype == np.float64


def test_the_rows_handed_over_are_left_alone():
    x = numbers(3, 4)
    before = x.copy()
    rotate(x, range(3))
    for scheme in SCHEMES:
        attention_scores(scheme, x, x, 3, table=np.ones((4, 4)), causal=True)
    assert np.array_equal(x, before)


# ------------------------------------------------------------------ learned positions


def test_learned_positions_are_rows_of_their_table():
    table = np.arange(12).reshape(4, 3)
    assert np.array_equal(learned_encoding(table, [[3], [0]]), [[[9, 10, 11]], [[0, 1, 2]]])
    learned_encoding(table, [1])[:] = -1
    assert table[1, 0] == 3


# ------------------------------------------------------------------ T5


def bucket_of(offset, buckets, max_distance, causal):
    """Return a bucket by the definition, whose logarithms are compared as powers of whole numbers.

    log(a/E) / log(D/E) · (B-E) >= t is the same as (a/E)^(B-E) >= (D/E)^t.
    """
    side = buckets if causal else buckets // 2
    exact, a = side // 2, max(-offset, 0) if causal else abs(offset)
    if a < exact:
        bucket = a
    else:
        n = side - exact
        bucket = exact + max(t for t in range(n) if a**n * exact**t >= max_distance**t * exact**n)
    return bucket + side * (not causal and offset > 0)


@pytest.mark.parametrize(
    ("buckets", "max_distance", "causal"),
    [
        *[(*sizes, causal) for sizes in ((32, 128), (32, 1024), (6, 1000)) for causal in (True, False)],
        (64, 17, False),
        (4, 2, False),
        (2, 2, True),
        (5, 6, True),
    ],
)
def test_buckets_are_those_of_the_definition(buckets, max_distance, causal):
    """Raffel et al. (2020), section 2.1, with the formula of the code: half the buckets exact, half logarithmic."""
    offsets = np.arange(-1100, 1101)
    expected = [bucket_of(int(o), buckets, max_distance, causal) for o in offsets]
    assert np.array_equal(t5_buckets(offsets, buckets=buckets, max_distance=max_distance, causal=causal), expected)


def test_where_each_bucket_of_t5_begins():
    """With T5's 32 buckets and 128, the last begins at 113 or 91, not at 128."""
    first = {
        causal: np.unique(t5_buckets(-np.arange(3000), causal=causal), return_index=True)[1] for causal in (False, True)
    }
    assert first[True].tolist() == [*range(16), 16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]
    assert first[False].tolist() == [*range(8), 8, 12, 16, 23, 32, 46, 64, 91]
    assert set(t5_buckets(np.arange(-3000, 3000)).tolist()) == set(range(32)) - {16}  # the first on the right is empty


def test_a_bias_is_its_table_read_by_bucket():
    table = numbers(32, 3)
    for causal in (True, False):
        bias = t5_bias(table, 40, max_distance=64, causal=causal)
        assert bias.shape == (3, 40, 40)
        for head, i, j in ((0, 0, 0), (1, 39, 0), (2, 3, 39), (0, 20, 4)):
            assert bias[head, i, j] == table[bucket_of(j - i, 32, 64, causal), head]


# ------------------------------------------------------------------ ALiBi


def slopes_by_the_authors(heads):
    """Return slopes as the released code makes them: for the power of two below, then every other one of twice that."""
    if heads & (heads - 1) == 0:
        start = 2 ** (-(2 ** -(math.log2(heads) - 3)))
        return [start ** (k + 1) for k in range(heads)]
    below = 2 ** math.floor(math.log2(heads))
    return slopes_by_the_authors(below) + slopes_by_the_authors(2 * below)[::2][: heads - below]


@pytest.mark.parametrize("heads", [1, 8, 12, 71])
def test_slopes_are_those_of_the_authors(heads):
    """Press et al. (2022), section 3, and get_slopes in their fairseq/models/transformer.py."""
    assert alike(alibi_slopes(heads), slopes_by_the_authors(heads))


def test_the_penalty_grows_with_the_distance_to_both_sides():
    assert alibi_slopes(8).tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]
    assert alibi_bias(8, 4)[0].tolist() == [[-abs(i - j) / 2 for j in range(4)] for i in range(4)]


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def test_the_released_code_of_alibi_gives_the_same_weights():
    """It adds slope · j behind a causal mask, for a softmax forgets what a row has in common."""
    i, j = np.mgrid[:6, :6]
    ours = attention_scores("ALiBi", [0], [0], 6, causal=True)
    assert near(softmax(ours), softmax(np.where(j > i, -np.inf, alibi_slopes(8)[0] * j)))


# ------------------------------------------------------------------ scores


Q, K = numbers(2, 9, 6)
TABLES = {"T5": numbers(32, 4), "learned": numbers(200, 6)}


def scores_of(scheme, q=Q, k=K, length=9, **options):
    return attention_scores(scheme, q, k, length, **{"table": TABLES.get(scheme, ()), **options})


def by_the_definition(scheme, start, head):
    """Return scores one by one."""
    scores = np.empty((9, 9))
    for i in range(9):
        for j in range(9):
            q, k, bias, scale = Q[i], K[j], 0.0, math.sqrt(6)
            if scheme == "sinusoidal":
                q, k = (x + encode_positions(start + p, 6) for x, p in ((q, i), (k, j)))
            elif scheme == "learned":
                q, k = q + TABLES["learned"][start + i], k + TABLES["learned"][start + j]
            elif scheme == "RoPE":
                q = q @ shift_rotation(i - j, 6)
            elif scheme == "ALiBi":
                bias = -slopes_by_the_authors(8)[head] * abs(i - j)
            elif scheme == "T5":
                bias, scale = TABLES["T5"][bucket_of(j - i, 32, 128, False), head], 1.0
            scores[i, j] = q @ k / scale + bias
    return scores


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("start", [0, 100])
def test_scores_are_those_of_the_definition(scheme, start):
    assert near(scores_of(scheme, start=start, head=2), by_the_definition(scheme, start, 2))


def test_only_added_positions_see_where_the_first_word_stands():
    moved = {scheme for scheme in SCHEMES if not near(scores_of(scheme), scores_of(scheme, start=1))}
    assert moved == {"sinusoidal", "learned"}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_causal_mask_hides_keys_to_the_right_and_gives_t5_more_buckets_to_the_left(scheme):
    masked, whole = (scores_of(scheme, Q[0], K[0], 40, causal=causal) for causal in (True, False))
    left = np.tri(40, dtype=bool)
    if scheme == "T5":
        whole = Q[0] @ K[0] + t5_bias(TABLES["T5"], 40, causal=True)[0]
    assert np.all(masked[~left] == -np.inf)
    assert near(masked[left], whole[left])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_query_and_one_key_stand_for_all(scheme):
    q, k = Q[0], K[0]
    assert near(scores_of(scheme, q, k), scores_of(scheme, np.tile(q, (9, 1)), np.tile(k, (9, 1))))


def test_frequencies_may_be_given_for_encodings_and_rotations():
    w = position_interpolation(frequencies(6, 100), 2)
    halfway = [encode_positions(p / 2, 6, base=100) for p in range(9)]
    assert near(scores_of("sinusoidal", w=w), (Q + halfway) @ (K + halfway).T / math.sqrt(6))
    half = rotate(Q, np.arange(9) / 2, frequencies(6, 100)) @ rotate(K, np.arange(9) / 2, frequencies(6, 100)).T
    assert near(scores_of("RoPE", w=w), half / math.sqrt(6))


def test_an_odd_width_is_no_trouble_where_nothing_turns():
    for scheme in ("none", "ALiBi", "T5"):
        assert scores_of(scheme, Q[:, :5], K[:, :5]).shape == (9, 9)
    assert attention_scores("learned", [1, 2, 3], [1, 2, 3], 2, table=np.zeros((2, 3)))[1, 1] == 14 / math.sqrt(3)


@pytest.mark.parametrize(
    ("scheme", "wrong", "sentence"),
    [
        ("rope", {}, "scheme must be one of 'none', 'sinusoidal', 'learned', 'T5', 'ALiBi', 'RoPE', got 'rope'"),
        ("none", {"length": 8}, "q must have shape (8, h) or (h,), h above 0, got shape (9, 6)"),
        ("none", {"length": 0}, "length must be a positive integer, got 0"),
        ("none", {"k": 3}, "k must have shape (9, h) or (h,), h above 0, got shape ()"),
        ("none", {"k": K[:, :4]}, "k must have as many columns as q, 6, got 4"),
        ("none", {"start": 0.5}, "start must be an integer, got 0.5"),
        ("none", {"causal": None}, "causal must be True or False, got None"),
        ("RoPE", {"q": Q[:, :5], "k": K[:, :5]}, "w must be given for 5 columns, an odd number"),
        ("RoPE", {"w": [1] * 4}, "w must have one frequency for every two of the 6 columns at most, got 4"),
        ("sinusoidal", {"w": [1]}, "sinusoidal positions must be as wide as q, 6, got 2"),
        ("learned", {"table": np.ones((9, 4))}, "learned positions must be as wide as q, 6, got 4"),
        ("learned", {"start": -1}, "positions must lie between 0 and 199, the rows of the table, got -1"),
        ("T5", {"table": ()}, "table must have rows and columns, got shape (0,)"),
        ("T5", {"head": 4}, "head must lie between 0 and 3, got 4"),
        ("ALiBi", {"head": -1}, "head must lie between 0 and 7, got -1"),
    ],
)
def test_scores_that_make_no_sense_are_refused_in_one_sentence(scheme, wrong, sentence):
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        scores_of(scheme, **wrong)


def test_positions_must_fit_the_rows_that_are_rotated():
    with pytest.raises(ValueError, match=re.escape("positions must fit x (3, 2), one for each row, got shape (2,)")):
        rotate(np.ones((3, 2)), [0, 1])


# ------------------------------------------------------------------ scalings


@given(even_widths, st.floats(1, 64), st.integers(0, 10**5))
def test_interpolation_moves_positions_together(h, factor, p):
    """Chen et al. (2023), equation 4: position m takes the place of m · L/L'."""
    x, w = numbers(h), frequencies(h)
    assert near(rotate(x, p, position_interpolation(w, factor)), rotate(x, p / factor), 1e-9)


@given(st.integers(2, 64), st.floats(1, 100), st.floats(1.5, 1e6))
def test_ntk_aware_is_a_greater_base(pairs, factor, base):
    """Peng et al. (2023), equation 16."""
    h = 2 * pairs
    assert alike(ntk_aware_scaling(frequencies(h, base), factor), frequencies(h, base * factor ** (h / (h - 2))))


def yarn_of_the_code(h, base, length, factor, fast=32, slow=1):
    """Return YaRN's frequencies by the formulas of LlamaYaRNScaledRotaryEmbedding.py in jquesnelle/yarn."""

    def pair_that_turns(times):
        return h * math.log(length / (times * 2 * math.pi)) / (2 * math.log(base))

    low, high = max(math.floor(pair_that_turns(fast)), 0), min(math.ceil(pair_that_turns(slow)), h - 1)
    high += 0.001 * (low == high)
    w = [base ** (-2 * i / h) for i in range(h // 2)]
    share = [min(max((i - low) / (high - low), 0), 1) for i in range(h // 2)]
    return [v * (1 - s) + v / factor * s for v, s in zip(w, share, strict=True)]


@pytest.mark.parametrize("h", [4, 8, 128])
@pytest.mark.parametrize(("base", "length"), [(10_000, 4096), (500_000, 8192), (150_000, 300), (50, 20), (10, 8192)])
@pytest.mark.parametrize("factor", [2, 40.5])
def test_the_ramp_over_pairs_is_that_of_the_code(h, base, length, factor):
    assert alike(
        yarn_scaling(frequencies(h, base), factor, length, ramp="pairs"), yarn_of_the_code(h, base, length, factor)
    )


def yarn_of_the_paper(w, factor, length, fast=32, slow=1):
    """Return YaRN's frequencies by Peng et al. (2023), equations 17 to 20."""
    r = length / (2 * math.pi / w)
    share = 0 if r < slow else 1 if r > fast else (r - slow) / (fast - slow)
    return (1 - share) * w / factor + share * w


@given(even_widths, st.floats(1, 64), st.integers(1, 10**6), st.floats(1.5, 1e6))
def test_the_ramp_over_turns_is_that_of_the_paper(h, factor, length, base):
    w = frequencies(h, base)
    assert alike(yarn_scaling(w, factor, length), [yarn_of_the_paper(v, factor, length) for v in w])


def test_yarn_in_numbers():
    w = frequencies(128)  # Llama 2: pairs 0 to 20 as they were, 46 to 63 divided
    for ramp, at_33 in (("turns", 4.9266), ("pairs", 1.8824)):
        divisors = w / yarn_scaling(w, 16, 4096, ramp=ramp)
        assert np.all(divisors[:21] == 1)
        assert np.all((divisors[21:46] > 1) & (divisors[21:46] < 16))
        assert near(divisors[46:], [16] * 18)
        assert near(divisors[33], at_33, 5e-5)


def test_llama_3_scales_as_yarn_with_other_bounds():
    """apply_scaling in models/llama3/model.py of meta-llama/llama-models: 8, 1, 4 and 8192, base 500000."""
    w = frequencies(128, 500_000)
    divisors = w / yarn_scaling(w, 8, 8192, fast=4)
    assert near(divisors[29:35], [1.2075, 1.5534, 2.0263, 2.6945, 3.6843, 5.2573], 5e-5)


def test_yarn_raises_scores_by_the_square_of_its_factor():
    """Peng et al. (2023), equations 21 and 22."""
    for factor, expected in ((1, 1), (4, 1.138629), (32, 1.346574)):
        assert near(yarn_attention_factor(factor), expected, 5e-7)
    c = yarn_attention_factor(16)
    assert near(scores_of("RoPE", c * Q, c * K), c**2 * scores_of("RoPE"))


@given(st.integers(2, 32), st.floats(1, 64), st.integers(1, 10**5))
def test_wavelengths_grow_by_the_factor_at_most_and_stay_in_order(pairs, factor, length):
    w = frequencies(2 * pairs)
    rows = scaled_wavelengths(w, factor, length)
    expected = {
        "none": w,
        "interpolation": position_interpolation(w, factor),
        "NTK-aware": ntk_aware_scaling(w, factor),
        "YaRN": yarn_scaling(w, factor, length),
        "Llama 3.1": yarn_scaling(w, factor, length, fast=4),
    }
    assert list(rows) == list(expected)
    for name, row in rows.items():
        assert alike(row, 2 * np.pi / expected[name])
        growth = row / wavelengths(2 * pairs)
        assert np.all((growth > 1 - 1e-12) & (growth < factor * (1 + 1e-12)))
        assert np.all(np.diff(row) > 0)
