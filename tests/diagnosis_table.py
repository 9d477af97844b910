"""Wrong encodings, each as the line of NumPy that makes it, and what has to be said of it.

An entry is `name: (line, codes)`. A line makes `matrix`, or changes the names that the lines of the paper's encoding
make: `pos`, `w`, `a` (the angles, one column for each pair), `matrix`; with `;` between statements. Codes are those of
all findings but notes; one of several sets will do where causes make the same numbers.
"""

from functools import cache
from typing import Any

import numpy as np

from pe_diagnosis import Diagnosis, diagnose

PAPER = {
    "pos": "np.arange(L)[:, None] * 1.0",
    "w": "10_000.0 ** (-2 * np.arange(d // 2) / d)",
    "a": "pos * w",
    "matrix": "pairs(np.sin(a), np.cos(a))",
}

# From the catalogue of bugs and variants seen in public programs.
FREQUENCIES = {
    "the column taken for the pair": ("matrix = waves(pos * 10_000.0 ** (-2 * J / d))", {"column-as-pair"}),
    "each column its own": ("matrix = waves(pos * 10_000.0 ** (-J / d))", {"own-frequencies"}),
    "2i doubled": ("w = 10_000.0 ** (-4 * I / d)", {"exponent-doubled"}),
    "2 forgotten": ("w = 10_000.0 ** (-I / d)", {"exponent-halved"}),
    "base 1000": ("w = 1000.0 ** (-2 * I / d)", {"base"}),
    "base 500": ("w = 500.0 ** (-2 * I / d)", {"base"}),
    "log10 under exp": ("w = np.exp(-2 * I / d * 4)", {"log10"}),
    "ln under a power of ten": ("w = 10 ** (-2 * I / d * np.log(10_000))", {"ln-under-power-of-ten"}),
    "10 ^ 4": ("w = (10 ^ 4) ** (-2 * I / d)", {"xor"}),
    "upside down": ("w = 10_000.0 ** (2 * I / d)", {"inverse"}),
    "integer division": ("w = 1 / 10_000.0 ** (2 * I // d)", {"all-one"}),
    "floor of a quotient": ("w = np.exp(2 * I * (-np.log(10_000) / d // 2))", {"floor-log"}),
    "d/2 in the cosine": ("matrix = pairs(np.sin(a), np.cos(pos * w**2))", {"cosine-exponent"}),
    "d/2 in the sine": ("matrix = pairs(np.sin(pos * w**2), np.cos(a))", {"sine-exponent"}),
    "pairs counted from 1": ("w = 10_000.0 ** (-2 * (I + 1) / d)", {"pair-from-one"}),
    "not divided by d": ("w = 10_000.0 ** (-2.0 * I)", {"no-division"}),
    "divided by d - 1": ("w = 10_000.0 ** (-2 * I / (d - 1))", {"extra-column"}),
    "divided outside": ("w = d / 10_000.0 ** (2.0 * I)", {"precedence"}),
    "base and exponent exchanged": ("w = (2 * I / d) ** 1e-4", {"power-exchanged"}),
    "2 pi/L added": ("w = w + 2 * np.pi / L", {"frequency-added"}),
    "pairs backwards": ("w = w[::-1]", {"pairs-reversed"}),
    "evenly": ("w = np.linspace(1, 1e-4, d // 2)", {"evenly"}),
    "octaves": ("w = 2.0**I * np.pi / L", {"octaves"}),
    "a star for a power": ("w = 2 * I / d / 10_000", {"multiplied-exponent"}),
    "divisors rounded down": ("w = 1 / np.floor(10_000.0 ** (2 * I / d) + 1e-9)", {"divisors-floored"}),
    "base 10001": ("w = 10_001.0 ** (-2 * I / d)", {"base"}),
    "another width": ("w = 10_000.0 ** (-2 * I / 512)", {"other-width"}),
    "a narrower table, filled up": (
        "w = 10_000.0 ** (-2 * I / (d - d // 4)); matrix = matrix * (J < d - d // 4)",
        {"other-width", "columns-empty"},
    ),
    "frequencies rounded": ("w = w.round(2)", {"frequencies-rounded"}),
}
LAYOUTS = {
    "swapped": ("matrix = pairs(np.cos(a), np.sin(a))", {"swapped"}),
    "halves, j/d": (
        "matrix = np.hstack([np.sin(a**1), np.cos(pos * w * 10_000 ** (-1 / d))])",
        {"own-frequencies", "halves"},
    ),
    "sines alone": ("matrix = pairs(np.sin(a), np.sin(a))", {"sines-alone"}),
    "cosines alone": ("matrix = pairs(np.cos(a), np.cos(a))", {"cosines-alone"}),
    "RoPE's cosines": ("matrix = np.hstack([np.cos(a), np.cos(a)])", {"rope-cache"}),
    "minus sines": ("matrix = pairs(-np.sin(a), np.cos(a))", {"sign"}),
    "minus cosines": ("matrix = pairs(np.sin(a), -np.cos(a))", {"sign"}),
    "cosines, then minus sines": ("matrix = np.hstack([np.cos(a), -np.sin(a)])", {"sign"}),
    "cosines written over the sines": (
        "matrix = np.cos(pos * 10_000.0 ** (-2 * J / d))",
        {"cosines-alone", "column-as-pair"},
    ),
    "sines written over the cosines": (
        "matrix = np.sin(pos * 10_000.0 ** (-2 * J / d)) * (J < d // 2); matrix[:, d // 2] = np.cos(a[:, -1])",
        {"overwritten"},
    ),
    "all negated": ("matrix = -matrix", {"all-negated"}),
    "transposed": ("matrix = matrix.T", {"transposed"}),
    "stacked below": ("matrix = np.concatenate([np.sin(a), np.cos(a)])", {"rearranged", "halves"}),
    "reshaped": ("matrix = matrix.reshape(d, L)", {"rearranged"}),
    "columns backwards": ("matrix = matrix[:, ::-1]", {"columns-reversed"}),
    "rolled": ("matrix = np.roll(matrix, 1, axis=1)", {"columns-rolled"}),
    "the same table twice": ("matrix = np.hstack([matrix[:, : d // 2]] * 2)", {"tiled"}),
}
POSITIONS = {
    "degrees": ("pos = np.radians(pos)", {"degrees"}),
    "divided by L": ("pos = pos / L", {"divided-positions"}),
    "from 0 to 1": ("pos = pos / (L - 1)", {"divided-positions"}),
    "times 2 pi": ("pos = pos * 2 * np.pi", {"step"}),
    "from a third": ("pos = pos + 1 / 3", {"start"}),
    "backwards": ("pos = pos[::-1]", {"reversed"}),
    "a count down": ("pos = -pos", {"reversed"}),
    "one row for all": ("pos = 0 * pos + 3", {"same-row"}),
    "each twice": ("pos = pos // 2", {"rows-repeated"}),
    "starts again": ("pos = pos % 7", {"positions-restart"}),
    "one missing": ("pos = pos + (pos >= 5)", {"rows-missing"}),
    "one twice": ("pos = pos - (pos > 4)", {"row-twice"}),
    "squares": ("pos = pos**2", {"other-positions"}),
    "roots": ("pos = np.sqrt(pos)", {"other-positions"}),
    "shuffled": ("pos = np.random.default_rng(0).permutation(pos)", {"rows-out-of-order"}),
}
VALUES = {
    "twice as large": ("matrix = 2 * matrix", {"scale"}),
    "over the root of d": ("matrix = matrix / np.sqrt(d)", {"scale"}),
    "a quarter of it, and a half": ("matrix = (matrix + 2) / 4", {"scale-offset"}),
    "a third of it": ("matrix = matrix / 3", {"scale"}),
    "a third added": ("matrix = matrix + 1 / 3", {"offset"}),
    "its mean subtracted": ("matrix = matrix - matrix.mean()", {"offset"}),
    "1 added": ("matrix = matrix + 0.25", {"offset"}),
    "integers": ("matrix = np.trunc(matrix)", {"integers"}),
    "an image of it": ("matrix = np.trunc((matrix + 1) * 127.5)", {"integers"}),
    "absolute values": ("matrix = np.abs(matrix)", {"signs-lost"}),
    "tangents": ("matrix = pairs(np.tan(a), np.cos(a))", {"tangents"}),
    "cosines forgotten": ("matrix = pairs(np.sin(a), 0 * a)", {"columns-empty"}),
    "angles": ("matrix = pairs(a, a)", {"no-sines"}),
    "cut off": ("matrix = np.maximum(matrix, 0)", {"clipped"}),
    "layer norm": ("matrix = (matrix - matrix.mean(1, keepdims=True)) / matrix.std(1, keepdims=True)", {"normalised"}),
    "rows of length 1": ("matrix = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)", {"scale"}),
    "running sums": ("matrix = np.cumsum(matrix, axis=0)", {"accumulated"}),
    "columns of mean 0": ("matrix = matrix - matrix.mean(0)", {"centred"}),
    "floor of the angle": (
        "matrix = pairs(np.sin(np.floor(a + 1e-12)), np.cos(np.floor(a + 1e-12)))",
        {"angles-floored"},
    ),
    "sin(a + pi/4)": ("matrix = pairs(np.sin(a), np.sin(a + np.pi / 4))", {"quarter-turn"}),
    "1 - sin": ("matrix = pairs(np.sin(a), 1 - np.sin(a))", {"one-minus-sine"}),
    "rows for columns": (
        "matrix = np.where(pos % 2, np.cos(np.repeat(a, 2, 1)), np.sin(np.repeat(a, 2, 1)))",
        {"rows-for-columns"},
    ),
}
DAMAGE = {
    "a wrong number": ("matrix[3, 2] += 0.3", {"cell-wrong"}),
    "a row of zeros": ("matrix[4] = 0", {"rows-empty"}),
    "row 0 alone": ("matrix[1:] = 0", {"rows-empty"}),
    "three rows of padding in front": ("pos = pos - 3; matrix[:3] = 0", {"start", "rows-empty"}),
    "a column of zeros": ("matrix[:, 5] = 0", {"columns-empty"}),
    "a column negated": ("matrix[:, 4] *= -1", {"columns-negated"}),
    "a row of another position": ("matrix[6] = matrix[2]", {"row-wrong"}),
    "dropout": ("matrix = matrix * (np.random.default_rng(1).random((L, d)) > 0.1) / 0.9", {"dropout"}),
}
TWO = {
    "base 1000, each column its own": ("matrix = waves(pos * 1000.0 ** (-J / d))", {"base", "own-frequencies"}),
    "swapped, base 1000, doubled": ("w = 1000.0 ** (-2 * I / d); matrix = 2 * pairs(np.cos(a), np.sin(a))",
                                    {"swapped", "base", "scale"}),
    "base 1000, a row of zeros": ("w = 1000.0 ** (-2 * I / d); matrix[5] = 0", {"base", "rows-empty"}),
    "base 1000, a row of other numbers": ("w = 1000.0 ** (-2 * I / d); matrix[5] = 7", {"base", "row-wrong"}),
    "from 1, doubled exponents": ("w = 10_000.0 ** (-4 * I / d); pos = pos + 1", {"start", "exponent-doubled"}),
    "transposed halves": ("matrix = np.hstack([np.sin(a), np.cos(a)]).T", {"transposed", "halves"}),
    "row 0 empty, column for pair": ("matrix = waves(pos * 10_000.0 ** (-2 * J / d)); matrix[0] = 0",
                                     {"column-as-pair", "row-zeroed"}),
}  # fmt: skip
TABLE = {
    f"{kind}: {name}": entry
    for kind, some in (
        ("frequencies", FREQUENCIES), ("layout", LAYOUTS), ("positions", POSITIONS), ("values", VALUES),
        ("damage", DAMAGE), ("two", TWO),
    )
    for name, entry in some.items()
}  # fmt: skip


def pairs(sines: np.ndarray, cosines: np.ndarray) -> np.ndarray:
    """Let sines and cosines take turns."""
    return np.stack([sines, cosines], -1).reshape(len(sines), -1)


def waves(angles: np.ndarray) -> np.ndarray:
    """Return sines of even columns and cosines of odd ones."""
    return np.where(np.arange(angles.shape[1]) % 2 == 0, np.sin(angles), np.cos(angles))


def make(line: str, length: int, d_model: int) -> np.ndarray:
    """Run a line where it belongs among the lines of the paper's encoding."""
    names: dict[str, Any] = {
        "np": np, "L": length, "d": d_model, "I": np.arange(d_model // 2), "J": np.arange(d_model),
        "pairs": pairs, "waves": waves,
    }  # fmt: skip
    changes = [one.strip() for one in line.split(";")]
    for name, paper in PAPER.items():
        names[name] = eval(paper, names)
        for change in changes:
            if change.partition(" ")[0].partition("[")[0] == name:
                exec(change, names)
    return np.asarray(names["matrix"], float)


@cache
def answer(name: str, length: int, d_model: int) -> Diagnosis:
    """Return what is said of a table, which several tests look at."""
    return diagnose(make(TABLE[name][0], length, d_model))
