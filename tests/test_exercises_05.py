"""Promise: the exercises of notebook 05 tell the wrong answers that learners give what to look at."""

import numpy as np
import pytest
from exercise_answers import taken, told

from pe_lib import bits, frequencies, sinusoidal_encoding

GRAY = [0, 1, 3, 2, 6, 7, 5, 4, 12, 13, 15, 14, 10, 11, 9, 8]


def rows_of(angles, join=lambda sines, cosines: np.concatenate([sines, cosines], axis=1)):
    """Make an answer to the second exercise of a function that returns angles."""
    return lambda w, length: join(np.sin(angles(w, length)), np.cos(angles(w, length)))


def angles(w, length):
    return np.arange(length)[:, np.newaxis] * w


def rounded(decimals):
    return lambda w, length: rows_of(angles)(w, length).round(decimals)


test_a_wrong_answer_is_told_what_to_look_at = told(
    [
        ("hands like those of a wall clock", 60, "wrong", "60 is to be the ratio"),
        ("hands like those of a wall clock", 60**3, "nearly", "one step more"),
        ("hands like those of a wall clock", 60**8, "nearly", "You undid 1/8"),
        ("hands like those of a wall clock", 60**0.25, "wrong", "the base is what it is of"),
        ("hands like those of a wall clock", 10_000, "wrong", "With base 10000 each hand is 10 times as fast"),
        ("hands like those of a wall clock", 60**-4, "wrong", "each hand is slower than the next"),
        ("hands like those of a wall clock", 60**4 + 30, "nearly", "each hand is 60.00003 times"),
        ("hands like those of a wall clock", 0, "wrong", "A base is a number above 0"),
        ("hands like those of a wall clock", -60, "wrong", "A base is a number above 0"),
        ("hands like those of a wall clock", "60 ** 4", "wrong", "It is a text. Numbers are asked for"),
        ("hands like those of a wall clock", frequencies(8, 60**4), "wrong", "A single number is asked for"),
        ("random frequencies", rounded(3), "nearly", "rounded to 3 decimals"),
        ("random frequencies", rounded(1), "nearly", "rounded to 1 decimal."),
        ("random frequencies", lambda w, length: rows_of(angles)(w, length) + 1e-4, "wrong", "0 is 2.0004, and the"),
        (
            "random frequencies",
            lambda w, length: np.sin(angles(w, length)),
            "wrong",
            "How many columns does each frequency need?",
        ),
        ("random frequencies", lambda w, length: sinusoidal_encoding(length, 2 * len(w)), "nearly", "the paper's"),
        ("random frequencies", rows_of(lambda w, length: angles(1 / w, length)), "nearly", "as if these were divisors"),
        ("random frequencies", rows_of(lambda w, length: 2 * np.pi * angles(w, length)), "nearly", "2π is too much"),
        ("random frequencies", rows_of(lambda w, length: np.degrees(angles(w, length))), "nearly", "in degrees"),
        ("random frequencies", rows_of(lambda w, length: np.radians(angles(w, length))), "nearly", "radians already"),
        ("random frequencies", rows_of(lambda w, length: angles(1, length) / 10000**w), "nearly", "raised to `w`"),
        (
            "random frequencies",
            lambda w, n: np.cos(angles(w, n)[:, None] - angles(w, n)).sum(2),
            "nearly",
            "dot products",
        ),
        (
            "random frequencies",
            rows_of(angles, lambda *both: np.concatenate(both)),
            "wrong",
            "beside the sines, not below",
        ),
        ("random frequencies", rows_of(angles, lambda *both: np.stack(both, axis=2)), "nearly", "shape (3, 2, 2)"),
        ("random frequencies", rows_of(angles, lambda *both: np.stack(both)), "wrong", "is to have one row"),
        ("random frequencies", rows_of(angles, lambda *both: np.hstack(both).T), "nearly", "exchanged"),
        ("random frequencies", rows_of(angles, lambda *both: np.hstack(both) / 2), "nearly", "0.25 times"),
        ("random frequencies", rows_of(angles, lambda s, _: np.hstack([s, s])), "wrong", "rows 0 and 0 is 0, and"),
        ("random frequencies", rows_of(angles, lambda s, c: np.hstack([s, c / 0])), "wrong", "not finite"),
        ("bits that do not jump", [f"{code:04b}" for code in GRAY], "wrong", "the bits 11 are the number 3, or 0b11"),
        ("bits that do not jump", [0, 1] * 8, "wrong", "14 numbers are missing; the first is 2."),
        ("bits that do not jump", ["0", "1", "3", "2"] * 4, "wrong", "without quotation marks."),
        ("bits that do not jump", [None] * 16, "wrong", "It holds None"),
        ("bits that do not jump", range(8), "wrong", "A list of sixteen numbers is asked for"),
        ("bits that do not jump", range(16), "wrong", "leads from 1 to 2, 0001 to 0010: 2 bits"),
        ("bits that do not jump", [0, 1, 3, 2, 4, 5, 7, 6, *range(8, 16)], "wrong", "from 2 to 4, 0010 to 0100"),
        ("bits that do not jump", [*GRAY[:14], 8, 9], "nearly", "At 14 of 15 steps"),
        ("bits that do not jump", GRAY[:8], "nearly", "doubles it once more"),
        ("bits that do not jump", GRAY[:8] * 2, "wrong", "8 numbers are missing; the first is 8"),
        ("bits that do not jump", [*GRAY[:15], 16], "wrong", "One number is missing: 8."),
        ("bits that do not jump", bits(GRAY, 4), "nearly", "rows of bits"),
        ("bits that do not jump", [int(f"{code:b}") for code in GRAY], "nearly", "Python reads 11 as eleven"),
        ("bits that do not jump", np.array(GRAY) / 2, "wrong", "not whole"),
        ("bits that do not jump", [np.nan] * 16, "wrong", "not whole"),
        ("bits that do not jump", 8, "wrong", "A list of sixteen numbers is asked for"),
        ("where the signs are bits", lambda n: n, "wrong", "Are your positions stretched?"),
        ("where the signs are bits", lambda n: n + 0.5, "wrong", "Are your positions stretched?"),
        ("where the signs are bits", lambda n: np.pi * n, "nearly", "it is changing its sign there"),
        ("where the signs are bits", lambda n: 2 * np.pi * (n + 0.5), "wrong", "a whole turn"),
        ("where the signs are bits", lambda n: np.pi * (n - 0.5), "nearly", "the bits of n - 1"),
        ("where the signs are bits", lambda n: np.pi * (n + 1.5), "nearly", "the bits of n + 1"),
        ("where the signs are bits", lambda n: -np.pi * (n + 0.5), "nearly", "the other way round"),
        ("where the signs are bits", lambda n: 180 * (n + 0.5), "wrong", "in radians"),
        (
            "where the signs are bits",
            lambda _: np.pi / 2,
            "wrong",
            "shape (16,) is asked for, and yours is a single number",
        ),
        ("where the signs are bits", lambda n: np.pi / 2 * (n + 0.5), "wrong", "For n = 1 the signs read 0000"),
        ("where the signs are bits", lambda _: np.pi * (np.arange(16) + 0.5), "nearly", "yours has shape (16,)"),
        ("where the signs are bits", lambda n: np.inf * (n + 1), "wrong", "not finite"),
    ]
)


test_a_right_answer_is_right_in_whatever_form = taken(
    [
        ("hands like those of a wall clock", 12_960_000.0),
        ("random frequencies", rows_of(angles)),
        ("random frequencies", lambda w, length: rounded(4)(w, length).tolist()),
        ("random frequencies", rounded(5)),
        ("random frequencies", rows_of(angles, lambda s, c: np.stack([-c, s], axis=2).reshape(len(s), -1))),
        ("random frequencies", rows_of(angles, lambda s, c: np.hstack([c, s]).astype(np.float32))),
        ("random frequencies", rows_of(angles, lambda s, c: np.hstack([c, s]).astype(np.float16))),
        ("bits that do not jump", GRAY[::-1]),
        ("bits that do not jump", np.array(GRAY, float)),
        ("bits that do not jump", [15 - code for code in GRAY]),
        ("where the signs are bits", lambda n: np.pi * n + 0.1),
        ("where the signs are bits", lambda n: [np.pi * (number + 0.9) for number in n]),
        ("where the signs are bits", lambda n: np.pi * (n + 16.5)),
    ]
)


def orders(start=(0,)):
    """Return all orders of 0 to 15 in which one bit changes at every step, from a number on."""
    if len(start) == 16:
        return [start]
    on = [start[-1] ^ bit for bit in (1, 2, 4, 8)]
    return [order for number in on if number not in start for order in orders((*start, number))]


def test_every_order_without_jumps_has_two_distances_three_places_apart():
    found = orders()
    assert len(found) == 5712  # from 0; from another number they are the same with some bits turned over
    for order in found:
        codes = np.array(order)
        assert {int(code).bit_count() for code in codes[3:] ^ codes[:-3]} == {1, 3}


def test_what_the_exercises_say_of_ratios_is_so():
    for base, ratio in ((60**4, 60), (60, 2.783), (60**2, 7.746), (60**8, 3600)):
        w = frequencies(8, base)
        assert w[0] / w[1] == pytest.approx(ratio, abs=5e-4)
    assert frequencies(8, 60)[0] / frequencies(8, 60**4)[-1] == pytest.approx(60**3)
