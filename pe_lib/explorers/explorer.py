"""Controls around a picture: one class for all explorers, and the script that draws them in JupyterLab and on pages.

The script asks for a state; the explorer answers with the picture as SVG, its words, and how far each control may go.
"""

import dataclasses
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

import ipywidgets as widgets

from pe_lib.explorers.live import Panel, Shown
from pe_lib.pictures.drawing import Drawing
from pe_lib.pictures.fields import Choice, Field, Integer, Number, Sentence, Tick
from pe_lib.pictures.picture import Picture, as_output, same
from pe_lib.pictures.scene import WIDTH


class Explorer(Shown):
    """A picture, the controls that move it, presets by name, and a button that goes back to the start.

    In a notebook it shows itself as live controls, with a PNG of its state beside them for pages without a kernel.

    Parameters
    ----------
    picture : Picture or function
        The picture to move; or a function of your own, ``draw(axes, **values)``, that draws on matplotlib axes what is
        to be seen for the values of the controls.
    controls : mapping of str to control, optional
        A control for each value that can be moved, by its name in the picture's state or in the function: an ipywidgets
        widget with a value, or what stands for one: ``(least, greatest)`` or ``(least, greatest, step)`` for a slider,
        a list for a choice, True or False for a box to tick. A picture brings its own where none are given.
    presets : mapping of str to mapping of str to values, optional
        Named states, as a teacher calls them up: each names the controls it sets; the others go back to the start.
    play : str, optional
        The name of a slider over whole numbers that can also move by itself.
    cover : bool
        Whether the answer is held back at first, in the picture and in words, until it is asked for.

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
    wave with frequency 1

    >>> from pe_lib.pictures import ExplainThisNumber
    >>> explorer = Explorer(ExplainThisNumber(), {"position": (0, 3)}, {"first word": {"position": 0}})
    >>> explorer.preset("first word").picture.state["position"]
    0
    """

    def __init__(
        self,
        picture: Picture | Callable[..., Any],
        controls: Mapping[str, Any] | None = None,
        presets: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        play: str | None = None,
        cover: bool = False,
    ) -> None:
        super().__init__()
        given = dict(controls or {})
        if not isinstance(picture, Picture):
            picture = Drawing(picture, [_field(name, control, None, {}) for name, control in given.items()])
        self.picture = picture
        self.widgets = {name: control for name, control in given.items() if isinstance(control, widgets.Widget)}
        self.fields = _controlled(picture, controls)
        if controls is None and presets is None:
            presets = {name: state for name, state in picture.presets.items() if {*state} <= {*self.fields}}
            play = play or (picture.play if picture.play in self.fields else None)
        self.presets = {name: dict(state) for name, state in (presets or {}).items()}
        for preset, values in self.presets.items():
            for name in values:
                if name not in self.fields:
                    raise TypeError(f"preset {preset!r} must name controls ({', '.join(self.fields)}), got {name!r}")
        self.play = play
        if play is not None and not isinstance(self.fields.get(play), Integer):
            raise TypeError(f"play must name a slider over whole numbers, got {play!r}")
        self.covered = cover
        self.message = ""
        self._start = self._values()
        self._era = 0  # grows when something other than the controls has moved the picture
        self._seen: list[Any] = []  # what it shows beside the controls
        self._sent = ""  # the background the page has
        for name, widget in self.widgets.items():
            widget.observe(lambda change, name=name: self._send({"set": {name: change["new"]}}), "value")

    def preset(self, name: str) -> "Explorer":
        """Go to a named state; ValueError if there is none of that name. Returns the explorer."""
        if name not in self.presets:
            raise ValueError(f"preset must be one of {', '.join(map(repr, self.presets))}, got {name!r}")
        self._send({"set": {**self._start, **self.presets[name]}})
        return self

    def reset(self) -> "Explorer":
        """Go back to the first state. Returns the explorer."""
        self._send({"set": self._start})
        return self

    def spec(self) -> dict[str, Any]:
        """Return what the script needs to draw the controls."""
        picture, controls = self.picture, self._controls()
        there = [control["name"] for control in controls if control["name"] != self.play]
        return {
            "name": type(picture).__name__,
            "width": WIDTH,
            "height": picture.height,
            "controls": controls,
            "shown": [name for name in picture.shown or there if name in there],
            "presets": {name: self._plain(values) for name, values in self.presets.items()},
            "play": self.play,
            "work": picture.work,
            "start": self._plain(self._start),
            "lasting": picture.lasting,
            "cover": self.covered,
            "canCover": picture.answers,
        }

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Move the picture as a page asks for it, and return what the page is to show.

        A request has the values to `set`; `fresh` asks for all layers, `quiet` for no picture. The answer has the
        values that the controls have now and their `limits`; the `background` where the page has another, the
        `moving` layer, the words, the targets; or a `message`, where the state cannot be drawn and nothing has moved.
        """
        good, answer = self.picture.state, {"number": request["number"]} if "number" in request else {}
        try:
            wanted = {name: value for name, value in request.get("set", {}).items() if name in self.fields}
            self.picture.state = self.picture.nearest(wanted)
            if request.get("quiet"):
                return answer | {"era": self._now()}
            frame = self.picture.frame()
            words = self.picture.words()
        except Exception as trouble:  # whatever it is, the learner is to read it, not the log of the kernel
            self.picture.state = good
            kind = "" if isinstance(trouble, ValueError) else f"{type(trouble).__name__}: "
            self.message = f"This cannot be drawn: {kind}{trouble}"
            return answer | {"message": self.message, "values": self._plain(self._values())}
        self.message = ""
        limits = {control["name"]: control for control in self._controls() if control["kind"] in ("slider", "steps")}
        answer |= {"values": self._plain(self._values()), "limits": limits, "words": words, "message": ""}
        answer |= {"moving": frame.moving, "era": self._now(), "targets": [at.plain() for at in self.picture.targets()]}
        if request.get("fresh") or frame.background != self._sent:
            answer["background"] = frame.background
        self._sent = frame.background
        return answer

    def __repr__(self) -> str:
        return self.picture.describe(self.covered)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Show the live panel, with the picture as a PNG and in words beside it."""
        data, metadata = as_output(self.picture.png(self.covered, "run this cell to move it"), repr(self))
        return {**self.show(Panel(self.spec(), self._send), self.widgets.values()), **data}, metadata

    def _send(self, request: Mapping[str, Any]) -> None:
        began = perf_counter()
        answer = self.answer(request)
        answer["took"] = 1000 * (perf_counter() - began)  # how much the page may ask for at once depends on it
        for panel in self.panels:
            panel.send(answer)
        for name, widget in self.widgets.items():
            if name in answer.get("values", {}) and not self.message:
                widget.value = self.picture.state[name]

    def _values(self) -> dict[str, Any]:
        """Return where the controls are."""
        return {name: self.picture.state[name] for name in self.fields}

    def _plain(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values as the script takes them: words as one text."""
        words = {name for name in values if isinstance(self.fields[name], Sentence)}
        text = {name: " ".join(values[name] or ()) for name in words if not isinstance(values[name], str)}
        return {**values, **text}

    def _controls(self) -> list[dict[str, Any]]:
        """Return the controls that the script draws, as they are in this state."""
        return [self.fields[name].control(self.picture.state) for name in self.fields if name not in self.widgets]

    def _now(self) -> int:
        """Return the era, a new one where something has moved the picture beside the controls."""
        beside = [value for name, value in self.picture.state.items() if name not in self.fields]
        if not same(beside, self._seen):
            self._era, self._seen = self._era + 1, beside
        return self._era


def _fits(field: Field, state: Mapping[str, Any]) -> bool:
    """Say whether a field can have a control: a box would split words that hold spaces."""
    words = state[field.name] or () if isinstance(field, Sentence) else ()
    return tuple(" ".join(words).split()) == tuple(words)


def _controlled(picture: Picture, controls: Mapping[str, Any] | None) -> dict[str, Field]:
    """Return the fields that have a control, by name: the picture's own, or those that a caller gives."""
    known = {field.name: field for field in picture.fields}
    if controls is None:
        return {field.name: field for field in picture.controlled() if _fits(field, picture.state)}
    for name in controls:
        if name not in known:
            raise TypeError(f"controls must name what the picture shows ({', '.join(known)}), got {name!r}")
    return {name: _field(name, control, known[name], picture.state) for name, control in controls.items()}


def _field(name: str, given: Any, known: Field | None, state: Mapping[str, Any]) -> Field:
    """Return a field for what a caller gives as its control."""
    if isinstance(given, widgets.Widget) and hasattr(given, "value"):
        return known or Field(name, given.value)
    if isinstance(given, bool):
        return known or Tick(name, given)
    if isinstance(given, list) and given:
        if isinstance(known, Integer | Number):
            return dataclasses.replace(known, options=tuple(given))
        return Choice(name, state.get(name, given[0]), tuple(given), moves=known is None or known.moves)
    if isinstance(given, tuple) and len(given) in (2, 3) and all(isinstance(x, int | float) for x in given):
        least, greatest, *step = given
        if not all(isinstance(x, int) for x in given):
            return Number(name, (least + greatest) / 2, least, greatest, (), *step)
        by = step[0] if step else known.step if isinstance(known, Integer) else 1
        if isinstance(known, Integer):
            return dataclasses.replace(known, reach=(least, greatest), options=(), step=by)
        return Integer(name, least + (greatest - least) // 2 // by * by, least, greatest, step=by)
    raise TypeError(
        f"controls must be widgets with a value, tuples of two or three numbers, lists or booleans, got {given!r}"
    )
