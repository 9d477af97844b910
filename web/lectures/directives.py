"""What slides and handouts consist of: pictures in steps, votes, speaker notes, and the plan of a lecture."""

import html
import itertools
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pictures
import segno
import slides
from docutils import nodes
from docutils.parsers.rst import directives
from explorers_on_pages import LIBRARY, OWN, evaluate, place, still
from sharing import SITE
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from pe_pictures import Explorer
from pe_pictures.explorers.pack import PLAYED
from pe_pictures.explorers.script import STYLE
from pe_pictures.fields import Integer
from pe_pictures.scene import for_slides
from pe_pictures.style import FONT_FACE, TOKENS

LIBRARY.update(Path(pictures.__file__).read_bytes())
OWN.update({name: getattr(pictures, name) for name in pictures.EXPLORERS})

FARTHEST = 128  # positions: what lies between two steps that are farther apart is not drawn


def raw(text: str) -> nodes.Node:
    """Return HTML as it stands."""
    return nodes.raw("", text, format="html")


def stepped(explorer: Explorer, states: list[dict[str, Any]]) -> Explorer:
    """Return the explorer with these states as its presets, and with what lies between them and along its slider."""
    stops = [{name: explorer.picture.state[name] for name in explorer.fields} | state for state in states]
    pages, walked = [], set()
    for before, after in itertools.pairwise(stops):
        for name in (moved := [name for name, value in after.items() if value != before[name]]):
            if len(moved) == 1 and isinstance(explorer.fields[name], Integer) and explorer.fields[name].moves:
                low, high = sorted((before[name], after[name]))
                if high - low <= FARTHEST:
                    pages.append(_grid(after, name, range(low, high + 1)))
                    walked.add(name)
    for stop in stops if explorer.play else ():
        control = explorer.fields[explorer.play].control(explorer.picture.nearest(stop))
        values = control.get("options") or range(control["least"], control["greatest"] + 1)
        if len(values) <= PLAYED or explorer.play not in walked:  # it glides only where all places are there
            pages.append(_grid(stop, explorer.play, values[:: -(-len(values) // PLAYED)]))
    explorer.picture.pages = tuple(pages)  # type: ignore[misc]
    presets = {str(number): state for number, state in enumerate(states, 1)}
    return Explorer(explorer.picture, presets=presets, play=explorer.play)


def _grid(state: dict[str, Any], name: str, values: Sequence[Any]) -> dict[str, Sequence[Any]]:
    return {other: (value,) for other, value in state.items()} | {name: values}


def fragments(count: int) -> str:
    """Return what reveal.js counts as steps of a slide; nothing of it is seen."""
    return '<span class="fragment" aria-hidden="true"></span>' * count


def on_paper(explorer: Explorer, state: dict[str, Any], said: str) -> str:
    """Return a picture in a state as it is printed, under its caption if it has one."""
    explorer.picture.update(**state)
    printed = still(explorer.picture).replace('class="picture"', 'class="picture touched"')
    caption = f'<p class="pe-says">{html.escape(said)}</p>'
    printed = re.sub('<p class="pe-says">.*?</p>', lambda found: caption if said else found[0], printed)
    return f'<div class="pe-place">{printed}</div>'


class Walked(SphinxDirective):
    """What shows a picture that goes through states: live on slides, as it stands in the last one on paper."""

    has_content = True

    @property
    def printed(self) -> bool:
        """Whether this is for paper."""
        return bool(self.env.app.builder.name == "html")

    def walk(self, expression: str, lines: Iterable[str]) -> tuple[str, list[list[Any]]]:
        """Return the picture of an expression, and what it goes through: states, each with its caption."""
        steps = slides.steps(lines)
        states = [evaluate(f"dict({state})") for state, _ in steps]
        explorer = evaluate(expression)
        with for_slides():
            if self.printed:
                return on_paper(explorer, states[-1], steps[-1][1]), []
            explorer = stepped(explorer, states)
            start = explorer.spec()["start"]
            put = place(explorer, Path(self.env.app.outdir), state=states[0], addressed=False)
        return put, [[start | state, said] for state, (_, said) in zip(states, steps, strict=True)]


class Steps(Walked):
    """Show a picture that walks from state to state: a line for each, with its values, `|`, and a caption.

    Without a caption the picture's own sentence stands over it.
    """

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the picture and its steps."""
        put, walk = self.walk(self.arguments[0], self.content)
        data = html.escape(json.dumps(walk))
        return [raw(f'<div class="steps" data-steps="{data}">{put}{fragments(len(walk) - 1)}</div>')]


class Vote(Walked):
    """Ask a question by its name, over a picture that goes from `state` to the state `then`, which settles it.

    A state may have a caption, after `|`. With `rounds` of 2 the room votes, talks to its neighbours, and votes again.
    `tempting` is the number of the wrong choice that most will take: the answer says why. On paper the answer is on a
    page behind.
    """

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {  # noqa: RUF012
        "state": directives.unchanged,
        "then": directives.unchanged_required,
        "rounds": directives.positive_int,
        "tempting": directives.positive_int,
    }

    def run(self) -> list[nodes.Node]:
        """Return the question and the place of its picture."""
        asked = slides.question(self.arguments[0]).spec()
        tempting = self.options["tempting"] - 1
        if asked["choices"][tempting][2]:
            raise self.error(f"the tempting choice of {self.arguments[0]!r} is the right one")
        put, states = self.walk(self.content[0], [self.options.get(name) or "|" for name in ("state", "then")])
        if self.printed:
            return [raw(_printed_vote(asked, tempting, put))]
        rounds = self.options.get("rounds", 1)
        data = html.escape(json.dumps({**asked, "states": states, "rounds": rounds, "tempting": tempting}))
        return [raw(f'<div class="vote" data-vote="{data}">{put}{fragments(3 + 2 * (rounds > 1))}</div>')]


def _printed_vote(asked: dict[str, Any], tempting: int, put: str) -> str:
    """Return a question with its choices, and its answer for the page behind."""
    choices = [(html.escape(said), html.escape(why)) for said, why, _ in asked["choices"]]
    right = next(k for k, (*_, is_right) in enumerate(asked["choices"]) if is_right)
    listed = "".join(f'<li><span class="choice">{said}</span></li>' for said, _ in choices)
    which = f'<p class="which">✓ {right + 1}. {choices[right][0]}</p>'
    why = f'<p class="tempting"><b>{tempting + 1}. {choices[tempting][0]}? </b>{choices[tempting][1]}</p>'
    question = f'<p class="question">{html.escape(asked["question"])}</p><ol>{listed}</ol>'
    answered = f'<div class="said">{which}{why}</div><div class="settled">{put}</div>'
    return (
        f'<div class="vote" data-stage="choices">{question}</div>'
        f'<div class="vote behind" data-stage="settled">{answered}</div>'
    )


class Address(SphinxDirective):
    """Show the address of the pages, in letters and as a QR code, if they have one."""

    def run(self) -> list[nodes.Node]:
        """Return both, or nothing."""
        if not SITE:
            return []
        code = segno.make(f"{SITE}/").svg_inline(omitsize=True, border=1, dark="#1a1f26", light="#ffffff")
        return [raw(f'<div class="address">{code}<p>{html.escape(SITE.removeprefix("https://"))}</p></div>')]


class Notes(Walked):
    """What the speaker reads."""

    def run(self) -> list[nodes.Node]:
        """Return the notes where reveal.js looks for them; on paper there are none."""
        if self.printed:
            return []
        return [raw('<aside class="notes">'), *self.parse_content_to_nodes(), raw("</aside>")]


class Still(SphinxDirective):
    """Show a picture as it stands."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the picture, in the page itself."""
        explorer: Explorer = evaluate(self.arguments[0])
        with for_slides():  # a sheet is narrow, too
            return [raw(still(explorer.picture))]


def _fill(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the slides of a deck, its plan, and its questions where a page asks for them."""
    del app, page
    for name in ("deck", "paper", "plan", "questions", "answers"):
        source[0] = re.sub(
            rf"\b{name} of (\d+) minutes$", lambda m, name=name: getattr(slides, name)(int(m[1])), source[0], flags=re.M
        )


def _style(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Give slides their subject as a title, the style of the explorers, and no icon for which a browser would ask."""
    del template, doctree
    if app.builder.name == "revealjs":
        context["title"] = f"{app.config.project}: {context['title']}"
        context["metatags"] += f'<link rel="icon" href="data:,"><style>:root{{{TOKENS}}}</style>'
        context["css_files"].insert(1, "_static/explorer.css")
    elif page.startswith("paper"):
        own = (slides.HERE / "static/lecture.css").read_text("utf-8")
        context["style"] = f":root{{{TOKENS}color-scheme:light}}{STYLE}{own}"
    else:
        context["face"] = FONT_FACE


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the directives."""
    app.add_directive("steps", Steps)
    app.add_directive("vote", Vote)
    app.add_directive("address", Address)
    app.add_directive("notes", Notes)
    app.add_directive("still", Still)
    app.connect("source-read", _fill)
    app.connect("html-page-context", _style)
    return {"parallel_read_safe": True}
