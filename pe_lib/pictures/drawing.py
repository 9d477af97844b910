"""A picture drawn by a function of the learner's own."""

import base64
import io
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import matplotlib as mpl

from pe_lib.pictures.fields import Field
from pe_lib.pictures.picture import Frame, Picture
from pe_lib.pictures.scene import WIDTH, box, svg

STYLE: Any = {"font.size": 15, "figure.dpi": 100, "svg.fonttype": "path", "svg.hashsalt": "pe", "lines.linewidth": 2.2}


class Drawing(Picture):
    """What ``draw(axes, **values)`` draws on matplotlib axes; it stays on white, as its colours are the function's own.

    Raises
    ------
    TypeError
        If `draw` is not a function.
    """

    lasting: ClassVar = False  # the function may look at more than its values
    answers: ClassVar = False

    def __init__(self, draw: Callable[..., Any], fields: Sequence[Field]) -> None:
        if not callable(draw):
            raise TypeError(f"picture must be a picture or a function, got {draw!r}")
        self.draw = draw
        self.fields = fields  # type: ignore[misc]  # of this drawing alone
        super().__init__()

    def frame(self) -> Frame:
        """Return white paper and the drawing on it."""
        drawn = self._saved(format="svg", metadata={"Date": None}, transparent=True).decode()
        # As an image it keeps its own units, and the rules of the sheet do not reach its paths.
        data = base64.b64encode(drawn[drawn.index("<svg") :].encode()).decode()
        size = f'width="{WIDTH}" height="{self.height:g}"'
        image = f'<image class="fine" {size} href="data:image/svg+xml;base64,{data}"/>'
        moving = svg([], self.height).replace("</svg>", f"{image}\n</svg>")
        return Frame(svg([box(0, 0, WIDTH, self.height, "white")], self.height), moving)

    def png(self, covered: bool = False, note: str = "") -> bytes:
        """Draw the state as a PNG file."""
        del covered, note
        return self._saved(format="png", dpi=200)

    def words(self) -> str:
        """Name the function and its values."""
        name = getattr(self.draw, "__name__", type(self.draw).__name__)
        values = ", ".join(f"{k} {v:g}" if isinstance(v, float) else f"{k} {v}" for k, v in self.state.items())
        return f"{name} with {values}" if values else str(name)

    def _saved(self, **how: Any) -> bytes:
        """Return the drawing as matplotlib saves it."""
        from matplotlib.figure import Figure  # some 10 MiB, which no other picture needs

        file = io.BytesIO()
        with mpl.rc_context(STYLE):
            figure = Figure(figsize=(WIDTH / 100, self.height / 100), layout="constrained")
            self.draw(figure.add_subplot(), **self.state)
            figure.savefig(file, **how)
        return file.getvalue()
