"""Find the plain numbers that measured ones are meant to be: those that are written with few digits."""

import math
from collections.abc import Iterator

LOOSEST = 0.05  # of a number, or less, is one that is plainer away


def plain_step(step: float, relative: float, length: int) -> tuple[float, float, str]:
    """Return a factor as the plain number it is meant to be, what that costs, and how it is written."""
    return next(plain_steps(step, relative, length))


def plain_steps(step: float, relative: float, length: int) -> Iterator[tuple[float, float, str]]:
    """Yield the plain numbers that a factor may be meant to be, and last itself.

    A plain number is one that few of those as near would be; or one divided by how many rows or steps there are.
    """
    loose = 4 * relative + 1e-12
    of_pi = {"2 * np.pi": 2 * math.pi, "np.pi": math.pi}
    named = of_pi | {"1 / (2 * np.pi)": 0.5 / math.pi} | {f"np.pi / {n}": math.pi / n for n in (2, 180, 200)}
    yield from ((number, 0.2, shown) for shown, number in named.items() if abs(step / number - 1) <= loose)
    if abs(1 / step - round(1 / step)) <= min(loose / step, 0.25) and 1 < round(1 / step) <= 10_000:
        yield 1 / round(1 / step), 0.15, f"1 / {round(1 / step)}"
    most = max(1, min(4, int(-math.log10(min(loose, 1.0)))))
    plain = round_number(step, min(loose, LOOSEST), most)
    for parts in (length - 1, length) if plain is None or (digits(plain) > 1 and plain % 1) else ():
        whole = round_number(step * parts, loose, most - 1)
        totals = of_pi | ({repr(whole): whole} if whole and (plain is None or digits(whole) < digits(plain)) else {})
        for shown, number in totals.items():
            if parts > 1 and abs(step * parts / number - 1) <= loose:
                yield number / parts, 0.2, f"{shown} / {parts}"
    yield (plain, 0.2, repr(plain)) if plain else (step, 0.6, repr(step))


def round_number(x: float, relative: float, most: int = 4) -> float | None:
    """Return the plainest number that lies within a relative distance of `x`, if it has at most so many digits."""
    if not 0 < x < 1e18 or relative > LOOSEST:
        return None
    for kept in range(1, most + 1):
        plain = float(f"{x:.{kept - 1}e}")
        if abs(plain - x) <= relative * x:
            return plain
    return None


def digits(x: float) -> int:
    """Return how many digits a number is written with, zeros at either end not counted."""
    return len(f"{x:.12e}".split("e")[0].replace(".", "").strip("0"))


def plainest(least: float, most: float) -> float:
    """Return the number with the fewest digits between two."""
    middle = least / 2 + most / 2
    plain = (float(f"{middle:.{digits}g}") for digits in range(1, 17))
    return next((x for x in plain if least <= x <= most), middle)
