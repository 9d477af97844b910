"""The binary counter shows the right bits, sines and steps, and says what it shows."""

import math
import re

import numpy as np
import pytest
from sheets import faults, texts

from pe_lib.pictures import binary_counter as module
from pe_lib.pictures.binary_counter import BinaryCounter
from pe_lib.pictures.colours import BLUE, ORANGE
from pe_lib.pictures.scene import Group, Shape

STATES = [
    {},
    {"number": 0},
    {"number": 15},
    {"number": 3, "n_bits": 2, "d_model": 2},
    {"number": 16, "n_bits": 5, "base": 1e12},
    {"number": 20, "n_bits": 6, "d_model": 1024, "base": 12_345.678},
    {"number": 63, "n_bits": 6, "d_model": 12},
    {"number": 5, "n_bits": 3, "base": 1.0},
]
EACH = pytest.mark.parametrize("state", STATES, ids=str)


def row(pos: int, d_model: int, base: float) -> list[float]:
    """Return one row of the encoding, from the formula."""
    angles = [pos / base ** (2 * (j // 2) / d_model) for j in range(d_model)]
    return [math.cos(angle) if j % 2 else math.sin(angle) for j, angle in enumerate(angles)]


def numbers_on_the_page(state: dict) -> range:
    first = state["number"] // 16 * 16
    return range(first, min(first + 16, 2 ** state["n_bits"]))


def middle(text) -> tuple[float, float]:
    return text.left + text.box[2] / 2, text.base - 0.365 * text.size


def held(elements) -> list:
    """Return what a cover hides."""
    return [part for e in elements if isinstance(e, Group) and e.kind == "answer" for part in e.parts]


@EACH
def test_the_digits_read_downward_are_the_number_over_them(state):
    picture = BinaryCounter(**state)
    pane, n_bits = picture._panes()[0], picture.state["n_bits"]
    read = {pos: {} for pos in picture._numbers()}
    for text in texts(picture):
        x, y = middle(text)
        if (
            text.text in "01"
            and pane.left < x < pane.left + pane.wide
            and module.TOP < y < picture._panes()[1].y(0) - 40
        ):
            read[round(picture._numbers()[0] - 0.5 + (x - pane.left) / (pane.x(1) - pane.x(0)))][y] = text.text
    found = {pos: "".join(digits[y] for y in sorted(digits))[: n_bits + 1] for pos, digits in read.items() if digits}
    for pos in numbers_on_the_page(picture.state):
        assert found[pos].startswith(format(pos, f"0{n_bits}b"))


@EACH
def test_the_boxes_stand_around_the_digits_that_differ_from_the_next_number(state):
    picture = BinaryCounter(**state)
    n, n_bits, pane = picture.state["number"], picture.state["n_bits"], picture._panes()[0]
    now, after = (format(k % 2**n_bits, f"0{n_bits}b") for k in (n, n + 1))
    flipping = [a != b for a, b in zip(now[::-1], after[::-1], strict=True)]
    assert picture.flips == sum(flipping)
    boxes = [e.path.get_extents() for e in held(picture.move()) if isinstance(e, Shape) and e.edge == ORANGE]
    large, in_the_rows = boxes
    assert [in_the_rows.y0 < picture._panes()[0].y(i) < in_the_rows.y1 for i in range(n_bits)] == flipping
    assert in_the_rows.x0 < pane.x(n) < pane.x(n + 1) < in_the_rows.x1 < pane.x(n + 1.5)
    digits = [1078 - module.WIDE * place for place in range(n_bits)]
    assert [large.x0 < x < large.x1 for x in digits] == flipping


@EACH
def test_each_square_wave_jumps_where_its_bit_flips(state):
    picture = BinaryCounter(**state)
    page, n_bits, pane = numbers_on_the_page(picture.state), picture.state["n_bits"], picture._panes()[0]
    lines = [e.path.vertices for e in picture.lay() if isinstance(e, Shape) and e.edge == BLUE]
    for i, points in enumerate(lines[:n_bits]):
        jumps = points[:-1][np.abs(np.diff(points[:, 1])) > 1, 0]
        assert jumps == pytest.approx([pane.x(n + 0.5) for n in page if (n + 1) % 2**i == 0])


@EACH
def test_each_sine_runs_through_the_values_of_the_formula(state):
    picture = BinaryCounter(**state)
    s, pane, high = picture.state, picture._panes()[0], picture._panes()[1].high / picture.state["n_bits"]
    pairs = min(s["n_bits"], s["d_model"] // 2)
    points = [e.path.vertices for e in picture.lay() if isinstance(e, Shape) and e.edge == BLUE][-1]
    for i, curve in enumerate(points.reshape(pairs, -1, 2)):
        positions = (curve[:, 0] - pane.left) / (pane.x(1) - pane.x(0)) + picture._numbers()[0] - 0.5
        expected = np.sin(positions / s["base"] ** (2 * i / s["d_model"]))
        assert np.allclose((picture._panes()[1].y(i) - curve[:, 1]) / (0.42 * high), expected, atol=1e-9)
    true = row(s["number"], s["d_model"], s["base"])[: 2 * pairs : 2]
    said = [text.text for text in texts(picture) if re.fullmatch(r"-?\d\.\d{3}", text.text)]
    assert said == [f"{round(x, 3) + 0:.3f}" for x in true]


@EACH
def test_the_bars_are_as_long_as_the_bits_that_flip_and_as_the_step_of_the_encoding(state):
    picture = BinaryCounter(**state)
    s, page = picture.state, numbers_on_the_page(picture.state)
    bars, *counts = held(picture.lay())
    high = [np.ptp(bar[:, 1]) for bar in bars.path.vertices.reshape(-1, 5, 2)]
    flips = [((n + 1) % 2 ** s["n_bits"] ^ n).bit_count() for n in page]
    assert [text.text for text in counts] == [f"{k}" for k in flips]
    assert np.array(high[::2]) * s["n_bits"] / (module.FLIPS[1] - module.FLIPS[0]) == pytest.approx(flips)
    steps = [math.dist(row(n, s["d_model"], s["base"]), row(n + 1, s["d_model"], s["base"])) for n in page]
    assert np.allclose(np.array(high[1::2]) / high[1], np.array(steps) / steps[0])
    now = next(e for e in held(picture.move()) if isinstance(e, Shape) and e.fill == ORANGE)
    k = 2 * (s["number"] - page[0])
    assert np.allclose(now.path.vertices, bars.path.vertices.reshape(-1, 5, 2)[k : k + 2].reshape(-1, 2))
    largest = sorted((text.size, text.text) for text in texts(picture))[-2:]
    assert {text for _, text in largest} == {f"{picture.flips}", f"{steps[0]:.4f}"}


@EACH
def test_what_is_covered_is_nowhere_to_be_read(state):
    picture = BinaryCounter(**state)
    seen, words = texts(picture, "answer"), picture.describe(covered=True)
    step = f"{picture.step:.4f}"
    assert step not in [text.text for text in seen]
    assert step not in words
    assert [text.text for text in seen].count("?") == 2
    assert not [text.text for text in seen if text.size > 35 and text.text != "?"]
    assert "Bits that flip: …; at each number: …" in words
    assert "all of them" not in words


@EACH
def test_everything_can_be_read(state):
    assert faults(BinaryCounter(**state)) == []


def test_the_steps_from_0_to_15_are_those_of_a_ruler_and_the_encoding_takes_the_same_step_each_time():
    picture = BinaryCounter()
    assert [picture.update(number=n).flips for n in range(16)] == [1, 2, 1, 3, 1, 2, 1, 4, 1, 2, 1, 3, 1, 2, 1, 4]
    assert {round(picture.update(number=n).step, 4) for n in range(16)} == {0.9641}


def test_places_and_periods_stand_before_the_rows_slowest_first():
    before = sorted(
        ((middle(t)[1], t.left, t.text) for t in texts(BinaryCounter()) if t.left < 262), key=lambda t: t[:2]
    )
    said = " ".join(text for *_, text in before)
    assert "bit 3 8 16 bit 2 4 8 bit 1 2 4 bit 0 1 2" in said
    assert "pair 3 ÷1000 6,283.2 pair 2 ÷100 628.3 pair 1 ÷10 62.8 pair 0 ÷1 6.3" in said
    assert "divisors 1, 2, 4, 8; wavelengths 6.3, 12.6, 25.1, 50.3;" in BinaryCounter(base=16).describe()


@EACH
def test_the_description_has_the_numbers_of_the_formula(state):
    picture = BinaryCounter(**state)
    words, s = picture.describe(), picture.state
    n, n_bits, d_model, base = s["number"], s["n_bits"], s["d_model"], s["base"]
    assert f"rows repeat every {', '.join(str(2**k) for k in range(n_bits, 0, -1))} numbers." in words
    page = numbers_on_the_page(s)
    flips = ", ".join(str(((k + 1) % 2**n_bits ^ k).bit_count()) for k in page)
    assert f"Numbers {page[0]} to {page[-1]} in {n_bits} bits" in words
    assert f"at each number: {flips}. Below" in words
    assert f"Marked are {n}, {n:0{n_bits}b}, and {n + 1}, {n + 1:0{n_bits}b}." in words
    assert (f"all of them, and bit {n_bits} is needed" in words) == (n + 1 == 2**n_bits)
    said = re.search(rf"divisors (.*); wavelengths (.*); at position {n} they are (.*?)\. The encoding", words)
    divisors, lengths, sines = ([float(x.replace(",", "")) for x in part.split(", ")] for part in said.groups())
    true = [base ** (2 * i / d_model) for i in range(min(n_bits, d_model // 2))]
    assert divisors == pytest.approx(true, rel=0.04)
    assert lengths == pytest.approx([2 * math.pi * divisor for divisor in true], rel=0.04)
    assert sines == pytest.approx([math.sin(n / divisor) for divisor in true], abs=0.5001e-3)
    step = math.dist(row(n, d_model, base), row(n + 1, d_model, base))
    assert f"The encoding moves from {n} to {n + 1} by {step:.4f}, as at every step." in words


def test_a_page_follows_its_number_and_within_it_the_background_stays():
    picture = BinaryCounter(n_bits=5, number=10)
    frames = [picture.update(number=n).frame() for n in range(10, 22)]
    assert len({frame.moving for frame in frames}) == 12
    assert [frame.background == frames[0].background for frame in frames] == [n < 16 for n in range(10, 22)]
    assert frames[-1] == BinaryCounter(n_bits=5, number=21).frame()
    assert BinaryCounter(number=np.uint8(15)).frame() == BinaryCounter(number=15).frame()
    frames = {BinaryCounter(**state).frame() for state in ({}, *BinaryCounter.presets.values())}
    assert len(frames) == 1 + len(BinaryCounter.presets)


def test_a_click_chooses_the_number_at_its_place():
    picture = BinaryCounter(n_bits=5, number=20)
    (target,) = picture.targets()
    name, values = target.across
    left, _, wide, _ = target.box
    for k, value in enumerate(values):
        assert left + (k + 0.5) * wide / len(values) == pytest.approx(picture._panes()[0].x(value))
        assert BinaryCounter(n_bits=5).update(**{name: value}).state["number"] == value


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"number": 16}, ValueError, "number must lie between 0 and 15, got 16"),
        ({"number": -1}, ValueError, "number must lie between 0 and 15, got -1"),
        ({"number": 1.0}, TypeError, "number must be an integer"),
        ({"n_bits": 2}, ValueError, "number must lie between 0 and 3, got 7"),
        ({"n_bits": 7}, ValueError, "n_bits must lie between 2 and 6, got 7"),
        ({"n_bits": "4"}, TypeError, "n_bits must be an integer"),
        ({"d_model": 7}, ValueError, "d_model must be even, got 7"),
        ({"d_model": 0}, ValueError, "d_model must lie between 2 and 1024, got 0"),
        ({"d_model": 1026}, ValueError, "d_model must lie between 2 and 1024, got 1026"),
        ({"d_model": 8.0}, TypeError, "d_model must be"),
        ({"base": 0.5}, ValueError, "base must be 1 or more to be drawn, got 0.5"),
        ({"base": 1e13}, ValueError, "base must be at most 1e[+]12 to be drawn, got 1e[+]13"),
        ({"base": 0}, ValueError, "base must be a finite number above 0"),
        ({"base": None}, TypeError, "base must be a number"),
        ({"bits": 4}, TypeError, "has no 'bits'"),
    ],
)
def test_what_cannot_be_counted_is_refused_and_the_picture_stays(state, error, says):
    picture = BinaryCounter()
    before = dict(picture.state)
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.state == before
