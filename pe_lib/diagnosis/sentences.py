"""What each sentence of a batch, and each of its tokens, got of the table that was added."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pe_lib.diagnosis.diagnose import told
from pe_lib.diagnosis.grain import Grain
from pe_lib.diagnosis.measure import COLUMNS, evenly
from pe_lib.diagnosis.positions import nearest
from pe_lib.diagnosis.prove import Proof, attempt
from pe_lib.diagnosis.recipe import Recipe
from pe_lib.diagnosis.report import Diagnosis, Finding, count, finding

EMPTY = ("rows-zeroed", "row-zeroed")  # said of tokens
DAMAGED = (*EMPTY, "cell-wrong", "row-wrong")  # in one sentence, perhaps
LONGEST = 4_000_000  # numbers in a table in which the rows of a sentence are looked for


def compared(
    x: np.ndarray, added: np.ndarray, zero: np.ndarray, untouched: np.ndarray, proof: Proof, grain: Grain, b: int
) -> Diagnosis:
    """Return what is said of a table that sentence b got, and of the rows that others got in its place."""
    length, of_table = added.shape[1], _of_all(told(proof), added, zero, proof, grain, b)
    room = _room(proof, grain)
    first = added[zero.argmin(axis=0), np.arange(length)]  # that anything was added to, row by row
    alike = np.all(abs(added - first) <= room, axis=2) | zero
    by_all = alike.all(axis=0) & (np.count_nonzero(~zero, axis=0) > 1)  # what all sentences got is said of the table
    asked = np.all(abs(first[: len(proof.values)] - proof.values) <= room, axis=1)
    by_all &= np.pad(asked, (0, length - len(asked)))  # if it was diagnosed there
    left_out = (abs(added) <= room) & ("dropout" in of_table.codes)  # in each sentence by itself
    for damage, slots in ((EMPTY, ()), (DAMAGED, ("damage",))):
        lines = (line for line in proof.recipe.changed if line.finding in damage or line.slot in slots)
        recipe = replace(proof.recipe.without(*lines), length=length)
        whole = attempt(recipe)
        table = added[0] if whole is None or whole.shape != added.shape[1:] else whole
        same = np.all((abs(added - table) <= room) | left_out, axis=2) | (by_all & ~zero)
        if len(x) == 1 or (same | zero).all():
            break
    padding = padding_in(x)
    begins = sum(float(line.words["start"]) for line in recipe.changed if line.finding == "start")
    found = [*_about_rows(padding, untouched, same, begins, in_x=bool(x.any()))]
    if np.any(differs := ~same & ~zero):
        found += _about_other_rows(added, differs, zero, untouched, padding, recipe, table, room)
    own = f"In sentence {b}: " if any(one.code == "sentences-differ" for one in found) else ""
    found += [
        finding("added-twice") if one.code == "scale" and of_table.scale == 2.0
        else finding("scale", cause="subtracted") if one.code == "scale" and of_table.scale == -1.0
        else replace(one, message=own * (one.kind != "note") + one.message)
        for one in of_table.findings if one.code not in damage
    ]  # fmt: skip
    found += _about_padding(added, padding & ~untouched & ~same & ~left_out.any(), recipe, table, room)
    ok = not any(one.kind in ("mistake", "undecided") for one in found)
    some = any(one.code in ("tokens-left-out", "sentence-left-out") for one in found)
    what = of_table.what + ", where anything was," * some
    # no more than padding, if no token was left out
    blank = [line.code for line in proof.recipe.changed if line.finding in EMPTY and not some]
    shown = tuple(both for both in of_table.lines if both[0] not in blank)
    return replace(of_table, ok=ok, findings=tuple(found), lines=shown, what=what)


def _late(added: np.ndarray, zero: np.ndarray, table: np.ndarray, room: float) -> bool:
    """Say whether in every sentence that begins late the table begins with it."""
    begin = zero.argmin(axis=1)
    rows = np.arange(added.shape[1]) - begin[:, np.newaxis]
    late = (begin > 0)[:, np.newaxis] & ~zero
    return bool(np.all(abs(added[late] - table[rows[late]]) <= room))


def padding_in(x: np.ndarray) -> np.ndarray:
    """Return which tokens of embeddings, shape (B, L, d_model), are padding: zeros, where not all of them are."""
    found: np.ndarray = np.all(x == 0, axis=2) & x.any()
    return found


def _room(proof: Proof, grain: Grain) -> float:
    """Return how far a number may be from what the recipe makes of it."""
    return (2 if proof.level == "noisy" else 1.1) * max(proof.within, grain.floor) + 1e-9


def _of_all(of_table: Diagnosis, added: np.ndarray, zero: np.ndarray, proof: Proof, grain: Grain, b: int) -> Diagnosis:
    """Return what is said of a table that sentence b got, as that of all sentences if they got the same."""
    room, end = _room(proof, grain), int(np.flatnonzero(~zero[b])[-1]) + 1
    if not np.all((abs(added - added[b]) <= room) | zero[:, :, np.newaxis]):
        return replace(of_table, what=f"What was added in sentence {b}")
    off = abs(added[:, end - len(proof.rebuilt) : end] - proof.rebuilt)[~zero[:, end - len(proof.rebuilt) : end]]
    within = max(proof.within, float(off.max(where=off <= room, initial=0.0)))
    return replace(of_table, what="What was added", within=within)


def _about_rows(
    padding: np.ndarray, zero: np.ndarray, same: np.ndarray, begins: float, in_x: bool
) -> Iterator[Finding]:
    """Say which sentences and tokens got nothing, which padding got something, and if one mask was used for all."""
    left_out = zero & ~padding & ~same
    trailing = np.logical_and.accumulate(zero[:, ::-1], axis=1)[:, ::-1]
    one_mask = trailing.any() and np.all(zero == zero[0]) and np.any(padding != padding[0])
    whole = left_out.all(axis=1) | (zero.all(axis=1) & ~padding.all(axis=1))
    if whole.any():
        many = f"{count(int(whole.sum()), 'sentence')} of {len(zero)} got"
        more = " for one" if whole.sum() > 1 else ""
        yield finding("sentence-left-out", many=many, b=int(whole.argmax()), more=more)
    tokens = left_out & ~whole[:, np.newaxis]
    if tokens.any() and not (one_mask and np.all(tokens <= trailing)):
        b, row = (int(k) for k in np.argwhere(tokens)[0])
        first = " Only row 0 got one. Does the table hold whole numbers, which cut all others down to 0?"
        so = first * bool(np.all(zero[:, 1:]))
        many, though = f"{count(int(tokens.sum()), 'token')} got", ", though x has numbers there" * in_x
        yield finding("tokens-left-out", row=row, many=many, though=though, b=b, so=so)
    in_front = np.logical_and.accumulate(padding & zero, axis=1)
    pads = in_front.sum(axis=1)
    counted = in_front[:, 0] & (same | zero).all(axis=1) & ~(padding | zero)[np.arange(len(zero)), pads % zero.shape[1]]
    if counted.any():
        b = int(counted.argmax())
        yield finding(
            "left-padding-counted", kind="variant", b=b, position=f"{pads[b] + begins:g}", begins=f"{begins:g}"
        )
    if one_mask:
        end = int(np.flatnonzero(~zero.all(axis=0))[-1]) + 1
        yield finding("one-mask-for-all", row=end)
    elif np.any(padding & ~zero):
        b, row = (int(k) for k in np.argwhere(padding & ~zero)[0])
        yield finding("padding-not-masked", kind="note", row=row, b=b)


def _about_padding(
    added: np.ndarray, odd: np.ndarray, recipe: Recipe, table: np.ndarray, room: float
) -> Iterator[Finding]:
    """Say which padding got what is a row of the table neither at its place nor at another."""
    if not odd.any():
        return
    from_0 = attempt(recipe.without(*(line for line in recipe.changed if line.slot == "pos")))
    rows = np.vstack([table, from_0]) if from_0 is not None and from_0.shape == table.shape else table
    few = evenly(table.shape[1], COLUMNS)
    odd[odd] = abs(rows[nearest(rows[:, few], added[odd][:, few])] - added[odd]).max(axis=1) > room
    if odd.any():
        b, row = (int(k) for k in np.argwhere(odd)[0])
        yield finding("padding-odd", row=row, b=b, value=f"{max(added[b, row], key=abs):.4g}")


def about_wiped(wiped: np.ndarray, padding: np.ndarray) -> Finding:
    """Say which tokens are zeros in y and not in x: they may be padding at either end, if not that of another one."""
    blank = wiped | padding
    ends = np.logical_and.accumulate(blank, axis=1) | np.logical_and.accumulate(blank[:, ::-1], axis=1)[:, ::-1]
    wrong = wiped & (~ends | padding.any(axis=0) | blank.all(axis=1, keepdims=True))
    b, row = (int(k) for k in np.argwhere(wrong if wrong.any() else wiped)[0])
    many = f"{count(int(wiped.sum()), 'token')} {'is' if wiped.sum() == 1 else 'are'}"
    same = len(wiped) > 1 and bool(np.all(wiped == wiped[0]))
    kind, so = (
        ("mistake", "Does the mask over the sum belong to another sentence, or were tokens dropped out?")
        if wrong.any()
        else ("undecided", "It is so in every sentence: were these rows left out, or is it one mask for all?")
        if same
        else ("note", "So it should be, if it is padding.")
    )
    return finding("tokens-wiped", kind=kind, row=row, many=many, b=b, so=so)


def _about_other_rows(
    added: np.ndarray,
    differs: np.ndarray,
    zero: np.ndarray,
    untouched: np.ndarray,
    padding: np.ndarray,
    recipe: Recipe,
    table: np.ndarray,
    room: float,
) -> Iterator[Finding]:
    """Say what the first sentence got in which tokens have other rows than their own."""
    b, row = (int(k) for k in np.argwhere(differs)[0])
    at, told_rows = np.flatnonzero(differs[b]), np.flatnonzero(~zero[b])
    longer = attempt(replace(recipe, length=(b + 1) * len(table))) if (b + 1) * table.size <= LONGEST else None
    goes_on = longer is not None and len(longer) >= len(table) and longer.shape[1] == table.shape[1]
    rows = longer if longer is not None and goes_on else table  # they may run on from sentence to sentence
    some = evenly(rows.shape[1], COLUMNS)
    found = nearest(rows[:, some], added[b, at][:, some])
    positions = np.where(abs(rows[found] - added[b, at]).max(axis=1) <= room, found, -1)
    shift = at - positions
    in_order = all(line.slot != "pos" or line.finding == "start" for line in recipe.changed)
    begins = sum(float(line.words["start"]) for line in recipe.changed if line.finding == "start")
    known = bool(np.all(positions >= 0)) and in_order
    own, first = (f"{number + begins:g}" for number in (positions[0], -shift[0]))
    other = int(((~differs).all(axis=1) & ~zero.all(axis=1)).argmax())
    words: dict[str, Any] = {"b": b, "row": row, "position": own, "first": first, "others": f"{begins:g}"}
    counted = np.all((np.diff(positions) == 1) | (positions[1:] == 0)) and np.array_equal(at, told_rows[-len(at) :])
    pads = max(int(shift[-1]), 0)  # tokens in front that are padding, if all after them are counted from there
    behind, front = positions[at >= pads], added[b, :pads]
    begin = int(padding[b].argmin()) or pads  # where x says that words do, if it does
    padded = 0 < pads == begin < len(table) and in_order and not zero[b, pads]
    padded = padded and bool(np.all(behind >= 0) and np.all(shift[at >= pads] == pads))
    padded = padded and np.array_equal(at[at >= pads], told_rows[told_rows >= pads]) and _late(added, zero, table, room)
    of_table = (
        padded and (pads > 1 or known) and not untouched[b, :pads].any() and np.all(np.ptp(front, axis=0) <= room)
    )
    in_x = bool(np.all(padding[b, :pads])) and abs(front).max(initial=0.0) <= abs(table).max() + room
    if padded and (of_table or in_x):
        kind = "variant" if in_x else "undecided"
        words |= {"pads": pads, "position": f"{begins:g}"}
        yield finding("left-padding", kind=kind, **words)
        if not in_x:  # it may be padding, or none
            yield finding("sentences-differ", kind=kind, **words)
    elif known and len(at) > 1 and positions[0] == 0 and row > 0 and counted:
        words["how"] = "anew" if told_rows[0] < row else "late"
        yield finding("positions-restart", **words)
    elif len(added) == 1:
        return  # said of its table
    elif known and len(at) > 1 and np.all(shift == shift[0]) and len(at) == len(told_rows):
        yield finding("position-shift", other=other, **words)
    elif known:
        more = f", and {len(at) - 1} more of its rows are not their own" if len(at) > 1 else ""
        yield finding("row-wrong", cause="token-moved", more=more, **words)
    elif (
        (factor := float((added[b] * table).sum() / max((table * table).sum(), 1e-300)))
        and np.all(abs(added[b] - factor * table) <= 4 * room)
        and abs(factor - 1) > 16 * room
        and other != b
    ):
        yield finding("sentence-scaled", b=b, by=f"{factor:.4g}", others=other)
    else:
        yield finding("sentences-differ", row=row, b=b)
