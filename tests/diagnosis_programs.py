"""Small programs that make positional encodings, right and wrong, as learners and public code write them.

They were written by someone who had not read the diagnosis. A table says what each program really does and what a true
diagnosis of its numbers names; it judges nothing by itself.

A block of the text is one program:

    --- its name
    One sentence: what it really does.
    wrong: cause=fact, other cause; or another cause=fact; open
    its lines of Python, which know `np` alone and leave `matrix` (or `x` and `y`)

The third line begins with the verdict: *right* (the paper's table), *variant* (a known other convention, no mistake) or
*wrong*. Then come the causes that a true answer names, all of them; after each *or* causes that explain the same
numbers just as well; *open* where an honest "not known" that states what was measured is as good. A line ``@ L d``
stands for the lines that make the right table `pe` of L rows and d columns from `angles`.
"""

from typing import NamedTuple

import numpy as np

CAUSES = {
    "alias": "the numbers are the paper's at this size, though the program is not",
    "angle scale": "every angle, from the first pair on, is multiplied by a number",
    "base": "another number than 10000 is raised to a power",
    "batch": "the encoding runs along the batch in place of the sequence",
    "cell": "single numbers are wrong",
    "centred": "a mean was subtracted",
    "clipped": "numbers beyond a bound were cut off",
    "column order": "the right columns in another order",
    "columns": "single columns are wrong: negated, scaled, shifted, constant, zero, repeated",
    "concatenated": "encoding and embeddings stand side by side in place of being added",
    "dropout": "numbers at random places were set to zero, the rest perhaps scaled up",
    "exchanged": "position and column took each other's part in the formula",
    "exponent": "the exponent of the divisor follows another formula",
    "frequencies": "the frequencies follow no power of a base, or not the right one",
    "function": "another function of the angle than sine and cosine of their columns",
    "integer division": "a quotient lost its fraction",
    "integers": "the table lost its fractions in an integer type",
    "inverted": "angles are multiplied by the divisor in place of divided",
    "layer norm": "every row was given mean 0 and variance 1",
    "layout": "sines and cosines stand in other columns or rows than the paper's",
    "min-max": "numbers were mapped from their smallest and largest to 0 and 1",
    "missing": "the encoding was left out, in whole or in part",
    "noise": "random numbers were added",
    "not an encoding": "no table of sines of positions at all; the fact says what it is",
    "not finite": "nan or infinity in it",
    "odd width": "the lone last column of an odd width was handled otherwise",
    "offset": "a constant was added to the numbers",
    "padding": "rows of padding are zero, or got an encoding, against the mask",
    "phase": "a constant was added to the angles",
    "positions": "other positions than 0, 1, 2, …",
    "precision": "angles were computed in too few bits",
    "product": "multiplied where it should be added, or by something that changes from place to place",
    "reshaped": "a reshape put the numbers in another order",
    "rounded": "results, angles, divisors or frequencies were rounded",
    "row order": "the right rows in another order",
    "rows": "single rows are missing, repeated, zero or those of another position",
    "scale": "all numbers are multiplied by the same number",
    "shape": "not two dimensions, or not L × d",
    "sign": "the sine, the cosine or the position has the other sign",
    "smoothed": "neighbouring rows were mixed",
    "standardised": "mean 0 and variance 1 over a column or the whole table",
    "sum": "embeddings plus encoding where the encoding alone was due",
    "swapped": "sine and cosine in each other's place",
    "transposed": "rows and columns exchanged",
    "twice": "the encoding was added twice",
    "uneven": "the angles of some pairs or columns follow another rule than those of the others",
}

RIGHT_TABLE = """\
L, d = {}, {}
angles = np.arange(L)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
pe = np.zeros((L, d))
pe[:, 0::2], pe[:, 1::2] = np.sin(angles), np.cos(angles[:, : d // 2])
"""


class Program(NamedTuple):
    """One program: what it does, and what a true diagnosis of its result says."""

    name: str
    kind: str
    does: str
    verdict: str  # right, variant or wrong
    must_say: tuple[str, ...]  # "cause" or "cause=fact", all of which a true answer names
    or_else: tuple[tuple[str, ...], ...]  # further sets of causes that give the same numbers
    may_be_open: bool
    code: str


def make(program: Program) -> tuple[np.ndarray, ...]:
    """Run a program and return its (matrix,), or (x, y) if it makes a sum."""
    names: dict[str, object] = {"np": np}
    with np.errstate(all="ignore"):
        exec(program.code, names)
    return tuple(np.asarray(names[name]) for name in (("matrix",) if "matrix" in names else ("x", "y")))


def causes(said: tuple[str, ...]) -> set[str]:
    """Return the causes alone, without their facts."""
    return {cause.partition("=")[0] for cause in said}


def _read(kind: str, text: str) -> list[Program]:
    """Read the programs of one kind from their text."""
    programs = []
    for block in text.split("\n--- ")[1:]:
        name, does, line, *code = block.rstrip().split("\n")
        verdict, _, rest = line.partition(":")
        first, *others = (part.strip() for part in rest.split(";"))
        alternatives = [tuple(part.removeprefix("or ").split(", ")) for part in others if part != "open"]
        for number, words in enumerate(code):
            if words.startswith("@ "):
                code[number] = RIGHT_TABLE.format(*words.split()[1:])
        said = tuple(first.split(", ")) if first else ()
        source = "\n".join(code) + "\n"
        programs.append(Program(name, kind, does, verdict, said, tuple(alternatives), "open" in others, source))
    return programs


EXPONENTS = r"""
--- column number for pair number, in two loops
The exponent is 2j/d with the column j, so the cosine of a pair turns slower than its sine.
wrong: exponent=2j/d
L, d = 20, 8
pe = np.zeros((L, d))
for pos in range(L):
    for i in range(d):
        angle = pos / 10000 ** (2 * i / d)
        pe[pos, i] = np.sin(angle) if i % 2 == 0 else np.cos(angle)
matrix = pe
--- column number for pair number, vectorised
The exponent is 2j/d with the column j.
wrong: exponent=2j/d
def get_angles(pos, k, d):
    return pos / np.power(10000, (2 * k) / np.float32(d))
rads = get_angles(np.arange(100)[:, np.newaxis], np.arange(64)[np.newaxis, :], 64)
rads[:, 0::2] = np.sin(rads[:, 0::2])
rads[:, 1::2] = np.cos(rads[:, 1::2])
matrix = rads.astype(np.float32)
--- step of two and a factor of two
i runs over 0, 2, 4, … and is doubled again: all exponents twice too large.
wrong: exponent=4i/d; or base=1e8
max_len, d_model = 60, 32
P = np.zeros((max_len, d_model))
for pos in range(max_len):
    for i in range(0, d_model, 2):
        P[pos, i] = np.sin(pos / (10000 ** ((2 * i) / d_model)))
        P[pos, i + 1] = np.cos(pos / (10000 ** ((2 * i) / d_model)))
matrix = P
--- step of two, factor of two and one more for the cosine
Even columns j have the exponent 2j/d, the cosine beside them 2(j+1)/d.
wrong: exponent=2j/d
max_len, d_model = 80, 512
P = np.zeros((max_len, d_model), np.float32)
for i in range(0, d_model, 2):
    pos = np.arange(max_len)
    P[:, i] = np.sin(pos / (10000 ** ((2 * i) / d_model)))
    P[:, i + 1] = np.cos(pos / (10000 ** ((2 * (i + 1)) / d_model)))
matrix = P
--- odd columns without minus one
Column j has the exponent j/d, odd columns too.
wrong: exponent=j/d
n, dim = 12, 6
table = [[(np.sin, np.cos)[j % 2](p / 10000 ** (j / dim)) for j in range(dim)] for p in range(n)]
matrix = np.array(table)
--- odd columns without minus one and base 1000
Column j has the exponent j/d, and the base is 1000.
wrong: exponent=j/d, base=1000
length, d = 128, 16
pos = np.arange(length).reshape(-1, 1)
PE = np.zeros((length, d))
PE[:, 0::2] = np.sin(pos / np.power(1000, np.arange(0, d, 2, dtype=np.float32) / d))
PE[:, 1::2] = np.cos(pos / np.power(1000, np.arange(1, d, 2, dtype=np.float32) / d))
matrix = PE
--- no factor of two
The exponent is i/d with the pair i, so all of it is half as large.
wrong: exponent=i/d; or base=100
T, C = 40, 10
t = np.arange(T)[:, None]
i = np.arange(C // 2)[None]
out = np.empty((T, C))
out[:, ::2] = np.sin(t / 10000 ** (i / C))
out[:, 1::2] = np.cos(t / 10000 ** (i / C))
matrix = out
--- half of the column number as exponent
The exponent is (j//2)/d for column j.
wrong: exponent=i/d; or base=100
matrix = np.zeros((300, 64), dtype=np.float32)
for col in range(64):
    f = np.sin if col % 2 == 0 else np.cos
    matrix[:, col] = f(np.arange(300) / 10000 ** ((col // 2) / 64))
--- not divided by the width
The exponent is 2i, not 2i/d.
wrong: exponent=2i; or base=1e24
L, d = 30, 6
rate = 1 / 10000.0 ** (2 * np.arange(d // 2))
a = np.outer(np.arange(L), rate)
matrix = np.stack([np.sin(a), np.cos(a)], axis=-1).reshape(L, d)
--- width minus one
The exponent is 2i/(d-1).
wrong: exponent=2i/(d-1); or base=10000**(d/(d-1))
L, d = 64, 12
i = np.arange(d // 2)
a = np.arange(L)[:, None] / 10000 ** (2 * i / (d - 1))
matrix = np.zeros((L, d))
matrix[:, 0::2] = np.sin(a)
matrix[:, 1::2] = np.cos(a)
--- width plus one
The exponent is 2i/(d+1).
wrong: exponent=2i/(d+1); or base=10000**(d/(d+1))
L, d = 33, 20
a = np.arange(L)[:, None] * np.exp(-np.log(1e4) * np.arange(0, d, 2) / (d + 1))
matrix = np.dstack((np.sin(a), np.cos(a))).reshape(L, d)
matrix = matrix.astype(np.float16)
--- half the width as width
The exponent is 2i/(d/2), twice too large.
wrong: exponent=4i/d; or base=1e8
seq_len, d_model = 25, 16
half = d_model // 2
i = np.arange(half)
angle = np.arange(seq_len)[:, None] * (1 / 10000 ** (2 * i / half))
matrix = np.zeros((seq_len, d_model))
matrix[:, 0::2], matrix[:, 1::2] = np.sin(angle), np.cos(angle)
matrix = matrix.astype(np.float32)
--- multiplied by the divisor
Positions are multiplied by 10000**(2i/d) in place of divided.
wrong: inverted; or base=1e-4
L, d = 50, 8
position = np.arange(L)[:, None]
div_term = 10000 ** (np.arange(0, d, 2) / d)
matrix = np.zeros((L, d))
matrix[:, 0::2] = np.sin(position * div_term)
matrix[:, 1::2] = np.cos(position * div_term)
--- divided by an inverse
Positions are divided by the term that is an inverse already.
wrong: inverted; or base=1e-4
L, d = 10, 6
position = np.arange(0, L)[:, None]
div_term = np.exp(np.arange(0, d, 2) * -(np.log(10000.0) / d))
pe = np.zeros((L, d))
pe[:, 0::2] = np.sin(position / div_term)
pe[:, 1::2] = np.cos(position / div_term)
matrix = pe
--- minus forgotten before the logarithm
exp(+2i ln(10000)/d): the frequencies grow from pair to pair.
wrong: inverted; or base=1e-4
L, d = 40, 32
w = np.exp(np.arange(0, d, 2) * (np.log(10000.0) / d))
a = np.arange(L)[:, None] * w[None]
matrix = np.zeros((L, d), np.float32)
matrix[:, 0::2] = np.sin(a)
matrix[:, 1::2] = np.cos(a)
--- pairs counted from one
The exponent is 2(i+1)/d: every frequency is that of the next pair.
wrong: exponent=2(i+1)/d; or angle scale=10000**(-2/d)
L, d = 48, 8
a = np.array([[p / 10000 ** (2 * i / d) for i in range(1, d // 2 + 1)] for p in range(L)])
matrix = np.zeros((L, d))
matrix[:, 0::2] = np.sin(a)
matrix[:, 1::2] = np.cos(a)
--- counted from one as in Julia
Positions and columns both count from 1 and the odd column number is doubled: exponents (4i+2)/d, positions 1, 2, …
wrong: exponent=(4i+2)/d, positions=from 1; or base=1e8, angle scale=10000**(-2/d), positions=from 1
d_model, seq_length = 10, 30
enc = np.zeros((d_model + 1, seq_length + 1), np.float32)
for pos in range(1, seq_length + 1):
    for i in range(1, d_model, 2):
        term = pos / 10000 ** (2 * i / d_model)
        enc[i, pos] = np.sin(term)
        enc[i + 1, pos] = np.cos(term)
matrix = enc[1:, 1:].T
--- counted from one as in MATLAB, columns alone
Columns are numbered 1, 2, 3, …, none taken off: exponent (2i+1)/d for the sine, (2i+2)/d for its cosine.
wrong: exponent=(j+1)/d
L, d = 36, 12
matrix = np.zeros((L, d))
for k in range(1, d + 1):
    w = 1 / 10000 ** (k / d)
    matrix[:, k - 1] = np.sin(np.arange(L) * w) if k % 2 == 1 else np.cos(np.arange(L) * w)
--- odd exponents for both
Sine and cosine of pair i both take (2i+1)/d.
wrong: exponent=(2i+1)/d; or angle scale=10000**(-1/d)
L, d = 70, 14
i = np.arange(d // 2)
a = np.arange(L)[:, None] / np.power(1e4, (2 * i + 1) / d)
matrix = np.stack((np.sin(a), np.cos(a)), 2).reshape(L, d)
--- floor division of twice the column
(2j)//d is 0 for the first half of the columns and 1 for the second.
wrong: integer division=2j//d; or frequencies=1 in the first half and 1e-4 in the second
L, d = 24, 8
matrix = np.zeros((L, d))
for p in range(L):
    for j in range(d):
        ang = p / 10000 ** (2 * j // d)
        matrix[p, j] = np.sin(ang) if j % 2 == 0 else np.cos(ang)
--- floor division of twice the pair
2i//d is 0 for every pair: all frequencies are 1.
wrong: integer division=2i//d; or frequencies=all 1; or base=1
L, d = 18, 16
matrix = np.zeros((L, d))
for i in range(d // 2):
    w = 1 / 10000 ** (2 * i // d)
    matrix[:, 2 * i] = np.sin(np.arange(L) * w)
    matrix[:, 2 * i + 1] = np.cos(np.arange(L) * w)
--- exponent cast to an integer
int(2i/d) is 0 for every pair, as in C with integers.
wrong: integer division=int(2i/d); or frequencies=all 1; or base=1
L, d = 100, 4
e = (np.arange(0, d, 2) / d).astype(int)
a = np.arange(L)[:, None] / 10000.0 ** e
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, -1).astype(np.float32)
--- floor division in the exponential
-ln(10000)/d//2 is floored to -1, so the frequencies are exp(-2i).
wrong: integer division=-log(10000)/d//2; or frequencies=exp(-2i); or base=exp(d)
L, d = 60, 16
div_term = np.exp(np.arange(0, d, 2) * (-np.log(10000.0) / d // 2))
pos = np.arange(L)[:, None]
matrix = np.zeros((L, d))
matrix[:, 0::2], matrix[:, 1::2] = np.sin(pos * div_term), np.cos(pos * div_term)
--- floor division of the position
The angle itself is floored: pos // divisor.
wrong: integer division=pos//divisor; or rounded=angles down to whole numbers
L, d = 90, 8
div = 10000 ** (np.arange(0, d, 2) / d)
a = np.arange(L)[:, None] // div
matrix = np.zeros((L, d))
matrix[:, 0::2] = np.sin(a)
matrix[:, 1::2] = np.cos(a)
--- floor division by rounded divisors
Integer positions // integer divisors: the angles are whole numbers.
wrong: integer division=pos//divisor; or rounded=angles down to whole numbers
n, k = 300, 6
div = np.power(10000, np.arange(0, k, 2) / k).astype(np.int64)
q = np.arange(n)[:, None] // div
matrix = np.stack([np.sin(q), np.cos(q)], -1).reshape(n, k).astype(np.float32)
--- divisors cast to integers
Divisors lose their fractions, the division is exact.
wrong: rounded=divisors down to whole numbers; or integer division=divisors
L, d = 50, 16
div = (10000 ** (np.arange(0, d, 2) / d)).astype(int)
a = np.arange(L)[:, None] / div
matrix = np.zeros((L, d))
matrix[:, 0::2] = np.sin(a)
matrix[:, 1::2] = np.cos(a)
--- frequencies cast to integers
All frequencies but the first become 0.
wrong: integer division=frequencies; or frequencies=0 but for the first pair; or rounded=frequencies down
L, d = 20, 6
w = (10000 ** (-np.arange(0, d, 2) / d)).astype(int)
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- cosine exponent doubled
Only the cosines are computed with d/2 in place of d.
wrong: exponent=4i/d for the cosine; or uneven=cosines have twice the exponent
L, d = 45, 12
pos, two_i = np.arange(L)[:, None], np.arange(0, d, 2)
matrix = np.empty((L, d))
matrix[:, 0::2] = np.sin(pos / 10000 ** (two_i / d))
matrix[:, 1::2] = np.cos(pos / 10000 ** (two_i / (d / 2)))
--- cosine of the next pair
The cosine uses the exponent 2(i+1)/d, the sine is right.
wrong: exponent=2(i+1)/d for the cosine; or uneven=cosines one pair further
S, D = 64, 8
matrix = np.zeros((S, D))
for s in range(S):
    for i in range(D // 2):
        matrix[s][2 * i] = np.sin(s / 10000 ** (2 * i / D))
        matrix[s][2 * i + 1] = np.cos(s / 10000 ** (2 * (i + 1) / D))
--- head width in the exponent
The table has 64 columns, the exponent divides by 512.
wrong: exponent=2i/512; or base=10000**(64/512)
L, d_model, d_head = 50, 512, 64
w = np.exp(-np.log(10000) * np.arange(0, d_head, 2) / d_model)
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d_head)
--- cut from a wider table
The first 16 columns of a table of 64.
wrong: exponent=2i/64; or base=10; or columns=the first 16 of 64
@ 40 64
matrix = pe[:, :16]
--- last columns of a wider table
The last 8 columns of a table of 32: the first frequency is 10000**(-24/32).
wrong: exponent=(2i+24)/32; or base=10, angle scale=0.001; or columns=the last 8 of 32
@ 100 32
matrix = pe[:, -8:]
--- power taken the wrong way round
(2i/d)**10000 in place of 10000**(2i/d): 0 for every pair, and the angle divides by one more.
wrong: exponent=(2i/d)**10000; or frequencies=all 1; or base=1
L, d = 15, 10
i = np.arange(d // 2)
a = np.arange(L)[:, None] / (1 + (2 * i / d) ** 10000)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- exponent to the power of 1e-4
(i/half)**1e-4 in place of 1e-4**(i/half): 0 for the first pair and almost 1 for the others.
wrong: frequencies=(i/half)**1e-4; or exponent; open
half, L = 8, 50
e = np.arange(half, dtype=np.float64) / half
a = np.arange(L)[:, None] * e ** 1e-4
matrix = np.zeros((L, 2 * half))
matrix[:, 0::2] = np.sin(a)
matrix[:, 1::2] = np.cos(a)
--- position to a power
The angle is (pos/10000)**(2i/d).
wrong: function=angle is (pos/10000)**(2i/d); or positions; open
L, d = 20, 8
pos = np.arange(L)[:, None]
a = (pos / 10000) ** (np.arange(0, d, 2) / d)
matrix = np.zeros((L, d))
matrix[:, 0::2] = np.sin(a)
matrix[:, 1::2] = np.cos(a)
--- position to a power and swapped
The angle is (pos/10000)**(2j/d), cosines in even columns.
wrong: function=angle is (pos/10000)**(2j/d), swapped; open
hidden, vocab = 10, 12
i = np.tile(np.arange(hidden), (vocab, 1)) * 2.0 / hidden
pos = np.tile(np.arange(vocab)[:, None], (1, hidden)) / 10000.0
m = np.power(pos, i)
m[:, 1::2] = np.sin(m[:, 1::2])
m[:, ::2] = np.cos(m[:, ::2])
matrix = m
--- divided outside of the sine
sin(pos)/10000**(2i/d): every pair has frequency 1 and shrinks.
wrong: frequencies=all 1, product=columns scaled by 10000**(-2i/d); or function=sin(pos)*w
L, d = 50, 16
pos = np.arange(L)[:, None]
div = 10000 ** (np.arange(0, d, 2) / d)
matrix = np.zeros((L, d))
matrix[:, 0::2] = np.sin(pos) / div
matrix[:, 1::2] = np.cos(pos) / div
--- frequency outside of the sine, halves
w*sin(pos) beside w*cos(pos).
wrong: frequencies=all 1, product=columns scaled by 10000**(-2i/d), layout=halves; or function=sin(pos)*w, layout=halves
L, d = 30, 8
w = 10000 ** (-np.arange(d // 2) * 2 / d)
p = np.arange(L)[:, None]
matrix = np.concatenate([np.sin(p) * w, np.cos(p) * w], axis=1)
--- sine of pos over base alone
sin(pos/10000) to the power 2i/d: the power stands outside of the sine.
wrong: function=sin(pos/10000)**(2i/d); open
L, d = 16, 6
pos = np.arange(L)[:, None]
e = np.arange(0, d, 2) / d
matrix = np.zeros((L, d))
matrix[:, 0::2] = np.sin(pos / 10000) ** e
matrix[:, 1::2] = np.cos(pos / 10000) ** e
--- no exponent at all
sin(pos/10000) and cos(pos/10000) in every pair.
wrong: frequencies=all 1e-4; or angle scale=1e-4, base=1
L, d = 50, 8
pos = np.arange(L)
matrix = np.zeros((L, d))
for j in range(d):
    matrix[:, j] = np.sin(pos / 10000) if j % 2 == 0 else np.cos(pos / 10000)
matrix = matrix.astype(np.float32)
--- star for double star
pos/10000*(2i/d): the angle grows linearly with the pair.
wrong: frequencies=2i/(10000 d)
L, d = 200, 12
pos = np.arange(L)[:, None]
a = pos / 10000 * (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- precedence of the power
10000**2*i/d is (10000**2)*i/d; the first pair divides by zero.
wrong: not finite
L, d = 10, 8
pos = np.arange(L)[:, None]
i = np.arange(d // 2)
a = pos / (10000 ** 2 * i / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- precedence of the power with a multiplication
pos/10000**2*i/d is pos*i/(1e8*d): all angles almost 0.
wrong: frequencies=i/(1e8 d); open
L, d = 40, 16
pos = np.arange(L)[:, None]
i = np.arange(d // 2)
a = pos / 10000 ** 2 * i / d
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- divided by the width outside of the exponential
exp(-2i ln 10000)/d in place of exp(-2i ln(10000)/d).
wrong: exponent=2i, angle scale=1/d; or base=10000**d, angle scale=1/d
L, d = 50, 4
div = np.exp(-np.arange(0, d, 2) * np.log(10000.0)) / d
a = np.arange(L)[:, None] * div
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- logarithm of base over width
exp(-2i ln(10000/d)): the division by d slipped under the logarithm.
wrong: base=(10000/d)**d; or frequencies=(10000/d)**(-2i); or exponent
L, d = 64, 4
w = np.exp(-np.arange(0, d, 2) * np.log(10000 / d))
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- divided by the logarithm
exp(-2i/(ln(10000) d)): the frequencies hardly differ.
wrong: base=exp(1/ln(10000)); or frequencies; or exponent
L, d = 80, 32
w = np.exp(-np.arange(0, d, 2) / np.log(10000.0) / d)
a = np.arange(L)[:, None] * w
matrix = np.zeros((L, d), np.float32)
matrix[:, ::2] = np.sin(a)
matrix[:, 1::2] = np.cos(a)
--- remainder for quotient
Pair number j % (d/2): interleaved functions with the frequencies of halves.
wrong: exponent=2(j%(d/2))/d; or column order; or uneven; or frequencies
L, d = 50, 12
matrix = np.zeros((L, d))
for j in range(d):
    w = 10000 ** (-2 * (j % (d // 2)) / d)
    matrix[:, j] = (np.cos if j % 2 else np.sin)(np.arange(L) * w)
--- frequencies tiled, not repeated
np.tile stands where np.repeat is due: columns j and j + d/2 share a frequency.
wrong: exponent=2(j%(d/2))/d; or column order; or uneven; or frequencies
d, L = 16, 64
w = np.tile(10000 ** (-np.arange(0, d, 2) / d), 2)
a = np.arange(L)[:, None] * w
matrix = np.where(np.arange(d) % 2 == 0, np.sin(a), np.cos(a))
--- first pair left out
The frequencies begin with 10000**(-2/d) and end with 10000**(-1).
wrong: exponent=2(i+1)/d; or angle scale=10000**(-2/d)
d, L = 24, 50
w = 1.0 / 10000 ** (np.linspace(0, 1, d // 2 + 1)[1:])
a = np.outer(np.arange(L), w)
matrix = np.zeros((L, d))
matrix[:, 0::2], matrix[:, 1::2] = np.sin(a), np.cos(a)
matrix = matrix.astype(np.float32)
--- squared exponent
The exponent is (2i/d)**2.
wrong: exponent=(2i/d)**2; or frequencies; open
L, d = 60, 20
a = np.arange(L)[:, None] / 10000 ** ((np.arange(0, d, 2) / d) ** 2)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- exponent with an extra pi
Angles are pi times too large.
wrong: angle scale=pi
L, d = 40, 16
a = np.pi * np.arange(L)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- wavelengths taken for divisors
Angles are 2 pi pos / 10000**(2i/d): the first pair stands still at (0, 1).
wrong: angle scale=2pi; or uneven=the first pair does not move, angle scale=2pi
L, d = 50, 16
wavelength = 10000 ** (np.arange(0, d, 2) / d)
a = 2 * np.pi * np.arange(L)[:, None] / wavelength
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
"""

BASES = r"""
--- common logarithm in the exponential
exp(-2i log10(10000)/d): the base is e**4.
wrong: base=54.59815
L, d = 50, 8
w = np.exp(np.arange(0, d, 2) * (-np.log10(10000.0) / d))
a = np.arange(L)[:, None] * w
matrix = np.zeros((L, d))
matrix[:, 0::2], matrix[:, 1::2] = np.sin(a), np.cos(a)
--- binary logarithm in the exponential
exp(-2i log2(10000)/d): the base is e**13.29.
wrong: base=589902
L, d = 40, 16
w = np.exp(-np.arange(0, d, 2) * np.log2(10000.0) / d)
a = np.arange(L)[:, None] * w
matrix = np.zeros((L, d))
matrix[:, 0::2], matrix[:, 1::2] = np.sin(a), np.cos(a)
--- natural logarithm under a power of ten
10**(-2i ln(10000)/d): the base is 10**9.21.
wrong: base=1.62308e9
L, d = 60, 10
exponent = (2 * (np.arange(d) // 2) / d) * np.log(10000)
angle = np.arange(L)[:, None] / np.power(10, exponent)
matrix = np.where(np.arange(d) % 2 == 0, np.sin(angle), np.cos(angle))
--- natural logarithm under a power of two
2**(-2i ln(10000)/d): the base is 2**9.21.
wrong: base=592.364
L, d = 30, 12
w = 2.0 ** (-np.arange(0, d, 2) / d * np.log(10000))
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d).astype(np.float32)
--- logarithm of one more
log1p(10000) in place of log(10000).
wrong: base=10001
L, d = 80, 16
w = np.exp(-np.arange(0, d, 2) * np.log1p(10000) / d)
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- caret for power
10 ^ 4 is 14 in Python.
wrong: base=14
L, d = 40, 8
n = 10 ^ 4
a = np.array([[k / n ** (2 * i / d) for i in range(d // 2)] for k in range(L)])
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
matrix = matrix.astype(np.float32)
--- base 1000
One zero of the base is missing.
wrong: base=1000
def getPositionEncoding(seq_len, d, n=1000):
    P = np.zeros((seq_len, d))
    for k in range(seq_len):
        for i in np.arange(int(d / 2)):
            denominator = np.power(n, 2 * i / d)
            P[k, 2 * i] = np.sin(k / denominator)
            P[k, 2 * i + 1] = np.cos(k / denominator)
    return P
matrix = getPositionEncoding(10, 32)
--- base 100, four columns
The base is 100 in the small worked example of many a blog.
wrong: base=100; or exponent=i/d
P = np.zeros((4, 4))
for k in range(4):
    for i in range(2):
        P[k, 2 * i] = np.sin(k / 100 ** (2 * i / 4))
        P[k, 2 * i + 1] = np.cos(k / 100 ** (2 * i / 4))
matrix = P
--- base 100000
One zero too many.
wrong: base=100000
L, d = 30, 64
divTerm = np.exp(np.arange(0, d, 2) * -(np.log(100000) / d))
p = np.arange(L)[:, np.newaxis]
matrix = np.zeros((L, d), np.float32)
matrix[:, 0::2] = np.sin(p * divTerm)
matrix[:, 1::2] = np.cos(p * divTerm)
--- base 500000
The base of a recent rotary model.
wrong: base=500000
L, d = 256, 128
inv_freq = 1.0 / (500000.0 ** (np.arange(0, d, 2).astype(np.float32) / d))
t = np.outer(np.arange(L, dtype=np.float32), inv_freq)
matrix = np.stack([np.sin(t), np.cos(t)], axis=-1).reshape(L, d)
--- maximal length as base
The length of the table is taken for the base.
wrong: base=60
max_len, d = 60, 20
a = np.arange(max_len)[:, None] / max_len ** (np.arange(0, d, 2) / d)
matrix = np.zeros((max_len, d))
matrix[:, 0::2] = np.sin(a)
matrix[:, 1::2] = np.cos(a)
--- buffer length as base
5000, the length of the buffer in the best-known tutorial, is taken for the base.
wrong: base=5000
max_len, d = 5000, 32
w = np.exp(np.arange(0, d, 2) * (-np.log(max_len) / d))
a = np.arange(max_len)[:80, None] * w
pe = np.zeros((80, d), np.float32)
pe[:, 0::2] = np.sin(a)
pe[:, 1::2] = np.cos(a)
matrix = pe
--- width as base
d_model is taken for the base too.
wrong: base=16
d_model = 16
pos = np.arange(40)[:, None]
a = pos / d_model ** (np.arange(0, d_model, 2) / d_model)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(40, d_model)
--- base two
Divisors are powers of two up to 2.
wrong: base=2
L, d = 32, 10
a = np.arange(L)[:, None] / 2.0 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- exponential without a base
exp(-2i/d): the base is e.
wrong: base=2.71828
L, d = 25, 6
w = np.exp(-np.arange(0, d, 2) / d)
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- base ten thousand squared
The base is 1e8.
wrong: base=1e8; or exponent=4i/d
L, d = 20, 12
a = np.arange(L)[:, None] / 1e8 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- powers of two as frequencies
Pair i turns with 2**-i.
wrong: base=256; or frequencies=2**-i
L, d = 64, 16
a = np.arange(L)[:, None] / 2 ** np.arange(d // 2)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
matrix = matrix.astype(np.float32)
--- powers of ten as frequencies
Pair i turns with 10**-i, whatever the width.
wrong: base=1e8; or frequencies=10**-i; or exponent
L, d = 30, 16
a = np.arange(L)[:, None] / 10.0 ** np.arange(d // 2)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- base 9999
One less than it should be.
wrong: base=9999
L, d = 120, 24
a = np.arange(L)[:, None] / 9999 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- base 1000 and positions from one
The base is 1000 and the first position is 1.
wrong: base=1000, positions=from 1
L, d = 50, 8
a = np.arange(1, L + 1)[:, None] / 1000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
matrix = matrix.astype(np.float16)
--- base 100 and halves
The base is 100; sines first, then cosines.
wrong: base=100, layout=halves; or exponent=i/d, layout=halves
L, d = 40, 12
a = np.arange(L)[:, None] / 100 ** (np.arange(0, d, 2) / d)
matrix = np.concatenate((np.sin(a), np.cos(a)), axis=1)
matrix = matrix.astype(np.float16)
--- base 100 and swapped
The base is 100 and the cosine comes first.
wrong: base=100, swapped; or exponent=i/d, swapped
L, d = 25, 10
a = np.arange(L)[:, None] / 100 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.cos(a), np.sin(a)], -1).reshape(L, d)
--- base of stretched contexts
The base is raised as for a context four times as long.
wrong: base=40890
L, d = 100, 128
base = 10000 * 4 ** (d / (d - 2))
a = np.arange(L)[:, None] / base ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- temperature of images
Base 20, as DETR's successors take for images.
wrong: base=20
L, d = 14, 24
dim_t = 20 ** (2 * (np.arange(d) // 2) / d)
p = np.arange(L)[:, None] / dim_t
matrix = np.stack((np.sin(p[:, 0::2]), np.cos(p[:, 1::2])), axis=2).reshape(L, d)
"""

FREQUENCIES = r"""
--- frequencies on a straight line
From 1 down to 1e-4 in equal steps in place of equal ratios.
wrong: frequencies=linear from 1 to 1e-4
L, d = 50, 16
w = np.linspace(1, 1e-4, d // 2)
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
matrix = matrix.astype(np.float32)
--- divisors on a straight line
Divisors from 1 to 10000 in equal steps.
wrong: frequencies=1/linear from 1 to 10000
L, d = 80, 12
a = np.arange(L)[:, None] / np.linspace(1, 10000, d // 2)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- harmonic frequencies
Pair i turns with 1/(i+1).
wrong: frequencies=1/(i+1)
L, d = 60, 20
a = np.arange(L)[:, None] / (np.arange(d // 2) + 1)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- whole frequencies
Pair i turns with i: above pi from the fourth pair on, where steps cannot show how often it went round.
wrong: frequencies=i; open
L, d = 50, 16
A = np.arange(L)[:, None] * np.arange(d // 2)
matrix = np.stack([np.sin(A), np.cos(A)], -1).reshape(L, d)
--- whole frequencies from one, halves
Pair i turns with i+1, sines first.
wrong: frequencies=i+1, layout=halves; open
L, d = 30, 12
A = np.outer(np.arange(L), np.arange(1, d // 2 + 1))
matrix = np.hstack([np.sin(A), np.cos(A)])
--- octaves of a coordinate in 0 to 1
sin and cos of 2**k pi x with x = pos/L, as for coordinates in space.
wrong: frequencies=2**k pi/L; or base=1/64, angle scale=pi/64; open
L, K = 64, 6
x = np.linspace(0, 1, L, endpoint=False)[:, None]
a = x * 2.0 ** np.arange(K) * np.pi
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, 2 * K)
--- octaves with the coordinate in front
x, sin(2**k x), cos(2**k x), …: a lone first column, then pairs that double.
wrong: frequencies=2**k, layout=the position itself in front; open
L, K = 40, 4
p = np.arange(L) / L
cols = [p]
for k in range(K):
    cols += [np.sin(2.0 ** k * p), np.cos(2.0 ** k * p)]
matrix = np.stack(cols, axis=1)
--- Gaussian Fourier features
Frequencies drawn from a normal distribution of width 16, times 2 pi: most of them above pi; in halves.
wrong: frequencies=random, layout=halves; or frequencies=random; open
r = np.random.default_rng(7)
L, d = 50, 16
B = 16 * r.normal(size=d // 2)
a = 2 * np.pi * np.arange(L)[:, None] * B
matrix = np.concatenate([np.sin(a), np.cos(a)], axis=-1)
--- random frequencies between 0 and 1
Frequencies drawn evenly.
wrong: frequencies=random
r = np.random.default_rng(1)
L, d = 100, 10
w = r.random(d // 2)
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
matrix = matrix.astype(np.float16)
--- random frequencies, sorted
Frequencies drawn evenly and put in falling order.
wrong: frequencies=random
w = np.sort(np.random.default_rng(2).random(32))[::-1]
a = np.arange(300)[:, None] * w
matrix = np.zeros((300, 64), np.float32)
matrix[:, 0::2], matrix[:, 1::2] = np.sin(a), np.cos(a)
--- frequencies shuffled
The right frequencies in another order, the same for sine and cosine.
wrong: frequencies=the right ones in another order; or column order=pairs
@ 60 16
order = np.random.default_rng(3).permutation(d // 2)
a = angles[:, order]
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- frequencies in rising order
The slowest pair comes first.
wrong: frequencies=the right ones backwards; or column order=pairs backwards; or base=1e-4, angle scale=10000**(-7/8)
@ 50 16
a = angles[:, ::-1]
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- geometric from endpoint to endpoint with another end
Frequencies from 1 to 1/1000 with both ends reached.
wrong: frequencies=1000**(-i/(d/2-1)); or base=1000**(d/(d-2)); or exponent=2i/(d-2), base=1000
L, d = 40, 10
w = np.geomspace(1, 1e-3, d // 2)
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- logspace without the endpoint taken off, base e
np.logspace counts in powers of ten: logspace(0, -ln 10000) ends at 10**-9.2.
wrong: base=10**(ln(10000)*d/(d-2)); or frequencies; or exponent
L, d = 35, 14
w = np.logspace(0, -np.log(10000), d // 2)
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- one frequency mistyped
Pair 2 turns with 0.02 in place of 0.01.
wrong: uneven=pair 2 turns with 0.02; or frequencies=pair 2
w = np.array([1, 0.1, 0.02, 0.001])
a = np.arange(50)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(50, 8)
--- last frequency zero
The last pair stands still at (0, 1).
wrong: uneven=the last pair does not move; or frequencies=0 for the last pair; or columns=last pair constant
L, d = 40, 12
w = 10000 ** (-np.arange(0, d, 2) / d)
w[-1] = 0
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- half of the pairs slowed down
The slow half of the frequencies is divided by eight, as for a longer context.
wrong: uneven=pairs from the middle on 8 times slower; or frequencies
L, d = 200, 32
w = 10000 ** (-np.arange(0, d, 2) / d)
w[d // 4 :] /= 8
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- frequencies squared
w**2 in place of w.
wrong: exponent=4i/d; or base=1e8
L, d = 28, 10
w = (1 / 10000 ** (np.arange(0, d, 2) / d)) ** 2
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d).astype(np.float16)
--- root of the frequencies
sqrt(w) in place of w.
wrong: exponent=i/d; or base=100
L, d = 32, 256
w = np.sqrt(10000 ** (-np.arange(0, d, 2) / d))
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- one minus the exponent
10000**(1 - 2i/d) as divisor: the order of the pairs is turned round and the fast end is missing.
wrong: frequencies=10000**(2i/d-1); or base=1e-4, angle scale=1e-4; or exponent=1-2i/d
L, d = 50, 16
a = np.arange(L)[:, None] / 10000 ** (1 - np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- random phases
Every pair starts at a random angle.
wrong: phase=random for each pair
@ 60 12
phi = np.random.default_rng(5).uniform(0, 2 * np.pi, d // 2)
matrix = np.stack([np.sin(angles + phi), np.cos(angles + phi)], -1).reshape(L, d)
--- random Fourier features with one cosine each
sqrt(2/d) cos(w pos + b) with random w and b: no pairs at all.
wrong: not an encoding=random Fourier features; or frequencies=random, phase=random; open
r = np.random.default_rng(11)
L, d = 40, 16
w, b = r.normal(size=d), r.uniform(0, 2 * np.pi, d)
matrix = np.sqrt(2 / d) * np.cos(np.arange(L)[:, None] * w + b)
--- a constant phase
0.5 is added to every angle.
wrong: phase=0.5
@ 50 10
matrix = np.stack([np.sin(angles + 0.5), np.cos(angles + 0.5)], -1).reshape(L, d)
matrix = matrix.astype(np.float32)
--- a phase that grows with the pair
i is added to the angles of pair i.
wrong: phase=i for pair i; or phase
@ 50 10
a = angles + np.arange(d // 2)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
"""

POSITIONS = r"""
--- positions from one
The first position is 1.
wrong: positions=from 1
L, d = 20, 8
a = np.array([[p / 10000 ** (2 * i / d) for i in range(d // 2)] for p in range(1, L + 1)])
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions from two
The first position is 2, one more than the number of the padding.
wrong: positions=from 2
padding_idx, L, d = 1, 64, 32
p = np.arange(padding_idx + 1, padding_idx + 1 + L)
a = p[:, None] * np.exp(-np.arange(0, d, 2) * np.log(1e4) / d)
matrix = np.zeros((L, d), np.float32)
matrix[:, 0::2], matrix[:, 1::2] = np.sin(a), np.cos(a)
matrix = matrix.astype(np.float16)
--- positions from minus one
The first position is -1.
wrong: positions=from -1
L, d = 30, 10
a = (np.arange(L)[:, None] - 1) / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
matrix = matrix.astype(np.float32)
--- positions from a hundred
A window of a longer text: positions 100, 101, ….
wrong: positions=from 100
L, d = 16, 12
a = np.arange(100, 100 + L)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions from one, odd width
The first position is 1, the width 7.
wrong: positions=from 1
L, d = 12, 7
f = lambda p, j: (np.cos if j % 2 else np.sin)(p / 10000 ** (2 * (j // 2) / d))
matrix = np.array([[f(p, j) for j in range(d)] for p in range(1, L + 1)])
--- divided by the length
Positions 0, 1/L, 2/L, …
wrong: positions=divided by 50; or angle scale=1/50
L, d = 50, 16
p = np.arange(L)[:, None] / L
a = p / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- from zero to one
Positions evenly from 0 to 1, both included.
wrong: positions=divided by 39; or angle scale=1/39
L, d = 40, 8
p = np.linspace(0, 1, L)[:, None]
a = p * 10000 ** (-np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- from minus one to one
Positions evenly from -1 to 1.
wrong: positions=from -1 in steps of 2/31
L, d = 32, 12
p = np.linspace(-1, 1, L)[:, None]
a = p * 10000 ** (-np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- from zero to the length in as many steps
np.linspace(0, L, L) counts in steps of L/(L-1).
wrong: positions=in steps of 50/49; or angle scale=50/49
L, d = 50, 16
p = np.linspace(0, L, L)[:, None]
a = p * 10000 ** (-np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- from zero to two pi
Positions are spread over one turn, as DETR does with normalised coordinates.
wrong: positions=times 2 pi/24; or angle scale=2 pi/24
L, d = 24, 16
p = np.arange(L) / L * 2 * np.pi
a = p[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- time in thousandths
Time steps 0 to 1 multiplied by 1000.
wrong: positions=in steps of 1000/99; or angle scale=1000/99; open
T, d = 100, 16
t = np.linspace(0, 1, T) * 1000
a = t[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(T, d)
--- half steps
Positions 0, 0.5, 1, …: interpolated to twice the length.
wrong: positions=in steps of 0.5; or angle scale=0.5
L, d = 80, 32
a = (np.arange(L) / 2)[:, None] * 10000 ** (-np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d).astype(np.float32)
--- every second row
Positions 0, 2, 4, …
wrong: positions=in steps of 2; or angle scale=2
@ 100 16
matrix = pe[::2]
matrix = matrix.astype(np.float32)
--- every second row of two columns
Positions 0, 2, 4, … with a single pair.
wrong: positions=in steps of 2; or angle scale=2; or frequencies=2
@ 100 2
matrix = pe[::2]
--- every third row from the second on
Positions 1, 4, 7, …
wrong: positions=from 1 in steps of 3
@ 90 12
matrix = pe[1::3]
--- every tenth position
Positions 0, 10, 20, …: the first pair turns by more than pi between rows.
wrong: positions=in steps of 10; or angle scale=10; open
L, d = 30, 16
p = np.arange(0, 10 * L, 10)[:, None]
a = p / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- negative positions
Positions 0, -1, -2, …: all sines have the other sign.
wrong: positions=0 -1 -2 …; or sign=sines; or angle scale=-1
L, d = 40, 10
a = -np.arange(L)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions counted down
Positions L-1, …, 1, 0.
wrong: row order=backwards; or positions=backwards
L, d = 30, 8
a = np.arange(L - 1, -1, -1)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions counted down to one
Positions L, …, 2, 1.
wrong: row order=backwards, positions=from 1; or positions=25 24 … 1
L, d = 25, 12
a = np.arange(L, 0, -1)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions about the middle
Positions -12, …, 0, …, 12.
wrong: positions=from -12
L, d = 25, 16
p = np.arange(L) - L // 2
a = p[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions about a half
Positions -9.5, …, 9.5: the mean was subtracted.
wrong: positions=from -9.5
p = np.arange(20.0)
p -= p.mean()
a = p[:, None] / 10000 ** (np.arange(0, 8, 2) / 8)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(20, 8)
--- middles of patches
Positions 0.5, 1.5, 2.5, …
wrong: positions=from 0.5; or phase
L, d = 14, 16
a = (np.arange(L) + 0.5)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions in eight bits
Positions in int8 wrap at 128 to -128.
wrong: positions=wrap at 128 to -128; or rows=from 128 on those of -128 -127 …
L, d = 200, 16
p = np.arange(L).astype(np.int8)
a = p[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions in a byte
Positions in uint8 start again at 256.
wrong: positions=start again at 256; or rows=from 256 on those of 0 1 2 …
L, d = 300, 8
p = np.arange(L).astype(np.uint8)
a = p[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- the same position for all
One position, the length, is taken for every row.
wrong: positions=all 30; or rows=all those of position 30
L, d = 30, 16
a = np.full((L, 1), L) / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- loop variable not used
Every row is that of position 0.
wrong: positions=all 0; or rows=all those of position 0
L, d, pos = 12, 8, 0
pe = np.zeros((L, d))
for row in range(L):
    for i in range(0, d, 2):
        pe[row, i] = np.sin(pos / 10000 ** (i / d))
        pe[row, i + 1] = np.cos(pos / 10000 ** (i / d))
matrix = pe
--- last row for all
The assignment inside the loop goes to all rows, so the last position stays.
wrong: positions=all 14; or rows=all those of position 14
L, d = 15, 6
pe = np.zeros((L, d))
for pos in range(L):
    pe[:, 0::2] = np.sin(pos / 10000 ** (np.arange(0, d, 2) / d))
    pe[:, 1::2] = np.cos(pos / 10000 ** (np.arange(0, d, 2) / d))
matrix = pe
--- logarithm of the position
ln(1 + pos) in place of pos.
wrong: positions=ln(1+pos); open
L, d = 60, 12
p = np.log1p(np.arange(L))[:, None]
a = p / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- root of the position
sqrt(pos) in place of pos.
wrong: positions=sqrt(pos); open
L, d = 50, 16
a = np.sqrt(np.arange(L))[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- position squared
pos**2 in place of pos.
wrong: positions=pos**2; open
L, d = 20, 16
a = np.arange(L)[:, None] ** 2 / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- each position twice
pos // 2 in place of pos: positions 0, 0, 1, 1, …
wrong: positions=0 0 1 1 …; or integer division=pos//2; or rows=each twice
L, d = 40, 8
a = (np.arange(L) // 2)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions start again
Positions 0 to 9 over and over.
wrong: positions=start again every 10 rows; or rows=those of 0 to 9 over and over
L, d = 35, 12
a = (np.arange(L) % 10)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- second sentence starts again
Two sentences of 18 and 12 tokens packed in one table, each from position 0.
wrong: positions=start again at row 18; or rows=from 18 on those of 0 1 2 …
p = np.concatenate([np.arange(18), np.arange(12)])
a = p[:, None] / 10000 ** (np.arange(0, 16, 2) / 16)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(30, 16)
matrix = matrix.astype(np.float32)
--- positions capped
min(pos, 16) as in clipped relative positions.
wrong: positions=not beyond 16; or rows=from 16 on all those of 16
L, d = 40, 8
a = np.minimum(np.arange(L), 16)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- random positions in order
Positions drawn from 0 to 199 without repeats and sorted, as in randomised encodings.
wrong: positions=others; or rows=those of other positions; open
r = np.random.default_rng(4)
p = np.sort(r.choice(200, 40, replace=False))
a = p[:, None] / 10000 ** (np.arange(0, 16, 2) / 16)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(40, 16)
--- random real positions
Positions drawn evenly between 0 and 50.
wrong: positions=others; open
p = np.random.default_rng(6).uniform(0, 50, 30)
a = p[:, None] / 10000 ** (np.arange(0, 12, 2) / 12)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(30, 12)
--- positions jitter
A little noise of 0.1 on every position.
wrong: positions=with noise of 0.1; or noise=on positions; open
p = np.arange(50) + np.random.default_rng(8).normal(0, 0.1, 50)
a = p[:, None] / 10000 ** (np.arange(0, 16, 2) / 16)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(50, 16)
--- positions are token numbers
The numbers of the words in a vocabulary are taken for positions.
wrong: positions=others; or rows=those of other positions; open
tokens = np.array([101, 7592, 2088, 2003, 1037, 3231, 102, 0, 0, 0])
a = tokens[:, None] / 10000 ** (np.arange(0, 8, 2) / 8)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(10, 8)
--- positions times the width
pos * d in place of pos.
wrong: positions=in steps of 8; or angle scale=8; open
L, d = 30, 8
a = np.arange(0, L * d, d)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions on rows of a batch
Row number // 5, as if five sentences were laid one after another.
wrong: positions=each 5 times; or integer division=pos//5; or rows=each 5 times
S, d = 40, 6
a = np.array([[(s // 5) / 10000 ** (i / d) for i in range(0, d, 2)] for s in range(S)])
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(S, d)
--- positions from one and a factor of two
Two mistakes: the first position is 1, and i is doubled twice.
wrong: positions=from 1, exponent=4i/d; or positions=from 1, base=1e8
L, d = 20, 8
matrix = np.zeros((L, d))
for p in range(1, L + 1):
    for i in range(0, d, 2):
        matrix[p - 1, i] = np.sin(p / 10000 ** (2 * i / d))
        matrix[p - 1, i + 1] = np.cos(p / 10000 ** (2 * i / d))
--- positions from one and column number for pair number
Two mistakes: the first position is 1, the exponent is 2j/d.
wrong: positions=from 1, exponent=2j/d
L, d = 60, 12
j = np.arange(d)
a = np.arange(1, L + 1)[:, None] / 10000 ** (2 * j / d)
matrix = np.where(j % 2, np.cos(a), np.sin(a))
--- divided by the length and swapped
Two mistakes: positions pos/L, and cosines first.
wrong: positions=divided by 64, swapped; or angle scale=1/64, swapped
L, d = 64, 16
a = np.arange(L)[:, None] / L * 10000 ** (-np.arange(0, d, 2) / d)
matrix = np.stack([np.cos(a), np.sin(a)], -1).reshape(L, d)
--- degrees
np.deg2rad is put around the angle: the sine takes degrees.
wrong: angle scale=pi/180 (degrees)
L, d = 90, 8
a = np.deg2rad(np.arange(L)[:, None] / 10000 ** (np.arange(0, d, 2) / d))
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
matrix = matrix.astype(np.float32)
--- degrees, halves
The sine takes degrees, sines first, then cosines.
wrong: angle scale=pi/180 (degrees), layout=halves
L, d = 300, 32
a = np.arange(L)[:, None] * np.pi / 180 * 10000 ** (-np.arange(0, d, 2) / d)
matrix = np.hstack([np.sin(a), np.cos(a)])
--- degrees the other way
np.rad2deg: angles are 57.3 times too large.
wrong: angle scale=180/pi (degrees); open
L, d = 50, 16
a = np.rad2deg(np.arange(L)[:, None] * 10000 ** (-np.arange(0, d, 2) / d))
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- degrees with a short pi
pos*3.14/180.
wrong: angle scale=3.14/180 (degrees)
L, d = 40, 12
a = np.arange(L)[:, None] * 3.14 / 180 / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- wrapped by a short pi
Angles are taken modulo 6.28 before the sine.
wrong: function=angle modulo 6.28; or positions; open
@ 60 8
a = angles % 6.28
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
"""

FUNCTIONS = r"""
--- sine and cosine swapped
Cosines in even columns, sines in odd ones.
wrong: swapped
L, d = 20, 8
pe = np.zeros((L, d))
a = np.arange(L)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
pe[:, 1::2] = np.sin(a)
pe[:, 0::2] = np.cos(a)
matrix = pe
--- swapped by the test for odd
Sine if the remainder is true.
wrong: swapped
angle = lambda p, j: p / 1e4 ** (j // 2 * 2 / 10)
matrix = np.array([[np.sin(angle(p, j)) if j % 2 else np.cos(angle(p, j)) for j in range(10)] for p in range(64)])
--- swapped, odd width
Cosines first, five columns.
wrong: swapped
f = lambda p, j: (np.sin if j % 2 else np.cos)(p / 10000 ** ((j - j % 2) / 5))
matrix = np.array([[f(p, j) for j in range(5)] for p in range(30)], dtype=np.float32)
--- swapped and from one
Cosines first and positions from 1.
wrong: swapped, positions=from 1
L, d = 40, 16
a = np.arange(1, L + 1)[:, None] * 10000 ** (-np.arange(0, d, 2) / d)
matrix = np.stack([np.cos(a), np.sin(a)], -1).reshape(L, d)
matrix = matrix.astype(np.float16)
--- swapped and column number for pair number
Cosines first, exponent 2j/d.
wrong: swapped, exponent=2j/d
m = np.arange(50)[:, None] / np.power(10000, 2 * np.arange(12)[None] / 12)
m[:, 1::2], m[:, ::2] = np.sin(m[:, 1::2]), np.cos(m[:, ::2])
matrix = m
--- sine for both
Odd columns hold a sine too.
wrong: function=sine in odd columns; or columns=odd ones repeat the even ones
@ 30 8
matrix = np.repeat(np.sin(angles), 2, axis=1)
--- cosine for both
Even columns hold a cosine too.
wrong: function=cosine in even columns; or columns=even ones repeat the odd ones
@ 40 16
pe[:, 0::2] = np.cos(angles)
matrix = pe
--- sine for every column with its own exponent
No cosine at all: sin(pos/10000**(j/d)).
wrong: function=sine in odd columns, exponent=j/d; or layout=sines alone of a table of width 20
L, d = 30, 10
matrix = np.sin(np.arange(L)[:, None] / 10000 ** (np.arange(d) / d))
--- cosine forgotten
The line for the cosine is missing: odd columns are zero.
wrong: columns=odd ones zero; or missing=cosines
L, d = 50, 16
pe = np.zeros((L, d))
pos = np.arange(L)[:, None]
pe[:, 0::2] = np.sin(pos / 10000 ** (np.arange(0, d, 2) / d))
matrix = pe
matrix = matrix.astype(np.float16)
--- cosine left as angle
The cosine is never taken: odd columns hold the angles.
wrong: function=odd columns hold the angles themselves
L, d = 12, 8
a = np.arange(L)[:, None] / np.power(10000, 2 * (np.arange(d) // 2) / d)
a[:, 0::2] = np.sin(a[:, 0::2])
matrix = a
--- neither sine nor cosine
The angles themselves.
wrong: function=none: the angles themselves; or not an encoding=angles
L, d = 25, 6
matrix = np.arange(L)[:, None] / 10000 ** (2 * (np.arange(d) // 2) / d)
--- cosine of the sine
First the sine of everything, then the cosine of odd columns of that.
wrong: function=cos(sin) in odd columns; open
L, d = 40, 8
a = np.arange(L)[:, None] / 10000 ** (2 * (np.arange(d) // 2) / d)
a = np.sin(a)
a[:, 1::2] = np.cos(a[:, 1::2])
matrix = a
--- sine of the sine
The sine is taken of even columns twice.
wrong: function=sin(sin) in even columns; open
@ 40 12
pe[:, 0::2] = np.sin(pe[:, 0::2])
matrix = pe
--- function chosen by the position
Even positions get sines, odd positions cosines, over all columns.
wrong: function=chosen by the parity of the position; open
L, d = 20, 8
matrix = np.zeros((L, d))
for pos in range(L):
    for i in range(d):
        a = pos / 10000 ** (2 * (i // 2) / d)
        matrix[pos, i] = np.sin(a) if pos % 2 == 0 else np.cos(a)
--- function chosen by the pair
Even pairs get two sines, odd pairs two cosines.
wrong: function=chosen by the parity of the pair; or layout; open
L, d = 40, 8
a = np.repeat(np.arange(L)[:, None] / 10000 ** (np.arange(0, d, 2) / d), 2, axis=1)
matrix = np.where(np.arange(d) // 2 % 2 == 0, np.sin(a), np.cos(a))
--- absolute values
|sin| and |cos|.
wrong: function=absolute values
@ 50 10
matrix = np.abs(pe)
matrix = matrix.astype(np.float16)
--- squares
sin**2 and cos**2.
wrong: function=squares
@ 40 12
matrix = pe ** 2
--- cosine from a root
cos is computed as sqrt(1 - sin**2) and loses its sign.
wrong: function=absolute value of the cosine
@ 60 8
s = np.sin(angles)
matrix = np.stack([s, np.sqrt(1 - s**2)], -1).reshape(L, d)
--- tangent for sine
np.tan in even columns.
wrong: function=tangent in even columns
@ 30 8
pe[:, 0::2] = np.tan(angles)
matrix = pe
--- sinc for sine
np.sinc in even columns: sin(pi x)/(pi x).
wrong: function=sinc in even columns; open
@ 30 8
pe[:, 0::2] = np.sinc(angles)
matrix = pe
--- hyperbolic
tanh in even columns, 1/cosh in odd ones.
wrong: function=hyperbolic; open
@ 20 8
matrix = np.stack([np.tanh(angles), 1 / np.cosh(angles)], -1).reshape(L, d)
--- square waves
The sign of sine and cosine.
wrong: function=signs alone; or rounded=to -1 0 1
@ 50 12
matrix = np.sign(pe)
--- triangle waves
Straight lines up and down in place of sine and cosine, with the same period.
wrong: function=triangle waves; open
@ 50 8
tri = lambda x: 2 / np.pi * np.arcsin(np.sin(x))
matrix = np.stack([tri(angles), tri(angles + np.pi / 2)], -1).reshape(L, d)
--- first terms of the series
sin x by x - x**3/6, cos x by 1 - x**2/2: good for small angles alone.
wrong: function=first terms of the series; open
@ 6 8
matrix = np.stack([angles - angles**3 / 6, 1 - angles**2 / 2], -1).reshape(L, d)
--- minus the sine
The sines have the other sign.
wrong: sign=sines; or positions=0 -1 -2 …; or angle scale=-1
@ 40 16
pe[:, 0::2] *= -1
matrix = pe
--- minus the cosine
cos is written as sin(a - pi/2).
wrong: sign=cosines
@ 40 8
matrix = np.stack([np.sin(angles), np.sin(angles - np.pi / 2)], -1).reshape(L, d)
matrix = matrix.astype(np.float32)
--- all negated
The whole table has the other sign.
wrong: sign=all; or scale=-1
@ 25 6
matrix = -pe
--- conjugate
Real and imaginary part of exp(-i a): cosine first, then minus sine.
wrong: swapped, sign=sines; or swapped, positions=0 -1 -2 …; or swapped, angle scale=-1; or phase=pi/2
@ 32 12
z = np.exp(-1j * angles)
matrix = np.stack([z.real, z.imag], -1).reshape(L, d)
--- derivative
cos and -sin: the derivative of the right table but for its frequency.
wrong: swapped, sign=sines; or swapped, positions=0 -1 -2 …; or swapped, angle scale=-1; or phase=pi/2
@ 50 10
matrix = np.empty((L, d))
matrix[:, 0::2], matrix[:, 1::2] = np.cos(angles), -np.sin(angles)
--- a quarter turn the wrong way
sin and sin(a + pi/4).
wrong: phase=pi/4 in place of pi/2 for the cosine; or function=sin(a+pi/4) in odd columns
@ 40 8
matrix = np.stack([np.sin(angles), np.sin(angles + np.pi / 4)], -1).reshape(L, d)
--- quarter turn added outside of the sine
sin(a) + pi/2 in place of sin(a + pi/2).
wrong: function=sin(a)+pi/2 in odd columns; or columns=odd ones sine + pi/2; or offset=pi/2 in odd columns
@ 40 8
matrix = np.stack([np.sin(angles), np.sin(angles) + np.pi / 2], -1).reshape(L, d)
--- sum of sine and cosine
Every column of a pair holds sin + cos.
wrong: function=sin+cos
@ 30 12
matrix = np.repeat(np.sin(angles) + np.cos(angles), 2, axis=1)
--- only the fast half
Sines of all pairs, then zeros: half of the columns never written.
wrong: layout=halves, columns=second half zero; or layout=halves, missing=cosines
@ 40 16
matrix = np.zeros((L, d))
matrix[:, : d // 2] = np.sin(angles)
--- sine of pos times w as one number for all columns
Every column holds sin(pos).
wrong: function=sine in odd columns, frequencies=all 1; or columns=all the same
matrix = np.tile(np.sin(np.arange(30))[:, None], (1, 8))
"""

LAYOUT = r"""
--- concatenated along the rows
np.concatenate without an axis: L rows of sines above L rows of cosines, half as wide.
wrong: layout=cosines below the sines
@ 20 16
matrix = np.concatenate([np.sin(angles), np.cos(angles)])
--- stacked on top of each other
np.vstack: sines above, cosines below.
wrong: layout=cosines below the sines
@ 50 32
matrix = np.vstack((np.sin(angles), np.cos(angles))).astype(np.float32)
--- square by concatenating
Sines above cosines, and the size happens to be square.
wrong: layout=cosines below the sines
@ 8 32
matrix = np.concatenate((np.sin(angles), np.cos(angles)), axis=0)
--- stacked in front and reshaped
np.stack without an axis, then reshape: rows of sines two by two, then rows of cosines.
wrong: layout=cosines below the sines, reshaped; or reshaped
@ 20 8
matrix = np.stack([np.sin(angles), np.cos(angles)]).reshape(L, d)
--- alternating rows
Sines in even rows, cosines in odd rows, half as wide.
wrong: layout=cosines in rows below their sines; or reshaped
@ 15 12
matrix = np.stack([np.sin(angles), np.cos(angles)], axis=1).reshape(2 * L, d // 2)
--- reshape for transpose
The table is d × L by reshape.
wrong: reshaped
@ 50 16
matrix = pe.reshape(d, L)
matrix = matrix.astype(np.float32)
--- reshape of a transposed table
Filled as d × L, then reshaped to L × d.
wrong: reshaped
@ 24 8
matrix = pe.T.reshape(L, d)
--- column order in memory
reshape with order F.
wrong: reshaped
@ 30 12
matrix = pe.ravel().reshape(L, d, order="F")
--- transposed
d × L.
wrong: transposed
@ 50 16
matrix = pe.T
--- transposed square
d × d, transposed.
wrong: transposed
@ 16 16
matrix = pe.T.copy()
--- filled as columns of positions
Each column is one position, as Julia's arrays have it, positions from 1.
wrong: transposed, positions=from 1
d, n = 12, 40
m = np.zeros((d, n), np.float32)
for p in range(1, n + 1):
    for i in range(0, d, 2):
        m[i, p - 1], m[i + 1, p - 1] = np.sin(p / 1e4 ** (i / d)), np.cos(p / 1e4 ** (i / d))
matrix = m
--- transposed halves
d × L with sines above and cosines below.
wrong: transposed, layout=halves
@ 40 8
matrix = np.concatenate([np.sin(angles), np.cos(angles)], axis=1).T
--- position and column exchanged
The formula takes the column for the position and the row for the pair.
wrong: exchanged; or transposed
L, d = 20, 8
matrix = np.zeros((L, d))
for i in range(L):
    for pos in range(d):
        a = pos / 10000 ** (2 * (i // 2) / L)
        matrix[i, pos] = np.sin(a) if i % 2 == 0 else np.cos(a)
--- position and column exchanged in the angle alone
Angle j/10000**(2(pos//2)/d), functions by column.
wrong: exchanged=in the angle alone; open
L, d = 12, 6
j, pos = np.arange(d), np.arange(L)[:, None]
a = j / 10000.0 ** (2 * (pos // 2) / d)
matrix = np.where(j % 2 == 0, np.sin(a), np.cos(a))
--- halves with the exponent of the columns
First half sines, second half cosines, each of its own column with the exponent 2(j//2)/d.
wrong: layout=halves, exponent=2(j//2)/d with the column of the halves; or layout; open
L, d = 50, 16
a = np.arange(L)[:, None] / np.power(10000, 2 * (np.arange(d) // 2) / d)
a[:, : d // 2] = np.sin(a[:, : d // 2])
a[:, d // 2 :] = np.cos(a[:, d // 2 :])
matrix = a
--- halves with doubled columns
First half sines, second half cosines, with the exponent 2j/d of the column.
wrong: layout=halves, exponent=2j/d with the column of the halves; or layout=halves, uneven; open
L, d = 40, 12
a = np.arange(L)[:, None] / 10000 ** (2 * np.arange(d) / np.float32(d))
a[:, : d // 2] = np.sin(a[:, : d // 2])
a[:, d // 2 :] = np.cos(a[:, d // 2 :])
matrix = a
--- halves from column numbers for pair numbers
Sines of even columns, cosines of odd ones, exponent 2j/d, then laid side by side.
wrong: layout=halves, exponent=2j/d
L, d = 60, 16
a = np.arange(L)[:, None] / 10000 ** (2 * np.arange(d) / d)
matrix = np.concatenate([np.sin(a[:, 0::2]), np.cos(a[:, 1::2])], axis=-1)
matrix = matrix.astype(np.float32)
--- two sines then two cosines
Columns sin0 sin1 cos0 cos1 sin2 sin3 cos2 cos3.
wrong: layout=blocks of two; or column order
@ 50 8
s, c = np.sin(angles), np.cos(angles)
matrix = np.concatenate([s[:, :2], c[:, :2], s[:, 2:], c[:, 2:]], axis=1)
matrix = matrix.astype(np.float32)
--- cosines backwards
All sines, then all cosines in the other order.
wrong: layout=halves with the cosines backwards; or column order
@ 30 12
matrix = np.hstack([np.sin(angles), np.cos(angles)[:, ::-1]])
--- flipped upside down
np.flipud.
wrong: row order=backwards; or positions=backwards
@ 40 16
matrix = np.flipud(pe)
matrix = matrix.astype(np.float16)
--- flipped left to right
np.fliplr: slowest pair first, and in it the cosine first.
wrong: column order=backwards
@ 40 16
matrix = np.fliplr(pe)
--- flipped in both directions
np.flip without an axis.
wrong: row order=backwards, column order=backwards
@ 25 10
matrix = np.flip(pe)
--- turned by a quarter
np.rot90.
wrong: transposed, column order=backwards; or transposed, row order=backwards after it
@ 30 8
matrix = np.rot90(pe)
--- columns rolled by one
The last column comes first.
wrong: column order=rolled by 1
@ 50 8
matrix = np.roll(pe, 1, axis=1)
matrix = matrix.astype(np.float16)
--- columns rolled by a pair
The last pair comes first.
wrong: column order=rolled by 2
@ 50 8
matrix = np.roll(pe, 2, axis=1)
--- columns shuffled
All columns in random order.
wrong: column order=random
@ 60 12
matrix = pe[:, np.random.default_rng(9).permutation(d)]
--- two columns swapped
Columns 2 and 5 in each other's place.
wrong: column order=2 and 5 swapped; or columns=2 and 5
@ 40 8
matrix = pe.copy()
matrix[:, [2, 5]] = matrix[:, [5, 2]]
--- one pair swapped
Sine and cosine of pair 1 in each other's place.
wrong: column order=2 and 3 swapped; or swapped=in pair 1; or columns=2 and 3
@ 30 10
matrix = pe.copy()
matrix[:, [2, 3]] = pe[:, [3, 2]]
--- everything shuffled
All numbers of the table in random order.
wrong: not an encoding=numbers in random order; or reshaped; or row order=random, column order=random; open
@ 20 8
matrix = np.random.default_rng(10).permutation(pe.ravel()).reshape(L, d)
--- two tables side by side
The same table twice, half as wide each.
wrong: layout=the same table twice; or columns=second half repeats the first
@ 40 8
matrix = np.hstack([pe, pe])
--- grid of an image
Half of the columns encode the row of a 6 × 6 grid, half its column.
wrong: not an encoding=two dimensions; or layout=two dimensions; or positions=two; open
g, d = 6, 16
def one(p, d):
    a = p[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return np.concatenate([np.sin(a), np.cos(a)], axis=1)
y, x = np.divmod(np.arange(g * g), g)
matrix = np.concatenate([one(x, d // 2), one(y, d // 2)], axis=1)
--- grid of an image, interleaved
The columns of x, then those of y, each sin cos sin cos.
wrong: not an encoding=two dimensions; or layout=two dimensions; or positions=two; open
@ 5 8
y, x = np.divmod(np.arange(25), 5)
matrix = np.hstack([pe[x], pe[y]])
--- grid by adding
Encoding of the row plus encoding of the column.
wrong: not an encoding=two dimensions; or sum; open
@ 7 12
y, x = np.divmod(np.arange(49), 7)
matrix = pe[x] + pe[y]
--- batch laid end to end
Three copies of the table, one below the other.
wrong: positions=start again every 20 rows; or rows=those of 0 to 19 over and over; or layout=three tables
@ 20 16
matrix = np.tile(pe, (3, 1))
--- batch of one
Shape (1, L, d), as layers keep it.
wrong: shape=1 × 20 × 8; or alias
@ 20 8
matrix = pe[np.newaxis]
--- sequence first
Shape (L, 1, d), as PyTorch's tutorial keeps it.
wrong: shape=30 × 1 × 6; or alias
@ 30 6
matrix = pe[:, None, :].astype(np.float32)
--- flat
One long row of numbers.
wrong: shape=flat
@ 10 6
matrix = pe.ravel()
"""

ROWS = r"""
--- one row missing
Row 20 was deleted.
wrong: rows=20 missing; or positions=20 left out
@ 51 64
matrix = np.delete(pe, 20, axis=0)
matrix = matrix.astype(np.float32)
--- first row missing
The table begins with position 1, the first row was cut off.
wrong: positions=from 1; or rows=0 missing
@ 41 16
matrix = pe[1:]
--- one row repeated
Row 10 stands twice.
wrong: rows=10 repeated; or positions=10 twice
@ 49 16
matrix = np.insert(pe, 10, pe[10], axis=0)
--- one row repeated in place
Row 11 is overwritten with row 10.
wrong: rows=11 is that of position 10
@ 50 16
matrix = pe.copy()
matrix[11] = matrix[10]
--- two rows swapped
Rows 3 and 7 in each other's place.
wrong: row order=3 and 7 swapped; or rows=3 and 7
@ 50 16
matrix = pe.copy()
matrix[[3, 7]] = matrix[[7, 3]]
matrix = matrix.astype(np.float16)
--- neighbours swapped
Every even row stands after its odd neighbour: 1, 0, 3, 2, ….
wrong: row order=neighbours swapped; or positions=1 0 3 2 …
@ 40 8
matrix = pe.reshape(20, 2, 8)[:, ::-1].reshape(40, 8)
--- shuffled rows
All rows in random order.
wrong: row order=random; or positions=random
@ 50 16
matrix = pe[np.random.default_rng(0).permutation(L)]
matrix = matrix.astype(np.float32)
--- shuffled rows of a short sentence
Five rows in the order 2 0 4 1 3.
wrong: row order=2 0 4 1 3; or positions=2 0 4 1 3
@ 5 4
matrix = pe[[2, 0, 4, 1, 3]]
--- rows rolled by one
The last row comes first.
wrong: row order=rolled by 1; or rows=the last one in front
@ 50 16
matrix = np.roll(pe, 1, axis=0)
--- rows rolled by five
The first five rows come last.
wrong: row order=rolled by -5; or positions=5 … 34 0 … 4
@ 35 8
matrix = np.roll(pe, -5, axis=0)
--- first row zero
Row 0 is kept for padding and zero, the rest is right.
wrong: rows=0 zero; or padding=row 0 zero
n, d = 30, 8
t = np.array([[p / np.power(10000, 2 * (j // 2) / d) for j in range(d)] if p != 0 else np.zeros(d) for p in range(n)])
t[1:, 0::2] = np.sin(t[1:, 0::2])
t[1:, 1::2] = np.cos(t[1:, 1::2])
matrix = t
--- first row zero and column number for pair number
Row 0 is zero and the exponent is 2j/d.
wrong: rows=0 zero, exponent=2j/d; or padding=row 0 zero, exponent=2j/d
n, d = 40, 16
t = np.array([[p / np.power(10000, 2 * j / d) for j in range(d)] if p else np.zeros(d) for p in range(n)])
t[1:, 0::2] = np.sin(t[1:, 0::2])
t[1:, 1::2] = np.cos(t[1:, 1::2])
matrix = t
--- a row of zeros in front
A row of zeros for a class token stands above the table: every position is one row too low.
wrong: rows=0 zero, positions=from 0 at row 1; or rows=zeros in front; or positions=from -1, rows=0 zero
@ 30 16
matrix = np.concatenate([np.zeros((1, d)), pe])
--- loop that stops too early
range(L-1): the last row stays zero.
wrong: rows=last zero
L, d = 20, 6
matrix = np.zeros((L, d))
for pos in range(L - 1):
    for i in range(0, d, 2):
        matrix[pos, i] = np.sin(pos / 10000 ** (i / d))
        matrix[pos, i + 1] = np.cos(pos / 10000 ** (i / d))
--- return inside of the loop
Only the first row was filled.
wrong: rows=all but the first zero
def encode(L, d):
    pe = np.zeros((L, d))
    for pos in range(L):
        for i in range(0, d, 2):
            pe[pos, i], pe[pos, i + 1] = np.sin(pos / 1e4 ** (i / d)), np.cos(pos / 1e4 ** (i / d))
        return pe
matrix = encode(10, 8)
--- every second row filled
The loop over positions steps by two; odd rows stay zero.
wrong: rows=odd ones zero
@ 30 8
matrix = np.zeros((L, d))
matrix[::2] = pe[::2]
--- padding at the end
The last six rows are zero.
wrong: rows=last 6 zero; or padding=last 6 rows zero
@ 32 16
pe[-6:] = 0
matrix = pe.astype(np.float32)
--- padding in front
Six rows of zeros, then positions 0, 1, 2, ….
wrong: padding=six rows before position 0; or rows=first 6 zero, positions=from 0 at row 6
@ 32 16
matrix = np.concatenate([np.zeros((6, d)), pe[:-6]])
--- last row carried on
A table of 30 rows was stretched to 40 with its last row.
wrong: rows=from 30 on all those of 29; or positions=not beyond 29
@ 30 12
matrix = np.pad(pe, ((0, 10), (0, 0)), mode="edge")
--- mirrored at the end
A table of 20 rows was stretched to 30 by reflection.
wrong: positions=back again from row 20 on; or rows=from 20 on those of 18 17 …
@ 20 8
matrix = np.pad(pe, ((0, 10), (0, 0)), mode="reflect")
--- one row zero
Row 17 is zero.
wrong: rows=17 zero
@ 50 32
matrix = pe.copy()
matrix[17] = 0
matrix = matrix.astype(np.float32)
--- one row nan
Row 4 was never computed.
wrong: not finite=row 4; or rows=4 not finite
@ 12 8
pe[4] = np.nan
matrix = pe
--- one row negated
Row 9 has the other sign.
wrong: rows=9 negated; or sign=row 9
@ 40 16
matrix = pe.copy()
matrix[9] *= -1
--- one row of another position
Row 5 holds position 25.
wrong: rows=5 is that of position 25; or positions=25 at row 5
@ 30 16
pe[5] = pe[25]
matrix = pe
--- one row of another base
Row 6 was made with base 1000.
wrong: rows=6 of base 1000; or rows=6
@ 30 16
pe[6, ::2] = np.sin(6 / 1000 ** (np.arange(0, d, 2) / d))
pe[6, 1::2] = np.cos(6 / 1000 ** (np.arange(0, d, 2) / d))
matrix = pe
--- second half of another base
From row 25 on the base is 1000.
wrong: rows=from 25 on of base 1000; or base=1000 from row 25 on
p = np.arange(50)[:, None]
a = np.where(p < 25, p / 10000 ** (np.arange(0, 8, 2) / 8), p / 1000 ** (np.arange(0, 8, 2) / 8))
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(50, 8)
--- blocks without their offset
Computed in blocks of 16 rows, each from position 0.
wrong: positions=start again every 16 rows; or rows=those of 0 to 15 over and over
L, d = 48, 16
blocks = []
for start in range(0, L, 16):
    a = np.arange(16)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    blocks.append(np.stack([np.sin(a), np.cos(a)], -1).reshape(16, d))
matrix = np.concatenate(blocks)
--- blocks that overlap
Blocks of 11 rows that begin every 10 positions: each block's last row stands twice.
wrong: rows=10 20 30 repeated; or positions=10 20 30 twice
@ 60 12
matrix = np.concatenate([pe[s : s + 11] for s in range(0, 40, 10)])
--- rows added up
Every row is the sum of all rows up to it.
wrong: smoothed=rows added up; or not an encoding=running sum of rows; open
@ 40 16
matrix = np.cumsum(pe, axis=0)
--- differences of rows
Every row is the next one minus this one.
wrong: smoothed=differences of rows; or smoothed, positions=from 1, rows=0; or not an encoding=differences; open
@ 41 16
matrix = np.diff(pe, axis=0)
--- mean of neighbours
Every row is the mean of a row and the next: the fast pairs shrink, positions 0.5, 1.5, ….
wrong: smoothed=mean of two rows; or positions=from 0.5, product=pairs scaled by cos(w/2); open
@ 51 16
matrix = (pe[1:] + pe[:-1]) / 2
--- stretched by drawing straight lines
A table of 20 rows was interpolated to 39.
wrong: smoothed=straight lines between rows; or positions=in steps of 0.5, smoothed; open
@ 20 8
t = np.linspace(0, 19, 39)
matrix = np.stack([np.interp(t, np.arange(20), pe[:, j]) for j in range(d)], axis=1)
"""

COLUMNS = r"""
--- one column negated
Column 3 has the other sign.
wrong: columns=3 negated; or sign=column 3
@ 50 16
pe[:, 3] *= -1
matrix = pe
matrix = matrix.astype(np.float32)
--- one sine negated
Column 4 has the other sign, so its pair runs backwards.
wrong: columns=4 negated; or sign=column 4; or uneven=pair 2 runs backwards
@ 40 8
pe[:, 4] = -pe[:, 4]
matrix = pe
--- one column doubled
Column 5 is twice too large.
wrong: columns=5 times 2
@ 30 8
pe[:, 5] *= 2
matrix = pe
--- one column shifted up
0.1 is added to column 2.
wrong: columns=2 plus 0.1
@ 40 12
pe[:, 2] += 0.1
matrix = pe
--- one column zero
Column 7 stays zero.
wrong: columns=7 zero
@ 50 16
pe[:, 7] = 0
matrix = pe
--- one column one
Column 0 is overwritten with ones.
wrong: columns=0 constant 1
@ 25 6
pe[:, 0] = 1
matrix = pe
--- one column is the position
Column 0 holds 0, 1, 2, ….
wrong: columns=0 is the position
@ 30 8
pe[:, 0] = np.arange(L)
matrix = pe
--- one column repeats another
Column 6 is a copy of column 4.
wrong: columns=6 repeats 4
@ 40 10
pe[:, 6] = pe[:, 4]
matrix = pe
--- one column a row late
Column 2 is rolled down by one row.
wrong: columns=2 rolled by one row; or columns=2
@ 50 8
pe[:, 2] = np.roll(pe[:, 2], 1)
matrix = pe
--- one column from one on
Column 1 starts at position 1.
wrong: columns=1 from position 1; or phase=column 1
@ 30 8
pe[:, 1] = np.cos(np.arange(1, L + 1))
matrix = pe
--- one column of noise
Column 9 is random.
wrong: columns=9 random; or noise=column 9
@ 60 16
pe[:, 9] = np.random.default_rng(12).normal(size=L)
matrix = pe
--- one column nan
Column 2 is nan.
wrong: not finite=column 2; or columns=2 not finite
@ 15 6
pe[:, 2] = np.nan
matrix = pe
--- last pair zero
The loop stops at d-2: the last pair stays zero.
wrong: columns=last two zero
L, d = 30, 8
matrix = np.zeros((L, d))
for pos in range(L):
    for i in range(0, d - 2, 2):
        matrix[pos, i] = np.sin(pos / 10000 ** (i / d))
        matrix[pos, i + 1] = np.cos(pos / 10000 ** (i / d))
matrix = matrix.astype(np.float16)
--- half of the columns empty
Loop to d//2 with column j: the second half stays zero.
wrong: columns=second half zero
L, d = 24, 16
matrix = np.zeros((L, d))
for j in range(d // 2):
    a = np.arange(L) / 10000 ** (2 * (j // 2) / d)
    matrix[:, j] = np.sin(a) if j % 2 == 0 else np.cos(a)
--- half of the columns kept for something else
Right table of 8 columns beside eight columns of zeros.
wrong: columns=second half zero, exponent=2i/8; or columns=second half zero, base=1e8
@ 40 8
matrix = np.hstack([pe, np.zeros((L, 8))])
--- pairs overwrite each other
Written at i and i+1 for i = 0, 1, 2, …: each cosine is overwritten by the next sine.
wrong: function=sine in all columns but the last, exponent=2j/d; or columns=cosines overwritten by sines; open
L, d = 30, 8
matrix = np.zeros((L, d + 1))
for i in range(d):
    matrix[:, i] = np.sin(np.arange(L) / 10000 ** (2 * i / d))
    matrix[:, i + 1] = np.cos(np.arange(L) / 10000 ** (2 * i / d))
matrix = matrix[:, :d]
--- sines one column too far right
The sine of pair i stands in column 2i+1 and the cosine in column 2i+2, as a table counted from 1; column 0 is zero.
wrong: columns=0 zero, column order=one to the right; or column order=rolled by 1, columns=0 zero
L, d = 30, 10
matrix = np.zeros((L, d))
for i in range(d // 2):
    a = np.arange(L) / 10000 ** (2 * i / d)
    matrix[:, 2 * i + 1] = np.sin(a)
    if 2 * i + 2 < d:
        matrix[:, 2 * i + 2] = np.cos(a)
--- cosines scaled
All cosines are half as large.
wrong: columns=cosines times 0.5; or scale=0.5 for the cosines; or function=0.5 cos
@ 50 12
pe[:, 1::2] /= 2
matrix = pe
--- columns fade
Column j is multiplied by 0.9**j.
wrong: product=column j times 0.9**j; or columns=scaled by 0.9**j
@ 50 12
matrix = pe * 0.9 ** np.arange(d)
--- rows fade
Row p is multiplied by exp(-p/20).
wrong: product=row p times exp(-p/20); or rows=scaled by exp(-p/20)
@ 60 16
matrix = pe * np.exp(-np.arange(L) / 20)[:, None]
matrix = matrix.astype(np.float32)
--- multiplied by the position
Row p is multiplied by p.
wrong: product=row p times p; or rows=scaled by the position
@ 30 8
matrix = pe * np.arange(L)[:, None]
--- multiplied by a window
Rows are multiplied by a Hann window.
wrong: product=rows times a window; or rows=scaled; open
@ 50 16
matrix = pe * np.hanning(L)[:, None]
--- learned gains
Every column is multiplied by a random gain near 1.
wrong: columns=scaled by random gains; or product=columns scaled
@ 80 12
matrix = pe * np.random.default_rng(13).normal(1, 0.1, d)
"""

CELLS = r"""
--- one number changed
0.3 is added to one number.
wrong: cell=(7 0)
@ 10 4
pe[7, 0] += 0.3
matrix = pe
matrix = matrix.astype(np.float32)
--- one number changed a little
1e-5 is added to one number of a wide table.
wrong: cell=(30 41)
@ 60 128
pe[30, 41] += 1e-5
matrix = pe
--- one number zero
One number is zero.
wrong: cell=(5 3)
@ 20 8
pe[5, 3] = 0
matrix = pe
--- one sign
One number has the other sign, as a slip in copying.
wrong: cell=(2 1)
one = [0.84147098, 0.54030231, 0.00999983, 0.99995]
two = [0.90929743, 0.41614684, 0.0199987, 0.99980001]
matrix = np.array([[0, 1, 0, 1], one, two, [0.14112001, -0.9899925, 0.0299955, 0.99955003]])
--- a worked example with one slip
Copied from a blog with two decimals, one of them 0.98 for 1.00 (0.995).
wrong: cell=(1 3), rounded=2 decimals
one = [0.84, 0.54, 0.10, 0.98, 0.01, 1.00, 0, 1]
matrix = np.array([[0, 1, 0, 1, 0, 1, 0, 1], one, [0.91, -0.42, 0.20, 0.98, 0.02, 1, 0, 1]])
--- two numbers exchanged
Two numbers of one row in each other's place.
wrong: cell=(4 0) and (4 5)
@ 12 8
pe[4, [0, 5]] = pe[4, [5, 0]]
matrix = pe
--- three numbers wrong
Three numbers here and there are 9.
wrong: cell=(3 3) and (10 7) and (40 0)
@ 50 16
pe[[3, 10, 40], [3, 7, 0]] = 9
matrix = pe
--- a number nan
One number is nan.
wrong: not finite=(0 2); or cell=(0 2)
@ 8 6
pe[0, 2] = np.nan
matrix = pe
--- a number infinite
One number is infinite.
wrong: not finite=(3 1); or cell=(3 1)
@ 8 6
pe[3, 1] = np.inf
matrix = pe
--- a block overwritten
Rows 10 to 14, columns 4 to 7 are zero.
wrong: cell=rows 10 to 14 and columns 4 to 7 zero; or rows=10 to 14 in part; or columns=4 to 7 in part
@ 40 16
pe[10:15, 4:8] = 0
matrix = pe
--- diagonal of ones
The diagonal is overwritten with 1.
wrong: cell=the diagonal; open
@ 12 12
np.fill_diagonal(pe, 1)
matrix = pe
--- upper triangle masked
Numbers above the diagonal are zero, as if the table were attention.
wrong: cell=above the diagonal zero; or product=a triangular mask; open
@ 16 16
matrix = np.tril(pe)
"""

ODD = r"""
--- odd width, last column zero
The width is 5, the last column was not written.
wrong: odd width=last column zero; or columns=last zero
L, d = 20, 5
matrix = np.zeros((L, d))
for i in range(0, d - 1, 2):
    a = np.arange(L) / 10000 ** (i / d)
    matrix[:, i], matrix[:, i + 1] = np.sin(a), np.cos(a)
--- odd width, cut from the next even one
The width is 7, the exponent divides by 8.
wrong: odd width=exponent 2i/8; or exponent=2i/(d+1); or base=10000**(7/8); or columns=the first 7 of 8
@ 30 8
matrix = pe[:, :7]
--- odd width, a zero beside the even one
A table of 8 columns with a ninth of zeros: the exponent divides by 8.
wrong: odd width=last column zero and exponent 2i/8; or columns=last zero, exponent=2i/(d-1)
@ 40 8
matrix = np.pad(pe, ((0, 0), (0, 1)))
--- odd width, last column a cosine
The lone last column holds the cosine.
wrong: odd width=last column a cosine; or function=cosine in the last column; or columns=last
@ 30 9
pe[:, -1] = np.cos(angles[:, -1])
matrix = pe
--- odd width, one column too many
Asked for 5, got 6 columns, exponent 2i/5.
wrong: odd width=6 columns with exponent 2i/5; or exponent=2i/(d-1); or base=10000**(6/5)
d, L = 5, 25
a = np.arange(L)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], axis=2).reshape(L, -1)
--- odd width, frequencies counted with d//2
Width 7, exponent i/(d//2).
wrong: odd width=exponent i/(d//2); or exponent=2i/(d-1); or base=10000**(7/6)
L, d = 40, 7
f = lambda p, j: (np.cos if j % 2 else np.sin)(p / 10000 ** ((j // 2) / (d // 2)))
matrix = np.array([[f(p, j) for j in range(d)] for p in range(L)])
--- odd width, halves with the cosine first
Width 5 in halves, two sines and three cosines.
wrong: odd width=one more cosine than sines, layout=halves; or layout=halves, odd width=split after two; open
@ 30 5
matrix = np.concatenate([np.sin(angles[:, :2]), np.cos(angles)], axis=1)
--- odd width, last column repeats
The last column is a copy of the one before.
wrong: odd width=last column repeats; or columns=last repeats the one before
@ 20 7
pe[:, 6] = pe[:, 5]
matrix = pe
--- odd width, column number for pair number
Width 7 and exponent 2j/d.
wrong: exponent=2j/d
L, d = 50, 7
a = np.arange(L)[:, None] / 10000 ** (2 * np.arange(d) / d)
matrix = np.where(np.arange(d) % 2, np.cos(a), np.sin(a))
--- odd width, base 100
Width 11 and base 100.
wrong: base=100; or exponent=i/d
L, d = 50, 11
a = np.arange(L)[:, None] / 100 ** (2 * (np.arange(d) // 2) / d)
matrix = np.where(np.arange(d) % 2, np.cos(a), np.sin(a))
--- one column, a cosine
Width 1: the cosine in place of the sine.
wrong: swapped; or function=cosine for sine; or odd width=a cosine
matrix = np.cos(np.arange(30.0))[:, None]
"""

PRECISION = r"""
--- angles in float16
Positions, frequencies and angles are float16.
wrong: precision=float16 angles
L, d = 100, 32
w = (10000 ** (-np.arange(0, d, 2) / d)).astype(np.float16)
a = (np.arange(L).astype(np.float16)[:, None] * w).astype(np.float64)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- angles in float16, long
The same for 300 rows of 512 columns, handed over as float32.
wrong: precision=float16 angles
L, d = 300, 512
w = (10000 ** (-np.arange(0, d, 2) / d)).astype(np.float16)
a = (np.arange(L).astype(np.float16)[:, None] * w).astype(np.float32)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- everything in float16
Angles and results are float16.
wrong: precision=float16 angles
L, d = 200, 64
p = np.arange(L, dtype=np.float16)[:, None]
a = p * (10000 ** (-np.arange(0, d, 2) / d)).astype(np.float16)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- frequencies alone in float16
Frequencies are rounded to float16, the rest is float64.
wrong: precision=float16 frequencies; or rounded=frequencies to 11 bits
L, d = 120, 16
w = np.float16(10000 ** (-np.arange(0, d, 2) / d)).astype(float)
a = np.arange(L)[:, None] * w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- exponents in float16
The exponents 2i/d are float16 and the width 48 gives no short fractions.
wrong: precision=float16 exponents; or rounded=exponents to 11 bits; or frequencies; open
L, d = 100, 48
e = (np.arange(0, d, 2) / d).astype(np.float16).astype(float)
a = np.arange(L)[:, None] / 10000 ** e
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- angles in bfloat16
Angles are cut to the upper sixteen bits of float32.
wrong: precision=bfloat16 angles
L, d = 64, 32
a = (np.arange(L)[:, None] * 10000 ** (-np.arange(0, d, 2) / d)).astype(np.float32)
b = (a.view(np.uint32) + 0x8000 & 0xFFFF0000).astype(np.uint32).view(np.float32)
matrix = np.stack([np.sin(b), np.cos(b)], -1).reshape(L, d)
--- positions in bfloat16
Positions beyond 256 lose their last bits.
wrong: precision=bfloat16 positions; or positions=rounded to even numbers from 256 on; or rows=from 257 on
L, d = 300, 16
p = np.arange(L).astype(np.float32)
p = (p.view(np.uint32) + 0x7FFF + (p.view(np.uint32) >> 16 & 1) & 0xFFFF0000).astype(np.uint32).view(np.float32)
a = p[:, None].astype(float) * 10000 ** (-np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- table in bfloat16
The right table with its results in bfloat16.
wrong: rounded=results to 8 bits (bfloat16); or precision=bfloat16 results
@ 50 16
p = pe.astype(np.float32)
matrix = (p.view(np.uint32) + 0x8000 & 0xFFFF0000).astype(np.uint32).view(np.float32)
--- running sum in float16
Angles are added up row by row in float16.
wrong: precision=float16 running sum; or precision; open
L, d = 80, 8
w = (10000 ** (-np.arange(0, d, 2) / d)).astype(np.float16)
a = np.zeros((L, d // 2), np.float16)
for p in range(1, L):
    a[p] = a[p - 1] + w
a = a.astype(float)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- running sum in float32
Steps of 0.1 added up in float32 as positions: 0, 0.1, 0.2, ….
wrong: positions=in steps of 0.1, precision=float32 running sum; or angle scale=0.1, precision; open
p = np.cumsum(np.full(200, 0.1, np.float32)) - np.float32(0.1)
a = p[:, None].astype(float) / 10000 ** (np.arange(0, 16, 2) / 16)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(200, 16)
--- rotation step by step in float16
Each row is the one before times a rotation, in float16.
wrong: precision=float16 recurrence; or precision; open
L, d = 50, 8
w = 10000 ** (-np.arange(0, d, 2) / d)
c, s = np.cos(w).astype(np.float16), np.sin(w).astype(np.float16)
rows = [(np.zeros(d // 2, np.float16), np.ones(d // 2, np.float16))]
for _ in range(L - 1):
    x, y = rows[-1]
    rows.append((x * c + y * s, y * c - x * s))
matrix = np.array([np.stack(r, -1).ravel() for r in rows])
--- divisors rounded
Divisors are rounded to whole numbers.
wrong: rounded=divisors to whole numbers
L, d = 50, 16
a = np.arange(L)[:, None] / np.round(10000 ** (np.arange(0, d, 2) / d))
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- divisors to two decimals
Divisors are rounded to two decimals.
wrong: rounded=divisors to 2 decimals
L, d = 100, 12
a = np.arange(L)[:, None] / np.round(10000 ** (np.arange(0, d, 2) / d), 2)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- divisors to three digits
Divisors are 1, 3.16, 10, 31.6, …, as copied from a calculator.
wrong: rounded=divisors to 3 significant digits
div = np.array([1, 3.16, 10, 31.6, 100, 316, 1000, 3160])
a = np.arange(40)[:, None] / div
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(40, 16)
--- frequencies to four decimals
Frequencies are rounded to four decimals.
wrong: rounded=frequencies to 4 decimals
L, d = 80, 16
a = np.arange(L)[:, None] * np.round(10000 ** (-np.arange(0, d, 2) / d), 4)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- frequencies to two decimals
Frequencies are rounded to two decimals; the slow ones become 0.
wrong: rounded=frequencies to 2 decimals
L, d = 50, 12
a = np.arange(L)[:, None] * np.round(10000 ** (-np.arange(0, d, 2) / d), 2)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- exponents to one decimal
Exponents are rounded to one decimal.
wrong: rounded=exponents to 1 decimal; or frequencies; open
L, d = 50, 16
a = np.arange(L)[:, None] / 10000 ** np.round(np.arange(0, d, 2) / d, 1)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- angles to two decimals
Angles are rounded to two decimals.
wrong: rounded=angles to 2 decimals
@ 60 16
a = np.round(angles, 2)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- angles to one decimal
Angles are rounded to one decimal, in float32.
wrong: rounded=angles to 1 decimal
@ 30 8
a = np.round(angles, 1)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d).astype(np.float32)
--- looked up in a table of sines
Sines are looked up at the nearest of 1024 angles of a turn.
wrong: rounded=angles to 1/1024 of a turn; or precision; open
@ 60 8
t = np.sin(np.arange(1024) * 2 * np.pi / 1024)
k = np.round(angles / (2 * np.pi) * 1024).astype(int)
matrix = np.stack([t[k % 1024], t[(k + 256) % 1024]], -1).reshape(L, d)
--- results to two decimals
The table is rounded to two decimals.
wrong: rounded=results to 2 decimals
@ 10 6
matrix = pe.round(2)
--- results to three decimals
The table is rounded to three decimals.
wrong: rounded=results to 3 decimals
@ 50 64
matrix = pe.round(3)
--- results to four decimals
The table is rounded to four decimals.
wrong: rounded=results to 4 decimals
@ 50 64
matrix = pe.round(4)
--- results to one decimal
The table is rounded to one decimal.
wrong: rounded=results to 1 decimal
@ 100 16
matrix = pe.round(1)
--- results to three significant digits
Every number keeps three significant digits.
wrong: rounded=results to 3 significant digits
@ 40 8
matrix = np.array([[float(f"{v:.3g}") for v in row] for row in pe])
--- results cut to two decimals
Decimals are cut off, not rounded.
wrong: rounded=results cut to 2 decimals
@ 40 12
matrix = np.trunc(pe * 100) / 100
--- saved with %.3e
Every number keeps four significant digits, as np.savetxt writes them.
wrong: rounded=results to 4 significant digits
@ 30 16
matrix = np.array([[float("%.3e" % v) for v in row] for row in pe])
--- printed with %.4g, few rows
Every number of a small table keeps four significant digits.
wrong: rounded=results to 4 significant digits
@ 6 8
matrix = np.array([[float("%.4g" % v) for v in row] for row in pe])
--- base 1000 and three significant digits
The base is 1000, and every number keeps three significant digits.
wrong: base=1000, rounded=results to 3 significant digits
a = np.arange(30)[:, None] * 1000 ** (-np.arange(0, 16, 2) / 16)
table = np.stack([np.sin(a), np.cos(a)], -1).reshape(30, 16)
matrix = np.array([[float(f"{v:.3g}") for v in row] for row in table])
--- results rounded down
Every number is rounded down to three decimals.
wrong: rounded=results rounded down to 3 decimals
@ 30 16
matrix = np.floor(pe * 1000) / 1000
--- results rounded up
Every number is rounded up to two decimals.
wrong: rounded=results rounded up to 2 decimals
@ 30 16
matrix = np.ceil(pe * 100) / 100
--- a float32 table with two decimals left
A table computed in float32 is cut off after two decimals.
wrong: rounded=results cut to 2 decimals
p = np.arange(200, dtype=np.float32)[:, None]
a = p * np.exp(np.arange(0, 64, 2, dtype=np.float32) * np.float32(-np.log(10000.0) / 64))
matrix = np.trunc(np.stack([np.sin(a), np.cos(a)], -1).reshape(200, 64) * 100) / 100
--- per cent
A hundred times the table in whole numbers, decimals cut off.
wrong: scale=100, integers
@ 30 16
matrix = (pe * 100).astype(int)
--- tenths of base 1000
Ten times the table with base 1000 in whole numbers, decimals cut off.
wrong: base=1000, scale=10, integers
a = np.arange(30)[:, None] * 1000 ** (-np.arange(0, 16, 2) / 16)
matrix = (10 * np.stack([np.sin(a), np.cos(a)], -1).reshape(30, 16)).astype(int)
--- eight bits, cut off
127 times the table in int8, decimals cut off.
wrong: scale=127, integers
@ 30 16
matrix = (pe * 127).astype(np.int8)
--- another width and two decimals
The exponent is 2i/512 in 8 columns, and results have two decimals.
wrong: exponent=2i/512, rounded=results to 2 decimals
a = np.arange(6)[:, None] * 10000 ** (-np.arange(0, 8, 2) / 512)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(6, 8).round(2)
--- an odd base and two decimals
The base is 19109.58, and results have two decimals.
wrong: base=19109.58, rounded=results to 2 decimals
a = np.arange(6)[:, None] * 19109.58 ** (-np.arange(0, 8, 2) / 8)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(6, 8).round(2)
--- eight bits
round(127 x)/127.
wrong: rounded=results to steps of 1/127
@ 50 16
matrix = np.round(pe * 127) / 127
--- eight bits as integers
round(127 x) in int8.
wrong: rounded=results to steps of 1/127, scale=127; or integers
@ 50 16
matrix = np.round(pe * 127).astype(np.int8)
--- grey values
(x + 1) * 127.5 in uint8, as a picture.
wrong: scale=127.5, offset=127.5, rounded; or min-max=0 to 255, rounded; or integers; open
@ 64 32
matrix = ((pe + 1) * 127.5).astype(np.uint8)
--- integer table
The table was made with an integer type: every number is cut to -1, 0 or 1.
wrong: integers; or rounded=results cut to whole numbers
@ 20 8
matrix = np.zeros((L, d), dtype=int)
matrix[:] = pe
--- integer embeddings gave the type
zeros_like of an integer array: sines and cosines are cut.
wrong: integers; or rounded=results cut to whole numbers
x = np.ones((12, 6), np.int32)
pe = np.zeros_like(x)
p = np.arange(12)[:, None]
pe[:, 0::2] = np.sin(p / 10000 ** (np.arange(0, 6, 2) / 6))
pe[:, 1::2] = np.cos(p / 10000 ** (np.arange(0, 6, 2) / 6))
matrix = pe
--- rounded to whole numbers
np.round without decimals.
wrong: rounded=results to whole numbers
@ 30 12
matrix = np.round(pe)
--- base 100 and two decimals
Two mistakes: base 100 and results with two decimals.
wrong: base=100, rounded=results to 2 decimals; or exponent=i/d, rounded=results to 2 decimals
L, d = 50, 8
a = np.arange(L)[:, None] / 100 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d).round(2)
--- swapped in float16 angles
Two mistakes: cosine first, and angles in float16.
wrong: swapped, precision=float16 angles
L, d = 100, 16
a = np.arange(L, dtype=np.float16)[:, None] * (10000 ** (-np.arange(0, d, 2) / d)).astype(np.float16)
a = a.astype(float)
matrix = np.stack([np.cos(a), np.sin(a)], -1).reshape(L, d)
"""

TRANSFORMS = r"""
--- times the root of the width
All numbers are multiplied by sqrt(d).
wrong: scale=4
@ 50 16
matrix = pe * np.sqrt(d)
matrix = matrix.astype(np.float32)
--- divided by the root of the width
All numbers are divided by sqrt(d).
wrong: scale=1/sqrt(8)
@ 40 8
matrix = pe / d**0.5
--- rows of length one
Every row is divided by its norm, which is sqrt(d/2) for all.
wrong: scale=sqrt(2/16)
@ 60 16
matrix = pe / np.linalg.norm(pe, axis=1, keepdims=True)
--- rows of length one, odd width
Every row is divided by its norm, which is not the same for all at width 5.
wrong: product=rows divided by their norm; or scale=each row by its own; or rows=scaled; open
@ 40 5
matrix = pe / np.linalg.norm(pe, axis=1, keepdims=True)
--- columns of length one
Every column is divided by its norm.
wrong: product=columns divided by their norm; or columns=scaled; open
@ 50 8
matrix = pe / np.linalg.norm(pe[1:], axis=0)
--- a tenth
All numbers are multiplied by 0.1.
wrong: scale=0.1
@ 30 64
matrix = 0.1 * pe
--- doubled
The table was added to itself.
wrong: scale=2; or twice
@ 20 6
matrix = pe + pe
--- scaled by two thousandths more
All numbers are multiplied by 1.002.
wrong: scale=1.002
@ 50 16
matrix = pe * 1.002
--- scaled and from one
Multiplied by sqrt(d), positions from 1.
wrong: scale=sqrt(12), positions=from 1
@ 41 12
matrix = pe[1:] * 12**0.5
--- scaled halves
Halves divided by sqrt(d).
wrong: scale=1/sqrt(32), layout=halves
@ 60 32
matrix = np.hstack([np.sin(angles), np.cos(angles)]) / np.sqrt(d)
--- divided by its largest number
Scaled so that the largest is 0.5.
wrong: scale=0.5
@ 50 8
matrix = pe * (0.5 / pe.max())
--- one added
1 is added to every number.
wrong: offset=1
@ 40 16
matrix = pe + 1
--- from zero to one by halving
(x + 1)/2.
wrong: scale=0.5, offset=0.5; or min-max
@ 50 16
matrix = (pe + 1) / 2
matrix = matrix.astype(np.float16)
--- min-max over the table
Smallest and largest of the table become 0 and 1.
wrong: min-max=over the table; or scale, offset
@ 30 8
matrix = (pe - pe.min()) / (pe.max() - pe.min())
--- min-max for each column
Smallest and largest of every column become 0 and 1.
wrong: min-max=for each column; or columns=scaled and shifted; open
@ 50 8
matrix = (pe - pe.min(0)) / (pe.max(0) - pe.min(0))
--- min-max for each row
Smallest and largest of every row become 0 and 1.
wrong: min-max=for each row; or rows=scaled and shifted; open
@ 50 8
matrix = (pe - pe.min(1, keepdims=True)) / np.ptp(pe, axis=1, keepdims=True)
--- standardised
Mean of the table subtracted, divided by its deviation.
wrong: standardised=over the table; or scale, offset
@ 50 16
matrix = (pe - pe.mean()) / pe.std()
--- standardised for each column
Every column has mean 0 and deviation 1.
wrong: standardised=for each column; or columns=scaled and shifted; open
@ 60 12
matrix = (pe - pe.mean(axis=0)) / (pe.std(axis=0) + 1e-8)
--- layer norm
Every row has mean 0 and variance 1.
wrong: layer norm; or rows=scaled and shifted; open
@ 50 16
mu = pe.mean(-1, keepdims=True)
matrix = (pe - mu) / np.sqrt(pe.var(-1, keepdims=True) + 1e-5)
--- layer norm in float32
Every row has mean 0 and variance 1, 100 × 64 in float32.
wrong: layer norm; or rows=scaled and shifted; open
@ 100 64
pe = pe.astype(np.float32)
matrix = (pe - pe.mean(1, keepdims=True)) / pe.std(1, keepdims=True)
--- columns centred
The mean of every column is subtracted.
wrong: centred=each column; or columns=shifted; open
@ 100 16
matrix = pe - pe.mean(axis=0)
matrix = matrix.astype(np.float32)
--- table centred
The mean of the table is subtracted.
wrong: centred=the table; or offset
@ 40 8
matrix = pe - pe.mean()
--- rows centred
The mean of every row is subtracted.
wrong: centred=each row; or rows=shifted; open
@ 40 8
matrix = pe - pe.mean(axis=1, keepdims=True)
--- first row subtracted
Every row minus the first: position 0 is all zeros.
wrong: offset=-1 in odd columns; or columns=cosines minus 1; or centred=first row subtracted
@ 50 12
matrix = pe - pe[0]
--- cut at zero
ReLU: no negative numbers.
wrong: clipped=below 0
@ 50 16
matrix = np.maximum(pe, 0)
--- cut at a half
np.clip to -0.5 and 0.5.
wrong: clipped=at -0.5 and 0.5
@ 40 8
matrix = np.clip(pe, -0.5, 0.5)
--- cut just below one
np.clip to -0.99 and 0.99.
wrong: clipped=at -0.99 and 0.99
@ 40 16
matrix = pe.clip(-0.99, 0.99)
matrix = matrix.astype(np.float32)
--- softmax of rows
Every row is positive and adds up to 1.
wrong: function=softmax of each row; open
@ 30 8
e = np.exp(pe)
matrix = e / e.sum(axis=1, keepdims=True)
--- through tanh
tanh of the table.
wrong: function=tanh of the result; open
@ 40 12
matrix = np.tanh(pe)
--- exponential of it
exp of the table.
wrong: function=exp of the result; open
@ 30 8
matrix = np.exp(pe)
--- dropout
A tenth of the numbers is zero, the others are divided by 0.9.
wrong: dropout=0.1; or dropout, scale=1/0.9
@ 50 16
keep = np.random.default_rng(14).random(pe.shape) >= 0.1
matrix = pe * keep / 0.9
--- dropout without scaling
A fifth of the numbers is zero.
wrong: dropout=0.2 without scaling; or cell=zeros at random places
@ 60 32
matrix = np.where(np.random.default_rng(15).random(pe.shape) < 0.2, 0, pe).astype(np.float32)
--- whole rows dropped
A tenth of the rows is zero.
wrong: dropout=rows; or rows=some zero
@ 60 16
matrix = pe * (np.random.default_rng(16).random((L, 1)) > 0.1)
--- mixed by a matrix
Multiplied by a random orthogonal matrix.
wrong: not an encoding=turned by a matrix; or product=by a matrix; open
@ 40 8
q, _ = np.linalg.qr(np.random.default_rng(17).normal(size=(d, d)))
matrix = pe @ q
--- similarities
The products of all rows with all rows, L × L.
wrong: not an encoding=products of rows; or product; open
@ 20 16
matrix = pe @ pe.T
--- noise of 1e-8
Normal noise of 1e-8.
wrong: noise=1e-8; open
@ 50 16
matrix = pe + np.random.default_rng(18).normal(0, 1e-8, pe.shape)
--- noise of 1e-6
Normal noise of 1e-6.
wrong: noise=1e-6
@ 50 16
matrix = pe + np.random.default_rng(19).normal(0, 1e-6, pe.shape)
--- noise of 1e-4
Normal noise of 1e-4 on a small table.
wrong: noise=1e-4
@ 10 4
matrix = pe + np.random.default_rng(20).normal(0, 1e-4, pe.shape)
--- noise of 1e-3
Normal noise of 1e-3.
wrong: noise=1e-3
@ 200 32
matrix = pe + np.random.default_rng(21).normal(0, 1e-3, pe.shape)
--- noise of 0.01
Normal noise of 0.01, float32.
wrong: noise=0.01
@ 50 64
matrix = (pe + 0.01 * np.random.default_rng(22).normal(size=pe.shape)).astype(np.float32)
--- noise of 0.1
Even noise between -0.1 and 0.1.
wrong: noise=0.1 even
@ 40 8
matrix = pe + np.random.default_rng(23).uniform(-0.1, 0.1, pe.shape)
--- noise of 0.5
Normal noise of 0.5.
wrong: noise=0.5; open
@ 60 16
matrix = pe + np.random.default_rng(24).normal(0, 0.5, pe.shape)
--- noise that multiplies
Every number times 1 plus noise of 1e-3.
wrong: noise=1e-3 relative; or product
@ 50 16
matrix = pe * (1 + 1e-3 * np.random.default_rng(25).normal(size=pe.shape))
--- noise on one row
Row 8 has noise of 0.05.
wrong: rows=8; or noise=row 8
@ 40 16
pe[8] += np.random.default_rng(26).normal(0, 0.05, d)
matrix = pe
--- noise on base 1000
Base 1000 and noise of 1e-3.
wrong: base=1000, noise=1e-3
r, L, d = np.random.default_rng(27), 50, 16
a = np.arange(L)[:, None] / 1000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d) + r.normal(0, 1e-3, (L, d))
--- salt and pepper
One number in fifty is 1 or -1.
wrong: cell=1 or -1 at random places; or noise=at random places; open
@ 50 20
r = np.random.default_rng(28)
hit = r.random(pe.shape) < 0.02
matrix = np.where(hit, r.choice([-1.0, 1.0], pe.shape), pe)
--- a slope along the table
pos/1000 is added to every number.
wrong: offset=pos/1000; or sum; or rows=shifted by pos/1000; open
@ 50 8
matrix = pe + np.arange(L)[:, None] / 1000
"""

OTHERS = r"""
--- one-hot
A row for each position with a single 1.
wrong: not an encoding=one-hot; or not an encoding=identity
matrix = np.eye(16)
--- one-hot, cut
The first 8 columns of the identity.
wrong: not an encoding=one-hot; or not an encoding=identity
matrix = np.eye(20, 8, dtype=np.float32)
--- learned, as begun
Normal numbers of width 0.02.
wrong: not an encoding=random (normal); or noise
matrix = np.random.default_rng(29).normal(0, 0.02, (50, 16))
--- learned, width one
Normal numbers of width 1, float32.
wrong: not an encoding=random (normal); or noise
matrix = np.random.default_rng(30).standard_normal((100, 64)).astype(np.float32)
--- learned, even numbers
Even numbers between -0.05 and 0.05.
wrong: not an encoding=random (even); or noise
matrix = np.random.default_rng(31).uniform(-0.05, 0.05, (30, 8))
--- zeros
Nothing was ever written.
wrong: missing=all zeros; or not an encoding=zeros; or scale=0
matrix = np.zeros((20, 8))
--- ones
A table of ones.
wrong: not an encoding=ones; or missing
matrix = np.ones((12, 6))
--- the positions themselves
Every column holds 0, 1, 2, ….
wrong: not an encoding=positions
matrix = np.tile(np.arange(20.0)[:, None], (1, 8))
--- positions from 0 to 1
Every column holds pos/(L-1).
wrong: not an encoding=positions; or not an encoding=positions divided by the length
matrix = np.repeat(np.linspace(0, 1, 25)[:, None], 6, axis=1)
--- linear weights of end-to-end memory
(1 - j/J) - (k/d)(1 - 2j/J), counted from 1.
wrong: not an encoding=bilinear in position and column; open
J, d = 12, 10
j, k = np.arange(1, J + 1)[:, None], np.arange(1, d + 1)
matrix = (1 - j / J) - (k / d) * (1 - 2 * j / J)
--- binary numbers
Columns are the bits of the position.
wrong: not an encoding=bits of the position
matrix = (np.arange(32)[:, None] >> np.arange(8) & 1).astype(float)
--- distances
j - i for all positions i and j.
wrong: not an encoding=distances of positions
matrix = np.arange(16) - np.arange(16.0)[:, None]
--- linear biases
-|i - j|/4 for all positions i and j.
wrong: not an encoding=ALiBi
matrix = -np.abs(np.arange(12)[:, None] - np.arange(12)) / 4
--- linear biases with the causal mask
-slope (i - j) below the diagonal, a very large negative number above.
wrong: not an encoding=ALiBi; or not an encoding=causal mask
i, j = np.mgrid[:10, :10]
matrix = np.where(j > i, -1e9, -(i - j) * 0.5)
--- positions beside constant columns
The positions stand in the first column, and constants in the others.
wrong: not an encoding=positions and constants
matrix = np.tile(np.linspace(0, 1, 8), (30, 1))
matrix[:, 0] = np.arange(30)
--- causal mask
Ones on and below the diagonal.
wrong: not an encoding=causal mask
matrix = np.tril(np.ones((20, 20)))
--- rotary cosines
Cosines of halves, twice: the cache that rotary code keeps.
wrong: not an encoding=rotary cosines; or layout=halves, function=cosine for both
@ 64 32
matrix = np.concatenate([np.cos(angles), np.cos(angles)], axis=-1).astype(np.float32)
--- rotary sines
Sines of halves, twice.
wrong: not an encoding=rotary sines; or layout=halves, function=sine for both
@ 50 16
matrix = np.sin(np.concatenate([angles, angles], axis=-1))
--- rotary cosines, interleaved
Every cosine twice, side by side.
wrong: not an encoding=rotary cosines; or function=cosine for both
@ 50 16
matrix = np.repeat(np.cos(angles), 2, axis=-1)
matrix = matrix.astype(np.float16)
--- rotary angles
The angles alone, L × d/2.
wrong: not an encoding=angles; or function=none: the angles; or function=none, exponent=j/16
@ 40 32
matrix = angles
--- ones rotated
Vectors of ones turned by rotary angles: cos - sin and sin + cos.
wrong: function=cos-sin and sin+cos; or not an encoding=rotary applied to ones; or swapped, phase=pi/4, scale=sqrt(2)
@ 40 12
matrix = np.stack([np.cos(angles) - np.sin(angles), np.sin(angles) + np.cos(angles)], -1).reshape(L, d)
--- embeddings plus encoding
The sum with normal embeddings in place of the table.
wrong: sum; or noise=1; open
@ 30 16
matrix = np.random.default_rng(32).normal(size=(L, d)) + pe
--- small embeddings plus encoding
The sum with embeddings of width 0.02.
wrong: sum; or noise=0.02
@ 40 8
matrix = np.random.default_rng(33).normal(0, 0.02, (L, d)) + pe
--- half embeddings plus encoding
Every embedding is 0.5.
wrong: offset=0.5; or sum
@ 12 6
matrix = np.full((L, d), 0.5) + pe
--- scaled embeddings plus encoding
x sqrt(d) + table.
wrong: sum; or noise; open
@ 50 64
matrix = (np.random.default_rng(34).normal(size=(L, d)) * 0.1 * np.sqrt(d) + pe).astype(np.float32)
--- embeddings alone
The encoding was never added: embeddings in place of the table.
wrong: missing; or not an encoding=random (normal); or noise
matrix = np.random.default_rng(35).normal(size=(20, 8))
--- product with embeddings
x times the table.
wrong: product=with embeddings; or sum; or noise; open
@ 30 8
matrix = pe * np.random.default_rng(36).normal(size=(L, d))
--- sine and cosine sum in one column
A single number for each position: sin + cos, in all columns.
wrong: function=sin+cos, frequencies=all 1; or not an encoding; or columns=all the same
p = np.arange(40)
matrix = np.repeat((np.sin(p) + np.cos(p))[:, None], 6, axis=1)
--- a cosine basis
cos(pi (p + 1/2) j/L): the discrete cosine transform.
wrong: not an encoding=cosine transform; or frequencies=pi j/L, function=cosine for both; open
L, d = 32, 8
matrix = np.cos(np.pi * (np.arange(L)[:, None] + 0.5) * np.arange(d) / L)
--- a Fourier basis
sin and cos of 2 pi k p/L.
wrong: frequencies=2 pi k/L; or not an encoding=Fourier basis
L, d = 40, 12
a = 2 * np.pi * np.arange(L)[:, None] * np.arange(1, d // 2 + 1) / L
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- hour and weekday
Sine and cosine of the hour of 24 and of the day of 7.
wrong: frequencies=2 pi/24 and 2 pi/168; or not an encoding=calendar
a = 2 * np.pi * np.arange(200)[:, None] / np.array([24, 168])
matrix = np.stack([np.sin(a), np.cos(a)], axis=2).reshape(200, 4)
--- time to vector
A linear first column, then sines with learned frequencies and phases.
wrong: not an encoding=Time2Vec; or frequencies=random, phase=random; open
r = np.random.default_rng(37)
t = np.arange(50)[:, None]
matrix = np.hstack([0.3 * t + 0.1, np.sin(t * r.normal(size=7) + r.normal(size=7))])
--- polynomials
Legendre polynomials of the position.
wrong: not an encoding=polynomials; open
matrix = np.polynomial.legendre.legvander(np.linspace(-1, 1, 40), 7)
--- powers
pos**j for column j.
wrong: not an encoding=powers of the position; open
matrix = np.vander(np.arange(6) / 5, 4, increasing=True)
--- radial bumps
exp(-(pos - c)**2/8) about 8 centres.
wrong: not an encoding=Gaussian bumps; open
matrix = np.exp(-((np.arange(50)[:, None] - np.linspace(0, 49, 8)) ** 2) / 8)
--- attention weights
Rows that add up to one, softmax of random scores.
wrong: not an encoding=attention weights; open
s = np.exp(np.random.default_rng(38).normal(size=(16, 16)))
matrix = s / s.sum(1, keepdims=True)
--- divisors handed over
The divisors, as one row for each position.
wrong: not an encoding=divisors; or function=none
matrix = np.tile(10000 ** (2 * (np.arange(8) // 2) / 8), (10, 1))
"""

RIGHT = r"""
--- two loops
The paper's formula, number by number.
right:
L, d = 20, 8
pe = np.zeros((L, d))
for pos in range(L):
    for i in range(d // 2):
        angle = pos / 10000 ** (2 * i / d)
        pe[pos, 2 * i] = np.sin(angle)
        pe[pos, 2 * i + 1] = np.cos(angle)
matrix = pe
--- step of two without a factor
i runs over the even columns and is not doubled.
right:
L, d = 64, 32
matrix = np.zeros((L, d))
for i in range(0, d, 2):
    matrix[:, i] = np.sin(np.arange(L) / 10000 ** (i / d))
    matrix[:, i + 1] = np.cos(np.arange(L) / 10000 ** (i / d))
--- exponential of a logarithm
The best-known tutorial's form in float64.
right:
L, d = 100, 64
position = np.arange(L)[:, None]
div_term = np.exp(np.arange(0, d, 2) * (-np.log(10000.0) / d))
matrix = np.zeros((L, d))
matrix[:, 0::2] = np.sin(position * div_term)
matrix[:, 1::2] = np.cos(position * div_term)
--- exponential of a logarithm in float32
The best-known tutorial's form as it runs there.
right:
L, d = 50, 16
position = np.arange(L, dtype=np.float32)[:, None]
div_term = np.exp(np.arange(0, d, 2).astype(np.float32) * np.float32(-np.log(10000.0) / d))
matrix = np.zeros((L, d), np.float32)
matrix[:, 0::2] = np.sin(position * div_term)
matrix[:, 1::2] = np.cos(position * div_term)
--- float32 angles, large
Angles in float32, 300 × 512.
right:
L, d = 300, 512
f32 = np.float32
div = np.exp(np.arange(0, d, 2, dtype=f32) * f32(-np.log(1e4) / d))
a = np.arange(L, dtype=f32)[:, None] * div
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- divisors in float32
Divisors in float32, angles in float64, the table in float32.
right:
L, d = 60, 32
a = np.arange(L)[:, None] / np.power(np.float32(10000), (np.arange(0, d, 2) / d).astype(np.float32)).astype(np.float32)
pe = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
matrix = pe.astype(np.float32)
--- angle rates for every column
2*(j//2)/d for column j, sines and cosines by slices.
right:
def get_angles(pos, j, d):
    return pos * (1 / np.power(10000, (2 * (j // 2)) / np.float64(d)))
r = get_angles(np.arange(50)[:, np.newaxis], np.arange(128)[np.newaxis, :], 128)
r[:, 0::2] = np.sin(r[:, 0::2])
r[:, 1::2] = np.cos(r[:, 1::2])
matrix = r
--- floor division that does no harm
j//2*2/d, read from left to right.
right:
L, d = 30, 6
matrix = np.array([[(np.cos if j % 2 else np.sin)(p / 10000 ** (j // 2 * 2 / d)) for j in range(d)] for p in range(L)])
--- odd width by where
np.where on the column number at width 7.
right:
j = np.arange(7)
a = np.arange(25)[:, None] / 10000 ** ((j - j % 2) / 7)
matrix = np.where(j % 2 == 0, np.sin(a), np.cos(a))
--- odd width by cutting cosines
Width 33, the cosines lose their last column.
right:
L, d = 80, 33
a = np.outer(np.arange(L), 10000 ** (-np.arange(0, d, 2) / d))
matrix = np.zeros((L, d), dtype=np.float32)
matrix[:, 0::2] = np.sin(a)
matrix[:, 1::2] = np.cos(a)[:, : d // 2]
--- one column of sines
Width 1.
right:
matrix = np.sin(np.arange(40.0)).reshape(-1, 1)
--- two columns
Width 2: one pair of frequency 1.
right:
p = np.arange(50)
matrix = np.column_stack([np.sin(p), np.cos(p)])
--- two columns of base 100
At width 2 the base cannot be seen.
right: alias=any base at width 2
p = np.arange(30)[:, None]
a = p / 100 ** (np.arange(0, 2, 2) / 2)
matrix = np.concatenate([np.sin(a), np.cos(a)], axis=1)
--- two columns in halves
At width 2 halves and pairs are the same.
right: alias=halves at width 2
a = np.arange(12)[:, None] * np.ones(1)
matrix = np.hstack((np.sin(a), np.cos(a)))
--- two columns with the factor forgotten
At width 2 every exponent is 0.
right: alias=any exponent at width 2
L, d = 20, 2
matrix = np.array([[(np.sin, np.cos)[j](p / 10000 ** (j // 2 / d)) for j in range(d)] for p in range(L)])
--- one row
Position 0 alone: any frequencies give 0 1 0 1.
right: alias=any frequencies in one row
d = 16
matrix = np.stack([np.sin(0 / 100 ** np.arange(8)), np.cos(0 / 100 ** np.arange(8))], -1).reshape(1, d)
--- stacked along the last axis
np.stack with axis -1, then reshape.
right:
L, d = 40, 20
a = np.arange(L)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], axis=-1).reshape(L, d)
matrix = matrix.astype(np.float16)
--- stacked in depth
np.dstack, then reshape.
right:
a = np.outer(np.arange(64), np.power(10000.0, -np.arange(24) / 24))
matrix = np.dstack([np.sin(a), np.cos(a)]).reshape(64, 48)
--- repeated frequencies
np.repeat of frequencies and an alternating mask.
right:
L, d = 50, 10
w = np.repeat(1e4 ** (-np.arange(d // 2) * 2 / d), 2)
a = np.arange(L)[:, None] * w
odd = np.arange(d) % 2
matrix = np.sin(a) * (1 - odd) + np.cos(a) * odd
--- cosine as a shifted sine
sin(a + pi/2) in odd columns.
right:
L, d = 60, 12
j = np.arange(d)
a = np.arange(L)[:, None] / 10000 ** (2 * (j // 2) / d)
matrix = np.sin(a + np.pi / 2 * (j % 2))
--- sine as a shifted cosine
cos(a - pi/2) in even columns.
right:
L, d = 30, 16
a = np.arange(L)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.cos(a - np.pi / 2), np.cos(a)], -1).reshape(L, d)
--- complex exponential
Imaginary and real part of exp(i a).
right:
L, d = 64, 8
z = np.exp(1j * np.outer(np.arange(L), 10000 ** (-np.arange(0, d, 2) / d)))
matrix = np.stack([z.imag, z.real], -1).reshape(L, d)
matrix = matrix.astype(np.float32)
--- powers of one complex number
Powers of exp(i w) by the row number.
right:
L, d = 40, 16
z = np.exp(1j * 10000 ** (-np.arange(0, d, 2) / d)) ** np.arange(L)[:, None]
matrix = np.stack([z.imag, z.real], -1).reshape(L, d)
--- rotation step by step
Each row is the one before, rotated, in float64.
right:
L, d = 50, 8
w = 10000 ** (-np.arange(0, d, 2) / d)
s, c, rows = np.zeros(d // 2), np.ones(d // 2), []
for _ in range(L):
    rows.append(np.stack([s, c], -1).ravel())
    s, c = s * np.cos(w) + c * np.sin(w), c * np.cos(w) - s * np.sin(w)
matrix = np.array(rows)
--- running sum of angles
Angles added up row by row in float64.
right:
L, d = 200, 6
w = 10000 ** (-np.arange(0, d, 2) / d)
a = np.cumsum(np.tile(w, (L, 1)), axis=0) - w
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- wrapped angles
Angles modulo 2 pi before the sine.
right:
L, d = 100, 16
a = np.arange(L)[:, None] / 10000 ** (np.arange(0, d, 2) / d) % (2 * np.pi)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- degrees there and back
rad2deg, then deg2rad.
right:
a = np.deg2rad(np.rad2deg(np.arange(30)[:, None] / 10000 ** (np.arange(0, 8, 2) / 8)))
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(30, 8)
--- logspace without its endpoint
np.logspace(0, -4, d/2, endpoint=False).
right:
L, d = 70, 14
a = np.arange(L)[:, None] * np.logspace(0, -4, d // 2, endpoint=False)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- inverse base
1e-4 ** (2i/d) as frequency.
right:
L, d = 48, 24
a = np.arange(L)[:, None] * 1e-4 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- base 100 with the double exponent
100 ** (4i/d): two changes that undo each other.
right: alias
L, d = 50, 16
a = np.arange(L)[:, None] / 100 ** (4 * np.arange(d // 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- four powers of ten
10 ** (8i/d).
right:
L, d = 40, 10
a = np.arange(L)[:, None] / 10 ** (8 * np.arange(d // 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- counted from one and taken off again
Julia's columns 1, 2, … and positions 1, 2, … with one taken off everywhere.
right:
L, d = 30, 12
m = np.zeros((L, d))
for pos in range(1, L + 1):
    for i in range(1, d // 2 + 1):
        div = 10000 ** (2 * (i - 1) / d)
        m[pos - 1, 2 * i - 2] = np.sin((pos - 1) / div)
        m[pos - 1, 2 * i - 1] = np.cos((pos - 1) / div)
matrix = m
matrix = matrix.astype(np.float32)
--- filled as d × L and transposed
Rows are columns until the last line.
right:
L, d = 36, 8
m = np.zeros((d, L))
m[0::2] = np.sin(10000 ** (-np.arange(0, d, 2) / d)[:, None] * np.arange(L))
m[1::2] = np.cos(10000 ** (-np.arange(0, d, 2) / d)[:, None] * np.arange(L))
matrix = m.T
--- einsum
Angles by einsum, columns by concatenation of pairs.
right:
w = 10000 ** (-np.arange(0, 6, 2) / 6)
a = np.einsum("l,i->li", np.arange(15.0), w)
matrix = np.concatenate([f(a[:, i : i + 1]) for i in range(3) for f in (np.sin, np.cos)], axis=1)
--- fromfunction
np.fromfunction with the column's parity.
right:
f = lambda p, j: np.sin(p / 10000 ** ((j - j % 2) / 16) + j % 2 * np.pi / 2)
matrix = np.fromfunction(f, (50, 16))
--- vectorised function
np.vectorize of a scalar function.
right:
pe = np.vectorize(lambda p, j: np.sin(p / 1e4 ** (j / 4)) if j % 2 == 0 else np.cos(p / 1e4 ** ((j - 1) / 4)))
matrix = pe(np.arange(4)[:, None], np.arange(4))
--- cut from a longer table
The first 12 rows of 5000.
right:
position = np.arange(5000)[:, None]
a = position * np.exp(-np.log(10000) * np.arange(0, 16, 2) / 16)
pe = np.zeros((5000, 16))
pe[:, 0::2], pe[:, 1::2] = np.sin(a), np.cos(a)
matrix = pe[:12]
--- results in float16
Angles in float64, results in float16.
right:
@ 60 32
matrix = pe.astype(np.float16)
--- results in float16, long
Angles in float64, results in float16, 300 × 64.
right:
@ 300 64
matrix = pe.astype(np.float16)
--- positions in float16
Positions up to 299 are exact in float16, all else is float64.
right: alias=positions to 2048 are exact in float16
L, d = 300, 8
p = np.arange(L).astype(np.float16).astype(np.float64)[:, None]
a = p / 10000 ** (np.arange(0, d, 2) / d)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- positions in a byte, short
Positions up to 99 fit in int8.
right: alias=positions to 127 fit in int8
a = np.arange(100).astype(np.int8)[:, None] / 10000.0 ** (np.arange(0, 12, 2) / 12)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(100, 12)
--- rounded to twelve decimals
As exact as anyone can ask.
right: alias=rounded to 12 decimals
@ 40 16
matrix = pe.round(12)
--- divisors rounded where they are whole
At width 8 the divisors 1, 10, 100, 1000 are whole numbers.
right: alias=whole divisors at width 8
L, d = 50, 8
a = np.arange(L)[:, None] / np.round(10000 ** (np.arange(0, d, 2) / d))
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- powers of ten where they fit
Frequencies 10**-i are right at width 8.
right: alias=10**-i at width 8
a = np.arange(25)[:, None] / 10 ** np.arange(4)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(25, 8)
--- a table as text
Written with all digits and read back.
right:
@ 8 4
text = ";".join(" ".join(map(repr, row)) for row in pe.tolist())
matrix = np.array([[float(v) for v in line.split()] for line in text.split(";")])
--- a backwards view
Filled backwards, handed over as a view that turns it round.
right:
@ 30 8
matrix = np.ascontiguousarray(pe[::-1])[::-1]
--- in the order of columns
Memory in Fortran's order, float32.
right:
@ 50 16
matrix = np.asfortranarray(pe.astype(np.float32))
"""

VARIANTS = r"""
--- halves
All sines, then all cosines.
variant: layout=halves
@ 50 16
matrix = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
--- halves of a stack
np.stack with axis 1, then reshape: the same as halves.
variant: layout=halves
@ 40 12
matrix = np.stack([np.sin(angles), np.cos(angles)], axis=1).reshape(L, d)
--- halves in float32
Angles in float32, sines first.
variant: layout=halves
L, d = 120, 64
w = np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-np.log(1e4) / d))
a = np.arange(L, dtype=np.float32)[:, None] * w
matrix = np.hstack([np.sin(a), np.cos(a)])
--- halves in float16
Results in float16.
variant: layout=halves
@ 60 32
matrix = np.hstack([np.sin(angles), np.cos(angles)]).astype(np.float16)
--- halves at an odd width
Four sines, three cosines.
variant: layout=halves
@ 30 7
matrix = np.hstack([np.sin(angles), np.cos(angles[:, :3])])
--- halves from angle rates
Sines of even columns and cosines of odd ones laid side by side.
variant: layout=halves
a = np.arange(50)[:, None] / np.power(10000, 2 * (np.arange(32) // 2) / 32)
matrix = np.concatenate([np.sin(a[:, 0::2]), np.cos(a[:, 1::2])], axis=-1)
--- cosines first in halves
All cosines, then all sines.
variant: layout=halves with cosines first
@ 50 16
matrix = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
matrix = matrix.astype(np.float16)
--- cosines first in float32
All cosines, then all sines, 128 × 256.
variant: layout=halves with cosines first
@ 128 256
matrix = np.concatenate([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
--- time steps
Cosines first, time steps 0 to 299, width 32.
variant: layout=halves with cosines first
t, half = np.arange(300), 16
freqs = np.exp(-np.log(10000) * np.arange(half) / half)
args = t[:, None] * freqs[None]
matrix = np.concatenate([np.cos(args), np.sin(args)], axis=-1)
--- time steps with both ends
Sines first, exponent i/(d/2-1).
variant: layout=halves, exponent=i/(d/2-1); or layout=halves, base=10000**(d/(d-2))
half = 16
emb = np.exp(np.arange(half) * -(np.log(10000) / (half - 1)))
emb = np.arange(100)[:, None] * emb[None, :]
matrix = np.concatenate((np.sin(emb), np.cos(emb)), axis=-1)
--- some time steps
Sines first, time steps 0, 50, 100, …, 950.
variant: layout=halves, positions=in steps of 50; open
t, half = np.arange(0, 1000, 50), 8
args = t[:, None] * np.exp(-np.log(10000) * np.arange(half) / half)
matrix = np.concatenate([np.sin(args), np.cos(args)], axis=-1)
--- both ends, interleaved
Exponent i/(d/2-1), sin cos sin cos.
variant: exponent=i/(d/2-1); or base=10000**(d/(d-2))
L, d = 60, 32
a = np.arange(L)[:, None] * np.geomspace(1, 1e-4, d // 2)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
matrix = matrix.astype(np.float32)
--- both ends in halves at width 512
Sines first, exponent i/(d/2-1), float32.
variant: layout=halves, exponent=i/(d/2-1); or layout=halves, base=10000**(d/(d-2))
L, d = 100, 512
inc = np.log(10000) / (d // 2 - 1)
a = np.arange(L)[:, None] * np.exp(-inc * np.arange(d // 2))
matrix = np.concatenate([np.sin(a), np.cos(a)], axis=1).astype(np.float32)
--- both ends at an odd width
Halves with i/(d//2-1) and a last column of zeros.
variant: layout=halves, exponent=i/(d//2-1), odd width=last column zero; or layout=halves, exponent, columns=last zero
L, d = 40, 9
h = d // 2
a = np.arange(L)[:, None] * 10000 ** (-np.arange(h) / (h - 1))
matrix = np.pad(np.concatenate([np.sin(a), np.cos(a)], axis=1), ((0, 0), (0, d % 2)))
--- both ends, cosines first
Cosines first, exponent i/(d/2-1).
variant: layout=halves with cosines first, exponent=i/(d/2-1); or layout=halves with cosines first, base
L, d = 80, 24
a = np.arange(L)[:, None] * 10000 ** (-np.arange(d // 2) / (d // 2 - 1))
matrix = np.concatenate([np.cos(a), np.sin(a)], axis=1)
--- both ends with a row of padding
Halves, exponent i/(d/2-1), row 1 zero.
variant: layout=halves, exponent=i/(d/2-1), padding=row 1 zero; or layout=halves, exponent=i/(d/2-1), rows=1 zero
L, d = 50, 16
a = np.arange(L)[:, None] * np.exp(np.arange(d // 2) * -np.log(10000) / (d // 2 - 1))
m = np.concatenate([np.sin(a), np.cos(a)], axis=1).astype(np.float32)
m[1] = 0
matrix = m
--- both ends from the second position
Halves, exponent i/(d/2-1), positions from 2.
variant: layout=halves, exponent=i/(d/2-1), positions=from 2; or layout=halves, base, positions=from 2
L, d = 30, 12
a = (np.arange(L) + 2)[:, None] * np.exp(np.arange(d // 2) * -np.log(10000) / (d // 2 - 1))
matrix = np.concatenate([np.sin(a), np.cos(a)], axis=1)
--- one axis of an image
Interleaved, positions from 1.
variant: positions=from 1
L, d = 32, 16
dim_t = 10000 ** (2 * (np.arange(d) // 2) / d)
a = np.cumsum(np.ones(L))[:, None] / dim_t
matrix = np.stack((np.sin(a[:, 0::2]), np.cos(a[:, 1::2])), axis=2).reshape(L, d)
--- scaled halves as a learned scale begins
Halves times 1/sqrt(d), the start of a learned scale.
variant: layout=halves, scale=1/8
@ 40 64
matrix = np.concatenate([np.sin(angles), np.cos(angles)], axis=-1) * d**-0.5
--- a later window
Rows 500 to 519 of the table.
variant: positions=from 500
p = np.arange(500, 520)[:, None]
a = p / 10000 ** (np.arange(0, 32, 2) / 32)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(20, 32)
--- float32 angles in a float64 table
Angles in float32 as in public code, sines of them in float64: right to 2e-6, no mistake.
variant: precision=float32 angles
L, d = 60, 32
div = np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-np.log(10000.0) / d))
a = (np.arange(L, dtype=np.float32)[:, None] * div).astype(np.float64)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d)
--- a float32 table as a list of floats
The table as the best-known tutorial makes it, read out as Python's floats.
variant: precision=float32 angles
L, d = 300, 64
div = np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-np.log(10000.0) / d))
a = np.arange(L, dtype=np.float32)[:, None] * div
matrix = np.array(np.stack([np.sin(a), np.cos(a)], -1).reshape(L, d).tolist())
--- interpolated positions
Positions divided by 4 for a context four times as long.
variant: positions=in steps of 0.25; or angle scale=0.25
a = np.arange(100)[:, None] / 4 / 10000 ** (np.arange(0, 16, 2) / 16)
matrix = np.stack([np.sin(a), np.cos(a)], -1).reshape(100, 16)
"""

ADDED = r"""
--- sum of one sentence
x + table, (L, d).
right:
x = np.random.default_rng(50).normal(size=(20, 8))
a = np.arange(20)[:, None] / 10000 ** (np.arange(0, 8, 2) / 8)
y = x + np.stack([np.sin(a), np.cos(a)], -1).reshape(20, 8)
--- sum of a batch
x + table for every sentence, (B, L, d).
right:
@ 12 16
x = np.random.default_rng(51).normal(size=(4, L, d))
y = x + pe[None]
--- sum of a batch in float32
x + table in float32.
right:
@ 30 64
x = np.random.default_rng(52).normal(size=(8, L, d)).astype(np.float32)
y = x + pe.astype(np.float32)
--- sum in float16
x + table in float16.
right:
@ 10 8
x = np.random.default_rng(53).normal(0, 0.5, (2, L, d)).astype(np.float16)
y = (x + pe).astype(np.float16)
--- sum of zeros
Embeddings of zero: the result is the table.
right:
@ 25 6
x = np.zeros((3, L, d))
y = x + pe
--- sum at an odd width
x + table of five columns.
right:
@ 14 5
x = np.random.default_rng(54).normal(size=(L, d))
y = x + pe
--- sum of whole numbers
Integer embeddings, the sum in float64.
right:
@ 6 4
x = np.arange(24).reshape(6, 4)
y = x + pe
--- sum of scaled embeddings
x sqrt(d) + table, as the paper does.
variant: scale=x times 4
@ 20 16
x = np.random.default_rng(55).normal(size=(2, L, d))
y = x * np.sqrt(d) + pe
--- sum in halves
x + sines beside cosines.
variant: layout=halves
@ 20 12
x = np.random.default_rng(56).normal(size=(3, L, d))
y = x + np.hstack([np.sin(angles), np.cos(angles)])
--- padding left alone at the end
Rows of padding are zero and get no encoding, for each sentence its own.
variant: padding=no encoding on rows of zeros
@ 10 8
x = np.random.default_rng(57).normal(size=(3, L, d))
mask = np.arange(L) < np.array([10, 6, 8])[:, None]
x = x * mask[..., None]
y = x + pe * mask[..., None]
--- padding left alone in front
Rows of padding stand in front, positions count from the first token.
variant: padding=in front without encoding, positions=from the first token of each sentence
@ 10 8
x = np.random.default_rng(58).normal(size=(2, L, d))
y = x.copy()
for b, n in enumerate((3, 5)):
    x[b, :n] = y[b, :n] = 0
    y[b, n:] += pe[: L - n]
--- positions not counted from the first token
Rows of padding in front get no encoding, tokens keep the number of their column: 3, 4, ….
wrong: padding=in front, positions=counted with the padding; or padding=in front without encoding
@ 10 8
x = np.random.default_rng(59).normal(size=(2, L, d))
x[0, :3] = 0
y = x + pe
y[0, :3] = 0
--- padding with encoding
Rows of zeros get an encoding too.
right: alias=whether rows of zeros are padding cannot be seen
@ 10 8
x = np.random.default_rng(60).normal(size=(3, L, d))
x[1, 6:] = 0
y = x + pe
--- one mask for all
The mask of the first sentence is used for the whole batch.
wrong: padding=one mask for all; or missing=from row 5 on
@ 9 8
x = np.random.default_rng(61).normal(size=(3, L, d))
x[0, 5:] = 0
mask = (np.arange(L) < 5)[None, :, None]
y = x + pe * mask
--- the mask the wrong way round
Encoding is added to padding alone.
wrong: padding=mask inverted; or missing=on tokens
@ 10 8
x = np.random.default_rng(62).normal(size=(2, L, d))
pad = np.zeros((2, L, 1))
pad[:, 7:] = 1
x = x * (1 - pad)
y = x + pe * pad
--- along the batch
The first axis is taken for positions: every token of a sentence gets the same.
wrong: batch
@ 6 8
x = np.random.default_rng(63).normal(size=(6, 10, 8))
y = x + pe[:, None, :]
--- along the batch of the same size
As many sentences as tokens: nobody notices.
wrong: batch
@ 8 16
x = np.random.default_rng(64).normal(size=(8, 8, 16)).astype(np.float32)
y = (x + pe[:, None]).astype(np.float32)
--- one row for all tokens
pe[L] in place of pe[:L]: the same row for every token.
wrong: positions=all 10; or rows=all those of position 10
@ 20 8
x = np.random.default_rng(65).normal(size=(3, 10, 8))
y = x + pe[x.shape[1]]
--- numbered on through the batch
The second sentence goes on where the first ended.
wrong: positions=go on from sentence to sentence
@ 30 8
x = np.random.default_rng(66).normal(size=(3, 10, 8))
y = (x.reshape(30, 8) + pe).reshape(3, 10, 8)
--- one sentence left out
The third sentence has no encoding.
wrong: missing=sentence 2
@ 12 8
x = np.random.default_rng(67).normal(size=(4, L, d))
y = x + pe
y[2] = x[2]
--- one token left out
One token of one sentence has no encoding.
wrong: missing=sentence 1 row 5; or rows=5 of sentence 1
@ 12 8
x = np.random.default_rng(68).normal(size=(4, L, d))
y = x + pe
y[1, 5] = x[1, 5]
--- first token left out
The class token gets no encoding, the others begin at 0.
wrong: missing=row 0, positions=from 0 at row 1; or positions=from -1, rows=0 without encoding
@ 11 8
x = np.random.default_rng(69).normal(size=(2, 12, d))
y = x.copy()
y[:, 1:] += pe
--- first token left out, others from one
The class token gets no encoding, the others keep their positions.
wrong: missing=row 0; or rows=0 without encoding
@ 12 16
x = np.random.default_rng(70).normal(size=(2, L, d))
y = x + pe
y[:, 0] = x[:, 0]
--- only the first sentence
y[0] += table.
wrong: missing=all sentences but the first
@ 15 6
x = np.random.default_rng(71).normal(size=(5, L, d))
y = x.copy()
y[0] += pe
--- nothing added
The result of x + pe was not kept.
wrong: missing
@ 10 8
x = np.random.default_rng(72).normal(size=(2, L, d))
y = x.copy()
--- added twice
In the layer and in the loop.
wrong: twice; or scale=2
@ 20 8
x = np.random.default_rng(73).normal(size=(L, d))
y = x + pe
y += pe
--- subtracted
x - table.
wrong: sign=all; or scale=-1
@ 20 8
x = np.random.default_rng(74).normal(size=(3, L, d))
y = x - pe
--- multiplied
x * table.
wrong: product
@ 20 8
x = np.random.default_rng(75).normal(size=(3, L, d))
y = x * pe
--- scaled encoding
x + table/sqrt(d).
wrong: scale=1/4
@ 20 16
x = np.random.default_rng(76).normal(size=(2, L, d))
y = x + pe / np.sqrt(d)
--- sum scaled
(x + table) sqrt(d): scaled after adding.
wrong: scale=all times 4
@ 20 16
x = np.random.default_rng(77).normal(size=(2, L, d))
y = (x + pe) * np.sqrt(d)
--- embeddings divided
x/sqrt(d) + table.
wrong: scale=x times 1/4
@ 20 16
x = np.random.default_rng(78).normal(size=(2, L, d))
y = x / np.sqrt(d) + pe
--- mean of both
(x + table)/2.
wrong: scale=all times 1/2
@ 12 6
x = np.random.default_rng(79).normal(size=(L, d))
y = (x + pe) / 2
--- table alone
The table in place of the sum.
wrong: missing=embeddings; or scale=x times 0
@ 12 8
x = np.random.default_rng(80).normal(size=(3, L, d))
y = np.broadcast_to(pe, x.shape).copy()
--- concatenated
Embeddings beside encoding.
wrong: concatenated
@ 12 8
x = np.random.default_rng(81).normal(size=(3, L, d))
y = np.concatenate([x, np.broadcast_to(pe, x.shape)], axis=-1)
--- concatenated along the sequence
Embeddings above encoding.
wrong: concatenated=along the sequence
@ 12 8
x = np.random.default_rng(82).normal(size=(L, d))
y = np.concatenate([x, pe])
--- dropout after the sum
A tenth is zero, the rest divided by 0.9.
wrong: dropout=0.1; or dropout, scale=1/0.9
@ 20 16
r = np.random.default_rng(83)
x = r.normal(size=(4, L, d))
y = (x + pe) * (r.random(x.shape) > 0.1) / 0.9
--- dropout on the encoding
A tenth of the encoding is zero, the rest divided by 0.9.
wrong: dropout=0.1 of the encoding; open
@ 20 16
r = np.random.default_rng(84)
x = r.normal(size=(4, L, d))
y = x + pe * (r.random(pe.shape) > 0.1) / 0.9
--- layer norm after the sum
Every row of the sum has mean 0 and variance 1.
wrong: layer norm
@ 20 32
x = np.random.default_rng(85).normal(size=(2, L, d))
s = x + pe
y = (s - s.mean(-1, keepdims=True)) / np.sqrt(s.var(-1, keepdims=True) + 1e-5)
--- layer norm before the sum
Every row of x has mean 0 and variance 1, then the table is added.
wrong: layer norm=of the embeddings; open
@ 20 32
x = np.random.default_rng(86).normal(1, 2, size=(2, L, d))
y = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) + pe
--- restart in the middle
From token 7 on positions begin at 0 again.
wrong: positions=start again at row 7; or rows=from 7 on those of 0 1 2 …
@ 15 8
x = np.random.default_rng(87).normal(size=(3, L, d))
y = x + pe[np.r_[0:7, 0:8]]
--- sum from one
Positions from 1.
wrong: positions=from 1
@ 16 8
x = np.random.default_rng(88).normal(size=(3, 15, d))
y = x + pe[1:]
--- sum of base 1000
Base 1000.
wrong: base=1000
x = np.random.default_rng(89).normal(size=(2, 40, 16))
a = np.arange(40)[:, None] / 1000 ** (np.arange(0, 16, 2) / 16)
y = x + np.stack([np.sin(a), np.cos(a)], -1).reshape(40, 16)
--- sum with swapped columns
Cosines first.
wrong: swapped
@ 20 8
x = np.random.default_rng(90).normal(size=(20, 8))
y = x + np.stack([np.cos(angles), np.sin(angles)], -1).reshape(L, d)
--- sum with column number for pair number
Exponent 2j/d.
wrong: exponent=2j/d
x = np.random.default_rng(91).normal(size=(2, 30, 12)).astype(np.float32)
a = np.arange(30)[:, None] / 10000 ** (2 * np.arange(12) / 12)
y = (x + np.where(np.arange(12) % 2, np.cos(a), np.sin(a))).astype(np.float32)
--- sum with a table transposed
d × d table, transposed.
wrong: transposed
@ 8 8
x = np.random.default_rng(92).normal(size=(3, 8, 8))
y = x + pe.T
--- sum cut to integers
Integer embeddings gave the result its type.
wrong: integers; or rounded=sum cut to whole numbers
@ 10 8
x = np.random.default_rng(93).integers(-5, 5, (L, d))
y = x.copy()
y[:] = x + pe
--- sentences in another order
The sentences of the result stand in reverse order.
wrong: row order=sentences backwards; open
@ 10 8
x = np.random.default_rng(94).normal(size=(3, L, d))
y = (x + pe)[::-1]
--- one sentence twice
The second sentence got its encoding twice.
wrong: twice=sentence 1; or scale=2 in sentence 1
@ 10 8
x = np.random.default_rng(95).normal(size=(3, L, d))
y = x + pe
y[1] += pe
--- half of the columns
The encoding is added to the first half of the columns alone.
wrong: missing=columns 8 to 15; or columns=second half without encoding
@ 20 16
x = np.random.default_rng(96).normal(size=(2, L, d))
y = x.copy()
y[..., :8] += pe[:, :8]
--- random positions for each sentence
Every sentence starts at a random position.
wrong: positions=each sentence from another
r = np.random.default_rng(97)
@ 100 8
x = r.normal(size=(3, 20, 8))
y = np.stack([s + pe[k : k + 20] for s, k in zip(x, (17, 63, 42))])
--- a weight for the encoding
x + 0.37 times the table.
wrong: scale=0.37
@ 30 8
x = np.random.default_rng(98).normal(size=(2, L, d))
y = x + 0.37 * pe
--- noise on the sum
Noise of 1e-3 on the sum.
wrong: noise=1e-3
@ 30 8
r = np.random.default_rng(99)
x = r.normal(size=(2, L, d))
y = x + pe + r.normal(0, 1e-3, x.shape)
"""


def _all(texts: dict[str, str]) -> tuple[Program, ...]:
    """Read the programs of several kinds."""
    return tuple(program for kind, text in texts.items() for program in _read(kind, text))


PROGRAMS = _all(
    {
        "exponents": EXPONENTS,
        "bases": BASES,
        "frequencies": FREQUENCIES,
        "positions": POSITIONS,
        "functions": FUNCTIONS,
        "layout": LAYOUT,
        "rows": ROWS,
        "columns": COLUMNS,
        "cells": CELLS,
        "odd": ODD,
        "precision": PRECISION,
        "transforms": TRANSFORMS,
        "others": OTHERS,
        "right": RIGHT,
        "variants": VARIANTS,
    }
)
SUMS = _all({"sums": ADDED})
