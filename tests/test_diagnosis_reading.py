"""Promise: a table is read as it's pasted, with the numbers that it shows, or a sentence says what to paste instead."""

import contextlib
import io
import sys

import box
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pe_diagnosis import CodeError, TableError, diagnose, read_table
from pe_diagnosis.__main__ import main
from pe_lib import broken_encoding, sinusoidal_encoding

# Every column has a frequency of its own, which is wrong.
NUMBERS = [[0, 1, 0, 1], [0.8415, 0.995, 0.01, 1], [0.9093, 0.9801, 0.02, 1], [0.1411, 0.9553, 0.03, 1]]
ROWS = "print(pe[:8].tolist())"

PASTES = {  # what is pasted; the finding of these numbers, unless other numbers are given, or what the error says
    "NumPy": """
[[0.     1.     0.     1.    ]
 [0.8415 0.995  0.01   1.    ]
 [0.9093 0.9801 0.02   1.    ]
 [0.1411 0.9553 0.03   1.    ]]""",
    "NumPy, with a type, rows broken": """
array([[0.0000e+00, 1.0000e+00, 0.0000e+00,
        1.0000e+00],
       [8.4150e-01, 9.9500e-01, 1.0000e-02,
        1.0000e+00],
       [9.0930e-01, 9.8010e-01, 2.0000e-02,
        1.0000e+00],
       [1.4110e-01, 9.5530e-01, 3.0000e-02,
        1.0000e+00]], dtype=float32)""",
    "list": "[[0, 1, 0, 1], [0.8415, 0.995, 0.01, 1.0], [0.9093, 0.9801, 0.02, 1.0], [0.1411, 0.9553, 0.03, 1.0]]",
    "list of NumPy's numbers": str([[np.float64(one) for one in row] for row in NUMBERS]),
    "list of rows": str([np.array(row) for row in NUMBERS]),
    "row by row, by a loop": ">>> for row in pe:\n...     print(row)\n... \n"
    + "\n".join(str(np.array(row, dtype=float)) for row in NUMBERS),
    "PyTorch, on a device, half precision": """
tensor([[0.0000, 1.0000, 0.0000, 1.0000],
        [0.8415, 0.9950, 0.0100, 1.0000],
        [0.9093, 0.9801, 0.0200, 1.0000],
        [0.1411, 0.9553, 0.0300, 1.0000]], device='cuda:0', dtype=torch.float16)""",
    "PyTorch, batch of 1, with a gradient": """
>>> model.pe[:, :4]
tensor([[[0.0000, 1.0000, 0.0000, 1.0000],
         [0.8415, 0.9950, 0.0100, 1.0000],
         [0.9093, 0.9801, 0.0200, 1.0000],
         [0.1411, 0.9553, 0.0300, 1.0000]]], grad_fn=<AddBackward0>)""",
    "PyTorch, tokens first": "Parameter containing:\ntensor("
    + str([[row] for row in NUMBERS])
    + ", device='mps:0', requires_grad=True)",
    "PyTorch, what a module keeps": f"OrderedDict([('pe', tensor({NUMBERS})), ('steps', tensor([3, 4]))])",
    "PyTorch, shortened": (
        "tensor([[ 0.0000e+00,  1.0e+00,  ...,  1.0e+00],\n        ...,\n        [-9.5e-01, 3.0e-01, ..., 1.0e+00]])",
        rf"{ROWS}` prints: eight rows are enough. `torch.set_printoptions(threshold=",
    ),
    "PyTorch, shortened, batch of 1": (
        "tensor([[[ 0.0000,  1.0000,  ...,  1.0000],\n         ...,\n         [-0.9538,  0.3006,  ...,  1.0000]]])",
        "print(pe[:, :8].tolist())",
    ),
    "NumPy, shortened": ("[[0. 1. 0. ... 1. 0. 1.]\n ...\n [-0.9 0.3 0.1 ... 0. 1. 0.]]", f"{ROWS}` prints"),
    "TensorFlow": "<tf.Tensor: shape=(1, 4, 4), dtype=float32, numpy=\narray(["
    + np.array2string(np.array(NUMBERS), separator=", ")
    + "], dtype=float32)>",
    "TensorFlow, printed": f"tf.Tensor(\n{np.array(NUMBERS)}, shape=(4, 4), dtype=float32)",
    "TensorFlow, shortened": ("tf.Tensor(\n[[0. 1. ... 1.]\n ...\n [1. 0. ... 0.]], shape=(50, 32))", "pe[:8].numpy()"),
    "JAX": f"Array({NUMBERS}, dtype=float32)",
    "pandas": """
          0       1     2    3
0  0.000000  1.0000  0.00  1.0
1  0.841500  0.9950  0.01  1.0
2  0.909300  0.9801  0.02  1.0
3  0.141100  0.9553  0.03  1.0""",
    "pandas, in blocks": """
        sin     cos  \\
0    0.0000  1.0000
1    0.8415  0.9950
2    0.9093  0.9801
3    0.1411  0.9553

     sin.1  cos.1
0     0.00    1.0
1     0.01    1.0
2     0.02    1.0
3     0.03    1.0  """,
    "pandas, shortened": (
        "     0    1   ...   31\n0  0.0  1.0  ...  1.0\n..  ...  ...  ...  ...\n\n[50 rows x 32 columns]",
        "print(df.head(8).to_string())",
    ),
    "CSV": "0.0,1.0,0.0,1.0\n0.8415,0.995,0.01,1.0\n0.9093,0.9801,0.02,1.0\n0.1411,0.9553,0.03,1.0\n",
    "CSV, head and index": """
,0,1,2,3
0,0.0,1.0,0.0,1.0
1,0.8415,0.995,0.01,1.0
2,0.9093,0.9801,0.02,1.0
3,0.1411,0.9553,0.03,1.0""",
    "CSV, names and an index that starts late": """
pos,s0,c0,s1,c1
5,0.0,1.0,0.0,1.0
6,0.8415,.995,.01,1
7,0.9093,.9801,.02,1
8,0.1411,.9553,.03,1""",
    "CSV, decimal commas": "0,0;1,0;0,0;1,0\n0,8415;0,995;0,01;1,0\n0,9093;0,9801;0,02;1,0\n0,1411;0,9553;0,03;1,0",
    "spreadsheet": "pos\ts 0\tc 0\ts 1\tc 1\n0\t0\t1\t0\t1\n1\t0.8415\t0.995\t0.01\t1\n2\t0.9093\t0.9801\t0.02\t1\n"
    "3\t0.1411\t0.9553\t0.03\t1\n",
    "spreadsheet, decimal commas": "0\t1\t0\t1\r\n0,8415\t0,995\t0,01\t1\r\n0,9093\t0,9801\t0,02\t1\r\n"
    "0,1411\t0,9553\t0,03\t1",
    "commas that may be either": ("0,8415, 0,9950, 0,0100, 0,9999", "decimal commas"),
    "commas that may be either, in CSV": ("0,0000,1,0000\n0,8415,0,9950", "decimal commas"),
    "Markdown": "| pos | 0 | 1 | 2 | 3 |\n|---|---|---|---|---|\n"
    + "\n".join(f"| {k} | " + " | ".join(f"{one:.4f}" for one in row) + " |" for k, row in enumerate(NUMBERS)),
    "prompts in front": f"In [12]: pe[:4]\nOut[12]: \n{np.array(NUMBERS)!r}",
    "text around it": f"Hi! With torch 2.1 I get this, see [1]:\n\n{np.array(NUMBERS)}\n\nd_model is 4. Is it (0, 1)?",
    "code with the table in it": f"import numpy as np\n\npe = np.array({NUMBERS})\nprint(pe[:, 0])",
    "a minus from a text processor": ("0,5\t−0,5\n0,25\t1,0", [[0.5, -0.5], [0.25, 1]]),
    "one row": ("[0.8415, 0.5403, 0.01, 1.0]", [[0.8415, 0.5403, 0.01, 1]]),
    "two columns without a head": ("0\t1\n0,8415\t0,5403", [[0, 1], [0.8415, 0.5403]]),
    "a name in front": (
        "pe = 0.0, 1.0, 0.0, 1.0\n0.8415, 0.54, 0.01, 1.0",
        [[0, 1, 0, 1], [0.8415, 0.54, 0.01, 1]],
    ),
    "what may be an index": ("0\t0.0\t1.0\n1\t0.8415\t0.5403", "may be an index"),
    "a number that is none": ("[[0.0, nan], [0.8415, inf]]", [[0, np.nan], [0.8415, np.inf]]),
    "rows of different lengths": ("0.1 0.2 0.3\n0.4 0.5\n0.7 0.8 0.9", "Row 1 has 2 numbers"),
    "a cell that is empty": ("0.1,0.2,0.3\n0.4,,0.6", "line 2 a cell is empty"),
    "a cell that is no number": ("0.1\t0.2\t0.3\n0.4\t#REF!\t0.6", "“#REF!” is no number"),
    "end cut off": ("[[0.0, 1.0, 0.0, 1.0], [0.8415, 0.995, 0.0", "brackets"),
    "begin cut off": ("0.0, 1.0, 0.0], [0.8415, 0.995, 0.01]]", "brackets"),
    "two tables": ("[[0., 1.], [0.8, 0.5]]\n[[0., 1.], [0.8, 0.9]]", "2 tables"),
    "a factor above it": ("   1.0e+03 *\n\n    0.0010    0.0020\n    0.0003    0.0040", "factor"),
    "code for PyTorch": ("import torch\npe = torch.zeros(50, 32)\npe[:, 0::2] = torch.sin(pos * div)", ROWS),
    "code at a prompt": (">>> pe = torch.zeros(50, 32)\n>>> pe.sum()", ROWS),
    "words": ("My model doesn't learn. Is it the positional encoding?", "There's no table here"),
    "nothing": ("  \n", "There's no table here"),
}  # fmt: skip


@pytest.mark.parametrize("name", PASTES)
def test_a_paste_is_read_as_it_shows_or_told_what_is_missing(name):
    paste = PASTES[name]
    text, says = paste if isinstance(paste, tuple) else (paste, NUMBERS)
    if isinstance(says, str):
        with pytest.raises(TableError) as caught:
            diagnose(text)
        with pytest.raises(TableError):
            [*box.answers(text, 10_000.0)]
        assert says in str(caught.value)
        assert (type(caught.value) is CodeError) == name.startswith("code")
    else:
        assert np.array_equal(read_table(text), np.array(says, dtype=float), equal_nan=True)
        found = diagnose(text)
        assert says is not NUMBERS or found.codes[0] == "own-frequencies"
        assert found == diagnose(np.array(says, dtype=float))
        (answer,) = box.answers(text, 10_000.0)
        assert answer["picture"].picture.diagnosis == found
        assert says is not NUMBERS or "(-<mark>j</mark> / d_model)" in answer["html"]


@given(
    st.lists(
        st.sampled_from(
            [*"[](),;|&\t\n \"'.-:=0123", "0.5", "0,25", "tensor(", "...", "In [1]:", "pe = ", ">>> ", "\\\n"]
        )
    )
)
@example(parts=["[[]]"])
def test_no_text_is_too_odd(parts):
    with contextlib.suppress(TableError):
        assert read_table("".join(parts)).size


def test_only_texts_are_read():
    with pytest.raises(TypeError, match="text must be a text, got list"):
        read_table([[0, 1]])
    with pytest.raises(TableError):
        read_table("[" * 5000 + "0.5" + "]" * 5000)


@pytest.mark.parametrize("values", [np.tile(np.array(NUMBERS), (3, 1, 1)), np.array(NUMBERS)[:, np.newaxis]])
def test_tables_that_are_the_same_are_told_once(values):
    (answer,) = box.answers(str(values.tolist()), 10_000.0)
    assert answer["text"] == str(diagnose(NUMBERS))


def test_tables_that_differ_are_told_each():
    right, wrong = sinusoidal_encoding(6, 8), broken_encoding(6, 8, base=100.0)
    first, second = box.answers(str(np.stack([right, wrong, right]).tolist()), 100.0)
    assert first["text"] == f"matrix[0]:\n{diagnose(right, base=100)}"
    assert second["text"] == f"matrix[1]:\n{diagnose(wrong, base=100)}"
    assert second["text"].startswith("matrix[1]:\nThis is the sinusoidal encoding")


def test_few_decimals_are_answered_and_said():
    wrong = broken_encoding(8, 16, rule="2 forgotten").round(2)
    (answer,) = box.answers(str(wrong.tolist()), 10_000.0)
    assert "With 2 decimals" in answer["html"]
    assert "<mark>2 * </mark>i" in answer["html"]


def test_code_for_numpy_is_run_and_other_code_is_answered_in_words():
    lines = [
        "def encode(length, d_model):",
        "    angle = np.arange(length)[:, None] / 10000 ** (np.arange(0, d_model, 2) / 2 / d_model)",
        "    return np.stack([np.sin(angle), np.cos(angle)], -1).reshape(length, d_model)",
    ]
    for code, called in {
        "\n".join(lines): "encode(50, 32)",
        "\n".join([*lines, "", "encode(9, 16)"]): "encode(9, 16)",
        "\n".join([*lines, "", "pe = encode(9, 16)", "print(pe)"]): "pe",
        "\n".join([f">>> {lines[0]}", *(f"... {line}" for line in lines[1:]), "... "]): "encode(50, 32)",
    }.items():
        (answer,) = box.answers(code, 10_000.0)
        assert answer["said"].startswith(f"{called}: ")
        assert "<mark>2 * </mark>i" in answer["html"]
    for code, says in {
        "import torch\npe = torch.zeros(4, 4)": "needs torch",
        "pe = torch.zeros(4, 4)": "needs torch",
        "x = 1\npe = 1 / 0": "stops in line 2: ZeroDivisionError",
        "def f(:\n    pass\nx = 1": "line 1 can't be read",
        "x = 5": "makes no table",
        "import os\nx = 1": "needs os",
        "x = 1\nexit()": "stops in line 2",
    }.items():
        with pytest.raises(TableError, match=says):
            [*box.answers(code, 10_000.0)]


@pytest.mark.parametrize("name", ["pe.csv", "pe.npy", "pe.npz", "-"])
def test_a_shell_gets_the_answer_and_a_status(tmp_path, monkeypatch, capsys, name):
    def ask(values):
        place = tmp_path / name
        if name == "pe.csv":
            np.savetxt(place, values, delimiter=",")
        elif name == "-":
            text = io.TextIOWrapper(io.BytesIO(str(values.tolist()).encode("utf-16")))
            monkeypatch.setattr(sys, "stdin", text)
            return main(["-"])
        else:
            np.savez(place, pe=values, d_model=8) if name == "pe.npz" else np.save(place, values)
        return main([str(place)])

    for values, status in ((sinusoidal_encoding(9, 8), 0), (broken_encoding(9, 8, layout="halves"), 0), (NUMBERS, 1)):
        assert ask(np.array(values)) == status
        assert str(diagnose(values)) in capsys.readouterr().out
    assert main([str(tmp_path / "none.csv")]) == 2
    (tmp_path / "pe.npy").write_text("words")
    assert main([str(tmp_path / "pe.npy")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 2)
