"""A class at a JupyterHub of this machine: what fails, how long it takes, and how much memory it needs.

N students sign in side by side, fetch the notebooks by the link, open two, run all cells, and move a control 60 times
in two seconds, all at the same time; half of them then stop their servers, and the culler stops the others. They run
here, beside the hub, and take their share of the processors.

`python benchmarks/hub.py --students 3 6 10` starts a hub of its own for each number. A hub that already runs is tried
by `--hub http://127.0.0.1:8000 --accounts FILE`, with a line `name:password` for each student.
"""

import argparse
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent.parent / "tools"))
from class_hub import PASSWORD, ROOT, Student, processes_of, processor_seconds, pss, running_hub, wait_for

NOTEBOOKS = {"00_start_here.ipynb": "ExplainThisNumber", "04_read_the_waves.ipynb": "Waves"}  # and what is moved


class Seat:
    """A student at work, step by step with the others, and what was noted on the way."""

    def __init__(self, hub: str, name: str, password: str, repository: str) -> None:
        self.student, self.password, self.repository = Student(hub, name), password, repository
        self.seconds: dict[str, float] = {}
        self.shown: list[int] = []
        self.failure = ""

    def arrive(self) -> None:
        """Go from the form to the first picture."""
        begun = time.monotonic()
        for step, do in (
            ("signed in", lambda: self.student.sign_in(self.password)),
            ("server", self.student.start),
            ("notebooks", lambda: self.student.fetch(self.repository)),
            ("first picture", self._first_picture),
        ):
            do()
            self.seconds[step] = time.monotonic() - begun

    def _first_picture(self) -> None:
        page = self.student.open_notebook(next(iter(NOTEBOOKS)))
        while not page.pictures and page.cells:
            page.execute(page.cells[0].source, page.cells.pop(0).get("id", ""))
            page.wait_for_pictures()

    def run_all(self) -> None:
        """Run the rest of the first notebook, then the second."""
        begun = time.monotonic()
        self.student.pages[0].run()
        for name in list(NOTEBOOKS)[1:]:
            self.student.open_notebook(name).run()
        for page in self.student.pages:
            page.wait_for_pictures()
            page.took.clear()
        self.seconds["all cells"] = time.monotonic() - begun

    def move(self) -> None:
        """Move one control in each notebook, 60 times in two seconds."""
        for page, kind in zip(self.student.pages, NOTEBOOKS.values(), strict=True):
            self.shown.append(page.move(kind))

    def stop(self) -> None:
        """Stop the server."""
        self.student.stop()


def side_by_side(seats: Sequence[Seat], step: Callable[[Seat], None]) -> None:
    """Let all who have not failed take a step at the same time; who is done first waits for the others."""
    at_it = [seat for seat in seats if not seat.failure]
    done: list[Seat] = []

    def take(seat: Seat) -> None:
        try:
            step(seat)
            done.append(seat)
            while len(done) < len(at_it):
                time.sleep(0.1)
                for page in seat.student.pages:
                    page.rest(0.1)
        except Exception as trouble:  # noted, and counted; the others go on
            seat.failure = f"{seat.student.name}, {step.__name__}: {type(trouble).__name__}: {trouble}"
            at_it.remove(seat)

    threads = [threading.Thread(target=take, args=[seat]) for seat in at_it]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def memory(seats: Iterable[Seat], kind: str) -> list[float]:
    """Return each student's share of the memory in processes of a kind, in MiB."""
    return [sum(pss(pid) for pid, what in processes_of(seat.student.name).items() if what == kind) for seat in seats]


def spread(numbers: Iterable[float], digits: int = 1) -> str:
    """Write the median, the 95th in a hundred and the worst."""
    ordered = sorted(numbers)
    if not ordered:
        return "none"
    chosen = (statistics.median(ordered), ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], ordered[-1])
    return " / ".join(f"{number:.{digits}f}" for number in chosen)


def at_work(seats: list[Seat], of_hub: Sequence[int]) -> None:
    """Let the students come, work and move, and print what was measured."""
    load, worked = os.getloadavg()[0], {}
    for what, step in (("arriving", Seat.arrive), ("all cells", Seat.run_all), ("moving", Seat.move)):
        side_by_side(seats, step)
        all_there = [pid for seat in seats for pid in processes_of(seat.student.name)] + list(of_hub)
        worked[what] = sum(map(processor_seconds, all_there)) / len(seats) - sum(worked.values())
    took = [1e3 * each for seat in seats for page in seat.student.pages for each in page.took]
    shown = [number for seat in seats for number in seat.shown]
    print(f"\n{len(seats)} students side by side; load before {load:.1f}, after {os.getloadavg()[0]:.1f}")
    for what in ("signed in", "server", "notebooks", "first picture"):
        print(f"  seconds from the form until {what:14} {spread(seat.seconds.get(what, 0) for seat in seats)}")
    print(f"  seconds for all other cells of both       {spread(seat.seconds.get('all cells', 0) for seat in seats)}")
    print(f"  milliseconds from a move to its picture   {spread(took, 0)}")
    print(f"  pictures of 60 moves, least and median    {min(shown, default=0)}, {statistics.median(shown or [0]):.0f}")
    print("  processor seconds for each student        ", end="")
    print(", ".join(f"{what} {seconds:.1f}" for what, seconds in worked.items()))
    servers, kernels = memory(seats, "server"), memory(seats, "kernel")
    both = [one + other for one, other in zip(servers, kernels, strict=True)]
    print(f"  MiB for a student: server, two kernels    {statistics.mean(servers):.0f}, {statistics.mean(kernels):.0f}")
    print(f"  MiB for a student, median / 95th / worst  {spread(both, 0)}")
    if of_hub:
        print(f"  MiB for the hub and its proxy             {sum(pss(pid) for pid in of_hub):.0f}")
    for seat in seats:
        if seat.failure:
            print(f"  FAILED: {seat.failure}")
    print(f"  failures: {sum(bool(seat.failure) for seat in seats)}", flush=True)


def with_own_hub(count: int) -> int:
    """Start a hub, let so many students work, stop half of the servers and cull the others; return the failures."""
    names = [f"student-{os.getpid()}-{k}" for k in range(count)]
    with running_hub(names) as hub:
        seats = [Seat(hub.url, name, PASSWORD, hub.notebooks) for name in names]
        at_work(seats, hub.processes())
        begun = time.monotonic()
        side_by_side(seats[::2], Seat.stop)
        culler = hub.cull(idle=1)
        left = wait_for(lambda: not any(processes_of(name) for name in names), 60)
        culler.terminate()
        culler.wait(30)
        print(
            f"  stopped and culled after {time.monotonic() - begun:.1f} s: {'all' if left else 'NOT ALL'}", flush=True
        )
        return sum(bool(seat.failure) for seat in seats) + (not left)


def with_hub_there(url: str, accounts: Path) -> int:
    """Let the students of a list work at a hub that runs; return the failures."""
    pairs = [line.split(":", 1) for line in accounts.read_text().split()]
    seats = [Seat(url, name, password, ROOT.as_uri()) for name, password in pairs]
    at_work(seats, [])
    side_by_side(seats, Seat.stop)
    return sum(bool(seat.failure) for seat in seats)


def main() -> None:
    """Measure as the arguments say; fail where a student met a failure."""
    parser = argparse.ArgumentParser(description="Measure a class at a JupyterHub of this machine.")
    parser.add_argument("--students", nargs="+", type=int, default=[3, 6, 10], metavar="N")
    parser.add_argument("--hub", help="the address of a hub that already runs")
    parser.add_argument("--accounts", type=Path, help="for that hub: a file with a line name:password for each student")
    given: Any = parser.parse_args()
    if given.hub:
        failures = with_hub_there(given.hub, given.accounts)
    else:
        failures = sum(with_own_hub(count) for count in given.students)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
