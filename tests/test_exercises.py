"""Promise: `check` takes right answers for right and no wrong one, and tells each known mistake what to look at."""

import ast
import json
import re
from contextlib import suppress
from pathlib import Path

import nbformat
import numpy as np
import pytest
from conftest import LESSONS

from pe_exercises import check, exercises, hint, solution, trying
from pe_exercises.engine import CLOSE, OPENINGS, exercise
from pe_lib import (
    add_positional_encoding,
    alibi_bias,
    broken_encoding,
    encode_positions,
    frequencies,
    ntk_aware_scaling,
    pair_speeds,
    round_to,
    shift_rotation,
    sinusoidal_encoding,
    wavelengths,
    yarn_scaling,
)

EXERCISES = exercises()

# The exercises that are named most often below.
OWN, CLOCK, RANDOM = "an encoding of your own", "read the clock", "random frequencies"
BITS, SIGNS, FRONT = "bits that do not jump", "where the signs are bits", "tokens in front"
MASKS, AHEAD, WORTH = "a mask for each sentence", "look two ahead", "a table worth its bits"
ORDER = "another order, still right"

every_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))


# Every exercise.


def test_few_replies_open_with_close_and_the_other_openings_are_left_to_the_engine():
    files = Path(trying.__file__).parent.glob("*.py")
    nodes = [node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    written = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    opens = {kind: [said for said in written if said.startswith(f"{word}. ")] for kind, word in OPENINGS.items()}
    assert 20 < len(opens.pop("nearly")) <= 40  # it's for slips of one step
    assert not any(opens.values())


@every_exercise
def test_its_own_answer_is_right(exercise):
    feedback = exercise.check(exercise.right if exercise.inputs else exercise.right())
    assert feedback.kind == "right", feedback
    assert len(feedback.text.split()) > 5
    assert feedback.text in " ".join(repr(exercise.solution).split())


@every_exercise
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # what a learner's numbers overflow to
def test_each_known_mistake_is_told_in_its_own_words(exercise):
    for answer, says in exercise.wrong:
        feedback = exercise.check(answer)
        says = " ".join(says.split())
        later = re.search(r"^The result .*right(, but that of| for the first)", feedback.text, re.MULTILINE)
        assert feedback.kind == ("nearly" if CLOSE.match(says) or later else "wrong"), feedback
        assert CLOSE.sub("", says) in feedback.text


@every_exercise
@pytest.mark.parametrize(
    "value",
    [None, "about six", True, np.nan, -1e300, 10**30, [], [[1, 2], [3]], {"a": 1}, np.zeros((10, 6)), 1j, [True, None]],
    ids=repr,
)
def test_anything_else_is_answered_in_a_sentence(exercise, value):
    feedback = check(exercise.name, (lambda *_: value) if exercise.inputs else value)
    assert feedback.kind in ("wrong", "nearly")
    assert len(feedback.text.split()) > 2
    assert "Error" not in feedback.text, feedback
    other = check(exercise.name, value if exercise.inputs else lambda *_: value)
    assert "a function" in other.text


@every_exercise
def test_an_answer_with_dots_in_it_is_not_answered_yet(exercise):
    for value in (..., [...], (1, ...)):
        for answer in (value, lambda *_, value=value: value):
            feedback = exercise.check(answer if exercise.inputs or not callable(answer) else ...)
            assert feedback.kind == "unanswered"
            assert f'hint("{exercise.name}")' in feedback.text
            assert f'solution("{exercise.name}")' in feedback.text


def code(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def test_the_notebooks_ask_for_all_exercises_in_their_order():
    asked = []
    for path in LESSONS:
        for cell in code(path):
            if names := re.findall(r'^check\("([^"]+)", ', cell.source, re.MULTILINE):
                assert cell.outputs[-1].data["text/plain"] == repr(check(names[0], ...))
                assert EXERCISES[names[0]].notebook == path.name[:2]
                asked += names
    assert asked == list(EXERCISES)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_solution_can_be_pasted_into_its_notebook(path):
    names = {}
    exec(next(cell.source for cell in code(path) if "import check" in cell.source), names)
    for name, each in EXERCISES.items():
        if each.notebook == path.name[:2]:
            exec(names["solution"](name).code, names)
            pasted = names[each.right.__name__]
            assert names["check"](name, pasted if each.inputs else pasted()).kind == "right"


# Right answers in another form than the exercise's own.


# The arguments of the functions are what the exercises give: length and width, x and its sum, masks and so on.


def angles(length, d_model):
    return np.arange(length)[:, np.newaxis] * frequencies(d_model)


def stacked(angle, axis=-1):
    return np.stack([np.sin(angle), np.cos(angle)], axis=axis)


def clock(rows):
    """Look each row up in the table, the way of someone who wants no angles."""
    return [np.linalg.norm(sinusoidal_encoding(628, 4) - row, axis=1).argmin() for row in rows]


def table(x):
    return sinusoidal_encoding(len(x), x.shape[2])[:, np.newaxis]


def where(masks, d_model):
    return np.where(masks[..., np.newaxis] == 1, sinusoidal_encoding(masks.shape[1], d_model), 0.0)


def differences(x, y):
    return (y - x)[:, :, np.newaxis] - sinusoidal_encoding(*x.shape[1:])


def one_by_one(queries, keys):
    """Score pair by pair, with the matrix of each offset."""
    return [
        [query @ shift_rotation(n - m, len(query)).T @ key for n, key in enumerate(keys)]
        for m, query in enumerate(queries)
    ]


def head(offset, sharpness=50, axis=1):
    """Make the attention weights of a head that looks this far ahead."""

    def weights(length, d_model):
        keys = sinusoidal_encoding(length, d_model)
        powers = np.exp(sharpness * keys @ shift_rotation(offset, d_model).T @ keys.T / np.sqrt(d_model))
        return powers / powers.sum(axis=axis, keepdims=True)

    return weights


def directed(*pairs):
    """Make a matrix whose scores have the directions of these pairs."""
    matrix = np.zeros((8, 8))
    for i in pairs:
        matrix[2 * i, 2 * i + 1], matrix[2 * i + 1, 2 * i] = 1, -1
    return matrix


X = (8, 20, 64)
ONE = np.eye(6)
GRAY = [n ^ (n >> 1) for n in range(16)]
PE = sinusoidal_encoding(10, 6)
RIGHT = [
    ("the sum of the first row", 5),
    ("the column that was cut out", 2.0),
    ("a whole turn", np.array(7)),
    ("another order", EXERCISES["another order"].right().round(4).tolist()),
    ("what layer normalisation leaves", lambda rows: [[x - sum(row) / len(row) for x in row] for row in rows]),
    ("the last word behind a mask", (False, True)),
    ("the last word behind a mask", np.array([0, 1])),
    ("the nearest row", 6.0),
    ("an encoding of your own", lambda length: sinusoidal_encoding(length, 4)),
    ("an encoding of your own", lambda length: sinusoidal_encoding(length, 4).round(4).tolist()),
    ("an encoding of your own", lambda length: sinusoidal_encoding(length, 4).astype(np.float16)),
    ("an encoding of your own", lambda length: np.roll(sinusoidal_encoding(length + 5, 4)[5:], 1, axis=1)),
    ("the divisors of eight columns", (1, 10, 100, 1000)),
    ("the divisors of eight columns", 10.0 ** np.arange(4)),
    ("one formula for all columns", lambda *shape: sinusoidal_encoding(*shape).tolist()),
    ("five columns", lambda length, d: stacked(angles(length, d)).reshape(length, -1)[:, :d]),
    ("five columns", lambda *shape: sinusoidal_encoding(*shape, dtype=np.float32)),
    ("take it apart", np.stack([PE[:, 0::2], PE[:, 1::2]], axis=-1)),
    ("take it apart", PE.reshape(-1, 3, 2).round(4).tolist()),
    ("find a lost number", [8.0, 4.0]),
    ("two pieces of a text", lambda angle: stacked(angle, 3).reshape(2, 10, -1)),
    (
        "from halves to interleaved",
        lambda halves: halves.reshape(len(halves), 2, -1).swapaxes(1, 2).reshape(halves.shape),
    ),
    ("name the column", np.int64(3)),
    ("the longest wave", lambda d_model, base: wavelengths(d_model, base).max()),
    ("the longest wave", lambda d_model, base: np.float32(2 * np.pi * base ** (1 - 2 / d_model))),
    ("a base to order", 1000),
    ("the double", np.float64(588)),
    ("read the clock", lambda rows: EXERCISES["read the clock"].right(rows).round().astype(int)),
    ("read the clock", clock),
    ("hands like those of a wall clock", 12_960_000.0),
    ("random frequencies", lambda w, length: stacked(np.multiply.outer(range(length), w)).reshape(length, -1).tolist()),
    ("random frequencies", lambda w, length: np.hstack(stacked(np.multiply.outer(range(length), w), 0)).round(4)),
    ("random frequencies", lambda w, length: -np.hstack(stacked(np.multiply.outer(range(length), w), 0)[::-1])),
    ("bits that do not jump", GRAY[::-1]),
    ("bits that do not jump", np.array([15 - code for code in GRAY], float)),
    ("where the signs are bits", lambda n: np.pi * n + 0.1),
    ("where the signs are bits", lambda n: [np.pi * (number + 16.9) for number in n]),
    ("five shapes", [X, X, "error", X, (5, *X)]),
    ("five shapes", (list(X), X, " Error", list(X), [5, *X])),
    (FRONT, lambda x: (x + table(x)).astype(np.float32)),
    (FRONT, lambda x: (x + table(x)).round(4).tolist()),
    (FRONT, lambda x: np.stack([add_positional_encoding(sentence) for sentence in x.swapaxes(0, 1)], axis=1)),
    (MASKS, lambda masks, d: np.array([where(mask[np.newaxis], d)[0] for mask in masks])),
    (MASKS, lambda masks, d: sinusoidal_encoding(masks.shape[1], d) * masks[..., np.newaxis] + 0.0),
    ("weights that add", np.vstack([ONE, ONE]).tolist()),
    ("weights that add", np.tile(np.eye(6, dtype=int), (2, 1))),
    ("which row did each token get?", lambda x, y: abs(differences(x, y)).sum(-1).argmin(-1).astype(float)),
    ("which row did each token get?", lambda x, y: ((y - x) @ sinusoidal_encoding(*x.shape[1:]).T).argmax(-1)),
    ("turn one pair", lambda k, w: shift_rotation(k * w, 2).astype(np.float32)),
    ("turn one pair", lambda k, w: shift_rotation(k * w, 2).round(4).tolist()),
    ("step back", lambda rows, rotation: (np.linalg.inv(rotation) @ rows.T).T),
    ("step back", lambda rows, rotation: [rotation.T @ row for row in rows]),
    ("scores that know the offset", one_by_one),
    (AHEAD, lambda length, _: np.eye(length, k=2, dtype=int).tolist()),
    (AHEAD, lambda length, _: np.vstack([np.eye(length, k=2)[:-2], np.full((2, length), np.nan)])),
    (AHEAD, head(2, sharpness=30)),
    ("which comes first", directed(3)),
    ("which comes first", 1e300 * directed(2, 3)),
    ("which comes first", directed(2).astype(int).tolist()),
    ("the end of counting in float32", float(2**24)),
    ("the end of counting in float32", np.float32(2**24)),
    ("the nearest return", lambda d_model, up_to: float(EXERCISES["the nearest return"].right(d_model, up_to))),
    ("any number of bits", lambda x, bits: EXERCISES["any number of bits"].right(x, bits).tolist()),
    (WORTH, lambda length, d_model: sinusoidal_encoding(length, d_model, dtype=np.float16)),
    ("doubling", sinusoidal_encoding),
    ("name two mistakes", (" Pair-from-one", "cosine-exponent")),
    ("the base from two rows", lambda rows: pair_speeds(rows)[1] ** (-rows.shape[1] / 2)),
    (
        "the base from two rows",
        lambda rows: np.exp(-np.polyfit(range(len(w := pair_speeds(rows))), np.log(w), 1)[0] * len(w)),
    ),
    ("repair the note's formula", lambda *shape: sinusoidal_encoding(*shape).round(4).tolist()),
    (ORDER, sinusoidal_encoding(6, 8, layout="halves")),
    (ORDER, broken_encoding(6, 8, layout="cosines first").tolist()),
    ("the loss of a guess", 2.4849),
    ("two words back", lambda words: np.pad(words, ((0, 0), (2, 0)), constant_values=-1)[:, :-2].tolist()),
    ("rows that go on", lambda length, d_model: np.sin(np.tile(np.arange(length)[:, np.newaxis] / 100, d_model))),
    ("the price of distance", lambda slope, length: 2 * slope * alibi_bias(8, length)[0]),
    (
        "a base for the factor",
        lambda base, h, factor: 1 / ntk_aware_scaling(frequencies(h, base), factor)[1] ** (h / 2),
    ),
    ("from one layout to the other", lambda w, h: np.hstack([w[:, k + i : k + h : 2] for k in (0, h) for i in (0, 1)])),
    ("YaRN by hand", lambda w, factor, trained: yarn_scaling(w, factor, trained).astype(np.float32)),
    ("the lowest number", np.int64(15)),
    ("the best look-alike", 63.0),
    ("a wave slow enough", 12),
]


@pytest.mark.parametrize(("name", "answer"), RIGHT)
def test_a_right_answer_is_right_in_whatever_form(name, answer):
    assert check(name, answer).kind == "right", check(name, answer)


# Mistakes that a judge finds.


def of_position(positions):
    return np.stack([positions, 0 * positions, 0 * positions, 0 * positions], axis=1)


def sines_and_cosines(angle):
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)


def read(rows, turns=np.round):
    slow = 100 * (np.arctan2(rows[:, 2], rows[:, 3]) % (2 * np.pi))
    fast = np.arctan2(rows[:, 0], rows[:, 1]) % (2 * np.pi)
    return fast + 2 * np.pi * turns((slow - fast) / (2 * np.pi))


WRONG = [
    ("the last word behind a mask", ["False", "True"], "without quotation marks"),
    (
        OWN,
        lambda length: of_position(np.linspace(0, 1, length)),
        "Not yet a step of at least 0.1: the smallest is 0.001",
    ),
    (OWN, lambda length: of_position(np.arange(length)), "Not yet bounded: row 999 holds 999, outside -1 to 1"),
    (OWN, lambda length: of_position(np.arange(length) % 2), "Not yet all different: row 2 is row 0 over again"),
    (OWN, lambda length: np.sin(of_position(np.arange(length))), "not yet the same step"),
    ("one formula for all columns", lambda *shape: sinusoidal_encoding(*shape, layout="halves"), "another convention"),
    ("five columns", lambda length, d: sinusoidal_encoding(length, d, start=1), "from 1"),
    ("a base to order", 10_000, "With base 10000 the longest wavelength is 2916.396 positions."),
    ("the double", 588.32, "Which whole position is closest to it?"),
    ("the double", 41, "At 41 the hand is close to where it is at 40."),
    ("the double", 500, "At position 500 column 3 holds 0.2837, and at 40 0.9211."),
    (CLOCK, lambda rows: read(rows, np.floor), "the turns are miscounted"),
    (CLOCK, lambda rows: read(rows).astype(int), "you lose the digits after the point"),
    (CLOCK, lambda rows: read(rows) + 1, "Each is 1 too large"),
    (CLOCK, lambda rows: np.where(read(rows) > 600.5, 3.0, read(rows)), "601 of 628 positions are right. Row"),
    (CLOCK, lambda rows: -read(rows), "came out below 0"),
    ("hands like those of a wall clock", 10_000, "With base 10000 each hand is 10 times as fast"),
    ("hands like those of a wall clock", 60**13, "With base 1.306069402e+23 each hand is"),
    ("hands like those of a wall clock", 60**-4, "each hand is slower than the next"),
    (RANDOM, lambda w, length: sinusoidal_encoding(length, 2 * len(w)), "the paper's frequencies"),
    (RANDOM, lambda w, length: sines_and_cosines(np.degrees(np.multiply.outer(range(length), w))), "in degrees"),
    (RANDOM, lambda w, length: sines_and_cosines(np.multiply.outer(range(length), w)).round(2), "2 decimals"),
    (RANDOM, lambda w, length: 3 * sines_and_cosines(np.multiply.outer(range(length), w)), "9 times what they should"),
    (
        RANDOM,
        lambda w, length: sines_and_cosines(np.multiply.outer(range(length), w**2)),
        "The dot product of rows 0 and",
    ),
    (BITS, list(range(16)), "leads from 1 to 2, 0001 to 0010: 2 bits."),
    (BITS, [int(f"{code:b}") for code in GRAY], "Python reads 11 as eleven."),
    (BITS, [*GRAY[:15], 0], "One number is missing: 8."),
    (SIGNS, lambda n: n, "Are your positions stretched?"),
    (SIGNS, lambda n: np.pi * n, "It changes sign there"),
    (SIGNS, lambda n: np.pi * (n - 0.5), "The signs are the bits of n - 1"),
    (SIGNS, lambda n: np.pi * (n[::-1] + 0.5), "the other way round"),
    ("five shapes", [X, X, X, X, (5, *X)], "Look at (8, 20)."),
    ("five shapes", [X, X, "error", X, X], "Look at (5, 1, 1, 64)."),
    (FRONT, lambda x: x + sinusoidal_encoding(*x.shape[::2], start=1)[:, np.newaxis], "from 1"),
    (FRONT, lambda x: x + table(x)[1], "the same row to every token"),
    (MASKS, lambda masks, d: sinusoidal_encoding(masks.shape[1], d) * masks[..., np.newaxis], "a -0.0"),
    (MASKS, lambda masks, d: where(masks, d) + 1 - masks[..., np.newaxis], "sentence 1, token 2 is padding"),
    (MASKS, lambda masks, d: np.zeros((*masks.shape, d)), "sentence 0, token 0 is a word"),
    (AHEAD, head(-2), "This head looks two back"),
    (AHEAD, head(2, sharpness=1), "What makes a head sharper?"),
    (AHEAD, head(2, axis=0), "The columns add up to 1"),
    (AHEAD, lambda length, _: 1.004 * np.eye(length, k=2), "row 0 adds up to 1.004"),
    (AHEAD, head(1), "The largest attention weight of word 0 is on word 1, not on 2"),
    (AHEAD, lambda length, _: -np.eye(length, k=2), "the softmax"),
    (AHEAD, lambda length, _: np.full((length, length), np.nan), "Does `exp` overflow?"),
    ("which comes first", -directed(2), "the other way round"),
    ("which comes first", directed(0, 1, 2, 3), "At offsets below 4 all signs are right"),
    ("which comes first", directed(1), "At offsets below 32"),
    ("which comes first", np.eye(8), "don't say which comes first"),
    ("which comes first", np.triu(directed(2)), "M[b, a] has"),
    ("which comes first", -directed(0), "Even for neighbours"),
    ("which comes first", np.zeros((8, 8)), "All scores are 0"),
    ("the end of counting in float32", "2**24", "How many significant bits"),
    (WORTH, lambda *shape: encode_positions(round_to(np.arange(shape[0]), "float16"), shape[1]), "before the sines?"),
    (WORTH, lambda *shape: sinusoidal_encoding(*shape, layout="halves"), "Row 0 is off already"),
    (
        WORTH,
        lambda *shape: stacked(angles(*shape).astype(np.float32)).reshape(shape).astype(np.float16),
        "your angles?",
    ),
    (WORTH, lambda *shape: sinusoidal_encoding(*shape).round(3).astype(np.float16), "You rounded to 3 decimals."),
    (WORTH, sinusoidal_encoding, "you stored them as float64"),
    ("name two mistakes", ["base", "base"], "is every length 1"),
    ("repair the note's formula", lambda *shape: broken_encoding(*shape, rule="2 forgotten"), "half"),
    (ORDER, sinusoidal_encoding(6, 8).round(1), "it's the paper's own"),
    (ORDER, sinusoidal_encoding(6, 8)[:, ::-1], "Which order did case J have?"),
    (ORDER, 2 * sinusoidal_encoding(6, 8), "by 2"),
    ("rows that go on", sinusoidal_encoding, "We ask for more than 0.6"),
    ("rows that go on", lambda length, d_model: np.zeros((length, d_model)), "At 32 words we ask for 0.8."),
]


@pytest.mark.parametrize(("name", "answer", "says"), WRONG)
def test_a_judge_says_what_to_look_at(name, answer, says):
    feedback = check(name, answer)
    assert says in feedback.text
    assert feedback.kind in ("wrong", "nearly")


# What the engine says of any exercise.


@exercise(hint="Twice what?", inputs=[(np.arange(3.0),), (np.arange(4.0),)])
def the_doubles(x):
    """Twice x is x and x again, so adding is enough.

    So is shifting the bits of an integer.
    """
    return x + x


@exercise(hint="Which of them?")
def a_matrix():
    """Count from 0.12345 on in steps of 1.37 and rows of three, and keep all decimals."""
    return np.arange(6).reshape(2, 3) * 1.37 + 0.12345


def six_in_the_exponent(length, d_model):
    j = np.arange(d_model)
    angle = np.arange(length)[:, np.newaxis] / 10000 ** (2 * (j // 2) / 6)
    return np.where(j % 2 == 0, np.sin(angle), np.cos(angle))


ADVICE = "Is there a number in your code where an argument belongs?"


@pytest.mark.parametrize(
    ("asked", "answer", "kind", "says"),
    [
        (
            the_doubles,
            lambda x: np.array([0, 2, 4])[: len(x)],
            "nearly",
            "is right, but that of your function(array of",
        ),
        (the_doubles, lambda x: x.__iadd__(x), "nearly", "The function changes what it is given."),
        (
            the_doubles,
            lambda x: x**2,
            "wrong",
            "2 of 3 numbers are right. The first wrong one is at index 1: it is 1",
        ),
        (the_doubles, lambda x: [2 * each for each in x[::-1]], "nearly", "the right numbers in another order"),
        (the_doubles, lambda x: 2 * x / 0, "wrong", "A number is not finite"),
        (the_doubles, lambda x: x ^ 2, "wrong", "a power is written `**`"),
        (the_doubles, lambda x: x.double, "wrong", "AttributeError: 'numpy.ndarray' object has no attribute 'double'"),
        (the_doubles, lambda: 0, "wrong", "takes 0 positional arguments but 1 was given"),
        (the_doubles, lambda x: print(x), "wrong", "Did you forget to return?"),
        (a_matrix, a_matrix.right().T, "nearly", "Rows and columns have changed places"),
        (a_matrix, a_matrix.right().ravel(), "nearly", "in shape (6,)"),
        (a_matrix, a_matrix.right().round(1), "nearly", "You rounded to 1 decimal."),
        (a_matrix, a_matrix.right().round(3), "nearly", "You rounded to 3 decimals."),
        (a_matrix, a_matrix.right().round(), "nearly", "The digits after the decimal point are gone."),
        (a_matrix, [a_matrix.right()], "nearly", "in shape (1, 2, 3)"),
        (a_matrix, a_matrix.right().astype(int), "nearly", "The digits after the decimal point are gone."),
        (a_matrix, -a_matrix.right(), "nearly", "All the signs are the wrong way round."),
        (a_matrix, a_matrix.right()[::-1], "nearly", "the right rows in another order"),
        (a_matrix, a_matrix.right()[:1], "wrong", "an array of shape (2, 3), and yours is an array of shape (1, 3)"),
        (
            a_matrix,
            a_matrix.right() + np.eye(2, 3),
            "wrong",
            "4 of 6 numbers are right. The first wrong one is in row 0, column 0: it is 1.123.",
        ),
        (a_matrix, "0.123", "wrong", "without quotation marks"),
        (EXERCISES["the last word behind a mask"], [[False, True]], "nearly", "the right answer, in a list."),
        (EXERCISES["the end of counting in float32"], [2**24], "nearly", "Give the number alone."),
        (EXERCISES["a base to order"], -1000, "nearly", "The sign is the wrong way round."),
        (
            EXERCISES["one formula for all columns"],
            six_in_the_exponent,
            "nearly",
            "it should be 0.09983.\nThe result of",
        ),
        (EXERCISES["one formula for all columns"], six_in_the_exponent, "nearly", f"exponent(7, 8) is not. {ADVICE}"),
        (
            EXERCISES["the base from two rows"],
            lambda _: 10_000,
            "nearly",
            f"for the first numbers, but not for others. {ADVICE}",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_mistake_that_nobody_foresaw_is_described(asked, answer, kind, says):
    feedback = asked.check(answer)
    assert says in feedback.text
    assert feedback.kind == kind
    assert str(feedback).startswith("Close. " if kind == "nearly" else "Not yet. ")
    assert max(map(len, repr(feedback).splitlines())) <= 100


def one_line_loop(_):
    # fmt: off
    while True: pass  # noqa: E701
    # fmt: on


def loop_that_catches(x):
    while True:
        with suppress(Exception):
            x[0] += 1


@pytest.mark.parametrize("loops", [one_line_loop, loop_that_catches, lambda x: sum(n + len(x) for n in iter(int, 1))])
def test_a_loop_that_never_stops_is_ended(loops, monkeypatch):
    monkeypatch.setattr(trying, "SECONDS", 0.1)
    feedback = the_doubles.check(loops)
    assert "Is there a loop that never stops? That is in line" in feedback.text


def test_an_error_is_quoted_with_the_learners_line():
    def inner(x):
        return x @ np.zeros(7)

    def outer(x):
        return inner(x)

    assert "`return x @ np.zeros(7)`" in the_doubles.check(outer).text
    said = the_doubles.check(lambda x: json.loads("{") or x).text
    assert 'json.loads("{")' in said  # the line of the learner, and not one of that module


def test_a_known_mistake_of_a_later_call_gets_no_other_advice():
    feedback = check(
        "the nearest return", lambda d_model, up_to: EXERCISES["the nearest return"].right(d_model, up_to - 1)
    )
    assert "You haven't tried the last offset" in feedback.text
    assert ADVICE not in feedback.text


def test_a_right_answer_is_told_the_first_paragraph_and_a_solution_has_all():
    assert repr(the_doubles.check(lambda x: 2 * x)) == "Right. Twice x is x and x again, so adding is enough."
    assert (
        repr(the_doubles.solution)
        == """\
Twice x is x and x again, so adding is enough.

So is shifting the bits of an integer.

def the_doubles(x):
    return x + x"""
    )


def test_a_name_that_is_not_there_brings_the_nearest():
    for ask in (hint, solution, lambda name: check(name, 1)):
        with pytest.raises(ValueError, match="Did you mean 'five shapes'"):
            ask("five shape")
