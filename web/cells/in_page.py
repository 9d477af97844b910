"""Run the cells of a page: the worker that holds Python imports this once; what it sends, the page shows."""

import ast
import io
import itertools
import json
import linecache
import os
import sys
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from time import monotonic

MOST = 100_000  # characters that a cell may print
NAMES = {"__name__": "__main__"}  # of all cells
EXPLORERS = {}  # by the number that the page knows them by
NUMBERS = itertools.count()
SHOWN = {}  # the numbers of those that a cell has shown, by the cell's name
post = print  # replaced by the worker: takes a line of JSON

os.environ["MPLBACKEND"] = "agg"  # Pyodide's own would look for a window, which a worker does not have
warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")  # what `show` is called for happens in any case


def enter(folder):
    """Make the working folder look like that of the notebooks: empty files, and what has been solved."""
    sys.path.append(str(Path.cwd()))  # the library is here
    Path("notebooks").mkdir()
    os.chdir("notebooks")
    for name, text in json.loads(folder).items():
        Path(name).write_text(text)


def solved():
    """Return the names of the exercises that have been solved."""
    file = Path(".solved.json")
    return json.loads(file.read_text()) if file.exists() else []


def send(kind, **what):
    """Send a message to the page."""
    post(json.dumps({"kind": kind, **what}, default=lambda value: value.tolist()))


class Printed(io.TextIOBase):
    """Hands on what is printed, at most twenty times a second."""

    total, held, last = 0, "", 0.0

    def write(self, text):
        """Take some text; RuntimeError where a cell has printed too much."""
        self.total, self.held = self.total + len(text), self.held + text
        if self.total > MOST:
            raise RuntimeError(f"this cell has printed {MOST} characters; is there a loop that never stops?")
        if monotonic() - self.last > 0.05:
            self.flush()
        return len(text)

    def flush(self):
        """Send what is held."""
        if self.held:
            send("text", text=self.held)
        self.held, self.last = "", monotonic()


def run(name, source, fetched=""):
    """Run a cell and send what it prints and shows.

    Return nothing if it went well, and None after an error. Where a module was not found that has not been fetched yet,
    return its name and send no error.
    """
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)  # for the lines in error messages
    for number in SHOWN.pop(name, []):
        del EXPLORERS[number]
    SHOWN[name] = []
    with redirect_stdout(Printed()) as printed, redirect_stderr(printed):
        try:
            body = ast.parse(source, name).body
            last = body.pop() if body and isinstance(body[-1], ast.Expr) and not source.rstrip().endswith(";") else None
            exec(compile(ast.Module(body, []), name, "exec"), NAMES)
            value = last and eval(compile(ast.Expression(last.value), name, "eval"), NAMES)
            printed.flush()
            show_figures()
            show(value, name)
        except BaseException as error:
            if isinstance(error, ModuleNotFoundError) and error.name not in fetched.split(","):
                return error.name
            printed.total = 0
            printed.flush()
            show_figures()
            return trouble(told(error, name))
    return ""


def trouble(text):
    """Send an error."""
    send("error", text=text)


def told(error, name):
    """Return an error with those lines of cells alone that led to it."""
    whole = traceback.TracebackException.from_exception(error)
    keep_cells(whole)
    text = "".join(whole.format()).replace(f'File "{name}", line', "line")
    return text.replace('File "cell ', 'File "another cell ').replace("Traceback (most recent call last):\n", "")


def keep_cells(error):
    """Take from an error, and from those that led to it, every step that is not in a cell."""
    error.stack = traceback.StackSummary.from_list([step for step in error.stack if step.filename.startswith("cell ")])
    for other in (error.__cause__, error.__context__):
        if other:
            keep_cells(other)


def show(value, name):
    """Send a value as JupyterLab would show it."""
    if made_by("pe_lib.explorers", "Explorer", value):
        number = next(NUMBERS)
        EXPLORERS[number] = value
        SHOWN[name].append(number)
        send("explorer", number=number, spec=value.spec())
    elif made_by("pe_lib.explorers", "Prediction", value):
        send("question", spec=value.spec())
    elif made_by("pe_lib.pictures.picture", "Picture", value):
        (background, moving), words = value.frame(), value.describe()
        send("picture", title=value.title(), size=value.size, background=background, moving=moving, words=words)
    elif made_by("pe_lib.exercises", "Feedback", value):
        send("text", text=f"{value}\n", feedback=value.kind)
    elif made_by("matplotlib.figure", "Figure", value):
        show_figure(value)
    elif value is not None:
        forms = ((form, getattr(value, f"_repr_{form}_", lambda: None)()) for form in ("html", "markdown", "svg"))
        form, text = next((form for form in forms if form[1]), ("text", f"{value!r}\n"))
        send(form, text=text)


def made_by(module, name, value):
    """Say whether a value is of a class, without importing the class."""
    return module in sys.modules and isinstance(value, getattr(sys.modules[module], name))


def show_figures():
    """Send what pyplot has drawn, and close it."""
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        for number in pyplot.get_fignums():
            show_figure(pyplot.figure(number))
        pyplot.close("all")


def show_figure(figure):
    """Send a figure of matplotlib."""
    figure.savefig(file := io.StringIO(), format="svg", bbox_inches="tight")
    send("svg", text=file.getvalue())


def ask(number, request):
    """Send the answer of an explorer."""
    if number in EXPLORERS:
        began = monotonic()
        answer = EXPLORERS[number].answer(json.loads(request))
        send("answer", number=number, answer=answer | {"took": 1000 * (monotonic() - began)})
