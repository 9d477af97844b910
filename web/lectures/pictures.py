"""Explorers that only the lectures show, with the states that their slides go through."""

import itertools

from pe_lib import Explorer, explore_scores


def relatives() -> Explorer:
    """See four ways to bring the offset into the scores, at the queries, keys and heads that slides go through."""
    explorer = explore_scores()
    kinds = (
        {"relative": ("sinusoidal",), "against": ("none",), "content": ("random", "zero")},
        {"relative": ("RoPE",)},
        {"relative": ("ALiBi", "T5"), "content": ("zero",)},
    )
    moved = {"query": range(0, 32, 2)}, {"key": range(0, 32, 4)}, {"head": range(8)}
    explorer.picture.pages = tuple(kind | move for kind, move in itertools.product(kinds, moved))  # type: ignore[misc]
    return explorer
