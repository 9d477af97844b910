"""Lines with numbers that were measured: a base, scale and offset, and positions. A `Guess` makes the numbers plain."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pe_diagnosis import limits
from pe_diagnosis.catalogue import Entry, choices
from pe_diagnosis.measure import pace, spread
from pe_diagnosis.program import ERRORS, Names, Program, evaluated, names_of
from pe_diagnosis.rounding import Number, Storage, best_change, plainest, price

Measured = tuple[str, tuple[float, ...]]  # a slot, and the numbers of its line in `LINES`
Pace = tuple[float, float]  # a step and a first position


@lru_cache(maxsize=16)
def slips(asked: float) -> list[tuple[float, Entry]]:
    """Return the bases that a slip makes of the one asked for, and their entries."""
    found = []
    for entry in choices("base"):
        line = entry.line.replace("{base}", repr(asked))
        value = float(evaluated(line, {"np": np}))
        said = entry.sentence.replace("{number}", f"{value:.6g}")
        found.append((value, Entry("base", entry.cost, entry.cause, line, said)))
    return found


def base_entry(program: Program, base: Number) -> Entry:
    """Return the entry of a base, all digits written out: `settled` reads it back."""
    said = f"The base is {base.value:.7g} and should be {program.asked:g}. Was a number mistyped, or an exponent?"
    return Entry("base", 1 + price(repr(base.value)), "base", repr(base.value), said)


def scale_entry(_: Program, scale: Number, offset: Number) -> Entry | None:  # all of `LINES` are given the program
    """Return the line that multiplies by a scale and adds an offset; None where neither is needed."""
    a, m = scale.value, offset.value
    line = "matrix" if a == 1 else f"{scale.text} * matrix"
    line += f" {'+' if m > 0 else '-'} {offset.text.lstrip('-')}" if m else ""
    if line == "matrix":
        return None
    cause = "scale-offset" if a != 1 and m else "offset" if m else "scale"
    cost = (0.8 + 0.3 * (a < 0) + price(scale.text)) * (a != 1) + (0.9 + price(offset.text)) * (m != 0)
    said = [f"multiplied by {a:.6g}"] * (a != 1) + [f"{'raised' if m > 0 else 'lowered'} by {abs(m):.6g}"] * (m != 0)
    return Entry("scale", cost, cause, line, f"All numbers are {' and '.join(said)}. Leave them as they are.")


# ------------------------------------------------------------------ lines that make positions


def start_entry(start: int) -> Entry:
    """Return the line for positions that count from `start`."""
    if not start:
        return choices("positions")[0]
    if start > 0:
        said = (
            f"The positions are counted from {start}, which is right when a text continues, as with a cache that "
            "already holds that many tokens. Otherwise count from 0."
        )
        return Entry("positions", 0.3, "start", f"row + {start}", said)
    said = f"The positions are counted from {start}: position 0 comes after {-start} rows. Is padding counted there?"
    return Entry("positions", 0.6, "start", f"row - {-start}", said)


@lru_cache(maxsize=2)
def known_positions(length: int, d_model: int) -> tuple[list[Entry], np.ndarray]:
    """Return the catalogue's lines for positions, the paper's first, and what they make, (n, length)."""
    names, entries = names_of(length, d_model), list(choices("positions"))
    return entries, np.array([np.broadcast_to(evaluated(one.line, names), length) for one in entries], float)


def steps_entry(program: Program, step: Number, start: Number) -> Entry:
    """Return the line for positions start, start + step, …; whole steps, and equal parts of 1, are a variant.

    Steps of 1/length are not a choice but a slip.
    """
    if step.value == 0:
        said = f"Every row holds position {start.value:.6g}: one position was taken for all, or all frequencies are 0."
        said += " A cache that numbers every new token 0 does the same." * (start.value == 0)
        return Entry("positions", 1, "same-row", f"0 * row + {start.text}", said)
    if step.value == 1 and start.value == round(start.value):
        return start_entry(int(start.value))
    cost, later = _cost_of_step(step) + _cost_of_start(start), f" + {start.text}" * (start.value != 0)
    line = ("" if step.value == 1 else f"{step.text} * ") + "row" + later
    if step.value == -1:
        said = f"The positions count down from {start.value:.6g}. Count up from 0."
        return Entry("positions", cost, "reversed", line, said)
    for whole, words in ((program.length, "length"), (program.length - 1, "(length - 1)")):
        if whole > 3 and abs(step.value * whole - 1) < 1e-9:
            said = f"The positions are divided by {words}: they go up in steps of {step.value:.6g}. Leave that out."
            cost = 1 + _cost_of_start(start)
            return Entry("positions", cost, "divided-positions", f"row / {words}{later}", said)
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


def position_lines(p: np.ndarray, off: float, d_model: int, free: bool) -> Iterator[Entry | Pace]:
    """Yield what makes these positions: lines of the catalogue, lists, or equal steps, whose numbers are measured.

    Parameters
    ----------
    p : ndarray of shape (length,)
        The positions as they were measured, each known to within `off`; nan where a row doesn't say.
    free : bool
        Whether positions that follow no line may be listed.
    """
    told, whole, (entries, made) = np.isfinite(p), np.round(p), known_positions(len(p), d_model)
    share = (np.abs(p - made) <= off + 1e-9 * np.abs(made))[:, told].mean(1)
    makes = (share == 1) & np.any(made != made[:, :1], axis=1)  # one position for all is said as such
    yield from (entries[n] for n in np.flatnonzero(makes))
    step, start, steady = pace(p, off)
    in_steps, near_whole = max(share[0], steady) == 1, np.all(np.abs(p - whole) <= off + 1e-7 * np.abs(p))
    listable = told.all() and off < limits.LISTABLE and np.abs(p).max() <= limits.LARGEST_POSITION
    if near_whole and listable and not in_steps:
        usual = np.round(start + step * np.arange(len(p))) if steady > limits.ENOUGH else np.arange(len(p))
        yield from _listed(whole.astype(int), usual, free)
    if steady > limits.ENOUGH:
        plain = abs(step - 1) <= off and abs(start - round(start)) <= off  # a whole start needs no measuring
        yield start_entry(round(start)) if plain else (step, start)


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


# ------------------------------------------------------------------ programs whose numbers are still to be made plain

# The slots whose numbers are measured: their lines, and what these cost at least.
LINES: dict[str, Callable[..., Entry | None]] = {"base": base_entry, "scale": scale_entry, "positions": steps_entry}
LEAST_COST = {"base": limits.MEASURED_BASE, "scale": limits.MEASURED_SCALE, "positions": 0.0}  # with a price of 0.1


@dataclass(frozen=True)
class Guess:
    """A program with slots whose numbers were measured, and are still to be made plain."""

    program: Program
    table: np.ndarray  # what the program should make, before its order
    measured: tuple[Measured, ...]

    @property
    def cost(self) -> float:
        """What it costs, at least."""
        return self.program.cost + sum(LEAST_COST[slot] for slot, _ in self.measured)

    @property
    def key(self) -> tuple[object, ...]:
        """What no other guess has."""
        return self.program.key, self.measured

    def with_numbers(self, numbers: Iterable[Number]) -> Program:
        """Return the program with other numbers in place of those that were measured."""
        rest = iter(numbers)
        return self.program.but(
            **{slot: LINES[slot](self.program, *(next(rest) for _ in some)) for slot, some in self.measured}
        )

    def settled(self, storage: Storage) -> Iterator[Program]:
        """Yield the program with the plainest numbers that make its table, if any do, and slips near its base.

        They are brought nearer first, step by step (Gauss and Newton), with cells that are far off left out as damage.
        """
        part = spread(self.program.length, 2 * limits.ROWS), spread(self.program.d_model, 2 * limits.COLUMNS)
        given, x = self.table[np.ix_(*part)], np.concatenate([some for _, some in self.measured])

        def made_with(numbers: np.ndarray) -> Names:
            program = self.with_numbers(Number(repr(float(one)), float(one)) for one in numbers)
            return program.but(order=Program.order).run(part)

        for left in reversed(range(limits.CORRECTIONS)):
            steps = 1e-6 * np.maximum(np.abs(x), 1e-3)
            try:
                names, *nearby = (made_with(one) for one in (x, *(x + np.diag(steps))))
            except ERRORS:
                return
            made = names["matrix"]
            lost = storage.lost(names["angles"], names["w"])
            allowed = storage.half_unit(made) + lost * max(1.0, float(np.ptp(made)) / 2)
            missing = given - made
            usual = np.nanquantile(np.abs(missing), limits.ENOUGH)
            good = np.abs(missing) <= 6 * usual + 3 * allowed  # a normal error is hardly ever six times as large
            slopes = np.array([(one["matrix"] - made)[good] / step for one, step in zip(nearby, steps, strict=True)])
            missing, allowed = missing[good], allowed[good]
            if not np.isfinite(slopes).all():
                return
            change = np.linalg.lstsq((slopes / allowed).T, missing / allowed, rcond=None)[0]
            if not left or np.abs(slopes.T @ change / allowed).max() < 0.1:  # `plainest` makes the last change
                break
            x = x + change
        damaged = good.sum() < np.isfinite(given).sum()
        if damaged or best_change(missing, slopes, allowed)[1] <= limits.HOPELESS:
            program = self.with_numbers(plainest(x, missing, slopes, allowed))
            if program.base is not None:
                for base, entry in slips(program.asked):
                    if abs(base - float(program.base.line)) < 0.01 * base:  # the others aren't worth a run
                        yield program.but(base=entry)
            yield program
