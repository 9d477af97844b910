"""Serve the built pages on this machine and open them in the browser, until Ctrl-C."""

import functools
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

OUT = Path(__file__).resolve().parent / "_build"


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(folder: Path, handler: type[Quiet] = Quiet) -> Iterator[str]:
    """Serve a folder to this machine alone, at a free port; yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def main() -> None:
    """Open the pages."""
    with serving(OUT) as address:
        print(f"The pages are at {address}index.html until you press Ctrl-C.", flush=True)
        webbrowser.open(f"{address}index.html")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
