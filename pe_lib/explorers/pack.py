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
    """Yield the values of the controls for each state of a page: the first, the presets', and those declared."""
    start = {name: explorer.picture.state[name] for name in explorer.fields}
    grids: list[dict[str, Any]] = [
        {name: [value] for name, value in {**start, **state}.items()} for state in ({}, *explorer.presets.values())
    ]
    grids += [{**{name: [value] for name, value in start.items()}, **page} for page in explorer.picture.pages]
    for grid in grids:
        for values in itertools.product(*(grid[name] for name in start)):
            yield dict(zip(start, values, strict=True))


def packed(explorer: Explorer) -> dict[str, Any]:
    """Return an explorer's states, each distinct line of their SVG once.

    `lines` are texts; each of `layers` is a list of line numbers; each of `states` has the controls' values and the
    numbers of its background, its moving layer, its words and its targets. ValueError for more than 400 states.
    """
    spec = explorer.spec() | {"work": ""}  # what a page shows is done
    lines: dict[str, int] = {}
    layers: dict[tuple[int, ...], int] = {}
    states: dict[str, list[Any]] = {}

    def line(text: str) -> int:
        return lines.setdefault(text, len(lines))

    def layer(svg: str) -> int:
        return layers.setdefault(tuple(line(text) for text in svg.split("\n")), len(layers))

    for wanted in page_states(explorer):
        answer = explorer.answer({"set": wanted, "fresh": True})
        if "moving" not in answer:
            raise ValueError(f"a state for pages cannot be drawn: {wanted}: {answer['message']}")
        values = [answer["values"][control["name"]] for control in spec["controls"]]
        if json.dumps(values) not in states:
            shown = [layer(answer["background"]), layer(answer["moving"])]
            states[json.dumps(values)] = [values, *shown, line(answer["words"]), line(json.dumps(answer["targets"]))]
    explorer.reset()
    if len(states) > MOST:
        raise ValueError(f"a picture may have at most {MOST} states on pages, {spec['name']} has {len(states)}")
    return {"spec": spec, "lines": list(lines), "layers": list(layers), "states": list(states.values())}


def script(name: str, explorer: Explorer) -> str:
    """Return the pack as a classic script, which pages opened from a folder can load too."""
    text = json.dumps(packed(explorer), separators=(",", ":"), ensure_ascii=False)
    data = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
    return f'(globalThis.pePacks ??= {{}})["{name}"] = "{data}";\n'
