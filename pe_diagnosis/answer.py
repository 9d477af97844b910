"""`diagnose`: the programs that make a matrix, and what they say of it in plain English."""

import math
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pe_diagnosis import limits
from pe_diagnosis.catalogue import Entry, choices
from pe_diagnosis.measure import may_turn, spread, turns, wrap
from pe_diagnosis.program import MADE, Program, cheapest, differing, evaluated, recipe
from pe_diagnosis.reading import read_table
from pe_diagnosis.rounding import Storage
from pe_diagnosis.search import Search
from pe_diagnosis.structure import damaged_programs, in_words, joined, made_of_smaller
from pe_diagnosis.views import usual_programs
from pe_lib import _checks
from pe_lib.encoding import BASE

WIDTH = 100  # characters in a line of a printed diagnosis
DIGITS = {"float16": 3, "bfloat16": 2}  # that the small types hold
MARKS = {"mistake": "-", "undecided": "- Perhaps:", "variant": "- A variant:", "unresolved": "-", "note": "- Note:"}


@dataclass(frozen=True)
class Finding:
    """One thing found in a matrix.

    Attributes
    ----------
    code : str
        A short name that stays the same, such as "swapped".
    message : str
        What was found, and how to fix it, in sentences.
    kind : {"mistake", "variant", "undecided", "unresolved", "note"}
        "variant": another convention, not a mistake. "undecided": one of several causes that the numbers can't tell
        apart. "unresolved": no program is known that makes the numbers. "note": what is good to know.
    goes_on : bool
        Whether it belongs to the undecided cause before it.

    Examples
    --------
    >>> Finding("swapped", "Even columns hold cosines.")
    swapped (mistake): Even columns hold cosines.
    """

    code: str
    message: str
    kind: str = "mistake"
    goes_on: bool = False

    def __repr__(self) -> str:
        return f"{self.code} ({self.kind}): {self.message}"


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
        As recovered from the numbers; None where they don't show it. `layout` is "interleaved", "halves", or None.
    shape : tuple of int
        The shape of the matrix.
    recipe : str or None
        A program that makes this matrix, wrong as it is: nothing but NumPy, and `matrix` at its end. Lines that differ
        from the encoding's are marked. None where nothing was found that makes these numbers.
    rebuilt : ndarray or None
        What the recipe makes.
    within : float or None
        How near that is: the greatest difference among the numbers that it makes.
    explained : float or None
        The share of numbers that it makes, 1 for all: |rebuilt - matrix| <= within.
    lines : tuple of pairs of str
        Each line that differs, and the encoding's, "" where it has no such line.
    what : str
        What the recipe makes: "Your matrix", or of a sum "What was added".

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
        """The codes of the findings, in the order in which they are told."""
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
        if "unresolved" in kinds:
            yield "Unresolved: no program in the catalogue produces these numbers."
        elif not self.findings:
            yield f"This is the sinusoidal encoding: {self._words()}."
        elif "undecided" in kinds:
            causes = sum(one.kind == "undecided" and not one.goes_on for one in self.findings)
            yield f"These numbers do not tell {causes} causes apart:"
        elif self.ok:
            yield from textwrap.wrap(f"No mistake: {self._words()}.", WIDTH)
        else:
            yield "One thing to fix:" if wrong == 1 else f"{wrong} things to fix:"
        for finding in self.findings:
            mark = " " if finding.goes_on else MARKS[finding.kind]
            yield from textwrap.wrap(f"{mark} {finding.message}", WIDTH, subsequent_indent="  ")

    @property
    def nearness(self) -> str:
        """How near the recipe comes, in words: `.within` with one digit, rounded up."""
        if not self.within:
            return "to the last digit"
        unit = 10.0 ** math.floor(math.log10(self.within))
        return f"to within {math.ceil(self.within / unit - 1e-3) * unit:.1g}"

    def _proof(self) -> Iterator[str]:
        """Yield the lines that make the matrix, where they aren't simply the encoding's."""
        if not self.lines or self.recipe is None:
            return
        share = min(100 * (self.explained or 0), 99.9)
        rest = "" if self.explained == 1 else f" in {share:.3g} % of its numbers"
        yield f"{self.what} is what this makes{rest}, {self.nearness}:"
        yield from (f"    {cut(line.partition('  # ')[0])}" for line in self.recipe.splitlines()[2:])
        yield "It should be:"
        yield from (f"    {right}" if right else f"    (without {cut(wrong, 60)})" for wrong, right in self.lines)

    def _words(self) -> str:
        """Describe the encoding that was recognised."""
        parts = []
        if len(self.shape) >= 2:
            first = "" if self.start is None else f" from {self.start:g}"
            parts += [count(self.shape[-2], "position") + first, count(self.shape[-1], "column")]
        parts += [self.layout] if self.layout else []
        parts += [f"base {self.base:.7g}"] if self.base is not None else []
        return ", ".join(parts)


def count(number: int, what: str) -> str:
    """Write a number of things."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def cut(text: str, most: int = 110) -> str:
    """Cut a long line short."""
    return text if len(text) <= most else text[: most - 2] + " …"


def diagnose(matrix: ArrayLike | str, *, base: float = BASE) -> Diagnosis:
    """Say whether a matrix is a sinusoidal positional encoding, and if not, what went wrong and how to fix it.

    It knows the encodings that one or two lines of its catalogue make, whole or damaged in one way, from three
    positions and four columns on, given with four decimals or digits or more. Lines of layout, frequencies and base it
    knows from any whole first position up to 5,000, and encodings in wide use up to 300,000; lines of angles or values
    only next to layouts and frequencies in wide use, from position 0 or 1, with the base asked for. Two lines, for
    every other column or for both halves, are told apart where each has three columns, and three frequencies if base,
    step or start differ. Beyond that it may name a cause, and need not. It names no cause that the numbers don't need;
    where two programs of equal cost make them, it tells both; where none does, it says *unresolved*, with what it could
    measure.

    Parameters
    ----------
    matrix : array_like of shape (L, d_model), or str
        The encoding, a row for each position: an array, a list, a tensor; also of shape (1, L, d_model) or
        (L, 1, d_model), as modules keep it. A text is read by `read_table`.
    base : float
        The base it is meant to have.

    Returns
    -------
    Diagnosis
        With `.ok`, `.findings`, and `.base`, `.layout`, `.start` and `.scale` as recovered from the numbers; `.recipe`
        makes this very matrix. Printed, it is advice. Numbers that are no encoding at all, aren't finite or have the
        wrong shape are findings too.

    Raises
    ------
    TypeError, ValueError
        If `matrix` is no array of real numbers, or `base` not a finite number above 0.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> from pe_lib import sinusoidal_encoding
    >>> diagnose(sinusoidal_encoding(50, 16))
    This is the sinusoidal encoding: 50 positions from 0, 16 columns, interleaved, base 10000.
    >>> found = diagnose(sinusoidal_encoding(50, 16, start=1, base=1000))
    >>> found.codes
    ('base', 'start')
    >>> [line for line, _ in found.lines]
    ['pos = row + 1', 'base = 1000.0']
    """
    values, notes = _table(as_float64("matrix", read_table(matrix) if isinstance(matrix, str) else matrix))
    asked = _checks.positive_base(base)
    if trouble := _unreadable(values):
        return Diagnosis(False, (trouble,), shape=values.shape)
    found = answer_of(*programs_of(values, asked))
    return replace(found, findings=(*found.findings, *notes))


def as_float64(name: str, values: Any) -> np.ndarray:
    """Return numbers that were handed over, of a tensor of another library too, in float64."""
    if hasattr(values, "detach") and hasattr(values, "cpu"):
        values = values.detach().cpu()
        values = (values.float() if str(values.dtype).endswith("bfloat16") else values).numpy()
    return np.asarray(_checks.real_array(name, values), np.float64)


def _table(values: np.ndarray) -> tuple[np.ndarray, list[Finding]]:
    """Return the table in an array of three axes whose first or second says nothing, and a note of that."""
    while values.ndim > 3 and values.shape[0] == 1:
        values = values[0]
    if values.ndim != 3 or not values.size:
        return values, []
    for axis, name in ((0, "matrix[0]"), (1, "matrix[:, 0]")):
        one = values.take([0], axis)
        if values.shape[axis] == 1 or (np.ptp(one) > 0 and np.array_equal(values, np.broadcast_to(one, values.shape))):
            said = f"It has three axes, shape {values.shape}; this is said of {name}."
            return one.squeeze(axis), [Finding("axes", said, "note")]
    return values, []


def _unreadable(values: np.ndarray) -> Finding | None:
    """Say so if a matrix is none that could be an encoding."""
    if values.ndim != 2 or not values.size:
        said = f"It has shape {values.shape}, and an encoding has shape (L, d_model). Give a table, a row per position."
        return Finding("wrong-shape", said)
    if not np.isfinite(values).all():
        row, column = np.argwhere(~np.isfinite(values))[0]
        what = "not a number" if np.isnan(values[row, column]) else "infinite"
        said = f"The number in row {row} and column {column} is {what}. Was it divided by 0, or is its type too small?"
        return Finding("not-finite", said)
    largest = float(np.abs(values).max())
    if largest and abs(math.log2(largest)) > limits.LARGEST_POWER:
        said = f"Its largest number is {largest:.4g}: too far from 1 for sines and cosines."
        return Finding("not-an-encoding", said, "unresolved")
    return None


# ------------------------------------------------------------------ the stages


def programs_of(matrix: np.ndarray, asked: float, storage: Storage | None = None) -> tuple[Search, list[Program]]:
    """Return the search, and the programs that make a matrix: first whole, then damaged, or made of a smaller one."""
    search = Search(matrix, asked, storage)
    found = search.survivors  # one list, which grows with each proof
    if not _turns_in_some_order(search):  # random numbers, one-hot rows, learned weights: only what is cheap to ask
        search.prove(search.forward())
        return search, [*found, *damaged_programs(search)]
    # Usual layouts. What costs less than a mistake is enough, but where few digits are left, an odd first position may
    # stand for a whole one further off.
    search.prove(search.from_views(up_to=limits.USUAL_VIEWS))
    odd = any(one.positions.cost >= limits.ODD_START for one in found)
    if search.best < limits.STOP_BELOW and not odd:
        return search, found
    # Any whole first position. A start is enough: lines of angles and values are known from 0 and 1 alone.
    search.prove(search.anywhere())
    if search.best < limits.STOP_BELOW or any(one.positions.cause == "start" for one in found):
        return search, found
    # Unusual layouts and orders with one mistake, where columns turn evenly: lines of values hardly do.
    if any(one.turns_evenly for one in search.tables):
        search.prove(search.from_views(above=limits.USUAL_VIEWS, most=limits.ONE_MISTAKE))
    # Lines of angles and values, and damage. Damage is enough where every number is explained, or nearly all are right.
    search.prove(search.forward())
    nearly = max((share for share, _ in search.near), default=0) > limits.NEARLY_ALL
    damaged = damaged_programs(search) if search.best > limits.ONE_MISTAKE else []
    if damaged := [one for one in damaged if one.makes_all or nearly]:
        return search, [*found, *damaged]
    # Two plain lines come before several mistakes in unusual layouts and orders.
    if search.turns_evenly and search.best > limits.ONE_MISTAKE:
        search.prove(joined(search))
    search.prove(search.from_views(above=limits.USUAL_VIEWS))
    # What is left is made of a smaller table, or damaged with numbers that nothing explains.
    smaller = made_of_smaller(matrix, partial(_in_a_usual_layout, asked)) if search.best > limits.ONE_MISTAKE else []
    return search, [*found, *(smaller or damaged_programs(search))]


def _turns_in_some_order(search: Search) -> bool:
    """Ask cheaply whether anything may turn in the matrix, as it is or before it was put in another order."""
    few = len(search.matrix) < limits.FEWEST_TO_TURN
    return few or search.turns_evenly or any(may_turn(one.table) for one in search.tables)


def _in_a_usual_layout(asked: float, table: np.ndarray) -> list[Program]:
    """Return the programs of a table in a usual layout."""
    search = Search(table, asked)
    return search.prove(search.from_views(up_to=limits.USUAL_VIEWS))


# ------------------------------------------------------------------ what is said


def answer_of(search: Search, programs: list[Program]) -> Diagnosis:
    """Turn the programs of least cost into an answer; without any, say what was measured."""
    different = len(np.unique(search.matrix[: limits.SEEN_ROWS][search.told[: limits.SEEN_ROWS]]))
    few = different <= limits.FEW_DIFFERENT or search.matrix.size < limits.FEWEST
    programs = [one for one in programs if not few or one.cost < limits.ONE_MISTAKE]  # a list makes any few numbers
    found = cheapest(programs, limits.TOLD_APART)
    meanings: dict[frozenset[str], Program] = {}
    for one in found:
        meanings.setdefault(frozenset(entry.cause for entry in (*one.chosen(), *one.unshared[1])), one)
    several = list(meanings.values())[: limits.MOST_MEANINGS]
    if not several:
        return Diagnosis(False, (_what_was_measured(search),), shape=search.matrix.shape)
    program, names = several[0], several[0].run()
    rebuilt, told = np.asarray(names["matrix"], float), search.told
    off = np.abs(rebuilt - search.matrix)
    within = float(off[told if program.makes_all else told & search.compare(program)[0]].max(initial=0.0))
    ok = any(one.other is None and all(entry.kind == "variant" for entry in one.chosen()) for one in several)
    return Diagnosis(
        ok=ok, findings=(*_findings_of(several), *_rival(program, names), *_notes(search, within)),
        shape=rebuilt.shape, rebuilt=rebuilt, within=within, explained=float(np.mean(off[told] <= within)),
        recipe=recipe(program), lines=differing(program), **_numbers(program, names),
    )  # fmt: skip


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, mistakes first and notes last."""
    return sorted(findings, key=lambda one: list(MARKS).index(one.kind))


def _findings_of(programs: list[Program]) -> Iterator[Finding]:
    """Yield what all programs say as it is, and what only one of them says as undecided."""
    lists = [_told_of(program) for program in programs]
    shared = [entry for entry in lists[0] if all(entry in one for one in lists)]
    yield from in_order(Finding(entry.cause, entry.sentence, entry.kind) for entry in shared)
    for entries in lists:
        own = [entry for entry in entries if entry not in shared]
        for n, entry in enumerate(own):
            yield Finding(entry.cause, "And with that: " * (n > 0) + entry.sentence, "undecided", goes_on=n > 0)
        if not own and len(lists) > 1:
            yield Finding("right", "Nothing else is different.", "undecided")


def _told_of(program: Program) -> list[Entry]:
    """Return the entries that say something; what two lines don't share becomes one entry."""
    told = [entry for entry in program.chosen() if entry.sentence]
    if program.other is None:
        return told
    own, others = program.unshared
    return [*(entry for entry in told if entry not in own), _of_two_lines(program, own, others)]


def _of_two_lines(program: Program, own: list[Entry], others: list[Entry]) -> Entry:
    """Return what is told of columns that come from a line of their own."""
    j = np.arange(program.d_model)
    theirs, ours = (_columns(evaluated(f"j[{some}]", {"j": j}).tolist()) for some in program.slices)

    def lines(entries: list[Entry]) -> str:
        return " and ".join(f"{MADE.get(one.slot, 'matrix')} = {one.line}" for one in entries)

    first, second = (f"made with {lines(some)}" if some else "as they should be" for some in (own, others))
    said = [f"{ours.capitalize()} are {first}, and {theirs} are {second}."]
    for entries, where in ((own, ours), (others, theirs)):
        wrong = [one for one in entries if one.kind == "mistake" and one.slot != "columns"]  # layout: of the whole
        said += [f"{where.capitalize()}: {one.sentence}" for one in wrong if one.sentence]
    return Entry("columns", 1, "columns-apart", "", " ".join(said))


def _columns(numbers: list[int]) -> str:
    """Write some columns: every other one, or all from one to another."""
    many_apart = len(numbers) > 4 and numbers[1] - numbers[0] > 1
    return f"columns {numbers[0]}, {numbers[1]}, {numbers[2]}, …" if many_apart else in_words("column", numbers)


def _rival(program: Program, names: dict[str, Any]) -> list[Finding]:
    """Note a mistake that makes the same frequencies as a variant does, as in narrow tables."""
    if program.frequencies.kind == "mistake" or not program.frequencies.cost:
        return []
    mistakes = [entry for entry in choices("frequencies") if entry.kind == "mistake"]
    made = [entry for entry in mistakes if np.allclose(evaluated(entry.line, names), names["w"], rtol=1e-9, atol=0)]
    said = "A mistake makes the same numbers in so few columns: {} Ask with more columns."
    return [Finding("rival", said.format(entry.sentence), "note") for entry in made[:1]]


def _notes(search: Search, within: float) -> Iterator[Finding]:
    """Yield what is good to know: how the numbers are kept, how far they are off, what is too small to show."""
    storage, (length, d_model) = search.storage, search.matrix.shape
    kept, unit = storage.digits or storage.decimals or 9, "digit" if storage.digits else "decimal"
    if kept < 7:
        yield Finding("rounded", f"The numbers are rounded to {count(kept, unit)}.", "note")
    elif storage.name in DIGITS and not np.array_equal(search.matrix, np.round(search.matrix)):
        said = f"The numbers are kept in {storage.name}: only {DIGITS[storage.name]} digits count."
        yield Finding("stored", said, "note")
    elif storage.name == "float32" and within > 1e-6:
        said = f"They are off by up to {within:.1g}, no more than angles in float32 bring; it grows with the position."
        yield Finding("low-precision", said, "note")
    if length < 2 or d_model < 3:
        more = " and ".join(name for name, few in (("rows", length < 2), ("columns", d_model < 3)) if few)
        yield Finding("too-small", f"It is too small to show the base: give more {more}.", "note")


def _numbers(program: Program, names: dict[str, Any]) -> dict[str, Any]:
    """Return base, layout, first position and scale as a program has them."""
    layout = "interleaved" if np.array_equal(names["i"], np.arange(len(names["i"])) // 2) else None
    if program.columns.cause in ("halves", "cosines-first"):
        layout = "halves"
    low, high = (evaluated(program.scale.line if program.scale else "matrix", {"np": np, "matrix": x}) for x in (0, 1))
    start, shown = float(names["pos"][0]), program.d_model > 2 and (program.length > 1 or names["pos"][0] != 0)
    base = float(names["base"]) if shown else None
    return {"base": base, "layout": layout, "start": start, "scale": float(high - low)}


def _what_was_measured(search: Search) -> Finding:
    """Say what was measured, where no program makes the numbers."""
    x, off = np.nan_to_num(search.matrix), _off_from_usual(search)
    if off <= limits.NEAR and x.size > 8:
        said = f"It is near an encoding, but off by about {off:.2g}, without a pattern that was recognised."
        return Finding("noisy", f"{said} Was noise, or something else, added?", "unresolved")
    whole, unlike = " and are whole" * bool(np.array_equal(x, np.round(x))), np.unique(x, axis=1).shape[1]
    said = f"All numbers lie between {x.min():.4g} and {x.max():.4g}{whole}."
    said += " Sines and cosines do not go beyond 1." * bool(np.abs(x).max() > 1 + 1e-6)
    said += f" Only {unlike} of {x.shape[1]} columns are distinct." * (unlike < x.shape[1])
    return Finding("not-an-encoding", said + _turning_in(x[:1000]), "unresolved")


def _off_from_usual(search: Search) -> float:
    """Return how far the numbers are off from the nearest of the usual encodings, as a root mean square."""
    part = spread(len(search.matrix), 256), spread(search.matrix.shape[1], 64)
    programs = usual_programs(*search.matrix.shape, search.asked)
    off = [np.nanmean((search.matrix[np.ix_(*part)] - one.run(part)["matrix"]) ** 2) for one in programs]
    return math.sqrt(min(off))


def _turning_in(x: np.ndarray) -> str:
    """Say how many pairs of columns turn, next to each other or half the columns apart, and whether they do evenly."""
    n = x.shape[1] // 2
    if not n or len(x) < 3:
        return ""
    for s, c in ((x[:, : 2 * n : 2], x[:, 1::2]), (x[:, :n], x[:, x.shape[1] - n :])):
        hands = np.hypot(s, c)
        length = np.median(hands)
        moves = np.maximum(np.ptp(s, axis=0), np.ptp(c, axis=0)) > limits.STEADY * length
        whole = (np.abs(hands - length) <= limits.STEADY * length).all(0) & moves
        if whole.sum() < max(1, n / 2):
            continue
        seen = np.arctan2(s[:, whole], c[:, whole])
        turn = turns(seen)
        even = np.abs(wrap(seen - seen[0] - np.outer(np.arange(len(x)), turn))).max() < limits.EVEN
        some = ", ".join(f"{one:.4g}" for one in np.abs(turn[: limits.MOST_LISTED]))
        some += ", …" * (len(turn) > limits.MOST_LISTED)
        said = f"evenly, by {some} radians per row" if even else "but not evenly from row to row"
        return f" {whole.sum()} of {n} pairs of columns are sine and cosine of one angle, and turn {said}."
    return ""
