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
    sinusoidal_encoding,
    t5_bias,
    t5_buckets,
    wavelengths,
    yarn_attention_factor,
    yarn_scaling,
)

NAN, INF = float("nan"), float("inf")
even_widths = st.integers(1, 20).map(lambda pairs: 2 * pairs)
positions = st.integers(-(10**6), 10**6)


def numbers(*shape):
    return np.random.default_rng(3).normal(size=shape)


def near(a, b, tolerance=1e-12):
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=0, atol=tolerance)


def evens_then_odds(h):
    return np.r_[0:h:2, 1:h:2]


# ------------------------------------------------------------------ RoPE


def test_the_rotation_of_the_paper_by_hand():
    """Su et al. (2021), section 3.2.2, equation 34, with four and with six columns."""
    assert near(rotate([[1, 2, 3, 4]], [1]), [[-1.14264, 1.922076, 2.959851, 4.0298]], 5e-6)
    assert near(rotate([1, 2, 3, 4], 3), [-1.272233, -1.838865, 2.878668, 4.088187], 5e-6)
    six = np.arange(1, 7)
    assert near(rotate(six, 1), [-1.14264, 1.922076, 2.811172, 4.13489, 4.987062, 6.010758], 5e-6)
    assert near(rotate(six, 1, layout="halves"), [-2.825582, 1.76585, 2.987066, 3.00268, 5.087413, 6.006449], 5e-6)


@given(even_widths, positions)
def test_a_rotated_row_is_the_row_times_the_matrix_that_shifts_an_encoding(h, p):
    x = numbers(h)
    assert near(rotate(x, p), x @ shift_rotation(p, h), 1e-12)
    assert near(rotate(x, p), shift_rotation(-p, h) @ x, 1e-12)


def test_rows_of_1_0_become_encodings_with_the_columns_of_each_pair_swapped():
    swapped = sinusoidal_encoding(50, 8).reshape(50, 4, 2)[..., ::-1].reshape(50, 8)
    assert near(rotate(np.tile([1, 0], 4), np.arange(50)), swapped)


@given(even_widths, st.lists(positions, min_size=1, max_size=5))
def test_interleaved_is_a_product_of_complex_numbers(h, at):
    """Meta's code for Llama reads pairs as complex numbers and multiplies them by those of the angles."""
    x = numbers(len(at), h)
    turned = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * np.outer(at, 10_000 ** (-np.arange(0, h, 2) / h)))
    assert near(rotate(x, at), np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape), 1e-8)


@given(even_widths, st.lists(st.integers(0, 5000), min_size=1, max_size=5))
def test_halves_is_rotate_half(h, at):
    """GPT-NeoX, and Llama in the library transformers: x · cos + (minus the second half, the first) · sin."""
    x = numbers(len(at), h)
    angles = np.tile(np.outer(at, 10_000 ** (-np.arange(0, h, 2) / h)), 2)
    half = np.roll(x, h // 2, axis=1) * np.repeat([-1, 1], h // 2)
    assert near(rotate(x, at, layout="halves"), x * np.cos(angles) + half * np.sin(angles), 1e-9)


@pytest.mark.parametrize("h", [2, 4, 6, 10, 64])
def test_evens_then_odds_leads_from_one_layout_to_the_other(h):
    x, order = numbers(7, h), evens_then_odds(h)
    assert near(rotate(x[:, order], range(7), layout="halves"), rotate(x, range(7))[:, order])
    back = np.argsort(order)
    assert near(rotate(x, range(7), layout="halves")[:, back], rotate(x[:, back], range(7)))


def test_scores_depend_on_the_offset_alone_and_on_its_sign():
    """Su et al. (2021), equation 16."""

    def score(m, n, **layout):
        return float(rotate([1, 0, 0, 1], m, **layout) @ rotate([1, 1, 0, 0], n, **layout))

    assert [round(score(m, n), 6) for m, n in ((2, 0), (5, 3), (102, 100), (3, 5))] == [0.493151] * 3 + [-1.325444]
    up, down = np.arange(1, 7), np.arange(6, 0, -1)
    for layout, expected in (("interleaved", 26.19403), ("halves", 9.290674)):
        assert near(rotate(up, 5, layout=layout) @ rotate(down, 3, layout=layout), expected, 5e-6)
    mixed = [rotate(up, m) @ rotate(down, n, layout="halves") for m, n in ((2, 0), (5, 3), (102, 100))]
    assert near(mixed, [26.194, 1.825, 0.063], 5e-4)  # two layouts at once: relative no longer


@given(even_widths, positions, positions, st.sampled_from(["interleaved", "halves"]))
def test_lengths_and_two_turns_in_a_row(h, p, q, layout):
    x = numbers(h)
    assert near(np.linalg.norm(rotate(x, p, layout=layout)), np.linalg.norm(x))
    assert near(rotate(rotate(x, p, layout=layout), q, layout=layout), rotate(x, p + q, layout=layout), 1e-8)
    assert np.array_equal(rotate(x, 0, layout=layout), x)


def test_fewer_frequencies_turn_the_first_columns_alone():
    """GPT-J and GPT-NeoX turn a part of a head, with the frequencies of that part's width."""
    x = numbers(5, 7)
    for layout in ("interleaved", "halves"):
        turned = rotate(x, range(5), frequencies(4), layout=layout)
        assert near(turned[:, :4], rotate(x[:, :4], range(5), layout=layout))
        assert np.array_equal(turned[:, 4:], x[:, 4:])


def test_positions_may_be_shared_fractional_far_or_none_at_all():
    x = numbers(2, 3, 4, 6)  # (batch, head, position, column)
    turned = rotate(x, range(4))
    assert near(turned[1, 2], rotate(x[1, 2], range(4)))
    each = np.array([[0, 1, 2, 3], [-2, -1, 0, 1]])[:, np.newaxis]  # the second sequence is padded on the left
    assert near(rotate(x, each)[1, 0], rotate(x[1, 0], range(-2, 2)))
    assert near(rotate(x[0, 0], 0.5), x[0, 0] @ shift_rotation(0.5, 6))
    assert rotate([1, 0], np.arange(9)).shape == (9, 2)
    assert rotate(np.zeros((0, 4)), []).shape == (0, 4)
    assert near(rotate([1, 0], 2.0**53), [math.cos(2.0**53), math.sin(2.0**53)])
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
    assert np.array_equal(learned_encoding(table, [0, 2]), [[0, 1, 2], [6, 7, 8]])
    assert np.array_equal(learned_encoding(table, [[3], [3]]), [[[9, 10, 11]], [[9, 10, 11]]])
    assert learned_encoding(table, []).shape == (0, 3)
    learned_encoding(table, [1])[:] = -1
    assert table[1, 0] == 3


@pytest.mark.parametrize("p", [4, -1, 10**9])
def test_there_is_no_row_beyond_the_table_and_none_before_it(p):
    with pytest.raises(ValueError, match=f"positions must lie between 0 and 3, the rows of the table, got {p}"):
        learned_encoding(np.zeros((4, 3)), [0, p])


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
        reached = (t for t in range(n) if a**n * exact**t >= max_distance**t * exact**n)
        bucket = exact + max(reached)
    return bucket + side * (not causal and offset > 0)


@pytest.mark.parametrize(
    ("buckets", "max_distance", "causal"),
    [
        *[(*sizes, causal) for sizes in ((32, 128), (8, 20), (32, 1024), (6, 1000)) for causal in (True, False)],
        (64, 17, False),
        (4, 2, False),
        (2, 2, True),
        (7, 4, True),
    ],
)
def test_buckets_are_those_of_the_definition(buckets, max_distance, causal):
    """Raffel et al. (2020), section 2.1, with the formula of the code: half the buckets exact, half logarithmic."""
    offsets = np.arange(-1100, 1101)
    expected = [bucket_of(int(o), buckets, max_distance, causal) for o in offsets]
    assert np.array_equal(t5_buckets(offsets, buckets=buckets, max_distance=max_distance, causal=causal), expected)


def test_where_each_bucket_begins():
    """The values of T5, 32 buckets and 128: the last begins at 113 or 91, not at 128."""
    far = -np.arange(3000)

    def first_of(found):
        return [int(np.argmax(found == b)) for b in range(found.max() + 1)]

    causal, both = t5_buckets(far, causal=True), t5_buckets(far)
    assert first_of(causal) == [*range(16), 16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]
    assert first_of(both) == [*range(8), 8, 12, 16, 23, 32, 46, 64, 91]
    assert np.all(np.diff(causal) >= 0)
    assert np.array_equal(t5_buckets(-far)[1:], both[1:] + 16)


def test_buckets_of_some_offsets():
    offsets = [-200, -91, -90, -16, -8, -1, 0, 1, 8, 90, 91]
    assert t5_buckets(offsets).tolist() == [15, 15, 14, 10, 8, 1, 0, 17, 24, 30, 31]
    assert t5_buckets(offsets, causal=True).tolist() == [31, 29, 29, 16, 8, 1, 0, 0, 0, 0, 0]
    assert set(t5_buckets(np.arange(-3000, 3000)).tolist()) == set(range(32)) - {16}  # the first on the right is empty


def test_the_matrix_another_paper_prints():
    """Kazemnejad et al. (2023), appendix B.2: 5 buckets, 6 as the greatest distance, ten positions."""
    assert t5_buckets(-np.arange(10), buckets=5, max_distance=6, causal=True).tolist() == [0, 1, 2, 3, 3, 4, 4, 4, 4, 4]


def test_far_offsets_and_odd_shapes():
    assert t5_buckets([-(2**53), 2**53]).tolist() == [15, 31]
    assert t5_buckets(-5) == 5
    assert t5_buckets(np.zeros((0, 2), int)).shape == (0, 2)
    assert t5_buckets(np.array([[3]], np.uint8)).tolist() == [[19]]
    assert t5_buckets([-100], max_distance=10**400) == [8]


def test_a_bias_is_its_table_read_by_bucket():
    table = numbers(32, 3)
    for causal in (True, False):
        bias = t5_bias(table, 40, causal=causal)
        assert bias.shape == (3, 40, 40)
        for head, i, j in ((0, 0, 0), (1, 39, 0), (2, 3, 39), (0, 20, 4)):
            assert bias[head, i, j] == table[bucket_of(j - i, 32, 128, causal), head]
        assert np.array_equal(bias[:, :-1, :-1], bias[:, 1:, 1:])  # the offset alone
    assert t5_bias([[7]] * 4, 1).tolist() == [[[7]]]


# ------------------------------------------------------------------ ALiBi


def slopes_by_the_authors(heads):
    """Return slopes as the released code makes them: for the power of two below, then every other one of twice that."""
    if heads & (heads - 1) == 0:
        start = 2 ** (-(2 ** -(math.log2(heads) - 3)))
        return [start ** (k + 1) for k in range(heads)]
    below = 2 ** math.floor(math.log2(heads))
    return slopes_by_the_authors(below) + slopes_by_the_authors(2 * below)[::2][: heads - below]


@pytest.mark.parametrize("heads", [*range(1, 131), 1000])
def test_slopes_are_those_of_the_authors(heads):
    """Press et al. (2022), section 3, and get_slopes in their fairseq/models/transformer.py."""
    assert np.allclose(alibi_slopes(heads), slopes_by_the_authors(heads), rtol=1e-12, atol=0)


def test_the_slopes_of_the_paper():
    """Press et al. (2022), section 3: 8 heads from 1/2 to 1/256; 16 heads with those between."""
    assert alibi_slopes(8).tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]
    assert near(alibi_slopes(16), 2.0 ** -np.arange(0.5, 8.5, 0.5))
    assert alibi_slopes(1).tolist() == [2**-8]
    assert alibi_slopes(6).tolist() == [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8]
    assert near(alibi_slopes(12)[8:], [0.707107, 0.353553, 0.176777, 0.088388], 5e-7)


def test_the_penalty_grows_with_the_distance():
    bias = alibi_bias(8, 5)
    assert bias.shape == (8, 5, 5)
    assert bias[0, 4].tolist() == [-2, -1.5, -1, -0.5, 0]
    assert not np.signbit(np.diagonal(bias[3])).any()
    assert alibi_bias(1, 1).tolist() == [[[0.0]]]
    assert np.array_equal(bias, bias.transpose(0, 2, 1))


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def test_the_same_row_for_every_query_gives_the_same_weights_behind_a_causal_mask():
    """The released code adds slope · j, for a softmax forgets what a row has in common."""
    i, j = np.mgrid[:6, :6]
    slope = alibi_slopes(8)[0]
    ours = attention_scores("ALiBi", [0], [0], 6, causal=True)
    assert near(softmax(ours), softmax(np.where(j > i, -np.inf, slope * j)))
    assert near(softmax(ours)[3, :4], [0.101536, 0.167405, 0.276004, 0.455054], 5e-7)


# ------------------------------------------------------------------ scores


Q, K = numbers(2, 9, 6)
TABLES = {"T5": numbers(32, 4), "learned": numbers(200, 6)}


def scores_of(scheme, q=Q, k=K, length=9, **options):
    return attention_scores(scheme, q, k, length, **{"table": TABLES.get(scheme, ()), **options})


def by_the_definition(scheme, start=0, head=2):
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
@pytest.mark.parametrize("start", [0, 1, 100])
def test_scores_are_those_of_the_definition(scheme, start):
    assert near(scores_of(scheme, start=start, head=2), by_the_definition(scheme, start))


def test_only_added_positions_see_where_the_first_word_stands():
    moved = {scheme: not near(scores_of(scheme), scores_of(scheme, start=1)) for scheme in SCHEMES}
    assert {scheme for scheme in SCHEMES if moved[scheme]} == {"sinusoidal", "learned"}
    assert near(scores_of("RoPE", start=10**12), scores_of("RoPE"), 1e-3)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_causal_mask_hides_keys_to_the_right_and_gives_t5_more_buckets_to_the_left(scheme):
    masked, whole = (scores_of(scheme, Q[0], K[0], 40, causal=causal) for causal in (True, False))
    left = np.tri(40, dtype=bool)
    assert np.all(masked[~left] == -np.inf)
    if scheme == "T5":
        whole = Q[0] @ K[0] + t5_bias(TABLES["T5"], 40, causal=True)[0]
    assert near(masked[left], whole[left])
    assert softmax(masked).sum(axis=-1) == pytest.approx(1)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_query_and_one_key_stand_for_all(scheme):
    q, k = Q[0], K[0]
    assert near(scores_of(scheme, q, k), scores_of(scheme, np.tile(q, (9, 1)), np.tile(k, (9, 1))))
    assert scores_of(scheme, q, k, 1).shape == (1, 1)


def test_a_constant_query_shows_the_offset_alone_except_where_positions_are_added():
    for scheme in ("none", "T5", "ALiBi", "RoPE"):
        scores = scores_of(scheme, Q[0], K[0])
        assert near(scores[:-1, :-1], scores[1:, 1:])


def test_rope_of_rows_1_0_is_the_dot_product_of_encodings():
    pairs = np.tile([1, 0], 2)
    scores = attention_scores("RoPE", pairs, pairs, 8) * 2
    table = sinusoidal_encoding(8, 4)
    assert near(scores, table @ table.T)
    assert near(scores[5, 3], 0.583653, 5e-7)


def test_frequencies_may_be_given_for_encodings_and_rotations():
    w = position_interpolation(frequencies(6, 100), 2)
    halfway = [encode_positions(p / 2, 6, base=100) for p in range(9)]
    assert near(scores_of("sinusoidal", w=w), (Q + halfway) @ (K + halfway).T / math.sqrt(6))
    half = rotate(Q, np.arange(9) / 2, frequencies(6, 100)) @ rotate(K, np.arange(9) / 2, frequencies(6, 100)).T
    assert near(scores_of("RoPE", w=w), half / math.sqrt(6))
    assert near(scores_of("RoPE", w=[1]), rotate(Q, range(9), [1]) @ rotate(K, range(9), [1]).T / math.sqrt(6))


def test_an_odd_width_is_no_trouble_where_nothing_turns():
    for scheme in ("none", "ALiBi", "T5"):
        assert scores_of(scheme, Q[:, :5], K[:, :5]).shape == (9, 9)
    assert attention_scores("learned", [1, 2, 3], [1, 2, 3], 2, table=np.zeros((2, 3)))[1, 1] == 14 / math.sqrt(3)


def test_no_positions_and_a_causal_mask_still_count():
    """Kazemnejad et al. (2023), appendix C.1: a mean over what is seen tells how much that is."""
    first = np.array([1, 0, 0, 0, 0])
    assert near(softmax(attention_scores("none", [0], [0], 5, causal=True)) @ first, [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5])


# ------------------------------------------------------------------ scalings


@given(even_widths, st.floats(1, 64), st.integers(0, 10**5))
def test_interpolation_moves_positions_together(h, factor, p):
    """Chen et al. (2023), equation 4: position m takes the place of m · L/L'."""
    x, w = numbers(h), frequencies(h)
    assert near(rotate(x, p, position_interpolation(w, factor)), rotate(x, p / factor), 1e-9)


def test_interpolation_by_two():
    assert near(position_interpolation(frequencies(4), 2), [0.5, 0.005])


@given(st.integers(2, 64), st.floats(1, 100), st.floats(1.5, 1e6))
def test_ntk_aware_is_a_greater_base(pairs, factor, base):
    """Peng et al. (2023), equation 16."""
    h = 2 * pairs
    greater = base * factor ** (h / (h - 2))
    assert np.allclose(ntk_aware_scaling(frequencies(h, base), factor), frequencies(h, greater), rtol=1e-12, atol=0)


def test_ntk_aware_in_numbers():
    scaled = ntk_aware_scaling(frequencies(8), 4)
    assert near(scaled, [1, 0.0629960525, 0.00396850263, 0.00025], 1e-10)
    for factor, base in ((2, 20221.26), (4, 40889.94), (8, 82684.62)):
        assert np.allclose(ntk_aware_scaling(frequencies(128), factor), frequencies(128, base), rtol=1e-6, atol=0)


def test_dynamic_ntk_is_a_factor_that_grows_with_the_text():
    """jquesnelle/yarn and transformers: factor f · l/L - (f-1) at length l; f = 2, L = 2048."""
    for length, base in ((2048, 10_000), (4096, 30527.74), (8192, 72195.86)):
        factor = 2 * max(length, 2048) / 2048 - 1
        assert np.allclose(ntk_aware_scaling(frequencies(128), factor), frequencies(128, base), rtol=1e-6, atol=0)


def yarn_of_the_code(h, base, length, factor, fast=32, slow=1):
    """Return YaRN's frequencies by the formulas of LlamaYaRNScaledRotaryEmbedding.py in jquesnelle/yarn."""

    def pair_that_turns(times):
        return h * math.log(length / (times * 2 * math.pi)) / (2 * math.log(base))

    low, high = max(math.floor(pair_that_turns(fast)), 0), min(math.ceil(pair_that_turns(slow)), h - 1)
    high += 0.001 * (low == high)
    w = [base ** (-2 * i / h) for i in range(h // 2)]
    share = [min(max((i - low) / (high - low), 0), 1) for i in range(h // 2)]
    return [v * (1 - s) + v / factor * s for v, s in zip(w, share, strict=True)]


@pytest.mark.parametrize("h", [4, 8, 64, 96, 128])
@pytest.mark.parametrize(
    ("base", "length"), [(10_000, 2048), (10_000, 4096), (500_000, 8192), (150_000, 300), (50, 20)]
)
@pytest.mark.parametrize("factor", [1, 2, 16, 40.5])
def test_the_ramp_over_pairs_is_that_of_the_code(h, base, length, factor):
    scaled = yarn_scaling(frequencies(h, base), factor, length, ramp="pairs")
    assert np.allclose(scaled, yarn_of_the_code(h, base, length, factor), rtol=1e-12, atol=0)


def yarn_of_the_paper(w, factor, length, fast=32, slow=1):
    """Return YaRN's frequencies by Peng et al. (2023), equations 17 to 20."""
    r = length / (2 * math.pi / w)
    share = 0 if r < slow else 1 if r > fast else (r - slow) / (fast - slow)
    return (1 - share) * w / factor + share * w


@given(even_widths, st.floats(1, 64), st.integers(1, 10**6), st.floats(1.5, 1e6))
def test_the_ramp_over_turns_is_that_of_the_paper(h, factor, length, base):
    w = frequencies(h, base)
    expected = [yarn_of_the_paper(v, factor, length) for v in w]
    assert np.allclose(yarn_scaling(w, factor, length), expected, rtol=1e-12, atol=0)


def test_yarn_in_numbers():
    w = frequencies(8)
    assert near(yarn_scaling(w, 4, 2048), [1, 0.1, 0.00304665, 0.00025], 5e-9)
    assert near(yarn_scaling(w, 4, 2048, ramp="pairs"), [1, 0.1, 0.00625, 0.00025])
    w = frequencies(128)  # Llama 2: pairs 0 to 20 as they were, 46 to 63 divided
    for ramp, at_33 in (("turns", 4.9266), ("pairs", 1.8824)):
        divisors = w / yarn_scaling(w, 16, 4096, ramp=ramp)
        assert np.all(divisors[:21] == 1)
        assert np.all((divisors[21:46] > 1) & (divisors[21:46] < 16))
        assert near(divisors[46:], [16] * 18, 1e-12)
        assert near(divisors[33], at_33, 5e-5)


def llama_3(w, factor, length, low=1, high=4):
    """Return frequencies as the code of Llama 3.1 does, which compares wavelengths."""
    wavelength = 2 * math.pi / w
    if wavelength < length / high:
        return w
    if wavelength > length / low:
        return w / factor
    share = (length / wavelength - low) / (high - low)
    return (1 - share) * w / factor + share * w


def test_llama_3_scales_as_yarn_with_other_bounds():
    """apply_scaling in models/llama3/model.py of meta-llama/llama-models: 8, 1, 4 and 8192, base 500000."""
    w = frequencies(128, 500_000)
    scaled = yarn_scaling(w, 8, 8192, fast=4)
    assert np.allclose(scaled, [llama_3(v, 8, 8192) for v in w], rtol=1e-12, atol=0)
    assert near((w / scaled)[29:35], [1.2075, 1.5534, 2.0263, 2.6945, 3.6843, 5.2573], 5e-5)
    assert near(yarn_scaling(frequencies(8), 8, 1024, fast=4), [1, 0.1, 0.00308676, 0.000125], 5e-9)
    rows = scaled_wavelengths(w, 8, 8192)
    assert np.allclose(rows["Llama 3"], 2 * np.pi / scaled, rtol=1e-12, atol=0)
    assert np.allclose(rows["YaRN"], [2 * np.pi / yarn_of_the_paper(v, 8, 8192) for v in w], rtol=1e-12, atol=0)


def test_yarn_raises_scores_by_the_square_of_its_factor():
    """Peng et al. (2023), equations 21 and 22."""
    for factor, expected in ((1, 1), (2, 1.069315), (4, 1.138629), (8, 1.207944), (16, 1.277259), (32, 1.346574)):
        assert near(yarn_attention_factor(factor), expected, 5e-7)
    c = yarn_attention_factor(16)
    assert near(scores_of("RoPE", c * Q, c * K), c**2 * scores_of("RoPE"))


@given(st.integers(2, 32), st.floats(1.5, 1e6), st.integers(1, 10**5))
def test_a_factor_of_one_changes_nothing(pairs, base, length):
    w = frequencies(2 * pairs, base)
    for row in scaled_wavelengths(w, 1, length).values():
        assert np.allclose(row, wavelengths(2 * pairs, base), rtol=1e-14, atol=0)
    assert np.allclose(yarn_scaling(w, 1, length, ramp="pairs"), w, rtol=1e-14, atol=0)


@given(st.integers(2, 32), st.floats(1, 64), st.integers(1, 10**5))
def test_wavelengths_grow_by_the_factor_at_most_and_stay_in_order(pairs, factor, length):
    w = frequencies(2 * pairs)
    rows = scaled_wavelengths(w, factor, length)
    assert list(rows) == ["none", "interpolation", "NTK-aware", "YaRN", "Llama 3"]
    for row in rows.values():
        growth = row / wavelengths(2 * pairs)
        assert np.all((growth > 1 - 1e-12) & (growth < factor * (1 + 1e-12)))
        assert np.all(np.diff(row) > 0)
    assert np.allclose(rows["interpolation"], factor * rows["none"], rtol=1e-14, atol=0)
    assert np.isclose(rows["NTK-aware"][-1], rows["interpolation"][-1], rtol=1e-12)
    assert rows["NTK-aware"][0] == rows["none"][0]


def test_frequencies_handed_over_are_left_alone():
    w = frequencies(8)
    scaled_wavelengths(w, 4, 100)
    yarn_scaling(w, 4, 100, ramp="pairs")
    assert np.array_equal(w, frequencies(8))


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: rotate([1, 2, 3], 0), ValueError, "w must be given for 3 columns, an odd number"),
        (lambda: rotate(1.0, 0), ValueError, "x must have shape (..., h), h above 0, got shape ()"),
        (lambda: rotate(np.zeros((2, 0)), 0), ValueError, "x must have shape (..., h), h above 0, got shape (2, 0)"),
        (lambda: rotate([NAN, 1], 0), ValueError, "x must be finite, got nan"),
        (lambda: rotate(["a", "b"], 0), TypeError, "x must be an array of real numbers"),
        (lambda: rotate([1j, 0], 0), TypeError, "x must be an array of real numbers"),
        (
            lambda: rotate(np.ones((3, 2)), [0, 1]),
            ValueError,
            "positions must fit x (3, 2), one for each row, got shape (2,)",
        ),
        (lambda: rotate([1, 0], NAN), ValueError, "positions must be finite and lie between -2**53 and 2**53, got nan"),
        (lambda: rotate([1, 0], 2.0**54), ValueError, "positions must be finite and lie between"),
        (lambda: rotate([1, 0], [True]), TypeError, "positions must be an array of real numbers, got dtype bool"),
        (lambda: rotate([1, 0], 1e10, [1e300]), ValueError, "w must be smaller for positions up to 1e+10"),
        (lambda: rotate([1, 0], 1, [1, 0.1]), ValueError, "w must have one frequency for every two of the 2 columns"),
        (lambda: rotate([1, 0], 1, []), ValueError, "w must be a row of 1 or more frequencies above 0, got []"),
        (lambda: rotate([1, 0], 1, [0.0]), ValueError, "w must be a row of 1 or more frequencies above 0, got [0.0]"),
        (lambda: rotate([1, 0], 1, [[1.0]]), ValueError, "w must be a row of 1 or more frequencies above 0"),
        (
            lambda: rotate([1, 0], 1, layout="split"),
            ValueError,
            "layout must be one of 'interleaved', 'halves', got 'split'",
        ),
        (lambda: learned_encoding([1, 2], 0), ValueError, "table must have rows and columns, got shape (2,)"),
        (
            lambda: learned_encoding(np.zeros((0, 2)), []),
            ValueError,
            "table must have rows and columns, got shape (0, 2)",
        ),
        (lambda: learned_encoding([[1, INF]], 0), ValueError, "table must be finite, got inf"),
        (lambda: learned_encoding([[1, 2]], 0.5), ValueError, "positions must be whole numbers, got 0.5"),
        (lambda: learned_encoding([[1], [2, 3]], 0), TypeError, "table must be an array of real numbers"),
        (lambda: t5_buckets([0.5]), ValueError, "offsets must be whole numbers, got 0.5"),
        (lambda: t5_buckets([2**60]), ValueError, "offsets must be finite and lie between -2**53 and 2**53"),
        (lambda: t5_buckets([1], buckets=31), ValueError, "buckets must be even, half of them for each side, got 31"),
        (lambda: t5_buckets([1], buckets=2), ValueError, "buckets must be an integer of at least 4, got 2"),
        (
            lambda: t5_buckets([1], buckets=1, causal=True),
            ValueError,
            "buckets must be an integer of at least 2, got 1",
        ),
        (lambda: t5_buckets([1], buckets=32.0), TypeError, "buckets must be an integer of at least 4, got 32.0"),
        (lambda: t5_buckets([1], max_distance=8), ValueError, "max_distance must be an integer of at least 9, got 8"),
        (lambda: t5_buckets([1], causal=1), TypeError, "causal must be True or False, got 1"),
        (lambda: t5_bias([1, 2, 3, 4], 3), ValueError, "table must have rows and columns, got shape (4,)"),
        (lambda: t5_bias([[1]] * 3, 3), ValueError, "buckets must be an integer of at least 4, got 3"),
        (lambda: t5_bias([[1]] * 4, 0), ValueError, "length must be a positive integer, got 0"),
        (lambda: alibi_slopes(0), ValueError, "heads must be a positive integer, got 0"),
        (lambda: alibi_slopes(8.0), TypeError, "heads must be a positive integer, got 8.0"),
        (lambda: alibi_slopes(True), TypeError, "heads must be a positive integer, got True"),
        (lambda: alibi_bias(8, 0), ValueError, "length must be a positive integer, got 0"),
        (lambda: alibi_bias(8, "9"), TypeError, "length must be a positive integer, got '9'"),
        (
            lambda: scores_of("rope"),
            ValueError,
            "scheme must be one of 'none', 'sinusoidal', 'learned', 'T5', 'ALiBi', 'RoPE'",
        ),
        (lambda: scores_of(None), TypeError, "scheme must be one of"),
        (
            lambda: scores_of("none", length=8),
            ValueError,
            "q must have shape (8, h) or (h,), h above 0, got shape (9, 6)",
        ),
        (lambda: scores_of("none", q=[]), ValueError, "q must have shape (9, h) or (h,), h above 0, got shape (0,)"),
        (lambda: scores_of("none", k=3), ValueError, "k must have shape (9, h) or (h,), h above 0, got shape ()"),
        (lambda: scores_of("none", k=K[:, :4]), ValueError, "k must have as many columns as q, 6, got 4"),
        (lambda: scores_of("none", length=0), ValueError, "length must be a positive integer, got 0"),
        (lambda: scores_of("none", start=0.5), TypeError, "start must be an integer, got 0.5"),
        (lambda: scores_of("none", causal=None), TypeError, "causal must be True or False, got None"),
        (lambda: scores_of("RoPE", start=2**53), ValueError, "positions must be finite and lie between"),
        (lambda: scores_of("RoPE", Q[:, :5], K[:, :5]), ValueError, "w must be given for 5 columns, an odd number"),
        (
            lambda: scores_of("sinusoidal", Q[:, :5], K[:, :5]),
            ValueError,
            "w must be given for 5 columns, an odd number",
        ),
        (lambda: scores_of("sinusoidal", w=[1]), ValueError, "sinusoidal positions must be as wide as q, 6, got 2"),
        (
            lambda: scores_of("learned", table=np.ones((9, 4))),
            ValueError,
            "learned positions must be as wide as q, 6, got 4",
        ),
        (lambda: scores_of("learned", table=np.ones((8, 6))), ValueError, "positions must lie between 0 and 7"),
        (
            lambda: scores_of("learned", start=-1),
            ValueError,
            "positions must lie between 0 and 199, the rows of the table, got -1",
        ),
        (lambda: attention_scores("T5", Q, K, 9), ValueError, "table must have rows and columns, got shape (0,)"),
        (lambda: scores_of("T5", head=4), ValueError, "head must lie between 0 and 3, got 4"),
        (lambda: scores_of("ALiBi", head=-1), ValueError, "head must lie between 0 and 7, got -1"),
        (lambda: scores_of("ALiBi", head=1, heads=1), ValueError, "head must lie between 0 and 0, got 1"),
        (lambda: scores_of("ALiBi", head="a"), TypeError, "head must be an integer, got 'a'"),
        (lambda: position_interpolation([1, -1], 2), ValueError, "w must be a row of 1 or more frequencies above 0"),
        (lambda: position_interpolation([1], 0.5), ValueError, "factor must be 1 or more, got 0.5"),
        (lambda: position_interpolation([1], NAN), ValueError, "factor must be a finite number, got nan"),
        (lambda: position_interpolation([1], "2"), TypeError, "factor must be a number, got '2'"),
        (
            lambda: ntk_aware_scaling([1], 2),
            ValueError,
            "w must be a row of 2 or more frequencies above 0, got [1] (list)",
        ),
        (lambda: yarn_scaling([1], 2, 0), ValueError, "trained_length must be 1 or more, got 0"),
        (lambda: yarn_scaling([1], 2, 9, slow=32), ValueError, "slow must be above 0 and below fast, got 32 and 32"),
        (lambda: yarn_scaling([1], 2, 9, slow=0), ValueError, "slow must be above 0 and below fast, got 0 and 32"),
        (
            lambda: yarn_scaling([1], 2, 9, ramp="steps"),
            ValueError,
            "ramp must be one of 'turns', 'pairs', got 'steps'",
        ),
        (lambda: yarn_scaling([1], 2, 9, ramp="pairs"), ValueError, "w must be a row of 2 or more frequencies above 0"),
        (lambda: yarn_scaling([1, 0.5, 0.1], 2, 9, ramp="pairs"), ValueError, "w must fall by the same factor"),
        (lambda: yarn_scaling([1, 1], 2, 9, ramp="pairs"), ValueError, "w must fall by the same factor"),
        (lambda: yarn_attention_factor(0), ValueError, "factor must be 1 or more, got 0"),
        (lambda: scaled_wavelengths([1], 2, 9), ValueError, "w must be a row of 2 or more frequencies above 0"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, error, sentence):
    with pytest.raises(error, match=re.escape(sentence)) as caught:
        call()
    assert type(caught.value) is error
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "call",
    [
        lambda: alibi_slopes(10**15),
        lambda: alibi_bias(8, 10**7),
        lambda: t5_bias([[1]] * 4, 10**7),
        lambda: attention_scores("none", [1], [1], 10**7),
        lambda: rotate(np.zeros((20_000, 2)), np.zeros((20_000, 1))),
    ],
)
def test_a_table_larger_than_anyone_means_is_refused(call):
    with pytest.raises(ValueError, match=r"a table of .* numbers is larger than 2\*\*28"):
        call()
