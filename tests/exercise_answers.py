"""The two tests that the answers to the exercises of every notebook go through."""

import numpy as np
import pytest

from pe_lib import check


def told(answers):
    """Return a test that each wrong answer, (name, answer, kind, says), is told what to look at."""

    @pytest.mark.parametrize(("name", "answer", "kind", "says"), answers)
    def test(name, answer, kind, says):
        with np.errstate(all="ignore"):
            feedback = check(name, answer)
        assert says.casefold() in feedback.text.casefold()
        assert feedback.kind == kind

    return test


def taken(answers):
    """Return a test that each right answer, (name, answer), is taken, in whatever form it comes."""

    @pytest.mark.parametrize(("name", "answer"), answers)
    def test(name, answer):
        assert check(name, answer).kind == "right", check(name, answer)

    return test
