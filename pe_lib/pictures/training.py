"""A training, step by step: how much is right, how the loss falls, and how the attention of the head grows."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pe_lib.experiments import Moment, Run
from pe_lib.network import WORDS
from pe_lib.pictures.cells import Cells
from pe_lib.pictures.colours import BAND, BLUE, GREY, INK, PAPER
from pe_lib.pictures.fields import Field, Integer, State
from pe_lib.pictures.panes import Pane, cell, grid
from pe_lib.pictures.parts import asked, below, beside, equation, framed, level, share_bars
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, TALK, Elements, answer, box, discs, line, text
from pe_lib.pictures.writing import evenly, hold, one_line

LARGEST = 60.0  # the size of the large number
LOSS = (76.0, 136.0, 470.0, 112.0)  # left, top, width, height of the curve
SHARES = (76.0, 322.0, 470.0, 82.0)  # of what the chosen place takes from each
MAP = (700.0, 36.0, 376.0, 376.0)  # and of the attention of all places
TICKS = 426.0  # the height of the numbers below
STEP = "How many batches the network has learned from: the recorded step that is nearest, the last one unless given"


@dataclass(frozen=True)
class Trained(Field):
    """A run that records some of its steps."""

    kind: ClassVar = "Run, str, Encoding or callable"
    hidden: bool = True

    def check(self, value: Any, _state: State) -> Run:
        """Return the run; a new one of 300 steps, with an encoding of this name or kind, where it is none."""
        run = value if isinstance(value, Run) else Run("sinusoidal" if value is None else value, steps=300)
        if not run.record:
            raise ValueError(f"{self.name} must record some of its steps, got one that records none")
        return run


@dataclass(frozen=True)
class Step(Integer):
    """One of the steps that a run records: the nearest to what is asked for; where nothing is, the last it has."""

    def check(self, value: Any, state: State) -> int:
        """Return the step."""
        run = state["run"]
        if value is None:
            return int(run.moments[-1].step if run.moments else run.record[0])
        wanted = super().check(value, state)
        return int(min(run.record, key=lambda step: abs(step - wanted)))

    def control(self, state: State) -> dict[str, Any]:
        """Return a slider over the recorded steps."""
        return super().control(state) | {"kind": "steps", "options": list(state["run"].record)}


class Training(Picture):
    """Show a network at one step of its training. To show a step that is still to come, the run is trained on to it.

    The large number is the share of right answers, in sentences that it is never trained on. The curve is the loss up
    to this step; the dotted line is the loss of one who guesses. On the right stands the attention in the run's
    example, a row for each place that takes and a column for each that is taken from; the marked row is drawn out
    below the curve.

    {parameters}

    Examples
    --------
    >>> picture = Training(Run("RoPE", steps=100))
    >>> picture.moment.accuracy < 0.3 < picture.update(step=100).moment.accuracy
    True
    """

    fields: ClassVar = (
        Trained("run", about="A run, or what encodes positions in a new one of 300 steps; sinusoids unless given"),
        Step("step", None, lambda s: s["run"].record[0], lambda s: s["run"].record[-1], moves=True, about=STEP),
        Integer("place", 7, 0, lambda s: s["run"].length - 1, moves=True, follows="run", about="The row drawn out"),
    )
    shown: ClassVar = ("place",)
    play: ClassVar = "step"
    work: ClassVar = "Train"
    presets: ClassVar = {
        **{f"{n} steps": {"step": n} for n in (10, 50, 100, 300)},
        "last place": {"step": 300, "place": 31},
    }
    pages: ClassVar = (
        {"step": range(0, 301, 5), "place": (7, 31)},
        {"step": (0, 30, 55, 70, 100, 300), "place": range(32)},
    )

    @property
    def moment(self) -> Moment:
        """What is recorded of the chosen step."""
        moment: Moment = self.state["run"].moment_at(self.state["step"])
        return moment

    def words(self) -> str:
        run, place, moment = self.state["run"], self.state["place"], self.moment
        row = moment.attention[place]
        most = int(row.argmax())
        right = hold(f"Share of right answers {moment.accuracy:.2f}, loss {moment.loss:.2f}")
        found = hold(f"{_word(run, most)} at {most}, a share of {row[most]:.2f}")
        return (
            f"Step {moment.step} of {run.steps} of a training: {_named(run)}, sentences of {run.length} words. "
            f"{right}; guessing gets {run.task.chance:.2f}. "
            f"{_word(run, place)} at place {place} takes most from {found}."
        )

    def lay(self) -> Elements:
        """Yield the axes, and what is trained."""
        run, (loss, shares, table) = self.state["run"], self._panes()
        yield text(546, 28, _named(run), SMALL, GREY, "end", most=330)
        for pane, numbers in ((loss, (0, 1, 2)), (shares, (0, 1))):
            yield from (level(pane, number) for number in numbers)
            yield from beside(pane, numbers, 10)
        yield level(loss, -np.log(run.task.chance), INK, 1.5, (2, 4))
        yield text(24, loss.top - 14, "loss", SMALL, GREY, "start")
        yield from below(loss, dict.fromkeys((0, run.steps // 2, run.steps)), loss.bottom + 15)
        yield box(*MAP, fill=BAND)
        yield text(table.left - 12, 20, "takes", SMALL, GREY, "end")
        for pane in (shares, table):
            yield from below(pane, evenly(run.length, 5), TICKS, "from")

    def move(self) -> Elements:
        """Yield the numbers, the curve up to this step, the attention and its marked row."""
        run, moment, loss = self.state["run"], self.moment, self._panes()[0]
        yield text(24, 28, f"step {moment.step}", align="start", weight="bold")
        yield from asked(24, 82, f"{moment.accuracy:.2f}", LARGEST, INK, "start", "bold")
        yield text(184, 72, "of the answers are right", align="start")
        yield text(184, 98, f"guessing gets {run.task.chance:.2f}", SMALL, GREY, "start")
        seen = [earlier for earlier in run.moments if earlier.step <= moment.step]
        losses = loss.y(np.minimum([earlier.loss for earlier in seen], loss.up[1]))
        steps = loss.x(np.array([earlier.step for earlier in seen]))
        curve = line(steps, losses, BLUE, 2.5), discs(steps[-1], losses[-1], 7, PAPER, INK, 2)
        yield from answer(*curve, question=[text(*loss.middle, "?", LARGEST)])
        yield from self._attention()

    def _attention(self) -> Elements:
        """Yield the attention of all places, and of the marked one: as a row, and drawn out."""
        run, place, (_, pane, table) = self.state["run"], self.state["place"], self._panes()
        row = self.moment.attention[place]
        most = int(row.argmax())
        given = _word(run, most)
        taken = f"{row[most]:.2f} from {given} ({most})"
        yield from equation(24, 294, f"{_word(run, place)} ({place}) takes ", taken, TALK)
        yield from answer(
            Cells(self.moment.attention, MAP),
            *share_bars(pane, row, 0.8),
            text(table.x(most), 18, given, within=(table.left, table.right)),
            question=[text(*table.middle, "?", LARGEST)],
        )
        yield level(pane, 0, GREY, 1.5)
        yield box(*MAP, edge=GREY, width=1)
        _, top, _, high = cell(table, place, 0)
        yield from framed((table.left - 2, top - 1, table.wide + 4, high + 2), colour=INK, width=2.5)
        yield text(table.left - 12, max(table.y(place), 44), _word(run, place), align="end")

    def targets(self) -> Targets:
        """Yield the rows of the attention, and the steps under the curve."""
        run = self.state["run"]
        yield Target(MAP, down=("place", range(run.length)))
        yield Target(LOSS, across=("step", run.record))

    def _panes(self) -> tuple[Pane, Pane, Pane]:
        """Return where the loss is, as high as at first or for one who guesses; the marked row; and all attention."""
        run = self.state["run"]
        most = max(2.2, 1.05 * run.moment_at(run.record[0]).loss, -1.05 * np.log(run.task.chance))
        table = grid(MAP, range(run.length), range(run.length))
        return Pane(*LOSS, (0, run.steps), (0, most)), Pane(*SHARES, table.across, (0, 1)), table


def _word(run: Run, place: int) -> str:
    return WORDS[run.example[place]]


def _named(run: Run) -> str:
    return f"{one_line(run.network.encoding.name, 24)}: {run.task.name}"
