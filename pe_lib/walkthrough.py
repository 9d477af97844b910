"""One number of the encoding, explained: from the formula of Vaswani et al. (2017), section 3.5, to its value."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from pe_lib import _checks
from pe_lib.encoding import BASE, encode_positions, frequencies


@dataclass(frozen=True)
class Step:
    """One equation of an explanation, with the words that go before it; true to the digits it shows."""

    words: str
    equation: str
    latex: str

    def __str__(self) -> str:
        return f"{self.words}: {self.equation}"


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

    def __str__(self) -> str:
        lines = [f"{n}. {step}" for n, step in enumerate(self.steps, 1)]
        return "\n".join([f"PE({_plain(self.position)}, {self.column}) for d_model = {self.d_model}", *lines])

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        lines = [f"{n}. {step.words}: ${step.latex}$" for n, step in enumerate(self.steps, 1)]
        title = rf"**$PE({_plain(self.position)}, {self.column})$ for $d_{{model}} = {self.d_model}$**"
        return "\n".join([title, "", *lines])


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
        The number that is raised to a power; finite and above 0.

    Returns
    -------
    Explanation
        Its steps carry as many digits as the next step needs to come out right.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> explain(2, 3, 6)
    PE(2, 3) for d_model = 6
    1. Columns 2 and 3 share the pair: i = 3 // 2 = 1
    2. Column 3 is odd, so it holds a cosine: PE(2, 3) = cos(2 / 10000^(2·1/6))
    3. The exponent: 2·1/6 ≈ 0.3333
    4. The divisor, with the exponent unrounded: 10000^(2·1/6) ≈ 21.5443
    5. The angle in radians, position over divisor: 2 / 21.5443 ≈ 0.092832
    6. Its cosine: cos(0.092832) ≈ 0.9957
    """
    position = _checks.finite_number("position", position) + 0.0  # which makes a plain zero of -0.0
    d_model = _checks.integer("d_model", d_model, at_least=1)
    column = _checks.integer("column", column, at_least=0)
    if column >= d_model:
        raise ValueError(f"column must lie between 0 and {d_model - 1} for d_model {d_model}, got {column}")
    base = _checks.positive_base(base)
    value = float(encode_positions(position, d_model, base=base)[column])

    i = column // 2
    frequency = float(frequencies(d_model, base)[i])
    divisor = 1 / frequency
    function, name, parity = ("sin", "sine", "even") if column % 2 == 0 else ("cos", "cosine", "odd")
    of = math.sin if column % 2 == 0 else math.cos

    # Digits are chosen from the last step back: each number carries what the next one needs to come out right.
    angle = position * frequency  # as the encoding computes it: for huge angles every bit counts
    value_shown = _shown(value, 4, decimals=4)
    angle_shown = _enough(angle, 5, lambda x: _fits(of(x), value_shown, value))
    divisor_shown = _enough(divisor, 6, lambda x: _fits(position / x, angle_shown, angle))
    exponent_shown = _shown(2 * i / d_model, 4)

    pos, number = _plain(position), _plain(base)
    tex_number = rf"\left({_tex(number)}\right)" if "e" in number else number
    exponent, tex_exponent = f"2·{i}/{d_model}", rf"2 \cdot {i}/{d_model}"
    power, tex_power = f"{number}^({exponent})", rf"{tex_number}^{{{tex_exponent}}}"
    entry, tex_entry = f"PE({pos}, {column})", rf"PE({_tex(pos)}, {column})"
    alone = 2 * i + 1 == d_model
    steps = (
        Step(
            "The last column is a pair alone" if alone else f"Columns {2 * i} and {2 * i + 1} share the pair",
            f"i = {column} // 2 = {i}",
            rf"i = \lfloor {column} / 2 \rfloor = {i}",
        ),
        Step(
            f"Column {column} is {parity}, so it holds a {name}",
            f"{entry} = {function}({pos} / {power})",
            rf"{tex_entry} = \{function}\left({_tex(pos)} / {tex_power}\right)",
        ),
        _step("The exponent", exponent, tex_exponent, exponent_shown, 2 * i / d_model),
        _step("The divisor, with the exponent unrounded", power, tex_power, divisor_shown, divisor),
        _step(
            "The angle in radians, position over divisor",
            f"{pos} / {divisor_shown}",
            f"{_tex(pos)} / {_tex(divisor_shown)}",
            angle_shown,
            position / float(divisor_shown),
        ),
        _step(
            f"Its {name}",
            f"{function}({angle_shown})",
            rf"\{function}({_tex(angle_shown)})",
            value_shown,
            of(float(angle_shown)),
        ),
    )
    angle_relation = _relation(angle_shown, angle, tex=True)
    formula = rf"{tex_entry} = \{function}\left(\dfrac{{{_tex(pos)}}}{{{tex_power}}}\right) {angle_relation} "
    formula += steps[-1].latex
    return Explanation(position, column, d_model, base, i, function, divisor, angle, value, value_shown, formula, steps)


def _step(words: str, left: str, tex_left: str, shown: str, exact: float) -> Step:
    """Return the equation left = shown, or left ≈ shown where the number was rounded."""
    return Step(
        words,
        f"{left} {_relation(shown, exact)} {shown}",
        f"{tex_left} {_relation(shown, exact, tex=True)} {_tex(shown)}",
    )


def _shown(x: float, significant: int, decimals: int = 0) -> str:
    """Write a number with so many significant digits, and so many decimals at least; shorter where that is exact."""
    plain = _plain(x)
    if _exact(f"{x:.{significant}g}", x) and len(f"{x:.{significant}g}") <= len(plain):
        return _plain(float(f"{x:.{significant}g}"))
    power = math.floor(math.log10(abs(x)))
    if not -6 <= power < 16:
        return f"{x:.{significant - 1}e}"
    return f"{x:.{max(decimals, significant - 1 - power)}f}"


def _enough(x: float, significant: int, right: Callable[[float], bool]) -> str:
    """Write a number with as many significant digits as it takes for the next step to come out right."""
    for digits in range(significant, 17):
        text = _shown(x, digits)
        if right(float(text)) and abs(Decimal(text) - Decimal(float(text))) < 1e-9:
            return text
    return f"{Decimal(x):f}"  # so large that float64 is not quite the number its shortest digits say


def _exact(text: str, x: float) -> bool:
    """Say whether the text is the number itself, but for the last bits of float64."""
    return abs(float(text) - x) <= 1e-12 * abs(x)


def _fits(x: float, text: str, meant: float) -> bool:
    """Say whether x rounds to the text, or is the number meant where the text shows that exactly."""
    if _exact(text, meant):
        return abs(x - meant) <= 1e-12 * max(1.0, abs(meant))
    last_digit = 10.0 ** int(Decimal(text).as_tuple().exponent)
    return abs(x - float(text)) <= last_digit / 2


def _relation(text: str, x: float, tex: bool = False) -> str:
    """Return the sign that stands between a number and how it is written."""
    if _exact(text, x):
        return "="
    return r"\approx" if tex else "≈"


def _plain(x: float) -> str:
    """Write a number in full, a whole one without its point."""
    return str(int(x)) if x == int(x) and abs(x) < 1e16 else repr(x)


def _tex(text: str) -> str:
    """Write a number for TeX: a power of ten in place of its e."""
    digits, _, power = text.partition("e")
    return rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits
