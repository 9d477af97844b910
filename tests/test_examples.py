"""Promise: the worked examples are the notes' sentences, cannot be changed by accident, and show all they hold."""

import html
import re

import numpy as np
import pytest

from pe_lib import (
    CAT_CHASED_MOUSE,
    DAN_LOVES_ICECREAM,
    HELLO_WORLD_PAD,
    I_LIKE_DEEP_LEARNING,
    MOUSE_CHASED_CAT,
    TWO_SENTENCES,
    Example,
    add_positional_encoding,
    sinusoidal_encoding,
)

EXAMPLES = {
    "I_LIKE_DEEP_LEARNING": I_LIKE_DEEP_LEARNING,
    "DAN_LOVES_ICECREAM": DAN_LOVES_ICECREAM,
    "HELLO_WORLD_PAD": HELLO_WORLD_PAD,
    "TWO_SENTENCES": TWO_SENTENCES,
    "CAT_CHASED_MOUSE": CAT_CHASED_MOUSE,
    "MOUSE_CHASED_CAT": MOUSE_CHASED_CAT,
}

every_example = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)


@pytest.mark.parametrize(
    ("example", "tokens", "shape"),
    [
        (I_LIKE_DEEP_LEARNING, ("I", "like", "deep", "learning"), (4, 6)),
        (DAN_LOVES_ICECREAM, ("Dan", "loves", "icecream"), (3, 4)),
        (HELLO_WORLD_PAD, ("Hello", "world", "[PAD]"), (3, 16)),
        (CAT_CHASED_MOUSE, ("cat", "chased", "mouse"), (3, 4)),
        (MOUSE_CHASED_CAT, ("mouse", "chased", "cat"), (3, 4)),
    ],
    ids=[name for name in EXAMPLES if name != "TWO_SENTENCES"],
)
def test_a_sentence_has_its_tokens_and_a_row_for_each(example, tokens, shape):
    assert example.tokens == tokens
    assert example.name == " ".join(tokens)
    assert example.embeddings.shape == example.encoded.shape == shape
    assert example.d_model == shape[-1]


def test_two_sentences_are_a_batch_of_two_by_three_by_four():
    assert np.shape(TWO_SENTENCES.tokens) == (2, 3)
    assert TWO_SENTENCES.embeddings.shape == TWO_SENTENCES.encoded.shape == (2, 3, 4)
    assert TWO_SENTENCES.encoding.shape == (3, 4)
    assert TWO_SENTENCES.d_model == 4


def test_the_second_sentence_lies_one_above_the_first():
    first, second = TWO_SENTENCES.embeddings
    assert np.allclose(second - first, 1, rtol=0, atol=1e-15)
    assert first[0].tolist() == [0.1, 0.2, 0.3, 0.4]


def test_only_the_padded_sentence_has_a_mask():
    assert [name for name, example in EXAMPLES.items() if example.mask is not None] == ["HELLO_WORLD_PAD"]
    assert HELLO_WORLD_PAD.mask.tolist() == [1, 1, 0]


@every_example
def test_the_encoding_is_that_of_the_library_from_position_0(example):
    expected = sinusoidal_encoding(example.embeddings.shape[-2], example.d_model)
    if example.mask is not None:
        expected = np.where(example.mask[:, np.newaxis], expected, 0)
    assert np.array_equal(example.encoding, expected)


@every_example
def test_what_is_encoded_is_embedding_plus_encoding(example):
    assert np.array_equal(example.encoded, add_positional_encoding(example.embeddings, mask=example.mask))
    assert np.array_equal(example.encoded, example.embeddings + example.encoding)


def test_the_padding_stays_as_it_was_without_a_negative_zero():
    for row in (HELLO_WORLD_PAD.encoding[2], HELLO_WORLD_PAD.encoded[2]):
        assert not row.any()
        assert not np.signbit(row).any()


def test_a_batch_with_masks_has_an_encoding_for_each_sentence():
    example = Example("two", (("a", "b"), ("c", "[PAD]")), np.ones((2, 2, 4)), mask=[[1, 1], [1, 0]])
    assert example.encoding.shape == (2, 2, 4)
    assert np.array_equal(example.encoding[0], sinusoidal_encoding(2, 4))
    assert not example.encoding[1, 1].any()


def test_the_mirrored_sentence_has_the_same_words_in_other_places():
    assert MOUSE_CHASED_CAT.tokens == CAT_CHASED_MOUSE.tokens[::-1]
    assert np.array_equal(MOUSE_CHASED_CAT.embeddings, CAT_CHASED_MOUSE.embeddings[::-1])
    assert len({tuple(row) for row in CAT_CHASED_MOUSE.embeddings.tolist()}) == 3


def test_only_the_encoding_tells_the_mirrored_sentences_apart():
    cat, mouse = CAT_CHASED_MOUSE, MOUSE_CHASED_CAT
    assert sorted(cat.embeddings.tolist()) == sorted(mouse.embeddings.tolist())
    assert sorted(cat.encoded.tolist()) != sorted(mouse.encoded.tolist())
    assert np.array_equal(cat.encoded[1], mouse.encoded[1])  # "chased" keeps its place


@every_example
@pytest.mark.parametrize("name", ["embeddings", "encoding", "encoded", "mask"])
def test_no_array_of_an_example_can_be_written_to(example, name):
    array = getattr(example, name)
    if array is None:
        assert name == "mask"
        return
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 0


def test_an_example_keeps_copies_of_what_it_was_given():
    x, mask = np.ones((2, 4)), np.array([1, 0])
    example = Example("two", ("a", "b"), x, mask=mask)
    x[:], mask[:] = 7, 1
    assert np.array_equal(example.embeddings, np.ones((2, 4)))
    assert example.mask.tolist() == [1, 0]


# ------------------------------------------------------------------ how an example shows itself


def numbers_of_repr(example):
    """Return the numbers of the rows of the plain table, as texts."""
    return re.findall(r"-?\d+\.\d{4}", repr(example))


def cells_of_html(example):
    return re.findall("<td[^>]*>(.*?)</td>", example._repr_html_())


def numbers_to_show(example):
    """Return what both tables should hold, row by row: the embedding, the encoding, then the sum."""
    encoding = np.broadcast_to(example.encoding, example.encoded.shape)
    return [f"{x:.4f}" for x in np.concatenate([example.embeddings, encoding, example.encoded], axis=-1).ravel()]


@every_example
def test_plain_text_and_html_show_the_same_numbers(example):
    assert numbers_of_repr(example) == numbers_to_show(example)
    assert [*map(float, cells_of_html(example))] == [*map(float, numbers_to_show(example))]


@every_example
def test_plain_text_and_html_name_the_example_and_every_token(example):
    for text in (repr(example), html.unescape(example._repr_html_())):
        assert example.name in text
        assert f"d_model {example.d_model}" in text
        assert all(token in text for token in np.ravel(example.tokens))


@every_example
def test_no_memory_address_is_shown(example):
    assert "0x" not in repr(example) + example._repr_html_()
    assert str(example) == repr(example)


@every_example
def test_no_line_of_the_plain_table_ends_in_blanks(example):
    assert all(line == line.rstrip() for line in repr(example).splitlines())


@every_example
def test_a_batch_is_shown_as_one_html_table_for_each_sentence(example):
    text = example._repr_html_()
    assert text.count("<table ") == text.count("</table>") == (2 if example is TWO_SENTENCES else 1)
    assert text.count("<caption>") == text.count("<table ")
    assert text.count("<tr>") == text.count("</tr>") == 2 * text.count("<table ") + np.size(example.tokens)


def test_html_numbers_its_rows_and_columns_from_0():
    text = DAN_LOVES_ICECREAM._repr_html_()
    assert re.findall(r"<th scope='col'[^>]*>(\d)</th>", text) == ["0", "1", "2", "3"] * 3
    assert re.findall(r"<th scope='row'>(\d)</th>", text) == ["0", "1", "2"]


def test_tokens_and_names_are_escaped_in_html_and_not_in_plain_text():
    example = Example("<b> & co", ("<s>", "a&b"), np.zeros((2, 2)))
    text = example._repr_html_()
    assert "&lt;s&gt;" in text
    assert "a&amp;b" in text
    assert "&lt;b&gt; &amp; co" in text
    assert "<s>" not in text
    assert "<b>" not in text
    assert "<s>" in repr(example)


def test_the_padded_sentence_in_full_but_for_its_width():
    lines = repr(HELLO_WORLD_PAD).splitlines()
    assert lines[0] == "Hello world [PAD] · 3 tokens · d_model 16"
    assert lines[2].split() == ["0", "Hello", *["0.1000"] * 16, *["0.0000", "1.0000"] * 8, *["0.1000", "1.1000"] * 8]
    assert lines[4].split() == ["2", "[PAD]", *["0.0000"] * 48]


def test_the_mirrored_sentence_in_full():
    assert repr(MOUSE_CHASED_CAT).splitlines()[0] == "mouse chased cat · 3 tokens · d_model 4"
    assert repr(CAT_CHASED_MOUSE).splitlines()[2].split() == [
        *["0", "cat"],
        *["0.9000", "0.1000", "0.4000", "0.3000"],
        *["0.0000", "1.0000", "0.0000", "1.0000"],
        *["0.9000", "1.1000", "0.4000", "1.3000"],
    ]
