"""The picture of the scores shows what the formulas of each relative give, in the map, in the row and as a number."""

import math
import random
import re

import numpy as np
import pytest
from picture_states import STATES
from sheets import faults, levels, texts

from pe_lib import attention_scores, rotate, sinusoidal_encoding, t5_buckets
from pe_lib.pictures.colours import GREY
from pe_lib.pictures.scene import Group, Shape
from pe_lib.pictures.scores import CURVE, RELATIVES, STRETCHED, TABLE, Scores


def some_state(seed):
    return STATES[Scores](random.Random(seed))


def said(picture, hidden="question"):
    return [text.text for text in texts(picture, hidden)]


def held(layer):
    """Return the shapes that a covered picture holds back."""
    groups = [group for group in layer if isinstance(group, Group) and group.kind == "answer"]
    return [part for group in groups for part in group.parts if isinstance(part, Shape)]


def query_and_key(head, d_model):
    return np.random.default_rng(head).normal(size=(2, d_model))


def test_rope_is_the_product_of_two_turned_rows():
    q, k = query_and_key(3, 8)
    picture = Scores(head=3, d_model=8, query=5, key=2, base=10_000)
    by_hand = rotate(q[np.newaxis], [5]) @ rotate(k[np.newaxis], [2]).T / math.sqrt(8)
    assert picture.score == pytest.approx(by_hand.item())
    assert f"{picture.score:.3f}".replace("-", "−") in said(picture)


def test_sinusoids_are_added_to_both():
    (q, k), encoding = query_and_key(0, 32), sinusoidal_encoding(32, 32)
    scores = (q + encoding) @ (k + encoding).T / math.sqrt(32)
    assert np.allclose(Scores("sinusoidal").scores, scores)
    alone = Scores("sinusoidal", content="zero")
    assert np.allclose(alone.scores, encoding @ encoding.T / math.sqrt(32))
    assert np.allclose(alone.scores, Scores(content="1, 0, 1, 0, …").scores)  # turned (1, 0, …) are the encoding


@pytest.mark.parametrize("head", range(8))
def test_alibi_takes_its_slope_for_every_place(head):
    picture = Scores("ALiBi", content="zero", head=head, query=20, key=12)
    assert picture.score == -8 / 2 ** (head + 1)
    assert f"q · k / √h − {2.0 ** -(head + 1):.4g} · distance" in said(picture)


def test_t5_has_one_number_for_all_offsets_of_a_bucket():
    picture = Scores("T5", content="zero", length=200, query=199, key=0)
    row, buckets = picture.scores[100], t5_buckets(np.arange(200) - 100)
    for bucket in np.unique(buckets):
        assert np.ptp(row[buckets == bucket]) == 0
    assert len(np.unique(row)) == len(np.unique(buckets))


def test_without_an_encoding_all_scores_are_equal():
    picture = Scores("none")
    assert np.ptp(picture.scores) < 1e-12
    assert picture.alike
    assert np.all(levels(picture.lay(), TABLE, picture.scores.shape) == 0)


def test_interpolated_by_four_position_eight_turns_as_two():
    near, far = Scores(query=5, key=3), Scores("RoPE, interpolated", scale=4, query=20, key=12)
    assert far.score == pytest.approx(near.score)
    plain = Scores(query=20, key=12)
    for relative in STRETCHED[:2]:
        assert np.allclose(Scores(relative, scale=1).scores, plain.scores)
        assert not np.allclose(Scores(relative, scale=4).scores, plain.scores)
    yarn = Scores("RoPE, YaRN", scale=4, length=64, content="1, 0, 1, 0, …")
    assert yarn.scores[0, 0] == pytest.approx(16 / math.sqrt(32) * (0.1 * math.log(4) + 1) ** 2)


@pytest.mark.parametrize(("relative", "alike"), [(name, name not in ("sinusoidal", "learned")) for name in RELATIVES])
@pytest.mark.parametrize("causal", [False, True])
def test_one_curve_for_all_queries_where_the_offset_decides(relative, alike, causal):
    picture = Scores(relative, causal=causal)
    assert picture.alike is alike
    assert ("one curve for all queries" in said(picture)) is alike
    offsets = np.subtract.outer(np.arange(32), np.arange(32))
    spread = max(np.ptp(picture.scores[offsets == k]) for k in range(0 if causal else -31, 32))
    assert bool(spread < 1e-9) is alike


@pytest.mark.parametrize("relative", RELATIVES)
def test_a_causal_head_sees_no_key_to_the_right(relative):
    picture = Scores(relative, causal=True, query=3, key=4)
    assert np.array_equal(np.isinf(picture.scores), np.triu(np.ones((32, 32), bool), 1))
    assert {"−∞", "masked"} <= set(said(picture))
    assert faults(picture) == []


@pytest.mark.parametrize("seed", range(16))
def test_the_words_and_texts_say_the_numbers_of_the_state(seed):
    picture = Scores(**(state := some_state(seed)))
    number = f"{round(picture.score, 3) + 0.0:.3f}".replace("-", "−") if np.isfinite(picture.score) else "−∞"
    words = picture.describe()
    offset = state["key"] - state["query"]
    assert f"Query {state['query']} with key {state['key']}, offset {offset}: {number}." in words
    assert number in said(picture)
    for key, near in re.findall(r"key (\d+): (−?\d+\.\d{3})", words):
        assert picture.scores[state["query"], int(key)] == pytest.approx(float(near.replace("−", "-")), abs=0.51e-3)
    assert faults(picture) == []


def test_the_map_is_red_above_its_mean_and_blue_below():
    picture = Scores(length=16, query=3, key=2)
    found, beyond = levels(picture.lay(), TABLE, (16, 16)), picture.scores - picture.scores.mean()
    assert abs(found).max() == 25
    assert np.all(found * beyond >= 0)


def test_the_curve_stands_over_the_offset():
    picture = Scores(query=7, key=3, length=20)
    _, pane = picture._panes()
    assert pane.box == CURVE
    (blue,) = [shape for shape in held(picture.move()) if shape.edge == "blue"]
    for key, (x, y) in enumerate(blue.path.vertices):
        assert (x, y) == pytest.approx((pane.x(key - 7), pane.y(picture.scores[7, key])))
    grey = [shape for shape in held(picture.lay()) if shape.edge == GREY and len(shape.path.vertices) == 20]
    assert len(grey) == 17


@pytest.mark.parametrize("state", [{}, {"relative": "sinusoidal"}, {"relative": "ALiBi", "causal": True, "key": 30}])
def test_covered_it_says_where_it_looks_and_no_score(state):
    picture = Scores(**state)
    seen, words = said(picture, "answer"), picture.describe(covered=True)
    assert not re.search(r"\d\.\d{3}|∞|own|queries$", " ".join(seen).replace("one curve for all queries?", ""))
    assert not re.search(r"\d\.\d{3}|∞|curve|key 21", words)
    assert seen.count("?") == 2
    open_shapes = [part for part in [*picture.lay(), *picture.move()] if isinstance(part, Shape)]
    assert not [part for part in open_shapes if part.fill.startswith("n") or part.edge == "blue"]


@pytest.mark.parametrize("state", [{}, {"causal": True}, {"length": 5, "query": 4, "key": 0}, {"query": 0}])
def test_a_click_chooses_the_cell_or_the_offset(state):
    picture = Scores(**state)
    table, curve = picture.targets()
    n = picture.state["length"]
    assert table.box == TABLE
    assert [(name, [*values]) for name, values in (table.across, table.down)] == [
        ("key", [*range(n)]),
        ("query", [*range(n)]),
    ]
    _, pane = picture._panes()
    left, _, wide, _ = curve.box
    for k, key in enumerate(curve.across[1]):
        x = left + (k + 0.5) * wide / len(curve.across[1])
        assert x == pytest.approx(pane.x(key - picture.state["query"]))
        assert np.isfinite(Scores(**{**state, "key": key}).score)


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"relative": "rope"}, ValueError, "relative must be one of 'none', 'sinusoidal'"),
        ({"relative": 3}, TypeError, "relative must be one of"),
        ({"content": "words"}, ValueError, "content must be one of"),
        ({"head": 8}, ValueError, "head must lie between 0 and 7, got 8"),
        ({"d_model": 2}, ValueError, "d_model must lie between 4 and 512, got 2"),
        ({"d_model": 7}, ValueError, "d_model must be even, got 7"),
        ({"length": 1}, ValueError, "length must lie between 2 and 512, got 1"),
        ({"length": 12}, ValueError, "query must lie between 0 and 11, got 20"),
        ({"key": 32}, ValueError, "key must lie between 0 and 31, got 32"),
        ({"base": 0.001}, ValueError, "base must be 0.01 or more"),
        ({"scale": 0.5}, ValueError, "scale must be 1 or more"),
        ({"scale": 65}, ValueError, "scale must be at most 64"),
        ({"causal": 1}, TypeError, "causal must be True or False"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture = Scores()
    before = picture.frame()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.frame() == before


def test_presets_show_what_they_are_named_for():
    start = Scores().frame()
    seen = {name: Scores(**state) for name, state in Scores.presets.items()}
    assert start not in [picture.frame() for picture in seen.values()]
    assert not seen["sinusoids and words"].alike
    assert seen["sinusoids alone"].alike
    assert seen["ALiBi"].score == -4
    assert len(np.unique(seen["T5's stairs"].scores.round(9))) == 31  # every bucket but the one that stays empty
    table = attention_scores("RoPE", *query_and_key(0, 32), 256)
    assert np.allclose(seen["RoPE, 256 places"].scores, table)
    assert np.allclose(seen["RoPE, stretched"].scores[::4, ::4], table[:64, :64])
