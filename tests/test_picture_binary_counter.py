"""The binary counter shows the right bits, sines and steps, wide and tall."""

import math

import pytest
from sheets import drawn, numbers, texts

from pe_pictures import BinaryCounter
from pe_pictures.colours import GREY, INK, LINE
from pe_pictures.scene import Boxes

EACH_SHAPE = pytest.mark.parametrize("tall", [False, True])


@EACH_SHAPE
@pytest.mark.parametrize("n_bits", [2, 4, 6])
def test_dark_tiles_are_the_ones_of_each_number(n_bits: int, tall: bool) -> None:
    picture = BinaryCounter(n_bits=n_bits, number=1)
    picture.tall = tall
    (zeros,) = (part for part in picture.lay() if isinstance(part, Boxes) and part.edge == LINE)
    (ones,) = (part for part in picture.lay() if isinstance(part, Boxes) and part.fill == INK)
    assert len(zeros.places) + len(ones.places) == n_bits * 2**n_bits
    columns = sorted({place[0] for place in zeros.places + ones.places})
    rows = sorted({place[1] for place in zeros.places + ones.places})
    worth = dict.fromkeys(columns, 0)
    for left, top, _, _ in ones.places:
        worth[left] += 2 ** (n_bits - 1 - rows.index(top))
    assert [*worth.values()] == [*range(2**n_bits)]


@EACH_SHAPE
@pytest.mark.parametrize(("number", "d_model", "base"), [(0, 8, 10_000.0), (7, 8, 16.0), (15, 4, 100.0), (9, 64, 1e12)])
def test_the_sines_are_those_of_the_formula(number: int, d_model: int, base: float, tall: bool) -> None:
    picture = BinaryCounter(number=number, d_model=d_model, base=base)
    picture.tall = tall
    sines = [math.sin(number / base ** (2 * i / d_model)) for i in range(min(4, d_model // 2))]
    assert picture.sines == pytest.approx(sines, abs=1e-12)
    assert numbers(picture, r"−?\d\.\d{3}") == pytest.approx(sines, abs=5e-4 + 1e-9)


@EACH_SHAPE
def test_flips_are_those_of_a_ruler_and_the_encoding_takes_the_same_step_each_time(tall: bool) -> None:
    picture, flips = BinaryCounter(), [1, 2, 1, 3, 1, 2, 1, 4, 1, 2, 1, 3, 1, 2, 1, 4]
    picture.tall = tall
    for number, count in enumerate(flips):
        said = texts(picture.update(number=number))
        assert picture.flips == count
        assert {f"{count}", "always 0.9641", f"{number:04b}", f"{number + 1:04b}"} <= {*said}
    bars = next(part for part in drawn(picture) if isinstance(part, Boxes) and part.fill == GREY)
    assert [place[3] / bars.places[0][3] for place in bars.places] == pytest.approx(flips)


def test_the_sentence_says_how_many_flip() -> None:
    said = [BinaryCounter(number=n).says() for n in (0, 6, 7, 15)]
    for sentence, count in zip(said, ("one bit", "one", "four", "four"), strict=True):
        assert count.split()[0] in sentence
        assert "0.96" in sentence
    assert "one more is needed" in said[-1]


def test_a_click_chooses_the_number_whose_tiles_are_there() -> None:
    picture = BinaryCounter(n_bits=5, number=20)
    (target,) = picture.targets()
    name, values = target.across or ("", ())
    assert (name, [*values]) == ("number", [*range(32)])
    first, last = picture.axis()
    left, _, wide, _ = target.box
    for number in values:
        assert left + (number + 0.5) * wide / 32 == pytest.approx(first + number / 31 * (last - first))
