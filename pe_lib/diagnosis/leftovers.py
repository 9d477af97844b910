"""Compare every number with what a reading says: some may be wrong, or all a little less exact than their type."""

from collections.abc import Iterator

import numpy as np

from pe_lib.diagnosis.causes import finding
from pe_lib.diagnosis.grain import BITS, Grain
from pe_lib.diagnosis.laws import digits
from pe_lib.diagnosis.reading import Reading, within_rounding
from pe_lib.diagnosis.report import Finding, some

COARSER = {"float64": "float32", "float32": "float16", "float16": "bfloat16"}


def about_digits(reading: Reading, view: np.ndarray, grain: Grain, unit: float) -> Iterator[Finding]:
    """Compare all numbers with those of the reading: some may be wrong, or all a little less exact than their type."""
    rows = np.arange(len(view))
    predicted, angles = reading.predicted(rows), reading.angles(rows)
    plain = abs(reading.scale) * unit == 1.0 and not any(reading.offsets) and "base" not in reading.laws[0].codes
    size = abs(reading.scale)
    fits = within_rounding(view, predicted, angles, grain.dtype, 1.0 if plain else 4.0, size)
    measured = {"base", "step"} & set(reading.laws[0].codes) and digits(reading.laws[0].base or 0.0) > 3
    told = reading.positions[np.isfinite(reading.positions)]
    few = len(reading.w) <= 3 or len(told) == 1
    chosen = abs(told[0]) > (2 if few else 256)  # the first position, as the one of many that fits
    if chosen or (measured and BITS[grain.held_by] == BITS[grain.dtype]):
        # what was measured or chosen is no more exact than the numbers it comes from
        fits |= abs(view - predicted) <= reading.with_(level="float64").allowed(rows, grain)
    fits |= ~np.isfinite(reading.positions)[:, np.newaxis] | (abs(view - predicted) <= grain.floor)
    if np.all(fits):
        return
    wrong = list(_about_leftovers(reading, view, predicted, grain))
    coarse = reading.level != "float64" or grain.coarse
    while wrong and reading.level in COARSER:  # before numbers are called wrong: are angles coarser than was thought?
        if reading.level != "float64" and not coarse:
            break
        reading = reading.with_(level=COARSER[reading.level])
        if not list(_about_leftovers(reading, view, predicted, grain)):
            wrong = []
    yield from wrong or _about_precision(reading, view, predicted, fits, grain)


def _about_leftovers(reading: Reading, view: np.ndarray, predicted: np.ndarray, grain: Grain) -> Iterator[Finding]:
    """Name rows, columns or cells that are not as the reading says, where the rest is."""
    allowed = reading.allowed(np.arange(len(view)), grain)
    bad = (abs(view - predicted) > allowed) & (allowed < 0.5 * abs(reading.scale))
    bad[~np.isfinite(reading.positions)] = False
    if not bad.any():
        return
    in_rows = np.flatnonzero(bad.mean(axis=1) > 0.5)
    in_columns = np.flatnonzero(bad.mean(axis=0) > 0.5) if len(view) > 2 else np.array([], int)
    if len(in_rows) and bad[in_rows].sum() >= bad[:, in_columns].sum():
        row = int(in_rows[0])
        more = "" if len(in_rows) == 1 else f" {len(in_rows)} rows do not fit: {some(in_rows)}."
        yield finding("row-wrong", row=row, at=row, more=more, words=_row_words(reading, view[row], grain))
        bad[in_rows] = False
        in_columns = np.flatnonzero(bad.mean(axis=0) > 0.5)
    for column in in_columns[:3]:
        yield finding("column-wrong", column=int(column), at=int(column),
                       words=_column_words(reading, view, predicted, int(column), bad))  # fmt: skip
    bad[:, in_columns] = False
    if bad.any():
        row, column = (int(k) for k in np.argwhere(bad)[0])
        count = int(bad.sum())
        more = "" if count == 1 else f" {count} numbers in all do not fit."
        if count > 1 and not np.any(view[bad]):
            more = f" {count} numbers in all are 0 where they should not be: has dropout gone over it?"
        yield finding("cell-wrong", row=row, column=column, r=row, c=column, value=f"{view[row, column]:.6g}",
                       right=f"{predicted[row, column]:.6g}", more=more)  # fmt: skip


def _row_words(reading: Reading, row: np.ndarray, grain: Grain) -> str:
    """Say which position a row holds in place of its own, if any."""
    tried = np.arange(-64.0, 4 * len(reading.positions) + 64)
    others = reading.with_(positions=tried).predicted(np.arange(len(tried)))
    missed = abs(others - row).max(axis=1)
    best = int(missed.argmin())
    if missed[best] <= 12 * grain.noise(reading.scale) * abs(reading.scale) + 1e-9:
        return f"it holds position {tried[best]:g}"
    return "it holds no position near it"


def _column_words(reading: Reading, view: np.ndarray, predicted: np.ndarray, column: int, bad: np.ndarray) -> str:
    """Say what a column holds in place of its own numbers, if it can be seen."""
    rows = np.isfinite(reading.positions)
    x = view[rows, column]
    like = abs(predicted[rows] - x[:, np.newaxis]).max(axis=0)
    if like.min() <= 1e-6 * abs(reading.scale):
        return f"it holds the numbers of column {int(like.argmin())}"
    if abs(predicted[rows, column] + x).max() <= 1e-6 * abs(reading.scale):
        return "its sign is turned round"
    if np.ptp(x) == 0:
        return f"it holds {x[0]:g} in every row"
    angle = reading.positions[rows] * reading.w[column]
    for kind, wave in (("sine", np.sin(angle)), ("cosine", np.cos(angle))):
        if abs(wave * reading.scale - x).max() <= 1e-6 * abs(reading.scale):
            return f"it holds the {kind} of its angle"
    design = np.column_stack([predicted[rows, column], np.ones(rows.sum())])
    (factor, offset), *_ = np.linalg.lstsq(design, x, rcond=None)
    if abs(design @ [factor, offset] - x).max() <= 1e-6 * abs(reading.scale) and len(x) > 3:
        plus = f", plus {offset:.4g}" if abs(offset) > 1e-9 else ""
        return f"it holds {factor:.6g} times what it should{plus}"
    row = int(np.flatnonzero(bad[:, column])[0])
    return f"in row {row} it holds {view[row, column]:.4g} in place of {predicted[row, column]:.4g}"


def _about_precision(
    reading: Reading, view: np.ndarray, predicted: np.ndarray, fits: np.ndarray, grain: Grain
) -> Iterator[Finding]:
    """Say where digits were lost, in numbers that are right but less exact than their type allows."""
    off = np.where(fits, 0.0, abs(view - predicted)) / abs(reading.scale)
    row, column = (int(k) for k in np.unravel_index(int(off.argmax()), off.shape))
    most = float(off[row, column])
    if grain.decimals is not None and most <= 0.51 * 10.0**-grain.decimals / abs(reading.scale) + 1e-9:
        yield finding("rounded", row=row, column=column, decimals=grain.decimals)
    elif reading.level == "float64" and BITS[grain.held_by] < BITS[grain.dtype]:
        yield finding("low-precision", row=row, column=column, at=row, most=f"{most:.1e}", more="",
                       words=f"The numbers are {grain.held_by} numbers in an array of {grain.dtype}")  # fmt: skip
    else:
        level = (
            reading.level if reading.level != "float64" else "float32" if grain.dtype == "float32" else grain.held_by
        )
        yield finding("low-precision", row=row, column=column, at=row, most=f"{most:.1e}",
                       words="The angles were computed in " + ("too few digits" if level == "float64" else level),
                       more=" The error grows with the position.")  # fmt: skip
