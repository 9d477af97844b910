"""Every explorer can be swept over all its controls and presets, and says so where it cannot draw."""

import gc
import io
import itertools
import random
import weakref

import ipywidgets as widgets
import numpy as np
import pytest
from PIL import Image

from pe_lib import ExplainThisNumber, Explorer, explore_number

VIEW = "application/vnd.jupyter.widget-view+json"


def values(control) -> list:
    """Return all values that a learner can reach with a control."""
    if isinstance(control, widgets.IntSlider):
        return list(range(control.min, control.max + 1, control.step))
    return [value for _, value in control.options]


def shown(explorer: Explorer) -> np.ndarray:
    """Return the pixels that the panel shows now."""
    return np.asarray(Image.open(io.BytesIO(explorer._image.value)))


def expected(explorer: Explorer) -> np.ndarray:
    """Return the pixels of a picture built anew where the controls are."""
    state = {**explorer.picture.state, **{name: control.value for name, control in explorer.controls.items()}}
    return type(explorer.picture)(**state).pixels()[..., :3]


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [{}, {"sentence": "one", "position": 0, "column": 0, "d_model": 1}, {"sentence": ["a", "b"] * 9, "d_model": 12}],
    ids=["first", "smallest", "long"],
)
def test_number_is_drawn_at_every_end_of_every_control(arguments):
    explorer = explore_number(**arguments)
    ends = [(values(control)[0], values(control)[-1]) for control in explorer.controls.values()]
    for corner in itertools.product(*ends):
        for control, value in zip(explorer.controls.values(), corner, strict=True):
            control.value = value
        assert explorer.message == ""
        assert np.array_equal(shown(explorer), expected(explorer)), corner
        assert explorer._image.tooltip == explorer.picture.describe()


@pytest.mark.slow
def test_number_is_drawn_after_a_few_hundred_random_moves():
    explorer, choose = explore_number(), random.Random(1)
    for move in range(300):
        control = choose.choice(list(explorer.controls.values()))
        control.value = choose.choice(values(control))
        assert explorer.message == ""
        if move % 30 == 0:
            assert np.array_equal(shown(explorer), expected(explorer))
    assert np.array_equal(shown(explorer), expected(explorer))


def test_presets_and_reset_go_where_they_say():
    explorer = explore_number()
    start = shown(explorer)
    for name, state in explorer.presets.items():
        explorer.preset(name)
        wanted = {"position": 2, "column": 3, "base": 10_000.0} | state
        assert {name: control.value for name, control in explorer.controls.items()} == wanted
        assert np.array_equal(shown(explorer), expected(explorer))
    assert np.array_equal(shown(explorer.reset()), start)
    with pytest.raises(ValueError, match=r"preset must be one of 'first word'.*got 'nowhere'"):
        explorer.preset("nowhere")


def test_no_control_is_without_the_words_that_appear_over_its_label():
    assert [control.tooltip for control in explore_number().controls.values()] == ["position", "column", "base"]


def test_buttons_do_what_presets_do():
    explorer = explore_number()
    buttons = {button.description: button for button in explorer.panel.children[1].children}
    assert list(buttons) == [*explorer.presets, "Reset"]
    buttons["last word"].click()
    assert explorer.controls["position"].value == 3
    buttons["Reset"].click()
    assert explorer.controls["position"].value == 2


def test_what_cannot_be_drawn_is_said_and_the_last_good_picture_stays():
    slider = widgets.IntSlider(3, min=0, max=9, description="position")
    explorer = Explorer(ExplainThisNumber(position=3), {"position": slider})
    good = shown(explorer)
    slider.value = 9
    assert "position must lie between 0 and 3, the last word, got 9" in explorer.message
    assert np.array_equal(shown(explorer), good)
    assert explorer.picture.state["position"] == 3
    slider.value = 0
    assert explorer.message == ""
    assert np.array_equal(shown(explorer), expected(explorer))


def test_trouble_is_shown_as_text_and_never_run():
    class Broken(ExplainThisNumber):
        def describe(self) -> str:
            raise RuntimeError("<script>alert(1)</script>")

    explorer = Explorer(Broken(), {"position": widgets.IntSlider(0, max=3)})
    assert "<script>" not in explorer._words.value
    assert explorer.message == "This cannot be drawn: <script>alert(1)</script>"


def test_the_stored_output_holds_the_picture_and_its_words_beside_the_live_view():
    explorer = explore_number()
    data, metadata = explorer._repr_mimebundle_()
    assert set(data) == {VIEW, "image/png", "text/plain"}
    assert data["text/plain"] == metadata["image/png"]["alt"] == repr(explorer)


def test_copies_in_several_views_share_one_panel_and_a_closed_one_leaves_nothing_behind():
    explorer = explore_number()
    assert explorer._repr_mimebundle_()[0][VIEW] == explorer._repr_mimebundle_()[0][VIEW]
    gone = weakref.ref(explorer.picture)
    widgets.Widget.close_all()
    del explorer
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"sentence": ""}, ValueError),
        ({"position": 4}, ValueError),
        ({"column": 6}, ValueError),
        ({"d_model": 0}, ValueError),
        ({"base": "ten"}, TypeError),
    ],
)
def test_a_first_state_that_cannot_be_is_refused_at_the_door(arguments, error):
    with pytest.raises(error, match="must"):
        explore_number(**arguments)


def test_controls_and_presets_must_belong_to_the_picture():
    with pytest.raises(TypeError, match="controls must name"):
        Explorer(ExplainThisNumber(), {"speed": widgets.IntSlider()})
    with pytest.raises(TypeError, match="preset 'fast' must name"):
        Explorer(ExplainThisNumber(), {"position": widgets.IntSlider(max=3)}, {"fast": {"speed": 3}})
