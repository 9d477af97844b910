"""The exercises of notebook 09, *Diagnose a broken encoding*."""

import numpy as np

from pe_lib.clinic import broken_encoding, case, pair_turns
from pe_lib.diagnosis import Diagnosis, diagnose
from pe_lib.encoding import encode_positions, sinusoidal_encoding
from pe_lib.exercises.engine import Exercise
from pe_lib.exercises.expectations import Accepted, Choice, Encoding, Mistake, Numbers, agrees
from pe_lib.exercises.feedback import Feedback

SHAPE = (6, 8)


def base_of(two_rows: np.ndarray) -> float:
    """Return the base of an encoding from two neighbouring rows."""
    w = pair_turns(two_rows)
    return float((w[0] / w[1]) ** (two_rows.shape[1] / 2))


def _two_mistakes(matrix: np.ndarray) -> Feedback:
    """Ask for a matrix in which the first position and the scale are wrong, and nothing else."""
    if matrix.ndim != 2 or min(matrix.shape) < 4:
        return Feedback("wrong", f"A matrix of 4 rows and 4 columns at least is asked for, not shape {matrix.shape}.")
    found = diagnose(matrix)
    codes = {finding.code for finding in found.findings}
    if codes == {"start", "scale"}:
        return Feedback("right")
    if not codes:
        return Feedback("wrong", "Nothing is wrong with this matrix. What would move its first row away from 0 1 0 1?")
    named = f"diagnose finds: {', '.join(sorted(codes))}. "
    if {"start", "scale"} < codes:
        return Feedback("nearly", f"{named}That is one too many.")
    if codes & {"start", "scale"}:
        missing = "scale" if "start" in codes else "start"
        other = " and nothing else" if len(codes) > 1 else ""
        return Feedback("nearly" if len(codes) == 1 else "wrong", f"{named}What is missing is {missing}{other}.")
    return Feedback("wrong", f"{named}Asked for are start and scale.")


def _right_in_another_order(matrix: np.ndarray) -> Feedback:
    """Ask for a right encoding that is not the paper's."""
    if matrix.shape != SHAPE:
        return Feedback("wrong", f"An array of shape {SHAPE} is asked for, and yours has shape {matrix.shape}.")
    if agrees(matrix, sinusoidal_encoding(*SHAPE)):
        return Feedback("nearly", "This is right, and it is the paper's own: sines and cosines take turns.")
    found: Diagnosis = diagnose(matrix)
    if not found.ok and _same_columns(matrix, sinusoidal_encoding(*SHAPE)):
        return Feedback(
            "nearly",
            "All columns are the right ones, and a network could learn with this order too. But diagnose calls only "
            "those orders variants that well-known programs use, and takes any other for a slip. Which order had "
            "case J?",
        )
    if not found.ok:
        return Feedback("wrong", str(found))
    if any(finding.kind == "undecided" for finding in found.findings):
        return Feedback("nearly", str(found))
    return Feedback("right")


def _same_columns(matrix: np.ndarray, right: np.ndarray) -> bool:
    """Return whether two matrices hold the same columns, in whatever order."""
    same = np.isclose(matrix[:, :, np.newaxis], right[:, np.newaxis], rtol=0, atol=1e-9).all(axis=0)
    return bool((same.sum(axis=0) == 1).all() and (same.sum(axis=1) == 1).all())


EXERCISES = (
    Exercise(
        "name two mistakes",
        hint="Begin with two measurements: are the hands whole, and what is the turn of pair 0? Where hands are "
        "broken, look at sines and cosines by themselves.",
        why="In case L the hands are whole, the turns fall by 0.5623 as they should, and the first is 0.5623 where 1 "
        "belongs: the pairs are counted from 1. In case M the hands are not whole, while the sines alone have all the "
        "right frequencies: the cosines' exponent is doubled.",
        expect=Choice(
            ("pair-from-one", "cosine-exponent"),
            mistakes=(
                Mistake(
                    ("cosine-exponent", "pair-from-one"),
                    "These are the two, in the other order: the first is for L, the second for M.",
                    "nearly",
                ),
                Mistake(
                    ("base", "cosine-exponent"),
                    "M is right. For L, look at the turn of pair 0: no base can change it.",
                    "nearly",
                ),
                Mistake(
                    ("exponent-doubled", "cosine-exponent"),
                    "M is right. For L, divide each turn by the one before, and compare with 0.5623.",
                    "nearly",
                ),
                Mistake(
                    ("own-frequencies", "cosine-exponent"),
                    "M is right. For L, measure the hands: do the two columns of a pair share a frequency?",
                    "nearly",
                ),
                Mistake(
                    ("pair-from-one", "own-frequencies"),
                    "L is right. For M, take the arc sine of the even columns of row 1: are these frequencies wrong?",
                    "nearly",
                ),
                Mistake(
                    ("pair-from-one", "exponent-doubled"),
                    "L is right. For M, measure the hands: are both columns of a pair doubled?",
                    "nearly",
                ),
            ),
            otherwise="Measure with pair_lengths and pair_turns: are the hands whole, and by how much does the hand of "
            "pair 0 turn?",
        ),
    ),
    Exercise(
        "the base from two rows",
        hint="The turn of pair 1 is base to the power -2 / d_model. Which power of it is the base? `pair_turns` "
        "measures the turns.",
        why="From pair to pair the turn becomes smaller by base to the power 2 / d_model, so d_model / 2 such steps "
        "make up the whole base. Only the turn between the two rows counts, so it does not matter where they begin.",
        expect=Numbers(
            base_of,
            mistakes=(
                Mistake(
                    lambda rows: 1 / pair_turns(rows)[1],
                    "This is one step from pair to pair, base to the power 2 / d_model. How many steps make the base?",
                    "nearly",
                ),
                Mistake(
                    lambda rows: (1 / pair_turns(rows)[1]) ** rows.shape[1],
                    "This is the square of the base: a step goes from pair to pair, and there are d_model / 2 pairs.",
                    "nearly",
                ),
                Mistake(
                    lambda rows: pair_turns(rows)[1] ** (rows.shape[1] / 2),
                    "This is one over the base.",
                    "nearly",
                ),
                Mistake(
                    lambda rows: np.arcsin(rows[1, 2]) ** (-rows.shape[1] / 2),
                    "The arc sine of the second row is the turn only if the first row is position 0. Measure the turn "
                    "between the two.",
                ),
            ),
        ),
        inputs=(
            (sinusoidal_encoding(2, 6),),
            (encode_positions([7, 8], 6, base=500.0),),
            (encode_positions([30, 31], 32, base=1e6),),
            (encode_positions([0, 1], 4, base=100.0),),
        ),
    ),
    Exercise(
        "repair the note's formula",
        hint="One of the two exponents has a divisor of its own. In the paper, what does the cosine of a pair share "
        "with its sine?",
        why="Sine and cosine of a pair have one frequency, so both exponents are 2i / d_model. Then a shift turns the "
        "pair as a whole, and every hand has length 1.",
        expect=Encoding(
            mistakes=(
                Mistake(
                    lambda length, d_model: broken_encoding(length, d_model, rule="2i doubled"),
                    "Now sine and cosine share their frequency, but it is the cosine's: the sine was the right one.",
                    "nearly",
                ),
                Mistake(
                    lambda length, d_model: case("M", length, d_model),
                    "Nothing has changed yet: the cosines still have d_model / 2 where the sines have d_model.",
                ),
            )
        ),
        inputs=((5, 6), (7, 8), (12, 32)),
    ),
    Exercise(
        "break it in two places",
        hint="`broken_encoding` takes both, and so do `sinusoidal_encoding`'s `start` and a `*`.",
        why="Row 0 shows where the positions begin, and the one length of all hands shows the factor. Each mistake "
        "leaves a trace of its own, so both can be named.",
        expect=Accepted(_two_mistakes),
    ),
    Exercise(
        "another order, and right",
        hint="`layout` of `sinusoidal_encoding` has a second value. Or put the columns of the right matrix in the "
        "order of case J.",
        why="All sines first, all cosines first, and a spacing that ends at 1/base are all in use. None of them is a "
        "mistake, as long as all weights are learned with it.",
        expect=Accepted(_right_in_another_order),
    ),
)
