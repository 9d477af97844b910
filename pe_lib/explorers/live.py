"""What a cell shows live: a panel of widgets that is closed when the cell is run again or deleted.

The kernel keeps every widget until it is closed, and a widget keeps its picture. Without this, a cell that is run ten
times would leave ten panels in memory.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import ipywidgets as widgets
from IPython.core import getipython


class Live:
    """Something with a panel of widgets to show."""

    panel: widgets.VBox
    _closed = False

    def close(self) -> None:
        """Take the panel off all pages and give its memory back. Shown again, it is opened again."""
        for widget in self._widgets():
            widget.close()
        self._closed = True

    def _live_view(self) -> dict[str, Any]:
        """Return the live view of the panel for the cell that runs now, and close what its last run has shown."""
        if self._closed:
            for widget in self._widgets():
                vars(widget).pop("_repr_mimebundle_", None)  # with which ipywidgets marks a closed one
                widget.open()
            self._closed = False
        _close_what_the_last_run_showed(self)
        view: dict[str, Any] = self.panel._repr_mimebundle_()
        return view

    def _widgets(self) -> list[Any]:
        """Return all widgets of the panel, parts before wholes, as they have to be opened."""
        return list(_with_all_parts(self.panel))


def _with_all_parts(widget: Any) -> Iterator[Any]:
    """Yield a widget after all that it is made of: its children, layouts and styles."""
    for child in getattr(widget, "children", ()):
        yield from _with_all_parts(child)
    for part in ("layout", "style"):
        if hasattr(widget, part):
            yield getattr(widget, part)
    yield widget


_shown: dict[str, tuple[str, list[Live]]] = {}  # by the cell's id: the message that ran it, and what it showed then


def _close_what_the_last_run_showed(now: Live) -> None:
    """Note what this cell shows; close what an earlier run of it has shown, or a cell that is now deleted."""
    message = _message_that_runs_the_cell()
    cell, run = message.get("metadata", {}).get("cellId"), message.get("header", {}).get("msg_id")
    if cell is None or run is None:
        return  # not every program that runs notebooks says which cell it runs
    gone = [
        shown for deleted in message["metadata"].get("deletedCells", ()) for shown in _shown.pop(deleted, ("", []))[1]
    ]
    if cell in _shown and _shown[cell][0] != run:
        gone += _shown.pop(cell)[1]
    _shown.setdefault(cell, (run, []))[1].append(now)
    still = [live for _, lives in _shown.values() for live in lives]
    for old in gone:
        if not any(old is live for live in still):
            old.close()


def _message_that_runs_the_cell() -> Mapping[str, Any]:
    """Return the request the kernel is working on; empty where there is no kernel."""
    kernel = getattr(getipython.get_ipython(), "kernel", None)
    return (kernel.get_parent() if kernel is not None else None) or {}
