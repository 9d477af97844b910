"""The picture of similarity shows the library's numbers: the left stands still and the arrows turn."""

import numpy as np
import pytest

from pe_lib import dot_product, encode_positions
from pe_pictures import Similarity


@pytest.mark.parametrize(("d_model", "offset", "position"), [(6, 6, 0), (64, 44, 1000), (512, 43, 17), (2, 1, 3)])
def test_dot_product_and_distance_are_those_of_the_two_rows(d_model: int, offset: int, position: int) -> None:
    one, other = encode_positions(np.array([position, position + offset]), d_model)
    picture = Similarity(d_model=d_model, offset=offset, position=position)
    assert picture.similarity == pytest.approx(one @ other, abs=1e-9)
    assert picture.distance == pytest.approx(np.linalg.norm(other - one), abs=1e-9)


def test_arrows_turn_with_the_position_and_keep_their_lengths() -> None:
    picture = Similarity(offset=3)
    now, at_zero = picture.update(position=1000)._differences()
    assert np.abs(now - at_zero).max() > 0.5
    np.testing.assert_allclose(np.hypot(*now.T), np.hypot(*at_zero.T), atol=1e-12)
    rows = encode_positions(np.array([1000, 1003]), 64).reshape(2, -1, 2)
    np.testing.assert_allclose(now, (rows[1] - rows[0])[picture.pairs], atol=1e-12)


@pytest.mark.parametrize("d_model", [6, 16, 64, 512])
def test_the_shaded_offsets_are_those_at_which_the_dot_product_rises(d_model: int) -> None:
    picture = Similarity(d_model=d_model)
    g = dot_product(np.arange(101), d_model)
    assert picture.rises.tolist() == [k for k in range(1, 101) if g[k] > g[k - 1]]


def test_the_sentence_says_which_of_two_neighbours_is_more_similar() -> None:
    assert "more similar" in Similarity(d_model=512, offset=44).says()
    assert "less similar" in Similarity(d_model=512, offset=43).says()
    assert "itself" in Similarity(offset=0, position=7).says()
