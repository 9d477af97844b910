"""Ask: `check` tells you whether an answer to an exercise is right, and where to look if it isn't.

Read `notebook_00`, which shows how an exercise is written, then `engine`, which judges answers with the help of
`comparing`, which compares numbers, and `trying`, which calls a learner's function; `progress` keeps what's solved.
"""

from pe_exercises.engine import Feedback, check, exercises, hint, solution, solved

__all__ = ["Feedback", "check", "exercises", "hint", "solution", "solved"]
