"""Promise: every number the five source notes print comes out of pe_lib to its printed digits, or is known wrong."""

import math
import re
from decimal import Decimal

import numpy as np
import pytest

from pe_lib import (
    DAN_LOVES_ICECREAM,
    HELLO_WORLD_PAD,
    I_LIKE_DEEP_LEARNING,
    TWO_SENTENCES,
    add_positional_encoding,
    bit_periods,
    bits,
    bits_that_flip,
    distance,
    encode_positions,
    explain,
    frequencies,
    place_values,
    sinusoidal_encoding,
    stack_and_flatten,
    wavelengths,
)

DEEP_LEARNING = "000_c4bab5b7c3b1dc54.txt"
NUMPY_SOLUTION = "001_1c9e967f1f65fb65.txt"
STACK_AND_FLATTEN = "002_bcd3d3c578778e07.txt"
ICECREAM = "003_85ae6c9b8a42087a.txt"
PADDING_MASK = "004_9783fbb05e3c8e68.txt"

NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


def rows_of(printed):
    """Return the numbers of each line of a printed table as they stand, without what follows a #."""
    lines = (NUMBER.findall(line.partition("#")[0]) for line in printed.splitlines())
    return [line for line in lines if line]


def like(printed, x):
    """Write x with as many decimals as the printed number has, and without a leading zero if that has none."""
    decimals = len(printed.partition(".")[2])
    text = f"{x + 0.0:.{decimals}f}"
    return re.sub("^(-?)0[.]", r"\1.", text) if re.match("-?[.]", printed) else text


def differences(printed, computed):
    """Return where a printed table is not what was computed, with both numbers: {(row, column): (printed, right)}."""
    rows = rows_of(printed)
    computed = np.reshape(computed, (len(rows), -1))
    assert [len(row) for row in rows] == [computed.shape[1]] * len(rows)
    return {
        (r, c): (text, like(text, computed[r, c]))
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text != like(text, computed[r, c])
    }


def as_cout_prints(table):
    """Write a table as C++ streams do: six significant digits."""
    return "\n".join(" ".join(f"{x:.6g}" for x in row) for row in table)


# 000: the embeddings of "I like deep learning", a table of 8 dimensions, and the 2×3×4 example step by step

EMBEDDINGS = """
[0.1, 0.3, -0.2, 0.5, 0.1, -0.4]  # position 0
[0.2, 0.1,  0.3, 0.2, 0.4,  0.1]  # position 1
[0.5, 0.2, -0.1, 0.3, 0.7, -0.2]  # position 2
[0.3, 0.6,  0.1, 0.2, 0.5,  0.4]  # position 3
"""

EIGHT_DIMENSIONS = """
[0.00,    1.00,     0.00,      1.00,       0.00,       1.00,        0.00,       1.00]
[0.84,    0.54,     0.10,      0.99,       0.01,       1.00,        0.00,       1.00]
[0.91,   -0.42,     0.20,      0.98,       0.02,       1.00,        0.00,       1.00]
"""

ANGLES = "[0, 0], [1, 0.01], [2, 0.02]"
SINES = "[0, 0], [0.8415, 0.01], [0.9093, 0.02]"
COSINES = "[1, 1], [0.5403, 1], [-.4161, 0.9998]"

AFTER_THE_COSINES = """
[0.0000, 1.0000, 0.0000, 1.0000],  # position 0
[0.8415, 0.5403, 0.0100, 0.9998],  # position 1
[0.9093,-0.4161, 0.0200, 0.9998]   # position 2
"""

X = """
[0.1, 0.2, 0.3, 0.4],  # token 0 embedding
[0.5, 0.6, 0.7, 0.8],  # token 1 embedding
[0.9, 1.0, 1.1, 1.2]   # token 2 embedding
[1.1, 1.2, 1.3, 1.4],  # token 0 embedding
[1.5, 1.6, 1.7, 1.8],  # token 1 embedding
[1.9, 2.0, 2.1, 2.2]   # token 2 embedding
"""

SUMS = """
[0.1+0.0000, 0.2+1.0000, 0.3+0.0000, 0.4+1.0000],  # token 0
[0.5+0.8415, 0.6+0.5403, 0.7+0.0100, 0.8+0.9998],  # token 1
[0.9+0.9093, 1.0-0.4161, 1.1+0.0200, 1.2+0.9998]   # token 2
[1.1+0.0000, 1.2+1.0000, 1.3+0.0000, 1.4+1.0000],  # token 0
[1.5+0.8415, 1.6+0.5403, 1.7+0.0100, 1.8+0.9998],  # token 1
[1.9+0.9093, 2.0-0.4161, 2.1+0.0200, 2.2+0.9998]   # token 2
"""

# 001: the visual pattern, the twelve numbers of the output

PATTERN = """
 0  |.84 |.91 |.14 |-.76
 1  |.54 |-.42|-.99|-.65
 0  |.01 |.02 |.03 |.04
 1  |.99 |.99 |.99 |.99
"""

TWELVE_INPUTS = [[0.1, -0.2, 0.3, 0.4], [0.0, 0.5, -0.1, 0.2], [0.7, -0.3, 0.2, -0.4]]

TWELVE_NUMBERS = """
0.1000 0.8000 0.3000 1.4000
0.8415 1.0403 -0.0900 1.2000
1.6093 -0.7161 0.2200 0.5998
"""

# 002: tensors as torch printed them

FLATTENED = """
       [[ 0.0000,  1.0000,  0.0000,  1.0000,  0.0000,  1.0000],
        [ 0.8415,  0.5403,  0.0464,  0.9989,  0.0022,  1.0000],
        [ 0.9093, -0.4161,  0.0927,  0.9957,  0.0043,  1.0000],
        [ 0.1411, -0.9900,  0.1388,  0.9903,  0.0065,  1.0000],
        [-0.7568, -0.6536,  0.1846,  0.9828,  0.0086,  1.0000],
        [-0.9589,  0.2837,  0.2300,  0.9732,  0.0108,  0.9999],
        [-0.2794,  0.9602,  0.2749,  0.9615,  0.0129,  0.9999],
        [ 0.6570,  0.7539,  0.3192,  0.9477,  0.0151,  0.9999],
        [ 0.9894, -0.1455,  0.3629,  0.9318,  0.0172,  0.9999],
        [ 0.4121, -0.9111,  0.4057,  0.9140,  0.0194,  0.9998]])
"""

# 003: the 4×4 matrix as NumPy printed it, its sixteen cells one by one, the binary numbers

FOUR_BY_FOUR = """
[ 0.          1.          0.          1.        ]
[ 0.84147098  0.54030231  0.00999983  0.99995   ]
[ 0.90929743 -0.41614684  0.01999867  0.99980001]
[ 0.14112001 -0.9899925   0.0299955   0.99955003]
"""

SIXTEEN_CELLS = """
pos₀₀ = sin(0 / 10000^((2*0)/4)) = 0
pos₀₁ = cos(0 / 10000^((2*0)/4)) = 1
pos₀₂ = sin(0 / 10000^((2*1)/4)) = 0
pos₀₃ = cos(0 / 10000^((2*1)/4)) = 1
pos₁₀ = sin(1 / 10000^((2*0)/4)) = 0.84147098
pos₁₁ = cos(1 / 10000^((2*0)/4)) = 0.54030231
pos₁₂ = sin(1 / 10000^((2*1)/4)) = 0.00999983
pos₁₃ = cos(1 / 10000^((2*1)/4)) = 0.99995
pos₂₀ = sin(2 / 10000^((2*0)/4)) = 0.90929743
pos₂₁ = cos(2 / 10000^((2*0)/4)) = -0.41614684
pos₂₂ = sin(2 / 10000^((2*1)/4)) = 0.01999867
pos₂₃ = cos(2 / 10000^((2*1)/4)) = 0.99980001
pos₃₀ = sin(3 / 10000^((2*0)/4)) = 0.14112001
pos₃₁ = cos(3 / 10000^((2*0)/4)) = -0.9899925
pos₃₂ = sin(3 / 10000^((2*1)/4)) = 0.0299955
pos₃₃ = cos(3 / 10000^((2*1)/4)) = 0.99955003
"""

BINARY = """
pos  0   [0000]
pos  1   [0001]
pos  2   [0010]
pos  3   [0011]
pos  4   [0100]
pos  5   [0101]
pos  6   [0110]
pos  7   [0111]
pos  8   [1000]
pos  9   [1001]
pos 10   [1010]
pos 11   [1011]
pos 12   [1100]
pos 13   [1101]
pos 14   [1110]
pos 15   [1111]
"""

# 004: debug prints of a program that has ln under a power of ten

MISTAKEN_BASE = 10 ** math.log(10_000)

MISTAKEN_ANGLES = """
0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
1 1 0.0705842 0.0705842 0.00498213 0.00498213 0.00035166 0.00035166 2.48216e-05 2.48216e-05 1.75201e-06 1.75201e-06 1.23664e-07 1.23664e-07 8.72875e-09 8.72875e-09
2 2 0.141168 0.141168 0.00996426 0.00996426 0.000703319 0.000703319 4.96432e-05 4.96432e-05 3.50403e-06 3.50403e-06 2.47329e-07 2.47329e-07 1.74575e-08 1.74575e-08
"""  # noqa: E501

MISTAKEN_ENCODING = """
0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1
0.841471 0.540302 0.0705256 0.99751 0.00498211 0.999988 0.000351659 1 2.48216e-05 1 1.75201e-06 1 1.23664e-07 1 8.72875e-09 1
0.909297 -0.416147 0.1407 0.990052 0.00996409 0.99995 0.000703319 1 4.96432e-05 1 3.50403e-06 1 2.47329e-07 1 1.74575e-08 1
"""  # noqa: E501

MASKED_ENCODING = """
0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1
0.841471 0.540302 0.0705256 0.99751 0.00498211 0.999988 0.000351659 1 2.48216e-05 1 1.75201e-06 1 1.23664e-07 1 8.72875e-09 1
0 -0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
"""  # noqa: E501


def angles_of(length, d_model, base=10_000.0):
    """Return the angle of every cell, before sine and cosine: (length, d_model)."""
    return np.outer(np.arange(length), np.repeat(frequencies(d_model, base), 2))


RIGHT_TABLES = [
    (DEEP_LEARNING, "embeddings", EMBEDDINGS, I_LIKE_DEEP_LEARNING.embeddings),
    (DEEP_LEARNING, "div_term", "[1.0, 0.01]", frequencies(4)),
    (DEEP_LEARNING, "divisors of 8 dimensions", "1, 10, 100, 1000", place_values(8)),
    (DEEP_LEARNING, "angles", ANGLES, angles_of(3, 4)[:, 0::2]),
    (DEEP_LEARNING, "sines", SINES, sinusoidal_encoding(3, 4)[:, 0::2]),
    (DEEP_LEARNING, "cosines", COSINES, sinusoidal_encoding(3, 4)[:, 1::2]),
    (DEEP_LEARNING, "x", X, TWO_SENTENCES.embeddings),
    (NUMPY_SOLUTION, "output", TWELVE_NUMBERS, add_positional_encoding(TWELVE_INPUTS)),
    (NUMPY_SOLUTION, "first row", "[0, 1, 0, 1]", sinusoidal_encoding(1, 4)),
    (NUMPY_SOLUTION, "first sum", "[0.1, 0.8, 0.3, 1.4]", add_positional_encoding(TWELVE_INPUTS)[0]),
    (NUMPY_SOLUTION, "divisors of 4 dimensions", "1, 1, 100, 100", np.repeat(place_values(4), 2)),
    (STACK_AND_FLATTEN, "flattened", FLATTENED, stack_and_flatten(10, 6)),
    (ICECREAM, "embedding", "[0.1, 0.2, 0.3, 0.4]", DAN_LOVES_ICECREAM.embeddings[0]),
    (ICECREAM, "0, 1, 2, 3 added", "[0.1, 1.2, 2.3, 3.4]", DAN_LOVES_ICECREAM.embeddings[0] + np.arange(4)),
    (ICECREAM, "sine of 1", "0.84147", encode_positions(1, 4)[0]),
    (ICECREAM, "cosine of 1", "0.54030231", encode_positions(1, 4)[1]),
    (ICECREAM, "sine of 2", "0.90929743", encode_positions(2, 4)[0]),
    (ICECREAM, "sine of 3", "0.14112001", encode_positions(3, 4)[0]),
    (PADDING_MASK, "mask", "1 1 0", HELLO_WORLD_PAD.mask),
    (PADDING_MASK, "frequencies of 64 dimensions", "1 → 0.749894 → 0.562341", frequencies(64)[:3]),
]


@pytest.mark.parametrize(
    ("printed", "computed"),
    [case[2:] for case in RIGHT_TABLES],
    ids=[f"{source}: {name}" for source, name, _, _ in RIGHT_TABLES],
)
def test_a_table_of_the_notes_is_reproduced_to_its_printed_digits(printed, computed):
    assert differences(printed.replace("], [", "]\n["), computed) == {}


def test_000_prints_one_number_of_its_8_dimensional_table_wrong():
    assert differences(EIGHT_DIMENSIONS, sinusoidal_encoding(3, 8)) == {(1, 3): ("0.99", "1.00")}


def test_000_prints_one_number_of_its_4_dimensional_table_wrong():
    assert differences(AFTER_THE_COSINES, TWO_SENTENCES.encoding) == {(1, 3): ("0.9998", "1.0000")}


def terms_of(sums):
    """Return the two printed terms of every sum, as texts of shape (rows, columns, 2)."""
    return np.array([re.findall(r"([\d.]+)([+-][\d.]+)", line.partition("#")[0]) for line in sums.strip().splitlines()])


def test_the_sums_of_000_come_out_but_for_its_wrong_number():
    terms = terms_of(SUMS)
    found = [
        (row, column)
        for row, column in np.ndindex(6, 4)
        if f"{sum(map(Decimal, terms[row, column])):.4f}" != f"{TWO_SENTENCES.encoded.reshape(6, 4)[row, column]:.4f}"
    ]
    assert found == [(1, 3), (4, 3)]


def test_differences_of_encodings_turn_while_their_norm_stays():
    """000 says that the difference of two encodings depends only on their distance; its vector does not."""
    first, second = np.diff(sinusoidal_encoding(3, 4), axis=0)
    assert differences(".8415,-.4597,.0100,-.0000", first) == {}
    assert differences(".0678,-.9564,.0100,-.0001", second) == {}
    assert {f"{np.linalg.norm(first):.5f}", f"{np.linalg.norm(second):.5f}", f"{distance(1, 4):.5f}"} == {"0.95890"}


def test_001_prints_the_slow_cosines_cut_off_and_not_rounded():
    assert differences(PATTERN, sinusoidal_encoding(5, 4).T) == {(3, p): (".99", "1.00") for p in (1, 2, 3, 4)}
    assert differences("1 .99995 .99980 .99955 .99920", sinusoidal_encoding(5, 4)[:, 3]) == {}


@pytest.mark.parametrize("column", range(4))
def test_001_computes_its_first_row_with_angle_0_at_every_step(column):
    found = explain(0, column, 4)
    assert (found.angle, found.value) == (0, [0, 1, 0, 1][column])
    assert found.divisor == pytest.approx([1, 1, 100, 100][column], rel=1e-15)


@pytest.mark.parametrize(("d_model", "longest"), [(4, "628.3"), (16, "19869.2"), (512, "60611.5")])
def test_the_longest_wavelength_of_001_belongs_to_no_column(d_model, longest):
    assert f"{wavelengths(d_model)[-1]:.1f}" == longest != f"{20_000 * math.pi:.1f}" == "62831.9"


def test_002_prints_a_denominator_as_float32_has_it():
    assert differences("[  1.0000,  21.5443, 464.1590]", place_values(6)) == {(0, 2): ("464.1590", "464.1589")}
    in_float32 = np.float32(10_000) ** (np.float32([0, 2, 4]) / np.float32(6))
    assert differences("[  1.0000,  21.5443, 464.1590]", in_float32) == {}


def test_odd_and_even_denominators_of_002_are_the_same():
    divisors = [explain(0, column, 6).divisor for column in range(6)]
    assert divisors[0::2] == divisors[1::2]
    assert f"{divisors[1]:.4f} {divisors[3]:.4f}" == "1.0000 21.5443"


def test_the_matrix_of_003_is_printed_again_letter_by_letter():
    printed = str(sinusoidal_encoding(4, 4)).replace("[[", "[").replace("]]", "]").replace("\n ", "\n")
    assert printed == FOUR_BY_FOUR.strip()


@pytest.mark.parametrize("line", SIXTEEN_CELLS.strip().splitlines())
def test_a_result_of_003_is_right_to_8_digits(line):
    row, column = ("₀₁₂₃".index(digit) for digit in line[3:5])
    found = explain(row, column, 4)
    assert np.format_float_positional(found.value, precision=8, trim="-") == line.split(" = ")[-1]
    assert line.split(" = ")[1].startswith(f"{found.function}({row} / 10000^((2*{found.pair})/4)")


def test_003_gives_its_first_column_to_the_wrong_tokens():
    """It says sine(1) = 0 for the first token, sine(2) for the second, sine(3) for the third."""
    right = [f"{x:.4f}" for x in DAN_LOVES_ICECREAM.encoding[:, 0]]
    said = [f"{math.sin(p):.4f}" for p in (1, 2, 3)]
    assert right == ["0.0000", "0.8415", "0.9093"]
    assert all(a != b for a, b in zip(right, said, strict=True))


def test_the_binary_numbers_of_003_come_from_bits():
    lines = [f"pos {p:2d}   [{''.join(map(str, row))}]" for p, row in enumerate(bits(range(16), 4))]
    assert lines == BINARY.strip().splitlines()


def test_the_first_column_of_003s_binary_numbers_repeats_every_16_and_not_2():
    assert bit_periods(4).tolist() == [16, 8, 4, 2]


def test_binary_jumps_where_the_encoding_moves_on_evenly():
    table = sinusoidal_encoding(9, 8)
    assert [bits_that_flip(n) for n in (0, 7)] == [1, 4]
    assert {f"{np.linalg.norm(table[p + 1] - table[p]):.4f}" for p in range(8)} == {"0.9641"}


def test_the_angles_of_004_come_from_its_mistaken_base():
    assert as_cout_prints(angles_of(3, 16, MISTAKEN_BASE)) == MISTAKEN_ANGLES.strip()
    assert f"{MISTAKEN_BASE:.6g}" == "1.62308e+09"


def test_the_sines_and_cosines_of_004_come_from_its_mistaken_base():
    assert as_cout_prints(sinusoidal_encoding(3, 16, base=MISTAKEN_BASE)) == MISTAKEN_ENCODING.strip()


def test_the_negative_zero_of_004_comes_from_multiplying_by_the_mask():
    table = sinusoidal_encoding(3, 16, base=MISTAKEN_BASE)
    assert as_cout_prints(table * HELLO_WORLD_PAD.mask[:, np.newaxis]) == MASKED_ENCODING.strip()


def test_the_library_masks_without_the_negative_zero_of_004():
    masked = add_positional_encoding(np.zeros((3, 16)), mask=HELLO_WORLD_PAD.mask, base=MISTAKEN_BASE)
    assert as_cout_prints(masked) == MASKED_ENCODING.strip().replace("0 -0 0", "0 0 0")


def test_the_right_frequencies_are_not_those_of_004():
    right = "1 0.316228 0.1 0.0316228 0.01 0.00316228 0.001 0.000316228"
    assert as_cout_prints([frequencies(16)]) == right
    wrong = rows_of(MISTAKEN_ANGLES)[1][::2]
    assert all(a != b for a, b in zip(wrong[1:], right.split()[1:], strict=True))


def test_the_frequencies_004_speaks_of_are_not_those_of_its_16_dimensions():
    assert f"{frequencies(16)[1]:.6f}" == "0.316228" != f"{frequencies(64)[1]:.6f}" == "0.749894"


def test_the_cosine_formula_of_004_doubles_the_exponent():
    table = sinusoidal_encoding(3, 16)
    as_004_writes_it = table.copy()
    as_004_writes_it[:, 1::2] = np.cos(np.outer(np.arange(3), 10_000.0 ** (-2 * np.arange(8) / (16 / 2))))
    assert (f"{table[1, 3]:.4f}", f"{as_004_writes_it[1, 3]:.4f}") == ("0.9504", "0.9950")
    assert np.allclose(np.linalg.norm(table, axis=1), math.sqrt(8), rtol=1e-15)
    assert not np.allclose(np.linalg.norm(as_004_writes_it[1:], axis=1), math.sqrt(8), rtol=1e-3)


def test_the_first_row_of_the_encoding_is_not_all_zeros_as_004_says():
    assert not angles_of(3, 16)[0].any()
    assert HELLO_WORLD_PAD.encoding[0].tolist() == [0, 1] * 8
