"""What browser tests share: the browser of this machine, and pages that note every trouble."""

import os
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from lab import launch


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Start the browser of this machine; where there is none, skip, or fail if PE_REQUIRE_BROWSER is set."""
    playwright_api = pytest.importorskip("playwright.sync_api")
    with playwright_api.sync_playwright() as play:
        try:
            started = launch(play)
        except playwright_api.Error as trouble:
            if os.environ.get("PE_REQUIRE_BROWSER"):
                pytest.fail(f"no browser to test in: {trouble}")
            pytest.skip("no Chromium or Chrome on this machine")
        yield started
        started.close()


@pytest.fixture(scope="module")
def open_page(browser) -> Iterator[Callable[..., object]]:
    """Return what opens a page that notes every error in its console and every request that leaves this machine."""
    pages = []

    def opened(**how) -> object:
        page = browser.new_page(**{"viewport": {"width": 1500, "height": 1300}, **how})
        page.troubles = []
        page.on("console", lambda m: page.troubles.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: page.troubles.append(str(e)))
        page.on("request", lambda r: page.troubles.append(f"asked for {r.url}") if _leaves(r.url) else None)
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.close()


def _leaves(url: str) -> bool:
    """Say whether a request goes to another machine."""
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in ("127.0.0.1", "localhost", "::1")
