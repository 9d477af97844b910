"""Attention by position alone: a head whose queries are rotated, so that each token finds the one before it."""

from functools import lru_cache
from typing import ClassVar

import numpy as np

from pe_lib.encoding import encode_positions
from pe_lib.pictures.cells import Cells
from pe_lib.pictures.colours import BAND, BLUE, GREY, INK, PAPER, YELLOW
from pe_lib.pictures.fields import Integer, Number, frozen
from pe_lib.pictures.fonts import width_of
from pe_lib.pictures.panes import Pane, grid
from pe_lib.pictures.parts import below, beside, framed, level, share_bars
from pe_lib.pictures.picture import Picture, Target, Targets
from pe_lib.pictures.scene import SMALL, Elements, answer, box, discs, line, text
from pe_lib.pictures.writing import hold, rounded, spaced

TIED = 1e-9  # shares as near as this to the largest are as large
WIDTHS = (2, 4, 6, 8, 16, 32, 64, 128, 256, 512)
STARTS = (0, 10, 1000, 100_000, 1_000_000)
MOST = 64  # tokens
TABLE = (84.0, 104.0, 304.0, 304.0)  # left, top, width, height of the shares of all tokens
ROW = (470.0, 104.0, 560.0, 304.0)  # and of those that one gives
NAMES, TICKS = 84.0, 422.0  # the heights of the words over both, and of the numbers below
EDGE, LARGEST = 1084.0, 60.0  # where the large number ends, and its size


class LookBack(Picture):
    """Show the attention of a head that knows positions alone: every query is an encoding, rotated so many steps back.

    On the left are the shares of all tokens, a row for each query and a column for each key; a dashed line runs where
    key = query - back, and a dot marks the largest share of each row. The marked row is drawn out on the right. The
    scores are sharpness · <R(-back) PE(query), PE(key)> / √d_model, and softmax turns each row of them into shares.

    {parameters}

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5: a shift is a linear map, supposed to make it easy
    to attend by relative positions.

    Examples
    --------
    >>> picture = LookBack(token=5, back=1)
    >>> picture.peak, picture.shares[5].round(4).tolist()[3:6]
    (4, [0.0166, 0.9667, 0.0166])
    """

    fields: ClassVar = (
        Integer("length", 16, 2, MOST, about="How many tokens there are"),
        Integer("d_model", 64, 2, 512, step=2, options=WIDTHS, about="The width of the encoding, even"),
        Integer("back", 1, 1 - MOST, MOST - 1, reach=(-8, 8), about="How far back the head looks; below 0, ahead"),
        Integer("sharpness", 30, 0, 1000, reach=(0, 100), about="What the scores are multiplied by"),
        Integer("start", 0, 0, STARTS[-1], options=STARTS, about="The position of the first token"),
        # Below this, angles at far positions lose the digits shown.
        Number("base", 10_000.0, 0.01, about="The number that is raised to a power"),
        Integer("token", 5, 0, lambda s: s["length"] - 1, moves=True, about="The query whose row is drawn out, from 0"),
    )
    shown: ClassVar = ("back", "sharpness", "d_model")
    play: ClassVar = "token"
    presets: ClassVar = {
        "first token": {"token": 0},
        "as in attention": {"sharpness": 1},
        "two ahead": {"back": -2},
        "eight columns": {"d_model": 8},
        "far out": {"start": 1_000_000},
    }
    pages: ClassVar = (
        {"token": range(16), "back": (-2, 1, 3), "sharpness": (0, 1, 10, 30)},
        {"token": range(16), "d_model": (8,)},
        {"token": range(0, 64, 7), "d_model": (8,), "length": (64,)},
        {"token": range(16), "start": (1_000_000,)},
        {"sharpness": range(0, 101, 2)},
    )

    @property
    def shares(self) -> np.ndarray:
        """What each token gives to each: shape (length, length), rows for queries, each of them adding up to 1."""
        return _shares(*self.behind())

    @property
    def peak(self) -> int | None:
        """The token that the marked one gives its largest share to; None where several have it."""
        return _peaks(self.shares)[int(self.state["token"])]

    @property
    def wanted(self) -> int | None:
        """The token that the marked one looks for; None where there is none in this place."""
        there = int(self.state["token"] - self.state["back"])
        return there if 0 <= there < self.state["length"] else None

    def words(self) -> str:
        s, row = self.state, self.shares[self.state["token"]]
        pos, nowhere = s["start"] + s["token"], "" if self.wanted is not None else ", where no token is"
        largest = np.argsort(-row.round(9), kind="stable")[:3]  # of equal ones the earlier first
        names = ", ".join(f"token {k} with {rounded(row[k])}" for k in largest)
        most = "no single token gets most" if self.peak is None else "most goes to the first of these"
        right = sum(key == query - s["back"] for query, key in enumerate(_peaks(self.shares)))
        found = f"In {right} of {s['length']} rows the largest share goes to the token that is looked for"
        return (
            f"Attention of {s['length']} tokens from position {s['start']} on, d_model {s['d_model']}, base "
            f"{s['base']:.12g}, sharpness {s['sharpness']}. Each query is rotated to look {self._direction()}. Token "
            f"{s['token']}, at position {pos}, looks for position {pos - s['back']}{nowhere}; "
            f"{hold(f'{most}: {names}')}. {hold(found)}."
        )

    def lay(self) -> Elements:
        """Yield the shares of all tokens, and the axes."""
        s, n, (table, row) = self.state, self.state["length"], self._panes()
        peaks = np.array([(key, query) for query, key in enumerate(_peaks(self.shares)) if key is not None])
        yield from answer(Cells(self.shares, TABLE), question=[box(*TABLE, BAND)])
        ends = np.clip([s["back"], n + s["back"]], 0, n) - 0.5  # of the queries that find a key
        yield line(table.x(ends - s["back"]), table.y(ends), BLUE, 2, (6, 5))
        if peaks.size:
            yield from answer(
                discs(table.x(peaks[:, 0]), table.y(peaks[:, 1]), min(5.0, 0.36 * table.wide / n), PAPER, INK, 1.2),
                discs(table.left + 6, NAMES, 5, PAPER, INK, 1.2),
                text(table.left + 18, NAMES, "largest share of its row", SMALL, GREY, "start"),
            )
        yield box(*TABLE, edge=GREY, width=1)
        yield text(table.left - 12, NAMES, "query", SMALL, GREY, "end")
        numbers = spaced(n, 13)
        yield from beside(table, numbers, 12)
        for pane in (table, row):
            yield from below(pane, numbers, TICKS, "key")
        yield from beside(row, (0, 0.5, 1), 12)
        yield from (level(row, share) for share in (0.5, 1))

    def move(self) -> Elements:
        """Yield the row that is chosen: who looks where, the frame around it, and its shares."""
        s, (table, row), wanted = self.state, self._panes(), self.wanted
        n, pos = s["length"], s["start"] + s["token"]
        yield (says := text(24, 26, f"token {s['token']} looks {self._direction()}", align="start", weight="bold"))
        given = f"sharpness {s['sharpness']}, d_model {s['d_model']}"
        yield text(40 + says.box[2], 26, given, SMALL, GREY, "start")
        nobody = "" if wanted is not None else ": no token there"
        yield text(24, 58, f"pos {pos:,} → pos {pos - s['back']:,}{nobody}".replace("-", "−"), align="start")
        top, high = table.y(s["token"] - 0.5), table.high / n
        yield from framed((table.left - 2, top - 2, table.wide + 4, high + 4), colour=INK, width=2.5)
        if wanted is not None:
            yield box(row.x(wanted - 0.5), row.top, row.wide / n, row.high, YELLOW)
            yield text(row.x(wanted), NAMES, "looked for", SMALL, BLUE, within=(row.left, row.right))
        number = text(EDGE, 48, "?", LARGEST, align="end", weight="bold")
        hidden = text(*row.middle, "?", LARGEST)
        yield from answer(*self._shares(row), question=[number, hidden])
        yield level(row, 0, GREY, 1.5)

    def _shares(self, pane: Pane) -> Elements:
        """Yield what the chosen token gives: the bars, and the largest share as a number."""
        row, peak = self.shares[self.state["token"]], self.peak
        number = rounded(row.max())
        yield text(EDGE, 48, number, LARGEST, align="end", weight="bold")
        to = f"to token {peak}" if peak is not None else f"to each of {(row > row.max() - TIED).sum()}"
        yield text(EDGE - 18 - width_of(number, LARGEST, "bold"), 48, to, align="end")
        yield from share_bars(pane, row, 0.76)
        yield level(pane, 1 / len(row), INK, 1.5, (2, 4))
        yield text(pane.right + 8, pane.y(1 / len(row)), f"1/{len(row)}", SMALL, GREY, "start")
        if peak is not None:
            yield discs(pane.x(peak), pane.y(row[peak]), 7, PAPER, INK, 2)

    def targets(self) -> Targets:
        """Yield the rows of the table: a click chooses the token; and the keys: a click lets the token look there."""
        keys, token, row = range(self.state["length"]), self.state["token"], self._panes()[1]
        yield Target(TABLE, down=("token", keys))
        yield Target((row.left, row.top, row.wide, 440 - row.top), across=("back", [token - key for key in keys]))

    def _panes(self) -> tuple[Pane, Pane]:
        """Return where the table is, keys across and queries downward; and the bars, keys across and shares upward."""
        tokens = range(self.state["length"])
        table = grid(TABLE, tokens, tokens)
        return table, Pane(*ROW, table.across, (0, 1))

    def _direction(self) -> str:
        """Say how far the head looks, and where to."""
        back = self.state["back"]
        return f"{abs(back)} {'back' if back > 0 else 'ahead'}" if back else "at itself"


@lru_cache(maxsize=4)
def _shares(length: int, d_model: int, back: int, sharpness: int, start: int, base: float) -> np.ndarray:
    """Return the softmax of the scores, row by row: shape (length, length); not to be written to."""
    positions = start + np.arange(length)
    # To rotate an encoding back is to move its position: R(-back) PE(pos) = PE(pos - back).
    queries, keys = (encode_positions(pos, d_model, base=base) for pos in (positions - back, positions))
    scores = sharpness * (queries @ keys.T / np.sqrt(d_model))
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return frozen(powers / powers.sum(axis=1, keepdims=True))


def _peaks(shares: np.ndarray) -> list[int | None]:
    """Return the key with the largest share of each row, None where several have it."""
    alone = (shares > shares.max(axis=1, keepdims=True) - TIED).sum(axis=1) == 1
    return [int(key) if one else None for key, one in zip(shares.argmax(axis=1), alone, strict=True)]
