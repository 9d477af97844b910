"""Attention by position alone: a head whose queries are rotated, so that each word finds the one before it."""

from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pe_lib.encoding import encode_positions
from pe_pictures.colours import GREY, HERE, INK, LINE
from pe_pictures.fields import Integer, Number, Sentence, State, frozen
from pe_pictures.fonts import width_of
from pe_pictures.parts import dot, spot
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T2, T3, Elements, answer, arc, line, text
from pe_pictures.writing import here, hold, one_line, rounded

TEXT = "the cat sat on the mat and the dog slept by the door all night long"
MOST = 20  # words are shown, so that all can be read
TIED = 1e-9  # attention weights this close to the largest are as large
WIDTHS = (2, 4, 6, 8, 16, 32, 64, 128, 256, 512)
STARTS = (0, 10, 1000, 100_000, 1_000_000)
WIDEST = 14  # how wide an arc is that carries everything
SEEN = 0.005  # attention weights below this are written nowhere


class LookBack(Picture):
    """Show the attention of a head that knows positions alone: every query is an encoding, rotated so many steps back.

    Arcs lead from the marked word to those that it takes from, as wide as the attention weight; pale ones lead from
    every other word to the one that it takes most from. The scores are sharpness · <R(-back) PE(query), PE(key)> /
    √d_model, and softmax turns each row of them into attention weights.

    {parameters}

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5: a shift is a linear map, supposed to make it easy
    to attend by relative positions.

    Examples
    --------
    >>> picture = LookBack(token=5, back=1)
    >>> picture.peak, picture.attention_weights[5].round(4).tolist()[3:6]
    (4, [0.0166, 0.9667, 0.0166])
    """

    fields: ClassVar = (
        Sentence("tokens", tuple(TEXT.split()), label="sentence", about="One word for each position; 20 are shown"),
        Integer("d_model", 64, 2, 512, step=2, options=WIDTHS, about="The width of the encoding, even"),
        Integer("start", 0, 0, STARTS[-1], options=STARTS, about="The position of the first word"),
        # Below this, angles at far positions lose the digits shown.
        Number("base", 10_000.0, 0.01, about="The number that is raised to a power"),
        Integer("back", 1, -64, 64, reach=(-8, 8), moves=True, about="How far back the head looks; below 0, ahead"),
        Integer("sharpness", 30, 0, 1000, reach=(0, 100), moves=True, about="What the scores are multiplied by"),
        Integer("token", 5, 0, lambda s: _count(s) - 1, moves=True, follows="tokens", about="The marked word"),
    )
    shown: ClassVar = ("sharpness", "d_model")
    play: ClassVar = "token"
    pace: ClassVar = 1.6
    presets: ClassVar = {
        "1 back": {"back": 1},
        "3 back": {"back": 3},
        "1 ahead": {"back": -1},
        "blunt": {"sharpness": 1},
        "sharp": {"sharpness": 30},
        "far out": {"start": 1_000_000},
    }
    pages: ClassVar = (
        {"token": range(16), "back": (1, 3, -1), "sharpness": (1, 30)},
        {"token": range(16), "d_model": (8,)},
        {"token": range(16), "start": (1_000_000,)},
        {"sharpness": range(0, 101, 2)},
    )
    question: ClassVar = "Which word does each word look at?"

    @property
    def attention_weights(self) -> np.ndarray:
        """How much each word takes from each: shape (words, words), rows for queries, each of them adding up to 1."""
        s = self.state
        return _weights(_count(self.state), s["d_model"], s["back"], s["sharpness"], s["start"], s["base"])

    @property
    def peak(self) -> int | None:
        """The word that the marked one takes most from; None where there are several."""
        return _peaks(self.attention_weights)[int(self.state["token"])]

    @property
    def wanted(self) -> int | None:
        """The word that the marked one looks for; None where there is none in this place."""
        there = int(self.state["token"] - self.state["back"])
        return there if 0 <= there < _count(self.state) else None

    def says(self) -> str:
        s, row, wanted, peak = self.state, self.attention_weights[self.state["token"]], self.wanted, self.peak
        word, place = here(self._named(s["token"])), self._direction()
        if peak is None:
            tied = int((row > row.max() - TIED).sum())
            return f"{word} takes equally much, {hold(_percent(row.max()))}, from each of {hold(str(tied))} words."
        most = f"{hold(_percent(row[peak]))} from {hold(self._named(peak) if peak != s['token'] else 'itself')}"
        if wanted is None:
            return f"{word} has no word {place}: it takes {most}."
        if wanted != peak:
            return f"{word} looks {place}, and takes most, {most}."
        if row[peak] < 0.5:
            return f"{word} looks everywhere: only {most}, the word {place}." if s["back"] else f"{word}: only {most}."
        if s["start"] >= 1000:
            pos = here(f"{s['start'] + s['token']:,}")
            return f"At position {pos} {word} still takes {most}, {place}."
        return f"{word} takes {most}, the word {place}." if s["back"] else f"{word} takes {most}, as it should."

    def words(self) -> str:
        s, row = self.state, self.attention_weights[self.state["token"]]
        largest = np.argsort(-row.round(9), kind="stable")[:3]  # of equal ones the earlier first
        names = ", ".join(f"{self._named(k)} at {k} with {rounded(row[k])}" for k in largest)
        right = sum(key == query - s["back"] for query, key in enumerate(_peaks(self.attention_weights)))
        nowhere = "" if self.wanted is not None else ", where no word is"
        found = f"In {right} of {len(row)} rows the largest attention weight is on the word that is looked for"
        return (
            f"Word {s['token']}, {self._named(s['token'])}, looks {self._direction()}{nowhere}, from position "
            f"{s['start'] + s['token']}; d_model {s['d_model']}, base {s['base']:.12g}, sharpness {s['sharpness']}. "
            f"Its largest attention weights: {hold(names)}. {hold(found)}."
        )

    def lay(self) -> Elements:
        if self.tall:
            return
        s, count = self.state, _count(self.state)
        widest = width_of(f"{s['start'] + count - 1:,}", T1) + 6
        for k in range(0, count, max(1, int(-(-widest // self._slot)))):
            yield text(self._at(k), 424, f"{s['start'] + k:,}", T1, GREY)

    def move(self) -> Elements:
        weights, chosen = self.attention_weights, self.state["token"]
        row, words = weights[chosen], range(_count(self.state))
        pale = []
        for query, key in enumerate(_peaks(weights)):
            wide = 0.0 if key is None else round(3 * float(weights[query, key]), 2)
            pale.append(arc(self._arc(query, query if key is None else key), LINE, wide))
        arcs = [
            arc(self._arc(chosen, k), INK, round(WIDEST * float(row[k]), 2), opacity=round(0.3 + 0.5 * row[k], 3))
            for k in words
        ]
        yield from answer(*pale, *arcs)
        for k in words:
            colour = HERE if k == chosen else INK
            bold = "bold" if k == chosen else "normal"
            yield self._word(k, colour, bold)
        yield from answer(*(part for k in words for part in self._taken(k, float(row[k]))))
        x, y = self._end(chosen)
        if not self.tall:
            half = min(26, self._slot / 2 - 4)
            yield line([x - half, x + half], 374, HERE, 3, cap="round")
        yield spot(x, y)
        yield dot(x, y)

    def _word(self, k: int, colour: str, weight: str) -> Any:
        """Return a word: above its number, or on a tall sheet next to it."""
        said = self.state["tokens"][k]
        if self.tall:
            return text(216, self._at(k), said, T2, colour, "start", weight, 112)
        return text(self._at(k), 356, said, T3, colour, "middle", weight, min(self._slot - 6, 96))

    def _taken(self, k: int, weight: float) -> Elements:
        """Yield how much is taken from a word, as a number, and on a tall sheet as a bar too."""
        said = _percent(weight) if weight >= SEEN else ""
        if self.tall:
            end = 340 + 116 * weight
            yield line([340, end], self._at(k), INK, 12)
            yield text(end + 8, self._at(k), said, T1, INK, "start")
        else:
            yield text(self._at(k), 393, said, T2, INK, most=self._slot - 2)

    def targets(self) -> Targets:
        count = _count(self.state)
        first, long = self._at(-0.5), count * self._slot
        tokens = ("token", range(count))
        if self.tall:
            yield Target((0, first, self.size[0], long), down=tokens)
        else:
            yield Target((first, 20, long, 416), across=tokens)

    def axis(self) -> tuple[float, ...] | None:
        return (70.0, 500.0) if self.tall else super().axis()  # on a tall sheet, words stand one below the other

    # Where everything is drawn.

    @property
    def _slot(self) -> float:
        """How much room a word has, across or on a tall sheet downward."""
        gaps = max(1, _count(self.state) - 1)
        return min(60.0, 710 / gaps) if self.tall else min(130.0, 1000 / gaps)

    def _at(self, k: float) -> float:
        """Return how far along a word lies."""
        middle = (k - (_count(self.state) - 1) / 2) * self._slot
        return float(self.size[1 if self.tall else 0] / 2 + middle)

    def _end(self, k: float) -> tuple[float, float]:
        """Return where the arcs of a word end."""
        return (196.0, self._at(k)) if self.tall else (self._at(k), 322.0)

    def _arc(self, a: int, b: int) -> list[tuple[float, float]]:
        """Return the four points of the arc between two words, or of the loop at one: as high as they are apart."""
        far = abs(self._at(a) - self._at(b))
        high = min(230, 60 + 0.42 * far) if self.tall else min(390, 130 + 0.42 * far)
        open_by = 0.7 * min(self._slot, 60) if a == b else 0.0
        along = self._at(a), self._at(a) - open_by, self._at(b) + open_by, self._at(b)
        x, y = self._end(a)
        over = zip(along, (0, high, high, 0), strict=True)
        return [(x - up, to) if self.tall else (to, y - up) for to, up in over]

    def _named(self, k: int) -> str:
        return f"“{one_line(self.state['tokens'][k], 14)}”"

    def _direction(self) -> str:
        """Say how far the head looks, and where to."""
        back = self.state["back"]
        return f"{abs(back)} {'back' if back > 0 else 'ahead'}" if back else "at itself"


def _count(state: State) -> int:
    """Return how many words are shown."""
    return min(len(state["tokens"]), MOST)


def _percent(weight: float) -> str:
    return f"{100 * weight:.0f}%"


@lru_cache(maxsize=4)
def _weights(length: int, d_model: int, back: int, sharpness: int, start: int, base: float) -> np.ndarray:
    """Return the softmax of the scores, row by row: shape (length, length); not to be written to."""
    positions = start + np.arange(length)
    # To rotate an encoding back is to move its position: R(-back) PE(pos) = PE(pos - back).
    queries, keys = (encode_positions(pos, d_model, base=base) for pos in (positions - back, positions))
    scores = sharpness * (queries @ keys.T / np.sqrt(d_model))
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return frozen(powers / powers.sum(axis=1, keepdims=True))


def _peaks(weights: np.ndarray) -> list[int | None]:
    """Return the key with the largest attention weight of each row, None where several have it."""
    alone = (weights > weights.max(axis=1, keepdims=True) - TIED).sum(axis=1) == 1
    return [int(key) if one else None for key, one in zip(weights.argmax(axis=1), alone, strict=True)]
