"""What numbers say by themselves, in closed form: circles, turns from row to row, bases, and the positions of rows."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from pe_diagnosis import limits
from pe_diagnosis.catalogue import Entry, choices
from pe_diagnosis.program import evaluated, names_of
from pe_diagnosis.rounding import Number, price


def wrap(angles: np.ndarray) -> np.ndarray:
    """Bring angles between -π and π."""
    return angles - 2 * np.pi * np.round(angles / (2 * np.pi))


def spread(n: int, count: int) -> np.ndarray:
    """Return `count` numbers below n at most: the first few, and then evenly as far as the last."""
    if n <= count:
        return np.arange(n)
    first = count // 4
    return np.unique(np.r_[:first, np.linspace(first, n - 1, count - first).astype(int)])


def turning(x: np.ndarray) -> bool:
    """Say from a few columns whether anything turns: whether pairs of them lie on circles, or some recur.

    A column recurs if x[p + 1] + x[p - 1] follows x[p], as 2 cos(w) · x[p] does for a sine of any phase. A pair lies on
    a circle if x² + y² follows (x, y). Least squares tell both, from the share of the spread that they leave.
    """
    length, width = min(limits.SEEN_ROWS, len(x)), x.shape[1]
    at = (
        np.arange(width)
        if width <= limits.SEEN_COLUMNS
        else np.ravel(np.linspace(0, width - 2, limits.SEEN_COLUMNS // 2).astype(int)[:, None] + [0, 1])
    )
    x = np.nan_to_num(x[:length, at], posinf=0, neginf=0)
    size = np.abs(x).max()
    if length < 8 or np.ptp(x, axis=0).max() <= 1e-9 * size:
        return True  # too little to tell
    if len(np.unique(x)) <= 3:
        return False
    x = (x - x.mean(0)) / size
    x = x[:, (x * x).sum(0) > 1e-18]
    sides, left = recurrence(x)
    recurring = (left**2).sum(0) < 0.3 * (sides**2).sum(0)
    return bool(recurring.mean() > limits.TURNING or _on_circles(x).mean() > limits.TURNING)


def recurrence(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x[p + 1] + x[p - 1], and what 2 cos(w) · x[p] leaves of it, with the best w for each column."""
    middle, sides = x[1:-1], x[2:] + x[:-2]
    size = (middle * middle).sum(0)
    c = np.divide((middle * sides).sum(0), 2 * size, out=np.ones(len(size)), where=size > 0)
    return sides, sides - 2 * np.clip(c, -1, 1) * middle


def _on_circles(x: np.ndarray) -> np.ndarray:
    """Say of each centred column whether it lies on a circle with any other: all pairs from three matrix products."""
    # For every two columns at once, x² + y² is fitted by x and y: that takes the covariances of all with all.
    square = x * x - (x * x).mean(0)
    linear, mixed, squares = x.T @ x, square.T @ x, square.T @ square
    var_x, var_y = np.diag(linear)[:, None], np.diag(linear)[None]
    with_x, with_y = np.diag(mixed)[:, None] + mixed.T, np.diag(mixed)[None] + mixed  # x² + y² multiplied with each
    with np.errstate(all="ignore"):  # the share of x² + y² that a regression on x and y explains, by Cramer's rule
        determinant = var_x * var_y - linear**2
        explained = (with_x**2 * var_y - 2 * with_x * with_y * linear + with_y**2 * var_x) / determinant
        due = np.diag(squares)[:, None] + np.diag(squares)[None]
        near = due + 2 * squares - explained < 0.2 * due
    return np.asarray((near & ~np.eye(len(near), dtype=bool)).any(1))


def pairs_of(i: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the columns (n, 2) of one pair whose functions are a quarter turn apart, the one behind first."""
    at = {(int(a), float(b) % 4): j for j, (a, b) in reversed(list(enumerate(zip(i, q, strict=True))))}
    found = [(at[a, b], at[a, (b + 1) % 4]) for a, b in at if (a, (b + 1) % 4) in at]
    return np.array(sorted(found), int).reshape(-1, 2)


def circle(x: np.ndarray, y: np.ndarray, unit: float) -> tuple[float, float]:
    """Return offset m and radius a of points (a sin + m, a cos + m), each known to within `unit`, outliers left out.

    It is (0, 1) if most points allow that. Otherwise x² + y² = 2m(x + y) + c says it.
    """
    square, line = (x * x + y * y).ravel(), (x + y).ravel()
    keep = np.isfinite(square)
    if keep.any() and np.mean(np.abs(square[keep] - 1) <= 8 * unit + 1e-9) > limits.ENOUGH:
        return 0.0, 1.0
    slope = level = 0.0
    for _ in range(3):
        if keep.sum() < 3:
            return 0.0, 1.0
        flat = np.ptp(line[keep]) <= 1e-9
        fit = (0.0, square[keep].mean()) if flat else np.polyfit(line[keep], square[keep], 1)
        slope, level = map(float, fit)
        off = np.abs(square - slope * line - level)
        keep = off <= 3 * np.median(off[keep]) + 1e-12
    return slope / 2, float(np.sqrt(max(level + slope**2 / 2, 1e-300)))


def turns(angles: np.ndarray) -> np.ndarray:
    """Return by how much every column of angles (rows, n) turns per row: from neighbours, then from rows ever further.

    Rows of nan are left out, and the median does not see a few rows of other numbers.
    """
    known = np.isfinite(angles).any(1)
    angles, lag = np.nan_to_num(angles), 1
    turn = np.angle(np.exp(1j * np.diff(angles, axis=0))[known[1:] & known[:-1]].sum(0))
    while lag <= len(angles) // 2:
        at = np.flatnonzero(known[lag:] & known[:-lag])
        at = at[spread(len(at), limits.SEEN_ROWS)]
        if len(at):
            turn = turn + np.median(wrap(angles[at + lag] - angles[at] - turn * lag), axis=0) / lag
        lag *= 2
    return np.asarray(turn)


def bases(turn: np.ndarray, exponent: np.ndarray) -> list[float]:
    """Return bases b such that turn = step / b**exponent: with step 1, and with any step, fitted in logarithms."""
    good = (turn > 1e-7) & (turn < limits.FASTEST) & np.isfinite(turn) & np.isfinite(exponent)
    y, e = np.log(turn[good]), exponent[good]
    logs = []
    if (e != 0).any():
        logs.append(-np.median(y[e != 0] / e[e != 0]))
    if e.size > 1 and np.ptp(e) > 0:
        rise = np.diff(e)
        logs.append(-np.median(np.diff(y)[rise != 0] / rise[rise != 0]))
        logs.append(-((e - e.mean()) @ y) / ((e - e.mean()) @ e))
    return [float(np.exp(log)) for log in logs if abs(log) < 60 and abs(log) > 1e-9]


def decode(angles: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the positions (n, rows) at which n lists of frequencies w (n, pairs) have these angles (rows, pairs).

    The slowest pair says where a row is, coarsely, and every faster one more finely; angles that are nan say nothing.
    So a position is only found as long as the slowest pair has turned by less than half a turn there.
    """
    order = np.argsort(np.abs(w), axis=1)
    position = np.zeros((len(w), len(angles)))
    for at in order.T:
        speed, seen = np.take_along_axis(w, at[:, None], 1), angles[:, at].T
        usable = (np.abs(speed) > 1e-11) & np.isfinite(seen)
        position += np.where(usable, wrap(seen - speed * position) / np.where(usable, speed, 1), 0)
    return position


# ------------------------------------------------------------------ lines that make positions


def started(start: int) -> Entry:
    """Return the line for positions that count from `start`."""
    if not start:
        return choices("positions")[0]
    if start > 0:
        said = (
            f"The positions are counted from {start}, which is right where a text goes on, as when a cache holds that "
            "many tokens already. Otherwise count from 0."
        )
        return Entry("positions", 0.3, "start", f"row + {start}", said)
    said = f"The positions are counted from {start}: position 0 comes after {-start} rows. Is padding counted there?"
    return Entry("positions", 0.6, "start", f"row - {-start}", said)


@lru_cache(maxsize=2)
def known_positions(length: int, d_model: int) -> list[tuple[Entry, np.ndarray]]:
    """Return the catalogue's lines for positions, and what they make."""
    names = names_of(length, d_model)
    return [(one, np.asarray(evaluated(one.line, names), float)) for one in choices("positions")]


def pace(p: np.ndarray, off: float) -> tuple[float, float, float]:
    """Return step and start of positions, each known to within `off`, that go on in equal steps, and how many do."""
    length, row, step, told = len(p), np.arange(len(p)), 1.0, np.isfinite(p)
    for lag in np.unique(np.geomspace(1, max(1, length // 2), 12).astype(int)) if length > 1 else ():
        apart = (p[lag:] - p[:-lag])[told[lag:] & told[:-lag]]
        step = float(np.median(apart)) / lag if len(apart) else step
    start = float(np.median((p - step * row)[told]))
    near = np.abs(p - start - step * row) <= 2 * off + 1e-6 * (abs(start) + abs(step * length))
    return step, start, float(near[told].mean())


def paced(step: Number, start: Number, length: int = 0) -> Entry:
    """Return the line for positions start, start + step, …; whole steps, and equal parts of 1, are a variant.

    In a table of so many rows, steps of 1/length are no choice but a slip.
    """
    if step.value == 0:
        said = f"Every row holds position {start.value:.6g}: one position was taken for all, or all frequencies are 0."
        said += " Generating with a cache and no offset gives the same." * (start.value == 0)
        return Entry("positions", 1, "same-row", f"0 * row + {start.text}", said)
    if step.value == 1 and start.value == round(start.value):
        return started(int(start.value))
    cost = _cost_of_step(step) + _cost_of_start(start)
    line = ("" if step.value == 1 else f"{step.text} * ") + "row" + (f" + {start.text}" if start.value else "")
    if step.value == -1:
        said = f"The positions count down from {start.value:.6g}. Count up from 0."
        return Entry("positions", cost, "reversed", line, said)
    for whole, words in ((length, "length"), (length - 1, "length - 1")) if length > 4 else ():
        if abs(step.value * whole - 1) < 1e-9:
            line = f"row / {'length' if whole == length else '(length - 1)'}" + f" + {start.text}" * (start.value != 0)
            said = f"The positions are divided by {words}: they go up in steps of {step.value:.6g}. Leave that out."
            return Entry("positions", 1 + _cost_of_start(start), "divided-positions", line, said)
    if step.value == 1:
        return Entry("positions", cost, "start", line, f"The positions are counted from {start.value:.6g}, not from 0.")
    said = f"The positions go up in steps of {step.value:.6g}" + (f", from {start.value:.6g} on" if start.value else "")
    return Entry("positions", cost, "step", line, f"{said}. The encoding counts 0, 1, 2, ….")


def _cost_of_step(step: Number) -> float:
    """Return what a step costs: less than a mistake if it is whole, or an equal part of 1."""
    if abs(step.value) == 1:
        return 0.0 if step.value == 1 else 1.0
    usual = any(abs(x - round(x)) < 1e-9 for x in (step.value, 1 / step.value)) and 1e-3 < step.value < 1e3
    return 0.5 if usual else 1.0 + price(step.text)


def _cost_of_start(start: Number) -> float:
    """Return what a first position costs: little if it is plain and above 0."""
    if start.value == 0:
        return 0.0
    return 0.29 if len(start.text) < 7 and start.value > 0 else limits.ODD_START


def position_lines(p: np.ndarray, off: float, d_model: int, free: bool) -> list[Entry]:
    """Return lines without free numbers that make these positions (the paper's also if it makes nearly all), and lists.

    Parameters
    ----------
    p : ndarray of shape (length,)
        The positions as they were measured, each known to within `off`; nan where a row does not say.
    free : bool
        Whether positions that follow no line may be listed.
    """
    found, whole, told = [], np.round(p), np.isfinite(p)
    complete = False  # whether a line without a mistake makes all
    for one, line in known_positions(len(p), d_model):
        if one.cost and not np.ptp(line):
            continue  # one position for all is said as such
        share = np.mean((np.abs(p - line) <= off + 1e-9 * np.abs(line))[told])
        if share == 1 or (share > limits.ENOUGH and one.cost == 0):
            found.append(one)
            complete |= one.cost == 0 and share == 1
    near_whole = bool(np.all(np.abs(p - whole) <= off + 1e-7 * np.abs(p))) and off < 0.2
    step, start, steady = pace(p, off)
    if complete or not told.all() or np.abs(p).max() > limits.LARGEST_POSITION or steady == 1:
        return found
    if near_whole:
        row = np.arange(len(p))
        usual = np.round(start + step * row) if steady > limits.ENOUGH else row
        return [*found, *_listed(whole.astype(int), usual, free)]
    if free and not found and len(p) > 2 and off < 0.05:
        said = "The positions follow no rule that is known: see the line."
        found.append(Entry("positions", 1.9, "positions", f"np.array({p.tolist()})", said))
    return found


def _listed(whole: np.ndarray, usual: np.ndarray, free: bool) -> Iterator[Entry]:
    """Yield lines for whole positions that go on in a few runs, or stand in another order than usual, or in none."""
    runs = np.split(whole, np.flatnonzero(np.diff(whole) != 1) + 1)
    ordered = np.array_equal(np.sort(whole), np.sort(usual))
    moved = np.flatnonzero(whole != usual)
    if 1 < len(runs) <= min(4, len(whole) // 4) and len(moved) > 2 and (free or len(runs) < 4):
        text = ", ".join(f"{a[0]}:{a[-1] + 1}" if len(a) > 1 else f"{a[0]}" for a in runs)
        said = ", then ".join(f"{a[0]} to {a[-1]}" if len(a) > 1 else f"{a[0]}" for a in runs)
        cause = "positions-restart" if min(a[0] for a in runs[1:]) <= runs[0][-1] else "rows-missing"
        yield Entry("positions", 1.1 + 0.02 * len(runs), cause, f"np.r_[{text}]", f"The rows hold positions {said}.")
    if ordered or (free and len(moved) > len(whole) // 4 + (len(whole) > 5)):
        first = ", ".join(f"row {n} holds position {whole[n]}" for n in moved[:3]) + ", …" * (len(moved) > 3)
        said = "All rows are there, but in another order" if ordered else "The positions do not count"
        cause = "rows-out-of-order" if ordered else "rows-repeated" if len(set(whole)) < len(whole) else "positions"
        yield Entry("positions", 1.5, cause, f"np.array({whole.tolist()})", f"{said}: {first}.")
