"""The picture of stack and flatten shows what NumPy really makes of the two halves, with every ending."""

import re

import numpy as np
import pytest
from sheets import drawn, texts

from pe_lib import encode_positions
from pe_pictures import StackAndFlatten
from pe_pictures.scene import Boxes
from pe_pictures.stack_and_flatten import ENDINGS


def lines(picture: StackAndFlatten) -> list[str]:
    """Return the lines of NumPy that stand in the picture."""
    return [said for said in texts(picture) if re.match(r"np\.|stacked\.", said)]


EVERY_ENDING = pytest.mark.parametrize("ending", ENDINGS)


@EVERY_ENDING
@pytest.mark.parametrize(("length", "d_model"), [(2, 2), (5, 4), (4, 6), (10, 8)])
def test_the_matrix_is_what_the_shown_lines_make(ending: str, length: int, d_model: int) -> None:
    picture = StackAndFlatten(ending=ending, length=length, d_model=d_model)
    table = encode_positions(np.arange(length), d_model)
    names = {"np": np, "even": table[:, 0::2], "odd": table[:, 1::2]}
    *before, last = lines(picture)
    for line in before:
        exec(f"stacked = {line}", names)
    exec(f"pe = {last}", names)
    np.testing.assert_array_equal(picture.matrix, names["pe"])


@EVERY_ENDING
def test_the_followed_number_is_where_the_picture_says(ending: str) -> None:
    picture = StackAndFlatten(ending=ending, row=3, column=5)
    table = encode_positions(np.arange(4), 6)
    names = {"even": table[:, 0::2], "odd": table[:, 1::2], "pe": picture.matrix}
    said = texts(picture.update(step=len(lines(picture))))
    first, *_, last = [text for text in said if re.fullmatch(r"(even|odd|stacked|pe)\[.*\]", text)]
    assert eval(first, names) == eval(last, names) == table[3, 5]


def test_the_sentence_says_which_matrix_is_the_encoding() -> None:
    said = {
        ending: StackAndFlatten(ending=ending).update(step=1 if ending == ENDINGS[-1] else 2).says()
        for ending in ENDINGS
    }
    assert [ending for ending in ENDINGS if "this is the encoding" in said[ending]] == ["stack axis=2"]
    assert [ending for ending in ENDINGS if "halves" in said[ending]] == ["stack axis=1", "concatenate"]
    assert "sin of pos 0, 1" in said["stack axis=0"]


def test_no_two_cells_lie_on_one_another_in_any_stage() -> None:
    for ending in ENDINGS:
        for step in range(2 if ending == ENDINGS[-1] else 3):
            picture = StackAndFlatten(ending=ending, step=step)
            cells = [part.places[0] for part in drawn(picture) if isinstance(part, Boxes) and part.fill]
            places, (wide, high) = np.array(cells)[:, :2], cells[0][2:]
            apart = np.abs(places[:, np.newaxis] - places)
            near = (apart[..., 0] < wide) & (apart[..., 1] < high)
            assert near.sum() == len(places) == 24
