"""Every picture can be drawn in every state, and a picture moved to a state is the picture built for it."""

import itertools
import random
import re

import matplotlib as mpl
import numpy as np
import pytest

from pe_lib import I_LIKE_DEEP_LEARNING, ExplainThisNumber, sinusoidal_encoding
from pe_lib.pictures.picture import DPI, Picture

SENTENCES = [
    I_LIKE_DEEP_LEARNING.tokens,
    ("alone",),
    tuple(f"word{pos}" for pos in range(8)),
    tuple(f"word{pos}" for pos in range(23)),
    ("<b>bold</b>", "$x^2$", "\\frac{", "smile 😀", "שלום", "two\nlines", "", "x" * 10_000),
]


def random_state(seed: int) -> dict:
    choose = random.Random(seed)
    tokens = choose.choice(SENTENCES)
    d_model = choose.choice([1, 2, 5, 6, 8, 9, 64, 512])
    return {
        "tokens": tokens,
        "d_model": d_model,
        "base": choose.choice([1.5, 10.0, 100.0, 10_000.0, 1e5, 12_345.678]),
        "position": choose.randrange(len(tokens)),
        "column": choose.randrange(d_model),
    }


def texts(picture: Picture) -> list:
    return [text for text in picture.figure.findobj(mpl.text.Text) if text.get_text().strip() and text.get_visible()]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 40, 10))
def test_a_picture_moved_to_a_state_has_the_pixels_of_one_built_for_it(first):
    moved = ExplainThisNumber()
    for seed in range(first, first + 10):
        state = random_state(seed)
        moved.update(**state)
        assert np.array_equal(moved.pixels(), ExplainThisNumber(**state).pixels()), state


def test_every_cell_of_the_first_sentence_has_a_picture_of_its_own():
    picture = ExplainThisNumber()
    seen = {
        picture.update(position=pos, column=j).pixels().tobytes() for pos, j in itertools.product(range(4), range(6))
    }
    assert len(seen) == 24


def test_what_the_learner_has_set_in_matplotlib_changes_nothing():
    before = ExplainThisNumber().pixels()
    with mpl.rc_context({"font.size": 30, "text.usetex": False, "axes.facecolor": "black", "lines.linewidth": 9}):
        assert np.array_equal(ExplainThisNumber().pixels(), before)
    assert mpl.rcParams["font.size"] == mpl.rcParamsDefault["font.size"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_cut_at_the_edge_and_no_text_is_too_small(seed):
    picture = ExplainThisNumber(**random_state(seed))
    pixels = picture.pixels()
    width, height = (round(inches * DPI) for inches in picture.size)
    assert pixels.shape == (height, width, 4)
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    assert (edge == 255).all(), "something reaches the edge of the picture"
    for text in texts(picture):
        assert text.get_fontsize() >= 12, text.get_text()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_no_two_texts_overlap(seed):
    picture = ExplainThisNumber(**random_state(seed))
    picture.pixels()
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts(picture)]
    for (one, a), (other, b) in itertools.combinations(boxes, 2):
        wide = min(a.x1, b.x1) - max(a.x0, b.x0)
        high = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(wide, high) < 1.5, f"{one!r} and {other!r} overlap by {wide:.0f} × {high:.0f} pixels"


@pytest.mark.parametrize("seed", range(20))
def test_the_description_says_what_the_state_is(seed):
    state = random_state(seed)
    words = ExplainThisNumber(**state).describe()
    value = sinusoidal_encoding(len(state["tokens"]), state["d_model"], base=state["base"])[
        state["position"], state["column"]
    ]
    assert words.startswith(f"Position {state['position']}, the word “{state['tokens'][state['position']]}”, ")
    assert f"column {state['column']}," in words
    said = re.search(r"lies at (-?[\d.]+(?:e-\d+)?)\. ", words)
    assert said
    assert abs(float(said[1]) - value) <= 0.5e-4 * min(1, 10 * abs(value)), said[1]
    assert ("a cosine" in words) == (state["column"] % 2 == 1)


def test_a_picture_shows_itself_as_a_png_with_its_description_as_alternative_text():
    picture = ExplainThisNumber(position=1, column=0)
    data, metadata = picture._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    assert data["text/plain"] == metadata["image/png"]["alt"] == picture.describe() == repr(picture)
    assert not re.search(r"0x[0-9a-f]{6}", repr(picture))


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"position": 4}, ValueError, "position must lie between 0 and 3"),
        ({"position": -1}, ValueError, "position must be"),
        ({"position": 1.5}, TypeError, "position must be"),
        ({"column": 6}, ValueError, "column must lie between 0 and 5"),
        ({"d_model": 3}, ValueError, "column must lie between 0 and 2"),
        ({"base": 0}, ValueError, "base must be"),
        ({"tokens": ()}, ValueError, "tokens must hold at least one"),
        ({"tokens": "I like"}, TypeError, "tokens must be a sequence of words"),
        ({"tokens": (1, 2)}, TypeError, "tokens must be a sequence of words"),
        ({"tokens": 3}, TypeError, "tokens must be a sequence of words"),
        ({"colour": 1}, TypeError, "has no 'colour'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_picture_stays(state, error, says):
    picture = ExplainThisNumber()
    before = picture.pixels()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert np.array_equal(picture.pixels(), before)
