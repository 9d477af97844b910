"""A training, step by step: how much is right, how the loss falls, and how the attention of the head grows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pe_lib.experiments import Moment, Run
from pe_lib.network import WORDS
from pe_lib.pictures.colours import BAND, BLUE, GREY, INK, PALE, PAPER, colour_of
from pe_lib.pictures.fields import Field, Integer, State
from pe_lib.pictures.picture import Pane, Picture, Target, evenly, hold, one_line
from pe_lib.pictures.scene import SMALL, TALK, Cells, Element, answer, box, discs, line, text, width_of

LARGEST = 60.0  # the size of the large number
LOSS = (76.0, 136.0, 470.0, 112.0)  # left, top, width, height of the curve
SHARES = (76.0, 322.0, 470.0, 82.0)  # of what the chosen place takes from each
MAP = (700.0, 36.0, 376.0, 376.0)  # and of the attention of all places
TICKS = 426.0  # the height of the numbers below


@dataclass(frozen=True, kw_only=True)
class Trained(Field):
    """A run that records some of its steps."""

    hidden: bool = True

    def check(self, value: Any, state: State) -> Run:
        """Return the run; a new one of 300 steps, with an encoding of this name or kind, where it is none."""
        del state
        run = value if isinstance(value, Run) else Run("sinusoidal" if value is None else value, steps=300)
        if not run.record:
            raise ValueError(f"{self.name} must record some of its steps, got one that records none")
        return run


@dataclass(frozen=True, kw_only=True)
class Step(Integer):
    """One of the steps that a run records: the nearest to what is asked for; where nothing is, the last it has."""

    def check(self, value: Any, state: State) -> int:
        """Return the step."""
        run = state["run"]
        if value is None:
            return int(run.moments[-1].step if run.moments else run.record[0])
        asked = super().check(value, state)
        return int(min(run.record, key=lambda step: abs(step - asked)))

    def control(self, state: State) -> dict[str, Any]:
        """Return a slider over the recorded steps."""
        return super().control(state) | {"kind": "steps", "options": list(state["run"].record)}


class Training(Picture):
    """Show a network at one step of its training. To show a step that is still to come, the run is trained on to it.

    The large number is the share of right answers, in sentences that it is never trained on. The curve is the loss up
    to this step; the dotted line is the loss of one who guesses. On the right stands the attention in the run's
    example, a row for each place that takes and a column for each that is taken from; the marked row is drawn out
    below the curve.

    Parameters
    ----------
    run : Run, str, Encoding or callable, optional
        What is shown; or what encodes positions, as for `Network`, in a new run that learns the word before in 300
        steps: sinusoids unless given.
    step : int, optional
        How many batches the network has learned from: the recorded step that is nearest. Unless given, the last that
        has been recorded.
    place : int
        The row that is drawn out, 0 to `run.length` - 1.

    Raises
    ------
    TypeError, ValueError
        If a value is not as described, or nothing of the run is recorded.

    Examples
    --------
    >>> picture = Training(Run("RoPE", steps=100))
    >>> picture.moment.accuracy < 0.3 < picture.update(step=100).moment.accuracy
    True
    """

    fields: ClassVar = (
        Trained(name="run"),
        Step(
            name="step",
            moves=True,
            least=lambda s: s["run"].record[0],
            greatest=lambda s: s["run"].record[-1],
        ),
        Integer(name="place", default=7, moves=True, greatest=lambda s: s["run"].length - 1, follows=True),
    )
    shown: ClassVar = ("place",)
    play: ClassVar = "step"
    work: ClassVar = "Train"
    presets: ClassVar = {
        "10 steps": {"step": 10},
        "50 steps": {"step": 50},
        "100 steps": {"step": 100},
        "300 steps": {"step": 300},
        "last place": {"place": 31},
    }
    pages: ClassVar = (
        {"step": range(0, 301, 5), "place": (7, 31)},
        {"step": (0, 30, 55, 70, 100, 300), "place": range(32)},
    )

    def __init__(self, run: Any = None, **state: Any) -> None:
        super().__init__(run=run, **state)

    @property
    def moment(self) -> Moment:
        """What is recorded of the chosen step."""
        moment: Moment = self.state["run"].moment_at(self.state["step"])
        return moment

    def words(self) -> str:
        """Say in words what is to be seen."""
        run, moment, row = self.state["run"], self.moment, self._row()
        place, most = self.state["place"], int(row.argmax())
        right = hold(f"Share of right answers {moment.accuracy:.2f}, loss {moment.loss:.2f}")
        found = hold(f"{_word(run, most)} at {most}, a share of {row[most]:.2f}")
        return (
            f"Step {moment.step} of {run.steps} of a training: {_named(run)}, sentences of {run.length} words. "
            f"{right}; guessing gets {run.task.chance:.2f}. "
            f"{_word(run, place)} at place {place} takes most from {found}."
        )

    def lay(self) -> Iterator[Element]:
        """Yield the axes, and what is trained."""
        run, loss, shares, table = self.state["run"], self._loss(), self._shares(), self._map()
        yield text(546, 28, _named(run), SMALL, GREY, "end", most=330)
        for pane, ticks in ((loss, (0, 1, 2)), (shares, (0, 1))):
            for tick in ticks:
                yield line([pane.left, pane.left + pane.wide], [pane.y(tick)] * 2, PALE, 1)
                yield text(pane.left - 10, pane.y(tick), f"{tick}", SMALL, GREY, "end")
        guessed = loss.y(-np.log(run.task.chance))
        yield line([loss.left, loss.left + loss.wide], [guessed, guessed], INK, 1.5, (2, 4))
        yield text(24, loss.top - 14, "loss", SMALL, GREY, "start")
        for step in dict.fromkeys((0, run.steps // 2, run.steps)):
            yield text(loss.x(step), loss.top + loss.high + 15, f"{step}", SMALL, GREY)
        yield box(*MAP, fill=BAND)
        yield text(table.left - 12, 20, "takes", SMALL, GREY, "end")
        for pane in (shares, table):
            yield text(pane.left - 12, TICKS, "from", SMALL, GREY, "end")
            for k in evenly(run.length, 5 if run.length > 5 else run.length):
                yield text(pane.x(k), TICKS, f"{k}", SMALL, GREY)

    def move(self) -> Iterator[Element]:
        """Yield the numbers, the curve up to this step, the attention and its marked row."""
        run, moment, loss = self.state["run"], self.moment, self._loss()
        yield text(24, 28, f"step {moment.step}", align="start", weight="bold")
        seen = [earlier for earlier in run.moments if earlier.step <= moment.step]
        losses = loss.y(np.minimum([earlier.loss for earlier in seen], loss.up[1]))
        steps = loss.x(np.array([earlier.step for earlier in seen]))
        right = f"{moment.accuracy:.2f}"
        beside = 36 + width_of(right, LARGEST, "bold")
        yield from answer(
            text(24, 82, right, LARGEST, align="start", weight="bold"),
            line(steps, losses, BLUE, 2.5),
            discs(steps[-1], losses[-1], 7, PAPER, INK, 2),
            question=[
                text(24, 82, "?", LARGEST, align="start", weight="bold"),
                text(loss.left + loss.wide / 2, loss.top + loss.high / 2, "?", LARGEST),
            ],
        )
        yield text(max(beside, 170), 72, "of the answers are right", align="start")
        yield text(max(beside, 170), 98, f"guessing gets {run.task.chance:.2f}", SMALL, GREY, "start")
        yield from self._attention()

    def _attention(self) -> Iterator[Element]:
        """Yield the attention of all places, and of the marked one: as a row, and drawn out."""
        run, place, row = self.state["run"], self.state["place"], self._row()
        table, pane, most, high = self._map(), self._shares(), int(row.argmax()), MAP[3] / run.length
        taking, given = f"{_word(run, place)} ({place}) takes", _word(run, most)
        slot = pane.wide / run.length
        bars = (
            box(pane.x(k) - 0.4 * slot, pane.y(share), 0.8 * slot, pane.y(0) - pane.y(share), colour_of(share), GREY, 1)
            for k, share in enumerate(row)
        )
        half = width_of(given, TALK) / 2
        over = min(max(table.x(most), table.left + half), table.left + table.wide - half)
        yield text(24, 294, taking, align="start")
        yield from answer(
            Cells(self.moment.attention, MAP),
            text(36 + width_of(taking, TALK), 294, f"{row[most]:.2f}", align="start", weight="bold"),
            text(104 + width_of(taking, TALK), 294, f"from {given} ({most})", align="start"),
            *bars,
            text(over, 18, given),
            question=[text(table.left + table.wide / 2, table.top + table.high / 2, "?", LARGEST)],
        )
        yield line([pane.left, pane.left + pane.wide], [pane.y(0)] * 2, GREY, 1.5)
        yield box(*MAP, edge=GREY, width=1)
        top = table.y(place - 0.5)
        for colour, width in ((PAPER, 5.0), (INK, 2.5)):
            yield box(table.left - 2, top - 1, table.wide + 4, high + 2, edge=colour, width=width)
        yield text(table.left - 12, max(table.y(place), 44), _word(run, place), align="end")

    def targets(self) -> Iterator[Target]:
        """Yield the rows of the attention, and the steps under the curve."""
        run, loss = self.state["run"], self._loss()
        yield Target(MAP, down=("place", range(run.length)))
        yield Target((loss.left, loss.top, loss.wide, loss.high), across=("step", run.record))

    def _row(self) -> np.ndarray:
        """Return what the marked place takes from each."""
        row: np.ndarray = self.moment.attention[self.state["place"]]
        return row

    def _loss(self) -> Pane:
        """Return where the curve is: steps across, loss upward, as far as at first or as one who guesses."""
        run = self.state["run"]
        first = run.moment_at(run.record[0]).loss
        return Pane(*LOSS, (0, run.steps), (0, max(2.2, 1.05 * first, -1.05 * np.log(run.task.chance))))

    def _shares(self) -> Pane:
        """Return where the marked row is drawn out."""
        return Pane(*SHARES, (-0.5, self.state["run"].length - 0.5), (0, 1))

    def _map(self) -> Pane:
        """Return where the attention is: who is taken from across, who takes downward."""
        n = self.state["run"].length
        return Pane(*MAP, (-0.5, n - 0.5), (n - 0.5, -0.5))


def _word(run: Run, place: int) -> str:
    return WORDS[run.example[place]]


def _named(run: Run) -> str:
    return f"{one_line(run.network.encoding.name, 24)}: {run.task.name}"
