"""The built site, served on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import browser, open_page  # noqa: F401  # fixtures
from serve import serving


@pytest.fixture(scope="session")
def site() -> Path:
    """Return the folder of the built site."""
    built = Path(__file__).resolve().parent.parent / "_build"
    assert (built / "index.html").exists(), "there is no site: `make web-test` builds it first"
    return built


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
