"""A section of a notebook needs nothing but the set-up cell, and the decimals in its prose are of its outputs."""

import builtins
import dis
import re
from types import CodeType

import nbformat
import numpy as np
import pytest
from minutes import FILES

NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*\.\d+(?:e[+-]?\d+)?")
# Links, papers, versions
OF_ELSEWHERE = re.compile(r"\]\([^)]*\)|sections? \d\.\d(?: and \d\.\d)?|(?:PyTorch|Llama|Granite|GLM)[ -]\d\.\d+")


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


def names_of(source):
    """Return the names that a cell needs from elsewhere, in functions and classes too, and those that it makes."""
    needed, within, made, codes = set(), set(), set(), [compile(source, "a cell", "exec")]
    for code in codes:  # grows by the functions that are found
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
        for step in dis.get_instructions(code):
            if step.opname == "STORE_NAME" and code is codes[0]:
                made.add(step.argval)
            elif step.opname == "LOAD_NAME" and code is codes[0] and step.argval not in made:
                needed.add(step.argval)  # before it is made here, if it is
            elif step.opname == "LOAD_GLOBAL":
                within.add(step.argval)
    return needed | (within - made), made


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_section_needs_no_name_but_its_own_and_those_of_the_set_up_cell(path):
    found = sections(path)
    first = {"__name__", *dir(builtins)}.union(*(names_of(source)[1] for source in found.pop("", [])))
    for heading, sources in found.items():
        known = first.copy()
        for source in sources:
            needed, made = names_of(source)
            assert needed <= known, f"{heading}: {needed - known} in {source}"
            known |= made


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
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
