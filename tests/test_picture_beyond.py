"""Promise: the picture of other lengths draws every run, and says from where to where the runs of an encoding reach."""

import numpy as np
import pytest
from sheets import texts

from pe_lib import Beyond

RUNS = {"one": [{32: 1.0, 64: 0.22}, {32: 0.9, 64: 0.68}, {32: 1.0, 64: 0.3}], "two": [{32: 0.5, 64: 0.5}]}


def test_every_run_is_a_dot_and_the_spread_is_said():
    picture = Beyond(RUNS)
    assert "0.2–0.7" in {text.text for text in texts(picture)}
    assert "one (runs: 3): 32 words 0.9–1.0, 64 words 0.2–0.7" in picture.describe()
    within = Beyond({**RUNS, "one": [*RUNS["one"], {32: 0.95, 64: 0.4}]})  # changes neither spread nor name
    assert {text.text for text in texts(within)} == {text.text for text in texts(picture)}
    assert len(within.frame().background) > len(picture.frame().background)


def test_a_name_keeps_clear_of_the_next_and_stands_in_the_order_of_where_the_lines_end():
    picture = Beyond({name: [{64: share}] for name, share in (("low", 0.1), ("high", 0.9), ("lower", 0.09))})
    elements = [element for element in picture.lay() if getattr(element, "text", None) in ("low", "high", "lower")]
    places = {element.text: element.base for element in elements}
    assert places["high"] < places["low"] < places["lower"]
    assert np.diff(sorted(places.values())).min() > 20


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
