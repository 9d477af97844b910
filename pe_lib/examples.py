"""The worked examples that run through the notebooks: tokens with small embeddings, and what comes of them.

The encoding is that of Vaswani et al. (2017), section 3.5, with base 10000 and positions from 0.
"""

import html
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from pe_lib.encoding import add_positional_encoding

HEADS = ("embedding", "+ encoding", "= sum")
EDGE = ";border-left:2px solid #888"  # between the three


def _style(column: int) -> str:
    """Return the style of a cell: narrow, with a line where one of the three tables begins."""
    return f" style='padding:4px{EDGE if column == 0 else ''}'"


class Example:
    """Tokens and their embeddings, with the encoding and the sum of both. Its arrays cannot be written to.

    Parameters
    ----------
    name : str
        The sentence, or what the example is called.
    tokens : sequence of str, or sequence of such sequences
        The words of a sentence, or of each sentence of a batch.
    embeddings : array_like of shape (L, d_model) or (B, L, d_model)
        A row for each token.
    mask : array_like of shape (L,) or (B, L), optional
        1 for a token, 0 for padding.

    Attributes
    ----------
    name, tokens, embeddings, mask
        As given.
    d_model : int
        The width of the embeddings.
    encoding : ndarray of shape (L, d_model), or (B, L, d_model) for a batch with masks
        What is added.
    encoded : ndarray of the shape of `embeddings`
        The sum.

    Raises
    ------
    ValueError
        If tokens, embeddings and mask do not belong together.

    Examples
    --------
    >>> Example("short", ("one", "two"), [[0.5, 0.25], [1.5, 0.25]])
    short · 2 tokens · d_model 2
               embedding           + encoding          = sum
    0  one      0.5000   0.2500     0.0000   1.0000     0.5000   1.2500
    1  two      1.5000   0.2500     0.8415   0.5403     2.3415   0.7903
    """

    def __init__(
        self, name: str, tokens: Sequence[str | Sequence[str]], embeddings: ArrayLike, mask: ArrayLike | None = None
    ) -> None:
        self.name = name
        self.tokens = tokens
        self.embeddings = _kept(np.array(embeddings, np.float64))
        self.mask = None if mask is None else _kept(np.array(mask))
        if np.shape(tokens) != self.embeddings.shape[:-1]:
            raise ValueError(
                f"tokens must name each row of embeddings {self.embeddings.shape}, got shape {np.shape(tokens)}"
            )
        self.encoded = _kept(add_positional_encoding(self.embeddings, mask=self.mask))
        # a mask makes the encoding another one for each sentence; without one they all share it
        shape = self.embeddings.shape if self.mask is not None else self.embeddings.shape[-2:]
        self.encoding = _kept(add_positional_encoding(np.zeros(shape), mask=self.mask))

    @property
    def d_model(self) -> int:
        """The width of the embeddings."""
        return int(self.embeddings.shape[-1])

    def __repr__(self) -> str:
        lines = [self._title()]
        for sentence, words, blocks in self._sentences():
            lines += [sentence] if sentence else []
            width = max(len(word) for word in words) + 5
            heads = "".join(f"{head:<{9 * self.d_model + 2}}" for head in HEADS)
            lines.append(f"{'':{width + 3}}{heads}".rstrip())
            for pos, word in enumerate(words):
                numbers = "  ".join("".join(f"{x:9.4f}" for x in block[pos]) for block in blocks)
                lines.append(f"{pos}  {word:<{width - 3}} {numbers}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        tables = []
        # Embeddings in as few decimals as say all, so that the table is not too wide beside a list of files.
        given = next((k for k in range(1, 4) if np.array_equal(self.embeddings.round(k), self.embeddings)), 4)
        for sentence, words, blocks in self._sentences():
            heads = "".join(
                f"<th scope='colgroup' colspan='{self.d_model}' style='text-align:center{EDGE}'>{head}</th>"
                for head in HEADS
            )
            columns = "".join(f"<th scope='col'{_style(j)}>{j}</th>" for _ in HEADS for j in range(self.d_model))
            rows = "".join(
                f"<tr><th scope='row'>{pos}</th><th scope='row' style='text-align:left'>{html.escape(word)}</th>"
                + "".join(
                    f"<td{_style(j)}>{x:.{digits}f}</td>"
                    for digits, block in zip((given, 4, 4), blocks, strict=True)
                    for j, x in enumerate(block[pos])
                )
                + "</tr>"
                for pos, word in enumerate(words)
            )
            caption = html.escape(self._title() + (f" · {sentence}" if sentence else ""))
            tables.append(
                f"<table style='font-size:90%'><caption>{caption}</caption><thead><tr><th></th><th></th>{heads}</tr>"
                f"<tr><th scope='col'>pos</th><th scope='col'>token</th>{columns}</tr></thead>"
                f"<tbody>{rows}</tbody></table>"
            )
        return "".join(tables)

    def _title(self) -> str:
        tokens = f"{np.size(self.tokens)} tokens"
        if self.embeddings.ndim == 3:
            tokens = f"{len(self.tokens)} sentences of {self.embeddings.shape[1]} tokens"
        return f"{self.name} · {tokens} · d_model {self.d_model}"

    def _sentences(self) -> Iterator[tuple[str, Sequence[str], list[np.ndarray]]]:
        """Yield heading, words and the three tables of each sentence; a lone sentence has no heading."""
        batch = self.embeddings.reshape(-1, *self.embeddings.shape[-2:])
        words = np.reshape(self.tokens, batch.shape[:2]).tolist()
        encodings = np.broadcast_to(self.encoding, batch.shape)
        for b in range(len(batch)):
            heading = f"sentence {b}" if self.embeddings.ndim == 3 else ""
            yield heading, words[b], [batch[b], encodings[b], self.encoded.reshape(batch.shape)[b]]


def _kept(array: np.ndarray) -> np.ndarray:
    """Return the array, closed to writing, so that no cell of a notebook changes an example for the next."""
    array.flags.writeable = False
    return array


I_LIKE_DEEP_LEARNING = Example(
    "I like deep learning",
    ("I", "like", "deep", "learning"),
    [
        [0.1, 0.3, -0.2, 0.5, 0.1, -0.4],
        [0.2, 0.1, 0.3, 0.2, 0.4, 0.1],
        [0.5, 0.2, -0.1, 0.3, 0.7, -0.2],
        [0.3, 0.6, 0.1, 0.2, 0.5, 0.4],
    ],
)

DAN_LOVES_ICECREAM = Example(
    "Dan loves icecream",
    ("Dan", "loves", "icecream"),
    [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.9, 1.0, 1.1, 1.2]],
)

HELLO_WORLD_PAD = Example(
    "Hello world [PAD]",
    ("Hello", "world", "[PAD]"),
    [[0.1] * 16, [0.2] * 16, [0.0] * 16],
    mask=[1, 1, 0],
)

TWO_SENTENCES = Example(
    "Two sentences",
    (("token 0", "token 1", "token 2"), ("token 0", "token 1", "token 2")),
    [np.arange(1, 13).reshape(3, 4) / 10, np.arange(11, 23).reshape(3, 4) / 10],
)

_CAT, _CHASED, _MOUSE = [0.9, 0.1, 0.4, 0.3], [0.2, 0.8, 0.1, 0.6], [0.7, 0.3, 0.5, 0.1]

CAT_CHASED_MOUSE = Example("cat chased mouse", ("cat", "chased", "mouse"), [_CAT, _CHASED, _MOUSE])
MOUSE_CHASED_CAT = Example("mouse chased cat", ("mouse", "chased", "cat"), [_MOUSE, _CHASED, _CAT])
