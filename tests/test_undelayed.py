"""The server that `make lab` starts sends each message at once, and starts even where the class for that has moved."""

import subprocess
import sys
from pathlib import Path

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from traitlets.utils.importstring import import_item

from pe_lib import undelayed

ROOT = Path(__file__).parent.parent
MOVED = "import sys; sys.modules['jupyter_server.services.kernels.connection.channels'] = None; import runpy; "


def test_the_connection_switches_the_delay_off_before_it_connects(monkeypatch):
    done = []
    monkeypatch.setattr(ZMQChannelsWebsocketConnection, "connect", lambda _: done.append("connected") or "future")
    connection = import_item(undelayed.SETTING.split("=")[1])

    class Handler:
        def set_nodelay(self, value):
            done.append(value)

    opened = connection.__new__(connection)
    opened._trait_values["websocket_handler"] = Handler()
    assert opened.connect() == "future"
    assert done == [True, "connected"]


def test_make_lab_asks_for_the_setting_which_is_empty_where_the_class_has_moved():
    assert "-m pe_lib.undelayed" in (ROOT / "Makefile").read_text()
    ask = "runpy.run_module('pe_lib.undelayed', run_name='__main__')"
    printed = [
        subprocess.check_output([sys.executable, "-c", code + ask], text=True) for code in ("import runpy; ", MOVED)
    ]
    assert [line.strip() for line in printed] == [undelayed.SETTING, ""]
