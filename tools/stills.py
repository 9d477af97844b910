"""Let `pytest --nbval` see what is shown: each stored picture of a notebook beside the one that its cell draws now."""

import base64
import io
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from nbval.plugin import IPyNbCell
from PIL import Image

BLOCK = 8  # pixels along a side
FAINT = 0.04  # of the way from black to white
MOST = 0.005  # the share of what is not paper that may differ
LOOSE = 0.5  # where each machine trains networks of its own, or another matplotlib draws the letters
LOCK = Path(__file__).resolve().parent.parent / "requirements.txt"
LOCKED = f"matplotlib=={version('matplotlib')}" in LOCK.read_text(encoding="utf-8").splitlines()


def looks(png: str) -> np.ndarray:
    """Return the mean colours of the blocks of a picture, of shape (rows, columns, 3), each from 0 to 1."""
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")) / 255
    rows, columns = (side // BLOCK for side in pixels.shape[:2])
    blocks = pixels[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK, 3)
    return np.asarray(blocks.mean(axis=(1, 3)))


def difference(one: str, other: str) -> float:
    """Return the share of two pictures that differs, among what is not paper in one of them."""
    if one.strip() == other.strip():
        return 0.0
    here, there = looks(one), looks(other)
    if here.shape != there.shape:
        return 1.0
    inked = np.minimum(here, there).min(axis=2) < 1 - FAINT
    return float((abs(here - there).max(axis=2) > FAINT).sum() / max(1, inked.sum()))


def stills(outputs: list) -> list[str]:
    """Return the pictures among the outputs of a cell."""
    return [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Compare the pictures of a cell that has just run; a cell with sliders by ipywidgets puts out none now."""
    yield
    if not isinstance(item, IPyNbCell):
        return
    stored, now = stills(item.cell.get("outputs", [])), stills(item.test_outputs or [])
    if len(stored) != len(now) and item.options["check"]:
        item.raise_cell_error(f"{len(stored)} pictures are stored, and {len(now)} are drawn now")
    for one, other in zip(stored, now, strict=False):
        if (share := difference(one, other)) > (MOST if item.options["check"] and LOCKED else LOOSE):
            item.raise_cell_error(f"The stored picture is not the one that is drawn now: {share:.1%} of it differ")
