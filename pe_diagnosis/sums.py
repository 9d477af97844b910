"""`diagnose_sum`: what was added to embeddings, and which row of the table each token was given.

In turn: whether y is one and the same mixture a·x + b·PE in every number; whether x was turned, as RoPE turns it; and
last what is left by y - x or y - √d_model·x, row by row.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from pe_diagnosis import limits
from pe_diagnosis.answer import Diagnosis, Finding, answer_of, as_float64, count, diagnose, in_order, programs_of
from pe_diagnosis.catalogue import Entry
from pe_diagnosis.program import Program
from pe_diagnosis.rounding import NEUTRAL, Number, Storage, plainest
from pe_diagnosis.search import Search
from pe_diagnosis.views import usual_programs
from pe_lib import _checks
from pe_lib.encoding import BASE

THROWN = "Was the sum thrown away, or x changed in place, as x += PE does? Then compare y with a copy made before."
TABLE_ALONE = "y is the encoding alone: x was not added to it."
SENTENCE_AS_POSITION = (
    "Each sentence got a single row for all its tokens: the first axis of x was taken for "
    "positions. If it holds sentences, the table needs shape (L, d_model) or (1, L, d_model), lined up with axis 1. "
    "If it holds positions, ask again with x.swapaxes(0, 1) and y.swapaxes(0, 1)."
)


def diagnose_sum(x: ArrayLike, y: ArrayLike, *, base: float = BASE) -> Diagnosis:
    """Say what was done to embeddings `x` to get `y`, whether it is the sum with the encoding, and if not, why.

    It knows what `diagnose` knows, of what was added to each token. Where other layers come between x and y, it says
    *unresolved*.

    Parameters
    ----------
    x : array_like of shape (L, d_model) or (B, L, d_model)
        The embeddings. Rows of zeros are taken for padding.
    y : array_like
        What should be the sum.
    base : float
        The base that the encoding is meant to have.

    Returns
    -------
    Diagnosis
        As from `diagnose`, of what was added; with findings about how it was added.

    Raises
    ------
    TypeError, ValueError
        If `x` or `y` is no array of real numbers, `x` has other than two or three axes, or `base` is no finite number
        above 0.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", sections 3.4 and 3.5.

    Examples
    --------
    >>> from pe_lib import TWO_SENTENCES, sinusoidal_encoding
    >>> x = TWO_SENTENCES.embeddings
    >>> diagnose_sum(x, TWO_SENTENCES.encoded).ok
    True
    >>> diagnose_sum(x, x + sinusoidal_encoding(2, 4)[:, None]).codes
    ('sentence-as-position',)
    """
    of_x, of_y, asked = as_float64("x", x), as_float64("y", y), _checks.positive_base(base)
    if of_x.ndim not in (2, 3) or not of_x.size:
        raise ValueError(f"x must have shape (L, d_model) or (B, L, d_model), with numbers in it, got {of_x.shape}")
    return replace(_of_arrays(of_x, of_y, asked), shape=of_y.shape)


def _of_arrays(x: np.ndarray, y: np.ndarray, asked: float) -> Diagnosis:
    """Say what was done to x to get y: what no sum can be at once, the rest by one look after the other."""
    for name, values in (("x", x), ("y", y)):
        if not np.isfinite(values).all():
            where = np.argwhere(~np.isfinite(values))[0].tolist()
            return _one_finding("sum-not-finite", f"{name} holds numbers that are not finite, first at {where}.")
    if max(np.abs(x).max(), np.abs(y).max(initial=0)) > limits.LARGEST_SUM:
        said = f"The numbers go beyond {limits.LARGEST_SUM:.0e}: what was added to them cannot be seen."
        return _one_finding("sum-too-large", said, "unresolved")
    if [n for n in y.shape if n > 1] == [n for n in x.shape if n > 1]:
        y = y.reshape(x.shape)
    if y.shape != x.shape:
        return _of_other_shape(x, y, asked)
    flat = (-1, *x.shape[-2:])
    case = _Case(x.reshape(flat), y.reshape(flat), asked)
    looks = (_mixed, _rotated, _added)
    return next(found for look in looks if (found := look(case)) is not None)


@dataclass(frozen=True)
class _Case:
    """Embeddings and what should be their sum, both of shape (B, L, d_model)."""

    x: np.ndarray
    y: np.ndarray
    asked: float

    @property
    def root(self) -> float:
        """By what the paper multiplies embeddings, section 3.4."""
        return math.sqrt(self.x.shape[-1])

    @cached_property
    def single(self) -> bool:
        """Whether y was computed in float32 or less."""
        return bool(np.array_equal(self.y.astype(np.float32), self.y))

    @cached_property
    def noise(self) -> np.ndarray:
        """By how much each number that was added may be off, (B, L, d_model): what rounding left of x and y there."""
        size = np.maximum(np.maximum(np.abs(self.x), np.abs(self.y)), 1.0)
        of_x, of_y = (Storage(one.reshape(-1, one.shape[-1])) for one in (self.x, self.y))
        both = of_y.half_unit(size) + size * of_y.eps
        if of_y.decimals is None:
            return np.asarray(2 * both)
        decimals = of_x.decimals or 0  # where they're few, x is a small example, and exact
        return np.asarray(both + (decimals >= limits.PRINTED) * 0.5 * 10.0**-decimals * self.root)

    @cached_property
    def shown(self) -> np.ndarray:
        """For which tokens half of the numbers, and so both of some pair, show what was added to them, (B, L)."""
        return np.asarray(np.median(self.noise, axis=-1) < limits.SHOWN)

    @cached_property
    def padding(self) -> np.ndarray:
        """Which tokens are rows of zeros in x, (B, L); none if all are."""
        zero = ~self.x.any(-1)
        return np.logical_and(zero, not zero.all())

    @cached_property
    def used(self) -> np.ndarray:
        """Which numbers say something, (B, L, d_model): all but padding that was left alone."""
        return np.broadcast_to(np.logical_or(~self.padding, self.y.any(-1))[..., np.newaxis], self.x.shape)

    def near(self, a: np.ndarray, b: np.ndarray | float) -> np.ndarray:
        """Say of every number whether two are alike, as far as rounding and float32 angles leave it open."""
        growing = 3e-7 * np.arange(self.x.shape[1])[:, np.newaxis] if self.single else 1e-11
        return np.asarray(np.abs(a - b) <= 2 * self.noise + growing)

    def is_y(self, made: np.ndarray) -> bool:
        """Say whether numbers are those of y, wherever these say something."""
        return bool(self.near(made, self.y)[self.used].all())

    def hidden(self, kind: str, said: str = "") -> Finding:
        """Say how much rounding hides."""
        lost = float(np.median(self.noise)) / 8  # half of a last digit in float32 and 64: noise is four
        said = said or "Rounding hides most of what was added"
        said += f": next to such large numbers, {lost:.2g} and less is lost. Ask with smaller ones, or in float64."
        return Finding("rounding-hides", said, kind)

    def stored(self, table: np.ndarray, noise: np.ndarray) -> tuple[np.ndarray, Storage]:
        """Return a table that is off by so much, without the numbers that say next to nothing, and how it's kept."""
        told = noise <= max(noise.min(), min(limits.DROWNED * np.median(noise), limits.SHOWN))
        table = np.where(told, table, np.nan)
        return table, Storage(table, noise=float(noise[told].max()), single=self.single)

    def diagnosed(self, table: np.ndarray, noise: np.ndarray) -> Diagnosis:
        """Diagnose numbers that are off by so much."""
        table, storage = self.stored(table, noise)
        return answer_of(*programs_of(table, self.asked, storage))


def _one_finding(code: str, message: str, kind: str = "mistake") -> Diagnosis:
    """Return a diagnosis of a single finding."""
    return Diagnosis(False, (Finding(code, message, kind),))


def _with_findings(found: Diagnosis, findings: Iterable[Finding], what: str = "What was added") -> Diagnosis:
    """Return a diagnosis with these findings before its own: mistakes first and notes last."""
    ordered = tuple(in_order((*findings, *found.findings)))
    ok = all(one.kind in ("variant", "note") for one in ordered)
    return replace(found, ok=ok, findings=ordered, what=what)


def _of_other_shape(x: np.ndarray, y: np.ndarray, asked: float) -> Diagnosis:
    """Say what can be said of a y that has another shape than x."""
    for axis, kind in [(-1, "columns"), (-2, "rows")] * (y.ndim == x.ndim):
        own, rest = np.split(y, [x.shape[axis]], axis)
        table = rest[(0,) * (y.ndim - 2)]
        if own.shape == x.shape and np.allclose(own, x, atol=1e-4) and diagnose(table, base=asked).ok:
            said = f"The encoding stands in {kind} of its own, next to those of x. In the paper it is added."
            return _one_finding("concatenated", said)
    if y.shape == x.shape[-2:] and diagnose(y, base=asked).ok:
        return _one_finding("table-alone", TABLE_ALONE)
    said = f"y has shape {y.shape} and x has shape {x.shape}: a sum with the encoding has the shape of x."
    return _one_finding("wrong-shape", said)


# ------------------------------------------------------------------ mixtures, products, turns


def _mixed(case: _Case) -> Diagnosis | None:
    """Say so if y is one mixture a·x + b·PE of x and a usual encoding."""
    programs = [one for one in usual_programs(*case.x.shape[1:], case.asked) if one.columns.kind == "variant"]
    tables = [np.broadcast_to(one.run()["matrix"], case.x.shape) for one in programs]
    same, sums = case.is_y(case.x), [case.is_y(case.x + table) for table in tables]
    if same and any(sums):
        not_added = Finding("rounding-hides", "y is x, and nothing was added.", "undecided")
        return Diagnosis(False, (not_added, case.hidden("undecided", "y is x + PE, and rounding hides it")))
    if any(sums):
        return _told_of_mixture(case, programs[sums.index(True)], 2 * [NEUTRAL[1]])
    if same or case.shown.any() or (case.noise[case.used] < limits.SHOWN).sum() >= limits.FEWEST:
        for program, table in zip(programs, tables, strict=True):
            if numbers := _plainest_factors(case, table):
                return _told_of_mixture(case, program, numbers)
    return None


def _plainest_factors(case: _Case, table: np.ndarray) -> list[Number]:
    """Return the plainest a and b with which y is a·x + b·table; nothing where there are none."""
    both, y, noise = np.stack([case.x[case.used], table[case.used]]), case.y[case.used], case.noise[case.used]
    at, some = _least_squares(both, y, noise), slice(limits.SOME)
    if not case.is_y(at[0] * case.x + at[1] * table):
        return []
    return plainest(at, (y - at @ both)[some], both[:, some], 2 * noise[some])


def _told_of_mixture(case: _Case, program: Program, numbers: list[Number]) -> Diagnosis:
    """Say what y = a·x + b·PE means, of which a program makes PE."""
    a, b = (number.value for number in numbers)
    if b not in (0, 1):  # said by `_meaning`, but also made by the recipe
        program = program.but(scale=Entry("scale", 1, "scale", f"{numbers[1].text} * matrix"))
    made = np.asarray(program.run()["matrix"], float)
    found = answer_of(Search(made, case.asked), [program])  # it wants a search for its notes, though nothing is open
    off = np.abs(case.stored(case.y - a * case.x - made, case.noise)[0])
    within = float(np.nanmax(off, where=case.used, initial=0))
    said = [*_meaning(a if case.x.any() else 1.0, b, case.root), *_of_padding(case, np.any(case.y, axis=-1))]
    if b:
        said += [*_of_counted_padding(case, 0.0), *([] if case.shown.any() else [case.hidden("note")])]
    return _with_findings(replace(found, scale=b, within=within), said)


def _least_squares(both: np.ndarray, y: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Return a and b with which a·x + b·PE comes nearest to y, numbers that are off by much counting little."""
    size = np.linalg.norm(both / noise, axis=1, keepdims=True) + 1e-300  # x may be many times as large as PE
    weighed = both / noise**2 / size
    at = np.zeros(2)
    for _ in range(2):  # what is left is fitted again, for the last digits
        at += np.linalg.lstsq(weighed @ (both / size).T, weighed @ (y - at @ both), rcond=1e-12)[0] / size[:, 0]
    return at


def _meaning(a: float, b: float, root: float) -> list[Finding]:
    """Say what a·x + b·PE means, where that isn't the sum: the first that holds."""
    scaled = a != 1 and b == 1
    times = f" times {a:.6g}" * (a != 1)
    meanings = (
        (b == 0, "not-added", f"y is x{times}: nothing was added. {THROWN}"),
        (a == 0, "table-alone", TABLE_ALONE),
        ((a, b) == (1, -1), "subtracted", "y is x - PE. Was the encoding subtracted, or were x and y exchanged?"),
        ((a, b) == (1, 2), "added-twice", "The encoding was added twice, or doubled. Look for a second place where it "
         "is added."),
        (a == b != 1, "sum-scaled", f"The sum was multiplied by {a:.6g}, x and encoding alike. Leave the factor out."),
        (scaled, "embeddings-scaled", f"x was multiplied by {a:.6g}, and then the encoding was added."),
        (b != 1, "scale", f"y is {a:.6g} · x + {b:.6g} · PE. The encoding is added as it is."),
    )  # fmt: skip
    if scaled and abs(a - root) < 1e-4 * root:
        return [_root_said(a)]
    return [Finding(code, said) for holds, code, said in meanings if holds][:1]


def _root_said(root: float) -> Finding:
    """Say that x was scaled as in the paper."""
    said = f"x was multiplied by {root:.6g}, the square root of d_model, before the encoding was added: section 3.4."
    return Finding("embeddings-scaled", said, "variant")


def _rotated(case: _Case) -> Diagnosis | None:
    """Say so if pairs of columns were turned, as RoPE turns them; base and step are stated, not judged.

    As complex numbers y = x · t, and t is a table of sines and cosines like any other.
    """
    half, size = case.x.shape[-1] // 2, np.abs(case.x).max()
    if case.x.shape[-1] % 2 or case.x.shape[1] < 2:
        return None
    for layout, where, s, c in (
        ("halves", "half the columns apart", slice(half), slice(half, None)),
        ("interleaved", "neighbours", slice(0, None, 2), slice(1, None, 2)),
    ):
        before, after = (one[..., s] + 1j * one[..., c] for one in (case.x, case.y))
        if np.abs(np.abs(after) - np.abs(before)).max() <= (1e-4 if case.single else 1e-9) * size:
            turn = (after * before.conj()).sum(0) / np.maximum((np.abs(before) ** 2).sum(0), 1e-30)
            differs = np.abs(after - before * turn).max() > limits.STEADY * size  # from sentence to sentence
            if differs or np.abs(turn - 1).max() < limits.LEAST_TURN:
                return None
            said = "Every pair of columns keeps its length: y is x turned, as RoPE does (Su et al., 2021)."
            said += f" The two columns of a pair are {where}."
            table = np.stack([turn.imag, turn.real], -1).reshape(len(turn), -1)
            return _of_turns(case, table, said, layout)
    return None


def _of_turns(case: _Case, table: np.ndarray, said: str, layout: str) -> Diagnosis:
    """Say which base, start and step turns have; none of them is a mistake in RoPE."""
    storage = Storage(table, noise=10 * float(case.noise.max()), single=case.single)
    search, programs = programs_of(table, case.asked, storage)
    programs = sorted(programs, key=lambda one: one.cost)[:1]  # several say one thing of turns
    inner = answer_of(search, programs)
    if inner.recipe is None or inner.explained != 1:
        return _one_finding("rope", said + " No program that is known gives the turns.", "unresolved")
    base, start = ("" if one is None else f"{one:.7g}" for one in (inner.base, inner.start))  # None in two columns
    own = {"base": f"The base is {base}.", "start": f"The first position is {start}."}
    findings = [
        Finding(one.code, own[one.code], "variant") if one.code in own
        else replace(one, kind="note") if one.code == "step" else one
        for one in inner.findings
    ]  # fmt: skip
    rope = Finding("rope", said + " Nothing was added.", "variant")
    return _with_findings(replace(inner, findings=tuple(findings), layout=layout), [rope], "The table of its turns")


# ------------------------------------------------------------------ what was added, token by token


def _added(case: _Case) -> Diagnosis:
    """Say what was added to x, or to x times the square root of d_model."""
    if not case.shown.any():
        return Diagnosis(False, (case.hidden("unresolved"),))
    if np.array_equal(case.y, np.round(case.y)):
        said = "y holds whole numbers only. Did an integer type cut the fractions off?"
        return _one_finding("integers", said, "unresolved")
    answers = []
    for factor in (1.0, case.root):
        found = _of_added(case, case.y - factor * case.x)
        if found is not None:
            answers.append(_with_findings(found, [_root_said(factor)] if factor != 1 else [], found.what))
            if not any(one.kind == "unresolved" for one in found.findings):
                return answers[-1]
    said = (
        "What was added differs from sentence to sentence, and no positions were found that explain it. Are there "
        "other layers between x and y, or are the sentences in another order?"
    )
    found = answers[0] if answers else _one_finding("sentences-differ", said, "unresolved")
    zeros = float(((case.y == 0) & (case.x != 0)).mean())
    hint = Finding("zeros", f"{100 * zeros:.2g} % of the numbers of y are 0. Was dropout left on?", "note")
    return _with_findings(found, [hint] * (zeros > 0), found.what)


def _of_added(case: _Case, added: np.ndarray) -> Diagnosis | None:
    """Say what was added to every token; None if sentences differ and no positions tell why."""
    blank = case.shown & case.near(added, 0.0).all(-1)
    got = ~blank & ~(case.padding & ~blank.any())  # if nothing was left out, padding isn't judged
    if not got.any():
        return None
    weight = got[..., np.newaxis] / case.noise**2  # a number next to a large one says little
    table = (added * weight).sum(0) / np.maximum(weight.sum(0), 1e-300)
    also = [*_of_padding(case, ~blank)]
    if (missing := blank & ~case.padding).any():
        left_out = Finding("tokens-left-out", f"{_tokens(missing)} got no encoding.")
        inverted = Finding("mask-inverted", "The padding got an encoding, and no word did: the mask is inverted.")
        also.append(inverted if np.array_equal(missing, ~case.padding) else left_out)
    if case.near(added, table)[got].all():  # all sentences got one table, with zeros where none got anything
        length = int(np.flatnonzero(got.any(0))[-1]) + 1
        noise = 2 * np.where(got[..., np.newaxis], case.noise, np.inf).min(0)[:length]
        found = case.diagnosed(table[:length], np.where(np.isfinite(noise), noise, case.noise.min()))
        if found.recipe is None:
            return found
        if found.start is not None:
            also += _of_counted_padding(case, found.start)
        told = [one for one in found.findings if one.code not in ("rows-empty", "row-zeroed")]  # `also` says it
        return _with_findings(replace(found, findings=tuple(told)), also)
    firsts, many = added[:, 0], min(added.shape[:2]) > 1
    if many and case.near(added, firsts[:, np.newaxis]).all():  # a row for each sentence
        found = case.diagnosed(firsts, 2 * case.noise[:, 0])
        by_sentence = Finding("sentence-as-position", SENTENCE_AS_POSITION)
        found = found if found.recipe else replace(found, findings=())
        return _with_findings(found, [by_sentence], "What the sentences got, a row for each of them,")
    program = _usual_program(case, added[~blank], 2 * case.noise[~blank])  # tokens may have got any rows
    if program is None:
        return None
    names, positions = program.run(), np.full(blank.shape, np.nan)
    positions[~blank] = names["pos"]
    read = _of_positions(case, np.where(case.padding, np.nan, positions))
    own = [Finding(one.cause, one.sentence, one.kind) for one in program.chosen() if one.slot != "positions"]
    return _with_findings(Diagnosis(True, base=float(names["base"])), [*read, *own, *also])


def _of_padding(case: _Case, got: np.ndarray) -> Iterator[Finding]:
    """Note padding that got an encoding."""
    where = got & case.padding
    if where.any():
        said = (
            f"Zeros in x are no zeros in y for {_tokens(where)}. If this is padding, leave it out by a mask, or see "
            "that attention does not look at it."
        )
        yield Finding("padding-not-masked", said, "note")


def _of_counted_padding(case: _Case, start: float) -> Iterator[Finding]:
    """Note padding in front that was counted, so that the first word isn't where the positions begin."""
    pads = np.argmin(case.padding, axis=1)
    if pads.any() and start + pads.max() > 0:
        said = (
            f"Padding comes first and is counted: the first word of sentence {int(np.argmax(pads))} has position "
            f"{start + pads.max():.0f}. With more padding in front it would have another: count from its first word."
        )
        yield Finding("padding-counted", said, "note")


def _tokens(where: np.ndarray) -> str:
    """Write how many tokens are meant, and which is the first."""
    many, (b, row) = int(where.sum()), np.argwhere(where)[0]
    return f"{count(many, 'token')} ({'the first is ' * (many > 1)}row {row} of sentence {b})"


def _usual_program(case: _Case, tokens: np.ndarray, noise: np.ndarray) -> Program | None:
    """Return the program of an encoding in a usual layout that has the rows which tokens (n, d_model) got."""
    tokens, storage = case.stored(tokens, noise)
    search = Search(tokens, case.asked, storage)
    found = search.prove(search.from_views(up_to=limits.USUAL_VIEWS))
    programs = [one for one in found if one.scale is None and one.columns.cost + one.frequencies.cost < limits.VARIANT]
    return min(programs, key=lambda one: one.cost, default=None)


def _of_positions(case: _Case, positions: np.ndarray) -> Iterator[Finding]:
    """Say what positions (B, L) mean that differ from sentence to sentence; nan for padding and what got nothing."""
    shift = positions - np.arange(positions.shape[1])
    offsets = np.array([np.nan if np.isnan(one).all() else np.nanmedian(one) for one in shift])
    wrong = ~np.isnan(shift) & (shift != offsets[:, np.newaxis])
    if wrong.any():
        wrong = wrong if shift[wrong].all() else ~np.isnan(shift) & (shift != 0)  # if these are in place, others aren't
        b, row = np.argwhere(wrong)[0]
        said = f"{_tokens(wrong)} got another position than their place says: there it is {positions[b, row]:.0f}."
        yield Finding("sentences-differ", said)
        return
    pads = np.argmin(case.padding, axis=1)  # in front of each sentence
    counted = (offsets + pads)[np.isfinite(offsets)]
    if pads.any() and np.ptp(counted) == 0:
        said = "Padding comes first, and the positions of each sentence count from its first word."
        yield Finding("left-padding", said, "variant")
        return
    starts = [f"sentence {b} counts from {one:.0f}" for b, one in enumerate(offsets) if np.isfinite(one)]
    said = (
        f"Sentences count positions from different numbers: {'; '.join(starts[:4])}. That is right if as many "
        "tokens of each are in a cache already. Otherwise the first token of each has position 0."
    )
    yield Finding("sentences-differ", said)
