"""Promise: every exercise answers every answer, however wild, in a sentence, and knows a right one when it sees it."""

import _thread
import ast
import builtins
import functools
import gc
import io
import math
import os
import random
import re
import signal
import sys
import threading
import time
import warnings
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pytest

import pe_lib
from pe_lib import ROUTES, _memory, check, hint, sinusoidal_encoding
from pe_lib.exercises import Feedback, exercises, running
from pe_lib.exercises.engine import exercise
from pe_lib.exercises.expectations import GIVEN, Answer, Choice, Encoding, Numbers, When

with suppress(ImportError):
    import resource

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
LESSONS = sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))
EXERCISES = exercises()
CALL = re.compile(r'^check\("([^"]+)", (\w+)\)$', re.MULTILINE)


@functools.cache
def cells(path):
    return nbformat.read(path, as_version=4).cells


def asked_in(path):
    """Return the names of the exercises that a notebook calls `check` with, in their order."""
    return [name for cell in cells(path) if cell.cell_type == "code" for name, _ in CALL.findall(cell.source)]


ASKED = [(path, name) for path in LESSONS for name in asked_in(path)]
each_asked = pytest.mark.parametrize(("path", "name"), ASKED, ids=lambda x: getattr(x, "stem", x)[:40])
each_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))
WITH_EXERCISES = sorted({path for path, _ in ASKED})
each_lesson = pytest.mark.parametrize("path", WITH_EXERCISES, ids=lambda path: path.stem)


@pytest.fixture
def impatient(monkeypatch):
    """Give a loop less time than a learner gets."""
    monkeypatch.setattr(running, "SECONDS", 0.08)
    monkeypatch.setattr(running, "PATIENCE", 0.05)


# The notebooks and the exercises belong together.


def test_the_opening_words_are_the_same_in_all_notebooks():
    openings = [
        cell.source.split("**1. ")[0]
        for path in WITH_EXERCISES
        for cell in cells(path)
        if cell.cell_type == "markdown" and cell.source.startswith("## On your own\n")
    ]
    assert len(openings) == len(WITH_EXERCISES)
    assert len(set(openings)) == 1


def test_the_notebooks_ask_for_all_exercises_in_their_order():
    assert [name for _, name in ASKED] == list(EXERCISES)


@each_asked
def test_an_exercise_lives_in_the_module_of_its_notebook(path, name):
    module = sys.modules[f"pe_lib.exercises.notebook_{path.stem[:2]}"]
    assert any(each is EXERCISES[name] for each in vars(module).values())
    assert EXERCISES[name].notebook == path.stem[:2]


@each_asked
def test_the_folded_hint_says_what_hint_says(path, name):
    book = cells(path)
    (stub,) = [k for k, cell in enumerate(book) if cell.cell_type == "code" and f'check("{name}", ' in cell.source]
    assert book[stub + 1].source == f"<details><summary>Hint</summary>\n\n{hint(name).text}\n</details>"


@each_asked
def test_the_stub_as_stored_is_not_answered_yet(path, name):
    (stub,) = [cell for cell in cells(path) if cell.cell_type == "code" and f'check("{name}", ' in cell.source]
    assert stub.source.rstrip().splitlines()[-1].startswith(f'check("{name}", ')
    assert stub.outputs[-1]["data"]["text/plain"].startswith("Not answered yet.")


@each_exercise
def test_hint_and_reason_are_sentences_without_formulas_of_tex(exercise):
    for text in (exercise.hint, exercise.why):
        assert text == text.strip()
        assert text.endswith((".", "?", "`.", ")"))
        assert "$" not in text
        assert len(text.split()) > 5
    assert exercise.why not in exercise.hint


def sections(path):
    """Return the setup cell of a notebook, and the code of every section."""
    setup, found = "", []
    for cell in cells(path):
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            found.append([])
        elif cell.cell_type == "code" and not found:
            setup = cell.source
        elif cell.cell_type == "code":
            found[-1].append(cell.source)
    return setup, found


@functools.cache
def solved(path):
    """Run the sections of the solutions up to their last check; return the names each had, and what was said to it."""
    kept = {}
    setup, found = sections(path.parent / "solutions" / path.name)
    for section in found:
        checks = [k for k, code in enumerate(section) if CALL.search(code)]
        if not checks:
            continue
        names = {"__name__": "__main__"}

        def keep(name, answer, names=names):
            kept[name] = (dict(names), check(name, answer))

        with np.printoptions():
            for code in (setup, *section[: checks[-1] + 1]):
                names["check"] = keep if code is not setup else check
                exec(compile(code, "<cell>", "exec"), names)
    return kept


@each_lesson
def test_the_solutions_are_right(path):
    kept = solved(path)
    assert list(kept) == asked_in(path)
    for name, (_, feedback) in kept.items():
        assert feedback.kind == "right", f"{name}: {feedback}"


@each_lesson
def test_the_solutions_are_stored_with_what_is_said_to_them(path):
    for cell in cells(path.parent / "solutions" / path.name):
        for name, _ in CALL.findall(cell.source) if cell.cell_type == "code" else ():
            assert cell.outputs[-1]["data"]["text/plain"] == repr(Feedback("right", EXERCISES[name].why))


class FillIn(ast.NodeTransformer):
    """Put answers where a stub has `...`: for `name = ...`, and for a function that is `return ...` and no more."""

    def __init__(self):
        self.filled = []

    def _from_the_solution(self, name, node):
        self.filled.append(name)
        return ast.copy_location(ast.parse(f"{name} = SOLUTION[{name!r}]").body[0], node)

    def visit_Assign(self, node):  # noqa: D102
        if isinstance(node.value, ast.Constant) and node.value.value is ...:
            return self._from_the_solution(node.targets[0].id, node)
        return node

    def visit_FunctionDef(self, node):  # noqa: D102
        (*_, last) = node.body
        if isinstance(last, ast.Return) and isinstance(last.value, ast.Constant) and last.value.value is ...:
            return self._from_the_solution(node.name, node)
        return node


@each_lesson
def test_a_notebook_filled_with_the_solutions_is_right_throughout(path):
    kept, said = solved(path), {}
    setup, found = sections(path)
    (own,) = [codes for codes in found if any(CALL.search(code) for code in codes)]
    names = {"__name__": "__main__"}
    with np.printoptions():
        exec(compile(setup, "<setup>", "exec"), names)
        names["check"] = lambda name, answer: said.update({name: check(name, answer).kind})
        for code in own:
            filler = FillIn()
            tree = ast.fix_missing_locations(filler.visit(ast.parse(code)))
            for name, _ in CALL.findall(code):
                assert filler.filled, f"nothing to fill in for {name!r}"
                names["SOLUTION"] = kept[name][0]
            exec(compile(tree, "<stub>", "exec"), names)
    assert said == dict.fromkeys(asked_in(path), "right")


# What every exercise does with every answer.


class Raising:
    """An object that answers nothing."""

    def __array__(self, *_, **__):
        raise RuntimeError("no array")

    def __repr__(self):
        raise RuntimeError("no repr")

    def __eq__(self, _):
        raise RuntimeError("no eq")

    def __len__(self):
        raise RuntimeError("no len")

    def __iter__(self):
        raise RuntimeError("no iter")

    __hash__ = None


class Slow:
    """An object that never becomes an array."""

    def __array__(self, *_, **__):
        while True:
            pass


class Frame:
    """An array in disguise, as those of pandas and JAX are."""

    def __init__(self, values):
        self.values = np.asarray(values)
        self.shape = self.values.shape

    def __array__(self, dtype=None, copy=None):
        return self.values.astype(dtype) if dtype else self.values


def within_itself():
    loop = []
    loop.append(loop)
    return loop


def deep():
    nest = []
    for _ in range(100_000):
        nest = [nest]
    return nest


HARM = {
    "none": None,
    "text": "about six",
    "empty text": "",
    "bytes": b"\x00",
    "true": True,
    "nan": np.nan,
    "infinity": -np.inf,
    "huge integer": 10**400,
    "minus one": -1,
    "complex": 1j,
    "empty list": [],
    "ragged": [[1, 2], [3]],
    "nan matrix": np.full((10, 6), np.nan),
    "huge matrix": np.full((10, 6), 1e308),
    "zeros": np.zeros((10, 6)),
    "one row": np.zeros((1, 6)),
    "no rows": np.zeros((0, 6)),
    "integers": np.arange(60).reshape(10, 6),
    "small integers": np.full((10, 6), -128, np.int8),
    "booleans": np.ones((10, 6), bool),
    "three axes": np.zeros((2, 3, 4)),
    "half floats": np.full((10, 6), 65504, np.float16),
    "text matrix": np.full((2, 2), "a"),
    "dates": np.array(["2020-01-01"], "datetime64[D]"),
    "record": np.zeros(3, [("a", int)]),
    "objects": np.array([None, "a", 1], object),
    "fractions": [Fraction(1, 3)] * 4,
    "masked": np.ma.masked_less(np.zeros((10, 6)), 1),
    "read-only": np.broadcast_to(1.0, (10, 6)),
    "too many": np.broadcast_to(0.0, (10**6, 10**6)),
    "a long list": [0.0] * 1_100_000,
    "many lists": [[0.0] * 2000] * 2000,
    "a wide range": range(10**12),
    "dict": {"a": 1},
    "set": {1, 2},
    "module": np,
    "class": dict,
    "object": object(),
    "raising": Raising(),
    "list of raising": [Raising()],
    "slow": Slow(),
    "frame": Frame(np.zeros((10, 6))),
    "within itself": within_itself(),
    "deep": deep(),
    "generator": (n for n in range(3)),
    "iterator": iter([1, 2]),
    "map": map(int, "12"),
    "memory": memoryview(b"abc"),
}


def told(feedback):
    """Check that something has been said, in words a learner can use, and return its kind."""
    assert isinstance(feedback, Feedback)
    assert len(feedback.text.split()) > 2
    assert "could not be judged" not in feedback.text, feedback.text
    assert "0x" not in feedback.text
    assert len(repr(feedback)) < 3000
    return feedback.kind


@each_exercise
@pytest.mark.usefixtures("impatient")
def test_no_value_gets_a_traceback_and_none_is_right(exercise):
    for name, value in HARM.items():
        answer = (lambda *_, value=value: value) if exercise.inputs else value
        assert told(exercise.check(answer)) in {"wrong", "nearly"}, name


@each_exercise
def test_what_is_not_answered_is_said_not_to_be(exercise):
    for value in (..., [...], [1, ...], (1, (2, [...]))):
        assert told(exercise.check(value)) == "unanswered"
    for value in (..., [1, ...], np.array([1, ...], object)):
        answer = (lambda *_, value=value: value) if exercise.inputs else value
        assert told(exercise.check(answer)) == "unanswered"
    if exercise.inputs:
        assert told(exercise.check(lambda *_: np.sin(...))) == "unanswered"


def raising(error):
    def function(*_):
        raise error

    return function


def calls_itself(*inputs):
    return calls_itself(*inputs)


def loops(*_):
    while True:
        pass


def loops_and_swallows(*_):
    n = 0
    while True:
        try:
            n += 1
        except BaseException:
            n = 0


def wants_much(*_):
    return np.zeros((10**7, 10**7))


class BadError(Exception):
    """An exception without a message."""

    def __str__(self):
        raise RuntimeError("no message")


HARMFUL = {
    **{
        type(error).__name__: raising(error)
        for error in (
            ValueError("of the learner"),
            SystemExit(1),
            KeyboardInterrupt(),
            GeneratorExit(),
            MemoryError(),
            StopIteration(),
            AssertionError(),
            BadError(),
        )
    },
    "exit": lambda *_: sys.exit(),
    "endless recursion": calls_itself,
    "too much memory": wants_much,
    "input": lambda *_: input("Your name?"),
    "print": lambda *inputs: print(inputs),
    "warn": lambda *_: warnings.warn("of the learner", stacklevel=1),
    "divide": lambda *_: np.array([1.0]) / 0,
    "no arguments": lambda: 1,
    "five arguments": lambda a, b, c, d, e: (a, b, c, d, e),
    "by keyword": lambda *, length: length,
    "a class": dict,
    "a ufunc": np.sin,
    "generator": lambda *_: (yield 1),
    "a coroutine": None,
}


async def later(*_):
    return 1


HARMFUL["a coroutine"] = later
LOOPING = {
    "endless loop": loops,
    "endless loop that swallows": loops_and_swallows,
    "sleep": lambda *_: time.sleep(0.5),
}


@each_exercise
@pytest.mark.usefixtures("impatient")
def test_no_function_gets_a_traceback_and_none_is_right(exercise, capsys):
    for name, function in HARMFUL.items():
        assert told(exercise.check(function)) in {"wrong", "nearly"}, name
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
@each_exercise
@pytest.mark.usefixtures("impatient")
def test_no_loop_is_waited_for(exercise, capsys):
    for name, function in LOOPING.items():
        assert told(exercise.check(function)) in {"wrong", "nearly"}, name
    assert capsys.readouterr() == ("", "")


def known(exercise):
    """Return for each answer that an exercise knows: what it is for every input, and what is said to it."""
    answers = [exercise.expect.answers(*inputs) for inputs in exercise.inputs or ((),)]
    for_each_input = [list(iter(each.__next__, GIVEN)) for each in answers]
    assert len({len(answers) for answers in for_each_input}) == 1
    return [([each.value for each in same], same[0].feedback) for same in zip(*for_each_input, strict=True)]


@each_exercise
def test_every_answer_that_is_known_is_told_in_its_own_words(exercise):
    for values, feedback in known(exercise):
        left = iter(values)
        said = exercise.check((lambda *_, left=left: next(left)) if exercise.inputs else values[0])
        assert said.kind == feedback.kind, values[0]
        assert feedback.text in said.text
        assert feedback.text or said.text == exercise.why
        assert said.known == bool(feedback.text)


@each_exercise
def test_the_first_answer_is_right_and_two_wrong_ones_at_least_are_known_or_measured(exercise):
    measured = GIVEN in exercise.expect.answers(*(exercise.inputs or [()])[0])
    if exercise.expect.__class__ in (Numbers, Choice) and not measured:
        assert [feedback.kind for _, feedback in known(exercise)].index("right") == 0
        assert len(known(exercise)) >= 3


WITH_NUMBERS = [each for each in EXERCISES.values() if isinstance(each.expect, Numbers) and known(each)]
FORMS = [np.ndarray.tolist, lambda x: tuple(x.tolist()) if x.ndim else x, np.float32, lambda x: np.round(x, 4)]
each_with_numbers = pytest.mark.parametrize("exercise", WITH_NUMBERS, ids=lambda exercise: exercise.name)


@each_with_numbers
@pytest.mark.parametrize("form", FORMS, ids=["list", "tuple", "float32", "as printed"])
def test_a_right_answer_is_right_in_every_form(exercise, form):
    def right(*inputs):
        return form(np.asarray(next(exercise.expect.answers(*inputs)).value))

    assert exercise.check(right if exercise.inputs else right()).kind == "right"


@each_with_numbers
@pytest.mark.parametrize("off", [1e-4, 3e-6])
def test_no_hint_says_of_a_number_that_it_is_what_it_should_be(exercise, off):
    def nearly_right(*inputs):
        right = np.asarray(next(exercise.expect.answers(*inputs)).value, dtype=np.float64)
        return right + off * np.maximum(np.abs(right), 1) * np.random.default_rng(1).uniform(0.5, 1, right.shape)

    first = exercise.inputs[0] if exercise.inputs else ()
    text = " ".join(exercise.check(nearly_right if exercise.inputs else nearly_right()).text.split())
    for found, asked in re.findall(r"it is (\S+), and (\S+) is expected", text):
        assert found != asked
    for number in re.findall(r"It is not (\S+)\.", text):
        assert float(number) != next(exercise.expect.answers(*first)).value


# What is said, in an exercise of the tests' own.


def of(*answers, expect=Numbers, inputs=(), why="It is.", **details):
    """Make an exercise of answers; those that are functions are called with the inputs."""

    def yielded(*given):
        for each in answers:
            value = each.value(*given) if callable(each.value) else each.value
            yield Answer(value, each.feedback)

    return exercise(name="of the tests", hint="Look.", why=why, inputs=inputs, expect=expect, **details)(yielded)


MATRIX = of(Answer(sinusoidal_encoding), expect=Encoding, inputs=((10, 6), (7, 4)), why="It is the encoding.")
NUMBER = of(Answer(np.pi), Answer(3).wrong("Not in Indiana."))
TEN = of(Answer(10.7))
LIST = of(Answer([1, 10, 100.5]))
DOUBLED = of(Answer(lambda x: 2 * x), inputs=((np.array([1.5, 2.5]),), (np.arange(3),)))
WORD = of(Answer((True, "error")), expect=Choice, otherwise="Look again.")
WHOLE = of(Answer(2**24), expect=Choice, otherwise="How many bits?")


@pytest.mark.parametrize("route", ROUTES.values(), ids=list(ROUTES))
def test_every_route_to_the_matrix_is_right(route):
    assert MATRIX.check(route) == Feedback("right", "It is the encoding.")


@pytest.mark.parametrize(
    "change",
    [
        np.ndarray.tolist,
        np.asfortranarray,
        np.float32,
        np.float64,
        np.asmatrix,
        np.ma.masked_invalid,
        Frame,
        np.longdouble,
    ],
)
def test_a_matrix_is_right_in_every_form(change):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what NumPy thinks of its own matrices
        assert MATRIX.check(lambda *shape: change(sinusoidal_encoding(*shape))).kind == "right"


def test_a_matrix_in_half_precision_is_right_as_far_as_it_can_tell():
    assert MATRIX.check(lambda *shape: sinusoidal_encoding(*shape, dtype=np.float16)).kind == "right"


@pytest.mark.parametrize("pi", [np.pi, "float32", np.array(np.pi), Fraction(np.pi), np.longdouble(np.pi)])
def test_a_number_is_right_in_every_form(pi):
    assert NUMBER.check(np.float32(np.pi) if pi == "float32" else pi).kind == "right"


PE = sinusoidal_encoding


@pytest.mark.parametrize(
    ("exercise", "answer", "kind", "says"),
    [
        (
            MATRIX,
            lambda *_: PE(10, 6),
            "nearly",
            "What is new in the second one? A number in your code where an argument belongs would show there, too.",
        ),
        (
            MATRIX,
            lambda length, d_model: PE(length, 6)[:, :d_model],
            "nearly",
            "The result of your function(10, 6) is right, that of your function(7, 4) is not yet.",
        ),
        (MATRIX, lambda length, d_model: PE(length, d_model).T, "nearly", "Rows and columns are exchanged"),
        (
            MATRIX,
            lambda length, d_model: PE(length, d_model)[np.newaxis],
            "nearly",
            "in shape (1, 10, 6) where (10, 6)",
        ),
        (MATRIX, lambda length, d_model: PE(length, d_model).ravel(), "nearly", "in shape (60,) where (10, 6)"),
        (MATRIX, lambda length, d_model: PE(length, d_model).round(3), "nearly", "rounded to 3 decimals"),
        (MATRIX, lambda length, d_model: PE(length, d_model).astype(int), "nearly", "All numbers are whole"),
        (MATRIX, lambda length, d_model: -PE(length, d_model), "nearly", "signs"),
        (MATRIX, lambda length, d_model: PE(length + 3, d_model), "nearly", "Right as far as it goes"),
        (MATRIX, lambda length, d_model: PE(length, d_model)[:-1], "nearly", "Right as far as it goes"),
        (MATRIX, lambda length, d_model: PE(length, d_model)[::-1], "nearly", "in another order"),
        (
            MATRIX,
            lambda length, d_model: np.log(PE(length, d_model) - 2),
            "wrong",
            "not finite in row 0, column 0: nan",
        ),
        (MATRIX, lambda length, d_model: np.log(PE(length, d_model) - 2), "wrong", "RuntimeWarning: invalid value"),
        (MATRIX, lambda *shape: print(shape), "wrong", "The function prints"),
        (
            MATRIX,
            lambda *shape: print(shape) or 1,
            "wrong",
            "The function also prints, and what is printed does not count.",
        ),
        (MATRIX, lambda *_: None, "wrong", "Did you forget to return?"),
        (MATRIX, lambda length: [length], "wrong", "It is called with 2 arguments and takes 1: length."),
        (MATRIX, PE(10, 6), "wrong", "A function is asked for: give its name"),
        (MATRIX, lambda *_: later(), "wrong", "generator"),
        (NUMBER, 3, "wrong", "Not in Indiana."),
        (NUMBER, 3.14, "nearly", "rounded to 2 decimals"),
        (NUMBER, -np.pi, "nearly", "The number is right, but its sign is not."),
        (NUMBER, [np.pi], "nearly", "The right number, in an array or a list of shape (1,)."),
        (NUMBER, "3", "wrong", "It is a text. Numbers are asked for"),
        (NUMBER, print, "wrong", "It is a function. Call it"),
        (NUMBER, 2.0, "wrong", "It is not 2."),
        (LIST, [1, 10, 100], "nearly", "All numbers are whole"),
        (LIST, [10, 1, 100.5], "nearly", "in another order"),
        (LIST, [1, 11, 12], "wrong", "1 of 3 numbers is right. The first that is not stands at index 1: it is 11."),
        (LIST, [[1], [10], [100.5]], "nearly", "in shape (3, 1) where (3,)"),
        (LIST, [1, 10], "nearly", "Right as far as it goes"),
        (LIST, 1, "wrong", "An array of shape (3,) is asked for, and yours is a single number."),
        (LIST, {1: 10}, "wrong", "It is a dict. Make a list"),
        (LIST, ["1", "10", "100"], "wrong", "It holds texts. Numbers are asked for"),
        (LIST, [1, None, 3], "wrong", "It holds None where there should be a number."),
        (LIST, [[100.5, 1, 10]], "nearly", "in another order, and in shape (1, 3) where (3,) is asked for."),
        (LIST, [0.0, 0.0, 0.0], "wrong", "0 of 3 numbers are right."),
        (NUMBER, True, "wrong", "It is True, and numbers are asked for."),
        (NUMBER, 3.1, "nearly", "It is rounded to 1 decimal. Keep"),
        (NUMBER, np.nan, "wrong", "It is not finite: nan."),
        (TEN, 10, "nearly", "What stands behind the point is lost."),
        (TEN, 11, "nearly", "What stands behind the point is lost."),
        (MATRIX, lambda length, d_model: PE(length, d_model)[0], "wrong", "It is the first row alone. A `return`"),
        (MATRIX, lambda length, d_model: PE(length, d_model)[-1], "wrong", "It is the last row alone"),
        (MATRIX, lambda length, d_model: length**0.5 ^ d_model, "wrong", "In Python a power is written `**`"),
        (MATRIX, lambda length, d_model: PE(length, d_model, layout="halves"), "nearly", "another convention than"),
        (MATRIX, lambda length, d_model: PE(length, d_model, start=d_model - 6), "nearly", "and 0 is expected there"),
        (LIST, [[1, 2], [3]], "wrong", "not all of the same length"),
        (DOUBLED, lambda x: 3 * x, "wrong", "it is 4.5, and 3 is expected there"),
        (DOUBLED, lambda x: x.__imul__(2), "nearly", "changes what it is given"),
        (DOUBLED, lambda x: x.sort() or x, "wrong", "Tried with your function(array of shape (2,))."),
        (
            DOUBLED,
            lambda *_: np.array([3.0, 5.0]),
            "nearly",
            "is right, that of your function(array of shape (3,)) is not yet.",
        ),
        (WHOLE, 2**24, "right", "It is."),
        (WHOLE, [2**24], "nearly", "The right answer, in a list."),
        (WHOLE, "16777216", "nearly", "Leave the quotation marks out."),
        (WHOLE, "about 2**24", "wrong", "What stands in quotation marks is a text"),
        (WHOLE, 2**24 + 1, "wrong", "How many bits?"),
        (WORD, [1, " Error "], "right", "It is."),
        (LIST, [1, 10, 100.500001], "right", "It is."),
        (LIST, [1, 10, 100.504], "wrong", "it is 100.504."),
        (NUMBER, 3.1416, "right", "It is."),
        (NUMBER, 3.142, "nearly", "rounded to 3 decimals"),
        (NUMBER, 3.1419, "wrong", "It is not 3.1419."),
        (MATRIX, lambda length, d_model: PE(length, d_model).round(4), "right", "It is the encoding."),
        (WORD, [True], "wrong", "A list of 2 answers is asked for."),
        (WORD, "error", "wrong", "A list of 2 answers is asked for."),
        (WORD, [False, "error"], "wrong", "Look again."),
    ],
)
def test_what_is_said_to_an_answer(exercise, answer, kind, says):
    feedback = exercise.check(answer)
    assert says in feedback.text
    assert feedback.kind == kind


def test_the_learners_own_line_is_quoted(tmp_path):
    file = tmp_path / "cell.py"
    file.write_text("def helper(n):\n    return 1 / n\n\n\ndef function(length, d_model):\n    return helper(0)\n")
    names = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    assert (
        "ZeroDivisionError: division by zero. That is in line 2: `return 1 / n`" in MATRIX.check(names["function"]).text
    )


def test_an_error_deep_in_the_library_is_told_with_the_learners_line():
    def negative(length, d_model):
        return sinusoidal_encoding(length, -d_model)

    text = MATRIX.check(negative).text
    assert "ValueError: d_model must be a positive integer, got -6. That is in line" in text
    assert "`return sinusoidal_encoding(length, -d_model)`" in text


def test_what_is_right_and_prints_is_right(capsys):
    feedback = MATRIX.check(lambda *shape: print("here") or sinusoidal_encoding(*shape))
    assert feedback.kind == "right"
    assert "also prints" in feedback.text
    assert capsys.readouterr().out == ""


def test_what_may_be_true_of_an_answer_is_asked_in_its_order_and_no_further():
    def even():
        number = yield GIVEN
        yield When(number % 2).wrong("Odd.")
        yield When(1 / (number - 5) < 0).nearly("Even, and below 0.")

    asked = exercise(hint="Look.", why="It is.")(even)
    assert [asked.check(n).text for n in (5, -2, 6)] == ["Odd.", "Even, and below 0.", "It is."]


# What is left behind.


def settings():
    """Return whatever an answer may change of Python, NumPy and the system around it."""
    return (
        (np.sin, np.linalg.norm, np.asarray, np.pi, math.pi, random.random, time.monotonic, os.getcwd),
        dict(vars(builtins)),
        (sys.stdout, sys.stderr, sys.getrecursionlimit(), sys.getswitchinterval(), list(sys.path), sys.unraisablehook),
        (list(warnings.filters), os.environ.copy(), str(Path.cwd())),
        (np.get_printoptions(), np.geterr(), random.getstate(), np.random.get_state()[1].tolist()),  # noqa: NPY002
        (pe_lib.sinusoidal_encoding, running.SECONDS, list(EXERCISES)),
        (gc.isenabled(), sys.modules.get("math")),
    )


CHANGES = {
    "the working folder": lambda: os.chdir("/"),
    "the environment": lambda: os.environ.update(HOME="/nowhere", NEW="1") or os.environ.pop("PATH", 0),
    "the search path": lambda: sys.path.insert(0, "/nowhere"),
    "how deep calls may go": lambda: sys.setrecursionlimit(5000),
    "how threads take turns": lambda: sys.setswitchinterval(0.1),
    "random numbers": lambda: random.seed(8) or np.random.seed(8),  # noqa: NPY002
    "how arrays are printed": lambda: np.set_printoptions(precision=1),
    "what NumPy does with errors": lambda: np.seterr(all="raise"),
    "a function of NumPy": lambda: setattr(np, "sin", np.cos) or setattr(np.linalg, "norm", None),
    "what reads the answer": lambda: setattr(np, "asarray", None),
    "numbers": lambda: setattr(np, "pi", 3) or setattr(math, "pi", 3),
    "the clock": lambda: setattr(time, "monotonic", None),
    "the library": lambda: setattr(pe_lib, "sinusoidal_encoding", None),
    "print": lambda: setattr(builtins, "print", None),
    "what everything is made of": lambda: setattr(builtins, "isinstance", None) or setattr(builtins, "len", None),
    "a name that is gone": lambda: delattr(builtins, "sorted"),
    "streams": lambda: setattr(sys, "stdout", None) or setattr(sys, "stderr", io.StringIO()),
    "warnings": lambda: warnings.simplefilter("ignore"),
    "the garbage collector": lambda: gc.disable(),
    "modules": lambda: sys.modules.pop("math", 0),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_what_an_answer_changes_is_put_back(change, impatient):  # noqa: ARG001
    def changes(*shape):
        matrix = sinusoidal_encoding(*shape)
        change()
        return matrix

    def changes_and_loops(*_):
        change()
        while True:
            pass

    before = settings()
    assert MATRIX.check(changes).kind == "right"
    assert settings() == before
    assert told(MATRIX.check(changes_and_loops)) == "wrong"
    assert settings() == before


def test_a_folder_that_is_gone_does_no_harm(tmp_path, monkeypatch):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert MATRIX.check(lambda *_: folder.rmdir()).kind == "wrong"
    assert MATRIX.check(sinusoidal_encoding).kind == "right"


def grows(*_):
    rows = []
    while True:
        rows.append(np.ones(10**5))


def doubles(*_):
    rows = np.ones((1000, 6))
    while True:
        rows = np.concatenate([rows, rows])


def grows_and_swallows(*_):
    rows = []
    while True:
        try:
            rows.append(np.ones(10**5))
        except BaseException:
            rows.append(0)


@pytest.mark.skipif(_memory.resident() == 0, reason="this system does not say how much memory a process holds")
@pytest.mark.parametrize("function", [grows, doubles, grows_and_swallows])
def test_a_loop_that_grows_is_stopped_before_it_takes_much(function, monkeypatch):
    monkeypatch.setattr(running, "MEMORY", 2**26)
    monkeypatch.setattr(running, "SECONDS", 30.0)
    feedback = MATRIX.check(function)
    assert told(feedback) == "wrong"
    assert "It had taken 64 MB of memory and wanted more." in feedback.text or "MemoryError" in feedback.text


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux refuses memory to a process that has much of it")
def test_what_is_wanted_all_at_once_is_refused():
    before = resource.getrlimit(resource.RLIMIT_AS)
    for wants in (lambda *_: np.ones((12_000, 12_000)), lambda *_: [0] * 10**9):
        assert "No answer here needs that much memory." in MATRIX.check(wants).text
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_where_the_system_tells_nothing_of_memory_there_is_a_limit_of_time_alone(impatient, monkeypatch):  # noqa: ARG001
    def unknown(_):
        raise FileNotFoundError

    monkeypatch.setattr(_memory, "_pages", unknown)
    monkeypatch.setitem(sys.modules, "resource", None)
    assert _memory.resident() == 0
    assert MATRIX.check(sinusoidal_encoding).kind == "right"
    assert "It had not come to an end" in MATRIX.check(loops).text


def running_time(exercise, answer):
    start = time.monotonic()
    exercise.check(answer)
    return time.monotonic() - start


def test_settings_of_numpy_are_not_the_learners():
    with np.errstate(all="raise"):
        assert MATRIX.check(lambda *shape: np.exp(-1000.0) + sinusoidal_encoding(*shape)).kind == "right"


class NeverGone:
    """An object whose end does not come, where Python can only report an error and not raise it."""

    def __del__(self):
        while True:
            pass


def test_a_loop_is_stopped_without_a_word_where_errors_are_lost(impatient, monkeypatch, capsys):  # noqa: ARG001
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", reported.append)
    assert told(MATRIX.check(lambda *_: print(NeverGone()) and None)) == "wrong"
    assert reported == []
    assert sys.unraisablehook == reported.append
    assert capsys.readouterr() == ("", "")


def test_other_errors_that_are_lost_are_reported_as_before(monkeypatch):
    class Bad:
        def __del__(self):
            raise ZeroDivisionError

    reported = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: reported.append(lost.exc_type))
    assert MATRIX.check(lambda *shape: (Bad(), sinusoidal_encoding(*shape))[1]).kind == "right"
    assert reported == [ZeroDivisionError] * 2


def test_an_endless_loop_is_stopped_in_time_and_for_good(monkeypatch):
    monkeypatch.setattr(running, "SECONDS", 0.3)
    before = _thread._count()
    assert running_time(MATRIX, loops) < 5
    assert running_time(MATRIX, loops_and_swallows) < 5
    for _ in range(100):
        if _thread._count() <= before:
            break
        time.sleep(0.02)
    assert _thread._count() <= before
    assert "after 0.3 seconds" in MATRIX.check(loops).text


@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="interrupts reach the main thread"
)
def test_the_learners_own_interrupt_comes_through():
    timer = threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,))
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            running_time(MATRIX, loops)
    finally:
        signal.signal(signal.SIGINT, handler)
        timer.join()


def test_where_there_are_no_threads_the_function_runs_all_the_same(monkeypatch):
    def cannot(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", cannot)
    assert MATRIX.check(sinusoidal_encoding).kind == "right"
    assert "division by zero" in MATRIX.check(lambda *_: 1 / 0).text


# Names.


def test_a_name_that_is_not_there_brings_the_nearest():
    for function in (lambda name: check(name, 1), hint):
        with pytest.raises(ValueError, match="Did you mean 'one formula for all columns'"):
            function("One formula for all colums")
        with pytest.raises(ValueError, match=r"there is no exercise 'xyz'\.$"):
            function("xyz")


def test_a_name_in_the_wrong_place_is_said_to_be():
    with pytest.raises(TypeError, match="the name of the exercise comes first"):
        check([1, 10, 100, 1000], "the divisors of eight columns")


def test_two_exercises_of_one_name_are_refused(monkeypatch):
    module = sys.modules["pe_lib.exercises.notebook_01"]
    monkeypatch.setattr(module, "the_same_again", module.the_nearest_row, raising=False)
    with pytest.raises(ValueError, match="two exercises have the same name"):
        exercises.__wrapped__()


def test_a_fault_of_the_package_itself_is_no_traceback_for_the_learner(monkeypatch):
    def fault(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(Numbers, "judge", fault)
    assert "could not be judged (ZeroDivisionError)" in check("the divisors of eight columns", [1, 2]).text


def test_feedback_is_wrapped_and_shown_the_same_everywhere():
    feedback = Feedback("wrong", "a word " * 100 + "\n  kept as it   stands\nend")
    assert str(feedback) == repr(feedback)
    assert max(map(len, repr(feedback).splitlines())) <= 100
    assert "  kept as it   stands" in repr(feedback).splitlines()


def test_check_and_hint_are_at_the_top():
    assert pe_lib.check is check
    assert pe_lib.hint is hint
