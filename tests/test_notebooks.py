"""The notebooks are stored as they were run, hold nothing of the machine they were run on, and keep to their frame."""

import json
import re
from pathlib import Path
from statistics import median

import nbformat
import pytest

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
STORED = sorted(path for path in FOLDER.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
LESSONS = sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
FRAME = ["What you'll do", "What you'll learn", "What you'll need", "In short", "Further reading"]

each_notebook = pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(path):
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def outputs(path):
    return [output for cell in code_cells(path) for output in cell.outputs]


def prose(path):
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown").replace("’", "'")


def test_there_are_notebooks_and_the_first_is_the_start_page():
    assert LESSONS, f"no notebook in {FOLDER}"
    assert LESSONS[0].name == "00_start_here.ipynb"


@each_notebook
def test_notebook_is_valid_and_stored_as_make_notebooks_writes_it(path):
    text = path.read_text(encoding="utf-8")
    nbformat.validate(json.loads(text))
    assert text == nbformat.writes(read(path)).rstrip("\n") + "\n"


@each_notebook
def test_every_code_cell_was_run_in_order(path):
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1))


@each_notebook
def test_no_output_is_an_error(path):
    assert [output.evalue for output in outputs(path) if output.output_type == "error"] == []
    assert [output.text for output in outputs(path) if output.get("name") == "stderr"] == []


@each_notebook
def test_no_widget_is_stored_only_its_picture(path):
    assert "widgets" not in read(path).metadata
    kinds = {kind for output in outputs(path) for kind in output.get("data", {})}
    assert not kinds & {WIDGET_VIEW, WIDGET_STATE}


@each_notebook
def test_nothing_of_one_machine_or_one_run_is_stored(path):
    notebook = read(path)
    assert notebook.metadata == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert not [cell.metadata for cell in notebook.cells if {"execution", "ExecuteTime"} & set(cell.metadata)]
    for output in outputs(path):
        words = {kind: text for kind, text in output.get("data", {}).items() if not kind.startswith("image/")}
        said = f"{output.get('text', '')}{words}"
        assert not re.findall(r"0x[0-9a-fA-F]{6,}", said), "a memory address differs each run"
        long = [number for number in re.findall(r"\d+\.\d+", said) if len(number.replace(".", "").lstrip("0")) > 12]
        assert not long, "machines differ in the last digits"


@each_notebook
def test_every_stored_picture_has_alt_text(path):
    for output in outputs(path):
        if "image/png" in output.get("data", {}):
            alt = output.metadata.get("image/png", {}).get("alt", "")
            assert len(alt.split()) > 3, f"this alt text says too little: {alt!r}"


@each_lesson
def test_code_cells_are_short(path):
    lengths = [len([line for line in cell.source.splitlines() if line.strip()]) for cell in code_cells(path)]
    assert min(lengths) > 0, "an empty code cell"
    assert max(lengths) <= 20
    assert median(lengths) <= 5


@each_lesson
def test_lesson_keeps_to_the_frame(path):
    first = read(path).cells[0]
    assert first.cell_type == "markdown"
    assert re.match(r"# \w", first.source), "the first cell opens with the title"
    text = prose(path)
    assert re.search(r"\b\d+ min(ute)?s?\b", text), "the minutes it takes"
    if path.stem != "00_start_here":
        missing = [part for part in FRAME if part not in text]
        assert not missing
        assert text.index(FRAME[-2]) < text.index(FRAME[-1])
        assert "pe_lib" in code_cells(path)[0].source, "the first code cell is the setup cell"
