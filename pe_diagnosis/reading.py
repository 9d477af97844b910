"""Read a table from text: what NumPy, PyTorch, TensorFlow, JAX and pandas print, lists, CSV, cells of a spreadsheet.

Brackets are looked for first, because they say where a row ends, then lines of numbers. What stands around a table is
passed over. What can be read in two ways isn't guessed: that's an error, which says what to paste instead.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?[Ii]nf(?:inity)?|[Nn]a[Nn]|None|null"
PROMPTS = re.compile(r"^ *(?:>>>|In ?\[\d*\]:).*|^ *Out ?\[\d*\]:|^ *\.\.\.:.*", re.MULTILINE)
SECOND_PROMPT = re.compile(r"^\.\.\.(?: .*)?$", re.MULTILINE)  # only where there's a first one: prints shorten so, too
SAID = re.compile(  # what an array says of itself
    r"\bSize\(\[[\d, ]*\]\)|\b(?:dtype|device|grad_fn|requires_grad|shape|layout|weak_type|size|name)="
    r"(?:'[^']*'|<[^>]*>|\([^)]*\)|[\w.:]+)"
)
TOKEN = re.compile(rf"[A-Za-z_][\w.]*\(|(?:{NUMBER})(?=[\s,()[\]]|$)|[][()]|[^\s,()[\]]+")
CODE = re.compile(
    r"^ *(?:(?:>>>|In ?\[\d*\]:) *)?"
    r"(?:import \w|from [\w.]+ import |def \w+\(|class \w+[(:]|[\w.]+(?:\[[^\n=]*\])? *[-+*/]?= *\w)",
    re.MULTILINE,
)
NAME = re.compile(r"^[^=:\t;,|\n]*[=:] *(?=[-+]?\.?\d)", re.MULTILINE)  # in front of numbers, and no number itself
DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
BLOCKS = re.compile(r"\\ *$|^ *Columns? \d.*", re.MULTILINE)  # of columns: pandas ends their heads so, MATLAB begins
FACTOR = re.compile(r"^ *\d[\d.]*e[-+]\d+ *\*", re.MULTILINE)  # that MATLAB writes above a table
DEEPEST = 8
ROWS = "print(pe[:8].tolist())"
ELLIPSIS = ("...", "..", "…")
LIBRARIES = {  # what only its prints have, and what prints eight whole rows of `pe`
    "PyTorch": (r"tensor\(|\btorch\b", ROWS, "torch.set_printoptions(threshold=10**6)"),
    "TensorFlow": (r"\btf\.|numpy=", "print(pe[:8].numpy().tolist())", "np.set_printoptions(threshold=10**6)"),
    "pandas": (r"\d+ rows x \d+ col|^\d+ .*\.\.\.  |^\.\. ", "print(df.head(8).to_string())", ""),
    "NumPy": ("", ROWS, "np.set_printoptions(threshold=10**6)"),
}


class TableError(ValueError):
    """No table, or more than one, can be read from a text; the message says what to paste instead."""


class CodeError(TableError):
    """The text is code, without a table in it."""


def read_table(text: str) -> np.ndarray:
    r"""Read the numbers of a table from text, as a library prints them or a spreadsheet copies them.

    A head and an index are left out, and so is what's around the table. A comma is read as a decimal comma where cells
    are separated by something else and there is no decimal point.

    Parameters
    ----------
    text : str
        What was printed or copied.

    Returns
    -------
    ndarray of shape (L, d_model), float64
        With more axes in front if the text has them, but no axis of 1 among these.

    Raises
    ------
    TypeError
        If `text` isn't a text.
    TableError
        If there's no table in it or more than one, if a print is shortened, if rows have different lengths, or if
        commas may or may not be decimal commas. For code it's a CodeError.

    Examples
    --------
    >>> read_table("tensor([[0.0000, 1.0000], [0.8415, 0.5403]], device='cuda:0')")
    array([[0.    , 1.    ],
           [0.8415, 0.5403]])
    >>> read_table("pos;sin;cos\n0;0,0000;1,0000\n1;0,8415;0,5403\n2;0,9093;-0,4161")
    array([[ 0.    ,  1.    ],
           [ 0.8415,  0.5403],
           [ 0.9093, -0.4161]])
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a text, got {type(text).__name__}")
    plain = text.replace("−", "-").replace("\xa0", " ").replace("\r\n", "\n").replace("\ufeff", "")
    if ">>>" in plain:
        plain = SECOND_PROMPT.sub("", plain)
    if FACTOR.search(plain):
        raise TableError("A factor stands above this table. Print it without one, in MATLAB after `format long g`.")
    plain = _pointed(SAID.sub("", PROMPTS.sub("", plain)))
    groups, rest = _in_brackets(plain)
    code = CODE.search(rest) is not None  # in which lists of whole numbers are no tables
    tables = [one for one in groups if _deep(one) and not (code and _whole(one))]
    if len(tables) > 1:
        raise TableError(f"There are {len(tables)} tables here. Paste one of them.")
    unnamed = rest if len(CODE.findall(rest)) > 1 else NAME.sub("", rest)
    rows = tables[0] if tables else _in_lines(unnamed)
    single = [] if tables or code else [one for one in groups if len(one) > 1]  # a row each
    # Two whole numbers may be a shape.
    if single and sum(map(len, single)) > sum(map(len, rows)) and (len(single[0]) > 2 or not _whole(single)):
        rows = single
    if not rows and CODE.search(text):
        raise CodeError(
            f"This is code, and there's no table in it. Run it where you have it, and paste what `{ROWS}` prints."
        )
    if _shortened(rows):
        raise TableError(_how_to_print_all(text, rows))
    values = without_ones(_as_array(rows))
    if not values.size:
        raise TableError(
            "There's no table here. Rows of numbers were looked for, as NumPy, PyTorch, TensorFlow, JAX, pandas or a "
            f"spreadsheet write them. From Python, paste what `{ROWS}` prints."
        )
    return values


def without_ones(values: np.ndarray) -> np.ndarray:
    """Return an array without axes of 1, the last one excepted, as long as it has more than two."""
    while values.ndim > 2 and 1 in values.shape[:-1]:
        values = values.squeeze(values.shape.index(1))
    return values


def each_table(values: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the tables of an array, each that differs once, with the name of its first: "" where there's only one.

    >>> [name for name, _ in each_table(np.stack([np.eye(2), np.eye(2), np.ones((2, 2))]))]
    ['matrix[0]', 'matrix[2]']
    """
    values = without_ones(values)
    if values.ndim < 3 or not values.size or (values == values[:, :1]).all():  # third test: a row for each sentence
        yield "", values
        return
    found = {values[at].tobytes(): at for at in reversed([*np.ndindex(values.shape[:-2])])}
    for at in sorted(found.values()):
        yield f"matrix[{', '.join(map(str, at))}]" if len(found) > 1 else "", values[at]


def few_decimals(values: np.ndarray) -> str:
    """Say what so few decimals leave open, or nothing where there are four or more.

    >>> few_decimals(np.array([0.84, 0.54]))
    'With 2 decimals, slow columns look alike. Give four or more, if you can.'
    """
    for n in range(4):
        if np.array_equal(values, values.round(n)):
            many = ("no decimals", "1 decimal", "2 decimals", "3 decimals")[n]
            return f"With {many}, slow columns look alike. Give four or more, if you can."
    return ""


# ------------------------------------------------------------------ brackets, lines, commas


def _in_brackets(text: str) -> tuple[list[list[Any]], str]:
    """Return what stands in brackets, as lists of lists, and the text without it; a word breaks a list off."""
    groups: list[list[Any]] = []
    rest: list[str] = []
    end = 0
    open_: list[tuple[str, list[Any], int]] = []  # what opened each list, the list, and where that was
    unclosed = 0  # brackets [ that words have broken off: as many ] come without one
    text = re.sub(r"\[([^][;]*;[^][]*)\]", lambda rows: f"[[{rows[1].replace(';', '],[')}]]", text)  # MATLAB's rows
    for token in TOKEN.finditer(text):
        said = token[0]
        if said[-1] in "([":
            open_.append((said, [], token.start()))
        elif said in ")]" and open_:
            kind, inside, start = open_.pop()
            if open_:
                open_[-1][1].extend(_unwrapped(kind, inside))
            else:
                groups += _lists(kind, inside)
                rest, end = [*rest, text[end:start]], token.end()
        elif said == "]":
            unclosed -= 1
        elif open_ and (number := _number(said)) is not None:
            open_[-1][1].append(number)
        elif open_:
            unclosed, open_ = unclosed + [kind for kind, *_ in open_].count("["), []
        if unclosed < 0 or len(open_) > DEEPEST:
            break
    if unclosed < 0 or any(kind == "[" and inside for kind, inside, _ in open_):
        raise TableError("The brackets don't match. Paste the table from its first bracket to its last.")
    return groups + [one for kind, inside, _ in open_ for one in _lists(kind, inside)], "".join([*rest, text[end:]])


def _lists(kind: str, inside: list[Any]) -> list[list[Any]]:
    """Return the lists that a bracket around which there's none comes to."""
    return [one for one in _unwrapped(kind, inside) if isinstance(one, list) and (kind != "(" or _deep(one))]


def _deep(rows: list[Any]) -> bool:
    """Say whether there are lists in a list."""
    return any(isinstance(row, list) for row in rows)


def _unwrapped(kind: str, inside: list[Any]) -> list[Any]:
    """Return what a bracket is to the list around it: `array(…)` and `float64(…)` are what they hold."""
    return inside if len(kind) > 1 else [inside]


def _number(said: str) -> Any:
    """Return the number that a word is, ... for what is left out, or None."""
    if said in ELLIPSIS:
        return ...
    return (np.nan if said in ("None", "null") else float(said)) if re.fullmatch(NUMBER, said) else None


def _in_lines(text: str) -> list[list[Any]]:
    """Return the lines that are numbers, without their head, labels and index."""
    text = re.sub(r'"\s*,\s*"', ";", text).replace('"', " ")
    if BLOCKS.search(text):
        return _side_by_side(_in_lines(part) for part in re.split(r"\n\s*\n", BLOCKS.sub("", text)))
    rows: list[list[str]] = []
    widths: set[int] = set()  # of the rows, with and without labels
    spoiled = []
    for line, cells in enumerate(map(_cells, text.splitlines()), 1):
        odd = [one for one in cells if _number(one) is None]
        if len(cells) == 1 and rows and cells[0] in ELLIPSIS:
            return [[...]]
        if len(cells) > 1 and odd in ([], cells[:1]):
            rows.append(cells[len(odd) :])
            widths |= {len(cells), len(rows[-1])}
        elif (numbers := len(cells) - len(odd)) >= max(2, len(odd)):
            what = f"“{odd[-1]}” is no number" if odd[-1] else "a cell is empty"
            either = {len(cells), numbers}
            spoiled.append((either, f"In line {line} {what}. Write a number there, or nan."))
    for either, said in spoiled:
        if either & widths:
            raise TableError(said)
    return [[_number(one) for one in row] for row in _without_head(rows)]


def _without_head(rows: list[list[str]]) -> list[list[str]]:
    """Return rows of cells without a head of whole numbers that count, and without an index."""
    exact = [row for row in rows if any("." in one for one in row)]  # which a head isn't
    if not exact:
        return rows
    head = rows[0] if len(rows) > 1 and _count(rows[0]) and rows[0] not in exact else []
    if head and len(head) == len(rows[1]) == 2:
        head = []  # 0 and 1, of two columns, are position 0
    rows = rows[bool(head) :]
    column, second = [row[0] for row in rows], [row[1] if len(row) > 1 else "" for row in rows]
    by_head = head and {len(row) for row in rows} == {len(head) + 1}
    counts = _count(column) and column != second
    if counts and len(rows) == 2 and not by_head:
        raise TableError("The first column may be an index, or numbers of the table. Paste a third row.")
    return [row[1:] for row in rows] if by_head or counts else rows


def _side_by_side(parts: Iterable[list[list[Any]]]) -> list[list[Any]]:
    """Return the blocks of columns in which pandas and MATLAB print a wide table as one."""
    blocks = [rows for rows in parts if rows]
    if len({len(rows) for rows in blocks}) > 1:
        raise TableError("The parts of this table have different numbers of rows. Paste all of them, or none twice.")
    return [[number for row in rows for number in row] for rows in zip(*blocks, strict=True)]


def _cells(line: str) -> list[str]:
    """Return the cells of a line."""
    mark = next((mark for mark in "\t;|&," if mark in line), None)
    cells = [one.strip(" ,") for one in line.strip("| ").split(mark)]
    return cells[:-1] if mark and not cells[-1] else cells


def _count(cells: list[str]) -> bool:
    """Say whether cells count evenly upwards, in whole numbers without a point."""
    if not all(re.fullmatch(r"\d{1,9}", one) for one in cells):
        return False
    steps = {int(later) - int(earlier) for earlier, later in pairwise(cells)}
    return len(steps) == 1 and min(steps) > 0


def _pointed(text: str) -> str:
    """Write decimal commas as points; TableError where commas may as well stand between numbers."""
    lines = [line for line in text.splitlines() if DECIMAL_COMMA.search(line) or not re.search("[A-Za-z]{2}", line)]
    numbers = "\n".join(lines)
    cells = [one.strip(",") for one in re.split(r"[\s;|()[\]\"]+", numbers) if DECIMAL_COMMA.search(one)]
    if not cells or re.search(r"\.\d|\d\.\s*[-\d\],]", numbers):  # a point, as in 0.5, "1. 2" and "1.]"
        return text
    single = all(re.fullmatch(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?", one) for one in cells)  # 0,84, not 1,2,3
    long = any(len(part) > 1 and part.isdecimal() for one in cells for part in one.split(",")[1::2])  # 0,84, not 0,8
    # Apart are 0,8;0,5 and 0,8 0,5 and "0,8","0,5", but not 0,8, 0,5.
    parted = re.search(r'\d"? *[;\t|]"? *[-+\d]|\d +[-+]?\d|","', numbers) and not re.search(r"\d, +[-+]?\d", numbers)
    if single and parted and (long or len(lines) > 1):
        return DECIMAL_COMMA.sub(".", text)
    if long or (single and parted):
        raise TableError(
            "The commas may be decimal commas, or stand between numbers. Write points for decimals (0.8415), or part "
            "the numbers by semicolons or tabs."
        )
    return text


# ------------------------------------------------------------------ what was read


def _whole(rows: Any) -> bool:
    """Say whether all numbers of nested lists are whole."""
    return all(map(_whole, rows)) if isinstance(rows, list) else rows is ... or not rows % 1


def _shortened(rows: Any) -> bool:
    """Say whether something is left out of nested lists."""
    return any(map(_shortened, rows)) if isinstance(rows, list) else rows is ...


def _how_to_print_all(text: str, rows: list[Any]) -> str:
    """Say how the library that made a shortened print prints all of it."""
    _, how, option = next(kind for kind in LIBRARIES.values() if re.search(kind[0], text, re.MULTILINE))
    if len(rows) == 1 and rows[0] and isinstance(rows[0], list) and isinstance(rows[0][0], list):
        how = how.replace("pe[:8]", "pe[:, :8]")
    all_of_it = f" `{option}` prints all of it." * bool(option)
    return f"This print is shortened, with dots in it. Paste what `{how}` prints: eight rows are enough.{all_of_it}"


def _as_array(rows: list[Any]) -> np.ndarray:
    """Return nested lists as an array; TableError if rows have different lengths."""
    try:
        return np.array(rows, dtype=np.float64)
    except ValueError:
        pass
    lengths = [len(row) if isinstance(row, list) else 1 for row in rows]
    usual = Counter(lengths).most_common(1)[0][0]
    odd = next((k for k, length in enumerate(lengths) if length != usual), None)
    if odd is None:
        raise TableError("The rows of this table have different lengths.")
    raise TableError(f"Row {odd} has {lengths[odd]} numbers, and others have {usual}. Is something missing there?")
