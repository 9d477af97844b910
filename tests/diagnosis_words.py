"""Which of the causes in the table of programs each code of the diagnosis stands for, and how an answer is judged by it.

Several causes for one code: any of them, since the table may call the same thing by either.
"""

from diagnosis_programs import Program, causes

MEANS = {
    "base": "base exponent frequencies odd-width", "exponent-doubled": "exponent base", "exponent-halved": "exponent base",
    "column-as-pair": "exponent", "own-frequencies": "exponent", "cosine-exponent": "exponent uneven", "sine-exponent": "exponent uneven",
    "cosine-exponent-halved": "exponent uneven", "sine-exponent-halved": "exponent uneven", "cosine-ahead": "exponent uneven",
    "sine-ahead": "exponent uneven", "inverse": "inverted base", "pair-from-one": "exponent angle_scale", "degrees": "angle_scale",
    "to-degrees": "angle_scale", "step": "angle_scale positions", "timescales": "exponent base", "log10": "base exponent",
    "ln-under-power-of-ten": "base exponent", "extra-column": "exponent base odd_width", "missing-column": "exponent base odd_width columns",
    "pairs-reversed": "column_order frequencies inverted exponent", "columns-reversed": "column_order", "columns-repeat": "exponent frequencies layout",
    "odd-exponents": "exponent", "exponent-to-end": "exponent odd_width", "columns-to-end": "exponent", "all-one": "integer_division frequencies base",
    "xor": "base", "floor-log": "integer_division frequencies base", "floor-log-pairs": "integer_division frequencies base", "integer-division": "integer_division exponent frequencies",
    "no-division": "exponent base", "no-division-pairs": "exponent base", "no-power": "product exponent frequencies", "multiplied-exponent": "product exponent frequencies",
    "evenly": "frequencies", "still": "frequencies angle_scale positions", "divisors-floored": "rounded integer_division frequencies", "divisors-rounded": "rounded frequencies",
    "frequencies-rounded": "rounded frequencies", "log-scale": "exponent frequencies", "base-over": "exponent frequencies", "precedence": "exponent frequencies angle_scale",
    "power-of-two": "frequencies base", "halving": "frequencies base", "exponent-squared": "exponent frequencies", "frequencies": "frequencies",
    "column-frequencies": "frequencies uneven exponent base", "other-width": "exponent base",
    "angles-rooted": "function positions", "angles-floored": "integer_division rounded", "angles-rounded": "rounded", "positions-squared": "positions function",
    "positions-logged": "positions function", "columns-moved": "positions uneven columns", "exchanged": "exchanged", "pos-in-power": "exponent exchanged product function", "degrees-of-one": "uneven angle_scale",
    "angles-added": "product function", "turns": "function angle_scale", "half-turns": "uneven angle_scale", "cosine-base": "uneven", "base-to-the-angle": "exchanged exponent function", "period": "angle_scale frequencies",
    "phase": "phase", "swapped": "swapped", "sines-alone": "function columns", "cosines-alone": "function columns", "tangents": "function",
    "rows-for-columns": "function layout exchanged swapped", "half-for-parity": "layout function", "pairs-for-parity": "layout function", "pairs-alternate": "swapped column_order layout", "checkered": "function swapped",
    "no-sines": "function", "products": "function product", "other-functions": "function not_an_encoding", "twice-applied": "function",
    "halves": "layout", "cosines-first": "layout", "transposed": "transposed", "rearranged": "reshaped layout transposed row_order column_order",
    "one-half": "layout missing function columns shape", "rope-cache": "layout not_an_encoding function", "tiled": "layout frequencies", "extra-column-empty": "odd_width columns", "row-blank-before": "rows padding",
    "first-column-missing": "columns odd_width", "columns-rolled-round": "column_order columns", "columns-out-of-order": "column_order layout", "columns-taken": "column_order columns layout",
    "changed": "function clipped product", "rows-scaled": "product rows", "weighted": "product", "normalised": "layer_norm min-max scale not_an_encoding centred function", "accumulated": "smoothed function product", "differences": "smoothed function",
    "columns-scaled": "standardised min-max centred columns product", "scale": "scale", "offset": "offset min-max", "rounded": "rounded", "integers": "integers rounded", "low-precision": "precision rounded",
    "sign": "sign", "start": "positions rows", "row-zeroed": "rows padding", "rows-zeroed": "rows padding", "same-row": "positions rows", "reversed": "row_order positions sign", "rows-repeated": "positions rows batch",
    "rows-out-of-order": "row_order positions rows", "rows-missing": "rows positions", "row-wrong": "rows positions", "row-scaled": "rows", "columns-empty": "columns odd_width missing", "columns-still": "columns frequencies integer_division uneven", "columns-negated": "columns sign",
    "columns-multiplied": "columns uneven", "columns-shifted": "columns", "columns-exchanged": "column_order columns swapped", "columns-rolled": "columns positions", "column-wrong": "columns",
    "frequencies-floored": "integer_division frequencies rounded", "divided-outside": "function product frequencies", "quarter-turn": "phase function columns offset",
    "phases": "phase", "divisors-rounded-off": "rounded frequencies", "columns-from-one": "exponent", "axes": "shape", "half-empty": "columns exponent base missing", "truncated": "rounded", "clipped": "clipped", "centred": "offset columns centred", "sines-scaled": "columns scale function",
    "left-padding-counted": "padding", "sentence-scaled": "twice scale",
    "other-encoding": "not_an_encoding", "alibi": "not_an_encoding", "dropout": "dropout", "wrong-shape": "shape", "not-finite": "not_finite",
    "embeddings-scaled": "scale product", "sentence-as-position": "batch", "multiplied": "product", "concatenated": "concatenated", "added-twice": "twice scale", "not-added": "missing", "one-mask-for-all": "padding", "padding-not-masked": "padding",
    "table-alone": "missing", "mean-of-both": "scale product", "sum-normalised": "layer_norm", "sum-dropout": "dropout", "sentence-left-out": "missing rows", "tokens-left-out": "missing rows", "left-padding": "padding positions", "positions-restart": "positions rows", "position-shift": "positions", "plain-positions": "function not_an_encoding", "sentences-differ": "rows batch positions noise row_order",
}  # fmt: skip
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
    if program.verdict == "variant" and any(
        one.kind == "mistake" and one.code not in COUNTED for one in diagnosis.findings
    ):
        return "accused"
    anything = set().union(*sets) | ({"cells", "noise"} if program.may_be_open else set())
    meanings = {code: set(MEANS.get(code, "").replace("odd-width", "odd_width").split()) for code in said | notes}
    false = {code for code in said - OPEN if not meanings[code] & anything}
    undecided = {one.code for one in diagnosis.findings if one.kind == "undecided"}
    if false - undecided or (false and false == undecided):
        return "false " + " ".join(sorted(false))
    named = set().union(set(), *meanings.values())
    if "noisy" in said:
        named |= {"noise"}
    if "cell-wrong" in said:
        named |= {"cell"}
    if {"row-wrong", "column-wrong"} & said:
        named |= {"rows", "columns", "noise"}
    if "not-an-encoding" in said:
        named |= {"not_an_encoding", "sum"}
    if any(one <= named for one in sets) or (program.verdict == "variant" and diagnosis.ok):
        return "named"
    if notes & {"low-precision", "axes"} and program.may_be_open:
        return "open"
    if said and said <= OPEN:
        return "open"
    if diagnosis.ok and program.verdict == "wrong":
        return "passed"
    return "partly"
