"""The built site, and a Pyodide for it, served on this machine."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsing import browser, open_page  # noqa: F401  # fixtures
from python_for_pages import ADDRESS, FOLDER
from serve import Quiet, serving


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


class Open(Quiet):
    """Serves to pages of any origin, as a public server of Pyodide does."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@pytest.fixture(scope="session")
def python_at() -> Iterator[str]:
    """Yield where a Pyodide is served; where none is in the cache, skip, or fail if PE_REQUIRE_BROWSER is set."""
    if not FOLDER.exists():
        refuse = pytest.fail if os.environ.get("PE_REQUIRE_BROWSER") else pytest.skip
        refuse("no Pyodide in the cache: `python web/python_for_pages.py` fetches one, 106 MB")
    with serving(FOLDER, Open) as at:
        yield at


@pytest.fixture(scope="session")
def with_python(site, python_at) -> Callable[[object], object]:
    """Return what lets a page fetch its Python from this machine, and returns it; nothing else of it is changed."""
    script = (site / "_static" / "cells.js").read_text(encoding="utf-8").replace(ADDRESS, python_at)

    def let(page: object) -> object:
        page.route("**/_static/cells.js*", lambda route: route.fulfill(body=script, content_type="text/javascript"))
        return page

    return let


@pytest.fixture
def lesson(page, with_python):
    """Return a page whose Python comes from this machine."""
    return with_python(page)
