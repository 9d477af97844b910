"""The exercises of notebook 12, *Diagnose a broken encoding*."""

import numpy as np

from pe_diagnosis import diagnose
from pe_exercises.comparing import PRINTED, diagnosed, same
from pe_exercises.engine import exercise
from pe_lib.clinic import broken_encoding, case, pair_speeds
from pe_lib.encoding import encode_positions, sinusoidal_encoding


@exercise(
    hint="""Begin with two measurements: do all hands have length 1, and what is the speed of pair 0? If a length
        isn't 1, look at sines and cosines separately.""",
    wrong=[
        (["cosine-exponent", "pair-from-one"], "Close. These are the two, in the other order: L first."),
        (
            ["base", "cosine-exponent"],
            "M is right. For L, look at the speed of pair 0. No base changes it.",
        ),
        (["exponent-doubled", "cosine-exponent"], "M is right. For L, divide each speed by the one before."),
        (
            ["own-frequencies", "cosine-exponent"],
            "M is right. For L, measure the hands: is every length 1?",
        ),
        (
            ["pair-from-one", "own-frequencies"],
            "L is right. For M: are the even columns of row 1 wrong?",
        ),
        (["pair-from-one", "base"], "L is right. For M, measure the hands: is every length 1?"),
        (
            ["pair-from-one", "exponent-doubled"],
            "L is right. For M: are both columns of a pair doubled?",
        ),
    ],
    otherwise="""Measure with pair_lengths and pair_speeds: is every length 1, and what is the speed of pair 0?
        (Write two of the list's names, spelled as they are there.)""",
)
def name_two_mistakes():
    """In case L every hand has length 1, and each speed is 0.5623 of the one before, as it should be. But the first is
    0.5623 too, where 1 belongs: the pairs are counted from 1. In case M, some lengths aren't 1, while the sines alone
    have all the right frequencies: the cosines' exponent is doubled.

    `np.arcsin(case("M")[1, 0::2])` shows the frequencies 1, 0.5623, 0.3162 of the sines, and
    `np.arccos(case("M")[1, 1::2])` shows 1, 0.3162, 0.1, every second one. If all lengths are 1,
    measure the pairs' speeds; if not, single columns.
    """
    return ["pair-from-one", "cosine-exponent"]


# Position of the first row, width and base. In the last two both hands pass an angle where it jumps: the slow one a
# quarter, and then half a turn.
TWO_ROWS = (0, 6, 1e4), (7, 6, 500.0), (30, 32, 1e6), (0, 4, 100.0), (15, 4, 100.0), (31, 4, 100.0)


def turns(rows, angle):
    """Return by how much an angle, of the sines and cosines, grows from the first row to the second."""
    first, second = angle(rows[:, 0::2], rows[:, 1::2])
    return second - first


def from_one_turn(angle):
    return lambda rows: turns(rows, angle)[1] ** (-rows.shape[1] / 2)


def from_two_turns(angle):
    return lambda rows: (turns(rows, angle)[0] / turns(rows, angle)[1]) ** (rows.shape[1] / 2)


ANGLES = [lambda sines, _: np.arcsin(sines), lambda sines, cosines: np.arctan(sines / cosines), np.arctan2]
JUMPS = """Between these two rows the angle that you measure jumps: `np.arcsin` and `np.arctan` cover a quarter
    turn to either side, `np.arctan2` half a turn. By how much has the hand turned?"""


@exercise(
    hint="""The speed of pair 1 is base to the power -2 / d_model. Which power of it is the base? `pair_speeds` measures
        the speeds.""",
    inputs=[(encode_positions([k, k + 1], d_model, base=base),) for k, d_model, base in TWO_ROWS],
    wrong=[
        (
            lambda rows: 1 / pair_speeds(rows)[1],
            "This is one step from pair to pair. How many steps make the base?",
        ),
        (lambda rows: 1 / pair_speeds(rows)[-1], "The last pair's divisor stops one step short of the base."),
        (
            lambda rows: pair_speeds(rows)[1] ** -float(rows.shape[1]),
            "This is the square of the base: there are d_model / 2 pairs.",
        ),
        (lambda rows: pair_speeds(rows)[1] ** (rows.shape[1] / 2), "This is one over the base."),
        (
            lambda rows: np.abs(np.arcsin(rows[1, 2])) ** (-rows.shape[1] / 2),
            """The arc sine of the second row is the speed only if the first row is position 0. Measure how far the
            hand turns between the two.""",
        ),
        *((base(angle), JUMPS) for angle in ANGLES for base in (from_one_turn, from_two_turns)),
    ],
)
def the_base_from_two_rows(two_rows):
    """From pair to pair the speed is divided by base to the power 2 / d_model, and d_model / 2 such steps make up
    the whole base. Only the step between the two rows counts: it doesn't matter where they begin.

    Two pairs are enough if the numbers are exact. If they are rounded, the fast pairs are better witnesses than all
    pairs together: the slow ones hardly turn between two rows, so rounding is a large part of what they show.
    """
    w = pair_speeds(two_rows)
    return (w[0] / w[1]) ** (two_rows.shape[1] / 2)


@exercise(
    name="repair the note's formula",
    hint="""One of the two exponents has a divisor of its own. In the paper, what does the cosine of a pair share with
        its sine?""",
    inputs=[(5, 6), (7, 8), (12, 32)],
    wrong=[
        (
            lambda length, d_model: broken_encoding(length, d_model, rule="2i doubled"),
            "They share their frequency now, but it's the cosine's, and the sine's was the right one.",
        ),
        (
            lambda length, d_model: case("M", length, d_model),
            "Nothing has changed yet: the cosines still have d_model / 2.",
        ),
    ],
    otherwise=diagnosed,
)
def repair_the_notes_formula(length, d_model):
    """Sine and cosine of a pair share one frequency: both exponents are 2i / d_model. Then a shift rotates the pair
    as a whole, and every hand has length 1.
    """
    pos, i = np.arange(length)[:, np.newaxis], np.arange(d_model // 2)
    PE = np.empty((length, d_model))
    PE[:, 0::2] = np.sin(pos / 10_000 ** (2 * i / d_model))
    PE[:, 1::2] = np.cos(pos / 10_000 ** (2 * i / d_model))
    return PE


def look_at_the_order(matrix):
    right, found = sinusoidal_encoding(6, 8), diagnose(matrix)
    if same(matrix, right) or (found.ok and np.allclose(matrix, right, rtol=0, atol=0.06)):  # it may be rounded
        return "This is right, but it's the paper's own: sines and cosines take turns."
    if found.ok:
        return ""
    equal = np.isclose(matrix[:, :, np.newaxis], right[:, np.newaxis], rtol=0, atol=PRINTED).all(axis=0)
    if (equal.sum(axis=0) == 1).all() and (equal.sum(axis=1) == 1).all():
        return """All columns are the right ones, and a network could learn with this order too. But `diagnose`
            only passes orders that well-known programs use. Which order did case J have?"""
    return " ".join(each.message for each in found.findings)


@exercise(
    name="another order, still right",
    hint="""`layout` of `sinusoidal_encoding` has a second value. Or put the columns of the right matrix in the order of
        case J.""",
    judge=look_at_the_order,
)
def another_order_and_right():
    """All sines first, all cosines first, and exponents that reach 1 are all in use. None of them is a
    mistake, as long as the weights are trained with that table.

    Without `layout`, take the even columns of the right matrix, then the odd ones.
    """
    return sinusoidal_encoding(6, 8)[:, [0, 2, 4, 6, 1, 3, 5, 7]]
