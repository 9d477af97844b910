"""Lectures out of one text: which slides belong to which deck, what is asked on them, and when each begins."""

import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from pe_pictures import predict
from pe_pictures.explorers.prediction import Prediction, read_questions

HERE = Path(__file__).parent
DECKS = (45, 90)  # minutes
TIMES = re.compile(r"^% (\d+: .+)\n", re.M)  # the minutes in each deck: "45: 2.5, 90: 4", or "45: backup, 90: 2"


class Slide(NamedTuple):
    """A slide: its title, its text in MyST, the minute at which it begins, and how many it takes, none as a backup."""

    title: str
    text: str
    begins: float
    minutes: float

    @property
    def vote(self) -> Prediction | None:
        """What is asked on the slide, if anything is."""
        asked = re.search(r"^```\{vote\} (.+)$", self.text, re.M)
        return question(asked[1]) if asked else None

    @property
    def rounds(self) -> int:
        """How often the room votes."""
        return bool(self.vote) + (":rounds: 2" in self.text)

    @property
    def stops(self) -> int:
        """How many more presses of a clicker the slide takes before the next one."""
        if self.vote:
            return 3 + 2 * (self.rounds > 1)
        walked = re.search(r"^```\{steps\} .+\n([^`]+)^```$", self.text, re.M)
        shown = re.findall(r'<[^>]+ class="[^"]*\bfragment\b', self.text)  # line by line
        return len(steps(walked[1].splitlines())) - 1 if walked else len(shown)

    @property
    def what(self) -> str:
        """What happens, in a few words."""
        if not self.vote:
            if said := re.search(r"^% what: (.+)$", self.text, re.M):
                return said[1]
            what = "picture" if "```{steps}" in self.text else "line by line"
            return f"{what}, {self.stops + 1} steps" if self.stops else "read aloud"
        right = [*self.vote.choices].index(self.vote.right) + 1
        return f"vote{', talk, vote again' * (self.rounds > 1)}; {right} is right: {self.vote.right}"

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


def steps(lines: Iterable[str]) -> list[tuple[str, str]]:
    """Return the state and the caption of each line.

    >>> steps(["position=6 | Six words on.", "position=7"])
    [('position=6', 'Six words on.'), ('position=7', '')]
    """
    cut = [line.partition("|") for line in lines if line.strip()]
    return [(state.strip(), said.strip()) for state, _, said in cut]


def clock(minutes: float) -> str:
    """Write minutes as a clock that is started with the lecture.

    >>> clock(7.5)
    '7:30'
    """
    return f"{int(minutes)}:{round(60 * minutes) % 60:02}"


def slides(deck: int) -> Iterator[Slide]:
    """Yield the slides of the deck of so many minutes, each with when it begins; its backups come last."""
    begins, backups = 0.0, []
    for text in re.split(r"(?m)^(?=##? )", (HERE / "lecture.md").read_text("utf-8"))[1:]:
        minutes = dict(part.split(": ") for part in TIMES.search(text)[1].split(", ")).get(str(deck))
        title, rest = text.split("\n", 1)
        if minutes == "backup":
            backups.append(Slide(title.lstrip("# "), TIMES.sub("", rest), float(deck), 0.0))
        elif minutes:
            yield Slide(title.lstrip("# "), TIMES.sub("", rest), begins, float(minutes))
            begins += float(minutes)
    yield from backups


def deck(minutes: int) -> str:
    """Return one deck in MyST, each note with the minutes it is spoken in, which the speaker view counts down."""
    told = []
    for number, slide in enumerate(slides(minutes)):
        why = "\n".join(f"{k}. {why}" for k, why in enumerate(slide.vote.choices.values(), 1)) if slide.vote else ""
        notes = f"{slide.notes}\n**Choice by choice**\n\n{why}\n" if why else slide.notes
        timing = f"```{{revealjs-section}}\n:data-timing: {round(60 * slide.minutes)}\n```"
        when = f"{clock(slide.begins)} to {clock(slide.begins + slide.minutes)}" if slide.minutes else "Backup"
        when = f"**{when}: {slide.what}.**\n\n"
        text = slide.text.replace(slide.notes, when + notes)
        told.append(f"{'##'[: 1 + bool(number)]} {slide.title}\n\n{timing}\n{text}")
    return "\n".join(told)


def paper(minutes: int) -> str:
    """Return one deck in MyST as it is printed: slides alone, all of one rank."""
    return "\n".join(f"## {slide.title}\n\n{slide.text}" for slide in slides(minutes))


def plan(minutes: int) -> str:
    """Return the plan of a deck as a table in MyST."""
    rows = ["| begins | for | slide | | what happens | presses |", "|--:|--:|--:|---|---|--:|"]
    for number, slide in enumerate(slides(minutes), 1):
        times = f"{clock(slide.begins)} | {clock(slide.minutes)}" if slide.minutes else "backup | "
        rows.append(f"| {times} | {number} | {slide.title} | {slide.what} | {slide.stops + 1} |")
    return "\n".join(rows)


def questions(minutes: int) -> str:
    """Return the questions of a deck in MyST, with their choices and room to answer."""
    asked = [slide.vote for slide in slides(minutes) if slide.vote and slide.minutes]
    why = '<br>because <i class="blank"></i>'
    return "\n".join(
        f"1. {one.question}\n\n   {'<br>'.join(f'☐ {choice}' for choice in one.choices)}{why}" for one in asked
    )


def answers(minutes: int) -> str:
    """Return the right choices of a deck in MyST, in order."""
    asked = [slide.vote for slide in slides(minutes) if slide.vote and slide.minutes]
    return "\n".join(
        f"1. **{[*one.choices].index(one.right) + 1}, {one.right}**<br>{one.choices[one.right]}" for one in asked
    )
