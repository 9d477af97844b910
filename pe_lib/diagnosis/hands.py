"""Take the columns of a matrix in twos, sine and cosine of one angle: clock hands that turn from row to row.

The pair (cosine, sine) is a point on a circle. Norms show which columns belong together and the scale; how far hands
turn from a row to the next shows their frequencies.
"""

from dataclasses import dataclass

import numpy as np

from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.reading import wrap

SOME = 64  # rows that are enough to measure by


@dataclass(frozen=True)
class Hands:
    """The pairs of a matrix as points in the plane, cosine + i·sine, divided by the scale."""

    transposed: bool
    layout: str
    view: np.ndarray  # (L, d_model), positions along the first axis
    rows: np.ndarray  # the rows that are not all zero
    z: np.ndarray  # (len(rows), pairs), complex
    scale: float
    offsets: tuple[float, float]
    share: float  # of the points that lie on the circle
    noise: float


def columns_of(layout: str, d_model: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and the second column of each pair; of an odd width, the last first column has no second."""
    columns = np.arange(d_model)
    if layout == "interleaved":
        return columns[0::2], columns[1::2]
    half = (d_model + 1) // 2
    return columns[:half], columns[half:]


def hands(values: np.ndarray, grain: Grain, needed: float) -> list[Hands]:
    """Return the ways of taking columns in twos that put the pairs on one circle, the best first."""
    found = []
    for transposed, view in ((False, values), (True, values.T)):
        rows = np.flatnonzero(np.any(view != 0, axis=1))
        if view.shape[1] < 2 or not len(rows):
            continue
        for layout in ("interleaved", "halves") if view.shape[1] > 2 else ("interleaved",):
            hand = _on_a_circle(view, rows, layout, transposed, grain, needed)
            if hand is not None and hand.share == 1.0 and not any(hand.offsets):
                return [hand]
            found += [] if hand is None else [hand]
    return sorted(found, key=lambda one: (round(-one.share, 1), one.transposed, one.layout == "halves"))


def _on_a_circle(
    view: np.ndarray, rows: np.ndarray, layout: str, transposed: bool, grain: Grain, needed: float
) -> Hands | None:
    """Return the pairs if enough of them lie on one circle: round 0, and only if that fails round another point."""
    z = _points(view, rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), SOME)).astype(int))], layout)
    for centre in (lambda _: 0j, _centre):
        offset = centre(z)
        scale = 0.0 if offset is None else float(np.median(abs(z - offset)))
        if offset is None or not 1e-12 < scale < 1e12:
            continue
        noise = grain.noise(scale)
        share = float(np.mean(abs(abs(z - offset) / scale - 1) <= 6 * noise + 1e-12))
        if share >= needed:
            points = (_points(view, rows, layout) - offset) / scale
            return Hands(transposed, layout, view, rows, points, scale, (offset.imag, offset.real), share, noise)
    return None


def _points(view: np.ndarray, rows: np.ndarray, layout: str) -> np.ndarray:
    """Return the pairs of some rows as complex numbers, second column + i·first."""
    first, second = columns_of(layout, view.shape[1])
    found: np.ndarray = view[np.ix_(rows, second)] + 1j * view[np.ix_(rows, first[: len(second)])]
    return found


def _centre(z: np.ndarray) -> complex | None:
    """Return the centre of the circle on which the points of the pair that turns most lie; None if there is none."""
    best = z[:SOME, np.argmax(np.abs(np.diff(z[:SOME], axis=0)).sum(axis=0))] if len(z) > 3 else z[:0, 0]
    if len(best) < 4:
        return None
    equations = np.column_stack([best.real, best.imag, np.ones(len(best))])
    (a, b, _), _, rank, _ = np.linalg.lstsq(equations, abs(best) ** 2, rcond=None)
    centre = complex(round(a / 2, 12), round(b / 2, 12))
    return centre if rank == 3 and 0 < abs(centre) < 1e6 else None


def turns(hand: Hands) -> tuple[np.ndarray, np.ndarray]:
    """Measure how far each hand turns from a row to the next: the angle in radians, and how uncertain it is.

    First from row to row, then over two, four, eight … rows, as one reads a vernier: each step makes it finer.
    """
    z, rows = hand.z, hand.rows
    pairs = z.shape[1]
    delta, uncertain = np.zeros(pairs), np.full(pairs, np.inf)
    going, lag = np.ones(pairs, bool), 1
    while lag < (rows[-1] - rows[0] + 1 if len(rows) else 0) and going.any():
        at = np.searchsorted(rows, rows + lag)
        here = np.flatnonzero((at < len(rows)) & (rows[np.minimum(at, len(rows) - 1)] == rows + lag))
        if not len(here):
            lag *= 2
            continue
        here = here[: SOME if lag == 1 else SOME // 2]
        turned = z[at[here]] * z[here].conj()
        middle = np.median(turned.real, axis=0) + 1j * np.median(turned.imag, axis=0)
        error = wrap(np.angle(middle) - lag * delta)
        if lag > 1:
            going &= abs(error) <= np.minimum(1.0, 6 * lag * uncertain + 0.02)
        delta = np.where(going, delta + error / lag, delta)
        uncertain = np.where(going, (2 * hand.noise + 4e-16) / lag, uncertain)
        lag *= 2
    return delta, uncertain
