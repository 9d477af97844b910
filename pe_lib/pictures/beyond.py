"""Networks tried at lengths they were not trained at: the share of right answers, with every run drawn."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pe_lib import _checks
from pe_lib.pictures.colours import BAND, BLUE, GREEN, GREY, INK, ORANGE, PURPLE
from pe_lib.pictures.fields import Field, Integer, Number, State
from pe_lib.pictures.fonts import width_of
from pe_lib.pictures.panes import Pane
from pe_lib.pictures.parts import level
from pe_lib.pictures.picture import Picture
from pe_lib.pictures.scene import SMALL, TALK, Elements, box, discs, line, text
from pe_lib.pictures.writing import one_line

MOST = 8  # encodings, lengths and runs
FORM = "name → list of runs, each of them length → share"
RESULTS = "For each name what `accuracies` returns: runs with a share for each length, the same lengths everywhere"
COLOURS = (ORANGE, BLUE, GREEN, PURPLE, INK, GREY)  # of further encodings again, with dashes
BESIDE = 7.0  # pixels from the dots of one encoding to those of the next
APART = 28.0  # from one name to the next
NAMES, SIZE = 806.0, 20.0  # where the names begin, and their size


@dataclass(frozen=True)
class Results(Field):
    """For each name the runs, and for each run the share of right answers at each length; lengths are the same ones."""

    kind: ClassVar = "mapping of str to list of dict"
    default: Any = ()
    hidden: bool = True

    def check(self, value: Any, _state: State) -> tuple[Any, ...]:
        """Return the results as pairs of a name and its runs, each of them pairs of a length and a share."""
        try:
            found = {str(name): [dict(run) for run in runs] for name, runs in dict(value).items()}
        except (TypeError, ValueError) as trouble:
            raise TypeError(f"{self.name} must be a mapping {FORM}, got {_checks.shown(value)}") from trouble
        lengths = {tuple(sorted(run)) for runs in found.values() for run in runs}
        sizes = [len(found), *map(len, found.values()), *map(len, lengths)]
        if len(lengths) > 1 or (found and not min(sizes)) or max(sizes) > MOST:
            allowed = f"at most {MOST} names, runs and lengths, and the same lengths everywhere"
            raise ValueError(f"{self.name} must have {allowed}, got {_checks.shown(value)}")
        for length, share in (pair for runs in found.values() for run in runs for pair in run.items()):
            _checks.integer("length", length, at_least=1)
            if not 0 <= _checks.finite_number("share", share) <= 1:
                raise ValueError(f"share must lie between 0 and 1, got {share}")
        return tuple((name, tuple(tuple(sorted(run.items())) for run in runs)) for name, runs in found.items())


class Beyond(Picture):
    """Show how often networks are right in sentences of other lengths than they were trained at.

    Every run is a dot, a bar goes from the worst of an encoding to the best, and a line through the middle ones.

    {parameters}

    Examples
    --------
    >>> Beyond({"none": [{32: 0.27, 64: 0.21}, {32: 0.28, 64: 0.19}]})
    Share of right answers; trained at 32 words, chance 0.08. none (runs: 2): 32 words 0.3, 64 words 0.2.
    """

    fields: ClassVar = (
        Results("results", about=RESULTS),
        Integer("trained", 32, 1, 4096, about="The length of the sentences in training"),
        Number("chance", 1 / 12, 0.0, 1.0, about="The share that guessing gets"),
    )
    height: ClassVar = 400.0
    answers: ClassVar = False

    def words(self) -> str:
        s = self.state
        said = [f"Share of right answers; trained at {s['trained']} words, chance {s['chance']:.2f}."]
        for name, runs in s["results"]:
            shares = ", ".join(f"{length} words {ends}" for length, ends in _spread(runs).items())
            said.append(f"{one_line(name, 24)} (runs: {len(runs)}): {shares}.")
        return " ".join(said)

    def lay(self) -> Elements:
        """Yield everything: nothing moves."""
        s, lengths = self.state, [length for _, runs in self.state["results"][:1] for length, _ in runs[0]]
        ends = min([s["trained"], *lengths]), max([2 * s["trained"], *lengths])
        pane = Pane(84, 62, 650, 268, (np.log2(ends[0]) - 0.35, np.log2(ends[1]) + 0.2), (0, 1))
        trained = pane.x(np.log2(s["trained"]) + 0.12)
        yield box(pane.left, pane.top, trained - pane.left, pane.high, BAND)
        yield text(24, 24, "share of right answers, every run a dot", SMALL, GREY, "start")
        yield text(pane.left, 46, f"trained at {s['trained']}", SMALL, GREY, "start")
        for share in (0, 0.5, 1):
            yield level(pane, share)
            yield text(pane.left - 12, pane.y(share), f"{share}", align="end")
        yield level(pane, s["chance"], INK, 1.5, (2, 4))
        free = -np.inf
        for length in lengths:
            x = pane.x(np.log2(length))
            if x > free:
                yield text(x, 356, f"{length}")
                free = x + width_of(f"{length}", TALK) + 8
        yield text(pane.right, 384, "words in a sentence", SMALL, GREY, "end")
        yield from self._lines(pane)

    def _lines(self, pane: Pane) -> Elements:
        """Yield the runs of every encoding, and its name where they end."""
        results, chance = self.state["results"], self.state["chance"]
        ends = [pane.y(np.median(_shares(runs)[:, -1])) for _, runs in results] + [pane.y(chance)]
        places = _apart(ends)
        for k, (name, runs) in enumerate(results):
            colour, dash = COLOURS[k % len(COLOURS)], (9, 5) if k >= len(COLOURS) else ()
            shares = _shares(runs)  # (runs, lengths)
            xs = pane.x(np.log2([length for length, _ in runs[0]])) + BESIDE * (k - (len(results) - 1) / 2)
            yield line(xs, pane.y(np.median(shares, axis=0)), colour, 2.5, dash)
            yield line(np.c_[xs, xs], pane.y(np.c_[shares.min(axis=0), shares.max(axis=0)]), colour, 5)
            yield discs(xs, pane.y(shares), 4, colour)
            yield line([xs[-1] + 8, NAMES - 8], [ends[k], places[k]], colour, 1)
            said = [*_spread(runs).values()][-1]
            room = 1080 - NAMES - width_of(f"  {said}", SIZE, "bold")
            yield text(NAMES, places[k], one_line(name, 24), SIZE, colour, "start", "bold", most=room)
            yield text(1084, places[k], said, SIZE, colour, "end", "bold")
        yield line([pane.right, NAMES - 8], [ends[-1], places[-1]], GREY, 1)
        yield text(NAMES, places[-1], "chance", SMALL, GREY, "start")
        yield text(1084, places[-1], f"{chance:.2f}", SMALL, GREY, "end")


def _shares(runs: Any) -> np.ndarray:
    """Return the shares of all runs at all lengths, shape (runs, lengths)."""
    return np.array([[share for _, share in run] for run in runs])


def _spread(runs: Any) -> dict[int, str]:
    """Return for each length the least and the greatest share, to one decimal, as one number where they agree."""
    shares = _shares(runs)
    ends = [[f"{end:.1f}" for end in pair] for pair in zip(shares.min(axis=0), shares.max(axis=0), strict=True)]
    return {length: "–".join(dict.fromkeys(pair)) for (length, _), pair in zip(runs[0], ends, strict=True)}


def _apart(heights: list[float]) -> list[float]:
    """Return places for names as near as can be to these heights, in the same order and apart from each other."""
    order, placed = np.argsort(heights, kind="stable"), np.array(heights, float)
    least = 76.0
    for left, k in zip(range(len(order) - 1, -1, -1), order, strict=True):  # downward, with room for those to come
        placed[k] = min(max(placed[k], least), 384.0 - APART * left)
        least = placed[k] + APART
    return [float(place) for place in placed]
