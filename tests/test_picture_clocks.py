"""The clocks stand where the formula says, show its numbers, and keep the angle of a shift wherever the position is."""

import io
import math
import re

import numpy as np
import pytest
from PIL import Image
from sheets import faults, texts

from pe_lib.pictures.clocks import Clocks, _angle, _cards, _short
from pe_lib.pictures.colours import BLUE, GREEN, GREY, INK, ORANGE, PURPLE
from pe_lib.pictures.picture import round_step
from pe_lib.pictures.scene import SMALL, Shape, width_of

STATES = [
    {},
    {"position": 0},
    {"d_model": 1, "position": 7},
    {"d_model": 4, "position": 100, "offset": 3},
    {"d_model": 5, "base": 1.0, "position": 123, "trail": 64},
    {"d_model": 9, "offset": 44, "trail": 0},
    {"d_model": 16, "base": 100.0, "position": 20, "offset": 6},
    {"d_model": 512, "base": 1e12, "position": 1_000_000, "trail": 64, "offset": 1000},
]
EACH = pytest.mark.parametrize("state", STATES, ids=str)


def shown_pairs(d_model):
    """Return the pairs of a narrow encoding, and 8 evenly spaced ones, ends included, of a wide one."""
    hands = (d_model + 1) // 2
    return list(range(hands)) if hands <= 8 else [round(n * (hands - 1) / 7) for n in range(8)]


def angles_of(picture, position):
    """Return the angles of the hands, written out from the formula."""
    s = picture.state
    return np.array([position / s["base"] ** (2 * i / s["d_model"]) for i in shown_pairs(s["d_model"])])


def strokes(picture, colour, width):
    """Return the moving lines of a colour and a width as points: shape (lines, 2, 2)."""
    found = [e.path.vertices for e in picture.move() if isinstance(e, Shape) and (e.edge, e.width) == (colour, width)]
    return np.concatenate(found).reshape(-1, 2, 2)


def directions(picture, colour, width):
    """Return where lines from the middles of the dials end, in parts of the radius, upward: shape (lines, 2)."""
    lines, cards = strokes(picture, colour, width), _cards(len(picture.pairs))
    assert np.allclose(lines[:, 0], cards.centres[: len(lines)])
    return (lines[:, 1] - lines[:, 0]) / cards.radius * [1, -1]


@EACH
def test_the_description_says_the_numbers_of_the_formula(state):
    picture = Clocks(**state)
    s, said = picture.state, picture.describe()
    hands = (s["d_model"] + 1) // 2
    assert said.startswith(f"{min(hands, 8)} of {hands} clock hands at position {s['position']}, one for each pair")
    assert f"as dots: {min(s['trail'], s['position'])}." in said
    assert (f"Dashed hands at position {s['position'] + s['offset']} " in said) == (s["offset"] > 0)
    found = re.findall(r"(\d+) \(([^)]+)\): sin (-?\d\.\d{4}), (?:cos (-?\d\.\d{4})|its cosine in no column)", said)
    assert [int(pair) for pair, *_ in found] == shown_pairs(s["d_model"])
    steps, turned = angles_of(picture, 1), angles_of(picture, s["position"])
    for (_, length, sine, cosine), here, step in zip(found, turned, steps, strict=True):
        assert float(length.replace(",", "")) == pytest.approx(2 * math.pi / step, rel=0.051)
        assert float(sine) == pytest.approx(math.sin(here), abs=0.51e-4)
        assert not cosine or float(cosine) == pytest.approx(math.cos(here), abs=0.51e-4)
    assert [bool(cosine) for *_, cosine in found] == [2 * i + 1 < s["d_model"] for i in shown_pairs(s["d_model"])]
    assert len(said) < 900


@EACH
def test_hands_and_shadows_stand_where_the_formula_says(state):
    picture = Clocks(**state)
    angles = angles_of(picture, picture.state["position"])
    tips = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    assert directions(picture, INK, 4.5) == pytest.approx(tips, abs=1e-8)
    assert directions(picture, BLUE, 8) == pytest.approx(tips * [0, 1], abs=1e-8)
    cosines = picture.state["d_model"] // 2 if len(tips) < 8 else np.sum(picture.columns % 2)
    assert directions(picture, GREEN, 8) == pytest.approx(tips[:cosines] * [1, 0], abs=1e-8)


@EACH
def test_the_boxes_hold_the_numbers_of_their_columns(state):
    picture = Clocks(**state)
    s = picture.state
    columns = [j for i in shown_pairs(s["d_model"]) for j in (2 * i, 2 * i + 1) if j < s["d_model"]]
    angles = np.repeat(angles_of(picture, s["position"]), 2)[: len(columns)]
    values = [(math.cos if j % 2 else math.sin)(angle) for j, angle in zip(columns, angles, strict=True)]
    assert picture.numbers == pytest.approx(values, abs=1e-8)
    seen = texts(picture)
    numbers = [text.text for text in seen if re.fullmatch(r"-?[01]\.\d{4}", text.text)]
    assert numbers == [f"{round(x, 4) + 0.0:.4f}" for x in values]
    names = [text.text for text in seen if re.fullmatch(r"\d+ (sin|cos)", text.text)]
    assert names == [f"{j} {'cos' if j % 2 else 'sin'}" for j in columns]
    assert [text.text for text in seen].count("no cos") == s["d_model"] % 2


@EACH
def test_what_is_covered_is_nowhere_to_be_read(state):
    picture = Clocks(**state)
    assert not [t.text for t in texts(picture, "answer") if re.search(r"\d\.\d{4}$", t.text)]
    assert [t.text for t in texts(picture, "answer")].count("?") == len(picture.numbers)
    assert not re.search(r"(sin|cos) -?\d", picture.describe(covered=True))


@EACH
def test_everything_can_be_read(state):
    assert faults(Clocks(**state)) == []


def test_the_number_of_the_second_note():
    assert Clocks(position=2, d_model=4).numbers.round(4).tolist() == [0.9093, -0.4161, 0.02, 0.9998]


@pytest.mark.parametrize(("position", "trail", "dots"), [(0, 12, 0), (5, 12, 5), (50, 12, 12), (100, 64, 64)])
def test_dots_stand_where_the_tips_were_and_the_newest_is_the_largest(position, trail, dots):
    picture = Clocks(position=position, trail=trail)
    lines = [e for e in picture.move() if isinstance(e, Shape) and e.edge == GREY and e.cap == "round"]
    widths = [line.width for line in lines]
    assert widths == sorted(set(widths))
    middles = np.concatenate([np.empty((0, 2)), *[e.path.vertices.reshape(-1, 2, 2).mean(axis=1) for e in lines]])
    cards, earlier = _cards(4), range(position - dots, position)
    angles = np.array([angles_of(picture, pos) for pos in earlier]).reshape(-1, 4)
    tips = cards.centres + cards.radius * np.stack([np.cos(angles), -np.sin(angles)], axis=-1)
    assert np.allclose(middles.reshape(-1, 4, 2), tips)


@pytest.mark.parametrize("position", [0, 17, 4321])
@pytest.mark.parametrize("offset", [3, 1000])
def test_the_arc_of_a_shift_is_as_wide_wherever_the_position_is(position, offset):
    picture = Clocks(position=position, offset=offset)
    ahead = angles_of(picture, position + offset)
    hands = strokes(picture, PURPLE, 3)[1:]  # the first stands in the heading
    assert np.allclose(hands[:, 0], _cards(4).centres)
    towards = (hands[:, 1] - hands[:, 0]) * [1, -1]
    assert np.allclose(towards / np.hypot(*towards.T)[:, np.newaxis], np.stack([np.cos(ahead), np.sin(ahead)], axis=-1))
    sectors = [
        e.path.vertices for e in picture.move() if isinstance(e, Shape) and e.edge == PURPLE and e.fill == "yellow"
    ]
    for i, (sector, centre) in enumerate(zip(sectors, _cards(4).centres, strict=True)):
        across, down = (sector[:31] - centre).T
        seen = np.unwrap(np.arctan2(-down, across))
        assert seen[-1] - seen[0] == pytest.approx(angles_of(picture, offset)[i] % (2 * math.pi), abs=1e-9)
    said = [t.text for t in texts(picture) if t.text.startswith("+ ")]
    assert said == [f"+ {_angle(angle)}" for angle in angles_of(picture, offset)]
    assert f"pos {position + offset}" in [t.text for t in texts(picture)]


def test_what_stands_over_the_dials():
    said = [text.text for text in texts(Clocks())]
    assert [w for w in said if w.endswith("/step")] == ["57.3°/step", "5.73°/step", "0.573°/step", "0.0573°/step"]
    assert {"pos 5", "6.3", "62.8", "628.3", "6,283.2"} <= set(said)
    assert "8 of 256 pairs" in [text.text for text in texts(Clocks(d_model=512))]
    assert not any("pos " in word and word != "pos 5" for word in said)


@EACH
def test_the_numbers_of_the_rim_stand_where_the_hand_is_and_a_click_goes_there(state):
    picture = Clocks(**state)
    rim, (corners, *_, centres, _, _, _) = list(picture._rim()), _cards(len(picture.pairs))
    assert len(rim) >= 3 * len(centres)
    for position, place in rim:
        near = int(np.argmin(np.hypot(*(centres - place).T)))
        across, down = np.array(place) - centres[near]
        assert place[0] - width_of(_short(position), SMALL) / 2 > corners[near, 0]
        assert math.cos(math.atan2(-down, across) - angles_of(picture, position)[near]) == pytest.approx(1, abs=1e-6)
    allowed = [(position, place) for position, place in rim if position <= 1_000_000]
    for target, (position, (x, y)) in zip(picture.targets(), allowed, strict=True):
        left, top, wide, high = target.box
        assert (left + wide / 2, top + high / 2) == pytest.approx((x, y))
        assert Clocks(**state).update(**target.sets).state["position"] == position


def test_a_clock_tells_the_position_within_its_turn():
    assert [round_step(x) for x in (0.8, 1.1, 3, 7.9, 10, 78.5, 125)] == [1, 2, 5, 10, 10, 100, 200]
    assert [_short(x) for x in (0, 5, 60, 500, 1000, 1500, 200_000, 2e6, 1.5e9, 5e12)] == [
        *("0", "5", "60", "500", "1k", "1.5k", "200k", "2M", "1.5G", "5T")
    ]


@pytest.mark.parametrize(
    ("radians", "said"),
    [(0, "0°"), (1, "57.3°"), (3, "171.9°"), (0.1, "5.73°"), (7, "1 turn 41.1°"), (1000, "159 turns 56°")],
)
def test_angles_are_said_in_turns_and_degrees(radians, said):
    assert _angle(radians) == said


def test_presets_change_what_is_seen_and_say_what():
    frames = {Clocks(**state).frame() for state in ({}, *Clocks.presets.values())}
    assert len(frames) == 1 + len(Clocks.presets)
    nearly = Clocks(**Clocks.presets["nearly one turn"])
    assert math.degrees(angles_of(nearly, nearly.state["position"])[0]) == pytest.approx(343.8, abs=0.05)
    assert len(Clocks(**Clocks.presets["8 hands"]).pairs) == 8


def test_every_field_is_seen_and_what_moves_leaves_the_background():
    picture = Clocks()
    first = picture.frame()
    for state in ({"position": 6}, {"trail": 3}):
        moved = Clocks().update(**state).frame()
        assert moved.background == first.background
        assert moved.moving != first.moving
    for state in ({"d_model": 7}, {"base": 1000.0}, {"offset": 3}):
        assert Clocks(**state).frame().background != first.background
    assert Clocks(offset=3).update(offset=0).frame() == first
    assert any(e.fill == ORANGE for e in picture.move() if isinstance(e, Shape))


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"d_model": 0}, ValueError, "d_model must lie between 1 and 512, got 0"),
        ({"d_model": 513}, ValueError, "d_model must lie between 1 and 512, got 513"),
        ({"d_model": 8.0}, TypeError, "d_model must be an integer, got 8.0"),
        ({"position": -1}, ValueError, "position must lie between 0 and 1000000, got -1"),
        ({"position": 1_000_001}, ValueError, "position must lie between 0 and 1000000"),
        ({"position": True}, TypeError, "position must be an integer, got True"),
        ({"trail": 65}, ValueError, "trail must lie between 0 and 64, got 65"),
        ({"offset": 1001}, ValueError, "offset must lie between 0 and 1000, got 1001"),
        ({"base": 0.5}, ValueError, "base must be 1 or more to be drawn, got 0.5"),
        ({"base": 1e13}, ValueError, r"base must be at most 1e\+12 to be drawn"),
        ({"base": "10"}, TypeError, "base must be a number"),
        ({"base": float("nan")}, ValueError, "base must be a finite number"),
        ({"tokens": "I like"}, TypeError, "has no 'tokens'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture = Clocks()
    before = dict(picture.state)
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.state == before


def test_numbers_of_numpy_are_taken_as_they_are():
    assert Clocks(position=np.int64(5), base=np.float32(10_000)).frame() == Clocks().frame()


def test_a_stored_picture_shows_the_earlier_positions_as_dots():
    picture = Clocks(position=5)
    pixels = np.asarray(Image.open(io.BytesIO(picture.png())).convert("L")).astype(int)
    for pos in range(1, 5):
        (x, *_), (y, *_) = _cards(len(picture.pairs)).at(np.array(angles_of(picture, pos)))
        x, y = round(2 * x), round(2 * y)
        assert (pixels[y - 3 : y + 4, x - 3 : x + 4] < 130).sum() > 20, pos
