"""Start JupyterLab over some notebooks and open them in a real browser, for the browser tests and the benchmarks."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false"},  # no box over the page
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},  # cells out of sight are there too
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
ERROR = "[data-mime-type='application/vnd.jupyter.stderr']"  # a traceback, or a warning
ALL_RAN = f"""() => document.querySelector("{ERROR}")
    || [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')]
        .every((prompt) => /\\[\\d+\\]/.test(prompt.textContent))
    && [...document.querySelectorAll('.pe-stage')].every((stage) => stage.dataset.shown)"""


@contextmanager
def running_lab(notebooks: Path) -> Iterator[str]:
    """Start JupyterLab in a folder; yield its address, with `{}` where the name of a notebook belongs."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder, "overrides.json").write_text(json.dumps(SETTINGS))
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.port_retries=0"]
        command += [f"--ServerApp.port={port}", f"--ServerApp.root_dir={notebooks}", "--IdentityProvider.token=tried"]
        command += [f"--LabApp.app_settings_dir={folder}", "--LabApp.expose_app_in_browser=True"]
        log = Path(folder, "log.txt")
        with log.open("w") as out:
            environment = os.environ | {"JUPYTER_CONFIG_DIR": folder}  # nothing of the reader's own
            server = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
        try:
            for _ in range(600):
                with socket.socket() as asked:
                    if not asked.connect_ex(("127.0.0.1", port)):
                        break
                time.sleep(0.1)
            else:
                raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")
            yield f"http://127.0.0.1:{port}/lab/tree/{{}}?reset&token=tried"
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:  # one of its kernels doesn't end
                server.kill()
                server.wait()


def launch(play: Any) -> Any:
    """Start the browser of this machine, Chromium or a relative of it, by Playwright."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    how = {"executable_path": path} if path else {"channel": "chrome"}
    return play.chromium.launch(**how)


def open_and_run(page: Any, lab: str, notebook: str) -> None:
    """Open a notebook, run all cells in a new kernel, and wait for their numbers and pictures, or for a fault.

    A page on which JupyterLab runs already is not loaded anew: the notebook that it shows is put away.
    """
    if page.evaluate("!window.jupyterapp"):
        page.goto(lab.format(notebook))
    else:
        page.evaluate(TURN_TO, notebook)
    page.wait_for_function(KERNEL_IS_IDLE, arg=notebook, polling=50, timeout=90_000)
    page.evaluate("window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs').then(() => null)")
    assert not page.evaluate(ALL_RAN), "the stored outputs are still there"
    page.evaluate("window.ran = window.jupyterapp.commands.execute('notebook:run-all-cells'), null")
    page.wait_for_function(ALL_RAN, polling=50, timeout=180_000)
    page.evaluate("window.ran.then(() => null, () => null)")  # it takes the focus at its end


def write_notebook(path: Path, *cells: str) -> None:
    """Write a notebook of code cells."""
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    nbformat.write(notebook, path)
