"""Lectures out of one text: which slides belong to which deck, what is asked on them, and when each begins."""

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pe_lib import predict
from pe_lib.explorers.prediction import Prediction, read_questions

HERE = Path(__file__).parent
DECKS = (45, 90)  # minutes
MINUTES = re.compile(r"^% (\d+) minutes?(, 90 only)?$\n", re.M)


class Slide(NamedTuple):
    """A slide: its title, its text in MyST, the minute at which it begins, and how many it takes."""

    title: str
    text: str
    begins: int
    minutes: int

    @property
    def vote(self) -> Prediction | None:
        """What is asked on the slide, if anything is."""
        asked = re.search(r"^```\{vote\} (.+)$", self.text, re.M)
        return question(asked[1]) if asked else None

    @property
    def voting(self) -> int:
        """How many minutes the room takes for a show of hands, and for the talk before it where there is one."""
        return bool(self.vote) + ("a minute with the neighbour" in self.notes.lower())

    @property
    def what(self) -> str:
        """What happens, in a few words."""
        if not self.vote:
            return "picture" if "```{explorer}" in self.text else "read aloud"
        right = [*self.vote.choices].index(self.vote.right) + 1
        return f"vote{', with neighbours' * (self.voting > 1)}; right is {right}: {self.vote.right}"

    @property
    def notes(self) -> str:
        """What the speaker reads."""
        return re.search(r"^```\{notes\}\n(.*?)^```$", self.text, re.M | re.S)[1]


@functools.cache
def _own() -> dict:
    return read_questions(HERE / "questions.toml")


def question(name: str) -> Prediction:
    """Return a question of the lectures, or one of the notebooks."""
    return Prediction(**_own()[name]) if name in _own() else predict(name)


def slides(deck: int) -> Iterator[Slide]:
    """Yield the slides of the deck of so many minutes, each with when it begins."""
    begins = 0
    for text in re.split(r"(?m)^(?=##? )", (HERE / "lecture.md").read_text("utf-8"))[1:]:
        minutes, long_only = MINUTES.search(text).groups()
        if long_only and deck < max(DECKS):
            continue
        title, rest = text.split("\n", 1)
        yield Slide(title.lstrip("# "), MINUTES.sub("", rest), begins, int(minutes))
        begins += int(minutes)


def deck(minutes: int) -> str:
    """Return one deck in MyST, each note with the minutes it is spoken in, which the speaker view counts down."""
    told = []
    for number, slide in enumerate(slides(minutes)):
        why = "\n".join(f"{k}. {why}" for k, why in enumerate(slide.vote.choices.values(), 1)) if slide.vote else ""
        notes = f"{slide.notes}\n**Choice by choice**\n\n{why}\n" if why else slide.notes
        timing = f"```{{revealjs-section}}\n:data-timing: {60 * slide.minutes}\n```"
        when = f"**Minute {slide.begins} to {slide.begins + slide.minutes}: {slide.what}.**\n\n"
        text = slide.text.replace(slide.notes, when + notes)
        told.append(f"{'##'[: 1 + bool(number)]} {slide.title}\n\n{timing}\n{text}")
    return "\n".join(told)


def plan(minutes: int) -> str:
    """Return the plan of a deck as a table in MyST."""
    rows = ["| minute | for | | slide | what happens |", "|--:|--:|--:|---|---|"]
    for number, slide in enumerate(slides(minutes), 1):
        rows.append(f"| {slide.begins} | {slide.minutes} | {number} | {slide.title} | {slide.what} |")
    return "\n".join(rows)


def questions(minutes: int) -> str:
    """Return the questions of a deck in MyST, with their choices and room to answer."""
    asked = [slide.vote for slide in slides(minutes) if slide.vote]
    why = '<br>because <i class="blank"></i>'
    return "\n".join(
        f"1. {one.question}\n\n   {'<br>'.join(f'☐ {choice}' for choice in one.choices)}{why}" for one in asked
    )
