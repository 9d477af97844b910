"""What was made of embeddings and one of the tables that are used most: each is tried as it is, nothing is searched."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from pe_lib.diagnosis.measure import SOME, evenly
from pe_lib.diagnosis.noise import dropout
from pe_lib.diagnosis.plain_numbers import plainest
from pe_lib.diagnosis.report import Diagnosis, finding
from pe_lib.diagnosis.sentences import about_wiped
from pe_lib.encoding import sinusoidal_encoding

ALIKE = 1e-3  # of their size: so near are lengths that are one
LOOSEST = 0.05  # so near are factors known, at least, that are said
TELLING = 16  # times as far apart as they may be off: so are numbers that tell what was done


def beside_large(x: np.ndarray, y: np.ndarray, floor: float, base: float) -> Diagnosis | None:
    """Say what was added to numbers so large that most of them leave no digits for it, from those that leave some."""
    room = floor * (abs(x) + abs(y) + 1) / max(abs(x).max(), abs(y).max())
    padding = np.all((x == 0) & (y == 0), axis=2, keepdims=True)
    added = y - x
    if np.all((abs(added) <= room) | padding):
        return None
    fits = [said for table, said in _usual(y.shape, base) if np.all((abs(added - table) <= room) | padding)]
    return fits[0] if len(fits) == 1 else None


def otherwise(x: np.ndarray, y: np.ndarray, room: float, base: float) -> Diagnosis | None:
    """Say what else than a sum it is, if that gives all its numbers: a mixture, a product, what was done to a sum."""
    padding: np.ndarray = np.all(x == 0, axis=2)
    empty: np.ndarray = np.all(y == 0, axis=2)  # they show nothing but a mask
    if empty.all() or np.count_nonzero(empty & ~padding) >= np.count_nonzero(~empty):
        return None
    wiped = [about_wiped(empty & ~padding, padding)] if np.any(empty & ~padding) else []
    x, told, at = x[~empty], y[~empty], np.nonzero(~empty)[1]  # tokens, and their positions
    filled = np.flatnonzero(x.any(axis=1)) if x.any() else np.arange(len(x))
    some = filled[evenly(len(filled), SOME)]  # which most often say no
    if np.std(told) < TELLING * room:
        return None
    for table, said in _usual(y.shape, base):
        if next(_made(x[some], told[some], table[at[some]], said.layout, room), None) is None:
            continue
        for code, words in _made(x, told, table[at], said.layout, room):
            return replace(said, ok=False, findings=(finding(code, **words), *said.findings, *wiped))
    return None


def _usual(shape: tuple[int, ...], base: float) -> Iterator[tuple[np.ndarray, Diagnosis]]:
    """Yield the tables that are added most often, and what is said of a sum of this shape with each."""
    for layout, start in product(("interleaved", "halves"), (0, 1)):
        found = [finding("halves")] if layout == "halves" else []
        found += [finding("start", row=0, at=0, first=start, start=start, why="")] if start else []
        said = Diagnosis(not start, tuple(found), base, layout, float(start), 1.0, shape=shape)
        yield sinusoidal_encoding(*shape[1:], base=base, layout=layout, start=start), said


def _made(
    x: np.ndarray, y: np.ndarray, table: np.ndarray, layout: str | None, room: float
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what gives y from x and the encoding."""
    if np.all(abs(y - (x + table)) <= room):
        return  # where x is 1, x + table is x · (1 + table)
    if x.any(axis=1).all() and np.rint(table).any() and np.all(abs(y - (x + np.rint(table))) <= room):
        yield "integers", {"cause": "table-of-integers"}
    if x.any():
        yield from _weighted(x, y, table, room)
        for plus in (0.0, 1.0):
            if np.all(abs(y - x * (plus + table)) <= room):
                yield "multiplied", {"product": "x · (1 + PE)" if plus else "x · PE"}
        if x.shape[1] % 2 == 0 and np.all(abs(y - _turned(x, table, layout)) <= room):
            yield "turned", {}
    yield from _changed(x, y, table, room)


def _weighted(x: np.ndarray, y: np.ndarray, table: np.ndarray, room: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is said of a sum of multiples of x and the encoding."""
    d_model, both = x.shape[1], np.column_stack([x.ravel(), table.ravel()])
    found, *_ = np.linalg.lstsq(both, y.ravel(), rcond=None)
    loose = np.maximum(room / np.sqrt((both**2).mean(axis=0) + 1e-300), 1e-6)
    if np.all(abs(y - table) <= room):
        yield "table-alone", {}
        return
    if loose.max() > LOOSEST or not np.isfinite(found).all() or np.any(abs(both @ found - y.ravel()) > room):
        return
    a, b = (plainest(*ends) for ends in zip(found - loose, found + loose, strict=True))
    known = {d_model**-0.5: ": x was divided by sqrt(d_model)", d_model: ": x was multiplied by d_model"}
    usual = min(abs(abs(a) - one) for one in (1.0, math.sqrt(d_model))) <= max(1e-2, 2 * loose[0])
    if abs(a) > 2 * loose[0] and abs(b) > 1e-2 and not usual:
        so = next((said for size, said in known.items() if b == 1 and abs(a - size) < 1e-3 * size), "")
        so = ", such as a mean" if abs(a + b - 1) < 1e-6 else so
        yield "mean-of-both" if a != b or so else "sum-scaled", {"a": a, "b": b, "so": so}


def _turned(x: np.ndarray, table: np.ndarray, layout: str | None) -> np.ndarray:
    """Return x with each pair turned by its angle, as RoPE does."""
    half = x.shape[1] // 2
    even, odd = (np.s_[:, :half], np.s_[:, half:]) if layout == "halves" else (np.s_[:, 0::2], np.s_[:, 1::2])
    made = np.empty_like(x)
    made[even] = x[even] * table[odd] - x[odd] * table[even]
    made[odd] = x[even] * table[even] + x[odd] * table[odd]
    return made


def _brought(rows: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield what rows may be brought to, and the rows that come of it."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    for tiny in (0.0, 1e-5, 1e-6, 1e-12):
        size = np.sqrt(centred.var(axis=1, keepdims=True) + tiny + 1e-300)
        yield "mean 0 and spread 1, as a layer norm does", centred / size
        size = np.sqrt((rows**2).mean(axis=1, keepdims=True) + tiny + 1e-300)
        if np.ptp(size) > ALIKE * size.max():  # else it is a scale
            yield "a mean square of 1, as an RMS norm does", rows / size
    size = np.linalg.norm(rows, axis=1, keepdims=True) + 1e-300
    if np.ptp(size) > ALIKE * size.max():
        yield "length 1", rows / size


def _changed(x: np.ndarray, y: np.ndarray, table: np.ndarray, room: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what was done to the sum, or to the embeddings before."""
    for scaled in dict.fromkeys((1.0, math.sqrt(x.shape[1]))):
        of = "x" if scaled == 1 else f"{scaled:.6g} · x"
        both, before = f"the sum of {of} and the encoding", ", before the encoding was added"
        for made, after, what, so in ((scaled * x + table, 0.0, both, ""), (scaled * x, table, of, before)):
            for how, rows in _brought(made) if x.shape[1] > 1 else ():
                if np.all(abs(rows + after - y) <= 0.25 * room):
                    yield "sum-normalised", {"of": what, "how": how, "so": so}
            told = np.where(abs(made) > 8 * room, made, 0.0)
            kept = (told != 0) & (abs(y - after) > room * bool(so))
            factor = float(np.median((y - after)[kept] / made[kept])) if kept.any() else 0.0
            factor = 1.0 if abs(factor - 1) < 1e-3 else factor
            zeros = (told != 0) & ~kept
            others = np.all(abs(factor * made - (y - after))[kept] <= room * factor)
            left_out = factor >= 1 and others and np.all(abs(y - after)[zeros | (made == 0)] <= room)
            untouched = np.all(abs(y - x) <= room, axis=1)  # which got no encoding, where x is 1
            if left_out and np.any(zeros[~untouched]) and dropout(factor, zeros, told) is not None:
                share = f"{100 * zeros.sum() / np.count_nonzero(told):.0f} %"
                cause = "sum-dropout" if factor > 1 else "sum-thinned"
                yield "sum-dropout", {"cause": cause, "share": share, "factor": f"{factor:.4g}", "of": what, "so": so}
