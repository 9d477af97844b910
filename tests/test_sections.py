"""Each section of a notebook runs right after the set-up cell, and the decimals in its prose are of its outputs."""

import re

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from conftest import LESSONS

NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*\.\d+(?:e[+-]?\d+)?")
OF_ELSEWHERE = re.compile(r"\]\([^)]*\)|sections? \d\.\d(?: and \d\.\d)?|PyTorch \d\.\d+")  # links, papers, versions


def cells_of(path):
    return nbformat.read(path, as_version=4).cells


def sections(path):
    """Return the code below each heading of the second order; the set-up cell, above all of them, is under ""."""
    found, heading = {}, ""
    for cell in cells_of(path):
        if cell.cell_type == "code":
            found.setdefault(heading, []).append(cell.source)
        elif cell.source.startswith("## "):
            heading = cell.source.partition("\n")[0]
    return found


@pytest.mark.parametrize(
    ("path", "heading"),
    [(path, heading) for path in LESSONS for heading in sections(path) if heading],
    ids=lambda x: getattr(x, "stem", x),
)
def test_a_section_runs_right_after_the_set_up_cell(path, heading):
    found, names = sections(path), {"__name__": "__main__"}
    for source in found.get("", []) + found[heading]:
        exec(compile(source, heading, "exec"), names)
        plt.close("all")  # as in a notebook, where each cell begins a figure of its own


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_decimal_number_in_the_prose_is_one_of_an_output_or_a_source(path):
    code = [cell for cell in cells_of(path) if cell.cell_type == "code"]
    texts = [cell.source for cell in code]
    for output in (output for cell in code for output in cell.outputs):
        texts += [output.get("text", ""), *(v for k, v in output.get("data", {}).items() if k.startswith("text/"))]
    known = np.array([float(number) for text in texts for number in re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", text)])
    for prose in (cell.source for cell in cells_of(path) if cell.cell_type == "markdown"):
        for said in NUMBER.findall(OF_ELSEWHERE.sub("", prose).replace("−", "-")):
            number, decimals = float(said.replace(",", "")), len(said.partition(".")[2].partition("e")[0])
            assert (np.abs(known - number) <= 0.5000001 * 10.0**-decimals).any(), f"{said} in {prose!r}"
