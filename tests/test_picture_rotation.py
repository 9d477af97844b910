"""Two hands that turn together: the numbers are those of the encoding, and the angle between the hands stays."""

import math

import numpy as np
import pytest

from pe_lib import sinusoidal_encoding
from pe_pictures import Rotation
from pe_pictures.rotation import LAST


@pytest.mark.parametrize(("offset", "pair"), [(1, 0), (3, 0), (6, 1), (24, 3)])
def test_the_heights_move_and_the_angle_does_not(offset: int, pair: int) -> None:
    rows = sinusoidal_encoding(2 * LAST + 1, 8)[:, 2 * pair : 2 * pair + 2]
    picture, heights = Rotation(offset=offset, pair=pair), set()
    for position in range(LAST + 1):
        picture.update(position=position)
        np.testing.assert_allclose(picture.heights, rows[[position, position + offset], 0], atol=1e-12)
        assert picture.product == pytest.approx(math.cos(offset * 10_000 ** (-pair / 4)), abs=1e-12)
        assert math.cos(picture.angle) == pytest.approx(picture.product, abs=1e-12)
        heights.add(round(picture.heights[0], 4))
    assert len(heights) > 20


def test_the_sentence_says_the_smaller_angle() -> None:
    assert "57.3°" in Rotation(position=4, offset=1).describe() + Rotation(position=4, offset=1).says()
    assert "16.2°" in Rotation(position=4, offset=6).says()  # six radians are a turn less 16.2 degrees


def test_a_hand_that_is_turned_once_around_comes_to_the_next_round() -> None:
    dial = next(iter(Rotation(pair=0).targets()))
    assert dial.around == ("position", pytest.approx(2 * math.pi))
