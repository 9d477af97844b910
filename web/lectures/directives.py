"""What stands on slides and handouts: votes, speaker notes, pictures that stand still, and the plan of a lecture."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pictures
import slides
from docutils import nodes
from docutils.parsers.rst import directives
from explorers_on_pages import LIBRARY, OWN, at, evaluate, place, still
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from pe_lib.explorers import Explorer
from pe_lib.explorers.pack import page_states

LIBRARY.update(Path(pictures.__file__).read_bytes())
OWN.update({name: getattr(pictures, name) for name in ("relatives",)})


def raw(text: str) -> nodes.Node:
    """Return HTML as it stands."""
    return nodes.raw("", text, format="html")


class Vote(SphinxDirective):
    """Ask a question by its name, over a picture that is at `state` and covered; the answer goes to the state `then`.

    Where the cover does not hide enough, the state must be one that does not tell; where there is none, the question
    stands `alone` on paper. On the screen no picture is seen before the answer is asked for.
    """

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {  # noqa: RUF012
        "state": directives.unchanged,
        "then": directives.unchanged_required,
        "alone": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Return the question and the place of its picture."""
        explorer = evaluate(self.content[0])
        first, then = (evaluate(f"dict({self.options.get(name, '')})") for name in ("state", "then"))
        start = {name: explorer.picture.state[name] for name in explorer.fields}
        explorer, begin = at(explorer, first)
        if start | then not in list(page_states(explorer)) or start | then == begin:
            raise self.error(f"{self.options['then']} must be another state of {self.content[0]} on pages")
        spec = {**slides.question(self.arguments[0]).spec(), "then": explorer.spec()["start"] | then}
        put = place(explorer, Path(self.env.app.outdir), state=first, cover=explorer.picture.answers)
        kind = "vote alone" if "alone" in self.options else "vote"
        return [raw(f'<div class="{kind}" data-vote="{html.escape(json.dumps(spec))}">{put}</div>')]


class Notes(SphinxDirective):
    """What the speaker reads."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the notes where reveal.js looks for them."""
        return [raw('<aside class="notes">'), *self.parse_content_to_nodes(), raw("</aside>")]


class Still(SphinxDirective):
    """Show a picture as it stands."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the picture, in the page itself."""
        explorer: Explorer = evaluate(self.arguments[0])
        return [raw(still(explorer.picture))]


def _fill(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the slides of a deck, its plan, and its questions where a page asks for them."""
    del app, page
    for name in ("deck", "plan", "questions"):
        source[0] = re.sub(
            rf"^{name} of (\d+) minutes$", lambda m, name=name: getattr(slides, name)(int(m[1])), source[0], flags=re.M
        )


def _style(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Give slides the style of the explorers, and no icon, for which a browser would ask the server."""
    del page, template, doctree
    if app.builder.name == "revealjs":
        context["metatags"] += '<link rel="icon" href="data:,">'
        context["css_files"].insert(1, "_static/explorer.css")


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the directives."""
    app.add_directive("vote", Vote)
    app.add_directive("notes", Notes)
    app.add_directive("still", Still)
    app.connect("source-read", _fill)
    app.connect("html-page-context", _style)
    return {"parallel_read_safe": True}
