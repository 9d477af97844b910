"""Promise: what you solve is written down next to the notebooks, and a list that cannot be read does no harm."""

import json
from pathlib import Path

import nbformat
import pytest
from conftest import LESSONS

from pe_exercises import check, exercises, solved
from pe_exercises.progress import Solved

FILE = Path(".solved.json")
TURN, WAVE = "a whole turn", "name the column"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder like that of the notebooks."""
    for name in ("00_start_here.ipynb", "04_read_the_waves.ipynb"):
        (tmp_path / name).write_text("{}")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("folder")
def test_what_is_right_is_written_down_and_what_is_wrong_is_not():
    for name, answer in ((TURN, 7), (WAVE, 2), ("the double", ...), (WAVE, 3), (TURN, 7)):
        check(name, answer)
    assert json.loads(FILE.read_text()) == [TURN, WAVE]
    assert solved()["00_start_here.ipynb"][TURN]
    assert solved()["04_read_the_waves.ipynb"] == {name: name == WAVE for name in solved()["04_read_the_waves.ipynb"]}


@pytest.mark.usefixtures("folder")
def test_all_exercises_are_in_the_table_with_their_notebooks():
    check(TURN, 7)
    assert [name for names in solved().values() for name in names] == list(exercises())
    assert repr(solved()).splitlines()[0].split() == ["00", "Start", "here", "○○●", "1", "of", "3"]
    page = solved()._repr_html_()
    assert '<a href="04_read_the_waves.ipynb">04 Read the waves</a>' in page
    assert "● <b>a whole turn</b>, solved" in page


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("text", ["", "{", "[1, null, [2]]", '["no such exercise"]'])
def test_whatever_is_in_the_file_does_no_harm(text):
    FILE.write_text(text)
    assert not any(done for names in solved().values() for done in names.values())
    assert check(TURN, 7).kind == "right"
    assert solved()["00_start_here.ipynb"][TURN]


@pytest.mark.usefixtures("folder")
def test_a_file_that_cannot_be_written_does_no_harm_and_is_said_once(capsys):
    FILE.mkdir()
    assert check(TURN, 7).kind == check(WAVE, 3).kind == "right"
    assert capsys.readouterr().out.count("solved() can't list") == 1
    assert not any(solved()["00_start_here.ipynb"].values())


def test_nothing_is_written_in_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert check(TURN, 7).kind == "right"
    assert not FILE.exists()
    assert "0 of 3" in repr(solved())


def test_the_table_has_the_titles_of_the_notebooks():
    asked = {each.notebook for each in exercises().values()}
    for path in (path for path in LESSONS if path.name[:2] in asked):
        shown = repr(Solved({path.name: {TURN: True}}))[3:].split("  ")[0]
        assert nbformat.read(path, as_version=4).cells[0].source.startswith(f"# {shown}")
