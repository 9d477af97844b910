"""Diagnose a sum: what was really added to the embeddings, and to which of them."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.diagnosis.causes import CAUSES
from pe_lib.diagnosis.diagnose import diagnose_values
from pe_lib.diagnosis.grain import BITS, Grain, steps
from pe_lib.diagnosis.report import Diagnosis, Finding
from pe_lib.encoding import sinusoidal_encoding


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
        If `x` or `y` is no array of real numbers, `x` has other than two or three axes or numbers that are not finite,
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
    given, total = _checks.finite_array("x", x), _checks.real_array("y", y)
    base = _checks.positive_base(base)
    if given.ndim not in (2, 3) or given.size == 0:
        raise ValueError(
            f"x must have shape (L, d_model) or (B, L, d_model) and numbers in it, got shape {given.shape}"
        )
    embeddings, sums = given.astype(np.float64), total.astype(np.float64)
    if total.shape != given.shape:
        return _of_other_shape(embeddings, total, sums, base)
    if not np.all(np.isfinite(sums)):
        return _only("not-finite", total.shape, "y holds numbers that are not finite. Look for a division by zero, or a "
                     "type too small for its numbers.")  # fmt: skip
    if total.dtype.kind in "iu":
        return _only("integers", total.shape, "y is stored in an integer type, which cuts off the decimals of sines and "
                     "cosines. Turn x into floats before you add.")  # fmt: skip
    dtype = total.dtype.name if total.dtype.name in BITS else "float64"
    coarse = given.dtype.name if given.dtype.name in BITS and BITS[given.dtype.name] < BITS[dtype] else dtype
    best: Diagnosis | None = None
    for factor in (1.0, math.sqrt(given.shape[-1])):
        added = sums - factor * embeddings
        floor = 2.0 * float(
            steps(np.maximum(abs(sums), abs(factor * embeddings)), dtype if factor == 1.0 else coarse).max()
        )
        found = _of_added(embeddings, added, dtype, floor, base)
        if "not-an-encoding" not in found.codes and "not-added" not in found.codes:
            if factor == 1.0:
                return found
            scaled = _finding("embeddings-scaled", "variant", factor=f"{factor:.6g}")
            return replace(found, findings=(scaled, *found.findings))
        best = best or found
    return _multiplied(embeddings, sums, dtype, base) or best or found


def _of_other_shape(embeddings: np.ndarray, total: np.ndarray, sums: np.ndarray, base: float) -> Diagnosis:
    """Say what a result of another shape than the embeddings may be."""
    d_model = embeddings.shape[-1]
    if total.shape == (*embeddings.shape[:-1], 2 * d_model):
        for kept, other in ((sums[..., :d_model], sums[..., d_model:]), (sums[..., d_model:], sums[..., :d_model])):
            if np.allclose(kept, embeddings, rtol=1e-3, atol=1e-6):
                table = other.reshape(-1, *other.shape[-2:])[0]
                of_table = diagnose_values(table, _grain(total, 0.0), base) if np.ptp(table) else None
                found = of_table.findings if of_table is not None else ()
                joined = _finding("concatenated", d_model=d_model, width=2 * d_model)
                return Diagnosis(False, (joined, *found), shape=total.shape)
    return _only("wrong-shape", total.shape, f"y has shape {total.shape} and x has shape {embeddings.shape}: a sum with the "
                 "encoding has the shape of x. Which axis was stretched?")  # fmt: skip


def _of_added(embeddings: np.ndarray, added: np.ndarray, dtype: str, floor: float, base: float) -> Diagnosis:
    """Diagnose what was added, sentence by sentence."""
    batch = added.reshape(-1, *added.shape[-2:])
    words = embeddings.reshape(batch.shape)
    zero = np.all(abs(batch) <= 2 * floor, axis=2)  # (B, L)
    padding = np.all(words == 0, axis=2)
    if zero.all():
        return _only("not-added", added.shape, CAUSES["not-added"])
    grain = Grain(dtype, dtype, None, floor)
    by_sentence = _sentence_as_position(batch, zero, grain, base)
    if by_sentence is not None:
        return replace(by_sentence, shape=added.shape)
    numbers = batch[0] - np.arange(batch.shape[1])[:, np.newaxis]
    if batch.shape[1] > 1 and np.ptp(numbers) <= 4 * floor:
        return _only("plain-positions", added.shape, CAUSES["plain-positions"].format(start=f"{numbers[0, 0]:g}"))
    masked = _after_last(zero)
    table = batch[0].copy()
    for sentence, empty in zip(batch, zero, strict=True):  # a row from the first sentence that has one there
        missing = np.all(abs(table) <= 2 * floor, axis=1) & ~empty
        table[missing] = sentence[missing]
    differs = (abs(batch - table) > 4 * floor + 1e-9).any(axis=2) & ~zero
    found: list[Finding] = []
    if differs.any():
        b, row = (int(k) for k in np.argwhere(differs)[0])
        found.append(_finding("sentences-differ", row=row, b=b, r=row))
    end = int(np.flatnonzero(~np.all(masked, axis=0))[-1]) + 1
    if np.ptp(table[:end]) <= 4 * floor:
        return _only(
            "not-an-encoding", added.shape, f"{table[0, 0]:g} was added to every number: nothing depends on a position."
        )
    of_table = diagnose_values(table[:end], grain, base)
    if "not-an-encoding" in of_table.codes:
        return replace(of_table, shape=added.shape)
    found += of_table.findings
    if of_table.scale == 2.0:
        found = [_finding("added-twice") if finding.code == "scale" else finding for finding in found]
    if len(batch) > 1 and masked.any() and np.all(zero == zero[0]) and padding.any() and np.any(padding != padding[0]):
        found.append(_finding("one-mask-for-all", row=end, r=end))
    elif np.any(padding & ~zero) and np.any(~padding):
        b, row = (int(k) for k in np.argwhere(padding & ~zero)[0])
        found.append(_finding("padding-not-masked", "note", row=row, r=row, b=b))
    ok = of_table.ok and not any(finding.kind == "mistake" for finding in found)
    return replace(of_table, ok=ok, findings=tuple(found), shape=(end, added.shape[-1]) if not found else added.shape)


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
    return replace(of_rows, ok=False, findings=(_finding("sentence-as-position"), *rest))


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
                    return Diagnosis(False, (_finding("multiplied"),), base, layout, float(start), 1.0, sums.shape)
    return None


def _after_last(zero: np.ndarray) -> np.ndarray:
    """Mark the rows of zeros at the end of each sentence."""
    return np.logical_and.accumulate(zero[:, ::-1], axis=1)[:, ::-1]


def _grain(array: np.ndarray, floor: float) -> Grain:
    dtype = array.dtype.name if array.dtype.name in BITS else "float64"
    return Grain(dtype, dtype, None, floor)


def _finding(code: str, kind: str = "mistake", *, row: int | None = None, **words: object) -> Finding:
    return Finding(code, CAUSES[code].format(**words), kind, row=row)


def _only(code: str, shape: tuple[int, ...], message: str) -> Diagnosis:
    return Diagnosis(False, (Finding(code, message),), shape=shape)
