"""Promise: a wrong argument is met at the door by one sentence that names it, says what came and what is allowed."""

import inspect

import numpy as np
import pytest

import pe_lib
from pe_lib import ROUTES, _checks, add_positional_encoding, bits, encode_positions, sinusoidal_encoding
from pe_lib.precision import encode_rounding

NAN, INF = float("nan"), float("inf")
W = (1.0, 0.1, 0.01)
GROUND = (
    "binary",
    "clinic",
    "encoding",
    "precision",
    "properties",
    "relatives",
    "rope_scaling",
    "routes",
    "walkthrough",
)

# For each function, arguments that are right; those with a default need not be given.
RIGHT = {
    **{route: {"length": 3, "d_model": 4} for route in ROUTES},
    "frequencies": {"d_model": 4},
    "encode_positions": {"positions": [0, 1], "d_model": 4},
    "sinusoidal_encoding": {"length": 3, "d_model": 4},
    "add_positional_encoding": {"x": np.zeros((2, 3, 4))},
    "shift_rotation": {"offset": 1, "d_model": 4},
    "bits": {"numbers": [7, 8], "n_bits": 4},
    "bit_periods": {"n_bits": 4},
    "bits_that_flip": {"number": 7},
    "place_values": {"d_model": 4},
    "wavelengths": {"d_model": 4},
    "dot_product": {"offset": 1, "d_model": 4},
    "distance": {"offset": 1, "d_model": 4},
    "dot_product_law": {"offset": 1, "d_model": 4},
    "round_to": {"values": [1.5], "kind": "float16"},
    "encode_rounding": {"positions": [0, 65_504], "d_model": 4, "kind": "float16", "rounded": "angles"},
    "explain": {"position": 2, "column": 3, "d_model": 6},
    "rotate": {"x": [1, 0], "positions": 1},
    "learned_encoding": {"table": [[1, 2], [3, 4]], "positions": [0, 1]},
    "t5_buckets": {"offsets": [-1, 1]},
    "t5_bias": {"table": [[1]] * 4, "length": 3},
    "alibi_slopes": {"heads": 8},
    "alibi_bias": {"heads": 8, "length": 3},
    "position_interpolation": {"w": W, "factor": 2},
    "ntk_aware_scaling": {"w": W, "factor": 2},
    "yarn_scaling": {"w": W, "factor": 2, "trained_length": 9},
    "yarn_attention_factor": {"factor": 2},
    "scaled_wavelengths": {"w": W, "factor": 2, "trained_length": 9},
    "broken_encoding": {"length": 3, "d_model": 4},
    "case": {"letter": "A"},
    "pair_lengths": {"matrix": np.ones((3, 4))},
    "pair_speeds": {"matrix": np.ones((3, 4))},
}

# For each argument, values that are wrong wherever it occurs.
NO_ARRAY = ("text", [[1, 2], [3]], [True], [1j], None)
WRONG = {
    "d_model": (0, -1, 2.0, "4", True, None, [4]),
    "length": (-1, 2.5, "3", True, None),
    "base": (0, -1.0, 1e-101, NAN, INF, "10000", True, None, [10_000.0]),
    "start": (0.5, "0", True, 2**53 + 1, -(2**53) - 1),
    "layout": ("", "Interleaved", "half", None, 0),
    "dtype": ("int64", "bfloat16", bool, complex, 32),
    "positions": (*NO_ARRAY, NAN, [0, INF], 2.0**53 + 2),
    "x": (*NO_ARRAY, 1.0),
    "mask": (*NO_ARRAY[:2], [[1, 1, 2], [1, 1, 1]], [1, 1, 1], np.ones((3, 2)), [[1, NAN, 1], [1, 1, 1]]),
    "offset": (*NO_ARRAY, NAN, [1, INF]),
    "offsets": (*NO_ARRAY, 0.5, NAN, 2**60),
    "numbers": (*NO_ARRAY, [0.5], [16], [3, -7]),
    "n_bits": (0, 63, 4.0, True),
    "number": (-1, 1.5, True),
    "up_to": (0, 10.0, True),
    "values": (*NO_ARRAY, [1, NAN]),
    "kind": ("float64", None),
    "rounded": ("cosines", None),
    "position": ("2", NAN, INF, True, [2]),
    "column": (-1, 6, 1.0, True, None),
    "table": (*NO_ARRAY, [1, 2], np.zeros((0, 2)), [[1, INF]]),
    "buckets": (2, 31, 32.0, True),
    "max_distance": (1, 64.0),
    "causal": (1, "no", None),
    "heads": (0, 8.0, True),
    "w": (*NO_ARRAY[:4], [], [1, 0], [[1, 0.1]], [1, NAN]),
    "factor": (0.5, NAN, "2", True, None),
    "trained_length": (0, INF, "9", None),
    "slow": (0, 32, NAN, None),
    "fast": (1, INF, None),
    "ramp": ("steps", None),
    "rule": ("as in the blog", None),
    "numbers of broken_encoding": ("int8", None),
    "scale": (1, 0, "sqrt", None),
    "scale of broken_encoding": (NAN, "2", None),
    "transposed": (),  # taken for what Python takes it for
    "letter": ("Z", "", 1),
    "matrix": (*NO_ARRAY, [[1, NAN], [1, 2]], [1, 2]),
    "offset of shift_rotation": ("1", NAN, INF, True, [1], None),
    "offset of dot_product_law": (*NO_ARRAY, 0, [1, -1]),
    "base of dot_product_law": (1, 0.5, 0, NAN),
    "positions of learned_encoding": (*NO_ARRAY, 0.5, -1, [0, 2]),
    "positions of encode_rounding": (*NO_ARRAY, 1, [65_505]),
    "d_model of case": (0, 3, 4.0),
    "length of case": (0, 3.0),
    "length of broken_encoding": (0, 3.0),
    "length of t5_bias": (0, 3.0),
    "length of alibi_bias": (0, 3.0),
}
for even in ("shift_rotation", "dot_product", "distance", "dot_product_law"):
    WRONG[f"d_model of {even}"] = (*WRONG["d_model"], 5)


def public(function):
    return encode_rounding if function == "encode_rounding" else getattr(pe_lib, function)


ARGUMENTS = [(function, argument) for function in RIGHT for argument in inspect.signature(public(function)).parameters]


@pytest.mark.parametrize(("function", "argument"), ARGUMENTS)
def test_a_wrong_argument_is_named_in_one_sentence(function, argument):
    for value in WRONG.get(f"{argument} of {function}", WRONG.get(argument)):
        with pytest.raises((TypeError, ValueError)) as caught:
            public(function)(**{**RIGHT[function], argument: value})
        sentence = str(caught.value)
        assert argument in sentence.partition(", got")[0].replace(",", " ").split(), sentence
        assert " must " in sentence
        assert ", got " in sentence
        assert "\n" not in sentence
        assert len(sentence) < 320


@pytest.mark.parametrize("function", RIGHT)
def test_right_arguments_are_taken(function):
    assert public(function)(**RIGHT[function]) is not None


def test_every_function_is_here():
    public_functions = {
        name
        for name in pe_lib.__all__
        if inspect.isfunction(found := getattr(pe_lib, name)) and found.__module__.removeprefix("pe_lib.") in GROUND
    }
    assert public_functions == set(RIGHT) - {"encode_rounding"} | {"attention_scores"}  # told in test_relatives


def sentence_of(call, kind=ValueError):
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


def test_sentences_say_what_came_what_is_allowed_and_what_to_do():
    said = {
        "d_model must be a positive integer, got 0": lambda: pe_lib.frequencies(0),
        "length must be an integer of 0 or more, got -1": lambda: sinusoidal_encoding(-1, 4),
        "d_model must be even, got 5: ": lambda: pe_lib.shift_rotation(1, 5),
        "layout must be one of 'interleaved', 'halves', got 'half'": lambda: encode_positions(0, 4, layout="half"),
        "dtype must be float16, float32 or float64, got 'int8'": lambda: encode_positions(0, 4, dtype="int8"),
        "start + length must lie between -2**53 and 2**53": lambda: sinusoidal_encoding(3, 4, start=2**53 - 1),
        "x must have shape (L, d_model) or (B, L, d_model)": lambda: add_positional_encoding(np.zeros((2, 2, 2, 2))),
        "mask must have shape (2, 3), one row of 0 and 1 for each sequence of x (2, 3, 4), got shape (3,)": (
            lambda: add_positional_encoding(np.zeros((2, 3, 4)), mask=[1, 1, 0])
        ),
        "mask must hold only 0 (padding) and 1 (token), got 2": (
            lambda: add_positional_encoding(np.zeros((3, 4)), mask=[1, 2, 0])
        ),
        "numbers must lie between 0 and 15 to fit in 4 bits, got 16": lambda: bits([3, 16], 4),
        "column must lie between 0 and 5 for d_model 6, got 6": lambda: pe_lib.explain(2, 6, 6),
    }
    for words, call in said.items():
        assert sentence_of(call).startswith(words)
    assert len(sentence_of(lambda: pe_lib.frequencies("x" * 1000), TypeError)) < 120


@pytest.mark.parametrize(
    "call",
    [
        lambda: sinusoidal_encoding(2**19 + 1, 512),
        lambda: encode_positions(np.zeros((1000, 1000)), 512),
        lambda: pe_lib.frequencies(2**30),
        lambda: pe_lib.shift_rotation(1, 2**15),
        lambda: pe_lib.alibi_bias(8, 10**7),
        *(lambda route=route: route(10**7, 512) for route in ROUTES.values()),
    ],
)
def test_a_table_larger_than_anyone_means_is_refused_before_it_is_made(call):
    sentence = sentence_of(call)
    assert sentence.startswith("a table of ")
    assert sentence.endswith(" numbers is larger than 2**28: ask for fewer rows or columns")
    _checks.table_size(2**19, 512)  # is the largest that is made


def test_a_failed_call_loses_nothing():
    x, mask = np.ones((3, 4), np.float32), np.array([1, 1, 2])
    sentence_of(lambda: add_positional_encoding(x, mask=mask, scale=True))
    assert np.array_equal(x, np.ones((3, 4)))
    assert mask.tolist() == [1, 1, 2]
    assert sinusoidal_encoding(1, 4).tolist() == [[0, 1, 0, 1]]
