"""The index of the search: each section of each page, with its own words; `static/search.js` looks into it.

Questions are sections, so a question is found as itself. Code and what a program has put out are left out, and so is
whatever helps with an exercise.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from explorers_on_pages import write
from sphinx.application import Sphinx

HELP = ("<summary>Hint</summary>", "<summary>One way to solve it</summary>")  # as `notebooks_as_pages` writes them


def sections(docname: str, doctree: nodes.document) -> Iterator[tuple[str, str, str, str]]:
    """Yield of each section its address, the title of its page, its own title and its text."""
    page = next(doctree.findall(nodes.title), None)
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title)
        address = f"{docname}.html" if section.parent is doctree else f"{docname}.html#{section['ids'][0]}"
        if page and title:
            yield address, page.astext(), title.astext(), " ".join(" ".join(own(section)).split())


def own(section: nodes.Element) -> Iterator[str]:
    """Yield the text of a section, without that of the sections in it."""
    helping = False
    for part in section.children:
        if isinstance(part, nodes.raw):
            helping = any(each in part.astext() for each in HELP) or (helping and "</details>" not in part.astext())
        elif not helping and not isinstance(part, nodes.section | nodes.title | nodes.literal_block | nodes.comment):
            yield part.astext() if not part.children or isinstance(part, nodes.TextElement) else " ".join(own(part))


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Keep what a page adds to the index, also for the next build, which reads only pages that have changed."""
    app.env.metadata[app.env.docname]["sections"] = [*sections(app.env.docname, doctree)]


def write_index(app: Sphinx, trouble: Exception | None) -> None:
    """Write the index, and take away what Sphinx's own search would need."""
    if trouble or app.builder.name != "html":
        return
    out = Path(app.outdir)
    rows = [row for docname in sorted(app.env.all_docs) for row in app.env.metadata[docname]["sections"]]
    write(out / "_static" / "sections.js", f"const SECTIONS = {json.dumps(rows, ensure_ascii=False)};\n")
    for name in ("searchindex.js", "_static/searchtools.js", "_static/language_data.js"):
        (out / name).unlink(missing_ok=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the search."""
    app.connect("doctree-read", collect)
    app.connect("build-finished", write_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
