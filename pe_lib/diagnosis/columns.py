"""Guess a recipe by single columns, where sine and cosine of a pair do not turn together."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pe_lib.diagnosis.frame import ORDERS, SWAPPED, TYPES, Guess, Trial, framed, started
from pe_lib.diagnosis.laws import fitting, known_by
from pe_lib.diagnosis.measure import COLUMNS, SOME, Sight, column_frequencies, evenly, order_of, wrap
from pe_lib.diagnosis.recipe import Line
from pe_lib.diagnosis.turning import RELATIVE

KINDS = {
    (False, True): None,
    (True, False): SWAPPED,
    (False, False): Line("matrix", "matrix = np.sin(angles)", "sines-alone"),
    (True, True): Line("matrix", "matrix = np.cos(angles)", "cosines-alone"),
}


def of_columns(sight: Sight) -> Iterator[Guess]:
    """Yield recipes by the frequencies of single columns, where sine and cosine of a pair do not turn together."""
    length, d_model = sight.target.shape
    if length < 2 or sight.noise > TYPES[1]:
        return
    few = np.unique(np.r_[: min(d_model, 8), evenly(d_model, COLUMNS)])
    for scale, start in _column_starts(sight):
        noise = max(sight.noise / abs(scale), 4e-15)
        scaled = replace(sight, target=sight.target / scale, scale=scale, noise=noise)
        both = np.repeat([False, True], len(few))
        told = _told(scaled, np.tile(few, 2), both, start).reshape(2, -1)
        if np.mean(told.any(axis=0)) < 0.75:
            continue
        at = np.intersect1d([order_of(layout, d_model)[known_by(d_model)] for layout in ORDERS], scaled.filled)
        measured = column_frequencies(scaled.target[:, np.tile(at, 2)], np.repeat([False, True], len(at)), start, noise)
        w, uncertain = np.zeros((2, d_model)), np.full((2, d_model), np.inf)
        w[:, at], uncertain[:, at] = (x.reshape(2, -1) for x in measured)
        for layout in ORDERS:
            if d_model % 2 and layout in ("cosines-first", "swapped"):
                continue
            order = order_of(layout, d_model)
            parts = np.isin(few, order[0::2]), ~np.isin(few, order[0::2])
            for kinds in KINDS:
                if any(p.any() and told[int(kind), p].mean() < 0.7 for kind, p in zip(kinds, parts, strict=True)):
                    continue
                chosen = np.resize(np.array(kinds, int), d_model), order
                turned = replace(scaled, layout=layout, target=scaled.target[:, order])
                yield from _by_columns(turned, w[chosen], uncertain[chosen], kinds, start)


def _by_columns(
    sight: Sight, w: np.ndarray, uncertain: np.ndarray, kinds: tuple[bool, bool], start: float
) -> Iterator[Guess]:
    """Yield the recipes by laws that give the frequencies of all columns."""
    function, trial = KINDS[kinds], Trial(sight)
    recipe = sight.recipe.with_(*([function] if function else []))
    for relative in RELATIVE[:2]:
        for _, lines in fitting(recipe, w, 4 * uncertain + abs(w) * relative + 1e-13)[:4]:
            guess = started(recipe.with_(*lines), start)
            if trial.near(guess, 0.6):
                yield sight, framed(guess, sight)


def _column_starts(sight: Sight) -> Iterator[tuple[float, float]]:
    """Yield scales and first positions by a column that begins a layout, taken for a wave of frequency 1."""
    rows, half = np.arange(min(len(sight.target), SOME)), sight.target.shape[1] // 2
    waves = np.column_stack([np.sin(rows), np.cos(rows)])
    found: list[tuple[float, float]] = []
    for y in sight.target[: len(rows), sorted({0, min(1, half), half})].T:
        (a, b), *_ = np.linalg.lstsq(waves, y, rcond=None)
        scale = float(np.hypot(a, b))
        if scale <= 1e-9 or np.median(abs(waves @ (a, b) - y)) > 8 * sight.noise + 1e-6 * scale:
            continue
        scale = 1.0 if abs(scale - 1) < 8 * sight.noise + 1e-6 else scale
        loose = 16 * sight.noise / scale + 1e-7
        tried = np.arange(-64.0, 300.0)
        for quarter in range(4):  # sine, cosine, and both with a minus sign
            good = tried[abs(wrap(tried - np.arctan2(b, a) + quarter * np.pi / 2)) <= loose]
            found += [((1 if quarter < 2 else -1) * scale, float(start)) for start in good[np.argsort(abs(good))][:2]]
    yield from dict.fromkeys([*found, (1.0, 0.0), (1.0, 1.0)])


def _told(sight: Sight, few: np.ndarray, cosine: np.ndarray, start: float) -> np.ndarray:
    """Say of some columns whether they are waves of any frequency, as sines or cosines of these positions."""
    part = sight.target[: min(len(sight.target), 10), few]
    w, _ = column_frequencies(part, cosine, start, sight.noise)
    angles = (start + np.arange(len(part)))[:, np.newaxis] * w
    off = abs(np.where(cosine, np.cos(angles), np.sin(angles)) - part)
    found: np.ndarray = np.mean(off <= 16 * sight.noise + 1e-5 * (1 + abs(angles)), axis=0) >= 0.75
    return found
