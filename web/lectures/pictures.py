"""Pictures that only the lectures show."""

from functools import cache
from typing import ClassVar

import numpy as np

from pe_lib import encode_positions, rotate, sinusoidal_encoding
from pe_lib.experiments import by_position, networks
from pe_pictures import ExplainThisNumber, Explorer, Waves
from pe_pictures.colours import BAND, GREY, HERE, INK, LINE, PAPER
from pe_pictures.fields import Choice, Integer
from pe_pictures.panes import Pane
from pe_pictures.parts import below, beside, dot, level, link, vector
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import CORNER, DASHED, T2, T3, T4, Elements, answer, box, line, text
from pe_pictures.waves import Row
from pe_pictures.writing import here, hold, rounded

EXPLORERS = ("swapped", "short_waves", "drawn_waves", "one_number", "word_plus_position", "added_or_turned", "cliff")
TRAINED = 32  # words
LAST = 47  # the last position that is asked
PLOT = Pane(70, 10, 1000, 370, (0, LAST + 1), (-0.02, 1.04))
WORDS = ("dog", "bites", "man")
EMBEDDINGS = np.array([[1.8, 0.2, 0.8, 0.6], [0.4, 1.6, 0.2, 1.2], [1.4, 0.6, 1.0, 0.2]])
ORDERS = ((0, 1, 2), (2, 1, 0))  # "dog bites man", "man bites dog"
UNIT = 70.0  # how long an arrow of length 1 is


class SwapWords(Picture):
    """Show the attention weights among three words, and what comes out for each, before and after two change places.

    The embeddings are queries, keys and values at once, so the weights are the softmax of the dot products over √4.

    {parameters}

    Examples
    --------
    >>> before, after = (SwapWords(order=order, positions="none").rows[1].round(4).tolist() for order in (0, 1))
    >>> before == after
    True
    """

    fields: ClassVar = (
        Integer("order", 0, 0, 1, moves=True, about='0 for "dog bites man", 1 for "man bites dog"'),
        Choice("positions", "none", ("none", "added"), about="Whether each row has that of its position added"),
    )
    shown: ClassVar = ("positions",)
    play: ClassVar = "order"
    question: ClassVar = "What comes out for “bites” when the two others change places?"
    height: ClassVar = 400.0
    upright: ClassVar = False

    @property
    def attention_weights(self) -> np.ndarray:
        """How much each word (down) takes from each (across), in the order of `WORDS`: shape (3, 3)."""
        powers = np.exp(self._inputs @ self._inputs.T / 2)
        weights: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
        return weights

    @property
    def rows(self) -> np.ndarray:
        """What comes out for each word, in the order of `WORDS`: shape (3, 4)."""
        rows: np.ndarray = self.attention_weights @ self._inputs
        return rows

    def says(self) -> str:
        """Say which sentence it is, and what comes out for the verb."""
        moved, added = self.state["order"], self.state["positions"] == "added"
        row = hold(" ".join(rounded(x, 2) for x in self.rows[1]))
        if not added:
            said = "the same nine attention weights, moved along" if moved else "attention by meaning alone"
            return f"{self._sentence}: {said}. For {here('bites')} comes out {row}."
        return f"{self._sentence}, positions added: for {here('bites')} comes out {row}."

    def words(self) -> str:
        """Say all attention weights."""
        numbers = (", ".join(rounded(x, 2) for x in row) for row in self.attention_weights)
        told = "; ".join(f"{word} takes {row}" for word, row in zip(WORDS, numbers, strict=True))
        return f"{self.says()} Attention weights, in the order dog, bites, man: {hold(told)}."

    def lay(self) -> Elements:
        """Yield what the two tables hold."""
        yield text(170, 18, "how much each word takes from", T2, GREY, "start")
        yield text(640, 18, "what comes out", T2, GREY, "start")

    def move(self) -> Elements:
        """Yield the words, the attention weights and the rows, each where its words are now."""
        places = [ORDERS[self.state["order"]].index(k) for k in range(3)]
        for i, word in enumerate(WORDS):
            colour = HERE if word == "bites" else INK
            y, x = _down(places[i]), _across(places[i])
            yield text(20, y, word, T3, colour, "start", "bold")
            yield text(x, 62, word, T3, colour, "middle", "bold")
            for j in range(3):
                weight, left = self.attention_weights[i, j], _across(places[j]) - 54
                yield from answer(
                    box(left, y - 39, 108, 78, INK, radius=CORNER, opacity=round(0.06 + 0.5 * float(weight), 3)),
                    text(left + 54, y, rounded(weight, 2), T3),
                )
            yield from vector([(640 + 112 * m, y - 39, 104, 78) for m in range(4)], self.rows[i], T3, 2)

    @property
    def _inputs(self) -> np.ndarray:
        """What goes in for each word."""
        places = [ORDERS[self.state["order"]].index(k) for k in range(3)]
        inputs: np.ndarray = EMBEDDINGS + (self.state["positions"] == "added") * sinusoidal_encoding(3, 4)[places]
        return inputs

    @property
    def _sentence(self) -> str:
        return " ".join(WORDS[k] for k in ORDERS[self.state["order"]]).capitalize()


class ShortWaves(Waves):
    """Show the columns of the encoding as waves, and say their lengths in few words.

    {parameters}
    """

    @property
    def _rows(self) -> list[Row]:
        return [self._in_words(row) for row in super()._rows]

    def _in_words(self, row: Row) -> Row:
        *place, said = row.length
        return row._replace(length=(*place, "every {} words" if "every" in said else said))


class DrawnWaves(ShortWaves):
    """Show the columns of the encoding as waves, as far as the hands have drawn them.

    {parameters}
    """

    def move(self) -> Elements:
        """Yield paper over what is still to come, and what moves."""
        for row in self._rows:
            pane, x = row.pane, row.pane.x(self.state["position"])
            yield box(x, pane.top - 4, pane.right - x + 4, pane.high + 8, PAPER)
            yield line([x, pane.right], row.dial.y, LINE, 1)
        yield from super().move()


class WordPlusPosition(Picture):
    """Show the row of a word, the row of its position, and their sum, which is what goes in.

    {parameters}

    Examples
    --------
    >>> WordPlusPosition("man bites dog", position=2).sum.round(2).tolist()
    [2.71, -0.22, 0.82, 1.6]
    """

    fields: ClassVar = (
        Choice("order", "dog bites man", ("dog bites man", "man bites dog"), about="The sentence"),
        Integer("position", 0, 0, 2, moves=True, about="Which of its words is meant"),
    )
    shown: ClassVar = ("order",)
    play: ClassVar = "position"
    question: ClassVar = "What goes in for this word, at this place?"
    upright: ClassVar = False

    @property
    def word(self) -> str:
        """The word at the position."""
        return str(self.state["order"].split()[self.state["position"]])

    @property
    def sum(self) -> np.ndarray:
        """What goes in: shape (4,)."""
        total: np.ndarray = EMBEDDINGS[WORDS.index(self.word)] + self._row
        return total

    def says(self) -> str:
        """Say what goes in."""
        at = here(f"“{self.word}”")
        row = hold(" ".join(rounded(x, 2) for x in self.sum))
        return f"At position {self.state['position']}, {at} goes in as {row}."

    def words(self) -> str:
        """Say the two rows as well."""
        word, row = (", ".join(rounded(x, 2) for x in numbers) for numbers in (self._word, self._row))
        return f"{self.says()} The row of the word is {word}, that of the position {row}."

    def lay(self) -> Elements:
        """Yield the signs between the rows."""
        for y, sign in ((220, "+"), (345, "=")):
            yield text(330, y, sign, T4, GREY)

    def move(self) -> Elements:
        """Yield the sentence with the word that is meant, the two rows and their sum."""
        at = self.state["position"]
        for k, word in enumerate(self.state["order"].split()):
            yield text(440 + 190 * k, 34, word, T4, HERE if k == at else INK, "middle", "bold" if k == at else "normal")
        for y, name, numbers in (
            (128, f"embedding of “{self.word}”", self._word),
            (220, f"row of position {at}", self._row),
        ):
            yield text(290, y, name, T3, INK, "end")
            yield from vector(_cells(y), numbers, T3, 2)
        yield text(290, 345, "what goes in", T3, INK, "end", "bold")
        yield from vector(_cells(345), self.sum, T3, 2)

    def targets(self) -> Targets:
        """Yield the words, along which the position can be dragged."""
        yield Target((345, 0, 570, 70), across=("position", (0, 1, 2)))  # a range would pull the slider below the words

    @property
    def _word(self) -> np.ndarray:
        word: np.ndarray = EMBEDDINGS[WORDS.index(self.word)]
        return word

    @property
    def _row(self) -> np.ndarray:
        row: np.ndarray = sinusoidal_encoding(3, 4)[self.state["position"]]
        return row


class AddedOrTurned(Picture):
    """Show a query and a key one position before it as arrows: with the rows of their positions added, and turned.

    The query is that of "man", the key that of "bites": the first two numbers of their embeddings, the first one across
    and the second one up. On the left the first pair of each position's row is added; on the right RoPE turns both.

    {parameters}

    Examples
    --------
    >>> [AddedOrTurned(position).scores.round(2).tolist() for position in (2, 12)]
    [[3.26, 2.5], [1.8, 2.5]]
    """

    fields: ClassVar = (Integer("position", 2, 1, 24, moves=True, about='Where "man" stands'),)
    play: ClassVar = "position"
    question: ClassVar = "Both words move on. Which score stays?"
    upright: ClassVar = False

    @property
    def arrows(self) -> np.ndarray:
        """Query and key, added and turned: shape (2, 2, 2), ways first."""
        at = np.array([self.state["position"], self.state["position"] - 1])
        return np.stack([ARROWS + encode_positions(at, 2), rotate(ARROWS, at)])

    @property
    def scores(self) -> np.ndarray:
        """The dot product of query and key, added and turned: shape (2,)."""
        scores: np.ndarray = self.arrows.prod(axis=1).sum(axis=-1)
        return scores

    def says(self) -> str:
        """Say both scores."""
        added, turned = (hold(rounded(score, 2)) for score in self.scores)
        at = here(f"position {self.state['position']}")
        return f"“man” at {at}: added, the score is {added}; turned, it is {turned}."

    def lay(self) -> Elements:
        """Yield what does not move: the arrows before positions come in, and what is what."""
        for (x, y), said in zip(DIALS, ("added", "turned (RoPE)"), strict=True):
            yield text(x - 250, 18, said, T3, INK, "start", "bold")
            yield line([[x - 170, x + 170], [x, x]], [[y, y], [y - 170, y + 170]], LINE, 1)
            for across, up in ARROWS:
                yield line([x, x + UNIT * across], [y, y - UNIT * up], GREY, 2, DASHED)
        for y, said, colour in ((150, "query of “man”", INK), (190, "key of “bites”", GREY)):
            yield line([460, 500], y, colour, 5, cap="round")
            yield text(512, y, said, T2, colour, "start")
        yield line([460, 500], 230, GREY, 2, DASHED)
        yield text(512, 230, "without position", T2, GREY, "start")

    def move(self) -> Elements:
        """Yield how far the query has turned, the arrows, and their scores."""
        (x, y), turned = DIALS[1], np.linspace(0, self.state["position"], 240) + np.arctan2(*ARROWS[0, ::-1])
        yield line(x + 36 * np.cos(turned), y - 36 * np.sin(turned), HERE, 2)
        for (x, y), pair, score in zip(DIALS, self.arrows, self.scores, strict=True):
            for (across, up), colour in zip(pair[::-1], (GREY, INK), strict=True):
                yield line([x, x + UNIT * across], [y, y - UNIT * up], colour, 5, cap="round")
            yield dot(x + UNIT * pair[0, 0], y - UNIT * pair[0, 1])
            yield text(x - 60, 418, "score", T3, GREY, "end")
            yield from answer(text(x - 40, 416, rounded(score, 2), T4, INK, "start", "bold"))


class Cliff(Picture):
    """Ask five small networks who bites at the end of a sentence, the longer the farther beyond those they know.

    They were trained to name the word two back. The sentences end in "dog bites man" or in "man bites dog". The thick
    line is the mean of five seeds, the thin ones are the least and the greatest.

    {parameters}
    """

    fields: ClassVar = (Integer("position", 31, 2, LAST, moves=True, about="Where the last word stands"),)
    play: ClassVar = "position"
    question: ClassVar = "How often do they name the biter beyond the length they were trained on?"
    upright: ClassVar = False

    @property
    def shares(self) -> np.ndarray:
        """How often each of five networks is right, by where the last word stands: shape (5, 48), NaN at 0 and 1."""
        return _shares()

    def says(self) -> str:
        """Say how often they are right here."""
        at, share = self.state["position"], self.shares[:, self.state["position"]].mean()
        said = hold(f"{100 * share:.0f} times of 100")
        beyond = ", which training never showed them" if at >= TRAINED else ""
        return f"At {here(f'position {at}')}{beyond}, they name the biter {said}."

    def lay(self) -> Elements:
        """Yield the axes, and the places that were trained."""
        pane, guess = PLOT, 1 / 12
        yield box(pane.x(0), pane.top, pane.x(TRAINED - 0.5) - pane.x(0), pane.high, BAND)
        yield text(pane.x(TRAINED / 2), pane.top + 60, "trained on 32 words", T2, GREY)
        yield from beside(pane, (0, 0.5, 1))
        yield level(pane, 0)
        yield level(pane, guess, GREY, 1, DASHED)
        yield text(pane.left + 12, pane.y(guess) - 16, "guessing: 1 in 12", T2, GREY, "start")
        yield from below(pane, range(0, LAST + 2, 8), pane.bottom + 24)
        places, shares = np.arange(2, LAST + 1), self.shares[:, 2:]
        yield from answer(
            *(line(pane.x(places), pane.y(one), LINE, 2) for one in (shares.min(axis=0), shares.max(axis=0)))
        )
        yield from answer(line(pane.x(places), pane.y(shares.mean(axis=0)), INK, 3))

    def move(self) -> Elements:
        """Yield the mark."""
        at = self.state["position"]
        x, y = PLOT.x(at), PLOT.y(self.shares[:, at].mean())
        yield link(x, [PLOT.top, PLOT.bottom])
        yield from answer(dot(x, y))

    def axis(self) -> tuple[float, ...]:
        """Return where the slider lies: along the positions."""
        return PLOT.x(2), PLOT.x(LAST)


@cache
def _shares() -> np.ndarray:
    trained = networks("sinusoidal")
    return np.mean([by_position(trained, LAST + 1, ending=words) for words in (WORDS, WORDS[::-1])], axis=0)


ARROWS = EMBEDDINGS[[2, 1], :2]  # the query of "man" and the key of "bites"
DIALS = ((250.0, 205.0), (850.0, 205.0))  # the middles


def _across(place: int) -> float:
    return 224 + 120.0 * place


def _down(place: int) -> float:
    return 132 + 104.0 * place


def _cells(y: float) -> list[tuple[float, float, float, float]]:
    return [(380.0 + 150 * k, y - 36, 140.0, 72.0) for k in range(4)]


def swapped(positions: str = "none") -> Explorer:
    """Let two of three words change places, with the attention weights and what comes out."""
    return Explorer(SwapWords(positions=positions))


def short_waves() -> Explorer:
    """Show the waves of "dog bites man", where "bites" is."""
    return Explorer(ShortWaves("dog bites man", position=1, d_model=4))


def drawn_waves() -> Explorer:
    """Let the hands of 16 words draw their waves."""
    return Explorer(DrawnWaves(length=16))


def cliff() -> Explorer:
    """Ask networks that were trained on 32 words about longer sentences."""
    return Explorer(Cliff())


def added_or_turned(position: int = 2) -> Explorer:
    """Move a query and its key on, with positions added and with positions that turn them."""
    return Explorer(AddedOrTurned(position))


def one_number(position: int = 0, column: int = 0) -> Explorer:
    """Explain a number of "dog bites man"."""
    return Explorer(ExplainThisNumber("dog bites man", position=position, column=column))


def word_plus_position() -> Explorer:
    """Add the row of a position to that of a word."""
    return Explorer(WordPlusPosition())
