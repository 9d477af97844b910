"""Build the course as pages that move without Python: `python web/build.py` leaves them in web/_build.

The notebooks are the source of their text. Besides the pages there are a file for each explorer, and the lectures.
"""

import base64
import html
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import sharing
from explorers_on_pages import PACKS, element, name_of, packs_of, write
from notebooks_as_pages import title_of
from sphinx.cmd.build import build_main

import pe_pictures
from pe_pictures.explorers.script import SCRIPT, STYLE

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
OUT = HERE / "_build"
SOURCE = HERE / ".source"  # what Sphinx reads: copies, beneath one folder
EXPLORERS = [name for name in pe_pictures.__all__ if name.startswith("explore_")]
SLOWEST = "explore_workbench"  # each of its states asks for a diagnosis
FILE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><link rel="icon" href="{icon}"><title>{title}</title>
{tags}<style>
{style}
{own}</style></head>
<body><main><h1>{title}</h1>
{element}
<p>{home}. MIT licence.</p></main>
<script>
{pack}</script>
<script>
globalThis.pePage = true;
{script}</script></body></html>
"""


def gather() -> None:
    """Put what Sphinx reads beneath one folder."""
    if SOURCE.exists():
        shutil.rmtree(SOURCE)
    shutil.copytree(ROOT / "notebooks", SOURCE / "notebooks", ignore=shutil.ignore_patterns(".*"))
    shutil.copytree(ROOT / "benchmarks", SOURCE / "benchmarks", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("README.md", "questions.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy2(ROOT / name, SOURCE / name)
    shutil.copy2(HERE / "workbench.md", SOURCE)
    index, home = (HERE / "index.md").read_text(encoding="utf-8"), os.environ.get("PE_FILES")
    if home:  # where the files can be had; whoever publishes the pages knows
        index = index.replace("these pages are made of.", f"these pages are made of: {files_at(home)}")
    (SOURCE / "index.md").write_text(index, encoding="utf-8")


def files_at(home: str) -> str:
    """Return how to get the files from their address; those of a public repository on GitHub run on Binder too."""
    repository = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+)", home)
    if not repository:
        return f"<{home}>."
    binder = f"https://mybinder.org/v2/gh/{repository[1]}/HEAD?labpath=notebooks%2F00_start_here.ipynb"
    return f"<{home}>. Without installing anything, you can [open them on Binder]({binder}); it takes a few minutes."


def inline(svg: str) -> str:
    """Return an address that holds a picture itself."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def one_file(name: str) -> Path:
    """Write an explorer as a page that needs no other file."""
    explorer = getattr(pe_pictures, name)()
    picture, path = explorer.picture, OUT / "explore" / f"{name.removeprefix('explore_')}.html"
    title = picture.question or title_of(explorer)
    said = "".join(text for text, _ in picture.title())
    preview = path.with_suffix(".png").relative_to(OUT)
    if sharing.SITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        (OUT / preview).write_bytes(picture.png())
    data = {"explorer": name_of(explorer), "cover": "false", "address": "true"}
    text = FILE.format(
        title=html.escape(title),
        tags=sharing.tags(title, f"{title} {said}", path.relative_to(OUT).as_posix(), preview.as_posix()),
        icon=inline((HERE / "static" / "icon.svg").read_text(encoding="utf-8")),
        style=STYLE,
        own=(HERE / "static" / "one_file.css").read_text(encoding="utf-8"),
        element=element(data, explorer, {}),
        home=sharing.home(),
        pack="".join(packs_of(explorer).values()),
        script=SCRIPT,
    )
    write(path, text)
    return path


def prune() -> None:
    """Take away what no page shows: packs and pictures of earlier builds, all MathJaxes but the one in use."""
    pages = (page.read_text(encoding="utf-8") for page in OUT.rglob("*.html"))
    shown = {name for page in pages for name in re.findall(rf"(?:{PACKS}|mathjax)/([\w.-]+)", page)}
    for path in [*(OUT / PACKS).iterdir(), *(OUT / "_static" / "mathjax").glob("*.js")]:
        if path.name not in shown:
            path.unlink()


def main() -> int:
    """Build everything; return what is to be the exit status."""
    gather()
    lectures = subprocess.Popen([sys.executable, HERE / "lectures" / "build.py"])
    with multiprocessing.Pool(1) as pool:
        others = pool.map_async(one_file, [name for name in EXPLORERS if name != SLOWEST])
        one_file(SLOWEST)  # in this process, which finds its diagnoses again for notebook 12
        strict = ["-q", "-W", "--keep-going", "-j", "2"]
        status = build_main([*strict, "-c", str(HERE), "-d", str(HERE / ".doctrees"), str(SOURCE), str(OUT)])
        others.get()
    status = lectures.wait() or status
    prune()
    print(f"The pages: {OUT / 'index.html'}\nOne file each: {OUT / 'explore'}")
    return status


if __name__ == "__main__":
    sys.exit(main())
