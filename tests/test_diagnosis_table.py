"""Promise: mistakes that are frequent are named, at a few sizes and however the numbers are stored."""

import numpy as np
import pytest
from diagnosis_table import TABLE, answer, make

from pe_diagnosis import diagnose
from pe_lib import sinusoidal_encoding

STORED = {"float64": lambda x: x, "float32": np.float32, "four decimals": lambda x: x.round(4)}
SMALL, LARGE = (10, 16), (50, 64)
ALL = [*TABLE]
ASKED = [
    *((name, SMALL, stored) for name in ALL for stored in ("float64", "four decimals")),
    *((name, SMALL, "float32") for name in ALL[::5]),
    *((name, LARGE, "float64") for name in ALL[1::4]),
    *((name, LARGE, "four decimals") for name in ALL[3::4]),
]


def codes(found):
    """Return what is said, without notes."""
    return {one.code for one in found.findings if one.kind != "note"}


@pytest.mark.parametrize("name", TABLE)
def test_the_lines_do_not_make_the_encoding(name):
    matrix = make(TABLE[name][0], 12, 16)
    assert matrix.shape != (12, 16) or not np.allclose(matrix, sinusoidal_encoding(12, 16), atol=1e-5)


@pytest.mark.parametrize(("name", "size", "stored"), ASKED)
def test_a_mistake_is_named(name, size, stored):
    line, said = TABLE[name]
    found = answer(name, *size) if stored == "float64" else diagnose(STORED[stored](make(line, *size)))
    assert said <= codes(found), found
    assert codes(found) == said or any(one.kind == "undecided" for one in found.findings), found
    assert found.explained == 1 or said & {"cell-wrong", "dropout", "row-wrong"}


# At 512 columns powers of 2 or of 10,000**2 leave what float64 holds; 512 × 512 numbers reshaped are the same again.
SMALL_ONLY = ("divided outside", "octaves", "reshaped")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ALL[::6] if not name.endswith(SMALL_ONLY)])
def test_a_mistake_is_named_in_a_large_table(name):
    line, said = TABLE[name]
    found = diagnose(make(line, 512, 512))
    assert said <= codes(found), found
