"""Nothing gives an answer away: what settles a prediction is closed until it is asked for, and so are the checks."""

import re

import nbformat
import pytest
from conftest import LESSONS

each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def cells_of(path):
    return nbformat.read(path, as_version=4).cells


def is_code(cell) -> bool:
    return cell.cell_type == "code"


def hidden(cell, what: str) -> bool:
    """Say whether JupyterLab shows the source or the outputs of a cell closed."""
    return cell.metadata.get("jupyter", {}).get(f"{what}_hidden") is True


def asks(cell) -> bool:
    """Say whether a cell asks for a prediction, by choice or in prose."""
    return cell.source.startswith("predict(") if is_code(cell) else "**Predict first.**" in cell.source


@each_lesson
def test_the_output_that_answers_a_prediction_is_closed_and_its_explanation_folded(path):
    cells, answers = cells_of(path), []
    for k in (k for k, cell in enumerate(cells) if asks(cell)):
        at = next(n for n, cell in enumerate(cells) if n > k and is_code(cell) and not asks(cell))
        told = next(cell for cell in cells[at + 1 :] if not is_code(cell))
        assert hidden(cells[at], "outputs"), cells[at].source
        assert told.source.startswith("<details><summary>"), told.source
        answers.append(at)
    assert [n for n, cell in enumerate(cells) if hidden(cell, "outputs")] == answers, "something else is closed"


@each_lesson
def test_assertions_are_in_a_folded_cell_at_the_end_of_their_section(path):
    cells = cells_of(path)
    for k, cell in enumerate(cells):
        if is_code(cell) and re.search(r"^assert\b", cell.source, re.MULTILINE):
            assert hidden(cell, "source"), cell.source
            later = next((n for n in cells[k + 1 :] if is_code(n) or n.source.startswith("## ")), None)
            assert later is None or not is_code(later), cell.source
