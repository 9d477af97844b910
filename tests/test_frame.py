"""Every notebook has one frame: a path, a set-up cell, something to touch early, few predictions, a cell of checks."""

import re

import nbformat
import pytest
from conftest import LESSONS

each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def cells_of(path):
    return nbformat.read(path, as_version=4).cells


def code_of(path):
    return [cell for cell in cells_of(path) if cell.cell_type == "code"]


def hidden(cell, what: str) -> bool:
    """Say whether JupyterLab shows the source or the outputs of a cell closed."""
    return cell.metadata.get("jupyter", {}).get(f"{what}_hidden") is True


def asks(cell) -> bool:
    return cell.cell_type == "code" and cell.source.startswith("predict(")


@each_lesson
def test_it_names_its_path_and_its_minutes(path):
    head = "\n".join(cell.source for cell in cells_of(path)[:3])
    assert re.search(r"\b(Understand|Build)( it\*| \d of \d)", head)
    assert re.search(r"\d+ minutes", head)


@each_lesson
def test_there_is_something_to_touch_within_the_first_ten_cells(path):
    touched = re.compile(r"^\s*(explore_\w+|interact|predict)\(", re.MULTILINE)
    assert any(touched.search(cell.source) for cell in cells_of(path)[:10])


@each_lesson
def test_it_asks_for_at_most_four_predictions_and_closes_what_answers_them(path):
    code = code_of(path)
    places = [k for k, cell in enumerate(code) if asks(cell)]
    assert len(places) <= 4
    assert [k for k, cell in enumerate(code) if hidden(cell, "outputs")] == [k + 1 for k in places]


@each_lesson
def test_the_checks_are_one_folded_cell_at_its_end(path):
    checks = [k for k, cell in enumerate(code_of(path)) if re.search(r"^\s*assert\b", cell.source, re.MULTILINE)]
    assert checks == [len(code_of(path)) - 1] or (path == LESSONS[0] and not checks)
    assert all(hidden(code_of(path)[k], "source") for k in checks)
