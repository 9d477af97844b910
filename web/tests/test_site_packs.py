"""The packs hold what the library draws, and pages and files are small enough."""

import base64
import functools
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

import pe_pictures

EXPLORERS = [name for name in pe_pictures.__all__ if name.startswith("explore_")]
ONE_FILE, ONE_PAGE, ALL_WIDE = (
    1_000_000,
    900_000,
    2_160_000,
)  # bytes, at most; the packs of letters as outlines had 4.8 MB
THEME = (
    "_static/styles/",
    "_static/scripts/",
    "mathjax",
    "_static/pygments",
    "_static/doctools",
    "_static/searchtools",
)


def short(name: str) -> str:
    return name.removeprefix("explore_")


@functools.cache
def unpacked(path: Path) -> list[dict[str, Any]]:
    """Return what a file's packs hold: the wide one, and the upright one where there is one."""
    data = re.findall(r'pePacks \?\?= \{\}\)\["[\w-]+"\] = "([^"]+)"', path.read_text(encoding="utf-8"))
    return [json.loads(gzip.decompress(base64.b64decode(pack))) for pack in data]


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_pack_holds_what_the_library_draws_for_its_states(site, name):
    explorer = getattr(pe_pictures, name)()
    controls = [control["name"] for control in explorer.spec()["controls"]]
    packs = unpacked(site / "explore" / f"{short(name)}.html")
    assert len(packs) == 1 + explorer.picture.upright
    for tall, pack in enumerate(packs):
        assert 20 < len(pack["states"]) <= 400
        every = 41 if name == "explore_workbench" else 11  # which asks for a diagnosis each time
        for values, behind, moving, words, title, places in reversed(pack["states"][::every]):
            wanted = dict(zip(controls, values, strict=True))
            answer = explorer.answer({"set": wanted, "fresh": True, "tall": bool(tall)})
            lines = ["\n".join(pack["lines"][k] for k in pack["layers"][layer]) for layer in (behind, moving)]
            assert lines == [answer["background"], answer["moving"]], values
            assert pack["lines"][words] == answer["words"], values
            plain = json.loads(json.dumps(answer))
            assert json.loads(pack["lines"][title]) == plain["title"], values
            placed = json.loads(pack["lines"][places])
            assert {key: placed[key] for key in ("targets", "axis", "speed")} == {
                key: plain[key] for key in ("targets", "axis", "speed")
            }, values


def test_from_the_start_and_from_every_preset_it_can_be_played(site):
    for name in EXPLORERS:
        (pack, *_) = unpacked(site / "explore" / f"{short(name)}.html")
        spec, names = pack["spec"], [control["name"] for control in pack["spec"]["controls"]]
        states = [dict(zip(names, state[0], strict=True)) for state in pack["states"]]
        for preset in [{"name": "the start", "set": {}}, *spec["presets"]]:
            wanted = {**spec["start"], **preset["set"]}
            places = [state for state in states if {**state, spec["play"]: wanted[spec["play"]]} == wanted]
            assert len(places) >= 2, f"{name}: {preset['name']}"


def test_one_file_is_small_and_names_no_other(site):
    files = sorted((site / "explore").glob("*.html"))
    assert [path.stem for path in files] == sorted(map(short, EXPLORERS))
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert path.stat().st_size <= ONE_FILE, path.name
        assert not re.findall(r'<[^>]*\s(?:src|href)="(?!data:)[^"]*"', text.split("<script>")[0]), path.name


@functools.cache
def gzipped(path: Path) -> int:
    """Return how many bytes of a file go over the line."""
    return len(gzip.compress(path.read_bytes()))


def test_the_wide_packs_of_the_files_together_are_small(site):
    data = [re.search(r'"\] = "([^"]+)"', path.read_text("utf-8"))[1] for path in (site / "explore").glob("*.html")]
    assert sum(len(base64.b64decode(pack)) for pack in data) <= ALL_WIDE


def test_a_page_is_small_beyond_the_theme_and_the_formulas(site):
    for path in sorted({*site.rglob("*.html")} - {*site.glob("lectures/*")}):  # a deck is many pages
        text = path.read_text(encoding="utf-8")
        parts = {path}
        for address in re.findall(r'(?:src|href|data-pack)="(?!data:)([^"#?]+)', text):
            part = (path.parent / address).resolve()
            if part.suffix != ".html" and part.is_file() and not any(own in str(part) for own in THEME):
                parts.add(part)
        size = sum(map(gzipped, parts))
        assert size <= ONE_PAGE, f"{path.name}: {size}"


def test_nothing_that_a_page_shows_is_left_over(site):
    texts = [path.read_text(encoding="utf-8") for path in site.rglob("*.html")]
    for path in (site / "_static" / "packs").iterdir():
        assert any(path.name in text for text in texts), path.name
