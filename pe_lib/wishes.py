"""Six wishes for a positional encoding, each with a test: notebook 01 makes them, the notebooks after it come back."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from pe_lib import _checks

Encode = Callable[[int], ArrayLike]


class Wishes(dict[str, dict[str, bool | None]]):
    """For each attempt and each wish True, False, or None where it was not asked; prints as a table."""

    def __repr__(self) -> str:
        said, names = {True: "yes", False: "no", None: "?"}, [f"{name:>5}" for name in self]
        lines = [[" " * 18, *names]]
        for wish in _TESTS:
            held = zip(self.values(), names, strict=True)
            lines.append([f"{wish:18}", *(f"{said[found[wish]]:>{len(name)}}" for found, name in held)])
        return "\n".join("  ".join(line) for line in lines)


def wishes(attempts: Mapping[str, Encode], asked: Sequence[str] | None = None) -> Wishes:
    """Return which of six wishes each attempt fulfils, as far as they are tested here.

    `attempts` names functions from a length to rows of shape (length, d_model), or fewer where there are no more.
    `asked` names wishes, all six unless given: "bounded", no number beyond 1 in 10,000 rows; "unique", no two of 1000
    rows alike to six decimals; "same step", neighbours equally far apart in texts of 101 and 300 words; "any length",
    10,000 rows if asked for, the first 101 as in a text of 101; "distance readable", each number of steps, 1 to 100,
    has a distance of its own; "farther is farther", it grows with each. Raises TypeError or ValueError for other
    arguments.

    >>> wishes({"pos/L": lambda length: [[pos / length] for pos in range(length)]}, ["bounded", "same step"])
                        pos/L
    bounded               yes
    unique                  ?
    same step              no
    any length              ?
    distance readable       ?
    farther is farther      ?
    """
    chosen = [_checks.one_of("asked", wish, _TESTS) for wish in (_TESTS if asked is None else asked)]
    tests = {wish: test if wish in chosen else lambda _: None for wish, test in _TESTS.items()}
    return Wishes({name: {wish: test(encode) for wish, test in tests.items()} for name, encode in attempts.items()})


def _rows(encode: Encode, length: int) -> np.ndarray:
    rows = _checks.finite_array("rows", encode(length))
    if rows.ndim != 2 or not rows.size or len(rows) > length:
        raise ValueError(f"rows must have shape ({length}, d_model), or fewer rows, got shape {rows.shape}")
    return rows


def _distances(encode: Encode) -> np.ndarray:
    """Return how far apart rows are 1 to 100 steps apart; nan where that is not one number in both texts."""
    texts = [_rows(encode, length) for length in (101, 300)]
    away = [np.concatenate([np.linalg.norm(x[k:] - x[:-k], axis=1) for x in texts]) for k in range(1, 101)]
    return np.array([found[0] if found.size and np.ptp(found) < 1e-9 else np.nan for found in away])


_TESTS: dict[str, Callable[[Encode], bool | None]] = {
    "bounded": lambda encode: bool(np.abs(_rows(encode, 10_000)).max() <= 1 + 1e-9),
    "unique": lambda encode: len(np.unique(x := _rows(encode, 1000).round(6), axis=0)) == len(x),
    "same step": lambda encode: bool(np.isfinite(_distances(encode)[0])),
    "any length": lambda encode: len(x := _rows(encode, 10_000)) == 10_000 and np.allclose(x[:101], _rows(encode, 101)),
    "distance readable": lambda encode: bool((np.diff(np.sort(_distances(encode))) > 1e-6).all()),  # a nan sorts last
    "farther is farther": lambda encode: bool((np.diff(_distances(encode)) > 0).all()),
}
