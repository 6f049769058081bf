"""No way to look at a game is forgotten by the leak tests: the program itself says which commands, servers, routes,
streams and tools there are, and each is either tried with canaries or stands here with the reason why it need not be.
"""

# LangGraph leaves a type parameter of its own methods open.
# pyright: reportUnknownMemberType=false

import ast
import asyncio
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast, get_args
from zipfile import ZipFile

import pytest
import typer
from langgraph.types import StreamMode
from pydantic import JsonValue
from typer.core import TyperGroup

import graph
from checkpoints.drafts import SeatDraft
from checkpoints.early import EarlyAnswer
from checkpoints.store import Store, open_store
from entente.cli import players
from entente.cli.main import app
from entente.cli.train import FORMATS
from entente.cli.watch_frame import plain_lines
from entente.cli.watch_work import Watch
from entente.floors.services import services_over
from entente.games.crew_server import crew_factory
from entente.games.drafts import keep_draft
from entente.games.feeds import Feeds
from entente.games.runner import GameMaster, Standing, thread_config
from entente.games.server_door import http_app
from entente.models.mock.plan import Plan
from entente.models.mock.server import MockModel
from entente.players.model.player import ModelPlayer
from entente.players.model.tools import tools_of
from entente.players.seating import PlayerFactory
from entente.press.mailbox import Delayed, Reader
from entente.training.atropos import payload_of
from entente.training.groups import grouped
from entente.training.policy import DiplomacyPolicyHandler, ScriptedPolicy
from entente.training.record_check import read_records
from entente.training.token_rows import LocalTokenizer
from entente.web.app import page_app
from entente.web.house import House
from graph.context import GameSettings
from graph.game import compile_game
from tests.support.canaries import (
    CANARY,
    EARLY,
    MODELS,
    OF_FLOOR,
    POWERS,
    READERS,
    Listener,
    a_cast,
    adjudicated,
    foreign,
    found,
    records,
    secret_lines,
    send_early,
)
from tests.support.terminal import apart, entente, games_in
from tests.training.policies import make_tokenizer, telling_server

pq: Any = import_module("pyarrow.parquet")  # it has no types

ROOT = Path(graph.__file__).parent.parent
PACKAGES = ("entente", "graph", "nodes", "checkpoints", "prompts", "entente_verifiers", "examples")

PLAYED_BY = {
    "rounds": "play --floor rounds --rounds 2 --drafts --crew",
    "conductor": "conductor --max-wakes 3 --debounce-ms 0 --crew scripted",
}
"""The command that begins the game of each floor, and plays it until a person is asked."""
TURN = "turn {game} FRANCE"
ASK = "ask {game}"
OF_A_READER = ("log {game}", "log {game} --json", "press {game}", "press {game} --json")
"""What one reader may see, with `--power` and with `--delay`; `--follow` has a test of its own."""
WATCH = "watch {game}"
"""The same of one phase; the others are looked at as its keys would."""
OF_THE_OPERATOR = ("log {game} --raw --operator", "log {game} --raw --json --operator")
"""What models wrote, word for word: everybody's. With any other reader it is refused, and while a person plays without
one."""
OF_A_SEAT = (
    "bundle {game}",
    "bundle {game} --json",
    "prompts show {game}",
    "prompts show {game} --json",
    "train export {game} --seat",
)
"""What the operator is shown of one seat: all that is its own, and nothing of another's."""
EXPORT = "train export {game} --seat {power} --trainable {power} --format {form} --out {out}"
"""The same of an episode that is over, whose calls are rows; each form has a test below."""
OF_MODELS = ("train export {game} --seat",)
"""Those of them that show a language model's calls, of which a person has none."""
OF_ANYBODY = (
    "resume {game}",
    "board {game}",
    "board {game} --json",
    "board {game} --svg",
    "board {game} --out {folder}/board.svg",
    "board {game} --open",
    "board {game} --at S1901M",
    "usage {game}",
    "usage {game} --json",
    "links add {game}",
    "links list",
    "games list",
    "games list --json",
    "games show {game}",
    "games show {game} --json",
    "games show {game} --yaml",
    "games copy {game}",
    "games export {game} {folder}/game.entente",
    "games export {game} --langgraph {folder}/game.sqlite",
    "games import {folder}/game.entente --store {folder}/other",
    "tell {game}",
    "tell {game} --json",
    "fork {game} --at S1901M",
    "away {game} FRANCE",
    "back {game} FRANCE",
    "games rename {game} Tuesday",
    "games note {game} unfinished",
    "games prune {game}",
    "selfcheck {store}",
    "repair {store}",
    "games delete {game}",
)
"""What has no reader, and so must show nothing that is anybody's own; in this order."""
SHOWS_NO_GAME = {
    "serve": "starts a server, whose routes and streams tests/web/test_leaks.py tries; it prints a link",
    "links revoke": "prints the id of a link",
    "mcp": "serves the tools of one seat; tests/e2e/test_mcp.py tries them with canaries",
    "studio": "starts a server, whose routes and streams are listed below; it prints its address",
    "create-leader": "asks the person at the terminal, and writes what it answers; it opens no store",
    "mock-model": "serves scripted replies; it prints its address, and knows no store",
    "models check": "asks a provider questions of its own; it opens no store",
    "prompts compare": "plays games of its own; it prints what a run of them shows, and means of counts",
    "arena run": "plays games of its own; it prints how each ended, and counts of all seats' results and calls",
    "train check": "reads a file, and prints counts or where it is no record",
    "train run": "plays games of its own; it prints how each ended, and writes what `train export` writes",
    "train branch": "plays games of its own; it prints how each ended, and writes what `train export` writes",
    "train push": "reads a file and prints counts; tests/training/test_atropos.py reads what it sends",
    "train serve-policy": "answers the prompts that it is sent; it knows no store",
    "bots try": "plays games of its own, kept nowhere, and counts results and the tried program's failures",
}
"""Commands that are not run here, each with the reason."""

SERVERS: dict[str, Any] = {
    "entente/web/app.py": page_app(cast("House", None)),  # asked for its routes alone
    "entente/games/server_door.py": http_app,
    "entente/models/mock/server.py": MockModel(Plan()).application(),
    "entente/training/policy.py": DiplomacyPolicyHandler(ScriptedPolicy()).application(),
}
"""Every file that makes an application for a server, and its application."""
LISTENS = {"entente/loopback.py"}
"""Every file that listens for what comes from elsewhere: applications are served there and nowhere else."""
ROUTES = {
    "/": "says where links come from",
    "/at/{link}/mcp": "serves the tools of one seat; tests/web/test_programs.py tries them with canaries",
    "/static": "is the page without a game",
    "/openapi.json": "describes the page's routes",
    "/v1/chat/completions": "replies to the prompt in the request",
    "/v1/completions": "replies to the prompt in the request",
    "/v1/models": "names scripted models",
    "/requests": "shows whoever runs the scripted model what it was asked; to programs of this machine alone",
}
"""Our routes, and what each shows. LangGraph's own, beneath Studio, are the operator's: docs/studio.md. The page's own,
below `/at/{link}`, are listed and tried in tests/web/test_leaks.py."""
LOG_LINES = {
    "checkpoints/lease.py: A heartbeat failed and will be tried again: %s": "a store's failure",
    "checkpoints/write_lock.py: The store at … is locked by …; a write waits for it, … s at most.": "who has the lock",
    "entente/arena/playing.py: %s It is waited for.": "a game's id and a process",
    "entente/arena/playing.py: The game %s was left": "a defect, with where it is: the operator's",
    "entente/commentary/model_voices.py: The %s's model failed: %s": "a provider's failure, quoted: the operator's",
    "entente/commentary/turn.py: %s: %s\n%s": "a defect's kind and place, and no word of it",
    "entente/connection.py: A request whose head was late was refused with 408": "nothing of a game",
    "entente/floors/setup.py: …": "settings without effect",
    "entente/floors/task.py: A step of … was begun with LangGraph … and goes on with …, which names it otherwise; "
    "the … turns that were kept of it are not asked for again.": "how many were asked in a step: the operator's",
    "entente/games/tellings.py: The crew tells nothing of game %s, which was imported: "
    "nobody has confirmed the model %s": "a model's name",
    "entente/games/tellings.py: The crew tells no more of game %s in this run": "a defect: the operator's",
    "entente/games/tellings.py: The crew tells no more of game %s in this run: %s": "a store's failure",
    "entente/games/waiting.py: The game %s stopped: %s": "who failed, with a provider's words: the operator's",
    "entente/web/door.py: %s %s was refused with %s": "a path in one line, which has ids alone",
    "entente/web/door.py: The WebSocket of %s was ended: too many requests came": "a link's id",
    "entente/errors.py: %s": "a damaged row, or a store that fails: the operator's; who asked is told less",
    "entente/web/host.py: %s failed": "a defect, with where it is: the operator's",
    "entente/web/host.py: The game %s stopped: %s": "who failed, with a provider's words: the operator's",
    "entente/web/stream.py: A stream was ended: %s": "a store's failure, or a damaged row: the operator's",
}
"""Every line that is logged, by its file and its words, and what it tells. What runs is searched for canaries below."""
STREAMS = {"values", "updates", "checkpoints", "tasks", "debug", "messages", "custom"}
"""How a run of the graph can be streamed: all of it the operator's, but for the value of a seat's interrupt."""
PLANTED = {
    "send_message": "to",
    "submit_orders": "order",
    "submit_order": "order",
    "update_memory": "memory",
}
"""The canary that goes in by each tool that takes words."""
ANSWERS = {
    "talk": "ITALY: canary-FRANCE-to-ITALY\n",
    "orders": "A PAR H\n",
    "open": "ITALY: canary-FRANCE-to-ITALY\nA PAR H\nF BRE H\nA MAR H\n",
}
"""What the person answers to each question."""
DRAFTED = "canary-FRANCE-draft"
WORDLESS = {
    "vote_draw": "takes yes or no",
    "finish_negotiation_round": "takes nothing",
    "finish_orders": "takes nothing",
}
"""The other tools, which tell nobody anything in words."""


def commands_of(group: TyperGroup) -> set[str]:
    """All commands of a group, those of the groups in it by both names."""
    return {
        " ".join(filter(None, (name, inner)))
        for name, command in group.commands.items()
        for inner in (commands_of(command) if isinstance(command, TyperGroup) else ("",))
    }


def unlisted(group: TyperGroup) -> set[str]:
    """Commands that no leak test runs and that no table excuses."""
    lines = (*PLAYED_BY.values(), TURN, ASK, WATCH, *OF_A_READER, *OF_THE_OPERATOR, *OF_A_SEAT, *OF_ANYBODY)
    return {
        command
        for command in commands_of(group)
        if command not in SHOWS_NO_GAME and not any(f"{line} ".startswith(f"{command} ") for line in lines)
    }


def our_commands() -> TyperGroup:
    """The program's commands, made anew: a test may add one."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return group


def test_every_command_is_tried_or_shows_no_game() -> None:
    group = our_commands()
    assert unlisted(group) == set()
    assert SHOWS_NO_GAME.keys() <= commands_of(group)
    group.commands.update(dict.fromkeys(("peek", "games peek"), group.commands["log"]))
    assert unlisted(group) == {"peek", "games peek"}


def test_every_server_and_route_is_known() -> None:
    assert files_with(r"\b(?:Starlette|FastAPI|\w*HTTPServer)\(") == SERVERS.keys()
    listening = r"\b(?:(?:start|create)_(?:unix_)?server|\w+\.serve|\w*(?:TCP|UDP|Unix)\w*Server)\("
    assert files_with(listening) == LISTENS
    paths = {getattr(route, "path", "") for app in SERVERS.values() for route in app.routes}
    assert paths - {""} == ROUTES.keys()  # a router that was put in whole has no path of its own
    studio = json.loads((ROOT / "langgraph.json").read_text("utf-8"))
    assert studio["http"]["app"] == "entente.games.server_door:http_app"
    assert studio["graphs"].keys() == {"entente", "crew"}  # whose streams are tried below


def files_with(pattern: str) -> set[str]:
    """Our files in which this occurs."""
    found = re.compile(pattern)
    return {str(path.relative_to(ROOT)) for path in our_sources() if found.search(path.read_text("utf-8"))}


def test_every_line_that_is_logged_is_known() -> None:
    assert {line for path in our_sources() for line in logged_in(path)} == LOG_LINES.keys()


@pytest.mark.parametrize(
    "source",
    [
        "_log.info('secret of %s', power)",
        "self._log.log(logging.DEBUG, 'secret of %s', power)",
        "LOG.warn('secret of %s', power)",
        "logging.getLogger(__name__).warning('secret of %s', power)",
        "audit = logging.getLogger('audit')\naudit.fatal('secret of %s', power)",
        "warnings.warn('secret of %s', stacklevel=2)",
    ],
)
def test_a_line_is_found_whatever_logs_it(source: str) -> None:
    assert logged_by(source) == ["secret of %s"]


def our_sources() -> list[Path]:
    """All files of the program."""
    return [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")]


_LOGS = re.compile(r"(.+)\.(?:debug|info|warning|warn|error|exception|critical|fatal|log)")
_LOGGERS = re.compile(r".*\b_?(?:log|logger|logging|warnings)|.*getLogger\(.*\)", re.IGNORECASE)


def logged_in(path: Path) -> set[str]:
    """The words of each call of a log, with a mark for each value that is put into them."""
    return {f"{path.relative_to(ROOT)}: {words}" for words in logged_by(path.read_text("utf-8"))}


def logged_by(source: str) -> list[str]:
    """The same of a module, whatever its logs are called."""
    nodes = [*ast.walk(ast.parse(source))]
    made = [
        node for node in nodes if isinstance(node, ast.Assign) and "getLogger(" in ast.unparse(node.value)
    ]
    loggers = {ast.unparse(target) for node in made for target in node.targets}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    found = [(call, _LOGS.fullmatch(ast.unparse(call.func))) for call in calls]
    return [
        _words(call.args[call.func.attr == "log"])  # in front of whose words stands how grave they are
        for call, match in found
        if match and isinstance(call.func, ast.Attribute)
        if match[1] in loggers or _LOGGERS.fullmatch(match[1])
    ]


def _words(text: ast.expr) -> str:
    pieces = text.values if isinstance(text, ast.JoinedStr) else [text]
    return "".join(str(piece.value) if isinstance(piece, ast.Constant) else "…" for piece in pieces)


def test_every_tool_of_models_takes_canaries_or_no_words() -> None:
    assert {tool.name for tool in tools_of("rounds")} == PLANTED.keys() | WORDLESS.keys()
    for tool in tools_of("rounds"):
        takes: dict[str, dict[str, Any]] = tool.parameters["properties"]
        is_wordless = all(each.get("type") == "boolean" for each in takes.values())
        assert is_wordless == (tool.name in WORDLESS), tool.name


async def test_a_stream_of_any_mode_hands_a_seat_nothing_of_another(memory_store: Store) -> None:
    assert set(get_args(StreamMode)) == STREAMS
    company = a_cast()
    settings = GameSettings(everyone="openai:secretive", seats={"FRANCE": "human"}, **OF_FLOOR["rounds"])
    game = await GameMaster(memory_store, company).begin(settings)
    played = compile_game(services_over(memory_store, company), memory_store.saver)
    modes: list[StreamMode] = [*get_args(StreamMode)]
    streamed: list[tuple[str, Any]] = [
        cast("tuple[str, Any]", part)
        async for part in played.astream({}, thread_config(game), context=settings, stream_mode=modes)
    ]
    (france,) = [
        question
        for mode, part in streamed
        if mode == "updates" and "__interrupt__" in part
        for question in part["__interrupt__"]
    ]
    assert foreign(json.dumps(france.value), "FRANCE") == []
    told = "".join(str(part) for mode, part in streamed if mode == "custom")
    assert "canary-AUSTRIA-to-ENGLAND" in told


@pytest.mark.parametrize("floor", PLAYED_BY)
async def test_a_stream_of_the_crews_graph_has_no_more_than_its_listener_may_know(
    memory_store: Store, floor: str
) -> None:
    master = GameMaster(memory_store, a_cast())
    settings = GameSettings(
        floor=floor, everyone="openai:secretive", seats={"FRANCE": "human"}, **OF_FLOOR[floor]
    )
    game = await master.begin(settings)
    (france,) = (await master.run(game)).pending
    words: JsonValue = {"messages": [{"to": "ITALY", "text": "canary-FRANCE-to-ITALY"}]}
    standing = await master.answer(game, {france: words})
    secrets = await records(memory_store, standing)

    async def opened() -> Store:
        return memory_store

    modes: list[StreamMode] = [*get_args(StreamMode)]
    heard: set[Reader] = set()
    for reader in READERS:
        talk = thread_config(f"talk of {reader}")
        form = cast("Any", {"game": game, "listener": reader})
        filled_in = SimpleNamespace(context=form)
        server = cast(
            "Any", SimpleNamespace(access_context="threads.create_run", execution_runtime=filled_in)
        )
        asked = cast("Any", {"action": "What do Austria, Italy and France want?"})
        async with crew_factory(opened)(talk, server) as crew:
            played = crew.copy(update={"checkpointer": memory_store.saver})
            parts = [str(part) async for part in played.astream(asked, talk, context=form, stream_mode=modes)]
        streamed = "\n".join(parts)
        assert foreign(streamed, reader) == [], reader
        assert found(secret_lines(secrets, "S1901M", reader), streamed) == set(), reader
        heard |= {reader} if CANARY.search(streamed) else set()
    assert heard == {"FRANCE", "ITALY"}  # of each power's letters the narrator quotes the last


@pytest.mark.parametrize("floor", PLAYED_BY)
def test_no_command_shows_or_logs_what_is_anothers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, floor: str
) -> None:
    """Each as it is run, in the midst of a game's second phase."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(
        logging.INFO, "aiosqlite"
    )  # its debug lines are what `--langgraph` writes, as they must be
    location = str(tmp_path / "store")
    monkeypatch.setenv("ENTENTE_STORE", location)
    monkeypatch.setattr(players, "Seating", a_cast().in_place_of_seating)
    begun = entente(*PLAYED_BY[floor].split(), *["--all", "openai:secretive", "--seat", "FRANCE=human"])
    assert (begun.code, foreign(begun.out + begun.err, "PUBLIC")) == (6, []), begun
    (game,) = games_in(location)
    places = {"game": game, "store": location, "folder": str(tmp_path)}
    while (standing := asyncio.run(stand(location, game))).state["phase"] == "S1901M":
        ran = entente(*run_as(TURN, places), stdin=ANSWERS[standing.pending[0].ask])
        assert (ran.code, foreign(ran.out + ran.err, "FRANCE")) == (6, []), ran
    asyncio.run(draft_in(location, game))
    secrets = asyncio.run(secrets_in(location, game))
    asyncio.run(send_early_in(location, game))
    assert all(len(lines) > 3 for lines in secrets.values())
    for line in OF_A_READER:
        for reader in READERS:
            shown = shown_by(run_as(line, places), "--power", reader)
            assert (foreign(shown, reader), found(secrets[reader], shown)) == ([], set()), line
            assert bool(CANARY.search(shown)) == (reader != "PUBLIC"), line
        unnamed = shown_by(run_as(line, places))  # while one person plays: what its seat may know
        assert (foreign(unnamed, "FRANCE"), found(secrets["FRANCE"], unnamed)) == ([], set()), line
        check_of_the_delayed(shown_by(run_as(line, places), "--delay", "1"))
        assert CANARY.search(shown_by(run_as(line, places), "--delay", "2")) is None
    check_what_is_watched(location, game, places, secrets)
    operators = shown_by(run_as("log {game} --json --operator", places))
    assert EARLY not in operators
    assert found(secrets["PUBLIC"], operators) == secrets["PUBLIC"]
    assert DRAFTED not in operators
    for power in MODELS:
        listener = Listener()
        with monkeypatch.context() as patch:
            patch.setattr(players, "Seating", seats_of(ModelPlayer(listener)))
            shown = shown_by(run_as(ASK, places), power, "Who is your friend?")
        assert len(listener.asked) == 1
        assert foreign(shown + listener.asked[0], power) == []
    for line in OF_THE_OPERATOR:
        shown = shown_by(run_as(line, places))
        assert all(f"canary-{power}-memory" in shown for power in MODELS)
        assert EARLY not in shown
        for reader in (("--power", "ITALY"), ("--power", "PUBLIC"), ("--delay", "1"), ()):
            asked = [word for word in run_as(line, places) if word != "--operator"]
            assert CANARY.search(shown_by(asked, *reader, code=2)) is None
    for line, power in product(OF_A_SEAT, POWERS):
        shown = shown_by(run_as(line, places), power)
        assert (foreign(shown, power), found(secrets[power], shown)) == ([], set()), (line, power)
        assert CANARY.search(shown) or (line in OF_MODELS and power == "FRANCE"), (line, power)
    for line in OF_ANYBODY:
        shown = shown_by(run_as(line, places), code=6 if line.startswith("resume") else 0)
        assert (foreign(shown, "PUBLIC"), found(secrets["PUBLIC"], shown)) == ([], set()), line
        if line.startswith("games export"):
            assert not any(EARLY in text for text in exported(tmp_path)), line
    assert (
        asyncio.run(sent_early_in(location)) == []
    )  # no copy or fork has it, and it was deleted with its game
    logged = "\n".join(record.getMessage() for record in caplog.records)
    assert (foreign(logged, "PUBLIC"), found(secrets["PUBLIC"], logged)) == ([], set())


async def episodes_in(location: str, folder: Path, tokenizer: LocalTokenizer) -> None:
    """Play a group of episodes of secretive seats, and continuations of a moment, as their commands do."""
    settings = {
        "game_settings": {
            "max_turns": 1,
            "rounds": 2,
            "powers": [{"name": power, "model": "policy-v1"} for power in POWERS],
        },
        "training": {"episodes_per_batch": 2, "group_size": 2, "replay_dir": str(folder / "replays")},
    }
    training = folder / "training.json"
    async with telling_server(tokenizer, has_secrets=True) as url:
        training.write_text(json.dumps({**settings, "server_config": {"url": url, "timeout": 60}}))
        for command in ("run", "branch"):
            which = ("episode-0-0", "--at", "F1901M") if command == "branch" else ()
            out = ("--out", str(folder / f"{command}.jsonl"), "--store", location)
            ran = await asyncio.to_thread(apart, "train", command, str(training), *which, *out)
            assert (ran.code, ran.out) == (0, "2 of 2 episodes are over.\n"), ran
            assert ran.err.count(" is over.\n") == 2
            assert CANARY.search(ran.out + ran.err) is None


def told_in(path: Path, tokenizer: LocalTokenizer) -> str:
    """All that an export says, its tokens as the words that they stand for."""
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    else:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    words = [tokenizer.text(row["input_ids"]) for row in rows if "input_ids" in row]
    return "\n".join([*map(json.dumps, rows), *words])


def test_no_export_of_episodes_has_a_word_that_is_private_to_another(tmp_path: Path) -> None:
    location, tokenizer = str(tmp_path / "store"), make_tokenizer(tmp_path / "tokenizer")
    asyncio.run(episodes_in(location, tmp_path, tokenizer))
    for game, power, form in product(("episode-0-0", "episode-0-0-f1901m-0"), POWERS, FORMATS):
        # The same rows: one seat's show that nothing is added to them.
        suffixes = ("jsonl", "parquet") if power == "FRANCE" and form != "record" else ("jsonl",)
        for suffix in suffixes:
            out = tmp_path / f"{game}-{power}-{form}.{suffix}"
            line = run_as(EXPORT, {"game": game, "power": power, "form": form, "out": str(out)})
            ran = entente(*line, "--store", location)
            assert ran.code == 0, ran
            assert CANARY.search(ran.out + ran.err) is None
            told = told_in(out, tokenizer)
            assert foreign(told, power) == [], (game, power, form, suffix)
            assert f"canary-{power}-memory" in told, (game, power, form, suffix)
    for command in ("run", "branch"):
        records = read_records((tmp_path / f"{command}.jsonl").read_text("utf-8").splitlines(), command)
        groups = grouped(records, 2, {}).groups
        assert {group.seat for group in groups} == {*POWERS}
        for group in groups:
            told = "\n".join(tokenizer.text(member.tokens.ids) for member in group.members)
            assert foreign(told + json.dumps(payload_of(group)), group.seat) == []


async def send_early_in(location: str, game: str) -> None:
    """FRANCE sends something early in the phase in play."""
    async with open_store(location) as store:
        await send_early(store, game, "F1901M")


async def sent_early_in(location: str) -> list[EarlyAnswer]:
    """What anybody has sent early in any game of the store."""
    async with open_store(location) as store:
        return [early for game in await store.library.games() for early in await store.early.waiting(game.id)]


def exported(folder: Path) -> list[str]:
    """All that the exported files have."""
    texts = [str(path.read_bytes()) for path in folder.glob("game.sqlite*")]
    with ZipFile(folder / "game.entente") as file:
        return texts + [str(file.read(name)) for name in file.namelist()]


def seats_of(player: ModelPlayer) -> Callable[..., PlayerFactory]:
    """The player in every seat, where the command line would make a Seating."""
    return lambda *_given: lambda _chair: player


def run_as(line: str, places: Mapping[str, str]) -> list[str]:
    """A line of the tables as arguments."""
    return [word.format_map(places) for word in line.split()]


def shown_by(line: Sequence[str], *options: str, code: int = 0) -> str:
    """All that the command printed; it must end with the code."""
    ran = entente(*line, *options)
    assert ran.code == code, (line, ran)
    return ran.out + ran.err


def check_what_is_watched(
    location: str, game: str, places: Mapping[str, str], secrets: Mapping[Reader, set[str]]
) -> None:
    """Each reader is shown nothing of another's in any phase; who names none, what all may know."""
    for reader in READERS:
        shown = asyncio.run(watched(location, game, reader))
        assert (foreign(shown, reader), found(secrets[reader], shown)) == ([], set()), reader
        assert bool(CANARY.search(shown)) == (reader != "PUBLIC"), reader
        shown = shown_by(run_as(WATCH, places), "--power", reader)
        assert (foreign(shown, reader), found(secrets[reader], shown)) == ([], set()), reader
    unnamed = shown_by(run_as(WATCH, places))
    assert (foreign(unnamed, "PUBLIC"), found(secrets["PUBLIC"], unnamed)) == ([], set())
    check_of_the_delayed(asyncio.run(watched(location, game, Delayed(1))))
    assert "openai:secretive" in shown_by(run_as(WATCH, places), "--operator")
    for others in (unnamed, asyncio.run(watched(location, game, "FRANCE"))):
        assert "openai:secretive" not in others


async def watched(location: str, game: str, reader: Reader) -> str:
    """All phases of the game as `watch` shows them."""
    async with open_store(location) as store:
        feeds, shown = Feeds(store), list[str]()
        async with feeds.of(game, reader) as feed:
            watch = Watch(store, feeds, feed)
            for _ in (await feed.ready()).phases:
                watch.step(-1)
            for _ in ("", *(await feed.ready()).phases):
                shown += plain_lines(await watch.frame())
                watch.step(1)
    return "\n".join(shown)


def check_of_the_delayed(shown: str) -> None:
    """The public a phase later: all press of the phase that is over, and nothing private or of the phase in play."""
    assert "canary-AUSTRIA-to-ENGLAND" in shown
    assert {m[0] for m in CANARY.finditer(shown) if m[2] is None} == set()
    assert "F1901M." not in shown


async def stand(location: str, game: str) -> Standing:
    """How the game stands."""
    async with open_store(location) as store:
        return await GameMaster(store).look(game)


async def draft_in(location: str, game: str) -> None:
    """Have France write what it does not send: its own alone, whoever looks."""
    async with open_store(location) as store:
        draft = SeatDraft(messages=(f"ITALY: {DRAFTED}",), orders=(DRAFTED,), begun=DRAFTED)
        await keep_draft(store, game, "FRANCE", "F1901M", draft)


async def secrets_in(location: str, game: str) -> dict[Reader, set[str]]:
    """The orders that each reader may not know yet."""
    async with open_store(location) as store:
        standing = await GameMaster(store).look(game)
        line = await records(store, standing)
        phase = standing.state["phase"]
        return {reader: secret_lines(line, phase, reader) - adjudicated(line) for reader in READERS}
