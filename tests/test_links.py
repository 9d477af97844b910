"""Links in the notebooks and the README lead somewhere, and one notebook leads to the next."""

import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
PAGES = [
    *sorted(path for path in ROOT.joinpath("notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts),
    *sorted(ROOT.glob("*.md")),
]
LINK = re.compile(  # [text](target), [name]: target, <a href="target">
    r"\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)]*)?\)|^\s*\[[^\]]+\]:\s*(\S+)|(?:href|src)=[\"']([^\"']+)", re.MULTILINE
)
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`|<!--.*?-->", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)


def prose(path: Path) -> list[str]:
    """Return the Markdown texts of a page: one for each cell of a notebook, one for a file."""
    if path.suffix != ".ipynb":
        return [path.read_text(encoding="utf-8")]
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]


def links(path: Path) -> list[str]:
    return [next(filter(None, found)) for text in prose(path) for found in LINK.findall(CODE.sub("", text))]


def anchors(path: Path) -> set[str]:
    """Return what may follow the # in a link to a page: JupyterLab keeps the heading, GitHub makes it lower case."""
    found = set()
    for text in prose(path):
        for heading in HEADING.findall(re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)):
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", heading)
            if path.suffix == ".ipynb":
                found.add(words.replace(" ", "-"))
            else:
                found.add(re.sub(r"[^\w -]", "", words.lower()).replace(" ", "-"))
    return found


def targets(path: Path) -> set[Path]:
    """Return the files of this project that a page links to."""
    return {
        (path.parent / unquote(urlsplit(link).path)).resolve()
        for link in links(path)
        if not urlsplit(link).scheme and urlsplit(link).path
    }


def test_there_are_pages():
    assert LESSONS
    assert ROOT / "README.md" in PAGES


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_link_leads_somewhere(path):
    for link in links(path):
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme in {"http", "https", "mailto"}, link
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        assert target.exists(), f"{link} leads nowhere"
        if parts.fragment:
            assert unquote(parts.fragment) in anchors(target), f"{link}: no such heading, there are {anchors(target)}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_picture_is_part_of_the_project_and_has_alt_text(path):
    for text in prose(path):
        for alt, source in re.findall(r"!\[([^\]]*)\]\(([^)\s]+)", CODE.sub("", text)):
            assert alt.strip(), f"{source} has no alt text"
            assert not urlsplit(source).scheme, f"{source} comes from another server"


def test_each_lesson_leads_to_the_next_and_back():
    for earlier, later in pairwise(LESSONS):
        assert later in targets(earlier), f"{earlier.name} does not lead to {later.name}"
        assert earlier in targets(later), f"{later.name} does not lead back to {earlier.name}"
        assert LESSONS[0] in targets(later), f"{later.name} does not lead to the start page"


def test_the_readme_and_the_start_page_lead_to_every_lesson():
    assert set(LESSONS) <= targets(ROOT / "README.md")
    assert set(LESSONS[1:]) <= targets(LESSONS[0])


def test_the_map_and_the_readme_say_the_minutes_and_the_difficulty_that_the_lessons_say():
    (start_page,) = [text for text in prose(LESSONS[0]) if text.startswith("## The map")]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for lesson in LESSONS[1:]:
        said = re.search(
            r"^(\d+) minutes(?:, (\d+) more for \*Going deeper\*)?.*? Difficulty (●+)\.", prose(lesson)[0], re.MULTILINE
        )
        core, deeper, difficulty = said.groups()
        minutes = f"{core} + {deeper}" if deeper else core
        assert f"({lesson.name}) | {minutes} | {difficulty} |" in start_page, lesson.name
        assert re.search(rf"\(notebooks/{lesson.name}\): [^|]* \| {re.escape(minutes)} \|", readme), lesson.name
