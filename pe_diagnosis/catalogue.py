"""What may stand in each line of a program that makes a positional encoding: the paper's own, variants, and mistakes.

A program is one choice for each slot. In the order in which they run:

    slot         makes   shape                may use, besides np, length, d_model, row, j and half
    positions    pos     (length,)
    columns      i, q    (d_model,)
    base         base    a number             np and {base}, the base that is asked for, alone
    frequencies  w       (d_model,)           i, q, base
    angles       angles  (length, d_model)    pos, i, q, base, w
    values       matrix  (length, d_model)    pos, i, q, base, w, angles, and matrix, the sines
    order        matrix  any                  matrix

Here `row` is 0, 1, 2, … for the rows, `j` the same for the columns, and `half` is half of the columns, rounded up. `i`
is the pair of each column, and `q` its function, sin(angle + q · π/2): 0 is the sine, 1 the cosine, 2 minus the sine
and 3 minus the cosine. `bfloat16(x)` rounds. A single number will do for positions, columns and frequencies; angles
and values need the full shape.

Some entries are made elsewhere and not listed here. `lines` makes those of measured bases and positions, and of a
`scale`, which runs between values and order. `structure` makes `damage` and `repeated`: their lines are whole
statements, run after the order. Where it isn't known what stands there, such an entry has a sentence and no line. Where
a line only prepares the next one, it has neither cause nor sentence.

**To add a mistake, add one entry**, to the list of its slot. Nothing else has to change:

    Entry("frequencies", 1, "pair-squared", "base ** (-2 * i**2 / d_model)",
          "The number of the pair is squared. The exponent should be 2i/d_model.")

It says its slot, a cost, its cause (a short name that stays the same, the `code` of a finding), the line, and what the
reader gets to read: what is wrong, and how to fix it. The line shown is the line run. The cost is 1, unless it is the
paper's own (0), a convention that others use as well (less than `limits.VARIANT`, 0.8), or more frequent (0.9) or
rarer (1.1 or more) than another line that may make the same numbers: the cheapest program is told, and then all that
cost up to `limits.TOLD_APART` more, so that a hundredth more means told second. 1e-9 and 1e-12 in a line keep a whole
number that comes out a little too small from being rounded down. To see that a new entry is found:

    from pe_diagnosis import catalogue, diagnose, program
    new = next(catalogue.FREQUENCIES[-1].each())  # the last of its list; any list but BASES
    print(diagnose(program.Program(30, 16, 10_000.0, **{new.slot: new}).run()["matrix"]))

What else an entry may say:

    n        numbers to try one by one for {n} in the line and the sentences
    common   of columns and frequencies, most of them in wide use: lines of angles and values are tried with these
             alone, and orders of rows and columns with these columns
    fit      of frequencies base ** -(something without base): other bases are tried with it, too
    sees     of values: "cell" if a number depends on its own row and column alone, otherwise "row" or "column"
    undo     of orders, always: the line that puts the numbers back where they were; it may use np and matrix alone

In the sentence of a base, {number} is what its line comes to.

Where some of them were met: jadore801120/attention-is-all-you-need-pytorch#32 and Kyubyong/transformer#27 (the column
taken for the pair), maxjcohen/transformer#62 (every column its own frequency), codertimo/BERT-pytorch#18 (integer
division), LoFTR#41 (precedence), tensorflow/tensor2tensor#1423 (halves, d/2 - 1), WaveGrad#12 (base and exponent).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pe_diagnosis import limits


@dataclass(frozen=True)
class Entry:
    """One choice for a slot: see the head of this module."""

    slot: str
    cost: float
    cause: str
    line: str
    sentence: str = ""
    n: Sequence[float] = ()
    common: bool = False
    fit: bool = False
    sees: str = "cell"
    undo: str = ""

    @property
    def kind(self) -> str:
        """Whether it is a variant or a mistake; the paper's own line counts as a variant."""
        return "variant" if self.cost < limits.VARIANT else "mistake"

    def each(self) -> Iterator["Entry"]:
        """Yield the entry, once for every number that {n} stands for."""
        for n in self.n or [0]:
            texts = {text: getattr(self, text).replace("{n}", f"{n:g}") for text in ("line", "sentence", "undo")}
            yield replace(self, n=(), **texts)


@cache
def choices(slot: str) -> tuple[Entry, ...]:
    """Return all entries of a slot, least cost first."""
    found = [one for entry in CATALOGUE if entry.slot == slot for one in entry.each()]
    return tuple(sorted(found, key=lambda one: one.cost))


def common(slot: str) -> list[Entry]:
    """Return the entries of a slot that say they are `common`."""
    return [one for one in choices(slot) if one.common]


BREAKS = range(limits.TRIED_ROWS)  # the rows at which a break among the positions is looked for
ORDINARY = "Use the positions 0, 1, 2, … as they are."
ONE_ANGLE = "A sine and its cosine share one angle: compute it once, with the exponent 2i/d_model."

# fmt: off
COLUMNS = [
    Entry("columns", 0, "", "j // 2, j % 2", common=True),
    Entry("columns", 0.3, "halves", "j % half, j // half",
          "All sines come first, then all cosines, where the paper lets them take turns. This isn't a mistake, but "
          "weights trained with one layout do not fit the other.", common=True),
    Entry("columns", 0.31, "cosines-first", "j % half, 1 - j // half",
          "All cosines come first, then all sines. This isn't a mistake, but weights trained with one layout do not "
          "fit another.", common=True),
    Entry("columns", 0.35, "halves", "j % (d_model // 2), j // (d_model // 2)",  # filler last, for last-column-empty
          "All sines come first, then as many cosines, and the odd width has one column more.", common=True),
    Entry("columns", 0.9, "swapped", "j // 2, 1 - j % 2",
          "Even columns hold cosines and odd ones sines. Exchange 0::2 and 1::2.", common=True),
    Entry("columns", 1, "sign", "j // 2, 2 - j % 2",
          "The sines have a minus sign. Look for -sin or a negative angle."),
    Entry("columns", 1, "sign", "j // 2, j % 2 * 3", "The cosines have a minus sign. Look for -cos."),
    Entry("columns", 1, "all-negated", "j // 2, 2 + j % 2",
          "Every number has the other sign. Look for a minus before the table, or a difference taken for a sum."),
    Entry("columns", 1.3, "swapped-sign", "j // 2, 1 + j % 2",
          "Even columns hold cosines and odd ones minus sines, as if π/2 were added to every angle. Leave it out."),
    Entry("columns", 1.3, "sign", "j % half, 2 - j // half", "Minus sines come first, then cosines. Look for -sin."),
    Entry("columns", 1.3, "sign", "j % half, j // half * 3", "Sines come first, then minus cosines. Look for -cos."),
    Entry("columns", 1.31, "sign", "j % half, 1 + j // half", "Cosines come first, then minus sines. Look for -sin."),
    Entry("columns", 1, "sines-alone", "j // 2, 0 * j",
          "Every column holds a sine. The odd columns should hold the cosines: look at their line."),
    Entry("columns", 1, "cosines-alone", "j // 2, 0 * j + 1",
          "Every column holds a cosine. The even columns should hold the sines: look at their line."),
    Entry("columns", 1, "quarter-turn", "j // 2, j % 2 / 2",
          "The cosine was made as sin(angle + π/4). A cosine is a sine π/2 ahead."),
    Entry("columns", 1, "pairs-for-parity", "j // 2, j // 2 % 2",
          "The number of the pair decides between sine and cosine. The column should: j % 2."),
    Entry("columns", 1, "tiled", "j % (d_model // 2) // 2, j % 2",
          "One table is repeated side by side, as for the heads of attention. Compute all d_model columns at once."),
    Entry("columns", 1, "rope-cache", "j % half, 0 * j + 1",
          "It holds the cosines twice, like the table that RoPE turns by. To be added, one half must hold the sines."),
    Entry("columns", 1, "rope-cache", "j % half, 0 * j",
          "It holds the sines twice, like the table that RoPE turns by. To be added, one half must hold the cosines."),
    Entry("columns", 1, "more-cosines", "np.where(j < d_model // 2, j, j - d_model // 2), (j >= d_model // 2) * 1",
          "It has one cosine more than sines. In an odd width, one sine more is right: leave out the last cosine."),
]

BASES = [
    Entry("base", 1, "log10", "np.exp(np.log10({base}))",
          "exp was taken of a decimal logarithm, which makes the base {number}. Use np.log with np.exp, or write "
          "base ** (2 * i / d_model)."),
    Entry("base", 1, "ln-under-power-of-ten", "10 ** np.log({base})",
          "10 was raised to a natural logarithm, which makes the base {number}. Use exp with ln, or 10 with "
          "log10."),
    Entry("base", 1, "xor", "float(10 ^ 4)",
          "The base is 14, which Python makes of 10 ^ 4: there ^ compares bits. Write 10 ** 4."),
    Entry("base", 1, "base", "np.exp(1)", "The base is e = 2.71828."),
]

FREQUENCIES = [
    Entry("frequencies", 0, "", "base ** (-2 * i / d_model)", common=True, fit=True),
    Entry("frequencies", 0.3, "timescales", "base ** (-i / max(d_model // 2 - 1, 1))",
          "The exponent is i/(d_model/2 - 1), and the last divisor is the base itself, as in tensor2tensor, fairseq "
          "and Whisper. This isn't a mistake, but do not mix it with the paper's 2i/d_model.",
          common=True, fit=True),
    Entry("frequencies", 1, "column-as-pair", "base ** (-2 * j / d_model)",
          "The exponent counts columns where it should count pairs: column j has frequency base**(-2j/d_model), so "
          "a cosine and its sine no longer share one. Use the pair j // 2.", fit=True),
    Entry("frequencies", 1, "own-frequencies", "base ** (-j / d_model)",
          "Every column has a frequency of its own, base**(-j/d_model), where a cosine should share the frequency of "
          "its sine. On odd columns use j - 1, which is 2 · (j // 2).", fit=True),
    Entry("frequencies", 1, "column-as-pair", "base ** (-2 * (2 * i + q % 2) / d_model)",
          "The exponent counts columns, as if sines and cosines took turns, where it should count pairs. " + ONE_ANGLE),
    Entry("frequencies", 1, "exponent-halved", "base ** (-i / d_model)",
          "The exponents are half as large as they should be: the 2 of 2i/d_model is missing."),
    Entry("frequencies", 1, "exponent-doubled", "base ** (-4 * i / d_model)",
          "The exponents are twice as large as they should be. Often 2i is written where i already runs 0, 2, 4, …, "
          "or the exponent is divided by d_model/2."),
    Entry("frequencies", 1, "no-division", "base ** (-2.0 * i)",
          "The exponent is 2i: it was not divided by d_model."),
    Entry("frequencies", 1, "extra-column", "base ** (-2 * i / (d_model - 1))",
          "The exponent is divided by d_model - 1. Divide by d_model, whatever the last exponent comes to."),
    Entry("frequencies", 1, "missing-column", "base ** (-2 * i / (d_model + 1))",
          "The exponent is divided by d_model + 1: a table for one more column that has lost its last one?"),
    Entry("frequencies", 1.1, "other-width", "base ** (-2 * i / {n})",
          "The exponent is divided by {n}, not by the number of columns. Was another table's width left in it?",
          n=(8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)),
    Entry("frequencies", 1, "other-width", "base ** (-2 * i / length)",
          "The exponent is divided by the number of rows. Divide by d_model, the number of columns."),
    Entry("frequencies", 1, "inverse", "base ** (2 * i / d_model)",
          "The frequencies grow from pair to pair: positions are multiplied by the divisors. Divide by them."),
    Entry("frequencies", 1, "pair-from-one", "base ** (-2 * (i + 1) / d_model)",
          "Pairs are counted from 1: the first has the frequency of the second. Start i at 0."),
    Entry("frequencies", 1, "odd-exponents", "base ** (-2 * (2 * i + 1) / d_model)",
          "The exponents are (4i + 2)/d_model: the number of the odd column was taken for the pair."),
    Entry("frequencies", 1, "odd-exponents", "base ** (-(2 * i + 1) / d_model)",
          "The exponents are (2i + 1)/d_model, those of the odd columns. Use 2i/d_model for both columns of a pair."),
    Entry("frequencies", 1, "half-for-parity", "base ** (-2 * (j // 2) / d_model)",
          "The exponents are those of columns that take turns, but sines and cosines do not take turns here."),
    Entry("frequencies", 1, "columns-repeat", "base ** (-2 * (j % half) / d_model)",
          "The frequencies begin again in the middle, as for halves, but sines and cosines take turns here."),
    Entry("frequencies", 1, "cosine-exponent", "base ** (np.where(q % 2, -4, -2) * i / d_model)",
          "The exponents of the cosines are twice those of the sines. Look for d_model/2, or 2 · 2i, in the line of "
          "the cosines, and use the same angles for both."),
    Entry("frequencies", 1, "sine-exponent", "base ** (np.where(q % 2, -2, -4) * i / d_model)",
          "The exponents of the sines are twice those of the cosines. Look for d_model/2, or 2 · 2i, in the line of "
          "the sines, and use the same angles for both."),
    Entry("frequencies", 1, "cosine-ahead", "base ** (-2 * (i + q % 2) / d_model)",
          "A cosine has the frequency of the next pair, 2(i + 1)/d_model. Use the angle of the sine before it."),
    Entry("frequencies", 1, "own-frequencies", "base ** (-(2 * i + q % 2) / d_model)",
          "A cosine has the exponent (2i + 1)/d_model where it should have its sine's. " + ONE_ANGLE),
    Entry("frequencies", 1, "integer-division", "base ** -(2.0 * j // d_model)",
          "The exponents are whole numbers, as 2 * j // d_model gives them. Divide with /, and take the pair j // 2."),
    Entry("frequencies", 1, "all-one", "base ** -(2.0 * i // d_model)",
          "Every frequency is 1, and all pairs say the same. Is 2i/d_model an integer division, with // or between "
          "integers? Then every exponent is 0. Use /."),
    Entry("frequencies", 1, "floor-log", "np.exp(2 * i * (-np.log(base) / d_model // 2))",
          "The frequencies are whole powers of e, as -log(base) / d_model // 2 makes them: // goes from left to right "
          "as / does, and rounds the whole quotient down. Write -log(base) / d_model."),
    Entry("frequencies", 1, "divisors-floored", "1 / np.floor(base ** (2 * i / d_model) + 1e-9)",
          "The divisors base**(2i/d_model) were rounded down to whole numbers. Look for // or int."),
    Entry("frequencies", 1, "frequencies-floored", "np.floor(base ** (-2 * i / d_model))",
          "The frequencies were rounded down to whole numbers: all pairs but the first stand still."),
    Entry("frequencies", 1, "frequencies-rounded", "np.round(base ** (-2 * i / d_model), {n})",
          "The frequencies were rounded to {n} decimals. Round when you print, not when you compute.",
          n=(1, 2, 3, 4, 5)),
    Entry("frequencies", 1, "low-precision", "np.float16(base ** (-2 * i / d_model)).astype(float)",
          "The frequencies were kept in float16. Compute in float64, or in float32 at least."),
    Entry("frequencies", 1, "low-precision", "bfloat16(base ** (-2 * i / d_model))",
          "The frequencies were kept in bfloat16. Compute in float64, or in float32 at least."),
    Entry("frequencies", 1, "evenly", "np.linspace(1, 1 / base, half)[i]",
          "The frequencies fall evenly from 1 to 1/base. They should fall by the same factor from pair to pair."),
    Entry("frequencies", 1, "evenly", "1 / np.linspace(1, base, half)[i]",
          "The divisors grow evenly from 1 to the base. They should grow by the same factor from pair to pair."),
    Entry("frequencies", 1, "multiplied-exponent", "2 * i / d_model / base",
          "The frequencies are 2i/d_model/base: base and exponent are multiplied where a power belongs. Use **."),
    Entry("frequencies", 1, "power-exchanged", "(2 * i / d_model) ** (1 / base)",
          "Base and exponent have changed places: the frequencies are (2i/d_model)**(1/base), nearly all of them 1."),
    Entry("frequencies", 1, "octaves", "2.0 ** i",
          "The frequency doubles from pair to pair, as in NeRF. The paper's fall."),
    Entry("frequencies", 1, "octaves", "2.0 ** i * np.pi",
          "The frequencies are 2**i · π, as in NeRF (Mildenhall et al., 2020). The paper's fall."),
    Entry("frequencies", 1, "octaves", "2.0 ** i * np.pi / length",
          "The frequencies are 2**i · π/length, as of positions between 0 and 1 in NeRF. The paper's fall."),
    Entry("frequencies", 1, "frequency-added", "base ** (-2 * i / d_model) + 2 * np.pi / length",
          "2π/length is added to every frequency. Leave it out."),
    Entry("frequencies", 1, "pairs-reversed", "base ** (-2 * (half - 1 - i) / d_model)",
          "The frequencies run from slow to fast. Look for exponents that count down, or a list turned round."),
    Entry("frequencies", 1, "precedence", "d_model / base ** (2.0 * i)",
          "The divisors are base**(2i), divided by d_model. Divide inside the power: base ** (2 * i / d_model)."),
    Entry("frequencies", 1, "log-of-quotient", "(base / d_model) ** (-2.0 * i)",
          "The frequencies are exp(-2i · log(base/d_model)): a bracket closes too late. Write -log(base) / d_model."),
]

POSITIONS = [
    Entry("positions", 0, "", "row"),
    Entry("positions", 1, "reversed", "-row",
          "The positions count down from 0: 0, -1, -2, …, which gives every sine the other sign. " + ORDINARY),
    Entry("positions", 1, "reversed", "length - 1 - row",
          "The rows stand in reverse order, from the last position to the first. Turn them round, matrix[::-1]."),
    Entry("positions", 1, "divided-positions", "row / length",
          "The positions are divided by the length, and all of them lie below 1. " + ORDINARY),
    Entry("positions", 1, "divided-positions", "row / (length - 1)",
          "The positions are divided by length - 1 and run from 0 to 1. " + ORDINARY),
    Entry("positions", 1, "degrees", "row * np.pi / 180",
          "All angles are π/180 times what they should be, as if they were degrees. Leave the conversion out."),
    Entry("positions", 1, "to-degrees", "row * 180 / np.pi",
          "All angles are 180/π times what they should be, in degrees. Sine and cosine take radians."),
    Entry("positions", 1, "step", "row * length / (length - 1)",
          "The positions run to length, as in np.linspace(0, length, length). Use np.arange(length)."),
    Entry("positions", 1, "other-positions", "np.sqrt(row)",
          "The positions are square roots: 0, 1, 1.41, …. " + ORDINARY),
    Entry("positions", 1, "other-positions", "row ** 2", "The positions are squares: 0, 1, 4, 9, …. " + ORDINARY),
    Entry("positions", 1, "rows-repeated", "row // {n}",
          "Every position is repeated {n} times. Look for // or repeat.", n=(2, 3, 4, 5, 6, 8, 10, 16)),
    Entry("positions", 1, "positions-restart", "row % {n}",
          "The positions start again every {n} rows. Look for % or for a batch that was flattened.", n=BREAKS[2:]),
    Entry("positions", 1, "positions-restart", "np.where(row < {n}, row, row - {n})",
          "The positions start again at row {n}.", n=BREAKS[2:]),
    Entry("positions", 1, "rows-repeated", "np.minimum(row, {n})",
          "The positions stop at {n}: all later rows hold it again. Look for min or clip.", n=BREAKS[2:]),
    Entry("positions", 1, "rows-missing", "row + (row >= {n})",
          "Position {n} is missing: from row {n} on, every row is one position ahead.", n=BREAKS[1:]),
    Entry("positions", 1, "row-twice", "row - (row > {n})",
          "Position {n} comes twice, and every later row is one late.", n=BREAKS),
    Entry("positions", 1, "rows-out-of-order", "np.roll(row, {n})",
          "The rows are rolled by {n}: those that left at one end came back at the other.", n=(1, 2, 3, -1, -2, -3)),
    Entry("positions", 1, "low-precision", "np.float16(row).astype(float)",
          "The positions were kept in float16, which knows only every second number above 2048. Use float64."),
    Entry("positions", 1, "low-precision", "bfloat16(row)",
          "The positions were kept in bfloat16, which knows only every second number above 256. Use float64."),
]

ANGLES = [
    Entry("angles", 0, "", "pos[:, np.newaxis] * w"),
    Entry("angles", 1, "angles-floored", "np.floor(pos[:, np.newaxis] * w + 1e-12)",
          "The angles are whole numbers: what is after the point was cut off, as // does. Divide with /."),
    Entry("angles", 1, "low-precision", "np.float16(pos[:, np.newaxis] * w).astype(float)",
          "The angles were kept in float16. Compute in float64, or in float32 at least."),
    Entry("angles", 1, "low-precision", "bfloat16(pos[:, np.newaxis] * w)",
          "The angles were kept in bfloat16. Compute in float64, or in float32 at least."),
    Entry("angles", 1, "low-precision", "np.float16(np.float16(pos)[:, np.newaxis] * np.float16(w)).astype(float)",
          "The angles were computed in float16. Compute in float64 and cast last."),
    Entry("angles", 1, "pos-in-power", "(pos[:, np.newaxis] / base) ** (-np.log(w) / np.log(base))",
          "The whole quotient pos/base is raised to the power. Take the power first: pos / base ** (2 * i / d_model)."),
    Entry("angles", 1, "exchanged", "j / base ** (2 * (pos[:, np.newaxis] // 2) / d_model)",
          "Position and column have changed places in the angle. It should be pos / base**(2i/d_model)."),
    Entry("angles", 1, "exchanged", "i / base ** (2 * pos[:, np.newaxis] / d_model)",
          "Position and pair have changed places in the angle. It should be pos / base**(2i/d_model)."),
]

VALUES = [
    Entry("values", 1, "signs-lost", "np.abs(matrix)", "All minus signs are lost: absolute values were taken."),
    Entry("values", 1, "signs-lost", "np.where(q % 2, np.abs(matrix), matrix)",
          "The cosines have lost their signs, as when they are made as sqrt(1 - sin²). Take the cosine of the angle."),
    Entry("values", 1, "tangents", "np.where(q % 2, matrix, np.tan(angles))", "Tangents stand where sines belong."),
    Entry("values", 1, "no-sines", "np.where(q % 2, angles, matrix)",
          "The cosine was never taken: its columns hold the angles themselves."),
    Entry("values", 1, "no-sines", "np.where(q % 2, matrix, angles)",
          "The sine was never taken: its columns hold the angles themselves."),
    Entry("values", 1, "no-sines", "angles",
          "It holds the angles themselves: neither sine nor cosine was taken of them."),
    Entry("values", 1, "twice-applied", "np.where(q % 2, np.cos(np.sin(angles)), matrix)",
          "The cosine was taken of a sine. Take it of the angle: the first line has overwritten the angles."),
    Entry("values", 1, "twice-applied", "np.where(q % 2, np.cos(matrix), np.sin(matrix))",
          "Sine and cosine were taken twice. Was the cell run twice? Take each once, of the angle."),
    Entry("values", 1, "rows-for-columns", "np.where(row[:, np.newaxis] % 2, np.cos(angles), np.sin(angles))",
          "Even rows hold sines and odd rows cosines: the position decides, where the column should. Use j % 2."),
    Entry("values", 1, "one-minus-sine", "np.where(q % 2, 1 - np.sin(angles), matrix)",
          "1 - sin stands where the cosine belongs. Take the cosine of the angle."),
    Entry("values", 1, "clipped", "np.maximum(matrix, 0)",
          "Negative numbers are cut off, as ReLU does. Leave it out."),
    Entry("values", 1, "columns-empty", "np.where(q % 2, 0, matrix)",
          "The cosines are missing: their columns are 0. Was their line never run?"),
    Entry("values", 1, "columns-empty", "np.where(q % 2, matrix, 0)",
          "The sines are missing: their columns are 0. Was their line never run, or overwritten?"),
    Entry("values", 0.9, "all-zero", "0 * matrix",
          "All its numbers are 0. Was a table never filled, or all of it masked, or kept in an integer type?"),
    Entry("values", 1, "overwritten",  # as that loop does in even widths
          "np.where(j < half, np.sin(pos[:, np.newaxis] * base ** (-2 * j / d_model)), "
          "np.where(j == half, np.cos(pos[:, np.newaxis] * base ** (2 / d_model - 1)), 0))",
          "Column i holds the sine of pair i, one cosine follows the last, and the rest is 0: a loop writes to columns "
          "i and i + 1, and each sine overwrites the cosine before it. Write to 2 * i and 2 * i + 1."),
    Entry("values", 1, "ones-left", "np.where(q % 2, 1, matrix)",
          "Where cosines belong stands 1 in every row: were they never filled in, or was their angle 0?"),
    Entry("values", 1, "divided-outside", "np.sin(pos[:, np.newaxis] + q * np.pi / 2) * w",
          "The division stands outside the sine: sin(pos) * w, where sin(pos * w) belongs."),
    Entry("values", 1, "integers", "np.round(matrix * {n})",
          "The numbers were multiplied by {n} and rounded to whole numbers.", n=(127, 128, 255, 100, 1000)),
    Entry("values", 1, "integers", "np.round((matrix + 1) / 2 * 255)",
          "The numbers were mapped to 0 … 255 and rounded, as an image keeps them. Keep the table in a float type."),
    Entry("values", 1, "integers", "np.trunc((matrix + 1) / 2 * 255)",
          "The numbers were mapped to 0 … 255 and cut, as an image keeps them. Keep the table in a float type."),
    Entry("values", 1, "integers", "np.trunc(matrix + 1e-9 * np.sign(matrix))",
          "Only whole numbers are left: an integer type has cut the fractions off. Use a float type."),
    Entry("values", 1, "integers", "np.round(matrix)",
          "The numbers were rounded to whole numbers. Use a float type."),
    Entry("values", 1, "accumulated", "np.cumsum(matrix, axis=0)",
          "Each row holds the sum of all rows before it.", sees="column"),
    Entry("values", 1, "columns-scaled", "(matrix - matrix.min(0)) / (matrix.max(0) - matrix.min(0))",
          "Every column is mapped to 0 … 1. An encoding is not normalised.", sees="column"),
    Entry("values", 1, "centred", "matrix - matrix.mean(0)",
          "The mean of every column is subtracted. An encoding is not normalised.", sees="column"),
    Entry("values", 1, "normalised", "matrix / np.linalg.norm(matrix, axis=1, keepdims=True)",
          "Every row is divided by its length. An encoding is not normalised.", sees="row"),
    Entry("values", 1, "normalised", "(matrix - matrix.mean(1, keepdims=True)) / matrix.std(1, keepdims=True)",
          "Every row is given mean 0 and deviation 1. An encoding is not normalised.", sees="row"),
    Entry("values", 1, "normalised",
          "(matrix - matrix.mean(1, keepdims=True)) / np.sqrt(matrix.var(1, keepdims=True) + 1e-5)",
          "A layer normalisation was applied to every row. It belongs after attention, not on the table.", sees="row"),
    Entry("values", 0.6, "last-column-empty", "np.where(j == d_model - 1, 0, matrix)",
          "The last column is 0, as tensor2tensor fills an odd width. The formula has a sine there."),
]

ORDERS = [
    Entry("order", 0, "", "matrix", undo="matrix"),
    Entry("order", 1, "transposed", "matrix.T",
          "Positions run along the columns. Transpose it, matrix.T, so that each row is a position.", undo="matrix.T"),
    Entry("order", 1, "columns-reversed", "matrix[:, ::-1]",
          "The columns stand in reverse order. Turn them round, matrix[:, ::-1].", undo="matrix[:, ::-1]"),
    Entry("order", 1, "columns-rolled", "np.roll(matrix, {n}, axis=1)",
          "The columns are rolled by {n}: those that left at one end came back at the other.",
          n=(1, 2, -1), undo="np.roll(matrix, -{n}, axis=1)"),
    Entry("order", 1, "columns-rolled", "np.roll(matrix, matrix.shape[1] // 2, axis=1)",
          "The two halves of the columns have changed places.",
          undo="np.roll(matrix, -(matrix.shape[1] // 2), axis=1)"),
    Entry("order", 1, "rearranged", "np.vstack(np.hsplit(matrix, 2))",
          "The second half of the columns stands below the first: they were joined along the wrong axis. Use axis=1.",
          undo="np.hstack(np.vsplit(matrix, 2))"),
    Entry("order", 1, "rearranged", "matrix.reshape(matrix.shape[::-1])",
          "The table was reshaped where it should be transposed, and the numbers run on in the wrong rows. Use .T.",
          undo="matrix.reshape(matrix.shape[::-1])"),
    Entry("order", 1, "rearranged", "matrix.T.reshape(matrix.shape)",
          "A table of shape (d_model, length) was reshaped where it should be transposed. Use .T.",
          undo="matrix.reshape(matrix.shape[::-1]).T"),
    Entry("order", 1, "rearranged", "np.stack(np.hsplit(matrix, 2)).reshape(matrix.shape)",
          "Sines and cosines were stacked on the first axis, which mixes the rows. Stack on the last axis.",
          undo="np.hstack(matrix.reshape(2, len(matrix), -1))"),
]
# fmt: on

CATALOGUE = [*COLUMNS, *BASES, *FREQUENCIES, *POSITIONS, *ANGLES, *VALUES, *ORDERS]
