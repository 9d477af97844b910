"""Which exercises have been solved: one small file beside the notebooks, and a table of it for the start page."""

import contextlib
import html
import json
import os
import sys
import tempfile
from pathlib import Path

FILE = ".solved.json"


class Solved(dict[str, dict[str, bool]]):
    """The exercises of each notebook, named by its file, and whether they have been solved; shown as a table.

    >>> Solved({"00_start_here.ipynb": {"a whole turn": True, "the double": False}})
    00 start here  ●○  1 of 2
    """

    def _lines(self) -> list[tuple[str, str, dict[str, bool], str]]:
        """Return file, title, exercises and count of each notebook."""
        return [
            (file, file.removesuffix(".ipynb").replace("_", " "), names, f"{sum(names.values())} of {len(names)}")
            for file, names in self.items()
        ]

    def __repr__(self) -> str:
        lines = [(title, "".join("○●"[done] for done in names.values()), n) for _, title, names, n in self._lines()]
        width, most = (max(len(line[k]) for line in lines) for k in (0, 1))
        return "\n".join(f"{title:{width}}  {marks:{most}}  {n}" for title, marks, n in lines)

    def _repr_html_(self) -> str:
        """Return a table with a link to each notebook and the names of its exercises."""
        rows = "".join(
            f'<tr><td style="text-align:left"><a href="{html.escape(file)}">{html.escape(title)}</a></td>'
            f'<td style="text-align:left">{"<br>".join(_marked(*each) for each in names.items())}</td><td>{n}</td></tr>'
            for file, title, names, n in self._lines()
        )
        return f"<table><tr><th>notebook</th><th>exercises</th><th>solved</th></tr>{rows}</table>"


def _marked(name: str, done: bool) -> str:
    return f"● <b>{html.escape(name)}</b>, solved" if done else f"○ {html.escape(name)}"


def solved() -> Solved:
    """Show which exercises have been solved in the notebooks of the working folder.

    >>> str(solved()).splitlines()[0]
    '00  ○○○    0 of 3'
    """
    from pe_lib.exercises.engine import exercises

    done, table = _stored(), Solved()
    files = {path.name[:2]: path.name for path in sorted(Path().glob("[0-9][0-9]_*.ipynb"))}
    for each in exercises().values():
        table.setdefault(files.get(each.notebook, each.notebook), {})[each.name] = each.name in done
    return table


def remember(name: str) -> None:
    """Write down that an exercise is solved, if this is a kernel in the folder of the notebooks; never fail."""
    with contextlib.suppress(Exception):  # a folder that cannot be written, a full disk: it is only a convenience
        kernel = hasattr(sys.modules["IPython"].get_ipython(), "kernel")
        here = Path("00_start_here.ipynb").exists() and Path("solutions").is_dir()
        if kernel and here and name not in (done := _stored()):
            _replace(json.dumps(sorted({*done, name}), indent=0, ensure_ascii=False))


def _stored() -> set[str]:
    """Return the names in the file; none if there is no such file, or something else in it."""
    try:
        found = json.loads(Path(FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return {name for name in found if isinstance(name, str)} if isinstance(found, list) else set()


def _replace(text: str) -> None:
    """Write the file so that whoever reads it finds the old text or the new one, never half of it."""
    handle, new = tempfile.mkstemp(prefix=FILE, dir=".")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(new).replace(FILE)
    except BaseException:
        Path(new).unlink()
        raise
