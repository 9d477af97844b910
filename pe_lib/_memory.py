"""How much memory there is, new tables that fit into it, and how much this process may take and has taken."""

import contextlib
import functools
import math
import os
import sys
from collections.abc import Iterator
from mmap import PAGESIZE
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
            f"{_size_in_words(shape, dtype)}, and there is {_in_words(memory)}: ask for fewer rows or columns"
        )


def _size_in_words(shape: tuple[int, ...], dtype: DTypeLike) -> str:
    """Say how much memory a table takes."""
    kind = np.dtype(dtype)
    numbers = " × ".join(str(n) for n in shape)
    return f"a table of {numbers} {kind.name} numbers takes {_in_words(math.prod(shape) * kind.itemsize)} of memory"


@functools.cache  # reading it takes longer than filling a small table
def _memory() -> int:
    """Return how many bytes this process may use: the machine's, its container's or what a JupyterHub allows it."""
    limits = [2**47]  # what a process can address, for systems that tell nothing better
    with contextlib.suppress(AttributeError, ValueError, OSError):
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with contextlib.suppress(OSError, ValueError):
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    with contextlib.suppress(KeyError, ValueError):
        limits.append(int(os.environ["MEM_LIMIT"]))  # for the server and its kernels together
    return min(limit for limit in limits if limit > 0)


def resident() -> int:
    """Return how many bytes this process holds in memory: the most it ever held, or 0, where a system tells no more."""
    with contextlib.suppress(OSError):
        return _pages(1)
    with contextlib.suppress(ImportError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return 0


@contextlib.contextmanager
def refused_beyond(more: int) -> Iterator[None]:
    """Let the system refuse this process more than `more` bytes beyond what it has; do without where it cannot."""
    with contextlib.ExitStack() as undo:
        with contextlib.suppress(ImportError, OSError, ValueError):
            import resource

            soft, hard = resource.getrlimit(resource.RLIMIT_AS)
            limit = _pages(0) + more
            if soft == resource.RLIM_INFINITY or soft > limit:
                resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
                undo.callback(resource.setrlimit, resource.RLIMIT_AS, (soft, hard))
        yield


def _pages(column: int) -> int:
    """Read a size of this process where Linux writes it down, in bytes: 0 is what it has addressed, 1 what it holds."""
    return int(Path("/proc/self/statm").read_text().split()[column]) * PAGESIZE


def _in_words(size: float) -> str:
    """Write a number of bytes in the unit that suits it."""
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:,.4g} TiB" if size < 1e4 else f"{size:.1e} TiB"
