"""In JupyterLab, in a real browser: a notebook opens, all its cells run, and the slider moves the picture."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

playwright_api = pytest.importorskip("playwright.sync_api")

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
SETTINGS = {
    "apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}',  # no popup over the page
    "notebook-extension/tracker": '{"windowingMode": "none"}',  # cells out of sight are there too
}
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")

KERNEL_IS_IDLE = """(path) => {
    const context = window.jupyterapp?.shell.currentWidget?.context
    return context?.path === path && context.sessionContext.session?.kernel?.status === 'idle'
}"""
ALL_RAN = """() => [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')]
    .every((prompt) => /\\[\\d+\\]/.test(prompt.textContent))"""

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start JupyterLab over a copy of the notebooks; yield its address, with `{}` for the notebook and its token."""
    home = tmp_path_factory.mktemp("lab")
    shutil.copytree(NOTEBOOKS, home / "notebooks")
    for name, text in SETTINGS.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    environment = os.environ | {
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"]
    command += ["--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={home / 'notebooks'}"]
    log = home / "log.txt"
    with log.open("w") as out:
        server = subprocess.Popen(command, env=environment, stdout=out, stderr=out, cwd=home)
    try:
        info = _wait_for(lambda: next((home / "runtime").glob("jpserver-*.json"), None), 60, server, log)
        running = json.loads(_wait_for(info.read_text, 10, server, log))
        yield f"{running['url']}lab/tree/{{}}?reset&token={running['token']}"
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Start the browser of this machine; where there is none, skip, or fail if PE_REQUIRE_BROWSER is set."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    with playwright_api.sync_playwright() as play:
        how = {"executable_path": path} if path else {"channel": "chrome"}
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        try:
            started = play.chromium.launch(args=[*QUIET, *root], **how)
        except playwright_api.Error as trouble:
            if os.environ.get("PE_REQUIRE_BROWSER"):
                pytest.fail(f"no browser to test in: {trouble}")
            pytest.skip("no Chromium or Chrome on this machine")
        yield started
        started.close()


@pytest.fixture
def page(browser) -> Iterator[object]:
    """Open a page that notes every error in its console and every request that leaves this machine."""
    page = browser.new_page(viewport={"width": 1500, "height": 1300})
    page.troubles = []
    page.on("console", lambda m: page.troubles.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: page.troubles.append(str(e)))
    page.on("request", lambda r: page.troubles.append(f"asked for {r.url}") if _leaves(r.url) else None)
    yield page
    page.close()


def test_each_notebook_runs_whole_in_lab_without_a_fault(lab, page, notebook):
    _open_and_run(page, lab, notebook)
    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert page.troubles == []


def test_the_slider_moves_the_picture_by_its_keys(lab, page):
    _open_and_run(page, lab, "00_start_here.ipynb")
    panel = page.locator(".jp-OutputArea-output .widget-vbox").first
    image, handle = panel.locator("img.widget-image"), panel.locator(".noUi-handle").first
    image.scroll_into_view_if_needed()
    before, position = image.get_attribute("src"), float(handle.get_attribute("aria-valuenow"))
    top = image.bounding_box()["y"]
    handle.focus()
    page.keyboard.press("ArrowRight")
    playwright_api.expect(image).not_to_have_attribute("src", before)
    assert float(handle.get_attribute("aria-valuenow")) == position + 1
    assert f"Position {position + 1:.0f}, the word “learning”" in _words(image)
    assert image.bounding_box()["y"] == top, "the page jumped"
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    _until_words(page, image, "Position 0, the word “I”")
    assert page.troubles == []


def test_the_slider_follows_the_mouse_and_a_preset_and_reset(lab, page):
    _open_and_run(page, lab, "00_start_here.ipynb")
    panel = page.locator(".jp-OutputArea-output .widget-vbox").first
    image, columns = panel.locator("img.widget-image"), panel.locator(".noUi-target").nth(1)
    columns.scroll_into_view_if_needed()
    track, handle = columns.bounding_box(), columns.locator(".noUi-handle").bounding_box()
    middle = handle["y"] + handle["height"] / 2
    page.mouse.move(handle["x"] + handle["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] + 40, middle, steps=8)  # past the end, where it stops
    page.mouse.up()
    _until_words(page, image, "column 5,")
    panel.get_by_role("button", name="fastest wave").click()
    _until_words(page, image, "Position 3, the word “learning”, column 0,")
    panel.get_by_role("button", name="Reset").click()
    _until_words(page, image, "Position 2, the word “deep”, column 3,")
    assert page.troubles == []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "notebook" in metafunc.fixturenames:
        metafunc.parametrize(
            "notebook", sorted(path.relative_to(NOTEBOOKS).as_posix() for path in NOTEBOOKS.rglob("*.ipynb"))
        )


def _open_and_run(page, lab: str, notebook: str) -> None:
    """Open a notebook, wait for its kernel, run all cells, and wait until the last has its number."""
    page.goto(lab.format(notebook))
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", state="attached", timeout=90_000)
    page.wait_for_function(KERNEL_IS_IDLE, arg=notebook, timeout=90_000)
    page.evaluate("window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs').then(() => null)")
    assert page.evaluate(ALL_RAN) is False
    page.evaluate("void window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(ALL_RAN, timeout=90_000)
    for image in page.locator(".jp-OutputArea-output .widget-vbox img").all():
        playwright_api.expect(image).to_have_attribute("src", re.compile("^blob:"))


def _words(image) -> str:
    """Return the name that a screen reader reads out for the picture."""
    return image.get_attribute("title") or image.get_attribute("alt") or ""


def _until_words(page, image, words: str) -> None:
    """Wait until the picture is the one described by these words."""
    for _ in range(100):
        if words in _words(image):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"{words!r} not in {_words(image)!r}")


def _leaves(url: str) -> bool:
    """Say whether a request goes to another machine."""
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in ("127.0.0.1", "localhost", "::1")


def _wait_for(found, seconds: float, server: subprocess.Popen, log: Path):
    """Return what `found` returns once that is something; fail with the server's log if it does not come."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        if something := found():
            return something
        time.sleep(0.1)
    return pytest.fail(f"JupyterLab did not start:\n{log.read_text()}")
