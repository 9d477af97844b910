"""Two halves become one matrix: each number glides through stack and reshape, and keeps its colour and its shape."""

from typing import ClassVar

import numpy as np

from pe_lib.encoding import encode_positions
from pe_lib.pictures.colours import BAND, GREY, INK, ORANGE, colour_of, on
from pe_lib.pictures.fields import Choice, Integer
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, TALK, Elements, answer, area, box, boxes, line, text
from pe_lib.pictures.writing import hold, rounded

AXES: dict[str, int | None] = {"stack axis=2": 2, "stack axis=1": 1, "stack axis=0": 0, "concatenate": None}
ENDINGS = tuple(AXES)
LAST = 20  # the step at which the matrix is there
CARDS = ((14.0, 272.0), (311.0, 450.0), (786.0, 304.0))  # for each line of NumPy: from where, and how wide
TOP, HIGH = 136.0, 262.0  # of the cells
BETWEEN = (90.0, 30.0, 12.0)  # the two halves, the groups of a row, the blocks of a stack


class StackAndFlatten(Picture):
    """Move the sines and the cosines of an encoding (Vaswani et al. 2017, section 3.5), step by step, into one matrix.

    Sines have square cells, cosines round ones. On their way only the number to follow is written.

    {parameters}

    Examples
    --------
    >>> StackAndFlatten(length=10, ending="stack axis=2").verdict
    '✓ pe equals the encoding: sine and cosine take turns in every row'
    >>> StackAndFlatten(length=10, ending="stack axis=0").verdict
    '✗ Not the encoding: row 1 holds sin of pos 2, 3'
    """

    fields: ClassVar = (
        Integer("step", 0, 0, LAST, moves=True, about="0: two halves, 10: what np.stack makes of them, 20: the matrix"),
        Choice("ending", ENDINGS[0], ENDINGS, about="How the halves meet; what is stacked is then reshaped"),
        Integer("length", 4, 2, 10, about="How many positions there are"),
        Integer("d_model", 6, 2, 8, step=2, about="The width, even: np.stack takes as many sines as cosines"),
        Integer("row", 1, 0, lambda s: s["length"] - 1, moves=True, about="The row of the number to follow"),
        Integer("column", 2, 0, lambda s: s["d_model"] - 1, moves=True, about="The column of that number"),
    )
    shown: ClassVar = ("ending", "row", "column")
    play: ClassVar = "step"
    presets: ClassVar = {
        "stacked": {"step": 10, "ending": "stack axis=2"},
        "flattened": {"step": LAST, "ending": "stack axis=2"},
        "axis 1": {"step": LAST, "ending": "stack axis=1"},
        "axis 0": {"step": LAST, "ending": "stack axis=0"},
        "side by side": {"step": LAST, "ending": "concatenate"},
        "ten rows": {"step": 0, "ending": "stack axis=2", "length": 10, "d_model": 6},
    }
    pages: ClassVar = (
        {"step": range(LAST + 1), "ending": ENDINGS},
        {"step": (0, 10, LAST), "row": range(4), "column": range(6)},
        {"step": (10, LAST), "ending": ENDINGS, "row": range(4)},
        {"step": (10, LAST), "ending": ENDINGS, "column": range(6)},
        {"step": range(LAST + 1), "row": (3,), "column": (5,)},
        {"step": range(LAST + 1), "length": (10,)},
        {"step": (0, 10, LAST), "ending": ENDINGS, "d_model": (4, 8)},
        {"step": (0, 10, LAST), "ending": ENDINGS, "length": (5, 10)},
    )

    @property
    def matrix(self) -> np.ndarray:
        """What the lines of NumPy end in: shape (length, d_model)."""
        return np.take(self._numbers(), self._stages()[-1][1]["pe"])

    @property
    def verdict(self) -> str:
        """Whether that matrix is the encoding, and what it is if not."""
        s, positions = self.state, np.arange(self.state["length"])
        if np.allclose(self.matrix, encode_positions(positions, s["d_model"])):
            return "✓ pe equals the encoding: sine and cosine take turns in every row"
        if np.allclose(self.matrix, encode_positions(positions, s["d_model"], layout="halves")):
            return "Another layout, the halves: each row has its own numbers, all sines first"
        return f"✗ Not the encoding: row {s['row']} holds {self._source(self._stages()[-1][1]['pe'][s['row']])}"

    def words(self) -> str:
        s, (stage, along), stages, verdict = self.state, self._progress(), self._stages(), ""
        names, path = [" and ".join(arrays) for _, arrays in stages], self._path()[: stage + 1]
        made = "; ".join(f"{code} has shape {array.shape}" for code, arrays in stages[1:] for array in arrays.values())
        blocks = stage == 1 and AXES[s["ending"]] == 0  # its first axis does not count positions
        shown = " and ".join(
            f"{name}[{':, ' * blocks}{s['row']}] is "
            f"{_written(np.take(self._numbers(), array[:, s['row']] if blocks else array[s['row']]))}"
            for name, array in stages[stage][1].items()
        )
        if along:
            shown = f"the numbers are {along:.0%} of the way from {names[stage]} to {names[stage + 1]}"
        if s["step"] == LAST:
            shown, path[-1], verdict = hold(shown), hold(path[-1]), f" {hold(self.verdict)}."
        return (
            f"Step {s['step']} of {LAST}. The sines, in square cells, and the cosines, in round ones, of {s['length']} "
            f"positions, each of shape {stages[0][1]['even'].shape}; {made}. Now {shown}. The framed number, "
            f"PE({s['row']}, {s['column']}) = {rounded(self._numbers()[s['row'] * s['d_model'] + s['column']])}, is "
            f"{', then '.join(path)}.{verdict}"
        )

    def lay(self) -> Elements:
        """Yield the lines of NumPy, and the shapes that they give."""
        for (code, arrays), (left, wide) in zip(self._stages(), CARDS, strict=False):
            shape = next(iter(arrays.values())).shape
            yield box(left, 4, wide, 94, BAND, radius=8)
            yield text(left + wide / 2, 22, code.split(" = ")[-1], most=wide - 12)
            yield text(left + wide / 2, 50, f"2 × {shape}" if len(arrays) > 1 else f"{shape}", weight="bold")
            if len(arrays) == 1:
                yield line([left - 22, left - 13], 51, GREY)
                yield area([left - 3, left - 13, left - 13], [51, 55.5, 46.5], GREY)

    def move(self) -> Elements:
        """Yield the numbers in their cells, where they are now, and the place of the one to follow."""
        s, (stage, along), path = self.state, self._progress(), self._path()
        at_work, last = stage + (along > 0), len(path) - 1
        yield box(CARDS[at_work][0], 4, CARDS[at_work][1], 94, edge=INK, width=3, radius=8)
        wanted = f"pe[{s['row']}, {s['column']}]"
        for k, (place, (left, wide)) in enumerate(zip(path[: stage + 1], CARDS, strict=False)):
            wrong = k == last and place != wanted
            said = f"PE({wanted[3:-1]}) is {place}" if k == 0 else f"{place}, not {wanted}" if wrong else place
            where = text(left + wide / 2, 78, said, colour=ORANGE if wrong else INK, most=wide - 8)
            yield from answer(where) if k == last else (where,)
        (wide, high), ends = self._cell(), self._places(at_work)
        eased = along * along * (3 - 2 * along)
        moved = [*self._cells((1 - eased) * self._places(stage) + eased * ends, along == 0)]
        moved += () if along else self._labels(stage)
        if at_work < last:
            yield from moved
            return
        empty = [(x - wide / 2 + 2, y - high / 2 + 2, wide - 4, high - 4) for x, y in sorted(ends.tolist())]
        yield from answer(*moved, question=[boxes(empty, BAND, GREY, 1), text(550, TOP + HIGH / 2, "?", 120, GREY)])
        if s["step"] == LAST:
            ink = INK if self.verdict.startswith("✓") else ORANGE
            yield from answer(text(550, 420, self.verdict, colour=ink, weight="bold", most=1080))

    def targets(self) -> Targets:
        """Yield the cells at rest: a click follows the number there, or in the matrix the one that should be there."""
        (stage, along), (wide, high), d_model = self._progress(), self._cell(), self.state["d_model"]
        screen, places = self._screen(stage), self._places(stage)
        for block, group in () if along else np.ndindex(screen.shape[0], screen.shape[2]):
            part = screen[block, :, group]
            rows, columns = (part[:, 0] // d_model).tolist(), (part[0] % d_model).tolist()
            if "pe" in self._stages()[stage][1]:
                rows, columns = range(self.state["length"]), range(d_model)
            left, top = places[part[0, 0]] - [wide / 2, high / 2]
            yield Target((left, top, wide * part.shape[1], high * len(part)), ("column", columns), ("row", rows))

    # What NumPy makes of the two halves. Every number has an index, row · d_model + column of where the encoding has
    # it, even for a sine and odd for a cosine, and NumPy moves the indices.

    def _numbers(self) -> np.ndarray:
        """Return all numbers in the order of their indices."""
        return encode_positions(np.arange(self.state["length"]), self.state["d_model"]).ravel()

    def _stages(self) -> list[tuple[str, dict[str, np.ndarray]]]:
        """Return the arrays of indices there are at the start and after each line, by name, and that line."""
        shape, axis = (self.state["length"], self.state["d_model"]), AXES[self.state["ending"]]
        table = np.arange(shape[0] * shape[1]).reshape(shape)
        even, odd = table[:, 0::2], table[:, 1::2]
        first = "even, odd", {"even": even, "odd": odd}
        if axis is None:
            return [first, ("pe = np.concatenate([even, odd], axis=1)", {"pe": np.concatenate([even, odd], axis=1)})]
        stacked = np.stack([even, odd], axis=axis)
        second = f"stacked = np.stack([even, odd], axis={axis})", {"stacked": stacked}
        return [first, second, (f"pe = stacked.reshape{shape}", {"pe": stacked.reshape(shape)})]

    def _path(self) -> list[str]:
        """Return where the number to follow is in each stage, as NumPy would be asked for it."""
        followed = self.state["row"] * self.state["d_model"] + self.state["column"]
        named = [item for _, arrays in self._stages() for item in arrays.items()]
        return [f"{name}{at.tolist()}" for name, array in named for at in np.argwhere(array == followed)]

    def _source(self, indices: np.ndarray) -> str:
        """Say in few words whose numbers these are."""
        halves = (indices[indices % 2 == half] // self.state["d_model"] for half in (0, 1))
        sines, cosines = (", ".join(map(str, np.unique(positions))) for positions in halves)
        if sines == cosines:
            return f"pos {sines}"
        said = f"sin of pos {sines}" if sines else f"cos of pos {cosines}"
        return f"{said}, cos of {cosines}" if sines and cosines else said

    def _progress(self) -> tuple[int, float]:
        """Return the stage that was reached last, and what part of the way to the next is done."""
        stage, rest = divmod(self.state["step"] * (len(self._stages()) - 1), LAST)
        return stage, rest / LAST

    # Where everything is drawn.

    def _screen(self, stage: int) -> np.ndarray:
        """Return a stage's indices as they stand on the sheet: shape (blocks, rows, groups in a row, columns)."""
        arrays = [*self._stages()[stage][1].values()]
        if arrays[0].ndim == 2:
            return np.stack(arrays, axis=1)[np.newaxis]
        return np.expand_dims(arrays[0], 2 if AXES[self.state["ending"]] == 0 else 0)

    def _cell(self) -> tuple[float, float]:
        """Return how wide and how high a cell is."""
        blocks = 2 if AXES[self.state["ending"]] == 0 else 1
        high = (HIGH - BETWEEN[2] * (blocks - 1)) / (blocks * self.state["length"])
        return min(120.0, 640 / self.state["d_model"]), min(66.0, high)

    def _places(self, stage: int) -> np.ndarray:
        """Return the centre of every number, by its index: shape (length · d_model, 2)."""
        screen, (wide, high) = self._screen(stage), self._cell()
        block, row, group, column = np.indices(screen.shape)
        x = (group * screen.shape[3] + column) * wide + group * BETWEEN[min(stage, 1)]
        y = (block * screen.shape[1] + row) * high + block * BETWEEN[2]
        places = np.empty((screen.size, 2))
        places[screen] = np.stack([x - x.mean() + 550, y - y.mean() + TOP + HIGH / 2], axis=-1)
        return places

    def _cells(self, places: np.ndarray, at_rest: bool) -> Elements:
        """Yield the cells, those of the position to follow above the others, and its number on top."""
        s, numbers, (wide, high) = self.state, self._numbers(), self._cell()
        rows, columns = np.divmod(np.arange(len(numbers)), s["d_model"])
        chosen, followed = rows == s["row"], (rows == s["row"]) & (columns == s["column"])
        for k in np.lexsort([followed, chosen]).tolist():
            edge, width = (ORANGE, 5.0) if followed[k] else (INK, 2.5) if chosen[k] else (GREY, 0.8)
            left, top = places[k] - [wide / 2 - 2, high / 2 - 2]
            look = colour_of(numbers[k]), edge, width
            yield box(left, top, wide - 4, high - 4, *look, radius=0.4 * (high - 4) * (k % 2))
        size = min(26.0, wide / 3.2, max(SMALL, 0.62 * high))
        for k in np.flatnonzero((followed | at_rest) & (high > 17)).tolist():
            yield text(places[k, 0], places[k, 1], rounded(numbers[k], 2), size, on(numbers[k]))

    def _labels(self, stage: int) -> Elements:
        """Yield the kind and index of each column of a stage's arrays, and the positions of each row."""
        places, arrays, (wide, high) = self._places(stage), self._stages()[stage][1], self._cell()
        table = self._screen(stage).reshape(-1, self._screen(stage)[0, 0].size)
        (left, above), (right, _) = places.min(axis=0), places.max(axis=0)
        for j, column in enumerate(table.T):
            kind = ("sin ", "cos ")[column[0] % 2] if len({*(column % 2)}) == 1 else ""
            index = j if "pe" in arrays else column[0] % self.state["d_model"] // 2
            yield text(places[column[0], 0], above - high / 2 - 17, f"{kind}{index}", colour=GREY)
        left, right, size = left - wide / 2 - 20, right + wide / 2 + 20, TALK if high > 24 else SMALL
        for row, indices in list(enumerate(table))[:: 1 if high > 15 else 2]:
            y, source = places[indices[0], 1], self._source(indices)
            yield text(left, y, f"row {row}" if "pe" in arrays else source, size, align="end")
            if "pe" in arrays:
                yield text(right, y, source, size, GREY, "start", most=1090 - right)


def _written(numbers: np.ndarray) -> str:
    """Write an array as NumPy would, on one line."""
    return f"[{', '.join(map(_written, numbers))}]" if np.ndim(numbers) else rounded(float(numbers), 2)
