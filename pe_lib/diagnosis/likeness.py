"""What was made of the right encoding: its numbers at other places, changed one by one, row by row or column by column.

This is asked when a matrix does not read as sines and cosines in rows and columns: it is compared with the encoding it
should be, and whatever is said must give all of its numbers again.
"""

from collections.abc import Iterator

import numpy as np

from pe_lib.diagnosis.causes import CAUSES
from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.report import Diagnosis, Finding
from pe_lib.encoding import sinusoidal_encoding

CHANGES = {
    "their absolute values": np.abs,
    "their squares": np.square,
    "what is left when negative numbers are set to 0": lambda x: np.maximum(x, 0.0),
    "their signs": np.sign,
    "their exponentials": np.exp,
    "their hyperbolic tangents": np.tanh,
}
OTHERS = {
    "a 1 at the place of its position, and zeros": lambda length, d: np.eye(length, d),
    "its number in every column": lambda length, d: np.repeat(np.arange(float(length))[:, np.newaxis], d, axis=1),
    "the bits of its number, the smallest first": lambda length, d: np.arange(length)[:, np.newaxis] // 2.0 ** np.arange(d) % 2,
    "the bits of its number, the largest first": lambda length, d: (
        np.arange(length)[:, np.newaxis] // 2.0 ** np.arange(d)[::-1] % 2
    ),
}  # fmt: skip


def likeness(values: np.ndarray, grain: Grain, base: float) -> Diagnosis | None:
    """Return what the matrix has to do with the right encoding, or None if nothing is seen."""
    if min(values.shape) < 2 or values.size < 8:
        return None
    room = 8 * grain.noise(max(1.0, float(abs(values).max()))) * max(1.0, float(abs(values).max())) + 1e-10
    for words, make in OTHERS.items():
        if np.all(abs(values - make(*values.shape)) <= room):
            return _said(values, base, "", None, "other-encoding", words=words)
    for layout in ("interleaved", "halves"):
        for start in (0, 1):
            right = sinusoidal_encoding(*values.shape, base=base, layout=layout, start=start)
            for code, column, words in _ways(values, right, room, base, start, layout):
                return _said(values, base, layout, start, code, column=column, **words)
    return None


def closeness(values: np.ndarray, base: float) -> Finding | None:
    """Say so if all numbers are near the right ones, and few are just these."""
    off = values - sinusoidal_encoding(*values.shape, base=base)
    size = float(np.sqrt(np.mean(off**2)))
    if size < 0.2 and values.size >= 32 and np.mean(abs(off) <= 0.01 * size) < 0.2:
        return Finding("noisy", CAUSES["noisy"].format(off=f"{size:.2g}"))
    return None


def _ways(
    values: np.ndarray, right: np.ndarray, room: float, base: float, start: int, layout: str
) -> Iterator[tuple[str, int | None, dict[str, object]]]:
    """Yield code, column and words of what was made of the right numbers, the plainest first."""
    same = np.all(abs(values - right) <= room, axis=0)
    if same.mean() >= 0.4 and not np.any(values[:, ~same]):
        empty = np.flatnonzero(~same & (abs(right).max(axis=0) > room))
        if len(empty):
            yield "columns-empty", int(empty[0]), {"columns": _some(empty), "count": len(empty)}
    if np.all(abs(np.sort(values, axis=None) - np.sort(right, axis=None)) <= room):
        places = _places(values, right, room)
        if places is not None:
            column = int(np.flatnonzero(places != np.arange(len(places)))[0])
            yield (
                "columns-out-of-order",
                column,
                {"at": column, "which": int(places[column]), "shown": _some(places, 10)},
            )
        yield "rearranged", None, {"how": _how(values, right, room)}
    for words, change in CHANGES.items():
        if np.all(abs(values - change(right)) <= room):
            yield "changed", None, {"words": words}
    for other in (0, 1, 2):
        if other != start:
            moved = sinusoidal_encoding(*values.shape, base=base, layout=layout, start=other)
            cosines = np.isclose(right[0], np.cos(np.arcsin(np.clip(right[0], -1, 1)))) if start == 0 else ~same
            both = np.where(cosines & ~same, moved, right)
            if np.any(~same) and np.all(abs(values - both) <= room):
                column = int(np.flatnonzero(~same)[0])
                yield "columns-moved", column, {"column_": column, "other": other, "start": start}
    if start == 0 and layout == "interleaved":
        with np.errstate(all="ignore"):
            tangents = right[:, 0::2][:, : right.shape[1] // 2] / right[:, 1::2]
        if np.all(abs(values[:, 0::2] - right[:, 0::2]) <= room) and np.allclose(values[:, 1::2], tangents, rtol=1e-6):
            yield "tangents", 1, {}
    yield from _scaled(values, right, room)


def _scaled(values: np.ndarray, right: np.ndarray, room: float) -> Iterator[tuple[str, int | None, dict[str, object]]]:
    """Yield what rows or columns were multiplied by, each by something else."""
    factors = (values * right).sum(axis=1) / (right * right).sum(axis=1)
    if np.ptp(factors) > 1e-3 and np.all(abs(values - factors[:, np.newaxis] * right) <= room):
        length = len(values)
        by = "its position" if np.allclose(factors, np.arange(length)) else (
            "a number of its own: " + ", ".join(f"{factor:.4g}" for factor in factors[:4]) + ", …"
        )  # fmt: skip
        yield "rows-scaled", None, {"by": by}
    if len(values) > 3:
        middle, right_middle = values.mean(axis=0), right.mean(axis=0)
        spread, right_spread = values - middle, right - right_middle
        factors = (spread * right_spread).sum(axis=0) / (right_spread**2).sum(axis=0)
        if np.all(abs(spread - factors * right_spread) <= 10 * room) and np.ptp(factors) > 1e-3:
            standard = np.allclose(middle, 0, atol=1e-6) and np.allclose(values.std(axis=0), 1, rtol=0.1)
            yield "columns-scaled", None, {"words": " to mean 0 and spread 1" if standard else ""}


def _places(values: np.ndarray, right: np.ndarray, room: float) -> np.ndarray | None:
    """Return for each column which column of the right encoding it is, if each is another one; None otherwise."""
    some = np.unique(np.linspace(0, len(values) - 1, min(len(values), 6)).astype(int))
    missed = abs(values[some, :, np.newaxis] - right[some, np.newaxis, :]).max(axis=0)
    places: np.ndarray = missed.argmin(axis=1)
    if len(set(places.tolist())) < len(places) or np.any(abs(values - right[:, places]) > room):
        return None
    return places


def _how(values: np.ndarray, right: np.ndarray, room: float) -> str:
    """Say how numbers came to other places, if one of the usual ways gives the matrix."""
    length, d_model = values.shape
    sines, cosines = right[:, 0::2], right[:, 1::2]
    if sines.shape == cosines.shape:
        stacked = np.stack([sines, cosines], axis=0).reshape(length, d_model)
        if np.all(abs(values - stacked) <= room):
            return "they were stacked on axis 0, so that all sines are read before the first cosine. Stack on the last axis."
    if np.all(abs(values - right.T.reshape(length, d_model)) <= room):
        return "it was transposed and then reshaped to (L, d_model). A transposed matrix is turned back by transposing."
    return "look for a reshape, a flatten or an order of axes."


def _said(
    values: np.ndarray,
    base: float,
    layout: str,
    first: int | None,
    code: str,
    column: int | None = None,
    **words: object,
) -> Diagnosis:
    found = [Finding(code, CAUSES[code].format(**words), column=column)]
    if first and code not in ("columns-moved", "rearranged"):
        found.append(Finding("start", f"Row 0 holds position {first}: positions count from 0.", row=0))
    if layout == "halves":
        found.append(Finding("halves", CAUSES["halves"], kind="variant", column=1))
    known = None if first is None else float(first)
    return Diagnosis(False, tuple(found), base if layout else None, layout or None, known, None, values.shape)


def _some(numbers: np.ndarray, most: int = 6) -> str:
    shown = ", ".join(str(int(n)) for n in numbers[:most])
    return shown + (", …" if len(numbers) > most else "")
