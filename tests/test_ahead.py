"""What a slider will show next is drawn beforehand, is the picture that it should be, and disturbs nothing."""

import asyncio
import io
from base64 import b64decode
from contextlib import suppress

import ipywidgets as widgets
import numpy as np
import pytest
from PIL import Image

import pe_lib
from pe_lib import Broadcasting, Explorer, explore_broadcasting, explore_clocks
from pe_lib.explorers.ahead import one_step_on
from pe_lib.explorers.explorer import base_slider

EXPLORERS = [getattr(pe_lib, name) for name in pe_lib.__all__ if name.startswith("explore_")]


def in_a_loop(steps) -> None:
    """Run a coroutine as in a kernel, and fail if anything was raised between its steps."""
    troubles = []

    async def watched():
        asyncio.get_running_loop().set_exception_handler(lambda _, trouble: troubles.append(trouble))
        await steps

    asyncio.run(watched())
    assert troubles == []


def pixels(png: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(b64decode(png))).convert("RGB"))


def ahead(explorer: Explorer) -> str:
    """Return the image that is in the browser but not shown."""
    return getattr(explorer._screen, explorer._screen._hidden)


def anew(explorer: Explorer, **state) -> np.ndarray:
    """Return the pixels of a new picture, where the controls are but for what is named."""
    where = {name: control.value for name, control in explorer.controls.items()}
    return type(explorer.picture)(**{**explorer.picture.state, **where, **state}).pixels()[..., :3]


async def until_drawn(explorer: Explorer, before: str) -> None:
    for _ in range(500):
        if ahead(explorer) != before:
            return
        await asyncio.sleep(0.01)
    pytest.fail("nothing was drawn ahead")


def ways_to_move(slider):
    """Return each value one step away from a slider's, with the one after it, as far as they are within reach."""
    here, reachable = slider.value, range(slider.min, slider.max + 1)
    return [(here + by, here + 2 * by) for by in (slider.step, -slider.step) if here + 2 * by in reachable]


@pytest.mark.slow
@pytest.mark.parametrize("explore", EXPLORERS, ids=lambda explore: explore.__name__)
def test_one_step_on_is_drawn_ahead_and_shown_by_a_short_message(explore):
    async def steps():
        drawn = 0
        for name in [name for name, control in explore().controls.items() if isinstance(control, widgets.IntSlider)]:
            for value, beyond in ways_to_move(explore().controls[name]):
                explorer = explore()
                slider = explorer.controls[name]
                slider.value = value
                here, before = str(explorer.picture.state), ahead(explorer)
                await asyncio.sleep(0.2)
                assert str(explorer.picture.state) == here, "the picture itself stays where it is"
                assert np.array_equal(pixels(explorer._screen.png), anew(explorer))
                if ahead(explorer) == before:
                    with suppress(ValueError):  # a state that cannot be drawn
                        assert explorer.picture.glimpse(**{name: beyond}) is None
                    continue
                assert np.array_equal(pixels(ahead(explorer)), anew(explorer, **{name: beyond}))
                sent = explorer._screen.even, explorer._screen.odd
                slider.value = beyond
                assert (explorer._screen.even, explorer._screen.odd) == sent, "no image is sent again"
                assert np.array_equal(pixels(explorer._screen.png), anew(explorer))
                assert explorer._screen.words == type(explorer.picture)(**explorer.picture.state).describe()
                drawn += 1
        assert drawn or explore is explore_broadcasting, "only there is nowhere room for two quick steps"

    in_a_loop(steps())


def test_moving_on_before_the_picture_is_drawn_forgets_it():
    async def steps():
        explorer = explore_clocks(position=5)
        for position in (6, 7, 8):
            explorer.controls["position"].value = position
        before = ahead(explorer)
        await until_drawn(explorer, before)
        assert np.array_equal(pixels(ahead(explorer)), anew(explorer, position=9))
        assert np.array_equal(pixels(explorer._screen.png), anew(explorer))

    in_a_loop(steps())


def test_a_way_back_over_known_pictures_draws_none_of_them_again(monkeypatch):
    explorer = explore_clocks(position=5)
    seen = {}
    for position in range(5, 12):
        explorer.controls["position"].value = position
        seen[position] = explorer._screen.png, explorer._screen.words
    monkeypatch.setattr(explorer.picture, "pixels", lambda: pytest.fail("it was drawn again"))
    for position in (9, 6, 11, 5):
        explorer.controls["position"].value = position
        assert (explorer._screen.png, explorer._screen.words) == seen[position]


def test_a_picture_moved_by_other_hands_is_drawn_again():
    explorer = Explorer(Broadcasting(length=4), {"position": (0, 3)})
    explorer.controls["position"].value = 1
    explorer.picture.update(batch=3)
    explorer.controls["position"].value = 0
    assert np.array_equal(pixels(explorer._screen.png), anew(explorer, batch=3))


def test_a_function_of_ones_own_is_called_when_the_slider_moves_and_only_then():
    calls, colour = [], ["red"]

    def draw(axes, n):
        calls.append(n)
        axes.plot(range(n + 2), color=colour[0])

    async def steps():
        explorer = Explorer(draw, {"n": (0, 9)})
        explorer.controls["n"].value = 3
        red = pixels(explorer._screen.png)
        explorer.controls["n"].value = 4
        colour[0] = "blue"
        explorer.controls["n"].value = 3
        assert not np.array_equal(pixels(explorer._screen.png), red), "the function draws in another colour now"
        await asyncio.sleep(0.2)
        assert calls[-3:] == [3, 4, 3]

    in_a_loop(steps())


def test_what_cannot_be_drawn_is_no_trouble_before_the_slider_gets_there():
    async def steps():
        explorer = Explorer(Broadcasting(length=6, position=4), {"length": (2, 6)})
        explorer.controls["length"].value = 5
        shown, tried = explorer._screen.png, []
        there = explorer.picture.glimpse
        explorer.picture.glimpse = lambda **state: tried.append(state["length"]) or there(**state)
        await asyncio.sleep(0.2)
        assert tried == [4], "it was tried"
        assert (explorer.message, explorer._screen.png) == ("", shown)
        explorer.controls["length"].value = 4
        assert explorer.message == "This cannot be drawn: position must lie between 0 and 3, got 4"

    in_a_loop(steps())


def test_a_closed_explorer_draws_nothing(monkeypatch):
    async def steps():
        explorer = explore_clocks()
        explorer.controls["position"].value += 1
        explorer.close()
        monkeypatch.setattr(explorer.picture, "pixels", lambda: pytest.fail("it was drawn"))
        await asyncio.sleep(0.1)

    in_a_loop(steps())


def test_one_step_on_stops_at_the_ends_and_follows_the_steps_of_the_slider():
    slider = widgets.IntSlider(4, min=0, max=9, step=3)
    assert [one_step_on(slider, old) for old in (1, 7)] == [7, 1]
    slider.value = 9
    assert one_step_on(slider, 6) is None
    bases = base_slider(1000.0)
    assert [one_step_on(bases, old) for old in (100.0, 10_000.0)] == [10_000.0, 100.0]
    bases.value = 10.0
    assert one_step_on(bases, 100.0) is None
    assert one_step_on(widgets.Checkbox(True), False) is None
