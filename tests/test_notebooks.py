"""The notebooks are stored as they were run, whole and in order, with nothing of the machine they were run on."""

import re

import nbformat
import pytest
from minutes import FILES

each_notebook = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def outputs_of(path):
    return [output for cell in nbformat.read(path, as_version=4).cells for output in cell.get("outputs", [])]


@each_notebook
def test_it_is_valid_and_every_code_cell_was_run_in_order_without_a_fault(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    for output in outputs_of(path):
        assert output.output_type != "error", output.evalue
        assert output.get("name") != "stderr", output.text


@each_notebook
def test_nothing_of_one_machine_or_one_run_is_stored(path):
    notebook = nbformat.read(path, as_version=4)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}, "the state of widgets would be here"
    assert notebook.metadata.language_info == {"name": "python"}
    assert not [cell.metadata for cell in notebook.cells if "execution" in cell.metadata]
    for output in outputs_of(path):
        data = output.get("data", {})
        assert not [kind for kind in data if "widget" in kind], "a widget without its state is a dead link"
        said = output.get("text", "") + "".join(str(text) for kind, text in data.items() if "image" not in kind)
        assert not re.findall(r"\b0x[0-9a-f]{6,}", said), "a memory address differs each run"
        assert not re.findall(r"\d\.\d{11,}[1-9]", said), "machines differ in the last digits"


@each_notebook
def test_every_stored_picture_has_words_in_its_place(path):
    for output in outputs_of(path):
        if "image/png" in output.get("data", {}):
            assert len(output.metadata.get("image/png", {}).get("alt", "").split()) > 3
