"""Two halves become one matrix: each number glides through stack and reshape, and keeps its colour and its shape."""

from collections.abc import Hashable, Mapping
from typing import Any, ClassVar

import numpy as np
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.patches import BoxStyle, FancyBboxPatch, Rectangle
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.transforms import IdentityTransform

from pe_lib import _checks
from pe_lib.encoding import encode_positions, frequencies
from pe_lib.pictures.lettering import outline, rounded
from pe_lib.pictures.picture import DPI, GREY, INK, ORANGE, SIGNED, Picture, readable_on, shrink

AXES: dict[str, int | None] = {"stack axis=2": 2, "stack axis=1": 1, "stack axis=0": 0, "concatenate": None}
ENDINGS = tuple(AXES)
LAST = 20  # the step at which the matrix is there

# Places and sizes on the figure, in pixels from its upper left corner.
CARDS, CARD_TOP, CARD_HEIGHT, BETWEEN_CARDS = (310, 410, 290), 14, 98, 33
TITLE, TOP, BOTTOM = 136, 228, 662
ROW, CELL_WIDTH, CELL_HEIGHT, SEAM = 640, 108, 86, 4  # the largest cells, with the seam that parts them
BETWEEN_ARRAYS, BETWEEN_GROUPS, BETWEEN_BLOCKS = 130, 34, 14
ROUNDED, CODE = "round,pad=0,rounding_size=8", "DejaVu Sans Mono"

SENTENCES = {  # what is going on while the numbers move, and what is to be seen when they have arrived
    "halves": ("", "Two arrays of one shape: sines in square cells, cosines in round ones"),
    "stack axis=2": (
        "np.stack puts each sine beside the cosine of its pair …",
        "Stacked: along the last axis, sine and cosine of a pair are neighbours",
    ),
    "stack axis=1": (
        "np.stack puts the sines of a position beside its cosines …",
        "Stacked: each position has a row of sines, then a row of cosines",
    ),
    "stack axis=0": (
        "np.stack puts all the sines before all the cosines …",
        "Stacked: the whole array of sines, then the whole array of cosines",
    ),
    "concatenate": ("np.concatenate puts each row of cosines behind its row of sines …", ""),
    "reshape": ("reshape keeps the reading order and cuts it into rows of {} …", ""),
}


class StackAndFlatten(Picture):
    """Move the sines and the cosines of an encoding, step by step, into one matrix.

    Parameters
    ----------
    step : int
        0 shows the two halves, 10 what np.stack makes of them, 20 the matrix; the steps between show the way.
        np.concatenate makes no array in between: its numbers are on their way from 0 to 20.
    ending : {"stack axis=2", "stack axis=1", "stack axis=0", "concatenate"}
        How the halves are put together. What is stacked is reshaped to (length, d_model) afterwards.
    length : int
        The number of positions, 2 to 10.
    d_model : int
        The width of the encoding; even, 2 to 8.
    row, column : int
        The number to follow: the one the encoding has in this row and column, counted from 0.

    Raises
    ------
    TypeError, ValueError
        If there is no such step, ending, shape or number.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> StackAndFlatten(length=10, ending="stack axis=2").verdict
    '✓ pe equals the encoding: sine and cosine take turns in every row'
    >>> StackAndFlatten(length=10, ending="stack axis=0").verdict
    '✗ Not the encoding: row 1 holds the sines of positions 2 and 3'
    """

    defaults: ClassVar = {"step": 0, "ending": ENDINGS[0], "length": 4, "d_model": 6, "row": 1, "column": 2}
    size: ClassVar = (11.0, 6.8)

    @property
    def matrix(self) -> np.ndarray:
        """What the lines of NumPy end in: shape (length, d_model)."""
        return np.take(self._numbers(), self._stages()[-1]["pe"])

    @property
    def verdict(self) -> str:
        """Whether that matrix is the encoding, and what it is if not."""
        s, stages, matrix = self.state, self._stages(), self.matrix
        positions = np.arange(s["length"])
        if np.allclose(matrix, encode_positions(positions, s["d_model"])):
            return "✓ pe equals the encoding: sine and cosine take turns in every row"
        if np.allclose(matrix, encode_positions(positions, s["d_model"], layout="halves")):
            return "Another layout, the halves: each row has its own numbers, all sines first"
        held = [
            f"the {kind} of position{'s' * (len(found) > 1)} {' and '.join(map(str, found))}"
            for kind, found in zip(("sines", "cosines"), self._positions(stages[-1]["pe"][s["row"]]), strict=True)
            if len(found)
        ]
        return f"✗ Not the encoding: row {s['row']} holds {' and '.join(held)}"

    def describe(self) -> str:
        """Say in words what is to be seen."""
        s, (stage, along) = self.state, self._progress()
        codes, shapes = zip(*self._lines(), strict=True)
        words = (
            f"Step {s['step']} of {LAST}. The sines, in square cells, and the cosines, in round ones, of {s['length']} "
            f"positions, each of shape {shapes[0]}; "
        )
        words += "; ".join(f"{code} has shape {shape}" for code, shape in zip(codes[2:], shapes[2:], strict=True))
        names = [" and ".join(arrays) for arrays in self._stages()]
        if along:
            words += f". The numbers are {along:.0%} of the way from {names[stage]} to {names[stage + 1]}"
        else:
            words += f". Shown: {names[stage]}; {' and '.join(self._rows_in_words(self._stages()[stage]))}"
        value = encode_positions(s["row"], s["d_model"])[s["column"]]
        path = ", then ".join(self._path()[: stage + 1])
        words += f". The framed number, PE({s['row']}, {s['column']}) = {value:.4f}, is {path}."
        return f"{words} {self.verdict}." if s["step"] == LAST else words

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(state["ending"], str):
            raise TypeError(f"ending must be one of {', '.join(ENDINGS)}, got {_checks.shown(state['ending'])}")
        if state["ending"] not in AXES:
            raise ValueError(f"ending must be one of {', '.join(ENDINGS)}, got {_checks.shown(state['ending'])}")
        integers = {name: _checks.integer(name, state[name]) for name in self.defaults if name != "ending"}
        state = self._within_limits({**state, **integers})
        _checks.even_d_model(state["d_model"], "np.stack takes as many sines as cosines")
        return state

    def limits(self, state: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
        """Return how far the numbers may go: the sizes as far as they can be read, the row and column as they are."""
        rows, columns = (0, state["length"] - 1), (0, state["d_model"] - 1)
        return {"step": (0, LAST), "length": (2, 10), "d_model": (2, 8), "row": rows, "column": columns}

    def _key(self) -> Hashable:
        stage, along = self._progress()
        return *(value for name, value in self.state.items() if name != "step"), stage, along > 0

    # What NumPy makes of the two halves. Every number has an index, and NumPy moves the indices.

    def _shape(self) -> tuple[int, int, int]:
        """Return what an index counts: sine 0 and cosine 1, the positions, the pairs."""
        return 2, self.state["length"], self.state["d_model"] // 2

    def _numbers(self) -> np.ndarray:
        """Return all numbers in the order of their indices."""
        angle = np.arange(self.state["length"])[:, np.newaxis] * frequencies(self.state["d_model"])
        return np.concatenate([np.sin(angle).ravel(), np.cos(angle).ravel()])

    def _stages(self) -> list[dict[str, np.ndarray]]:
        """Return the arrays of indices there are at the start and after each line, by name."""
        s, axis = self.state, AXES[self.state["ending"]]
        even, odd = np.arange(s["length"] * s["d_model"]).reshape(self._shape())
        if axis is None:
            return [{"even": even, "odd": odd}, {"pe": np.concatenate([even, odd], axis=1)}]
        stacked = np.stack([even, odd], axis=axis)
        return [{"even": even, "odd": odd}, {"stacked": stacked}, {"pe": stacked.reshape(s["length"], s["d_model"])}]

    def _lines(self) -> list[tuple[str, str]]:
        """Return the lines of NumPy, and the shape that each gives."""
        s, axis = self.state, AXES[self.state["ending"]]
        codes = {
            "even": "even = np.sin(angle)",
            "odd": "odd  = np.cos(angle)",
            "stacked": f"stacked = np.stack([even, odd], axis={axis})",
            "pe": f"pe = stacked.reshape({s['length']}, {s['d_model']})",
        }
        if axis is None:
            codes["pe"] = "pe = np.concatenate([even, odd], axis=1)"
        return [(codes[name], str(array.shape)) for arrays in self._stages() for name, array in arrays.items()]

    def _path(self) -> list[str]:
        """Return where the number to follow is in each stage, as NumPy would be asked for it."""
        return [
            f"{name}[{', '.join(str(k) for k in place)}]"
            for arrays in self._stages()
            for name, array in arrays.items()
            for place in np.argwhere(array == self._followed())
        ]

    def _rows_in_words(self, arrays: Mapping[str, np.ndarray]) -> list[str]:
        """Write the numbers that each array has at the row to follow."""
        row, blocks = self.state["row"], AXES[self.state["ending"]] == 0
        found = []
        for name, array in arrays.items():
            whole = name == "stacked" and blocks  # its first axis does not count positions
            part = self._numbers()[array[:, row] if whole else array[row]]
            found.append(f"{name}[{':, ' if whole else ''}{row}] is {_written(part)}")
        return found

    def _followed(self) -> int:
        """Return the index of the number to follow."""
        pair, cosine = divmod(self.state["column"], 2)
        return int(np.ravel_multi_index((cosine, self.state["row"], pair), self._shape()))

    def _positions(self, indices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return whose sines and whose cosines some numbers are: the positions, each once."""
        cosine, positions, _ = np.unravel_index(indices, self._shape())
        return np.unique(positions[cosine == 0]), np.unique(positions[cosine == 1])

    def _source(self, indices: np.ndarray) -> str:
        """Say in few words whose numbers these are."""
        sines, cosines = (", ".join(map(str, found)) for found in self._positions(indices))
        if sines == cosines:
            return f"pos {sines}"
        if sines and cosines:
            return f"sin of pos {sines}, cos of {cosines}"
        return f"sin of pos {sines}" if sines else f"cos of pos {cosines}"

    def _progress(self) -> tuple[int, float]:
        """Return the stage that was reached last, and what part of the way to the next is done."""
        stage, rest = divmod(self.state["step"] * (len(self._stages()) - 1), LAST)
        return stage, rest / LAST

    # Where everything is drawn.

    def _build(self) -> None:
        width, height = (round(inches * DPI) for inches in self.size)
        self._axes = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set(xlim=(0, width), ylim=(height, 0))
        self._axes.set_axis_off()
        self._title = self._axes.text(width / 2, TITLE, "", ha="center", va="center", weight="bold")
        self._brackets = LineCollection([], colors=GREY, linewidths=2)
        self._cells = PathCollection([], sizes=None, offset_transform=self._axes.transData)
        self._cells.set_transform(IdentityTransform())
        self._frame = Rectangle((0, 0), 0, 0, fill=False, edgecolor=ORANGE, zorder=self._cells.get_zorder() + 1)
        self._axes.add_collection(self._brackets, autolim=False)
        self._axes.add_collection(self._cells, autolim=False)
        self._axes.add_patch(self._frame)
        self._laid: list[Artist] = []  # made for one background only

    def _lay(self) -> None:
        for artist in self._laid:
            artist.remove()
        self._laid = []
        (stage, along), screens = self._progress(), [self._screen(arrays) for arrays in self._stages()]
        blocks = max(screen.shape[0] for screen in screens)
        rows, room = blocks * self.state["length"], BOTTOM - TOP - (blocks - 1) * BETWEEN_BLOCKS
        self._cell = min(CELL_WIDTH, ROW // self.state["d_model"]), min(CELL_HEIGHT, room // rows)
        self._top = TOP + (room - rows * self._cell[1]) // 4
        self._places = [self._placed(k, screen) for k, screen in enumerate(screens)]
        self._title.set_text(self._sentence())
        shrink(self._title, 16, 0.97 * self.size[0] * DPI)
        self._lay_cards()
        self._lay_cells()
        self._brackets.set_segments([] if along else self._bracketed(stage, screens[stage]))
        if not along:
            self._label(stage, screens[stage])

    def _screen(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return a stage's indices as they stand on the screen: shape (blocks, rows, groups in a row, columns)."""
        if "pe" in arrays:
            return arrays["pe"][np.newaxis, :, np.newaxis]
        if "stacked" in arrays:
            stacked = arrays["stacked"]
            return stacked[:, :, np.newaxis] if AXES[self.state["ending"]] == 0 else stacked[np.newaxis]
        return np.stack([arrays["even"], arrays["odd"]], axis=1)[np.newaxis]

    def _placed(self, stage: int, screen: np.ndarray) -> np.ndarray:
        """Return the centre of every number, by its index: shape (length · d_model, 2)."""
        block, row, group, column = np.indices(screen.shape)
        between = BETWEEN_GROUPS if stage else BETWEEN_ARRAYS
        x = (group * screen.shape[3] + column + 0.5) * self._cell[0] + group * between
        y = (block * screen.shape[1] + row + 0.5) * self._cell[1] + block * BETWEEN_BLOCKS
        places = np.empty((screen.size, 2))
        places[screen] = np.stack([x - x.mean() + self.size[0] * DPI / 2, y + self._top], axis=-1)
        return np.round(places)

    def _bracketed(self, stage: int, screen: np.ndarray) -> list[np.ndarray]:
        """Return the brackets of a stage: one pair around each array, and around what its first axes hold."""
        blocks, rows, groups, _ = screen.shape
        if stage == 0:
            return [b for group in range(groups) for b in self._bracket(stage, screen[:, :, group], 9)]
        inner = [screen[b] for b in range(blocks)] if blocks > 1 else list(screen[0].reshape(rows * groups, -1))
        inner = inner if "stacked" in self._stages()[stage] else []
        outer = self._bracket(stage, screen, 17 if inner else 9)
        return outer + [b for part in inner for b in self._bracket(stage, part, 7)]

    def _bracket(self, stage: int, indices: np.ndarray, away: int) -> list[np.ndarray]:
        """Return the lines of a left and of a right bracket that stand so many pixels away from some numbers."""
        places = self._places[stage][indices.ravel()]
        left, top = places.min(axis=0) - np.array(self._cell) / 2 + [0, 2]
        right, bottom = places.max(axis=0) + np.array(self._cell) / 2 - [0, 2]
        return [
            np.array([(x + tip, top), (x, top), (x, bottom), (x + tip, bottom)])
            for x, tip in ((left - away, 6), (right + away, -6))
        ]

    def _label(self, stage: int, screen: np.ndarray) -> None:
        """Write the names of a stage's arrays, the index and kind of each column and the positions of each row."""
        places, arrays = self._places[stage], self._stages()[stage]
        left, right = places[:, 0].min() - self._cell[0] / 2 - 28, places[:, 0].max() + self._cell[0] / 2 + 24
        table = screen.reshape(screen.shape[0] * screen.shape[1], -1)
        cosine, position, pair = np.unravel_index(table, self._shape())
        counted, above = "column j" if "pe" in arrays else "pair i", self._top - 8
        self._write(left, above, counted, ha="right", va="bottom", color=GREY)
        for name, array in arrays.items():
            self._write(places[array.ravel(), 0].mean(), above - 52, name, weight="bold", fontsize=15)
        for j, column in enumerate(table.T):
            words = str(j if "pe" in arrays else pair[0, j])
            if np.ptp(cosine[:, j]) == 0:  # no mixture of sines and cosines
                words = f"{('sin', 'cos')[cosine[0, j]]}\n{words}"
            self._write(places[column[0], 0], above, words, va="bottom")
        for row, indices in enumerate(table):
            y, source = places[indices[0], 1], self._source(indices)
            colour, weight = (INK, "bold") if self.state["row"] in position[row] else (GREY, "normal")
            words = f"row {row}" if "pe" in arrays else source
            self._write(left, y, words, ha="right", color=colour, weight=weight)
            if "pe" in arrays:
                self._write(right, y, source, ha="left", color=colour, fontsize=12)

    def _write(self, x: float, y: float, words: str, **style: Any) -> None:
        """Write on the figure, until the next background is laid."""
        style = {"ha": "center", "va": "center", "fontsize": 12.5, **style}
        self._laid.append(self._axes.text(x, y, words, **style))

    def _lay_cards(self) -> None:
        """Write a card for each stage: its lines and their shapes, and a chip with the place of the followed number."""
        (stage, along), lines = self._progress(), self._lines()
        cards = [[f"{code}  {shape}" for code, shape in lines[:2]], *([code, shape] for code, shape in lines[2:])]
        left = (self.size[0] * DPI - sum(CARDS[: len(cards)]) - (len(cards) - 1) * BETWEEN_CARDS) / 2
        chip = {"boxstyle": "square,pad=0.25", "facecolor": "white", "edgecolor": ORANGE, "linewidth": 2.5}
        for k, (card, width, place) in enumerate(zip(cards, CARDS, self._chip_words(), strict=False)):
            edge = INK if k == stage + (along > 0) else "none"  # the line that is at work, or was the last
            corner, middle = (left, CARD_TOP), left + width / 2
            box = FancyBboxPatch(corner, width, CARD_HEIGHT, ROUNDED, facecolor="#f1f1f1", edgecolor=edge, linewidth=3)
            self._laid.append(self._axes.add_patch(box))
            for line, words in enumerate(card):
                self._write(middle, CARD_TOP + 18 + 23 * line, words, family=CODE, fontsize=12)
            if k <= stage:  # before, the learner may say where the number will be
                self._write(middle, CARD_TOP + 75, place, family=CODE, fontsize=12, bbox=chip)
            if k:
                self._write(left - BETWEEN_CARDS / 2, CARD_TOP + CARD_HEIGHT / 2, "→", fontsize=18)
            left += width + BETWEEN_CARDS

    def _chip_words(self) -> list[str]:
        """Say where the number to follow is in each stage, and at the end where it should be."""
        s, (first, *others) = self.state, self._path()
        wanted = f"pe[{s['row']}, {s['column']}]"
        if others[-1] != wanted:
            others[-1] += f", not {wanted}"
        return [f"PE({s['row']}, {s['column']}) is {first}", *others]

    def _lay_cells(self) -> None:
        """Draw every number in its cell, the position to follow above the others and its number on top."""
        numbers, followed = self._numbers(), self._followed()
        width, height = self._cell[0] - SEAM, self._cell[1] - SEAM
        pixels = max(12.0, min(20.0, height / 2.1, width / 4.4)) * DPI / 72  # from 12 to 20 points
        bold = 2.5 if height > 25 else 1.5  # wider lines would lie on the digits
        self._frame.set(linewidth=bold + 1)
        self._frame.set_path_effects([withStroke(linewidth=bold + 2.5, foreground="white")])  # seen on red and blue
        square = BoxStyle.Square(pad=0)(-width / 2, -height / 2, width, height, 1)
        disc = BoxStyle.Round(pad=0, rounding_size=0.4 * height)(-width / 2, -height / 2, width, height, 1)
        indices = np.arange(len(numbers))
        cosine, position, _ = np.unravel_index(indices, self._shape())
        chosen = position == self.state["row"]
        self._order = np.lexsort([indices == followed, chosen])
        colours = colormaps[SIGNED]((numbers + 1) / 2)
        paths: list[Path] = []
        fills: list[Any] = []
        edges, lines = [], []
        for index in self._order:
            letters, ink = outline(rounded(numbers[index], 2)), readable_on(numbers[index])
            paths += [disc if cosine[index] else square, Path(letters.vertices * pixels, letters.codes)]
            fills += [colours[index], ink]
            edges += [INK if chosen[index] else GREY, "none"]
            lines += [bold if chosen[index] else 0.8, 0.0]
        self._cells.set(paths=paths, facecolor=fills, edgecolor=edges, linewidth=lines)

    def _move(self) -> list[Artist]:
        stage, along = self._progress()
        eased = along * along * (3 - 2 * along)
        places = np.round((1 - eased) * self._places[stage] + eased * self._places[stage + (along > 0)])
        self._cells.set_offsets(np.repeat(places[self._order], 2, axis=0))  # the cell, and the number in it
        (x, y), (width, height) = places[self._followed()], self._cell
        self._frame.set_bounds(x - width / 2 + 1, y - height / 2 + 1, width - 2, height - 2)
        return [self._cells, self._frame]

    def _sentence(self) -> str:
        """Say what is to be seen, or what is going on."""
        s, (stage, along) = self.state, self._progress()
        if s["step"] == LAST:
            return self.verdict
        of = ["halves", s["ending"], "reshape"][stage + (along > 0)]
        return SENTENCES[of][0 if along else 1].format(s["d_model"])


def _written(numbers: np.ndarray) -> str:
    """Write an array as NumPy would, on one line."""
    if numbers.ndim == 0:
        return rounded(float(numbers), 2)
    return f"[{', '.join(_written(part) for part in numbers)}]"
