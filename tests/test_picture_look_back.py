"""The picture of the head that looks back shows the shares of the formulas, and finds its token wherever one is."""

import math
import random
import re

import numpy as np
import pytest
from picture_states import look_back

from pe_lib import sinusoidal_encoding
from pe_lib.explorers.look_back import explore_look_back
from pe_lib.pictures.look_back import COLOURS, IMAGE, LookBack


def cosines(offset, d_model, base):
    return math.fsum(math.cos(offset * base ** (-2 * i / d_model)) for i in range(d_model // 2))


def shares_by_hand(state):
    """Write the shares out: the softmax of sharpness · g(query - back - key) / √d_model, in plain Python."""
    length, d_model = state["length"], state["d_model"]
    scores = [
        [
            state["sharpness"] * cosines(q - state["back"] - k, d_model, state["base"]) / d_model**0.5
            for k in range(length)
        ]
        for q in range(length)
    ]
    powers = [[math.exp(score - max(row)) for score in row] for row in scores]
    return np.array([[power / math.fsum(row) for power in row] for row in powers])


@pytest.mark.parametrize("seed", range(12))
def test_the_shares_are_those_of_the_formula_wherever_the_tokens_stand(seed):
    state = look_back(random.Random(seed))
    state |= {"base": max(1.0, min(state["base"], 1e6)), "d_model": min(state["d_model"], 64)}
    picture = LookBack(**state)
    error = 1e-8 if state["start"] < 100_000 else 1e-5  # of angles at far positions, times the sharpness
    assert np.allclose(picture.shares, shares_by_hand(state), rtol=0, atol=error)
    assert np.allclose(picture.shares.sum(axis=1), 1)
    assert not picture.shares.flags.writeable


@pytest.mark.parametrize("start", [0, 1000, 1_000_000])
@pytest.mark.parametrize("back", [-3, 0, 1, 8])
def test_every_token_finds_the_one_it_looks_for(back, start):
    picture = LookBack(length=40, back=back, start=start, d_model=64, sharpness=100)
    for token in range(40):
        picture.update(token=token)
        if 0 <= token - back < 40:
            assert picture.peak == picture.wanted == token - back
        else:
            assert picture.wanted is None


def test_the_first_token_gives_most_to_itself_and_with_few_columns_to_the_nearest_look_alike():
    assert LookBack(token=0).peak == 0
    assert LookBack(token=0, d_model=8).peak == 5  # six positions from -1, and PE(5) is nearer to PE(-1) than PE(0) is
    assert LookBack(token=0, d_model=8, length=64).peak == 62
    assert LookBack(token=0, d_model=6).peak == 5
    assert LookBack(token=0, back=-1).peak == 1


def test_equal_shares_have_no_largest():
    picture = LookBack(sharpness=0)
    assert picture.peak is None
    assert np.allclose(picture.shares, 1 / 16)
    picture.pixels()
    assert picture._says.get_text() == "Token 5: no largest share"
    assert len(picture._dots.get_xdata()) == len(picture._point.get_xdata()) == 0
    assert "no single token gets most: token 0 with 0.0625, token 1 with 0.0625" in picture.describe()


@pytest.mark.parametrize("seed", range(12))
def test_the_description_and_the_texts_say_the_numbers_of_the_state(seed):
    state = look_back(random.Random(100 + seed))
    picture = LookBack(**state)
    picture.pixels()
    said, row, pos = picture.describe(), picture.shares[state["token"]], state["start"] + state["token"]
    assert f"Token {state['token']}, at position {pos}, looks for position {pos - state['back']}" in said
    assert ("where no token is" in said) == (picture.wanted is None)
    named = re.findall(r"token (\d+) with (\d\.\d{4})", said)
    assert len(named) == min(3, state["length"])
    for key, number in named:
        assert row[int(key)] == pytest.approx(float(number), abs=0.51e-4)
    assert row.max() == pytest.approx(float(named[0][1]), abs=0.51e-4)
    looked_for = [query - state["back"] for query in range(state["length"])]
    best = picture.shares.max(axis=1)
    alone = (picture.shares > best[:, None] - 1e-9).sum(axis=1) == 1
    right = int(((picture.shares.argmax(axis=1) == looked_for) & alone).sum())
    assert f"In {right} of {state['length']} rows" in said
    listed = [float(x) for x in re.findall(r"\d\.\d{4}", picture._list.get_text() + picture._rest.get_text())]
    assert sum(listed) == pytest.approx(1, abs=2.5e-4)
    if picture.peak is not None:
        assert (
            picture._says.get_text() == f"Token {state['token']} gives {row[picture.peak]:.4f} to token {picture.peak}"
        )


def test_the_image_has_the_colour_of_every_share():
    picture = LookBack(length=16, d_model=8, sharpness=20)
    picture.update(token=9).pixels()
    for artist in (picture._dots, picture._diagonal, picture._frame):
        artist.set_alpha(0)
    pixels = picture.pixels()
    left, top, width, _ = IMAGE
    side = width // 16
    for query, key in [(0, 5), (0, 0), (3, 2), (9, 8), (12, 4), (15, 15)]:
        y, x = top + query * side + side // 2, left + key * side + side // 2
        assert np.array_equal(pixels[y, x], COLOURS[round(picture.shares[query, key] * 255)])


def test_the_frame_the_marks_and_the_bars_stand_where_they_should():
    picture = LookBack(token=7, back=2, length=20)
    picture.pixels()
    assert picture._frame.get_bbox().bounds == (-0.5, 6.5, 20, 1)
    assert picture._point.get_xydata().tolist() == [[5, picture.shares[7, 5]]]
    assert picture._mark.get_xdata()[0] == 5
    tops = [path.vertices[:, 1].max() for path in picture._bars.get_paths()]
    assert np.allclose(tops, picture.shares[7])
    queries, keys = picture._diagonal.get_ydata(), picture._diagonal.get_xdata()
    assert np.allclose(queries - keys, 2)


def test_moving_all_tokens_on_changes_no_share():
    near, far = LookBack(length=30), LookBack(length=30, start=1_000_000)
    assert np.allclose(near.shares, far.shares, rtol=0, atol=1e-8)


def test_it_is_attention_as_written_with_matrices():
    keys = sinusoidal_encoding(16, 64)
    queries = sinusoidal_encoding(16, 64, start=-1)  # PE(pos) turned one back
    powers = np.exp(30 * queries @ keys.T / 8)
    assert np.allclose(LookBack().shares, powers / powers.sum(axis=1, keepdims=True))


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"token": 16}, ValueError, "token must lie between 0 and 15, got 16"),
        ({"length": 1}, ValueError, "length must lie between 2 and 64"),
        ({"length": 5}, ValueError, "token must lie between 0 and 4, got 5"),
        ({"d_model": 7}, ValueError, "d_model must be even, got 7"),
        ({"d_model": 514}, ValueError, "d_model must lie between 2 and 512"),
        ({"back": 21}, ValueError, "back must lie between -20 and 20"),
        ({"back": 0.5}, TypeError, "back must be an integer"),
        ({"sharpness": -1}, ValueError, "sharpness must lie between 0 and 1000"),
        ({"start": 1_000_001}, ValueError, "start must lie between 0 and 1000000"),
        ({"base": 0}, ValueError, "base must be"),
        ({"base": 0.001}, ValueError, "base must be at least 0.01"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture = LookBack()
    before = picture.pixels()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert np.array_equal(picture.pixels(), before)


def test_the_explorer_calls_up_what_its_presets_name():
    explorer = explore_look_back()
    assert explorer.preset("first token").picture.wanted is None
    assert explorer.preset("as in attention").picture.shares[5, 4] < 0.2
    assert explorer.preset("two ahead").picture.peak == 7
    assert explorer.preset("eight columns").picture.state["d_model"] == 8
    assert explorer.preset("far out").picture.state["start"] == 1_000_000
    explorer.reset().controls["length"].value = 3
    assert (explorer.controls["token"].max, explorer.picture.state["token"]) == (2, 2)
