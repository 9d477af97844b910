"""The widget that shows an explorer or a question in JupyterLab. Only what shows one imports it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import anywidget
import ipywidgets as widgets
from IPython.core import getipython
from traitlets import Bool, Dict, Instance, Unicode

from pe_pictures.explorers.script import HERE, SCRIPT, STYLE


class Held(widgets.Widget):  # type: ignore[misc]  # comes without types
    """What holds the script and the style of all panels for the pages of a kernel."""

    script = Unicode(f"{SCRIPT}\nexport {{ render }};\n").tag(sync=True)
    style = Unicode(STYLE).tag(sync=True)

    _now: "Held | None" = None

    @classmethod
    def now(cls) -> "Held":
        """Return the one that this kernel has; a new one where somebody has closed all widgets."""
        if cls._now is None or cls._now.comm is None:
            cls._now = cls()
        return cls._now


class Heard(widgets.Layout):  # type: ignore[misc]
    """What a panel's page hears the kernel by, as each panel has a layout: a core widget.

    Where a browser is busy for two seconds while a panel starts, anywidget gives up on the panel's own model, and no
    message that comes for it is heard from then on. A core widget hears always.
    """

    ran = Bool(False).tag(sync=True)  # whether a cell has run that may answer a question


class Panel(anywidget.AnyWidget):
    """What the script draws from a specification; what the page asks is handed to `asked`."""

    # Its text, not its path: for a path, anywidget would keep every panel there ever was, to tell it of changes.
    _esm = (HERE / "loader.js").read_text(encoding="utf-8")
    held = Instance(Held).tag(sync=True, **widgets.widget_serialization)
    spec = Dict().tag(sync=True)

    def __init__(self, spec: dict[str, Any], asked: Callable[[Mapping[str, Any]], None] | None = None) -> None:
        super().__init__(spec=spec, held=Held.now(), layout=Heard())
        if asked is not None:
            self.on_msg(lambda _, content, __: asked(content))

    def send(self, content: Any, buffers: Any = None) -> None:
        """Send something to the panel's pages."""
        self.layout.send(content, buffers)

    def close(self) -> None:
        """Take the panel off all pages, with the layout that ipywidgets gives each widget."""
        super().close()
        self.layout.close()


class Question(Panel):
    """A panel with a question, and what is chosen there."""

    state = Dict().tag(sync=True)

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
        self._asking = True  # until the cell that asks has run itself
        self._events: Any = getattr(getipython.get_ipython(), "events", None)
        if self._events:
            self._events.register("post_run_cell", self._after)

    def _after(self, result: Any) -> None:
        """Note that a cell has run well, if it is another than the one that asks."""
        if not self._asking and result.success:
            self.layout.ran = True
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
    return found[0] if isinstance(found, tuple) else found


def running() -> tuple[str | None, str | None, list[str]]:
    """Return which cell runs now, the message that runs it, and the cells that are deleted, as far as anybody says."""
    kernel = getattr(getipython.get_ipython(), "kernel", None)
    message: Mapping[str, Any] = (kernel.get_parent() if kernel is not None else None) or {}
    about = message.get("metadata", {})
    return about.get("cellId"), message.get("header", {}).get("msg_id"), [*about.get("deletedCells", ())]
