"""Run the cells of a page: the worker that holds Python imports this once; what it sends, the page shows."""

import ast
import builtins
import inspect
import io
import itertools
import json
import linecache
import os
import re
import sys
import traceback
import types
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from time import monotonic

MOST = 100_000  # characters that a cell may put out; of what is drawn each twenty count as one
DRAWN = ("svg", "picture", "explorer", "question", "interact")
NAMES = {"__name__": "__main__"}  # of all cells
LIVE = {}  # explorers, and the functions of `interact`, by the number that the page knows them by
NUMBERS = itertools.count()
SHOWN = {}  # the numbers of what a cell has shown, by the cell's name
NOW = {"sent": 0}  # and "cell": the name of the one that runs; "of": the number of the function that is called
CALLS = re.compile(r"hint\([^)]*\) gives a clue\.\s*solution\([^)]*\) shows one way\.")  # on a page both stand below
BELOW = "Below this cell stand a hint and one way to solve it."
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


class TooMuchOutput(BaseException):
    """Ends a cell that puts out more than a page can show; no `except Exception` of a reader's holds it up."""

    __module__ = "builtins"  # so an error says its bare name


def spend(characters):
    """Count what is put out; TooMuchOutput where a cell has put out too much."""
    NOW["sent"] += characters
    if NOW["sent"] > MOST:
        raise TooMuchOutput(f"this cell has put out {MOST:,} characters; is there a loop that never stops?")


def send(kind, **what):
    """Send a message to the page."""
    of = {"of": NOW["of"]} if "of" in NOW else {}
    message = json.dumps({"kind": kind, **what, **of}, default=lambda value: value.tolist())
    if kind not in ("text", "error", "answer"):  # what is printed was counted when it was
        spend(len(message) // (20 if kind in DRAWN else 1))
    post(message)


def live(thing):
    """Return the number of a thing that the page may ask."""
    number = next(NUMBERS)
    LIVE[number] = thing
    SHOWN[NOW["cell"]].append(number)
    return number


class Printed(io.TextIOBase):
    """Hands on what is printed, at most twenty times a second."""

    held, last = "", 0.0

    def write(self, text):
        """Take some text; TooMuchOutput where a cell has printed too much."""
        spend(len(text))
        self.held += text
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
        del LIVE[number]
    SHOWN[name], NOW["cell"], NOW["sent"] = [], name, 0

    def work():
        body = ast.parse(source, name).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) and not source.rstrip().endswith(";") else None
        exec(compile(ast.Module(body, []), name, "exec"), NAMES)
        return last and eval(compile(ast.Expression(last.value), name, "eval"), NAMES)

    return put_out(work, fetched.split(","))


def put_out(work, fetched):
    """Do some work and send what it prints, draws and returns; return what `run` does."""
    with redirect_stdout(Printed()) as printed, redirect_stderr(printed):
        try:
            value = work()
            printed.flush()
            show_figures()
            show(value)
        except BaseException as error:
            if isinstance(error, ModuleNotFoundError) and error.name not in fetched:
                return error.name
            printed.flush()
            if not isinstance(error, TooMuchOutput):
                show_figures()
            return trouble(told(error, NOW["cell"]))
    return ""


def trouble(text):
    """Send an error."""
    send("error", text=text)


def told(error, name):
    """Return an error with those lines of cells alone that led to it."""
    whole = traceback.TracebackException.from_exception(error)
    keep_cells(whole)
    text = "".join(whole.format())
    if len(text) > MOST // 10:
        text = f"{text[: MOST // 20]}\n…\n{text[-MOST // 20 :]}"
    text = text.replace(f'File "{name}", line', "line")
    return text.replace('File "cell ', 'File "another cell ').replace("Traceback (most recent call last):\n", "")


def keep_cells(error):
    """Take from an error, and from those that led to it, every step that is not in a cell."""
    error.stack = traceback.StackSummary.from_list([step for step in error.stack if step.filename.startswith("cell ")])
    for other in (error.__cause__, error.__context__):
        if other:
            keep_cells(other)


def show(value):
    """Send a value as JupyterLab would show it."""
    if made_by("pe_pictures.explorers", "Explorer", value):
        send("explorer", number=live(value), spec=value.spec())
    elif made_by("pe_pictures.explorers", "Prediction", value):
        send("question", spec=value.spec())
    elif made_by("pe_pictures.picture", "Picture", value):
        (background, moving), words = value.frame(), value.describe()
        send("picture", title=value.title(), size=value.size, background=background, moving=moving, words=words)
    elif made_by("pe_exercises", "Feedback", value):
        said = CALLS.sub(BELOW, f"{value}\n")
        spend(len(said))
        send("text", text=said, feedback=value.kind)
    elif made_by("matplotlib.figure", "Figure", value):
        show_figure(value)
    elif value is not None:
        forms = ((form, getattr(value, f"_repr_{form}_", lambda: None)()) for form in ("html", "markdown", "svg"))
        form, text = next((form for form in forms if form[1]), ("text", f"{value!r}\n"))
        if form == "text":
            spend(len(text))
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
    if number in LIVE:
        began = monotonic()
        answer = LIVE[number].answer(json.loads(request))
        send("answer", of=number, answer=answer | {"took": 1000 * (monotonic() - began)})


def interact(function=None, **controls):
    """Call a function with the values of controls, again and again: that of ipywidgets, as far as a page needs it."""
    if function is None:
        return lambda function: interact(function, **controls)
    defaults = {each.name: each.default for each in inspect.signature(function).parameters.values()}
    given = {name: default for name, default in defaults.items() if default is not inspect.Parameter.empty} | controls
    made = [{"name": name, "label": name, **control(value)} for name, value in given.items()]
    number = live(function)
    send("interact", number=number, controls=made)
    call(number, {each["name"]: each["value"] for each in made})
    return function


def control(given):
    """Return the control for what `interact` is given, as ipywidgets reads it."""
    if isinstance(given, bool):
        return {"kind": "tick", "value": given}
    if isinstance(given, str):
        return {"kind": "text", "value": given}
    if isinstance(given, int | float):
        given = tuple(sorted((-given, 3 * given))) if given else (0, 1)
    if isinstance(given, tuple) and len(given) in (2, 3) and all(isinstance(each, int | float) for each in given):
        least, greatest, *step = given
        step = step[0] if step else 1 if all(isinstance(each, int) for each in given) else 0.1
        value = least + int((greatest - least) / 2 / step) * step
        return {"kind": "slider", "least": least, "greatest": greatest, "step": step, "value": value}
    return {"kind": "choice", "options": [*given], "value": next(iter(given))}


def call(number, values):
    """Call a function of `interact`, and send what it puts out, for its place on the page."""
    NOW["of"], NOW["sent"] = number, 0
    send("begin")
    put_out(lambda: LIVE[number](**values), ())
    send("called")
    del NOW["of"]


def no_input(*_):
    """Say what to do in place of `input`, for which a page has no box."""
    raise RuntimeError('a page can\'t ask while a cell runs; write the value into the cell, such as name = "Ada"')


builtins.input = no_input
sys.modules["ipywidgets"] = types.ModuleType("ipywidgets")  # a page has no widgets but these
sys.modules["ipywidgets"].interact = interact
