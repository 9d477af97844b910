"""Each section of a notebook runs right after the setup cell, in any order, and its prose has its outputs' numbers."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from conftest import trains

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
BOOKS = sorted(path for path in FOLDER.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*\.\d+(?:e[+-]?\d+)?")
OF_ELSEWHERE = re.compile(
    r"\]\([^)]*\)|sections? \d\.\d(?: and \d\.\d)?|PyTorch \d\.\d+"
)  # the targets of links, the sections of papers, a version


def sections(path: Path) -> tuple[str, dict[str, list[str]]]:
    """Return the setup cell, and the code cells under each heading of the second order."""
    setup, found, heading = None, {}, None
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            heads = re.findall(r"^## (.+)$", cell.source, re.MULTILINE)
            assert not heads or cell.source.startswith("## "), f"{heads[0]!r} does not begin its cell"
            heading = heads[-1] if heads else heading
        elif heading is None:
            assert setup is None, "there is more than one cell before the first section"
            setup = cell.source
        else:
            found.setdefault(heading, []).append(cell.source)
    return setup or "", found


def run(*cells: str) -> None:
    """Run cells one after the other in a namespace of their own, with NumPy printing as it does at the start."""
    names: dict = {"__name__": "__main__"}
    with np.printoptions():
        for cell in cells:
            exec(compile(cell, "<cell>", "exec"), names)


def numbers(text: str) -> list[str]:
    return [number.replace(",", "") for number in NUMBER.findall(text.replace("−", "-"))]


@pytest.mark.parametrize(
    ("path", "heading"),
    # Where networks are trained, the test below and nbval, which goes from the first section to the last, have to do.
    [(path, heading) for path in BOOKS if not trains(path) for heading in sections(path)[1]],
    ids=lambda x: getattr(x, "stem", x),
)
def test_a_section_runs_right_after_the_setup_cell(path, heading):
    setup, found = sections(path)
    run(setup, *found[heading])


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_the_sections_run_from_the_last_to_the_first(path):
    setup, found = sections(path)
    run(setup, *(cell for heading in reversed(found) for cell in found[heading]))


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_every_decimal_number_in_the_prose_is_one_of_an_output_or_a_source(path):
    cells = nbformat.read(path, as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    texts = [cell.source for cell in code]
    for output in (output for cell in code for output in cell.outputs):
        texts += [output.get("text", ""), *(v for k, v in output.get("data", {}).items() if k.startswith("text/"))]
    known = np.array([float(number) for text in texts for number in re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", text)])
    for cell in cells:
        for number in numbers(OF_ELSEWHERE.sub("", cell.source)) if cell.cell_type == "markdown" else []:
            decimals = len(number.partition(".")[2])
            assert (np.abs(known - float(number)) <= 0.5000001 * 10.0**-decimals).any(), f"{number} in {cell.source!r}"
