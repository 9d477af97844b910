"""A site that is built from nothing but the files of the project, and served on this machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import browser, open_page  # noqa: F401  # fixtures
from serve import serving

ROOT = Path(__file__).resolve().parent.parent.parent
LEFT_BEHIND = shutil.ignore_patterns(".*", "_build", "__pycache__", "*.egg-info")


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """Return the folder of the built site; PE_SITE names one that is built already."""
    if "PE_SITE" in os.environ:
        return Path(os.environ["PE_SITE"])
    tree = tmp_path_factory.mktemp("fresh") / "tree"
    shutil.copytree(ROOT, tree, ignore=LEFT_BEHIND)
    environment = os.environ | {"PYTHONPATH": str(tree)}
    built = subprocess.run(
        [sys.executable, "web/build.py"], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    assert str(tree / "web" / "_build" / "index.html") in built.stdout
    return tree / "web" / "_build"


@pytest.fixture(scope="session")
def address(site) -> Iterator[str]:
    """Yield where the site is served."""
    with serving(site) as at:
        yield at


@pytest.fixture
def page(open_page, request):
    """Return a page of its own, of the size and kind that a test may ask for; it must have met no trouble."""
    page = open_page(**{"viewport": {"width": 1280, "height": 720}, **getattr(request, "param", {})})
    yield page
    troubles, page.troubles = page.troubles, []
    page.close()
    assert troubles == []
