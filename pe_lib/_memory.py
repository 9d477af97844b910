"""How much memory there is, and new tables that fit into it."""

import contextlib
import functools
import math
import os
from pathlib import Path

import numpy as np
from numpy.typing import DTypeLike

from pe_lib import _checks


def new_table(shape: tuple[int, ...], dtype: DTypeLike) -> np.ndarray:
    """Return an unfilled array, or say how large it would have been."""
    refuse_more_than_memory(shape, dtype)
    try:
        return np.empty(shape, dtype)
    except (MemoryError, ValueError):  # refused by the system; more elements than an index can count
        raise ValueError(
            f"{_size_in_words(shape, dtype)}, more than is free here: ask for fewer rows or columns"
        ) from None


def refuse_more_than_memory(shape: tuple[int, ...], dtype: DTypeLike) -> None:
    """Raise if a table of this shape cannot fit."""
    memory = _memory()
    if math.prod(shape) * _checks.float_dtype(dtype).itemsize > memory:
        raise ValueError(
            f"{_size_in_words(shape, dtype)}, and this machine has {_in_words(memory)}: ask for fewer rows or columns"
        )


def _size_in_words(shape: tuple[int, ...], dtype: DTypeLike) -> str:
    """Say how much memory a table takes."""
    kind = np.dtype(dtype)
    numbers = " × ".join(str(n) for n in shape)
    return f"a table of {numbers} {kind.name} numbers takes {_in_words(math.prod(shape) * kind.itemsize)} of memory"


@functools.cache  # reading it takes longer than filling a small table
def _memory() -> int:
    """Return how many bytes of memory this process may use: the machine's, or its container's if that has less."""
    limits = [2**47]  # what a process can address, for systems that tell nothing better
    with contextlib.suppress(AttributeError, ValueError, OSError):
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with contextlib.suppress(OSError, ValueError):
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(limit for limit in limits if limit > 0)


def _in_words(size: float) -> str:
    """Write a number of bytes in the unit that suits it."""
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:,.4g} TiB" if size < 1e4 else f"{size:.1e} TiB"
