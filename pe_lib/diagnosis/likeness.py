"""What was made of the right encoding: its numbers at other places, changed one by one, row by row or column by column.

This is asked when a matrix does not read as sines and cosines in rows and columns: it is compared with the encoding it
should be, and whatever is said must give all of its numbers again.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from pe_lib.diagnosis.causes import CAUSES, finding
from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.report import Diagnosis, Finding, some
from pe_lib.encoding import sinusoidal_encoding

CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "their absolute values": np.abs,
    "their squares": np.square,
    "what is left when negative numbers are set to 0": lambda x: np.maximum(x, 0.0),
    "their signs": np.sign,
    "their exponentials": np.exp,
    "their hyperbolic tangents": np.tanh,
}
OTHERS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {  # of positions (L, 1) and columns (d_model,)
    "a 1 at the place of its position, and zeros": lambda pos, j: np.equal(pos, j).astype(float),
    "its number in every column": lambda pos, j: pos + 0 * j,
    "the bits of its number, the smallest first": lambda pos, j: pos // 2.0**j % 2,
    "the bits of its number, the largest first": lambda pos, j: pos // 2.0 ** j[::-1] % 2,
}
Way = tuple[str, int | None, dict[str, Any]]  # code, column, words


def likeness(values: np.ndarray, grain: Grain, base: float) -> Diagnosis | None:
    """Return what the matrix has to do with the right encoding, or None if nothing is seen."""
    if min(values.shape) < 2 or values.size < 8:
        return None
    size = max(1.0, float(abs(values).max()))
    room = 8 * grain.noise(size) * size + 1e-10
    pos, j = np.arange(float(len(values)))[:, np.newaxis], np.arange(values.shape[1])
    for other, make in OTHERS.items():
        if _same(values, partial(_made, make, pos, j), room):
            return _said(values, base, "", None, ("other-encoding", None, {"words": other}))
    for layout in ("interleaved", "halves"):
        for start in (0, 1):
            right = sinusoidal_encoding(*values.shape, base=base, layout=layout, start=start)
            for looked_at in (_empty, _elsewhere, _changed, _scaled):
                for way in looked_at(values, right, room):
                    return _said(values, base, layout, start, way)
        for way in _moved(values, base, layout, room):
            return _said(values, base, layout, None, way)
    return None


def _same(values: np.ndarray, make: Callable[[slice], np.ndarray], room: float) -> bool:
    """Say whether numbers made for some rows are the given ones: a few rows are asked first."""
    return all(np.all(abs(values[rows] - make(rows)) <= room) for rows in (slice(0, 8), slice(None)))


def _made(
    make: Callable[[np.ndarray, np.ndarray], np.ndarray], pos: np.ndarray, j: np.ndarray, rows: slice
) -> np.ndarray:
    return make(pos[rows], j)


def _made_of(change: Callable[[np.ndarray], np.ndarray], right: np.ndarray, rows: slice) -> np.ndarray:
    return change(right[rows])


def closeness(values: np.ndarray, base: float) -> Finding | None:
    """Say so if all numbers are near the right ones, and few are just these."""
    if abs(values).max() > 4:
        return None
    off = abs(values - sinusoidal_encoding(*values.shape, base=base))
    size = float(np.sqrt(np.mean(off**2)))
    if values.size < 32 or size >= 0.2 or np.mean(off <= 0.01 * size) >= 0.2:
        return None
    return Finding("noisy", CAUSES["noisy"].format(off=f"{size:.2g}"))


def _empty(values: np.ndarray, right: np.ndarray, room: float) -> Iterator[Way]:
    """Yield the columns that are all 0, or the same in all rows, if the others are right."""
    same = np.all(abs(values - right) <= room, axis=0)
    empty = np.flatnonzero(~same)
    if same.mean() >= 0.25 and len(empty) and len(values) > 2 and np.all(values[:, empty] == values[0, empty]):
        what = f"Column {empty[0]} is" if len(empty) == 1 else f"{len(empty)} columns ({some(empty)}) are"
        code = "columns-still" if np.any(values[:, empty]) else "columns-empty"
        yield code, int(empty[0]), {"what": what}


def _elsewhere(values: np.ndarray, right: np.ndarray, room: float) -> Iterator[Way]:
    """Yield how the right numbers came to stand at other places."""
    if abs(values.sum() - right.sum()) > room * values.size:
        return
    if not np.all(abs(np.sort(values, axis=None) - np.sort(right, axis=None)) <= room):
        return
    places = _places(values, right, room)
    if places is not None:
        column = int(np.flatnonzero(places != np.arange(len(places)))[0])
        yield "columns-out-of-order", column, {"at": column, "which": int(places[column]), "shown": some(places, 10)}
    yield "rearranged", None, {"how": _how(values, right, room)}


def _places(values: np.ndarray, right: np.ndarray, room: float) -> np.ndarray | None:
    """Return for each column which column of the right encoding it is, if each is another one; None otherwise."""
    rows = np.unique(np.linspace(0, len(values) - 1, min(len(values), 6)).astype(int))
    missed = abs(values[rows, :, np.newaxis] - right[rows, np.newaxis, :]).max(axis=0)
    places: np.ndarray = missed.argmin(axis=1)
    if len(set(places.tolist())) < len(places) or np.any(abs(values - right[:, places]) > room):
        return None
    return places


def _how(values: np.ndarray, right: np.ndarray, room: float) -> str:
    """Say how numbers came to other places, if one of the usual ways gives the matrix."""
    sines, cosines = right[:, 0::2], right[:, 1::2]
    if sines.shape == cosines.shape:
        stacked = np.stack([sines, cosines], axis=0).reshape(values.shape)
        if np.all(abs(values - stacked) <= room):
            return "they were stacked on axis 0, so that all sines are read before the first cosine. Use the last axis."
    if np.all(abs(values - right.T.reshape(values.shape)) <= room):
        return "it was transposed, then reshaped to (L, d_model). What was transposed is turned back by transposing."
    return "look for a reshape, a flatten or an order of axes."


def _changed(values: np.ndarray, right: np.ndarray, room: float) -> Iterator[Way]:
    """Yield what was made of each number."""
    for words, change in CHANGES.items():
        if _same(values, partial(_made_of, change, right), room):
            yield "changed", None, {"words": words}
    first = right[0]
    if np.all(abs(first[0::2]) <= room) and np.all(abs(first[1::2] - 1) <= room):  # position 0, interleaved
        yield from _without_columns(values, right, room)
    pairs = right.shape[1] // 2
    with np.errstate(divide="ignore", invalid="ignore"):
        tangents = right[:, 0 : 2 * pairs : 2] / right[:, 1::2]
    if np.all(abs(values[:, 0::2] - right[:, 0::2]) <= room) and np.allclose(values[:, 1::2], tangents, rtol=1e-6):
        yield "tangents", 1, {}


def _without_columns(values: np.ndarray, right: np.ndarray, room: float) -> Iterator[Way]:
    """Yield so if there is no sine and cosine at all, or if the row in place of the column decides between them."""
    sines = np.repeat(right[:, 0::2], 2, axis=1)[:, : right.shape[1]]
    if right.shape[1] % 2 == 0:
        by_rows = np.where(np.arange(len(values))[:, np.newaxis] % 2 == 0, sines, np.repeat(right[:, 1::2], 2, axis=1))
        if len(values) > 2 and np.all(abs(values - by_rows) <= room):
            yield "rows-for-columns", None, {}
    steps = values[1] - values[0]
    grows = np.all(abs(np.diff(values, axis=0) - steps) <= 10 * room) and not np.any(values[0])
    if grows and np.all(steps > 0) and np.all(abs(np.sin(steps) - sines[1]) <= min(10 * room, 1e-3)):
        yield "no-sines", None, {}


def _scaled(values: np.ndarray, right: np.ndarray, room: float) -> Iterator[Way]:
    """Yield what rows or columns were multiplied by, each by something else."""
    factors = (values * right).sum(axis=1) / (right * right).sum(axis=1)
    if np.ptp(factors) > 1e-3 and np.all(abs(values - factors[:, np.newaxis] * right) <= room):
        by = ", ".join(f"{factor:.4g}" for factor in factors[:4])
        by = "its position" if np.allclose(factors, np.arange(len(values))) else f"a number of its own: {by}, …"
        yield "rows-scaled", None, {"by": by}
    spread, right_spread = values - values.mean(axis=0), right - right.mean(axis=0)
    if len(values) > 3 and np.all(right_spread.any(axis=0)):
        factors = (spread * right_spread).sum(axis=0) / (right_spread**2).sum(axis=0)
        if (
            np.ptp(factors) > 1e-3
            and abs(factors).min() > 1e-6
            and np.all(abs(spread - factors * right_spread) <= 10 * room)
        ):
            standard = np.allclose(values.mean(axis=0), 0, atol=1e-6) and np.allclose(values.std(axis=0), 1, rtol=0.1)
            yield "columns-scaled", None, {"words": " to mean 0 and spread 1" if standard else ""}


def _moved(values: np.ndarray, base: float, layout: str, room: float) -> Iterator[Way]:
    """Yield so if some columns count positions from one number and the others from another."""
    tables = [sinusoidal_encoding(*values.shape, base=base, layout=layout, start=start) for start in (0, 1, 2)]
    fits = np.array([np.all(abs(values - table) <= room, axis=0) for table in tables])  # (starts, columns)
    first = int(fits[:, 0].argmax())
    others = np.flatnonzero(fits.any(axis=0) & ~fits[first])
    if fits.any(axis=0).all() and fits[:, 0].any() and len(others):
        column = int(others[0])
        yield "columns-moved", column, {"at": column, "other": int(fits[:, column].argmax()), "first": first}


def _said(values: np.ndarray, base: float, layout: str, start: int | None, way: Way) -> Diagnosis:
    """Return the diagnosis that says one way, and what layout and first position are."""
    code, column, words = way
    found = [Finding(code, CAUSES[code].format(**words), column=column)]
    if start and code != "rearranged":
        found.append(finding("start", row=0, at=0, first=start, start=start, why=""))
    if layout == "halves":
        found.append(finding("halves", column=1))
    known = None if start is None else float(start)
    return Diagnosis(False, tuple(found), base if layout else None, layout or None, known, None, values.shape)
