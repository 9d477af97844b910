"""A matrix in question, with its frequencies and the line of the program that made it."""

import re
from collections.abc import Iterator
from functools import lru_cache
from textwrap import wrap
from typing import Any, ClassVar, NamedTuple

import numpy as np

from pe_diagnosis import Diagnosis, diagnose
from pe_lib.clinic import LAYOUTS, NUMBERS, RULES, broken_encoding
from pe_lib.encoding import BASE, frequencies, sinusoidal_encoding
from pe_pictures.cells import Cells
from pe_pictures.colours import BAND, GREY, HERE, INK, LINE, SINE
from pe_pictures.fields import Choice, Field, Integer, Matrix, Number, State, Tick, frozen
from pe_pictures.panes import Pane, grid
from pe_pictures.parts import Place, below, level, number
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import CORNER, T1, T2, Elements, Group, answer, box, boxes, kind_of, line, text
from pe_pictures.writing import evenly, here, hold, one_line

BROKEN = ("rule", "base", "layout", "start", "scale", "numbers", "transposed")
BASES, SCALES = (10.0, 100.0, 1000.0, BASE, 100_000.0), (0.25, 0.5, 1.0, 2.0, 4.0)
FIRST = range(-3, 5)  # first positions that broken matrices have on pages
OFF = 0.01  # from here on a number differs
ROUNDING = 1e-6  # is no difference, beside what the recipe leaves
LEAST, MOST = -6, 1  # powers of ten: frequencies that are shown, in radians per position
DOTS = 64  # pairs at most that have one
TELLING = 0.8  # of the rows, from which on a pair of columns is taken for the sine and cosine of one angle
CROSS = np.array([-5, 5, np.nan, -5, 5]), np.array([-5, 5, 0, 5, -5])  # two strokes


class Row(NamedTuple):
    """A line beside the matrix: what is written, the mark before it, and whether it is marked or quiet."""

    said: str
    mark: str = ""
    marked: bool = False
    colour: str = INK
    size: float = T1


class Places(NamedTuple):
    """Where everything is: the matrix, the frequencies and the lines, how high a line is and how long."""

    table: Place
    turns: Place
    lines: Place
    pitch: float
    letters: int


WIDE = Places((62, 8, 560, 250), (62, 318, 560, 92), (652, 2, 448, 436), 27.0, 47)
TALL = Places((80, 8, 420, 226), (80, 306, 420, 102), (0, 444, 520, 316), 31.0, 47)


class Workbench(Picture):
    """Show a matrix, the frequencies measured in it next to the right ones, and the line that made it.

    A frequency is measured from the turns of a pair from row to row, with the columns paired as `layout` says. A cross
    stands where two columns are not the sine and cosine of one angle.

    {parameters}

    Examples
    --------
    >>> Workbench().diagnosis.ok
    True
    >>> [finding.code for finding in Workbench(start=1).diagnosis.findings]
    ['start']
    """

    fields: ClassVar = (
        Integer("length", 50, 1, 512, reach=(1, 96), about="How many rows the encoding has"),
        Integer("d_model", 32, 1, 512, reach=(1, 96), about="How many columns it has"),
        Choice("rule", "as in the paper", tuple(RULES), moves=True, about="As for `broken_encoding`, all to the last"),
        Number("base", BASE, options=BASES, moves=True, about="The number that is raised to a power"),
        Choice("layout", "interleaved", LAYOUTS, moves=True, about="How the columns are paired"),
        Integer("start", 0, -(2**53), label="first position", reach=(-3, 20), moves=True, about="The first position"),
        Number("scale", 1.0, options=SCALES, moves=True, about="What the numbers are multiplied by"),
        Choice("numbers", "float64", NUMBERS, moves=True, about="What the numbers are stored as"),
        Tick("transposed", False, about="Whether rows are columns"),
        Matrix(
            "matrix", finite=False, about="Shown instead, 512 rows and columns at most; `base` is what it should have"
        ),
    )
    shown: ClassVar = ("rule", "base", "layout")
    play: ClassVar = "start"
    presets: ClassVar = {
        "most copied": {"rule": "column for pair"},
        "dots too low": {"rule": "ln as the exponent of ten"},
        "two mistakes": {"rule": "each column its own", "base": 1000.0},
        "three mistakes": {"layout": "swapped", "base": 1000.0, "scale": 2.0},
        "two halves": {"layout": "halves", "rule": "down to 1/base"},
        "two columns": {"d_model": 2, "base": 100.0},
    }
    pages: ClassVar = (
        {"start": range(-3, 21), "layout": LAYOUTS},
        {"rule": tuple(RULES), "base": BASES},
        {"rule": tuple(RULES), "layout": LAYOUTS},
        {"scale": SCALES, "transposed": (False, True)},
        {"numbers": NUMBERS, "transposed": (False, True)},
        {"rule": ("column for pair", "ln as the exponent of ten"), "start": FIRST},
        {"rule": ("each column its own",), "base": (1000.0,), "start": FIRST},
        {"rule": ("down to 1/base",), "layout": ("halves",), "start": FIRST},
        {"base": (1000.0,), "layout": ("swapped",), "scale": (2.0,), "start": FIRST},
        {"d_model": (2,), "base": BASES},
        {"d_model": (2,), "base": (100.0,), "start": FIRST},
    )
    question: ClassVar = "Which line of code made this matrix?"
    _for: State | None = None
    _given: tuple[np.ndarray, float, Diagnosis] | None = None  # a matrix, its base, and what was found in it

    @property
    def numbers(self) -> np.ndarray:
        """The matrix shown: float64."""
        return self._seen()[0]

    @property
    def diagnosis(self) -> Diagnosis:
        """What `diagnose` says of the matrix."""
        return self._seen()[1]

    @property
    def measured(self) -> tuple[np.ndarray, np.ndarray]:
        """The frequency measured for each pair, and whether it is one: two arrays of shape (columns // 2,)."""
        return self._seen()[2:]

    @property
    def in_question(self) -> tuple[np.ndarray, np.ndarray]:
        """Which rows, or which columns, differ from what the recipe makes without its mistakes: two arrays of bool.

        None is marked in a right matrix or a variant, and none where no program makes the numbers.
        """
        numbers, diagnosis = self._seen()[:2]
        off, right = np.zeros(numbers.shape, bool), _without_mistakes(diagnosis)
        if right is not None and right.shape == numbers.shape:
            off = ~(np.abs(numbers - right) <= 2 * (diagnosis.within or 0) + ROUNDING)
        rows, columns = np.asarray(off.any(axis=1)), np.asarray(off.any(axis=0))
        by_row = rows.sum() / max(len(rows) - 1, 1) < columns.mean()  # row 0 is right with any frequencies
        return rows & by_row, columns & (not by_row)

    def controlled(self) -> list[Field]:
        """Return the fields that have a control: of one's own matrix, the layout alone."""
        return [field for field in super().controlled() if field.name == "layout" or self.state["matrix"] is None]

    def says(self) -> str:
        first = "" if self.state["matrix"] is not None else here(f"First position {number(self.state['start'])}") + ": "
        verdict = self._verdict()
        return f"{first}{hold(verdict if first else verdict[0].upper() + verdict[1:])}."

    def words(self) -> str:
        s, (numbers, diagnosis, turns, are_pairs) = self.state, self._seen()
        frequency = f"{are_pairs.sum()} of {len(turns)} pairs of columns are sine and cosine of one angle"
        if are_pairs.any():
            first = ", ".join(f"{w:.4f}" if w >= 0.01 else f"{w:.2e}" for w in np.abs(turns[are_pairs])[:4])
            frequency += f"; the first of these turn by {first} radians per position"
        made = (
            f"It is made with frequencies {s['rule']}, base {s['base']:g}, {s['layout']}, positions from {s['start']}, "
            f"scale {s['scale']:.4g}, {s['numbers']}{', transposed' * s['transposed']}. "
        ) * (s["matrix"] is None)
        lines = [f"{one_line(one, 90)}; the encoding: {one_line(other, 70) or '-'}." for one, other in diagnosis.lines]
        said = one_line(" ".join(finding.message for finding in diagnosis.findings), 400)
        verdict = self._verdict()
        return (
            f"A matrix of {numbers.shape[0]} rows and {numbers.shape[1]} columns. {frequency}. "
            f"{hold(' '.join([f'{made}{verdict[0].upper()}{verdict[1:]}.', *lines[:3], said]).strip())}"
        )

    def lay(self) -> Elements:
        columns, pane = self.numbers.shape[1], self._pane()
        for power, said in ((-6, "≤10⁻⁶"), (-4, "10⁻⁴"), (-2, "0.01"), (0, "1")):
            yield level(pane, power)
            if not self.tall or power != -4:
                yield text(pane.left - 8, pane.y(power), said, T1, GREY, "end")
        yield from below(
            pane, sorted({0, columns // 2 - 1} if columns > 1 else ()), pane.bottom + (26 if self.tall else 18)
        )
        said = "speed of each pair: dots as measured, the line as it should be, × not a pair"
        yield text(*self._caption, "speed: dots measured, × not a pair" if self.tall else said, T1, GREY, "start")
        i = np.arange(columns // 2)
        ends = np.array([-0.4, 0.4]) if len(i) == 1 else i  # a line of one point would not be seen
        yield line(pane.x(ends), pane.y(np.log10(frequencies(columns, base=self._base)[i])), SINE, 2.5)
        if self.state["matrix"] is not None:
            yield boxes([*self._marks()], INK)

    def move(self) -> Elements:
        numbers, _, turns, are_pairs = self._seen()
        end, pane, place = _greatest(numbers), self._pane(), self._places.table
        yield Cells(np.where(np.isfinite(numbers), numbers, np.nan) / end, place)  # what is no number is grey
        yield box(*place, edge=LINE, width=1)
        middle = place[0] + place[2] * (0.5 if numbers.shape[1] > 1 else 0.25)  # a single column has its number there
        yield text(middle, place[1] + place[3] + 16, f"numbers to {end:.3g}" * (end > 1), T1, GREY)
        yield from self._ends(grid(place, *map(range, numbers.shape)))
        i = np.array(evenly(len(turns), DOTS), dtype=int)
        xs, pair, powers = pane.x(i), are_pairs[i], np.log10(np.maximum(np.abs(turns[i]), 10.0**LEAST))
        size = 10.0 if len(i) <= 20 else 7.0
        yield boxes(  # round ones, and none where there is no pair
            [
                (x - size / 2, y - size / 2, size * one, size * one)
                for x, y, one in zip(xs, pane.y(powers), pair, strict=True)
            ],
            INK,
            radius=size / 2,
        )
        shown = len(numbers) > 1
        yield line(np.add.outer(xs[~pair & shown], CROSS[0]), pane.y(MOST) + CROSS[1], INK, 2)
        (left, top, _, _), pitch = self._places.lines, self._places.pitch
        veils = [(left + 22, top + pitch * (k + 0.2), 300 - 40 * (k % 3), 0.6 * pitch) for k in range(8)]
        yield from answer(boxes(veils, kind="veil", radius=CORNER), Group("lines", [*self._lines()]))

    def _marks(self) -> Iterator[Place]:
        """Yield a bar over each run of columns in question, or beside each run of rows, whichever is more telling."""
        rows, columns = self.in_question
        (left, top, wide, high), by_row = self._places.table, rows.any()
        marked = np.flatnonzero(rows if by_row else columns)
        for run in np.split(marked, np.flatnonzero(np.diff(marked) > 1) + 1) if len(marked) else ():
            start, end = run[0] / len(rows if by_row else columns), (run[-1] + 1) / len(rows if by_row else columns)
            if by_row:
                yield left + wide + 4, top + start * high, 6.0, (end - start) * high
            else:
                yield left + start * wide, top - 7, (end - start) * wide, 4.0

    def _ends(self, pane: Pane) -> Elements:
        """Yield the first and the last position and column of the matrix; orange is the first position."""
        s, (rows, columns) = self.state, self.numbers.shape
        made = s["matrix"] is None
        down = made and s["transposed"]
        firsts = (0 if down or not made else s["start"]), (s["start"] if down else 0)
        most, y = pane.left - 12, pane.bottom + 16
        for k in sorted({0, rows - 1}):
            colour = HERE if made and not down and k == 0 else GREY
            yield text(pane.left - 8, pane.y(k), number(firsts[0] + k), T1, colour, "end", most=most)
        for k in sorted({0, columns - 1}):
            colour = HERE if down and k == 0 else GREY
            yield text(pane.x(k), y, number(firsts[1] + k), T1, colour)

    def _lines(self) -> Elements:
        """Yield the lines of code and of the diagnosis, the marked ones on a quiet ground; as many in every state."""
        (left, top, wide, high), pitch = self._places.lines, self._places.pitch
        most, indent = int(high / pitch), 22.0
        rows = self._rows()
        rows = rows if len(rows) <= most else [*rows[: most - 1], Row("…")]
        rows += [Row("")] * (most - len(rows))
        ys = top + pitch * (np.arange(most) + 0.5)
        yield boxes(
            [(left, y - pitch / 2, wide * row.marked, pitch) for y, row in zip(ys, rows, strict=True)],
            BAND,
            radius=CORNER,
        )
        for y, row in zip(ys, rows, strict=True):
            weight = "bold" if row.marked else "normal"
            yield text(left + 11, y, row.mark, T1, INK, weight="bold")
            yield text(left + indent, y, row.said, row.size, row.colour, "start", weight, most=wide - indent - 2)

    def targets(self) -> Targets:
        """Yield the matrix, which a click turns over, and the frequencies: a click says how low the lowest is."""
        if self.state["matrix"] is None:
            yield Target(self._places.table, sets={"transposed": not self.state["transposed"]})
            top, bottom = self._pane().y(np.array([-0.5, -0.5 - len(BASES)]))
            left, _, wide, _ = self._places.turns
            yield Target((left, top, wide, bottom - top), down=("base", BASES))

    @property
    def _places(self) -> Places:
        slide = kind_of(self.tall) == "slide"
        return TALL if self.tall else WIDE._replace(lines=(640, 2, 460, 436)) if slide else WIDE

    @property
    def _caption(self) -> tuple[float, float]:
        """Where the name of the lower part begins."""
        return (0.0, 282.0) if self.tall else (self._places.turns[0], 294.0)

    def _pane(self) -> Pane:
        return Pane(*self._places.turns, (-0.6, max(self.numbers.shape[1] // 2, 2) - 0.4), (LEAST, MOST))

    def _verdict(self) -> str:
        """Say in a few words what the diagnosis comes to."""
        numbers, diagnosis = self._seen()[:2]
        kinds, count = [finding.kind for finding in diagnosis.findings], len(diagnosis.lines)
        if "unresolved" in kinds:
            return "no program that we know makes these numbers"
        if "undecided" in kinds:
            return "more than one program makes these numbers"
        if diagnosis.ok and "too-small" in diagnosis.codes:
            return "these are too few numbers to tell"
        if diagnosis.ok and not count:
            return "every line is as in the paper, so this is the encoding"
        off, what = ~(np.abs(numbers - sinusoidal_encoding(*numbers.shape)) <= OFF).all(axis=0), "columns"
        if self.state["matrix"] is not None:
            rows, off = self.in_question
            off, what = (rows, "rows") if rows.any() else (off, what)
        columns = f"; {off.sum()} of {len(off)} {what} differ" * bool(off.any() or not diagnosis.ok)
        if not count:
            things = kinds.count("mistake")
            return f"{things if things > 1 else 'one'} thing{'s' * (things > 1)} to fix{columns}"
        wrong = count if diagnosis.ok else sum(row.mark == "×" for row in _code(diagnosis))
        lines = "one line is" if wrong == 1 else f"{wrong} lines are" if wrong else "something is"
        return f"{lines} {'not as in the paper, but no mistake' if diagnosis.ok else 'wrong'}{columns}"

    def _rows(self) -> list[Row]:
        """Return what is written: the recipe, what it gives and what the diagnosis says.

        A tall sheet has no room for the lines that are as they should be, where others are not.
        """
        diagnosis, most = self.diagnosis, self._places.letters
        code = [row._replace(size=T1 if self.tall else T2) for row in _code(diagnosis)]
        if self.tall and diagnosis.lines:
            code = [row for row in code if row.marked or row.mark]
        rows = [row._replace(said=said, mark=row.mark * first) for row in code for first, said in _wrapped(row, most)]
        if code:
            share = "all" if diagnosis.explained == 1 else f"{100 * min(diagnosis.explained or 0, 0.999):.3g} %"
            given = f"This makes {share} of the numbers, {diagnosis.nearness}."
            rows += [Row(said, colour=GREY) for said in wrap(_minus(given), most)]
        for finding in diagnosis.findings:
            rows += [Row(said, colour=INK) for said in wrap(_minus(finding.message), most + 5 * (not self.tall))]
        return rows

    def _seen(self) -> tuple[np.ndarray, Diagnosis, np.ndarray, np.ndarray]:
        """Return the matrix, its diagnosis and what is measured in it, made once for each state."""
        if self._for is not self.state:
            s, given = self.state, self.state["matrix"]
            made = s["length"], s["d_model"], *(s[name] for name in BROKEN)
            matrix, diagnosis = (given, self._diagnosed(given)) if given is not None else _diagnosed(*made)
            numbers = np.asarray(matrix, np.float64)
            self._what, self._for = (numbers, diagnosis, *_turns(numbers, s["layout"])), s
        return self._what

    def _diagnosed(self, matrix: np.ndarray) -> Diagnosis:
        """Return what is found in a matrix that was given, asked once whatever the layout."""
        if self._given is None or self._given[0] is not matrix or self._given[1] != self._base:
            self._given = matrix, self._base, diagnose(matrix, base=self._base)
        return self._given[2]

    @property
    def _base(self) -> float:
        """The base that the matrix should have."""
        return BASE if self.state["matrix"] is None else float(self.state["base"])


@lru_cache(maxsize=400)  # as many as a page has states, which are drawn wide and tall
def _diagnosed(length: int, d_model: int, *made: Any) -> tuple[np.ndarray, Diagnosis]:
    """Return a broken matrix, not to be written to, and what is found in it."""
    matrix = frozen(broken_encoding(length, d_model, **dict(zip(BROKEN, made, strict=True))))
    return matrix, diagnose(matrix)


def _code(diagnosis: Diagnosis) -> list[Row]:
    """Return the lines of the recipe, and below each that differs the encoding's."""
    right, rows = dict(diagnosis.lines), []
    for written in (diagnosis.recipe or "").splitlines()[2:]:  # below the import
        code, _, beside = written.partition("  # ")
        if code in right:
            rows.append(Row(code, "×" if beside.startswith("<--") else "≠", True))
            rows.append(Row(right[code] or "(the encoding has no such line)", "✓"))
        else:
            rows.append(Row(code, colour=GREY if right else INK))
    return rows


def _without_mistakes(diagnosis: Diagnosis) -> np.ndarray | None:
    """Return what the recipe makes with the encoding's line in place of each mistake; None without a recipe."""
    right, lines = dict(diagnosis.lines), (diagnosis.recipe or "").splitlines()
    if not lines:
        return None
    split = [written.partition("  # ") for written in lines]
    code = [right[code] if beside.startswith("<--") and code in right else code for code, _, beside in split]
    names: dict[str, Any] = {}
    exec("\n".join(code), names)
    return np.asarray(names["matrix"])


def _minus(said: str) -> str:
    """Write hyphens that mean minus as such."""
    return re.sub(r"(?<![A-Za-z])-|-(?=\d)", "−", said)


def _wrapped(row: Row, most: int) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a line of code that is too long, and whether each is the first."""
    for k, said in enumerate(wrap(_minus(row.said), most, subsequent_indent="    ") or [""]):
        yield k == 0, said


def _turns(matrix: np.ndarray, layout: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean turn of each pair from row to row, and whether it moves and keeps its length in (nearly) all."""
    matrix = matrix / _greatest(matrix)
    pairs, half = matrix.shape[1] // 2, (matrix.shape[1] + (layout == "halves")) // 2
    one, other = matrix[:, :pairs], matrix[:, half : half + pairs]
    if layout in ("interleaved", "swapped"):
        one, other = matrix[:, 0 : 2 * pairs : 2], matrix[:, 1 : 2 * pairs : 2]
    with np.errstate(invalid="ignore"):
        points = other + 1j * one
        lengths = np.abs(points)
        usual = np.median(lengths, axis=0)
        same = np.mean(np.abs(lengths - usual) <= 1e-3 * usual, axis=0) >= TELLING
        turns = np.angle((points[1:] * points[:-1].conj()).sum(axis=0))
        moves = (points != points[:1]).any(axis=0)
    are_pairs = same & (usual > 0) & np.isfinite(turns) & moves
    return np.where(are_pairs, turns, 0.0), are_pairs


def _greatest(numbers: np.ndarray) -> float:
    """Return the end of the colours: 1, or the size of the greatest number."""
    return max(1.0, float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0)))
