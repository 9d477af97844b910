"""The setup check says in words what is missing, and the command that mends it."""

from importlib import metadata

import pytest

from pe_lib.setup_check import MEND, check_setup, setup_report


def missing(name: str):
    def installed(asked: str) -> str:
        if asked == name:
            raise metadata.PackageNotFoundError(asked)
        return metadata.version(asked)

    return installed


def test_all_is_here_and_no_version_is_named_that_would_differ_elsewhere(capsys):
    check_setup()
    report = capsys.readouterr().out
    assert report.splitlines()[-1] == "Everything the notebooks need is here."
    assert not any(letter.isdigit() for letter in report)


@pytest.mark.parametrize("name", ["numpy", "matplotlib", "ipywidgets", "jupyterlab"])
def test_what_is_missing_is_named_with_the_command_that_mends_it(name):
    report = setup_report(missing(name))
    assert f"{name:<13} missing: >=" in report
    assert report.endswith(MEND)


def test_what_is_too_old_is_named_with_both_versions():
    report = setup_report(lambda name: "7.6.0" if name == "ipywidgets" else metadata.version(name))
    assert "ipywidgets    7.6.0 does not fit: >=8.1.5 is needed" in report
    assert report.endswith(MEND)


def test_an_old_python_is_named_first():
    report = setup_report(python=(3, 10))
    assert report.startswith("Python        3.10 is too old: 3.11 or newer is needed")
    assert "Install Python 3.11 or newer" in report


def test_a_library_that_was_never_installed_is_said(monkeypatch):
    def not_there(name: str):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", not_there)
    assert setup_report().startswith("pe_lib is not installed in this Python, ")
    assert setup_report().endswith(MEND)
