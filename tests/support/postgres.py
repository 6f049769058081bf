"""A real Postgres server for tests: pgserver's binaries, started as an ordinary process.

pgserver's own starter is not used: run by root it adds a user to the system and opens up folders.
Here root's server runs as `nobody`.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TypedDict

import psycopg
from psycopg import sql

from tests.support.patience import PATIENCE

_SOCKET = ".s.PGSQL.5432"
# Nothing here outlives a test, so nothing need reach the disk.
_SETTINGS = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "listen_addresses=")


class _RunAs(TypedDict, total=False):
    user: int
    group: int
    extra_groups: list[int]


@dataclass
class Server:
    """A running server on a socket of its own."""

    folder: Path
    _process: subprocess.Popen[bytes]
    _numbers: Iterator[int] = field(default_factory=count)

    def url(self, database: str) -> str:
        """Where a database is."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def new_schema(self) -> str:
        """The URL of an empty schema that nobody else has: made in no time, where a database is seven megabytes."""
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
        return f"{self.url('postgres')}&options=-csearch_path%3D{name}"

    def new_database(self, template: str = "template1") -> str:
        """The URL of a database that nobody else has: an empty one, or a copy of the one of this name."""
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            # Copied as files, it costs two thirds of what it would through the log, which nobody here needs.
            made = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
            connection.execute(made.format(sql.Identifier(name), sql.Identifier(template)))
        return self.url(name)

    def wait_for_socket(self) -> None:
        """Return once it answers."""
        deadline = time.monotonic() + PATIENCE
        while not _answers(self.folder):
            assert self._process.poll() is None, "the Postgres server ended"
            assert time.monotonic() < deadline, "the Postgres server does not answer"
            time.sleep(0.02)

    def stop(self) -> None:
        """End the server at once; what it has not written yet is lost with its folder."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(PATIENCE)


@contextmanager
def postgres_server() -> Generator[Server]:
    """A server with an empty cluster, gone with the block."""
    folder = Path(tempfile.mkdtemp(prefix="entente-pg-"))
    run_as = _hand_over(folder)
    try:
        programs = _programs(folder, run_as)
        _make_cluster(programs, folder, run_as)
        server = Server(folder, _start(programs, folder, run_as))
        try:
            server.wait_for_socket()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def _hand_over(folder: Path) -> _RunAs:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _programs(folder: Path, run_as: _RunAs) -> Path:
    """The folder of Postgres's programs, which `nobody` can only run where it may go: not in root's own folders."""
    spec = find_spec("pgserver")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    installed = Path(spec.submodule_search_locations[0])
    if not run_as:
        return installed / "pginstall" / "bin"
    for part in (installed / "pginstall", installed.parent / "pgserver.libs"):
        if part.is_dir():
            shutil.copytree(part, folder / part.relative_to(installed.parent))
    return folder / "pgserver" / "pginstall" / "bin"


def _make_cluster(programs: Path, folder: Path, run_as: _RunAs) -> None:
    options = ["--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]
    made = subprocess.run(
        [str(programs / "initdb"), "-D", str(folder / "data"), *options],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=folder,
        check=False,
        **run_as,
    )
    assert made.returncode == 0, made.stderr


def _start(programs: Path, folder: Path, run_as: _RunAs) -> subprocess.Popen[bytes]:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    command = [str(programs / "postgres"), "-D", str(folder / "data"), "-k", str(folder), *settings]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=folder, **run_as)


def _answers(folder: Path) -> bool:
    try:
        psycopg.connect(f"postgresql://postgres@/postgres?host={folder}").close()
    except psycopg.OperationalError:
        return False
    return True
