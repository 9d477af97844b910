"""Cells that can be changed and run on pages: what Sphinx writes beside them for the scripts in `cells`."""

import base64
import hashlib
import html
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import nbformat
from explorers_on_pages import FOLDERS, write
from python_for_pages import ADDRESS, warn
from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent / "cells"
PARTS = (".py", ".toml", ".json", ".mplstyle")  # of the packages, what Python reads
EXERCISE = re.compile(r'^check\("([^"]+)", ', re.MULTILINE)
OWN = (
    "This cell is empty, for whatever you would like to try. It knows the names of this page's first cell, and of all "
    "cells that you have run."
)


def cell(source: str, name: str, stored: str = "", *, own: bool = False, folded: bool = False) -> str:
    """Return a cell that the script makes an editor, in MyST: its source, and below it what it has put out.

    A folded one shows the first line of its source until it is opened, and what it has put out in any case.
    """
    asked = EXERCISE.search(source)
    data = f' data-cell="{name}"' + (f' data-exercise="{html.escape(asked[1])}"' if asked else "") + " data-own" * own
    below = f'<div class="pe-stored">\n\n{stored}\n\n</div>\n\n' if stored else ""
    code = f"```python\n{source}\n```"
    if folded:
        code = fold(code, source.split("\n", 1)[0].lstrip("# "))
    return f'<div class="pe-cell"{data}>\n\n{code}\n\n{below}</div>'


def fold(inner: str, summary: str, kind: str = "") -> str:
    """Return what is closed until it is asked for."""
    words = re.sub("`([^`]*)`", r"<code>\1</code>", html.escape(summary))
    tag = f'details class="{kind}"' if kind else "details"
    return f"<{tag}><summary>{words}</summary>\n\n{inner}\n\n</details>"


def own_cell() -> str:
    """Return the empty cell at the end of a page."""
    return f"{OWN}\n\n{cell('', 'own', own=True)}"


def library() -> tuple[str, str]:
    """Return the name of the file with what Python needs, and its text: a script, with the library in base64.

    Browsers load scripts beside a page that was opened as a file, and nothing else.
    """
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in PARTS):
            info = zipfile.ZipInfo(path.relative_to(FOLDERS[0].parent).as_posix())
            archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
        archive.writestr(zipfile.ZipInfo("box.py"), (HERE / "box.py").read_bytes(), zipfile.ZIP_DEFLATED, 9)
    parts = {
        "library": base64.b64encode(held.getvalue()).decode(),
        "source": (HERE / "in_page.py").read_text(encoding="utf-8"),
    }
    text = f"globalThis.pePython = {json.dumps(parts)};\n"
    return f"library-{hashlib.sha256(text.encode()).hexdigest()[:12]}.js", text


def write_scripts(app: Sphinx) -> None:
    """Write the script and its style, the library, and for each page its notebook without outputs."""
    warn()
    static = Path(app.outdir) / "_static"
    exercises = {}
    sources = Path(app.srcdir)
    for path in [*sources.glob("*.ipynb"), *sources.glob("notebooks/*.ipynb")]:
        notebook = nbformat.read(path, as_version=4)
        exercises[path.stem] = [asked[1] for each in notebook.cells if (asked := EXERCISE.search(each.source))]
        for each in notebook.cells:
            if each.cell_type == "code":
                each.outputs, each.execution_count = [], None
        write(static / f"notebook-{path.stem}.js", f"globalThis.peNotebook = {json.dumps(notebook)};\n")
    name, text = library()
    for old in static.glob("library-*.js"):
        old.unlink()
    write(static / name, text)
    parts = {
        "pyodide": ADDRESS,
        "library": name,
        "workerSource": (HERE / "worker.js").read_text(encoding="utf-8"),
        "exercises": exercises,
    }
    script = "\n".join(part.read_text(encoding="utf-8") for part in sorted(HERE.glob("[0-9]_*.js")))
    write(static / "cells.js", f"(() => {{\nglobalThis.peCells = {json.dumps(parts)};\n{script}}})();\n")
    write(static / "cells.css", "".join(part.read_text(encoding="utf-8") for part in sorted(HERE.glob("*.css"))))


def add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Load the script on pages that have cells, before that of the explorers, which any cell may show."""
    del page, template, doctree
    if re.search('class="pe-(cell|box)"', context.get("body", "")):
        if 'class="pe-place"' not in context["body"]:
            app.add_js_file("explorer.js", loading_method="defer")
            app.add_css_file("explorer.css")
        app.add_js_file("cells.js", loading_method="defer", priority=400)
        app.add_css_file("cells.css")


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the cells."""
    app.connect("builder-inited", write_scripts)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
