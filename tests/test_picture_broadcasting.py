"""The picture of broadcasting adds as NumPy does, shows which row lands on which token, and says so truly."""

import itertools
import math
import random
import re

import numpy as np
import pytest
from picture_states import broadcasting

from pe_lib import TWO_SENTENCES, add_positional_encoding
from pe_lib.explorers.broadcasting import explore_broadcasting
from pe_lib.pictures.broadcasting import SHAPES, Broadcasting

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


def said(picture):
    """Return all texts that can be read on the picture."""
    picture.pixels()
    return [text.get_text() for text in picture.figure.findobj(lambda a: hasattr(a, "get_text")) if text.get_text()]


def test_the_first_state_is_the_worked_example():
    picture = Broadcasting()
    assert np.array_equal(picture.embeddings, TWO_SENTENCES.embeddings)
    assert np.array_equal(picture.total, TWO_SENTENCES.encoded)
    assert picture.encoding.shape == (1, 3, 4)


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
def test_the_title_says_right_exactly_where_the_library_adds_the_same(padding):
    for picture in in_every_shape(padding):
        right = add_positional_encoding(picture.embeddings, mask=picture.mask)
        none = picture.total is None
        same = not none and picture.total.shape == right.shape and np.allclose(picture.total, right)
        title = picture.describe().split(". ")[0]
        assert title.startswith("Every token gets the row of its position") == same, picture.state
        assert title.startswith("Error") == none, picture.state
        assert title.startswith("No error") == (not none and not same), picture.state
        assert ("because B = L" in title) <= (picture.state["batch"] == picture.state["length"]), picture.state


def test_the_rules_say_error_exactly_where_numpy_does():
    for picture in in_every_shape():
        x, pe = picture.embeddings.shape, picture.encoding.shape
        try:
            np.broadcast_shapes(x, pe)
            error = False
        except ValueError:
            error = True
        pairs = list(zip(x, (1,) * (3 - len(pe)) + pe, strict=True))
        expected = ["equal" if n == m else "1 is\nstretched" if 1 in (n, m) else "differ:\nerror" for n, m in pairs]
        assert picture._verdicts() == expected
        assert ("differ:\nerror" in expected) == error == (picture.total is None)


def test_the_code_shown_makes_the_encoding_shown():
    table = np.array([encoded(pos, 4) for pos in range(10)])
    picture = Broadcasting()
    for (batch, length), shape in itertools.product([(2, 3), (4, 6)], SHAPES):
        picture.update(batch=batch, length=length, shape=shape)
        code = re.search(r"made as (table\[[^]]*\])\.", picture.describe())[1]
        made = eval(code, {"table": table})
        assert made.shape == picture.encoding.shape
        np.testing.assert_allclose(made, picture.encoding, atol=1e-12)
        assert f"PE = {code}" in said(picture)


@SEEDS
def test_the_numbers_of_the_chosen_token_are_those_of_the_formula(seed):
    state = broadcasting(random.Random(seed))
    picture = Broadcasting(**state)
    b, t, d = state["sentence"], state["position"], state["d_model"]
    picture.pixels()
    x, row, total = ([float(n) for n in text.get_text().split()] for text in picture._terms)
    padded = b == state["batch"] - 1 and t >= state["length"] - state["padding"]
    embedding = [0.0 if padded else b + (t * d + j + 1) / 10 for j in range(d)][:4]
    np.testing.assert_allclose(x, embedding, atol=0.50001e-4)
    if picture.total is None:
        assert row == total == []
    else:
        landed = [0.0] * d if padded else encoded(position_that_lands(state["shape"], b, t, state["length"]), d)
        np.testing.assert_allclose(row, landed[:4], atol=0.50001e-4)
        np.testing.assert_allclose(total, np.add(embedding, landed[:4]), atol=0.50001e-4)
    numbers = ", ".join(f"{n:.4f}" for n in x)
    assert f"x[{b}, {t}] ({numbers})" in picture.describe()
    assert not any(re.search(r"-0\.0*(?!\d)", text) for text in said(picture))


@SEEDS
def test_the_description_says_shapes_verdicts_and_error(seed):
    picture = Broadcasting(**broadcasting(random.Random(seed)))
    words = picture.describe()
    assert len(words) < 900
    assert f"x of shape {picture.embeddings.shape} plus PE of shape {picture.encoding.shape}" in words
    if picture.total is None:
        assert f"NumPy says: {picture.error}" in words
        assert any(picture.error in text.replace("\n", " ") for text in said(picture))
    else:
        assert f"The sum has shape {picture.total.shape}" in words


def test_the_index_of_a_stretched_axis_is_nought():
    def added(shape, batch=3):
        words = Broadcasting(shape=shape, batch=batch, sentence=batch - 1, position=1).describe()
        return re.search(r"PE\[([\d, ]+)\] \(", words)[1]

    assert added("(1, L, d)") == "0, 1"
    assert added("(L, d)") == "1"
    assert added("(L, 1, d)") == added("(B, 1, d)") == "2, 0"
    assert added("(B, 1, d)", batch=1) == "0, 0"


def test_every_sentence_has_a_mask_of_its_own():
    picture = Broadcasting(batch=3, length=4, padding=3)
    assert picture.mask.tolist() == [[1, 1, 1, 1], [1, 1, 1, 1], [1, 0, 0, 0]]
    assert (picture.total[2, 1:] == 0).all()
    assert not np.signbit(picture.total[2, 1:]).any()
    assert np.array_equal(picture.total, add_positional_encoding(picture.embeddings, mask=picture.mask))
    assert said(picture).count("pad") == 9  # three rows in each of the three blocks


@pytest.mark.parametrize(
    ("state", "crossed", "tags"),
    [
        ({}, 0, "012 012"),
        ({"shape": "(L, 1, d)", "batch": 3}, 6, "000 111 222"),
        ({"shape": "(B, 1, d)"}, 4, "000 111"),
        ({"shape": "(L, 1, d)", "batch": 1}, 6, "000 111 222"),
    ],
)
def test_tags_name_the_row_that_lands_and_crosses_stand_at_the_wrong_ones(state, crossed, tags):
    picture = Broadcasting(**state)
    shown = [text for text in said(picture) if re.fullmatch(r"pos \d", text)]
    assert shown == [f"pos {pos}" for pos in tags.replace(" ", "")] * 2  # of the encoding, then of the sum
    assert len(picture._crosses.get_xdata()) == crossed


def test_the_cells_of_the_worked_example_hold_its_numbers():
    texts = [text for text in said(Broadcasting()) if re.fullmatch(r"-?\d\.\d\d", text)]
    blocks = TWO_SENTENCES.embeddings, np.broadcast_to(TWO_SENTENCES.encoding, (2, 3, 4)), TWO_SENTENCES.encoded
    assert texts == [f"{number:.2f}" for block in blocks for number in block.flat]


def test_solid_frames_hold_what_is_stored_and_dashed_ones_what_is_used_again():
    picture = Broadcasting()
    picture.pixels()
    stretched = 1  # the 1 in the shape of the encoding is in a dashed frame too
    assert (len(picture._solid.get_paths()), len(picture._dashed.get_paths())) == (2 + 1 + 2, 1 + stretched)
    fills = picture._fills.get_facecolor()[:, :3].sum(axis=1)[
        6:18
    ]  # of rows and tags of the encoding, after those of x
    assert (fills[6:] > fills[:6] + 0.1).all(), "what is used again is paler"
    picture.update(shape="(B, 1, d)").pixels()
    assert (len(picture._solid.get_paths()), len(picture._dashed.get_paths())) == (2 + 2 + 2, 2 + stretched)


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"batch": 0}, ValueError, "batch must lie between 1 and 4, got 0"),
        ({"batch": 5}, ValueError, "batch must lie between 1 and 4, got 5"),
        ({"length": 7}, ValueError, "length must lie between 1 and 6, got 7"),
        ({"length": 10**9}, ValueError, "length must lie between 1 and 6"),
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


def test_every_token_and_every_shape_has_a_picture_of_its_own():
    picture = Broadcasting()
    tokens = [{"sentence": b, "position": t} for b in range(2) for t in range(3)]
    shapes = [{"sentence": 0, "position": 1, "shape": shape} for shape in SHAPES[1:]]
    states = [*tokens, *shapes, {"shape": "(1, L, d)", "padding": 1}]
    assert len({picture.update(**state).pixels().tobytes() for state in states}) == len(states)


def test_presets_show_what_their_names_say_and_sliders_keep_to_the_sizes():
    explorer = explore_broadcasting(batch=4, length=6, sentence=3, position=5, padding=5)
    explorer.controls["batch"].value = 1
    explorer.controls["length"].value = 2
    state = explorer.picture.state
    assert (explorer.message, state["sentence"], state["position"], state["padding"]) == ("", 0, 1, 1)
    titles = {name: explorer.preset(name).picture.describe().split(".")[0] for name in explorer.presets}
    assert not explorer.message
    assert titles == {
        "worked example": "Every token gets the row of its position, in every sentence",
        "error": "Error: 2 and 3 differ, and neither is 1",
        "silent mistake": "No error, because B = L, and wrong: every token of a sentence gets the same row",
        "never an error": "No error, and wrong: every token of a sentence gets the same row",
        "padding": "Every token gets the row of its position, and padding gets none",
    }
