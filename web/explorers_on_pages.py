"""Explorers and questions in what Sphinx builds: pages and slides on which they move without Python.

The directive `explorer` takes what the last line of a notebook's cell would be, `question` the name of a prediction::

    ```{explorer} explore_waves("Dan loves icecream")
    :state: position=1
    :cover:
    ```

    ```{question} one column tells the position
    ```

Each explorer leaves a pack of its states and a first picture beside the pages, once for all places that show it. A page
shows the picture at once, also with scripts off; the script that all share fetches the pack when it comes into view.
"""

import hashlib
import html
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import pe_diagnosis
import pe_exercises
import pe_lib
import pe_pictures
from pe_pictures.explorers import Explorer, Prediction
from pe_pictures.explorers.pack import page_states, script
from pe_pictures.explorers.script import SCRIPT, STYLE
from pe_pictures.explorers.tasks import Tasks
from pe_pictures.picture import Frame, Picture
from pe_pictures.scene import kind_of
from pe_pictures.style import RULES

PACKS = "_static/packs"
LAYERS = ".picture{position:relative}.move{position:absolute;inset:0}svg{display:block;width:100%;height:auto}"
PACKAGES = (pe_lib, pe_diagnosis, pe_exercises, pe_pictures)
FOLDERS = [Path(str(package.__file__)).parent for package in PACKAGES]
NAMES: dict[str, Any] = {name: getattr(package, name) for package in PACKAGES for name in package.__all__}
OWN: dict[str, Any] = {}  # what expressions may name besides the library
KEPT = Path(__file__).resolve().parent / ".packs"  # what has been drawn, for the next build


def _digest(*folders: Path) -> Any:
    files = (path for folder in folders for path in sorted(folder.glob("**/*.py")) if "tests" not in path.parts)
    return hashlib.sha256(b"".join([np.__version__.encode(), *map(Path.read_bytes, files)]))


LIBRARY = _digest(*FOLDERS)


def sheet(frame: Frame, *, cover: bool = False) -> str:
    """Return the two layers of a frame as they stand on a page without any script, in a shadow root of their own."""
    kind = "picture covered" if cover else "picture"
    layers = f'<div class="lay">{frame.background}</div><div class="move">{frame.moving}</div>'.replace("\n", "")
    style = f"<style>{RULES}{LAYERS}</style>"
    return f'<template shadowrootmode="open">{style}<div class="{kind}">{layers}</div></template>'


def still(picture: Picture, *, cover: bool = False) -> str:
    """Return a picture that does not move, with its sentence over it."""
    said = "".join(
        f'<span class="pe-{kind}">{html.escape(text)}</span>' if kind else html.escape(text)
        for text, kind in picture.title(cover)
    )
    words, drawn = html.escape(picture.describe(cover)), ""
    for tall in (False, True)[: 1 + picture.upright]:  # the page's width decides which of them is seen
        picture.tall = tall
        kind, (wide, high) = ("pe-upright" if tall else "pe-level" if picture.upright else ""), picture.size
        style = f"aspect-ratio:{wide:g}/{high:g}"
        drawn += f'<div class="pe-sheet {kind}" style="{style}">{sheet(picture.frame(), cover=cover)}</div>'
    picture.tall = False
    return f'<div class="pe-still" role="img" aria-label="{words}"><p class="pe-says">{said}</p>{drawn}</div>'


def name_of(explorer: Explorer) -> str:
    """Return a name that belongs to what an explorer's pack holds: its controls, its state, and the library."""
    spec = {**explorer.spec(), "cover": False}
    state = [(name, value.tolist() if isinstance(value, np.ndarray) else value) for name, value in _state(explorer)]
    own = LIBRARY.copy()
    own.update(json.dumps([spec, state, kind_of(tall=False)], default=str).encode())
    return f"{spec['name'].lower()}-{own.hexdigest()[:12]}"


def _state(explorer: Explorer) -> list[tuple[str, Any]]:
    return list(explorer.picture.state.items())


def packs_of(explorer: Explorer) -> dict[str, str]:
    """Return an explorer's packs by their names, the wide one first; each is drawn anew only where it has changed."""
    name, found = name_of(explorer), {}
    for tall in (False, True)[: 1 + explorer.picture.upright]:
        own = f"{name}-tall" if tall else name
        kept = KEPT / f"{own}.js"
        if not kept.exists():
            write(kept, script(own, explorer, tall))
        found[own] = kept.read_text(encoding="utf-8")
    return found


def at(explorer: Explorer, state: Mapping[str, Any]) -> tuple[Explorer, dict[str, Any]]:
    """Return the explorer whose pack has a state, and that state with all that is not named."""
    first = {name: explorer.picture.state[name] for name in explorer.fields} | dict(state)
    if first not in list(page_states(explorer)):
        explorer.picture.update(**first)
        explorer = Explorer(explorer.picture, cover=explorer.covered)
    return explorer, first


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all: two processes may be writing the same one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def place(
    explorer: Explorer,
    out: Path,
    to_root: str = "",
    *,
    state: Mapping[str, Any] | None = None,
    cover: bool | None = None,
    packs: str = PACKS,
    addressed: bool = True,
) -> str:
    """Return the element that becomes an explorer, and leave its pack and its first picture below `out`.

    Parameters
    ----------
    explorer : Explorer
        What is to be moved.
    out : Path
        The folder that is being built.
    to_root : str
        The way from the page to that folder: "../" for a page one folder further down.
    state : mapping of str to values, optional
        Where the controls are at first, and after *Reset*, if not where the explorer has them.
    cover : bool, optional
        Whether the answer is held back at first, if not as the explorer has it.
    packs : str
        The folder for the packs, from `out`.
    addressed : bool
        Whether the address of the page can say which state is shown, as that of a slide cannot.

    Raises
    ------
    TypeError, ValueError
        If the state cannot be drawn.
    """
    explorer, first = at(explorer, state or {})
    covered = explorer.covered if cover is None else cover
    for name, pack in packs_of(explorer).items():
        write(out / packs / f"{name}.js", pack)
    name = name_of(explorer)
    data = {"explorer": name, "pack": f"{to_root}{packs}/{name}.js", "cover": json.dumps(covered)}
    if explorer.picture.upright:
        data["tall"] = f"{to_root}{packs}/{name}-tall.js"
    if not addressed:
        data["address"] = "false"
    if state:
        data["state"] = json.dumps(explorer.spec()["start"] | dict(state))
    return element(data, explorer, first, cover=covered)


def element(data: Mapping[str, str], explorer: Explorer, state: Mapping[str, Any], *, cover: bool = False) -> str:
    """Return the element that the script fills, with the picture that stands there until then."""
    attributes = "".join(f' data-{name}="{html.escape(value)}"' for name, value in data.items())
    before = explorer.picture.state
    explorer.picture.update(**state)
    standing = still(explorer.picture, cover=cover) + (listed(explorer.tasks) if explorer.tasks else "")
    explorer.picture.state = before
    return f'<div class="pe-place"{attributes}>{standing}</div>'


def listed(tasks: Tasks) -> str:
    """Return tasks as a list, which stands below a picture until it comes to life."""
    items = "".join(f"<li>{html.escape(task.says.replace('*', ''))}</li>" for task in tasks.tasks)
    return f'<ol class="pe-still">{items}</ol>'


def ask(question: Prediction) -> str:
    """Return the element that becomes a question; without scripts it is the question and its choices."""
    choices = "".join(f"<li>{html.escape(choice)}</li>" for choice in question.choices)
    asked = f"<p><b>{html.escape(question.question)}</b></p><ul>{choices}</ul>"
    return f'<div class="pe-place" data-question="{html.escape(json.dumps(question.spec()))}">{asked}</div>'


def evaluate(expression: str) -> Any:
    """Return the value of an expression in the names of the library; the expressions are the project's own."""
    return eval(expression, NAMES | OWN)


class ExplorerDirective(SphinxDirective):
    """Place an explorer."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {"state": directives.unchanged, "cover": directives.flag}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Return the explorer's element."""
        state = evaluate(f"dict({self.options['state']})") if "state" in self.options else None
        cover = True if "cover" in self.options else None
        return [self._raw(evaluate(self.arguments[0]), state, cover)]

    def _raw(self, explorer: Explorer, state: Mapping[str, Any] | None, cover: bool | None) -> nodes.Node:
        app = self.env.app
        to_root = "../" * self.env.docname.count("/")
        packs = app.config.explorer_packs
        text = place(explorer, Path(app.outdir), to_root, state=state, cover=cover, packs=packs)
        return nodes.raw("", text, format="html")


class QuestionDirective(SphinxDirective):
    """Place a prediction."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the question's element."""
        return [nodes.raw("", ask(pe_pictures.predict(self.arguments[0])), format="html")]


def _write_script(app: Sphinx) -> None:
    write(Path(app.outdir) / "_static/explorer.js", f"globalThis.pePage = true;\n{SCRIPT}")
    write(Path(app.outdir) / "_static/explorer.css", STYLE)


def _add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Load the style, which brings the face of all pages, and the script on pages that have something for it."""
    del page, template, doctree
    app.add_css_file("explorer.css")
    if 'class="pe-place"' in context.get("body", ""):
        app.add_js_file("explorer.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the directives."""
    app.add_config_value("explorer_packs", PACKS, "html")
    app.add_directive("explorer", ExplorerDirective)
    app.add_directive("question", QuestionDirective)
    app.connect("builder-inited", _write_script)
    app.connect("html-page-context", _add_script)
    # Where the library or the way of making pages has changed, all pages are read anew.
    version = _digest(*FOLDERS, Path(__file__).parent).hexdigest()
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": int(version[:8], 16)}
