"""What a diagnosis says: findings, each with its cause and its cure, and the numbers recovered from the matrix."""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

WIDTH = 100  # characters in a line of a printed diagnosis


@dataclass(frozen=True)
class Finding:
    """One thing found in a matrix.

    Attributes
    ----------
    code : str
        A short name that stays the same, such as "swapped".
    message : str
        What was found, its likely cause and how to mend it, in sentences.
    kind : {"mistake", "variant", "undecided", "note"}
        "variant": another convention, not a mistake. "undecided": one of several causes that the numbers cannot tell
        apart. "note": what the matrix is too small to show.
    column, row : int or None
        Where it shows first, in the matrix as given; in a transposed one, where it shows once that is transposed.

    Examples
    --------
    >>> Finding("swapped", "Even columns hold cosines.", column=0)
    swapped (mistake, column 0): Even columns hold cosines.
    """

    code: str
    message: str
    kind: str = "mistake"
    column: int | None = None
    row: int | None = None

    def __repr__(self) -> str:
        places = [f"{name} {at}" for name, at in (("row", self.row), ("column", self.column)) if at is not None]
        return f"{self.code} ({', '.join([self.kind, *places])}): {self.message}"


@dataclass(frozen=True)
class Diagnosis:
    """What `diagnose` has found; printed, it is advice.

    Attributes
    ----------
    ok : bool
        True if the matrix is right, or a variant of what is right.
    findings : tuple of Finding
        Empty for a right matrix.
    base, layout, start, scale : float, str, float and float, or None
        As recovered from the numbers; None where they do not show it. `layout` is "interleaved", "halves", or None.
    shape : tuple of int
        The shape of the matrix.

    Examples
    --------
    >>> Diagnosis(ok=True, shape=(3, 4), base=10_000.0, layout="interleaved", start=0.0, scale=1.0)
    This is the sinusoidal encoding: 3 positions from 0, 4 columns, interleaved, base 10000.
    """

    ok: bool
    findings: tuple[Finding, ...] = ()
    base: float | None = None
    layout: str | None = None
    start: float | None = None
    scale: float | None = None
    shape: tuple[int, ...] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the findings, in the order in which they are reported."""
        return tuple(finding.code for finding in self.findings)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    __repr__ = __str__

    def _lines(self) -> Iterator[str]:
        kinds = [finding.kind for finding in self.findings]
        wrong = kinds.count("mistake")
        if self.codes == ("too-small",) and not self.ok:
            yield "It cannot be told what this is:"
        elif not self.findings:
            yield f"This is the sinusoidal encoding: {self._words()}."
        elif "undecided" in kinds:
            maybe = "a variant or a mistake" if self.ok else "a mistake"
            yield f"There is {maybe}, and the numbers are too few to tell the causes apart:"
        elif self.ok:
            yield from textwrap.wrap(f"No mistake: {self._words()}.", WIDTH)
        else:
            yield "One thing to mend:" if wrong == 1 else f"{wrong} things to mend:"
        for finding in self.findings:
            mark = {"mistake": "-", "variant": "- A variant:", "undecided": "- Perhaps:", "note": "- Note:"}[
                finding.kind
            ]
            mark = "-" if finding.code == "too-small" and not self.ok else mark
            yield from textwrap.wrap(f"{mark} {finding.message}", WIDTH, subsequent_indent="  ")

    def _words(self) -> str:
        """Describe the encoding that was recognised."""
        parts = []
        if len(self.shape) == 2:
            first = "" if self.start is None else f" from {self.start:g}"
            parts += [_count(self.shape[0], "position") + first, _count(self.shape[1], "column")]
        parts += [self.layout] if self.layout else []
        parts += [f"base {self.base:.7g}"] if self.base is not None else []
        return ", ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def some(numbers: Iterable[int], most: int = 6) -> str:
    """Write a few whole numbers, and an ellipsis for the rest."""
    written = [str(int(n)) for n in numbers]
    return ", ".join(written[:most]) + (", …" if len(written) > most else "")
