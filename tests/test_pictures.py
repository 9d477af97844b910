"""Every picture can be drawn in every state, and a state has one frame, whatever came before."""

import itertools
import random
import re

import matplotlib as mpl
import numpy as np
import pytest
from picture_states import STATES
from sheets import faults, texts

from pe_lib import ExplainThisNumber, Waves, sinusoidal_encoding
from pe_lib.pictures.cells import Cells
from pe_lib.pictures.colours import COLOURS
from pe_lib.pictures.letters import letters
from pe_lib.pictures.picture import Picture, one_line
from pe_lib.pictures.scene import SMALL, in_few_colours, text

PICTURES = pytest.mark.parametrize("picture", STATES, ids=lambda kind: kind.__name__)


def random_state(kind: type[Picture], seed: int) -> dict:
    return STATES[kind](random.Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 32, 8))
@PICTURES
def test_a_state_has_one_frame_whatever_came_before_and_nothing_in_it_overlaps(picture, first):
    moved = picture()
    for seed in range(first, first + 8):
        anew = picture(**random_state(picture, seed))
        moved.update(**anew.state)
        assert moved.frame() == anew.frame(), anew.state
        assert moved.words() == anew.words()
        assert faults(moved) == [], anew.state


@PICTURES
def test_colours_stand_in_a_frame_as_classes_for_light_and_dark(picture):
    for seed in range(4):
        for svg in picture(**random_state(picture, seed)).frame():
            style, body = svg.split("</style>")
            assert "#" not in body
            assert "prefers-color-scheme:dark" in style
            used = {*re.findall(r"[fe]-([\w-]+)", " ".join(re.findall(r'class="([^"]*)"', body)))}
            assert used <= {*COLOURS}
            assert not re.search(r"<script|<text|href=\"(?!data:image/png)|\bnan\b|\binf\b", body)


@PICTURES
def test_what_the_learner_has_set_in_matplotlib_changes_nothing(picture):
    before = picture().frame()
    with mpl.rc_context({"font.size": 30, "text.usetex": False, "axes.facecolor": "black", "lines.linewidth": 9}):
        assert picture().frame() == before
        picture().png()
        assert mpl.rcParams["font.size"] == 30


@pytest.mark.parametrize(
    "declared",
    [
        {"shown": ("positon",)},
        {"play": "positon"},
        {"presets": {"far": {"positon": 9}}},
        {"pages": ({"positon": (1,)},)},
    ],
    ids=str,
)
def test_a_declaration_that_names_no_field_is_refused(declared):
    with pytest.raises(TypeError, match=r"Mine has no field 'positon': it has .*position"):
        type("Mine", (Waves,), declared)


@PICTURES
def test_the_docstring_names_every_field_with_its_bounds_and_a_source(picture):
    for field in picture.fields:
        assert f"\n{field.name} : " in picture.__doc__
        assert field.about
    assert re.search(r"\nRaises\n-+\n.*\nReferences\n-+\n.*\(\d{4}\).*\nExamples\n-+\n", picture.__doc__, re.DOTALL)
    assert "d_model : int\n    The width; of many columns 16 are shown, 1 to 512." in Waves.__doc__


def test_a_text_that_is_set_smaller_to_fit_keeps_all_its_letters():
    choose = random.Random(5)
    for _ in range(300):
        said = "".join(choose.choices("abcdefgh 0123456789", k=choose.randint(5, 30)))
        fitted = text(0, 0, said, most=choose.uniform(100, 200))
        assert fitted.text == said or fitted.size == SMALL
    assert text(0, 0, "x" * 40, 30, most=100).text.endswith("…")


def test_cells_too_thin_to_be_told_apart_share_their_mean_and_wide_ones_stay_apart():
    def levels(numbers, wide, high):
        return re.findall(r'class="e-n(-?\d+)"', "".join(Cells(np.array(numbers), (0, 0, wide, high)).svg()))

    assert levels([[0.0, 0.96] * 256] * 3, 512, 99) == levels([[0.96], [0.0]] * 256, 30, 272) == ["12"]
    assert levels([[-1.0, 1.0]] * 512, 512, 272) == ["-25", "25"]
    assert levels([[1.0, np.nan, 1.0]], 3, 9) == ["25", "26"]
    assert levels([[0.2, 0.8]], 4, 9) == ["5", "20"]


def test_letters_of_hebrew_and_arabic_stand_from_right_to_left_and_others_from_left_to_right():
    def shown(said):
        return [glyph.d for glyph, _ in letters(said, "normal")]

    alef, bet, gimel = "\N{HEBREW LETTER ALEF}", "\N{HEBREW LETTER BET}", "\N{HEBREW LETTER GIMEL}"
    assert shown(f"pos 12 {alef}{bet}{gimel}!") == shown("pos 12 ") + shown(gimel) + shown(bet) + shown(alef) + shown(
        "!"
    )
    meem, noon = "\N{ARABIC LETTER MEEM}", "\N{ARABIC LETTER NOON}"
    assert shown(meem + noon) == shown(noon) + shown(meem)


def test_up_to_128_colours_of_a_png_stay_as_they_are_and_of_more_the_commonest_do():
    rng = np.random.default_rng(0)
    colours = rng.integers(0, 256, (1000, 4), dtype=np.uint8)
    drawn = colours[np.minimum(rng.geometric(0.05, (300, 400)), 127)]
    assert np.array_equal(np.asarray(in_few_colours(drawn).convert("RGB")), drawn[..., :3])
    drawn = colours[np.minimum(rng.geometric(0.005, (300, 400)), 999)]
    drawn[:200] = 255
    shown = np.asarray(in_few_colours(drawn).convert("RGB")).astype(int)
    assert (shown[:200] == 255).all()
    assert 0 < np.abs(shown - drawn[..., :3]).mean() < 10


@PICTURES
def test_a_background_is_laid_once_for_as_long_as_it_stays(picture, monkeypatch):
    laid, lay = [], picture.lay
    monkeypatch.setattr(picture, "lay", lambda self: laid.append(self) or lay(self))
    shown = picture()
    assert shown.frame() == shown.frame()
    assert len(laid) == 1


@pytest.mark.parametrize("base", [1e-5, 0.5, 1.5, 10_000.0, 1e12, 1e300])
@pytest.mark.parametrize("d_model", [1, 5, 6, 7, 512])
def test_no_words_about_a_number_are_cut(d_model, base):
    for position, column in itertools.product((0, 9, 129), {0, d_model // 2, d_model - 1}):
        picture = ExplainThisNumber(["a"] * 130, d_model, base, position, column)
        assert {said.text for said in texts(picture) if said.text.endswith("…")} == {"…"}  # further words
        assert faults(picture) == []


def test_every_cell_of_the_first_sentence_has_a_picture_of_its_own():
    picture = ExplainThisNumber()
    assert (
        len({picture.update(position=pos, column=j).frame() for pos, j in itertools.product(range(4), range(6))}) == 24
    )


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
    assert len(data["image/png"]) < 150_000
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
    before = picture.frame()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.frame() == before
