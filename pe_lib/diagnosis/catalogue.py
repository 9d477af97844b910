"""Lines that people write where the encoding has another; they stand in catalogue.toml."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import numpy as np

from pe_lib.diagnosis.recipe import Line, evaluated
from pe_lib.diagnosis.report import VARIANTS

Shape = tuple[int, int]
_TABLES: dict[str, Any] = tomllib.loads(files("pe_lib.diagnosis").joinpath("catalogue.toml").read_text("utf-8"))
ANGLES, MATRIX, OTHERS, VALUES, PLACES = (_TABLES[name] for name in ("angles", "matrix", "others", "values", "places"))


def sizes(kind: str, shape: Shape) -> Shape | None:
    """Return the shape of the table that was rearranged to this one; None if there is none."""
    rows, columns = shape
    even = columns % 2 == 0
    of_kind: dict[str, Shape | None] = {
        "same": shape if columns > 2 else None,
        "even": shape if even and columns > 2 else None,
        "turned": (columns, rows),
        "stacked": (rows // 2, 2 * columns) if rows % 2 == 0 else None,
        "wider": (rows, columns + 1),
        "narrower": (rows, columns - 1) if columns > 1 else None,
        "longer": (rows - 1, columns) if rows > 1 else None,
        "twice as wide": (rows, 2 * columns),
        "half as wide": (rows, columns // 2) if even else None,
    }
    return of_kind[kind]


def core_lines() -> Iterator[Line]:
    """Yield the lines of angles and of functions, the likely first."""
    for finding, codes in MATRIX.items():
        yield from (Line("matrix", f"matrix = {code}", finding) for code in codes)
    for finding, codes in ANGLES.items():
        yield from (Line("angles", f"angles = {code}", finding) for code in codes)


def place_lines(shape: Shape, cells: tuple[np.ndarray, np.ndarray]) -> Iterator[tuple[Line, Shape, np.ndarray]]:
    """Yield the lines that bring numbers to other places, the shape of the table, and where some cells came from.

    A place is counted along the rows of the table; -1 stands for a 0 that was put in.
    """
    counted = 1 + np.arange(2 * shape[0] * shape[1] + 2 * sum(shape), dtype=np.int32)
    for code, (kind, finding, how) in PLACES.items():
        table = sizes(kind, shape)
        if table is None or min(table) < 1:
            continue
        names = {
            "np": np,
            "length": table[0],
            "d_model": table[1],
            "matrix": counted[: table[0] * table[1]].reshape(table),
        }
        try:
            places = evaluated(code, names)
        except ValueError:
            continue
        if places.shape == shape:
            line = Line("turned" if finding == "transposed" else "order", f"matrix = {code}", finding,
                        "variant" if finding in VARIANTS else "mistake", {"how": how, "shown": how},
                        0.5 if finding in VARIANTS else 1)  # fmt: skip
            yield line, table, places[cells].astype(int) - 1
