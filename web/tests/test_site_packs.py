"""The packs hold what the library draws, and pages and files are small enough."""

import base64
import gzip
import json
import re

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


def short(name: str) -> str:
    return name.removeprefix("explore_")


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_pack_holds_what_the_library_draws_for_its_states(site, name):
    text = (site / "explore" / f"{short(name)}.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'pePacks \?\?= \{\}\)\["[\w-]+"\] = "([^"]+)"', text)
    pack = json.loads(gzip.decompress(base64.b64decode(data)))
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


def test_one_file_is_small_and_names_no_other(site):
    files = sorted((site / "explore").glob("*.html"))
    assert [path.stem for path in files] == sorted(map(short, EXPLORERS))
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert path.stat().st_size <= MOST, path.name
        assert not re.findall(r'<[^>]*\s(?:src|href)="(?!data:)[^"]*"', text.split("<script>")[0]), path.name


def test_a_page_is_small_beyond_the_theme_and_the_formulas(site):
    for path in sorted({*site.rglob("*.html")} - {*site.glob("lectures/*")}):  # a deck is many pages
        text = path.read_text(encoding="utf-8")
        parts = {path}
        for address in re.findall(r'(?:src|href|data-pack)="(?!data:)([^"#?]+)', text):
            part = (path.parent / address).resolve()
            if part.suffix != ".html" and part.is_file() and not any(own in str(part) for own in THEME):
                parts.add(part)
        size = sum(len(gzip.compress(part.read_bytes())) for part in parts)
        assert size <= MOST, f"{path.name}: {size}"


def test_nothing_that_a_page_shows_is_drawn_twice_or_left_over(site):
    texts = [path.read_text(encoding="utf-8") for path in site.rglob("*.html")]
    for path in (site / "_static" / "packs").iterdir():
        assert any(path.name in text for text in texts), path.name
