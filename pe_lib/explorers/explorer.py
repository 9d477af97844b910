"""Sliders around a picture: one class for all explorers.

A control that is moved moves the picture and sends its pixels as one PNG to one image widget. No output area is cleared
and no figure made anew, so nothing flickers, and a cell that is run again leaves nothing behind.
"""

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets
from traitlets import Unicode

from pe_lib.pictures.picture import DPI, Picture


class Explorer:
    """A picture, the controls that move it, presets by name, and a button that goes back to the start.

    In a notebook it shows itself as live controls, with a PNG of its state beside them for pages without a kernel.

    Parameters
    ----------
    picture : Picture
        The picture to move.
    controls : mapping of str to ipywidgets widget with a value
        A control for each value of the picture's state that can be moved, by its name in the state.
    presets : mapping of str to mapping of str to values, optional
        Named states, as a teacher calls them up: each names the controls it sets; the others go back to the start.

    Raises
    ------
    TypeError
        If a control or preset names something that the picture's state does not have.

    Examples
    --------
    >>> from pe_lib.pictures import ExplainThisNumber
    >>> slider = widgets.IntSlider(2, min=0, max=3, description="position")
    >>> explorer = Explorer(ExplainThisNumber(), {"position": slider}, {"first word": {"position": 0}})
    >>> explorer.preset("first word").picture.state["position"]
    0
    """

    def __init__(
        self,
        picture: Picture,
        controls: Mapping[str, Any],
        presets: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.picture = picture
        self.controls = dict(controls)
        self.presets = {name: dict(state) for name, state in (presets or {}).items()}
        for name in self.controls:
            if name not in picture.state:
                raise TypeError(f"controls must name what the picture shows ({', '.join(picture.state)}), got {name!r}")
        for preset, state in self.presets.items():
            for name in state:
                if name not in self.controls:
                    raise TypeError(f"preset {preset!r} must name controls ({', '.join(self.controls)}), got {name!r}")
        self._start = {name: control.value for name, control in self.controls.items()}
        self._held = False
        self._image = _NamedImage(
            format="png", layout=widgets.Layout(width=f"{round(picture.size[0] * DPI)}px", max_width="100%")
        )
        self._words = widgets.HTML(layout=widgets.Layout(margin="0"))
        self._panel: widgets.VBox | None = None
        for control in self.controls.values():
            control.tooltip = control.tooltip or control.description  # without one, ipywidgets 8.1 shows "null"
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

    @property
    def message(self) -> str:
        """What the panel says where the controls' state cannot be drawn; empty where it can."""
        return str(html.unescape(self._words.value.removeprefix("<p role='alert'>").removesuffix("</p>")))

    @property
    def panel(self) -> widgets.VBox:
        """The controls, buttons and picture, as one widget."""
        if self._panel is None:
            buttons = [_button(name, lambda _, name=name: self.preset(name)) for name in self.presets]
            buttons.append(_button("Reset", lambda _: self.reset()))
            rows = widgets.Layout(flex_flow="row wrap", overflow="visible")
            self._panel = widgets.VBox(
                [
                    widgets.HBox(list(self.controls.values()), layout=rows),
                    widgets.HBox(buttons, layout=rows),
                    self._words,
                    self._image,
                ]
            )
        return self._panel

    def __repr__(self) -> str:
        return self.picture.describe()

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Show the live panel, with the picture as a PNG and in words beside it."""
        data, metadata = self.picture._repr_mimebundle_()
        live = self.panel._repr_mimebundle_()
        return {**live, **data}, metadata

    def _go(self, state: Mapping[str, Any]) -> "Explorer":
        """Set all controls, and draw once."""
        self._held = True
        try:
            for name, value in state.items():
                self.controls[name].value = value
        finally:
            self._held = False
        self._moved()
        return self

    def _moved(self, _: Any = None) -> None:
        """Move the picture to where the controls are; where that cannot be drawn, say so and keep the last good one."""
        if self._held:
            return
        good = self.picture.state
        try:
            self.picture.update(**{name: control.value for name, control in self.controls.items()})
            png, words = self.picture.png(), self.picture.describe()
        except Exception as trouble:  # whatever it is, the learner is to read it, not the log of the kernel
            self.picture.state = good
            self._words.value = f"<p role='alert'>{html.escape(f'This cannot be drawn: {trouble}')}</p>"
            return
        self._words.value = ""
        with self._image.hold_sync():
            self._image.value = png
            self._image.tooltip = words  # read out by screen readers as the name of the image


class _NamedImage(widgets.Image):  # type: ignore[misc]  # ipywidgets comes without annotations
    """An image whose tooltip becomes its name for a screen reader.

    The view of ipywidgets 8.1 sets the tooltip of a widget only if its description is empty, and breaks where there is
    none; an image has none of its own.
    """

    description = Unicode("").tag(sync=True)


def _button(name: str, pressed: Any) -> widgets.Button:
    """Return a button as wide as its name."""
    button = widgets.Button(description=name, layout=widgets.Layout(width="auto"))
    button.on_click(pressed)
    return button
