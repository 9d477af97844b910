"""What tests share: how hypothesis searches and NumPy prints, a browser, and which notebooks train networks."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browsing import browser, open_page  # noqa: F401  # fixtures
from hypothesis import settings
from minutes import LESSONS, ROOT

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

NOTEBOOKS = ROOT / "notebooks"
PATHS = {
    "Understand": [LESSONS[k] for k in (0, 1, 4, 5, 7, 8, 9, 10, 13)],
    "Build": [LESSONS[k] for k in (0, 2, 3, 6, 11, 12, 13)],
}


def trains(path: Path) -> bool:
    """Say whether a notebook trains networks, which takes as long again each time that it is run."""
    text = path.read_text(encoding="utf-8")
    return bool(re.search(r"from pe_lib import .*\b(train|networks|race)\b", text))


@pytest.fixture(autouse=True)
def _print_as_before() -> Iterator[None]:
    """Take back how a notebook that a test runs has NumPy print."""
    with np.printoptions():
        yield
