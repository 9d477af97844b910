"""The notebooks call each thing by the one name that the table on the start page gives it, and count from 0."""

import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
PATHS = sorted(path for path in NOTEBOOKS.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
NAMES = ["pos", "j", "i", "d_model", "base", "divisor", "w_i", "L", "B", "k", "g(k)", "R(k)"]
# Other names for what the table names; in quotation marks they are someone else's words, and allowed.
OTHERS = re.compile(
    r"\b(d_?emb|dmodel|d_k\b|embed(ding)?_dim(ension)?|emb_dim|hidden_(size|dim)|n_embd|seq_?len|max_?len(gth)?|num_positions"
    r"|position_ids|batch_size|bsz|div_term|denominators?|omega|theta|inv_freq)\b|ω|θ",
    re.IGNORECASE,
)
# A letter of the table that stands for something else.
MIXED_UP = re.compile(
    r"\b(columns?|dimensions?) `?i`?(?=[ .,;:?)]|$)"
    r"|\bpairs? `?j`?(?=[.,;:?)]| (?!//)|$)"
    r"|\bpositions? `?[ij]`?(?=[ .,;:?)]|$)"
    r"|\bPE\((i|j|p), |\bPE\(pos, i\b",
    re.MULTILINE,
)
QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"|`[^`\n]*10000\^[^`\n]*`")


def cells(path: Path, kind: str) -> list[str]:
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def test_the_start_page_has_a_table_of_all_names():
    (table,) = [text for text in cells(PATHS[0], "markdown") if text.startswith("## The notation")]
    assert re.findall(r"^\| `?([\w()]+)`? \|", table, re.MULTILINE) == ["name", *NAMES]
    assert "counts from 0" in table


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.relative_to(NOTEBOOKS).as_posix())
def test_no_notebook_has_another_name_for_what_the_table_names(path):
    for text in cells(path, "markdown") + cells(path, "code"):
        found = OTHERS.search(QUOTED.sub("", text))
        assert not found, f"{found[0]!r} in: {text}"


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.relative_to(NOTEBOOKS).as_posix())
def test_no_notebook_mixes_up_position_column_and_pair(path):
    for text in cells(path, "markdown"):
        found = MIXED_UP.search(QUOTED.sub("", text))
        assert not found, f"{found[0]!r} in: {text}"


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.relative_to(NOTEBOOKS).as_posix())
def test_the_letters_of_the_table_stand_in_the_formulas_of_the_paper(path):
    for text in cells(path, "markdown"):
        for formula in re.findall(r"\$\$(.+?)\$\$", text, re.DOTALL):
            if "PE(" in formula:
                assert not re.search(r"PE\(([ijp]|t|k)\b", formula.replace(" ", "")), formula
                assert "d_{" not in formula or "d_{model}" in formula, formula


def test_the_rules_find_what_they_are_for():
    for wrong in ("the max_len is 10", "its dmodel", "divide by the denominator", "the angle θ"):
        assert OTHERS.search(wrong), wrong
    for wrong in ("column i holds", "in dimension `i`.", "the pair j", "position i is", "PE(pos, i)"):
        assert MIXED_UP.search(wrong), wrong
    for right in ("column `2i`", "pair i", "position pos", "column j", "PE(pos, j)", "PE(pos, 2i)", "columns in pairs"):
        assert not MIXED_UP.search(right), right
        assert not OTHERS.search(right), right
