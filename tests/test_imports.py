"""Promise: `import pe_lib` brings NumPy alone, and every public name is there when it is asked for."""

import subprocess
import sys

import pytest

import pe_lib
import pe_lib.explorers
import pe_lib.pictures

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
        "repr(pe_lib.diagnose(pe_lib.sinusoidal_encoding(9, 4)))",
        "pe_lib.check",
        "pe_lib.train",
        "isinstance(pe_lib.Heatmap(), pe_lib.Heatmap)",
        "pe_lib.Explorer(pe_lib.Waves()).spec()",
        "pe_lib.explore_number().answer({'fresh': True})",
        "pe_lib.explore_heatmap().answer({'fresh': True})",
        "pe_lib.predict('count the waves').spec()",
    ],
)
def test_until_something_is_displayed_there_is_numpy_alone(used):
    code = f"import sys, pe_lib; {used}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    roots = in_a_new_python(code)
    assert "numpy" in roots
    assert HEAVY.isdisjoint(roots)


@pytest.mark.parametrize("name", pe_lib.__all__)
def test_every_public_name_is_there(name):
    assert getattr(pe_lib, name) is not None
    assert name in dir(pe_lib)


def test_pictures_and_explorers_are_all_public():
    pictures = {name for name, value in vars(pe_lib.pictures).items() if isinstance(value, type)} - {"Picture"}
    explorers = {name for name in vars(pe_lib.explorers) if name.startswith("explore_")}
    assert pictures | explorers < set(pe_lib.__all__)


def test_all_names_can_be_imported_at_once():
    assert in_a_new_python("from pe_lib import *; print(frequencies(2)[0])", "default") == {"1.0"}


def test_a_name_that_is_not_there_is_said_not_to_be():
    with pytest.raises(AttributeError, match="module 'pe_lib' has no attribute 'positional'"):
        _ = pe_lib.positional
