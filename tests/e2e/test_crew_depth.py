"""A whole game with the crew on waits for no telling: its models are called as often, and as deep, as without one."""

import asyncio
from collections import Counter, defaultdict

from starlette.types import Message, Receive, Scope, Send

from checkpoints.store import Store
from entente.games.digest import journal_digest
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.loopback import embedded
from entente.models.client import Connections
from entente.models.mock.plan import Plan
from entente.models.mock.server import MockModel
from entente.players.seating import Seating
from graph.context import GameSettings
from tests.e2e.test_models import turns_of
from tests.support.patience import PATIENCE, until

ROUNDS = 2
CREWS = b"You are the narrator"
PATIENT = {"first_token_seconds": 600, "attempt_seconds": 600, "silent_seconds": 600}


class TwoQueues:
    """The scripted model's server, which answers seats at once, and the crew not before it may."""

    def __init__(self) -> None:
        self._model = MockModel(Plan())
        self._application = self._model.application()
        self.may_answer_the_crew = asyncio.Event()
        self.calls = {"seats": 0, "crew": 0}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = b""
        more = scope["method"] == "POST"
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        if body:
            self.calls["crew" if CREWS in body else "seats"] += 1
        if CREWS in body:
            await self.may_answer_the_crew.wait()
        given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return given.pop() if given else await receive()

        await self._application(scope, again, send)


async def depth_of(store: Store, standing: Standing) -> dict[str, int]:
    """By phase, how many calls were made one after the other: the most that any one power has made."""
    made: dict[str, Counter[str]] = defaultdict(Counter)
    for turn in await turns_of(store, standing):
        made[turn.phase][turn.power] += len(turn.calls)
    return {phase: max(calls.values()) for phase, calls in made.items()}


async def test_a_whole_game_with_a_crew_costs_no_more_depth_than_one_without(memory_store: Store) -> None:
    server = TwoQueues()
    async with embedded(server, asyncio.Event()) as address, Connections() as connections:
        model = f"openai:mock@{address}/v1"
        master = GameMaster(memory_store, Seating(connections, {}))
        settings = GameSettings(everyone=model, rounds=ROUNDS, max_year=1901)
        without = await master.run(await master.begin(settings))
        silent = {**server.calls}
        crewed = settings.model_copy(update={"crew": model, "crew_model": PATIENT})
        game = await master.begin(crewed)
        async with asyncio.timeout(PATIENCE):
            run = asyncio.create_task(master.run(game))
            # The crew's first call is not answered before the last call of the last seat.
            await until(lambda: _is_played(master, game))
            assert server.calls == {"seats": 2 * silent["seats"], "crew": 1}
            assert not run.done()  # only the end of the game waits for its last telling
            server.may_answer_the_crew.set()
            told = await run
    depths = await depth_of(memory_store, without)
    assert await depth_of(memory_store, told) == depths
    assert {phase: depth for phase, depth in depths.items() if phase.endswith("M")} == {
        "S1901M": ROUNDS + 1,
        "F1901M": ROUNDS + 1,
    }
    digests = [await journal_digest(memory_store.journal, each.game, each.state) for each in (told, without)]
    assert digests[0] == digests[1]
    assert server.calls["crew"] == len(depths)


async def _is_played(master: GameMaster, game: str) -> bool:
    return (await master.look(game)).end is RunEnd.FINISHED
