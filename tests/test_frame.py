"""Every notebook has one frame: a head with its minutes, something to touch early, few bets, a cell of checks."""

import re
from itertools import takewhile

import nbformat
import pytest
from conftest import LESSONS, PATHS
from minutes import FILES, minutes, printed

MOST = {"Understand": 247, "Build": 166}  # minutes of the cores of a path; that of 00 counts in the first alone
each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
each_notebook = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def cells_of(path):
    return nbformat.read(path, as_version=4).cells


def code_of(path):
    return [cell for cell in cells_of(path) if cell.cell_type == "code"]


def hidden(cell, what: str) -> bool:
    """Say whether JupyterLab shows the source or the outputs of a cell closed."""
    return cell.metadata.get("jupyter", {}).get(f"{what}_hidden") is True


def asks(cell) -> bool:
    return cell.cell_type == "code" and cell.source.startswith("predict(")


@each_notebook
def test_its_head_is_a_question_a_promise_and_a_line_with_its_place_on_the_path(path):
    title, question, promise, line = cells_of(path)[0].source.split("\n\n")
    assert title.startswith("# ")
    assert question.startswith("> ")
    assert len(promise.split()) <= 30
    assert len(re.sub(r"<[^>]*>|\]\([^)]*\)|·", " ", line).split()) <= 40
    own = [(name, lessons) for name, lessons in PATHS.items() if path in lessons]
    assert all(f"{name} {lessons.index(path) + 1} of {len(lessons)}" in line for name, lessons in own)


@each_notebook
def test_the_minutes_that_are_printed_are_the_counted_ones(path):
    for file, line, said in printed(path):
        found = re.search(line, file.read_text(encoding="utf-8"))
        assert found, f"{file.name} prints no minutes"
        assert found[0] == found[1] + said, f"tools/minutes.py writes {said!r} into {file.name}"


@pytest.mark.parametrize("name", PATHS)
def test_a_path_takes_no_longer_than_an_evening_or_two(name):
    assert sum(minutes(cells_of(path))[0] for path in PATHS[name][name == "Build" :]) <= MOST[name]


@each_lesson
def test_there_is_something_to_touch_within_the_first_ten_cells(path):
    touched = re.compile(r"^\s*(explore_\w+|interact|predict)\(", re.MULTILINE)
    assert any(touched.search(cell.source) for cell in cells_of(path)[:10])


@each_notebook
def test_it_asks_for_at_most_four_predictions_and_closes_what_answers_them(path):
    code = code_of(path)
    places = [k for k, cell in enumerate(code) if asks(cell)]
    assert len(places) <= 4
    core = takewhile(lambda cell: not cell.source.startswith("## Going deeper"), cells_of(path))
    assert sum(map(asks, core)) <= 3
    assert [k for k, cell in enumerate(code) if hidden(cell, "outputs")] == [k + 1 for k in places]


@each_notebook
def test_the_checks_are_one_folded_cell_at_its_end(path):
    checks = [k for k, cell in enumerate(code_of(path)) if re.search(r"^\s*assert\b", cell.source, re.MULTILINE)]
    assert checks == [len(code_of(path)) - 1] or (path == LESSONS[0] and not checks)
    assert all(hidden(code_of(path)[k], "source") for k in checks)
