"""Pictures that only the lectures show: words in any order, words that drown in numbers, and networks tried out."""

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from pe_lib import CAT_CHASED_MOUSE, Explorer, Heatmap, Run, sinusoidal_encoding, train, word_before

WORDS = CAT_CHASED_MOUSE.tokens
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


def swapped(axes: Any, order: str, encoding: bool) -> None:
    """Draw what attention makes of an order, and say beside each word whether it is the row it has in the first."""
    out, before = attended(order, encoding), attended(ORDERS[0], encoding)
    axes.imshow(out, cmap="Blues", vmin=0, vmax=2, aspect="auto")
    for (pos, j), number in np.ndenumerate(out):
        axes.text(j, pos, f"{number:.4f}", ha="center", va="center", fontsize=24)
    for pos, word in enumerate(order.split()):
        same = np.allclose(out[pos], before[WORDS.index(word)])
        said, colour = ("the same row", "black") if same else ("another row", "#b30000")
        axes.text(3.6, pos, said, va="center", color=colour, fontsize=20)
    axes.set_xticks(range(4), [f"column {j}" for j in range(4)], fontsize=17)
    axes.set_yticks(range(3), order.split(), fontsize=24)
    axes.set_title(f"out of attention, {'with' if encoding else 'without'} an encoding", fontsize=20)


def swapping(encoding: bool = False) -> Explorer:
    """Swap the three words and see which rows attention gives them."""
    presets = {"cat chased mouse": {"order": ORDERS[0]}, "mouse chased cat": {"order": ORDERS[-1]}}
    return _drawn(swapped, {"order": ORDERS, "encoding": encoding}, presets, encoding=(False, True))


def drowning() -> Explorer:
    """Show the shares that nine words give each other once their positions, 0 to 8, are added to all their numbers."""
    nine = CAT_CHASED_MOUSE.embeddings[[0, 1, 2, 2, 1, 0, 0, 1, 2]] + np.arange(9)[:, np.newaxis]
    picture = Heatmap(matrix=attention(nine)[0], position=0, column=8, name="Shares: rows ask, columns answer")
    picture.pages = ({"position": range(9), "column": range(9)},)
    presets = {
        "first word asks": {"position": 0},
        "fifth word asks": {"position": 4},
        "last word asks": {"position": 8},
    }
    return Explorer(picture, {"position": (0, 8), "column": (0, 8)}, presets, play="position")


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
