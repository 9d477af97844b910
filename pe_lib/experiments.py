"""Does an encoding help a network that learns? Tasks, a training of about a second, and tests at other lengths."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pe_lib import _checks
from pe_lib.network import WORDS, Encoding, Network, Rows, cross_entropy

CAT, MOUSE = WORDS.index("cat"), WORDS.index("mouse")
BATCH = 32  # sentences in a step of training
RATE, BETAS, TINY = 3e-3, (0.9, 0.99), 1e-8  # of Adam
HELD_OUT = (0, 2)  # seeds the sentences that are never trained on, the same for all networks
WATCHED = 64  # of them measure the progress of training
TESTED = 8192  # answers test a network

Sentences = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Task:
    """What is asked about sentences of random words; its `name` says it in words.

    `sentences` takes a random generator, how many and their length, and returns words of shape (B, L) as numbers of
    `WORDS`, and answers of the same shape with -1 where nothing is asked, or of shape (B,) if `whole`: then there is
    one answer for a sentence, from the mean of all rows and without a mask. `chance` is the share of right answers that
    guessing gets.
    """

    name: str
    sentences: Callable[[np.random.Generator, int, int], Sentences]
    chance: float = 1 / len(WORDS)
    whole: bool = False


def word_before(k: int = 1) -> Task:
    """Return the task to name at every place the word `k` places before; `k` is 1 or more.

    >>> word_before(2).sentences(np.random.default_rng(0), 1, 6)
    (array([[10,  7,  6,  3,  3,  0]]), array([[-1, -1, 10,  7,  6,  3]]))
    """
    k = _checks.integer("k", k, at_least=1)
    name = "the word before" if k == 1 else f"the word {k} places before"
    return Task(name, partial(_copied, lambda places: places - k))


def word_at(place: int = 0) -> Task:
    """Return the task to name, at every place from `place` on, the word that stands there; `place` is 0 or more.

    >>> word_at(2).sentences(np.random.default_rng(0), 1, 6)
    (array([[10,  7,  6,  3,  3,  0]]), array([[-1, -1,  6,  6,  6,  6]]))
    """
    place = _checks.integer("place", place, at_least=0)
    return Task(f"the word at place {place}", partial(_copied, lambda places: np.where(places < place, -1, place)))


def _copied(source: Callable[[np.ndarray], np.ndarray], rng: np.random.Generator, count: int, length: int) -> Sentences:
    """Return random sentences, and as the answer at each place the word that stands at its source, if it has one."""
    words = rng.integers(len(WORDS), size=(count, length))
    place = source(np.arange(length))
    return words, np.where(place < 0, -1, words[:, np.maximum(place, 0)])


def which_came_first() -> Task:
    """Return the task to name which came first, cat or mouse: one answer for each sentence.

    Both stand once in every sentence, and every sentence comes twice: as it is, and with both exchanged. So a network
    that sees no order, and answers both alike, is right in one half of them at most.

    >>> words, answers = which_came_first().sentences(np.random.default_rng(1), 2, 4)
    >>> [[WORDS[word] for word in sentence] for sentence in words], [WORDS[answer] for answer in answers]
    ([['mouse', 'loves', 'chased', 'cat'], ['cat', 'loves', 'chased', 'mouse']], ['mouse', 'cat'])
    """
    others = [word for word in range(len(WORDS)) if word not in (CAT, MOUSE)]

    def sentences(rng: np.random.Generator, count: int, length: int) -> Sentences:
        words = np.tile(rng.choice(others, size=((count + 1) // 2, length)), (2, 1))  # (B, L)
        places = rng.permuted(np.tile(np.arange(length), (len(words) // 2, 1)), axis=1)[:, :2]  # (B/2, 2)
        places = np.concatenate([places, places[:, ::-1]])
        np.put_along_axis(words, places, np.array([[CAT, MOUSE]]), axis=1)
        return words[:count], np.where(places[:, 0] < places[:, 1], CAT, MOUSE)[:count]

    return Task("which came first", sentences, chance=1 / 2, whole=True)


class Moment(NamedTuple):
    """A network at one step of its training, measured on 64 sentences that it is never trained on."""

    step: int  # how many batches it has learned from
    loss: float  # the mean of -ln(probability of the right word)
    accuracy: float  # the share of right answers, between 0 and 1
    attention: np.ndarray  # (L, L): how much each place (row) takes from each (column) in the run's example


class Run:
    """The training of one network. Going through it trains on from where it stands and yields what is recorded.

    Training is by Adam (Kingma and Ba, 2015, "Adam: A Method for Stochastic Optimization", algorithm 1), with batches
    of 32 sentences. Leaving the loop stops it; another loop goes on with it.

    Parameters
    ----------
    encoding : str, Encoding or callable
        As for `Network`.
    task : Task, optional
        `word_before()` unless given.
    length : int
        How many words the sentences have, 2 or more.
    steps : int
        How many batches make the whole training, 1 or more.
    seed : int
        What the random numbers begin with, 0 or more; the same seed gives the same run on the same machine.
    record : iterable of int, optional
        The steps to record, from 0 to `steps`; 61 of them, equally far apart, unless given.

    Attributes
    ----------
    task, length, steps, record
        As given, `record` as a tuple in the order of the steps.
    network : Network
        As trained up to now.
    step : int
        How many batches it has learned from.
    moments : list of Moment
        What has been recorded.
    example : ndarray of shape (length,)
        The sentence of the recorded attention, as numbers of `WORDS`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> for moment in Run("RoPE", record=[0, 100, 600]):
    ...     print(moment.step, moment.accuracy > 0.2)
    ...     if moment.step == 100:
    ...         break
    0 False
    100 True
    """

    def __init__(
        self,
        encoding: str | Encoding | Rows = "sinusoidal",
        task: Task | None = None,
        *,
        length: int = 32,
        steps: int = 600,
        seed: int = 0,
        record: Iterable[int] | None = None,
    ) -> None:
        self.task = word_before() if task is None else task
        if not isinstance(self.task, Task):
            raise TypeError(f"task must be a Task, such as word_before(), got {_checks.shown(task)}")
        self._held_out = _held_out(self.task, WATCHED, length)
        self.length = length
        self.example = self._held_out[0][0]
        self.steps = _checks.integer("steps", steps, at_least=1)
        record = np.linspace(0, self.steps, 61).astype(int) if record is None else record
        self.record = tuple(sorted({_checks.integer("record", step, at_least=0) for step in record}))
        if max(self.record, default=0) > self.steps:
            raise ValueError(f"record must lie between 0 and steps = {self.steps}, got {max(self.record)}")
        self.network = Network(encoding, whole=self.task.whole, seed=seed)
        self.moments: list[Moment] = []
        self.step = 0
        self._rng = np.random.default_rng((seed, 0))
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
        if step not in self.record:
            raise ValueError(f"step must be one of those recorded, {self.record}, got {step!r}")
        for _ in self if self.step < step or not self.moments else ():
            if self.step >= step:
                break
        return self.moments[self.record.index(step)]

    def _learn(self) -> None:
        """Take one step of Adam."""
        words, answers = self.task.sentences(self._rng, BATCH, self.length)
        start = int(self._rng.integers(self.network.encoding.random_starts + 1))
        _, gradients = self.network.gradients(words, answers, start)
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
        return Moment(self.step, loss, float(right.mean()), done.attention[0].copy())


def train(run: Run) -> Run:
    """Train to the end without looking, and return the run with its record.

    >>> train(Run("sinusoidal", steps=300)).moments[-1].accuracy > 0.5
    True
    """
    for _ in run:
        pass
    return run


def accuracy(run: Run, lengths: Iterable[int], *, beyond: int = 32) -> dict[int, float]:
    """Return the share of right answers in sentences of each length, the same ones for all networks.

    Answers count from position `beyond` on, so that what was trained does not hide what was not; 0 counts all of them.
    There are 8192 or a few less; where there is one answer for a whole sentence, 1024, and all count. Returns numbers
    between 0 and 1; raises TypeError or ValueError if an argument will not do, or nothing is left that counts.

    >>> run = train(Run("ALiBi", steps=200))
    >>> all(share > 0.8 for share in accuracy(run, [40, 64]).values())
    True
    """
    beyond = _checks.integer("beyond", beyond, at_least=0)
    shares = {}
    for length in lengths:
        counted = 8 if run.task.whole else max(_checks.integer("length", length, at_least=2) - beyond, 1)
        words, answers = _held_out(run.task, max(TESTED // counted, 1), length, beyond)
        at_once = max(2**21 // length**2, 1)  # long sentences take much memory
        pieces = [words[first : first + at_once] for first in range(0, len(words), at_once)]
        named = np.concatenate([run.network.forward(piece).logits.argmax(axis=-1) for piece in pieces])
        shares[length] = float((named == answers)[answers >= 0].mean())
    return shares


def accuracies(
    encoding: str | Encoding | Rows, lengths: int | Sequence[int], *, seeds: Iterable[int] = range(3), **training: Any
) -> list[dict[int, float]]:
    """Train a network for each seed, and return what `accuracy` says of it.

    `training` goes to `Run`. Up to the trained length, where nothing lies beyond it, all answers count.

    >>> [run[32] > 0.9 > run[64] for run in accuracies("sinusoidal", [32, 64], seeds=[0, 1], steps=200)]
    [True, True]
    """
    found = []
    lengths = [_checks.integer("a length", n, at_least=2) for n in np.atleast_1d(lengths)]
    for seed in seeds:
        run = train(Run(encoding, seed=seed, record=(), **training))
        within = [length for length in lengths if length <= run.length]
        beyond = [length for length in lengths if length > run.length]
        found.append(accuracy(run, within, beyond=0) | accuracy(run, beyond, beyond=run.length))
    return found


def _held_out(task: Task, count: int, length: int, beyond: int = 0) -> Sentences:
    """Return sentences that are never trained on, and what is asked from position `beyond` on."""
    length = _checks.integer("length", length, at_least=2)
    _checks.table_size(BATCH, length, length)  # training keeps more than one such table
    words, answers = task.sentences(np.random.default_rng(HELD_OUT), count, length)
    if not task.whole:
        answers[:, :beyond] = -1
    if (answers < 0).all():
        raise ValueError(f"length must leave something to ask of {task.name!r} from position {beyond}, got {length}")
    return words, answers
