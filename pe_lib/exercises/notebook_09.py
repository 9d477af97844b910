"""The exercises of notebook 09, *Diagnose a broken encoding*."""

import numpy as np

from pe_lib.clinic import broken_encoding, case, pair_turns
from pe_lib.encoding import encode_positions, sinusoidal_encoding
from pe_lib.exercises.former.comparing import agrees, tolerance, unfit
from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import GIVEN, Answer, Answers, Choice, Encoding, When, seen_in
from pe_lib.exercises.former.feedback import Feedback

SHAPE = (6, 8)
# Position of the first, width and base. In the last two both hands pass a place where an angle jumps: the slow one a
# quarter, and then half a turn.
TWO_ROWS = (0, 6, 1e4), (7, 6, 500.0), (30, 32, 1e6), (0, 4, 100.0), (15, 4, 100.0), (31, 4, 100.0)


@exercise(
    hint="""Begin with two measurements: are the hands whole, and what is the turn of pair 0? Where hands are broken,
        look at sines and cosines by themselves.""",
    why="""In case L the hands are whole, the turns fall by 0.5623 as they should, and the first is 0.5623 where 1
        belongs: the pairs are counted from 1. In case M the hands are not whole, while the sines alone have all the
        right frequencies: the cosines' exponent is doubled.""",
    expect=Choice,
    otherwise="""Measure with pair_lengths and pair_turns: are the hands whole, and by how much does the hand of pair 0
        turn? (Write two of the list's names, spelled as they stand there.)""",
)
def name_two_mistakes() -> Answers:
    yield Answer(("pair-from-one", "cosine-exponent"))
    yield Answer(("cosine-exponent", "pair-from-one")).nearly("These are the two, in the other order: L first.")
    yield Answer(("base", "cosine-exponent")).nearly("M is right. For L, look at the turn of pair 0. No base moves it.")
    yield Answer(("exponent-doubled", "cosine-exponent")).nearly("M is right. For L, divide each by the one before.")
    yield Answer(("own-frequencies", "cosine-exponent")).nearly("M is right. For L, measure the hands: are they whole?")
    yield Answer(("pair-from-one", "own-frequencies")).nearly("L is right. For M: are the even columns of row 1 wrong?")
    yield Answer(("pair-from-one", "base")).nearly("L is right. For M, measure the hands: are they whole?")
    yield Answer(("pair-from-one", "exponent-doubled")).nearly("L is right. For M: are both columns of a pair doubled?")


@exercise(
    hint="""The turn of pair 1 is base to the power -2 / d_model. Which power of it is the base? `pair_turns` measures
        the turns.""",
    why="""From pair to pair the turn becomes smaller by base to the power 2 / d_model, so d_model / 2 such steps make
        up the whole base. Only the turn between the two rows counts, so it does not matter where they begin.""",
    inputs=tuple((encode_positions([k, k + 1], d_model, base=base),) for k, d_model, base in TWO_ROWS),
)
def the_base_from_two_rows(two_rows: np.ndarray) -> Answers:
    columns, turns = two_rows.shape[1], pair_turns(two_rows)
    fast, slow = turns[:2]
    yield Answer((fast / slow) ** (columns / 2))
    yield Answer(1 / slow).nearly("This is one step from pair to pair. How many steps make the base?")
    yield Answer(1 / turns[-1]).nearly("The last pair's divisor stops one step short of the base.")
    yield Answer(slow**-columns).nearly("This is the square of the base: there are d_model / 2 pairs.")
    yield Answer(slow ** (columns / 2)).nearly("This is one over the base.")
    yield Answer(np.abs(np.arcsin(two_rows[1, 2])) ** (-columns / 2)).wrong("""The arc sine of the second row is the
        turn only if the first row is position 0. Measure the turn between the two.""")
    sines, cosines = two_rows[:, 0::2], two_rows[:, 1::2]
    for angles in (np.arcsin(sines), np.arctan(sines / cosines), np.arctan2(sines, cosines)):
        first, second = (angles[1] - angles[0])[:2]
        for base in (second ** (-columns / 2), (first / second) ** (columns / 2)):
            yield Answer(base).nearly("""Between these two rows the angle that you measure jumps: `np.arcsin` and
                `np.arctan` know a quarter of a turn to either side, `np.arctan2` half a turn. By how much has the hand
                turned?""")


@exercise(
    name="repair the note's formula",
    hint="""One of the two exponents has a divisor of its own. In the paper, what does the cosine of a pair share with
        its sine?""",
    why="""Sine and cosine of a pair have one frequency, so both exponents are 2i / d_model. Then a shift turns the pair
        as a whole, and every hand has length 1.""",
    expect=Encoding,
    inputs=((5, 6), (7, 8), (12, 32)),
)
def repair_the_notes_formula(length: int, d_model: int) -> Answers:
    doubled = broken_encoding(length, d_model, rule="2i doubled")
    yield Answer(sinusoidal_encoding(length, d_model))
    yield Answer(doubled).nearly("They share their frequency now, but it is the cosine's: the sine was the right one.")
    yield Answer(case("M", length, d_model)).wrong("Nothing has changed yet: the cosines still have d_model / 2.")


@exercise(
    name="another order, and right",
    hint="""`layout` of `sinusoidal_encoding` has a second value. Or put the columns of the right matrix in the order of
        case J.""",
    why="""All sines first, all cosines first, and a spacing that ends at 1/base are all in use. None of them is a
        mistake, as long as all weights are learned with it.""",
)
def another_order_and_right() -> Answers:
    matrix = yield GIVEN
    yield When(said := unfit(matrix, SHAPE)).wrong(said)
    right, found = sinusoidal_encoding(*SHAPE), seen_in(matrix)
    own = agrees(matrix, right) or (found.ok and np.allclose(matrix, right, rtol=0, atol=0.06))  # or it was rounded
    yield When(own).nearly("This is right, and it is the paper's own: sines and cosines take turns.")
    same = np.isclose(matrix[:, :, np.newaxis], right[:, np.newaxis], rtol=0, atol=tolerance(matrix)).all(axis=0)
    same_columns = (same.sum(axis=0) == 1).all() and (same.sum(axis=1) == 1).all()
    yield When(not found.ok and same_columns).nearly("""All columns are the right ones, and a network could learn with
        this order too. But only those that well-known programs use are called variants. Which order had case J?""")
    yield When(found.ok and not found.doubtful)
    yield When(True, Feedback("nearly" if found.ok else "wrong", "\n".join(found.says)))
