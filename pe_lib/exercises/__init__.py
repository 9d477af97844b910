"""The exercises of the notebooks: `check` says whether an answer is right, and what to look at if it is not."""

from pe_lib.exercises.engine import Exercise, check, exercises, hint
from pe_lib.exercises.expectations import Accepted, Choice, Encoding, Mistake, Numbers
from pe_lib.exercises.feedback import Feedback

__all__ = [
    "Accepted",
    "Choice",
    "Encoding",
    "Exercise",
    "Feedback",
    "Mistake",
    "Numbers",
    "check",
    "exercises",
    "hint",
]
