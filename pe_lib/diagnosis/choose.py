"""Choose among recipes: try what is guessed until one gives all the numbers; of a large matrix, by its first rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np

from pe_lib.diagnosis.alike import with_others
from pe_lib.diagnosis.damage import of_held
from pe_lib.diagnosis.finish import finished, refined
from pe_lib.diagnosis.frame import TRANSPOSED, Guess
from pe_lib.diagnosis.grain import FEW_STEPS, Grain
from pe_lib.diagnosis.measure import Sight, View
from pe_lib.diagnosis.prove import LARGE, SMALL, Proof, like_noise
from pe_lib.diagnosis.search import (
    change_guesses,
    line_guesses,
    measured_guesses,
    moved_guesses,
    pair_guesses,
    row_guesses,
    whole_guesses,
)
from pe_lib.diagnosis.turning import of_pairs

TRIES = 30  # recipes that are run in full
FEW_TRIES, SOME_TRIES, MORE_TRIES = 4, 6, 10  # are made after one that is good, in search of a better one
NEARLY, MOSTLY = 0.9, 0.8  # of the numbers
FEW_NUMBERS = 16  # or fewer do not tell whether they were cut off
PLENTY = 2000  # numbers, of which noise can be told from a pattern
PLAIN_WHOLE = 2.5  # what lines cost that may have made whole numbers, which many others would make as well
PLAIN = 4.5  # what lines cost of which no plainer ones are looked for
NOISY = 0.02  # of the radius: what angles in bfloat16 bring
HEAD = 64  # rows by which a large matrix is known


def best_proof(values: np.ndarray, grain: Grain, base: float) -> Proof | None:
    """Return the plainest proof that gives all the numbers, or else the one that gives most, and others as plain."""
    found = _first_proof(values, grain, base)
    return None if found is None else with_others(of_held(found), grain)


def _first_proof(values: np.ndarray, grain: Grain, base: float) -> Proof | None:
    """Return the first proof that gives all the numbers, or else the one that gives most."""
    search = _Search(View(values, _as_cut(values, grain, base), base))
    if values.size <= LARGE:
        search.try_all(_until_good(search))
        return search.best
    upright, turned = (_head(search.view, view) for view in (values, values.T))
    for head in (upright, turned) if upright.view.circles else (turned, upright):
        if head is turned:
            seems_turned = any(one.noise < NOISY for one in turned.view.circles)
            found = _turned(search, turned) if seems_turned else None
        else:
            found = _by_head(search, upright) if upright.view.part else None
        if found is not None:
            return found
    search.try_all(row_guesses(search.view) if upright.view.part else _until_good(search))
    return search.best


def _as_cut(values: np.ndarray, grain: Grain, base: float) -> Grain:
    """Return how numbers came to their steps, rounded or cut off, as the first rows tell it."""
    for one in (grain, *grain.cut_off()) if grain.stored is not None and values.size > FEW_NUMBERS else ():
        head = _Search(View(values[:HEAD], one, base))
        head.try_all(islice(chain(line_guesses(head.view), pair_guesses(head.view)), SOME_TRIES))
        least = NEARLY if one is grain else 1  # of numbers that were cut off, half seem rounded otherwise
        if head.best is not None and head.best.level == "exact" and head.best.explained >= least:
            return one
    return grain


def _head(view: View, values: np.ndarray) -> "_Search":
    """Return the search among the first rows of a large matrix, or among all if they are few."""
    tall = len(values) >= 2 * HEAD
    return _Search(replace(view, values=values[:HEAD] if tall else values, part=tall))


def _by_head(search: "_Search", head: "_Search") -> Proof | None:
    """Return the proof of what the first rows tell, if it gives all of them; in between, some is asked of all rows."""
    found = None
    if not head.view.clean:  # is it noise, alike in all pairs, around a recipe that is plain?
        alike = [one for one in head.view.noisy[:1] if np.ptp(off := _spread(one)) < 0.7 * off.max()]
        head.try_all(islice(of_pairs(alike), FEW_TRIES // 2))
        if head.best is not None and _is_noise(head.best):
            return _of_all_rows(head, search, False)
    for of_head, of_all in (
        (line_guesses, moved_guesses),
        (change_guesses, None),
        (pair_guesses, whole_guesses),
        (measured_guesses, None),
    ):
        if of_head is change_guesses and not head.view.circles and like_noise(search.view.values):
            return None
        before = head.best
        head.try_all(of_head(head.view))
        if head.best is not None and head.best is not before:
            found = _of_all_rows(head, search, False)
            if found is not None and (of_head is not pair_guesses or found.recipe.cost < PLAIN):
                return found
        if of_all is not None:
            search.try_all(of_all(search.view))
            if search.best is not None and search.best.explained == 1:
                return search.best
        if of_head is pair_guesses and found is not None:
            return found
    return None


def _turned(search: "_Search", head: "_Search") -> Proof | None:
    """Return the proof of what the first rows tell once the matrix is turned."""
    head.try_all(_until_good(head))
    return _of_all_rows(head, search, True)


@dataclass
class _Search:
    """What was tried, and the best that was found."""

    view: View
    best: Proof | None = None
    sight: Sight | None = None

    def try_all(self, tried: Iterator[Guess]) -> None:
        """Prove one guess after the other, until one is good enough."""
        values, grain = self.view.values, self.view.grain
        seen: set[str] = set()
        whole = bool(np.all(values == np.rint(values)) and abs(values).max() <= FEW_STEPS)
        ambiguous = values.size <= SMALL or whole
        left = TRIES if values.size < LARGE else FEW_TRIES + MORE_TRIES * LARGE // values.size
        for sight, guess in tried:
            text = guess.text()
            if text in seen:
                continue
            seen.add(text)
            proof, best = finished(guess, sight, values, grain), self.best
            left -= 1
            if proof is not None and whole and (proof.recipe.cost > PLAIN_WHOLE or proof.explained < 1):
                continue
            if best is not None and proof is not None and ambiguous and _as_good(proof, best):
                self.best = replace(best, others=(*best.others, proof.recipe))
            elif proof is not None and proof.believed and (best is None or proof.rank > best.rank):
                self.best, self.sight = proof, sight
                ambiguous = ambiguous or any(line.kind == "undecided" for line in proof.recipe.changed)
                left = min(left, _tries_after(proof, ambiguous))
            if left <= 0:
                break


def _spread(sight: Sight) -> np.ndarray:
    """Return how far the points of each pair lie off their circle."""
    found: np.ndarray = np.median(abs(abs(sight.z) - 1), axis=0)
    return found


def _is_noise(proof: Proof) -> bool:
    """Say whether what a recipe leaves over has no pattern."""
    return proof.level == "noisy" and proof.off.size > PLENTY and like_noise(proof.values - proof.rebuilt)


def _tries_after(proof: Proof, ambiguous: bool) -> int:
    """Return how many recipes are still tried after a good one."""
    cost = proof.recipe.cost
    if _is_noise(proof):
        return 0
    if proof.explained == 1 and proof.level != "noisy":
        damage = [line.finding for line in proof.recipe.changed if line.slot == "damage"]
        single = len(damage) < 2 and not any(code.startswith("column") for code in damage)  # they may have one cause
        plain = proof.level == "exact" and cost <= PLAIN and single and not ambiguous
        return 0 if plain or not cost else FEW_TRIES if cost < 2 else MORE_TRIES
    if proof.explained > NEARLY or proof.zeros < 1:  # dropout, perhaps
        return MORE_TRIES if proof.values.size < LARGE else FEW_TRIES // 2
    return TRIES


def _until_good(search: _Search) -> Iterator[Guess]:
    """Yield guesses; nothing is measured where a plain one gives all but single numbers."""
    yield from line_guesses(search.view)
    yield from change_guesses(search.view)
    best = search.best
    if best is None or best.level != "exact" or best.explained < MOSTLY or best.recipe.cost > (best.explained == 1):
        yield from pair_guesses(search.view)
        yield from measured_guesses(search.view)


def _of_all_rows(head: _Search, search: _Search, turned: bool) -> Proof | None:
    """Return the proof that the recipe of the first rows gives all, if it does."""
    if head.best is None or head.sight is None or head.best.recipe.length != len(head.view.values):
        return None
    found, seen, values = head.best.recipe, head.sight, search.view.values
    if seen.turned:
        return None
    view = values.T if turned else values
    sight = replace(seen.over(search.view.grain.middle(view)), turned=turned)
    proof = None
    for left_out in (("stored",), ("stored", "damage")):  # there may be more damage farther down
        kept = tuple(line for line in found.changed if line.slot not in left_out)
        if proof is None or (proof.explained < 1 and len(kept) < len(found.changed)):
            recipe = replace(found, length=len(view), changed=kept).with_(*([TRANSPOSED] if turned else []))
            if head.best.level == "float32" and recipe.measured:  # more rows tell the base better
                recipe = refined(recipe, sight)[0]
            proof = finished(recipe, sight, values, search.view.grain)
    if proof is None or (proof.level == "noisy") != (head.best.level == "noisy"):
        return None
    return proof


def _as_good(proof: Proof, best: Proof) -> bool:
    """Say whether two recipes give all the numbers, and neither is plainer."""
    said = [one.said for one in (best.recipe, *best.others)]
    good = all(one.explained == 1 and one.level == "exact" for one in (proof, best))
    return good and abs(proof.recipe.cost - best.recipe.cost) < 0.05 and proof.recipe.said not in said
