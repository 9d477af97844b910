"""Which exercises have been solved: one small file next to the notebooks, and a table of it for the start page."""

import functools
import json
from html import escape
from importlib import import_module
from pathlib import Path

FILE = Path(".solved.json")


class Solved(dict[str, dict[str, bool]]):
    """The exercises of each notebook, named by its file, and whether they have been solved; shown as a table.

    >>> Solved({"00_start_here.ipynb": {"a whole turn": True, "the double": False}})
    00 Start here  ●○  1 of 2
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
    """Return the number of a notebook and its title, which stands between asterisks where its exercises are."""
    about = import_module(f"pe_exercises.notebook_{file[:2]}").__doc__ or ""
    return f"{file[:2]} {about.split('*')[1]}"


def remember(name: str) -> None:
    """Write down that an exercise is solved, if the working folder is that of the notebooks."""
    if Path("00_start_here.ipynb").exists() and name not in (done := stored()):
        try:
            FILE.write_text(json.dumps(sorted({*done, name}), indent=0, ensure_ascii=False), encoding="utf-8")
        except OSError as trouble:
            _say_that_it_is_not_kept(type(trouble).__name__)


@functools.cache  # once for each reason
def _say_that_it_is_not_kept(why: str) -> None:
    print(f"solved() can't list what you solve: {FILE} can't be written in the folder of the notebooks ({why}).")


def stored() -> set[str]:
    """Return the names in the file, or none if there is no such file, or something else in it."""
    try:
        return set(json.loads(FILE.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return set()
