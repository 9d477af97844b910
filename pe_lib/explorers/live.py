"""What a cell shows live: a panel in the browser that is closed when the cell is run again or deleted.

The kernel keeps every panel until it is closed. Without this, a cell that is run ten times would leave ten in memory.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
from IPython.core import getipython
from traitlets import Dict

from pe_lib.pictures.style import FONT_FACE, RULES, TOKENS

HERE = Path(__file__).parent
SCRIPTS = [part.read_text(encoding="utf-8") for part in sorted((HERE / "scripts").glob("*.js"))]
SCRIPT = "\n".join([f"const RULES = {json.dumps(RULES)};", *SCRIPTS])
STYLE = f"""{FONT_FACE}
.pe-explorer, .pe-prediction, .pe-place {{ {TOKENS} }}
{(HERE / "explorer.css").read_text(encoding="utf-8")}"""


class Panel(anywidget.AnyWidget):
    """What the script draws from a specification; what the page asks is handed to `asked`."""

    # Their text, not their path: for a path, anywidget would keep every panel there ever was, to tell it of changes.
    _esm = SCRIPT + "\nexport default { render };\n"
    _css = STYLE
    spec = Dict().tag(sync=True)

    def __init__(self, spec: dict[str, Any], asked: Callable[[Mapping[str, Any]], None] | None = None) -> None:
        super().__init__(spec=spec)
        if asked is not None:
            self.on_msg(lambda _, content, __: asked(content))

    def close(self) -> None:
        """Take the panel off all pages, with the layout that ipywidgets gives each widget."""
        super().close()
        self.layout.close()


class Shown:
    """What a cell shows in panels."""

    def __init__(self) -> None:
        self.panels: list[Panel] = []

    def close(self) -> None:
        """Take it off all pages. Shown again, it is there again."""
        while self.panels:
            self.panels.pop().close()

    def show(self, panel: Panel, others: Iterable[Any] = ()) -> dict[str, Any]:
        """Return the live view of a panel for the cell that runs now, and close what its last run has shown."""
        self.panels.append(panel)
        above = list(others)
        whole = widgets.VBox([widgets.HBox(above), panel]) if above else panel
        _close_what_the_last_run_showed(self)
        view: Any = whole._repr_mimebundle_()
        data: dict[str, Any] = view[0] if isinstance(view, tuple) else view
        return data


_shown: dict[str, tuple[str, list[Shown]]] = {}  # by the cell's id: the message that ran it, and what it showed then


def _close_what_the_last_run_showed(now: Shown) -> None:
    """Note what this cell shows; close what an earlier run of it has shown, or a cell that is now deleted."""
    kernel = getattr(getipython.get_ipython(), "kernel", None)
    message: Mapping[str, Any] = (kernel.get_parent() if kernel is not None else None) or {}
    cell, run = message.get("metadata", {}).get("cellId"), message.get("header", {}).get("msg_id")
    if cell is None or run is None:
        return  # not every program that runs notebooks says which cell it runs
    over = [*message["metadata"].get("deletedCells", ())]
    if _shown.get(cell, (run,))[0] != run:
        over.append(cell)
    gone = {shown for old in over for shown in _shown.pop(old, ("", []))[1]}
    _shown.setdefault(cell, (run, []))[1].append(now)
    for old in gone - {shown for _, together in _shown.values() for shown in together}:
        old.close()
