"""What the diagnosis sees in a matrix that was handed over as an answer: the one place where it is asked."""

from typing import NamedTuple

import numpy as np

from pe_lib.exercises.feedback import Feedback


class Seen(NamedTuple):
    """Whether a matrix is right or a variant of that, the codes of what was found, the sentences, and any doubt."""

    ok: bool
    codes: frozenset[str]
    says: tuple[str, ...]
    doubtful: bool

    def against(self, *before: str) -> Feedback:
        """Make of it what is said to an answer that is not the one asked for, after other sentences against it."""
        convention = ["That is another convention than the one asked for."] if self.ok else []
        said = "\n".join([*before, *convention, *self.says])
        return Feedback("nearly" if self.ok and not before else "wrong", said)


def seen_in(matrix: np.ndarray) -> Seen:
    """Ask the diagnosis; notes on what a matrix is too small to show are left out where there is nothing else."""
    from pe_lib.diagnosis import diagnose

    found = diagnose(matrix)
    kinds = {each.kind for each in found.findings}
    says = (f"{'Perhaps: ' * (each.kind == 'undecided')}{each.message}" for each in found.findings)
    codes = frozenset(each.code for each in found.findings)
    return Seen(found.ok, codes, tuple(says) if kinds - {"note"} else (), "undecided" in kinds)
