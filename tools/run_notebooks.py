"""Run notebooks in place, each in a fresh kernel, and store nothing that another machine or another run would not.

`python tools/run_notebooks.py` runs all of them, `python tools/run_notebooks.py notebooks/02_*.ipynb` those named.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def first_shown(output, widgets):
    """Return what the function of `interact` put out at first, or the output itself if it is not one of those."""
    box = widgets.get(output.get("data", {}).get(WIDGET_VIEW, {}).get("model_id"), {"state": {}})
    inner = [widgets[child.removeprefix("IPY_MODEL_")] for child in box["state"].get("children", ())]
    shown = [nbformat.from_dict(each) for one in inner for each in one["state"].get("outputs", ())]
    return shown or [output]


for path in sys.argv[1:] or sorted(NOTEBOOKS.glob("[0-9]*.ipynb")):
    print(f"Running {path}", flush=True)
    notebook = nbformat.read(path, as_version=4)
    how = {"record_timing": False, "coalesce_streams": True}
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(NOTEBOOKS)}}, **how).execute()
    widgets = next(iter(notebook.metadata.get("widgets", {}).values()), {}).get("state", {})
    notebook.metadata = nbformat.from_dict(METADATA)  # without versions and the state of widgets
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the times that JupyterLab may have left
        if "outputs" in cell:
            cell.outputs = [shown for output in cell.outputs for shown in first_shown(output, widgets)]
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)  # without its state it is a dead link; the picture stays
            if "alt" in cell.metadata and "image/png" in output.get("data", {}):  # the words in place of a plot by hand
                output.metadata.setdefault("image/png", {})["alt"] = cell.metadata["alt"]
    nbformat.write(notebook, path)
