"""Pictures that only the lectures show: words in any order, words that drown in numbers, and networks tried out."""

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from pe_lib import CAT_CHASED_MOUSE, Explorer, Run, explore_scores, sinusoidal_encoding, train, word_before

WORDS = CAT_CHASED_MOUSE.tokens
NINE = [0, 1, 2, 2, 1, 0, 0, 1, 2]  # words, by their place in WORDS
ORDERS = [" ".join(words) for words in itertools.permutations(WORDS)]


def attention(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares and what attention makes of rows that are query, key and value at once."""
    powers = np.exp(x @ x.T / np.sqrt(x.shape[-1]))
    shares = powers / powers.sum(axis=-1, keepdims=True)
    return shares, shares @ x


def attended(order: str, encoding: bool = False) -> np.ndarray:
    """Return what attention makes of the three words in an order, with or without the encoding added: shape (3, 4)."""
    x = CAT_CHASED_MOUSE.embeddings[[WORDS.index(word) for word in order.split()]]
    return attention(x + encoding * sinusoidal_encoding(3, 4))[1]


def mixed(axes: Any, asks: str) -> None:
    """Draw what goes into attention, the shares, and what comes out; the row of the word that asks is framed."""
    x = CAT_CHASED_MOUSE.embeddings
    shares, out = attention(x)
    asking = WORDS.index(asks)
    axes.axis("off")
    for name, rows, left, wide in (("in", x, 0, 0.24), ("shares", shares, 0.295, 0.28), ("out", out, 0.63, 0.37)):
        part = axes.inset_axes((left, 0, wide, 1))
        part.imshow(rows, cmap="Blues", vmin=0, vmax=2, aspect="auto")
        for (row, j), number in np.ndenumerate(rows):
            said = f"{number:g}" if name == "in" else f"{number:.4f}"
            part.text(j, row, said, ha="center", va="center", fontsize=16.5)
        part.axhspan(asking - 0.5, asking + 0.5, fill=False, edgecolor="#d55e00", lw=4, clip_on=False, zorder=3)
        part.set_xticks(range(3) if name == "shares" else [], WORDS if name == "shares" else [], fontsize=16)
        part.set_yticks(range(3) if name == "in" else [], WORDS if name == "in" else [], fontsize=22)
        part.set_title(name, fontsize=22)


def mixing() -> Explorer:
    """See what each of three words asks for, what it gets, and what comes out."""
    return _drawn(mixed, {"asks": list(WORDS)}, {f"{word} asks": {"asks": word} for word in WORDS[1:]})


def swapped(axes: Any, order: str, encoding: bool) -> None:
    """Draw what attention makes of an order; in all but the first, say of each word whether it has its row of that."""
    out, before = attended(order, encoding), attended(ORDERS[0], encoding)
    axes.imshow(out, cmap="Blues", vmin=0, vmax=2, aspect="auto")
    for (pos, j), number in np.ndenumerate(out):
        axes.text(j, pos, f"{number:.4f}", ha="center", va="center", fontsize=24)
    for pos, word in enumerate(order.split() if order != ORDERS[0] else ()):
        same = np.allclose(out[pos], before[WORDS.index(word)])
        said, colour = ("the same row", "black") if same else ("another row", "#b30000")
        axes.text(3.6, pos, said, va="center", color=colour, fontsize=24)
    axes.set_xlim(right=5)
    axes.spines[:].set_visible(False)
    axes.set_xticks(range(4), [f"column {j}" for j in range(4)], fontsize=17)
    axes.set_yticks(range(3), order.split(), fontsize=24)
    axes.set_title(f"out of attention, {'with' if encoding else 'without'} an encoding", fontsize=20)


def swapping(encoding: bool = False) -> Explorer:
    """Swap the three words and see which rows attention gives them."""
    presets = {"cat chased mouse": {"order": ORDERS[0]}, "mouse chased cat": {"order": ORDERS[-1]}}
    return _drawn(swapped, {"order": ORDERS, "encoding": encoding}, presets, encoding=(False, True))


def shares_of_nine(numbered: bool) -> np.ndarray:
    """Return the shares nine words give each other, their positions added to all their numbers or not: shape (9, 9)."""
    x = CAT_CHASED_MOUSE.embeddings[NINE]
    return attention(x + numbered * np.arange(9)[:, np.newaxis])[0]


def drowned(axes: Any, asks: int, numbered: bool) -> None:
    """Draw what one of nine words gives to each of them."""
    shares = shares_of_nine(numbered)[asks]
    axes.bar(range(9), shares, color=["#0b5d8f" if pos == asks else "#9dbfd6" for pos in range(9)])
    for pos, share in enumerate(shares):
        axes.text(pos, share + 0.02, f"{share:.4f}", ha="center", va="bottom", fontsize=20)
    axes.set_xticks(range(9), [f"{pos}\n{WORDS[word]}" for pos, word in enumerate(NINE)], fontsize=18)
    axes.set(ylim=(0, 1.15), yticks=[])
    how = f"positions {'' if numbered else 'not '}added"
    axes.set_title(f"{how}: what “{WORDS[NINE[asks]]}” at {asks} gives to each", fontsize=22)


def drowning() -> Explorer:
    """See how nine words share their attention once their positions, 0 to 8, are added to all their numbers."""
    presets = {
        f"{name} word asks": {"asks": asks, "numbered": True}
        for name, asks in (("first", 0), ("fifth", 4), ("last", 8))
    }
    return _drawn(drowned, {"asks": (0, 8), "numbered": False}, presets, asks=range(9), numbered=(False, True))


@functools.cache
def right_at_each_place(encoding: str, seed: int) -> np.ndarray:
    """Train a network on sentences of 32 words; return how often it is right at each place of 64: shape (64,)."""
    run = train(Run(encoding, seed=seed, record=[]))
    words, answers = word_before().sentences(np.random.default_rng((0, 3)), 400, 64)
    right = (
        np.concatenate([run.network.forward(piece).logits.argmax(axis=-1) for piece in np.split(words, 8)]) == answers
    )
    return right.mean(axis=0)


def beyond(axes: Any, length: int, encoding: str) -> None:
    """Draw the share of right answers at each place of longer sentences, for three networks trained at 32 words."""
    axes.axvspan(0, 31.5, color="#f2f2f2")
    for seed, style in enumerate(("-", "--", ":")):
        axes.plot(
            np.arange(1, length), right_at_each_place(encoding, seed)[1:length], style, label=f"training {seed + 1}"
        )
    axes.axhline(1 / 12, color="#595959", lw=1)
    axes.text(0.5, 1 / 12 + 0.02, "guessing", color="#595959", fontsize=17)
    axes.text(15.5, 0.45, "trained", color="#595959", fontsize=24, ha="center")
    axes.set(xlim=(0, 64), ylim=(0, 1.04))
    axes.tick_params(labelsize=17)
    axes.set_xlabel("place in the sentence", fontsize=18)
    axes.set_title(f"{encoding}: how often the word before is named, {length} words", fontsize=22)
    axes.legend(loc="lower right", fontsize=16)


def relatives() -> Explorer:
    """See four ways to bring the offset into the scores, at the queries, keys and heads that slides go through."""
    explorer = explore_scores()
    kinds = {"relative": ("sinusoidal", "RoPE")}, {"relative": ("sinusoidal", "ALiBi", "T5"), "content": ("zero",)}
    moved = {"query": range(0, 32, 2)}, {"key": range(0, 32, 4)}, {"head": range(8)}
    explorer.picture.pages = tuple(kind | move for kind, move in itertools.product(kinds, moved))
    return explorer


def learned() -> Explorer:
    """See how often trained networks are right at places they were not trained at."""
    controls = {"length": [32, 40, 48, 64], "encoding": ["sinusoidal", "RoPE", "ALiBi"]}
    return _drawn(beyond, controls, {"40 words": {"length": 40}, "64 words": {"length": 64}})


def _drawn(draw: Callable[..., None], controls: dict[str, Any], presets: dict[str, Any], **more: Any) -> Explorer:
    """Return an explorer of a drawing that has all its states on pages."""
    explorer = Explorer(draw, controls, presets)
    explorer.picture.pages = ({**controls, **more},)
    explorer.picture.lasting = True  # these functions look at their values alone
    return explorer
