"""The clocks stand where the formula says, show its numbers, and keep the angle of a shift wherever the position is."""

import math
import random
import re

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from picture_states import clocks

from pe_lib.explorers.clocks import explore_clocks
from pe_lib.pictures.clocks import UNUSED, Clocks, _angle, _round_step, _short
from pe_lib.pictures.lettering import outline, rounded
from pe_lib.pictures.picture import GREEN


def shown_pairs(d_model):
    """Return the pairs of a narrow encoding, and 8 evenly spaced ones, ends included, of a wide one."""
    hands = (d_model + 1) // 2
    return list(range(hands)) if hands <= 8 else [round(n * (hands - 1) / 7) for n in range(8)]


def angle(picture, pair, position):
    """Return the angle of a hand, written out from the formula."""
    s = picture.state
    return position / s["base"] ** (2 * pair / s["d_model"])


def directions(picture, lines):
    """Return where lines from the middles of the dials end, as parts of the dials' radius: shape (hands, 2)."""
    segments = np.array([segment[:2] for segment in lines.get_segments()])
    assert np.array_equal(segments[:, 0], picture._centres)
    return (segments[:, 1] - segments[:, 0]) / picture._radius


def drawn(**state):
    picture = Clocks(**state)
    picture.pixels()
    return picture


def words(picture):
    """Return what is written, in the order in which it was written."""
    return [text.get_text() for text in picture._axes.texts]


@pytest.mark.parametrize("seed", range(30))
def test_the_description_says_the_numbers_of_the_formula(seed):
    picture = Clocks(**clocks(random.Random(seed)))
    s, said = picture.state, picture.describe()
    hands = (s["d_model"] + 1) // 2
    assert said.startswith(f"Clock hands at position {s['position']}: {hands} hand{'s' if hands > 1 else ''}, ")
    assert (f"{min(hands, 8)} of the hands shown" in said) == (hands > 8)
    assert f"Dots on the rim: {min(s['trail'], s['position'])} earlier position" in said
    assert (f"Dashed hands at position {s['position'] + s['offset']} " in said) == (s["offset"] > 0)
    found = re.findall(r"(\d+) \(([^)]+)\): sin (-?\d\.\d{4}), (?:cos (-?\d\.\d{4})|its cosine in no column)", said)
    assert [int(pair) for pair, *_ in found] == shown_pairs(s["d_model"])
    for pair, length, sine, cosine in found:
        here = angle(picture, int(pair), s["position"])
        expected = 2 * math.pi * s["base"] ** (2 * int(pair) / s["d_model"])
        assert float(length.replace(",", "")) == pytest.approx(expected, rel=0.051)
        assert float(sine) == pytest.approx(math.sin(here), abs=0.51e-4)
        assert bool(cosine) == (2 * int(pair) + 1 < s["d_model"])
        assert not cosine or float(cosine) == pytest.approx(math.cos(here), abs=0.51e-4)
    assert len(said) < 900


def test_the_longest_description_is_short_enough_to_be_listened_to():
    for base in (1.0, 10.0, 10_000.0, 99_999.0, 1e12):
        for d_model in (16, 511, 512):
            said = Clocks(d_model=d_model, base=base, position=1_000_000, trail=64, offset=1000).describe()
            assert len(said) < 900


@pytest.mark.parametrize("seed", range(8))
def test_hands_and_shadows_stand_where_the_formula_says(seed):
    picture = drawn(**clocks(random.Random(seed)))
    angles = np.array([angle(picture, i, picture.state["position"]) for i in shown_pairs(picture.state["d_model"])])
    tips = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    assert directions(picture, picture._hands) == pytest.approx(tips, abs=1e-8)
    assert directions(picture, picture._sines) == pytest.approx(tips * [0, 1], abs=1e-8)
    assert directions(picture, picture._cosines) == pytest.approx(tips * [1, 0], abs=1e-8)
    assert np.stack(picture._tips.get_data(), axis=-1) == pytest.approx(
        picture._centres + picture._radius * tips, abs=1e-6
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_boxes_hold_the_numbers_of_their_columns(seed):
    picture = drawn(**clocks(random.Random(seed)))
    s = picture.state
    columns = [j for i in shown_pairs(s["d_model"]) for j in (2 * i, 2 * i + 1) if j < s["d_model"]]
    assert [word for word in words(picture) if word.startswith("j = ")] == [f"j = {j}" for j in columns]
    expected = [(math.cos if j % 2 else math.sin)(angle(picture, j // 2, s["position"])) for j in columns]
    assert picture.numbers == pytest.approx(expected, abs=1e-8)
    outlines = picture._readings.get_paths()
    assert len(outlines) == len(columns)
    for drawn_number, number in zip(outlines, expected, strict=True):
        assert np.array_equal(drawn_number.vertices, outline(f"{round(number, 4) + 0.0:.4f}", "bold").vertices)
    for box, middle in zip(picture._cells.get_paths(), picture._readings.get_offsets(), strict=True):
        assert box.get_extents().contains(*middle)


def test_the_number_of_the_second_note():
    assert [rounded(x) for x in Clocks(position=2, d_model=4).numbers] == ["0.9093", "-0.4161", "0.0200", "0.9998"]


@pytest.mark.parametrize("d_model", [1, 3, 9, 511])
def test_an_odd_width_ends_with_a_sine_whose_cosine_is_pale_and_in_no_column(d_model):
    picture = drawn(d_model=d_model)
    assert words(picture).count("in no column") == 1
    *others, last = picture._cosines.get_colors()
    assert tuple(last) == to_rgba(UNUSED)
    assert all(tuple(colour) == to_rgba(GREEN) for colour in others)
    assert picture.columns[-1] == d_model - 1
    even = picture.update(d_model=d_model + 1)
    even.pixels()
    assert "in no column" not in words(even)
    assert all(tuple(colour) == to_rgba(GREEN) for colour in even._cosines.get_colors())
    assert not even._no_column.get_paths()


@pytest.mark.parametrize(
    ("position", "trail", "dots"), [(0, 12, 0), (5, 12, 5), (50, 12, 12), (50, 0, 0), (100, 64, 64)]
)
def test_dots_stand_where_the_tips_were_and_fade(position, trail, dots):
    picture = drawn(position=position, trail=trail)
    offsets = np.asarray(picture._trail.get_offsets()).reshape(dots, 4, 2)
    for offset, earlier in zip(offsets, range(position - dots, position), strict=True):
        angles = np.array([angle(picture, i, earlier) for i in range(4)])
        expected = picture._centres + picture._radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        assert offset == pytest.approx(expected)
    shades = picture._trail.get_facecolor()[:, 0].reshape(dots, 4) if dots else np.empty((0, 4))
    assert (np.diff(shades, axis=0) < 0).all(), "the newest dot is the darkest"
    assert (np.diff(picture._trail.get_sizes().reshape(dots, 4), axis=0) > 0).all(), "the newest dot is the largest"


@pytest.mark.parametrize("position", [0, 17, 4321])
@pytest.mark.parametrize("offset", [3, 1000])
def test_the_arc_of_a_shift_leads_to_the_dashed_hand_and_is_as_wide_wherever_the_position_is(position, offset):
    picture = drawn(position=position, offset=offset)
    ahead = np.array([angle(picture, i, position + offset) for i in range(4)])
    assert directions(picture, picture._ahead) == pytest.approx(np.stack([np.cos(ahead), np.sin(ahead)], axis=-1))
    for i, arc in enumerate(picture._arcs.get_segments()):
        seen = np.unwrap(np.arctan2(*(arc[:61] - picture._centres[i]).T[::-1]))
        assert seen[-1] - seen[0] == pytest.approx(angle(picture, i, offset) % (2 * math.pi), abs=1e-9)
        assert np.cos(seen[0] - angle(picture, i, position)) == pytest.approx(1)
    titles = [word for word in words(picture) if word.startswith("pair ")]
    assert titles == [f"pair {i}: + {_angle(angle(picture, i, offset))}" for i in range(4)]
    circles = len(picture._rims.get_segments()) - 4
    assert circles == sum(angle(picture, i, offset) >= 2 * math.pi for i in range(4))


def test_no_offset_shows_no_dashed_hand():
    moved = drawn(offset=3).update(offset=0)
    assert np.array_equal(moved.pixels(), Clocks().pixels())
    assert not any("dashed" in word or "pos +" in word for word in words(moved))


def test_titles_say_the_step_and_the_wavelength():
    said = words(drawn())
    assert [w for w in said if w.startswith("pair ")] == [
        "pair 0: 57.3° a step",
        "pair 1: 5.73° a step",
        "pair 2: 0.573° a step",
        "pair 3: 0.0573° a step",
    ]
    assert [w for w in said if w.startswith("one turn")] == [
        f"one turn in {length} positions" for length in ("6.3", "62.8", "628.3", "6,283.2")
    ]
    assert {"Position 5", "4 hands, 8 numbers (d_model 8, base 10000)"} <= set(said)
    assert "8 of 256 hands, 512 numbers (d_model 512, base 10000)" in words(drawn(d_model=512))
    assert "1 hand, 1 number (d_model 1, base 10000)" in words(drawn(d_model=1))
    assert "Position 5, dashed: 8" in words(drawn(offset=3))


@pytest.mark.parametrize("seed", range(8))
def test_the_numbers_of_the_rim_stand_where_the_hand_is_at_that_position(seed):
    picture = drawn(**clocks(random.Random(seed)))
    thousand = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    rim = [text for text in picture._axes.texts if re.fullmatch(r"[\d.]+[kMGT]?", text.get_text())]
    assert len(rim) >= 3 * len(picture.pairs)
    for text in rim:
        dial = np.argmin(np.hypot(*(picture._centres - text.get_position()).T))
        written = text.get_text()
        position = float(written.rstrip("kMGT")) * thousand.get(written[-1], 1)
        across, up = text.get_position() - picture._centres[dial]
        turned = math.atan2(up, across) - angle(picture, int(picture.pairs[dial]), position)
        assert math.cos(turned) == pytest.approx(1, abs=1e-6), written
        assert 0 <= angle(picture, int(picture.pairs[dial]), position) < 2 * math.pi


def test_a_clock_tells_the_position_within_its_turn():
    assert [_round_step(x) for x in (0.8, 1.1, 3, 7.9, 10, 78.5, 125)] == [1, 2, 5, 10, 10, 100, 200]
    assert [_short(x) for x in (0, 5, 60, 500, 1000, 1500, 200_000, 2e6, 1.5e9, 5e12)] == [
        *("0", "5", "60", "500", "1k", "1.5k", "200k", "2M", "1.5G", "5T")
    ]


@pytest.mark.parametrize(
    ("radians", "said"),
    [(0, "0°"), (1, "57.3°"), (3, "171.9°"), (0.1, "5.73°"), (7, "1 turn 41.1°"), (1000, "159 turns 55.8°")],
)
def test_angles_are_said_in_turns_and_degrees(radians, said):
    assert _angle(radians) == said


def test_different_states_look_different():
    seen = {
        Clocks(**state).pixels().tobytes()
        for state in (
            {},
            {"position": 6},
            {"d_model": 7},
            {"base": 1000.0},
            {"trail": 3},
            {"offset": 3},
            {"offset": 4},
            {"d_model": 16},
        )
    }
    assert len(seen) == 8


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
        ({"offset": -1}, ValueError, "offset must lie between 0 and 1000, got -1"),
        ({"offset": 1001}, ValueError, "offset must lie between 0 and 1000, got 1001"),
        ({"base": 0.5}, ValueError, r"base must lie between 1 and 1e\+12 here, got 0.5"),
        ({"base": 1e13}, ValueError, r"base must lie between 1 and 1e\+12 here"),
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
    assert Clocks(position=np.int64(5), base=np.float32(10_000)).describe() == Clocks().describe()


def test_the_explorer_calls_up_its_presets_and_reaches_the_ends_of_its_controls():
    explorer = explore_clocks(last=300)
    state = explorer.picture.state
    assert state == Clocks.defaults
    for name, expected in {
        "start": {"position": 0, "offset": 0},
        "one turn of the fastest": {"position": 6, "offset": 0},
        "far out": {"position": 300, "offset": 0},
        "shift by 3": {"position": 5, "offset": 3},
    }.items():
        assert expected.items() <= explorer.preset(name).picture.state.items()
        assert not explorer.message
    for name, control in explorer.controls.items():
        for value in (control.options[0][1], control.options[-1][1]) if name == "base" else (control.min, control.max):
            control.value = value
            assert explorer.picture.state[name] == value
            assert not explorer.message
    explorer.close()


def test_the_explorer_starts_beyond_its_usual_range():
    explorer = explore_clocks(position=1000, d_model=512, offset=100, base=500_000.0, trail=64, last=10)
    assert explorer.picture.state == {"d_model": 512, "base": 5e5, "position": 1000, "trail": 64, "offset": 100}
    assert not explorer.message
    explorer.close()
    with pytest.raises(ValueError, match="last must be at most 1000000, got 1000001"):
        explore_clocks(last=1_000_001)
    with pytest.raises(TypeError, match="last must be an integer"):
        explore_clocks(last=2.5)
