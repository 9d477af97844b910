"""In JupyterLab, in a real browser: every notebook that trains nothing runs whole, and nothing leaves this machine."""

import shutil

import pytest
from conftest import NOTEBOOKS, trains
from lab import ERROR, open_and_run, running_lab
from minutes import FILES

pytestmark = pytest.mark.browser
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


@pytest.mark.parametrize("name", [path.name for path in FILES if not trains(path)])
def test_each_notebook_runs_whole_in_lab_without_a_fault(lab, page, name):
    page.troubles.clear()
    open_and_run(page, lab, name)
    assert not page.locator(ERROR).all_inner_texts()
    assert page.evaluate(CUT) == []
    assert page.troubles == []
