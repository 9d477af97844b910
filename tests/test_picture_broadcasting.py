"""The picture of broadcasting adds as NumPy does, shows which row lands on which word, and says so truly."""

import itertools
import math
import re

import numpy as np
import pytest
from sheets import random_state, texts

from pe_lib import add_positional_encoding
from pe_pictures.broadcasting import SHAPES, Broadcasting

SIZES = list(itertools.product((1, 2, 3, 4), (1, 2, 3, 4), (1, 4)))


def encoded(pos, d_model):
    """Write one row of the encoding out from the formula."""
    return [(math.cos if j % 2 else math.sin)(pos / 10_000 ** (j // 2 * 2 / d_model)) for j in range(d_model)]


def position_that_lands(shape, sentence, word, length):
    """Say which position's row a word gets; a lone row is the row for all."""
    if shape == "(L, 1, d)" and length == 1:
        return 0
    return word if shape in ("(1, L, d)", "(L, d)") else sentence


def in_every_shape(padding=0):
    """Move one picture through all sizes and shapes, with the same padding in each."""
    picture = Broadcasting()
    for (batch, length, d_model), shape in itertools.product(SIZES, SHAPES):
        if padding < length:
            sizes = {"batch": batch, "length": length, "d_model": d_model, "shape": shape, "padding": padding}
            yield picture.update(**sizes, sentence=0, position=0)


def test_every_sum_is_that_of_the_rows_that_land():
    for picture in in_every_shape():
        b, length, d, shape = (picture.state[name] for name in ("batch", "length", "d_model", "shape"))
        if shape == "(L, 1, d)" and b != length and 1 not in (b, length):
            assert picture.total is None
            assert f"({b},{length},{d}) ({length},1,{d})" in picture.error
            continue
        sheets = max(b, length) if shape == "(L, 1, d)" else b
        assert picture.total.shape == (sheets, length, d)
        assert picture.error == ""
        for sheet, word in itertools.product(range(sheets), range(length)):
            pos = position_that_lands(shape, sheet, word, length)
            x = [(sheet if sheet < b else 0) + (word * d + j + 1) / 10 for j in range(d)]
            assert picture.landed[sheet, word] == pos
            assert picture.total[sheet, word].tolist() == pytest.approx(np.add(x, encoded(pos, d)).tolist())


@pytest.mark.parametrize("padding", [0, 1])
def test_it_is_right_exactly_where_the_library_adds_the_same(padding):
    for picture in in_every_shape(padding):
        right = add_positional_encoding(picture.embeddings, mask=picture.mask)
        total = picture.total
        same = total is not None and total.shape == right.shape and np.allclose(total, right)
        assert picture.right == same, picture.state
        said = picture.says()
        assert ("refuses" in said) == (total is None), picture.state
        if picture.mask[0, 0] and total is not None:
            assert ("wrong" in said or "by chance" in said) == (not same), (picture.state, said)


@pytest.mark.parametrize("tall", [False, True])
def test_the_numbers_and_rows_shown_are_those_that_are_added(tall):
    for seed in range(40):
        picture = Broadcasting(**random_state(Broadcasting, seed))
        picture.tall = tall
        at, shown = (picture.state["sentence"], picture.state["position"]), texts(picture)
        if picture.total is None:
            assert "ValueError:" in shown
            assert not [said for said in shown if "×" in said]
            continue
        digits = 4 if tall else 2
        written = [float(said.replace("−", "-")) for said in shown if re.fullmatch(rf"−?\d+\.\d{{{digits}}}", said)]
        for number in (*picture.embeddings[at], *picture.total[at]):
            assert min(abs(np.array(written) - number)) <= 0.51 * 10**-digits
        crossed = (picture.landed >= 0) & (picture.landed != np.arange(picture.state["length"]))
        assert sum("×" in said for said in shown) == crossed.sum()


def test_a_click_on_a_row_marks_its_word():
    first, second, *_ = Broadcasting().targets()
    assert (first.sets, second.sets) == ({"sentence": 0}, {"sentence": 1})
    assert first.down == ("position", range(3))


def test_a_cover_leaves_neither_the_sum_nor_its_shape():
    refused, added = (Broadcasting(shape="(L, 1, d)", batch=b, padding=0) for b in (2, 3))
    for picture in (refused, added):
        shown = texts(picture, covered=True)
        assert not [said for said in shown if re.search(r"×|≠|ValueError", said)]
