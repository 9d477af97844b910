"""What a diagnosis says: findings, each with its cause and its cure, the numbers recovered, and the recipe as proof.

The sentences stand in causes.toml: for each code what was found, and how to mend it. Where some of these mistakes were
met: jadore801120/attention-is-all-you-need-pytorch#32 and Kyubyong/transformer#27 (the column taken for the pair),
maxjcohen/transformer#62 (own frequencies; base 1000), codertimo/BERT-pytorch#18 (integer division), LoFTR#41
(precedence).
"""

import math
import textwrap
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import islice

import numpy as np

WIDTH = 100  # characters in a line of a printed diagnosis
VARIANTS = {"halves", "cosines-first", "timescales"}  # codes of other conventions
MARKS = {"mistake": "-", "undecided": "- Perhaps:", "variant": "- A variant:", "note": "- Note:"}


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
        apart. "note": what is good to know.
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
    recipe : str or None
        A program that makes this matrix, wrong as it is: nothing but NumPy, and `matrix` at its end. Lines that differ
        from the encoding's are marked. None where nothing was found that gives these numbers.
    rebuilt : ndarray or None
        What the recipe makes.
    within : float or None
        How near that is: the greatest difference among the numbers that it gives.
    explained : float or None
        The share of numbers that it gives, 1 for all: |rebuilt - matrix| <= within.
    lines : tuple of pairs of str
        Each line that differs, and the encoding's, "" where it has no such line.
    what : str
        What the recipe makes: "Your matrix", of a sum "What was added", or "What was added in sentence 0".

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
    recipe: str | None = None
    rebuilt: np.ndarray | None = field(default=None, compare=False)
    within: float | None = None
    explained: float | None = None
    lines: tuple[tuple[str, str], ...] = ()
    what: str = "Your matrix"

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the findings, in the order in which they are reported."""
        return tuple(finding.code for finding in self.findings)

    @property
    def advice(self) -> str:
        """What is said in sentences, without the lines of code."""
        return "\n".join(self._sentences())

    def __str__(self) -> str:
        return "\n".join([*self._sentences(), *self._proof()])

    __repr__ = __str__

    def _sentences(self) -> Iterator[str]:
        kinds = [finding.kind for finding in self.findings]
        wrong = kinds.count("mistake")
        if self.codes == ("too-small",) and not self.ok:
            yield "It cannot be told what this is:"
        elif not self.findings:
            yield f"This is the sinusoidal encoding: {self._words()}."
        elif "undecided" in kinds:
            maybe = (
                "a variant or a mistake" if VARIANTS & {*self.codes} or "left-padding" in self.codes else "a mistake"
            )
            several = "do not tell its causes apart" if kinds.count("undecided") > 1 else "do not quite tell its cause"
            yield f"There is {maybe}, and these numbers {several}:"
        elif self.ok:
            yield from textwrap.wrap(f"No mistake: {self._words()}.", WIDTH)
        else:
            yield "One thing to mend:" if wrong == 1 else f"{wrong} things to mend:"
        for finding in self.findings:
            mark = "-" if self.codes == ("too-small",) and not self.ok else MARKS[finding.kind]
            yield from textwrap.wrap(f"{mark} {finding.message}", WIDTH, subsequent_indent="  ")

    @property
    def nearness(self) -> str:
        """How near the recipe comes, in words: `.within` with one digit, rounded up."""
        if not self.within:
            return "to the last digit"
        unit = 10.0 ** math.floor(math.log10(self.within))
        return f"to within {math.ceil(self.within / unit - 1e-9) * unit:.1g}"

    def _proof(self) -> Iterator[str]:
        """Yield the lines that make the matrix, where they are not simply the encoding's."""
        if not self.lines or self.recipe is None:
            return
        share = min(100 * (self.explained or 0), 99.9)
        rest = "" if self.explained == 1 else f" in {share:.3g} % of its numbers"
        yield f"{self.what} is what this makes{rest}, {self.nearness}:"
        shown = [line.partition("  # ")[0] for line in self.recipe.splitlines()[2:]]
        yield from (f"    {cut(line)}" for line in shown)
        yield "The encoding is:"
        yield from (f"    {right}" if right else f"    (without {cut(wrong, 60)})" for wrong, right in self.lines)

    def _words(self) -> str:
        """Describe the encoding that was recognised."""
        parts = []
        if len(self.shape) == 2:
            first = "" if self.start is None else f" from {self.start:g}"
            parts += [count(self.shape[0], "position") + first, count(self.shape[1], "column")]
        parts += [self.layout] if self.layout else []
        parts += [f"base {self.base:.7g}"] if self.base is not None else []
        return ", ".join(parts)


def count(number: int, what: str) -> str:
    """Write a number of things."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def apart(one: float, other: float, digits: int) -> tuple[str, str]:
    """Write two numbers with so many digits, or as many more as tell them apart."""
    both = f"{one:z.{digits}g}", f"{other:z.{digits}g}"
    return both if both[0] != both[1] or digits > 16 else apart(one, other, digits + 1)


def cut(text: str, most: int = 110) -> str:
    """Cut a long line short."""
    return text if len(text) <= most else text[: most - 2] + " …"


def some(numbers: Iterable[int], most: int = 6) -> str:
    """Write a few whole numbers, and an ellipsis for the rest."""
    first = list(islice(numbers, most + 1))
    return ", ".join(str(int(n)) for n in first[:most]) + (", …" if len(first) > most else "")


@lru_cache(maxsize=1)
def causes() -> dict[str, str]:
    """Return the sentences of each code."""
    return tomllib.loads(files("pe_lib.diagnosis").joinpath("causes.toml").read_text("utf-8"))


def finding(
    code: str, *, kind: str = "", row: int | None = None, column: int | None = None, cause: str = "", **words: object
) -> Finding:
    """Return a finding with its sentences filled in: those of its code, or of another cause."""
    message = causes()[cause or code].format(row=row, column=column, **words).strip()
    return Finding(code, message, kind or ("variant" if code in VARIANTS else "mistake"), column, row)
