"""What slides, notes and handout say in figures is what the library computes, and the notes fit the time."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from pe_lib import (
    CAT_CHASED_MOUSE,
    bits,
    broken_encoding,
    distance,
    dot_product,
    encode_positions,
    explain,
    explore_look_back,
    explore_scores,
    frequencies,
    wavelengths,
)

LECTURES = Path(__file__).resolve().parent.parent / "lectures"
sys.path.insert(0, str(LECTURES))

import pictures  # noqa: E402
from slides import DECKS, slides  # noqa: E402

TEXT = "\n".join((LECTURES / name).read_text("utf-8") for name in ("lecture.md", "handout.md", "questions.toml"))
FIGURE = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*\.\d+(?:e[+-]\d+)?|(?<![\w.])\d{1,3}(?:,\d{3})+")
DROWNED = pictures.shares_of_nine(numbered=True)
CAT = pictures.attended("cat chased mouse")
CODED = [pictures.attended(order, encoding=True) for order in ("cat chased mouse", "mouse chased cat")]
SHARES = pictures.attention(CAT_CHASED_MOUSE.embeddings)[0]
FOUR, SIX = encode_positions(np.arange(700), 4), encode_positions(np.arange(3), 6)
TURNED = np.degrees(3 * frequencies(8))
LOOKS = {sharpness: explore_look_back(sharpness=sharpness).picture.shares[5, 4] for sharpness in (1, 10, 30)}
TIPS = np.abs(encode_positions(np.arange(1, 20_000), 4) - [0, 1, 0, 1]).max(axis=1)
BACK = np.flatnonzero(np.sin(44) >= TIPS)[0] + 1  # both hands are as near their start as the first is at 44
COMPUTED = {
    "0.3762": SHARES[0, 0], "0.2801": SHARES[0, 1], "0.3438": SHARES[0, 2],
    "0.6352": CAT[0, 0], "0.3648": CAT[0, 1], "0.3504": CAT[0, 2], "0.3153": CAT[0, 3],
    "1.1136": CODED[0][0, 0], "1.4443": CODED[1][2, 0], "1.0959": CODED[0][1, 0], "1.0986": CODED[1][1, 0],
    "0.5937": DROWNED[0, 8], "0.9989": DROWNED[3, 8], "0.9998": DROWNED[4, 8],
    "21.5443": 10_000 ** (2 / 6), "0.092832": explain(2, 3, 6).angle, "0.9957": SIX[2, 3], "1.00": SIX[2, 3],
    "0.0464": SIX[1, 2], "0.0022": SIX[1, 4], "1.0000": SIX[1, 5],
    "0.8415": np.sin(1), "0.5403": np.cos(1), "0.0100": FOUR[1, 2], "0.84": np.sin(1),
    "6.3": wavelengths(4)[0], "6.28": wavelengths(4)[0], "628.3": wavelengths(4)[1],
    "60,611": np.floor(wavelengths(512)[-1]),
    "13,823": BACK, "0.0927": SIX[2, 2],
    "43.98": 7 * 2 * np.pi, "0.0177": FOUR[44, 0], "0.44": 44 / 100, "0.4259": FOUR[44, 2],
    "0.8423": FOUR[214, 2], "-0.5390": FOUR[214, 3],
    "3.5813": distance(3, 64), "25.5870": dot_product(3, 64), "0.9641": distance(1, 8),
    "171.9": TURNED[0], "17.2": TURNED[1], "1.72": TURNED[2], "0.172": TURNED[3], "3.1623": 10_000 ** (2 / 16),
    "2.5392": dot_product(1, 6), "1.5795": dot_product(2, 6), "1.0003": dot_product(3, 6), "2.9216": dot_product(6, 6),
    "134.7587": dot_product(43, 512), "134.7704": dot_product(44, 512),
    "0.1291": LOOKS[1], "0.6506": LOOKS[10], "0.9667": LOOKS[30],
    "1.623e+09": 10 ** np.log(10_000), "57.3": np.degrees(1),
    "-1.141": explore_scores("RoPE").picture.score,
    "-4.000": explore_scores("ALiBi", content="zero").picture.score,
    "1.763": explore_scores("T5", content="zero").picture.score,
}  # fmt: skip
CHOSEN = {"0.5", "0.01", "1,000,000", "1,000,015", "20,000"}  # by whoever speaks, and not computed


@pytest.mark.parametrize(("said", "computed"), COMPUTED.items())
def test_a_figure_is_what_the_library_computes(said, computed):
    assert said in TEXT, "nobody says it any more"
    digits = len(said.split("e")[0].partition(".")[2])
    assert (f"{computed:.{digits}e}" if "e" in said else f"{computed:,.{digits}f}") == said


def test_every_figure_is_computed_somewhere():
    told = re.sub(r"<math.*?</math>|https?://\S+|arxiv\S+|section 3\.5", "", TEXT)
    assert set(FIGURE.findall(told)) <= {*COMPUTED, *CHOSEN}


def test_what_is_said_in_whole_numbers():
    sine = np.sin(np.arange(628) / 100)
    assert np.flatnonzero(np.abs(sine - np.sin(1)) < 0.01).tolist() == [99, 100, 101, 213, 214, 215]
    assert (wavelengths(64) < 50).sum() == 8
    assert np.isclose(wavelengths(64)[16], wavelengths(4)[1])  # the shortest in the right half
    assert np.abs(np.diff(bits(np.arange(9), 4), axis=0)).sum(axis=1).tolist() == [1, 2, 1, 3, 1, 2, 1, 4]
    steps = np.linalg.norm(np.diff(encode_positions(np.arange(17), 8), axis=0), axis=1)
    assert np.allclose(steps[[0, 7, 15]], distance(1, 8))
    assert (DROWNED.argmax(axis=1) == 8).all()
    assert np.abs(pictures.shares_of_nine(numbered=False) - 1 / 9).max() < 0.025
    rows = encode_positions([0, 3, 1000, 1003], 64)
    assert not np.allclose(rows[1] - rows[0], rows[3] - rows[2])
    assert np.isclose(rows[0] @ rows[1], rows[2] @ rows[3])


def test_rows_0_of_the_handout():
    for how, row in (
        ({"rule": "column for pair"}, [0, 1, 0, 1, 0, 1]),
        ({"start": 1}, [0.8415, 0.5403, 0.0464, 0.9989, 0.0022, 1.0]),
        ({"layout": "swapped"}, [1, 0, 1, 0, 1, 0]),
        ({"layout": "halves"}, [0, 0, 0, 1, 1, 1]),
    ):
        assert broken_encoding(2, 6, **how)[0].round(4).tolist() == row
    assert broken_encoding(2, 6, rule="column for pair")[1, :2].round(4).tolist() == [0.8415, 0.9989]


def test_a_trained_network_fails_where_the_notes_say_so():
    shares = {name: pictures.right_at_each_place(name, 0) for name in ("sinusoidal", "RoPE", "ALiBi")}
    for share in [pictures.right_at_each_place("sinusoidal", seed) for seed in range(3)]:
        assert share[32] > 0.9
        assert share[36:].max() < 0.2
        assert 0.2 < share[32:40].mean() < 0.35
    assert shares["sinusoidal"][1:32].min() > 0.98
    assert 0.1 < shares["sinusoidal"][32:40].mean() < 0.5
    assert shares["sinusoidal"][40:].mean() < 0.15
    assert min(shares["RoPE"][32:40].mean(), shares["ALiBi"][32:].mean()) > 0.8


@pytest.mark.parametrize("minutes", DECKS)
def test_the_notes_are_there_and_the_minutes_add_up(minutes):
    deck = list(slides(minutes))
    assert minutes - 5 <= deck[-1].begins + deck[-1].minutes <= minutes - 2  # for the question that somebody asks
    assert all(100 <= len(slide.notes.split()) <= 210 for slide in deck)
    for slide in deck:
        spoken = len(slide.notes.split()) / 130  # minutes
        assert spoken + slide.voting <= slide.minutes, slide.title
    asked = [slide.begins for slide in deck if slide.vote]
    assert max(np.diff([0, *asked, deck[-1].begins])) <= 9
