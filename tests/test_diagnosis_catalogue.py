"""Promise: every entry of the catalogue is found again, and one more entry is all that a new mistake needs."""

import ast
import builtins

import numpy as np
import pytest

from pe_diagnosis import catalogue, diagnose, lines, views
from pe_diagnosis.catalogue import CATALOGUE, Entry
from pe_diagnosis.program import ERRORS, Program, differing
from pe_lib import sinusoidal_encoding

# Lines that make the paper's numbers, or those of a plainer line, at a usual size.
SAME_NUMBERS = {
    "j % (d_model // 2), j // (d_model // 2)", "(row + 128) % 256 - 128", "np.float16(row).astype(float)",
    "bfloat16(row)", "np.where(j == d_model - 1, np.cos(angles), matrix)", "base ** (-2 * (j // 2) / d_model)",
    "np.where(j < d_model // 2, j, j - d_model // 2), (j >= d_model // 2) * 1",
}  # fmt: skip
ENTRIES = [
    next(iter(entry.each()))
    for entry in CATALOGUE
    if entry.cost and entry.slot != "base" and entry.line not in SAME_NUMBERS
]


def forget():
    """Let the catalogue be read anew."""
    for cached in (catalogue.choices, views.laws_of, lines.known_positions):
        cached.cache_clear()


EVERYWHERE = {"np", "length", "d_model", "row", "j", "half", "bfloat16"}  # names that any line may use
SLOTS: dict[str, set[str]] = {  # and those that its own slot allows
    "positions": set(),
    "columns": set(),
    "base": set(),
    "frequencies": {"i", "q", "base"},
    "angles": {"pos", "i", "q", "base", "w"},
    "values": {"pos", "i", "q", "base", "w", "angles", "matrix"},
    "order": {"matrix"},
}


def trouble(entry: Entry) -> str:
    """Say why an entry cannot be used; nothing if it can."""
    if entry.slot not in SLOTS:
        return f"its slot is {entry.slot!r}, and there are {', '.join(SLOTS)}"
    if entry.cost and not (entry.cause and entry.sentence):
        return "it needs a cause and a sentence"
    if entry.sees not in ("cell", "row", "column"):
        return f"it sees {entry.sees!r}, which is no cell, row or column"
    if bool(entry.undo) != (entry.slot == "order"):
        return "an order, and nothing else, has a line that undoes it"
    if bool(entry.n) != ("{n}" in entry.line):
        return "{n} in the line and numbers n belong together"
    known = {"np"} if entry.slot == "base" else EVERYWHERE | SLOTS[entry.slot]
    return unknown_in(entry.line, known) or (unknown_in(entry.undo, {"np", "matrix"}) if entry.undo else "")


def unknown_in(line: str, known: set[str]) -> str:
    """Say what is wrong with a line that may use some names; nothing if all is well."""
    try:
        nodes = list(ast.walk(ast.parse(line.replace("{n}", "1").replace("{base}", "1"), mode="eval")))
    except SyntaxError:
        return "it is no expression of Python"
    if unknown := {one.id for one in nodes if isinstance(one, ast.Name)} - set(dir(builtins)) - known:
        return f"{unknown.pop()!r} is not known to a line of its slot"
    of_numpy = {one.attr for one in nodes if isinstance(one, ast.Attribute) and getattr(one.value, "id", "") == "np"}
    missing = {name for name in of_numpy if not hasattr(np, name)}
    return f"NumPy has no {missing.pop()}" if missing else ""


def table_of(entry, length, d_model):
    return Program(length, d_model, 10_000.0, **{entry.slot: entry}).run()["matrix"]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.slot}: {entry.line}")
def test_every_entry_is_found_again_or_another_line_that_makes_its_numbers(entry):
    try:
        matrix = np.asarray(table_of(entry, 30, 16), float)
    except ERRORS:
        pytest.skip("there is no such table")
    if not np.abs(matrix).max() < 1e9:
        pytest.skip("its numbers are too large, or no numbers")
    found = diagnose(matrix)
    assert found.recipe is not None
    assert found.explained == 1
    assert found.within < 1e-9 * max(1, np.abs(matrix).max())
    assert entry.cause in found.codes or len(found.lines) == 1


def test_an_entry_is_told_in_whole_sentences():
    for entry in CATALOGUE:
        assert entry.cost == 0 or entry.sentence.endswith((".", "?", "…")), entry


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (Entry("frequency", 1, "new", "1.0", "It is new."), "its slot is 'frequency'"),
        (Entry("frequencies", 1, "new", "base ** (-2 * i / d_modell)", "It is new."), "'d_modell' is not known"),
        (Entry("frequencies", 1, "new", "pos / d_model", "It is new."), "'pos' is not known to a line of its slot"),
        (Entry("frequencies", 1, "new", "base ** (-2 * i", "It is new."), "no expression of Python"),
        (Entry("frequencies", 1, "new", "base ** -i"), "a cause and a sentence"),
        (Entry("values", 1, "new", "matrix / {n}", "It is new."), "numbers n belong together"),
        (Entry("values", 1, "new", "matrix - matrix.mean(0)", "It is new.", sees="columns"), "it sees 'columns'"),
        (Entry("order", 1, "new", "matrix[::-1]", "It is new."), "a line that undoes it"),
        (Entry("order", 1, "new", "matrix[::-1]", "It is new.", undo="matrix[row]"), "'row' is not known"),
        (Entry("base", 1, "new", "float(d_model)", "It is new."), "'d_model' is not known"),
        (Entry("positions", 1, "new", "np.pwoer(row, 2)", "It is new."), "NumPy has no pwoer"),
    ],
)
def test_an_entry_that_cannot_be_used_is_seen(entry, says):
    assert says in trouble(entry)


def test_every_entry_can_be_run_and_told():
    assert not [entry for entry in CATALOGUE if trouble(entry)]


def test_an_entry_that_is_added_is_found(monkeypatch):
    length, d_model = 40, 16
    j = np.arange(d_model)
    w = 10_000.0 ** (-2 * (j // 2) / d_model) + 0.25 * np.cos(j // 2)
    angles = np.arange(length)[:, np.newaxis] * w
    matrix = np.where(j % 2, np.cos(angles), np.sin(angles))
    assert "waves-added" not in diagnose(matrix).codes
    line = "base ** (-2 * i / d_model) + 0.25 * np.cos(i)"
    new = Entry("frequencies", 1, "waves-added", line, "A cosine is added to the frequencies. Leave it out.")
    monkeypatch.setattr(catalogue, "CATALOGUE", [*CATALOGUE, new])
    forget()
    try:
        found = diagnose(matrix)
        assert found.codes == ("waves-added",)
        assert found.lines == ((f"w = {line}", "w = base ** (-2 * i / d_model)"),)
        halves = diagnose(np.hstack([matrix[:, 0::2], matrix[:, 1::2]]))
        assert set(halves.codes) == {"waves-added", "halves"}
    finally:
        monkeypatch.undo()
        forget()
    assert diagnose(sinusoidal_encoding(length, d_model)).ok


def test_the_line_that_is_shown_is_the_line_that_is_run():
    for entry in ENTRIES:
        if entry.slot in ("positions", "columns", "frequencies", "angles"):
            ((code, _),) = differing(Program(9, 8, 10_000.0, **{entry.slot: entry}))
            assert code.endswith(f" = {entry.line}")


def test_numbers_of_an_entry_stand_in_its_line_and_its_sentences():
    (restart,) = [entry for entry in CATALOGUE if entry.line == "row % {n}"]
    seven = list(restart.each())[5]
    assert (seven.line, seven.sentence[:40]) == ("row % 7", "The positions start again every 7 rows. ")
