"""The picture of rounding errors reads right: what it shows and says is computed here once more."""

import random
import re

import numpy as np
import pytest
from picture_states import rounding_errors

from pe_lib import RoundingErrors, encode_positions, explore_rounding, round_to
from pe_lib.pictures.rounding_errors import BOTTOM, POSITIONS

SEEDS = pytest.mark.parametrize("seed", range(12))


def row(position, d_model, kind, rounded):
    """Return a row of the encoding with one step rounded, computed column by column."""

    def kept(step, number):
        return float(round_to(number, kind)) if rounded in (step, "everything") else float(number)

    numbers = []
    for j in range(d_model):
        w = kept("frequencies", 10_000.0 ** (-2 * (j // 2) / d_model))
        angle = kept("angles", kept("positions", position) * w)
        numbers.append(kept("sines", np.cos(angle) if j % 2 else np.sin(angle)))
    return np.array(numbers)


def drawn(seed):
    picture = RoundingErrors(**rounding_errors(random.Random(seed)))
    picture.pixels()
    return picture


@SEEDS
def test_the_error_and_its_column_are_those_of_the_row(seed):
    s = (picture := drawn(seed)).state
    errors = np.abs(
        row(s["position"], s["d_model"], s["kind"], s["rounded"]) - encode_positions(s["position"], s["d_model"])
    )
    assert np.isclose(picture.error, errors.max(), rtol=1e-6, atol=1e-11)
    assert np.isclose(errors[picture.column], errors.max(), rtol=1e-6, atol=1e-11)


@SEEDS
def test_every_dot_stands_at_its_position_and_error(seed):
    picture = drawn(seed)
    s, xs, ys = picture.state, *picture._dots.get_data()
    assert np.allclose(10**xs, POSITIONS)
    for k in random.Random(seed).sample(range(len(POSITIONS)), 5):
        pos = int(POSITIONS[k])
        exact = encode_positions(pos, s["d_model"])
        error = np.abs(row(pos, s["d_model"], s["kind"], s["rounded"]) - exact).max()
        assert ys[k] == BOTTOM if error < 1e-9 else np.isclose(10 ** ys[k], error, rtol=1e-5)


@SEEDS
def test_the_words_have_the_numbers_of_the_state(seed):
    picture = drawn(seed)
    s, words = picture.state, picture.describe()
    assert words.startswith(f"d_model {s['d_model']}, {s['rounded']} rounded to {s['kind']}: pos {s['position']:,}: ")
    if picture.error:
        found = re.search(r"column (\d+), a (sine|cosine): (-?[\d.]+) has become (-?[\d.]+)\.", words)
        assert found
        j = int(found[1])
        assert (found[2] == "cosine") == (j % 2 == 1)
        assert float(found[3]) == pytest.approx(encode_positions(s["position"], s["d_model"])[j], abs=1e-8)
        made = row(s["position"], s["d_model"], s["kind"], s["rounded"])[j]
        assert float(found[4]) == pytest.approx(made, abs=1e-8)
    else:
        assert "not off at all" in words


def test_the_angle_that_is_named_is_the_one_the_number_came_of():
    words = RoundingErrors(kind="bfloat16", rounded="positions", position=257).describe()
    assert "its angle: 257.0000 has become 256.0000" in words
    words = RoundingErrors(kind="bfloat16", rounded="sines", position=257, d_model=2).describe()
    assert "its angle is 257.0000, as it should be" in words


def test_the_presets_show_what_they_are_for():
    explorer = explore_rounding()
    assert explorer.preset("positions").picture.error > 0.5
    assert explorer.preset("angles").picture.error > 0.4
    assert explorer.preset("sines").picture.error < 0.002


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"kind": "float8"}, ValueError, "kind must be one of 'float32'"),
        ({"kind": 16}, TypeError, "kind must be one of 'float32'"),
        ({"rounded": "tables"}, ValueError, "rounded must be one of 'positions'"),
        ({"position": 0}, ValueError, "position must lie between 1 and 60000"),
        ({"position": 70_000}, ValueError, "position must lie between 1 and 60000"),
        ({"d_model": 0}, ValueError, "d_model must lie between 1 and 1024"),
        ({"d_model": 2.5}, TypeError, "d_model must be an integer"),
    ],
)
def test_what_cannot_be_drawn_is_refused(state, error, says):
    with pytest.raises(error, match=says):
        RoundingErrors(**state)
