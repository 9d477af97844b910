"""A class at a JupyterHub of this machine, with the settings of classroom/: who comes in, what works, what ends."""

import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from class_hub import PASSWORD, Hub, Page, Student, Trouble, processes_of, running_hub, wait_for
from websocket import WebSocketException

pytestmark = pytest.mark.skipif(
    not shutil.which("configurable-http-proxy"), reason="the proxy is a package of the system, not of Python"
)
NOTEBOOK = "00_start_here.ipynb"
NAMES = [f"student-{os.getpid()}-{k}" for k in range(3)]


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    with running_hub(NAMES) as running:
        yield running


@pytest.fixture(scope="module")
def visit(hub: Hub) -> Iterator[Callable[[str], Student]]:
    """Return what opens a browser at the hub."""
    with contextlib.ExitStack() as browsers:
        yield lambda name: browsers.enter_context(Student(hub.url, name))


@pytest.fixture(scope="module")
def desks(hub: Hub, visit: Callable[[str], Student]) -> dict[str, tuple[Student, Page]]:
    """Three students who have come side by side, each with an open notebook."""
    found, troubles = {}, []

    def come(name: str) -> None:
        try:
            student = visit(name)
            student.sign_in(PASSWORD)
            student.start()
            student.fetch(hub.notebooks)
            found[name] = student, student.open_notebook(NOTEBOOK)
        except Exception as trouble:
            troubles.append(f"{name}: {trouble}")

    at_once([lambda name=name: come(name) for name in NAMES])
    assert not troubles, troubles
    return found


def at_once(steps: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=step) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(("name", "password"), [(NAMES[0], ""), (NAMES[0], "a guess of mine"), ("stranger", PASSWORD)])
def test_nobody_comes_in_without_a_name_of_the_class_and_its_password(hub, visit, name, password):
    visitor = visit(name)
    with pytest.raises(Trouble):
        visitor.sign_in(password)
    for page in ("hub/home", "hub/spawn", f"user/{NAMES[0]}/lab"):
        assert "/hub/login" in visitor.browser.get(f"{hub.url}/{page}").url
    assert visitor.browser.get(f"{hub.url}/hub/api/users").status_code == 403


def test_three_students_run_a_notebook_and_move_a_control_side_by_side(desks):
    shown = {}

    def work(page: Page, name: str) -> None:
        page.run()
        page.wait_for_pictures()
        shown[name] = page.move("ExplainThisNumber", moves=20, seconds=1)

    at_once([lambda page=page, name=name: work(page, name) for name, (_, page) in desks.items()])
    assert set(shown) == set(NAMES)
    assert min(shown.values()) >= 2


def test_a_student_does_not_reach_the_server_of_another(hub, desks):
    (one, _), (other, page) = desks[NAMES[0]], desks[NAMES[1]]
    for what in ("api/contents", "api/kernels", f"api/kernels/{page.kernel}", "lab", "git-pull"):
        answer = one.browser.get(f"{other.base}/{what}", allow_redirects=True)
        assert answer.status_code in (403, 404), (what, answer.status_code)
    assert one.browser.delete(f"{hub.url}/hub/api/users/{other.name}/server").status_code in (403, 404)
    assert other.ask("GET", "api/kernels").ok


def test_a_kernel_that_is_killed_loses_its_variables_and_nothing_else(desks):
    student, _ = desks[NAMES[2]]
    bystander = desks[NAMES[0]][1]
    bystander.execute("kept = 41")
    kernel = next(pid for pid, kind in processes_of(student.name).items() if kind == "kernel")
    os.kill(kernel, signal.SIGKILL)
    assert wait_for(lambda: kernel not in processes_of(student.name), 30)
    again = wait_for(lambda: _answers(student), 60)
    assert again is not None
    assert again.execute("print('kept' in globals())") == "False\n"
    again.run()
    assert bystander.execute("print(kept + 1)") == "42\n"


def test_a_hub_that_is_started_again_finds_the_kernels_as_they_were(hub, desks):
    student = desks[NAMES[1]][0]
    page = student.open_notebook(NOTEBOOK)
    page.execute("kept = 41")
    hub.stop()
    hub.start()
    assert wait_for(lambda: student.browser.get(f"{student.base}/api/kernels").ok, 60)
    assert student.open_notebook(NOTEBOOK).execute("print(kept + 1)") == "42\n"


def test_a_stopped_server_leaves_the_files_and_the_culler_ends_what_is_idle(hub, desks):
    student, _ = desks[NAMES[0]]
    student.ask("PUT", "api/contents/mine.txt", json={"type": "file", "format": "text", "content": "written"})
    student.stop()
    assert wait_for(lambda: not processes_of(student.name), 30)
    assert (hub.folder / "homes" / student.name / "mine.txt").read_text() == "written"
    culler = hub.cull(idle=1)
    try:
        assert wait_for(lambda: not any(processes_of(name) for name in NAMES), 60)
    finally:
        culler.terminate()
        culler.wait(30)


def test_the_settings_name_who_may_come_in():
    text = (Path(__file__).parents[2] / "classroom" / "jupyterhub_config.py").read_text(encoding="utf-8")
    assert "allow_all" not in text
    assert '"http://127.0.0.1:8000"' in text


def _answers(student: Student) -> Page | None:
    """Return an open notebook once its kernel runs again."""
    with contextlib.suppress(Trouble, OSError, WebSocketException):
        page = student.open_notebook(NOTEBOOK)
        page.execute("1", patience=10)
        return page
    return None
