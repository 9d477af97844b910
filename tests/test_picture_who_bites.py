"""Who bites man: what it shows of a head is what the head itself answers, at every position, kernel and pack alike."""

import re

import numpy as np
import pytest
from sheets import drawn, texts

from pe_lib import networks
from pe_lib.network import WORDS
from pe_pictures import WhoBites, explore_who_bites
from pe_pictures.colours import BAND
from pe_pictures.explorers.pack import packed
from pe_pictures.scene import Boxes, Curves
from pe_pictures.who_bites import LAST, LINE_UP, SEEN, WIDEST

TRAINED = {"sinusoids": {}, "no encoding": {"encoding": "none"}, "RoPE": {"encoding": "RoPE"}}
TRAINED["shown more positions"] = {"starts": 16}


@pytest.fixture(scope="module")
def answers() -> dict[tuple[str, int], tuple[np.ndarray, str]]:
    """Return what freshly trained networks take from each word, and name, for each head and position of "man"."""
    found = {}
    for head, how in TRAINED.items():
        (network,) = networks(seeds=1, **how)
        for position in range(2, LAST + 1):
            words = [WORDS.index(word) for word in LINE_UP[: position + 1]][::-1]
            done = network.forward([words])
            found[head, position] = done.layers[0].attention[0, 0, -1][::-1], WORDS[done.logits[0, -1].argmax()]
    return found


def told(weights: np.ndarray, named: str) -> str:
    """Say in words what a head takes most from, and what it names."""
    most = int(weights.argmax())
    return f"It takes most from {LINE_UP[most]}, {most} back, {weights[most]:.2f}, and names {named}."


def test_at_every_position_the_words_are_the_networks_own_answer_in_the_kernel_and_in_the_pack(answers) -> None:
    picture = WhoBites()
    for (head, position), (weights, named) in answers.items():
        picture.update(head=head, position=position)
        assert picture.describe().endswith(told(weights, named))
        title = "".join(said for said, _ in picture.title())
        assert f"position {position}" in title
        assert f"{100 * weights.max():.0f}%" in title
        assert f"the {named} bites" in title or head == "no encoding" or (weights.argmax() == 2 and position > 31)
    pack = packed(explore_who_bites(), tall=True)
    for (head, position), *_, words, _, _ in pack["states"]:
        assert re.sub("[\x02-\x05]", "", pack["lines"][words]).endswith(told(*answers[head, position]))
    assert len(pack["states"]) == len(answers)


@pytest.mark.parametrize("tall", [False, True])
def test_arcs_are_as_wide_as_the_attention_weights_and_end_at_their_words(answers, tall: bool) -> None:
    picture = WhoBites(position=36)
    picture.tall, (weights, _) = tall, answers["sinusoids", 36]
    arcs = [x for x in drawn(picture) if isinstance(x, Curves) and x.bent]
    wide = np.where(weights >= SEEN, WIDEST * weights, 0)
    np.testing.assert_allclose([arc.width for arc in arcs[:37]], wide, atol=0.01)
    assert not any(arc.width for arc in arcs[37:])
    ends = np.array([arc.curves[0][[0, -1], 0] for arc in arcs[:37]])
    np.testing.assert_allclose(np.diff(ends[:, 1]), ends[1, 1] - ends[0, 1])
    assert np.ptp(ends[:, 0]) == 0
    (zone,) = [x for x in picture.lay() if isinstance(x, Boxes) and x.fill == BAND]
    left, _, across, _ = zone.places[0]
    assert ends[36, 1] > left > ends[36, 1] - (ends[0, 0] - ends[1, 1])
    assert ends[4, 1] > left + across > ends[5, 1]  # position 32 stands outside, and 31 inside


def test_it_ends_where_it_is_told_to_and_says_how_far_too_far() -> None:
    picture = WhoBites(position=36, last=38)
    (target,) = picture.targets()
    assert target.across == ("position", range(2, 39))
    assert picture.nearest({"position": 44})["position"] == 38
    assert "8 back, not 2: one turn of the fastest hand too far" in texts(picture)
    assert "2 back" in texts(picture.update(position=31))
