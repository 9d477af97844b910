"""Measure how long a diagnosis takes beside filling the same table, and count the cases it names.

    python benchmarks/diagnosis.py [--rounds 15] [--cases 1200] [--seed 100]

A time is the median of the rounds, in which filling and diagnosing take turns. Nothing is asserted; the cases are those
of tests/diagnosis_cases.py, with other random numbers than in the tests.
"""

import argparse
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from pe_lib import diagnose, diagnose_sum, encode_positions, sinusoidal_encoding

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from diagnosis_cases import Case, Encoding, SumCase, right_cases, sum_cases, verdict, wrong_cases
from diagnosis_programs import PROGRAMS, SUMS, make
from diagnosis_words import judged

SIZES = [(4, 6), (10, 16), (50, 64), (200, 256), (512, 512), (600, 1024), (5000, 512)]
VERDICTS = ["rightly", "wrongly", "undecided"]


def milliseconds(call: Callable[[], object]) -> float:
    """Time one call."""
    before = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - before)


def textbook(length: int, d_model: int) -> object:
    """Fill the table by sines and cosines of all angles."""
    return encode_positions(range(length), d_model)


def time_all(rounds: int) -> None:
    """Print the times of filling and of diagnosing a right and a wrong table, for each size."""
    print("| L × d_model | fill by rotation | fill with sin and cos | diagnose, right | diagnose, wrong |")
    print("|---|--:|--:|--:|--:|")
    for length, d_model in SIZES:
        good = sinusoidal_encoding(length, d_model)
        bad = Encoding(length, d_model, rule="column-as-pair").table()
        ways: list[Callable[[], object]] = [
            lambda length=length, d_model=d_model: sinusoidal_encoding(length, d_model),
            lambda length=length, d_model=d_model: textbook(length, d_model),
            lambda good=good: diagnose(good),
            lambda bad=bad: diagnose(bad),
        ]
        times = [[milliseconds(way) for way in ways] for _ in range(rounds)]
        medians = [statistics.median(of_one_way) for of_one_way in zip(*times, strict=True)]
        print(f"| {length} × {d_model} |", " | ".join(f"{median:.2f} ms" for median in medians), "|")


def fourier_features(length: int, d_model: int) -> np.ndarray:
    """Fill a table with frequencies drawn at random."""
    angles = np.arange(length)[:, np.newaxis] * np.random.default_rng(0).normal(0, 0.5, d_model // 2)
    return np.hstack([np.sin(angles), np.cos(angles)])


def with_changed(table: np.ndarray, rows: object, columns: object, values: object) -> np.ndarray:
    """Return a table with other numbers in some places."""
    table[rows, columns] = values
    return table


CAUSES: dict[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]] = {
    "right": lambda good, _: good,
    "halves": lambda good, _: sinusoidal_encoding(*good.shape, layout="halves"),
    "column taken for the pair": lambda good, _: Encoding(*good.shape, rule="column-as-pair").table(),
    "base 1000": lambda good, _: sinusoidal_encoding(*good.shape, base=1000),
    "base 1234.567": lambda good, _: sinusoidal_encoding(*good.shape, base=1234.567),
    "base 1234.567 in float32": lambda good, _: sinusoidal_encoding(*good.shape, base=1234.567, dtype=np.float32),
    "from position 77": lambda good, _: sinusoidal_encoding(*good.shape, start=77),
    "from position 123456": lambda good, _: sinusoidal_encoding(*good.shape, start=123_456),
    "three at once": lambda good, _: sinusoidal_encoding(*good.shape, start=5, base=500, layout="halves"),
    "steps of two": lambda good, _: encode_positions(2 * np.arange(len(good)), good.shape[1]),
    "times 0.5": lambda good, _: 0.5 * good,
    "transposed": lambda good, _: good.T.copy(),
    "transposed, halves, scaled": lambda good, _: 0.3 * sinusoidal_encoding(*good.shape, layout="halves").T,
    "a wrong cell": lambda good, _: with_changed(good, len(good) // 2, 3, 0.3),
    "a row missing": lambda good, _: np.delete(good, len(good) // 3, axis=0),
    "shuffled rows": lambda good, rng: rng.permutation(good),
    "shuffled columns": lambda good, rng: rng.permutation(good, axis=1),
    "columns less their mean": lambda good, _: good - good.mean(axis=0),
    "layer norm": lambda good, _: (good - good.mean(axis=1, keepdims=True)) / good.std(axis=1, keepdims=True),
    "absolute values": lambda good, _: abs(good),
    "neighbouring columns multiplied": lambda good, _: good * np.roll(good, 1, axis=1),
    "two bases": lambda good, _: with_changed(
        good, slice(None), slice(1, None, 2), sinusoidal_encoding(*good.shape, base=1000)[:, 1::2]
    ),
    "rounded to 3 decimals": lambda good, _: good.round(3),
    "float32 angles": lambda good, _: Encoding(*good.shape, angles_in="float32", dtype="float32").table(),
    "bfloat16 angles": lambda good, _: Encoding(*good.shape, angles_in="bfloat16", dtype="float32").table(),
    "noise of 1e-3": lambda good, rng: good + rng.normal(0, 1e-3, good.shape),
    "dropout": lambda good, rng: np.where(rng.random(good.shape) < 0.1, 0, good / 0.9),
    "a third of the rows random": lambda good, rng: with_changed(
        good, rows := rng.permutation(len(good))[: len(good) // 3], slice(None), rng.random((len(rows), good.shape[1]))
    ),
    "Fourier features": lambda good, _: fourier_features(*good.shape),
    "one-hot": lambda good, _: np.eye(*good.shape),
    "random numbers": lambda good, rng: rng.normal(size=good.shape),
}


def time_causes(rounds: int) -> None:
    """Print the processor time for tables that are wrong in many ways, the least of the rounds."""
    sizes = [(50, 64), (512, 512), (5000, 512)]
    print("\n| of processor time, least | " + " | ".join(f"{length} × {d_model}" for length, d_model in sizes) + " |")
    print("|---|" + "--:|" * len(sizes))
    fills = [
        processor(lambda length=length, d_model=d_model: textbook(length, d_model), rounds) for length, d_model in sizes
    ]
    print("| (filling with sin and cos) |", " | ".join(f"{ms:.2f} ms" for ms in fills), "|")
    for name, make_wrong in CAUSES.items():
        times = []
        for size in sizes:
            table = make_wrong(sinusoidal_encoding(*size), np.random.default_rng(0))
            times.append(processor(lambda table=table: diagnose(table), max(rounds // 5, 1)))
        print(f"| {name} |", " | ".join(f"{ms:.0f} ms" for ms in times), "|")


def processor(call: Callable[[], object], rounds: int) -> float:
    """Return the least processor time of some calls in milliseconds."""
    times = []
    for _ in range(rounds):
        before = time.process_time()
        call()
        times.append(1000 * (time.process_time() - before))
    return min(times)


def count_programs() -> None:
    """Print how what is said of the programs by others is judged, and the slowest of them."""
    verdicts: Counter[str] = Counter()
    times = []
    for program in PROGRAMS + SUMS:
        arrays = make(program)
        before = time.perf_counter()
        found = diagnose(*arrays) if len(arrays) == 1 else diagnose_sum(*arrays)
        times.append((1000 * (time.perf_counter() - before), program.name))
        verdicts[judged(program, found).split()[0]] += 1
    print(f"\nprograms by others, {verdicts.total()}:", ", ".join(f"{name} {n}" for name, n in verdicts.most_common()))
    print("slowest:", "; ".join(f"{name} {ms:.0f} ms" for ms, name in sorted(times, reverse=True)[:5]))


def count(cases: Iterable[Case | SumCase], ask: Callable[..., object]) -> dict[str, Counter[str]]:
    """Return the verdicts on all cases, under each way of going wrong and under how many there were."""
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        said = verdict(case, ask(case))
        verdicts[case.code if isinstance(case, SumCase) else kind_of(case)][said] += 1
    return verdicts


def kind_of(case: Case) -> str:
    """Return the row of the table a case belongs to."""
    if len(case.causes) == 1:
        return case.causes[0]
    return "right" if not case.causes else {2: "two at once", 3: "three at once"}[len(case.causes)]


def print_counts(title: str, verdicts: dict[str, Counter[str]]) -> None:
    """Print one row for each kind of case."""
    print(f"\n| {title} | tried |", " | ".join(VERDICTS), "|")
    print("|---|--:|" + "--:|" * len(VERDICTS))
    for kind, of_it in sorted(verdicts.items()):
        print(f"| {kind} | {of_it.total()} |", " | ".join(str(of_it[name]) for name in VERDICTS), "|")
    total = sum(verdicts.values(), Counter())
    print(f"| all | {total.total()} |", " | ".join(str(total[name]) for name in VERDICTS), "|")


def main() -> None:
    """Print the times, then the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--cases", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=100)
    options = parser.parse_args()
    time_all(options.rounds)
    time_causes(options.rounds)
    count_programs()
    for title, cases in {
        "right tables": right_cases(options.cases, options.seed),
        "wrong tables": wrong_cases(options.cases, options.seed + 1),
    }.items():
        print_counts(title, count(cases, lambda case: diagnose(case.matrix, base=case.base)))
    sums = count(
        sum_cases(options.cases // 2, options.seed + 2), lambda case: diagnose_sum(case.x, case.y, base=case.base)
    )
    print_counts("sums", sums)


if __name__ == "__main__":
    main()
