"""A server in a thread of its own that takes whatever comes, and remembers it."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class Catcher:
    """What has come to the address: method, path, headers and body of each request in one text."""

    address: str = ""
    asked: list[str] = field(default_factory=list[str])


@contextmanager
def catcher() -> Generator[Catcher]:
    """The server, on a free port of the loopback; it answers everything with an empty object."""
    caught = Catcher()

    class Handler(BaseHTTPRequestHandler):
        def _take(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            caught.asked.append(
                f"{self.command} {self.path}\n{self.headers}\n{body.decode(errors='replace')}"
            )
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        do_GET = do_POST = do_PATCH = _take  # noqa: N815 - the base class looks for these names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        caught.address = f"http://127.0.0.1:{server.server_address[1]}"
        serving = Thread(target=server.serve_forever, daemon=True)
        serving.start()
        yield caught
        server.shutdown()
        serving.join()
