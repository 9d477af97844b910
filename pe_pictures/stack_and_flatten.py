"""Two halves become one matrix: each number glides through stack and reshape, and keeps its colour and its shape."""

from typing import ClassVar

import numpy as np

from pe_lib.encoding import encode_positions
from pe_pictures.colours import GREY, HERE, PAPER, colour_of
from pe_pictures.fields import Choice, Integer, State
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import CORNER, T1, T2, Element, Elements, Group, answer, box, text
from pe_pictures.writing import here, hold, rounded

AXES: dict[str, int | None] = {"stack axis=2": 2, "stack axis=1": 1, "stack axis=0": 0, "concatenate": None}
ENDINGS = tuple(AXES)
CONCATENATE = ENDINGS[-1]
BETWEEN = (90.0, 30.0, 12.0)  # the two halves, the groups of a row, the blocks of a stack


def _last(state: State) -> int:
    """Return the step at which the matrix is there."""
    return 1 if state["ending"] == CONCATENATE else 2


class StackAndFlatten(Picture):
    """Move the sines and the cosines of an encoding (Vaswani et al. 2017, section 3.5), line by line, into one matrix.

    Cells of sines have square corners, cells of cosines round ones, and each number stays in its cell on its way.

    {parameters}

    Examples
    --------
    >>> StackAndFlatten(length=10, ending="stack axis=2").verdict
    '✓ pe equals the encoding: sine and cosine alternate in every row'
    >>> StackAndFlatten(length=10, ending="stack axis=0").verdict
    '✗ Not the encoding: row 0 holds sin of pos 0, 1'
    """

    fields: ClassVar = (
        Choice("ending", ENDINGS[0], ENDINGS, about="How the tables meet; what is stacked is then reshaped"),
        Integer("step", 0, 0, _last, moves=True, about="0: two tables, 1: what np.stack makes of them, 2: the matrix"),
        Integer("length", 4, 2, 10, about="How many positions there are"),
        Integer("d_model", 6, 2, 8, step=2, about="The width, even: np.stack takes as many sines as cosines"),
        Integer("row", 1, 0, lambda s: s["length"] - 1, about="The row of the number to follow"),
        Integer("column", 2, 0, lambda s: s["d_model"] - 1, about="The column of that number"),
    )
    shown: ClassVar = ("ending", "row", "column")
    play: ClassVar = "step"
    pace: ClassVar = 0.6  # slowly, so that the eye can follow a number
    presets: ClassVar = {
        "stack axis=2": {"ending": "stack axis=2"},
        "axis 1": {"ending": "stack axis=1"},
        "axis 0": {"ending": "stack axis=0"},
        "concatenate": {"ending": CONCATENATE},
        "four rows": {"length": 4},
        "ten rows": {"length": 10},
    }
    pages: ClassVar = (
        {"step": range(3), "ending": ENDINGS, "row": range(4), "column": range(6)},
        {"step": range(3), "ending": ENDINGS, "length": (10,)},
        {"step": range(3), "ending": ENDINGS, "d_model": (4, 8)},
    )
    question: ClassVar = "Where does each number end up?"
    opens: ClassVar = True

    @property
    def matrix(self) -> np.ndarray:
        """What the lines of NumPy end in: shape (length, d_model)."""
        return np.take(self._numbers(), self._stages()[-1][1]["pe"])

    @property
    def verdict(self) -> str:
        """Whether that matrix is the encoding, and what it is if not."""
        s, positions = self.state, np.arange(self.state["length"])
        if np.allclose(self.matrix, encode_positions(positions, s["d_model"])):
            return "✓ pe equals the encoding: sine and cosine alternate in every row"
        if np.allclose(self.matrix, encode_positions(positions, s["d_model"], layout="halves")):
            return "Another layout, the halves: each row has its own numbers, all sines first"
        return f"✗ Not the encoding: row {self._landed[0]} holds {self._landed[1]}"

    def says(self) -> str:
        s, row, step = self.state, here(f"row {self.state['row']}"), self.state["step"]
        first = row.replace("row", "Row")
        if step == 0:
            return f"{first} lies in two tables: its sines in one, its cosines in the other."
        if step < _last(s):
            done = {
                2: "each sine is next to its own cosine",
                1: "all its sines first, then all its cosines",
                0: "all sines are in one block, all cosines in the next",
            }
            return f"Stacked, {row}: {hold(done[AXES[s['ending']] or 0])}."
        if self.verdict.startswith("✓"):
            return f"{first}: {hold('sine and cosine alternate')}, and this is the encoding."
        if self.verdict.startswith("Another"):
            return f"{first}: {hold('its own numbers, all sines first')}. This is the other layout, the halves."
        landed, holds = self._landed
        return f"{here(f'Row {landed}')} is {hold(f'not the encoding: it holds {holds}')}."

    def words(self) -> str:
        s, stages, path = self.state, self._stages(), self._path()
        made = "; ".join(f"{code} has shape {array.shape}" for code, arrays in stages[1:] for array in arrays.values())
        place = path[s["step"]]
        return (
            f"Step {s['step']} of {_last(s)}. The sines and the cosines of {s['length']} positions, each of shape "
            f"{stages[0][1]['even'].shape}; {made}. The number to follow, PE({s['row']}, {s['column']}) = "
            f"{rounded(self._numbers()[self._followed])}, is now {hold(place) if s['step'] == _last(s) else place}."
        )

    def lay(self) -> Elements:
        for (code, arrays), x in zip(self._stages(), self._stops, strict=True):
            shape = next(iter(arrays.values())).shape
            said = f"2 × {shape}" if len(arrays) > 1 else f"{shape}"
            line = code.split(" = ")[-1]
            if self.tall:
                line = line.replace("np.", "").replace("stacked.", "").replace("[even, odd], ", "")
            yield text(x, self.size[1] - 44, line, T1, GREY, most=340)
            yield text(x, self.size[1] - (12 if self.tall else 18), said, T1, GREY)

    def move(self) -> Elements:
        s, step, numbers = self.state, self.state["step"], self._numbers()
        places, (wide, high) = self._places(step), self._cell()
        round_corner = 0.4 * (high - 4)  # of a cosine's cell
        cells = [(x - wide / 2 + 2, y - high / 2 + 2, wide - 4, high - 4) for x, y in places.tolist()]
        parts: list[Element] = []
        for k, cell in enumerate(cells):
            parts.append(box(*cell, colour_of(numbers[k]), radius=round_corner if k % 2 else 0.0))
        for k, (x, y) in enumerate(places.tolist()):
            said = rounded(numbers[k], 1 if wide < 58 else 2) if high > 20 else ""
            parts.append(text(x, y, said, T1 if high < 32 or self.tall else T2, most=wide))
        corner = round_corner if self._followed % 2 else CORNER
        for colour, width in ((PAPER, 7.0), (HERE, 3.0)):
            parts.append(box(*cells[self._followed], "", colour, width, radius=corner))
        parts += self._labels(step)
        yield Group("answer" if step == _last(s) else "cells", parts)
        size, y = (T1, self.size[1] - 78) if self.tall else (T2, self.size[1] - 70)
        for n, (place, x) in enumerate(zip(self._path(), self._stops, strict=True)):
            where = text(x, y, place if n <= step else "", size, HERE if n == step else GREY, weight="bold")
            yield from answer(where) if n == _last(s) else (where,)

    def targets(self) -> Targets:
        step, (wide, high), d_model = self.state["step"], self._cell(), self.state["d_model"]
        screen, places = self._screen(step), self._places(step)
        for block, group in np.ndindex(screen.shape[0], screen.shape[2]):
            part = screen[block, :, group]
            rows, columns = (part[:, 0] // d_model).tolist(), (part[0] % d_model).tolist()
            if "pe" in self._stages()[step][1]:
                rows, columns = list(range(self.state["length"])), list(range(d_model))
            left, top = places[part[0, 0]] - [wide / 2, high / 2]
            yield Target((left, top, wide * part.shape[1], high * len(part)), ("column", columns), ("row", rows))

    def axis(self) -> tuple[float, ...]:
        return self._stops[0], self._stops[-1]

    # What NumPy makes of the two halves. Every number has an index, row · d_model + column of where the encoding has
    # it, even for a sine and odd for a cosine, and NumPy moves the indices.

    @property
    def _followed(self) -> int:
        """The index of the number to follow."""
        return int(self.state["row"] * self.state["d_model"] + self.state["column"])

    @property
    def _landed(self) -> tuple[int, str]:
        """The row of the matrix in which that number ends, and what that row holds."""
        indices = self._stages()[-1][1]["pe"]
        row = int(np.argwhere(indices == self._followed)[0, 0])
        return row, self._source(indices[row])

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
        named = [item for _, arrays in self._stages() for item in arrays.items()]
        return [f"{name}{at.tolist()}" for name, array in named for at in np.argwhere(array == self._followed)]

    def _source(self, indices: np.ndarray) -> str:
        """Say in few words whose numbers these are."""
        halves = (indices[indices % 2 == half] // self.state["d_model"] for half in (0, 1))
        sines, cosines = (", ".join(map(str, np.unique(positions))) for positions in halves)
        if sines == cosines:
            return f"pos {sines}"
        said = f"sin of pos {sines}" if sines else f"cos of pos {cosines}"
        return f"{said}, cos of {cosines}" if sines and cosines else said

    # Where everything is drawn.

    def _screen(self, stage: int) -> np.ndarray:
        """Return a stage's indices as they stand on the sheet: shape (blocks, rows, groups in a row, columns)."""
        arrays = [*self._stages()[stage][1].values()]
        if arrays[0].ndim == 2:
            return np.stack(arrays, axis=1)[np.newaxis]
        return np.expand_dims(arrays[0], 2 if AXES[self.state["ending"]] == 0 else 0)

    @property
    def _stops(self) -> list[float]:
        """Where the lines of NumPy stand across, and the stops of the slider."""
        count = len(self._stages())
        left, right = (76.0, 444.0) if self.tall else (150.0, 950.0)
        return [left + k * (right - left) / (count - 1) for k in range(count)]

    @property
    def _area(self) -> tuple[float, float, float]:
        """How far down the cells begin, how high all of them are, and how wide the widest row may be."""
        return (60.0, 560.0, 330.0) if self.tall else (36.0, 310.0, 720.0)

    def _cell(self) -> tuple[float, float]:
        """Return how wide and how high a cell is."""
        (_, room, across), s = self._area, self.state
        blocks = 2 if AXES[s["ending"]] == 0 else 1
        high = (room - BETWEEN[2] * (blocks - 1)) / (blocks * s["length"])
        return min(110.0, across / s["d_model"]), min(92.0 if self.tall else 62.0, high)

    def _places(self, stage: int) -> np.ndarray:
        """Return the centre of every number, by its index: shape (length · d_model, 2)."""
        screen, (wide, high), (top, room, _) = self._screen(stage), self._cell(), self._area
        block, row, group, column = np.indices(screen.shape)
        gap = BETWEEN[min(stage, 1)] * (0.3 if self.tall else 1.0)
        x = (group * screen.shape[3] + column) * wide + group * gap
        y = (block * screen.shape[1] + row) * high + block * BETWEEN[2]
        places = np.empty((screen.size, 2))
        middle = self.size[0] / 2 + (24 if self.tall else 0), top + room / 2
        places[screen] = np.stack([x - x.mean() + middle[0], y - y.mean() + middle[1]], axis=-1)
        return places

    def _labels(self, stage: int) -> Elements:
        """Yield what heads each column of a stage's arrays, and the positions of each row.

        There are as many of them in every stage, some without words.
        """
        places, arrays, (wide, high) = self._places(stage), self._stages()[stage][1], self._cell()
        table = self._screen(stage).reshape(-1, self._screen(stage)[0, 0].size)
        left, above = places.min(axis=0)
        right, made = float(places[:, 0].max()) + wide / 2 + 16, "pe" in arrays
        for j in range(self.state["d_model"]):
            at = table.T[min(j, table.shape[1] - 1)]
            kind = ("sin ", "cos ")[at[0] % 2] if len({*(at % 2)}) == 1 and not self.tall and not made else ""
            index = j if made else at[0] % self.state["d_model"] // 2
            said = f"{kind}{index}" if j < table.shape[1] else ""
            yield text(places[at[0], 0], above - high / 2 - 16, said, T1, GREY)
        for row in range(2 * self.state["length"]):
            indices = table[min(row, len(table) - 1)]
            there = row < len(table) and (high > 20 or row % 2 == 0)
            y, end, source = places[indices[0], 1], max(left - wide / 2 - 16, 0.0), self._source(indices)
            said = (f"row {row}" if made else source) if there else ""
            yield text(end, y, said, T1, GREY, "end", most=max(end - 2, 1.0))
            if not self.tall and row < self.state["length"]:  # whose numbers the rows of the matrix are
                yield text(right, y, source if made and there else "", T1, GREY, "start", most=1098 - right)
