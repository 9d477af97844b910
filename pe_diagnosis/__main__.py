"""Answer in a shell: `python -m pe_diagnosis pe.csv` says what the table in a file is, and `-` what comes in by a pipe.

The exit status is 0 if it's right or a variant, 1 if it's wrong or unresolved, and 2 if no table can be read.
"""

import argparse
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pe_diagnosis import diagnose, read_table
from pe_diagnosis.answer import as_float64
from pe_diagnosis.reading import each_table, few_decimals
from pe_lib.encoding import BASE


def arrays_in(name: str) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each array of a file with its name, "" if there's only one."""
    if Path(name).suffix in (".npy", ".npz"):
        loaded = np.load(name, allow_pickle=False)
        found = dict(loaded) if Path(name).suffix == ".npz" else {"": loaded}
        for key, values in found.items():
            if values.ndim > 1 or len(found) == 1:  # next to a table, numbers such as d_model
                yield key if len(found) > 1 else "", as_float64(key or "matrix", values)
    else:  # spreadsheets save text in UTF-16 as well
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        coding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        yield "", read_table(data.decode(coding, "replace"))


def main(given: list[str] | None = None) -> int:
    """Print the answer; return the exit status."""
    parser = argparse.ArgumentParser(
        "python -m pe_diagnosis", description="Say what is wrong with a positional encoding: a row for each position."
    )
    parser.add_argument(
        "file", help=".npy, .npz, or text, as a library prints it or a spreadsheet saves it; - for a pipe"
    )
    parser.add_argument("--base", type=float, default=BASE, help="the base that it's meant to have (%(default)g)")
    asked = parser.parse_args(given)
    try:
        tables = [
            (" ".join(filter(None, (key, name))), table)
            for key, values in arrays_in(asked.file)
            for name, table in each_table(values)
        ]
        found = [(name, table, diagnose(table, base=asked.base)) for name, table in tables]
    except (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as trouble:
        print(f"{asked.file}: {trouble}", file=sys.stderr)
        return 2
    for name, table, diagnosis in found:
        print(*filter(None, (f"{name}:" * bool(name), diagnosis, few_decimals(table))), sep="\n")
    return 0 if all(diagnosis.ok for *_, diagnosis in found) else 1


if __name__ == "__main__":
    sys.exit(main())
