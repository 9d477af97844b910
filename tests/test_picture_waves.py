"""The waves are the columns of the encoding, and what is read off is its row."""

import itertools

import numpy as np
import pytest
from sheets import dials, drawn, numbers, texts

from pe_lib import encode_positions, wavelengths
from pe_pictures import Waves
from pe_pictures.colours import COSINE, HERE, PAPER, SINE
from pe_pictures.scene import Curves, Discs

STATES = [
    {},
    {"d_model": 2, "length": 16, "position": 0},
    {"tokens": "Dan loves icecream", "position": 2, "d_model": 4},
    {"d_model": 16, "length": 64, "position": 63},
    {"d_model": 512, "length": 1024, "position": 600, "base": 100.0},
]
EACH = pytest.mark.parametrize(("state", "tall"), [*itertools.product(STATES, (False, True))], ids=str)


@EACH
def test_the_curves_are_the_columns_over_the_positions(state, tall):
    picture = Waves(**state)
    picture.tall = tall
    s, (left, right) = picture.state, picture.axis()
    lengths = wavelengths(s["d_model"], s["base"])
    for colour, parity in ((SINE, 0), (COSINE, 1)):
        curves = [e for e in picture.lay() if isinstance(e, Curves) and e.edge == colour and len(e.curves[0]) > 2]
        slots = [lengths[i] * (right - left) / max(s["length"] - 1, 1) for i in picture.pairs]
        some = [i for i, slot in zip(picture.pairs, slots, strict=True) if slot >= (24 if parity else 16)]
        assert len(curves) == len(some)
        for i, curve in zip(some, curves, strict=True):
            across, down = curve.curves[0].T
            positions = (across - left) / (right - left) * max(s["length"] - 1, 1)
            wanted = encode_positions(positions, s["d_model"], base=s["base"])[:, 2 * i + parity]
            _, middle, radius = next(dial for j, dial in zip(picture.pairs, dials(picture), strict=True) if j == i)
            assert (middle - down) / radius == pytest.approx(wanted, abs=1e-7)


@EACH
def test_dots_and_cells_are_the_row_of_the_position(state, tall):
    picture = Waves(**state)
    picture.tall = tall
    s, rows, (left, right) = picture.state, dials(picture), picture.axis()
    row = encode_positions(s["position"], s["d_model"], base=s["base"])[picture.columns]
    assert picture.vector == pytest.approx(row)
    x = left + (right - left) * s["position"] / max(s["length"] - 1, 1)
    discs = [e for e in drawn(picture) if isinstance(e, Discs) and e.centres[0][0] == pytest.approx(x)]
    for fill, parity in ((HERE, 0), (PAPER, 1)):
        heights = np.array([e.centres[0][1] for e in discs if e.fill == fill])
        values = [(y - height) / radius for (_, y, radius), height in zip(rows, heights, strict=True)]
        assert values == pytest.approx(row[parity::2])
    digits = 2 if tall or len(rows) > 4 else 3
    assert numbers(picture, rf"−?[01]\.\d{{{digits}}}") == pytest.approx(row, abs=0.51 * 10**-digits)


def test_the_tip_of_a_hand_is_as_high_as_its_wave():
    picture = Waves(position=17)
    tips = [e.centres[0] for e in drawn(picture) if isinstance(e, Discs) and e.fill == HERE and e.radius == 7]
    for (x, y, r), (across, down), (sine, cosine) in zip(
        dials(picture), tips, picture.vector.reshape(-1, 2), strict=True
    ):
        assert ((across - x) / r, (y - down) / r) == pytest.approx((cosine, sine))


def test_words_stand_at_their_positions_and_too_fast_a_wave_is_said_to_be():
    assert texts(Waves(tokens="Dan loves icecream"))[-3:] == ["Dan", "loves", "icecream"]
    assert "too fast to draw at this scale" in texts(Waves(length=640))
    assert "too fast to draw at this scale" not in texts(Waves(length=64))
