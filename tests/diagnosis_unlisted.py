"""Mistakes that stand in no list: how each is made, and what the one who made it would need to be told."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from diagnosis_cases import paper


@dataclass(frozen=True)
class Unlisted:
    """A mistake that nobody promised to name: how it is made, and what the one who made it would need to be told."""

    table: Callable[[int, int], np.ndarray] = field(repr=False)
    needs: str
    answers: tuple[
        frozenset[str], ...
    ] = ()  # sets of codes that would be right; none: only a clear answer is asked for


def half_angles(length, d):
    return np.arange(length)[:, np.newaxis] * 10_000.0 ** (-np.arange(0, d, 2) / d)


def sines_and_cosines(sin_angles, cos_angles):
    table = np.empty((len(sin_angles), 2 * sin_angles.shape[1]))
    table[:, 0::2], table[:, 1::2] = np.sin(sin_angles), np.cos(cos_angles)
    return table


def column_angles(length, d):
    return np.arange(length)[:, np.newaxis] * 10_000.0 ** (-np.arange(d) / d)


def odd(length, d, base=10_000.0):
    """Fill a table of the odd width before d."""
    w = base ** (-2 * (np.arange(d - 1) // 2) / (d - 1))
    angles = np.arange(length)[:, np.newaxis] * w
    return np.where(np.arange(d - 1) % 2 == 0, np.sin(angles), np.cos(angles))


def with_changed(table, where, value):
    table = table.copy()
    table[where] = value
    return table


UNLISTED = {
    "sine in all columns": Unlisted(
        lambda n, d: np.sin(np.repeat(half_angles(n, d), 2, axis=1)), "odd columns must hold cosines; they hold sines"
    ),
    "cosine in all columns": Unlisted(
        lambda n, d: np.cos(np.repeat(half_angles(n, d), 2, axis=1)), "even columns must hold sines; they hold cosines"
    ),
    "the 2 forgotten for cosines alone": Unlisted(
        lambda n, d: sines_and_cosines(half_angles(n, d), half_angles(n, d) ** 1 * 10_000 ** (np.arange(d // 2) / d)),
        "the cosines' exponent is half the sines'",
    ),
    "the 2 forgotten for sines alone": Unlisted(
        lambda n, d: sines_and_cosines(half_angles(n, d) * 10_000 ** (np.arange(d // 2) / d), half_angles(n, d)),
        "the sines' exponent is half the cosines'",
    ),
    "2i/d multiplied, not raised to": Unlisted(
        lambda n, d: sines_and_cosines(*[np.arange(n)[:, None] / 10_000 * (np.arange(0, d, 2) / d)] * 2),
        "the frequencies rise evenly from 0: base and exponent are not joined by a power",
    ),
    "no division by d_model": Unlisted(
        lambda n, d: sines_and_cosines(*[np.arange(n)[:, None] / 10_000.0 ** np.arange(0, d, 2)] * 2),
        "the exponent was not divided by d_model (base**d in effect)",
    ),
    "degrees for the sines alone": Unlisted(
        lambda n, d: sines_and_cosines(np.deg2rad(half_angles(n, d)), half_angles(n, d)),
        "the sines' angles are in degrees, the cosines' are not",
    ),
    "degrees on the second half of the columns": Unlisted(
        lambda n, d: np.hstack(
            [paper(n, d)[:, : d // 4 * 2], paper(n, d, positions=np.deg2rad(np.arange(n)))[:, d // 4 * 2 :]]
        ),
        "from some column on the frequencies are pi/180 of what they should be",
    ),
    "positions counted down": Unlisted(
        lambda n, d: paper(n, d)[::-1], "the positions fall from L-1 to 0: rows upside down"
    ),
    "positions below zero": Unlisted(
        lambda n, d: paper(n, d, positions=-np.arange(n)),
        "the positions fall 0, -1, -2 …: every sine has the other sign",
    ),
    "positions divided by the length": Unlisted(
        lambda n, d: paper(n, d, positions=np.arange(n) / n), "all frequencies are 1/L of what they should be"
    ),
    "positions in steps of two": Unlisted(
        lambda n, d: paper(n, d, positions=2 * np.arange(n)), "all frequencies are twice what they should be"
    ),
    "turns for radians": Unlisted(
        lambda n, d: paper(n, d, positions=2 * np.pi * np.arange(n)),
        "all frequencies are 2 pi times what they should be",
    ),
    "columns reversed": Unlisted(lambda n, d: paper(n, d)[:, ::-1], "the columns stand in reverse order"),
    "halves with the frequencies of pairs": Unlisted(
        lambda n, d: np.hstack(
            [
                np.sin(np.repeat(half_angles(n, d), 2, axis=1)[:, : d // 2]),
                np.cos(np.repeat(half_angles(n, d), 2, axis=1)[:, d // 2 :]),
            ]
        ),
        "sine half has only the fast frequencies, cosine half only the slow ones, each twice",
    ),
    "halves, cosines in reverse order": Unlisted(
        lambda n, d: np.hstack([np.sin(half_angles(n, d)), np.cos(half_angles(n, d))[:, ::-1]]),
        "the cosine half runs from slow to fast",
    ),
    "square root of the angle": Unlisted(
        lambda n, d: sines_and_cosines(*[np.sqrt(half_angles(n, d))] * 2), "the angle does not grow evenly with pos"
    ),
    "pos in the exponent": Unlisted(
        lambda n, d: sines_and_cosines(*[np.arange(d // 2) / 10_000.0 ** (2 * np.arange(n)[:, None] / d)] * 2),
        "pos and i have changed places",
    ),
    "a column twice": Unlisted(
        lambda n, d: with_changed(paper(n, d), np.s_[:, 5], paper(n, d)[:, 4]), "column 5 is column 4 again"
    ),
    "one number mistyped": Unlisted(
        lambda n, d: with_changed(paper(n, d), (2, 3), 0.1),
        "right but for row 2, column 3",
    ),
    "one row mistyped": Unlisted(
        lambda n, d: with_changed(paper(n, d), 4, paper(n, d)[3]), "right but for row 4, which is row 3 again"
    ),
    "first row twice": Unlisted(
        lambda n, d: paper(n, d, positions=np.maximum(np.arange(n) - 1, 0)),
        "row 1 is row 0 again, and all rows are one late",
    ),
    "rows shuffled": Unlisted(
        lambda n, d: paper(n, d)[np.random.default_rng(0).permutation(n)], "every row is right, in the wrong order"
    ),
    "columns shuffled": Unlisted(
        lambda n, d: paper(n, d)[:, np.random.default_rng(0).permutation(d)],
        "every column is right, in the wrong order",
    ),
    "pairs in reverse order": Unlisted(
        lambda n, d: paper(n, d).reshape(n, -1, 2)[:, ::-1].reshape(n, d),
        "pairs run from slow to fast: the exponent falls",
    ),
    "every sign flipped": Unlisted(lambda n, d: -paper(n, d), "times -1"),
    "sign of the cosines flipped": Unlisted(
        lambda n, d: paper(n, d) * np.tile([1, -1], d // 2), "the cosines have the other sign"
    ),
    "1 added": Unlisted(lambda n, d: paper(n, d) + 1, "1 has been added to every number"),
    "brought between 0 and 1": Unlisted(lambda n, d: (paper(n, d) + 1) / 2, "halved, and 0.5 added"),
    "absolute values": Unlisted(lambda n, d: np.abs(paper(n, d)), "no negative number: abs was taken"),
    "squared": Unlisted(lambda n, d: paper(n, d) ** 2, "no negative number: squared"),
    "rounded to 2 decimals": Unlisted(
        lambda n, d: paper(n, d).round(2),
        "right, but rounded to 2 decimals",
    ),
    "rounded to 4 decimals": Unlisted(
        lambda n, d: paper(n, d).round(4),
        "right, but rounded to 4 decimals",
    ),
    "frequencies rounded to 2 decimals": Unlisted(
        lambda n, d: sines_and_cosines(*[np.arange(n)[:, None] * (10_000.0 ** (-np.arange(0, d, 2) / d)).round(2)] * 2),
        "slow pairs have frequency 0: the frequencies were rounded",
    ),
    "first columns of a wider table": Unlisted(
        lambda n, d: paper(n, 512)[:, :d],
        "the frequencies are those of another, larger d_model",
    ),
    "last column missing": Unlisted(
        lambda n, d: paper(n, d)[:, :-1],
        "odd width, and the frequencies of a table one column wider",
    ),
    "first column missing": Unlisted(lambda n, d: paper(n, d)[:, 1:], "the first sine is missing"),
    "a column of zeros at the end": Unlisted(
        lambda n, d: np.hstack([paper(n, d), np.zeros((n, 1))]), "right for one column less; the last is padding"
    ),
    "cosines never filled in": Unlisted(
        lambda n, d: paper(n, d) * np.tile([1, 0], d // 2), "the odd columns are all 0"
    ),
    "sines never filled in": Unlisted(lambda n, d: paper(n, d) * np.tile([0, 1], d // 2), "the even columns are all 0"),
    "last pair left out": Unlisted(
        lambda n, d: with_changed(paper(n, d), np.s_[:, -2:], 0), "the last two columns are 0: the loop ends too early"
    ),
    "last rows left out": Unlisted(
        lambda n, d: with_changed(paper(n, d), np.s_[n // 2 :], 0), "rows from L/2 on are 0"
    ),
    "stacked on the first axis and reshaped": Unlisted(
        lambda n, d: np.stack([np.sin(half_angles(n, d)), np.cos(half_angles(n, d))]).reshape(n, d),
        "sines fill the upper rows, cosines the lower: stacked on axis 0",
    ),
    "positions for cosines from 1": Unlisted(
        lambda n, d: sines_and_cosines(half_angles(n, d), half_angles(n + 1, d)[1:]), "cosines are one position ahead"
    ),
    "positions in uint8": Unlisted(
        lambda n, d: paper(
            n, d, positions=np.arange(n).astype(np.uint8).astype(float) if n > 256 else np.arange(n) % 8.0
        ),
        "the positions begin again from 0: they overflow",
    ),
    "frequencies evenly spaced": Unlisted(
        lambda n, d: sines_and_cosines(*[np.arange(n)[:, None] * np.linspace(1, 1e-4, d // 2)] * 2),
        "frequencies fall evenly, not by a constant factor",
    ),
    "the length in place of d_model": Unlisted(
        lambda n, d: sines_and_cosines(*[np.arange(n)[:, None] / 10_000.0 ** (np.arange(0, d, 2) / n)] * 2),
        "the exponent is divided by the length (base**(d/L) in effect)",
    ),
    "sine times cosine": Unlisted(
        lambda n, d: (
            sines_and_cosines(half_angles(n, d), half_angles(n, d)) * np.cos(np.repeat(half_angles(n, d), 2, axis=1))
        ),
        "products, not sines and cosines",
    ),
    "times the position": Unlisted(lambda n, d: paper(n, d) * np.arange(n)[:, None], "row pos is multiplied by pos"),
    "columns standardised": Unlisted(
        lambda n, d: (paper(n, d) - paper(n, d).mean(0)) / (paper(n, d).std(0) + 1e-9), "each column was standardised"
    ),
    "rows of length 1": Unlisted(
        lambda n, d: paper(n, d) / np.linalg.norm(paper(n, d), axis=1, keepdims=True),
        "times sqrt(2/d)",
    ),
    "with dropout": Unlisted(
        lambda n, d: paper(n, d) * (np.random.default_rng(1).random((n, d)) > 0.1) / 0.9,
        "some numbers are 0, the others right times 1/0.9: dropout",
    ),
    "already added to embeddings": Unlisted(
        lambda n, d: paper(n, d) + np.random.default_rng(2).normal(size=(n, d)),
        "no encoding; perhaps the sum: diagnose_sum",
    ),
    "random frequencies": Unlisted(
        lambda n, d: sines_and_cosines(*[np.arange(n)[:, None] * np.random.default_rng(3).random(d // 2)] * 2),
        "pairs hold, but the frequencies do not fall by a constant factor",
    ),
    "the positions themselves": Unlisted(
        lambda n, d: np.repeat(np.arange(n, dtype=float)[:, None], d, axis=1),
        "the position itself in every column",
    ),
    "bits of the position": Unlisted(
        lambda n, d: (np.arange(n)[:, None] >> np.arange(d) & 1).astype(float),
        "bits, not sines",
    ),
    "one-hot": Unlisted(lambda n, d: np.eye(n, d), "one-hot, not sines"),
    "tangent for cosine": Unlisted(
        lambda n, d: with_changed(paper(n, d), np.s_[:, 1::2], np.tan(half_angles(n, d))), "odd columns hold tangents"
    ),
    "noise on top": Unlisted(
        lambda n, d: paper(n, d) + 0.01 * np.random.default_rng(4).normal(size=(n, d)),
        "close to the paper's, every number off by about 0.01",
    ),
    "the batch in front of it, flattened": Unlisted(
        lambda n, d: np.vstack([paper(n // 2, d)] * 2), "the positions begin again: several sequences were stacked"
    ),
    "the last row first": Unlisted(lambda n, d: np.roll(paper(n, d), 1, axis=0), "rows are moved round by one"),
    "sine and cosine swapped in every other pair": Unlisted(
        lambda n, d: paper(n, d).reshape(n, -1, 4)[:, :, [0, 1, 3, 2]].reshape(n, d),
        "pairs 1, 3, 5 … hold cosine first",
    ),
    "a base for sines, another for cosines": Unlisted(
        lambda n, d: np.dstack([paper(n, d)[:, 0::2], paper(n, d, 1000.0)[:, 1::2]]).reshape(n, d),
        "sines with base 10000, cosines with base 1000",
    ),
    "cosines written over the sines": Unlisted(
        lambda n, d: with_changed(np.zeros((n, d)), np.s_[:, 0::2], np.cos(half_angles(n, d))),
        "cosines where sines belong, and nothing in the odd columns",
    ),
    "sines written into the odd columns alone": Unlisted(
        lambda n, d: with_changed(np.zeros((n, d)), np.s_[:, 1::2], np.sin(half_angles(n, d))),
        "sines where cosines belong, and nothing in the even columns",
    ),
    "cosines written over the sines, in halves": Unlisted(
        lambda n, d: with_changed(np.zeros((n, d)), np.s_[:, : d // 2], np.cos(half_angles(n, d))),
        "only cosines, in the first half",
    ),
    "the first pair alone": Unlisted(
        lambda n, d: with_changed(np.zeros((n, d)), np.s_[:, :2], paper(n, d)[:, :2]), "columns from 2 on are empty"
    ),
    "the first cosine alone": Unlisted(
        lambda n, d: with_changed(np.zeros((n, d)), np.s_[:, 1], paper(n, d)[:, 1]), "all columns but one are empty"
    ),
    "a sine at i, a cosine at i + 1": Unlisted(
        lambda n, d: np.hstack(
            [np.sin(half_angles(n, d)), np.cos(half_angles(n, d)[:, -1:]), np.zeros((n, d // 2 - 1))]
        ),
        "each cosine but the last was written over; the second half is empty",
    ),
    "a sine at j, a cosine at j + 1, for every column": Unlisted(
        lambda n, d: with_changed(np.sin(column_angles(n, d)), np.s_[:, -1], np.cos(column_angles(n, d)[:, -2])),
        "sines of columns with frequencies of their own, but for the last",
    ),
    "the first row alone": Unlisted(
        lambda n, d: with_changed(np.zeros((n, d)), 0, paper(1, d)[0]), "rows from 1 on are empty, or decimals cut off"
    ),
    "the second row alone": Unlisted(
        lambda n, d: with_changed(np.zeros((n, d)), 1, paper(2, d)[1]), "all rows but one are empty"
    ),
    "columns padded with zeros": Unlisted(
        lambda n, d: np.hstack([paper(n, d - 4), np.zeros((n, 4))]), "a table of another width, and empty columns"
    ),
    "angles of RoPE": Unlisted(lambda n, d: np.tile(half_angles(n, d), 2), "angles, twice side by side"),
    "cosines of RoPE": Unlisted(lambda n, d: np.cos(np.tile(half_angles(n, d), 2)), "cosines, twice side by side"),
    "cosines of RoPE with base 5e5": Unlisted(
        lambda n, d: np.cos(np.tile(np.arange(n)[:, None] * 5e5 ** (-np.arange(0, d, 2) / d), 2)),
        "cosines, twice side by side, with another base",
    ),
    "halves of an odd width, the sines cut": Unlisted(
        lambda n, d: np.hstack([np.sin(half_angles(n, d - 1)[:, :-1]), np.cos(half_angles(n, d - 1))]),
        "one cosine more than sines",
    ),
    "rows of length 1, odd width": Unlisted(
        lambda n, d: odd(n, d) / np.linalg.norm(odd(n, d), axis=1, keepdims=True), "each row over its norm"
    ),
    "differences of rows": Unlisted(lambda n, d: np.diff(paper(n + 1, d), axis=0), "each row less the one before"),
    "differences of rows, odd width": Unlisted(lambda n, d: np.diff(odd(n + 1, d), axis=0), "the same"),
    "sine in all columns, counted down": Unlisted(
        lambda n, d: np.sin(np.repeat(half_angles(n, d), 2, axis=1))[::-1], "sines alone, positions backwards"
    ),
    "cosine in all columns, counted down": Unlisted(
        lambda n, d: np.cos(np.repeat(half_angles(n, d), 2, axis=1))[::-1],
        "cosines alone, positions backwards or from -(L-1) on: cosines do not tell",
    ),
    "base 100": Unlisted(lambda n, d: paper(n, d, 100.0), "the base, or a forgotten 2"),
    "base 1e8": Unlisted(lambda n, d: paper(n, d, 1e8), "the base, or a 2 too many"),
    "base 14": Unlisted(lambda n, d: paper(n, d, 14.0), "the base, or what 10 ^ 4 is in Python"),
    "base 1e16": Unlisted(lambda n, d: paper(n, d, 1e16), "the base, or the width of another table"),
    "base 9999": Unlisted(lambda n, d: paper(n, d, 9999.0), "a base that differs in the fifth digit"),
    "base 1000, three columns": Unlisted(
        lambda n, d: odd(n, min(d, 4), 1000.0), "the base, or a table for four whose last column was cut off"
    ),
    "own frequencies, sines alone": Unlisted(
        lambda n, d: np.sin(column_angles(n, d)), "half a table twice as wide, or exponents j/d and sines throughout"
    ),
    "ones in place of cosines": Unlisted(
        lambda n, d: with_changed(np.ones((n, d)), np.s_[:, 0::2], paper(n, d)[:, 0::2]),
        "the odd columns hold 1, and turn with no frequency",
    ),
}

# what is to be said of them: one of these sets of codes
ANSWERS = {
    "sine in all columns": ["sines-alone"],
    "cosine in all columns": ["cosines-alone"],
    "the 2 forgotten for cosines alone": ["cosine-exponent-halved"],
    "the 2 forgotten for sines alone": ["sine-exponent-halved"],
    "2i/d multiplied, not raised to": ["multiplied-exponent"],
    "no division by d_model": ["no-division"],
    "degrees for the sines alone": ["degrees-of-one"],
    "degrees on the second half of the columns": ["half-turns"],
    "positions counted down": ["reversed"],
    "positions below zero": ["sign", "reversed"],
    "positions divided by the length": ["step"],
    "positions in steps of two": ["step"],
    "turns for radians": ["step"],
    "columns reversed": ["columns-reversed"],
    "halves with the frequencies of pairs": ["half-for-parity"],
    "halves, cosines in reverse order": ["columns-out-of-order"],
    "square root of the angle": ["not-an-encoding", "exponent-halved angles-rooted"],
    "pos in the exponent": ["exchanged"],
    "a column twice": ["columns-taken"],
    "one number mistyped": ["cell-wrong"],
    "one row mistyped": ["row-wrong", "rows-repeated"],
    "first row twice": ["rows-repeated"],
    "rows shuffled": ["rows-out-of-order"],
    "columns shuffled": ["columns-out-of-order"],
    "pairs in reverse order": ["pairs-reversed columns-reversed", "pairs-reversed"],
    "every sign flipped": ["scale"],
    "sign of the cosines flipped": ["sign"],
    "1 added": ["offset"],
    "brought between 0 and 1": ["scale offset"],
    "absolute values": ["changed"],
    "squared": ["changed"],
    "rounded to 2 decimals": ["rounded"],
    "rounded to 4 decimals": ["rounded"],
    "frequencies rounded to 2 decimals": ["frequencies-rounded"],
    "first columns of a wider table": ["other-width"],
    "last column missing": ["missing-column"],
    "first column missing": ["swapped first-column-missing", "first-column-missing"],
    "a column of zeros at the end": ["extra-column-empty"],
    "cosines never filled in": ["columns-empty"],
    "sines never filled in": ["columns-empty"],
    "last pair left out": ["columns-empty", "column-wrong"],
    "last rows left out": ["rows-zeroed"],
    "stacked on the first axis and reshaped": ["rearranged"],
    "positions for cosines from 1": ["columns-moved"],
    "positions in uint8": ["rows-repeated"],
    "frequencies evenly spaced": ["evenly"],
    "the length in place of d_model": ["other-width"],
    "sine times cosine": ["not-an-encoding"],
    "times the position": ["rows-scaled"],
    "columns standardised": ["columns-scaled"],
    "rows of length 1": ["scale"],
    "with dropout": ["dropout"],
    "already added to embeddings": ["not-an-encoding"],
    "random frequencies": ["frequencies"],
    "the positions themselves": ["other-encoding"],
    "bits of the position": ["other-encoding"],
    "one-hot": ["other-encoding"],
    "tangent for cosine": ["tangents"],
    "noise on top": ["noisy", "not-an-encoding"],
    "the batch in front of it, flattened": ["rows-repeated"],
    "the last row first": ["rows-out-of-order"],
    "sine and cosine swapped in every other pair": ["pairs-alternate"],
    "a base for sines, another for cosines": ["column-frequencies"],
    "cosines written over the sines": ["cosines-alone columns-empty"],
    "sines written into the odd columns alone": ["sines-alone columns-empty"],
    "cosines written over the sines, in halves": ["half-filled"],
    "the first pair alone": ["columns-empty"],
    "the first cosine alone": ["columns-empty"],
    "a sine at i, a cosine at i + 1": ["neighbours-overwritten"],
    "a sine at j, a cosine at j + 1, for every column": ["cosines-overwritten"],
    "the first row alone": ["integers rows-zeroed"],
    "the second row alone": ["rows-zeroed"],
    "columns padded with zeros": ["other-width columns-empty", "base other-width columns-empty"],
    "angles of RoPE": ["rope-cache"],
    "cosines of RoPE": ["rope-cache"],
    "cosines of RoPE with base 5e5": ["base rope-cache"],
    "halves of an odd width, the sines cut": ["more-cosines"],
    "rows of length 1, odd width": ["normalised"],
    "differences of rows": ["differences"],
    "differences of rows, odd width": ["differences"],
    "sine in all columns, counted down": ["reversed sines-alone"],
    "cosine in all columns, counted down": ["cosines-alone start reversed"],
    "base 100": ["exponent-halved"],
    "base 1e8": ["exponent-doubled"],
    "base 14": ["xor base"],
    "base 1e16": ["base other-width"],
    "base 9999": ["base"],
    "base 1000, three columns": ["missing-column base"],
    "own frequencies, sines alone": ["one-half"],
    "ones in place of cosines": ["not-an-encoding", "columns-still"],
}
