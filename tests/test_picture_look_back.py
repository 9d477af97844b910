"""The picture of the head that looks back shows the shares of the formulas, and finds its token wherever one is."""

import math
import random
import re

import numpy as np
import pytest
from sheets import faults, levels, texts

from pe_lib import sinusoidal_encoding
from pe_lib.pictures.colours import YELLOW, colour_of
from pe_lib.pictures.look_back import ROW, TABLE, LookBack
from pe_lib.pictures.scene import Group, Shape


def some_state(seed):
    choose = random.Random(seed)
    length = choose.choice([2, 3, 11, 16, 33, 64, choose.randint(2, 64)])
    return {
        "token": choose.choice([0, length - 1, choose.randrange(length)]),
        "back": choose.choice([-20, -8, -1, 0, 1, 1, 2, 8, 20]),
        "sharpness": choose.choice([0, 1, 10, 30, 100, 1000]),
        "length": length,
        "d_model": choose.choice([2, 4, 6, 8, 16, 64]),
        "start": choose.choice([0, 1, 10, 99_990, 1_000_000]),
        "base": choose.choice([1.0, 1.0001, 10.0, 10_000.0, 1e6]),
    }


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


def said(picture, hidden="question"):
    return [text.text for text in texts(picture, hidden)]


def held(layer):
    """Return the shapes that a covered picture holds back."""
    groups = [group for group in layer if isinstance(group, Group) and group.kind == "answer"]
    return [part for group in groups for part in group.parts if isinstance(part, Shape)]


def sides(shape):
    box = shape.path.get_extents()
    return [box.x0, box.y0, box.width, box.height]


@pytest.mark.parametrize("seed", range(12))
def test_the_shares_are_those_of_the_formula_wherever_the_tokens_stand(seed):
    picture = LookBack(**(state := some_state(seed)))
    error = 1e-8 if state["start"] < 99_000 else 1e-5  # of angles at far positions, times the sharpness
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


def test_moving_all_tokens_on_changes_no_share():
    near, far = LookBack(length=30), LookBack(length=30, start=1_000_000)
    assert np.allclose(near.shares, far.shares, rtol=0, atol=1e-8)


def test_it_is_attention_as_written_with_matrices():
    keys = sinusoidal_encoding(16, 64)
    queries = sinusoidal_encoding(16, 64, start=-1)  # PE(pos) turned one back
    powers = np.exp(30 * queries @ keys.T / 8)
    assert np.allclose(LookBack().shares, powers / powers.sum(axis=1, keepdims=True))


def test_equal_shares_have_no_largest():
    picture = LookBack(sharpness=0)
    assert picture.peak is None
    assert {"0.0625", "to each of 16"} <= set(said(picture))
    assert "largest share of its row" not in said(picture)
    assert "no single token gets most: token 0 with 0.0625, token 1 with 0.0625" in picture.describe()


@pytest.mark.parametrize("seed", range(12))
def test_the_description_and_the_texts_say_the_numbers_of_the_state(seed):
    picture = LookBack(**(state := some_state(100 + seed)))
    words, row, pos = picture.describe(), picture.shares[state["token"]], state["start"] + state["token"]
    assert f"Token {state['token']}, at position {pos}, looks for position {pos - state['back']}" in words
    assert ("where no token is" in words) == (picture.wanted is None)
    named = re.findall(r"token (\d+) with (\d\.\d{4})", words)
    assert len(named) == min(3, state["length"])
    for key, number in named:
        assert row[int(key)] == pytest.approx(float(number), abs=0.51e-4)
    assert row.max() == pytest.approx(float(named[0][1]), abs=0.51e-4)
    best = picture.shares.max(axis=1)
    alone = (picture.shares > best[:, None] - 1e-9).sum(axis=1) == 1
    looked_for = np.arange(state["length"]) - state["back"]
    right = int(((picture.shares.argmax(axis=1) == looked_for) & alone).sum())
    assert f"In {right} of {state['length']} rows" in words
    assert f"{row.max():.4f}" in said(picture)
    if picture.peak is not None:
        assert f"to token {picture.peak}" in said(picture)
    assert faults(picture) == []


def test_the_table_has_the_colour_of_every_share():
    picture = LookBack(length=16, d_model=8, sharpness=20)
    found = levels(picture.lay(), TABLE, (16, 16))
    assert np.array_equal(found, np.rint(25 * picture.shares))


def test_the_marks_and_the_bars_stand_where_they_should():
    picture, slot = LookBack(token=7, back=2, length=20, sharpness=10), ROW[2] / 20
    bars = [shape for shape in held(picture.move()) if shape.fill.startswith("n")]
    for key, (bar, share) in enumerate(zip(bars, picture.shares[7], strict=True)):
        left, top, wide, high = sides(bar)
        assert left + wide / 2 == pytest.approx(ROW[0] + (key + 0.5) * slot)
        assert (top + high, high) == pytest.approx((ROW[1] + ROW[3], share * ROW[3]))
        assert bar.fill == colour_of(share)
    (band,) = [shape for shape in picture.move() if isinstance(shape, Shape) and shape.fill == YELLOW]
    assert sides(band)[0] == pytest.approx(ROW[0] + 5 * slot)
    frame = next(shape for shape in picture.move() if isinstance(shape, Shape))
    assert sides(frame)[1] + sides(frame)[3] / 2 == pytest.approx(TABLE[1] + 7.5 * TABLE[3] / 20)


@pytest.mark.parametrize("state", [{}, {"token": 0}, {"sharpness": 0}, {"sharpness": 1}, {"length": 64, "token": 40}])
def test_covered_it_says_who_looks_where_and_nothing_of_the_shares(state):
    picture = LookBack(**state)
    seen, words = said(picture, "answer"), picture.describe(covered=True)
    assert not re.search(r"\d\.\d{4}|largest|to token|to each|1/", " ".join(seen))
    assert not re.search(r"\d\.\d{4}|most|largest|rows", words)
    assert "?" in seen
    assert "looks for position" in words
    open_shapes = [part for part in [*picture.lay(), *picture.move()] if isinstance(part, Shape)]
    assert not [part for part in open_shapes if part.fill.startswith("n")]


@pytest.mark.parametrize("state", [{}, {"token": 0}, {"length": 64, "token": 63}, {"length": 2, "token": 1}])
def test_a_click_chooses_the_query_or_where_it_looks(state):
    rows, keys = LookBack(**state).targets()
    length, token = LookBack(**state).state["length"], LookBack(**state).state["token"]
    assert rows.box == TABLE
    assert [LookBack(**{**state, rows.down[0]: row}).state["token"] for row in rows.down[1]] == list(range(length))
    left, _, wide, _ = keys.box
    for k, back in enumerate(keys.across[1]):
        x = left + (k + 0.5) * wide / len(keys.across[1])
        assert LookBack(**{**state, keys.across[0]: back}).wanted == int((x - ROW[0]) / ROW[2] * length)
    assert keys.across[1] == [token - key for key in range(length)]


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"token": 16}, ValueError, "token must lie between 0 and 15, got 16"),
        ({"length": 1}, ValueError, "length must lie between 2 and 64"),
        ({"length": 5}, ValueError, "token must lie between 0 and 4, got 5"),
        ({"d_model": 7}, ValueError, "d_model must be even, got 7"),
        ({"d_model": 514}, ValueError, "d_model must lie between 2 and 512"),
        ({"back": 64}, ValueError, "back must lie between -63 and 63"),
        ({"back": 0.5}, TypeError, "back must be an integer"),
        ({"sharpness": -1}, ValueError, "sharpness must lie between 0 and 1000"),
        ({"start": 1_000_001}, ValueError, "start must lie between 0 and 1000000"),
        ({"base": 0}, ValueError, "base must be"),
        ({"base": 0.001}, ValueError, re.escape("base must be 0.01 or more")),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture = LookBack()
    before = picture.frame()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.frame() == before


def test_presets_show_what_they_are_named_for():
    start = LookBack()
    seen = {name: LookBack(**state) for name, state in LookBack.presets.items()}
    assert start.frame() not in [picture.frame() for picture in seen.values()]
    assert seen["first token"].wanted is None
    assert seen["as in attention"].shares[5, 4] < 0.2
    assert seen["two ahead"].peak == 7
    assert seen["eight columns"].state["d_model"] == 8
    assert seen["far out"].peak == 4
