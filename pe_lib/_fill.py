"""How the table of encodings is filled fast: plain sines and cosines up to a block of rows, rotations beyond.

A shift by b positions turns every pair by b·w_i (Vaswani et al. 2017, section 3.5). So the rows of a block of BLOCK
positions are its first row times the turns by 0, 1, 2, …, and all blocks share these turns. Blocks begin at multiples
of BLOCK whatever row a table begins with, and the turns from position 0 are the sines and cosines themselves: both
ways give a position the same bits.
"""

import itertools
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

BLOCK = 512  # rows that share one table of turns
PANEL = 256  # pairs of columns filled together, so that this table stays at 2 MB however wide the encoding is
SHARED_FROM = 576  # rows from which blocks that share their turns are filled sooner than each with turns of its own
THREADS_FROM = 1 << 22  # numbers in the table from which a second thread costs less than it saves


def fill(table: np.ndarray, start: int, w: np.ndarray, columns: tuple[slice, slice]) -> None:
    """Write the encodings of positions start, start+1, … over the rows of a table, one row at least.

    `w` are the frequencies, shape (ceil(d_model/2),); `columns` say which hold the sines, and which the cosines.
    """
    stop = start + len(table)
    border = (start // BLOCK + 1) * BLOCK
    if border < stop and len(table) < SHARED_FROM:
        fill(table[: border - start], start, w, columns)
        fill(table[border - start :], border, w, columns)
        return
    fill_pairs = _fill_plainly if start >= 0 and stop <= BLOCK else _fill_by_turning
    for first in range(0, len(w), PANEL):
        fill_pairs(table, start, w, slice(first, first + PANEL), columns)


def _fill_plainly(table: np.ndarray, start: int, w: np.ndarray, pairs: slice, columns: tuple[slice, slice]) -> None:
    """Fill the columns of some pairs with the sines and cosines of their angles."""
    positions = np.arange(start, start + len(table), dtype=np.float64)
    angles = positions[:, np.newaxis] * w[pairs]  # (rows, pairs of the panel)
    sines, cosines = _of_pairs(table, pairs, columns)
    np.sin(angles, out=sines)
    np.cos(angles[:, : cosines.shape[1]], out=cosines)


def _fill_by_turning(table: np.ndarray, start: int, w: np.ndarray, pairs: slice, columns: tuple[slice, slice]) -> None:
    """Fill the columns of some pairs: each block's first row, times the turns that lead on from it."""
    stop = start + len(table)
    first_block, last_block = start // BLOCK, (stop - 1) // BLOCK
    least = 0 if last_block > first_block else start % BLOCK
    small = np.arange(least, min(least + len(table), BLOCK), dtype=np.float64)
    turns = _exp_minus_i(small[:, np.newaxis] * w[pairs])  # (rows of a block, pairs of the panel)

    def fill_blocks(blocks: range) -> None:
        for block in blocks:
            first, last = max(start, block * BLOCK), min(stop, (block + 1) * BLOCK)
            here = slice(first - block * BLOCK - least, last - block * BLOCK - least)
            hands = 1j * _exp_minus_i(float(block * BLOCK) * w[pairs])  # sin + i·cos of the block's first row
            _turn(turns[here], hands, table[first - start : last - start], pairs, columns)

    blocks = range(first_block, last_block + 1)
    workers = min(_processors(), len(blocks)) if table.size >= THREADS_FROM else 1
    if workers == 1:
        fill_blocks(blocks)
        return
    shares = [len(blocks) * k // workers for k in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:  # each fills rows in a stretch: threads rarely meet in a page of memory
        list(pool.map(fill_blocks, [blocks[a:b] for a, b in itertools.pairwise(shares)]))


def _turn(turns: np.ndarray, hands: np.ndarray, rows: np.ndarray, pairs: slice, columns: tuple[slice, slice]) -> None:
    """Write turns × hands, whose real parts are sines and whose imaginary parts are cosines, into rows of the table."""
    pair_of_numbers = {"float32": np.complex64, "float64": np.complex128}.get(rows.dtype.name)
    if turns.shape[1] == 1:  # NumPy multiplies one lone complex number by another routine, with other last bits
        turned = (np.repeat(turns, 2, axis=1) * hands)[:, :1]
    elif pair_of_numbers and columns[0].step == 2 and rows.shape[1] % 2 == 0:  # an array of complex numbers
        np.multiply(turns, hands, out=rows.view(pair_of_numbers)[:, pairs], casting="same_kind")
        return
    else:
        turned = turns * hands
    sines, cosines = _of_pairs(rows, pairs, columns)
    sines[:] = turned.real
    cosines[:] = turned.imag[:, : cosines.shape[1]]


def _of_pairs(rows: np.ndarray, pairs: slice, columns: tuple[slice, slice]) -> tuple[np.ndarray, np.ndarray]:
    """Return views of the sines and of the cosines of some pairs; the last pair of an odd width has no cosine."""
    return rows[:, columns[0]][:, pairs], rows[:, columns[1]][:, pairs]


def _exp_minus_i(angles: np.ndarray) -> np.ndarray:
    """Return exp(-i·angle): cosines as real and negated sines as imaginary parts."""
    values = np.empty(angles.shape, np.complex128)
    np.cos(angles, out=values.real)
    np.negative(np.sin(angles, out=values.imag), out=values.imag)
    return values


def _processors() -> int:
    """Return how many processors this process may use; 1 in a browser, where no thread can be started."""
    if sys.platform == "emscripten":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
