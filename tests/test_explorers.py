"""Every explorer can be swept over all its controls, says so where it cannot draw, and leaves nothing behind."""

import gc
import io
import itertools
import random
import re
import weakref
from base64 import b64decode
from pathlib import Path
from types import SimpleNamespace

import ipywidgets as widgets
import nbformat
import numpy as np
import pytest
from IPython.core import getipython
from ipywidgets.widgets.widget import _instances
from matplotlib.figure import Figure
from PIL import Image

from pe_lib import (
    Broadcasting,
    ExplainThisNumber,
    Explorer,
    explore_binary,
    explore_broadcasting,
    explore_clocks,
    explore_heatmap,
    explore_look_back,
    explore_number,
    explore_rounding,
    explore_similarity,
    explore_stacking,
    explore_waves,
    explore_workbench,
    predict,
)
from pe_lib.explorers.questions import QUESTIONS
from pe_lib.explorers.quiz import Prediction

VIEW = "application/vnd.jupyter.widget-view+json"
TYPED = [
    "I like deep learning",
    "one",
    "<b>bold</b> <script>alert(1)</script> &amp;",
    "$x^2$ \\frac{ $$ _^",
    "smile 😀 👩‍👩‍👧 שלום עולם مرحبا",
    "word " * 500,
    "x" * 10_000,
    "tab\tnew\nline \x00 \u202e",
]
ARGUMENTS = [
    (explore_number, {}),
    (explore_number, {"sentence": "one", "position": 0, "column": 0, "d_model": 1}),
    (explore_number, {"sentence": ["a", "b"] * 9, "d_model": 12}),
    (explore_number, {"sentence": ["two words", "in one"], "position": 1}),
    (explore_waves, {}),
    (explore_waves, {"sentence": "Dan loves icecream", "position": 2}),
    (explore_waves, {"d_model": 512, "length": 300, "base": 77.0}),
    (explore_heatmap, {}),
    (explore_heatmap, {"length": 10, "d_model": 6, "position": 9, "column": 5}),
    (explore_heatmap, {"matrix": np.arange(12.0).reshape(3, 4), "position": 2, "column": 0}),
    (explore_clocks, {}),
    (explore_clocks, {"d_model": 512, "offset": 100, "last": 7}),
    (explore_binary, {}),
    (explore_binary, {"number": 63, "n_bits": 6, "d_model": 2, "base": 16.0}),
    (explore_rounding, {}),
    (explore_rounding, {"kind": "bfloat16", "rounded": "everything", "position": 60_000, "d_model": 1024}),
    (explore_similarity, {}),
    (explore_similarity, {"d_model": 512, "offset": 43, "log": True}),
    (explore_look_back, {}),
    (explore_look_back, {"token": 0, "back": -20, "sharpness": 1000, "length": 2, "d_model": 10, "start": 7}),
    (explore_stacking, {}),
    (explore_stacking, {"length": 10, "row": 9}),
    (explore_broadcasting, {}),
    (explore_broadcasting, {"shape": "(L, 1, d)", "batch": 3}),
    (explore_workbench, {}),
    (explore_workbench, {"length": 120, "d_model": 7, "scale": 3.0, "layout": "halves", "numbers": "float16"}),
]
EXPLORERS = pytest.mark.parametrize(
    ("explore", "arguments"),
    ARGUMENTS,
    ids=[f"{explore.__name__}-{n}" for n, (explore, _) in enumerate(ARGUMENTS)],
)


def values(control) -> list:
    """Return all values that a learner can reach with a control as it stands."""
    if isinstance(control, widgets.IntSlider):
        return list(range(control.min, control.max + 1, control.step))
    if isinstance(control, widgets.Checkbox):
        return [False, True]
    if isinstance(control, widgets.Text):
        return TYPED
    return [value for _, value in control._options_full]


def ends(control) -> list:
    """Return the first and the last value of a control; of a text box, some texts."""
    reachable = values(control)
    return reachable if isinstance(control, widgets.Text) else [reachable[0], reachable[-1]]


def shown(explorer: Explorer) -> np.ndarray:
    """Return the pixels that the panel shows now."""
    return np.asarray(Image.open(io.BytesIO(b64decode(explorer._screen.png))).convert("RGB"))


def expected(explorer: Explorer) -> np.ndarray:
    """Return the pixels of a picture built anew where the controls are."""
    state = {**explorer.picture.state, **{name: control.value for name, control in explorer.controls.items()}}
    return type(explorer.picture)(**state).pixels()[..., :3]


def assert_it_shows_where_its_controls_are(explorer: Explorer) -> None:
    where = {name: control.value for name, control in explorer.controls.items()}
    assert explorer.message == "", where
    assert np.array_equal(shown(explorer), expected(explorer)), where
    assert explorer._screen.words == explorer.picture.describe()


@pytest.mark.slow
@EXPLORERS
def test_it_is_drawn_at_both_ends_of_each_control(explore, arguments):
    explorer = explore(**arguments)
    for control in explorer.controls.values():
        for value in ends(control):
            control.value = value
            assert explorer.message == "", (control.description, value)
        assert_it_shows_where_its_controls_are(explorer)
        explorer.reset()


@pytest.mark.slow
@EXPLORERS
def test_it_is_drawn_in_corners_of_all_controls_and_after_random_moves(explore, arguments):
    explorer, choose = explore(**arguments), random.Random(1)
    for _ in range(8):
        for control in explorer.controls.values():
            control.value = choose.choice(ends(control))
        assert explorer.message == ""
    assert_it_shows_where_its_controls_are(explorer)
    for _ in range(40):
        control = choose.choice(list(explorer.controls.values()))
        control.value = choose.choice(values(control))
        assert explorer.message == ""
    assert_it_shows_where_its_controls_are(explorer)


@pytest.mark.slow
@EXPLORERS
def test_presets_and_reset_go_where_they_say_from_wherever_one_is(explore, arguments):
    explorer, choose = explore(**arguments), random.Random(2)
    start, where = shown(explorer), {name: control.value for name, control in explorer.controls.items()}
    assert explorer.presets
    for name, state in explorer.presets.items():
        for control in explorer.controls.values():
            control.value = choose.choice(values(control))
        explorer.preset(name)
        assert {name: control.value for name, control in explorer.controls.items()} == where | state
        assert_it_shows_where_its_controls_are(explorer)
    assert np.array_equal(shown(explorer.reset()), start)


@pytest.mark.slow
@EXPLORERS
def test_a_slider_moves_back_when_another_control_takes_its_value_away(explore, arguments):
    explorer, choose = explore(**arguments), random.Random(3)
    for control in explorer.controls.values():
        control.value = ends(control)[-1]
    for control in choose.sample(list(explorer.controls.values()), len(explorer.controls)):
        control.value = ends(control)[0]
        assert explorer.message == ""
        for name, (least, greatest) in explorer.picture.limits(explorer.picture.state).items():
            if name in explorer.controls:
                assert (explorer.controls[name].min, explorer.controls[name].max) == (least, greatest)
                assert least <= explorer.controls[name].value <= greatest


@EXPLORERS
def test_what_plays_begins_where_its_slider_is(explore, arguments):
    player, played = explore(**arguments)._play
    assert (player.value, player.min, player.max) == (played.value, played.min, played.max)


def test_what_plays_stays_with_its_slider_when_the_range_changes(monkeypatch):
    explorer = explore_waves(position=9)
    player, played = explorer._play
    played.value = 3  # the browser lets the buttons follow; the kernel hears of it a little later
    sent = []
    monkeypatch.setattr(widgets.Play, "_send", lambda _, message, **__: sent.append(message["state"]))
    explorer.controls["length"].value = 6
    assert (player.value, player.min, player.max) == (3, 0, 5)
    assert [state.get("value") for state in sent] == [3], "one message, and no other value on the way"
    explorer.controls["length"].value = 2
    assert player.value == played.value == 1


@pytest.mark.slow
@EXPLORERS
def test_every_control_has_a_label_and_the_words_that_appear_over_it(explore, arguments):
    for control in explore(**arguments).controls.values():
        assert control.description
        assert control.tooltip == control.description


def test_a_preset_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(ValueError, match=r"preset must be one of 'first word'.*got 'nowhere'"):
        explore_number().preset("nowhere")


def test_a_slider_whose_own_range_holds_nothing_that_can_be_drawn_keeps_it_and_says_so():
    explorer = Explorer(Broadcasting(length=5, position=4), {"position": (3, 4), "length": (2, 6)})
    explorer.controls["length"].value = 2
    assert explorer.message == "This cannot be drawn: position must lie between 0 and 1, got 4"
    assert (explorer.controls["position"].min, explorer.controls["position"].max) == (3, 4)
    explorer.controls["length"].value = 6
    assert explorer.message == ""


def test_buttons_do_what_presets_do():
    explorer = explore_number()
    buttons = {button.description: button for button in explorer.panel.children[1].children}
    assert list(buttons) == ["", *explorer.presets, "Reset"], "the first one plays"
    buttons["last word"].click()
    assert explorer.controls["position"].value == 3
    buttons["Reset"].click()
    assert explorer.controls["position"].value == 2


def test_an_empty_sentence_is_said_and_the_last_good_picture_stays():
    explorer = explore_number()
    good = shown(explorer)
    explorer.controls["tokens"].value = "   "
    assert explorer.message == "This cannot be drawn: tokens must hold at least one word, got none"
    assert np.array_equal(shown(explorer), good)
    assert explorer.picture.state["tokens"] == ("I", "like", "deep", "learning")
    explorer.controls["tokens"].value = "Dan loves icecream"
    assert explorer.controls["position"].max == 2
    assert_it_shows_where_its_controls_are(explorer)


def test_a_function_of_ones_own_can_be_explored_in_three_lines():
    def wave(axes, frequency):
        axes.plot(np.sin(frequency * np.arange(30)))

    explorer = Explorer(wave, {"frequency": (0.0, 2.0)})
    first = shown(explorer)
    explorer.controls["frequency"].value = 0.3
    assert not np.array_equal(shown(explorer), first)
    assert repr(explorer) == explorer._screen.words == "wave with frequency 0.3"
    assert np.array_equal(shown(explorer.reset()), first)


def test_controls_can_be_written_as_tuples_lists_and_truth_values():
    def draw(axes, n, x, fine, colour, grid):
        axes.plot(np.arange(n) * x / fine, color=colour)
        axes.grid(grid)

    explorer = Explorer(
        draw, {"n": (1, 9), "x": (0.0, 1.0), "fine": (1, 100, 3), "colour": ["red", "blue"], "grid": True}
    )
    assert explorer.message == ""
    assert {name: control.description for name, control in explorer.controls.items()} == {
        name: name for name in ("n", "x", "fine", "colour", "grid")
    }
    assert explorer.controls["fine"].step == 3
    with pytest.raises(TypeError, match="controls must be widgets, tuples"):
        Explorer(draw, {"n": object()})


def test_trouble_in_a_function_of_ones_own_is_shown_as_text_and_never_run():
    def broken(axes, k):
        axes.plot([0, 1 / k])
        if k == 3:
            raise KeyError("<script>alert(1)</script>")

    explorer = Explorer(broken, {"k": (0, 3)})
    good = shown(explorer)
    explorer.controls["k"].value = 0
    assert explorer.message == "This cannot be drawn: ZeroDivisionError: division by zero"
    explorer.controls["k"].value = 3
    assert explorer.message == "This cannot be drawn: KeyError: '<script>alert(1)</script>'"
    assert "<script>" not in explorer._words.value
    assert np.array_equal(shown(explorer), good)
    explorer.controls["k"].value = 1
    assert explorer.message == ""
    assert np.array_equal(shown(explorer), good)


def test_the_stored_output_holds_the_picture_and_its_words_beside_the_live_view():
    explorer = explore_number()
    data, metadata = explorer._repr_mimebundle_()
    assert set(data) == {VIEW, "image/png", "text/plain"}
    assert data["text/plain"] == metadata["image/png"]["alt"] == repr(explorer)


@pytest.mark.parametrize("play", [None, "position"])
def test_copies_in_several_views_share_one_panel_and_a_closed_one_leaves_nothing_behind(play):
    before = set(_instances)
    explorer = Explorer(ExplainThisNumber(), {"position": (0, 3)}, {"first": {"position": 0}}, play=play)
    assert explorer._repr_mimebundle_()[0][VIEW] == explorer._repr_mimebundle_()[0][VIEW]
    picture, screen = weakref.ref(explorer.picture), weakref.ref(explorer._screen)
    explorer.close()
    assert set(_instances) == before
    del explorer
    gc.collect()
    assert (picture(), screen()) == (None, None)


def test_a_closed_explorer_shown_again_works_again():
    explorer = explore_number()
    explorer.close()
    explorer._repr_mimebundle_()
    explorer.controls["position"].value = 1
    assert_it_shows_where_its_controls_are(explorer)
    assert {widget.model_id for widget in explorer.panel.children} <= set(_instances)


@pytest.fixture
def run_cell(monkeypatch):
    """Return a function that shows an explorer as a kernel does that has been asked to run a cell."""
    runs = itertools.count()

    def run(cell: str, *explorers: Explorer, deleted: tuple[str, ...] = ()) -> None:
        message = {"header": {"msg_id": str(next(runs))}, "metadata": {"cellId": cell, "deletedCells": deleted}}
        kernel = SimpleNamespace(get_parent=lambda: message)
        monkeypatch.setattr(getipython, "get_ipython", lambda: SimpleNamespace(kernel=kernel))
        for explorer in explorers:
            explorer._repr_mimebundle_()

    return run


def test_a_cell_run_ten_times_leaves_one_panel_and_no_figure(run_cell):
    gc.collect()
    widgets_before = len(_instances)
    run_cell("first", explore_number())
    of_one = len(_instances) - widgets_before
    gc.collect()
    figures = sum(isinstance(thing, Figure) for thing in gc.get_objects())
    for _ in range(9):
        run_cell("first", explore_number())
    gc.collect()
    assert len(_instances) - widgets_before == of_one
    assert sum(isinstance(thing, Figure) for thing in gc.get_objects()) == figures


def test_a_cell_that_shows_several_explorers_keeps_them_all_and_those_of_others(run_cell):
    one, two, other = explore_number(), explore_number(), explore_number()
    run_cell("second", one, two)
    run_cell("third", other)
    assert [explorer._closed for explorer in (one, two, other)] == [False, False, False]
    run_cell("second", two)
    assert [explorer._closed for explorer in (one, two, other)] == [True, False, False]


def test_an_explorer_shown_in_another_cell_too_stays_open(run_cell):
    explorer = explore_number()
    run_cell("fourth", explorer)
    run_cell("fifth", explorer)
    run_cell("fourth", explore_number())
    assert not explorer._closed
    run_cell("fifth", explore_number())
    assert explorer._closed


def test_the_explorer_of_a_deleted_cell_is_closed(run_cell):
    explorer = explore_number()
    run_cell("sixth", explorer)
    run_cell("seventh", explore_number(), deleted=("sixth",))
    assert explorer._closed


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


def test_controls_presets_and_play_must_belong_to_the_picture():
    with pytest.raises(TypeError, match="controls must name"):
        Explorer(ExplainThisNumber(), {"speed": widgets.IntSlider()})
    with pytest.raises(TypeError, match="preset 'fast' must name"):
        Explorer(ExplainThisNumber(), {"position": widgets.IntSlider(max=3)}, {"fast": {"speed": 3}})
    with pytest.raises(TypeError, match="play must name a slider"):
        Explorer(ExplainThisNumber(), {"position": (0, 3)}, play="base")


def test_what_plays_goes_as_far_as_its_slider_and_stops_at_a_reset():
    explorer = Explorer(ExplainThisNumber(), {"position": (0, 3)}, play="position")
    player = explorer.panel.children[1].children[0]
    assert (player.min, player.max, player.step) == (0, 3, 1)
    player.playing = True
    explorer.reset()
    assert player.playing is False


def test_a_prediction_answers_each_choice_with_its_reason_and_nothing_before():
    asked = Prediction("Which is 2 < 3?", {"<i>true</i>": "Two is <b>smaller</b>.", "false": "Count again."})
    assert asked.reason == ""
    asked._buttons.value = "<i>true</i>"
    assert asked.reason == "Two is <b>smaller</b>."
    assert "Two is &lt;b&gt;smaller" in asked._reason.value
    asked._buttons.value = "false"
    assert asked.reason == "Count again."
    with pytest.raises(ValueError, match="choices must hold at least two, got 1"):
        Prediction("Sure?", {"yes": "There was no other choice."})


def test_a_prediction_is_stored_as_text_without_its_answers(run_cell):
    asked = Prediction("Which is 2 < 3?", {"<i>true</i>": "Two is smaller.", "false": "Count again."})
    data = asked._repr_mimebundle_()
    assert set(data) == {VIEW, "text/html", "text/plain"}
    assert "2 &lt; 3" in data["text/html"]
    assert "<i>" not in data["text/html"]
    assert "smaller" not in data["text/html"] + data["text/plain"]
    run_cell("asked", asked)
    run_cell("asked", predict("swap two words"))
    assert asked._closed


def test_every_question_is_asked_once_in_the_notebooks_and_each_choice_has_a_reason_of_its_own():
    notebooks = Path(__file__).parent.parent / "notebooks"
    asked = [
        name
        for path in sorted(notebooks.glob("*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
        for name in re.findall(r"^predict\(\"(.*)\"\)$", cell.source, re.MULTILINE)
    ]
    assert asked == list(QUESTIONS)
    for question, choices in QUESTIONS.values():
        assert question.endswith("?")
        assert len({*choices.values()}) == len(choices) >= 3
        assert not any(re.match(r"(?i)(correct|right|wrong|yes|no)\b[.,!]", reason) for reason in choices.values())
    with pytest.raises(ValueError, match="name must be one of 'swap two words'"):
        predict("the weather")


def test_a_slider_made_narrower_than_the_picture_allows_stays_so():
    explorer = Explorer(Broadcasting(), {"length": (2, 4), "position": (0, 2)})
    assert (explorer.controls["length"].min, explorer.controls["length"].max) == (2, 4)
    explorer.controls["length"].value = 4
    assert (explorer.controls["position"].min, explorer.controls["position"].max) == (0, 3)
    explorer.controls["position"].value = 3
    explorer.controls["length"].value = 2
    assert explorer.controls["position"].value == 1
    assert explorer.message == ""
