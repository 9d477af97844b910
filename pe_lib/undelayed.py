"""Let a Jupyter server send each message to the browser at once, as small as it is; `make lab` starts JupyterLab so.

`python -m pe_lib.undelayed` prints the setting for it, or nothing where the class it builds on has moved: JupyterLab
then starts as it is.

By default the system holds a small message back until the one before it has been confirmed (Nagle's algorithm), which
the other side may put off by some 40 milliseconds. A moved slider means several small messages one after the other.
"""

import contextlib
from typing import Any

Base: Any = object
with contextlib.suppress(ImportError):  # another version of the server keeps it elsewhere
    from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection as Base

SETTING = "--ServerApp.kernel_websocket_connection_class=pe_lib.undelayed.UndelayedConnection"


class UndelayedConnection(Base):  # type: ignore[misc]
    """The connection between a kernel and a browser, with nothing held back.

    Nagle (1984), RFC 896; Braden (1989), RFC 1122, sections 4.2.3.2 (delayed confirmations) and 4.2.3.4 (Nagle).
    """

    def connect(self) -> Any:
        """Connect to the kernel as usual, and switch Nagle's algorithm off."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


if __name__ == "__main__":
    print("" if Base is object else SETTING)
