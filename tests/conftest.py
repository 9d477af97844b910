"""What tests share: how hypothesis searches, a browser, which notebooks train networks, and what runs first."""

import os
import re
from pathlib import Path

import pytest
from browsing import browser, open_page  # noqa: F401  # fixtures
from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


def trains(path: Path) -> bool:
    """Say whether a notebook trains networks, which takes as long again each time that it is run."""
    return bool(re.search(r"from pe_lib import .*\b(train|accuracies)\b", path.read_text(encoding="utf-8")))


@pytest.hookimpl(trylast=True)  # once -m and -k have chosen
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out a sample where its module also tests the whole, and let modules that take long begin first.

    So no worker is left with a long one at the end (with --no-loadscope-reorder).
    """
    marks = {name: {item.path for item in items if item.get_closest_marker(name)} for name in ("browser", "slow")}
    left_out = [item for item in items if item.get_closest_marker("sample") and item.path in marks["slow"]]
    config.hook.pytest_deselected(items=left_out)
    items[:] = sorted(
        (item for item in items if item not in left_out),
        key=lambda item: (item.path not in marks["browser"], item.path not in marks["slow"]),
    )
