"""A question with choices, asked before the cell that answers it; each choice is answered with a reason."""

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets

from pe_lib.explorers.live import Live
from pe_lib.explorers.questions import QUESTIONS


class Prediction(Live):
    """A question with radio buttons, that answers the choice taken with the reason for or against it.

    Parameters
    ----------
    question : str
        What is asked, in plain words.
    choices : mapping of str to str
        For each choice, what to say to someone who takes it.

    Raises
    ------
    ValueError
        If there are fewer than two choices.

    Examples
    --------
    >>> Prediction("Which is slower?", {"sin(pos)": "It repeats sooner.", "sin(pos / 100)": "It takes longer."})
    Which is slower? (sin(pos) · sin(pos / 100))
    """

    def __init__(self, question: str, choices: Mapping[str, str]) -> None:
        if len(choices) < 2:
            raise ValueError(f"choices must hold at least two, got {len(choices)}")
        self.question, self.choices = question, dict(choices)
        self._buttons = widgets.RadioButtons(
            options=list(self.choices), value=None, tooltip=question, layout=widgets.Layout(width="auto")
        )
        self._reason = widgets.HTML(layout=widgets.Layout(margin="0", min_height="28px"))
        self._buttons.observe(self._answer, "value")
        asked = widgets.HTML(f"<b>{html.escape(question)}</b>")
        self.panel = widgets.VBox([asked, self._buttons, self._reason])

    @property
    def reason(self) -> str:
        """What is said to the choice that is taken; empty before one is."""
        return self.choices.get(self._buttons.value, "")

    def __repr__(self) -> str:
        return f"{self.question} ({' · '.join(self.choices)})"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Show the live buttons, with question and choices as a list beside them for pages without a kernel."""
        items = "".join(f"<li>{html.escape(choice)}</li>" for choice in self.choices)
        still = f"<p><b>{html.escape(self.question)}</b></p><ul>{items}</ul>"
        return {**self._live_view(), "text/html": still, "text/plain": repr(self)}

    def _answer(self, _: Any) -> None:
        self._reason.value = f"<p role='status' style='margin: 0'>{html.escape(self.reason)}</p>"


def predict(name: str) -> Prediction:
    """Ask one of the notebooks' questions, by its name; ValueError if there is none of that name.

    >>> predict("the column that repeats every 2").question
    'Counted from the left, which of the four columns repeats every 2 entries?'
    """
    if name not in QUESTIONS:
        raise ValueError(f"name must be one of {', '.join(map(repr, QUESTIONS))}, got {name!r}")
    return Prediction(*QUESTIONS[name])
