"""Look for the recipe of a matrix: the plain ones first, then those that are measured, then two lines at once.

Whatever is proposed here is only a guess; `prove` decides.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice, product
from typing import Any

import numpy as np

from pe_lib._checks import LARGEST_POSITION
from pe_lib.diagnosis.catalogue import LAWS, OTHERS, core_lines, place_lines
from pe_lib.diagnosis.changed_values import MOST_MOVED, ROWS, dropped_out, factors, values_changed
from pe_lib.diagnosis.frame import SWAPPED, Guess, Trial, framed, started
from pe_lib.diagnosis.grain import COARSE
from pe_lib.diagnosis.laws import LIKELY, PAPER, law_lines, values_of, written
from pe_lib.diagnosis.measure import Sight, View, evenly
from pe_lib.diagnosis.noise import SMALL
from pe_lib.diagnosis.open_bases import bases_left_open
from pe_lib.diagnosis.positions import in_order, nearest
from pe_lib.diagnosis.prove import LARGE
from pe_lib.diagnosis.recipe import Line, Recipe, evaluated
from pe_lib.diagnosis.report import count, some
from pe_lib.diagnosis.turning import (
    RELATIVE,
    of_columns,
    of_far_rows,
    of_free_pairs,
    of_pairs,
    of_rows,
    of_same_rows,
)

MOST_LISTED = 1000  # numbers in a line
MOST_MATCHED = 512  # columns that were rounded are matched one by one
FIRST = 63  # numbers are enough to know the first two rows by
SEEN = 8  # times as far as is uncertain, or less, hands may not have turned at all
COARSE_STEP = 0.01  # of numbers, of which lines that are known are tried before what their circles tell
MOST_BEFORE = 8  # recipes are tried of the columns before an empty one
FEW = 4  # numbers, or fewer: other functions are not looked for


def line_guesses(view: View) -> Iterator[Guess]:
    """Yield recipes that differ from the encoding in a line that is known, or that pairs on circles tell."""
    yield from of_same_rows(view)
    yield from _rolled(view)
    padded = [*_without_last(view)] if view.values.shape[1] > 3 and view.values.shape[1] % 2 else []
    yield from (one for one in padded if "timescales" in one[1].said)
    others = chain(_other_encodings(view), values_changed(view))
    seen = any(np.any(abs(delta) > SEEN * uncertain) for delta, uncertain in (one.turns for one in view.clean))
    if view.whole or (view.clean and not seen and not view.grain.step):  # a hand that turns
        yield from chain(others, _encodings(view), _known_lines(view), of_pairs(view.clean))
    else:
        both = chain(bases_left_open(view), of_pairs(view.clean)), _known_lines(view)
        yield from chain(_encodings(view), *(both[::-1] if view.grain.step == COARSE_STEP else both), others)
    yield from padded


def change_guesses(view: View) -> Iterator[Guess]:
    """Yield recipes in which numbers came to other places."""
    if view.values.size <= MOST_MOVED:
        yield from _places(view)
        yield from _beside(view)
    if len(view.upright[0].filled) < view.values.shape[1] or view.values.size > LARGE:
        yield from column_guesses(view)


def measured_guesses(view: View) -> Iterator[Guess]:
    """Yield recipes with lines that were measured, then those with two lines at once."""
    clean, noisy = view.clean, view.noisy
    for sight in view.sights():
        if sight.layout == "interleaved":
            yield from of_columns(sight)
    for sight in clean[:2]:
        yield from of_rows(sight)
        yield from of_free_pairs(sight)
    yield from dropped_out(view)
    yield from factors(view)
    if min(view.values.shape) > 1 and not view.whole and view.values.size > SMALL:
        yield from _known_lines(view, two=True)
    if view.values.size <= LARGE:  # of larger ones it was asked before
        yield from column_guesses(view)
    # what follows is near at best
    coarse = view.grain.held_by in COARSE
    for sights, relatives in ((view.circles, RELATIVE[2:]), (noisy, RELATIVE[:2]))[:: 1 if coarse else -1]:
        yield from of_pairs(sights[:2] if coarse or noisy else [], relatives)
    for sight in noisy[:1]:
        yield from of_rows(sight)
    for sight in noisy[:2]:
        yield from of_free_pairs(sight)
    yield view.upright[0], view.upright[0].recipe


def _encodings(view: View) -> Iterator[Guess]:
    """Yield the encoding itself, from any position."""
    for sight in view.sights():
        trial = Trial(sight)
        for start in dict.fromkeys((_first_position(sight), 0, 1)):
            recipe = started(sight.recipe, start)
            names = recipe.names(trial.rows, trial.columns)
            if trial.agrees(names["matrix"], names["w"], 0.4 if start == 0 and not sight.turned else 0.6):
                yield sight, framed(recipe, sight)
            elif trial.agrees(_made(SWAPPED, names), names["w"], 0.6):
                yield sight, framed(recipe.with_(SWAPPED), sight)
    for sight in view.upright:
        yield from of_far_rows(sight, view.grain)


def _other_encodings(view: View) -> Iterator[Guess]:
    """Yield the encodings that have no sines and cosines."""
    values, sight = view.values, view.upright[0]
    lines = [Line("matrix", f"matrix = {code}", "other-encoding", words={"how": how}) for how, code in OTHERS.items()]
    slope = float(values[0, -1]) / (values.shape[1] - 1) if values.shape[1] > 1 else 0.0
    if slope and slope not in (1.0, -1.0):
        lines.append(Line("matrix", f"matrix = {slope!r} * abs(pos - j)", "alibi", words={"slope": f"{slope:.6g}"}))
    size = 1.0 if view.grain.step else max(1.0, float(abs(values).max()))
    trials = Trial(sight, 0.0), Trial(sight, view.grain.noise * size)  # rounding may hide what is not quite so
    with np.errstate(all="ignore"):
        names = sight.recipe.names(trials[0].rows, trials[0].columns)
        made = [evaluated(line.code.partition(" = ")[2], names) for line in lines]
    for trial in trials:
        near = (line for line, its in zip(lines, made, strict=True) if trial.agrees(its, names["w"], 0.99))
        yield from ((sight, sight.recipe.with_(line)) for line in near)


def _first_position(sight: Sight) -> int:
    """Return the position of row 0 as the slowest hand of the encoding tells it, which far on has come round."""
    pairs, d_model = sight.target.shape[1] // 2, sight.target.shape[1]
    slowest = sight.base ** (-2 * (pairs - 1) / d_model)
    found = float(np.angle(sight.points(np.arange(1), np.array([pairs - 1]))[0, 0])) / slowest if pairs else 0.0
    return round(found) if abs(found) < LARGEST_POSITION else 0


def _known_lines(view: View, two: bool = False) -> Iterator[Guess]:
    """Yield the recipes with a known line for frequencies, angles or functions, or with two of them at once."""
    trials = [(sight, Trial(sight)) for sight in view.upright]
    # where all columns are filled, what lines make is found once for all layouts
    full = all(len(sight.filled) == view.values.shape[1] for sight in view.upright)
    for some_trials in [trials] if full else [[one] for one in trials]:
        yield from _near_lines(some_trials, two)


def _near_lines(trials: list[tuple[Sight, Trial]], two: bool) -> Iterator[Guess]:
    sight, trial = trials[0]
    recipe = sight.recipe
    names = recipe.names(trial.rows, trial.columns)
    row, column = trial.cells
    many = recipe.d_model > 1 and sight.target.size > FEW
    lines: list[Line | None] = [None, *(core_lines(recipe.d_model) if many else ())]
    laws = [(code, law) for code, law, _ in written(recipe) if not two or not code or code in LIKELY]
    w = np.stack([values_of(law, recipe.d_model, recipe.base)[trial.columns] for _, law in laws])
    near = np.zeros((len(laws), len(lines), len(trials)), bool)
    wanted, room = np.stack([each.wanted[each.cells] for _, each in trials]), 0.3 + 8 * trial.noise
    with np.errstate(all="ignore"):
        of_cells = names | {"pos": names["pos"][row, 0], "j": names["j"][column], "w": w[:, column]}
        of_cells["angles"] = of_cells["pos"] * of_cells["w"]
        for k, line in enumerate(lines):
            made = _made(line, of_cells).reshape(-1, 1, len(column))  # of each law, or the same of all
            near[:, k] = np.count_nonzero(abs(made - wanted) > room, axis=-1) <= 2
            # one function for all columns, what of it RoPE keeps, and what has an order of its own has no halves
            own_order = line is not None and ("j <" in line.code or line.finding == "pairs-for-parity")
            if line is not None and (own_order or "j" not in line.code):
                near[:, k] &= [each.layout != "halves" for each, _ in trials]
        if two:
            near[1:, 0] = False
        else:
            near[1:, 1:] = False
        found = np.argwhere(near)
        if sight.half >= COARSE_STEP / 2:  # laws before functions
            found = found[np.argsort(found[:, 1] > 0, kind="stable")]
        for law_at, line_at, at in found.tolist():
            (code, law), line, (one, tried) = laws[law_at], lines[line_at], trials[at]
            made = _made(line, names | {"w": w[law_at], "angles": names["pos"] * w[law_at]})
            if tried.agrees(made, w[law_at], 0.97):
                both = [*law_lines(code, law), *([line] if line else [])]
                yield one, framed(recipe.with_(*both), one)


def _made(line: Line | None, names: dict[str, Any]) -> np.ndarray:
    """Return the numbers that a line for angles or functions makes, or the encoding's."""
    made = names["angles"] if line is None else evaluated(line.code.partition(" = ")[2], names)
    plain = line is None or line.slot == "angles"
    found: np.ndarray = np.where(names["j"] % 2 == 0, np.sin(made), np.cos(made)) if plain else made
    return found


def _without_last(view: View) -> Iterator[Guess]:
    """Yield the recipes of the columns before one that is empty, with the line that adds it."""
    if view.values[:, -1].any():
        return
    before = replace(view, values=view.values[:, :-1])
    for sight, guess in islice(line_guesses(before), MOST_BEFORE):
        if not sight.turned and not guess.measured:  # else exponents were doubled, or the like
            kind, cost = ("variant", 0.5) if {"timescales", "cosines-first"} & guess.said else ("mistake", 1)
            code = "matrix = np.hstack([matrix, np.zeros((length, 1))])"
            yield sight, guess.with_(Line("turned", code, "extra-column-empty", kind, cost=cost))


def _places(view: View) -> Iterator[Guess]:
    """Yield recipes in which the right numbers came to other places."""
    rng, values = np.random.default_rng(0), view.values
    cells = rng.integers(0, values.shape[0], 64), rng.integers(0, values.shape[1], 64)
    wanted, loose = values[cells], 16 * view.grain.noise + 1e-5
    for line, (length, d_model), at in place_lines(values.shape, cells):
        recipe, columns = Recipe(length, d_model, view.base), at % d_model
        w = values_of(PAPER, d_model, view.base)[columns]
        for start in (0, 1):
            angles = (start + at // d_model) * w
            made = np.where(at < 0, 0.0, np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))
            if np.mean(abs(made - wanted) <= loose) >= 0.97:
                words = line.words | {"d_model": values.shape[1], "width": d_model, "many": "All columns"}
                words |= {"columns": count(values.shape[1], "column"), "last": d_model - 1}
                if line.finding == "first-column-missing":
                    words["columns"] = f"columns 1 to {values.shape[1]}" if values.shape[1] > 1 else "column 1"
                yield view.upright[0], started(recipe, start).with_(replace(line, words=words))


def _rolled(view: View) -> Iterator[Guess]:
    """Yield the recipe in which the first two rows, and so all numbers, stand some places from where a row begins."""
    (length, d_model), flat, sight = view.values.shape, view.values.ravel(), view.upright[0]
    if min(length, d_model) < 3:
        return
    windows = np.lib.stride_tricks.sliding_window_view(np.r_[flat[-d_model:], flat[: 3 * d_model]], 2 * d_model)
    few = evenly(2 * d_model, FIRST)
    near = abs(windows[:, few] - sight.recipe.run(np.arange(2)).ravel()[few]) <= 16 * view.grain.noise + 1e-6
    found = np.flatnonzero(near.all(axis=1)) - d_model
    if len(found) and found[0] % d_model:
        by, rows = int(found[0]), evenly(length, ROWS)
        how = f"they were rolled by {by} without axis=0, so that numbers pass from row to row."
        line = Line("order", f"matrix = np.roll(matrix, {by})", "rearranged", words={"how": how})
        within = np.roll(sight.recipe.run(rows), by, axis=1)
        if np.all(abs(within - view.values[rows]) <= 16 * view.grain.noise + 1e-6):  # where rounded, both are the same
            words = {"many": "All columns", "shown": f"columns {some(np.roll(np.arange(d_model), by).tolist(), 10)}"}
            ends = ("right", "last", "first") if by > 0 else ("left", "first", "last")
            words["how"] = "to the {}, and the {} stands {}".format(*ends)
            finding = "columns-rolled-round" if abs(by) == 1 else "columns-out-of-order"
            line = Line("order", f"matrix = np.roll(matrix, {by}, axis=1)", finding, words=words)
        yield sight, sight.recipe.with_(line)


def _beside(view: View) -> Iterator[Guess]:
    """Yield the recipe of the other columns, with the line that puts one beside them that is none of theirs."""
    length, d_model = view.values.shape
    if length > MOST_LISTED or d_model < 5 or 2 * len(view.upright[0].filled) < d_model:
        return
    for at in ([d_model - 1], [0], [d_model - 2, d_model - 1], [0, 1]):
        narrow = Line("w", f"w = base ** (-2 * (j // 2) / {d_model - len(at)})")
        goes_on = view.upright[0].recipe.with_(narrow).run(np.arange(min(length, ROWS)), np.array(at[:1]))
        if at[0] and np.all(abs(goes_on - view.values[:ROWS, at[:1]]) <= 8 * view.grain.noise + 1e-5):
            continue  # it is one column more of the narrower table
        filled_in = at == [0] and d_model % 2 == 0 and not np.ptp(view.values[:, 0])
        cut = law_lines("missing-column", LAWS["missing-column"]) if filled_in else ()
        kept = replace(view, values=np.delete(view.values[:ROWS], at, axis=1)).upright
        for (k, few), lines in product(enumerate(kept), ((), cut)):
            if Trial(few).near(few.recipe.with_(*lines), 0.99):
                sight = replace(view, values=np.delete(view.values, at, axis=1)).upright[k]
                block = f"np.array({view.values[:, at].tolist()})"
                code = f"matrix = np.hstack([{f'{block}, matrix' if at[0] == 0 else f'matrix, {block}'}])"
                many = f"Column {at[0]} stands" if len(at) == 1 else f"Columns {at[0]} and {at[1]} stand"
                line = Line("turned", code, "column-beside", words={"many": many, "width": d_model - len(at)})
                yield sight, framed(sight.recipe.with_(*lines), sight).with_(line)


def column_guesses(view: View) -> Iterator[Guess]:
    """Yield the recipe in which each column is one of the right ones, at another place."""
    length, d_model = view.values.shape
    if d_model < 3 or length < 3:
        return
    step, sight = view.grain.step * (d_model <= MOST_MATCHED), view.upright[0]
    rows = evenly(length, 256 if step else 12)
    filled, empty = sight.filled, np.setdiff1d(np.arange(d_model), sight.filled)
    room = 0.5 * step + 1e-9 if step else 8 * view.grain.noise + 1e-5
    for start in (0, 1):
        recipe = started(sight.recipe, start)
        made, wanted = recipe.run(rows).T, sight.target[rows].T
        few = wanted[filled[evenly(len(filled), ROWS)]]
        if np.mean(abs(made[nearest(made, few)] - few).max(axis=1) <= room) < 0.75:
            continue
        for taken in (_each_once(made, wanted, room),) if step else (in_order(made, wanted), nearest(made, wanted)):
            good = (abs(made[taken] - wanted).max(axis=1) <= room) & np.isin(np.arange(d_model), filled)
            if np.count_nonzero(good) < 0.95 * len(filled):
                continue
            taken = np.where(good, taken, np.arange(d_model))
            listed = taken[good].tolist()
            twice = len(set(listed)) < len(listed)
            how = f"{'some are there more than once' if twice else 'at other places'}, and some are missing"
            at = int((taken != np.arange(d_model)).argmax())
            shown = f"columns {some(listed, 10)}"
            if at >= 10 or len(listed) < len(filled):
                shown = f"column {at} is the encoding's {taken[at]}, for one"
            many = "All columns" if good[filled].all() else f"{len(listed)} of {d_model} columns"
            words = {"shown": shown, "at": at, "which": int(taken[at]), "how": how, "many": many}
            finding = "columns-taken" if twice or len(empty) else "columns-out-of-order"
            code = f"matrix = matrix[:, {taken.tolist()}]"
            yield sight, recipe.with_(Line("order", code, finding, words=words, cost=1.2 if len(empty) else 3))
            break


def _each_once(made: np.ndarray, wanted: np.ndarray, room: float) -> np.ndarray:
    """Return for each wanted column, which was rounded, the one it is; of some that are alike, each is taken once.

    Those that are alike stand beside one another: first comes the wanted one whose last one stands first.
    """
    few = evenly(made.shape[1], ROWS)
    near = (np.flatnonzero(np.all(abs(made[:, few] - one[few]) <= room, axis=1)) for one in wanted)
    fits = [at[abs(made[at] - one).max(axis=1, initial=0.0) <= room] for at, one in zip(near, wanted, strict=True)]
    taken, free = nearest(made, wanted), np.ones(len(made), bool)
    for k in sorted(range(len(fits)), key=lambda k: fits[k][-1:].tolist()):
        for u in fits[k][free[fits[k]]][:1]:
            taken[k], free[u] = u, False
    return taken
