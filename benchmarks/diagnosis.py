"""Measure how long a diagnosis takes beside filling the same table.

    python benchmarks/diagnosis.py [--rounds 5]

Every entry of the catalogue is made alone, and diagnosed, at three sizes; so is what is no encoding at all. A time is
the median of the rounds. Nothing is asserted. For one thread, set OPENBLAS_NUM_THREADS=1 before.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np

from pe_diagnosis import diagnose
from pe_diagnosis.catalogue import CATALOGUE
from pe_diagnosis.program import ERRORS, Program
from pe_lib import encode_positions

SIZES = ((50, 32), (512, 512), (5000, 512))


def seconds(call: Callable[[], object], rounds: int) -> float:
    """Return the median time of some calls."""
    times = []
    for _ in range(rounds):
        before = time.perf_counter()
        call()
        times.append(time.perf_counter() - before)
    return statistics.median(times)


def wrong(length: int, d_model: int) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the table that each entry of the catalogue makes alone, of those with {n} the first."""
    for entry in CATALOGUE:
        one = next(iter(entry.each()))
        if not one.cost or one.slot == "base" or (one.slot == "order" and length > 100):
            continue
        try:
            table = Program(length, d_model, 10_000.0, **{one.slot: one}).run()["matrix"]
        except ERRORS:
            continue
        if np.isfinite(table).all() and np.abs(table).max() < 1e9:
            yield f"{one.slot}: {one.line}", np.asarray(table, float)


def none(length: int, d_model: int) -> Iterator[tuple[str, np.ndarray]]:
    """Yield what is no encoding at all."""
    rng = np.random.default_rng(0)
    normal = rng.normal(size=(length, d_model))
    yield "normal", normal
    yield "uniform", rng.random((length, d_model))
    yield "one-hot", np.eye(d_model)[rng.integers(0, d_model, length)]
    yield "learned", 0.02 * normal
    yield "layer-normed", (normal - normal.mean(1, keepdims=True)) / normal.std(1, keepdims=True)


def main() -> None:
    """Print, for each size, how long most and all diagnoses take, and how long the table itself does."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print("| L × d_model | tables | median | nine in ten | worst | the slowest | filling the table |")
    print("|---|---|--:|--:|--:|---|--:|")
    for length, d_model in SIZES:
        filling = seconds(lambda length=length, d_model=d_model: encode_positions(range(length), d_model), rounds)
        for kind, make in (("one entry", wrong), ("no encoding", none)):
            found = [
                (seconds(lambda table=table: diagnose(table), rounds if length < 5000 else 1), name)
                for name, table in make(length, d_model)
            ]
            times = [one for one, _ in found]
            most, worst = np.quantile(times, 0.9), max(found)
            print(
                f"| {length} × {d_model} | {len(times)}, {kind} | {statistics.median(times):.3f} s | {most:.3f} s ",
                end="",
            )
            print(f"| {worst[0]:.3f} s | `{worst[1]}` | {filling:.4f} s |", flush=True)


if __name__ == "__main__":
    main()
