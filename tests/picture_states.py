"""Random states of every picture, wider than its explorer can reach, for the tests that sweep them."""

from collections.abc import Callable
from random import Random
from typing import Any

from pe_lib import I_LIKE_DEEP_LEARNING, ExplainThisNumber
from pe_lib.pictures.picture import Picture

SENTENCES = [
    I_LIKE_DEEP_LEARNING.tokens,
    ("alone",),
    tuple(f"word{pos}" for pos in range(8)),
    tuple(f"word{pos}" for pos in range(23)),
    ("<b>bold</b>", "$x^2$", "\\frac{", "smile 😀", "שלום", "two\nlines", "", "x" * 10_000),
]
BASES = [1.5, 10.0, 100.0, 10_000.0, 1e5, 12_345.678]


def explain_this_number(choose: Random) -> dict[str, Any]:
    tokens, d_model = choose.choice(SENTENCES), choose.choice([1, 2, 5, 6, 8, 9, 64, 512])
    return {
        "tokens": tokens,
        "d_model": d_model,
        "base": choose.choice(BASES),
        "position": choose.randrange(len(tokens)),
        "column": choose.randrange(d_model),
    }


STATES: dict[type[Picture], Callable[[Random], dict[str, Any]]] = {
    ExplainThisNumber: explain_this_number,
}
