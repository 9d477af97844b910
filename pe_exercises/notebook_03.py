"""The exercises of notebook 03, *Two programs, one table: are you sure?*."""

import numpy as np

from pe_exercises.comparing import diagnosed
from pe_exercises.engine import exercise
from pe_lib.encoding import frequencies, sinusoidal_encoding

STACKED = sinusoidal_encoding(10, 6).reshape(10, 3, 2)
MIXED = "Positions are mixed: row 0 holds the sines of two positions. Look at the axis on which you stack."


@exercise(
    hint="`reshape` reads in one order and writes in the same. It can undo itself.",
    wrong=[
        (
            STACKED.reshape(10, 2, 3),
            """You made two blocks of three for each position: `apart[1, 0]` holds 0.8415, 0.5403 and 0.0464. The sine
            and the cosine of one pair belong together.""",
        ),
        (
            np.stack([STACKED.reshape(10, 6)[:, :3], STACKED.reshape(10, 6)[:, 3:]], axis=2),
            """The shape is right, but you took the matrix for halves, three sines and then three cosines. Its columns
            alternate.""",
        ),
        (
            STACKED[..., ::-1],
            "Close. You cut it correctly, but the cosine comes first now: 0 on the last axis is a sine.",
        ),
        (
            np.moveaxis(STACKED, 2, 0),
            """That's the array stacked on `axis=0`, a table of sines and a table of cosines. Here each pair
            should stay together.""",
        ),
        (
            np.moveaxis(STACKED, 2, 1),
            """That's the array stacked on `axis=1`: at each position three sines, then three cosines. Here
            each pair should stay together.""",
        ),
    ],
)
def take_it_apart():
    """Read row by row, the matrix goes from pair to pair, sine before cosine. Shape (10, 3, 2) cuts after every
    pair and moves nothing.

    `apart[1, i]` is then the clock hand of pair `i` at position 1, and `apart[:, :, 0]` are all the sines.
    """
    return sinusoidal_encoding(10, 6).reshape(10, 3, 2)


@exercise(
    hint="""All thirty sines are read before the first cosine. Then come the cosines of positions 0 to 6, three each.
        Count from 0, and cut into rows of six.""",
    wrong=[
        ([7, 3], "That's its proper place. With `axis=0`, what do you read before it?"),
        ([7, 4], "That's where it is in halves, from `axis=1`. With `axis=0`, what do you read before it?"),
        ([3, 4], "That's where the *sine* is. What do you read before the first cosine?"),
        ([4, 8], "Close. The right two numbers, but the row comes first, then the column."),
        ([9, 5], "Close. You seem to count row and column from 1. Count both from 0."),
        ([8, 5], "Close. One too far. How many numbers do you read before it? The very first is number 0."),
        ([8, 3], "Close. One too early: that's the cosine of pair 0. We count pairs from 0."),
        ([9, 1], "That's the cosine of position 8. Before position 7 come seven others, 0 to 6."),
        (52, "It's number 52 in reading order. What row and column is that?"),
    ],
)
def find_a_lost_number():
    """Before it you read thirty sines, three cosines for each of the seven positions 0 to 6, and one cosine of
    position 7. That makes it number 52, counted from 0. 52 = 8·6 + 4, row 8 and column 4. Its proper place is row 7
    and column 3.
    """
    return divmod(30 + 7 * 3 + 1, 6)


def angles_from(*starts):
    return np.add.outer(starts, np.arange(10))[..., np.newaxis] * frequencies(6)  # (pieces, 10, 3)


def stacked_on(axis, angles):
    return np.stack([np.sin(angles), np.cos(angles)], axis=axis).reshape(*angles.shape[:-1], -1)


@exercise(
    hint="""Sine and cosine of one angle must be neighbours in reading order: the new axis has to run fastest.
        You can also count axes from the end.""",
    inputs=[(angles_from(0, 100),), (angles_from(37, 5),)],
    wrong=[
        (
            lambda angles: stacked_on(2, angles),
            """This gives halves in the right shape: at each position three sines, then three cosines. With pieces on
            axis 0, which axis is the new last one?""",
        ),
        (
            lambda angles: stacked_on(1, angles),
            """Positions are mixed here: row 0 of each piece holds the sines of two positions, and the cosines begin in
            row 5. Between which axes did the new one go?""",
        ),
        (
            lambda angles: stacked_on(0, angles),
            """The first piece now holds nothing but sines, of both pieces, and the second nothing but cosines. You put
            the new axis in front of the pieces.""",
        ),
        (
            lambda angles: stacked_on(-1, angles).reshape(2, 10, 3, 2)[..., ::-1].reshape(2, 10, 6),
            "Close. The axis is right, but in each pair the cosine comes before the sine.",
        ),
    ],
)
def two_pieces_of_a_text(angles):
    """The new axis is the last, and each sine has its cosine for a neighbour. With the pieces on axis 0, the last
    axis is axis 3. `axis=-1` says so without counting, and is right for a single table too.

    `axis=2` is right for one table. Here it makes halves: in row 1, three sines, then three cosines. Nothing warns you.
    """
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(2, 10, 6)


def halves_of(length, d_model, start):
    return sinusoidal_encoding(length, d_model, layout="halves", start=start)


@exercise(
    hint="The halves are the tables this notebook began with. `halves.shape[1] // 2` says where the second begins.",
    inputs=[(halves_of(10, 6, 0),), (halves_of(7, 2, 5),), (halves_of(9, 16, 100),)],
    wrong=[
        (
            lambda halves: halves,
            """The columns come out as they went in: all sines, then all cosines. If you stack on `axis=1`, or cut into
            pairs by `reshape` alone, halves stay halves.""",
        ),
        (
            lambda halves: np.concatenate([halves[:, 0::2], halves[:, 1::2]], axis=1),
            """That's the way to halves, even columns first and then odd ones. On the way back, where does column 0 of
            the second half have to go?""",
        ),
        (lambda halves: np.stack(np.hsplit(halves, 2)).reshape(halves.shape), MIXED),
        (
            lambda halves: halves.T.reshape(halves.shape),
            """You transposed, then cut again. Now a row holds one column at many positions. Rows should stay rows: only
            the columns change places.""",
        ),
        (
            lambda halves: sinusoidal_encoding(*halves.shape),
            """You computed this again, from position 0 onward, and an encoding that begins elsewhere comes out
            wrong. Take the numbers from `halves`.""",
        ),
        (
            lambda halves: np.stack(np.hsplit(halves, 2)[::-1], axis=2).reshape(halves.shape),
            "Close. They alternate, but each pair begins with its cosine. Which half holds the sines?",
        ),
    ],
    otherwise=diagnosed,
)
def from_halves_to_interleaved(halves):
    """Cut apart, the halves are the two tables that the notebook began with, and stacking them makes their columns
    alternate. You computed no sine, and that's why any start and base will do.

    There's a way without cutting, too: reshape the halves to (length, 2, pairs) and swap the last two axes. That's the
    stacked array.
    """
    pairs = halves.shape[1] // 2
    return np.stack([halves[:, :pairs], halves[:, pairs:]], axis=2).reshape(halves.shape)
