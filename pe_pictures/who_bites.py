"""Who bites man? A trained head reads the same three words farther and farther along, and past its training it errs."""

from functools import lru_cache
from textwrap import wrap
from typing import Any, ClassVar

import numpy as np

from pe_lib.experiments import LENGTH, networks
from pe_lib.network import WORDS, Network
from pe_pictures.colours import BAND, GREY, HERE, INK, LINE
from pe_pictures.fields import Choice, Integer, frozen
from pe_pictures.fonts import width_of
from pe_pictures.parts import dot, spot
from pe_pictures.picture import Picture, Target, Targets
from pe_pictures.scene import T1, T3, Curves, Elements, Text, answer, arc, box, discs, line, pixels, text
from pe_pictures.writing import here, hold

THREE = ("dog", "bites", "man")
BEFORE = (  # each animal once in every nine, in random order, as the words of the training are
    "fox owl hen bee pig elk ant cat cow hen elk pig bee cat fox ant owl cow elk cat owl fox hen ant bee "
    "cow pig hen ant pig bee elk owl fox cow cat ant bee fox elk hen pig owl cat cow hen bee"
)
LINE_UP = (*THREE[::-1], *BEFORE.split()[::-1])  # the words, counted back from "man"
LAST = len(LINE_UP) - 1  # the last position on the sheet
HEADS: dict[str, tuple[str, int]] = {  # what the head has of positions, and how far along its sentences begin at most
    "sinusoids": ("sinusoidal", 0),
    "no encoding": ("none", 0),
    "RoPE": ("RoPE", 0),
    "shown more positions": ("sinusoidal", 16),
}
WIDEST = 16  # how wide an arc is that carries everything
SEEN = 0.03  # arcs of smaller attention weights are left out
NOTE = "trained here, to find the word two back in random words; it knows nothing about biting"


class WhoBites(Picture):
    """Push "dog bites man" to the right, past the positions that a trained head has seen, and ask it who bites.

    The head has learned to name the word two back, in sentences of 32 random words. Arcs lead from "man" to the words
    that it takes from, as wide as the attention weight; the word that it takes most from stands out. The tinted
    positions are those of the training.

    {parameters}

    Examples
    --------
    >>> [WhoBites(position=position).named for position in (2, 31, 36)]
    ['dog', 'dog', 'pig']
    """

    fields: ClassVar = (
        Choice("head", "sinusoids", options=tuple(HEADS), about="What tells the head where a word stands"),
        Integer("last", LAST, 2, LAST, hidden=True, about="How far the three words can be pushed"),
        Integer("position", 29, 2, lambda s: s["last"], moves=True, follows="last", about='Where "man" stands'),
    )
    shown: ClassVar = ("position",)  # chips choose the head
    play: ClassVar = "position"
    presets: ClassVar = {
        **{name: {"head": name} for name in HEADS},
        **{f"position {position}": {"position": position} for position in (31, 36)},
    }
    pages: ClassVar = ({"head": tuple(HEADS), "position": range(2, LAST + 1)},)
    question: ClassVar = "Who bites man?"
    opens: ClassVar = True

    @property
    def attention_weights(self) -> np.ndarray:
        """How much "man" takes from each word, counted back from itself: shape (position + 1,)."""
        return _read(self.state["head"], self.state["position"])[0]

    @property
    def named(self) -> str:
        """The word that the head names."""
        return _read(self.state["head"], self.state["position"])[1]

    @property
    def most(self) -> int:
        """How far back the word is that "man" takes most from."""
        return int(self.attention_weights.argmax())

    @property
    def seen(self) -> int:
        """How many positions the head was trained on."""
        return LENGTH + HEADS[self.state["head"]][1]

    def says(self) -> str:
        head, position, most, named = self.state["head"], self.state["position"], self.most, hold(self.named)
        at, much = here(f"position {position}"), hold(f"{100 * self.attention_weights[most]:.0f}%")
        takes = f"“man” takes most from {hold(f'“{LINE_UP[most]}”')}, {much}"
        if head == "no encoding":
            return f"At {at}, without positions, “man” takes at most {much} from a word: it can only guess."
        if self.named != LINE_UP[most]:
            return f"At {at} {takes}, and yet the head names “{named}”."
        if most != 2:
            but = "Even this head slips here:" if head == "RoPE" else "The same three words, but"
            return f"At {at} {takes}. {but} the {named} bites."
        if position < LENGTH:
            return f"At {at} {takes}: the {named} bites."
        if head == "RoPE":
            return f"At {at} {takes}: this head goes by the offset."
        if position < self.seen:
            return f"At {at} {takes}: its training came this far."
        return f"At {at}, new to the head, {takes}: still the {named} bites."

    def words(self) -> str:
        most = self.most
        found = f"It takes most from {LINE_UP[most]}, {most} back, {self.attention_weights[most]:.2f}"
        return (
            f"“dog bites man” after {self.state['position'] - 2} other words; man stands at position "
            f"{self.state['position']}. The head ({self.state['head']}) was trained on positions 0 to {self.seen - 1}, "
            f"to find the word two back, in random words. {hold(f'{found}, and names {self.named}')}."
        )

    def lay(self) -> Elements:
        first, end, low = self._at(-0.5), self._at(self.seen - 0.5), self._low + (118 if self.tall else 126)
        yield box(first, 8, end - first, low - 8, BAND)
        letter = 0.431 * pixels(T1, self.tall)  # how wide it is in the mean
        for k, said in enumerate(wrap(NOTE, int((200 if self.tall else 300) / letter))):
            yield text(first + 10, 30 + (28 if self.tall else 22) * k, said, T1, GREY, "start")
        yield line(end, [8, low], LINE, 1.5)
        if self.seen == LENGTH:
            yield text(end + 10, 30, "never seen", T1, GREY, "start")
        for k in range(0, LAST + 1, 8):
            yield text(self._at(k), low + 18, f"{k}", T1, GREY)

    def move(self) -> Elements:
        """Yield what moves: each arc and each dot belongs to a word, and goes with it."""
        weights, most, position, low = self.attention_weights, self.most, self.state["position"], self._low
        arcs, dots, words = [], [], []
        for back in range(LAST + 1):
            there = back <= position
            x, much = self._at(max(position - back, -1)), float(weights[back]) if there else 0.0
            arcs.append(self._arc(x, much if much >= SEEN else 0.0, back == most))
            radius = 0.0 if not there else 6.0 if back == most else 3.5
            dots.append(discs(x, low, radius, INK if back == most else GREY))
            words.append(self._word(back, x, there))
        for back in range(3):
            yield line([self._at(position - back), self._centre(back)], [low + 8, low + 58], LINE, 1.5)
        yield from answer(*arcs)
        yield from answer(*dots, *words[3:], self._back())
        yield from words[:3]
        yield spot(self._at(position), low)
        yield dot(self._at(position), low)

    def targets(self) -> Targets:
        left, right = self._at(1.5), self._at(self.state["last"] + 0.5)
        across = ("position", range(2, self.state["last"] + 1))
        yield Target((left, 8, right - left, self.size[1] - 16), across=across)

    # Where everything is drawn.

    @property
    def _low(self) -> float:
        """How far down the dots lie."""
        return 604.0 if self.tall else 282.0

    def _at(self, position: float) -> float:
        """Return how far across a position lies."""
        return 56 + 9.1 * position if self.tall else 44 + 19.8 * position

    def _arc(self, x: float, much: float, most: bool) -> Curves:
        """Return the arc from "man" to a word, the higher the farther."""
        start, y = self._at(self.state["position"]), self._low - 8
        far, highest = abs(start - x), 540.0 if self.tall else 262.0
        high = min(highest, (90 + 1.6 * far) if self.tall else (64 + 0.62 * far))
        points = [(start, y), (start, y - high), (x, y - high), (x, y)]
        return arc(points, INK, round(WIDEST * much, 2), opacity=0.95 if most else round(0.25 + 0.6 * much, 3))

    def _word(self, back: int, x: float, there: bool) -> Text:
        """Return a word: the three large, the crowd small in two rows, the one that is taken from large too."""
        word, most = LINE_UP[back] if there else "", there and back == self.most
        y, weight = self._low + 76, "bold" if back == 0 or most else "normal"
        if back < 3:
            colour = HERE if back == 0 else INK if most else GREY
            return text(self._centre(back), y, word, T3, colour, "middle", weight)
        if most:
            free = (0, self._centre(2) - self._wide(2) / 2 - 24)
            return Text(word, x, y, T3, INK, "middle", "bold", within=free)
        return text(x, self._low + (42 if back % 2 else 23), "" if self.tall else word, T1, GREY)

    def _back(self) -> Text:
        """Say how far back that is, on the side of the line where "man" stands."""
        turns = (self.most - 2) / (2 * np.pi)  # of the fastest hand
        said = f"{self.most} back" + ", not 2" * (self.most != 2)
        if self.state["head"] != "no encoding" and round(turns) and abs(turns - round(turns)) < 0.2 and not self.tall:
            said += f": {'one turn' if round(turns) == 1 else f'{round(turns)} turns'} of the fastest hand too far"
        end, inside = self._at(self.seen - 0.5), self.state["position"] < self.seen
        left = end - 10 - width_of(said, pixels(T1, self.tall)) if inside else end + 10
        return text(
            left, (170 if inside else 58) if self.tall else 52, said, T1, INK, "start", most=self.size[0] - left
        )

    def _wide(self, back: int) -> float:
        """Return how wide one of the three words is."""
        return width_of(LINE_UP[back], pixels(T3, self.tall), "bold")

    def _centre(self, back: int) -> float:
        """Return where the middle of one of the three words is: as close to its dot as all three have room."""
        wide, gap = [self._wide(k) for k in (2, 1, 0)], 9
        whole = sum(wide) + 2 * gap
        first = 72.0 if self.tall else 60.0  # before them a word may stand that is taken from
        left = min(max(self._at(self.state["position"] - 1) - whole / 2, first), self.size[0] - whole)
        return left + sum(wide[: 2 - back]) + (2 - back) * gap + wide[2 - back] / 2


@lru_cache(maxsize=len(HEADS))
def _network(head: str) -> Network:
    """Return a trained network: a second's work, at the first need."""
    encoding, starts = HEADS[head]
    return networks(encoding, seeds=1, starts=starts)[0]


@lru_cache(maxsize=512)
def _read(head: str, position: int) -> tuple[np.ndarray, str]:
    """Return what "man" takes from each word, counted back, and the word that the head names."""
    done: Any = _network(head).forward([[WORDS.index(word) for word in LINE_UP[position::-1]]])
    return frozen(done.layers[0].attention[0, 0, -1, ::-1].astype(float)), WORDS[int(done.logits[0, -1].argmax())]
