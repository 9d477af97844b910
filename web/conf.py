"""How Sphinx builds the notebooks as pages; `build.py` calls it."""

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
EMPTY_HEAD = re.compile(r"<th\b[^>]*>\s*(?:<p></p>)?\s*</th>")  # of a column or a row without a name: no head

project = "Positional encoding"
author = "the authors of the positional encoding notebooks"
extensions = ["myst_parser", "sphinx-mathjax-offline", "notebooks_as_pages", "gallery", "sharing", "search_on_pages"]
root_doc = "index"
exclude_patterns = ["README.md"]  # parts of it are included

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
myst_heading_slug_func = "notebooks_as_pages.anchor"
myst_links_external_new_tab = False

# The largest file of a page is fetched last, by pages.js; no formula is a stop of the Tab key.
mathjax_options = {"type": "text/later"}
mathjax3_config = {"options": {"menuOptions": {"settings": {"inTabOrder": False}}}}

templates_path = ["templates"]
html_theme = "furo"
html_title = project
html_favicon = str(HERE / "static" / "icon.svg")
html_static_path = [str(HERE / "static")]
html_css_files = ["pages.css"]
html_js_files = [("pages.js", {"loading_method": "defer"})]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False


def setup(app: Sphinx) -> None:
    """Give the captions of lists of pages the level that headings need, and take away heads that say nothing."""
    app.connect("html-page-context", _level_captions, priority=900)  # after the theme has made its navigation
    mathjax = app.extensions["sphinx-mathjax-offline"]  # copies files at the end, and doesn't say that that's all
    mathjax.parallel_read_safe = mathjax.parallel_write_safe = True


def _level_captions(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    del app, page, template, doctree
    for part in ("body", "furo_navigation_tree"):
        if part in context:
            text = context[part].replace(
                'class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"'
            )
            context[part] = EMPTY_HEAD.sub("<td></td>", text)
