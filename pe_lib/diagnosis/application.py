"""Diagnose a sum: what was really added to the embeddings, and to which of them."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.diagnosis.causes import ASK, CAUSES, finding
from pe_lib.diagnosis.diagnose import diagnose, diagnose_values
from pe_lib.diagnosis.grain import BITS, Grain, steps
from pe_lib.diagnosis.report import Diagnosis, Finding
from pe_lib.encoding import sinusoidal_encoding

LARGEST = 1e12  # numbers beside which a sine still has four digits
NOTHING = {"not-an-encoding", "not-added", "noisy", "angles"}  # said of what was not read


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
    given, total = _checks.real_array("x", x), _checks.real_array("y", y)
    base = _checks.positive_base(base)
    if given.ndim not in (2, 3) or given.size == 0:
        raise ValueError(f"x must have shape (L, d_model) or (B, L, d_model), with numbers in it, got {given.shape}")
    embeddings, sums = given.astype(np.float64), total.astype(np.float64)
    for which, numbers in (("x", embeddings), ("y", sums)):
        if not np.all(np.isfinite(numbers)):
            *_, row, column = (int(k) for k in np.argwhere(~np.isfinite(numbers))[0])
            message = CAUSES["sum-not-finite"].format(which=which, r=row, c=column)
            return Diagnosis(False, (Finding("not-finite", message, column=column, row=row),), shape=total.shape)
    largest = max(float(abs(sums).max()), float(abs(embeddings).max()))
    if largest > LARGEST:
        return _only("sum-too-large", total.shape, largest=largest)
    if total.shape != given.shape:
        return _of_other_shape(embeddings, total, base)
    if total.dtype.kind in "iu":
        return _only("sum-of-integers", total.shape)
    dtype = total.dtype.name if total.dtype.name in BITS else "float64"
    finest = given.dtype.name if given.dtype.name in BITS and BITS[given.dtype.name] < BITS[dtype] else dtype
    unscaled = _of_added(embeddings, sums - embeddings, Grain(dtype, dtype, None, _room(sums, embeddings, dtype)), base)
    if not NOTHING & set(unscaled.codes):
        return unscaled
    larger = math.sqrt(given.shape[-1]) * embeddings
    scaled = _of_added(embeddings, sums - larger, Grain(dtype, dtype, None, _room(sums, larger, finest)), base)
    if not NOTHING & set(scaled.codes):
        variant = finding("embeddings-scaled", kind="variant", factor=f"{math.sqrt(given.shape[-1]):.6g}")
        return replace(scaled, findings=(*scaled.findings, variant))
    return _multiplied(embeddings, sums, dtype, base) or unscaled


def _room(sums: np.ndarray, embeddings: np.ndarray, dtype: str) -> float:
    """Return how far a difference of two rounded numbers may be off."""
    return 2.0 * float(steps(np.maximum(abs(sums), abs(embeddings)), dtype).max())


def _of_other_shape(embeddings: np.ndarray, sums: np.ndarray, base: float) -> Diagnosis:
    """Say what a result of another shape than the embeddings may be."""
    d_model = embeddings.shape[-1]
    if sums.shape == (*embeddings.shape[:-1], 2 * d_model):
        left, right = sums[..., :d_model], sums[..., d_model:]
        for kept, other in ((left, right), (right, left)):
            if np.allclose(kept, embeddings, rtol=1e-3, atol=1e-6):
                joined = finding("concatenated", d_model=d_model, width=2 * d_model)
                of_table = diagnose(other.reshape(-1, *other.shape[-2:])[0], base=base)
                return Diagnosis(False, (joined, *of_table.findings), shape=sums.shape)
    return _only("sum-of-other-shape", sums.shape, of_sum=sums.shape, of_x=embeddings.shape)


def _of_added(embeddings: np.ndarray, added: np.ndarray, grain: Grain, base: float) -> Diagnosis:
    """Diagnose what was added, sentence by sentence."""
    batch = added.reshape(-1, *added.shape[-2:])
    zero = np.all(abs(batch) <= 2 * grain.floor, axis=2)  # (B, L)
    if zero.all():
        return _only("not-added", added.shape)
    by_sentence = _sentence_as_position(batch, zero, grain, base)
    if by_sentence is not None:
        return replace(by_sentence, shape=added.shape)
    numbers = batch[0] - np.arange(batch.shape[1])[:, np.newaxis]
    if batch.shape[1] > 1 and np.ptp(numbers) <= 4 * grain.floor:
        return _only("plain-positions", added.shape, start=f"{numbers[0, 0]:g}")
    table = _shared_table(batch, zero)
    if np.ptp(table) <= 4 * grain.floor:
        constant = Finding("not-an-encoding", CAUSES["constant"].format(number=f"{table[0, 0]:g}"))
        return Diagnosis(False, (constant,), shape=added.shape)
    of_table = diagnose_values(table, grain, base)
    if NOTHING & set(of_table.codes):
        first = of_table.findings[0]
        first = replace(first, message="Of what was added: " + first.message.replace(ASK, ""))
        return replace(of_table, findings=(first, *of_table.findings[1:]), shape=added.shape)
    words = embeddings.reshape(batch.shape)
    found = [*_about_sentences(batch, table, zero, grain), *of_table.findings, *_about_padding(words, zero, len(table))]
    if of_table.scale == 2.0:
        found = [finding("added-twice") if one.code == "scale" else one for one in found]
    ok = of_table.ok and not any(one.kind == "mistake" for one in found)
    return replace(of_table, ok=ok, findings=tuple(found))


def _shared_table(batch: np.ndarray, zero: np.ndarray) -> np.ndarray:
    """Return what was added at each position: a row of the first sentence that has one there; no padding at the end."""
    first = (~zero).argmax(axis=0)
    table: np.ndarray = batch[first, np.arange(batch.shape[1])]
    return table[: int(np.flatnonzero(~zero.all(axis=0))[-1]) + 1]


def _about_sentences(batch: np.ndarray, table: np.ndarray, zero: np.ndarray, grain: Grain) -> Iterator[Finding]:
    """Say so if sentences got different rows at the same position."""
    length = len(table)
    differs = (abs(batch[:, :length] - table) > 4 * grain.floor + 1e-9).any(axis=2) & ~zero[:, :length]
    if differs.any():
        b, row = (int(k) for k in np.argwhere(differs)[0])
        yield finding("sentences-differ", row=row, b=b, r=row)


def _about_padding(words: np.ndarray, zero: np.ndarray, end: int) -> Iterator[Finding]:
    """Say so if one mask was used for all sentences, or none."""
    padding = np.all(words == 0, axis=2)  # (B, L)
    left_out = np.logical_and.accumulate(zero[:, ::-1], axis=1)[:, ::-1]  # rows of zeros at the end of a sentence
    if len(words) > 1 and left_out.any() and np.all(zero == zero[0]) and np.any(padding != padding[0]):
        yield finding("one-mask-for-all", row=end, r=end)
    elif np.any(padding & ~zero) and not padding.all():
        b, row = (int(k) for k in np.argwhere(padding & ~zero)[0])
        yield finding("padding-not-masked", kind="note", row=row, r=row, b=b)


def _sentence_as_position(batch: np.ndarray, zero: np.ndarray, grain: Grain, base: float) -> Diagnosis | None:
    """Say so if every token of a sentence got the row of the sentence's number."""
    if len(batch) < 2 or batch.shape[1] < 2:
        return None
    firsts = batch[:, 0]
    same = (abs(batch - firsts[:, np.newaxis]) <= 4 * grain.floor + 1e-9).all(axis=2) | zero
    if not same.all() or np.ptp(firsts, axis=0).max() <= 1e-3:
        return None
    of_rows = diagnose_values(firsts, grain, base)
    rest = () if "not-an-encoding" in of_rows.codes else tuple(f for f in of_rows.findings if f.kind != "note")
    return replace(of_rows, ok=False, findings=(finding("sentence-as-position"), *rest))


def _multiplied(embeddings: np.ndarray, sums: np.ndarray, dtype: str, base: float) -> Diagnosis | None:
    """Say so if the embeddings were multiplied by the encoding in place of added to it."""
    length, d_model = embeddings.shape[-2:]
    room = 8 * steps(np.maximum(abs(sums), abs(embeddings)), dtype)
    if not np.any(embeddings):
        return None
    for layout in ("interleaved", "halves"):
        for start in (0, 1):
            table = sinusoidal_encoding(length, d_model, base=base, layout=layout, start=start)
            for plus in (0.0, 1.0):
                if np.all(abs(sums - embeddings * (plus + table)) <= room + 1e-12):
                    return Diagnosis(False, (finding("multiplied"),), base, layout, float(start), 1.0, sums.shape)
    return None


def _only(code: str, shape: tuple[int, ...], **words: object) -> Diagnosis:
    """Return a diagnosis of a single finding."""
    short = {"sum-too-large": "too-small", "sum-of-integers": "integers", "sum-of-other-shape": "wrong-shape"}
    return Diagnosis(False, (Finding(short.get(code, code), CAUSES[code].format(**words)),), shape=shape)
