"""The exercises of the notebooks: `check` says whether an answer is right, and what to look at if it is not."""

from pe_lib.exercises.engine import check, exercises, hint
from pe_lib.exercises.feedback import Feedback
from pe_lib.exercises.progress import solved

__all__ = ["Feedback", "check", "exercises", "hint", "solved"]
