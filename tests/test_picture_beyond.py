"""Promise: the picture of other lengths draws every run, and says from where to where the runs of an encoding reach."""

import numpy as np
import pytest
from sheets import drawn, texts

from pe_lib import Beyond
from pe_lib.pictures.scene import Discs

RUNS = {"one": [{32: 1.0, 64: 0.22}, {32: 0.9, 64: 0.68}, {32: 1.0, 64: 0.3}], "two": [{32: 0.5, 64: 0.5}]}


def test_every_run_is_a_dot_as_high_as_its_share() -> None:
    picture = Beyond(RUNS)
    panels = [dots for dots in drawn(picture) if isinstance(dots, Discs)]
    for runs, dots in zip(RUNS.values(), panels, strict=True):
        shares = [share for run in runs for share in run.values()]
        down = np.polyfit(panels[0].centres[:, 1], [1.0, 0.22, 0.9, 0.68, 1.0, 0.3], 1)  # the axis, by the first panel
        np.testing.assert_allclose(np.polyval(down, dots.centres[:, 1]), shares, atol=1e-9)
    assert {"one", "0.2–0.7", "two", "0.5"} <= {*texts(picture)}
    assert "two is right in 50% of all answers, one in 30%" in picture.says()


@pytest.mark.parametrize(
    ("results", "error", "says"),
    [
        (3, TypeError, "results must be a mapping name → list of runs"),
        ({"one": [3]}, TypeError, "results must be a mapping"),
        ({"one": []}, ValueError, "results must have at most 8 names"),
        ({"one": [{}]}, ValueError, "results must have at most 8 names"),
        ({"one": [{32: 1.0}], "two": [{33: 1.0}]}, ValueError, "the same lengths everywhere"),
        ({f"{k}": [{32: 1.0}] for k in range(9)}, ValueError, "at most 8"),
        ({"one": [{32: 1.5}]}, ValueError, "share must lie between 0 and 1"),
        ({"one": [{32: float("nan")}]}, ValueError, "share must be"),
        ({"one": [{0: 1.0}]}, ValueError, "length must be"),
    ],
)
def test_what_are_no_results_is_refused(results, error, says):
    with pytest.raises(error, match=says):
        Beyond(results)
