"""Pictures for pages without Python: all states that such a page offers, in one script for each shape of the sheet."""

import base64
import gzip
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pe_pictures.explorers.explorer import Explorer

MOST_STATES = 500  # states
PLAYED = 64  # places of the played slider


def page_states(explorer: Explorer) -> Iterator[dict[str, Any]]:
    """Yield the values of the controls for each state of a page.

    They are the first state, the presets, what the picture declares for `pages`, or else the whole of the slider that
    plays at the first state and at each preset; and what tasks ask for, with that slider.
    """
    start = {name: explorer.picture.state[name] for name in explorer.fields}
    own: list[Mapping[str, Any]] = [{}, *explorer.presets.values()]
    yield from ({**start, **state} for state in own)
    pages = explorer.picture.pages or [
        {name: [value] for name, value in state.items()} | _played(explorer, {**start, **state}) for state in own
    ]
    for grid in pages:
        for values in itertools.product(*(grid.get(name, [value]) for name, value in start.items())):
            yield dict(zip(start, values, strict=True))
    for wanted in explorer.tasks.states if explorer.tasks else ():
        asked = {**start, **{name: value[0] if isinstance(value, list) else value for name, value in wanted.items()}}
        yield asked
        yield from ({**asked, name: at} for name, places in _played(explorer, asked).items() for at in places)


def _played(explorer: Explorer, state: Mapping[str, Any]) -> dict[str, Sequence[Any]]:
    """Return the places of the slider that plays, in a state; of many, some."""
    if not explorer.play:
        return {}
    control = explorer.fields[explorer.play].control(explorer.picture.nearest(state))
    values = control.get("options") or range(control["least"], control["greatest"] + 1, control["step"])
    return {explorer.play: values[:: -(-len(values) // PLAYED)]}


def packed(explorer: Explorer, tall: bool = False) -> dict[str, Any]:
    """Return an explorer's states on one shape of the sheet, each distinct line of their SVG once.

    `lines` are texts; each of `layers` is a list of line numbers; each of `states` has the controls' values and the
    numbers of its background, its moving layer, its words, its sentence and its places. ValueError for more than 500.
    """
    spec = explorer.spec()
    lines: dict[str, int] = {}
    layers: dict[tuple[int, ...], int] = {}
    states: dict[str, list[Any]] = {}

    def line(text: str) -> int:
        return lines.setdefault(text, len(lines))

    def layer(svg: str) -> int:
        return layers.setdefault(tuple(line(text) for text in svg.split("\n")), len(layers))

    for wanted in page_states(explorer):
        near = explorer.picture.nearest(wanted)
        state = repr([near[name] for name in explorer.fields])
        if state in states:
            continue
        answer = explorer.answer({"set": wanted, "fresh": True, "tall": tall})
        if "moving" not in answer:
            raise ValueError(f"a state for pages cannot be drawn: {wanted}: {answer['message']}")
        values = [answer["values"][control["name"]] for control in spec["controls"]]
        played = answer["limits"].get(explorer.play, {})
        ends = [played[end] for end in ("least", "greatest")] if "least" in played else None
        places = {"targets": answer["targets"], "axis": answer["axis"], "speed": answer["speed"], "ends": ends}
        said = [line(answer["words"]), line(written(answer["title"])), line(written(places))]
        states[state] = [values, layer(answer["background"]), layer(answer["moving"]), *said]
    explorer.reset()
    if len(states) > MOST_STATES:
        raise ValueError(f"a picture may have at most {MOST_STATES} states on pages, {spec['name']} has {len(states)}")
    return {"spec": spec, "lines": list(lines), "layers": list(layers), "states": list(states.values())}


def written(value: Any) -> str:
    """Write a value as JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def script(name: str, explorer: Explorer, tall: bool = False) -> str:
    """Return the pack as a classic script, which pages opened from a folder can load too."""
    said = written(packed(explorer, tall)).encode(errors="replace")  # half a character is written as a question mark
    data = base64.b64encode(gzip.compress(said, 9, mtime=0)).decode()
    return f'(globalThis.pePacks ??= {{}})["{name}"] = "{data}";\n'
