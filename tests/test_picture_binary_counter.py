"""The binary counter shows the right bits, sines and steps, and says what it shows."""

import functools
import itertools
import math
import random
import re

import numpy as np
import pytest
from picture_states import binary_counter

from pe_lib.explorers.binary import explore_binary
from pe_lib.pictures import binary_counter as module
from pe_lib.pictures.binary_counter import BinaryCounter

SEEDS = pytest.mark.parametrize("seed", range(12))


@functools.cache
def drawn(seed: int) -> BinaryCounter:
    """Return a picture that tests read and leave as it is."""
    picture = BinaryCounter(**binary_counter(random.Random(seed)))
    picture.pixels()
    return picture


def row(pos: int, d_model: int, base: float) -> list[float]:
    """Return one row of the encoding, from the formula."""
    angles = [pos / base ** (2 * (j // 2) / d_model) for j in range(d_model)]
    return [math.cos(angle) if j % 2 else math.sin(angle) for j, angle in enumerate(angles)]


def numbers_on_the_page(state: dict) -> range:
    first = state["number"] // 16 * 16
    return range(first, min(first + 16, 2 ** state["n_bits"]))


def written(picture: BinaryCounter) -> list[str]:
    return [text.get_text() for axes in picture.figure.axes for text in axes.texts]


@SEEDS
def test_the_digits_of_each_row_read_from_left_to_right_are_the_number_of_that_row(seed):
    picture = drawn(seed)
    page = numbers_on_the_page(picture.state)
    digits = {pos: {} for pos in range(page[0], page[-1] + 2)}
    for digit, marks in zip("01", picture._digits, strict=True):
        for x, pos in zip(*marks.get_data(), strict=True):
            digits[pos][x] = digit
    for pos, of_row in digits.items():
        read = "".join(of_row[x] for x in sorted(of_row))
        assert read == format(pos, f"0{picture.state['n_bits']}b")


@SEEDS
def test_the_boxes_stand_around_the_digits_that_differ_from_the_next_number(seed):
    picture = drawn(seed)
    n, n_bits = picture.state["number"], picture.state["n_bits"]
    now, after = (format(k % 2**n_bits, f"0{n_bits}b") for k in (n, n + 1))
    columns = sorted({x for marks in picture._digits for x in marks.get_xdata() if x > module.BITS[0]})
    boxed = [(s[:, 0].min(), s[:, 0].max()) for s in picture._boxes.get_segments()]
    marked = [any(left < x < right for left, right in boxed) for x in columns]
    assert marked == [a != b for a, b in zip(now, after, strict=True)]
    assert picture.flips == sum(marked) == len(boxed)
    for segment in picture._boxes.get_segments():
        assert n - 0.5 < segment[:, 1].min() < n
        assert n + 1 < segment[:, 1].max() < n + 1.5


@SEEDS
def test_each_square_wave_jumps_where_its_bit_flips_and_repeats_after_its_period(seed):
    picture = drawn(seed)
    page, n_bits = numbers_on_the_page(picture.state), picture.state["n_bits"]
    for i, line in enumerate(picture._waves.get_segments()[:n_bits]):
        jumps = [y for (x, y), (further, _) in itertools.pairwise(line) if x != further]
        expected = [n + 0.5 for n in page if (n + 1) % 2**i == 0]
        assert jumps == pytest.approx(expected)


@SEEDS
def test_each_sine_runs_through_the_values_of_the_formula_and_the_point_is_at_the_number(seed):
    picture = drawn(seed)
    s = picture.state
    pairs = min(s["n_bits"], s["d_model"] // 2)
    curves = picture._waves.get_segments()[s["n_bits"] :]
    assert len(curves) == pairs
    xs, ys = picture._points.get_data()
    assert list(ys) == [s["number"]] * pairs
    for i, curve in enumerate(curves):
        middle, high = picture._sine_x(i, 0), picture._sine_x(i, 1)
        assert float(picture._angles.shown[i]) == pytest.approx(s["number"] / s["base"] ** (2 * i / s["d_model"]), 0.05)
        expected = np.sin(curve[:, 1] / s["base"] ** (2 * i / s["d_model"]))
        assert np.allclose((curve[:, 0] - middle) / (high - middle), expected, atol=1e-9)
        assert (xs[i] - middle) / (high - middle) == pytest.approx(row(s["number"], s["d_model"], s["base"])[2 * i])
        assert picture._values.shown[i] == f"{round(row(s['number'], s['d_model'], s['base'])[2 * i], 3) + 0:.3f}"


@SEEDS
def test_the_bars_are_as_long_as_the_bits_that_flip_and_as_the_step_of_the_encoding(seed):
    picture = drawn(seed)
    s, page = picture.state, numbers_on_the_page(picture.state)
    bars = picture._bars.get_segments()
    flips, distances = bars[::2], bars[1::2]
    assert [bar[0][1] for bar in flips] == [n + 0.5 for n in page]
    unit = (module.FLIPS[1] - module.FLIPS[0]) / s["n_bits"]
    counts = [((n + 1) % 2 ** s["n_bits"] ^ n).bit_count() for n in page]
    assert [(bar[1][0] - bar[0][0]) / unit for bar in flips] == pytest.approx(counts)
    for count, marks in enumerate(picture._counts, 1):
        assert sorted(marks.get_ydata()) == [n + 0.5 for n, c in zip(page, counts, strict=True) if c == count]
    steps = [math.dist(row(n, s["d_model"], s["base"]), row(n + 1, s["d_model"], s["base"])) for n in page]
    lengths = [bar[1][0] - bar[0][0] for bar in distances]
    assert np.allclose(np.array(lengths) / lengths[0], np.array(steps) / steps[0])
    assert lengths == pytest.approx([lengths[0]] * len(page))
    assert picture._distance.get_text() == f"{steps[0]:.4f}"
    now = [bars[2 * (s["number"] - page[0])], bars[2 * (s["number"] - page[0]) + 1]]
    assert np.array_equal(picture._bars_now.get_segments(), now)


def test_the_steps_from_0_to_15_are_those_of_a_ruler_and_the_encoding_takes_the_same_step_each_time():
    picture = BinaryCounter()
    assert [picture.update(number=n).flips for n in range(16)] == [1, 2, 1, 3, 1, 2, 1, 4, 1, 2, 1, 3, 1, 2, 1, 4]
    assert {round(picture.update(number=n).step, 4) for n in range(16)} == {0.9641}


def test_place_values_and_periods_stand_over_the_columns_largest_first():
    picture = BinaryCounter()
    picture.pixels()
    words = sorted(picture._words, key=lambda text: text.get_position()[0])

    def line(y: int) -> list[str]:
        return [text.get_text() for text in words if text.get_position()[1] == y]

    indices, places, periods = map(line, module.HEADINGS)
    assert indices == ["index i", *"3210", *"3210"]
    assert places == ["place value", *"8421", "÷1000", "÷100", "÷10", "÷1", "bits", "distance to"]
    assert periods[:9] == ["repeats every", "16", "8", "4", "2", "6283", "628.3", "62.8", "6.3"]


def test_with_base_16_wavelengths_double_from_pair_to_pair():
    words = BinaryCounter(base=16).describe()
    assert "divisors 1, 2, 4, 8; wavelengths 6.3, 12.6, 25.1, 50.3;" in words
    picture = BinaryCounter(base=16)
    picture.pixels()
    assert "One column to the left, a bit's period is multiplied by 2, a sine's wavelength by 2." in written(picture)


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"number": 7}, "7 → 8 flips 4 bits: 0111 → 1000"),
        ({"number": 0}, "0 → 1 flips 1 bit: 0000 → 0001"),
        ({"number": 15}, "15 → 16 needs a fifth bit: the 4 bits all flip back to 0000"),
        ({"number": 15, "n_bits": 5}, "15 → 16 flips 5 bits: 01111 → 10000"),
        ({"number": 63, "n_bits": 6}, "63 → 64 needs a seventh bit: the 6 bits all flip back to 000000"),
        ({"number": 3, "n_bits": 2}, "3 → 4 needs a third bit: the 2 bits all flip back to 00"),
    ],
)
def test_the_headline_says_what_the_next_step_does(state, says):
    picture = BinaryCounter(**state)
    picture.pixels()
    assert picture._headline_text.get_text() == says
    assert f" {says}. " in picture.describe()


def test_the_last_page_shows_the_bit_that_has_no_room():
    picture = BinaryCounter(number=15)
    widths = []
    for state in ({}, {"n_bits": 5}, {"number": 16}):
        picture.update(**state).pixels()
        widths.append(picture._too_many.get_width())
    assert widths[0] == widths[2] > 0 == widths[1]


@SEEDS
def test_the_description_has_the_numbers_of_the_formula(seed):
    state = binary_counter(random.Random(seed))
    words = BinaryCounter(**state).describe()
    n, n_bits, d_model, base = state["number"], state["n_bits"], state["d_model"], state["base"]
    assert len(words) < 900
    periods = ", ".join(str(2**k) for k in range(n_bits, 0, -1))
    assert f"The columns of bits repeat every {periods} numbers." in words
    page = numbers_on_the_page(state)
    flips = ", ".join(str(((k + 1) % 2**n_bits ^ k).bit_count()) for k in page)
    assert f"The steps from {page[0]} to {page[-1]} to the next flip {flips} bits." in words
    said = re.search(rf"divisors (.*); wavelengths (.*); at position {n} they are (.*?)\. The encoding", words)
    divisors, lengths, sines = ([float(number) for number in part.split(", ")] for part in said.groups())
    pairs = min(n_bits, d_model // 2)
    true = [base ** (2 * i / d_model) for i in range(pairs)]
    assert divisors == pytest.approx(true, rel=0.04)
    assert lengths == pytest.approx([2 * math.pi * divisor for divisor in true], rel=0.04)
    assert sines == pytest.approx([math.sin(n / divisor) for divisor in true], abs=0.5001e-3)
    step = math.dist(row(n, d_model, base), row(n + 1, d_model, base))
    assert f"The encoding moves by {step:.4f}, as it does at every step (d_model {d_model}, base {base:g})." in words
    assert f"pairs 0–{pairs - 1}" in words or d_model == 2


def test_what_is_left_out_is_said():
    many, few, pages = BinaryCounter(d_model=64), BinaryCounter(d_model=4), BinaryCounter(n_bits=6, number=20)
    for picture in (many, few, pages):
        picture.pixels()
    assert "Sines glide (pairs 0–3 of 0–31)" in written(many)
    assert written(few).count("no pair") == 2
    assert "Bits jump (16–31 of 0–63)" in written(pages)


def test_every_number_has_a_picture_of_its_own():
    picture = BinaryCounter(n_bits=5)
    assert len({picture.update(number=n).pixels().tobytes() for n in range(10, 22)}) == 12
    others = [{"n_bits": 5}, {"d_model": 10}, {"base": 100.0}, {}]
    assert np.array_equal(BinaryCounter(number=np.uint8(15)).pixels(), BinaryCounter(number=15).pixels())
    assert len({BinaryCounter(**{"number": 3, **other}).pixels().tobytes() for other in others}) == 4


def test_digits_drawn_as_marks_are_as_tall_as_those_of_texts_of_twelve_points():
    picture = BinaryCounter()
    for marks in (*picture._digits, *picture._counts):
        assert marks.get_markersize() >= 0.742 * 12  # the height of a zero of this font


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"number": 16}, ValueError, "number must lie between 0 and 15, got 16"),
        ({"number": -1}, ValueError, "number must lie between 0 and 15, got -1"),
        ({"number": 1.0}, TypeError, "number must be an integer"),
        ({"n_bits": 2}, ValueError, "number must lie between 0 and 3, got 7"),
        ({"n_bits": 1, "number": 0}, ValueError, "n_bits must lie between 2 and 6, got 1"),
        ({"n_bits": 7}, ValueError, "n_bits must lie between 2 and 6, got 7"),
        ({"n_bits": "4"}, TypeError, "n_bits must be an integer"),
        ({"d_model": 7}, ValueError, "d_model must be even, got 7"),
        ({"d_model": 0}, ValueError, "d_model must be a positive integer, got 0"),
        ({"d_model": 1026}, ValueError, "d_model must be at most 1024 here, got 1026"),
        ({"d_model": 8.0}, TypeError, "d_model must be"),
        ({"base": 0.5}, ValueError, "base must lie between 1 and 1e[+]12 here, got 0.5"),
        ({"base": 1e13}, ValueError, "base must lie between 1 and 1e[+]12 here, got 1e[+]13"),
        ({"base": 0}, ValueError, "base must be a finite number above 0"),
        ({"base": None}, TypeError, "base must be a number"),
        ({"bits": 4}, TypeError, "has no 'bits'"),
    ],
)
def test_what_cannot_be_counted_is_refused_and_the_picture_stays(state, error, says):
    picture = BinaryCounter()
    before = picture.pixels()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert np.array_equal(picture.pixels(), before)


def test_the_explorer_draws_its_presets_and_never_leaves_what_can_be_drawn():
    explorer = explore_binary()
    for name, state in explorer.presets.items():
        explorer.preset(name)
        assert explorer.message == ""
        assert {key: explorer.picture.state[key] for key in state} == state
    explorer.preset("six bits").controls["number"].value = 63
    explorer.controls["n_bits"].value = 2
    assert explorer.message == ""
    assert explorer.picture.state["number"] == 3
    assert explorer.reset().picture.state == dict(BinaryCounter.defaults)
    assert explore_binary(50, n_bits=6, d_model=512, base=7).picture.state["number"] == 50
