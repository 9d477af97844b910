"""The exercises of notebook 08 know the answers that learners give, and say to each what to look at."""

import numpy as np
import pytest
from exercise_answers import told

from pe_lib import check, distance, encode_positions, frequencies, round_to, sinusoidal_encoding


def too_early(length, d_model):
    pos, w = np.arange(length, dtype=np.float16)[:, np.newaxis], frequencies(d_model).astype(np.float16)
    table = np.empty((length, d_model), dtype=np.float16)
    table[:, 0::2], table[:, 1::2] = np.sin(pos * w), np.cos(pos * w)
    return table


def angles_in_float32(length, d_model):
    angle = (np.arange(length)[:, np.newaxis] * frequencies(d_model)).astype(np.float32)
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(length, d_model).astype(np.float16)


def halves(length, d_model):
    return sinusoidal_encoding(length, d_model, layout="halves", dtype=np.float16)


def positions_in_float16(length, d_model):
    return encode_positions(round_to(np.arange(length), "float16"), d_model).astype(np.float16)


def doubled(length, d_model, sign=1, whole=False):
    hands = np.ones((1, d_model // 2), complex)
    while len(hands) < length:
        hands = np.concatenate([hands, hands * np.exp(sign * 1j * len(hands) * frequencies(d_model))])
    hands = hands if whole else hands[:length]
    return np.stack([hands.imag, hands.real], axis=2).reshape(len(hands), d_model)


def places_behind_the_point(x, bits):
    return np.round(x * 2**bits) / 2**bits


def decimal_places(x, bits):
    part, exponent = np.frexp(x)
    return np.ldexp(np.round(part, bits), exponent)


def by_logarithm(x, bits):  # cannot do 0
    with np.errstate(divide="ignore", invalid="ignore"):
        step = 2.0 ** (np.floor(np.log2(np.abs(x))) + 1 - bits)
        return np.round(x / step) * step


def always_bfloat16(x, bits):
    return round_to(x, "bfloat16") if bits else x


def one_too_small(d_model, up_to):
    return distance(np.arange(1, up_to + 1), d_model).argmin()


def without_the_last(d_model, up_to):
    return 1 + distance(np.arange(1, up_to), d_model).argmin()


def from_offset_0(d_model, up_to):
    return distance(np.arange(up_to + 1), d_model).argmin()


test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        ("the end of counting in float32", 2**24 + 1, "nearly", "the second of the two"),
        ("the end of counting in float32", 2**24 - 1, "nearly", "24 ones"),
        ("the end of counting in float32", 2**32, "wrong", "One is for the sign"),
        ("the end of counting in float32", 2**23, "nearly", "2^23 + 1 still has its place"),
        ("the end of counting in float32", [2**24], "nearly", "in a list"),
        ("the end of counting in float32", "16777216", "nearly", "Leave the quotation marks out"),
        ("the end of counting in float32", "2**24", "wrong", "is a text"),
        ("the nearest return", one_too_small, "nearly", "argmin"),
        ("the nearest return", from_offset_0, "wrong", "the position itself"),
        ("the nearest return", without_the_last, "nearly", "has not been tried"),
        ("the nearest return", lambda *_: 44, "nearly", " is not yet."),
        (
            "the nearest return",
            lambda d_model, up_to: distance(np.arange(1, up_to + 1), d_model).min(),
            "nearly",
            "how near it comes",
        ),
        ("any number of bits", places_behind_the_point, "wrong", "places behind the point"),
        ("any number of bits", lambda x, bits: x + 0 * bits, "wrong", "Hardly anything has been rounded"),
        ("any number of bits", decimal_places, "wrong", "decimal places"),
        ("any number of bits", always_bfloat16, "nearly", " is not yet."),
        ("any number of bits", by_logarithm, "nearly", "not finite"),
        ("a table worth its bits", too_early, "wrong", "rounded before the sines?"),
        ("a table worth its bits", positions_in_float16, "wrong", "rounded before the sines?"),
        ("a table worth its bits", halves, "wrong", "Row 0 is off already"),
        ("a table worth its bits", angles_in_float32, "nearly", "In which type are your angles?"),
        ("a table worth its bits", lambda n, d: sinusoidal_encoding(n, d).round(3), "nearly", "rounded to 3 decimals"),
        (
            "a table worth its bits",
            lambda n, d: sinusoidal_encoding(n, d).round(3).astype(np.float16),
            "nearly",
            "rounded to 3 decimals",
        ),
        ("a table worth its bits", sinusoidal_encoding, "nearly", "stored as float64"),
        ("a table worth its bits", lambda length, d_model: np.zeros((d_model, length)), "wrong", "shape (2500, 16)"),
        ("doubling", lambda length, d_model: doubled(length, d_model, sign=-1), "nearly", "Which sign"),
        ("doubling", lambda length, d_model: doubled(length, d_model, whole=True), "nearly", "(16, 6)"),
        (
            "doubling",
            lambda length, d_model: (
                sinusoidal_encoding(length, d_model).reshape(length, -1, 2)[..., ::-1].reshape(length, -1)
            ),
            "nearly",
            "real part",
        ),
    ]
)


@pytest.mark.parametrize("whole_number", [2**24, float(2**24), np.int64(2**24), np.float32(2**24)])
def test_a_number_counts_in_whatever_type_it_comes(whole_number):
    assert check("the end of counting in float32", whole_number).kind == "right"


def test_the_library_with_a_type_is_right_too():
    assert check("a table worth its bits", lambda n, d: sinusoidal_encoding(n, d, dtype=np.float16)).kind == "right"
    assert check("doubling", sinusoidal_encoding).kind == "right"
    assert check("doubling", doubled).kind == "right"
