"""Promise: what is right stays right: tables of public packages, any shape, start, layout, type, and printed ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_diagnosis import diagnose, read_table
from pe_lib import sinusoidal_encoding
from pe_lib.precision import round_to

LENGTH, WIDTH = 60, 32
POS, PAIR = np.arange(LENGTH)[:, np.newaxis], np.arange(WIDTH // 2)
PAPER, LAST = 10_000.0 ** (-2 * PAIR / WIDTH), 10_000.0 ** (-PAIR / (WIDTH / 2 - 1))  # the second ends at 1/10000


def in_single(pos, w):
    """Return angles computed in float32, as most programs on a GPU do."""
    return np.float32(pos) * np.float32(w)


def pairs(angles):
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(len(angles), -1)


def halves(angles):
    return np.hstack([np.sin(angles), np.cos(angles)])


def flipped(angles):
    return np.hstack([np.cos(angles), np.sin(angles)])


def padded(table, row):
    """Return a table whose row of padding is empty."""
    return table * (np.arange(len(table)) != row)[:, np.newaxis]


EXP = np.exp(
    np.float32(2 * PAIR) * np.float32(-np.log(10_000.0) / WIDTH)
)  # the divisors as PyTorch's tutorial has them
PACKAGES = {  # name: (its table, what is said)
    "PyTorch's tutorial": (pairs(in_single(POS, EXP)), set()),
    "positional-encodings 1D": (pairs(in_single(POS, 1 / np.float32(10_000) ** np.float32(2 * PAIR / WIDTH))), set()),
    "espnet PositionalEncoding": (pairs(in_single(POS, EXP)), set()),
    "joeynmt": (pairs(in_single(POS, EXP))[np.newaxis], set()),
    "labml-nn": (pairs(in_single(POS, EXP))[:, np.newaxis], set()),
    "keras-hub SinePositionEncoding": (
        pairs(np.float32(POS) * np.float32(10_000) ** np.float32(-2 * PAIR / WIDTH)),
        set(),
    ),
    "diffusers SinusoidalPositionalEmbedding": (pairs(in_single(POS, EXP)), set()),
    "transformers SpeechT5": (pairs(in_single(POS, EXP)), set()),
    "transformers DistilBERT": (np.float32(pairs(POS * PAPER)), set()),
    "transformers XLM": (np.float32(pairs(POS / 10_000.0 ** (2 * PAIR / WIDTH))), set()),
    "transformers Marian": (np.float32(halves(POS * PAPER)), {"halves"}),
    "transformers Pegasus": (np.float32(halves(POS / 10_000.0 ** (2 * PAIR / WIDTH))), {"halves"}),
    "transformers RoFormer": (np.float32(halves(POS * PAPER)), {"halves"}),
    "transformers TimeSeriesTransformer": (np.float32(halves(POS * PAPER)), {"halves"}),
    "diffusers 1D grid": (halves(POS * (1.0 / 10_000 ** (PAIR / (WIDTH / 2.0)))), {"halves"}),
    "transformers CTRL": (halves(in_single(POS, 1 / np.float32(10_000.0 ** (2 * PAIR / WIDTH)))), {"halves"}),
    "sockeye": (
        halves(in_single(POS, np.exp(np.float32(PAIR) * np.float32(-np.log(10_000.0) * 2 / WIDTH)))),
        {"halves"},
    ),
    "diffusers time steps, shift 0": (halves(in_single(POS, EXP)), {"halves"}),
    "openai-whisper": (halves(in_single(POS, LAST)), {"halves", "timescales"}),
    "transformers Whisper": (halves(in_single(POS, LAST)), {"halves", "timescales"}),
    "diffusers time steps, shift 1": (halves(in_single(POS, LAST)), {"halves", "timescales"}),
    "transformers M2M-100": (padded(halves(in_single(POS, LAST)), 1), {"halves", "timescales", "rows-empty"}),
    "transformers XGLM": (padded(halves(in_single(POS, LAST)), 1), {"halves", "timescales", "rows-empty"}),
    "transformers Speech2Text": (padded(halves(in_single(POS, LAST)), 1), {"halves", "timescales", "rows-empty"}),
    "transformers SeamlessM4T": (padded(halves(in_single(POS, LAST)), 0), {"halves", "timescales", "row-zeroed"}),
    "transformers MusicGen": (flipped(in_single(POS, LAST)), {"cosines-first", "timescales"}),
    "diffusers time steps, flipped": (flipped(in_single(POS, EXP)), {"cosines-first"}),
    "diffusers time steps, flipped, shift 1": (flipped(in_single(POS, LAST)), {"cosines-first", "timescales"}),
    "transformers DETR, one axis": (pairs(in_single(POS + 1, PAPER)), {"start"}),
    "x-transformers ScaledSinusoidalEmbedding": (
        halves(in_single(POS, PAPER)) * np.float32(WIDTH**-0.5),
        {"halves", "scale"},
    ),
}
HARMLESS = {"low-precision", "axes"}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_tables_of_public_packages_are_recognised(package):
    table, said = PACKAGES[package]
    found = diagnose(table)
    assert set(found.codes) - HARMLESS == said
    assert found.ok == ("scale" not in said)
    assert found.explained == 1


STORED = {
    "float64": lambda x: x,
    "float32": np.float32,
    "float16": np.float16,
    "bfloat16": lambda x: round_to(x, "bfloat16"),
    "six decimals": lambda x: x.round(6),
    "as NumPy prints it": lambda x: read_table(np.array2string(x, threshold=x.size)),
    "float32, as NumPy prints it": lambda x: read_table(np.array2string(np.float32(x), threshold=x.size)),
    "as PyTorch prints small numbers": lambda x: [[float(f"{one:.4e}") for one in row] for row in x],
    "four decimals": lambda x: x.round(4),
    "four decimals of float32": lambda x: np.float32(x).round(4).tolist(),
}
LAYOUTS = {"interleaved": (pairs, set()), "halves": (halves, {"halves"}), "cosines first": (flipped, {"cosines-first"})}
SAID = {"start", "step", "rounded", "stored", "rival", *HARMLESS}


@given(
    length=st.integers(4, 60),
    half=st.integers(3, 40),
    start=st.sampled_from([0, 1, 2]) | st.integers(-30, 3000),
    layout=st.sampled_from(list(LAYOUTS)),
    last=st.booleans(),
)
@settings(max_examples=6, deadline=None)
@pytest.mark.parametrize("stored", STORED)
def test_a_right_one_is_never_accused(stored, length, half, start, layout, last):
    i = np.arange(half)
    w = 10_000.0 ** (-i / (half - 1)) if last else 10_000.0 ** (-i / half)
    make, said = LAYOUTS[layout]
    if stored in ("bfloat16", "float16"):
        start = min(start, 40)
    found = diagnose(STORED[stored](make(np.arange(start, start + length)[:, np.newaxis] * w)))
    assert found.ok, found
    also = {"timescales"} if last else set()
    assert set(found.codes) - SAID <= said | also
    assert found.explained == 1


@given(
    length=st.integers(3, 40),
    d_model=st.integers(4, 33),
    start=st.integers(0, 50),
    layout=st.sampled_from(["interleaved", "halves"]),
)
@settings(max_examples=20, deadline=None)
def test_what_a_right_one_was_made_with_is_recovered(length, d_model, start, layout):
    found = diagnose(sinusoidal_encoding(length, d_model, start=start, layout=layout))
    assert (found.ok, found.start, found.layout, found.base, found.scale) == (True, start, layout, 10_000, 1)


@pytest.mark.parametrize("length", [200, 2000, 10_000])
def test_the_tutorials_float32_table_is_right_at_any_length(length):
    found = diagnose(pairs(in_single(np.arange(length)[:, np.newaxis], EXP)))
    assert found.ok
    assert set(found.codes) <= HARMLESS
    assert length < 1000 or "no more than angles in float32 bring" in found.advice


def test_another_base_is_right_where_it_is_asked_for():
    assert diagnose(sinusoidal_encoding(30, 16, base=500.0), base=500.0).ok
    assert diagnose(sinusoidal_encoding(30, 16), base=500.0).codes == ("base",)


def test_whole_steps_and_equal_parts_of_one_are_variants():
    for step in (2, 50, 0.25):
        found = diagnose(pairs(step * POS * PAPER))
        assert (found.ok, found.codes) == (True, ("step",))
    assert not diagnose(pairs(np.radians(POS) * PAPER)).ok


def test_a_number_is_called_wrong_only_where_it_is_far_off():
    """Of a program that is nearly the right one, many numbers are a little off, and none of them is wrong."""
    pos = np.arange(10)[:, np.newaxis]
    for angles in (pos / 10_001 ** (np.arange(0, 16, 2) / 16), np.pi * pos / 10_000 ** (np.arange(0, 16, 2) / 16)):
        answer = diagnose(np.round(pairs(angles), 4))
        assert "cell-wrong" not in [finding.code for finding in answer.findings]
    mistyped = np.round(sinusoidal_encoding(50, 32), 4)
    mistyped[3, 5] += 0.01
    assert "cell-wrong" in [finding.code for finding in diagnose(mistyped).findings]
