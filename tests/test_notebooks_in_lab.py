"""In JupyterLab, in a real browser: every notebook that trains nothing runs whole, and nothing leaves this machine."""

import shutil

import nbformat
import pytest
from conftest import NOTEBOOKS, trains
from lab import open_and_run, running_lab

pytestmark = pytest.mark.browser
# What trains is run twice without a browser, and the explorer that trains has a test in Lab of its own.
LESSONS = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb") if not trains(path))
CUT = """() => [...document.querySelectorAll(".jp-OutputArea-output")]
  .filter((output) => output.scrollWidth > output.clientWidth + 1).map((output) => output.textContent.slice(0, 60))"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab") / "notebooks"
    shutil.copytree(NOTEBOOKS, folder)
    with running_lab(folder) as address:
        yield address


@pytest.fixture(scope="module")
def page(open_page):
    """Return the one page that turns from notebook to notebook."""
    return open_page()


@pytest.mark.parametrize("notebook", LESSONS)
def test_each_notebook_runs_whole_in_lab_without_a_fault(lab, page, notebook):
    page.troubles.clear()
    open_and_run(page, lab, notebook)
    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert page.locator(".jp-CodeCell").count() == sum(
        cell.cell_type == "code" for cell in nbformat.read(NOTEBOOKS / notebook, as_version=4).cells
    )
    assert page.evaluate(CUT) == []
    assert page.troubles == []
