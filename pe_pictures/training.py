"""A training, step by step: how the attention of the head grows, how the loss falls, and how much is right."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pe_lib.experiments import CHANCE, Moment, Run, train
from pe_lib.network import WORDS
from pe_pictures.cells import Cells
from pe_pictures.colours import GREY, HERE, INK
from pe_pictures.fields import Field, Integer, State
from pe_pictures.panes import Pane, cell, grid
from pe_pictures.parts import below, beside, dot, level
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import CORNER, T1, T2, T3, Elements, answer, box, line, text
from pe_pictures.writing import evenly, here, hold, one_line

STEPS = 200  # of a new run
STEP = "How many batches the network has learned from: the recorded step that is nearest, the last one unless given"
ROW = "The marked row"


@lru_cache(maxsize=4)
def _trained(encoding: str) -> Run:
    """Return a run that is trained to its end."""
    return train(Run(encoding, steps=STEPS))


@dataclass(frozen=True)
class Trained(Field):
    """A run that records some of its steps."""

    kind: ClassVar = "Run, str, Encoding or callable"
    hidden: bool = True

    def check(self, value: Any, _state: State) -> Run:
        """Return the run; where it is none, a new one of 200 steps with an encoding of this name or kind, trained."""
        if value is None or isinstance(value, str):
            return _trained(value or "sinusoidal")
        run = value if isinstance(value, Run) else train(Run(value, steps=STEPS))
        if not run.record:
            raise ValueError(f"{self.name} must record some of its steps, got one that records none")
        return run


@dataclass(frozen=True)
class Step(Integer):
    """One of the steps that a run records: the nearest to what is asked for; where nothing is, the last it has."""

    def check(self, value: Any, state: State) -> int:
        run = state["run"]
        if value is None:
            return int(run.moments[-1].step if run.moments else run.record[0])
        wanted = super().check(value, state)
        return int(min(run.record, key=lambda step: abs(step - wanted)))

    def control(self, state: State) -> dict[str, Any]:
        return super().control(state) | {"kind": "steps", "options": list(state["run"].record)}


class Training(Picture):
    """Watch a head learn: a network at one step of its training, which a run is trained on to where it must be.

    The map is the attention in the run's example, a row for each position that takes and a column for each that it
    takes from: the more, the darker. The curve is the loss; the dashed line is the loss of one who guesses. Right
    answers are counted in sentences that it is never trained on.

    {parameters}

    Examples
    --------
    >>> picture = Training(Run("RoPE", steps=100))
    >>> picture.moment.accuracy < 0.3 < picture.update(step=100).moment.accuracy
    True
    """

    fields: ClassVar = (
        Trained("run", about="A run, or what encodes positions in a new one of 200 steps; sinusoids unless given"),
        Step("step", None, lambda s: s["run"].record[0], lambda s: s["run"].record[-1], moves=True, about=STEP),
        Integer("place", 7, 0, lambda s: s["run"].length - 1, moves=True, follows="run", label="position", about=ROW),
    )
    shown: ClassVar = ("place",)
    play: ClassVar = "step"
    up_down: ClassVar = "place"
    work: ClassVar = "Train"
    presets: ClassVar = {
        "noise": {"step": 0},
        **{f"{n} steps": {"step": n} for n in (40, 60, 100)},
        "the end": {"step": STEPS},
        "last position": {"place": 31},
    }
    pages: ClassVar = (
        {"step": range(0, 201, 4), "place": (7, 31)},
        {"step": (0, 40, 60, 100, 200), "place": range(32)},
    )
    question: ClassVar = "Watch a head learn where to look"

    @property
    def moment(self) -> Moment:
        """What is recorded of the chosen step."""
        return self.state["run"].moment_at(self.state["step"])

    def says(self) -> str:
        run, place, moment = self.state["run"], self.state["place"], self.moment
        row = moment.attention[place]
        most = int(row.argmax())
        step, much = here(f"{moment.step}"), hold(f"{100 * row[most]:.0f}%")
        source = hold("itself" if most == place else f"“{_word(run, most)}”, {_way(place - most)}")
        takes, right = f"“{_word(run, place)}” takes {much} from {source}", hold(f"{100 * moment.accuracy:.0f}%")
        if moment.step == 0:
            return f"Step {step}, nothing learned: {takes}; {right} are right."
        if moment.step == run.steps:
            return f"After all {step} steps {takes}; {right} are right."
        return f"After step {step}, {takes}; {right} are right."

    def words(self) -> str:
        run, place, moment = self.state["run"], self.state["place"], self.moment
        row = moment.attention[place]
        most = int(row.argmax())
        right = hold(f"Share of right answers {moment.accuracy:.2f}, loss {moment.loss:.2f}")
        found = hold(f"{_word(run, most)} at {most}, an attention weight of {row[most]:.2f}")
        return (
            f"Step {moment.step} of {run.steps} of a training: {_named(run)}, sentences of {run.length} words. "
            f"{right}; guessing gets {CHANCE:.2f}. "
            f"{_word(run, place)} at position {place} takes most from {found}."
        )

    def lay(self) -> Elements:
        run, (table, loss) = self.state["run"], self._panes
        yield from below(table, evenly(run.length, 5), table.bottom + (20 if self.tall else 16))
        yield from beside(loss, (0, 1, 2), 10)
        yield from (level(loss, number) for number in (0, 1, 2))
        yield level(loss, -np.log(CHANCE), GREY, 1.5, (4, 4))
        numbers = dict.fromkeys((0, run.steps // 2, run.steps))
        yield from below(loss, numbers, loss.bottom + (22 if self.tall else 18))
        y = loss.top - (24 if self.tall else 12)
        yield text(loss.left, y, "loss", T1, GREY, "start")
        yield text(loss.right, y, _named(run), T1, GREY, "end", most=loss.wide - 80)

    def move(self) -> Elements:
        run, place, moment, (table, loss) = self.state["run"], self.state["place"], self.moment, self._panes
        row = moment.attention[place]
        most = int(row.argmax())
        yield from answer(Cells(moment.attention, table.box, shares=True))
        _, top, _, high = cell(table, place, 0)
        yield box(table.left - 2, top - 1, table.wide + 4, high + 2, edge=HERE, width=2, radius=CORNER)
        seen = [earlier for earlier in run.moments if earlier.step <= moment.step]
        losses = loss.y(np.minimum([earlier.loss for earlier in seen], loss.up[1]))
        steps = loss.x(np.array([earlier.step for earlier in seen]))
        yield from answer(
            line(steps, losses, INK, 2.5), dot(steps[-1], losses[-1]),
            text(table.x(most), table.top - (20 if self.tall else 16), _word(run, most), T2, INK, "middle", "bold",
                 within=(table.left, table.right)),
        )  # fmt: skip
        right, guess = f"{100 * moment.accuracy:.0f}% right", f"{100 * CHANCE:.0f}% by guessing"
        if self.tall:
            wide, down = self.size[0], self.size[1] - 18
            yield text(0, table.top - 20, _word(run, place), T2, HERE, "start", "bold", most=table.left - 8)
            yield from answer(text(wide, down, right, T3, INK, "end", "bold"))
            yield text(0, down, guess, T1, GREY, "start")
        else:
            y = min(max(table.y(place), table.top + 6), table.bottom - 6)
            yield text(table.left - 12, y, _word(run, place), T2, HERE, "end", "bold")
            yield from answer(text(0, loss.top + 16, right, T3, INK, "start", "bold"))
            yield text(0, loss.top + 46, guess, T1, GREY, "start", most=loss.left - 24)

    def targets(self) -> Targets:
        run, (table, loss) = self.state["run"], self._panes
        yield Target(table.box, down=("place", range(run.length)))
        yield Target(loss.box, across=("step", run.record))

    def axis(self) -> tuple[float, float]:
        loss = self._panes[1]
        return loss.left, loss.right

    @property
    def _panes(self) -> tuple[Pane, Pane]:
        """Where the attention is, and the loss, as high as at first or for one who guesses."""
        run = self.state["run"]
        most = max(2.2, 1.05 * run.moment_at(run.record[0]).loss, -1.05 * np.log(CHANCE))
        map_at, loss_at = (
            ((96, 48, 404, 440), (84, 566, 416, 96)) if self.tall else ((160, 34, 920, 262), (160, 344, 920, 66))
        )
        places = range(run.length)
        return grid(map_at, places, places), Pane(*loss_at, (0, run.steps), (0, most))


def _word(run: Run, place: int) -> str:
    return WORDS[run.example[place]]


def _way(back: int) -> str:
    """Say how far before a position another lies."""
    return "the word before" if back == 1 else f"{back} back" if back > 0 else f"{-back} ahead"


def _named(run: Run) -> str:
    back = "the word before" if run.words_back == 1 else f"the word {run.words_back} positions before"
    return f"{one_line(run.network.encoding.name, 24)}: {back}"
