"""The line of positions: find the one that gives each row its own, and the position of a row by itself."""

from collections.abc import Iterator, Sequence

import numpy as np

from pe_lib.diagnosis.measure import COLUMNS, FAR, evenly
from pe_lib.diagnosis.recipe import ERRORS, Line, Recipe, evaluated

BESIDE = 16  # points to either side are compared with one in full
BEFORE, AFTER = 64, 1000  # positions looked for before 0, and at least after the last: timesteps go so far
INT8 = 128  # positions from 0 on: what comes after begins again at -128
BETWEEN = 16  # points between positions, which none should hold


def position_lines(positions: np.ndarray) -> Line | None:
    """Return the plainest line that gives rows these positions, None if it is the encoding's."""
    length, first = len(positions), float(positions[0])
    if np.array_equal(positions, np.arange(length)):
        return None
    if length > 1 and not np.ptp(positions):
        still = "" if first else ", or all frequencies are 0 or as good as 0"
        code = f"pos = np.full((length, 1), {_plain(first)})"
        return Line("pos", code, "same-row", words={"position": f"{first:.10g}", "or_still": still})
    at = int((positions != np.arange(length)).argmax())
    whole = first == round(first)
    words = {"shown": _shown(positions), "at": at, "position": f"{positions[at]:.10g}", "start": f"{first:.10g}"}
    for code, finding in _ways(positions):
        if np.array_equal(evaluated(code, {"np": np, "length": length}), positions):
            begin, step = f"{first:.10g}", f"{np.diff(positions[:2]).sum():.10g}"
            words |= {"first": begin, "start": begin, "step": step, "why": "", "turn": ""}
            cost = 0.8 if finding == "start" else 1.2
            cost += 0.3 * (abs(first) > 2 and finding != "reversed") + 0.5 * (not whole)
            cost += (0.6 if whole else 3.0) * (abs(first) > FAR)
            return Line(
                "pos", f"pos = {code}[:, np.newaxis]".replace("[::-1][:, ", "[::-1, "), finding, words=words, cost=cost
            )
    repeated = len(np.unique(positions)) < length
    listed = "[" + ", ".join(_plain(p) for p in positions) + "]"
    finding = "rows-repeated" if repeated else "rows-out-of-order"
    return Line("pos", f"pos = np.array({listed})[:, np.newaxis]", finding, words=words, cost=2.5)


def _shown(positions: np.ndarray) -> str:
    """Write the first positions, or where they first do not go on as they began."""
    turns = np.flatnonzero(abs(np.diff(positions, 2)) > 1e-6)
    at = int(turns[0]) + 1 if len(turns) else 0
    first, last = (2, at + 3) if at > 4 else (6, 6)  # how many from the beginning, and where the rest ends
    said = [f"{p + 0.0:.10g}" for p in positions[:last]]
    said[first : max(at, first)] = ["…"] * (at > first)
    return ", ".join(said) + (", …" if len(positions) > last else "")


def _ways(positions: np.ndarray) -> Iterator[tuple[str, str]]:
    """Yield code and finding of the lines that are likely."""
    length, first, p = len(positions), float(positions[0]), "np.arange(length)"
    whole = first == round(first)
    if whole:
        end = f"length + {int(first)}" if first > 0 else f"length - {int(-first)}"
    yield f"np.arange({int(first)}, {end})" if whole else f"({first!r} + {p})", "start"
    yield f"{p}[::-1]", "reversed"
    yield f"(-{p})", "reversed"
    step, begin = positions[1] - positions[0], _plain(first)
    if step:
        code = f"np.arange({begin}, {begin} + {_plain(step)} * length, {_plain(step)})"
        code = code if whole and step == round(step) else f"({begin} + {_plain(step)} * {p})"
        finding = "rows-out-of-order" if first and whole and step == round(step) else "step"
        yield code, finding if step > 0 else "reversed"
    drop = np.flatnonzero(np.diff(positions) < 0)
    if len(drop) and whole:
        yield f"({p} % {int(drop[0]) + 1}{f' + {begin}' if first else ''})", "rows-repeated"
        yield f"np.roll({p}, {length - int(first)})", "rows-out-of-order"
        yield f"(({p} + {INT8}) % {2 * INT8} - {INT8})", "rows-out-of-order"
    rises = np.flatnonzero(np.diff(positions))
    if len(rises) and rises[0] and whole:
        yield f"({p} // {int(rises[0]) + 1}{f' + {begin}' if first else ''})", "rows-repeated"
    gaps = np.flatnonzero(np.diff(positions) == 2)
    if len(gaps) == 1:
        yield f"np.delete(np.arange(length + 1), {int(gaps[0]) + 1})", "rows-missing"
    twice = np.flatnonzero(np.diff(positions) == 0)
    if len(twice) == 1:
        yield f"np.insert(np.arange(length - 1), {int(twice[0])}, {int(twice[0])})", "rows-repeated"
    moved = np.flatnonzero(positions != np.arange(length)).tolist()
    if len(moved) == 2:
        one, other = moved
        before, between = f":{one}, " * (one > 0), f"{one + 1}:{other}, " * (other - one > 1)
        yield f"np.r_[{before}{other}, {between}{one}, {other + 1}:length]", "rows-out-of-order"
    if len(moved) == 1:
        yield f"np.where({p} == {moved[0]}, {_plain(positions[moved[0]])}, {p})", "row-wrong"


def known_rows(
    recipe: Recipe,
    target: np.ndarray,
    wanted: np.ndarray,
    room: float,
    most: int = COLUMNS,
    left_out: Sequence[int] | np.ndarray = (),
) -> np.ndarray | None:
    """Return for some rows of the target the position whose numbers they hold, nan where none does.

    Columns may be left out; of the others, so many are asked at most.
    """
    length, d_model = target.shape
    kept = np.setdiff1d(np.arange(d_model), left_out)
    columns = kept[evenly(len(kept), most)]
    before = BEFORE if length <= INT8 else INT8 + 2
    tried = np.concatenate([np.arange(2 * length + AFTER), -np.arange(1, before), np.arange(BETWEEN) + 0.5])
    code = f"pos = np.r_[:{2 * length + AFTER}, -1:-{before}:-1, 0.5:{BETWEEN}][:, np.newaxis]"
    try:
        made = recipe.with_(Line("pos", code)).run(np.arange(len(tried)), columns)
    except ERRORS:
        return None
    made = np.broadcast_to(made, (len(tried), len(columns)))
    tried, made, between = tried[:-BETWEEN], made[:-BETWEEN], made[-BETWEEN:]
    rows = np.vstack([between, target[np.ix_(wanted, columns)]])
    at = nearest(made, rows)
    good = np.mean(abs(made[at] - rows) <= room, axis=1) >= 0.9
    if np.mean(good[:BETWEEN]) > 0.5:
        return None  # anything is near to the rows of so many positions
    found: np.ndarray = np.where(good, tried[at].astype(float), np.nan)[BETWEEN:]
    return found


def nearest(points: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return for each wanted point which of some points is nearest, among those beside it along some direction."""
    direction = np.sin(np.arange(1.0, points.shape[1] + 1) ** 2)
    order = np.argsort(points @ direction, kind="stable")
    at = np.searchsorted((points @ direction)[order], wanted @ direction)[:, np.newaxis] + np.arange(-BESIDE, BESIDE)
    near = np.sort(order[np.clip(at, 0, len(order) - 1)], axis=1)
    best = ((points[near] - wanted[:, np.newaxis]) ** 2).sum(axis=2).round(10).argmin(axis=1)
    found: np.ndarray = near[np.arange(len(near)), best]
    return found


def in_order(points: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return for each wanted point which it is, if they are these points in another order."""
    direction = np.sin(np.arange(1.0, points.shape[1] + 1) ** 2)
    found = np.empty(len(points), int)
    found[np.argsort(wanted @ direction)] = np.argsort(points @ direction)
    return found


def _plain(number: float) -> str:
    return str(int(number)) if number == round(number) else repr(float(number))
