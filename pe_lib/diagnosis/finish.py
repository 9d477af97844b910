"""Finish a guess: rows and columns that it leaves over, the type it was computed in, and the lines to strike."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from pe_lib.diagnosis.catalogue import LAWS
from pe_lib.diagnosis.changed_values import absolute
from pe_lib.diagnosis.damage import emptied, repaired
from pe_lib.diagnosis.grain import BITS, COARSE, Grain
from pe_lib.diagnosis.laws import COARSELY, base_line, law_lines, step_line
from pe_lib.diagnosis.measure import SOME, Sight, evenly, narrowed
from pe_lib.diagnosis.plain_numbers import plain_step, plainest
from pe_lib.diagnosis.positions import position_lines
from pe_lib.diagnosis.prove import EXACT, FEW, Proof, judge, some_rows, stripped
from pe_lib.diagnosis.recipe import ERRORS, Line, Recipe, evaluated

BFLOAT16 = Line(
    "help",
    "def bfloat16(x): n = np.float32(x).view(np.uint32); "
    "return ((n + 0x7FFF + (n >> 16 & 1)) & 0xFFFF0000).view(np.float32)",
    cost=0,
)
HALF, MOSTLY = 0.5, 0.75  # of the numbers
MOST_LOG = 600.0  # of a base
LIKELIEST = 2  # of the ways to compute in a type are proved
NEARLY = 0.1  # of the size of the numbers: so near come recipes that may lack only the type
IN_FLOAT32 = Line(
    "coarse", "angles = np.float32(angles)", "low-precision", "note", {"type": "float32", "what": "The angles were"}
)
DIVISORS = [
    (Line("w", f"f = np.float32; w = {code}", "inverse"), IN_FLOAT32)
    for code in (
        "f(np.exp(f(f(2 * (j // 2)) * f(np.log(base) / d_model))))",
        "1 / np.float64(f(np.exp(f(f(2 * (j // 2)) * f(-np.log(base) / d_model)))))",
        "f(base) ** f(2 * (j // 2) / d_model)",
        "1 / np.float64(f(base) ** f(-2 * (j // 2) / d_model))",
    )
]
# what tells sines from cosines
OF_BOTH = ("swapped", "cosines-first", "cosine-", "sine-", "columns-moved", "of-one", "one-floored", "apart")
MOVED = {"rearranged", "columns-rolled-round"}  # all numbers: what is left over tells against it
LEAST_OFF, NUDGED = 3, 10  # numbers, or more, are off; half steps: so far they may be
KNOBS = {
    "base": "base = {!r}",
    "angles": "angles = {!r} * pos * w",
    "pos": "pos = ({!r} + np.arange(length))[:, np.newaxis]",
}
TYPES = {"float16": "np.float16", "bfloat16": "bfloat16", "float32": "np.float32"}


def finished(guess: Recipe, sight: Sight, values: np.ndarray, grain: Grain) -> Proof | None:
    """Return the proof of a guess, with the lines it lacked and without those it does not need; None if it fails."""
    of_both = sight.layout == "halves" or any(one in code for code in guess.said for one in OF_BOTH)
    if of_both and len(sight.target) > 1 and len(set(np.flatnonzero(np.ptp(sight.target, axis=0)) % 2)) < 2:
        return None  # either sines or cosines are missing, or the same in all rows
    guess = settled(stored(guess, grain), sight)
    again = partial(judge, values=values, grain=grain)
    tried = [guess]
    if guess.measured and grain.noise > COARSELY:
        tried = refined(guess, sight)
        guess = tried[-1]
    proof = _better(*(again(one) for one in tried))
    if proof is None or proof.explained < 1:
        filled = guess if MOVED & guess.said else emptied(guess, sight, values, grain)
        proof = _better(proof, again(filled) if filled != guess else None)
        guess = proof.recipe if proof is not None else guess
    if not _mostly_exact(proof, grain) and guess.cost <= FEW + 1 and not grain.cut:
        typed = (again(other) for other in _in_types(guess, sight, values, grain))
        exact = [one for one in typed if one is not None and one.level == "exact"]
        proof = _better(proof, *(one for one in exact if one.believed or proof is None or not proof.believed))
    if proof is None:
        return None
    before = None
    while proof is not before and proof.explained < 1 and not MOVED & proof.recipe.said:
        before = proof
        empty = emptied(proof.recipe, sight, values, grain)
        for repair in chain(nudged(proof, sight), [empty], absolute(proof), repaired(proof, sight)):
            better = again(repair) if repair != proof.recipe and proof.explained < 1 else None
            if better is not None and better.explained > proof.explained and better.believed >= proof.believed:
                proof = better
    return stripped(proof, again) if proof.believed else None


def stored(guess: Recipe, grain: Grain) -> Recipe:
    """Return a guess with the line that stores its numbers as these are stored."""
    in_few_digits = any(line.slot in ("precision", "coarse") for line in guess.changed)
    if grain.stored is not None and not (in_few_digits and grain.stored.finding == "low-precision"):
        helped = [BFLOAT16] if "bfloat16" in grain.stored.code else []
        guess = guess.with_(grain.stored, *helped)
    return guess


def _better(*proofs: Proof | None) -> Proof | None:
    """Return the best of some proofs, None if there is none."""
    return max((one for one in proofs if one is not None), key=lambda one: one.rank, default=None)


def refined(recipe: Recipe, sight: Sight) -> list[Recipe]:
    """Return the recipe with the base that fits best, and with its own, said in as many digits as are known."""
    line = next(line for line in recipe.changed if line.slot == "base")
    rows, columns = evenly(recipe.length, SOME), evenly(recipe.d_model, SOME)
    log, known = math.log(float(line.code.removeprefix("base = "))), 0.0
    for _ in range(3):
        here, there = (
            recipe.with_(replace(line, code=f"base = {math.exp(log + more)!r}")).run(rows, columns)
            for more in (0.0, 1e-6)
        )
        slope = (there - here) / 1e-6
        known = float((slope**2).sum())
        missed = sight.target[np.ix_(rows, columns)] - here
        log += float((slope * missed.clip(-4 * sight.noise, 4 * sight.noise)).sum()) / max(known, 1e-300)
        if not 0 < known < np.inf or abs(log) > MOST_LOG:
            return [recipe]
    digits = max(2, min(14, int(-math.log10(2 * sight.noise / math.sqrt(known)))))
    found, shown = (float(f"{math.exp(log):.{kept}g}") for kept in (digits + 2, min(digits, 7)))
    if shown == recipe.base:
        return [recipe.without(line)]  # these digits do not tell it from the one that it should be
    words = line.words | {"found": f"about {shown:.7g}"}
    return [recipe.with_(replace(line, code=code, words=words)) for code in (f"base = {found!r}", line.code)]


def settled(recipe: Recipe, sight: Sight) -> Recipe:
    """Return the recipe with the plainest step of positions that gives all of its rounded numbers, if there is one."""
    line = next((one for one in recipe.changed if one.finding == "step" and one.slot == "angles"), None)
    if line is None or not sight.half:
        return recipe
    step = float(evaluated(line.code[len("angles = ") : -len(" * pos * w")], {"np": np}))
    return _stepped(recipe.without(line), _between(recipe, sight, "angles", step)) or recipe


def _stepped(recipe: Recipe, ends: tuple[float, float] | None) -> Recipe | None:
    """Return the recipe with the plainest step between two."""
    if ends is None or ends[0] <= 0:
        return None
    step = (ends[0] + ends[1]) / 2
    found = plain_step(step, (ends[1] - ends[0]) / (8 * step), recipe.length)
    degrees = found[2] == "np.pi / 180"
    return recipe.with_(*(law_lines("degrees", LAWS["degrees"]) if degrees else (step_line(*found),)))


def nudged(proof: Proof, sight: Sight) -> Iterator[Recipe]:
    """Yield the recipe with another base, step or first position, where numbers are off by a last digit alone."""
    recipe, off = proof.recipe, proof.off[proof.wrong]
    if not sight.half or len(off) < LEAST_OFF or off.max() > NUDGED * sight.half:
        return
    given = {line.slot: line for line in recipe.changed}
    if "w" not in given:
        base = given["base"].code.removeprefix("base = ") if "base" in given else recipe.base
        ends = _between(recipe, sight, "base", float(base))
        if ends is not None and ends[0] > 1:
            line = base_line(recipe, plainest(*ends))
            yield recipe.with_(replace(line, words=line.words | {"found": f"about {plainest(*ends):.7g}"}))
    if "angles" not in given:
        stepped = _stepped(recipe, _between(recipe, sight, "angles", 1.0))
        if stepped is not None:
            yield stepped
    if "pos" not in given and (ends := _between(recipe, sight, "pos", 0.0)):
        moved = position_lines(plainest(*ends) + np.arange(recipe.length))
        if moved is not None:
            yield recipe.with_(moved)


def _between(recipe: Recipe, sight: Sight, slot: str, value: float) -> tuple[float, float] | None:
    """Return between which two a base, step or first position lies that gives all rounded numbers, if one does."""
    target = sight.target if "scale" in recipe.said else sight.target * sight.scale
    rows, columns = evenly(recipe.length, SOME), np.arange(recipe.d_model)
    for _ in range(4):
        tiny = 1e-6 * max(abs(value), 1.0)
        lines = (Line(slot, KNOBS[slot].format(value + more)) for more in (0.0, tiny))
        here, there = (recipe.with_(line).run(rows, columns) for line in lines)
        if here.shape != target[rows].shape:
            return None
        slope, missed = (there - here) / tiny, target[rows] - here
        known = float((slope**2).sum())
        if not 0 < known < np.inf:
            return None
        nearer = value + float((slope * missed).sum()) / known
        least, most = (float(end) for end in narrowed(missed.ravel(), slope.ravel(), sight.half))
        if -max(abs(value), 1.0) < least <= most < np.inf:
            nearer = value + (least + most) / 2
            if abs(nearer - value) <= most - least:
                return value + least, value + most
        value = nearer
    return None


def _mostly_exact(proof: Proof | None, grain: Grain) -> bool:
    """Say whether so many numbers are given that no type of few digits can have been at work."""
    if proof is None or proof.level == "noisy":
        return False
    return proof.explained == 1 or (proof.level == "exact" and proof.explained > MOSTLY and grain.held_by not in COARSE)


def _in_types(recipe: Recipe, sight: Sight, values: np.ndarray, grain: Grain) -> Iterator[Recipe]:
    """Yield recipes that compute in a type with fewer digits, if some rows agree to its last digit."""
    view = values.T if sight.turned else values
    if min(view.shape) < 2 or view.shape != (recipe.length, recipe.d_model):
        return
    middle = len(view) // 2
    rows = np.unique(np.r_[: min(len(view), 6), middle : min(middle + 3, len(view)), max(len(view) - 3, 0) : len(view)])
    rows = rows[view[rows].any(axis=1)]
    if np.all(view[rows] == np.rint(view[rows])):
        return  # every type holds them
    if _share(recipe, view, rows, NEARLY * max(abs(sight.scale), 1e-300)) < HALF:
        return
    rounds = {"low-precision": ("precision", "stored", "coarse"), "": ("help", "coarse", "coarser")}
    plain = recipe.without(*(line for line in recipe.changed if line.slot in rounds.get(line.finding, ())))
    scaled = any(line.slot == "values" for line in recipe.changed)
    room = grain.room(view[rows]) + EXACT * (1 + abs(sight.scale)) * (1 + rows[:, np.newaxis])
    wider = Line("coarse", "angles = np.float64(angles)", kind="note", cost=0)
    found: list[tuple[float, int, Recipe]] = []
    for name, function in TYPES.items():
        if BITS[name] < BITS["float32"] and BITS[grain.held_by] > BITS["float32"] and grain.floor:
            continue
        lines = [BFLOAT16] if name == "bfloat16" else []
        widened = scaled or (grain.step > 0 and BITS[name] < BITS[grain.held_by])
        after = [Line("coarser", "matrix = np.float64(matrix)", kind="note", cost=0)] if widened else []
        spelled = list(_spellings(function, plain))
        if "inverse" in plain.said and name == "float32":  # large angles tell how their frequencies were made
            spelled += DIVISORS
        ways = [(*way, *after) for way in spelled]
        if grain.stored is not None and grain.stored.finding == "low-precision" and name == grain.held_by:
            ways += [(*way, grain.stored, *after) for way in spelled if way[-1].slot != "coarser"]
        ways.append((*(line for line in spelled[0] if line.slot != "coarser"), wider))
        for way in ways:
            typed = plain.with_(*lines, *way)
            found.append((_share(typed, view, rows, room, "stored"), -len(found), typed))
    least = max(_share(plain, view, rows, room, "stored"), MOSTLY)
    yield from (typed for share, _, typed in sorted(found, reverse=True)[:LIKELIEST] if share > least)


def in_float32(proof: Proof) -> bool:
    """Say whether computing in float32 gives the numbers of a proof, far nearer than its own recipe does."""
    part, wanted, _ = some_rows(proof.recipe, proof.values)
    if part is None:
        return False
    fits = abs(part - wanted) <= proof.within
    ways = list(_spellings("np.float32", proof.recipe))
    if "inverse" in proof.recipe.said:
        ways += DIVISORS
    for way in ways:
        typed, *_ = some_rows(proof.recipe.with_(*way), proof.values)
        if typed is not None:
            off, before = (abs(made - wanted)[fits] for made in (typed, part))
            if np.mean(off) < HALF * np.mean(before) and np.median(off) <= 2.0**-23 * abs(wanted).max():
                return True
    return False


def _spellings(function: str, recipe: Recipe) -> Iterator[tuple[Line, ...]]:
    """Yield the ways in which a type of few digits comes in: positions and frequencies, one of them, or angles."""
    words = {"type": function.removeprefix("np.")}
    kind = "note" if words["type"] == "float32" else "mistake"  # as near as it comes, it is right
    angles = Line("coarse", f"angles = {function}(angles)", kind=kind, cost=0)
    values = Line("coarser", f"matrix = {function}(matrix)", kind=kind, cost=0)

    def line(code: str, what: str, slot: str = "precision") -> Line:
        return Line(slot, code, "low-precision", kind, words | {"what": what})

    both = "Positions and frequencies, and so the angles, were"
    rest = (angles, values) if function == "bfloat16" else ()  # which NumPy does by itself in its own types
    yield line(f"pos, w = {function}(pos), {function}(w)", both), *rest
    spelled: tuple[str, ...] = ()
    if "timescales" in recipe.said:
        spelled = ("f(np.exp(f(f(j // 2) * f(-np.log(base) / (d_model // 2 - 1)))))",)
    elif not any(one.slot == "w" for one in recipe.changed):
        spelled = (
            "f(np.exp(f(f(2 * (j // 2)) * f(-np.log(base) / d_model))))",
            "f(np.exp(f(f(2 * (j // 2)) * np.float32(-np.log(base) / d_model))))",  # as torch takes a number of Python
            "f(1 / f(f(base) ** f(2 * (j // 2) / d_model)))",
            "1 / np.float64(f(base) ** f(2 * (j // 2) / d_model))",  # angles that are quotients are rounded once
        )
        if words["type"] == "float32":  # of few digits, these powers may be those of another base
            spelled += ("f(f(base) ** f(-2 * (j // 2) / d_model))",)
    for written in spelled:
        once = (angles,) if written.startswith("1 / np.float64") else ()
        yield line(f"f = {function}; pos, w = f(pos), {written}", both), *(rest or once)
    yield (line(f"pos = np.float64({function}(pos))", "The positions were"),)
    yield (line(f"w = np.float64({function}(w))", "The frequencies were"),)
    yield (line(f"angles = np.float64({function}(angles))", "The angles were", "coarse"),)


def _share(recipe: Recipe, view: np.ndarray, rows: np.ndarray, room: float | np.ndarray, *also: str) -> float:
    """Return the share of numbers in some rows that are nearly those of a recipe."""
    try:
        made = np.asarray(recipe.names(rows, also=("order", "values", *also))["matrix"], float)
    except ERRORS:
        return 0.0
    return float(np.mean(abs(made - view[rows]) <= room + 1e-12)) if made.shape == view[rows].shape else 0.0
