"""Promise: every equation of an explanation is true to the digits it shows, from the formula to the value."""

import itertools
import math
import re
from decimal import Decimal

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pe_lib import Explanation, encode_positions, explain, sinusoidal_encoding

NUMBER = re.compile(r"(?<![\w.])\d+\.?\d*(?:e[+-]?\d+)?")
SIGN = re.compile(r" (=|≈) ")

GRID = [
    *itertools.product((0, 1, 2, 3, 7, 100, 999), range(6), (6,), (10_000.0,)),
    *itertools.product((1, 5, 44, 512), (0, 1, 2, 31, 62, 63), (64,), (10_000.0, 100.0, 2.0)),
    *itertools.product((1, 2, 3, 4095), (0, 1, 2, 3, 4), (5,), (10_000.0, 1.0, 0.5, 3.7)),
    *itertools.product((1, 131071, 10**6, 2**53), (0, 1, 256, 257, 510, 511), (512,), (10_000.0, 1e6)),
    *itertools.product((0.5, -0.25, 1 / 3, -1, -17, 1e-9, 12345.678), (0, 1, 6, 7), (8,), (10_000.0, 1e8)),
    *itertools.product((1, 22, 355, 710), (0, 1), (2,), (10_000.0,)),
    *itertools.product((1, 3), (0,), (1,), (10_000.0,)),
    *itertools.product((1, 999), (0, 1, 4, 5), (6,), (1e16, 1e20, 1e-7, 1.5e-5, 123456.789)),
]


def evaluated(expression, found):
    """Return what one side of an equation comes to, to 40 digits; PE is looked up in the encoding."""

    def cell(position, column):
        return mpmath.mpf(float(encode_positions(float(position), found.d_model, base=found.base)[int(column)]))

    whole = re.sub(r"(\d+) // (\d+)", r"floor(\1 / \2)", expression)
    code = NUMBER.sub(lambda number: f"mpf('{number[0]}')", whole).replace("·", "*").replace("^", "**")
    names = {
        "mpf": mpmath.mpf,
        "floor": mpmath.floor,
        "sin": mpmath.sin,
        "cos": mpmath.cos,
        "PE": cell,
        "i": found.pair,
    }
    return eval(code, {"__builtins__": {}}, names)


def half_a_unit(text):
    """Return half a unit of the last digit shown."""
    return mpmath.mpf(10) ** Decimal(text).as_tuple().exponent / 2


def check_equation(equation, found):
    """Assert that what stands on both sides of every sign of an equation is the same to the digits shown."""
    sides, signs = SIGN.split(equation)[0::2], SIGN.split(equation)[1::2]
    assert signs
    for left, sign, right in zip(sides, signs, sides[1:], strict=False):
        a, b = evaluated(left, found), evaluated(right, found)
        if sign == "≈":
            assert abs(a - b) <= half_a_unit(right) * (1 + mpmath.mpf(10) ** -4), equation
            assert a != b, equation
        else:
            # a cell computed in float64 loses digits as its angle grows
            lost = 1e-12 * max(1, abs(found.angle)) if "PE" in left else 1e-12 * abs(b)
            assert abs(a - b) <= lost, equation


def check(position, column, d_model, base):
    """Assert everything promised of one explanation."""
    found = explain(position, column, d_model, base=base)
    assert len(found.steps) == 6
    with mpmath.workdps(40):
        for step in found.steps:
            check_equation(step.equation, found)
        check_value(found)
    check_carried(found)
    check_tex(found)


def check_value(found):
    """Assert that the last step ends in the value, rounded, and that the value is the table's."""
    shown = result(found.steps[-1])
    assert abs(mpmath.mpf(shown) - mpmath.mpf(found.value)) <= half_a_unit(shown) * (1 + mpmath.mpf(10) ** -9)
    assert found.value == encode_positions(found.position, found.d_model, base=found.base)[found.column]
    assert found.function == ("sin", "cos")[found.column % 2]
    assert found.pair == found.column // 2


def result(step):
    return SIGN.split(step.equation)[-1]


def check_carried(found):
    """Assert that each rounded number is the one the next step starts from."""
    _, formula, exponent, divisor, angle, last = found.steps
    assert SIGN.split(exponent.equation)[0] in formula.equation
    assert SIGN.split(divisor.equation)[0] in formula.equation
    assert SIGN.split(angle.equation)[0].endswith(f" / {result(divisor)}")
    assert SIGN.split(last.equation)[0] == f"{found.function}({result(angle)})"


def plain_of(tex):
    """Return a TeX equation as plain text."""
    tex = re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", tex)
    tex = re.sub(r"\\lfloor (\d+) / (\d+) \\rfloor", r"\1 // \2", tex)
    tex = re.sub(r"\^\{([^}]*)\}", r"^(\1)", tex)
    tex = re.sub(r"\\left\((\S+)\\right\)\^", r"\1^", tex)  # a base written as a power of ten
    for written, plain in [(r"\left(", "("), (r"\right)", ")"), (r" \cdot ", "·"), (r"\approx", "≈"), ("\\", "")]:
        tex = tex.replace(written, plain)
    return tex


def check_tex(found):
    """Assert that the TeX of a step says what its plain text says, and that the formula chains them."""
    for step in found.steps:
        plain = re.sub(r"e([+-])0*(\d)", lambda e: f"e{e[1].strip('+')}{e[2]}", step.equation)
        assert plain_of(step.latex) == plain
        assert "}^{" not in step.latex  # TeX stops at a double superscript
    assert found.formula.endswith(found.steps[-1].latex)
    assert found.formula.startswith(found.steps[1].latex.partition(" = ")[0])
    assert all(formula.count("{") == formula.count("}") for formula in (found.formula, *tex_of(found)))


def tex_of(found):
    return [step.latex for step in found.steps]


@pytest.mark.parametrize(
    "cases", [GRID[k::8] for k in range(8)], ids=[f"{len(GRID[k::8])} numbers, part {k}" for k in range(8)]
)
def test_every_equation_is_true_to_the_digits_shown(cases):
    for case in cases:
        check(*case)


def test_the_grid_is_of_hundreds_of_numbers():
    assert len(GRID) == len(set(GRID)) > 300


REALS = st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-200)  # below, float64 itself runs out of digits


@st.composite
def cells(draw):
    """Draw a position, a column, a width and a base."""
    d_model = draw(st.integers(1, 1024))
    position = draw(st.one_of(st.integers(0, 5000), st.integers(-(10**6), 10**6), REALS))
    base = draw(st.one_of(st.just(10_000.0), st.floats(1e-3, 1e9), st.integers(1, 10**6)))
    return position, draw(st.integers(0, d_model - 1)), d_model, base


@settings(deadline=None, max_examples=200)
@given(cells())
@example((3, 0, 1, 10_000.0))
@example((-0.0, 1, 2, 1.0))
def test_every_equation_of_any_explanation_is_true(cell):
    check(*cell)


@pytest.mark.parametrize("d_model", [1, 5, 6])
def test_every_value_is_the_cell_of_the_table(d_model):
    values = [[explain(p, j, d_model).value for j in range(d_model)] for p in range(40)]
    assert np.allclose(values, sinusoidal_encoding(40, d_model), rtol=0, atol=1e-14)


def test_an_explanation_in_full():
    assert str(explain(2, 3, 6)) == (
        "PE(2, 3) for d_model = 6\n"
        "1. Columns 2 and 3 share the pair: i = 3 // 2 = 1\n"
        "2. Column 3 is odd, so it holds a cosine: PE(2, 3) = cos(2 / 10000^(2·1/6))\n"
        "3. The exponent: 2·1/6 ≈ 0.3333\n"
        "4. The divisor, with the exponent unrounded: 10000^(2·1/6) ≈ 21.5443\n"
        "5. The angle in radians, position over divisor: 2 / 21.5443 ≈ 0.092832\n"
        "6. Its cosine: cos(0.092832) ≈ 0.9957"
    )


def test_an_explanation_in_full_as_markdown():
    assert explain(2, 3, 6)._repr_markdown_() == (
        "**$PE(2, 3)$ for $d_{model} = 6$**\n\n"
        "1. Columns 2 and 3 share the pair: $i = \\lfloor 3 / 2 \\rfloor = 1$\n"
        "2. Column 3 is odd, so it holds a cosine: "
        "$PE(2, 3) = \\cos\\left(2 / 10000^{2 \\cdot 1/6}\\right)$\n"
        "3. The exponent: $2 \\cdot 1/6 \\approx 0.3333$\n"
        "4. The divisor, with the exponent unrounded: $10000^{2 \\cdot 1/6} \\approx 21.5443$\n"
        "5. The angle in radians, position over divisor: $2 / 21.5443 \\approx 0.092832$\n"
        "6. Its cosine: $\\cos(0.092832) \\approx 0.9957$"
    )


def test_the_numbers_beside_an_explanation():
    found = explain(2, 3, 6)
    assert (found.position, found.column, found.d_model, found.base) == (2, 3, 6, 10_000)
    assert (found.pair, found.function) == (1, "cos")
    assert found.divisor == pytest.approx(10_000 ** (1 / 3), rel=1e-14)
    assert found.angle == pytest.approx(2 / 10_000 ** (1 / 3), rel=1e-14)
    assert found.value == pytest.approx(math.cos(2 / 10_000 ** (1 / 3)), rel=1e-14)


def test_a_whole_angle_and_divisor_are_shown_as_equal():
    equations = [step.equation for step in explain(2, 2, 4).steps]
    assert equations[2:5] == ["2·1/4 = 0.5", "10000^(2·1/4) = 100", "2 / 100 = 0.02"]
    assert equations[5] == "sin(0.02) ≈ 0.02000"


def test_the_last_column_of_an_odd_width_is_a_pair_alone():
    assert explain(1, 4, 5).steps[0].words == "The last column is a pair alone"
    assert explain(1, 3, 5).steps[0].words == "Columns 2 and 3 share the pair"


@pytest.mark.parametrize(("column", "words"), [(0, ("even", "sine")), (1, ("odd", "cosine"))])
def test_the_words_name_the_parity_and_the_function(column, words):
    steps = explain(1, column, 4).steps
    assert steps[1].words == f"Column {column} is {words[0]}, so it holds a {words[1]}"
    assert steps[5].words == f"Its {words[1]}"


def test_text_and_repr_are_the_same_and_hold_no_address():
    found = explain(1, 2, 4)
    assert repr(found) == str(found)
    assert "0x" not in repr(found)
    assert isinstance(found, Explanation)


def test_equal_questions_have_equal_answers():
    assert explain(5, 3, 8) == explain(5, 3, 8) != explain(5, 3, 10)
