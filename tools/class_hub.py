"""Start a JupyterHub for a class on this machine, and be its students: for the test and the benchmark of `classroom/`.

A student here does what a browser does: signs in with a form, keeps cookies, fetches the notebooks by the link, runs
cells over the kernel's websocket, and asks for pictures as the explorers' script does.
"""

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import nbformat
import requests
import websocket

ROOT = Path(__file__).parent.parent
PASSWORD = "not for a real class"  # the hub here listens on this machine alone, and is gone after the run
FOLDER = "positional-encoding"  # where the link puts the notebooks
UNDERWAY = 2  # questions that a page asks at once, as MOST_UNDERWAY in the explorers' script

# The class's own settings, but for what needs accounts and systemd: servers are plain processes, the password is one.
CONFIG = """
import os
load_subconfig({config!r})
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {hub_port}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy_port}"
c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = {password!r}
c.Authenticator.allowed_users = {names!r}
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r} + "/{{username}}"
c.Spawner.args += ["--allow-root"] if os.geteuid() == 0 else []
c.Spawner.environment |= {{"JUPYTER_RUNTIME_DIR": lambda spawner: {homes!r} + "/" + spawner.user.name + "/run"}}
c.JupyterHub.services = [{{"name": "idle-culler", "api_token": {culler!r}}}]
"""


class Trouble(Exception):  # noqa: N818  # nobody's error
    """Something that a student would have seen as a failure."""


class Hub:
    """A hub of this run: its address, its folder, and the process that may be stopped and started again."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self.folder, self.names = folder, list(names)
        port, hub_port, proxy_port = _free_ports(3)
        self.url = f"http://127.0.0.1:{port}"
        self.api = f"http://127.0.0.1:{hub_port}/hub/api"
        self.token = secrets.token_hex(16)  # the culler's
        for name in ("homes", "runtime"):
            (folder / name).mkdir()
        text = CONFIG.format(
            config=str(ROOT / "classroom" / "jupyterhub_config.py"),
            port=port,
            hub_port=hub_port,
            proxy_port=proxy_port,
            password=PASSWORD,
            names=set(names),
            homes=str(folder / "homes"),
            culler=self.token,
        )
        (folder / "jupyterhub_config.py").write_text(text)
        self.notebooks = _as_repository(ROOT / "notebooks", folder / "origin")

    def start(self) -> None:
        """Start the hub and its proxy; return when it answers."""
        self.log = self.folder / "log.txt"
        node = {"NODE_PATH": "/usr/share/nodejs"}  # where Debian keeps the proxy's parts, if node is not Debian's own
        environment = os.environ | node | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        with self.log.open("a") as out:
            command = [sys.executable, "-m", "jupyterhub", "-f", str(self.folder / "jupyterhub_config.py")]
            self.process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=out, stderr=out)
        wait_for(lambda: self.answers() or self.process.poll() is not None, 60)
        if not self.answers():
            raise RuntimeError(f"JupyterHub did not start:\n{self.log.read_text()}")

    def answers(self) -> bool:
        """Say whether the page for signing in is there."""
        with contextlib.suppress(requests.ConnectionError):
            return requests.get(f"{self.url}/hub/login", timeout=5).ok
        return False

    def stop(self) -> None:
        """Stop the hub; the students' servers run on, as the class's settings have it."""
        self.process.terminate()
        self.process.wait(30)

    def processes(self) -> list[int]:
        """Return the numbers of the hub's process and its proxy's."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        proxy = [
            int(pid) for pid in children if b"configurable-http-proxy" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]
        return [self.process.pid, *proxy]

    def cull(self, idle: int) -> subprocess.Popen[bytes]:
        """Start the culler over this hub, for servers that have been idle for so many seconds."""
        command = [sys.executable, "-m", "jupyterhub_idle_culler", f"--timeout={idle}", "--cull-every=1"]
        environment = os.environ | {"JUPYTERHUB_API_TOKEN": self.token}
        with self.log.open("a") as out:
            return subprocess.Popen([*command, f"--url={self.api}"], env=environment, stdout=out, stderr=out)


@contextlib.contextmanager
def running_hub(names: Sequence[str]) -> Iterator[Hub]:
    """Yield a running hub for students of these names; afterwards, end it and every server it has started."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        hub = Hub(Path(folder), names)
        try:
            hub.start()
            yield hub
        finally:
            hub.stop()
            for pid in [pid for name in names for pid in processes_of(name)]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


class Student:
    """One who signs in at a hub. Everything raises `Trouble` where a browser would show an error."""

    def __init__(self, hub: str, name: str) -> None:
        self.hub, self.name = hub, name
        self.base = f"{hub}/user/{quote(name)}"
        self.browser = requests.Session()
        self.pages: list[Page] = []

    def __enter__(self) -> "Student":
        return self

    def __exit__(self, *_: object) -> None:
        """Close the browser; server and kernels run on."""
        for page in self.pages:
            page.socket.close()
        self.browser.close()

    def sign_in(self, password: str) -> None:
        """Fill in the form."""
        self._ask("GET", f"{self.hub}/hub/login")
        form = {"username": self.name, "password": password, "_xsrf": self._token("/hub/")}
        self._ask("POST", f"{self.hub}/hub/login", data=form, allow_redirects=False)
        if not self.browser.cookies.get("jupyterhub-hub-login", path="/hub/"):
            raise Trouble("signing in was refused")

    def start(self, patience: float = 180) -> None:
        """Start the server as the button does, and wait until JupyterLab is there."""
        self._ask("GET", f"{self.hub}/hub/spawn")
        self.open(patience)

    def open(self, patience: float = 180) -> None:
        """Wait until the page of JupyterLab is there."""

        def there() -> bool:
            answer = self.browser.get(f"{self.base}/lab", timeout=60)
            if answer.status_code == 500:
                raise Trouble(f"the server did not start: {answer.text}")
            return answer.ok and urlsplit(answer.url).path.startswith(urlsplit(self.base).path)

        if not wait_for(there, patience, every=1):
            raise Trouble(f"no server after {patience} s")

    def fetch(self, repository: str) -> None:
        """Follow the link that brings the notebooks."""
        query = f"repo={quote(repository)}&branch=main&targetpath={FOLDER}"
        steps = self._ask("GET", f"{self.base}/git-pull/api?{query}").text
        if '"phase": "finished"' not in steps:
            raise Trouble(f"the notebooks were not fetched: {steps[-500:]}")

    def open_notebook(self, name: str) -> "Page":
        """Open a notebook with a kernel of its own."""
        path = f"{FOLDER}/notebooks/{name}"
        notebook = self.ask("GET", f"api/contents/{path}?content=1").json()["content"]
        wanted = {"path": path, "name": name, "type": "notebook", "kernel": {"name": "python3"}}
        session = self.ask("POST", "api/sessions", json=wanted).json()
        cells = [cell for cell in nbformat.from_dict(notebook).cells if cell.cell_type == "code"]
        self.pages.append(Page(self, session["kernel"]["id"], cells))
        return self.pages[-1]

    def stop(self) -> None:
        """Stop the server, as the hub's page does."""
        answer = self.browser.delete(
            f"{self.hub}/hub/api/users/{quote(self.name)}/server",
            headers={"X-XSRFToken": self._token("/hub/"), "Referer": f"{self.hub}/hub/home"},
            timeout=60,
        )
        if not answer.ok:
            raise Trouble(f"the server was not stopped: {answer.status_code}")

    def ask(self, how: str, what: str, **more: Any) -> requests.Response:
        """Ask the student's own server."""
        headers = {"X-XSRFToken": self._token(urlsplit(self.base).path + "/"), "Referer": f"{self.base}/lab"}
        return self._ask(how, f"{self.base}/{what}", headers=headers, **more)

    def _ask(self, how: str, url: str, **more: Any) -> requests.Response:
        answer = self.browser.request(how, url, timeout=120, **more)
        if not answer.ok:
            raise Trouble(f"{how} {url}: {answer.status_code} {answer.text[:300]}")
        return answer

    def _token(self, path: str) -> str:
        return self.browser.cookies.get("_xsrf", path=path) or ""


class Page:
    """An open notebook: its code cells, and the socket to its kernel."""

    def __init__(self, student: Student, kernel: str, cells: list[Any]) -> None:
        self.cells, self.kernel, self.session = cells, kernel, uuid.uuid4().hex
        self.panels: dict[str, Any] = {}  # by the comm's id: the specification of an explorer
        self.pictures: list[float] = []  # when each arrived
        self._waiting: dict[str, float] = {}  # by the number of a question: when the control was moved
        self.took: list[float] = []  # seconds from a moved control to its picture
        address = f"{student.base}/api/kernels/{kernel}/channels?session_id={self.session}"
        cookies = "; ".join(
            f"{one.name}={one.value}"
            for one in student.browser.cookies
            if urlsplit(student.base).path.startswith(one.path.rstrip("/"))
        )
        self.socket = websocket.create_connection(
            address.replace("http", "ws", 1), cookie=cookies, origin=student.hub, timeout=60, suppress_origin=False
        )

    def run(self, patience: float = 180) -> None:
        """Run all cells, one after the other; each picture that appears asks for itself, as on a page."""
        for cell in self.cells:
            self.execute(cell.source, cell.get("id", ""), patience)

    def execute(self, code: str, cell: str = "", patience: float = 180) -> str:
        """Run code and return what it prints."""
        content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": True}
        asked = self._say("shell", "execute_request", content, {"cellId": cell, "deletedCells": []})
        printed, replied, idle, end = "", False, False, time.monotonic() + patience
        while not (replied and idle):
            message = self._hear(end)
            about, kind = message["parent_header"].get("msg_id"), message["msg_type"]
            if about == asked and kind == "stream":
                printed += message["content"]["text"]
            elif about == asked and kind == "error":
                raise Trouble(re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(message["content"]["traceback"])))
            elif about == asked and kind in ("display_data", "execute_result"):
                self._shown(message["content"]["data"])
            elif about == asked and kind == "execute_reply":
                if message["content"]["status"] != "ok":
                    raise Trouble(f"a cell failed: {message['content']}")
                replied = True
            elif about == asked and kind == "status":
                idle = message["content"]["execution_state"] == "idle"
        return printed

    def move(self, name: str, moves: int = 60, seconds: float = 2.0) -> int:
        """Move the control that plays of an explorer of this kind, as often in so long; return how many pictures came.

        At most two questions are underway; what is moved meanwhile waits, and a later move takes its place.
        """
        comm, spec = next(item for item in self.panels.items() if item[1].get("name") == name)
        control = next(one for one in spec["controls"] if one["name"] == spec["play"])
        values = control["options"] if control["kind"] == "steps" else range(control["least"], control["greatest"] + 1)
        before, start, moved, newest = len(self.pictures), time.monotonic(), 0, None
        while moved < moves or newest is not None or self._waiting:
            now = time.monotonic()
            while moved < moves and start + moved * seconds / moves <= now:
                at = moved % (2 * len(values) - 2 or 1)
                newest = (values[at if at < len(values) else 2 * len(values) - 2 - at], start + moved * seconds / moves)
                moved += 1
            if newest is not None and len(self._waiting) < UNDERWAY:
                self._question(comm, {"set": {spec["play"]: newest[0]}}, newest[1])
                newest = None
            due = start + moved * seconds / moves if moved < moves else now + 10
            with contextlib.suppress(websocket.WebSocketTimeoutException):
                self._hear(max(due, now + 0.001))
            if time.monotonic() > start + seconds + 60:
                raise Trouble("moved controls were not answered")
        return len(self.pictures) - before

    def wait_for_pictures(self, patience: float = 60) -> None:
        """Wait until every picture that was asked for is there."""
        end = time.monotonic() + patience
        while self._waiting:
            self._hear(end)

    def rest(self, seconds: float) -> None:
        """Do nothing but hear what comes, and answer the server's pings as a browser does."""
        with contextlib.suppress(websocket.WebSocketTimeoutException):
            self._hear(time.monotonic() + seconds)

    def _shown(self, data: dict[str, Any]) -> None:
        view = data.get("application/vnd.jupyter.widget-view+json")
        spec = self.panels.get(view["model_id"]) if view else None
        if view and spec and "question" not in spec:
            self._question(view["model_id"], {"set": {}, "fresh": True}, time.monotonic())

    def _question(self, comm: str, request: dict[str, Any], moved: float) -> None:
        number = uuid.uuid4().hex
        self._waiting[number] = moved
        request |= {"values": self.panels[comm]["start"], "number": number}
        self._say("shell", "comm_msg", {"comm_id": comm, "data": {"method": "custom", "content": request}})

    def _say(self, channel: str, kind: str, content: Any, metadata: Any = None) -> str:
        number = uuid.uuid4().hex
        header = {"msg_id": number, "msg_type": kind, "session": self.session, "username": "", "version": "5.3"}
        message = {"header": header, "parent_header": {}, "metadata": metadata or {}, "content": content}
        self.socket.send(json.dumps({**message, "channel": channel, "buffers": []}))
        return number

    def _hear(self, end: float) -> Any:
        message = json.loads(self._receive(end))
        content = message["content"]
        if message["msg_type"] == "comm_open":
            self.panels[content["comm_id"]] = content["data"].get("state", {}).get("spec", {})
        elif message["msg_type"] == "comm_msg" and content["data"].get("method") == "custom":
            self._answered(content["data"]["content"])
        elif message["msg_type"] == "status" and content["execution_state"] in ("restarting", "dead"):
            raise Trouble("the kernel has died")
        return message

    def _receive(self, end: float) -> bytes:
        while True:  # pings come between the messages, and are answered
            self.socket.settimeout(max(end - time.monotonic(), 0.001))
            kind, data = self.socket.recv_data(control_frame=True)
            if kind == websocket.ABNF.OPCODE_CLOSE:
                raise Trouble("the server has closed the page's connection")
            if kind in (websocket.ABNF.OPCODE_TEXT, websocket.ABNF.OPCODE_BINARY):
                return data

    def _answered(self, answer: dict[str, Any]) -> None:
        moved = self._waiting.pop(answer.get("number", ""), None)
        if moved is None:
            return
        if "moving" not in answer:
            raise Trouble(f"no picture: {answer.get('message')}")
        self.pictures.append(time.monotonic())
        self.took.append(self.pictures[-1] - moved)


def processes_of(name: str) -> dict[int, str]:
    """Return a student's processes on this machine, by their number: "server", "kernel" or "other"."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"JUPYTERHUB_USER={name}".encode() not in (folder / "environ").read_bytes().split(b"\0"):
                continue
            words = (folder / "cmdline").read_bytes()
            kind = "kernel" if b"ipykernel_launcher" in words else "server" if b"singleuser" in words else "other"
            found[int(folder.name)] = kind
    return found


def pss(pid: int) -> float:
    """Return a process's share of the memory, in MiB: what it shares is divided among those that share it."""
    with contextlib.suppress(OSError):
        found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        return int(found[1]) / 1024 if found else 0.0
    return 0.0


def processor_seconds(pid: int) -> float:
    """Return what a process, and the children it has seen end, have had of the processors."""
    with contextlib.suppress(OSError):
        numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, numbers[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def wait_for(there: Callable[[], Any], seconds: float, every: float = 0.2) -> Any:
    """Return what `there` returns once that is something, or None after so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if something := there():
            return something
        time.sleep(every)
    return None


def _free_ports(count: int) -> list[int]:
    """Return ports that nobody listened to a moment ago."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in sockets]


def _as_repository(notebooks: Path, folder: Path) -> str:
    """Put the notebooks into a repository of their own, as they are now, and return its address."""
    shutil.copytree(notebooks, folder / "notebooks", ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    who = ["-c", "user.name=class", "-c", "user.email=class@localhost"]
    for command in (["init", "-q", "-b", "main"], ["add", "."], [*who, "commit", "-q", "-m", "The notebooks"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder.as_uri()
