"""Ask whether an encoding helps a network that learns, how far it reaches, and what the network found.

Training takes a quarter of a second. The answers differ from one seed to another, and most of all beyond the trained
positions, so nearly everything here takes several networks and shows the least and the greatest share.
"""

import copy
import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pe_lib import _checks
from pe_lib.encoding import sinusoidal_encoding
from pe_lib.network import WORDS, Encoding, Network, Rows, cross_entropy, softmax

LENGTH = 32  # words in a sentence of training, unless you say otherwise
BATCH = 32  # sentences in a step of training
RATE, BETAS, TINY = 1e-2, (0.9, 0.99), 1e-8  # of Adam
HELD_OUT = (0, 2)  # seeds the sentences that are never trained on, the same for all networks
CHANCE = 1 / len(WORDS)  # the share of right answers that guessing gets

# On Linux, memory that a step lets go is given back to the system and fetched again in the next step, which doubles its
# time. Once a block of many megabytes has come and gone, the C library keeps what is let go.
np.empty(30 * 2**20, np.uint8)


def sentences(rng: np.random.Generator, count: int, length: int, words_back: int) -> tuple[np.ndarray, np.ndarray]:
    """Return random sentences, and for each position the word so many before it: both of shape (count, length).

    Words are numbers of `WORDS`. Where nothing is asked, because no word stands so far back, the answer is -1.

    >>> sentences(np.random.default_rng(0), 1, 6, words_back=2)
    (array([[10,  7,  6,  3,  3,  0]]), array([[-1, -1, 10,  7,  6,  3]]))
    """
    words = rng.integers(len(WORDS), size=(count, length))
    answers = np.full_like(words, -1)
    answers[:, words_back:] = words[:, :-words_back]
    return words, answers


class Moment(NamedTuple):
    """A network at one step of its training, measured on 64 sentences that it is never trained on."""

    step: int  # how many batches it has learned from
    loss: float  # the mean of -ln(probability of the right word)
    accuracy: float  # the share of right answers, between 0 and 1
    attention: np.ndarray  # (L, L): how much each position (row) takes from each (column) in the run's example


class Run:
    """The training of one network. Going through it trains on from where it stands and yields what it records.

    Training is by Adam (Kingma and Ba, 2015, "Adam: A Method for Stochastic Optimization", algorithm 1), with batches
    of 32 sentences. Leaving the loop stops it; another loop goes on with it.

    Parameters
    ----------
    encoding : str, Encoding or callable
        As for `Network`.
    words_back : int
        Which word the network has to name.
    starts, gaps : int
        Each batch begins at a random position from 0 to `starts`. From a random word onward, its positions are larger
        by a random number from 0 to `gaps`; no question reaches across that gap.
    length : int
        How many words the sentences have.
    steps : int
        How many batches make the whole training.
    seed : int
        What the random numbers begin with; the same seed gives the same run on the same machine.
    record : iterable of int, optional
        The steps to record, from 0 to `steps`; 51 of them, equally far apart, unless given.
    **shape
        `d_model` and `layers` of the `Network`.

    Attributes
    ----------
    network : Network
        As trained up to now.
    step : int
        How many batches it has learned from.
    moments : list of Moment
        What it has recorded.
    example : ndarray of shape (length,)
        The sentence of the recorded attention, as numbers of `WORDS`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the sentences are too short to ask anything.

    Examples
    --------
    >>> for moment in Run("RoPE", record=[0, 100, 200]):
    ...     print(moment.step, moment.accuracy > 0.2)
    ...     if moment.step == 100:
    ...         break
    0 False
    100 True
    """

    def __init__(
        self,
        encoding: str | Encoding | Rows = "sinusoidal",
        words_back: int = 2,
        *,
        starts: int = 0,
        gaps: int = 0,
        length: int = LENGTH,
        steps: int = 200,
        seed: int = 0,
        record: Iterable[int] | None = None,
        **shape: Any,
    ) -> None:
        self.network = Network(encoding, words_back=words_back, seed=seed, **shape)
        self.words_back = words_back
        self.starts = _checks.integer("starts", starts, at_least=0)
        self.gaps = _checks.integer("gaps", gaps, at_least=0)
        self.length = _checks.integer("length", length, at_least=words_back + 1)
        self.steps = _checks.integer("steps", steps, at_least=1)
        recorded = np.linspace(0, steps, min(steps, 50) + 1).astype(int) if record is None else record
        self.record = tuple(sorted({int(step) for step in recorded}))
        self._held_out = sentences(np.random.default_rng(HELD_OUT), 64, length, words_back)
        self.example = self._held_out[0][0]
        self.moments: list[Moment] = []
        self.step = 0
        self._rng = np.random.default_rng((seed, 7))
        self._averages = {name: np.zeros((2, *p.shape), p.dtype) for name, p in self.network.parameters.items()}

    def __iter__(self) -> Iterator[Moment]:
        while True:
            if self.step in self.record[len(self.moments) :]:
                self.moments.append(self._measured())
                yield self.moments[-1]
            if self.step >= self.steps:
                return
            self._learn()

    def moment_at(self, step: int) -> Moment:
        """Return what is recorded of a step, having trained on as far as that needs."""
        for _ in self if self.step < step or not self.moments else ():
            if self.step >= step:
                break
        return self.moments[self.record.index(step)]

    def _learn(self) -> None:
        """Take one step of Adam."""
        words, answers = sentences(self._rng, BATCH, self.length, self.words_back)
        positions = np.arange(self.length) + self._rng.integers(self.starts + 1)
        if self.gaps:
            cut = int(self._rng.integers(1, self.length))
            positions[cut:] += self._rng.integers(self.gaps + 1)
            answers[:, cut : cut + self.words_back] = -1
        _, gradients = self.network.gradients(words, answers, positions)
        self.step += 1
        for name, gradient in gradients.items():
            mean, square = self._averages[name]
            mean += (1 - BETAS[0]) * (gradient - mean)
            square += (1 - BETAS[1]) * (gradient**2 - square)
            size = np.sqrt(square / (1 - BETAS[1] ** self.step)) + TINY
            self.network.parameters[name] -= RATE * mean / (1 - BETAS[0] ** self.step) / size

    def _measured(self) -> Moment:
        """Return how the network does just now."""
        words, answers = self._held_out
        done = self.network.forward(words)
        loss, _ = cross_entropy(done.logits, answers)
        right = (done.logits.argmax(axis=-1) == answers)[answers >= 0]
        return Moment(self.step, loss, float(right.mean()), done.layers[-1].attention[0].mean(axis=0))


def train(run: Run) -> Run:
    """Train to the end without looking, and return the run with its record.

    >>> train(Run("sinusoidal")).moments[-1].accuracy > 0.9
    True
    """
    for _ in run:
        pass
    return run


def networks(
    encoding: str | Encoding | Rows = "sinusoidal", *, seeds: int | Iterable[int] = 5, **training: Any
) -> list[Network]:
    """Train a network for each seed, five unless you say otherwise; `training` goes to `Run`.

    >>> [network.encoding.name for network in networks("RoPE", words_back=1, steps=10, seeds=2)]
    ['RoPE', 'RoPE']
    """
    numbers = range(seeds) if isinstance(seeds, int) else seeds
    return [train(Run(encoding, seed=seed, record=(), **training)).network for seed in numbers]


def by_position(
    trained: Iterable[Network],
    length: int = 128,
    *,
    ending: Sequence[str] = (),
    farthest: int | None = None,
    count: int = 256,
) -> np.ndarray:
    """Return how often each network is right at each position, shape (networks, length), NaN where nothing is asked.

    All networks get the same `count` sentences, which none was trained on. With an `ending`, words of `WORDS`, each
    position gets sentences that end there, in these words. `farthest` goes to `Network.forward`.

    >>> by_position(networks("sinusoidal", seeds=2), 64)[:, [1, 31, 40]].round()
    array([[nan,  1.,  0.],
           [nan,  1.,  0.]])
    """
    shares, ends = [], [WORDS.index(_checks.one_of("ending", word, WORDS)) for word in ending]
    at_once = max(2**20 // length**2, 1)  # long sentences take much memory
    for network in trained:
        words, _ = sentences(np.random.default_rng(HELD_OUT), count, length, network.words_back)
        right = np.full((count, length), np.nan)
        for last in range(len(ends) - 1, length) if ends else (length - 1,):
            asked, columns = words[:, : last + 1].copy(), slice(last if ends else 0, last + 1)
            asked[:, last + 1 - len(ends) :] = ends
            for first in range(0, count, at_once):
                piece = slice(first, first + at_once)
                named = network.forward(asked[piece], farthest=farthest).logits.argmax(axis=-1)
                right[piece, columns] = (named == np.roll(asked[piece], network.words_back, axis=1))[:, columns]
        right[:, : network.words_back] = np.nan
        shares.append(right.mean(axis=0))
    return np.array(shares)


def bands(shares: Mapping[str, np.ndarray], width: int = 32) -> None:
    """Print for each name the least and the greatest share of right answers in every band of positions.

    `shares` are what `by_position` returns.

    >>> bands({"both": np.array([[0.5, 1.0, 0.0, 0.5], [1.0, 1.0, 0.0, 1.0]])}, 2)
    right at                      0-1          2-3
    both                    0.75-1.00    0.25-0.50
    """
    starts = range(0, max(share.shape[1] for share in shares.values()), width)
    print(f"{'right at':20}" + "".join(f"{f'{start}-{start + width - 1}':>13}" for start in starts))
    for name, share in shares.items():
        means = [np.nanmean(share[:, start : start + width], axis=1) for start in starts]
        print(f"{name:20}" + "".join(f"{f'{mean.min():.2f}-{mean.max():.2f}':>13}" for mean in means))


def position_scores(network: Network, length: int = 64) -> np.ndarray:
    """Return what is left of the scores of the first head when every position holds the same, average word.

    The largest of each row is set to 0, since the softmax takes no notice of what all scores of a row share. Shape
    (length, length), NaN where a position must not look.

    >>> np.nanargmax(position_scores(networks("sinusoidal", seeds=1)[0], 32)[[5, 20]], axis=1)
    array([ 3, 18])
    """
    scores = _parts(network, np.zeros((1, length), int))[1][0].astype(np.float64)
    scores[np.triu_indices(length, 1)] = np.nan
    return np.asarray(scores - np.nanmax(scores, axis=1, keepdims=True))


def right_by(network: Network, part: str) -> float:
    """Return how often a network of one layer is right if it attends by one part of its scores alone.

    "positions" is the part of `position_scores`; "words" is all the rest of the scores.
    """
    _checks.one_of("part", part, ("positions", "words"))
    words, answers = sentences(np.random.default_rng(HELD_OUT), 128, LENGTH, network.words_back)
    whole, positions = _parts(network, words)
    at = np.arange(LENGTH)
    scores = np.broadcast_to(positions, whole.shape) if part == "positions" else whole - positions
    value = network.given(words, at) @ network.parameters["value"]
    logits = softmax(scores + network.bias(at)) @ value @ network.parameters["output"]
    return float((logits.argmax(axis=-1) == answers)[answers >= 0].mean())


def _parts(network: Network, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of the first head, (B, L, L), and their position part, (1, L, L); neither has a bias."""
    p, at, columns = network.parameters, np.arange(words.shape[1]), network.d_model // network.heads
    average = copy.copy(network)
    average.parameters = p | {"embedding": np.broadcast_to(p["embedding"].mean(axis=0), p["embedding"].shape)}
    found = []
    for one, sentence in ((network, words), (average, words[:1])):
        x = one.given(sentence, at)
        query, key = (np.ascontiguousarray((x @ p[name])[..., :columns]) for name in ("query", "key"))
        found.append(one.scores(query, key, at))
    return found[0], found[1]


def offset_r2(scores: np.ndarray) -> float:
    """Return R²: how much of the scores the offset alone explains, 1 if all of it, about 0 for noise.

    A constant for each query (row) is taken off first, since the softmax takes no notice of it: of the squares that are
    left, this is the fraction that a number for each offset explains. Only keys up to the query count.

    >>> law = np.cos(np.arange(8)[:, np.newaxis] - np.arange(8)) + np.arange(8)[:, np.newaxis]
    >>> round(offset_r2(law), 4)
    1.0
    """
    query, key = np.tril_indices(len(scores))
    seen = np.asarray(scores, np.float64)[query, key]
    by_query = (query[:, np.newaxis] == np.arange(len(scores))).astype(float)
    by_offset = ((query - key)[:, np.newaxis] == np.arange(1, len(scores))).astype(float)

    def left(columns: np.ndarray) -> float:
        return float(np.square(seen - columns @ np.linalg.lstsq(columns, seen, rcond=None)[0]).sum())

    return 1 - left(np.hstack([by_query, by_offset])) / left(by_query)


def put_back(network: Network, pairs: Iterable[int], start: int) -> Network:
    """Return the same network for sentences that begin at position `start`, though some of its hands begin at 0.

    These hands stand all along such a sentence where they stood in training; hand i is pair i.

    >>> rows = put_back(Network("sinusoidal"), range(16), start=40).rows(np.arange(32))
    >>> bool((rows == Network("sinusoidal").rows(np.arange(32))).all())
    True
    """
    start = _checks.integer("start", start, at_least=0)
    rows, numbers = network.encoding.rows, list(pairs)
    if rows is None:
        raise ValueError(f"network must have rows with hands to put back, {network.encoding.name!r} has none")

    def with_some_put_back(length: int, columns: int) -> np.ndarray:
        running = np.asarray(rows(start + length, columns))
        return np.where(np.isin(np.arange(columns) // 2, numbers), running[:length], running[start:])

    other = copy.copy(network)
    other.encoding = dataclasses.replace(network.encoding, rows=with_some_put_back)
    return other


def scores_by_offset(network: Network, length: int = 128) -> np.ndarray:
    """Return the mean score of all pairs of words at each offset from 0 onward, shape (length,); with RoPE alone.

    >>> int(scores_by_offset(networks("RoPE", seeds=1)[0]).argmax())
    2
    """
    p, at = network.parameters, np.arange(length)
    query, key = ((p["embedding"].mean(axis=0) @ p[name])[np.newaxis] for name in ("query", "key"))
    rotated = network.rotated(np.repeat(query, length, axis=0), at)  # seen from a key at position 0
    return np.asarray((rotated @ key[0]).astype(np.float64) / np.sqrt(network.d_model))


def race(words: int, positions: int = 0, *, steps: int = 200) -> None:
    """Print how well networks learn with so many columns for words, and so many next to them for positions.

    With no columns of their own the positions are added. Trained on 32 words; least and greatest share of five seeds.

    >>> race(6, 2, steps=10)  # doctest: +ELLIPSIS
    6 + 2 concatenated   inside 0... to 0..., beyond 0... to 0...
    """
    encoding = Encoding("raced", sinusoidal_encoding, appended=positions)
    share = by_position(networks(encoding, steps=steps, d_model=words + positions), 2 * LENGTH)
    inside, beyond = (np.nanmean(half, axis=1) for half in np.split(share, 2, axis=1))
    way = f"{words} + {positions} concatenated" if positions else f"{words} columns, added"
    print(f"{way:20} inside {_ends(inside)}, beyond {_ends(beyond)}")


def _ends(shares: np.ndarray) -> str:
    return f"{shares.min():.2f} to {shares.max():.2f}"
