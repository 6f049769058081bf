"""The development environment's set-up brings a Chromium where it can, and is none the worse where it cannot."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("chromium.sh")
INSTALL = "apt-get install -y -q --no-install-recommends chromium"
TOLD = f"No Chromium on the PATH: the page's tests will be skipped. To have them: {INSTALL}, as root\n"


def program(folder: Path, name: str, body: str) -> None:
    """A program of that name on the PATH; what it is called with is added to the file `called`."""
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "$0 $*" >> {folder}/called\n{body}\n')
    path.chmod(0o755)


def set_up(folder: Path) -> tuple[str, str]:
    shell = shutil.which("sh") or "/bin/sh"
    done = subprocess.run(
        [shell, str(SCRIPT)],
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, done.stderr


def called(folder: Path) -> list[str]:
    file = folder / "called"
    return file.read_text().replace(f"{folder}/", "").splitlines() if file.exists() else []


def test_a_chromium_that_is_there_is_left_alone(tmp_path: Path) -> None:
    program(tmp_path, "chromium", "")
    assert set_up(tmp_path) == ("", "")
    assert called(tmp_path) == []


@pytest.mark.parametrize("user", ["0", "1000"])
def test_without_apt_or_root_the_command_is_told_once(tmp_path: Path, user: str) -> None:
    program(tmp_path, "id", f"echo {user}")
    if user != "0":
        program(tmp_path, "apt-get", "")
    assert set_up(tmp_path) == ("", TOLD)
    assert called(tmp_path) == ["id -u"]


def test_root_installs_it_once_the_packages_are_known(tmp_path: Path) -> None:
    program(tmp_path, "id", "echo 0")
    program(tmp_path, "apt-get", f'[ "$1" = update ] && : > {tmp_path}/known; [ -e {tmp_path}/known ]')
    assert set_up(tmp_path) == (f"Installing Chromium for the tests of the page: {INSTALL}\n", "")
    assert called(tmp_path) == ["id -u", INSTALL, "apt-get update -q", INSTALL]


def test_an_installation_that_fails_does_not_fail_the_set_up(tmp_path: Path) -> None:
    program(tmp_path, "id", "echo 0")
    program(tmp_path, "apt-get", "exit 100")
    assert set_up(tmp_path) == (f"Installing Chromium for the tests of the page: {INSTALL}\n", TOLD)
