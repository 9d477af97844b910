"""Compute how many minutes a notebook takes: its core, what is under *Going deeper*, and its exercises.

A notebook without exercises is no lesson but a reference, on no path: its head says what all of it takes.

`python tools/minutes.py` prints them and writes them into the heads, the README and the map on the start page;
`python tools/minutes.py notebooks/02_*.ipynb` does it for those named.
"""

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
LESSONS = [path for path in FILES if (ROOT / "pe_exercises" / f"notebook_{path.name[:2]}.py").exists()]
PARTS = {"Going deeper": "deeper", "On your own": "exercises", "In short": "short", "Further reading": "rest"}
UNREAD = re.compile(r"<details><summary>For a lecture.*?</details>|\]\([^)]*\)|<[^>]*>", re.DOTALL)  # links, tags


def minutes(cells: list[Any]) -> tuple[int, int, int]:
    """Return the minutes of the core, which *In short* belongs to, of *Going deeper* and of the exercises.

    130 words take a minute, folded answers included, and a cell of code takes one and a half if it isn't folded.
    A numbered question to answer aloud takes half a minute; two paths count theirs once. Exercises say what they take.
    """
    words, code, exercises, aloud = Counter[str](), Counter[str](), 0, set[str]()
    part = "core"
    for cell in cells:
        if cell.cell_type == "code":
            code[part] += not cell.metadata.get("jupyter", {}).get("source_hidden")
            continue
        if cell.source.startswith("## "):
            part = PARTS.get(cell.source.splitlines()[0][3:].strip(), part if part in ("core", "deeper") else "rest")
        words[part] += sum(any(map(str.isalnum, word)) for word in UNREAD.sub(" ", cell.source).split())
        aloud |= set(re.findall(r"<summary>(\d+)\. ", cell.source)) if part == "core" else set()
        exercises += sum(map(int, re.findall(r"● (\d+) minutes", cell.source))) if part == "exercises" else 0
    core = (words["core"] + words["short"]) / 130 + 1.5 * code["core"] + len(aloud) / 2
    return round(core), round(words["deeper"] / 130 + 1.5 * code["deeper"]), exercises


def printed(path: Path) -> list[tuple[Path, str, str]]:
    """Return where the minutes of a notebook are printed: each file, a pattern of the line, and what it should say."""
    core, deeper, exercises = minutes(nbformat.read(path, as_version=4).cells)
    if path not in LESSONS:
        return [(path, r"()\d+ minutes in all", f"{core} minutes in all")]
    own, more = f"exercises {exercises}", [f"deeper {deeper}"] * (deeper > 0)
    head = ", ".join(f"{part} min" for part in [*more, own])
    row = rf"(\| {path.name[:2]} \| .*\| )"
    return [
        (path, r"()\d+ min · (?:deeper \d+ min, )?exercises \d+ min", f"{core} min · {head}"),
        (ROOT / "README.md", rf"{row}\d+ · \d+ · \d+", f"{core} · {deeper} · {exercises}"),
        (LESSONS[0], rf"{row}\d+ (?:· deeper \d+ )?· exercises \d+", " · ".join([str(core), *more, own])),
    ]


if __name__ == "__main__":
    for lesson in [Path(name).resolve() for name in sys.argv[1:]] or FILES:
        print(lesson.stem, *minutes(nbformat.read(lesson, as_version=4).cells))
        for file, line, said in printed(lesson):
            text = file.read_text(encoding="utf-8")
            file.write_text(re.sub(line, rf"\g<1>{said}", text, count=1), encoding="utf-8")
