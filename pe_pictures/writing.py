"""Sentences and numbers as pictures write them."""

import math
import re

MARKS = {"\x02": "held", "\x03": "", "\x04": "here", "\x05": ""}  # what begins and ends a part of a sentence


def here(text: str) -> str:
    """Mark a part of a sentence as what one holds: it is orange."""
    return f"\x04{text}\x05"


def hold(text: str) -> str:
    """Mark a part of a sentence as the answer, which a covered picture holds back."""
    return f"\x02{text}\x03"


def parts_of(sentence: str) -> list[tuple[str, str]]:
    """Return the parts of a sentence with their kinds.

    >>> parts_of(f"At {here('position 5')} it is {hold('0.80')}.")
    [('At ', ''), ('position 5', 'here'), (' it is ', ''), ('0.80', 'held'), ('.', '')]
    """
    found, kind = list[tuple[str, str]](), ""
    for part in re.split("([\x02-\x05])", sentence):
        if part in MARKS:
            kind = MARKS[part]
        elif part:
            found.append((part, kind))
    return found


def rounded(number: float, digits: int = 4) -> str:
    """Write a number with so many digits after the point, a true minus, and zero without a sign.

    >>> rounded(-0.00001), rounded(-0.125, 2), rounded(-math.inf)
    ('0.0000', '−0.12', '−∞')
    """
    return f"{round(number, digits) + 0.0:.{digits}f}".replace("-", "−").replace("inf", "∞")


def short_length(x: float) -> str:
    """Write a wavelength in a few digits."""
    return f"{x:,.{1 if x < 1000 else 0}f}" if 0.1 <= x < 1e6 else f"{x:.2g}"


def one_line(text: str, most: int = 40) -> str:
    """Return text for a description: on one line, and cut after so many characters."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return line if len(line) <= most else line[: most - 1] + "…"


def round_step(least: float) -> float:
    """Return the smallest of …, 0.5, 1, 2, 5, 10, 20, 50, … that is no less."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= least)


def round_numbers(least: float, greatest: float) -> list[float]:
    """Return round numbers in a range, evenly spaced, at most six."""
    step = round_step((greatest - least) / 5)
    return [round(n * step, 9) for n in range(math.ceil(least / step), math.floor(greatest / step) + 1)]


def evenly(count: int, most: int) -> list[int]:
    """Return at most so many of the numbers 0, 1, …, count - 1, evenly spread, the first and the last among them."""
    shown = min(count, most)
    return [round(k * (count - 1) / max(shown - 1, 1)) for k in range(shown)]


def spaced(count: int, most: int) -> range:
    """Return some of the numbers 0, 1, …, count - 1, a round number apart, and no more than so many."""
    return range(0, count, max(1, int(round_step(count / most))))


def ordinal(n: int) -> str:
    """Write a whole number as the place in a row.

    >>> ordinal(1), ordinal(12), ordinal(23)
    ('1st', '12th', '23rd')
    """
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def some_of(n: int, total: int) -> str:
    """Say how many of them there are.

    >>> some_of(3, 8), some_of(2, 2), some_of(3, 3)
    ('3 of 8', 'both', 'all 3')
    """
    return f"{n} of {total}" if n < total or n == 1 else "both" if n == 2 else f"all {n}"
