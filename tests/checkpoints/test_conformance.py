"""The saver does what LangGraph's own published suite wants of one, in every store."""

from collections.abc import AsyncGenerator

from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import Capability

from checkpoints.saver import Saver
from checkpoints.shared import WholeGames
from checkpoints.store import open_store


async def test_the_saver_passes_every_test_of_every_capability(location: str) -> None:
    @checkpointer_test(name=f"Saver, {location}")
    async def saver() -> AsyncGenerator[Saver]:
        async with open_store(location) as store:
            yield store.saver

    report = await validate(saver)
    report.print_report()
    assert report.conformance_level() == "FULL"
    assert {name for name, result in report.results.items() if result.passed} == {c.value for c in Capability}


async def test_so_does_the_one_that_a_server_is_given(location: str) -> None:
    @checkpointer_test(name=f"WholeGames, {location}")
    async def saver() -> AsyncGenerator[Saver]:
        async with open_store(location) as store:
            yield WholeGames(store)

    report = await validate(saver)
    assert report.conformance_level() == "FULL", report.to_dict()
