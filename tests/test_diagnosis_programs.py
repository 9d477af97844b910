"""The small programs run, and are right, variants or wrong as their table says."""

import numpy as np
import pytest
from diagnosis_programs import CAUSES, PROGRAMS, SUMS, Program, causes, make

import pe_lib

NAMES = [program.name for program in PROGRAMS + SUMS]


def near(found: np.ndarray, expected: np.ndarray) -> bool:
    """Say whether numbers agree as closely as their type and float32 angles up to position 300 allow."""
    tolerance = {"float64": 1e-11, "float32": 1e-4}.get(found.dtype.name, 1e-3)
    return found.shape == expected.shape and np.allclose(found, expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_table_is_what_its_entry_says(program: Program) -> None:
    (matrix,) = make(program)
    said = causes(program.must_say)
    assert (matrix.ndim != 2) == ("shape" in said)
    assert np.isfinite(matrix).all() == ("not finite" not in said)
    if matrix.ndim == 2:
        assert near(matrix, pe_lib.sinusoidal_encoding(*matrix.shape)) == (program.verdict == "right")


@pytest.mark.parametrize("program", SUMS, ids=lambda program: program.name)
def test_a_sum_is_what_its_entry_says(program: Program) -> None:
    x, y = make(program)
    assert np.isfinite(y).all()
    assert near(y, pe_lib.add_positional_encoding(x)) == (program.verdict == "right")


def test_a_program_makes_the_same_numbers_again() -> None:
    for program in PROGRAMS + SUMS:
        for first, second in zip(make(program), make(program), strict=True):
            np.testing.assert_array_equal(first, second, program.name)


def test_every_answer_is_in_the_words_of_the_list() -> None:
    used = set()
    for program in PROGRAMS + SUMS:
        assert program.verdict in ("right", "variant", "wrong")
        assert bool(program.must_say) == (program.verdict != "right") or causes(program.must_say) == {"alias"}
        for said in (program.must_say, *program.or_else):
            used |= causes(said)
    assert used == set(CAUSES)


def test_no_name_stands_twice() -> None:
    assert len(set(NAMES)) == len(NAMES)
