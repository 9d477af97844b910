"""The files that say what is installed agree with each other, and no file names this or that server or machine."""

import itertools
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKS = ["requirements.txt", "tests/requirements.txt", "web/requirements.txt", "classroom/requirements.txt"]
PYTHONS = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"] if line.startswith("Programming Language")]
PLATFORMS = {
    "Linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "x86_64"},
    "macOS": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix", "platform_machine": "arm64"},
    "Windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "platform_machine": "AMD64"},
}
TEXT_HOSTS = {  # pages that are read; nothing is installed from them
    "127.0.0.1",  # this machine
    "hal.archives-ouvertes.fr",
    "kazemnejad.com",
    "caddyserver.com",
    "jupyterhub.readthedocs.io",
    "nbgitpuller.readthedocs.io",
    "repo2docker.readthedocs.io",
    "z2jh.jupyter.org",
    "hub.example.org",  # stands for the reader's own
    "www.w3.org",  # the name that an SVG document bears
    "aclanthology.org",
    "arxiv.org",
    "blog.timodenk.com",
    "docs.python.org",
    "doi.org",
    "en.wikipedia.org",
    "github.com",
    "huggingface.co",  # cards and configurations of public models
    "ipywidgets.readthedocs.io",
    "jupyterlab.readthedocs.io",
    "matplotlib.org",
    "nlp.seas.harvard.edu",
    "numpy.org",
    "openreview.net",
    "papers.nips.cc",
    "proceedings.neurips.cc",
    "pytorch.org",
}
PACKAGE_HOST = re.compile(r"\b(?:py[p]i|python[h]osted|ana[c]onda|npm[j]s)\.(?:org|com|io)\b")
MACHINE_PATH = re.compile(r"(?<![\w.~/-])/(?:root|home|Users|work|opt)/|\b[A-Z]:\\")


def lock(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def environment(python: str, platform: str) -> dict[str, str]:
    return {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "extra": "",
        **PLATFORMS[platform],
    }


def applies(requirement: Requirement, where: dict[str, str]) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(where)


def text_files() -> list[Path]:
    """Every file of the project that people write: what tools leave behind lies in hidden folders or is named here."""
    left_behind = {"build", "_build", "__pycache__", "pe_lib.egg-info", "node_modules"}
    folders = {".ci", ".github"}
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file()
        and path.suffix not in {".png", ".pyc"}
        and not any(
            part in left_behind or (part.startswith(".") and part not in folders)
            for part in path.relative_to(ROOT).parts[:-1]
        )
    ]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(
    ("file", "dependencies"),
    [
        ("requirements.txt", PROJECT["dependencies"]),
        ("tests/requirements.txt", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"]),
        ("web/requirements.txt", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["web"]),
        ("classroom/requirements.txt", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["classroom"]),
    ],
)
def test_each_dependency_is_locked_once_at_a_version_its_bound_allows(file, dependencies, python, platform):
    where = environment(python, platform)
    locked = {}
    for line in lock(file):
        if applies(line, where):
            assert canonicalize_name(line.name) not in locked, f"{file} locks {line.name} twice"
            locked[canonicalize_name(line.name)] = str(line.specifier).removeprefix("==")
    for wanted in map(Requirement, dependencies):
        if applies(wanted, where):
            version = locked[canonicalize_name(wanted.name)]
            assert wanted.specifier.contains(version), f"{file} does not satisfy {wanted}"


@pytest.mark.parametrize("file", LOCKS)
def test_a_lock_holds_exact_versions_and_nothing_else(file):
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    odd = [line for line in lines if not re.fullmatch(r"#.*|[a-z0-9._-]+==[0-9][\w.+]*( ; .+)?", line)]
    assert not odd, odd
    assert not re.search(r"://|@|--|(?<!\w)/", "\n".join(lines))


def test_the_locks_agree_on_what_they_share():
    learner, *others = (
        {line for line in (ROOT / file).read_text(encoding="utf-8").splitlines() if "==" in line} for file in LOCKS
    )
    assert all(learner <= other for other in others)
    for one, other in itertools.combinations(others, 2):
        names = [{line.split("==")[0] for line in locked} for locked in (one, other)]
        assert not {line for line in one ^ other if line.split("==")[0] in names[0] & names[1]}


def test_environment_yml_reads_the_lock_and_nothing_else():
    conda = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    python, *rest = conda["dependencies"]
    assert python.removeprefix("python=") in PYTHONS
    assert rest == ["pip", {"pip": ["-r requirements.txt", "-e ."]}]
    assert conda["channels"] == ["conda-forge"]


def test_the_oldest_and_the_newest_python_are_the_same_in_every_file():
    def read(name: str) -> str:
        return (ROOT / name).read_text(encoding="utf-8")

    oldest, newest = PYTHONS[0], PYTHONS[-1]
    assert SpecifierSet(PROJECT["requires-python"]) == SpecifierSet(f">={oldest}")
    assert f'target-version = "py{oldest.replace(".", "")}"' in read("pyproject.toml")
    assert f"--python-version {oldest} " in read("tools/set_up.sh")
    assert f"sys.version_info < ({oldest.replace('.', ', ')})" in read("tools/set_up.sh")
    assert f"Python {oldest}" in read("README.md")
    assert f'python: ["{oldest}", "{newest}"]' in read(".github/workflows/ci.yml")


def test_every_make_target_is_described_in_the_makefile_and_in_the_readme():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)) - {"help"}
    assert set(re.findall(r"^([a-z-]+):.* ## \w.+", makefile, re.MULTILINE)) == targets
    assert set(re.findall(r"`make ([a-z-]+)", readme)) == targets


@pytest.mark.parametrize("path", text_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_file_names_a_package_server_or_a_path_of_one_machine(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = re.sub(r'"image/(png|jpeg)": "[^"]*"', "", text)
    assert not PACKAGE_HOST.findall(text)
    assert not MACHINE_PATH.findall(text)
    hosts = set(re.findall(r"https?://([\w.-]+)", text)) - TEXT_HOSTS
    assert not hosts, f"{hosts}: a page to read may be added to the list in this test"
    assert "/releases/download/" not in text or path == Path(__file__)
