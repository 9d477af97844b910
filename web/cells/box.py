"""What the page *Check my encoding* says of a paste: it imports this once, where it holds Python, and calls `tell`."""

import ast
import contextlib
import difflib
import html
import io
import re

import numpy as np

from pe_diagnosis import CodeError, TableError, diagnose, read_table
from pe_diagnosis.answer import as_float64
from pe_diagnosis.reading import ROWS, each_table, few_decimals
from pe_pictures import Explorer, Workbench

TRIED = 50, 32  # positions and columns that a pasted function is asked for
HERE = {"numpy", "math"}  # what pasted code may import
ELSEWHERE = {"torch", "tf", "tensorflow", "jnp", "jax", "nn", "F", "keras", "pd", "pandas"}
PROMPT = re.compile(r"^ *(?:>>>|\.\.\.:?|In ?\[\d*\]:) ?")
TRUST = "notebooks/12_diagnose_a_broken_encoding.html"
LABELS = {"undecided": "<b>Perhaps:</b> ", "variant": "<b>A variant:</b> "}
WHOLE = "The whole program that makes your numbers"
MOST = 512  # rows or columns that the picture shows


def tell(text, base):
    """Send the answer to the page."""
    from in_page import send, show  # which is there on a page alone

    try:
        parts = [*answers(text, float(base))]
    except (ValueError, TypeError) as trouble:
        send("unread", text=str(trouble))
        return
    for part in parts:
        send("diagnosis", **{name: part[name] for name in ("said", "html", "text")})
        if part["picture"]:
            show(part["picture"])


def warm(text):
    """Answer for the sake of what later answers need as well."""
    [*answers(text, 10_000.0)]


def answers(text, base):
    """Yield for each table of a paste what is said of it, in a sentence, HTML and text, and its picture."""
    try:
        values, of = read_table(text), ""
    except CodeError:
        values, of = made_by(text)
    for name, table in each_table(values):
        yield answer(table, base, " ".join(filter(None, (of, name))))


def answer(table, base, of=""):
    """Return what is said of one table."""
    fits = table.ndim == 2 and table.size and max(table.shape) <= MOST
    picture = Workbench(matrix=table, base=base) if fits else None
    found = picture.diagnosis if picture else diagnose(table, base=base)
    if picture and found.layout == "halves":
        picture.update(layout="halves")
    heading = f"{of}: {verdict(found)}" if of else verdict(found)
    causes = "".join(f"<div class='pe-cause pe-{kind}'>{said}</div>" for kind, said in causes_of(found))
    whole = f"<details><summary>{WHOLE}</summary><pre>{escaped(found.recipe)}</pre></details>" if found.lines else ""
    page = (
        f"<h2>{escaped(heading)}</h2>{causes}<p class='pe-trust'>{escaped(' '.join(trust(found, table)))} "
        f"<a href='{TRUST}'>Notebook 12</a> shows how far you can trust this.</p>{whole}"
    )
    said = " ".join([heading, *(one.message for one in found.findings[:1] if not found.ok)]).replace("`", "")
    text = "\n".join(filter(None, (of and f"{of}:", str(found), few_decimals(table))))
    return {"said": said, "html": page, "text": text, "picture": picture and Explorer(picture)}


def verdict(found):
    """Return what a table is, in one sentence: the first that the diagnosis says."""
    first = " ".join(re.split(r"\n[- ] ", found.advice)[0].split()).rstrip(":")
    return first.removeprefix("- ") + "." * (not first.endswith("."))


def causes_of(found):
    """Yield the kind of each finding but the notes, and the finding as HTML, with its lines if that is clear.

    Findings and lines come in one order, that of the program, except that mistakes are told before variants.
    """
    marked = [written.partition("  # ") for written in (found.recipe or "").splitlines()]
    mistakes = {code for code, _, beside in marked if beside.startswith("<--")}
    pairs = sorted(found.lines, key=lambda pair: pair[0] not in mistakes)
    told = [one for one in found.findings if one.kind != "note"]
    each = len(told) == len(pairs) and {one.kind for one in told} <= {"mistake", "variant"}
    for n, one in enumerate(told):
        lines = beside(*pairs[n]) if each else ""
        yield one.kind, f"<p>{'' if one.goes_on else LABELS.get(one.kind, '')}{escaped(one.message)}</p>{lines}"
    if not each and pairs:
        yield "lines", "".join(beside(*pair) for pair in pairs)


def beside(wrong, right):
    """Return two lines as HTML, what differs between them marked."""
    parts = [re.findall(r"\w+|\s+|\*\*|//|\W", line) for line in (wrong, right)]
    same = difflib.SequenceMatcher(None, *parts, autojunk=False).get_opcodes()
    marked = ["", ""]
    for what, *ends in same:
        for side in (0, 1):
            part = escaped("".join(parts[side][ends[2 * side] : ends[2 * side + 1]]))
            marked[side] += part if what == "equal" or not right or not part.strip() else f"<mark>{part}</mark>"
    right = f"<code>{marked[1]}</code>" if right else "no such line"
    return (
        f"<dl class='pe-lines simple'><div><dt>Your numbers come from</dt><dd><code>{marked[0]}</code></dd></div>"
        f"<div><dt>The encoding has</dt><dd>{right}</dd></div></dl>"
    )


def trust(found, table):
    """Yield what was read, how much of it the answer makes, and what it could not tell."""
    rows = f"{' × '.join(map(str, table.shape))} numbers were read."
    yield rows
    if found.explained is not None:
        share = "all of them" if found.explained == 1 else f"{min(100 * found.explained, 99.9):.3g} % of them"
        yield f"{'These lines make' if found.lines else 'The formula makes'} {share}, {found.nearness}."
    few = few_decimals(table)
    yield from (one.message for one in found.findings if one.kind == "note" and not (few and one.code == "rounded"))
    if few:
        yield few


def escaped(text):
    """Return text as HTML, with what stands in backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


# ------------------------------------------------------------------ code


def made_by(text):
    """Run code and return the table that it makes, with what that is called; TableError says why there is none."""
    if PROMPT.match(text):
        text = "\n".join(PROMPT.sub("", line) for line in text.splitlines() if PROMPT.match(line))
    try:
        tree = ast.parse(text)
    except SyntaxError as trouble:
        raise TableError(f"This looks like code, but line {trouble.lineno} can't be read: {trouble.msg}.") from None
    nodes = [*ast.walk(tree)]
    wanted = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    wanted += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    for name in sorted({name.partition(".")[0] for name in wanted} - HERE):
        raise TableError(without(name))
    body, last = tree.body, None
    if isinstance(body[-1], ast.Expr):
        last = ast.Expression(body.pop().value)
    names = {"np": np, "__name__": "__main__"}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(ast.Module(body, []), "your code", "exec"), names)
            value = last and eval(compile(last, "your code", "eval"), names)
            return table_of(names, value, ast.unparse(last) if last else "")
    except TableError:
        raise
    except BaseException as trouble:  # exit() too: a page has nothing to leave
        lacking = isinstance(trouble, NameError) and trouble.name in ELSEWHERE
        raise TableError(without(trouble.name) if lacking else stopped(trouble)) from None


def table_of(names, value, said):
    """Return the table that code has made: its last line, the last name with a table, or what its function returns."""
    if is_table(value):
        return as_float64("matrix", value), f"`{said}`"
    for name, value in reversed(names.items()):
        if name[:2] != "__" and is_table(value):
            return as_float64(name, value), f"`{name}`"
        if name != "np" and callable(value) and getattr(value, "__code__", None) and value.__code__.co_argcount >= 2:
            return as_float64(name, value(*TRIED)), f"`{name}{TRIED}`"
    raise TableError("This code makes no table. End it with a line that is one, such as `my_encoding(50, 32)`.")


def is_table(value):
    """Say whether a value is a table of numbers."""
    with contextlib.suppress(ValueError, TypeError):
        values = np.asarray(value)
        return values.ndim > 1 and values.dtype.kind in "iuf"
    return False


def without(name):
    """Say that something doesn't run on a page."""
    return f"This code needs {name}, which doesn't run here. Run it where you have it, and paste what `{ROWS}` prints."


def stopped(trouble):
    """Say where code has stopped, and why."""
    at, line = trouble.__traceback__, ""
    while at:
        if at.tb_frame.f_code.co_filename == "your code":
            line = f" in line {at.tb_lineno}"
        at = at.tb_next
    return f"Your code stops{line}: {type(trouble).__name__}: {trouble}."
