"""Diagnose a sum: what was really added to the embeddings, and to which of them."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.diagnosis.choose import best_proof
from pe_lib.diagnosis.diagnose import diagnose, told
from pe_lib.diagnosis.frame import started
from pe_lib.diagnosis.given import given
from pe_lib.diagnosis.grain import BITS, Grain, grain_of
from pe_lib.diagnosis.measure import COLUMNS, evenly
from pe_lib.diagnosis.noise import like_noise
from pe_lib.diagnosis.prove import LARGE, Proof, attempt, judge
from pe_lib.diagnosis.report import Diagnosis, Finding, finding
from pe_lib.diagnosis.sentences import about_wiped, compared, padding_in
from pe_lib.diagnosis.usual_tables import TELLING, beside_large, otherwise

LARGEST = 1e12  # numbers beside which a sine still has four digits
NEARLY = 1e-6  # to whole numbers
MANY = 256  # numbers
COARSEST = 0.3  # steps between large numbers beside which a table is still seen as a whole
FINELY = 0.02  # or more is what leaves a column that was filled
ALIKE = 1e-6  # of their size: so near are two factors that are one
SENTENCES = 2  # are looked at for what was added, those with the fewest rows that are empty or repeated first


def diagnose_sum(x: ArrayLike, y: ArrayLike, *, base: float = 10_000.0) -> Diagnosis:
    """Say what was done to embeddings `x` to get `y`, whether it is the sum with the encoding, and if not, why.

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
        If `x` or `y` is no array of real numbers, `x` has other than two or three axes,
        or `base` is no finite number above 0.

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
    embeddings, type_of_x = given("x", x)
    sums, type_of_y = given("y", y)
    shape = sums.shape
    base = _checks.positive_base(base)
    if embeddings.ndim not in (2, 3) or embeddings.size == 0:
        raise ValueError(
            f"x must have shape (L, d_model) or (B, L, d_model), with numbers in it, got {embeddings.shape}"
        )
    largest = max(float(abs(sums).max(initial=0.0)), float(abs(embeddings).max()))
    trouble = _unreadable(embeddings, sums, largest)
    if trouble is not None:
        return trouble
    if [n for n in sums.shape if n > 1] == [n for n in embeddings.shape if n > 1]:
        sums = sums.reshape(embeddings.shape)  # but for axes of length 1
    if sums.shape != embeddings.shape:
        return _of_other_shape(embeddings, sums, base)
    if type_of_y not in BITS:
        return _only("sum-of-integers", shape, code="integers")
    length, d_model = embeddings.shape[-2:]
    x3, y3 = embeddings.reshape(-1, length, d_model), sums.reshape(-1, length, d_model)
    computed_in, step, notes = _written(sums, type_of_y)
    bits = min(BITS[computed_in], BITS.get(type_of_x, 53))
    fine = 2.0**-bits * (64 if bits > BITS["float16"] else 8) * max(largest, 1.0)  # angles may be in float32
    rooms = [min(room, COARSEST) for room in dict.fromkeys((fine, fine + step))]
    tried = (otherwise(x3, y3, room, base) for room in rooms)
    notes = () if np.all(abs(y3 - x3 - np.rint(y3 - x3)) < NEARLY) else notes  # x had these steps already
    found = next(filter(None, tried), None) or _of_sums(x3, y3, bits, (computed_in, step, notes), base)
    if sums.ndim != len(shape):
        axes = finding("axes", cause="sum-axes", kind="note", shape=shape, of_x=embeddings.shape)
        found = replace(found, findings=(*found.findings, axes))
    return replace(found, shape=shape)


def _of_sums(
    x: np.ndarray, y: np.ndarray, bits: int, written: tuple[str, float, tuple[Finding, ...]], base: float
) -> Diagnosis:
    """Say what was added to x, or to x times the square root of d_model."""
    noisy, room = None, 0.0  # embeddings that were scaled look like noise, too
    (computed_in, step, notes), root = written, math.sqrt(x.shape[-1])
    noise = y[0].size > LARGE and like_noise(y[0] - root * x[0])
    alike = not np.ptp(x, axis=1).any()  # of one word over and over, a factor looks like a shift
    for factor in (1.0,) if noise or not x.any() else (1.0, root):
        size = max(float(abs(y).max()), factor * float(abs(x).max()), 1e-300)
        room = 4 * 2.0 ** -(BITS[computed_in] if factor == 1.0 else bits) * size
        floor = max(room, (1 + factor) / 2 * step)  # x, too, may have been rounded
        found = _of_added(factor * x, y, Grain(computed_in, computed_in, floor=floor), base)
        if found is None:
            continue
        if factor != 1.0 and "not-added" in found.codes:
            return _only("x-scaled-alone", y.shape, code="not-added", factor=f"{factor:.6g}")
        if "noisy" not in found.codes:
            said = found.findings
            if factor != 1.0 and abs((found.scale or 0.0) / factor - 1) < ALIKE:
                rest = (one for one in said if one.code not in ("scale", "added-twice"))
                said = (finding("sum-scaled", a=factor), *rest)
            elif factor != 1.0:
                said = (*said, finding("embeddings-scaled", kind="variant", factor=f"{factor:.6g}"))
            to = f"added to {factor:.6g} · x" if factor != 1.0 else "added"
            noted = (one for one in notes if one.code not in found.codes)
            found = replace(found, findings=(*said, *noted), what=found.what.replace("added", to))
            # one of the sentences may be mostly padding, which was scaled unseen
            sure = found.explained == 1 and (found.ok or not alike)
            if "sentences-differ" not in found.codes and (sure or (noisy is None and factor != 1.0) or found.ok):
                return found
        noisy = noisy or found
    if room > COARSEST and noisy is None:
        largest = max(float(abs(x).max()), float(abs(y).max()))
        return _only("sum-too-large", y.shape, code="too-small", largest=largest, type=computed_in)
    return noisy or _measured(x, y)


def _written(sums: np.ndarray, dtype: str) -> tuple[str, float, tuple[Finding, ...]]:
    """Return the type in which sums were computed, the step to which they were rounded, and what is noted of that."""
    found = grain_of(sums.reshape(-1, sums.shape[-1]), dtype)
    line = found.stored
    if line is None or line.finding == "integers":
        return ("float32" if found.held_by == "float32" else dtype), 0.0, ()
    note = finding(line.finding, kind="note", **line.words | {"so": ""})
    return (found.held_by, 0.0, (note,)) if line.finding == "low-precision" else (dtype, found.step, (note,))


def _unreadable(embeddings: np.ndarray, sums: np.ndarray, largest: float) -> Diagnosis | None:
    """Return what makes it pointless to look at what was added, if anything does."""
    for which, numbers in (("x", embeddings), ("y", sums)):
        if not np.all(np.isfinite(numbers)):
            *_, row, column = (int(k) for k in np.argwhere(~np.isfinite(numbers))[0])
            return _only("sum-not-finite", sums.shape, code="not-finite", which=which, row=row, column=column)
    if largest <= LARGEST:
        return None
    return _only("sum-too-large", sums.shape, code="too-small", largest=largest, type="float64")


def _of_other_shape(embeddings: np.ndarray, sums: np.ndarray, base: float) -> Diagnosis:
    """Say what a result of another shape than the embeddings may be."""
    x = embeddings.reshape(-1, *embeddings.shape[-2:])
    y = sums.reshape(-1, *sums.shape[-2:]) if sums.ndim > 1 and sums.size else np.empty((0, 0, 0))
    for axis, which in ((2, "columns"), (1, "rows")):
        halves = np.array_split(y, 2, axis)
        for kept, other in (halves, halves[::-1]):
            if kept.shape == other.shape == x.shape and np.allclose(kept, x, rtol=1e-3, atol=1e-6):
                joined = finding("concatenated", which=which)
                return Diagnosis(False, (joined, *diagnose(other[0], base=base).findings), shape=sums.shape)
    tokens = x.reshape(-1, x.shape[2])
    if y.shape == (*tokens.shape[:1] * 2, x.shape[2]):
        for rest in (y - tokens[:, np.newaxis], (y - tokens).swapaxes(0, 1)):
            if np.allclose(rest, rest[0], rtol=1e-3, atol=1e-6):
                stretched = finding("stretched", of_sum=sums.shape)
                return Diagnosis(False, (stretched, *diagnose(rest[0], base=base).findings), shape=sums.shape)
    if y.shape[1:] == x.shape[1:] and np.allclose(y, y[0]):
        alone = diagnose(y[0], base=base)
        if alone.explained is not None and "noisy" not in alone.codes:
            return replace(alone, ok=False, findings=(finding("table-alone"), *alone.findings), shape=sums.shape)
    moved = _of_moved(x, y, base, {"of_sum": sums.shape, "of_x": embeddings.shape})
    if moved is not None:
        return replace(moved, shape=sums.shape)
    same = "Its numbers are as many: was an axis moved, or were two made one?" if sums.size == embeddings.size else ""
    so = same or "Which axis was stretched?"
    return _only("sum-of-other-shape", sums.shape, code="wrong-shape", of_sum=sums.shape, of_x=embeddings.shape, so=so)


def _of_moved(x: np.ndarray, y: np.ndarray, base: float, shapes: dict[str, Any]) -> Diagnosis | None:
    """Say so if the result has the sum with its axes exchanged, without its end, or with another row in front."""
    for code, of_x, of_y in _lined_up(x, y):
        inner = diagnose_sum(of_x, of_y, base=base)
        in_front = code == "row-in-front"
        if inner.ok or (in_front and inner.start == 1.0 and inner.codes[:1] == ("start",)):
            told_of = finding(code, kind="note" if in_front else "mistake", **shapes)
            rest = tuple(one for one in inner.findings if one.code != "start")
            return replace(inner, ok=in_front, findings=(told_of, *rest))
    return None


def _lined_up(x: np.ndarray, y: np.ndarray) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield how a result of another shape may belong to x, and what of both then stands beside one another."""
    if y.ndim != 3 or not y.size:
        return
    for cause, turned in (("axes-exchanged", y.transpose(axes)) for axes in ((1, 0, 2), (0, 2, 1), (1, 2, 0))):
        if turned.shape == x.shape:
            yield cause, x, turned
    if y.shape[::2] == x.shape[::2] and y.shape[1] == x.shape[1] + 1:
        yield "row-in-front", x, y[:, 1:]
    if y.shape[::2] == x.shape[::2] and y.shape[1] < x.shape[1]:
        yield "sum-cut", x[:, : y.shape[1]], y


def _of_added(x: np.ndarray, y: np.ndarray, grain: Grain, base: float) -> Diagnosis | None:
    """Diagnose what was added to x, of shape (B, L, d_model), sentence by sentence; None if it is no encoding."""
    if grain.floor > COARSEST and not np.array_equal(x, y):
        return beside_large(x, y, grain.floor, base)
    padding = padding_in(x)
    wiped: np.ndarray = np.all(y == 0, axis=2) & x.any(axis=2)
    if wiped.any() and not wiped.all():  # by a mask over the sum: they show nothing
        found = _of_added(np.where(wiped[..., np.newaxis], 0.0, x), y, grain, base)
        said = about_wiped(wiped, padding)
        ok = found is not None and found.ok and said.kind == "note"
        if found is not None:
            rest = (one for one in found.findings if one.code != "left-padding-counted")  # it is none, perhaps
            what = f"{found.what.rstrip(',')}, but for those tokens,"
            found = replace(found, ok=ok, findings=(*rest, said), what=what)
        return found
    added, grain = _as_rounded(y - x, grain)
    untouched = np.all(abs(added) <= 2 * grain.floor, axis=2)  # (B, L)
    added[untouched] = 0.0
    added[..., np.all(abs(added) <= min(grain.floor, FINELY) / 2, axis=(0, 1))] = 0.0  # what rounding left
    if untouched.all():
        return _only("not-added", added.shape)
    zero = untouched | (padding & ~padding.all(axis=1, keepdims=True))  # what padding got tells nothing
    zero = untouched if zero.all() else zero
    as_position = _sentence_as_position(added, zero, grain, base)
    if as_position is not None:
        return as_position
    numbers = added[0] - np.arange(added.shape[1])[:, np.newaxis]
    if added.shape[1] > 1 and np.ptp(numbers) <= min(4 * grain.floor, 1 / TELLING):
        return _only("plain-positions", added.shape, start=f"{numbers[0, 0]:g}")
    if np.ptp(added[~zero]) <= min(4 * grain.floor, abs(added[~zero]).min() / TELLING):
        return _only("constant", added.shape, code="not-an-encoding", number=f"{added[~zero][0, 0]:g}")
    for b in _typical(added, zero, grain)[:SENTENCES]:
        proofs = _tables_of(added[b], zero[b], grain, base)
        tables = [compared(x, added, zero, untouched, proof, grain, b) for proof in proofs]
        if tables:
            return min(tables, key=lambda one: sum(each.kind in ("mistake", "undecided") for each in one.findings))
    return None


def _typical(added: np.ndarray, zero: np.ndarray, grain: Grain) -> list[int]:
    """Return the sentences that got anything, first those that are like most others and repeat no row."""
    still = zero.copy()  # tokens that tell nothing new, as padding may
    still[:, 1:] |= np.all(abs(np.diff(added, axis=1)) <= 2 * grain.floor, axis=2)
    few = added[:, evenly(added.shape[1], COLUMNS)][..., evenly(added.shape[2], COLUMNS)].reshape(len(added), -1)
    alike = [np.count_nonzero(np.all(abs(few - one) <= 2 * grain.floor + NEARLY, axis=1)) for one in few]
    order = np.lexsort((still.sum(axis=1), -np.array(alike)))
    return [int(b) for b in order if not zero[b].all()]


def _tables_of(rows: np.ndarray, zero: np.ndarray, grain: Grain, base: float) -> list[Proof]:
    """Return the recipe of what one sentence got, with the empty rows in front of it or without, if that is plainer.

    If positions run on from those empty rows, both: these may have been counted, too.
    """
    told_rows = np.flatnonzero(~zero)
    first, last = int(told_rows[0]), int(told_rows[-1])
    tables = [rows[: last + 1], *([rows[first : last + 1]] if first else [])]
    proofs = (best_proof(table, grain, base) for table in tables if np.ptp(table) > 0)
    found = [one for one in proofs if one is not None]
    good = [one for one in found if one.level != "noisy" or one.recipe.cost == 0]
    best = max(good, key=lambda one: one.rank, default=None)
    if best is not None and first and best is good[-1]:
        line = next((line for line in best.recipe.changed if line.slot == "pos"), None)
        before = float(line.words.get("start", 0)) - first if line is not None else -1.0
        if line is not None and before >= 0:  # each has its own position, the first ones none
            counted = started(replace(best.recipe.without(line), length=last + 1), before)
            whole = attempt(counted)
            if whole is not None and whole.shape == rows[: last + 1].shape:
                again = judge(counted, np.where(zero[: last + 1, np.newaxis], whole, rows[: last + 1]), grain)
                return [best, again] if again is not None and again.explained >= best.explained else [best]
    return [best] if best is not None else []


def _as_rounded(added: np.ndarray, grain: Grain) -> tuple[np.ndarray, Grain]:
    """Return what was added, and its grain, as they were if it was rounded before it was added."""
    decimals: list[Any] = [partial(np.round, decimals=count) for count in range(1, 7)]
    few = added.ravel()[:: 1 + added.size // MANY]  # mostly they are enough to say no
    for way in (*decimals, _in_half):
        if np.any(abs(way(few) - few) > 2 * grain.floor):
            continue
        rounded = way(added)
        found = grain_of(rounded.reshape(-1, rounded.shape[-1]), grain.dtype)
        told = (found.step or 2.0 ** (1 - BITS[found.held_by])) * min(1.0, float(abs(added).max())) > 64 * grain.floor
        if told and np.any(rounded != np.rint(rounded)) and np.all(abs(rounded - added) <= 2 * grain.floor):
            return rounded, replace(found, floor=grain.floor)
    return added, grain


def _in_half(numbers: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return numbers.astype(np.float16).astype(float)


def _sentence_as_position(batch: np.ndarray, zero: np.ndarray, grain: Grain, base: float) -> Diagnosis | None:
    """Say so if every token of a sentence got the row of the sentence's number."""
    batch, zero = (every[~zero.all(axis=1)] for every in (batch, zero))
    if len(batch) < 2:
        return None
    firsts, single = batch[:, 0], batch.shape[1] == 1
    same = (abs(batch - firsts[:, np.newaxis]) <= 2 * grain.floor + 1e-9).all(axis=2) | zero
    alone = (~zero).sum(axis=1).max() < 2  # one token of each tells nothing of the others
    if (alone and not single) or not same.all() or np.ptp(firsts, axis=0).max() <= 2 * grain.floor + 1e-3:
        return None
    proof = best_proof(firsts, grain, base)
    if single and (proof is None or proof.recipe.cost or proof.explained < 1):
        return None
    if proof is None:
        return Diagnosis(False, (finding("sentence-as-position"),), shape=batch.shape)
    of_rows = told(proof)
    rest = tuple(one for one in of_rows.findings if one.kind != "note")
    findings = (finding("sentence-as-position"), *rest)
    return replace(of_rows, ok=False, findings=findings, what="What the sentences got, a row for each of them,")


def _measured(x: np.ndarray, y: np.ndarray) -> Diagnosis:
    """Say what was measured, where nothing gives the numbers."""
    added = y - x
    least, greatest = f"{added.min():.4g}", f"{added.max():.4g}"
    first = finding("not-an-encoding", least=least, greatest=greatest, inside=".", norms="")
    message = "Of what was added: " + first.message.partition(" If this is a sum")[0]
    return Diagnosis(False, (replace(first, message=message),), shape=y.shape)


def _only(cause: str, shape: tuple[int, ...], code: str = "", **words: Any) -> Diagnosis:
    """Return a diagnosis of a single finding."""
    return Diagnosis(False, (finding(code or cause, cause=cause, **words),), shape=shape)
