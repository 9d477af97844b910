"""Build the lectures, their handout and plans: `python web/lectures/build.py` leaves them in web/_build/lectures."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from explorers_on_pages import PACKS
from lab import BROWSERS
from sphinx.cmd.build import build_main

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "_build" / "lectures"
DECKS, SHEETS = ("lecture-45", "lecture-90"), ("handout", "plan-45", "plan-90")
PAPER = {"paper-45": "lecture-45", "paper-90": "lecture-90"}  # pages of which only the PDF is kept, and its name


def main() -> int:
    """Build everything; return what is to be the exit status."""
    with tempfile.TemporaryDirectory() as other:
        status = _build("revealjs", DECKS, OUT) or _build("html", (*SHEETS, *PAPER), Path(other))
        if status:
            return status
        for name in (*SHEETS, *PAPER):
            _print(Path(other) / f"{name}.html", OUT / f"{PAPER.get(name, name)}.pdf")
        for name in SHEETS:
            shutil.copy2(Path(other) / f"{name}.html", OUT)
    pages = "".join((OUT / f"{deck}.html").read_text("utf-8") for deck in DECKS)
    shown = {*re.findall(rf"{PACKS}/([\w.-]+)", pages)}
    for path in (OUT / PACKS).iterdir():
        if path.name not in shown:
            path.unlink()  # of earlier builds
    print(f"The lectures: {OUT / 'lecture-45.html'} and lecture-90.html; next to them each as PDF, handout and plans")
    return 0


def _build(builder: str, pages: tuple[str, ...], out: Path) -> int:
    """Build some of the pages; return the exit status."""
    rest = ",".join(sorted({path.name for path in HERE.glob("*.md")} - {f"{page}.md" for page in pages}))
    how = [
        "-q",
        "-W",
        "--keep-going",
        "-E",
        "-b",
        builder,
        "-D",
        f"root_doc={pages[0]}",
        "-D",
        f"exclude_patterns={rest}",
    ]
    return build_main([*how, "-d", str(HERE.parent / ".doctrees" / builder), str(HERE), str(out)])


def _print(page: Path, to: Path) -> None:
    """Print a page to a PDF, where a browser of the Chromium family is at hand."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        print(f"No Chromium or Chrome here, so no {to.name}.")
        return
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as home:
        how = ["--headless", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={home}", *alone]
        command = [browser, *how, f"--print-to-pdf={to}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    sys.exit(main())
