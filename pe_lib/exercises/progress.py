"""Which exercises have been solved: one small file beside the notebooks, and a table of it for the start page."""

import contextlib
import json
import os
import sys
from html import escape
from pathlib import Path

FILE = ".solved.json"


class Solved(dict[str, dict[str, bool]]):
    """The exercises of each notebook, named by its file, and whether they have been solved; shown as a table.

    >>> Solved({"00_start_here.ipynb": {"a whole turn": True, "the double": False}})
    00 start here  ●○  1 of 2
    """

    def __repr__(self) -> str:
        lines = [(_title(file), "".join("○●"[done] for done in names.values())) for file, names in self.items()]
        width, most = (max(map(len, column)) for column in zip(*lines, strict=True))
        return "\n".join(
            f"{title:{width}}  {marks:{most}}  {marks.count('●')} of {len(marks)}" for title, marks in lines
        )

    def _repr_html_(self) -> str:
        """Return a table with a link to each notebook and the names of its exercises."""
        rows = ""
        for file, names in self.items():
            marked = (
                f"● <b>{escape(each)}</b>, solved" if done else f"○ {escape(each)}" for each, done in names.items()
            )
            rows += (
                f'<tr><td style="text-align:left"><a href="{escape(file)}">{escape(_title(file))}</a></td>'
                f'<td style="text-align:left">{"<br>".join(marked)}</td>'
                f"<td>{sum(names.values())} of {len(names)}</td></tr>"
            )
        return f"<table><tr><th>notebook</th><th>exercises</th><th>solved</th></tr>{rows}</table>"


def _title(file: str) -> str:
    return file.removesuffix(".ipynb").replace("_", " ")


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
            new = Path(f"{FILE}.{os.getpid()}")  # whoever reads the file finds the old text or the new one, never half
            try:
                new.write_text(json.dumps(sorted({*done, name}), indent=0, ensure_ascii=False), encoding="utf-8")
                new.replace(FILE)
            finally:
                new.unlink(missing_ok=True)


def _stored() -> set[str]:
    """Return the names in the file; none if there is no such file, or something else in it."""
    try:
        found = json.loads(Path(FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return {name for name in found if isinstance(name, str)} if isinstance(found, list) else set()
