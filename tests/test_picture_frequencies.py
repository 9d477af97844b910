"""The picture of scaled frequencies shows the wavelengths of the formulas, and marks which pairs were kept."""

import math

import numpy as np
import pytest
from sheets import drawn, random_state, ruler, texts

from pe_pictures import Frequencies
from pe_pictures.colours import BAND, INK, SINE
from pe_pictures.frequencies import SCALINGS, _divisor, _length
from pe_pictures.scene import Boxes, Curves

EACH_SHAPE = pytest.mark.parametrize("tall", [False, True])


def divisor(scaling: str, state: dict) -> float:
    """Write the divisors out in plain Python."""
    d_model, factor, pair = state["d_model"], state["factor"], state["pair"]
    turns = state["trained"] / (2 * math.pi) * state["base"] ** (-2 * pair / d_model)
    if scaling == "NTK-aware":
        return factor ** (2 * pair / (d_model - 2))
    if scaling in ("YaRN", "Llama 3.1"):
        kept = (turns - 1) / ((32 if scaling == "YaRN" else 4) - 1)
        kept = min(max(kept, 0), 1)
        return 1 / (kept + (1 - kept) / factor)
    return 1 if scaling == "none" else factor


@EACH_SHAPE
@pytest.mark.parametrize("seed", range(8))
def test_the_wavelengths_and_divisors_are_those_of_the_formulas(seed: int, tall: bool) -> None:
    picture = Frequencies(**random_state(Frequencies, seed))
    picture.tall = tall
    s, said = picture.state, texts(picture)
    for name in SCALINGS:
        expected = divisor(name, dict(s))
        assert picture.divisors[name] == pytest.approx(expected, rel=1e-9)
        length = 2 * math.pi * s["base"] ** (2 * s["pair"] / s["d_model"]) * expected
        assert picture.lengths[name][s["pair"]] == pytest.approx(length, rel=1e-9)
        assert _length(picture.lengths[name][s["pair"]]) in said
        assert f"÷ {_divisor(picture.divisors[name], s['factor'])}" in said


@EACH_SHAPE
def test_a_mark_stands_for_each_pair_at_its_wavelength_and_says_whether_it_was_kept(tall: bool) -> None:
    picture = Frequencies(scaling="YaRN")
    picture.tall = tall
    lengths, x_of = picture.lengths, ruler(picture, {"100": 2.0, "10,000": 4.0})
    strips = next(part.places for part in drawn(picture) if isinstance(part, Boxes) and part.fill == BAND)
    for (_, top, _, high), name in zip(strips, SCALINGS, strict=True):
        found = {}
        for part in drawn(picture):
            if isinstance(part, Curves) and part.edge in (SINE, INK):
                for curve in part.curves:
                    if len(curve) == 2 and curve[:, 1].mean() == pytest.approx(top + high / 2) and not part.dash:
                        found[round(float(curve[0, 0]), 3)] = part.edge
        for x, divided in zip(x_of(np.log10(lengths[name])), lengths[name] / lengths["none"], strict=True):
            assert found[round(float(x), 3)] == (SINE if divided < 1 + 1e-9 else INK)


def test_a_divisor_that_is_nearly_the_factor_is_not_written_as_the_factor() -> None:
    assert [_divisor(x, 4.0) for x in (1.0, 4.0, 3.9999, 1.0004, 2.756)] == ["1", "4", "3.9999", "1.0004", "2.76"]


@EACH_SHAPE
def test_the_slider_lies_under_the_unscaled_pairs_and_so_do_the_places_to_drag(tall: bool) -> None:
    picture = Frequencies()
    picture.tall = tall
    (target,) = picture.targets()
    (left, _, wide, _), (first, last) = target.box, picture.axis()
    xs = ruler(picture, {"100": 2.0, "10,000": 4.0})(np.log10(picture.lengths["none"]))
    np.testing.assert_allclose(xs, np.linspace(first, last, 64))
    assert [int(share) for share in (xs - left) / wide * 64] == [*range(64)]


def test_the_sentence_says_what_becomes_of_a_pair() -> None:
    assert "54,410 positions" in Frequencies(scaling="none", pair=63).says()
    assert "completed 5.6 turns" in Frequencies(pair=33).says()
    assert "keeps it" in Frequencies(pair=0).says()
    assert "never completed a turn" in Frequencies(pair=63).says()
    assert "2.07" in Frequencies(scaling="NTK-aware", pair=33).says()


def test_a_width_that_is_too_small_for_the_pair_is_refused() -> None:
    with pytest.raises(ValueError, match="pair must lie between 0 and 31, got 40"):
        Frequencies(pair=40, d_model=64)
