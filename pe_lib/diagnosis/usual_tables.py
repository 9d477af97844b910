"""What was made of embeddings and one of the tables that are used most: each is tried as it is, nothing is searched."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from pe_lib.diagnosis.measure import SOME, evenly
from pe_lib.diagnosis.prove import dropout
from pe_lib.diagnosis.report import Diagnosis, finding
from pe_lib.diagnosis.sentences import about_wiped
from pe_lib.encoding import sinusoidal_encoding


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
    for table, said in _usual(y.shape, base):
        if next(_made(x[some], told[some], table[at[some]], room), None) is None:
            continue
        for code, words in _made(x, told, table[at], room):
            return replace(said, ok=False, findings=(finding(code, **words), *said.findings, *wiped))
    return None


def _usual(shape: tuple[int, ...], base: float) -> Iterator[tuple[np.ndarray, Diagnosis]]:
    """Yield the tables that are added most often, and what is said of a sum of this shape with each."""
    for layout, start in product(("interleaved", "halves"), (0, 1)):
        found = [finding("halves")] if layout == "halves" else []
        found += [finding("start", row=0, at=0, first=start, start=start, why="")] if start else []
        said = Diagnosis(not start, tuple(found), base, layout, float(start), 1.0, shape=shape)
        yield sinusoidal_encoding(*shape[1:], base=base, layout=layout, start=start), said


def _made(x: np.ndarray, y: np.ndarray, table: np.ndarray, room: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what gives y from x and the encoding."""
    if np.all(abs(y - (x + table)) <= room):
        return  # where x is 1, x + table is x · (1 + table)
    if x.any():
        both = np.column_stack([x.ravel(), table.ravel()])
        (a, b), *_ = np.linalg.lstsq(both, y.ravel(), rcond=None)
        if np.all(np.isfinite((a, b))) and np.all(abs(a * x + b * table - y) <= room):
            a, b = round(float(a), 6) + 0.0, round(float(b), 6) + 0.0
            if abs(a) < 1e-2 and abs(b - 1) < 1e-2:
                yield "table-alone", {}
            elif abs(b) > 1e-2 and min(abs(abs(a) - one) for one in (0.0, 1.0, math.sqrt(x.shape[1]))) > 1e-2:
                so = ", such as a mean" if abs(a + b - 1) < 1e-6 else ""
                yield "mean-of-both" if a != b or so else "sum-scaled", {"a": a, "b": b, "so": so}
        for plus in (0.0, 1.0):
            if np.all(abs(y - x * (plus + table)) <= room):
                yield "multiplied", {"product": "x · (1 + PE)" if plus else "x · PE"}
    yield from _changed(x, y, table, room)


def _changed(x: np.ndarray, y: np.ndarray, table: np.ndarray, room: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what was done to the sum, or to that with scaled embeddings."""
    for scaled in dict.fromkeys((1.0, math.sqrt(x.shape[1]))):
        right = scaled * x + table
        spread = right.std(axis=1, keepdims=True)
        centred = right - right.mean(axis=1, keepdims=True)
        for tiny in (0.0, 1e-5, 1e-6, 1e-12):
            if np.all(abs(centred / np.sqrt(spread**2 + tiny + 1e-300) - y) <= 0.25 * room):
                yield "sum-normalised", {"how": "mean 0 and spread 1, as a layer norm does"}
        if x.shape[1] > 1 and np.all(
            abs(right / (np.linalg.norm(right, axis=1, keepdims=True) + 1e-300) - y) <= 0.25 * room
        ):
            yield "sum-normalised", {"how": "length 1"}
        of = "x" if scaled == 1 else f"{scaled:.6g} · x"
        ways = (
            (right, 0.0, f"the sum of {of} and the encoding", ""),
            (scaled * x, table, of, ", before the encoding was added"),
        )
        for made, after, what, so in ways:
            told = np.where(abs(made) > room, made, 0.0)
            kept = (told != 0) & (abs(y - after) > room * bool(so))
            factor = float(np.median((y - after)[kept] / made[kept])) if kept.any() else 0.0
            zeros = (told != 0) & ~kept
            fits = zeros.any() and factor > 1.001 and np.all(abs(factor * made - (y - after))[kept] <= room * factor)
            if fits and dropout(factor, zeros, told) is not None:
                of_all = f"{100 * zeros.sum() / np.count_nonzero(told):.0f} %"
                yield "sum-dropout", {"share": of_all, "factor": f"{factor:.4g}", "of": what, "so": so}
