"""The exercises of notebook 10, *Why did RoPE win?*."""

import numpy as np

from pe_exercises.engine import exercise
from pe_lib.encoding import frequencies
from pe_lib.rope_scaling import yarn_scaling


def offsets(length):
    return np.arange(length) - np.arange(length)[:, np.newaxis]


@exercise(
    hint="`pos - pos[:, np.newaxis]` is key minus query. Only the distance counts: drop the sign of the offset.",
    inputs=[(0.5, 4), (0.25, 6), (2**-8, 3)],
    wrong=[
        (
            lambda slope, length: slope * np.abs(offsets(length)),
            "Close. This rewards distance. The slope is taken off the score.",
        ),
        (
            lambda slope, length: slope * offsets(length),
            "Keys to the left lose, keys to the right win. Both should pay.",
        ),
        (
            lambda slope, length: -slope * offsets(length),
            "Keys to the right lose, keys to the left win. Both should pay.",
        ),
        (
            lambda slope, length: np.minimum(slope * offsets(length), 0),
            "Only keys to the left pay. All should, by how far away they are.",
        ),
        (
            lambda _, length: -np.abs(offsets(length)),
            "That's the distance itself, with a minus. What does each position cost?",
        ),
        (
            lambda slope, length: np.exp(-slope * np.abs(offsets(length))),
            "The softmax makes such factors; you add the bias before it.",
        ),
    ],
)
def the_price_of_distance(slope, length):
    """The bias is the same all along a diagonal: only the distance counts. Whatever the length, there is no number
    to learn or to look up.

    All heads at once need one more axis, slopes of shape (heads, 1, 1).
    """
    pos = np.arange(length)
    return -slope * np.abs(pos - pos[:, np.newaxis])


@exercise(
    hint="The new base is the old one times something. Raised to (h - 2)/h, that something must be the factor.",
    inputs=[(10_000, 128, 4), (10_000, 8, 4), (500_000, 64, 8)],
    wrong=[
        (
            lambda base, _, factor: base * factor,
            "The exponent is (h - 2)/h, not 1: this base divides by a little less than the factor.",
        ),
        (lambda base, h, factor: base * factor ** ((h - 2) / h), "Close. The exponent is upside down."),
        (
            lambda base, h, factor: (base * factor) ** (h / (h - 2)),
            "Raise only the factor, and leave the old base as it is.",
        ),
        (
            lambda base, h, factor: base / factor ** (h / (h - 2)),
            "This base is smaller than the old one, and makes pairs turn faster.",
        ),
        (
            lambda _, h, factor: factor ** (h / (h - 2)),
            "The base must grow by this factor. What does the base become?",
        ),
    ],
)
def a_base_for_the_factor(base, h, factor):
    """The new base is the old one times factor^(h/(h - 2)), a little more than the factor. The first pair has the
    exponent 0 and stays, the last is divided by the factor, and each pair by more than the one before it.

    If the new base is base · x, the frequency of the last pair is divided by x^((h - 2)/h), and that must be the
    factor. Pair `i` is then divided by the factor to the power 2i/(h - 2), from 1 for the first pair to the factor
    itself for the last.
    """
    return base * factor ** (h / (h - 2))


def kept(w, trained, turn=2 * np.pi):
    return np.clip((trained * w / turn - 1) / 31, 0, 1)


@exercise(
    name="YaRN by hand",
    hint="""A pair turns `trained * w / (2 * np.pi)` times. From 1 to 32 turns the part that's kept goes from 0 to 1;
        `np.clip` takes care of the ends. Mix frequencies, not wavelengths.""",
    inputs=[(frequencies(8), 4, 2048), (frequencies(128), 16, 4096), (frequencies(64, 500_000), 8, 8192)],
    wrong=[
        (
            lambda w, factor, trained: yarn_scaling(w, factor, trained, ramp="pairs"),
            "That's the ramp of the authors' program, by pairs. In their paper it goes by turns.",
        ),
        (
            lambda w, factor, trained: (1 - kept(w, trained)) * w + kept(w, trained) * w / factor,
            "You divided the fast pairs and kept the slow ones.",
        ),
        (
            lambda w, factor, trained: w / (kept(w, trained) + (1 - kept(w, trained)) * factor),
            "You mixed wavelengths. Mix the frequencies.",
        ),
        (
            lambda w, factor, trained: kept(w, trained, 1) * w + (1 - kept(w, trained, 1)) * w / factor,
            "These are radians: a turn has 2π of them.",
        ),
        (
            lambda w, factor, trained: yarn_scaling(w, factor, trained, fast=4),
            "That's Llama 3.1, which keeps all from 4 turns onward.",
        ),
        (lambda w, factor, _: w / factor, "That's interpolation: it slows all pairs equally."),
        (lambda w, *_: w, "Nothing has changed yet. Which pairs completed no turn?"),
    ],
)
def yarn_by_hand(w, factor, trained):
    """What counts for each pair is how much of its circle training has shown. Fast pairs stay, and the network can
    tell neighbours apart as before; pairs that completed no turn meet no new angle.

    With bounds of 1 and 4 turns instead of 1 and 32 this is what Llama 3.1 does: of its 64 pairs, 29 are kept, and 29
    divided by 8.
    """
    turns = trained * w / (2 * np.pi)
    kept = np.clip((turns - 1) / (32 - 1), 0, 1)
    return kept * w + (1 - kept) * w / factor
