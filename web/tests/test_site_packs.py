"""The packs hold what the library draws, and pages and files are small enough."""

import base64
import functools
import gzip
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

import pe_lib

EXPLORERS = [name for name in pe_lib.__all__ if name.startswith("explore_")]
MOST = 3_000_000  # bytes
THEME = (
    "_static/styles/",
    "_static/scripts/",
    "mathjax",
    "_static/pygments",
    "_static/doctools",
    "_static/searchtools",
)


ORDERS = [" ".join(words) for words in itertools.permutations(("cat", "chased", "mouse"))]
RULES = tuple(pe_lib.clinic.RULES)
ENDINGS = ("stack axis=2", "stack axis=1", "stack axis=0", "concatenate")
# What the tasks below an explorer ask for: the page, the explorer's place on it, and choices in all combinations.
TASKS: list[tuple[str, int, dict[str, Any]]] = [
    ("00", 0, {"position": range(4), "column": range(6)}),
    ("01", 0, {"order": ORDERS, "encoding": [False, True]}),
    ("02", 0, {"column": range(6)}),
    ("02", 0, {"column": [0], "position": range(10)}),
    ("02", 0, {"column": [0, 2], "d_model": [6, 8, 10, 12, 14, 16]}),
    ("03", 0, {"row": [3], "column": [5], "step": range(11)}),
    ("03", 0, {"step": range(21)}),
    ("03", 1, {"step": range(21), "ending": ENDINGS}),
    ("04", 0, {"position": range(3), "d_model": [4, 6]}),
    ("04", 1, {"position": [*range(45), 100, 214]}),
    ("04", 1, {"d_model": [8], "position": [700]}),
    ("04", 2, {"column": [0, 8, 16, 62, 63]}),
    ("04", 2, {"position": range(50)}),
    ("04", 2, {"layout": ["halves"]}),
    ("04", 3, {"base": [10.0, 100.0, 10_000.0]}),
    ("04", 3, {"base": [100.0], "d_model": [6, 16, 32, 64, 128, 256, 512]}),
    ("05", 0, {"number": range(16)}),
    ("05", 0, {"d_model": [64], "number": range(16)}),
    ("06", 0, {"shape": ["(L, 1, d)"], "batch": [3], "sentence": range(3), "position": range(3)}),
    ("06", 0, {"shape": ["(B, 1, d)"], "batch": [1, 2, 3, 4], "length": [1], "position": [0]}),
    ("06", 0, {"shape": ["(B, 1, d)"], "batch": [1, 2, 3, 4], "length": range(2, 7)}),
    ("07", 0, {"position": range(21), "offset": [3, 6]}),
    ("07", 1, {"sharpness": range(0, 101, 2)}),
    ("07", 1, {"d_model": [8], "token": range(16)}),
    ("07", 2, {"d_model": [6, 16, 64, 512]}),
    ("07", 2, {"up_to": [20_000], "log": [True], "offset": [3283, 3284, 3285]}),
    ("07", 2, {"offset": [1], "position": [1]}),
    ("07", 2, {"position": [1000]}),
    ("08", 0, {"kind": ["float16", "bfloat16", "float32"], "position": [10, 100]}),
    ("08", 0, {"kind": ["bfloat16"], "rounded": ["positions"], "position": range(250, 261)}),
    ("08", 0, {"kind": ["bfloat16"], "rounded": ["angles", "sines"], "position": [214]}),
    ("08", 1, {"d_model": [2, 4, 6, 8, 16, 64, 512], "up_to": [50, 200, 1000]}),
    ("09", 0, {"rule": RULES}),
    ("09", 0, {"d_model": [2], "base": [10.0, 100.0, 1000.0, 10_000.0, 100_000.0]}),
    ("09", 0, {"layout": ["halves"], "start": [0, 1]}),
    ("10", 0, {"step": range(0, 301, 5)}),
    ("10", 0, {"step": [55], "place": range(32)}),
    ("11", 0, {"query": range(0, 32, 2), "relative": ["RoPE", "sinusoidal", "learned", "none"]}),
    ("11", 0, {"relative": ["RoPE, interpolated", "RoPE, NTK-aware", "RoPE, YaRN"], "scale": [1.0, 4.0, 32.0]}),
    ("11", 1, {"pair": range(64)}),
    ("11", 1, {"scaling": ["Llama 3"], "factor": [8.0], "trained": [8192], "base": [500_000.0], "pair": range(64)}),
    ("12", 0, {"position": range(8), "column": range(8)}),
    ("12", 0, {"position": range(8), "base": [100.0]}),
    ("12", 0, {"enlarged": ["none", "number", "waves", "heatmap"]}),
    ("12", 1, {"position": range(5), "offset": [3, 6]}),
    ("12", 1, {"enlarged": ["scores"]}),
]


def short(name: str) -> str:
    return name.removeprefix("explore_")


@functools.cache
def unpacked(path: Path) -> dict[str, Any]:
    """Return what a file's pack holds."""
    (data,) = re.findall(r'pePacks \?\?= \{\}\)\["[\w-]+"\] = "([^"]+)"', path.read_text(encoding="utf-8"))
    return json.loads(gzip.decompress(base64.b64decode(data)))


def states_of(pack: dict[str, Any]) -> list[dict[str, Any]]:
    names = [control["name"] for control in pack["spec"]["controls"]]
    return [dict(zip(names, state[0], strict=True)) for state in pack["states"]]


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_pack_holds_what_the_library_draws_for_its_states(site, name):
    pack = unpacked(site / "explore" / f"{short(name)}.html")
    explorer = getattr(pe_lib, name)()
    controls = [control["name"] for control in explorer.spec()["controls"]]
    assert 20 < len(pack["states"]) <= 400
    every = 17 if name == "explore_workbench" else 5  # which asks for a diagnosis each time
    for values, behind, moving, words, targets in reversed(pack["states"][::every]):
        answer = explorer.answer({"set": dict(zip(controls, values, strict=True)), "fresh": True})
        lines = ["\n".join(pack["lines"][k] for k in pack["layers"][layer]) for layer in (behind, moving)]
        assert lines == [answer["background"], answer["moving"]], values
        assert pack["lines"][words] == answer["words"], values
        assert json.loads(pack["lines"][targets]) == json.loads(json.dumps(answer["targets"])), values


@pytest.mark.parametrize(("page", "place", "choices"), TASKS)
def test_a_page_has_every_state_that_its_tasks_ask_for(site, page, place, choices):
    (lesson,) = (site / "notebooks").glob(f"{page}_*.html")
    address = re.findall(r'data-pack="([^"]+)"', lesson.read_text(encoding="utf-8"))[place]
    pack = unpacked((lesson.parent / address).resolve())
    states, start = states_of(pack), pack["spec"]["start"]
    there = {json.dumps(state, sort_keys=True) for state in states}
    for values in itertools.product(*choices.values()):
        wanted = {**start, **dict(zip(choices, values, strict=True))}
        assert json.dumps(wanted, sort_keys=True) in there, wanted


def test_every_preset_of_a_page_can_be_played_from(site):
    for path in (site / "_static" / "packs").glob("*.js"):
        pack = unpacked(path)
        spec, states, played = pack["spec"], states_of(pack), pack["spec"]["play"]
        for name, preset in spec["presets"].items():
            wanted = {**spec["start"], **preset}
            if played and wanted in states:
                places = [state for state in states if {**state, played: wanted[played]} == wanted]
                assert len(places) >= 3, f"{path.name}: {name}"


def test_one_file_is_small_and_names_no_other(site):
    files = sorted((site / "explore").glob("*.html"))
    assert [path.stem for path in files] == sorted(map(short, EXPLORERS))
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert path.stat().st_size <= MOST, path.name
        assert not re.findall(r'<[^>]*\s(?:src|href)="(?!data:)[^"]*"', text.split("<script>")[0]), path.name


@functools.cache
def gzipped(path: Path) -> int:
    """Return how many bytes of a file go over the line."""
    return len(gzip.compress(path.read_bytes()))


def test_a_page_is_small_beyond_the_theme_and_the_formulas(site):
    for path in sorted({*site.rglob("*.html")} - {*site.glob("lectures/*")}):  # a deck is many pages
        text = path.read_text(encoding="utf-8")
        parts = {path}
        for address in re.findall(r'(?:src|href|data-pack)="(?!data:)([^"#?]+)', text):
            part = (path.parent / address).resolve()
            if part.suffix != ".html" and part.is_file() and not any(own in str(part) for own in THEME):
                parts.add(part)
        size = sum(map(gzipped, parts))
        assert size <= MOST, f"{path.name}: {size}"


def test_nothing_that_a_page_shows_is_drawn_twice_or_left_over(site):
    texts = [path.read_text(encoding="utf-8") for path in site.rglob("*.html")]
    for path in (site / "_static" / "packs").iterdir():
        assert any(path.name in text for text in texts), path.name
