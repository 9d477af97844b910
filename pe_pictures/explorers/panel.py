"""The widget that shows an explorer or a question in JupyterLab. Only what shows one imports it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import anywidget
import ipywidgets as widgets
from IPython.core import getipython
from traitlets import Bool, Dict

from pe_pictures.explorers.script import SCRIPT, STYLE


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


class Question(Panel):
    """A panel with a question: what is chosen there, and whether a cell that may answer it has run."""

    state = Dict().tag(sync=True)
    ran = Bool(False).tag(sync=True)

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
        self._asking = True  # until the cell that asks has run itself
        self._events: Any = getattr(getipython.get_ipython(), "events", None)
        if self._events:
            self._events.register("post_run_cell", self._after)

    def _after(self, result: Any) -> None:
        """Note that a cell has run well, if it is another than the one that asks."""
        if not self._asking and result.success:
            self.ran = True
        self._asking = False

    def close(self) -> None:
        """Take the question off all pages, and hear of no more cells."""
        super().close()
        if self._events and self._after in self._events.callbacks["post_run_cell"]:
            self._events.unregister("post_run_cell", self._after)


def view(panel: Panel, others: Iterable[Any]) -> dict[str, Any]:
    """Return what shows a panel below a cell, under other widgets where there are some."""
    above = list(others)
    found: Any = (widgets.VBox([widgets.HBox(above), panel]) if above else panel)._repr_mimebundle_()
    data: dict[str, Any] = found[0] if isinstance(found, tuple) else found
    return data


def running() -> tuple[str | None, str | None, list[str]]:
    """Return which cell runs now, the message that runs it, and the cells that are deleted, as far as anybody says."""
    kernel = getattr(getipython.get_ipython(), "kernel", None)
    message: Mapping[str, Any] = (kernel.get_parent() if kernel is not None else None) or {}
    about = message.get("metadata", {})
    return about.get("cellId"), message.get("header", {}).get("msg_id"), [*about.get("deletedCells", ())]
