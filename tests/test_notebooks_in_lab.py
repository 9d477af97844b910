"""In JupyterLab, in a real browser: every notebook runs whole, and nothing leaves this machine."""

import shutil

import pytest
from conftest import NOTEBOOKS
from lab import open_and_run, running_lab

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab") / "notebooks"
    shutil.copytree(NOTEBOOKS, folder)
    with running_lab(folder) as address:
        yield address


def test_each_notebook_runs_whole_in_lab_without_a_fault(lab, open_page, notebook):
    page = open_page()
    open_and_run(page, lab, notebook)
    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert page.troubles == []
    page.close()
