"""How much memory this process holds, and how it is refused more."""

import contextlib
import sys
from collections.abc import Iterator
from mmap import PAGESIZE
from pathlib import Path


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
