"""Networks tried at lengths they were not trained at: a panel for each encoding, and in it a dot for each run."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pe_lib import _checks
from pe_lib.pictures.colours import BAND, GREY, INK
from pe_lib.pictures.fields import Field, Integer, Number, State
from pe_lib.pictures.fonts import width_of
from pe_lib.pictures.panes import Pane, tiles
from pe_lib.pictures.parts import level, number
from pe_lib.pictures.picture import Picture
from pe_lib.pictures.scene import T1, T2, Elements, box, discs, line, text
from pe_lib.pictures.writing import one_line

MOST = 8  # encodings, lengths and runs
FORM = "name → list of runs, each of them length → share"
RESULTS = "For each name what `accuracies` returns: runs with a share for each length, the same lengths everywhere"


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

    Each encoding has a panel. In it every run is a dot, a line goes through the middle ones, and pale lines repeat
    those of the other encodings. The grey ground reaches up to the trained length.

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
    answers: ClassVar = False

    def says(self) -> str:
        """Say which encodings are right most and least often at the greatest length."""
        results = self.state["results"]
        if not results:
            return "No network has been tried yet."
        length = results[0][1][0][-1][0]
        ends = {name: float(np.median(_shares(runs)[:, -1])) for name, runs in results}
        best, worst = max(ends, key=lambda name: ends[name]), min(ends, key=lambda name: ends[name])
        said = (
            f"In sentences of {length:,} words, {one_line(best, 18)} is right in {100 * ends[best]:.0f}% of all answers"
        )
        return f"{said}." if len(ends) == 1 else f"{said}, {one_line(worst, 18)} in {100 * ends[worst]:.0f}%."

    def words(self) -> str:
        s = self.state
        said = [f"Share of right answers; trained at {s['trained']} words, chance {s['chance']:.2f}."]
        for name, runs in s["results"]:
            shares = ", ".join(f"{length} words {ends}" for length, ends in _spread(runs).items())
            said.append(f"{one_line(name, 24)} (runs: {len(runs)}): {shares}.")
        return " ".join(said)

    def lay(self) -> Elements:
        """Yield a panel for each encoding: nothing moves."""
        s, results = self.state, self.state["results"]
        lengths = [length for _, runs in results[:1] for length, _ in runs[0]]
        ends = np.log2([min([s["trained"], *lengths]), max([2 * s["trained"], *lengths])])
        medians = [np.median(_shares(runs), axis=0) for _, runs in results]
        for k, (left, top, wide, high) in enumerate(tiles((36, 0, 1064, 412), len(results) or 1, 0.75)):
            pane = Pane(left + 10, top + 36, wide - 28, high - 68, (ends[0] - 0.25, ends[1] + 0.15), (0, 1))
            yield box(*pane.box[:2], pane.x(np.log2(s["trained"]) + 0.1) - pane.left, pane.high, BAND)
            for share in (0, 0.5, 1):
                yield level(pane, share)
                if left == 36:
                    yield text(pane.left - 8, pane.y(share), number(share), T1, GREY, "end")
            yield level(pane, s["chance"], GREY, 1.5, (2, 4))
            xs, free = pane.x(np.log2(lengths)), -np.inf
            for x, length in zip(xs, lengths, strict=True):
                if x > free:
                    yield text(x, pane.bottom + 18, number(length), T1, GREY)
                    free = x + width_of(number(length), T1) + 12
            if not results:
                continue
            (name, runs), shares = results[k], _shares(results[k][1])
            reach = [*_spread(runs).values()][-1]
            yield from (line(xs, pane.y(other), GREY, 1.5, opacity=0.35) for other in medians)
            yield line(xs, pane.y(medians[k]), INK, 2.5)
            yield discs(xs, pane.y(shares), 4.5, INK, opacity=0.6)
            room = pane.wide - width_of(reach, T2) - 12
            yield text(pane.left, top + 18, one_line(name, 24), T2, INK, "start", "bold", most=room)
            yield text(pane.right, top + 18, reach, T2, INK, "end")
        said = f"words in a sentence, {s['trained']} in training · dotted: guessing, {s['chance']:.2f}"
        yield text(1082, 428, said, T1, GREY, "end")
        yield text(46, 428, "share of right answers, a dot for each run", T1, GREY, "start")


def _shares(runs: Any) -> np.ndarray:
    """Return the shares of all runs at all lengths, shape (runs, lengths)."""
    return np.array([[share for _, share in run] for run in runs])


def _spread(runs: Any) -> dict[int, str]:
    """Return for each length the least and the greatest share, to one decimal, as one number where they agree."""
    shares = _shares(runs)
    ends = [[f"{end:.1f}" for end in pair] for pair in zip(shares.min(axis=0), shares.max(axis=0), strict=True)]
    return {length: "–".join(dict.fromkeys(pair)) for (length, _), pair in zip(runs[0], ends, strict=True)}
