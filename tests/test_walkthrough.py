"""Promise: every equation of an explanation is true to the digits it shows, from the formula to the value."""

import itertools
import re

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_lib import encode_positions, explain

NUMBER = re.compile(r"(?<![\w.])\d+\.?\d*")
SIGN = re.compile(r" (=|≈) ")
CELLS = [
    *itertools.product((0, 1, 2, 3, 100, 999), range(6), (6,), (10_000.0, 1e20)),
    *itertools.product((1, 44, 512), (0, 1, 31, 62), (64,), (100.0, 2.0)),
    *itertools.product((1, 3, 4095), (0, 1, 2, 3, 4), (5,), (1.0, 0.5, 3.7)),
    *itertools.product((131071, 10**6), (0, 1, 256, 257, 511), (512,), (10_000.0, 1e6)),
    *itertools.product((0.5, -0.25, 1 / 3, -17, 1e-9, 12345.678), (0, 1, 6, 7), (8,), (10_000.0,)),
    *itertools.product((22, 355, 710), (0, 1), (2,), (10_000.0,)),
    (3, 0, 1, 10_000.0),
]


def evaluated(expression, found):
    """Return what one side of an equation comes to, to 40 digits; PE is looked up in the encoding."""

    def cell(position, column):
        return mpmath.mpf(float(encode_positions(float(position), found.d_model, base=found.base)[int(column)]))

    whole = re.sub(r"(\d+) // (\d+)", r"floor(\1 / \2)", expression)
    code = NUMBER.sub(lambda number: f"mpf('{number[0]}')", whole).replace("·", "*").replace("^", "**")
    names = {"mpf": mpmath.mpf, "floor": mpmath.floor, "sin": mpmath.sin, "cos": mpmath.cos}
    return eval(code, {"__builtins__": {}}, names | {"PE": cell, "i": found.pair})


def half_a_unit(text):
    """Return half a unit of the last digit shown."""
    return mpmath.mpf(10) ** -len(text.partition(".")[2]) / 2


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
    """Assert that every equation is true, that each number goes on into the next one, and that the last is the cell."""
    found = explain(position, column, d_model, base=base)
    with mpmath.workdps(40):
        for step in found.steps:
            check_equation(step.equation, found)
    _, formula, exponent, divisor, angle, last = (SIGN.split(step.equation) for step in found.steps)
    assert exponent[0] in formula[-1]
    assert divisor[0] in formula[-1]
    assert angle[0].endswith(f" / {divisor[-1]}")
    assert last[0] == f"{('sin', 'cos')[column % 2]}({angle[-1]})"
    assert last[-1] == found.shown
    assert found.value == encode_positions(position, d_model, base=base)[column]
    assert abs(mpmath.mpf(found.shown) - found.value) <= half_a_unit(found.shown) * (1 + mpmath.mpf(10) ** -9)


@pytest.mark.parametrize("part", range(4))
def test_every_equation_is_true_to_the_digits_shown(part):
    for cell in CELLS[part::4]:
        check(*cell)


REALS = st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-200)  # below, float64 itself runs out of digits


@st.composite
def cells(draw):
    """Draw a position, a column, a width and a base."""
    d_model = draw(st.integers(1, 1024))
    position = draw(st.one_of(st.integers(0, 5000), st.integers(-(10**6), 10**6), REALS))
    base = draw(st.one_of(st.just(10_000.0), st.floats(1e-3, 1e9), st.integers(1, 10**6)))
    return position, draw(st.integers(0, d_model - 1)), d_model, base


@settings(max_examples=200)
@given(cells())
def test_every_equation_of_any_explanation_is_true(cell):
    check(*cell)


def test_an_explanation_as_markdown():
    assert explain(2, 3, 6)._repr_markdown_() == (
        "**$PE(2, 3)$ for $d_{model} = 6$**\n\n"
        "1. Columns 2 and 3 make one pair: $i = 3 \\mathbin{//} 2 = 1$\n"
        "2. Column 3 is odd, so it holds a cosine: $PE(2, 3) = \\cos(2 / 10000^{2 \\cdot 1/6})$\n"
        "3. The exponent: $2 \\cdot 1/6 \\approx 0.3333$\n"
        "4. The divisor, with the exponent unrounded: $10000^{2 \\cdot 1/6} \\approx 21.5443$\n"
        "5. The angle in radians, position over divisor: $2 / 21.5443 \\approx 0.092832$\n"
        "6. Its cosine: $\\cos(0.092832) \\approx 0.9957$"
    )
    assert explain(1, 0, 2).formula == r"PE(1, 0) = \sin(1 / 10000^{2 \cdot 0/2}) = \sin(1) \approx 0.8415"


def test_the_numbers_beside_an_explanation():
    found = explain(2, 3, 6)
    assert (found.position, found.column, found.d_model, found.base) == (2, 3, 6, 10_000)
    assert (found.pair, found.function, found.shown) == (1, "cos", "0.9957")
    assert found.divisor == pytest.approx(10_000 ** (1 / 3), rel=1e-14)
    assert found.angle == pytest.approx(2 / 10_000 ** (1 / 3), rel=1e-14)
    assert explain(2, 3, 6) == found != explain(2, 3, 8)


def test_exact_numbers_are_shown_as_equal_and_four_digits_of_others():
    equations = [step.equation for step in explain(2, 2, 4).steps]
    assert equations[2:] == ["2·1/4 = 0.5", "10000^(2·1/4) = 100", "2 / 100 = 0.02", "sin(0.02) ≈ 0.02000"]
    assert explain(355, 1, 2).shown == "-1.0000"


def test_the_last_column_of_an_odd_width_is_a_pair_alone():
    assert explain(1, 4, 5).steps[0].words == "The last column is a pair alone"
    assert explain(1, 3, 5).steps[0].words == "Columns 2 and 3 make one pair"
    assert explain(1, 4, 6).steps[1].words == "Column 4 is even, so it holds a sine"
