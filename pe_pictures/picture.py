"""What all pictures share: a state of declared fields, two layers, a sentence, words, and what one can take hold of."""

import base64
import inspect
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, NamedTuple

import numpy as np

from pe_pictures.cells import Place
from pe_pictures.colours import GREY, HERE, INK
from pe_pictures.fields import Field
from pe_pictures.needed import libraries
from pe_pictures.scene import T1, T3, TALL, WIDTH, Element, Elements, Group, svg, text
from pe_pictures.writing import parts_of

RAISES = "Raises\n------\nTypeError, ValueError\n    If a name is unknown or a value cannot be drawn."
SOURCE = 'References\n----------\nVaswani et al. (2017), "Attention Is All You Need", section 3.5.'
PARAMETERS = "{parameters}"  # where a docstring says what its fields say
TITLE = 44.0  # how high the sentence is on a PNG


class Frame(NamedTuple):
    """A state as the page shows it: two SVG documents, one over the other."""

    background: str
    moving: str


class Target(NamedTuple):
    """A place to take hold of: a box on the sheet (left, top, width, height), evenly divided among values.

    `across` and `down` name a field and its values, from the left and from the top; `around` names a field and by how
    much it grows in a turn around the middle of the box. `sets` holds for the whole box.
    """

    box: Place
    across: tuple[str, Sequence[Any]] | None = None
    down: tuple[str, Sequence[Any]] | None = None
    sets: Mapping[str, Any] = {}
    around: tuple[str, float] | None = None

    def plain(self) -> dict[str, Any]:
        """Return the target as the page's script takes it."""
        sides = {"across": self.across, "down": self.down}
        divided = {name: [side[0], list(side[1])] for name, side in sides.items() if side}
        around = {"around": list(self.around)} if self.around else {}
        return {"box": [round(float(place), 1) for place in self.box], "sets": dict(self.sets), **divided, **around}


Targets = Iterable[Target]


class Picture:
    """A state, and what there is to be seen in it.

    A kind of picture declares its `fields`, which of them are `shown` as controls first, its `presets`, and the field
    that can `play`. It fills in `lay` (what stands in the background), `move` (what moves, always the same elements),
    `says` (the sentence over it), `words` and `targets`. All of these look at `self.state`, and at `self.size`. Where
    its docstring has {parameters}, what the fields say is put in.

    It is made with values that differ from the fields' defaults, in their order or by name. A name that is unknown is a
    TypeError, a value that cannot be drawn may be a ValueError too, and the picture keeps its last good state then.
    """

    fields: ClassVar[Sequence[Field]] = ()
    shown: ClassVar[Sequence[str]] = ()
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    play: ClassVar[str | None] = None
    up_down: ClassVar[str | None] = None  # the field that the keys Up and Down move, a row for example
    work: ClassVar[str] = ""  # what playing is called where it is work, which waits for nothing but its own results
    # What pages without Python offer: of each, every combination. Without any, the start and the presets are played.
    pages: ClassVar[Sequence[Mapping[str, Sequence[Any]]]] = ()
    question: ClassVar[str] = ""  # what its sentence asks under a cover, and what the gallery asks
    opens: ClassVar[bool] = False  # whether it plays once by itself when it is first seen
    height: ClassVar[float] = 440.0  # of the wide sheet
    upright: ClassVar[bool] = True  # whether it can be drawn on a tall sheet as well
    pace: ClassVar[float] = 2.5  # how many places a second it plays,
    longest: ClassVar[float] = 0.0  # or faster, where it would play for more seconds than that, if there is a limit
    about: ClassVar[str] = ""  # its docstring as it is written

    def __init_subclass__(cls) -> None:
        """Refuse names of no field; let the fields say what the constructor takes."""
        known = {field.name for field in cls.fields}
        for name in [*cls.shown, *filter(None, [cls.play, cls.up_down]), *chain(*cls.presets.values(), *cls.pages)]:
            if name not in known:
                raise TypeError(f"{cls.__name__} has no field {name!r}: it has {', '.join(sorted(known))}")
        cls.about = inspect.cleandoc(cls.__doc__ or "")
        source = "" if "References\n-" in cls.about else f"\n\n{SOURCE}"
        cls.__doc__ = cls.about.replace(PARAMETERS, f"{cls.parameters()}\n\n{RAISES}{source}")
        some = [
            inspect.Parameter(f.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=f.default) for f in cls.fields
        ]
        cls.__signature__ = inspect.Signature(some)  # type: ignore[attr-defined]

    @classmethod
    def parameters(cls, **called: str) -> str:
        """Return the section of a docstring on the fields; some may be `called` by other names."""
        said = (field.documented(called.get(field.name, field.name)) for field in cls.fields if field.about)
        return "\n".join(["Parameters\n----------", *said])

    def __init__(self, *first: Any, **state: Any) -> None:
        self.state: Mapping[str, Any] = {field.name: field.default for field in self.fields}
        given = {**dict(zip(self.state, first, strict=False)), **state}
        self.state = self.nearest(given)  # defaults follow what is given, such as a short sentence
        self.update(**given)
        self.tall = False  # whether the sheet is tall, as for a phone
        self._background: tuple[tuple[Any, ...], str] | None = None  # for which fields, and its SVG

    def update(self, **state: Any) -> "Picture":
        """Move the picture to another state; what is not named stays. Returns the picture."""
        known, checked = {field.name: field for field in self.fields}, dict[str, Any]()
        for name in state:
            if name not in known:
                raise TypeError(f"{type(self).__name__} has no {name!r}: it takes {', '.join(known)}")
        for name, field in known.items():
            checked[name] = field.check(state.get(name, self.state[name]), checked)
        self.state = checked
        return self

    def nearest(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Return a state, of which some may be named, with whole numbers beyond their limits back within them."""
        near: dict[str, Any] = {}
        for field in self.fields:
            value, limits = state.get(field.name, self.state[field.name]), field.limits(near)
            if limits and isinstance(value, int):
                value = min(max(value, limits[0]), limits[1])
            near[field.name] = field.check(value, near)
        return near

    def controlled(self) -> list[Field]:
        """Return the fields that have a control, now."""
        return [field for field in self.fields if not field.hidden]

    @property
    def size(self) -> tuple[float, float]:
        """How wide and how high the sheet is."""
        return TALL if self.tall else (WIDTH, self.height)

    @property
    def speed(self) -> float:
        """How many places a second it plays."""
        if not self.longest:
            return self.pace
        control = next(field for field in self.fields if field.name == self.play).control(self.state)
        return max(self.pace, (control["greatest"] - control["least"]) / self.longest)

    def title(self, covered: bool = False) -> list[list[str]]:
        """Return the sentence over the picture in parts, each with its kind: "", "here" or "held"."""
        if covered and self.question:
            return [[self.question, ""]]
        return [["…" if covered and kind == "held" else said, kind] for said, kind in parts_of(self.says())]

    def describe(self, covered: bool = False) -> str:
        """Say in words what is to be seen; where `covered`, without the answer."""
        return "".join("…" if covered and kind == "held" else said for said, kind in parts_of(self.words()))

    def frame(self) -> Frame:
        """Return the state as two SVG documents; the same state gives the same ones, byte for byte."""
        key = (self.tall, *self.behind())
        if self._background is None or not same(key, self._background[0]):
            self._background = key, svg(self.lay(), *self.size)
        return Frame(self._background[1], svg(self.move(), *self.size))

    def behind(self) -> tuple[Any, ...]:
        """Return what the background depends on."""
        return tuple(self.state[field.name] for field in self.fields if not field.moves)

    def png(self, covered: bool = False, note: str = "") -> bytes:
        """Draw the state as a PNG file, 2200 pixels wide, on white, under its sentence, over a line for a note."""
        with libraries():
            from pe_pictures.png import png  # which needs matplotlib, as nothing else here does

        parts: list[Element] = []
        x, title = 0.0, self.title(covered)
        for said, kind in title:
            colour = HERE if kind == "here" else INK
            parts.append(part := text(x, 20, said, T3, colour, "start", "bold", within=(x, np.inf)))
            x += part.fitted()[2][2]
        top = TITLE if title else 0.0
        below = [text(WIDTH - 8, top + self.height + 10, note, T1, GREY, "end")] if note else []
        sheet = Group("picture", [*self.lay(), *self.move()], (0.0, top, 1.0))
        return png([*parts, sheet, *below], top + self.height + 22 * bool(note), covered)

    def lay(self) -> Elements:
        """Yield what stands in the background: all that the fields that move leave alone."""
        return ()

    def move(self) -> Elements:
        """Yield what moves, over the background: the same elements in every state, hidden where there is nothing."""
        return ()

    def says(self) -> str:
        """Say the finding in one sentence; `here` marks what one holds, `hold` the answer."""
        return ""

    def words(self) -> str:
        """Say in one or two sentences what is to be seen; `hold` marks the answer."""
        return self.says()

    def targets(self) -> Targets:
        """Yield what one can take hold of; where two overlap, the first."""
        return ()

    def axis(self) -> tuple[float, ...] | None:
        """Return where the ends of the played slider lie across, and where it lies downward if on the sheet.

        They are below the first and the last place of the target along which it can be dragged, if there is one.
        """
        for target in self.targets():
            name, values = target.across or ("", ())
            if name == self.play and isinstance(values, range):
                slot = target.box[2] / len(values)
                first = target.box[0] + slot / 2
                return first, first + slot * max(1, len(values) - 1)
        return None

    def __repr__(self) -> str:
        return self.describe()

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Show the picture as a PNG, with its description as the alternative text."""
        return as_output(self.png(), self.describe())


def as_output(image: bytes, words: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a PNG of a sheet as the output of a cell, with words for those who cannot see it."""
    data = {"image/png": base64.b64encode(image).decode(), "text/plain": words}
    return data, {"image/png": {"alt": words, "width": int(WIDTH)}}


def same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Say whether the values are the same; a matrix is the same only as itself, and is kept alive by whoever asks."""
    plain = (bool, int, float, str, tuple, type(None))
    return len(one) == len(other) and all(
        a is b or (isinstance(a, plain) and isinstance(b, plain) and a == b) for a, b in zip(one, other, strict=True)
    )
