"""The picture of rounding errors reads right: what it shows and says is computed here once more."""

import random
import re

import numpy as np
import pytest
from sheets import faults, texts

from pe_lib import encode_positions, round_to
from pe_lib.pictures.colours import BLUE, ORANGE
from pe_lib.pictures.rounding_errors import BOTTOM, LEFT, PLOT, POSITIONS, RoundingErrors, _both
from pe_lib.pictures.scene import Group, Shape

SEEDS = pytest.mark.parametrize("seed", range(12))


def some_state(seed):
    choose = random.Random(seed)
    return {
        "kind": choose.choice(["float32", "float16", "bfloat16"]),
        "rounded": choose.choice(["positions", "frequencies", "angles", "sines", "everything"]),
        "position": choose.choice([1, 256, 257, 60_000, choose.randint(1, 60_000)]),
        "d_model": choose.choice([1, 2, 5, 8, 64, 511, 1024]),
    }


def row(position, d_model, kind, rounded):
    """Return a row of the encoding with one step rounded, computed column by column."""

    def kept(step, number):
        return float(round_to(number, kind)) if rounded in (step, "everything") else float(number)

    numbers = []
    for j in range(d_model):
        w = kept("frequencies", 10_000.0 ** (-2 * (j // 2) / d_model))
        angle = kept("angles", kept("positions", position) * w)
        numbers.append(kept("sines", np.cos(angle) if j % 2 else np.sin(angle)))
    return np.array(numbers)


def errors(state, position):
    made = row(position, state["d_model"], state["kind"], state["rounded"])
    return np.abs(made - encode_positions(position, state["d_model"]))


def held(layer):
    """Return the shapes that a covered picture holds back."""
    groups = [group for group in layer if isinstance(group, Group) and group.kind == "answer"]
    return [part for group in groups for part in group.parts if isinstance(part, Shape)]


def said(picture, hidden="question"):
    """Return the lines of words: what stands at one height at the side is one line."""
    lines = {}
    for text in texts(picture, hidden):
        key = (text.base, text.left < LEFT)
        lines[key] = lines.get(key, "") + text.text
    return [*lines.values()]


def height(error):
    return PLOT.y(np.log10(max(error, 10**BOTTOM)))


@SEEDS
def test_the_error_and_its_column_are_those_of_the_row(seed):
    picture = RoundingErrors(**(s := some_state(seed)))
    made = errors(s, s["position"])
    assert np.isclose(picture.error, made.max(), rtol=1e-6, atol=1e-11)
    assert np.isclose(made[picture.column], made.max(), rtol=1e-6, atol=1e-11)
    (disc,) = [shape for shape in held(picture.move()) if shape.fill == ORANGE]
    box = disc.path.get_extents()
    assert (box.x0 + box.x1) / 2 == pytest.approx(PLOT.x(np.log10(s["position"])))
    assert (box.y0 + box.y1) / 2 == pytest.approx(height(made.max()), abs=0.1)
    assert faults(picture) == []


@SEEDS
def test_every_mark_stands_at_its_position_and_error(seed):
    (marks,) = held(RoundingErrors(**(s := some_state(seed))).lay())
    assert marks.edge == BLUE
    middles = marks.path.vertices.reshape(-1, 2, 2).mean(axis=1)
    assert np.allclose(middles[:, 0], PLOT.x(np.log10(POSITIONS)))
    for k in random.Random(seed).sample(range(len(POSITIONS)), 5):
        assert middles[k, 1] == pytest.approx(height(errors(s, int(POSITIONS[k])).max()), abs=0.1)


@SEEDS
def test_the_words_have_the_numbers_of_the_state(seed):
    picture = RoundingErrors(**(s := some_state(seed)))
    words, lines = picture.describe(), said(picture)
    assert words.startswith(f"d_model {s['d_model']}, {s['rounded']} rounded to {s['kind']}: pos {s['position']:,}: ")
    if picture.error:
        found = re.search(r"column (\d+), a (sine|cosine): should be (-?[\d.]+) and is (-?[\d.]+);", words)
        j, made = int(found[1]), row(s["position"], s["d_model"], s["kind"], s["rounded"])
        assert (found[2] == "cosine") == (j % 2 == 1)
        assert float(found[3]) == pytest.approx(encode_positions(s["position"], s["d_model"])[j], abs=1e-8)
        assert float(found[4]) == pytest.approx(made[j], abs=1e-8)
        assert {f"column {j}, a {found[2]}", f"should be{found[3]}", f"has become{found[4]}"} <= set(lines)
    else:
        assert "not off at all" in words
        assert {"0", "no number is off"} <= set(lines)


def test_an_error_is_written_in_two_digits():
    seen = {
        state: said(RoundingErrors(position=position, kind=kind, rounded=rounded))
        for state, (position, kind, rounded) in {
            "0.031": (201, "float16", "angles"),
            "3.0×10⁻⁸": (3, "float32", "sines"),
        }.items()
    }
    assert all(number in lines for number, lines in seen.items())


@SEEDS
def test_two_numbers_that_differ_are_told_apart_by_their_digits(seed):
    exact = random.Random(seed).uniform(-1, 1)
    for off in (0.0, 1e-11, 2.6e-9, 0.1):
        was, now = _both(exact, exact + off)
        assert (was != now) == (off > 0)
        assert float(now) == pytest.approx(exact + off, abs=1e-8)
    assert _both(257.0, 257.0) == ("257.0000", "257.0000")


def test_the_angle_that_is_named_is_the_one_the_number_came_of():
    picture = RoundingErrors(kind="bfloat16", rounded="positions", position=257)
    assert "its angle: should be 257.0000 and is 256.0000." in picture.describe()
    assert {"should be257.0000", "has become256.0000"} <= set(said(picture))
    (changed,) = [text.text for text in texts(picture) if text.text.endswith("6.0000")]
    assert changed == "6.0000"  # the digits that differ stand out
    words = RoundingErrors(kind="bfloat16", rounded="sines", position=257, d_model=2).describe()
    assert "its angle: should be 257.0000 and is 257.0000." in words


@SEEDS
def test_covered_nothing_tells_the_error(seed):
    picture = RoundingErrors(**some_state(seed))
    words, seen = picture.describe(covered=True), said(picture, "answer")
    assert not re.search(r"off|column|its angle|should be|error", words)
    assert not re.search(r"column|become|angle$|no number", " ".join(seen))
    assert "?" in seen
    assert [text for text in said(picture) if text not in seen]
    shapes = [part for part in [*picture.lay(), *picture.move()] if isinstance(part, Shape)]
    assert all(len(shape.path.vertices) == 2 for shape in shapes if shape.edge == BLUE)  # the sign by the name


def test_a_click_does_what_it_is_on():
    picture = RoundingErrors()
    *names, plot = picture.targets()
    for target in names:
        left, top, wide, high = target.box
        ((field, value),) = target.sets.items()
        assert picture.update(**target.sets).state[field] == value
        (inside,) = [text for text in texts(picture) if text.text == value]
        assert left < inside.left < left + wide
        assert top < inside.base < top + high
    left, _, wide, _ = plot.box
    name, positions = plot.across
    assert name == "position"
    for k, position in enumerate(positions):
        x = left + (k + 0.5) * wide / len(positions)
        assert abs(10 ** (np.log10(60_000) * (x - left) / wide) - position) <= 0.5
    assert (positions[0], positions[-1] > 55_000) == (1, True)


def test_the_presets_show_what_they_are_for():
    seen = {name: RoundingErrors(**{"position": 201, **state}) for name, state in RoundingErrors.presets.items()}
    assert seen["positions"].error > 0.4
    assert seen["angles"].error > 0.4
    assert seen["sines"].error < 0.002
    assert seen["far out"].error > 1


@pytest.mark.parametrize(
    ("state", "error", "says"),
    [
        ({"kind": "float8"}, ValueError, "kind must be one of 'float32'"),
        ({"kind": 16}, TypeError, "kind must be one of 'float32'"),
        ({"rounded": "tables"}, ValueError, "rounded must be one of 'positions'"),
        ({"position": 0}, ValueError, "position must lie between 1 and 60000"),
        ({"position": 70_000}, ValueError, "position must lie between 1 and 60000"),
        ({"d_model": 0}, ValueError, "d_model must lie between 1 and 1024"),
        ({"d_model": 2.5}, TypeError, "d_model must be an integer"),
    ],
)
def test_what_cannot_be_drawn_is_refused(state, error, says):
    with pytest.raises(error, match=says):
        RoundingErrors(**state)
