"""Watching a head learn: the map, the curve and the numbers are what the run has recorded."""

import numpy as np
import pytest
from sheets import drawn, maps, ruler, texts

from pe_lib import Run, train
from pe_pictures import Training
from pe_pictures.colours import HERE, INK
from pe_pictures.scene import Curves, Discs


@pytest.fixture(scope="module")
def run() -> Run:
    return train(Run("RoPE", steps=60, length=12, record=range(61)))


@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize("step", [0, 30, 60])
def test_the_map_the_curve_and_the_numbers_are_those_of_the_run(run: Run, step: int, tall: bool) -> None:
    picture = Training(run, step, 5)
    picture.tall, moment = tall, run.moments[step]
    (cells,) = maps(picture)
    np.testing.assert_array_equal(cells.numbers, moment.attention)
    assert cells.shares
    assert f"{100 * moment.accuracy:.0f}% right" in texts(picture)
    (curve,) = [x for x in drawn(picture) if isinstance(x, Curves) and x.edge == INK]
    (dot,) = [x for x in drawn(picture) if isinstance(x, Discs) and x.fill == HERE]
    losses = np.array([seen.loss for seen in run.moments[: step + 1]])
    np.testing.assert_allclose(curve.curves[0][-1], dot.centres[0])
    heights = curve.curves[0][:, 1]
    np.testing.assert_allclose(heights, heights[0] - (losses - losses[0]) * (heights[0] - _zero(picture)) / -losses[0])


def _zero(picture: Training) -> float:
    """Return how far down a loss of 0 lies."""
    return float(ruler(picture, {"1": 1.0, "2": 2.0}, "end")(0.0))


def test_a_name_opens_on_the_end_and_a_run_where_it_is() -> None:
    assert Training("none").state["step"] == 200
    begun = Run("none", steps=4, length=4)
    assert Training(begun).state["step"] == 0
    assert Training(begun).update(step=3).moment.step == begun.step == 3


def test_the_marked_row_names_the_word_it_takes_most_from(run: Run) -> None:
    row = run.moments[60].attention[5]
    assert f"{100 * row.max():.0f}%" in Training(run, 60, 5).says()
    assert "Step" in Training(run, 0, 5).says()


def test_rows_and_steps_can_be_dragged(run: Run) -> None:
    rows, steps = Training(run).targets()
    assert rows.down == ("place", range(12))
    assert steps.across == ("step", run.record)


def test_shares_are_ink_from_none_to_all(run: Run) -> None:
    (cells,) = maps(Training(run, 60))
    levels = cells.levels()
    np.testing.assert_array_equal(levels, np.rint(np.clip(2 * run.moments[60].attention - 1, -1, 1) * 20))
    assert cells.colours[0][0].tolist() == [244, 245, 247]
    assert cells.colours[0][40].tolist() == [26, 31, 38]
