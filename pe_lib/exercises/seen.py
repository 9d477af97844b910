"""What the diagnosis sees in a matrix that was handed over as an answer: the one place where it is asked."""

from typing import NamedTuple

import numpy as np

from pe_lib.exercises.feedback import Feedback


class Seen(NamedTuple):
    """Whether a matrix is right or a variant of what is right, the codes of what was found, and the sentences."""

    ok: bool
    codes: frozenset[str]
    says: tuple[str, ...]
    doubtful: bool

    def against(self, *before: str) -> Feedback:
        """Make of it what is said to an answer that is not the one asked for, after other sentences against it."""
        if not self.ok:
            return Feedback("wrong", "\n".join([*before, *self.says]))
        said = ["That is another convention than the one asked for.", *self.says]
        return Feedback("wrong" if before else "nearly", "\n".join([*before, *said]))


def seen_in(matrix: np.ndarray) -> Seen:
    """Ask the diagnosis; nothing is said of what the matrix is only too small to show."""
    from pe_lib.diagnosis import diagnose

    found = diagnose(matrix)
    doubtful = any(each.kind == "undecided" for each in found.findings)
    says = [f"{'Perhaps: ' * (each.kind == 'undecided')}{each.message}" for each in found.findings]
    only_notes = all(each.kind == "note" for each in found.findings)
    codes = frozenset(each.code for each in found.findings)
    return Seen(found.ok, codes, () if only_notes else tuple(says), doubtful)
