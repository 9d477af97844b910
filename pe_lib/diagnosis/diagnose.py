"""Diagnose a matrix: look for its recipe, and say what the recipe's lines mean."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.diagnosis.choose import best_proof
from pe_lib.diagnosis.finish import in_float32
from pe_lib.diagnosis.given import given
from pe_lib.diagnosis.grain import BITS, grain_of
from pe_lib.diagnosis.noise import dropout, like_noise
from pe_lib.diagnosis.prove import UNNOTED, Proof, change
from pe_lib.diagnosis.recipe import Line, Recipe
from pe_lib.diagnosis.report import MARKS, Diagnosis, Finding, apart, causes, count, finding, some
from pe_lib.diagnosis.turning import turning
from pe_lib.encoding import sinusoidal_encoding

APART = 2.0  # times as far off as noise: so numbers are that are no part of it
LARGEST_POWER = 30  # of 2: beyond, numbers or their squares are too large or too small to be held against others
ON_CIRCLE = 1e-5  # or nearer to length 1 is a sine with its cosine
NEARLY = 1e-3  # to its own number is one that was rounded
FAR_LESS = 0.01  # of what angles in float32 bring
LONGER = 10  # times the usual one: so much longer than others is no row of random numbers
OFTEN = 0.05  # of the numbers are one and the same where they were not drawn at random
FEWEST = 16  # numbers, or fewer, do not show what they are


def diagnose(matrix: ArrayLike, *, base: float = 10_000.0) -> Diagnosis:
    """Say whether a matrix is a sinusoidal positional encoding, and if not, what went wrong and how to mend it.

    Parameters
    ----------
    matrix : array_like of shape (L, d_model)
        The encoding, a row for each position: an array, a list, a tensor; also of shape (1, L, d_model) or
        (L, 1, d_model), as modules keep it.
    base : float
        The base it is meant to have.

    Returns
    -------
    Diagnosis
        With `.ok`, `.findings`, and `.base`, `.layout`, `.start` and `.scale` as recovered from the numbers; `.recipe`
        makes this very matrix. Printed, it is advice. Numbers that are no encoding at all, are not finite or have the
        wrong shape are findings too.

    Raises
    ------
    TypeError, ValueError
        If `matrix` is no array of real numbers, or `base` not a finite number above 0.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> from pe_lib import sinusoidal_encoding
    >>> diagnose(sinusoidal_encoding(50, 16))
    This is the sinusoidal encoding: 50 positions from 0, 16 columns, interleaved, base 10000.
    >>> found = diagnose(sinusoidal_encoding(50, 16, start=1, base=1000))
    >>> found.codes
    ('base', 'start')
    >>> [line for line, _ in found.lines]
    ['base = 1000.0', 'pos = np.arange(1, length + 1)[:, np.newaxis]']
    """
    array, dtype = given("matrix", matrix)
    base = _checks.positive_base(base)
    values, taken = array, ""
    for axis, name in ((0, "matrix[0]"), (1, "matrix[:, 0]")) if array.ndim == 3 and array.size else ():
        one = array.take([0], axis)
        if not taken and (
            array.shape[axis] == 1 or (one.min() < one.max() and np.all(array == one))
        ):  # alike, all of them
            values, taken = one.squeeze(axis), name
    with np.errstate(over="ignore", invalid="ignore"):  # numbers may be as large as there are
        if trouble := _unreadable(values):
            return Diagnosis(False, (trouble,), shape=values.shape)
        far = abs(np.log2(abs(values).max() or 1.0)) > LARGEST_POWER
        best = None if far else best_proof(values, grain_of(values, dtype), base)
        found = Diagnosis(False, (_no_encoding(values, base),), shape=values.shape) if best is None else told(best)
    by_sentence = taken == "matrix[:, 0]" and array.shape[1] > 1
    so = " If its first axis counts sentences, all tokens of a sentence have one row." * by_sentence
    axes = [finding("axes", kind="note", shape=array.shape, taken=taken, so=so)] if taken else []
    return replace(found, findings=(*found.findings, *axes))


def told(proof: Proof) -> Diagnosis:
    """Return what a proof says."""
    recipe, values = proof.recipe, proof.values
    dropped = _dropped(proof)
    found = [one for one in _of_lines(proof) if not (dropped and one.code == "scale")]
    if dropped:
        share = f"{100 * proof.wrong.sum() / np.count_nonzero(proof.rebuilt):.2g} %"
        found.append(finding("dropout", share=share, p=f"{dropped:.2g}"))
    found = _together(sorted([*found, *_of_rest(proof)], key=lambda one: list(MARKS).index(one.kind)))
    marked = (line for line in recipe.changed if line.marked and line.kind != "note")
    layout = "halves" if recipe.said & {"halves", "cosines-first", "more-cosines"} else "interleaved"
    kinds = [{line.kind for line in one.changed if line.finding} for one in (recipe, *proof.others)]
    may_be_right = any(not of_one & {"mistake", "undecided"} for of_one in kinds)
    return Diagnosis(
        ok=may_be_right and not any(one.kind == "mistake" for one in found) and proof.level != "noisy",
        findings=tuple(found), layout=layout, shape=values.shape, recipe=recipe.text(), rebuilt=proof.rebuilt,
        within=proof.within, explained=proof.explained,
        lines=tuple((line.code, recipe.right(line.slot)) for line in marked), **_numbers(recipe),
    )  # fmt: skip


def _together(found: list[Finding]) -> list[Finding]:
    """Return findings in words that hold beside the others: what is not of every column, and what is not all."""
    codes, wrong = {one.code for one in found}, sum(one.kind in ("mistake", "undecided") for one in found)
    every = "Every filled" if "columns-empty" in codes else "Nearly every" if "column-wrong" in codes else "Every"
    alone = {", and the others are right": "", " The others are right.": ""} if wrong > 1 else {}
    for old, new in (alone | {"Every column": f"{every} column"}).items():
        found = [replace(one, message=one.message.replace(old, new)) for one in found]
    return found


def _of_lines(proof: Proof) -> Iterator[Finding]:
    """Yield what all recipes say that give these numbers, and what only some say as undecided."""
    recipes, said = (proof.recipe, *proof.others), set()
    common = set.intersection(*({line.code for line in one.changed} for one in recipes))
    for one in recipes:
        also = ""
        for line in one.changed:
            if line.finding and (line.finding, str(line.words)) not in said:
                said.add((line.finding, str(line.words)))
                found = _of_line(replace(proof, recipe=one), line)
                perhaps = line.code not in common
                yield replace(found, kind="undecided", message=also + found.message) if perhaps else found
                also = also or "And with that: " * perhaps


def _dropped(proof: Proof) -> float | None:
    """Return the share that dropout left out, if zeros are all that does not fit and the scale makes up for them."""
    scale = _scale(proof.recipe)
    if scale <= 1 or proof.wrong.sum() < 3 or proof.zeros == 1.0:
        return None
    return dropout(scale, proof.wrong, proof.rebuilt)


def _scale(recipe: Recipe) -> float:
    return math.prod((float(line.words["number"]) for line in recipe.changed if line.finding == "scale"), start=1.0)


def _numbers(recipe: Recipe) -> dict[str, Any]:
    """Return base, first position and scale as the recipe has them."""
    by_slot = {line.slot: line for line in recipe.changed}
    base = recipe.base
    if "base" in by_slot:
        base = float(by_slot["base"].code.removeprefix("base = "))
    elif "w" in by_slot and by_slot["w"].kind == "mistake":
        base = _base_of(recipe)
    positions = by_slot["pos"].words if "pos" in by_slot else {}
    start = float(positions.get("start", positions.get("position", 0.0)))
    shown = recipe.d_model > 2 and (start or (recipe.length > 1 and "same-row" not in recipe.said))
    return {"base": base if shown else None, "start": start, "scale": _scale(recipe)}


def _base_of(recipe: Recipe) -> float:
    """Return the base under which the encoding has these frequencies, the given one if there is none."""
    w = recipe.frequencies()
    if len(w) < 3 or not 0 < w[2] < np.inf:
        return recipe.base
    log_base = -recipe.d_model / 2 * math.log(w[2])
    right = np.exp(-2 * (np.arange(len(w)) // 2) / recipe.d_model * log_base)
    return float(f"{math.exp(log_base):.12g}") if log_base < 700 and np.allclose(w, right, 1e-9, 0) else recipe.base


def _of_line(proof: Proof, line: Line) -> Finding:
    """Return what is said of a line, with the first row and column that it changes."""
    by_row = line.slot == "pos" or line.finding.startswith("row")
    whole = line.slot in ("values", "stored", "turned", "precision", "coarse")
    changed = change(proof, line) if by_row or not whole else None
    row = column = None
    if changed is not None:
        off, rows, columns = changed
        differs = off > 20 * max(proof.within, 1e-15)
        if line.slot == "base" and not {"order", "turned"} & {one.slot for one in proof.recipe.changed}:
            differs[:, columns < 2] = False  # pair 0 has the same frequency under every base
        if differs.any():
            row, column = int(rows[differs.any(axis=1)][0]), int(columns[differs.any(axis=0)][0])
    column = None if by_row or whole else column
    row = row if by_row or line.finding == "cell-wrong" else None
    words = _words(proof) | line.words | {"row": row, "column": column}
    if "type" in words:
        words["words"] = _of_type(proof, line)
    said = finding(line.finding, kind=line.kind, **words)
    if "divided-outside" in proof.recipe.said:
        return said  # w is no frequency
    more = ""
    if line.slot in ("w", "base", "angles") and column is not None and not line.finding.startswith(("freq", "phase")):
        more = _turn(proof, column)
    if not by_row and line in [x for x in proof.recipe.changed if x.slot in ("w", "base") or x.finding == "step"][:1]:
        more += _aliases(proof, line)
    return replace(said, message=said.message + more)


def _words(proof: Proof) -> dict[str, Any]:
    """Return words that many sentences are filled with."""
    recipe, first = proof.recipe, proof.values[0, :4].tolist()
    w = recipe.frequencies()
    with np.errstate(all="ignore"):
        slope = float(np.log(w[0] / w[2])) if len(w) > 2 and w[0] > 0 and w[2] > 0 else 0.0
    found = math.exp(min(slope * recipe.d_model / 2, 700.0))
    log = math.log(recipe.base)
    alone = any(line.finding in ("sines-alone", "cosines-alone") for line in recipe.changed)
    unlike = "the two columns of a pair do not share one" if alone else "a cosine does not share the"
    return {"found": f"{found:.7g}", "base": f"{recipe.base:g}", "log": f"{log:.5g}", "slope": f"{slope:.4g}",
            "log10": f"{log / math.log(10):.4g}", "d_model": recipe.d_model,
            "width": recipe.d_model + (-1) ** (recipe.d_model + 1),
            "so": "", "unlike": f"{unlike} frequency" + " of its sine" * (not alone),
            "reads": "; row 0 reads 1 0 1 0" * (first == [1, 0, 1, 0])}  # fmt: skip


def _turn(proof: Proof, column: int) -> str:
    """Say how fast a column turns, and how fast it should."""
    recipe = proof.recipe
    if any(line.slot in ("order", "turned") or line.finding == "step" for line in recipe.changed):
        return ""
    w, right = (one.frequencies() for one in (recipe, Recipe(recipe.length, recipe.d_model, recipe.base)))
    if column >= len(w) or abs(w[column] - right[column]) <= 1e-9 * right[column] or not np.isfinite(w[column]):
        return ""
    its_own, its_right = apart(w[column], right[column], 4)
    return f" Column {column} turns by {its_own} a position; the formula says {its_right}."


def _aliases(proof: Proof, line: Line) -> str:
    """Say so where frequencies are so high that whole positions do not show them."""
    if line.finding == "frequencies":
        return f" {causes()['aliases-listed']}"
    fast = int(np.count_nonzero(turning(proof.recipe) > np.pi))
    many = f"The frequencies of {fast} of {proof.recipe.d_model} columns are"
    return f" {causes()['aliases'].format(many=many)}" if fast else ""


def _of_type(proof: Proof, line: Line) -> str:
    changed = change(proof, line)
    most = 0.0 if changed is None else float(changed[0][np.isfinite(changed[0])].max())
    return (
        f"{line.words['what']} computed in {line.words['type']}, which gives just these numbers: they are off by up to "
        f"{most:.2g}. Compute in float64 and cast last."
    )


def _of_rest(proof: Proof) -> Iterator[Finding]:
    """Yield what is said of numbers that the recipe does not give, and of how near the others are."""
    values, off = proof.values, proof.off
    most = proof.within
    if proof.level == "noisy":
        some = off[:: max(1, len(off) // 512)]
        spread, mean = 1.4826 * float(np.median(some)), math.sqrt(np.mean(some**2))
        spread = spread if spread > mean / 100 else mean  # most may be 0 as they are rounded
        beyond = off[off > most]
        if beyond.size and beyond.min() < APART * most:  # nothing sets these apart: the noise has long tails
            most = float(off.max())
        yield finding("noisy", off=f"{min(spread, most):.2g}", most=f"{most:.2g}")
    elif proof.level == "float32":
        farthest = _farthest(proof)
        if farthest > UNNOTED * max(proof.noise, 2.0**-53 * _largest_angle(proof)):
            yield _float32(proof, farthest)
    wrong = np.argwhere(off > most) if proof.explained < 1 else np.zeros((0, 2), int)
    before = [int(line.words["at"]) for line in proof.recipe.changed if line.finding == "rows-before"]
    wrong = wrong[wrong[:, 0] >= before[0]] if before else wrong  # said already
    if len(wrong) and not _dropped(proof):
        yield from _odd(proof, wrong)
    length, d_model = values.shape
    if length < 2 or d_model < 2:
        more = " and ".join(name for name, count in (("rows", length), ("columns", d_model)) if count < 2)
        yield finding("too-small", kind="note", words=f"It is too small to show base and spacing: give more {more}.")


def _farthest(proof: Proof) -> float:
    """Return how far numbers are off at most that the recipe gives; zeros may be those of dropout, or of a mask."""
    return float(proof.off.max(where=proof.fits & (proof.values != 0), initial=0.0))


def _largest_angle(proof: Proof) -> float:
    return max(float(proof.recipe.angles().max()), 1.0)


def _float32(proof: Proof, most: float) -> Finding:
    angle = _largest_angle(proof)
    far = 0.01 / max(most / angle, 1e-12)
    grows = f"The error grows with the position, and would reach 0.01 about position {far:.0e}. "
    grows += "Angles in float64, cast last, have none of it."
    cause = " from the recipe. Angles in float32 bring as much; how they were computed was not found."
    if most < FAR_LESS * 2.0 ** -BITS["float32"] * angle:
        cause = f" from the recipe: more than float64 leaves at angles up to {angle:.3g}, and far less than angles "
        cause += "in float32 bring."
    elif in_float32(proof):
        cause = f", no more than angles in float32 bring. {grows}"
    words = f"The numbers are off by up to {most:.2g}{cause}"
    return finding("low-precision", kind="note", words=words)


def _odd(proof: Proof, wrong: np.ndarray) -> Iterator[Finding]:
    """Yield what is said of numbers that do not fit: dropout, or that they are so many, and which is the first."""
    values, made = proof.values, proof.rebuilt
    row, column = (int(k) for k in wrong[0])
    rows, columns = len(np.unique(wrong[:, 0])), len(np.unique(wrong[:, 1]))
    value, right = apart(values[row, column], made[row, column], 6)
    words: dict[str, Any] = {"row": row, "column": column, "value": value, "right": right}
    many = f"{len(wrong)} of {values.size} numbers, in {count(rows, 'row')} and {count(columns, 'column')}, are"
    many = "One number is" if len(wrong) == 1 else many
    if proof.nearly_all:
        several = "were they rounded twice, or computed in float32?"
        so = "was a digit mistyped, or rounded twice?" if len(wrong) == 1 else several
        so = "what was measured may be a little off." if proof.recipe.estimated else so
        more = " for one" * (len(wrong) > 1)
        yield finding("rounded", kind="note", cause="last-digit", many=many, more=more, so=so, **words)
    elif rows == 1 and columns > max(1, 0.3 * values.shape[1]):
        yield finding("row-wrong", cause="row-unlike", count=columns, **words)
    elif columns == 1 and rows > max(1, 0.3 * values.shape[0]):
        yield finding("column-wrong", count=rows, **words)
    else:
        same = np.all(values[tuple(wrong.T)] == values[row, column])
        first = f" All of them are {value}." if same else " That is the first of them."
        words["more"] = first * (len(wrong) > 1)
        yield finding("cell-wrong", many=many, **words)


def _unreadable(array: np.ndarray) -> Finding | None:
    """Return what makes it pointless to measure, if anything does."""
    if array.ndim != 2:
        cause = {0: "one-number", 1: "one-axis", 3: "three-axes"}.get(array.ndim, "many-axes")
        return finding("wrong-shape", cause=cause, shape=array.shape, axes=array.ndim)
    if array.size == 0:
        return finding("wrong-shape", cause="no-numbers", shape=array.shape)
    least, most = array.min(), array.max()
    if not np.isfinite([least, most]).all():
        wrong = np.argwhere(~np.isfinite(array))
        row, column = (int(k) for k in wrong[0])
        which = "infinite" if np.isinf(array[row, column]) else "not a number"
        many = f"{len(wrong)} of its {array.size} numbers {'is' if len(wrong) == 1 else 'are'}"
        return finding("not-finite", many=many, which=which, row=row, column=column)
    if array.size == 1 or (array.size == 2 and most):
        return None  # sin 0, perhaps; two numbers may be equal
    if least >= most - 1e-15 * abs(most):  # the last digit may be off, as of sums that are 1
        cause = "all-the-same" if most else "all-zero"
        return finding("not-an-encoding", cause=cause, number=f"{float(most):g}")
    return None


def _no_encoding(values: np.ndarray, base: float) -> Finding:
    """Say what was measured where nothing fits, and invent no cause."""
    length, d_model = values.shape
    off = abs(values - sinusoidal_encoding(length, d_model, base=base))
    right = np.all(off <= NEARLY, axis=0)
    told = right & (np.ptp(values, axis=0) > APART * NEARLY)
    if told[2:].sum() > d_model / 4 or (right.all() and told.any()):  # pair 0 is the same under most formulas
        at, many = np.flatnonzero(right), np.count_nonzero(right)
        if right.all():
            return finding("noisy", off=f"{math.sqrt(np.mean(off**2)):.2g}", most=f"{off.max():.2g}")
        return finding(
            "not-an-encoding", cause="some-columns", near=NEARLY, many=f"{many} of {d_model}", which=some(at)
        )
    inside = abs(values).max() <= 1 + 1e-6
    if inside and (length < 3 or d_model < 4 or values.size <= FEWEST):
        return finding("too-small", cause="few-numbers", kind="undecided", length=length, d_model=d_model)
    if len(values) > 2 and abs(values).max() < 2**53 and np.all(values == np.rint(values)):
        return finding("not-an-encoding", cause="whole-numbers")
    unit, half = float(abs(values).max()), d_model // 2
    if length > 1 and np.ptp(values / unit, axis=0).max() <= 1e-12:
        return finding("not-an-encoding", cause="same-rows")
    for one, other in ((values[:, 0::2], values[:, 1::2]), (values[:, :half], values[:, half:])):
        if inside and d_model % 2 == 0 and abs(one**2 + other**2 - 1).max() < ON_CIRCLE:
            return finding("not-an-encoding", cause="angles-unknown")
    with np.errstate(over="ignore", invalid="ignore"):
        norms = np.linalg.norm(values / unit, axis=1) * unit
        spread = float(values.std())
    often = max(np.mean(values == one) for one in (0, values.min(), values.max())) > OFTEN
    full = values.any(axis=0).all() and values.any(axis=1).all() and not often
    full = full and norms.max() < LONGER * np.median(norms)
    if full and values.size > 64 and length > 3 and np.isfinite(spread) and spread > 0 and like_noise(values):
        return finding("not-an-encoding", cause="learned", mean=f"{values.mean():.2g}", spread=f"{spread:.3g}")
    first, last, right = (f"{norm:.4g}" for norm in (norms.min(), norms.max(), math.sqrt(d_model / 2)))
    words = f" Its rows have norms from {first} to {last}" if first != last else f" All its rows have norm {first}"
    if d_model % 2 == 0:
        same = first == last == right
        words += ", as in the encoding" if same else f"; those of the encoding are all sqrt(d_model/2) = {right}"
    least, greatest = apart(values.min(), values.max(), 4)
    beyond = int(np.count_nonzero(abs(values) > 1))
    lie = f"; {count(beyond, 'number')} {'lies' if beyond == 1 else 'lie'} beyond -1 and 1, where none should."
    return finding(
        "not-an-encoding", least=least, greatest=greatest, norms=f"{words}." if np.isfinite(norms.max()) else "",
        inside="." if inside else lie,
    )  # fmt: skip
