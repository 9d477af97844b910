"""Ask which other recipes, about as plain, give the numbers of one that was found, and so cannot be told from it."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pe_lib.diagnosis.catalogue import core_lines
from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.laws import fitting
from pe_lib.diagnosis.measure import COLUMNS, evenly
from pe_lib.diagnosis.positions import position_lines
from pe_lib.diagnosis.prove import ERRORS, Proof, judge
from pe_lib.diagnosis.recipe import Recipe
from pe_lib.diagnosis.turning import turning

CLOSE = 0.25  # what one recipe may cost more than another, if both are told
# their sentences name the base that would do the same
NAME_A_BASE = {"exponent-doubled", "exponent-halved", "log10", "log2", "exp2", "ln-under-power-of-ten"}
SAME = 1e-12  # of a frequency: what float64 leaves open
ROWS = 8  # of a recipe are enough to refuse another by


def with_others(proof: Proof, grain: Grain) -> Proof:
    """Return the plainest of the proofs that give the same numbers, with the recipes of those about as plain."""
    if proof.level == "noisy" or any(line.kind == "undecided" for line in proof.recipe.changed):
        return proof
    found = [proof, *(replace(proof, recipe=other) for other in proof.others)]
    for guess in _alike(proof, grain):
        known = any(guess.said == one.recipe.said or guess.codes == one.recipe.codes for one in found)
        named = proof.recipe.said & NAME_A_BASE and guess.said - proof.recipe.said == {"base"}
        near = not known and not named and guess.cost <= proof.recipe.cost + CLOSE
        other = judge(guess, proof.values, grain) if near else None
        if other is not None and other.level == proof.level and other.explained >= proof.explained:
            found.append(other)
    best = min(found, key=lambda one: one.recipe.cost)
    others = (one.recipe for one in found if one is not best and one.recipe.cost <= best.recipe.cost + CLOSE)
    return replace(best, others=tuple(others))


def _alike(proof: Proof, grain: Grain) -> Iterator[Recipe]:
    """Yield recipes with other lines for frequencies and functions, or with positions that run the other way."""
    recipe = proof.recipe
    laws = [line for line in recipe.changed if line.slot in ("base", "w", "angles") or line.finding == "step"]
    if laws and recipe.length > 1:
        w = turning(recipe.without(*(line for line in recipe.changed if line.slot == "pos" and line not in laws)))
        for _, lines in fitting(recipe, w, SAME * abs(w) + 2 * grain.noise / recipe.length, every=True):
            yield recipe.without(*laws).with_(*lines)
    functions = [line for line in recipe.changed if line.slot in ("angles", "matrix") and line.finding != "step"]
    if functions:
        rows, columns = evenly(recipe.length, ROWS), evenly(recipe.d_model, COLUMNS)
        made, room = recipe.run(rows, columns), 4 * grain.noise + float(np.median(proof.room))
        for line in core_lines(recipe.d_model):
            try:
                guess = recipe.without(*functions).with_(line)
                if np.all(abs(guess.run(rows, columns) - made) <= room):
                    yield guess
            except ERRORS:
                continue
    if any(line.finding == "start" for line in recipe.changed):
        positions = recipe.names(np.arange(recipe.length), np.arange(1))["pos"][:, 0]
        turned = position_lines(-positions) if positions[0] < 0 else None
        if turned is not None:
            yield recipe.without(*(line for line in recipe.changed if line.code == "matrix = -matrix")).with_(turned)
