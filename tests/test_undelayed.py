"""The server that `make lab` starts sends each message at once; the tests and benchmarks start it in the same way."""

import re
from pathlib import Path

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from traitlets.utils.importstring import import_item

ROOT = Path(__file__).parent.parent
GIVEN = re.compile(r"--ServerApp\.kernel_websocket_connection_class=([\w.]+)")


def test_the_connection_switches_the_delay_off_before_it_connects(monkeypatch):
    done = []
    monkeypatch.setattr(ZMQChannelsWebsocketConnection, "connect", lambda _: done.append("connected") or "future")
    given = {GIVEN.search((ROOT / name).read_text())[1] for name in ("Makefile", "tools/lab.py")}
    assert len(given) == 1
    connection = import_item(given.pop())

    class Handler:
        def set_nodelay(self, value):
            done.append(value)

    opened = connection.__new__(connection)
    opened._trait_values["websocket_handler"] = Handler()
    assert opened.connect() == "future"
    assert done == [True, "connected"]
