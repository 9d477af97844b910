"""A network small enough to read: one attention head over twelve words, and the encodings that can be put into it.

The head is that of Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1, with an embedding before it, one
matrix after it and nothing else: no residual, no normalization, no second layer. Its gradients are written by hand.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from pe_lib import _checks
from pe_lib.encoding import frequencies, sinusoidal_encoding

WORDS = ("I", "like", "deep", "learning", "Dan", "loves", "icecream", "cat", "chased", "mouse", "Hello", "world")
D_MODEL = 32
FREQUENCIES = frequencies(D_MODEL)  # of the pairs that RoPE turns, in radians per position
LARGEST = 1_000_000  # number in a row: from 1e18 on its scores are beyond float32
TRIED = (1, 2, 33, 300)  # the lengths at which a function that makes rows is tried before it is used

Rows = Callable[[int, int], ArrayLike]


@dataclass(frozen=True)
class Encoding:
    """What tells a head where a word stands. Every part is left out unless it is given; several may be combined.

    Parameters
    ----------
    name : str
        What it is called.
    rows : callable, optional
        A function (length, d_model) → array of shape (length, d_model), added to the embeddings.
    table : int
        How many learned rows are added to the embeddings. Behind the last one they come again from the first, and
        rows that training never reaches stay as they began.
    scale : float
        The standard deviation of the random numbers that a table begins with.
    rotary : bool
        Whether queries and keys are turned by their positions: RoPE (Su et al., 2021, section 3.2.2).
    slope : float
        What a score loses for every place between query and key: ALiBi (Press et al., 2022, section 3).
    offsets : int
        For how many offsets, from 0 on and to both sides, a learned number is added to the scores; the last one also
        serves all offsets beyond.
    random_starts : int
        In training, a batch begins at a random position, at most this one.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described; counts, `scale` and `slope` are 0 or more.
    """

    name: str
    rows: Rows | None = field(default=None, repr=False)
    table: int = 0
    scale: float = 0.02
    rotary: bool = False
    slope: float = 0.0
    offsets: int = 0
    random_starts: int = 0

    def __post_init__(self) -> None:
        if self.rows is not None and not callable(self.rows):
            raise TypeError(f"rows must be a function (length, d_model) → rows, got {_checks.shown(self.rows)}")
        for name in ("table", "offsets", "random_starts"):
            _checks.integer(name, getattr(self, name), at_least=0)
        for name in ("scale", "slope"):
            _checks.finite_number(name, getattr(self, name), at_least=0)


ENCODINGS = {
    encoding.name: encoding
    for encoding in (
        Encoding("none"),
        Encoding("sinusoidal", rows=sinusoidal_encoding),
        Encoding("learned", table=32),
        Encoding("RoPE", rotary=True),
        Encoding("ALiBi", slope=0.5),
        Encoding("bias", offsets=16),
        Encoding("random starts", rows=sinusoidal_encoding, random_starts=224),
    )
}


class Pass(NamedTuple):
    """What a forward pass computes on its way, for B sentences of L words; d is d_model."""

    x: np.ndarray  # (B, L, d): embeddings with what is added to them
    query: np.ndarray  # (B, L, d)
    key: np.ndarray  # (B, L, d)
    value: np.ndarray  # (B, L, d)
    attention: np.ndarray  # (B, L, L): how much each place (row) takes from each (column); every row sums to 1
    mixed: np.ndarray  # (B, L, d), or (B, d) where there is one answer for the whole sentence
    logits: np.ndarray  # (B, L, 12), or (B, 12)


class Network:
    """One attention head of width 32 that names one of twelve words, with random numbers in it at first.

    Parameters
    ----------
    encoding : str, Encoding or callable
        A name in `ENCODINGS`, an `Encoding`, or a function (length, d_model) → rows added to the embeddings.
    whole : bool
        False: an answer at every place, which sees itself and what came before (a causal mask). True: one answer for
        a sentence, from the mean of all rows, and no mask.
    seed : int
        What the random numbers begin with, 0 or more.
    dtype : {float32, float64}
        What is computed in.

    Attributes
    ----------
    parameters : dict of str to ndarray
        ``embedding`` (12, 32), ``query``, ``key``, ``value`` (32, 32), ``output`` (32, 12), and what the encoding
        learns: ``table`` (table, 32), ``offsets`` (2·offsets - 1,).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described; a function is tried at lengths 1, 2, 33 and 300.

    Examples
    --------
    >>> Network("RoPE").forward([[3, 1, 4, 1]]).attention[0].sum(axis=-1).round(4)
    array([1., 1., 1., 1.], dtype=float32)
    """

    def __init__(
        self,
        encoding: str | Encoding | Rows = "sinusoidal",
        *,
        whole: bool = False,
        seed: int = 0,
        dtype: DTypeLike = np.float32,
    ) -> None:
        self.encoding = _as_encoding(encoding)
        self.whole = whole
        self.dtype = _checks.float_dtype(dtype)
        if self.dtype == np.float16:
            raise ValueError("dtype must be float32 or float64, got float16: it cannot hold the gradients")
        self._given: dict[int, np.ndarray] = {}  # rows, for each length that they were asked for
        for length in TRIED:
            self._rows_given(length)
        normal = np.random.default_rng(_checks.integer("seed", seed, at_least=0)).standard_normal
        parameters = {"embedding": normal((len(WORDS), D_MODEL))}
        parameters |= {name: normal((D_MODEL, D_MODEL)) / math.sqrt(D_MODEL) for name in ("query", "key", "value")}
        parameters["output"] = normal((D_MODEL, len(WORDS))) / math.sqrt(D_MODEL)
        if self.encoding.table:
            parameters["table"] = self.encoding.scale * normal((self.encoding.table, D_MODEL))
        if self.encoding.offsets:
            parameters["offsets"] = np.zeros(2 * self.encoding.offsets - 1)
        self.parameters = {name: values.astype(self.dtype) for name, values in parameters.items()}

    def forward(self, words: ArrayLike, start: int = 0) -> Pass:
        """Compute the answers to sentences, numbers of `WORDS` of shape (B, L), that begin at position `start`."""
        words = np.asarray(words)
        integers = words.ndim == 2 and words.size and words.dtype.kind in "iu"
        if not integers or words.min() < 0 or words.max() >= len(WORDS):
            raise ValueError(f"words must be integers from 0 to 11 of shape (B, L), got {_checks.shown(words)}")
        start = _checks.integer("start", start, at_least=0)
        p, positions = self.parameters, np.arange(start, start + words.shape[1])
        x = p["embedding"][words] + self.rows(positions)  # (B, L, d)
        query = self.turned(x @ p["query"], positions)
        key = self.turned(x @ p["key"], positions)
        value = x @ p["value"]
        scores = query @ key.swapaxes(1, 2) / math.sqrt(D_MODEL) + self.bias(positions)  # (B, L, L)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        attention = powers / powers.sum(axis=-1, keepdims=True)
        mixed = attention @ value
        if self.whole:
            mixed = mixed.mean(axis=1)
        return Pass(x, query, key, value, attention, mixed, mixed @ p["output"])

    def gradients(self, words: ArrayLike, answers: ArrayLike, start: int = 0) -> tuple[float, dict[str, np.ndarray]]:
        """Return the loss, as `cross_entropy` does, and by how much it grows with every parameter."""
        x, query, key, value, attention, mixed, logits = self.forward(words, start)
        p, positions = self.parameters, np.arange(start, start + x.shape[1])
        loss, d_logits = cross_entropy(logits, answers)
        d = {"output": _product(mixed, d_logits)}
        d_mixed = d_logits @ p["output"].T
        if self.whole:
            d_mixed = np.broadcast_to(d_mixed[:, np.newaxis] / len(positions), x.shape)
        d_value = attention.swapaxes(1, 2) @ d_mixed
        d_attention = d_mixed @ value.swapaxes(1, 2)
        d_scores = attention * (d_attention - np.vecdot(d_attention, attention)[..., np.newaxis])
        d_query = self.turned(d_scores @ key / math.sqrt(D_MODEL), -positions)
        d_key = self.turned(d_scores.swapaxes(1, 2) @ query / math.sqrt(D_MODEL), -positions)
        d_x = np.zeros_like(x)
        for name, change in (("query", d_query), ("key", d_key), ("value", d_value)):
            d[name] = _product(x, change)
            d_x += change @ p[name].T
        is_word = np.asarray(words)[..., np.newaxis] == np.arange(len(WORDS))  # (B, L, 12)
        d["embedding"] = _product(is_word.astype(self.dtype), d_x)
        if "table" in p:
            d["table"] = np.zeros_like(p["table"])
            np.add.at(d["table"], positions % len(p["table"]), d_x.sum(axis=0))
        if "offsets" in p:
            d["offsets"] = np.zeros_like(p["offsets"])
            np.add.at(d["offsets"], self._served_by(positions), d_scores.sum(axis=0))
        return loss, d

    def rows(self, positions: np.ndarray) -> np.ndarray:
        """Return what is added to the embeddings at consecutive positions, shape (L, d_model)."""
        rows: np.ndarray = self._rows_given(int(positions[-1]) + 1)[positions]
        if "table" in self.parameters:
            rows = rows + self.parameters["table"][positions % len(self.parameters["table"])]
        return rows

    def _rows_given(self, length: int) -> np.ndarray:
        """Return the rows of the encoding's function, asked for once and checked; zeros where there is none."""
        if length not in self._given:
            rows = self.encoding.rows
            self._given[length] = (_checked(rows, length) if rows else np.zeros((length, D_MODEL))).astype(self.dtype)
        return self._given[length]

    def turned(self, x: np.ndarray, positions: np.ndarray) -> np.ndarray:
        """Return queries or keys (B, L, d_model) with each pair of columns turned by position · frequency, if `rotary`.

        Columns 2i and 2i+1 are taken for one complex number; a product with another of length 1 turns it.
        """
        if not self.encoding.rotary:
            return x
        turn = np.exp(1j * positions[:, np.newaxis] * FREQUENCIES)  # (L, d_model/2)
        turn = turn.astype(np.result_type(self.dtype, np.complex64))
        turned: np.ndarray = (x.view(turn.dtype) * turn).view(self.dtype)
        return turned

    def bias(self, positions: np.ndarray) -> np.ndarray:
        """Return what is added to the scores, -inf where a place must not look: shape (L, L)."""
        offset = positions[:, np.newaxis] - positions  # how far back each key (column) lies from each query (row)
        bias: np.ndarray = -self.encoding.slope * np.abs(offset).astype(self.dtype)
        if "offsets" in self.parameters:
            bias += self.parameters["offsets"][self._served_by(positions)]
        if not self.whole:
            bias[offset < 0] = -np.inf
        return bias

    def _served_by(self, positions: np.ndarray) -> np.ndarray:
        """Return which learned number serves the offset of each query and key, shape (L, L)."""
        last = self.encoding.offsets - 1
        served: np.ndarray = np.clip(positions[:, np.newaxis] - positions, -last, last) + last
        return served


def cross_entropy(logits: np.ndarray, answers: ArrayLike) -> tuple[float, np.ndarray]:
    """Return the mean of -ln(probability of the right word), and by how much it grows with every logit.

    `answers` are the right words, of the shape of `logits` without its last axis, with -1 where nothing is asked.

    >>> loss, gradient = cross_entropy(np.array([[0.0, 0.0], [5.0, 0.0]]), [1, -1])
    >>> round(loss, 4), gradient
    (0.6931, array([[ 0.5, -0.5],
           [ 0. ,  0. ]]))
    """
    answers = np.asarray(answers)
    if answers.shape != logits.shape[:-1] or not (answers >= 0).any():
        raise ValueError(f"answers must have shape {logits.shape[:-1]} and ask for something, got {answers.shape}")
    asked = answers >= 0
    is_answer = answers[..., np.newaxis] == np.arange(logits.shape[-1])  # nowhere true for -1
    below = logits - logits.max(axis=-1, keepdims=True)  # so that no power overflows
    powers = np.exp(below)
    sums = powers.sum(axis=-1)
    loss = float((np.log(sums[asked]) - below[is_answer]).mean(dtype=np.float64))
    gradient: np.ndarray = (powers / sums[..., np.newaxis] * asked[..., np.newaxis] - is_answer) / int(asked.sum())
    return loss, gradient


def _product(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x.T @ y for arrays whose axes but the last are taken for one.

    Sentence by sentence, since for one large product the threads of a linear algebra library wait for each other: on a
    busy machine that made a training thirty times as long.
    """
    product: np.ndarray = x.swapaxes(-1, -2) @ y
    return product.sum(axis=0) if product.ndim == 3 else product


def _as_encoding(encoding: Any) -> Encoding:
    """Return an encoding given by name, as a function, or as itself."""
    if isinstance(encoding, Encoding):
        return encoding
    if callable(encoding):
        return Encoding(getattr(encoding, "__name__", "yours"), rows=encoding)
    allowed = f"one of {', '.join(map(repr, ENCODINGS))}, an Encoding or a function (length, d_model) → rows"
    if not isinstance(encoding, str) or encoding not in ENCODINGS:
        error: type[Exception] = ValueError if isinstance(encoding, str) else TypeError
        raise error(f"encoding must be {allowed}, got {_checks.shown(encoding)}")
    return ENCODINGS[encoding]


def _checked(rows: Rows, length: int) -> np.ndarray:
    """Return what a function gives for this length, or say what is wrong with it."""
    call = f"{getattr(rows, '__name__', 'rows')}({length}, {D_MODEL})"
    try:
        given = rows(length, D_MODEL)
    except Exception as error:
        raise ValueError(f"{call} must take any length, but raised {type(error).__name__}: {error}") from error
    table: np.ndarray = np.asarray(_checks.finite_array(call, given), np.float64)
    if table.shape != (length, D_MODEL):
        raise ValueError(f"{call} must return an array of shape ({length}, {D_MODEL}), got {table.shape}")
    if np.abs(table).max() > LARGEST:
        raise ValueError(f"{call} must return numbers up to {LARGEST}, got {np.abs(table).max()}: scores overflow")
    return table
