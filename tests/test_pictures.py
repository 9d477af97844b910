"""Every picture can be drawn in every state, wide and tall, and a state has one frame, whatever came before."""

import base64
import io
import re
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.font_manager import get_font
from PIL import Image
from sheets import HOSTILE, faults, kinds, random_state, texts

import pe_pictures
from pe_pictures import Clocks, ExplainThisNumber, Waves, fonts
from pe_pictures.cells import Cells
from pe_pictures.colours import COLOURS, LEVELS
from pe_pictures.picture import Picture
from pe_pictures.png import in_few_colours
from pe_pictures.scene import T1, T2, T4, text

PUBLIC = [getattr(pe_pictures, name) for name in pe_pictures.__all__]
KINDS = [kind for kind in PUBLIC if isinstance(kind, type) and issubclass(kind, Picture) and kind is not Picture]
EACH = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
TAGS = {"svg", "g", "path", "rect", "circle", "text", "image", "mask"}


def shapes(kind):
    """Return whether the sheet is tall, for each shape that a picture has."""
    return (False, True) if kind.upright else (False,)


@EACH
def test_a_state_has_one_frame_whatever_came_before(kind):
    moved = kind()
    for seed in range(8):
        anew = kind(**random_state(kind, seed))
        moved.update(**anew.state)
        for moved.tall in shapes(kind):
            anew.tall = moved.tall
            assert moved.frame() == anew.frame(), anew.state
        moved.tall = False
        assert (moved.words(), moved.says()) == (anew.words(), anew.says())


@EACH
def test_nothing_overlaps_and_nothing_is_cut(kind):
    for seed in range(16):
        picture = kind(**random_state(kind, seed))
        for picture.tall in shapes(kind):
            assert faults(picture) == [], (picture.tall, picture.state)


@EACH
def test_what_moves_has_the_same_elements_wherever_the_played_slider_is(kind):
    for seed in range(6):
        picture = kind(**random_state(kind, seed))
        for picture.tall in shapes(kind):
            for field in (field for field in kind.fields if field.moves):
                control = field.control(picture.state)
                if control["kind"] != "slider":
                    continue
                values = sorted({*np.linspace(control["least"], control["greatest"], 6).astype(int).tolist()})
                seen = {tuple(kinds(picture.update(**{field.name: value}).move())) for value in values}
                assert len(seen) == 1, (field.name, picture.state)


@EACH
def test_a_frame_is_made_of_few_kinds_of_elements_in_known_colours(kind):
    for seed in range(6):
        picture = kind(**random_state(kind, seed))
        for svg in picture.frame():
            assert {*re.findall(r"<(\w+)", svg)} <= TAGS
            used = {*re.findall(r"[fe]-([\w-]+)", " ".join(re.findall(r'class="([^"]*)"', svg)))}
            assert used <= {*COLOURS}
            bare = re.sub(r">[^<]*<", "><", svg)
            assert not re.search(r" on\w+=|style=|href=\"(?!data:image/png)|\bnan\b|\binf\b|#(?!day\))", bare)


def test_a_long_slider_is_played_as_fast_as_brings_it_to_its_end_in_time():
    assert [Waves(length=length).speed for length in (9, 641)] == [1.0, 40.0]
    assert [Clocks(position=position).speed for position in (5, 631)] == [2.5, 6283 / 30]


@pytest.mark.parametrize("kind", [ExplainThisNumber, Waves])
def test_what_is_typed_is_text_and_nothing_else(kind):
    for said in (*HOSTILE, "x" * 10_000, "\ud83d", "\x00\x07", "<i>"):
        picture = kind(tokens=[said], position=0)
        for svg in picture.frame():
            assert {*re.findall(r"<(\w+)", svg)} <= TAGS
            svg.encode()
        picture.png()


@EACH
def test_the_sentence_says_a_finding_and_a_cover_holds_it_back(kind):
    said = set()
    for seed in range(16):
        picture = kind(**random_state(kind, seed))
        parts = picture.title()
        whole = "".join(text for text, _ in parts)
        assert 20 <= len(whole) <= 110 or "tokens" in picture.state, whole
        assert whole.endswith((".", "?"))
        assert not re.search(r"[\x00-\x1f]|(^|\s)-\d", whole), whole
        assert {kind for _, kind in parts} <= {"", "here", "held"}
        said.add(re.sub(r"[\d.,−]+", "0", whole))
        assert picture.title(covered=True) == [[kind.question, ""]]
    assert len(said) >= 3, said


@EACH
def test_a_covered_answer_stands_neither_in_the_picture_nor_in_words(kind):
    for seed in range(4):
        picture = kind(**random_state(kind, seed))
        shown, covered = texts(picture), texts(picture, covered=True)
        assert set(covered) != set(shown) or not re.search("\x02", picture.words()), picture.state
        assert "\x02" not in picture.describe() + picture.describe(covered=True)
        decimals = {said for said, what in picture.title() if what == "held" and re.fullmatch(r"\d+\.\d+", said)}
        assert decimals.isdisjoint(re.findall(r"\d+\.\d+", picture.describe(covered=True))), picture.state


@EACH
def test_words_are_short_enough_to_be_heard(kind):
    for seed in range(6):
        words = kind(**random_state(kind, seed)).describe()
        assert 0 < len(words) < 1500
        assert not re.search(r"[\n\x02-\x05]|\bnan\b|\binf\b|0x[0-9a-f]{6}", words)


@EACH
def test_targets_lie_on_the_sheet_and_set_fields_to_what_they_can_be(kind):
    for seed in range(6):
        picture = kind(**random_state(kind, seed))
        for picture.tall in shapes(kind):
            wide, high = picture.size
            for target in picture.targets():
                left, top, across, down = target.box
                # Of what has a value for each share, the outer halves of the first and last share may lie beyond.
                sides = zip((across, down), (target.across, target.down), strict=True)
                over, under = (size / (2 * len(side[1])) if side else 0 for size, side in sides)
                assert left + over > -1, target
                assert top + under > -1, target
                assert left + across - over < wide + 1, target
                assert top + down - under < high + 1, target
                sides = [side for side in (target.across, target.down) if side]
                assert {*target.sets, *(name for name, _ in sides)} <= {*picture.state}
                for name, values in sides:
                    picture.nearest({**picture.state, name: list(values)[-1]})


@EACH
def test_what_the_learner_has_set_in_matplotlib_changes_nothing(kind):
    before = kind().frame()
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "black", "lines.linewidth": 9}):
        assert kind().frame() == before
        kind().png()
        assert mpl.rcParams["font.size"] == 30


def test_a_frame_needs_no_matplotlib():
    code = (
        "import sys, pe_pictures as see; see.Waves().frame(); see.Heatmap().frame(); print('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


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


@EACH
def test_the_docstring_names_every_field_with_its_bounds_and_a_source(kind):
    for field in kind.fields:
        assert f"\n{field.name} : " in kind.__doc__
        assert field.about
    assert re.search(r"\nRaises\n-+\n.*\nReferences\n-+\n.*\(\d{4}\).*\nExamples\n-+\n", kind.__doc__, re.DOTALL)


def test_widths_are_those_of_the_font():
    for weight, name in fonts.WEIGHTS.items():
        font = get_font(fonts.FONT / f"SourceSans3-{name}.ttf")
        font.set_size(1000, 72)
        known = fonts.widths(weight)
        assert {ord(character) for character in known} == {code for code in font.get_charmap() if code >= 32}
        for character in "aW0−…é ":
            assert known[character] == pytest.approx(
                font.load_char(ord(character)).linearHoriAdvance / 65536e3, abs=1e-3
            )


def test_a_text_too_wide_goes_down_to_the_smallest_size_and_then_ends_in_an_ellipsis():
    assert text(0, 0, "wide enough", T4, most=400).fitted()[:2] == ("wide enough", 4)
    assert text(0, 0, "wide enough", T4, most=110).fitted()[:2] == ("wide enough", 2)
    said, size, box = text(0, 0, "x" * 40, T2, most=100).fitted()
    assert (said[-1], size) == ("…", 1)
    assert box[2] <= 100
    assert text(0, 0, "x", T1).fitted(tall=True)[2][3] == 22


def test_a_map_has_a_pixel_for_each_cell_and_thin_ones_share_their_mean():
    assert Cells(np.array([[-1.0, 0.0, np.nan]]), (0, 0, 30, 10)).levels().tolist() == [[-20, 0, 21]]
    assert Cells(np.array([[0.0, 0.96] * 256] * 3), (0, 0, 512, 99)).levels()[0, 0] == 10


def test_the_image_of_a_map_has_each_cell_in_its_colour_and_at_its_place():
    cells = Cells(np.linspace(-1, 1, 12).reshape(3, 4), (10, 20, 400, 300))
    svg = "".join(cells.svg(False))
    for image, colours in zip(re.findall(r'base64,([^"]+)"', svg), cells.colours[::-1], strict=True):  # dark, light
        pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(image))).convert("RGB"))
        assert np.array_equal(pixels, colours[cells.levels() + LEVELS])
    assert svg.count('x="10" y="20" width="400" height="300"') == 2


def test_up_to_128_colours_of_a_png_stay_as_they_are():
    rng = np.random.default_rng(0)
    colours = rng.integers(0, 256, (1000, 4), dtype=np.uint8)
    pixels = colours[np.minimum(rng.geometric(0.05, (300, 400)), 127)]
    assert np.array_equal(np.asarray(in_few_colours(pixels).convert("RGB")), pixels[..., :3])


@EACH
def test_a_picture_shows_itself_as_a_png_with_its_description_as_alternative_text(kind):
    picture = kind(**random_state(kind, 3))
    data, metadata = picture._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    assert data["text/plain"] == metadata["image/png"]["alt"] == picture.describe() == repr(picture)
    assert len(data["image/png"]) < 150_000


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"position": 4}, ValueError, "position must lie between 0 and 3"),
        ({"position": 1.5}, TypeError, "position must be"),
        ({"d_model": 3}, ValueError, "column must lie between 0 and 2"),
        ({"tokens": ()}, ValueError, "tokens must hold at least one"),
        ({"tokens": "I like"}, ValueError, "position must lie between 0 and 1, got 2"),
        ({"tokens": 3}, TypeError, "tokens must be a text or a sequence of words"),
        ({"colour": 1}, TypeError, "has no 'colour'"),
    ],
)
def test_what_cannot_be_is_refused_and_the_picture_stays(state, error, says):
    picture = ExplainThisNumber(position=2, column=3)
    before = picture.frame()
    with pytest.raises(error, match=says):
        picture.update(**state)
    assert picture.frame() == before


def test_plots_by_hand_have_no_ground_and_read_on_white_and_on_dark_pages():
    style = mpl.rc_params_from_file(Path(pe_pictures.__file__).with_name("plots.mplstyle"), use_default_template=False)

    def light(colour):
        parts = np.array(mpl.colors.to_rgb(colour))
        return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722)

    assert {style[f"{part}.facecolor"] for part in ("figure", "axes", "savefig")} == {"none"}
    named = [style[name] for name in ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")]
    for colour in {*named, *style["axes.prop_cycle"].by_key()["color"]}:
        for ground in ("#ffffff", "#14171b", "#111111"):
            low, high = sorted((light(colour), light(ground)))
            assert (high + 0.05) / (low + 0.05) >= 3, (colour, ground)
    x, y = (np.dot(mpl.colors.to_rgb(style[f"{axis}tick.color"]), (0.299, 0.587, 0.114)) for axis in "xy")
    assert x > 0.5 > y, "JupyterLab paints a ground of its own behind a plot whose tick labels are all light"
