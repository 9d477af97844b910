"""Promise: what is solved in a notebook is written down beside it, and nothing that goes wrong there is noticed."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from pe_lib import check, solved
from pe_lib.exercises import exercises

FILE = Path(".solved.json")
TURN, WAVE = "a whole turn", "name the column"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder like that of the notebooks, as a kernel of Jupyter does."""
    (tmp_path / "solutions").mkdir()
    for name in ("00_start_here.ipynb", "04_read_the_waves.ipynb", "solutions/00_start_here.ipynb"):
        (tmp_path / name).write_text("{}")
    monkeypatch.chdir(tmp_path)
    kernel = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=True))
    monkeypatch.setitem(sys.modules, "IPython", kernel)
    return tmp_path


def test_what_is_right_is_written_down_and_what_is_wrong_is_not(folder):
    for name, answer in ((TURN, 7), (WAVE, 2), ("the double", ...), (WAVE, 3), (TURN, 7)):
        check(name, answer)
    assert json.loads(FILE.read_text()) == [TURN, WAVE]
    assert solved()["00_start_here.ipynb"][TURN]
    assert solved()["04_read_the_waves.ipynb"] == {name: name == WAVE for name in solved()["04_read_the_waves.ipynb"]}
    assert sorted(path.name for path in folder.iterdir() if path.is_file())[0] == ".solved.json"
    assert len(list(folder.iterdir())) == 4  # no half-written file is left


def test_all_exercises_are_in_the_table_with_their_notebooks(folder):  # noqa: ARG001
    check(TURN, 7)
    assert [name for names in solved().values() for name in names] == list(exercises())
    assert repr(solved()).splitlines()[0].split() == ["00", "start", "here", "○○●", "1", "of", "3"]
    page = solved()._repr_html_()
    assert '<a href="04_read_the_waves.ipynb">04 read the waves</a>' in page
    assert "● <b>a whole turn</b>, solved" in page
    assert page.count("○") == len(exercises()) - 1


@pytest.mark.parametrize("text", ["", "{", '{"a": 1}', "[1, null, [2]]", "\x00", '["no such exercise"]'])
def test_whatever_stands_in_the_file_does_no_harm(folder, text):  # noqa: ARG001
    FILE.write_text(text)
    assert not any(done for names in solved().values() for done in names.values())
    assert check(TURN, 7).kind == "right"
    assert solved()["00_start_here.ipynb"][TURN]


def test_a_file_that_cannot_be_written_does_no_harm(folder):
    FILE.mkdir()
    assert check(TURN, 7).kind == "right"
    assert not any(solved()["00_start_here.ipynb"].values())
    assert len(list(folder.iterdir())) == 4


@pytest.mark.parametrize("elsewhere", ["solutions", ".."])
def test_nothing_is_written_in_another_folder(folder, elsewhere, monkeypatch):  # noqa: ARG001
    monkeypatch.chdir(elsewhere)
    assert check(TURN, 7).kind == "right"
    assert not FILE.exists()
    assert "0 of 3" in repr(solved())


@pytest.mark.parametrize("outside", [None, SimpleNamespace(get_ipython=lambda: None), SimpleNamespace()])
def test_nothing_is_written_outside_a_notebook(folder, outside, monkeypatch):  # noqa: ARG001
    monkeypatch.setitem(sys.modules, "IPython", outside)
    assert check(TURN, 7).kind == "right"
    assert not FILE.exists()
