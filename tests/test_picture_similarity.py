"""The picture of similarity shows the library's numbers: the left stands still and the arrows turn."""

import numpy as np
import pytest
from sheets import dials, drawn

from pe_lib import dot_product, encode_positions
from pe_pictures import Similarity
from pe_pictures.colours import GREY, INK
from pe_pictures.scene import Curves
from pe_pictures.similarity import REACH


def arrows(picture: Similarity, colour: str = INK) -> np.ndarray:
    """Return the arrows on the dials, as parts of the radius: how far up each goes, and how far to the right."""
    lines = [part.curves[0] for part in drawn(picture) if isinstance(part, Curves) and part.edge == colour]
    found = [line for line in lines if len(line) == 2 and line[0].tolist() in [[x, y] for x, y, _ in dials(picture)]]
    radii = [r for _, _, r in dials(picture)]
    return np.array([[(y0 - y1) / r, (x1 - x0) / r] for ((x0, y0), (x1, y1)), r in zip(found, radii, strict=True)])


@pytest.mark.parametrize(("d_model", "offset", "position"), [(6, 6, 0), (64, 44, 1000), (512, 43, 17), (2, 1, 3)])
def test_dot_product_and_distance_are_those_of_the_two_rows(d_model: int, offset: int, position: int) -> None:
    one, other = encode_positions(np.array([position, position + offset]), d_model)
    picture = Similarity(d_model=d_model, offset=offset, position=position)
    assert picture.similarity == pytest.approx(one @ other, abs=1e-9)
    assert picture.distance == pytest.approx(np.linalg.norm(other - one), abs=1e-9)


def test_arrows_turn_with_the_position_and_keep_their_lengths() -> None:
    picture = Similarity(offset=3)
    now, at_zero = (arrows(picture.update(position=pos)) for pos in (1000, 0))
    np.testing.assert_allclose(arrows(picture.update(position=1000), GREY), at_zero, atol=1e-12)
    assert np.abs(now - at_zero).max() > 0.5
    np.testing.assert_allclose(np.hypot(*now.T), np.hypot(*at_zero.T), atol=1e-12)
    rows = encode_positions(np.array([1000, 1003]), 64).reshape(2, -1, 2)
    np.testing.assert_allclose(REACH * now, (rows[1] - rows[0])[picture.pairs], atol=1e-12)


@pytest.mark.parametrize("d_model", [6, 16, 64, 512])
def test_the_shaded_offsets_are_those_at_which_the_dot_product_rises(d_model: int) -> None:
    picture = Similarity(d_model=d_model)
    g = dot_product(np.arange(101), d_model)
    assert picture.rises.tolist() == [k for k in range(1, 101) if g[k] > g[k - 1]]


def test_the_sentence_says_which_of_two_neighbours_is_more_similar() -> None:
    assert "more similar" in Similarity(d_model=512, offset=44).says()
    assert "less similar" in Similarity(d_model=512, offset=43).says()
    assert "itself" in Similarity(offset=0, position=7).says()
