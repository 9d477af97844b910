"""From a reading to advice: each departure from the encoding of the paper, its likely cause and its cure."""

import math
from collections.abc import Iterator

import numpy as np

from pe_lib.diagnosis.causes import VARIANTS, finding, known_scales
from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.laws import Law
from pe_lib.diagnosis.leftovers import about_digits
from pe_lib.diagnosis.reading import Reading
from pe_lib.diagnosis.report import Diagnosis, Finding, some
from pe_lib.encoding import frequencies

TOO_MANY_OF_FEW = 2
TOO_MANY = 4  # mistakes in one matrix are less likely than that it is no encoding at all


def findings_of(reading: Reading, values: np.ndarray, grain: Grain, base: float, unit: float = 1.0) -> Diagnosis | None:
    """Say what a reading of a matrix means, and look at what it leaves over; None if it means too much to be true."""
    view = values.T if reading.transposed else values
    reading = _settled(reading, view, grain)
    if not math.isfinite(reading.scale * unit):
        return None
    found = list(_about_arrangement(reading))
    about_laws, undecided_is_fine = _about_frequencies(reading, base)
    found += about_laws
    found += _about_positions(reading)
    found += _about_numbers(reading, unit)
    found += about_digits(reading, view, grain, unit)
    found += _about_size(reading)
    leftover = any(one.code.endswith("-wrong") for one in found)
    kinds = [one.kind for one in found]
    causes = kinds.count("mistake") + ("undecided" in kinds)
    most = TOO_MANY_OF_FEW if len(reading.w) <= 3 or values.size < 12 else TOO_MANY
    if causes > (most - 1 if leftover else most):
        return None
    if reading.transposed:
        found = [_turned(one) for one in found]
    found.sort(key=lambda one: ("mistake", "undecided", "variant", "note").index(one.kind))
    ok = undecided_is_fine and not any(one.kind == "mistake" for one in found)
    law = reading.laws[0]
    told = reading.positions[np.isfinite(reading.positions)]
    start = float(reading.positions[0]) if np.isfinite(reading.positions[0]) else None
    if start is None and len(told):
        start = float(told[0] - np.flatnonzero(np.isfinite(reading.positions))[0])
    return Diagnosis(
        ok=ok,
        findings=tuple(found),
        base=law.base if len(reading.w) > 2 and np.any(told) else None,
        layout=reading.layout or None,
        start=None if start is None else start + 0.0,
        scale=reading.scale * unit,
        shape=values.shape,
    )


def _settled(reading: Reading, view: np.ndarray, grain: Grain) -> Reading:
    """Make the numbers of a reading exact where an exact one lies within what was measured."""
    rows = np.flatnonzero(np.isfinite(reading.positions))[:256]
    plain = reading.with_(scale=1.0, offsets=(0.0, 0.0)).predicted(rows)
    slack = 8 * max(grain.noise(reading.scale), 1e-14)
    near = [x for _, x in known_scales(view.shape[1]) if abs(reading.scale - x) <= slack * x]
    scale = near[0] if near else reading.scale
    if not near and not any(reading.offsets) and reading.level == "float64":
        fits = abs(view[rows] - scale * plain) <= reading.allowed(rows, grain)
        if np.any(plain[fits]):
            scale = float(np.sum((view[rows] * plain)[fits]) / np.sum((plain * plain)[fits]))
    offsets = tuple(0.0 if abs(x) <= slack * scale else float(f"{x:.9g}") for x in reading.offsets)
    roles, positions = reading.roles, reading.positions
    signs = set(roles)
    if signs == {"-sin", "-cos"}:
        scale, roles = -scale, tuple(role[1:] for role in roles)
    elif signs == {"-sin", "cos"} and len(rows) and positions[rows[0]] < 0:
        roles, positions = tuple(role.removeprefix("-") for role in roles), -positions
    reading = reading.with_(scale=scale, offsets=offsets, roles=roles, positions=positions)
    return _with_true_zeros(reading, grain)


def _with_true_zeros(reading: Reading, grain: Grain) -> Reading:
    """Count rows of zeros as rows like the others, where zeros are what belongs there."""
    empty, told = (np.flatnonzero(np.isfinite(reading.positions) == known) for known in (False, True))
    if not len(empty) or not len(told):
        return reading
    positions = reading.positions.copy()
    positions[empty] = positions[told[0]] + empty - told[0]
    full = reading.with_(positions=positions)
    zero = np.all(abs(full.predicted(empty)) <= full.allowed(empty, grain), axis=1)
    positions[empty[~zero]] = np.nan
    return full


def _about_arrangement(reading: Reading) -> Iterator[Finding]:
    """Say how positions, sines and cosines are arranged."""
    if reading.transposed:
        yield finding("transposed")
    d_model, halves = len(reading.roles), reading.layout == "halves"
    if d_model == 1:
        return
    first = reading.roles[0]
    second = reading.roles[(d_model + 1) // 2 if halves else 1]
    bare = (first.removeprefix("-"), second.removeprefix("-"))
    explained = "columns-reversed" in reading.laws[0].codes or "first-column-missing" in reading.codes
    if bare == ("cos", "sin") and not explained:
        yield finding("cosines-first" if halves else "swapped", column=0)
    elif bare == ("sin", "sin"):
        yield finding("sines-alone", column=(d_model + 1) // 2 if halves else 1)
    elif bare == ("cos", "cos"):
        yield finding("cosines-alone", column=0)
    if halves and bare != ("cos", "sin"):
        yield finding("halves", column=1)
    for at, role in ((0, first), ((d_model + 1) // 2 if halves else 1, second)):
        if role.startswith("-"):
            yield finding("sign", column=at, which="sine" if role.endswith("sin") else "cosine")


def _about_frequencies(reading: Reading, base: float) -> tuple[list[Finding], bool]:
    """Say what gives the columns their frequencies; and whether, if that is undecided, it may be no mistake."""
    ways = [(*reading.codes, *law.codes) for law in reading.laws] + list(reading.choices)
    ways = [tuple(code for code in way if code != "order") for way in ways]
    ways = list(dict.fromkeys(ways))
    column = _first_departure(reading, base)
    common = [code for code in ways[0] if all(code in way for way in ways)]
    shown = [_about_law(code, reading, reading.laws[0], base, column, "mistake") for code in common]
    rest = [[code for code in way if code not in common] for way in ways]
    if len(ways) > 1 and all(rest):
        laws = [*reading.laws, *(reading.laws[0] for _ in reading.choices)]
        for way, law in zip(rest, laws, strict=False):
            shown += [_about_law(code, reading, law, base, column, "undecided") for code in way]
        fine = any(all(code in VARIANTS for code in way) for way in rest)
        return shown, fine
    return shown, True


def _about_law(code: str, reading: Reading, law: Law, base: float, column: int | None, kind: str) -> Finding:
    """Return the finding about one cause of the frequencies."""
    if code == "columns-reversed" and reading.roles[0].endswith("sin"):
        code = "pairs-reversed"
    if code in VARIANTS and kind == "mistake":
        kind = "variant"
    here = "" if column is None or (code == "base" and reading.codes) else (
        f" Column {column} turns by {reading.w[column]:.6g} a position; the formula says "
        f"{_right(reading, base)[column]:.6g}."
    )  # fmt: skip
    return finding(
        code, kind=kind, column=column, here=here, base=f"{base:.10g}", log=f"{math.log(base):.4f}",
        log10=f"{math.log10(base):.4g}", found=f"{law.base or math.nan:.7g}", width=law.width, d_model=len(reading.w),
        step=f"{math.exp(min(law.shift, 700)):.6g}", slope=f"{law.slope:.4g}", turn=_step_words(law, reading),
        words=_pattern_words(reading, base) if code in ("frequencies", "column-frequencies") else "",
    )  # fmt: skip


def _pattern_words(reading: Reading, base: float) -> str:
    """Say what frequencies that follow no power have in common with each other, or with the right ones."""
    w, right = reading.w, _right(reading, base)
    told = np.unique(w)[::-1]
    if len(told) > 2 and np.ptp(np.diff(told)) <= 1e-6 * abs(told).max():
        return "The frequencies are evenly spaced, where each should be a fixed fraction of the one before. "
    with np.errstate(divide="ignore", over="ignore"):
        divisors = 1 / told
    if len(told) > 2 and np.all(np.isfinite(divisors)) and np.ptp(np.diff(divisors)) <= 1e-6 * divisors.max():
        return "The divisors are evenly spaced, where each should be a fixed multiple of the one before. "
    for decimals in range(1, 7):
        if np.allclose(w, right.round(decimals), rtol=0, atol=1e-9):
            return f"They are the right ones, rounded to {decimals} decimals. "
    off = np.flatnonzero(abs(w / right - 1) > 1e-6)
    if len(off) and len(off) < len(w) and np.ptp(w[off] / right[off]) <= 1e-6 * w[off[0]] / right[off[0]]:
        times = f"{w[off[0]] / right[off[0]]:.6g}"
        return f"In columns {some(off)} they are {times} times the right ones; the others are right. "
    return _two_bases(reading)


def _two_bases(reading: Reading) -> str:
    """Say which bases sines and cosines follow, if each follow one."""
    kinds, words = np.array([role.removeprefix("-") for role in reading.roles]), []
    for kind in ("sin", "cos"):
        w = reading.w[kinds == kind]
        i = np.arange(len(w))
        if len(w) < 3 or abs(w[0] - 1) > 1e-9 or np.any(w[1:] <= 0):
            return ""
        log_bases = -np.log(w[1:]) * len(reading.w) / (2 * i[1:])
        if np.ptp(log_bases) > 1e-6 or log_bases[0] > 40:
            return ""
        words.append(f"{math.exp(log_bases[0]):.6g}")
    return f"The sines follow base {words[0]}, the cosines base {words[1]}. " if words[0] != words[1] else ""


def _step_words(law: Law, reading: Reading) -> str:
    """Say where a step other than 1 may come from."""
    step, length = math.exp(min(law.shift, 700.0)), len(reading.positions)
    for value, words in (
        (1 / length, f"1/{length}: positions were divided by the length"),
        (1 / max(length - 1, 1), f"1/{length - 1}: positions were spread over 0 to 1"),
        (2 * math.pi, "2·pi: positions were counted in whole turns"),
        (math.pi, "pi: positions were multiplied by pi"),
        (2 * math.pi / length, f"2·pi/{length}: the length was made one whole turn"),
    ):
        if abs(step / value - 1) < 1e-3:
            return f" That is {words}."
    return ""


def _right(reading: Reading, base: float) -> np.ndarray:
    """Return the frequency that each column should have where it stands."""
    d_model = len(reading.w)
    w = frequencies(d_model, base)
    if reading.layout == "halves":
        return np.concatenate([w, w])[:d_model] if d_model % 2 == 0 else np.concatenate([w, w[:-1]])
    return np.repeat(w, 2)[:d_model]


def _first_departure(reading: Reading, base: float) -> int | None:
    """Return the first column whose frequency is not the formula's."""
    right = _right(reading, base)
    off = np.flatnonzero(abs(reading.w - right) > 1e-6 * right)
    return int(off[0]) if len(off) else None


def _about_positions(reading: Reading) -> Iterator[Finding]:
    """Say which position each row holds, where it is not its own number."""
    positions = reading.positions
    rows = np.flatnonzero(np.isfinite(positions))
    empty = np.flatnonzero(~np.isfinite(positions))
    if len(empty):
        if len(empty) == 1 and empty[0] == 0:
            yield finding("row-zeroed", row=0)
        else:
            yield finding("rows-zeroed", row=int(empty[0]), rows=some(empty), count=len(empty))
    if not len(rows):
        return
    offset = positions[rows] - rows
    start, same = float(offset[0]), bool(np.ptp(offset) <= 1e-9 * max(1.0, abs(offset[0])))
    if same:
        if abs(start) > 1e-6 and not math.isclose(start, 0, abs_tol=1e-6):
            yield finding("start", row=int(rows[0]), start=f"{start:.7g}", first=f"{positions[rows[0]]:.7g}",
                           at=int(rows[0]), why=_start_words(start))  # fmt: skip
        return
    shown = ", ".join(f"{p + 0.0:g}" for p in positions[rows][:8]) + (", …" if len(rows) > 8 else "")
    row = int(rows[np.flatnonzero(offset != 0)[0]])
    if len(set(positions[rows].tolist())) == 1:
        yield finding("same-row", row=row, position=f"{positions[rows[0]]:g}")
    elif np.all(np.diff(positions[rows]) == -1):
        yield finding("reversed", row=0, shown=shown)
    elif np.count_nonzero(offset) == 1 and len(rows) > 3:
        yield finding("row-wrong", row=row, at=row, more=" All others are right.",
                       words=f"it holds position {positions[row]:g}")  # fmt: skip
    elif len(set(positions[rows].tolist())) < len(rows):
        yield finding("rows-repeated", row=row, shown=shown, position=f"{positions[row]:g}", at=row)
    else:
        yield finding("rows-out-of-order", row=row, shown=shown, position=f"{positions[row]:g}", at=row)


def _start_words(start: float) -> str:
    if start == 1:
        return " A loop from 1, or a row kept for padding, does that."
    if start == 2:
        return " In fairseq, padding_idx + 1 with a padding_idx of 1 does that."
    return "" if start == round(start) else " Positions between whole ones are seldom meant."


def _about_numbers(reading: Reading, unit: float) -> Iterator[Finding]:
    """Say by what the sines and cosines were multiplied, and what was added to them."""
    scale = reading.scale * unit
    if scale != 1.0:
        named = [
            words for words, value in known_scales(len(reading.w)) if math.isclose(abs(scale), value, rel_tol=1e-3)
        ]
        yield finding("scale", scale=f"{scale:.6g}", words=f", {named[0]}" if named and named[0] else "")
    if any(reading.offsets):
        sine, cosine = (x * unit for x in reading.offsets)
        what = f"{sine:.6g} to all numbers" if math.isclose(sine, cosine, abs_tol=1e-6) else (
            f"{sine:.6g} to the sines and {cosine:.6g} to the cosines"
        )  # fmt: skip
        yield finding("offset", what=what)


def _about_size(reading: Reading) -> Iterator[Finding]:
    """Say what the matrix is too small to show."""
    told = reading.positions[np.isfinite(reading.positions)]
    if len(reading.w) <= 2:
        yield finding(
            "too-small", kind="note", words="With one pair of columns all bases look alike: its frequency is 1."
        )
    elif not np.any(told):
        yield finding(
            "too-small", kind="note", words="Position 0 alone shows no frequencies: its row is the same for every base."
        )
    elif len(told) == 1:
        yield finding(
            "too-small",
            kind="note",
            words="A single row shows frequencies only if the position in it is taken for granted.",
        )


def _turned(one: Finding) -> Finding:
    """Return a finding about a transposed matrix, which says how its rows and columns are counted."""
    note = "" if one.row is None and one.column is None else " (Rows and columns as they are once it is transposed.)"
    return Finding(one.code, one.message + note, one.kind, one.row, one.column)
