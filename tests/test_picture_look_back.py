"""Looking back: arcs are as wide as the attention weights of a head that knows positions alone."""

import re

import numpy as np
import pytest
from sheets import drawn, numbers, texts

from pe_lib import rotate, sinusoidal_encoding
from pe_pictures import LookBack
from pe_pictures.colours import INK
from pe_pictures.look_back import WIDEST
from pe_pictures.scene import Curves

STATES = [{}, {"token": 0}, {"back": 3, "sharpness": 1}, {"back": -2, "token": 15, "d_model": 8}, {"start": 1000}]


def by_hand(picture: LookBack) -> np.ndarray:
    """Return the attention weights of the marked word, as notebook 07 computes them: by a rotation and a softmax."""
    s, count = picture.state, len(picture.state["tokens"])
    rows = sinusoidal_encoding(count, s["d_model"], start=s["start"])
    query = rotate(rows, s["back"])[s["token"]]  # pairs (sin, cos) turn the other way
    powers = np.exp(s["sharpness"] * (rows @ query) / np.sqrt(s["d_model"]))
    return powers / powers.sum()


@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize("state", STATES, ids=str)
def test_widths_and_percentages_are_the_attention_weights(state: dict[str, int], tall: bool) -> None:
    picture = LookBack(**state)
    picture.tall, row = tall, by_hand(picture)
    np.testing.assert_allclose(picture.attention_weights[picture.state["token"]], row, atol=1e-8)
    arcs = [x for x in drawn(picture) if isinstance(x, Curves) and x.edge == INK and len(x.curves[0]) > 2]
    np.testing.assert_allclose([arc.width for arc in arcs], WIDEST * row, atol=0.01)
    said = [float(text[:-1]) for text in texts(picture) if re.fullmatch(r"\d+%", text)]
    assert said == [round(100 * weight) for weight in row if weight >= 0.005]


def test_every_arc_joins_the_marked_word_with_another() -> None:
    picture = LookBack(token=5)
    places = {text.text: text.x for text in picture.lay()}
    arcs = [x for x in drawn(picture) if isinstance(x, Curves) and x.edge == INK and len(x.curves[0]) > 2]
    for k, arc in enumerate(arcs):
        np.testing.assert_allclose(arc.curves[0][[0, -1], 0], [places["5"], places[str(k)]])


def test_the_sentence_says_where_most_comes_from() -> None:
    assert "97%" in LookBack().says()
    assert "no word 1 back" in LookBack(token=0).says()
    assert "6%" in LookBack(sharpness=0).says()
    assert LookBack(sharpness=0).peak is None
    assert "1,000,005" in LookBack(start=1_000_000).says()
    assert LookBack(token=0, d_model=8).peak == 5


def test_words_can_be_dragged_along_and_positions_are_numbered() -> None:
    picture = LookBack("a b c", start=1000, token=1)
    (target,) = picture.targets()
    assert target.across == ("token", range(3))
    assert numbers(picture, r"[\d,]+") == [1000, 1001, 1002]
    picture.tall = True
    (target,) = picture.targets()
    assert target.down == ("token", range(3))


def test_of_a_longer_sentence_twenty_words_are_shown() -> None:
    assert LookBack(" ".join(map(str, range(30)))).attention_weights.shape == (20, 20)
