"""Choose among recipes: try what is guessed until one gives all the numbers; of a large matrix, by its first rows."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice

import numpy as np

from pe_lib.diagnosis.catalogue import core_lines
from pe_lib.diagnosis.damage import of_held
from pe_lib.diagnosis.finish import finished, refined
from pe_lib.diagnosis.frame import Guess
from pe_lib.diagnosis.grain import FEW_STEPS, Grain
from pe_lib.diagnosis.laws import LIKELY, fitting, law_lines, written
from pe_lib.diagnosis.measure import COLUMNS, Sight, View, evenly
from pe_lib.diagnosis.noise import SMALL, like_noise
from pe_lib.diagnosis.positions import position_lines
from pe_lib.diagnosis.prove import LARGE, SINGLE, Proof, judge
from pe_lib.diagnosis.recipe import ERRORS, Line, Recipe
from pe_lib.diagnosis.report import apart
from pe_lib.diagnosis.search import COARSE_STEP, change_guesses, column_guesses, line_guesses, measured_guesses
from pe_lib.diagnosis.turning import of_pairs, of_rows, sign_line, turning

TRIES = 30  # recipes that are run in full
FEW_TRIES, SOME_TRIES, MORE_TRIES = 4, 6, 10  # are made after one that is good, in search of a better one
NEARLY, MOSTLY = 0.9, 0.8  # of the numbers
FEW_NUMBERS = 64  # or fewer tell whether they were cut off if nothing else is wrong
PLENTY = 2000  # numbers, of which noise can be told from a pattern
PLAIN_WHOLE = 2.5  # what lines cost that may have made whole or few rounded numbers, which many others would make too
PLAIN = 4.5  # what lines cost of which no plainer ones are looked for
CLOSE = 0.25  # what one recipe may cost more than another, if both are told
# their sentences name the base that would do the same
NAME_A_BASE = {"exponent-doubled", "exponent-halved", "log10", "log2", "exp2", "ln-under-power-of-ten"}
COARSELY = 1e-9  # known, few numbers have lists of measured ones by chance
SAME = 1e-12  # of a frequency: what float64 leaves open
HEAD = 64  # rows by which a large matrix is known
ENOUGH = 8192  # numbers tell how they were rounded


def best_proof(values: np.ndarray, grain: Grain, base: float) -> Proof | None:
    """Return the plainest proof that gives all the numbers, or else the one that gives most, and others as plain."""
    search = _Search(View(values, _as_cut(values, grain, base), base))
    search.try_all(_until_good(search))
    return None if search.best is None else with_others(of_held(search.best), grain)


def _as_cut(values: np.ndarray, grain: Grain, base: float) -> Grain:
    """Return how numbers came to their steps, rounded or cut off, as the first rows tell it."""
    many = values.size > FEW_NUMBERS
    if grain.nearly is not None:
        heads = [(_of_head(values, one, base), one) for one in (grain, grain.nearly)]
        _, grain = max(heads, key=lambda one: one[0].explained if one[0] is not None else 0)
    for one in (grain, *grain.otherwise()) if grain.stored is not None else ():
        best = _of_head(values, one, base)
        least = SINGLE if one is grain else 1  # of numbers that were cut off, half seem rounded otherwise
        shifted = one is not grain and one.step < 1 and best is not None and "offset" in best.recipe.said
        if best is not None and best.explained >= least and not shifted and (many or best.recipe.cost <= 1):
            return one
    return grain


def _of_head(values: np.ndarray, grain: Grain, base: float) -> Proof | None:
    """Return the best exact proof of the first rows that few guesses give."""
    head = _Search(View(values[: max(8, min(HEAD, ENOUGH // values.shape[1]))], grain, base))
    head.try_all(islice(line_guesses(head.view), SOME_TRIES))
    return head.best if head.best is not None and head.best.level == "exact" else None


@dataclass
class _Search:
    """What was tried, and the best that was found."""

    view: View
    best: Proof | None = None
    whole: set[str] = field(default_factory=set)  # recipes that were held against all rows of a large matrix

    def try_all(self, tried: Iterator[Guess]) -> None:
        """Prove one guess after the other, until one is good enough."""
        values = self.view.values
        seen: set[str] = set()
        few = values.size <= SMALL
        whole = self.view.whole and abs(values).max() <= 2 * FEW_STEPS
        coarse = (few and self.view.grain.noise > COARSELY) or self.view.grain.step >= COARSE_STEP
        most = PLAIN_WHOLE if whole or (few and self.view.grain.even) else PLAIN if coarse else math.inf
        ambiguous = few or whole
        left = TRIES
        for sight, guess in tried:
            text = guess.text()
            if text in seen:
                continue
            seen.add(text)
            held = len(self.whole)
            proof, best = self._proof(guess, sight), self.best
            left -= 1 if proof is not None else 1 + (len(self.whole) - held) * TRIES // 2
            if proof is not None and (proof.recipe.cost > most or (whole and proof.explained < 1)):
                continue
            if best is not None and proof is not None and ambiguous and _as_good(proof, best):
                self.best = replace(best, others=(*best.others, proof.recipe))
            elif proof is not None and proof.believed and proof.sure and (best is None or proof.rank > best.rank):
                self.best = proof
                ambiguous = ambiguous or any(line.kind == "undecided" for line in proof.recipe.changed)
                left = min(left, _tries_after(proof, ambiguous))
            if left <= 0:
                break

    def _proof(self, guess: Recipe, sight: Sight) -> Proof | None:
        """Return the proof of a guess: of a large matrix, first of its first rows, then of all that these have told."""
        values, grain = self.view.values, self.view.grain
        length, best = len(sight.target), self.best
        given = best is not None and values.size > LARGE and best.explained == 1 and best.level == "exact"
        if given and best is not None and guess.cost >= best.recipe.cost:
            return None  # it is no plainer
        part = values[:, :HEAD] if sight.turned else values[:HEAD]
        if values.size <= LARGE or length < 2 * HEAD or not part.any() or not _of_each_row(guess, length):
            return finished(guess, sight, values, grain)
        head = finished(replace(guess, length=HEAD), replace(sight, target=sight.target[:HEAD]), part, grain)
        proof = None
        for left_out in (("stored",), ("stored", "damage")):  # there may be more damage farther down
            lines = () if head is None else head.recipe.changed
            kept = tuple(line for line in lines if line.slot not in left_out)
            if head is not None and (proof is None or (proof.explained < 1 and len(kept) < len(lines))):
                recipe = replace(head.recipe, length=length, changed=kept)
                if recipe.text() in self.whole:
                    continue
                self.whole.add(recipe.text())
                if head.level == "float32" and recipe.measured:  # more rows tell the base better
                    recipe = refined(recipe, sight)[0]
                proof = finished(recipe, sight, values, grain)
        noisy = {one.level == "noisy" for one in (head, proof) if one is not None}
        return proof if len(noisy) == 1 or (proof is not None and not proof.recipe.cost) else None


def _of_each_row(guess: Recipe, length: int) -> bool:
    """Say whether the lines of a recipe give a row whatever the number of rows is."""
    positions = {line.finding for line in guess.changed if line.slot == "pos"}
    whole = any("axis=0" in line.code or line.finding == "rearranged" for line in guess.changed)
    return guess.length == length and positions <= {"start", "step"} and not whole


def _tries_after(proof: Proof, ambiguous: bool) -> int:
    """Return how many recipes are still tried after a good one."""
    cost, noisy = proof.recipe.cost, proof.level == "noisy"
    near = not noisy and (proof.explained > NEARLY or (proof.zeros < 1 and "scale" in proof.recipe.said))
    damage = [line.finding for line in proof.recipe.changed if line.slot == "damage"]
    single = len(damage) < 2 and not any(code.startswith("column") for code in damage)  # they may have one cause
    single &= not np.any(proof.wrong.mean(axis=0) > MOSTLY)
    mistakes = [line for line in proof.recipe.changed if line.kind == "mistake" and line.finding]
    single &= cost <= PLAIN or len(mistakes) < 2
    if (near and single and proof.values.size > LARGE) or (noisy and proof.values.size > PLENTY and proof.leaves_noise):
        return 0
    if proof.explained == 1 and not noisy:
        plain = proof.level == "exact" and cost <= PLAIN and single and not ambiguous
        return 0 if plain or not cost else FEW_TRIES if cost < 2 else MORE_TRIES
    return MORE_TRIES if near else TRIES


def _until_good(search: _Search) -> Iterator[Guess]:
    """Yield guesses; nothing is measured where a plain one gives all but single numbers."""
    view = search.view
    large = view.values.size > LARGE
    if large and not view.clean:  # is it noise, alike in all pairs, around a recipe that is plain?
        yield from islice(of_pairs([one for one in view.noisy[:1] if one.alike]), FEW_TRIES // 2)
    yield from line_guesses(view)
    if search.best is not None and np.any(search.best.wrong.mean(axis=0) > MOSTLY):  # whole columns
        yield from column_guesses(view)
    if large:
        for sight in view.upright:  # do rows stand at other places? all of them are needed for that
            yield from of_rows(sight, known=False)
        if not view.circles and like_noise(view.values):
            return
    yield from change_guesses(view)
    best = search.best
    near = best is not None and best.level == "exact" and best.explained >= MOSTLY
    if (best is None or not near or best.recipe.cost > (best.explained == 1)) and not (large and view.whole):
        yield from measured_guesses(view)


def _as_good(proof: Proof, best: Proof) -> bool:
    """Say whether two recipes give all the numbers, and neither is plainer."""
    said = [one.said for one in (best.recipe, *best.others)]
    good = all(one.explained == 1 and one.level == "exact" for one in (proof, best))
    return good and abs(proof.recipe.cost - best.recipe.cost) < CLOSE and proof.recipe.said not in said


def with_others(proof: Proof, grain: Grain) -> Proof:
    """Return the plainest of the proofs that give the same numbers, with the recipes of those about as plain."""
    if proof.level == "noisy" or any(line.kind == "undecided" for line in proof.recipe.changed):
        return proof
    found = [proof, *filter(None, (judge(other, proof.values, grain) for other in proof.others))]
    for guess in _alike(proof, grain):
        known = any(guess.said == one.recipe.said or guess.codes == one.recipe.codes for one in found)
        near = not known and guess.cost <= proof.recipe.cost + CLOSE
        near = near and (proof.values.size <= LARGE or _makes_the_same(guess, proof, grain))
        other = judge(guess, proof.values, grain) if near else None
        if other is None or (proof.believed and not other.believed):
            continue
        if other.level == proof.level and other.explained >= proof.explained:
            found.append(other)
    best = max(found, key=lambda one: one.rank)
    others = (
        one.recipe
        for one in found
        if one is not best and one.explained >= best.explained and one.recipe.cost <= best.recipe.cost + CLOSE
    )
    return replace(best, others=tuple(other for other in others if not _names_base(best.recipe, other)))


def _makes_the_same(guess: Recipe, proof: Proof, grain: Grain) -> bool:
    """Say whether a recipe makes the same numbers in some rows and columns, before columns are put in order."""
    rows, columns = evenly(guess.length, SOME_TRIES), evenly(guess.d_model, COLUMNS)
    room = 4 * grain.noise + float(np.median(proof.room[:: 1 + len(proof.room) // HEAD]))
    try:
        return bool(np.all(abs(guess.run(rows, columns) - proof.recipe.run(rows, columns)) <= room))
    except ERRORS:
        return False


def _names_base(recipe: Recipe, other: Recipe) -> bool:
    """Say whether the sentence of a recipe names the base that another gives."""
    named = bool(recipe.said & NAME_A_BASE) and other.said - recipe.said == {"base"}
    return named and np.allclose(recipe.frequencies(), other.frequencies(), 1e-9, 0)


def _alike(proof: Proof, grain: Grain) -> Iterator[Recipe]:
    """Yield recipes with other lines for frequencies and functions, or with positions that run the other way."""
    recipe = proof.recipe
    laws = [line for line in recipe.changed if line.slot in ("base", "w", "angles") or line.finding == "step"]
    if laws and recipe.length > 1:
        w = turning(recipe)
        for _, lines in fitting(recipe, w, SAME * abs(w) + 2 * grain.noise / recipe.length, every=True):
            yield recipe.without(*laws).with_(*lines)
    yield from _other_laws(proof) if grain.step else ()
    slots = "angles", "matrix", "coarser"
    functions = [line for line in recipe.changed if line.slot in slots and line.finding not in ("", "step")]
    of_functions = ((line,) for line in core_lines(recipe.d_model))
    of_laws = (law_lines(code, law) for code, law, _ in written(recipe))
    instead = functions or (laws if grain.step >= COARSE_STEP else [])
    for lines in chain(of_functions, of_laws) if instead else ():
        guess = recipe.without(*instead).with_(*lines)
        if _makes_the_same(guess, proof, grain):
            yield guess
    backwards = [line for line in recipe.changed if line.finding == "reversed" and line.code.startswith("pos = (-")]
    if backwards and not functions:
        yield recipe.without(*backwards).with_(sign_line("sine", 0))
    if any(line.slot == "pos" for line in recipe.changed):
        yield from _other_positions(recipe)
    if proof.values.size <= SMALL and recipe.cost >= 1:
        yield from _with_one_wrong(
            recipe.without(*(one for one in recipe.changed if one.slot != "stored")), proof, grain
        )


def _other_laws(proof: Proof) -> Iterator[Recipe]:
    """Yield recipes of rounded numbers with other laws: one may look like another, or like columns that stand still."""
    recipe = proof.recipe
    lines = [line for line in recipe.changed if line.slot in ("base", "w", "damage")]
    still = [line for line in lines if line.finding in ("columns-empty", "columns-still")]
    all_laws = proof.explained < 1 and proof.values.size <= PLENTY
    for code, law, _ in written(recipe) if all_laws or (still and still == lines) else ():
        if all_laws or code in LIKELY:
            yield recipe.without(*lines).with_(*law_lines(code, law))


def _with_one_wrong(recipe: Recipe, proof: Proof, grain: Grain) -> Iterator[Recipe]:
    """Yield a recipe with the one number that it does not give, if it is one."""
    near = judge(recipe, proof.values, grain)
    if near is not None and near.level == "exact" and np.count_nonzero(near.wrong) == 1:
        (r, c), *_ = np.argwhere(near.wrong).tolist()
        value, right = apart(near.values[r, c], near.rebuilt[r, c], 6)
        words = {"many": "One number is", "value": value, "right": right, "more": ""}
        code = f"matrix[{r}, {c}] = {float(near.values[r, c])!r}"
        yield recipe.with_(Line("damage", code, "cell-wrong", words=words))


def _other_positions(recipe: Recipe) -> Iterator[Recipe]:
    """Yield recipes that count on from another position: in steps, or upwards, where all is negative otherwise."""
    positions = recipe.names(np.arange(recipe.length), np.arange(1))["pos"][:, 0]
    for line in recipe.changed:
        if line.slot == "angles" and line.finding == "step":
            apart = positions * float(line.words["step"])
            counted = position_lines(np.rint(apart)) if np.all(abs(apart - np.rint(apart)) < 1e-9) else None
            if counted is not None:
                yield recipe.without(line).with_(counted)
    turned = position_lines(-positions) if positions[0] < 0 else None
    if turned is not None:
        yield recipe.without(*(line for line in recipe.changed if line.code == "matrix = -matrix")).with_(turned)
