"""What a page says of itself where its address is shared: a description, and a preview where the pages have an address.

PE_SITE is that address, set by whoever publishes the pages. Without it no page names a place that nobody can reach.
"""

import html
import os
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

import pe_pictures

SITE = os.environ.get("PE_SITE", "").rstrip("/")
WHOLE = "How does a Transformer know which word came first?"
PREVIEW = "_static/preview.png"
LONGEST = 160  # characters of a description


def tags(title: str, description: str, page: str, preview: str = PREVIEW) -> str:
    """Return the tags of a page, which lies at `page` from the root of the pages, as does its preview."""
    named = {"description": shortened(description)}
    if SITE:
        seen = {"title": title, "description": named["description"], "type": "website"}
        seen |= {"url": f"{SITE}/{page}", "image": f"{SITE}/{preview}"}
        named |= {f"og:{name}": value for name, value in seen.items()}
    kind = {name: "property" if name.startswith("og:") else "name" for name in named}
    return "".join(f'<meta {kind[name]}="{name}" content="{html.escape(value)}">\n' for name, value in named.items())


def home() -> str:
    """Return, as HTML, what a page of its own is part of, with a link there if it has an address."""
    return f'Part of <a href="{html.escape(SITE)}/">{WHOLE}</a>' if SITE else f"Part of “{WHOLE}”"


def shortened(text: str) -> str:
    """Return text on one line, cut between two words where it is too long.

    >>> shortened("a b  c")
    'a b c'
    """
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[:LONGEST].rsplit(" ", 1)[0].rstrip(",;:.") + " …"


def _describe(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Describe a page by its first paragraph."""
    del app, template
    first = next((part.astext() for part in doctree.findall(nodes.paragraph)), "") if doctree else ""
    title = str(context.get("title") or WHOLE)
    context["metatags"] = context.get("metatags", "") + tags(title, first or title, f"{page}.html")


def _draw_preview(app: Sphinx) -> None:
    """Draw what chats show next to a link, where the pages have an address."""
    if SITE:
        place = Path(app.outdir) / PREVIEW
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(pe_pictures.WhoBites(position=36).png())


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx to describe its pages."""
    app.connect("html-page-context", _describe)
    app.connect("builder-inited", _draw_preview)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
