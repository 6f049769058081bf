"""What a user without rights may do, tried in this process."""

import os
from collections.abc import Generator
from contextlib import contextmanager

_NOBODY = 65534


@contextmanager
def as_nobody() -> Generator[None]:
    """Root may write everywhere, so it steps down for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
