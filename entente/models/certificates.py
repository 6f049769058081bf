"""Whom a connection trusts: read once for a process, since it takes 20 ms of CPU and a megabyte."""

import os
from functools import lru_cache
from ssl import SSLContext

import httpx2


def trusted() -> SSLContext:
    """Whom all connections trust, the environment's `SSL_CERT_FILE` and `SSL_CERT_DIR` among them."""
    return _read(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@lru_cache(maxsize=1)
def _read(_file: str | None, _folder: str | None) -> SSLContext:
    """As httpx2 reads it from the environment; read anew when that names others."""
    return httpx2.create_ssl_context()
