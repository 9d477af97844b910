"""A network small enough to read: attention over twelve words, and the encodings that can be put into it.

Each head is that of Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1. Before the heads comes an
embedding and after them one matrix. There is no normalization, and there are no feed-forward layers. The gradients are
written by hand.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from pe_lib import _checks
from pe_lib.encoding import frequencies, sinusoidal_encoding

WORDS = ("cat", "cow", "hen", "pig", "fox", "owl", "bee", "dog", "bites", "man", "ant", "elk")

Rows = Callable[[int, int], ArrayLike]


@dataclass(frozen=True)
class Encoding:
    """What tells a network where a word stands. Leave out every part you don't want, or combine several.

    Parameters
    ----------
    name : str
        What it is called.
    rows : callable, optional
        A function (length, columns) → array of shape (length, columns), one row for each position.
    table : int
        How many learned rows there are. They begin near 0, and behind the last one they come again from the first.
    appended : int
        How many columns of their own the rows get, next to the words. 0: the rows are added to the words.
    rotary : bool or float
        Whether queries and keys are rotated by their positions: RoPE (Su et al., 2021, section 3.2.2). Between 0 and 1:
        what part of their pairs is, the fastest first.
    slopes : tuple of float
        For each head, what a score loses for each step between query and key: ALiBi (Press et al., 2022, section 3).
        The network has as many heads as there are slopes, and one if there are none.
    offsets : int
        For how many offsets, from 0 onward, a learned number is added to the scores; the last one serves all beyond.
    """

    name: str
    rows: Rows | None = field(default=None, repr=False)
    table: int = 0
    appended: int = 0
    rotary: bool | float = False
    slopes: tuple[float, ...] = ()
    offsets: int = 0


def random_rows(length: int, columns: int) -> np.ndarray:
    """Return rows of random numbers, the same ones for each position at every call.

    >>> bool(np.all(random_rows(9, 32)[:4] == random_rows(4, 32)))
    True
    """
    return np.random.default_rng(99).standard_normal((length, columns))


def hands(pairs: Iterable[int]) -> Encoding:
    """Return the sinusoidal encoding with some of its hands alone: every column of another pair is 0.

    Hand i is the pair of columns 2i and 2i+1.

    >>> hands([1]).rows(3, 6).round(2)
    array([[0.  , 0.  , 0.  , 1.  , 0.  , 0.  ],
           [0.  , 0.  , 0.05, 1.  , 0.  , 0.  ],
           [0.  , 0.  , 0.09, 1.  , 0.  , 0.  ]])
    """
    kept = list(pairs)

    def rows(length: int, columns: int) -> np.ndarray:
        return np.where(np.isin(np.arange(columns) // 2, kept), sinusoidal_encoding(length, columns), 0.0)

    return Encoding(f"hands {', '.join(map(str, kept))}", rows)


ENCODINGS = {
    encoding.name: encoding
    for encoding in (
        Encoding("none"),
        Encoding("sinusoidal", sinusoidal_encoding),
        Encoding("learned", table=32),
        Encoding("random rows", random_rows),
        Encoding("RoPE", rotary=True),
        Encoding("ALiBi", slopes=(0.5,)),
        Encoding("bias", offsets=16),
    )
}


class Layer(NamedTuple):
    """What one layer computes on its way, for B sentences of L words and H heads."""

    x: np.ndarray  # (B, L, d_model): what the layer was given
    query: np.ndarray  # (B, H, L, d_model/H), rotated if the encoding is rotary
    key: np.ndarray  # (B, H, L, d_model/H), rotated if the encoding is rotary
    value: np.ndarray  # (B, H, L, d_model/H)
    attention: np.ndarray  # (B, H, L, L): how much each position (row) takes from each (column); every row sums to 1


class Pass(NamedTuple):
    """What a network computes for B sentences of L words."""

    logits: np.ndarray  # (B, L, 12): a number for each position and each word; the largest is the answer
    x: np.ndarray  # (B, L, d_model): what the last layer found
    layers: list[Layer]


class Network:
    """A network that is asked, at every position, for the word some positions before. It begins with random numbers.

    A position sees itself and what came before (a causal mask). A single layer passes on what it found. With two layers
    or more, each adds what it found to what it was given (a residual connection).

    Parameters
    ----------
    encoding : str, Encoding or callable
        A name in `ENCODINGS`, an `Encoding`, or a function (length, d_model) → rows that are added to the words.
    words_back : int
        Which word the network is asked for.
    d_model, layers : int
        Its width, and how many layers it has.
    seed : int
        What its random numbers begin with.
    dtype : {float32, float64}
        What it computes in.

    Attributes
    ----------
    parameters : dict of str to ndarray
        ``embedding`` (12, d_model), ``query``, ``key``, ``value`` (d_model, d_model), ``output`` (d_model, 12); those
        of a second layer are called ``query 2`` and so on. With them what the encoding learns: ``table``, ``offsets``.

    Raises
    ------
    TypeError, ValueError
        If there is no encoding of this name or kind, or a number is not a positive integer.

    Examples
    --------
    >>> Network("RoPE").forward([[3, 1, 4, 1]]).layers[0].attention.shape
    (1, 1, 4, 4)
    """

    def __init__(
        self,
        encoding: str | Encoding | Rows = "sinusoidal",
        *,
        words_back: int = 2,
        d_model: int = 32,
        layers: int = 1,
        seed: int = 0,
        dtype: DTypeLike = np.float32,
    ) -> None:
        self.encoding = _as_encoding(encoding)
        self.words_back = _checks.integer("words_back", words_back, at_least=1)
        self.d_model = _checks.even_d_model(d_model, "a pair needs two columns")
        self.layers = _checks.integer("layers", layers, at_least=1)
        self.heads = max(len(self.encoding.slopes), 1)
        self.row_columns = self.encoding.appended or d_model
        self.word_columns = d_model - self.encoding.appended
        normal = np.random.default_rng(_checks.integer("seed", seed, at_least=0)).standard_normal
        parameters = {"embedding": normal((len(WORDS), self.word_columns))}
        for layer in range(layers):
            for name in self._names(layer):
                parameters[name] = normal((d_model, d_model)) / math.sqrt(d_model)
        parameters["output"] = normal((d_model, len(WORDS))) / math.sqrt(d_model)
        if self.encoding.table:
            parameters["table"] = 0.02 * normal((self.encoding.table, self.row_columns))
        if self.encoding.offsets:
            parameters["offsets"] = np.zeros((self.heads, self.encoding.offsets))  # the same ones in every layer
        self.dtype = np.dtype(dtype)
        self.parameters = {name: values.astype(self.dtype) for name, values in parameters.items()}

    def forward(self, words: ArrayLike, positions: ArrayLike | None = None, *, farthest: int | None = None) -> Pass:
        """Compute the answers to sentences.

        Parameters
        ----------
        words : array of int, shape (B, L)
            Numbers of `WORDS`.
        positions : array of int, shape (L,), optional
            Where the words stand, in rising order; from 0 onward unless given.
        farthest : int, optional
            Rotate all offsets beyond this one as if they were this one. Matters to RoPE alone.
        """
        words = np.asarray(words)
        at = np.arange(words.shape[1]) if positions is None else np.asarray(positions)
        x = self.given(words, at)
        layers = []
        for layer in range(self.layers):
            query, key, value = (self._split(x @ self.parameters[name]) for name in self._names(layer))
            scores = self.scores(query, key, at, farthest) + self.bias(at)  # (B, H, L, L)
            attention = softmax(scores)
            layers.append(Layer(x, self.rotated(query, at), self.rotated(key, at), value, attention))
            found = _joined(attention @ value)
            x = found if self.layers == 1 else x + found
        return Pass(x @ self.parameters["output"], x, layers)

    def gradients(
        self, words: ArrayLike, answers: ArrayLike, positions: ArrayLike | None = None
    ) -> tuple[float, dict[str, np.ndarray]]:
        """Return the loss, as `cross_entropy` does, and by how much it grows with every parameter."""
        words = np.asarray(words)
        at = np.arange(words.shape[1]) if positions is None else np.asarray(positions)
        logits, x, layers = self.forward(words, at)
        loss, d_logits = cross_entropy(logits, answers)
        d = {name: np.zeros_like(values) for name, values in self.parameters.items()}
        d["output"] = _product(x, d_logits)
        d_x = d_logits @ self.parameters["output"].T
        for layer, (x, query, key, value, attention) in reversed(list(enumerate(layers))):
            d_found = self._split(d_x)
            d_value = attention.swapaxes(-1, -2) @ d_found
            d_attention = d_found @ value.swapaxes(-1, -2)
            d_scores = attention * (d_attention - (d_attention * attention).sum(axis=-1, keepdims=True))
            if "offsets" in d:
                for of_head, change in zip(d["offsets"], d_scores.sum(axis=0), strict=True):
                    np.add.at(of_head, self._served_by(at), change)
            root = math.sqrt(self.d_model / self.heads)
            d_query = self.rotated(d_scores @ key / root, -at)
            d_key = self.rotated(d_scores.swapaxes(-1, -2) @ query / root, -at)
            d_x = d_x if self.layers > 1 else np.zeros_like(x)
            for name, change in zip(self._names(layer), (d_query, d_key, d_value), strict=True):
                d[name] = _product(x, _joined(change))
                d_x = d_x + _joined(change) @ self.parameters[name].T
        is_word = words[..., np.newaxis] == np.arange(len(WORDS))  # (B, L, 12)
        d["embedding"] = _product(is_word.astype(self.dtype), d_x[..., : self.word_columns])
        if "table" in d:
            np.add.at(d["table"], at % len(d["table"]), d_x[..., -self.row_columns :].sum(axis=0))
        return loss, d

    def given(self, words: np.ndarray, positions: np.ndarray) -> np.ndarray:
        """Return what the first layer is given: words and rows, added or side by side; shape (B, L, d_model)."""
        embedded, rows = self.parameters["embedding"][words], self.rows(positions)
        if not self.encoding.appended:
            return np.asarray(embedded + rows)
        return np.concatenate([embedded, np.broadcast_to(rows, (*words.shape, self.row_columns))], axis=-1)

    def rows(self, positions: np.ndarray) -> np.ndarray:
        """Return the row of each position, zeros where the encoding has none."""
        rows = np.zeros((len(positions), self.row_columns), self.dtype)
        if self.encoding.rows:
            length = int(positions.max()) + 1
            made = np.asarray(self.encoding.rows(length, self.row_columns), np.float64)
            if made.shape != (length, self.row_columns) or not np.isfinite(made).all():
                wanted = f"finite numbers of shape ({length}, {self.row_columns})"
                raise ValueError(f"rows({length}, {self.row_columns}) must return {wanted}, got {_checks.shown(made)}")
            rows += made[positions].astype(self.dtype)
        if "table" in self.parameters:
            rows += self.parameters["table"][positions % len(self.parameters["table"])]
        return rows

    def rotated(self, x: np.ndarray, positions: np.ndarray) -> np.ndarray:
        """Return queries or keys (…, L, columns) with each pair rotated by position · frequency, if `rotary`.

        Columns 2i and 2i+1 are taken for one complex number; a product with another of size 1 rotates it.
        """
        if not self.encoding.rotary:
            return x
        w = frequencies(x.shape[-1])
        some = np.where(np.arange(len(w)) < self.encoding.rotary * len(w), w, 0)
        turn = np.exp(1j * positions[:, np.newaxis] * some)  # (L, columns/2)
        turn = turn.astype(np.result_type(self.dtype, np.complex64))
        return np.asarray((x.view(turn.dtype) * turn).view(self.dtype))

    def scores(
        self, query: np.ndarray, key: np.ndarray, positions: np.ndarray, farthest: int | None = None
    ) -> np.ndarray:
        """Return the scaled products of queries and keys (…, L, columns), not rotated yet: shape (…, L, L)."""
        products = self.rotated(query, positions) @ self.rotated(key, positions).swapaxes(-1, -2)
        if farthest is not None:
            rotated_farthest = self.rotated(query, np.full_like(positions, farthest)) @ key.swapaxes(-1, -2)
            products = np.where(_offset(positions) > farthest, rotated_farthest, products)
        return np.asarray(products / math.sqrt(query.shape[-1]))

    def bias(self, positions: np.ndarray) -> np.ndarray:
        """Return what is added to the scores, -inf where a position must not look: shape (H, L, L)."""
        offset = _offset(positions)
        bias = np.zeros((self.heads, *offset.shape), self.dtype)
        if self.encoding.slopes:
            bias -= np.array(self.encoding.slopes, self.dtype)[:, np.newaxis, np.newaxis] * offset.astype(self.dtype)
        if "offsets" in self.parameters:
            bias += self.parameters["offsets"][:, self._served_by(positions)]
        bias[:, offset < 0] = -np.inf
        return bias

    def _served_by(self, positions: np.ndarray) -> np.ndarray:
        """Return which learned number serves the offset of each query and key, shape (L, L)."""
        return np.asarray(np.clip(_offset(positions), 0, self.encoding.offsets - 1))

    def _names(self, layer: int) -> list[str]:
        return [name if layer == 0 else f"{name} {layer + 1}" for name in ("query", "key", "value")]

    def _split(self, x: np.ndarray) -> np.ndarray:
        """Give each head its columns: (B, L, d_model) → (B, H, L, d_model/H)."""
        return np.asarray(x.reshape(*x.shape[:2], self.heads, -1).swapaxes(1, 2))


def softmax(scores: np.ndarray) -> np.ndarray:
    """Make weights of scores: each row of them is positive and sums to 1.

    >>> softmax(np.array([[0.0, np.log(3), -np.inf]])).round(2)
    array([[0.25, 0.75, 0.  ]])
    """
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def cross_entropy(logits: np.ndarray, answers: ArrayLike) -> tuple[float, np.ndarray]:
    """Return the mean of -ln(probability of the right word), and by how much it grows with every logit.

    `answers` are the right words, of the shape of `logits` without its last axis, with -1 where nothing is asked.

    >>> loss, gradient = cross_entropy(np.array([[0.0, 0.0], [5.0, 0.0]]), [1, -1])
    >>> round(loss, 4), gradient
    (0.6931, array([[ 0.5, -0.5],
           [ 0. ,  0. ]]))
    """
    asked = (np.asarray(answers) >= 0)[..., np.newaxis]
    is_answer = np.asarray(answers)[..., np.newaxis] == np.arange(logits.shape[-1])  # nowhere true for -1
    below = logits - logits.max(axis=-1, keepdims=True)  # so that no power overflows
    powers = np.exp(below)
    sums = powers.sum(axis=-1, keepdims=True)
    loss = float((np.log(sums) - below)[is_answer].mean(dtype=np.float64))
    return loss, np.asarray((powers / sums * asked - is_answer) / int(asked.sum()))


def _offset(positions: np.ndarray) -> np.ndarray:
    """Return how far back each key (column) lies from each query (row)."""
    return np.asarray(positions[:, np.newaxis] - positions)


def _joined(x: np.ndarray) -> np.ndarray:
    """Put the columns of all heads side by side: (B, H, L, d_model/H) → (B, L, d_model)."""
    return np.asarray(x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1))


def _product(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x.T @ y, summed over the sentences.

    Sentence by sentence, since for one large product the threads of a linear algebra library wait for each other: on a
    busy machine that made a training thirty times as long.
    """
    return np.asarray((x.swapaxes(-1, -2) @ y).sum(axis=0))


def _as_encoding(encoding: str | Encoding | Rows) -> Encoding:
    """Return an encoding given by name, as a function, or as itself."""
    if isinstance(encoding, Encoding):
        return encoding
    if callable(encoding):
        return Encoding(getattr(encoding, "__name__", "yours"), encoding)
    if isinstance(encoding, str) and encoding in ENCODINGS:
        return ENCODINGS[encoding]
    allowed = f"one of {', '.join(map(repr, ENCODINGS))}, an Encoding or a function (length, d_model) → rows"
    error = ValueError if isinstance(encoding, str) else TypeError
    raise error(f"encoding must be {allowed}, got {_checks.shown(encoding)}")
