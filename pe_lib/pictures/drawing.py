"""A picture of one's own: a function draws it."""

from collections.abc import Callable, Hashable
from typing import Any

from pe_lib.pictures.picture import Picture, one_line


class Drawing(Picture):
    """What a function draws on matplotlib axes, drawn anew for every state.

    Parameters
    ----------
    draw : function
        Called as ``draw(axes, **state)``, with axes that are empty.
    **state
        The values to begin with.

    Examples
    --------
    >>> Drawing(lambda axes, length: axes.plot(range(length)), length=7).state
    {'length': 7}
    """

    size = (8.0, 4.5)
    lasting = False  # a function may use what has changed meanwhile

    def __init__(self, draw: Callable[..., Any], **state: Any) -> None:
        self._draw = draw
        self.defaults = state  # type: ignore[misc]  # what a function takes is known only now
        super().__init__()

    def describe(self) -> str:
        """Say which function drew the picture, and with which values."""
        values = ", ".join(f"{name} {one_line(str(value))}" for name, value in self.state.items())
        return f"{getattr(self._draw, '__name__', 'a drawing')} with {values}"

    def _key(self) -> Hashable:
        return object()  # unlike any other, so that the function is always called

    def _lay(self) -> None:
        self.figure.clear()
        self.figure.set_layout_engine("constrained")
        self._draw(self.figure.add_subplot(), **self.state)
