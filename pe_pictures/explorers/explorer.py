"""Controls around a picture: one class for all explorers, and the script that draws them in JupyterLab and on pages.

The script asks for a state; the explorer answers with the picture as SVG, its sentence, its words, and how far each
control may go.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any

from pe_pictures.explorers.live import Shown
from pe_pictures.explorers.tasks import Tasks, tasks_named
from pe_pictures.fields import Choice, Field, Integer, Number, Sentence
from pe_pictures.picture import Picture, as_output, same
from pe_pictures.scene import TALL, WIDTH


class Explorer(Shown):
    """A picture, the controls that move it, presets by name, and a key that goes back to the start.

    In a notebook it shows itself as live controls, with a PNG of its state next to them for pages without a kernel. A
    plot of your own moves with three lines of `ipywidgets.interact`.

    Parameters
    ----------
    picture : Picture
        The picture to move.
    controls : mapping of str to control, optional
        A control for each value that can be moved, by its name in the picture's state: an ipywidgets widget with a
        value, or what stands for one: ``(least, greatest)`` or ``(least, greatest, step)`` for a slider, a list for a
        choice. The picture brings its own where none are given.
    presets : mapping of str to mapping of str to values, optional
        Named values, as a teacher calls them up: each sets the controls that it names, and leaves the others.
    play : str, optional
        The name of a slider over whole numbers that can also move by itself.
    cover : bool
        Whether the answer is held back at first, in the picture and in words, until it is asked for.
    tasks : Tasks or str, optional
        Tasks that tick below the picture, or the name of the notebooks' own.

    Examples
    --------
    >>> from pe_pictures import ExplainThisNumber
    >>> explorer = Explorer(ExplainThisNumber(), {"position": (0, 3)}, {"first word": {"position": 0}})
    >>> explorer.preset("first word").picture.state["position"]
    0
    """

    def __init__(
        self,
        picture: Picture,
        controls: Mapping[str, Any] | None = None,
        presets: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        play: str | None = None,
        cover: bool = False,
        tasks: Tasks | str = "",
    ) -> None:
        super().__init__()
        if not isinstance(picture, Picture):
            raise TypeError(f"picture must be a picture, got {picture!r}; for a function there is ipywidgets.interact")
        self.picture = picture
        given = dict(controls or {})
        self.widgets = {name: control for name, control in given.items() if _is_widget(control)}
        self.fields = _controlled(picture, controls)
        if controls is None and presets is None:
            presets = {name: state for name, state in picture.presets.items() if {*state} <= {*self.fields}}
            play = play or (picture.play if picture.play in self.fields else None)
        self.presets = {name: dict(state) for name, state in (presets or {}).items()}
        for named, values in self.presets.items():
            for name in values:
                if name not in self.fields:
                    raise TypeError(f"{named!r} must name controls ({', '.join(self.fields)}), got {name!r}")
        self.play = play
        if play is not None and not isinstance(self.fields.get(play), Integer):
            raise TypeError(f"play must name a slider over whole numbers, got {play!r}")
        asked = tasks_named(tasks) if tasks and isinstance(tasks, str) else tasks
        self.tasks = asked.checked(self.fields, picture.state) if isinstance(asked, Tasks) else None
        self.covered = cover
        self.message = ""
        self._start = self._values()
        self._era = 0  # grows when something other than the controls has moved the picture
        self._seen: list[Any] = []  # what it shows beside the controls
        self._sent = {False: "", True: ""}  # the backgrounds that the page has: of the wide sheet, of the tall one
        for name, widget in self.widgets.items():
            widget.observe(lambda change, name=name: self._send({"set": {name: change["new"]}}), "value")

    def preset(self, name: str) -> "Explorer":
        """Set what a preset names; ValueError if there is none of that name. Returns the explorer."""
        if name not in self.presets:
            raise ValueError(f"preset must be one of {', '.join(map(repr, self.presets))}, got {name!r}")
        self._send({"set": self.presets[name]})
        return self

    def reset(self) -> "Explorer":
        """Go back to the first state. Returns the explorer."""
        self._send({"set": self._start})
        return self

    def spec(self) -> dict[str, Any]:
        """Return what the script needs to draw the controls."""
        picture, controls = self.picture, self._controls()
        there = [control["name"] for control in controls if control["name"] != self.play]
        first = dict.fromkeys([*(self.tasks.fields if self.tasks else ()), *(picture.shown or there)])
        return {
            "name": type(picture).__name__,
            "question": picture.question,
            "sheets": {"wide": [WIDTH, picture.height], "tall": list(TALL) if picture.upright else None},
            "controls": controls,
            "shown": [name for name in first if name in there],
            "presets": [*self._chips()],
            "play": self.play,
            "upDown": picture.up_down if picture.up_down in self.fields else None,
            "work": picture.work,
            "opens": picture.opens and not self.tasks,  # a task is for the reader to do
            "start": self._plain(self._start),
            "cover": self.covered,
            "tasks": self.tasks.plain() if self.tasks else None,
        }

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Move the picture as a page asks for it, and return what the page is to show.

        A request has the values to `set`; `tall` asks for the tall sheet, `fresh` for the background in any case,
        `quiet` for no picture, and `ahead` for what would be shown, while nothing moves. The answer has the values that
        the controls have then and their `limits`; the `background` where the page has another, the `moving` layer, the
        sentence, the words, the targets; or a `message`, where the state cannot be drawn and nothing has moved.
        """
        picture, good = self.picture, self.picture.state
        tall, ahead = bool(request.get("tall")) and picture.upright, bool(request.get("ahead"))
        answer: dict[str, Any] = {"number": request["number"]} if "number" in request else {}
        answer |= {"tall": tall} | ({"ahead": True} if ahead else {})
        picture.tall = tall
        try:
            wanted = {name: value for name, value in request.get("set", {}).items() if name in self.fields}
            picture.state = picture.nearest(wanted)
            if request.get("quiet"):
                return answer | {"era": self._now(), "by": request.get("by"), "values": self._plain(self._values())}
            drawn = self._drawn()
        except Exception as trouble:  # whatever it is, the learner is to read it, not the log of the kernel
            picture.state = good
            if ahead:  # nobody has asked for it by hand
                return answer
            kind = "" if isinstance(trouble, ValueError) else f"{type(trouble).__name__}: "
            self.message = f"This cannot be drawn: {kind}{trouble}"
            return answer | {"message": self.message, "values": self._plain(self._values())}
        finally:
            picture.tall = False
        for name, value in wanted.items():
            if isinstance(value, str):  # what is being typed stays as it is
                drawn["values"][name] = value
        background = drawn.pop("background")
        if request.get("fresh") or background != self._sent[tall]:
            answer["background"] = background
        if ahead:
            picture.state = good
        else:
            self.message = ""
            self._sent[tall] = background
            answer["era"] = self._now()
        return answer | drawn

    def _drawn(self) -> dict[str, Any]:
        """Return what is to be shown of the state."""
        picture, frame = self.picture, self.picture.frame()
        axis = picture.axis()
        return {
            "values": self._plain(self._values()),
            "limits": {one["name"]: one for one in self._controls() if one["kind"] in ("slider", "steps")},
            "background": frame.background,
            "moving": frame.moving,
            "title": picture.title(),
            "words": picture.words(),
            "targets": [target.plain() for target in picture.targets()],
            "axis": axis and [round(float(place), 1) for place in axis],
            "speed": picture.speed,
            "message": "",
        }

    def __repr__(self) -> str:
        return self.picture.describe(self.covered)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Show the live panel, with the picture as a PNG and in words beside it."""
        data, metadata = as_output(self.picture.png(self.covered, "run this cell to move it"), repr(self))
        return {**self.show(self.spec(), self._send, self.widgets.values()), **data}, metadata

    def _send(self, request: Mapping[str, Any]) -> None:
        began = perf_counter()
        answer = self.answer(request)
        answer["took"] = 1000 * (perf_counter() - began)  # how much the page may ask for at once depends on it
        for panel in self.panels:
            panel.send(answer)
        for name, widget in self.widgets.items():
            if name in answer.get("values", {}) and not self.message and not request.get("ahead"):
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

    def _chips(self) -> Iterator[dict[str, Any]]:
        """Yield the presets; where one sets other fields than the one before it, a new group begins."""
        before: set[str] | None = None
        for name, values in self.presets.items():
            yield {"name": name, "set": self._plain(values), "apart": before is not None and before != {*values}}
            before = {*values}

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
    if controls is None:
        return {field.name: field for field in picture.controlled() if _fits(field, picture.state)}
    known = {field.name: field for field in picture.fields}
    for name in controls:
        if name not in known:
            raise TypeError(f"controls must name what the picture shows ({', '.join(known)}), got {name!r}")
    return {name: _field(known[name], control) for name, control in controls.items()}


def _is_widget(control: Any) -> bool:
    """Say whether a control is a widget with a value, without importing the widgets."""
    return hasattr(control, "value") and hasattr(control, "observe")


def _field(known: Field, given: Any) -> Field:
    """Return a field with what a caller gives as its control."""
    if _is_widget(given):
        return known
    if isinstance(given, list) and given:
        if isinstance(known, Integer | Number):
            return dataclasses.replace(known, options=tuple(given))
        return Choice(known.name, given[0], options=tuple(given), moves=known.moves)
    if isinstance(given, tuple) and len(given) in (2, 3) and all(isinstance(x, int | float) for x in given):
        least, greatest, *step = given
        if isinstance(known, Number):
            by = step[0] if step else known.step
            return dataclasses.replace(known, least=least, greatest=greatest, options=(), step=by)
        if isinstance(known, Integer):
            return dataclasses.replace(known, reach=(least, greatest), options=(), step=step[0] if step else known.step)
    raise TypeError(f"the control of {known.name} must be a widget with a value, a tuple or a list, got {given!r}")
