"""The exercises of notebook 04, *Read the waves*."""

from collections.abc import Iterator

import numpy as np

from pe_lib.encoding import sinusoidal_encoding
from pe_lib.exercises.former.comparing import agrees, apart, of_them, unfit
from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import GIVEN, Answer, Answers, When
from pe_lib.exercises.former.feedback import Feedback
from pe_lib.properties import wavelengths

TURN = 2 * np.pi
ROWS = sinusoidal_encoding(628, 4).round(2)


def _hands(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions that the fast hand and the slow hand tell, each within a turn."""
    angles = np.arctan2(rows[:, 0::2], rows[:, 1::2]) % TURN
    return angles[:, 0], 100 * angles[:, 1]


@exercise(
    hint="Sines start at 0. Which three columns are left, and what are their divisors?",
    why="""What starts at 1 is a cosine, so the column is odd. 135.4 is 2π times 21.5443, the divisor of pair 1, whose
        cosine is in column `2i + 1`.""",
)
def name_the_column() -> Answers:
    yield Answer(3)
    yield Answer(2).nearly("The wavelength is right, but column 2 starts at 0. Which column shares its divisor?")
    yield Answer(1).wrong("Column 1 starts at 1, but repeats after 6.3 positions. Or did you mean pair 1?")
    yield Answer(4).wrong("Column 4 starts at 0: it is a sine. If you counted from 1, count from 0.")
    yield Answer(5).wrong("Column 5 starts at 1, but it is slower: it repeats after 2916.4 positions.")
    yield Answer(0).wrong("Column 0 starts at 0, and repeats after 6.3 positions. Look for one that starts at 1.")


@exercise(
    hint="What is the largest `i`? Put it into 2π · base^(2i/d_model).",
    why="""The last pair is `d_model/2 - 1`, so the largest `2i` is `d_model - 2`. With two columns the exponent is 0,
        and the longest wave is 2π for every base.""",
    inputs=((8, 100), (6, 10000), (2, 10000), (64, 10000)),
)
def the_longest_wave(d_model: int, base: float) -> Answers:
    last = base ** ((d_model - 2) / d_model)
    yield Answer(TURN * last)
    yield Answer(TURN * base).wrong("2π times the base, whatever the width, would take `i = d_model/2`. Is it there?")
    yield Answer(last).nearly("That is the last divisor. How many positions go by until its wave repeats?")
    yield Answer(1 / last).wrong("That is the last frequency, in radians a position. How many positions make a turn?")
    yield Answer(TURN / last).nearly("2π times a frequency. It is the divisor that 2π has to be multiplied by.")
    yield Answer(TURN * base ** ((d_model / 2 - 1) / d_model)).nearly("""The last pair is right, but its exponent is
        twice as large: 2i over `d_model`, not i.""")
    yield Answer(TURN * base ** ((d_model - 1) / d_model)).nearly("""The exponent has the number of the last column in
        it. It wants 2i, which is the same for both columns of a pair.""")
    yield Answer(TURN * base ** (d_model - 2) / d_model).nearly("""Python raises to a power before it divides, so only
        `d_model - 2` is in the exponent. Brackets help.""")
    yield Answer(TURN * 10_000 ** ((d_model - 2) / d_model)).nearly("Right for base 10000. Where does `base` come in?")
    yield Answer(TURN * base ** (2 * (d_model - 1) / d_model)).nearly("""Here `i` goes up to `d_model - 1`, as columns
        do. It counts pairs, and there are half as many.""")
    yield Answer(TURN * d_model ** ((base - 2) / base)).nearly("The two arguments have changed places.")
    second = TURN * base ** (2 / d_model) if d_model > 4 else np.nan
    yield Answer(second).wrong("That is the wave of pair 1, the second shortest. Which pair has the longest?")
    yield Answer(TURN / 2 * last).nearly("That is half of it. A whole turn is 2π.")
    yield Answer(360 * last).nearly("A whole turn is 360 degrees here. The encoding has radians: one turn is 2π.")
    yield Answer(TURN).wrong("That is the shortest, the wave of pair 0. Which pair has the longest?")


@exercise(
    hint="The last divisor has to be 100, and it is the base to the power 4/6. Which power undoes that?",
    why="""The last pair of six columns has the exponent 4/6, and 1000 to the power 4/6 is 100. “Up to 2π times the
        base” would have sent you to 100, ten times too low.""",
)
def a_base_to_order() -> Answers:
    yield Answer(1000)
    yield Answer(100).wrong("""That would be right if waves went up to 2π times the base. With six columns base 100
        gives 135.4 positions: to which power is the base raised in the last pair?""")
    yield Answer(100 ** (4 / 6)).nearly("That is 100 to the power 4/6. But 100 is what comes out.")
    yield Answer((100 * TURN) ** (6 / 4)).nearly("""Here the wavelength was taken for the divisor: the base to the power
        4/6 is 200π. What is the divisor of a wave that long?""")
    yield Answer(100**3).wrong("With this base pair 1 has 628.3 positions. Which exponent has the last pair?")
    yield Answer(100 ** (6 / 5)).wrong("Here the last exponent is 5/6, with the column in it. It should be 2i.")
    yield Answer((628.3 / TURN) ** (6 / 4)).nearly("The way is right, and 628.3 is rounded. Take 200π itself.")
    base = yield GIVEN
    if 1 <= base <= 1e12:
        longest = wavelengths(6, float(base))[-1]
        wave, asked = apart(longest, 100 * TURN, 7)
        text = f"With base {base:.10g} the longest wave has {wave} positions. It should have {asked}."
        yield When(True).wrong(text, nearly_if=abs(longest / (100 * TURN) - 1) < 0.01)


@exercise(
    hint="""The hand with the same horizontal shadow is the mirror image below: it has as much left to the end of the
        turn as the first has gone. One turn is 200π positions.""",
    why="""The hands at an angle and at 2π less that angle have one horizontal shadow. A turn is 200π positions, and
        200π - 40 is 588.32. The vertical shadow, column 2, tells the two apart.""",
)
def the_double() -> Answers:
    yield Answer(588)
    yield Answer(274).nearly("""That is the double for the *sine*, mirrored left and right: 100π - 40. A cosine is the
        horizontal shadow. Which mirror keeps that?""")
    yield Answer(354).wrong("Half a turn on, the hand points the opposite way: -0.9217, and 0.9211 at 40.")
    yield Answer(668).wrong("A whole turn on, the hand is the same. But 668 is beyond 627: look within one turn.")
    for beside in (587, 589):
        yield Answer(beside).nearly("One off. A turn is 200π positions, which is 628.3: round at the end.")
    yield Answer(-40).nearly("The right hand: a cosine does not mind the sign. Which position from 0 to 627 has it?")
    yield Answer(100 * TURN - 40).nearly("That is the exact place. Which whole position is nearest to it?")
    place = yield GIVEN
    yield When(place % 1 and abs(place - 588) < 1).nearly("It is about there. Which whole position is nearest to it?")
    yield When(place % 1 or not 0 <= place <= 627).wrong("A whole position from 0 to 627 is asked for.")
    yield When(abs(place - 40) <= 20).wrong(f"{place:.0f} is where the hand is near 40. The other place is far away.")
    there, at_40 = apart(float(np.cos(place / 100)), float(np.cos(0.4)))
    text = f"At position {place:.0f} column 3 holds {there}, and at 40 {at_40}."
    yield When(True).wrong(text, nearly_if=abs(place - 588) < 3)


def _misreadings(rows: np.ndarray) -> Iterator[Answer]:
    """Yield what comes of the rows where something is left out or exchanged, and what to say to it."""
    (fast, slow), sines, cosines = _hands(rows), rows[:, 2], rows[:, 3]
    with np.errstate(divide="ignore"):
        ratio = np.arctan(sines / cosines)
    yield Answer(slow).nearly("""That is the slow hand alone, and rounding puts it off by up to 0.66 of a position. The
        fast hand is far more exact within a turn: how many turns has it made?""")
    yield Answer(fast).wrong("That is the fast hand alone. Which hand tells how many turns it has made?")
    yield Answer(slow / 100).wrong("These are the angles of the slow hand. How many positions make one radian?")
    yield Answer(100 * np.arctan2(sines, cosines)).wrong("""`np.arctan2` counts from -π to π, so positions beyond half a
        turn come out below 0. The remainder by 2π brings them up.""")
    yield Answer(100 * (np.arctan2(cosines, sines) % TURN)).wrong("They are exchanged: `arctan2` takes the sine first.")
    yield Answer(np.degrees(slow / 100)).wrong("""These are the angles of the slow hand in degrees. The encoding has
        angles in radians, and the slow hand turns by a hundredth of one for each position.""")
    for late in (slow % TURN, 100 * np.arctan2(sines, cosines) % TURN):
        yield Answer(late).nearly("""None of yours is beyond 2π: a remainder was taken too late, of what should be
            positions. Bring the angle between 0 and 2π, and multiply it by 100 afterwards.""")
    for opposite in (100 * ratio, 100 * (ratio % TURN), 100 * ratio % TURN):
        yield Answer(opposite).wrong("""The ratio of sine and cosine is the same for opposite hands, so `np.arctan`
            cannot tell them apart. `np.arctan2` takes both, the sine first.""")
    for shadow in (np.arcsin(sines), np.arccos(cosines)):
        yield Answer(100 * shadow).wrong("One shadow leaves two hands to choose from. `np.arctan2` takes both shadows.")


@exercise(
    hint="""`np.arctan2(sine, cosine) % (2 * np.pi)` is the angle of a hand. The slow one, times 100, tells the position
        roughly. The fast one tells it exactly but for whole turns: which number of turns brings the two together?""",
    why="""All 628 are read. Both hands are rounded to a hundredth, which is up to two thirds of a position for the slow
        one and next to nothing for the fast one. So the slow hand counts the turns, and the fast one tells the
        rest.""",
    inputs=((ROWS[np.random.default_rng(0).permutation(628)],), (ROWS[[200, 13, 627, 0, 314, 44]],)),
)
def read_the_clock(rows: np.ndarray) -> Answers:
    value = yield GIVEN
    fast, slow = _hands(rows)
    right = np.round(fast + TURN * np.round((slow - fast) / TURN))
    asked = unfit(value, right.shape)
    flat = value.size == right.size and np.array_equal(np.round(value.ravel()), right)
    yield When(asked and flat).nearly(f"The positions are right. {asked}")
    yield When(asked).wrong(asked)
    fits = np.round(value) == right
    yield When(fits.all())
    count = f"{of_them(fits, 'positions')} right."
    for each in _misreadings(rows):
        fitting = agrees(value, each.value) or np.array_equal(value, np.round(each.value))
        yield When(fitting, Feedback(each.feedback.kind, f"{count} {each.feedback.text}"))
    off, m = (value - right)[~fits], int(fits.argmin())
    one_off = len(off) == len(value) and np.ptp(np.round(off)) == 0 and abs(np.round(off[0])) == 1
    large = "large" if off[0] > 0 else "small"
    yield When(one_off).nearly(f"{count} Each is 1 too {large}: positions are counted from 0.")
    turns = np.round(off / TURN)
    yield When(turns.all() and (np.abs(off - TURN * turns) < 1.1).all()).nearly(f"""{count} The others are off by whole
        turns of the fast hand: the turns were miscounted. (slow - fast) / 2π is only nearly a whole number, for the
        slow hand is a little off, now above it and now below.""")
    yield When((np.abs(off) < 1.6).all()).nearly(f"""{count} The others are off by about one. Numbers that are turned
        into integers lose what is behind the point: round them.""")
    below = np.sum(value < -0.5)
    yield When(below).wrong(f"{count} {below} came out below 0. An angle can be brought between 0 and 2π.")
    place = f"Row {m}, {rows[m]}, is that of position {right[m]:.0f}"
    yield When(True).wrong(f"{count} {place}, and you read {value[m]:.6g}.")
