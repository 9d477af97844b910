"""The exercises of notebook 03, *Stack and flatten*."""

import numpy as np

from pe_lib.encoding import frequencies, sinusoidal_encoding
from pe_lib.exercises.former.engine import exercise
from pe_lib.exercises.former.expectations import Answer, Answers, Encoding

ENCODING = sinusoidal_encoding(10, 6)
STACKED = ENCODING.reshape(10, 3, 2)
MIXED = "Positions are mixed: row 0 holds the sines of two positions. Look at the axis on which you stack."
HALVES = (0, 10, 6), (5, 7, 2), (100, 9, 16)  # start, length and width of what is handed over in halves


def _angles(*starts: int) -> np.ndarray:
    """Return the angles of ten positions from each of the starts, (B, 10, 3)."""
    angles: np.ndarray = np.add.outer(starts, np.arange(10))[..., np.newaxis] * frequencies(6)
    return angles


def _stacked_on(axis: int, angles: np.ndarray) -> np.ndarray:
    return np.stack([np.sin(angles), np.cos(angles)], axis=axis).reshape(*angles.shape[:-1], -1)


def _too_wide(length: int, d_model: int, axis: int = 2) -> np.ndarray:
    """Return stack and flatten with -1: for odd widths a column too many."""
    return _stacked_on(axis, np.arange(length)[:, np.newaxis] * frequencies(d_model)).reshape(length, -1)


@exercise(
    hint="`reshape` reads in one order and writes in the same. So it undoes what it did.",
    why="""Read row by row, the matrix goes from pair to pair, sine before cosine. Shape (10, 3, 2) cuts after every
        pair and moves nothing.""",
)
def take_it_apart() -> Answers:
    yield Answer(STACKED)
    yield Answer(ENCODING.reshape(10, 2, 3)).nearly("""Two blocks of three for each position: here 0.8415, 0.5403 and
        0.0464 are together in row 1. What belongs together is the sine and the cosine of one pair.""")
    yield Answer(np.stack([ENCODING[:, :3], ENCODING[:, 3:]], axis=2)).wrong("""The shape is right, but the matrix was
        taken for halves, three sines and then three cosines. Its columns take turns.""")
    yield Answer(STACKED[..., ::-1]).nearly(
        "Cut rightly, but the cosine now comes first: 0 on the last axis is a sine."
    )
    yield Answer(np.moveaxis(STACKED, 2, 0)).nearly("""That is the array stacked on `axis=0`, a table of sines and a
        table of cosines. Here each pair is to stay together.""")
    yield Answer(np.moveaxis(STACKED, 2, 1)).nearly("""That is the array stacked on `axis=1`: at each position three
        sines, then three cosines. Here each pair is to stay together.""")


@exercise(
    hint="""All thirty sines are read before the first cosine. Then come the cosines of positions 0 to 6, three each.
        Count from 0, and cut into rows of six.""",
    why="""Before it are read thirty sines, three cosines for each of the seven positions 0 to 6, and the cosine of pair
        0. That makes it number 52, counted from 0, and 52 = 8·6 + 4. It should be in row 7, column 3.""",
)
def find_a_lost_number() -> Answers:
    yield Answer([8, 4])
    yield Answer([7, 3]).wrong("That is where it should be. With `axis=0`, what is read before it?")
    yield Answer([7, 4]).wrong("That is its place in halves, from `axis=1`. With `axis=0`, what is read before it?")
    yield Answer([3, 4]).wrong("That is the place of the *sine*. What is read before the first cosine?")
    yield Answer([4, 8]).nearly("The right two numbers: the row comes first, then the column.")
    yield Answer([9, 5]).nearly("Row and column are counted from 1 here, it seems. Count both from 0.")
    yield Answer([8, 5]).nearly("One too far. How many numbers are read before it? The very first one has number 0.")
    yield Answer([8, 3]).nearly("One too early: there is the cosine of pair 0. Pairs are counted from 0.")
    yield Answer([9, 1]).nearly("There is the cosine of position 8. Before position 7 come seven others, 0 to 6.")
    yield Answer(52).nearly("It is number 52 in the order of reading. Which row and column is that?")


@exercise(
    hint="""Sine and cosine of one angle must be neighbours in the order of reading, so the new axis has to run fastest.
        Axes can also be counted from the end.""",
    why="""The new axis is the last, so each sine has its cosine for a neighbour. With two pieces in front the last axis
        is axis 3. `axis=-1` says so without counting, and is right for a single table too.""",
    inputs=((_angles(0, 100),), (_angles(37, 5),)),
)
def two_pieces_of_a_text(angles: np.ndarray) -> Answers:
    yield Answer(_stacked_on(-1, angles))
    yield Answer(_stacked_on(2, angles)).wrong("""Here it gives halves, in the right shape: at each position three
        sines, then three cosines. With two pieces in front, which number has the last axis?""")
    yield Answer(_stacked_on(1, angles)).wrong("""Here positions are mixed: row 0 of each piece holds the sines of two
        positions, and the cosines begin in row 5. Between which axes did the new one go?""")
    yield Answer(_stacked_on(0, angles)).wrong("""The first piece holds nothing but sines now, of both pieces, and the
        second nothing but cosines. The new axis stands in front of the pieces.""")
    yield Answer(_stacked_on(-1, angles).reshape(*angles.shape, 2)[..., ::-1].reshape(2, 10, 6)).nearly("""The axis is
        right, but in each pair the cosine comes before the sine.""")


@exercise(
    hint="Two halves are what this notebook began with. `halves.shape[1] // 2` says where the second begins.",
    why="""Cut apart, the halves are the two tables that the notebook began with, and a table stacked on its partner
        takes turns with it. No sine was computed, so any start and any base will do.""",
    expect=Encoding,
    inputs=tuple((sinusoidal_encoding(*shape, layout="halves", start=k),) for k, *shape in HALVES),
)
def from_halves_to_taking_turns(halves: np.ndarray) -> Answers:
    sines, cosines = np.hsplit(halves, 2)
    yield Answer(np.stack([sines, cosines], axis=2).reshape(halves.shape))
    yield Answer(halves).wrong("""The columns come out as they went in: all sines, then all cosines. Stacked on
        `axis=1`, or cut into pairs by `reshape` alone, halves stay halves.""")
    yield Answer(np.concatenate([halves[:, 0::2], halves[:, 1::2]], axis=1)).wrong("""That is the way to halves, even
        columns first and then odd ones. On the way back, where does column 0 of the second half have to go?""")
    yield Answer(np.stack([sines, cosines]).reshape(halves.shape)).wrong(MIXED)
    yield Answer(halves.T.reshape(halves.shape)).wrong("""Transposed and cut anew, a row holds one column at many
        positions. Rows should stay rows: only the columns change places.""")
    yield Answer(sinusoidal_encoding(*halves.shape)).nearly("""This is computed anew, from position 0 on. An encoding
        that begins elsewhere would be lost: take the numbers from `halves`.""")
    yield Answer(np.stack([cosines, sines], axis=2).reshape(halves.shape)).nearly("""They take turns, but each pair
        begins with its cosine. Which half holds the sines?""")


@exercise(
    hint="""In which columns do the six of *Try a width of five* differ from the five you want? Divide the exponents by
        the `d_model` that was asked for.""",
    why="""The cosine too many is cut off where the width is odd, nothing where it is even, and each exponent is divided
        by the `d_model` that was asked for. A width of 1 is the sine of the position alone.""",
    expect=Encoding,
    inputs=((10, 5), (12, 7), (7, 6), (4, 1), (3, 2)),
)
def any_width(length: int, d_model: int) -> Answers:
    right, wide = sinusoidal_encoding(length, d_model), _too_wide(length, d_model)
    wider = sinusoidal_encoding(length, d_model + d_model % 2)
    yield Answer(right)
    yield Answer(wider).wrong("The next even width: one column too many, and exponents divided by the wrong number.")
    yield Answer(wider[:, :d_model]).nearly("""The width is right, but the exponents were divided by the next even
        number: in row 1, column 2 holds 0.0464. By which number does the formula divide them?""")
    yield Answer(wide).nearly("Six columns, with a cosine too many at the end. For even widths nothing has to go.")
    yield Answer(right[:, : d_model // 2 * 2]).nearly("Right, but the last column is missing, a lone sine.")
    yield Answer(np.pad(right[:, :-1], ((0, 0), (0, 1)))).nearly("""All is right but the last column, which was filled
        up with zeros. It should be a sine, without its cosine.""")
    yield Answer(wide[:, 1:]).nearly("It is the first column that was cut off. Which of the six is not in the formula?")
    yield Answer(np.resize(wide, (length, d_model))).wrong("""Six numbers for each position, cut into rows of five: from
        row 1 on, every row begins with what is left of the one before. First take off what is too much, row by row.""")
    yield Answer(_too_wide(length, d_model, axis=0)[:, :d_model]).wrong(MIXED)
