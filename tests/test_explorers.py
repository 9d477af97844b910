"""Every explorer can be swept over all its controls, says so where it cannot draw, and leaves nothing behind."""

import gc
import itertools
import random
import re
import weakref
from pathlib import Path
from types import SimpleNamespace

import ipywidgets as widgets
import nbformat
import numpy as np
import pytest
from IPython.core import getipython
from ipywidgets.widgets.widget import _instances

import pe_pictures
from pe_lib import Run
from pe_pictures import (
    Broadcasting,
    ExplainThisNumber,
    Explorer,
    Waves,
    explore_all,
    explore_binary,
    explore_broadcasting,
    explore_clocks,
    explore_frequencies,
    explore_heatmap,
    explore_look_back,
    explore_number,
    explore_rotation,
    explore_rounding,
    explore_scores,
    explore_similarity,
    explore_stacking,
    explore_training,
    explore_waves,
    explore_who_bites,
    explore_workbench,
    predict,
)
from pe_pictures.explorers.pack import packed, page_states
from pe_pictures.explorers.prediction import Prediction, questions
from pe_pictures.picture import Picture

NUMBERS = re.compile(r"\d+\.\d{2,}")  # of several digits after the point, which stand nowhere by chance
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
    (explore_frequencies, {}),
    (explore_frequencies, {"scaling": "none", "pair": 0, "factor": 64.0, "trained": 256, "d_model": 4}),
    (explore_heatmap, {}),
    (explore_heatmap, {"length": 10, "d_model": 6, "position": 9, "column": 5}),
    (explore_heatmap, {"matrix": np.arange(12.0).reshape(3, 4), "position": 2, "column": 0}),
    (explore_clocks, {}),
    (explore_clocks, {"d_model": 512, "offset": 100, "position": 700}),
    (explore_rotation, {}),
    (explore_rotation, {"position": 24, "offset": 24, "d_model": 2}),
    (explore_binary, {}),
    (explore_binary, {"number": 63, "n_bits": 6, "d_model": 2, "base": 16.0}),
    (explore_rounding, {}),
    (explore_rounding, {"kind": "bfloat16", "rounded": "everything", "position": 60_000, "d_model": 1024}),
    (explore_scores, {}),
    (explore_scores, {"relative": "RoPE, YaRN", "length": 100, "query": 99, "key": 0, "causal": True}),
    (explore_similarity, {}),
    (explore_similarity, {"d_model": 512, "offset": 43}),
    (explore_look_back, {}),
    (explore_look_back, {"token": 0, "back": -20, "sharpness": 1000, "sentence": "a b", "d_model": 10, "start": 7}),
    (explore_stacking, {}),
    (explore_stacking, {"length": 10, "row": 9}),
    (explore_broadcasting, {}),
    (explore_broadcasting, {"shape": "(L, 1, d)", "batch": 3}),
    (explore_all, {}),
    (explore_all, {"sentence": None, "d_model": 512, "position": 63, "column": 511}),
    (explore_all, {"sentence": "one", "position": 0, "column": 0, "d_model": 4}),
    (explore_training, {}),
    (explore_training, {"run": Run("ALiBi", steps=30, length=6), "place": 5}),
    (explore_who_bites, {}),
    (explore_who_bites, {"head": "RoPE", "position": 30, "last": 38}),
    (explore_workbench, {}),
    (explore_workbench, {"length": 20, "d_model": 7, "layout": "halves"}),
]
EXPLORERS = pytest.mark.parametrize(
    ("explore", "arguments"),
    ARGUMENTS,
    ids=[f"{explore.__name__}-{n}" for n, (explore, _) in enumerate(ARGUMENTS)],
)


@pytest.fixture(scope="module")
def explorer(request) -> Explorer:
    """Return the explorer of a set of arguments, one for all tests that use it."""
    explore, arguments = request.param
    return explore(**arguments)


EACH = pytest.mark.parametrize(
    "explorer", ARGUMENTS, ids=[f"{explore.__name__}-{n}" for n, (explore, _) in enumerate(ARGUMENTS)], indirect=True
)
PLAIN = pytest.mark.parametrize(
    "explorer", [case for case in ARGUMENTS if not case[1]], ids=lambda case: case[0].__name__, indirect=True
)


def test_every_explorer_is_tried_and_every_picture_with_presets_has_one():
    explored = {explore.__name__: type(explore().picture) for explore, arguments in ARGUMENTS if not arguments}
    assert explored.keys() == {name for name in pe_pictures.__all__ if name.startswith("explore_")}
    kinds = {kind for name in pe_pictures.__all__ if isinstance(kind := getattr(pe_pictures, name), type)}
    assert {*explored.values()} == {kind for kind in kinds - {Picture, Explorer} if kind.presets}


def offered(explorer: Explorer) -> dict[str, list]:
    """Return all values that can be reached with each control as it stands."""
    limits, reached = explorer.answer({"fresh": True})["limits"], {}
    for control in explorer.spec()["controls"]:
        now = {**control, **limits.get(control["name"], {})}
        reached[control["name"]] = (
            list(now["options"]) if "options" in now
            else TYPED if now["kind"] == "text"
            else [False, True] if now["kind"] == "tick"
            else list(range(now["least"], now["greatest"] + 1, now["step"]))
        )  # fmt: skip
    return reached


def move(explorer: Explorer, **values) -> dict:
    """Move controls as a page does, and check that it shows what a picture built for that state shows."""
    answer = explorer.answer({"set": values, "fresh": True})
    assert answer["message"] == "", values
    state = explorer.picture.state
    anew = type(explorer.picture)(**state)
    assert (answer["background"], answer["moving"]) == anew.frame(), state
    assert answer["words"] == anew.words()
    for name, ends in answer["limits"].items():
        low, high = (
            (ends["options"][0], ends["options"][-1]) if "options" in ends else (ends["least"], ends["greatest"])
        )
        assert low <= answer["values"][name] <= high, name
    return answer


@pytest.mark.slow
@EACH
def test_it_is_drawn_at_both_ends_of_each_control_and_after_random_moves(explorer):
    for name, values in offered(explorer).items():
        for value in values if values is TYPED else (values[0], values[-1]):
            move(explorer, **{name: value})
        explorer.reset()
    choose = random.Random(4)
    for _ in range(8):
        name, values = choose.choice(list(offered(explorer).items()))
        move(explorer, **{name: choose.choice(values)})
    explorer.reset()


@EACH
def test_presets_set_what_they_name_and_leave_the_rest_and_reset_goes_back(explorer):
    first = explorer.answer({"fresh": True})
    for name, values in explorer.presets.items():
        wanted = explorer.picture.nearest({**explorer.picture.state, **values})
        move(explorer.preset(name))
        assert explorer.picture.state == wanted
    assert explorer.reset().answer({"fresh": True}) == first


@PLAIN
def test_presets_show_different_things(explorer):
    shown = [(explorer.reset().answer({"fresh": True})["background"], explorer.answer({})["moving"])]
    for name in explorer.presets:
        answer = explorer.preset(name).answer({"fresh": True})
        shown.append((answer["background"], answer["moving"]))
    explorer.reset()
    assert len({*shown}) >= max(4, len(shown) - 2), explorer.presets


@EACH
def test_every_control_has_a_name_and_what_is_shown_first_has_a_control(explorer):
    spec = explorer.spec()
    names = [control["name"] for control in spec["controls"]]
    assert all(control["label"] for control in spec["controls"])
    assert {*spec["shown"]} <= {*names}
    assert spec["play"] is None or spec["play"] in names


@EACH
def test_a_click_changes_what_controls_change_and_can_be_drawn(explorer):
    choose = random.Random(2)
    targets = explorer.answer({"fresh": True})["targets"]
    assert targets
    for target in choose.sample(targets, min(6, len(targets))):
        values = dict(target["sets"])
        if "around" in target:
            values[target["around"][0]] = 1
        for side in ("across", "down"):
            if side in target:
                values[target[side][0]] = choose.choice(target[side][1])
        assert values
        assert {*values} <= {*explorer.fields}, "every click has a control that does the same"
        answer = move(explorer, **values)
        assert {name: answer["values"][name] for name in values} == values
    explorer.reset()


@PLAIN
def test_the_states_for_pages_fit_into_one_page(explorer):
    near = [explorer.picture.nearest(state) for state in page_states(explorer)]
    states = [*{repr(values): values for state in near if (values := {n: state[n] for n in explorer.fields})}.values()]
    assert 1 < len(states) <= 400
    start = {name: explorer.picture.state[name] for name in explorer.fields}
    assert start in states
    if explorer.play:
        along = [state for state in states if {**state, explorer.play: start[explorer.play]} == start]
        assert len(along) > 1, "on a page the picture plays from where it opens"


def test_playing_that_is_work_is_called_so_and_done_on_pages():
    run = Run("none", steps=4, length=4)
    explorer = explore_training(run, place=2)
    assert explorer.spec()["work"] == "Train"
    assert (run.step, explorer.picture.state["step"]) == (0, 0)
    answer = explorer.answer({"set": {"step": 2}})
    assert (run.step, answer["values"]["step"]) == (2, 2)
    assert packed(explorer)["spec"]["work"] == "Train"
    assert run.step == 4
    assert explore_waves().spec()["work"] == ""


def test_a_slider_moves_back_when_another_control_takes_its_value_away():
    explorer = Explorer(Broadcasting(), {"length": (2, 4), "position": (0, 2)})
    move(explorer, length=4)
    move(explorer, position=3)
    assert move(explorer, length=2)["values"]["position"] == 1
    limits = explorer.answer({})["limits"]["length"]
    assert (limits["least"], limits["greatest"]) == (2, 4)


def test_a_preset_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(ValueError, match="preset must be one of 'fastest hand'"):
        explore_number().preset("thirteenth word")


def test_an_empty_sentence_is_said_and_nothing_else_moves():
    explorer = explore_number(position=2)
    before = explorer.answer({"fresh": True})
    said = explorer.answer({"set": {"tokens": "  "}, "number": 7})
    assert said["message"] == explorer.message == "This cannot be drawn: tokens must hold at least one word, got none"
    assert said["number"] == 7
    assert "moving" not in said
    assert said["values"] == before["values"]
    again = move(explorer, tokens="I like deep learning too")
    assert again["values"]["position"] == 2


def test_an_answer_ahead_is_whole_and_moves_nothing():
    explorer = explore_waves(position=3)
    explorer.answer({"fresh": True})
    ahead = explorer.answer({"set": {"position": 4}, "ahead": True, "number": 5})
    assert explorer.picture.state["position"] == 3
    later = explorer.answer({"set": {"position": 4}, "number": 5})
    assert {**later, "ahead": True} == ahead | {"era": later["era"]}
    assert "background" not in ahead
    assert "background" in explorer.answer({"set": {"base": 10.0}, "ahead": True})
    assert explorer.answer({"set": {"position": "far"}, "ahead": True}) == {"ahead": True, "tall": False}
    assert explorer.message == ""


def test_a_tall_sheet_is_drawn_where_it_is_asked_for_and_has_a_background_of_its_own():
    explorer = explore_waves()
    wide, tall = explorer.answer({"fresh": True}), explorer.answer({"tall": True})
    assert explorer.spec()["sheets"] == {"wide": [1100, 440], "tall": [520, 760]}
    assert (wide["tall"], tall["tall"]) == (False, True)
    assert 'class="tall" viewBox="0 0 520 760"' in tall["background"]
    assert "background" not in explorer.answer({"set": {"position": 3}})
    assert "background" not in explorer.answer({"set": {"position": 3}, "tall": True})
    assert not explorer.picture.tall


def test_a_text_comes_back_as_it_was_typed():
    said = " two  spaces "
    assert explore_number().answer({"set": {"tokens": said}})["values"]["tokens"] == said


def test_controls_can_be_tuples_lists_and_widgets():
    slider = widgets.IntSlider(3, 0, 15)
    explorer = Explorer(Waves(length=16, position=3), {"base": [10.0, 100.0], "length": (2, 16, 2), "position": slider})
    assert [control["name"] for control in explorer.spec()["controls"]] == ["base", "length"]
    assert explorer.spec()["controls"][1]["step"] == 2
    slider.value = 5
    assert explorer.picture.state["position"] == 5
    explorer.reset()
    assert slider.value == 3
    with pytest.raises(TypeError, match="the control of base must be a widget with a value, a tuple or a list"):
        Explorer(Waves(), {"base": object()})


def test_a_page_is_sent_the_background_only_where_it_has_another():
    explorer = explore_waves()
    assert "background" in explorer.answer({"fresh": True})
    assert "background" not in explorer.answer({"set": {"position": 3}})
    assert "background" in explorer.answer({"set": {"base": 100.0}})
    assert "moving" not in explorer.answer({"set": {"position": 4}, "quiet": True})
    assert explorer.picture.state["position"] == 4


def test_a_picture_moved_by_other_hands_is_a_new_era_for_the_page():
    explorer = Explorer(Waves(), {"position": (0, 3)})
    era = explorer.answer({})["era"]
    assert explorer.answer({"set": {"position": 1}})["era"] == era
    explorer.picture.update(base=100.0)
    assert explorer.answer({"set": {"position": 0}, "quiet": True})["era"] == era + 1


def test_the_stored_output_holds_the_picture_and_its_words_beside_the_live_view():
    explorer = explore_number()
    data, metadata = explorer._repr_mimebundle_()
    assert set(data) == {VIEW, "image/png", "text/plain"}
    assert data["text/plain"] == metadata["image/png"]["alt"] == repr(explorer)
    explorer.close()


def test_a_closed_explorer_leaves_nothing_behind_and_can_be_shown_again():
    widgets.Widget.close_all()  # as a learner may; the script of all panels has to come again
    explorer = Explorer(ExplainThisNumber(), {"position": (0, 3)}, {"first": {"position": 0}}, play="position")
    explorer._repr_mimebundle_()
    assert explorer.panels[0].held.comm is not None
    explorer.close()
    before = set(_instances)
    explorer._repr_mimebundle_()
    explorer._repr_mimebundle_()
    assert len(explorer.panels) == 2
    explorer.close()
    assert set(_instances) == before
    explorer._repr_mimebundle_()
    move(explorer, position=1)
    explorer.close()
    picture = weakref.ref(explorer.picture)
    del explorer
    gc.collect()
    assert picture() is None


@pytest.fixture
def run_cell(monkeypatch):
    """Return a function that shows things as a kernel does that has been asked to run a cell."""
    runs = itertools.count()

    def run(cell: str, *shown, deleted: tuple[str, ...] = ()) -> None:
        message = {"header": {"msg_id": str(next(runs))}, "metadata": {"cellId": cell, "deletedCells": deleted}}
        kernel = SimpleNamespace(get_parent=lambda: message)
        monkeypatch.setattr(getipython, "get_ipython", lambda: SimpleNamespace(kernel=kernel))
        for one in shown:
            one._repr_mimebundle_()

    return run


def test_a_cell_run_ten_times_leaves_one_panel(run_cell):
    gc.collect()
    before = len(_instances)
    run_cell("first", explore_number())
    of_one = len(_instances) - before
    for _ in range(9):
        run_cell("first", explore_number())
    gc.collect()
    assert len(_instances) - before == of_one


def test_a_cell_that_shows_several_explorers_keeps_them_all_and_those_of_others(run_cell):
    one, two, other = explore_number(), explore_number(), explore_number()
    run_cell("second", one, two)
    run_cell("third", other)
    assert all(explorer.panels for explorer in (one, two, other))
    run_cell("second", two)
    assert [bool(explorer.panels) for explorer in (one, two, other)] == [False, True, True]


def test_an_explorer_shown_in_another_cell_too_stays_open(run_cell):
    explorer = explore_number()
    run_cell("fourth", explorer)
    run_cell("fifth", explorer)
    run_cell("fourth", explore_number())
    assert explorer.panels
    run_cell("fifth", explore_number())
    assert not explorer.panels


def test_the_explorer_of_a_deleted_cell_is_closed(run_cell):
    explorer = explore_number()
    run_cell("sixth", explorer)
    run_cell("seventh", explore_number(), deleted=("sixth",))
    assert not explorer.panels


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
    with pytest.raises(TypeError, match="'fast' must name"):
        Explorer(ExplainThisNumber(), {"position": (0, 3)}, {"fast": {"speed": 3}})
    with pytest.raises(TypeError, match="play must name a slider"):
        Explorer(ExplainThisNumber(), {"position": (0, 3)}, play="base")
    with pytest.raises(TypeError, match="picture must be a picture, got 3"):
        Explorer(3)


def test_a_prediction_is_stored_as_text_without_its_answers(run_cell):
    asked = Prediction("Which is 2 < 3?", {"<i>true</i>": "Two is smaller.", "false": "Count again."}, "<i>true</i>")
    data = asked._repr_mimebundle_()
    assert set(data) == {VIEW, "text/html", "text/plain"}
    assert "2 &lt; 3" in data["text/html"]
    assert "<i>" not in data["text/html"]
    assert "smaller" not in data["text/html"] + data["text/plain"]
    run_cell("asked", asked)
    run_cell("asked", predict("swap two words"))
    assert not asked.panels
    with pytest.raises(ValueError, match="choices must hold at least two, got 1"):
        Prediction("Sure?", {"yes": "There was no other choice."}, "yes")
    with pytest.raises(ValueError, match="right must be one of the choices, got 'maybe'"):
        Prediction("Sure?", {"yes": "It is.", "no": "It is not."}, "maybe")


def test_every_question_is_asked_once_in_the_notebooks_and_each_choice_has_a_reason_of_its_own():
    notebooks = Path(__file__).parent.parent / "notebooks"
    asked = [
        name
        for path in sorted(notebooks.glob("*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
        for name in re.findall(r"^predict\(\"(.*)\"\)$", cell.source, re.MULTILINE)
    ]
    assert asked == list(questions())
    for question in questions().values():
        assert question["question"].endswith("?")
        assert question["right"] in question["choices"]
        assert len({*question["choices"].values()}) == len(question["choices"]) >= 3
    with pytest.raises(ValueError, match=r"name must be one of '.*'swap two words'"):
        predict("the weather")
