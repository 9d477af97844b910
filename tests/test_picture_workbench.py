"""The workbench draws the matrix and the frequencies of the library, and marks the lines that the diagnosis names."""

import numpy as np
import pytest
from sheets import drawn, maps, texts

from pe_diagnosis import diagnose
from pe_lib import broken_encoding, frequencies, sinusoidal_encoding
from pe_pictures import Workbench
from pe_pictures.scene import Boxes, Text

MADE = [
    {},
    {"start": 3},
    {"rule": "column for pair"},
    {"layout": "swapped", "base": 1000.0, "scale": 2.0},
    {"transposed": True},
]
EACH_SHEET = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])


@EACH_SHEET
@pytest.mark.parametrize("made", MADE, ids=str)
def test_the_map_and_the_marked_lines_are_those_of_the_library(made: dict, tall: bool) -> None:
    picture = Workbench(length=20, d_model=8, **made)
    picture.tall = tall
    matrix = broken_encoding(20, 8, **made)
    end = max(1.0, abs(matrix).max())
    np.testing.assert_allclose(maps(picture)[0].numbers * end, matrix)
    marked = [text.text for text in drawn(picture) if isinstance(text, Text) and text.weight == "bold"]
    wrong = [line.replace("-", "−") for line, _ in diagnose(matrix).lines]
    assert [said for said in marked if len(said) > 1] == wrong
    assert not wrong or set(wrong).isdisjoint(texts(picture, covered=True))


@pytest.mark.parametrize("layout", ["interleaved", "halves", "swapped"])
def test_the_measured_frequencies_are_those_that_made_the_matrix(layout: str) -> None:
    turns, are_pairs = Workbench(layout=layout).measured
    assert are_pairs.all()
    np.testing.assert_allclose(abs(turns), frequencies(32), rtol=1e-6)


@pytest.mark.parametrize("matrix", [np.full((5, 4), 1e300), np.tile(np.arange(8.0), (12, 1))], ids=["1e300", "0 to 7"])
def test_what_does_not_move_is_no_pair(matrix: np.ndarray) -> None:
    assert not Workbench(matrix=matrix).measured[1].any()


def test_the_sentence_counts_lines_and_columns() -> None:
    assert "this is the encoding" in Workbench().says()
    made = broken_encoding(50, 32, rule="column for pair")
    off = (abs(made - sinusoidal_encoding(50, 32)) > 0.01).any(axis=0).sum()
    assert f"one line is wrong; {off} of 32 columns differ" in Workbench(rule="column for pair").says()
    assert "3 lines are wrong" in Workbench(layout="swapped", base=1000.0, scale=2.0).says()
    assert "no mistake" in Workbench(layout="halves").says()
    assert "First position" not in Workbench(matrix=made).says()


def test_in_a_matrix_of_ones_own_the_rows_or_columns_in_question_are_marked() -> None:
    def marked(matrix: np.ndarray, **more: float) -> list[list[int]]:
        return [np.flatnonzero(one).tolist() for one in Workbench(matrix=matrix, **more).in_question]

    right = sinusoidal_encoding(20, 8)
    blanked = right.copy()
    blanked[[4, 9]] = 0
    assert marked(right) == marked(broken_encoding(20, 8, layout="halves")) == [[], []]
    assert marked(blanked) == [[4, 9], []]
    assert marked(broken_encoding(4, 6, rule="each column its own").round(4)) == [[], [1, 3]]
    mixed = broken_encoding(20, 8, rule="2 forgotten", layout="halves")
    assert marked(mixed) == [[], [1, 2, 3, 5, 6, 7]]
    assert "6 of 8 columns differ" in Workbench(matrix=mixed).says()
    other = broken_encoding(20, 8, base=100.0)
    assert marked(other) == [[], [2, 3, 4, 5, 6, 7]]
    assert marked(other, base=100.0) == [[], []]
    bars = [bar for one in Workbench(matrix=blanked).lay() if isinstance(one, Boxes) for bar in one.places]
    assert [round(20 * high / 250) for _, _, _, high in bars] == [1, 1]
