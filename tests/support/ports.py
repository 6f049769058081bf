"""Ports that are chosen before anybody listens on them."""

import socket
from random import SystemRandom

_CHOSEN = range(20_000, 32_000)
"""Below those that Linux gives to sockets by itself: no other test can be given one of them meanwhile."""


def free_port() -> int:
    """A port of this machine that nobody listens on, and that nobody is given who asks for any."""
    while True:
        port = SystemRandom().choice(_CHOSEN)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
