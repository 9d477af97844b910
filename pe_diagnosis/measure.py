"""What numbers say by themselves, in closed form: circles, turns from row to row, bases, and the positions of rows."""

import numpy as np

from pe_diagnosis import limits


def wrap(angles: np.ndarray) -> np.ndarray:
    """Bring angles between -π and π."""
    return angles - 2 * np.pi * np.round(angles / (2 * np.pi))


def spread(n: int, count: int) -> np.ndarray:
    """Return `count` numbers below n at most: the first few, and then evenly as far as the last."""
    if n <= count:
        return np.arange(n)
    first = count // 4
    return np.unique(np.r_[:first, np.linspace(first, n - 1, count - first).astype(int)])


def may_turn(x: np.ndarray) -> bool:
    """Say from a few columns whether anything may turn: whether some recur, or pairs of them keep their length.

    A column recurs if x[p + 1] + x[p - 1] follows x[p], as 2 cos(w) · x[p] does for a sine of any phase. A pair keeps
    its length if x² + y² varies much less than x² and y² do.
    """
    x = np.nan_to_num(x[: limits.SEEN_ROWS], posinf=0, neginf=0)
    if x.shape[1] < 2 or np.ptp(x, axis=0).max() <= 1e-9 * np.abs(x).max():
        return True  # too little to tell
    if len(x) < limits.FEWEST_TO_TURN or len(np.unique(x)) <= limits.FEW_DIFFERENT:  # one-hot rows, masks, labels
        return False
    half = x.shape[1] // 2
    i = spread(half, limits.SEEN_COLUMNS // 2)
    sides, left = recurrence((x - x.mean(0))[:, np.r_[2 * i, 2 * i + 1]])
    some = [(left**2).sum(0) < limits.LEFT * (sides**2).sum(0)]
    square = x * x
    for first, second in ((square[:, 2 * i], square[:, 2 * i + 1]), (square[:, i], square[:, half + i])):
        some.append(np.var(first + second, axis=0) < limits.LEFT * (np.var(first, axis=0) + np.var(second, axis=0)))
    return any(one.mean() > limits.TURNING for one in some)


def recurrence(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x[p + 1] + x[p - 1], and what 2 cos(w) · x[p] leaves of it, with the best w for each column."""
    middle, sides = x[1:-1], x[2:] + x[:-2]
    size = (middle * middle).sum(0)
    c = np.divide((middle * sides).sum(0), 2 * size, out=np.ones(len(size)), where=size > 0)
    return sides, sides - 2 * np.clip(c, -1, 1) * middle


def pairs_of(i: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the columns (n, 2) of one pair whose functions are q and q + 1: sine and cosine, cosine and minus sine."""
    at: dict[tuple[int, float], int] = {}  # the first column of each pair and function
    for j, (pair, function) in enumerate(zip(i, q, strict=True)):
        at.setdefault((int(pair), float(function) % 4), j)
    found = [(at[a, b], at[a, (b + 1) % 4]) for a, b in at if (a, (b + 1) % 4) in at]
    return np.array(sorted(found), int).reshape(-1, 2)


def circle(x: np.ndarray, y: np.ndarray, unit: float) -> tuple[float, float]:
    """Return offset m and radius a of points (a sin + m, a cos + m), each known to within `unit`.

    It is (0, 1) if most points allow that. Otherwise x² + y² = 2m(x + y) + c says it.
    """
    known = np.isfinite(x + y)
    square, line = (x * x + y * y)[known], (x + y)[known]
    if len(line) < 3 or np.mean(np.abs(square - 1) <= 8 * unit + 1e-9) > limits.ENOUGH:
        return 0.0, 1.0
    slope, level = np.polyfit(line, square, 1) if np.ptp(line) > 1e-9 else (0.0, square.mean())
    return float(slope) / 2, float(np.sqrt(max(level + slope**2 / 2, 1e-300)))


def turns(angles: np.ndarray) -> np.ndarray:
    """Return by how much every column of angles (rows, n) turns per row: from neighbours, then from rows ever further.

    Rows of nan are left out. A few rows of other numbers don't move the median; they disturb `anywhere.column_turns`.
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
    """Return bases b such that turn = step / b**exponent: with step 1, and with any step."""
    good = (turn > 1e-10) & (turn < limits.FASTEST) & np.isfinite(turn) & np.isfinite(exponent)
    y, e = np.log(turn[good]), exponent[good]
    logs = []
    if (e != 0).any():
        logs.append(-np.median(y[e != 0] / e[e != 0]))
    if e.size > 1 and np.ptp(e) > 0:
        rise = np.diff(e)
        logs.append(-np.median(np.diff(y)[rise != 0] / rise[rise != 0]))
    return [float(np.exp(log)) for log in logs if 1e-9 < abs(log) < 30]  # e ** 30 is beyond whatever was meant


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


def pace(p: np.ndarray, off: float) -> tuple[float, float, float]:
    """Return step and start of positions in equal steps, each known to within `off`, and the share that fit."""
    length, row, step, told = len(p), np.arange(len(p)), 1.0, np.isfinite(p)
    for lag in np.unique(np.geomspace(1, max(1, length // 2), 12).astype(int)):
        apart = (p[lag:] - p[:-lag])[told[lag:] & told[:-lag]]
        step = float(np.median(apart)) / lag if len(apart) else step
    start = float(np.median((p - step * row)[told]))
    near = np.abs(p - start - step * row) <= 2 * off + 1e-6 * (abs(start) + abs(step * length))
    return step, start, float(near[told].mean())


def scales(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return scale and offset (n, 2) of y = scale · x[n] + offset by least squares."""
    with np.errstate(all="ignore"):
        mean_x, mean_y = x.mean(1), y.mean()
        scale = ((x * y).mean(1) - mean_x * mean_y) / ((x * x).mean(1) - mean_x * mean_x)
        return np.asarray(np.nan_to_num(np.stack([scale, mean_y - scale * mean_x], axis=1)))
