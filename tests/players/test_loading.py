"""What a seat's text names, and programs that are found, made and refused."""

import sys
from collections.abc import Generator
from importlib import invalidate_caches
from pathlib import Path

import pytest

from entente.errors import PlayerError, SettingsError
from entente.players.actions import SubmitOrders
from entente.players.bundle import Bundle
from entente.players.loading import load, seated, what_failed
from entente.players.program import AgentPlayer, SeatHandle
from entente.players.protocol import Player, Reply
from entente.players.seating import Chair, Players, SeatKind, kind_of, spelled
from tests.support.players import Cast
from tests.support.table import make_bundle, new_game

MODULE = """
class Turns:
    async def take_turn(self, bundle):
        return None

class Wakes:
    async def wake(self, handle, events):
        pass

class Neither:
    pass

class Fails:
    def __init__(self):
        raise ValueError("no plan\\nand a second line")
    async def wake(self, handle, events):
        pass

class Wanting(Wakes):
    def __init__(self, depth):
        pass

def makes():
    return Wakes()

def makes_nothing():
    return None

made = Wakes()
number = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """A folder on the search path with a module `some_bots`; what was imported from it is forgotten."""
    (tmp_path / "some_bots.py").write_text(MODULE)
    (tmp_path / "broken_bots.py").write_text("import nothing_of_the_kind\n")
    (tmp_path / "failing_bots.py").write_text("1 / 0\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.endswith("_bots"):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("human", SeatKind.HUMAN),
        ("dumbbot", SeatKind.SCRIPTED),
        ("diplomat(honesty=0.5)", SeatKind.SCRIPTED),
        ("openai:llama3:8b@http://localhost:11434/v1", SeatKind.MODEL),
        ("some_bots:Turns", SeatKind.PROGRAM),
        ("agent:scout", SeatKind.PROGRAM),
        ("mine", SeatKind.PROGRAM),
    ],
)
def test_a_seats_text_says_what_kind_of_player_it_names(text: str, kind: SeatKind) -> None:
    assert kind_of(text) is kind


def test_names_of_ours_are_kept_in_small_letters_and_others_as_they_came() -> None:
    assert [spelled(text) for text in (" Human", "DumbBot ", "Diplomat(Honesty=1)")] == [
        "human",
        "dumbbot",
        "diplomat(honesty=1)",
    ]
    assert [spelled(text) for text in ("Mine", " some_bots:Turns ")] == ["Mine", "some_bots:Turns"]


@pytest.mark.parametrize("name", ["Wakes", "makes", "made", "Turns"])
def test_a_program_is_a_class_a_function_or_an_object_of_a_module(folder: Path, name: str) -> None:
    player = load(f"some_bots:{name}")
    assert isinstance(player, AgentPlayer) is (name != "Turns")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("no_bots:Turns", "no module no_bots is installed or in the working directory"),
        ("opneai:gpt-5-mini", "neither MODULE:CLASS nor a model whose provider is one of openai"),
        ("opneai:gpt5", "no module opneai .* whose provider is one of openai"),
        ("some_bots.deeper:Turns", "its import failed|no module some_bots.deeper"),
        (
            "broken_bots:Turns",
            "its import failed: ModuleNotFoundError: No module named 'nothing_of_the_kind'",
        ),
        ("failing_bots:Turns", r"ZeroDivisionError: division by zero \(failing_bots.py, line 1\)"),
        ("some_bots:Turn", r"the module some_bots \(.*some_bots.py\) has no Turn"),
        ("some_bots:Neither", "the class Neither has neither take_turn"),
        ("some_bots:makes_nothing", "a NoneType has neither"),
        ("some_bots:number", "a int has neither"),
        ("some_bots:Fails", r"could not be made: ValueError: no plan \(some_bots.py, line 15\)"),
        ("some_bots:Wanting", "could not be made: TypeError: .*depth"),
        ("some_bots:", "neither MODULE:CLASS"),
        (":Turns", "neither MODULE:CLASS"),
        ("subprocess:run('true')", "neither MODULE:CLASS"),
        ("diplomant", "did you mean diplomat"),
        ("mine", "has to be given again"),
    ],
)
def test_what_cannot_be_seated_is_refused_in_one_sentence(folder: Path, name: str, why: str) -> None:
    with pytest.raises(SettingsError, match=why) as caught:
        load(name)
    assert "\n" not in str(caught.value)
    assert "no player was made" in str(caught.value)


def test_an_installed_name_is_found_among_entry_points(folder: Path) -> None:
    described = folder / "some_bots-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: some-bots\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(
        "[entente.players]\nscout = some_bots:Wakes\nlost = some_bots:Lost\n"
    )
    invalidate_caches()
    assert isinstance(load("scout"), AgentPlayer)
    with pytest.raises(SettingsError, match="'lost', and its import failed: AttributeError"):
        load("lost")
    with pytest.raises(SettingsError, match=r"did you mean scout\?"):
        load("scoot")


class Scout:
    async def wake(self, handle: SeatHandle, events: object, /) -> None:
        pass


def at(power: str, player: str, game: str = "g") -> Chair:
    return Chair(power, player, game)


def agent_of(player: Player) -> object:
    assert isinstance(player, AgentPlayer)
    return player.agent


def test_players_of_your_own_stand_over_all_others() -> None:
    mine, cast = Scout(), Cast()
    players = Players({"mine": mine, "fresh": Scout}, cast)
    assert agent_of(players(at("FRANCE", "mine"))) is mine
    assert players(at("ITALY", "dumbbot")) is not None
    with pytest.raises(SettingsError, match="'other' came"):
        players(at("ITALY", "other"))
    twice = [agent_of(players(at("FRANCE", "fresh"))) for _ in range(2)]
    assert twice[0] is twice[1]
    others = {id(agent_of(players(chair))) for chair in (at("ITALY", "fresh"), at("FRANCE", "fresh", "h"))}
    assert len(others | {id(twice[0])}) == 3


def test_a_program_that_is_only_checked_is_not_kept() -> None:
    made: list[Scout] = []

    def make() -> Scout:
        made.append(Scout())
        return made[-1]

    players = Players({"fresh": make}, Cast())
    players(at("FRANCE", "fresh", game=""))
    assert agent_of(players(at("FRANCE", "fresh"))) is made[1]


@pytest.mark.parametrize("name", ["human", "dumbbot", "openai:gpt-5-mini", " mine"])
def test_a_name_of_ours_cannot_be_given_to_a_player_of_your_own(name: str) -> None:
    with pytest.raises(SettingsError, match="nobody was seated"):
        Players({name: Scout()}, Cast())


class Returns:
    """Takes turns that return anything."""

    def __init__(self, reply: object) -> None:
        self.reply = reply

    async def take_turn(self, bundle: Bundle, /) -> object:
        return self.reply


async def test_what_a_program_returns_is_checked() -> None:
    bundle = make_bundle(new_game().board, "FRANCE")
    orders = SubmitOrders(orders=("A PAR H",))
    assert (await seated("x", Returns(Reply([orders]))).take_turn(bundle)).actions == (orders,)
    with pytest.raises(PlayerError, match="take_turn returned NoneType where a Reply was wanted"):
        await seated("x", Returns(None)).take_turn(bundle)
    for nonsense in (Reply(["A PAR H"]), Reply(7)):  # pyright: ignore[reportArgumentType] - that is the point
        with pytest.raises(PlayerError, match="something else than actions"):
            await seated("x", Returns(nonsense)).take_turn(bundle)


def test_a_failure_is_told_in_one_short_line_of_printable_letters() -> None:
    told = what_failed(ValueError("bad\x1b[31m thing\nFRANCE plans A PAR - BUR"))
    assert told == "ValueError: bad [31m thing."
    assert len(what_failed(ValueError("x" * 10_000))) < 300
