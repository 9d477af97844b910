"""Say in words whether this Python has what the collection needs, and the exact command that mends it."""

import sys
from collections.abc import Callable
from importlib import metadata

from packaging.requirements import Requirement

MEND = "Run this in a new cell, then choose Kernel → Restart Kernel…:\n%pip install -r ../requirements.txt -e .."


def check_setup() -> None:
    """Print which of the packages the collection needs are here, and how to mend what is missing or too old.

    >>> check_setup()  # doctest: +ELLIPSIS
    Python ... found
    ...
    Everything the notebooks need is here.
    """
    print(setup_report())


def setup_report(
    installed: Callable[[str], str] = metadata.version, python: tuple[int, ...] = sys.version_info[:2]
) -> str:
    """Return the report as text: a line for each need, and a last one that says all is here, or what mends it.

    `installed` gives the version of a package by its name, or raises importlib.metadata.PackageNotFoundError.

    >>> print(setup_report(python=(3, 9)).splitlines()[0])
    Python        3.9 is too old: 3.11 or newer is needed
    """
    try:
        needs = [Requirement(text) for text in metadata.requires("pe_lib") or []]
    except metadata.PackageNotFoundError:
        return f"pe_lib is not installed in this Python, {sys.executable}.\n{MEND}"
    old = python < (3, 11)
    version = ".".join(map(str, python))
    lines = [_line("Python", f"{version} is too old: 3.11 or newer is needed" if old else "found")]
    troubles = []
    for need in needs:
        if need.marker is None or need.marker.evaluate({"extra": ""}):
            trouble = _trouble(need, installed)
            troubles += [trouble] if trouble else []
            lines.append(_line(need.name, trouble or "found"))
    if old:
        lines.append("Install Python 3.11 or newer, then start again with the first command of the README.")
    elif troubles:
        lines.append(MEND)
    else:
        lines.append("Everything the notebooks need is here.")
    return "\n".join(lines)


def _trouble(need: Requirement, installed: Callable[[str], str]) -> str:
    """Return what is wrong with a package, or nothing."""
    try:
        version = installed(need.name)
    except metadata.PackageNotFoundError:
        return f"missing: {need.specifier} is needed"
    return "" if need.specifier.contains(version) else f"{version} does not fit: {need.specifier} is needed"


def _line(name: str, words: str) -> str:
    return f"{name:<13} {words}"
