"""A question with choices, asked before the cell that answers it: choose, lock in, run that cell, and then see."""

import functools
import html
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pe_pictures.explorers.live import Shown


class Prediction(Shown):
    """A question with choices; what there is to say of the chosen one is said once it is locked in and a cell has run.

    There are at least two `choices`, each with the reason for it or against it, and one of them is `right`.

    >>> slow, fast = "sin(pos / 100)", "sin(pos)"
    >>> Prediction("Which is slower?", {fast: "It repeats sooner.", slow: "It takes longer."}, slow)
    Which is slower? (sin(pos) · sin(pos / 100))
    """

    def __init__(self, question: str, choices: Mapping[str, str], right: str) -> None:
        super().__init__()
        if len(choices) < 2:
            raise ValueError(f"choices must hold at least two, got {len(choices)}")
        if right not in choices:
            raise ValueError(f"right must be one of the choices, got {right!r}")
        self.question, self.choices, self.right = question, dict(choices), right

    def spec(self) -> dict[str, Any]:
        """Return what the page needs: the question; for each choice its text, the reason, whether it is right."""
        choices = [[choice, reason, choice == self.right] for choice, reason in self.choices.items()]
        return {"question": self.question, "choices": choices}

    def __repr__(self) -> str:
        return f"{self.question} ({' · '.join(self.choices)})"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Show the live question; beside it, for pages without a kernel, the question and its choices as a list."""
        items = "".join(f"<li>{html.escape(choice)}</li>" for choice in self.choices)
        still = f"<p><b>{html.escape(self.question)}</b></p><ul>{items}</ul>"
        return {**self.show(self.spec()), "text/html": still, "text/plain": repr(self)}


def read_questions(path: Path) -> dict[str, Any]:
    """Return the questions of a file by name, each as `Prediction` takes it.

    A table of the file is a question; for each choice it has what to say of it, and ✓ marks the one that is right.
    """
    found = {}
    for name, choices in tomllib.loads(path.read_text("utf-8")).items():
        question = choices.pop("question")
        (right,) = (choice[2:] for choice in choices if choice.startswith("✓ "))
        reasons = {choice.removeprefix("✓ "): reason for choice, reason in choices.items()}
        found[name] = {"question": question, "choices": reasons, "right": right}
    return found


@functools.cache
def questions() -> dict[str, Any]:
    """Return all questions of the notebooks in their order, by name."""
    files = sorted(Path(__file__).with_name("questions").glob("*.toml"))
    return {name: question for file in files for name, question in read_questions(file).items()}


def predict(name: str) -> Prediction:
    """Ask one of the notebooks' questions, by its name; ValueError if there is none of that name.

    >>> predict("nearest to position 7").question
    'Eight columns. Which of the positions 0 to 15 are closest to position 7?'
    """
    if name not in questions():
        raise ValueError(f"name must be one of {', '.join(map(repr, questions()))}, got {name!r}")
    return Prediction(**questions()[name])
