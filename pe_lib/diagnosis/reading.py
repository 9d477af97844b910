"""A reading of a matrix: for each column a sine or cosine with its frequency, for each row its position."""

from dataclasses import dataclass, field, replace

import numpy as np

from pe_lib.diagnosis.grain import ANGLE_ERROR, BITS, Grain
from pe_lib.diagnosis.laws import Law

BLOCK = 32  # rows computed from one by rotation
# The eight ways in which a pair (first column, second column) can stand for an angle: which turn takes sine and cosine
# there, as (sign of the angle, quarter turns added), by what the first and the second column then hold.
ROLES = {
    ("sin", "cos"): (1, 0),
    ("cos", "sin"): (-1, 1),
    ("-sin", "cos"): (-1, 0),
    ("sin", "-cos"): (-1, 2),
    ("-sin", "-cos"): (1, 2),
    ("cos", "-sin"): (1, 1),
    ("-cos", "sin"): (1, -1),
    ("-cos", "-sin"): (-1, -1),
}
PHASES = {"sin": 0.0, "cos": 0.5 * np.pi, "-sin": np.pi, "-cos": -0.5 * np.pi}  # each is sin(angle + phase)


@dataclass(frozen=True)
class Reading:
    """What a matrix was read as: ``scale * role(w * position) + offset``, column by column.

    Attributes
    ----------
    transposed : bool
        Positions lie along the second axis of the matrix as given.
    layout : str
        "interleaved", "halves", or "" where the columns follow neither.
    roles : tuple of str
        What each column holds: "sin", "cos", "-sin" or "-cos".
    w : ndarray of shape (d_model,)
        The frequency of each column.
    positions : ndarray of shape (L,)
        The position in each row; nan in rows of zeros.
    scale : float
    offsets : tuple of two floats
        What is added to sine and to cosine columns.
    laws : tuple of Law
        Those that give just these frequencies; more than one where they cannot be told apart.
    codes : tuple of str
        What is said by the way of reading itself, such as "column-as-pair".
    level : str
        The type in which angles seem to have been computed.
    """

    transposed: bool
    layout: str
    roles: tuple[str, ...]
    w: np.ndarray
    positions: np.ndarray
    scale: float
    offsets: tuple[float, float] = (0.0, 0.0)
    laws: tuple[Law, ...] = ()
    codes: tuple[str, ...] = ()
    level: str = "float64"
    choices: tuple[tuple[str, ...], ...] = field(default=())

    def angles(self, rows: np.ndarray) -> np.ndarray:
        """Return w·position for some rows, shape (rows, d_model)."""
        found: np.ndarray = self.positions[rows, np.newaxis] * self.w
        return found

    def predicted(self, rows: np.ndarray) -> np.ndarray:
        """Return the numbers this reading stands for in some rows, shape (rows, d_model)."""
        turned = self._turned(rows)
        found = np.empty(turned.shape)
        kinds = np.array(self.roles)
        for kind, sign in (("sin", 1), ("cos", 1), ("-sin", -1), ("-cos", -1)):
            of_kind = np.flatnonzero(kinds == kind)
            if len(of_kind):
                part = turned.real if kind.endswith("cos") else turned.imag
                found[:, of_kind] = sign * self.scale * part[:, of_kind] + self.offsets[kind.endswith("cos")]
        found[~np.isfinite(self.positions[rows])] = 0.0
        return found

    def _turned(self, rows: np.ndarray) -> np.ndarray:
        """Return cos + i·sin of w·position for some rows, shape (rows, d_model).

        Columns of the same frequency are computed once. Where positions follow one another, the rows of a block are
        products of its first row and of a short table, since a shift is a rotation.
        """
        w, column = np.unique(self.w, return_inverse=True)
        positions = self.positions[rows]
        if len(rows) <= 2 * BLOCK or not np.all(np.diff(positions) == 1):
            return np.exp(1j * np.outer(positions, w))[:, column]
        starts = np.exp(1j * np.outer(positions[::BLOCK], w))
        short = np.exp(1j * np.outer(np.arange(BLOCK), w))
        found: np.ndarray = (starts[:, np.newaxis] * short).reshape(-1, len(w))[: len(rows)]
        return found[:, column]

    def allowed(self, rows: np.ndarray, grain: Grain) -> np.ndarray:
        """Return how far the numbers in some rows may lie from the predicted ones."""
        noise = grain.noise(self.scale, self.level)
        with np.errstate(invalid="ignore"):
            turned = np.nan_to_num(abs(self.angles(rows))) * ANGLE_ERROR[self.level]
        found: np.ndarray = abs(self.scale) * (6 * noise + turned)
        return found

    def with_(self, **changes: object) -> "Reading":
        """Return the same reading with something changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


def within_rounding(
    values: np.ndarray, predicted: np.ndarray, angles: np.ndarray, dtype: str, units: float, scale: float
) -> np.ndarray:
    """Say for each number whether it is the predicted one but for so much rounding as its type does."""
    rounding = 0.0 if dtype == "float64" else 2.0 ** (1 - BITS[dtype])
    room = scale * units * (rounding + 1e-13 * (1 + abs(np.nan_to_num(angles))))
    fits: np.ndarray = abs(values - predicted) <= room
    return fits


def wrap(angle: np.ndarray) -> np.ndarray:
    """Return the angle between -pi and pi that points the same way."""
    found: np.ndarray = angle - 2 * np.pi * np.rint(angle / (2 * np.pi))
    return found
