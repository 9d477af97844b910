"""Links in the notebooks and in the texts beside them lead somewhere, and one notebook leads to the next."""

import re
from itertools import pairwise
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from conftest import LESSONS, PATHS, ROOT
from minutes import FILES

TEXTS = [*FILES, *sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("*/README.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"")
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.DOTALL | re.MULTILINE)
each_text = pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())


def prose(path):
    """Return the text of a page without its code, and with `code` in headings."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def links(path):
    return [one or other for one, other in LINK.findall(CODE.sub("", prose(path)))]


def targets(path):
    """Return the files of this project that a page links to."""
    parts = [urlsplit(link) for link in links(path)]
    return {(path.parent / unquote(part.path)).resolve() for part in parts if part.path and not part.scheme}


def anchors(path):
    """Return what may follow the # in a link to a page: JupyterLab keeps the heading, a file's is in lower case."""
    headings = [heading.replace("`", "") for heading in re.findall(r"^#+ (.+?) *$", prose(path), re.MULTILINE)]
    if path.suffix != ".ipynb":
        headings = [re.sub(r"[^\w -]", "", heading.lower()) for heading in headings]
    return {heading.replace(" ", "-") for heading in headings}


@each_text
def test_every_link_leads_somewhere(path):
    for link in links(path):
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme == "https", link
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        assert target.exists(), f"{link} leads nowhere"
        assert not parts.fragment or unquote(parts.fragment) in anchors(target), f"{link}: no such heading"


@each_text
def test_every_picture_is_part_of_the_project_and_has_words_in_its_place(path):
    for words, source in re.findall(r"!\[([^\]]*)\]\(([^)\s]+)", CODE.sub("", prose(path))):
        assert words.strip(), source
        assert not urlsplit(source).scheme, source


@pytest.mark.parametrize("name", PATHS)
def test_each_lesson_of_a_path_leads_to_the_next_and_back_and_to_the_start_page(name):
    for earlier, later in pairwise(PATHS[name]):
        assert later in targets(earlier)
        assert {earlier, LESSONS[0]} <= targets(later)


def test_the_readme_and_the_start_page_lead_to_every_notebook():
    assert set(FILES) <= targets(ROOT / "README.md")
    assert set(FILES[1:]) <= targets(LESSONS[0])


def test_every_question_is_answered_with_a_link_and_found_from_the_readme():
    _, *questions = re.split(r"^### ", prose(ROOT / "questions.md"), flags=re.MULTILINE)
    answered = [re.search(r"→ \[.+?\]\(notebooks/", question) is not None for question in questions]
    assert all(answered)
    assert len(answered) >= 50
    assert ROOT / "questions.md" in targets(ROOT / "README.md")
