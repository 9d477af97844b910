"""Lines that people write where the encoding has another: each is tried, and believed only if it gives the numbers."""

from collections.abc import Iterator

import numpy as np

from pe_lib.diagnosis.recipe import Line

ANGLES = {
    "angles-rooted": ("np.sqrt(pos) * w",),
    "angles-floored": ("pos // (1 / w)", "np.floor(pos * w)"),
    "angles-rounded": ("np.round(pos * w)", "np.round(pos * w, 1)", "np.round(pos * w, 2)", "np.round(pos * w, 3)"),
    "positions-squared": ("pos ** 2 * w",),
    "positions-logged": ("np.log1p(pos) * w", "np.log(np.maximum(pos, 1)) * w"),
    "columns-moved": ("(pos + j % 2) * w", "(pos + 1 - j % 2) * w", "(pos - j % 2) * w"),
    "exchanged": ("(j // 2) / base ** (2 * pos / d_model)", "j / base ** (2 * pos / d_model)", "j / base ** (2 * (pos // 2) / d_model)"),
    "pos-in-power": ("(pos / base) ** (2 * (j // 2) / d_model)", "(pos / base) ** (j / d_model)", "pos ** w"),
    "degrees-of-one": ("np.where(j % 2 == 0, np.radians(pos * w), pos * w)", "np.where(j % 2 == 1, np.radians(pos * w), pos * w)"),
    "angles-added": ("pos + w", "pos - w"),
    "turns": ("pos * w % 1", "2 * np.pi * (pos * w % 1)"),
    "half-turns": ("np.where(j < d_model // 2, pos * w, np.radians(pos * w))",),
    "cosine-base": ("pos * np.where(j % 2 == 0, w, 1)", "pos * np.where(j % 2 == 1, w, 1)"),
    "base-to-the-angle": ("base ** -(2 * (j // 2) / d_model * pos)",),
    "period": ("2 * np.pi * pos / (1 + base ** (2 * (j // 2) / d_model))",),
}  # fmt: skip
MATRIX = {
    "swapped": ("np.where(j % 2 == 0, np.cos(angles), np.sin(angles))",),
    "sines-alone": ("np.sin(angles)",),
    "cosines-alone": ("np.cos(angles)",),
    "tangents": ("np.where(j % 2 == 0, np.sin(angles), np.tan(angles))", "np.where(j % 2 == 0, np.tan(angles), np.cos(angles))", "np.tan(angles)"),
    "rows-for-columns": ("np.where(pos % 2 == 0, np.sin(angles), np.cos(angles))", "np.where(pos % 2 == 1, np.sin(angles), np.cos(angles))"),
    "half-for-parity": ("np.where(j < d_model // 2, np.sin(angles), np.cos(angles))",),
    "pairs-for-parity": ("np.where(j // 2 % 2 == 0, np.sin(angles), np.cos(angles))",),
    "pairs-alternate": ("np.where((j + j // 2) % 2 == 0, np.sin(angles), np.cos(angles))",),
    "checkered": ("np.where((pos + j) % 2 == 0, np.sin(angles), np.cos(angles))",),
    "no-sines": ("angles", "np.where(j % 2 == 0, angles, np.cos(angles))", "np.where(j % 2 == 0, np.sin(angles), angles)"),
    "products": ("np.sin(angles) * np.cos(angles)", "np.sin(angles) + np.cos(angles)", "np.sin(angles) - np.cos(angles)"),
    "other-functions": ("np.where(j % 2 == 0, np.sinh(angles), np.cosh(angles))", "np.where(j % 2 == 0, np.arcsin(angles), np.arccos(angles))", "np.exp(-angles)", "np.where(j % 2 == 0, np.sign(np.sin(angles)), np.sign(np.cos(angles)))", "np.tanh(angles)", "np.sinc(angles)", "np.where(j % 2 == 0, np.arctan(angles), np.cos(angles))"),
    "divided-outside": ("np.where(j % 2 == 0, np.sin(pos), np.cos(pos)) * w",),
    "quarter-turn": (
        "np.where(j % 2 == 0, np.sin(angles), np.sin(angles + np.pi / 4))",
        "np.where(j % 2 == 0, np.sin(angles), np.sin(angles) + np.pi / 2)",
        "np.where(j % 2 == 0, np.sin(angles), np.sin(angles + np.pi))",
        "np.where(j % 2 == 0, np.sin(angles), np.sin(angles + 90))",
    ),
    "twice-applied": ("np.where(j % 2 == 0, np.sin(np.sin(angles)), np.cos(np.cos(angles)))", "np.where(j % 2 == 0, np.sin(angles), np.cos(np.sin(angles)))", "np.sin(np.where(j % 2 == 0, np.sin(angles), np.cos(angles)))"),
}  # fmt: skip
OTHERS = {  # encodings without angles: what each row holds
    "a 1 at the place of its position, and zeros (one-hot)": "np.equal(pos, j) * 1.0",
    "its number in every column": "pos + 0.0 * j",
    "its number, divided by the length, in every column": "pos / length + 0.0 * j",
    "its number, from 0 to 1, in every column": "pos / (length - 1) + 0.0 * j",
    "the bits of its number, the smallest first": "pos // 2.0 ** j % 2",
    "the bits of its number, the largest first": "pos // 2.0 ** (d_model - 1 - j) % 2",
    "its distance to every position, 0 on the diagonal": "abs(pos - j) * 1.0",
    "the signed distance to every position": "pos - j * 1.0",
    "the signed distance from every position": "j - pos * 1.0",
    "its number in a row, running on from row to row": "pos * d_model + j * 1.0",
}
# What is made of finished numbers, and along which axis: each number or row by itself, or whole columns.
VALUES = {
    "matrix - matrix[0]": ("centred", "rows", "Row 0"),
    "np.abs(matrix)": ("changed", "rows", "their absolute values"),
    "matrix**2": ("changed", "rows", "their squares"),
    "np.maximum(matrix, 0)": ("changed", "rows", "what is left when negative numbers are set to 0"),
    "np.minimum(matrix, 0)": ("changed", "rows", "what is left when positive numbers are set to 0"),
    "np.sign(matrix)": ("changed", "rows", "their signs"),
    "np.exp(matrix)": ("changed", "rows", "their exponentials"),
    "np.tanh(matrix)": ("changed", "rows", "their hyperbolic tangents"),
    "1 / (1 + np.exp(-matrix))": ("changed", "rows", "their logistic function, a sigmoid"),
    "np.clip(matrix, -0.5, 0.5)": ("changed", "rows", "what is left when they are clipped to -0.5 … 0.5"),
    "matrix**3": ("changed", "rows", "their cubes"),
    "np.sqrt(np.abs(matrix))": ("changed", "rows", "the roots of their sizes"),
    "np.arcsin(matrix)": ("changed", "rows", "their arc sines"),
    "np.trunc(matrix)": ("integers", "rows", "cut off"),
    "np.round(matrix)": ("integers", "rows", "rounded"),
    "np.floor(matrix)": ("integers", "rows", "rounded down"),
    "np.ceil(matrix)": ("integers", "rows", "rounded up"),
    "matrix * pos": ("rows-scaled", "rows", "its position"),
    "matrix * (pos + 1)": ("rows-scaled", "rows", "its position, counted from 1"),
    "matrix * w": ("weighted", "rows", "its frequency"),
    "(matrix - matrix.mean(axis=1, keepdims=True)) / matrix.std(axis=1, keepdims=True)": ("normalised", "rows", "Every row was brought to mean 0 and spread 1, a layer norm"),
    "(matrix - matrix.mean(axis=1, keepdims=True)) / matrix.std(axis=1, ddof=1, keepdims=True)": ("normalised", "rows", "Every row was brought to mean 0 and spread 1 (with d_model - 1), a layer norm"),
    "(matrix - matrix.mean(axis=1, keepdims=True)) / np.sqrt(matrix.var(axis=1, keepdims=True) + 1e-5)": ("normalised", "rows", "Every row was brought to mean 0 and spread 1, a layer norm"),
    "matrix - matrix.mean(axis=1, keepdims=True)": ("normalised", "rows", "The mean of every row was taken off"),
    "np.exp(matrix) / np.exp(matrix).sum(axis=1, keepdims=True)": ("normalised", "rows", "A softmax was taken of every row"),
    "(matrix - matrix.min(axis=1, keepdims=True)) / np.ptp(matrix, axis=1, keepdims=True)": ("normalised", "rows", "Every row was brought between 0 and 1"),
    "np.cumsum(matrix, axis=1)": ("accumulated", "rows", "along every row"),
    "np.cumsum(matrix, axis=0)": ("accumulated", "columns", "down the rows"),
    "np.diff(matrix, axis=0, prepend=0)": ("differences", "columns", "from row to row"),
    "matrix - matrix.mean(axis=0)": ("columns-scaled", "columns", "less its mean"),
    "(matrix - matrix.mean(axis=0)) / matrix.std(axis=0)": ("columns-scaled", "columns", "to mean 0 and spread 1"),
    "(matrix - matrix.mean(axis=0)) / (matrix.std(axis=0) + 1e-9)": ("columns-scaled", "columns", "to mean 0 and spread 1"),
    "(matrix - matrix.mean(axis=0)) / (matrix.std(axis=0) + 1e-8)": ("columns-scaled", "columns", "to mean 0 and spread 1"),
    "(matrix - matrix.mean(axis=0)) / (matrix.std(axis=0) + 1e-6)": ("columns-scaled", "columns", "to mean 0 and spread 1"),
    "(matrix - matrix.mean(axis=0)) / matrix.std(axis=0, ddof=1)": ("columns-scaled", "columns", "to mean 0 and spread 1 (with L - 1)"),
    "(matrix - matrix.min(axis=0)) / np.ptp(matrix, axis=0)": ("columns-scaled", "columns", "to lie between 0 and 1"),
    "matrix / np.linalg.norm(matrix, axis=0)": ("columns-scaled", "columns", "to the norm 1"),
    "matrix / np.abs(matrix).max(axis=0)": ("columns-scaled", "columns", "to be 1 at most"),
    "np.exp(matrix) / np.exp(matrix).sum(axis=0)": ("columns-scaled", "columns", "by a softmax"),
}  # fmt: skip
Shape = tuple[int, int]
# How finished numbers come to other places: of which shape the table was, what is said, and how it comes about.
PLACES = {
    "np.hstack([matrix[:, 0::2], matrix[:, 1::2]])": ("same", "halves", ""),
    "np.hstack([matrix[:, 1::2], matrix[:, 0::2]])": ("even", "cosines-first", ""),
    "matrix[:, ::-1]": ("same", "columns-reversed", ""),
    "np.hstack([matrix[:, 0::2], matrix[:, 1::2][:, ::-1]])": ("same", "columns-out-of-order", "the cosines run from slow to fast"),
    "np.hstack([matrix[:, 0::2][:, ::-1], matrix[:, 1::2]])": ("same", "columns-out-of-order", "the sines run from slow to fast"),
    "matrix.T": ("turned", "transposed", ""),
    "np.concatenate([matrix[:, 0::2], matrix[:, 1::2]])": ("stacked", "rearranged", "the sines fill the upper rows and the cosines the lower: np.concatenate without axis=1 puts them below one another."),
    "np.stack([matrix[:, 0::2], matrix[:, 1::2]]).reshape(length, d_model)": ("even", "rearranged", "they were stacked on axis 0, so that all sines are read before the first cosine. Use the last axis."),
    "np.concatenate([matrix[:, 0::2], matrix[:, 1::2]]).reshape(length, d_model)": ("even", "rearranged", "sines and cosines were joined on axis 0, so that all sines are read before the first cosine. Use axis 1."),
    "np.stack([matrix[:, 0::2], matrix[:, 1::2]], axis=1).reshape(2 * length, d_model // 2)": ("stacked", "rearranged", "sines and cosines of a position stand in two rows, one below the other. Stack them on the last axis."),
    "matrix.T.reshape(length, d_model)": ("same", "rearranged", "it was transposed, then reshaped to (L, d_model). What was transposed is turned back by transposing."),
    "matrix.reshape(d_model, length)": ("turned", "rearranged", "it was reshaped to (d_model, L). A reshape only counts the numbers off anew; to exchange the axes, transpose."),
    "matrix.ravel().reshape(length, d_model, order='F')": ("same", "rearranged", "its numbers were read down the columns (order='F') and written along the rows."),
    "np.hstack([matrix[:, 0::2], matrix[:, 1::2]]).reshape(length, 2, -1).transpose(0, 2, 1).reshape(length, d_model)[:, ::-1]": ("even", "columns-reversed", ""),
    "matrix[:, 1:]": ("wider", "first-column-missing", ""),
    "np.hstack([matrix, np.zeros((length, 1))])": ("narrower", "extra-column-empty", ""),
    "np.vstack([np.zeros((1, d_model)), matrix])": ("longer", "row-blank-before", ""),
    "matrix[:, 0::2]": ("twice as wide", "one-half", "sines"),
    "matrix[:, 1::2]": ("twice as wide", "one-half", "cosines"),
    "np.hstack([matrix[:, 1::2], matrix[:, 1::2]])": ("even", "rope-cache", "cosines"),
    "np.hstack([matrix[:, 0::2], matrix[:, 0::2]])": ("even", "rope-cache", "sines"),
    "np.hstack([matrix, np.zeros((length, d_model))])": ("half as wide", "half-empty", ""),
    "np.hstack([np.zeros((length, 1)), matrix[:, :-1]])": ("same", "columns-rolled-round", "to the right; the first is empty"),
    "np.tile(matrix, 2)": ("half as wide", "tiled", ""),
    "np.flipud(np.fliplr(matrix))": ("same", "rearranged", "both rows and columns stand in reverse order."),
    "np.roll(matrix, 1, axis=1)": ("same", "columns-rolled-round", "to the right"),
    "np.roll(matrix, -1, axis=1)": ("same", "columns-rolled-round", "to the left"),
}  # fmt: skip
VARIANTS = {"halves", "cosines-first"}


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


def place_lines(shape: Shape) -> Iterator[tuple[Line, Shape, np.ndarray]]:
    """Yield the lines that bring numbers to other places, the shape of the table, and where each number came from.

    A place is counted along the rows of the table; -1 stands for a 0 that was put in.
    """
    for code, (kind, finding, how) in PLACES.items():
        table = sizes(kind, shape)
        if table is None or min(table) < 1:
            continue
        names = {
            "np": np,
            "length": table[0],
            "d_model": table[1],
            "matrix": 1 + np.arange(table[0] * table[1]).reshape(table),
        }
        try:
            places = eval(code, names)
        except ValueError:
            continue
        if places.shape == shape:
            line = Line("turned" if finding == "transposed" else "order", f"matrix = {code}", finding,
                        "variant" if finding in VARIANTS else "mistake", {"how": how, "at": 0, "which": 0, "shown": how}, 0.5 if finding in VARIANTS else 1)  # fmt: skip
            yield line, table, places.astype(int) - 1
