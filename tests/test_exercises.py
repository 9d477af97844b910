"""Promise: `check` takes right answers for right and no wrong one, and tells each known mistake what to look at."""

import re
from contextlib import suppress
from pathlib import Path

import nbformat
import numpy as np
import pytest

from pe_lib import add_positional_encoding, check, hint, sinusoidal_encoding, solution
from pe_lib.exercises import exercises, trying
from pe_lib.exercises.engine import Exercise, exercise

EXERCISES = {name: each for name, each in exercises().items() if isinstance(each, Exercise)}
NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "notebooks").glob("[0-9][0-9]_*.ipynb"))
FRONT, MASKS = "tokens in front", "a mask for each sentence"

every_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))


# Every exercise.


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
        assert feedback.kind == ("nearly" if says.strip().startswith("Nearly.") else "wrong"), feedback
        assert " ".join(says.split()).removeprefix("Nearly. ") in feedback.text


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


def test_the_notebooks_ask_for_all_exercises_in_their_order():
    asked = []
    for path in NOTEBOOKS:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code" and (names := re.findall(r'^check\("([^"]+)", ', cell.source, re.MULTILINE)):
                assert cell.outputs[-1].data["text/plain"].startswith("Not answered yet.")
                assert exercises()[names[0]].notebook == path.name[:2]
                asked += names
            assert "solution(" not in cell.source or cell.cell_type == "markdown"
    assert asked == list(exercises())


# Right answers in another form than the exercise's own.


def table(x):
    return sinusoidal_encoding(len(x), x.shape[2])[:, np.newaxis]


def where(masks, d_model):
    return np.where(masks[..., np.newaxis] == 1, sinusoidal_encoding(masks.shape[1], d_model), 0.0)


def differences(x, y):
    return (y - x)[:, :, np.newaxis] - sinusoidal_encoding(*x.shape[1:])


X = (8, 20, 64)
ONE = np.eye(6)
RIGHT = [
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
]


@pytest.mark.parametrize(("name", "answer"), RIGHT)
def test_a_right_answer_is_right_in_whatever_form(name, answer):
    assert check(name, answer).kind == "right", check(name, answer)


# Mistakes that a judge finds.

WRONG = [
    ("five shapes", [X, X, X, X, (5, *X)], "Look at (8, 20)."),
    ("five shapes", [X, X, "error", X, X], "Look at (5, 1, 1, 64)."),
    (FRONT, lambda x: x + sinusoidal_encoding(*x.shape[::2], start=1)[:, np.newaxis], "from 1"),
    (FRONT, lambda x: x + table(x)[1], "the same row to every token"),
    (MASKS, lambda masks, d: sinusoidal_encoding(masks.shape[1], d) * masks[..., np.newaxis], "a -0.0"),
    (MASKS, lambda masks, d: where(masks, d) + 1 - masks[..., np.newaxis], "sentence 1, token 2 is padding"),
    (MASKS, lambda masks, d: np.zeros((*masks.shape, d)), "sentence 0, token 0 is a word"),
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
    """Count from 0.123 on in rows of three, and keep all decimals."""
    return np.arange(6.0).reshape(2, 3) + 0.123


@pytest.mark.parametrize(
    ("asked", "answer", "kind", "says"),
    [
        (the_doubles, lambda x: np.array([0, 2, 4])[: len(x)], "nearly", "is right, that of your function(array of"),
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
        (a_matrix, a_matrix.right().astype(int), "nearly", "The digits after the decimal point are gone."),
        (a_matrix, -a_matrix.right(), "nearly", "All the signs are the wrong way round."),
        (a_matrix, a_matrix.right()[::-1], "nearly", "the right rows in another order"),
        (a_matrix, a_matrix.right()[:1], "wrong", "an array of shape (2, 3), and yours is an array of shape (1, 3)"),
        (
            a_matrix,
            a_matrix.right() + np.eye(2, 3),
            "wrong",
            "4 of 6 numbers are right. The first wrong one is in",
        ),
        (a_matrix, "0.123", "wrong", "without quotation marks"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_mistake_that_nobody_foresaw_is_described(asked, answer, kind, says):
    feedback = asked.check(answer)
    assert says in feedback.text
    assert feedback.kind == kind
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


def test_a_solution_is_a_function_that_can_be_pasted():
    names = {"np": np}
    exec(repr(the_doubles.solution), names)
    assert the_doubles.check(names["the_doubles"]).kind == "right"
    assert "shifting the bits" not in the_doubles.check(names["the_doubles"]).text
    assert "shifting the bits" in repr(the_doubles.solution)


def test_a_name_that_is_not_there_brings_the_nearest():
    for ask in (hint, solution, lambda name: check(name, 1)):
        with pytest.raises(ValueError, match="Did you mean 'five shapes'"):
            ask("five shape")
