"""Promise: `import pe_lib` brings NumPy alone, and every public name is there when it is asked for."""

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

import pe_lib
import pe_pictures
from pe_lib._moved import HOMES, MOVED

HOUSE = {  # the packages, and which of the others each loads
    "pe_lib": (),
    "pe_diagnosis": ("pe_lib",),
    "pe_exercises": (),
    "pe_pictures": ("pe_lib", "pe_diagnosis"),
}
HEAVY = {"matplotlib", "ipywidgets", "anywidget", "IPython", "PIL", "traitlets", "ipykernel"}


def in_a_new_python(code, warnings="error"):
    """Return what some code prints in an interpreter of its own, where warnings are errors unless said otherwise."""
    done = subprocess.run([sys.executable, "-W", warnings, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "used",
    [
        "pe_lib",
        "dir(pe_lib)",
        "repr(pe_lib.explain(2, 3, 6))",
        "pe_lib.DAN_LOVES_ICECREAM._repr_html_()",
        "repr(pe_diagnosis.diagnose(pe_lib.sinusoidal_encoding(9, 4)))",
        "pe_exercises.check",
        "pe_lib.train",
        "isinstance(pe_pictures.Heatmap(), pe_pictures.Heatmap)",
        "pe_pictures.Explorer(pe_pictures.Waves()).spec()",
        "pe_pictures.explore_number().answer({'fresh': True})",
        "pe_pictures.explore_heatmap().answer({'fresh': True})",
        "pe_pictures.predict('one column tells the position').spec()",
    ],
)
def test_until_something_is_displayed_there_is_numpy_alone(used):
    code = f"import sys, {', '.join(HOUSE)}; {used}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    roots = in_a_new_python(code)
    assert "numpy" in roots
    assert HEAVY.isdisjoint(roots)


@pytest.mark.parametrize(("shown", "missing"), [("Waves()", "matplotlib"), ("predict('swap two words')", "anywidget")])
def test_where_what_shows_pictures_is_missing_it_is_said_what_installs_it(shown, missing):
    code = f"""import sys; sys.modules[{missing!r}] = None
from pe_pictures import *
try: {shown}._repr_mimebundle_()
except ModuleNotFoundError as said: print(said)"""
    assert {missing, "pip", "install", "anywidget"} <= in_a_new_python(code)


@pytest.mark.parametrize("package", [*HOUSE])
def test_a_package_loads_none_but_those_below_it(package):
    code = f"import sys, {package}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    assert in_a_new_python(code).intersection(HOUSE) == {package, *HOUSE[package]}


def test_every_public_name_is_there():
    for package in map(import_module, HOUSE):
        assert [name for name in package.__all__ if getattr(package, name, None) is None] == []


def test_pictures_and_explorers_are_all_public():
    modules = [import_module(f"pe_pictures.{each.name}") for each in pkgutil.iter_modules(pe_pictures.__path__)]
    found = {name: value for module in modules for name, value in vars(module).items()}
    public = {name for name, value in found.items() if is_picture(value) or name.startswith("explore_")}
    assert public | {"Explorer", "Picture", "predict"} == set(pe_pictures.__all__)


def is_picture(value):
    return isinstance(value, type) and issubclass(value, pe_pictures.Picture) and value is not pe_pictures.Picture


def test_a_name_that_has_moved_says_where_to():
    for home, names in HOMES.items():
        for name in names.split():
            with pytest.raises(ImportError, match=f"`from {home} import {name}`"):
                exec(f"from pe_lib import {name}")
            exec(f"from {home} import {name}")
    assert not MOVED.keys() & set(pe_lib.__all__)


def test_all_names_can_be_imported_at_once():
    assert in_a_new_python("from pe_lib import *; print(frequencies(2)[0])", "default") == {"1.0"}


def test_a_name_that_is_not_there_is_said_not_to_be():
    with pytest.raises(AttributeError, match="module 'pe_lib' has no attribute 'positional'"):
        _ = pe_lib.positional
