"""A floor is one class and one line: here is another one, and nothing else in the house names any."""

import ast
from pathlib import Path

import pytest

from checkpoints.store import Store
from entente.errors import SettingsError
from entente.floors.rounds import RoundsFloor
from entente.games.runner import GameMaster, RunEnd
from graph.context import FLOORS, FloorEntry, GameSettings, parse_settings
from graph.state import GameState, board_of
from tests.support.players import Cast

ROOT = Path(__file__).parents[2]


class SilentFloor(RoundsFloor):
    """Nobody talks until the third year; from then on there is a round before each movement phase."""

    def is_open(self, state: GameState) -> bool:
        """True for the round of a movement phase, from the third year on."""
        return super().is_open(state) and board_of(state).phase.year >= 1903


async def test_a_new_floor_is_one_class_and_one_line(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FLOORS, "silent", FloorEntry(f"{__name__}:{SilentFloor.__name__}", {"rounds"}))
    cast = Cast()
    master = GameMaster(memory_store, cast)
    settings = parse_settings({"everyone": "diplomat", "floor": "silent", "rounds": 1, "max_year": 1903})
    standing = await master.run(await master.begin(settings))
    assert standing.end is RunEnd.FINISHED
    talked = [str(bundle.board.phase) for bundle in cast.seen if not bundle.wants_orders]
    assert sorted(set(talked)) == ["F1903M", "S1903M"]


def test_an_unknown_floor_is_refused_with_the_floors_there_are() -> None:
    with pytest.raises(
        SettingsError, match=r"floor cannot be 'disco'; it takes rounds, conductor or gunboat"
    ):
        parse_settings({"floor": "disco"})


@pytest.mark.parametrize(
    ("floor", "setting", "value"),
    [
        ("gunboat", "rounds", 2),
        ("gunboat", "drafts", True),
        ("conductor", "until_silent", True),
        ("rounds", "max_wakes", 3),
        ("rounds", "deadline_seconds", 60),
        ("gunboat", "wake", "every-event"),
    ],
)
async def test_a_setting_that_has_no_effect_on_its_floor_is_refused(
    memory_store: Store, floor: str, setting: str, value: object
) -> None:
    settings = GameSettings.model_validate({"floor": floor, setting: value})
    with pytest.raises(SettingsError, match=f"The setting {setting} has no effect on the floor {floor}"):
        await GameMaster(memory_store).begin(settings)
    assert await memory_store.library.games() == []


def modules() -> list[Path]:
    folders = [ROOT / name for name in ("graph", "nodes", "checkpoints", "prompts", "entente")]
    found = [path for folder in folders for path in folder.rglob("*.py")]
    return [path for path in found if (ROOT / "entente" / "floors") not in path.parents]


@pytest.mark.parametrize("module", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_outside_the_floors_asks_which_floor_it_is(module: Path) -> None:
    """Nothing compares a floor's name, and nothing is named after a floor but its command and its setting."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Compare | ast.Match):
            texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
            assert not set(FLOORS) & {text for text in texts if isinstance(text, str)}, ast.unparse(node)
        if isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            assert "conducted" not in name, ast.unparse(node)
            assert "gunboat" not in name.lower(), ast.unparse(node)
