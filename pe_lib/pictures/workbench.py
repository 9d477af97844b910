"""A matrix in question, with its frequencies and the line that made it."""

from textwrap import wrap
from typing import Any, ClassVar

import numpy as np

from pe_lib.clinic import LAYOUTS, NUMBERS, RULES, broken_encoding
from pe_lib.diagnosis import Diagnosis, diagnose
from pe_lib.encoding import frequencies
from pe_lib.pictures.colours import BLUE, GREEN, GREY, INK, ORANGE, YELLOW
from pe_lib.pictures.fields import Choice, Field, Integer, Matrix, Number, State, Tick
from pe_lib.pictures.panes import Pane
from pe_lib.pictures.parts import below, level
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, TALK, Element, Elements, Text, answer, box, discs, line, text
from pe_lib.pictures.side_by_side import HEAD, greatest, table
from pe_lib.pictures.writing import evenly, hold, one_line

BROKEN = ("rule", "base", "layout", "start", "scale", "numbers", "transposed")
BASES, SCALES = (10.0, 100.0, 1000.0, 10_000.0, 100_000.0), (0.25, 0.5, 1.0, 2.0, 4.0)
FIRST = range(-3, 5)  # first positions that broken matrices have on pages
LEAST, MOST = -6, 1  # powers of ten: frequencies that are shown, in radians per position
DOTS = 64  # pairs at most that have one
TELLING = 0.8  # of the rows, from which on a pair of columns is taken for the sine and cosine of one angle
CROSS = np.array([-5, 5, np.nan, -5, 5]), np.array([-5, 5, 0, 5, -5])  # two strokes

TABLE, TURNS, SAID = (66, 46, 270, 162), (66, 268, 270, 112), (392, 62, 696, 372)  # left, top, width, height


class Workbench(Picture):
    """Show a matrix, the frequencies measured in it beside the right ones, and the line that made it.

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
        Number("base", 10_000.0, options=BASES, moves=True, about="The number that is raised to a power"),
        Choice("layout", "interleaved", LAYOUTS, moves=True, about="How the columns are paired"),
        Integer("start", 0, -(2**53), label="first position", reach=(-3, 20), moves=True, about="The first position"),
        Number("scale", 1.0, options=SCALES, moves=True, about="What the numbers are multiplied by"),
        Choice("numbers", "float64", NUMBERS, moves=True, about="What the numbers are stored as"),
        Tick("transposed", False, about="Whether rows are columns"),
        Matrix("matrix", finite=False, about="Shown instead, up to 512 rows and columns; then only `layout` counts"),
    )
    shown: ClassVar = ("rule", "base", "layout")
    play: ClassVar = "start"
    presets: ClassVar = {
        "most copied mistake": {"rule": "column for pair"},
        "dots below the line": {"rule": "ln under 10 to the power"},
        "two mistakes": {"rule": "each column its own", "base": 1000.0},
        "three mistakes": {"layout": "swapped", "base": 1000.0, "scale": 2.0},
        "two halves": {"layout": "halves", "rule": "down to 1/base"},
        "two columns": {"d_model": 2, "base": 100.0},
    }
    pages: ClassVar = (
        {"start": range(-3, 21), "layout": LAYOUTS},
        {"rule": tuple(RULES), "base": BASES},
        {"rule": tuple(RULES), "layout": LAYOUTS},
        {"scale": SCALES, "numbers": NUMBERS, "transposed": (False, True)},
        {"rule": ("column for pair", "ln under 10 to the power"), "start": FIRST},
        {"rule": ("each column its own",), "base": (1000.0,), "start": FIRST},
        {"rule": ("down to 1/base",), "layout": ("halves",), "start": FIRST},
        {"base": (1000.0,), "layout": ("swapped",), "scale": (2.0,), "start": FIRST},
        {"d_model": (2,), "base": BASES},
        {"d_model": (2,), "base": (100.0,), "start": FIRST},
    )
    _for: State | None = None

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

    def controlled(self) -> list[Field]:
        """Return the fields that have a control: of one's own matrix, the layout alone."""
        return [field for field in super().controlled() if field.name == "layout" or self.state["matrix"] is None]

    def words(self) -> str:
        """Say in words what is to be seen, with the whole diagnosis."""
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
        return (
            f"A matrix of {numbers.shape[0]} rows and {numbers.shape[1]} columns. {frequency}. "
            f"{hold(' '.join([f'{made}{_verdict(diagnosis)}.', *lines[:3], said]).strip())}"
        )

    def behind(self) -> tuple[Any, ...]:
        """Return what the background depends on: on the lines of the recipe that are as in the encoding as well."""
        return (*super().behind(), _said(self.diagnosis)[0])

    def lay(self) -> Elements:
        """Yield the axes, the frequencies of the paper, and what is said until another line is the wrong one."""
        columns, pane = self.numbers.shape[1], self._pane()
        yield text(TURNS[0] + TURNS[2] / 2, 250, "frequency of each pair", most=330)
        for power, said in enumerate(("≤10⁻⁶", "", "10⁻⁴", "", "0.01", "", "1", ""), start=LEAST):
            yield level(pane, power)
            yield text(pane.left - 8, pane.y(power), said, SMALL, GREY, "end")
        yield from below(pane, sorted({0, columns // 2 - 1} if columns > 1 else ()), 396)
        i = np.arange(columns // 2)
        ends = np.array([-0.4, 0.4]) if len(i) == 1 else i  # a line of one point would not be seen
        yield line(pane.x(ends), pane.y(np.log10(frequencies(columns)[i])), BLUE, 3)
        yield line([36, 64], 424, BLUE, 3)
        yield discs(146, 424, 5, ORANGE, INK, 0.8)
        yield text(262, 424, "×", weight="bold")
        for x, said in ((70, "paper"), (158, "measured"), (274, "no pair")):
            yield text(x, 424, said, SMALL, GREY, "start")
        asked = ("?", 170, 150, "bold"), ("What made this matrix?", 300, HEAD, "normal")
        hidden = [text(SAID[0] + SAID[2] / 2, y, said, size, weight=weight) for said, y, size, weight in asked]
        yield from answer(*_said(self.diagnosis)[0], question=hidden)

    def move(self) -> Elements:
        """Yield the matrix, the frequencies in it, and the line that made it."""
        numbers, diagnosis, turns, are_pairs = self._seen()
        end, pane = greatest(numbers), self._pane()
        most = f", to {end:.3g}" if end > 1 else ""
        yield text(200, 24, f"{numbers.shape[0]} × {numbers.shape[1]} numbers{most}", most=360)
        yield from table(numbers, end, TABLE)
        i = np.array(evenly(len(turns), DOTS), dtype=int)
        xs, pair, powers = pane.x(i), are_pairs[i], np.log10(np.maximum(np.abs(turns[i]), 10.0**LEAST))
        yield discs(xs[pair], pane.y(powers[pair]), 5 if len(i) <= 20 else 3.5, ORANGE, INK, 0.8)
        if len(numbers) > 1:
            yield line(np.add.outer(xs[~pair], CROSS[0]), pane.y(MOST) + CROSS[1], INK, 2)
        yield from answer(*_said(diagnosis)[1])

    def targets(self) -> Targets:
        """Yield the matrix, which a click turns over, and the frequencies: a click says how low the lowest is."""
        if self.state["matrix"] is None:
            yield Target(TABLE, sets={"transposed": not self.state["transposed"]})
            top, bottom = self._pane().y(np.array([-0.5, -0.5 - len(BASES)]))
            yield Target((TURNS[0], top, TURNS[2], bottom - top), down=("base", BASES))

    def _pane(self) -> Pane:
        return Pane(*TURNS, (-0.6, max(self.numbers.shape[1] // 2, 2) - 0.4), (LEAST, MOST))

    def _seen(self) -> tuple[np.ndarray, Diagnosis, np.ndarray, np.ndarray]:
        """Return the matrix, its diagnosis and what is measured in it, made once for each state."""
        if self._for is not self.state:
            s, given = self.state, self.state["matrix"]
            if given is None:
                given = broken_encoding(s["length"], s["d_model"], **{name: s[name] for name in BROKEN})
            numbers = np.asarray(given, np.float64)
            self._what, self._for = (numbers, diagnose(given), *_turns(numbers, s["layout"])), s
        return self._what


def _verdict(diagnosis: Diagnosis) -> str:
    """Say in a few words what the diagnosis comes to."""
    kinds = [finding.kind for finding in diagnosis.findings]
    wrong = [mark for _, mark, _ in _rows(diagnosis)].count("✗")
    if "open" in kinds:
        return "? No program is known"
    if "undecided" in kinds:
        return "? More than one cause fits"
    if diagnosis.ok and "too-small" in diagnosis.codes:
        return "? Too few numbers to tell"
    if diagnosis.ok:
        return "✓ No mistake" if diagnosis.findings else "✓ This is the encoding"
    if wrong:
        return "✗ This line made your matrix" if wrong == 1 else f"✗ These {wrong} lines made your matrix"
    return f"✗ {kinds.count('mistake')} things to mend" if kinds.count("mistake") > 1 else "✗ One thing to mend"


def _rows(diagnosis: Diagnosis) -> list[tuple[str, str, str]]:
    """Return the lines of the recipe, and below each that differs the encoding's: code, mark, colour."""
    right, rows = dict(diagnosis.lines), []
    for written in (diagnosis.recipe or "").splitlines()[2:]:  # below the import
        code, _, beside = written.partition("  # ")
        if code in right:
            rows.append((code, "✗" if beside.startswith("<--") else "≠", INK))
            rows.append((right[code] or "the encoding has no such line", "✓", GREEN))
        else:
            rows.append((code, "", GREY if right else INK))
    return rows


def _said(diagnosis: Diagnosis) -> tuple[tuple[Text, ...], list[Element]]:
    """Return the verdict, the lines as in the encoding and what they give; and the other lines, with the sentences.

    Sentences stand below the recipe if they fit, and in its place where there is none.
    """
    left, top, wide, high = SAID
    messages = [finding.message for finding in diagnosis.findings]
    rows = _rows(diagnosis) or [(said, "", INK) for message in messages for said in wrap(message, 53)]
    pitch = max(min(30.0, (high - 24) / len(rows)), 20.0)
    most = int((high - 24) / pitch)
    rows = rows if len(rows) <= most else [*rows[: most - 1], ("…", "", INK)]
    same, other = [text(left, 30, _verdict(diagnosis), HEAD, align="start", weight="bold")], list[Element]()
    for y, (said, mark, colour) in zip(np.arange(top + pitch / 2, 440, pitch), rows, strict=False):
        size = max(SMALL, min(TALK, 0.76 * pitch))
        told = text(left + 28, y, said, size, colour, "start", most=wide - 28)
        marked = text(left + 10, y, mark, size, ORANGE if mark == "✗" else colour, weight="bold")
        if mark in ("✗", "≠"):
            other += [box(left - 8, y - pitch / 2, wide + 16, pitch, YELLOW), marked, told]
        else:
            same += [marked, told]
    if diagnosis.recipe:
        share = "all" if diagnosis.explained == 1 else f"{100 * min(diagnosis.explained or 0, 0.999):.3g} %"
        more = [said for message in messages for said in wrap(message, 76)]
        y = top + len(rows) * pitch + 16
        given = f"This gives {share} of your numbers, {diagnosis.nearness}."
        same.append(text(left + 28, y, given, SMALL, GREY, "start"))
        for k, said in enumerate(more if top + len(rows) * pitch + 21 * len(more) <= 410 else [], 1):
            other.append(text(left + 28, y + 21 * k, said, SMALL, GREY, "start", most=wide - 28))
    return tuple(same), other


def _turns(matrix: np.ndarray, layout: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean turn of each pair from row to row, and whether the pair keeps its length in (nearly) all rows."""
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
    are_pairs = same & (usual > 0) & np.isfinite(turns) & (len(matrix) > 1)
    return np.where(are_pairs, turns, 0.0), are_pairs
