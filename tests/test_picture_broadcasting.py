"""The picture of broadcasting adds as NumPy does, shows which row lands on which token, and says so truly."""

import itertools
import math
import random
import re

import numpy as np
import pytest
from sheets import texts

from pe_lib import add_positional_encoding
from pe_lib.pictures.broadcasting import OF_POSITION, SHAPES, Broadcasting
from pe_lib.pictures.scene import Group, Shape

SIZES = list(itertools.product((1, 2, 3, 4), (1, 2, 3, 6), (1, 4)))
SEEDS = pytest.mark.parametrize("seed", range(15))


def encoded(pos, d_model):
    """Write one row of the encoding out from the formula."""
    return [(math.cos if j % 2 else math.sin)(pos / 10_000 ** (j // 2 * 2 / d_model)) for j in range(d_model)]


def position_that_lands(shape, sentence, token, length):
    """Say which position's row a token gets; a lone row is the row for all."""
    if shape == "(L, 1, d)" and length == 1:
        return 0
    return token if shape in ("(1, L, d)", "(L, d)") else sentence


def in_every_shape(padding=0):
    """Move one picture through all sizes and shapes, with the same padding in each."""
    picture = Broadcasting()
    for (batch, length, d_model), shape in itertools.product(SIZES, SHAPES):
        if padding < length:
            sizes = {"batch": batch, "length": length, "d_model": d_model, "shape": shape, "padding": padding}
            yield picture.update(**sizes, sentence=0, position=0)


def anywhere(seed):
    """Return a picture in a state of chance."""
    choose = random.Random(seed)
    batch, length = choose.choice([(1, 1), (1, 6), (4, 6), (3, 3), (choose.randint(1, 4), choose.randint(1, 6))])
    return Broadcasting(
        batch=batch,
        length=length,
        d_model=choose.randint(1, 8),
        shape=choose.choice(SHAPES),
        padding=choose.choice([0, length - 1, choose.randrange(length)]),
        sentence=choose.randrange(batch),
        position=choose.randrange(length),
    )


def said(picture, hidden="question"):
    return [text.text for text in texts(picture, hidden)]


def _shapes(elements):
    for element in elements:
        if isinstance(element, Group):
            yield from _shapes(element.parts)
        elif isinstance(element, Shape):
            yield element


def tags(picture, block):
    """Return the colours of the tags of a block: of x, of the encoding or of the sum, by place."""
    (parts,) = [e.parts for e in picture.lay() if isinstance(e, Group) and e.kind == "answer" and len(e.parts) > 9]
    shapes = [p for p in parts if isinstance(p, Shape) and p.fill in OF_POSITION]
    boxes = [(p.path.get_extents(), p.fill) for p in shapes]
    low, high = {"PE": (380, 740), "sum": (750, 1100)}[block]
    return [fill for box, fill in boxes if low < box.x0 < high and box.width < 50]


def test_every_sum_is_that_of_the_rows_that_land():
    for picture in in_every_shape():
        b, length, d, shape = (picture.state[name] for name in ("batch", "length", "d_model", "shape"))
        if shape == "(L, 1, d)" and b != length and 1 not in (b, length):
            assert picture.total is None
            assert picture.error
            continue
        sheets = max(b, length) if shape == "(L, 1, d)" else b
        assert picture.total.shape == (sheets, length, d)
        assert picture.error == ""
        for sheet, token in itertools.product(range(sheets), range(length)):
            row = encoded(position_that_lands(shape, sheet, token, length), d)
            x = [(sheet if sheet < b else 0) + (token * d + j + 1) / 10 for j in range(d)]
            assert picture.total[sheet, token].tolist() == pytest.approx([n + m for n, m in zip(x, row, strict=True)])


@pytest.mark.parametrize("padding", [0, 1])
def test_the_verdict_says_right_exactly_where_the_library_adds_the_same(padding):
    for picture in in_every_shape(padding):
        right = add_positional_encoding(picture.embeddings, mask=picture.mask)
        none = picture.total is None
        same = not none and picture.total.shape == right.shape and np.allclose(picture.total, right)
        assert picture.describe().startswith(f"{picture.verdict}. ")
        assert picture.verdict.startswith("Every token gets the row of its position") == same, picture.state
        assert picture.verdict.startswith("Error") == none, picture.state
        assert picture.verdict.startswith("No error") == (not none and not same), picture.state
        assert ("because B = L" in picture.verdict) <= (picture.state["batch"] == picture.state["length"])


def test_the_rules_say_error_exactly_where_numpy_does():
    for picture in in_every_shape():
        x, pe = picture.embeddings.shape, picture.encoding.shape
        try:
            np.broadcast_shapes(x, pe)
            error = False
        except ValueError:
            error = True
        pairs = zip(x, (1,) * (3 - len(pe)) + pe, strict=True)
        expected = ["equal" if n == m else "1 is stretched" if 1 in (n, m) else "differ: error" for n, m in pairs]
        assert re.findall(r"equal|1 is stretched|differ: error", picture.describe()) == expected
        assert ("differ: error" in expected) == error == (picture.total is None)


def test_every_part_of_the_state_is_seen_and_presets_change_something():
    states = [
        *({"sentence": b, "position": t} for b in range(2) for t in range(3)),
        *({"shape": shape} for shape in SHAPES[1:]),
        {"padding": 1},
        *Broadcasting.presets.values(),
    ]
    assert (
        len({Broadcasting(**state).frame() for state in states}) == len(states) - 1
    )  # "last token" is among the first
    assert Broadcasting(**Broadcasting.presets["positions first"]).error
    assert "because B = L" in Broadcasting(**Broadcasting.presets["positions first, B = L"]).verdict


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"batch": 0}, ValueError, "batch must lie between 1 and 4, got 0"),
        ({"batch": 5}, ValueError, "batch must lie between 1 and 4, got 5"),
        ({"length": 7}, ValueError, "length must lie between 1 and 6, got 7"),
        ({"d_model": 9}, ValueError, "d_model must lie between 1 and 8, got 9"),
        ({"d_model": 4.0}, TypeError, "d_model must be an integer"),
        ({"length": "3"}, TypeError, "length must be an integer"),
        ({"padding": 3}, ValueError, "padding must lie between 0 and 2, got 3"),
        ({"padding": True}, TypeError, "padding must be an integer"),
        ({"sentence": 2}, ValueError, "sentence must lie between 0 and 1, got 2"),
        ({"position": -1}, ValueError, "position must lie between 0 and 2, got -1"),
        ({"shape": "(L, B, d)"}, ValueError, re.escape("shape must be one of '(1, L, d)', '(L, d)'")),
        ({"shape": (1, 3, 4)}, TypeError, "shape must be one of"),
        ({"tokens": ()}, TypeError, "has no 'tokens'"),
    ],
)
def test_what_is_no_batch_is_refused_and_the_picture_stays(state, error, says):
    picture = Broadcasting()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.state == Broadcasting().state
