"""Choose among recipes: try what is guessed until one gives all the numbers; of a large matrix, by its first rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pe_lib.diagnosis.finish import finished
from pe_lib.diagnosis.frame import TRANSPOSED, Guess
from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.measure import Sight, circles
from pe_lib.diagnosis.prove import FEW, LARGE, SMALL, Proof
from pe_lib.diagnosis.search import (
    change_guesses,
    guesses,
    line_guesses,
    measured_guesses,
    moved_guesses,
    pair_guesses,
    plain_guesses,
    row_guesses,
    whole_guesses,
)

TRIES = 30  # recipes that are run in full
FEW_TRIES, MORE_TRIES = 4, 10  # are made after one that is good, in search of a better one
NEARLY, MOSTLY = 0.9, 0.8  # of the numbers
PLAIN_WHOLE = 2.5  # what lines cost that may have made whole numbers, which many others would make as well
PLAIN = 4.5  # what lines cost of which no plainer ones are looked for
NOISY = 0.02  # of the radius: what angles in bfloat16 bring
STAGES = (  # of a large matrix as it stands, then turned; some are asked of all rows
    (line_guesses, moved_guesses, change_guesses, pair_guesses, whole_guesses, measured_guesses),
    (guesses,),
)
OF_ALL_ROWS = (moved_guesses, whole_guesses)
HEAD = 64  # rows by which a large matrix is known


def best_proof(values: np.ndarray, grain: Grain, base: float) -> Proof | None:
    """Return the first proof that gives all the numbers, or else the one that gives most."""
    search = _Search(values, grain, base)
    if values.size <= LARGE:
        search.try_all(_until_good(search))
        return search.best
    for turned in (False, True):
        view = values.T if turned else values
        rows = HEAD if len(view) >= 2 * HEAD else len(view)
        if not _turns(view[:rows], grain) if turned else rows == len(view):
            continue
        head = _Search(view[:rows], grain, base)
        for stage in STAGES[turned]:
            if stage in OF_ALL_ROWS:
                search.try_all(stage(values, grain, base))
                if search.best is not None and search.best.explained == 1:
                    return search.best
                continue
            head.try_all(stage(head.values, grain, base))
            proof = _of_all_rows(head, view, turned, values, grain)
            if proof is not None and (stage is not pair_guesses or proof.recipe.cost < FEW):
                return proof
    many = len(values) < 2 * HEAD
    search.try_all(guesses(values, grain, base) if many else row_guesses(values, grain, base))
    return search.best


@dataclass
class _Search:
    """What was tried, and the best that was found."""

    values: np.ndarray
    grain: Grain
    base: float
    best: Proof | None = None
    sight: Sight | None = None

    def try_all(self, tried: Iterator[Guess]) -> None:
        """Prove one guess after the other, until one is good enough."""
        values, grain = self.values, self.grain
        seen: set[str] = set()
        whole = bool(np.all(values == np.rint(values)))
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


def _tries_after(proof: Proof, ambiguous: bool) -> int:
    """Return how many recipes are still tried after a good one."""
    cost = proof.recipe.cost
    if proof.explained == 1 and proof.level != "noisy":
        single = sum(line.slot == "damage" for line in proof.recipe.changed) < 2  # more may have one cause
        plain = proof.level == "exact" and cost <= PLAIN and single and not ambiguous
        return 0 if plain or not cost else FEW_TRIES if cost < 2 else MORE_TRIES
    if proof.explained > NEARLY:
        return MORE_TRIES if proof.values.size < LARGE else FEW_TRIES // 2
    return TRIES


def _until_good(search: _Search) -> Iterator[Guess]:
    """Yield guesses; nothing is measured where a plain one gives all but single numbers."""
    yield from plain_guesses(search.values, search.grain, search.base)
    best = search.best
    if best is None or best.level != "exact" or best.explained < MOSTLY or best.recipe.cost > (best.explained == 1):
        yield from measured_guesses(search.values, search.grain, search.base)


def _turns(view: np.ndarray, grain: Grain) -> bool:
    """Say whether rows look like those of an encoding: pairs of columns lie on circles."""
    return any(one.noise < NOISY for one in circles(view, grain.noise))


def _of_all_rows(head: _Search, view: np.ndarray, turned: bool, values: np.ndarray, grain: Grain) -> Proof | None:
    """Return the proof that the recipe of the first rows gives all, if it does."""
    if head.best is None or head.sight is None or head.best.recipe.length != len(head.values):
        return None
    found, seen = head.best.recipe, head.sight
    if seen.turned:
        return None
    sight = replace(seen.over(view), turned=turned)
    proof = None
    for left_out in (("stored",), ("stored", "damage")):  # there may be more damage farther down
        kept = tuple(line for line in found.changed if line.slot not in left_out)
        if proof is None or (proof.explained < 1 and len(kept) < len(found.changed)):
            recipe = replace(found, length=len(view), changed=kept).with_(*([TRANSPOSED] if turned else []))
            proof = finished(recipe, sight, values, grain)
    if proof is None or (proof.level == "noisy") != (head.best.level == "noisy"):
        return None
    return proof if proof.level != "float32" or not recipe.measured else None


def _as_good(proof: Proof, best: Proof) -> bool:
    """Say whether two recipes give all the numbers, and neither is plainer."""
    codes = [
        {line.finding for line in one.changed if line.finding} for one in (best.recipe, *best.others, proof.recipe)
    ]
    good = all(one.explained == 1 and one.level == "exact" for one in (proof, best))
    return good and abs(proof.recipe.cost - best.recipe.cost) < 0.05 and codes[-1] not in codes[:-1]
