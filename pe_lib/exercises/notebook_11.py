"""The exercises of notebook 11, *Meet the relatives*."""

import numpy as np

from pe_lib.encoding import frequencies
from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import Answer, Answers
from pe_lib.rope_scaling import yarn_scaling


@exercise(
    hint="`pos - pos[:, np.newaxis]` is key minus query. The price counts places, so the sign of the offset goes.",
    why="""The price is the same all along a diagonal: it knows the offset alone. Whatever the length, no number has to
        be learned or looked up.""",
    inputs=((0.5, 4), (0.25, 6), (2**-8, 3)),
)
def the_price_of_distance(slope: float, length: int) -> Answers:
    offset = np.arange(length) - np.arange(length)[:, np.newaxis]
    yield Answer(-slope * np.abs(offset))
    yield Answer(slope * np.abs(offset)).nearly("Here distance pays. A price is taken off the score.")
    yield Answer(slope * offset).nearly("Keys to the left lose, keys to the right win. Both are to pay.")
    yield Answer(-slope * offset).nearly("Keys to the right lose, keys to the left win. Both are to pay.")
    yield Answer(np.minimum(slope * offset, 0)).nearly("Only keys to the left pay. All do, by how far away they are.")
    yield Answer(-np.abs(offset)).wrong("That is the distance itself, with a minus. What does each place cost?")
    yield Answer(np.exp(-slope * np.abs(offset))).nearly("The softmax makes such factors; the bias is added before it.")


@exercise(
    hint="The new base is the old one times something. Raised to (h - 2)/h, that something must be the factor.",
    why="""factor^(h/(h - 2)), a little more than the factor. The first pair has the exponent 0 and stays, the last is
        divided by the factor, and those between by degrees.""",
    inputs=((10_000, 128, 4), (10_000, 8, 4), (500_000, 64, 8)),
)
def a_base_for_the_factor(base: float, h: int, factor: float) -> Answers:
    grown = factor ** (h / (h - 2))
    yield Answer(base * grown)
    yield Answer(base * factor).nearly("The exponent is (h - 2)/h, not 1: a little less than the factor comes out.")
    yield Answer(base * factor ** ((h - 2) / h)).nearly("The exponent is upside down.")
    yield Answer((base * factor) ** (h / (h - 2))).nearly("Only the factor is raised, the old base stays as it is.")
    yield Answer(base / grown).wrong("This base is smaller, and a smaller one makes pairs turn faster.")
    yield Answer(grown).nearly("By so much the base must grow. What does that make of it?")


@exercise(
    hint="""Make it (d_model, heads, h), take the even columns of the last axis and then the odd ones, and make it flat
        again.""",
    why="""Within each head the columns 0, 2, 4, … come first, then 1, 3, 5, …. Queries and keys so reordered have the
        scores they had, and the values need no new order.""",
    inputs=tuple((np.random.default_rng(h).normal(size=(d, 2 * h)), h) for d, h in ((3, 6), (4, 8), (2, 10))),
)
def from_one_layout_to_the_other(weights: np.ndarray, h: int) -> Answers:
    heads = weights.reshape(len(weights), -1, h)
    yield Answer(_flat(heads[..., 0::2], heads[..., 1::2]))
    yield Answer(_flat(heads[..., 1::2], heads[..., 0::2])).nearly("Odd columns first? The even ones come first.")
    yield Answer(_flat(weights[:, 0::2], weights[:, 1::2])).nearly("Two heads are mixed. Reorder each by itself.")
    back = heads.reshape(*heads.shape[:2], 2, h // 2).swapaxes(2, 3)
    yield Answer(back.reshape(weights.shape)).nearly("That is the way back, from halves to pairs side by side.")
    yield Answer(weights).wrong("Nothing has moved: each pair still stands side by side.")


@exercise(
    hint="""A pair turns `trained * w / (2 * np.pi)` times. From 1 to 32 turns the share goes from 0 to 1; `np.clip`
        does the ends. What is mixed are frequencies, not wavelengths.""",
    why="""Each pair is asked how much of its circle the network has seen. Fast pairs stay, so neighbours are told apart
        as before; pairs that never turned once meet no new angle.""",
    inputs=((frequencies(8), 4, 2048), (frequencies(128), 16, 4096), (frequencies(64, 500_000), 8, 8192)),
    name="YaRN by hand",
)
def yarn_by_hand(w: np.ndarray, factor: float, trained: float) -> Answers:
    kept = np.clip((trained * w / (2 * np.pi) - 1) / 31, 0, 1)
    yield Answer(yarn_scaling(w, factor, trained))
    yield Answer(yarn_scaling(w, factor, trained, ramp="pairs")).nearly("""That is the ramp of the authors' program, by
        pairs. The paper's goes by turns.""")
    yield Answer((1 - kept) * w + kept * w / factor).nearly("Fast pairs are divided here and slow ones kept.")
    yield Answer(w / (kept + (1 - kept) * factor)).nearly("Wavelengths have been mixed here. Mix the frequencies.")
    radians = np.clip((trained * w - 1) / 31, 0, 1)
    yield Answer(radians * w + (1 - radians) * w / factor).nearly("These are radians: a turn has 2π of them.")
    yield Answer(yarn_scaling(w, factor, trained, fast=4)).nearly("That is Llama 3.1, which keeps all from 4 turns on.")
    yield Answer(w / factor).wrong("That is interpolation: all pairs are slowed alike.")
    yield Answer(w).wrong("Nothing has changed yet. Which pairs never turned once?")


def _flat(first: np.ndarray, then: np.ndarray) -> np.ndarray:
    """Join the two halves of every head, and all heads side by side."""
    joined: np.ndarray = np.concatenate([first, then], axis=-1)
    return joined.reshape(len(joined), -1)
