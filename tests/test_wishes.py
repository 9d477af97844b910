"""Promise: the six wishes say of an encoding what it fulfils, and an attempt made to fail one is told so."""

import numpy as np
import pytest

from pe_lib import dot_product, sinusoidal_encoding, wish_board, wishes

NAMES = ["bounded", "unique", "same step", "any length", "offset readable", "farther is farther"]


def line(length):
    return np.arange(length)[:, np.newaxis] / 10_000


def held(attempt, asked=None):
    found = wishes({"it": attempt}, asked)["it"]
    return [name for name, yes in found.items() if yes]


def test_a_short_line_fulfils_all_six_as_far_as_they_are_tested():
    assert held(line) == NAMES


@pytest.mark.parametrize(
    ("attempt", "fails"),
    [
        (lambda length: 10_002 * line(length), ["bounded"]),
        (lambda length: np.zeros((length, 2)), ["unique", "offset readable", "farther is farther"]),
        (lambda length: line(length) % 0.01, ["unique", "same step", "offset readable", "farther is farther"]),
        (lambda length: np.sqrt(line(length)), ["same step", "offset readable", "farther is farther"]),
        (lambda length: line(length) / 2 + length / 1e6, ["any length"]),
        (lambda length: line(min(length, 9999)), ["any length"]),
        (lambda length: line(min(length, 100)), ["any length", "offset readable", "farther is farther"]),
        (
            lambda length: line(length) * 100 / length,
            ["same step", "any length", "offset readable", "farther is farther"],
        ),
        (lambda length: np.random.default_rng(0).uniform(-1, 1, (length, 3)), NAMES[2:3] + NAMES[4:]),
    ],
)
def test_each_wish_is_refused_to_an_attempt_that_fails_it(attempt, fails):
    assert held(attempt) == [name for name in NAMES if name not in fails]


@pytest.mark.parametrize("d_model", [2, 4, 8, 64, 512])
def test_the_sinusoids_fail_the_last_one_alone(d_model):
    assert held(lambda length: sinusoidal_encoding(length, d_model)) == NAMES[:5]


def test_each_distance_is_its_own_even_where_near_rows_are_not_those_of_near_positions():
    rows = sinusoidal_encoding(8, 8)
    assert np.linalg.norm(rows[6] - rows[0]) < np.linalg.norm(rows[1] - rows[0])
    assert "offset readable" in held(lambda length: sinusoidal_encoding(length, 8))


def test_what_is_not_asked_stays_open():
    found = wishes({"line": line, "a longer name": line}, ["unique"])
    assert {name for name, yes in found["line"].items() if yes is None} == {*NAMES} - {"unique"}
    assert repr(found).splitlines()[:3] == [
        "                     line  a longer name",
        "bounded                 ?              ?",
        "unique                yes            yes",
    ]


@pytest.mark.parametrize(
    ("attempt", "asked", "said"),
    [
        (line, ["cheap"], "asked must be one of 'bounded', 'unique'"),
        (lambda length: np.arange(length), None, r"shape \(10000, d_model\), or fewer rows, got shape \(10000,\)"),
        (lambda length: line(length + 1), None, "fewer rows, got shape"),
        (lambda _: line(0), None, r"got shape \(0, 1\)"),
        (lambda length: line(length) / 0.0, None, "rows must be finite"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value", "ignore:divide by zero")
def test_what_will_not_do_is_refused(attempt, asked, said):
    with pytest.raises(ValueError, match=said):
        wishes({"it": attempt}, asked)


def test_the_board_fills_from_notebook_to_notebook_and_says_what_the_tests_say():
    boards = [wish_board(notebook) for notebook in (4, 7, 8, 9, 11, 13)]
    assert [sum(mark != "·" for mark in board.marks.values()) for board in boards] == [2, 4, 5, 5, 6, 6]
    answers = wishes({"": lambda length: sinusoidal_encoding(length, 64)})[""]
    assert boards[-1].marks == {wish: "✓" if yes else "✗" for wish, yes in answers.items()} | {"any length": "◐"}
    assert [repr(board).count("new") for board in boards] == [2, 2, 1, 1, 1, 0]
    assert np.flatnonzero(np.diff(dot_product(range(8), 64)) > 0)[0] == 5
    assert "row 6 is closer to row 0 than row 5 is" in repr(boards[1])


@pytest.mark.parametrize(("notebook", "error"), [(1, ValueError), ("04", TypeError)])
def test_a_notebook_without_a_board_is_refused(notebook, error):
    with pytest.raises(error, match="notebook must be"):
        wish_board(notebook)
