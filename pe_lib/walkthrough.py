"""One number of the encoding, explained: from the formula of Vaswani et al. (2017), section 3.5, to its value."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pe_lib import _checks
from pe_lib.encoding import BASE, encode_positions, frequencies

TEX = {  # how the signs of an equation are written in TeX
    r"\^\((.*?)\)": r"^{\1}",
    r"(\d+) // 2": r"\1 \\mathbin{//} 2",
    r"(sin|cos)\(": r"\\\1(",
    "·": r" \\cdot ",
    "≈": r"\\approx",
}


def tex(equation: str) -> str:
    """Write an equation in TeX."""
    for sign, written in TEX.items():
        equation = re.sub(sign, written, equation)
    return equation


@dataclass(frozen=True)
class Step:
    """One equation of an explanation, with the words that go before it; true to the digits it shows."""

    words: str
    equation: str

    @property
    def latex(self) -> str:
        """The equation in TeX."""
        return tex(self.equation)


@dataclass(frozen=True)
class Explanation:
    """The arithmetic behind one number, step by step; plain text in a terminal, formulas in a notebook.

    `.position`, `.column`, `.d_model` and `.base` say which number it is; `.value` is the number, `.shown` how the last
    step writes it, and `.steps` are the equations in order. `.pair`, `.function` ("sin" or "cos"), `.divisor`
    (positions per radian) and `.angle` (radians) are what they speak of; `.formula` chains them on one line of TeX.
    """

    position: float
    column: int
    d_model: int
    base: float
    pair: int
    function: str
    divisor: float
    angle: float
    value: float
    shown: str
    formula: str
    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        lines = [f"{n}. {step.words}: {step.equation}" for n, step in enumerate(self.steps, 1)]
        return "\n".join([f"PE({_full(self.position)}, {self.column}) for d_model = {self.d_model}", *lines])

    def _repr_markdown_(self) -> str:
        title = rf"**$PE({_full(self.position)}, {self.column})$ for $d_{{model}} = {self.d_model}$**"
        return "\n".join([title, "", *(f"{n}. {step.words}: ${step.latex}$" for n, step in enumerate(self.steps, 1))])


def explain(position: float, column: int, d_model: int, *, base: float = BASE) -> Explanation:
    """Explain the number in one row and column of the (interleaved) encoding.

    Parameters
    ----------
    position : float
        The row, counted from 0; may be fractional or negative.
    column : int
        The column, 0 to d_model - 1.
    d_model : int
        The width of the encoding.
    base : float
        The number that is raised to a power; above 0.

    Returns
    -------
    Explanation
        Up to position 1e6, its steps carry as many digits as the next step needs to come out right.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> explain(2, 3, 6)
    PE(2, 3) for d_model = 6
    1. Columns 2 and 3 make one pair: i = 3 // 2 = 1
    2. Column 3 is odd, so it holds a cosine: PE(2, 3) = cos(2 / 10000^(2·1/6))
    3. The exponent: 2·1/6 ≈ 0.3333
    4. The divisor, with the exponent unrounded: 10000^(2·1/6) ≈ 21.5443
    5. The angle in radians, position over divisor: 2 / 21.5443 ≈ 0.092832
    6. Its cosine: cos(0.092832) ≈ 0.9957
    """
    position = _checks.finite_number("position", position)
    d_model = _checks.integer("d_model", d_model, at_least=1)
    column = _checks.integer("column", column, at_least=0)
    if column >= d_model:
        raise ValueError(f"column must lie between 0 and {d_model - 1} for d_model {d_model}, got {column}")
    base = _checks.positive_base(base)

    i = column // 2
    frequency = float(frequencies(d_model, base)[i])
    divisor, angle = 1 / frequency, position * frequency
    value = float(encode_positions(position, d_model, base=base)[column])
    parity, function, name, of = ("odd", "cos", "cosine", math.cos) if column % 2 else ("even", "sin", "sine", math.sin)

    # From the last step back, each number gets the digits that make the next step come out right.
    value_shown = _rounded(value, 4)
    angle_shown = _enough(angle, 5, lambda x: _rounds(of(x), value_shown))
    divisor_shown = _enough(divisor, 6, lambda x: _rounds(position / x, angle_shown))

    pos = _full(position)
    exponent, entry = f"2·{i}/{d_model}", f"PE({pos}, {column})"
    power = f"{_full(base)}^({exponent})"
    formula = f"{entry} = {function}({pos} / {power})"
    pair = f"Columns {2 * i} and {2 * i + 1} make one pair"
    if 2 * i + 1 == d_model:
        pair = "The last column is a pair alone"
    steps = (
        Step(pair, f"i = {column} // 2 = {i}"),
        Step(f"Column {column} is {parity}, so it holds a {name}", formula),
        _step("The exponent", exponent, 2 * i / d_model, _rounded(2 * i / d_model, 4)),
        _step("The divisor, with the exponent unrounded", power, divisor, divisor_shown),
        _step(
            "The angle in radians, position over divisor",
            f"{pos} / {divisor_shown}",
            position / float(divisor_shown),
            angle_shown,
        ),
        _step(f"Its {name}", f"{function}({angle_shown})", of(float(angle_shown)), value_shown),
    )
    chain = tex(f"{formula} {_sign(angle, angle_shown)} {steps[-1].equation}")
    return Explanation(position, column, d_model, base, i, function, divisor, angle, value, value_shown, chain, steps)


def _step(words: str, left: str, exact: float, shown: str) -> Step:
    """Return the equation left = shown, or left ≈ shown where the number was rounded."""
    return Step(words, f"{left} {_sign(exact, shown)} {shown}")


def _sign(exact: float, shown: str) -> str:
    """Return the sign between a number and what is written for it."""
    return "=" if f"{exact:.15g}" == f"{float(shown):.15g}" else "≈"


def _full(x: float, digits: int = 17) -> str:
    """Write a number in full, without an exponent; whole ones without a point."""
    return np.format_float_positional(x, digits, fractional=False, trim="-")


def _rounded(x: float, digits: int) -> str:
    """Write a number with so many significant digits, four decimals at least; in full where that is no longer."""
    full = _full(x, 15)  # the last bits of float64 left out
    rounded = f"{x:.{max(4, digits - 1 - math.floor(math.log10(abs(x) or 1)))}f}"
    return full if len(full) <= len(rounded) else rounded


def _enough(x: float, least: int, right: Callable[[float], bool]) -> str:
    """Write a number with as many significant digits as it takes for the next step to come out right."""
    return next((text for digits in range(least, 16) if right(float(text := _rounded(x, digits)))), _full(x))


def _rounds(x: float, text: str) -> bool:
    """Say whether a number, rounded to the decimals of a text, is the text."""
    return f"{x:.{len(text.partition('.')[2])}f}" == text
