"""Six wishes for a positional encoding, each with a test, and the board on which notebook after notebook ticks them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks
from pe_lib.encoding import sinusoidal_encoding

Encode = Callable[[int], ArrayLike]  # `wishes` quotes it, or its help would begin with four lines of types


class Wishes(dict[str, dict[str, bool | None]]):
    """For each attempt and each wish True, False, or None where it was not asked; prints as a table."""

    def __repr__(self) -> str:
        said = {True: "yes", False: "no", None: "?"}
        lines = [" " * 18 + "".join(f"  {name:>5}" for name in self)]
        for wish in _TESTS:
            answers = (f"  {said[found[wish]]:>{max(5, len(name))}}" for name, found in self.items())
            lines.append(f"{wish:18}{''.join(answers)}")
        return "\n".join(lines)


def wishes(attempts: "Mapping[str, Encode]", asked: Sequence[str] | None = None) -> Wishes:
    """Return which of six wishes each attempt fulfils, as far as they are tested here.

    `attempts` maps names to functions that take a length and return rows of shape (length, d_model), or fewer rows if
    they have no more. `asked` lists wishes, all six unless given. Raises TypeError or ValueError for other arguments.

    - "bounded": in 10,000 rows, no number is beyond 1.
    - "unique": of 1000 rows, no two are equal to six decimals.
    - "same step": neighbours are equally far apart, in texts of 101 and of 300 words.
    - "any length": there are 10,000 rows if you ask for them, and the first 101 are those of a text of 101 words.
    - "offset readable": each number of steps from 1 to 100 has a distance of its own.
    - "farther is farther": that distance grows with each step.

    >>> wishes({"pos/L": lambda length: [[pos / length] for pos in range(length)]}, ["bounded", "same step"])
                        pos/L
    bounded               yes
    unique                  ?
    same step              no
    any length              ?
    offset readable         ?
    farther is farther      ?
    """
    chosen = {_checks.one_of("asked", wish, _TESTS) for wish in (_TESTS if asked is None else asked)}
    found = Wishes()
    for name, encode in attempts.items():
        found[name] = {wish: bool(test(encode)) if wish in chosen else None for wish, test in _TESTS.items()}
    return found


def _rows(encode: Encode, length: int) -> np.ndarray:
    """Return the rows of a text of some length."""
    rows = _checks.finite_array("rows", encode(length))
    if rows.ndim != 2 or not rows.size or len(rows) > length:
        raise ValueError(f"rows must have shape ({length}, d_model), or fewer rows, got shape {rows.shape}")
    return rows


def _distances(encode: Encode) -> np.ndarray:
    """Return how far apart rows are 1 to 100 steps apart; nan where that is not one number in both texts."""
    texts = [_rows(encode, length) for length in (101, 300)]
    away = [np.concatenate([np.linalg.norm(x[k:] - x[:-k], axis=1) for x in texts]) for k in range(1, 101)]
    return np.array([found[0] if found.size and np.ptp(found) < 1e-9 else np.nan for found in away])


_TESTS: dict[str, Callable[[Encode], bool | np.bool_]] = {
    "bounded": lambda encode: np.abs(_rows(encode, 10_000)).max() <= 1 + 1e-9,
    "unique": lambda encode: len(np.unique(_rows(encode, 1000).round(6), axis=0)) == len(_rows(encode, 1000)),
    "same step": lambda encode: np.isfinite(_distances(encode)[0]),
    "any length": lambda encode: (
        len(_rows(encode, 10_000)) == 10_000 and np.allclose(_rows(encode, 10_000)[:101], _rows(encode, 101))
    ),
    "offset readable": lambda encode: np.all(np.diff(np.sort(_distances(encode))) > 1e-6),  # a nan sorts last
    "farther is farther": lambda encode: np.all(np.diff(_distances(encode)) > 0),
}


_SETTLED = [
    (4, "bounded", "sines and cosines stay between −1 and 1"),
    (4, "any length", "the formula has a row for every position"),
    (7, "same step", "each hand turns by its own angle, the same at every step"),
    (7, "farther is farther", "true at first, but row 6 is closer to row 0 than row 5 is"),
    (8, "offset readable", "the distance from row 0 tells rows 1 to 100 apart"),
    (9, "any length", "rows without end, but a network trained on 32 positions fails past them"),
    (11, "unique", "no two rows are ever equal, if nobody rounds the positions"),
]  # the notebook, the wish, and what the notebook found out about it for sines and cosines
_HALF = {(9, "any length")}  # the rows fulfil it, and a network that was trained on them does not
_BOARDS = sorted({13} | {notebook for notebook, _, _ in _SETTLED})


@dataclass(frozen=True, repr=False)
class WishBoard:
    """The six wishes for sines and cosines as far as one notebook and those before it settled them; prints itself.

    `marks` maps each wish to ✓ (yes), ✗ (no), ◐ (half) or · (open).
    """

    notebook: int
    marks: Mapping[str, str]

    def __repr__(self) -> str:
        lines = [f"The wishes after notebook {self.notebook:02}, tried with 64 columns"]
        for wish, mark in self.marks.items():
            found = [entry for entry in _SETTLED if entry[1] == wish]
            if mark == "·":
                lines.append(f"{mark}       {wish:18}  open until notebook {found[0][0]:02}")
            else:
                notebook, _, said = [entry for entry in found if entry[0] <= self.notebook][-1]
                new = "new" if notebook == self.notebook else f" {notebook:02}"
                lines.append(f"{mark}  {new}  {wish:18}  {said}")
        return "\n".join(lines)


def wish_board(notebook: int) -> WishBoard:
    """Return the board of the six wishes as it looks at the end of a notebook.

    They're tried with `wishes`; the notebook decides which answers are shown.
    Raises TypeError or ValueError for a notebook that has no board: it has to be 4, 7, 8, 9, 11 or 13.

    >>> wish_board(7)
    The wishes after notebook 07, tried with 64 columns
    ✓   04  bounded             sines and cosines stay between −1 and 1
    ·       unique              open until notebook 11
    ✓  new  same step           each hand turns by its own angle, the same at every step
    ✓   04  any length          the formula has a row for every position
    ·       offset readable     open until notebook 08
    ✗  new  farther is farther  true at first, but row 6 is closer to row 0 than row 5 is
    """
    if _checks.integer("notebook", notebook) not in _BOARDS:
        raise ValueError(f"notebook must be one of {', '.join(map(str, _BOARDS))}, got {notebook}")
    settled = [(number, wish) for number, wish, _ in _SETTLED if number <= notebook]
    asked = {wish for _, wish in settled}
    found = wishes({"": lambda length: sinusoidal_encoding(length, 64)}, sorted(asked))[""]
    said = {True: "✓", False: "✗", None: "·"}
    half = {wish for number, wish in settled if (number, wish) in _HALF}
    return WishBoard(notebook, {wish: "◐" if wish in half else said[yes] for wish, yes in found.items()})
