"""What is said to an answer: one of four kinds, and a few sentences that a learner can act on."""

import textwrap
from dataclasses import dataclass
from typing import Literal

Kind = Literal["unanswered", "right", "nearly", "wrong", "hint"]
OPENINGS = {"unanswered": "Not answered yet", "right": "Right", "nearly": "Nearly", "wrong": "Not yet", "hint": "Hint"}
WIDTH = 100  # characters in a line, as many as a cell shows without scrolling


@dataclass(frozen=True, repr=False)
class Feedback:
    """What `check` says to an answer; it shows itself as text.

    `kind` is for programs to read; in `text` a line that begins with a space is kept as it stands; `known` says that
    the sentences are those of a mistake that learners are known to make.

    >>> Feedback("nearly", "The numbers are right, in another order.")
    Nearly. The numbers are right, in another order.
    """

    kind: Kind
    text: str = ""
    known: bool = False

    def __repr__(self) -> str:
        lines = f"{OPENINGS[self.kind]}. {self.text}".strip().splitlines()
        return "\n".join(line if line.startswith(" ") else textwrap.fill(line, WIDTH) for line in lines)


RIGHT = Feedback("right")


def one_line(text: str) -> str:
    """Return a text that was written over several lines as one line, with single blanks."""
    return " ".join(text.split())
