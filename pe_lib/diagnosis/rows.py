"""Read each row by itself, where positions do not follow one another: find the position whose hands stand like that."""

import numpy as np

from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.hands import Hands, columns_of
from pe_lib.diagnosis.laws import named_laws
from pe_lib.diagnosis.reading import ROLES, Reading

AROUND = 64  # positions looked for before 0 and after the last


def positions_of(z: np.ndarray, w: np.ndarray, sign: int, quarter: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    """Return for each row the position whose hands are nearest, and how far they are: arrays of shape (rows,)."""
    tried = np.concatenate([np.arange(last), -np.arange(1, AROUND)])  # of equally good ones the first is taken
    wanted = np.exp(1j * (sign * np.outer(tried, w) + quarter * np.pi / 2))
    nearest = (z @ wanted.conj().T).real.round(9).argmax(axis=1)
    return tried[nearest].astype(float), abs(z - wanted[nearest]).max(axis=1)


def read_rows(hand: Hands, base: float, needed: float) -> Reading | None:
    """Read the positions of all rows, with the frequencies of the paper or of one mistake."""
    d_model, last = hand.view.shape[1], 4 * len(hand.view) + AROUND
    if hand.z.shape[1] < 2 or last > 4096:
        return None
    few = np.unique(np.linspace(0, len(hand.z) - 1, min(len(hand.z), 8)).astype(int))
    for law in named_laws(d_model, base):
        w = law.frequencies(hand.z.shape[1])
        if len(law.codes) > 1 or not np.all(np.isfinite(w)):
            continue
        for roles, (sign, quarter) in ROLES.items():
            if sign < 0 and roles != ("cos", "sin"):
                continue  # the same as positions that are counted downwards
            _, missed = positions_of(hand.z[few], w, sign, quarter, last)
            if np.mean(missed <= 12 * hand.noise + 1e-9) < min(needed, 0.99):
                continue
            found, missed = positions_of(hand.z, w, sign, quarter, last)
            good = missed <= 12 * hand.noise + 1e-9
            if np.mean(good) < needed:
                continue
            first, second = columns_of(hand.layout, d_model)
            kinds, of_column = np.empty(d_model, object), np.empty(d_model)
            kinds[first], kinds[second] = roles
            of_column[first] = law.frequencies(len(first))
            of_column[second] = w
            positions = np.full(len(hand.view), np.nan)
            positions[hand.rows] = found
            return Reading(hand.transposed, hand.layout, tuple(kinds), of_column, positions, hand.scale, hand.offsets,
                           (law,), ("order",))  # fmt: skip
    return None


def read_one_column(values: np.ndarray, grain: Grain, base: float) -> Reading | None:
    """Read a matrix of a single column: the sine of the position, whatever the base."""
    noise, r = grain.noise(1.0), np.arange(len(values))
    tried = np.arange(-4096.0, 4097.0)
    tried = tried[np.argsort(abs(tried), kind="stable")]
    for room in (0.75 * noise, 6 * noise):
        for scale in (1.0, float(abs(values).max())) if len(values) > 3 else (1.0,):
            fits = abs(np.sin(tried) - values[0, 0] / scale) <= room
            for start in tried[fits]:
                if np.all(abs(scale * np.sin(start + r) - values[:, 0]) <= room * scale):
                    return _one_column(start, r, scale, base)
    waves = np.column_stack([np.sin(r), np.cos(r)])
    along, across = np.linalg.lstsq(waves, values[:, 0], rcond=None)[0]
    scale, start = float(np.hypot(along, across)), float(np.arctan2(across, along))
    if len(values) > 3 and scale > 0 and np.all(abs(scale * np.sin(start + r) - values[:, 0]) <= 6 * noise * scale):
        return _one_column(start, r, scale, base)
    return None


def _one_column(start: float, r: np.ndarray, scale: float, base: float) -> Reading:
    law = named_laws(1, base)[0]
    return Reading(False, "interleaved", ("sin",), np.ones(1), start + r, scale, laws=(law,))
