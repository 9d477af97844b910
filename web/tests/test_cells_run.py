"""Every code cell of every notebook runs where it stands, and every exercise is answered there."""

import re
from pathlib import Path

import nbformat
import pytest

from pe_exercises import exercises

ROOT = Path(__file__).resolve().parent.parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
OTHERWISE = {  # what a cell says, where the page may say something else, and why
    "x += pe": "prints the type of whole numbers, which have 32 bits in a browser",
}
SHORT = {"09": 0, "10": 1}  # how many of their sections train nothing, before all that do
FIVE, ONE = 'networks("sinusoidal")', 'networks("sinusoidal", seeds=1)'  # one training shows what five would
RUN_ALL = """async ([left, five, one]) => {
  const found = {}
  for (const root of document.querySelectorAll('.pe-cell:not([data-own])')) {
    if (left.includes(root.dataset.cell)) continue
    const [run] = root.querySelectorAll('.pe-bar button'), area = root.querySelector('textarea')
    if (area.value.includes(five)) {
      area.value = area.value.replace(five, one)
      area.dispatchEvent(new Event('input'))
    }
    run.click()
    while (run.hidden) await new Promise((later) => setTimeout(later, 10))
    found[root.dataset.cell] = [...root.querySelectorAll('.pe-out > *')].map(
      (one) => [one.tagName === 'PRE' ? one.className : one.tagName, one.textContent],
    )
  }
  return found
}"""
ASKED = "[...document.querySelectorAll('[data-exercise]')].map(({ dataset }) => [dataset.cell, dataset.exercise])"
ANSWER = """async ([name, code]) => {
  const root = document.querySelector(`.pe-cell[data-exercise="${name}"]`)
  const [run] = root.querySelectorAll('.pe-bar button'), area = root.querySelector('textarea')
  area.value = code
  area.dispatchEvent(new Event('input'))
  run.click()
  while (run.hidden) await new Promise((later) => setTimeout(later, 10))
  return [root.querySelector('.pe-out').textContent, !root.querySelector('.pe-mark').hidden]
}"""


def page_of(notebook: Path) -> str:
    return f"notebooks/{notebook.stem}.html"


def left_out(notebook: Path) -> list[str]:
    """Return the cells that train long in a browser: of 09 and 10 all after their first sections but the exercises."""
    section, heading, left = 0, "", []
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.source.startswith("## "):
            section, heading = section + 1, cell.source.partition("\n")[0]
        if notebook.name[:2] in SHORT:
            left += [cell.id] * (section > SHORT[notebook.name[:2]] and heading != "## On your own")
        else:
            left += [cell.id] * bool(re.search(r"\b(race|networks)\(", cell.source))
    return left


def printed(cell) -> str:
    """Return the text that a cell has printed, and that of its value where it has no other form."""
    text = ""
    for output in cell.outputs:
        if output.output_type == "stream":
            text += output.text
        elif {*output.data} == {"text/plain"}:
            text += output.data["text/plain"] + "\n"
    return text


def words_of(text: str) -> list[str]:
    """Return the words of a text; what rounding leaves, such as 8e-15, is the same word whatever its digit."""
    return [re.sub(r"\d(\.\d+)?e-1[4-7]", "a rest", word) for word in text.split()]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_all_cells_run_and_print_what_is_stored_and_every_exercise_is_answered(lesson, address, site, notebook):
    from_a_folder = notebook.name.startswith("13")  # where Python still comes from a server
    lesson.goto((site / page_of(notebook)).as_uri() if from_a_folder else address + page_of(notebook))
    lesson.set_default_timeout(240_000)
    left, cells = left_out(notebook), nbformat.read(notebook, as_version=4).cells
    found = lesson.evaluate(RUN_ALL, [left, FIVE, ONE])
    cells = {cell.id: cell for cell in cells if cell.cell_type == "code" and cell.id not in left}
    assert {*found} == {name for name, cell in cells.items() if not cell.source.startswith("predict(")}
    for name, outputs in found.items():
        cell = cells[name]
        assert not [text for kind, text in outputs if "pe-error" in kind], cell.source
        of_one_run = "nbval-ignore-output" in cell.metadata.get("tags", ())
        if not of_one_run and not any(each in cell.source for each in OTHERWISE) and "\ncheck(" not in cell.source:
            shown = "".join(text for kind, text in outputs if kind == "" or "pe-told" in kind)
            assert words_of(shown) == words_of(printed(cell)), cell.source
    asked = lesson.evaluate(ASKED)
    assert len(asked) == sum("\ncheck(" in cell.source for cell in cells.values())
    for place, name in asked:  # all have run once, without an answer
        ((_, said),) = [output for output in found[place] if "pe-told" in output[0]]
        assert said.startswith("Not answered yet. ")
        assert said.rstrip().endswith("Below this cell stand a hint and one way to solve it.")
        if notebook.name[:2] not in SHORT:  # where a check may train, and the right answer is enough
            wrong = f"from pe_exercises import exercises\n\nwrong = [each for each, _ in exercises()[{name!r}].wrong]\n"
            said, solved = lesson.evaluate(ANSWER, [name, f'{wrong}check("{name}", wrong[0] if wrong else 0)'])
            assert re.match(r"Not yet\. |Close\. ", said)
            assert not solved
        exercise = exercises()[name]
        answer = re.match(r"def (\w+)", exercise.solution.code)[1] + ("" if exercise.inputs else "()")
        said, solved = lesson.evaluate(ANSWER, [name, f'{exercise.solution.code}\n\n\ncheck("{name}", {answer})'])
        assert said.startswith("Right. ")
        assert solved
