"""How frequencies fall from column to column: the lines that people write, and which of them gives measured ones.

Column j has frequency w_j, and j // 2 is its pair. The paper's line is base ** (-2 * (j // 2) / d_model) (Vaswani et
al. 2017, section 3.5). The others were found in public code; most of them say ln w_j = a_j + b_j · ln base, so a base
can be found for each.
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from pe_lib.diagnosis.catalogue import FIXED, LAWS, RARE, RARER
from pe_lib.diagnosis.measure import wrap
from pe_lib.diagnosis.plain_numbers import digits, plain_step, plain_steps, round_number
from pe_lib.diagnosis.recipe import MEASURED, Line, Recipe, evaluated
from pe_lib.diagnosis.report import VARIANTS, count

PAPER = "base ** (-2 * (j // 2) / d_model)"
# of the laws, those that are tried as they are: pairs do not lie on circles under them
OF_ONE = {"cosine-inverse", "sine-inverse", "cosine-no-division", "sine-no-division"}
# of the laws, those that are looked for beside another mistake
LIKELY = {"exponent-doubled", "exponent-halved", "column-as-pair", "own-frequencies", "all-one", "integer-division",
          "columns-repeat", "inverse"}  # fmt: skip
PLAIN_BASES = (10.0, 100.0, 1000.0, 10_000.0, 100_000.0, 500_000.0, 1_000_000.0)
CLEAR, CLEAR_WITHIN, MANY = 0.99, 1e-4, 32  # of the columns, of their frequency, columns
FASTEST = 1e15  # beyond, float64 has no turns left
NEEDED = 0.75  # of the columns have the frequencies of a line that is believed
LEAST_SHARE = 0.25  # of the columns have the same base or step before it is tried on all
COARSELY = 1e-5  # known, a base is given as the plainest number near it
PAPERS = 10_000.0  # base: likelier than any other that was not asked for
WIDEST = 20_000  # table whose width may stand in the formula of another
LONGEST = 1e5  # step from a position to the next
SURELY = 0.03  # of an angle, or less, tells how many whole turns were made beside
LARGEST_LOG = 200.0  # of a base
WHOLE = np.arange(4.0, 10_001.0)  # frequencies that whole turns hide


def written(recipe: Recipe) -> Iterator[tuple[str, str, bool]]:
    """Yield finding and expression of each line that can be written for frequencies, and whether any base will do."""
    d_model, base = recipe.d_model, recipe.base
    power = round(math.log10(base))
    yield "", PAPER, True
    for code, law in (LAWS | FIXED).items():
        if code == "xor" and (power < 1 or base != 10.0**power or 10 ^ power < 2):
            continue
        if (code.endswith("timescales") and d_model < 4) or (code == "log-of-quotient" and base <= d_model):
            continue
        if (code == "extra-column" and d_model % 2) or (code == "missing-column" and not d_model % 2) or d_model < 2:
            continue
        yield code, law.format(power=power), code in LAWS


@lru_cache(maxsize=512)
def values_of(law: str, d_model: int, base: float) -> np.ndarray:
    """Return the frequencies of all columns by one line."""
    with np.errstate(all="ignore"):
        names = {"np": np, "j": np.arange(d_model), "d_model": d_model, "base": np.float64(base)}
        found: np.ndarray = np.asarray(evaluated(law, names), float) + np.zeros(d_model)
    found.flags.writeable = False
    return found


def law_lines(code: str, law: str) -> tuple[Line, ...]:
    """Return the line that gives frequencies by a law, none if it is the paper's."""
    if not code:
        return ()
    kind, finding = ("variant" if code in VARIANTS else "mistake"), code.partition(":")[0]
    words = {}
    if code.startswith("frequencies-rounded"):
        finding, words = "frequencies-rounded", {"decimals": count(int(code[-1]), "decimal")}
    cost = 0.9 if code in VARIANTS else 1.0 + RARER * (finding in RARE)
    return (Line("w", f"w = {law}", finding, kind, words, cost),)


Fit = tuple[float, tuple[Line, ...], np.ndarray]  # what some lines cost, the lines, and the frequencies they give


class Measured(NamedTuple):
    """Frequencies that were measured in some columns, and how uncertain each is."""

    columns: np.ndarray
    w: np.ndarray
    error: np.ndarray

    def share(self, its: np.ndarray, times: float = 1.0, more: float | np.ndarray = 0.0) -> np.ndarray:
        """Return the share of columns that have the frequencies of a line, for each of some lines.

        Of lines that give both columns of a pair the same, also the share of those that turn, if it is less.
        """
        with np.errstate(invalid="ignore"):
            fits = (abs(wrap(self.w - its)) <= times * self.error + more) & (abs(its) < FASTEST)
        alike = np.diff(self.columns // 2) == 0
        paired = np.all((np.diff(its, axis=-1) == 0) | ~alike, axis=-1)
        found: np.ndarray = np.mean(fits, axis=-1)
        of_told = np.mean(fits[..., self.told], axis=-1) if self.told.any() else found
        return np.where(paired, np.minimum(found, of_told), found)

    @property
    def told(self) -> np.ndarray:
        """Which columns are seen to turn."""
        found: np.ndarray = self.error < abs(self.w)
        return found

    def many(self, its: np.ndarray) -> bool:
        """Say whether very many are known so well that few lines give them."""
        return bool(np.count_nonzero(self.error < CLEAR_WITHIN * abs(its)) >= MANY)


@lru_cache(maxsize=32)
def tables(d_model: int, base: float) -> tuple[list[tuple[str, str, bool]], np.ndarray, np.ndarray, np.ndarray]:
    """Return all lines that can be written for a width, what each gives, and a and b where ln w = a + b · ln base."""
    laws = list(written(Recipe(1, d_model, base)))
    once, twice = (
        np.log([values_of(law, d_model, math.e**k) if any_base else np.ones(d_model) for _, law, any_base in laws])
        for k in (1, 2)
    )
    return laws, np.stack([values_of(law, d_model, base) for _, law, _ in laws]), 2 * once - twice, twice - once


def fitting(
    recipe: Recipe, w: np.ndarray, error: np.ndarray, relative: float = 0.0, every: bool = False
) -> list[tuple[float, tuple[Line, ...]]]:
    """Return the lines that give frequencies measured column by column, with their cost; the plainest first.

    The frequencies are known but for whole turns, so what they are off for their size is taken from the line's. Unless
    `every` is asked for, none is looked for beside one that many columns agree on.
    """
    d_model = recipe.d_model
    columns = np.flatnonzero(error < 1.0)
    if not len(columns):
        return [(0.0, ())]
    measured = Measured(columns, w[columns], error[columns])
    laws, its, *_ = tables(d_model, recipe.base)
    its = its[:, columns]
    shares = measured.share(its, 1.5, np.minimum(relative * abs(its), 0.5))
    found: list[Fit] = []
    # so many columns have the frequencies of one line that no other can have made them; any one has a base and a step
    clear = d_model > 3 and len(set(columns[measured.told] // 2)) < 2
    for (code, law, _), share, its_own in zip(laws, shares, its, strict=True):
        if share >= NEEDED and np.all(np.isfinite(its_own)) and code not in OF_ONE:
            lines = law_lines(code, law)
            found.append((sum(line.cost for line in lines), lines, its_own))
            clear |= bool(not every and share > CLEAR and measured.many(its_own))
    # frequencies below 0 are whole turns less than those of a law, and tell nothing of its base
    backwards = bool(np.sum(measured.w[measured.told] > 0) < LEAST_SHARE * np.sum(measured.told))
    clear |= backwards
    plain = False  # so many columns have the frequencies of one base
    for code, law, line, its_own in _bases(recipe, measured) if not clear else ():
        if code and plain:
            break
        found.append((line.cost + bool(code), (*law_lines(code, law), line), its_own))
        plain |= bool(not code and not every and measured.many(measured.w))
        clear |= plain and line.cost < MEASURED
    found += () if clear else _stretched(recipe, measured)
    found += () if clear and not backwards else _of_one_number(recipe, measured)
    found.sort(key=lambda one: one[0])
    if every:
        return [(cost, lines) for cost, lines, _ in found]
    kept: list[tuple[float, tuple[Line, ...]]] = []
    plainer = np.zeros((0, len(columns)))
    for cost, lines, its_own in found:
        near = abs(plainer - its_own) <= 1e-6 * abs(its_own) + 0.02 * measured.error
        if len(lines) < 2 or not np.any(np.all(near, axis=1)):  # two lines that come to the same as one are not said
            kept.append((cost, lines))
            plainer = np.vstack([plainer, its_own])
    return kept


def _bases(recipe: Recipe, measured: Measured) -> Iterator[tuple[str, str, Line, np.ndarray]]:
    """Yield laws, bases or the width of another table that make them give these frequencies, and what they give."""
    d_model, (columns, w, error) = recipe.d_model, measured
    laws, _, a, b = tables(d_model, recipe.base)
    a, b = a[:, columns], b[:, columns]
    use = (w > 0) & (error < 0.2 * abs(w)) & (abs(b) > 1e-9)
    with np.errstate(all="ignore"):
        found = _agreed((np.log(w) - a) / b, error / w / abs(b), use)
    for (code, law, any_base), its_middle, its_spread, share in zip(laws, *found, strict=True):
        if not code and share > LEAST_SHARE and abs(its_middle - math.log(recipe.base)) < COARSELY:
            return  # nobody means a base so near the right one: the angles have drifted
        tried = [*PLAIN_BASES] if code == "inverse" else []  # frequencies above pi cannot be measured
        width = d_model * math.log(recipe.base) / its_middle if not code and abs(its_middle) > 1e-9 else 0.0
        loosely = 4 * its_spread / max(abs(its_middle), 1e-9) * width
        likely = 2 ** round(math.log2(max(width, 1)))  # as widths mostly are
        width = likely if abs(likely - width) <= loosely else round(width) if loosely < 1 else 0
        if share > LEAST_SHARE and 1 <= width <= WIDEST and width not in (d_model, 2 * d_model):
            other_width = f"base ** (-2 * (j // 2) / {width})"
            its = values_of(other_width, d_model, recipe.base)[columns]
            if measured.share(its, 1.5) >= NEEDED:
                words = {"width": width, "d_model": d_model}
                yield code, law, Line("w", f"w = {other_width}", "other-width", words=words, cost=1.3), its
        if any_base and share > LEAST_SHARE and abs(its_middle) < LARGEST_LOG:
            exact = math.exp(its_middle)
            loose = (10 if its_spread > 1e-4 else 4) * its_spread + 1e-12
            if its_spread > COARSELY:  # errors of types of few digits are not independent
                tried += [x for x in (round_number(exact, 0.05, 1), round_number(exact, 0.01, 2), exact) if x]
            plain = round_number(exact, loose, 4) or round_number(exact, float(its_spread), 5)
            tried.append(plain or round_number(exact, float(min(its_spread, 1e-11)), 10) or exact)
        for other in tried:
            if other < 1.001 or abs(math.log(other / recipe.base)) < 1e-9:  # no base makes frequencies grow
                continue
            its = values_of(law, d_model, other)[columns]
            if measured.share(its, 1.5) >= NEEDED:
                yield code, law, base_line(recipe, other), its


def base_line(recipe: Recipe, base: float) -> Line:
    """Return the line that gives another base."""
    log = math.log(recipe.base) or math.inf  # of 1, no power is another base
    plain, power = round_number(base, 1e-12, 4), math.log(base) / log
    why = {
        2.0: ", as exponents twice as large make it,",
        0.5: ", as exponents half as large make it,",
        round(1 / log, 9): ", as np.exp without the logarithm of the base makes it,",
    }
    how = why.get(round(power, 9), "") if base != PAPERS else ""
    words = {"found": "in effect " * (plain is None or how != "") + f"{base:.7g}{how}", "base": f"{recipe.base:g}"}
    cost = 0.9 if base == PAPERS else 1.1 if plain and digits(plain) < 3 else 1.3 if plain else MEASURED
    return Line("base", f"base = {base!r}", "base", words=words, cost=cost)


def _stretched(recipe: Recipe, measured: Measured) -> Iterator[Fit]:
    """Yield the lines in which all frequencies are multiplied by a number, under the given base or another."""
    columns, w, error = measured
    use = (w > 0) & (error < 0.1 * abs(w))
    if not use.any():
        return
    laws, its, *_ = tables(recipe.d_model, recipe.base)
    tried = [k for k, (code, _, any_base) in enumerate(laws) if any_base or code.startswith("no-division")]
    its = its[tried][:, columns]
    these = use & np.all((its > 0) | ~use, axis=1)[:, np.newaxis]
    with np.errstate(all="ignore"):
        slow = these & (its <= np.median(its[:, use], axis=1)[:, np.newaxis])
        steps, spreads = (x[:, np.newaxis] for x in _agreed(w / its, error / its, slow)[:2])
        turns = 2 * np.pi * np.rint((steps * its - w) / (2 * np.pi))  # that fast hands may have made beside
        steps, spreads, shares = _agreed(
            (w + turns) / its, error / its, these & ((turns == 0) | (spreads * its + error < SURELY))
        )
    for k in np.flatnonzero((shares > LEAST_SHARE) & (steps > 0) & (steps < LONGEST)).tolist():
        code, law, _ = laws[tried[k]]
        relative = max(float(spreads[k] / steps[k]), 1e-12)
        likely = islice(plain_steps(float(steps[k]), relative, recipe.length), 3 if relative > COARSELY else 1)
        for one, cost, shown in likely:
            named = not code and shown == "np.pi / 180"  # a line of its own
            if not named and abs(one - 1) > 1e-6 and measured.share(one * its[k]) >= NEEDED:
                lines = (*law_lines(code, law), step_line(one, cost, shown))
                yield 1.25 + cost + 1.5 * bool(code), lines, one * its[k]
    if use[0] and columns[0] == 0 and len(set(columns[use] // 2)) > 2:  # two pairs always have a step and a base
        one, cost, shown = plain_step(float(w[0]), float(error[0] / w[0]) + 1e-12, recipe.length)
        of_one = Measured(columns, w / one, error / one)
        for code, _, line, its_own in _bases(recipe, of_one) if abs(one - 1) > 1e-9 else ():
            if code:
                break
            yield line.cost + 1.25 + cost, (line, step_line(one, cost, shown)), one * its_own


def _of_one_number(recipe: Recipe, measured: Measured) -> Iterator[Fit]:
    """Yield the lines in which all frequencies are one number, also a plain whole one that whole turns hide."""
    columns, w, error = measured
    told = error < 0.1 * abs(w)
    if len(set(columns[told] // 2)) < 2:
        return
    one, spread, share = (float(x[0]) for x in _agreed(w[np.newaxis], error[np.newaxis], told[np.newaxis]))
    if share <= LEAST_SHARE or measured.share(np.full(len(w), one)) < NEEDED:
        return
    loose = 4 * spread + 1e-12
    found = [plain_step(one, max(spread / one, 1e-12), recipe.length)] if one > 0 else []
    hidden = abs(wrap(WHOLE - one)) <= loose if len(WHOLE) * loose < LEAST_SHARE else np.zeros(len(WHOLE), bool)
    found += [(float(n), 0.3, f"{n:.0f}") for n in WHOLE[hidden] if digits(n) < 3]
    for number, cost, shown in (one for one in found if abs(one[0] - 1) > 1e-6):
        line = _one_frequency(number, shown, 1.0 + cost)
        yield line.cost, (line,), np.full(len(w), number)


def _one_frequency(number: float, shown: str, cost: float) -> Line:
    return Line("w", f"w = {shown} + 0.0 * j", "one-frequency", words={"number": f"{number:.6g}"}, cost=cost)


def step_line(step: float, cost: float, shown: str) -> Line:
    """Return the line that multiplies positions, written as a plain number."""
    said = shown.replace("2 * np.pi", "2 pi").replace("np.pi", "pi")
    turn = f" That is {said}{', a whole turn' * (said == '2 pi')}." if "pi" in said or "/" in said else ""
    words = {"step": f"{step:.6g}", "turn": turn}
    return Line("angles", f"angles = {shown} * pos * w", "step", words=words, cost=1 + cost)


def _agreed(values: np.ndarray, errors: np.ndarray, use: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each row what most of its values agree on, how uncertain that is, and which share agrees."""
    values, weights = np.where(use, values, np.inf), np.where(use, 1 / errors, 0.0)
    order = np.argsort(values, axis=-1)
    heap = np.cumsum(np.take_along_axis(weights, order, -1), axis=-1)
    at = np.minimum((heap < heap[..., -1:] / 2).sum(axis=-1, keepdims=True), values.shape[-1] - 1)
    median = np.take_along_axis(np.take_along_axis(values, order, -1), at, -1)
    near = use & (abs(values - median) <= 4 * errors + 1e-12) & (weights > 1e-100)
    squares = np.where(near, weights, 0.0) ** 2
    total = squares.sum(axis=1)
    share = near.sum(axis=1) / np.maximum(use.sum(axis=1), 1)
    return (squares * np.where(near, values, 0.0)).sum(axis=1) / total, total**-0.5, share


def listed_line(w: np.ndarray) -> Line:
    """Return the line that holds the frequencies of pairs as they were measured."""
    listed = [float(f"{x:.15g}") for x in w]
    if len(listed) > 1 and len(set(listed)) == 1:
        return _one_frequency(listed[0], repr(listed[0]), 1.6)
    shown = ", ".join(f"{x:.4g}" for x in listed[:6]) + (", …" if len(listed) > 6 else "")
    like = "None of the known laws gives these as they stand. Whole turns may hide one, or they were drawn at random, "
    like += "as Fourier features are."
    if np.all(np.diff(w) < 0) or np.all(np.diff(w) > 0):
        like = "No law was found that gives these."
    with np.errstate(divide="ignore", invalid="ignore"):
        times = w[1:] / w[:-1]
        if len(times) > 1 and np.ptp(times) <= 1e-6 * abs(times).max() < np.inf:
            like = f"Each is {times[0]:.4g} times the one before."
        for whose, steps in (("Their divisors 1/w", np.diff(1 / w)), ("They", wrap(np.diff(w)))):
            if len(steps) > 1 and np.ptp(steps) <= 1e-6 * abs(steps).max() < np.inf:
                like = f"{whose} {'grow' if steps[0] > 0 else 'fall'} evenly, by {abs(steps[0]):.4g} from pair to pair."
    words = {"words": shown, "like": like}
    return Line("w", f"w = np.repeat({listed}, 2)[j]", "frequencies", words=words, cost=5)
