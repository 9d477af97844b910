"""Lines that people write where the encoding has another; they stand in catalogue.toml."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import numpy as np

from pe_lib.diagnosis.recipe import Line, evaluated
from pe_lib.diagnosis.report import VARIANTS

Shape = tuple[int, int]
RARE = {"angles-added", "signs-lost", "positions-logged", "multiplied-exponent", "left-to-right", "exponents-behind",
        "other-functions", "half-filled", "neighbours-overwritten", "exponents-apart", "columns-doubled",
        "remainder"}  # fmt: skip
RARER = 0.3  # so much more these cost: few rows, or one that is repeated, show them as well as a common mistake
LONG = 1000  # characters cost as much as a line
_TABLES: dict[str, Any] = tomllib.loads(files("pe_lib.diagnosis").joinpath("catalogue.toml").read_text("utf-8"))
LAWS, FIXED, ANGLES, MATRIX, OTHERS, VALUES, COLUMNS, PLACES = (
    _TABLES[name] for name in ("laws", "fixed", "angles", "matrix", "others", "values", "columns", "places")
)


def core_lines(d_model: int) -> Iterator[Line]:
    """Yield the lines of angles and of functions, the likely first; the shorter the plainer."""
    for finding, codes in MATRIX.items():
        if finding != "more-cosines" or d_model % 2:
            yield from (Line("matrix", f"matrix = {code}", finding, cost=_cost(finding, code)) for code in codes)
    for finding, codes in ANGLES.items():
        for code in codes:
            words = {"phase": code.removeprefix("pos * w + ")}
            yield Line("angles", f"angles = {code}", finding, words=words, cost=_cost(finding, code))


def _cost(finding: str, code: str) -> float:
    return 1 + len(code) / LONG + RARER * (finding in RARE)


def place_lines(shape: Shape, cells: tuple[np.ndarray, np.ndarray]) -> Iterator[tuple[Line, Shape, np.ndarray]]:
    """Yield the lines that bring numbers to other places, the shape of the table, and where some cells came from.

    A place is counted along the rows of the table; -1 stands for a 0 that was put in.
    """
    counted = 1 + np.arange(2 * shape[0] * shape[1] + 2 * sum(shape), dtype=np.int32)
    for code, (size, finding, how) in (COLUMNS | PLACES).items():
        table: Shape = evaluated(size, {"rows": shape[0], "columns": shape[1]})
        if min(table) < 1 or (table == shape and shape[1] < 3):
            continue
        within = code in COLUMNS  # a row tells of all
        length = 1 if within else table[0]
        names = {"np": np, "length": length, "d_model": table[1],
                 "matrix": counted[: length * table[1]].reshape(length, table[1])}  # fmt: skip
        try:
            places = evaluated(code, names)
        except ValueError:
            continue
        if places.shape == (1 if within else shape[0], shape[1]):
            at = places[cells[0] * (not within), cells[1]].astype(int)
            at += (at > 0) * within * cells[0] * table[1]
            line = Line("order", f"matrix = {code}", finding,
                        "variant" if finding in VARIANTS else "mistake", {"how": how, "shown": how},
                        0.5 if finding in VARIANTS else 1)  # fmt: skip
            yield line, table, at - 1
