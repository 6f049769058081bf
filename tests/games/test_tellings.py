"""The crew beside a game: it tells each phase once, whatever stops the game, and the game never waits for it."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from langgraph.runtime import RunControl
from pydantic import JsonValue

from checkpoints.store import Store
from entente.cli.tell_work import tell_phase
from entente.commentary.voices import Cue, Fault, Spoken, Voices
from entente.errors import SettingsError
from entente.events import Event, EventKind
from entente.games.digest import journal_digest
from entente.games.feed import events_on_line, follow
from entente.games.line import line_to
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.games.spending import spending_of
from entente.games.tellings import MakeVoices
from entente.models.budget import Budget
from entente.players.protocol import Player
from entente.players.roster import make_player as scripted
from entente.players.seating import Chair
from graph.context import GameSettings, parse_settings
from tests.support.patience import PATIENCE, until
from tests.support.stores import a_call

SETTINGS = GameSettings(everyone="dumbbot", rounds=1, max_year=1901, crew="scripted")
PHASES = ["S1901M", "F1901M", "W1901A"]


@dataclass
class Bard:
    """A narrator that is paid for each phase, and speaks when it may."""

    may_speak: asyncio.Event = field(default_factory=asyncio.Event)
    told: list[str] = field(default_factory=list[str])
    """The phases of which it has spoken."""
    fails_at: Collection[str] = ()
    budgets: list[Budget] = field(default_factory=list[Budget])
    """What it was to be held against at each phase."""

    async def speak(self, cue: Cue) -> AsyncGenerator[Spoken]:
        phase = str(cue.scene.played[-1].before.phase)
        await self.may_speak.wait()
        self.told.append(phase)
        if phase in self.fails_at:
            yield Fault("The narrator has lost its voice.")
            return
        yield a_call()
        yield f"A song of {phase}."

    @asynccontextmanager
    async def opened(self, _crew: str, _values: Mapping[str, JsonValue]) -> AsyncGenerator[MakeVoices]:
        def make(budgets: Sequence[Budget]) -> Voices:
            self.budgets += budgets
            return Voices(narrator=self)

        yield make


def a_bard(*, is_silent: bool = False, fails_at: Collection[str] = ()) -> Bard:
    bard = Bard(fails_at=fails_at)
    if not is_silent:
        bard.may_speak.set()
    return bard


async def told_phases(store: Store, game: str, voice: str = "narrator") -> list[str]:
    return [words.phase for words in await store.words.of(game) if words.voice == voice]


async def test_each_phase_is_told_to_all_once_before_the_game_is_over(store: Store) -> None:
    master = GameMaster(store)
    game = await master.begin(SETTINGS)
    async with asyncio.timeout(PATIENCE):
        following = asyncio.create_task(_followed(store, game))
        standing = await master.run(game)
        followed = await following
    assert standing.end is RunEnd.FINISHED
    for voice in ("keeper", "narrator"):
        assert await told_phases(store, game, voice) == PHASES
        assert [event.phase for event in followed if event.data["voice"] == voice] == PHASES
    line = await line_to(store.journal, game, standing.state)
    assert [
        e for e in await events_on_line(store, game, "PUBLIC", line) if e.kind is EventKind.CREW
    ] == followed
    await master.run(game)
    await master.told(game)
    assert len(await store.words.of(game)) == 2 * len(PHASES)


async def _followed(store: Store, game: str) -> list[Event]:
    return [event async for event in follow(store, game, "PUBLIC") if event.kind is EventKind.CREW]


async def test_a_game_goes_on_while_its_crew_has_not_said_a_word(memory_store: Store) -> None:
    """A voice that never answers until all is played costs no step: the game is played to its last phase before."""
    bard = a_bard(is_silent=True)
    master = GameMaster(memory_store, open_crew=bard.opened)
    game = await master.begin(SETTINGS.model_copy(update={"crew": "openai:bard"}))
    async with asyncio.timeout(PATIENCE):
        run = asyncio.create_task(master.run(game))
        await until(lambda: _is_played(master, game))
        assert bard.told == []
        assert not run.done()
        bard.may_speak.set()
        told = await run
    assert bard.told == PHASES
    silent = GameMaster(memory_store)
    without = await silent.run(await silent.begin(SETTINGS.model_copy(update={"crew": None})))
    digests = [await journal_digest(memory_store.journal, each.game, each.state) for each in (told, without)]
    assert digests[0] == digests[1]


async def _is_played(master: GameMaster, game: str) -> bool:
    return (await master.look(game)).end is RunEnd.FINISHED


async def test_a_phase_is_told_again_in_the_words_that_were_kept(
    memory_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    bard = a_bard()
    master = GameMaster(memory_store, open_crew=bard.opened)
    game = await master.begin(SETTINGS.model_copy(update={"crew": "openai:bard"}))
    await master.run(game)
    await tell_phase(memory_store, game, "F1901M", None, {}, as_json=False)
    assert "Narrator: A song of F1901M." in capsys.readouterr().out
    await tell_phase(memory_store, game, "F1901M", "scripted", {}, as_json=False)
    assert "A song" not in capsys.readouterr().out


async def test_a_person_is_asked_while_the_crew_has_not_said_a_word(memory_store: Store) -> None:
    bard = a_bard(is_silent=True)
    master = GameMaster(memory_store, open_crew=bard.opened)
    crewed = {"crew": "openai:bard", "seats": {"FRANCE": "human"}}
    game = await master.begin(SETTINGS.model_copy(update=crewed))
    standing = await master.run(game)
    while standing.state["phase"] == "S1901M":
        standing = await master.answer(game, {standing.pending[0]: _nothing(standing)})
    assert (standing.end, bard.told) == (RunEnd.WAITING, [])
    bard.may_speak.set()
    await master.told(game)
    assert bard.told == ["S1901M"]


def _nothing(standing: Standing) -> dict[str, JsonValue]:
    return {"messages": []} if standing.pending[0].ask == "talk" else {"orders": []}


async def test_a_game_that_was_paused_is_told_on_and_nothing_told_again(store: Store) -> None:
    bard = a_bard()
    master, control = GameMaster(store, open_crew=bard.opened), RunControl()
    game = await master.begin(SETTINGS.model_copy(update={"crew": "openai:bard"}))
    control.request_drain("a test")
    assert (await master.run(game, control=control)).end is RunEnd.PAUSED
    await master.told(game)
    another = GameMaster(store, open_crew=bard.opened)
    await another.run(game)
    assert bard.told == PHASES
    assert await told_phases(store, game) == PHASES


async def test_a_voice_that_failed_is_tried_again_in_the_next_phase(memory_store: Store) -> None:
    bard = a_bard(fails_at={"S1901M"})
    master = GameMaster(memory_store, open_crew=bard.opened)
    game = await master.begin(SETTINGS.model_copy(update={"crew": "openai:bard"}))
    assert (await master.run(game)).end is RunEnd.FINISHED
    said = [words.content for words in await memory_store.words.of(game) if words.voice == "narrator"]
    assert said == ["(The narrator has lost its voice.)", "A song of F1901M.", "A song of W1901A."]
    assert bard.told == PHASES


async def test_a_voice_that_fails_three_times_is_silent_until_the_game_is_resumed_and_says_so(
    memory_store: Store,
) -> None:
    bard = a_bard(fails_at={"S1901M", "F1901M", "W1901A"})
    master = GameMaster(memory_store, open_crew=bard.opened)
    longer = {"crew": "openai:bard", "max_year": 1902}
    game = await master.begin(SETTINGS.model_copy(update=longer))
    standing = await master.run(game)
    assert (standing.end, bard.told) == (RunEnd.FINISHED, PHASES)
    said = [words.content for words in await memory_store.words.of(game) if words.voice == "narrator"]
    lost = "(The narrator has lost its voice.)"
    silent = "(The crew is silent from now on, until the game is resumed.)"
    assert said == [lost, lost, f"{lost}\n{silent}"]
    await master.run(game)
    await master.told(game)
    played = await memory_store.journal.phases(game, standing.state["history"])
    assert await told_phases(memory_store, game) == [phase.phase for phase in played]
    assert len(played) > len(PHASES)


async def test_what_the_crew_is_paid_counts_in_usage_and_against_the_games_budget_and_its_own(
    memory_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    bard = a_bard()
    master = GameMaster(memory_store, open_crew=bard.opened)
    limits = {"models": {"budget_usd": 9.0, "budget_tokens": 99_999}, "crew_model": {"budget_usd": 5.0}}
    game = await master.begin(SETTINGS.model_copy(update={"crew": "openai:bard", **limits}))
    assert "no effect" not in caplog.text
    await master.run(game)
    spending = await spending_of(memory_store, game)
    assert spending.crew is not None
    assert (spending.crew.calls, spending.crew.cost_usd) == (3, 0.75)
    assert spending.total == spending.crew == spending.by_model["m"]
    assert [*spending.by_phase] == PHASES
    assert [(each.limit_usd, each.spent_usd, each.spent_tokens) for each in bard.budgets] == [
        (limit, 0.25 * paid, 1040 * paid) for paid in range(3) for limit in (9.0, 5.0)
    ]


async def test_a_seat_may_spend_what_the_crew_has_left(memory_store: Store) -> None:
    bard = a_bard()
    spent: list[float] = []

    def make_player(chair: Chair) -> Player:
        spent.append(chair.budgets[0].spent_usd)
        return scripted("hold")

    master = GameMaster(memory_store, make_player, open_crew=bard.opened)
    crewed = {"crew": "openai:bard", "everyone": "openai:seat", "seats": {"FRANCE": "human"}}
    game = await master.begin(SETTINGS.model_copy(update=crewed))
    standing = await master.run(game)
    while standing.state["phase"] == "S1901M":
        standing = await master.answer(game, {standing.pending[0]: _nothing(standing)})
    await master.told(game)  # and is paid for the phase
    spent.clear()
    await master.answer(game, {standing.pending[0]: _nothing(standing)})
    assert {*spent} == {0.25}


@pytest.mark.parametrize("crew", ["", "narrator", "openai:", "scripted:loud", "openai:m@http://u:p@host/v1"])
def test_a_crew_that_is_none_is_refused(crew: str) -> None:
    with pytest.raises(SettingsError, match=r"crew|model|password"):
        parse_settings({"crew": crew})


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"temperature": 9}, "temperature"),
        ({"persona": "a poet"}, "persona"),
        ({"key_variable": "sk-0123"}, "key_variable"),
    ],
)
def test_settings_of_the_crews_model_that_are_none_are_refused(
    values: dict[str, JsonValue], says: str
) -> None:
    with pytest.raises(SettingsError, match=says) as refused:
        parse_settings({"crew": "openai:m", "crew_model": values})
    assert refused.value.setting == ("crew_model", says)
    assert "sk-0123" not in str(refused.value)


def test_who_tells_and_how_it_is_called_can_be_changed_while_a_game_is_played() -> None:
    changed = SETTINGS.with_changes({}, {}, None, "openai:gpt-5-mini", {"temperature": 0.5})
    assert SETTINGS.called_as(changed).crew == "openai:gpt-5-mini"
    assert SETTINGS.called_as(changed).crew_model == {"temperature": 0.5}
    assert changed.with_changes({}, {}, None, None).crew == "openai:gpt-5-mini"
