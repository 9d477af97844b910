"""Notebooks as pages: their text and stored outputs, with live explorers and questions where a cell ends in one.

A notebook is turned into MyST before Sphinx parses it. Cells with pictures are evaluated anew, right after the set-up
cell where that is enough, else after the cells of their section. What JupyterLab shows closed is closed here too.
"""

import ast
import base64
import builtins
import contextlib
import hashlib
import html
import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from cells_on_pages import EXERCISE, fold, own_cell
from cells_on_pages import cell as runnable
from explorers_on_pages import PACKS, ask, place, still
from python_for_pages import SOURCE
from sphinx.application import Sphinx

import pe_exercises
from pe_pictures import Explorer
from pe_pictures.explorers import Prediction
from pe_pictures.fields import Sentence
from pe_pictures.picture import Picture

FOLDED = "Output"
ANSWERED = "The output, once you have locked in an answer"
HINT, SOLVED = "Hint", "One way to solve it"  # what can be opened below an exercise
LIVE = (
    "You can change and run every cell on this page. When you type the first letter or press *Run*, your browser "
    f"fetches Python, once: about 10 MB from {SOURCE}, and as much again for plots. Nothing you type leaves your "
    "computer; this browser keeps it for you."
    "<noscript> Your browser runs no scripts here, so pictures and cells stand still: "
    "[run them yourself]({}#run-it-yourself).</noscript>"
)
RECORDED = "Until you press *Run*, the training is a recording."
WORDS = "Type words of your own into its box, and Python draws them."


class Page:
    """A notebook on its way to becoming a page: `docname` names it from the root of the pages, built into `out`."""

    def __init__(self, notebook: Any, docname: str, out: Path) -> None:
        self.cells = notebook.cells
        self.docname, self.out = docname, out
        self.to_root = "../" * docname.count("/")
        self.names: dict[str, Any] | None = None  # of the set-up cell, once it has run

    def text(self) -> str:
        """Return the page as MyST."""
        cells = enumerate(self.cells)
        parts = ["\n\n".join(self.code(k)) if "outputs" in cell else for_page(cell.source) for k, cell in cells]
        if (number := self.docname.rpartition("/")[2][:2]).isdigit():
            parts[0] = parts[0].replace("# ", f"# {number} · ", 1)  # the text names notebooks by their numbers
        parts.insert(1, aside(LIVE.format(self.to_root + "index.md")))
        return "\n\n".join([*parts, own_cell()]) + "\n"

    def code(self, k: int) -> Iterator[str]:
        """Yield a code cell and what it has put out."""
        cell = self.cells[k]
        how = cell.metadata.get("jupyter", {})
        shown = "\n\n".join(self.shown(k))
        before = next((cell.source for cell in reversed(self.cells[:k]) if "outputs" in cell), "")
        if shown and before.startswith("predict("):
            shown = fold(shown, ANSWERED, "pe-answer")
        elif shown and how.get("outputs_hidden"):
            shown = fold(shown, FOLDED)
        if cell.source.startswith("predict("):  # a question is live without Python
            yield f"```python\n{cell.source}\n```\n\n{shown}"
        else:
            yield runnable(cell.source, cell.id, shown, folded=how.get("source_hidden", False))
        if asked := EXERCISE.search(cell.source):
            yield fold(pe_exercises.hint(asked[1]).text, HINT)
            yield fold(pe_exercises.solution(asked[1])._repr_markdown_(), SOLVED)

    def shown(self, k: int) -> Iterator[str]:
        """Yield what stands below a cell."""
        cell = self.cells[k]
        if EXERCISE.search(cell.source):
            return  # nobody has given an answer yet
        for output in cell.outputs:
            if output.output_type == "stream":
                yield plain(output.text)
            elif may_live(output, cell.source) and (value := self.value(k)) is not None:
                yield from self.live(value)
            else:
                yield self.stored(output)

    def live(self, value: Explorer | Picture | Prediction) -> Iterator[str]:
        """Yield the element for what a cell ends in."""
        if isinstance(value, Prediction):
            yield ask(value)
        elif isinstance(value, Picture):
            yield still(value)
        else:
            yield place(value, self.out, self.to_root)
            if value.picture.work:
                yield aside(RECORDED)
            if any(isinstance(field, Sentence) for field in value.fields.values()):
                yield aside(WORDS)

    def stored(self, output: Any) -> str:
        """Return an output as it is stored."""
        data = output.data
        if "image/png" in data:
            png = base64.b64decode(data["image/png"])
            name = f"stored-{hashlib.sha256(png).hexdigest()[:12]}.png"
            (self.out / PACKS).mkdir(parents=True, exist_ok=True)
            (self.out / PACKS / name).write_bytes(png)
            return image(f"{self.to_root}{PACKS}/{name}", output.metadata["image/png"]["alt"])
        if "text/markdown" in data:
            return str(data["text/markdown"])
        if "text/html" in data:
            table = re.sub(r'(href="[^"]*)\.ipynb\b', r"\1.html", data["text/html"])
            return f'<div class="pe-table">{table}</div>'
        return plain(data["text/plain"])

    def value(self, k: int) -> Explorer | Picture | Prediction | None:
        """Return what a cell ends in, if that is an explorer, a picture or a question."""
        cell = self.cells[k]
        *_, last = ast.parse(cell.source).body
        if not isinstance(last, ast.Expr) or not isinstance(last.value, ast.Call):
            return None
        of_one_run = {"nbval-ignore-output"} & {*cell.metadata.get("tags", ())} or "NBVAL_IGNORE_OUTPUT" in cell.source
        if of_one_run and not ast.unparse(last).startswith("explore_"):
            return None  # it stays as it is stored: it was trained, which takes its time
        if self.names is None:
            self.names = {}
            for before in itertools.takewhile(lambda cell: not cell.source.startswith("## "), self.cells):
                if before.cell_type == "code" and "import " in before.source:
                    run(before.source, self.names)
        names = dict(self.names)
        if used(cell.source) - set(names):
            section = max(at for at, cell in enumerate(self.cells[:k]) if cell.source.startswith("## "))
            for before in self.cells[section:k]:
                if before.cell_type == "code":
                    run(before.source, names)
        value = run(cell.source, names)
        return value if isinstance(value, Explorer | Picture | Prediction) else None


def may_live(output: Any, source: str) -> bool:
    """Say whether an output may be that of an explorer, a picture or a question; what a cell has plotted is none."""
    drawn = output.output_type == "execute_result" and "image/png" in output.data
    return drawn or "predict(" in source


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell quietly, and return the value of its last line, which is a call or tells nothing."""
    body = ast.parse(source).body
    last = body.pop().value if isinstance(body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        return last and eval(compile(ast.Expression(last), "cell", "eval"), names)


def title_of(explorer: Explorer) -> str:
    """Return what an explorer is called above a page of its own."""
    words = re.findall("[A-Z][a-z]*", type(explorer.picture).__name__)
    return " ".join([words[0], *(word.lower() for word in words[1:])])


def used(source: str) -> set[str]:
    """Return the names that a cell takes from elsewhere."""
    nodes = list(ast.walk(ast.parse(source)))
    named = {node.id: node.ctx for node in nodes if isinstance(node, ast.Name)}
    made = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    made |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    made |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return set(named) - made - set(dir(builtins))


def plain(text: str) -> str:
    """Return text as a program has put it out."""
    return f"```text\n{text.rstrip()}\n```"


def image(address: str, words: str) -> str:
    """Return a picture that does not move."""
    return f'<img class="pe-still" src="{address}" alt="{html.escape(words)}">'


def for_page(text: str) -> str:
    """Return text as a page words it: without what is in a span for notebooks, and with what a comment has for pages.

    >>> for_page('<span class="in-notebook">Run the cell, then drag</span><!-- on pages: Drag --> the word.')
    'Drag the word.'
    """
    text = re.sub(r'<span class="in-notebook">.*?</span>', "", text, flags=re.DOTALL)
    return re.sub(r"<!-- on pages: (.*?) -->", r"\1", text, flags=re.DOTALL)


def aside(text: str) -> str:
    """Return a remark of these pages, which is not the notebook's."""
    return f"<div class='pe-aside'>\n\n{text}\n\n</div>"


def anchor(heading: str) -> str:
    """Return what leads to a heading, as JupyterLab writes it."""
    return heading.replace(" ", "-")


def as_myst(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace the text of a notebook by the page's."""
    if app.env.doc2path(docname).suffix == ".ipynb":
        source[0] = Page(nbformat.reads(source[0], as_version=4), docname, Path(app.outdir)).text()


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx that notebooks are pages."""
    app.setup_extension("explorers_on_pages")
    app.setup_extension("cells_on_pages")
    app.add_source_suffix(".ipynb", "markdown")
    app.connect("source-read", as_myst)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
