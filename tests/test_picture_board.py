"""The board shows what its pictures show, all of them in the state that they share."""

import itertools
import random
import re
from collections.abc import Iterator

import pytest
from picture_states import SENTENCES, STATES
from sheets import texts

from pe_lib import Board, sinusoidal_encoding
from pe_lib.pictures.board import NONE, OWN, PICTURES, PLACES, WITHOUT_WORDS
from pe_lib.pictures.letters import EM

SHARED = ("tokens", "d_model", "base", "position", "column", "offset")


def random_state(seed: int) -> dict:
    choose = random.Random(seed)
    tokens, d_model = choose.choice([None, *SENTENCES]), choose.choice([4, 6, 8, 64, 512])
    places = {place: choose.choice([*PICTURES]) for place in PLACES}
    return {
        "tokens": tokens,
        "d_model": d_model,
        "base": choose.choice([1.0, 1.5, 100.0, 10_000.0, 12_345.678, 1e12]),
        "position": choose.randrange(len(tokens or " " * WITHOUT_WORDS)),
        "column": choose.randrange(d_model),
        "offset": choose.choice([0, 1, 43, 100]),
        **places,
        "enlarged": choose.choice([NONE, NONE, *PICTURES]),
    }


def legible(lines: list[str], scale: float) -> Iterator[str]:
    """Yield lines without those of texts that would be smaller than 11 pixels, but for a formula's."""
    depth = 0
    for line in lines:
        depth += (depth > 0 or line == '<g class="formula">') * (line.startswith("<g") - (line == "</g>"))
        size = re.search(r" scale\((\S+) -", line)
        if depth or not size or float(size[1]) * EM * scale >= 11:
            yield line


def drawn(svg: str) -> list[str]:
    """Return what is drawn in a frame, line by line, without the rules for its colours."""
    return svg.split("</style>\n")[1].removesuffix("\n</svg>\n").split("\n")


@pytest.mark.parametrize("seed", range(24))
def test_a_state_has_one_frame_whatever_came_before_and_holds_the_frames_of_its_pictures(seed):
    moved = Board(**random_state(seed + 1))
    moved.frame()
    moved.update(**random_state(seed))
    anew = Board(**random_state(seed))
    assert moved.frame() == anew.frame()
    assert moved.words() == anew.words()
    for layer, shown in zip(("background", "moving"), anew.frame(), strict=True):
        for name, left, top, scale in anew.standing.values():
            own = PICTURES[name](**anew.panel(name).state)
            placed = f'<g class="picture" transform="translate({left:g} {top:g}) scale({scale:g})">'
            whole = "\n".join([placed, *legible(drawn(getattr(own.frame(), layer)), scale), "</g>"])
            assert whole in shown, (name, layer)


@pytest.mark.parametrize("seed", range(24))
def test_every_picture_shows_what_is_shared_and_its_own_values_stay_as_they_are_at_first(seed):
    board = Board(**random_state(seed))
    for name, kind in PICTURES.items():
        state = board.panel(name).state
        for field in kind.fields:
            if field.name in SHARED and not (field.name == "tokens" and board.state["tokens"] is None):
                assert state[field.name] == board.state[field.name], name
            elif field.name not in (*SHARED, "length", "query", "key") and not field.hidden:
                assert state[field.name] == OWN.get(name, {}).get(field.name, field.default), name
    length = len(board.state["tokens"] or " " * WITHOUT_WORDS)
    table = sinusoidal_encoding(length, board.state["d_model"], base=board.state["base"])
    at = board.state["position"], board.state["column"]
    assert board.value == pytest.approx(table[at], abs=1e-12)
    assert board.panel("heatmap").value == pytest.approx(board.value, abs=1e-12)
    assert board.panel("number").explanation.value == pytest.approx(board.value, abs=1e-12)
    pos, ahead = board.state["position"], board.state["position"] + board.state["offset"]
    scores = board.panel("scores")
    assert (scores.state["query"], scores.state["key"]) == (pos, min(ahead, 511))
    if ahead < 512:
        rows = sinusoidal_encoding(ahead + 1, board.state["d_model"], base=board.state["base"])
        assert scores.score * board.state["d_model"] ** 0.5 == pytest.approx(rows[pos] @ rows[ahead])


def test_the_pictures_swap_places_by_a_click_and_none_stands_twice():
    board = Board()
    for _ in range(3):
        for target in board.targets():
            if {*target.sets} & {*PLACES}:
                board.update(**target.sets)
                standing = [board.state[place] for place in PLACES]
                assert len({*standing}) == 3, target.sets


def test_a_click_enlarges_a_picture_and_another_leads_back():
    board = Board()
    for name in PICTURES:
        enlarge = [target for target in board.targets() if target.sets == {"enlarged": name}]
        assert len(enlarge) == 1 + (name in [board.state[place] for place in PLACES])
        board.update(enlarged=name)
        assert [*board.standing] == ["enlarged"]
        back = [target for target in board.targets() if target.sets == {"enlarged": NONE}]
        assert len(back) == 1
        board.update(**back[0].sets)


@pytest.mark.parametrize("seed", range(12))
def test_a_click_in_a_picture_lies_in_its_place_and_moves_what_is_shared(seed):
    board = Board(**random_state(seed))
    for target in board.targets():
        left, top, wide, high = target.box
        assert min(left, top) >= -6
        assert left + wide <= 1106
        assert top + high <= board.height + 6
        sides = [side for side in (target.across, target.down) if side]
        for values in itertools.product(*({side[1][0], side[1][-1]} for side in sides)):
            Board(**{**board.state, **target.sets, **dict(zip([side[0] for side in sides], values, strict=True))})


def test_the_words_tell_of_every_picture_and_hold_the_answer_back():
    board = Board(position=4, column=2)
    said = board.describe()
    assert said.startswith("Position 4 “mouse”, column 2: PE(4, 2) = 0.3894. Number: Position 4, the word “mouse”")
    assert all(board.panel(name).describe() in said for name in ("number", "waves", "heatmap"))
    assert "0.3894" not in board.describe(covered=True)
    assert board.png(covered=True) != board.png()


def test_colours_stand_in_a_frame_as_classes():
    for layer in Board().frame():
        style, body = layer.split("</style>")
        used = {*re.findall(r"\b[fe]-[\w-]+", " ".join(re.findall(r'class="([^"]*)"', body)))}
        assert all(f".{name}{{" in style for name in used)


def test_every_picture_of_the_board_is_swept_on_its_own():
    assert {*PICTURES.values()} <= {*STATES}


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"position": 8}, ValueError, "position must lie between 0 and 7"),
        ({"d_model": 7}, ValueError, "d_model must be even, got 7"),
        ({"d_model": 4, "column": 4}, ValueError, "column must lie between 0 and 3, got 4"),
        ({"base": 0.5}, ValueError, "base must be 1 or more"),
        ({"d_model": 2}, ValueError, "d_model must lie between 4 and 512, got 2"),
        ({"first": "map"}, ValueError, "first must be one of 'number'"),
        ({"enlarged": 3}, TypeError, "enlarged must be one of"),
        ({"tokens": 3}, TypeError, "tokens must be a text or a sequence of words"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_board_stays(state, error, says):
    board = Board()
    before = board.frame()
    with pytest.raises(error, match=says):
        board.update(**state)
    assert board.frame() == before


def test_on_a_part_of_the_sheet_long_words_are_cut_and_long_numbers_left_out():
    words = ("uncharacteristically", "straightforward", *("everywhere",) * 6)
    for first in ("number", "waves"):
        said = [part.text for part in texts(Board(tokens=words, base=1e5, d_model=16, first=first, second="clocks"))]
        assert any(re.fullmatch(r"[a-z]+…", text) for text in said)
        assert not any(re.search(r"\d.*…$", text) for text in said)
