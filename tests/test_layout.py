"""The project hangs together: packages, links, pins, and nothing in it that names a machine or an index."""

import importlib
import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("graph", "nodes", "prompts", "checkpoints", "entente")
SHIPPED = {*PACKAGES, "entente_verifiers"}
"""The last is imported by verifiers alone, which the development environment does not have."""
_LINK = re.compile(r"\[[^\]]+\]\(([^)#\s]+)(?:#[^)]*)?\)")
_CODE = re.compile(r"`([\w./-]+)`")
_ENDINGS = (".py", ".js", ".md", ".toml")


def documents() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def tracked() -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("name", PACKAGES)
def test_each_root_package_is_this_repositorys_own(name: str) -> None:
    found = importlib.import_module(name).__file__
    assert found is not None
    assert Path(found).is_relative_to(ROOT)


def test_every_root_package_is_in_the_wheel_and_in_the_layers() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == SHIPPED
    assert set(project["tool"]["importlinter"]["root_packages"]) == SHIPPED
    assert "Private :: Do Not Upload" in project["project"]["classifiers"]


@pytest.mark.parametrize("name", ["graph", "nodes"])
def test_packages_that_would_run_in_a_circle_import_nothing(name: str) -> None:
    code = f"import sys, {name}; print([m for m in sys.modules if m.startswith(('graph.', 'nodes.', 'entente'))])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_modules_import_each_other_in_a_circle() -> None:
    house = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: house.find_modules_directly_imported_by(module) for module in house.modules}
    assert list(TopologicalSorter(imports).static_order())


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    targets = [link for link in _LINK.findall(document.read_text()) if "://" not in link]
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_every_module_that_the_architecture_names_is_there() -> None:
    folder, missing = ROOT, list[str]()
    names = _CODE.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    for name in (name for name in names if "/" in name or name.endswith(_ENDINGS)):
        path = ROOT / name
        if "/" in name:
            folder = path if path.is_dir() else path.parent
        elif not path.exists():
            path = folder / name  # of the folder that was named last
        if not path.exists():
            missing.append(name)
    assert missing == []


@pytest.mark.parametrize("name", ["json_lines_bot.py", "websocket_bot.py", "mcp_bot.py"])
def test_a_whole_program_for_a_seat_has_forty_lines_at_the_most(name: str) -> None:
    assert len((ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()) <= 40


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = (folder / "README.md").read_text()
    assert [note.name for note in folder.glob("0*.md") if note.name not in listed] == []


def test_constraints_pin_versions_and_name_no_index() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!-]+", line)] == []


def test_no_tracked_text_names_a_home_folder_or_an_index() -> None:
    # Put together here, so that this file does not find itself.
    forbidden = re.compile(
        "|".join(("/ro" + "ot/", "/ho" + r"me/\w", "pypi" + r"\.org", "python" + "hosted"))
    )
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        assert forbidden.search(text) is None, path
