"""The sentences of the diagnosis: for each code what was found, how it comes about, and how to mend it.

Where some of these mistakes were met: jadore801120/attention-is-all-you-need-pytorch#32 and Kyubyong/transformer#27
(the column taken for the pair), maxjcohen/transformer#62 (own frequencies; base 1000), codertimo/BERT-pytorch#18
(integer division), LoFTR#41 (precedence).
"""

import math

from pe_lib.diagnosis.report import Finding

VARIANTS = {"halves", "cosines-first", "timescales"}


def known_scales(d_model: int) -> list[tuple[str, float]]:
    """Return factors that encodings are multiplied by, in words and as numbers."""
    return [
        ("", 1.0),
        ("as if the encoding had been added twice", 2.0),
        ("which is 1/sqrt(d_model)", d_model**-0.5),
        ("which is sqrt(2/d_model) and gives every row the length 1", math.sqrt(2 / d_model)),
        ("which is sqrt(d_model): in the paper the embeddings are multiplied by it", math.sqrt(d_model)),
    ]


ASK = " If this is a sum with embeddings, ask diagnose_sum(x, y)."

CAUSES = {
    # frequencies
    "column-as-pair": (
        "The column number j stands in the exponent where the pair belongs: column j has frequency "
        "base**(-2j/d_model), so a cosine does not share the frequency of its sine.{here} Use the pair i = j // "
        "2, or 2i = 0, 2, 4, … once for two columns."
    ),
    "own-frequencies": (
        "Every column has a frequency of its own, base**(-j/d_model); a cosine should share that of the sine before "
        "it.{here} On odd columns use j-1, that is 2·(j//2)."
    ),
    "cosine-exponent": (
        "The exponent of the cosines is twice that of the sines.{here} Look for d_model/2, or 2·2i, in the line "
        "of the cosines, and use the same angles for both."
    ),
    "sine-exponent": (
        "The exponent of the sines is twice that of the cosines.{here} Look for d_model/2, or 2·2i, in the line "
        "of the sines, and use the same angles for both."
    ),
    "cosine-exponent-halved": (
        "The exponent of the cosines is half that of the sines.{here} Is a 2 missing in the line of the cosines? "
        "Use the same angles for both."
    ),
    "sine-exponent-halved": (
        "The exponent of the sines is half that of the cosines.{here} Is a 2 missing in the line of the sines? "
        "Use the same angles for both."
    ),
    "exponent-doubled": (
        "The exponents are twice as large as they should be, as if the base were {found}.{here} Often 2i is "
        "written where i already runs 0, 2, 4, …, or the exponent is divided by d_model/2."
    ),
    "exponent-halved": (
        "The exponents are half as large as they should be, as if the base were {found}.{here} The 2 of "
        "2i/d_model is missing, with i = 0, 1, 2, …"
    ),
    "base": "The base is {found} and should be {base}.{here} Look for a number mistyped, or for another default.",
    "log10": (
        "The effective base is {found}: log10({base}) = {log10} inside exp, where the natural logarithm "
        "belongs.{here} Use np.log({base}) with np.exp, or write base ** (2i/d_model)."
    ),
    "ln-under-power-of-ten": (
        "The effective base is {found}, 10 to the power ln({base}) = {log}: a natural logarithm under a power of "
        "ten.{here} Use exp with ln, or 10 with log10."
    ),
    "xor": (
        "The effective base is {found}, what Python makes of 10 ^ {log10}: ^ is no power there, it compares "
        "bits.{here} Write 10 ** {log10}, or {base}."
    ),
    "inverse": (
        "The frequencies are upside down: they grow from pair to pair.{here} Positions are multiplied by the "
        "divisors, or divided by frequencies, which are inverted already. Multiply by base**(-2i/d_model)."
    ),
    "all-one": (
        "All frequencies are 1, so all pairs say the same.{here} Is 2i/d_model an integer division, with // or "
        "between integer arrays? Then every exponent is 0. Use /."
    ),
    "floor-log": (
        "The frequencies are exp(-{slope}·i), which no base of the paper's formula needs.{here} The expression "
        "-log(base)/d_model//2 divides first and rounds down then. Write -log(base)/d_model, without //."
    ),
    "timescales": (
        "The exponent is i/(d_model/2 - 1), so that the last divisor is the base itself: the spacing of "
        "tensor2tensor, fairseq and Whisper, in place of the paper's 2i/d_model.{here} It is no mistake, but do "
        "not mix the two."
    ),
    "pair-from-one": (
        "The pairs are counted from 1: the first has the frequency of the second.{here} Start i at 0, so that "
        "the first divisor is 1."
    ),
    "degrees": (
        "All angles are pi/180 times what they should be: degrees, where sine and cosine take radians.{here} "
        "Leave out the conversion to radians."
    ),
    "to-degrees": (
        "All angles are 180/pi times what they should be: they were turned into degrees, and sine and cosine take "
        "radians.{here} Leave out the conversion."
    ),
    "step": (
        "Position and frequency are multiplied by {step}: the first pair should turn by 1 radian from a position "
        "to the next.{turn}{here} Use the positions 0, 1, 2, … as they are."
    ),
    "other-width": (
        "The exponents are divided by {width}, and there are {d_model} columns.{here} Was the width of another "
        "table left in the formula? Divide by d_model."
    ),
    "extra-column": (
        "The exponents are divided by {width}, one less than its {d_model} columns: a table for d_model = "
        "{width} that has got a column too many. For an odd d_model there is one sine more than there are "
        "cosines; leave the last cosine out."
    ),
    "missing-column": (
        "The exponents are divided by {width}, one more than its {d_model} columns: a table for d_model = "
        "{width} whose last column was cut off. For an odd width, compute the exponents with that width, or say "
        "that this is meant."
    ),
    "first-column-missing": (
        "The first column is missing: it begins with the cosine of pair 0, and its sine was cut off. Its "
        "{d_model} columns are columns 1 to {d_model} of a table for {width}."
    ),
    "columns-reversed": (
        "The frequencies run from slow to fast, and cosines stand before sines: the columns stand in reverse "
        "order.{here} Turn them round, matrix[:, ::-1]."
    ),
    "frequencies": (
        "Sines and cosines go in pairs, but the frequencies of the pairs follow no power of a base.{here} "
        "{words}Compare the divisors with base**(2i/d_model), one by one."
    ),
    # arrangement
    "transposed": (
        "Positions run along the columns: it has shape (d_model, L). Transpose it, matrix.T, so that each row is "
        "a position."
    ),
    "swapped": "Even columns hold cosines and odd ones sines; row 0 reads 1 0 1 0. Exchange 0::2 and 1::2.",
    "halves": (
        "All sines stand before all cosines, in place of taking turns. It is no mistake, but weights trained "
        "with one layout do not fit the other."
    ),
    "cosines-first": (
        "All cosines stand before all sines. That layout is no mistake, but weights trained with one layout do not fit "
        "another."
    ),
    "sines-alone": (
        "Every column holds a sine; the second of each pair should hold a cosine. Look at the line of the odd columns."
    ),
    "cosines-alone": (
        "Every column holds a cosine; the first of each pair should hold a sine. Look at the line of the even columns."
    ),
    "pairs-reversed": (
        "The frequencies run from slow to fast: the pairs stand in reverse order.{here} Look for exponents that "
        "count down, or a list of divisors that was turned round."
    ),
    "sign": (
        "The {which}s have a minus sign: column {column} is the first of them. Look for -sin, -cos or a negative angle."
    ),
    # positions
    "start": "Row {at} holds position {first}: positions are counted from {start}, and should be from 0.{why}",
    "row-zeroed": "Row 0 is all zeros, as if position 0 were padding; it should read 0 1 0 1 …",
    "rows-zeroed": (
        "{count} rows are all zeros (row {rows}). Is padding masked here, in the table that all sentences share?"
    ),
    "same-row": (
        "Every row is the same, that of position {position}: one position was taken for all. Look for a position "
        "that is not counted on, or a shape (1, d_model) that was broadcast."
    ),
    "reversed": "The positions run backwards: {shown}. Row 0 should hold position 0.",
    "rows-repeated": "Row {at} holds position {position}. The rows hold {shown}: positions are repeated.",
    "rows-out-of-order": "Row {at} holds position {position}. The rows hold {shown}, in place of 0, 1, 2, …",
    # numbers
    "scale": (
        "All numbers are multiplied by {scale}{words}. The encoding is added as it is: each row has the norm "
        "sqrt(d_model/2)."
    ),
    "offset": "Something was added: {what}. The encoding lies around 0; leave the shift out.",
    "rounded": (
        "The numbers are right, but rounded to {decimals} decimals. Round when you print, not when you compute."
    ),
    "low-precision": "{words}: the numbers are off by up to {most} (row {at}).{more} Compute in float64 and cast last.",
    "integers": (
        "It holds whole numbers only: sines and cosines whose decimals were {words}. Was it stored in an array of an "
        "integer type? Use float64."
    ),
    # leftovers
    "row-wrong": "Row {at} is not what it should be: {words}.{more}",
    "column-wrong": "Column {at} is not what it should be: {words}.",
    "cell-wrong": "Row {r}, column {c} holds {value}, and the rest says {right}.{more}",
    "columns-empty": "{what} all 0, and the others are right. Was something never filled in?",
    "columns-still": (
        "{what} the same in every row, and the others are right: there the angle does not grow. Is a division rounded "
        "down, with // in place of /?"
    ),
    "no-sines": "It holds the angles themselves. Take their sines in even columns and their cosines in odd ones.",
    "rows-for-columns": (
        "Even rows hold sines and odd rows cosines: the position decides between them, where the column should. Use "
        "j % 2, not pos % 2."
    ),
    "columns-out-of-order": (
        "All columns are right but stand in another order: column {at} should be column {which}. The columns are "
        "{shown}. A network trained with this order would do as well, but no other program expects it."
    ),
    "rearranged": "All its numbers are the right ones, but many stand at other places: {how}",
    "changed": "In place of the sines and cosines it holds {words}.",
    "columns-moved": (
        "The columns do not agree on the position: column 0 counts from {first}, and column {at} from {other}. Use the "
        "same positions for sines and cosines."
    ),
    "tangents": "The odd columns hold tangents; they should hold cosines.",
    "angles": (
        "Sines and cosines go in pairs, but their angles do not grow evenly with the position: in row {r} that of pair "
        "{pair} is {angle}, and should be {right}. The angle is pos times a number that does not depend on pos."
    ),
    "phase": "{phase} was added to all angles: position 0 should have the angle 0.",
    "whole-numbers": (
        "It holds whole numbers only, and no sines and cosines whose decimals were cut off or rounded give them. What "
        "was there before cannot be told. Was it stored in an array of an integer type?"
    ),
    "rows-scaled": "Every row is right but for a factor: it is multiplied by {by}. Leave it out.",
    "columns-scaled": (
        "Every column was stretched and moved by itself{words}. The encoding is not normalised: slow columns are "
        "meant to stay nearly constant."
    ),
    "noisy": (
        "It is close to the right encoding, but its numbers are off by about {off}. Was noise, or something "
        "else, added?"
    ),
    "other-encoding": "This is another encoding: each row holds {words}. It has no sines and cosines.",
    "column-frequencies": (
        "Every column is a sine or a cosine, but sine and cosine of a pair do not turn together.{here} "
        "{words}Compute all angles once, pos/base**(2i/d_model), and use them for both."
    ),
    # sums
    "sum-not-finite": (
        "{which} holds numbers that are not finite, first in row {r}, column {c}. Look for a division by zero, or a "
        "type too small for its numbers."
    ),
    "sum-too-large": (
        "The numbers go up to {largest:.3g}: beside them float64 has no digits left for sines and cosines, so what was "
        "added cannot be seen."
    ),
    "sum-of-integers": (
        "y is stored in an integer type, which cuts off the decimals of sines and cosines. Turn x into floats before "
        "you add."
    ),
    "sum-of-other-shape": (
        "y has shape {of_sum} and x has shape {of_x}: a sum with the encoding has the shape of x. Which axis was "
        "stretched?"
    ),
    "constant": "{number} was added to every number: nothing in it depends on a position.",
    "not-added": "Nothing was added: y is x. Is the result of the sum thrown away?",
    "sentence-as-position": (
        "Every token of a sentence got the same row, and each sentence another: the number of the sentence was taken "
        "for the position. The table needs shape (L, d_model) or (1, L, d_model), lined up with axis 1 of x. NumPy "
        "does not complain."
    ),
    "plain-positions": (
        "The numbers of the positions themselves were added, the same to each column, from {start} on. Add their "
        "sines and cosines."
    ),
    "sentences-differ": (
        "Different sentences got different rows at the same position: sentence {b} at position {r}, for one. "
        "Position {r} is position {r} in every sentence."
    ),
    "concatenated": (
        "The encoding stands beside the embeddings, in {width} columns in place of {d_model}. In the paper it is added."
    ),
    "multiplied": "The embeddings were multiplied by the encoding. Add it: x + PE.",
    "added-twice": "The encoding was added twice, or doubled. Look for a second place where it is added.",
    "embeddings-scaled": (
        "x was multiplied by {factor}, the square root of d_model, before the encoding was added, as in section "
        "3.4 of the paper."
    ),
    "one-mask-for-all": (
        "The same rows are left out in every sentence, from row {r} on, but the sentences are padded "
        "differently: one mask was used for all. Each sentence needs its own, of shape (B, L)."
    ),
    "padding-not-masked": (
        "Row {r} of sentence {b} is all zeros in x and got an encoding. If it is padding, leave it out by a "
        "mask, or see that attention does not look at it."
    ),
    # what cannot be read
    "one-number": "It is a single number. Give the table, a row for each position.",
    "one-axis": (
        "It has one axis, shape {shape}, and an encoding has two, (L, d_model). Give the whole table, or "
        "matrix[np.newaxis] for a single row."
    ),
    "three-axes": (
        "It has three axes, shape {shape}, and an encoding has two, (L, d_model). Give the table of one sentence: "
        "matrix[0], or matrix[:, 0] where positions come first."
    ),
    "many-axes": "It has {axes} axes, shape {shape}, and an encoding has two, (L, d_model).",
    "no-numbers": "It has shape {shape}: there is no number in it.",
    "not-finite": (
        "{count} of its {size} numbers are not finite; the first, in row {r} and column {c}, is {which}. Look for a "
        "division by zero, a logarithm of 0, or a type too small for its numbers."
    ),
    "all-zero": "All its numbers are 0. Was a table made and never filled, or all of it masked?",
    "all-the-same": "All its numbers are {number}: nothing in it depends on a position.",
    "few-numbers": (
        "{length} × {d_model} numbers are too few to say what they are. They may be sines and cosines of positions far "
        "from 0, or of other frequencies. Give more rows or columns, beginning with position 0."
    ),
    "not-an-encoding": (
        "No sines and cosines were found that give these numbers. They lie between {least:.4g} and {greatest:.4g}"
        "{inside}{norms} Row 0 of the encoding is 0 1 0 1 …: compare a row that you have worked out by hand." + ASK
    ),
    # size
    "too-small": "{words}",
}


def finding(
    code: str, *, kind: str = "", row: int | None = None, column: int | None = None, **words: object
) -> Finding:
    """Return a finding with its sentences filled in."""
    message = CAUSES[code].format(row=row, column=column, **words).strip()
    return Finding(code, message, kind or ("variant" if code in VARIANTS else "mistake"), column, row)
