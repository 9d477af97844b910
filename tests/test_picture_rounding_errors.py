"""The picture of rounding errors reads right: what it shows and says is computed here once more."""

import numpy as np
import pytest
from sheets import drawn, random_state, ruler, texts

from pe_lib import encode_positions, round_to
from pe_pictures import RoundingErrors
from pe_pictures.colours import HERE, SINE
from pe_pictures.rounding_errors import BOTTOM, POSITIONS
from pe_pictures.scene import Curves, Discs

EACH_SHAPE = pytest.mark.parametrize("tall", [False, True])


def row(position: int, d_model: int, kind: str, rounded: str) -> np.ndarray:
    """Return a row of the encoding with one step rounded, computed column by column."""

    def kept(step: str, number: float) -> float:
        return float(round_to(number, kind)) if rounded in (step, "everything") else float(number)

    numbers = []
    for j in range(d_model):
        w = kept("frequencies", 10_000.0 ** (-2 * (j // 2) / d_model))
        angle = kept("angles", kept("positions", position) * w)
        numbers.append(kept("sines", np.cos(angle) if j % 2 else np.sin(angle)))
    return np.array(numbers)


@EACH_SHAPE
@pytest.mark.parametrize("seed", range(8))
def test_the_error_is_that_of_the_row_and_the_dot_stands_at_it(seed: int, tall: bool) -> None:
    picture = RoundingErrors(**random_state(RoundingErrors, seed))
    picture.tall = tall
    s, x_of, y_of = (
        picture.state,
        ruler(picture, {"10": 1.0, "1,000": 3.0}),
        ruler(picture, {"10⁻⁶": -6.0, "1": 0.0}, "end"),
    )
    made = row(s["position"], s["d_model"], s["kind"], s["rounded"])
    errors = np.abs(made - encode_positions(s["position"], s["d_model"]))
    assert picture.error == pytest.approx(errors.max(), abs=1e-11)
    (dot,) = (part for part in drawn(picture) if isinstance(part, Discs) and part.fill == HERE)
    height = y_of(np.log10(max(picture.error, 10**BOTTOM)))
    assert dot.centres[0] == pytest.approx((x_of(np.log10(s["position"])), height))
    (cloud,) = (part for part in drawn(picture) if isinstance(part, Curves) and part.edge == SINE)
    assert len(cloud.curves) == len(POSITIONS)


@EACH_SHAPE
def test_the_numbers_are_written_with_the_wrong_digits_apart(tall: bool) -> None:
    picture = RoundingErrors("float16", "angles", position=200)
    picture.tall = tall
    angle = 200 * 10_000.0 ** (-4 / 64)
    assert {"column 4, a sine", "112.4683", "112.4", "375", "−0.58839343", "−0.", "61298691"} <= {*texts(picture)}
    assert float(round_to(angle, "float16")) == 112.4375
    assert round(angle, 4) == 112.4683
    assert [round(float(np.sin(x)), 8) for x in (angle, 112.4375)] == [-0.58839343, -0.61298691]


def test_the_sentence_says_what_a_position_becomes() -> None:
    assert "becomes \x02256" in RoundingErrors("bfloat16", "positions", position=257).says()
    assert "loses nothing" in RoundingErrors("bfloat16", "positions", position=256).says()
    assert "spoil the row" in RoundingErrors("bfloat16", "angles", position=214).says()
    assert "moves no number by more than" in RoundingErrors("bfloat16", "sines", position=2999).says()


def test_the_presets_show_what_they_are_for() -> None:
    seen = {name: RoundingErrors(**{"position": 201, **state}) for name, state in RoundingErrors.presets.items()}
    assert seen["positions"].error > 0.4
    assert seen["angles"].error > 0.4
    assert seen["sines"].error < 0.002
    assert seen["far out"].error > 1


def test_a_position_beyond_float16_is_refused() -> None:
    with pytest.raises(ValueError, match="position must lie between 1 and 60000"):
        RoundingErrors(position=70_000)
