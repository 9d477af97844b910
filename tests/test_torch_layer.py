"""Promise: the PyTorch layer printed in notebook 06 adds what the library adds, however a batch is padded or read."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from pe_lib import add_positional_encoding, encode_positions

torch = pytest.importorskip("torch")

NOTEBOOK = Path(__file__).resolve().parent.parent / "notebooks" / "06_add_it_by_broadcasting.ipynb"
TOKENS = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])


def written():
    """Return the class as the notebook prints it."""
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    (text,) = [cell.source for cell in cells if cell.source.startswith("## Write the layer in PyTorch\n")]
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict = {}
    exec(compile(code, "<the layer>", "exec"), names)
    return names["EmbeddingWithPositions"]


@pytest.fixture(params=[6, 7, 64])
def layer(request):
    """Make a layer of random embeddings, without dropout."""
    torch.manual_seed(0)
    return written()(10, request.param).eval()


def words(layer, tokens=TOKENS):
    """Return the embeddings alone."""
    return layer.embedding(tokens).detach().numpy().astype(float)


def close(found, right):
    np.testing.assert_allclose(found.detach().numpy(), right, rtol=0, atol=2e-6)


def test_it_adds_what_the_library_adds(layer):
    close(layer(TOKENS), add_positional_encoding(words(layer), scale=True))


def test_padding_behind_gets_no_row(layer):
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    close(layer(TOKENS, mask), add_positional_encoding(words(layer), mask=mask.numpy(), scale=True))


def test_padding_in_front_does_not_move_the_words(layer):
    mask = torch.tensor([[True] * 5, [False, False, True, True, True]])
    x = words(layer)
    d_model = x.shape[-1]
    rows = np.stack([encode_positions(range(5), d_model), np.zeros((5, d_model))])
    rows[1, 2:] = encode_positions(range(3), d_model)
    close(layer(TOKENS, mask), np.sqrt(d_model) * x + rows)


@pytest.mark.parametrize("padded", [0, 2])
def test_word_by_word_is_the_same_as_all_at_once(layer, padded):
    mask = torch.ones_like(TOKENS)
    mask[1, :padded] = 0
    whole = layer(TOKENS, mask)
    for t in range(TOKENS.shape[1]):
        torch.testing.assert_close(layer(TOKENS[:, t : t + 1], mask[:, : t + 1])[:, 0], whole[:, t])


def test_far_rows_are_as_exact_as_the_type_allows(layer):
    right = encode_positions(range(5000), layer.table.shape[1])
    np.testing.assert_allclose(layer.table.numpy(), right, rtol=0, atol=1e-7)


def test_the_table_is_neither_learned_nor_saved(layer):
    assert list(layer.state_dict()) == ["embedding.weight"]
    assert [name for name, _ in layer.named_parameters()] == ["embedding.weight"]


def test_a_word_has_about_length_1_before_it_is_made_larger():
    torch.manual_seed(0)
    lengths = written()(2000, 64).embedding.weight.detach().norm(dim=1)
    assert abs(float(lengths.mean()) - 1) < 0.02


def test_dropout_falls_on_the_sum_in_training_only():
    torch.manual_seed(0)
    layer = written()(10, 512)
    dropped, whole = layer.train()(TOKENS).detach(), layer.eval()(TOKENS).detach()
    gone = dropped == 0
    assert 0.07 < float(gone.float().mean()) < 0.13
    torch.testing.assert_close(dropped[~gone], whole[~gone] / 0.9)
