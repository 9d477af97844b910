"""Promise: the picture of other lengths draws every run, and says from where to where the runs of an encoding reach."""

import pytest

from pe_lib import Beyond

RUNS = {"one": [{32: 1.0, 64: 0.22}, {32: 0.9, 64: 0.68}, {32: 1.0, 64: 0.3}], "two": [{32: 0.5, 64: 0.5}]}


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
