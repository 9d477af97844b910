"""Which causes in the table of programs each code of the diagnosis stands for, and how an answer is judged by it.

Several causes for one code: any of them, since the table may call the same thing by either.
"""

from diagnosis_programs import Program, causes

# causes in the table of programs: the codes that stand for one of them
_MEANINGS = """\
base exponent frequencies odd_width: base
base exponent: log-of-quotient exponent-doubled exponent-halved timescales log10 ln-under-power-of-ten no-division
    no-division-pairs other-width log2 exp2
exponent: column-as-pair own-frequencies odd-exponents columns-to-end columns-from-one columns-doubled
exponent uneven: cosine-exponent sine-exponent cosine-exponent-halved sine-exponent-halved cosine-ahead sine-ahead
    exponents-apart
base inverted: inverse
base inverted uneven: cosine-inverse sine-inverse
exponent uneven: cosine-no-division sine-no-division
angle_scale exponent: pair-from-one
angle_scale: degrees to-degrees
angle_scale positions: step
base exponent odd_width: extra-column
base columns exponent odd_width: missing-column
column_order exponent frequencies inverted: pairs-reversed pairs-counted-down
column_order: columns-reversed
exponent frequencies layout: columns-repeat
base frequencies integer_division: all-one one-frequency floor-log floor-log-pairs
base: xor
exponent frequencies integer_division: integer-division remainder
exponent frequencies product: multiplied-exponent
frequencies: evenly frequencies
angle_scale frequencies positions: still
frequencies integer_division rounded: divisors-floored frequencies-floored
frequencies rounded: divisors-rounded frequencies-rounded divisors-rounded-off
base exponent frequencies uneven: column-frequencies
exponent frequencies: exponent-squared
angle_scale exponent frequencies: precedence
base frequencies: halving
angle_scale exponent frequencies product: outside-power left-to-right exp-bracket
function positions: angles-rooted positions-squared positions-logged
integer_division rounded: angles-floored
integer_division rounded uneven: one-floored
rounded: angles-rounded rounded truncated
columns positions uneven: columns-moved
exchanged: exchanged
exchanged exponent: pos-for-pair
exchanged exponent function product: pos-in-power
angle_scale uneven: degrees-of-one half-turns
function product: products
angle_scale frequencies function phase product: angles-added
phase: phase phases
swapped: swapped
columns function: sines-alone cosines-alone
columns exponent layout: pairs-from-column-one
function: tangents no-sines twice-applied signs-lost
exchanged function layout swapped: rows-for-columns
columns function layout: half-filled
function layout: half-for-parity neighbours-overwritten pairs-for-parity slices-mixed
column_order layout swapped: pairs-alternate
function swapped: checkered
function not_an_encoding: other-functions plain-positions
layout: halves cosines-first
layout odd_width: more-cosines
transposed: transposed
column_order layout reshaped row_order transposed: rearranged
columns function layout missing shape: one-half
function layout not_an_encoding: rope-cache
frequencies layout: tiled
columns odd_width: extra-column-empty first-column-missing first-pair-missing column-beside
padding rows: row-blank-before rows-before row-zeroed rows-zeroed
column_order columns: columns-rolled-round
column_order layout: columns-out-of-order
column_order columns layout: columns-taken
clipped function product: changed
product rows: rows-scaled
product: weighted multiplied
centred function layer_norm min-max not_an_encoding scale: normalised
function product smoothed: accumulated
function smoothed: differences
centred columns min-max product standardised: columns-scaled
scale: scale
min-max offset: offset vector-added
integers rounded: integers
precision rounded: low-precision
sign: sign
positions rows: start same-row rows-missing row-wrong positions-restart
positions row_order sign: reversed
positions not_an_encoding: grid
frequencies positions not_an_encoding: octaves
batch positions rows: rows-repeated
positions row_order rows: rows-out-of-order
rows: row-scaled
columns missing odd_width: columns-empty
columns frequencies integer_division uneven: columns-still
columns function: ones-left
columns sign: columns-negated
columns uneven: columns-multiplied
columns: columns-shifted column-wrong
frequencies function product: divided-outside
columns function offset phase: quarter-turn
shape: axes wrong-shape
clipped: clipped
centred columns offset: centred
columns function scale: sines-scaled
padding: left-padding-counted one-mask-for-all padding-not-masked
scale twice: sentence-scaled added-twice
not_an_encoding: other-encoding alibi
dropout: dropout sum-dropout
not_finite: not-finite
product scale: embeddings-scaled mean-of-both sum-scaled
batch: sentence-as-position
concatenated: concatenated
function not_an_encoding: turned
batch shape: stretched
missing: not-added table-alone
layer_norm: sum-normalised
missing rows: sentence-left-out tokens-left-out
padding positions: left-padding
positions: position-shift
batch noise positions row_order rows: sentences-differ
"""
MEANS = {
    code: causes_of
    for line in _MEANINGS.replace("\n    ", " ").splitlines()
    for causes_of, _, codes in [line.partition(": ")]
    for code in codes.split()
}
OPEN = {
    "not-an-encoding",
    "noisy",
    "cell-wrong",
    "too-small",
    "sentences-differ",
    "angles",
}  # what was measured, and no cause
COUNTED = {"start", "step", "scale"}  # mistakes here, where positions count 0, 1, 2 …, though others do it on purpose
HARMLESS = {"axes", "too-small"}


MEASURED = {
    "noisy": {"noise"},
    "cell-wrong": {"cell"},
    "row-wrong": {"rows", "noise"},
    "column-wrong": {"columns", "noise"},
    "not-an-encoding": {"not_an_encoding", "sum"},
}


def judged(program: Program, diagnosis) -> str:
    """Return "named", "open", "partly", "accused", "passed" or "false" for what was said of a program's numbers."""
    said = {
        one.code
        for one in diagnosis.findings
        if one.code not in HARMLESS and (one.kind != "note" or one.code == "padding-not-masked")
    }
    notes = {one.code for one in diagnosis.findings if one.kind == "note"}
    sets = [causes(program.must_say), *(causes(one) for one in program.or_else)]
    sets = [{cause.replace(" ", "_") for cause in one} for one in sets]
    if program.verdict == "right":
        return "accused" if not diagnosis.ok or said - {"padding-not-masked"} else "named"
    mistakes = {one.code for one in diagnosis.findings if one.kind == "mistake"}
    if program.verdict == "variant" and mistakes - COUNTED:
        return "accused"
    anything = set().union(*sets) | ({"cells", "noise"} if program.may_be_open else set())
    meanings = {code: set(MEANS.get(code, "").replace("odd-width", "odd_width").split()) for code in said | notes}
    false = {code for code in said - OPEN if not meanings[code] & anything}
    undecided = {one.code for one in diagnosis.findings if one.kind == "undecided"}
    if false - undecided or (false and false == undecided):
        return "false " + " ".join(sorted(false))
    named = set().union(*meanings.values(), *(words for code, words in MEASURED.items() if code in said))
    if any(one <= named for one in sets) or (program.verdict == "variant" and diagnosis.ok):
        return "named"
    if notes & {"low-precision", "axes"} and program.may_be_open:
        return "open"
    if said and said <= OPEN:
        return "open"
    return "passed" if diagnosis.ok and program.verdict == "wrong" else "partly"
