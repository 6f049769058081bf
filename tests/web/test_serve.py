"""`entente serve`: the page's server as a command."""

import importlib.util
import signal
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.support.patience import PATIENCE
from tests.support.terminal import entente, start


@pytest.mark.parametrize("missing", ["fastapi", "sse_starlette"])
def test_without_the_extra_it_says_what_to_install(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = {"fastapi": True, "sse_starlette": True, missing: None}
    monkeypatch.setattr(importlib.util, "find_spec", installed.get)
    ran = entente("serve")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "pip install 'entente[web]'. Nothing was started." in ran.err


def test_its_link_opens_the_page_until_sigterm_ends_it_with_0(tmp_path: Path) -> None:
    with start("serve", "--port", "0", "--store", str(tmp_path / "store")) as server, ExitStack() as after:
        after.callback(server.kill)
        address, _, token = server.stdout.readline().strip().partition("#")
        with httpx.Client(timeout=PATIENCE, verify=False) as client:
            assert "<title>entente</title>" in client.get(address).text
            assert client.post(f"{address}/enter", json={"token": token}).status_code == 204
            assert client.get(f"{address}/me").json()["role"] == "OPERATOR"
        server.send_signal(signal.SIGTERM)
        out, err = server.communicate(timeout=PATIENCE)
    assert (server.returncode, out) == (0, "")
    assert token not in err
    assert "Open this link in a browser on this machine" in err
    assert "entente links add GAME" in err
    assert "Traceback" not in err
