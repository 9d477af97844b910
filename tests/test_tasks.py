"""Tasks tick by keys, drags and presets, and stay ticked; addresses open what was shown; predictions wait."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hostile import HOSTILE
from panels import Seen, drag_round, until
from test_explorers_on_a_page import written

import pe_pictures
from pe_pictures.explorers.pack import page_states
from pe_pictures.explorers.tasks import Task, Tasks, all_tasks, read_tasks

TURNS = Tasks(
    "try the clocks",
    (
        Task("Turn the fast hand to *position* 6.", ({"position": 6},)),
        Task("Bring *position* to between 20 and 30.", ({"position": [20, 30]},)),
        Task("Set *offset* to 3, then back to 0.", ({"offset": 3}, {"offset": 0})),
        Task("Which hand tells 5 from 6?"),
    ),
    "The fast one tells neighbours apart.",
)


@pytest.mark.parametrize(
    ("when", "error", "says"),
    [
        ({"hand": 3}, TypeError, "a task must name controls"),
        ({"position": "five"}, TypeError, "position"),
        ({"position": [1, 2, 3]}, ValueError, "two numbers from which to which"),
        ({"position": [9, 3]}, ValueError, "two numbers from which to which"),
    ],
)
def test_a_condition_that_cannot_be_met_is_refused(when, error, says):
    with pytest.raises(error, match=says):
        pe_pictures.explore_clocks(tasks=Tasks("wrong", (Task("Do it.", (when,)),), ""))


def test_tasks_are_read_from_files_by_their_names(tmp_path):
    (tmp_path / "tasks.toml").write_text(
        '["turn"]\ndone = "Done."\ntasks = [{ says = "Turn.", when = { position = 6 } },'
        ' { says = "On.", when = [{ position = [7, 9] }, { position = 1 }] }, { says = "Why?" }]'
    )
    (tasks,) = read_tasks(tmp_path / "tasks.toml").values()
    assert tasks == Tasks(
        "turn",
        (Task("Turn.", ({"position": 6},)), Task("On.", ({"position": [7, 9]}, {"position": 1})), Task("Why?")),
        "Done.",
    )
    with pytest.raises(ValueError, match="tasks must be one of"):
        pe_pictures.explore_clocks(tasks="turn the moon")


def test_a_page_has_the_states_that_tasks_ask_for_and_their_controls_are_in_view():
    explorer = pe_pictures.explore_clocks(tasks=TURNS)
    states = list(page_states(explorer))
    start = explorer.spec()["start"]
    for more in ({"position": 6}, {"offset": 3}, {"offset": 3, "position": 40}, {"position": 20}):
        assert start | more in states
    assert explorer.spec()["shown"][0] == "offset"
    assert all(tasks.done and tasks.tasks for tasks in all_tasks().values())


def test_what_a_task_says_to_press_is_on_a_button():
    script = (Path(pe_pictures.__file__).parent / "explorers/scripts/5_frame.js").read_text(encoding="utf-8")
    kinds = [kind for kind in map(pe_pictures.__dict__.get, pe_pictures.__all__) if hasattr(kind, "presets")]
    buttons = {name for kind in kinds for name in (*kind.presets, kind.work)}
    buttons |= set(re.findall(r'button\("(.+?)"', script))
    says = " ".join(task.says for tasks in all_tasks().values() for task in tasks.tasks)
    asked = set(re.findall(r"(?:[Pp]ress|then) \*(.+?)\*", says))
    assert len(asked) > 20
    assert asked <= buttons


def test_a_picture_with_tasks_waits_for_the_reader():
    assert pe_pictures.explore_number().spec()["opens"]
    assert not pe_pictures.explore_number(tasks="who bit whom").spec()["opens"]


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> str:
    """Write a page with tasks, another picture, and a question with the output that answers it."""
    explorers = {
        "clocks": (pe_pictures.explore_clocks(tasks=TURNS), ""),
        "number": (pe_pictures.explore_number("Катя любит שלום"), ""),
    }
    asked = json.dumps(pe_pictures.predict("one column tells the position").spec()).replace("'", "&#39;")
    output = "<details class=pe-answer><summary>Output</summary><pre>four</pre></details>"
    return written(tmp_path_factory.mktemp("tasks"), explorers, more=f"<div data-question='{asked}'></div>{output}")


@pytest.fixture
def page(open_page, address):
    page = open_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    yield page
    assert page.troubles == []
    page.close()


def ticked(one: Seen) -> list[bool]:
    """Say of each task whether it has its tick."""
    return one.panel.locator(".pe-tasks li").evaluate_all("all => all.map((one) => one.classList.contains('pe-done'))")


@pytest.mark.browser
def test_tasks_tick_by_keys_by_a_drag_and_by_a_preset_and_stay_ticked(page):
    one = Seen(page, page.locator(".pe-explorer").first)
    assert ticked(one) == [False] * 4
    one.press("ArrowRight")
    until(page, lambda: ticked(one) == [True, False, False, False], "the first tick")
    assert one.panel.locator(".pe-tasks").get_by_role("status").inner_text().startswith("Task 1 is done.")
    one.at_rest()
    dial = pe_pictures.explore_clocks().answer({"set": one.state, "fresh": True})["targets"][0]
    drag_round(page, one, dial, np.linspace(6, 24, 90))
    page.wait_for_timeout(500)
    assert ticked(one) == [True, False, False, False], "not before the hand is let go"
    page.mouse.up()
    until(page, lambda: ticked(one) == [True, True, False, False], "the second tick")
    one.panel.get_by_role("button", name="one hand").click()  # the end of the path, before its beginning
    page.wait_for_timeout(600)
    one.panel.get_by_role("button", name="and 3 ahead").click()
    page.wait_for_timeout(600)
    assert ticked(one) == [True, True, False, False]
    one.panel.get_by_role("button", name="one hand").click()
    until(page, lambda: ticked(one) == [True, True, True, False], "the third tick")
    assert one.panel.locator(".pe-tasks .pe-said").inner_text() == TURNS.done
    page.reload()
    one = Seen(page, page.locator(".pe-explorer").first)
    assert ticked(one) == [True, True, True, False]
    one.panel.get_by_role("button", name="Begin the tasks again").click()
    assert ticked(one) == [False] * 4
    one.press("ArrowRight")
    until(page, lambda: ticked(one)[0], "the first tick once more")


@pytest.mark.browser
def test_a_copied_address_opens_the_same_picture_of_several(page, open_page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for k, name in enumerate(("clocks", "number")):
        one = Seen(page, page.locator(".pe-explorer").nth(k))
        one.press("ArrowRight", "ArrowRight")
        one.at_rest()
        one.panel.get_by_role("button", name="Copy link").click()
        until(page, lambda one=one: one.panel.get_by_role("button", name="Copied").count(), "the copy")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert f"#{name}.position={one.state['position']}" in copied
        other = open_page(viewport={"width": 1280, "height": 720})
        other.goto(copied)
        opened = Seen(other, other.locator(f"[data-explorer={name}] .pe-explorer"))
        opened.until(**one.state)
        assert opened.words == one.words
        assert other.troubles == []
        other.close()


@pytest.mark.browser
def test_hostile_words_in_an_address_change_nothing(page, address):
    for sentence in HOSTILE[::3]:  # drawn on a page, all of them are tried
        part = page.evaluate(
            "text => new URLSearchParams({ 'number.tokens': text, 'number.position': text, x: text }).toString()",
            sentence,
        )
        page.goto("about:blank")
        page.goto(f"{address}#{part}")
        one = Seen(page, page.locator("[data-explorer=number] .pe-explorer"))
        assert one.words == pe_pictures.explore_number("Катя любит שלום").picture.describe()
        assert page.evaluate("window.harmed") is None


@pytest.mark.browser
def test_a_prediction_waits_for_its_choice_and_so_does_the_output(page):
    question = pe_pictures.predict("one column tells the position")
    asked, output = page.locator(".pe-prediction"), page.locator(".pe-answer")
    reasons = list(question.choices.values())
    output.locator("summary").click()
    assert not output.locator("pre").is_visible()
    asked.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")  # the keyboard alone is enough
    assert not any(reason in asked.inner_text() for reason in reasons)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert reasons[1].startswith("Yes"), "the second choice is right"
    assert asked.get_by_role("status").inner_text() == reasons[1], "yes is said once"
    assert output.locator("pre").is_visible()
    assert not any(reason in asked.inner_text() for k, reason in enumerate(reasons) if k != 1)
    asked.get_by_text("And the other answers?").click()
    assert all(reason in asked.inner_text() for reason in reasons)
    asked.get_by_text(next(iter(question.choices)), exact=True).first.click(force=True)
    assert asked.get_by_role("radio").nth(1).is_checked(), "what is locked in stays"
