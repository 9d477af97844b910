"""Sliders around a picture: one class for all explorers, and the controls they are made of.

A control that is moved moves the picture and sends its pixels as one PNG to one widget. No output area is cleared and
no figure made anew, so nothing flickers. A cell that is run again closes the explorers that its last run has shown.
"""

import html
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import ipywidgets as widgets

from pe_lib.explorers.ahead import Ahead, one_step_on
from pe_lib.explorers.live import Live
from pe_lib.explorers.screen import Screen
from pe_lib.pictures.drawing import Drawing
from pe_lib.pictures.picture import DPI, Picture

BASES = (10.0, 100.0, 1000.0, 10_000.0, 100_000.0)
FRAME = 400  # milliseconds from one step of a playing control to the next
_ALERT = "<p role='alert' style='margin: 0; line-height: 24px; overflow-wrap: anywhere'>"


class Explorer(Live):
    """A picture, the controls that move it, presets by name, and a button that goes back to the start.

    In a notebook it shows itself as live controls, with a PNG of its state beside them for pages without a kernel.

    Parameters
    ----------
    picture : Picture or function
        The picture to move; or a function of your own, ``draw(axes, **values)``, that draws on matplotlib axes what is
        to be seen for the values of the controls.
    controls : mapping of str to control
        A control for each value that can be moved, by its name in the picture's state or in the function: an ipywidgets
        widget with a value, or what stands for one: ``(least, greatest)`` or ``(least, greatest, step)`` for a slider,
        a list for a choice, True or False for a box to tick.
    presets : mapping of str to mapping of str to values, optional
        Named states, as a teacher calls them up: each names the controls it sets; the others go back to the start.
    play : str, optional
        The name of a slider over whole numbers that can also move by itself: it gets buttons to play and to pause.

    Raises
    ------
    TypeError
        If a control, preset or `play` names something that is not there.

    Examples
    --------
    >>> import numpy as np
    >>> def wave(axes, frequency):
    ...     axes.plot(np.sin(frequency * np.arange(30)))
    >>> Explorer(wave, {"frequency": (0.0, 2.0)})
    wave with frequency 1.0

    >>> from pe_lib.pictures import ExplainThisNumber
    >>> explorer = Explorer(ExplainThisNumber(), {"position": (0, 3)}, {"first word": {"position": 0}})
    >>> explorer.preset("first word").picture.state["position"]
    0
    """

    def __init__(
        self,
        picture: Picture | Callable[..., Any],
        controls: Mapping[str, Any],
        presets: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        play: str | None = None,
    ) -> None:
        state = picture.state if isinstance(picture, Picture) else dict.fromkeys(controls)
        for name in controls:
            if name not in state:
                raise TypeError(f"controls must name what the picture shows ({', '.join(state)}), got {name!r}")
        self.controls = {name: _control(name, given, state[name]) for name, given in controls.items()}
        self.presets = {name: dict(state) for name, state in (presets or {}).items()}
        for preset, values in self.presets.items():
            for name in values:
                if name not in self.controls:
                    raise TypeError(f"preset {preset!r} must name controls ({', '.join(self.controls)}), got {name!r}")
        if play is not None and not isinstance(self.controls.get(play), widgets.IntSlider):
            raise TypeError(f"play must name a slider over whole numbers, got {play!r}")
        self.picture = picture if isinstance(picture, Picture) else Drawing(picture, **self._values())
        self._ahead = Ahead(self.picture)
        self._start = self._values()
        self._held = False
        self._own = {name: _own_range(self.controls.get(name), *ends) for name, ends in self._limits({}).items()}
        self._words = widgets.HTML(layout=widgets.Layout(margin="0", min_height="24px"))  # so that nothing jumps
        self._play = None if play is None else (widgets.Play(interval=FRAME, show_repeat=False), self.controls[play])
        self._screen = Screen(
            layout=widgets.Layout(width=f"{round(self.picture.size[0] * DPI)}px", max_width="100%"),
            played=[] if self._play is None else self._play[::-1],
        )
        self.panel = self._panel()
        for control in self.controls.values():
            control.observe(self._moved, "value")
        self._moved()

    def preset(self, name: str) -> "Explorer":
        """Go to a named state; ValueError if there is none of that name. Returns the explorer."""
        if name not in self.presets:
            raise ValueError(f"preset must be one of {', '.join(map(repr, self.presets))}, got {name!r}")
        return self._go({**self._start, **self.presets[name]})

    def reset(self) -> "Explorer":
        """Go back to the first state. Returns the explorer."""
        return self._go(self._start)

    def close(self) -> None:
        """Take the panel off all pages and give its memory back. Shown again, the explorer opens it again."""
        super().close()
        self._ahead.stop()
        self.picture.rest()

    @property
    def message(self) -> str:
        """What the panel says where the controls' state cannot be drawn; empty where it can."""
        return str(html.unescape(self._words.value.removeprefix(_ALERT).removesuffix("</p>")))

    def __repr__(self) -> str:
        return self.picture.describe()

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Show the live panel, with the picture as a PNG and in words beside it."""
        data, metadata = self.picture._repr_mimebundle_()
        return {**self._live_view(), **data}, metadata

    def _panel(self) -> widgets.VBox:
        """Return the controls, buttons and picture, as one widget."""
        buttons = [_button(name, lambda _, name=name: self.preset(name)) for name in self.presets]
        buttons.append(_button("Reset", lambda _: self.reset()))
        if self._play is not None:
            self._follow_limits({})
            player, played = self._play
            player.value = played.value
            buttons.insert(0, player)
        rows = {"flex_flow": "row wrap", "overflow": "visible"}
        panel = widgets.VBox(
            [
                widgets.HBox(list(self.controls.values()), layout=widgets.Layout(**rows)),
                widgets.HBox(buttons, layout=widgets.Layout(**rows)),
                self._words,
                self._screen,
            ]
        )
        panel.add_class("pe-explorer")
        return panel

    def _values(self) -> dict[str, Any]:
        """Return where the controls are."""
        return {name: control.value for name, control in self.controls.items()}

    def _go(self, state: Mapping[str, Any]) -> "Explorer":
        """Set all controls, and draw once."""
        if self._play is not None:
            self._play[0].playing = False
        self._held = True
        try:
            self._follow_limits(state)
            for name, value in state.items():
                self.controls[name].value = value
        finally:
            self._held = False
        self._moved()
        return self

    def _follow_limits(self, values: Mapping[str, Any]) -> None:
        """Set how far sliders may go by what the others say; a slider beyond its new end moves to it."""
        for name, (least, greatest) in self._limits(values).items():
            if name in self.controls:
                own_least, own_greatest = self._own[name]
                first, last = int(max(least, own_least)), int(min(greatest, own_greatest))
                if first <= last:  # else nothing in reach can be drawn, and the picture will say so
                    _set_range(self.controls[name], first, last)
        if self._play is not None:
            player, played = self._play
            if (player.min, player.max, player.step) != (played.min, played.max, played.step):
                with player.hold_sync():  # one message, in which its value is the slider's, as it is in the browser
                    _set_range(player, played.min, played.max)
                    player.step, player.value = played.step, played.value

    def _limits(self, values: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
        """Return how far the picture lets each number go, were the controls there."""
        return self.picture.limits({**self.picture.state, **values})

    def _moved(self, change: Any = None) -> None:
        """Move the picture to where the controls are; where that cannot be drawn, say so and keep the last good one."""
        if self._held:
            return
        good = self.picture.state
        try:
            self._held = True
            self._follow_limits(self._values())
            png, words = self._ahead.draw(self._values())
        except Exception as trouble:  # whatever it is, the learner is to read it, not the log of the kernel
            self.picture.state = good
            kind = "" if isinstance(trouble, ValueError) else f"{type(trouble).__name__}: "
            self._words.value = f"{_ALERT}{html.escape(f'This cannot be drawn: {kind}{trouble}')}</p>"
            return
        finally:
            self._held = False
        self._words.value = ""
        self._screen.show(png, words)
        if change is not None and (expected := one_step_on(change.owner, change.old)) is not None:
            name = next(name for name, control in self.controls.items() if control is change.owner)
            self._ahead.expect({**self._values(), name: expected}, self._screen.load)


def slider(name: str, value: int, least: int, greatest: int, step: int = 1) -> widgets.IntSlider:
    """Return a slider over whole numbers, wide enough to be moved by one step with the mouse."""
    return widgets.IntSlider(value, min=least, max=greatest, step=step, **_labelled(name))


def base_slider(base: float, others: Iterable[float] = BASES) -> widgets.SelectionSlider:
    """Return a slider over some bases, powers of ten unless said otherwise, and the one to begin with."""
    bases = sorted({*others, float(base)})
    shown = [(f"{b:g}" if b != int(b) else str(int(b)), b) for b in bases]
    return widgets.SelectionSlider(options=shown, value=float(base), **_labelled("base"))


def choice(name: str, value: Any, options: Sequence[Any]) -> widgets.Dropdown:
    """Return a list to choose one of some values from."""
    return widgets.Dropdown(options=options, value=value, **_labelled(name))


def tick(name: str, value: bool) -> widgets.Checkbox:
    """Return a box to tick."""
    return widgets.Checkbox(value, indent=False, description=name, tooltip=name)


def sentence_box(name: str, words: str | Sequence[str]) -> widgets.Text:
    """Return a box to type a sentence into; pictures split it at its spaces."""
    text = words if isinstance(words, str) else " ".join(words)
    box = widgets.Text(text, **_labelled(name))
    box.layout.width = "420px"
    return box


def _labelled(name: str) -> dict[str, Any]:
    """Return how a control is labelled: for eyes, for screen readers and for the mouse."""
    return {
        "description": name,
        "tooltip": name,  # without one, ipywidgets 8.1 shows "null"
        "layout": widgets.Layout(width="320px"),
        "style": {"description_width": "80px"},
    }


def _control(name: str, given: Any, value: Any) -> Any:
    """Return a control as it is, or make one from what stands for it."""
    if isinstance(given, widgets.Widget):
        given.tooltip = given.tooltip or given.description or name
        given.description = given.description or name
        return given
    made = widgets.interactive.widget_from_abbrev(
        given, widgets.interaction.Parameter.empty if value is None else value
    )
    if made is None:
        raise TypeError(f"controls must be widgets, tuples of two or three numbers, lists or booleans, got {given!r}")
    made.description = made.tooltip = name
    return made


def _button(name: str, pressed: Any) -> widgets.Button:
    """Return a button as wide as its name."""
    button = widgets.Button(description=name, layout=widgets.Layout(width="auto"))
    button.on_click(pressed)
    return button


def _own_range(control: Any, least: int, greatest: int) -> tuple[float, float]:
    """Return the ends that a slider has of its own: those within what the picture allows; infinite otherwise."""
    if control is None:
        return -math.inf, math.inf
    return (control.min if control.min > least else -math.inf), (control.max if control.max < greatest else math.inf)


def _set_range(control: Any, least: int, greatest: int) -> None:
    """Set both ends of a slider, in the order in which they never cross."""
    if greatest >= control.min:
        control.max, control.min = greatest, least
    else:
        control.min, control.max = least, greatest
