"""The map of the encoding: what is marked is the library's number, and the wave at the side passes through the row."""

import numpy as np
import pytest
from sheets import drawn, maps, ruler

from pe_lib import encode_positions
from pe_pictures import Heatmap
from pe_pictures.colours import COSINE, SINE
from pe_pictures.scene import Curves, Discs


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize(("length", "d_model"), [(50, 64), (10, 6), (7, 5), (1, 1)])
def test_what_is_marked_is_the_number_of_the_encoding(length: int, d_model: int, layout: str) -> None:
    table = encode_positions(np.arange(length), d_model, layout=layout)
    picture = Heatmap(length=length, d_model=d_model, layout=layout, position=0, column=0)
    (cells,) = maps(picture)
    assert np.array_equal(cells.numbers * picture.greatest, table)
    for position in {0, length // 3, length - 1}:
        for column in range(0, d_model, 5):
            picture.update(position=position, column=column)
            assert picture.value == table[position, column]
            parts = drawn(picture)
            (curve,) = [part.curves[0] for part in parts if isinstance(part, Curves) and part.edge in (SINE, COSINE)]
            across, down = [part.centres[0] for part in parts if isinstance(part, Discs) and part.radius == 8][-1]
            assert np.interp(down, *curve.T[::-1]) == pytest.approx(across, abs=4)  # the curve is drawn by points
            assert across == pytest.approx(ruler(picture, {"−1": -1.0, "1": 1.0})(table[position, column]))


def test_a_matrix_of_ones_own_is_shown_as_it_is() -> None:
    picture = Heatmap(matrix=[[0, 1], [2, -3]], position=1, column=1)
    assert (picture.value, picture.greatest) == (-3.0, 3.0)
    assert "−3.0000" in picture.says()
    assert [field.name for field in picture.controlled()] == ["position", "column"]


def test_a_column_that_hardly_changes_is_not_said_to_repeat() -> None:
    assert "19.9" in Heatmap(column=8).says()
    assert "47,117" in Heatmap(column=62).says()
    assert "constant" in Heatmap(column=62).says()
