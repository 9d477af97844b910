"""Scores: two schemes side by side, whose numbers and marks are those of `attention_scores`."""

import numpy as np
import pytest
from sheets import drawn, maps, texts

from pe_lib.relatives import attention_scores
from pe_pictures import Scores
from pe_pictures.colours import HERE
from pe_pictures.scene import Discs
from pe_pictures.scores import CONTENTS, RELATIVES

EVEN = [1.0, 0.0] * 16  # the third content


@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize("scheme", ["none", "sinusoidal", "ALiBi", "RoPE"])
def test_numbers_maps_and_marks_are_those_of_the_scores(scheme: str, tall: bool) -> None:
    picture = Scores(scheme, content=CONTENTS[2], query=9, key=4)
    picture.tall = tall
    right = attention_scores(scheme, EVEN, EVEN, 32)
    left = attention_scores("sinusoidal", EVEN, EVEN, 32)
    np.testing.assert_allclose(picture.scores, right, atol=1e-12)
    for scores in (left, right):
        assert f"{scores[9, 4]:.2f}".replace("-", "−") in texts(picture)
    seen = [cells.numbers for cells in maps(picture)]
    for numbers, scores in zip(seen, (left, right), strict=True):
        beyond = scores - scores.mean()
        np.testing.assert_allclose(numbers, beyond / max(abs(beyond).max(), 1e-9), atol=1e-3)
    dots = [tuple(disc.centres[0]) for disc in drawn(picture) if isinstance(disc, Discs) and disc.fill == HERE]
    for (cells, (x, y)), (_, height), scores in zip(
        zip(maps(picture), dots[::2], strict=True), dots[1::2], (left, right), strict=True
    ):
        across, down, wide, high = cells.box
        assert (int((x - across) / wide * 32), int((y - down) / high * 32)) == (4, 9)
        low, top = scores.min(), scores.max()
        margin = 0.06 * ((top - low) if top - low > 1e-9 else 1)
        assert height == pytest.approx(down + high * (top + margin - scores[9, 4]) / (top - low + 2 * margin), abs=0.1)


@pytest.mark.parametrize("relative", RELATIVES)
def test_only_what_is_added_has_a_curve_for_each_query(relative: str) -> None:
    picture = Scores(relative, against="none")
    assert picture.alike == (relative not in ("sinusoidal", "learned"))
    assert texts(picture).count("Each query has a curve of its own.") == (not picture.alike)


def test_sinusoids_without_words_have_one_curve() -> None:
    assert Scores("sinusoidal", content="zero").alike


def test_the_sentence_says_what_depends_on_the_offset_alone() -> None:
    assert "everywhere at offset −8" in Scores().says()
    assert "both change" in Scores("learned").says()
    assert "wherever both stand" in Scores(content="zero").says()
    assert "masked" in Scores(causal=True, query=3, key=4).says()


def test_a_cell_can_be_dragged_in_both_maps() -> None:
    first, _, second, _ = Scores().targets()
    assert first.across == second.across == ("key", range(32))
    assert first.down == second.down == ("query", range(32))
