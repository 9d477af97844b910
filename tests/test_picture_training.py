"""Promise: a step of a training is drawn as it was recorded, and nothing is trained further than is asked for."""

import numpy as np
import pytest
from sheets import faults, levels, texts

from pe_lib import Run, Training, train, which_came_first
from pe_lib.pictures.training import MAP


def test_a_step_is_what_was_recorded_whatever_way_leads_there():
    ahead, back = Training(Run(steps=40, length=8)), Training(train(Run(steps=40, length=8)))
    assert (ahead.state["step"], back.state["step"]) == (0, 40)
    for step in (2, 20, 10, 40, 0):
        assert ahead.update(step=step).frame() == back.update(step=step).frame()
        assert ahead.words() == back.words()
        assert np.array_equal(
            levels(ahead.move(), MAP, (8, 8)), np.rint(25 * back.state["run"].moment_at(step).attention)
        )


def test_it_trains_as_far_as_it_is_asked_to_and_no_further():
    run = Run("none", steps=40, length=6, record=[0, 10, 40])
    picture = Training(run)
    assert run.step == 0
    picture.update(step=10).frame()
    assert run.step == 10
    picture.update(step=0).frame()
    assert (run.step, len(run.moments)) == (10, 2)


def test_the_large_number_is_the_share_of_right_answers_and_covered_it_is_nowhere():
    picture = Training(train(Run(steps=60)), step=60)
    share = f"{picture.moment.accuracy:.2f}"
    assert max(texts(picture), key=lambda text: text.size).text == share
    assert share not in {text.text for text in texts(picture, "answer")}
    assert share in picture.describe()
    assert share not in picture.describe(covered=True)
    assert np.isnan(levels([*picture.lay(), *picture.move()], MAP, (32, 32), "answer")).all()


def test_the_nearest_recorded_step_is_taken_and_a_place_comes_back_into_a_shorter_sentence():
    picture = Training(Run(steps=40, length=8, record=[0, 10, 40]), step=12, place=7)
    assert picture.state["step"] == 10
    picture.update(run=Run("none", which_came_first(), steps=40, length=3, record=[0, 40]))
    assert (picture.state["step"], picture.state["place"]) == (0, 2)
    assert faults(picture) == []


def test_a_click_on_the_curve_goes_to_a_step_and_one_on_the_square_to_a_row():
    run = Run(steps=40, length=8, record=[0, 10, 40])
    rows, steps = Training(run).targets()
    assert rows.down == ("place", range(8))
    assert steps.across == ("step", (0, 10, 40))


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"run": "no such name"}, ValueError, "encoding must be"),
        ({"run": Run(record=())}, ValueError, "run must record some of its steps"),
        ({"step": 301}, ValueError, "step must lie between 0 and 300"),
        ({"step": 1.5}, TypeError, "step must be"),
        ({"place": "a"}, TypeError, "place must be"),
    ],
)
def test_what_cannot_be_shown_is_refused(state, error, says):
    with pytest.raises(error, match=says):
        Training(**state)


def test_a_moment_that_is_not_recorded_is_refused():
    with pytest.raises(ValueError, match=r"step must be one of those recorded, \(0, 3\), got 2"):
        Run(steps=3, record=[3, 0, 3]).moment_at(2)
