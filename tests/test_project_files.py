"""What is installed is what pyproject.toml asks for, on every system, and the README names the commands there are."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCKS = {
    "requirements.txt": EXTRAS["lab"],
    "tests/requirements.txt": EXTRAS["lab"] + EXTRAS["test"],
    "web/requirements.txt": EXTRAS["lab"] + EXTRAS["web"],
}
PYTHONS = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"] if line.startswith("Programming Language")]
SYSTEMS = {
    "Linux": {"sys_platform": "linux", "os_name": "posix"},
    "macOS": {"sys_platform": "darwin", "os_name": "posix"},
    "Windows": {"sys_platform": "win32", "os_name": "nt"},
}


def lines_of(file: str) -> list[str]:
    """Return the lines of a lock that are no comments."""
    return [line for line in (ROOT / file).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_the_locks_have_every_dependency_once_at_a_version_that_is_allowed(python, system):
    where = {"python_version": python, "python_full_version": f"{python}.9", **SYSTEMS[system]}

    def here(lines: list[str]) -> list[Requirement]:
        return [one for one in map(Requirement, lines) if one.marker is None or one.marker.evaluate(where)]

    versions: dict[str, str] = {}  # what .venv holds once all three are installed
    for file, extra in LOCKS.items():
        for one in here(lines_of(file)):
            version = str(one.specifier).removeprefix("==")
            assert versions.setdefault(canonicalize_name(one.name), version) == version, f"{file}: {one}"
        for wanted in here(PROJECT["dependencies"] + extra):
            assert wanted.specifier.contains(versions[canonicalize_name(wanted.name)]), f"{file}: {wanted}"


@pytest.mark.parametrize("file", LOCKS)
def test_a_lock_holds_exact_versions_and_no_address(file):
    odd = [line for line in lines_of(file) if not re.fullmatch(r"[a-z0-9._-]+==[0-9][\w.+]*( ; [^/@]+)?", line)]
    assert not odd


def test_name_version_and_licence_are_those_of_pyproject_wherever_they_are_said():
    (author,), said = PROJECT["authors"], (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'- name: "{author["name"]}"\nversion: {PROJECT["version"]}\n' in said
    assert f"license: {PROJECT['license']}\nkeywords: [{', '.join(PROJECT['keywords'])}]\n" in said
    title = re.search(r'^title: "(.*)"$', said, re.MULTILINE)[1]
    cited = f"{author['name']} (2026). *{title}.* Version {PROJECT['version']}. {PROJECT['license']} licence."
    assert cited in (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"Copyright (c) 2026 {author['name']}" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_the_readme_lists_the_commands_of_make():
    described = re.findall(r"^([a-z-]+):.* ## \w", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    readme = re.findall(r"^\| `make ([a-z-]+)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(readme) == sorted(described)
