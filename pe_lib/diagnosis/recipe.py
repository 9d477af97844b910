"""A recipe: the lines of NumPy that make a matrix, each beside the line of the encoding where the two differ.

The right lines are the formula of Vaswani et al. (2017), "Attention Is All You Need", section 3.5. What a recipe makes
is found by running its text, so the text cannot say one thing and the numbers another.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from types import CodeType
from typing import Any

import numpy as np

RIGHT = {  # the lines of the encoding, in the order in which they run
    "sizes": "length, d_model = {length}, {d_model}",
    "base": "base = {base!r}",
    "pos": "pos = np.arange(length)[:, np.newaxis]",
    "j": "j = np.arange(d_model)",
    "w": "w = base ** (-2 * (j // 2) / d_model)",
    "angles": "angles = pos * w",
    "matrix": "matrix = np.where(j % 2 == 0, np.sin(angles), np.cos(angles))",
}
# What sines and cosines that take turns are filled by, in half the time that both for every column take.
EXCHANGED = "matrix = np.where(j % 2 == 0, np.cos(angles), np.sin(angles))"
TURNS = {RIGHT["matrix"]: (np.sin, np.cos), EXCHANGED: (np.cos, np.sin)}
# Where a line stands: what has no right line is one too many. Columns are put in order, then numbers are changed, then
# rows, columns and cells by themselves; last, the whole is turned and stored.
SLOTS = ("help", "sizes", "base", "pos", "j", "w", "precision", "angles", "coarse", "matrix", "coarser",
         "order", "values", "damage", "turned", "stored")  # fmt: skip
MARKS = {"mistake": "<-- here", "variant": "a variant", "note": "a note", "undecided": "perhaps"}
MEASURED = 1.6  # what a base costs that is no plain number
# what is said of lines that hold numbers which were measured
ESTIMATED = {"start", "scale", "offset", "phase", "phases", "frequencies", "step", "vector-added", "columns-scaled",
             "rows-scaled", "sines-scaled"}  # fmt: skip
# of lines that do not go together
ERRORS = (ValueError, IndexError, ZeroDivisionError, OverflowError, TypeError, NameError)
LATER = frozenset(SLOTS[SLOTS.index("order") :])


@dataclass(frozen=True)
class Line:
    """A line that differs from the encoding's."""

    slot: str  # which line of the encoding it replaces, or where it stands besides: one of SLOTS
    code: str  # in Python
    finding: str = ""  # what is said of it: a key of causes.toml; "" if nothing is
    kind: str = "mistake"  # or "variant", "note", "undecided"
    words: dict[str, Any] = field(default_factory=dict, compare=False)  # what the sentence is filled with
    cost: float = 1.0  # how far-fetched it is; the least costly recipe is taken

    @property
    def marked(self) -> bool:
        """Whether it is shown beside the encoding's line: what must change, and notes that are told."""
        return bool(self.finding) or (self.kind != "note" and self.slot != "help")


@dataclass(frozen=True)
class Recipe:
    """The lines that make a matrix: those of the encoding, but for some that are changed or added."""

    length: int
    d_model: int
    base: float
    changed: tuple[Line, ...] = ()

    @property
    def cost(self) -> float:
        """How far-fetched it is."""
        return sum(line.cost for line in self.changed)

    @cached_property
    def said(self) -> set[str]:
        """What is said of it."""
        return {line.finding for line in self.changed if line.finding}

    @property
    def measured(self) -> bool:
        """Whether its base was measured: it is known no better than the numbers are."""
        return any(line.slot == "base" and line.cost >= MEASURED for line in self.changed)

    @property
    def usual(self) -> bool:
        """Whether it is the encoding, from any position and in any layout."""
        return all(line.slot in ("help", "pos", "stored") or line.kind == "variant" for line in self.changed)

    @property
    def estimated(self) -> bool:
        """Whether any of its numbers was measured."""
        return self.measured or bool(self.said & ESTIMATED)

    def with_(self, *lines: Line) -> "Recipe":
        """Return the recipe with other lines, each in the place of one that replaced the same line before."""
        slots = {line.slot for line in lines} & set(RIGHT)
        kept = tuple(line for line in self.changed if line.slot not in slots)
        return replace(self, changed=tuple(sorted((*kept, *lines), key=lambda line: SLOTS.index(line.slot))))

    def without(self, *lines: Line) -> "Recipe":
        """Return the recipe with the encoding's lines in place of some."""
        return replace(self, changed=tuple(line for line in self.changed if not any(line is one for one in lines)))

    def right(self, slot: str) -> str:
        """Return the encoding's line, "" if it has none there."""
        return RIGHT.get(slot, "").format(length=self.length, d_model=self.d_model, base=self.base)

    @property
    def steps(self) -> list[tuple[str, str, Line | None]]:
        """The lines as they run: where each stands, its code, and what differs in it."""
        found = [(line.slot, line.code, line) for line in self.changed]
        right = [(slot, self.right(slot), None) for slot in RIGHT if slot not in {line.slot for line in self.changed}]
        return sorted([*found, *right], key=lambda step: SLOTS.index(step[0]))

    def text(self) -> str:
        """Return the program, with every line that differs marked, and the right line beside it."""
        written = ["import numpy as np", ""]
        for slot, code, line in self.steps:
            beside = ""
            if line is not None and line.marked:
                right = self.right(slot)
                instead = f"the encoding: {right}" if right else "the encoding has no such line"
                beside = f"  # {MARKS[line.kind]}; {instead}"
            written.append(code + beside)
        return "\n".join(written) + "\n"

    def run(self, rows: np.ndarray | None = None, columns: np.ndarray | None = None) -> np.ndarray:
        """Return what it makes; for some rows and columns, what stands there before columns are put in order."""
        made: np.ndarray = self.names(rows, columns)["matrix"]
        return made

    def names(
        self, rows: np.ndarray | None = None, columns: np.ndarray | None = None, also: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """Return all that it makes under their names, as `run` does; of some rows, also what some later lines make."""
        names: dict[str, Any] = {"np": np}
        with np.errstate(all="ignore"):
            for slot, code in self.codes:
                if rows is not None and slot in LATER and slot not in also:
                    continue
                if slot == "stored":
                    names.setdefault("before", names["matrix"])  # what it was before it was rounded
                if not _took_turns(code, names):
                    exec(_compiled(code), names)
                if rows is not None and slot == "pos":
                    names["pos"] = names["pos"][rows]
                if columns is not None and slot == "j":
                    names["j"] = names["j"][columns]
        return names

    @cached_property
    def codes(self) -> tuple[tuple[str, str], ...]:
        """The lines as they run, and where each stands."""
        return tuple((slot, code) for slot, code, _ in self.steps)

    def angles(self, rows: np.ndarray | None = None) -> np.ndarray:
        """Return the size of the angle under each number of the finished matrix, or under those of some rows."""
        kept = tuple(line for line in self.changed if line.slot not in ("matrix", "values", "damage", "stored"))
        plain = replace(self, changed=(*kept, Line("matrix", "matrix = np.abs(angles)")))
        moved = any(line.slot == "turned" or (line.slot == "order" and "hstack" not in line.code) for line in kept)
        try:
            made = abs(np.asarray(plain.names(None if moved else rows, also=("order",))["matrix"], np.float64))
            made = made if np.isfinite(made.max(initial=0.0)) else np.nan_to_num(made)
            return made[rows] if moved and rows is not None else made
        except (ValueError, IndexError):  # lines that need another shape
            return np.zeros((1, 1))

    def frequencies(self) -> np.ndarray:
        """Return the frequency of each column before columns are put in order."""
        kept = tuple(line for line in self.changed if line.slot in ("sizes", "base", "j", "w"))
        w = Line("matrix", "matrix = w + 0 * j")
        return replace(self, changed=(*kept, Line("pos", "pos = np.zeros((1, 1))"), w)).run()


def _took_turns(code: str, names: dict[str, Any]) -> bool:
    """Fill the matrix, if sines and cosines take turns in it, without those that its line computes and leaves out."""
    functions = TURNS.get(code, ())
    angles = names["angles"] if functions else np.zeros(0)
    if not functions or angles.dtype != np.float64 or angles.shape[-1] != names["d_model"]:
        return False
    names["matrix"] = np.empty_like(angles)
    for first, function in enumerate(functions):
        function(angles[:, first::2], out=names["matrix"][:, first::2])
    return True


def evaluated(expression: str, names: dict[str, Any]) -> Any:
    """Return what an expression of a recipe gives."""
    return eval(_compiled(expression, "eval"), names)


@lru_cache(maxsize=4096)
def _compiled(code: str, mode: str = "exec") -> CodeType:
    return compile(code, "<recipe>", mode)
