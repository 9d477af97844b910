"""What tests share: how hypothesis searches, a browser, and the names of the notebooks."""

import os
from pathlib import Path

import pytest
from browsing import browser, open_page  # noqa: F401  # fixtures
from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "notebook" in metafunc.fixturenames:
        metafunc.parametrize("notebook", sorted(path.name for path in NOTEBOOKS.glob("*.ipynb")))
