"""The waves show the columns they say, and what is read off at a position is its encoding."""

import re

import numpy as np
import pytest
from sheets import texts

from pe_lib import Waves, sinusoidal_encoding
from pe_lib.pictures.picture import rounded


@pytest.mark.parametrize("d_model", [1, 2, 5, 16, 17, 64, 511, 512])
def test_the_vector_is_the_row_of_the_encoding_in_the_columns_shown(d_model):
    picture = Waves(d_model=d_model, length=40, position=33, base=77.0)
    columns = picture.columns
    assert columns[0] == 0
    assert columns[-1] == d_model - 1
    assert len(columns) == min(d_model, 16 if d_model % 2 == 0 else 15)
    assert np.array_equal(picture.vector, sinusoidal_encoding(40, d_model, base=77.0)[33, columns])


def test_the_numbers_stand_beside_the_waves_from_the_lowest_to_the_highest():
    picture = Waves(tokens="Dan loves icecream", position=1)
    numbers = [text for text in texts(picture) if re.fullmatch(r"-?\d\.\d{4}", text.text)]
    assert [text.text for text in sorted(numbers, key=lambda text: -text.base)] == [rounded(x) for x in picture.vector]
    assert not [text for text in texts(picture, "answer") if re.fullmatch(r"-?\d\.\d{4}", text.text)]


def test_a_sentence_decides_the_length_and_each_word_stands_under_its_position():
    picture = Waves(tokens="Dan loves icecream", length=99)
    assert picture.state["length"] == 3
    shown = {text.text: text.left for text in texts(picture)}
    assert shown["Dan"] < shown["loves"] < shown["icecream"]
    assert "“icecream”" in picture.describe()
    assert Waves(tokens="", length=5).state["tokens"] is None


def test_a_click_chooses_the_position_below_it():
    (target,) = Waves(length=20).targets()
    left, _, wide, _ = target.box
    pane = Waves(length=20)._pane()
    name, positions = target.across
    assert name == "position"
    assert [*positions] == [*range(20)]
    for pos in (0, 7, 19):
        assert int((pane.x(pos) - left) / wide * 20) == pos


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"d_model": 0}, ValueError, "d_model must lie between 1 and 512, got 0"),
        ({"d_model": 2.5}, TypeError, "d_model must be"),
        ({"base": 0.5}, ValueError, "base must be 1 or more"),
        ({"base": np.inf}, ValueError, "base must be a finite number"),
        ({"length": 0}, ValueError, "length must lie between 1 and 512, got 0"),
        ({"position": 16}, ValueError, "position must lie between 0 and 15, got 16"),
        ({"tokens": "one two"}, ValueError, "position must lie between 0 and 1, got 2"),
        ({"tokens": "a " * 513}, ValueError, "tokens must hold at most 512 words, got 513"),
        ({"tokens": 7}, TypeError, "tokens must be a text or a sequence of words"),
        ({"colour": 1}, TypeError, "Waves has no 'colour'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture = Waves()
    before = picture.frame()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.frame() == before


def test_with_words_there_are_as_many_positions_whatever_is_asked_for():
    assert Waves(tokens="one two three", length=600).state["length"] == 3
