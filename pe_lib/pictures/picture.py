"""What all pictures share: a state made of declared fields, two layers drawn from it, words, and places to click."""

import base64
import inspect
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from pe_lib.pictures.cells import Place
from pe_lib.pictures.colours import GREY
from pe_lib.pictures.fields import Field
from pe_lib.pictures.scene import SMALL, WIDTH, Elements, png, svg, text

RAISES = "Raises\n------\nTypeError, ValueError\n    If a name is unknown or a value cannot be drawn."
SOURCE = 'References\n----------\nVaswani et al. (2017), "Attention Is All You Need", section 3.5.'
OPEN, SHUT = "\x02", "\x03"  # around what a covered description holds back


class Frame(NamedTuple):
    """A state as the page shows it: two SVG documents, one over the other."""

    background: str
    moving: str


class Target(NamedTuple):
    """A place that can be clicked: a box on the sheet (left, top, width, height), evenly divided among values.

    `across` and `down` name a field and its values, from the left and from the top; `sets` holds for the whole box.
    """

    box: Place
    across: tuple[str, Sequence[Any]] | None = None
    down: tuple[str, Sequence[Any]] | None = None
    sets: Mapping[str, Any] = {}

    def plain(self) -> dict[str, Any]:
        """Return the target as the page's script takes it."""
        sides = {"across": self.across, "down": self.down}
        divided = {name: [side[0], list(side[1])] for name, side in sides.items() if side}
        return {"box": [round(float(place), 1) for place in self.box], "sets": dict(self.sets), **divided}


Targets = Iterable[Target]


class Picture:
    """A state, and what there is to be seen in it.

    A kind of picture declares its `fields`, which of them are `shown` as controls at once, its `presets`, the field
    that can `play`, and the states that `pages` without Python offer. It fills in `lay` (what stands in the
    background), `move` (what moves), `words`, and `targets`. All of these look at `self.state` alone. The parameters
    and errors in its docstring are written from its fields.

    Parameters
    ----------
    *first, **state
        Values that differ from the fields' defaults, in the order of the fields or by name.

    Raises
    ------
    TypeError, ValueError
        If a name is unknown or a value cannot be drawn; a picture keeps its last good state then.
    """

    fields: ClassVar[Sequence[Field]] = ()
    shown: ClassVar[Sequence[str]] = ()
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    play: ClassVar[str | None] = None
    work: ClassVar[str] = ""  # what playing is called where it is work, which waits for nothing but its own results
    pages: ClassVar[Sequence[Mapping[str, Sequence[Any]]]] = ()  # of each, every combination
    height: ClassVar[float] = 440.0  # of the sheet, which is 1100 wide
    lasting: ClassVar[bool] = True  # whether a state looks the same whenever it is drawn
    answers: ClassVar[bool] = True  # whether there is an answer to hold back

    def __init_subclass__(cls) -> None:
        """Refuse names of no field; write what the fields say into the docstring, and the paper where it names none."""
        known = {field.name for field in cls.fields}
        for name in [*cls.shown, *filter(None, [cls.play]), *chain(*cls.presets.values(), *cls.pages)]:
            if name not in known:
                raise TypeError(f"{cls.__name__} has no field {name!r}: it has {', '.join(sorted(known))}")
        parameters = "\n".join(field.documented() for field in cls.fields if field.about)
        if parameters:
            said, *rest = re.split(r"\n\n(?=(?:References|Examples)\n-)", inspect.cleandoc(cls.__doc__ or ""))
            source = [] if rest and rest[0].startswith("References") else [SOURCE]
            cls.__doc__ = "\n\n".join([said, f"Parameters\n----------\n{parameters}", RAISES, *source, *rest])

    def __init__(self, *first: Any, **state: Any) -> None:
        self.state: Mapping[str, Any] = {field.name: field.default for field in self.fields}
        self.update(**{**dict(zip(self.state, first, strict=False)), **state})
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

    def describe(self, covered: bool = False) -> str:
        """Say in words what is to be seen; where `covered`, without the answer."""
        return re.sub(f"{OPEN}(.*?){SHUT}", "…" if covered else r"\1", self.words())

    def frame(self) -> Frame:
        """Return the state as two SVG documents; the same state gives the same ones, byte for byte."""
        key = self.behind()
        if self._background is None or not same(key, self._background[0]):
            self._background = key, svg(self.lay(), self.height)
        return Frame(self._background[1], svg(self.move(), self.height))

    def behind(self) -> tuple[Any, ...]:
        """Return what the background depends on."""
        return tuple(self.state[field.name] for field in self.fields if not field.moves)

    def png(self, covered: bool = False, note: str = "") -> bytes:
        """Draw the state as a PNG file, 2200 pixels wide, on white, with a line of its own for a note."""
        below = [text(WIDTH - 8, self.height + 10, note, SMALL, GREY, "end")] if note else []
        return png([*self.lay(), *self.move(), *below], self.height + 22 * bool(note), covered)

    def lay(self) -> Elements:
        """Yield what stands in the background: all that the fields that move leave alone."""
        return ()

    def move(self) -> Elements:
        """Yield what moves, over the background."""
        return ()

    def words(self) -> str:
        """Say in words what is to be seen; `hold` marks the answer."""
        raise NotImplementedError

    def targets(self) -> Targets:
        """Yield what can be clicked."""
        return ()

    def __repr__(self) -> str:
        return self.describe()

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Show the picture as a PNG, with its description as the alternative text."""
        return as_output(self.png(), self.describe())


def hold(text: str) -> str:
    """Mark a part of a description as the answer, which a covered picture holds back."""
    return f"{OPEN}{text}{SHUT}"


def as_output(image: bytes, words: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a PNG of a sheet as the output of a cell, with words for those who cannot see it."""
    data = {"image/png": base64.b64encode(image).decode(), "text/plain": words}
    return data, {"image/png": {"alt": words, "width": WIDTH}}


def rounded(number: float, digits: int = 4) -> str:
    """Write a number with so many digits after the point, and zero without a sign.

    >>> rounded(-0.00001), rounded(0.125, 1)
    ('0.0000', '0.1')
    """
    return f"{round(number, digits) + 0.0:.{digits}f}"


def short_length(x: float) -> str:
    """Write a wavelength in a few digits."""
    return f"{x:,.{1 if x < 1e4 else 0}f}" if 0.1 <= x < 1e6 else f"{x:.2g}"


def one_line(text: str, most: int = 40) -> str:
    """Return text for a description: on one line, and cut after so many characters."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return line if len(line) <= most else line[: most - 1] + "…"


def round_step(least: float) -> float:
    """Return the smallest of …, 0.5, 1, 2, 5, 10, 20, 50, … that is no less."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= least)


def round_numbers(least: float, greatest: float) -> list[float]:
    """Return round numbers in a range, evenly spaced, at most six."""
    step = round_step((greatest - least) / 5)
    return [round(n * step, 9) for n in range(math.ceil(least / step), math.floor(greatest / step) + 1)]


def evenly(count: int, most: int) -> list[int]:
    """Return at most so many of the numbers 0, 1, …, count - 1, evenly spread, the first and the last among them."""
    shown = min(count, most)
    return [round(k * (count - 1) / max(shown - 1, 1)) for k in range(shown)]


class Pane(NamedTuple):
    """A part of the sheet with axes of its own: `x` and `y` carry numbers to places, single ones or arrays."""

    left: float
    top: float
    wide: float
    high: float
    across: tuple[float, float]  # the numbers at the left and the right end
    up: tuple[float, float]  # the numbers at the lower and the upper end

    def x(self, number: Any) -> Any:
        """Return how far from the left a number lies."""
        return self.left + self.wide * (number - self.across[0]) / (self.across[1] - self.across[0])

    def y(self, number: Any) -> Any:
        """Return how far from the top a number lies."""
        return self.top + self.high * (self.up[1] - number) / (self.up[1] - self.up[0])

    @property
    def box(self) -> Place:
        """Left, top, width and height."""
        return self[:4]

    @property
    def right(self) -> float:
        """Where the pane ends."""
        return self.left + self.wide

    @property
    def bottom(self) -> float:
        """Where it ends, downward."""
        return self.top + self.high

    @property
    def middle(self) -> tuple[float, float]:
        """How far from the left and from the top its middle lies."""
        return self.left + self.wide / 2, self.top + self.high / 2


def same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Say whether the values are the same; a matrix is the same only as itself, and is kept alive by whoever asks."""
    plain = (bool, int, float, str, tuple, type(None))
    return len(one) == len(other) and all(
        a is b or (isinstance(a, plain) and isinstance(b, plain) and a == b) for a, b in zip(one, other, strict=True)
    )
