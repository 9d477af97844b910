"""Promise: the worked examples are the notes' sentences, and their tables show all they hold."""

import html
import re

import numpy as np
import pytest

from pe_lib import (
    DAN_LOVES_ICECREAM,
    DOG_BITES_MAN,
    HELLO_WORLD_PAD,
    I_LIKE_DEEP_LEARNING,
    MAN_BITES_DOG,
    TWO_SENTENCES,
    Example,
    sinusoidal_encoding,
)

SENTENCES = [I_LIKE_DEEP_LEARNING, DAN_LOVES_ICECREAM, HELLO_WORLD_PAD, DOG_BITES_MAN, MAN_BITES_DOG]
EXAMPLES = [*SENTENCES, TWO_SENTENCES]

every_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)


def test_a_sentence_has_its_tokens_and_a_row_for_each():
    for example, shape in zip(SENTENCES, [(4, 6), (3, 4), (3, 16), (3, 4), (3, 4)], strict=True):
        assert " ".join(example.tokens) == example.name
        assert (*np.shape(example.tokens), example.d_model) == example.embeddings.shape == shape


def test_two_sentences_are_a_batch_and_the_second_lies_one_above_the_first():
    assert np.shape(TWO_SENTENCES.tokens) == (2, 3)
    first, second = TWO_SENTENCES.embeddings
    assert first[0].tolist() == [0.1, 0.2, 0.3, 0.4]
    assert np.allclose(second - first, 1, rtol=0, atol=1e-15)
    assert TWO_SENTENCES.encoding.shape == (3, 4)


@every_example
def test_the_sum_is_embedding_plus_encoding_from_position_0(example):
    expected = sinusoidal_encoding(example.embeddings.shape[-2], example.d_model)
    if example is HELLO_WORLD_PAD:
        expected[2] = 0  # the padding
    assert np.array_equal(example.encoding, expected)
    assert np.array_equal(example.encoded, example.embeddings + expected)


def test_a_batch_with_masks_has_an_encoding_for_each_sentence():
    example = Example("two", (("a", "b"), ("c", "[PAD]")), np.ones((2, 2, 4)), mask=[[1, 1], [1, 0]])
    assert np.array_equal(example.encoding, [sinusoidal_encoding(2, 4), [[0, 1, 0, 1], [0] * 4]])


def test_only_the_encoding_tells_the_mirrored_sentences_apart():
    dog, man = DOG_BITES_MAN, MAN_BITES_DOG
    assert np.array_equal(man.embeddings, dog.embeddings[::-1])
    assert len(np.unique(dog.embeddings, axis=0)) == 3
    assert sorted(dog.encoded.tolist()) != sorted(man.encoded.tolist())
    assert np.array_equal(dog.encoded[1], man.encoded[1])  # "bites" keeps its place


def test_tokens_must_name_each_row():
    with pytest.raises(ValueError, match=r"tokens must name each row of embeddings \(2, 4\), got shape \(3,\)"):
        Example("three", ("a", "b", "c"), np.ones((2, 4)))


@every_example
def test_plain_text_and_html_show_every_token_and_every_number(example):
    parts = example.embeddings, np.broadcast_to(example.encoding, example.encoded.shape), example.encoded
    rows = np.concatenate(parts, axis=-1).reshape(-1, 3 * example.d_model)
    words = np.ravel(example.tokens).tolist()
    lines = [line for line in repr(example).splitlines() if line[0].isdigit()]
    cells = re.findall(r"<th scope='row' [^>]*>(.*?)</th>(.*?)</tr>", example._repr_html_())
    for line, (word_cell, numbers), word, row in zip(lines, cells, words, rows, strict=True):
        assert word_cell == word in line
        in_html = [float(number) for number in re.findall("<td[^>]*>(.*?)</td>", numbers)]
        assert in_html == [float(number) for number in line[3:].split()[len(word.split()) :]]
        assert np.allclose(in_html, row, rtol=0, atol=0.51e-4)


def test_the_html_of_a_batch_has_a_table_for_each_sentence_and_counts_from_0():
    text = TWO_SENTENCES._repr_html_()
    assert re.findall("<caption>(.*?)</caption>", text) == [
        f"Two sentences, sentence {b} · 3 tokens · d_model 4" for b in (0, 1)
    ]
    assert re.findall(r"<th scope='col'>(\d)</th>", text) == ["0", "1", "2", "3"] * 6
    assert re.findall(r"<th scope='row'>(\d)</th>", text) == ["0", "1", "2"] * 2
    assert text.count("<tr>") == text.count("</tr>") == 10


def test_tokens_and_names_are_escaped_in_html_and_not_in_plain_text():
    example = Example("<b> & co", ("<s>", "a&b"), np.zeros((2, 2)))
    text = example._repr_html_()
    assert "<s>" not in text
    assert "<b>" not in text
    assert {"<s>", "a&b", "<b> & co"} <= {html.unescape(found) for found in re.findall(r">([^<>]+?)(?: ·|<)", text)}
    assert "<s>" in repr(example)


def test_embeddings_are_shown_in_as_few_decimals_as_say_all():
    example = Example("long", ("a", "b"), [[0.12345, 1], [0.5, 0.25]])
    assert repr(example).splitlines()[2].split()[2:4] == ["0.1235", "1.0000"]
    assert repr(Example("short", ("a",), [[0.125, 1]])).splitlines()[2].split()[2:4] == ["0.125", "1.000"]
