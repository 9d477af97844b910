"""Which exercises have been solved: one small file beside the notebooks, and a table of it for the start page."""

import contextlib
import html
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

FILE = ".solved.json"
FIRST = "00_start_here.ipynb"


@dataclass(frozen=True)
class Solved:
    """The exercises of each notebook, and which of them have been solved; shows itself as a table.

    Parameters
    ----------
    rows : tuple of (str, dict)
        The file of a notebook, and its exercises by name: True if solved.

    Examples
    --------
    >>> Solved((("00_start_here.ipynb", {"a whole turn": True, "the double": False}),))
    00 start here  ●○  1 of 2
    """

    rows: tuple[tuple[str, dict[str, bool]], ...]

    def __repr__(self) -> str:
        width = max(len(_title(file)) for file, _ in self.rows)
        most = max(len(names) for _, names in self.rows)
        return "\n".join(
            f"{_title(file):{width}}  {''.join('○●'[done] for done in names.values()):{most}}  {_count(names)}"
            for file, names in self.rows
        )

    def _repr_html_(self) -> str:
        """Return a table for a notebook, with a link to each and the names of its exercises."""
        lines = []
        for file, names in self.rows:
            cells = "<br>".join(f"{'○●'[done]} {'solved: ' * done}{html.escape(name)}" for name, done in names.items())
            lines.append(
                f'<tr><td style="text-align:left"><a href="{html.escape(file)}">{html.escape(_title(file))}</a></td>'
                f'<td style="text-align:left">{cells}</td><td>{_count(names)}</td></tr>'
            )
        head = "<tr><th>notebook</th><th>exercises</th><th>solved</th></tr>"
        return f"<table><thead>{head}</thead><tbody>{''.join(lines)}</tbody></table>"


def solved() -> Solved:
    """Show which exercises have been solved in the notebooks of the working folder.

    >>> str(solved()).splitlines()[0]
    '00  ○○○    0 of 3'
    """
    from pe_lib.exercises.engine import exercises

    folder = Path()
    done = _stored(folder / FILE)
    rows: dict[str, dict[str, bool]] = {}
    files = {path.name[:2]: path.name for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))}
    for each in exercises().values():
        names = rows.setdefault(files.get(each.notebook, f"{each.notebook}.ipynb"), {})
        names[each.name] = each.name in done
    return Solved(tuple(rows.items()))


def remember(name: str) -> None:
    """Write down that an exercise is solved, if this is a kernel in the folder of the notebooks; never fail."""
    with contextlib.suppress(Exception):  # a folder that cannot be written, a full disk: it is only a convenience
        file = Path(FILE)
        if _in_a_notebook() and Path(FIRST).exists() and Path("solutions").is_dir():
            done = _stored(file)
            if name not in done:
                _replace(file, json.dumps(sorted({*done, name}), indent=0, ensure_ascii=False))


def _in_a_notebook() -> bool:
    """Say whether Python runs as the kernel of a notebook."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel")


def _stored(file: Path) -> set[str]:
    """Return the names in a file; none if there is no such file, or something else in it."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return {name for name in found if isinstance(name, str)} if isinstance(found, list) else set()


def _replace(file: Path, text: str) -> None:
    """Write a file so that whoever reads it finds the old text or the new one, never half of it."""
    handle, name = tempfile.mkstemp(prefix=FILE, dir=file.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as new:
            new.write(text)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink()
        raise


def _title(file: str) -> str:
    return file.removesuffix(".ipynb").replace("_", " ")


def _count(names: dict[str, bool]) -> str:
    return f"{sum(names.values())} of {len(names)}"
