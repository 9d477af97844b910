"""The exercises of the notebooks: `check` tells you whether an answer is right, and where to look if it is not."""

from pe_exercises.engine import Feedback, check, exercises, hint, solution
from pe_exercises.progress import solved

__all__ = ["Feedback", "check", "exercises", "hint", "solution", "solved"]
