"""Pictures for pages without Python: all states that a picture declares for pages, in one script."""

import base64
import gzip
import itertools
import json
from collections.abc import Iterator
from typing import Any

from pe_lib.explorers.explorer import Explorer

MOST = 400  # states


def page_states(explorer: Explorer) -> Iterator[dict[str, Any]]:
    """Yield the values of the controls for each state of a page: the first, the presets', and those declared.

    A picture that declares none, as a drawing of one's own, has all that its controls offer.
    """
    start = {name: explorer.picture.state[name] for name in explorer.fields}
    presets = ({name: [value] for name, value in state.items()} for state in ({}, *explorer.presets.values()))
    pages = explorer.picture.pages or [{name: _offered(explorer, name) for name in start}]
    for grid in (*presets, *pages):
        for values in itertools.product(*(grid.get(name, [value]) for name, value in start.items())):
            yield dict(zip(start, values, strict=True))


def _offered(explorer: Explorer, name: str) -> Any:
    """Return the values that a control offers in the state of now."""
    control = explorer.fields[name].control(explorer.picture.state)
    if control["kind"] == "tick":
        return (False, True)
    if control["kind"] == "slider":
        return range(control["least"], control["greatest"] + 1, control["step"])
    return control.get("options", (explorer.picture.state[name],))


def packed(explorer: Explorer) -> dict[str, Any]:
    """Return an explorer's states, each distinct line of their SVG once.

    `lines` are texts; each of `layers` is a list of line numbers; each of `states` has the controls' values and the
    numbers of its background, its moving layer, its words and its targets. ValueError for more than 400 states.
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
        answer = explorer.answer({"set": wanted, "fresh": True})
        if "moving" not in answer:
            raise ValueError(f"a state for pages cannot be drawn: {wanted}: {answer['message']}")
        values = [answer["values"][control["name"]] for control in spec["controls"]]
        shown = [layer(answer["background"]), layer(answer["moving"])]
        states[state] = [values, *shown, line(answer["words"]), line(json.dumps(answer["targets"]))]
    explorer.reset()
    if len(states) > MOST:
        raise ValueError(f"a picture may have at most {MOST} states on pages, {spec['name']} has {len(states)}")
    return {"spec": spec, "lines": list(lines), "layers": list(layers), "states": list(states.values())}


def script(name: str, explorer: Explorer) -> str:
    """Return the pack as a classic script, which pages opened from a folder can load too."""
    text = json.dumps(packed(explorer), separators=(",", ":"), ensure_ascii=False)
    data = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
    return f'(globalThis.pePacks ??= {{}})["{name}"] = "{data}";\n'
