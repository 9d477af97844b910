"""Frame a guess: how its columns stood, what its numbers were multiplied by, where it begins; and try it quickly."""

import math
from dataclasses import replace

import numpy as np

from pe_lib.diagnosis.measure import SOME, Sight, evenly, narrowed
from pe_lib.diagnosis.plain_numbers import digits, round_number
from pe_lib.diagnosis.positions import position_lines
from pe_lib.diagnosis.recipe import ERRORS, Line, Recipe

HALVES = Line("order", "matrix = np.hstack([matrix[:, 0::2], matrix[:, 1::2]])", "halves", "variant", cost=0.5)
COSINES_FIRST = replace(HALVES, code="matrix = np.hstack([matrix[:, 1::2], matrix[:, 0::2]])", finding="cosines-first")
EXCHANGED = Line("order", "matrix = matrix[:, j ^ 1]", "swapped")
ORDERS = {"interleaved": None, "halves": HALVES, "cosines-first": COSINES_FIRST, "swapped": EXCHANGED}
SWAPPED = Line("matrix", "matrix = np.where(j % 2 == 0, np.cos(angles), np.sin(angles))", "swapped")
TRANSPOSED = Line("turned", "matrix = matrix.T", "transposed")
ROPE = {"sines-alone": "sines", "cosines-alone": "cosines", "no-sines": "angles"}  # what a cache may hold
TYPES = 1e-4, 0.01  # errors that types of few digits bring
LEAST_TOLD = 0.05  # numbers below tell little about a scale
ROUNDED_ONE = 1e-5  # so near 1 is no scale of rounded numbers: one of them was rounded the other way
CELLS = 16  # of a trial are enough to refuse most recipes by
Guess = tuple[Sight, Recipe]


class Trial:
    """Some rows and columns of a target, against which recipes are tried quickly."""

    def __init__(self, sight: Sight, noise: float | None = None) -> None:
        self.noise = sight.noise if noise is None else noise
        self.rows, self.columns = sight.some
        self.wanted = sight.target[np.ix_(self.rows, self.columns)]
        self.cells = np.linspace(0, len(self.rows) - 1, CELLS).astype(int), np.arange(CELLS) % len(self.columns)

    def near(self, recipe: Recipe, needed: float = 0.75) -> bool:
        """Say whether a recipe gives enough of the numbers."""
        try:
            names = recipe.names(self.rows, self.columns)
        except ERRORS:
            return False
        return self.agrees(names["matrix"], names["w"], needed)

    def agrees(self, made: np.ndarray, w: np.ndarray, needed: float) -> bool:
        """Say whether enough of the numbers are these, which columns of some frequencies give."""
        with np.errstate(all="ignore"):
            room = 8 * self.noise + 4e-6 * (1 + abs(w) * (1 + self.rows[:, np.newaxis]))
            fits = abs(made - self.wanted) <= np.fmin(room, 0.3 + 8 * self.noise)
        share = np.count_nonzero(fits) / fits.size
        if share < needed:
            return False
        told = np.ptp(self.wanted, axis=0) > 20 * np.nanmax(room)
        return bool(not told.any() or np.mean(fits[:, told]) >= needed - 0.15)


def framed(recipe: Recipe, sight: Sight) -> Recipe:
    """Return the recipe with the lines of its sight: how columns stood, what numbers were multiplied by, which way."""
    swapped = [line for line in recipe.changed if line.finding == "swapped"]
    if swapped:
        recipe = recipe.with_(*(_exchanged(line) for line in recipe.changed if line.slot == "w"))
    lines, seen = [], recipe  # as the sight has its columns
    recipe, halves = _as_cache(recipe, sight)
    downwards = [line for line in recipe.changed if line.finding == "pairs-reversed"]
    if swapped and downwards and sight.layout == "interleaved" and recipe.d_model % 2 == 0:
        recipe = recipe.without(*swapped, *downwards)
        lines.append(Line("order", "matrix = matrix[:, ::-1]", "columns-reversed"))
    if sight.layout == "halves":
        if swapped and recipe.d_model % 2 == 0:
            recipe = recipe.without(*swapped)
            lines.append(COSINES_FIRST)
        elif swapped:  # there is one cosine more than there are sines
            recipe = recipe.with_(replace(SWAPPED, finding=COSINES_FIRST.finding, kind="variant"))
            lines.append(replace(HALVES, finding=""))
        else:
            lines.append(halves)
    elif line := ORDERS[sight.layout]:
        lines.append(line)
    lines += scale_lines(seen, sight)
    if sight.turned:
        lines.append(TRANSPOSED)
    return recipe.with_(*lines)


def _as_cache(recipe: Recipe, sight: Sight) -> tuple[Recipe, Line]:
    """Return the recipe with its lines told as those of a RoPE cache, if it makes one; and the line for halves."""
    for function, how in ROPE.items():
        kept = [line for line in recipe.changed if line.finding in ("columns-repeat", function)]
        alone = sight.layout == "halves" and recipe.d_model % 2 == 0 and [line.finding for line in kept] == [function]
        if len(kept) == 2 or alone:
            cache = (replace(line, finding="rope-cache", words={"how": how}) for line in kept)
            return recipe.with_(*cache), replace(HALVES, finding="") if alone else HALVES
    return recipe, HALVES


def _exchanged(line: Line) -> Line:
    """Return a line of frequencies with what is said of sines said of cosines."""
    names = {"sine": "cosine", "cosine": "sine"}
    first, dash, rest = line.finding.partition("-")
    return replace(line, finding=names.get(first, first) + dash + rest)


def scale_lines(recipe: Recipe, sight: Sight) -> list[Line]:
    """Return the lines for scale and offset, both measured anew against what the recipe makes."""
    length, d_model = sight.target.shape
    if sight.scale == 1.0 and sight.offset == 0.0:
        return []
    rows, columns = evenly(length, SOME * (8 if sight.half else 1)), evenly(d_model, SOME)
    try:
        made = np.asarray(recipe.run(rows, columns), float)
    except ERRORS:
        return []
    target = sight.target[np.ix_(rows, columns)]
    given = target * sight.scale + sight.offset
    use = (abs(target - made) <= 8 * sight.noise + 1e-3) & (target != -sight.offset / sight.scale)
    if use.sum() < 2 or not (abs(made[use]) > LEAST_TOLD).any():
        return []
    if sight.cut and (moving := use & (abs(abs(made) - 0.5) < 0.48)).sum() > CELLS:
        use = moving  # slow columns are cut off the same way over and over
    x, y = made[use], given[use]
    scale, offset = float(x @ y / (x @ x)), 0.0
    if sight.offset:
        scale, offset = (float(k) for k in np.linalg.lstsq(np.column_stack([x, np.ones(len(x))]), y, rcond=None)[0])
    loose = max(4 * sight.noise / math.sqrt(len(x)), 3e-8 if sight.noise > 1e-9 else 1e-12)
    room = sight.half * (1 + 1e-9) + 1e-12
    least, most = narrowed(y - x, np.ones(len(x)), room) if sight.offset else narrowed(y, x, room)
    if sight.half and not sight.cut and least <= most:
        middle, loose = float(least + most) / 2, float(most - least) / 2
        scale, offset, loose = (1.0, middle, loose) if sight.offset else (middle, 0.0, loose / max(abs(middle), 1e-300))
    elif TYPES[0] < sight.noise < TYPES[1]:
        loose = max(loose, sight.noise / 4)  # such errors are not independent
    lines = []
    if abs(scale - 1) > max(loose, ROUNDED_ONE * bool(sight.half)):
        lines.append(_scale_line(scale, loose, d_model, bool(sight.half), bool(sight.offset)))
    if abs(offset) > loose * abs(scale):
        shown = round_number(abs(offset), loose * abs(scale / offset), 6) or abs(offset)
        about = "About " if sight.half and digits(shown) > 1 else ""
        words = {"what": f"{about}{math.copysign(shown, offset):.6g}"}
        lines.append(Line("values", f"matrix = matrix {'+' if offset > 0 else '-'} {shown!r}", "offset", words=words))
    return lines


def _scale_line(scale: float, loose: float, d_model: int, rounded: bool, shifted: bool) -> Line:
    length = ", which is sqrt(2/d_model)" + " and gives every row the length 1" * (d_model % 2 == 0)
    for code, number, words in (
        ("2 * matrix", 2.0, ", as if the encoding had been added twice"),
        ("-matrix", -1.0, ""),
        ("127.5 * matrix", 127.5, ", as for bytes"),
        ("matrix / np.sqrt(d_model)", d_model**-0.5, ", which is 1/sqrt(d_model)"),
        ("np.sqrt(2 / d_model) * matrix", math.sqrt(2 / d_model), length),
        (
            "np.sqrt(d_model) * matrix",
            math.sqrt(d_model),
            ", which is sqrt(d_model), by which the paper multiplies embeddings",
        ),
    ):
        by_width = "d_model" in code  # which a shift beside it makes a chance
        if abs(scale - number) <= (2 - rounded) * loose * abs(number) and not (shifted and by_width):
            named = {"scale": f"{number:.6g}", "words": words, "number": number}
            return Line("values", f"matrix = {code}", "scale", words=named)
    plain = math.copysign(round_number(abs(scale), max(loose, 1e-12), 6) or abs(scale), scale)
    divisor = round_number(abs(1 / scale), max(loose, 1e-12), 2)
    if divisor and digits(plain) > 3:
        divisor = math.copysign(divisor, scale)
        its = "about " * (rounded and digits(divisor) > 1) + f"{1 / divisor:.6g}"
        by = {"scale": its, "words": f", or divided by {divisor:g}", "number": 1 / divisor}
        return Line("values", f"matrix = matrix / {divisor!r}", "scale", words=by)
    about = {"scale": "about " * (rounded and digits(plain) > 1) + f"{plain:.6g}", "words": "", "number": plain}
    return Line("values", f"matrix = {plain!r} * matrix", "scale", words=about)


def started(recipe: Recipe, start: float) -> Recipe:
    """Return the recipe with a first position."""
    line = position_lines(start + np.arange(recipe.length))
    if line and recipe.length == 1:
        one_of_many = start != round(start) and recipe.d_model < 4  # any two numbers on the circle are some position's
        line = replace(line, kind="undecided" if one_of_many else line.kind, cost=1.0)
    return recipe.with_(line) if line else recipe
