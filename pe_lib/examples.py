"""The worked examples that run through the notebooks: tokens with small embeddings, and what comes of them.

The encoding is that of Vaswani et al. (2017), section 3.5, with base 10000 and positions from 0.
"""

import html
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from pe_lib.encoding import add_positional_encoding

HEADS = ("embedding", "+ encoding", "= sum")
TABLE = "font-size:88%; border-collapse:collapse; text-align:right"
EDGE = "border-left:2px solid #888"  # between embedding, encoding and sum


class Example:
    """Tokens and their embeddings, with the encoding and the sum of both; it prints as a table.

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
    0  one       0.50     0.25     0.0000   1.0000     0.5000   1.2500
    1  two       1.50     0.25     0.8415   0.5403     2.3415   0.7903
    """

    def __init__(
        self, name: str, tokens: Sequence[str | Sequence[str]], embeddings: ArrayLike, mask: ArrayLike | None = None
    ) -> None:
        self.name, self.tokens = name, tokens
        self.embeddings = np.array(embeddings, np.float64)
        self.mask = None if mask is None else np.array(mask)
        shape = self.embeddings.shape
        if np.shape(tokens) != shape[:-1]:
            raise ValueError(f"tokens must name each row of embeddings {shape}, got shape {np.shape(tokens)}")
        self.d_model = shape[-1]
        self.encoded = add_positional_encoding(self.embeddings, mask=self.mask)
        # With a mask each sentence gets an encoding of its own; without one they all share it.
        self.encoding = add_positional_encoding(np.zeros(shape[-2:] if mask is None else shape), mask=self.mask)

    def _tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """Yield for each sentence a title, its words, and the numbers of each word: embedding, encoding, sum."""
        batch = self.embeddings.reshape(-1, *self.embeddings.shape[-2:])  # (B, L, d_model)
        # Embeddings in as few decimals as say all, so that the table is not too wide beside a list of files.
        few = next((k for k in range(1, 4) if np.array_equal(batch.round(k), batch)), 4)
        parts = (few, batch), (4, np.broadcast_to(self.encoding, batch.shape)), (4, self.encoded.reshape(batch.shape))
        for b, words in enumerate(np.reshape(self.tokens, batch.shape[:2]).tolist()):
            name = f"{self.name}, sentence {b}" if self.embeddings.ndim == 3 else self.name
            rows = [[f"{x:.{k}f}" for k, part in parts for x in part[b, pos]] for pos in range(len(words))]
            yield f"{name} · {len(words)} tokens · d_model {self.d_model}", words, rows

    def __repr__(self) -> str:
        lines, d = [], self.d_model
        for title, words, rows in self._tables():
            width = max(map(len, words))
            heads = "".join(f"{head:{9 * d + 2}}" for head in HEADS)
            lines += [title, f"{'':{width + 7}}{heads}".rstrip()]
            for pos, (word, row) in enumerate(zip(words, rows, strict=True)):
                numbers = "".join(f"{number:>{9 if k % d else 11}}" for k, number in enumerate(row))
                lines.append(f"{pos}  {word:{width}}{numbers}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        tables, d = [], self.d_model
        groups = "<colgroup span='2'></colgroup>" + f"<colgroup span='{d}' style='{EDGE}'></colgroup>" * 3
        heads = "".join(f"<th scope='colgroup' colspan='{d}' style='text-align:center'>{head}</th>" for head in HEADS)
        columns = "".join(f"<th scope='col'>{j}</th>" for _ in HEADS for j in range(d))
        for title, words, rows in self._tables():
            body = "".join(
                f"<tr><th scope='row'>{pos}</th>"
                f"<th scope='row' style='text-align:left;padding:4px'>{html.escape(word)}</th>"
                + "".join(f"<td style='padding:4px 2px'>{number}</td>" for number in row)
                + "</tr>"
                for pos, (word, row) in enumerate(zip(words, rows, strict=True))
            )
            tables.append(
                f"<table style='{TABLE}'><caption>{html.escape(title)}</caption>"
                f"{groups}<thead><tr><th></th><th></th>{heads}</tr>"
                f"<tr><th scope='col'>pos</th><th scope='col'>token</th>{columns}</tr></thead>"
                f"<tbody>{body}</tbody></table>"
            )
        return "".join(tables)


def _sentence(words: str, embeddings: ArrayLike, mask: ArrayLike | None = None) -> Example:
    """Return the example that is called as its words are."""
    return Example(words, tuple(words.split()), embeddings, mask)


I_LIKE_DEEP_LEARNING = _sentence(
    "I like deep learning",
    [
        [0.1, 0.3, -0.2, 0.5, 0.1, -0.4],
        [0.2, 0.1, 0.3, 0.2, 0.4, 0.1],
        [0.5, 0.2, -0.1, 0.3, 0.7, -0.2],
        [0.3, 0.6, 0.1, 0.2, 0.5, 0.4],
    ],
)
DAN_LOVES_ICECREAM = _sentence("Dan loves icecream", [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.9, 1.0, 1.1, 1.2]])
HELLO_WORLD_PAD = _sentence("Hello world [PAD]", [[0.1] * 16, [0.2] * 16, [0.0] * 16], mask=[1, 1, 0])
TWO_SENTENCES = Example(
    "Two sentences",
    (("token 0", "token 1", "token 2"),) * 2,
    [np.arange(1, 13).reshape(3, 4) / 10, np.arange(11, 23).reshape(3, 4) / 10],
)

_DOG, _BITES, _MAN = [0.9, 0.1, 0.4, 0.3], [0.2, 0.8, 0.1, 0.6], [0.7, 0.3, 0.5, 0.1]
DOG_BITES_MAN = _sentence("dog bites man", [_DOG, _BITES, _MAN])
MAN_BITES_DOG = _sentence("man bites dog", [_MAN, _BITES, _DOG])
