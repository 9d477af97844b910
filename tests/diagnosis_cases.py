"""Encodings that are right, and encodings that are wrong in known ways, each with the answers that are right for it.

Nothing here knows how the library tells them apart. The tables are written in plain NumPy from Vaswani et al. (2017),
section 3.5, and from the mistakes that people make in code. Where two causes give the same numbers at a size and a
precision, both are right answers: that is decided here, by comparing the numbers.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

# ------------------------------------------------------------------ frequencies, as people write them


def right(d, base):
    # Both columns of pair i have base**(-2i/d)
    w = base ** (-np.arange(0, d, 2) / d)
    return w, w


def column_as_pair(d, base):
    # The column is taken for the pair: base**(-2j/d)
    w = np.array([1 / base ** (2 * j / d) for j in range(d + d % 2)])
    return w[0::2], w[1::2]


def own_frequencies(d, base):
    # Each column has a frequency of its own, base**(-j/d)
    w = np.array([1 / base ** (j / d) for j in range(d + d % 2)])
    return w[0::2], w[1::2]


def exponent_doubled(d, base):
    # The even column is called i, and is doubled again
    w = np.array([1 / base ** (2 * i / d) for i in range(0, d, 2)])
    return w, w


def exponent_halved(d, base):
    # The 2 of 2i is forgotten
    w = 1 / base ** (np.arange((d + 1) // 2) / d)
    return w, w


def log10(d, base):
    # log10 stands where the natural logarithm belongs
    w = np.exp(np.arange(0, d, 2) * (-math.log10(base) / d))
    return w, w


def ln_under_power_of_ten(d, base):
    # The natural logarithm stands under a power of ten
    w = 1 / 10 ** (np.arange(0, d, 2) / d * math.log(base))
    return w, w


def xor(d, base):
    # `10^4` is 14 in Python
    del base
    w = (10 ^ 4) ** (-np.arange(0, d, 2) / d)
    return w, w


def inverse(d, base):
    # The divisors are already inverted, and divided by once more
    div = np.exp(np.arange(0, d, 2) * -(math.log(base) / d))
    return 1 / div, 1 / div


def all_one(d, base):
    # Integer division leaves 0 in every exponent
    w = np.array([1 / base ** (2 * i // d) if d > 2 * i else 1.0 for i in range((d + 1) // 2)])
    return w, w


def floor_log(d, base):
    # `-log(base) / d // 2` is the floor of a small negative number, -1
    w = np.exp(np.arange(0, d, 2) * (-math.log(base) / d // 2))
    return w, w


def cosine_exponent(d, base):
    # The cosines divide by d/2 where the sines divide by d
    i = np.arange((d + 1) // 2)
    return 1 / base ** (2 * i / d), 1 / base ** (2 * i / (d / 2))


def timescales(d, base):
    # The num_timescales-1 convention: from 1 to 1/base exactly
    w = np.exp(np.arange((d + 1) // 2) * -(math.log(base) / (d // 2 - 1)))
    return w, w


def pair_from_one(d, base):
    # The pairs are counted from 1
    w = np.array([1 / base ** (2 * i / d) for i in range(1, (d + 1) // 2 + 1)])
    return w, w


def degrees(d, base):
    # The angles are taken for degrees
    w = np.deg2rad(base ** (-np.arange(0, d, 2) / d))
    return w, w


def extra_column(d, base):
    # A table meant for the odd width d - 1, in which the last sine brings its cosine along
    w = 1 / base ** (np.arange(0, d - 1, 2) / (d - 1))
    return w, w


# what makes another base of the base, and can as well be done to a wrong rule
BASE_ONLY = {
    "exponent-doubled": exponent_doubled,
    "exponent-halved": exponent_halved,
    "log10": log10,
    "ln-under-power-of-ten": ln_under_power_of_ten,
    "xor": xor,
    "inverse": inverse,
    "all-one": all_one,
    "floor-log": floor_log,
}
RULES = {
    "column-as-pair": column_as_pair,
    "own-frequencies": own_frequencies,
    "cosine-exponent": cosine_exponent,
    "timescales": timescales,
    "pair-from-one": pair_from_one,
    "degrees": degrees,
    "extra-column": extra_column,
}
FREQUENCY_CODES = ["base", *BASE_ONLY, *RULES]
LAYOUT_CODES = ["halves", "cosines-first", "swapped"]
VARIANTS = {"halves", "cosines-first", "timescales"}  # right for the model, and said all the same


# ------------------------------------------------------------------ one encoding, from what is wrong with it


def bfloat16(values):
    """Round to the 8 leading bits that bfloat16 keeps, and hold them in float32."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


ROUNDED = {
    "float64": np.float64,
    "float32": lambda values: np.asarray(values, np.float32),
    "float16": lambda values: np.asarray(values, np.float16),
    "bfloat16": bfloat16,
}
EPSILON = {"float64": 2.2e-16, "float32": 1.2e-7, "float16": 9.8e-4, "bfloat16": 7.9e-3}


@dataclass(frozen=True)
class Encoding:
    """What a table is made of; the defaults make the paper's."""

    length: int
    d: int
    base: float = 10_000.0  # the one asked for
    rule: str = ""  # a key of RULES or BASE_ONLY, or "" for the formula as it stands
    used_base: float | None = None  # another one that was used in its place
    layout: str = "interleaved"
    start: int = 0
    scale: float = 1.0
    angles_in: str = "float64"
    dtype: str = "float64"
    zeroed: bool = False
    transposed: bool = False

    def frequencies(self):
        """Return those of the sines and those of the cosines."""
        rule = {**RULES, **BASE_ONLY}.get(self.rule, right)
        return rule(self.d, self.base if self.used_base is None else self.used_base)

    def numbers(self, rows=None):
        """Return some rows as they would be in float64, positions down and columns across, and their angles."""
        positions = self.start + np.arange(self.length)[slice(None) if rows is None else rows]
        angles = [positions[:, np.newaxis] * w for w in self.frequencies()]
        return lay_out(np.sin(angles[0]), np.cos(angles[1]), self.layout, self.d), lay_out(*angles, self.layout, self.d)

    def table(self):
        """Return the table as the code with these mistakes would."""
        rounded = ROUNDED[self.angles_in]
        positions = rounded(self.start + np.arange(self.length))[:, np.newaxis]
        sin_angles, cos_angles = (rounded(positions * rounded(w)) for w in self.frequencies())
        values = lay_out(rounded(np.sin(sin_angles)), rounded(np.cos(cos_angles)), self.layout, self.d)
        values = values.astype(np.float64) * self.scale
        if self.zeroed:
            values[0] = 0
        return np.ascontiguousarray(values.T if self.transposed else values, self.dtype)


def lay_out(sines, cosines, layout, d):
    """Put sines and cosines into their columns; where d is odd, the first kind has one more."""
    more, fewer = (d + 1) // 2, d // 2
    out = np.empty((len(sines), d), sines.dtype)
    if layout == "interleaved":
        out[:, 0::2], out[:, 1::2] = sines[:, :more], cosines[:, :fewer]
    elif layout == "swapped":
        out[:, 0::2], out[:, 1::2] = cosines[:, :more], sines[:, :fewer]
    elif layout == "halves":
        out[:, :more], out[:, more:] = sines[:, :more], cosines[:, :fewer]
    elif layout == "cosines-first":
        out[:, :more], out[:, more:] = cosines[:, :more], sines[:, :fewer]
    else:
        raise ValueError(layout)
    return out


# ------------------------------------------------------------------ which answers are right for it


def bases_with_a_name(d, base):
    """Return the bases that come of a known mistake."""
    named = {
        "exponent-doubled": base**2,
        "exponent-halved": math.sqrt(base),
        "log10": math.exp(math.log10(base)),
        "ln-under-power-of-ten": 10 ** math.log(base),
        "inverse": 1 / base,
        "all-one": 1.0,
    }
    if base == 10_000:
        named["xor"] = 14.0
    if math.log(base) / d < 2 and d < 300:  # else the floor is another one; beyond, e**d is too large for a float
        named |= {"floor-log": math.exp(d), "floor-log-pairs": math.exp(d / 2)}
    return named


def known_rules(d):
    """Return the rules that a table of this width can have been made with."""
    return {"": right, **{name: rule for name, rule in RULES.items() if d % 2 == 0 or name != "extra-column"}}


def right_answers(encoding: Encoding, generic: bool) -> frozenset[frozenset[str]]:
    """Return every set of codes that explains the numbers with no more causes than they were made with."""
    spec = encoding
    others = {spec.layout} - {"interleaved"} if spec.d > 2 else set()  # two columns have one layout
    others |= {"start"} if spec.start else set()
    others |= {"scale"} if spec.scale != 1 else set()
    others |= {"row-zeroed"} if spec.zeroed else set()
    others |= {"transposed"} if spec.transposed else set()
    made_with = frozenset({spec.rule} - {""}) | ({"base"} if spec.used_base is not None else set())
    frequencies = [frozenset()]
    if made_with:
        frequencies = [codes for codes in explanations_of_frequencies(spec, generic) if len(codes) <= len(made_with)]
    if frozenset() in frequencies:
        # nothing is wrong at this precision; where coarse angles hide it, what was done may be seen all the same
        frequencies = [frozenset()] + ([made_with] if spec.angles_in != "float64" else [])
    answers = {codes | others for codes in frequencies}
    if not made_with and (spec.d < 4 or spec.length < 3):  # too small to show which of these it is
        answers |= {frozenset(), frozenset(others - {"halves"}), frozenset(others - {"start"})}
    if spec.zeroed and spec.start == -1:
        answers |= {codes - {"start", "row-zeroed"} | {"row-blank-before"} for codes in answers}
    if spec.angles_in != "float64":
        exact, _ = spec.numbers()
        lost = np.abs(replace(spec, scale=1.0, zeroed=False, transposed=False).table() - exact).max()
        steps = lost / EPSILON[spec.dtype]
        visible = {codes | {"low-precision"} for codes in answers}
        if steps > 16 and lost > 4 * EPSILON["float32"]:
            answers = visible
        elif steps > 1:
            answers |= visible
    return frozenset(answers)


def explanations_of_frequencies(spec: Encoding, generic: bool) -> list[frozenset[str]]:
    """Return the sets of codes for frequencies that reproduce the numbers of `spec` within what its type can hold."""
    rows = np.arange(spec.length)
    if spec.length * spec.d > 20_000:
        rows = np.unique([*range(4), *np.linspace(0, spec.length - 1, 6).astype(int)])
    numbers, angles = spec.numbers(rows)
    size = np.abs(angles)
    allowed = 2 * EPSILON[spec.dtype] + 1e-12 + size * max(4e-15, 2 * EPSILON[spec.angles_in])
    sine, _ = spec.frequencies()
    found = []
    for name, rule in known_rules(spec.d).items():
        codes = frozenset({name} - {""})
        for base, cause in candidate_bases(spec, rule, sine):
            candidate = replace(spec, rule=name, used_base=base).numbers(rows)[0]
            if np.all(np.abs(candidate - numbers) <= allowed):
                found.append(codes | cause)
    made_with = frozenset({spec.rule} - {""}) | ({"base"} if spec.used_base is not None else set())
    unnamed = {"base", "other-width"}
    if not generic and any(not codes & unnamed for codes in [*found, made_with]):
        found = [codes for codes in found if not codes & unnamed]  # a cause that has a name is to be called by it
    return [*found, made_with]


def candidate_bases(spec: Encoding, rule: Callable, sine: np.ndarray) -> Iterator[tuple[float, frozenset[str]]]:
    """Yield the base asked for, the bases with a name, and the one that fits the second sine under this rule."""
    yield spec.base, frozenset()
    pair = 1 if len(sine) > 1 else 0
    unit = rule(spec.d, 1.0)[0][pair]
    exponent = -math.log(rule(spec.d, math.e)[0][pair] / unit)
    fitting = None
    if exponent > 0:
        log_base = -math.log(sine[pair] / unit) / exponent
        fitting = math.exp(log_base) if abs(log_base) < 300 else None
    for code, base in bases_with_a_name(spec.d, spec.base).items():
        if fitting is not None and abs(math.log(base) - math.log(fitting)) < 0.1:
            yield base, frozenset({code})
    if fitting is not None and abs(math.log(fitting) - math.log(spec.base)) > 1e-9:
        yield fitting, frozenset({"base"})
        width = round(spec.d * math.log(spec.base) / math.log(fitting)) if fitting > 1.000001 else 0
        if 0 < width < 10_000:  # the base asked for, in exponents that are divided by the width of another table
            code = "missing-column" if width == spec.d + 1 and spec.d % 2 else "other-width"
            yield spec.base ** (spec.d / width), frozenset({code})


# ------------------------------------------------------------------ cases


@dataclass(frozen=True)
class Case:
    """A table, what it was made with, and the sets of codes that are right for it."""

    name: str
    matrix: np.ndarray = field(repr=False)
    base: float
    causes: tuple[str, ...]
    answers: frozenset[frozenset[str]]
    encoding: Encoding | None = None


def case_of(encoding: Encoding) -> Case:
    causes = [encoding.rule] * bool(encoding.rule) + ["base"] * (encoding.used_base is not None)
    causes += [encoding.layout] * (encoding.layout != "interleaved") + ["start"] * bool(encoding.start)
    causes += (
        ["scale"] * (encoding.scale != 1) + ["row-zeroed"] * encoding.zeroed + ["transposed"] * encoding.transposed
    )
    causes += ["low-precision"] * (encoding.angles_in != "float64")
    name = f"{' + '.join(causes) or 'right'}: {encoding}"
    answers = right_answers(encoding, generic="base" in causes)
    return Case(name, encoding.table(), encoding.base, tuple(causes), answers, encoding)


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def random_size(rng, smallest, largest):
    """Return a whole number, small ones more often than large ones."""
    return min(largest, int(log_uniform(rng, smallest, largest + 1)))


def random_dtype(rng):
    return str(rng.choice(["float64", "float32", "float16"], p=[0.4, 0.4, 0.2]))


FARTHEST = 1e6  # the first positions that are tried; a table that starts beyond is asked less of


def random_start(rng):
    kind = rng.integers(3)
    if kind == 0:
        return int(rng.choice([1, 2, -1, 512]))
    if kind == 1:
        return int(rng.integers(-600, 601)) or 1
    return int(rng.choice([-1, 1]) * log_uniform(rng, 1, FARTHEST))


def right_cases(count: int, seed: int, largest=(600, 1024)) -> Iterator[Case]:
    """Yield tables that are right: any shape, base, type, layout and first position."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        base = float(rng.choice([10_000.0, 10_000.0, 100.0, 500_000.0, log_uniform(rng, 2, 1e6)]))
        yield case_of(
            Encoding(
                length=random_size(rng, 1, largest[0]),
                d=random_size(rng, 1, largest[1]),
                base=base,
                layout=str(rng.choice(["interleaved", "halves"])),
                start=random_start(rng) if rng.random() < 0.4 else 0,
                dtype=random_dtype(rng),
            )
        )


GROUPS = {
    "frequency": [*FREQUENCY_CODES, "base", "base"],
    "layout": LAYOUT_CODES,
    "start": ["start"],
    "scale": ["scale"],
    "row": ["row-zeroed"],
    "orientation": ["transposed"],
    "precision": ["low-precision"],
}
ALONE = ["same-row", "integers"]


def wrong_cases(count: int, seed: int, largest=(600, 1024), combined=(0.45, 0.35, 0.20)) -> Iterator[Case]:
    """Yield tables with one mistake, two or three; every known one alone comes first, again and again."""
    rng = np.random.default_rng(seed)
    alone = [code for codes in GROUPS.values() for code in dict.fromkeys(codes)] + ALONE
    for number in range(count):
        how_many = int(rng.choice([1, 2, 3], p=combined))
        if how_many == 1:
            yield wrong_case([alone[number % len(alone)]], rng, largest)
        else:
            groups = rng.choice(list(GROUPS), how_many, replace=False, p=np.array([3, 2, 2, 2, 1, 1, 1]) / 12)
            yield wrong_case([str(rng.choice(GROUPS[group])) for group in groups], rng, largest)


def wrong_case(codes: list[str], rng: np.random.Generator, largest=(600, 1024)) -> Case:
    """Return a table of random size with these mistakes."""
    length, d, dtype = random_size(rng, 3, largest[0]), random_size(rng, 4, largest[1]), random_dtype(rng)
    base = 10_000.0 if rng.random() < 0.7 else float(rng.choice([100.0, 1000.0, 500_000.0, log_uniform(rng, 50, 1e6)]))
    if set(codes) & {"xor", "log10", "ln-under-power-of-ten"}:
        base = 10_000.0
    if set(codes) & {"timescales", "extra-column", "cosines-first", "swapped", "cosine-exponent"}:
        d += d % 2
    if "floor-log" in codes:
        d = max(d, math.floor(math.log(base) / 2) + 1)
    spec = Encoding(length, d, base, dtype=dtype)
    if codes[0] == "same-row":
        return same_row(spec, int(rng.integers(0, 50)))
    if codes[0] == "integers":
        return integers(spec, rng)
    return case_of(
        replace(spec, **{key: value for code in codes for key, value in changed(code, spec, codes, rng).items()})
    )


def changed(code: str, spec: Encoding, codes: list[str], rng: np.random.Generator) -> dict:
    """Return what is to be changed in an encoding for one mistake."""
    if code in LAYOUT_CODES:
        return {"layout": code}
    if code == "base":
        return {"used_base": another_base(rng, spec.base)}
    if code == "start":
        if "low-precision" in codes:  # far from 0, coarse angles tell nothing any more
            return {"start": int(rng.choice([1, 1, 2, 3, -1, 10]))}
        return {"start": int(rng.choice([1, 1, 2, 3, -1, 10, 100, int(rng.integers(-60, 250)) or 7]))}
    if code == "scale":
        return {"scale": float(rng.choice([spec.d**-0.5, (2 / spec.d) ** 0.5, spec.d**0.5, 2.0, 0.5, 0.1, 10.0, 0.8]))}
    if code in ("row-zeroed", "transposed"):
        return {{"row-zeroed": "zeroed"}.get(code, code): True}
    if code == "low-precision":
        return low_precision(spec, rng, coarse="inverse" not in codes)
    return {"rule": code}


def low_precision(spec: Encoding, rng: np.random.Generator, coarse: bool) -> dict:
    """Choose a type for the angles that is no finer than the table's own; a coarse one cannot hold large angles."""
    choices = {"float64": ["float32"], "float32": ["float32"], "float16": []}[spec.dtype]
    if coarse:
        choices = choices + ["bfloat16"] + ["float16"] * (spec.dtype != "float16")
    if not choices:
        return {"angles_in": "float32", "dtype": "float32"}
    return {"angles_in": str(rng.choice(choices))}


def another_base(rng, base):
    while True:
        other = float(rng.choice([1000.0, 100_000.0, 500_000.0, 5000.0, log_uniform(rng, 2, 1e8)]))
        if abs(math.log(other / base)) > 0.1:
            return other


def same_row(spec: Encoding, position: int) -> Case:
    """Return a table whose rows are all that of one position."""
    row, _ = replace(spec, length=1, start=position).numbers()
    answers = {frozenset({"same-row"})} | ({frozenset({"same-row", "start"})} if position else set())
    matrix = np.repeat(row, spec.length, axis=0).astype(spec.dtype)
    return Case(f"same-row {position}: {spec}", matrix, spec.base, ("same-row",), frozenset(answers))


def integers(spec: Encoding, rng: np.random.Generator) -> Case:
    """Return a table that was assigned into an array of integers, or rounded."""
    values, _ = spec.numbers()
    table = np.zeros(values.shape, int)
    table[:] = values if rng.random() < 0.6 else np.round(values)
    dtype = str(rng.choice(["int64", "int32", "float32", "float64"]))
    answers = {frozenset({"integers"})}
    if not table[1:].any():  # just so looks a table of which only row 0 was ever filled
        answers.add(frozenset({"rows-zeroed"}))
    return Case(f"integers {dtype}: {spec}", table.astype(dtype), spec.base, ("integers",), frozenset(answers))


# ------------------------------------------------------------------ how an answer is judged


def verdict(case, diagnosis) -> str:
    """Return "rightly", "undecided" or "wrongly" for what was said of a case.

    Rightly: all causes are named and nothing else is. Where several sets of causes give the numbers, naming one of the
    sets is right, and so is naming some as undecided as long as two of the sets can be chosen from them, or the others
    are a base or a factor that has no name. A note that a table is too small to show something is right for small
    tables alone.
    """
    codes = {(finding.code, finding.kind) for finding in diagnosis.findings}
    if shows_little(case):
        codes.discard(("too-small", "note"))
    said = {code for code, kind in codes if kind != "undecided"}
    perhaps = {code for code, kind in codes if kind == "undecided"}
    if not perhaps:
        return "rightly" if said in case.answers else "wrongly"
    within = [codes for codes in case.answers if said <= codes <= said | perhaps]
    if len(within) > 1 or any(perhaps - codes <= {"base", "other-width", "step"} for codes in within):
        return "rightly"
    return "undecided" if any(said <= codes for codes in case.answers) else "wrongly"


def shows_little(case) -> bool:
    """Say whether there are too few rows or columns, or too many that are equal, to recover everything."""
    if not isinstance(case, Case):
        return case.code in WITH_PADDING  # of short sequences only a row or two may be left
    return case.encoding is None or case.encoding.length < 3 or case.encoding.d < 4


# ------------------------------------------------------------------ sums


def paper(length, d, base=10_000.0, positions=None):
    """Fill the table of the paper by slices; d is even."""
    positions = np.arange(length) if positions is None else positions
    angles = positions[:, np.newaxis] * base ** (-np.arange(0, d, 2) / d)
    table = np.empty((len(positions), d))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def says(*codes):
    return frozenset(codes)


@dataclass(frozen=True)
class SumCase:
    """Embeddings, what came out for them, and the sets of codes that are right for it."""

    name: str
    code: str  # how it was made
    x: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    base: float
    answers: frozenset[frozenset[str]]


def padded(x, rng):
    """Return `x` with zeros where sequences of random lengths are padded, and the mask; one sequence is full."""
    mask = np.ones(x.shape[:-1])
    if x.ndim == 3:
        lengths = rng.permutation([x.shape[1], *rng.integers(1, x.shape[1], len(x) - 1)])
        mask = (np.arange(x.shape[1]) < lengths[:, np.newaxis]).astype(float)
        if mask[-1].all():  # so that the last mask, taken for all, shows
            mask = mask[::-1].copy()
    else:
        mask[rng.integers(1, len(x)) :] = 0
    return x * mask[..., np.newaxis], mask


def last_mask_for_all(x, pe, mask):
    """Add the encoding by a loop that writes one table anew for every sequence: the last one's mask stays."""
    for of_one in mask:
        masked = pe * of_one[:, np.newaxis]
    return x + masked


# each from the embeddings x, the encoding pe and, where there is padding, the mask
SUM_CODES = {
    "embeddings-scaled": lambda x, pe: x * math.sqrt(x.shape[-1]) + pe,
    "sentence-as-position": lambda x, _: x + paper(len(x), x.shape[-1])[:, np.newaxis, :],
    "multiplied": lambda x, pe: x * pe,
    "concatenated": lambda x, pe: np.concatenate([x, np.broadcast_to(pe, x.shape)], axis=-1),
    "added-twice": lambda x, pe: (x + pe) + pe,
    "not-added": lambda x, _: x.copy(),
}
WITH_PADDING = {
    "masked": lambda x, pe, mask: x + pe * mask[..., np.newaxis],
    "padding-not-masked": lambda x, pe, _: x + pe,
    "one-mask-for-all": last_mask_for_all,
}


def sum_with(code, x, pe, rng):
    """Return x and y as the code with this mistake makes them; `pe` is the encoding to be added."""
    if code in WITH_PADDING:
        x, mask = padded(x, rng)
        return x, WITH_PADDING[code](x, pe, mask)
    return x, SUM_CODES.get(code, np.add)(x, pe)


OF_THE_TABLE = ["halves", "swapped", "base", "start", "column-as-pair", "exponent-doubled", "scale", "cosine-exponent"]


def sum_cases(count: int, seed: int) -> Iterator[SumCase]:
    """Yield right sums (with masks, too), each way to go wrong, and sums of encodings that are wrong themselves."""
    rng = np.random.default_rng(seed)
    codes = ["right", *WITH_PADDING, *SUM_CODES, *OF_THE_TABLE]
    for number in range(count):
        code = codes[number % len(codes)]
        batch, length, d = int(rng.integers(2, 7)), random_size(rng, 4, 60), 2 * random_size(rng, 3, 64)
        if code == "sentence-as-position" and rng.random() < 0.5:
            length = batch = max(batch, 4)  # silent: the shapes fit
        alone = code not in ("sentence-as-position", "one-mask-for-all") and rng.random() < 0.4
        x = rng.normal(scale=rng.choice([0.05, 1.0]), size=(length, d) if alone else (batch, length, d))
        pe = paper(length, d)
        answers = {says()} if code in ("right", "masked") else {says(code)}
        if code in OF_THE_TABLE:
            wrong = of_the_table(code, length, d, rng)
            pe, answers = wrong.matrix, wrong.answers
        x, y = sum_with(code, x, pe, rng)
        dtype = str(rng.choice(["float64", "float32"]))
        yield SumCase(
            f"{number} {code} {x.shape} {dtype}", code, x.astype(dtype), y.astype(dtype), 10_000.0, frozenset(answers)
        )


def of_the_table(code, length, d, rng):
    changes = {"scale": 0.5} if code == "scale" else changed(code, Encoding(length, d), [code], rng)
    return case_of(replace(Encoding(length, d), **changes))
