"""Promise: the causes of a thousand wrong encodings are named, and none of a thousand right ones is accused."""

from collections import Counter

import numpy as np
import pytest
from diagnosis_cases import (
    BASE_ONLY,
    FREQUENCY_CODES,
    LAYOUT_CODES,
    RULES,
    VARIANTS,
    Encoding,
    case_of,
    replace,
    right_cases,
    sum_cases,
    verdict,
    wrong_case,
    wrong_cases,
)
from diagnosis_unlisted import ANSWERS, UNLISTED

from pe_lib import diagnose, diagnose_sum

SMALL = (40, 64)


def judged(cases):
    """Return how often each verdict was given, and all that was not judged rightly, in words."""
    verdicts, others = Counter(), []
    for case in cases:
        found = diagnose(case.matrix, base=case.base)
        said = verdict(case, found)
        verdicts[said] += 1
        if said != "rightly":
            others.append(f"{case.name}\n   {said}: {codes(found)} for {[sorted(a) for a in case.answers]}")
    return verdicts, others


def codes(found):
    return [f"{finding.code} ({finding.kind})" for finding in found.findings]


# ------------------------------------------------------------------ the cases themselves


def one_by_one(length, d, sine, cosine):
    """Fill a table number by number from two functions of pos and i."""
    table = np.zeros((length, d))
    for pos in range(length):
        for j in range(d):
            table[pos, j] = np.sin(sine(pos, j // 2)) if j % 2 == 0 else np.cos(cosine(pos, j // 2))
    return table


D, BASE = 8, 10_000.0
BY_HAND = {
    "": [lambda pos, i: pos / BASE ** (2 * i / D)] * 2,
    "column-as-pair": [lambda pos, i: pos / BASE ** (4 * i / D), lambda pos, i: pos / BASE ** (2 * (2 * i + 1) / D)],
    "own-frequencies": [lambda pos, i: pos / BASE ** (2 * i / D), lambda pos, i: pos / BASE ** ((2 * i + 1) / D)],
    "exponent-doubled": [lambda pos, i: pos / 1e8 ** (2 * i / D)] * 2,
    "exponent-halved": [lambda pos, i: pos / 100 ** (2 * i / D)] * 2,
    "log10": [lambda pos, i: pos / np.exp(4) ** (2 * i / D)] * 2,
    "ln-under-power-of-ten": [lambda pos, i: pos / 1.6230798e9 ** (2 * i / D)] * 2,
    "xor": [lambda pos, i: pos / 14 ** (2 * i / D)] * 2,
    "inverse": [lambda pos, i: pos * BASE ** (2 * i / D)] * 2,
    "all-one": [lambda pos, _: pos] * 2,
    "floor-log": [lambda pos, i: pos * np.exp(-2 * i)] * 2,
    "cosine-exponent": [lambda pos, i: pos / BASE ** (2 * i / D), lambda pos, i: pos / BASE ** (4 * i / D)],
    "timescales": [lambda pos, i: pos / BASE ** (i / (D / 2 - 1))] * 2,
    "pair-from-one": [lambda pos, i: pos / BASE ** (2 * (i + 1) / D)] * 2,
    "degrees": [lambda pos, i: np.pi / 180 * pos / BASE ** (2 * i / D)] * 2,
    "extra-column": [lambda pos, i: pos / BASE ** (2 * i / (D - 1))] * 2,
}


@pytest.mark.parametrize("rule", BY_HAND)
def test_the_cases_are_what_they_are_called(rule):
    assert np.allclose(Encoding(9, D, rule=rule).table(), one_by_one(9, D, *BY_HAND[rule]), rtol=0, atol=1e-6)


def test_every_rule_is_written_by_hand_once_more():
    assert set(BY_HAND) == {"", *RULES, *BASE_ONLY}


@pytest.mark.parametrize(
    ("encoding", "answers"),
    [
        (Encoding(9, 8, rule="timescales"), [{"timescales"}]),
        (Encoding(9, 4, rule="timescales"), [{"timescales"}, {"exponent-doubled"}]),
        (Encoding(9, 6, rule="floor-log"), [{"floor-log"}]),
        (Encoding(9, 8, used_base=1e8), [{"base"}, {"exponent-doubled"}, {"other-width"}]),
        (Encoding(9, 8, used_base=14.0), [{"base"}, {"xor"}]),
        (Encoding(9, 8, used_base=1000.0), [{"base"}]),
        (Encoding(9, 8, rule="own-frequencies", used_base=1e8), [{"base", "own-frequencies"}, {"column-as-pair"}]),
        (Encoding(9, 2, layout="halves"), [set()]),
        (Encoding(3, 8, angles_in="float32", dtype="float16"), [set()]),
        (Encoding(300, 8, angles_in="float32"), [{"low-precision"}]),
        (Encoding(3, 8, rule="column-as-pair", used_base=100.0), [{"own-frequencies"}]),
    ],
)
def test_what_is_right_to_answer_is_decided_by_the_numbers(encoding, answers):
    found = set(case_of(encoding).answers)
    assert {frozenset(answer) for answer in answers} <= found
    assert all(len(answer) > 1 or answer in map(set, answers) for answer in found), found


# ------------------------------------------------------------------ the sweeps


@pytest.mark.sample
def test_some_right_tables_are_not_accused():
    verdicts, others = judged(right_cases(150, seed=3))
    assert verdicts["wrongly"] == 0, "\n".join(others)


@pytest.mark.sample
def test_of_some_wrong_tables_the_causes_are_named():
    verdicts, others = judged(wrong_cases(200, seed=4))
    assert verdicts["rightly"] >= 195, "\n".join(others)


@pytest.mark.slow
def test_no_right_table_is_accused():
    verdicts, others = judged(right_cases(1200, seed=3))
    assert verdicts["wrongly"] == 0, "\n".join(others)


@pytest.mark.slow
def test_the_causes_of_wrong_tables_are_named():
    verdicts, others = judged(wrong_cases(1200, seed=4))
    assert verdicts["rightly"] >= 0.99 * 1200, "\n".join(others)


@pytest.mark.parametrize("code", [*FREQUENCY_CODES, *LAYOUT_CODES, "start", "scale", "row-zeroed", "transposed"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_every_mistake_is_named_in_every_type(code, dtype):
    for seed in range(3):
        case = wrong_case([code], np.random.default_rng(seed), SMALL)
        case = case_of(replace(case.encoding, dtype=dtype))
        found = diagnose(case.matrix, base=case.base)
        assert verdict(case, found) == "rightly", (case.name, codes(found))


@pytest.mark.parametrize("code", ["same-row", "integers"])
def test_so_are_those_that_leave_nothing_to_measure(code):
    for seed in range(8):
        case = wrong_case([code], np.random.default_rng(seed), SMALL)
        found = diagnose(case.matrix, base=case.base)
        assert verdict(case, found) == "rightly", (case.name, codes(found))


# ------------------------------------------------------------------ what is recovered


def test_no_wrong_table_is_called_right():
    for case in wrong_cases(60, seed=6, largest=SMALL):
        found = diagnose(case.matrix, base=case.base)
        harmless = any(answer <= VARIANTS | {"start"} for answer in case.answers)
        assert harmless or not found.ok, (case.name, codes(found))


def test_the_numbers_a_table_was_made_with_are_recovered():
    rng = np.random.default_rng(7)
    for number in range(30):
        layout = ["interleaved", "halves"][number % 2]
        made = Encoding(
            int(rng.integers(6, 60)),
            2 * int(rng.integers(4, 40)),
            used_base=float(np.exp(rng.uniform(3, 13))),
            layout=layout,
            start=int(rng.integers(-20, 100)),
            scale=float(rng.choice([1, 2, 0.25])),
        )
        found = diagnose(made.table())
        assert found.base == pytest.approx(made.used_base, rel=1e-6), made
        assert (found.layout, found.start) == (layout, made.start), made
        assert found.scale == pytest.approx(made.scale, rel=1e-9), made


# ------------------------------------------------------------------ mistakes in no list


@pytest.mark.parametrize("shape", [(12, 16), (50, 64)], ids=str)
@pytest.mark.parametrize("name", UNLISTED)
def test_a_mistake_in_no_list_is_described_all_the_same(name, shape):
    found = diagnose(UNLISTED[name].table(*shape))
    assert found.ok == name.startswith("rounded to")  # a right table, written as it is printed
    said = {finding.code for finding in found.findings}
    assert said in [set(answer.split()) for answer in ANSWERS[name]], (UNLISTED[name].needs, codes(found))


# ------------------------------------------------------------------ sums


def test_what_was_added_is_diagnosed_too():
    wrong = []
    for case in sum_cases(80, seed=8):
        found = diagnose_sum(case.x, case.y, base=case.base)
        if verdict(case, found) != "rightly":
            wrong.append(f"{case.name}: {codes(found)} for {[sorted(a) for a in case.answers]}")
    assert not wrong, "\n".join(wrong)
