"""The exercises of notebook 04, *Read the waves*."""

import numpy as np

from pe_exercises.comparing import apart
from pe_exercises.engine import exercise
from pe_lib.encoding import sinusoidal_encoding
from pe_lib.properties import wavelengths

TURN = 2 * np.pi


@exercise(
    hint="Sines start at 0. Which three columns are left, and what are their divisors?",
    wrong=[
        (2, "The wavelength is right, but column 2 starts at 0. Which column shares its divisor?"),
        (1, "Column 1 starts at 1, but repeats after 6.3 positions. Or did you mean pair 1?"),
        (4, "Column 4 starts at 0: it's a sine. If you counted from 1, count from 0."),
        (5, "Column 5 starts at 1, but it's slower: it repeats after 2916.4 positions."),
        (0, "Column 0 starts at 0, and repeats after 6.3 positions. Look for one that starts at 1."),
    ],
)
def name_the_column():
    """What starts at 1 is a cosine, in an odd column. 135.4 is 2π times 21.5443, the divisor of pair 1. The
    cosine of pair `i` is in column `2i + 1`, which is 3.
    """
    i = 1
    return 2 * i + 1


@exercise(
    hint="What is the largest `i`? Put it into 2π · base^(2i/d_model).",
    inputs=[(8, 100), (6, 10000), (2, 10000), (64, 10000)],
    wrong=[
        (
            lambda _, base: TURN * base,
            "2π times the base, whatever the width, would need `i = d_model/2`. Is there such a pair?",
        ),
        (
            lambda d_model, base: base ** ((d_model - 2) / d_model),
            "That's the last divisor. How many positions go by until its wave repeats?",
        ),
        (
            lambda d_model, base: base ** -((d_model - 2) / d_model),
            "That's the last frequency, in radians per position. How many positions make a turn?",
        ),
        (
            lambda d_model, base: TURN * base ** -((d_model - 2) / d_model),
            "That's 2π times a frequency. Multiply 2π by the divisor.",
        ),
        (
            lambda d_model, base: TURN * base ** ((d_model / 2 - 1) / d_model),
            "The last pair is right, but its exponent should be twice as large: 2i over `d_model`, not i.",
        ),
        (
            lambda d_model, base: TURN * base ** ((d_model - 1) / d_model),
            """The exponent has the number of the last column in it. It should have 2i, which is the same for
            both columns of a pair.""",
        ),
        (
            lambda d_model, base: TURN * base ** (d_model - 2) / d_model,
            "Close. Python raises to a power before it divides: the exponent is only `d_model - 2`. Brackets help.",
        ),
        (
            lambda d_model, _: TURN * 10_000 ** ((d_model - 2) / d_model),
            "Right for base 10000. Where does `base` come in?",
        ),
        (
            lambda d_model, base: TURN * base ** (2 * (d_model - 1) / d_model),
            "Here `i` goes up to `d_model - 1`, as columns do. It counts pairs, and there are half as many.",
        ),
        (
            lambda d_model, base: TURN * d_model ** ((base - 2) / base),
            "You've swapped the two arguments.",
        ),
        (
            lambda d_model, base: TURN * base ** (2 / d_model) if d_model > 4 else np.nan,
            "That's the wave of pair 1, the second shortest. Which pair has the longest?",
        ),
        (
            lambda d_model, base: np.pi * base ** ((d_model - 2) / d_model),
            "That's half of it. A whole turn is 2π.",
        ),
        (
            lambda d_model, base: 360 * base ** ((d_model - 2) / d_model),
            "You counted a whole turn as 360 degrees. The encoding has radians: one turn is 2π.",
        ),
        (lambda *_: TURN, "That's the shortest, the wave of pair 0. Which pair has the longest?"),
    ],
)
def the_longest_wave(d_model, base):
    """The last pair is `d_model/2 - 1`, and the largest `2i` is `d_model - 2`. With two columns the exponent is 0,
    and the longest wave is 2π for every base.

    With `d_model/2` instead, the answer would be 2π · base for every width, but no column has that `i`.
    """
    return 2 * np.pi * base ** ((d_model - 2) / d_model)


def look_at_the_wave(base):
    if not 1 <= base <= 1e12:
        return ""
    longest = wavelengths(6, float(base))[-1]
    wave, asked = apart(longest, 100 * TURN, 7)
    return f"With base {base:.10g} the longest wavelength is {wave} positions. It should be {asked}."


@exercise(
    hint="The last divisor has to be 100, and it's the base to the power 4/6. What power undoes that?",
    wrong=[
        (
            100,
            """That would be right if waves went up to 2π times the base. With six columns base 100 gives 135.4
            positions: to what power do you raise the base in the last pair?""",
        ),
        (100 ** (4 / 6), "That's 100 to the power 4/6. The base to that power has to be 100."),
        (
            (100 * TURN) ** (6 / 4),
            """You took the wavelength for the divisor: your base to the power 4/6 is 200π. What is the
            divisor of a wave that long?""",
        ),
        (100**3, "Here pair 1 has a wavelength of 628.3. What exponent does the last pair have?"),
        (100 ** (6 / 5), "Your last exponent is 5/6, with a column on top instead of 2i."),
        ((628.3 / TURN) ** (6 / 4), "Close. The method is right, but 628.3 is rounded. Take 200π itself."),
    ],
    otherwise=look_at_the_wave,
)
def a_base_to_order():
    """The last pair of six columns has the exponent 4/6, and 1000 to the power 4/6 is 100. “Up to 2π times the
    base” would have sent you to 100, ten times too low.
    """
    return 100 ** (6 / 4)


def look_at_the_hand(place):
    if place % 1 and abs(place - 588) < 1:
        return "Close. It's about there. Which whole position is closest to it?"
    if place % 1 or not 0 <= place <= 627:
        return "The exercise asks for a whole position from 0 to 627."
    if abs(place - 40) <= 20:
        return f"At {place:.0f} the hand is close to where it is at 40. The other point is far away."
    there, at_40 = apart(float(np.cos(place / 100)), float(np.cos(0.4)))
    return f"At position {place:.0f} column 3 holds {there}, and at 40 {at_40}."


@exercise(
    hint="""The mirror image of the hand at 40, below the horizontal, reaches just as far to the right. From there to
        the end of the turn is as far as from 0 to 40. One turn is 200π positions.""",
    wrong=[
        (
            274,
            """That's the double for the *sine*, mirrored left and right: 100π - 40. A cosine is the reach to the
            right. Which mirror keeps that?""",
        ),
        (354, "Half a turn on, the hand points the opposite way: its cosine is -0.9217, and 0.9211 at 40."),
        (668, "A whole turn on, the hand is the same. But 668 is beyond 627: look within one turn."),
        *((off, "Close. Off by one. A turn is 200π positions, or 628.3: round at the end.") for off in (587, 589)),
        (-40, "That hand fits: a cosine ignores the sign. What position from 0 to 627 has the same hand?"),
        (100 * TURN - 40, "Close. That's the exact point. Which whole position is closest to it?"),
    ],
    otherwise=look_at_the_hand,
)
def the_double():
    """At an angle and at 2π minus that angle, a hand reaches equally far to the right. A turn is 200π positions, and
    200π - 40 is 588.32. The height, column 2, tells the two apart: it's 0.3894 at 40 and -0.3924 at 588.

    For column 2 the mirror would swap left and right, and 40 would have its double at 274.
    """
    return round(200 * np.pi - 40)


ROWS = sinusoidal_encoding(628, 4).round(2)


def slow(rows):
    return 100 * (np.arctan2(rows[:, 2], rows[:, 3]) % TURN)


def fast(rows):
    return np.arctan2(rows[:, 0], rows[:, 1]) % TURN


def look_at_the_positions(value, rows):
    right = read_the_clock.right(rows).round()
    fits = np.round(value) == right
    if fits.all():
        return ""
    count = f"{fits.sum()} of {len(rows)} positions {'is' if fits.sum() == 1 else 'are'} right."
    off, m = (value - right)[~fits], int(fits.argmin())
    turns = np.round(off / TURN)
    if len(off) == len(value) and np.ptp(np.round(off)) == 0 and abs(np.round(off[0])) == 1:
        return f"Close. {count} Each is 1 too {'large' if off[0] > 0 else 'small'}: we count positions from 0."
    if turns.all() and (np.abs(off - TURN * turns) < 1.1).all():
        return f"""{count} The others are off by whole turns of the fast hand, because the turns are miscounted.
            (slow - fast) / 2π is only nearly a whole number: the slow hand is a little off, sometimes too far and
            sometimes not far enough."""
    if (np.abs(off) < 1.6).all():
        return f"""{count} The others are off by about one. If you turn numbers into integers, you lose the
            digits after the point. Round first."""
    if (below := np.sum(value < -0.5)) > 0:
        return f"{count} {below} came out below 0. Take each angle modulo 2π."
    return f"{count} Row {m}, {rows[m]}, is that of position {right[m]:.0f}, and you read {value[m]:.6g}."


SLOW_ALONE = """That's the slow hand alone. Rounding throws it off by up to 0.66 of a position, and it's right
    for 588 of the 628. The fast hand is far more exact within a turn: how many turns has it made?"""
LATE = """None of your numbers is above 2π, because you took positions modulo 2π. Take the angle modulo 2π
    first, and multiply by 100 afterwards."""
OPPOSITE = """The ratio of sine and cosine is the same for opposite hands, which `np.arctan` can't tell apart.
    `np.arctan2` takes both, the sine first."""
ONE_NUMBER = "One number leaves two angles to choose from. `np.arctan2` takes both numbers."


@exercise(
    hint="""`np.arctan2(sine, cosine) % (2 * np.pi)` is the angle of a hand. The slow one, times 100, tells the position
        roughly. The fast one tells it exactly, except for whole turns. What number of turns makes the two agree?""",
    inputs=[(ROWS[np.random.default_rng(0).permutation(628)],), (ROWS[[200, 13, 627, 0, 314, 44]],)],
    wrong=[
        (slow, SLOW_ALONE),
        (lambda rows: slow(rows).round(), SLOW_ALONE),
        (fast, "That's the fast hand alone. Which hand tells how many turns it has made?"),
        (lambda rows: slow(rows) / 100, "These are the angles of the slow hand. How many positions make one radian?"),
        (
            lambda rows: 100 * np.arctan2(rows[:, 2], rows[:, 3]),
            """`np.arctan2` counts from -π to π: positions beyond half a turn come out below 0. Take the angle
            modulo 2π.""",
        ),
        (lambda rows: slow(rows[:, [0, 1, 3, 2]]), "You swapped sine and cosine: `arctan2` takes the sine first."),
        (
            lambda rows: np.degrees(slow(rows) / 100),
            """These are the angles of the slow hand in degrees. The encoding has angles in radians, and the slow hand
            turns by a hundredth of one for each position.""",
        ),
        (lambda rows: slow(rows) % TURN, LATE),
        (lambda rows: 100 * np.arctan2(rows[:, 2], rows[:, 3]) % TURN, LATE),
        (lambda rows: 100 * np.arctan(rows[:, 2] / rows[:, 3]), OPPOSITE),
        (lambda rows: 100 * (np.arctan(rows[:, 2] / rows[:, 3]) % TURN), OPPOSITE),
        (lambda rows: 100 * np.arctan(rows[:, 2] / rows[:, 3]) % TURN, OPPOSITE),
        (lambda rows: 100 * np.arcsin(rows[:, 2]), ONE_NUMBER),
        (lambda rows: 100 * np.arccos(rows[:, 3]), ONE_NUMBER),
    ],
    judge=look_at_the_positions,
)
def read_the_clock(rows):
    """You read all 628. Rounding to a hundredth throws the slow hand off by up to two thirds of a position, and the
    fast one by next to nothing. The slow hand counts the turns, and the fast one tells the rest.

    That works as long as the slow hand is off by less than half a turn of the fast one, 3.14 positions. With one
    decimal it's off by more than that. Hands in between would help: with `d_model = 8` each hand refines what the
    next slower one has said, and one decimal is enough for all 628.
    """
    slow = 100 * (np.arctan2(rows[:, 2], rows[:, 3]) % (2 * np.pi))
    fast = np.arctan2(rows[:, 0], rows[:, 1]) % (2 * np.pi)
    turns = np.round((slow - fast) / (2 * np.pi))
    return fast + 2 * np.pi * turns
