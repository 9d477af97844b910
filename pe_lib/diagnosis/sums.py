"""`diagnose_sum`: what was added to embeddings, and which row of the table each token was given.

In turn: whether y is one and the same mixture a·x + b·PE in every number; whether a part of it was dropped, or it is a
product; whether x was turned, as RoPE turns it; and last what is left by y - x or y - √d_model·x, row by row.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.diagnosis.answer import MARKS, Diagnosis, Finding, count, diagnose, given, programs_of, told
from pe_lib.diagnosis.program import Program
from pe_lib.diagnosis.rounding import Storage, plainest
from pe_lib.diagnosis.search import Search, usual_programs
from pe_lib.diagnosis.structure import turned
from pe_lib.encoding import BASE

SOME = 2000  # numbers from which the mixture is measured
PRINTED = 4  # decimals, or more, with which numbers are printed
LARGEST = 1e12  # beside larger numbers, float64 keeps too little of a sine
CACHE = "It is right if as many tokens are in a cache already."


def diagnose_sum(x: ArrayLike, y: ArrayLike, *, base: float = BASE) -> Diagnosis:
    """Say what was done to embeddings `x` to get `y`, whether it is the sum with the encoding, and if not, why.

    It knows what `diagnose` knows, of what was added to each token. Where other layers come between x and y, it says
    *open*.

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
    of_x, of_y, asked = given("x", x), given("y", y), _checks.positive_base(base)
    if of_x.ndim not in (2, 3) or not of_x.size:
        raise ValueError(f"x must have shape (L, d_model) or (B, L, d_model), with numbers in it, got {of_x.shape}")
    shape = of_y.shape
    for name, values in (("x", of_x), ("y", of_y)):
        if not np.isfinite(values).all():
            where = np.argwhere(~np.isfinite(values))[0].tolist()
            return _only("sum-not-finite", f"{name} holds numbers that are not finite, first at {where}.", shape)
    if max(np.abs(of_x).max(), np.abs(of_y).max(initial=0)) > LARGEST:
        said = f"The numbers go beyond {LARGEST:.0e}: what was added to them cannot be seen."
        return _only("sum-too-large", said, shape, kind="open")
    if [n for n in of_y.shape if n > 1] == [n for n in of_x.shape if n > 1]:
        of_y = of_y.reshape(of_x.shape)
    if of_y.shape != of_x.shape:
        return _of_other_shape(of_x, of_y, asked)
    if np.array_equal(of_y, np.trunc(of_y)) and not np.array_equal(of_x, of_y) and np.abs(of_y - of_x).max() > 1e-9:
        said = (
            "y holds whole numbers only: an integer type has cut the fractions off. Turn x into floats before you add."
        )
        return _only("integers", said, shape)
    flat = (-1, *of_x.shape[-2:])
    return replace(_of_pair(_Pair(of_x.reshape(flat), of_y.reshape(flat), asked)), shape=shape)


@dataclass(frozen=True)
class _Pair:
    """Embeddings and what should be their sum, both of shape (B, L, d_model)."""

    x: np.ndarray
    y: np.ndarray
    asked: float

    @cached_property
    def single(self) -> bool:
        """Whether y was computed in float32 or less."""
        return bool(np.array_equal(self.y.astype(np.float32), self.y))

    @cached_property
    def noise(self) -> float:
        """By how much what was added may be off: what rounding left of x and y."""
        largest = max(float(np.abs(self.x).max()), float(np.abs(self.y).max()), 1.0)
        of_x, of_y = (Storage(one.reshape(-1, one.shape[-1])) for one in (self.x, self.y))
        both = float(of_y.half_unit(largest)) + largest * of_y.eps
        if of_y.decimals is None:
            return 2 * both
        printed = of_x.decimals is not None and of_x.decimals >= PRINTED  # with fewer, x is a small example, and exact
        return both + printed * 0.5 * 10.0 ** -(of_x.decimals or 0) * self.times

    @property
    def times(self) -> float:
        """How many times larger x may be in y."""
        return max(1.0, math.sqrt(self.x.shape[-1]))

    @cached_property
    def padding(self) -> np.ndarray:
        """Which tokens are rows of zeros in x, (B, L); none if all are."""
        zero = ~self.x.any(-1)
        return np.logical_and(zero, not zero.all())

    def near(self, a: np.ndarray, b: np.ndarray | float) -> np.ndarray:
        """Say of every number whether two are alike, as far as rounding and float32 angles leave it open."""
        growing = 3e-7 * np.arange(self.x.shape[1])[:, np.newaxis] if self.single else 1e-11
        near: np.ndarray = np.abs(a - b) <= 2 * self.noise + growing
        return near


def _of_pair(pair: _Pair) -> Diagnosis:
    """Ask one question after the other."""
    return _mixed(pair) or _dropped(pair) or _product(pair) or _rotated(pair) or _added(pair)


def _only(code: str, message: str, shape: tuple[int, ...] = (), **more: Any) -> Diagnosis:
    """Return a diagnosis of a single finding."""
    return Diagnosis(False, (Finding(code, message, **more),), shape=shape)


def _of_all(found: Diagnosis, findings: Iterable[Finding]) -> Diagnosis:
    """Return a diagnosis with these findings, mistakes first and notes last."""
    ordered = tuple(sorted(findings, key=lambda one: list(MARKS).index(one.kind)))
    return replace(found, ok=all(one.kind in ("variant", "note") for one in ordered), findings=ordered)


def _of_other_shape(x: np.ndarray, y: np.ndarray, asked: float) -> Diagnosis:
    """Say what can be said of a y that has another shape than x."""
    for axis in (x.ndim - 1, x.ndim - 2):
        if y.ndim == x.ndim and y.shape[axis] > x.shape[axis]:
            own, rest = np.split(y, [x.shape[axis]], axis)
            if np.array_equal(own.shape, x.shape) and np.allclose(own, x, atol=1e-6):
                kind = "columns" if axis == x.ndim - 1 else "rows"
                what = "the encoding" if diagnose(rest if rest.ndim == 2 else rest[0], base=asked).ok else "something"
                said = f"{what.capitalize()} stands in {kind} of its own, next to those of x. In the paper it is added."
                return _only("concatenated", said, y.shape)
    if y.ndim == 2 and y.shape == x.shape[-2:] and diagnose(y, base=asked).ok:
        return _only("table-alone", "y is the encoding alone: x was not added to it.", y.shape)
    said = f"y has shape {y.shape} and x has shape {x.shape}: a sum with the encoding has the shape of x."
    return _only("wrong-shape", said, y.shape)


# ------------------------------------------------------------------ mixtures, dropout, products, turns


def _usual(pair: _Pair) -> Iterator[tuple[Program, np.ndarray]]:
    """Yield the usual encodings of this size."""
    for program in usual_programs(pair.x.shape[1], pair.x.shape[2], pair.asked):
        if program.columns.cost <= 0.31:
            yield program, np.asarray(program.run()["matrix"])


def _fitted(x: np.ndarray, table: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return a and b of y = a·x + b·table by least squares."""
    both = np.stack([x, table], 1)
    (a, b), *_ = np.linalg.lstsq(both.T @ both, both.T @ y, rcond=1e-12)
    return float(a), float(b)


def _mixed(pair: _Pair) -> Diagnosis | None:
    """Say so if y is one mixture of x and a usual encoding; padding that was left alone says nothing."""
    used = ~(pair.padding & ~pair.y.any(-1))
    if not np.any(pair.y - pair.x):
        said = (
            "y is x: nothing was added, or x was changed in place, as x += PE does, and is y now. Otherwise compare y "
        )
        return _only("not-added", said + "with a copy of x that was made before.")
    for program, table in _usual(pair):
        tables = np.broadcast_to(table, pair.x.shape)
        a, b = _fitted(pair.x[used].ravel(), tables[used].ravel(), pair.y[used].ravel())
        if pair.near(a * pair.x + b * tables, pair.y)[used].all():
            cells, slopes = (
                pair.y[used].ravel()[:SOME],
                np.stack([pair.x[used].ravel(), tables[used].ravel()])[:, :SOME],
            )
            at = np.array([a, b])
            numbers = plainest(at, cells - at @ slopes, slopes, np.full(len(cells), 2 * pair.noise))
            a, b = (number.value for number in numbers)
            return _mixture(pair, program, a if pair.x.any() else 1.0, b)
    return None


def _mixture(pair: _Pair, program: Program, a: float, b: float) -> Diagnosis:
    """Say what y = a·x + b·table means."""
    search = Search(np.asarray(program.run()["matrix"]), pair.asked)
    found = replace(told(search, [program]), what="What was added")
    blank = np.asarray(pair.near(pair.y, a * pair.x).all(-1))
    said = _meaning(a, b, math.sqrt(pair.x.shape[-1]))
    findings = (*([said] if said else []), *found.findings, *_counted_padding(pair, blank), *_of_padding(pair, ~blank))
    return _of_all(replace(found, scale=b), findings)


def _meaning(a: float, b: float, root: float) -> Finding | None:
    """Say what a·x + b·PE means, where that is not the sum."""
    if b == 0:
        said = f"y is x times {a:.6g}: nothing was added. Was the result of the sum thrown away?"
        return Finding("not-added", said)
    if a == 0:
        return Finding("table-alone", "y is the encoding alone: x was not added to it.")
    if (a, b) == (1, -1):
        return Finding("subtracted", "y is x - PE. Was the encoding subtracted, or were x and y exchanged?")
    if (a, b) == (1, 2):
        said = "The encoding was added twice, or doubled. Look for a second place where it is added."
        return Finding("added-twice", said)
    if a == b and a != 1:
        return Finding("sum-scaled", f"The sum was multiplied by {a:.6g}, x and encoding alike. Leave it as it is.")
    if abs(a - root) < 1e-4 * root and b == 1:
        return scaled_embeddings(a)
    if b == 1 and a != 1:
        again = " Is the sum added to x once more?" if a == 2 else ""
        return Finding("embeddings-scaled", f"x was multiplied by {a:.6g}, and then the encoding was added.{again}")
    times = "x" if a == 1 else f"{a:.6g} · x"
    return None if b == 1 else Finding("scale", f"y is {times} + {b:.6g} · PE. The encoding is added as it is.")


def scaled_embeddings(root: float) -> Finding:
    """Say that x was scaled as in the paper."""
    said = f"x was multiplied by {root:.6g}, the square root of d_model, before the encoding was added: section 3.4."
    return Finding("embeddings-scaled", said, "variant")


def _dropped(pair: _Pair) -> Diagnosis | None:
    """Say so if dropout was left on: zeros scattered, the other numbers 1/(1 - p) times too large."""
    zero = (pair.y == 0) & ~pair.padding[..., np.newaxis] & (pair.x != 0)
    share = zero.mean()
    if not 0.005 < share < 0.95 or (zero.all(-1) & ~pair.padding).any():
        return None
    for factor in (1.0, math.sqrt(pair.x.shape[-1])):
        for _, table in _usual(pair):
            total = factor * pair.x + table
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = float(np.nanmedian(pair.y[~zero] / total[~zero]))
            p = 1 - 1 / ratio
            far = abs(share - p) > 5 * math.sqrt(share * (1 - share) / zero.size)
            if not far and pair.near(ratio * total, pair.y)[~zero].all():
                said = (
                    f"Dropout is left on: {100 * share:.2g} % of the numbers of the sum are 0, and the others are "
                    f"{ratio:.4g} times as large as they should be, as dropout with p = {p:.2g} makes them. Set the "
                    "module to evaluation."
                )
                return _only("dropout", said)
    return None


def _product(pair: _Pair) -> Diagnosis | None:
    """Say so if y is x times the encoding, number by number."""
    large = np.abs(pair.x) > 0.01
    ratio = np.where(large, pair.y / np.where(large, pair.x, 1), 0).sum(0) / np.maximum(large.sum(0), 1)
    if not pair.near(pair.x * ratio, pair.y).all() or not large.any(0).all():
        return None
    search, programs = programs_of(
        ratio, pair.asked, storage=Storage(ratio, noise=200 * pair.noise, single=pair.single)
    )
    found = told(search, [one for one in programs if one.cost <= 1])
    if found.recipe is None:
        return None
    first = Finding("multiplied", "x was multiplied by the encoding. Add it: x + PE.")
    return replace(found, ok=False, findings=(first, *found.findings), what="What x was multiplied by")


def _rotated(pair: _Pair) -> Diagnosis | None:
    """Say so if pairs of columns were turned, as RoPE turns them; base and step are stated, not judged."""
    if pair.x.shape[-1] % 2 or pair.x.shape[1] < 2 or (found := turned(pair.x, pair.y)) is None:
        return None
    layout, table = found
    said = (
        f"Every pair of columns keeps its length: y is x turned, as RoPE does (Su et al., 2021), with pairs {layout}."
    )
    if table is None:
        return _only("rope", said + " But the turns differ from sentence to sentence.", kind="open")
    search, programs = programs_of(
        table, pair.asked, split=False, storage=Storage(table, noise=10 * pair.noise, single=pair.single)
    )
    inner = told(search, programs[:1] if programs else [])
    if inner.recipe is None:
        return _only("rope", said + " No program that is known gives the turns.", kind="open")
    own = ("base", "start", "step")  # of every model
    rest = [replace(one, kind="variant") if one.code in own else one for one in inner.findings]
    first = Finding("rope", said + " Nothing was added.", "variant")
    return _of_all(replace(inner, what="The table of its turns", layout=layout), (first, *rest))


# ------------------------------------------------------------------ what was added, token by token


def _added(pair: _Pair) -> Diagnosis:
    """Say what was added to x, or to x times the square root of d_model."""
    answers = []
    for factor in (1.0, math.sqrt(pair.x.shape[-1])):
        added = pair.y - factor * pair.x
        found = _of_added(pair, added)
        if found is None:
            continue
        if factor != 1:
            found = _of_all(found, (*found.findings, scaled_embeddings(factor)))
        if not any(one.kind == "open" for one in found.findings):
            return found
        answers.append(found)
    if answers:
        return answers[0]
    said = (
        "What was added differs from sentence to sentence, and follows no positions. Are there other layers "
        "between x and y, or are the sentences in another order?"
    )
    return _only("sentences-differ", said, kind="open")


def _of_added(pair: _Pair, added: np.ndarray) -> Diagnosis | None:
    """Say what was added to every token; None if sentences differ and no positions tell why."""
    blank = np.asarray(pair.near(added, 0.0).all(-1))
    wiped = ~pair.y.any(-1) & ~pair.padding & ~blank
    if wiped.any() and not wiped.all():
        b, row = np.argwhere(wiped)[0]
        said = f"{count(int(wiped.sum()), 'token')} became 0 in y, first row {row} of sentence {b}: "
        return _only("tokens-wiped", said + "was a mask applied after the sum, to words as well?")
    shared = _shared(pair, added, blank)
    if shared is not None:
        return _of_shared(pair, shared, blank)
    return _of_differing(pair, added, blank)


def _shared(pair: _Pair, added: np.ndarray, blank: np.ndarray) -> np.ndarray | None:
    """Return the table that all sentences got, with zeros where nobody got anything; None if they got others."""
    weight = ~blank & ~(pair.padding & ~blank.any()) if pair.padding.any() else ~blank
    total = (added * weight[..., np.newaxis]).sum(0)
    table = total / np.maximum(weight.sum(0), 1)[:, np.newaxis]
    return table if pair.near(added, table)[weight].all() else None


def _of_shared(pair: _Pair, table: np.ndarray, blank: np.ndarray) -> Diagnosis:
    """Diagnose the table that all sentences got, and say which tokens did not get their row."""
    filled = np.flatnonzero(~blank.all(0))
    first, last = int(filled[0]), int(filled[-1])
    rows = table[first : last + 1]
    storage = Storage(rows, noise=2 * pair.noise, single=pair.single)
    found = told(*programs_of(rows, pair.asked, storage=storage))
    also = [*_counted_padding(pair, blank), *_left_out(pair, blank), *_of_padding(pair, ~blank)]
    return _of_all(replace(found, what="What was added"), [*_after_blank(found, first, pair), *also])


def _after_blank(found: Diagnosis, first: int, pair: _Pair) -> Iterator[Finding]:
    """Yield the findings of a table below rows that got nothing: positions may count those rows, or not."""
    for one in found.findings:
        if one.code == "start" and first and found.start == first:
            continue  # the rows in front have counted
        if one.code == "start" and found.start is not None and found.start > 0:
            one = replace(one, message=f"{one.message} {CACHE}")
        if one.code == "same-row" and found.start == 0:
            one = replace(one, message=one.message + " Generating with a cache and no offset gives the same.")
        yield one
    if first and found.start == 0 and not pair.padding[:, :first].all():
        said = f"The positions begin at row {first}; the rows before it got nothing."
        yield Finding("position-shift", said)


def _counted_padding(pair: _Pair, blank: np.ndarray) -> Iterator[Finding]:
    """Say so if padding comes first, got nothing, and is counted all the same."""
    pads = np.array([int(np.argmin(one)) if one[0] and not one.all() else 0 for one in pair.padding])
    b = int(np.argmax(pads))
    if pads[b] and np.ptp(pads) and blank[b, : pads[b]].all():
        said = (
            f"Padding comes first and is counted: the first word of sentence {b} got position {pads[b]}. A model that "
        )
        yield Finding("left-padding-counted", said + "counts from the first word expects position 0 there.", "variant")


def _left_out(pair: _Pair, blank: np.ndarray) -> Iterator[Finding]:
    """Say which words got nothing."""
    words = ~pair.padding
    missing = blank & words
    if not missing.any():
        return
    sentences = np.flatnonzero((missing | ~words).all(1))
    rows = np.flatnonzero(blank.all(0))
    if len(sentences) and len(sentences) < len(blank):
        yield Finding("sentence-left-out", f"{_these('sentence', sentences)} got no encoding.")
    elif (blank == pair.padding).sum() < (~blank == pair.padding).sum() and (~blank & words).sum() == 0:
        yield Finding("mask-inverted", "Only the padding got an encoding, and no word did: the mask is inverted.")
    elif len(rows) and pair.padding.any() and (blank == blank[0]).all():
        said = (
            f"The same rows are left out in every sentence, first row {rows[0]}, but the padding differs: one mask "
            "was used for all. Each sentence needs its own."
        )
        yield Finding("one-mask-for-all", said)
    else:
        b, row = np.argwhere(missing)[0]
        yield Finding(
            "tokens-left-out", f"{count(int(missing.sum()), 'token')} got no encoding, first row {row} of sentence {b}."
        )


def _of_padding(pair: _Pair, got: np.ndarray) -> Iterator[Finding]:
    """Note padding that got an encoding."""
    where = np.argwhere(got & pair.padding)
    if len(where):
        said = (
            f"Row {where[0][1]} of sentence {where[0][0]} is all zeros in x, and not in y. If it is padding, leave "
            "it out by a mask, or see that attention does not look at it."
        )
        yield Finding("padding-not-masked", said, "note")


def _these(kind: str, numbers: np.ndarray) -> str:
    """Write which sentences or rows, the first few of them."""
    listed = ", ".join(map(str, numbers[:6])) + (", …" if len(numbers) > 6 else "")
    return f"{kind.capitalize()}{'s' if len(numbers) > 1 else ''} {listed}"


def _of_differing(pair: _Pair, added: np.ndarray, blank: np.ndarray) -> Diagnosis | None:
    """Say which positions the tokens got, where they differ from sentence to sentence."""
    at = np.flatnonzero(~blank.ravel())
    tokens = added.reshape(-1, added.shape[-1])[at]
    firsts = added[:, 0]
    if pair.near(added, firsts[:, np.newaxis]).all() and len(firsts) > 1:
        return _by_sentence(pair, firsts)
    search = Search(tokens, pair.asked, Storage(tokens, noise=2 * pair.noise, single=pair.single))
    search.measured(dearest=0.95)
    programs = [one for one in search.survivors if one.scale is None and one.columns.cost + one.frequencies.cost < 0.8]
    if not programs:
        return None
    program = min(programs, key=lambda one: one.cost)
    positions = np.full(blank.size, np.nan)
    positions[at] = np.asarray(program.run()["pos"], float)
    findings = [*_of_positions(pair, positions.reshape(blank.shape)), *_of_padding(pair, ~blank)]
    return _of_all(Diagnosis(True, base=pair.asked), findings)


def _by_sentence(pair: _Pair, firsts: np.ndarray) -> Diagnosis | None:
    """Say so if every token of a sentence got the row of the sentence's number."""
    found = told(*programs_of(firsts, pair.asked, storage=Storage(firsts, noise=2 * pair.noise, single=pair.single)))
    said = (
        "Every token of a sentence got the same row, and each sentence another: the first axis of x was counted as "
        "positions. If it counts sentences, the table needs shape (L, d_model) or (1, L, d_model), lined up with axis "
        "1. "
        "If it does count positions, ask again with x.swapaxes(0, 1) and y.swapaxes(0, 1)."
    )
    if found.recipe is None:
        return _only("sentence-as-position", said)
    rest = tuple(one for one in found.findings if one.kind != "note")
    what = "What the sentences got, a row for each of them,"
    return replace(found, ok=False, findings=(Finding("sentence-as-position", said), *rest), what=what)


def _of_positions(pair: _Pair, positions: np.ndarray) -> Iterator[Finding]:
    """Say what positions (B, L) mean that differ from sentence to sentence; nan for tokens that got nothing."""
    row = np.arange(positions.shape[1])
    shift = positions - row
    offsets = np.array([np.nan if np.isnan(one).all() else np.nanmedian(one) for one in shift])
    steady = np.isnan(shift) | (shift == offsets[:, np.newaxis])
    pads = np.array([int(np.argmin(one)) if one[0] and not one.all() else 0 for one in pair.padding])
    which = int(np.nanargmax(np.abs(offsets)))
    if steady.all():
        if np.array_equal(-offsets, pads) and pads.any():
            said = (
                f"Padding comes first, and positions count from the first word: row {pads[which]} of sentence "
                f"{which} got position 0."
            )
            yield Finding("left-padding", said, "variant")
            return
        starts = "; ".join(
            f"sentence {b} counts from {offsets[b]:.0f}" for b in range(min(4, len(offsets))) if np.isfinite(offsets[b])
        )
        said = (
            f"Sentences count positions from different numbers: {starts}. {CACHE} Otherwise the first token of each "
            "has position 0."
        )
        yield Finding("sentences-differ", said)
        return
    if np.array_equal(positions, np.maximum(row - pads[:, np.newaxis], 0)):
        said = "Padding comes first and waits at position 0; positions count from the first word."
        yield Finding("left-padding", said, "variant")
        return
    wrong = np.argwhere(~np.isnan(positions) & (positions != row))
    b, n = wrong[0]
    said = (
        f"{count(len(wrong), 'token')} got another position than their own: row {n} of sentence {b} got position "
        f"{positions[b, n]:.0f}."
    )
    yield Finding("sentences-differ", said)
