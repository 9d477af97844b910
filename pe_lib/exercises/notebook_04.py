"""The exercises of notebook 04, *Read the waves*."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pe_lib.encoding import sinusoidal_encoding
from pe_lib.exercises.engine import Exercise
from pe_lib.exercises.expectations import Accepted, Mistake, Numbers, of_them
from pe_lib.exercises.feedback import Feedback, Kind
from pe_lib.properties import wavelengths

TURN = 2 * np.pi
ROWS = sinusoidal_encoding(628, 4).round(2)


class BaseToOrder(Numbers):
    """A base: of a wrong one it is said which longest wave it gives."""

    def otherwise(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Compute the wave that was ordered with the base that was given."""
        if value.shape or not 1 <= value <= 1e12:
            return super().otherwise(value, right, inputs)
        longest = wavelengths(6, float(value))[-1]
        kind: Kind = "nearly" if abs(longest / (100 * TURN) - 1) < 0.01 else "wrong"
        return Feedback(
            kind, f"With base {value:.6g} the longest wave has {longest:.7g} positions. It should have 628.3185."
        )


class Double(Numbers):
    """A position: of a wrong one it is said what the column holds there."""

    def otherwise(self, value: np.ndarray, right: np.ndarray, inputs: tuple[Any, ...]) -> Feedback:
        """Compare what column 3 holds at this position with what it holds at 40."""
        if value.shape:
            return super().otherwise(value, right, inputs)
        if value % 1 and abs(value - right) < 1:
            return Feedback("nearly", "That is the place, or nearly. Which whole position is nearest to it?")
        if value % 1 or not 0 <= value <= 627:
            return Feedback("wrong", f"A whole position from 0 to 627 is asked for, and {value:.6g} is not one.")
        if abs(value - 40) <= 20:
            return Feedback("wrong", f"{value:.0f} is where the hand is near 40. The other place is far away.")
        there = f"At position {value:.0f} column 3 holds {np.cos(value / 100):.4f}, and at 40 {np.cos(0.4):.4f}."
        return Feedback("nearly" if abs(value - right) < 3 else "wrong", there)


def _angle(sine: np.ndarray, cosine: np.ndarray) -> np.ndarray:
    """Return the angles of hands, from 0 to a whole turn."""
    angle: np.ndarray = np.arctan2(sine, cosine) % TURN
    return angle


def _fast(rows: np.ndarray) -> np.ndarray:
    return _angle(rows[:, 0], rows[:, 1])


def _slow(rows: np.ndarray) -> np.ndarray:
    return 100 * _angle(rows[:, 2], rows[:, 3])


def _both_hands(rows: np.ndarray) -> np.ndarray:
    """Return the positions of rows, rounded to two decimals or not at all."""
    turns = np.round((_slow(rows) - _fast(rows)) / TURN)
    positions: np.ndarray = np.round(_fast(rows) + TURN * turns)
    return positions


ONE_SHADOW = "One shadow leaves two hands to choose from. `np.arctan2` takes both, the sine first, and leaves one."
MISCOUNTED = (
    "The others are off by whole turns of the fast hand: the turns were miscounted. (slow - fast) / 2π is only nearly "
    "a whole number, for the slow hand is a little off, now above it and now below."
)
CUT_OFF = (
    "The others are off by about one. Numbers that are turned into integers lose what is behind the point: round them."
)
TOO_LATE = (
    "None of yours is beyond 2π: a remainder was taken too late, of what should be positions. Bring the angle between "
    "0 and 2π, and multiply it by 100 afterwards."
)
ONE_RATIO = (
    "The ratio of sine and cosine is the same for opposite hands, so `np.arctan` cannot tell them apart. `np.arctan2` "
    "takes both, the sine first."
)
READINGS: tuple[tuple[Callable[[np.ndarray], np.ndarray], str, Kind], ...] = (
    (
        _slow,
        "That is the slow hand alone, and rounding puts it off by up to 0.66 of a position. The fast hand is far more "
        "exact within a turn: how many turns has it made?",
        "nearly",
    ),
    (
        _fast,
        "That is the fast hand alone: after 6.28 positions it begins anew. Which hand tells how many turns it has "
        "made?",
        "wrong",
    ),
    (
        lambda rows: _slow(rows) / 100,
        "These are the angles of the slow hand, from 0 to 6.28. How many positions does it take for one radian?",
        "wrong",
    ),
    (
        lambda rows: 100 * np.arctan2(rows[:, 2], rows[:, 3]),
        "`np.arctan2` counts from -π to π, so positions beyond half a turn come out below 0. The remainder by 2π "
        "brings them up.",
        "wrong",
    ),
    (
        lambda rows: 100 * _angle(rows[:, 3], rows[:, 2]),
        "The sine and the cosine of the slow hand have changed places: `np.arctan2` takes the sine first.",
        "wrong",
    ),
    (
        lambda rows: np.degrees(_slow(rows) / 100),
        "These are the angles of the slow hand in degrees. The encoding has angles in radians, and the slow hand turns "
        "by a hundredth of one for each position.",
        "wrong",
    ),
    (lambda rows: _slow(rows) % TURN, TOO_LATE, "nearly"),
    (lambda rows: 100 * np.arctan2(rows[:, 2], rows[:, 3]) % TURN, TOO_LATE, "nearly"),
    (lambda rows: 100 * np.arctan(rows[:, 2] / rows[:, 3]), ONE_RATIO, "wrong"),
    (lambda rows: 100 * (np.arctan(rows[:, 2] / rows[:, 3]) % TURN), ONE_RATIO, "wrong"),
    (lambda rows: 100 * np.arctan(rows[:, 2] / rows[:, 3]) % TURN, ONE_RATIO, "wrong"),
    (lambda rows: 100 * np.arcsin(rows[:, 2]), ONE_SHADOW, "wrong"),
    (lambda rows: 100 * np.arccos(rows[:, 3]), ONE_SHADOW, "wrong"),
)


def _read_off(value: np.ndarray, rows: np.ndarray) -> Feedback:
    """Count the positions that were read right, and say how the others were misread."""
    right = _both_hands(rows)
    if value.shape != right.shape:
        flat = value.size == right.size and np.array_equal(np.round(value.ravel()), right)
        asked = f"One number for each row is asked for, shape {right.shape}, and yours has shape {value.shape}."
        return Feedback("nearly" if flat else "wrong", f"The positions are right. {asked}" if flat else asked)
    if not np.isfinite(value).all():
        return Feedback("wrong", "There are numbers among them that are not finite.")
    off = value - right
    wrong = np.round(value) != right
    if not wrong.any():
        return Feedback("right")
    kind, cause = _misread(value, rows, off[wrong])
    if not cause:
        m = int(np.flatnonzero(wrong)[0])
        cause = f"The row at index {m}, {rows[m]}, is that of position {right[m]:.0f}, and you read {value[m]:.6g}."
    return Feedback(kind, f"{of_them(~wrong, 'positions')} right. {cause}")


def _misread(value: np.ndarray, rows: np.ndarray, off: np.ndarray) -> tuple[Kind, str]:
    """Say what the readings have in common that are off, if anything."""
    for reading, says, kind in READINGS:
        if np.allclose(value, reading(rows), rtol=0, atol=1e-6) or np.array_equal(value, np.round(reading(rows))):
            return kind, says
    if len(off) == len(value) and np.ptp(np.round(off)) == 0 and abs(np.round(off[0])) == 1:
        return "nearly", f"Each is 1 too {'large' if off[0] > 0 else 'small'}: positions are counted from 0."
    turns = np.round(off / TURN)
    if turns.all() and (np.abs(off - TURN * turns) < 1.1).all():
        return "nearly", MISCOUNTED
    if (np.abs(off) < 1.6).all():
        return "nearly", CUT_OFF
    if (value < -0.5).any():
        return "wrong", f"{np.sum(value < -0.5)} came out below 0. An angle can be brought between 0 and 2π."
    return "wrong", ""


EXERCISES = (
    Exercise(
        "name the column",
        hint="Sines start at 0. Which three columns are left, and what are their divisors?",
        why="What starts at 1 is a cosine, so the column is odd. 135.4 is 2π times 21.5443, the divisor of pair 1, "
        "whose cosine is in column `2i + 1`.",
        expect=Numbers(
            3,
            mistakes=(
                Mistake(
                    2,
                    "The wavelength is right, but column 2 starts at 0: it is a sine. Which column shares its divisor?",
                    "nearly",
                ),
                Mistake(
                    1,
                    "Column 1 starts at 1, but it repeats after 6.3 positions. Or did you mean pair 1? A pair has two "
                    "columns.",
                ),
                Mistake(4, "Column 4 starts at 0: it is a sine. If you counted from 1, count from 0."),
                Mistake(5, "Column 5 starts at 1, but it is slower: it repeats after 2916.4 positions."),
                Mistake(0, "Column 0 starts at 0, and repeats after 6.3 positions. Look for one that starts at 1."),
            ),
        ),
    ),
    Exercise(
        "the longest wave",
        hint="What is the largest `i`? Put it into 2π · base^(2i/d_model).",
        why="The last pair is `d_model/2 - 1`, so the largest `2i` is `d_model - 2`. With two columns the exponent is "
        "0, and the longest wave is 2π for every base.",
        expect=Numbers(
            lambda d_model, base: wavelengths(d_model, base)[-1],
            mistakes=(
                Mistake(
                    lambda _, base: TURN * base,
                    "That is 2π times the base, whatever the width: it would take `i = d_model/2`. Which pair is the "
                    "last that is there?",
                ),
                Mistake(
                    lambda d_model, base: base ** ((d_model - 2) / d_model),
                    "That is the last divisor. How many positions go by until its wave repeats?",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, base: base ** (-(d_model - 2) / d_model),
                    "That is the last frequency, in radians for each position. How many positions make a whole turn?",
                ),
                Mistake(
                    lambda d_model, base: TURN * base ** (-(d_model - 2) / d_model),
                    "2π times a frequency. It is the divisor that 2π has to be multiplied by.",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, base: TURN * base ** ((d_model / 2 - 1) / d_model),
                    "The last pair is right, but its exponent is twice as large: 2i over `d_model`, not i.",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, base: TURN * base ** ((d_model - 1) / d_model),
                    "The exponent has the number of the last column in it. It wants 2i, which is the same for both "
                    "columns of a pair.",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, base: TURN * base ** (d_model - 2) / d_model,
                    "Python raises to a power before it divides, so only `d_model - 2` is in the exponent. Brackets "
                    "help.",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, _: TURN * 10_000 ** ((d_model - 2) / d_model),
                    "Right for base 10000, and for no other. Where does `base` come in?",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, base: TURN * base ** (2 * (d_model - 1) / d_model),
                    "Here `i` goes up to `d_model - 1`, as columns do. It counts pairs, and there are half as many.",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, base: TURN * d_model ** ((base - 2) / base),
                    "The two arguments have changed places: the width comes first, then the base.",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, base: TURN * base ** (2 / d_model) if d_model > 4 else np.nan,
                    "That is the wave of pair 1, the second shortest. Which pair has the longest?",
                ),
                Mistake(
                    lambda d_model, base: TURN / 2 * base ** ((d_model - 2) / d_model),
                    "That is half of it. A whole turn is 2π.",
                    "nearly",
                ),
                Mistake(
                    lambda d_model, base: 360 * base ** ((d_model - 2) / d_model),
                    "A whole turn is 360 degrees here. The encoding counts angles in radians: one turn is 2π.",
                    "nearly",
                ),
                Mistake(
                    lambda *_: TURN,
                    "That is the shortest, the wave of pair 0. Which pair has the longest?",
                ),
            ),
        ),
        inputs=((8, 100), (6, 10000), (2, 10000), (64, 10000)),
    ),
    Exercise(
        "a base to order",
        hint="The last divisor has to be 100, and it is the base to the power 4/6. Which power undoes that?",
        why="The last pair of six columns has the exponent 4/6, and 1000 to the power 4/6 is 100. “Up to 2π times the "
        "base” would have sent you to 100, ten times too low.",
        expect=BaseToOrder(
            1000,
            mistakes=(
                Mistake(
                    100,
                    "That would be right if waves went up to 2π times the base. With six columns base 100 gives 135.4 "
                    "positions: to which power is the base raised in the last pair?",
                ),
                Mistake(
                    100 ** (4 / 6),
                    "That is 100 to the power 4/6. But it is the base that is raised to that power, and 100 that comes "
                    "out.",
                    "nearly",
                ),
                Mistake(
                    (100 * TURN) ** (6 / 4),
                    "Here the wavelength was taken for the divisor: the base to the power 4/6 is 200π. What is the "
                    "divisor of a wave that long?",
                    "nearly",
                ),
                Mistake(
                    100**3,
                    "With this base it is pair 1 that has 628.3 positions, and pair 2 is longer. Which exponent has "
                    "the last pair?",
                ),
                Mistake(
                    100 ** (6 / 5),
                    "Here the last exponent is 5/6, with the column in it. The formula has 2i there.",
                ),
                Mistake(
                    (628.3 / TURN) ** (6 / 4),
                    "The way is right, and 628.3 is rounded. Take 200π itself.",
                    "nearly",
                ),
            ),
        ),
    ),
    Exercise(
        "the double",
        hint="The hand with the same level shadow is the mirror image below: it has as much left to the end of the "
        "turn as the first has gone. One turn is 200π positions.",
        why="The hands at an angle and at 2π less that angle have one level shadow. A turn is 200π positions, and "
        "200π - 40 is 588.32. The upright shadow, column 2, tells the two apart.",
        expect=Double(
            588,
            mistakes=(
                Mistake(
                    274,
                    "That is the double for the *sine*, mirrored left and right: 100π - 40. A cosine is the level "
                    "shadow. Which mirror keeps that?",
                    "nearly",
                ),
                Mistake(
                    354,
                    "Half a turn on, at 40 + 100π, the hand points the opposite way: column 3 holds -0.9217 there, and "
                    "0.9211 at 40.",
                ),
                Mistake(
                    668, "A whole turn on, the hand is the same one. But 668 is beyond 627: look within the first turn."
                ),
                Mistake(
                    587,
                    "One off. A turn is 200π positions, which is 628.3: take that, and round at the end.",
                    "nearly",
                ),
                Mistake(
                    589,
                    "One off. A turn is 200π positions, which is 628.3: take that, and round at the end.",
                    "nearly",
                ),
                Mistake(
                    -40,
                    "The right hand: a cosine does not mind the sign. At which position from 0 to 627 does it point "
                    "there?",
                    "nearly",
                ),
                Mistake(100 * TURN - 40, "That is the exact place. Which whole position is nearest to it?", "nearly"),
            ),
        ),
    ),
    Exercise(
        "read the clock",
        hint="`np.arctan2(sine, cosine) % (2 * np.pi)` is the angle of a hand. The slow one, times 100, tells the "
        "position roughly. The fast one tells it exactly but for whole turns: which number of turns brings the two "
        "together?",
        why="All 628 are read. Both hands are rounded to a hundredth, which is up to two thirds of a position for the "
        "slow one and next to nothing for the fast one. So the slow hand counts the turns, and the fast one tells the "
        "rest.",
        expect=Accepted(_read_off),
        inputs=((ROWS[np.random.default_rng(0).permutation(628)],), (ROWS[[200, 13, 627, 0, 314, 44]],)),
    ),
)
