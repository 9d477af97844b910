"""Start JupyterLab over some notebooks and open them in a real browser, for the browser tests and the benchmarks."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")
SETTINGS = {
    "apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}',  # no popup over the page
    "notebook-extension/tracker": '{"windowingMode": "none"}',  # cells out of sight are there too
}
KERNEL_IS_IDLE = """(path) => {
    const context = window.jupyterapp?.shell.currentWidget?.context
    return context?.path === path && context.sessionContext.session?.kernel?.status === 'idle'
}"""
TURN_TO = """async (path) => {
    const { shell, commands } = window.jupyterapp, shown = shell.currentWidget
    await shown.context.sessionContext.shutdown()
    shown.dispose()
    await commands.execute('docmanager:open', { path }).then(() => null)
}"""
ALL_RAN = """() => [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')]
    .every((prompt) => /\\[\\d+\\]/.test(prompt.textContent))"""


@contextmanager
def running_lab(notebooks: Path) -> Iterator[str]:
    """Start JupyterLab in a folder; yield its address, with `{}` where the name of a notebook belongs."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
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
        command += ["--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={notebooks}"]
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


def launch(play: Any) -> Any:
    """Start the browser of this machine, Chromium or a relative of it, by Playwright."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    how = {"executable_path": path} if path else {"channel": "chrome"}
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return play.chromium.launch(args=[*QUIET, *root], **how)


def open_and_run(page: Any, lab: str, notebook: str) -> None:
    """Open a notebook, wait for its kernel, run all cells, and wait until the last has its number.

    A page on which JupyterLab runs already is not loaded anew: the notebook that it shows is put away.
    """
    if page.evaluate("!window.jupyterapp"):
        page.goto(lab.format(notebook))
    else:
        page.evaluate(TURN_TO, notebook)
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", state="attached", timeout=90_000)
    page.wait_for_function(KERNEL_IS_IDLE, arg=notebook, polling=50, timeout=90_000)
    page.evaluate("window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs').then(() => null)")
    assert page.evaluate(ALL_RAN) is False
    page.evaluate("void window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(ALL_RAN, polling=50, timeout=180_000)
    page.wait_for_function(  # every picture is there
        "() => [...document.querySelectorAll('.pe-stage')].every((stage) => stage.dataset.shown)", polling=50
    )


def write_notebook(path: Path, *cells: str) -> None:
    """Write a notebook of code cells."""
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    nbformat.write(notebook, path)


def _wait_for(found: Callable[[], Any], seconds: float, server: subprocess.Popen[bytes], log: Path) -> Any:
    """Return what `found` returns once that is something; fail with the server's log if it does not come."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        if something := found():
            return something
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")
