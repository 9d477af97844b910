"""How frequencies fall from pair to pair: the paper's law, the ones that mistakes lead to, and the one that fits best.

Every law here is ln w_i = shift - slope·i. The paper's has slope 2·ln(base)/d_model and shift 0 (Vaswani et al. 2017,
section 3.5). The mistakes are those found in public code; each changes slope, shift or both, so they can be combined.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

DEGREE = math.pi / 180
PLAIN_BASES = (100.0, 1000.0, 10_000.0, 100_000.0, 1_000_000.0)
LARGEST_LOG = 35.0  # of a base that somebody may have meant


@dataclass(frozen=True)
class Law:
    """Frequencies w_i = exp(shift - slope·i), and what makes them so.

    Attributes
    ----------
    codes : tuple of str
        The mistakes or variants it comes from; empty for the paper's law.
    base : float or None
        The base, as it stands in the formula with its exponent 2i/width.
    width : int
        What 2i is divided by.
    shift, slope : float
    """

    codes: tuple[str, ...]
    base: float | None
    width: int
    shift: float
    slope: float

    def frequencies(self, pairs: int) -> np.ndarray:
        """Return the frequency of each pair, in radians per position."""
        with np.errstate(over="ignore"):
            found: np.ndarray = np.exp(self.shift - self.slope * np.arange(pairs))
        return found


def log_bases(base: float) -> dict[str, float]:
    """Return the logarithm of the base that each mistake about the base leads to."""
    log_base = math.log(base)
    found = {
        "": log_base,
        "exponent-doubled": 2 * log_base,
        "exponent-halved": log_base / 2,
        "log10": math.log10(base),
        "ln-under-power-of-ten": log_base * math.log(10),
        "inverse": -log_base,
        "all-one": 0.0,
    }
    power = round(math.log10(base))
    if power >= 1 and base == 10.0**power and (10 ^ power) > 1:
        found["xor"] = math.log(10 ^ power)
    return found


def named_laws(d_model: int, base: float) -> list[Law]:
    """Return the paper's law and those of all mistakes about frequencies, the simplest first."""
    slopes = [((code,) if code else (), d_model, 2 * log / d_model, _exp(log)) for code, log in log_bases(base).items()]
    floor = -2.0 * math.floor(-math.log(base) / (2 * d_model)) if base > 1 else 0.0
    if floor:
        slopes.append((("floor-log",), d_model, floor, _exp(floor * d_model / 2)))
    widths = {"timescales": 2 * (d_model // 2 - 1), "extra-column": d_model - 1, "missing-column": d_model + 1}
    for code, width in widths.items():
        if width > 0 and (code != "extra-column" or d_model % 2 == 0) and (code != "missing-column" or d_model % 2):
            slopes += [
                ((*((name,) if name else ()), code), width, 2 * log / width, _exp(log))
                for name, log in log_bases(base).items()
                if name != "all-one"
            ]
    laws = []
    for codes, width, slope, its_base in slopes:
        shifts = {"": 0.0, "pair-from-one": -slope, "degrees": math.log(DEGREE)}
        for code, shift in shifts.items():
            if code == "" or slope or code == "degrees":
                laws.append(Law((*codes, code) if code else codes, its_base, width, shift, slope))
        if not codes:
            laws.append(Law(("to-degrees",), its_base, width, -math.log(DEGREE), slope))
        if slope and width == d_model and d_model % 2 == 0:
            backwards = -slope * (d_model // 2 - 1)
            laws.append(Law((*codes, "columns-reversed"), its_base, width, backwards, -slope))
    others = [other for other in PLAIN_BASES if other != base]
    # frequencies above pi cannot be measured from row to row, so bases of an inverted law are tried one by one
    laws += [Law(("inverse", "base"), other, d_model, 0.0, -2 * math.log(other) / d_model) for other in others]
    return sorted(laws, key=lambda law: len(law.codes))


def fitted_laws(w: np.ndarray, uncertain: np.ndarray, d_model: int, base: float) -> Iterator[Law]:
    """Yield the laws that frequencies measured pair by pair suggest, the simplest first.

    A straight line through ln w gives slope and shift. Where a plain number lies within what the measurement leaves
    open, it is taken: a whole or round base, the width of another table, a shift of 0, of one pair or of degrees.
    """
    known = (w > 0) & (uncertain < 0.2 * w)
    if not known.any():
        return
    i, log_w, error = np.flatnonzero(known), np.log(w[known]), uncertain[known] / w[known]
    slope, shift, slope_error = _line(i, log_w, error)
    for shift_code, its_shift in (("", 0.0), ("degrees", math.log(DEGREE)), ("pair-from-one", None), ("step", shift)):
        if its_shift is None:  # the line passes through i = -1 in place of 0
            its_slope, its_error = _through(i + 1, log_w, error)
            fits = abs(log_w + its_slope * (i + 1)) <= 5 * error + 1e-9
        elif shift_code == "step":
            its_slope, its_error, fits = slope, slope_error, np.ones(len(i), bool)
        else:
            its_slope, its_error = _through(i, log_w - its_shift, error)
            fits = abs(log_w - its_shift + its_slope * i) <= 5 * error + 1e-9
        if np.mean(fits) < 0.75 or (shift_code == "step" and len(i) < 2):
            continue
        for codes, width, exact in _plain(its_slope, its_error, d_model, base):
            start = -exact if its_shift is None else its_shift
            yield Law((*codes, shift_code) if shift_code else codes, _exp(exact * width / 2), width, start, exact)


def _plain(slope: float, error: float, d_model: int, base: float) -> Iterator[tuple[tuple[str, ...], int, float]]:
    """Yield what a slope may come from: codes, width and the exact slope; the plainest first."""
    error = max(4 * error, 1e-12 * abs(slope))
    for code, log in log_bases(base).items():  # the slope of a named law, met with a shift of its own
        if log and abs(2 * log / d_model - slope) <= error:
            yield ((code,) if code else ()), d_model, 2 * log / d_model
    found = []
    for codes, width in ((("base",), d_model), (("base", "timescales"), 2 * (d_model // 2 - 1))):
        if width > 0:
            plain = round_number(_exp(slope * width / 2), error * width / 2)
            sure = len(codes) == 1 or error * width < 1e-6  # else a number with few digits is soon near
            if plain is not None and sure and (len(codes) == 1 or digits(plain) <= 3):
                found.append((digits(plain) + len(codes), codes, width, 2 * math.log(plain) / width))
    yield from ((codes, width, exact) for cost, codes, width, exact in sorted(found) if cost <= 5)
    other = 2 * math.log(base) / slope if slope else 0.0
    room = abs(other) * error / abs(slope) if slope else 1.0
    whole = 1 <= other <= 10_000 and room < 0.02 and abs(other - round(other)) <= room
    if whole and not any(cost <= 3 for cost, *_ in found):
        yield ("other-width",), round(other), 2 * math.log(base) / round(other)
    yield from ((codes, width, exact) for cost, codes, width, exact in sorted(found) if cost > 5)
    if not found and not whole and abs(slope) * d_model / 2 < LARGEST_LOG:
        yield ("base",), d_model, slope


def round_number(x: float, relative: float, most: int = 4) -> float | None:
    """Return the plainest number that lies within a relative distance of `x`, if it has at most so many digits."""
    if not 0 < x < 1e15 or relative > 0.05:
        return None
    for kept in range(1, most + 1):
        plain = float(f"{x:.{kept - 1}e}")
        if abs(plain - x) <= relative * x:
            return plain
    return None


def digits(x: float) -> int:
    """Return how many digits a number is written with, zeros at either end not counted."""
    return len(f"{x:.12e}".split("e")[0].replace(".", "").strip("0"))


def _line(i: np.ndarray, y: np.ndarray, error: np.ndarray) -> tuple[float, float, float]:
    """Fit y = shift - slope·i; return slope, shift and the error of the slope. Outliers are left out once."""
    if len(i) < 2:
        return 0.0, float(y[0]), math.inf
    keep = np.ones(len(i), bool)
    slope, shift, spread = 0.0, 0.0, 0.0
    for _ in range(2):
        weight = 1 / error[keep] ** 2
        mean_i, mean_y = np.average(i[keep], weights=weight), np.average(y[keep], weights=weight)
        spread = float(np.sum(weight * (i[keep] - mean_i) ** 2))
        slope = -float(np.sum(weight * (i[keep] - mean_i) * (y[keep] - mean_y))) / spread if spread else 0.0
        shift = float(mean_y + slope * mean_i)
        left = abs(y - shift + slope * i) / error
        keep = left <= max(5.0, 3 * float(np.median(left)))
        if keep.sum() < 2:
            break
    return slope, shift, 1 / math.sqrt(spread) if spread else math.inf


def _through(i: np.ndarray, y: np.ndarray, error: np.ndarray) -> tuple[float, float]:
    """Fit y = -slope·i; return slope and its error, by the weighted median of the slopes of all points."""
    told = i > 0
    if not told.any():
        return 0.0, math.inf
    slopes, errors = -y[told] / i[told], error[told] / i[told]
    order = np.argsort(slopes)
    weight = np.cumsum(1 / errors[order])
    middle = slopes[order][np.searchsorted(weight, weight[-1] / 2)]
    near = abs(slopes - middle) <= 5 * errors
    if not near.any():
        return float(middle), float(errors.min())
    weights = 1 / errors[near] ** 2
    return float(np.average(slopes[near], weights=weights)), float(1 / math.sqrt(weights.sum()))


def _exp(x: float) -> float:
    """Return e to the power x, as the plain number it is meant to be where it is one but for rounding."""
    found = math.exp(min(x, 700.0))
    return round_number(found, 1e-12, 8) or found
