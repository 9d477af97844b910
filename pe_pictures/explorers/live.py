"""What a cell shows live: a panel in the browser that is closed when the cell is run again or deleted.

The kernel keeps every panel until it is closed. Without this, a cell that is run ten times would leave ten in memory.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pe_pictures.needed import libraries

if TYPE_CHECKING:
    from pe_pictures.explorers.panel import Panel


class Shown:
    """What a cell shows in panels."""

    def __init__(self) -> None:
        self.panels: list[Panel] = []

    def close(self) -> None:
        """Take it off all pages. Shown again, it is there again."""
        while self.panels:
            self.panels.pop().close()

    def show(
        self,
        spec: dict[str, Any],
        asked: Callable[[Mapping[str, Any]], None] | None = None,
        others: Iterable[Any] = (),
    ) -> dict[str, Any]:
        """Return a live panel for the cell that runs now, under other widgets, and close what its last run has shown.

        What the page asks is handed to `asked`.
        """
        with libraries():
            from pe_pictures.explorers.panel import Panel, Question, running, view

        panel = Question(spec) if "choices" in spec else Panel(spec, asked)
        self.panels.append(panel)
        _close_what_the_last_run_showed(self, *running())
        return view(panel, others)


_shown: dict[str, tuple[str, list[Shown]]] = {}  # by the cell's id: the message that ran it, and what it showed then


def _close_what_the_last_run_showed(now: Shown, cell: str | None, run: str | None, over: list[str]) -> None:
    """Note what this cell shows; close what an earlier run of it has shown, or a cell that is now deleted."""
    if cell is None or run is None:
        return  # not every program that runs notebooks says which cell it runs
    if _shown.get(cell, (run,))[0] != run:
        over.append(cell)
    gone = {shown for old in over for shown in _shown.pop(old, ("", []))[1]}
    _shown.setdefault(cell, (run, []))[1].append(now)
    for old in gone - {shown for _, together in _shown.values() for shown in together}:
        old.close()
