"""The board shows one number in three ways, and all three are the library's number."""

import math

import numpy as np
import pytest
from sheets import dials, drawn, maps

from pe_lib import sinusoidal_encoding
from pe_pictures import Board
from pe_pictures.scene import Curves, Discs


@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize(("position", "column"), [(0, 0), (4, 2), (6, 1), (7, 7)])
def test_cell_hand_and_wave_show_the_number(position: int, column: int, tall: bool) -> None:
    board = Board(position=position, column=column)
    board.tall = tall
    assert board.value == sinusoidal_encoding(8, 8)[position, column] == board.table[position, column]
    assert np.array_equal(maps(board)[0].numbers, board.table)
    ((x, y, r),), (left, right) = dials(board), board.axis()
    tip, on_the_wave = [part.centres[0] for part in drawn(board) if isinstance(part, Discs) and part.radius == 8]
    reach, height = (tip[0] - x) / r, (y - tip[1]) / r
    assert (reach if column % 2 else height) == pytest.approx(board.value, abs=1e-9)
    assert on_the_wave == pytest.approx((left + (right - left) * position / 7, y - r * board.value))
    waves = [part.curves[0] for part in drawn(board) if isinstance(part, Curves) and len(part.curves[0]) > 100]
    assert np.interp(on_the_wave[0], *waves[0].T) == pytest.approx(on_the_wave[1], abs=0.3)
    angle = position / 10_000 ** (2 * (column // 2) / 8)
    assert (reach, height) == pytest.approx((math.cos(angle), math.sin(angle)))


def test_without_words_there_are_sixty_four_positions() -> None:
    assert Board(tokens=None, d_model=64, position=63).table.shape == (64, 64)


def test_a_word_that_comes_again_gets_another_row() -> None:
    assert "again" in Board(position=3).says()
    assert "again" not in Board(position=4).says()
