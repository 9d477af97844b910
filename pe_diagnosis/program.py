"""A program: one entry of the catalogue for each slot. Its lines are shown, and they are run to prove it.

Where some of the columns come from a line of their own, two programs are joined: one makes these, one the rest.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import CodeType
from typing import Any

import numpy as np

from pe_diagnosis import limits
from pe_diagnosis.catalogue import Entry, choices

Names = dict[str, Any]
Part = tuple[np.ndarray, np.ndarray]  # some rows and some columns
Step = tuple[str, str, Entry | None]  # the paper's line, the line that is run, and the entry that it comes from

# What a line may need before it: only shown where it does.
HELPERS = {
    "half": "half = (d_model + 1) // 2",
    "bfloat16": """\
def bfloat16(x):
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)).view(np.float32).astype(float)""",
}
MADE = {  # what the line of a slot makes, in the order in which they run, before there are sines
    "positions": "pos", "columns": "i, q", "base": "base", "frequencies": "w", "angles": "angles",
}  # fmt: skip
ON_AXES = [slot for slot in MADE if slot != "angles"]  # these need no table, and angles begin one
SINES = "matrix = np.sin(angles + q * np.pi / 2)"
ON_TABLE = ("values", "scale", "order")  # slots whose lines change the table
POINTERS = {"mistake": "<-- here", "variant": "a variant"}  # next to a line of a recipe
# What running a line may raise, where it doesn't go with the other lines or with this shape.
ERRORS = (ValueError, IndexError, ZeroDivisionError, OverflowError, TypeError, FloatingPointError)


@lru_cache(maxsize=4096)
def compiled(code: str, mode: str = "exec") -> CodeType:
    """Compile a line, and keep it."""
    return compile(code, "<recipe>", mode)


def evaluated(expression: str, names: Names) -> Any:
    """Return what an expression gives; nothing is said of overflows, which show in the numbers."""
    with np.errstate(all="ignore"):
        return eval(compiled(expression, "eval"), names)


def helpers_of(*lines: str) -> list[str]:
    """Return the helpers that some lines need."""
    return [code for name, code in HELPERS.items() if any(re.search(rf"\b{name}\b", line) for line in lines)]


def names_of(length: int, d_model: int) -> Names:
    """Return the names that any line may use."""
    names = {"np": np, "length": length, "d_model": d_model, "row": np.arange(length), "j": np.arange(d_model)}
    for code in HELPERS.values():
        exec(compiled(code), names)
    return names


@dataclass(frozen=True)
class Program:
    """One choice for every slot, for a table of so many rows and columns; without any, the paper's encoding."""

    length: int
    d_model: int
    asked: float  # the base that it is meant to have
    base: Entry | None = None
    positions: Entry = choices("positions")[0]
    columns: Entry = choices("columns")[0]
    frequencies: Entry = choices("frequencies")[0]
    angles: Entry = choices("angles")[0]
    values: Entry | None = None
    scale: Entry | None = None
    order: Entry = choices("order")[0]  # and so `Program.order`, of the class, is the paper's
    afterwards: tuple[Entry, ...] = ()  # whole statements: damage, and rows or columns repeated
    other: "Program | None" = None  # what makes some of the columns, where they come from lines of their own
    slices: tuple[str, str] = "", ""  # the columns that `other` makes, and those that this one makes

    def but(self, **changes: Any) -> "Program":
        """Return the program with other choices."""
        return replace(self, **changes)

    def entries(self) -> Iterator[Entry]:
        """Yield the choices in the order in which they run."""
        for slot in (*MADE, *ON_TABLE):
            if getattr(self, slot) is not None:
                yield getattr(self, slot)
        yield from self.afterwards

    def line(self, slot: str) -> str:
        """Return what the line of a slot says; of the base, the one asked for where no other is chosen."""
        entry: Entry | None = getattr(self, slot)
        return repr(self.asked) if entry is None else entry.line

    def chosen(self) -> list[Entry]:
        """Return the entries that aren't the paper's."""
        return [entry for entry in self.entries() if entry.cost > 0]

    @property
    def unshared(self) -> tuple[list[Entry], list[Entry]]:
        """The entries of a joined program that aren't the paper's: those that only this one has, and only `other`."""
        own, others = self.chosen(), self.other.chosen() if self.other is not None else []
        return [one for one in own if one not in others], [one for one in others if one not in own]

    @cached_property
    def cost(self) -> float:
        """How far-fetched it is: the cost of all its entries."""
        own = sum(entry.cost for entry in self.entries())
        return own if self.other is None else own + limits.COST_OF_JOINING + sum(one.cost for one in self.unshared[1])

    @property
    def makes_all(self) -> bool:
        """Whether a line makes every number; of some damage only a sentence is known."""
        return all(entry.line for entry in self.afterwards)

    @property
    def key(self) -> tuple[str, ...]:
        """Its lines, which no other program has."""
        own = *(entry.line for entry in self.entries()), self.slices[0]
        return own if self.other is None else (*own, *self.other.key)

    @property
    def cellwise(self) -> bool:
        """Whether every number of the table depends on its own row and column alone."""
        mixes_cells = self.order.cost or self.afterwards or self.other
        return (self.values is None or self.values.sees == "cell") and not mixes_cells

    def steps(self) -> Iterator[Step]:
        """Yield each line of code: the paper's line for it, the line, and the entry if it isn't the paper's.

        These lines are to be read. `run` takes the same entries, and can run them for a few rows and columns alone.
        """
        sizes = f"length, d_model = {self.length}, {self.d_model}"
        yield sizes, sizes, None
        for helper in helpers_of(*(one.line for program in (self, self.other) if program for one in program.entries())):
            yield helper, helper, None
        counted = "row, j = np.arange(length), np.arange(d_model)"
        yield counted, counted, None
        paper = Program(self.length, self.d_model, self.asked)
        for slot in MADE:
            entry = getattr(self, slot)
            differs = entry is not None and entry.cost > 0
            yield f"{MADE[slot]} = {paper.line(slot)}", f"{MADE[slot]} = {self.line(slot)}", entry if differs else None
        yield SINES, SINES, None
        yield from self._steps_on_the_table()
        if self.other is not None:
            yield from self._steps_of_other(self.other, paper)

    def _steps_on_the_table(self) -> Iterator[Step]:
        """Yield the lines that change the table of sines; the encoding has none."""
        for entry in (*(getattr(self, slot) for slot in ON_TABLE), *self.afterwards):
            if entry is not None and entry.line not in ("matrix", ""):  # "" where nothing is known but a sentence
                yield "", entry.line if entry in self.afterwards else f"matrix = {entry.line}", entry

    def _steps_of_other(self, other: "Program", paper: "Program") -> Iterator[Step]:
        """Yield the lines that make the other columns: those that differ, and what follows from them."""
        own = self.slices[1]
        yield "first = matrix", "first = matrix", None
        anew = self.line("columns") != other.line("columns") or self.line("base") != other.line("base")
        for slot in MADE:
            if self.line(slot) != other.line(slot) or slot == "angles" or (slot == "frequencies" and anew):
                right, code = (f"{MADE[slot]} = {one.line(slot)}" for one in (paper, other))
                yield right, code, getattr(other, slot) if code != right else None
        yield SINES, SINES, None
        yield from other._steps_on_the_table()
        code = f"matrix[:, {own}] = first[:, {own}]"
        yield code, code, None

    def run(self, part: Part | None = None) -> Names:
        """Run it and return all its names; for a part of the cells, it has to be `cellwise`."""
        names = names_of(self.length, self.d_model)
        with np.errstate(all="ignore"):
            for slot in ON_AXES:
                exec(compiled(f"{MADE[slot]} = {self.line(slot)}"), names)
            for name in ("pos", "i", "q", "w"):
                names[name] = np.broadcast_to(names[name], self.length if name == "pos" else self.d_model)
            if part is not None:
                names.update({name: names[name][part[0]] for name in ("row", "pos")})
                names.update({name: names[name][part[1]] for name in ("j", "i", "q", "w")})
            names["angles"] = evaluated(self.angles.line, names)
            exec(compiled(SINES), names)
            for entry in (self.values, self.scale):
                if entry is not None:
                    names["matrix"] = evaluated(entry.line, names)
            names["before_order"] = names["matrix"]  # for no line: what a number may be off by depends on it
            names["matrix"] = evaluated(self.order.line, names)
            for entry in self.afterwards:
                exec(compiled(entry.line), names)
        if self.other is not None:
            second, own = self.other.run(), np.zeros(self.d_model, bool)
            own[evaluated(f"np.s_[{self.slices[1]}]", names)] = True
            for name in ("matrix", "angles", "w", "before_order"):
                names[name] = np.where(own, names[name], second[name])
        return names


def recipe(program: Program) -> str:
    """Return the program as text, every line that isn't the paper's marked, and the paper's line next to it.

    A line of the recipe is one line of text, so that a mark can stand next to it; only helpers have several.
    """
    written = ["import numpy as np", ""]
    for right, code, entry in program.steps():
        instead = f"the encoding: {right}" if right else "the encoding has no such line"
        written.append(code if entry is None or not entry.cause else f"{code}  # {POINTERS[entry.kind]}; {instead}")
    return "\n".join(written) + "\n"


def differing(program: Program) -> tuple[tuple[str, str], ...]:
    """Return the lines that aren't the paper's, each with the paper's, "" if that has none."""
    return tuple((code, right) for right, code, entry in program.steps() if entry is not None and entry.cause)


def cheapest(programs: Iterable[Program], more: float) -> list[Program]:
    """Return the programs of least cost, and those that cost little more."""
    found = sorted(programs, key=lambda one: one.cost)
    return [one for one in found if one.cost <= found[0].cost + more]
