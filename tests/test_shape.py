"""A lesson is as long as it says: its core is short, it asks few questions, and no answer stands where it is asked."""

import re
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
LESSONS = sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))
MOST = {"09": 40, "10": 40}  # minutes of the core; 30 for the others
MOST_TOGETHER = 285  # of the cores of 00 to 09
PREDICTIONS = 8

each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def parts(path: Path) -> dict[str, list]:
    """Return the cells of the core, of what goes deeper, and of the exercises."""
    found: dict[str, list] = {"core": [], "deeper": [], "exercises": []}
    part = "core"
    for cell in nbformat.read(path, as_version=4).cells:
        heading = re.match(r"## (.*)", cell.source) if cell.cell_type == "markdown" else None
        if heading:
            named = {"Going deeper": "deeper", "On your own": "exercises", "In short": "core"}
            part = named.get(heading[1].strip(), "core" if part == "exercises" else part)
        found[part].append(cell)
    return found


def predictions(cells: list) -> list[int]:
    """Return where something is to be predicted: by choice, or in prose."""
    return [
        k
        for k, cell in enumerate(cells)
        if (cell.cell_type == "code" and re.match(r"predict\(", cell.source))
        or (cell.cell_type == "markdown" and "**Predict first.**" in cell.source)
    ]


def minutes(cells: list) -> float:
    """Return how long cells take: 200 words, 4 code cells, 1⅓ predictions or a third of an explorer a minute."""
    prose = " ".join(cell.source for cell in cells if cell.cell_type == "markdown")
    prose = re.sub(r"<details>\s*<summary>For a lecture</summary>.*?</details>", "", prose, flags=re.DOTALL)
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    explorers = sum(bool(re.search(r"^(explore_\w+|Explorer)\(", source, re.MULTILINE)) for source in code)
    return len(prose.split()) / 200 + len(code) / 4 + 0.75 * len(predictions(cells)) + 3 * explorers


@each_lesson
def test_the_core_is_short_and_the_lesson_says_how_long_its_parts_take(path):
    found = parts(path)
    core, deeper = minutes(found["core"]), minutes(found["deeper"])
    assert core <= MOST.get(path.stem[:2], 30)
    said = re.search(r"^(\d+) minutes(?:, (\d+) more for \*Going deeper\*)?", found["core"][0].source, re.MULTILINE)
    assert said, "the first cell says the minutes"
    assert abs(int(said[1]) - core) <= 2.5, f"the core takes {core:.0f} minutes"
    assert abs(int(said[2] or 0) - deeper) <= 2.5, f"what goes deeper takes {deeper:.0f} minutes"


def test_the_cores_of_the_first_ten_fit_into_five_evenings():
    assert sum(minutes(parts(path)["core"]) for path in LESSONS if path.stem[:2] <= "09") <= MOST_TOGETHER


@each_lesson
def test_at_most_eight_predictions(path):
    assert len(predictions(nbformat.read(path, as_version=4).cells)) <= PREDICTIONS


@each_lesson
def test_what_answers_a_prediction_is_hidden_and_explained_in_a_fold(path):
    cells = nbformat.read(path, as_version=4).cells
    for k in predictions(cells):
        following = cells[k + 1 :]
        answer = next(cell for cell in following if cell.cell_type == "code" and not cell.source.startswith("predict("))
        assert answer.metadata.get("jupyter", {}).get("outputs_hidden") is True, answer.source
        between = following[: following.index(answer)]
        assert all("**Predict first.**" not in cell.source for cell in between)
        told = next(cell for cell in following[following.index(answer) + 1 :] if cell.cell_type == "markdown")
        assert told.source.startswith("<details><summary>What came out</summary>"), told.source


@each_lesson
def test_a_hidden_output_belongs_to_a_prediction(path):
    cells = nbformat.read(path, as_version=4).cells
    hidden = sum(bool(cell.metadata.get("jupyter", {}).get("outputs_hidden")) for cell in cells)
    assert hidden == len(predictions(cells))


@each_lesson
def test_assertions_stand_in_one_folded_cell_at_the_end_of_their_section(path):
    sections: list[list] = [[]]
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            sections.append([])
        sections[-1].append(cell)
    for section in sections:
        checks = [
            cell for cell in section if cell.cell_type == "code" and re.search(r"^assert\b", cell.source, re.MULTILINE)
        ]
        assert len(checks) <= 1, f"{len(checks)} cells of assertions under {section[0].source.splitlines()[0]!r}"
        for cell in checks:  # a folded cell shows its first line
            assert cell.source.startswith("# The checks of this section\n"), cell.source
            assert cell.metadata.get("jupyter", {}).get("source_hidden") is True
            assert cell is [cell for cell in section if cell.cell_type == "code"][-1]


@each_lesson
def test_words_for_the_lecturer_stand_in_one_fold_at_the_end(path):
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]
    boxes = [k for k, source in enumerate(sources) if "<summary>For a lecture</summary>" in source]
    assert len(boxes) == 1
    assert boxes[0] >= len(sources) - 2
    assert not any(re.search(r"for a lecture", source, re.IGNORECASE) for source in sources[: boxes[0]])
