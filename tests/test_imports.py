"""Promise: `import pe_lib` brings NumPy alone, every public name is there, and imports point down the floors only."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pe_lib

PACKAGE = Path(pe_lib.__file__).parent
MODULES = {
    ".".join(("pe_lib", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
BASEMENT = {"pe_lib._checks", "pe_lib._memory", "pe_lib._fill"}
ENCODING = {"pe_lib.encoding"}
UPPER = {name for name in MODULES if name.startswith(("pe_lib.pictures", "pe_lib.explorers"))}
MIDDLE = set(MODULES) - BASEMENT - ENCODING - UPPER - {"pe_lib"}
EXPERIMENTS = {"pe_lib.experiments"}  # train the network
EXERCISES = {name for name in MIDDLE if name.startswith("pe_lib.exercises")}  # they ask about all the others
NUMPY_ONLY = sorted(set(MODULES) - UPPER)


def imports_of(name):
    """Return every module a module imports, anywhere in it, but for those imported for type checkers alone."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    for_checkers = {
        id(node)
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for node in ast.walk(branch)
    }
    found = set()
    for node in ast.walk(tree):
        if id(node) in for_checkers:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {module if module in MODULES else node.module for module in full}
    return found


def own_imports_of(name):
    return {module for module in imports_of(name) if module.partition(".")[0] == "pe_lib"}


def in_a_new_python(code, warnings="error"):
    """Return what some code prints in an interpreter of its own, where warnings are errors unless said otherwise."""
    done = subprocess.run([sys.executable, "-W", warnings, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


HEAVY = {"matplotlib", "ipywidgets", "IPython", "PIL", "traitlets", "ipykernel"}


def test_importing_the_package_brings_neither_pictures_nor_widgets():
    roots = in_a_new_python("import sys, pe_lib; print(*{name.partition('.')[0] for name in sys.modules})")
    assert "numpy" in roots
    assert HEAVY.isdisjoint(roots)


def test_using_the_ground_floors_brings_neither_pictures_nor_widgets():
    roots = in_a_new_python(
        "import sys, pe_lib; repr(pe_lib.explain(2, 3, 6)); pe_lib.DAN_LOVES_ICECREAM._repr_html_(); dir(pe_lib); "
        "pe_lib.sinusoidal_encoding(9, 4); print(*{name.partition('.')[0] for name in sys.modules})"
    )
    assert HEAVY.isdisjoint(roots)


@pytest.mark.parametrize("name", pe_lib.__all__)
def test_every_public_name_is_there(name):
    assert getattr(pe_lib, name) is not None
    assert name in dir(pe_lib)


def test_the_public_names_are_named_once():
    assert len(pe_lib.__all__) == len(set(pe_lib.__all__))


def test_a_name_that_is_not_there_is_said_not_to_be():
    with pytest.raises(AttributeError, match="module 'pe_lib' has no attribute 'positional'"):
        _ = pe_lib.positional


def test_all_names_can_be_imported_at_once():
    assert in_a_new_python("from pe_lib import *; print(frequencies(2)[0])", "default") == ["1.0"]


@pytest.mark.parametrize("name", NUMPY_ONLY)
def test_below_the_pictures_there_is_numpy_and_the_standard_library_alone(name):
    roots = {module.partition(".")[0] for module in imports_of(name)}
    assert roots <= {"numpy", "pe_lib"} | set(sys.stdlib_module_names)


def test_the_floors_are_all_there():
    assert {f"pe_lib.{name}" for name in ("binary", "examples", "properties", "routes", "walkthrough")} <= MIDDLE
    assert {"pe_lib.pictures", "pe_lib.explorers"} <= UPPER


def test_the_checks_and_the_filling_rest_on_nothing():
    assert own_imports_of("pe_lib._checks") == own_imports_of("pe_lib._fill") == set()
    assert own_imports_of("pe_lib._memory") == {"pe_lib._checks"}


def test_the_encoding_rests_on_the_checks_and_the_filling():
    assert own_imports_of("pe_lib.encoding") == BASEMENT


@pytest.mark.parametrize("name", sorted(MIDDLE - EXERCISES - EXPERIMENTS))
def test_the_middle_floor_rests_on_the_encoding_and_the_checks(name):
    own_package = {
        other for other in MIDDLE if name.startswith("pe_lib.diagnosis") and other.startswith("pe_lib.diagnosis")
    }
    assert own_imports_of(name) <= BASEMENT | ENCODING | own_package


@pytest.mark.parametrize("name", sorted(EXPERIMENTS))
def test_the_experiments_rest_on_the_network_beside_them(name):
    assert own_imports_of(name) <= BASEMENT | ENCODING | {"pe_lib.network"}


@pytest.mark.parametrize("name", sorted(EXERCISES))
def test_the_exercises_may_rest_on_the_rest_of_the_middle_floor(name):
    assert own_imports_of(name) <= BASEMENT | ENCODING | MIDDLE


@pytest.mark.parametrize("name", sorted(name for name in UPPER if name.startswith("pe_lib.pictures")))
def test_pictures_never_import_explorers_or_widgets(name):
    assert not any(module.startswith(("pe_lib.explorers", "ipywidgets")) for module in imports_of(name))
    assert "pe_lib" not in own_imports_of(name)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_no_module_imports_pyplot(name):
    assert not any(module.startswith(("matplotlib.pyplot", "pylab")) for module in imports_of(name))
