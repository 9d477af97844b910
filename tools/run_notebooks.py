"""Run notebooks in place, each in a fresh kernel and in order, and store nothing that another machine would not.

`python tools/run_notebooks.py` runs all of them, `python tools/run_notebooks.py notebooks/02_*.ipynb` those named.
"""

import sys
from pathlib import Path
from typing import Any

import nbformat
from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
SECONDS_FOR_A_CELL = 60
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
OF_ONE_RUN = ("execution", "ExecuteTime", "collapsed", "scrolled")  # what a run or a reader leaves in a cell's metadata


class ThisPython(AsyncKernelManager):
    """The kernel of the Python that runs this file, whatever kernels the machine knows besides."""

    @property
    def kernel_spec(self) -> KernelSpec:
        """How that kernel is started: quietly, for its warnings are of no use here."""
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict(["--log-level=40"]))


def run(notebook: Any, folder: Path) -> None:
    """Run every cell of a notebook from the top, in its own folder."""
    NotebookClient(
        notebook,
        kernel_manager_class=ThisPython,
        timeout=SECONDS_FOR_A_CELL,
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    ).execute()


def strip(notebook: Any) -> None:
    """Take out what must not be stored: widgets, times, versions. Cells keep their ids, tags and order."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        for key in OF_ONE_RUN:
            cell.metadata.pop(key, None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)  # without its state it is a dead link; the picture stays


def main(names: list[str]) -> int:
    """Run the notebooks named, or all; return 1 when a cell fails, and leave that notebook as it was."""
    paths = [Path(name) for name in names] or sorted(
        path for path in NOTEBOOKS.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts
    )
    failed = False
    for path in paths:
        print(f"Running {path.name}.", flush=True)
        notebook = nbformat.read(path, as_version=4)
        try:
            run(notebook, path.resolve().parent)
        except CellExecutionError as error:
            print(f"{path.name} stays as it was, because a cell failed:\n{error}", file=sys.stderr)
            failed = True
            continue
        strip(notebook)
        path.write_text(nbformat.writes(notebook).rstrip("\n") + "\n", encoding="utf-8", newline="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
