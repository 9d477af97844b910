"""Every picture can be drawn in every state, and a picture moved to a state is the picture built for it."""

import itertools
import random
import re

import matplotlib as mpl
import numpy as np
import pytest
from picture_states import STATES

from pe_lib import ExplainThisNumber, sinusoidal_encoding
from pe_lib.pictures.lettering import Letters
from pe_lib.pictures.picture import DPI, Picture, one_line

PICTURES = pytest.mark.parametrize("picture", STATES, ids=lambda kind: kind.__name__)


def random_state(kind: type[Picture], seed: int) -> dict:
    return STATES[kind](random.Random(seed))


def texts(picture: Picture) -> list:
    return [text for text in picture.figure.findobj(mpl.text.Text) if text.get_text().strip() and text.get_visible()]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 40, 10))
@PICTURES
def test_a_picture_moved_to_a_state_has_the_pixels_of_one_built_for_it(picture, first):
    moved = picture()
    for seed in range(first, first + 10):
        state = random_state(picture, seed)
        moved.update(**state)
        assert np.array_equal(moved.pixels(), picture(**state).pixels()), state


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@PICTURES
def test_the_description_is_one_text_that_says_where_the_picture_is(picture, seed):
    here = picture(**random_state(picture, seed))
    words = here.describe()
    assert words == picture(**here.state).describe()
    assert "\n" not in words
    assert not re.search(r"\bnan\b|\binf\b|0x[0-9a-f]{6}|-0\.0+\b(?!\d)", words)
    assert len(words) < 1500


def test_every_cell_of_the_first_sentence_has_a_picture_of_its_own():
    picture = ExplainThisNumber()
    seen = {
        picture.update(position=pos, column=j).pixels().tobytes() for pos, j in itertools.product(range(4), range(6))
    }
    assert len(seen) == 24


@PICTURES
def test_what_the_learner_has_set_in_matplotlib_changes_nothing(picture):
    before = picture().pixels()
    with mpl.rc_context({"font.size": 30, "text.usetex": False, "axes.facecolor": "black", "lines.linewidth": 9}):
        assert np.array_equal(picture().pixels(), before)
    assert mpl.rcParams["font.size"] == mpl.rcParamsDefault["font.size"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@PICTURES
def test_nothing_is_cut_at_the_edge_and_no_text_is_too_small(picture, seed):
    picture = picture(**random_state(picture, seed))
    pixels = picture.pixels()
    width, height = (round(inches * DPI) for inches in picture.size)
    assert pixels.shape == (height, width, 4)
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    assert (edge == 255).all(), "something reaches the edge of the picture"
    for text in texts(picture):
        assert text.get_fontsize() >= 12, text.get_text()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@PICTURES
def test_no_two_texts_overlap(picture, seed):
    picture = picture(**random_state(picture, seed))
    picture.pixels()
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts(picture)]
    for letters in picture.figure.findobj(Letters):
        outlines = [path.transformed(letters.get_transform()).get_extents() for path in letters.get_paths()]
        places = letters.get_offset_transform().transform(letters.get_offsets())
        boxes += [
            (words, box.translated(*place))
            for words, box, place in zip(letters.shown, outlines, places, strict=True)
            if letters.get_visible()
        ]
    for (one, a), (other, b) in itertools.combinations(boxes, 2):
        wide = min(a.x1, b.x1) - max(a.x0, b.x0)
        high = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(wide, high) < 1.5, f"{one!r} and {other!r} overlap by {wide:.0f} × {high:.0f} pixels"


@pytest.mark.parametrize("seed", range(20))
def test_the_description_of_a_number_says_what_the_state_is(seed):
    state = random_state(ExplainThisNumber, seed)
    words = ExplainThisNumber(**state).describe()
    value = sinusoidal_encoding(len(state["tokens"]), state["d_model"], base=state["base"])[
        state["position"], state["column"]
    ]
    assert words.startswith(
        f"Position {state['position']}, the word “{one_line(state['tokens'][state['position']])}”, "
    )
    assert f"column {state['column']}," in words
    said = re.search(r"lies at (-?[\d.]+(?:e-\d+)?)\. ", words)
    assert said
    assert abs(float(said[1]) - value) <= 0.5e-4 * min(1, 10 * abs(value)), said[1]
    assert ("a cosine" in words) == (state["column"] % 2 == 1)


@PICTURES
def test_a_picture_shows_itself_as_a_png_with_its_description_as_alternative_text(picture):
    picture = picture(**random_state(picture, 3))
    data, metadata = picture._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    assert data["text/plain"] == metadata["image/png"]["alt"] == picture.describe() == repr(picture)
    assert not re.search(r"0x[0-9a-f]{6}", repr(picture))


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"position": 4}, ValueError, "position must lie between 0 and 3"),
        ({"position": -1}, ValueError, "position must lie between 0 and 3"),
        ({"position": 1.5}, TypeError, "position must be"),
        ({"column": 6}, ValueError, "column must lie between 0 and 5"),
        ({"d_model": 3}, ValueError, "column must lie between 0 and 2"),
        ({"base": 0}, ValueError, "base must be"),
        ({"tokens": ()}, ValueError, "tokens must hold at least one"),
        ({"tokens": "I like"}, ValueError, "position must lie between 0 and 1, got 2"),
        ({"tokens": (1, 2)}, TypeError, "tokens must be a text or a sequence of words"),
        ({"tokens": 3}, TypeError, "tokens must be a text or a sequence of words"),
        ({"colour": 1}, TypeError, "has no 'colour'"),
    ],
)
def test_what_is_no_number_of_a_sentence_is_refused_and_the_picture_stays(state, error, says):
    picture = ExplainThisNumber()
    before = picture.pixels()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert np.array_equal(picture.pixels(), before)
