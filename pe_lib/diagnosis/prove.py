"""The proof of a recipe: run it, hold what it makes against the matrix, strike out every line that is not needed."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from pe_lib.diagnosis.grain import BITS, COARSE, Grain
from pe_lib.diagnosis.measure import evenly
from pe_lib.diagnosis.noise import BETWEEN, BY_CHANCE, FEWEST, MOST_NOISE, SMALL, has_short_tails, leaves_noise
from pe_lib.diagnosis.recipe import ERRORS, RIGHT, Line, Recipe

UNITS = 16  # of 2**-24·(1 + angle): float32 in the usual spellings makes errors of up to 8.2
UNNOTED = 4  # times what the type of the numbers leaves open: such an error tells nothing
MOST_OF_THEM = 0.9  # of the columns are no larger than is meant by size: one may be wrong, and many slow sines
EXACT = 1e-12  # of 1 + angle: what float64 leaves open, in another order of the same steps
CHANCE = 1e-4  # of the numbers, that a line may seem to explain
WORTH = 2  # numbers, or more, a line is to explain
APART = 4  # times as far off as the others, at least, are most of the numbers that are called wrong
TWENTIETH = 20  # a line is believed if leaving it out changes numbers this many times as much as is left over
FEW = 2.7  # what lines cost that are believed of numbers that are not all explained
MOST = 4.5  # what lines cost that are believed of numbers of which single ones are left over
MOST_LEFT = 0.02, 0.1  # of rounded numbers are left over where a cause is believed, of coarse and of fine ones
FEWEST_GIVEN = 11  # numbers: of more, one may be another where they are the encoding's
MOST_MISTYPED = 2  # numbers, of small tables
VISIBLE = 1e-3  # of the size of the numbers: columns that change by less stand still
NEARLY = 0.9  # of the numbers, or more, are as they were where others were rounded twice
FINE = 0.01  # step of numbers, or less, of which one may be off by a last digit
LAST_DIGIT = 1.01  # steps, or less, are one in the last digit that was kept
LARGE = 20_000  # numbers: of more, some rows tell what a line changes
WHOLE = ("damage", "turned")  # lines that need all rows
# of the size of the others, or less: an error that is small beside those may be all of them, and none of rounding
SMALL_NUMBERS = {"float32": 1e-5, "exact": 1e-30}
SMALLEST = 1e-37  # number that float32 holds with all its digits
MOST_FLOAT32 = 0.02  # of the size of the numbers: farther off, nothing can be told by them
SINGLE = 0.94  # of them, or more, are given where single ones are left over
MOST_STILL = 0.125  # of the columns, beside a law that tells of the others
SURE = 5  # lines are worth a digit of noise
LISTED = 1.45  # the rank of measured frequencies or phases: above noise, below a law that float32 brings as near
LEAST = 0.3  # of the numbers that tell anything are to be near


@dataclass(frozen=True)
class Proof:
    """What a recipe makes, beside the matrix."""

    recipe: Recipe
    values: np.ndarray
    rebuilt: np.ndarray
    before: np.ndarray  # the same before that was stored in few digits
    off: np.ndarray  # how far each number is from what the recipe makes
    room: np.ndarray  # how far it may be
    level: str  # "exact" but for rounding, "float32": as near as that brings it, "noisy": as a measured spread
    noise: float  # how far the numbers may be off as they were stored
    digit: tuple[float, float]  # the last one that was kept: the step between decimals, and a share of the number
    others: tuple[Recipe, ...] = ()  # that give the same numbers and are about as plain

    @cached_property
    def fits(self) -> np.ndarray:
        """Which numbers the recipe gives."""
        found: np.ndarray = self.off <= self.room
        return found

    @cached_property
    def within(self) -> float:
        """The greatest difference among the numbers that it gives."""
        if self.fits.all():
            return float(self.off.max())
        return float(np.where(self.fits, self.off, 0.0).max()) if self.fits.any() else np.inf

    @cached_property
    def wrong(self) -> np.ndarray:
        """Which numbers are farther off than that."""
        found: np.ndarray = self.off > self.within
        return found

    @cached_property
    def explained(self) -> float:
        """The share of numbers that it gives."""
        return float(np.mean(~self.wrong))

    @cached_property
    def nearly_all(self) -> bool:
        """Whether single numbers do not fit, and these are off by one in the last digit that was kept.

        So are numbers that were rounded twice, or that measured ones in a recipe make.
        """
        off, count = (self.rebuilt - self.values)[self.wrong], np.count_nonzero(self.wrong)
        last = np.maximum(self.digit[0], self.digit[1] * abs(self.rebuilt[self.wrong]))
        several = self.recipe.estimated or count >= FEWEST or self.digit[0] <= FINE
        here_and_there = count < FEWEST or len(set(np.nonzero(self.wrong)[1])) > 1
        here_and_there &= bool(abs(np.sign(off).sum()) <= BY_CHANCE * math.sqrt(count))
        return several and here_and_there and self.explained >= NEARLY and bool(np.all(abs(off) <= LAST_DIGIT * last))

    @property
    def missed(self) -> float:
        """The share of numbers that it does not give, in columns that do not stand still: those any recipe gives."""
        moving = np.ptp(self.values, axis=0) > VISIBLE * abs(self.values).max()
        return float(self.wrong[:, moving].mean()) if moving.any() else 0.0

    @property
    def rank(self) -> tuple[float, float]:
        """By which of two proofs the better one is known: the greater.

        What is exact beats what is near, but for lists of what was measured; noise is told like a line. Of two
        that are near, each digit of nearness is worth one more line.
        """
        cost = self.recipe.cost
        share = self.explained - max(CHANCE, WORTH / self.off.size) * cost
        listed = bool({"frequencies", "phases"} & self.recipe.said)
        as_stored = self.explained == 1 and self.within <= UNNOTED * self.noise and not self.recipe.measured
        if self.level == "exact" or as_stored:
            return (LISTED if listed else 2.0) if self.explained == 1 else share, -cost - (self.level == "noisy")
        noisy, size = self.level == "noisy", max(float(abs(self.values).max()), 1e-12)
        # what many numbers say of the spread of noise is sure
        near, worth = (float(np.sqrt(np.mean(self.off**2))), SURE) if noisy else (self.within, 1)
        digits = -float(np.log10(max(near, 1e-12) / size))
        measured = (listed or self.recipe.measured) and self.noise < EXACT * size  # and yet it is not exact
        whole = 1.3 if noisy else 1.4 if measured else 1.5
        return (whole if self.explained == 1 else 0.9 * share), worth * digits - cost

    @cached_property
    def believed(self) -> bool:
        """Whether what it leaves over is a few rows, a few columns or a few numbers, or noise around few lines."""
        if self.level == "noisy":
            many = self.off.size > SMALL * (1 + self.recipe.cost)
            return self.explained >= 0.98 and self.missed <= 1 - SINGLE and self.recipe.cost <= FEW and many
        wrong = self.wrong
        if self.recipe.cost > min(wrong.size / 2, max(int(np.count_nonzero(self.values)), 1)):
            return False  # so many lines give any few numbers
        laws = any(line.slot in ("w", "angles") or line.finding == "columns-taken" for line in self.recipe.changed)
        if laws and "columns-still" in self.recipe.said and np.mean(np.ptp(self.values, axis=0) == 0) > MOST_STILL:
            return False  # what is left of sines or cosines may have any law
        if laws and np.ptp(self.before, axis=0).max() < self.noise <= np.ptp(self.values, axis=0).max():
            return False  # what moves is none of its columns
        columns = np.nonzero(wrong)[1].tolist()
        single = self.level == "exact" and wrong.size > FEWEST_GIVEN * len(columns)
        single &= len(set(columns)) == len(columns) <= MOST_MISTYPED
        if self.explained == 1 or ((self.nearly_all or single) and self.recipe.usual):
            return True
        most = MOST_LEFT[int(self.digit[0] < FINE)]
        rounded = self.digit[0] > 0 and wrong.mean() > most and not self.nearly_all and self.zeros == 1
        if (wrong.size <= SMALL or rounded) and self.recipe.cost >= 1:
            return False
        if wrong.mean() > 0.01 and any(line.slot == "precision" for line in self.recipe.changed):
            return False  # a type is believed where computing in it gives these very numbers
        if self.level == "float32" and np.median(self.off[wrong]) < APART * self.within:
            return False  # nothing sets these apart
        if max(self.missed, wrong[self.values != 0].mean()) > BETWEEN and self.zeros == 1:
            return False  # zeros and columns that stand still tell little
        rows, columns = wrong.any(axis=1).mean(), wrong.any(axis=0).mean()
        confined = (
            wrong.mean() <= 1 - SINGLE
            or self.zeros <= (0.7 if "scale" in self.recipe.said else 0.3)
            or (min(rows, columns) <= 0.13 and self.recipe.cost <= FEW)
        )
        return bool(confined) and self.recipe.cost <= MOST

    @cached_property
    def leaves_noise(self) -> bool:
        """Whether what it leaves over has no pattern."""
        return leaves_noise(self.values, self.rebuilt, self.before)

    @property
    def sure(self) -> bool:
        """Whether lines that leave noise over leave nothing else: another line might leave less."""
        return self.level != "noisy" or self.recipe.cost < 1 or self.leaves_noise

    @cached_property
    def zeros(self) -> float:
        """The share of numbers that do not fit, if all of them are 0; 1 otherwise."""
        return 1 - self.explained if not np.any(self.wrong & (self.values != 0)) else 1.0


def judge(recipe: Recipe, values: np.ndarray, grain: Grain) -> Proof | None:
    """Run a recipe and say how near it comes; None if most numbers are others."""
    rebuilt, before = (None, None) if _refused(recipe, values) else _attempted(recipe)
    if rebuilt is None or before is None or rebuilt.shape != values.shape:
        return None
    off = difference(rebuilt, values)
    largest = abs(values[:: max(1, len(values) // 64)]).max(axis=0)
    size = float(np.quantile(largest[largest > 0], MOST_OF_THEM, method="lower")) if largest.any() else 0.0
    size = min(max(size, 1e-300), 1e300)
    level, room = _level(recipe, values, rebuilt, before, off, grain, size)
    if level in SMALL_NUMBERS and _passed_over(recipe, values, off, SMALL_NUMBERS[level] * size, grain):
        return None
    room = np.broadcast_to(room, values.shape)
    digit = grain.step * grain.even, 2.0 ** (1 - BITS[grain.held_by])
    return Proof(recipe, values, rebuilt, before, off, room, level, grain.noise * size, digit) if level else None


def _passed_over(recipe: Recipe, values: np.ndarray, off: np.ndarray, least: float, grain: Grain) -> bool:
    """Say whether a column of small numbers, which a type holds as well as large ones, is made of others.

    Not those that large angles leave, which come round to 0.
    """
    if np.all(abs(values[-1]) >= least):
        return False
    most = abs(values).max(axis=0)
    small = (most < least) & (most > SMALLEST) & (np.ptp(values, axis=0) > 0)
    least_off = np.maximum(most[small] / TWENTIETH, 4 * grain.floor)
    if not np.any(off[:, small] >= least_off):
        return False
    angle = recipe.angles()
    room = UNITS * 2.0 ** -BITS[grain.held_by] * (angle[:, small] if angle.shape == values.shape else 0.0)
    return bool(np.any(off[:, small] >= np.maximum(least_off, room)))


def _level(
    recipe: Recipe,
    values: np.ndarray,
    rebuilt: np.ndarray,
    before: np.ndarray,
    off: np.ndarray,
    grain: Grain,
    size: float,
) -> tuple[str, np.ndarray | float]:
    """Return how near a recipe comes, "" if it does not, and how far each number may be off."""
    if float(off.max()) <= EXACT * size:  # the angles need not be asked
        return "exact", EXACT * size
    some = np.flatnonzero(values.any(axis=1))
    if not len(some):
        return "", 0.0
    some = some[:: max(1, len(some) // 256)]
    still = np.ptp(values[:SMALL], axis=0) == 0  # mostly a few rows are enough to say no
    still[still] = np.ptp(values[:, still], axis=0) == 0
    still &= not still.all()
    some_off, (room, wide) = off[some], _rooms(recipe, rebuilt[some], grain, size, still, some)
    if grain.step or np.all(some_off <= wide):  # else there is no need to ask about all numbers
        all_room, wide = _rooms(recipe, rebuilt, grain, size, still)
        if grain.step and 0 < np.mean(off > all_room) < BETWEEN:
            limit = np.minimum(wide, grain.step / 4) + 0.1 * grain.step * recipe.estimated
            all_room = np.where(_between(before, values, off, grain, limit, all_room), off, all_room)
            np.maximum(wide, all_room, out=wide)
        if np.all(off <= all_room):
            return "exact", all_room
        if np.all(off <= wide):
            return "float32", wide
        room, wide = all_room[some], wide[some]
    told = np.ptp(rebuilt[some], axis=0) > 20 * room.max(axis=0)
    told = told if told.any() else ~told
    share, wide_share = (float(np.mean((some_off <= allowed)[:, told])) for allowed in (room, wide))
    spread = 1.4826 * float(np.median(some_off[:, told]))
    noise = max(6 * spread, float(wide.min()))
    several = bool(off.max() > LAST_DIGIT * grain.step * grain.even)  # a last digit is no noise
    few = share < LEAST and wide_share < 0.98 and spread < MOST_NOISE * size
    if several and few and np.mean(off <= noise) > 0.98:
        return "noisy", noise
    rounded = several and 0 < grain.step < 1 and LEAST <= share < SINGLE
    if rounded and has_short_tails(off, size) and leaves_noise(values, rebuilt, before):
        return "noisy", float(off.max())
    if wide_share < LEAST:
        return "", 0.0
    room, wide = _rooms(recipe, rebuilt, grain, size, still)
    return ("exact", room) if share >= LEAST and wide_share - share < 0.05 else ("float32", wide)


def _rooms(
    recipe: Recipe, rebuilt: np.ndarray, grain: Grain, size: float, still: np.ndarray, rows: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return how far each number may be off, of all or of some rows: as exact ones may, and as float32 ones may.

    Numbers of columns that stand still may be off as exact ones: float32 makes them no stiller.
    """
    angle = recipe.angles(rows)
    wide = angle + 1 if angle.shape == rebuilt.shape else np.full(rebuilt.shape, float(angle.max()) + 1)
    stored = grain.room(rebuilt)
    in_steps = grain.step and grain.held_by not in COARSE
    most = min(MOST_FLOAT32 * size, LAST_DIGIT * grain.step if in_steps and not recipe.usual else np.inf)
    room = np.minimum(EXACT * size * wide, most)
    room += stored
    wide *= UNITS * 2.0**-24 * size * 1.02
    wide += stored
    wide[:, still] = room[:, still]
    return room, np.maximum(np.minimum(wide, most, out=wide), room, out=wide)


def _between(
    before: np.ndarray, values: np.ndarray, off: np.ndarray, grain: Grain, limit: np.ndarray, room: np.ndarray
) -> np.ndarray | bool:
    """Say which numbers lay so near the middle of two steps that either is right; none, if others are as far off."""
    gap = difference(before, values)
    missed = np.minimum(gap, abs(gap - off)) if grain.cut else gap - off / 2  # what is cut off changes at a step
    near: np.ndarray = (missed <= limit) & (off <= LAST_DIGIT * grain.step)
    wrong = (off > room) & ~near
    return near if off.min(where=wrong, initial=np.inf) > off.max(where=near, initial=0.0) else False


def difference(made: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return how far numbers are apart, infinitely if one is none."""
    with np.errstate(invalid="ignore", over="ignore"):
        found: np.ndarray = np.subtract(made, values)
    np.abs(found, out=found)
    return found if np.isfinite(found.max(initial=0.0)) else np.nan_to_num(found, copy=False, nan=np.inf)


def _refused(recipe: Recipe, values: np.ndarray) -> bool:
    """Say whether in some rows of a large matrix most numbers are others."""
    part, wanted, _ = some_rows(recipe, values) if values.size > LARGE else (None, values, values)
    if part is None:
        return False
    near = MOST_NOISE * np.median(abs(wanted).max(axis=0))
    told = np.ptp(part, axis=0) > 2 * near
    return bool(told.any() and np.mean(abs(part - wanted)[:, told] <= near) < LEAST)


def some_rows(recipe: Recipe, values: np.ndarray) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
    """Return some rows as a recipe makes them, if it can without the others, as they are, and which they are."""
    view = values.T if _turned(recipe) else values
    rows = np.unique(np.r_[: min(8, len(view)), evenly(len(view), 24)])
    part = None
    if (recipe.length, recipe.d_model) == view.shape and not any("axis=0" in line.code for line in recipe.changed):
        with suppress(*ERRORS):
            part = np.asarray(recipe.names(rows, also=("order", "values", "stored"))["matrix"], float)
    return part if part is not None and part.shape == view[rows].shape else None, view[rows], rows


def _turned(recipe: Recipe) -> bool:
    return any(line.finding == "transposed" for line in recipe.changed)


def attempt(recipe: Recipe) -> np.ndarray | None:
    """Run a recipe; None where its lines do not go together."""
    return _attempted(recipe)[0]


def _attempted(recipe: Recipe) -> tuple[np.ndarray, np.ndarray] | tuple[None, None]:
    """Run a recipe, and return also what it makes before that is stored."""
    try:
        names = recipe.names()
        made = np.asarray(names["matrix"], np.float64)
    except ERRORS:
        return None, None
    return (made, names.get("before", made)) if made.ndim == 2 else (None, None)


def change(proof: Proof, *lines: Line) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Return by how much numbers would change without lines, and their rows and columns; None if the shape would."""
    shorter = proof.recipe.without(*(one for line in lines for one in together(proof.recipe, line)))
    rows, columns = (np.arange(count) for count in proof.values.shape)
    if proof.values.size > LARGE and not any(line.slot in WHOLE for line in lines):
        (part, _, some), (made, *_) = (some_rows(one, proof.rebuilt) for one in (shorter, proof.recipe))
        if part is not None and made is not None:
            changed = difference(part, made)
            return (changed.T, rows, some) if _turned(shorter) else (changed, some, columns)
    other = attempt(shorter)
    if other is None or other.shape != proof.values.shape:
        return None
    return difference(other, proof.rebuilt), rows, columns


def together(recipe: Recipe, line: Line) -> tuple[Line, ...]:
    """Return a line with those that round as it does, which say nothing by themselves."""
    rounds = line.finding == "low-precision" and line.slot == "precision"
    return line, *(one for one in recipe.changed if rounds and one.slot in ("coarse", "coarser") and not one.finding)


def needed(proof: Proof, *lines: Line) -> bool:
    """Say whether lines are believed: without them, numbers change twenty times as much as the recipe leaves over.

    The line that rounds is, if it does something: the numbers themselves show their steps.
    """
    waves = all(one.slot != "matrix" for one in proof.recipe.changed)  # which have more digits than anything stores
    rounding = all(line.slot == "stored" for line in lines)
    changed = None if rounding and waves and lines[0].kind == "note" else change(proof, *lines)
    if changed is None:
        return True
    off, rows, columns = changed
    last = LAST_DIGIT * proof.digit[0] * (proof.digit[0] <= FINE)
    least = 1e-12 if rounding else max(TWENTIETH * max(proof.within, 1e-15), last)
    return float(off.max(where=proof.fits[np.ix_(rows, columns)], initial=0.0)) >= least


def stripped(proof: Proof, again: Callable[[Recipe], Proof | None]) -> Proof | None:
    """Return the proof with every line left out that is not needed; None if it does not hold without them."""
    for line in proof.recipe.changed:
        if line.slot in ("help", "turned") or (not line.finding and line.slot not in RIGHT):
            continue
        if line not in proof.recipe.changed or needed(proof, line):
            continue
        shorter = again(proof.recipe.without(*together(proof.recipe, line)))
        if shorter is None or shorter.explained < proof.explained - 0.02:
            return None
        proof = shorter
    said = [line for line in proof.recipe.changed if line.finding and line.slot not in ("stored", "turned")]
    if any(not needed(proof, *both) for both in combinations(said, 2)):
        return None  # two that undo each other
    unused = [line for line in proof.recipe.changed if line.slot == "help"]
    unused = unused if all("bfloat16(" not in line.code for line in proof.recipe.changed if line not in unused) else []
    return replace(proof, recipe=proof.recipe.without(*unused)) if unused else proof
