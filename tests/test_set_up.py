"""When the set-up cannot go on, it says why in one sentence, and what to do."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "tools" / "set_up.sh"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="make and sh are not used on Windows")

OLD = """case "$2" in
    *print*) echo 3.9.2 ;;
    *version_info*) exit 1 ;;
esac"""
WITHOUT_VENV = """case "$2" in
    *print*) echo 3.11.2 ;;
    *ensurepip*) exit 1 ;;
esac"""


def set_up(folder, python):
    """Run `set_up.sh lab` in an empty folder with the Python given."""
    (folder / "tools").mkdir()
    shutil.copy(SCRIPT, folder / "tools")
    return subprocess.run(
        ["sh", "tools/set_up.sh", "lab"], cwd=folder, env={"PATH": "/usr/bin:/bin", "PYTHON": python},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def stand_in(folder, lines):
    """Write a program that answers as that Python would."""
    program = folder / "python3.x"
    program.write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("lines", "why", "what_to_do"),
    [
        (OLD, "is Python 3.9.2, and 3.11 or newer is needed", "make lab PYTHON=python3.12"),
        (WITHOUT_VENV, "(Python 3.11.2) cannot make a virtual environment", "apt install python3-venv"),
        ("exit 1", "does not run", "make lab PYTHON=python3.12"),
    ],
    ids=["too old", "without venv", "broken"],
)
def test_a_python_that_will_not_do_is_named(tmp_path, lines, why, what_to_do):
    run = set_up(tmp_path, stand_in(tmp_path, lines))
    assert run.returncode == 1
    assert run.stderr.count("\n") == 1
    assert why in run.stderr
    assert what_to_do in run.stderr
    assert not (tmp_path / ".venv").exists()


def test_a_python_that_is_not_there_is_named(tmp_path):
    run = set_up(tmp_path, "python9.9")
    assert run.returncode == 1
    assert run.stderr.startswith("There is no python9.9 here: install Python 3.11 or newer")
    assert run.stderr.count("\n") == 1
