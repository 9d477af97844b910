"""How much memory a kernel takes: bare, with the packages below the library, and with notebooks 00 and 04 run through.

Each is a kernel of its own, as it is and with the settings of `classroom/` for memory. A kernel has a debugger where
debugpy is installed; the first line says whether it is. PSS in MiB, after all cells.
"""

import importlib.util
import os
import re
from pathlib import Path

import nbformat
from jupyter_client.manager import start_new_kernel

ROOT = Path(__file__).parent.parent
SPARING = {"MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"}  # as in jupyterhub_config.py
PACKAGES = ["import matplotlib, ipywidgets", "import matplotlib.pyplot"]


def code(name: str) -> list[str]:
    """Return the code cells of a notebook."""
    cells = nbformat.read(ROOT / "notebooks" / name, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "code"]


def pss(cells: list[str], settings: dict[str, str]) -> float:
    """Run cells in a new kernel and return what it takes then."""
    manager, client = start_new_kernel(env=os.environ | settings, cwd=ROOT / "notebooks")
    printed: list[str] = []

    def hear(message: dict) -> None:
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])

    try:
        for cell in cells:
            assert client.execute_interactive(cell, output_hook=hear, timeout=300)["content"]["status"] == "ok"
        printed.clear()
        client.execute_interactive("print(open('/proc/self/smaps_rollup').read())", output_hook=hear, timeout=60)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    found = re.search(r"^Pss:\s+(\d+) kB", "".join(printed), re.MULTILINE)
    return int(found[1]) / 1024 if found else float("nan")


def main() -> None:
    """Print a table."""
    print(f"debugger installed: {importlib.util.find_spec('debugpy') is not None}")
    print(f"{'':34} as it is   sparing")
    for what, cells in {
        "bare": [],
        "matplotlib and ipywidgets": PACKAGES[:1],
        "with matplotlib.pyplot": PACKAGES,
        "notebook 00": code("00_start_here.ipynb"),
        "notebook 04": code("04_read_the_waves.ipynb"),
    }.items():
        print(f"{what:34}{pss(cells, {}):9.0f}{pss(cells, SPARING):10.0f}", flush=True)


if __name__ == "__main__":
    main()
