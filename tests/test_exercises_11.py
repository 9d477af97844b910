"""The exercises of notebook 11 know the answers that learners give, and say to each what to look at."""

import numpy as np
import pytest
from exercise_answers import told

from pe_lib import alibi_bias, check, frequencies, ntk_aware_scaling, rotate, yarn_scaling
from pe_lib.exercises import exercises


def offset(length):
    return np.arange(length) - np.arange(length)[:, np.newaxis]


def halves(weights, h, first=0):
    order = np.concatenate([np.arange(first, h, 2), np.arange(1 - first, h, 2)])
    heads = weights.reshape(len(weights), -1, h)[..., order]
    return heads.reshape(weights.shape)


def across_heads(weights, _):
    return np.concatenate([weights[:, 0::2], weights[:, 1::2]], axis=1)


def pairs_again(weights, h):
    order = np.argsort([*range(0, h, 2), *range(1, h, 2)])
    return weights.reshape(len(weights), -1, h)[..., order].reshape(weights.shape)


def yarn(w, factor, trained, turn=2 * np.pi):
    kept = np.clip((trained * w / turn - 1) / 31, 0, 1)
    return kept * w + (1 - kept) * w / factor


def of_wavelengths(w, factor, trained):
    kept = np.clip((trained * w / (2 * np.pi) - 1) / 31, 0, 1)
    return 1 / (kept / w + (1 - kept) * factor / w)


test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        ("the price of distance", lambda slope, n: slope * np.abs(offset(n)), "nearly", "distance pays"),
        ("the price of distance", lambda slope, n: slope * offset(n), "nearly", "keys to the right win"),
        ("the price of distance", lambda slope, n: -slope * offset(n), "nearly", "keys to the left win"),
        ("the price of distance", lambda _, n: -np.abs(offset(n)), "wrong", "What does each place cost"),
        ("the price of distance", lambda slope, n: np.exp(-slope * np.abs(offset(n))), "nearly", "before it"),
        ("the price of distance", lambda _, n: -0.5 * np.abs(offset(n)), "nearly", " is not yet."),
        ("a base for the factor", lambda base, _, factor: base * factor, "nearly", "a little less than the factor"),
        ("a base for the factor", lambda base, h, factor: base * factor ** ((h - 2) / h), "nearly", "upside down"),
        ("a base for the factor", lambda _, h, factor: factor ** (h / (h - 2)), "nearly", "By so much"),
        ("a base for the factor", lambda base, h, factor: base / factor ** (h / (h - 2)), "wrong", "turn faster"),
        (
            "a base for the factor",
            lambda base, h, factor: (base * factor) ** (h / (h - 2)),
            "nearly",
            "Only the factor is raised",
        ),
        ("from one layout to the other", lambda weights, h: halves(weights, h, 1), "nearly", "Odd columns first"),
        ("from one layout to the other", across_heads, "nearly", "two heads are mixed"),
        ("from one layout to the other", pairs_again, "nearly", "the way back"),
        ("from one layout to the other", lambda weights, _: weights, "wrong", "Nothing has moved"),
        ("YaRN by hand", lambda *a: yarn_scaling(*a, ramp="pairs"), "nearly", "by pairs"),
        ("YaRN by hand", lambda *a: yarn_scaling(*a, fast=4), "nearly", "Llama 3.1"),
        (
            "YaRN by hand",
            lambda w, factor, trained: w + w / factor - yarn(w, factor, trained),
            "nearly",
            "slow ones kept",
        ),
        ("YaRN by hand", of_wavelengths, "nearly", "Mix the frequencies"),
        ("YaRN by hand", lambda *a: yarn(*a, turn=1), "nearly", "radians"),
        ("YaRN by hand", lambda w, factor, _: w / factor, "wrong", "interpolation"),
        ("YaRN by hand", lambda w, *_: w, "wrong", "Nothing has changed"),
    ]
)


def test_the_right_answers_are_right():
    assert check("the price of distance", lambda slope, n: 2 * slope * alibi_bias(8, n)[0]).kind == "right"
    assert check("a base for the factor", lambda base, h, factor: base * factor ** (h / (h - 2))).kind == "right"
    assert check("from one layout to the other", halves).kind == "right"
    assert check("YaRN by hand", yarn).kind == "right"


@pytest.mark.parametrize("h", [6, 8, 64])
def test_weights_in_halves_turn_as_those_in_pairs(h):
    rng = np.random.default_rng(h)
    x, weights = rng.normal(size=5), rng.normal(size=(5, h))
    in_halves = rotate(x @ halves(weights, h), 7, layout="halves")
    assert np.allclose(in_halves, halves(rotate(x @ weights, 7)[np.newaxis], h)[0])


@pytest.mark.parametrize("h", [8, 128])
def test_the_larger_base_is_ntk_aware_scaling(h):
    base = 10_000 * 4 ** (h / (h - 2))
    assert np.allclose(frequencies(h, base), ntk_aware_scaling(frequencies(h), 4))


def test_the_inputs_tell_the_two_ramps_and_the_two_ways_of_the_order_apart():
    for w, factor, trained in exercises()["YaRN by hand"].inputs:
        assert not np.allclose(yarn(w, factor, trained), yarn_scaling(w, factor, trained, ramp="pairs"))
    for weights, h in exercises()["from one layout to the other"].inputs:
        assert not np.allclose(halves(weights, h), pairs_again(weights, h))
